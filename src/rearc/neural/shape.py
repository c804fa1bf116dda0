"""The sizes of a network, and the presets that people ask for by name."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from rearc.neural.stack import parse_slots

LARGEST = 4096
COLUMNS = ("upos", "xpos", "feats", "lemmas")  # that a tagger may predict, in the order in which it does
SEEN = ("upos", "xpos", "feats")  # of which a parser may have vectors, in the order in which they go in


@dataclass(frozen=True)
class Shape:
    """Sizes of vectors and layers; an LSTM's is that of one direction. 0 leaves a part out."""

    words: int  # vectors of words
    characters: int  # vectors of characters
    spelling: int  # LSTM over the characters of a word
    affixes: int  # vectors of beginnings and ends of words
    upos: int  # vectors of UPOS tags, given or expected
    feats: int  # vectors of features such as Case=Nom, or of expected FEATS
    tagger: tuple[int, ...]  # LSTM layers of the tagger that comes before the parser, where tags are not given
    tags: int  # the hidden layer from which the tagger predicts all its columns
    layers: tuple[int, ...]  # LSTM layers of the parser
    stacked: (
        bool  # the tags see the words too, not the tagger's last layer alone; the parser that layer, not tags alone
    )
    pair: int  # vectors of heads and dependents
    hidden: int  # the stack scorer's hidden layer
    labels: int  # the hidden layer that labels arcs
    slots: str = "s2 s1 s0 b0"  # the words that the stack scorer sees
    columns: tuple[str, ...] = ()  # what the tagger predicts, some of COLUMNS in their order
    xpos: int = 0  # vectors of XPOS tags, given or expected, where they are looked at in place of features
    encoder: int = 0  # vectors of words from a pretrained encoder; with one there may be no LSTM layers
    repair: int = 0  # vectors of heads and dependents for a second pass over the finished tree

    @property
    def seen(self) -> tuple[str, ...]:
        """The columns of tags, given or expected, that the parser looks at."""
        return tuple(column for column in SEEN if getattr(self, column))

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


PRESETS = {
    # one encoder for tagger and parser: the tagger's layer is the parser's first
    "tiny": Shape(
        words=64, characters=16, spelling=24, affixes=48, upos=16, feats=16, tagger=(64,), tags=100,
        layers=(64,), stacked=True, pair=48, hidden=48, labels=48, columns=COLUMNS,
    ),
    "small": Shape(
        words=64, characters=24, spelling=32, affixes=64, upos=24, feats=24, tagger=(64,), tags=200,
        layers=(96, 96), stacked=True, pair=64, hidden=64, labels=64, columns=COLUMNS,
    ),
    "base": Shape(
        words=100, characters=32, spelling=50, affixes=100, upos=32, feats=32, tagger=(128,), tags=300,
        layers=(200, 200), stacked=True, pair=128, hidden=128, labels=128, columns=COLUMNS,
    ),
    # Fernández-González & Gómez-Rodríguez 2018: words alone, a tagger of 2 × 400 before a parser of 2 × 400
    "paper-001": Shape(
        words=100, characters=0, spelling=0, affixes=0, upos=32, feats=0, tagger=(400, 400), tags=100,
        layers=(400, 400), stacked=False, pair=400, hidden=400, labels=400, columns=("upos",),
    ),
    # de Lhoneux, Stymne & Nivre 2017: words and characters, no tags
    "paper-002": Shape(
        words=100, characters=24, spelling=100, affixes=0, upos=0, feats=0, tagger=(), tags=0,
        layers=(125, 125), stacked=False, pair=100, hidden=100, labels=100,
    ),
    # a pretrained encoder in place of the BiLSTM and of all that is known of single words
    "encoder": Shape(
        words=0, characters=0, spelling=0, affixes=0, upos=32, feats=32, tagger=(), tags=300,
        layers=(), stacked=False, pair=128, hidden=128, labels=128, columns=COLUMNS,
    ),
}  # fmt: skip


def preset(name: str, joint: bool) -> Shape:
    """A preset; `joint` keeps its tagger, else tags are given, and then affixes say little more. A parser of one layer
    stands on the tagger's and has it for itself then. The papers' own are as they are.

    >>> preset("tiny", joint=True).layers, preset("tiny", joint=False).layers, preset("small", joint=False).layers
    ((64,), (64, 64), (96, 96))
    """
    shape = PRESETS[name]
    if joint or name.startswith("paper"):
        return shape
    layers = shape.tagger + shape.layers if len(shape.layers) == 1 else shape.layers
    return replace(shape, tagger=(), tags=0, columns=(), affixes=0, layers=layers)


def decode_shape(content: Any) -> Shape:
    """A shape out of a model file. ValueError says what is wrong with it."""
    strange = ValueError(f"a network of the shape {str(content)[:100]}")
    if not isinstance(content, dict):
        raise strange
    values = {
        "affixes": 0,
        "tags": 0,
        "columns": [],
        "xpos": 0,
        "encoder": 0,
        "repair": 0,
        **content,
    }  # which files of older versions do not have
    if values.keys() != {entry.name for entry in fields(Shape)}:
        raise strange
    layers = [values.pop(name) for name in ("tagger", "layers")]
    slots, stacked, columns = values.pop("slots"), values.pop("stacked"), values.pop("columns")
    if not all(isinstance(sizes, list) for sizes in layers) or not isinstance(slots, str) or type(stacked) is not bool:
        raise strange
    for size in (*values.values(), *layers[0], *layers[1]):
        if type(size) is not int or not 0 <= size <= LARGEST:
            raise strange
    alone = not layers[0] and not layers[1] and values["encoder"]  # an encoder in place of all LSTMs
    if not (layers[1] or alone) or 0 in layers[0] or 0 in layers[1] or not (values["words"] or values["encoder"]):
        raise strange
    if not isinstance(columns, list) or columns != [column for column in COLUMNS if column in columns]:
        raise strange
    if bool(columns) != bool(layers[0]) and not alone:
        raise ValueError(f"a tagger of {len(layers[0])} layers that predicts {', '.join(columns) or 'no column'}")
    parse_slots(slots)
    return Shape(
        **values, tagger=tuple(layers[0]), layers=tuple(layers[1]), slots=slots, stacked=stacked, columns=tuple(columns)
    )
