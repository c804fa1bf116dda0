"""All classes and functions of rearc, compiled ones included."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import rearc
from tests.extras import reason

OUTSIDE = (
    "rearc.cli", "rearc.__main__",  # the command talks to the terminal and ends the process: tests/cli tries it
    "rearc.neural.torch_model", "rearc.neural.recurrence", "rearc.neural.losses", "rearc.neural.minibatches",
    "rearc.neural.encoder", "rearc.training.bilstm",  # these work on tensors of PyTorch, which is not ours to try
    "rearc.bridges.spacy",  # nor are spaCy's objects
)  # fmt: skip
# what every object has; __new__, __init__ and subclasses are tried by name
SPECIAL = (
    "__init__", "__len__", "__iter__", "__next__", "__getitem__", "__contains__", "__eq__", "__lt__", "__hash__",
    "__repr__",
    "__str__", "__bool__", "__call__", "__enter__", "__exit__", "__reduce__", "__reduce_ex__", "__reduce_cython__",
    "__setstate__", "__setstate_cython__", "__getstate__", "__copy__", "__deepcopy__", "__sizeof__", "__dir__",
)  # fmt: skip


@dataclass(frozen=True)
class Target:
    """Something to call: a function, or a class with its methods."""

    module: str
    name: str
    compiled: bool
    is_class: bool
    parameters: tuple[str, ...]  # of the function, or of what makes an object; "" for those without a name
    methods: tuple[tuple[str, tuple[str, ...] | None], ...] = ()  # None for what is looked at and not called

    @property
    def source(self) -> str:
        return f"at({self.module!r}).{self.name}"


def targets() -> list[Target]:
    """What can be imported, in the order of the names."""
    found = []
    for module in modules():
        compiled = not hasattr(module, "__file__") or not str(module.__file__).endswith(".py")
        for name, thing in sorted(vars(module).items()):
            if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__ or not callable(thing):
                continue
            if inspect.isclass(thing):
                found.append(Target(module.__name__, name, compiled, True, parameters_of(thing), methods_of(thing)))
            else:
                found.append(Target(module.__name__, name, compiled, False, parameters_of(thing)))
    return found


def modules() -> Iterator[Any]:
    """All but those that need an extra that is not installed."""
    yield rearc
    for info in pkgutil.walk_packages(rearc.__path__, "rearc."):
        if info.name not in OUTSIDE and not info.name.startswith("rearc.cli."):
            try:
                module = importlib.import_module(info.name)
            except ModuleNotFoundError as error:
                reason(error)
            else:
                yield module


def parameters_of(thing: Any) -> tuple[str, ...]:
    """Their names; of a compiled class nothing is known, so it gets a few without names."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return ("",) * 4
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    if any(parameter.kind in kinds for parameter in parameters):
        return ("",) * 4
    keywords = inspect.Parameter.KEYWORD_ONLY
    return tuple(f"{p.name}=" if p.kind == keywords else p.name for p in parameters)


def methods_of(cls: type) -> tuple[tuple[str, tuple[str, ...] | None], ...]:
    """Public methods, properties, and the special ones that the class has."""
    found: dict[str, tuple[str, ...] | None] = {}
    for owner in cls.__mro__:
        if owner.__module__.split(".")[0] != "rearc":
            continue
        for name, thing in vars(owner).items():
            if name in found or (name.startswith("__") and name not in SPECIAL):
                continue
            found[name] = parameters_of(thing)[1:] if callable(thing) else None
    for name in ("__init__", "__reduce_ex__", "__eq__", "__hash__", "__repr__", "__setstate__"):
        if hasattr(cls, name):
            found.setdefault(name, ("",))
    return tuple(sorted(found.items()))
