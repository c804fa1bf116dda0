"""Cutting a stream of bytes into sentences, with bounded memory and in one pass."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.string cimport memchr, memcmp, memcpy, memmove

from codecs import getincrementaldecoder

from rearc.treebank.errors import TreebankError
from rearc.files.sources import DAMAGE

cdef enum:
    BLOCK = 1 << 18


cdef class Blocks:
    """Gives one stretch of lines after the other: up to a blank line, or each line for itself (lines_only).

    What is wrong with the cutting itself is raised by advance(); called again it goes on behind the bad stretch.
    Unless it is strict, byte order marks, the carriage returns of line ends, superfluous blank lines and a missing end
    are passed over and counted.
    """

    def __cinit__(self, read, str file, str encoding, bint lines_only, bint strict, Py_ssize_t line_limit=LINE_LIMIT):
        self.stream_read = read
        self.file = file
        self.encoding = encoding
        self.in_utf8 = encoding == "utf-8"
        self.lines_only = lines_only
        self.strict = strict
        self.line_limit = line_limit
        self.line = 1
        self.data = NULL

    def __dealloc__(self):
        PyMem_Free(self.data)

    cdef bint advance(self) except -1:
        """Find the next stretch; False at the end of the file."""
        cdef Py_ssize_t length
        cdef bint carriage_return
        if self.skip_line or self.skip_sentence:
            self._skip()
        self.start = self.scan
        self.first_line = self.line
        while self._next_line() or self._close_last():
            if self.scan == self.start and not self.strict:
                self._pass_mark()
            length = self.searched - self.scan
            carriage_return = length == 1 and self.data[self.scan] == c"\r"
            if length == 0 or carriage_return:
                if self.scan == self.start:
                    self._pass_line()
                    self.start = self.scan
                    self.first_line = self.line
                    if not self.strict and not carriage_return:
                        self.blank_lines += 1
                    elif not self.in_blank_run:
                        self.in_blank_run = True
                        raise self._blank_line(carriage_return)
                    continue
                self._give()
                self._pass_line()
                if carriage_return:
                    raise self._carriage_return(self.text, self.length + 1, self.first_line)
                return True
            self._pass_line()
            self.in_blank_run = False
            if self.lines_only:
                self._give()
                return True
            if self.scan - self.start > SENTENCE_LIMIT:
                self.skip_sentence = True
                raise self._error(
                    self.first_line, 0, f"a sentence of more than {SENTENCE_LIMIT:,} bytes", "a shorter one",
                    "put a blank line after each sentence")
        if self.damage is not None:
            error, self.damage = self.damage, None
            self.scan = self.end
            raise error
        if self.start < self.end:
            error = self._unfinished()
            self.scan = self.end
            raise error
        if not self.any_bytes:
            self.any_bytes = True  # say it once
            raise self._error(1, 1, "an empty file", "at least one sentence", "check how the file was made")
        return False

    cdef bint _close_last(self) except -1:
        """End the last line and the last sentence as they should be, once; False where there is nothing to end."""
        if self.strict or self.damage is not None or self.start == self.end:
            return False
        self.no_line_end = self.scan < self.end
        self.no_blank_line = not self.no_line_end
        if not self.lines_only:
            self._append(b"\n\n", 2 if self.no_line_end else 1)
        elif self.no_line_end:
            self._append(b"\n", 1)
        return self._next_line()

    cdef void _pass_mark(self) noexcept:
        """Pass over a byte order mark at the start of a stretch."""
        if (self.searched - self.scan >= 3 and memcmp(self.data + self.scan, b"\xef\xbb\xbf", 3) == 0
                and self.in_utf8):
            self.scan += 3
            self.start = self.scan
            self.marks += 1

    cdef void _give(self) noexcept:
        self.text = self.data + self.start
        self.length = self.scan - self.start

    cdef void _pass_line(self) noexcept:
        self.scan = self.searched + 1
        self.searched = self.scan
        self.line += 1

    cdef bint _next_line(self) except -1:
        """Find the line feed of the line that begins at `scan` (`searched` gets there); False at the end."""
        cdef void* found
        while True:
            found = memchr(self.data + self.searched, c"\n", self.end - self.searched) if self.data != NULL else NULL
            self.searched = self.end if found == NULL else <char*> found - self.data
            if self.searched - self.scan > self.line_limit:
                self.skip_line = True
                self.skip_sentence = not self.lines_only
                raise self._error(
                    self.line, self._characters(self.data + self.scan, self.line_limit) + 1,
                    f"a line of more than {self.line_limit:,} bytes", "a shorter one",
                    "check that the file is a treebank, and one in the right format")
            if found != NULL:
                return True
            if not self._fill():
                return False

    cdef int _skip(self) except -1:
        """Drop the rest of a bad line, and of the sentence it stands in."""
        cdef void* found
        cdef Py_ssize_t length
        self.searched = self.scan
        while self.skip_line or self.skip_sentence:
            found = memchr(self.data + self.scan, c"\n", self.end - self.scan)
            if found == NULL:
                if self.end - self.scan > 1:  # so the line is not blank, and the rest of it is of no interest
                    self.skip_line = True
                    self.scan = self.end
                self.start = self.searched = self.scan
                if not self._fill():
                    self.scan = self.searched = self.end
                    self.skip_line = self.skip_sentence = False
                continue
            self.searched = <char*> found - self.data
            length = self.searched - self.scan
            if not self.skip_line and (length == 0 or (length == 1 and self.data[self.scan] == c"\r")):
                self.skip_sentence = False
            self.skip_line = False
            self._pass_line()
        return 0

    cdef bint _fill(self) except -1:
        """Read another block; False at the end of the stream, or where it is damaged."""
        if self.at_end:
            return False
        PyErr_CheckSignals()    # an interrupt that came while no Python ran would wait for this read, which may wait for ever
        try:
            block = self._read()
        except DAMAGE as error:
            return self._damaged(f"a stream that cannot be read on ({error})",
                                 "restore the file; all sentences before this line are whole")
        if not isinstance(block, bytes):
            return self._damaged(f"a stream of {type(block).__name__}",
                                 "open the file in binary mode ('rb'), or give its name")
        if PyBytes_GET_SIZE(block) == 0:
            self.at_end = True
            return False
        if not self.any_bytes:
            self.any_bytes = True
            if block[:2] in (b"\xff\xfe", b"\xfe\xff"):
                return self._utf16(block)
        self._append(PyBytes_AS_STRING(block), PyBytes_GET_SIZE(block))
        return True

    cdef object _read(self):
        """Another block, in the encoding that the file should have; no bytes at the end."""
        block = self.stream_read(BLOCK)
        if self.decoder is None:
            while not self.any_bytes and block in (b"\xff", b"\xfe"):  # the first half of a mark, or all there is
                more = self.stream_read(BLOCK)
                block += more
                if not more:
                    break
            return block
        while block:
            text = self.decoder.decode(block)
            if text:
                return text.encode()
            block = self.stream_read(BLOCK)
        return self.decoder.decode(block, final=True).encode()

    cdef bint _utf16(self, block) except -1:
        """Take up a file that begins with the byte order mark of UTF-16, or refuse it."""
        if self.strict or not self.in_utf8:
            self.at_end = True
            self.damage = self._error(1, 1, "the byte order mark of UTF-16", f"text in {self.encoding}",
                                      "convert the file first: iconv -f UTF-16 -t UTF-8")
            return False
        self.decoder = getincrementaldecoder("utf-16")()
        try:
            block = self.decoder.decode(block).encode()
        except UnicodeError as error:
            return self._damaged(f"a stream that cannot be read on ({error})", "restore the file")
        self._append(PyBytes_AS_STRING(block), PyBytes_GET_SIZE(block))
        return True

    cdef bint _damaged(self, str found, str remedy) except -1:
        self.at_end = self.any_bytes = True
        self.damage = self._error(self.line, 0, found, "bytes up to the end of the file", remedy)
        return False

    cdef int _append(self, const char* text, Py_ssize_t length) except -1:
        """Add to the end of the buffer: dropping what is done with if that is much, else growing it."""
        cdef Py_ssize_t capacity
        cdef char* data
        if self.end + length > self.capacity and self.start > self.capacity // 2:
            memmove(self.data, self.data + self.start, self.end - self.start)
            self.scan -= self.start
            self.searched -= self.start
            self.end -= self.start
            self.start = 0
        if self.end + length > self.capacity:
            capacity = 2 * (self.end + length)
            data = <char*> PyMem_Realloc(self.data, capacity)
            if data == NULL:
                raise MemoryError
            self.data = data
            self.capacity = capacity
        if self.strict:
            memcpy(self.data + self.end, text, length)
            self.end += length
        else:
            self._append_lines(text, length)
        return 0

    cdef void _append_lines(self, const char* text, Py_ssize_t length) noexcept:
        """Add to the buffer, which has room for it, all but the carriage returns right before line feeds."""
        cdef const char* found
        cdef Py_ssize_t stretch
        if length and text[0] == c"\n" and self.end > self.scan and self.data[self.end - 1] == c"\r":
            self.end -= 1
            self.searched = min(self.searched, self.end)
            self.returns += 1
        while length:
            found = <const char*> memchr(text, c"\r", length)
            stretch = length if found == NULL else found - text
            if found != NULL and (stretch + 1 == length or found[1] != c"\n"):
                stretch += 1  # it ends no line, or what follows is not here yet
                found = NULL
            memcpy(self.data + self.end, text, stretch)
            self.end += stretch
            if found != NULL:
                stretch += 1
                self.returns += 1
            text += stretch
            length -= stretch

    cdef object _blank_line(self, bint carriage_return):
        if carriage_return:
            return self._carriage_return(b"\r", 1, self.line - 1)
        return self._error(
            self.line - 1, 1, "a superfluous blank line", "a sentence",
            "leave the line out" if self.lines_only else "put exactly one blank line after each sentence")

    cdef object _unfinished(self):
        cdef Py_ssize_t rest = self.end - self.scan
        if memchr(self.data + self.start, c"\r", self.end - self.start) != NULL:
            return self._carriage_return(self.data + self.start, self.end - self.start, self.first_line)
        if rest:
            return self._error(
                self.line, self._characters(self.data + self.scan, rest) + 1, "the end of the file", "a line end",
                "the file may have been cut off; if this is all, end it with a line end"
                + ("" if self.lines_only else " and a blank line"))
        return self._error(
            self.line, 1, "the end of the file", "a blank line after the last sentence",
            "the file may have been cut off; if this is all, end it with a blank line")

    cdef object _carriage_return(self, const char* text, Py_ssize_t length, Py_ssize_t first_line):
        """The error for the first carriage return in a text, which has one."""
        cdef Py_ssize_t line_start = 0, k = 0
        while k < length and text[k] != c"\r":
            if text[k] == c"\n":
                first_line += 1
                line_start = k + 1
            k += 1
        found, expected, remedy = CARRIAGE_RETURN
        return self._error(first_line, self._characters(text + line_start, k - line_start) + 1, found, expected, remedy)

    cdef Py_ssize_t _characters(self, const char* text, Py_ssize_t length) except -1:
        return len(text[:length].decode(self.encoding, "replace"))

    cdef object _error(self, Py_ssize_t line, Py_ssize_t column, found, expected, remedy):
        return TreebankError(self.file, line, column, found, expected, remedy)


CARRIAGE_RETURN = ("a carriage return", "lines that end in a line feed alone",
                   "convert the line ends: tr -d '\\r', or dos2unix")
