"""Reading treebanks."""

cimport cython
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport int32_t

import re
import warnings
from _thread import RLock

from rearc.treebank.blocks cimport LINE_LIMIT, SENTENCE_LIMIT, Blocks
from rearc.treebank.interning cimport Strings
from rearc.treebank.scanning cimport EMPTY, NONE, RANGE, WORD, Id, identify, is_blank, number
from rearc.treebank.sentence cimport COLUMNS, DEPRELS, DEPS, FEATS, FORMS, LEMMAS, MISC, UPOS, XPOS
from rearc.treebank.sentence cimport Sentence, describe_cycle, word_on_cycle

from rearc.treebank.blocks import CARRIAGE_RETURN
from rearc.treebank.errors import TreebankError, TreebankWarning, shown
from rearc.treebank.fields import Empty, Multiword
from rearc.files.names import name_of
from rearc.treebank.formats import codec_of, format_to_read
from rearc.treebank.notes import note
from rearc.treebank.objects import fields_of
from rearc.files.sources import open_source

cdef enum:
    FIELDS = 10
    ID = 0
    HEAD = 6
    DEPREL = 7

cdef int[COLUMNS] FIELD_OF  # where each column of strings stands in a line
FIELD_OF[:] = [1, 2, 3, 4, 5, 7, 8, 9]

cdef dict PLACES = {"forms": FORMS, "lemmas": LEMMAS, "upos": UPOS, "xpos": XPOS, "feats": FEATS,
                    "deprels": DEPRELS, "deps": DEPS, "misc": MISC}
cdef frozenset NAMES = frozenset(PLACES) | {"heads", "comments", "multiwords", "empties"}
cdef object NO_BREAK = re.compile("[\xa0\u202f]")
cdef object GAPS = re.compile("[ \t\xa0\u202f]+")  # between the words of a text that is read without being strict


def read(source, *, format=None, encoding="utf-8", single_root=False, on_invalid=None, columns=None, strict=False,
         need_trees=True, on_note=None):
    """The sentences of a treebank, one after the other.

    source: a path (.gz and .xz are unpacked), "-" for standard input, or an open binary stream.
    format: "conllu", "conllx", "conll2007", "tokens" (a sentence a line, words separated by spaces) or "json" (an
        object a line, see docs/formats.md); None goes by the name of the file.
    single_root: refuse trees with more than one root.
    on_invalid: called with the TreebankError of each bad sentence, and reading goes on behind it; None raises it.
    columns: the only ones to keep, such as {"heads", "deprels"}; the others read as "_". Heads that are not kept need
        not make a tree.
    strict: refuse what is passed over else: byte order marks, carriage returns at line ends, superfluous blank lines,
        a missing end of the last line or sentence, and in texts runs of spaces, tabs and non-breaking spaces. UTF-16
        with its byte order mark is read in place of UTF-8, and refused when strict.
    need_trees: refuse heads that make no tree; False leaves out the heads of such a sentence.
    on_note: called once, at the end, with a line that says what was passed over, if anything; None makes it a
        TreebankWarning.

    A line may have a mebibyte, and a sentence sixteen. Threads may share a reader: each sentence goes to one of them.

    >>> from rearc.treebank import read, sample
    >>> next(read(sample())).heads
    [2, 0, 2, 5, 2, 2]
    """
    file = name_of(source, "<stdin>")
    format = format_to_read(file, format)
    encoding = codec_of(file, encoding)
    columns = NAMES if columns is None else frozenset(columns)
    if not columns <= NAMES:
        raise TreebankError(file, 0, 0, f"the column {sorted(columns - NAMES)[0]!r}",
                            f"one of {', '.join(sorted(NAMES))}", "choose from these columns")
    stream, ours = open_source(source)
    return Reader(stream, ours, file, format, encoding, single_root, on_invalid, columns, strict, need_trees, on_note)


