"""Learning a second pass: from the mistakes that the parser makes on sentences that it has not seen.

On its own training sentences a parser makes few mistakes, and not those that it makes elsewhere. So the treebank is cut
into parts, and each is parsed by parsers that were trained on the others, for few epochs: they stand for the parser
that is trained in full on all. What they get wrong is what the second pass learns to repair.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rearc.features.sets import load_templates
from rearc.features.templates import Template
from rearc.features.tokens import TokenEncoder
from rearc.oracles import oracle
from rearc.parser.header import Label
from rearc.parser.parser import Parser
from rearc.parser.parts import members_of
from rearc.parser.perceptron import weights_of
from rearc.parser.second_pass import SecondPass, make_decoder, numbered
from rearc.perceptron.growing import LabelLearner, TypeLearner
from rearc.perceptron.learner import TransitionLearner
from rearc.systems.second_pass import LONGEST, SYSTEM
from rearc.training.corpus import Corpus, encode, has_one_root, labels_of
from rearc.training.defaults import choose_features, looking_at_xpos, xpos_in_place_of_feats
from rearc.training.options import Options
from rearc.training.plan import plan
from rearc.training.trainer import Dev
from rearc.training.trials import decided
from rearc.training.watcher import Watcher
from rearc.treebank import Sentence

if TYPE_CHECKING:
    from rearc.training.trainer import Trainer

Making = Callable[..., "Trainer"]

FOLDS = 5
STAGES = (2, 3, 4)  # epochs behind which a part is parsed: a sentence comes with the mistakes of one or the other
EPOCHS = 10
EXPLORE = 0.9  # behind the first epoch, with this probability the prediction is followed
MARGIN = 40  # docs/oracles.md
PIECE = 256  # sentences between two looks at whether to stop
LEAST_SENTENCES = 50  # fewer teach nothing


class _Stopped(Exception):
    """In the middle of it."""


@dataclass(frozen=True)
class _Lessons:
    """Sentences with trees to find, and for each stage the trees to begin with."""

    sentences: list[Sentence]
    begun: list[list[Sentence]]


def with_second_pass(
    parser: Parser, corpus: Corpus, dev: Corpus | None, options: Options, make: Making, watcher: Watcher
) -> Parser:
    """The parser with a second pass behind it; without, if that parses dev no better, or the training is stopped.

    options: those by which the parser was trained.
    """
    several = not parser.header.single_root
    sentences = [s for s in corpus.sentences if s.has_heads and len(s) <= LONGEST and (several or has_one_root(s))]
    if len(sentences) < LEAST_SENTENCES:
        watcher.note(f"no second pass: {len(sentences)} sentences are too few, expected {LEAST_SENTENCES}")
        return parser
    try:
        chosen = decided(options, parser.header.system, parser.header.oracle, parser.header.non_projective)
        chosen = replace(chosen, single_root=parser.header.single_root)
        lessons = _Lessons(sentences, _jackknifed(replace(corpus, sentences=sentences), chosen, make, watcher))
        found, scores = _learn(parser, lessons, dev, watcher)
    except _Stopped:
        watcher.note("stopped: there is no second pass")
        return parser
    if found is None:
        return parser
    members = {name: [b"".join(pieces)] for name, pieces in members_of(found).items()}
    return parser._with(second_pass=members, header=replace(parser.header, scores=scores))


def _jackknifed(corpus: Corpus, options: Options, make: Making, watcher: Watcher) -> list[list[Sentence]]:
    """The sentences parsed by parsers that have not seen them: once for each stage."""
    everything = corpus.sentences
    stages: list[list[Sentence]] = [[] for _ in STAGES]
    bounds = [len(everything) * k // FOLDS for k in range(FOLDS + 1)]
    for part, (start, stop) in enumerate(pairwise(bounds), 1):
        others = replace(corpus, sentences=everything[:start] + everything[stop:])
        trainer = make(plan(others, None, options, lambda message: None), None, STAGES[-1])
        what = f"second pass, part {part} of {FOLDS}"
        for stage, parsed in zip(_stages(trainer, watcher, what), stages, strict=True):
            parsed += stage.parse_many(everything[start:stop], tags="given")
    return stages


def _stages(trainer: Trainer, watcher: Watcher, what: str) -> Iterator[Parser]:
    """The parser in the making, behind each of the stages."""
    while trainer.epoch < trainer.epochs:
        _look(watcher)
        learning = trainer.learn()
        watcher.trying(what, trainer.epoch * trainer.sentences + trainer.position, trainer.epochs * trainer.sentences)
        if not learning:
            behind = trainer.epoch + 1 in STAGES
            trainer.finish_epoch(look=behind)
            if behind:
                yield trainer.parser()


def _learn(
    parser: Parser, lessons: _Lessons, dev: Corpus | None, watcher: Watcher
) -> tuple[SecondPass | None, dict[str, float]]:
    """The epoch that parses dev best, and better than the parser alone, and its scores; without dev the last."""
    sentences, clusters = lessons.sentences, parser._model.clusters
    labels = labels_of(sentences)
    header = _header(sentences, labels, parser.header.single_root)
    types, of_labels = TypeLearner(), LabelLearner(len(labels))
    seed = parser.header.seed
    learner = TransitionLearner(make_decoder(header, types, of_labels), seed, MARGIN)
    judge = oracle(SYSTEM, "second-pass", [0, 0], single_root=parser.header.single_root)
    train = encode(sentences, labels, TokenEncoder(clusters))
    begun = [numbered(stage, labels) for stage in lessons.begun]
    words = np.cumsum([0, *map(len, sentences)])
    judged = _Dev(parser, dev.sentences) if dev else None
    best: SecondPass | None = None
    for epoch in range(EPOCHS):
        order = list(range(len(sentences)))
        random.Random(f"{seed} {epoch} second pass").shuffle(order)
        stages = np.random.default_rng([seed, epoch]).integers(len(begun), size=len(sentences))
        for done in range(0, len(order), PIECE):
            _look(watcher)
            which = np.array(order[done : done + PIECE], dtype=np.int64)
            spans = [(begun[stages[s]], slice(words[s], words[s + 1])) for s in which]
            start = (
                np.concatenate([heads[span] for (heads, _), span in spans]),
                np.concatenate([numbers[span] for (_, numbers), span in spans]),
            )
            explore = EXPLORE if epoch else 0.0
            learner.epoch(
                judge, train.values, train.offsets, train.heads, train.labels, train.tree_offsets, which, explore, start
            )  # fmt: skip
            watcher.trying("second pass", epoch * len(order) + done, EPOCHS * len(order))
        if judged is None and epoch + 1 < EPOCHS:
            continue
        found = SecondPass(header, weights_of(types, of_labels, parser.header.prune), clusters)
        if judged is None or judged.is_better(found):
            best = found
    if judged is None:
        return best, {}
    watcher.note(judged.summary)
    return best, judged.best


class _Dev:
    """Development sentences, as the parser alone parses them, and the best score so far."""

    def __init__(self, parser: Parser, sentences: list[Sentence]) -> None:
        self._gold = Dev(sentences)
        self._parsed = list(parser.parse_many(sentences, tags="given"))
        self._before = self.best = self._score(self._parsed)

    def _score(self, parsed: list[Sentence]) -> dict[str, float]:
        labels = np.array([label for s in parsed for label in s.deprels], dtype=object)
        return self._gold.score_names(np.array([head for s in parsed for head in s.heads], dtype=np.intc), labels)

    def is_better(self, found: SecondPass) -> bool:
        scores = self._score(found.repaired(self._parsed))
        better = scores["las"] > self.best["las"]
        if better:
            self.best = scores
        return better

    @property
    def summary(self) -> str:
        before, best = self._before, self.best
        if best is before:
            return f"a second pass parses dev no better than LAS {before['las']:.2f}: it is left out"
        return (
            f"second pass: dev UAS {before['uas']:.2f} → {best['uas']:.2f}, LAS {before['las']:.2f} → {best['las']:.2f}"
        )


def _header(sentences: list[Sentence], labels: tuple[Label, ...], single_root: bool) -> dict[str, Any]:
    templates: list[Template] = [*load_templates(choose_features(SYSTEM)), *load_templates("second-pass")]
    if xpos_in_place_of_feats(sentences):
        templates = looking_at_xpos(templates)
    return {
        "templates": " ".join(template.text for template in templates),
        "label_templates": " ".join(template.text for template in load_templates("labels")),
        "single_root": single_root,
        "labels": [[label.name, label.of_root, label.of_word] for label in labels],
    }


def _look(watcher: Watcher) -> None:
    if watcher.stop():
        raise _Stopped
