"""Looking on while a parser is trained."""

from rearc.training.trainer import Epoch


class Watcher:
    """What somebody who waits for a training may want to know, and whether it shall stop. This one wants nothing."""

    def note(self, message: str) -> None:
        """Something was chosen, left out or went wrong."""

    def step(self, epoch: int, done: int, sentences: int) -> None:
        """So many sentences of the epoch have been learnt."""

    def epoch(self, record: Epoch) -> None:
        """An epoch is at its end, or was so before the training was taken up again."""

    def stop(self) -> bool:
        """Asked often: True ends the training with what there is."""
        return False
