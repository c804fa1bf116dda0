"""Trees as PNG and PDF, drawn from the SVG by CairoSVG (the extra `png`)."""

from __future__ import annotations

import re
from typing import Any

from rearc.files.errors import FileError

# CairoSVG paints the outline of a label over it: so the outline is a text of its own, below the label.
_LABEL = re.compile('<text class="label"([^>]*>[^<]*</text>)')
_STYLE = """\
.rearc .label { stroke: none }
.rearc .halo { font-size: 12px; fill: #ffffff; stroke: #ffffff; stroke-width: 3px }
"""
_SCALE = 2.0  # pixels for each unit of the SVG


def rasterised(svg: str, kind: str, file: str) -> bytes:
    """The picture as "png" or "pdf"; `file` is what errors name."""
    try:
        import cairosvg
    except ImportError:
        raise FileError(
            file, "no CairoSVG", "CairoSVG, to draw it", "install it with pip install 'rearc[png]', or draw SVG"
        ) from None
    except OSError as error:
        raise FileError(
            file, f"no Cairo ({str(error).splitlines()[0]})", "the library Cairo, to draw it",
            "install it (on Debian: apt install libcairo2), or draw SVG",
        ) from None  # fmt: skip
    svg = _LABEL.sub(r'<text class="halo"\1<text class="label"\1', svg).replace("</style>", f"{_STYLE}</style>", 1)
    draw: Any = cairosvg.svg2pdf if kind == "pdf" else cairosvg.svg2png
    picture: bytes = draw(bytestring=svg.encode(), scale=1.0 if kind == "pdf" else _SCALE)
    return picture
