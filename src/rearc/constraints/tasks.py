"""What a parse has to comply with: known heads and labels, forbidden arcs, a root, subtrees, leaves, rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from operator import index
from typing import TYPE_CHECKING

from rearc.constraints.guard import Guard
from rearc.constraints.limits import Limits
from rearc.errors import RearcError
from rearc.oracles.table import is_exact
from rearc.treebank.partial import without_clashes
from rearc.treebank.rules import LEAVES, base, breaches, check_rules, one_of, takes

if TYPE_CHECKING:
    from rearc.systems import System
    from rearc.treebank import Sentence

MOST_CHOICES = 5000  # of a root and of the top words of spans, where no projective tree complies
LONGEST = 1200  # words, where more than heads is asked for: a tree that complies is looked for in cubic time
MOST_SHARED = 12  # pairs of words that share a head and must not, one after another


class ConstraintError(RearcError):
    """Constraints that cannot hold: alone, together, or in trees of this parser."""


@dataclass(frozen=True)
class Constraints:
    """What a tree has to comply with; words are numbered from 1, and 0 is the root.

    heads: the head of a word; labels: its label; forbidden: arcs (head, word) that must not be; root: the one word
    that hangs on the root; spans: (first, last) words that together are a subtree; leaves: words without dependents;
    rules: "ud", the rules of Universal Dependencies (docs/constraints.md).

    >>> import rearc
    >>> parser = rearc.load("en")
    >>> parser.parse(["I", "saw", "Jack"], constraints=Constraints(heads={1: 3}, leaves=[2])).heads
    [3, 3, 0]
    """

    heads: Mapping[int, int] = field(default_factory=dict)
    labels: Mapping[int, str] = field(default_factory=dict)
    forbidden: Iterable[tuple[int, int]] = ()
    root: int | None = None
    spans: Iterable[tuple[int, int]] = ()
    leaves: Iterable[int] = ()
    rules: str | None = None

    def __post_init__(self) -> None:
        """Numbers are numbers; what a sentence has to say to it is checked with the sentence."""
        try:
            numbers = {
                "heads": {index(d): index(h) for d, h in dict(self.heads).items()},
                "labels": {index(d): label for d, label in dict(self.labels).items()},
                "forbidden": tuple((index(h), index(d)) for h, d in self.forbidden),
                "spans": tuple((index(a), index(b)) for a, b in self.spans),
                "leaves": tuple(index(w) for w in self.leaves),
                "root": None if self.root is None else index(self.root),
            }
        except (TypeError, ValueError) as error:
            raise ConstraintError(
                f"found constraints that are no numbers of words ({error}), expected such as heads={{3: 1}}, "
                "labels={3: 'obj'}, forbidden=[(2, 4)], root=2, spans=[(3, 5)], leaves=[4]"
            ) from None
        for d, label in dict(self.labels).items():
            if not isinstance(label, str) or not label or any(c in label for c in "\t\n\r\0"):
                raise ConstraintError(
                    f"found the label {label!r} of word {d}, expected a string that a column can hold"
                )
        for name, value in numbers.items():
            object.__setattr__(self, name, value)
        if self.rules is not None:
            check_rules(self.rules)

    @classmethod
    def of(cls, sentence: Sentence, rules: str | None = None) -> Constraints:
        """The heads and labels that a sentence has; `_` is free.

        >>> from rearc import Sentence
        >>> Constraints.of(Sentence(["I", "saw", "Jack"], heads=[2, -1, -1], deprels=["nsubj", "_", "_"]))
        Constraints(heads={1: 2}, labels={1: 'nsubj'}, forbidden=(), root=None, spans=(), leaves=(), rules=None)
        """
        if rules is not None:
            check_rules(rules)
        made = object.__new__(cls)  # a sentence has been checked
        column = sentence._column("deprels") or ()
        known = {
            "heads": {d: h for d, h in enumerate(sentence.heads, 1) if h >= 0},
            "labels": {d: label for d, label in enumerate(column, 1) if label != "_"},
            "rules": rules,
        }
        for name, value in ({"forbidden": (), "root": None, "spans": (), "leaves": ()} | known).items():
            object.__setattr__(made, name, value)
        return made

    @property
    def is_empty(self) -> bool:
        """Whether every tree complies."""
        return not (self.heads or self.labels or self.rules or self.has_shape)

    @property
    def has_shape(self) -> bool:
        """Whether there is something of the heads that is more than known heads."""
        return bool(self.forbidden or self.spans or self.leaves or self.root is not None)

    def broken(self, sentence: Sentence) -> list[str]:
        """What does not hold in a tree."""
        heads, labels = [0, *sentence.heads], ["", *sentence.deprels]
        said = [f"the head of {d} is {h}" for d, h in self.heads.items() if heads[d] != h]
        said += [f"the label of {d} is {label}" for d, label in self.labels.items() if labels[d] != label]
        said += [f"no arc {h} → {d}" for h, d in self.forbidden if heads[d] == h]
        if self.root is not None and [d for d in range(1, len(heads)) if heads[d] == 0] != [self.root]:
            said.append(f"the root is {self.root}")
        for a, b in self.spans:
            inside = range(a, b + 1)
            tops = sum(heads[d] not in inside for d in inside)
            if tops != 1 or any(heads[d] in inside and d not in inside for d in range(1, len(heads))):
                said.append(f"{a} to {b} are a subtree")
        said += [f"{w} has no dependents" for w in self.leaves if w in heads[1:]]
        if self.rules and any(True for _ in breaches(sentence, self.rules)):
            said.append(f"the rules {self.rules}")
        return said


@dataclass(frozen=True)
class Item:
    """One constraint, and what it says of arcs."""

    text: str
    fixed: tuple[tuple[int, int], ...] = ()
    forbidden: tuple[tuple[int, int], ...] = ()
    leaves: tuple[int, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    labels: tuple[tuple[int, str], ...] = ()
    ud: bool = False


def items_of(constraints: Constraints, n: int, of_root: Collection[str], of_word: Collection[str]) -> list[Item]:
    """The constraints one by one, for a sentence of n words; the labels are as for `task_for`."""

    def checked(w: int, least: int, what: str) -> int:
        if not least <= w <= n:
            raise ConstraintError(f"found {what} {w}, expected a number from {least} to {n}, as there are words")
        return w

    items = []
    for d, h in constraints.heads.items():
        if checked(d, 1, "a head of the word") == checked(h, 0, "the head"):
            raise ConstraintError(f"found the word {d} as its own head, expected another word, or 0 for the root")
        items.append(Item(f"the head of {d} is {h}", fixed=((d, h),)))
    for d, label in constraints.labels.items():
        checked(d, 1, "a label of the word")
        free = d not in constraints.heads
        items.append(
            Item(
                f"the label of {d} is {label}",
                fixed=((d, 0),) if free and label in of_root else (),
                forbidden=((0, d),) if free and label in of_word else (),
                labels=((d, label),),
            )
        )
    for h, d in constraints.forbidden:
        pair = checked(h, 0, "a forbidden arc from"), checked(d, 1, "a forbidden arc to")
        items.append(Item(f"no arc {h} → {d}", forbidden=(pair,)))
    if constraints.root is not None:
        root = checked(constraints.root, 1, "the root")
        others = tuple((0, d) for d in range(1, n + 1) if d != root)
        items.append(Item(f"the root is {root}", fixed=((root, 0),), forbidden=others))
    for a, b in constraints.spans:
        checked(b, checked(a, 1, "a span from"), "a span to")
        items.append(Item(f"{a} to {b} are a subtree", spans=((a, b),)))
    items += [Item(f"{w} has no dependents", leaves=(checked(w, 1, "the leaf"),)) for w in constraints.leaves]
    if constraints.rules:
        items.append(Item(f"the rules {constraints.rules}", ud=True))
    return items


def limits_of(items: Sequence[Item], n: int, one_root: bool, more: Iterable[tuple[int, int]] = ()) -> Limits | None:
    """The limits of arcs that the items come to; None where they contradict each other at sight."""
    fixed: dict[int, int] = {}
    for d, h in (pair for item in items for pair in item.fixed):
        if fixed.setdefault(d, h) != h:
            return None
    labels: dict[int, str] = dict(pair for item in items for pair in item.labels)
    leaves = {w for item in items for w in item.leaves}
    forbidden = {*more, *(pair for item in items for pair in item.forbidden)}
    groups: dict[str, list[int]] = {}
    if any(item.ud for item in items):
        one_root = True
        for d, label in labels.items():
            what = one_of(label)
            if what:
                groups.setdefault(what, []).append(d)
            if (base(label) == "root") != (fixed.setdefault(d, 0) == 0 if base(label) == "root" else fixed.get(d) == 0):
                return None
            if base(label) != "root":
                forbidden.add((0, d))
            if base(label) in LEAVES:
                below = [w for w, h in fixed.items() if h == d]
                if any(w in labels and not takes(label, labels[w]) for w in below) or (
                    below and not LEAVES[base(label)]
                ):
                    return None
                forbidden |= {(d, w) for w in range(1, n + 1) if w not in below}
    if sum(h == 0 for h in fixed.values()) > 1 and one_root:
        return None
    spans = [pair for item in items for pair in item.spans]
    return Limits(n, fixed.items(), forbidden, leaves, spans, [g for g in groups.values() if len(g) > 1], one_root)


def witness(items: Sequence[Item], n: int, one_root: bool, derives_all: bool) -> list[int] | None:
    """A tree that complies, a projective one if there is one; None if there is none for the system."""
    if n > LONGEST:
        raise ConstraintError(
            f"found a sentence of {n:,} words, expected at most {LONGEST:,} where more than known heads is asked for; "
            "split it, or ask for heads alone"
        )

    def search(more: tuple[tuple[int, int], ...]) -> list[int] | None:
        limits = limits_of(items, n, one_root, more)
        if limits is None:
            return None
        for tree in _trees(limits, items, derives_all):
            if limits.complies(tree):
                return tree
            shared = _shared(tree, items)
            if shared is not None and len(more) < MOST_SHARED:
                found = search((*more, shared[0])) or search((*more, shared[1]))
                if found:
                    return found
        return None

    return search(())


def _trees(limits: Limits, items: Sequence[Item], derives_all: bool) -> Iterator[list[int]]:
    projective = limits.tree(True)
    if projective is not None:
        yield projective
    if not derives_all:
        return
    spans = [pair for item in items for pair in item.spans]
    roots = range(1, limits.n + 1) if limits.one_root else (0,)
    tops = product(*(range(a, b + 1) for a, b in spans))
    for root, chosen in islice(product(roots, tops), MOST_CHOICES):
        tree = limits.tree(False, root, chosen)
        if tree is not None:
            yield tree


def _shared(tree: Sequence[int], items: Sequence[Item]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Two arcs from one head to words that, by their labels, must not share it."""
    seen: dict[tuple[int, str], int] = {}
    for d, label in (pair for item in items for pair in item.labels):
        what = one_of(label)
        if what:
            other = seen.setdefault((tree[d], what), d)
            if other != d:
                return (tree[d], d), (tree[d], other)
    return None


