"""The one base of all errors that a user can cause."""

from collections.abc import Iterable


class RearcError(ValueError):
    """Something a user gave is not as it must be: a file, a treebank, a model, an option.

    Every error class of rearc that stands for a user's mistake derives from it; anything else that comes out of rearc
    is a mistake of the program.

    >>> from rearc.treebank import TreebankError
    >>> issubclass(TreebankError, RearcError)
    True
    """


def suggestion(found: object, known: Iterable[str]) -> str:
    """What was probably meant, to be put behind a message: "; did you mean …?", or nothing.

    >>> suggestion("arc-hybird", ["arc-eager", "arc-hybrid"])
    '; did you mean arc-hybrid?'
    """
    from difflib import get_close_matches

    near = get_close_matches(str(found), list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""
