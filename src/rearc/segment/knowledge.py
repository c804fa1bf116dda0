"""What a treebank knows of words and of the ways tokens are written."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from rearc.segment.characters import CLASSES, class_of
from rearc.segment.gold import Gold, Pieces
from rearc.segment.lexicon import KnownWords, key_of
from rearc.treebank import Sentence

MOST = 255  # what a count goes up to
VERBS = ("VERB", "AUX")  # have the first numbers: sentences.pyx counts on it


def lexicon(sentences: Sequence[Sentence], pieces: Sequence[Pieces]) -> KnownWords:
    """How often each token was seen, how it is written within sentences, and the UPOS that it usually has.

    >>> from rearc.segment.gold import pieces_of
    >>> sentences = [Sentence(["The", "dog", "barks"]), Sentence(["Dogs", "see", "the", "dog"])]
    >>> lexicon(sentences, pieces_of(sentences))
    <KnownWords of 5 words>
    """
    counts: Counter[str] = Counter()
    cases: defaultdict[str, Counter[str]] = defaultdict(Counter)
    tags: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence, parts in zip(sentences, pieces, strict=True):
        for k, (token, _) in enumerate(parts):
            low = token.lower()
            counts[low] += 1
            if k:
                cases[low][class_of(token[0])] += 1
        for form, upos in zip(sentence.forms, sentence.upos, strict=True):
            tags[form.lower()][upos] += 1
    names = sorted({upos for found in tags.values() for upos in found} - {"_", *VERBS})
    numbers = {upos: k for k, upos in enumerate([*VERBS, *names][:MOST], 1)}
    rows = {}
    for low, count in counts.items():
        usual = max(sorted(tags[low]), key=lambda upos: tags[low][upos], default="_")
        facts = (count, cases[low]["upper"], cases[low]["lower"], numbers.get(usual, 0))
        rows[key_of(low)] = [min(fact, MOST) for fact in facts]
    keys = sorted(rows)
    return KnownWords(keys, [rows[key] for key in keys])


def splits(gold: Gold) -> KnownWords:
    """Chunks of letters alone that are more than one token, such as cannot.

    >>> from rearc.segment.gold import gold_text
    >>> splits(gold_text([[("I", " "), ("can", ""), ("not", "")]]))
    <KnownWords of 1 words>
    """
    starts, ends = gold.tokens.starts.tolist(), gold.tokens.ends.tolist()
    keys = set()
    begin = 0  # of the chunk
    for start, end, following in zip(starts, ends, [*starts[1:], -1], strict=True):
        if end != following:
            chunk = gold.text[begin:end].lower()
            if begin < start and chunk.isalpha():
                keys.add(key_of(chunk))
            begin = following
    return KnownWords(sorted(keys), [[1, 0, 0, 0]] * len(keys))


def joins(pieces: Sequence[Pieces]) -> list[tuple[int, int]]:
    """The classes of the characters around single spaces within tokens, by their places in CLASSES.

    >>> [(CLASSES[a], CLASSES[b]) for a, b in joins([[("1 000", " "), ("km", "")]])]
    [('digit', 'digit')]
    """
    found = set()
    for token in {token for parts in pieces for token, _ in parts}:
        classes = [class_of(character) for character in token]
        found |= {(a, c) for (a, b), (_, c) in pairwise(pairwise(classes)) if b == "space"}
    return sorted((CLASSES.index(a), CLASSES.index(c)) for a, c in found)
