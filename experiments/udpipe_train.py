"""UDPipe 1 trained on a treebank, to stand beside rearc: its tokenizer, tagger and parser, in one model or in several.

    python udpipe_train.py TREEBANK MODEL.udpipe                           all three
    python udpipe_train.py TREEBANK MODEL.udpipe --parser none             tokenizer and tagger
    python udpipe_train.py TREEBANK MODEL.udpipe --tokenizer none --tagger none

TREEBANK is a folder with train.conllu and dev.conllu. Options are UDPipe's own, separated by semicolons. A treebank
that says nothing of spaces is given those that its script has, as rearc sees them. Prints the CPU seconds.

Needs `pip install ufal.udpipe`. It trains faster when it is built for one's own processor:
CXXFLAGS="-O3 -march=native -ffast-math" pip install --no-binary ufal.udpipe ufal.udpipe
"""

import argparse
import time
from pathlib import Path
from typing import Any

import ufal.udpipe as ud

from rearc.segment.gold import pieces_of
from rearc.treebank import Sentence, read


def with_spaces(sentences: list[Sentence]) -> list[Sentence]:
    """With SpaceAfter=No where a treebank that is silent of spaces is taken to have none."""
    if any("Space" in misc for s in sentences for misc in s.misc):
        return sentences
    told = zip(sentences, pieces_of(sentences), strict=True)
    return [s.replace(misc=["_" if spaces else "SpaceAfter=No" for _, spaces in pieces]) for s, pieces in told]


def load(path: Path) -> Any:
    sentences, form, error = ud.Sentences(), ud.InputFormat.newConlluInputFormat(), ud.ProcessingError()
    form.setText("".join(s.to_conllu() for s in with_spaces(list(read(path)))))
    sentence = ud.Sentence()
    while form.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = ud.Sentence()
    if error.occurred():
        raise SystemExit(f"{path}: {error.message}")
    return sentences


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--tokenizer", default="epochs=20;early_stopping=1")
    parser.add_argument("--tagger", default="iterations=10")
    parser.add_argument(
        "--parser", default="transition_system=projective;transition_oracle=dynamic;structured_interval=8;iterations=10"
    )
    options = parser.parse_args()
    train, dev = (load(options.treebank / f"{part}.conllu") for part in ("train", "dev"))
    error, begin = ud.ProcessingError(), time.process_time()
    model = ud.Trainer.train(
        "morphodita_parsito", train, dev, options.tokenizer, options.tagger, options.parser, error
    )  # fmt: skip
    if error.occurred():
        raise SystemExit(f"{options.treebank}: {error.message}")
    options.model.write_bytes(model.encode("utf-8", "surrogateescape") if isinstance(model, str) else bytes(model))
    print(f"{options.model}: {time.process_time() - begin:.0f} CPU s")


if __name__ == "__main__":
    main()
