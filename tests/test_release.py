"""What a release says about itself comes from one place, and the steps of the container are those that CI takes."""

import re
import tomllib
from pathlib import Path

import pytest

import rearc

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(not (ROOT / "meson.build").is_file(), reason="no sources beside the tests")


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_the_version_is_that_of_meson():
    (version,) = re.findall(r"^  version: '([^']+)',$", text("meson.build"), re.MULTILINE)
    assert rearc.__version__ == version
    assert re.findall(r"^version: (\S+)$", text("CITATION.cff"), re.MULTILINE) == [version]
    project = tomllib.loads(text("pyproject.toml"))["project"]
    assert project["dynamic"] == ["version"]


def test_the_pythons_that_are_named_get_wheels():
    content = tomllib.loads(text("pyproject.toml"))
    named = [name.rpartition(" ")[2] for name in content["project"]["classifiers"] if "Python :: 3." in name]
    built = content["tool"]["cibuildwheel"]["build"]
    assert named
    assert {f"cp{version.replace('.', '')}-*" for version in named} <= set(built)


def test_the_steps_of_the_container_are_taken_in_ci():
    """All but those that any machine has behind it: a compiler and a user."""
    steps = re.findall(r"^RUN (.*)$", text("Dockerfile"), re.MULTILINE)
    own = [step for step in steps if not re.match("apt-get|useradd", step)]
    scripts = [re.search(r"/docker/\S+", step) for step in own]
    assert len(scripts) == 3
    assert all(scripts)
    for script in scripts:
        assert script is not None
        assert (ROOT / script[0].lstrip("/")).is_file()
        assert script[0].lstrip("/") in text(".ci/run")
    assert not re.search(r"^FROM \S*[.:/]\S*/", text("Dockerfile"), re.MULTILINE)  # no host of a registry


def test_the_workflow_publishes_without_a_password():
    workflow = text(".github/workflows/wheels.yml")
    assert "id-token: write" in workflow
    assert "secrets." not in workflow
