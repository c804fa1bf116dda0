"""What goes wrong in training."""

from __future__ import annotations

from collections.abc import Sequence

from rearc.errors import RearcError, suggestion


class TrainingError(RearcError):
    """Training cannot be done as asked; the message says what was found, what was expected and what to do.

    >>> import rearc
    >>> rearc.train([])
    Traceback (most recent call last):
    rearc.training.errors.TrainingError: <sentences>: found no sentences, expected a treebank; check the file
    """


class OptionError(TrainingError):
    """An option of training has a value that it cannot have.

    >>> from rearc.training import Options
    >>> Options(epochs=0)
    Traceback (most recent call last):
    rearc.training.errors.OptionError: found epochs 0, expected at least 1
    """

    def __init__(self, option: str, found: object, expected: str, allowed: Sequence[str] = ()) -> None:
        """allowed: the names to choose from, if there is a list of them."""
        if allowed:
            expected = f"{expected} {', '.join(allowed)}{suggestion(found, allowed)}"
        super().__init__(f"found {option} {found!r}, expected {expected}")
        self.option, self.found, self.expected = option, found, expected

    def __reduce__(self) -> tuple[type[OptionError], tuple[str, object, str]]:
        return OptionError, (self.option, self.found, self.expected)


class Stopped(Exception):
    """The watcher stopped a training before there was anything to keep.

    >>> from rearc.training import Watcher, train
    >>> from rearc.treebank import sample
    >>> class Impatient(Watcher):
    ...     def stop(self):
    ...         return True
    >>> try:
    ...     train(sample(), tagger=True, watcher=Impatient())
    ... except Stopped:
    ...     print("stopped")
    stopped
    """