def clash_of(items: Sequence[Item], n: int, one_root: bool, derives_all: bool) -> list[Item]:
    """Items that cannot hold together, none of which can be left out."""
    needed = list(items)
    for item in items:
        without = [other for other in needed if other is not item]
        if witness(without, n, one_root, derives_all) is None:
            needed = without
    return needed


@dataclass(frozen=True)
class Task:
    """The constraints of one sentence, ready for a parser."""

    constraints: Constraints
    guard: Guard | None  # None where the heads are free
    lifted: tuple[tuple[int, int], ...] = ()  # (word, head): to be put back when the tree is there
    tree: tuple[int, ...] | None = None  # that complies, if some are lifted


def task_for(
    constraints: Constraints, n: int, system: System, of_root: Collection[str] = (), of_word: Collection[str] = ()
) -> Task:
    """Ready to parse a sentence of n words; ConstraintError says which constraints cannot hold.

    of_root, of_word: labels of the model that are for roots alone, and for other words alone.
    """
    traits = system.traits
    one_root = bool(system.single_root or traits.one_root)
    items = items_of(constraints, n, of_root, of_word)
    if not any(item.fixed or item.forbidden or item.leaves or item.spans or item.ud for item in items):
        return Task(constraints, None)
    free, lifted = (items, ()) if traits.derives_all else _without_crossing(items)
    if not free:
        return Task(constraints, None, lifted)
    limits = limits_of(free, n, one_root)
    if limits is not None and is_exact(system.name) and all(map(_is_head, free)):
        try:
            return Task(constraints, Guard(system, limits), lifted)  # the costs alone say what can hold
        except ValueError:
            raise _clash(items, n, one_root) from None
    tree = witness(free, n, one_root, traits.derives_all)
    whole = None
    if tree is None or lifted:  # are there trees that the system does not derive?
        whole = witness(items, n, one_root, True)
        if whole is None:
            raise _clash(items, n, one_root)
    while tree is None:
        last = next((item for item in reversed(clash_of(free, n, one_root, False)) if _is_head(item)), None)
        if last is None:  # nothing to lift: the tree that complies is taken if the parser's own does not
            return Task(constraints, None, (), tuple(whole) if whole else None)
        free = [item for item in free if item is not last]
        lifted = (*lifted, last.fixed[0])
        tree = witness(free, n, one_root, False)
    limits = limits_of(free, n, one_root)
    assert limits is not None
    return Task(constraints, Guard(system, limits, tree), lifted, tuple(whole) if whole else None)


