"""What was done, in a few lines: runs, hours, versions."""

from __future__ import annotations

from rearc.experiment.summary import Summary


def facts(summary: Summary) -> list[tuple[str, str]]:
    """Names and what there is to say, for the end of a report."""
    spec, done = summary.spec, summary.done
    runs = f"{len(done)} of {len(summary.tasks)}"
    if summary.failed:
        runs += f"; {len(summary.failed)} failed"
    if summary.missing:
        runs += f"; {len(summary.missing)} not done yet"
    said = [("runs", runs), ("scored", f"{spec.score}, {_words(spec.punctuation, spec.subtypes)}")]
    seconds = [result["cpu_seconds"] for result in done if result.get("cpu_seconds") is not None]
    if seconds:
        said.append(("CPU hours", f"{sum(seconds) / 3600:.2f}"))
    memory = [result["memory_mb"] for result in done if result.get("memory_mb")]
    if memory:
        said.append(("memory of the largest run", f"{max(memory):,.0f} MB"))
    for name in ("rearc", "python", "numpy", "torch", "machine"):
        found = sorted({r["versions"][name] for r in done if name in (r.get("versions") or {})})
        if found:
            said.append((name, ", ".join(found)))
    return said


def _words(punctuation: str, subtypes: bool) -> str:
    words = {"all": "all words", "unicode": "all words but punctuation", "upos": "all words but UPOS PUNCT"}[
        punctuation
    ]
    return words if subtypes else f"{words}, labels without subtypes"
