"""The pictures of the documentation, all made by rearc: python docs/pictures.py writes them anew.

tests/test_docs.py makes them again and compares.
"""

from collections.abc import Iterator
from pathlib import Path

import rearc
from rearc.systems import system
from rearc.treebank import sample
from rearc.treebank.drawing import draw_svg

FOLDER = Path(__file__).parent / "pictures"


def pictures() -> dict[str, str]:
    """Every picture by its name."""
    sentences = {sentence.sent_id: sentence for sentence in rearc.read(sample())}
    garden = sentences["sample-4"]
    whole = {"owls.svg": "sample-1", "garden-tree.svg": "sample-4", "tree.svg": "sample-9"}
    made = {name: draw_svg([sentences[sent_id]]) for name, sent_id in whole.items()}
    for name, heads in zip(("garden-before.svg", "garden-after.svg"), change_of_mind(garden), strict=True):
        made[name] = draw_svg([rearc.Sentence(garden.forms, upos=garden.upos, heads=heads)])
    parser = rearc.train(sample(), quick=True)
    made["mine.svg"] = draw_svg(parser("She saw the goat in the garden."))
    return made


def change_of_mind(garden: rearc.Sentence) -> Iterator[list[int]]:
    """The arcs of a trained parser before and after it takes back that Ada mended the sock; -1 is no head yet."""
    parser = rearc.train(sample(), system="covington-nonmonotonic", oracle="upper", only="parser")
    covington = system("covington-nonmonotonic", single_root=True)
    state = covington.start(len(garden))
    sock = garden.forms.index("sock") + 1
    for transition in parser.derivation(garden):
        before = list(state.heads)
        covington.apply(state, transition)
        if before[sock] and state.heads[sock] != before[sock]:
            yield [head or -1 for head in before[1:]]
            yield [head or -1 for head in state.heads[1:]]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        (FOLDER / name).write_text(picture, encoding="utf-8")
        print(FOLDER / name)
