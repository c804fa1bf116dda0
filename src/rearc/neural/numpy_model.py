"""A trained network at work, in NumPy: once through for a batch of sentences, and compiled code does the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rearc.neural.decoder import NetworkDecoder
from rearc.neural.description import Description
from rearc.neural.lstm import LANES, BiLSTM, Floats
from rearc.neural.pair import PairDecoder
from rearc.neural.scorers import SHIFTS, TABLES, is_pair_system, shifts_of, starts_of, tables_of
from rearc.neural.stack import StackDecoder
from rearc.neural.vocabulary import Vocabulary, features_of, word_of
from rearc.systems import System
from rearc.treebank import Sentence

KEPT = 1 << 16  # forms whose vectors are kept from batch to batch
LONG = 1500  # words: a longer sentence has no tables, which would take 8 n² bytes and more
UNSEEN = -1e9


def product(rows: Floats, matrix: Floats, bias: Floats | None = None) -> Floats:
    """Rows times a matrix, in pieces of one shape: what a row comes to does not depend on how many there are."""
    count, width = rows.shape
    pieces = -(-count // LANES)
    if pieces * LANES != count:
        rows = np.concatenate([rows, np.zeros((pieces * LANES - count, width), dtype=np.float32)])
    result: Floats = np.matmul(rows.reshape(pieces, LANES, width), matrix).reshape(pieces * LANES, -1)[:count]
    if bias is not None:
        result += bias
    return result


def rectified(rows: Floats) -> Floats:
    return np.maximum(rows, 0, out=rows)


class Network:
    """A network with its weights. It serves any number of threads at a time."""

    def __init__(
        self,
        description: Description,
        vocabulary: Vocabulary,
        labels: Sequence[Sequence[bool]],
        system: System,
        weights: Mapping[str, Floats],
    ) -> None:
        """labels: for each whether it hangs on the root, and for each whether it hangs on words."""
        self.shape = shape = description.shape
        self.vocabulary = vocabulary
        self._t = weights
        self._across = {name: np.ascontiguousarray(weights[name].T) for name in description.linear()}
        self._spelling = BiLSTM.from_tensors(self._below("spelling."), 1) if shape.spelling else None
        self._tagger = BiLSTM.from_tensors(self._below("tagger."), len(shape.tagger)) if shape.tagger else None
        self._layers = BiLSTM.from_tensors(self._below("layers."), len(shape.layers))
        self._pairs = is_pair_system(system.name)
        self._tables, self._shifts = tables_of(system.name), shifts_of(system.name)
        self.decoder: NetworkDecoder = (
            PairDecoder(system)
            if self._pairs
            else StackDecoder(
                system, shape.slots, weights["rows.bias"], self._across["output.weight"], weights["output.bias"]
            )
        )
        self._mask = np.where(np.array(labels, dtype=bool), 0, UNSEEN).astype(np.float32)
        self._form_vectors: dict[str, Floats] = {}
        self._feats_vectors: dict[str, Floats] = {}
        self._tags = [list(names) for names in (vocabulary.upos, vocabulary.feats)]

    @property
    def has_tagger(self) -> bool:
        return self._tagger is not None

    def _below(self, prefix: str) -> dict[str, Floats]:
        return {name.removeprefix(prefix): array for name, array in self._t.items() if name.startswith(prefix)}

    def parse(self, batch: Sequence[Sentence]) -> tuple[NDArray[np.intc], NDArray[np.int64], dict[str, list[str]]]:
        """Heads, labels and, by their columns, the tags that the network predicts, over all words of the batch."""
        sizes = np.array([len(s) for s in batch], dtype=np.intc)
        if not sizes.sum():
            return np.zeros(0, dtype=np.intc), np.zeros(0, dtype=np.int64), {}
        inputs, tags = self._inputs(batch, sizes)
        vectors, _ = self._layers.run(inputs, sizes.tolist())
        rows, starts = self._with_root(vectors, sizes)
        heads = self.decoder.parse(*(self._pair_sheets if self._pairs else self._stack_sheets)(rows, sizes, starts))
        return heads, self._label(rows, sizes, starts, heads), tags

    def tag(self, batch: Sequence[Sentence]) -> dict[str, list[str]]:
        """The tags alone, of a network that predicts some."""
        sizes = np.array([len(s) for s in batch], dtype=np.intc)
        return self._inputs(batch, sizes)[1] if sizes.sum() else {}

    # ---- what goes in

    def _inputs(self, batch: Sequence[Sentence], sizes: NDArray[np.intc]) -> tuple[Floats, dict[str, list[str]]]:
        """What the parser's BiLSTM sees, and the tags that were predicted for it."""
        inputs = self._forms([form for s in batch for form in s.forms])
        if self._tagger is None:
            return self._given_tags(batch, inputs), {}
        hidden, _ = self._tagger.run(inputs, sizes.tolist())
        return self._tag(inputs, hidden)

    def _forms(self, forms: list[str]) -> Floats:
        """The vectors of the words: what is known of each, and how it is spelt."""
        known = self._form_vectors
        new = [form for form in dict.fromkeys(forms) if form not in known]
        if len(known) + len(new) > KEPT:
            known = self._form_vectors = {}
            new = list(dict.fromkeys(forms))
        found = dict(zip(new, self._new_forms(new), strict=True)) if new else {}
        known.update(found)
        # by way of numbers: one gather is faster than a stack of a thousand arrays
        numbers = {form: k for k, form in enumerate(dict.fromkeys(forms))}
        table = np.stack([known[form] for form in numbers])
        return table[[numbers[form] for form in forms]]

    def _new_forms(self, forms: list[str]) -> Floats:
        v, words = self.vocabulary, [word_of(form) for form in forms]
        parts = [self._t["words.weight"][[v.words.get(word, 0) for word in words]]]
        if v.vectors:
            parts.append(self._t["vectors.weight"][[v.vectors.get(word, 0) for word in words]])
        if self._spelling:
            characters = [v.characters.get(character, 0) for form in forms for character in form]
            parts.append(self._spelling.ends(self._t["characters.weight"][characters], [len(form) for form in forms]))
        return np.concatenate(parts, axis=1)

    def _given_tags(self, batch: Sequence[Sentence], inputs: Floats) -> Floats:
        parts = [inputs]
        if self.shape.upos:
            numbers = [self.vocabulary.upos.get(tag, 0) for s in batch for tag in s.upos]
            parts.append(self._t["upos.weight"][numbers])
        if self.shape.feats:
            table = [feats for s in batch for feats in s.feats]
            numbers_of = {feats: k for k, feats in enumerate(dict.fromkeys(table))}
            sums = np.stack([self._features(feats) for feats in numbers_of])
            parts.append(sums[[numbers_of[feats] for feats in table]])
        return np.concatenate(parts, axis=1)

    def _features(self, feats: str) -> Floats:
        """The sum of the vectors of the features."""
        found = self._feats_vectors.get(feats)
        if found is None:
            numbers = [self.vocabulary.feats.get(part, 0) for part in features_of(feats)]
            found = self._t["feats.weight"][numbers].sum(axis=0, dtype=np.float32)
            if len(self._feats_vectors) < KEPT:
                self._feats_vectors[feats] = found
        return found

    def _tag(self, inputs: Floats, hidden: Floats) -> tuple[Floats, dict[str, list[str]]]:
        """The inputs with the vectors of the tags to expect, and the likeliest tags."""
        between = rectified(product(hidden, self._across["tag_hidden.weight"], self._t["tag_hidden.bias"]))
        parts = [inputs]
        tags: dict[str, list[str]] = {}
        for column, names in zip(("upos", "feats"), self._tags, strict=True):
            if f"tag_{column}.weight" not in self._t:
                continue
            scores = product(between, self._across[f"tag_{column}.weight"], self._t[f"tag_{column}.bias"])
            tags[column] = [names[k] for k in scores.argmax(axis=1).tolist()]
            np.exp(scores - scores.max(axis=1, keepdims=True), out=scores)
            scores /= scores.sum(axis=1, keepdims=True)
            parts.append(product(scores, self._t[f"{column}.weight"][1:]))
        if self.shape.stacked:
            parts.append(hidden)
        return np.concatenate(parts, axis=1), tags

    # ---- what comes out

    def _with_root(self, vectors: Floats, sizes: NDArray[np.intc]) -> tuple[Floats, NDArray[np.int64]]:
        """A sentence's rows: the root, its words, and for the stack scorer no word at all; where each begins."""
        more = 1 if self._pairs else 2
        starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes + more, dtype=np.int64)])
        rows = np.empty((starts[-1], vectors.shape[1]), dtype=np.float32)
        rows[starts[:-1]] = self._t["root"]
        if not self._pairs:
            rows[starts[1:] - 1] = self._t["none"]
        rows[_places(sizes, starts)] = vectors
        return rows, starts[:-1]

    def _pair_sheets(
        self, rows: Floats, sizes: NDArray[np.intc], starts: NDArray[np.int64]
    ) -> tuple[Floats, NDArray[np.intc], NDArray[np.int64], NDArray[np.intc]]:
        """The scores of all pairs of each sentence."""
        head = rectified(product(rows, self._across["head.weight"], self._t["head.bias"]))
        dependent = rectified(product(rows, self._across["dependent.weight"], self._t["dependent.bias"]))
        right = _with_one(dependent)
        shifts = [product(right, self._t[name][:, None])[:, 0] for name in self._shifts]
        lefts = [product(_with_one(head), self._t[name]) for name in self._tables]
        width = right.shape[1]
        areas = np.where(sizes > LONG, 2 * (sizes + 1) * width, (sizes + 1).astype(np.int64) ** 2)
        ends = len(shifts) * len(rows) + np.cumsum(len(lefts) * areas)
        first = ends - len(lefts) * areas
        values = np.empty(ends[-1], dtype=np.float32)
        values[: len(shifts) * len(rows)] = np.concatenate(shifts)  # they come first, for all sentences
        for n, start, at, area in zip(*(a.tolist() for a in (sizes, starts, first, areas)), strict=True):
            for k, left in enumerate(lefts):
                a, b = left[start : start + n + 1], right[start : start + n + 1]
                table = values[at + k * area : at + (k + 1) * area]
                if n > LONG:
                    table[:] = np.concatenate([a, b]).reshape(-1)
                else:
                    np.matmul(a, b.T, out=table.reshape(n + 1, n + 1))
        sheets = np.empty((len(sizes), len(TABLES) + len(SHIFTS)), dtype=np.int64)
        sheets[:, : len(TABLES)] = first[:, None] + np.outer(areas, starts_of(TABLES, self._tables))
        sheets[:, len(TABLES) :] = starts[:, None] + np.multiply(len(rows), starts_of(SHIFTS, self._shifts))
        strides = np.where(sizes > LONG, -width, sizes + 1).astype(np.intc)
        return values, sizes, sheets, strides

    def _stack_sheets(
        self, rows: Floats, sizes: NDArray[np.intc], starts: NDArray[np.int64]
    ) -> tuple[Floats, NDArray[np.intc], NDArray[np.int64], NDArray[np.intc]]:
        """What each word adds to the hidden layer in each slot."""
        values = product(rows, self._across["rows.weight"]).reshape(-1)
        sheets = np.zeros((len(sizes), len(TABLES) + len(SHIFTS)), dtype=np.int64)
        sheets[:, 0] = starts
        return values, sizes, sheets, np.zeros(len(sizes), dtype=np.intc)

    def _label(
        self, rows: Floats, sizes: NDArray[np.intc], starts: NDArray[np.int64], heads: NDArray[np.intc]
    ) -> NDArray[np.int64]:
        words = _places(sizes, np.append(starts, 0))
        of_head = product(rows, self._across["label_head.weight"], self._t["label_head.bias"])
        of_dependent = product(rows, self._across["label_dependent.weight"])
        hidden = rectified(of_head[np.repeat(starts, sizes) + heads] + of_dependent[words])
        scores = product(hidden, self._across["label_output.weight"], self._t["label_output.bias"])
        scores += self._mask[(heads != 0).astype(np.intp)]
        best: NDArray[np.int64] = scores.argmax(axis=1)
        return best


def _with_one(rows: Floats) -> Floats:
    return np.concatenate([rows, np.ones((len(rows), 1), dtype=np.float32)], axis=1)


def _places(sizes: NDArray[np.intc], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of the words of all sentences."""
    total = int(sizes.sum())
    before = np.cumsum(sizes) - sizes
    places: NDArray[np.int64] = np.arange(total) + np.repeat(starts[:-1] + 1 - before, sizes)
    return places
