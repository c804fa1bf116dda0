"""The container: a plain zip file for others, and for us one of which every byte counts."""

import random
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rearc.files.tensors import decode_tensors, encode_tensors
from rearc.parser import ModelError
from rearc.parser.container import ALIGNMENT, read_container, write_container
from rearc.parser.model import read_model

MEMBERS = {"a.json": [b"{}"], "empty": [], "παύλα": [b"x" * 1000, b"y" * 999]}


@pytest.fixture
def container(tmp_path: Path) -> Path:
    write_container(tmp_path / "c.rearc", MEMBERS)
    return tmp_path / "c.rearc"


def test_a_round_trip(container: Path):
    members = read_container(container)
    assert {name: bytes(data) for name, data in members.items()} == {n: b"".join(d) for n, d in MEMBERS.items()}


def test_others_read_it_as_a_zip_file(container: Path):
    with zipfile.ZipFile(container) as witness:
        assert witness.testzip() is None
        assert {name: witness.read(name) for name in witness.namelist()} == {
            name: b"".join(data) for name, data in MEMBERS.items()
        }
        for entry in witness.infolist():
            assert entry.compress_type == zipfile.ZIP_STORED
            with container.open("rb") as stream:
                stream.seek(entry.header_offset + 26)
                name, extra = (int.from_bytes(stream.read(2), "little") for _ in range(2))
            assert (entry.header_offset + 30 + name + extra) % ALIGNMENT == 0


def test_the_same_members_give_the_same_bytes(container: Path, tmp_path: Path):
    write_container(tmp_path / "again", {name: [b"".join(data)] for name, data in MEMBERS.items()})
    assert (tmp_path / "again").read_bytes() == container.read_bytes()


def test_every_byte_counts(tiny: Path, tmp_path: Path):
    good = tiny.read_bytes()
    damaged = tmp_path / "damaged.rearc"
    damaged.write_bytes(good)
    rng = random.Random(7)
    begin, end = range(1200), range(len(good) - 300, len(good))
    with damaged.open("r+b", buffering=0) as stream:
        for position in [*begin, *end, *rng.sample(range(len(good)), 1500)]:
            stream.seek(position)
            stream.write(bytes([good[position] ^ 1 << rng.randrange(8)]))
            with pytest.raises(ModelError, match=r"damaged\.rearc: found .*, expected .*; "):
                read_model(damaged)
            stream.seek(position)
            stream.write(good[position : position + 1])
    assert read_model(damaged)


def test_every_truncation_and_whatever_is_added(tiny: Path, tmp_path: Path):
    good = tiny.read_bytes()
    damaged = tmp_path / "damaged.rearc"
    for length in [*range(200), *range(200, len(good), len(good) // 200), *range(len(good) - 200, len(good))]:
        damaged.write_bytes(good[:length])
        with pytest.raises(ModelError):
            read_model(damaged)
    for added in (b"\0", good, b"PK\x05\x06" + bytes(18)):
        for bad in (good + added, added + good):
            damaged.write_bytes(bad)
            with pytest.raises(ModelError):
                read_model(damaged)


def test_zip_files_of_other_tools_are_refused(tiny: Path, tmp_path: Path):
    packed = tmp_path / "packed.rearc"
    with zipfile.ZipFile(tiny) as source, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, source.read(name))
    with pytest.raises(ModelError, match="damaged or incomplete"):
        read_model(packed)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "an empty file"),
        (b"hello world", "b'hello wo' at its beginning"),
        (b"\x80\x04\x95", "at its beginning"),
        (b"PK\x03\x04", "a damaged or incomplete file"),
        (b"PK\x03\x04" + bytes(100), "a damaged or incomplete file"),
        (b"PK\x05\x06" + bytes(18), "at its beginning"),
    ],
)
def test_foreign_files(content: bytes, found: str, tmp_path: Path):
    path = tmp_path / "foreign.rearc"
    path.write_bytes(content)
    with pytest.raises(ModelError) as caught:
        read_container(path)
    assert found in str(caught.value)


def test_what_is_no_file(tmp_path: Path):
    for path, found in (
        (tmp_path, "a directory"),
        (tmp_path / "no", "no such file"),
        (Path("/dev/zero"), "regular"),
    ):
        with pytest.raises(ModelError, match=found):
            read_container(path)


