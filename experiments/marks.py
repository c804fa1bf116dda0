"""Whether a segmenter makes tokens of marks at words, also of those that its treebank hardly has (docs/segmenting.md).

    python experiments/marks.py TREEBANK …

TREEBANK is a folder with train.conllu and dev.conllu. A mark is put at one word of each of the first 400 sentences of
dev, and it is counted where the word and its marks then come out as tokens of their own. In percent; one seed.
"""

import sys
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


def main() -> None:
    print("| | " + " | ".join(f"`{way}`" for way in WAYS) + " |\n| --- |" + " ---: |" * len(WAYS))
    for folder in map(Path, sys.argv[1:]):
        train, dev = (list(read(folder / f"{part}.conllu")) for part in ("train", "dev"))
        segmenter = Segmenter.train(train, dev)
        scores = [right(segmenter, pieces_of(dev)[:FIRST], way) for way in WAYS]
        print(f"| {folder.name} | " + " | ".join(f"{score:.0f}" for score in scores) + " |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main()
