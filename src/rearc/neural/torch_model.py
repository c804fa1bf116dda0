"""The network in PyTorch, for training, built from its description."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import torch
from torch import Tensor, nn

from rearc.neural.description import Array, Description, Linear, Parts, Table
from rearc.neural.description import Classes as ClassesPart
from rearc.neural.description import Layers as LayersPart
from rearc.neural.description import Slots as SlotsPart
from rearc.neural.encoder import SubwordInputs, TorchEncoder
from rearc.neural.recurrence import BiLSTMLayer
from rearc.neural.scorers import is_pair_system, shifts_of, tables_of


@dataclass(frozen=True)
class Inputs:
    """A batch of B sentences, the longest of n words, in numbers."""

    lengths: Tensor  # B
    words: Tensor  # B × n: numbers of words, of which some are dropped
    vectors: Tensor  # B × n: numbers of words with a vector from outside
    forms: Tensor  # B × n: places in the list of different forms
    spelling: Tensor  # forms × characters
    spelling_lengths: Tensor  # of each form
    affixes: Tensor  # of all different forms, one behind the other
    affixes_starts: Tensor  # where those of each form begin
    upos: Tensor  # B × n
    xpos: Tensor  # B × n
    feats: Tensor  # features of all different FEATS, one behind the other
    feats_starts: Tensor  # where those of each FEATS begin
    feats_of: Tensor  # B × n: places in the list of different FEATS
    tags: dict[str, Tensor]  # B × n: of each column to predict the right classes; 0 is none of them
    mask: Tensor  # B × n: the words
    subwords: SubwordInputs | None = None  # where there is a pretrained encoder


class Layers(nn.ModuleList):
    """Bidirectional LSTM layers with dropout before each."""

    def __init__(self, part: LayersPart, dropout: float) -> None:
        widths = [part.inputs, *(2 * size for size in part.hidden)]
        super().__init__(BiLSTMLayer(a, b) for a, b in zip(widths, part.hidden, strict=False))
        self.dropout = dropout if part.dropout else 0.0

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


def build(owner: nn.Module, parts: Parts, dropout: float) -> None:
    """Give a module its parts, by their names and in their order."""
    for name, part in parts.items():
        if isinstance(part, Table):
            owner.add_module(name, nn.Embedding(part.rows, part.size))
        elif isinstance(part, LayersPart):
            owner.add_module(name, Layers(part, dropout))
        elif isinstance(part, Array):
            numbers = torch.zeros(part.shape)
            owner.register_parameter(name, nn.Parameter(numbers.normal_(std=0.1) if part.noise else numbers))
        elif isinstance(part, Linear):
            owner.add_module(name, nn.Linear(part.inputs, part.outputs, bias=part.bias))
        elif isinstance(part, ClassesPart):
            owner.add_module(name, Classes(part))
        elif isinstance(part, SlotsPart):
            owner.add_module(name, Slots(part))
    for name, part in parts.items():
        if isinstance(part, Table):
            table: nn.Embedding = getattr(owner, name)
            table.weight.requires_grad_(part.learnt)
            if part.learnt:
                nn.init.normal_(table.weight, std=0.1)


class Classes(nn.Module):
    """Scores of classes that share parts with each other."""

    numbers: Tensor
    starts: Tensor

    def __init__(self, part: ClassesPart) -> None:
        super().__init__()
        shapes = part.shapes()
        self.weight = nn.Parameter(torch.zeros(shapes[".weight"]))
        self.bias = nn.Parameter(torch.zeros(shapes[".bias"]))
        self.parts = nn.Parameter(nn.Linear(part.inputs, shapes[".parts"][0]).weight.detach().clone())
        starts = torch.tensor([0, *(len(parts) for parts in part.parts[:-1])]).cumsum(0)
        self.register_buffer("numbers", torch.tensor(list(chain.from_iterable(part.parts))), persistent=False)
        self.register_buffer("starts", starts, persistent=False)

    def forward(self, rows: Tensor) -> Tensor:
        shared = nn.functional.embedding_bag(self.numbers, self.parts, self.starts, mode="sum")
        return nn.functional.linear(rows, self.weight + shared, self.bias)


class Slots(nn.Module):
    """A hidden layer over the words in all slots, cut into a block a slot: words are multiplied before it is known in
    which slots they will be."""

    def __init__(self, part: SlotsPart) -> None:
        super().__init__()
        self.count, self.size = part.slots, part.hidden
        full = nn.Linear(self.count * part.inputs, self.size)
        blocks = full.weight.detach().reshape(self.size, self.count, part.inputs).transpose(0, 1)
        self.weight = nn.Parameter(blocks.reshape(-1, part.inputs).clone())
        self.bias = nn.Parameter(full.bias.detach().clone())

    def forward(self, rows: Tensor) -> Tensor:
        """What each row gives in each slot, the bias left out: … × slots × hidden."""
        return (rows @ self.weight.T).reshape(-1, self.count, self.size)


class SentenceEncoder(nn.Module):
    """Words to vectors: embeddings, a tagger where tags are not given, and the BiLSTM."""

    words: nn.Embedding
    vectors: nn.Embedding
    characters: nn.Embedding
    spelling: Layers
    affixes: nn.Embedding
    upos: nn.Embedding
    xpos: nn.Embedding
    feats: nn.Embedding
    tagger: Layers
    tag_hidden: nn.Linear
    layers: Layers
    encoder: TorchEncoder

    def __init__(self, description: Description, dropout: float, encoder: TorchEncoder | None = None) -> None:
        super().__init__()
        self.shape = description.shape
        self.joint = bool(self.shape.columns)
        self.dropout = dropout
        build(self, description.encoder, dropout)
        if encoder is not None:
            self.encoder = encoder

    def forward(self, inputs: Inputs) -> tuple[Tensor, dict[str, Tensor]]:
        """The vectors of the words, and the scores of their tags."""
        parts = [self.words(inputs.words)] if self.shape.words else []
        if "vectors" in self._modules:
            parts.append(self.vectors(inputs.vectors))
        if self.shape.spelling:
            parts.append(self._spelt(inputs)[inputs.forms])
        if self.shape.affixes:
            parts.append(sums(self.affixes, inputs.affixes, inputs.affixes_starts)[inputs.forms])
        if inputs.subwords is not None:
            known = self.encoder(inputs.subwords)
            parts.append(
                known.new_zeros(*inputs.mask.shape, known.shape[1]).masked_scatter(inputs.mask.unsqueeze(2), known)
            )
        tags: dict[str, Tensor] = {}
        if self.joint:
            first = torch.cat(parts, dim=2)
            hidden = self.tagger(first, inputs.lengths) if self.shape.tagger else first
            parts += self._expected(torch.cat([hidden, first], dim=2) if self.shape.stacked else hidden, tags)
            if self.shape.stacked:
                parts.append(hidden)
        else:
            if self.shape.upos:
                parts.append(self.upos(inputs.upos))
            if self.shape.xpos:
                parts.append(self.xpos(inputs.xpos))
            if self.shape.feats:
                parts.append(sums(self.feats, inputs.feats, inputs.feats_starts)[inputs.feats_of])
        together = torch.cat(parts, dim=2)
        return self.layers(together, inputs.lengths) if self.shape.layers else together, tags

    def _spelt(self, inputs: Inputs) -> Tensor:
        """For each form what has been read at its end, and backward at its beginning."""
        read = self.spelling(self.characters(inputs.spelling), inputs.spelling_lengths)
        half = self.shape.spelling
        last = inputs.spelling_lengths - 1
        ends = read[torch.arange(len(last), device=read.device), last, :half]
        return torch.cat([ends, read[:, 0, half:]], dim=1)

    def _expected(self, seen: Tensor, tags: dict[str, Tensor]) -> list[Tensor]:
        """The mean vectors of the tags of each word, by their probabilities, where the parser looks at them."""
        between = torch.relu(self.tag_hidden(shared_dropout(seen, self.dropout, self.training)))
        parts = []
        for column in self.shape.columns:
            tags[column] = getattr(self, f"tag_{column}")(between)
            if column in self._modules:
                parts.append(torch.softmax(tags[column], dim=2) @ getattr(self, column).weight[1:])
        return parts


def sums(table: nn.Embedding, numbers: Tensor, starts: Tensor) -> Tensor:
    """The sums of the rows of each bag of numbers."""
    return nn.functional.embedding_bag(numbers, table.weight, starts, mode="sum")


class Biaffine(nn.Module):
    """What scores pairs of words by products of two sides."""

    dropout: float

    def _side(self, layer: nn.Linear, rows: Tensor) -> Tensor:
        """The rows as heads or as dependents, each with a one behind it."""
        return with_one(shared_dropout(torch.relu(layer(rows)), self.dropout, self.training))


class PairScorer(Biaffine):
    """Arcs, no-arcs and shifts from pairs of words (Qi & Manning 2017)."""

    root: nn.Parameter
    head: nn.Linear
    dependent: nn.Linear

    def __init__(self, description: Description, dropout: float) -> None:
        super().__init__()
        self.tables, self.shifts = tables_of(description.system), shifts_of(description.system)
        self.dropout = dropout
        build(self, description.scorer, dropout)

    def framed(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """The root's vector before those of the words."""
        return torch.cat([self.root.expand(len(vectors), 1, -1), vectors], dim=1)

    def forward(self, rows: Tensor) -> Tensor:
        """All scores in a row: B × (n+1) × (n+1) of each table, B × (n+1) of each kind of shift."""
        head, dependent = (self._side(layer, rows) for layer in (self.head, self.dependent))
        scores = [(head @ getattr(self, name)) @ dependent.transpose(1, 2) for name in self.tables]
        scores += [dependent @ getattr(self, name) for name in self.shifts]
        return torch.cat([table.reshape(-1) for table in scores])


