"""Looking on while a parser is trained."""

from rearc.parser.header import Trial
from rearc.segment import SegmentEpoch
from rearc.tagger.learning import TagEpoch
from rearc.training.trainer import Epoch


class Watcher:
    """What somebody who waits for a training may want to know, and whether it shall stop. This one wants nothing.

    >>> from rearc.training import train
    >>> from rearc.treebank import sample
    >>> class Printing(Watcher):
    ...     def epoch(self, record):
    ...         print(f"epoch {record.epoch}: {record.transitions} transitions")
    >>> parser = train(sample(), system="arc-hybrid", epochs=2, watcher=Printing())
    epoch 1: 728 transitions
    epoch 2: 728 transitions
    """

    def note(self, message: str) -> None:
        """Something was chosen, left out or went wrong."""

    def step(self, epoch: int, done: int, sentences: int) -> None:
        """So many sentences of the epoch have been learnt."""

    def epoch(self, record: Epoch) -> None:
        """An epoch is at its end, or was so before the training was taken up again."""

    def segmenter(self, record: SegmentEpoch) -> None:
        """An epoch of the segmenter's training, which comes first, is at its end."""

    def tagger(self, record: TagEpoch) -> None:
        """An epoch of the tagger's training, which comes before the parser's, is at its end."""

    def trying(self, what: str, done: int, sentences: int) -> None:
        """A trial, which comes before the parser's training, has learnt so many of its sentences."""

    def trial(self, record: Trial) -> None:
        """A trial is at its end, or was so before the training was taken up again."""

    def stop(self) -> bool:
        """Asked often: True ends the training with what there is."""
        return False
