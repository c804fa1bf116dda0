"""Small models to look at."""

from pathlib import Path

import pytest

import rearc
from rearc.parser import Parser
from rearc.treebank import Sentence, sample
from tests.trained import train_parser

TINY = "S0p N0p S0p+N0p"


@pytest.fixture(scope="session")
def sentences() -> list[Sentence]:
    return list(rearc.read(sample()))


@pytest.fixture(scope="session")
def model(sentences: list[Sentence]) -> Parser:
    """Knows the sample by heart."""
    return train_parser(sentences, system="arc-hybrid-swap", oracle="static", epochs=10)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory, sentences: list[Sentence]) -> Path:
    """A model file of few bytes."""
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "tiny.txt").write_text(TINY)
    parser = train_parser(sentences[:2], system="arc-hybrid", epochs=1, features=str(folder / "tiny.txt"))
    parser.save(folder / "tiny.rearc")
    return folder / "tiny.rearc"
