"""What a sentence may bring along and must not take through a parser or tagger: gold would pass for predicted."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rearc.treebank import Sentence

TAGS = ("lemmas", "xpos", "feats")  # beside UPOS, which every tagger predicts


def without_tags(sentence: Sentence, keep: Collection[str] = ()) -> Sentence:
    """The sentence without the columns of TAGS that are not to be kept.

    >>> without_tags(Sentence(["Dogs"], lemmas=["dog"], xpos=["NNS"]), keep={"xpos"}).lemmas
    ['_']
    """
    given: dict[str, Any] = {name: None for name in TAGS if name not in keep and sentence._column(name) is not None}
    return sentence.replace(**given) if given else sentence


def without_projected_tree(sentence: Sentence) -> Sentence:
    """The sentence without PHEAD and PDEPREL, the second tree of CoNLL-X and CoNLL 2007."""
    if sentence.format not in ("conllx", "conll2007"):
        return sentence
    given: dict[str, Any] = {name: None for name in ("deps", "misc") if sentence._column(name) is not None}
    return sentence.replace(**given) if given else sentence


def takes_predicted(sentence: Sentence, tags: str) -> bool:
    """Whether a sentence gets the tags that a model predicts. tags: as for `Parser.parse`.

    >>> takes_predicted(Sentence(["Dogs"]), "auto"), takes_predicted(Sentence(["Dogs"], upos=["NOUN"]), "auto")
    (True, False)
    """
    return tags == "predict" or (tags == "auto" and sentence._column("upos") is None)
