"""Training from beginning to end: what comes before the parser, plan, epochs, checkpoints."""

from __future__ import annotations

import inspect
import os
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from textwrap import indent
from typing import Any

from rearc.parser.errors import ModelError
from rearc.parser.header import Trial
from rearc.parser.parser import Parser
from rearc.segment import Segmenter
from rearc.tagger.tagger import Tagger
from rearc.training.calibration import calibrated
from rearc.training.checkpoint import (
    read_checkpoint,
    read_trials,
    trial_settings,
    write_checkpoint,
    write_trials,
)
from rearc.training.corpus import Corpus, Source, read_corpus
from rearc.training.options import Options, describe, make_options
from rearc.training.perceptron import PerceptronTrainer
from rearc.training.pipeline import choose_parts, train_segmenter, train_tagger
from rearc.training.plan import Plan, check, plan
from rearc.training.trainer import Trainer
from rearc.training.trials import decided, run_trials, wants_trials, winner
from rearc.training.watcher import Watcher
from rearc.treebank import Sentence


def train(
    source: Source,
    dev: Source | None = None,
    *,
    options: Options | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    watcher: Watcher | None = None,
    **overrides: Any,
) -> Parser:
    """Train a model on a treebank: a path, or sentences. It learns what the treebank teaches: to find sentences and
    words in raw text, to tag, to parse. The same treebanks and options give the same model
    (a BiLSTM with as many threads of PyTorch).

    The epoch with the best LAS on dev is kept; without dev it is the last. What is None is chosen from the treebank.
    Options are given by their names, or as a `rearc.Options`, or both: a name wins.

    checkpoint: a file that keeps the state after each epoch; `resume` goes on from it.
    watcher: is told what happens, and may stop it; where there is nothing to keep yet, by `Stopped`.

    >>> import rearc
    >>> from rearc.treebank import sample
    >>> rearc.train(sample(), epochs=2, system="arc-hybrid").parse(["Owls", "see", "well", "at", "night"]).has_tree
    True
    >>> quick = rearc.Options(system="arc-eager", epochs=1)
    >>> rearc.train(sample(), options=quick, seed=7).header.seed
    7

    The options:

    """
    chosen = make_options(options, overrides)
    check(chosen)
    corpus = read_corpus(source)
    return train_on(corpus, read_corpus(dev) if dev is not None else None, chosen, checkpoint, resume, watcher)


def _describe_train() -> None:
    """`help(rearc.train)` lists the options, and so does its signature."""
    if train.__doc__ is not None:  # as under python -OO
        train.__doc__ = train.__doc__.rstrip() + "\n\n" + indent(describe(), "    ") + "\n"
    signature = inspect.signature(train)
    parameters = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    parameters += [
        inspect.Parameter(entry.name, inspect.Parameter.KEYWORD_ONLY, default=entry.default, annotation=entry.type)
        for entry in fields(Options)
    ]
    train.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]


_describe_train()


def train_on(
    corpus: Corpus,
    dev: Corpus | None,
    options: Options,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    watcher: Watcher | None = None,
    texts: Corpus | None = None,
) -> Parser:
    """Train on treebanks that are read already. texts: what teaches segmentation and a second
    tagger, if it is not all of the corpus."""
    watcher = watcher or Watcher()
    options = choose_parts(corpus, options)
    segmenter = train_segmenter(texts or corpus, dev, options, watcher) if options.segmenter else None
    tagger: Tagger | None = None
    tagged = dev.sentences if dev else ()
    if options.tagger and options.model == "perceptron":
        tagger, corpus, dev = train_tagger(corpus, dev, options, watcher)
    second = train_tagger(texts or corpus, dev, options, watcher)[0] if options.two_taggers else None
    parser, done = _train(corpus, dev, options, tagger, segmenter, checkpoint, resume, watcher)
    if second:
        from rearc.training.votes import with_votes

        parser = with_votes(parser, second, tagged, watcher)
    return calibrated(parser, dev.sentences, tagged=tagged) if dev and options.confidence and done else parser


def _train(
    corpus: Corpus,
    dev: Corpus | None,
    options: Options,
    tagger: Tagger | None,
    segmenter: Segmenter | None,
    checkpoint: str | os.PathLike[str] | None,
    resume: bool,
    watcher: Watcher,
) -> tuple[Parser, bool]:
    """The parser, and whether it was trained to the end."""
    found = resume and checkpoint is not None and Path(checkpoint).exists()
    options, trials = _choose(corpus, dev, options, checkpoint, found, watcher)
    planned = plan(corpus, dev, options, watcher.note, trials)
    assert options.epochs is not None
    trainer = make_trainer(planned, dev.sentences if dev else None, options.epochs)
    if resume and checkpoint is not None:
        if not found:
            watcher.note(f"{os.fspath(checkpoint)}: no checkpoint, so training begins with the first epoch")
        elif read_checkpoint(checkpoint, trainer):
            watcher.note(f"going on behind epoch {trainer.epoch}")
            for record in trainer.history:
                watcher.epoch(record)
    while trainer.epoch < trainer.epochs and not trainer.finished:
        learning = True
        while learning:
            if watcher.stop():
                if checkpoint is not None:
                    write_checkpoint(checkpoint, trainer)
                return trainer.parser(tagger, segmenter), False
            learning = trainer.learn()
            watcher.step(trainer.epoch + 1, trainer.position, trainer.sentences)
        last = trainer.epoch + 1 == trainer.epochs  # without dev its weights are those that count
        watcher.epoch(trainer.finish_epoch(look=bool(dev) or checkpoint is not None or last))
        if checkpoint is not None and trainer.epoch < trainer.epochs:
            try:
                write_checkpoint(checkpoint, trainer)
            except ModelError as error:  # no reason to lose what has been learnt
                watcher.note(f"no checkpoint: {error}")
    parser = trainer.parser(tagger, segmenter)
    if not options.second_pass or options.model == "bilstm":  # whose network learns both at a time
        return parser, True
    from rearc.training.second_pass import with_second_pass

    return with_second_pass(parser, corpus, dev, options, make_trainer, watcher), not watcher.stop()


def _choose(
    corpus: Corpus,
    dev: Corpus | None,
    options: Options,
    checkpoint: str | os.PathLike[str] | None,
    found: bool,
    watcher: Watcher,
) -> tuple[Options, tuple[Trial, ...]]:
    """The options with a system chosen by trials, where none is given, and these trials."""
    if not wants_trials(corpus, options):
        return options, ()
    about = trial_settings(corpus, dev, options)
    known, complete = read_trials(checkpoint, about) if found and checkpoint is not None else ((), False)
    if complete:
        trials = known
        for trial in known:
            watcher.trial(trial)
    else:

        def keep(trials: Sequence[Trial]) -> None:
            if checkpoint is not None:
                try:
                    write_trials(checkpoint, about, trials)
                except ModelError as error:  # no reason to stop
                    watcher.note(f"no checkpoint: {error}")

        watcher.note("systems are tried on parts of the treebank; --quick or --system does without")
        trials = run_trials(corpus, dev, options, make_trainer, watcher, known, keep)
    best = winner(trials)
    watcher.note(f"system {best.system}: the best in the last of {best.round} rounds of trials")
    return decided(options, best.system, best.oracle, best.non_projective), trials


def make_trainer(plan: Plan, dev: list[Sentence] | None, epochs: int) -> Trainer:
    """A trainer for the kind of model that is planned."""
    if plan.network is None:
        return PerceptronTrainer(plan, dev, epochs)
    from rearc.training.bilstm import BiLSTMTrainer  # which takes PyTorch to import

    return BiLSTMTrainer(plan, dev, epochs)
