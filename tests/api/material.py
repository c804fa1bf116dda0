"""Real things to pass, and things that pretend to be real. Calls are source text that is run with these names."""

import importlib
import itertools
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

import rearc
from rearc.features.program import Program
from rearc.features.templates import parse_templates
from rearc.features.tokens import TokenEncoder
from rearc.neural.beam import NetworkBeam
from rearc.neural.pair import PairDecoder
from rearc.neural.stack import StackDecoder
from rearc.oracles import Oracle, oracle, oracles, searcher
from rearc.oracles.walk import Derivations, Trees
from rearc.parser.header import Header
from rearc.parser.model import Model
from rearc.parser.perceptron import below
from rearc.perceptron.beam import LinearBeam
from rearc.perceptron.beam_learner import BeamLearner
from rearc.perceptron.decoder import LinearDecoder
from rearc.perceptron.growing import LabelLearner, TypeLearner
from rearc.perceptron.learner import TransitionLearner
from rearc.perceptron.weights import LabelWeights, TypeWeights
from rearc.segment import Segmenter
from rearc.segment.lexicon import KnownWords
from rearc.segment.multiwords import Splitter
from rearc.segment.sentences import SentenceModel
from rearc.segment.text import Text, Tokens
from rearc.segment.tokens import TokenModel
from rearc.segment.weights import Learner, Weights
from rearc.systems import State, system, systems, traits
from rearc.tagger.passes import Lexicon, Pass
from rearc.tagger.tagger import Tagger
from rearc.tagger.tasks import Material, Task
from rearc.tagger.words import WordEncoder, Words
from rearc.training.corpus import Corpus, make_corpus
from rearc.training.plan import Options
from rearc.treebank import Multiword, Sentence, read, sample
from rearc.treebank.pseudoprojective import projectivise
from tests.neural.networks import TINY, random_network
from tests.trained import train_parser


def at(module: str) -> Any:
    return importlib.import_module(module)


# ---- sentences and trees


@cache
def _sample() -> list[Sentence]:
    return [s for s in read(sample()) if len(s) <= 12][:20]


def sentence(k: int = 0) -> Sentence:
    return _sample()[k % len(_sample())]


def sentences(count: int = 6) -> list[Sentence]:
    return _sample()[:count]


def bare(n: int = 3) -> Sentence:
    return Sentence([f"w{k}" for k in range(n)])


def heads(k: int = 0) -> list[int]:
    return [0, *sentence(k).heads]


# ---- systems and oracles


def state(name: str = "arc-eager", n: int = 4, steps: int = 3) -> State:
    """A configuration some steps from the start; which steps depends on their number."""
    made = system(name)
    now = made.start(n)
    for k in range(steps):
        if legal := made.legal(now):
            made.apply(now, legal[k % len(legal)])
    return now


def judge(system: str = "arc-eager", name: str = "", k: int = 0) -> Oracle:
    tree = [0, *projectivise(sentence(k)).heads] if traits(system).projective else heads(k)
    return oracle(system, name or oracles(system)[0], tree)


def search(name: str = "covington") -> Any:
    return searcher(system(name), [0, 2, 0, 2])


def trees(count: int = 3) -> Trees:
    return Trees([heads(k) for k in range(count)])


def derivations() -> Derivations:
    return Derivations(judge("covington"), trees())


# ---- features, weights, decoders


def program(text: str = "S0w N0p S0hp+N0p CLp", of_labels: bool = False) -> Program:
    return Program(parse_templates("H0p+D0p H0w D0rw" if of_labels else text))


def encoded(part: int, count: int = 6) -> np.ndarray:
    return TokenEncoder().encode(sentences(count))[part]


def templates(text: str = "S0w N0p") -> Any:
    return parse_templates(text)


@cache
def _parser(model: str = "arc-hybrid") -> rearc.parser.parser.Parser:
    return train_parser(sentences(20), system=model, epochs=2)


def parser(model: str = "arc-hybrid") -> Any:
    return _parser(model)


@cache
def second_pass_parser() -> Any:
    return train_parser(sentences(20) * 3, system="arc-hybrid", epochs=1, second_pass=True)


def model() -> Model:
    return _parser()._model


def header() -> Header:
    return _parser().header


def tensors(prefix: str = "labels.") -> dict[str, Any]:
    return below(prefix, model().weights)


