"""Whether a segmenter makes tokens of marks at words, also of those that its treebank hardly has (docs/segmenting.md).

    python experiments/marks.py TREEBANK …

TREEBANK is a folder with train.conllu and dev.conllu. A mark is put at one word of each of the first 400 sentences of
dev, and it is counted where the word and its marks then come out as tokens of their own; or the last word before a full
stop becomes an acronym or a number (ABC, 123); or a word within the sentence becomes an abbreviation (vol., e.g.), and
right is one token that the sentence goes on behind. In percent; one seed.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rearc.segment import Segmenter
from rearc.segment.gold import Pieces, gold_text, pieces_of
from rearc.treebank import read

FIRST = 400  # sentences
WAYS = {  # what is before the word and behind it; a word behind a dash is the same once more
    '"word",': ('"', '",'),
    "“word”": ("“", "”"),
    "'word'": ("'", "'"),
    "(word),": ("(", "),"),
    "word;": ("", ";"),
    "word:": ("", ":"),
    "word!": ("", "!"),
    "word?": ("", "?"),
    "word…": ("", "…"),
    "word...": ("", "..."),
    "word—word": ("", "—word"),
    "word–word": ("", "–word"),
    "*word*": ("*", "*"),
}
ABBREVIATIONS = {
    "vol.": ("ca.", "nr.", "vol.", "tel.", "fig.", "max.", "cap.", "resp."),
    "e.g.": ("e.g.", "i.e.", "p.m.", "u.a.", "t.ex.", "z.b.", "p.es.", "d.h."),
}


def put(word: str, way: str) -> Pieces:
    """The word and its marks."""
    before, behind = WAYS[way]
    behind = [behind] if behind == "..." else [behind[:1], *([word] if behind.endswith("word") else behind[1:])]
    tokens = [*before, word, *behind]
    return [(token, "" if k + 1 < len(tokens) else " ") for k, token in enumerate(tokens)]


def right(segmenter: Segmenter, sentences: list[Pieces], way: str) -> float:
    """The share of the places where all is as it should be, in percent."""
    rng = np.random.default_rng(7)
    found = []
    for pieces in sentences:
        places = [
            k
            for k in range(1, len(pieces) - 1)
            if pieces[k - 1][1] and pieces[k][1] and pieces[k][0].isalpha() and pieces[k + 1][0].isalpha()
        ]
        if places:
            k = places[int(rng.integers(len(places)))]
            tokens = put(pieces[k][0], way)
            gold = gold_text([[*pieces[:k], *tokens, *pieces[k + 1 :]]])
            ranges = list(zip(gold.tokens.starts.tolist(), gold.tokens.ends.tolist(), strict=True))
            found.append(set(ranges[k : k + len(tokens)]) <= set(segmenter.tokenise(gold.text).ranges))
    return 100 * sum(found) / len(found)


def right_at_the_end(segmenter: Segmenter, sentences: list[Pieces], characters: str) -> float:
    """The same of a last word of two to four such characters, and the full stop behind it."""
    rng = np.random.default_rng(7)
    found = []
    for pieces in sentences:
        if len(pieces) > 2 and pieces[-1][0] == "." and pieces[-2][0].isalpha() and pieces[-3][1] and not pieces[-2][1]:
            word = "".join(characters[k] for k in rng.integers(len(characters), size=int(rng.integers(2, 5))))
            gold = gold_text([[*pieces[:-2], (word, ""), (".", " ")]])
            ranges = list(zip(gold.tokens.starts.tolist(), gold.tokens.ends.tolist(), strict=True))
            found.append(segmenter.tokenise(gold.text).ranges[-2:] == ranges[-2:])
    return 100 * sum(found) / max(len(found), 1)


def right_within(segmenter: Segmenter, sentences: list[Pieces], abbreviations: Sequence[str]) -> float:
    """The same of abbreviations in the place of a word before a small letter or a digit."""
    rng = np.random.default_rng(7)
    found = []
    for n, pieces in enumerate(sentences):
        places = [
            k
            for k in range(1, len(pieces) - 2)
            if pieces[k - 1][1] and pieces[k][1] and pieces[k][0].isalpha()
            and (pieces[k + 1][0][0].islower() or pieces[k + 1][0][0].isdigit())
        ]  # fmt: skip
        if places:
            k = places[int(rng.integers(len(places)))]
            abbreviation = abbreviations[n % len(abbreviations)]
            gold = gold_text([[*pieces[:k], (abbreviation, pieces[k][1]), *pieces[k + 1 :]]])
            place = int(gold.tokens.starts[k]), int(gold.tokens.ends[k])
            found.append(any(place in part.ranges[:-1] for part in segmenter.segment(gold.text)))
    return 100 * sum(found) / max(len(found), 1)


def main() -> None:
    names = [*WAYS, "ABC.", "123.", *ABBREVIATIONS]
    print("| | " + " | ".join(f"`{name}`" for name in names) + " |\n| --- |" + " ---: |" * len(names))
    for folder in map(Path, sys.argv[1:]):
        train, dev = (list(read(folder / f"{part}.conllu")) for part in ("train", "dev"))
        segmenter = Segmenter.train(train, dev)
        sentences = pieces_of(dev)[:FIRST]
        capitals = "".join(sorted({token[0] for pieces in sentences for token, _ in pieces if token[0].isupper()}))
        scores = [right(segmenter, sentences, way) for way in WAYS]
        scores += [right_at_the_end(segmenter, sentences, of) for of in (capitals, "123456789")]
        scores += [right_within(segmenter, sentences, of) for of in ABBREVIATIONS.values()]
        print(f"| {folder.name} | " + " | ".join(f"{score:.0f}" for score in scores) + " |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main()
