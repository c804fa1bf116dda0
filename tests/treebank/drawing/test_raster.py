"""PNG and PDF."""

import io
import struct
import sys

import pytest

from rearc.files.errors import FileError
from rearc.treebank import Sentence, read, sample
from rearc.treebank.drawing import draw_pixels, draw_svg

TREE = Sentence(["I", "saw"], heads=[2, 0], deprels=["nsubj", "root"])


@pytest.fixture
def cairo() -> None:
    try:
        import cairosvg  # noqa: F401
    except (ImportError, OSError) as error:
        pytest.skip(f"no CairoSVG, or no Cairo for it: {error}")


@pytest.mark.usefixtures("cairo")
def test_pictures_are_of_their_kind_and_size() -> None:
    trees = list(read(sample()))[:3]
    png = draw_pixels(trees, "png", "t.png")
    assert png.startswith(b"\x89PNG\r\n")
    width, height = struct.unpack(">II", png[16:24])
    assert f'viewBox="0 0 {width // 2} {height // 2}"' in draw_svg(trees)
    assert draw_pixels(trees, "pdf", "t.pdf").startswith(b"%PDF-")


@pytest.mark.usefixtures("cairo")
def test_labels_are_seen() -> None:
    from PIL import Image  # which CairoSVG needs itself

    # CairoSVG would paint the white outline of a label over its letters
    colours = Image.open(io.BytesIO(draw_pixels([TREE], "png", "t.png"))).convert("RGB")
    assert dict(map(reversed, colours.getcolors(1 << 20)))[0x33, 0x54, 0x7F] > 50


@pytest.mark.parametrize(
    ("module", "found", "remedy"),
    [(None, "no CairoSVG", r"pip install 'rearc\[png\]'"), (OSError, "no Cairo", "libcairo2")],
)
def test_what_is_missing_is_said(
    module: type[Exception] | None, found: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if module is None:
        monkeypatch.setitem(sys.modules, "cairosvg", None)
    else:
        monkeypatch.delitem(sys.modules, "cairosvg", raising=False)

        class Broken:
            def find_spec(self, name: str, *_: object) -> None:
                if name == "cairosvg":
                    raise OSError('no library called "cairo-2" was found')

        monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    with pytest.raises(FileError, match=rf"t\.png: found {found}.*{remedy}"):
        draw_pixels([TREE], "png", "t.png")
