"""Before training: every choice made, and what the model's header will say of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from rearc.features.clusters import Clusters, read_clusters, write_clusters
from rearc.features.sets import load_templates
from rearc.features.templates import Template
from rearc.oracles import oracles
from rearc.oracles.coverage import PROJECTIVE
from rearc.parser.header import Header
from rearc.systems import systems
from rearc.training.corpus import NON_PROJECTIVE, Corpus, fit, labels_of
from rearc.training.defaults import (
    EPOCHS,
    NEURAL_EPOCHS,
    PRUNE,
    STATIC,
    choose_features,
    choose_oracle,
    choose_policy,
    choose_system,
)
from rearc.training.errors import TrainingError
from rearc.treebank import Sentence
from rearc.treebank.trees import roots

if TYPE_CHECKING:
    from rearc.training.bilstm_plan import NetworkPlan

MODELS = ("perceptron", "bilstm")
_COLUMNS = {"m": "lemmas", "p": "upos", "t": "xpos", "f": "feats"}  # the attributes of templates that are columns


@dataclass(frozen=True)
class Options:
    """What can be chosen; None is for what is chosen from the training data."""

    system: str | None = None
    oracle: str | None = None
    epochs: int | None = None
    seed: int = 1
    features: str | None = None
    policy: tuple[int, float] | None = None
    non_projective: str | None = None
    single_root: bool | None = None
    prune: float = PRUNE
    clusters: str | None = None
    model: str = "perceptron"
    size: str | None = None
    loss: str | None = None
    rate: float | None = None
    slots: str | None = None
    vectors: str | None = None
    tagger: bool = False
    jackknife: int = 0
    licence: str | None = None

    @property
    def passes(self) -> int:
        """Epochs to train for."""
        return self.epochs or (NEURAL_EPOCHS if self.model == "bilstm" else EPOCHS)


@dataclass(frozen=True)
class Plan:
    """The header of the model to be, and what to learn from."""

    header: Header
    sentences: list[Sentence]
    clusters: Clusters | None
    network: NetworkPlan | None = None


def plan(corpus: Corpus, dev: Corpus | None, options: Options, note: Callable[[str], None]) -> Plan:
    """Choose what is not chosen yet; `note` is told."""
    check(options)
    system = options.system
    if system is None:
        system, why = choose_system(options.model, corpus.sentences)
        note(f"system {system}: {why}")
    name = options.oracle or choose_oracle(system)
    _check_oracle(system, name, options.policy)
    single_root = options.single_root
    if single_root is None:
        single_root = all(len(roots(s.tree)) == 1 for s in corpus.sentences)
    if system not in PROJECTIVE and options.non_projective:
        raise _wrong("non_projective", options.non_projective, f"none, as {system} derives non-projective trees")
    non_projective = (options.non_projective or "lift") if system in PROJECTIVE else "kept"
    sentences, notes = fit(corpus.sentences, system, single_root, non_projective)
    for message in notes:
        note(message)
    network, expects = _network(options, sentences, dev)
    templates = [] if network else load_templates(options.features or choose_features(system))
    label_templates = [] if network else load_templates("labels")
    clusters = read_clusters(options.clusters) if options.clusters else None
    _check_clusters([*templates, *label_templates], clusters)
    header = Header(
        rearc=version("rearc"),
        model=options.model,
        system=system,
        single_root=single_root,
        oracle=name,
        templates=" ".join(template.text for template in templates),
        label_templates=" ".join(template.text for template in label_templates),
        labels=labels_of(sentences),
        expects=expects or expected([*templates, *label_templates], sentences),
        clusters=hashlib.sha256(write_clusters(clusters)).hexdigest() if clusters else None,
        non_projective=non_projective,
        train=corpus.about,
        dev=dev.about if dev else None,
        licence=options.licence,
        seed=options.seed,
        policy=options.policy or choose_policy(name),
        prune=options.prune,
        epochs=0,
        epoch=0,
    )
    return Plan(header, sentences, clusters, network)


def _network(
    options: Options, sentences: Sequence[Sentence], dev: Corpus | None
) -> tuple[NetworkPlan | None, tuple[str, ...]]:
    """The plan of a network, if one is asked for, and the columns it looks at."""
    if options.model != "bilstm":
        return None, ()
    from rearc.training.bilstm_plan import plan_network

    network = plan_network(
        sentences,
        dev.sentences if dev else (),
        size=options.size,
        loss=options.loss,
        rate=options.rate,
        slots=options.slots,
        vectors=options.vectors,
        joint=options.tagger,
    )
    looks = [("upos", network.shape.upos), ("feats", network.shape.feats)]
    return network, () if network.shape.tagger else tuple(column for column, size in looks if size)


def check(options: Options) -> None:
    """Refuse what no treebank could make right."""
    if options.system is not None and options.system not in systems():
        raise _wrong("system", options.system, f"one of {', '.join(systems())}")
    if options.system is not None and options.oracle is not None:
        _check_oracle(options.system, options.oracle, options.policy)
    _check_kind(options)
    if options.features is not None:
        load_templates(options.features)
    if options.epochs is not None and options.epochs < 1:
        raise _wrong("epochs", options.epochs, "at least 1")
    if options.jackknife and not (options.tagger and options.jackknife >= 2):
        raise _wrong("jackknife", options.jackknife, "at least 2 parts, and a tagger")
    if not 0 <= options.seed < 1 << 63:
        raise _wrong("seed", options.seed, "a number from 0 to 2^63 − 1")
    if options.policy is not None and not (options.policy[0] >= 0 and 0 <= options.policy[1] <= 1):
        raise _wrong("policy", options.policy, "epochs k ≥ 0 and a probability p from 0 to 1")
    if not 0 <= options.prune < 1:
        raise _wrong("prune", options.prune, "a share from 0 to 1")
    if options.non_projective is not None and options.non_projective not in NON_PROJECTIVE:
        raise _wrong("non_projective", options.non_projective, f"one of {', '.join(NON_PROJECTIVE)}")


def _check_kind(options: Options) -> None:
    if options.model not in MODELS:
        raise _wrong("model", options.model, f"one of {', '.join(MODELS)}")
    linear = {"features": options.features, "clusters": options.clusters, "prune": options.prune or None}
    linear |= {"jackknife": options.jackknife or None}
    neural = {"size": options.size, "loss": options.loss, "rate": options.rate, "slots": options.slots}
    neural |= {"vectors": options.vectors}
    for name, value in (linear if options.model == "bilstm" else neural).items():
        if value is not None:
            raise _wrong(name, value, f"none, as a model of the kind {options.model} has no such thing")
    if options.model == "bilstm":
        from rearc.training.bilstm_plan import check_network

        require_torch()
        check_network(options.size, options.loss, options.rate, options.slots)


def require_torch() -> None:
    """PyTorch is an extra."""
    from importlib.util import find_spec

    if find_spec("torch") is None:
        raise TrainingError(
            'found no PyTorch, which trains BiLSTM models, expected it to be installed; pip install "rearc[neural]"'
        )


def _check_oracle(system: str, name: str, policy: tuple[int, float] | None) -> None:
    if name not in oracles(system):
        raise _wrong("oracle", name, f"one of {', '.join(oracles(system))} for {system}")
    if name in STATIC and policy and policy[1] > 0:
        raise _wrong("policy", "{},{:g}".format(*policy), f"none, as the oracle {name} knows one path alone")


def _check_clusters(templates: Sequence[Template], clusters: Clusters | None) -> None:
    looking = [t.text for t in templates if any(attribute in ("c", "c4", "c6") for _, attribute in t.atoms)]
    if looking and clusters is None:
        raise TrainingError(f"found the template {looking[0]}, expected a file of Brown clusters for it; give one")
    if clusters is not None and not looking:
        raise TrainingError("found Brown clusters, expected templates that look at them, such as S0c4; add some")


def expected(templates: Sequence[Template], sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """The columns that the templates look at and the sentences have."""
    attributes = {attribute for template in templates for _, attribute in template.atoms}
    return tuple(
        column
        for attribute, column in _COLUMNS.items()
        if attribute in attributes and any(s._column(column) is not None for s in sentences)
    )


def _wrong(option: str, found: object, wanted: str) -> TrainingError:
    return TrainingError(f"found {option} {found!r}, expected {wanted}")
