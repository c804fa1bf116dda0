import json
import random

import pytest

from rearc.evaluation import analysis, evaluate
from rearc.evaluation.analysis import ARC_LENGTHS, ROOT_DISTANCES, SENTENCE_LENGTHS, ArcRow
from rearc.treebank import Sentence
from tests.evaluation.samples import random_sentence, spoil

GOLD = Sentence(
    ["I", "saw", "an", "old", "man", "."],
    upos=["PRON", "VERB", "DET", "ADJ", "NOUN", "PUNCT"],
    heads=[2, 0, 5, 5, 2, 2],
    deprels=["nsubj", "root", "det", "amod", "obj", "punct"],
)
# "an" on "old", "old" called a compound, "man" the subject
PREDICTED = GOLD.replace(heads=[2, 0, 4, 5, 2, 2], deprels=["nsubj", "root", "det", "compound", "nsubj", "punct"])


def arcs(rows: list[ArcRow], name: str) -> ArcRow:
    return next(row for row in rows if row.name == name)


def test_arc_length_by_hand():
    rows = analysis([GOLD], [PREDICTED]).arc_length
    one = arcs(rows, "1").unlabelled  # gold: I, old; predicted: I, an, old
    assert (one.gold, one.gold_correct, one.predicted, one.predicted_correct) == (2, 2, 3, 2)
    two = arcs(rows, "2").unlabelled  # gold: an
    assert (two.gold, two.gold_correct, two.predicted) == (1, 0, 0)
    assert (two.recall, two.precision) == (0, None)
    root = arcs(rows, "root").labelled
    assert (root.gold, root.precision, root.recall) == (1, 100, 100)
    assert arcs(rows, "1").labelled.gold_correct == 1  # "old" has another label


def test_root_distance_by_hand():
    rows = analysis([GOLD], [PREDICTED]).root_distance
    assert arcs(rows, "1").unlabelled.gold == 1
    third = arcs(rows, "3").unlabelled  # gold: an, old; predicted: old
    assert (third.gold, third.gold_correct, third.predicted, third.predicted_correct) == (2, 1, 1, 1)
    fourth = arcs(rows, "4").unlabelled  # predicted: an, wrong
    assert (fourth.gold, fourth.predicted, fourth.predicted_correct) == (0, 1, 0)


def test_label_by_hand():
    rows = analysis([GOLD], [PREDICTED]).label
    nsubj = arcs(rows, "nsubj").labelled
    assert (nsubj.precision, nsubj.recall) == (50, 100)
    assert arcs(rows, "compound").labelled.f1 == 0
    assert arcs(rows, "amod").unlabelled.recall == 100
    assert arcs(rows, "amod").labelled.recall == 0


def test_pos_and_sentence_length_by_hand():
    found = analysis([GOLD, GOLD], [GOLD, PREDICTED], punctuation="upos")
    pos = {row.name: row for row in found.pos}
    assert (pos["DET"].words, pos["DET"].uas, pos["DET"].label_accuracy) == (2, 50, 100)
    assert (pos["PUNCT"].words, pos["PUNCT"].las) == (0, None)
    short = found.sentence_length[0]
    assert (short.name, short.words, short.uas) == ("1–10", 10, 90)
    assert all(row.words == 0 for row in found.sentence_length[1:])


def test_names_of_the_bins():
    found = analysis([GOLD], [GOLD])
    assert [row.name for row in found.arc_length][:3] == ["root", "1", "2"]
    assert [row.name for row in found.arc_length][-4:] == ["11–15", "16–20", "21–30", "≥31"]
    assert [row.name for row in found.root_distance] == ["1", "2", "3", "4", "5", "6", "7", "8", "9", "≥10"]
    assert [row.name for row in found.sentence_length][-1] == "≥51"


def bin_of(value: int, firsts: tuple[int, ...]) -> int:
    return max(k for k, first in enumerate(firsts) if first <= value)


def distance(sentence: Sentence, word: int) -> int:
    return 1 + distance(sentence, sentence[word].head) if sentence[word].head else 1