def _clash(items: Sequence[Item], n: int, one_root: bool) -> ConstraintError:
    clash = clash_of(items, n, one_root, True)
    said = "; ".join(item.text for item in clash)
    return ConstraintError(
        f"found constraints that cannot hold{' together' if len(clash) > 1 else ''}: {said}; "
        f"expected some that hold in trees{' with one root' if one_root else ''} of {n} words; leave one of them out"
    )


def _is_head(item: Item) -> bool:
    """A known head and nothing else."""
    return bool(item.fixed and not item.forbidden and not item.labels)


def _without_crossing(items: list[Item]) -> tuple[list[Item], tuple[tuple[int, int], ...]]:
    """Without known heads that no projective tree has, given the others."""
    fixed = dict(item.fixed[0] for item in items if _is_head(item))
    left = without_clashes(fixed)
    lifted = tuple((d, h) for d, h in fixed.items() if d not in left)
    return [item for item in items if not _is_head(item) or item.fixed[0] not in lifted], lifted


def put_back(heads: list[int], lifted: Iterable[tuple[int, int]], known: Mapping[int, int]) -> None:
    """Give lifted words their known heads, in place: heads is [0, h(1), …, h(n)].

    Where the known head is below the word, a word on the way between them whose head is free takes the place of the
    lifted one. There is one, as known heads alone form no cycle.
    """
    settled = dict(known)
    for d, _ in lifted:
        settled.pop(d, None)
    for d, h in lifted:
        w, free = h, 0
        while w and w != d:
            if w not in settled:
                free = w
            w = heads[w]
        if w == d and free:
            heads[free] = heads[d]
        heads[d] = settled[d] = h
