"""Which sentences a reader must find in a damaged file, told the slow and simple way."""

import io

from rearc.treebank import Sentence, TreebankError, read, write


def closed_blocks(data: bytes) -> list[bytes]:
    """The stretches of lines that an empty line closes."""
    blocks: list[bytes] = []
    lines: list[bytes] = []
    for line in data.split(b"\n")[:-1]:
        if line in (b"", b"\r"):
            if lines and line == b"":
                blocks.append(b"\n".join([*lines, b"", b""]))
            lines = []
        else:
            lines.append(line)
    return blocks


def written(sentence: Sentence) -> bytes:
    """A sentence as the writer writes it."""
    out = io.BytesIO()
    write([sentence], out)
    return out.getvalue()


def good_blocks(data: bytes) -> list[bytes]:
    """The blocks that make a good file when they stand alone."""
    good = []
    for block in closed_blocks(data):
        try:
            good += [written(sentence) for sentence in read(io.BytesIO(block), strict=True)]
        except TreebankError:
            continue
    return good
