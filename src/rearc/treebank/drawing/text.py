"""A tree as text for the terminal: one word per line, the arcs at its left."""

from collections.abc import Collection, Sequence

from rich.cells import cell_len

from rearc.treebank.drawing.characters import isolated, pad, showable
from rearc.treebank.drawing.grid import arcs_grid

Piece = tuple[str, str]
"""A run of text and what it is: arc, non-projective, form, root, upos, label or space."""


def text_lines(
    heads: Sequence[int],
    non_projective: Collection[int],
    forms: Sequence[str],
    upos: Sequence[str],
    deprels: Sequence[str],
) -> list[list[Piece]]:
    """The lines of the drawing, each as pieces that say what they are, so that they can be coloured.

    Args:
        heads: [0, h(1), …, h(n)], −1 for a word without a head.
        non_projective: the dependents of the non-projective arcs.
        forms: of the n words; so are upos and deprels. A column that is "_" throughout is left out.
    """
    shown = [list(map(showable, column)) for column in (forms, upos, deprels)]
    form_width, upos_width = (max(map(cell_len, column), default=0) for column in shown[:2])
    if all(tag == "_" for tag in shown[1]):
        upos_width = 0
    has_labels = any(label != "_" for label in shown[2])

    lines = []
    for word, cells in enumerate(arcs_grid(heads, non_projective), start=1):
        pieces: list[Piece] = []
        for character, heavy in cells:
            kind = "space" if character == " " else "non-projective" if heavy else "arc"
            if pieces and pieces[-1][1] == kind:
                pieces[-1] = (pieces[-1][0] + character, kind)
            else:
                pieces.append((character, kind))
        form, tag, label = (column[word - 1] for column in shown)
        pieces.append((" ", "space"))
        pieces.append((pad(form, form_width), "root" if heads[word] == 0 else "form"))
        if upos_width:
            pieces += [("  ", "space"), (pad(tag, upos_width), "upos")]
        if has_labels:
            pieces += [
                ("  ", "space"),
                (isolated(label), "non-projective label" if word in non_projective else "label"),
            ]
        lines.append(pieces)
    return lines
