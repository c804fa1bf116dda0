"""What `rearc parse` does, once its options are read."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rearc.cli.guard import WrongUsage, say
from rearc.cli.stream import Stream, columns_to_keep

if TYPE_CHECKING:
    from rearc.constraints import Constraints
    from rearc.parser import Parser
    from rearc.treebank import Sentence

TAGS = ("given", "predict", "auto")
# All but the tree, which is made anew: nobody looks at the old one
COLUMNS = ("forms", "lemmas", "upos", "xpos", "feats", "deps", "misc", "comments", "multiwords", "empties")


def parse_files(
    files: list[str] | None = None,
    model: str = "en",
    output: str = "-",
    threads: int = 1,
    tags: str = "auto",
    keep: str = "",
    format: str | None = None,
    to: str | None = None,
    encoding: str = "utf-8",
    output_encoding: str = "utf-8",
    strict: bool = False,
    skip_invalid: bool = False,
    verbose: bool = False,
    ranges: bool = False,
    flush: bool = False,
    beam: int | None = None,
    n_best: int | None = None,
    confidence: bool = False,
    partial: bool = False,
    constraints: str | None = None,
) -> None:
    """Parse files into one."""
    from rearc.parser import load

    stream = Stream(
        files, output, format, to, encoding, output_encoding, strict, skip_invalid, ranges or to == "json", flush
    )
    stream.check("trees", model)
    kept = columns_to_keep(keep)
    if kept and tags != "predict":
        raise WrongUsage("it goes with --tags predict alone: else all columns are kept", "--keep")
    if n_best is not None and confidence:
        raise WrongUsage("it goes with the best tree alone, not with --n-best", "--confidence")
    if n_best is not None and beam is not None and beam < n_best:
        raise WrongUsage(
            f"a beam of {beam} cannot find {n_best} trees; give --n-best alone, or a beam of that size", "--beam"
        )
    begin = time.perf_counter()
    parser = load(model)
    if tags == "predict" and not parser.has_tagger:
        raise WrongUsage(f"{model} has no tagger: give tagged sentences", "--tags")
    if confidence and not parser.has_confidence:
        raise WrongUsage(f"{model} does not know how sure it is: train it with --dev", "--confidence")
    loaded = time.perf_counter()
    bare: Counter[bool] = Counter()  # sentences without and with the tags that the parser goes by

    def work(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        seen = _seen(sentences, bare, parser)
        options: dict[str, Any] = {"tags": tags, "keep": kept, "beam": beam}
        if partial or constraints:
            options["constraints"] = _known(partial, constraints)
        if n_best is not None:
            from rearc.parser.n_best import ranked

            if stream.at_once:
                return (tree for sentence in seen for tree in ranked(parser, [sentence], n_best, **options))
            return ranked(parser, seen, n_best, threads=threads, **options)
        options["confidence"] = confidence
        if stream.at_once:
            return (tree for sentence in seen for tree in parser.parse_many([sentence], **options))
        return parser.parse_many(seen, threads=threads, **options)

    columns = (*COLUMNS, "heads", "deprels") if partial else COLUMNS
    skipped = stream.run(work, model, lambda: parser.segmenter, columns=columns)
    if verbose:
        stream.say_how_fast("parsed", loaded, loaded - begin)
    if bare[True] and not parser.has_tagger:
        say(f"{bare[True]:,} of {bare.total():,} sentences have no UPOS, which {model} goes by; tag them")
    skipped.finish()


def _known(partial: bool, rules: str | None) -> Callable[[Sentence], Constraints]:
    """What says the constraints of a sentence."""
    from rearc.constraints import Constraints

    return (lambda sentence: Constraints.of(sentence, rules)) if partial else (lambda _: Constraints(rules=rules))


def _seen(sentences: Iterable[Sentence], bare: Counter[bool], parser: Parser) -> Iterator[Sentence]:
    goes_by_upos = "upos" in parser.header.expects
    for sentence in sentences:
        bare[goes_by_upos and sentence._column("upos") is None] += 1
        yield sentence
