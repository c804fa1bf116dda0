"""What goes wrong when two treebanks are compared."""

from __future__ import annotations


class EvaluationError(ValueError):
    """Gold and predicted cannot be scored together: where, what was found, what was expected, what to do.

    `sentence` and `word` count from 1; 0 means that the error is of the whole file or of the whole sentence.
    """

    def __init__(
        self,
        file: str,
        found: str,
        expected: str,
        remedy: str,
        *,
        sentence: int = 0,
        word: int = 0,
        line: int = 0,
    ) -> None:
        self.file = file
        self.sentence = sentence
        self.word = word
        self.line = line
        self.found = found
        self.expected = expected
        self.remedy = remedy
        place = file
        if sentence:
            place += f": sentence {sentence}" + (f" (line {line})" if line else "")
        if word:
            place += f", word {word}"
        super().__init__(f"{place}: found {found}, expected {expected}; {remedy}")
