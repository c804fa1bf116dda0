"""Trials: which system parses this treebank best? Short trainings on parts of it, of which the better half goes on.

Rounds cost about the same: with fewer candidates there is more for each to learn from. Where the winner takes long to
train anyway, there is time for a play-off with what is right on average. Time is counted in words, not by a clock, so
that the same treebanks, options and seed give the same choice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rearc.parser.header import Trial
from rearc.training.candidates import LEAST_SENTENCES, Candidate, candidates, choose_quickly
from rearc.training.corpus import Corpus
from rearc.training.defaults import choose_epochs, suits_one_root
from rearc.training.errors import Stopped
from rearc.training.options import Options
from rearc.training.plan import plan
from rearc.training.watcher import Watcher
from rearc.treebank import Sentence

if TYPE_CHECKING:
    from rearc.training.trainer import Trainer

Making = Callable[..., "Trainer"]
Keeping = Callable[[Sequence[Trial]], None]

SPENT = (
    1.0  # on all rounds, where a training of the cheapest candidate costs 1; with a play-off, of the cheaper one there
)
ON_DEV = 1 / 3  # of a round: the most that is spent on dev
EPOCHS = 3  # at least: the wrong prediction is followed behind the first
HELD_OUT = 10  # without dev, one sentence in so many is parsed instead of learnt from


@dataclass(frozen=True)
class Prices:
    """What a word costs, where it costs 1 to learn from it once."""

    weights: float  # a word learnt from, when weights are made ready to parse with
    parsing: float  # a word of dev
    numbers: float  # a word that becomes numbers before all that, whatever the candidate

    def training(self, epochs: int, train: int, dev: int) -> float:
        """Of a training in full, for so many words."""
        return epochs * ((1 + self.weights) * train + self.parsing * dev)

    def trials(self, field: Sequence[Candidate], epochs: int) -> tuple[float, float]:
        """Of a round for each word learnt from, and for each word of dev."""
        cost = sum(candidate.cost for candidate in field)
        return cost * (epochs + self.weights) + len(field) * self.numbers, (
            cost * self.parsing + len(field) * self.numbers
        )


# measured on hu_szeged and tr_imst (perceptron); a network learns so slowly that the rest is next to nothing
PRICES = {"perceptron": Prices(1.0, 0.3, 1.0), "bilstm": Prices(0.1, 0.1, 0.05)}

# who chooses one of these chooses the system, or leaves it to what is right on average; an encoder learns too slowly
CHOICES = ("system", "oracle", "policy", "non_projective", "features", "slots", "encoder")


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


def stage(field: Sequence[Candidate], budget: float, prices: Prices, train: Corpus, dev: Corpus, passes: int) -> Stage:
    """As much as the budget of a round allows for all of the field."""
    seen = min(1.0, ON_DEV * budget / (prices.trials(field, 0)[1] * dev.about.words))
    left = budget - prices.trials(field, 0)[1] * seen * dev.about.words
    epochs = min(EPOCHS, passes)
    while epochs < passes and prices.trials(field, epochs + 1)[0] * train.about.words <= left:
        epochs += 1
    share = min(1.0, left / (prices.trials(field, epochs)[0] * train.about.words))
    return Stage(max(1, round(share * len(train.sentences))), epochs, max(1, round(seen * len(dev.sentences))))


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
    one_root = suits_one_root(options.single_root, corpus.sentences)
    field = candidates(options.model, corpus.sentences, one_root)
    usual = usual_of(field, options.model, corpus.sentences, one_root)
    corpus, judges = hold_out(corpus) if dev is None else (corpus, dev)
    rounds = max(1, (len(field) - 1).bit_length())
    passes = options.epochs or choose_epochs(options.model, corpus.about.words)
    prices = PRICES[options.model]
    whole = SPENT * prices.training(passes, corpus.about.words, judges.about.words)
    trials: list[Trial] = []

    def hold(number: int, name: str, budget: float) -> list[Candidate]:
        """The better half of the field behind a round."""
        size = stage(field, budget, prices, corpus, judges, passes)
        part, seen = sample(corpus, size.sentences, options.seed), sample(judges, size.dev, options.seed)
        for k, candidate in enumerate(field, 1):
            place = len(trials)
            if place < len(known):
                trial = known[place]
            else:
                what = f"{name}, trial {k} of {len(field)}, {candidate}"
                las = try_out(candidate, part, seen, replace(options, epochs=size.epochs), make, watcher, what)
                trial = record(candidate, number, size, las)
            trials.append(trial)
            if place >= len(known):
                keep(trials)
            watcher.trial(trial)
        return better_half(field, [trial.las for trial in trials[-len(field) :]])

    for number in range(1, rounds + 1):
        field = hold(number, f"round {number} of {rounds}", whole / rounds)
    left = whole * (min(field[0].cost, usual.cost) - 1)
    if usual not in field and left >= whole / rounds:
        field = [*field, usual]
        hold(rounds + 1, "play-off", left)
    return tuple(trials)


def usual_of(field: Sequence[Candidate], model: str, sentences: Sequence[Sentence], one_root: bool) -> Candidate:
    """The candidate that is right on average for such a treebank; the first where it is none."""
    usual, _ = choose_quickly(model, sentences, one_root)
    same = [
        c for c in field if (c.system, c.oracle, c.non_projective) == (usual.system, usual.oracle, usual.non_projective)
    ]
    return [*same, field[0]][0]


def try_out(
    candidate: Candidate, part: Corpus, dev: Corpus, options: Options, make: Making, watcher: Watcher, what: str
) -> float:
    """The LAS on dev behind the last epoch of a short training."""
    chosen = decided(options, candidate.system, candidate.oracle, candidate.non_projective)
    trainer = make(plan(part, dev, chosen, lambda message: None), dev.sentences, chosen.epochs)
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
