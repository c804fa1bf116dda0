"""Training BiLSTM models: what is learnt, chosen, reported and refused."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')

import rearc
from rearc.neural.shape import PRESETS
from rearc.neural.storing import unpack
from rearc.oracles import oracles
from rearc.parser import Parser
from rearc.parser.bilstm import network_about
from rearc.systems import systems
from rearc.training import Epoch, Options, TrainingError, Watcher
from rearc.training.bilstm import BiLSTMTrainer
from rearc.training.bilstm_plan import plan_network
from rearc.training.defaults import choose_policy
from rearc.treebank import Sentence
from tests.neural.networks import TINY
from tests.trained import train_parser

SMALL = {"model": "bilstm", "size": "small"}
CASES = [(name, judge) for name in systems() for judge in oracles(name)]


class Records(Watcher):
    def __init__(self) -> None:
        self.records: list[Epoch] = []

    def epoch(self, record: Epoch) -> None:
        self.records.append(record)


# what is learnt ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nl-covington", "arc-hybrid"])
def test_the_sample_is_learnt(name: str, sentences: list[Sentence], monkeypatch: pytest.MonkeyPatch):
    shape = replace(TINY, words=24, upos=12, feats=12, tagger=(), layers=(24,), pair=24, hidden=32, labels=24)
    monkeypatch.setitem(PRESETS, "small", shape)
    watcher = Records()
    parser = train_parser(sentences, sentences, system=name, epochs=12, rate=1e-2, watcher=watcher, **SMALL)
    first, last = watcher.records[0], watcher.records[-1]
    assert parser.header.scores["las"] > 50 > 35 > first.las
    assert last.more["loss"] < first.more["loss"] / 2
    assert last.mistakes / last.transitions < 0.2 < first.mistakes / first.transitions
    found = rearc.evaluate(sentences, parser.parse_many(sentences))
    assert parser.header.scores == {"uas": found.uas, "las": found.las}
    assert watcher.records[parser.header.epoch - 1].las == max(record.las for record in watcher.records)


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(("name", "judge"), CASES)
def test_every_oracle_teaches(name: str, judge: str, sentences: list[Sentence]):
    watcher = Records()
    parser = train_parser(
        sentences[:6], sentences[:4], system=name, oracle=judge, epochs=1, watcher=watcher,
        policy=(0, choose_policy(judge)[1]), **SMALL,
    )  # fmt: skip
    assert (parser.header.system, parser.header.oracle, parser.header.model) == (name, judge, "bilstm")
    (record,) = watcher.records
    assert record.transitions >= record.mistakes > 0
    assert np.isfinite(record.more["loss"])
    assert all(s.has_tree for s in parser.parse_many(sentences))


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("loss", ["best", "marginal", "margin"])
def test_every_loss_goes_down(loss: str, sentences: list[Sentence]):
    watcher = Records()
    train_parser(sentences[:12], system="arc-eager", loss=loss, rate=0.02, epochs=4, watcher=watcher, **SMALL)
    assert watcher.records[-1].more["loss"] < watcher.records[0].more["loss"]


@pytest.mark.usefixtures("tiny")
def test_the_same_seed_gives_the_same_file(sentences: list[Sentence], tmp_path: Path):
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        parser = train_parser(sentences[:15], sentences[:5], seed=seed, epochs=2, system="arc-hybrid", **SMALL)
        parser.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()


@pytest.mark.usefixtures("tiny")
def test_what_was_drawn_before_does_not_matter(sentences: list[Sentence], tmp_path: Path):
    for name, seed in (("a", 1), ("b", 2)):
        torch.manual_seed(seed)
        np.random.seed(seed)
        train_parser(sentences[:9], epochs=1, **SMALL).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("size", ["paper-001", "paper-002"])
def test_the_sizes_of_the_papers(size: str, sentences: list[Sentence]):
    parser = train_parser(sentences[:4], system="arc-hybrid-swap", model="bilstm", size=size, epochs=1)
    assert parser.header.expects == ()
    assert parser.has_tagger == (size == "paper-001")
    assert all(s.has_tree for s in parser.parse_many(sentences))


@pytest.mark.parametrize("joint", [False, True], ids=["given", "joint"])
def test_tiny(joint: bool, sentences: list[Sentence]):
    """Two layers; where tags are predicted, the first one is the tagger's too. Less is dropped than in larger ones."""
    parser = train_parser(sentences[:4], model="bilstm", size="tiny", system="arc-hybrid", tagger=joint, epochs=1)
    assert parser.has_tagger == joint
    about = network_about(parser._model.network)
    assert (about["shape"]["tagger"], about["shape"]["layers"]) == (([64], [64]) if joint else ([], [64, 64]))
    assert about["dropout"] == 0.2
    assert all(s.has_tree for s in parser.parse_many(sentences, tags="given"))