@pytest.mark.parametrize("punctuation", ["all", "upos"])
def test_against_counting_arc_by_arc(punctuation):
    rng = random.Random(3)
    gold = [random_sentence(rng, longest=60) for _ in range(40)]
    predicted = spoil(spoil(gold, "heads", 1, share=0.3), "labels", 2, share=0.3)
    found = analysis(gold, predicted, punctuation=punctuation)

    def length(sentence: Sentence, word: int) -> int:
        head = sentence[word].head
        return bin_of(abs(head - word) if head else 0, ARC_LENGTHS)

    tables = {
        "arc_length": length,
        "root_distance": lambda s, k: bin_of(distance(s, k), ROOT_DISTANCES),
        "label": lambda s, k: s[k].deprel,
    }
    for name, class_of in tables.items():
        count: dict[object, list[int]] = {}
        for one, other in zip(gold, predicted, strict=True):
            for k in range(1, len(one) + 1):
                if punctuation == "upos" and one[k].upos == "PUNCT":
                    continue
                head = one[k].head == other[k].head
                both = head and one[k].deprel == other[k].deprel
                here = count.setdefault(class_of(one, k), [0] * 6)
                there = count.setdefault(class_of(other, k), [0] * 6)
                here[0] += 1
                here[1] += head
                here[2] += both
                there[3] += 1
                there[4] += head
                there[5] += both
        for number, row in enumerate(getattr(found, name)):
            expected = count.get(row.name if name == "label" else number, [0] * 6)
            assert [
                row.unlabelled.gold,
                row.unlabelled.gold_correct,
                row.labelled.gold_correct,
                row.labelled.predicted,
                row.unlabelled.predicted_correct,
                row.labelled.predicted_correct,
            ] == expected
        assert sum(values[0] for values in count.values()) == found.scores.counts.words
    for row in found.pos:
        words = [
            (here, there)
            for one, other in zip(gold, predicted, strict=True)
            for here, there in zip(one, other, strict=True)
            if here.upos == row.name and not (punctuation == "upos" and here.upos == "PUNCT")
        ]
        assert row.words == len(words)
        assert row.heads_correct == sum(here.head == there.head for here, there in words)
        assert row.labels_correct == sum(here.deprel == there.deprel for here, there in words)
    for number, row in enumerate(found.sentence_length):
        some = [k for k, one in enumerate(gold) if bin_of(len(one), SENTENCE_LENGTHS) == number]
        assert row.words > 0
        scores = evaluate([gold[k] for k in some], [predicted[k] for k in some], punctuation=punctuation)
        assert (row.uas, row.las, row.label_accuracy) == (scores.uas, scores.las, scores.label_accuracy)
    assert found.scores == evaluate(gold, predicted, punctuation=punctuation)


def test_without_subtypes():
    gold = GOLD.replace(deprels=["nsubj:pass", "root", "det", "amod", "obj", "punct"])
    predicted = GOLD.replace(deprels=["nsubj:outer", "root", "det", "amod", "obj", "punct"])
    assert arcs(analysis([gold], [predicted], subtypes=False).label, "nsubj").labelled.f1 == 100
    assert arcs(analysis([gold], [predicted]).label, "nsubj:pass").labelled.f1 == 0


def test_json_and_tables():
    found = analysis([GOLD], [PREDICTED])
    made = json.loads(json.dumps(found.as_dict()))
    assert made["scores"]["las"] == found.scores.las
    assert made["root_distance"][3]["unlabelled"]["precision"] == 0
    assert {row["name"] for row in made["label"]} == set(GOLD.deprels) | set(PREDICTED.deprels)
    tables = found.tables()
    assert [table.title for table in tables] == [
        "Arc length",
        "Distance to the root",
        "Sentence length",
        "Label",
        "Part of speech",
    ]
    for table in tables:
        assert table.rows
        assert all(len(row) == len(table.columns) for row in table.rows)
    assert tables[0].rows[0][:3] == ["root", 1, 1]
    assert tables[2].rows == [["1–10", 6, found.scores.uas, found.scores.las, found.scores.label_accuracy]]
