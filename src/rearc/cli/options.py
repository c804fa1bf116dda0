"""The options of training on the command line, made from their description in `rearc.training.options`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import Field, fields
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer
from typer.core import TyperCommand, TyperOption

from rearc.training.options import Options, about, flag_of, kind_of

if TYPE_CHECKING:
    from rearc.training.errors import OptionError

_FIELDS = {entry.name: entry for entry in fields(Options)}


class Verb(Protocol):
    """A verb that takes options of training by their names."""

    __name__: str

    def __call__(self, *args: Any, **options: Any) -> None: ...


def with_options(verb: Verb) -> Verb:
    """The verb with an option of the command for each option of training, in the place of its `**options`."""
    signature = inspect.signature(verb, eval_str=True)
    own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    made = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=entry.default, annotation=_annotation(entry))
        for name, entry in _FIELDS.items()
    ]
    verb.__signature__ = signature.replace(parameters=[*own, *made])  # type: ignore[attr-defined]
    verb.__annotations__ = {p.name: p.annotation for p in (*own, *made)}
    return verb


def _annotation(entry: Field[Any]) -> Any:
    what = about(entry)
    kind: Any = str if what.read else kind_of(entry)
    info = typer.Option(flag_of(entry), metavar=what.metavar, rich_help_panel=what.group)
    return Annotated[kind | None if entry.default is None else kind, info]


def options_from(given: Mapping[str, Any]) -> Options:
    """The options out of what was typed; wrong usage else."""
    from rearc.training.errors import OptionError

    values = dict(given)
    try:
        for name, value in given.items():
            read = about(_FIELDS[name]).read
            if read is not None and value is not None:
                try:
                    values[name] = read(value)
                except ValueError:
                    raise OptionError(name, value, about(_FIELDS[name]).expected or "") from None
        return Options(**values)
    except OptionError as error:
        raise wrong(error, given) from None


def wrong(error: OptionError, given: Mapping[str, Any]) -> typer.BadParameter:
    """The error as the command says it: the option and its value as they were typed."""
    found = given.get(error.option)
    said = f"found {found!r}, " if isinstance(found, str) else f"found {found}, " if type(found) in (int, float) else ""
    return typer.BadParameter(said + f"expected {error.expected}", param_hint=[flag_of(_FIELDS[error.option])])


class TrainCommand(TyperCommand):
    """A command whose help says all of the description: made only when it is asked for, as the lists of systems,
    oracles and sizes take time to load."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from rearc.training.options import otherwise_of

        for parameter in self.params:
            entry = _FIELDS.get(parameter.name or "")
            if entry is not None and isinstance(parameter, TyperOption):
                parameter.help = _bold(about(entry).help)
                if entry.default is None:
                    parameter.show_default = otherwise_of(entry).replace("`", "")
        text = self.help
        self.help = f"{text}\n\n{_systems()}"
        super().format_help(ctx, formatter)
        self.help = text


def _bold(text: str) -> str:
    return re.sub("`(.*?)`", r"[bold]\1[/]", text)


def _systems() -> str:
    """The systems with their oracles, and the sets of features."""
    from rearc.features.sets import feature_sets
    from rearc.oracles import oracles
    from rearc.systems import systems

    lines = [f"[bold]{name}[/]: {', '.join(oracles(name))}" for name in systems()]
    sets = ", ".join(name for name in feature_sets() if name != "labels")
    return "Systems and their oracles:\n\n" + "\n".join(lines) + f"\n\nSets of features: {sets}"
