"""Segmenters: from raw text to sentences of tokens."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rearc.segment.characters import CLASSES
from rearc.segment.lexicon import KnownWords
from rearc.segment.multiwords import Splitter
from rearc.segment.paragraphs import BATCH, LIMIT, content_end, line_parts, pieces, spaces_end
from rearc.segment.sentences import SentenceModel
from rearc.segment.text import Text, Tokens
from rearc.segment.tokens import TokenModel
from rearc.segment.weights import Weights
from rearc.treebank import Multiword, Sentence
from rearc.treebank.spaces import form_of, misc_of

Tensors = dict[str, NDArray[Any]]
MAX_THRESHOLD = 1e6
ONE_SPACE, PARAGRAPH = 1, 4  # of what text.pxd says can be behind a token; 0 is nothing
SPLITTER = "splitter/"  # before the names of its tensors
_MISC = ("SpaceAfter=No", "_")  # for nothing and for one space
_TENSORS = {
    "tokens/weights": np.int8, "sentences/weights": np.int8,
    "words/keys": np.uint32, "words/facts": np.uint8, "splits/keys": np.uint32,
}  # fmt: skip
_SPACES = re.compile(r"[\s\0]+")
_ODD_SPACE = re.compile(r"[^\S ]|\0")


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


class _Piece(NamedTuple):
    """A sentence of tokens, before these are split into words."""

    forms: list[str]
    misc: list[str]
    comments: list[str]
    ranges: list[tuple[int, int]]
    begins: bool  # a paragraph


class Segmenter:
    """A trained segmenter; `Segmenter.train` makes one. One segmenter serves any number of threads at a time.

    >>> from rearc.treebank import read, sample
    >>> segmenter = Segmenter.train(read(sample()))
    >>> [found.sentence.forms for found in segmenter.segment("A dog barks. The cat sleeps!")]
    [['A', 'dog', 'barks', '.'], ['The', 'cat', 'sleeps', '!']]
    """

    def __init__(
        self,
        header: dict[str, Any],
        tensors: Tensors,
        tokens: TokenModel,
        sentences: SentenceModel,
        splitter: Splitter | None = None,
    ) -> None:
        self._header, self._tensors = deepcopy(header), tensors
        self._tokens, self._sentences, self._splitter = tokens, sentences, splitter
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
        if len(text) > BATCH:
            return list(self.segment_blocks([text]))
        return self._segment(text, 0, True) if content_end(text) else []

    def segment_blocks(self, blocks: Iterable[str]) -> Iterator[Segmented]:
        """The sentences of a text that comes in blocks, each as soon as its paragraph is there.

        What comes out does not depend on the blocks. A paragraph of more than 262,144 characters is segmented in parts:
        the last sentence of a part is not believed, and the next part begins with it, as if a paragraph began there. A
        sentence that is longer than that is cut before its last token, and such a token where the part ends.
        """
        offset = 0  # of `text` in the whole text
        text = ""
        begins = True
        for piece, whole in pieces(blocks):
            text += piece
            while content_end(text) > spaces_end(text) + LIMIT:
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

    def segment_lines(self, lines: Iterable[str]) -> Iterator[Segmented]:
        """The sentences of a text that has one on each line; blank lines are white space behind the one before.

        A line of more than 262,144 characters is taken as several.
        """
        offset = 0
        held: list[str] = []  # a line that is no blank one, with those around it
        begun = False
        for line in chain.from_iterable(map(line_parts, lines)):
            if content_end(line):
                if begun:
                    yield self._line("".join(held), offset)
                    offset += sum(map(len, held))
                    held = []
                begun = True
            held.append(line)
        if begun:
            yield self._line("".join(held), offset)

    def _line(self, line: str, offset: int) -> Segmented:
        found = self.tokenise(line)
        return found._replace(ranges=[(start + offset, end + offset) for start, end in found.ranges])

    def tokenise(self, line: str) -> Segmented:
        """The tokens of a text that is one sentence."""
        tokens = self._tokens.cut(Text(line))
        if not tokens.count:
            raise ValueError("found nothing but white space, expected a sentence")
        lasts = np.zeros(tokens.count, dtype=np.uint8)
        lasts[-1] = 1
        return self._build(line, tokens, lasts, 0, False)[0]

    def sentence_ends(self, text: str, starts: Sequence[int], ends: Sequence[int]) -> NDArray[np.uint8]:
        """1 for each of the given tokens that a sentence ends with, else 0: for those who have tokens of their own.

        >>> from rearc.treebank import read, sample
        >>> segmenter = Segmenter.train(read(sample()))
        >>> segmenter.sentence_ends("Go on. Dogs bark.", [0, 3, 5, 7, 12, 16], [2, 5, 6, 11, 16, 17]).tolist()
        [0, 0, 1, 0, 0, 1]
        """
        return self._sentences.cut(Tokens(Text(text), starts, ends))

    def _segment(self, text: str, offset: int, begins: bool) -> list[Segmented]:
        """All sentences of whole paragraphs."""
        tokens = self._tokens.cut(Text(text))
        return self._build(text, tokens, self._sentences.cut(tokens), offset, begins)

    def _part(self, text: str, offset: int, begins: bool) -> tuple[list[Segmented], int]:
        """The sentences at the beginning of a long paragraph, and how many characters they are."""
        used = spaces_end(text, spaces_end(text) + LIMIT)
        found = self._segment(text[:used], offset, begins)
        if len(found) > 1:
            used = found.pop().ranges[0][0] - offset
        elif len(found[0].ranges) > 1:  # no sentence ends here: all but its last token
            used = found[0].ranges[-1][0] - offset
            found = self._segment(text[:used], offset, begins)
        return found, used

    def _build(self, text: str, tokens: Tokens, lasts: NDArray[np.uint8], offset: int, begins: bool) -> list[Segmented]:
        starts, ends, gaps = tokens.starts.tolist(), tokens.ends.tolist(), tokens.gaps.tolist()
        ranges = list(zip(starts, ends, strict=True))
        forms = [text[start:end] for start, end in ranges]
        if offset:
            ranges = [(start + offset, end + offset) for start, end in ranges]
        starts.append(len(text))
        before = text[: starts[0]] if not offset else ""
        wide = np.flatnonzero(tokens.gaps > ONE_SPACE).tolist()
        first = 0
        found: list[_Piece] = []
        for last in np.flatnonzero(lasts).tolist():
            stop = last + 1
            words, kinds = forms[first:stop], gaps[first:stop]
            plain = text[starts[first] : ends[last]]
            says_last = kinds[-1] == ONE_SPACE and stop == len(forms)  # where silence would not mean a space
            odd = self._joins and _ODD_SPACE.search(plain)  # within a token, if only spaces are between them
            if bisect_left(wide, first) < bisect_left(wide, stop) or before or says_last or odd:
                spaces = [text[end:start] for end, start in zip(ends[first:stop], starts[first + 1 :], strict=False)]
                misc = [
                    misc_of(before if k == first else "", word, after, says_last and k == last)
                    for k, (word, after) in enumerate(zip(words, spaces, strict=True), first)
                ]
                words = list(map(form_of, words))
                plain = _SPACES.sub(" ", plain)
                before = ""
            else:
                misc = [_MISC[kind] for kind in kinds]
            comments = ["# newpar", f"# text = {plain}"] if begins else [f"# text = {plain}"]
            found.append(_Piece(words, misc, comments, ranges[first:stop], begins))
            begins = kinds[-1] == PARAGRAPH
            first = stop
        if self._splitter is None:
            return [Segmented(Sentence(p.forms, misc=p.misc, comments=p.comments), p.ranges, p.begins) for p in found]
        split = self._splitter.split([piece.forms for piece in found])
        return [_with_words(piece, words) for piece, words in zip(found, split, strict=True)]

    @property
    def header(self) -> dict[str, Any]:
        """All of it but the arrays, ready for JSON."""
        return deepcopy(self._header)

    def tensors(self) -> Tensors:
        """The arrays, by name."""
        return dict(self._tensors)

    @staticmethod
    def from_tensors(header: Any, tensors: Tensors) -> Segmenter:
        """The segmenter again. ValueError says what is wrong with what is given."""
        if not isinstance(header, dict) or header.keys() != {"tokens", "sentences", "joins", "splitter"}:
            raise ValueError("found no header of a segmenter")
        of_splitter = {name.removeprefix(SPLITTER): a for name, a in tensors.items() if name.startswith(SPLITTER)}
        splitter = Splitter.from_tensors(header["splitter"], of_splitter) if header["splitter"] is not None else None
        kept = {SPLITTER + name: array for name, array in splitter.tensors().items()} if splitter else {}
        tensors = {name: _array(tensors, name, kind) for name, kind in _TENSORS.items()} | kept
        words = KnownWords(tensors["words/keys"], tensors["words/facts"])
        keys = tensors["splits/keys"]
        splits = KnownWords(keys, np.ones((len(keys), 4), dtype=np.uint8))
        tokens = TokenModel(*_model(header, tensors, "tokens"), words, splits, _pairs(header["joins"]))
        sentences = SentenceModel(*_model(header, tensors, "sentences"), words)
        return Segmenter(header, tensors, tokens, sentences, splitter)

    def __repr__(self) -> str:
        return f"<Segmenter with {len(self._tensors['words/keys']):,} known words>"


def packed(weights: NDArray[np.float32], bias: float) -> tuple[NDArray[np.int8], float]:
    """(codes, threshold): weights in 8 bits. The sum of the codes is above the threshold where the score is above 0.

    >>> codes, threshold = packed(np.array([0.5, -1.0], dtype=np.float32), 0.25)
    >>> codes.tolist(), threshold
    ([64, -127], -31.75)
    """
    scale = float(np.abs(weights).max()) / 127 or 1.0
    return np.round(weights / scale).astype(np.int8), -bias / scale


def _with_words(piece: _Piece, words: list[list[str]]) -> Segmented:
    """The sentence with multiword tokens and the words in them."""
    if len(max(words, key=len)) == 1:
        return Segmented(Sentence(piece.forms, misc=piece.misc, comments=piece.comments), piece.ranges, piece.begins)
    forms: list[str] = []
    misc: list[str] = []
    multiwords: list[Multiword] = []
    for form, said, parts in zip(piece.forms, piece.misc, words, strict=True):
        if len(parts) > 1:
            multiwords.append(Multiword(len(forms) + 1, len(forms) + len(parts), form, misc=said))
            forms += parts
            misc += ["_"] * len(parts)
        else:
            forms.append(form)
            misc.append(said)
    sentence = Sentence(forms, misc=misc, comments=piece.comments, multiwords=multiwords)
    return Segmented(sentence, piece.ranges, piece.begins)


def _model(header: dict[str, Any], tensors: Tensors, name: str) -> tuple[Weights, str]:
    entry = header[name]
    if not isinstance(entry, dict) or entry.keys() != {"templates", "threshold"} or type(entry["templates"]) is not str:
        raise ValueError(f"found no templates and threshold of {name} in the header of a segmenter")
    if type(entry["threshold"]) is not float or not abs(entry["threshold"]) <= MAX_THRESHOLD:
        raise ValueError(
            f"found the threshold {str(entry['threshold'])[:40]!r}, expected a number up to {MAX_THRESHOLD}"
        )
    return Weights(tensors[f"{name}/weights"], -entry["threshold"]), entry["templates"]


def _pairs(joins: Any) -> list[tuple[int, int]]:
    if not isinstance(joins, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(name in CLASSES for name in pair) for pair in joins
    ):
        raise ValueError("found joins that are no pairs of classes of characters")
    return [(CLASSES.index(a), CLASSES.index(b)) for a, b in joins]


def _array(tensors: Tensors, name: str, kind: type) -> NDArray[Any]:
    """A copy that nobody can change: a segmenter is saved from it."""
    array = tensors.get(name)
    if not isinstance(array, np.ndarray) or array.ndim != 1 + (name == "words/facts") or array.dtype != kind:
        raise ValueError(f"found no tensor {name} for the segmenter")
    array = array.copy()
    array.flags.writeable = False
    return array
