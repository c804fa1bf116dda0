"""`rearc parse` without Typer, which takes longer to import than the bundled model takes to load and to parse.

Options in their plain forms are read here. All else, help and mistakes above all, is left to Typer.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from typing import Any

from rearc.cli.guard import WrongUsage, guarded
from rearc.cli.parsing import TAGS, parse_files
from rearc.cli.stream import FROM_FORMATS, SAME, TO_FORMATS
from rearc.errors import RearcError
from rearc.treebank.formats import codec_of

VALUES = {
    "--model": "model", "-m": "model", "--output": "output", "-o": "output", "--threads": "threads", "--tags": "tags",
    "--keep": "keep", "--format": "format", "--to": "to", "--encoding": "encoding",
    "--output-encoding": "output_encoding", "--beam": "beam", "--n-best": "n_best",
    "--constraints": "constraints",
}  # fmt: skip
NUMBERS = {"threads", "beam", "n_best"}
FLAGS = {
    "--strict": "strict", "--skip-invalid": "skip_invalid", "--verbose": "verbose", "-v": "verbose",
    "--ranges": "ranges", "--flush": "flush", "--confidence": "confidence", "--partial": "partial",
}  # fmt: skip


def parse_plainly(arguments: Iterable[str]) -> bool:
    """Parse, if these arguments are plain; False leaves them to Typer."""
    options = plain(arguments)
    if options is None:
        return False
    gc.set_threshold(50_000)  # what is imported and loaded is no garbage
    try:
        guarded(parse_files)(**options)
    except WrongUsage:
        return False
    return True


def plain(arguments: Iterable[str]) -> dict[str, Any] | None:
    """The arguments of `parse_files`, or None if anything is not as expected.

    >>> plain(["in.conllu", "-m", "my.rearc", "--verbose"])
    {'files': ['in.conllu'], 'model': 'my.rearc', 'verbose': True}
    """
    options: dict[str, Any] = {"files": []}
    words = iter(arguments)
    for word in words:
        if word in FLAGS:
            options[FLAGS[word]] = True
        elif word in VALUES:
            options[VALUES[word]] = next(words, "")
        else:
            options["files"].append(word)
    texts = [*options["files"], *(value for value in options.values() if isinstance(value, str))]
    if any(not text or (text != "-" and text.startswith("-")) for text in texts):
        return None
    if options.get("tags", "auto") not in TAGS or options.get("format", "text") not in FROM_FORMATS:
        return None
    if options.get("to", "conllu") not in TO_FORMATS or options.get("constraints", "ud") != "ud":
        return None
    try:
        codec_of("", options.get("encoding", "utf-8"))
        if options.get("output_encoding", SAME) != SAME:
            codec_of("", options["output_encoding"])
    except RearcError:
        return None
    for name in NUMBERS & options.keys():
        text = options[name]
        if not (text.isascii() and text.isdecimal() and 0 < int(text) <= 1000):
            return None
        options[name] = int(text)
    return options
