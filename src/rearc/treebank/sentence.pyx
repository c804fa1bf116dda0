"""A sentence: columns of shared strings and an array of heads."""

cimport cython
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.string cimport memcpy

import re
from array import array

from rearc.treebank import checks
from rearc.treebank.errors import TreebankError, shown
from rearc.treebank.fields import enhanced, features, surface

cdef tuple COLUMN_NAMES = ("forms", "lemmas", "upos", "xpos", "feats", "deprels", "deps", "misc")
cdef frozenset CHANGEABLE = frozenset(COLUMN_NAMES) | {"heads", "comments", "multiwords", "empties"}
cdef tuple NO_COLUMNS = (None,) * COLUMNS
cdef object SENT_ID = re.compile(r"#[ \t]*sent_id[ \t]*=[ \t]*(.*)", re.DOTALL).fullmatch
cdef object CONFIDENCE = re.compile(r"#[ \t]*confidence[ \t]*=[ \t]*(.*)", re.DOTALL).fullmatch
cdef object TEXT = re.compile(r"#[ \t]*text[ \t]*=[ \t]*(.*)", re.DOTALL).fullmatch


@cython.final
@cython.no_gc  # nothing in a sentence can refer back to it
cdef class Sentence:
    """A sentence of n ≥ 1 words, numbered 1 … n; it does not change.

    The heads of the words form a tree (one that may have several roots); the heads of all or some of them may be unknown, -1.
    A sentence that is read knows its file, line and format. Where the format is conllx or conll2007, deps and misc hold
    that format's last two columns, PHEAD and PDEPREL.

    >>> s = Sentence(["Dogs", "bark"], upos=["NOUN", "VERB"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> s.forms, s.heads, s[1].deprel
    (['Dogs', 'bark'], [2, 0], 'nsubj')
    """

    def __cinit__(self):
        self.format = "conllu"
        self.columns = NO_COLUMNS
        self.multiword_tokens = ()
        self.empty_nodes = ()

    def __dealloc__(self):
        PyMem_Free(self.arcs)

    def __init__(self, forms, *, lemmas=None, upos=None, xpos=None, feats=None, heads=None, deprels=None,
                 deps=None, misc=None, comments=(), multiwords=(), empties=()):
        # First all that may call Python code, which could come back here; then nothing but assignments.
        where = (None, 0)
        forms = checks.words(forms)
        cdef Py_ssize_t n = len(forms)
        columns = checked_columns(where, n, dict(forms=forms, lemmas=lemmas, upos=upos, xpos=xpos, feats=feats,
                                                 deprels=deprels, deps=deps, misc=misc), NO_COLUMNS)
        arcs = checked_heads(where, n, heads)
        comments = checks.comments(where, comments)
        multiwords = checks.multiwords(where, n, multiwords)
        empties = checks.empties(where, n, empties)
        if self.n:
            raise TypeError("a sentence does not change; replace() makes another")
        self.n = n
        self.columns = columns
        self._take_arcs(arcs)
        self.comment_lines, self.multiword_tokens, self.empty_nodes = comments, multiwords, empties

    def replace(self, **changes):
        """A copy with some columns changed; what is unchanged is shared.

        >>> Sentence(["Dogs", "bark"]).replace(heads=[2, 0]).heads
        [2, 0]
        """
        cdef Sentence new = Sentence.__new__(Sentence)
        if not changes.keys() <= CHANGEABLE:
            raise TypeError(f"a sentence has no {min(changes.keys() - CHANGEABLE)!r}")
        where = (self.file, self.line)
        new.n = self.n
        new.format = self.format
        if not changes.keys() & {"comments", "multiwords", "empties"}:  # else the lines get other numbers
            new.file, new.line = where
        new.columns = checked_columns(where, self.n, changes, self.columns)
        if "heads" in changes:
            new._take_arcs(checked_heads(where, self.n, changes["heads"]))
        elif self.arcs != NULL:
            new._copy_arcs(self.arcs)
        new.comment_lines = self.comment_lines
        if "comments" in changes:
            new.comment_lines = checks.comments(where, changes["comments"])
        new.multiword_tokens = checks.multiwords(where, self.n, changes.get("multiwords", self.multiword_tokens))
        new.empty_nodes = checks.empties(where, self.n, changes.get("empties", self.empty_nodes))
        return new

    cdef int _copy_arcs(self, const int32_t* arcs) except -1:
        self.arcs = <int32_t*> PyMem_Malloc((self.n + 1) * sizeof(int32_t))
        if self.arcs == NULL:
            raise MemoryError
        memcpy(self.arcs, arcs, (self.n + 1) * sizeof(int32_t))
        return 0

    cdef void _drop_arcs(self) noexcept:
        PyMem_Free(self.arcs)
        self.arcs = NULL

    cdef int _take_arcs(self, const int32_t[::1] arcs) except -1:
        return 0 if arcs is None else self._copy_arcs(&arcs[0])

    def __len__(self):
        return self.n

    def __getitem__(self, Py_ssize_t index):
        return Word(self, index)

    def __iter__(self):
        for k in range(1, self.n + 1):
            yield Word(self, k)

    def _column(self, name):
        """The strings of a column without copying them, None where all are "_"."""
        return self.columns[COLUMN_NAMES.index(name)]

    cdef list _list(self, int column):
        values = self.columns[column]
        return ["_"] * self.n if values is None else list(values)

    @property
    def forms(self):
        return self._list(FORMS)

    @property
    def lemmas(self):
        return self._list(LEMMAS)

    @property
    def upos(self):
        return self._list(UPOS)

    @property
    def xpos(self):
        return self._list(XPOS)

    @property
    def feats(self):
        return self._list(FEATS)

    @property
    def deprels(self):
        return self._list(DEPRELS)

    @property
    def deps(self):
        return self._list(DEPS)

    @property
    def misc(self):
        return self._list(MISC)

    @property
    def heads(self):
        """The heads of the words 1 … n: 0 is the root, -1 stands where none is annotated."""
        if self.arcs == NULL:
            return [-1] * self.n
        return [self.arcs[k] for k in range(1, self.n + 1)]

    @property
    def tree(self):
        """[0, h(1), …, h(n)] as a new NumPy array: the form that trees, systems and oracles take."""
        import numpy

        cdef int32_t[::1] array
        cdef Py_ssize_t k
        if self.arcs == NULL:
            raise checks.bad((self.file, self.line), "no heads", "a head for each word",
                             "parse the sentence, or read a file that has heads")
        for k in range(1, self.n + 1):
            if self.arcs[k] < 0:
                raise checks.bad((self.file, self._line_of(k)), f"no head of word {k}", "a head for each word",
                                 "parse the sentence with the heads there are (rearc parse --partial), or annotate it")
        result = numpy.empty(self.n + 1, dtype=numpy.int32)
        array = result
        memcpy(&array[0], self.arcs, (self.n + 1) * sizeof(int32_t))
        return result

    @property
    def has_tree(self):
        """Whether every word has a head."""
        cdef Py_ssize_t k
        if self.arcs == NULL:
            return False
        for k in range(1, self.n + 1):
            if self.arcs[k] < 0:
                return False
        return True

    @property
    def has_heads(self):
        """Whether a word has a head; the heads of others may be unknown.

        >>> Sentence(["Dogs", "bark"], heads=[2, -1]).has_heads
        True
        """
        return self.arcs != NULL

    @property
    def comments(self):
        """The comment lines as they stand, with their #."""
        return [] if self.comment_lines is None else self.comment_lines.split("\n")

    @property
    def multiwords(self):
        return list(self.multiword_tokens)

    @property
    def empties(self):
        return list(self.empty_nodes)

    @property
    def sent_id(self):
        """What the comment `# sent_id = …` says, or None."""
        return self._comment(SENT_ID)

    @property
    def confidence(self):
        """How likely all heads are right, which the comment `# confidence = …` says, or None."""
        return number_of(self._comment(CONFIDENCE))

    @property
    def text(self):
        """What the comment `# text = …` says, or else the tokens, put together as SpaceAfter=No says."""
        text = self._comment(TEXT)
        return self._surface() if text is None else text

    def _comment(self, matches):
        for line in self.comments:
            match = matches(line)
            if match:
                return match[1]
        return None

    def _surface(self):
        ranges = {m.start: m for m in self.multiword_tokens}
        tokens = []
        k = 1
        while k <= self.n:
            token = ranges.get(k)
            if token is None:
                tokens.append(Word(self, k))
                k += 1
            else:
                tokens.append(token)
                k = token.end + 1
        return surface(tokens) if self.format == "conllu" else " ".join(self.forms)

    def _line_of(self, Py_ssize_t word):
        """The line of the file in which a word stands, 0 where the sentence is from no file."""
        if not self.line:
            return 0
        before = len(self.comments) + word - 1
        before += sum(1 for m in self.multiword_tokens if m.start <= word)
        return self.line + before + sum(1 for e in self.empty_nodes if e.after < word)

    cdef tuple _content(self):
        return (self.columns, tuple(self.heads), self.comment_lines, self.multiword_tokens, self.empty_nodes)

    def __eq__(self, other):
        if not isinstance(other, Sentence):
            return NotImplemented
        return self._content() == (<Sentence> other)._content()

    def __hash__(self):
        return hash(self._content())

    def __reduce__(self):
        heads = self.heads if self.has_heads else None
        return _restore, (self.columns, self.n, heads, self.comment_lines, self.multiword_tokens,
                          self.empty_nodes, self.file, self.line, self.format)

    def to_conllu(self):
        """The sentence as it stands in a CoNLL-U file, with the blank line behind it.

        >>> print(Sentence(["Dogs", "bark"], heads=[2, 0]).to_conllu().replace("\\t", " "), end="")
        1 Dogs _ _ _ _ 2 _ _ _
        2 bark _ _ _ _ 0 _ _ _
        <BLANKLINE>
        """
        from io import BytesIO

        from rearc.treebank.writer import write

        out = BytesIO()
        write(self, out, format="conllu")
        return out.getvalue().decode("utf-8")

    def __repr__(self):
        return f"<Sentence {shown(self.text)} of {self.n} words>"

    def __str__(self):
        """The tree as `rearc show` draws it; the words where there is none.

        >>> print(Sentence(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"]))
          ┌─► Dogs  nsubj
        ──┴─► bark  root
        """
        from rearc.treebank.drawing import draw_text

        return draw_text(self) if self.has_tree else " ".join(self.forms)

    def _repr_html_(self):
        """The tree as SVG, which notebooks show."""
        from rearc.treebank.drawing import draw_svg

        return draw_svg([self])


