"""Learning where tokens and sentences end.

Both models are averaged logistic regressions. What the lexicon knows of
a word from the very place that is learnt does not count there: else the models would trust it more than they can later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.segment.abbreviations import with_abbreviations
from rearc.segment.characters import CLASSES
from rearc.segment.defaults import SENTENCES, TOKENS
from rearc.segment.digits import with_other_digits
from rearc.segment.gold import Gold, Pieces, gold_text, pieces_of
from rearc.segment.inserted import with_marks
from rearc.segment.knowledge import joins, lexicon, splits
from rearc.segment.layout import in_another_order, laid_out
from rearc.segment.lexicon import KnownWords
from rearc.segment.marks import in_other_marks
from rearc.segment.multiwords import Splitter
from rearc.segment.rare import with_rare_tokens
from rearc.segment.segmenter import SPLITTER, Segmenter, Tensors, packed
from rearc.segment.sentences import SentenceModel
from rearc.segment.tokens import TokenModel
from rearc.segment.weights import Learner, Weights
from rearc.treebank import Sentence

TOKEN_EPOCHS, TOKEN_RATE = 16, 0.2  # the rate is that of the first epoch; it falls to 0
SENTENCE_EPOCHS, SENTENCE_RATE = 16, 0.05
ORDERS = 3  # in which the sentence model sees the sentences, beside their own: each with other neighbours
SIZE = 1 << 18  # weights of a model
BIASES = tuple(k / 4 for k in range(-11, 16))  # what is tried on dev
AROUND = 3  # neighbours on each side that a bias is judged together with, as dev may be small
PRICE = 0.3  # points of F1 that a bias has to earn for each unit that it is away from 0
COPIES = in_other_marks, with_marks, with_rare_tokens, with_other_digits, with_abbreviations  # for the token model
PARAGRAPHS = 0.2  # the share of the sentences behind which the token model sees a paragraph end


@dataclass(frozen=True)
class SegmentEpoch:
    """What is reported after each epoch.

    >>> from rearc.treebank import read, sample
    >>> seen = []
    >>> segmenter = train(read(sample()), report=seen.append)
    >>> seen[0].part, seen[0].epoch, seen[0].epochs, seen[-1].part
    ('tokens', 1, 16, 'multiwords')
    """

    part: str  # tokens, sentences or multiwords
    epoch: int
    epochs: int
    mistakes: int
    f1: float | None  # of sentences on dev, in percent, with gold tokens


Report = Callable[[SegmentEpoch], object]


def train(
    sentences: Iterable[Sentence], dev: Iterable[Sentence] | None = None, *, seed: int = 1, report: Report | None = None
) -> Segmenter:
    """Learn to segment. The same sentences and seed give the same segmenter.

    dev: how easily a sentence ends is chosen on it. report: called after each epoch.

    >>> from rearc.treebank import read, sample
    >>> train(read(sample())).tokenise("Dogs bark.").sentence.forms
    ['Dogs', 'bark', '.']
    """
    treebank, held_out = list(sentences), list(dev or ())
    if not treebank:
        raise ValueError("found no sentences, expected some to learn from")
    report = report or (lambda epoch: None)
    pieces = pieces_of(treebank)
    words = lexicon(treebank, pieces)
    for_tokens, for_sentences = np.random.default_rng(seed).spawn(2)  # a change of one model leaves the other as it was
    models = {
        "tokens": _learn_tokens(pieces, words, for_tokens, report),
        "sentences": _learn_sentences(pieces, pieces_of(held_out), words, for_sentences, report),
    }
    split = splits(gold_text(pieces))
    header: dict[str, Any] = {"joins": [[CLASSES[a], CLASSES[b]] for a, b in joins(pieces)]}
    tensors: Tensors = {"words/keys": words.keys, "words/facts": words.facts, "splits/keys": split.keys}
    for name, (templates, weights, bias) in models.items():
        tensors[f"{name}/weights"], threshold = packed(weights, bias)
        header[name] = {"templates": " ".join(templates.split()), "threshold": threshold}

    def look(epoch: int, epochs: int, mistakes: int) -> None:
        report(SegmentEpoch("multiwords", epoch, epochs, mistakes, None))

    splitter = Splitter.train(treebank, seed=seed, report=look)
    header["splitter"] = splitter.header if splitter else None
    tensors |= {SPLITTER + name: array for name, array in splitter.tensors().items()} if splitter else {}
    return Segmenter.from_tensors(header, tensors)


Model = tuple[str, NDArray[np.float32], float]  # templates, weights, bias


def _learn_tokens(pieces: Sequence[Pieces], words: KnownWords, rng: np.random.Generator, report: Report) -> Model:
    text = [*pieces, *chain.from_iterable(copies(pieces, rng) for copies in COPIES)]
    ends = ["\n\n" if rng.random() < PARAGRAPHS else sentence[-1][1] for sentence in text]
    gold = gold_text(text, ends)
    learner = Learner(np.zeros(SIZE))
    model = TokenModel(learner, TOKENS, words, splits(gold), joins(pieces))
    chunks = model.starts_of_chunks(gold.tokens.text)
    for epoch in range(TOKEN_EPOCHS):
        rate = TOKEN_RATE * (1 - epoch / TOKEN_EPOCHS)
        mistakes = model.learn(gold.tokens, rng.permutation(chunks), rate)
        report(SegmentEpoch("tokens", epoch + 1, TOKEN_EPOCHS, mistakes, None))
    return TOKENS, learner.average(), 0.0


def _learn_sentences(
    pieces: Sequence[Pieces], dev: Sequence[Pieces], words: KnownWords, rng: np.random.Generator, report: Report
) -> Model:
    orders = [pieces, *(in_another_order(pieces, rng) for _ in range(ORDERS))]
    gold = gold_text([sentence for order in orders for sentence in laid_out(order, rng)])
    learner = Learner(np.zeros(SIZE))
    model = SentenceModel(learner, SENTENCES, words)
    firsts = np.flatnonzero(np.r_[1, gold.lasts[:-1]])
    bias = 0.0
    for epoch in range(SENTENCE_EPOCHS):
        rate = SENTENCE_RATE * (1 - epoch / SENTENCE_EPOCHS)
        mistakes = model.learn(gold.tokens, gold.lasts, rng.permutation(firsts), rate)
        f1 = None
        if dev and epoch + 1 == SENTENCE_EPOCHS:
            bias, f1 = _best_bias(learner.average(), words, gold_text(dev))
        report(SegmentEpoch("sentences", epoch + 1, SENTENCE_EPOCHS, mistakes, f1))
    return SENTENCES, learner.average(), bias


def _best_bias(weights: NDArray[np.float32], words: KnownWords, gold: Gold) -> tuple[float, float]:
    """(bias, F1): what is best together with its neighbours, as dev may be small, and worth being away from 0."""
    right = _spans(gold.lasts)
    scores = []
    for bias in BIASES:
        found = _spans(SentenceModel(Weights(weights, bias), SENTENCES, words).cut(gold.tokens))
        scores.append(200 * len(found & right) / (len(found) + len(right)))

    def worth(k: int) -> float:
        near = scores[k - AROUND : k + AROUND + 1]
        return sum(near) / len(near) - PRICE * abs(BIASES[k])

    best = max(range(AROUND, len(BIASES) - AROUND), key=lambda k: (round(worth(k), 6), -abs(BIASES[k])))
    return BIASES[best], scores[best]


def _spans(lasts: NDArray[np.uint8]) -> set[tuple[int, int]]:
    """The sentences: (first token, first token behind)."""
    return set(pairwise([0, *(np.flatnonzero(lasts) + 1).tolist()]))
