"""Trees to look at: as text for the terminal, as SVG, PNG or PDF, as an HTML page.

>>> from rearc.treebank import Sentence
>>> from rearc.treebank.drawing import draw_text
>>> print(draw_text(Sentence(["I", "saw", "Jack"], heads=[2, 0, 2], deprels=["nsubj", "root", "obj"])))
  ┌─► I     nsubj
──┼─► saw   root
  └─► Jack  obj
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rearc.treebank import Sentence
from rearc.treebank.trees import non_projective_arcs

if TYPE_CHECKING:  # each function imports what it needs: the first tree in a terminal does not wait for pages
    from rearc.treebank.drawing.svg import Picture
    from rearc.treebank.drawing.text import Piece

__all__ = ["draw_html", "draw_lines", "draw_svg", "draw_text"]


def draw_lines(sentence: Sentence) -> list[list[Piece]]:
    """The lines of the drawing for the terminal, each as pieces (text, what it is) that can be coloured.

    >>> draw_lines(Sentence(["Go"], heads=[0]))
    [[('──►', 'arc'), (' ', 'space'), ('Go', 'root')]]
    """
    from rearc.treebank.drawing.text import text_lines

    return text_lines(*_tree(sentence), sentence.forms, sentence.upos, sentence.deprels)


def draw_text(sentence: Sentence) -> str:
    """The tree as plain text, one word per line. Non-projective arcs are heavy lines.

    >>> print(draw_text(Sentence(["Dogs", "bark"], heads=[2, 0])))
      ┌─► Dogs
    ──┴─► bark
    """
    return "\n".join("".join(text for text, _ in line).rstrip() for line in draw_lines(sentence))


def draw_svg(sentences: Iterable[Sentence]) -> str:
    """The trees below each other in one SVG that needs nothing else.

    >>> draw_svg([Sentence(["Dogs", "bark"], heads=[2, 0])])[:4]
    '<svg'
    """
    from rearc.treebank.drawing.svg import svg

    return svg(map(_picture, sentences))


def draw_pixels(sentences: Iterable[Sentence], kind: str, file: str) -> bytes:
    """The same as "png" or "pdf", for a file of that name. Needs the extra `png`; without it a FileError says so."""
    from rearc.treebank.drawing.raster import rasterised
    from rearc.treebank.drawing.shaping import visual
    from rearc.treebank.drawing.svg import picture, svg

    pictures = (picture(*_tree(s), visual(s.forms), s.upos, s.deprels) for s in sentences)
    return rasterised(svg(pictures), kind, file)


def draw_html(sentences: Iterable[Sentence], title: str) -> Iterator[str]:
    """An HTML page with all the trees, piece by piece.

    >>> next(draw_html([Sentence(["Dogs", "bark"], heads=[2, 0])], "Dogs"))[:15]
    '<!DOCTYPE html>'
    """
    from rearc.treebank.drawing.html import html_page

    return html_page(((s.sent_id or "", s.text, _picture(s)) for s in sentences), title)


def _picture(sentence: Sentence) -> Picture:
    from rearc.treebank.drawing.svg import picture

    return picture(*_tree(sentence), sentence.forms, sentence.upos, sentence.deprels)


def _tree(sentence: Sentence) -> tuple[list[int], set[int]]:
    """The heads with the root's slot, and the dependents of the non-projective arcs."""
    heads = [0, *sentence.heads]
    return heads, set(non_projective_arcs(heads)) if sentence.has_tree else set()
