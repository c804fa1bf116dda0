"""The perceptron's training beside its naive twin: the same mistakes, the same averaged weights, the same trees."""

from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

import rearc
from rearc.features.templates import parse_templates
from rearc.features.tokens import TokenEncoder
from rearc.oracles import oracle, oracles
from rearc.parser.model import read_model
from rearc.parser.parser import Parser
from rearc.parser.perceptron import make_decoder, weights_of
from rearc.perceptron.weights import Rows
from rearc.systems import systems
from rearc.training import Options
from rearc.training.corpus import make_corpus
from rearc.training.perceptron import PerceptronTrainer
from rearc.training.plan import plan
from rearc.training.trainer import Trainer
from rearc.treebank import Sentence
from tests.lockstep import ONE_ROOT_ALWAYS, random_derivable
from tests.naive.perceptron import Perceptron
from tests.naive.training import Pupil, Training
from tests.trained import train_parser

STACK = "S0w S0p+N0p S0wp+N0w S1p N1p S0l+N0p S0sl S0vr+N0vl S0hp S0lp+N0p S0rl S0pd N0lp"
PAIR = "L0w L0p+R0p L0wp+R0w L1p R1p L0l+R0p L0sl L0vr+R0vl L0hp L0lp+R0p R0hp R0l L0pd CLp"
FORMS = ["the", "old", "dog", "saw", "us", "here", ",", "not"]
UPOS = ["DET", "ADJ", "NOUN", "VERB", "PRON"]
LABELS = ["acl", "det", "nsubj", "obj", "punct"]
STATIC = {"static", "static-lazy"}
EPOCHS = 4
CASES = [
    pytest.param(name, judge, policy, one, id=f"{name}-{judge}-{policy[0]}-{policy[1]}-{'one' if one else 'any'}")
    for name in systems()
    for judge in oracles(name)
    for policy, one in ([((0, 0.0), False)] if judge in STATIC else [((1, 0.6), False), ((2, 1.0), True)])
]


def treebank(name: str, single_root: bool, seed: int, size: int = 14) -> list[Sentence]:
    """Words, tags, trees and labels at random: nothing can be learnt but by heart, so that mistakes go on."""
    rng = Random(seed)
    sentences = []
    for _ in range(size):
        heads = random_derivable(name, single_root, rng.randint(1, 6), rng)[1:]
        sentences.append(
            Sentence(
                rng.choices(FORMS, k=len(heads)),
                upos=rng.choices(UPOS, k=len(heads)),
                heads=heads,
                deprels=[rng.choice(LABELS if head else ["root", "obj"]) for head in heads],
            )
        )
    return sentences


def make(sentences: list[Sentence], templates: Path, seed: int, **options: object) -> PerceptronTrainer:
    chosen = Options(features=str(templates), seed=seed, **options)
    made = plan(make_corpus("naive.conllu", sentences), None, chosen, lambda _: None)
    return PerceptronTrainer(made, None, EPOCHS)


def twin(trainer: Trainer) -> Training:
    """The naive training of what the trainer trains."""
    header = trainer.header
    judge = oracle(header.system, header.oracle, [0, 0], single_root=header.single_root)
    templates = [parse_templates(text) for text in (header.templates, header.label_templates)]
    labels = [(label.name, label.of_root, label.of_word) for label in header.labels]
    pupil = Pupil(judge.system, *templates, labels, header.repairs_apart)
    return Training(pupil, judge, trainer.plan.sentences, header.seed, header.policy)


def run_epoch(trainer: Trainer) -> tuple[int, int, int]:
    while trainer.learn():
        pass
    record = trainer.finish_epoch()
    return record.transitions, record.mistakes, record.more["label_mistakes"]


