"""The same model through four engines: rearc's own code, PyTorch, and ONNX Runtime at 32 and at 8 bits.

    python benchmarks/encoder_trees.py MODEL.rearc ENCODER GOLD.conllu

MODEL has a pretrained encoder, ENCODER is the folder that it was trained from. The encoder's vectors come from each
engine in turn; all else is rearc's. Prints the scores on bare words, and how many sentences have other trees than by
rearc's own code. ONNX Runtime at 8 bits scales all numbers of a batch together, so it gets one sentence at a time.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from encoders import by_onnx, export

import rearc
from rearc.neural.encoder import LoadedEncoder, SubwordInputs, TorchEncoder, load_encoder, names_of_parts

Vectors = Callable[[list[list[str]]], np.ndarray]


def filled(loaded: LoadedEncoder, weights: dict[str, np.ndarray]) -> TorchEncoder:
    """PyTorch's encoder with a model's weights."""
    state = {name: tensor.clone() for name, tensor in loaded.transformer.state_dict().items()}
    places = state["embeddings.position_embeddings.weight"]
    places[len(places) - loaded.shape.positions :] = torch.from_numpy(weights["positions"])
    if "embeddings.token_type_embeddings.weight" in state:
        state["embeddings.token_type_embeddings.weight"].zero_()  # they are in the places
    state["embeddings.word_embeddings.weight"] = torch.from_numpy(weights["subwords"])
    for name, parts in names_of_parts(loaded).items():
        for end in ("weight", "bias"):
            own = np.split(weights[f"{name}.{end}"], len(parts))
            state |= {f"{part}.{end}": torch.from_numpy(rows) for part, rows in zip(parts, own, strict=True)}
    loaded.transformer.load_state_dict(state)
    module = TorchEncoder(loaded).eval()
    with torch.no_grad():
        mix = torch.from_numpy(weights["mix"])
        module.scale.copy_(mix.sum())
        module.mix.copy_((mix / mix.sum()).log())
    return module


def by_pytorch(loaded: LoadedEncoder, module: TorchEncoder) -> Vectors:
    def run(sentences: list[list[str]]) -> np.ndarray:
        with torch.inference_mode():
            layout = loaded.subwords.layout([[loaded.subwords.of(form) for form in forms] for forms in sentences])
            return module(SubwordInputs.of(layout, loaded.subwords.last, torch.device("cpu"))).numpy()

    return run


def one_by_one(vectors: Vectors) -> Vectors:
    return lambda sentences: np.concatenate([vectors([forms]) for forms in sentences])


def main() -> None:
    model, encoder, gold = sys.argv[1:]
    torch.set_num_threads(1)
    parser, loaded, sentences = rearc.load(model), load_encoder(encoder), list(rearc.read(gold))
    own = parser._engine._encoder
    weights = {name: np.array(array) for name, array in parser_weights(model).items()}
    module = filled(loaded, weights)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        engines: dict[str, Vectors] = {"rearc": own.vectors, "pytorch": by_pytorch(loaded, module)}
        export(module, folder)
        engines |= {way: one_by_one(by_onnx(folder / f"{way}.onnx", loaded.subwords)) for way in ("onnx-32", "onnx-8")}
        first: list[Any] = []
        print("| engine | UPOS | UAS | LAS | other trees |\n| --- | ---: | ---: | ---: | ---: |")
        for way, vectors in engines.items():
            own.vectors = vectors
            trees = list(parser.parse_many(sentences, tags="predict"))
            first = first or trees
            other = sum(a.heads != b.heads or a.deprels != b.deprels for a, b in zip(first, trees, strict=True))
            scores = rearc.evaluate(sentences, trees)
            pairs = [pair for g, t in zip(sentences, trees, strict=True) for pair in zip(g.upos, t.upos, strict=True)]
            upos = 100 * sum(a == b for a, b in pairs) / len(pairs)
            cells = f"{upos:.2f} | {scores.uas:.2f} | {scores.las:.2f} | {other} of {len(trees)}"
            print(f"| {way} | {cells} |", flush=True)


def parser_weights(file: str) -> dict[str, np.ndarray]:
    """The encoder's weights in a model file, by their names in it."""
    from rearc.neural.storing import unpack
    from rearc.parser.model import read_model

    found = unpack(read_model(file).weights)
    return {name.removeprefix("encoder."): rows for name, rows in found.items() if name.startswith("encoder.")}


if __name__ == "__main__":
    main()
