"""What each group of the default features earns: dev scores without it, and the words/s it costs.

    python experiments/ablation.py TREEBANKS              a Markdown table

The groups are the headings of src/rearc/features/sets/rich-stack.txt.
"""

import argparse
import tempfile
import time
from pathlib import Path

import rearc.features.sets
from rearc.training import Options
from rearc.training.corpus import read_corpus
from rearc.training.loop import train_on

SET = Path(rearc.features.sets.__file__).parent / "rich-stack.txt"
TREEBANKS = {"en_ewt": ("arc-hybrid", "dynamic"), "eu_bdt": ("arc-hybrid-swap", "static-dynamic")}


def groups() -> dict[str, str]:
    """The lines of the set under each heading `# == name`."""
    found: dict[str, str] = {}
    for part in SET.read_text(encoding="utf-8").split("# == ")[1:]:
        name, _, lines = part.partition("\n")
        found[name] = lines
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    all_groups = groups()
    sets = {"all": "rich-stack", "Zhang & Nivre 2011": "zhang-nivre"}
    with tempfile.TemporaryDirectory() as folder:
        for name in all_groups:
            file = Path(folder) / f"{len(sets)}.txt"
            file.write_text("\n".join(lines for other, lines in all_groups.items() if other != name), encoding="utf-8")
            sets[f"without {name}"] = str(file)
        print("| features | templates | " + " | ".join(f"{t} UAS | {t} LAS | words/s" for t in TREEBANKS) + " |")
        print("| --- | ---: |" + " ---: |" * 3 * len(TREEBANKS))
        corpora = {
            name: [read_corpus(args.treebanks / name / f"{part}.conllu") for part in ("train", "dev")]
            for name in TREEBANKS
        }
        for label, features in sets.items():
            cells = []
            for treebank, (system, oracle) in TREEBANKS.items():
                train, dev = corpora[treebank]
                options = Options(system=system, oracle=oracle, features=features, epochs=args.epochs, seed=args.seed)
                parsing = train_on(train, dev, options)
                begin = time.process_time()
                words = sum(len(sentence) for sentence in parsing.parse_many(dev.sentences, tags="given"))
                speed = words / (time.process_time() - begin)
                scores = parsing.header.scores
                cells.append(f"{scores['uas']:.2f} | {scores['las']:.2f} | {speed:,.0f}")
            count = len(parsing.header.templates.split())
            print(f"| {label} | {count} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
