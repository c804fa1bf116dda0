"""What a trained parser does to get to its trees: how many arcs it replaces, and to what effect.

The figures of Fernández-González & Gómez-Rodríguez 2017, §6.3.
"""

from __future__ import annotations

from collections.abc import Iterable

from rearc.parser import Parser
from rearc.systems import State, system
from rearc.treebank import Sentence

Arcs = set[tuple[int, int]]


def derivations(parser: Parser, gold: Iterable[Sentence], tags: str) -> dict[str, float | None]:
    """Counts over all derivations, and their shares in percent.

    An arc transition builds an arc. It replaces if an arc goes for it. A replacement is `gold` if the new arc is, and
    `harmful` if the new arc is not gold and what went was.
    """
    made = system(parser.header.system, single_root=parser.header.single_root)
    transitions = arcs = replacing = right = harmful = 0
    for sentence in gold:
        tree = sentence.tree
        state = made.start(len(sentence))
        before: Arcs = set()
        for transition in parser.derivation(sentence, tags=tags):
            transitions += 1
            made.apply(state, transition)
            if not transition.startswith(("left-arc", "right-arc")):
                before = _arcs(state)  # an unshift may take an arc away
                continue
            after = _arcs(state)
            added, removed = after - before, before - after
            before = after
            arcs += 1
            if removed:
                replacing += 1
                is_gold = any(tree[d] == h for h, d in added)
                right += is_gold
                harmful += not is_gold and any(tree[d] == h for h, d in removed)
    return {
        "transitions": transitions,
        "arc_transitions": arcs,
        "replacing": _percent(replacing, arcs),
        "replacing_gold": _percent(right, replacing),
        "replacing_harmful": _percent(harmful, replacing),
    }


def _arcs(state: State) -> Arcs:
    heads = state.heads
    return {(heads[d], d) for d in state.headed}


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None
