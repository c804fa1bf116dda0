from collections.abc import Iterable, Sequence

class Limits:
    def __init__(
        self,
        n: int,
        fixed: Iterable[tuple[int, int]],
        forbidden: Iterable[tuple[int, int]] = ...,
        leaves: Iterable[int] = ...,
        spans: Iterable[tuple[int, int]] = ...,
        groups: Iterable[Iterable[int]] = ...,
        one_root: bool = False,
    ) -> None: ...
    @property
    def n(self) -> int: ...
    @property
    def one_root(self) -> bool: ...
    def tree(self, projective: bool, root: int = 0, tops: Sequence[int] | None = None) -> list[int] | None: ...
    def complies(self, heads: Sequence[int]) -> bool: ...
