"""Training in batches with any oracle.

The encoder runs over a batch, the compiled decoder walks each of its sentences by the scores there are now, and the
loss is taken over all configurations on the way at once. So the network learns from its own mistakes, and in batches.
"""

from __future__ import annotations

import zlib
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rearc.files.tensors import Tensors
from rearc.neural.description import describe, sizes_of
from rearc.neural.encoder import TorchEncoder
from rearc.neural.losses import transition_loss
from rearc.neural.minibatches import Numbers, TrainingCorpus
from rearc.neural.pair import PairDecoder
from rearc.neural.scorers import SHIFTS, TABLES, classes_of, starts_of
from rearc.neural.stack import StackDecoder
from rearc.neural.storing import pack
from rearc.neural.torch_model import Inputs, PairScorer, ParserModule, StackScorer
from rearc.neural.vocabulary import learn_vocabulary
from rearc.oracles import oracle
from rearc.parser.bilstm import make_network
from rearc.parser.model import Model
from rearc.parser.perceptron import below, under
from rearc.systems import system as make_system
from rearc.training.bilstm_plan import NetworkPlan
from rearc.training.defaults import choose_batch
from rearc.training.errors import TrainingError
from rearc.training.plan import Plan
from rearc.training.trainer import Trainer
from rearc.treebank import Sentence

TAGS_FIRST = 400  # updates, over which the parser's share in the loss grows: before, it would learn from tags at random
HEADS = 0.4  # the weight of what a second pass learns: with more, labels are learnt less well
WARM = 0.02  # of the training: until then the learning rate grows
ENCODER_WARM = 0.05  # that of a pretrained encoder, which should not change much before the rest knows something
LARGEST_NORM = 5.0  # of the gradient
EXPLODED = 1e4  # mean loss of a configuration


