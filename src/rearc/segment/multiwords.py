"""Multiword tokens: which tokens are several words, and which words these are.

A pass of the tagger over tokens chooses among split rules. Tokens of the treebank may have the rules they had there,
others those that tokens with the same ending had: most tokens are one word by that alone, and only where there is a
choice is the context looked at.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.perceptron.growing import LabelLearner
from rearc.perceptron.weights import LabelWeights, Rows, Scorer, pack_labels, sum_rows
from rearc.segment.split_rules import WHOLE, compile_split, make_split
from rearc.tagger.lexicons import make_lexicon
from rearc.tagger.passes import Lexicon, Pass, learn, tag
from rearc.tagger.templates import parse_templates
from rearc.tagger.words import WordEncoder
from rearc.treebank import Sentence
from rearc.treebank.marks import Marks, are_marks, stand_ins

EPOCHS = 5
RUNS = 3
PRUNE = 0.2  # averaged weights that are smaller are left out
RARE = 2  # tokens that occur less often are learnt without their form, as if they were new
SHARE = 0.02  # of the tokens with an ending must have a rule, or it is none for other tokens with that ending
OPEN = 2  # a rule may be for other tokens if so many different ones had it
MAX_RULES = 8192
LEXICON = ("w", "n", "s6", "s5", "s4", "s3", "s2", "s1")
TEMPLATES = """
w n p1 p2 p3 p4 s1 s2 s3 s4 s5 s6 h k s3+h s3+k
t:-1 t:-1+n n:-1 n:1 n:-2 n:2 n:-1+n n+n:1 n:-1+n+n:1 n+n:1+n:2
s2:-1 s3:-1 s2:1 s3:1 n+s1:1 n+s2:1 n+s3:1 n+s2:-1 n+s3:-1 n+p1:1 n+h:1 n+h:-1 h:-1 h:1
"""
_LABELS = {"places": np.uint8, "tags": np.uint32, "counts": np.uint16, "labels": np.uint16, "codes": np.int8}
_WORDS = {"keys": np.uint32, "counts": np.uint8, "classes": np.uint16}

Tensors = dict[str, NDArray[Any]]
Report = Callable[[int, int, int], object]


class Splitter:
    """A trained splitter of multiword tokens; `Splitter.train` makes one. One serves any number of threads at a time.

    >>> from rearc.treebank import Multiword, Sentence
    >>> sentence = Sentence(["de", "le", "vin"], multiwords=[Multiword(1, 2, "du")])
    >>> splitter = Splitter.train([sentence])
    >>> splitter.split([["Du", "vin", "!"]])
    [[['De', 'le'], ['vin'], ['!']]]
    """

    def __init__(
        self, rules: Sequence[str], templates: str, lexicon: Tensors, weights: Tensors, marks: Mapping[str, str]
    ) -> None:
        self._rules, self._templates, self._lexicon, self._weights = tuple(rules), templates, lexicon, weights
        self._table, self._marks = dict(marks), Marks(marks)
        self._splits = [compile_split(rule) for rule in self._rules]
        self._encoder = WordEncoder({})
        self._pass = self._make_pass(LabelWeights(weights, len(self._rules)))

    @staticmethod
    def train(sentences: Iterable[Sentence], *, seed: int = 1, report: Report | None = None) -> Splitter | None:
        """Learn from these sentences; None if they have no multiword tokens. The same seed gives the same splitter.

        report: called after each epoch with its number, the number of all epochs, and that of the mistakes.
        """
        treebank = [list(tokens_of(sentence)) for sentence in sentences]
        tokens = [[token for token, _ in sentence] for sentence in treebank]
        made = {pair: make_split(*pair) for pair in sorted({pair for sentence in treebank for pair in sentence})}
        rules = sorted({WHOLE, *sorted(set(made.values()))[:MAX_RULES]})
        if len(rules) == 1:
            return None
        places = {rule: k for k, rule in enumerate(rules)}
        gold = np.array([places.get(made[pair], -1) for sentence in treebank for pair in sentence], dtype=np.int32)
        words = WordEncoder({}).encode(tokens)
        nothing = np.zeros_like(gold)
        whole = frozenset([places[WHOLE]])
        lexicon = make_lexicon(LEXICON, words, nothing, gold, SHARE, whole, OPEN)
        splitter = Splitter(
            rules,
            " ".join(TEMPLATES.split()),
            lexicon,
            pack_labels(LabelLearner(len(rules)).average()),
            stand_ins(token for sentence in tokens for token in sentence),
        )
        return splitter._learn(tokens, gold, seed, report or (lambda epoch, epochs, mistakes: None))

    def _learn(self, tokens: list[list[str]], gold: NDArray[np.int32], seed: int, report: Report) -> Splitter:
        words = self._encoder.encode(tokens, RARE)
        order = list(range(len(tokens)))
        total: Rows | None = None
        for run in range(RUNS):
            learner = LabelLearner(len(self._rules))
            step = self._make_pass(learner)
            for epoch in range(EPOCHS):
                random.Random(f"{seed} multiwords {run} {epoch}").shuffle(order)
                mistakes = learn(step, words, {}, gold, np.array(order, dtype=np.int64))
                report(run * EPOCHS + epoch + 1, RUNS * EPOCHS, mistakes)
            total = sum_rows(total, learner.average()) if total else learner.average()
        assert total is not None
        weights = total.weights / np.float32(RUNS)
        kept = np.where(np.abs(weights) > PRUNE, weights, np.float32(0))
        packed = pack_labels(total._replace(weights=kept))
        return Splitter(self._rules, self._templates, self._lexicon, packed, self._table)

    def _make_pass(self, scorer: Scorer) -> Pass:
        lexicon = Lexicon(LEXICON, **self._lexicon)
        units = [[k] for k in range(len(self._rules))]
        whole = [[self._rules.index(WHOLE)]]
        return Pass(scorer, parse_templates(self._templates), units, whole, "upos", lexicon)

    def split(self, sentences: Sequence[Sequence[str]]) -> list[list[list[str]]]:
        """Of each sentence, given as its tokens, the words of each token."""
        encoded = self._encoder.encode(list(map(self._marks.read_all, sentences)))
        chosen = tag([self._pass], encoded)[0][0].tolist()
        starts = encoded.offsets.tolist()
        whole = self._rules.index(WHOLE)
        made: dict[tuple[str, int], list[str]] = {}  # most of them come again and again

        def words_of(token: str, rule: int) -> list[str]:
            if (token, rule) not in made:
                words = self._splits[rule](self._marks.read(token))
                made[token, rule] = words if len(words) > 1 else [token]
            return [*made[token, rule]]

        return [
            [
                [token] if rule == whole else words_of(token, rule)
                for token, rule in zip(tokens, chosen[start : start + len(tokens)], strict=True)
            ]
            for tokens, start in zip(sentences, starts, strict=False)
        ]

    @property
    def header(self) -> dict[str, Any]:
        """All of it but the arrays, ready for JSON."""
        return {"templates": self._templates, "rules": [*self._rules], "marks": dict(self._table)}

    def tensors(self) -> Tensors:
        """The arrays, by name."""
        lexicon = {f"lexicon/{name}": array.copy() for name, array in self._lexicon.items()}
        return {**{name: array.copy() for name, array in self._weights.items()}, **lexicon}

    @staticmethod
    def from_tensors(header: Any, tensors: Tensors) -> Splitter:
        """The splitter again. ValueError says what is wrong with what is given."""
        if not isinstance(header, dict) or header.keys() | {"marks"} != {"templates", "rules", "marks"}:
            raise ValueError("found no header of a splitter")
        rules, templates, marks = header["rules"], header["templates"], header.get("marks", {})  # older ones have none
        if not are_marks(marks):
            raise ValueError(f"found marks of a splitter that cannot be: {str(marks)[:40]!r}")
        if (
            not isinstance(rules, list)
            or any(type(rule) is not str for rule in rules)
            or not isinstance(templates, str)
        ):
            raise ValueError("found a header of a splitter without rules and templates")
        if len(set(rules)) < len(rules) or WHOLE not in rules or any(set(rule) & set("\t\n\r\0") for rule in rules):
            raise ValueError("found split rules that cannot be, or one of them twice")
        weights = {name: _array(tensors, name, kind) for name, kind in _LABELS.items()}
        lexicon = {name: _array(tensors, f"lexicon/{name}", kind) for name, kind in _WORDS.items()}
        return Splitter(rules, templates, lexicon, weights, marks)

    def __repr__(self) -> str:
        return f"<Splitter of {len(self._rules) - 1} rules>"


def tokens_of(sentence: Sentence) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The tokens of a sentence, each with its words.

    >>> from rearc.treebank import Multiword
    >>> list(tokens_of(Sentence(["can", "not", "go"], multiwords=[Multiword(1, 2, "cannot")])))
    [('cannot', ('can', 'not')), ('go', ('go',))]
    """
    forms = sentence.forms
    several = {multiword.start: multiword for multiword in sentence.multiwords}
    place = 1
    while place <= len(forms):
        multiword = several.get(place)
        end = multiword.end if multiword else place
        yield multiword.form if multiword else forms[place - 1], tuple(forms[place - 1 : end])
        place = end + 1


def _array(tensors: Tensors, name: str, kind: type) -> NDArray[Any]:
    array = tensors.get(name)
    if array is None or array.ndim != 1 or array.dtype != kind:
        raise ValueError(f"found no tensor {name} for the splitter")
    return array
