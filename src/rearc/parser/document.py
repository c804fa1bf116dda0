"""A text and the sentences that were found in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

from rearc.treebank import Sentence

if TYPE_CHECKING:
    from rearc.segment import Segmented

Ranges = list[tuple[int, int]]
SHOWN = 20  # trees of a document in a notebook


class Document(Sequence[Sentence]):
    """The parsed sentences of a text; `Parser` makes one when it is called.

    >>> import rearc
    >>> from rearc.treebank import sample
    >>> document = rearc.train(sample(), epochs=1)("A dog barks.  The cat sleeps!")
    >>> [sentence.text for sentence in document]
    ['A dog barks.', 'The cat sleeps!']
    >>> start, end = document.ranges[1][0]
    >>> document.text[start:end]
    'The'
    """

    def __init__(self, text: str, sentences: Iterable[Sentence], ranges: Iterable[Ranges]) -> None:
        """ranges: for each sentence where its tokens begin and end in the text."""
        self.text = text
        self._sentences = tuple(sentences)
        self.ranges = list(ranges)

    def __len__(self) -> int:
        return len(self._sentences)

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Sentence]: ...
    def __getitem__(self, index: int | slice) -> Sentence | Sequence[Sentence]:
        return self._sentences[index]

    def to_conllu(self) -> str:
        """All sentences as they stand in a CoNLL-U file."""
        return "".join([sentence.to_conllu() for sentence in self])

    def __str__(self) -> str:
        """The trees as `rearc show` draws them."""
        return "\n\n".join(map(str, self))

    def __repr__(self) -> str:
        return f"<Document of {len(self)} sentences>"

    def _repr_html_(self) -> str:
        """The trees as SVG, which notebooks show; the first ones of a long text."""
        trees = "".join([sentence._repr_html_() for sentence in self._sentences[:SHOWN]])
        return trees if len(self) <= SHOWN else f"{trees}<p>… and {len(self) - SHOWN:,} more sentences</p>"


class Numbering:
    """Gives the sentences of texts their comments: where documents and paragraphs begin, sent_id, text."""

    def __init__(self) -> None:
        self.count = 0

    def sentences(self, found: Iterable[Segmented], *, ranges: bool = False) -> Iterator[Sentence]:
        """The sentences of one document. ranges: MISC tells where each token stands in the text, as TokenRange."""
        begins_document = True
        for sentence, places, begins_paragraph in found:
            self.count += 1
            comments = ["# newdoc"] if begins_document else []
            comments += ["# newpar"] if begins_paragraph else []
            comments += [
                f"# sent_id = {self.count}",
                *(line for line in sentence.comments if line.startswith("# text")),
            ]
            begins_document = False
            yield (_with_ranges(sentence, places) if ranges else sentence).replace(comments=comments)


def _with_ranges(sentence: Sentence, places: Ranges) -> Sentence:
    tokens = {token.start: token for token in sentence.multiwords}
    misc = sentence.misc
    word = 1
    for start, end in places:
        token = tokens.get(word)
        place = f"TokenRange={start}:{end}"
        if token is None:
            misc[word - 1] = place if misc[word - 1] == "_" else f"{misc[word - 1]}|{place}"
            word += 1
        else:
            tokens[word] = token._replace(misc=place if token.misc == "_" else f"{token.misc}|{place}")
            word = token.end + 1
    return sentence.replace(misc=misc, multiwords=[tokens[word] for word in sorted(tokens)])
