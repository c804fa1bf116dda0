"""How sure a tagger may be of the tags that it predicts: a logistic regression for each column.

Its evidence of a word is by how much the tag and the UPOS scored above all others, and the UPOS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rearc.parser.engine import Margins

COLUMNS = ("upos", "xpos", "feats")
IN_MISC = {"upos": "UposConfidence=", "xpos": "XposConfidence=", "feats": "FeatsConfidence="}
NUMBERS = 6  # of a word, behind which comes its UPOS: see `rows`

Floats = NDArray[np.float64]


def rows(margins: Margins, column: str, upos: NDArray[np.intp], tags: int) -> Floats:
    """The evidence of the tags of a column, a row a word. It has to do with UPOS too, by which other tags are chosen.

    upos: numbers of tags from 1, 0 is any other; tags: how many there are.
    """
    some, sole = _near(margins[column])
    of_upos = np.zeros_like(some) if column == "upos" else _near(margins["upos"])[0]
    matrix = np.zeros((len(some), NUMBERS + 1 + tags))
    numbers = [np.ones(len(some)), some, some * some / 10, sole, of_upos, of_upos * of_upos / 10]
    matrix[:, :NUMBERS] = np.column_stack(numbers)
    matrix[np.arange(len(matrix)), NUMBERS + upos] = 1
    return matrix


def _near(margins: NDArray[np.float32]) -> tuple[Floats, NDArray[np.bool_]]:
    """How far away the next tag is, and whether there is none."""
    sole = np.isinf(margins)
    return np.log1p(np.maximum(np.where(sole | np.isnan(margins), 0, margins), 0).astype(np.float64)), sole


def of_tags(weights: Mapping[str, Floats], margins: Margins, upos: NDArray[np.intp], tags: int) -> dict[str, Floats]:
    """By columns, the probability of each word that its tag is right; NaN where the tag was not predicted."""
    found = {}
    for column in COLUMNS:
        if column in weights and column in margins:
            score = rows(margins, column, upos, tags) @ weights[column]
            right = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
            found[column] = np.where(np.isnan(margins[column]), np.nan, right)
    return found


def said(of_word: Sequence[tuple[str, float]]) -> list[str]:
    """What MISC says of the tags of a word."""
    return [f"{IN_MISC[column]}{right:.4f}" for column, right in of_word if right == right]
