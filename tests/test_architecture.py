"""Rooms import one another only as docs/architecture.md says."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "rearc"
PAGE = ROOT / "docs" / "architecture.md"
SHARED = {"errors", "interrupt", "lazy", "version", "_cython"}  # small modules that all rooms may use
CIMPORT = re.compile(r"^[ \t]*(?:from[ \t]+(rearc[\w.]*)[ \t]+c?import|c?import[ \t]+(rearc[\w.]*))", re.MULTILINE)

pytestmark = pytest.mark.skipif(not (SOURCE.is_dir() and PAGE.is_file()), reason="no sources beside the tests")


def allowed() -> dict[str, list[str]]:
    """Of each room those that it may touch, in the order of the page."""
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\|([^|]*)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    return {room: re.findall(r"`(\w+)`", touched) for room, touched in rows}


def room_of(file: Path) -> str:
    parts = file.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else {"__init__.py": "rearc", "__main__.py": "cli"}.get(parts[0], file.stem)


def imported(text: str, compiled: bool) -> Iterator[str]:
    """The modules of rearc that a file imports, wherever in it."""
    if compiled:
        for match in CIMPORT.finditer(text):
            yield match[1] or match[2]
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            # from rearc import training is an import of the room training
            yield from (
                (f"rearc.{alias.name}" for alias in node.names) if node.module == "rearc" else [node.module or ""]
            )


def target(module: str) -> str | None:
    """The room in which a module is; None where it is no room's."""
    package, _, rest = module.partition(".")
    name = rest.split(".")[0]
    if package != "rearc" or name in SHARED:
        return None
    return name if (SOURCE / name).is_dir() and name else "rearc"


def files() -> list[Path]:
    return sorted(file for file in SOURCE.rglob("*") if file.suffix in (".py", ".pyi", ".pyx", ".pxd"))


def edges(file: Path) -> set[str]:
    found = map(target, imported(file.read_text("utf-8"), file.suffix in (".pyx", ".pxd")))
    return {room for room in found if room is not None} - {room_of(file)}


def test_every_room_is_on_the_page():
    rooms = {folder.name for folder in SOURCE.iterdir() if (folder / "__init__.py").exists()}
    assert set(allowed()) == rooms | {"rearc"}


def test_the_page_has_no_cycles():
    """Each room may touch only rooms that stand before it."""
    before: list[str] = []
    for room, touched in allowed().items():
        assert set(touched) <= set(before), room
        before.append(room)


def test_rooms_import_only_what_they_may():
    may = allowed()
    wrong = [
        f"{file.relative_to(SOURCE)} imports {room}"
        for file in files()
        if room_of(file) not in SHARED
        for room in sorted(edges(file))
        if room not in may[room_of(file)]
    ]
    assert wrong == []


def test_what_all_share_stands_on_nothing():
    assert [file.name for file in files() if room_of(file) in SHARED and edges(file)] == []


def test_the_walls_that_matter_most():
    """Should the page be changed without much thought."""
    may = allowed()
    assert not {"oracles", "training", "evaluation"} & set(may["parser"])
    assert may["treebank"] == ["files"]
    assert "oracles" not in may["systems"]
    assert all("cli" not in touched for touched in may.values())


@pytest.mark.parametrize(
    ("text", "compiled", "found"),
    [
        ("from rearc.parser.model import Model\n", False, ["parser"]),
        ("def f():\n    import rearc.oracles.walk\n", False, ["oracles"]),
        ("from rearc import training\n", False, ["training"]),
        ("import rearc\n", False, ["rearc"]),
        ("from rearc import load\n", False, ["rearc"]),
        ("from rearc.errors import RearcError\nimport numpy\n", False, [None, None]),
        ("from rearc.systems.base cimport State\n    cimport rearc.features.program\n", True, ["systems", "features"]),
        ("from libc.stdlib cimport free\n", True, []),
    ],
)
def test_how_imports_are_found(text: str, compiled: bool, found: list[str | None]):
    assert [target(module) for module in imported(text, compiled)] == found
