"""Decoding by scores computed beforehand gives the trees of a parser that scores every configuration by itself."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')

import rearc
from rearc.files.tensors import Tensors
from rearc.neural.description import Sizes, describe, sizes_of
from rearc.neural.minibatches import TrainingCorpus
from rearc.neural.numpy_model import Network
from rearc.neural.scorers import is_pair_system, tables_of
from rearc.neural.shape import Shape
from rearc.neural.torch_model import ParserModule
from rearc.parser.bilstm import make_network
from rearc.parser.header import Header
from rearc.systems import system, systems
from rearc.treebank import Sentence
from tests.naive.neural import NaiveNetwork
from tests.neural.networks import TINY, make_header, random_network, random_weights, vocabulary_of

GIVEN = replace(TINY, tagger=(), tags=0, columns=(), affixes=0)
AT_XPOS = {"feats": 0, "xpos": 5}  # in place of FEATS
CLOSE = 1e-4  # choices narrower than this may fall otherwise in single precision
DEPENDENTS = "s2 s1 s0 b0 s0l s0r s1r b0l"


def naive_of(network: Network, weights: Tensors, header: Header) -> NaiveNetwork:
    labels = [(label.of_root, label.of_word) for label in header.labels]
    return NaiveNetwork(network.shape, network.vocabulary, labels, weights)


def agree(name: str, single_root: bool, shape: Shape, sentences: Sequence[Sentence]) -> None:
    network, weights, header = random_network(name, single_root, shape, sentences)
    naive = naive_of(network, weights, header)
    compiled = system(name, single_root=single_root)
    heads, labels, _ = network.parse(sentences)
    start = close = 0
    for sentence in sentences:
        stop = start + len(sentence)
        expected_heads, expected_labels, narrowest = naive.parse(compiled, sentence)
        if narrowest > CLOSE:
            assert heads[start:stop].tolist() == expected_heads
            assert labels[start:stop].tolist() == expected_labels
        close += narrowest <= CLOSE
        start = stop
    assert close <= len(sentences) / 10
    assert len({h - d for d, h in enumerate(heads.tolist())}) > 3  # not all trees are alike


@pytest.mark.parametrize("single_root", [False, True], ids=["any", "one"])
@pytest.mark.parametrize("name", systems())
def test_samples(name: str, single_root: bool, sentences: list[Sentence]):
    agree(name, single_root, GIVEN, sentences)


@pytest.mark.parametrize("name", [name for name in systems() if not is_pair_system(name)])
def test_dependents_in_slots(name: str, sentences: list[Sentence]):
    agree(name, False, replace(GIVEN, slots=DEPENDENTS), sentences)


@pytest.mark.parametrize("name", [name for name in systems() if is_pair_system(name)])
def test_long_sentences_have_no_tables(name: str, sentences: list[Sentence], monkeypatch: pytest.MonkeyPatch):
    """Above a length, pairs are scored when they are met."""
    network = random_network(name, False, GIVEN, sentences)[0]
    expected = network.parse(sentences)
    monkeypatch.setattr("rearc.neural.numpy_model.LONG", 3)
    found = network.parse(sentences)
    assert found[0].tolist() == expected[0].tolist()
    assert found[1].tolist() == expected[1].tolist()
    agree(name, True, GIVEN, sentences[:20])


@pytest.mark.parametrize("name", systems())
def test_real_sentences(name: str, treebanks: Path):
    source = (s for s in rearc.read(next((treebanks / "eu_bdt").glob("*dev.conllu"))) if len(s) > 1)
    agree(name, False, replace(GIVEN, slots=DEPENDENTS), list(islice(source, 200)))


def test_a_tagger_before_the_parser(sentences: list[Sentence]):
    """Tags are predicted, and what the parser sees is their mean."""
    for shape in (
        TINY,
        replace(TINY, stacked=False),
        replace(TINY, feats=0, tagger=(5, 4), columns=("upos", "lemmas")),
        replace(TINY, columns=("upos", "xpos", "lemmas"), **AT_XPOS),
        replace(TINY, xpos=5),
        replace(TINY, layers=(8,)),  # a parser whose first layer is the tagger's
    ):
        network, weights, header = random_network("arc-hybrid", True, shape, sentences)
        agree("arc-hybrid", True, shape, sentences[:20])
        naive = naive_of(network, weights, header)
        tags = network.parse(sentences)[2]
        expected = [naive.encode(sentence)[1] for sentence in sentences]
        assert tags == {column: [tag for one in expected for tag in one[column]] for column in expected[0]}


def test_parts_left_out(sentences: list[Sentence]):
    for parts in ({"spelling": 0, "characters": 0}, {"upos": 0}, {"feats": 0}, {"upos": 0, "feats": 0}):
        agree("nl-covington", True, replace(GIVEN, **parts), sentences[:20])


@pytest.mark.parametrize("name", ["nl-covington", "arc-hybrid"])
def test_xpos_in_place_of_feats(name: str, sentences: list[Sentence]):
    """The XPOS of the file go in, also those that were never seen; other FEATS change nothing."""
    shape = replace(GIVEN, **AT_XPOS)
    featureless = [s.replace(feats=None) for s in sentences]
    agree(name, True, shape, featureless)
    network = random_network(name, True, shape, featureless)[0]
    labels = network.parse(featureless)[1].tolist()
    assert network.parse(sentences)[1].tolist() == labels
    assert network.parse([s.replace(xpos=None) for s in sentences])[1].tolist() != labels
    agree(name, True, replace(shape, upos=0), featureless[:20])


# the network in PyTorch ----------------------------------------------------------------------------------------------


def module_with(weights: Tensors, name: str, shape: Shape, sizes: Sizes) -> ParserModule:
    module = ParserModule(describe(shape, sizes, name), 0.5)
    module.load_state_dict(
        {
            long: torch.from_numpy(weights[short])
            for long, short in zip(module.state_dict(), module.tensors(), strict=True)
        }
    )
    return module.double().eval()


@pytest.mark.parametrize(
    "shape",
    [GIVEN, TINY, replace(TINY, stacked=False), replace(GIVEN, **AT_XPOS), replace(TINY, **AT_XPOS)],
    ids=["given", "joint", "expected", "given xpos", "joint xpos"],
)
@pytest.mark.parametrize("name", ["covington", "nl-covington", "covington-nonmonotonic", "arc-eager"])
def test_what_is_trained_is_what_parses(name: str, shape: Shape, sentences: list[Sentence]):
    """The module for training, over padded batches, comes to the vectors and the scores of the definition."""
    header = make_header(name, False, sentences)
    vocabulary = vocabulary_of(sentences[::2], shape, vectors=["the", "owl"])
    weights = random_weights(header, shape, vocabulary, 5, vectors=3)
    network = make_network(header, shape, vocabulary, weights)
    naive = naive_of(network, weights, header)
    v = vocabulary
    sizes = sizes_of(v, shape.columns, len(header.labels), 3)
    module = module_with(weights, name, shape, sizes)
    counts = [0, *[10**12] * len(v.words)]  # words so frequent are never dropped
    corpus = TrainingCorpus(sentences, [label.name for label in header.labels], v, counts, shape.columns)
    which = np.array([7, 0, 3, 21], dtype=np.int64)
    inputs = corpus.inputs(which, np.random.default_rng(1), torch.device("cpu"))
    vectors, tags = module.encoder(inputs)
    rows = module.scorer.framed(vectors, inputs.mask)
    heads = torch.from_numpy(corpus.heads.padded(which))
    labels = module.labeller(rows, heads)
    assert sorted(tags) == sorted(shape.columns)
    given = module.scorer(rows)
    for b, s in enumerate(which.tolist()):
        sentence, n = sentences[s], len(sentences[s])
        alone, _ = naive.encode(sentence)
        torch.testing.assert_close(vectors[b, :n], alone)
        with_root = torch.cat([naive.w["root"].unsqueeze(0), alone])
        for d, h in enumerate(sentence.heads, 1):
            hidden = naive.linear("label_head", with_root[h]) + naive.linear("label_dependent", with_root[d])
            torch.testing.assert_close(labels[b, d - 1], naive.linear("label_output", hidden.relu()))
        size = rows.shape[1]
        if name == "arc-eager":
            state = system(name).start(n)
            places = torch.tensor([[b * size + word for word in (n + 1, n + 1, n + 1, 1)]])
            found = module.scorer.classes(given, places)[0]
            torch.testing.assert_close(found.tolist(), naive.stack_scores(state, with_root))
        else:
            tables = given[: given.numel() // size * size].reshape(-1, size)
            for k, table in enumerate(tables_of(name)):
                for i, j in ((0, 1), (n, 1), (1, n)):
                    score = naive.pair_score(naive.w[table], with_root[i], with_root[j])
                    torch.testing.assert_close(tables[(k * len(which) + b) * size + i, j], score)
