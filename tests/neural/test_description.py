"""One description of the network, and all that is made from it."""

from dataclasses import replace

import pytest

from rearc.neural.description import Sizes, describe
from rearc.neural.shape import PRESETS, Shape
from rearc.systems import systems
from tests.neural.networks import TINY

SIZES = Sizes(
    words=7, vectors=(2, 3), characters=5, affixes=8, upos=4, xpos=5, feats=6, labels=9,
    classes={"upos": ((),) * 4, "xpos": ((),) * 5, "feats": ((), (0, 1), (2, 1)), "lemmas": ((0, 1, 2), ())},
)  # fmt: skip
GIVEN = replace(TINY, tagger=(), tags=0, columns=(), affixes=0)


def test_model_files_have_these_names():
    """They are the format of model files: a change needs another version of it."""
    lstm = ["input", "recurrent", "bias"]
    words = ["words.weight", "vectors.weight", "characters.weight", *(f"spelling.0.{name}" for name in lstm)]
    words.append("affixes.weight")
    tags = ["upos.weight", "feats.weight"]
    tagger = [*(f"tagger.0.{name}" for name in lstm), "tag_hidden.weight", "tag_hidden.bias"]
    for column, ends in (("upos", ""), ("xpos", ""), ("feats", ".parts"), ("lemmas", ".parts")):
        tagger += [f"tag_{column}{end}" for end in (".weight", ".bias", ends) if end]
    layers = [f"layers.{k}.{name}" for k in (0, 1) for name in lstm]
    pairs = ["root", "head.weight", "head.bias", "dependent.weight", "dependent.bias", "arc"]
    labels = ["label_head.weight", "label_head.bias", "label_dependent.weight"]
    labels += ["label_output.weight", "label_output.bias"]
    encoder = [*words, *tags, *tagger, *layers]
    stack = ["root", "none", "rows.weight", "rows.bias", "output.weight", "output.bias"]
    assert list(describe(TINY, SIZES, "arc-hybrid").shapes()) == [*encoder, *stack, *labels]
    assert list(describe(TINY, SIZES, "nl-covington").shapes()) == [*encoder, *pairs, "shift", *labels]
    assert list(describe(TINY, SIZES, "covington-nonmonotonic").shapes()) == [
        *encoder, *pairs, "no_arc", "repair", "shift", "settled", *labels,
    ]  # fmt: skip


def test_shapes_follow_from_the_sizes():
    shapes = describe(TINY, SIZES, "arc-hybrid").shapes()
    width = TINY.words + 3 + 2 * TINY.spelling + TINY.affixes
    assert shapes["words.weight"] == (8, TINY.words)
    assert shapes["vectors.weight"] == (3, 3)
    assert shapes["tagger.0.input"] == (2, width, 4 * 6)
    assert shapes["affixes.weight"] == (9, TINY.affixes)
    assert shapes["tag_hidden.weight"] == (TINY.tags, 2 * 6 + width)  # the tagger's last layer, and the word
    assert shapes["tag_xpos.weight"] == (5, TINY.tags)
    assert shapes["tag_feats.weight"] == shapes["tag_feats.parts"] == (3, TINY.tags)
    assert shapes["tag_lemmas.weight"] == (2, TINY.tags)
    assert shapes["layers.0.input"] == (2, width + 2 * 6 + TINY.upos + TINY.feats, 4 * 9)
    assert shapes["layers.1.recurrent"] == (2, 8, 4 * 8)
    assert shapes["rows.weight"] == (4 * TINY.hidden, 2 * 8)
    assert shapes["rows.bias"] == (TINY.hidden,)
    assert shapes["label_output.weight"] == (9, TINY.labels)
    at_xpos = describe(replace(TINY, feats=0, xpos=3), SIZES, "arc-hybrid").shapes()
    assert at_xpos["xpos.weight"] == (6, 3)
    assert "feats.weight" not in at_xpos
    assert at_xpos["layers.0.input"] == (2, width + 2 * 6 + TINY.upos + 3, 4 * 9)


@pytest.mark.parametrize(
    "shape",
    [TINY, GIVEN, replace(GIVEN, xpos=3), replace(TINY, slots="s0"), PRESETS["paper-001"], PRESETS["paper-002"]],
    ids=str,
)
@pytest.mark.parametrize("system", systems())
def test_the_module_has_what_is_described(system: str, shape: Shape):
    pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')
    from rearc.neural.torch_model import ParserModule

    description = describe(shape, SIZES, system)
    module = ParserModule(description, 0.3)
    assert {name: tuple(tensor.shape) for name, tensor in module.tensors().items()} == description.shapes()
    assert not module.encoder.vectors.weight.requires_grad
