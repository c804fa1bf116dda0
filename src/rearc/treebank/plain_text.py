"""Reading plain text, block by block."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator

from rearc.files.names import File, name_of
from rearc.files.sources import DAMAGE, open_source
from rearc.treebank.errors import TreebankError
from rearc.treebank.formats import codec_of

_BLOCK = 1 << 16
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16", codecs.BOM_UTF8: "utf-8-sig"}


def read_text(
    source: File, *, encoding: str = "utf-8", on_note: Callable[[str], object] | None = None
) -> Iterator[str]:
    """The text of a file in blocks, none of them empty; line ends stay as they are.

    source: a path (.gz and .xz are unpacked), "-" for standard input, or an open binary stream.
    on_note: told of a byte order mark, which is no part of the text; one of UTF-16 says how the text is written.

    >>> import io
    >>> list(read_text(io.BytesIO("Grüße\\r\\n".encode())))
    ['Grüße\\r\\n']
    """
    file = name_of(source, "<stdin>")
    encoding = codec_of(file, encoding)
    stream, ours = open_source(source)
    read = getattr(stream, "read1", None) or stream.read  # which gives what a pipe holds already
    line = 1
    decoder: codecs.IncrementalDecoder | None = None
    begun = b""
    try:
        while True:
            try:
                block = read(_BLOCK)
            except DAMAGE as error:
                raise TreebankError(
                    file, line, 0, f"a stream that cannot be read on ({error})", "bytes up to the end of the file",
                    "restore the file",
                ) from None  # fmt: skip
            if decoder is None:
                begun += block
                if block and len(begun) < 3:  # a mark may follow
                    continue
                block, mark = begun, _mark_of(begun, encoding)
                if mark and on_note is not None:
                    on_note(f"{file}: passed over a byte order mark" + (" of UTF-16" if mark == "utf-16" else ""))
                decoder = codecs.getincrementaldecoder(mark or encoding)("strict")
            try:
                text = decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                before = error.object[: error.start].decode(error.encoding, "replace")
                line += before.count("\n")
                raise TreebankError(
                    file, line, 0, f"the byte 0x{error.object[error.start]:02x}", f"text in {encoding}",
                    "give the encoding that the file has (--encoding), or repair the file",
                ) from None  # fmt: skip
            if text:
                yield text
                line += text.count("\n")
            if not block:
                return
    finally:
        if ours:
            stream.close()


def _mark_of(begin: bytes, encoding: str) -> str | None:
    """The encoding that a byte order mark tells."""
    found = next((codec for mark, codec in _MARKS.items() if begin.startswith(mark)), None)
    return found if encoding == "utf-8" else None


def lines_of(blocks: Iterator[str]) -> Iterator[str]:
    """The lines of a text, with their ends; each as soon as it is there.

    >>> list(lines_of(iter(["one\\ntw", "o\\r\\n", "three"])))
    ['one\\n', 'two\\r\\n', 'three']
    """
    rest: list[str] = []
    for block in blocks:
        first, *others = block.split("\n")
        rest.append(first)
        for line in others:
            yield "".join(rest) + "\n"
            rest = [line]
    if any(rest):
        yield "".join(rest)