def scorer(kind: str = "types") -> TypeWeights | LabelWeights:
    return TypeWeights(tensors("types.")) if kind == "types" else LabelWeights(tensors(), len(header().labels))


def learner(kind: str = "types", labels: int = 3) -> TypeLearner | LabelLearner:
    return TypeLearner(6) if kind == "types" else LabelLearner(labels, 6)


def decoder(name: str = "arc-eager", labels: int = 3) -> LinearDecoder:
    text = "L0w R0p L0hp+R0p" if "covington" in name else "S0w N0p S0hp+N0p"
    return LinearDecoder(
        system(name),
        program(text),
        program(of_labels=True),
        TypeLearner(6),
        LabelLearner(labels, 6),
        [1] * labels,
        [1] * labels,
    )


def linear_beam() -> LinearBeam:
    return LinearBeam(decoder(), 4, 0.01)


def beam_learner() -> BeamLearner:
    return BeamLearner(decoder(), 3)


def network_beam() -> NetworkBeam:
    return NetworkBeam(pair_decoder(), 4, 0.01)


def transition_learner(name: str = "arc-eager") -> TransitionLearner:
    return TransitionLearner(decoder(name))


def flat_heads() -> np.ndarray:
    return np.array([h for s in sentences() for h in (0, *s.heads)], dtype=np.intc)


def flat_labels() -> np.ndarray:
    return np.array([k for s in sentences() for k in (-1, *[0] * len(s))], dtype=np.intc)


def begun() -> tuple[np.ndarray, np.ndarray]:
    """Trees to begin with, without root slots."""
    heads = np.array([h for s in sentences() for h in s.heads], dtype=np.intc)
    return heads, np.zeros(len(heads), dtype=np.intc)


def tree_offsets() -> np.ndarray:
    return np.cumsum([0, *(len(s) + 1 for s in sentences())])


# ---- networks


def stack_decoder(name: str = "arc-hybrid") -> StackDecoder:
    return StackDecoder(system(name), "s0 b0", np.ones(3, "f"), np.ones((3, 4), "f"), np.ones(4, "f"))


def pair_decoder(name: str = "covington") -> PairDecoder:
    return PairDecoder(system(name))


@cache
def network(name: str = "arc-hybrid") -> Any:
    return random_network(name, False, TINY, sentences(6))[0]


def sizes() -> np.ndarray:
    return np.array([len(s) for s in sentences()], dtype=np.intc)


def sheets(kind: str = "stack") -> np.ndarray:
    starts = np.zeros((len(sizes()), 5), dtype=np.int64)
    starts[:, 0] = np.cumsum(sizes() + 2) - sizes() - 2
    return starts if kind == "stack" else np.zeros_like(starts)


def strides() -> np.ndarray:
    return (sizes() + 1).astype(np.intc)


# ---- taggers


@cache
def _tagging() -> tuple[Material, Task, Any, Task]:
    material = Material(sentences(8), [], None)
    first = Task("upos", material, [])
    column = first.learn(1, 1, 1, 0.0, lambda epoch: None)
    return material, first, column, Task("feats", material, [column])


def words() -> Words:
    return _tagging()[0].words


def step(kind: str = "upos", learns: bool = True) -> Pass:
    task = _tagging()[1 if kind == "upos" else 3]
    return task.column.make_pass(LabelLearner(task.units, 6)) if learns else _tagging()[2].make_pass()


def column() -> Any:
    return _tagging()[2]


def tagger() -> Tagger:
    return Tagger([column()], _tagging()[0].usual)


@cache
def splitter() -> Splitter:
    made = Splitter.train([Sentence(["de", "le", "vin"], multiwords=[Multiword(1, 2, "du")])])
    assert made
    return made


def classes_of_words() -> Lexicon:
    return Lexicon(("w",), *[np.zeros(0, kind) for kind in "IBH"])


def tag_classes(kind: str = "upos", part: str = "gold") -> np.ndarray:
    return getattr(_tagging()[1 if kind == "upos" else 3], part)


def word_encoder() -> WordEncoder:
    return WordEncoder(_tagging()[0].usual)


# ---- segmenters


@cache
def segmenter() -> Segmenter:
    return Segmenter.train(sentences(8))


def text(of: str = "A dog barks. 1 000 can't (go)! 中文。\n\nEnd") -> Text:
    return Text(of)


def tokens(learns: bool = False) -> Any:
    return segmenter()._tokens.cut(text()) if learns else Tokens(text("A dog."), [0, 2, 5], [1, 5, 6])


