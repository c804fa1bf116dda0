"""Lemmas: what the treebank says of a form comes first, then what rules say of others."""

import random

import numpy as np
import pytest

from rearc.tagger.learning import train
from rearc.tagger.tagger import Tagger
from rearc.treebank import Sentence

COLUMNS = ("upos", "lemmas")
LEMMAS = {
    ("went", "VERB"): "go",
    ("walked", "VERB"): "walk",
    ("talked", "VERB"): "talk",
    ("jumped", "VERB"): "jump",
    ("trees", "NOUN"): "tree",
    ("cars", "NOUN"): "car",
    ("men", "NOUN"): "man",
    ("Berlin", "PROPN"): "Berlin",
    ("IBM", "PROPN"): "IBM",
    ("Rome", "PROPN"): "Rome",
    ("1990", "NUM"): "1990",
    ("17", "NUM"): "17",
}


def treebank() -> list[Sentence]:
    """Each noun phrase with each verb; *saw* is see behind a name and saw behind a noun."""
    sentences = []
    for (noun, upos), lemma in LEMMAS.items():
        if upos in ("NOUN", "PROPN"):
            saw = Sentence([noun, "saw"], lemmas=[lemma, "see" if upos == "PROPN" else "saw"], upos=[upos, "VERB"])
            sentences += [saw] * 3
        for (verb, tag), of_verb in LEMMAS.items():
            if tag == "VERB" and upos in ("NOUN", "PROPN", "NUM"):
                sentences.append(
                    Sentence(["the", noun, verb], lemmas=["the", lemma, of_verb], upos=["DET", upos, "VERB"])
                )
    rng = random.Random(1)
    for _ in range(60):  # words that occur once, which endings have to tell
        noun, verb = ("".join(rng.choices("bdgklmnprt", k=4)) for _ in range(2))
        sentences += [
            Sentence(["the", noun + "s", verb + "ed"], lemmas=["the", noun, verb], upos=["DET", "NOUN", "VERB"]),
            Sentence([noun.title(), "went"], lemmas=[noun.title(), "go"], upos=["PROPN", "VERB"]),
        ]
    return sentences


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return train(treebank(), columns=COLUMNS, epochs=5, runs=1)


def lemmas(tagger: Tagger, text: str) -> str:
    return " ".join(tagger.tag([Sentence(text.split())])[0].lemmas)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the trees went", "the tree go"),
        ("the trees WENT", "the tree go"),
        ("the goats barked", "the goat bark"),
        ("the men saw", "the man saw"),
        ("Berlin saw", "Berlin see"),
        ("Tokyo saw", "Tokyo see"),
        ("the 2024 walked", "the 2024 walk"),
        ("the 🌳 walked", "the 🌳 walk"),
    ],
)
def test_lemmas(tagger: Tagger, text: str, expected: str):
    assert lemmas(tagger, text) == expected


def test_rules_of_one_form_are_for_that_form(tagger: Tagger):
    """*went* and *men* alone have their rules, so no other form gets them."""
    column = tagger.header["columns"][1]
    chosen = {column["classes"][k] for group in column["groups"] for k in group}
    assert "=go" in column["classes"]
    assert "=go" not in chosen
    assert lemmas(tagger, "the hen bent") not in ("the han go", "the han bent")


def test_what_has_no_lemma_teaches_nothing():
    """_ is no lemma, unless it is the form."""
    sentences = [s.replace(lemmas=["_"] * len(s)) for s in treebank()]
    tagger = train(
        [*sentences, Sentence(["_", "a"], lemmas=["_", "a"], upos=["SYM", "DET"])], columns=COLUMNS, epochs=2
    )
    assert lemmas(tagger, "the trees walked _") == "the trees walked _"


def test_dev_is_scored_by_lemmas():
    dev = [Sentence(["the", "men", "went"], lemmas=["the", "man", "walk"], upos=["DET", "NOUN", "VERB"])]
    seen = []
    train(treebank(), dev, columns=COLUMNS, epochs=2, runs=1, report=seen.append)
    assert [epoch.accuracy for epoch in seen] == [pytest.approx(share) for share in (100, 100, 200 / 3, 200 / 3)]


@pytest.mark.parametrize("rule", ["", "x|0|0", "l|0", "l|0|0\t"])
def test_false_rules_are_refused(tagger: Tagger, rule: str):
    header = tagger.header
    header["columns"][1]["classes"][0] = rule
    with pytest.raises(ValueError, match="found"):
        Tagger.from_tensors(header, tagger.tensors())


def test_a_false_lexicon_is_refused(tagger: Tagger):
    tensors = tagger.tensors()
    classes = tensors["lemmas/lexicon/classes"]
    with pytest.raises(ValueError, match="in a lexicon, expected numbers below"):
        Tagger.from_tensors(tagger.header, {**tensors, "lemmas/lexicon/classes": np.full_like(classes, 60_000)})
    with pytest.raises(ValueError, match="found no tensor lemmas/lexicon/keys"):
        Tagger.from_tensors(tagger.header, {k: v for k, v in tensors.items() if k != "lemmas/lexicon/keys"})
