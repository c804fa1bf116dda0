"""What training learns from, chooses, reports and gives."""

import dataclasses
from pathlib import Path

import pytest

import rearc
from rearc.features.clusters import ClusterError
from rearc.features.sets import feature_sets
from rearc.features.templates import TemplateError
from rearc.oracles import oracles
from rearc.parser.errors import ModelError
from rearc.systems import systems
from rearc.training import Epoch, TrainingError, Watcher
from rearc.training.candidates import choose_quickly
from rearc.training.corpus import make_corpus
from rearc.training.defaults import choose_features, choose_oracle, choose_policy
from rearc.training.options import Options
from rearc.training.perceptron import PerceptronTrainer
from rearc.training.plan import Plan, plan
from rearc.treebank import Sentence, TreebankError, sample
from rearc.treebank.trees import is_projective
from tests.trained import train_parser

FLAT = Sentence(["a", "b"], upos=["X", "X"], heads=[0, 1], deprels=["root", "dep"])
TWO_ROOTS = Sentence(["a", "b"], upos=["X", "X"], heads=[0, 0], deprels=["root", "root"])
CROSSING = Sentence(["a", "b", "c", "d"], heads=[3, 0, 2, 2], deprels=["dep", "root", "dep", "dep"])


class Notes(Watcher):
    def __init__(self) -> None:
        self.notes: list[str] = []
        self.records: list[Epoch] = []
        self.steps: list[tuple[int, int, int]] = []

    def note(self, message: str) -> None:
        self.notes.append(message)

    def epoch(self, record: Epoch) -> None:
        self.records.append(record)

    def step(self, epoch: int, done: int, sentences: int) -> None:
        self.steps.append((epoch, done, sentences))


def test_the_same_seed_gives_the_same_file(sentences: list[Sentence], tmp_path: Path):
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        parser = train_parser(sentences, sentences[:10], seed=seed, epochs=3, system="arc-hybrid")
        parser.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()


def test_the_best_epoch_on_dev_is_kept(sentences: list[Sentence]):
    watcher = Notes()
    train, dev = sentences[:25], sentences[25:]
    parser = train_parser(train, dev, epochs=8, system="arc-eager", watcher=watcher)
    scores = [record.las for record in watcher.records]
    assert [record.epoch for record in watcher.records] == list(range(1, 9))
    assert parser.header.epoch == scores.index(max(scores)) + 1
    assert [record.best for record in watcher.records] == [s > max(scores[:k], default=0) for k, s in enumerate(scores)]
    found = rearc.evaluate(dev, parser.parse_many(dev))
    assert parser.header.scores == {"uas": found.uas, "las": found.las}
    assert found.las == max(scores)


def test_without_dev_it_is_the_last(sentences: list[Sentence]):
    parser = train_parser(sentences, epochs=3, system="arc-eager")
    assert (parser.header.epoch, parser.header.epochs, parser.header.scores) == (3, 3, {})