def lexicon() -> KnownWords:
    return segmenter()._tokens.words


def binary(learns: bool = True) -> Weights:
    return (Learner if learns else Weights)(np.zeros(256))


def token_model() -> TokenModel:
    return TokenModel(binary(), "c0 left+right", lexicon(), lexicon(), [(7, 7)])


def sentence_model() -> SentenceModel:
    return SentenceModel(binary(), "w0 gap+h-1+h0", lexicon())


# ---- training


def corpus() -> Corpus:
    return make_corpus("c", sentences())


def options(**changes: Any) -> Options:
    return Options(**{"epochs": 1, "system": "arc-eager", **changes})


def trainer() -> Any:
    made = at("rearc.training.plan").plan(corpus(), None, options(), lambda note: None)
    return at("rearc.training.loop").make_trainer(made, None, 1)


# ---- what is not as it seems


def half(cls: Any) -> Any:
    """An object that no __init__ has seen."""
    return cls.__new__(cls)


def subclass(cls: Any, *arguments: Any) -> Any:
    """An object of a subclass whose __init__ forgets its base."""
    return type("Sub", (cls,), {"__init__": lambda self, *a, **k: None})(*arguments)


def frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


class Liar(list):
    """A list that says another length than it has."""

    def __len__(self) -> int:
        return 2

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain(super().__iter__(), range(500))


class Index:
    """A number that changes."""

    values = itertools.cycle((0, 2**31, -1, 10**30))

    def __index__(self) -> int:
        return next(self.values)

    def __len__(self) -> int:
        return 3

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, int) and key > 50:
            raise IndexError
        return self

    def __float__(self) -> float:
        return float("nan")


class Angry:
    """Fails at whatever is asked of it."""

    def __getattr__(self, name: str) -> Any:
        raise OSError(name)

    __len__ = __iter__ = __index__ = __float__ = __bool__ = __eq__ = lambda self, *a: (_ for _ in ()).throw(OSError())  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]


class OtherString(str):
    """A string that is none of Python's own."""


# ---- what to pass by the name of a parameter: source that is often right

