"""An extension of griffe: what the API's reference shows of docstrings.

Compiled modules have stubs without docstrings, so these are taken from the modules when they are imported. Examples
become blocks of code; Markdown would take their prompts for quotations.
"""

import inspect
import re
from importlib import import_module
from typing import Any

import griffe

PROMPTS = re.compile(r"(?:^|(?<=\n))(>>> .*(?:\n(?!\s*\n|```).*)*)")


class Docstrings(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        _complete(obj)

    def on_module(self, *, mod: griffe.Module, **_: Any) -> None:
        _complete(mod)


def _complete(found: griffe.Object) -> None:
    text = found.docstring.value.rstrip() if found.docstring else ""
    if not text or text.endswith(":"):  # a list that is made when the module is loaded, such as that of the options
        text = _from_module(found.path) or text
    if text and "```" not in text:
        found.docstring = griffe.Docstring(PROMPTS.sub(r"```pycon\n\1\n```", text), parent=found)


def _from_module(path: str) -> str | None:
    """The docstring of what is found under the path when it is imported."""
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for name in parts[length:]:
            found = getattr(found, name, None)
        own = parts[length:] and not parts[-1].startswith("__") and (callable(found) or inspect.isdatadescriptor(found))
        return inspect.getdoc(found) if own else None  # of anything else it would be that of its type
    return None
