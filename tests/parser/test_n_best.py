"""Beams and the best trees, as the parser and the command have them."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

import rearc
from rearc.cli.app import app
from rearc.parser import Parser
from rearc.parser.n_best import ranked
from rearc.treebank import Sentence


def test_a_beam_of_one_is_the_greedy_parser(model: Parser, sentences: list[Sentence]):
    greedy = list(model.parse_many(sentences))
    assert list(model.parse_many(sentences, beam=1)) == greedy
    (forest,), _, _ = model._engine.search(sentences, [(1, 1)], 1.0)
    assert forest.heads.tolist() == [head for tree in greedy for head in tree.heads]


def test_the_first_tree_is_what_the_beam_finds(sentences: list[Sentence]):
    parser = rearc.load("en")
    bare = [Sentence(s.forms, comments=s.comments) for s in sentences[:12]]
    parsed = list(parser.parse_many(bare, beam=8))
    for sentence, tree in zip(bare, parsed, strict=True):
        best = parser.n_best(sentence, 5)
        assert best[0][0] == tree == parser.parse(sentence, beam=8)
        assert 1 < len(best) <= 5
        assert len({tuple(tree.heads) for tree, _ in best}) == len(best)
        scores = [score for _, score in best]
        assert scores == sorted(scores, reverse=True)
        assert max(scores) <= 0
        assert all(tree.upos == best[0][0].upos and tree.comments == sentence.comments for tree, _ in best)
    for threads in (1, 3):
        several = list(ranked(parser, bare, 5, threads=threads))
        first = [tree.replace(comments=tree.comments[:-2]) for tree in several if "# rank = 1" in tree.comments]
        assert first == parsed


def test_trees_that_there_are_no_more_of(model: Parser):
    (best,) = model.n_best(["Yes"], 4)
    assert best[0].heads == [0]
    assert best[1] == 0


@pytest.mark.parametrize("k", [0, -1, 1001, 2.0, "2", None])
def test_numbers_of_trees_that_cannot_be(model: Parser, k: object):
    with pytest.raises(ValueError, match="expected a whole number from 1 to 1000"):
        model.n_best(["No"], k)  # type: ignore[arg-type]


@pytest.mark.parametrize("beam", [0, -1, 1001, 2.0, "2"])
def test_beams_that_cannot_be(model: Parser, beam: object):
    for wrong in (
        lambda: model.parse(["No"], beam=beam),  # type: ignore[arg-type]
        lambda: model.parse_many([["No"]], beam=beam),  # type: ignore[arg-type]
        lambda: model.n_best(["No"], 1, beam=beam),  # type: ignore[arg-type]
    ):
        with pytest.raises(ValueError, match="expected a whole number from 1"):
            wrong()
    with pytest.raises(ValueError, match="from 3, the trees to find"):
        model.n_best(["No"], 3, beam=2)


def test_on_the_command_line(tmp_path: Path):
    words = tmp_path / "words.txt"
    words.write_text("She saw the man with a telescope .\nYes\n")
    out = tmp_path / "out.conllu"
    base = ["parse", str(words), "--format", "tokens", "-o", str(out)]
    run = CliRunner().invoke(app, [*base, "--n-best", "3"])
    assert run.exit_code == 0, run.output
    trees = list(rearc.read(out))
    assert [tree.comments[-2] for tree in trees] == [f"# rank = {rank}" for rank in (1, 2, 3, 1)]
    scores = [float(tree.comments[-1].removeprefix("# score = ")) for tree in trees]
    assert scores[0] > scores[1] > scores[2]
    for size in ("1", "8"):
        run = CliRunner().invoke(app, [*base, "--beam", size])
        assert run.exit_code == 0, run.output
        assert [tree.heads for tree in rearc.read(out)] == [trees[0].heads, [0]]
    for wrong in (["--beam", "0"], ["--n-best", "0"], ["--beam", "2", "--n-best", "3"]):
        run = CliRunner().invoke(app, [*base, *wrong])
        assert run.exit_code == 2
        assert "--beam" in run.output or "--n-best" in run.output


def test_a_document_begins_once(tmp_path: Path):
    text = tmp_path / "text.txt"
    text.write_text("She saw the man with a telescope.\n")
    out = tmp_path / "out.conllu"
    run = CliRunner().invoke(app, ["parse", str(text), "--n-best", "2", "-o", str(out)])
    assert run.exit_code == 0, run.output
    begins = [[line for line in tree.comments if line.startswith("# new")] for tree in rearc.read(out)]
    assert begins == [["# newdoc", "# newpar"], []]
