"""What rearc needs with some of its extras, a requirement in each line, to be installed before rearc is built.

python .ci/needed.py EXTRA…
"""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def needed(extras: list[str]) -> set[str]:
    """The requirements of the extras; one that is rearc with other extras stands for those of these."""
    found: set[str] = set()
    for extra in extras:
        for line in PROJECT["optional-dependencies"][extra]:
            own = re.fullmatch(r"rearc\[([^]]+)\]", line)
            found |= needed(own[1].split(",")) if own else {line}
    return found


print(*sorted({*PROJECT["dependencies"], *needed(sys.argv[1:])}), sep="\n")
