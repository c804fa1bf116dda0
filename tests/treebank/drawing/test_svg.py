import random
from itertools import combinations
from xml.etree import ElementTree

from rearc.treebank import Sentence
from rearc.treebank.drawing import draw_html, draw_svg
from rearc.treebank.drawing.layout import LABEL_SIZE, em_width, layout
from tests.treebank.drawing.random_trees import random_heads

SVG = "{http://www.w3.org/2000/svg}"
HEARING = Sentence(
    ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today", "."],
    upos=["DET", "NOUN", "AUX", "VERB", "ADP", "DET", "NOUN", "NOUN", "PUNCT"],
    heads=[2, 4, 4, 0, 7, 7, 2, 4, 4],
    deprels=["det", "nsubj:pass", "aux:pass", "root", "case", "det", "nmod", "obl:tmod", "punct"],
)


def test_all_words_tags_and_labels_are_in_the_picture_in_order():
    root = ElementTree.fromstring(draw_svg([HEARING]))
    texts = {kind: [] for kind in ("form", "tag", "label")}
    for element in root.iter(f"{SVG}text"):
        texts[element.get("class")].append(element.text)
    assert texts["form"] == HEARING.forms
    assert texts["tag"] == HEARING.upos
    assert sorted(texts["label"]) == sorted(HEARING.deprels)


def test_only_the_non_projective_arc_is_marked():
    root = ElementTree.fromstring(draw_svg([HEARING]))
    marked = [g for g in root.iter(f"{SVG}g") if g.get("class") == "np"]
    assert [text.text for g in marked for text in g.iter(f"{SVG}text")] == ["nmod"]
    assert len([path for g in marked for path in g.iter(f"{SVG}path")]) == 2  # its line and its arrow head


def test_text_is_escaped_and_control_characters_are_replaced():
    sentence = Sentence(["<script>", "&amp;\x0c"], heads=[0, 1], deprels=["root", "\"x'"])
    svg = draw_svg([sentence])
    assert "<script>" not in svg
    texts = [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert "<script>" in texts
    assert "&amp;\ufffd" in texts


def test_nothing_is_loaded_from_elsewhere():
    page = "".join(draw_html([HEARING], "title"))
    for text in (draw_svg([HEARING]), page):
        assert "href" not in text
        assert "url(" not in text
        assert "src=" not in text
        assert "prefers-color-scheme: dark" in text


def test_the_page_has_each_sentence_escaped_and_drawn():
    sentence = Sentence(["a<b"], heads=[0], comments=["# sent_id = <1>"])
    page = "".join(draw_html([HEARING, sentence], "x < y"))
    assert page.count("<svg") == page.count("</svg>") == 2
    assert "<title>x &lt; y</title>" in page
    assert "&lt;1&gt;" in page
    assert "a<b" not in page


def test_sentences_without_heads_show_their_words():
    root = ElementTree.fromstring(draw_svg([Sentence(["a", "b"])]))
    assert [element.text for element in root.iter(f"{SVG}text")] == ["a", "b"]
    assert not list(root.iter(f"{SVG}path"))


def check_layout(heads: list[int], forms: list[str], labels: list[str]) -> None:
    placed = layout(heads, forms, [""] * len(forms), labels)
    words = placed.words
    assert words[1:] == sorted(words[1:])
    assert all(0 < x < placed.width for x in words[1:])
    ends = [x for arc in placed.arcs for x in {arc.head_x, arc.dependent_x}]
    assert len({round(x, 3) for x in ends}) == len(ends), "two arcs share an end"
    for arc in placed.arcs:
        half = em_width(labels[arc.dependent - 1]) * LABEL_SIZE / 2
        if arc.head:
            assert min(arc.head_x, arc.dependent_x) <= arc.label_x - half
            assert arc.label_x + half <= max(arc.head_x, arc.dependent_x)
    for a, b in combinations([arc for arc in placed.arcs if arc.head], 2):
        (a1, a2), (b1, b2) = (sorted((arc.head_x, arc.dependent_x)) for arc in (a, b))
        if a1 < b2 and b1 < a2:  # above the same place
            assert a.level != b.level
            if a1 < b1 and b2 < a2:
                assert a.level > b.level, "an inner arc is above an outer one"
            # Arcs cross in the picture only if they cross in the tree.
            words_a, words_b = sorted((a.head, a.dependent)), sorted((b.head, b.dependent))
            if a1 < b1 < a2 < b2:
                assert words_a[0] < words_b[0] < words_a[1] < words_b[1]


def test_labels_fit_and_arcs_do_not_touch():
    rng = random.Random(2)
    for _ in range(200):
        n = rng.randint(1, 25)
        forms = [rng.choice(["a", "word", "Donaudampfschiff", "木", "…"]) for _ in range(n)]
        labels = [rng.choice(["x", "nsubj:pass", "acl:relcl", "dislocated:vocative"]) for _ in range(n)]
        check_layout(random_heads(n, rng), forms, labels)
