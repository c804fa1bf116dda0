"""Learning where tokens and sentences end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.segment.characters import CLASSES, class_of
from rearc.segment.defaults import SENTENCES, TOKENS
from rearc.segment.gold import Gold, Pieces, gold_text, pieces_of
from rearc.segment.lexicon import Lexicon, key_of
from rearc.segment.segmenter import Segmenter, packed
from rearc.segment.sentences import SentenceModel
from rearc.segment.spaces import tokens_of
from rearc.segment.tokens import TokenModel
from rearc.segment.weights import Learner
from rearc.treebank import Sentence

TOKEN_EPOCHS = 4
SENTENCE_EPOCHS = 12
RATE = 0.003
DROPOUT = 0.5
BIASES = tuple(0.2 * k for k in range(-7, 8))
SIZE = 1 << 20  # weights of a model
PARAGRAPHS = 0.2  # the share of the sentences at whose ends the token model sees a paragraph end


@dataclass(frozen=True)
class SegmentEpoch:
    """What is reported after each epoch."""

    part: str  # tokens or sentences
    epoch: int
    epochs: int
    mistakes: int
    f1: float | None  # of sentences on dev, in percent


Report = Callable[[SegmentEpoch], object]


def train(
    sentences: Iterable[Sentence], dev: Iterable[Sentence] | None = None, *, seed: int = 1, report: Report | None = None
) -> Segmenter:
    """Learn to segment. The same sentences and seed give the same segmenter."""
    treebank = list(sentences)
    if not treebank:
        raise ValueError("found no sentences, expected some to learn from")
    report = report or (lambda epoch: None)
    rng = np.random.default_rng(seed)
    pieces = pieces_of(treebank)
    words = lexicon(treebank, pieces)
    ends = ["\n\n" if rng.random() < PARAGRAPHS else sentence[-1][1] for sentence in pieces]
    text = gold_text(pieces, ends)
    token_model = TokenModel(Learner(np.zeros(SIZE)), TOKENS, words, splits(text), joins(pieces))
    places = token_model.starts_of_chunks(text.tokens.text)
    for epoch in range(TOKEN_EPOCHS):
        mistakes = token_model.learn(text.tokens, rng.permutation(places))
        report(SegmentEpoch("tokens", epoch + 1, TOKEN_EPOCHS, mistakes, None))

    text = gold_text(pieces)
    dev_pieces = pieces_of(list(dev or ()))
    dev_text = gold_text(dev_pieces) if dev_pieces else None
    model = SentenceModel(Learner(np.zeros(SIZE)), SENTENCES, words)
    firsts = np.flatnonzero(np.r_[1, text.lasts[:-1]])
    best: tuple[float, NDArray[np.float32], float] | None = None
    for epoch in range(SENTENCE_EPOCHS):
        rate = RATE * (1 - epoch / SENTENCE_EPOCHS)
        mistakes = model.learn(
            text.tokens, text.lasts, rng.permutation(firsts), rate, DROPOUT, int(rng.integers(2**60))
        )
        f1 = None
        if dev_text is not None:
            weights = model.weights.average()
            f1, bias = max((_f1(weights, b, words, dev_text), b) for b in BIASES)
            if best is None or f1 > best[0]:
                best = f1, weights, bias
        report(SegmentEpoch("sentences", epoch + 1, SENTENCE_EPOCHS, mistakes, f1))
    _, weights, bias = best or (0.0, model.weights.average(), 0.0)

    token_scale, token_codes = packed(token_model.weights.average())
    scale, codes = packed(weights)
    header = {
        "tokens": {"templates": token_model.templates.text, "scale": token_scale, "bias": 0.0},
        "sentences": {"templates": model.templates.text, "scale": scale, "bias": bias},
        "joins": [[CLASSES[a], CLASSES[b]] for a, b in token_model.joined],
    }
    tensors = {
        "tokens/weights": token_codes,
        "sentences/weights": codes,
        "words/keys": words.keys,
        "words/facts": words.facts,
        "splits/keys": token_model.splits.keys,
    }
    return Segmenter.from_tensors(header, tensors)


def _f1(weights: NDArray[np.float32], bias: float, words: Lexicon, gold: Gold) -> float:
    from rearc.segment.weights import Weights

    model = SentenceModel(Weights(weights, bias), SENTENCES, words)
    found = spans(model.cut(gold.tokens))
    right = spans(gold.lasts)
    return 200 * len(found & right) / (len(found) + len(right))


def spans(lasts: NDArray[np.uint8]) -> set[tuple[int, int]]:
    """The sentences: (first token, first token behind)."""
    return set(pairwise([0, *(np.flatnonzero(lasts) + 1).tolist()]))


def lexicon(sentences: Sequence[Sentence], pieces: Sequence[Pieces]) -> Lexicon:
    """What is known of the words of a treebank."""
    counts: Counter[str] = Counter()
    cases: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    tags: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence, parts in zip(sentences, pieces, strict=True):
        for k, (token, _) in enumerate(parts):
            low = token.lower()
            counts[low] += 1
            if k and token[0].isalpha():
                cases[low][not token[0].isupper()] += 1
        for form, upos in zip(sentence.forms, sentence.upos, strict=True):
            tags[form.lower()][upos] += 1
    numbers = {upos: k for k, upos in enumerate(sorted({u for c in tags.values() for u in c} - {"_"})[:254], 1)}
    rows = {}
    for low, count in counts.items():
        large, small = cases[low]
        kind = 0 if not large + small else 3 if small > 4 * large else 2 if 2 * small >= large else 1
        usual = max(sorted(tags[low]), key=lambda u: tags[low][u]) if tags[low].total() > 1 else ""
        rows[key_of(low)] = [min(count, 255), kind, numbers.get(usual, 0)]
    keys = sorted(rows)
    return Lexicon(keys, [rows[key] for key in keys])


def joins(pieces: Sequence[Pieces]) -> list[tuple[int, int]]:
    """The classes around single spaces within tokens."""
    found = set()
    for parts in pieces:
        for token, _ in parts:
            for k in range(1, len(token) - 1):
                if class_of(token[k]) == "space":
                    found.add((CLASSES.index(class_of(token[k - 1])), CLASSES.index(class_of(token[k + 1]))))
    return sorted(found)


def splits(gold: Gold) -> Lexicon:
    """Chunks of letters alone that are more than one token."""
    starts, ends = gold.tokens.starts.tolist(), gold.tokens.ends.tolist()
    found: set[str] = set()
    begin = 0
    for (start, end), (following, _) in pairwise([*zip(starts, ends, strict=True), (-1, -1)]):
        if end != following:
            if begin < start:
                found.add(gold.text[begin:end].lower())
            begin = following
    keys = sorted({key_of(chunk) for chunk in found if chunk.isalpha()})
    return Lexicon(keys, [[1, 0, 0]] * len(keys))
