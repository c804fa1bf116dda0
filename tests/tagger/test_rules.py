"""Lemma rules: what is made can be applied and gives the lemma, whatever form and lemma are."""

from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rearc.tagger.rules import KEEP, apply_rule, compile_rule, make_rule
from rearc.treebank import read
from tests.naive import rules as naive

text = st.text(min_size=1, max_size=12)
near = st.text(st.sampled_from("abAB1|\\=İßǅ"), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("form", "lemma", "rule"),
    [
        ("Parties", "party", "l|0|3y"),
        ("went", "go", "=go"),
        ("gefallen", "fallen", "l|2|0"),
        ("MARIA", "Maria", "c|0|0"),
        ("NATO", "NATO", "u|0|0"),
        ("McDonald", "McDonald", "k|0|0"),
        ("1990", "1990", "l|0|0"),
        ("US$", "$", "l|2|0"),
        ("a|b", "a|b|1", r"l|0|0\|\1"),
        ("ab\\", "ab\\\\", r"l|0|0\\"),
        ("d'", "de", "l|0|1e"),
    ],
)
def test_rules(form: str, lemma: str, rule: str):
    assert make_rule(form, lemma) == rule
    assert apply_rule(rule, form) == naive.apply(rule, form) == lemma


@settings(max_examples=500, deadline=None)
@given(form=text, lemma=text)
@example("İ", "i")
@example("ß", "SS")
@example("a" * 3000, "b" * 3000)
@example("\ud800", "\ud800x")
def test_any_form_and_lemma(form: str, lemma: str):
    rule = make_rule(form, lemma)
    assert apply_rule(rule, form) == naive.apply(rule, form) == lemma


@settings(max_examples=500, deadline=None)
@given(form=near, lemma=near, other=near)
def test_forms_and_lemmas_that_have_much_in_common(form: str, lemma: str, other: str):
    rule = make_rule(form, lemma)
    assert apply_rule(rule, form) == naive.apply(rule, form) == lemma
    assert apply_rule(rule, other) == naive.apply(rule, other) != ""  # which it was not made for


@pytest.mark.parametrize(("rule", "form"), [("l|0|3y", "it"), ("l|2|2", "abcd"), ("l|9|0", "")])
def test_a_rule_that_does_not_fit_changes_nothing(rule: str, form: str):
    assert apply_rule(rule, form) == form


@pytest.mark.parametrize(
    "rule", ["", "=", "l", "l|0", "x|0|0", "l||", "l|0|0|0", "l|0a1|0", "l|00|0", "l|0|0\\", "l|-1|0"]
)
def test_what_is_no_rule(rule: str):
    with pytest.raises(ValueError, match=r"found the lemma rule .*, expected one such as"):
        compile_rule(rule)


def test_all_forms_and_lemmas_of_all_treebanks(treebanks: Path):
    for file in sorted(treebanks.glob("*/*.conllu")):
        pairs = Counter(pair for s in read(file) for pair in zip(s.forms, s.lemmas, strict=True))
        forms = defaultdict(set)
        for form, lemma in pairs:
            rule = make_rule(form, lemma)
            forms[rule].add(form)
            assert apply_rule(rule, form) == lemma, (file, form, lemma, rule)
        assert 3 * len(forms) < len(pairs)  # rules are shared
    assert apply_rule(KEEP, "As it Is") == "As it Is"
