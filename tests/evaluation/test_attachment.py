import json
import random

import pytest

from rearc.evaluation import EvaluationError, conll18, evaluate
from rearc.evaluation.pairs import is_punctuation
from rearc.treebank import Sentence, TreebankError
from tests.evaluation.samples import conllu, random_sentence, spoil

GOLD = Sentence(
    ["She", "said", ":", "“", "$", "5", "!"],
    upos=["PRON", "VERB", "PUNCT", "PUNCT", "SYM", "NUM", "SYM"],
    heads=[2, 0, 5, 5, 2, 5, 2],
    deprels=["nsubj", "root", "punct", "punct", "ccomp", "nummod:x", "punct"],
)
# wrong: the heads of ":" and "!", the label of "$" and the subtype of "5"
PREDICTED = GOLD.replace(
    heads=[2, 0, 2, 5, 2, 5, 5],
    deprels=["nsubj", "root", "punct", "punct", "obj", "nummod:y", "punct"],
)


def test_all_words():
    scores = evaluate([GOLD], [PREDICTED])
    assert scores.uas == 100 * (5 / 7)
    assert scores.las == 100 * (3 / 7)
    assert scores.label_accuracy == 100 * (5 / 7)
    assert (scores.exact_match, scores.exact_match_unlabelled) == (0, 0)
    assert scores.counts.words == 7


def test_without_unicode_punctuation():
    # ":", "“" and "!" are out by their characters; "$" is a symbol (Sc) and stays
    scores = evaluate([GOLD], [PREDICTED], punctuation="unicode")
    assert scores.counts.words == 4
    assert (scores.uas, scores.las) == (100, 50)
    assert (scores.exact_match, scores.exact_match_unlabelled) == (0, 100)


def test_without_upos_punct():
    # ":" and "“" are out by their tags; "!" has the tag SYM here and stays
    scores = evaluate([GOLD], [PREDICTED], punctuation="upos")
    assert scores.counts.words == 5
    assert (scores.uas, scores.las) == (80, 40)


def test_the_gold_tag_decides():
    other = PREDICTED.replace(upos=["PUNCT"] * 7)
    assert evaluate([GOLD], [other], punctuation="upos").counts.words == 5


def test_without_subtypes():
    scores = evaluate([GOLD], [PREDICTED], subtypes=False)
    assert scores.las == 100 * (4 / 7)
    assert scores.label_accuracy == 100 * (6 / 7)


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (".", True),
        ("...", True),
        ("-LRB-", False),
        ("``", False),  # U+0060 is a modifier symbol, Sk
        ("''", True),
        ("--", True),
        ("—", True),
        ("«", True),
        ("。", True),
        ("؟", True),
        ("·", True),
        ("_", True),
        ("%", True),
        ("$", False),
        ("+", False),
        ("<", False),
        ("|", False),
        ("^", False),
        ("°", False),
        (":-)", True),
        (":D", False),
        ("'s", False),
        (". .", False),
        ("\u0301", False),
    ],
)
def test_the_rule_of_eval_pl(form, expected):
    assert is_punctuation(form) is expected


def test_sentences_of_punctuation_alone_do_not_count_as_matched():
    dots = Sentence(["...", "!"], heads=[0, 1], deprels=["root", "punct"])
    scores = evaluate([GOLD, dots], [GOLD, dots.replace(heads=[2, 0])], punctuation="unicode")
    assert scores.counts.sentences == 1
    assert scores.exact_match == 100
    assert evaluate([GOLD, dots], [GOLD, dots]).counts.sentences == 2


def test_non_projective_arcs_by_hand():
    # The arc 1 → 3 spans word 2, which is above word 1; 2 → 4 spans word 3, which is below word 2.
    gold = Sentence(list("abcd"), heads=[2, 0, 1, 2], deprels=["a", "root", "b", "c"])
    assert evaluate([gold], [gold]).non_projective.gold == 1
    projective = gold.replace(heads=[2, 0, 2, 2])
    scores = evaluate([gold], [projective])
    assert (scores.non_projective.recall, scores.non_projective.precision, scores.non_projective.f1) == (
        0,
        None,
        0,
    )
    scores = evaluate([projective], [gold])
    assert (scores.non_projective.recall, scores.non_projective.precision, scores.non_projective.f1) == (
        None,
        0,
        0,
    )
    scores = evaluate([projective], [projective])
    assert scores.non_projective.f1 is None
    scores = evaluate([gold], [gold.replace(deprels=["a", "root", "x", "c"])])
    assert scores.non_projective.f1 == 100
    assert scores.non_projective_labelled.f1 == 0


def naive_non_projective(sentence: Sentence) -> set[int]:
    """Dependents of arcs over a word that is not below the head, straight from the definition."""

    def below(word: int, top: int) -> bool:
        while word not in (top, 0):
            word = sentence[word].head
        return word == top

    return {
        word.id
        for word in sentence
        if not all(below(k, word.head) for k in range(min(word.id, word.head) + 1, max(word.id, word.head)))
    }


