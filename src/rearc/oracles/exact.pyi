from rearc.oracles.base import Oracle
from rearc.systems.base import State, System

class SearchLimit(RuntimeError): ...

class Search:
    def __init__(
        self, system: System, gold: Oracle, lower: Oracle | None = None, upper: Oracle | None = None
    ) -> None: ...
    def loss(self, state: State, max_configurations: int = 1_000_000) -> int: ...
