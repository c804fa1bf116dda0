"""The metrics of CoNLL 2018, beside udtools, which carries on the official script."""

import io
import random
import sys
import unicodedata

import pytest
from udtools import udeval

from rearc.evaluation import EvaluationError, conll18
from rearc.evaluation.conll18 import CONTENT, FUNCTIONAL, UNIVERSAL_FEATURES
from rearc.evaluation.segmentation import ZS
from rearc.treebank import Sentence, read
from tests.conftest import find_treebanks
from tests.evaluation.samples import LABELS, TAGS, Token, Word, conllu, random_sentence, sentence, spoil

METRICS = [
    *("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"),
    *("UAS", "LAS", "CLAS", "MLAS", "BLEX"),
]
KINDS = ["heads", "labels", "tokenisation"]
# Those of UD whose sentences all have a single root.
TREEBANKS = [
    *("el_gdt", "en_ewt", "eu_bdt", "hu_szeged", "it_partut", "nl_lassysmall"),
    *("pt_bosque", "sl_sst", "tr_imst", "zh_gsd"),
]


def assert_as_official(ours, gold: str, predicted: str):
    official = udeval.evaluate(
        udeval.load_conllu(io.StringIO(gold), "gold", {}),
        udeval.load_conllu(io.StringIO(predicted), "predicted", {}),
    )
    assert list(ours) == METRICS
    for name, metric in ours.items():
        theirs = official[name]
        assert (metric.correct, metric.gold, metric.system, metric.aligned) == (
            theirs.correct,
            theirs.gold_total,
            theirs.system_total,
            theirs.aligned_total,
        ), name
        assert metric.precision == 100 * theirs.precision
        assert metric.recall == 100 * theirs.recall
        assert metric.f1 == 100 * theirs.f1
        if theirs.aligned_accuracy is None:
            assert metric.aligned_accuracy is None
        else:
            assert metric.aligned_accuracy == 100 * theirs.aligned_accuracy


def first_sentences(path, count: int) -> str:
    blocks = path.read_text(encoding="utf-8").split("\n\n")[:count]
    return "".join(block + "\n\n" for block in blocks)


@pytest.mark.parametrize("treebank", TREEBANKS)
@pytest.mark.parametrize("kind", KINDS)
def test_treebanks(treebank, kind, tmp_path):
    gold = tmp_path / "gold.conllu"
    gold.write_text(first_sentences(find_treebanks() / treebank / "test.conllu", 60), encoding="utf-8")
    predicted = tmp_path / "predicted.conllu"
    predicted.write_text(conllu(spoil(list(read(gold)), kind, seed=1)), encoding="utf-8")
    ours = conll18(gold, predicted)
    assert_as_official(ours, gold.read_text(encoding="utf-8"), predicted.read_text(encoding="utf-8"))
    # that the output was spoilt at all
    assert ours["LAS"].f1 < 95
    assert (ours["Words"].f1 < 100) == (ours["Sentences"].f1 < 100) == (kind == "tokenisation")


@pytest.mark.parametrize("kind", KINDS)
def test_random_sentences(kind):
    for seed in range(100):
        rng = random.Random(seed)
        gold = [random_sentence(rng) for _ in range(4)]
        predicted = spoil(gold, kind, seed, share=rng.choice([0.1, 0.3, 0.7]))
        assert_as_official(conll18(gold, predicted), conllu(gold), conllu(predicted))


def random_analysis(text: str, rng: random.Random) -> list[Sentence]:
    """Any sentences, tokens, multiword tokens and trees over a text."""
    made, begin = [], 0
    while begin < len(text):
        end = min(len(text), begin + rng.randint(1, 5))
        form, begin = text[begin:end], end
        if rng.random() < 0.35:
            inside = [form[rng.randrange(len(form)) :], rng.choice(text), form[: rng.randint(1, len(form))]]
            made.append(Token(form, [Word(piece) for piece in inside[: rng.randint(1, 3)]]))
        else:
            made.append(Token(form, [Word(form)]))
    sentences = []
    while made:
        size = rng.randint(1, len(made))
        words = [word for token in made[:size] for word in token.words]
        order = rng.sample(words, len(words))
        for k, word in enumerate(order):
            word.head = rng.choice(order[:k]) if k else None
            word.fields = {"deprels": rng.choice(LABELS), "upos": rng.choice(TAGS)}
        sentences.append(sentence(made[:size]))
        made = made[size:]
    return sentences


def test_any_two_analyses_of_a_text():
    for seed in range(1500):
        rng = random.Random(seed)
        text = "".join(rng.choices("abAB", k=rng.randint(1, 30)))
        gold, predicted = random_analysis(text, rng), random_analysis(text, rng)
        assert_as_official(conll18(gold, predicted), conllu(gold), conllu(predicted))


