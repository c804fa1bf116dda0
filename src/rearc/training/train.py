"""Training as people expect it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from rearc.evaluation.ratio import percent
from rearc.features.clusters import read_clusters
from rearc.parser.errors import ModelError
from rearc.parser.parser import Parser
from rearc.tagger.learning import TagEpoch, train_beside_parser
from rearc.tagger.tagger import Tagger
from rearc.training.checkpoint import read_checkpoint, write_checkpoint
from rearc.training.corpus import Corpus, Source, read_corpus
from rearc.training.defaults import PRUNE
from rearc.training.errors import Stopped, TrainingError
from rearc.training.perceptron import PerceptronTrainer
from rearc.training.plan import Options, Plan, check, plan
from rearc.training.trainer import Trainer
from rearc.training.watcher import Watcher
from rearc.treebank import Sentence


def train(
    source: Source,
    dev: Source | None = None,
    *,
    system: str | None = None,
    oracle: str | None = None,
    epochs: int | None = None,
    seed: int = 1,
    features: str | None = None,
    policy: tuple[int, float] | None = None,
    non_projective: str | None = None,
    single_root: bool | None = None,
    prune: float = PRUNE,
    clusters: str | None = None,
    model: str = "perceptron",
    size: str | None = None,
    loss: str | None = None,
    rate: float | None = None,
    slots: str | None = None,
    vectors: str | None = None,
    tagger: bool = False,
    jackknife: int = 0,
    licence: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    watcher: Watcher | None = None,
) -> Parser:
    """Train a parser on a treebank: a path, or sentences. The same treebanks and options give the same model
    (a BiLSTM with as many threads of PyTorch).

    The epoch with the best LAS on dev is kept; without dev it is the last. What is None is chosen from the treebank.

    features: the name of a set that rearc brings, or a file of templates.
    policy: (k, p): after k epochs follow the prediction with probability p.
    non_projective: for systems that derive projective trees alone: "lift", "drop", "head", "path" or "head+path".
    prune: leave out features with weights below this share of the largest.
    clusters: a file of Brown clusters.
    model: "perceptron", or "bilstm", which needs PyTorch to be trained and none to parse.
    size: of a BiLSTM model: "small", "base", "paper-001" or "paper-002".
    loss: of a BiLSTM model: "best", "marginal" or "margin".
    rate: at which a BiLSTM model learns.
    slots: the words that the BiLSTM model of a system with a stack sees, such as "s2 s1 s0 b0 s0l s0r".
    vectors: a file of word vectors (GloVe, word2vec, fastText; .gz) for a BiLSTM model.
    tagger: train a tagger beside the parser, so that the model parses bare words; a BiLSTM model learns both jointly.
    jackknife: in so many parts, tag the training sentences by what the others teach, as the tagger will tag new ones.
    checkpoint: a file that keeps the state after each epoch; `resume` goes on from it.
    watcher: is told what happens, and may stop it; where there is nothing to keep yet, by `Stopped`.

    >>> from rearc.treebank import sample
    >>> train(sample(), epochs=2, system="arc-hybrid").parse(["Owls", "see", "well", "at", "night"]).has_tree
    True
    """
    options = Options(
        system=system,
        oracle=oracle,
        epochs=epochs,
        seed=seed,
        features=features,
        policy=policy,
        non_projective=non_projective,
        single_root=single_root,
        prune=prune,
        clusters=clusters,
        model=model,
        size=size,
        loss=loss,
        rate=rate,
        slots=slots,
        vectors=vectors,
        tagger=tagger,
        jackknife=jackknife,
        licence=licence,
    )
    check(options)
    corpus = read_corpus(source)
    return train_on(corpus, read_corpus(dev) if dev is not None else None, options, checkpoint, resume, watcher)


def train_on(
    corpus: Corpus,
    dev: Corpus | None,
    options: Options,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    watcher: Watcher | None = None,
) -> Parser:
    """Train on treebanks that are read already."""
    watcher = watcher or Watcher()
    tagger: Tagger | None = None
    if options.tagger and options.model == "perceptron":
        tagger, corpus, dev = tag_beside(corpus, dev, options, watcher)
    parser = _train(corpus, dev, options, checkpoint, resume, watcher)
    parser.tagger = tagger
    return parser


def tag_beside(
    corpus: Corpus, dev: Corpus | None, options: Options, watcher: Watcher
) -> tuple[Tagger, Corpus, Corpus | None]:
    """A tagger for the columns that the treebank has, and the treebanks as its parser should see them."""
    columns = ["upos"]
    if any(s._column("feats") is not None for s in corpus.sentences):
        columns.append("feats")
    watcher.note(f"a tagger for {' and '.join(columns)} is trained first")

    clusters = read_clusters(options.clusters) if options.clusters else None

    def look(epoch: TagEpoch) -> None:
        if watcher.stop():
            raise Stopped

    try:
        tagger, seen, dev_seen = train_beside_parser(
            corpus.sentences,
            dev.sentences if dev else None,
            columns,
            folds=options.jackknife,
            seed=options.seed,
            clusters=clusters,
            report=look,
        )
    except ValueError as error:
        raise TrainingError(f"{corpus.about.name}: {error}") from None
    if dev is None or dev_seen is None:
        return tagger, replace(corpus, sentences=seen), None
    for name in columns:
        pairs = zip(dev.sentences, dev_seen, strict=True)
        right = [a == b for pair in pairs for a, b in zip(*(getattr(s, name) for s in pair), strict=True)]
        watcher.note(f"{name} of dev: {percent(sum(right), len(right)):.2f} % right")
    return tagger, replace(corpus, sentences=seen), replace(dev, sentences=dev_seen)


def _train(
    corpus: Corpus,
    dev: Corpus | None,
    options: Options,
    checkpoint: str | os.PathLike[str] | None,
    resume: bool,
    watcher: Watcher,
) -> Parser:
    trainer = make_trainer(plan(corpus, dev, options, watcher.note), dev.sentences if dev else None, options.passes)
    if resume and checkpoint is not None:
        if Path(checkpoint).exists():
            read_checkpoint(checkpoint, trainer)
            watcher.note(f"going on behind epoch {trainer.epoch}")
            for record in trainer.history:
                watcher.epoch(record)
        else:
            watcher.note(f"{os.fspath(checkpoint)}: no checkpoint, so training begins with the first epoch")
    while trainer.epoch < trainer.epochs and not trainer.finished:
        learning = True
        while learning:
            if watcher.stop():
                if checkpoint is not None:
                    write_checkpoint(checkpoint, trainer)
                return trainer.parser()
            learning = trainer.learn()
            watcher.step(trainer.epoch + 1, trainer.position, trainer.sentences)
        watcher.epoch(trainer.finish_epoch())
        if checkpoint is not None and trainer.epoch < trainer.epochs:
            try:
                write_checkpoint(checkpoint, trainer)
            except ModelError as error:  # no reason to lose what has been learnt
                watcher.note(f"no checkpoint: {error}")
    return trainer.parser()


def make_trainer(plan: Plan, dev: list[Sentence] | None, epochs: int) -> Trainer:
    """A trainer for the kind of model that is planned."""
    if plan.network is None:
        return PerceptronTrainer(plan, dev, epochs)
    from rearc.training.bilstm import BiLSTMTrainer  # which takes PyTorch to import

    return BiLSTMTrainer(plan, dev, epochs)
