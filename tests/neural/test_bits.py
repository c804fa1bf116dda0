"""What a network computes for a sentence has the same bits in any batch, not only the same tree."""

from typing import Any

import numpy as np
import pytest

from rearc.neural.numpy_model import Network
from rearc.neural.shape import preset
from rearc.treebank import Sentence
from tests.neural.networks import random_network


class Spy:
    """A decoder that keeps what it was given to decode."""

    def __init__(self, network: Network) -> None:
        self.decoder = network.decoder
        self.given: list[dict[int, bytes]] = []
        self.hidden = 0 if network._pairs else network.shape.hidden * len(network.shape.slots.split())

    def parse(
        self, values: np.ndarray, sizes: np.ndarray, sheets: np.ndarray, strides: np.ndarray, **limits: Any
    ) -> Any:
        for n, sheet in zip(sizes.tolist(), sheets.tolist(), strict=True):
            if self.hidden:  # a row for each word, the root and none
                self.given.append({0: values.reshape(-1, self.hidden)[sheet[0] : sheet[0] + n + 2].tobytes()})
            else:  # three tables of pairs and two rows
                areas = ((n + 1) ** 2,) * 3 + (n + 1,) * 2
                parts = zip(sheet, areas, strict=True)
                self.given.append({k: values[at : at + area].tobytes() for k, (at, area) in enumerate(parts)})
        return self.decoder.parse(values, sizes, sheets, strides, **limits)


def results(network: Network, batches: list[list[Sentence]]) -> list[Any]:
    """What the decoder saw of each sentence; then heads, labels and tags of all."""
    spy = network.decoder = Spy(network)  # type: ignore[assignment]
    parsed = [network.parse(batch) for batch in batches]
    network.decoder = spy.decoder
    network._form_vectors.clear()
    heads, labels = (np.concatenate([one[k] for one in parsed]).tolist() for k in (0, 1))
    tags = {column: [tag for one in parsed for tag in one[2][column]] for column in parsed[0][2]}
    return [spy.given, heads, labels, tags]


def test_tags_block_by_block(sentences: list[Sentence], monkeypatch: pytest.MonkeyPatch):
    """However few words are tagged at once."""
    network = random_network("arc-hybrid", True, preset("tiny", True), sentences)[0]
    margins: dict[str, np.ndarray] = {}
    together = results(network, [sentences]), network.tag(sentences, margins)
    monkeypatch.setattr("rearc.neural.numpy_model.BLOCK", 5)
    again: dict[str, np.ndarray] = {}
    assert (results(network, [sentences]), network.tag(sentences, again)) == together
    assert {column: found.tobytes() for column, found in again.items()} == {c: m.tobytes() for c, m in margins.items()}


@pytest.mark.parametrize("joint", [False, True], ids=["given", "joint"])
@pytest.mark.parametrize(
    ("name", "size"),
    [("nl-covington", "small"), ("covington-nonmonotonic", "small"), ("arc-hybrid", "small"), ("arc-hybrid", "tiny")],
)
def test_alone_and_in_batches(name: str, size: str, joint: bool, sentences: list[Sentence]):
    network = random_network(name, True, preset(size, joint), sentences)[0]
    together = results(network, [sentences])
    assert len(together[0]) == len(sentences)
    assert results(network, [[s] for s in sentences]) == together
    assert results(network, [sentences[:7], sentences[7:8], sentences[8:]]) == together
    backwards = results(network, [sentences[::-1]])
    assert backwards[0][::-1] == together[0]
