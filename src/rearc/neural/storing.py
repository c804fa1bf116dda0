"""Weights as a model file keeps them: tables of vectors in 8 bits with a scale for each row, all others in 16."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Stored = dict[str, NDArray[Any]]

SCALE = ".scale"
STEPS = 127
LARGEST = float(np.finfo(np.float16).max)


def pack(weights: Mapping[str, NDArray[np.float32]], tables: Collection[str]) -> Stored:
    """The weights rounded, those of the tables row by row.

    >>> packed = pack({"words": np.array([[0.5, -1], [0, 0]], "f"), "root": np.array([0.1], "f")}, {"words"})
    >>> packed["words"].tolist(), packed["root"].dtype
    ([[64, -127], [0, 0]], dtype('float16'))
    """
    packed: Stored = {}
    for name, array in weights.items():
        if name in tables:
            largest = np.abs(array).max(axis=1, initial=0)
            scale = (largest / STEPS).astype(np.float32)
            packed[name + SCALE] = scale
            steps = np.nan_to_num(np.rint(array / np.where(scale > 0, scale, 1)[:, None]))
            packed[name] = steps.clip(-STEPS, STEPS).astype(np.int8)
        else:
            packed[name] = array.clip(-LARGEST, LARGEST).astype(np.float16)
    return packed


def unpack(stored: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The weights again, in 32 bits. What is of another type stays as it is. ValueError where a scale is missing."""
    weights: dict[str, NDArray[Any]] = {}
    for name, array in stored.items():
        if array.dtype == np.int8:
            scale = stored.get(name + SCALE)
            if scale is None or scale.dtype != np.float32 or array.ndim != 2 or scale.shape != array.shape[:1]:
                raise ValueError(f"a network whose weights do not fit: {name + SCALE}")
            weights[name] = array * scale[:, None]
        elif array.dtype == np.float16:
            weights[name] = array.astype(np.float32)
        elif stored.get(name.removesuffix(SCALE), array).dtype != np.int8:
            weights[name] = array
    return weights