ARRAYS = ("values", "offsets", "keys", "weights", "places", "tags", "rows")
GOOD: dict[str, list[str]] = {
    "heads": ["heads(1)", "[0, 2, 0, 2]", "flat_heads()", "np.array(heads(2), 'i')", "[2, 0]"],
    "begun": ["begun()", "begun()[::-1]", "[0, 2, 0, 2]", "heads(1)", "None"],
    "gold_heads": ["heads(1)", "[0, 2, 0, 2]", "np.array([0, 2, 0], 'int64')"],
    "labels": ["flat_labels()", "['', 'a', 'b']", "3", "learner('labels')", "np.zeros(3, 'i')"],
    "gold_labels": ["[None, 'a', 'b', 'c']", "None"],
    "sentence": ["sentence(1)", "bare()", "bare(40)", "half(Sentence)"],
    "sentences": ["sentences()", "[bare()]", "[]", "iter(sentences(2))", "[half(Sentence)]"],
    "batch": ["sentences()", "[bare()]", "[half(Sentence)]"],
    "dev": ["sentences(2)", "None", "corpus()"],
    "source": [
        "sentences()",
        "'x.conllu'",
        "sample()",
        "io.BytesIO(b'1\\ta\\t_\\t_\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n')",
    ],
    "gold": ["sentences()", "tokens()", "tag_classes()", "tag_classes('feats')", "sample()"],
    "predicted": ["sentences()", "[s.replace(heads=[0] * len(s)) for s in sentences()]"],
    "target": ["'out.conllu'", "io.BytesIO()"],
    "file": ["'some.rearc'", "'x.txt'", "pathlib.Path('a')"],
    "name": ["'arc-eager'", "'dynamic'", "'upos'", "'covington'", "'rich-stack'"],
    "system": ["system('arc-eager')", "system('covington')", "'arc-hybrid'", "system('arc-swift')"],
    "oracle": ["'dynamic'", "'static'"],
    "state": [
        "state()",
        "state('covington', 5, 4)",
        "state('arc-swift', 4, 2)",
        "learner('labels').state()",
    ],
    "judge": ["judge()", "judge('covington')", "judge('arc-swift')"],
    "transition": [
        "'shift'",
        "'left-arc'",
        "'right-arc'",
        "'left-arc:2'",
        "'right-arc:134217727'",
        "'swap'",
        "'no-arc'",
        "'reduce'",
    ],
    "label": ["'nsubj'", "None"],
    "n": ["0", "1", "3", "5", "-1", "2**31 - 1"],
    "k": ["1", "2", "0", "10**8"],
    "head": ["0", "2", "10**8", "-1"],
    "dependent": ["1", "3", "10**8"],
    "trees": ["trees()", "[heads(1)]", "Trees([[0, 2, 0]])"],
    "transitions": ["['shift', 'left-arc']", "np.zeros(4, 'i')", "np.full(9, 2**30, 'i')"],
    "values": ["encoded(0)", "encoded(0, 1)", "np.ones(5000, 'f')", "np.ones(500, 'float32')"],
    "offsets": ["encoded(1)", "np.array([0, 4, 9])", "encoded(1)[::-1].copy()"],
    "tree_offsets": ["tree_offsets()", "np.array([0, 4, 2**60])"],
    "order": ["np.arange(6)", "[0, 5, 1]", "[99]", "[-1]"],
    "explore": ["0.0", "0.9", "float('nan')"],
    "seed": ["1", "2**63", "-1"],
    "sizes": ["sizes()", "sizes() + 1", "np.array([3, 2**30], 'i')"],
    "sheets": ["sheets()", "sheets('pair')", "sheets() + 2**40"],
    "strides": ["strides()", "strides() * 0", "-strides()"],
    "keys": ["np.arange(1, 9, dtype='uint64')", "list(range(1, 9000))", "np.zeros(3, 'uint64')"],
    "right": ["0", "1", "3"],
    "wrong": ["1", "2", "0"],
    "arrays": ["tensors()", "tensors('types.')", "{**tensors(), 'places': np.zeros(8, 'uint8')}"],
    "weights": ["model().weights", "binary()", "binary(False)", "tensors()", "np.ones((8, 4), 'f')"],
    "tensors": ["tensors()", "segmenter().tensors()", "tagger().tensors()", "model().weights"],
    "templates": ["templates()", "'c0 left'", "'w0 gap'", "[[('w', 0)]]", "'S0w N0p'", "[(('s3', -1), ('w', 0))]"],
    "units": ["[[0], [1, 2]]", "[[0]]"],
    "groups": ["[[0, 1]]", "[[0]]"],
    "words": ["words()", "lexicon()", "word_encoder().encode([['a', 'b'], []])", "half(Words)", "np.array([3, 4])"],
    "passes": ["[step()]", "[step(), step('feats')]", "[step(learns=False)]"],
    "step": ["step()", "step('feats')"],
    "given": ["tag_classes('feats', 'given')", "{'upos': tag_classes()}", "{}"],
    "column": ["'upos'", "'lemmas'"],
    "lexicon": ["splitter()._lexicon", "classes_of_words()", "None"],
    "attributes": ["('w', 'n')", "('s3',)"],
    "level": ["0", "7"],
    "stems": ["{7: 0}", "{8: 9}"],
    "counts": ["np.ones(4, dtype='B')"],
    "classes": ["np.arange(4, dtype='H')", "tag_classes()"],
    "rule": ["'l|0|2y'", "'=go'", "'f|de|le'", "'f|>~s>|s'"],
    "rules": ["['f|>~>']", "['f|>~>', 'f|de|le']"],
    "token": ["'du'", "'a' * 9999"],
    "columns": ["('upos',)", "['upos', 'feats']", "[column()]", "{'heads'}"],
    "usual": ["{7: ('NOUN', 'VERB')}"],
    "clusters": ["{'a': '0110'}", "None"],
    "decoder": ["decoder()", "decoder('covington')"],
    "program": ["program()"],
    "scorer": ["scorer()", "learner('labels')", "scorer('labels')"],
    "types": ["learner()", "scorer()"],
    "model": ["model()", "'perceptron'"],
    "header": ["header()", "segmenter().header", "tagger().header"],
    "options": ["options()", "options(features='labels')"],
    "corpus": ["corpus()"],
    "trainer": ["trainer()"],
    "plan": ["at('rearc.training.plan').plan(corpus(), None, options(), print)"],
    "tagger": ["tagger()", "None"],
    "t": ["text()", "text('')", "half(Text)"],
    "tokens": ["tokens()", "tokens(True)", "token_model()"],
    "lasts": ["[0, 0, 1]", "np.zeros(3, 'uint8')"],
    "starts": ["[0, 2, 5]", "np.array([0, 5])"],
    "ends": ["[1, 5, 6]", "np.array([1, 2**60])"],
    "facts": ["[[1, 0, 1, 2]] * 8", "np.zeros((8, 4), 'uint8')"],
    "splits": ["lexicon()"],
    "joins": ["[(7, 7)]", "[]"],
    "table": ["np.zeros(256)", "[0.5] * 1024"],
    "pieces": ["[[('Go', ''), ('!', ' ')]]"],
    "blocks": ["['A dog.', ' A', ' cat.\\n\\n']", "'abc'"],
    "data": ["b'abc'", "memoryview(b'{}')", "b'0110\\tdog\\n'"],
    "text": ["'S0w N0p'", "text()", "'A dog barks.\\n\\nThe'", "'s0 b0'", "'w s3:-1'", "'S0' + 'h' * 300 + 'w'"],
    "slots": ["'s0 b0'"],
    "rng": ["np.random.default_rng(1)", "random.Random(1)"],
    "threads": ["1", "2"],
    "epochs": ["1"],
    "runs": ["1"],
    "folds": ["2"],
    "rounds": ["20"],
    "samples": ["20"],
    "encoding": ["'utf-8'", "'head'", "'head+path'", "'latin-1'"],
    "format": ["'conllu'", "'text'", "None"],
    "forms": ["['a', 'b', 'c']"],
    "system_name": ["'arc-eager'"],
}

