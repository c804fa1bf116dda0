"""Parsers with a pretrained encoder: the library's vectors in double precision, and what must hold of any parser."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')
transformers = pytest.importorskip("transformers", reason='no transformers; pip install "rearc[transformers]"')

import rearc
from rearc.neural.encoder import SubwordInputs, TorchEncoder, load_encoder
from rearc.neural.pretrained import Pretrained
from rearc.neural.shape import PRESETS, Shape
from rearc.neural.subwords import EncoderError, windows
from rearc.parser import ModelError, Parser
from rearc.parser.bilstm import make_network
from rearc.parser.container import read_container, write_container
from rearc.parser.model import read_model
from rearc.systems import system
from rearc.treebank import Sentence
from tests.naive.neural import NaiveNetwork
from tests.neural.encoders import KINDS, make_encoder
from tests.neural.networks import TINY, make_header, random_weights, vocabulary_of
from tests.trained import train_parser

CLOSE = 1e-4
ODD = ["\u200b", "\x01", "😀", "x" * 5000, "[SEP]", "<s>", "\u0301", "ﬁ", "漢字", "\ud800", " ", "a b"]
TRAINING = {"model": "bilstm", "system": "arc-hybrid", "rate": 0.01, "encoder_rate": 2e-3, "tagger": True}


def forms_of(sentences: list[Sentence]) -> list[str]:
    return [form for s in sentences for form in s.forms]


@pytest.fixture(scope="session")
def folders(sentences: list[Sentence], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    forms = forms_of(sentences)
    return {kind: make_encoder(tmp_path_factory.mktemp(kind), forms, kind) for kind in KINDS}


@pytest.fixture(scope="session")
def toy(sentences: list[Sentence]) -> list[Sentence]:
    return sentences[:12]


@pytest.fixture(scope="session")
def learnt(toy: list[Sentence], folders: dict[str, Path]) -> Parser:
    return train_parser(toy, encoder=folders["bert"], size="encoder", epochs=40, **TRAINING)


@pytest.fixture(scope="session")
def saved(learnt: Parser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("saved") / "m.rearc"
    learnt.save(file)
    return file


def own_encoder(folder: Path) -> tuple[Pretrained, dict[str, np.ndarray]]:
    """An encoder in our own code, with a mix that is not even."""
    loaded = load_encoder(str(folder))
    module = TorchEncoder(loaded)
    with torch.no_grad():
        module.mix.copy_(torch.arange(len(module.mix)) * 0.5)
    weights = {name: tensor.numpy() for name, tensor in module.tensors().items()}
    return Pretrained(loaded.shape, loaded.subwords, weights), weights


def naive_encoder(folder: Path, mix: np.ndarray) -> Callable[[list[str]], torch.Tensor]:
    """By the library alone, in double precision, one sentence at a time, from words to the means of their sub-words."""
    model = transformers.AutoModel.from_pretrained(folder).double().eval()
    byte_level = "roberta" in str(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    shares = torch.from_numpy(mix).double()

    @torch.no_grad()
    def encode(forms: list[str]) -> torch.Tensor:
        words = [" " + form if byte_level else form for form in forms]
        coded = tokenizer(words, is_split_into_words=True, return_tensors="pt", truncation=False)
        states = model(
            input_ids=coded["input_ids"], attention_mask=coded["attention_mask"], output_hidden_states=True
        ).hidden_states
        mixed = sum(share * state[0] for share, state in zip(shares, states, strict=True))
        owners = coded.word_ids()
        return torch.stack([mixed[[o == k for o in owners]].mean(dim=0) for k in range(len(forms))])

    return encode


def short(sentences: list[Sentence], encoder: Pretrained) -> list[Sentence]:
    """Those of one window, whose words are not cut."""
    own = encoder.subwords
    sizes = [[len(own.of(form)) for form in s.forms] for s in sentences]
    return [s for s, of in zip(sentences, sizes, strict=True) if sum(of) <= own.room and max(of) < own.most]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_vectors_are_the_librarys(kind: str, sentences: list[Sentence], folders: dict[str, Path]):
    encoder, weights = own_encoder(folders[kind])
    naive = naive_encoder(folders[kind], weights["mix"])
    chosen = [s.forms for s in short(sentences, encoder)]
    assert len(chosen) > 10
    ours = encoder.vectors(chosen)
    theirs = torch.cat([naive(forms) for forms in chosen]).numpy()
    assert np.abs(ours - theirs).max() < 2e-5
    assert theirs.std() > 0.1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("activation", ["gelu_new", "relu"])
def test_activations(activation: str, sentences: list[Sentence], tmp_path: Path):
    encoder, weights = own_encoder(make_encoder(tmp_path, forms_of(sentences), activation=activation))
    forms = short(sentences, encoder)[0].forms
    assert np.abs(encoder.vectors([forms]) - naive_encoder(tmp_path, weights["mix"])(forms).numpy()).max() < 2e-5


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("size", ["encoder", "tiny"])
def test_trees_are_those_of_a_naive_pass_in_double_precision(
    size: str, sentences: list[Sentence], folders: dict[str, Path]
):
    """In place of the BiLSTM, and before it."""
    encoder, own = own_encoder(folders["bert"])
    shape: Shape = replace(PRESETS["encoder"] if size == "encoder" else TINY, encoder=16)
    chosen = short(sentences, encoder)
    header = make_header("arc-hybrid", True, sentences)
    vocabulary = vocabulary_of(sentences, shape)
    weights = random_weights(header, shape, vocabulary, 1, encoder=encoder.shape)
    weights |= {f"encoder.{name}": array for name, array in own.items()}
    network = make_network(header, shape, vocabulary, weights, (encoder.shape, encoder.subwords))
    labels = [(label.of_root, label.of_word) for label in header.labels]
    rest = {name: array for name, array in weights.items() if not name.startswith("encoder.")}
    naive = NaiveNetwork(shape, vocabulary, labels, rest, naive_encoder(folders["bert"], own["mix"]))
    heads, found_labels, tags = network.parse(chosen)
    start = close = 0
    for sentence in chosen:
        stop = start + len(sentence)
        expected, expected_labels, narrowest = naive.parse(system("arc-hybrid", single_root=True), sentence)
        if narrowest > CLOSE:
            assert heads[start:stop].tolist() == expected
            assert found_labels[start:stop].tolist() == expected_labels
            assert {column: tags[column][start:stop] for column in tags} == naive.encode(sentence)[1]
        close += narrowest <= CLOSE
        start = stop
    assert close <= len(chosen) / 10
    assert len({h - d for d, h in enumerate(heads.tolist())}) > 3


def test_windows_hold_every_word_once():
    for room in (8, 14, 38):
        for sizes in ([1] * 100, [1, 3, 2, 1, 2] * 30, [room // 4] * 50, [1], [], [2] * (room // 2)):
            found = windows(sizes, room)
            assert [k for *_, keep, kept in found for k in range(keep, kept)] == list(range(len(sizes)))
            for begin, end, keep, kept in found:
                assert begin <= keep < kept <= end
                assert sum(sizes[begin:end]) <= room
                assert keep > begin or not begin or sizes[begin] * 2 > room // 4  # what is seen has neighbours


def test_pytorch_sees_the_same_in_windows_and_batches(sentences: list[Sentence], folders: dict[str, Path]):
    """What is trained is what parses, for long sentences too."""
    loaded = load_encoder(str(folders["bert"]))
    module = TorchEncoder(loaded).eval()
    encoder = Pretrained(loaded.shape, loaded.subwords, {n: t.numpy() for n, t in module.tensors().items()})
    batch = [s.forms for s in sentences[:5]] + [[form for s in sentences for form in s.forms]]
    layout = loaded.subwords.layout([[loaded.subwords.of(form) for form in forms] for forms in batch])
    assert len(layout.starts) > 20
    with torch.no_grad():
        theirs = module(SubwordInputs.of(layout, loaded.subwords.last, torch.device("cpu"))).numpy()
    assert np.abs(encoder.vectors(batch) - theirs).max() < 2e-5


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_bits_in_any_company(
    kind: str, sentences: list[Sentence], folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
):
    encoder, _ = own_encoder(folders[kind])
    batch = [s.forms for s in sentences] + [ODD, forms_of(sentences)]
    together = encoder.vectors(batch).tobytes()
    alone = [encoder.vectors([forms]) for forms in batch]
    assert b"".join(part.tobytes() for part in alone) == together
    assert encoder.vectors(batch[::-1]).tobytes() == b"".join(part.tobytes() for part in alone[::-1])
    for chunk in (1, 100, 10_000):
        monkeypatch.setattr("rearc.neural.pretrained.CHUNK", chunk)
        assert encoder.vectors(batch).tobytes() == together


@pytest.mark.parametrize("kind", KINDS)
def test_odd_words_have_vectors(kind: str, folders: dict[str, Path]):
    encoder, _ = own_encoder(folders[kind])
    assert np.isfinite(encoder.vectors([ODD])).all()
    for word in ODD:
        assert 1 <= len(encoder.subwords.of(word)) <= encoder.subwords.most
        assert encoder.subwords.first not in encoder.subwords.of(word)
    assert encoder.vectors([[]]).shape == (0, 16)


def test_a_toy_treebank_is_learnt(learnt: Parser, toy: list[Sentence]):
    parsed = list(learnt.parse_many([Sentence(s.forms) for s in toy]))
    words = sum(map(len, toy))
    assert sum(p.heads[k] == s.heads[k] for p, s in zip(parsed, toy, strict=True) for k in range(len(s))) > 0.9 * words
    assert sum(p.upos[k] == s.upos[k] for p, s in zip(parsed, toy, strict=True) for k in range(len(s))) > 0.9 * words


def test_the_encoder_is_tuned_and_stored_in_16_bits(saved: Path, folders: dict[str, Path]):
    weights = read_model(saved).weights
    assert {str(array.dtype) for name, array in weights.items() if name.startswith("encoder.")} == {"float16"}
    before = own_encoder(folders["bert"])[1]
    assert np.abs(weights["encoder.1.inner.weight"] - before["1.inner.weight"]).max() > 0.01
    assert np.array_equal(weights["encoder.subwords"], np.asarray(before["subwords"]).astype(np.float16))  # not these
    assert len(set(weights["encoder.mix"].tolist())) > 1


def test_batches_order_and_threads_change_nothing(saved: Path, sentences: list[Sentence]):
    parser = rearc.load(saved)
    bare = [Sentence(s.forms) for s in sentences] * 3

    def trees(**options: int) -> list[tuple[list[int], list[str], list[str]]]:
        return [(s.heads, s.deprels, s.upos) for s in parser.parse_many(bare, **options)]

    expected = trees()
    assert trees(threads=3) == expected
    assert [(s.heads, s.deprels, s.upos) for s in map(parser.parse, bare)] == expected
    assert [(s.heads, s.deprels, s.upos) for s in parser.parse_many(bare[::-1])][::-1] == expected


def test_very_long_sentences_and_words(saved: Path):
    parser = rearc.load(saved)
    assert parser.parse(["owls", *ODD[:4]]).has_tree
    assert parser.parse(["the", "owls", "see"] * 1000).has_tree


def test_before_a_bilstm(
    toy: list[Sentence], folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(PRESETS, "small", TINY)
    for tagger in (True, False):
        options = {**TRAINING, "tagger": tagger, **({"only": "parser"} if not tagger else {})}
        parser = train_parser(toy, encoder=folders["roberta"], size="small", epochs=2, **options)
        parser.save(tmp_path / "m.rearc")
        again = rearc.load(tmp_path / "m.rearc")
        assert [s.heads for s in again.parse_many(toy)] == [s.heads for s in parser.parse_many(toy)]


WITHOUT = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "transformers"):
            raise ImportError(name)
sys.meta_path.insert(0, Blocked())
import rearc
print(rearc.load(sys.argv[1]).parse(sys.argv[2:]).heads)
"""


