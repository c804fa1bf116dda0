"""Taggers: UPOS, and XPOS, FEATS and lemmas on request, from bare words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.perceptron.weights import LabelWeights, Scorer
from rearc.tagger.lexicons import KINDS
from rearc.tagger.passes import COLUMNS, Lexicon, Pass, tag
from rearc.tagger.rules import compile_rule
from rearc.tagger.templates import parse_templates
from rearc.tagger.words import WordEncoder
from rearc.treebank import Sentence
from rearc.treebank.batches import in_order

LARGE_TAGSET = 100
MAX_UNITS = 1024

Tensors = dict[str, NDArray[Any]]
_WEIGHTS = {"places": np.uint8, "tags": np.uint32, "counts": np.uint16, "labels": np.uint16, "codes": np.int8}


class Tagger:
    """A trained tagger; `Tagger.train` makes one. One tagger serves any number of threads at a time.

    >>> from rearc.treebank import read, sample
    >>> tagger = Tagger.train(read(sample()), epochs=2)
    >>> [sentence.upos for sentence in tagger.tag_many([Sentence(["The", "tree", "fell", "."])])]
    [['DET', 'NOUN', 'VERB', 'PUNCT']]
    """

    def __init__(
        self,
        columns: Sequence[Column],
        usual: Mapping[int, tuple[str, ...]],
        clusters: Mapping[str, str] | None = None,
        stems: Mapping[int, int] | None = None,
    ) -> None:
        self.columns = tuple(column.name for column in columns)
        self._columns = tuple(
            replace(column, weights=_frozen(column.weights), lexicon=_frozen(column.lexicon)) for column in columns
        )
        self._usual = dict(usual)
        self._with_clusters = clusters is not None
        self._stems = dict(sorted((stems or {}).items()))
        self._encoder = WordEncoder(usual, clusters, self._stems)
        self._passes = [column.make_pass() for column in columns]

    @staticmethod
    def train(
        sentences: Iterable[Sentence],
        dev: Iterable[Sentence] | None = None,
        columns: Sequence[str] = ("upos",),
        **options: Any,
    ) -> Tagger:
        """Learn the columns of these sentences; the options are those of learning.train."""
        from rearc.tagger.learning import train

        return train(sentences, dev, columns, **options)

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences with their tags; all else of them is kept."""
        return self.tag_with_margins(sentences)[0]

    def tag_with_margins(self, sentences: Sequence[Sentence]) -> tuple[list[Sentence], dict[str, NDArray[np.float32]]]:
        """The sentences with their tags; and by their columns, over all words, by how much each tag scored above all
        others, infinite where a word could have no other."""
        classes, margins = self.choose([sentence.forms for sentence in sentences])
        columns = {column.name: column.tags(classes[column.name].tolist(), sentences) for column in self._columns}
        tagged = []
        start = 0
        for sentence in sentences:
            stop = start + len(sentence)
            tagged.append(sentence.replace(**{name: tags[start:stop] for name, tags in columns.items()}))  # type: ignore[arg-type]
            start = stop
        return tagged, margins

    def choose(
        self, sentences: Sequence[Sequence[str]]
    ) -> tuple[dict[str, NDArray[np.int32]], dict[str, NDArray[np.float32]]]:
        """By columns, over all words: the places of the tags in `classes`, and the margins of `tag_with_margins`."""
        classes, margins = tag(self._passes, self._encoder.encode(sentences))
        return dict(zip(self.columns, classes, strict=True)), dict(zip(self.columns, margins, strict=True))

    def classes(self, column: str) -> tuple[str, ...]:
        """The tags of a column; those of lemmas are rules that make them from forms."""
        return self._columns[self.columns.index(column)].classes

    def tag_many(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """The sentences tagged, in their order; what is read ahead is bounded.

        An error in reading is raised behind the sentences before it.
        """
        return in_order(self.tag, sentences)

    @property
    def header(self) -> dict[str, Any]:
        """All of it but the arrays, ready for JSON."""
        return {
            "columns": [column.header for column in self._columns],
            "usual": sorted({"\t".join(tags) for tags in self._usual.values()}),
            "clusters": self._with_clusters,
            "stems": len(self._stems),
        }

    def tensors(self) -> Tensors:
        """The arrays, by name."""
        kinds = {tags: k for k, tags in enumerate(self.header["usual"])}
        words = sorted(self._usual)
        return {
            **{f"{column.name}/{key}": array for column in self._columns for key, array in column.weights.items()},
            **{f"{column.name}/lexicon/{key}": a for column in self._columns for key, a in column.lexicon.items()},
            "stems/stems": np.array([*self._stems], dtype=np.uint32),
            "stems/forms": np.array([*self._stems.values()], dtype=np.uint32),
            "usual/words": np.array(words, dtype=np.uint32),
            "usual/tags": np.array([kinds["\t".join(self._usual[word])] for word in words], dtype=np.uint16),
        }

    @staticmethod
    def from_tensors(header: Any, tensors: Tensors, clusters: Mapping[str, str] | None = None) -> Tagger:
        """The tagger again. ValueError says what is wrong with what is given."""
        if not isinstance(header, dict) or header.keys() - {"stems"} != {"columns", "usual", "clusters"}:
            raise ValueError("found no header of a tagger")
        if header["clusters"] != (clusters is not None):
            raise ValueError("found clusters in the tagger and not in the model, or the other way round")
        columns = [Column.read(entry, tensors) for entry in _list(header["columns"], dict)]
        names = [column.name for column in columns]
        if not names or names != [name for name in COLUMNS if name in names] or names[0] != "upos":
            raise ValueError(f"found a tagger of {', '.join(names)[:40]!r}, expected upos first")
        if any(len(c.groups) != (len(columns[0].classes) if k else 1) for k, c in enumerate(columns)):
            raise ValueError("found tags for another number of UPOS than there are")
        usual = [tuple(tags.split("\t")) for tags in _list(header["usual"], str)]
        numbers, kinds = _array(tensors, "usual/words", np.uint32), _array(tensors, "usual/tags", np.uint16)
        if len(numbers) != len(kinds) or (len(kinds) and kinds.max() >= len(usual)):
            raise ValueError("found a tag dictionary that does not fit together")
        dictionary = {word: usual[kind] for word, kind in zip(numbers.tolist(), kinds.tolist(), strict=True)}
        stems, forms = np.zeros((2, 0), np.uint32)
        if "stems" in header:
            stems, forms = (_array(tensors, f"stems/{name}", np.uint32) for name in ("stems", "forms"))
        if not len(stems) == len(forms) == header.get("stems", 0):
            raise ValueError(f"found {len(stems):,} stems of {len(forms):,} forms, expected as many as the header says")
        return Tagger(columns, dictionary, clusters, dict(zip(stems.tolist(), forms.tolist(), strict=True)))

    def __repr__(self) -> str:
        return f"<Tagger of {', '.join(self.columns)}>"


@dataclass(frozen=True)
class Column:
    """What is learnt of one column: its tags (classes), which of them go with each UPOS (groups), and the weights.

    The classes of lemmas are rules that make them from forms. Those of them that are in no group have no weights: they
    are for forms of the lexicon alone.
    """

    name: str
    templates: str
    classes: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    weights: Tensors
    attributes: tuple[str, ...] = ()  # of words in the lexicon; none where there is no lexicon
    lexicon: Tensors = field(default_factory=dict)

    def units(self) -> tuple[list[list[int]], int]:
        """The parts by which classes are scored, and the number of different ones."""
        if self.name != "lemmas":
            return units_of(self.classes)
        chosen = {cls: k for k, cls in enumerate(sorted({cls for group in self.groups for cls in group}))}
        return [[chosen[cls]] if cls in chosen else [] for cls in range(len(self.classes))], len(chosen)

    def make_pass(self, scorer: Scorer | None = None) -> Pass:
        """A pass over words; the lexicon is for tagging: what learns with a scorer of its own has to do without."""
        units, count = self.units()
        known = Lexicon(self.attributes, **self.lexicon) if self.attributes and scorer is None else None
        scorer = scorer or LabelWeights(self.weights, count)
        return Pass(scorer, parse_templates(self.templates), units, self.groups, self.name, known)

    def tags(self, chosen: Sequence[int], sentences: Iterable[Sentence]) -> list[str]:
        """The tags of the words of the sentences, in a row, from their classes."""
        if self.name != "lemmas":
            return [self.classes[k] for k in chosen]
        forms = [form for sentence in sentences for form in sentence.forms]
        made = {(k, form): compile_rule(self.classes[k])(form) for k, form in set(zip(chosen, forms, strict=True))}
        return [made[pair] for pair in zip(chosen, forms, strict=True)]

    @property
    def header(self) -> dict[str, Any]:
        """All of it but the arrays."""
        known = {"lexicon": [*self.attributes]} if self.attributes else {}
        groups = [*map(list, self.groups)]
        return {"name": self.name, "templates": self.templates, "classes": [*self.classes], "groups": groups, **known}

    @staticmethod
    def read(entry: dict[str, Any], tensors: Tensors) -> Column:
        """A column of a header. ValueError says what is wrong with it."""
        if entry.keys() - {"lexicon"} != {"name", "templates", "classes", "groups"} or entry["name"] not in COLUMNS:
            raise ValueError("found a column of a tagger that is none")
        name = entry["name"]
        classes = tuple(_list(entry["classes"], str))
        if len(set(classes)) < len(classes) or any(not tag or set(tag) & set("\t\n\r\0") for tag in classes):
            raise ValueError(f"found tags of {name} that cannot be written, or one of them twice")
        groups = tuple(tuple(_list(group, int)) for group in _list(entry["groups"], list))
        weights = {key: _array(tensors, f"{name}/{key}", kind) for key, kind in _WEIGHTS.items()}
        rows, cells = len(weights["tags"]), len(weights["codes"])
        if len(weights["counts"]) != rows or len(weights["labels"]) != cells:
            raise ValueError(f"found weights of {name} for {rows:,} features that do not fit together")
        attributes = tuple(_list(entry.get("lexicon", []), str))
        lexicon = {key: _array(tensors, f"{name}/lexicon/{key}", kind) for key, kind in KINDS.items() if attributes}
        if name == "lemmas":
            for rule in classes:
                compile_rule(rule)
        return Column(name, str(entry["templates"]), classes, groups, weights, attributes, lexicon)


def units_of(classes: Sequence[str]) -> tuple[list[list[int]], int]:
    """The parts by which tags are scored, and the number of different ones.

    What has | is split there; other large tag sets are taken to be positional, so each letter in its place is a part.

    >>> units_of(["Case=Nom|Number=Sing", "Case=Acc|Number=Sing"])
    ([[1, 2], [0, 2]], 3)
    """
    split = any("|" in name for name in classes)

    def parts_of(name: str) -> Iterable[str]:
        if split:
            return name.split("|")
        return (f"{k} {letter}" for k, letter in enumerate(name)) if len(classes) > LARGE_TAGSET else [name]

    parts: set[str] = set()
    for name in classes:
        parts.update(parts_of(name))
        if len(parts) > MAX_UNITS:
            raise ValueError(f"found more than {MAX_UNITS:,} different parts of tags, expected no more than that")
    numbers = {part: k for k, part in enumerate(sorted(parts))}
    return [sorted({numbers[part] for part in parts_of(name)}) for name in classes], len(numbers)


def _frozen(arrays: Tensors) -> Tensors:
    """Views that cannot be written to: they are what a tagger is saved from."""
    views = {name: array.view() for name, array in arrays.items()}
    for view in views.values():
        view.flags.writeable = False
    return views


def _list(values: Any, kind: type) -> list[Any]:
    if not isinstance(values, list) or any(type(value) is not kind for value in values):
        raise ValueError(f"found {str(values)[:40]!r} in the header of a tagger")
    return values


def _array(tensors: Tensors, name: str, kind: type) -> NDArray[Any]:
    array = tensors.get(name)
    if array is None or array.ndim != 1 or array.dtype != kind:
        raise ValueError(f"found no tensor {name} for the tagger")
    return array