def dense(rows: Rows, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Of a label learner, with the labels that have no weight."""
    weights = np.zeros((len(rows.keys), classes), dtype=np.float32)
    weights[np.repeat(np.arange(len(rows.keys)), rows.counts), rows.labels] = rows.weights
    return rows.keys, weights


def rows_of(learner: object) -> Counter[tuple[int, ...]]:
    """The averaged weights times the steps: whole numbers. Whose they are is not said, since a hash does not tell."""
    found = learner.average()
    keys, weights = found if len(found) == 2 else dense(found, learner.classes)
    assert len(set(keys.tolist())) == len(keys)
    return Counter(tuple(row) for row in np.rint(weights.astype(np.float64) * learner.steps).astype(int).tolist())


def naive_rows(perceptron: Perceptron, classes: int) -> Counter[tuple[int, ...]]:
    features = {feature for feature, _ in perceptron.weights}
    return Counter(tuple(perceptron.total.get((f, k), 0) for k in range(classes)) for f in features)


def saved(parser: Parser, folder: Path) -> dict[str, list[int]]:
    """The weights in its file."""
    parser.save(folder / "m.rearc")
    return {name: array.tolist() for name, array in read_model(folder / "m.rearc").weights.items()}


@pytest.mark.parametrize(("name", "judge", "policy", "single_root"), CASES)
def test_training(name: str, judge: str, policy: tuple[int, float], single_root: bool, tmp_path: Path):
    templates = tmp_path / "templates.txt"
    templates.write_text(PAIR if "covington" in name else STACK)
    seed = len(name) + len(judge)
    sentences = treebank(name, single_root or name in ONE_ROOT_ALWAYS, seed)
    options = {"system": name, "oracle": judge, "policy": policy, "single_root": single_root}
    trainer = make(sentences, templates, seed, **options)
    naive = twin(trainer)
    labels = len(trainer.header.labels)
    for _ in range(EPOCHS):
        expected = naive.epoch()
        assert run_epoch(trainer) == expected
    pupil = naive.pupil
    assert trainer.history[1].mistakes > 0
    assert sum(record.more["label_mistakes"] for record in trainer.history) > 0
    assert trainer.learner.random == naive.chance.state
    assert (naive.followed > 0) == (policy[1] > 0)
    assert (trainer.types.steps, trainer.labels.steps) == (pupil.types.steps, pupil.label_types.steps)
    assert rows_of(trainer.types) == naive_rows(pupil.types, 4)
    assert rows_of(trainer.labels) == naive_rows(pupil.label_types, labels)

    # the weights as they are after the last step, which are whole numbers too, parse new sentences in the same way
    unseen = treebank(name, single_root or name in ONE_ROOT_ALWAYS, seed + 1, 6)
    decoder = make_decoder(trainer.header, trainer.types, trainer.labels)
    heads, numbers = decoder.parse(*TokenEncoder().encode(unseen))
    trees = [pupil.parse(sentence) for sentence in unseen]
    assert heads.tolist() == [head for tree, _ in trees for head in tree]
    assert [trainer.header.labels[k].name for k in numbers] == [label for _, given in trees for label in given]

    # and rearc.train does just this
    parser = train_parser(sentences, features=str(templates), seed=seed, epochs=EPOCHS, **options)
    packed = weights_of(trainer.types, trainer.labels)
    assert saved(parser, tmp_path) == {key: array.tolist() for key, array in packed.items()}


def test_the_epoch_that_is_kept(tmp_path: Path):
    """The first of those with the best LAS on dev, with the weights it had then."""
    templates = tmp_path / "templates.txt"
    templates.write_text(STACK)
    options = {"system": "arc-hybrid", "seed": 3, "features": str(templates)}
    sentences, dev = treebank("arc-hybrid", True, 1), treebank("arc-hybrid", True, 2)
    scores = [train_parser(sentences, dev, epochs=k, **options).header.scores["las"] for k in range(1, 9)]
    lasts = []
    for k in range(1, 9):
        last = train_parser(sentences, epochs=k, **options)
        lasts.append((rearc.evaluate(dev, last.parse_many(dev)).las, saved(last, tmp_path)))
    las = [score for score, _ in lasts]
    assert scores == [max(las[: k + 1]) for k in range(8)]
    kept = train_parser(sentences, dev, epochs=8, **options)
    best = las.index(max(las))
    assert kept.header.epoch == best + 1 < 8
    assert las.count(max(las)) > 1
    assert saved(kept, tmp_path) == lasts[best][1]
