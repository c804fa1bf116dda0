"""Feature templates as text.

The notation is that of Fernández-González & Gómez-Rodríguez 2017, Table 2, and of Zhang & Nivre 2011. A template is
atoms joined by `+`; an atom is a word of the configuration and attributes of it:

    L0wp+R0wp       form and tag of the left focus with form and tag of the right focus
    S0hp+S0p+N0p    tag of the head of the stack's top, tag of the top, tag of the buffer's front
    L0l'w           form of the closest left dependent of L0

Words: L0, L1, … the left focus (Covington) and the words to its left; R0, R1, … the right focus and the words to its
right; S0, S1, … the stack from its top; N0, N1, … the buffer from its front; CL, CR the first and last word between L0
and R0 whose head is not in [L0, R0]; H0, D0 the head and the dependent of the arc that is being labelled.
Relatives, any number of them: h head, h2 grandparent, l and l' farthest and closest left dependent, l2 the second
farthest, and r, r', r2 likewise; < and > the previous and the next word of the sentence.
Attributes: w form, u lower-cased form, m lemma, p UPOS, t XPOS, f FEATS, x2 and x3 the last two and three characters of
the form, c4, c6 and c Brown-cluster prefixes, l label, d distance between the two foci, vl and vr valencies, sl and sr
sets of dependents' labels, e direction and distance of a word's head, k how the two foci stand to each other in the
tree.
"""

import re
from dataclasses import dataclass

from rearc.errors import RearcError

RELATIVES = ("h2", "h", "l'", "l2", "l", "r'", "r2", "r", "<", ">")
ATTRIBUTES = ("w", "u", "m", "p", "t", "f", "x2", "x3", "c4", "c6", "c", "l", "d", "vl", "vr", "sl", "sr", "e", "k")

_ANY_ATTRIBUTE = "|".join(sorted(ATTRIBUTES, key=len, reverse=True))
_WORD = re.compile("CL|CR|[HD]0|[LRSN][0-9]")
_RELATIVE = re.compile("|".join(RELATIVES))
_ATTRIBUTE = re.compile(_ANY_ATTRIBUTE)
# `l` is a relative and an attribute: it is a relative wherever attributes still follow it
_REST = re.compile(rf"((?:{'|'.join(RELATIVES)})*)((?:{_ANY_ATTRIBUTE})+)")


def is_word(name: str) -> bool:
    """Whether templates can name a word so.

    >>> is_word("S0"), is_word("S")
    (True, False)
    """
    return _WORD.fullmatch(name) is not None


class TemplateError(RearcError):
    """A template that cannot be read.

    >>> try:
    ...     parse_templates("S0p X0p", "my.txt")
    ... except TemplateError as error:
    ...     print(str(error).partition(", expected")[0])
    my.txt:1: template 'X0p', column 1: found 'X0p'
    """


@dataclass(frozen=True)
class Address:
    """A word of the configuration: a starting point and the relatives to step to from there."""

    word: str  # "L0", "S1", "CL"
    relatives: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.word + "".join(self.relatives)


@dataclass(frozen=True)
class Template:
    """A conjunction of attributes of words.

    >>> [template.text for template in parse_templates("S0p+N0p S0w")]
    ['S0p+N0p', 'S0w']
    """

    text: str
    atoms: tuple[tuple[Address, str], ...]  # (word, attribute)


def parse_template(text: str) -> Template:
    """Read one template.

    >>> [f"{address} {attribute}" for address, attribute in parse_template("L0hp+R0wd").atoms]
    ['L0h p', 'R0 w', 'R0 d']
    """
    normal = text.replace("′", "'").replace("’", "'").replace(" ", "")
    atoms: list[tuple[Address, str]] = []
    column = 1
    for part in normal.split("+"):
        atoms += _parse_atom(text, part, column)
        column += len(part) + 1
    return Template(normal, tuple(atoms))


def _parse_atom(text: str, part: str, column: int) -> list[tuple[Address, str]]:
    word = _WORD.match(part)
    if word is None:
        raise TemplateError(
            f"template {text!r}, column {column}: found {part!r}, expected a word such as L0, R1, S0, N2, CL or CR"
        )
    rest = _REST.fullmatch(part, word.end())
    if rest is None:
        at = word.end()
        while step := _RELATIVE.match(part, at):
            at = step.end()
        raise TemplateError(
            f"template {text!r}, column {column + at}: found {part[at:] or 'nothing'!r}, "
            f"expected attributes of {part[:at]}: any of {' '.join(ATTRIBUTES)}"
        )
    address = Address(word.group(), tuple(_RELATIVE.findall(rest.group(1))))
    return [(address, attribute) for attribute in _ATTRIBUTE.findall(rest.group(2))]


def parse_templates(text: str, name: str = "templates") -> list[Template]:
    """Read templates separated by white space or `;`; `#` begins a comment. No template may occur twice.

    >>> len(parse_templates("S0p+N0p; S0w  # the top of the stack"))
    2
    """
    templates: dict[str, Template] = {}
    for number, line in enumerate(text.splitlines(), 1):
        for item in re.split(r"[;\s]+", line.split("#")[0]):
            if not item:
                continue
            try:
                template = parse_template(item)
            except TemplateError as error:
                raise TemplateError(f"{name}:{number}: {error}") from None
            if template.text in templates:
                raise TemplateError(f"{name}:{number}: found {item!r} a second time, expected each template once")
            templates[template.text] = template
    if not templates:
        raise TemplateError(f"{name}: found no template, expected at least one, e.g. S0p+N0p")
    return list(templates.values())
