"""What comes back from the pseudo-projective transformation, for every treebank and encoding: docs/pseudoprojective.md.

python benchmarks/pseudoprojective.py ../shared/treebanks
"""

import sys
from pathlib import Path

from rearc.treebank import read
from rearc.treebank.pseudoprojective import ENCODINGS, RoundTrip, round_trip

FILES = ("train.conllu", "dev.conllu", "test.conllu")


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}" if whole else "–"


def cells(result: RoundTrip) -> list[str]:
    return [
        f"{100 * result.restored / result.arcs:.3f}",
        percent(result.lifted_restored, result.lifted),
        str(len(result.encoded_labels - result.labels)),
    ]


def main(folder: Path) -> None:
    header = ["treebank", "arcs", "non-projective %", "lifted", "labels"]
    for encoding in ENCODINGS:
        header += [f"{encoding}: restored % of all", "% of lifted", "new labels"]
    print("| " + " | ".join(header) + " |")
    print("|---" + "|---:" * (len(header) - 1) + "|")
    for treebank in sorted(path for path in folder.iterdir() if path.is_dir()):
        sentences = [sentence for name in FILES for sentence in read(treebank / name, columns={"heads", "deprels"})]
        results = [round_trip(sentences, encoding) for encoding in ENCODINGS]
        one = results[0]
        row = [treebank.name, f"{one.arcs:,}", percent(one.non_projective, one.arcs), f"{one.lifted:,}"]
        row.append(str(len(one.labels)))
        for result in results:
            row += cells(result)
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python benchmarks/pseudoprojective.py FOLDER (one folder for each treebank in it)")
    main(Path(sys.argv[1]))
