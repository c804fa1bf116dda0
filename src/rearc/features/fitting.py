"""Templates and systems: which words of the configuration a system has."""

from __future__ import annotations

from collections.abc import Iterable

from rearc.features.templates import Template, TemplateError
from rearc.systems import systems

FOCI, LISTS, ARC = "LR", "SN", "HD"  # how the names of the words begin; CL and CR are everywhere


def check_fit(templates: Iterable[Template], system: str, *, of_labels: bool = False) -> None:
    """TemplateError for a word that the system does not have: such a template would never tell anything.

    of_labels: whether it is labels that the templates choose, so that there is an arc to look at.

    >>> from rearc.features.templates import parse_templates
    >>> check_fit(parse_templates("S0p+N0p"), "arc-hybrid")
    >>> check_fit(parse_templates("H0p+D0p"), "arc-hybrid")
    Traceback (most recent call last):
    rearc.features.templates.TemplateError: template 'H0p+D0p': found H0, expected words that arc-hybrid has: \
S, N, CL, CR; H is of templates of labels
    """
    has = words_of(system) + (ARC if of_labels else "")
    for template in templates:
        for address, _ in template.atoms:
            letter = address.word[0]
            if letter not in has and letter != "C":
                known = ", ".join([*has, "CL", "CR"])
                where = ", ".join(name for name in systems() if letter in words_of(name)) or "templates of labels"
                raise TemplateError(
                    f"template {template.text!r}: found {address.word}, expected words that {system} has: {known}; "
                    f"{letter} is of {where}"
                )


def words_of(system: str) -> str:
    """The letters of the words that a system has: the two foci, or stack and buffer."""
    return FOCI if "covington" in system else LISTS
