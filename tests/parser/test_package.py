"""Models as packages, and models by name."""

import hashlib
import subprocess
import sys
import zipfile
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest

import rearc
from rearc.parser.catalogue import find_model, known_models
from rearc.parser.errors import ModelError
from rearc.parser.package import PackageError, package
from rearc.treebank import Sentence
from tests.trained import train_parser


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("packaged") / "small.rearc"
    trees = [Sentence(["Dogs", "bark"], upos=["NOUN", "VERB"], heads=[2, 0], deprels=["nsubj", "root"])]
    train_parser(trees, system="arc-hybrid", epochs=1).save(file)
    return file


def test_the_wheel_is_what_python_calls_a_wheel(model: Path, tmp_path: Path):
    wheel = package(str(model), str(tmp_path), "Rearc.My_Dogs", "1.0rc1", "CC-BY-4.0", "# My dogs\n\nThey bark.")
    assert wheel.name == "rearc_my_dogs-1.0rc1-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        files = {name: archive.read(name) for name in archive.namelist()}
    assert files["rearc_my_dogs/model.rearc"] == model.read_bytes()
    record = [line.split(",") for line in files.pop("rearc_my_dogs-1.0rc1.dist-info/RECORD").decode().splitlines()]
    expected = {
        name: ["sha256=" + urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("="), str(len(data))]
        for name, data in files.items()
    }
    assert {name: rest for name, *rest in record if not name.endswith("RECORD")} == expected
    metadata = files["rearc_my_dogs-1.0rc1.dist-info/METADATA"].decode()
    assert "\nName: rearc-my-dogs\nVersion: 1.0rc1\n" in metadata
    assert "\nLicense: CC-BY-4.0\n" in metadata
    assert "# My dogs\n\nThey bark." in metadata
    again = package(str(model), str(tmp_path), "rearc-my-dogs", "1.0rc1", "CC-BY-4.0", "# My dogs\n\nThey bark.")
    assert again == wheel


def test_installed_it_is_loaded_by_its_name(model: Path, tmp_path: Path):
    wheel = package(str(model), str(tmp_path), "rearc-barking-dogs", "2.1")
    home = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", str(home), str(wheel)], check=True)
    program = f"""if True:
        import sys
        sys.path.append({str(home)!r})
        import rearc
        from rearc.parser.catalogue import known_models
        print(rearc.load("barking-dogs").parse(["Dogs", "bark"]).heads)
        print([found.where for found in known_models() if found.name == "barking-dogs"])
        print("rearc_barking_dogs" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "[2, 0]\n['installed, rearc-barking-dogs 2.1']\nFalse\n"


@pytest.mark.parametrize(
    ("name", "version"), [("", "1"), ("../x", "1"), ("a b", "1"), ("rearc-fr", "one"), ("rearc-fr", "1/0"), ("1", "1")]
)
def test_names_and_versions_that_no_package_can_have(name: str, version: str, model: Path, tmp_path: Path):
    with pytest.raises(PackageError, match=r"found the (name|version)"):
        package(str(model), str(tmp_path), name, version)
    assert not list(tmp_path.iterdir())


def test_models_in_a_folder(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "dogs.rearc").write_bytes(model.read_bytes())
    (tmp_path / "en.rearc").write_bytes(model.read_bytes())  # what comes with rearc comes first
    monkeypatch.setenv("REARC_MODELS", str(tmp_path))
    assert rearc.load("dogs").parse(["Dogs", "bark"]).heads == [2, 0]
    assert find_model("en") != str(tmp_path / "en.rearc")
    assert [found.name for found in known_models()] == ["en", "dogs"]
    with pytest.raises(ModelError, match=r"\(en, dogs\); check the name; `rearc models` lists the models"):
        rearc.load("cats")
