"""Throws mutated files at the reader, led by coverage of the compiled code (needs Linux, gcc, and atheris).

Build rearc once with coverage, then run for ten minutes; the debug hooks of Python's memory watch over its buffers:

    mkdir -p build && gcc -fPIC -O2 -c tests/fuzz/coverage.c -o build/coverage.o
    pip install --no-build-isolation --no-deps --target build/fuzz . \\
        -Csetup-args=-Dc_args="-fsanitize-coverage=trace-pc,trace-cmp -g" \\
        -Csetup-args=-Dc_link_args="$PWD/build/coverage.o"
    PYTHONMALLOC=debug PYTHONPATH=build/fuzz:.:$(python -c "import site; print(site.getsitepackages()[0])") \\
        python -S tests/fuzz/fuzz_reader.py -max_total_time=600 -max_len=4096 build/corpus

(-S, because an editable install would come before PYTHONPATH.)

Without atheris it changes good files at random, so many times (as tests/sanitize does):

    PYTHONPATH=. python tests/fuzz/fuzz_reader.py --blind 20000

Whatever the bytes are, only TreebankError may come, each good sentence must be kept, and none changed.
"""

import ctypes
import functools
import importlib
import io
import os
import random
import sys
from pathlib import Path


def one_input(data: bytes) -> None:
    """The first byte chooses what is done with the others."""
    choice, data = data[0] if data else 0, data[1:]
    if choice % 4:
        nothing_lost(data)
    else:
        format = ("conllx", "conll2007", "tokens", "conllu")[choice // 4 % 4]
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


def seeds() -> dict[str, bytes]:
    """Something good to begin with: the sentences of the sample, alone and in pairs."""
    blocks = [block + b"\n\n" for block in treebank.sample().read_bytes().split(b"\n\n")[:-1]]
    files = {"tokens": b"\x08a b c\nd e\n"}
    for k, block in enumerate(blocks):
        files[f"one-{k}"] = b"\x01" + block
        files[f"two-{k}"] = b"\x01" + block + blocks[k - 1]
        files[f"columns-{k}"] = bytes([4 * k % 256]) + block
    return files


def blind(count: int) -> None:
    """Good files, changed in a few places; the same ones each time."""
    rng, files = random.Random(1), list(seeds().values())
    pieces = [
        b"\n",
        b"\n\n",
        b"\t",
        b"_",
        b"\r\n",
        b"0",
        b"1-2\t",
        b"1.1\t",
        b"#",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\0",
        b"9" * 30,
        b"",
    ]
    for k in range(count):
        data = bytearray(rng.choice(files))
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(data) + 1)
            end = min(len(data), at + rng.choice([0, 0, 1, 5, 50]))
            other = rng.choice(files)
            start = rng.randrange(len(other))
            data[at:end] = rng.choice(
                [rng.choice(pieces), rng.randbytes(1), other[start : start + rng.choice([3, 80])], data[:at][-20:]]
            )
        try:
            one_input(bytes(data))
        except Exception:
            print(f"input {k}: {bytes(data)!r}", file=sys.stderr)
            raise
    print(f"{count:,} files, nothing found")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--blind"]:
        treebank = importlib.import_module("rearc.treebank")
        naive = importlib.import_module("tests.naive.treebank")
        blind(int(sys.argv[2]))
        sys.exit()
    import atheris

    with atheris.instrument_imports(include=["rearc.treebank"]):
        treebank = importlib.import_module("rearc.treebank")
    naive = importlib.import_module("tests.naive.treebank")
    for argument in sys.argv[1:]:
        if not argument.startswith("-"):
            Path(argument).mkdir(parents=True, exist_ok=True)
            for name, data in seeds().items():
                Path(argument, name).write_bytes(data)
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)  # where the compiled code can find libFuzzer
    atheris.Setup(sys.argv, lambda data: (watch_compiled_code(), one_input(data)))
    atheris.Fuzz()
