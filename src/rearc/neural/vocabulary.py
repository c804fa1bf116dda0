"""Words, characters and tags as numbers. 0 is for what is not known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rearc.treebank import Sentence

LARGEST = 1 << 24


def word_of(form: str) -> str:
    """What a form's vector goes by: capitals are for the characters to see."""
    return form.lower()


def features_of(feats: str) -> list[str]:
    """The features in a FEATS column.

    >>> features_of("Case=Nom|Number=Sing")
    ['Case=Nom', 'Number=Sing']
    """
    return [] if feats == "_" else feats.split("|")


@dataclass(frozen=True)
class Vocabulary:
    """Numbers for strings, in the order in which the strings are listed."""

    words: Mapping[str, int]
    characters: Mapping[str, int]
    upos: Mapping[str, int]
    feats: Mapping[str, int]  # features, or whole FEATS columns where they are predicted
    vectors: Mapping[str, int]  # the words that have a vector from outside

    def as_dict(self) -> dict[str, Any]:
        return {name: list(numbers) for name, numbers in vars(self).items()}


def decode_vocabulary(content: Any) -> Vocabulary:
    """A vocabulary out of a model file. ValueError says what is wrong with it."""
    names = ("words", "characters", "upos", "feats", "vectors")
    if not isinstance(content, dict) or content.keys() != set(names):
        raise ValueError("a vocabulary that is none")
    lists = [content[name] for name in names]
    if not all(isinstance(entries, list) and all(isinstance(entry, str) for entry in entries) for entries in lists):
        raise ValueError("a vocabulary of other things than strings")
    return Vocabulary(*map(_numbered, lists))


def _numbered(strings: Iterable[str]) -> dict[str, int]:
    return {string: k for k, string in enumerate(dict.fromkeys(strings), 1)}


def learn_vocabulary(
    sentences: Sequence[Sentence], *, joint: bool, vectors: Iterable[str] = ()
) -> tuple[Vocabulary, list[int]]:
    """The vocabulary of a treebank, and how often each word is there. With `joint`, FEATS are taken as a whole."""
    counts = Counter(word_of(form) for s in sentences for form in s.forms)
    words = sorted(counts, key=lambda word: (-counts[word], word))
    columns = Counter(feats for s in sentences for feats in s.feats)
    features = sorted(columns) if joint else sorted({part for feats in columns for part in features_of(feats)})
    vocabulary = Vocabulary(
        words=_numbered(words),
        characters=_numbered(sorted({character for s in sentences for form in s.forms for character in form})),
        upos=_numbered(sorted({tag for s in sentences for tag in s.upos})),
        feats=_numbered(features),
        vectors=_numbered(vectors),
    )
    return vocabulary, [0, *(counts[word] for word in words)]