def test_a_size_in_the_directory_is_not_believed(container: Path):
    """Nothing is allocated by what a damaged directory says."""
    good = container.read_bytes()
    at = good.index(b"PK\x01\x02")
    bad = bytearray(good)
    bad[at + 20 : at + 28] = b"\xff" * 8
    container.write_bytes(bad)
    with pytest.raises(ModelError):
        read_container(container)


@given(st.binary(max_size=400))
def test_any_bytes_are_refused_or_are_a_container(data: bytes):
    path = Path(f"/dev/shm/rearc-{id(data)}") if Path("/dev/shm").is_dir() else None
    if path is None:
        pytest.skip("no /dev/shm for a quick file")
    try:
        path.write_bytes(b"PK\x03\x04" + data)
        with pytest.raises(ModelError):
            read_container(path)
    finally:
        path.unlink()


# Tensors ----------------------------------------------------------------------------------------------------

ARRAYS = {
    "z.keys": np.array([1, 2**64 - 1], dtype=np.uint64),
    "a": np.arange(6, dtype=np.int16).reshape(2, 3),
    "none": np.zeros((0, 4), dtype=np.float32),
    "odd": np.array([True, False, True]).view(np.uint8),
    "sums": np.array([[0.5, -1e300]]),
}


def test_another_library_reads_our_tensors_and_we_read_its_own():
    witness = pytest.importorskip("safetensors.numpy")
    ours = b"".join(encode_tensors(ARRAYS))
    theirs = witness.load(ours)
    assert theirs.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert theirs[name].dtype == array.dtype
        assert np.array_equal(theirs[name], array)
    for data in (ours, witness.save(ARRAYS)):
        back = decode_tensors(data)
        assert back.keys() == ARRAYS.keys()
        assert all(np.array_equal(back[name], array) and back[name].flags.aligned for name, array in ARRAYS.items())


@pytest.mark.parametrize(
    "table",
    [
        "[]",
        "{",
        "3",
        '{"a": 3}',
        '{"a": {}}',
        '{"a": {"dtype": "I16", "shape": [2], "data_offsets": [0, 5]}}',
        '{"a": {"dtype": "I16", "shape": [2], "data_offsets": [2, 6]}}',
        '{"a": {"dtype": "I16", "shape": [3], "data_offsets": [0, 4]}}',
        '{"a": {"dtype": "I16", "shape": [-2], "data_offsets": [0, 4]}}',
        '{"a": {"dtype": "I16", "shape": [2.0], "data_offsets": [0, 4]}}',
        '{"a": {"dtype": "I16", "shape": 2, "data_offsets": [0, 4]}}',
        '{"a": {"dtype": "Q16", "shape": [2], "data_offsets": [0, 4]}}',
        '{"a": {"dtype": ["I16"], "shape": [2], "data_offsets": [0, 4]}}',
        '{"a": {"dtype": "I8", "shape": [18446744073709551616], "data_offsets": [0, 18446744073709551616]}}',
        '{"a": {"dtype": "I8", "shape": [0, 99999999999999999999], "data_offsets": [0, 0]}}',
        '{"a": {"dtype": "I8", "shape": [1], "data_offsets": [0, 1]}}',
        "[" * 100_000,
    ],
)
def test_bad_tables_of_tensors(table: str):
    text = table.encode()
    with pytest.raises(ValueError, match=r".") as caught:
        decode_tensors(len(text).to_bytes(8, "little") + text + bytes(4))
    assert not isinstance(caught.value, UnicodeDecodeError)


@pytest.mark.parametrize("data", [b"", b"\0" * 7, b"\xff" * 8, b"\xff" * 100, (1 << 40).to_bytes(8, "little")])
def test_bad_sizes_of_tensors(data: bytes):
    with pytest.raises(ValueError, match="bytes"):
        decode_tensors(data)


def test_unzip_is_content(tiny: Path):
    try:
        done = subprocess.run(["unzip", "-t", str(tiny)], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("no unzip on this machine")
    assert done.returncode == 0, done.stdout
