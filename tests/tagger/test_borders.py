"""What Python may give to the tagger's passes; anything else would be read out of bounds."""

import numpy as np
import pytest

from rearc.perceptron.growing import LabelLearner, TypeLearner
from rearc.tagger.passes import Lexicon, Matrix, Pass, learn, lexicon_keys, tag
from rearc.tagger.tagger import Tagger
from rearc.tagger.tasks import Material, Task
from rearc.tagger.templates import parse_templates
from rearc.tagger.words import WordEncoder, Words
from rearc.treebank import Sentence
from tests.tagger.language import treebank

SENTENCES = treebank(12, seed=3)
MATERIAL = Material(SENTENCES, [], None)
FIRST = Task("upos", MATERIAL, [])
COLUMN = FIRST.learn(1, 1, 1, 0.0, lambda epoch: None)
LATER = Task("xpos", MATERIAL, [COLUMN])
ORDER = np.arange(len(SENTENCES))


def step(task: Task) -> Pass:
    return task.column.make_pass(LabelLearner(task.units))


def test_a_pass_is_made_once():
    """A second __init__ added the templates once more, beyond the room for them."""
    with pytest.raises(TypeError):
        Pass.__new__(Pass)
    one = Pass(LabelLearner(2), [(("w", 0),)] * 100, [[0], [1]], [[0, 1]], "upos")
    words = WordEncoder({}).encode([["a", "b"]])
    before = tag([one], words)[0].tolist()
    for _ in range(3):
        one.__init__(LabelLearner(2), [(("w", 0),)] * 100, [[0], [1]], [[0, 1]], "upos")
    assert tag([one], words)[0].tolist() == before


def test_margins_are_those_to_the_next_best_tag():
    """Against passes that have to choose between two tags alone; of words alone, so that no tag depends on another."""
    words = WordEncoder({}).encode([[form] for form in ("the", "owl", "sees", "quickly", "zorp", ".")])
    whole = COLUMN.make_pass()
    templates, (units, _) = parse_templates(COLUMN.templates), COLUMN.units()

    def choose(tags: list[int]) -> tuple[list[int], list[float]]:
        classes, margins = tag([Pass(whole.scorer, templates, units, [tags], "upos")], words)
        return classes[0].tolist(), margins[0].tolist()

    everything = list(range(len(units)))
    assert len(everything) > 5
    for order in (everything, everything[::-1]):
        best, margins = choose(order)
        for k, (one, margin) in enumerate(zip(best, margins, strict=True)):
            against = [choose([one, other])[1][k] for other in everything if other != one]
            assert margin == min(against) >= 0
            assert choose([one, everything[one - 1]])[0][k] == one


def lexicon(numbers: list[int], **change: object) -> Lexicon:
    whole = {
        "attributes": ["w", "n"],
        "keys": np.arange(len(numbers), dtype=np.uint32),
        "counts": np.ones(len(numbers), dtype=np.uint8),
        "classes": np.array(numbers, dtype=np.uint16),
    }
    return Lexicon(**whole | change)


class Liar(list):
    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize(
    "change",
    [
        {"templates": [[("w", 0)] * 5]},
        {"templates": [Liar([("w", 0)] * 100)]},
        {"templates": Liar([[("w", 0)]] * 500)},
        {"templates": [[("w", 4)]]},
        {"templates": [[("w", 0.5)]]},
        {"templates": [[("w", 2**40)]]},
        {"templates": [[("u", 0)]]},
        {"templates": [[("t", 0)]]},
        {"templates": []},
        {"templates": [[]]},
        {"templates": None},
        {"units": [[2]]},
        {"units": [[-1]]},
        {"units": [[0.5]]},
        {"units": None},
        {"units": [Liar([7] * 9)]},
        {"groups": []},
        {"groups": [[]]},
        {"groups": [[2]]},
        {"groups": [[-1]]},
        {"groups": [[1.0]]},
        {"scorer": None},
        {"column": None},
        {"column": "deprels"},
        {"lexicon": 7},
        pytest.param({"lexicon": lexicon([2])}, id="a lexicon of another tag set"),
        {"templates": [[("x", 0)]]},
        {"templates": [[("f", 0)]]},
    ],
    ids=str,
)
def test_passes_that_would_look_outside(change: dict):
    whole = {
        "scorer": LabelLearner(2),
        "templates": [[("w", 0)]],
        "units": [[0], [1]],
        "groups": [[0, 1]],
        "column": "upos",
    }
    assert Pass(**whole).column == "upos"
    with pytest.raises((TypeError, ValueError)):
        Pass(**whole | change)


