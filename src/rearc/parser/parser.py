"""Parser = system + scorer + labels."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rearc.parser.catalogue import find_model, is_bundled
from rearc.parser.document import Document, Numbering
from rearc.parser.engine import Margins, make_engine
from rearc.parser.errors import ModelError
from rearc.parser.given import TAGS, takes_predicted, without_projected_tree, without_tags
from rearc.parser.header import Header
from rearc.parser.model import EXPECTED, REMEDY, Model, decode_model, encode_model, read_model, write_model
from rearc.parser.model_segmenter import make_segmenter
from rearc.parser.model_tagger import cut, make_tagger
from rearc.parser.parts import members_of
from rearc.search.forest import MOST, Forest, one_each
from rearc.treebank import Sentence, TreebankError
from rearc.treebank.batches import in_order
from rearc.treebank.errors import shown
from rearc.treebank.marks import Marks
from rearc.treebank.pseudoprojective import ENCODINGS, deprojectivise
from rearc.treebank.sentence import attached

if TYPE_CHECKING:
    from rearc.constraints import Constraints
    from rearc.parser.confidence import Confidence
    from rearc.parser.constrained import Within
    from rearc.parser.second_pass import SecondPass
    from rearc.parser.stepping import Stepper
    from rearc.segment import Segmenter
    from rearc.tagger.tagger import Tagger

Words = Sentence | Sequence[str]


class Parser:
    """A trained parser; `rearc.load` and `rearc.train` make one.

    One parser serves any number of threads at a time. It can be pickled, so that processes and machines can share it.

    >>> import rearc
    >>> parser = rearc.load("en")
    >>> parser.parse(["I", "saw", "Jack"]).heads
    [2, 0, 2]
    >>> [sentence.heads for sentence in parser.parse_many([["He", "left"], ["I", "saw", "Jack"]])]
    [[2, 0], [2, 0, 2]]

    Called with raw text, it finds the sentences and words by itself, if its model has a segmenter.

    >>> from rearc.treebank import sample
    >>> parser = rearc.train(sample(), epochs=1)
    >>> [sentence.forms for sentence in parser("A dog barks. The cat sleeps!")]
    [['A', 'dog', 'barks', '.'], ['The', 'cat', 'sleeps', '!']]
    """

    _second_pass: SecondPass | None = None  # that goes through its trees once more
    _marks = Marks({})  # that it reads as others

    def __init__(
        self,
        model: Model,
        tagger: Tagger | None = None,
        segmenter: Segmenter | None = None,
        *,
        name: str | None = None,
    ) -> None:
        """name: of a model that comes with rearc, if it is one."""
        self._tagger = tagger
        self._segmenter = segmenter
        self._name = name
        self._model = model
        self._labels = [label.name for label in model.header.labels]
        self._engine = make_engine(model)
        self._marks = Marks(model.header.marks)
        self._confidence: Confidence | None = None
        if model.confidence:
            from rearc.parser.weighing import confidence_of

            self._confidence = confidence_of(model.confidence, len(self._labels))
        if model.second_pass:
            from rearc.parser.second_pass import second_pass_of

            self._second_pass = second_pass_of(model.second_pass, model.clusters)

    @property
    def header(self) -> Header:
        """What the model says about itself."""
        return self._model.header

    @property
    def tagger(self) -> Tagger | None:
        """The tagger beside the parser, if there is one; a network has its own within it."""
        return self._tagger

    @property
    def segmenter(self) -> Segmenter | None:
        """What finds sentences and words in raw text, if the model has it."""
        return self._segmenter

    def __call__(self, text: str, *, threads: int = 1) -> Document:
        """The sentences of a raw text, parsed, and where their tokens stand in it."""
        if not isinstance(text, str):
            raise TreebankError(None, 0, 0, type(text).__name__, "a string of raw text", "see parse and parse_many")
        if self._segmenter is None:
            raise TreebankError(
                None, 0, 0, "raw text", "sentences, as this model has no segmenter",
                "give lists of words to parse_many, or train a model with a segmenter",
            )  # fmt: skip
        found = self._segmenter.segment(text)
        sentences = Numbering().sentences(found)
        return Document(text, self.parse_many(sentences, threads=threads), [piece.ranges for piece in found])

    def parse(
        self,
        sentence: Words,
        *,
        tags: str = "auto",
        keep: Collection[str] = (),
        beam: int | None = None,
        confidence: bool = False,
        constraints: Constraints | None = None,
    ) -> Sentence:
        """The sentence, or list of words, with heads and labels; all else of it is kept.

        tags: "given" takes the tags as they are, "predict" lets the tagger of the model make them, "auto" lets it
        tag the sentence if it has no UPOS.
        keep: with "predict", the columns lemmas, xpos and feats hold what the model predicts or nothing, so that gold
        does not pass for predicted; these of them are kept.
        beam: derivations that are followed side by side; 1 is greedy, None is what the model was trained for.
        confidence: each word tells how likely its head is right, and the sentence how likely all are; see
        `Word.confidence` and `Sentence.confidence`.
        constraints: what the tree has to comply with, whatever the model would say. What is given is right, as
        confidence sees it.
        """
        self._check_keep(keep)
        self._check_confidence(confidence)
        size = self._beam(beam)
        return self._parse_batch([_sentence(sentence)], tags, keep, size, confidence, constraints)[0]

    def parse_many(
        self,
        sentences: Iterable[Words],
        *,
        threads: int = 1,
        tags: str = "auto",
        keep: Collection[str] = (),
        beam: int | None = None,
        confidence: bool = False,
        constraints: Constraints | Callable[[Sentence], Constraints | None] | None = None,
    ) -> Iterator[Sentence]:
        """The sentences, or lists of words, parsed, in their order; what is read ahead is bounded. More threads never
        change a result.

        tags, keep, beam, confidence: as for `parse`, for each sentence.
        constraints: of all sentences, or a function that says those of each, such as `Constraints.of`.
        """
        self._check_tags(tags)
        self._check_keep(keep)
        self._check_confidence(confidence)
        size = self._beam(beam)
        if isinstance(sentences, (str, Sentence)):
            raise _unfit(sentences, "an iterable of sentences", f"parser.parse_many([{_words(sentences)}])")

        def work(batch: list[Sentence]) -> list[Sentence]:
            return self._parse_batch(batch, tags, keep, size, confidence, constraints)

        return in_order(work, map(_sentence, sentences), threads)

    def n_best(
        self,
        sentence: Words,
        k: int,
        *,
        tags: str = "auto",
        keep: Collection[str] = (),
        beam: int | None = None,
        constraints: Constraints | None = None,
    ) -> list[tuple[Sentence, float]]:
        """Up to k trees that differ in their heads, best first, each with its score.

        A score is the logarithm of a probability, unless the model was trained for a beam.
        beam: derivations that are followed side by side, k or more; None is 8, or k if that is more.
        constraints: what each of the trees has to comply with.

        >>> import rearc
        >>> best, second, third = rearc.load("en").n_best(["I", "saw", "Jack"], 3)
        >>> best[0].heads, best[1] > second[1]
        ([2, 0, 2], True)
        """
        from rearc.parser.n_best import beam_for, n_best

        self._check_keep(keep)
        return n_best(self, [_sentence(sentence)], k, beam_for(k, beam), tags, keep, constraints)[0]

    def derivation(self, sentence: Words, *, tags: str = "auto") -> list[str]:
        """The transitions through which greedy parsing goes with a sentence.

        tags: as for `parse`.

        >>> import rearc
        >>> from rearc.treebank import sample
        >>> parser = rearc.train(sample(), epochs=2, system="arc-hybrid", only="parser")
        >>> parser.derivation(["Owls", "see"])
        ['shift', 'shift', 'right-arc', 'left-arc']
        """
        return self.stepper(sentence, tags=tags).derivation()

    def stepper(self, sentence: Words, *, tags: str = "auto") -> Stepper:
        """The scores and labels of every configuration of a sentence, to go through it step by step.

        tags: as for `parse`.
        """
        from rearc.parser.stepping import Stepper

        (prepared,) = self._prepared([_sentence(sentence)], tags, ())
        return Stepper(self._engine.system, self._labels, len(prepared), self._engine.open(prepared))

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write the model file; it appears under its name only when all of it is written."""
        write_model(file, self._whole())

    def _whole(self) -> Model:
        return replace(self._model, tagger=members_of(self._tagger), segmenter=members_of(self._segmenter))

    def __reduce__(self) -> tuple[Callable[..., Parser], tuple[str | dict[str, bytes]]]:
        """It travels as the name of a model that comes with rearc, or as what is in its file."""
        if self._name is not None:
            return load, (self._name,)
        return _from_members, ({name: b"".join(pieces) for name, pieces in encode_model(self._whole()).items()},)

    def _beam(self, beam: int | None) -> int:
        """The size of a beam that was asked for."""
        if beam is None:
            return self.header.beam
        if not isinstance(beam, int) or not 1 <= beam <= MOST:
            raise ValueError(f"found beam={beam!r}, expected a whole number from 1 to {MOST}")
        return beam

    def _parse_batch(
        self,
        batch: list[Sentence],
        tags: str,
        keep: Collection[str] = (),
        beam: int = 1,
        confidence: bool = False,
        constraints: Constraints | Callable[[Sentence], Constraints | None] | None = None,
    ) -> list[Sentence]:
        parsed = self._parse_plain(batch, tags, keep, beam, confidence, constraints)
        return [self._marks.restored(*both) for both in zip(parsed, batch, strict=True)]

    def _parse_plain(
        self,
        given: list[Sentence],
        tags: str,
        keep: Collection[str],
        beam: int,
        confidence: bool,
        constraints: Constraints | Callable[[Sentence], Constraints | None] | None,
    ) -> list[Sentence]:
        """The sentences parsed, with the forms that were looked at."""
        batch, margins = self._prepared_with_margins(given, tags, keep)
        within = self._within(given, batch, constraints)
        if confidence and self._confidence is not None:
            from rearc.parser.weighing import sure

            return sure(self, self._confidence, batch, margins, tags, beam, within)
        if beam == 1:
            heads, labels, predicted = within.parse() if within else self._engine.parse(batch)
        else:
            (forest,), predicted, _ = self._search(batch, [(beam, 1)], within)
            heads, labels = forest.heads, forest.labels
        parsed = self._finished(batch, heads, labels, predicted, tags)
        if within is None:
            return self._second_pass.repaired(parsed) if self._second_pass else parsed
        return [tree for own in within.complying(parsed, one_each(heads, labels, len(batch))) for tree in own if tree]

    def _within(
        self,
        given: list[Sentence],
        prepared: list[Sentence],
        constraints: Constraints | Callable[[Sentence], Constraints | None] | None,
    ) -> Within | None:
        """The constraints of a batch, if there are any."""
        if constraints is None or not given:
            return None
        from rearc.parser.constrained import Within

        return Within(self, given, prepared, constraints)

    def _search(
        self, batch: list[Sentence], beams: Sequence[tuple[int, int]], within: Within | None
    ) -> tuple[list[Forest], dict[str, list[str]], Margins]:
        """As `Engine.search`, within constraints if there are any."""
        return within.search(beams) if within else self._engine.search(batch, beams, self._scale)

    def _labels_of_one_kind(self, label: str) -> bool:
        """A label for roots alone, or for other words alone."""
        return any(known.name == label and known.of_root != known.of_word for known in self.header.labels)

    @cached_property
    def _ruled(self) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.bool_]]:
        """By the numbers of labels: which takes which as a dependent, of what a head has one at most, and roots."""
        from rearc.treebank.rules import ONE_OF, base, one_of, takes

        kinds = {what: k for k, what in enumerate(dict.fromkeys(ONE_OF.values()), 1)}
        return (
            np.array([[takes(above, label) for label in self._labels] for above in self._labels]),
            np.array([kinds.get(one_of(label) or "", 0) for label in self._labels]),
            np.array([base(label) == "root" for label in self._labels]),
        )

    def _prepared(self, batch: list[Sentence], tags: str, keep: Collection[str]) -> list[Sentence]:
        """What the engine is to see."""
        return self._prepared_with_margins(batch, tags, keep)[0]

    def _prepared_with_margins(
        self, batch: list[Sentence], tags: str, keep: Collection[str]
    ) -> tuple[list[Sentence], Margins]:
        """What the engine is to see, and how narrowly a tagger beside it chose the tags."""
        batch = [without_projected_tree(self._marks.plain(sentence)) for sentence in batch]
        if tags == "predict":
            batch = [without_tags(sentence, keep) for sentence in batch]
        return self._tagged(batch, tags)

    @property
    def _scale(self) -> float:
        """What makes scores logarithms of probabilities; 0 where a model learnt to add them up as they are."""
        return self._engine.scale if self.header.beam == 1 else 0.0

    def _finished(
        self,
        batch: list[Sentence],
        heads: NDArray[Any],
        labels: NDArray[Any],
        predicted: dict[str, list[str]],
        tags: str,
    ) -> list[Sentence]:
        """The sentences with what the engine made of them."""
        parsed = attached(batch, heads, labels.astype(np.intc, copy=False), self._labels)
        if predicted:
            columns = cut(predicted, batch)
            parsed = [
                s.replace(**own) if takes_predicted(s, tags) else s for s, own in zip(parsed, columns, strict=True)
            ]
        if self.header.non_projective in ENCODINGS:
            return [deprojectivise(tree, self.header.non_projective) for tree in parsed]
        return parsed

    def _tagged(self, batch: list[Sentence], tags: str) -> tuple[list[Sentence], Margins]:
        """The batch with the tags that the tagger beside the parser predicts, and their margins."""
        self._check_tags(tags)
        bare = [takes_predicted(sentence, tags) for sentence in batch]
        if self._tagger is None or not any(bare):
            return batch, {}
        found, own = self._tagger.tag_with_margins([s for s, is_bare in zip(batch, bare, strict=True) if is_bare])
        if all(bare):
            return found, own
        rest = iter(found)
        tagged = [next(rest) if is_bare else s for s, is_bare in zip(batch, bare, strict=True)]
        of_words = np.repeat(bare, [len(s) for s in batch])
        margins = {column: np.full(len(of_words), np.nan, dtype=np.float32) for column in own}
        for column, values in own.items():
            margins[column][of_words] = values
        return tagged, margins

    def _predicted_tags(self, batch: list[Sentence]) -> tuple[dict[str, list[str]], Margins]:
        """By columns, the tags that the model predicts for all words of the sentences, and by how much each scored
        above all others."""
        batch = list(map(self._marks.plain, batch))
        if self._tagger is None:
            margins: Margins = {}
            return self._engine.tag(batch, margins), margins
        tagged, margins = self._tagger.tag_with_margins(batch)
        return {name: [tag for s in tagged for tag in getattr(s, name)] for name in self._tagger.columns}, margins

    @property
    def has_second_pass(self) -> bool:
        """Whether it goes through a finished tree once more."""
        return self._second_pass is not None or self._engine.has_second_pass

    @property
    def has_confidence(self) -> bool:
        """Whether it can tell how sure it is."""
        return self._confidence is not None

    def _check_confidence(self, confidence: bool) -> None:
        if confidence and not self.has_confidence:
            raise ValueError(
                "found confidence=True, expected a model that can tell how sure it is; train it with development data"
            )

    def _with(self, **parts: Any) -> Parser:
        """A parser whose model has other parts."""
        return Parser(replace(self._model, **parts), self._tagger, self._segmenter)

    @staticmethod
    def _check_keep(keep: Collection[str]) -> None:
        if not set(keep) <= set(TAGS):
            raise ValueError(f"found keep={keep!r}, expected some of {', '.join(TAGS)}")

    def _check_tags(self, tags: str) -> None:
        if tags not in ("given", "predict", "auto"):
            raise ValueError(f"found tags={tags!r}, expected 'given', 'predict' or 'auto'")
        if tags == "predict" and not self.has_tagger:
            raise ValueError(
                "found tags='predict', expected a model with a tagger; this one has none: give tagged sentences"
            )

    @property
    def has_tagger(self) -> bool:
        """Whether it predicts tags, by a tagger beside the parser or within it."""
        return self._tagger is not None or self._engine.has_tagger

    def __repr__(self) -> str:
        return f"<Parser {self.header.system} with {len(self._labels)} labels, trained on {self.header.train.name}>"

    def _repr_html_(self) -> str:
        """What it is and can do, which notebooks show."""
        from rearc.parser.display import parser_html

        return parser_html(self)


