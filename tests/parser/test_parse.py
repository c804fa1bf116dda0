"""Parsing: what goes in and comes out, by one thread and by many."""

import threading
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

import rearc
from rearc.oracles import oracles
from rearc.parser import ModelError, Parser
from rearc.parser.container import read_container, write_container
from rearc.parser.model_tagger import load_tagger
from rearc.systems import systems
from rearc.tagger.tagger import Tagger
from rearc.treebank import Sentence, TreebankError, batches, sample
from rearc.treebank.pseudoprojective import projective_heads
from rearc.treebank.trees import roots
from tests.trained import train_parser

LINEAR = [name for name in systems() if "covington" not in name]


@pytest.mark.parametrize("system", systems())
def test_every_system_learns_a_small_treebank_by_heart(system: str, sentences: list[Sentence]):
    for oracle in oracles(system):
        parser = train_parser(sentences, system=system, oracle=oracle, epochs=25)
        gold = sentences
        if parser.header.non_projective == "lift":
            gold = [s.replace(heads=projective_heads(s.tree)[1:].tolist()) for s in sentences]
        scores = rearc.evaluate(gold, parser.parse_many(sentences))
        assert scores.las > 98, oracle
        assert all(len(roots(s.tree)) == 1 for s in parser.parse_many(sentences))


@pytest.mark.parametrize("encoding", ["head", "path", "head+path"])
def test_pseudo_projective_models_bring_the_arcs_back(encoding: str, sentences: list[Sentence]):
    parser = train_parser(sentences, system="arc-hybrid", oracle="static", epochs=20, non_projective=encoding)
    scores = rearc.evaluate(sentences, parser.parse_many(sentences))
    assert scores.non_projective.recall > 70
    assert scores.las > 98


def test_words_or_a_sentence(model: Parser, sentences: list[Sentence]):
    words = ["I", "saw", "Jack"]
    assert model.parse(words) == model.parse(Sentence(words))
    assert model.parse(words).has_tree
    gold = sentences[0]
    bare = gold.replace(heads=None, deprels=None)
    assert model.parse(bare) == gold


def test_all_but_the_tree_is_kept(model: Parser, sentences: list[Sentence]):
    assert any(s.multiwords for s in sentences)
    assert any(s.empties for s in sentences)
    for before in sentences:
        after = model.parse(before)
        assert after.replace(heads=before.heads, deprels=before.deprels) == before
        assert (after.file, after.line) == (before.file, before.line)


@pytest.mark.parametrize(
    "words",
    [
        ["x"],
        ["_"],
        ["."] * 50,
        ["\N{GRINNING FACE}", "\u202e", "\u0000"[:0] + "\u00ad"],
        ["a b"],
        ["İ", "ß", "ﬃ"],
        ["x" * 100_000],
    ],
    ids=["one word", "underscore", "stops", "odd", "space", "casing", "long"],
)
def test_odd_words_are_normal(words: list[str], model: Parser):
    tree = model.parse(words)
    assert tree.forms == words
    assert sum(head == 0 for head in tree.heads) == 1
    assert all(label in {entry.name for entry in model.header.labels} for label in tree.deprels)


def test_every_script(model: Parser):
    words = [
        chr(code) for code in range(0x21, 0x30000, 97) if unicodedata.category(chr(code)) not in ("Cs", "Cc", "Cn")
    ]
    assert model.parse(words).has_tree


def test_no_words(model: Parser):
    with pytest.raises(TreebankError, match="found no words, expected at least one word"):
        model.parse([])
    with pytest.raises(TreebankError, match="the string 'I saw', expected a Sentence or a list of words"):
        model.parse("I saw")
    assert list(model.parse_many([])) == []


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_change_nothing(
    threads: int, model: Parser, sentences: list[Sentence], monkeypatch: pytest.MonkeyPatch
):
    many = sentences * 20
    alone = [model.parse(s) for s in sentences] * 20
    assert list(model.parse_many(many)) == alone
    for words in (1, 50, 1000):
        monkeypatch.setattr(batches, "WORDS", words)
        assert list(model.parse_many(many, threads=threads)) == alone


