"""Models for tests of parsers, without what comes before parsing."""

from typing import Any

import rearc


def train_parser(*arguments: Any, **options: Any) -> rearc.Parser:
    """`rearc.train`, without trials and a segmenter; without a tagger too unless one is asked for."""
    tagger = options.get("tagger", getattr(options.get("options"), "tagger", None))
    without = {"segmenter": False} if tagger else {"only": "parser"}
    return rearc.train(*arguments, **{"quick": True} | without | options)
