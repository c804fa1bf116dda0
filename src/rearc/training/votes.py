"""How much a second tagger counts beside that of a network: what tags dev best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rearc.evaluation.ratio import percent
from rearc.neural.numpy_model import Network
from rearc.neural.votes import Votes
from rearc.parser.bilstm import network_of
from rearc.parser.parser import Parser
from rearc.parser.parts import members_of
from rearc.tagger.tagger import Tagger
from rearc.training.trainer import Dev
from rearc.training.watcher import Watcher
from rearc.treebank import Sentence
from rearc.treebank.batches import batches

WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0)
OTHERWISE = 1.0  # where there is no dev


def with_votes(parser: Parser, tagger: Tagger, dev: Sequence[Sentence], watcher: Watcher) -> Parser:
    """The parser, a network that tags, with a second tagger beside it; without, if that tags dev no better."""
    network = network_of(parser._model)
    columns = [column for column in tagger.columns if column in network.shape.columns]
    weights = best_weights(network, tagger, columns, dev, watcher) if dev else dict.fromkeys(columns, OTHERWISE)
    if not any(weights.values()):
        return parser
    votes = Votes(tagger, weights)
    network.vote_with(votes)
    header = (
        replace(parser.header, scores=Dev(list(dev)).score_network(network, parser.header)) if dev else parser.header
    )
    members = {name: [b"".join(pieces)] for name, pieces in members_of(votes).items()}
    return parser._with(header=header, votes=members)


def best_weights(
    network: Network, tagger: Tagger, columns: Sequence[str], dev: Sequence[Sentence], watcher: Watcher
) -> dict[str, float]:
    """By columns, the least of the weights with which most words get the right tag."""
    right: dict[str, list[int]] = {column: [] for column in columns}
    words = sum(map(len, dev))
    for weight in WEIGHTS:
        network.vote_with(Votes(tagger, dict.fromkeys(columns, weight)))
        counts = dict.fromkeys(columns, 0)
        for batch in batches(dev):
            found = network.tag(batch)
            for column in columns:
                gold = [tag for sentence in batch for tag in getattr(sentence, column)]
                counts[column] += sum(a == b for a, b in zip(found[column], gold, strict=True))
        for column, count in counts.items():
            right[column].append(count)
    for column, counted in right.items():
        alone, best = (percent(count, words) for count in (counted[0], max(counted)))
        watcher.note(f"{column} of dev: {alone:.2f} % right, with the second tagger {best:.2f} %")
    return {column: WEIGHTS[counted.index(max(counted))] for column, counted in right.items()}