def test_eight_callers_on_one_model(model: Parser, sentences: list[Sentence]):
    expected = [model.parse(s) for s in sentences]
    wrong: list[str] = []

    def call(number: int) -> None:
        for _ in range(5):
            if number % 2:
                got = list(model.parse_many(sentences, threads=1 + number % 3))
            else:
                got = [model.parse(s) for s in sentences]
            if got != expected:
                wrong.append(f"caller {number}")

    callers = [threading.Thread(target=call, args=(number,)) for number in range(8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_input_is_streamed(threads: int, model: Parser, sentences: list[Sentence], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(batches, "WORDS", 100)
    read = 0

    def endless() -> Iterator[Sentence]:
        nonlocal read
        while True:
            for sentence in sentences:
                read += len(sentence)
                yield sentence

    parsed = model.parse_many(endless(), threads=threads)
    given = 0
    for _ in range(200):
        given += len(next(parsed))
        assert read - given <= (2 * threads + 1) * 130
    parsed.close()
    assert threading.active_count() < 4 + threads


@pytest.mark.parametrize("threads", [1, 3])
def test_what_comes_before_an_error_in_reading_is_given_first(threads: int, model: Parser, sentences: list[Sentence]):
    def broken(items: Iterable[Sentence]) -> Iterator[Sentence]:
        yield from items
        raise TreebankError("in.conllu", 9, 1, "nonsense", "sense", "think again")

    parsed = model.parse_many(broken(sentences * 30), threads=threads)
    assert sum(1 for _ in (next(parsed) for _ in range(len(sentences) * 30))) == len(sentences) * 30
    with pytest.raises(TreebankError, match="nonsense"):
        next(parsed)


def test_wrong_calls(model: Parser, sentences: list[Sentence]):
    with pytest.raises(ValueError, match="found 0 threads, expected at least 1"):
        model.parse_many(sentences, threads=0)
    with pytest.raises(ValueError, match="found tags='some'"):
        model.parse_many(sentences, tags="some")
    with pytest.raises(ValueError, match="expected a model with a tagger"):
        model.parse_many(sentences, tags="predict")


@pytest.mark.parametrize("system", LINEAR)
def test_two_thousand_words(system: str, sentences: list[Sentence]):
    parser = train_parser(sentences, system=system, epochs=2)
    forms, upos = (
        [getattr(word, name) for _ in range(6) for s in sentences for word in s] for name in ("form", "upos")
    )
    tree = parser.parse(Sentence(forms, upos=upos))
    assert len(tree) > 2000
    assert len(roots(tree.tree)) == 1


def test_a_hundred_thousand_words(sentences: list[Sentence]):
    parser = train_parser(sentences, system="arc-eager", epochs=2)
    forms = [word.form for s in sentences for word in s]
    tree = parser.parse((forms * 300)[:100_000])
    assert len(tree) == 100_000
    assert len(roots(tree.tree)) == 1


def test_the_tagger_is_asked_for_what_is_missing(model: Parser, sentences: list[Sentence]):
    class Known:
        """Tags as in the sample."""

        asked: list[int] = []  # noqa: RUF012

        def tag_with_margins(self, bare: Sequence[Sentence]) -> tuple[list[Sentence], dict[str, object]]:
            tags = {tuple(s.forms): s for s in sentences}
            tagged = []
            for sentence in bare:
                self.asked.append(len(sentence))
                gold = tags[tuple(sentence.forms)]
                tagged.append(sentence.replace(upos=gold.upos, feats=gold.feats))
            return tagged, {}

    parser = Parser(model._model, Known())
    bare = [s.replace(upos=None, xpos=None, feats=None) if k % 2 else s for k, s in enumerate(sentences)]
    expected = list(model.parse_many(sentences))
    assert [s.heads for s in parser.parse_many(bare)] == [s.heads for s in expected]
    assert len(Known.asked) == 20
    Known.asked.clear()
    assert [s.heads for s in parser.parse_many(bare, tags="predict", threads=2)] == [s.heads for s in expected]
    assert len(Known.asked) == 40
    assert list(parser.parse_many(bare, tags="given")) == list(model.parse_many(bare))


@pytest.fixture(scope="module")
def with_tagger(model: Parser, sentences: list[Sentence], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tagged") / "m.rearc"
    Parser(model._model, Tagger.train(sentences, columns=("upos", "feats"), epochs=5)).save(path)
    return path


def test_the_tagger_is_saved_with_the_parser(with_tagger: Path, sentences: list[Sentence], tmp_path: Path):
    parser = rearc.load(with_tagger)
    assert parser.tagger.columns == ("upos", "feats")
    bare = [Sentence(s.forms) for s in sentences]
    tagged = list(parser.tagger.tag_many(bare))
    assert tagged == load_tagger(with_tagger).tag(bare)
    assert list(parser.parse_many(bare)) == list(parser.parse_many(tagged, tags="given"))
    assert list(parser.parse_many(bare, threads=3)) == list(parser.parse_many(bare))
    right = sum(a == b for s, t in zip(tagged, sentences, strict=True) for a, b in zip(s.upos, t.upos, strict=True))
    assert right / sum(map(len, sentences)) > 0.99
    parser.save(tmp_path / "again.rearc")
    assert (tmp_path / "again.rearc").read_bytes() == with_tagger.read_bytes()


def test_a_tagger_that_is_none(with_tagger: Path, tiny: Path, tmp_path: Path):
    members = {name: [data] for name, data in read_container(with_tagger).items()}
    for changed, found in (
        ({"tagger/header.json": [b"{}"]}, "no header of a tagger"),
        ({"tagger/header.json": [b"{"]}, "a header of a tagger that is no JSON"),
        ({"tagger/header.json": [b"[" * 100_000]}, "a header of a tagger that is no JSON"),
        ({"tagger/weights.safetensors": [b""]}, "0 bytes of tensors"),
        ({"tagger/more": [b""]}, "a tagger of 'header.json', 'weights.safetensors', 'more'"),
    ):
        write_container(tmp_path / "m.rearc", members | changed)
        for load in (rearc.load, load_tagger):
            with pytest.raises(ModelError, match=found):
                load(tmp_path / "m.rearc")
    with pytest.raises(ModelError, match=r"found no tagger, expected a model with a tagger; train it with a tagger"):
        load_tagger(tiny)


def test_on_a_real_treebank(treebanks: Path):
    """As the paper's figures are made: far above chance, and the model's own score is what evaluate says."""
    folder = treebanks / "sl_sst"
    parser = train_parser(folder / "train.conllu", folder / "dev.conllu", epochs=2)
    scores = rearc.evaluate(folder / "dev.conllu", parser.parse_many(rearc.read(folder / "dev.conllu")))
    assert scores.las > 65
    assert parser.header.scores == {"uas": scores.uas, "las": scores.las}


def test_the_sample_parses_itself(model: Parser):
    assert rearc.evaluate(sample(), model.parse_many(rearc.read(sample()))).las == 100
