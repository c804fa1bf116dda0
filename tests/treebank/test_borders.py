"""What Python may give to trees and sentences: everything else is refused, and nothing is taken for what it is not."""

import copy
import pickle
import threading

import numpy as np
import pytest

from rearc.treebank import Sentence, TreebankError, trees
from rearc.treebank.generate import all_trees, random_tree
from rearc.treebank.lifting import lift
from rearc.treebank.pseudoprojective import deprojectivise_tree, projectivise_tree
from rearc.treebank.sentence import Word, _restore, attached

MEASURES = [
    trees.is_tree,
    trees.roots,
    trees.projective_arcs,
    trees.non_projective_arcs,
    trees.is_projective,
    trees.depth,
    trees.projective_order,
    trees.maximal_projective_components,
    trees.gap_degree,
    trees.edge_degree,
    trees.crossing_arcs,
    trees.crossings_per_arc,
    trees.is_planar,
    trees.is_well_nested,
    trees.root_distances,
    trees.arc_lengths,
    lift,
]
NO_HEADS = [
    [0.0, 2.0, 0.0],
    [0, 0.5],
    [0, "0"],
    ["0", "0"],
    [0, True],
    [False, True],
    [0, None],
    [[0, 0]],
    np.array([0.0, 0.0]),
]


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.__name__)
def test_heads_are_integers(measure):
    for heads in [*NO_HEADS, np.array([False, True]), np.array(["0", "1"])]:
        with pytest.raises(TypeError, match="expected integers"):
            measure(heads)
    if measure not in (trees.is_tree, trees.roots):
        with pytest.raises(ValueError, match="word 1 has head"):
            measure([0, 10**30])
    assert repr(measure((0, 2, 0))) == repr(measure(np.array([0, 2, 0], dtype=np.uint8)))


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.__name__)
def test_an_array_that_another_thread_changes(measure):
    """The heads that were checked are the heads that are used; else this reads and writes out of bounds."""
    good = np.concatenate([[0], np.arange(5000)]).astype(np.int32)
    shared, done = good.copy(), threading.Event()

    def change():
        while not done.is_set():
            shared[1:] = 2**31 - 1
            shared[1:] = good[1:]

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(20):
            try:
                measure(shared)
            except ValueError as error:
                assert "no tree" in str(error)  # noqa: PT017  (whether there is one depends on the moment)
    finally:
        done.set()
        thread.join()


@pytest.mark.parametrize(
    "heads", [[0.5, 1.2], ["0", "1"], [False, True], [0, None], [0, 1.0], np.array([0.0, 1.0]), "01"]
)
def test_heads_of_a_sentence_are_integers(heads):
    with pytest.raises(TreebankError, match=r"found the head .* of word [12], expected a whole number"):
        Sentence(["a", "b"], heads=heads)
    with pytest.raises(TreebankError, match=r"found the head .* of word [12], expected a whole number"):
        Sentence(["a", "b"]).replace(heads=heads)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64])
def test_integers_of_numpy_are_heads(dtype):
    assert Sentence(["a", "b"], heads=np.array([2, 0], dtype=dtype)).heads == [2, 0]
    assert not Sentence(["a", "b"], heads=np.array([-1, -1])).has_tree


def test_strings_of_numpy_are_strings():
    sentence = Sentence(np.array(["a", "b"]), upos=np.array(["X", "Y"]))
    assert sentence == Sentence(["a", "b"], upos=["X", "Y"])
    assert type(sentence[1].form) is str


def test_ranges_are_integers():
    with pytest.raises(TreebankError, match="multiword"):
        Sentence(["a", "b"], multiwords=[(1, 1.5, "ab")])
    with pytest.raises(TreebankError, match="empty node"):
        Sentence(["a", "b"], empties=[(0.0, 1)])
    with pytest.raises(TreebankError, match="comment"):
        Sentence(["a"], comments=[7])


