"""From the body of a request to sentences, and from there to trees, as `rearc parse` does it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rearc.serve.asks import LARGE
from rearc.serve.errors import Refused
from rearc.serve.options import Options
from rearc.treebank import Sentence, read, write

if TYPE_CHECKING:
    from rearc.parser import Parser
    from rearc.segment import Segmented

# All but the tree, which is made anew: nobody looks at the old one
COLUMNS = ("forms", "lemmas", "upos", "xpos", "feats", "deps", "misc", "comments", "multiwords", "empties")
LINE = 1 << 18  # characters of a line that is a sentence
TREE = ("heads", "deprels")


class _Body(io.BytesIO):
    name = "<body>"  # in messages


def read_sentences(
    body: bytes, format: str, parser: Parser, model: str, *, ranges: bool = False, tree: bool = False
) -> Iterator[Sentence]:
    """The sentences of a body, as they are asked for. tree: its heads and labels are kept."""
    if format in ("text", "lines"):
        return _segmented(body, format == "lines", parser, model, ranges)
    columns = (*COLUMNS, *TREE) if tree else COLUMNS
    return read(_Body(body), format=format, columns=columns, on_note=_nothing)


def _segmented(body: bytes, lines: bool, parser: Parser, model: str, ranges: bool) -> Iterator[Sentence]:
    from rearc.parser.document import Numbering
    from rearc.treebank.plain_text import lines_of, read_text

    segmenter = parser.segmenter
    if segmenter is None:
        raise Refused(422, f"found text, expected a model with a segmenter; {model} has none: send tokens or CoNLL-U")
    blocks = read_text(_Body(body))
    if lines:
        found: Iterable[Segmented] = segmenter.segment_lines(_limited(lines_of(blocks)))
    elif len(body) > LARGE:
        found = segmenter.segment_blocks(blocks)
    else:
        found = segmenter.segment("".join(blocks))
    return Numbering().sentences(found, ranges=ranges)


def _limited(lines: Iterable[str]) -> Iterator[str]:
    """A line is a sentence, of which all tokens are made at once."""
    for line in lines:
        if len(line) > LINE:
            raise Refused(413, f"found a line of {len(line):,} characters, expected at most {LINE:,}, a sentence each")
        yield line


def _nothing(note: str) -> None:
    """What is passed over without a loss is no matter of the client's."""


def parse(parser: Parser, options: Options, sentences: list[Sentence]) -> list[Sentence]:
    """The trees of sentences: one of each, unless more are asked for."""
    if not options.work:
        return sentences
    how: dict[str, Any] = {"tags": options.tags, "beam": options.beam}
    if options.partial or options.constraints:
        from rearc.constraints import Constraints

        def known(sentence: Sentence) -> Constraints:
            rules = options.constraints
            return Constraints.of(sentence, rules) if options.partial else Constraints(rules=rules)

        how["constraints"] = known
    if options.n_best is not None:
        from rearc.parser.n_best import ranked

        return list(ranked(parser, sentences, options.n_best, **how))
    trees = list(parser.parse_many(sentences, confidence=options.confidence, **how))
    return trees if options.trees else list(map(_with_old_tree, trees, sentences))


def _with_old_tree(new: Sentence, old: Sentence) -> Sentence:
    return new.replace(heads=old.heads if old.has_heads else None, deprels=old._column("deprels"))


def reason(message: str, to: str) -> bytes:
    """What stands at the end of an answer that could not be completed.

    >>> reason("too long", "conllu"), reason("too long", "json")
    (b'# error = too long\\n', b'{"error": "too long"}\\n')
    """
    line = " ".join(message.split())
    return (json.dumps({"error": line}, ensure_ascii=False) if to == "json" else f"# error = {line}").encode() + b"\n"


def written(trees: Iterable[Sentence], to: str) -> bytes:
    """The trees as they stand in a file."""
    out = io.BytesIO()
    write(trees, out, format=to)
    return out.getvalue()