# numbers that only say how long to work: a long time is no mistake, so these are small or no numbers at all
PATIENCE = ("epochs", "runs", "folds", "rounds", "samples", "threads", "limit")

# how to make objects: the arguments that are right
MADE: dict[str, list[str]] = {
    "Sentence": ["['a', 'b', 'c']"],
    "Word": ["sentence()", "1"],
    "Program": ["templates()"],
    "TokenEncoder": [],
    "TypeWeights": ["tensors('types.')"],
    "LabelWeights": ["tensors()", "len(header().labels)"],
    "TypeLearner": ["6"],
    "LabelLearner": ["3", "6"],
    "LinearDecoder": [
        "system('arc-eager')",
        "program()",
        "program(of_labels=True)",
        "learner()",
        "learner('labels')",
        "[1] * 3",
        "[1] * 3",
    ],
    "TransitionLearner": ["decoder()"],
    "LinearBeam": ["decoder()", "3", "0.01"],
    "BeamLearner": ["decoder()", "3"],
    "NetworkBeam": ["pair_decoder()", "3", "0.01"],
    "StackDecoder": ["system('arc-hybrid')", "'s0 b0'", "np.ones(3, 'f')", "np.ones((3, 4), 'f')", "np.ones(4, 'f')"],
    "PairDecoder": ["system('covington')"],
    "NetworkDecoder": ["system('covington')"],
    "Pass": ["learner('labels')", "[[('w', 0)]]", "[[0], [1, 2]]", "[[0, 1]]", "'upos'"],
    "Lexicon": ["('w',)", "np.arange(4, dtype='I')", "np.ones(4, dtype='B')", "np.arange(4, dtype='H')"],
    "Splitter": ["splitter()._rules", "'w'", "splitter()._lexicon", "splitter()._weights", "{}"],
    "Matrix": ["words()", "3"],
    "Words": [],
    "WordEncoder": ["{}"],
    "Tagger": ["[column()]", "{7: ('NOUN',)}"],
    "Text": ["'A dog barks.'"],
    "Tokens": ["text('A dog.')", "[0, 2, 5]", "[1, 5, 6]"],
    "KnownWords": ["[1, 2]", "[[1, 0, 1, 2]] * 2"],
    "Weights": ["np.zeros(256)"],
    "Learner": ["np.zeros(256)"],
    "Templates": ["'a a+b'", "['a', 'b']"],
    "TokenModel": ["binary()", "'c0 left'", "lexicon()", "lexicon()", "[(7, 7)]"],
    "SentenceModel": ["binary()", "'w0 gap'", "lexicon()"],
    "Parser": ["model()"],
    "Strings": ["'utf-8'"],
    "Trees": ["[[0, 2, 0], heads(1)]"],
    "Search": ["system('covington')", "judge('covington')"],
    "FreeSwapSearch": ["system('arc-hybrid-swap')", "judge('arc-hybrid-swap')"],
    "State": ["system('arc-eager')", "3"],
    "Derivations": ["judge()", "trees()"],
    "RandomWalk": ["0.9", "1"],
    "Labels": [],
}


