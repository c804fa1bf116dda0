"""Before training: every choice made, and what the model's header will say of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rearc.errors import suggestion
from rearc.features.clusters import Clusters, read_clusters, write_clusters
from rearc.features.fitting import check_fit
from rearc.features.sets import feature_sets, load_templates
from rearc.features.templates import Template
from rearc.oracles import oracles
from rearc.oracles.table import takes_partial
from rearc.parser.header import Header, Trial
from rearc.systems import traits
from rearc.training.candidates import choose_quickly
from rearc.training.corpus import Corpus, fit, labels_of
from rearc.training.defaults import (
    STATIC,
    choose_features,
    choose_oracle,
    choose_policy,
    choose_second_pass,
    choose_single_root,
    judges_apart,
    looking_at_xpos,
    suits_one_root,
    xpos_in_place_of_feats,
)
from rearc.training.errors import OptionError, TrainingError
from rearc.training.options import Options
from rearc.treebank import Sentence
from rearc.treebank.marks import stand_ins
from rearc.version import __version__

if TYPE_CHECKING:
    from rearc.training.bilstm_plan import NetworkPlan

FEW_WORDS = 10_000  # below, it is not sure that a network is better than a perceptron

_COLUMNS = {"m": "lemmas", "p": "upos", "t": "xpos", "f": "feats"}  # the attributes of templates that are columns


@dataclass(frozen=True)
class Plan:
    """The header of the model to be, and what to learn from."""

    header: Header
    sentences: list[Sentence]
    clusters: Clusters | None
    network: NetworkPlan | None = None
    own: int = 0  # the first so many sentences are what the last epochs learn from alone
    alone: int = 0  # how many epochs those are


# Where a header's field has the name of an option, it says what was chosen; but for these two.
_CHOSEN = {entry.name for entry in fields(Header)} & {entry.name for entry in fields(Options)} - {"clusters", "epochs"}


def plan(
    corpus: Corpus,
    dev: Corpus | None,
    options: Options,
    note: Callable[[str], None],
    trials: tuple[Trial, ...] = (),
) -> Plan:
    """Choose what is not chosen yet; `note` is told. trials: those by which the system was chosen."""
    check(options)
    chosen = _choose(corpus.sentences, options, note)
    system = chosen["system"]
    cut = corpus.own if corpus.alone else len(corpus.sentences)
    sentences: list[Sentence] = []
    for part in filter(None, (corpus.sentences[:cut], corpus.sentences[cut:])):
        own = len(sentences)
        found, notes = fit(part, system, chosen["single_root"], chosen["non_projective"])
        sentences += found
        for message in notes:
            note(message)
    twice = choose_second_pass(options.model, system) if options.second_pass is None else options.second_pass
    network, expects = _network(replace(options, second_pass=twice), sentences, dev)
    words = sum(map(len, sentences))
    if network and words < FEW_WORDS:
        note(f"{words:,} words are few for a network: a perceptron (--model perceptron) may parse better")
    templates = [] if network else load_templates(str(options.features or choose_features(system)))
    check_fit(templates, system)
    label_templates = [] if network else load_templates("labels")
    by_default = options.features is None and xpos_in_place_of_feats(sentences)
    if network.shape.xpos if network else by_default:
        note("the treebank has no FEATS, so the parser looks at XPOS in their place")
        templates, label_templates = map(looking_at_xpos, (templates, label_templates))
    clusters = read_clusters(str(options.clusters)) if options.clusters else None
    _check_clusters([*templates, *label_templates], clusters)
    header = Header(
        rearc=__version__,
        templates=" ".join(template.text for template in templates),
        label_templates=" ".join(template.text for template in label_templates),
        labels=labels_of(sentences),
        expects=expects or expected([*templates, *label_templates], sentences),
        clusters=hashlib.sha256(write_clusters(clusters)).hexdigest() if clusters else None,
        train=corpus.about,
        dev=dev.about if dev else None,
        epochs=0,
        epoch=0,
        trials=trials,
        marks=stand_ins(form for s in sentences for form in s.forms),
        # in a beam all transitions compete, and their scores add up
        repairs_apart=options.model == "perceptron" and options.beam == 1 and judges_apart(system, chosen["oracle"]),
        **{name: chosen[name] for name in _CHOSEN},
    )
    return Plan(header, sentences, clusters, network, own, corpus.alone)


def _choose(sentences: Sequence[Sentence], options: Options, note: Callable[[str], None]) -> dict[str, Any]:
    """The options by their names, with what the treebank decides."""
    system, non_projective = options.system, options.non_projective
    if system is None:
        candidate, why = choose_quickly(options.model, sentences, suits_one_root(options.single_root, sentences))
        system, non_projective = candidate.system, non_projective or candidate.non_projective
        note(f"system {system}: {why}")
    name = options.oracle or choose_oracle(system)
    _check_oracle(system, name, options.policy)
    if not takes_partial(system, name) and not all(s.has_tree for s in sentences):
        others = [other for other in oracles(system) if takes_partial(system, other)]
        wanted = f"for {system} and unknown heads one of" if others else "whole trees, or another system"
        raise OptionError("oracle", name, wanted, others)
    if traits(system).derives_all and options.non_projective:
        reason = f"none, as {system} derives non-projective trees"
        raise OptionError("non_projective", options.non_projective, reason)
    return {
        **vars(options),
        "system": system,
        "oracle": name,
        "policy": options.policy or choose_policy(name),
        "single_root": choose_single_root(options.single_root, sentences),
        "non_projective": "kept" if traits(system).derives_all else non_projective or "lift",
    }


def _network(
    options: Options, sentences: Sequence[Sentence], dev: Corpus | None
) -> tuple[NetworkPlan | None, tuple[str, ...]]:
    """The plan of a network, if one is asked for, and the columns it looks at."""
    if options.model != "bilstm":
        return None, ()
    from rearc.training.bilstm_plan import plan_network

    network = plan_network(sentences, dev.sentences if dev else (), options)
    return network, () if network.shape.columns else network.shape.seen


def check(options: Options, *, to_train: bool = True) -> None:
    """Refuse what no treebank could make right, but needs a look at more than one option, or at files.

    to_train: what training takes has to be installed here, too.
    """
    if options.system is not None and options.oracle is not None:
        _check_oracle(options.system, options.oracle, options.policy)
    if options.features is not None:
        name, known = str(options.features), feature_sets()
        if name not in known and suggestion(name, known) and not Path(name).exists():
            raise OptionError("features", name, "a file of templates, or one of the sets", known)
        templates = load_templates(name)
        if options.system is not None:
            check_fit(templates, options.system)
    if options.model == "bilstm":
        from rearc.training.bilstm_plan import check_network

        if to_train:
            require_torch()
        check_network(options)


def require_torch() -> None:
    """PyTorch is an extra."""
    from importlib.util import find_spec

    if find_spec("torch") is None:
        raise OptionError("model", "bilstm", 'PyTorch, which trains it, to be installed; pip install "rearc[neural]"')


def _check_oracle(system: str, name: str, policy: tuple[int, float] | None) -> None:
    if name not in oracles(system):
        raise OptionError("oracle", name, f"for {system} one of", oracles(system))
    if name in STATIC and policy and policy[1] > 0:
        raise OptionError("policy", policy, f"none, as the oracle {name} knows one path alone")


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
