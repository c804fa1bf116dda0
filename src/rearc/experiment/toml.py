"""A spec's text: TOML, checked value by value, with errors that name the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from rearc.errors import suggestion
from rearc.experiment.errors import SpecError

KINDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false", list: "a list", dict: "a table"}


class Section:
    """A table of a spec. What it asks for must be there as it should; what nobody asks for is refused by `close`."""

    def __init__(self, file: str, text: str, path: tuple[str, ...], content: Mapping[str, Any]) -> None:
        self.file, self.text, self.path, self.content = file, text, path, dict(content)
        self._known: list[str] = []

    @property
    def name(self) -> str:
        return self.path[-1] if self.path else "the spec"

    def get(self, key: str, *kinds: type, default: Any = None, one_of: Collection[str] = ()) -> Any:
        """The value under a key, of one of these types; the default where there is none."""
        self._known.append(key)
        if key not in self.content:
            return default
        value = self.content[key]
        if type(value) not in kinds and not (float in kinds and type(value) is int):
            raise self.error(key, repr(value), " or ".join(KINDS[kind] for kind in kinds))
        if one_of and isinstance(value, str) and value not in one_of:
            raise self.error(key, repr(value), "one of " + ", ".join(one_of) + suggestion(value, one_of))
        return value

    def strings(self, key: str) -> list[str] | None:
        """A list of texts."""
        values: list[Any] | None = self.get(key, list)
        for value in values or ():
            if not isinstance(value, str):
                raise self.error(key, repr(value), "a list of texts")
        return values

    def numbers(self, key: str) -> list[int] | None:
        """A list of different whole numbers, such as seeds."""
        values: list[Any] | None = self.get(key, list)
        for value in values or ():
            if type(value) is not int or value < 0:
                raise self.error(key, repr(value), "whole numbers that are not negative")
        if values is not None and (not values or len(set(values)) < len(values)):
            raise self.error(key, repr(values), "at least one number, and none twice")
        return values

    def section(self, key: str, content: Mapping[str, Any] | None = None) -> Section:
        """A table below this one."""
        found = content if content is not None else self.get(key, dict, default={})
        return Section(self.file, self.text, (*self.path, key), found)

    def rest(self) -> dict[str, Any]:
        """What nobody has asked for, handed on to somebody else to check."""
        return {key: value for key, value in self.content.items() if key not in self._known}

    def close(self) -> None:
        """Refuse what nobody has asked for."""
        for key in self.rest():
            raise self.unknown(key)

    def unknown(self, key: str, more: Collection[str] = ()) -> SpecError:
        """An error for a key that nobody knows; `more` are known beside those that were asked for."""
        known = [*self._known, *more]
        return self.error(key, f"the key {key!r}", f"some of {', '.join(known)}{suggestion(key, known)}", what="")

    def error(self, key: str, found: str, expected: str, remedy: str = "", what: str | None = None) -> SpecError:
        """An error at the line of a key."""
        said = f"{key} = {found}" if what is None else f"{what}{found}"
        place = f" in [{'.'.join(self.path)}]" if self.path else ""
        return SpecError(self.file, line_of(self.text, self.path, key), said + place, expected, remedy)


def read_toml(file: Path) -> Section:
    """The top of a spec."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SpecError(str(file), 0, "no such file", "a spec in TOML", "check its name") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(str(file), 0, str(error), "a spec in TOML that can be read") from None
    try:
        return Section(str(file), text, (), tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+)", str(error))
        raise SpecError(str(file), int(place[1]) if place else 0, str(error), "TOML", "see https://toml.io") from None


def line_of(text: str, path: tuple[str, ...], key: str) -> int:
    """The line on which a key is set below the header of its table; 0 where it is not found.

    >>> line_of('seeds = [1]\\n[setups.a]\\nsystem = "b"', ("setups", "a"), "system")
    3
    """
    lines = text.split("\n")

    def found(names: tuple[str, ...], ending: str, start: int) -> int:
        pattern = r"\s*\.\s*".join("[\"']?" + re.escape(name) + "[\"']?" for name in names)
        return next((k for k in range(start, len(lines)) if re.match(rf"\s*\[?\s*{pattern}{ending}", lines[k])), -1)

    for depth in range(len(path), -1, -1):  # a header [a.b] with key =, or [a] with b.key = or b = { key =
        start = 0 if depth == 0 else found(path[:depth], r"\s*\]", 0) + 1
        if depth and not start:
            continue
        for names in ((*path[depth:], key), path[depth:]):
            line = found(names, r"\s*[=.]", start) if names else -1
            if line >= 0:
                return line + 1
        if depth:
            return start
    return 0
