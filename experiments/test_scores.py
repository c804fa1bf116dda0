"""The test sets: a system for each treebank, three seeds, beside UDPipe.

    python experiments/test_scores.py run TREEBANKS --peers MODELS    what is not there yet; stop and start it at will
    python experiments/test_scores.py table                           the Markdown table of docs/parsing.md

Each run leaves a JSON file in experiments/results/test. A parser is trained with the options that `rearc train` has by
itself, dev chooses its epoch, and it parses test once, with the treebank's own tags. MODELS is a folder of UDPipe 1
models TREEBANK-swap.udpipe or TREEBANK-projective.udpipe; they parse the same words and tags.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import rearc
from rearc.treebank import Sentence

RESULTS = Path(__file__).parent / "results" / "test"
# en_ewt: the default; the others: by dev LAS with seed 1 in experiments/results, of all systems with all their oracles
CHOSEN = {
    "en_ewt": ("arc-hybrid", "dynamic"),
    "eu_bdt": ("nl-covington", "dynamic"),
    "grc_agdt": ("covington-nonmonotonic", "upper"),
    "nl_lassysmall": ("covington-nonmonotonic", "upper"),
}
SEEDS = (1, 2, 3)
BEAMS = (1, 5)

Row = dict[str, Any]


def scores(test: Path, parsed: Iterable[Sentence]) -> Row:
    found = rearc.evaluate(test, parsed)
    return {"uas": found.uas, "las": found.las}


def of_rearc(folder: Path, system: str, oracle: str, seed: int) -> Row:
    begin = time.process_time()
    parser = rearc.train(folder / "train.conllu", folder / "dev.conllu", system=system, oracle=oracle, seed=seed)
    seconds = time.process_time() - begin
    test = folder / "test.conllu"
    return {
        "epochs": parser.header.epochs,
        "epoch": parser.header.epoch,
        "dev_las": parser.header.scores["las"],
        "cpu_seconds": round(seconds, 1),
        **scores(test, parser.parse_many(rearc.read(test), tags="given")),
    }


def of_udpipe(folder: Path, model: Path, beam: int) -> Row:
    import ufal.udpipe as ud

    loaded, error = ud.Model.load(str(model)), ud.ProcessingError()

    def parse(sentence: Sentence) -> Sentence:
        theirs = ud.Sentence()
        for word in sentence:
            node = theirs.addWord(word.form)
            node.lemma, node.upostag, node.xpostag, node.feats = (
                "" if value == "_" else value for value in (word.lemma, word.upos, word.xpos, word.feats)
            )
        loaded.parse(theirs, f"beam_search={beam}", error)
        if error.occurred():
            raise SystemExit(f"{model}: {error.message}")
        words = list(theirs.words)[1:]
        return sentence.replace(heads=[word.head for word in words], deprels=[word.deprel for word in words])

    test = folder / "test.conllu"
    return scores(test, (parse(sentence) for sentence in rearc.read(test)))


def runs(treebanks: Path, peers: Path | None) -> Iterator[tuple[Row, Any]]:
    """What a run is, and the work that gives its scores."""
    for treebank, (system, oracle) in CHOSEN.items():
        folder = treebanks / treebank
        for seed in SEEDS:
            about = {"treebank": treebank, "parser": f"{system}-{oracle}", "seed": seed}
            yield about, lambda f=folder, s=system, o=oracle, n=seed: of_rearc(f, s, o, n)
        for model in sorted(peers.glob(f"{treebank}-*.udpipe")) if peers else ():
            for beam in BEAMS:
                name = f"UDPipe {model.stem.removeprefix(f'{treebank}-')}, " + (
                    f"beam {beam}" if beam > 1 else "greedy"
                )
                about = {"treebank": treebank, "parser": name, "seed": 0}
                yield about, lambda f=folder, m=model, b=beam: of_udpipe(f, m, b)


def run_all(treebanks: Path, peers: Path | None, only: list[str]) -> None:
    RESULTS.mkdir(parents=True, exist_ok=True)
    for about, work in runs(treebanks, peers):
        file = RESULTS / "{treebank}-{parser}-{seed}.json".format(**about).replace(", ", "-").replace(" ", "-")
        if file.exists() or (only and about["treebank"] not in only):
            continue
        result = about | work()
        half = file.with_suffix(".part")
        half.write_text(json.dumps(result) + "\n", encoding="utf-8")
        half.replace(file)
        print(f"{file.stem}: UAS {result['uas']:.2f}, LAS {result['las']:.2f}", file=sys.stderr, flush=True)


def spread(values: list[float]) -> str:
    return f"{mean(values):.2f} ± {stdev(values):.2f}" if len(values) > 1 else f"{values[0]:.2f}"


def table() -> None:
    found: dict[tuple[str, str], list[Row]] = {}
    for file in sorted(RESULTS.glob("*.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        found.setdefault((result["treebank"], result["parser"]), []).append(result)
    print("| test | parser | UAS | LAS | seeds |")
    print("| --- | --- | ---: | ---: | ---: |")
    for (treebank, parser), results in found.items():
        uas, las = (spread([result[metric] for result in results]) for metric in ("uas", "las"))
        print(f"| {treebank} | {parser} | {uas} | {las} | {len(results)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("run", "table"))
    parser.add_argument("treebanks", nargs="?", type=Path, help="folder with a folder for each treebank")
    parser.add_argument("--peers", type=Path, help="folder with UDPipe models")
    parser.add_argument("--only", nargs="+", default=[], help="these treebanks")
    args = parser.parse_args()
    if args.what == "table":
        table()
    elif args.treebanks is None:
        parser.error("run needs the folder of treebanks")
    else:
        run_all(args.treebanks, args.peers, args.only)


if __name__ == "__main__":
    main()
