"""`rearc package`: a wheel with a model in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def package(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")],
    name: Annotated[
        str,
        typer.Option("--name", metavar="NAME", help="Of the package. From rearc-fr the model fr is loaded."),
    ],
    version: Annotated[str, typer.Option("--version", metavar="VERSION", help="Of the package.")] = "1.0",
    licence: Annotated[
        str | None, typer.Option("--licence", metavar="LICENCE", help="Of the model, such as CC-BY-SA-4.0.")
    ] = None,
    card: Annotated[
        Path | None, typer.Option("--card", metavar="FILE", help="Markdown that says what the model is good for.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the wheel goes.")] = Path(),
) -> None:
    """Make a wheel, which pip installs, with a model, its card and its licence.

    Once it is installed, `rearc parse -m fr-sequoia` and rearc.load("fr-sequoia") find the model; `rearc models` lists
    it. The name of the wheel is printed.

    Examples:

    rearc package my.rearc --name rearc-fr-sequoia --version 1.0 --licence CC-BY-SA-4.0
    rearc package my.rearc --name rearc-grc -o dist --card card.md
    """
    from rearc.files.errors import FileError
    from rearc.files.names import refused
    from rearc.parser.catalogue import find_model
    from rearc.parser.package import PackageError, package

    text = ""
    if card is not None:
        try:
            text = card.read_text(encoding="utf-8")
        except OSError as error:
            raise refused(str(card), error, "Markdown in UTF-8") from None
        except UnicodeDecodeError:
            raise FileError(str(card), "bytes that are no UTF-8", "Markdown in UTF-8", "convert it") from None
    try:
        wheel = package(find_model(model), str(output), name, version, licence, text)
    except PackageError as error:
        raise typer.BadParameter(str(error)) from None
    typer.echo(wheel)
