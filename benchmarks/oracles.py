"""Speed and soundness of systems and oracles on real trees, one core.

    python benchmarks/oracles.py speed treebank/train.conllu      transitions/s, cost vectors/s and optimal sets/s
    python benchmarks/oracles.py threads treebank/train.conllu    the same result from 8 threads; speed of 2 against 1
    python benchmarks/oracles.py adversarial                      the slowest answer on trees with many cycles
    python benchmarks/oracles.py rebuild TREEBANKS                every tree of every treebank derived by every oracle

Each prints a table, or JSON with --json.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from rearc.oracles import Oracle, oracle, oracles
from rearc.oracles.walk import Derivations, Trees, derive, replay, walk
from rearc.systems import systems, traits
from rearc.treebank import read
from rearc.treebank.pseudoprojective import projective_heads
from rearc.treebank.trees import is_projective, roots

Row = dict[str, Any]


def load(path: Path) -> tuple[Trees, Trees]:
    """The trees of a file, and the same made projective."""
    trees = [sentence.tree for sentence in read(path, columns={"heads"})]
    return Trees(trees), Trees(tree if is_projective(tree) else projective_heads(tree) for tree in trees)


def fastest(job: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        result = job()
        times.append(time.perf_counter() - begin)
    return min(times), result


def speed(path: Path, repeat: int) -> Iterator[Row]:
    """Applying given derivations; all costs, and all optimal sets, along a walk that follows them with 0.9."""
    trees, projective = load(path)
    for name in systems():
        gold = trees if traits(name).derives_all else projective
        for which in oracles(name):
            judge = oracle(name, which, [0, 0])
            derivations = Derivations(judge, gold)
            applying, _ = fastest(lambda: replay(derivations), repeat)  # noqa: B023
            walking, (visited, _) = fastest(lambda: walk(judge, gold), repeat)  # noqa: B023
            asking, (asked, _) = fastest(lambda: walk(judge, gold, optimal=True), repeat)  # noqa: B023
            yield {
                "system": name,
                "oracle": which,
                "applied, million/s": round(len(derivations) / applying / 1e6, 2),
                "cost vectors, million/s": round(visited / walking / 1e6, 3),
                "optimal sets, million/s": round(asked / asking / 1e6, 3),
                "configurations": visited,
            }


def threads(path: Path, repeat: int) -> Iterator[Row]:
    trees, projective = load(path)
    for name in systems():
        gold = trees if traits(name).derives_all else projective
        which = oracles(name)[-1]

        def walked(count: int, times: int) -> set[tuple[int, int]]:
            def work(judge: Oracle) -> set[tuple[int, int]]:
                return {walk(judge, gold, follow=0.9, seed=1) for _ in range(times)}  # noqa: B023

            judges = [oracle(name, which, [0, 0]) for _ in range(count)]  # noqa: B023
            with ThreadPoolExecutor(count) as pool:
                return set().union(*pool.map(work, judges))

        one, results = fastest(lambda: walked(1, 8), repeat)
        two, _ = fastest(lambda: walked(2, 4), repeat)
        same = walked(8, 1) == results and len(results) == 1
        yield {"system": name, "oracle": which, "8 threads agree": same, "2 threads / 1": round(one / two, 2)}


def adversarial(repeat: int) -> Iterator[Row]:
    """A a chain 1…m and gold k→m+k→k+2, 2m→1: Fibonacci(m) cycles. The slowest of all answers, in ms."""
    for n in (40, 80, 200):
        m = n // 2
        gold = [0] * (n + 1)
        for k in range(1, m + 1):
            gold[m + k] = k
            if k + 2 <= m:
                gold[k + 2] = m + k
        gold[1] = 2 * m
        chain = [0, 0, *range(1, n)]
        for name in systems():
            for which in oracles(name):
                slowest = max(_slowest(name, which, gold, chain, seed) for seed in range(repeat))
                yield {"n": n, "system": name, "oracle": which, "slowest answer, ms": round(1000 * slowest, 3)}


def _slowest(name: str, which: str, gold: Sequence[int], chain: Sequence[int], seed: int) -> float:
    """Walk towards the chain with some wandering, asking the judge of the gold tree at every configuration."""
    judge = oracle(name, which, gold)
    guide = oracle(name, oracles(name)[0], chain)
    rng = random.Random(seed)
    state = judge.start()
    slowest = 0.0
    while not state.is_terminal:
        answers = []
        for _ in range(2):  # the better of two, so that what else the machine does counts less
            begin = time.thread_time()
            costs = judge.costs(state)
            answers.append(time.thread_time() - begin)
        slowest = max(slowest, min(answers))
        wanted = [t for t in guide.optimal(state) if t in costs]
        judge.apply(state, wanted[0] if wanted and rng.random() < 0.97 else rng.choice(list(costs)))
    return slowest


def rebuild(folder: Path) -> Iterator[Row]:
    files = sorted(folder.glob("*/*.conllu"))
    if not files:
        raise SystemExit(f"no */*.conllu below {folder}")
    total: dict[tuple[str, str], np.ndarray] = {}
    for number, path in enumerate(files, 1):
        print(f"\r{number}/{len(files)} {path.parent.name}/{path.name}        ", end="", file=sys.stderr)
        trees = [sentence.tree for sentence in read(path, columns={"heads"})]
        lifted = [tree if is_projective(tree) else projective_heads(tree) for tree in trees]
        for name in systems():
            can = trees if traits(name).derives_all else lifted
            if traits(name).one_root:
                can = [tree for tree in can if len(roots(tree)) == 1]
            gold = Trees(can)
            words = np.diff(gold.offsets) - 1
            for which in oracles(name):
                rebuilt = derive(oracle(name, which, [0, 0]), gold)[:, 2] == words
                row = total.setdefault((name, which), np.zeros(3, dtype=np.int64))
                row += (len(can), int(rebuilt.sum()), gold.words)
    print(file=sys.stderr)
    for (name, which), (count, good, words) in total.items():
        yield {"system": name, "oracle": which, "trees": int(count), "rebuilt": int(good), "words": int(words)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "threads", "adversarial", "rebuild"))
    parser.add_argument("path", nargs="?", type=Path, help="a treebank; for rebuild, the folder of treebanks")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many runs counts")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.what != "adversarial" and args.path is None:
        parser.error(f"{args.what} needs a path")
    rows = list(
        {
            "speed": lambda: speed(args.path, args.repeat),
            "threads": lambda: threads(args.path, args.repeat),
            "adversarial": lambda: adversarial(args.repeat),
            "rebuild": lambda: rebuild(args.path),
        }[args.what]()
    )
    if args.json:
        print(json.dumps(rows, indent=2))
        return
    widths = {key: max(len(key), *(len(str(row[key])) for row in rows)) for key in rows[0]}
    for row in [dict(zip(widths, widths, strict=True)), *rows]:
        print("  ".join(f"{row[key]!s:<{width}}" for key, width in widths.items()))


if __name__ == "__main__":
    main()
