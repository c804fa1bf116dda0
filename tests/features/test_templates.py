"""The notation of feature templates."""

import pytest

from rearc.features.sets import feature_sets, load_templates
from rearc.features.templates import TemplateError, parse_template, parse_templates


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("L0l", "L0 l"),  # the label of L0 …
        ("L0lp", "L0l p"),  # … the tag of its farthest left dependent …
        ("L0ll", "L0l l"),  # … the label of that
        ("L0l′l", "L0l' l"),
        ("L0h2w", "L0h2 w"),
        ("S0l2p", "S0l2 p"),
        ("L0wsl", "L0 w, L0 sl"),
        ("R0pvl", "R0 p, R0 vl"),
        ("CLwp", "CL w, CL p"),
        ("L0hp+L0p+R0p", "L0h p, L0 p, R0 p"),
        ("L0w+R0wd", "L0 w, R0 w, R0 d"),
        ("S0x3c4c", "S0 x3, S0 c4, S0 c"),
        ("D0<p+H0>w", "D0< p, H0> w"),
        ("S0hrp", "S0hr p"),
    ],
)
def test_how_a_template_is_read(text, atoms):
    assert ", ".join(f"{address} {attribute}" for address, attribute in parse_template(text).atoms) == atoms


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X0w", "column 1: found 'X0w', expected a word"),
        ("S0p+Q", "column 5: found 'Q', expected a word"),
        ("L0", "column 3: found 'nothing', expected attributes of L0"),
        ("S0p+N0q", "column 7: found 'q', expected attributes of N0"),
        ("S0p+", "column 5: found '', expected a word"),
    ],
)
def test_errors_say_where(text, message):
    with pytest.raises(TemplateError, match=message.replace("+", r"\+")):
        parse_template(text)


def test_a_file_is_read_with_comments_and_line_numbers():
    assert [t.text for t in parse_templates("# pairs\nS0p+N0p; S0w\n\nN0w # last\n")] == ["S0p+N0p", "S0w", "N0w"]
    with pytest.raises(TemplateError, match="mine:2: template 'N9'"):
        parse_templates("S0p\nN9", "mine")
    with pytest.raises(TemplateError, match="mine:2: found 'S0p' a second time"):
        parse_templates("S0p\nS0p", "mine")
    with pytest.raises(TemplateError, match="no template"):
        parse_templates("# nothing\n")


def test_table_2_of_the_paper_is_complete():
    templates = load_templates("covington")
    assert len(templates) == 87
    assert len([t for t in templates if t.text.count("+") == 1]) == 10
    assert len([t for t in templates if t.text.count("+") == 2]) == 10


@pytest.mark.parametrize("name", feature_sets())
def test_shipped_sets_can_be_read(name):
    assert load_templates(name)