# what is chosen ------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("tiny")
def test_training_ends_when_dev_gets_no_better(sentences: list[Sentence], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("rearc.training.bilstm_plan.PATIENCE", 2)
    scores = iter([10.0, 30.0, 20.0, 29.0, 90.0])
    monkeypatch.setattr(BiLSTMTrainer, "dev_scores", lambda self, weights: {"uas": 0.0, "las": next(scores)})
    watcher = Records()
    parser = train_parser(sentences[:3], sentences[:3], epochs=5, watcher=watcher, **SMALL)
    assert [(record.las, record.best) for record in watcher.records] == [
        (10, True), (30, True), (20, False), (29, False),
    ]  # fmt: skip
    assert (parser.header.epoch, parser.header.epochs, parser.header.scores["las"]) == (2, 4, 30)


@pytest.mark.usefixtures("tiny")
def test_without_dev_all_epochs_are_trained(sentences: list[Sentence], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("rearc.training.bilstm_plan.PATIENCE", 1)
    assert train_parser(sentences[:3], epochs=4, **SMALL).header.epoch == 4


@pytest.mark.usefixtures("tiny")
def test_treebanks_without_tags(bare: list[Sentence], sentences: list[Sentence]):
    """What is not there is not looked at; a tagger has nothing to learn from then."""
    words = [s.replace(upos=None, xpos=None, feats=None) for s in sentences[:8]]
    parser = train_parser(words, epochs=1, **SMALL)
    assert parser.header.expects == ()
    heads = [s.heads for s in parser.parse_many(sentences)]
    assert heads == [s.heads for s in parser.parse_many(bare)]
    with pytest.raises(TrainingError, match="found no UPOS, expected some for a tagger to learn from; train without"):
        train_parser(words, epochs=1, tagger=True, **SMALL)
    featureless = [s.replace(xpos=None, feats=None) for s in sentences[:8]]
    assert train_parser(featureless, epochs=1, **SMALL).header.expects == ("upos",)
    tagger = train_parser(featureless, epochs=1, tagger=True, **SMALL)
    assert tagger.parse(bare[0]).upos != bare[0].upos
    assert tagger.parse(bare[0]).feats == bare[0].feats
    alone = train_parser([s.replace(lemmas=None, xpos=None) for s in sentences[:8]], epochs=1, tagger=True, **SMALL)
    found = alone.parse(bare[0])
    assert (found.lemmas, found.xpos) == (bare[0].lemmas, bare[0].xpos)
    assert found.feats != bare[0].feats


@pytest.mark.parametrize(
    ("change", "options", "sizes"),
    [
        ({"feats": None}, {}, (4, 4, 0)),
        ({"feats": None, "upos": None}, {}, (0, 4, 0)),
        ({"feats": None, "xpos": None}, {}, (4, 0, 0)),
        ({}, {}, (4, 0, 4)),
        ({"feats": None}, {"tagger": True}, (4, 4, 0)),
        ({"feats": None}, {"tagger": True, "columns": "upos,xpos"}, (4, 4, 0)),
        ({"feats": None}, {"tagger": True, "columns": "upos,lemmas"}, (4, 0, 0)),
        ({}, {"tagger": True}, (4, 0, 4)),
        ({}, {"tagger": True, "columns": "upos,xpos"}, (4, 0, 0)),
        ({"feats": None}, {"size": "paper-001", "tagger": True}, (32, 0, 0)),
        ({"feats": None}, {"size": "paper-002"}, (0, 0, 0)),
    ],
)
@pytest.mark.usefixtures("tiny")
def test_xpos_in_place_of_feats(
    change: dict[str, None], options: dict[str, object], sizes: tuple[int, int, int], sentences: list[Sentence]
):
    """Where there are no FEATS and more kinds of XPOS than of UPOS."""
    changed = [s.replace(**change) for s in sentences]
    shape = plan_network(changed, [], Options(**{**SMALL, **options})).shape
    assert (shape.upos, shape.xpos, shape.feats) == sizes


def test_xpos_of_no_more_kinds_than_upos(sentences: list[Sentence]):
    for options in ({}, {"tagger": True}):
        shape = plan_network(
            [s.replace(xpos=s.upos, feats=None) for s in sentences], [], Options(**SMALL, **options)
        ).shape
        assert (shape.xpos, shape.feats) == (0, 0)


@pytest.mark.usefixtures("tiny")
def test_a_model_that_looks_at_xpos(sentences: list[Sentence], bare: list[Sentence], tmp_path: Path):
    """Given or predicted; it says so when it is trained, and in its header."""
    featureless = [s.replace(feats=None) for s in sentences]
    notes: list[str] = []
    watcher = Records()
    watcher.note = notes.append
    given = train_parser(featureless, epochs=3, rate=0.03, watcher=watcher, **SMALL)
    assert "the treebank has no FEATS, so the parser looks at XPOS in their place" in notes
    assert given.header.expects == ("upos", "xpos")
    blind = [s.replace(xpos=None) for s in featureless]
    assert [s.heads for s in given.parse_many(featureless)] != [s.heads for s in given.parse_many(blind)]
    joint = train_parser(featureless, epochs=3, rate=0.03, tagger=True, **SMALL)
    assert joint.header.expects == ()
    for k, parser in enumerate((given, joint)):
        parser.save(tmp_path / f"{k}.rearc")
        again = rearc.load(tmp_path / f"{k}.rearc")
        assert list(again.parse_many(featureless)) == list(parser.parse_many(featureless))
    assert joint.parse(bare[0]).xpos != bare[0].xpos


def test_no_upos_where_the_tagged_sentences_are_left_out(sentences: list[Sentence]):
    crossing = next(s for s in sentences if not rearc.treebank.trees.is_projective(s.tree))
    others = [s.replace(upos=None) for s in sentences if rearc.treebank.trees.is_projective(s.tree)]
    options = {"tagger": True, "system": "arc-hybrid", "non_projective": "drop"}
    with pytest.raises(TrainingError, match="found no UPOS in the sentences that are not left out, expected some"):
        train_parser([crossing, *others], epochs=1, **options, **SMALL)


@pytest.mark.usefixtures("tiny")
def test_vectors_from_outside(sentences: list[Sentence], tmp_path: Path):
    """They are not trained, and kept for words that are not in the treebank too."""
    rows = {"the": [1.5, -2.0, 0.25], "owl": [0.0, 1.0, 2.0], "zebra": [9.0, -9.0, 5.0], "gnu": [-9.0, 9.0, -5.0]}
    (tmp_path / "v.txt").write_text("".join(f"{w} {' '.join(map(str, row))}\n" for w, row in rows.items()))
    parser = train_parser(sentences[:9], epochs=2, vectors=str(tmp_path / "v.txt"), system="nl-covington", **SMALL)
    weights = unpack(parser._model.weights)["vectors.weight"]
    close = {"rtol": 0, "atol": 9 / 250}  # a step of 127, in which a file keeps them
    np.testing.assert_allclose(weights, [[0.0, 0.0, 0.0], *rows.values()], **close)
    engine = parser._engine
    zebra, gnu, unknown, same = engine._new_forms(["Zebra", "Gnu", "Okapi", "Quagga"])
    words = slice(0, TINY.words)
    assert (zebra[words] == unknown[words]).all()
    np.testing.assert_allclose(zebra[TINY.words : TINY.words + 3], rows["zebra"], **close)
    np.testing.assert_allclose(gnu[TINY.words : TINY.words + 3], rows["gnu"], **close)
    assert not same[TINY.words : TINY.words + 3].any()
    parser.save(tmp_path / "m.rearc")
    again = rearc.load(tmp_path / "m.rearc")
    assert list(again.parse_many(sentences)) == list(parser.parse_many(sentences))
    options = {"system": "nl-covington", "vectors": str(tmp_path / "v.txt"), **SMALL}
    tuned = train_parser(sentences[:9], epochs=2, tune_vectors=True, frequent_vectors=3, **options)
    after = unpack(tuned._model.weights)["vectors.weight"]
    assert len(after) == 1 + 3  # not the last, which is not in the treebank
    assert (after[1] != weights[1]).any()  # what is in the treebank is trained on
    assert (after[3] == weights[3]).all()  # and no zebra is


# what goes in and out ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["pair", "stack", "joint"])
def test_batches_order_and_threads_do_not_matter(
    kind: str, parsers: dict[str, Parser], sentences: list[Sentence], monkeypatch: pytest.MonkeyPatch
):
    parser = parsers[kind]
    monkeypatch.setattr("rearc.neural.numpy_model.KEPT", 40)  # forms are forgotten now and then
    expected = [parser.parse(s) for s in sentences]
    assert len({h - d for s in expected for d, h in enumerate(s.heads, 1)}) > 5  # not all trees are alike
    assert list(parser.parse_many(sentences)) == expected
    for words in (1, 20, 100):
        monkeypatch.setattr("rearc.treebank.batches.WORDS", words)
        for threads in (1, 2, 8):
            assert list(parser.parse_many(sentences, threads=threads)) == expected
    assert list(parser.parse_many(reversed(sentences), threads=2)) == expected[::-1]
    assert list(parser.parse_many(sentences[::3] * 2)) == expected[::3] * 2


@pytest.mark.parametrize("kind", ["pair", "stack", "joint"])
def test_sentences_of_any_kind(kind: str, parsers: dict[str, Parser], sentences: list[Sentence]):
    parser = parsers[kind]
    odd = [
        Sentence(["x"]),
        Sentence(["\U0001f98b", "ßß", "\u0301", "\ud800", "nosuchword"]),
        Sentence(["a", "b"], upos=["NOSUCH", "_"], feats=["No=Such|Case=Nom", "_"]),
        Sentence(["a" * 3000, "b"]),
        sentences[0],
        Sentence([f"w{k % 700}" for k in range(2000)]),
    ]
    parsed = list(parser.parse_many(odd))
    assert [s.forms for s in parsed] == [s.forms for s in odd]
    for s in parsed:
        assert s.has_tree
        assert rearc.treebank.trees.is_tree(s.tree)
        assert (s.deprels[s.heads.index(0)]) == "root"
    assert parsed[0].heads == [0]
    assert [parser.parse(s) for s in odd] == parsed
    assert list(parser.parse_many([])) == []


def test_tags_of_a_joint_model(parsers: dict[str, Parser], sentences: list[Sentence], bare: list[Sentence]):
    """given keeps the columns and does not use them; predict fills them in; auto does so where there is no UPOS."""
    parser = parsers["joint"]
    assert parser.has_tagger
    mixed = [s if k % 2 else b for k, (s, b) in enumerate(zip(sentences, bare, strict=True))]
    predicted = list(parser.parse_many(bare, tags="predict"))
    assert [s.upos for s in predicted] != [s.upos for s in bare]
    assert {tag for s in predicted for tag in s.upos} <= {tag for s in sentences for tag in s.upos}
    assert {f for s in predicted for f in s.feats} <= {f for s in sentences for f in s.feats}
    assert {tag for s in predicted for tag in s.xpos} <= {tag for s in sentences for tag in s.xpos}
    assert sum(s.lemmas[0] != s.forms[0] for s in predicted) > 10
    assert [s.heads for s in parser.parse_many(sentences, tags="given")] == [s.heads for s in predicted]
    for tags, by_network in (("given", lambda s: False), ("auto", lambda s: s in bare), ("predict", lambda s: True)):
        for source, found, guess in zip(mixed, parser.parse_many(mixed, tags=tags), predicted, strict=True):
            tagged = guess if by_network(source) else source
            for column in ("upos", "xpos", "feats", "lemmas"):
                assert getattr(found, column) == getattr(tagged, column)
            assert (found.heads, found.deprels) == (guess.heads, guess.deprels)


def test_models_with_given_tags(parsers: dict[str, Parser], sentences: list[Sentence], bare: list[Sentence]):
    parser = parsers["stack"]
    assert parser.header.expects == ("upos", "feats")
    assert not parser.has_tagger
    with pytest.raises(ValueError, match="expected a model with a tagger"):
        parser.parse(bare[0], tags="predict")
    assert parser.parse(sentences[0], tags="given") == parser.parse(sentences[0])
    assert [parser.parse(s).heads for s in sentences] != [parser.parse(s).heads for s in bare]


# what is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"size": "huge"}, "found size 'huge', expected one of tiny, small, base, paper-001, paper-002"),
        ({"loss": "square"}, "found loss 'square', expected one of best, marginal, margin"),
        ({"rate": 0.0}, "found rate 0.0, expected a number between 0 and 1"),
        ({"rate": -1e-3}, "found rate -0.001, expected"),
        ({"rate": 1.0}, "found rate 1.0, expected"),
        ({"rate": float("nan")}, "found rate nan, expected"),
        ({"slots": ""}, "found slots '', expected 1 to 16 different ones"),
        ({"slots": "s0 s0"}, "found slots 's0 s0', expected 1 to 16 different ones"),
        ({"slots": "s0 q1"}, "found slots 's0 q1', expected one of s0, s1, s2, b0, b1, with l or r"),
        ({"slots": "s0x"}, "found slots 's0x', expected one of"),
        ({"features": "rich-stack"}, "found features 'rich-stack', expected none, as a model of the kind bilstm"),
        ({"clusters": "c.tsv"}, "found clusters 'c.tsv', expected none, as a model of the kind bilstm"),
        ({"prune": 0.1}, "found prune 0.1, expected none"),
        ({"tagger": True, "jackknife": 4}, "found jackknife 4, expected none"),
        ({"model": "perceptron", "size": "small"}, "found size 'small', expected none, as a model of the kind percep"),
        ({"model": "perceptron", "loss": "best"}, "found loss 'best', expected none"),
        ({"model": "perceptron", "rate": 0.1}, "found rate 0.1, expected none"),
        ({"model": "perceptron", "slots": "s0"}, "found slots 's0', expected none"),
        ({"model": "perceptron", "vectors": "v"}, "found vectors 'v', expected none"),
        ({"model": "transformer"}, "found model 'transformer', expected one of perceptron, bilstm"),
        ({"size": "paper-002", "tagger": True}, "found tagger True, expected none, as paper-002 has no tags"),
    ],
    ids=lambda value: " ".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else "",
)
def test_wrong_options(options: dict[str, object], found: str, sentences: list[Sentence]):
    with pytest.raises(TrainingError) as caught:
        train_parser(sentences[:2], epochs=1, **{"model": "bilstm", **options})
    assert found in str(caught.value)


