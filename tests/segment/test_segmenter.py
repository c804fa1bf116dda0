"""What comes out of a segmenter, whatever goes in."""

import io
import json
import random
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rearc.segment import Segmented, Segmenter, paragraphs, rebuild
from rearc.segment.paragraphs import line_parts
from rearc.treebank import Sentence, read, sample, write
from tests.segment.material import ODD, chinese, french, segmenter, texts

MAKERS = (segmenter, chinese, french)


def is_blank(text: str) -> bool:
    return not text.replace("\0", " ").strip()


def seen(found: list[Segmented]) -> list[tuple]:
    return [
        (s.sentence.forms, s.sentence.misc, s.sentence.comments, s.sentence.multiwords, s.ranges, s.begins_paragraph)
        for s in found
    ]


def surface(sentence: Sentence) -> list[str]:
    """The tokens as they stand in the text: multiword tokens in the place of their words."""
    spans = {k: span for span in sentence.multiwords for k in range(span.start, span.end + 1)}
    places = range(1, len(sentence) + 1)
    return [spans[k].form if k in spans else sentence[k].form for k in places if k not in spans or spans[k].start == k]


@settings(max_examples=300, deadline=None)
@given(texts)
def test_every_character_is_accounted_for(text: str):
    for make in MAKERS:
        found = make().segment(text)
        assert rebuild(s.sentence for s in found) == ("" if is_blank(text) else text)
        ranges = [place for s in found for place in s.ranges]
        assert ranges == sorted(ranges)
        for s in found:
            assert surface(s.sentence) == [" ".join(text[a:b].replace("\0", " ").split()) for a, b in s.ranges]


def test_multiword_tokens_have_one_place_and_the_spaces_around_it():
    (found,) = french().segment("\n du  roi.")
    assert found.sentence.forms == ["de", "le", "roi", "."]
    assert [(span.start, span.end, span.form, span.misc) for span in found.sentence.multiwords] == [
        (1, 2, "du", r"SpacesBefore=\n\s|SpacesAfter=\s\s")
    ]
    assert found.sentence.misc == ["_", "_", "SpaceAfter=No", "SpaceAfter=No"]
    assert found.ranges == [(2, 4), (6, 9), (9, 10)]


def test_the_text_of_a_treebank():
    text = " ".join(s.text for s in read(sample()))
    found = segmenter().segment(text)
    assert rebuild(s.sentence for s in found) == text
    assert [s.sentence.text for s in found] == [s.text for s in read(sample())]


@settings(max_examples=200, deadline=None)
@given(texts, st.lists(st.integers(1, 9), min_size=1))
def test_blocks_make_no_difference(text: str, sizes: list[int]):
    blocks, at = [], 0
    while at < len(text):
        size = sizes[len(blocks) % len(sizes)]
        blocks.append(text[at : at + size])
        at += size
    for make in MAKERS:
        assert seen(list(make().segment_blocks(blocks))) == seen(make().segment(text))


