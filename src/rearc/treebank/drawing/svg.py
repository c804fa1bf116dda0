"""A tree as SVG: words in a row, arcs above them. Everything it needs is in the picture itself."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from html import escape

from rearc.treebank.drawing.characters import right_to_left, showable
from rearc.treebank.drawing.layout import CORNER, FORM_SIZE, LABEL_SIZE, MARGIN, TAG_SIZE, Arc, layout

LEVEL = 28.0  # from one level of arcs to the next
FOOT = 4.0  # between the arcs' ends and the words
HEAD_LENGTH, HEAD_WIDTH = 7.0, 6.5  # of an arrow

STYLE = f"""\
.rearc {{ font-family: "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", "Noto Sans", "Noto Sans CJK SC", sans-serif }}
.rearc .page {{ fill: #ffffff }}
.rearc text {{ text-anchor: middle }}
.rearc .form {{ font-size: {FORM_SIZE:g}px; fill: #1a1f2b }}
.rearc .tag {{ font-size: {TAG_SIZE:g}px; fill: #7a8394; letter-spacing: .03em }}
.rearc .label {{ font-size: {LABEL_SIZE:g}px; fill: #33547f; stroke: #ffffff; stroke-width: 3px; paint-order: stroke }}
.rearc .arc {{ fill: none; stroke: #8296b5; stroke-width: 1.4px }}
.rearc .head {{ fill: #8296b5 }}
.rearc .root .arc {{ stroke: #1a1f2b }}
.rearc .root .head, .rearc .root .label {{ fill: #1a1f2b }}
.rearc .np .arc {{ stroke: #d9480f; stroke-width: 2px }}
.rearc .np .head, .rearc .np .label {{ fill: #d9480f }}
@media (prefers-color-scheme: dark) {{
  .rearc .page {{ fill: #14171f }}
  .rearc .form {{ fill: #e8ecf4 }}
  .rearc .tag {{ fill: #8b94a7 }}
  .rearc .label {{ fill: #9dbcf0; stroke: #14171f }}
  .rearc .arc {{ stroke: #56688a }}
  .rearc .head {{ fill: #56688a }}
  .rearc .root .arc {{ stroke: #e8ecf4 }}
  .rearc .root .head, .rearc .root .label {{ fill: #e8ecf4 }}
  .rearc .np .arc {{ stroke: #ff922b }}
  .rearc .np .head, .rearc .np .label {{ fill: #ff922b }}
}}
"""


@dataclass(frozen=True, slots=True)
class Picture:
    """SVG elements drawn from (0, 0) on, and their size."""

    body: str
    width: float
    height: float


def picture(
    heads: Sequence[int],
    non_projective: Collection[int],
    forms: Sequence[str],
    upos: Sequence[str],
    deprels: Sequence[str],
) -> Picture:
    """Draw one tree. A sentence of a script that is written from right to left begins at the right.

    Args:
        heads: [0, h(1), …, h(n)], −1 for a word without a head.
        non_projective: the dependents of the non-projective arcs.
        forms: of the n words; so are upos and deprels. A column that is "_" throughout is left out.
    """
    forms, upos, deprels = (list(map(showable, column)) for column in (forms, upos, deprels))
    tagged = any(tag != "_" for tag in upos)
    labelled = any(label != "_" for label in deprels)
    placed = layout(heads, forms, upos if tagged else [""] * len(forms), deprels if labelled else [""] * len(forms))
    leftwards = right_to_left(forms)
    if leftwards:
        placed = placed.mirrored()
    top = MARGIN + LABEL_SIZE
    ground = top + LEVEL * max((arc.level for arc in placed.arcs), default=0) + FOOT
    lines, labels = [], []
    # Non-projective arcs lie over the others, and labels over them all.
    for arc in sorted(placed.arcs, key=lambda arc: (arc.dependent in non_projective, -arc.level)):
        kind = "np" if arc.dependent in non_projective else "root" if arc.head == 0 else "plain"
        y = ground - FOOT - LEVEL * arc.level
        lines.append(f'<g class="{kind}">{_line(arc, y, ground - FOOT)}</g>')
        if labelled:
            label = _text("label", arc.label_x, y - 6, deprels[arc.dependent - 1])
            labels.append(f'<g class="{kind}">{label}</g>')
    words = []
    for word, form in enumerate(forms, start=1):
        words.append(_text("form", placed.words[word], ground + FORM_SIZE, form, leftwards))
        if tagged:
            words.append(_text("tag", placed.words[word], ground + FORM_SIZE + TAG_SIZE + 7, upos[word - 1]))
    height = ground + FORM_SIZE + (TAG_SIZE + 7 if tagged else 0) + MARGIN
    return Picture("\n".join(lines + labels + words), placed.width, height)


def svg(pictures: Iterable[Picture], *, style: bool = True) -> str:
    """One SVG with the pictures below each other; without its style where the page around it has that already."""
    pictures = list(pictures)
    width = max((each.width for each in pictures), default=0.0)
    height = sum(each.height for each in pictures)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rearc" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="dependency tree">'
    ]
    if style:
        parts.append(f"<style>\n{STYLE}</style>")
    parts.append('<rect class="page" width="100%" height="100%"/>')
    y = 0.0
    for each in pictures:
        parts.append(f'<g transform="translate(0 {y:g})">\n{each.body}\n</g>')
        y += each.height
    parts.append("</svg>\n")
    return "\n".join(parts)


def _line(arc: Arc, y: float, ground: float) -> str:
    """The arc at height y down to the ground, and its arrow head at the dependent."""
    h, d = arc.head_x, arc.dependent_x
    neck = ground - HEAD_LENGTH + 1
    if arc.head == 0:
        path = f"M{d:.1f} {y:.1f}V{neck:.1f}"
    else:
        corner = min(CORNER, abs(h - d) / 2)
        towards = corner if h < d else -corner
        path = (
            f"M{h:.1f} {ground:.1f}V{y + corner:.1f}Q{h:.1f} {y:.1f} {h + towards:.1f} {y:.1f}"
            f"H{d - towards:.1f}Q{d:.1f} {y:.1f} {d:.1f} {y + corner:.1f}V{neck:.1f}"
        )
    half = HEAD_WIDTH / 2
    tip = f"M{d:.1f} {ground:.1f}l{-half:g} {-HEAD_LENGTH:g}h{HEAD_WIDTH:g}z"
    return f'<path class="arc" d="{path}"/><path class="head" d="{tip}"/>'


def _text(kind: str, x: float, y: float, text: str, leftwards: bool = False) -> str:
    direction = ' direction="rtl"' if leftwards else ""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{direction}>{escape(text, quote=False)}</text>'