@pytest.mark.parametrize("subtypes", [True, False])
@pytest.mark.parametrize("punctuation", ["all", "unicode", "upos"])
def test_against_counting_word_by_word(punctuation, subtypes):
    rng = random.Random(5)
    gold = [random_sentence(rng) for _ in range(60)]
    predicted = spoil(spoil(gold, "heads", 1, share=0.3), "labels", 2, share=0.3)
    keys = [
        "words",
        "heads",
        "labels",
        "both",
        "full",
        "full_heads",
        "gold",
        "gold_ok",
        "system",
        "system_ok",
    ]
    count = dict.fromkeys(keys, 0)
    for one, other in zip(gold, predicted, strict=True):
        crossing, crossing_there = naive_non_projective(one), naive_non_projective(other)
        heads_right, all_right, words = True, True, 0
        for here, there in zip(one, other, strict=True):
            if punctuation == "unicode" and set(here.form) == {"."}:
                continue
            if punctuation == "upos" and here.upos == "PUNCT":
                continue
            words += 1
            head = here.head == there.head
            cut = (lambda label: label) if subtypes else (lambda label: label.partition(":")[0])
            label = cut(here.deprel) == cut(there.deprel)
            heads_right, all_right = heads_right and head, all_right and head and label
            count["heads"] += head
            count["labels"] += label
            count["both"] += head and label
            count["gold"] += here.id in crossing
            count["gold_ok"] += here.id in crossing and head
            count["system"] += here.id in crossing_there
            count["system_ok"] += here.id in crossing_there and head
        count["words"] += words
        count["full"] += words > 0 and all_right
        count["full_heads"] += words > 0 and heads_right
    scores = evaluate(gold, predicted, punctuation=punctuation, subtypes=subtypes)
    assert scores.uas == 100 * (count["heads"] / count["words"])
    assert scores.las == 100 * (count["both"] / count["words"])
    assert scores.label_accuracy == 100 * (count["labels"] / count["words"])
    assert scores.counts.sentences_both_correct == count["full"] > 0
    assert scores.counts.sentences_heads_correct == count["full_heads"] > 0
    arcs = scores.non_projective
    assert (arcs.gold, arcs.gold_correct) == (count["gold"], count["gold_ok"])
    assert (arcs.predicted, arcs.predicted_correct) == (count["system"], count["system_ok"])
    assert arcs.gold_correct != arcs.predicted_correct


def test_on_the_same_words_it_is_what_conll18_says():
    rng = random.Random(6)
    gold = [random_sentence(rng) for _ in range(40)]
    predicted = spoil(spoil(gold, "heads", 1), "labels", 2)
    scores, official = evaluate(gold, predicted, subtypes=False), conll18(gold, predicted)
    assert (scores.uas, scores.las) == (official["UAS"].f1, official["LAS"].f1)


def test_several_roots_are_fine():
    two = Sentence(["a", "b"], heads=[0, 0], deprels=["root", "root"])
    assert evaluate([two], [two.replace(heads=[0, 1])]).uas == 50


def test_files(tmp_path):
    gold, predicted = tmp_path / "gold.conllu", tmp_path / "predicted.conllu"
    gold.write_text(conllu([GOLD] * 3), encoding="utf-8")
    predicted.write_text(conllu([GOLD, PREDICTED, GOLD]), encoding="utf-8")
    assert evaluate(gold, str(predicted)) == evaluate([GOLD] * 3, iter([GOLD, PREDICTED, GOLD]))


def test_json():
    made = json.loads(json.dumps(evaluate([GOLD], [PREDICTED]).as_dict()))
    assert (made["uas"], made["las"]) == (100 * (5 / 7), 100 * (3 / 7))
    assert made["counts"]["both_correct"] == 3
    assert made["non_projective"]["gold"] == evaluate([GOLD], [PREDICTED]).non_projective.gold


def test_other_words(tmp_path):
    gold, predicted = tmp_path / "gold.conllu", tmp_path / "predicted.conllu"
    gold.write_text(conllu([GOLD, GOLD]), encoding="utf-8")
    predicted.write_text(conllu([GOLD, GOLD.replace(forms=["She", "says", ":", "“", "$", "5", "!"])]), encoding="utf-8")
    with pytest.raises(EvaluationError) as caught:
        evaluate(gold, predicted)
    error = caught.value
    assert (error.file, error.sentence, error.word, error.line) == (str(predicted), 2, 2, 9)
    assert f"sentence 2 (line 9), word 2: found 'says', expected 'said' as in {gold}" in str(error)
    assert "conll18" in error.remedy


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        ([GOLD], [], "predicted: found 0 sentences, expected more than 0, as in gold"),
        ([], [GOLD], "predicted: found more than 0 sentences, expected 0, as in gold"),
        ([GOLD] * 2, [GOLD], "predicted: found 1 sentence, expected more than 1"),
        ([GOLD], [GOLD] * 2, "predicted: found more than 1 sentence, expected 1"),
        ([], [], "gold: found no sentences"),
        ([GOLD], [Sentence(GOLD.forms)], "predicted: sentence 1: found no heads, expected a tree"),
        ([Sentence(GOLD.forms)], [GOLD], "gold: sentence 1: found no heads, expected a tree"),
        (
            [GOLD],
            [Sentence(["She"], heads=[0])],
            "word 2: found the end of the sentence, expected 'said' as in gold",
        ),
        (
            [Sentence(["She"], heads=[0])],
            [GOLD],
            "word 2: found 'said', expected the end of the sentence as in gold",
        ),
    ],
)
def test_what_cannot_be_scored(gold, predicted, message):
    with pytest.raises(EvaluationError) as caught:
        evaluate(gold, predicted)
    assert message in str(caught.value)


def test_nothing_but_punctuation():
    dots = Sentence(["..."], heads=[0], deprels=["root"])
    assert evaluate([dots], [dots]).las == 100
    with pytest.raises(EvaluationError, match="nothing but punctuation"):
        evaluate([dots], [dots], punctuation="unicode")


def test_an_unknown_rule_is_named():
    with pytest.raises(ValueError, match="punctuation='none' is not one of 'all', 'unicode', 'upos'"):
        evaluate([GOLD], [GOLD], punctuation="none")


def test_a_bad_file_is_the_readers_error(tmp_path):
    bad = tmp_path / "bad.conllu"
    bad.write_text("1\ta\n\n")
    with pytest.raises(TreebankError, match=r"bad\.conllu:1"):
        evaluate(bad, bad)
