"""The segmenter that a model file keeps beside the parser."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rearc.parser.catalogue import find_model
from rearc.parser.errors import ModelError
from rearc.parser.model import EXPECTED, REMEDY, Model, Pieces, read_model
from rearc.parser.parts import content_of

if TYPE_CHECKING:
    from rearc.segment import Segmenter


def make_segmenter(members: Mapping[str, Pieces]) -> Segmenter | None:
    """The segmenter again, if a model file keeps one. ValueError says what is wrong with it."""
    if not members:
        return None
    from rearc.segment import Segmenter  # which sentences that are found already do without

    return Segmenter.from_tensors(*content_of(members, "segmenter"))


def load_segmenter(name: str | os.PathLike[str]) -> Segmenter | None:
    """The segmenter in a model file, or of a model that comes with rearc by its name, if it has one."""
    file = find_model(name)
    return segmenter_of(file, read_model(file))


def segmenter_of(file: str, model: Model) -> Segmenter | None:
    """The segmenter of a model that was read from this file, if it has one."""
    try:
        return make_segmenter(model.segmenter)
    except ValueError as error:
        raise ModelError(file, str(error).removeprefix("found "), EXPECTED, REMEDY) from None
