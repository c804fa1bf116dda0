"""What a run leaves: a JSON file with numbers, and what is right sentence by sentence as packed numbers."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rearc.experiment.errors import ExperimentError
from rearc.experiment.tasks import Task
from rearc.files.targets import Target

Result = dict[str, Any]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def pack(counts: ArrayLike) -> str:
    """Counts as text.

    >>> unpack(pack([3, 0, 12])).tolist()
    [3, 0, 12]
    """
    return _text(np.asarray(counts, dtype="<u2").tobytes())


def unpack(text: str) -> Ints:
    """The counts of such a text."""
    return np.frombuffer(_bytes(text), dtype="<u2").astype(np.int64)


def pack_flags(flags: Bools) -> str:
    """Yes or no for each word, as text.

    >>> unpack_flags(pack_flags(np.array([True, False, True]))).tolist()
    [True, False, True]
    """
    return f"{len(flags)}:" + _text(np.packbits(flags).tobytes())


def unpack_flags(text: str) -> Bools:
    """What is in such a text."""
    count, _, rest = text.partition(":")
    return np.unpackbits(np.frombuffer(_bytes(rest), dtype=np.uint8), count=int(count)).astype(bool)


def _text(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode()


def _bytes(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


def about(task: Task) -> Result:
    """What a result says of its run."""
    names = ("key", "treebank", "setup", "seed", "measure", "options", "command", "train_command", "walk", "hashes")
    content: Result = {name: task[name] for name in names}  # type: ignore[literal-required]
    named = {name: Path(file).name for name, file in task["files"].items() if name in content["options"]}
    content["options"] = content["options"] | named  # a folder is nobody else's business
    return {name: value for name, value in content.items() if value not in ({}, [])}


def store(task: Task, result: Result) -> None:
    """Write a result; the file is there only when all of it is."""
    file = Path(task["result"])
    file.parent.mkdir(parents=True, exist_ok=True)
    with Target(file, file.name) as target:
        target.write((json.dumps(about(task) | result, ensure_ascii=False) + "\n").encode())


def load(task: Task) -> Result | None:
    """The result of a run, if it is there and still that of this run."""
    file = Path(task["result"])
    try:
        content = json.loads(file.read_bytes())
        return content if content["key"] == task["key"] else None
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, OSError) as error:
        reason = f"{file}: found no result of a run ({error}), expected one or none; remove the file"
        raise ExperimentError(reason) from None
