"""What all tests share."""

import os
from pathlib import Path

import pytest


def treebanks() -> Path:
    """The folder of real treebanks, one folder each; skips the test where there is none."""
    folder = Path(os.environ.get("REARC_TREEBANKS") or Path(__file__).parents[2] / "shared" / "treebanks")
    if not folder.is_dir():
        pytest.skip(f"no treebanks at {folder}: point REARC_TREEBANKS to them")
    return folder