def test_by_hand():
    # The contraction of "a o" and a sentence boundary that is missed.
    gold = [
        Sentence(
            ["vamos", "a", "o", "mar"],
            heads=[0, 4, 4, 1],
            deprels=["root", "case", "det", "obl"],
            multiwords=[(2, 3, "ao")],
        ),
        Sentence(["sim"], heads=[0], deprels=["root"]),
    ]
    predicted = [
        Sentence(
            ["vamos", "ao", "mar", "sim"],
            heads=[0, 3, 1, 1],
            deprels=["root", "case", "obl:loc", "discourse"],
        )
    ]
    scores = conll18(gold, predicted)
    assert scores["Tokens"].f1 == 100
    assert scores["Sentences"].f1 == 0
    assert (scores["Words"].correct, scores["Words"].gold, scores["Words"].system) == (3, 5, 4)
    assert scores["LAS"].recall == 40
    assert scores["LAS"].precision == 50
    assert scores["CLAS"].correct == 2
    assert scores["MLAS"].correct == 1  # "mar" has other function words
    assert scores["LAS"].aligned_accuracy == 100 * (2 / 3)


def test_words_outside_the_region_that_the_official_script_takes_in():
    # By the definition the system's "c" is not in the span of the multiword token "fghi", which has a word "c".
    gold = [Sentence(["abcde", "c", "x"], heads=[0, 1, 1], multiwords=[(2, 3, "fghi")])]
    predicted = [Sentence(["ab", "c", "def", "ghi"], heads=[0, 1, 1, 1])]
    scores = conll18(gold, predicted)
    assert scores["Words"].correct == 1
    assert_as_official(scores, conllu(gold), conllu(predicted))


def test_empty_nodes_are_ignored(tmp_path):
    plain = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
    lines = plain.split("\n")
    with_empty = "\n".join([lines[0], "1.1\tghost\t_\tX\t_\t_\t_\t_\t1:dep\t_", *lines[1:]])
    (tmp_path / "gold.conllu").write_text(with_empty)
    (tmp_path / "predicted.conllu").write_text(plain)
    scores = conll18(tmp_path / "gold.conllu", tmp_path / "predicted.conllu")
    assert_as_official(scores, with_empty, plain)
    assert all(metric.f1 == 100 for metric in scores.values())


def test_constants_are_the_official_ones():
    assert CONTENT == udeval.CONTENT_DEPRELS
    assert FUNCTIONAL == udeval.FUNCTIONAL_DEPRELS
    assert UNIVERSAL_FEATURES == udeval.UNIVERSAL_FEATURES


def test_zs_is_what_unicode_says():
    assert set(ZS) == {c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) == "Zs"}


GOOD = Sentence(["a", "b"], heads=[0, 1], deprels=["root", "dep"])


@pytest.mark.parametrize(
    ("bad", "found", "word"),
    [
        (GOOD.replace(heads=[0, 0]), "2 roots", 0),
        (GOOD.replace(forms=["a", " "]), "spaces", 2),
        (GOOD.replace(forms=["a", "c"]), "'c', expected 'b'", 0),
        (GOOD.replace(forms=["a", "bc"]), "'c', expected the end of the text", 0),
        (GOOD.replace(forms=["ax", "b"]), "'xb', expected 'b'", 0),
    ],
)
def test_what_the_official_script_refuses_is_refused(bad, found, word):
    with pytest.raises(EvaluationError) as caught:
        conll18([GOOD, GOOD], [GOOD, bad])
    assert found in str(caught.value)
    assert (caught.value.file, caught.value.sentence, caught.value.word) == ("predicted", 2, word)
    with pytest.raises(udeval.UDError):
        assert_as_official({}, conllu([GOOD, GOOD]), conllu([GOOD, bad]))


def test_a_text_that_ends_early():
    with pytest.raises(EvaluationError, match="sentence 1: found the end of the text, expected 'b'"):
        conll18([GOOD], [Sentence(["a"], heads=[0], deprels=["root"])])


def test_no_heads_and_no_sentences():
    with pytest.raises(EvaluationError, match="sentence 1: found no heads, expected a tree"):
        conll18([Sentence(["a"])], [GOOD])
    with pytest.raises(EvaluationError, match="predicted: found no sentences"):
        conll18([GOOD], [])


def test_as_dict():
    las = conll18([GOOD], [GOOD]).as_dict()["LAS"]
    assert las == {
        "precision": 100,
        "recall": 100,
        "f1": 100,
        "aligned_accuracy": 100,
        "correct": 2,
        "gold": 2,
        "system": 2,
        "aligned": 2,
    }
