from collections.abc import Iterable

from rearc.features.templates import Template

class Program:
    def __init__(self, templates: Iterable[Template]) -> None: ...
    @property
    def templates(self) -> tuple[Template, ...]: ...
    @property
    def size(self) -> int: ...
