"""The numbers that runs leave: what they are called in tables, and how they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Value:
    """A number of a run."""

    name: str  # in a result
    title: str
    digits: int
    best: Literal["high", "low", None]  # which of several is set in bold
    group: str  # scores: a table of its own, setups beside one another; else a column in the table of its group


VALUES = {
    value.name: value
    for value in (
        Value("uas", "UAS", 2, "high", "scores"),
        Value("las", "LAS", 2, "high", "scores"),
        Value("label_accuracy", "label accuracy", 2, "high", "scores"),
        Value("exact_match", "exact match", 2, "high", "scores"),
        Value("non_projective_precision", "precision of non-projective arcs", 2, "high", "scores"),
        Value("non_projective_recall", "recall of non-projective arcs", 2, "high", "scores"),
        Value("non_projective_f1", "F1 of non-projective arcs", 2, "high", "scores"),
        Value("long_arc_precision", "precision of arcs longer than 7", 2, "high", "scores"),
        Value("sentences_per_second", "sentences/s", 0, "high", "scores"),
        Value("words_per_second", "words/s", 0, "high", "scores"),
        Value("parse_memory_mb", "memory of parsing, MB", 0, "low", "scores"),
        Value("model_mb", "size of the model, MB", 1, "low", "scores"),
        Value("load_seconds", "seconds to load", 2, "low", "scores"),
        Value("transitions", "transitions", 0, None, "derivation"),
        Value("arc_transitions", "arc transitions", 0, None, "derivation"),
        Value("replacing", "of these replace an arc, %", 2, None, "derivation"),
        Value("replacing_gold", "of the replacements: new arc gold, %", 2, None, "derivation"),
        Value("replacing_harmful", "of the replacements: harmful, %", 2, None, "derivation"),
        Value("derivable_sentences", "derivable sentences, %", 2, None, "oracle"),
        Value("derivable_arcs", "derivable arcs, %", 2, None, "oracle"),
        Value("transitions_per_word", "transitions/word", 2, None, "oracle"),
        Value("lower", "lower", 5, None, "bounds"),
        Value("loss", "loss", 5, None, "bounds"),
        Value("pc_upper", "pc-upper", 5, None, "bounds"),
        Value("upper", "upper", 5, None, "bounds"),
        Value("simulated", "simulated", 5, None, "bounds"),
        Value("lower_difference", "lower: relative difference", 5, None, "bounds"),
        Value("pc_upper_difference", "pc-upper: rel. diff.", 5, None, "bounds"),
        Value("upper_difference", "upper: rel. diff.", 5, None, "bounds"),
        Value("simulated_difference", "simulated: rel. diff.", 5, None, "bounds"),
        Value("configurations", "configurations", 0, None, "bounds"),
        Value("undecided", "left out", 0, None, "bounds"),
    )
}

# what is shown of a setup by what is measured of it, unless the spec says
SHOWN = {
    "scores": ("uas", "las"),
    "parse": ("uas", "las", "sentences_per_second", "words_per_second", "parse_memory_mb"),
    "derivation": ("uas", "las", "long_arc_precision", *(v.name for v in VALUES.values() if v.group == "derivation")),
    "oracle": tuple(v.name for v in VALUES.values() if v.group in ("oracle", "bounds")),
}
