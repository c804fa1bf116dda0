"""A wheel with a model in it: what pip installs, and `load` then finds by its name."""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

from rearc.errors import RearcError
from rearc.parser.catalogue import GROUP, MEMBER
from rearc.parser.container import write_container
from rearc.parser.header import Header
from rearc.parser.model import read_model
from rearc.version import __version__

PREFIX = "rearc-"
_NAME = re.compile(r"[a-z][a-z0-9]*([-_.]+[a-z0-9]+)*", re.IGNORECASE)
_WHEEL = f"Wheel-Version: 1.0\nGenerator: rearc {__version__}\nRoot-Is-Purelib: true\nTag: py3-none-any\n".encode()
_VERSION = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?")


class PackageError(RearcError):
    """A package that cannot be made so."""


def package(model: str, folder: str, name: str, version: str, licence: str | None = None, card: str = "") -> Path:
    """Write a wheel with the model into the folder, and return its path.

    name: of the package. The model is then called so, without `rearc-` at its beginning. version: as Python packages
    have it, such as 1.0. licence: of the model; that in its header, if it is not given. card: Markdown that says what
    the model is good for; what the header says follows it. The same model and options give the same bytes.
    """
    if not _NAME.fullmatch(name):
        raise PackageError(f"found the name {name[:40]!r}, expected letters, digits and hyphens, such as rearc-fr")
    if not _VERSION.fullmatch(version):
        raise PackageError(f"found the version {version[:40]!r}, expected numbers such as 1.0 or 2.1.3")
    header = read_model(model).header  # which is checked so
    name = re.sub(r"[-_.]+", "-", name).lower()
    home = name.replace("-", "_")
    licence = _one_line(licence or header.licence or "")
    facts = f"{home}-{version}.dist-info"
    members = {
        f"{home}/__init__.py": f'"""A model for rearc: rearc.load({called(name)!r})."""\n'.encode(),
        f"{home}/{MEMBER}": Path(model).read_bytes(),
        f"{facts}/METADATA": _metadata(name, version, licence, card, header).encode(),
        f"{facts}/WHEEL": _WHEEL,
        f"{facts}/entry_points.txt": f"[{GROUP}]\n{called(name)} = {home}\n".encode(),
    }
    record = [f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in members.items()]
    members[f"{facts}/RECORD"] = "".join([*record, f"{facts}/RECORD,,\n"]).encode()
    wheel = Path(folder) / f"{home}-{version}-py3-none-any.whl"
    write_container(wheel, {path: [data] for path, data in members.items()})
    return wheel


def called(name: str) -> str:
    """What the model in the package of that name is called.

    >>> called("rearc-fr-sequoia"), called("sequoia")
    ('fr-sequoia', 'sequoia')
    """
    return name.removeprefix(PREFIX) or name


def _metadata(name: str, version: str, licence: str, card: str, header: Header) -> str:
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        f"Summary: A model for rearc: {header.system}, trained on {_one_line(header.train.name)}",
        *([f"License: {licence}"] if licence else []),
        "Requires-Dist: rearc",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + _card(name, licence, card, header)


def _card(name: str, licence: str, card: str, header: Header) -> str:
    """What a reader of the package sees first."""
    facts = {
        "system": header.system,
        "oracle": header.oracle,
        "kind": header.model,
        "training data": f"{header.train.name}, {header.train.sentences:,} sentences, {header.train.words:,} words",
        **{f"{score.upper()} on dev": f"{value:.2f}" for score, value in header.scores.items()},
        "licence": licence or "not said",
        "made by": f"rearc {header.rearc}",
    }
    table = "".join(f"| {key} | {_one_line(str(value)).replace('|', '/')} |\n" for key, value in facts.items())
    title = card.strip() or f"# {name}\n\nA dependency-parsing model for rearc."
    use = f'```python\nimport rearc\n\nparser = rearc.load("{called(name)}")\n```'
    return f"{title}\n\n| | |\n| --- | --- |\n{table}\n{use}\n"


def _one_line(text: str) -> str:
    """METADATA is made of lines."""
    return " ".join(text.split())


def _digest(data: bytes) -> str:
    return urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