@pytest.mark.parametrize("unit", ["A dog. ", "a", "a ", "1 ", ". ", "中", "\n a", "a\n\nb. ", "a" + " " * 40, "\u0301"])
@pytest.mark.parametrize("start", ["Well. ", " " * 250], ids=["words", "spaces"])
def test_long_paragraphs_are_cut_in_one_way(start: str, unit: str, monkeypatch: pytest.MonkeyPatch):
    for module in (paragraphs, __import__("rearc.segment.segmenter", fromlist=["LIMIT"])):
        monkeypatch.setattr(module, "LIMIT", 100)
        monkeypatch.setattr(module, "BATCH", 30)
    text = start + unit * (1000 // len(unit)) + " The end."
    rng = random.Random(1)
    for make in MAKERS:
        whole = make().segment(text)
        assert rebuild(s.sentence for s in whole) == text
        assert max(s.ranges[-1][1] - s.ranges[0][0] for s in whole) <= 160
        cuts = sorted(rng.sample(range(len(text)), 30))
        blocks = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        assert seen(list(make().segment_blocks(blocks))) == seen(whole)
        assert seen(list(make().segment_blocks(text))) == seen(whole)


def test_a_paragraph_comes_out_before_the_next_is_read():
    def blocks():
        yield "A dog barks.\n\n"
        yield "The"
        raise RuntimeError("read too far")

    found = segmenter().segment_blocks(blocks())
    assert next(found).sentence.forms == ["A", "dog", "barks", "."]
    with pytest.raises(RuntimeError):
        next(found)


@pytest.mark.parametrize("line", ["\n", "\r\n", "\r", "\x85", "\u2028"])
def test_blank_lines_end_sentences_and_paragraphs(line: str):
    text = f"the dog{line}{line}the cat{line} \t{line}of the house\u2029a dog"
    found = segmenter().segment(text)
    assert [s.sentence.forms for s in found] == [["the", "dog"], ["the", "cat"], ["of", "the", "house"], ["a", "dog"]]
    assert all(s.begins_paragraph and s.sentence.comments[0] == "# newpar" for s in found)


def test_what_a_sentence_says_of_its_spaces():
    found = segmenter().segment("\n A dog\tbarks.\r\n")[0].sentence
    assert found.misc == [r"SpacesBefore=\n\s", r"SpacesAfter=\t", "SpaceAfter=No", r"SpacesAfter=\r\n"]
    assert found.comments == ["# newpar", "# text = A dog barks."]
    silent, said = (s.sentence.misc[-1] for s in segmenter().segment("A dog barks. A cat sleeps. "))
    assert (silent, said) == ("_", r"SpacesAfter=\s")  # nobody could tell what silence means at the end


def test_spaces_within_tokens():
    forms = [s.sentence.forms for s in french().segment("Il y a 1 000 chats. En 1998, 200 chats.")]
    assert forms == [["Il", "y", "a", "1 000", "chats", "."], ["En", "1998", ",", "200", "chats", "."]]
    odd = french().tokenise("Il y a 1\u00a0000 chats.").sentence
    assert (odd.forms[3], odd.misc[3]) == ("1 000", r"SpacesInToken=1\u00A0000")
    assert rebuild([odd]) == "Il y a 1\u00a0000 chats."
    assert "1 000" not in segmenter().segment("There are 1 000 dogs.")[0].sentence.forms


def test_scripts_without_spaces():
    assert [s.sentence.forms for s in chinese().segment("他的中文书。我的书？")] == [
        ["他", "的", "中文", "书", "。"],
        ["我", "的", "书", "？"],
    ]


@pytest.mark.parametrize(
    "whole",
    ["👩\u200d👩\u200d👧", "👍🏽", "🇩🇪", "e\u0301", "1\ufe0f\u20e3", "🏴\U000e0067\U000e007f", "نمی\u200cخواهم"],
)
def test_what_belongs_together_stays_together(whole: str):
    for make in MAKERS:
        for text in (whole, f"a {whole}.", whole * 3):
            cuts = {place for s in make().segment(text) for span in s.ranges for place in span}
            start = text.index(whole)
            inside = set(range(start + 1, start + len(whole)))
            if whole[0] not in "1نم":  # between letters or digits there may be a cut
                assert not cuts & inside


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\0",
        "\n\n",
        "a" * 10**6,
        "." * 10**5,
        " " * 10**6,
        "1 " * 10**5,
        "🇩" * 10**5,
        "\u0301" * 10**5,
        "\u200d" * 10**5,
        "(" * 10**5,
        "中" * 10**5,
        "\n" * 10**5 + "a",
        " " * 10**6 + "a b.",
        "\n" * 10**6 + "a " * 10**6,
        "a\n" * 10**5,
        "a\n\n" * 10**4,
    ],
    ids=lambda text: f"{text[:2]!r} {len(text)}",
)
def test_no_input_is_too_odd(text: str):
    found = segmenter().segment(text)
    assert rebuild(s.sentence for s in found) == ("" if is_blank(text) else text)


def test_one_given_sentence():
    found = segmenter().tokenise(" A dog barks. The cat\n\nsleeps!\n")
    assert found.sentence.forms == ["A", "dog", "barks", ".", "The", "cat", "sleeps", "!"]
    assert rebuild([found.sentence]) == " A dog barks. The cat\n\nsleeps!\n"
    assert found.ranges[0] == (1, 2)
    with pytest.raises(ValueError, match="white space"):
        segmenter().tokenise(" \n")