def made(name: str) -> list[str] | None:
    """The right arguments of a class, if they are known."""
    return MADE.get(name) or _families()[0].get(name)


def reals(name: str) -> list[str]:
    """Real objects of a class, as source."""
    return REAL.get(name) or _families()[1].get(name, [])


@cache
def _families() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """How the classes of systems and oracles are made, and objects of them."""
    makers, objects = {}, {}
    for each in systems():
        cls = type(system(each)).__name__
        makers[cls], objects[cls] = [repr(each), "False"], [f"system({each!r})"]
        for name in oracles(each):
            cls = type(judge(each, name)).__name__
            makers[cls] = [f"system({each!r})", repr(name), "[0, 2, 0, 2]"]
            objects[cls] = [f"judge({each!r}, {name!r})"]
    return makers, objects


# real objects by their class
REAL: dict[str, list[str]] = {
    "Sentence": ["sentence(1)", "bare()", "half(Sentence)"],
    "Word": ["sentence()[1]", "bare()[3]"],
    "State": ["state()", "state('covington', 5, 4)", "state('arc-standard-swap', 5, 6)", "state('arc-eager', 3, 99)"],
    "System": ["system('arc-eager')", "system('nl-covington')", "system('arc-swift', single_root=True)"],
    "Oracle": [
        "judge()",
        "judge('covington')",
        "judge('covington-nonmonotonic')",
        "judge('arc-swift')",
        "judge('arc-hybrid-swap')",
    ],
    "Search": ["search()", "search('arc-hybrid-swap')", "search('attardi')"],
    "FreeSwapSearch": ["search('arc-hybrid-swap')"],
    "Derivations": ["derivations()"],
    "RandomWalk": ["at('rearc.oracles.policy').RandomWalk(0.5, 2)"],
    "Trees": ["trees()"],
    "Program": ["program()", "program(of_labels=True)"],
    "Scorer": ["scorer()", "learner()"],
    "TypeWeights": ["scorer()"],
    "LabelWeights": ["scorer('labels')"],
    "GrowingWeights": ["learner()", "learner('labels')"],
    "TypeLearner": ["learner()"],
    "LabelLearner": ["learner('labels')"],
    "LinearDecoder": ["decoder()", "decoder('covington')", "decoder('covington-nonmonotonic')"],
    "TransitionLearner": ["transition_learner()"],
    "LinearBeam": ["linear_beam()"],
    "BeamLearner": ["beam_learner()"],
    "NetworkBeam": ["network_beam()"],
    "StackDecoder": ["stack_decoder()"],
    "PairDecoder": ["pair_decoder()", "pair_decoder('arc-swift')"],
    "NetworkDecoder": ["stack_decoder()", "pair_decoder()"],
    "Network": ["network()", "network('covington')"],
    "Pass": ["step()", "step('feats')"],
    "Words": ["words()"],
    "WordEncoder": ["word_encoder()"],
    "Lexicon": ["classes_of_words()"],
    "Tagger": ["tagger()"],
    "Splitter": ["splitter()"],
    "Text": ["text()"],
    "Tokens": ["tokens()", "tokens(True)"],
    "KnownWords": ["lexicon()"],
    "Weights": ["binary(False)"],
    "Learner": ["binary()"],
    "TokenModel": ["token_model()"],
    "SentenceModel": ["sentence_model()"],
    "Segmenter": ["segmenter()"],
    "Parser": ["parser()", "parser('covington')", "second_pass_parser()"],
    "SecondPass": ["second_pass_parser()._second_pass"],
    "Model": ["model()"],
    "Header": ["header()"],
    "Corpus": ["corpus()"],
    "Options": ["options()"],
    "Trainer": ["trainer()"],
    "PerceptronTrainer": ["trainer()"],
    "TokenEncoder": ["TokenEncoder()"],
    "Labels": ["system('arc-eager').labels"],
    "Reader": ["read(sample())", "read(io.BytesIO(b'1\\ta\\n\\n'))"],
}


def namespace() -> dict[str, Any]:
    """The names that calls are written with."""
    import io
    import pathlib
    import random

    return {**globals(), "io": io, "pathlib": pathlib, "random": random}
