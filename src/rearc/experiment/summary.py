"""The results of an experiment, put together: seeds grouped, means, standard deviations, differences, p-values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean, stdev

import numpy as np

from rearc.evaluation.significance import approximate_randomisation, holm, mcnemar, paired_bootstrap
from rearc.experiment.results import Ints, Result, unpack, unpack_flags
from rearc.experiment.spec import Spec
from rearc.experiment.tasks import Task

METRICS = {"uas": "heads", "las": "both"}  # what is tested, and where a result has it by sentence


@dataclass(frozen=True)
class Cell:
    """A setup on a treebank: one number over its seeds."""

    mean: float
    sd: float | None  # None for one seed
    seeds: int


@dataclass(frozen=True)
class Difference:
    """Setup `a` minus setup `b` on a treebank in one metric, in points."""

    a: str
    b: str
    treebank: str
    metric: str
    difference: float
    low: float | None  # a 95 % interval by the bootstrap
    high: float | None
    p: float | None  # None where the results do not say what is right sentence by sentence
    corrected: float | None = None  # by Holm, among all differences of this metric


class Summary:
    """All results of a spec, by treebank and setup."""

    def __init__(self, spec: Spec, results: Sequence[tuple[Task, Result | None]]) -> None:
        self.spec = spec
        self.treebanks = [treebank.name for treebank in spec.treebanks]
        self.setups = [setup.name for setup in spec.setups]
        self.tasks = [task for task, _ in results]
        self.done: list[Result] = []
        self.failed: list[tuple[Task, str]] = []
        self.missing: list[Task] = []
        self.groups: dict[tuple[str, str], list[Result]] = {}
        for task, result in results:
            if result is None:
                self.missing.append(task)
            elif "error" in result:
                self.failed.append((task, result["error"]))
            else:
                self.done.append(result)
                self.groups.setdefault((task["treebank"], task["setup"]), []).append(result)
        for group in self.groups.values():
            group.sort(key=lambda result: result["seed"] or 0)
        self._differences: list[Difference] | None = None

    def cell(self, treebank: str, setup: str, value: str) -> Cell | None:
        """A number of a setup on a treebank, over its seeds."""
        found = [result["values"].get(value) for result in self.groups.get((treebank, setup), ())]
        return spread([number for number in found if number is not None])

    def average(self, setup: str, value: str, treebanks: Sequence[str]) -> float | None:
        """The mean over treebanks of what is the mean over seeds; None unless all have it."""
        cells = [self.cell(treebank, setup, value) for treebank in treebanks]
        return mean(cell.mean for cell in cells if cell) if cells and all(cells) else None

    def shared(self, value: str) -> list[str]:
        """The treebanks on which every setup that has this number at all has it."""
        having = [s for s in self.setups if any(self.cell(t, s, value) for t in self.treebanks)]
        return [t for t in self.treebanks if having and all(self.cell(t, s, value) for s in having)]

    def differences(self) -> list[Difference]:
        """Of each pair that is compared, on each treebank, in UAS and LAS; corrected for there being many."""
        if self._differences is None:
            found = []
            for metric in METRICS:
                family = [
                    difference
                    for a, b in self.spec.pairs()
                    for treebank in self.treebanks
                    if (difference := self._difference(a, b, treebank, metric)) is not None
                ]
                found += _corrected(family)
            self._differences = found
        return self._differences

    def against_baseline(self, setup: str, treebank: str, metric: str) -> Difference | None:
        """The difference of a setup to the baseline, if there is one."""
        for each in self.differences():
            if (each.a, each.b, each.treebank, each.metric) == (setup, self.spec.baseline, treebank, metric):
                return each
        return None

    def _difference(self, a: str, b: str, treebank: str, metric: str) -> Difference | None:
        first, second = self.groups.get((treebank, a), []), self.groups.get((treebank, b), [])
        cells = self.cell(treebank, a, metric), self.cell(treebank, b, metric)
        if cells[0] is None or cells[1] is None:
            return None
        plain = Difference(a, b, treebank, metric, cells[0].mean - cells[1].mean, None, None, None)
        pairs = seed_pairs(first, second)
        if not pairs or not all("sentences" in result for pair in pairs for result in pair):
            return plain
        words, right_a, right_b = sums_by_sentence(pairs, METRICS[metric])
        spec = self.spec
        bootstrap = paired_bootstrap(right_a, right_b, words, samples=spec.rounds)
        p = bootstrap.p
        if spec.test == "randomisation":
            p = approximate_randomisation(right_a, right_b, rounds=spec.rounds)
        elif spec.test == "mcnemar":
            p = mcnemar(*only_one_right(pairs, METRICS[metric]))
        return replace(plain, low=bootstrap.low, high=bootstrap.high, p=p)


def spread(values: Sequence[float]) -> Cell | None:
    """Mean and standard deviation (n − 1) of some numbers.

    >>> spread([80.0, 82.0])
    Cell(mean=81.0, sd=1.4142135623730951, seeds=2)
    """
    if not values:
        return None
    return Cell(mean(values), stdev(values) if len(values) > 1 else None, len(values))


def seed_pairs(first: Sequence[Result], second: Sequence[Result]) -> list[tuple[Result, Result]]:
    """Runs side by side: those with the same seed; what has no seed stands beside every seed of the other."""
    if len(first) == 1 and first[0]["seed"] is None:
        return [(first[0], other) for other in second]
    if len(second) == 1 and second[0]["seed"] is None:
        return [(one, second[0]) for one in first]
    by_seed: Mapping[int, Result] = {result["seed"]: result for result in second}
    return [(result, by_seed[result["seed"]]) for result in first if result["seed"] in by_seed]


def sums_by_sentence(pairs: Sequence[tuple[Result, Result]], which: str) -> tuple[Ints, Ints, Ints]:
    """Of each sentence its words, and the right ones of either side, under all seeds: seeds make no more sentences."""
    words = np.sum([unpack(a["sentences"]["words"]) for a, _ in pairs], axis=0)
    right = [np.sum([unpack(pair[side]["sentences"][which]) for pair in pairs], axis=0) for side in (0, 1)]
    return words, right[0], right[1]


def only_one_right(pairs: Sequence[tuple[Result, Result]], which: str) -> tuple[int, int]:
    """The words, under all seeds, that one side alone has right."""
    only_a = only_b = 0
    for pair in pairs:
        a, b = (unpack_flags(result["words"][which]) for result in pair)
        only_a, only_b = only_a + int(np.sum(a & ~b)), only_b + int(np.sum(b & ~a))
    return only_a, only_b


def _corrected(family: list[Difference]) -> list[Difference]:
    tested = [difference for difference in family if difference.p is not None]
    adjusted = iter(holm([difference.p for difference in tested if difference.p is not None]))
    return [d if d.p is None else replace(d, corrected=next(adjusted)) for d in family]
