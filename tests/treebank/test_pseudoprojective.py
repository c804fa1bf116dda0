import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rearc.treebank import Sentence, TreebankError, read
from rearc.treebank.generate import all_trees, random_sentence, random_tree
from rearc.treebank.lifting import lift
from rearc.treebank.pseudoprojective import (
    ENCODINGS,
    deprojectivise,
    deprojectivise_tree,
    projective_heads,
    projectivise,
    projectivise_tree,
    round_trip,
)
from rearc.treebank.trees import is_projective, is_tree, non_projective_arcs
from tests.conftest import find_treebanks
from tests.naive import lifting as naive

# Z nich je jen jedna na kvalitu . — the sentence of the paper's figures 1 and 2: Z hangs on jedna, across je.
CZECH = Sentence(
    ["Z", "nich", "je", "jen", "jedna", "na", "kvalitu", "."],
    heads=[5, 1, 0, 5, 3, 3, 6, 0],
    deprels=["AuxP", "Atr", "Pred", "AuxZ", "Sb", "AuxP", "Adv", "AuxK"],
)


@pytest.mark.parametrize(
    ("encoding", "labels"),
    [
        ("head", "AuxP↑Sb Atr Pred AuxZ Sb AuxP Adv AuxK"),
        ("path", "AuxP↑ Atr Pred AuxZ Sb↓ AuxP Adv AuxK"),
        ("head+path", "AuxP↑Sb Atr Pred AuxZ Sb↓ AuxP Adv AuxK"),
    ],
)
def test_the_paper_s_sentence(encoding: str, labels: str) -> None:
    projective = projectivise(CZECH, encoding)
    assert projective.heads == [3, 1, 0, 5, 3, 3, 6, 0]
    assert projective.deprels == labels.split()
    assert projective.forms == CZECH.forms
    restored = deprojectivise(projective, encoding)
    assert (restored.heads, restored.deprels) == (CZECH.heads, CZECH.deprels)


def test_both_marks_on_one_arc() -> None:
    heads = [0, 4, 4, 0, 3, 1]  # 2 and 1 are lifted past 4, then 5 past 1
    projective = projectivise_tree(heads, ["", "a", "b", "c", "d", "e"], "head+path")
    assert is_projective(projective.heads)
    assert projective.labels == ["", "a↑d↓", "b↑d", "c", "d↓", "e↑a"]
    assert deprojectivise_tree(projective.heads, projective.labels, "head+path").heads == heads


@pytest.mark.parametrize("n", range(6))
def test_lifting_all_trees(n: int) -> None:
    for heads in all_trees(n):
        lifted, passed = lift(heads)
        assert (lifted.tolist(), set(np.flatnonzero(passed).tolist())) == naive.lift(heads)
        assert projective_heads(heads).tolist() == lifted.tolist()
        assert is_tree(lifted)
        assert is_projective(lifted)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 25), st.integers(0, 2**32))
def test_lifting_random_trees(n: int, seed: int) -> None:
    heads = random_tree(n, np.random.default_rng(seed))
    lifted, passed = lift(heads)
    assert (lifted.tolist(), set(np.flatnonzero(passed).tolist())) == naive.lift(heads)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("n", range(6))
def test_there_and_back_over_all_trees(n: int, encoding: str) -> None:
    labels = ["", *"abcde"[:n]]
    for heads in all_trees(n):
        projective = projectivise_tree(heads, labels, encoding)
        assert projective.lifted == [d for d in range(1, n + 1) if projective.heads[d] != heads[d]]
        restored = deprojectivise_tree(projective.heads, projective.labels, encoding)
        assert is_tree(restored.heads)
        assert restored.labels == labels
        moved = {d for d in range(1, n + 1) if restored.heads[d] != projective.heads[d]}
        assert moved.isdisjoint(restored.unresolved)
        assert moved.union(restored.unresolved) == set(projective.lifted)
        if encoding == "head+path" and not restored.unresolved:  # labels name their words: no other can be found
            assert restored.heads == heads


