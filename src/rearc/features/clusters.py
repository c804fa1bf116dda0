"""Brown clusters: each word's path of bits, as `wcluster` writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from rearc.errors import RearcError

_PATH = re.compile("[01]+")

Clusters = dict[str, str]  # a form: its path


class ClusterError(RearcError):
    """A file of clusters that cannot be read."""


def read_clusters(file: str | Path) -> Clusters:
    """The clusters of a file with lines of a path, a word and, if wanted, a count, separated by tabs."""
    try:
        return parse_clusters(Path(file).read_bytes(), str(file))
    except OSError as error:
        reason = (error.strerror or "a file that cannot be read").lower()
        raise ClusterError(f"{file}: found {reason}, expected a file of Brown clusters; check the name") from None


def parse_clusters(data: bytes, name: str = "clusters") -> Clusters:
    """The same from bytes.

    >>> parse_clusters(b"0110\\tdog\\t7\\n0111\\tcat\\n")
    {'dog': '0110', 'cat': '0111'}
    """
    clusters: Clusters = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line:
            continue
        try:
            path, word, *_ = line.decode("utf-8").split("\t")
        except ValueError:  # which is that of bytes that are no UTF-8 as well
            raise _wrong(name, number, f"{line[:40]!r}") from None
        if not _PATH.fullmatch(path) or not word:
            raise _wrong(name, number, repr(path[:40]))
        clusters[word] = path
    if not clusters:
        raise ClusterError(f"{name}: found no clusters, expected lines of a path, a tab and a word")
    return clusters


def write_clusters(clusters: Mapping[str, str]) -> bytes:
    """What parse_clusters reads, in the order of the words."""
    return "".join(f"{clusters[word]}\t{word}\n" for word in sorted(clusters)).encode("utf-8")


def _wrong(name: str, line: int, found: str) -> ClusterError:
    return ClusterError(f"{name}:{line}: found {found}, expected a path of 0 and 1, a tab and a word; check the file")
