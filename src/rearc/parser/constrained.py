"""A batch of sentences parsed within their constraints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rearc.constraints import ConstraintError, Constraints, Task, put_back, task_for
from rearc.parser.mending import mended
from rearc.treebank import Sentence
from rearc.treebank.pseudoprojective import ENCODINGS
from rearc.treebank.rules import breaches

if TYPE_CHECKING:
    from rearc.parser.parser import Parser

Which = Constraints | Callable[[Sentence], Constraints | None]


def constraints_for(which: Which, sentence: Sentence) -> Constraints | None:
    """What holds for one sentence of many."""
    found = which if isinstance(which, Constraints) else which(sentence)
    if found is not None and not isinstance(found, Constraints):
        raise TypeError(f"found the constraints {found!r}, expected rearc.Constraints or None")
    return None if found is None or found.is_empty else found


def parse_constrained(
    parser: Parser, given: list[Sentence], prepared: list[Sentence], tags: str, which: Which
) -> list[Sentence]:
    """The sentences with trees that comply; given: as the user has them, prepared: as the engine is to see them."""
    tasks = [_task(parser, sentence, constraints_for(which, sentence)) for sentence in given]
    guards = [task.guard if task else None for task in tasks]
    heads, labels, predicted = parser._engine.parse(prepared, guards)
    heads = np.array(heads)
    at = 0
    raw = []
    for sentence, task in zip(prepared, tasks, strict=True):
        own = [0, *heads[at : at + len(sentence)].tolist()]
        if task and task.lifted:
            put_back(own, task.lifted, task.constraints.heads)
            heads[at : at + len(sentence)] = own[1:]
        raw.append(own[1:])
        at += len(sentence)
    trees = parser._finished(prepared, heads, labels, predicted, tags)
    return [
        _complying(parser, tree, own, task) if task else tree for tree, own, task in zip(trees, raw, tasks, strict=True)
    ]


def _task(parser: Parser, sentence: Sentence, constraints: Constraints | None) -> Task | None:
    if constraints is None:
        return None
    if constraints.rules:
        _check_labels(parser)
    try:
        of_root = {label.name for label in parser.header.labels if not label.of_word}
        of_word = {label.name for label in parser.header.labels if not label.of_root}
        return task_for(constraints, len(sentence), parser._engine.system, of_root, of_word)
    except ConstraintError as error:
        raise _located(error, sentence) from None


def _check_labels(parser: Parser) -> None:
    if "root" not in parser._labels or len({"nsubj", "obj", "punct", "case", "det"} & set(parser._labels)) < 2:
        raise ConstraintError(
            "found the rules 'ud', expected a model with labels of Universal Dependencies; this one has "
            f"{', '.join(parser._labels[:5])} and the like: leave the rules out"
        )


def _located(error: ConstraintError, sentence: Sentence) -> ConstraintError:
    return ConstraintError(f"{sentence.file}:{sentence.line}: {error}" if sentence.file else str(error))


def _complying(parser: Parser, tree: Sentence, heads: Sequence[int], task: Task) -> Sentence:
    """The tree with the labels that are fixed, and mended where it breaks a rule."""
    c = task.constraints
    shape = Constraints(heads=c.heads, forbidden=c.forbidden, root=c.root, spans=c.spans, leaves=c.leaves)
    if tree.heads != list(heads) and shape.broken(tree):
        tree = tree.replace(
            heads=list(heads)
        )  # the tree as it was before lifted arcs went back to where their labels say
    if task.tree and shape.broken(tree):
        tree = tree.replace(heads=list(task.tree[1:]))
    if c.labels:
        deprels = tree.deprels
        for d, label in c.labels.items():
            deprels[d - 1] = label
        tree = tree.replace(deprels=deprels)
    if c.rules and any(True for _ in breaches(tree, c.rules)):
        tree = _mended(parser, tree, c)
    broken = c.broken(tree)
    if broken:
        raise _located(
            ConstraintError(
                f"found no tree in which all constraints hold; this does not: {'; '.join(broken)}; leave it out"
            ),
            tree,
        )
    return tree


def _mended(parser: Parser, tree: Sentence, constraints: Constraints) -> Sentence:
    marked = ENCODINGS.get(parser.header.non_projective)
    usable = [k for k, name in enumerate(parser._labels) if marked is None or _is_plain(marked.fullmatch(name), name)]
    scores = parser._engine.label_scores(tree)[:, usable]
    labels = mended(tree, [parser._labels[k] for k in usable], scores, constraints.labels)
    return tree if labels is None else tree.replace(deprels=labels)


def _is_plain(match: object, name: str) -> bool:
    """A label without marks of lifted arcs."""
    return match is None or match[1] == name  # type: ignore[index]
