"""The one base of all errors that a user can cause."""


class RearcError(ValueError):
    """Something a user gave is not as it must be: a file, a treebank, a model, an option.

    Every error class of rearc that stands for a user's mistake derives from it; anything else that comes out of rearc
    is a mistake of the program.

    >>> from rearc.treebank import TreebankError
    >>> issubclass(TreebankError, RearcError)
    True
    """