@pytest.mark.parametrize(
    "change",
    [
        {"order": [len(SENTENCES)]},
        {"order": [-1]},
        {"order": [2**50]},
        {"order": None},
        {"order": [[0]]},
        {"gold": LATER.gold[:-1]},
        {"gold": LATER.gold + 1000},
        {"gold": LATER.gold.astype(float)},
        {"gold": LATER.gold - 2},
        {"given": {"upos": LATER.given["upos"][1:]}},
        {"given": {"upos": LATER.given["upos"] + 1000}},
        {"given": {"upos": LATER.given["upos"] - 1}},
        {"given": {"upos": LATER.given["upos"].astype(float)}},
        {"given": {"upos": None}},
        {"given": {}},
        {"given": None},
        {"words": None},
        {"words": Words()},
        {"step": None},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_cannot_be_learnt(change: dict):
    whole = {"step": step(LATER), "words": MATERIAL.words, "given": LATER.given, "gold": LATER.gold, "order": ORDER}
    assert learn(**whole) >= 0
    with pytest.raises((TypeError, ValueError)):
        learn(**whole | change)


@pytest.mark.parametrize(
    "change",
    [
        {"attributes": []},
        {"attributes": ["w"] * 9},
        {"attributes": ["t"]},
        {"attributes": None},
        {"keys": np.array([1, 0], dtype=np.uint32)},
        {"keys": np.array([1, 1], dtype=np.uint32)},
        {"keys": np.array([1], dtype=np.uint32)},
        {"keys": np.array([0.0, 1.0])},
        {"keys": None},
        {"counts": np.array([1, 2], dtype=np.uint8)},
        {"counts": np.array([2, 0], dtype=np.uint8)},
        {"counts": np.array([[1, 1]], dtype=np.uint8)},
        {"classes": np.array([1, 0], dtype=np.int64)},
        {"classes": np.array([[1, 0]], dtype=np.uint16)},
    ],
    ids=str,
)
def test_lexicons_that_do_not_fit_together(change: dict):
    assert lexicon([1, 0]).attributes == ("w", "n")
    with pytest.raises((TypeError, ValueError)):
        lexicon([1, 0], **change)


def test_a_lexicon_decides():
    """Without weights the first class wins; the lexicon knows better, by form and then by normal form."""
    words = WordEncoder({}).encode([["a", "A", "B", "b", "c"]])
    values = words.rows[words.tokens]
    keys = np.concatenate([lexicon_keys(0, values[:1, 0], [0]), lexicon_keys(1, values[2:3, 1], [0])])
    order = np.argsort(keys)
    known = lexicon([0, 0], keys=keys[order], classes=np.array([1, 2], dtype=np.uint16)[order])
    step = Pass(LabelLearner(3), [[("w", 0)]], [[0], [1], [2]], [[0, 1, 2]], "upos", known)
    assert tag([step], words)[0].tolist() == [[1, 0, 2, 2, 0]]
    for level, numbers, groups in ((0, [1], [0, 0]), (8, [1], [0]), (-1, [1], [0]), (None, [1], [0]), (0, None, [0])):
        with pytest.raises((TypeError, ValueError)):
            lexicon_keys(level, numbers, groups)
    classes, margins = tag([Pass(LabelLearner(1), [[("w", 0)]], [[0]], [[0]], "upos", lexicon([]))], words)
    assert classes.tolist() == [[0] * 5]
    assert margins.tolist() == [[np.inf] * 5]  # no word can have another tag


def test_nothing_is_learnt_where_nothing_is_known():
    learner = LabelLearner(FIRST.units)
    nothing = np.full_like(FIRST.gold, -1)
    assert learn(FIRST.column.make_pass(learner), MATERIAL.words, {}, nothing, ORDER) == 0
    assert learner.used == 0


def test_learning_takes_a_learner():
    fixed = COLUMN.make_pass()
    with pytest.raises(TypeError):
        learn(fixed, MATERIAL.words, FIRST.given, FIRST.gold, ORDER)
    with pytest.raises((TypeError, ValueError)):
        learn(FIRST.column.make_pass(TypeLearner()), MATERIAL.words, FIRST.given, FIRST.gold, ORDER)


def test_passes_that_do_not_belong_together():
    first, later = step(FIRST), step(LATER)
    assert [found.shape for found in tag([first, later], MATERIAL.words)] == [(2, len(FIRST.gold))] * 2
    blind = Pass(LabelLearner(2), [[("x", 0)]], [[0], [1]], [[0, 1]] * 9, "feats")  # looks at XPOS
    assert [found.shape for found in tag([first, later, blind], MATERIAL.words)] == [(3, len(FIRST.gold))] * 2
    fewer = Pass(LabelLearner(2), [[("w", 0)]], [[0], [1]], [[0, 1]], "xpos")  # tags for one UPOS alone
    for passes in (
        [],
        [later],
        [first, first],
        [first, None],
        [None],
        [first, fewer],
        [first, blind],
        [first, blind, later],
        [first] * 4,
        None,
        [7],
    ):
        with pytest.raises((TypeError, ValueError)):
            tag(passes, MATERIAL.words)
    for words in (None, SENTENCES):
        with pytest.raises(TypeError):
            tag([first], words)
    assert [found.shape for found in tag([first], Words())] == [(1, 0)] * 2
    with pytest.raises(TypeError):
        Matrix(None, 3)


def test_words_are_changed_by_nobody():
    words = WordEncoder({}).encode([["a", "b"], ["c"]])
    before = words.tokens.tolist()
    words.tokens[:] = 10**9
    words.offsets[:] = 10**9
    words.rows[:] = 0
    assert words.tokens.tolist() == before
    assert words.offsets.tolist() == [0, 2, 3]
    with pytest.raises(AttributeError):
        words.tokens = None


class Growing(list):
    """A list that is longer when it is read a second time."""

    def __len__(self) -> int:
        return 1


def test_lists_that_do_not_tell_the_truth():
    assert len(WordEncoder({}).encode([Growing(["a"] * 100)]).tokens) == 100
    for sentences in (None, [None], [[None]], [[7]], [[[]]]):
        with pytest.raises(TypeError):
            WordEncoder({}).encode(sentences)
    with pytest.raises(TypeError):
        WordEncoder.__new__(WordEncoder)


def test_arrays_of_a_tagger_are_read_only():
    tagger = Tagger([COLUMN], MATERIAL.usual)
    weights = [array for name, array in tagger.tensors().items() if name.startswith("upos/")]
    assert weights
    for array in weights:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    assert tagger.tag([Sentence(["a"])])
