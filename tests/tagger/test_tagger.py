"""Taggers: what they learn, and that nothing but the words decides what they say."""

import hashlib
import json
import os
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rearc.tagger.learning import jackknife, train, train_beside_parser
from rearc.tagger.tagger import Tagger
from rearc.treebank import Sentence, batches, read
from tests.tagger.language import treebank

ALL = ("upos", "xpos", "feats", "lemmas")
SEEN = {(w.upos, tag) for s in treebank(150, seed=1) for w in s for tag in (w.xpos, w.feats)}


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger.train(treebank(150, seed=1), columns=ALL, epochs=5, runs=2)


def bare(sentences: list[Sentence]) -> list[Sentence]:
    return [Sentence(s.forms) for s in sentences]


def accuracy(tagged: list[Sentence], gold: list[Sentence], column: str) -> float:
    found, right = ([tag for s in sentences for tag in getattr(s, column)] for sentences in (tagged, gold))
    return sum(a == b for a, b in zip(found, right, strict=True)) / len(right)


def digest(tagger: Tagger) -> str:
    tensors = tagger.tensors()
    data = json.dumps(tagger.header).encode() + b"".join(
        name.encode() + tensors[name].tobytes() for name in sorted(tensors)
    )
    return hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("column", ALL)
def test_learns_a_language(tagger: Tagger, column: str):
    gold = treebank(100, seed=2)
    assert accuracy(tagger.tag(bare(gold)), gold, column) > 0.99


def test_words_never_seen_are_tagged_by_ending_and_place(tagger: Tagger):
    (tagged,) = tagger.tag([Sentence(["zo", "ŝafgwrpens", "zo", "xyzzyig", "qqen", "."])])
    assert tagged.upos == ["DET", "NOUN", "DET", "ADJ", "NOUN", "PUNCT"]
    assert tagged.feats[1] == "Number=Plur"


def test_rare_words_keep_the_tags_they_had():
    """A word whose ending says NOUN, and that was something else the one time that the treebank has it."""
    odd = Sentence(["zo", "quxen", "."], lemmas=["zo", "quxen", "."], upos=["DET", "INTJ", "PUNCT"])
    trained = [*treebank(150, seed=1), odd]
    found = Tagger.train(trained, epochs=5, runs=2)
    assert found.tag(bare([odd]))[0].upos == odd.upos
    rare = [form for form, count in Counter(form for s in trained for form in s.forms).items() if count < 3]
    assert len(found.tensors()["upos/lexicon/keys"]) == len(rare) > 50
    against = odd.replace(upos=["DET", "NOUN", "PUNCT"])  # dev is tagged better without
    without = Tagger.train(trained, [against] * 5, epochs=5, runs=2)
    assert "lexicon" in found.header["columns"][0]
    assert "lexicon" not in without.header["columns"][0]
    assert without.tag(bare([odd]))[0].upos == against.upos


def test_all_else_is_kept(tagger: Tagger):
    sentence = Sentence(
        ["zo", "baen"], lemmas=["ZO", "b"], xpos=["x", "_"], heads=[2, 0], deprels=["det", "root"], misc=["m", "_"],
        comments=["# sent_id = 1"], multiwords=[(1, 2, "zobaen", *"________")],
    )  # fmt: skip
    only_upos = Tagger.train(treebank(50, seed=1), epochs=2, runs=1)
    assert only_upos.tag([sentence]) == [sentence.replace(upos=["DET", "NOUN"])]
    assert tagger.tag([sentence]) == [
        sentence.replace(upos=["DET", "NOUN"], xpos=["DT", "NN"], feats=["_", "Number=Sing"], lemmas=["zo", "baen"])
    ]


def test_the_same_seed_gives_the_same_bytes():
    sentences = treebank(40, seed=5)
    options = {"columns": ALL, "epochs": 2, "runs": 2}
    assert digest(train(sentences, **options)) == digest(train(sentences, **options))
    assert digest(train(sentences, **options)) != digest(train(sentences, **options, seed=2))


def test_the_order_of_sets_decides_nothing():
    program = (
        "from tests.tagger.test_tagger import *\n"
        "print(digest(train(treebank(40, 5), treebank(9, 6), columns=ALL, epochs=2, runs=2)))"
    )
    results = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(results) == 1


# jackknifing ---------------------------------------------------------------------------------------------------------