@settings(max_examples=100, deadline=None)
@given(texts)
def test_a_sentence_a_line(text: str):
    lines = text.splitlines(keepends=True)
    for make in MAKERS:
        found = list(make().segment_lines(lines))
        assert len(found) == sum(not is_blank(line) for line in lines)
        assert rebuild(s.sentence for s in found) == ("" if is_blank(text) else text)
        for s in found:
            assert surface(s.sentence) == [" ".join(text[a:b].replace("\0", " ").split()) for a, b in s.ranges]


@given(st.text(" \tab", max_size=60), st.integers(1, 20))
def test_parts_of_a_line(line: str, limit: int):
    parts = list(line_parts(line, limit))
    assert "".join(parts) == line
    assert all(len(part) <= limit for part in parts)
    for part in parts[:-1]:  # cut behind white space, unless there is none
        assert part[-1] in " \t" or (len(part) == limit and not set(part) & set(" \t"))


@pytest.mark.parametrize(
    "text", ["é" * 10**6, "🙂" * 10**6, "a " * 2**18, "🙂" * 10**6 + " a"], ids=["é", "🙂", "a", "🙂 a"]
)
def test_what_is_written_of_a_long_line_can_be_read(text: str):
    """Its columns, with a lemma as long as the form, too."""
    sentences = [s.sentence.replace(lemmas=s.sentence.forms) for s in segmenter().segment_lines([text])]
    file = io.BytesIO()
    write(sentences, file, format="conllu")
    again = list(read(io.BytesIO(file.getvalue())))
    assert again == sentences
    assert rebuild(again) == text


@pytest.mark.parametrize("call", ["segment", "tokenise"])
def test_what_is_no_text(call: str):
    for thing in (None, 7, b"a", ["a"]):
        with pytest.raises((TypeError, AttributeError)):
            getattr(segmenter(), call)(thing)


def test_saved_and_loaded():
    for make in MAKERS:
        one = make()
        header = json.loads(json.dumps(one.header))
        two = Segmenter.from_tensors(header, {name: array.copy() for name, array in one.tensors().items()})
        assert two.header == one.header
        text = "".join(random.Random(1).choices(ODD, k=2000))
        assert seen(two.segment(text)) == seen(one.segment(text))
        assert repr(two) == repr(one)


@pytest.mark.parametrize("format", ["conllu", "json"])
@settings(max_examples=100, deadline=None)
@example("A dog\n barks.  The cat can't\tsleep |\\!\n\nMore  ")
@example("A dog barks. ")
@given(texts.map(lambda text: text.encode("utf-8", "ignore").decode()).filter(lambda text: not is_blank(text)))
def test_sentences_can_be_written_and_read_again(format: str, text: str):
    for make in MAKERS:
        sentences = [s.sentence for s in make().segment(text)]
        file = io.BytesIO()
        write(sentences, file, format=format)
        again = list(read(io.BytesIO(file.getvalue()), format=format))
        assert rebuild(again) == text
        assert again == sentences
        file = io.BytesIO()
        write(again, file, format="text")
        assert file.getvalue() == text.encode()


@pytest.mark.parametrize("text", ["שלום עולם.", "مرحبا بالعالم.", "नमस्ते दुनिया.", "안녕 세상.", "გამარჯობა მსოფლიო."])
def test_words_of_scripts_it_has_not_seen_stay_whole(text: str):
    words = [form for found in segmenter().segment(text) for form in found.sentence.forms]
    assert words == [*text[:-1].split(), "."]


@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n", "\r\r", "\n \t\n", "\u2029", "\x85\u2028"])
def test_what_ends_a_paragraph_ends_a_sentence(end: str):
    """Also where several paragraphs are segmented together."""
    found = segmenter().segment(end.join(["the dog and", "the cat or", "the mouse"]))
    assert [piece.sentence.forms for piece in found] == [["the", "dog", "and"], ["the", "cat", "or"], ["the", "mouse"]]
    assert all(piece.begins_paragraph for piece in found)
    assert len(segmenter().segment("the dog and\nthe cat")) == 1


def test_every_character_of_the_texts_of_all_treebanks(treebanks: Path):
    """With other white space between the sentences than there was."""
    for file in sorted(treebanks.glob("*/dev.conllu")):
        ends = cycle([" ", "\n", "  ", "\r\n\r\n", "\t", "\u00a0 "])
        text = "".join(sentence.text + end for sentence, end in zip(read(file), ends, strict=False))
        assert rebuild(found.sentence for found in segmenter().segment(text)) == text, file
