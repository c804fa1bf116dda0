"""rearc in a spaCy pipeline: `nlp.add_pipe("rearc", config={"model": "en"})`.

The component keeps spaCy's tokens. Where nothing before it has said where sentences begin, the model's segmenter does.
Tokens that are white space are left out of the parse and hang on the token before them, as spaCy's own parsers have it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from spacy.attrs import DEP, HEAD, LEMMA, MORPH, POS, SENT_START, TAG
from spacy.language import Language
from spacy.parts_of_speech import IDS
from spacy.tokens import Doc, Token
from spacy.vocab import Vocab

from rearc.errors import RearcError
from rearc.parser import Parser, load
from rearc.parser.model_segmenter import load_segmenter
from rearc.treebank import Multiword, Sentence
from rearc.treebank.spaces import behind, form_of, tokens_of

FILE = "model.rearc"  # in the folder that nlp.to_disk makes
SPACE_TAG = "_SP"

# the confidence of each token: doc._.rearc is a list, token._.rearc a number; None where none was asked for
Doc.set_extension("rearc", default=None, force=True)
Token.set_extension("rearc", getter=lambda token: (token.doc._.rearc or [None] * len(token.doc))[token.i], force=True)


@Language.factory(
    "rearc",
    assigns=["token.head", "token.dep", "token.pos", "token.tag", "token.morph", "token.lemma", "token.is_sent_start"],
    default_config={"model": "en", "threads": 1, "tags": "predict", "confidence": False},
)
def make(nlp: Language, name: str, model: str, threads: int, tags: str, confidence: bool) -> Component:
    """model: a name or a path, as for rearc.load. threads: of each batch. tags: predict, given or auto."""
    return Component(nlp.vocab, load(model), threads, tags, confidence)


class Component:
    """Parses documents in place."""

    def __init__(
        self, vocab: Vocab, parser: Parser, threads: int = 1, tags: str = "predict", confidence: bool = False
    ) -> None:
        self.vocab, self.parser, self.threads, self.tags, self.confidence = vocab, parser, threads, tags, confidence

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], batch_size: int = 128) -> Iterator[Doc]:
        """Documents in batches, whose sentences are parsed together."""
        documents = iter(stream)
        while batch := list(islice(documents, batch_size)):
            places = [self._sentences(doc) for doc in batch]
            sentences = [_sentence(doc, words) for doc, found in zip(batch, places, strict=True) for words in found]
            parsed = self.parser.parse_many(sentences, threads=self.threads, tags=self.tags, confidence=self.confidence)
            for doc, found in zip(batch, places, strict=True):
                trees = list(islice(parsed, len(found)))
                fill(doc, trees, found)
                if self.confidence:
                    sure: list[float | None] = [None] * len(doc)
                    for tree, words in zip(trees, found, strict=True):
                        for word, place in zip(tree, words, strict=True):
                            sure[place] = word.confidence
                    doc._.rearc = sure
                yield doc

    def _sentences(self, doc: Doc) -> list[list[int]]:
        """The tokens of each sentence, without those that are white space."""
        words = [token.i for token in doc if not token.is_space]
        if not words:
            return []
        if doc.has_annotation("SENT_START"):
            begins = np.cumsum([bool(token.is_sent_start) for token in doc])  # the number of the sentence of each token
            ends = [*np.flatnonzero(np.diff(begins[words])).tolist(), len(words) - 1]
        elif self.parser.segmenter is not None:
            starts = [doc[k].idx for k in words]
            found = self.parser.segmenter.sentence_ends(doc.text, starts, [doc[k].idx + len(doc[k]) for k in words])
            ends = np.flatnonzero(found).tolist()
        else:
            raise RearcError(
                "found no sentence starts and a model without a segmenter, expected one of them; "
                'add nlp.add_pipe("sentencizer") before rearc'
            )
        return [words[first:stop] for first, stop in pairwise([0, *(end + 1 for end in ends)])]

    def to_disk(self, path: str | os.PathLike[str], *, exclude: Iterable[str] = ()) -> None:
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        self.parser.save(folder / FILE)

    def from_disk(self, path: str | os.PathLike[str], *, exclude: Iterable[str] = ()) -> Component:
        self.parser = load(Path(path) / FILE)
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        with TemporaryDirectory() as folder:
            self.to_disk(folder)
            return (Path(folder) / FILE).read_bytes()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> Component:
        with TemporaryDirectory() as folder:
            (Path(folder) / FILE).write_bytes(data)
            return self.from_disk(folder)


class Tokenizer:
    """rearc's tokens in spaCy: `nlp.tokenizer = Tokenizer(nlp.vocab, "en")`.

    A word within a multiword token is a token of its own where the words together are what is written, as in do + n't;
    else the token stays whole. The sentences that were found are marked.
    """

    def __init__(self, vocab: Vocab, model: str | os.PathLike[str]) -> None:
        segmenter = load_segmenter(model)
        if segmenter is None:
            raise RearcError(f"found no segmenter in {os.fspath(model)}, expected one; train a model with a segmenter")
        self.vocab, self.model, self.segmenter = vocab, os.fspath(model), segmenter

    def __call__(self, text: str) -> Doc:
        words: list[str] = []
        spaces: list[bool] = []
        starts: list[bool] = []
        at = 0

        def white(until: int) -> None:
            """What is between tokens. One space of it belongs to the token before, the rest is a token in spaCy."""
            gap = text[at:until]
            if gap[:1] == " " and spaces:
                spaces[-1] = True
                gap = gap[1:]
            if gap:
                words.append(gap)
                spaces.append(False)
                starts.append(False)

        for found in self.segmenter.segment(text):
            begins = True
            for (start, end), parts in zip(found.ranges, _written(found.sentence), strict=True):
                white(start)
                pieces = parts if "".join(parts) == text[start:end] else [text[start:end]]
                for piece in pieces:
                    words.append(piece)
                    spaces.append(False)
                    starts.append(begins)
                    begins = False
                at = end
        white(len(text))
        if starts:
            starts[0] = True
        return Doc(self.vocab, words=words, spaces=spaces, sent_starts=starts)

    def to_disk(self, path: str | os.PathLike[str], *, exclude: Iterable[str] = ()) -> None:
        Path(path).write_text(self.model, encoding="utf-8")

    def from_disk(self, path: str | os.PathLike[str], *, exclude: Iterable[str] = ()) -> Tokenizer:
        self.__init__(self.vocab, Path(path).read_text(encoding="utf-8"))  # type: ignore[misc]
        return self


def fill(doc: Doc, parsed: Iterable[Sentence], places: Iterable[list[int]]) -> None:
    """Set what the parsed sentences say on the tokens they are made of."""
    size = len(doc)
    strings = doc.vocab.strings
    heads = np.full(size, -1, dtype=np.int64)  # relative; white space hangs on the token before it
    columns = {name: np.zeros(size, dtype=np.uint64) for name in (DEP, POS, TAG, LEMMA, MORPH)}
    begins = np.full(size, -1, dtype=np.int64)
    columns[POS][:], columns[TAG][:] = IDS["SPACE"], strings.add(SPACE_TAG)
    columns[LEMMA][:] = [token.orth for token in doc]
    first = 0  # white space before a sentence hangs on its root, as there is no token before it
    for sentence, words in zip(parsed, places, strict=True):
        begins[first] = 1
        root = words[sentence.heads.index(0)]
        heads[first : words[0]] = root - np.arange(first, words[0])
        for place, word in zip(words, sentence, strict=True):
            heads[place] = words[word.head - 1] - place if word.head else 0
            columns[DEP][place] = strings.add("ROOT" if not word.head and word.deprel == "root" else word.deprel)
            columns[POS][place] = IDS.get(word.upos, 0)
            columns[TAG][place] = strings.add(word.xpos if word.xpos != "_" else word.upos)
            columns[LEMMA][place] = strings.add(word.lemma if word.lemma != "_" else word.form)
            columns[MORPH][place] = doc.vocab.morphology.add(word.feats if word.feats != "_" else "")
        first = words[-1] + 1
        while first < size and doc[first].is_space:
            first += 1
    if not size or begins.max() != 1:
        return
    names = [HEAD, *columns, SENT_START]
    values = [heads.astype(np.uint64), *columns.values(), begins.astype(np.uint64)]
    doc.from_array(names, np.column_stack(values))


def to_doc(sentences: Iterable[Sentence], vocab: Vocab) -> Doc:
    """Sentences as a spaCy document, a token for each word.

    >>> doc = to_doc([Sentence(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])], Vocab())
    >>> [(token.text, token.dep_, token.head.text) for token in doc]
    [('Dogs', 'nsubj', 'bark'), ('bark', 'ROOT', 'bark')]
    """
    given = list(sentences)
    words = [form for sentence in given for form in sentence.forms]
    doc = Doc(vocab, words=words, spaces=[space for sentence in given for space in _spaces(sentence)])
    stops = np.cumsum([0, *map(len, given)]).tolist()
    fill(doc, given, [list(range(first, stop)) for first, stop in pairwise(stops)])
    return doc


def from_doc(doc: Doc) -> list[Sentence]:
    """The sentences of a spaCy document, without tokens that are white space.

    >>> from_doc(to_doc([Sentence(["Dogs", "bark"], heads=[2, 0])], Vocab()))[0].heads
    [2, 0]
    """
    result = []
    for span in doc.sents:
        words = [token.i for token in span if not token.is_space]
        if words:
            sentence = _sentence(doc, words)
            numbers = {place: number for number, place in enumerate(words, 1)}
            if doc.has_annotation("DEP"):
                heads = [numbers.get(doc[k].head.i, 0) if doc[k].head.i != k else 0 for k in words]
                deprels = [doc[k].dep_ if doc[k].dep_ != "ROOT" else "root" for k in words]
                sentence = sentence.replace(heads=heads, deprels=[deprel or "_" for deprel in deprels])
            result.append(sentence)
    return result


def _sentence(doc: Doc, words: list[int]) -> Sentence:
    tokens = [doc[k] for k in words]
    return Sentence(
        [form_of(token.text) for token in tokens],
        lemmas=[form_of(token.lemma_) or "_" for token in tokens],
        upos=[token.pos_ or "_" for token in tokens],
        xpos=[token.tag_ or "_" for token in tokens],
        feats=[str(token.morph) or "_" for token in tokens],
        misc=["_" if token.whitespace_ else "SpaceAfter=No" for token in tokens],
    )


def _spaces(sentence: Sentence) -> list[bool]:
    """Whether a space is behind each word; there is none within a multiword token."""
    within = {k for token in sentence.multiwords for k in range(token.start, token.end)}
    ends = {token.end: token.misc for token in sentence.multiwords}
    return [word.id not in within and bool(behind(ends.get(word.id, word.misc))) for word in sentence]


def _written(sentence: Sentence) -> list[list[str]]:
    """The words of each surface token."""
    forms = sentence.forms
    return [
        forms[token.start - 1 : token.end] if isinstance(token, Multiword) else [token.form]
        for token in tokens_of(sentence)
    ]
