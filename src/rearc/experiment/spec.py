"""The spec of an experiment: treebanks × setups × seeds, and what is compared with what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from rearc.errors import suggestion
from rearc.experiment.errors import SpecError
from rearc.experiment.setups import Setup, read_setup
from rearc.experiment.toml import Section, read_toml
from rearc.experiment.values import VALUES

TESTS = ("randomisation", "bootstrap", "mcnemar")
PARTS = ("train", "dev", "test")
UNFIT = re.compile(r"[/\\\x00-\x1f]|^\.")  # in a name that becomes that of a file


@dataclass(frozen=True)
class Treebank:
    """A treebank's files by the names of its parts."""

    name: str
    parts: dict[str, Path]

    def size(self) -> int:
        """Bytes to learn from."""
        train = self.parts.get("train")
        return train.stat().st_size if train is not None and train.is_file() else 0


@dataclass(frozen=True)
class Spec:
    """An experiment."""

    file: Path
    title: str
    treebanks: tuple[Treebank, ...]
    setups: tuple[Setup, ...]
    seeds: tuple[int, ...]
    score: str  # the part that is parsed and scored
    punctuation: str
    subtypes: bool
    test: str
    level: float
    rounds: int
    baseline: str | None
    compare: tuple[tuple[str, str], ...]  # the first minus the second
    tables: tuple[str, ...] | None  # what is shown; else by what is measured
    results: Path

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """All that is compared: each setup with the baseline, and the named pairs."""
        pairs = [] if self.baseline is None else [(setup.name, self.baseline) for setup in self.setups]
        return tuple(dict.fromkeys(pair for pair in (*pairs, *self.compare) if pair[0] != pair[1]))

    def runs(self) -> Iterator[tuple[Treebank, Setup, int | None]]:
        """All runs: the first seed of everything before the second of anything, small treebanks first."""
        by_size = sorted(self.treebanks, key=Treebank.size)
        rounds = max([len(self.seeds), *(len(setup.seeds or ()) for setup in self.setups)])
        for number, treebank, setup in product(range(rounds), by_size, self.setups):
            if setup.treebanks is None or treebank.name in setup.treebanks:
                seeds: Sequence[int | None] = setup.seeds or self.seeds if setup.seeded else (None,)
                if number < len(seeds):
                    yield treebank, setup, seeds[number]


def read_spec(file: Path, treebanks: Path | None = None, results: Path | None = None) -> Spec:
    """The spec in a file; another folder of treebanks, or for results, may take the place of its own."""
    top = read_toml(file)
    folder = file.parent
    score = top.get("score", str, default="test", one_of=("dev", "test"))
    setups = tuple(_setups(top, folder))
    own = folder / top.get("results", str, default=f"results/{file.stem}")
    spec = Spec(
        file=file,
        title=top.get("title", str, default=file.stem),
        treebanks=tuple(_treebanks(top, folder, treebanks)),
        setups=setups,
        seeds=tuple(top.numbers("seeds") or (1,)),
        score=score,
        punctuation=top.get("punctuation", str, default="all", one_of=("all", "unicode", "upos")),
        subtypes=top.get("subtypes", bool, default=True),
        test=top.get("test", str, default="randomisation", one_of=TESTS),
        level=top.get("level", float, default=0.05),
        rounds=top.get("rounds", int, default=10_000),
        baseline=_known(top, "baseline", top.get("baseline", str), setups),
        compare=tuple(_pairs(top, setups)),
        tables=tuple(names) if (names := top.strings("tables")) is not None else None,
        results=results or own,
    )
    if spec.rounds < 1:
        raise top.error("rounds", str(spec.rounds), "at least 1")
    if not 0 < spec.level < 1:
        raise top.error("level", str(spec.level), "a number between 0 and 1")
    for name in spec.tables or ():
        if name not in VALUES:
            raise top.error("tables", repr(name), f"some of {', '.join(VALUES)}{suggestion(name, VALUES)}")
    top.close()
    return _checked(spec, top)


def _treebanks(top: Section, folder: Path, other: Path | None) -> Iterator[Treebank]:
    given: Any = top.get("treebanks", str, list, dict)
    if given is None:
        raise SpecError(
            top.file, 0, "no treebanks", "a folder of treebanks, or their files", 'add treebanks = "FOLDER"'
        )
    if isinstance(given, list):
        for name in top.strings("treebanks") or ():
            yield _in_folder(top, (other or folder) / name)
        return
    if isinstance(given, str):
        yield from _below(top, other or folder / given, None)
        return
    section = top.section("treebanks")
    if "folder" in given or other is not None:
        place = other or folder / section.get("folder", str)
        section.get("folder", str)
        yield from _below(top, place, section.strings("names"))
        section.close()
        return
    for name, parts in given.items():
        if not isinstance(parts, dict):
            raise section.error(name, repr(parts), 'a table such as { train = "FILE", dev = "FILE", test = "FILE" }')
        files = section.section(name, parts)
        found = {part: folder / text for part in PARTS if (text := files.get(part, str)) is not None}
        files.close()
        yield Treebank(name, found)


