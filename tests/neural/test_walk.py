"""The walks that training learns from, against a walk with the Python faces of systems and oracles."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from rearc.neural.decoder import NetworkDecoder
from rearc.neural.pair import PairDecoder
from rearc.neural.scorers import classes_of, is_pair_system
from rearc.neural.stack import StackDecoder
from rearc.oracles import oracle, oracles
from rearc.systems import State, system, systems
from rearc.training.corpus import fit
from rearc.training.defaults import STATIC
from rearc.treebank import Sentence
from tests.lockstep import ONE_ROOT_ALWAYS
from tests.naive.configurations import arc_of, arcs_of, class_of, lists_of, slot_words

SLOTS = "s2 s1 s0 b0 s0l s0r s1r b0l"
HIDDEN = 7
CASES = [
    pytest.param(name, judge, explore, id=f"{name}-{judge}{'-explore' if explore else ''}")
    for name in systems()
    for judge in oracles(name)
    for explore in ([False] if judge in STATIC else [False, True])  # a static oracle knows one path alone
]


@dataclass
class Walk:
    """What a walk comes to, in the order of `NetworkDecoder.walk`."""

    counts: list[int] = field(default_factory=list)
    words: list[list[int]] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)
    optimal: list[int] = field(default_factory=list)
    mistakes: int = 0


class Scores:
    """Whole numbers at random, so that sums are exact in any order; and a reckoning of them in Python."""

    def __init__(self, name: str, single_root: bool, sizes: list[int], seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.sizes = sizes
        self.pairs = is_pair_system(name)
        compiled = system(name, single_root=single_root)
        longest = max(sizes)
        self.row = longest + (1 if self.pairs else 2)
        sheets = np.zeros((len(sizes), 5), dtype=np.int64)
        numbers = np.arange(len(sizes))
        if self.pairs:
            areas = [self.row**2] * 3 + [self.row] * 2
            for k, area in enumerate(areas):
                sheets[:, k] = len(sizes) * sum(areas[:k]) + numbers * area
            self.values = rng.integers(-500, 500, len(sizes) * sum(areas)).astype(np.float32)
            self.decoder: NetworkDecoder = PairDecoder(compiled)
        else:
            sheets[:, 0] = numbers * self.row
            slots = len(SLOTS.split())
            self.rows = rng.integers(-20, 20, (len(sizes) * self.row, slots, HIDDEN))
            self.bias, self.output_bias = rng.integers(-9, 9, HIDDEN), rng.integers(-9, 9, classes_of(name))
            self.output = rng.integers(-9, 9, (HIDDEN, classes_of(name)))
            self.values = self.rows.astype(np.float32).reshape(-1)
            weights = [array.astype(np.float32) for array in (self.bias, self.output, self.output_bias)]
            self.decoder = StackDecoder(compiled, SLOTS, *weights)
        self.sheets = sheets

    def of(self, s: int, state: State, legal: list[str]) -> tuple[list[float], list[int], list[int]]:
        """Scores and cells of the legal transitions of sentence s, and the rows of the words in the slots."""
        start, no_arcs, repairs, shifts, settled = self.sheets[s].tolist()
        if self.pairs:
            before, *_, buffer = lists_of(state)
            headed = {d for _, d in arcs_of(state)}
            cells = []
            for transition in legal:
                if transition == "shift":
                    cells.append((settled if buffer[0] in headed else shifts) + buffer[0])
                elif transition == "no-arc":
                    cells.append(no_arcs + before[-1] * self.row + buffer[0])
                else:
                    h, d = arc_of(state, transition)
                    cells.append((repairs if d in headed else start) + h * self.row + d)
            return [float(self.values[cell]) for cell in cells], cells, []
        found = slot_words(state, SLOTS)
        words = [start + (self.sizes[s] + 1 if word is None else word) for word in found]
        hidden = self.bias + sum(self.rows[word, k] for k, word in enumerate(words))
        classes = np.maximum(hidden, 0) @ self.output + self.output_bias
        cells = [class_of(transition) for transition in legal]
        return [float(classes[cell]) for cell in cells], cells, words


def naive_walk(
    name: str, judge_name: str, single_root: bool, scores: Scores, trees: list[list[int]], explore: bool
) -> Walk:
    walk = Walk()
    compiled = system(name, single_root=single_root)
    for s, tree in enumerate(trees):
        judge = oracle(name, judge_name, tree, single_root=single_root)
        state = judge.start()
        while not state.is_terminal:
            legal = compiled.legal(state)
            if len(legal) == 1:
                judge.apply(state, legal[0])
                continue
            optimal = judge.optimal(state)
            values, cells, words = scores.of(s, state, legal)
            value = dict(zip(legal, values, strict=True))
            predicted = max(legal, key=value.__getitem__)
            walk.counts.append(len(legal))
            walk.words.append(words)
            walk.cells += cells
            walk.optimal += [transition in optimal for transition in legal]
            followed = max(optimal, key=value.__getitem__)
            if predicted not in optimal:
                walk.mistakes += 1
                if explore and predicted in judge.costs(state):
                    followed = predicted
            judge.apply(state, followed)
    return walk


@pytest.mark.parametrize("single_root", [False, True], ids=["any", "one"])
@pytest.mark.parametrize(("name", "judge_name", "explore"), CASES)
def test_walks(name: str, judge_name: str, explore: bool, single_root: bool, sentences: list[Sentence]):
    fitting, _ = fit(sentences, name, single_root or name in ONE_ROOT_ALWAYS, "lift")
    trees = [[0, *s.heads] for s in fitting]
    sizes = [len(s) for s in fitting]
    scores = Scores(name, single_root, sizes, seed=len(name))
    expected = naive_walk(name, judge_name, single_root, scores, trees, explore)
    counts, words, cells, optimal, mistakes = scores.decoder.walk(
        oracle(name, judge_name, [0, 0], single_root=single_root),
        scores.values,
        np.array(sizes, dtype=np.intc),
        scores.sheets,
        np.full(len(sizes), scores.row, dtype=np.intc),
        np.array([head for tree in trees for head in tree], dtype=np.intc),
        float(explore),
        3,
    )
    assert counts.tolist() == expected.counts
    assert cells.tolist() == expected.cells
    assert optimal.tolist() == expected.optimal
    assert mistakes == expected.mistakes > 0
    if words is None:
        assert scores.pairs
    else:
        assert words.tolist() == expected.words
    assert all(rows.any() for rows in np.split(optimal, np.cumsum(counts)[:-1]))


def test_a_probability_between(sentences: list[Sentence]):
    """Some mistakes are followed and some are not; the same seed gives the same walk."""
    chosen = sentences[:20]
    scores = Scores("nl-covington", False, [len(s) for s in chosen], 1)

    def walk(explore: float, seed: int) -> list[int]:
        return scores.decoder.walk(
            oracle("nl-covington", "dynamic", [0, 0]),
            scores.values,
            np.array(scores.sizes, dtype=np.intc),
            scores.sheets,
            np.full(len(chosen), scores.row, dtype=np.intc),
            np.array([head for s in chosen for head in (0, *s.heads)], dtype=np.intc),
            explore,
            seed,
        )[2].tolist()

    walks = [walk(0.0, 1), walk(0.5, 1), walk(0.5, 2), walk(1.0, 1)]
    assert walk(0.5, 1) == walks[1]
    assert walk(0.0, 2) == walks[0]
    assert walk(1.0, 2) == walks[3]
    assert all(a != b for k, a in enumerate(walks) for b in walks[:k])


def test_no_sentences():
    scores = Scores("arc-hybrid", False, [3], 1)
    none = np.zeros(0, dtype=np.intc)
    found = scores.decoder.walk(
        oracle("arc-hybrid", "dynamic", [0, 0]), scores.values, none, scores.sheets[:0], none, none, 0.0, 1
    )
    assert [array.size for array in found[:4]] == [0, 0, 0, 0]
    assert found[4] == 0