def test_a_word_is_one_of_a_sentence():
    sentence = Sentence(["a", "b"], heads=[2, 0])
    for make in (lambda: Word(), lambda: Word.__new__(Word), lambda: Word(None, 1)):
        with pytest.raises(TypeError):
            make()
    for number in (0, 3, -1, 10**9):
        with pytest.raises(IndexError, match="words are numbered 1 to 2"):
            Word(sentence, number)
    word = sentence[2]
    with pytest.raises((TypeError, AttributeError)):
        word.__setstate__((10**9, sentence))
    assert (word.id, word.form) == (2, "b")
    for again in (copy.copy(word), copy.deepcopy(word), pickle.loads(pickle.dumps(word))):
        assert (again.id, again.form, again.head, again.sentence) == (2, "b", 0, sentence)


def test_a_sentence_is_made_once():
    """Also where what it is made from makes it first."""
    sentence = Sentence.__new__(Sentence)
    assert (len(sentence), sentence.heads, sentence.text, list(sentence)) == (0, [], "", [])

    def forms():
        sentence.__init__(["x", "y"], heads=[2, 0])
        yield from "abcdefgh"

    with pytest.raises(TypeError, match="does not change"):
        sentence.__init__(forms())
    assert (sentence.forms, sentence.heads) == (["x", "y"], [2, 0])
    for name in ("_set_heads", "_set_columns"):
        assert not hasattr(sentence, name)


def test_a_pickle_that_was_tampered_with():
    sentence = Sentence(["a", "b"], heads=[2, 0], comments=["# x"])
    _, state = sentence.__reduce__()
    assert _restore(*state) == sentence
    columns = state[0]
    for bad in (
        (columns, 10**9, *state[2:]),
        (columns, -1, *state[2:]),
        (columns[:3], *state[1:]),
        ((None,) * 8, 2, [7, 0], *state[3:]),
        ((("a",), *columns[1:]), *state[1:]),
        (((1, 2), *columns[1:]), *state[1:]),
        (None, *state[1:]),
        (*state[:4], ((1, 9, "ab"),), *state[5:]),
        (*state[:8], None),
    ):
        with pytest.raises((ValueError, TypeError)):
            _restore(*bad)


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.intc)


@pytest.mark.parametrize(
    ("sentences", "heads", "labels", "names"),
    [
        ([None], ints(0), ints(0), ["x"]),
        (["a"], ints(0), ints(0), ["x"]),
        (None, ints(0), ints(0), ["x"]),
        ([Sentence(["a", "b"])], ints(0), ints(0, 0), ["x"]),
        ([Sentence(["a", "b"])], ints(0, 0, 0), ints(0, 0, 0), ["x"]),
        ([Sentence(["a", "b"])], ints(0, 7), ints(0, 0), ["x"]),
        ([Sentence(["a", "b"])], ints(0, -1), ints(0, 0), ["x"]),
        ([Sentence(["a", "b"])], ints(2, 1), ints(0, 0), ["x"]),
        ([Sentence(["a", "b"])], ints(2, 0), ints(0, 1), ["x"]),
        ([Sentence(["a", "b"])], ints(2, 0), ints(0, -1), ["x"]),
        ([Sentence(["a", "b"])], ints(2, 0), ints(0, 0), [None]),
        ([Sentence(["a", "b"])], ints(2, 0), ints(0, 0), []),
        ([Sentence(["a", "b"])], np.array([2.0, 0.0]), ints(0, 0), ["x"]),
        ([Sentence(["a", "b"])], None, ints(0, 0), ["x"]),
    ],
)
def test_trees_that_a_parser_cannot_have_built(sentences, heads, labels, names):
    with pytest.raises((TypeError, ValueError)):
        attached(sentences, heads, labels, names)


def test_lengths_of_labels():
    for change in (projectivise_tree, deprojectivise_tree):
        with pytest.raises(ValueError, match="3 heads and 2 labels"):
            change([0, 2, 0], ["", "a"], "head")


def test_trees_of_less_than_no_words():
    with pytest.raises(ValueError, match="found -1 words"):
        random_tree(-1, np.random.default_rng(1))
    with pytest.raises(ValueError, match="found -2 words"):
        next(all_trees(-2))
