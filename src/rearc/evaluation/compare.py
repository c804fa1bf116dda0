"""Several outputs against one gold treebank: scores, differences, p-values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from rearc.evaluation.attachment import Scores, score, scores_html
from rearc.evaluation.pairs import COLUMNS, Bools, Pairs, Punctuation, Source, pair, sentences
from rearc.evaluation.significance import approximate_randomisation, mcnemar, paired_bootstrap
from rearc.treebank.drawing.table import Cell, html_table


@dataclass(frozen=True, slots=True)
class Difference:
    """`b` minus `a` in one metric, in percentage points, with a 95 % interval and three two-sided
    p-values.

    >>> from rearc.treebank import sample
    >>> las = compare(sample(), {"one": sample(), "other": sample()}, rounds=10).differences[1]
    >>> las.metric, las.difference, las.randomisation
    ('las', 0.0, 1.0)
    """

    a: str
    b: str
    metric: str
    difference: float
    low: float
    high: float
    randomisation: float
    bootstrap: float
    mcnemar: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Scores of each output by name, and the difference of each pair of outputs in UAS and LAS.

    >>> from rearc.treebank import sample
    >>> comparison = compare(sample(), {"one": sample(), "other": sample()}, rounds=10)
    >>> {name: scores.las for name, scores in comparison.scores.items()}
    {'one': 100.0, 'other': 100.0}
    """

    scores: dict[str, Scores]
    differences: list[Difference]
    rounds: int
    seed: int

    def against_first(self) -> list[Difference]:
        """The differences of each other output to the first one."""
        first = next(iter(self.scores))
        return [difference for difference in self.differences if difference.a == first]

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {
            "scores": {name: scores.as_dict() for name, scores in self.scores.items()},
            "differences": [asdict(difference) for difference in self.differences],
            "rounds": self.rounds,
            "seed": self.seed,
        }

    def _repr_html_(self) -> str:
        """Two tables, which notebooks show: the scores, and the differences with their p-values."""
        columns = ["", "metric", "difference", "95 % from", "to", "randomisation p", "bootstrap p", "McNemar p"]
        rows: list[list[Cell]] = [
            [
                f"{d.b} − {d.a}", d.metric.upper(), d.difference, d.low, d.high,
                *(f"{p:.4f}" for p in (d.randomisation, d.bootstrap, d.mcnemar)),
            ]
            for d in self.differences
        ]  # fmt: skip
        return scores_html(self.scores) + html_table("", columns, rows)


def compare(
    gold: Source,
    outputs: Mapping[str, Source],
    *,
    punctuation: Punctuation = "all",
    subtypes: bool = True,
    rounds: int = 10_000,
    seed: int = 1,
) -> Comparison:
    """Score each of `outputs` (name → path or sentences) and test all pairs of them.

    `rounds` is the number of rounds of the randomisation and of samples of the bootstrap. Each test starts
    from `seed`, so that the result for two outputs does not depend on which others are compared with them.

    >>> from rearc.treebank import Sentence
    >>> gold = [Sentence(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])]
    >>> output = [Sentence(["Dogs", "bark"], heads=[2, 0], deprels=["obj", "root"])]
    >>> [(d.metric, d.difference) for d in compare(gold, {"a": output, "b": gold}).differences]
    [('uas', 0.0), ('las', 50.0)]
    """
    if len(outputs) < 2:
        raise ValueError(f"a comparison needs two outputs or more, found {len(outputs)}")
    gold_sentences = list(sentences(gold, COLUMNS))
    pairs = {
        name: pair(gold_sentences, output, punctuation=punctuation, subtypes=subtypes, name=name)
        for name, output in outputs.items()
    }
    differences = [
        _difference(a, b, metric, pairs, rounds, seed) for a, b in combinations(pairs, 2) for metric in ("uas", "las")
    ]
    return Comparison({name: score(side) for name, side in pairs.items()}, differences, rounds, seed)


def _difference(a: str, b: str, metric: str, pairs: dict[str, Pairs], rounds: int, seed: int) -> Difference:
    def correct(name: str) -> Bools:
        return pairs[name].both_correct if metric == "las" else pairs[name].head_correct

    side = pairs[a]
    words = side.per_sentence(side.scored)
    correct_a, correct_b = correct(a), correct(b)
    per_a, per_b = side.per_sentence(correct_a), side.per_sentence(correct_b)
    bootstrap = paired_bootstrap(per_b, per_a, words, samples=rounds, seed=seed)
    return Difference(
        a=a,
        b=b,
        metric=metric,
        difference=100 * float(np.sum(per_b - per_a) / np.sum(words)),
        low=bootstrap.low,
        high=bootstrap.high,
        randomisation=approximate_randomisation(per_a, per_b, rounds=rounds, seed=seed),
        bootstrap=bootstrap.p,
        mcnemar=mcnemar(int(np.sum(correct_a & ~correct_b)), int(np.sum(correct_b & ~correct_a))),
    )
