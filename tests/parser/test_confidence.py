"""How sure a parser is, and whether that is so."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import rearc
from rearc.cli.app import app
from rearc.parser import ModelError, Parser
from rearc.parser.confidence import (
    CURVE,
    NUMBERS,
    OF_TREE,
    STRAIGHT,
    bends,
    columns,
    evidence,
    make_confidence,
    probability,
)
from rearc.parser.model import read_model, write_model
from rearc.search.forest import Forest
from rearc.training.calibration import calibrated, curve, regress
from rearc.treebank import Sentence, TreebankError
from rearc.treebank.objects import line_of
from tests.trained import train_parser


@pytest.fixture(scope="module")
def knowing(sentences: list[Sentence]) -> Parser:
    """A parser of one half of the sample, which knows from the other how sure it may be."""
    half = len(sentences) // 2
    return train_parser(sentences[:half], dev=sentences[half:], system="arc-hybrid", epochs=5)


def test_words_and_sentences_tell_it(knowing: Parser, sentences: list[Sentence]):
    half = sentences[len(sentences) // 2 :]
    plain = list(knowing.parse_many(half))
    sure = list(knowing.parse_many(half, confidence=True, threads=2))
    assert [s.heads for s in sure] == [s.heads for s in plain]
    assert [s.deprels for s in sure] == [s.deprels for s in plain]
    heads = np.array([word.confidence for s in sure for word in s])
    both = np.array([word.label_confidence for s in sure for word in s])
    assert ((heads > 0) & (heads < 1) & (both <= heads)).all()
    right = np.array(
        [a == b for s, gold in zip(sure, half, strict=True) for a, b in zip(s.heads, gold.heads, strict=True)]
    )
    assert heads.mean() == pytest.approx(right.mean(), abs=0.02)  # it learnt from these
    assert heads[right].mean() > heads[~right].mean() + 0.1
    whole = [s.heads == gold.heads for s, gold in zip(sure, half, strict=True)]
    assert np.mean([s.confidence for s in sure]) == pytest.approx(np.mean(whole), abs=0.05)
    again = knowing.parse(sure[0], confidence=True)
    assert again.misc == sure[0].misc  # what was there is replaced
    assert again.comments == sure[0].comments
    wide = knowing.parse(half[0], beam=4, confidence=True)
    assert wide.heads == knowing.parse(half[0], beam=4).heads


def test_it_is_kept_in_the_file(knowing: Parser, sentences: list[Sentence], tmp_path: Path):
    knowing.save(tmp_path / "m.rearc")
    again = rearc.load(tmp_path / "m.rearc")
    assert again.has_confidence
    assert again.parse(sentences[0], confidence=True).misc == knowing.parse(sentences[0], confidence=True).misc
    model = read_model(tmp_path / "m.rearc")
    for damaged in (
        {"header.json": [b"{}"], "weights.safetensors": model.confidence["weights.safetensors"]},
        {
            "header.json": [b'{"upos": [1], "labels": 3}'],
            "weights.safetensors": model.confidence["weights.safetensors"],
        },
        {"header.json": model.confidence["header.json"]},
        {"header.json": model.confidence["header.json"], "weights.safetensors": [b"\x02\0\0\0\0\0\0\0{}"]},
    ):
        write_model(tmp_path / "bad.rearc", type(model)(**{**vars(model), "confidence": damaged}))
        with pytest.raises(ModelError, match="confidence"):
            rearc.load(tmp_path / "bad.rearc")


def test_models_without_it(model: Parser, sentences: list[Sentence]):
    assert not model.has_confidence
    with pytest.raises(ValueError, match="expected a model that can tell how sure it is"):
        model.parse(sentences[0], confidence=True)
    half = len(sentences) // 2
    without = train_parser(sentences[:half], dev=sentences[half:], system="arc-hybrid", epochs=1, confidence=False)
    assert not without.has_confidence
    assert not train_parser(sentences[:half], dev=sentences[:5], system="arc-hybrid", epochs=1).has_confidence


def test_heads_that_are_not_known_teach_nothing(model: Parser, sentences: list[Sentence]):
    """A head that is left out is neither right nor wrong: the confidence does not sink for it."""
    whole = calibrated(model, sentences)
    partial = calibrated(
        model, [s.replace(heads=[h if k % 2 else -1 for k, h in enumerate(s.heads)]) for s in sentences]
    )
    said = [
        np.mean([w.confidence for s in p.parse_many(sentences, confidence=True) for w in s]) for p in (whole, partial)
    ]
    assert said[1] > said[0] - 0.05


def test_formats_that_have_no_place_for_it(knowing: Parser, sentences: list[Sentence], tmp_path: Path):
    rearc.write([Sentence(["Dogs", "bark"], upos=["NOUN", "VERB"])], tmp_path / "x.conllx", format="conllx")
    (sentence,) = rearc.read(tmp_path / "x.conllx", format="conllx")
    with pytest.raises(TreebankError, match="no place for confidence"):
        knowing.parse(sentence, confidence=True)


def test_on_the_command_line(knowing: Parser, tmp_path: Path):
    knowing.save(tmp_path / "m.rearc")
    base = ["parse", "sample", "-m", str(tmp_path / "m.rearc"), "--confidence"]
    (tmp_path / "in.conllu").write_text(rearc.Sentence(["Dogs", "bark"], upos=["NOUN", "VERB"]).to_conllu())
    base[1] = str(tmp_path / "in.conllu")
    run = CliRunner().invoke(app, [*base, "-o", str(tmp_path / "out.jsonl"), "--to", "json"])
    assert run.exit_code == 0, run.output
    content = json.loads((tmp_path / "out.jsonl").read_text())
    assert 0 < content["confidence"] < 1
    assert all(0 < word["label_confidence"] <= word["confidence"] < 1 for word in content["words"])
    (read,) = rearc.read(tmp_path / "out.jsonl")
    assert read.confidence == content["confidence"]
    assert [word.confidence for word in read] == [word["confidence"] for word in content["words"]]
    for wrong in (["--n-best", "2"], ["-m", "en-without"]):
        run = CliRunner().invoke(app, [*base, *wrong])
        assert run.exit_code in (1, 2)


def test_what_misc_may_say():
    sentence = Sentence(["a", "b", "c", "d"], misc=["Confidence=0.5", "_", "x=1|Confidence=2", "Confidence=x"])
    assert [word.confidence for word in sentence] == [0.5, None, None, None]
    assert sentence.confidence is None
    assert Sentence(["a"], comments=["# confidence = 0.25"]).confidence == 0.25


def test_agreement_of_the_beam():
    """Two words; the beam has two trees of weights 3 : 1."""
    nothing = np.zeros((2, 3), dtype=np.float32)
    heads = np.array([2, 0])
    tree = Forest(np.array([1]), np.zeros(1), heads, np.zeros(2, dtype=int), nothing)
    beam = Forest(np.array([2]), np.log([0.6, 0.2]), np.array([2, 0, 0, 0]), np.zeros(4, dtype=int), np.zeros((4, 3)))
    seen = evidence([Sentence(["a", "b"])], np.array([1, 0]), {}, tree, beam, 1.0)
    assert seen.numbers[:, 7] == pytest.approx([0.75, 1.0])
    assert seen.weights == pytest.approx([0.75])
    assert seen.kinds[:, 1].tolist() == [1, 0]
    matrix = columns(seen, 1, 1)
    assert matrix.sum(axis=1) == pytest.approx(1 + seen.numbers.sum(axis=1) + 3)


def test_tags_and_the_sentence_count():
    """Word 1 hangs on word 2, and word 3 on the root; the UPOS of word 3 was given."""
    narrow = np.array([[0, 0, 1], [0, 0, 3], [0, 0, 7]], dtype=np.float32)
    tree = Forest(np.array([1]), np.zeros(1), np.array([2, 3, 0]), np.zeros(3, dtype=int), narrow)
    of_tags = {"upos": np.array([0.9, 0.6, np.nan])}
    seen = evidence([Sentence(["a", "b", "c"])], np.zeros(3, dtype=np.intp), of_tags, tree, tree, 1.0)
    upos = np.array([0.9, 0.6, 1.0])
    odds = np.log((upos + 1e-3) / (1 - upos + 1e-3))
    own = seen.numbers[:, OF_TREE:]
    assert own.shape[1] == NUMBERS - OF_TREE
    assert own[:, [0, 2]] == pytest.approx(np.column_stack([odds, upos]))
    assert own[:, [4, 6]] == pytest.approx(np.column_stack([odds, upos])[[1, 2, 2]])  # of the root nothing is to doubt
    assert own[:, [1, 3, 5, 7]].min(axis=0) == pytest.approx(own[2, [0, 2, 0, 2]])  # nor of FEATS
    assert own[:, 8] == pytest.approx([odds.mean()] * 3)
    assert own[:, 10] == pytest.approx([np.log([2, 4, 8]).mean()] * 3)


def test_a_curve_mends_what_a_regression_overstates():
    """With many columns of noise and few rows, a regression is too sure of rows that it has not seen."""
    rng = np.random.default_rng(2)
    rows = np.column_stack([np.ones(20_000), rng.normal(size=(20_000, 60))])
    right = rng.random(20_000) < probability(rows[:, 1])
    few = slice(0, 300)
    weights = regress(rows[few], right[few])
    bent, scores = curve(rows[few], right[few], np.ones(300, dtype=bool), np.arange(300) * 5 // 300)
    assert scores.shape == (300,)

    def loss(p: np.ndarray) -> float:
        return float(-np.log(np.where(right, p, 1 - p))[300:].mean())

    assert loss(probability(bends(rows @ weights) @ bent)) < loss(probability(rows @ weights)) - 0.05
    nothing = np.zeros(0, dtype=bool)
    assert regress(np.zeros((0, 5)), nothing, prior=STRAIGHT).tolist() == STRAIGHT.tolist()
    assert (bends(rows[:, 1]) @ STRAIGHT == rows[:, 1]).all()


def test_confidence_of_older_models(knowing: Parser, sentences: list[Sentence]):
    """They say what they said."""
    confidence = knowing._confidence
    assert confidence is not None
    new = slice(1 + OF_TREE, 1 + NUMBERS)
    weights = {name: w for name, w in confidence.weights.items() if not name.endswith(CURVE)}
    older = {name: np.delete(w, new) if name in ("head", "both") else w for name, w in weights.items()}
    made = make_confidence(confidence.header, older, confidence.labels)
    for name in ("head", "both"):
        assert made.weights[name][new].tolist() == [0] * (NUMBERS - OF_TREE)
        assert np.delete(made.weights[name], new).tolist() == older[name].tolist()
        assert made.weights[name + CURVE].tolist() == STRAIGHT.tolist()
    with pytest.raises(ValueError, match="do not fit"):
        make_confidence(confidence.header, {**older, "head": older["head"][:-1]}, confidence.labels)
    with pytest.raises(ValueError, match="do not fit"):
        make_confidence(confidence.header, {**confidence.weights, "head.curve": np.zeros(2)}, confidence.labels)


def test_regression_finds_the_weights_that_made_the_data():
    rng = np.random.default_rng(1)
    rows = np.column_stack([np.ones(20_000), rng.normal(size=(20_000, 3))])
    true = np.array([0.5, 1.0, -2.0, 0.0])
    right = rng.random(20_000) < probability(rows @ true)
    assert regress(rows, right) == pytest.approx(true, abs=0.1)
    everything = regress(rows[:50], np.ones(50, dtype=bool))  # nothing to tell apart
    assert np.isfinite(everything).all()
    assert (probability(rows[:50] @ everything) > 0.9).all()


# ---- tags


@pytest.fixture(scope="module", params=["perceptron", "bilstm"])
def tagging(request: pytest.FixtureRequest, sentences: list[Sentence]) -> Parser:
    """A parser of one half of the sample that predicts its tags."""
    half = len(sentences) // 2
    if request.param == "bilstm":
        pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')
    options = {"system": "arc-hybrid", "epochs": 3, "tagger": True, "model": request.param}
    return train_parser(sentences[:half], dev=sentences[half:], **options)


def test_words_tell_it_of_tags_that_were_predicted(tagging: Parser, sentences: list[Sentence]):
    gold = sentences[len(sentences) // 2 :]
    bare = [Sentence(s.forms) for s in gold]
    sure = list(tagging.parse_many(bare, confidence=True, threads=2))
    plain = list(tagging.parse_many(bare))
    for column in ("upos", "feats"):
        assert [getattr(s, column) for s in sure] == [getattr(s, column) for s in plain]
        said = np.array([getattr(word, f"{column}_confidence") for s in sure for word in s])
        assert ((said > 0) & (said < 1)).all()
        both = zip(sure, gold, strict=True)
        right = [a == b for s, g in both for a, b in zip(getattr(s, column), getattr(g, column), strict=True)]
        assert said.mean() == pytest.approx(np.mean(right), abs=0.02)  # it learnt from these
        assert said[right].mean() > said[~np.array(right)].mean() + 0.05
    alone = tagging.parse(bare[3], confidence=True)
    assert alone.misc == sure[3].misc
    assert json.loads(line_of(alone))["words"][0]["upos_confidence"] == alone[1].upos_confidence


def test_words_tell_nothing_of_tags_that_were_given(tagging: Parser, sentences: list[Sentence]):
    given = sentences[-1]
    mixed = [Sentence(sentences[-2].forms), given, Sentence(given.forms)]
    first, second, third = tagging.parse_many(mixed, confidence=True)
    assert None not in [word.upos_confidence for s in (first, third) for word in s]
    assert [word.upos_confidence for word in second] == [None] * len(given)
    assert None not in [word.confidence for word in second]
    predicted = tagging.parse(given, tags="predict", confidence=True)
    assert [word.upos_confidence for word in predicted] == [word.upos_confidence for word in third]


def test_tags_whose_confidence_does_not_fit(tagging: Parser, tmp_path: Path):
    tagging.save(tmp_path / "m.rearc")
    again = rearc.load(tmp_path / "m.rearc")
    assert again.parse(["Dogs", "bark"], confidence=True).misc == tagging.parse(["Dogs", "bark"], confidence=True).misc
    confidence = tagging._confidence
    assert confidence is not None
    assert {"tag.upos", "tag.feats"} <= confidence.weights.keys()
    for name, wrong in (("tag.upos", np.zeros(3)), ("tag.lemmas", confidence.weights["tag.upos"])):
        with pytest.raises(ValueError, match="weights do not fit"):
            make_confidence(confidence.header, {**confidence.weights, name: wrong}, confidence.labels)