cdef tuple checked_columns(where, Py_ssize_t n, changes, unchanged):
    return tuple([
        old if name not in changes else checked_column(where, n, name, changes[name])
        for name, old in zip(COLUMN_NAMES, unchanged, strict=True)
    ])


cdef tuple checked_column(where, Py_ssize_t n, name, values):
    """What checks.column gives, at once where there is nothing to check or all is plain."""
    if values is None:
        return None
    if type(values) is list:
        values = tuple(<list> values)
    if type(values) is tuple and len(<tuple> values) == n and all_plain(<tuple> values):
        for value in <tuple> values:
            if value != "_":
                return values
        return None
    return checks.column(where, n, name, values)


cdef bint all_plain(tuple values) noexcept:
    """Whether all are strings that checks.column would take as they are; a test compares the two."""
    cdef Py_UCS4 c
    for value in values:
        if type(value) is not str or not <str> value:
            return False
        for c in <str> value:
            if c == 9 or c == 10 or c == 13 or c == 0:
                return False
    return True


cdef const int32_t[::1] checked_heads(where, Py_ssize_t n, heads):
    """[0, h(1), …, h(n)] in an array that nobody else has; None where there are no heads."""
    cdef Py_ssize_t k, cycle
    cdef int32_t[::1] arcs, marks
    if heads is None:
        return None
    heads = checks.whole_numbers(where, heads)
    if len(heads) != n:
        raise checks.bad(where, f"{len(heads)} heads", f"{n}, as there are words", "give one for each word")
    if all(head == -1 for head in heads):
        return None
    arcs = array("i", bytes(4 * (n + 1)))
    marks = array("i", bytes(4 * (n + 1)))
    for k, head in enumerate(heads, 1):
        if not -1 <= head <= n:
            raise checks.bad(where, f"the head {head} of word {k}", f"a number from 0 to {n}, or -1 where it is not known",
                             "give the number of a word, or 0 for the root")
        arcs[k] = head
    cycle = word_on_cycle(&arcs[0], n, &marks[0])
    if cycle:
        raise checks.bad(where, f"the cycle {describe_cycle(&arcs[0], cycle)}", "a tree", "break the cycle")
    return arcs