def test_parses_without_pytorch_transformers_and_the_folder(
    toy: list[Sentence], folders: dict[str, Path], tmp_path: Path
):
    copy = shutil.copytree(folders["bert"], tmp_path / "encoder")
    parser = train_parser(toy, encoder=copy, size="encoder", epochs=1, **TRAINING)
    shutil.rmtree(copy)
    parser.save(tmp_path / "m.rearc")
    words = toy[0].forms
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT, tmp_path / "m.rearc", *words], capture_output=True, text=True, check=False
    )
    assert run.stdout.strip() == str(parser.parse(words).heads), run.stderr


def test_without_tokenizers_the_remedy_is_said(saved: Path):
    code = WITHOUT.replace('"transformers")', '"transformers", "tokenizers")')
    run = subprocess.run([sys.executable, "-c", code, saved, "a"], capture_output=True, text=True, check=False)
    assert 'pip install "rearc[encoders]"' in run.stderr


# ---- what is wrong with an encoder


def refused(name: str | Path, *said: str) -> None:
    with pytest.raises(EncoderError) as caught:
        load_encoder(str(name))
    for part in said:
        assert part in str(caught.value)


def test_names_that_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "none"))
    refused("nobody/no-such-encoder", "nothing is downloaded", "hf download nobody/no-such-encoder")
    refused(tmp_path, "cannot be read", "config.json")
    (tmp_path / "file").write_text("")
    refused(tmp_path / "file", "found a file")


