"""The reference of the command, as Markdown, made of the Typer app itself."""

import re
from typing import Any

import typer

from rearc.cli.app import app

INTRODUCTION = """\
# Every verb and option

This page is made from the command itself. `rearc VERB --help` prints the same. What the verbs are for, with examples,
is in [The command rearc](cli.md).

"""


def page() -> str:
    """All verbs in the order of `rearc --help`."""
    group: Any = typer.main.get_command(app)
    return INTRODUCTION + "\n".join(_verb(name, command) for name, command in group.commands.items())


def _verb(name: str, command: Any) -> str:
    context = command.context_class(command, info_name=f"rearc {name}")
    text, _, examples = (command.help or "").partition("Examples:")
    parts = [f"## rearc {name}", "", plain(text.strip()), ""]
    if examples:
        parts += ["```sh", examples.strip(), "```", ""]
    panels: dict[str, list[str]] = {}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            panel = "arguments" if parameter.param_type_name == "argument" else parameter.rich_help_panel or "options"
            panels.setdefault(panel, []).append(_row(*record))
    for panel, rows in panels.items():
        parts += [f"| {panel.lower()} | |", "| --- | --- |", *rows, ""]
    return "\n".join(parts)


def _row(names: str, help: str) -> str:
    names = re.sub(r"<(str|list\[str\])>", "", names).replace("<int range>", "N").replace("<int>", "N").strip()
    help, found, facts = help.partition("  [")
    facts = facts.removesuffix("]").replace("required", "must be given")
    return f"| {_cell(f'`{names}`')} | {_cell(plain(help))}{' *' + _cell(plain(facts)) + '*' if found else ''} |"


def plain(text: str) -> str:
    """Without rich's markup: what was bold is code; angle brackets would become HTML."""
    text = re.sub(r"\[bold\](.*?)\[/(?:bold)?\]", r"`\1`", text)
    text = re.sub(r"\[/?[a-z]+\]|\[/\]", "", text).replace("\\[", "[")
    return re.sub(r"(`[^`]*`)|([<>*_])", lambda found: found[1] or "\\" + found[2], text)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
