"""The debugger's answers, as JSON can hold them: a whole derivation for the time-line, and configurations by number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rearc.oracles import oracles
from rearc.parser import Parser
from rearc.serve.asking import WORDS, Question
from rearc.serve.walking import Arc, Look, Walk, arcs_of
from rearc.systems import systems, traits
from rearc.treebank import Sentence

Json = dict[str, Any]
LISTS = {2: ("σ", "β"), 3: ("λ1", "λ2", "β")}  # as the papers name them


def catalogue(parsers: Mapping[str, Parser]) -> Json:
    """What can be chosen: models, systems, and their oracles."""
    return {
        "words": WORDS,
        "models": [
            {
                "name": name,
                "system": parser.header.system,
                "kind": parser.header.model,
                "single_root": parser.header.single_root,
                "segmenter": parser.segmenter is not None,
                "oracles": oracles(parser.header.system),
            }
            for name, parser in parsers.items()
        ],
        "systems": [
            {
                "name": name,
                "oracles": oracles(name),
                "projective": traits(name).projective,
                "monotonic": traits(name).monotonic,
                "one_root": traits(name).one_root,
            }
            for name in systems()
        ],
    }


def derivation(asked: Question) -> Json:
    """The whole way: each step with what it changed and cost, the first mistake, and the tree at the end."""
    walk = Walk(asked)
    steps: list[Json] = []
    mistake: Json | None = None
    before: set[Arc] = set()
    loss: int | None = None
    last: Look | None = None
    for look in walk.looks():
        after = arcs_of(look.state)
        loss_now = walk.loss(look.state)
        if last is not None:
            steps.append(_step(last, before, after, loss_now))
            if mistake is None and _is_wrong(last):
                assert last.taken is not None
                mistake = {
                    "step": last.step,
                    "transition": last.taken,
                    "cost": _cost(last, loss, loss_now),
                    "better": last.optimal,
                }
        before, loss, last = after, loss_now, look
        if look.step == 0:
            first = loss_now
    assert last is not None
    tree = walk.tree(last.state)
    return {
        "model": asked.model,
        "system": asked.system,
        "single_root": asked.single_root,
        "oracle": asked.oracle,
        "oracles": oracles(asked.system),
        "lists": LISTS[len(last.state.lists)],
        "words": _words(asked.sentence, _tagged(asked)),
        "gold": walk.gold[1:] if walk.gold else None,
        "loss": first,
        "steps": steps,
        "mistake": mistake,
        "terminal": last.state.is_terminal,
        "heads": tree.heads,
        "deprels": tree.deprels,
        "wrong": _wrong(asked.sentence, tree) if walk.gold and last.state.is_terminal else None,
        "constraints": [list(pair) for pair in asked.heads],
        "notes": walk.notes,
        "conllu": tree.to_conllu(),
    }


def frames(asked: Question, start: int, stop: int) -> Json:
    """The configurations from one step to another, with all that is said of each."""
    walk = Walk(asked)
    found: list[Json] = []
    before: set[Arc] = set()
    for look in walk.looks(start):
        after = arcs_of(look.state) if look.step >= start - 1 else set()
        if look.step >= start:
            found.append(_frame(walk, look, before if look.step else after, after))
        before = after
        if look.step == stop - 1:
            break
    return {"start": start, "frames": found}


def _frame(walk: Walk, look: Look, before: set[Arc], after: set[Arc]) -> Json:
    state = look.state
    lists = state.lists
    return {
        "step": look.step,
        "configuration": str(state),
        "lists": [{"name": name, "words": words} for name, words in zip(LISTS[len(lists)], lists, strict=True)],
        "arcs": _ordered(after),
        "added": _ordered(after - before),
        "removed": _ordered(before - after),
        "loss": walk.loss(state),
        "terminal": state.is_terminal,
        "transitions": [_transition(walk, look, name) for name in look.legal],
        "taken": look.taken,
        "by": look.by,
    }


def _transition(walk: Walk, look: Look, name: str) -> Json:
    arc = walk.system.builds(look.state, name)
    return {
        "name": name,
        "arc": None if arc is None else [*arc, walk.label(look.state, name)],
        "score": look.scores.get(name),
        "cost": look.costs.get(name),
        "optimal": name in look.optimal if walk.judge else None,
        "allowed": name in look.costs if walk.judge else None,
        "choice": name == look.parser_choice,
    }


def _step(look: Look, before: set[Arc], after: set[Arc], loss: int | None) -> Json:
    return {
        "transition": look.taken,
        "by": look.by,
        "cost": look.costs.get(look.taken or ""),
        "optimal": look.taken in look.optimal if look.costs else None,
        "wrong": _is_wrong(look),
        "choice": look.taken == look.parser_choice if look.parser_choice else None,
        "added": _ordered(after - before),
        "removed": _ordered(before - after),
        "loss": loss,
    }


def _is_wrong(look: Look) -> bool:
    """Another transition would have cost less, or the oracle does not allow this one."""
    if not look.costs:
        return False
    cost = look.costs.get(look.taken or "")
    return cost is None or cost > min(look.costs.values())


def _cost(look: Look, before: int | None, after: int | None) -> int | None:
    """Of what was taken; of what the oracle does not allow, by how much the loss has grown."""
    cost = look.costs.get(look.taken or "")
    return after - before if cost is None and before is not None and after is not None else cost


def _ordered(arcs: Iterable[Arc]) -> list[Arc]:
    return sorted(arcs, key=lambda arc: arc[1])


def _tagged(asked: Question) -> Sentence:
    """The sentence with the tags that the parser goes by."""
    if asked.parser is None or any(tag != "_" for tag in asked.sentence.upos):
        return asked.sentence
    return asked.parser.parse(asked.sentence, beam=1)


def _words(sentence: Sentence, tagged: Sentence) -> list[Json]:
    gold = sentence.heads if sentence.has_heads else [-1] * len(sentence)
    columns = zip(tagged.forms, tagged.lemmas, tagged.upos, tagged.xpos, tagged.feats, strict=True)
    return [
        {
            "form": form,
            "lemma": lemma,
            "upos": upos,
            "xpos": xpos,
            "feats": feats,
            "head": None if head < 0 else head,
            "deprel": label if head >= 0 else None,
        }
        for (form, lemma, upos, xpos, feats), head, label in zip(columns, gold, sentence.deprels, strict=True)
    ]


def _wrong(gold: Sentence, tree: Sentence) -> Json:
    """Words whose head is not the gold one, and those whose label alone is not."""
    known = [(d, h) for d, h in enumerate(gold.heads, 1) if h >= 0]
    heads = [d for d, h in known if tree.heads[d - 1] != h]
    labels = [d for d, h in known if tree.heads[d - 1] == h and gold.deprels[d - 1] not in ("_", tree.deprels[d - 1])]
    return {"of": len(known), "heads": heads, "labels": labels}