def test_pieces_make_no_difference(sentences: list[Sentence], monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for name, piece in (("a", 1), ("b", 1000)):
        monkeypatch.setattr("rearc.training.perceptron.PIECE", piece)
        train_parser(sentences, epochs=3, system="covington", seed=2).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_is_reported(sentences: list[Sentence]):
    watcher = Notes()
    train_parser(sentences, sentences, epochs=2, system="arc-hybrid", watcher=watcher)
    first, second = watcher.records
    words = sum(map(len, sentences))
    assert first.transitions == second.transitions == 2 * words
    assert 0 < second.mistakes < first.mistakes < first.transitions
    assert 0 < second.more["label_mistakes"] < first.more["label_mistakes"] <= words
    assert first.more["features"] < second.more["features"]
    assert first.more["memory"] > 1000
    assert watcher.steps == [(epoch, done, 40) for epoch in (1, 2) for done in (32, 40)]
    assert watcher.notes == ["7 sentences with a non-projective tree lifted, as arc-hybrid derives none"]


UNSHIFT, OLDER = "arc-eager-unshift, dynamic-monotonic", "arc-eager-nonmonotonic, dynamic-monotonic"


@pytest.mark.parametrize(
    ("model", "one_root", "limit", "below", "above"),
    [
        ("perceptron", True, 2, f"{UNSHIFT}, lift", f"{UNSHIFT}, head"),
        ("perceptron", False, 2, f"{OLDER}, lift", f"{OLDER}, head"),
        ("perceptron", True, 25, f"{UNSHIFT}, head", "covington-nonmonotonic, upper"),
        ("perceptron", False, 25, f"{OLDER}, head", "covington-nonmonotonic, upper"),
        ("bilstm", True, 10, "arc-hybrid, dynamic, lift", "nl-covington, dynamic"),
        ("bilstm", False, 10, "arc-hybrid, dynamic, lift", "nl-covington, dynamic"),
    ],
)  # fmt: skip
def test_the_system_depends_on_the_model_and_the_treebank(
    model: str, one_root: bool, limit: int, below: str, above: str
):
    flat = Sentence(["a", "b"], heads=[2, 0], deprels=["x", "root"])
    crossing = Sentence(["a", "b", "c", "d"], heads=[3, 4, 0, 3], deprels=["x", "x", "root", "x"])
    for count, system in ((limit, below), (limit + 1, above)):
        candidate, why = choose_quickly(model, [flat] * (100 - count) + [crossing] * count, one_root)
        assert str(candidate) == system
        assert why.startswith(f"{count}.0 % of the training sentences are non-projective, ")
        assert count == limit or why.endswith(f"more than {limit} %")


@pytest.mark.parametrize("system", systems())
def test_defaults_exist(system: str):
    assert choose_oracle(system) in oracles(system)
    assert choose_features(system) in feature_sets()
    for oracle in oracles(system):
        after, probability = choose_policy(oracle)
        assert after >= 0
        assert (probability == 0) == (oracle in ("static", "static-lazy"))


def test_the_system_goes_by_non_projectivity(sentences: list[Sentence]):
    watcher = Notes()
    assert train_parser(sentences, epochs=1, watcher=watcher).header.non_projective == "head"
    projective = [s for s in sentences if is_projective(s.tree)]
    assert train_parser(projective, epochs=1, watcher=watcher).header.system == "arc-eager-unshift"
    assert "17.5 % of the training sentences are non-projective" in watcher.notes[0]
    assert "0.0 % of the training sentences are non-projective" in watcher.notes[2]


def test_roots_are_learnt_from_the_treebank():
    assert train_parser([FLAT], epochs=1).header.single_root
    several = train_parser([FLAT, TWO_ROOTS] * 5, epochs=5)
    assert not several.header.single_root
    assert not train_parser([FLAT], epochs=1, single_root=False).header.single_root


def test_trees_with_several_roots_are_left_out_where_one_is_asked_for():
    watcher = Notes()
    parser = train_parser([FLAT, TWO_ROOTS, TWO_ROOTS], epochs=1, single_root=True, system="arc-eager", watcher=watcher)
    assert watcher.notes == ["2 sentences with several roots left out, as one root is asked for"]
    assert parser.parse(TWO_ROOTS).heads.count(0) == 1
    with pytest.raises(TrainingError, match="found no sentence that arc-eager can derive"):
        train_parser([TWO_ROOTS], epochs=1, single_root=True, system="arc-eager")


@pytest.mark.parametrize(
    ("how", "note"),
    [
        ("drop", "7 sentences with a non-projective tree left out, as arc-eager derives none"),
        ("lift", "7 sentences with a non-projective tree lifted, as arc-eager derives none"),
        ("head", "7 sentences with a non-projective tree lifted and marked (head), as arc-eager derives none"),
    ],
)
def test_non_projective_trees(how: str, note: str, sentences: list[Sentence]):
    watcher = Notes()
    parser = train_parser(sentences, epochs=1, system="arc-eager", non_projective=how, watcher=watcher)
    assert watcher.notes == [note]
    assert parser.header.non_projective == how
    assert any("↑" in label.name for label in parser.header.labels) == (how == "head")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"system": "arc"}, "found system 'arc', expected one of covington"),
        (
            {"system": "arc-hybrid", "oracle": "upper"},
            "found oracle 'upper', expected one of static, dynamic",
        ),
        ({"oracle": "upper"}, "found oracle 'upper', expected for arc-eager-unshift one of"),
        ({"epochs": 0}, "found epochs 0, expected at least 1"),
        ({"epochs": "3"}, "found epochs '3', expected a whole number, at least 1"),
        ({"epochs": True}, "found epochs True, expected a whole number"),
        ({"tagger": 1}, "found tagger 1, expected True or False"),
        ({"segmenter": "yes"}, "found segmenter 'yes', expected True or False"),
        ({"only": "tagger"}, "found only 'tagger', expected one of parser"),
        ({"only": "parser", "tagger": True}, "found tagger True, expected none, as the parser alone is to be trained"),
        ({"only": "parser", "segmenter": True}, "found segmenter True, expected none, as the parser alone"),
        ({"columns": "xpos", "tagger": True}, "found columns 'xpos', expected upos, and some of xpos, feats, lemmas"),
        ({"columns": "upos,upos", "tagger": True}, "found columns 'upos,upos', expected upos, and some of"),
        ({"columns": "upos", "tagger": False}, "found columns 'upos', expected none without a tagger"),
        ({"columns": "upos", "only": "parser"}, "found columns 'upos', expected none without a tagger"),
        ({"seed": -1}, "found seed -1"),
        ({"policy": (1, 0.5, 2)}, "found policy (1, 0.5, 2), expected"),
        ({"policy": 1}, "found policy 1, expected a pair of numbers"),
        ({"prune": float("nan")}, "found prune nan, expected a share"),
        ({"jackknife": 1, "tagger": True}, "found jackknife 1, expected at least 2 parts"),
        ({"policy": (1, 2.0)}, "epochs K ≥ 0 and a probability P from 0 to 1"),
        ({"system": "arc-standard", "policy": (1, 1.0)}, "the oracle static knows one path alone"),
        ({"system": "covington", "non_projective": "drop"}, "expected none, as covington derives non-projective trees"),
        ({"non_projective": "hide"}, "found non_projective 'hide', expected one of lift"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str, sentences: list[Sentence]):
    with pytest.raises(TrainingError) as caught:
        train_parser(sentences, **options)
    assert message in str(caught.value)


