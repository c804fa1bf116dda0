"""A trained network at work, in NumPy: once through for a batch of sentences, and compiled code does the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rearc.neural.beam import NetworkBeam
from rearc.neural.decoder import NetworkDecoder
from rearc.neural.description import Description, Transformer
from rearc.neural.lstm import BiLSTM, Floats, Repeated
from rearc.neural.pair import PairDecoder
from rearc.neural.pretrained import Pretrained
from rearc.neural.product import Packed, product, softmax
from rearc.neural.repair import repaired
from rearc.neural.scorers import SHIFTS, TABLES, is_pair_system, shifts_of, starts_of, tables_of
from rearc.neural.stack import StackDecoder
from rearc.neural.subwords import Subwords
from rearc.neural.vocabulary import Vocabulary, affixes_of, features_of, word_of
from rearc.neural.votes import Count, Votes, leads
from rearc.search.forest import Forest
from rearc.systems import State, System
from rearc.systems import system as make_system
from rearc.systems.second_pass import LONGEST, SYSTEM
from rearc.tagger.rules import compile_rule
from rearc.treebank import Sentence

if TYPE_CHECKING:
    from rearc.constraints.guard import Guard

KEPT = 1 << 16  # forms whose vectors are kept from batch to batch
BLOCK = 512  # words that are tagged at once: the scores of their tags stay in the cache
LONG = 1500  # words: a longer sentence has no tables, which would take 8 n² bytes and more
UNSEEN = -1e9


class Network:
    """A network with its weights. It serves any number of threads at a time."""

    def __init__(
        self,
        description: Description,
        vocabulary: Vocabulary,
        labels: Sequence[Sequence[bool]],
        system: System,
        weights: Mapping[str, Floats],
        subwords: Subwords | None = None,
    ) -> None:
        """labels: for each whether it hangs on the root, and for each whether it hangs on words; subwords: of a
        pretrained encoder."""
        self.shape = shape = description.shape
        self.vocabulary = vocabulary
        self._t = weights
        self._linear = {
            name: Packed(weights[f"{name}.weight"].T, weights.get(f"{name}.bias")) for name in description.linear()
        }
        for name, part in description.classes().items():
            rows = weights[f"{name}.weight"].copy()
            of = np.repeat(np.arange(len(rows)), [len(parts) for parts in part.parts])
            np.add.at(rows, of, weights[f"{name}.parts"][[*chain.from_iterable(part.parts)]])
            self._linear[name] = Packed(rows.T, weights[f"{name}.bias"])
        self._expected = {  # to a mean vector, from how likely each tag is
            column: Packed(weights[f"{column}.weight"][1:]) for column in shape.columns if f"{column}.weight" in weights
        }
        self._spelling = BiLSTM.from_tensors(self._below("spelling."), 1) if shape.spelling else None
        self._tagger: BiLSTM | None = None
        self._stacked = shape.stacked and bool(shape.tagger)
        of_tags = shape.upos + shape.xpos + shape.feats
        beside = (
            shape.encoder + of_tags if shape.encoder or shape.columns else 0
        )  # what differs where forms are the same
        if shape.tagger:
            self._tagger = BiLSTM.from_tensors(self._below("tagger."), len(shape.tagger), shape.encoder)
            if self._stacked:
                hidden = 2 * shape.tagger[-1]
                beside += hidden
                matrix, of_forms = weights["tag_hidden.weight"].T, len(weights["tag_hidden.weight"].T) - shape.encoder
                self._tag_table = Packed(matrix[hidden:of_forms], weights["tag_hidden.bias"])
                self._tag_more = Packed(np.concatenate([matrix[of_forms:], matrix[:hidden]]))
        self._layers = BiLSTM.from_tensors(self._below("layers."), len(shape.layers), beside)
        self._encoder: Pretrained | None = None
        transformer = description.encoder.get("encoder")
        if isinstance(transformer, Transformer) and subwords is not None:
            self._encoder = Pretrained(transformer.shape, subwords, self._below("encoder."))
            self._t = {name: array for name, array in weights.items() if not name.startswith("encoder.")}
        self._pairs = is_pair_system(system.name)
        self._tables, self._shifts = tables_of(system.name), shifts_of(system.name)
        self.decoder: NetworkDecoder
        if self._pairs:
            self.decoder = PairDecoder(system)
            # a vector of a head has a 1 behind it, and so the last row of a table is a bias
            self._left = [Packed(weights[name][:-1], weights[name][-1]) for name in self._tables]
            self._shift = Packed(np.stack([weights[name] for name in self._shifts], axis=1))
        else:
            output = np.ascontiguousarray(weights["output.weight"].T)
            self.decoder = StackDecoder(system, shape.slots, weights["rows.bias"], output, weights["output.bias"])
            self._rows = Packed(weights["rows.weight"].T)
        if shape.repair:
            self._repairs = make_system(SYSTEM, single_root=system.single_root)
            self._repair_left = Packed(weights["repair_pairs"][:-1], weights["repair_pairs"][-1])
        self._mask = np.where(np.array(labels, dtype=bool), 0, UNSEEN).astype(np.float32)
        self._form_vectors: dict[str, Floats] = {}
        self._feats_vectors: dict[str, Floats] = {}
        self.vote_with(None)

    def vote_with(self, votes: Votes | None) -> None:
        """Let a second tagger have its say in the tags, or none."""
        own = {column: list(self.vocabulary.column(column)) for column in self.shape.columns}
        self._votes = votes
        self._counts = (
            {column: Count(own[column], votes.tagger.classes(column)) for column in votes.weights} if votes else {}
        )
        self._tags = own | {column: count.names for column, count in self._counts.items()}
        self._rules = [compile_rule(rule) for rule in self._tags.get("lemmas", ())]

    scale = unit = 1.0  # its scores are logarithms of probabilities, but for a number that all of a configuration share

    @property
    def has_tagger(self) -> bool:
        return bool(self.shape.columns)

    @property
    def has_second_pass(self) -> bool:
        return bool(self.shape.repair)

    def _below(self, prefix: str) -> dict[str, Floats]:
        return {name.removeprefix(prefix): array for name, array in self._t.items() if name.startswith(prefix)}

    @property
    def system(self) -> System:
        return self.decoder.system

    def parse(
        self, batch: Sequence[Sentence], guard: Guard | None = None, known: NDArray[np.intc] | None = None
    ) -> tuple[NDArray[np.intc], NDArray[np.int64], dict[str, list[str]]]:
        """Heads, labels and, by their columns, the tags that the network predicts, over all words of the batch."""
        sizes = np.array([len(s) for s in batch], dtype=np.intc)
        if not sizes.sum():
            return np.zeros(0, dtype=np.intc), np.zeros(0, dtype=np.int64), {}
        rows, starts, tags = self._vectors(batch, sizes)
        heads = self.decoder.parse(*self._sheets(rows, sizes, starts), guard=guard, known=known)
        if self.has_second_pass and guard is None:
            heads = self._repaired(rows, sizes, starts, heads)
        return heads, self._label(rows, sizes, starts, heads).argmax(axis=1), tags

    def label_scores(self, sentence: Sentence) -> Floats:
        """Of each word of a tree, the score of each label."""
        sizes = np.array([len(sentence)], dtype=np.intc)
        rows, starts, _ = self._vectors([sentence], sizes)
        return self._label(rows, sizes, starts, sentence.tree[1:])

    def open(self, sentence: Sentence) -> NetworkScored:
        """The scores of one sentence, to go through it step by step."""
        return NetworkScored(self, sentence)

    def search(
        self,
        batch: Sequence[Sentence],
        beams: Sequence[tuple[int, int]],
        scale: float,
        guard: Guard | None = None,
        known: NDArray[np.intc] | None = None,
    ) -> tuple[list[Forest], dict[str, list[str]], dict[str, Floats]]:
        """For each beam, which is its size and the most trees to find, the best trees of each sentence; the tags
        that the network predicts; and by how much each scored above all others."""
        sizes = np.array([len(s) for s in batch], dtype=np.intc)
        if not sizes.sum():
            nothing = np.zeros(0, dtype=np.intc)
            empty = Forest(np.zeros_like(sizes), np.zeros(0), nothing, nothing, np.zeros((0, 3), dtype=np.float32))
            return [empty] * len(beams), {}, {}
        margins_of_tags: dict[str, Floats] = {}
        rows, starts, tags = self._vectors(batch, sizes, margins_of_tags)
        sheets = self._sheets(rows, sizes, starts)
        found = []
        for size, most in beams:
            beam = NetworkBeam(self.decoder, size, scale)
            counts, scores, heads, _, margins = beam.parse(*sheets, most, guard, known)
            if self.has_second_pass and guard is None and most == 1:
                heads = self._repaired(rows, sizes, starts, heads)
            of_labels = self._label(rows, np.repeat(sizes, counts), np.repeat(starts, counts), heads)
            if of_labels.shape[1] > 1:
                margins[:, 1] = leads(of_labels)
            found.append(Forest(counts, scores, heads, of_labels.argmax(axis=1), margins))
        return found, tags, margins_of_tags

    def _vectors(
        self, batch: Sequence[Sentence], sizes: NDArray[np.intc], margins: dict[str, Floats] | None = None
    ) -> tuple[Floats, NDArray[np.int64], dict[str, list[str]]]:
        """What the scorers see of each sentence, where it begins, and the tags that were predicted on the way.

        margins: filled with how much each tag scored above all others.
        """
        inputs, tags = self._inputs(batch, sizes, margins)
        vectors = self._layers.run(inputs, sizes.tolist())[0] if self.shape.layers else inputs.whole()
        return *self._with_root(vectors, sizes), tags

    def _sheets(
        self, rows: Floats, sizes: NDArray[np.intc], starts: NDArray[np.int64]
    ) -> tuple[Floats, NDArray[np.intc], NDArray[np.int64], NDArray[np.intc]]:
        return (self._pair_sheets if self._pairs else self._stack_sheets)(rows, sizes, starts)

    def tag(self, batch: Sequence[Sentence], margins: dict[str, Floats] | None = None) -> dict[str, list[str]]:
        """The tags alone, of a network that predicts some.

        margins: filled with how much each tag scored above all others.
        """
        sizes = np.array([len(s) for s in batch], dtype=np.intc)
        return self._inputs(batch, sizes, margins)[1] if sizes.sum() else {}

    # ---- what goes in

    def _inputs(
        self, batch: Sequence[Sentence], sizes: NDArray[np.intc], margins: dict[str, Floats] | None = None
    ) -> tuple[Repeated, dict[str, list[str]]]:
        """What the parser's BiLSTM sees, and the tags that were predicted for it."""
        seen = ("forms", *(() if self.has_tagger else self.shape.seen))
        words = list(zip(*([entry for s in batch for entry in getattr(s, column)] for column in seen), strict=True))
        numbers = {word: k for k, word in enumerate(dict.fromkeys(words))}
        places = np.array([numbers[word] for word in words])
        columns = dict(zip(seen, zip(*numbers, strict=True), strict=True))
        table, tags = self._forms(columns["forms"]), self._given_tags(columns)
        if self._encoder is None:
            inputs = Repeated(np.concatenate([table, *tags], axis=1), places)
        else:
            more = [self._encoder.vectors([s.forms for s in batch]), *(vectors[places] for vectors in tags)]
            inputs = Repeated(table, places, np.concatenate(more, axis=1))
        if not self.has_tagger:
            return inputs, {}
        hidden = self._tagger.run(inputs, sizes.tolist())[0] if self._tagger is not None else inputs.whole()
        votes = self._votes.cast([s.forms for s in batch]) if self._votes else {}
        return self._tag([word[0] for word in words], inputs, hidden, votes, margins)

    def _forms(self, forms: Sequence[str]) -> Floats:
        """The vectors of the words: what is known of each, and how it is spelt."""
        known = self._form_vectors
        new = [form for form in dict.fromkeys(forms) if form not in known]
        if len(known) + len(new) > KEPT:
            known = self._form_vectors = {}
            new = list(dict.fromkeys(forms))
        found = dict(zip(new, self._new_forms(new), strict=True)) if new else {}
        known.update(found)
        return _rows([known[form] for form in forms])

    def _new_forms(self, forms: list[str]) -> Floats:
        v, words = self.vocabulary, [word_of(form) for form in forms]
        parts = [np.empty((len(forms), 0), dtype=np.float32)]
        if self.shape.words:
            parts.append(self._t["words.weight"][[v.words.get(word, 0) for word in words]])
        if v.vectors:
            parts.append(self._t["vectors.weight"][[v.vectors.get(word, 0) for word in words]])
        if self._spelling:
            characters = np.array([v.characters.get(character, 0) for form in forms for character in form])
            different, places = np.unique(characters, return_inverse=True)
            spelt = Repeated(self._t["characters.weight"][different], places)
            parts.append(self._spelling.ends(spelt, [len(form) for form in forms]))
        if self.shape.affixes:
            bags = [[v.affixes.get(affix, 0) for affix in affixes_of(form)] for form in forms]
            parts.append(_rows([_sum(self._t["affixes.weight"], bag) for bag in bags]))
        return np.concatenate(parts, axis=1)

    def _given_tags(self, columns: Mapping[str, Sequence[str]]) -> list[Floats]:
        """The vectors of the tags in each column but that of the forms."""
        parts = []
        for column in ("upos", "xpos"):
            if column in columns:
                numbers = self.vocabulary.column(column)
                parts.append(self._t[f"{column}.weight"][[numbers.get(tag, 0) for tag in columns[column]]])
        if "feats" in columns:
            parts.append(_rows([self._features(feats) for feats in columns["feats"]]))
        return parts

    def _features(self, feats: str) -> Floats:
        """The sum of the vectors of the features."""
        found = self._feats_vectors.get(feats)
        if found is None:
            numbers = [self.vocabulary.feats.get(part, 0) for part in features_of(feats)]
            found = _sum(self._t["feats.weight"], numbers)
            if len(self._feats_vectors) < KEPT:
                self._feats_vectors[feats] = found
        return found

    def _tag(
        self,
        forms: list[str],
        inputs: Repeated,
        hidden: Floats,
        votes: Mapping[str, tuple[NDArray[np.int32], Floats]],
        margins: dict[str, Floats] | None,
    ) -> tuple[Repeated, dict[str, list[str]]]:
        """The inputs with the vectors of the tags to expect, and the likeliest tags."""
        count = len(forms)
        before = [] if inputs.more is None else [inputs.more]
        seen = np.concatenate([*before, hidden], axis=1) if self._stacked else hidden
        table = product(inputs.table, self._tag_table) if self._stacked else None
        expected = {
            column: np.empty((count, matrix.shape[1]), dtype=np.float32) for column, matrix in self._expected.items()
        }
        best: dict[str, list[int]] = {column: [] for column in self._tags}
        narrow: dict[str, list[Floats]] = {column: [] for column in self._tags}
        for first in range(0, count, BLOCK):
            here = slice(first, first + BLOCK)
            if table is None:
                between = product(seen[here], self._linear["tag_hidden"], rectified=True)
            else:
                between = table[inputs.places[here]]
                product(seen[here], self._tag_more, rectified=True, out=between, onto=True)
            for column in self._tags:
                scores = product(between, self._linear[f"tag_{column}"])
                if column in votes:
                    chosen, gains = votes[column]
                    best[column] += self._counts[column].best(scores, chosen[here], gains[here]).tolist()
                else:
                    best[column] += scores.argmax(axis=1).tolist()
                if margins is not None:
                    narrow[column].append(leads(scores))
                if column in self._expected:
                    softmax(scores)
                    product(scores, self._expected[column], out=expected[column][here])
        tags = {column: [names[k] for k in best[column]] for column, names in self._tags.items() if column != "lemmas"}
        if "lemmas" in best:
            tags["lemmas"] = [self._rules[k](form) for k, form in zip(best["lemmas"], forms, strict=True)]
        if margins is not None:
            margins.update((column, np.concatenate(found)) for column, found in narrow.items())
        parts = [*before, *expected.values(), *([hidden] if self._stacked else [])]
        return Repeated(inputs.table, inputs.places, np.concatenate(parts, axis=1) if parts else None), tags

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
        head = product(rows, self._linear["head"], rectified=True)
        right = _with_one(product(rows, self._linear["dependent"], rectified=True))
        shifts = product(right, self._shift)
        lefts = [product(head, left) for left in self._left]
        width = right.shape[1]
        areas = np.where(sizes > LONG, 2 * (sizes + 1) * width, (sizes + 1).astype(np.int64) ** 2)
        ends = shifts.size + np.cumsum(len(lefts) * areas)
        first = ends - len(lefts) * areas
        values = np.empty(ends[-1], dtype=np.float32)
        values[: shifts.size] = shifts.T.reshape(-1)  # they come first, for all sentences
        for n, start, at, area in zip(*(a.tolist() for a in (sizes, starts, first, areas)), strict=True):
            b = right[start : start + n + 1]
            across = Packed(b.T) if n <= LONG else None
            for k, left in enumerate(lefts):
                a, table = left[start : start + n + 1], values[at + k * area : at + (k + 1) * area]
                if across is None:
                    table[:] = np.concatenate([a, b]).reshape(-1)
                else:
                    product(a, across, out=table.reshape(n + 1, n + 1))
        sheets = np.empty((len(sizes), len(TABLES) + len(SHIFTS)), dtype=np.int64)
        sheets[:, : len(TABLES)] = first[:, None] + np.outer(areas, starts_of(TABLES, self._tables))
        sheets[:, len(TABLES) :] = starts[:, None] + np.multiply(len(rows), starts_of(SHIFTS, self._shifts))
        strides = np.where(sizes > LONG, -width, sizes + 1).astype(np.intc)
        return values, sizes, sheets, strides

    def _stack_sheets(
        self, rows: Floats, sizes: NDArray[np.intc], starts: NDArray[np.int64]
    ) -> tuple[Floats, NDArray[np.intc], NDArray[np.int64], NDArray[np.intc]]:
        """What each word adds to the hidden layer in each slot."""
        values = product(rows, self._rows).reshape(-1)
        sheets = np.zeros((len(sizes), len(TABLES) + len(SHIFTS)), dtype=np.int64)
        sheets[:, 0] = starts
        return values, sizes, sheets, np.zeros(len(sizes), dtype=np.intc)

    def _repaired(
        self, rows: Floats, sizes: NDArray[np.intc], starts: NDArray[np.int64], heads: NDArray[np.intc]
    ) -> NDArray[np.intc]:
        """The heads behind a second pass over the trees of sentences that are not too long for it."""
        left = product(product(rows, self._linear["repair_head"], rectified=True), self._repair_left)
        right = _with_one(product(rows, self._linear["repair_dependent"], rectified=True))
        short = (sizes > 0) & (sizes <= LONGEST)
        chosen = zip(starts[short].tolist(), sizes[short].tolist(), strict=True)
        tables = [product(left[at : at + n + 1], Packed(right[at : at + n + 1].T)).reshape(-1) for at, n in chosen]
        if not tables:
            return heads
        words = np.repeat(short, sizes)
        result = heads.copy()
        result[words] = repaired(self._repairs, np.concatenate(tables), sizes[short], heads[words])
        return result

    def _label(
        self, rows: Floats, sizes: NDArray[np.intc], starts: NDArray[np.int64], heads: NDArray[np.intc]
    ) -> Floats:
        """The scores of the labels of all words."""
        words = _places(sizes, np.append(starts, 0))
        of_head = product(rows, self._linear["label_head"])
        of_dependent = product(rows, self._linear["label_dependent"])
        hidden = of_head[np.repeat(starts, sizes) + heads] + of_dependent[words]
        scores = product(np.maximum(hidden, 0, out=hidden), self._linear["label_output"])
        scores += self._mask[(heads != 0).astype(np.intp)]
        return scores


