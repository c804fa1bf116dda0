"""What Python may give to the decoder and the learner of transitions; anything else would be read out of bounds."""

import pickle
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from rearc.features.program import Program
from rearc.features.templates import parse_templates
from rearc.features.tokens import TokenEncoder
from rearc.oracles import oracle
from rearc.perceptron.decoder import LinearDecoder
from rearc.perceptron.growing import GrowingWeights, LabelLearner, TypeLearner
from rearc.perceptron.learner import TransitionLearner
from rearc.perceptron.weights import Scorer
from rearc.systems import system, traits
from rearc.treebank import read, sample

SENTENCES = [s for s in read(sample()) if len(s) < 15][:6]
VALUES, OFFSETS = TokenEncoder().encode(SENTENCES)
HEADS = np.array([h for s in SENTENCES for h in (0, *s.heads)], dtype=np.intc)
LABELS = np.array([label for s in SENTENCES for label in (-1, *[0] * len(s))], dtype=np.intc)
TREES = np.cumsum([0, *(len(s) + 1 for s in SENTENCES)])
ORDER = np.arange(len(SENTENCES))


def made(name: str = "covington", labels: int = 3) -> LinearDecoder:
    program, of_arcs = Program(parse_templates("L0p R0p L0w+R0w")), Program(parse_templates("H0p+D0p"))
    return LinearDecoder(
        system(name), program, of_arcs, TypeLearner(), LabelLearner(labels), [1] * labels, [1] * labels
    )


def changed(array: np.ndarray, place: int, value: int) -> np.ndarray:
    array = array.copy()
    array[place] = value
    return array


@pytest.mark.parametrize(
    "arguments",
    [
        (VALUES[:-1], OFFSETS),
        (VALUES, OFFSETS + 1),
        (VALUES, OFFSETS - 11),
        (VALUES, changed(OFFSETS, 2, 10**9)),
        (VALUES, changed(OFFSETS, 2, 0)),
        (VALUES, changed(OFFSETS, 2, OFFSETS[2] + 1)),
        (VALUES, OFFSETS[::-1]),
        (VALUES, OFFSETS.astype(np.float64)),
        (VALUES, OFFSETS.astype(np.int32)),
        (VALUES, OFFSETS[None]),
        (VALUES, OFFSETS[:0]),
        (VALUES.astype(np.int64), OFFSETS),
        (VALUES, OFFSETS, -1),
        (VALUES, OFFSETS, 0, len(OFFSETS)),
        (VALUES, OFFSETS, 3, 2),
        (VALUES, OFFSETS, 0, -1),
        (None, OFFSETS),
        (VALUES, None),
    ],
)
def test_sentences_that_are_not_in_the_values(arguments: tuple):
    decoder = made()
    heads, labels = decoder.parse(VALUES, OFFSETS)
    assert len(heads) == len(labels) == sum(map(len, SENTENCES))
    with pytest.raises((ValueError, TypeError)):
        decoder.parse(*arguments)


@pytest.mark.parametrize(
    "change",
    [
        {"system": None},
        {"program": None},
        {"label_program": None},
        {"types": None},
        {"labels": None},
        {"types": LabelLearner(3)},
        {"types": LabelLearner(900)},
        {"of_root": [1]},
        {"of_word": [1] * 4},
        {"of_root": None},
    ],
)
def test_a_decoder_is_made_whole(change: dict):
    program = Program(parse_templates("L0p"))
    whole = {
        "system": system("covington"),
        "program": program,
        "label_program": program,
        "types": TypeLearner(),
        "labels": LabelLearner(3),
        "of_root": [1] * 3,
        "of_word": [1] * 3,
    }
    assert LinearDecoder(**whole).parse(VALUES, OFFSETS)
    with pytest.raises((TypeError, ValueError)):
        LinearDecoder(**whole | change)
    for cls in (LinearDecoder, TransitionLearner):
        with pytest.raises(TypeError):
            cls.__new__(cls)


def test_repairs_are_for_systems_that_repair():
    program = Program(parse_templates("L0p"))
    for name in ("covington", "nl-covington", "covington-nonmonotonic", "nl-covington-nonmonotonic"):
        parts = system(name), program, program, TypeLearner(), LabelLearner(1), [1], [1]
        if traits(name).monotonic:
            with pytest.raises(ValueError, match="found repairs of"):
                LinearDecoder(*parts, True)
        else:
            assert LinearDecoder(*parts, True).repairs_apart


