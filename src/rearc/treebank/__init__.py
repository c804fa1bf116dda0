"""Sentences and trees, in and out. Knows nothing of parsing."""

from pathlib import Path

from rearc.treebank.errors import TreebankError, TreebankWarning
from rearc.treebank.fields import Empty, Multiword
from rearc.treebank.reader import read
from rearc.treebank.sentence import Sentence, Word
from rearc.treebank.writer import write

__all__ = ["Empty", "Multiword", "Sentence", "TreebankError", "TreebankWarning", "Word", "read", "sample", "write"]


def sample() -> Path:
    """The small English treebank that comes with rearc.

    >>> sum(1 for sentence in read(sample()))
    40
    """
    return Path(__file__).parent.parent / "data" / "sample.conllu"
