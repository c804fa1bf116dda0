"""A pretrained encoder in PyTorch, for training: the library transformers reads and runs it.

No code of a model is ever run, and nothing is downloaded.
"""

from __future__ import annotations

import json
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from rearc.neural.pretrained import LARGEST, LEAST_POSITIONS, EncoderShape, Pretrained
from rearc.neural.subwords import EncoderError, Layout, Subwords

if TYPE_CHECKING:
    from collections.abc import Iterator

EXPECTED = "a folder with a pretrained encoder: config.json, model.safetensors, tokenizer.json"
ACTIVATIONS = {"gelu": "gelu", "gelu_new": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh", "relu": "relu"}
CLOSE = 1e-3  # how far our vectors of the check may be from PyTorch's


@dataclass(frozen=True)
class Family:
    """Where the weights of a layer are, and what the sizes are called."""

    layer: str
    parts: dict[str, tuple[str, ...]]  # of our names, those whose rows stand one behind the other
    sizes: tuple[str, str, str, str, str]  # size, inner, layers, heads, activation
    offset: bool = False  # the first place of a window is behind the number of padding


_BERT = Family(
    "encoder.layer",
    {
        "attention": ("attention.self.query", "attention.self.key", "attention.self.value"),
        "output": ("attention.output.dense",),
        "output.norm": ("attention.output.LayerNorm",),
        "inner": ("intermediate.dense",),
        "outer": ("output.dense",),
        "outer.norm": ("output.LayerNorm",),
    },
    ("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "hidden_act"),
)
_ROBERTA = Family(_BERT.layer, _BERT.parts, _BERT.sizes, offset=True)
_DISTILBERT = Family(
    "transformer.layer",
    {
        "attention": ("attention.q_lin", "attention.k_lin", "attention.v_lin"),
        "output": ("attention.out_lin",),
        "output.norm": ("sa_layer_norm",),
        "inner": ("ffn.lin1",),
        "outer": ("ffn.lin2",),
        "outer.norm": ("output_layer_norm",),
    },
    ("dim", "hidden_dim", "n_layers", "n_heads", "activation"),
)
FAMILIES = {
    "bert": _BERT,
    "electra": _BERT,
    "roberta": _ROBERTA,
    "xlm-roberta": _ROBERTA,
    "camembert": _ROBERTA,
    "distilbert": _DISTILBERT,
}


@dataclass(frozen=True)
class LoadedEncoder:
    """An encoder as it was read."""

    name: str
    transformer: nn.Module
    family: Family
    shape: EncoderShape
    subwords: Subwords

    def about(self) -> dict[str, Any]:
        """What a model file says of it."""
        own = self.subwords
        return {
            "shape": self.shape.as_dict(),
            "tokenizer": own.tokenizer,
            "first": own.first,
            "last": own.last,
            "unknown": own.unknown,
        }

    def checksum(self) -> int:
        """Of all that it is."""
        total = zlib.crc32(json.dumps(self.about()).encode("utf-8", "surrogatepass"))
        for tensor in self.transformer.state_dict().values():
            total = zlib.crc32(np.ascontiguousarray(tensor.cpu().numpy()).data, total)
        return total


def require_transformers() -> None:
    """The library is an extra."""
    if find_spec("transformers") is None or find_spec("tokenizers") is None:
        raise EncoderError(
            "--encoder: found no library transformers, expected it to read the encoder; "
            'pip install "rearc[transformers]"'
        )


def load_encoder(name: str) -> LoadedEncoder:
    """The encoder in a folder, or of this name in the local cache of Hugging Face."""
    require_transformers()
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise EncoderError(f"{name}: found a file, expected {EXPECTED}; give the folder that it is in")
    with _quiet():
        try:
            config, transformer, missing, tokenizer = _read(name)
        except Exception as error:  # of many kinds, by the library's version
            raise _unreadable(name, folder.is_dir(), error) from None
    family = FAMILIES.get(config.model_type)
    if family is None:
        kinds = ", ".join(FAMILIES)
        raise EncoderError(f"{name}: found an encoder of the kind {config.model_type}, expected one of {kinds}")
    if missing:
        raise EncoderError(
            f"{name}: found no weights {', '.join(missing)[:100]}, expected all of the encoder's; copy the folder again"
        )
    shape = _shape(name, config, family, transformer)
    content = _prefixed(json.loads(tokenizer.backend_tokenizer.to_str()))
    first, last = tokenizer.cls_token_id, tokenizer.sep_token_id
    if first is None or last is None:
        raise EncoderError(f"{name}: found a tokenizer without [CLS] and [SEP] or the like, expected both")
    unknown = last if tokenizer.unk_token_id is None else tokenizer.unk_token_id
    try:
        subwords = Subwords(content, first, last, unknown, shape.rows, shape.positions)
    except ValueError as error:
        raise EncoderError(f"{name}: found {error}, expected one that fits; copy the folder again") from None
    loaded = LoadedEncoder(name, transformer, family, shape, subwords)
    _check(loaded)
    return loaded


@contextmanager
def _quiet() -> Iterator[None]:
    """The library has bars and advice of its own, which are not ours to show."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


def _read(name: str) -> tuple[Any, nn.Module, list[str], Any]:
    from transformers import AutoConfig, AutoModel, AutoTokenizer

    safe: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    config = AutoConfig.from_pretrained(name, **safe)
    if config.model_type not in FAMILIES:
        return config, nn.Module(), [], None
    transformer, about = AutoModel.from_pretrained(
        name, config=config, dtype=torch.float32, output_loading_info=True, **safe
    )
    tokenizer = AutoTokenizer.from_pretrained(name, use_fast=True, **safe)
    if getattr(transformer, "pooler", None) is not None:
        transformer.pooler = None
    missing = sorted(key for key in about["missing_keys"] if not key.startswith("pooler."))
    return config, transformer, missing, tokenizer


def _unreadable(name: str, folder: bool, error: Exception) -> EncoderError:
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    if folder:
        return EncoderError(
            f"{name}: found an encoder that cannot be read ({reason}), expected {EXPECTED}; copy the folder again"
        )
    return EncoderError(
        f"{name}: found neither a folder nor an encoder of this name in the local cache, expected {EXPECTED}; "
        f"nothing is downloaded unasked: run `hf download {name}` once, or give a folder"
    )


def _shape(name: str, config: Any, family: Family, transformer: nn.Module) -> EncoderShape:
    size, inner, layers, heads, activation = (getattr(config, key) for key in family.sizes)
    embeddings: Any = transformer.embeddings
    rows, first = embeddings.word_embeddings.weight.shape
    positions = embeddings.position_embeddings.weight.shape[0] - (config.pad_token_id + 1 if family.offset else 0)
    kind = getattr(config, "position_embedding_type", "absolute")
    if activation not in ACTIVATIONS or kind != "absolute" or getattr(config, "is_decoder", False):
        found = f"the activation {activation}, {kind} places" + (", a decoder" * getattr(config, "is_decoder", False))
        raise EncoderError(
            f"{name}: found {found}; expected one of {', '.join(ACTIVATIONS)}, absolute places, no decoder"
        )
    shape = EncoderShape(
        rows=rows,
        positions=positions,
        narrow=0 if first == size else first,
        size=size,
        inner=inner,
        layers=layers,
        heads=heads,
        epsilon=float(getattr(config, "layer_norm_eps", 1e-12)),
        activation=ACTIVATIONS[activation],
    )
    if positions < LEAST_POSITIONS:
        raise EncoderError(f"{name}: found room for {positions} sub-words, expected {LEAST_POSITIONS} at least")
    for key, largest in LARGEST.items():
        if getattr(shape, key) > largest:
            raise EncoderError(f"{name}: found {getattr(shape, key):,} {key}, expected at most {largest:,}")
    return shape


def _prefixed(content: dict[str, Any]) -> dict[str, Any]:
    """Words come one by one, but stand behind a space: tokenizers of bytes have to be told."""
    step = content.get("pre_tokenizer") or {}
    for part in (step, *step.get("pretokenizers", ())):
        if part.get("type") == "ByteLevel":
            part["add_prefix_space"] = True
    return content


def exported(loaded: LoadedEncoder, transformer: nn.Module) -> dict[str, Tensor]:
    """The weights by our names, without the mix."""
    w = {name: tensor.detach().float().cpu() for name, tensor in transformer.state_dict().items()}
    shape, places = loaded.shape, w["embeddings.position_embeddings.weight"]
    places = places[len(places) - shape.positions :]
    if "embeddings.token_type_embeddings.weight" in w:
        places = places + w["embeddings.token_type_embeddings.weight"][0]  # all is of one type
    found = {"subwords": w["embeddings.word_embeddings.weight"], "positions": places}
    for name, parts in names_of_parts(loaded).items():
        for end in ("weight", "bias"):
            found[f"{name}.{end}"] = torch.cat([w[f"{part}.{end}"] for part in parts])
    return found


def names_of_parts(loaded: LoadedEncoder) -> dict[str, tuple[str, ...]]:
    """Of all but the first vectors our names, and the encoder's own names of what stands there one behind the other."""
    parts: dict[str, tuple[str, ...]] = {"norm": ("embeddings.LayerNorm",)}
    if loaded.shape.narrow:
        parts["widen"] = ("embeddings_project",)
    for k in range(loaded.shape.layers):
        for name, own in loaded.family.parts.items():
            parts[f"{k}.{name}"] = tuple(f"{loaded.family.layer}.{k}.{part}" for part in own)
    return parts


def _check(loaded: LoadedEncoder) -> None:
    """Refuse an encoder that does not do what our own code makes of it."""
    weights = {name: tensor.numpy() for name, tensor in exported(loaded, loaded.transformer).items()}
    mix = np.full(loaded.shape.layers + 1, 1 / (loaded.shape.layers + 1), dtype=np.float32)
    words = ["one", "Two", "3", "four", "!"]
    ours = Pretrained(loaded.shape, loaded.subwords, weights | {"mix": mix}).vectors([words])
    module = TorchEncoder(loaded)
    module.eval()
    with torch.no_grad():
        layout = loaded.subwords.layout([[loaded.subwords.of(word) for word in words]])
        theirs = module(SubwordInputs.of(layout, loaded.subwords.last, torch.device("cpu"))).numpy()
    apart = float(np.abs(ours - theirs).max())
    if not apart < CLOSE * max(1.0, float(np.abs(theirs).max())):
        raise EncoderError(
            f"{loaded.name}: found an encoder whose vectors are {apart:.2g} from what its description says, expected "
            f"less than {CLOSE:g}; it is not of the kind it says, or damaged"
        )


@dataclass(frozen=True)
class SubwordInputs:
    """Windows of sub-words, filled up to the longest, and where the words' are."""

    numbers: Tensor  # windows × n
    mask: Tensor  # windows × n
    places: Tensor  # rows of the sub-words, word by word
    words: Tensor  # where those of each word begin

    @classmethod
    def of(cls, layout: Layout, filling: int, device: torch.device) -> SubwordInputs:
        sizes = np.diff(layout.starts)
        mask = np.arange(sizes.max(initial=1)) < sizes[:, None]
        numbers = np.full(mask.shape, filling, dtype=np.int64)
        numbers[mask] = layout.numbers
        places = np.flatnonzero(mask)[layout.places]
        arrays = (numbers, mask, places, layout.words[:-1])
        return cls(*(torch.from_numpy(array).to(device) for array in arrays))


class TorchEncoder(nn.Module):
    """The encoder, and the mix of its layers (Peters et al. 2018)."""

    def __init__(self, loaded: LoadedEncoder) -> None:
        super().__init__()
        self._loaded = [loaded]  # in a list, where PyTorch does not look for modules
        self.transformer = loaded.transformer
        embeddings: Any = loaded.transformer.embeddings
        embeddings.word_embeddings.weight.requires_grad_(False)  # most rows are too rare in a treebank to learn
        self.mix = nn.Parameter(torch.zeros(loaded.shape.layers + 1))
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, inputs: SubwordInputs) -> Tensor:
        """A row for each word."""
        device = inputs.numbers.device.type
        with torch.autocast(device, dtype=torch.bfloat16, enabled=self.training and has_bfloat16(device)):
            states = self.transformer(
                input_ids=inputs.numbers, attention_mask=inputs.mask.long(), output_hidden_states=True
            ).hidden_states
        shares = self._shares()
        rows = sum(share * state.to(shares.dtype) for share, state in zip(shares, states, strict=True))
        assert isinstance(rows, Tensor)
        return nn.functional.embedding_bag(inputs.places, rows.flatten(0, 1), inputs.words, mode="mean")

    def _shares(self) -> Tensor:
        return self.mix.softmax(0) * self.scale

    def tensors(self) -> dict[str, Tensor]:
        """The weights by the names that they have in a model file."""
        return exported(self._loaded[0], self.transformer) | {"mix": self._shares().detach().float().cpu()}


def has_bfloat16(device: str) -> bool:
    """Whether the machine multiplies in 16 bits faster than in 32."""
    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    amx, avx512 = (getattr(torch.cpu, f"_is_{name}_supported", None) for name in ("amx_tile", "avx512_bf16"))
    return bool((amx and amx()) or (avx512 and avx512()))
