"""`rearc models`: what can be loaded by its name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rearc.cli.common import JsonOption
from rearc.cli.tables import console, print_json, show_table


def models(json: JsonOption = False) -> None:
    """List the models that have a name: those that come with rearc, are installed, or are in REARC_MODELS.

    REARC_MODELS is a variable of the environment: folders with .rearc files, separated as in PATH. A package made by
    `rearc package` is found once it is installed.

    Examples:

    rearc models
    REARC_MODELS=my/models rearc models --json
    """
    from rearc.parser.catalogue import Found, known_models
    from rearc.parser.model import read_model

    def described(found: Found) -> dict[str, Any]:
        row: dict[str, Any] = {"name": found.name, "where": found.where, "file": found.file}
        try:
            header = read_model(found.file).header
        except (ValueError, OSError) as error:  # one that is damaged hides no other
            return row | {"error": str(error)}
        scores = {name: round(score, 2) for name, score in header.scores.items()}
        facts = {"model": header.model, "system": header.system, "licence": header.licence}
        return row | facts | {"scores": scores, "bytes": Path(found.file).stat().st_size}

    rows = [described(found) for found in known_models()]
    if json:
        print_json(rows)
        return
    table = [
        [row["name"], row["where"], "cannot be used", None, None]
        if "error" in row
        else [row["name"], row["where"], f"{row['model']}, {row['system']}", row["scores"].get("las"), row["bytes"]]
        for row in rows
    ]
    show_table(console(), "", ["name", "where", "what", "dev LAS", "bytes"], table)
    for row in rows:
        if "error" in row:
            from rearc.cli.guard import say

            say(row["error"])