@pytest.mark.usefixtures("tiny")
def test_a_loss_that_explodes(sentences: list[Sentence], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("rearc.training.bilstm.EXPLODED", 0.1)
    with pytest.raises(TrainingError) as caught:
        train_parser(sentences[:4], epochs=1, rate=0.5, **SMALL)
    assert str(caught.value).startswith("found a loss of ")
    assert "in epoch 1, expected a small number; train with a learning rate below 0.5" in str(caught.value)


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("loss", ["best", "marginal", "margin"])
@pytest.mark.parametrize("name", ["nl-covington", "arc-hybrid-swap"])
def test_weights_that_are_no_numbers(name: str, loss: str, sentences: list[Sentence], monkeypatch: pytest.MonkeyPatch):
    """In the second epoch; it ends with a message, and not with trees of nothing."""
    learn = BiLSTMTrainer.learn_piece

    def poisoned(self: BiLSTMTrainer, which: np.ndarray, explore: float) -> None:
        if self.epoch == 1:
            for parameter in self.module.scorer.parameters():
                parameter.data.fill_(torch.nan)
        learn(self, which, explore)

    monkeypatch.setattr(BiLSTMTrainer, "learn_piece", poisoned)
    with pytest.raises(TrainingError, match=r"found a loss of nan in epoch 2, expected a small number"):
        train_parser(sentences[:4], epochs=3, system=name, loss=loss, **SMALL)
