"""A second pass over finished trees: learnt from mistakes, kept where it helps, the same wherever it is run."""

import json
import pickle
from pathlib import Path
from random import Random

import numpy as np
import pytest

import rearc
from rearc.features.program import Program
from rearc.features.templates import parse_templates
from rearc.features.tokens import TokenEncoder
from rearc.oracles import oracle
from rearc.parser import second_pass as parsing
from rearc.parser.container import read_container, write_container
from rearc.parser.errors import ModelError
from rearc.parser.second_pass import numbered
from rearc.perceptron.decoder import LinearDecoder
from rearc.perceptron.growing import LabelLearner, TypeLearner
from rearc.perceptron.learner import TransitionLearner
from rearc.training import Watcher, second_pass
from rearc.training.corpus import encode, labels_of
from rearc.treebank import Sentence, sample
from tests.naive.gold import random_tree
from tests.naive.training import Pupil, Training
from tests.trained import train_parser

from .test_against_naive import LABELS, PAIR, naive_rows, rows_of, treebank

HEADER, WEIGHTS = "second-pass/header.json", "second-pass/weights.safetensors"


@pytest.fixture(scope="module")
def weak(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Templates with which a first pass makes many mistakes."""
    file = tmp_path_factory.mktemp("weak") / "weak.txt"
    file.write_text("S0p+N0p S0w")
    return file


@pytest.fixture(scope="module")
def twice() -> list[Sentence]:
    return list(rearc.read(sample())) * 2


@pytest.fixture(scope="module")
def parser(twice: list[Sentence], weak: Path) -> rearc.Parser:
    return train_parser(twice, twice[:40], system="arc-hybrid", epochs=3, features=str(weak), second_pass=True)


def alone(parser: rearc.Parser) -> rearc.Parser:
    return parser._with(second_pass={}, confidence={})


@pytest.mark.parametrize(("margin", "single_root"), [(0, False), (3, True)])
def test_learning_beside_the_naive_twin(margin: int, single_root: bool) -> None:
    """With trees to begin with, and a margin: the same mistakes, the same weights, the same trees."""
    rng = Random(margin)
    sentences = treebank("covington-nonmonotonic", single_root, 5)

    def begun_of(sentence: Sentence) -> Sentence:
        heads = list(random_tree(len(sentence), rng, single_root))[1:]
        return sentence.replace(heads=heads, deprels=[rng.choice(LABELS) if h else "root" for h in heads])

    begun = [begun_of(s) for s in sentences]
    labels = labels_of([*sentences, *begun])
    templates = parse_templates(PAIR + " L0k L0pk+R0p R0e L0pe+R0pk"), parse_templates("H0p+D0p D0w H0sl")
    judge = oracle("covington-nonmonotonic", "second-pass", [0, 0], single_root=single_root)
    types, of_labels = TypeLearner(), LabelLearner(len(labels))
    kinds = [label.of_root for label in labels], [label.of_word for label in labels]
    decoder = LinearDecoder(judge.system, *map(Program, templates), types, of_labels, *kinds)
    learner = TransitionLearner(decoder, 9, margin)
    pupil = Pupil(judge.system, *templates, [(label.name, label.of_root, label.of_word) for label in labels])
    naive = Training(pupil, judge, sentences, 9, (1, 0.5), margin)
    train = encode(sentences, labels, TokenEncoder())
    mistakes = 0
    for epoch in range(3):
        explore = 0.5 if epoch else 0.0
        order = np.array(Random(epoch).sample(range(len(sentences)), len(sentences)), dtype=np.int64)
        expected = [0, 0, 0]
        for s in order:
            naive.learn(sentences[s], explore, expected, begun[s])
        start = numbered([begun[s] for s in order], labels)
        arrays = (train.values, train.offsets, train.heads, train.labels, train.tree_offsets)
        assert list(learner.epoch(judge, *arrays, order, explore, start)) == expected
        mistakes += expected[1]
    assert mistakes > 20
    assert rows_of(types) == naive_rows(pupil.types, 4)
    assert rows_of(of_labels) == naive_rows(pupil.label_types, len(labels))
    heads, numbers = decoder.parse(train.values, train.offsets, begun=numbered(begun, labels))
    trees = [pupil.parse(s, b) for s, b in zip(sentences, begun, strict=True)]
    assert heads.tolist() == [head for tree, _ in trees for head in tree]
    assert [labels[k].name for k in numbers] == [label for _, given in trees for label in given]


def test_it_repairs_what_a_weak_parser_gets_wrong(parser: rearc.Parser, twice: list[Sentence]) -> None:
    dev = twice[:40]
    before, after = (rearc.evaluate(dev, p.parse_many(dev, tags="given")) for p in (alone(parser), parser))
    assert parser.has_second_pass
    assert not alone(parser).has_second_pass
    assert after.las > before.las + 5
    assert parser.header.scores == pytest.approx({"uas": after.uas, "las": after.las})


def test_a_head_that_stays_keeps_its_label(parser: rearc.Parser, twice: list[Sentence]) -> None:
    changed = 0
    for sentence in twice[:40]:
        before, after = alone(parser).parse(sentence), parser.parse(sentence)
        assert after.has_tree
        assert after.heads.count(0) == 1
        for a, b, old, new in zip(before.heads, after.heads, before.deprels, after.deprels, strict=True):
            changed += a != b
            assert a != b or old == new
    assert changed > 10


def test_the_same_bytes_and_the_same_trees(
    parser: rearc.Parser, twice: list[Sentence], weak: Path, tmp_path: Path
) -> None:
    again = train_parser(twice, twice[:40], system="arc-hybrid", epochs=3, features=str(weak), second_pass=True)
    for name, made in (("a", parser), ("b", again)):
        made.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    trees = [s.heads for s in parser.parse_many(twice)]
    others = [rearc.load(tmp_path / "a"), pickle.loads(pickle.dumps(parser))]
    assert all([s.heads for s in other.parse_many(twice, threads=2)] == trees for other in others)
    assert [parser.parse(s).heads for s in twice] == trees


def test_confidence_and_beams_see_the_repaired_tree(parser: rearc.Parser, twice: list[Sentence]) -> None:
    repaired = 0
    for sentence in twice[:10]:
        sure = parser.parse(sentence, confidence=True)
        assert sure.heads == parser.parse(sentence).heads
        assert all(0 <= word.confidence <= 1 for word in sure)
        by_beam = alone(parser).parse(sentence, beam=4)
        assert parser.parse(sentence, beam=4).heads == parser._second_pass.repaired([by_beam])[0].heads
        repaired += by_beam.heads != parser.parse(sentence, beam=4).heads
    assert repaired


def test_constraints_hold(parser: rearc.Parser, twice: list[Sentence]) -> None:
    """A second pass does not know them, so it is left out."""
    for sentence in twice[:10]:
        heads = {d: h for d, h in enumerate(sentence.heads, 1) if d % 2}
        found = parser.parse(sentence, constraints=rearc.Constraints(heads=heads))
        assert {d: found.heads[d - 1] for d in heads} == heads


def test_long_sentences_stay_as_they_are(parser: rearc.Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [Sentence(["dogs", "bark"] * 30), Sentence(["a", "dog"])]
    monkeypatch.setattr(parsing, "LONGEST", 20)
    first, second = parser.parse_many(words)
    assert first.heads == alone(parser).parse(words[0]).heads
    assert second.heads == parser.parse(words[1]).heads


def test_what_does_not_help_is_left_out(twice: list[Sentence], monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[str] = []

    class Listening(Watcher):
        def note(self, message: str) -> None:
            notes.append(message)

    monkeypatch.setattr(second_pass, "EPOCHS", 1)
    learnt = train_parser(twice, twice[:40], epochs=8, second_pass=True, watcher=Listening())
    assert rearc.evaluate(twice[:40], learnt.parse_many(twice[:40])).las == pytest.approx(learnt.header.scores["las"])
    assert not learnt.has_second_pass
    assert any("it is left out" in note for note in notes)


def test_without_dev_the_last_epoch_is_kept(twice: list[Sentence], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_pass, "EPOCHS", 1)
    assert train_parser(twice, epochs=1, second_pass=True).has_second_pass


def test_few_sentences_teach_none(twice: list[Sentence]) -> None:
    assert not train_parser(twice[:40], epochs=1, second_pass=True).has_second_pass


@pytest.mark.parametrize("when", ["part 2", "second pass"])
def test_stopped_on_the_way(twice: list[Sentence], when: str) -> None:
    class Stopping(Watcher):
        def __init__(self) -> None:
            self.seen = ""

        def trying(self, what: str, done: int, sentences: int) -> None:
            self.seen = what

        def stop(self) -> bool:
            return when in self.seen if when == "part 2" else self.seen == when

    found = train_parser(twice, epochs=2, second_pass=True, watcher=Stopping())
    assert not found.has_second_pass
    assert found.parse(["Owls", "see"]).has_tree


@pytest.mark.parametrize(
    "change",
    [
        {"labels": []}, {"labels": [["a", 1, True]]}, {"labels": "ab"}, {"templates": "S0p"}, {"templates": "X"},
        {"templates": ""}, {"label_templates": 3}, {"single_root": None}, {"more": 1}, {"labels": [["a", True, True]]},
    ],
)  # fmt: skip
def test_damaged_headers_are_refused(change: dict[str, object], parser: rearc.Parser, tmp_path: Path) -> None:
    file = tmp_path / "m.rearc"
    parser.save(file)
    members = {name: bytes(data) for name, data in read_container(file).items()}
    header = json.loads(members[HEADER]) | change
    write_container(file, {name: [data] for name, data in (members | {HEADER: json.dumps(header).encode()}).items()})
    with pytest.raises(ModelError, match=r"m\.rearc: found"):
        rearc.load(file)


def test_damaged_weights_are_refused(parser: rearc.Parser, tmp_path: Path) -> None:
    file = tmp_path / "m.rearc"
    parser.save(file)
    members = {name: bytes(data) for name, data in read_container(file).items()}
    for wrong in (members["confidence/weights.safetensors"], b"", members[WEIGHTS][:100]):
        write_container(file, {name: [data] for name, data in (members | {WEIGHTS: wrong}).items()})
        with pytest.raises(ModelError, match=r"m\.rearc: found"):
            rearc.load(file)
    write_container(file, {name: [data] for name, data in members.items() if name != WEIGHTS})
    with pytest.raises(ModelError, match="second pass"):
        rearc.load(file)
