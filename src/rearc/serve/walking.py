"""A way through a sentence: the transitions that were chosen, and then those of the parser, or of the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import monotonic

from rearc.constraints import Constraints, Task, put_back, task_for
from rearc.oracles import Oracle, oracle
from rearc.oracles.exact import SearchLimit
from rearc.parser.stepping import Stepper
from rearc.serve.asking import Question, Unanswerable
from rearc.systems import IllegalTransition, State, traits
from rearc.systems import system as make_system
from rearc.treebank import Sentence
from rearc.treebank.pseudoprojective import ENCODINGS, deprojectivise, projective_heads
from rearc.treebank.trees import is_projective

Arc = tuple[int, int, str | None]  # head, dependent, label
INSISTING = 1e9  # the score of a transition that has been chosen
SECONDS = 20  # for one way through a sentence


@dataclass
class Look:
    """A configuration, and what is said of it, before the next transition."""

    step: int
    state: State
    legal: list[str]
    scores: dict[str, float] = field(default_factory=dict)  # by the model
    costs: dict[str, int] = field(default_factory=dict)  # by the oracle, of what it allows
    optimal: list[str] = field(default_factory=list)
    parser_choice: str | None = None
    taken: str | None = None  # None at the end
    by: str = ""  # who chose it: you, parser, oracle


class Walk:
    """One question, ready to be gone through. `looks` does it once."""

    def __init__(self, asked: Question) -> None:
        self.asked = asked
        self.notes: list[str] = []
        self._knows_loss = True
        self._deadline = monotonic() + SECONDS
        self.words = len(asked.sentence)
        self.gold, self.judge = self._judge()
        self.stepper: Stepper | None = None
        self.task: Task | None = None
        if asked.parser is not None:
            self.stepper = asked.parser.stepper(asked.sentence)
            self.system = self.stepper.system
            if asked.parser.header.beam > 1:
                self.notes.append(
                    f"The model parses with a beam of {asked.parser.header.beam}. Here it goes step by step, so its "
                    "tree may differ."
                )
            if (
                "upos" in asked.parser.header.expects
                and not asked.parser.has_tagger
                and not any(tag != "_" for tag in asked.sentence.upos)
            ):
                self.notes.append("The model goes by tags, and neither it nor the sentence has any: it will do badly.")
            if asked.heads:
                self.task = task_for(Constraints(heads=dict(asked.heads)), self.words, self.system)
                if self.task.lifted:
                    self.notes.append(
                        "The system builds no crossing arcs. Some fixed heads are put in when the tree is done: "
                        + ", ".join(f"{h} → {d}" for d, h in self.task.lifted)
                        + "."
                    )
        else:
            self.system = make_system(asked.system, single_root=asked.single_root)

    def _judge(self) -> tuple[list[int | None] | None, Oracle | None]:
        """The gold tree as the system could build it, and the oracle."""
        asked = self.asked
        if asked.oracle is None:
            return None, None
        heads: list[int | None] = [0, *(None if h < 0 else h for h in asked.sentence.heads)]
        whole = [h for h in heads if h is not None]
        if len(whole) == len(heads) and traits(asked.system).projective and not is_projective(whole):
            lifted = projective_heads(whole).tolist()
            moved = [d for d in range(1, len(heads)) if lifted[d] != heads[d]]
            self.notes.append(
                f"The gold tree has crossing arcs, which {asked.system} cannot build. The oracle goes by the nearest "
                f"tree without them, which has other heads for {', '.join(asked.sentence.forms[d - 1] for d in moved)}."
            )
            heads = lifted
        judge = oracle(asked.system, asked.oracle, heads, single_root=asked.single_root)
        if judge.is_static:
            self.notes.append(
                f"The oracle {asked.oracle} is static: it knows one way to the gold tree. Its transition costs 0, any "
                "other counts as 1, and once off its way it knows no loss."
            )
        return heads, judge

    def looks(self, first: int = 0) -> Iterator[Look]:
        """All configurations from the start to the end; the state goes on with the iteration.

        first: before this step nothing is asked but what it takes to go on.
        """
        guard = self.task.guard if self.task else None
        state = guard.start() if guard else self.system.start(self.words)
        chosen = iter(self.asked.transitions)
        step = 0
        while True:
            if monotonic() > self._deadline:
                raise Unanswerable(
                    f"found more steps than can be gone in {SECONDS} seconds; take a shorter sentence", 504
                )
            wanted = next(chosen, None)
            look = self._look(step, state, known=wanted is not None, passing=step < first)
            look.taken, look.by = self._next(look, wanted)
            if guard and look.taken is not None:
                insisted = {look.taken: INSISTING} if look.by == "you" else look.scores
                scores = [insisted.get(name, 0.0) for name in look.legal]
                kept = guard.lead(state, scores)
                if look.by == "you" and kept != look.taken:
                    raise Unanswerable(
                        f"found {look.taken} as step {step + 1}, expected one that keeps the fixed heads"
                    )
                look.taken = kept
            yield look
            if look.taken is None:
                return
            self.apply(state, look.taken)
            step += 1

    def _look(self, step: int, state: State, known: bool, passing: bool) -> Look:
        look = Look(step, state, self.system.legal(state))
        if not look.legal:
            return look
        if self.stepper and not (passing and known):
            look.scores = self.stepper.scores(state)
            look.parser_choice = self.stepper.choice(state)
        if self.judge and not (passing and (known or self.stepper)):
            look.costs = self.judge.costs(state)
            look.optimal = self.judge.optimal(state)
        return look

    def _next(self, look: Look, chosen: str | None) -> tuple[str | None, str]:
        if chosen is not None:
            if chosen not in look.legal:
                legal = ", ".join(look.legal) or "none, it is the end"
                shown = chosen if len(chosen) <= 30 else f"{chosen[:30]}…"
                raise Unanswerable(f"found {shown!r} as step {look.step + 1}, expected a legal transition: {legal}")
            return chosen, "you"
        if look.parser_choice is not None:
            return look.parser_choice, "parser"
        return (look.optimal[0], "oracle") if look.optimal else (None, "")

    def apply(self, state: State, transition: str) -> None:
        try:
            self.system.apply(state, transition, self.label(state, transition))
        except IllegalTransition as error:  # not from here: only legal ones are taken
            raise Unanswerable(str(error)) from None

    def label(self, state: State, transition: str) -> str | None:
        """Of the arc that a transition builds: the model's, or the gold one where the arc is gold."""
        if self.stepper:
            return self.stepper.label(state, transition)
        arc = self.system.builds(state, transition)
        if arc is None or self.gold is None or self.gold[arc[1]] != arc[0]:
            return None
        label = self.asked.sentence.deprels[arc[1] - 1]
        return None if label == "_" else label

    def loss(self, state: State) -> int | None:
        """What is lost already, if the oracle knows."""
        if self.judge is None or self.judge.is_static or not self._knows_loss:
            return None
        try:
            return self.judge.loss(state)
        except SearchLimit:  # attardi's, on a tree like no sentence's
            self._knows_loss = False
            self.notes.append("The loss would take too long to find here, so it is not shown.")
            return None

    def tree(self, state: State) -> Sentence:
        """What becomes of the sentence with the arcs of a state: headless words hang on the root."""
        deprels = self.stepper.deprels(state) if self.stepper else state.deprels
        heads = state.heads
        if self.task and self.task.lifted:
            put_back(heads, self.task.lifted, dict(self.asked.heads))
        tree = self.asked.sentence.replace(heads=heads[1:], deprels=[label or "_" for label in deprels[1:]])
        parser = self.asked.parser
        if parser is not None and state.is_terminal and parser.header.non_projective in ENCODINGS and not self.task:
            return deprojectivise(tree, parser.header.non_projective)
        return tree


def arcs_of(state: State) -> set[Arc]:
    """The arcs of a configuration."""
    heads, deprels = state.heads, state.deprels
    return {(heads[d], d, deprels[d]) for d in state.headed}
