"""Online learning as the papers tell it: one configuration after the other, with dictionaries and whole numbers.

States and oracles are the package's own, through their Python faces; their naive twins stand elsewhere. Nothing is
hashed: a feature is a template with the values it sees.
"""

import random
from collections.abc import Hashable, Sequence

from rearc.features.templates import Template
from rearc.oracles import Oracle
from rearc.systems import State, System
from rearc.treebank import Sentence

from .features import View
from .perceptron import Perceptron

CLASSES = {"shift": 0, "left-arc": 1, "right-arc": 2, "no-arc": 3, "reduce": 3, "swap": 3, "unshift": 3}
MASK = (1 << 64) - 1

Features = list[Hashable]
Arc = tuple[int, int]
Change = tuple[Features, int, int]  # of the weights of these features for a class


class SplitMix:
    """Vigna's splitmix64, as https://prng.di.unimi.it/splitmix64.c has it; the upper 53 bits make a fraction."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def uniform(self) -> float:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return ((z ^ (z >> 31)) >> 11) / (1 << 53)


def arcs(state: State) -> dict[int, int]:
    return {d: state.heads[d] for d in state.headed}


def arc_of(system: System, state: State, transition: str) -> Arc | None:
    """The arc that a transition builds: what is new in its result."""
    after = state.copy()
    system.apply(after, transition)
    new = [(h, d) for d, h in arcs(after).items() if arcs(state).get(d) != h]
    if new or not transition.startswith(("left-arc", "right-arc")):
        return new[0] if new else None
    # the arc was there before: only systems that join the front of the buffer to a word before it do that
    view = View(state, [0] * (len(state.heads) - 1), {})
    kind, _, k = transition.partition(":")
    word, front = view.left[-int(k or 1)], view.right[0]
    return (front, word) if kind == "left-arc" else (word, front)


class Pupil:
    """Two perceptrons, of transitions and of labels, and the greedy parser that they are."""

    def __init__(
        self,
        system: System,
        templates: Sequence[Template],
        label_templates: Sequence[Template],
        labels: Sequence[tuple[str, bool, bool]],  # name; whether it hangs on the root; whether it hangs on words
        repairs_apart: bool = False,
    ) -> None:
        self.system = system
        self.templates, self.label_templates = templates, label_templates
        self.labels = labels
        self.types, self.label_types = Perceptron(), Perceptron()
        self.repairs_apart = repairs_apart

    # ---- what is seen

    def features(self, state: State, sentence: Sentence, given: dict[int, str | None], transition: str) -> Features:
        """Of a transition: a configuration, for arcs to the k-th word seen from there."""
        view = View(state, sentence, given)
        k = int(transition.partition(":")[2] or 1)
        kind = k if view.from_top else 1  # where k counts from the top of the stack, each k has weights of its own
        apart = "repair" if self.is_apart(state, transition) else kind
        found = [(apart, t.text, view.feature(t, k, None, None)) for t in self.templates]
        return [feature for feature in found if feature[2] is not None]

    def is_apart(self, state: State, transition: str) -> bool:
        """It takes a head away from some word, and such transitions are judged apart."""
        if not self.repairs_apart:
            return False
        after = state.copy()
        self.system.apply(after, transition)
        return any(arcs(after).get(d) != h for d, h in arcs(state).items())

    def label_features(self, state: State, sentence: Sentence, given: dict[int, str | None], arc: Arc) -> Features:
        h, d = arc
        direction = "from the root" if h == 0 else "to the left" if d < h else "to the right"
        view = View(state, sentence, given)
        found = [(direction, t.text, view.feature(t, 1, h, d)) for t in self.label_templates]
        return [feature for feature in found if feature[2] is not None]

    # ---- what is chosen

    def score(self, features: Features, transition: str) -> int:
        return self.types.score(features, CLASSES[transition.partition(":")[0]])

    def scores(self, state: State, seen: dict[str, Features]) -> dict[str, int]:
        """Of all transitions; a repair's is the best of the others' and what speaks for it less what against it."""
        apart = {t for t in seen if self.is_apart(state, t)}
        scores = {t: self.score(seen[t], t) for t in seen if t not in apart}
        best = max(scores.values(), default=0)
        against = CLASSES["shift"]
        repairs = {t: best + self.score(seen[t], t) - self.types.score(seen[t], against) for t in seen if t in apart}
        return scores | repairs

    def choose_label(self, features: Features, head: int) -> str:
        """The best of the labels that hang there, the first of equals."""
        scores = {
            name: self.label_types.score(features, k)
            for k, (name, of_root, of_word) in enumerate(self.labels)
            if (of_word if head else of_root)
        }
        return max(scores, key=scores.__getitem__)

    # ---- parsing

    def begin(self, sentence: Sentence, begun: Sentence | None) -> tuple[State, dict[int, str | None]]:
        """The first configuration, and the labels of the arcs that it has."""
        if begun is None:
            return self.system.start(len(sentence)), {}
        labels = {d: label for d, (h, label) in enumerate(zip(begun.heads, begun.deprels, strict=True), 1) if h}
        return self.system.start(len(sentence), [0, *begun.heads]), labels

    def parse(self, sentence: Sentence, begun: Sentence | None = None) -> tuple[list[int], list[str]]:
        state, given = self.begin(sentence, begun)
        while not state.is_terminal:
            seen = {t: self.features(state, sentence, given, t) for t in self.system.legal(state)}
            chosen = best_of(self.scores(state, seen))
            arc, label = arc_of(self.system, state, chosen), None
            if arc is not None:
                label = self.choose_label(self.label_features(state, sentence, given, arc), arc[0])
            self.system.apply(state, chosen, label=label)
            given = after(given, arc, label, state)
        for d in set(range(1, len(sentence) + 1)) - set(state.headed):
            given[d] = self.choose_label(self.label_features(state, sentence, given, (0, d)), 0)
        return state.heads[1:], [given[d] or "" for d in range(1, len(sentence) + 1)]


def best_of(scores: dict[str, int]) -> str:
    """The first of the best."""
    return max(scores, key=scores.__getitem__)


def after(given: dict[int, str | None], arc: Arc | None, label: str | None, state: State) -> dict[int, str | None]:
    """The labels of the arcs that are there now."""
    if arc is not None:
        given = {**given, arc[1]: label}
    return {d: name for d, name in given.items() if d in state.headed}


def change(seen: dict[str, Features], transition: str, by: int) -> Change:
    return seen[transition], CLASSES[transition.partition(":")[0]], by


class Training:
    """Goldberg & Nivre (2012): train on what was explored, after k epochs and with probability p."""

    def __init__(
        self,
        pupil: Pupil,
        judge: Oracle,
        sentences: Sequence[Sentence],
        seed: int,
        policy: tuple[int, float],
        margin: int = 0,
    ):
        self.pupil, self.judge, self.sentences = pupil, judge, sentences
        self.seed, self.policy, self.margin = seed, policy, margin
        self.chance = SplitMix(seed)
        self.epochs = 0
        self.followed = 0  # mistakes

    def epoch(self) -> tuple[int, int, int]:
        """(configurations, wrong transitions, wrong labels) of a pass."""
        order = list(range(len(self.sentences)))
        random.Random(f"{self.seed} {self.epochs}").shuffle(order)
        k, p = self.policy
        explore = p if self.epochs >= k else 0.0
        totals = [0, 0, 0]
        for number in order:
            self.learn(self.sentences[number], explore, totals)
        self.epochs += 1
        return totals[0], totals[1], totals[2]

    def learn(self, sentence: Sentence, explore: float, totals: list[int], begun: Sentence | None = None) -> None:
        """begun: the sentence with the tree to begin with."""
        pupil, judge, system = self.pupil, self.judge, self.pupil.system
        judge.set_gold([0, *sentence.heads], [None, *sentence.deprels])
        state, given = pupil.begin(sentence, begun)
        while not state.is_terminal:
            seen = {t: pupil.features(state, sentence, given, t) for t in system.legal(state)}
            scores = pupil.scores(state, seen)
            predicted = best_of(scores)
            optimal = judge.optimal(state)
            best = best_of({t: scores[t] for t in optimal})
            narrow = {t: score + (t not in optimal) * self.margin for t, score in scores.items()}
            if narrow[predicted] < max(narrow.values()):
                predicted = best_of(narrow)
            totals[0] += 1
            chosen, changes = best, []
            if pupil.repairs_apart:
                changes = self.changes_apart(state, seen, scores, predicted)
            elif predicted not in optimal:
                changes = [change(seen, best, 1), change(seen, predicted, -1)]
            totals[1] += bool(changes)
            strays = predicted not in optimal and explore and self.chance.uniform() < explore
            if strays and predicted in judge.costs(state):
                chosen = predicted
                self.followed += 1
            pupil.types.step(changes)
            arc, label = arc_of(system, state, chosen), None
            if arc is not None:
                label = self.learn_label(state, sentence, given, arc, totals)
                if not explore and sentence.heads[arc[1] - 1] == arc[0]:
                    label = sentence.deprels[arc[1] - 1]
            judge.apply(state, chosen, label=label)
            given = after(given, arc, label, state)
        for d in range(1, len(sentence) + 1):
            if d not in state.headed and sentence.heads[d - 1] == 0:
                self.learn_label(state, sentence, given, (0, d), totals)

    def changes_apart(
        self, state: State, seen: dict[str, Features], scores: dict[str, int], predicted: str
    ) -> list[Change]:
        """What is no repair is learnt as if there were none; a repair where it alone is right and where it is wrong."""
        optimal = self.judge.optimal(state)
        others = {t: score for t, score in scores.items() if not self.pupil.is_apart(state, t)}
        good = self.judge.optimal(state, among=others) if others else []
        changes = []
        if others and best_of(others) not in good:
            best = best_of({t: score for t, score in others.items() if t in good})
            changes += [change(seen, best, 1), change(seen, best_of(others), -1)]
        if predicted not in optimal and predicted not in others:
            changes += [change(seen, predicted, -1), (seen[predicted], CLASSES["shift"], 1)]
        if predicted not in optimal and not set(optimal) & set(others):
            repair = best_of({t: score for t, score in scores.items() if t in optimal})
            changes += [change(seen, repair, 1), (seen[repair], CLASSES["shift"], -1)]
        return changes

    def learn_label(
        self, state: State, sentence: Sentence, given: dict[int, str | None], arc: Arc, totals: list[int]
    ) -> str:
        """Predict the label of an arc and, where the arc is right, learn from it."""
        features = self.pupil.label_features(state, sentence, given, arc)
        predicted = self.pupil.choose_label(features, arc[0])
        if sentence.heads[arc[1] - 1] == arc[0]:
            gold = sentence.deprels[arc[1] - 1]
            names = [name for name, _, _ in self.pupil.labels]
            changes = [(features, names.index(gold), 1), (features, names.index(predicted), -1)]
            totals[2] += predicted != gold
            self.pupil.label_types.step(changes if predicted != gold else [])
        return predicted
