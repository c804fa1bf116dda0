"""A setup: one thing that is tried on every treebank with every seed."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from rearc.errors import RearcError
from rearc.experiment.errors import SpecError
from rearc.experiment.toml import Section, line_of
from rearc.training.errors import OptionError
from rearc.training.options import Options, flag_of

MEASURES = ("scores", "parse", "oracle", "derivation")
FILES = ("features", "clusters", "vectors")  # options that may name a file
WALK = {"transitions": (int,), "follow": (float, str)}  # of an oracle's walk
LEARNER = "learner"  # to be followed, in place of an oracle with a probability
FOR_WALK = ("system", "oracle", "single_root")
FOR_LEARNER = (*FOR_WALK, "features", "policy")

_NAMES = {flag_of(entry).removeprefix("--").split("/")[0].replace("-", "_"): entry.name for entry in fields(Options)}


@dataclass(frozen=True)
class Setup:
    """What is trained or run, and what is measured of it."""

    name: str
    measure: str = "scores"
    options: Mapping[str, Any] = field(default_factory=dict)  # of rearc train, but the seed
    files: Mapping[str, Path] = field(default_factory=dict)  # those of the options that are files
    command: tuple[str, ...] = ()  # an outside parser
    train_command: tuple[str, ...] = ()
    epoch: str = "best"  # by the score on dev, or the last one, without dev
    tags: str = "given"
    walk: Mapping[str, Any] = field(default_factory=dict)
    treebanks: tuple[str, ...] | None = None  # all
    seeds: tuple[int, ...] | None = None  # those of the spec

    @property
    def seeded(self) -> bool:
        """Whether a seed makes a difference."""
        return not self.command or any("{seed}" in word for word in (*self.command, *self.train_command))


def read_setup(section: Section, common: Mapping[str, Any], folder: Path) -> Setup:
    """A setup out of its table, with what all setups share; files are named from the spec's folder on."""
    own = section.content
    section = Section(section.file, section.text, section.path, {**_fitting(common, own), **own})
    seeds, treebanks = section.numbers("seeds"), section.strings("treebanks")
    values: dict[str, Any] = {
        "name": section.name,
        "measure": section.get("measure", str, default="scores", one_of=MEASURES),
        "treebanks": tuple(treebanks) if treebanks is not None else None,
        "seeds": tuple(seeds) if seeds is not None else None,
    }
    if "command" in section.content:
        if values["measure"] not in ("scores", "parse"):
            raise section.error("measure", repr(values["measure"]), "scores or parse, as this is an outside command")
        values |= {"command": _words(section, "command"), "train_command": _words(section, "train_command")}
        section.close()
        return Setup(**values)
    if values["measure"] == "oracle":
        values["walk"] = {key: section.get(key, *kinds) for key, kinds in WALK.items() if key in section.content}
        follow = values["walk"].get("follow", 1)
        if follow != LEARNER and (isinstance(follow, str) or not 0 <= follow <= 1):
            raise section.error("follow", repr(follow), f'a probability from 0 to 1, or "{LEARNER}"')
        if values["walk"].get("transitions", 1) < 1:
            raise section.error("transitions", str(values["walk"]["transitions"]), "at least 1")
    else:
        values["epoch"] = section.get("epoch", str, default="best", one_of=("best", "last"))
        values["tags"] = section.get("tags", str, default="given", one_of=("given", "predict"))
    values["options"], values["files"] = _options(section, values, folder)
    return Setup(**values)


def _fitting(common: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What all setups share, as far as this kind of setup has it."""
    allowed: set[str] | None = None
    if "command" in own:
        allowed = {"measure", "treebanks", "seeds"} if own.get("measure") else {"treebanks", "seeds"}
        allowed |= {"measure"} if common.get("measure") == "parse" else set()
    elif own.get("measure", common.get("measure")) == "oracle":
        walks = FOR_LEARNER if own.get("follow", common.get("follow")) == LEARNER else FOR_WALK
        allowed = {"measure", "treebanks", "seeds", *walks, *WALK}
    return {key: value for key, value in common.items() if allowed is None or key in allowed}


def _words(section: Section, key: str) -> tuple[str, ...]:
    value = section.get(key, str, list, default=[])
    if isinstance(value, str):
        try:
            value = shlex.split(value)
        except ValueError as error:
            raise section.error(key, repr(value), "a command line", str(error)) from None
    if not all(isinstance(word, str) for word in value) or (key in section.content and not value):
        raise section.error(key, repr(value), "a command line, or a list of its words")
    for word in value:
        try:
            word.format_map(dict.fromkeys(("input", "output", "model", "train", "dev", "seed", "treebank", "spec"), ""))
        except (KeyError, ValueError, IndexError):
            raise section.error(
                key, repr(word), "{input}, {output}, {model}, {train}, {dev}, {seed}, {treebank} or {spec} in braces"
            ) from None
    return tuple(value)


def _options(section: Section, values: Mapping[str, Any], folder: Path) -> tuple[dict[str, Any], dict[str, Path]]:
    """The options of rearc train, checked as it checks them."""
    options: dict[str, Any] = {}
    files: dict[str, Path] = {}
    for key, value in section.rest().items():
        name = _NAMES.get(key.replace("-", "_"), key.replace("-", "_"))
        if name not in _NAMES.values() or name == "seed":
            options_there = FOR_LEARNER if values["measure"] == "oracle" else _NAMES.values()
            raise section.unknown(key, ["command", "train_command", *options_there])
        options[name] = tuple(value) if isinstance(value, list) else value
        if name in FILES and isinstance(value, str) and (folder / value).is_file():
            files[name] = folder / value
            options[name] = str(files[name])
    if values["measure"] == "oracle":
        by_learner = values["walk"].get("follow") == LEARNER
        for name in options.keys() - set(FOR_LEARNER if by_learner else FOR_WALK):
            why = (
                f"one of {', '.join(FOR_LEARNER)}"
                if by_learner
                else "no such option, as an oracle is measured without training"
            )
            raise section.error(name, repr(options[name]), why)
        if "system" not in options:
            raise section.error("system", "nothing", "a transition system whose oracle is measured")
    elif values["tags"] == "given" and not {"only", "tagger", "segmenter"} & options.keys():
        options["only"] = "parser"  # scores with given tags need no tagger
    elif values["tags"] == "predict" and "segmenter" not in options:
        options["segmenter"] = False
    try:
        from rearc.training.plan import check

        check(Options(**options), to_train=False)  # a report of runs that are there can be made anywhere
    except OptionError as error:
        raise section.error(error.option, repr(options.get(error.option)), error.expected) from None
    except RearcError as error:  # of a file that an option names
        line = line_of(section.text, section.path, "features")
        raise SpecError(
            section.file, line, f"in [setups.{section.name}]: {error}", "options that go together"
        ) from None
    return options, files
