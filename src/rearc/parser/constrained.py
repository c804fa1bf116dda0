"""A batch of sentences parsed within their constraints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rearc.constraints import ConstraintError, Constraints, Task, is_exact, put_back, task_for
from rearc.constraints.guard import Guard, can_hold
from rearc.constraints.limits import Limits
from rearc.parser.engine import Flat, Margins
from rearc.parser.mending import mended, moved_up, relabelled
from rearc.search.forest import Forest, forest_of
from rearc.treebank import Sentence
from rearc.treebank.pseudoprojective import ENCODINGS
from rearc.treebank.rules import breaches

if TYPE_CHECKING:
    from rearc.parser.parser import Parser

Floats = NDArray[np.float64]
Which = Constraints | Callable[[Sentence], Constraints | None]


def constraints_for(which: Which, sentence: Sentence) -> Constraints | None:
    """What holds for one sentence of many."""
    found = which if isinstance(which, Constraints) else which(sentence)
    if found is not None and not isinstance(found, Constraints):
        raise TypeError(f"found the constraints {found!r}, expected rearc.Constraints or None")
    return None if found is None or found.is_empty else found


class Within:
    """A batch of sentences whose trees have to comply with constraints.

    given: the sentences as the user has them, prepared: as the engine is to see them. ConstraintError where constraints
    cannot hold.
    """

    def __init__(self, parser: Parser, given: list[Sentence], prepared: list[Sentence], which: Which) -> None:
        wanted = [constraints_for(which, sentence) for sentence in given]
        if any(c is not None and c.rules for c in wanted):
            _check_labels(parser)
        self._parser, self._batch, self._wanted = parser, prepared, wanted
        self._starts = np.cumsum([0, *map(len, prepared)])
        self._known, self._at_once = _at_once(parser, prepared, wanted, self._starts)
        self._tasks = [
            None if c is None else Task(c, None) if done else _task(parser, sentence, c)
            for sentence, c, done in zip(given, wanted, self._at_once, strict=True)
        ]
        # a network that tags sees all sentences together, those too that are parsed alone
        guarded = [task is not None and task.guard is not None for task in self._tasks]
        alone = np.zeros(len(prepared), dtype=bool) if parser._engine.has_tagger else np.array(guarded)
        self._rest = [sentence for sentence, own in zip(prepared, alone, strict=True) if not own]
        self._of_rest = ~np.repeat(alone, np.diff(self._starts))
        if self._known:
            self._known = self._known[0], self._known[1][self._of_rest]
        self._alone = alone

    def parse(self) -> Flat:
        """As the engine parses the batch greedily, with heads within the constraints."""
        heads, labels = np.zeros((2, len(self._of_rest)), dtype=np.intc)
        heads[self._of_rest], labels[self._of_rest], predicted = self._parser._engine.parse(self._rest, *self._known)
        for k, task in self._one_by_one():
            words = slice(self._starts[k], self._starts[k + 1])
            if task.guard is not None:
                heads[words], labels[words], _ = self._parser._engine.parse([self._batch[k]], task.guard)
            heads[words] = _with_lifted(heads[words], task)
        return heads, labels, predicted

    def search(self, beams: Sequence[tuple[int, int]]) -> tuple[list[Forest], dict[str, list[str]], Margins]:
        """As the engine searches with these beams, with heads within the constraints in every tree."""
        engine, scale = self._parser._engine, self._parser._scale
        forests, predicted, margins = engine.search(self._rest, beams, scale, *self._known)
        again = self._one_by_one()
        if not again:
            return forests, predicted, margins
        together = [forest.trees([len(sentence) for sentence in self._rest]) for forest in forests]
        found = [[[] if alone else next(trees) for alone in self._alone] for trees in together]
        for k, task in again:
            if task.guard is not None:
                own, _, _ = engine.search([self._batch[k]], beams, scale, task.guard)
                for trees, forest in zip(found, own, strict=True):
                    (trees[k],) = forest.trees([len(self._batch[k])])
            for trees in found:
                trees[k] = [tree._replace(heads=_with_lifted(tree.heads, task)) for tree in trees[k]]
        return [forest_of(trees) for trees in found], predicted, margins

    def _one_by_one(self) -> list[tuple[int, Task]]:
        """Sentences that the batch as a whole does not do for, by their numbers."""
        return [
            (k, task)
            for k, task in enumerate(self._tasks)
            if task is not None and (task.guard is not None or task.lifted)
        ]

    def complying(self, trees: list[Sentence], forest: Forest) -> list[list[Sentence | None]]:
        """The trees of each sentence with the labels that are fixed, and mended where they break a rule.

        trees: what became of the forest, one after another. Some may be mended into the same tree. None stands for one
        that cannot be mended; ConstraintError if no tree of a sentence can.
        """
        parser, counts = self._parser, forest.counts.tolist()
        moved = parser.header.non_projective in ENCODINGS
        starts = np.cumsum([0, *map(len, trees)])
        ruled = any(c and c.rules for c in self._wanted)
        doubtful = _doubtful(parser, forest.heads, forest.labels, starts) if ruled else np.ones(len(trees), dtype=bool)
        result: list[list[Sentence | None]] = []
        first = 0
        for task, at_once, count in zip(self._tasks, self._at_once, counts, strict=True):
            own = range(first, first + count)
            first += count
            anew = moved or not at_once
            if task is None or not (
                anew or task.constraints.labels or (task.constraints.rules and doubtful[own.start : own.stop].any())
            ):
                result.append([*trees[own.start : own.stop]])
                continue
            kept: list[Sentence | None] = []
            failed = None
            for k in own:
                heads = forest.heads[starts[k] : starts[k + 1]].tolist()
                try:
                    kept.append(_complying(parser, trees[k], heads, task, anew, bool(doubtful[k])))
                except ConstraintError as error:
                    failed = failed or error
                    kept.append(None)
            if failed and not any(kept):
                raise failed
            result.append(kept)
        return result

    def settled(self, of_words: Floats) -> Floats:
        """Probabilities of each word that its head is right, and that head and label are, given what is known."""
        head, both = of_words.T.copy()
        for start, c in zip(self._starts.tolist(), self._wanted, strict=False):
            if c is None:
                continue
            for d in {*c.heads, *([] if c.root is None else [c.root])}:
                w = start + d - 1
                head[w], both[w] = 1.0, min(1.0, both[w] / head[w])
            for d in c.labels:
                both[start + d - 1] = head[start + d - 1]
        return np.column_stack([head, both])


def _with_lifted(heads: NDArray[np.intc], task: Task) -> NDArray[np.intc]:
    """The heads of a sentence, with those that the system could not build."""
    if not task.lifted:
        return heads
    tree = [0, *heads.tolist()]
    put_back(tree, task.lifted, task.constraints.heads)
    return np.array(tree[1:], dtype=np.intc)


def _at_once(
    parser: Parser, batch: list[Sentence], wanted: Sequence[Constraints | None], starts: NDArray[np.int64]
) -> tuple[tuple[Guard, NDArray[np.intc]] | tuple[()], list[bool]]:
    """What keeps the known heads of all sentences at once, if the system has exact costs; and for which sentences that
    is all there is to keep."""
    system = parser._engine.system
    one_root = bool(system.single_root or system.traits.one_root)
    free = [c is None or not (c.heads or c.labels or c.has_shape or (c.rules and not one_root)) for c in wanted]
    plain = [
        c is not None and bool(c.heads) and not c.has_shape and not (c.rules and (c.labels or not one_root))
        for c in wanted
    ]
    labels_alone = [
        c is not None and not c.heads and not c.has_shape and not c.rules and _is_free(parser, c) for c in wanted
    ]
    done = [a or b for a, b in zip(free, labels_alone, strict=True)]
    if not any(plain) or not is_exact(system.name):
        return (), done
    known = np.full(int(starts[-1]), -1, dtype=np.intc)
    for k, c in enumerate(wanted):
        if plain[k] and c is not None and _is_free(parser, c):
            own = [c.heads.get(d, -1) for d in range(1, len(batch[k]) + 1)]
            if len(c.heads) == sum(h >= 0 for h in own) and all(d != h for d, h in enumerate(own, 1)):
                known[starts[k] : starts[k + 1]] = own
    sizes = np.diff(starts).astype(np.intc)
    fits = can_hold(known, sizes, not system.traits.derives_all, one_root).astype(bool)
    some = np.logical_or.reduceat(known >= 0, starts[:-1]) if len(known) else np.zeros(0, dtype=bool)
    for s in np.flatnonzero(~fits).tolist():
        known[starts[s] : starts[s + 1]] = -1
    guard = Guard(system, Limits(int(sizes.max(initial=1)), [], one_root=one_root))
    return (guard, known), [a or bool(f and s) for a, f, s in zip(done, fits, some, strict=True)]


def _is_free(parser: Parser, constraints: Constraints) -> bool:
    """No label says anything of a head that is not known."""
    for d, label in constraints.labels.items():
        if d not in constraints.heads and parser._labels_of_one_kind(label):
            return False
    return True


def _doubtful(
    parser: Parser, heads: NDArray[np.intc], labels: NDArray[Any], starts: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Sentences that may break a rule of `ud`; the others do not."""
    takes_label, kinds, of_root = parser._ruled
    own = np.repeat(starts[:-1], np.diff(starts))
    above = np.where(heads > 0, own + heads - 1, 0)
    wrong = (heads > 0) & ~takes_label[labels[above], labels]
    wrong |= (heads == 0) != of_root[labels]
    kind = kinds[labels]
    key = np.where((heads > 0) & (kind > 0), above * 8 + kind, -1 - np.arange(len(heads)))
    order = np.argsort(key, kind="stable")
    wrong[order[1:]] |= np.diff(key[order]) == 0
    found: NDArray[np.bool_] = np.zeros(len(starts) - 1, dtype=bool)
    roots = np.add.reduceat(heads == 0, starts[:-1])
    np.logical_or.at(found, np.repeat(np.arange(len(found)), np.diff(starts)), wrong)
    found |= roots != 1
    return found