def test_damaged_encoders(folders: dict[str, Path], tmp_path: Path):
    for number, (file, damage) in enumerate(
        [
            ("model.safetensors", lambda data: data[: len(data) // 2]),
            ("model.safetensors", lambda data: b""),
            ("model.safetensors", lambda data: data[:8] + b"X" + data[9:]),
            ("config.json", lambda data: b"{"),
            ("config.json", lambda data: b"{}"),
            ("config.json", lambda data: data.replace(b'"intermediate_size": 24', b'"intermediate_size": 25')),
            ("config.json", lambda data: data.replace(b'"num_hidden_layers": 2', b'"num_hidden_layers": 3')),
            ("tokenizer.json", lambda data: data[: len(data) // 2]),
            ("tokenizer.json", lambda data: b"{}"),
        ]
    ):
        copy = shutil.copytree(folders["bert"], tmp_path / str(number))
        before = (copy / file).read_bytes()
        after = damage(before)
        assert after != before
        (copy / file).write_bytes(after)
        refused(copy, str(copy))


def test_kinds_that_are_not_known(folders: dict[str, Path], tmp_path: Path):
    copy = shutil.copytree(folders["bert"], tmp_path / "copy")
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps(config | {"model_type": "gpt2"}))
    refused(copy, "gpt2", "expected one of bert")
    (copy / "config.json").write_text(json.dumps(config | {"hidden_act": "silu"}))
    refused(copy, "silu")


def test_a_tokenizer_that_does_not_fit(sentences: list[Sentence], tmp_path: Path):
    make_encoder(tmp_path / "large", forms_of(sentences))
    make_encoder(tmp_path / "small", ["ab"])
    shutil.copy(tmp_path / "large" / "tokenizer.json", tmp_path / "small" / "tokenizer.json")
    refused(tmp_path / "small", "a tokenizer with sub-words up to the number")


def test_options_that_do_not_fit():
    for options in ({"size": "encoder"}, {"encoder_rate": 0.1}, {"model": "perceptron", "encoder": "x"}):
        with pytest.raises(rearc.training.OptionError):
            rearc.Options(**{"model": "bilstm", **options})


@pytest.mark.parametrize(
    "change",
    [
        {"first": 10**6},
        {"last": -1},
        {"unknown": "x"},
        {"tokenizer": {}},
        {"tokenizer": {"model": {"type": "WordPiece"}}},
        {"shape": {}},
        {"more": 1},
    ],
)
def test_model_files_with_a_strange_encoder(change: dict[str, object], saved: Path, tmp_path: Path):
    refuse_model(saved, tmp_path, lambda encoder: encoder | change)


@pytest.mark.parametrize(
    "change",
    [{"heads": 3}, {"layers": 3}, {"layers": True}, {"size": 32}, {"rows": 5}, {"positions": 4}, {"activation": "silu"},
     {"epsilon": 0.0}, {"epsilon": float("nan")}, {"inner": 25}, {"narrow": -1}],
    ids=str,
)  # fmt: skip
def test_model_files_with_an_encoder_of_a_strange_shape(change: dict[str, object], saved: Path, tmp_path: Path):
    refuse_model(saved, tmp_path, lambda encoder: encoder | {"shape": encoder["shape"] | change})


def test_model_files_without_their_encoder(saved: Path, tmp_path: Path):
    refuse_model(saved, tmp_path, lambda encoder: None)


def refuse_model(saved: Path, folder: Path, change: Callable[[dict[str, object]], object]) -> None:
    members = {name: [bytes(data)] for name, data in read_container(saved).items()}
    network = json.loads(members["network.json"][0])
    network["encoder"] = change(network["encoder"])
    members["network.json"] = [json.dumps(network).encode()]
    write_container(folder / "m.rearc", members)
    with pytest.raises(ModelError):
        rearc.load(folder / "m.rearc")
