"""What a batch teaches is what its sentences teach one by one, by the definitions."""

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')

from rearc.oracles import oracle
from rearc.systems import system
from rearc.tagger.rules import make_rule
from rearc.training.bilstm import BiLSTMTrainer
from rearc.training.corpus import make_corpus
from rearc.training.options import LOSSES, Options
from rearc.training.plan import plan
from rearc.treebank import Sentence
from tests.naive.neural import NaiveNetwork
from tests.neural.test_losses import naive_loss

SYSTEMS = (
    "covington",
    "nl-covington-nonmonotonic",
    "arc-swift",
    "arc-hybrid-swap",
    "arc-standard",
    "arc-eager-unshift",
    "attardi",
)


def make_trainer(sentences: list[Sentence], **options: object) -> BiLSTMTrainer:
    chosen = Options(model="bilstm", size="small", **options)
    trainer = BiLSTMTrainer(plan(make_corpus("sample", sentences), None, chosen, lambda note: None), None, 1)
    torch.manual_seed(4)
    with torch.no_grad():
        for parameter in trainer.module.parameters():
            parameter.normal_(std=0.5)
    trainer.module.eval()  # without dropout
    trainer.corpus._dropped[1:] = 0
    return trainer


def exact(trainer: BiLSTMTrainer) -> dict[str, np.ndarray]:
    """The weights as they are learnt, before they are rounded for a file."""
    return {name: tensor.numpy().copy() for name, tensor in trainer.module.tensors().items()}


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("name", SYSTEMS)
def test_losses_of_a_batch(name: str, loss: str, sentences: list[Sentence]):
    trainer = make_trainer(sentences, system=name, loss=loss, slots="s2 s1 s0 b0 s0l b0l b1")
    which = np.array([5, 2, 11, 30], dtype=np.int64)
    assert len(set(trainer.corpus.sizes[which])) > 2  # so that some rows are filled up
    inputs = trainer.corpus.inputs(which, np.random.default_rng(0), trainer.device)
    vectors, _ = trainer.module.encoder(inputs)
    rows = trainer.module.scorer.framed(vectors, inputs.mask)
    found, configurations = trainer._transition_loss(rows, which, 0.0, 1)
    found_labels = trainer._label_loss(rows, which, inputs)

    labels = [(label.of_root, label.of_word) for label in trainer.header.labels]
    naive = NaiveNetwork(trainer.network.shape, trainer.vocabulary, labels, exact(trainer))
    compiled = system(name, single_root=trainer.header.single_root)
    total, total_labels, count = 0.0, 0.0, 0
    for s in which.tolist():
        sentence = trainer.plan.sentences[s]
        with torch.no_grad():
            with_root = torch.cat([naive.w["root"].unsqueeze(0), naive.encode(sentence)[0]])
        judge = oracle(name, trainer.header.oracle, [0, *sentence.heads], single_root=trainer.header.single_root)
        state = judge.start()
        while not state.is_terminal:
            legal, scores = compiled.legal(state), naive.scores(compiled, state, with_root)
            optimal = judge.optimal(state)
            if len(legal) > 1:
                total += naive_loss([(x, t in optimal) for t, x in zip(legal, scores, strict=True)], loss)
                count += 1
            judge.apply(state, max(optimal, key=lambda t: scores[legal.index(t)]))
        names = [label.name for label in trainer.header.labels]
        for d, (h, label) in enumerate(zip(sentence.heads, sentence.deprels, strict=True), 1):
            hidden = naive.linear("label_head", with_root[h]) + naive.linear("label_dependent", with_root[d])
            exps = naive.linear("label_output", hidden.relu()).exp()
            total_labels -= math.log(exps[names.index(label)] / exps.sum())
    assert configurations == count
    assert found.item() == pytest.approx(total, rel=1e-4)
    assert found_labels.item() == pytest.approx(total_labels, rel=1e-4)


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("name", ["covington", "arc-eager"])
def test_everything_learns(name: str, sentences: list[Sentence]):
    """After a few batches no weight is what it was."""
    trainer = make_trainer(sentences, system=name, tagger=True)
    before = exact(trainer)
    while trainer.learn():
        pass
    after = exact(trainer)
    assert {key for key in before if (before[key] == after[key]).all()} == set()


@pytest.mark.usefixtures("tiny")
def test_lemmas_by_a_rule_of_their_own_teach_nothing(sentences: list[Sentence]):
    """A rule of one word alone is no class; the others are the classes of their words."""
    trainer = make_trainer(sentences, system="arc-hybrid", tagger=True)
    which = np.arange(len(sentences))
    inputs = trainer.corpus.inputs(which, np.random.default_rng(1), trainer.device)
    rules = [make_rule(*pair) for s in trainer.plan.sentences for pair in zip(s.forms, s.lemmas, strict=True)]
    numbers = inputs.tags["lemmas"][inputs.mask].tolist()
    assert numbers == [trainer.vocabulary.lemmas[rule] if rules.count(rule) > 1 else 0 for rule in rules]
    assert 0 < numbers.count(0) < len(numbers) / 4
    scores = torch.zeros(*inputs.mask.shape, len(trainer.vocabulary.lemmas))
    loss = trainer._tag_loss(scores, inputs.tags["lemmas"], inputs.mask)
    assert float(loss) == pytest.approx((len(numbers) - numbers.count(0)) * math.log(scores.shape[2]), rel=1e-4)


@pytest.mark.usefixtures("tiny")
def test_rare_words_are_dropped(sentences: list[Sentence]):
    """A word seen c times with probability ¼ / (¼ + c); the others are themselves."""
    trainer = BiLSTMTrainer(
        plan(make_corpus("s", sentences), None, Options(model="bilstm", size="small"), lambda note: None), None, 1
    )
    forms = [form.lower() for s in trainer.plan.sentences for form in s.forms]
    which = np.arange(len(sentences))
    random = np.random.default_rng(1)
    dropped: dict[str, int] = dict.fromkeys(forms, 0)
    rounds = 300
    for _ in range(rounds):
        inputs = trainer.corpus.inputs(which, random, trainer.device)
        for form, number in zip(forms, inputs.words[inputs.mask].tolist(), strict=True):
            assert number in (0, trainer.vocabulary.words[form])
            dropped[form] += number == 0
    for count in {forms.count(form) for form in forms}:
        group = [form for form in forms if forms.count(form) == count]
        share = sum(dropped[form] for form in set(group)) / (rounds * len(group))
        assert share == pytest.approx(0.25 / (0.25 + count), abs=0.03)


@pytest.mark.usefixtures("tiny")
def test_batches_hold_every_sentence_once(sentences: list[Sentence]):
    trainer = make_trainer(sentences)
    orders = []
    for seed in (1, 1, 2):
        batches = trainer.corpus.batches(60, np.random.default_rng(seed))
        assert sorted(np.concatenate(batches).tolist()) == list(range(len(sentences)))
        sizes = trainer.corpus.sizes
        assert all(len(batch) == 1 or len(batch) * sizes[batch].max() <= 60 for batch in batches)
        orders.append([batch.tolist() for batch in batches])
    assert orders[0] == orders[1] != orders[2]
