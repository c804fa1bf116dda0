"""What the tests of Ray and Spark share: documents, a model, what one machine makes of them, and parsers that fail."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow

import rearc
from rearc.bridges.documents import COLUMNS
from rearc.parser import Parser
from rearc.treebank import Sentence, read, sample

TEXTS = [sentence.text for sentence in read(sample())]
# texts of one and of several sentences, nothing, and what is only white space
DOCUMENTS: list[dict[str, Any]] = [
    *({"doc": k, "text": " ".join(TEXTS[k : k + 1 + k % 3])} for k in range(len(TEXTS))),
    {"doc": 100, "text": None},
    {"doc": 101, "text": " \n "},
    {"doc": 102, "text": "<b>&amp;</b> Dogs bark.\n\nWhy? 🐕"},
]
SENTENCES: list[dict[str, Any]] = [
    *({"doc": k, "words": sentence.forms} for k, sentence in enumerate(read(sample()))),
    {"doc": 100, "words": []},
    {"doc": 101, "words": None},
]
ORDER = ["doc", "sentence", "id"]


def small() -> Parser:
    """A perceptron with all that comes before it."""
    return rearc.train(sample(), epochs=1, system="arc-hybrid", seed=1)


def on_one_machine(parser: Parser, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A document at a time, as a user would without a cluster."""
    result = []
    for row in rows:
        value = row.get("text", row.get("words"))
        if value:
            parsed = list(parser(value)) if isinstance(value, str) else [parser.parse(value)]
            result += [{"doc": row["doc"], **word} for word in rearc.to_arrow(parsed).to_pylist()]
    return result


def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: tuple(row[name] for name in ORDER))


def columns_are_right(schema: pyarrow.Schema) -> bool:
    return {field.name: str(field.type) for field in schema} == {"doc": "int64", **COLUMNS}


class Fragile(Parser):
    """A parser that fails once, in whatever process it is, when it comes to a word; `mark` remembers that it did."""

    mark: Path
    word: str
    deadly: bool

    @staticmethod
    def of(parser: Parser, mark: Path, word: str, deadly: bool) -> "Fragile":
        made = Fragile(parser._model, parser.tagger, parser.segmenter)
        made.mark, made.word, made.deadly = mark, word, deadly
        return made

    def __reduce__(self) -> Any:
        parser = Parser(self._model, self.tagger, self.segmenter)
        return _arrived, (parser, self.mark, self.word, self.deadly)

    def parse_many(self, sentences: Any, **options: Any) -> Iterator[Sentence]:
        given = list(sentences)
        if not self.mark.exists() and any(self.word in sentence.forms for sentence in given):
            self.mark.write_text(str(os.getpid()))
            if self.deadly:
                os.kill(os.getpid(), signal.SIGKILL)
            raise ConnectionError("a task that fails once")
        return super().parse_many(given, **options)


def _arrived(parser: Parser, mark: Path, word: str, deadly: bool) -> Fragile:
    """Keeps the book of processes that have unpickled it."""
    with arrivals(mark).open("a") as file:
        file.write(f"{os.getpid()}\n")
    return Fragile.of(parser, mark, word, deadly)


def arrivals(mark: Path) -> Path:
    return mark.with_suffix(".arrivals")


def loaded_once(mark: Path) -> bool:
    """Whether several processes have loaded the parser, and each of them once."""
    processes = arrivals(mark).read_text().split()
    return len(processes) == len(set(processes)) > 1
