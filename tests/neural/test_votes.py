"""A second tagger beside that of a network: what its votes do, against plain Python; files; how much it counts."""

import json
import pickle
import random
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rearc
from rearc.evaluation import evaluate
from rearc.neural.shape import COLUMNS
from rearc.neural.votes import SUREST, Count, Votes
from rearc.parser import ModelError, Parser, load
from rearc.parser.container import read_container, write_container
from rearc.tagger import Tagger, train
from rearc.training.votes import OTHERWISE, WEIGHTS, with_votes
from rearc.training.watcher import Watcher
from rearc.treebank import Sentence
from tests.neural.networks import TINY, random_network

VOTES = "votes/header.json"


@pytest.fixture(scope="module")
def tagger(sentences: list[Sentence]) -> Tagger:
    return train(sentences, columns=COLUMNS, epochs=1, runs=1)


def naive_best(own: list[str], scores: list[float], vote: str, gain: float) -> str:
    """The network's best with the vote added to it; a vote for what it does not know has to beat its lead."""
    if vote in own:
        total = [score + gain * (name == vote) for name, score in zip(own, scores, strict=True)]
        return own[total.index(max(total))]
    first, *others = sorted(scores, reverse=True)
    beaten = bool(others) and gain > first - others[0]
    return vote if beaten else own[scores.index(first)]


def test_counting_votes_against_plain_python():
    rng = random.Random(5)
    for _ in range(300):
        own = rng.sample("abcdef", rng.randint(1, 6))
        classes = rng.sample("abcdefgh", rng.randint(1, 8))
        words = rng.randint(1, 9)
        scores = [[rng.randint(-8, 8) / 4 for _ in own] for _ in range(words)]  # whose sums are exact
        votes = [rng.randrange(len(classes)) for _ in range(words)]
        gains = [rng.randint(0, 12) / 4 for _ in range(words)]
        count = Count(own, classes)
        best = count.best(np.array(scores, "f"), np.array(votes, np.int32), np.array(gains, "f"))
        wanted = [naive_best(own, row, classes[v], gain) for row, v, gain in zip(scores, votes, gains, strict=True)]
        assert [count.names[k] for k in best] == wanted


def test_what_a_vote_gains(tagger: Tagger, sentences: list[Sentence]):
    """In each column the weight times the logarithm of the margin, up to that which is as good as certain."""
    weights = {"upos": 2.0, "xpos": 0.0, "feats": 0.5}
    votes = Votes(tagger, weights).cast([s.forms for s in sentences])
    assert votes.keys() == {"upos", "feats"}  # what counts nothing need not be counted
    tagged, margins = tagger.tag_with_margins(sentences)
    for column, (classes, gains) in votes.items():
        names = tagger.classes(column)
        assert [names[k] for k in classes] == [tag for s in tagged for tag in getattr(s, column)]
        wanted = [weights[column] * np.log(1 + min(margin, SUREST)) for margin in margins[column].tolist()]
        assert gains == pytest.approx(wanted, rel=1e-5)
        assert gains.max() <= weights[column] * np.log(1 + SUREST) * 1.00001


@pytest.mark.parametrize("system", ["arc-hybrid", "nl-covington"])
def test_from_no_say_to_the_only_one(system: str, tagger: Tagger, sentences: list[Sentence]):
    network, *_ = random_network(system, True, TINY, sentences)
    alone = network.tag(sentences)
    of_tagger = {c: [tag for s in tagger.tag(sentences) for tag in getattr(s, c)] for c in COLUMNS}
    network.vote_with(Votes(tagger, dict.fromkeys(COLUMNS, 0.0)))
    assert network.tag(sentences) == alone
    network.vote_with(Votes(tagger, {"upos": 1e6}))
    assert network.tag(sentences) == alone | {"upos": of_tagger["upos"]}
    network.vote_with(Votes(tagger, dict.fromkeys(COLUMNS, 1e6)))
    sure = {c: margins > 0 for c, margins in tagger.tag_with_margins(sentences)[1].items()}
    found = network.tag(sentences)
    for column in COLUMNS:
        assert sure[column].mean() > 0.9
        same = np.array([a == b for a, b in zip(found[column], of_tagger[column], strict=True)])
        assert same[sure[column]].all()
    assert network.parse(sentences)[2] == found
    seen = network.label_scores(sentences[0])  # by what the trees see of the tags
    network.vote_with(None)
    assert network.tag(sentences) == alone
    assert (network.label_scores(sentences[0]) != seen).any()


def test_neither_batches_nor_order_nor_threads_change_a_tag(parsers: dict[str, Parser], bare: list[Sentence]):
    parser = parsers["joint"]
    assert parser._engine._votes is not None  # type: ignore[attr-defined]
    together = list(parser.parse_many(bare))
    assert [parser.parse(sentence) for sentence in bare] == together
    assert list(parser.parse_many(bare[::-1], threads=3))[::-1] == together


