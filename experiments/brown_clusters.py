"""English Brown clusters, as `rearc train --clusters` reads them, from the package spacy-lookups-data.

    python brown_clusters.py en-clusters.txt [--language en]

The package keeps the path of a word as a number whose lowest bit is the first of the path; zeros at the end of a path
are lost, so all paths are filled up to the longest. A word whose number is 0 has no cluster.
Needs `pip install spacy-lookups-data` (its data have licences of their own).
"""

import argparse
import gzip
import json
from importlib.resources import files
from pathlib import Path

from rearc.features.clusters import write_clusters


def path_of(number: int, bits: int) -> str:
    """The path of a cluster.

    >>> path_of(116, 10), path_of(244, 10)  # said, says
    ('0010111000', '0010111100')
    """
    return format(number, "b")[::-1].ljust(bits, "0")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--language", default="en")
    given = parser.parse_args()
    packed = files("spacy_lookups_data") / "data" / f"{given.language}_lexeme_cluster.json.gz"
    numbers = json.loads(gzip.decompress(packed.read_bytes()))
    kept = {word: number for word, number in numbers.items() if number and not set("\t\n\r") & set(word)}
    bits = max(kept.values()).bit_length()
    given.out.write_bytes(write_clusters({word: path_of(number, bits) for word, number in kept.items()}))
    print(f"{given.out}: {len(kept):,} words in {len(set(kept.values())):,} clusters")


if __name__ == "__main__":
    main()