def test_features_of_ones_own(tmp_path: Path, sentences: list[Sentence]):
    (tmp_path / "mine.txt").write_text("# mine\nS0wt N0wm\n")
    parser = train_parser(sentences, epochs=1, features=str(tmp_path / "mine.txt"), system="arc-hybrid")
    assert parser.header.templates == "S0wt N0wm"
    assert parser.header.expects == ("lemmas", "upos", "xpos", "feats")
    for content, message in (("S0q", "mine.txt:1"), ("", "found no template"), ("S0w S0w", "a second time")):
        (tmp_path / "mine.txt").write_text(content)
        with pytest.raises(TemplateError, match=message):
            train_parser(sentences, features=str(tmp_path / "mine.txt"))
    with pytest.raises(TemplateError, match="expected a file of templates, or one of the sets"):
        train_parser(sentences, features="nosuch")


def test_templates_fit_their_system(tmp_path: Path, sentences: list[Sentence]):
    """Templates that look at what a system does not have would train a bad parser in silence."""
    with pytest.raises(TemplateError, match="found L0, expected words that arc-hybrid has: S, N, CL, CR; L is of cov"):
        train_parser(sentences, epochs=1, system="arc-hybrid", features="rich-covington")
    with pytest.raises(TemplateError, match="found S0, expected words that covington has: L, R, CL, CR; S is of arc-"):
        train_parser(sentences, epochs=1, system="covington", features="rich-stack")
    with pytest.raises(TemplateError, match=r"found H0, .*; H is of templates of labels"):
        train_parser(sentences, epochs=1, system="arc-eager", features="labels")
    with pytest.raises(TemplateError, match="found S0"):  # the system is chosen from the treebank
        train_parser([CROSSING] * 8, epochs=1, features="zhang-nivre")


