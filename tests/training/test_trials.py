"""The system is chosen by trials: which, with how much of the treebank, and the same again."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import rearc
from rearc.oracles import oracles
from rearc.oracles.table import takes_partial
from rearc.parser import ModelError
from rearc.parser.header import Trial
from rearc.systems import traits
from rearc.training import Stopped, TrainingError, Watcher
from rearc.training import trials as trials_room
from rearc.training.candidates import CANDIDATES, QUICK, Candidate, candidates, choose_quickly
from rearc.training.checkpoint import checkpoint_of
from rearc.training.corpus import Corpus, make_corpus
from rearc.training.defaults import choose_single_root, suits_one_root
from rearc.training.options import Options
from rearc.training.trials import EPOCHS, Prices, better_half, hold_out, sample, stage, wants_trials, winner
from rearc.treebank import Sentence
from tests.training.conftest import start

FAST = {"only": "parser", "epochs": 3}
LIFTED = Candidate("arc-hybrid", "dynamic", "lift")
AS_THEY_ARE = dict(CANDIDATES)
ALL = [candidate for field in CANDIDATES.values() for candidate in field]


class Looking(Watcher):
    """Keeps what it is told, and stops behind so many trials."""

    def __init__(self, stop_behind: int = 1000) -> None:
        self.notes: list[str] = []
        self.trials: list[Trial] = []
        self.tried: list[str] = []
        self.stop_behind = stop_behind

    def note(self, message: str) -> None:
        self.notes.append(message)

    def trial(self, record: Trial) -> None:
        self.trials.append(record)

    def trying(self, what: str, done: int, sentences: int) -> None:
        assert 0 < done <= sentences
        self.tried.append(what)

    def stop(self) -> bool:
        return len(self.trials) == self.stop_behind


@pytest.fixture(autouse=True)
def _few_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    few = (LIFTED, Candidate("arc-hybrid", "dynamic", "head"), Candidate("covington", "dynamic", cost=3.0))
    monkeypatch.setitem(CANDIDATES, "perceptron", few)


@pytest.fixture(scope="module")
def many(sentences: list[Sentence]) -> list[Sentence]:
    return sentences * 3


# The table ---------------------------------------------------------------------------------------------------------


def test_every_candidate_can_be_trained():
    for candidate in [*ALL, *(candidate for choices in QUICK.values() for _, candidate in choices)]:
        assert candidate.oracle in oracles(candidate.system)
        assert traits(candidate.system).derives_all == (candidate.non_projective is None)
        assert candidate.cost >= 1


def test_projective_treebanks_have_fewer(monkeypatch: pytest.MonkeyPatch):
    field = (LIFTED, Candidate("nl-covington", "dynamic", share=10.0))
    monkeypatch.setitem(CANDIDATES, "perceptron", field)
    flat = Sentence(["a", "b"], heads=[2, 0], deprels=["x", "root"])
    crossing = Sentence(["a", "b", "c", "d"], heads=[3, 4, 0, 3], deprels=["x", "x", "root", "x"])
    assert candidates("perceptron", [flat] * 9 + [crossing], True) == [*field]
    assert candidates("perceptron", [flat] * 10 + [crossing], True) == [field[0]]


def test_unknown_heads_leave_candidates_that_learn_from_them(monkeypatch: pytest.MonkeyPatch):
    field = (LIFTED, Candidate("arc-hybrid", "static", "lift"))
    monkeypatch.setitem(CANDIDATES, "perceptron", field)
    flat = Sentence(["a", "b"], heads=[2, 0], deprels=["x", "root"])
    partial = Sentence(["a", "b"], heads=[2, -1], deprels=["x", "_"])
    assert candidates("perceptron", [flat], True) == [*field]
    assert candidates("perceptron", [flat, partial], True) == [LIFTED]
    assert all(takes_partial(candidate.system, candidate.oracle) for candidate in ALL[:2])


@pytest.mark.parametrize("model", list(CANDIDATES))
@pytest.mark.parametrize("share", [0, 5, 50])
def test_several_roots_leave_systems_that_build_them(monkeypatch: pytest.MonkeyPatch, model: str, share: int):
    monkeypatch.setitem(CANDIDATES, model, AS_THEY_ARE[model])
    flat = Sentence(["a", "b"], heads=[2, 0], deprels=["x", "root"])
    crossing = Sentence(["a", "b", "c", "d"], heads=[3, 4, 0, 3], deprels=["x", "x", "root", "x"])
    sentences = [flat] * (100 - share) + [crossing] * share
    for single_root in (True, False):
        field = [*candidates(model, sentences, single_root), choose_quickly(model, sentences, single_root)[0]]
        assert all(single_root or not traits(candidate.system).one_root for candidate in field)
        assert len(field) >= 3


def test_a_stray_sentence_with_several_roots():
    one = Sentence(["a", "b"], heads=[2, 0], deprels=["x", "root"])
    two = Sentence(["a", "b"], heads=[0, 0], deprels=["root", "root"])
    assert suits_one_root(None, [one] * 99 + [two])
    assert not suits_one_root(None, [one] * 97 + [two] * 2)
    assert suits_one_root(True, [two])
    assert not suits_one_root(False, [one])
    assert choose_single_root(None, [one] * 99)
    assert not choose_single_root(None, [one] * 99 + [two])


# Who wants trials --------------------------------------------------------------------------------------------------


def test_trials_are_for_those_who_choose_nothing(many: list[Sentence]):
    corpus = make_corpus("t", many)
    assert wants_trials(corpus, Options())
    assert wants_trials(corpus, Options(epochs=3, seed=4, single_root=True, only="parser"))
    for chosen in (
        {"quick": True}, {"system": "arc-hybrid"}, {"oracle": "dynamic"}, {"non_projective": "head"},
        {"policy": (1, 0.5)}, {"features": "rich-stack"}, {"model": "bilstm", "slots": "s0 b0"},
    ):  # fmt: skip
        assert not wants_trials(corpus, Options(**chosen))
    assert not wants_trials(make_corpus("t", many[:99]), Options())


# How much --------------------------------------------------------------------------------------------------------


def test_a_round_spends_its_budget_and_no_more(many: list[Sentence]):
    corpus, dev = make_corpus("t", many), make_corpus("d", many[:30])
    prices = Prices(0.5, 0.3, 1.0)
    for costs in ([1.0] * 8, [1.0, 3.0, 4.0], [1.0, 1.0], [5.0] * 10):
        field = [Candidate("arc-hybrid", "dynamic", "lift", cost) for cost in costs]
        for passes in (3, 15, 40):
            budget = passes * (1.5 * corpus.about.words + 0.3 * dev.about.words) / 3
            assert 3 * budget == pytest.approx(prices.training(passes, corpus.about.words, dev.about.words))
            size = stage(field, budget, prices, corpus, dev, passes)
            part, seen = sample(corpus, size.sentences, 1), sample(dev, size.dev, 1)
            assert EPOCHS <= size.epochs <= passes
            spent = sum(costs) * ((size.epochs + 0.5) * part.about.words + 0.3 * seen.about.words)
            spent += len(costs) * (part.about.words + seen.about.words)
            assert spent < 1.5 * budget  # sentences are of different lengths
            full = size.epochs == passes and size.sentences == len(many)
            assert full or spent > 0.5 * budget


def test_samples_grow_and_keep_their_order(many: list[Sentence]):
    corpus = make_corpus("t", many)
    numbered = Corpus([s.replace(deprels=[f"{k}"] * len(s)) for k, s in enumerate(many)], corpus.about)
    before: list[int] = []
    for count in (1, 10, 50, 119, 120, 500):
        part = sample(numbered, count, 7)
        which = [int(s.deprels[0]) for s in part.sentences]
        assert which == sorted(which)
        assert len(which) == part.about.sentences == min(count, len(many))
        assert part.about.words == sum(map(len, part.sentences))
        assert set(before) <= set(which)
        before = which
    assert sample(numbered, 50, 7) == sample(numbered, 50, 7)
    assert sample(numbered, 50, 7) != sample(numbered, 50, 8)


def test_a_tenth_is_held_out(many: list[Sentence]):
    rest, held = hold_out(make_corpus("t", many))
    assert held.sentences == many[9::10]
    assert len(rest.sentences) + len(held.sentences) == len(many)


def test_the_better_half_and_the_winner():
    field = [Candidate(name, "dynamic") for name in "abcde"]
    assert [c.system for c in better_half(field, [1.0, 5.0, 3.0, 3.0, 4.0])] == ["b", "c", "e"]
    rows = [(1, "a", 90.0), (1, "b", 60.0), (2, "b", 70.0), (2, "c", 70.0), (2, "d", 69.0)]
    trials = [Trial(number, system, "dynamic", "kept", 9, 3, las) for number, system, las in rows]
    assert winner(trials).system == "b"


# The play-off ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "cost", "last", "rounds"),
    [
        ({"nl-covington": 80.0, "covington-nonmonotonic": 70.0}, 3.0, ["nl-covington", "covington-nonmonotonic"], 3),
        ({"nl-covington": 80.0, "covington-nonmonotonic": 79.0}, 3.0, ["nl-covington", "covington-nonmonotonic"], 3),
        ({"nl-covington": 78.0, "covington-nonmonotonic": 79.0}, 3.0, ["covington-nonmonotonic", "nl-covington"], 2),
        ({"nl-covington": 80.0, "covington-nonmonotonic": 70.0}, 1.2, ["nl-covington", "arc-eager"], 2),  # no time
        ({"arc-eager": 80.0, "covington-nonmonotonic": 70.0}, 3.0, ["arc-eager", "nl-covington"], 2),  # nor here
    ],
)
def test_a_play_off_where_the_winner_takes_long_anyway(many, monkeypatch, scores, cost, last, rounds):
    """Above 25 % of non-projective sentences covington-nonmonotonic is right on average."""
    field = (
        LIFTED,
        Candidate("arc-eager", "dynamic", "lift"),
        Candidate("covington-nonmonotonic", "upper", cost=cost),
        Candidate("nl-covington", "dynamic", cost=3.6),
    )
    monkeypatch.setitem(CANDIDATES, "perceptron", field)
    monkeypatch.setattr("rearc.training.candidates.share_of", lambda sentences: 30.0)
    others = {"arc-hybrid": 60.0, "arc-eager": 75.0, "nl-covington": 76.0}
    monkeypatch.setattr(trials_room, "try_out", lambda candidate, *rest: (others | scores)[candidate.system])
    corpus, dev = make_corpus("t", many), make_corpus("d", many[:30])
    trials = trials_room.run_trials(corpus, dev, Options(**FAST), None, Looking())
    held = [[trial for trial in trials if trial.round == number] for number in range(1, rounds + 1)]
    assert sum(map(len, held)) == len(trials)
    assert {trial.system for trial in held[-1]} == set(last)
    assert winner(trials).system == last[0]
    if rounds == 3:
        assert held[2][0].sentences * held[2][0].epochs >= held[1][0].sentences * held[1][0].epochs


# The whole ---------------------------------------------------------------------------------------------------------


def test_the_winner_is_trained_in_full_and_the_header_tells(many: list[Sentence], tmp_path: Path):
    watcher = Looking()
    parser = rearc.train(many, many[:30], watcher=watcher, **FAST)
    header = parser.header
    assert list(header.trials) == watcher.trials
    assert [trial.round for trial in header.trials] == [1, 1, 1, 2, 2]
    best = winner(header.trials)
    assert (header.system, header.oracle, header.non_projective) == (best.system, best.oracle, best.non_projective)
    assert header.epochs == 3
    assert any(f"system {best.system}: the best in the last of 2 rounds" in note for note in watcher.notes)
    assert len(dict.fromkeys(watcher.tried)) == 5
    parser.save(tmp_path / "m.rearc")
    assert rearc.load(tmp_path / "m.rearc").header == header
    how = None if best.non_projective == "kept" else best.non_projective
    alone = rearc.train(many, many[:30], system=best.system, oracle=best.oracle, non_projective=how, **FAST)
    assert alone.header.scores == header.scores
    assert alone.header.trials == ()


def test_the_same_seed_makes_the_same_choice_and_the_same_bytes(many: list[Sentence], tmp_path: Path):
    for name in ("a", "b"):
        rearc.train(many, seed=5, **FAST).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert rearc.load(tmp_path / "a").header.dev is None  # what is held out for the trials is learnt in full


def test_quick_takes_what_is_right_on_average(many: list[Sentence]):
    watcher = Looking()
    header = rearc.train(many, quick=True, watcher=watcher, **FAST).header
    assert header.trials == ()
    assert (header.system, header.non_projective) == ("arc-eager-unshift", "head")  # 17.5 % are non-projective
    assert not watcher.trials


# Stopped and taken up again ----------------------------------------------------------------------------------------


def test_trials_that_are_made_are_not_made_again(many: list[Sentence], tmp_path: Path, monkeypatch):
    whole = rearc.train(many, many[:30], **FAST)
    whole.save(tmp_path / "whole")
    options = FAST | {"checkpoint": tmp_path / "c"}
    with pytest.raises(Stopped):
        rearc.train(many, many[:30], watcher=Looking(2), **options)
    with pytest.raises(Stopped):
        rearc.train(many, many[:30], watcher=Looking(4), resume=True, **options)
    with pytest.raises(TrainingError, match="found a training with another seed"):
        rearc.train(many, many[:30], resume=True, seed=9, **options)
    with pytest.raises(TrainingError, match=r"found a training with another .*system"):
        rearc.train(many, many[:30], resume=True, system="arc-hybrid", **options)
    made = []
    try_out = trials_room.try_out
    monkeypatch.setattr(trials_room, "try_out", lambda *arguments: made.append(1) or try_out(*arguments))
    watcher = Looking()
    rearc.train(many, many[:30], watcher=watcher, resume=True, **options).save(tmp_path / "resumed")
    assert (len(made), len(watcher.trials)) == (1, 5)
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()
    made.clear()  # the checkpoint is now one behind an epoch
    rearc.train(many, many[:30], watcher=watcher, resume=True, **options).save(tmp_path / "again")
    assert not made
    assert (tmp_path / "again").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_training_without_trials_does_not_go_on_with_them(many: list[Sentence], tmp_path: Path):
    options = FAST | {"checkpoint": tmp_path / "c"}
    rearc.train(many, quick=True, **options)
    with pytest.raises(TrainingError, match="found a training without trials of systems"):
        rearc.train(many, resume=True, **options)


def test_trials_that_somebody_else_wrote(many: list[Sentence], tmp_path: Path, monkeypatch):
    options = FAST | {"checkpoint": tmp_path / "c"}
    encode = json.dumps
    for trials in (3, [3], [{"round": 1}], None):
        monkeypatch.setattr(
            "rearc.training.checkpoint.json.dumps", lambda state, t=trials: encode(state | {"trials": t})
        )
        with pytest.raises(Stopped):
            rearc.train(many, watcher=Looking(1), **options)
        monkeypatch.undo()
        with pytest.raises((ModelError, TrainingError), match=r"trials|another"):
            rearc.train(many, resume=True, **options)


def test_killed_among_the_trials(larger: Path, tmp_path: Path):
    """With all candidates there are, by the command."""
    arguments = ("train", "--only", "parser", larger, "--epochs", 3, "-o")
    with start(*arguments, tmp_path / "whole") as process:
        assert process.wait(timeout=200) == 0, process.stderr.read()
    model = tmp_path / "m.rearc"
    with start(*arguments, model) as process:
        while "LAS" not in process.stderr.readline():
            pass
        process.kill()
    with start(*arguments, model, "--resume") as process:
        while "LAS" not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGTERM)
        assert "stopped before there was a model; --resume goes on behind" in process.communicate(timeout=60)[1]
    with start(*arguments, model, "--resume") as process:
        errors = process.communicate(timeout=200)[1]
    assert process.returncode == 0, errors
    assert model.read_bytes() == (tmp_path / "whole").read_bytes()
    assert not checkpoint_of(model).exists()
    shown = subprocess.run([sys.executable, "-m", "rearc", "info", model], capture_output=True, text=True, check=True)
    assert "Trials by which the system was chosen" in shown.stdout
    assert "arc-eager-unshift, dynamic-monotonic, lift" in shown.stdout
