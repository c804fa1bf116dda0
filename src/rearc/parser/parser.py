"""Parser = system + scorer + labels."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from rearc.parser.engine import make_engine
from rearc.parser.errors import ModelError
from rearc.parser.given import TAGS, without_projected_tree, without_tags
from rearc.parser.model import EXPECTED, REMEDY, Model, find_model, read_model, write_model
from rearc.parser.model_tagger import cut, make_tagger, members_of
from rearc.tagger.tagger import Tagger
from rearc.treebank import Sentence
from rearc.treebank.batches import in_order
from rearc.treebank.pseudoprojective import ENCODINGS, deprojectivise
from rearc.treebank.sentence import attached


class Parser:
    """A trained parser; `rearc.load` and `rearc.train` make one.

    One parser serves any number of threads at a time.
    """

    def __init__(self, model: Model, tagger: Tagger | None = None) -> None:
        self.header = model.header
        self.tagger = tagger
        self._model = model
        self._labels = [label.name for label in model.header.labels]
        self._engine = make_engine(model)

    def parse(self, sentence: Sentence | Sequence[str], *, tags: str = "auto") -> Sentence:
        """The sentence, or list of words, with heads and labels; all else of it is kept."""
        return self._parse_batch([sentence if isinstance(sentence, Sentence) else Sentence(sentence)], tags)[0]

    def parse_many(
        self, sentences: Iterable[Sentence], *, threads: int = 1, tags: str = "auto", keep: Collection[str] = ()
    ) -> Iterator[Sentence]:
        """The sentences parsed, in their order; what is read ahead is bounded. More threads never change a result.

        tags: "given" takes the tags as they are, "predict" lets the tagger of the model make them, "auto" lets it
        tag the sentences that have no UPOS. With "predict", the columns lemmas, xpos and feats hold what the model
        predicts or nothing, unless they are among those to `keep`.
        """
        self._check_tags(tags)
        if not set(keep) <= set(TAGS):
            raise ValueError(f"found keep={keep!r}, expected some of {', '.join(TAGS)}")
        return in_order(lambda batch: self._parse_batch(batch, tags, keep), sentences, threads)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write the model file; it appears under its name only when all of it is written."""
        members = members_of(self.tagger) if self.tagger else {}
        write_model(file, replace(self._model, tagger=members))

    def _parse_batch(self, batch: list[Sentence], tags: str, keep: Collection[str] = ()) -> list[Sentence]:
        batch = [without_projected_tree(sentence) for sentence in batch]
        if tags == "predict":
            batch = [without_tags(sentence, keep) for sentence in batch]
        batch = self._tagged(batch, tags)
        heads, labels, predicted = self._engine.parse(batch)
        parsed = attached(batch, heads, labels.astype(np.intc, copy=False), self._labels)
        if predicted:
            columns = cut(predicted, batch)
            parsed = [
                s.replace(**own) if tags == "predict" or (tags == "auto" and s._column("upos") is None) else s
                for s, own in zip(parsed, columns, strict=True)
            ]
        if self.header.non_projective in ENCODINGS:
            return [deprojectivise(tree, self.header.non_projective) for tree in parsed]
        return parsed

    def _tagged(self, batch: list[Sentence], tags: str) -> list[Sentence]:
        self._check_tags(tags)
        if self.tagger is None or tags == "given":
            return batch
        if tags == "predict":
            return list(self.tagger.tag_many(batch))
        bare = [k for k, sentence in enumerate(batch) if sentence._column("upos") is None]
        tagged = list(batch)
        for k, sentence in zip(bare, self.tagger.tag_many([batch[k] for k in bare]), strict=True):
            tagged[k] = sentence
        return tagged

    def _check_tags(self, tags: str) -> None:
        if tags not in ("given", "predict", "auto"):
            raise ValueError(f"found tags={tags!r}, expected 'given', 'predict' or 'auto'")
        if tags == "predict" and not self.tags:
            raise ValueError(
                "found tags='predict', expected a model with a tagger; this one has none: give tagged sentences"
            )

    @property
    def tags(self) -> bool:
        """Whether it predicts tags, by a tagger beside the parser or within it."""
        return self.tagger is not None or self._engine.tags

    def __repr__(self) -> str:
        return f"<Parser {self.header.system} with {len(self._labels)} labels, trained on {self.header.train.name}>"


def load(name: str | os.PathLike[str]) -> Parser:
    """The parser in a model file, or a model that comes with rearc by its name."""
    file = find_model(name)
    model = read_model(file)
    try:
        return Parser(model, make_tagger(model.tagger, model.clusters))
    except ValueError as error:
        raise ModelError(file, str(error).removeprefix("found "), EXPECTED, REMEDY) from None
