"""Throws mutated files at the reader, led by coverage of the compiled code (needs Linux, gcc, and atheris).

Build rearc once with coverage, then run for ten minutes; the debug hooks of Python's memory watch over its buffers:

    mkdir -p build && gcc -fPIC -O2 -c tests/fuzz/coverage.c -o build/coverage.o
    pip install --no-build-isolation --no-deps --target build/fuzz . \\
        -Csetup-args=-Dc_args="-fsanitize-coverage=trace-pc,trace-cmp -g" \\
        -Csetup-args=-Dc_link_args="$PWD/build/coverage.o"
    PYTHONMALLOC=debug PYTHONPATH=build/fuzz:.:$(python -c "import site; print(site.getsitepackages()[0])") \\
        python -S tests/fuzz/fuzz_reader.py -max_total_time=600 -max_len=4096 build/corpus

(-S, because an editable install would come before PYTHONPATH.)

Whatever the bytes are, only TreebankError may come, each good sentence must be kept, and none changed.
"""

import ctypes
import functools
import importlib
import io
import os
import sys
from pathlib import Path

import atheris


def one_input(data: bytes) -> None:
    """The first byte chooses what is done with the others."""
    watch_compiled_code()
    choice, data = data[0] if data else 0, data[1:]
    if choice % 4:
        nothing_lost(data)
    else:
        format = ("conllx", "conll2007", "text", "conllu")[choice // 4 % 4]
        encoding = ("utf-8", "latin-1", "gbk", "shift_jis")[choice // 16 % 4]
        columns = {"heads", "deprels"} if choice & 64 else None
        only_treebank_errors(
            data, format=format, encoding=encoding, columns=columns, single_root=choice > 127, on_note=str
        )


@functools.cache
def watch_compiled_code() -> None:
    """Only now, as libFuzzer is loaded when it begins to run."""
    for name in ("blocks", "interning", "reader", "sentence"):
        module = sys.modules[f"rearc.treebank.{name}"]
        if not ctypes.CDLL(str(module.__file__)).watch():
            raise RuntimeError("libFuzzer is not there")


def nothing_lost(data: bytes) -> None:
    errors: list[Exception] = []
    kept = list(treebank.read(io.BytesIO(data), on_invalid=errors.append, strict=True))
    written = [naive.written(sentence) for sentence in kept]
    if written != naive.good_blocks(data):
        raise AssertionError("a good sentence is lost, or a sentence changed")
    if not errors and b"".join(written) != data:
        raise AssertionError("something was repaired in silence")
    for sentence in kept:
        _ = sentence.text, sentence.sent_id, hash(sentence)
        for word in sentence:
            try:
                _ = word.features, word.enhanced
            except treebank.TreebankError as error:
                _ = str(error)


def only_treebank_errors(data: bytes, **options: object) -> None:
    try:
        sentences = list(treebank.read(io.BytesIO(data), **options))
        treebank.write(sentences, io.BytesIO(), format=options["format"])
    except treebank.TreebankError as error:
        _ = str(error)


def seeds(folder: Path) -> None:
    """Something good to begin with: the sentences of the sample, alone and in pairs."""
    folder.mkdir(parents=True, exist_ok=True)
    blocks = [block + b"\n\n" for block in treebank.sample().read_bytes().split(b"\n\n")[:-1]]
    for k, block in enumerate(blocks):
        (folder / f"one-{k}").write_bytes(b"\x01" + block)
        (folder / f"two-{k}").write_bytes(b"\x01" + block + blocks[k - 1])
        (folder / f"columns-{k}").write_bytes(bytes([4 * k % 256]) + block)
    (folder / "text").write_bytes(b"\x08a b c\nd e\n")


if __name__ == "__main__":
    with atheris.instrument_imports(include=["rearc.treebank"]):
        treebank = importlib.import_module("rearc.treebank")
    naive = importlib.import_module("tests.naive.treebank")
    for argument in sys.argv[1:]:
        if not argument.startswith("-"):
            seeds(Path(argument))
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)  # where the compiled code can find libFuzzer
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
