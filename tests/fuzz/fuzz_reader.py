"""Throws mutated files at the reader, led by coverage of the compiled code (needs Linux, gcc, and atheris).

Build rearc once with coverage and the address sanitizer, then run for ten minutes:

    gcc -fPIC -O2 -c tests/fuzz/coverage.c -o build/coverage.o
    pip install --no-build-isolation --no-deps --target build/fuzz . \\
        -Csetup-args=-Dc_args="-fsanitize=address -fsanitize-coverage=trace-pc,trace-cmp -g" \\
        -Csetup-args=-Dc_link_args="$PWD/build/coverage.o -fsanitize=address"
    LD_PRELOAD=$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=build/fuzz:. \\
        python tests/fuzz/fuzz_reader.py -max_total_time=600 -max_len=4096 build/corpus

Whatever the bytes are, only TreebankError may come, each good sentence must be kept, and none changed.
"""

import io
import os
import sys
from pathlib import Path

sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)  # so that the compiled code finds libFuzzer
import atheris  # noqa: E402

with atheris.instrument_imports(include=["rearc.treebank"]):
    from rearc.treebank import TreebankError, read, sample, write

from tests.naive.treebank import good_blocks, written  # noqa: E402


def one_input(data: bytes) -> None:
    """The first byte chooses what is done with the others."""
    choice, data = data[0] if data else 0, data[1:]
    if choice % 4:
        errors: list[TreebankError] = []
        kept = list(read(io.BytesIO(data), on_invalid=errors.append))
        if [written(sentence) for sentence in kept] != good_blocks(data):
            raise AssertionError("a good sentence is lost, or a sentence changed")
        if not errors and b"".join(map(written, kept)) != data:
            raise AssertionError("something was repaired in silence")
        for sentence in kept:
            for word in sentence:
                try:
                    _ = word.features, word.enhanced
                except TreebankError as error:
                    _ = str(error)
            _ = sentence.text, sentence.sent_id, hash(sentence)
    else:
        format = ("conllx", "conll2007", "text", "conllu")[choice // 4 % 4]
        encoding = ("utf-8", "latin-1", "gbk", "shift_jis")[choice // 16 % 4]
        columns = {"heads", "deprels"} if choice & 64 else None
        reader = read(io.BytesIO(data), format=format, encoding=encoding, columns=columns, single_root=choice > 127)
        try:
            sentences = list(reader)
            write(sentences, io.BytesIO(), format=format, encoding="utf-8")
        except TreebankError as error:
            _ = str(error)


def seeds(folder: Path) -> None:
    """Something good to begin with: the sentences of the sample, alone and in pairs."""
    folder.mkdir(parents=True, exist_ok=True)
    blocks = [block + b"\n\n" for block in sample().read_bytes().split(b"\n\n")[:-1]]
    for k, block in enumerate(blocks):
        (folder / f"one-{k}").write_bytes(b"\x01" + block)
        (folder / f"two-{k}").write_bytes(b"\x01" + block + blocks[k - 1])
        (folder / f"columns-{k}").write_bytes(bytes([4 * k % 256]) + block)
    (folder / "text").write_bytes(b"\x08a b c\nd e\n")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        if not argument.startswith("-"):
            seeds(Path(argument))
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
