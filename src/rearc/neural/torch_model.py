"""The network in PyTorch, for training. Its weights have the names by which `network.Network` takes them."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from rearc.neural.recurrence import BiLSTMLayer
from rearc.neural.scorers import is_pair_system, shifts_of, tables_of
from rearc.neural.shape import TAG_HIDDEN, Shape


@dataclass(frozen=True)
class Inputs:
    """A batch of B sentences, the longest of n words, in numbers."""

    lengths: Tensor  # B
    words: Tensor  # B × n: numbers of words, of which some are dropped
    vectors: Tensor  # B × n: numbers of words with a vector from outside
    forms: Tensor  # B × n: places in the list of different forms
    spelling: Tensor  # forms × characters
    spelling_lengths: Tensor  # of each form
    upos: Tensor  # B × n
    feats: Tensor  # features of all different FEATS, one behind the other; where they are predicted, B × n
    feats_starts: Tensor  # where those of each FEATS begin
    feats_of: Tensor  # B × n: places in the list of different FEATS
    mask: Tensor  # B × n: the words


@dataclass(frozen=True)
class Sizes:
    """Of the vocabulary."""

    words: int
    vectors: tuple[int, int]  # words with a vector from outside, and its length
    characters: int
    upos: int
    feats: int
    labels: int


class Layers(nn.ModuleList):
    """Bidirectional LSTM layers with dropout before each."""

    def __init__(self, width: int, hidden: tuple[int, ...], dropout: float) -> None:
        widths = [width, *(2 * size for size in hidden)]
        super().__init__(BiLSTMLayer(a, b) for a, b in zip(widths, hidden, strict=False))
        self.width = widths[-1]
        self.dropout = dropout

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        for layer in self:
            inputs = layer(shared_dropout(inputs, self.dropout, self.training), lengths)
        return inputs


def shared_dropout(inputs: Tensor, share: float, training: bool) -> Tensor:
    """Dropout of the same units at all words of a sentence (Gal & Ghahramani 2016)."""
    if not training or not share:
        return inputs
    kept = torch.empty(inputs.shape[0], 1, inputs.shape[2], device=inputs.device).bernoulli_(1 - share)
    return inputs * (kept / (1 - share))


class SentenceEncoder(nn.Module):
    """Words to vectors: embeddings, a tagger where tags are not given, and the BiLSTM."""

    def __init__(self, shape: Shape, sizes: Sizes, dropout: float) -> None:
        super().__init__()
        self.shape = shape
        self.joint = bool(shape.tagger)
        self.words = nn.Embedding(sizes.words + 1, shape.words)
        width = shape.words
        if sizes.vectors[0]:
            self.vectors = nn.Embedding(sizes.vectors[0] + 1, sizes.vectors[1])
            self.vectors.weight.requires_grad_(False)
            width += sizes.vectors[1]
        if shape.spelling:
            self.characters = nn.Embedding(sizes.characters + 1, shape.characters)
            self.spelling = Layers(shape.characters, (shape.spelling,), 0.0)
            width += 2 * shape.spelling
        if shape.upos:
            self.upos = nn.Embedding(sizes.upos + 1, shape.upos)
        if shape.feats:
            self.feats = nn.Embedding(sizes.feats + 1, shape.feats)
        if self.joint:
            self.tagger = Layers(width, shape.tagger, dropout)
            self.tag_hidden = nn.Linear(self.tagger.width, TAG_HIDDEN)
            self.tag_upos = nn.Linear(TAG_HIDDEN, sizes.upos)
            if shape.feats:
                self.tag_feats = nn.Linear(TAG_HIDDEN, sizes.feats)
            if shape.stacked:
                width += self.tagger.width
        self.layers = Layers(width + shape.upos + shape.feats, shape.layers, dropout)
        self.dropout = dropout
        for table in (
            self.words,
            *(getattr(self, name) for name in ("characters", "upos", "feats") if name in self._modules),
        ):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, inputs: Inputs) -> tuple[Tensor, dict[str, Tensor]]:
        """The vectors of the words, and the scores of their tags."""
        parts = [self.words(inputs.words)]
        if "vectors" in self._modules:
            parts.append(self.vectors(inputs.vectors))
        if self.shape.spelling:
            parts.append(self._spelt(inputs)[inputs.forms])
        tags: dict[str, Tensor] = {}
        if self.joint:
            first = torch.cat(parts, dim=2)
            hidden = self.tagger(first, inputs.lengths)
            parts += self._expected(hidden, tags)
            if self.shape.stacked:
                parts.append(hidden)
        else:
            if self.shape.upos:
                parts.append(self.upos(inputs.upos))
            if self.shape.feats:
                sums = nn.functional.embedding_bag(inputs.feats, self.feats.weight, inputs.feats_starts, mode="sum")
                parts.append(sums[inputs.feats_of])
        return self.layers(torch.cat(parts, dim=2), inputs.lengths), tags

    def _spelt(self, inputs: Inputs) -> Tensor:
        """For each form what has been read at its end, and backward at its beginning."""
        read = self.spelling(self.characters(inputs.spelling), inputs.spelling_lengths)
        half = self.shape.spelling
        last = inputs.spelling_lengths - 1
        ends = read[torch.arange(len(last), device=read.device), last, :half]
        return torch.cat([ends, read[:, 0, half:]], dim=1)

    def _expected(self, hidden: Tensor, tags: dict[str, Tensor]) -> list[Tensor]:
        """The mean vector of the tags of each word, by their probabilities."""
        dropped = shared_dropout(hidden, self.dropout, self.training)
        between = torch.relu(self.tag_hidden(dropped))
        parts = []
        for column in ("upos", "feats"):
            if f"tag_{column}" in self._modules:
                tags[column] = getattr(self, f"tag_{column}")(between)
                parts.append(torch.softmax(tags[column], dim=2) @ getattr(self, column).weight[1:])
        return parts


class PairScorer(nn.Module):
    """Arcs, no-arcs and shifts from pairs of words (Qi & Manning 2017)."""

    def __init__(self, width: int, shape: Shape, system: str, dropout: float) -> None:
        super().__init__()
        size = shape.pair
        self.root = nn.Parameter(torch.zeros(width).normal_(std=0.1))
        self.head = nn.Linear(width, size)
        self.dependent = nn.Linear(width, size)
        self.tables, self.shifts = tables_of(system), shifts_of(system)
        for name in self.tables:
            self.register_parameter(name, nn.Parameter(torch.zeros(size + 1, size + 1)))
        for name in self.shifts:
            self.register_parameter(name, nn.Parameter(torch.zeros(size + 1)))
        self.dropout = dropout

    def rows(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """The root's vector before those of the words."""
        return torch.cat([self.root.expand(len(vectors), 1, -1), vectors], dim=1)

    def forward(self, rows: Tensor) -> Tensor:
        """All scores in a row: B × (n+1) × (n+1) of each table, B × (n+1) of each kind of shift."""
        head, dependent = (
            with_one(shared_dropout(torch.relu(layer(rows)), self.dropout, self.training))
            for layer in (self.head, self.dependent)
        )
        scores = [(head @ getattr(self, name)) @ dependent.transpose(1, 2) for name in self.tables]
        scores += [dependent @ getattr(self, name) for name in self.shifts]
        return torch.cat([table.reshape(-1) for table in scores])


