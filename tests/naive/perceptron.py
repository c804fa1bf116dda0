"""The averaged perceptron as the books have it: all weight vectors are kept in mind and their mean is taken."""

from collections.abc import Hashable, Iterable
from fractions import Fraction


class Perceptron:
    """Weights of (feature, class), whatever features are."""

    def __init__(self) -> None:
        self.weights: dict[tuple[Hashable, int], int] = {}
        self.total: dict[tuple[Hashable, int], int] = {}
        self.steps = 0

    def score(self, features: Iterable[Hashable], cls: int) -> int:
        return sum(self.weights.get((feature, cls), 0) for feature in features)

    def update(self, features: list[Hashable], right: Iterable[int], wrong: Iterable[int]) -> None:
        """A step that sets some classes against others."""
        self.step([*((features, c, 1) for c in right), *((features, c, -1) for c in wrong)])

    def step(self, changes: Iterable[tuple[list[Hashable], int, int]]) -> None:
        """What the weights were when it was predicted goes into the mean, then they change."""
        self.steps += 1
        for cell, weight in self.weights.items():
            self.total[cell] = self.total.get(cell, 0) + weight
        for features, cls, change in changes:
            for feature in features:
                self.weights[feature, cls] = self.weights.get((feature, cls), 0) + change

    def average(self) -> dict[tuple[Hashable, int], float]:
        return {cell: float(Fraction(self.total.get(cell, 0), self.steps)) for cell in self.weights}
