"""A mutant whose text is no longer in its file proves nothing."""

from pathlib import Path

import pytest

from tests.mutants.mutants import MUTANTS

ROOT = Path(__file__).parents[2]


def test_the_text_to_change_stands_once_in_its_file():
    if not (ROOT / "src").exists():
        pytest.skip("no sources beside the tests")
    counts = {(m.file, m.what): (ROOT / m.file).read_text("utf-8").count(m.old) for m in MUTANTS}
    assert {which: count for which, count in counts.items() if count != 1} == {}


def test_each_has_a_name_of_its_own():
    assert len({(m.file, m.what) for m in MUTANTS}) == len(MUTANTS)