@cython.final
cdef class Reader:
    """An iterator over the sentences of a stream. Any number of threads may ask it for the next one."""

    cdef object stream, on_invalid, on_note, acquire, release
    cdef bint at_work  # so that what it calls itself, such as the stream, cannot ask it for a sentence
    cdef readonly str file
    cdef str format, encoding
    cdef bint ours, single_root, conllu, json, all_kept, heads_kept, comments_kept, multiwords_kept, empties_kept
    cdef bint strict, need_trees, heads_read
    cdef dict passed_over  # what this class passes over, and how often
    cdef bint[COLUMNS] kept
    cdef Blocks blocks
    cdef Strings strings
    # The sentence in hand. Where the fields of each line begin, and where the line behind them begins
    cdef Py_ssize_t words, room
    cdef int32_t* cuts
    cdef int32_t* heads
    cdef int32_t* marks

    def __cinit__(self, stream, ours, file, format, encoding, single_root, on_invalid, columns, strict, need_trees,
                  on_note):
        lock = RLock()
        self.acquire, self.release = lock.acquire, lock.release
        self.passed_over = {}
        self.strict = strict
        self.need_trees = need_trees
        self.on_note = on_note
        self.stream = stream
        self.ours = ours
        self.file = file
        self.format = format
        self.encoding = encoding
        self.single_root = single_root
        self.on_invalid = on_invalid
        self.conllu = format == "conllu"
        self.all_kept = columns == NAMES
        for name, place in PLACES.items():
            self.kept[<int> place] = name in columns
        self.heads_kept = "heads" in columns
        self.heads_read = self.heads_kept or single_root
        self.comments_kept = "comments" in columns
        self.multiwords_kept = "multiwords" in columns
        self.empties_kept = "empties" in columns
        self.strings = Strings(encoding)
        # read1 gives what a pipe holds already, where read would wait for a whole block
        read = getattr(stream, "read1", None) or stream.read
        self.json = format == "json"
        self.blocks = Blocks(read, file, encoding, format in ("tokens", "json"), strict,
                             SENTENCE_LIMIT if self.json else LINE_LIMIT)

    def __dealloc__(self):
        PyMem_Free(self.cuts)
        PyMem_Free(self.heads)
        PyMem_Free(self.marks)

    def __iter__(self):
        return self

    def __next__(self):
        cdef Sentence sentence
        cdef bint done
        while True:
            self.acquire()
            if self.at_work:
                self.release()
                raise ValueError("this reader is at work already: what it reads from may not ask it for sentences")
            if self.stream is None:
                self.release()
                raise StopIteration
            self.at_work = True
            sentence = invalid = None
            try:
                done = not self.blocks.advance()
                if done:
                    self._close()
                else:
                    if not self.blocks.lines_only:
                        sentence = self._sentence()
                    else:
                        sentence = self._object() if self.json else self._tokens()
            except TreebankError as error:
                if self.on_invalid is None:
                    self._close()
                    raise
                invalid = error
            finally:
                self.at_work = False
                self.release()
            if sentence is not None:
                return sentence
            if invalid is not None:
                self.on_invalid(invalid)
            elif done:
                self._say_what_was_passed_over()
                raise StopIteration

    cdef int _say_what_was_passed_over(self) except -1:
        message = self._note()
        if message and self.on_note is None:
            warnings.warn(message, TreebankWarning)
        elif message:
            self.on_note(message)
        return 0

    cdef str _note(self):
        return note(self.file, {
            "utf16": self.blocks.decoder is not None,
            "marks": self.blocks.marks,
            "returns": self.blocks.returns,
            "blank_lines": self.blocks.blank_lines,
            "no_line_end": self.blocks.no_line_end,
            "no_blank_line": self.blocks.no_blank_line,
            **self.passed_over,
        })

    cdef int _pass_over(self, str what, Py_ssize_t count) except -1:
        if count:
            self.passed_over[what] = self.passed_over.get(what, 0) + count
        return 0

    cdef int _close(self) except -1:
        if self.ours and self.stream is not None:
            self.stream.close()
        self.stream = None
        return 0

    cdef Sentence _new(self, Py_ssize_t n):
        cdef Sentence sentence = Sentence.__new__(Sentence)
        sentence.n = n
        sentence.file = self.file
        sentence.line = self.blocks.first_line
        sentence.format = self.format
        return sentence

    # One sentence a line ---------------------------------------------------------------------------------------------

    cdef Sentence _tokens(self):
        cdef const char* text = self.blocks.text
        cdef Py_ssize_t at, start = 0
        cdef unsigned char c
        cdef list forms = []
        cdef unsigned char seen = 0
        self._check_bom()
        for at in range(self.blocks.length):
            c = <unsigned char> text[at]
            seen |= c
            if c > 32:
                continue
            if c == c" " or c == c"\n":
                if at == start:
                    if not self.strict:
                        return self._loose_tokens()
                    raise self._error(at, "an empty word", "words separated by single spaces",
                                      "take out the superfluous space")
                try:
                    forms.append(self.strings.get(text + start, at - start))
                except UnicodeError as error:
                    raise self._undecodable(start, error) from None
                start = at + 1
            elif c == c"\t" and not self.strict:
                return self._loose_tokens()
            elif c == 0 or c == c"\r" or c == c"\t":
                raise self._control(at, c)
        if seen >= 128 and not self.strict and NO_BREAK.search(self._decoded(0, self.blocks.length)):
            return self._loose_tokens()
        return self._words(forms)

    cdef Sentence _loose_tokens(self):
        """A line whose words are not separated by single spaces alone; None where it has no words."""
        cdef bytes data = self.blocks.text[:self.blocks.length - 1]
        cdef str line
        for at, c in enumerate(data):
            if c == 0 or c == c"\r":
                raise self._control(at, c)
        if data.count(b"\t") == FIELDS - 1 and data[:1].isdigit():
            raise self._error(0, f"{FIELDS} columns", "a sentence, its words separated by spaces",
                              "read the file as conllu or conllx (--format conllu)")
        line = self._decoded(0, len(data))
        forms = [form for form in GAPS.split(line) if form]
        if not forms:
            self.blocks.blank_lines += 1
            return None
        needed = sum(" " in gap for gap in GAPS.findall(line.strip(" \t\xa0\u202f")))
        self._pass_over("spaces", line.count(" ") - needed)
        self._pass_over("tabs", line.count("\t"))
        self._pass_over("no_break", len(NO_BREAK.findall(line)))
        return self._words(forms)

    cdef Sentence _words(self, list forms):
        cdef Sentence sentence = self._new(len(forms))
        keep = self.kept[FORMS] and forms != ["_"] * len(forms)
        sentence.columns = ((tuple(forms) if keep else None), None, None, None, None, None, None, None)
        return sentence

    # One object a line -----------------------------------------------------------------------------------------------

    cdef Sentence _object(self):
        """A sentence written as JSON; None for a blank line."""
        cdef Sentence sentence
        cdef str line = self._decoded(0, self.blocks.length - 1)
        if not line.strip():
            self.blocks.blank_lines += 1
            return None
        try:
            fields = fields_of(line)
            if not self.heads_read:
                del fields["heads"]
            try:
                sentence = Sentence(**fields)
            except TreebankError:
                if self.need_trees or not self.heads_read:
                    raise
                sentence = Sentence(**fields | {"heads": None})
                self._pass_over("trees", 1)
        except TreebankError as error:
            raise TreebankError(self.file, self.blocks.first_line, error.column, error.found, error.expected,
                                error.remedy) from None
        roots = sentence.heads.count(0)
        if self.single_root and roots > 1:
            raise self._error(-1, f"{roots} roots", "one root", "attach the other roots, or allow several")
        sentence.file, sentence.line = self.file, self.blocks.first_line
        sentence.columns = tuple([
            values if self.kept[place] else None for place, values in enumerate(sentence.columns)
        ])
        if not self.heads_kept:
            sentence._drop_arcs()
        if not self.comments_kept:
            sentence.comment_lines = None
        if not self.multiwords_kept:
            sentence.multiword_tokens = ()
        if not self.empties_kept:
            sentence.empty_nodes = ()
        return sentence

    # Ten columns -----------------------------------------------------------------------------------------------------

    cdef Sentence _sentence(self):
        cdef const char* text = self.blocks.text
        cdef Py_ssize_t at, head, word = 1, range_start = 0, range_end = 0, empty_index = 0
        cdef Py_ssize_t headless = 0, roots = 0, highest = 0
        cdef bint odd = False  # whether there is a head that is neither a number nor _
        cdef int32_t* cut
        cdef Id token
        cdef list multiwords = [], empties = []
        cdef Sentence sentence

        self._check_bom()
        at = self._comments_end()
        comments = self._decoded(0, at - 1) if at else None
        while at < self.blocks.length:
            if word + 1 >= self.room:
                self._grow()
            cut = self.cuts + word * (FIELDS + 1)
            at = self._cut(at, cut)
            token = identify(text + cut[ID], cut[ID + 1] - 1 - cut[ID])
            if token.kind == WORD and token.first == word:
                head = number(text + cut[HEAD], cut[HEAD + 1] - 1 - cut[HEAD]) if self.heads_read else -1
                if head > highest:
                    highest = head
                elif head == 0:
                    roots += 1
                elif head < 0:
                    headless += 1
                    if self.heads_read and not is_blank(text, cut, HEAD):
                        if self.need_trees:
                            raise self._error(cut[HEAD], f"the head {self._shown(cut, HEAD)}", "a number or _",
                                              "give the id of the head, or 0 for the root")
                        odd = True
                self.heads[word] = <int32_t> head
                word += 1
                empty_index = 0
            elif (token.kind == RANGE and self.conllu and token.first == word
                    and token.second >= word and range_end < word):
                range_start = word
                range_end = token.second
                if self.multiwords_kept:
                    multiwords.append(Multiword(word, range_end, *self._fields(cut)))
            elif (token.kind == EMPTY and self.conllu and token.first == word - 1
                    and token.second == empty_index + 1 and range_start != word):
                empty_index += 1
                if self.empties_kept:
                    empties.append(Empty(word - 1, empty_index, *self._fields(cut)))
            else:
                raise self._bad_id(cut, token, word, empty_index, range_end)
        self.words = word - 1
        if range_end > self.words:
            raise self._error(self._token_start(range_start), f"a multiword token up to word {range_end}",
                              f"one up to word {self.words} at most", "correct the range, or add the missing words")
        if self.words == 0:
            raise self._error(-1, "a sentence without words", "at least one word", "leave it out, or add its words")
        if odd or not self._check_heads(headless, highest, roots):
            headless = self.words
            self._pass_over("trees", 1)

        sentence = self._new(self.words)
        if self.heads_kept and headless < self.words:
            sentence._copy_arcs(self.heads)
        sentence.columns = (self._column(FORMS), self._column(LEMMAS), self._column(UPOS), self._column(XPOS),
                            self._column(FEATS), self._column(DEPRELS), self._column(DEPS), self._column(MISC))
        sentence.comment_lines = comments if self.comments_kept else None
        sentence.multiword_tokens = tuple(multiwords)
        sentence.empty_nodes = tuple(empties)
        return sentence

    cdef int _grow(self) except -1:
        cdef Py_ssize_t room = 2 * self.room + 256
        cdef void* memory
        memory = PyMem_Realloc(self.cuts, room * (FIELDS + 1) * sizeof(int32_t))
        if memory == NULL:
            raise MemoryError
        self.cuts = <int32_t*> memory
        memory = PyMem_Realloc(self.heads, room * sizeof(int32_t))
        if memory == NULL:
            raise MemoryError
        self.heads = <int32_t*> memory
        memory = PyMem_Realloc(self.marks, room * sizeof(int32_t))
        if memory == NULL:
            raise MemoryError
        self.marks = <int32_t*> memory
        self.heads[0] = 0
        self.room = room
        return 0

    cdef Py_ssize_t _comments_end(self) except -1:
        """Where the first line behind the comments begins."""
        cdef const char* text = self.blocks.text
        cdef Py_ssize_t at = 0
        cdef unsigned char c
        while at < self.blocks.length and text[at] == c"#":
            if not self.conllu:
                raise self._error(at, "a comment", "a word: this format has no comments", "read the file as conllu")
            while text[at] != c"\n":
                c = <unsigned char> text[at]
                if c == 0 or c == c"\r":
                    raise self._control(at, c)
                at += 1
            at += 1
        return at

    cdef Py_ssize_t _cut(self, Py_ssize_t at, int32_t* cut) except -1:
        """Cut a line into its ten fields: their beginnings, and the beginning of the next line, which is returned."""
        cdef const char* text = self.blocks.text
        cdef Py_ssize_t start = at
        cdef int field = 0
        cdef unsigned char c, seen = 0
        if text[at] == c"#":
            raise self._error(at, "a comment", "a word or a blank line",
                              "move the comment above the first word, or put a blank line before it")
        cut[0] = <int32_t> at
        while True:
            c = <unsigned char> text[at]
            if c > 13:
                seen |= c
            elif c == c"\t" or c == c"\n":
                if at == cut[field] and (self.heads_read or (field != HEAD and field != DEPREL)):
                    raise self._error(at, "an empty field", "text or _", "write _ where there is nothing")
                field += 1
                if field == FIELDS and c == c"\t":
                    raise self._wrong_width(start, at + 1)
                cut[field] = <int32_t> at + 1
                if c == c"\n":
                    break
            elif c == 0 or c == c"\r":
                raise self._control(at, c)
            at += 1
        if field < FIELDS:
            raise self._wrong_width(start, at)
        if seen >= 128 and not self.all_kept:
            self._decoded(start, at)
        return at + 1

    cdef bint _check_heads(self, Py_ssize_t headless, Py_ssize_t highest, Py_ssize_t roots) except -1:
        """Whether the heads form a tree, or a part of one where some words have none; what has to be a tree, and is none, is an error."""
        if headless == self.words:
            return True
        try:
            self._check_tree(highest, roots, headless)
        except TreebankError:
            if self.need_trees:
                raise
            return False
        return True

    cdef int _check_tree(self, Py_ssize_t highest, Py_ssize_t roots, Py_ssize_t headless) except -1:
        cdef Py_ssize_t k, cycle
        if highest > self.words:
            for k in range(1, self.words + 1):
                if self.heads[k] > self.words:
                    raise self._error(
                        self._head_start(k), f"the head {self._shown(self.cuts + k * (FIELDS + 1), HEAD)}",
                        f"a number from 0 to {self.words}", "give the id of a word of this sentence, or 0 for the root")
        if roots == 0 and headless == 0:
            raise self._error(-1, "no root", "at least one word whose head is 0", "give the root the head 0")
        cycle = word_on_cycle(self.heads, self.words, self.marks)
        if cycle:
            raise self._error(self._head_start(cycle), f"the cycle {describe_cycle(self.heads, cycle)}", "a tree",
                              "correct one of these heads")
        if roots > 1 and self.single_root:
            found = [k for k in range(1, self.words + 1) if self.heads[k] == 0]
            raise self._error(self._head_start(found[1]), f"{roots} roots, the first two being words "
                              f"{found[0]} and {found[1]}", "one root", "attach the other roots, or allow several")
        return 0

    cdef tuple _column(self, int column):
        """The strings of a column, None where all are "_"."""
        cdef const char* text = self.blocks.text
        cdef int field = FIELD_OF[column]
        cdef int32_t* cut = self.cuts
        cdef Py_ssize_t k
        cdef tuple values
        cdef str value
        if not self.kept[column]:
            return None
        for k in range(1, self.words + 1):
            if not is_blank(text, self.cuts + k * (FIELDS + 1), field):
                break
        else:
            return None
        values = PyTuple_New(self.words)
        for k in range(self.words):
            cut += FIELDS + 1
            if is_blank(text, cut, field):
                value = "_"
            else:
                try:
                    value = self.strings.get(text + cut[field], cut[field + 1] - 1 - cut[field])
                except UnicodeError as error:
                    raise self._undecodable(cut[field], error) from None
            Py_INCREF(value)
            PyTuple_SET_ITEM(values, k, value)
        return values

    cdef list _fields(self, int32_t* cut):
        """The fields FORM … MISC of a token that is no word."""
        cdef int field
        return [self._decoded(cut[field], cut[field + 1] - 1) or "_" for field in range(1, FIELDS)]

    cdef str _decoded(self, Py_ssize_t start, Py_ssize_t end):
        try:
            return self.strings.decode(self.blocks.text + start, end - start)
        except UnicodeError as error:
            raise self._undecodable(start, error) from None

    # What is wrong ---------------------------------------------------------------------------------------------------

    cdef object _error(self, Py_ssize_t at, str found, str expected, str remedy, bint plain=False):
        """An error at an offset in the sentence; -1 means the sentence as a whole. `plain`: it is no treebank at all."""
        cdef const char* text = self.blocks.text
        cdef Py_ssize_t k, line = self.blocks.first_line, column = 0, line_start = 0
        if at >= 0:
            for k in range(at):
                if text[k] == c"\n":
                    line += 1
                    line_start = k + 1
            column = len(text[line_start:at].decode(self.encoding, "replace")) + 1
        if self.blocks.no_line_end and not plain:
            remedy += "; the file has no line end at its end and may have been cut off"
        return TreebankError(self.file, line, column, found, expected, remedy)

    cdef str _shown(self, int32_t* cut, int field):
        return shown(self.blocks.text[cut[field]:cut[field + 1] - 1].decode(self.encoding, "replace"))

    cdef Py_ssize_t _head_start(self, Py_ssize_t word):
        return self.cuts[word * (FIELDS + 1) + HEAD]

    cdef Py_ssize_t _token_start(self, Py_ssize_t word):
        """Where the line of the multiword token that begins with a word begins."""
        cdef bytes text = self.blocks.text[:self.blocks.length]
        return (b"\n" + text).index(b"\n%d-" % word)

    cdef int _check_bom(self) except -1:
        cdef const char* text = self.blocks.text
        if <unsigned char> text[0] < 0xEF:
            return 0
        if text[:min(3, self.blocks.length)] != b"\xef\xbb\xbf":
            return 0
        if self.encoding == "utf-8":
            raise self._error(0, "a byte order mark", "the first character of the line",
                              "take the three bytes out: tail -c +4 FILE")
        if self.blocks.first_line == 1:
            raise self._error(0, "the byte order mark of UTF-8", f"text in {self.encoding}",
                              "read the file as utf-8, or take the three bytes out: tail -c +4 FILE")
        return 0

    cdef object _control(self, Py_ssize_t at, unsigned char c):
        if c == c"\r":
            found, expected, remedy = CARRIAGE_RETURN
            return self._error(at, found, expected, remedy)
        if c == c"\t":
            return self._error(at, "a tab", "words separated by single spaces",
                               "if the file has columns, read it as conllu or conllx")
        return self._error(at, "a NUL byte", "text", "check the encoding of the file, and that it is not damaged")

    cdef object _undecodable(self, Py_ssize_t start, error):
        at = start + getattr(error, "start", 0)
        byte = <unsigned char> self.blocks.text[at]
        return self._error(at, f"the byte 0x{byte:02x}", f"text in {self.encoding}",
                           "give the encoding that the file has, or repair the file")

    cdef object _wrong_width(self, Py_ssize_t start, Py_ssize_t at):
        cdef bytes line = self.blocks.text[start:self.blocks.length].split(b"\n", 1)[0]
        cdef Py_ssize_t width = line.count(b"\t") + 1
        cdef bint plain = width == 1
        remedy = "add or take out columns, with _ for empty ones"
        if plain:
            remedy = "separate the columns by tabs; plain text is for rearc parse --format text, words alone have the format tokens"
        return self._error(at, f"{width} column" + ("s" if width > 1 else ""), f"{FIELDS} columns", remedy, plain)

    cdef object _bad_id(self, int32_t* cut, Id token, Py_ssize_t word, Py_ssize_t empty_index, Py_ssize_t range_end):
        found = f"the id {self._shown(cut, ID)}"
        expected = f"the id '{word}'"
        remedy = "number the words 1, 2, 3 …"
        if token.kind == NONE:
            remedy += ", without signs, spaces or leading zeros"
        elif token.kind != WORD and not self.conllu:
            remedy = "this format has only words; read the file as conllu"
        elif token.kind == RANGE:
            if token.first <= range_end:
                expected = f"a range from word {range_end + 1} on"
                remedy = "multiword tokens may not overlap"
            elif token.first == word:
                expected = f"a range from {word} upwards"
                remedy = "give the first and the last word of the multiword token"
            else:
                remedy = "put a multiword token right before its first word"
        elif token.kind == EMPTY:
            expected += f" or '{word - 1}.{empty_index + 1}'"
            remedy = "put empty nodes right behind their word, numbered 1, 2, 3 …"
        return self._error(cut[ID], found, expected, remedy)
