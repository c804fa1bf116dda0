"""What tests of several rooms share."""

import os
from pathlib import Path

import pytest


def find_treebanks() -> Path:
    """The folder of real treebanks, one folder each with train, dev and test; skips the test where there is none."""
    folder = Path(os.environ.get("REARC_TREEBANKS") or Path(__file__).parents[2] / "shared" / "treebanks")
    if not folder.is_dir():
        pytest.skip(f"no treebanks at {folder}; set REARC_TREEBANKS to the folder that has them")
    return folder


@pytest.fixture(scope="session")
def treebanks() -> Path:
    return find_treebanks()