def _rows(vectors: Sequence[Floats]) -> Floats:
    """One below the other; of a thousand short vectors np.stack takes three times as long."""
    return np.concatenate(vectors).reshape(len(vectors), len(vectors[0]))


def _sum(table: Floats, numbers: list[int]) -> Floats:
    """Of these rows of the table."""
    total: Floats = table[numbers].sum(axis=0, dtype=np.float32)
    return total


def _with_one(rows: Floats) -> Floats:
    return np.concatenate([rows, np.ones((len(rows), 1), dtype=np.float32)], axis=1)


def _places(sizes: NDArray[np.intc], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of the words of all sentences."""
    total = int(sizes.sum())
    before = np.cumsum(sizes) - sizes
    places: NDArray[np.int64] = np.arange(total) + np.repeat(starts[:-1] + 1 - before, sizes)
    return places


class NetworkScored:
    """The scores of one sentence, whose vectors are computed once. What it scores depends on no label."""

    def __init__(self, network: Network, sentence: Sentence) -> None:
        self._network = network
        self._sizes = np.array([len(sentence)], dtype=np.intc)
        self._rows, self._starts, _ = network._vectors([sentence], self._sizes)
        self._sheets = network._sheets(self._rows, self._sizes, self._starts)

    def scores(self, state: State) -> tuple[NDArray[np.float32], int]:
        """The scores of the legal transitions, as `legal` lists them, and the place of the first best one, or −1."""
        scores = self._network.decoder.scores(*self._sheets, state)
        return scores, int(scores.argmax()) if len(scores) else -1

    def label(self, state: State, head: int, dependent: int) -> int:
        """The number of the label of an arc."""
        heads = np.zeros(self._sizes[0], dtype=np.intc)
        heads[dependent - 1] = head
        scores = self._network._label(self._rows, self._sizes, self._starts, heads)
        return int(scores[dependent - 1].argmax())