@cython.final
cdef class Word:
    """One word of a sentence: its fields by name.

    >>> word = Sentence(["Dogs", "bark"], heads=[2, 0], feats=["Number=Plur", "_"])[1]
    >>> word.form, word.head, word.features
    ('Dogs', 2, {'Number': 'Plur'})
    """

    cdef readonly Sentence sentence
    cdef readonly Py_ssize_t id

    def __cinit__(self, Sentence sentence not None, Py_ssize_t id):
        if not 1 <= id <= sentence.n:
            raise IndexError(f"words are numbered 1 to {sentence.n}, there is no word {id}")
        self.sentence = sentence
        self.id = id

    def __reduce__(self):
        return Word, (self.sentence, self.id)

    cdef str _field(self, int column):
        values = self.sentence.columns[column]
        return "_" if values is None else values[self.id - 1]

    @property
    def form(self):
        return self._field(FORMS)

    @property
    def lemma(self):
        return self._field(LEMMAS)

    @property
    def upos(self):
        return self._field(UPOS)

    @property
    def xpos(self):
        return self._field(XPOS)

    @property
    def feats(self):
        return self._field(FEATS)

    @property
    def deprel(self):
        return self._field(DEPRELS)

    @property
    def deps(self):
        return self._field(DEPS)

    @property
    def misc(self):
        return self._field(MISC)

    @property
    def confidence(self):
        """How likely the head is right, as Confidence=… in MISC says, or None."""
        return number_of(self._misc("Confidence="))

    @property
    def label_confidence(self):
        """How likely head and label are right, as LabelConfidence=… in MISC says, or None."""
        return number_of(self._misc("LabelConfidence="))

    @property
    def upos_confidence(self):
        """How likely UPOS is right, as UposConfidence=… in MISC says, or None."""
        return number_of(self._misc("UposConfidence="))

    @property
    def xpos_confidence(self):
        """How likely XPOS is right, as XposConfidence=… in MISC says, or None."""
        return number_of(self._misc("XposConfidence="))

    @property
    def feats_confidence(self):
        """How likely FEATS are right, all of them, as FeatsConfidence=… in MISC says, or None."""
        return number_of(self._misc("FeatsConfidence="))

    cdef _misc(self, str name):
        for part in self._field(MISC).split("|"):
            if part.startswith(name):
                return part[len(name):]
        return None

    @property
    def head(self):
        """The number of the head: 0 is the root, -1 stands where none is annotated."""
        return -1 if self.sentence.arcs == NULL else self.sentence.arcs[self.id]

    @property
    def features(self):
        """FEATS as a dictionary."""
        try:
            return features(self.feats)
        except ValueError as error:
            raise self._bad(str(error), self.feats, FEATS, "Name=Value, each name once",
                            "write FEATS as Name=Value|Name=Value") from None

    @property
    def enhanced(self):
        """DEPS as a list of pairs (id of the head, relation)."""
        try:
            return enhanced(self.deps)
        except ValueError as error:
            raise self._bad(str(error), self.deps, DEPS, "head:relation",
                            "write DEPS as head:relation|head:relation") from None

    def _bad(self, part, value, int column, expected, remedy):
        before = [str(self.id), self.form, self.lemma, self.upos, self.xpos]
        if column == DEPS:
            before += [self.feats, "_" if self.head < 0 else str(self.head), self.deprel]
        line = self.sentence._line_of(self.id)
        position = len("\t".join(before)) + 2 + value.find(part)
        return TreebankError(self.sentence.file, line, position, shown(part), expected, remedy)

    def __repr__(self):
        return f"<Word {self.id} {shown(self.form)}>"


