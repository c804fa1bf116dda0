"""Splitters: which tokens they split, and that what is loaded is checked."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rearc.segment.multiwords import Splitter, tokens_of
from rearc.treebank import Multiword, Sentence, read

STEMS = ["dar", "parla", "vede", "senti", "mangia", "porta", "legge", "apri", "scrive", "pensa"]


def sentence(tokens: list[tuple[str, ...]]) -> Sentence:
    """Each token and, if there are several, its words."""
    words, multiwords = [], []
    for token, *parts in tokens:
        if parts:
            multiwords.append(Multiword(len(words) + 1, len(words) + len(parts), token))
        words += parts or [token]
    return Sentence(words, multiwords=multiwords)


def treebank(count: int, seed: int) -> list[Sentence]:
    """*du* is two words before a noun in -en, else one; verbs may have the clitics *lo* and *glielo*."""
    rng = random.Random(seed)
    sentences = []
    for _ in range(count):
        stem = "".join(rng.choices(["ba", "ko", "mi", "tu"], k=3))
        noun = rng.choice([("du", "de", "le"), ("Du", "De", "le")]), (stem + "en",)
        other = rng.choice([("du",), ("Du",)]), (stem + "ig",)
        verb = rng.choice(STEMS) + rng.choice(["", "r", "ndo"])
        verbs = rng.choice([(verb,), (verb + "lo", verb, "lo"), (verb + "glielo", verb, "gli", "e", "lo")])
        sentences.append(sentence([*rng.choice([noun, other]), verbs, (".",)]))
    return sentences


@pytest.fixture(scope="module")
def splitter() -> Splitter:
    made = Splitter.train(treebank(300, seed=1))
    assert made is not None
    return made


def test_tokens_of_a_sentence():
    tokens = [("du", "de", "le"), ("vin",), ("x", "a", "b", "c")]
    assert list(tokens_of(sentence(tokens))) == [("du", ("de", "le")), ("vin", ("vin",)), ("x", ("a", "b", "c"))]


def test_context_endings_and_case(splitter: Splitter):
    gold = [list(tokens_of(s)) for s in treebank(100, seed=2)]
    found = splitter.split([[token for token, _ in tokens] for tokens in gold])
    assert [[list(words) for _, words in tokens] for tokens in gold] == found
    assert splitter.split([["DU", "kokoen", "trovandolo", "."]]) == [
        [["DE", "LE"], ["kokoen"], ["trovando", "lo"], ["."]]
    ]
    assert splitter.split([["prendereglielo"]]) == [[["prendere", "gli", "e", "lo"]]]


def test_without_multiword_tokens_there_is_no_splitter():
    assert Splitter.train([Sentence(["a", "b"])]) is None
    assert Splitter.train([]) is None


def test_nothing_to_split(splitter: Splitter):
    assert splitter.split([]) == []
    assert splitter.split([[], ["a"]]) == [[], [["a"]]]


tokens = st.text(min_size=1, max_size=12)


@settings(max_examples=100, deadline=None)
@given(sentences=st.lists(st.lists(tokens, min_size=1, max_size=6), max_size=3))
def test_any_unicode(sentences: list[list[str]], splitter: Splitter):
    found = splitter.split(sentences)
    assert [len(s) for s in found] == [len(s) for s in sentences]
    assert all(words and all(words) for s in found for words in s)
    for one, alone in zip(found, sentences, strict=True):
        assert splitter.split([alone]) == [one]


def dump(splitter: Splitter) -> bytes:
    arrays = splitter.tensors()
    return json.dumps(splitter.header).encode() + b"".join(arrays[name].tobytes() for name in sorted(arrays))


def test_the_same_seed_gives_the_same_bytes():
    one, two, other = (Splitter.train(treebank(40, seed=3), seed=seed) for seed in (1, 1, 2))
    assert one is not None
    assert two is not None
    assert other is not None
    assert dump(one) == dump(two) != dump(other)


def test_a_splitter_is_the_same_after_json(splitter: Splitter):
    again = Splitter.from_tensors(json.loads(json.dumps(splitter.header)), splitter.tensors())
    assert dump(again) == dump(splitter)
    sentences = [[token for token, _ in tokens_of(s)] for s in treebank(30, seed=4)]
    assert again.split(sentences) == splitter.split(sentences)


def headers(header: dict) -> Iterator[object]:
    yield from (None, [], {}, 7, "rules")
    for key in header.keys() - {"marks"}:  # which older models do not have, and tests/parser/test_marks.py tries
        yield {k: v for k, v in header.items() if k != key}
        for other in (
            None,
            7,
            [],
            {},
            "",
            ["\t"],
            ["f|a\tb", "f|>~>"],
            ["f|>~>"] * 2,
            ["nonsense", "f|>~>"],
            "w:9",
            "u",
        ):
            yield {**header, key: other}
    yield {**header, "more": 1}
    yield {**header, "rules": header["rules"][:-1]}


def test_false_headers_are_refused(splitter: Splitter):
    for header in headers(splitter.header):
        with pytest.raises(ValueError, match=r"found|rows"):
            Splitter.from_tensors(header, splitter.tensors())


def test_false_tensors_are_refused_or_harmless(splitter: Splitter):
    arrays = splitter.tensors()
    accepted = 0
    for name, array in arrays.items():
        others = [None, array[:-1], array.astype(np.float32), array.reshape(1, -1), np.concatenate([array, array])]
        others += [array + 1, np.full_like(array, np.iinfo(array.dtype).max)]
        for other in others:
            changed = {key: value for key, value in arrays.items() if key != name}
            if other is not None:
                changed[name] = other
            try:
                strange = Splitter.from_tensors(splitter.header, changed)
            except ValueError:
                continue
            accepted += 1
            strange.split([["du", "kobaen", "dandolo", "."]])
    assert accepted < 2 * len(arrays)


def test_what_is_shown_cannot_be_changed(splitter: Splitter):
    before = dump(splitter)
    for array in splitter.tensors().values():
        array[...] = 0
    assert dump(splitter) == before


def test_on_a_real_treebank(treebanks: Path):
    sentences, dev = (list(read(treebanks / "it_partut" / f"{part}.conllu")) for part in ("train", "dev"))
    splitter = Splitter.train(sentences)
    assert splitter is not None
    gold = [list(tokens_of(s)) for s in dev]
    found = splitter.split([[token for token, _ in tokens] for tokens in gold])
    several = [
        (list(words), split) for s, f in zip(gold, found, strict=True) for (_, words), split in zip(s, f, strict=True)
    ]
    assert sum(words == split for words, split in several if len(words) > 1) > 0.95 * sum(
        len(w) > 1 for w, _ in several
    )
    assert sum(words != split for words, split in several if len(words) == 1) < 0.002 * len(several)
