"""Trees for tests and experiments: all of them, or random ones.

Trees are lists of heads with the root's slot first, ``[0, h(1), …, h(n)]``.

>>> list(all_trees(2))
[[0, 0, 0], [0, 0, 1], [0, 2, 0]]
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rearc.treebank.sentence import Sentence
from rearc.treebank.trees import is_projective

FORMS = ["the", "old", "dog", "that", "we", "saw", "sleeps", "here", "now", ",", "does", "it", "not", "?"]
UPOS = ["ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "VERB"]
LABELS = ["nsubj", "obj", "obl", "nmod", "amod", "advmod", "det", "case", "acl:relcl", "conj", "cc", "punct"]


def all_trees(n: int, single_root: bool = False, projective: bool | None = None) -> Iterator[list[int]]:
    """Every tree of n words, in the order of their heads.

    single_root: only those with exactly one root word. projective: True for the projective ones only, False
    for the others only, None for both. There are (n+1)^(n-1) trees, of which n^(n-1) have one root.

    >>> sum(1 for tree in all_trees(4)), sum(1 for tree in all_trees(4, single_root=True, projective=True))
    (125, 30)
    """
    if n < 0:
        raise ValueError(f"found {n} words, expected at least 0")
    heads = [0] * (n + 1)
    for tree in _complete(heads, 1, single_root, non_crossing=bool(projective)):
        if projective is None or is_projective(tree) == projective:
            yield tree


def _complete(heads: list[int], d: int, single_root: bool, non_crossing: bool) -> Iterator[list[int]]:
    """The trees that begin with heads[:d]; non_crossing: without crossing arcs, the root's included."""
    if d == len(heads):
        if not single_root or heads.count(0) == 2 or len(heads) == 1:  # slot 0 and one word
            yield heads.copy()
        return
    for h in range(len(heads)):
        if h == 0 and single_root and 0 in heads[1:d]:
            continue
        if _closes_cycle(heads, d, h) or (non_crossing and _crosses(heads, d, h)):
            continue
        heads[d] = h
        yield from _complete(heads, d + 1, single_root, non_crossing)


def _closes_cycle(heads: list[int], d: int, h: int) -> bool:
    """Whether h is d or hangs on it by the heads of the words before d."""
    while 0 < h < d:
        h = heads[h]
    return h == d


def _crosses(heads: list[int], d: int, h: int) -> bool:
    low, high = min(d, h), max(d, h)
    for other in range(1, d):
        start, end = min(other, heads[other]), max(other, heads[other])
        if low < start < high < end or start < low < end < high:
            return True
    return False


def random_tree(n: int, rng: np.random.Generator, single_root: bool = False, projective: bool = False) -> list[int]:
    """A tree of n words, every one of the kind asked for being equally likely. O(n).

    single_root: with exactly one root word. projective: projective ones only.

    >>> is_projective(random_tree(50, np.random.default_rng(1), projective=True))
    True
    """
    if n < 0:
        raise ValueError(f"found {n} words, expected at least 0")
    if n == 0:
        return [0]
    if projective:
        return _random_projective_tree(n, rng, single_root)
    if not single_root:
        return _hang(_random_edges(n + 1, rng), n, 0)
    root = int(rng.integers(1, n + 1))
    heads = _hang([(a + 1, b + 1) for a, b in _random_edges(n, rng)], n, root)
    heads[root] = 0
    return heads


def random_sentence(n: int, rng: np.random.Generator, single_root: bool = False, projective: bool = False) -> Sentence:
    """A sentence of n random words, tags and labels over a random tree; only root words are labelled root.

    >>> sentence = random_sentence(5, np.random.default_rng(1), single_root=True)
    >>> len(sentence), sentence.deprels.count("root")
    (5, 1)
    """
    heads = random_tree(n, rng, single_root, projective)[1:]
    forms, upos, labels = (rng.choice(values, n).tolist() for values in (FORMS, UPOS, LABELS))
    deprels = [label if head else "root" for head, label in zip(heads, labels, strict=True)]
    return Sentence(forms, upos=upos, heads=heads, deprels=deprels)


def _random_edges(size: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    """The edges of a labelled tree with nodes 0…size-1, uniform: a random Prüfer sequence, decoded."""
    sequence = rng.integers(0, size, max(size - 2, 0)).tolist()
    degree = (np.bincount(sequence, minlength=size) + 1).tolist() if size > 1 else [0]
    edges = []
    pointer = leaf = degree.index(1) if size > 1 else 0
    for node in sequence:
        edges.append((leaf, node))
        degree[node] -= 1
        if degree[node] == 1 and node < pointer:
            leaf = node
        else:
            pointer += 1
            while degree[pointer] != 1:
                pointer += 1
            leaf = pointer
    if size > 1:
        edges.append((leaf, size - 1))
    return edges


def _hang(edges: list[tuple[int, int]], n: int, top: int) -> list[int]:
    """The heads that the edges give to the nodes 0…n when the tree hangs on top."""
    neighbours: list[list[int]] = [[] for _ in range(n + 1)]
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    heads = [0] * (n + 1)
    waiting = [top]
    while waiting:
        node = waiting.pop()
        for other in neighbours[node]:
            if other != heads[node] or node == top:
                heads[other] = node
                waiting.append(other)
    return heads


def _random_projective_tree(n: int, rng: np.random.Generator, single_root: bool) -> list[int]:
    """Uniform, by the ternary trees that projective trees correspond to.

    A row of sister subtrees is empty, or a word with its row of left dependents, its row of right dependents
    and the row of its further sisters: a ternary tree with a node for each word. The words below the
    artificial root are one row; below a single root word there are two. A shuffled sequence of nodes (1) and
    empty rows (0) becomes such rows, written in preorder, by turning it around at the right place (the cycle
    lemma).
    """
    rows = 2 if single_root else 1
    nodes = n - 1 if single_root else n
    sequence = np.zeros(3 * nodes + rows, dtype=np.int64)
    sequence[:nodes] = 1
    rng.shuffle(sequence)
    sequence = np.roll(sequence, -_turn(sequence, rows, rng))

    # Nodes are named in the order they are met; they get their place when their left rows are done.
    head_of = [0]
    place = [0] * (n + 1)
    placed = 0
    waiting = [(False, 0)]  # (True, node): place it; (False, head): read a row that hangs on head
    if single_root:
        head_of.append(0)
        waiting = [(False, 1), (True, 1), (False, 1)]
    symbols = iter(sequence.tolist())
    while waiting:
        is_node, node = waiting.pop()
        if is_node:
            placed += 1
            place[node] = placed
        elif next(symbols):
            new = len(head_of)
            head_of.append(node)
            waiting += [(False, node), (False, new), (True, new), (False, new)]
    heads = [0] * (n + 1)
    for node in range(1, n + 1):
        heads[place[node]] = place[head_of[node]]
    return heads


def _turn(sequence: NDArray[np.int64], rows: int, rng: np.random.Generator) -> int:
    """Where the sequence must begin to be that number of whole rows; one such place at random."""
    # A node opens two rows more than it closes, an empty row closes one. All rows are closed for the first
    # time at the very end if the sequence begins just after a prefix sum first falls to one of the lowest
    # levels.
    sums = np.cumsum(np.where(sequence == 1, 2, -1))
    level = sums.min() + int(rng.integers(rows))
    return int(np.argmax(sums == level)) + 1
