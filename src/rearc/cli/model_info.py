"""What a model is: the part of `rearc info` for model files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rearc.cli.tables import Cell, console, print_json, show_table

if TYPE_CHECKING:
    from rearc.parser import Header
    from rearc.parser.model import Model
    from rearc.parser.second_pass import SecondPass


def is_model(file: str) -> bool:
    """By its suffix, or as the name of a model that is known here."""
    from rearc.parser.catalogue import is_name

    return file.endswith(".rearc") or is_name(file)


def show_model(file: str, json: bool) -> None:
    """Describe a model, on standard output."""
    from rearc.parser.catalogue import find_model
    from rearc.parser.model import read_model
    from rearc.parser.model_segmenter import segmenter_of
    from rearc.parser.model_tagger import tagger_of

    path = find_model(file)
    model = read_model(path)
    tagger = tagger_of(path, model)
    segmenter = segmenter_of(path, model)
    second_pass = _second_pass(path, model)
    columns = tagger.header["columns"] if tagger else []
    network = _network(path, model)
    header = model.header
    size = Path(path).stat().st_size
    shapes = {name: list(array.shape) for name, array in sorted(model.weights.items())}
    if json:
        print_json(
            {
                **header.as_dict(),
                "bytes": size,
                "weights": shapes,
                "tagger": columns,
                "network": network,
                "segmenter": segmenter is not None,
                "second_pass": second_pass.header if second_pass else None,
            }
        )
        return
    twice = second_pass is not None or bool(network and network["shape"]["repair"])
    can = _abilities(segmenter is not None, columns, network, twice)
    facts = {"can": can, **_facts(header, size, shapes)} | {
        f"network: {name}": _listed(value) for name, value in network.items()
    }
    rows = [[name, value] for name, value in facts.items() if value is not None]
    out = console()
    show_table(out, file, ["", ""], rows)
    show_table(
        out,
        f"Labels ({len(header.labels)})",
        ["", "of the root", "of words"],
        [[label.name, "yes" if label.of_root else None, "yes" if label.of_word else None] for label in header.labels],
    )
    if header.trials:
        trials: list[list[Cell]] = [
            [f"{t.system}, {t.oracle}, {t.non_projective}", t.round, t.sentences, t.epochs, t.las]
            for t in header.trials
        ]
        show_table(out, "Trials by which the system was chosen", ["", "round", "sentences", "epochs", "LAS"], trials)
    if columns:
        tags = [[column["name"].upper(), len(column["classes"])] for column in columns]
        show_table(out, "Tagger", ["", "tags"], tags)
    all_templates = {"Templates": header.templates, "Templates of labels": header.label_templates}
    if second_pass:
        all_templates["Templates of the second pass"] = second_pass.header["templates"]
    all_templates |= {f"Templates of {column['name'].upper()}": column["templates"] for column in columns}
    for title, templates in all_templates.items() if not network else ():
        out.print(f"{title} ({len(templates.split())})", style="bold")
        out.print(templates)
        out.print()


def _second_pass(path: str, model: Model) -> SecondPass | None:
    if not model.second_pass:
        return None
    from rearc.parser.errors import ModelError
    from rearc.parser.model import EXPECTED, REMEDY
    from rearc.parser.second_pass import second_pass_of

    try:
        return second_pass_of(model.second_pass, model.clusters)
    except ValueError as error:
        raise ModelError(path, str(error), EXPECTED, REMEDY) from None


def _abilities(segments: bool, columns: list[dict[str, Any]], network: dict[str, Any], second_pass: bool) -> str:
    """What the model can do, in words."""
    tags = [column["name"] for column in columns] or (network["shape"]["columns"] if network else [])
    parts = ["split raw text into sentences and words"] if segments else []
    parts += (
        [f"tag ({', '.join(name.upper().removesuffix('S') if name == 'lemmas' else name.upper() for name in tags)})"]
        if tags
        else []
    )
    return ", ".join([*parts, "parse", *(["go through the tree a second time"] if second_pass else [])])


def _listed(value: Any) -> str:
    return ", ".join(f"{name} {size}" for name, size in value.items()) if isinstance(value, dict) else str(value)


def _network(path: str, model: Model) -> dict[str, Any]:
    """What there is to say of a BiLSTM model's network."""
    if model.network is None:
        return {}
    from rearc.neural.shape import decode_shape
    from rearc.neural.vocabulary import decode_vocabulary
    from rearc.neural.votes import read_votes
    from rearc.parser.bilstm import network_about
    from rearc.parser.errors import ModelError
    from rearc.parser.model import EXPECTED, REMEDY
    from rearc.parser.parts import content_of

    try:
        about = network_about(model.network)
        vocabulary = decode_vocabulary(about.pop("vocabulary"))
        about["shape"] = decode_shape(about["shape"]).as_dict()
        if model.votes:
            votes = read_votes(*content_of(model.votes, "second tagger"), about["shape"]["columns"])
            about["second tagger counts"] = votes.weights
    except ValueError as error:
        raise ModelError(path, str(error), EXPECTED, REMEDY) from None
    return about | {"vocabulary": {name: len(entries) for name, entries in vars(vocabulary).items()}}


def _facts(header: Header, size: int, shapes: dict[str, list[int]]) -> dict[str, Cell]:
    from rearc.systems import traits

    facts: dict[str, Any] = {
        "model": header.model,
        "made by rearc": header.rearc,
        "bytes": size,
        "system": header.system,
        "one root": "yes" if header.single_root or traits(header.system).one_root else "no",
        "oracle": header.oracle,
        "policy": "after {} epochs follow the prediction with probability {:g}".format(*header.policy),
        "non-projective trees": header.non_projective,
        "looks at": ", ".join(["forms", *header.expects]),
        "reads": ", ".join(f"{mark} as {other}" for mark, other in header.marks.items()) or None,
        "Brown clusters, SHA-256": header.clusters,
        "seed": header.seed,
        "pruned below": header.prune or None,
        "epoch": f"{header.epoch} of {header.epochs}",
        "licence": header.licence,
    }
    for name, treebank in (("training data", header.train), ("dev data", header.dev)):
        if treebank is not None:
            facts[name] = f"{treebank.name}: {treebank.sentences:,} sentences, {treebank.words:,} words"
            facts[f"{name}, SHA-256"] = treebank.sha256
    if header.taught is not None:
        by = header.taught
        facts["taught by"] = f"{by.teacher}: {by.sentences:,} sentences, {by.words:,} words"
        if by.alone:
            facts["without the teacher"] = f"the last {by.alone} epochs"
        facts["heads taught"] = f"those with a confidence of {by.confident:g} or more" if by.confident else "all"
        facts["copies of the training data"] = by.copies
    facts |= {f"dev {name.upper()}": score for name, score in header.scores.items()}
    facts |= {f"weights {name}": " × ".join(f"{k:,}" for k in shape) for name, shape in shapes.items()}
    return facts