def _task(parser: Parser, sentence: Sentence, constraints: Constraints) -> Task:
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


def _complying(
    parser: Parser, tree: Sentence, heads: Sequence[int], task: Task, moved: bool, doubtful: bool
) -> Sentence:
    """The tree with the labels that are fixed, and mended where it breaks a rule.

    moved: the heads may not comply; doubtful: the rules may be broken.
    """
    c = task.constraints
    shape = replace(c, labels={}, rules=None) if moved else Constraints()
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
    if c.rules and (doubtful or c.labels) and any(True for _ in breaches(tree, c.rules)):
        tree = _mended(parser, tree, c)
    broken = c.broken(tree) if moved or c.rules else []
    if broken:
        raise _located(
            ConstraintError(
                f"found no tree in which all constraints hold; this does not: {'; '.join(broken)}; leave it out"
            ),
            tree,
        )
    return tree


def _mended(parser: Parser, tree: Sentence, constraints: Constraints) -> Sentence:
    """The tree with other labels where they break a rule.

    Where nothing is said of heads but known ones, dependents of function words are moved up first.
    """
    marked = ENCODINGS.get(parser.header.non_projective)
    usable = [k for k, name in enumerate(parser._labels) if marked is None or _is_plain(marked.fullmatch(name), name)]
    names = [parser._labels[k] for k in usable]
    moved = {} if constraints.has_shape else moved_up(tree, constraints.heads)
    if moved:
        tree = tree.replace(heads=[moved.get(d, h) for d, h in enumerate(tree.heads, 1)])
    scores = parser._engine.label_scores(tree)[:, usable]
    tree = tree.replace(deprels=relabelled(tree, names, scores, [d for d in moved if d not in constraints.labels]))
    if not any(True for _ in breaches(tree)):
        return tree
    labels = mended(tree, names, scores, constraints.labels)
    return tree if labels is None else tree.replace(deprels=labels)


def _is_plain(match: object, name: str) -> bool:
    """A label without marks of lifted arcs."""
    return match is None or match[1] == name  # type: ignore[index]
