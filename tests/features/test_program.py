"""Compiled features beside features read off the lists: two hashes are equal exactly where the values are."""

import random

import pytest

from rearc.features.program import Program
from rearc.features.templates import parse_templates
from rearc.features.tokens import TokenEncoder
from rearc.systems import system, systems
from rearc.treebank import read, sample

from ..naive.features import View

STACK = """
S0w S0p S1pt S2m N0f N1u N2x2 S0x3 N0wp S0hp+N0p S0hp S0h2w S0lp S0l'w S0l2l S0rp S0r'l S0r2w S0l S0<p S0>w N0<p
N0lw N0l'p S0wd N0pd S0vl S0vr N0vl S0sl S0sr N0psl S0p+N0p S0pf+N0pf S0hrp S0l'vl S1rl S0wp+N0wp+N1p S0hl+S0l
S0e N0pe S0he S0k S0pk+N0p N0ek
"""
COVINGTON = (
    STACK.replace("S0", "L0").replace("S1", "L1").replace("S2", "L2").replace("N", "R") + " CLw CRp CLhp CRl'w CLp+CRp"
)
ARC = "H0w D0w H0p+D0p D0<p D0>w H0lp D0rp H0sl D0l H0hp"


def states(made, sentence, rng):
    """A random path through a system, with random labels: (state, labels of the arcs it has)."""
    state, labels = made.start(len(sentence)), {}
    while True:
        yield state, dict(labels)
        legal = made.legal(state)
        if not legal:
            return
        label = rng.choice(["nsubj", "obj", "det"])
        before = {d: state.heads[d] for d in state.headed}
        transition = rng.choice(legal)
        made.apply(state, transition, label=label if "arc" in transition else None)
        for d in state.headed:
            if before.get(d) != state.heads[d]:
                labels[d] = label if "arc" in transition else None


@pytest.mark.parametrize("name", systems())
def test_hashes_are_equal_exactly_where_the_values_are(name):
    rng = random.Random(name)
    templates = parse_templates(COVINGTON if "covington" in name else STACK)
    from_top = name == "attardi"
    many = "nl-" in name or name in ("arc-swift", "attardi")
    program, arc_program = Program(templates, from_top), Program(parse_templates(ARC))
    sentences = list(read(sample()))
    encoder = TokenEncoder()
    made = system(name)
    value_of, key_of = {}, {}
    compared = 0
    for sentence in rng.sample(sentences, 12):
        # attributes that look at the form in lower case see nothing of capitals, and the form itself does
        sentence = sentence.replace(forms=[rng.choice([form, form, form.upper()]) for form in sentence.forms])
        values, _ = encoder.encode([sentence])
        for state, labels in states(made, sentence, rng):
            view = View(state, sentence, labels)
            k = rng.randint(1, 3) if many else 1
            head, dependent = rng.sample(range(1, len(sentence) + 1), 2)
            for each in (program, arc_program):
                view_of = k if from_top and each is program else 1  # where k counts from the top, other weights
                expected = [
                    (each is program, view_of, t.text, view.feature(t, k, head, dependent)) for t in each.templates
                ]
                fired = [feature for feature in expected if feature[3] is not None]
                keys = each.keys(state, values, k, head, dependent)
                assert len(keys) == len(fired)
                for key, feature in zip(keys, fired, strict=True):
                    key = (each is program, key)
                    assert value_of.setdefault(key, feature) == feature
                    assert key_of.setdefault(feature, key) == key
                    compared += 1
    assert compared > 5_000


def test_one_sentence_is_asked_for():
    program = Program(parse_templates("S0p"))
    values, _ = TokenEncoder().encode(list(read(sample()))[:2])
    with pytest.raises(ValueError, match="expected those of one sentence"):
        program.keys(system("arc-eager").start(3), values)
