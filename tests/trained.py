"""Models for tests of parsers, without what comes before parsing."""

from typing import Any

import rearc


def train_parser(*arguments: Any, **options: Any) -> rearc.Parser:
    """`rearc.train`, without a segmenter; without a tagger too unless one is asked for."""
    if "options" in options:
        return rearc.train(*arguments, **options)
    without = {"segmenter": False} if options.get("tagger") else {"only": "parser"}
    return rearc.train(*arguments, **without | options)
