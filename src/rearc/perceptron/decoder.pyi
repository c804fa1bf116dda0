from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rearc.constraints.guard import Guard
from rearc.features.program import Program
from rearc.perceptron.weights import Scorer
from rearc.systems import State, System

class LinearDecoder:
    def __init__(
        self,
        system: System,
        program: Program,
        label_program: Program,
        types: Scorer,
        labels: Scorer,
        of_root: Sequence[int],
        of_word: Sequence[int],
        repairs_apart: bool = False,
    ) -> None: ...
    @property
    def repairs_apart(self) -> bool: ...
    @property
    def system(self) -> System: ...
    @property
    def program(self) -> Program: ...
    @property
    def label_program(self) -> Program: ...
    def parse(
        self,
        values: NDArray[np.uint32],
        offsets: NDArray[np.int64],
        start: int = 0,
        stop: int | None = None,
        guard: Guard | None = None,
        known: NDArray[np.intc] | None = None,
        begun: tuple[NDArray[np.intc], NDArray[np.intc]] | None = None,
    ) -> tuple[NDArray[np.intc], NDArray[np.intc]]: ...
    def scores(self, values: NDArray[np.uint32], state: State) -> tuple[NDArray[np.float32], int]: ...
    def label(self, values: NDArray[np.uint32], state: State, head: int, dependent: int) -> int: ...
    def label_scores(self, values: NDArray[np.uint32], tree: NDArray[np.intc]) -> NDArray[np.float32]: ...
