"""What the documentation site is made of: the reference of the command, and every page in its navigation."""

import re
from pathlib import Path
from runpy import run_path

import typer

from rearc.cli.app import app

TOP = Path(__file__).parents[2]
PAGE = run_path(str(TOP / "docs" / "site" / "commands.py"))["page"]()


def test_the_reference_has_every_verb_and_every_option():
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        part = re.search(rf"^## rearc {name}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
        assert part, name
        context = command.context_class(command, info_name=name)
        for parameter in command.get_params(context):
            if parameter.get_help_record(context) is not None:
                for flag in parameter.opts if parameter.param_type_name == "option" else ():
                    assert re.search(rf"[`, /]{flag}[`, /]", part[1]), f"rearc {name} {flag}"


def test_the_reference_has_no_markup_of_the_terminal():
    assert not re.search(r"\[/?(bold|italic|cyan|dim)\]|\[/\]", PAGE)
    for line in PAGE.splitlines():
        if line.startswith("| `"):
            assert len(re.findall(r"(?<!\\)\|", line)) == 3, line  # two cells


def test_every_page_is_in_the_navigation():
    navigation = (TOP / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    named = set(re.findall(r": ([\w-]+\.md)$", navigation, re.MULTILINE))
    generated = {"commands.md", "contributing.md", "changes.md"}
    assert {path.name for path in (TOP / "docs").glob("*.md")} == named - generated
