"""Sentences from files through a model into one file."""

from __future__ import annotations

import functools
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rearc.cli.guard import Skipped, WrongUsage, counted, replaced, say
from rearc.cli.reading import reading
from rearc.errors import RearcError

if TYPE_CHECKING:
    from rearc.cli.peeking import Peeked
    from rearc.parser.document import Numbering
    from rearc.segment import Segmented, Segmenter
    from rearc.treebank import Sentence

READABLE = ("conllu", "conllx", "conll2007", "tokens", "json")  # as rearc.read does; to ask it would take an import
TO_FORMATS = ("conllu", "conllx", "conll2007", "json", "text")  # those with a place for what a model makes; text: drawn
FROM_FORMATS = (*READABLE, "text", "lines")
SAME = "same"  # as encoding of an output: that of the input
KEEP = {"lemma": "lemmas", "xpos": "xpos", "feats": "feats"}  # columns of gold annotation that may be kept on request

NO_COLUMNS = "<stdin>: found no columns, so it is read as {}; --format says otherwise"


@dataclass(frozen=True)
class Stream:
    """Where sentences come from, where they go, and how both are written."""

    files: list[str] | None = None
    output: str = "-"
    format: str | None = None
    to: str | None = None
    encoding: str = "utf-8"
    output_encoding: str = "utf-8"
    strict: bool = False
    skip_invalid: bool = False
    ranges: bool = False  # tell where the tokens stand in a text
    flush: bool = False
    counts: Counter[str] = field(default_factory=Counter)

    def check(self, made: str, model: str) -> None:
        """Refuse an output that has no place for what is made, or that would replace what is read."""
        from rearc.treebank.formats import format_of, format_to_write

        if self.to is None and format_of(self.output) == "text":
            message = f"{self.output}: plain text has no place for {made}; name it .conllu, or say --to"
            raise WrongUsage(message, "--output")
        try:
            format_to_write(self.output, self.to, TO_FORMATS)
        except RearcError as error:
            raise WrongUsage(f"{error} with --to", "--output") from None
        reason = replaced(self.output, [*(self.files or ()), model])
        if reason:
            raise WrongUsage(reason, "--output")

    def run(
        self,
        work: Callable[[Iterable[Sentence]], Iterable[Sentence]],
        model: str,
        segmenter: Callable[[], Segmenter | None],
        **options: Any,
    ) -> Skipped:
        """Read, work, write. What was skipped is returned, for the verb to finish with. `options` are of rearc.read.

        segmenter: of the model, for plain text.
        """
        from rearc.treebank import write
        from rearc.treebank.formats import format_of

        skipped = Skipped(self.skip_invalid)
        sources = self.files or ["-"]
        to = self.to
        if self.output == "-" and to is None:
            to = _known(self.format) or format_of(sources[0])
            to = "conllu" if to in ("text", "tokens") else to
        encoding = self.encoding if self.output_encoding == SAME else self.output_encoding
        done = work(self.read(model, segmenter, skipped, **options))
        if to == "text":
            draw(done, self.output, encoding, self.at_once)
        else:
            write(done, self.output, format=to, encoding=encoding, flush=self.at_once)
        return skipped

    def read(
        self, model: str, segmenter: Callable[[], Segmenter | None], skipped: Skipped, **options: Any
    ) -> Iterator[Sentence]:
        """The sentences of all files. `options` are of rearc.read; segmenter: of the model, for plain text."""
        sources = self.files or ["-"]
        texts = Texts(self, model, segmenter)
        if any(map(self._is_text, sources)):
            texts.need_segmenter()  # before anything is written
        return self._counted(self._read(sources, texts, skipped, options))

    @property
    def at_once(self) -> bool:
        """Whether somebody waits for each sentence."""
        return self.flush or (self.output == "-" and sys.stdout.isatty())

    def _is_text(self, source: str) -> bool:
        """Whether it is known to be plain text before it is read."""
        from rearc.treebank.formats import format_of

        return format_of(source, _known(self.format)) == "text"

    def _read(self, sources: list[str], texts: Texts, skipped: Skipped, options: dict[str, Any]) -> Iterator[Sentence]:
        options = {"encoding": self.encoding, "strict": self.strict, "bar": self.output != "-", **options}
        for source in sources:
            if source == "-" and self.format is None:
                from rearc.cli.peeking import Peeked
                from rearc.files.sources import standard_input

                if sys.stdin.isatty():
                    say("reading what you type, plain text or CoNLL-U; Ctrl-D ends it")
                peeked = Peeked(standard_input())
                if not peeked.is_text():
                    yield from reading(peeked, skipped, format=None, **options)
                elif texts.segmenter is not None:
                    say(NO_COLUMNS.format("text"))
                    yield from texts.sentences(peeked)
                else:
                    say(NO_COLUMNS.format("tokens, a sentence a line"))
                    yield from reading(peeked, skipped, format="tokens", **options)
            elif self._is_text(source):
                yield from texts.sentences(source, lines=self.format == "lines")
            else:
                yield from reading(source, skipped, format=self.format, **options)

    def _counted(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        for sentence in sentences:
            self.counts["sentences"] += 1
            self.counts["words"] += len(sentence)
            yield sentence

    def say_how_fast(self, done: str, begin: float, load_seconds: float) -> None:
        """Say how many words a second were read, `done` and written since the beginning."""
        seconds = time.perf_counter() - begin
        words = self.counts["words"]
        say(
            f"{counted(self.counts['sentences'], 'sentence')}, {counted(words, 'word')} read, {done} and written in "
            f"{seconds:.2f} s, {words / seconds:,.0f} words/s; the model took {load_seconds:.2f} s to load"
        )


class Texts:
    """Plain text through a model's segmenter."""

    def __init__(self, stream: Stream, model: str, segmenter: Callable[[], Segmenter | None]) -> None:
        self._stream = stream
        self._model = model
        self._segmenter = segmenter
        self._numbering: Numbering | None = None

    @functools.cached_property
    def segmenter(self) -> Segmenter | None:
        return self._segmenter()

    def need_segmenter(self) -> Segmenter:
        """The segmenter; wrong usage if there is none."""
        if self.segmenter is None:
            raise WrongUsage(
                f"{self._model} has no segmenter to split text with; --format tokens reads a sentence a line, its "
                "words separated by spaces",
                "--format",
            )
        return self.segmenter

    def sentences(self, source: str | Peeked, lines: bool = False) -> Iterator[Sentence]:
        """The sentences of a text; `lines`: each line is one."""
        from rearc.parser.document import Numbering
        from rearc.treebank.plain_text import lines_of, read_text

        segmenter = self.need_segmenter()
        self._numbering = self._numbering or Numbering()
        blocks = read_text(source, encoding=self._stream.encoding, on_note=say)  # type: ignore[arg-type]
        found: Iterator[Segmented]
        if self._stream.at_once:  # a line is all that will come for now
            segment = segmenter.segment_lines if lines else segmenter.segment_blocks
            found = (piece for line in lines_of(blocks) for piece in segment([line]))
        elif lines:
            found = segmenter.segment_lines(lines_of(blocks))
        else:
            found = segmenter.segment_blocks(blocks)
        return self._numbering.sentences(found, ranges=self._stream.ranges)


def draw(sentences: Iterable[Sentence], output: str, encoding: str, flush: bool) -> None:
    """Write the trees as `rearc show` draws them."""
    from rearc.files.targets import Target

    with Target(output, output) as target:
        for sentence in sentences:
            target.write(f"{sentence}\n\n".encode(encoding, "replace"))
            if flush:
                target.flush()


def _known(format: str | None) -> str | None:
    """The format, if the treebank's own functions know it."""
    return "text" if format == "lines" else format


def columns_to_keep(keep: str) -> tuple[str, ...]:
    """The columns of a list such as lemma,xpos."""
    names = [name.strip().lower() for name in keep.split(",")] if keep else []
    for name in names:
        if name not in KEEP:
            raise WrongUsage(f"found {name!r}, expected some of {', '.join(KEEP)}, separated by commas", "--keep")
    return tuple(KEEP[name] for name in names)