def load(name: str | os.PathLike[str]) -> Parser:
    """The parser in a model file, or that of a name: it comes with rearc, is in REARC_MODELS, or is installed.

    >>> load("en").has_tagger
    True
    """
    file = find_model(name)
    return _make(file, read_model(file), os.fspath(name) if is_bundled(file) else None)


def _from_members(members: Mapping[str, bytes]) -> Parser:
    where = "<pickled parser>"
    return _make(where, decode_model(where, {name: memoryview(data) for name, data in members.items()}))


def _make(file: str, model: Model, name: str | None = None) -> Parser:
    try:
        return Parser(model, make_tagger(model.tagger, model.clusters), make_segmenter(model.segmenter), name=name)
    except ValueError as error:
        raise ModelError(file, str(error).removeprefix("found "), EXPECTED, REMEDY) from None


def _sentence(words: Words) -> Sentence:
    if isinstance(words, Sentence):
        return words
    if isinstance(words, str):
        raise _unfit(
            words, "a Sentence or a list of words", f"parser({shown(words)}), or parser.parse({_words(words)})"
        )
    return Sentence(words)


def _unfit(found: str | Sentence, expected: str, remedy: str) -> TreebankError:
    what = "the string " + shown(found) if isinstance(found, str) else "one sentence"
    return TreebankError(None, 0, 0, what, expected, f"write {remedy}")


def _words(given: str | Sentence) -> str:
    """What stands for a sentence in a program."""
    return "sentence" if isinstance(given, Sentence) else f"{shown(given)}.split()"
