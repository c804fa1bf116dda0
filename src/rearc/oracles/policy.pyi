from collections.abc import Sequence

from rearc.oracles.base import Oracle
from rearc.systems import State

class RandomWalk:
    def __init__(self, follow: float, seed: int = 1) -> None: ...
    def choose(self, judge: Oracle, state: State) -> str: ...

def best_of(legal: Sequence[str], scores: Sequence[float], optimal: Sequence[str]) -> str | None: ...