def _restore(columns, Py_ssize_t n, heads, str comment_lines, multiwords, empties, str file, Py_ssize_t line, str format not None):
    """A sentence from what `__reduce__` wrote; a pickle may say anything, so all of it is checked."""
    cdef Sentence sentence = Sentence.__new__(Sentence)
    where = (file, line)
    if n < 0 or line < 0:
        raise checks.bad((file, 0), "a pickled sentence that is none", "one that rearc has pickled", "pickle it again")
    sentence.file, sentence.line, sentence.format, sentence.n = file, line, format, n
    sentence.columns = checked_columns(where, n, dict(zip(COLUMN_NAMES, columns, strict=True)), NO_COLUMNS)
    sentence._take_arcs(checked_heads(where, n, heads))
    sentence.comment_lines = checks.comments(where, comment_lines.split("\n") if comment_lines else ())
    sentence.multiword_tokens = checks.multiwords(where, n, multiwords)
    sentence.empty_nodes = checks.empties(where, n, empties)
    return sentence


def attached(sentences, heads, labels, names):
    """The sentences with the trees that a parser has built: heads and numbers of labels over all their words.

    >>> import numpy as np
    >>> [parsed] = attached([Sentence(["Dogs", "bark"])], np.array([2, 0], "i"), np.array([1, 0], "i"), ["root", "nsubj"])
    >>> parsed.heads, parsed.deprels
    ([2, 0], ['nsubj', 'root'])
    """
    cdef Sentence old, new
    cdef Py_ssize_t k, cycle, at = 0, total = 0, longest = 0
    cdef list olds = list(sentences), parsed = [], deprels
    cdef const int32_t[::1] head = heads
    cdef const int32_t[::1] label = labels
    cdef int32_t number
    cdef tuple strings = checks.column((None, 0), len(names), "names of labels", names) or ("_",) * len(names)
    for sentence in olds:
        if type(sentence) is not Sentence:
            raise TypeError(f"found {type(sentence).__name__}, expected a Sentence")
        old = sentence
        total += old.n
        longest = max(longest, old.n)
    if not len(head) == len(label) == total:
        raise ValueError(f"found {len(head)} heads and {len(label)} labels, expected {total}, as there are words")
    cdef int32_t[::1] marks = array("i", bytes(4 * (longest + 1)))
    for old in olds:
        new = Sentence.__new__(Sentence)
        new.file, new.line, new.format, new.n = old.file, old.line, old.format, old.n
        new.comment_lines, new.multiword_tokens, new.empty_nodes = old.comment_lines, old.multiword_tokens, old.empty_nodes
        new.arcs = <int32_t*> PyMem_Malloc((new.n + 1) * sizeof(int32_t))
        if new.arcs == NULL:
            raise MemoryError
        new.arcs[0] = 0
        deprels = []
        for k in range(new.n):
            new.arcs[k + 1], number = head[at + k], label[at + k]
            if not 0 <= new.arcs[k + 1] <= new.n or not 0 <= number < len(strings):
                raise ValueError(f"found the head {new.arcs[k + 1]} and the label {number} of word {k + 1}, "
                                 f"expected a head from 0 to {new.n} and a label below {len(strings)}")
            deprels.append(strings[number])
        cycle = word_on_cycle(new.arcs, new.n, &marks[0])
        if cycle:
            raise ValueError(f"found the cycle {describe_cycle(new.arcs, cycle)}, expected a tree")
        at += new.n
        column = tuple(deprels) if deprels.count("_") < new.n else None
        new.columns = old.columns[:DEPRELS] + (column,) + old.columns[DEPRELS + 1:]
        parsed.append(new)
    return parsed


cdef Py_ssize_t word_on_cycle(const int32_t* arcs, Py_ssize_t n, int32_t* mark) noexcept nogil:
    """The first word from which the heads lead into a cycle, moved onto the cycle; 0 if there is none.

    mark is room for n + 1 numbers: the word from which each was reached first.
    """
    cdef Py_ssize_t start, word
    for word in range(n + 1):
        mark[word] = 0
    for start in range(1, n + 1):
        word = start
        while word > 0 and mark[word] == 0:
            mark[word] = <int32_t> start
            word = arcs[word]
        if word > 0 and mark[word] == start:
            return word
    return 0


cdef object number_of(text):
    """The probability that a text says; None where it is none."""
    try:
        number = None if text is None else float(text)
    except ValueError:
        return None
    return number if number is not None and 0 <= number <= 1 else None


cdef str describe_cycle(const int32_t* arcs, Py_ssize_t word):
    """Such as 3 → 5 → 3."""
    cdef list path = [str(word)]
    cdef Py_ssize_t k = arcs[word]
    while k != word and len(path) < 8:
        path.append(str(k))
        k = arcs[k]
    path.append(str(word) if k == word else "…")
    return " → ".join(path)