class BiLSTMTrainer(Trainer):
    """A BiLSTM model in the making."""

    def __init__(self, plan: Plan, dev: list[Sentence] | None, epochs: int) -> None:
        super().__init__(plan, dev, epochs)
        assert plan.network is not None
        self.network: NetworkPlan = plan.network
        header, shape = self.header, self.network.shape
        vocabulary, counts = learn_vocabulary(plan.sentences, shape, self.network.vector_words)
        self.vocabulary = vocabulary
        labels = [label.name for label in header.labels]
        encoder = self.network.encoder
        subwords = encoder.subwords if encoder else None
        self.corpus = TrainingCorpus(plan.sentences, labels, vocabulary, counts, shape.columns, subwords)
        self.own_batch = choose_batch(sum(map(len, plan.sentences[: plan.own])))
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(header.seed)
        system = make_system(header.system, single_root=header.single_root)
        pretrained = encoder.shape if encoder else None
        sizes = sizes_of(vocabulary, shape.columns, len(labels), self.network.vectors.shape[1], pretrained)
        description = describe(shape, sizes, header.system)
        self.tables = description.tables()
        own = (
            replace(encoder, transformer=deepcopy(encoder.transformer)) if encoder else None
        )  # the plan's stays as it is
        self.module = ParserModule(description, self.network.dropout, TorchEncoder(own) if own else None)
        if len(vocabulary.vectors):
            with torch.no_grad():
                self.module.encoder.vectors.weight.zero_()
                self.module.encoder.vectors.weight[1:] = torch.from_numpy(self.network.vectors)
            self.module.encoder.vectors.weight.requires_grad_(self.network.tuned)
        self.module.to(self.device)
        self.parameters = sum(p.numel() for p in self.module.parameters())
        self.groups: list[tuple[float, float, list[torch.nn.Parameter]]] = [(self.network.rate, WARM, [])]
        if encoder:
            self.groups.append((self.network.encoder_rate, ENCODER_WARM, []))
        for name, parameter in self.module.named_parameters():
            if parameter.requires_grad:
                self.groups[name.startswith("encoder.encoder.transformer.")][2].append(parameter)
        self.optimiser = torch.optim.Adam(
            [{"params": parameters} for _, _, parameters in self.groups],
            lr=self.network.rate,
            betas=(0.9, 0.95),
            fused=True,
        )
        self.decoder = (
            PairDecoder(system)
            if isinstance(self.module.scorer, PairScorer)
            else StackDecoder(
                system,
                shape.slots,
                np.zeros(shape.hidden, "f"),
                np.zeros((shape.hidden, classes_of(system.name)), "f"),
                np.zeros(classes_of(system.name), "f"),
            )
        )
        self.judge = oracle(header.system, header.oracle, [0, 0], single_root=header.single_root)
        self.counts |= {"loss": 0.0}

    # ---- one batch

    def pieces(self) -> list[Numbers]:
        words = self.own_batch if self.alone else self.network.batch
        return self.corpus.batches(words, np.random.default_rng([self.header.seed, self.epoch]), self.sentences)

    def learn_piece(self, which: Numbers, explore: float) -> None:
        seed = [self.header.seed, self.epoch, self.position]
        random = np.random.default_rng([*seed, 1])
        torch.manual_seed(int(random.integers(1 << 62)))
        self.module.train()
        inputs = self.corpus.inputs(which, random, self.device)
        vectors, tags = self.module.encoder(inputs)
        rows = self.module.scorer.framed(vectors, inputs.mask)
        loss, configurations = self._transition_loss(rows, which, explore, int(random.integers(1 << 62)))
        words = int(inputs.mask.sum())
        total = loss / max(configurations, 1) + self._label_loss(rows, which, inputs) / words
        if self.module.repairer is not None:
            total = total + HEADS * self._head_loss(self.module.repairer(rows), which, inputs) / words
        if tags:
            total = total * min(1.0, (self.done() * self.epochs * len(self.pieces_now()) + 1) / TAGS_FIRST)
        for column, scores in tags.items():
            total = total + self._tag_loss(scores, inputs.tags[column], inputs.mask) / words
        value = float(total.detach())
        if not np.isfinite(value) or value > EXPLODED:
            raise TrainingError(
                f"found a loss of {value:g} in epoch {self.epoch + 1}, expected a small number; "
                f"train with a learning rate below {self.network.rate:g}"
            )
        self.counts["loss"] += value
        for group, (rate, warm, _) in zip(self.optimiser.param_groups, self.groups, strict=True):
            group["lr"] = self.rate(rate, warm)
        self.optimiser.zero_grad(set_to_none=True)
        total.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.module.parameters(), LARGEST_NORM)
        self.optimiser.step()

    def done(self) -> float:
        """The share of the training that is behind."""
        return (self.epoch + self.position / self.sentences) / self.epochs

    def rate(self, highest: float, warm: float) -> float:
        """The learning rate: up in the first batches, then down to nothing at the last."""
        done = self.done()
        return highest * min(1.0, done / warm + 0.01) * (1 - done)

    def _transition_loss(self, rows: Tensor, which: Numbers, explore: float, seed: int) -> tuple[Tensor, int]:
        scores = self.module.scorer(rows)
        values = scores.detach().cpu().numpy().reshape(-1)
        sheets, strides = self._sheets(len(which), rows.shape[1])
        counts, words, cells, optimal, mistakes = self.decoder.walk(
            self.judge, values, self.corpus.sizes[which], sheets, strides, self._trees(which), explore, seed
        )
        self.counts["transitions"] += len(counts)
        self.counts["mistakes"] += mistakes
        if not len(counts):
            return scores.sum() * 0, 0
        # a row a configuration, its transitions first and then nothing
        inside = np.arange(counts.max()) < counts[:, None]
        where = torch.from_numpy(inside).to(self.device)
        table = torch.zeros(inside.shape, dtype=torch.int64)
        table[torch.from_numpy(inside)] = torch.from_numpy(cells.astype(np.int64))
        right = torch.zeros(inside.shape, dtype=torch.bool)
        right[torch.from_numpy(inside)] = torch.from_numpy(optimal.astype(bool))
        table, right = table.to(self.device), right.to(self.device)
        if isinstance(self.module.scorer, StackScorer):
            assert words is not None
            classes = self.module.scorer.classes(scores, torch.from_numpy(words).to(self.device))
            picked = classes.gather(1, table)
        else:
            picked = scores[table]
        return transition_loss(picked.masked_fill(~where, -torch.inf), right, self.network.loss), len(counts)

    def _sheets(self, sentences: int, rows: int) -> tuple[NDArray[np.int64], NDArray[np.intc]]:
        sheets = np.zeros((sentences, len(TABLES) + len(SHIFTS)), dtype=np.int64)
        numbers = np.arange(sentences)
        scorer = self.module.scorer
        if isinstance(scorer, PairScorer):
            area = rows * rows
            for k, table in enumerate(starts_of(TABLES, scorer.tables)):
                sheets[:, k] = (table * sentences + numbers) * area
            for k, shift in enumerate(starts_of(SHIFTS, scorer.shifts), len(TABLES)):
                sheets[:, k] = len(scorer.tables) * sentences * area + (shift * sentences + numbers) * rows
        else:
            sheets[:, 0] = numbers * rows
            assert isinstance(self.decoder, StackDecoder)
            weights = [scorer.rows.bias, scorer.output.weight.T, scorer.output.bias]
            self.decoder.learn(*(np.ascontiguousarray(w.detach().cpu().numpy()) for w in weights))
        return sheets, np.full(sentences, rows, dtype=np.intc)

    def _trees(self, which: Numbers) -> NDArray[np.intc]:
        heads = self.corpus.heads
        trees = [(0, *heads.flat[heads.starts[s] : heads.starts[s] + heads.sizes[s]]) for s in which]
        return np.array([head for tree in trees for head in tree], dtype=np.intc)

    def _label_loss(self, rows: Tensor, which: Numbers, inputs: Inputs) -> Tensor:
        heads = torch.from_numpy(np.maximum(self.corpus.heads.padded(which), 0)).to(self.device)
        labels = torch.from_numpy(self.corpus.labels.padded(which)).to(self.device)
        scores = self.module.labeller(rows, heads)
        gold = labels[inputs.mask]
        return torch.nn.functional.cross_entropy(scores[inputs.mask], gold, reduction="sum", ignore_index=-1)

    def _head_loss(self, scores: Tensor, which: Numbers, inputs: Inputs) -> Tensor:
        """Of each word the cross-entropy of its head among the root and all other words of its sentence."""
        n = inputs.mask.shape[1]
        heads = torch.from_numpy(self.corpus.heads.padded(which)).to(self.device)
        there = torch.nn.functional.pad(inputs.mask, (1, 0), value=True)
        itself = torch.eye(n + 1, dtype=torch.bool, device=self.device)
        of_words = scores[:, : n + 1, 1 : n + 1].masked_fill(~there.unsqueeze(2) | itself[:, 1:], -torch.inf)
        gold = heads[inputs.mask]
        return torch.nn.functional.cross_entropy(
            of_words.transpose(1, 2)[inputs.mask], gold, reduction="sum", ignore_index=-1
        )

    def _tag_loss(self, scores: Tensor, gold: Tensor, mask: Tensor) -> Tensor:
        """Nothing is learnt from a word whose lemma is made by a rule of its own."""
        return torch.nn.functional.cross_entropy(scores[mask], gold[mask] - 1, reduction="sum", ignore_index=-1)

    # ---- an epoch

    def weights(self) -> Tensors:
        return pack({name: tensor.numpy() for name, tensor in self.module.tensors().items()}, self.tables)

    def dev_scores(self, weights: Tensors) -> dict[str, float]:
        assert self.dev is not None
        encoder = self.network.encoder
        own = (encoder.shape, encoder.subwords) if encoder else None
        network = make_network(self.header, self.network.shape, self.vocabulary, weights, own)
        return self.dev.score_network(network, self.header)

    def report(self) -> dict[str, Any]:
        return {"loss": round(self.counts["loss"] / len(self.pieces_now()), 5), "parameters": self.parameters}

    @property
    def finished(self) -> bool:
        """Whether dev has not been parsed better for too long."""
        return self.best is not None and bool(self.dev) and self.epoch - self.best.epoch >= self.network.patience

    def settings(self) -> dict[str, Any]:
        words, rows = self.network.vector_words, self.network.vectors
        vectors = zlib.crc32(rows.tobytes(), zlib.crc32("\n".join(words).encode("utf-8", "surrogatepass")))
        # the learning rate is at nothing behind the last epoch
        about = {**self.network.about(), "vectors": vectors, "epochs": self.epochs}
        if self.network.encoder is not None:
            about["encoder"] = self.network.encoder.checksum()
        return about

    def state(self) -> tuple[dict[str, Any], Tensors]:
        tensors = under("module.", {n: t.detach().cpu().numpy() for n, t in self.module.state_dict().items()})
        for number, entry in self.optimiser.state_dict()["state"].items():
            for name, tensor in entry.items():
                tensors[f"adam.{number}.{name}"] = np.asarray(tensor.detach().cpu().numpy())
        return {}, tensors

    def restore(self, state: dict[str, Any], tensors: Tensors) -> None:
        own = {name: torch.from_numpy(array.copy()) for name, array in below("module.", tensors).items()}
        if {n: t.shape for n, t in own.items()} != {n: t.shape for n, t in self.module.state_dict().items()}:
            raise ValueError("weights that do not fit")
        self.module.load_state_dict(own)
        entries: dict[int, dict[str, Tensor]] = {}
        for name, array in below("adam.", tensors).items():
            number, _, key = name.partition(".")
            entries.setdefault(int(number), {})[key] = torch.from_numpy(array.copy())
        whole = self.optimiser.state_dict()
        whole["state"] = entries
        self.optimiser.load_state_dict(whole)

    def model(self, weights: Tensors) -> Model:
        return self.network.model(self.header, self.vocabulary, weights)