def test_a_scorer_without_weights_decides_nothing():
    program = Program(parse_templates("L0p"))
    with pytest.raises((TypeError, ValueError)):
        LinearDecoder(system("covington"), program, program, Scorer(), LabelLearner(1), [1], [1])
    with pytest.raises((TypeError, ValueError)):
        LinearDecoder(system("covington"), program, program, TypeLearner(), Scorer(), [], [])


EPOCH = {
    "values": VALUES,
    "offsets": OFFSETS,
    "heads": HEADS,
    "labels": LABELS,
    "tree_offsets": TREES,
    "order": ORDER,
    "explore": 0.5,
}


@pytest.mark.parametrize(
    "change",
    [
        {"values": VALUES[:-1]},
        {"offsets": OFFSETS + 11},
        {"offsets": OFFSETS - 11},
        {"offsets": OFFSETS[:-1]},
        {"offsets": changed(OFFSETS, 3, 2**60)},
        {"offsets": changed(OFFSETS, 3, -(2**60))},
        {"heads": HEADS[:-1]},
        {"heads": changed(HEADS, 3, 10**8)},
        {"heads": changed(HEADS, 3, -7)},
        {"heads": changed(HEADS, 3, 3)},
        {"heads": HEADS.astype(np.float32)},
        {"heads": None},
        {"labels": LABELS[1:]},
        {"labels": changed(LABELS, 3, 3)},
        {"labels": changed(LABELS, 3, -2)},
        {"tree_offsets": TREES + 1},
        {"tree_offsets": TREES[:-1]},
        {"tree_offsets": changed(TREES, 2, 2**62)},
        {"tree_offsets": changed(TREES, 2, TREES[1])},
        {"tree_offsets": TREES[::-1].copy()},
        {"order": [0, len(SENTENCES)]},
        {"order": [-1]},
        {"order": [10**15]},
        {"order": [[0]]},
        {"order": None},
        {"judge": oracle("arc-eager", "dynamic", [0, 0])},
        {"judge": None},
    ],
    ids=lambda change: next(iter(change)),
)
def test_treebanks_that_do_not_fit_together(change: dict):
    learner = TransitionLearner(made())
    whole = EPOCH | {"judge": oracle("covington", "dynamic", [0, 0])}
    assert learner.epoch(**whole)[0] > 0
    with pytest.raises((ValueError, TypeError)):
        learner.epoch(**whole | change)


def test_weights_that_another_thread_learns_are_left_alone():
    """A table moves when it grows. Who comes at the same time is sent away, and the weights stay whole."""
    decoder = made()
    done = threading.Event()

    def learn():
        learner, judge = TransitionLearner(decoder), oracle("covington", "dynamic", [0, 0])
        for _ in range(40):
            with suppress_in_use():
                learner.epoch(judge, VALUES, OFFSETS, HEADS, LABELS, TREES, np.tile(ORDER, 20), 0.5)
        done.set()

    thread = threading.Thread(target=learn)
    thread.start()
    while not done.is_set():
        for call in (
            lambda: decoder.parse(VALUES, OFFSETS),
            lambda: decoder.types.scores(KEY),
            lambda: decoder.types.update(KEY, 0, 1),
            lambda: decoder.labels.update(KEY, 0, 1),
            decoder.types.average,
            decoder.labels.average,
            decoder.types.state,
            decoder.labels.state,
        ):
            with suppress_in_use():
                call()
    thread.join()
    assert len(decoder.types.average()[0]) == decoder.types.used


KEY = np.array([7], dtype=np.uint64)


@contextmanager
def suppress_in_use() -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:
        assert "in use by another thread" in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    "weights",
    [Scorer.__new__(Scorer), GrowingWeights.__new__(GrowingWeights), TypeLearner(), LabelLearner(3)],
    ids=lambda weights: type(weights).__name__,
)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_no_weights_travel_as_a_part_of_them(weights: Scorer, protocol: int):
    """They say themselves what they are, by state(); a pickle would have what of them Python knows, and no weights."""
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(weights, protocol)
