import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

KERNELS: tuple[str, ...]

class Packed:
    def __init__(self, matrix: Floats, bias: Floats | None = None, *, kernels: str | None = None) -> None: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def width(self) -> int: ...

def product(
    rows: Floats, matrix: Packed, *, rectified: bool = False, out: Floats | None = None, onto: bool = False
) -> Floats: ...
def softmax(rows: Floats) -> None: ...
