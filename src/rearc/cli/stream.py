"""Sentences from files through a model into one file."""

from __future__ import annotations

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
    from rearc.treebank import Sentence

TO_FORMATS = ("conllu", "conllx", "conll2007")  # those with a place for what a model makes
SAME = "same"  # as encoding of an output: that of the input
KEEP = {"lemma": "lemmas", "xpos": "xpos", "feats": "feats"}  # columns of gold annotation that may be kept on request


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
    counts: Counter[str] = field(default_factory=Counter)

    def check(self, made: str, model: str) -> None:
        """Refuse an output that has no place for what is made, or that would replace what is read."""
        from rearc.treebank.formats import format_of, format_to_write

        if format_of(self.output, self.to) == "text":
            message = f"{self.output}: plain text has no place for {made}; name it .conllu, or say --to conllu"
            raise WrongUsage(message, "--output")
        try:
            format_to_write(self.output, self.to, TO_FORMATS)
        except RearcError as error:
            raise WrongUsage(f"{error} with --to", "--output") from None
        reason = replaced(self.output, [*(self.files or ()), model])
        if reason:
            raise WrongUsage(reason, "--output")

    def run(self, work: Callable[[Iterable[Sentence]], Iterable[Sentence]], **options: Any) -> Skipped:
        """Read, work, write. What was skipped is returned, for the verb to finish with. `options` are of rearc.read."""
        from rearc.treebank import write
        from rearc.treebank.formats import format_of

        skipped = Skipped(self.skip_invalid)
        sources = self.files or ["-"]
        to = self.to
        if self.output == "-" and to is None:
            to = format_of(sources[0], self.format)
            to = "conllu" if to == "text" else to
        encoding = self.encoding if self.output_encoding == SAME else self.output_encoding
        write(work(self._counted(self._read(sources, skipped, options))), self.output, format=to, encoding=encoding)
        return skipped

    def _read(self, sources: list[str], skipped: Skipped, options: dict[str, Any]) -> Iterator[Sentence]:
        options = {"encoding": self.encoding, "strict": self.strict, "bar": self.output != "-", **options}
        for source in sources:
            if source == "-" and self.format is None:
                from rearc.cli.peeking import Peeked

                if sys.stdin.isatty():
                    say("reading what you type: a sentence a line, or CoNLL-U; Ctrl-D ends it")
                peeked = Peeked(sys.stdin.buffer)
                text = peeked.is_text()
                if text:
                    say("<stdin>: found no columns, so it is read as text, a sentence a line; --format says otherwise")
                yield from reading(peeked, skipped, format="text" if text else None, **options)
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


def columns_to_keep(keep: str) -> tuple[str, ...]:
    """The columns of a list such as lemma,xpos."""
    names = [name.strip().lower() for name in keep.split(",")] if keep else []
    for name in names:
        if name not in KEEP:
            raise WrongUsage(f"found {name!r}, expected some of {', '.join(KEEP)}, separated by commas", "--keep")
    return tuple(KEEP[name] for name in names)
