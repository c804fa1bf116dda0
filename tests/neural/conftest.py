"""Networks of a few numbers, which learn little and fast. What needs PyTorch is skipped where there is none."""

from importlib.util import find_spec
from pathlib import Path

import pytest

import rearc
from rearc.neural.shape import PRESETS
from rearc.parser import Parser
from rearc.treebank import Sentence, sample
from tests.neural.networks import TINY
from tests.trained import train_parser


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    if find_spec("torch") is not None:
        import torch

        torch.set_num_threads(1)


@pytest.fixture(scope="session")
def sentences() -> list[Sentence]:
    return list(rearc.read(sample()))


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """`size="small"` is tiny for once."""
    monkeypatch.setitem(PRESETS, "small", TINY)


@pytest.fixture(scope="session")
def parsers(sentences: list[Sentence]) -> dict[str, Parser]:
    """A pair and a stack system with given tags, and one that tags its words; all of them tiny."""
    pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')
    options = {"model": "bilstm", "size": "small", "epochs": 3, "rate": 0.03}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PRESETS, "small", TINY)
        return {
            "pair": train_parser(sentences, system="nl-covington", **options),
            "stack": train_parser(sentences, system="arc-hybrid-swap", slots="s1 s0 b0 s0l b0l", **options),
            "joint": train_parser(sentences, system="arc-hybrid", tagger=True, **options),
        }


@pytest.fixture(scope="session")
def models(parsers: dict[str, Parser], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Their files."""
    folder = tmp_path_factory.mktemp("models")
    for name, parser in parsers.items():
        parser.save(folder / f"{name}.rearc")
    return {name: folder / f"{name}.rearc" for name in parsers}


@pytest.fixture(scope="session")
def bare(sentences: list[Sentence]) -> list[Sentence]:
    """Words alone."""
    return [Sentence(s.forms) for s in sentences]
