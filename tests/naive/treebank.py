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


def tidied(data: bytes) -> bytes:
    """The file as it should be, without what a reader passes over that is not strict."""
    data = (data + b"\n" if data and not data.endswith(b"\n") else data).replace(b"\r\n", b"\n")
    blocks: list[list[bytes]] = [[]]
    for line in data.split(b"\n")[:-1]:
        if not blocks[-1]:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line:
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return b"".join(b"\n".join([*lines, b"", b""]) for lines in blocks if lines)
