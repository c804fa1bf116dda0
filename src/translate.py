"""From .pyx to C, for all files of a folder in one run of Cython, which takes longer to start than to translate a file.

    python translate.py DEPFILE FILE.c… : FILE.pyx… : CYTHON [OPTION…]

Each .c is made from the .pyx in the same place of the list. One that comes out as it was is left alone, so that it is
not compiled again. DEPFILE tells the build what all of them depend on.
"""

import filecmp
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> None:
    depfile, *rest = sys.argv[1:]
    first = rest.index(":")
    second = rest.index(":", first + 1)
    targets, sources, cython = rest[:first], rest[first + 1 : second], rest[second + 1 :]
    needed: set[str] = set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        done = subprocess.run([*cython, "--depfile", "--output-file", name, *sources])
        if done.returncode:
            sys.exit(done.returncode)
        for source, target in zip(sources, targets, strict=True):
            made = folder / Path(source).with_suffix(".c").name
            needed.update(_needed(made.with_name(made.name + ".dep").read_text()))
            if not Path(target).exists() or not filecmp.cmp(made, target, shallow=False):
                shutil.copyfile(made, target)
    Path(depfile).write_text(f"{targets[0]}: " + " \\\n  ".join(sorted(needed)) + "\n")


def _needed(text: str) -> list[str]:
    """What stands behind the colon of a depfile by Cython: a file in each line, spaces in its name escaped."""
    return [line.removesuffix("\\").strip() for line in text.splitlines()[1:]]


main()
