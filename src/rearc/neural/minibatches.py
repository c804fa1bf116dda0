"""A treebank in numbers, and batches of it for PyTorch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from rearc.neural.encoder import SubwordInputs
from rearc.neural.subwords import Subwords
from rearc.neural.torch_model import Inputs
from rearc.neural.vocabulary import Vocabulary, affixes_of, features_of, tags_of, word_of
from rearc.treebank import Sentence

Numbers = NDArray[np.int64]

ALPHA = 0.25  # a word seen c times is taken for an unknown one with probability α / (α + c)


class Lists:
    """Lists of numbers, one behind the other."""

    def __init__(self, lists: Sequence[Sequence[int]]) -> None:
        self.sizes: Numbers = np.array([len(entries) for entries in lists], dtype=np.int64)
        self.starts: Numbers = np.cumsum(self.sizes) - self.sizes
        self.flat: Numbers = np.array([number for entries in lists for number in entries], dtype=np.int64)

    def padded(self, which: Numbers) -> Numbers:
        """Some of them as the rows of a matrix, with zeros behind the shorter ones."""
        sizes = self.sizes[which]
        columns = np.arange(sizes.max(initial=0))
        inside = columns < sizes[:, None]
        places = np.where(inside, self.starts[which][:, None] + columns, 0)
        return np.where(inside, self.flat[places], 0) if len(self.flat) else places

    def bags(self, which: Numbers) -> tuple[Numbers, Numbers]:
        """Some of them one behind the other, and where each begins."""
        sizes = self.sizes[which]
        starts = np.cumsum(sizes) - sizes
        own = np.arange(int(sizes.sum())) - np.repeat(starts, sizes)
        return self.flat[np.repeat(self.starts[which], sizes) + own], starts


class TrainingCorpus:
    """Sentences with their trees, ready to be put into batches."""

    def __init__(
        self,
        sentences: Sequence[Sentence],
        labels: Sequence[str],
        vocabulary: Vocabulary,
        counts: Sequence[int],
        columns: Sequence[str],
        subwords: Subwords | None = None,
    ) -> None:
        """columns: what is to be predicted; without any, tags are given. subwords: of a pretrained encoder."""
        label_numbers = {label: k for k, label in enumerate(labels)}
        forms: dict[str, int] = {}
        feats: dict[str, int] = {}
        v = vocabulary
        self.sizes: NDArray[np.intc] = np.array([len(s) for s in sentences], dtype=np.intc)
        self.heads = Lists([s.heads for s in sentences])
        self.labels = Lists(  # −1 where head or label is unknown
            [
                [
                    label_numbers.get(label, -1) if head >= 0 else -1
                    for head, label in zip(s.heads, s.deprels, strict=True)
                ]
                for s in sentences
            ]
        )
        self._forms = Lists([[forms.setdefault(form, len(forms)) for form in s.forms] for s in sentences])
        self._feats_of = Lists([[feats.setdefault(entry, len(feats)) for entry in s.feats] for s in sentences])
        self._upos = Lists([[v.upos.get(tag, 0) for tag in s.upos] for s in sentences])
        self._xpos = Lists([[v.xpos.get(tag, 0) for tag in s.xpos] for s in sentences])
        self._words: Numbers = np.array([v.words.get(word_of(form), 0) for form in forms], dtype=np.int64)
        self._vectors: Numbers = np.array([v.vectors.get(word_of(form), 0) for form in forms], dtype=np.int64)
        self._spelling = Lists([[v.characters.get(character, 0) for character in form] for form in forms])
        self._affixes = Lists([[v.affixes.get(affix, 0) for affix in affixes_of(form)] for form in forms])
        self._features = Lists([[v.feats.get(part, 0) for part in features_of(entry)] for entry in feats])
        self._tags = {
            column: Lists([[v.column(column).get(tag, 0) for tag in tags_of(s, column)] for s in sentences])
            for column in columns
        }
        self._subwords = subwords
        self._pieces = [subwords.of(form) for form in forms] if subwords else []
        self._lengths = self.sizes  # by which batches are made
        if subwords:
            pieces = np.array([len(piece) for piece in self._pieces])
            self._lengths = np.add.reduceat(pieces[self._forms.flat], self._forms.starts).astype(np.intc)
        seen = np.array(counts, dtype=np.float64)
        self._dropped: NDArray[np.float64] = ALPHA / (ALPHA + seen)

    def __len__(self) -> int:
        return len(self.sizes)

    def inputs(self, which: Numbers, random: np.random.Generator, device: torch.device) -> Inputs:
        """A batch of sentences, with words dropped at random."""
        forms = self._forms.padded(which)
        mask = np.arange(forms.shape[1]) < self.sizes[which][:, None]
        words = self._words[forms]
        words[random.random(words.shape) < self._dropped[words]] = 0
        spelt, form_places = np.unique(forms[mask], return_inverse=True)
        in_list = np.zeros_like(forms)
        in_list[mask] = form_places
        feats_of = self._feats_of.padded(which)
        different, places = np.unique(feats_of[mask], return_inverse=True)
        feats_of[mask] = places
        feats, feats_starts = self._features.bags(different)
        affixes, affixes_starts = self._affixes.bags(spelt)
        there = [words * mask, self._vectors[forms] * mask, in_list, self._spelling.padded(spelt)]
        tensors = [torch.from_numpy(array).to(device) for array in there]
        return Inputs(
            lengths=torch.from_numpy(self.sizes[which].astype(np.int64)).to(device),
            words=tensors[0],
            vectors=tensors[1],
            forms=tensors[2],
            spelling=tensors[3],
            spelling_lengths=torch.from_numpy(self._spelling.sizes[spelt]).to(device),
            affixes=torch.from_numpy(affixes).to(device),
            affixes_starts=torch.from_numpy(affixes_starts).to(device),
            upos=torch.from_numpy(self._upos.padded(which)).to(device),
            xpos=torch.from_numpy(self._xpos.padded(which)).to(device),
            feats=torch.from_numpy(feats).to(device),
            feats_starts=torch.from_numpy(feats_starts).to(device),
            feats_of=torch.from_numpy(feats_of * mask).to(device),
            tags={column: torch.from_numpy(tags.padded(which)).to(device) for column, tags in self._tags.items()},
            mask=torch.from_numpy(mask).to(device),
            subwords=self._subword_inputs(which, device),
        )

    def _subword_inputs(self, which: Numbers, device: torch.device) -> SubwordInputs | None:
        if self._subwords is None:
            return None
        starts, sizes = self._forms.starts[which], self._forms.sizes[which]
        forms = [self._forms.flat[start : start + size] for start, size in zip(starts, sizes, strict=True)]
        layout = self._subwords.layout([[self._pieces[form] for form in sentence] for sentence in forms])
        return SubwordInputs.of(layout, self._subwords.last, device)

    def batches(self, words: int, random: np.random.Generator, count: int | None = None) -> list[Numbers]:
        """All sentences, or the first so many, in a new order, those of like length together, about so many words in a
        batch; of sub-words, where there is an encoder."""
        lengths = self._lengths[:count]
        noisy = lengths * random.uniform(0.8, 1.2, len(lengths))
        batches: list[list[int]] = [[]]
        for s in np.argsort(noisy, kind="stable").tolist():
            longest = max([int(lengths[s]), *(int(lengths[k]) for k in batches[-1])])
            if batches[-1] and longest * (len(batches[-1]) + 1) > words:
                batches.append([])
            batches[-1].append(s)
        return [np.array(batches[k], dtype=np.int64) for k in random.permutation(len(batches))]
