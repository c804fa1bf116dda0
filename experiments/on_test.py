"""The test sets: a system for each treebank, three seeds, beside UDPipe.

    python experiments/on_test.py run TREEBANKS --peers MODELS    what is not there yet; stop and start it at will
    python experiments/on_test.py run TREEBANKS --models FOLDER   BiLSTM models too, which are kept there
    python experiments/on_test.py table                           the Markdown table of docs/parsing.md

Each run leaves a JSON file in experiments/results/test. A parser is trained with the options that `rearc train` has by
itself, dev chooses its epoch, and it parses test once, with the treebank's own tags. MODELS is a folder of UDPipe 1
models TREEBANK-swap.udpipe or TREEBANK-projective.udpipe; they parse the same words and tags.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from runs import Command, Result, load, run_all, spread

import rearc
from rearc.training import Epoch, Watcher
from rearc.treebank import Sentence

RESULTS = Path(__file__).parent / "results" / "test"
# en_ewt: the default; the others: by dev LAS with seed 1 in experiments/results, of all systems with all their oracles
CHOSEN = {
    "en_ewt": ("arc-hybrid", "dynamic"),
    "eu_bdt": ("nl-covington", "dynamic"),
    "grc_agdt": ("covington-nonmonotonic", "upper"),
    "nl_lassysmall": ("covington-nonmonotonic", "upper"),
}
# BiLSTM models: size, system, oracle, and whether they tag the words themselves
NETWORKS = [
    ("eu_bdt", "base", "nl-covington", "dynamic", False),
    ("en_ewt", "base", "nl-covington", "dynamic", False),
    ("en_ewt", "base", "nl-covington", "dynamic", True),
    ("en_ewt", "small", "nl-covington", "dynamic", False),
    ("grc_agdt", "base", "nl-covington", "dynamic", False),
]
SEEDS = (1, 2, 3)
BEAMS = (1, 5)


def scores(test: Path, parsed: Iterable[Sentence]) -> Result:
    found = rearc.evaluate(test, parsed)
    return {"uas": found.uas, "las": found.las}


def of_rearc(folder: Path, system: str, oracle: str, seed: int) -> Result:
    parser = rearc.train(folder / "train.conllu", folder / "dev.conllu", system=system, oracle=oracle, seed=seed)
    test = folder / "test.conllu"
    return {
        "epochs": parser.header.epochs,
        "epoch": parser.header.epoch,
        "dev_las": parser.header.scores["las"],
        **scores(test, parser.parse_many(rearc.read(test), tags="given")),
    }


def of_bilstm(folder: Path, size: str, system: str, oracle: str, joint: bool, model: Path) -> Result:
    """A model is kept, and so is its checkpoint until it is done: such a training may take an hour."""
    model.parent.mkdir(parents=True, exist_ok=True)
    curve: list[Result] = []

    class Curve(Watcher):
        def epoch(self, record: Epoch) -> None:
            curve.append(record.as_dict())
            print(f"{model.stem}: {curve[-1]}", file=sys.stderr, flush=True)

    checkpoint = Path(f"{model}.checkpoint")
    parser = rearc.train(
        folder / "train.conllu", folder / "dev.conllu", model="bilstm", size=size, system=system, oracle=oracle,
        tagger=joint, checkpoint=checkpoint, resume=True, watcher=Curve(),
    )  # fmt: skip
    parser.save(model)
    checkpoint.unlink(missing_ok=True)
    test = folder / "test.conllu"
    return {
        "epochs": parser.header.epochs,
        "epoch": parser.header.epoch,
        "dev_las": parser.header.scores["las"],
        "training_seconds": round(sum(record["seconds"] for record in curve)),
        **scores(test, parser.parse_many(rearc.read(test), tags="predict" if joint else "given")),
    }


def of_udpipe(folder: Path, model: Path, beam: int) -> Result:
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


def runs(treebanks: Path, peers: Path | None, models: Path | None) -> Iterator[tuple[Result, Any]]:
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
    for treebank, size, system, oracle, joint in NETWORKS if models else ():
        name = f"bilstm-{size}-{system}-{oracle}" + ("-bare" if joint else "")
        file = models / f"{treebank}-{name}.rearc"
        about = {"treebank": treebank, "parser": name, "seed": 1}
        yield about, partial(of_bilstm, treebanks / treebank, size, system, oracle, joint, file)


def train_all(treebanks: Path, peers: Path | None, models: Path | None, only: list[str]) -> None:
    wanted = []
    for about, work in runs(treebanks, peers, models):
        name = "{treebank}-{parser}-{seed}.json".format(**about).replace(", ", "-").replace(" ", "-")
        if not only or about["treebank"] in only:
            wanted.append((RESULTS / name, partial(_with, about, work)))
    run_all(wanted)


def _with(about: Result, work: Callable[[], Result]) -> Result:
    return about | work()


def table() -> None:
    found: dict[tuple[str, str], list[Result]] = {}
    for result in load(RESULTS):
        found.setdefault((result["treebank"], result["parser"]), []).append(result)
    print("| test | parser | UAS | LAS | seeds |")
    print("| --- | --- | ---: | ---: | ---: |")
    for (treebank, parser), results in found.items():
        uas, las = (spread(results, metric) for metric in ("uas", "las"))
        print(f"| {treebank} | {parser} | {uas} | {las} | {len(results)} |")


def main() -> None:
    command = Command(__doc__)
    command.add_argument("--peers", type=Path, help="folder with UDPipe models")
    command.add_argument("--models", type=Path, help="folder for BiLSTM models; without it none are trained")
    command.add_argument("--only", nargs="+", default=[], help="these treebanks")
    args = command.arguments()
    if args.what == "table":
        table()
    else:
        train_all(args.treebanks, args.peers, args.models, args.only)


if __name__ == "__main__":
    main()