def test_a_model_file_with_templates_of_another_system(tmp_path: Path, sentences: list[Sentence]):
    parser = train_parser(sentences, epochs=1, system="arc-hybrid")
    parser._model = dataclasses.replace(parser._model, header=dataclasses.replace(parser.header, templates="L0p+R0p"))
    parser.save(tmp_path / "m.rearc")
    with pytest.raises(ModelError, match="L0"):
        rearc.load(tmp_path / "m.rearc")


def test_brown_clusters(tmp_path: Path, sentences: list[Sentence]):
    forms = sorted({form for s in sentences for form in s.forms})
    (tmp_path / "paths").write_text(
        "".join(f"{k % 16:04b}\t{form}\t1\n" for k, form in enumerate(forms)), encoding="utf-8"
    )
    (tmp_path / "mine.txt").write_text("S0c4 N0c S0c+N0c6 S0p+N0p")
    options = {"features": str(tmp_path / "mine.txt"), "clusters": str(tmp_path / "paths"), "epochs": 6}
    parser = train_parser(sentences, system="arc-eager", **options)
    parser.save(tmp_path / "m.rearc")
    again = rearc.load(tmp_path / "m.rearc")
    trees = [s.heads for s in again.parse_many(sentences)]
    assert trees == [s.heads for s in parser.parse_many(sentences)]
    (tmp_path / "paths").write_text("".join(f"0\t{form}\n" for form in forms), encoding="utf-8")
    assert trees != [s.heads for s in train_parser(sentences, system="arc-eager", **options).parse_many(sentences)]
    with pytest.raises(TrainingError, match="expected a file of Brown clusters for it"):
        train_parser(sentences, system="arc-eager", features=options["features"])
    with pytest.raises(TrainingError, match="expected templates that look at them"):
        train_parser(sentences, clusters=options["clusters"])
    for content in (b"", b"01", b"01\t", b"0a\tx", b"01\t\xff\n"):
        (tmp_path / "paths").write_bytes(content)
        with pytest.raises(ClusterError, match=r"paths:?\d?: found .*, expected "):
            train_parser(sentences, system="arc-eager", **options)
    with pytest.raises(ClusterError, match="nosuch: found no such file"):
        train_parser(sentences, system="arc-eager", **{**options, "clusters": "nosuch"})


def test_sentences_without_trees_are_refused():
    with pytest.raises(TreebankError, match="found a sentence without heads, expected a tree"):
        train_parser([FLAT, Sentence(["a"])])
    with pytest.raises(TrainingError, match="found no sentences"):
        train_parser([])
    with pytest.raises(TreebankError, match="without heads"):
        train_parser([FLAT], [Sentence(["a"])])


@pytest.mark.parametrize("system", ["arc-hybrid", "covington"])
@pytest.mark.parametrize("model", ["perceptron", "bilstm"])
def test_in_a_treebank_known_in_part_sentences_may_have_no_heads_at_all(model: str, system: str):
    if model == "bilstm":
        pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')
    partial = Sentence(["a", "b", "c"], upos=["X", "X", "Y"], heads=[0, 1, -1], deprels=["root", "dep", "_"])
    teaching = [FLAT, partial] * 10
    unseen = Sentence(["q", "r", "s"], upos=["X", "X", "X"])
    watcher = Notes()
    parser = train_parser(
        [*teaching, unseen], [*teaching, unseen], watcher=watcher, system=system, epochs=6, model=model
    )
    assert any("13 of 53 heads are unknown" in note for note in watcher.notes)
    assert parser.parse(FLAT, tags="given").heads == FLAT.heads
    assert parser.header.scores["uas"] == 100  # unknown heads do not count


def test_a_treebank_without_labels():
    bare = [s.replace(deprels=None) for s in (FLAT, CROSSING)]
    parser = train_parser(bare, bare, epochs=5)
    assert parser.parse(FLAT).deprels == ["_", "_"]


def test_labels_of_dev_that_training_has_not_seen():
    dev = FLAT.replace(deprels=["root", "new"])
    parser = train_parser([FLAT] * 5, [dev], epochs=3)
    assert parser.header.scores == {"uas": 100.0, "las": 50.0}


