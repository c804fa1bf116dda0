"""Models by name: those that come with rearc, those in the folders of REARC_MODELS, those that are installed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from rearc.parser.errors import ModelError

FOLDERS = "REARC_MODELS"  # a variable of the environment: folders with models, separated as in PATH
GROUP = "rearc.models"  # entry points of installed models: NAME = PACKAGE
MEMBER = "model.rearc"  # a model in its package
BUNDLED, INSTALLED = "comes with rearc", "installed"

_DATA = Path(__file__).parent.parent / "data"


class Found(NamedTuple):
    """A model that has a name."""

    name: str
    where: str  # comes with rearc, a folder, or the package that is installed
    file: str


def find_model(name: str | os.PathLike[str]) -> str:
    """The file of a model: a path, or the name of a model that comes with rearc, is in REARC_MODELS or is installed."""
    path = os.fspath(name)
    if _is_path(path):
        return path
    found = _named(path)
    if found:
        return found.file
    known = ", ".join(model.name for model in known_models()) or "none"
    expected = f"a path, or the name of a model that is known here ({known})"
    raise ModelError(path[:100], "no file of that name", expected, "check the name; `rearc models` lists the models")


def is_bundled(file: str) -> bool:
    """Whether it is the file of a model that comes with rearc."""
    return Path(file).parent == _DATA


def is_name(text: str) -> bool:
    """Whether it is the name of a model that is known here, and not a path."""
    return not _is_path(text) and _named(text) is not None


def known_models() -> list[Found]:
    """All models that have a name. Where two have the same, the first counts.

    >>> known_models()[0].name
    'en'
    """
    found: dict[str, Found] = {}
    for model in [*_bundled(), *_in_folders(), *_installed()]:
        found.setdefault(model.name, model)
    return list(found.values())


def is_there(path: str) -> bool:
    """Whether there is a file of that name, which may be no name at all."""
    return os.path.exists(path)  # noqa: PTH110 (Path.exists raises where a name is too long)


def _is_path(text: str) -> bool:
    return os.sep in text or text.endswith(".rearc") or is_there(text)


def _named(name: str) -> Found | None:
    for models in (_bundled, _in_folders, _installed):  # the dearest comes last
        for model in models():
            if model.name == name:
                return model
    return None


def _bundled() -> list[Found]:
    return [Found(file.stem, BUNDLED, str(file)) for file in sorted(_DATA.glob("*.rearc"))]


def _in_folders() -> list[Found]:
    folders = [folder for folder in os.environ.get(FOLDERS, "").split(os.pathsep) if folder]
    return [Found(file.stem, folder, str(file)) for folder in folders for file in sorted(Path(folder).glob("*.rearc"))]


def _installed() -> list[Found]:
    """Without importing their packages: loading a model never runs code."""
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    found = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        spec = find_spec(point.value) if point.value.isidentifier() else None
        for folder in spec.submodule_search_locations or () if spec else ():
            where = f"{INSTALLED}, {point.dist.name} {point.dist.version}" if point.dist else INSTALLED
            found.append(Found(point.name, where, os.path.join(folder, MEMBER)))  # noqa: PTH118 (as find_spec gives it)
    return found
