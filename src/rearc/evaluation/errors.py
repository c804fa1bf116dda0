"""What goes wrong when two treebanks are compared."""

from __future__ import annotations

from rearc.errors import RearcError


class EvaluationError(RearcError):
    """Gold and predicted cannot be scored together: where, what was found, what was expected, what to do.

    `sentence` and `word` count from 1; 0 means that the error is of the whole file or of the whole sentence.
    `line` is where the sentence begins, 0 where it comes from no file.

    >>> print(EvaluationError("out.conllu", "'cat'", "'dog' as in a.conllu", "give the same text", 3, 2, 14))
    out.conllu: sentence 3 (line 14), word 2: found 'cat', expected 'dog' as in a.conllu; give the same text
    """

    def __init__(
        self,
        file: str,
        found: str,
        expected: str,
        remedy: str,
        sentence: int = 0,
        word: int = 0,
        line: int = 0,
    ) -> None:
        super().__init__(file, found, expected, remedy, sentence, word, line)
        self.file = file
        self.sentence = sentence
        self.word = word
        self.line = line
        self.found = found
        self.expected = expected
        self.remedy = remedy

    def __str__(self) -> str:
        place = self.file
        if self.sentence:
            place += f": sentence {self.sentence}" + (f" (line {self.line})" if self.line else "")
        if self.word:
            place += f", word {self.word}"
        return f"{place}: found {self.found}, expected {self.expected}; {self.remedy}"
