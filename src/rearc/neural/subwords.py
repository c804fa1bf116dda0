"""Words in the parts that a pretrained encoder knows, and long sentences in windows that overlap.

A word has the mean of its sub-words' vectors. What is made of a sentence depends on that sentence alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.errors import RearcError

Numbers = NDArray[np.int64]

MOST = 16  # sub-words of a word; what comes behind them is not looked at
LONGEST = 256  # characters of a word that are looked at: a longer one is no word that an encoder knows
WINDOW = 254  # sub-words of a window, if the encoder can see so many
OVERLAP = 4  # a window shares a quarter of its sub-words with the next one
KEPT = 1 << 17  # forms whose sub-words are kept


class EncoderError(RearcError):
    """A pretrained encoder cannot be used; the message says which, what was found, what was expected and what to do."""


@dataclass(frozen=True)
class Layout:
    """Sentences as windows of sub-words, one behind the other."""

    numbers: Numbers  # of the sub-words
    starts: Numbers  # where each window begins, and where the last ends
    places: Numbers  # of the sub-words that count, word by word
    words: Numbers  # where those of each word begin, and where the last ends


class Subwords:
    """A tokenizer as a model file keeps it: JSON of the library tokenizers.

    first, last: the numbers of what stands before and behind a window; unknown: of a word that has no sub-words.
    """

    def __init__(
        self, tokenizer: dict[str, Any], first: int, last: int, unknown: int, rows: int, positions: int
    ) -> None:
        """rows: the sub-words that the encoder knows. ValueError where the tokenizer does not fit."""
        self.tokenizer, self.first, self.last, self.unknown = tokenizer, first, last, unknown
        self.room = min(WINDOW, positions - 2)
        self.most = max(1, min(MOST, self.room // OVERLAP))
        self._encode = make_tokenizer(tokenizer)
        largest = max([first, last, unknown, *self._encode.get_vocab().values()])
        if largest >= rows:
            raise ValueError(f"a tokenizer with sub-words up to the number {largest:,} for an encoder of {rows:,}")
        self._known: dict[str, list[int]] = {}

    def of(self, form: str) -> list[int]:
        """The sub-words of a word: one at least."""
        found = self._known.get(form)
        if found is None:
            text = form[:LONGEST].encode("utf-8", "replace").decode()  # a lone surrogate is no text
            ids = self._encode.encode(text, add_special_tokens=False).ids
            found = ids[: self.most] or [self.unknown]
            if len(self._known) >= KEPT:
                self._known = {}
            self._known[form] = found
        return found

    def layout(self, sentences: Sequence[Sequence[Sequence[int]]]) -> Layout:
        """Of each sentence the sub-words of its words."""
        numbers: list[int] = []
        starts: list[int] = [0]
        places: list[int] = []
        words: list[int] = [0]
        for sentence in sentences:
            for begin, end, keep, kept in windows([len(word) for word in sentence], self.room):
                numbers.append(self.first)
                for number in range(begin, end):
                    if keep <= number < kept:
                        places.extend(range(len(numbers), len(numbers) + len(sentence[number])))
                        words.append(len(places))
                    numbers.extend(sentence[number])
                numbers.append(self.last)
                starts.append(len(numbers))
        return Layout(*(np.array(part, dtype=np.int64) for part in (numbers, starts, places, words)))


def windows(sizes: Sequence[int], room: int) -> list[tuple[int, int, int, int]]:
    """Windows over words of these sizes: the words begin … end − 1, of which those from keep to kept − 1 are looked at.

    The half of an overlap that is nearer to a window's middle is that window's.

    >>> windows([1, 2, 1], 8), windows([1] * 12, 8)
    ([(0, 3, 0, 3)], [(0, 8, 0, 7), (6, 12, 7, 12)])
    """
    found: list[tuple[int, int, int, int]] = []
    begin = keep = 0
    while keep < len(sizes):
        end, taken = begin, 0
        while end < len(sizes) and taken + sizes[end] <= room:
            taken += sizes[end]
            end += 1
        following, shared = end, 0
        while end < len(sizes) and shared + sizes[following - 1] <= room // OVERLAP and following - 1 > begin:
            following -= 1
            shared += sizes[following]
        kept = end if end == len(sizes) else (following + end + 1) // 2
        found.append((begin, end, keep, kept))
        begin, keep = following, kept
    return found


def make_tokenizer(content: dict[str, Any]) -> Any:
    """A tokenizer out of its JSON. ValueError says what is wrong with it, EncoderError that the library is missing."""
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise EncoderError(
            'found no library "tokenizers", expected it, as this model has a pretrained encoder; '
            'pip install "rearc[encoders]"'
        ) from None
    try:
        tokenizer = Tokenizer.from_str(json.dumps(content))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True  # a word that looks like [SEP] is a word
        tokenizer.encode("a", add_special_tokens=False)
    except Exception as error:
        raise ValueError(f"a tokenizer that is none ({' '.join(str(error).split())[:100]})") from None
    return tokenizer