def test_one_lift_with_labels_of_its_own_always_comes_back() -> None:
    for heads in all_trees(6, projective=False):
        for encoding in ENCODINGS:
            projective = projectivise_tree(heads, list("_abcdef"), encoding)
            if len(projective.lifted) == 1:
                assert deprojectivise_tree(projective.heads, projective.labels, encoding).heads == heads


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=50, deadline=None)
@given(st.integers(1, 40), st.integers(0, 2**32))
def test_random_sentences(encoding: str, n: int, seed: int) -> None:
    sentence = random_sentence(n, np.random.default_rng(seed))
    projective = projectivise(sentence, encoding)
    assert is_projective(projective.tree)
    restored = deprojectivise(projective, encoding)
    assert restored.deprels == sentence.deprels
    assert is_tree(restored.tree)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_awkward_labels_survive(encoding: str) -> None:
    labels = ["acl:relcl", "root", "a|b", "a_b^+"]
    sentence = Sentence(["a", "b", "c", "d"], heads=[2, 0, 2, 1], deprels=labels)
    projective = projectivise(sentence, encoding)
    assert projective.heads == [2, 0, 2, 2]
    restored = deprojectivise(projective, encoding)
    assert (restored.heads, restored.deprels) == (sentence.heads, labels)


def test_a_mark_without_a_fitting_head_stays_where_it_is() -> None:
    restored = deprojectivise_tree([0, 2, 0, 2], ["", "a", "root", "b↑c"], "head")
    assert restored == ([0, 2, 0, 2], ["", "a", "root", "b"], [3])


def test_the_first_fitting_head_is_the_highest_then_the_leftmost() -> None:
    labels = ["", "x", "x", "root", "x", "d↑x"]
    assert deprojectivise_tree([0, 2, 3, 0, 3, 3], labels, "head").heads[5] == 2


def test_a_word_is_not_hung_below_itself() -> None:
    restored = deprojectivise_tree([0, 0, 1, 2], ["", "root", "a↑b", "b"], "head")
    assert restored.heads == [0, 0, 1, 2]
    assert restored.unresolved == [2]


def test_labels_with_marks_are_refused(tmp_path) -> None:
    file = tmp_path / "marked.conllu"
    rows = ["# c", "1\ta\t_\t_\t_\t_\t0\troot\t_\t_", "2\tb\t_\t_\t_\t_\t1\tx↑y\t_\t_", "", ""]
    file.write_text("\n".join(rows), encoding="utf-8")
    (sentence,) = read(file)
    with pytest.raises(TreebankError, match="found the label 'x↑y', expected one without ↑ and ↓") as raised:
        projectivise(sentence)
    assert (raised.value.file, raised.value.line) == (str(file), 3)


@pytest.mark.parametrize(
    ("label", "encoding"),
    [("x↑", "head"), ("x↓", "head"), ("x↑y↓", "head"), ("x↑y", "path"), ("x↑", "head+path"), ("x↑y↑z", "head")],
)
def test_labels_of_another_encoding_are_refused(label: str, encoding: str) -> None:
    sentence = Sentence(["a", "b"], heads=[0, 1], deprels=["root", label])
    with pytest.raises(TreebankError, match=f"expected one of the encoding '{encoding}'".replace("+", r"\+")):
        deprojectivise(sentence, encoding)


@pytest.mark.parametrize("transform", [projectivise, deprojectivise])
def test_what_cannot_be_transformed(transform) -> None:
    with pytest.raises(ValueError, match="'heads', expected one of head, path, head"):
        transform(CZECH, "heads")
    with pytest.raises(TreebankError, match="found a word without head"):
        transform(Sentence(["a"]))
    with pytest.raises(ValueError, match="cycle"):
        transform(Sentence(["a", "b"], heads=[2, 1]))


def test_a_round_trip_is_counted() -> None:
    result = round_trip([CZECH, CZECH], "path")
    assert (result.arcs, result.non_projective, result.lifted) == (16, 2, 2)
    assert (result.restored, result.lifted_restored) == (16, 2)
    assert result.encoded_labels - result.labels == {"AuxP↑", "Sb↓"}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_treebank_with_many_lifted_arcs(encoding: str) -> None:
    sentences = list(read(find_treebanks() / "grc_agdt" / "dev.conllu", columns={"heads", "deprels"}))
    result = round_trip(sentences, encoding)
    assert result.arcs == sum(map(len, sentences))
    assert result.non_projective == sum(len(non_projective_arcs(s.tree)) for s in sentences)
    assert result.arcs - result.restored == result.lifted - result.lifted_restored
    assert 0.7 < result.lifted_restored / result.lifted < 1
