"""The seconds of an epoch are those that a user waits for."""

import pytest

from rearc.training import perceptron, trainer
from rearc.training.watcher import Watcher
from rearc.treebank import sample
from tests.trained import train_parser


def test_scoring_on_dev_is_part_of_an_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    class Clock:
        @staticmethod
        def monotonic() -> float:
            return now

    score = perceptron.PerceptronTrainer.dev_scores

    def slowly(self: perceptron.PerceptronTrainer, weights: object) -> dict[str, float]:
        nonlocal now
        now += 1000
        return score(self, weights)  # type: ignore[arg-type]

    monkeypatch.setattr(trainer, "time", Clock)
    monkeypatch.setattr(perceptron.PerceptronTrainer, "dev_scores", slowly)
    records = []

    class Records(Watcher):
        def epoch(self, record: trainer.Epoch) -> None:
            records.append(record)

    train_parser(sample(), dev=sample(), system="arc-hybrid", epochs=2, watcher=Records())
    assert [record.seconds for record in records] == [1000, 1000]
