"""A treebank to train on, and running the command beside the test."""

import subprocess
import sys
from pathlib import Path

import pytest

import rearc
from rearc.treebank import Sentence, sample
from tests.processes import Child


@pytest.fixture(scope="session")
def sentences() -> list[Sentence]:
    return list(rearc.read(sample()))


@pytest.fixture(scope="session")
def larger(tmp_path_factory: pytest.TempPathFactory, sentences: list[Sentence]) -> Path:
    """Large enough that there is time to stop its training."""
    path = tmp_path_factory.mktemp("larger") / "larger.conllu"
    rearc.write(sentences * 25, path)
    return path


def start(*arguments: object, **options: object) -> Child:
    """`rearc` in a process of its own."""
    return Child(
        [sys.executable, "-m", "rearc", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
