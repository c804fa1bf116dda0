"""How many things were compared; printed at the end of a run."""

from collections import Counter
from typing import Any

checked: Counter[str] = Counter()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """A pytest hook, for the conftest.py of every folder that counts; whichever comes first prints it."""
    if checked:
        terminalreporter.section("compared with the naive implementations")
        for what, count in sorted(checked.items()):
            terminalreporter.write_line(f"{count:>12,}  {what}")
        terminalreporter.write_line(f"{sum(checked.values()):>12,}  in all")
        checked.clear()
