"""What accuracy costs: LAS against words/s on one core, of rearc's models and their peers, as a table and a picture.

    python benchmarks/frontier.py GOLD.conllu --given 'tiny=tiny.rearc' … --bare 'tiny=tiny-joint.rearc' … \\
        --udpipe PARSER.udpipe --tagger TAGGER.udpipe --spacy fr_core_news_sm --picture frontier.svg

Models behind --given see the tags of the file. Those behind --bare see the words alone, and predict all tags that they
can. NAME=FILE gives a model a name in table and picture. UDPipe parses greedily and with a beam of 5, with given tags
and, behind its tagger, on bare words. spaCy sees bare words. One after the other, each in a process of its own. Words/s
are those of tagging and parsing, sentences in memory before and after, in CPU seconds, the best of --repeat runs. LAS
is over all words, without subtypes of labels, as spaCy's models have others. A line joins the models than which no
other one is both faster and more accurate: the frontier. Needs matplotlib.
Pin it to one core: `OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/frontier.py …`.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from parsing import Job, measured

Row = dict[str, Any]
GIVEN, BARE = "given tags", "bare words"


def jobs_of(args: argparse.Namespace) -> list[tuple[str, str, Job]]:
    """Of each the panel that it is in, its name, and what measures it."""
    jobs: list[tuple[str, str, Job]] = []
    for model in args.udpipe:
        for beam, how in ((1, "UDPipe 1, greedy"), (5, "UDPipe 1, beam 5")):
            jobs.append((GIVEN, how, ("udpipe", model, beam)))
            jobs += [(BARE, how, ("udpipe", f"{tagger},{model}", beam)) for tagger in args.tagger]
    jobs += [(BARE, f"spaCy, {pipeline}", ("spacy", pipeline, 1)) for pipeline in args.spacy]
    for panel, kind, models in ((GIVEN, "rearc", args.given), (BARE, "bare", args.bare)):
        for model in models:
            name, _, file = model.rpartition("=")
            jobs.append((panel, name or Path(file).stem, (kind, file, 1)))
    return jobs


def frontier(rows: list[Row]) -> list[Row]:
    """Those than which no other is both faster and more accurate, the fastest first."""
    found: list[Row] = []
    for row in sorted(rows, key=lambda row: (-row["words_per_second"], -row["las"])):
        if not found or row["las"] > found[-1]["las"]:
            found.append(row)
    return found


def is_crowded(row: Row, rows: list[Row]) -> bool:
    """Whether another model is so little above it that their names would overlap."""
    height = max(r["las"] for r in rows) - min(r["las"] for r in rows)
    return any(
        0 < other["las"] - row["las"] < height / 15 and 1 / 2 < other["words_per_second"] / row["words_per_second"] < 2
        for other in rows
    )


def draw(rows: list[Row], title: str, file: str) -> None:
    import matplotlib
    from matplotlib.figure import Figure

    from rearc.evaluation.plot import COLOURS, STYLE

    panels = [panel for panel in (GIVEN, BARE) if any(row["panel"] == panel for row in rows)]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(5.2 * len(panels), 4.2), layout="constrained")
        for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
            own = [row for row in rows if row["panel"] == panel]
            edge = frontier(own)
            axes.plot([r["words_per_second"] for r in edge], [r["las"] for r in edge], color="#cccccc", zorder=0)
            for row in own:
                peer = row["name"].startswith(("UDPipe", "spaCy"))
                place = row["words_per_second"], row["las"]
                axes.plot(*place, "s" if peer else "o", color=COLOURS[1 if peer else 0], markersize=5)
                right = place[0] > 0.5 * max(r["words_per_second"] for r in own)
                axes.annotate(
                    row["name"], place, xytext=(-6 if right else 6, -9 if is_crowded(row, own) else 3),
                    textcoords="offset points", fontsize=7.5, ha="right" if right else "left",
                )  # fmt: skip
            axes.set_xscale("log")
            axes.set_xlabel("words a second on one core")
            axes.set_ylabel("LAS")
            axes.set_title(f"{title}, {panel}")
            axes.grid(color="#eeeeee")
            axes.margins(x=0.18, y=0.08)
            axes.xaxis.set_major_formatter("{x:,.0f}")
        figure.savefig(file, metadata={"Date": None} if file.endswith(".svg") else None, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold")
    parser.add_argument("--given", nargs="+", default=[], metavar="[NAME=]MODEL")
    parser.add_argument("--bare", nargs="+", default=[], metavar="[NAME=]MODEL")
    parser.add_argument("--udpipe", nargs="*", default=[], metavar="PARSER")
    parser.add_argument("--tagger", nargs="*", default=[], metavar="TAGGER")
    parser.add_argument("--spacy", nargs="*", default=[], metavar="PIPELINE")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--title", default="")
    parser.add_argument("--rows", metavar="FILE", help="of JSON: draw these again, or keep the rows there")
    parser.add_argument("--picture", metavar="FILE")
    args = parser.parse_args()
    jobs = jobs_of(args)
    if jobs:
        found = measured(args.gold, [job for _, _, job in jobs], args.repeat, subtypes=False)
        rows = [{"panel": p, "name": name, **row} for (p, name, _), row in zip(jobs, found, strict=True)]
        if args.rows:
            Path(args.rows).write_text(json.dumps(rows, indent=1) + "\n")
    else:
        rows = json.loads(Path(args.rows).read_text())
    title = args.title or Path(args.gold).parent.name
    for panel in (GIVEN, BARE):
        own = [row for row in rows if row["panel"] == panel]
        edge = frontier(own)
        print(f"\n{title}, {panel}:\n\n| | words/s | UAS | LAS | peak MB |\n| --- | ---: | ---: | ---: | ---: |")
        for row in sorted(own, key=lambda row: -row["words_per_second"]):
            name = f"**{row['name']}**" if row in edge else row["name"]
            scores = f"{row['words_per_second']:,} | {row['uas']:.2f} | {row['las']:.2f} | {row['peak_mb']:,}"
            print(f"| {name} | {scores} |")
    if args.picture:
        draw(rows, title, args.picture)


if __name__ == "__main__":
    main()
