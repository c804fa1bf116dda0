"""Every command and every snippet of the documentation is run, on small files, and shows what really comes out."""

import shutil
from collections.abc import Callable
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

import rearc
from rearc.treebank import sample
from tests.docs.blocks import LOOKS_RUN, RUNS, SHOWS, Block, alike, blocks, check_shown, run, shown_value, surroundings

TOP = Path(__file__).parents[2]
DOCS = TOP / "docs"
PAGES = [TOP / "README.md", TOP / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
NOT_RUN = {  # blocks that are marked so, each with its reason
    "README.md": 2,
    "CONTRIBUTING.md": 3,
    "add-a-system.md": 1,
    "billion.md": 3,
    "bridges.md": 2,
    "cli.md": 2,
    "debugger.md": 1,
    "distilling.md": 2,
    "encoders.md": 3,
    "neural.md": 2,
    "oracles.md": 5,
    "papers.md": 1,
    "serve.md": 1,
    "start.md": 1,
    "training.md": 1,
}

SPEC = """\
treebanks = { mine = { train = "train.conllu", dev = "dev.conllu", test = "test.conllu" } }
baseline = "static"

[common]
epochs = 1

[setups.static]
system = "covington"
oracle = "static"

[setups.dynamic]
system = "covington"
oracle = "dynamic"
"""


@pytest.fixture(scope="session")
def material(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all files that the pages name, made of the treebank that comes with rearc."""
    folder = tmp_path_factory.mktemp("docs")
    sentences = list(rearc.read(sample()))
    train, dev = sentences[:20], sentences[20:]
    bare = [sentence.replace(heads=None, deprels=None) for sentence in dev]
    parts = {"treebank": sentences, "train": train, "dev": dev, "test": dev, "gold": dev, "dirty": sentences}
    for name, part in {**parts, "words": bare, "in": bare}.items():
        rearc.write(part, folder / f"{name}.conllu")
    parser = rearc.train(folder / "train.conllu", dev=folder / "dev.conllu", quick=True)
    parser.save(folder / "my.rearc")
    parsed = list(parser.parse_many(bare, confidence=True))
    other = list(rearc.load("en").parse_many(bare))
    for name in ("predicted", "parsed", "a", "baseline"):
        rearc.write(parsed, folder / f"{name}.conllu")
    for name in ("b", "c", "new"):
        rearc.write(other if name == "b" else dev, folder / f"{name}.conllu")
    for name in ("letter.txt", "letters.txt", "text.txt"):
        (folder / name).write_text("Dear Ada, thank you for the book. I haven't read it yet!\n", encoding="utf-8")
    rearc.write(sentences, folder / "danish.conll", encoding="latin-1")
    rearc.write(sentences, folder / "in", format="conllx")
    (folder / "spec.toml").write_text(SPEC, encoding="utf-8")
    (folder / "card.md").write_text("# A card\n", encoding="utf-8")
    return folder


@pytest.fixture
def place(material: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "docs"
    shutil.copytree(material, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.name)
def test_the_blocks_of_a_page_do_what_it_shows(file: Path, place: Path, tmp_path: Path):
    environment = surroundings(tmp_path / "shims")
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks(file)[0]:
        if block.kind in RUNS and not block.not_run and not block.missing:
            run(block, names, environment)


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.name)
def test_nothing_escapes_the_test(file: Path):
    fenced, prose = blocks(file)
    for block in fenced:
        assert block.kind in RUNS + SHOWS, f"{block}: {block.kind} is none of {RUNS + SHOWS}"
        if block.kind in SHOWS:
            check_shown(block)
        else:
            assert not block.info or block.not_run or block.needs or block.asks, f"{block}: found {block.info!r}"
    for number, line in prose:
        indented = line.startswith("    ") and LOOKS_RUN.match(line)
        assert not indented, f"{file.name}, line {number}: a command outside of a fenced block is not run"


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.name)
def test_what_is_not_run_is_counted(file: Path):
    marked = [block for block in blocks(file)[0] if block.not_run]
    assert len(marked) == NOT_RUN.get(file.name, 0), "\n".join(f"{block}: {block.not_run}" for block in marked)


def test_pictures_are_those_that_rearc_draws():
    drawn = run_path(str(DOCS / "pictures.py"))["pictures"]()
    there = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "pictures").glob("*.svg")}
    for name, picture in drawn.items():
        assert there[name] == picture, f"docs/pictures/{name} is not what docs/pictures.py draws"


WRONG: dict[str, Callable[[], Block]] = {
    "a value": lambda: Block("p", 1, "python", "", "1 + 1  # 3, of course\n"),
    "an example": lambda: Block("p", 1, "python", "", ">>> 1 + 1\n3\n"),
    "an error": lambda: Block("p", 1, "python", "", "1 / 0\n"),
    "a command": lambda: Block("p", 1, "sh", "", "false | cat\n"),
    "output": lambda: Block("p", 1, "console", "", "$ echo a\nb\n"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_block_is_noticed(what: str, tmp_path: Path):
    with pytest.raises(AssertionError):
        run(WRONG[what](), {}, surroundings(tmp_path / "shims"))


def test_what_is_shown_may_leave_out_some():
    assert alike("a \nb\nc\n", "a\n…\nc")
    assert not alike("a\nb\n", "a")
    assert shown_value("2, found by search") == (2,)
    assert shown_value("{'shift': 0}: over all") == ({"shift": 0},)
    assert shown_value("draws it; notebooks show a picture") is None