def test_a_file_keeps_them(parsers: dict[str, Parser], models: dict[str, Path], bare: list[Sentence], tmp_path: Path):
    parser = parsers["joint"]
    wanted = list(parser.parse_many(bare))
    for again in (load(models["joint"]), pickle.loads(pickle.dumps(parser))):
        assert list(again.parse_many(bare)) == wanted
        again.save(tmp_path / "again.rearc")
        assert (tmp_path / "again.rearc").read_bytes() == models["joint"].read_bytes()
    without = parser._with(votes={})
    without.save(tmp_path / "without.rearc")
    assert list(load(tmp_path / "without.rearc").parse_many(bare)) != wanted


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda whole: [], r"the header of a second tagger \[\]"),
        (lambda whole: {"weights": whole["weights"]}, "the header of a second tagger"),
        (lambda whole: whole | {"weights": []}, r"a second tagger that counts \[\]"),
        (lambda whole: whole | {"weights": {"upos": -1.0}}, "a second tagger that counts .*-1.0"),
        (lambda whole: whole | {"weights": {"upos": 1}}, "a second tagger that counts .*1"),
        (lambda whole: whole | {"weights": {"upos": 1e9}}, "a second tagger that counts"),
        (lambda whole: whole | {"weights": {"deprels": 1.0}}, "a second tagger that counts in deprels"),
        (lambda whole: whole | {"tagger": {}}, "no header of a tagger"),
        (lambda whole: whole | {"tagger": None}, "no header of a tagger"),
    ],
)
def test_votes_that_cannot_be(change: Any, found: str, models: dict[str, Path], tmp_path: Path):
    members = {name: [bytes(data)] for name, data in read_container(models["joint"]).items()}
    members[VOTES] = [json.dumps(change(json.loads(members[VOTES][0]))).encode()]
    write_container(tmp_path / "wrong.rearc", members)
    with pytest.raises(ModelError, match=rf"wrong\.rearc: found {found}.*, expected a model"):
        load(tmp_path / "wrong.rearc")


class Listening(Watcher):
    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, message: str) -> None:
        self.notes.append(message)


def test_what_tags_dev_best_is_chosen(parsers: dict[str, Parser], sentences: list[Sentence]):
    """The least of the weights with which most are right, and the scores of the trees that come of it."""
    parser, dev = parsers["joint"]._with(votes={}), sentences[20:]
    tagger = train(sentences[:20], columns=COLUMNS, epochs=1, runs=1)
    listening = Listening()
    chosen = with_votes(parser, tagger, dev, listening)
    network: Any = chosen._engine
    gold = {column: list(chain.from_iterable(getattr(s, column) for s in dev)) for column in COLUMNS}
    kept = dict(network._votes.weights)
    for column in COLUMNS:
        right = []
        for weight in WEIGHTS:
            network.vote_with(Votes(tagger, {column: weight}))
            right.append(sum(a == b for a, b in zip(network.tag(dev)[column], gold[column], strict=True)))
        assert kept[column] == WEIGHTS[right.index(max(right))]
        assert any(
            note.startswith(f"{column} of dev: {100 * right[0] / len(gold[column]):.2f} %") for note in listening.notes
        )
    network.vote_with(Votes(tagger, kept))
    scores = evaluate(dev, list(chosen.parse_many(dev, tags="predict")))
    assert chosen.header.scores["las"] == pytest.approx(scores.las)
    assert chosen.header.scores["uas"] == pytest.approx(scores.uas)


def test_without_dev_all_columns_count(parsers: dict[str, Parser], tagger: Tagger):
    network: Any = with_votes(parsers["joint"]._with(votes={}), tagger, [], Watcher())._engine
    assert network._votes.weights == dict.fromkeys(COLUMNS, OTHERWISE)


def test_a_tagger_that_knows_nothing_is_left_out(parsers: dict[str, Parser], sentences: list[Sentence]):
    wrong = [s.replace(upos=["X"] * len(s)) for s in sentences]
    tagger = train(wrong, columns=("upos",), epochs=1, runs=1)
    parser = parsers["joint"]._with(votes={})
    right = [
        s.replace(upos=tags.upos)
        for s, tags in zip(sentences, parser.parse_many(sentences, tags="predict"), strict=True)
    ]
    assert with_votes(parser, tagger, right, Watcher()) is parser


@pytest.mark.usefixtures("tiny")
def test_who_gets_one(sentences: list[Sentence]):
    pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')
    options: dict[str, Any] = {"model": "bilstm", "system": "arc-hybrid", "epochs": 1, "segmenter": False}

    def has(**more: Any) -> bool:
        return rearc.train(sentences, **options | more)._engine._votes is not None  # type: ignore[attr-defined]

    assert has(size="small")
    assert not has(size="small", two_taggers=False)
    assert not has(size="tiny")
    assert has(size="tiny", two_taggers=True, columns="upos,lemmas")
    assert not has(size="small", tagger=False)
    with pytest.raises(rearc.RearcError, match="two_taggers"):
        has(size="small", tagger=False, two_taggers=True)
    with pytest.raises(rearc.RearcError, match="two_taggers"):
        rearc.train(sentences, two_taggers=True)
