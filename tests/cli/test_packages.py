"""`rearc models` and `rearc package`; tests/parser/test_package.py looks into the wheel."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_what_has_a_name(whole_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run):
    monkeypatch.setenv("REARC_MODELS", str(tmp_path))
    (tmp_path / "dogs.rearc").write_bytes(whole_model.read_bytes())
    (tmp_path / "odd.rearc").write_bytes(b"odd")
    rows = {row["name"]: row for row in json.loads(run("models", "--json").stdout)}
    assert rows["dogs"]["system"] == "arc-hybrid"
    assert rows["dogs"]["bytes"] == whole_model.stat().st_size
    assert "odd.rearc: found " in rows["odd"]["error"]
    shown = run("models")
    assert "dogs" in shown.stdout
    assert "odd.rearc: found " in shown.stderr
    made = run("package", "dogs", "--name", "rearc-dogs", "-o", str(tmp_path))
    assert made.stdout == f"{tmp_path / 'rearc_dogs-1.0-py3-none-any.whl'}\n"


def test_what_cannot_be_packaged(whole_model: Path, tmp_path: Path, run: Run):
    name = run("package", str(whole_model), "--name", "a b", "-o", str(tmp_path))
    assert (name.returncode, name.stdout) == (2, "")
    assert "found the name 'a b'" in name.stderr
    card = run("package", str(whole_model), "--name", "a", "--card", str(tmp_path / "gone.md"), "-o", str(tmp_path))
    assert card.returncode == 1
    assert "gone.md: found no such file" in card.stderr
    folder = run("package", str(whole_model), "--name", "a", "-o", str(tmp_path / "gone"))
    assert folder.returncode == 1
    assert "Traceback" not in folder.stderr
