"""Running the command, and small files to run it on."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rearc
from rearc.treebank import sample

Run = Callable[..., subprocess.CompletedProcess[str]]

HEARING = """\
# sent_id = hearing
# text = A hearing is scheduled on the issue today.
1\tA\ta\tDET\tDT\tDefinite=Ind|PronType=Art\t2\tdet\t_\t_
2\thearing\thearing\tNOUN\tNN\tNumber=Sing\t4\tnsubj:pass\t_\t_
3\tis\tbe\tAUX\tVBZ\t_\t4\taux:pass\t_\t_
4\tscheduled\tschedule\tVERB\tVBN\t_\t0\troot\t_\t_
5\ton\ton\tADP\tIN\t_\t7\tcase\t_\t_
6\tthe\tthe\tDET\tDT\tDefinite=Def|PronType=Art\t7\tdet\t_\t_
7\tissue\tissue\tNOUN\tNN\tNumber=Sing\t2\tnmod\t_\t_
8\ttoday\ttoday\tNOUN\tNN\tNumber=Sing\t4\tobl:tmod\t_\tSpaceAfter=No
9\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

"""
CANNOT = """\
# sent_id = cannot
1-2\tCannot\t_\t_\t_\t_\t_\t_\t_\t_
1\tCan\tcan\tAUX\tMD\t_\t3\taux\t_\t_
2\tnot\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_
3.1\tyou\tyou\tPRON\tPRP\t_\t_\t_\t3:nsubj\t_

"""
TWO_ROOTS = """\
1\tyes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_
2\tsir\tsir\tNOUN\tNN\tNumber=Sing\t0\troot\t_\t_

"""


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    """Three sentences: one non-projective, one with a multiword token and an empty node, one with two roots."""
    path = tmp_path / "small.conllu"
    path.write_text(HEARING + CANNOT + TWO_ROOTS, encoding="utf-8")
    return path


@pytest.fixture
def long_treebank(tmp_path: Path) -> Path:
    """More than a pipe holds."""
    path = tmp_path / "long.conllu"
    path.write_text(HEARING * 2000, encoding="utf-8")
    return path


@pytest.fixture
def predicted(tmp_path: Path) -> Path:
    """The same words as in `treebank` with 3 wrong heads, one of them with a wrong label as well, of 14 words."""
    text = HEARING + CANNOT + TWO_ROOTS
    text = text.replace(
        "7\tissue\tissue\tNOUN\tNN\tNumber=Sing\t2\tnmod", "7\tissue\tissue\tNOUN\tNN\tNumber=Sing\t4\tobl"
    )
    text = text.replace("2\tnot\tnot\tPART\tRB\t_\t3", "2\tnot\tnot\tPART\tRB\t_\t1")
    text = text.replace("2\tsir\tsir\tNOUN\tNN\tNumber=Sing\t0", "2\tsir\tsir\tNOUN\tNN\tNumber=Sing\t1")
    path = tmp_path / "predicted.conllu"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def whole_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that finds sentences and words in raw text, tags and parses them."""
    path = tmp_path_factory.mktemp("whole") / "m.rearc"
    rearc.train(sample(), system="arc-hybrid", epochs=2).save(path)
    return path


@pytest.fixture(scope="session")
def model_without_segmenter(whole_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model, but raw text means nothing to it."""
    path = tmp_path_factory.mktemp("without") / "m.rearc"
    parser = rearc.load(whole_model)
    rearc.Parser(parser._model, parser.tagger).save(path)
    return path


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run `rearc` as a user does: in a process of its own, with no terminal."""

    def rearc(*arguments: object, input: str | bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            command(*arguments),
            input=input.encode() if isinstance(input, str) else input,
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, **environment},
            timeout=60,
            check=False,
        )
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return rearc


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "rearc", *map(str, arguments)]
