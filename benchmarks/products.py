"""Products and LSTM steps beside NumPy's on one core, at the sizes of the presets: GFLOP/s and ratios.

OPENBLAS_NUM_THREADS=1 taskset -c 0 python benchmarks/products.py
OPENBLAS_NUM_THREADS=1 OPENBLAS_CORETYPE=Haswell REARC_SIMD=avx2 taskset -c 0 python benchmarks/products.py
"""

import argparse
from collections.abc import Callable
from time import process_time

import numpy as np

from rearc.neural.lstm import LANES, BiLSTM
from rearc.neural.product import KERNELS, Packed, product
from rearc.neural.shape import PRESETS

WORDS = 4096  # of a batch
LABELS, SENTENCE = 50, 20


def noise(*shape: int) -> np.ndarray:
    return (np.random.default_rng(1).normal(size=shape) / np.sqrt(shape[-2])).astype(np.float32)


def compare(name: str, flops: float, ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> None:
    """The best processor time of each, in turns: other work on the machine hits both."""
    times: list[list[float]] = [[], []]
    repeat = max(1, int(2e8 / flops))
    for _ in range(rounds):
        for k, work in enumerate((ours, theirs)):
            begin = process_time()
            for _ in range(repeat):
                work()
            times[k].append((process_time() - begin) / repeat)
    a, b = (flops / min(own) / 1e9 for own in times)
    print(f"    {name:<42} {a:6.1f} {b:6.1f}   {a / b:.2f}", flush=True)


def compare_products(name: str, count: int, depth: int, columns: int, rounds: int) -> None:
    rows, matrix, result = noise(count, depth), noise(depth, columns), np.empty((count, columns), dtype=np.float32)
    packed = Packed(matrix)
    compare(
        f"{name}, {count} × {depth} × {columns}",
        2.0 * count * depth * columns,
        lambda: product(rows, packed, out=result),
        lambda: np.matmul(rows, matrix, out=result),
        rounds,
    )


def numpy_lstm(inputs: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    """One layer, both directions, over sequences of one length that stand side by side: steps × lanes × width."""
    sides = []
    for side, order in enumerate((slice(None), slice(None, None, -1))):
        recurrent = weights["0.recurrent"][side]
        hidden = len(recurrent)
        gates = np.matmul(inputs[order], weights["0.input"][side]) + weights["0.bias"][side]
        state = cell = np.zeros((inputs.shape[1], hidden), dtype=np.float32)
        outputs = np.empty((*inputs.shape[:2], hidden), dtype=np.float32)
        product, scratch = np.empty_like(gates[0]), np.empty_like(cell)
        for k, gate in enumerate(gates):
            gate += np.matmul(state, recurrent, out=product)
            np.tanh(gate, out=gate)
            switches = gate[:, : 3 * hidden]
            switches *= 0.5
            switches += 0.5
            np.multiply(gate[:, :hidden], gate[:, 3 * hidden :], out=scratch)
            cell = cell * gate[:, hidden : 2 * hidden] + scratch
            state = np.multiply(np.tanh(cell), gate[:, 2 * hidden : 3 * hidden], out=outputs[k])
        sides.append(outputs[order])
    return np.concatenate(sides, axis=2)


def compare_lstms(name: str, width: int, hidden: int, rounds: int) -> None:
    steps = WORDS // LANES
    weights = {"0.input": noise(2, width, 4 * hidden), "0.recurrent": noise(2, hidden, 4 * hidden)}
    weights["0.bias"] = np.zeros((2, 4 * hidden), dtype=np.float32)
    inputs = noise(LANES, steps, width)
    ours = BiLSTM.from_tensors(weights, 1)
    behind, beside = inputs.reshape(-1, width), np.ascontiguousarray(inputs.transpose(1, 0, 2))
    compare(
        f"{name}, {width} to 2 × {hidden}",
        2.0 * 2 * WORDS * (width + hidden) * 4 * hidden,
        lambda: ours.run(behind, [steps] * LANES),
        lambda: numpy_lstm(beside, weights),
        rounds,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    usual = next(name for name in KERNELS if Packed(noise(1, 1), kernels=name).width == Packed(noise(1, 1)).width)
    print(f"GFLOP/s of rearc ({usual}) and of NumPy, and their ratio")
    for name in ("small", "base"):
        shape = PRESETS[name]
        width = shape.words + 2 * shape.spelling + shape.upos + shape.feats
        hidden = shape.layers[0]
        print(name)
        for count in (WORDS, LANES):
            compare_products("gates of the first layer", count, width, 4 * hidden, rounds)
            compare_products("gates of the second layer", count, 2 * hidden, 4 * hidden, rounds)
            compare_products("recurrent", count, hidden, 4 * hidden, rounds)
            compare_products("heads, dependents", count, 2 * hidden, shape.pair, rounds)
            compare_products("labels", count, shape.labels, LABELS, rounds)
        compare_products("pairs of a sentence", SENTENCE + 1, shape.pair + 1, SENTENCE + 1, rounds)
        compare_lstms("LSTM, spelling", shape.characters, shape.spelling, rounds)
        compare_lstms("LSTM, first layer", width, hidden, rounds)
        compare_lstms("LSTM, second layer", 2 * hidden, hidden, rounds)


if __name__ == "__main__":
    main()
