"""Words, characters and tags as numbers. 0 is for what is not known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from math import isqrt
from typing import Any

from rearc.neural.shape import Shape
from rearc.tagger.rules import make_rule
from rearc.treebank import Sentence

LARGEST = 1 << 24
LONGEST = (3, 6)  # beginnings and ends of words, in characters
LEAST = 2  # forms that share an affix, words that share a lemma rule
MUCH_TEXT = 500_000  # words, from which on a word that is there once has no vector of its own


def word_of(form: str) -> str:
    """What a form's vector goes by: capitals are for the characters to see."""
    return form.lower()


def features_of(feats: str) -> list[str]:
    """The features in a FEATS column.

    >>> features_of("Case=Nom|Number=Sing")
    ['Case=Nom', 'Number=Sing']
    """
    return [] if feats == "_" else feats.split("|")


def affixes_of(form: str) -> list[str]:
    """The beginnings and ends of a word; what stands between is marked by a hyphen.

    >>> affixes_of("Owls")
    ['o-', 'ow-', 'owl-', '-s', '-ls', '-wls', '-owls']
    """
    word = word_of(form)
    front, back = (range(1, min(longest, len(word)) + 1) for longest in LONGEST)
    return [word[:k] + "-" for k in front] + ["-" + word[-k:] for k in back]


def parts_of(column: str, tag: str) -> list[str]:
    """What a class of a tagger may share with others: features, or the case, the front and the back of a lemma rule.

    >>> parts_of("feats", "Case=Nom|Number=Sing"), parts_of("lemmas", "l|0|1y"), parts_of("upos", "NOUN")
    (['Case=Nom', 'Number=Sing'], ['0 l', '1 0', '2 1y'], [])
    """
    if column == "feats":
        return features_of(tag)
    if column == "lemmas" and not tag.startswith("="):
        return [f"{k} {part}" for k, part in enumerate(tag.split("|"))]
    return []


@dataclass(frozen=True)
class Vocabulary:
    """Numbers for strings, in the order in which the strings are listed."""

    words: Mapping[str, int]
    characters: Mapping[str, int]
    affixes: Mapping[str, int]
    upos: Mapping[str, int]
    xpos: Mapping[str, int]
    feats: Mapping[str, int]  # features, or whole FEATS columns where they are predicted
    lemmas: Mapping[str, int]  # lemma rules
    vectors: Mapping[str, int]  # the words that have a vector from outside

    def as_dict(self) -> dict[str, Any]:
        return {name: list(numbers) for name, numbers in vars(self).items()}

    def column(self, name: str) -> Mapping[str, int]:
        """The classes of a column."""
        numbers: Mapping[str, int] = getattr(self, name)
        return numbers


def decode_vocabulary(content: Any) -> Vocabulary:
    """A vocabulary out of a model file. ValueError says what is wrong with it."""
    names = [entry.name for entry in fields(Vocabulary)]
    if not isinstance(content, dict):
        raise ValueError("a vocabulary that is none")
    content = {"affixes": [], "xpos": [], "lemmas": [], **content}  # which files of older versions do not have
    if content.keys() != set(names):
        raise ValueError("a vocabulary that is none")
    lists = [content[name] for name in names]
    if not all(isinstance(entries, list) and all(isinstance(entry, str) for entry in entries) for entries in lists):
        raise ValueError("a vocabulary of other things than strings")
    return Vocabulary(*map(_numbered, lists))


def _numbered(strings: Iterable[str]) -> dict[str, int]:
    return {string: k for k, string in enumerate(dict.fromkeys(strings), 1)}


def learn_vocabulary(
    sentences: Sequence[Sentence], shape: Shape, vectors: Iterable[str] = ()
) -> tuple[Vocabulary, list[int]]:
    """The vocabulary of a treebank for a network, and how often each word is there; with a tagger FEATS are whole."""
    counts = Counter(word_of(form) for s in sentences for form in s.forms)
    least = 1 + isqrt(counts.total() // MUCH_TEXT)  # 2 there, 3 in four times as much, 4 in nine times
    counts = Counter({word: count for word, count in counts.items() if count >= least})
    words = sorted(counts, key=lambda word: (-counts[word], word))
    forms = {form for s in sentences for form in s.forms if word_of(form) in counts}
    feats = {feats for s in sentences for feats in s.feats}
    xpos = {tag for s in sentences for tag in s.xpos} if shape.xpos or "xpos" in shape.columns else ()
    vocabulary = Vocabulary(
        words=_numbered(words),
        characters=_numbered(sorted({character for form in forms for character in form})),
        affixes=_numbered(_shared(affix for form in forms for affix in affixes_of(form)) if shape.affixes else ()),
        upos=_numbered(sorted({tag for s in sentences for tag in s.upos})),
        xpos=_numbered(sorted(xpos)),
        feats=_numbered(sorted(feats if shape.columns else {part for entry in feats for part in features_of(entry)})),
        lemmas=_numbered(_rules(sentences) if "lemmas" in shape.columns else ()),
        vectors=_numbered(vectors),
    )
    return vocabulary, [0, *(counts[word] for word in words)]


def _shared(strings: Iterable[str]) -> list[str]:
    counts = Counter(strings)
    return sorted(string for string in counts if counts[string] >= LEAST)


def _rules(sentences: Iterable[Sentence]) -> list[str]:
    """The lemma rules of more than one word, or all where none is."""
    rules = [rule for s in sentences for rule in tags_of(s, "lemmas")]
    return _shared(rules) or sorted(set(rules))


def tags_of(sentence: Sentence, column: str) -> list[str]:
    """The classes of a sentence's words in a column to predict; those of lemmas are what makes them from the forms."""
    tags: list[str] = getattr(sentence, column)
    if column == "lemmas":
        return [_rule(form, lemma) for form, lemma in zip(sentence.forms, tags, strict=True)]
    return tags


_rule = lru_cache(maxsize=1 << 16)(make_rule)  # the same words come again and again