def test_jackknifing_never_sees_its_own_fold():
    """Each sentence has a tag of its own: nobody but who has seen the sentence can know it."""
    sentences = [
        s.replace(upos=[f"X{k}", *s.upos[1:]], misc=[f"m{k}"] * len(s)) for k, s in enumerate(treebank(9, seed=4))
    ]
    for folds in (2, 4, 9):
        tagged = jackknife(sentences, folds, ALL)
        assert [s.misc for s in tagged] == [s.misc for s in sentences]
        bounds = [9 * k // folds for k in range(folds + 1)]
        for start, stop in pairwise(bounds):
            own = {f"X{k}" for k in range(start, stop)}
            assert not own & {tag for s in tagged[start:stop] for tag in s.upos}
    assert accuracy(jackknife(treebank(100, seed=4), 5), treebank(100, seed=4), "upos") > 0.98


@pytest.mark.parametrize("folds", [-1, 1, 4])
def test_folds_that_cannot_be(folds: int):
    with pytest.raises(ValueError, match=f"found {folds} folds, expected from 2 to 3"):
        jackknife(treebank(3, seed=1), folds)


def test_beside_a_parser_train_and_dev_look_as_they_will_in_use():
    sentences, dev = treebank(30, seed=1), treebank(10, seed=2)
    tagger, seen, seen_dev = train_beside_parser(sentences, dev, ALL, epochs=2)
    assert seen == sentences
    assert seen_dev == tagger.tag(dev)
    _, seen, nothing = train_beside_parser(sentences, columns=ALL, epochs=2, folds=3)
    assert seen == jackknife(sentences, 3, ALL)
    assert nothing is None


# whatever the input --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunk", [1, 7, 100])
def test_chunks_change_nothing(chunk: int, tagger: Tagger, monkeypatch: pytest.MonkeyPatch):
    sentences = bare(treebank(60, seed=7))
    expected = [tagger.tag([sentence])[0] for sentence in sentences]
    assert tagger.tag(sentences) == expected
    monkeypatch.setattr(batches, "WORDS", chunk)
    assert list(tagger.tag_many(sentences)) == expected


def test_nothing_to_tag(tagger: Tagger):
    assert list(tagger.tag_many([])) == tagger.tag([]) == []


def test_reading_ahead_is_bounded_and_errors_come_in_their_place(tagger: Tagger):
    read_so_far = 0

    def endless() -> Iterator[Sentence]:
        nonlocal read_so_far
        while read_so_far < 2_000:
            read_so_far += 1
            yield Sentence(["zo"] * 50)
        raise OSError("gone")

    tagged = tagger.tag_many(endless())
    next(tagged)
    assert read_so_far == -(-batches.WORDS // 50)
    for _ in range(1_999):
        next(tagged)
    with pytest.raises(OSError, match="gone"):
        next(tagged)


words = st.text(st.characters(exclude_characters="\t\n\r\0"), min_size=1, max_size=12)


@settings(max_examples=200, deadline=None)
@given(sentences=st.lists(st.lists(words, min_size=1, max_size=8), max_size=4))
def test_any_unicode(sentences: list[list[str]], tagger: Tagger):
    tagged = tagger.tag([Sentence(forms) for forms in sentences])
    assert [s.forms for s in tagged] == sentences
    for sentence in tagged:
        for word in sentence:
            assert (word.upos, word.xpos) in SEEN
            assert (word.upos, word.feats) in SEEN


@pytest.mark.parametrize("form", ["\ud800", "ᾼ", "İ", "ǅ", "١٢٣", "𝟙", "e\u0301", "ﷺ", "_", "-", "a" * 100_000])
def test_odd_words(form: str, tagger: Tagger):
    (tagged,) = tagger.tag([Sentence([form, form])])
    assert "_" not in tagged.upos


def test_a_hundred_thousand_words(tagger: Tagger):
    sentence = treebank(1, seed=1)[0]
    times = 100_000 // len(sentence)
    (tagged,) = tagger.tag([Sentence(sentence.forms * times)])
    assert tagged.upos[-len(sentence) :] == sentence.upos


def test_eight_threads_on_one_tagger(tagger: Tagger):
    sentences = bare(treebank(200, seed=8))
    expected = tagger.tag(sentences)
    results: list[list[Sentence] | None] = [None] * 8

    def call(k: int) -> None:
        results[k] = list(tagger.tag_many(sentences[k:] + sentences[:k]))

    threads = [threading.Thread(target=call, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected[k:] + expected[:k] for k in range(8)]


# clusters ------------------------------------------------------------------------------------------------------------


def test_clusters_tell_of_words_never_seen():
    rng = random.Random(1)
    clusters, sentences = {"zzz": "0010110", "yyy": "1"}, []
    for _ in range(200):  # letters say nothing
        form = "".join(rng.choices("aiueoptk", k=5))
        clusters[form] = rng.choice(["0010110", "1"])
        sentences.append(Sentence(["a", form], upos=["X", "VERB" if clusters[form] == "1" else "NOUN"]))
    tagger = train(sentences, clusters=clusters, epochs=3)
    new = [Sentence(["a", "zzz"]), Sentence(["a", "yyy"])]
    assert [s.upos[1] for s in tagger.tag(new)] == ["NOUN", "VERB"]
    assert "c6" in tagger.header["columns"][0]["templates"].split()
    again = Tagger.from_tensors(tagger.header, tagger.tensors(), clusters)
    assert again.tag(new) == tagger.tag(new)
    with pytest.raises(ValueError, match="found clusters in the tagger and not in the model"):
        Tagger.from_tensors(tagger.header, tagger.tensors())


# what cannot be learnt -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentences", "options", "found"),
    [
        ([], {}, "found no sentences"),
        (treebank(2, 1), {"columns": ["feats"]}, "found the columns feats, expected upos"),
        (treebank(2, 1), {"columns": ["upos", "deprels"]}, "found the columns upos, deprels"),
        ([s.replace(lemmas=None) for s in treebank(2, 1)], {"columns": ALL}, "found no LEMMAS, expected some"),
        (bare(treebank(2, 1)), {}, "found no UPOS, expected some for a tagger to learn from"),
        (treebank(2, 1), {"epochs": 0}, "found 0 epochs and 5 runs, expected at least 1"),
        (
            [Sentence(["a"] * 2000, upos=[f"{k}|{-k}" for k in range(2000)])],
            {},
            "found more than 1,024 different parts",
        ),
    ],
    ids=["nothing", "no-upos", "deprels", "no-lemmas", "bare", "epochs", "tags"],
)
def test_what_cannot_be_learnt(sentences: list[Sentence], options: dict, found: str):
    with pytest.raises(ValueError, match=found):
        train(sentences, **options)


def test_positional_tags_are_learnt_by_letter():
    """More than a hundred tags, of which some are never seen with their ending as often as their letters are."""
    rng = np.random.default_rng(1)
    sentences = []
    for _ in range(600):
        tags = ["".join(rng.choice(list("abcdef"), 3)) for _ in range(4)]
        sentences.append(Sentence([f"{t[0] * 2}x{t[1] * 2}y{t[2] * 2}" for t in tags], upos=["X"] * 4, xpos=tags))
    tagger = train(sentences[:500], columns=("upos", "xpos"), epochs=3, runs=1)
    assert len(tagger.header["columns"][1]["classes"]) > 200
    assert accuracy(tagger.tag(sentences[500:]), sentences[500:], "xpos") > 0.99


# in and out ----------------------------------------------------------------------------------------------------------


def test_a_tagger_is_the_same_after_json(tagger: Tagger):
    again = Tagger.from_tensors(json.loads(json.dumps(tagger.header)), tagger.tensors())
    assert digest(again) == digest(tagger)
    sentences = bare(treebank(20, seed=9))
    assert again.tag(sentences) == tagger.tag(sentences)


def damaged_headers(header: dict) -> Iterator[object]:
    """Every value of the header replaced by values that it must not have; every key gone; keys added."""

    def changed(value: object) -> Iterator[object]:
        yield from (None, -1, 10**9, 1.5, [], {}, "", "\t", "w:9", "u:1", [[]], [-1], [10**9])
        if isinstance(value, dict):
            for key in value:
                yield {k: v for k, v in value.items() if k != key}
                for other in changed(value[key]):
                    yield {**value, key: other}
        elif isinstance(value, list) and value:
            yield [*value, value[0]]
            yield value[:-1]
            for other in changed(value[0]):
                yield [other, *value[1:]]

    text = json.dumps(header)
    return (other for other in changed(json.loads(text)) if json.dumps(other) != text)


def test_damaged_headers_are_refused_or_harmless(tagger: Tagger):
    """Whatever is accepted must be able to tag; most is refused."""
    tensors = tagger.tensors()
    accepted = 0
    total = 0
    for header in damaged_headers(tagger.header):
        total += 1
        try:
            strange = Tagger.from_tensors(header, tensors)
        except ValueError:
            continue
        accepted += 1
        strange.tag([Sentence(["zo", "baen", "?"])])
    assert total > 150
    assert accepted < total / 5


def test_damaged_tensors_are_refused_or_harmless(tagger: Tagger):
    header, tensors = tagger.header, tagger.tensors()
    accepted = 0
    for name, array in tensors.items():
        others = [
            None,
            array[:-1],
            array[:0],
            array.astype(np.float32),
            array.reshape(1, -1),
            np.concatenate([array, array]),
        ]
        others += [array + 1, array[::-1].copy(), np.full_like(array, np.iinfo(array.dtype).max)]
        for other in others:
            changed = {key: value for key, value in tensors.items() if key != name}
            if other is not None:
                changed[name] = other
            try:
                strange = Tagger.from_tensors(header, changed)
            except ValueError:
                continue
            accepted += 1
            strange.tag([Sentence(["zo", "baen", "?"])])
    assert accepted < 5 * len(tensors)


def test_on_a_real_treebank(treebanks: Path):
    folder = treebanks / "sl_sst"
    sentences, dev = list(read(folder / "train.conllu")), list(read(folder / "dev.conllu"))
    tagger = train(sentences, dev, ALL, epochs=3, runs=1)
    tagged = tagger.tag(bare(dev))
    assert accuracy(tagged, dev, "upos") > 0.86
    assert accuracy(tagged, dev, "feats") > 0.75
    assert accuracy(tagged, dev, "xpos") > 0.74
