"""Would the tests notice? Makes the small wrong changes of mutants.py, one at a time, rebuilds, and runs the tests.

    python tests/mutants/run.py                 all of them, about an hour on one core
    python tests/mutants/run.py --only 3 10-15  some of them, by number
    python tests/mutants/run.py --jobs 2        two at a time

The changes are made in copies of the tree in a temporary folder, which the next run uses again. Needs what the extra
`dev` brings. Ends with 1 if a mutant survives, or a text to change does not stand exactly once in its file.
"""

from __future__ import annotations

import argparse
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.mutants.mutants import MUTANTS, Mutant

ROOT = Path(__file__).parents[2]
LIMIT = 600  # seconds for the tests of one mutant: a program that never ends is noticed too
WITHOUT_EDITABLE = """\
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if not type(finder).__module__.startswith("_rearc_editable")]
"""


class Copy:
    """A copy of the tree with a build of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tree, self.build, self.installed = folder / "tree", folder / "build", folder / "installed"
        self.clean = folder / "clean"  # tree and build without a mutant: copied back, nothing is built again
        self.site = self.installed / "site"
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        self.environment = {**os.environ, "PATH": path, "PYTHONPATH": str(self.site), "PYTHONDONTWRITEBYTECODE": "1"}

    def prepare(self) -> None:
        """Bring the copy up to date, and build what has changed."""
        self.restore()
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        wanted = {Path(name) for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
        for old in [path for path in self.tree.rglob("*") if path.is_file()]:
            if old.relative_to(self.tree) not in wanted:
                old.unlink()
        for name in wanted:
            source, target = ROOT / name, self.tree / name
            if not target.exists() or target.read_bytes() != source.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        if not (self.build / "build.ninja").exists():
            places = [f"-Dpython.{kind}libdir=/site" for kind in ("plat", "pure")]
            self.meson("setup", self.build, self.tree, *places, "--optimization=1")
        self.compile()
        mirror(self.tree, self.clean / "tree")
        mirror(self.build, self.clean / "build")

    def restore(self) -> None:
        """As it was without a mutant, times included."""
        if self.clean.exists():
            mirror(self.clean / "tree", self.tree)
            mirror(self.clean / "build", self.build)

    def meson(self, *arguments: object) -> None:
        command = [sys.executable, "-m", "mesonbuild.mesonmain", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise BuildError(done.stdout[-3000:] + done.stderr[-3000:])

    def compile(self) -> None:
        self.meson("compile", "-C", self.build, "-j", 2)
        shutil.rmtree(self.installed, ignore_errors=True)
        self.meson("install", "-C", self.build, "--no-rebuild", "--quiet", "--destdir", self.installed)
        (self.site / "sitecustomize.py").write_text(WITHOUT_EDITABLE)

    def test(self, tests: Iterable[str], limit: int | None = LIMIT) -> str | None:
        """Who noticed, or None if all tests pass."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:randomly"]
        try:
            done = subprocess.run(
                [*command, *tests], cwd=self.tree, env=self.environment, timeout=limit,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"no end after {limit} s"
        output = done.stdout.decode(errors="replace")
        if done.returncode == 0:
            return None
        found = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
        if found:
            return found[1]
        if done.returncode < 0:
            return f"signal {-done.returncode}"
        return "pytest: " + (output.strip().splitlines() or ["no output"])[-1]

    def try_out(self, mutant: Mutant) -> str | None:
        """Who notices the mutant."""
        path = self.tree / mutant.file
        text = path.read_text("utf-8")
        path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        try:
            self.compile()
            return self.test(mutant.tests)
        except BuildError as error:
            raise BuildError(f"{mutant}: does not compile\n{error}") from None
        finally:
            self.restore()


class BuildError(Exception):
    pass


def mirror(source: Path, target: Path) -> None:
    """Make a folder like another one, times included; what is the same is left alone."""

    def files(folder: Path) -> dict[Path, tuple[int, int]]:
        found = {path.relative_to(folder): path.lstat() for path in folder.rglob("*") if path.is_file()}
        return {name: (stat.st_mtime_ns, stat.st_size) for name, stat in found.items()}

    wanted, there = files(source), files(target)
    for name in there.keys() - wanted.keys():
        (target / name).unlink()
    for name, stamp in wanted.items():
        if there.get(name) != stamp:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, target / name)


def chosen(only: list[str]) -> list[int]:
    numbers = range(1, len(MUTANTS) + 1)
    if not only:
        return list(numbers)
    wanted: set[int] = set()
    for part in only:
        first, _, last = part.partition("-")
        wanted |= set(range(int(first), int(last or first) + 1))
    return [number for number in numbers if number in wanted]


def check(numbers: list[int]) -> None:
    """Every text to change must be there, once."""
    wrong = []
    for number in numbers:
        mutant = MUTANTS[number - 1]
        path = ROOT / mutant.file
        count = path.read_text("utf-8").count(mutant.old) if path.exists() else -1
        if count != 1:
            found = "no such file" if count < 0 else f"found {count} times, expected once"
            wrong.append(f"mutant {number}, {mutant.file}: {mutant.old!r}: {found}")
        wrong += [
            f"mutant {number}: no {name}" for name in mutant.tests if not (ROOT / name.partition("::")[0]).exists()
        ]
    if wrong:
        sys.exit("\n".join([*wrong, "adapt tests/mutants/mutants.py to the sources"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[], metavar="N", help="numbers, or ranges such as 10-15")
    parser.add_argument("--jobs", type=int, default=1, choices=(1, 2))
    options = parser.parse_args()
    numbers = chosen(options.only)
    check(numbers)
    folder = Path(tempfile.gettempdir()) / f"rearc-mutants-{os.getuid()}"
    copies: queue.Queue[Copy] = queue.Queue()

    def make(job: int) -> None:
        (folder / str(job)).mkdir(parents=True, exist_ok=True)
        copy = Copy(folder / str(job))
        copy.prepare()
        copies.put(copy)

    def run(number: int) -> tuple[int, str | None]:
        copy = copies.get()
        try:
            begin = time.monotonic()
            noticed = copy.try_out(MUTANTS[number - 1])
            print(f"{number:3} {time.monotonic() - begin:4.0f} s  {line(number, noticed)}", flush=True)
            return number, noticed
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(options.jobs) as pool:
        print(f"building in {folder}", flush=True)
        list(pool.map(make, range(1, options.jobs + 1)))
        tests = sorted({test for number in numbers for test in MUTANTS[number - 1].tests})
        print("the tests without a mutant …", flush=True)
        copy = copies.get()
        failed = copy.test(tests, None)
        copies.put(copy)
        if failed:
            sys.exit(f"{failed} fails without any mutant: nothing can be said")
        results = list(pool.map(run, numbers))
    survivors = [number for number, noticed in results if noticed is None]
    print(f"{len(results)} mutants, {len(results) - len(survivors)} noticed, {len(survivors)} survive")
    for number in survivors:
        print(f"{number:3} {line(number, None)}")
    sys.exit(bool(survivors))


def line(number: int, noticed: str | None) -> str:
    mutant = MUTANTS[number - 1]
    return f"{mutant.file.removeprefix('src/rearc/'):40} {mutant.what}: {noticed or 'SURVIVED'}"


if __name__ == "__main__":
    main()