class StackScorer(nn.Module):
    """A hidden layer over the top of the stack and the front of the buffer (Kiperwasser & Goldberg 2016)."""

    root: nn.Parameter
    none: nn.Parameter
    rows: Slots
    output: nn.Linear

    def __init__(self, description: Description, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        build(self, description.scorer, dropout)

    def framed(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """The root's vector before those of the words, and that of no word behind them, as far as the rows go."""
        ends = [vector.expand(len(vectors), 1, -1) for vector in (self.root, self.none)]
        return torch.cat([ends[0], torch.where(mask.unsqueeze(2), vectors, self.none), ends[1]], dim=1)

    def forward(self, rows: Tensor) -> Tensor:
        """What each row gives in each slot: B · (n+2) × slots × hidden."""
        dropped = shared_dropout(rows, self.dropout, self.training)
        return torch.as_tensor(self.rows(dropped.reshape(-1, rows.shape[-1])))

    def classes(self, given: Tensor, words: Tensor) -> Tensor:
        """The scores of the transitions' classes in configurations with these words in their slots."""
        picked = given[words.long(), torch.arange(self.rows.count, device=words.device)]
        return torch.as_tensor(self.output(torch.relu(picked.sum(dim=1) + self.rows.bias)))


class Labeller(nn.Module):
    """The label of an arc from its two words."""

    label_head: nn.Linear
    label_dependent: nn.Linear
    label_output: nn.Linear

    def __init__(self, description: Description, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        build(self, description.labeller, dropout)

    def forward(self, rows: Tensor, heads: Tensor) -> Tensor:
        """The scores of the labels of the words 1…n, whose heads are given."""
        n = heads.shape[1]
        dropped = shared_dropout(rows, self.dropout, self.training)
        of_heads = self.label_head(dropped)
        chosen = of_heads.gather(1, heads.unsqueeze(2).expand(-1, -1, of_heads.shape[2]))
        hidden = torch.relu(chosen + self.label_dependent(dropped[:, 1 : n + 1]))
        return torch.as_tensor(self.label_output(hidden))


class Repairer(Biaffine):
    """Each word on each head, for a second pass over the finished tree."""

    repair_head: nn.Linear
    repair_dependent: nn.Linear
    repair_pairs: nn.Parameter

    def __init__(self, description: Description, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        build(self, description.repairer, dropout)

    def forward(self, rows: Tensor) -> Tensor:
        """B × (n+1) × (n+1), heads first."""
        head, dependent = (self._side(layer, rows) for layer in (self.repair_head, self.repair_dependent))
        return (head @ self.repair_pairs) @ dependent.transpose(1, 2)


def with_one(rows: Tensor) -> Tensor:
    return torch.cat([rows, rows.new_ones(*rows.shape[:-1], 1)], dim=-1)


class ParserModule(nn.Module):
    """Encoder, transition scorer, labeller and, for a second pass, a scorer of its own."""

    def __init__(self, description: Description, dropout: float, encoder: TorchEncoder | None = None) -> None:
        super().__init__()
        self.encoder = SentenceEncoder(description, dropout, encoder)
        pairs = is_pair_system(description.system)
        self.scorer = PairScorer(description, dropout) if pairs else StackScorer(description, dropout)
        self.labeller = Labeller(description, dropout)
        self.repairer = Repairer(description, dropout) if description.repairer else None

    def tensors(self) -> dict[str, Tensor]:
        """All weights, by the names they have in the description and in a model file."""
        named = ((name.split(".", 1)[1], tensor) for name, tensor in self.state_dict().items())
        found = {name: tensor.detach().cpu() for name, tensor in named if not name.startswith("encoder.")}
        if self.encoder.shape.encoder:
            found |= {f"encoder.{name}": tensor for name, tensor in self.encoder.encoder.tensors().items()}
        return found
