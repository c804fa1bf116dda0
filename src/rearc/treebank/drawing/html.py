"""Trees as one HTML page that needs nothing else: each sentence with its picture, light or dark as the reader likes."""

from collections.abc import Iterable, Iterator
from html import escape

from rearc.treebank.drawing.characters import showable
from rearc.treebank.drawing.svg import STYLE, Picture, svg

_HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
body {{ margin: 0 auto; max-width: 110rem; padding: 2rem 1.5rem; font: 16px/1.5 "Helvetica Neue", Helvetica, Arial,
  "Noto Sans", sans-serif; background: #f5f6f9; color: #1a1f2b }}
h1 {{ font-size: 1.3rem; font-weight: 600 }}
p.legend {{ color: #6b7484; font-size: .9rem }}
p.legend b {{ color: #d9480f }}
section {{ margin: 1.5rem 0; background: #ffffff; border: 1px solid #dfe3ea; border-radius: 10px; overflow: hidden }}
section > h2 {{ margin: 0; padding: .9rem 1.25rem 0; font-size: 1rem; font-weight: 400; overflow-wrap: anywhere }}
section > h2 span {{ display: block }}
section > h2 small {{ display: block; color: #7a8394; font-size: .8rem }}
section > div {{ overflow-x: auto }}
section svg {{ display: block }}
{style}@media (prefers-color-scheme: dark) {{
  body {{ background: #0c0e13; color: #e8ecf4 }}
  p.legend, section > h2 small {{ color: #8b94a7 }}
  p.legend b {{ color: #ff922b }}
  section {{ background: #14171f; border-color: #262c3a }}
}}
</style>
</head>
<body>
<h1>{title}</h1>
<p class="legend">Arrows point from heads to dependents. <b>Non-projective</b> arcs span a word that does not descend
from their head.</p>
"""


def html_page(trees: Iterable[tuple[str, str, Picture]], title: str) -> Iterator[str]:
    """The page, piece by piece, so that it need not fit in memory.

    Args:
        trees: the name, the text and the picture of each sentence.
        title: the page's.
    """
    yield _HEAD.format(title=escape(showable(title)), style=STYLE)
    for name, text, tree in trees:
        heading = f'<small>{escape(showable(name))}</small><span dir="auto">{escape(showable(text))}</span>'
        yield f"<section>\n<h2>{heading}</h2>\n<div>{svg([tree], style=False)}</div>\n</section>\n"
    yield "</body>\n</html>\n"
