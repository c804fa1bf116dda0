"""The compiled models say what a slow second implementation says."""

import numpy as np
import pytest
from hypothesis import given, settings

from rearc.segment import Segmenter
from rearc.segment.characters import CLASSES, class_of
from rearc.treebank import Sentence
from tests.naive.segmenting import NaiveSegmenter, kind
from tests.segment.material import ODD, chinese, french, segmenter, texts

TEXT = """Dr. J. Smith-Jones can't come (he's ill!). "Why?" asked Mary... At 10.30 a.m. they paid $5,000.50 for it :-)
See http://www.example.org/a?b=c, or mail me@home.org.  THE END

Next: e.g. this; i.e. that [1]. Wait… what?! cannot gonna He said 1 000 times."""


@pytest.mark.parametrize("make", [segmenter, chinese, french])
def test_the_twin_agrees_on_a_text(make):
    compare(make(), TEXT + " 我的中文书。他的书是中文的。中文 1 200 du chat. 🇩🇪🇫🇷🇮 👩\u200d👧 e\u0301")


WRAPPED = """It was a bright cold day, and the clocks were striking one. "He
saw (as she did) the dog" that nobody had seen before in the
long street. The cat sleeps
"""
ON_PURPOSE = """Things to buy: "a" and "b" and "the dog" sees

- milk
- a dog, which barks

The cat sees\r
the dog and the dog
sees the cat.
我的中文
书中文
"""


@pytest.mark.parametrize("make", [segmenter, chinese, french])
@pytest.mark.parametrize(
    "text", [WRAPPED, ON_PURPOSE, WRAPPED + ON_PURPOSE + WRAPPED, "中文书" * 20 + "\n" + "书。" * 9 + "\n书"]
)
def test_the_twin_agrees_on_lines(make, text):
    compare(make(), text)


@pytest.mark.parametrize("atom", ["verb", "quoted", "until", "coming", "line", "line+w-1+k0"])
def test_the_twin_agrees_on_each_atom_alone(atom):
    """Where the other features decide, a wrong value of one atom can stay unseen."""
    whole = segmenter()
    header = whole.header
    for seed, threshold in enumerate((-1.0, 0.0, 4.0, 8.0, 12.0, 14.0)):
        header["sentences"] = {"templates": f"{atom}+k-1+k0 {atom}", "threshold": threshold}
        weights = np.random.default_rng(seed).integers(-9, 10, 256).astype(np.int8)
        tensors = whole.tensors() | {"sentences/weights": weights}
        compare(Segmenter.from_tensors(header, tensors), WRAPPED + ON_PURPOSE + WRAPPED + TEXT)


PAIRS = """('CCPL' or "the 'dog'") 1) one (two (three)) 80). boys' rock'n'roll «a» „b“ -"c" “d
e” (f
g) ')' (') ''x'' (k "l
\r\n
h) "i' j" ("""


@pytest.mark.parametrize("atom", ["pair-1", "pair0", "pair-1+pair0"])
@pytest.mark.parametrize(
    "text",
    [PAIRS, PAIRS + TEXT, "(" + "a " * 140 + ') " (' + "b" * 255 + ')" (' + "c" * 256 + ")", "(\n" + " " * 300 + "\n)"],
)
def test_the_twin_agrees_on_what_closes(atom, text):
    whole = segmenter()
    header = whole.header
    for seed, threshold in enumerate((0.0, 2.0, -2.0, 4.0)):
        header["tokens"] = {"templates": f"{atom} {atom}+c0 {atom}+k-1+k0 k-1+k0", "threshold": threshold}
        weights = np.random.default_rng(seed).integers(-9, 10, 256).astype(np.int8)
        compare(Segmenter.from_tensors(header, whole.tensors() | {"tokens/weights": weights}), text)


RUNS = (
    "ab" * 11
    + "c" * 23
    + "1" * 22
    + "." * 23
    + "-" * 24
    + "!" * 25
    + "中" * 26
    + "文书" * 30
    + "a\u0301-"
    + "我的" * 12
    + ".."
)


@pytest.mark.parametrize("atoms", ["lrun rrun", "left right", "knownruns known knownmore"])
@pytest.mark.parametrize("make", [segmenter, chinese])
def test_the_twin_agrees_on_runs_of_one_class(make, atoms):
    """Of all lengths around the 24 characters that are looked at, also behind gaps that are not asked about."""
    whole = make()
    header = whole.header
    for seed, threshold in enumerate((0.0, 2.0, -2.0)):
        header["tokens"] = {"templates": f"{atoms} lrun+k0 rrun+k-1", "threshold": threshold}
        weights = np.random.default_rng(seed).integers(-9, 10, 256).astype(np.int8)
        for text in (RUNS, RUNS[::-1]):
            compare(Segmenter.from_tensors(header, whole.tensors() | {"tokens/weights": weights}), text)


@pytest.mark.parametrize("atoms", ["ends begins over", "endword", "beginword", "over+k0 ends+begins"])
def test_the_twin_agrees_on_known_words(atoms):
    """Of one to nine characters; up to eight are looked for."""
    rng = np.random.default_rng(1)
    text = "".join("一二三"[k] for k in rng.integers(3, size=150))
    words = [text[k : k + size] for size in range(1, 10) for k in range(0, 140, 3 * size)]
    whole = Segmenter.train([Sentence(words)])
    header = whole.header
    for seed, threshold in enumerate((0.0, 1.0, -1.0, 3.0, -3.0)):
        header["tokens"] = {"templates": atoms, "threshold": threshold}
        weights = np.random.default_rng(seed).integers(-9, 10, 256).astype(np.int8)
        compare(Segmenter.from_tensors(header, whole.tensors() | {"tokens/weights": weights}), text + "1文x" + text)


ADDRESSES = """Www.a.b www. www xwww.a 1www.b (www.c.d, http://e.f/g?h:i) j://k.l@m
n@o.p @q r:@s é@t ("u@v")w@x ftp:/y :// ://
1@2.3 www.www.z@a 书@b 书www.c @@d e@@f"""


@pytest.mark.parametrize("threshold", [0.0, 2.0, -2.0, 4.0])
@pytest.mark.parametrize("make", [segmenter, chinese])
def test_the_twin_agrees_on_addresses(make, threshold):
    whole = make()
    templates = {"templates": "address address+c0 address+k-1+k0 k-1+k0", "threshold": threshold}
    weights = np.random.default_rng(int(threshold) + 5).integers(-9, 10, 256).astype(np.int8)
    tensors = whole.tensors() | {"tokens/weights": weights}
    compare(Segmenter.from_tensors(whole.header | {"tokens": templates}, tensors), ADDRESSES + TEXT)


@settings(max_examples=150, deadline=None)
@given(texts)
def test_the_twin_agrees_on_any_text(text: str):
    for make in (segmenter, chinese, french):
        compare(make(), text)


def compare(compiled: Segmenter, text: str) -> None:
    naive = NaiveSegmenter(compiled.header, compiled.tensors())
    assert [found.ranges for found in compiled.segment(text)] == naive.sentences(text)


def test_all_classes_of_characters():
    codes = [*range(0x3100), *range(0xD7F0, 0x10FFFF, 97), *map(ord, ODD)]
    assert [c for c in map(chr, codes) if class_of(c) != kind(c)] == []
    assert {class_of(chr(code)) for code in codes} == set(CLASSES) - {"outside"}
