"""Trials: which system parses this treebank best? Short trainings on parts of it, of which the better half goes on.

Rounds cost about the same: with fewer candidates there is more for each to learn from. Time is counted in words, not by
a clock, so that the same treebanks, options and seed give the same choice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rearc.parser.header import Trial
from rearc.training.candidates import LEAST_SENTENCES, Candidate, candidates
from rearc.training.corpus import Corpus
from rearc.training.errors import Stopped
from rearc.training.options import Options
from rearc.training.plan import plan
from rearc.training.watcher import Watcher
from rearc.treebank import Sentence

if TYPE_CHECKING:
    from rearc.training.trainer import Trainer

Making = Callable[..., "Trainer"]
Keeping = Callable[[Sequence[Trial]], None]

SPENT = 1.2  # on all trials, where a training of the cheapest candidate costs 1
PARSING = 0.5  # what a word costs to parse, where it costs 1 to learn from
ON_DEV = 1 / 3  # of a round: the most that is spent on parsing
EPOCHS = 3  # at least: the wrong prediction is followed behind the first
HELD_OUT = 10  # without dev, one sentence in so many is parsed instead of learnt from

# who chooses one of these chooses the system, or leaves it to what is right on average
CHOICES = ("system", "oracle", "policy", "non_projective", "features", "slots")


def wants_trials(corpus: Corpus, options: Options) -> bool:
    """Whether the system is to be chosen by trials."""
    if options.quick or any(getattr(options, name) is not None for name in CHOICES):
        return False
    return len(corpus.sentences) >= LEAST_SENTENCES


@dataclass(frozen=True)
class Stage:
    """What the trials of a round get."""

    sentences: int
    epochs: int
    dev: int


def stage(field: Sequence[Candidate], budget: float, train: Corpus, dev: Corpus, passes: int) -> Stage:
    """As much as the budget of a round, in words, allows for all of the field."""
    budget /= sum(candidate.cost for candidate in field)
    parsed = min(PARSING * dev.about.words, ON_DEV * budget)
    learnt = budget - parsed
    epochs = min(max(EPOCHS, int(learnt // train.about.words)), passes)
    share = min(1.0, learnt / (epochs * train.about.words))
    return Stage(
        max(1, round(share * len(train.sentences))),
        epochs,
        max(1, round(parsed / (PARSING * dev.about.words) * len(dev.sentences))),
    )


def run_trials(
    corpus: Corpus,
    dev: Corpus | None,
    options: Options,
    make: Making,
    watcher: Watcher,
    known: Sequence[Trial] = (),
    keep: Keeping = lambda trials: None,
) -> tuple[Trial, ...]:
    """All trials, the best in the last round.

    known: those that were made before the training was taken up again; keep: is given all after each.
    """
    field = candidates(options.model, corpus.sentences)
    if dev is None:
        corpus, dev = hold_out(corpus)
    rounds = max(1, (len(field) - 1).bit_length())
    budget = SPENT * options.passes * (corpus.about.words + PARSING * dev.about.words) / rounds
    trials: list[Trial] = []
    for number in range(1, rounds + 1):
        size = stage(field, budget, corpus, dev, options.passes)
        part, seen = sample(corpus, size.sentences, options.seed), sample(dev, size.dev, options.seed)
        for k, candidate in enumerate(field, 1):
            place = len(trials)
            if place < len(known):
                trial = known[place]
            else:
                what = f"round {number} of {rounds}, trial {k} of {len(field)}, {candidate}"
                las = try_out(candidate, part, seen, replace(options, epochs=size.epochs), make, watcher, what)
                trial = record(candidate, number, size, las)
            trials.append(trial)
            if place >= len(known):
                keep(trials)
            watcher.trial(trial)
        field = better_half(field, [trial.las for trial in trials[-len(field) :]])
    return tuple(trials)


def try_out(
    candidate: Candidate, part: Corpus, dev: Corpus, options: Options, make: Making, watcher: Watcher, what: str
) -> float:
    """The LAS on dev behind the last epoch of a short training."""
    chosen = decided(options, candidate.system, candidate.oracle, candidate.non_projective)
    trainer = make(plan(part, dev, chosen, lambda message: None), dev.sentences, chosen.passes)
    learning = True
    while trainer.epoch < trainer.epochs:
        if watcher.stop():
            raise Stopped
        learning = trainer.learn()
        watcher.trying(what, trainer.epoch * trainer.sentences + trainer.position, trainer.epochs * trainer.sentences)
        if not learning:
            trainer.finish_epoch(look=trainer.epoch + 1 == trainer.epochs)
    las = trainer.history[-1].las
    assert las is not None
    return las


def decided(options: Options, system: str, oracle: str, non_projective: str | None) -> Options:
    """The options with a candidate chosen."""
    kept = non_projective in (None, "kept")
    return replace(options, system=system, oracle=oracle, non_projective=None if kept else non_projective)


def record(candidate: Candidate, number: int, size: Stage, las: float) -> Trial:
    return Trial(
        round=number,
        system=candidate.system,
        oracle=candidate.oracle,
        non_projective=candidate.non_projective or "kept",
        sentences=size.sentences,
        epochs=size.epochs,
        las=las,
    )


def better_half(field: Sequence[Candidate], scores: Sequence[float]) -> list[Candidate]:
    """Half of the field, rounded up, in its order; of equals the first.

    >>> [c.system for c in better_half([Candidate(name, "dynamic") for name in ("a", "b", "c")], [70.0, 72.0, 70.0])]
    ['a', 'b']
    """
    best = sorted(range(len(field)), key=lambda k: -scores[k])[: (len(field) + 1) // 2]
    return [field[k] for k in sorted(best)]


def winner(trials: Sequence[Trial]) -> Trial:
    """The best of the last round; of equals the first."""
    return max((trial for trial in trials if trial.round == trials[-1].round), key=lambda trial: trial.las)


def hold_out(corpus: Corpus) -> tuple[Corpus, Corpus]:
    """The corpus without every tenth sentence, and these."""
    held = corpus.sentences[HELD_OUT - 1 :: HELD_OUT]
    rest = [s for k, s in enumerate(corpus.sentences) if k % HELD_OUT != HELD_OUT - 1]
    return _of(corpus, rest), _of(corpus, held)


def sample(corpus: Corpus, count: int, seed: int) -> Corpus:
    """So many of the sentences, drawn by the seed, in their order."""
    if count >= len(corpus.sentences):
        return corpus
    order = list(range(len(corpus.sentences)))
    random.Random(f"{seed} trials").shuffle(order)  # so that a larger sample has all of a smaller one
    return _of(corpus, [corpus.sentences[k] for k in sorted(order[:count])])


def _of(corpus: Corpus, sentences: list[Sentence]) -> Corpus:
    return Corpus(sentences, replace(corpus.about, sentences=len(sentences), words=sum(map(len, sentences))))
