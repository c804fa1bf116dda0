"""Tiny treebanks, and results that nobody had to train for."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rearc.experiment.results import pack, pack_flags
from rearc.experiment.spec import read_spec
from rearc.experiment.summary import Summary
from rearc.experiment.tasks import tasks_of
from rearc.treebank import read, sample, write

SPEC = """
title = "Two oracles"
treebanks = "treebanks"
seeds = [1, 2, 3]
baseline = "static"
compare = [["upper", "dynamic"]]

[common]
epochs = 1

[setups.static]
system = "covington"
oracle = "static"

[setups.dynamic]
system = "covington"
oracle = "dynamic"

[setups.upper]
system = "covington-nonmonotonic"
oracle = "upper"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two treebanks of a few sentences, and a spec beside them."""
    return fill(tmp_path)


def fill(tmp_path: Path) -> Path:
    sentences = list(read(sample()))
    for name, first in (("one", 0), ("two", 18)):
        place = tmp_path / "treebanks" / name
        place.mkdir(parents=True)
        for part, start, stop in (("train", 0, 12), ("dev", 12, 15), ("test", 15, 20)):
            write(sentences[first + start : first + stop], place / f"{part}.conllu")
    (tmp_path / "spec.toml").write_text(SPEC, encoding="utf-8")
    return tmp_path


def made_up(words: np.ndarray, heads: np.ndarray, both: np.ndarray, seed: int | None, **more: Any) -> dict[str, Any]:
    """A result with these right words, one array entry a word, ten words a sentence."""
    flags = {"heads": heads, "both": both}
    return {
        "seed": seed,
        "values": {"uas": 100 * heads.mean(), "las": 100 * both.mean(), **more},
        "sentences": {
            "words": pack(words.reshape(-1, 10).sum(axis=1)),
            **{name: pack(right.reshape(-1, 10).sum(axis=1)) for name, right in flags.items()},
        },
        "words": {name: pack_flags(right) for name, right in flags.items()},
        "cpu_seconds": 1.0,
        "memory_mb": 50.0,
        "versions": {"rearc": "0"},
    }


@pytest.fixture(scope="session")
def raw() -> dict[tuple[str, str, int], tuple[np.ndarray, np.ndarray]]:
    """Right heads and right labelled heads, word by word, of three setups on two treebanks with three seeds."""
    rng = np.random.default_rng(3)
    found = {}
    for treebank in ("one", "two"):
        for setup, share in (("static", 0.7), ("dynamic", 0.75), ("upper", 0.9)):
            for seed in (1, 2, 3):
                heads = rng.random(400) < share
                found[treebank, setup, seed] = heads, heads & (rng.random(400) < 0.9)
    return found


@pytest.fixture(scope="session")
def summary(
    tmp_path_factory: pytest.TempPathFactory, raw: dict[tuple[str, str, int], tuple[np.ndarray, np.ndarray]]
) -> Summary:
    """Of these, as if they had been run."""
    spec = read_spec(fill(tmp_path_factory.mktemp("summary")) / "spec.toml")
    known = []
    for task in tasks_of(spec):
        heads, both = raw[task["treebank"], task["setup"], task["seed"] or 0]
        known.append((task, json.loads(json.dumps(made_up(np.ones(400), heads, both, task["seed"])))))
    return Summary(spec, known)