def test_the_treebank_is_named_by_its_bytes(tmp_path: Path):
    import hashlib

    copy = tmp_path / "copy.conllu"
    copy.write_bytes(sample().read_bytes())
    parser = train_parser(copy, copy, epochs=1)
    expected = hashlib.sha256(copy.read_bytes()).hexdigest()
    about = dataclasses.asdict(parser.header.train)
    assert about == {"name": "copy.conllu", "sha256": expected, "sentences": 40, "words": 364}
    assert parser.header.dev == parser.header.train


def test_an_api_user_may_stop_too(sentences: list[Sentence]):
    class Impatient(Watcher):
        asked = 0

        def stop(self) -> bool:
            self.asked += 1
            return self.asked > 3

    parser = train_parser(sentences, sentences, epochs=1000, system="arc-hybrid", watcher=Impatient())
    assert parser.header.epochs == 1
    assert list(parser.parse_many(sentences))


def test_exploration_begins_after_k_epochs(sentences: list[Sentence]):
    """With p = 0 or before the k-th epoch there is nothing to explore; behind it the paths differ."""

    def course(policy: tuple[int, float]) -> list[tuple[int, int, int]]:
        watcher = Notes()
        train_parser(sentences, epochs=3, system="arc-eager", policy=policy, watcher=watcher)
        return [(record.transitions, record.mistakes, record.more["features"]) for record in watcher.records]

    never, late, early = course((0, 0.0)), course((2, 1.0)), course((0, 1.0))
    assert never[:2] == late[:2]
    assert never != late
    assert never[0] != early[0]


def test_pruning_leaves_out_small_weights(sentences: list[Sentence]):
    sizes = []
    for prune in (0.0, 0.02, 0.1):
        parser = train_parser(sentences, epochs=5, system="arc-hybrid", prune=prune)
        sizes.append((len(parser._model.weights["types.tags"]), len(parser._model.weights["labels.tags"])))
        assert rearc.evaluate(sentences, parser.parse_many(sentences)).uas > 85
    assert sizes[0] > sizes[1] > sizes[2]
    with pytest.raises(TrainingError, match=r"found prune 1\.5"):
        train_parser(sentences, prune=1.5)


def test_corpora_have_names_without_folders(sentences: list[Sentence]):
    assert make_corpus("/a/b/train.conllu", sentences).about.name == "train.conllu"


def test_memory_is_reported(sentences: list[Sentence]):
    trainer = PerceptronTrainer(Plan(train_parser(sentences, epochs=1).header, sentences, None), None, 1)
    while trainer.learn():
        pass
    assert trainer.finish_epoch().as_dict()["memory"] >= 24 * trainer.types.used


@pytest.mark.parametrize(
    ("change", "options", "found"),
    [
        ({"upos": None}, {}, "<sentences>: found no UPOS, expected some for a tagger to learn from"),
        ({}, {"jackknife": 50}, "<sentences>: found 50 folds, expected from 2 to 40, the number of sentences"),
    ],
    ids=["no UPOS", "too many folds"],
)
def test_a_tagger_that_cannot_be_trained(sentences: list[Sentence], change: dict, options: dict, found: str):
    with pytest.raises(TrainingError, match=found):
        train_parser([s.replace(**change) for s in sentences], tagger=True, epochs=1, **options)


@pytest.mark.parametrize("system", ["covington-nonmonotonic", "nl-covington-nonmonotonic"])
@pytest.mark.parametrize("bound", ["pc-upper", "upper", "simulated"])
def test_learning_without_a_mistake_has_learnt_the_trees(system: str, bound: str, sentences: list[Sentence]):
    # these bounds are never below the loss, so that a derivation without cost ends in the gold tree; lower may be
    trainer = PerceptronTrainer(
        plan(make_corpus("some", sentences), None, Options(system=system, oracle=bound), lambda note: None), None, 30
    )
    while trainer.epoch < trainer.epochs:
        while trainer.learn():
            pass
        trainer.finish_epoch()
    assert trainer.history[-1].mistakes == 0
    heads, _ = trainer.learner.decoder.parse(trainer.train.values, trainer.train.offsets)
    assert heads.tolist() == [head for sentence in sentences for head in sentence.heads]
