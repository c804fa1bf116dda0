"""Segmenters: from raw text to sentences of tokens."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rearc.segment.characters import CLASSES
from rearc.segment.lexicon import Lexicon
from rearc.segment.paragraphs import LIMIT, content_end, pieces, spaces_end
from rearc.segment.sentences import SentenceModel
from rearc.segment.spaces import form_of, misc_of
from rearc.segment.text import Text, Tokens
from rearc.segment.tokens import TokenModel
from rearc.segment.weights import Weights
from rearc.treebank import Sentence

Tensors = dict[str, NDArray[Any]]
_MISC = ("SpaceAfter=No", "_")  # by what is behind a token: nothing, one space
_SPACES = re.compile(r"[\s\0]+")


class Segmented(NamedTuple):
    """A sentence out of a text.

    >>> from rearc.treebank import read, sample
    >>> segmenter = Segmenter.train(read(sample()))
    >>> segmenter.segment("A dog barks.")[0].ranges
    [(0, 1), (2, 5), (6, 11), (11, 12)]
    """

    sentence: Sentence
    ranges: list[tuple[int, int]]  # where in the whole text each of its surface tokens is
    begins_paragraph: bool


class Segmenter:
    """A trained segmenter; `Segmenter.train` makes one. One segmenter serves any number of threads at a time.

    >>> from rearc.treebank import read, sample
    >>> segmenter = Segmenter.train(read(sample()))
    >>> [found.sentence.forms for found in segmenter.segment("A dog barks. The cat sleeps!")]
    [['A', 'dog', 'barks', '.'], ['The', 'cat', 'sleeps', '!']]
    """

    def __init__(self, header: dict[str, Any], tensors: Tensors, tokens: TokenModel, sentences: SentenceModel) -> None:
        self._header, self._tensors = header, tensors
        self._tokens, self._sentences = tokens, sentences
        self._joins = bool(header["joins"])

    @staticmethod
    def train(
        sentences: Iterable[Sentence],
        dev: Iterable[Sentence] | None = None,
        *,
        seed: int = 1,
        report: Any = None,
    ) -> Segmenter:
        """Learn from the sentences of a treebank; learning.train says more."""
        from rearc.segment.learning import train

        return train(sentences, dev, seed=seed, report=report)

    def segment(self, text: str) -> list[Segmented]:
        """The sentences of a text. White space alone has none."""
        return list(self.segment_blocks([text]))

    def segment_blocks(self, blocks: Iterable[str]) -> Iterator[Segmented]:
        """The sentences of a text that comes in blocks, each as soon as its paragraph is there.

        What comes out does not depend on the blocks. A paragraph of more than 262,144 characters is segmented in parts: each
        begins with the sentence that is the last of the part before it, as if a paragraph began there.
        """
        offset = 0  # of `text` in the whole text
        text = ""
        begins = True
        for piece, whole in pieces(blocks):
            text += piece
            while content_end(text) > LIMIT:
                found, used = self._part(text, offset, begins)
                yield from found
                begins = False
                offset += used
                text = text[used:]
            if whole:
                yield from self._segment(text, offset, begins)
                offset += len(text)
                text = ""
                begins = True

    def tokenise(self, line: str) -> Segmented:
        """The tokens of a text that is one sentence."""
        tokens = self._tokens.cut(Text(line))
        if not tokens.count:
            raise ValueError("found nothing but white space, expected a sentence")
        lasts = np.zeros(tokens.count, dtype=np.uint8)
        lasts[-1] = 1
        return next(self._build(line, tokens, lasts, 0, False))

    def _segment(self, text: str, offset: int, begins: bool) -> Iterator[Segmented]:
        """All sentences of whole paragraphs."""
        tokens = self._tokens.cut(Text(text))
        return self._build(text, tokens, self._sentences.cut(tokens), offset, begins)

    def _part(self, text: str, offset: int, begins: bool) -> tuple[list[Segmented], int]:
        """The sentences at the beginning of a long paragraph, and how many characters they are."""
        used = spaces_end(text, LIMIT)
        found = list(self._segment(text[:used], offset, begins))
        if len(found) > 1:
            used = found.pop().ranges[0][0] - offset
        elif len(found[0].ranges) > 1:  # no sentence ends here: all but its last token
            used = found[0].ranges[-1][0] - offset
            found = list(self._segment(text[:used], offset, begins))
        return found, used

    def _build(
        self, text: str, tokens: Tokens, lasts: NDArray[np.uint8], offset: int, begins: bool
    ) -> Iterator[Segmented]:
        starts, ends, gaps = tokens.starts.tolist(), tokens.ends.tolist(), tokens.gaps.tolist()
        starts.append(len(text))
        before = text[: starts[0]] if not offset else ""
        first = 0
        for last in np.flatnonzero(lasts).tolist():
            stop = last + 1
            forms = [text[a:b] for a, b in zip(starts[first:stop], ends[first:stop], strict=True)]
            plain = text[starts[first] : ends[last]]
            kinds = gaps[first:stop]
            if max(kinds) > 1 or before or self._joins:
                spaces = [text[a:b] for a, b in zip(ends[first:stop], starts[first + 1 : stop + 1], strict=True)]
                misc = [misc_of("", form, after) for form, after in zip(forms, spaces, strict=True)]
                misc[0] = misc_of(before, forms[0], spaces[0])
                forms = list(map(form_of, forms))
                plain = _SPACES.sub(" ", plain)
                before = ""
            else:
                misc = [_MISC[kind] for kind in kinds]
            comments = ["# newpar", f"# text = {plain}"] if begins else [f"# text = {plain}"]
            # Surface tokens are known here: what splits multiword tokens into words takes forms and misc, and gives words and spans.
            sentence = Sentence(forms, misc=misc, comments=comments)
            ranges = [(a + offset, b + offset) for a, b in zip(starts[first:stop], ends[first:stop], strict=True)]
            yield Segmented(sentence, ranges, begins)
            begins = kinds[-1] == 4
            first = stop

    @property
    def header(self) -> dict[str, Any]:
        """All of it but the arrays, ready for JSON."""
        return dict(self._header)

    def tensors(self) -> Tensors:
        """The arrays, by name."""
        return dict(self._tensors)

    @staticmethod
    def from_tensors(header: Any, tensors: Tensors) -> Segmenter:
        """The segmenter again. ValueError says what is wrong with what is given."""
        if not isinstance(header, dict) or header.keys() != {"tokens", "sentences", "joins"}:
            raise ValueError("found no header of a segmenter")
        words = Lexicon(_array(tensors, "words/keys", np.uint32), _array(tensors, "words/facts", np.uint8, 2))
        keys = _array(tensors, "splits/keys", np.uint32)
        splits = Lexicon(keys, np.ones((len(keys), 3), dtype=np.uint8))
        token_templates, token_weights = _model(header, tensors, "tokens")
        templates, weights = _model(header, tensors, "sentences")
        tokens = TokenModel(token_weights, token_templates, words, splits, _pairs(header["joins"]))
        return Segmenter(header, tensors, tokens, SentenceModel(weights, templates, words))

    def __repr__(self) -> str:
        return f"<Segmenter with {len(self._tensors['words/keys']):,} known words>"


def packed(weights: NDArray[np.float32]) -> tuple[float, NDArray[np.int8]]:
    """(scale, codes): weights in 8 bits. A weight is its code times the scale."""
    scale = float(np.abs(weights).max()) / 127 or 1.0
    return scale, np.round(weights / scale).astype(np.int8)


def _model(header: dict[str, Any], tensors: Tensors, name: str) -> tuple[str, Weights]:
    entry = header[name]
    if not isinstance(entry, dict) or entry.keys() != {"templates", "scale", "bias"}:
        raise ValueError(f"found no {name} in the header of a segmenter")
    if type(entry["templates"]) is not str:
        raise ValueError(f"found templates of {name} that are no text")
    for value in (entry["scale"], entry["bias"]):
        if type(value) is not float or not math.isfinite(value):
            raise ValueError(f"found {str(value)[:40]!r} for {name} in the header of a segmenter, expected a number")
    codes = _array(tensors, f"{name}/weights", np.int8)
    return entry["templates"], Weights(codes * np.float32(entry["scale"]), entry["bias"])


def _pairs(joins: Any) -> list[tuple[int, int]]:
    if not isinstance(joins, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(name in CLASSES for name in pair) for pair in joins
    ):
        raise ValueError("found joins that are no pairs of classes of characters")
    return [(CLASSES.index(a), CLASSES.index(b)) for a, b in joins]


def _array(tensors: Tensors, name: str, kind: type, dimensions: int = 1) -> NDArray[Any]:
    array = tensors.get(name)
    if array is None or array.ndim != dimensions or array.dtype != kind:
        raise ValueError(f"found no tensor {name} for the segmenter")
    return array
