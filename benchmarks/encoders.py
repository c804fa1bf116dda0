"""A pretrained encoder on one core: rearc's own code beside PyTorch and ONNX Runtime at 32 and at 8 bits.

    python benchmarks/encoders.py ENCODER TREEBANK.conllu [WORDS]

Words a second of CPU time, from words to their vectors; time to load; the most memory that the way takes beyond
Python's and rearc's own; how far vectors are from PyTorch's (rearc's weights are in 16 bits); and how far those of the
first sentences are in a batch from those of each alone, which should be nothing. Each way runs in a process of its own,
with one thread. PyTorch and ONNX Runtime get sentences sorted by their length, in batches of 16, as they fill up the
shorter ones.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

WAYS = ("rearc", "pytorch", "onnx-32", "onnx-8")
BATCH = 16
ONE = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}


def memory() -> float:
    """The most so far, in MB, by Linux; what getrusage tells has that of the process that started this one in it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def prepare(encoder: str, folder: Path) -> None:
    """What the ways read: rearc's weights in 16 bits, and the encoder for ONNX Runtime in 32 and 8."""
    from rearc.files.tensors import encode_tensors
    from rearc.neural.encoder import TorchEncoder, load_encoder
    from rearc.neural.storing import pack

    loaded = load_encoder(encoder)
    module = TorchEncoder(loaded).eval()
    (folder / "about.json").write_text(json.dumps(loaded.about()))
    tensors = pack({name: tensor.numpy() for name, tensor in module.tensors().items()}, set())
    (folder / "rearc.safetensors").write_bytes(b"".join(encode_tensors(tensors)))
    export(module, folder)


def export(module: Any, folder: Path) -> None:
    """onnx-32.onnx and onnx-8.onnx: from sub-words to the mix of the layers."""
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic

    class Mixed(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.module = module

        def forward(self, numbers: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            states = self.module.transformer(
                input_ids=numbers, attention_mask=mask, output_hidden_states=True
            ).hidden_states
            return sum(share * state for share, state in zip(self.module._shares(), states, strict=True))

    numbers = torch.ones(2, 9, dtype=torch.int64)
    axes = {0: "windows", 1: "places"}
    module.transformer.set_attn_implementation("eager")
    torch.onnx.export(
        Mixed().eval(), (numbers, numbers), folder / "onnx-32.onnx",
        input_names=["numbers", "mask"], output_names=["rows"],
        dynamic_axes={"numbers": axes, "mask": axes, "rows": axes}, opset_version=17, dynamo=False,
    )  # fmt: skip
    quantize_dynamic(
        folder / "onnx-32.onnx", folder / "onnx-8.onnx", weight_type=QuantType.QInt8, per_channel=True
    )  # each column has a scale of its own


def make(way: str, encoder: str, folder: Path) -> tuple[Callable[[list[list[str]]], np.ndarray], Any]:
    """What makes vectors of sentences."""
    from rearc.files.tensors import decode_tensors
    from rearc.neural.pretrained import Pretrained, decode_encoder
    from rearc.neural.storing import unpack

    if way == "pytorch":
        import torch

        from rearc.neural.encoder import SubwordInputs, TorchEncoder, load_encoder

        torch.set_num_threads(1)
        loaded = load_encoder(encoder)
        module = TorchEncoder(loaded).eval()

        def by_pytorch(sentences: list[list[str]]) -> np.ndarray:
            with torch.inference_mode():
                layout = loaded.subwords.layout([[loaded.subwords.of(f) for f in forms] for forms in sentences])
                return module(SubwordInputs.of(layout, loaded.subwords.last, torch.device("cpu"))).numpy()

        return by_pytorch, loaded.subwords
    shape, subwords = decode_encoder(json.loads((folder / "about.json").read_text()))
    if way == "rearc":
        weights = unpack(decode_tensors((folder / "rearc.safetensors").read_bytes()))
        return Pretrained(shape, subwords, weights).vectors, subwords
    return by_onnx(folder / f"{way}.onnx", subwords), subwords


def by_onnx(file: Path, subwords: Any) -> Callable[[list[list[str]]], np.ndarray]:
    """What makes vectors of sentences by an exported encoder."""
    import onnxruntime

    from rearc.neural.transformer import means

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])

    def run(sentences: list[list[str]]) -> np.ndarray:
        layout = subwords.layout([[subwords.of(form) for form in forms] for forms in sentences])
        sizes = np.diff(layout.starts)
        mask = np.arange(sizes.max()) < sizes[:, None]
        numbers = np.full(mask.shape, subwords.last)
        numbers[mask] = layout.numbers
        (rows,) = session.run(None, {"numbers": numbers, "mask": mask.astype(np.int64)})
        return means(np.ascontiguousarray(rows[mask]), layout.places, layout.words)

    return run


def measure(way: str, encoder: str, treebank: str, words: int, folder: Path) -> None:
    """One way, in this process."""
    import rearc

    sentences: list[list[str]] = []
    for sentence in rearc.read(treebank):
        sentences.append(sentence.forms)
        if sum(map(len, sentences)) >= words:
            break
    before, start = memory(), time.perf_counter()
    run, _ = make(way, encoder, folder)
    loading = time.perf_counter() - start
    run(sentences[:3])  # what is made ready once
    order = sorted(range(len(sentences)), key=lambda k: len(sentences[k]))
    found: dict[int, np.ndarray] = {}
    used = time.process_time()
    if way == "rearc":
        parts = run(sentences)
        ends = np.cumsum([len(forms) for forms in sentences])[:-1]
        found = dict(enumerate(np.split(parts, ends)))
    else:
        for at in range(0, len(order), BATCH):
            batch = order[at : at + BATCH]
            ends = np.cumsum([len(sentences[k]) for k in batch])[:-1]
            found |= dict(zip(batch, np.split(run([sentences[k] for k in batch]), ends), strict=True))
    used = time.process_time() - used
    few = list(islice(range(len(sentences)), 40))
    apart = max(float(np.abs(run([sentences[k]]) - found[k]).max()) for k in few)
    np.save(folder / f"{way}.npy", np.concatenate([found[k] for k in range(len(sentences))]))
    count = sum(map(len, sentences))
    print(
        json.dumps({"words": count, "rate": count / used, "load": loading, "memory": memory() - before, "alone": apart})
    )


def main() -> None:
    encoder, treebank = sys.argv[1:3]
    words = int(sys.argv[3]) if len(sys.argv) > 3 else 3000
    if len(sys.argv) > 5:
        measure(sys.argv[4], encoder, treebank, words, Path(sys.argv[5]))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(encoder, folder)
        print("| way | words/s | loading, s | memory, MB | from PyTorch's | alone and in a batch |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
        results = {}
        for way in WAYS:
            command = [sys.executable, __file__, encoder, treebank, str(words), way, name]
            run = subprocess.run(command, env={**os.environ, **ONE}, capture_output=True, text=True, check=True)
            results[way] = json.loads(run.stdout.splitlines()[-1])
        right = np.load(folder / "pytorch.npy")
        for way, result in results.items():
            apart = float(np.abs(np.load(folder / f"{way}.npy") - right).max())
            cells = (way, f"{result['rate']:,.0f}", f"{result['load']:.1f}", f"{result['memory']:.0f}")
            print("|", " | ".join((*cells, f"{apart:.2g}", f"{result['alone']:.2g}")), "|", flush=True)
        print(f"\n{results['rearc']['words']:,} words; the largest number of a vector is {np.abs(right).max():.2g}")


if __name__ == "__main__":
    main()
