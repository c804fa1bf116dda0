"""The notebooks of the documentation run from the first cell to the last, in a real kernel."""

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

nbclient = pytest.importorskip("nbclient", reason="needs the extra notebook")
nbformat = pytest.importorskip("nbformat", reason="needs the extra notebook")
for _package in ("ipykernel", "matplotlib", "pandas", "polars", "pyarrow"):
    pytest.importorskip(_package, reason="needs the extra notebook")

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no documentation beside the tests")


def shown(cell: Any) -> str:
    """What a reader sees below a cell."""
    return "".join(
        "".join(output.get("data", {}).get("text/html", output.get("text", ""))) for output in cell["outputs"]
    )


def test_the_first_steps(tmp_path: Path):
    notebook = nbformat.read(FOLDER / "start.ipynb", as_version=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the kernel's own libraries, about sockets and event loops
        nbclient.NotebookClient(
            notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
        ).execute()
    cells = [shown(cell) for cell in notebook.cells if cell.cell_type == "code"]
    parser, document, frame, words, curve, comparison, scores = cells
    assert "trained on" in parser
    assert document.count("<svg") == 2
    assert "boats" in frame
    assert "PUNCT" in words
    assert "<svg" in curve
    assert "en − mine" in comparison
    assert "UAS" in scores


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.ipynb")), ids=lambda file: file.name)
def test_notebooks_are_kept_without_outputs(file: Path):
    content = json.loads(file.read_text("utf-8"))
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in content["cells"])
