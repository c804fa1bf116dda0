"""Scripts that are written from right to left."""

import re
import unicodedata
from xml.etree import ElementTree

from rearc.treebank import Sentence
from rearc.treebank.drawing import draw_html, draw_svg, draw_text
from rearc.treebank.drawing.shaping import visual

SVG = "{http://www.w3.org/2000/svg}"
HEBREW = Sentence(
    ["הילד", "קרא", "ספר", "."], upos=["NOUN", "VERB", "NOUN", "PUNCT"], heads=[2, 0, 2, 2],
    deprels=["nsubj", "root", "obj", "punct"], comments=["# sent_id = he-1"],
)  # fmt: skip
ENGLISH = HEBREW.replace(forms=["Boys", "read", "books", "."])


def test_lines_keep_their_order_around_the_words() -> None:
    for line, form in zip(draw_text(HEBREW).splitlines(), HEBREW.forms, strict=True):
        # Without what is isolated, a line has no letter that would turn it round
        rest = re.sub("\u2068[^\u2069]*\u2069", "", line)
        assert {unicodedata.bidirectional(c) for c in rest}.isdisjoint({"R", "AL"})
        assert form in line
    columns = [re.sub("[\u2068\u2069]", "", line).index(tag) for line, tag in
               zip(draw_text(HEBREW).splitlines(), HEBREW.upos, strict=True)]  # fmt: skip
    assert len(set(columns)) == 1
    assert "\u2068" not in draw_text(ENGLISH)


def places(sentence: Sentence) -> list[float]:
    words = [e for e in ElementTree.fromstring(draw_svg([sentence])).iter(f"{SVG}text") if e.get("class") == "form"]
    assert {word.get("direction") for word in words} == ({"rtl"} if sentence is HEBREW else {None})
    assert [word.text for word in words] == sentence.forms
    return [float(word.get("x", "")) for word in words]


def test_the_picture_begins_at_the_right() -> None:
    assert places(HEBREW) == sorted(places(HEBREW), reverse=True)
    assert places(ENGLISH) == sorted(places(ENGLISH))


def test_arcs_go_with_their_words() -> None:
    root = ElementTree.fromstring(draw_svg([HEBREW]))
    width = float(root.get("width", ""))
    tips = [
        float(re.match(r"M([\d.]+)", p.get("d", ""))[1]) for p in root.iter(f"{SVG}path") if p.get("class") == "head"
    ]  # type: ignore[index]
    words = places(HEBREW)
    assert len(tips) == 4
    assert all(0 < tip < width and min(abs(tip - word) for word in words) < 20 for tip in tips)


def test_the_page_takes_the_direction_of_the_text_and_not_of_its_name() -> None:
    page = "".join(draw_html([HEBREW], "t"))
    assert f'<small>he-1</small><span dir="auto">{HEBREW.text}</span>' in page


def test_letters_as_they_are_seen() -> None:
    assert visual(["ספר", "(", "1984", "«ב»"]) == ["רפס", ")", "1984", "«ב»"]
    assert visual(["book", "(", "ספר"]) == ["book", "(", "רפס"]
    (word,) = visual(["الكتاب"])
    assert [unicodedata.name(letter).split()[-2] for letter in word] == [
        "ISOLATED", "FINAL", "MEDIAL", "MEDIAL", "INITIAL", "ISOLATED",
    ]  # fmt: skip
    assert unicodedata.normalize("NFKC", word)[::-1] == "الكتاب"
    assert [unicodedata.name(letter) for letter in visual(["لا"])[0]] == ["ARABIC LIGATURE LAM WITH ALEF ISOLATED FORM"]
    assert visual(["كَ"])[0] == "\u064e\ufed9"  # the mark comes before its letter