def _below(top: Section, place: Path, names: list[str] | None) -> Iterator[Treebank]:
    """The treebanks in a folder, one folder each."""
    if not place.is_dir():
        raise top.error(
            "treebanks",
            repr(str(place)),
            "a folder with a folder for each treebank",
            "check it, or give --treebanks FOLDER",
        )
    there = [each.name for each in sorted(place.iterdir()) if any(each.glob("*train.conllu"))]
    for name in names if names is not None else there:
        if name not in there:
            raise top.error(
                "treebanks",
                repr(name),
                f"some of {', '.join(there) or 'none'}, which are in {place}{suggestion(name, there)}",
            )
        yield _in_folder(top, place / name)
    if not there:
        raise top.error("treebanks", repr(str(place)), "a folder with a folder for each treebank", "this one has none")


def _in_folder(top: Section, place: Path) -> Treebank:
    """train.conllu, dev.conllu and test.conllu, or files that end so, as those of Universal Dependencies."""
    parts = {}
    for part in PARTS:
        files = (
            [place / f"{part}.conllu"] if (place / f"{part}.conllu").exists() else sorted(place.glob(f"*{part}.conllu"))
        )
        if len(files) > 1:
            raise top.error("treebanks", f"{len(files)} files *{part}.conllu below {str(place)!r}", "one")
        if files:
            parts[part] = files[0]
    if not parts:
        raise top.error("treebanks", repr(str(place)), "a folder with train.conllu, dev.conllu and test.conllu")
    return Treebank(place.name, parts)


def _setups(top: Section, folder: Path) -> Iterator[Setup]:
    common = top.get("common", dict, default={})
    tables = top.section("setups")
    if not tables.content:
        raise SpecError(
            top.file, 0, "no setups", "at least one", 'add [setups.NAME] with options such as system = "covington"'
        )
    for name, content in tables.content.items():
        if not isinstance(content, dict):
            raise tables.error(name, repr(content), "a table with the options of the setup")
        yield read_setup(tables.section(name, content), common, folder)


def _known(top: Section, key: str, name: Any, setups: Sequence[Setup]) -> Any:
    names = [setup.name for setup in setups]
    if name is not None and name not in names:
        raise top.error(key, repr(name), f"a setup: {', '.join(names)}{suggestion(name, names)}")
    return name


def _pairs(top: Section, setups: Sequence[Setup]) -> Iterator[tuple[str, str]]:
    for pair in top.get("compare", list, default=[]):
        if not isinstance(pair, list) or len(pair) != 2 or pair[0] == pair[1]:
            raise top.error("compare", repr(pair), 'pairs of setups such as ["new", "old"]')
        yield _known(top, "compare", pair[0], setups), _known(top, "compare", pair[1], setups)


def _checked(spec: Spec, top: Section) -> Spec:
    """The spec, if its names can be those of files and its files are there."""
    names = [treebank.name for treebank in spec.treebanks]
    if len(set(names)) < len(names):
        raise top.error("treebanks", f"{', '.join(names)}", "no name twice")
    for name in (*names, *(setup.name for setup in spec.setups)):
        if UNFIT.search(name) or not name:
            raise SpecError(top.file, 0, f"the name {name!r}", "one without slashes and not beginning with a dot")
    for setup in spec.setups:
        for name in setup.treebanks or ():
            if name not in names:
                raise (
                    top.section("setups")
                    .section(setup.name, {})
                    .error("treebanks", repr(name), f"some of {', '.join(names)}{suggestion(name, names)}")
                )
    for treebank, setup, _ in spec.runs():
        wanted = {"train"} if setup.measure == "oracle" else {"train", spec.score}
        wanted |= {"dev"} if setup.epoch == "best" and setup.measure != "oracle" and not setup.command else set()
        for part in sorted(wanted):
            file = treebank.parts.get(part)
            if file is None or not file.is_file():
                found = f"no {part}" if file is None else f"no file {str(file)!r}"
                raise SpecError(
                    top.file, 0, f"{found} for the treebank {treebank.name}", f"it for the setup {setup.name}",
                    'give the file, score another part (score = "dev"), or choose no epoch by dev (epoch = "last")',
                )  # fmt: skip
    return spec