class StackScorer(nn.Module):
    """A hidden layer over the top of the stack and the front of the buffer (Kiperwasser & Goldberg 2016)."""

    def __init__(self, width: int, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.slots, self.size = len(shape.slots.split()), shape.hidden
        self.root = nn.Parameter(torch.zeros(width).normal_(std=0.1))
        self.none = nn.Parameter(torch.zeros(width).normal_(std=0.1))
        full = nn.Linear(self.slots * width, self.size)
        # one block a slot: row s · size + k is what a word in slot s gives to the hidden unit k
        self.rows_weight = nn.Parameter(
            full.weight.detach().reshape(self.size, self.slots, width).transpose(0, 1).reshape(-1, width).clone()
        )
        self.rows_bias = nn.Parameter(full.bias.detach().clone())
        self.output = nn.Linear(self.size, 4)
        self.dropout = dropout

    def rows(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """The root's vector before those of the words, and that of no word behind them, as far as the rows go."""
        ends = [vector.expand(len(vectors), 1, -1) for vector in (self.root, self.none)]
        return torch.cat([ends[0], torch.where(mask.unsqueeze(2), vectors, self.none), ends[1]], dim=1)

    def forward(self, rows: Tensor) -> Tensor:
        """What each row gives in each slot: B · (n+2) × slots × hidden."""
        dropped = shared_dropout(rows, self.dropout, self.training)
        return (dropped.reshape(-1, rows.shape[-1]) @ self.rows_weight.T).reshape(-1, self.slots, self.size)

    def classes(self, given: Tensor, words: Tensor) -> Tensor:
        """The scores of the transitions' classes in configurations with these words in their slots."""
        picked = given[words.long(), torch.arange(self.slots, device=words.device)]
        return torch.as_tensor(self.output(torch.relu(picked.sum(dim=1) + self.rows_bias)))


class Labeller(nn.Module):
    """The label of an arc from its two words."""

    def __init__(self, width: int, shape: Shape, labels: int, dropout: float) -> None:
        super().__init__()
        self.label_head = nn.Linear(width, shape.labels)
        self.label_dependent = nn.Linear(width, shape.labels, bias=False)
        self.label_output = nn.Linear(shape.labels, labels)
        self.dropout = dropout

    def forward(self, rows: Tensor, heads: Tensor) -> Tensor:
        """The scores of the labels of the words 1…n, whose heads are given."""
        n = heads.shape[1]
        dropped = shared_dropout(rows, self.dropout, self.training)
        of_heads = self.label_head(dropped)
        chosen = of_heads.gather(1, heads.unsqueeze(2).expand(-1, -1, of_heads.shape[2]))
        hidden = torch.relu(chosen + self.label_dependent(dropped[:, 1 : n + 1]))
        return torch.as_tensor(self.label_output(hidden))


def with_one(rows: Tensor) -> Tensor:
    return torch.cat([rows, rows.new_ones(*rows.shape[:-1], 1)], dim=-1)


class ParserModule(nn.Module):
    """Encoder, transition scorer and labeller."""

    def __init__(self, shape: Shape, sizes: Sizes, system: str, dropout: float) -> None:
        super().__init__()
        self.encoder = SentenceEncoder(shape, sizes, dropout)
        width = self.encoder.layers.width
        self.scorer = (
            PairScorer(width, shape, system, dropout) if is_pair_system(system) else StackScorer(width, shape, dropout)
        )
        self.labeller = Labeller(width, shape, sizes.labels, dropout)

    def tensors(self) -> dict[str, Tensor]:
        """All weights, by the names they have in a model file."""
        named = {}
        for name, tensor in self.state_dict().items():
            short = name.split(".", 1)[1].replace("rows_", "rows.")
            named[short] = tensor.detach().cpu()
        return named
