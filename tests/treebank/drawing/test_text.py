import random
from itertools import product

import pytest

from rearc.treebank import Sentence
from rearc.treebank.drawing import draw_lines, draw_text
from rearc.treebank.drawing.grid import arcs_grid
from tests.treebank.drawing.random_trees import non_projective, random_heads
from tests.treebank.drawing.tracer import trace


def drawing(text: str) -> str:
    return text.strip("\n")


def test_projective():
    sentence = Sentence(
        ["The", "dog", "barked", "."],
        upos=["DET", "NOUN", "VERB", "PUNCT"],
        heads=[2, 3, 0, 3],
        deprels=["det", "nsubj", "root", "punct"],
    )
    assert draw_text(sentence) == drawing("""
    ┌─► The     DET    det
  ┌─┴─► dog     NOUN   nsubj
──┼───► barked  VERB   root
  └───► .       PUNCT  punct
""")


def test_non_projective_arcs_are_heavy_and_pass_over_the_others():
    sentence = Sentence(
        ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today", "."],
        heads=[2, 4, 4, 0, 7, 7, 2, 4, 4],
        deprels=["det", "nsubj:pass", "aux:pass", "root", "case", "det", "nmod", "obl:tmod", "punct"],
    )
    assert draw_text(sentence) == drawing("""
    ┌───► A          det
  ┌─╁───► hearing    nsubj:pass
  ├─┃───► is         aux:pass
──┼─┃───► scheduled  root
  │ ┃ ┌─► on         case
  │ ┃ ├─► the        det
  │ ┗━┷━► issue      nmod
  ├─────► today      obl:tmod
  └─────► .          punct
""")


def test_one_word():
    assert draw_text(Sentence(["Hi"], heads=[0], deprels=["root"])) == "──► Hi  root"


def test_several_roots():
    sentence = Sentence(["Yes", "dogs", "bark"], heads=[0, 3, 0], deprels=["root", "nsubj", "root"])
    assert draw_text(sentence) == drawing("""
────► Yes   root
  ┌─► dogs  nsubj
──┴─► bark  root
""")


def test_wide_and_combining_characters_keep_the_columns():
    sentence = Sentence(
        ["我", "看见", "n\u0303a", "!"],
        upos=["PRON", "VERB", "X", "PUNCT"],
        heads=[2, 0, 2, 2],
        deprels=["nsubj", "root", "obj", "punct"],
    )
    assert draw_text(sentence) == drawing("""
  ┌─► 我    PRON   nsubj
──┼─► 看见  VERB   root
  ├─► n\u0303a    X      obj
  └─► !     PUNCT  punct
""")


def test_words_without_heads_are_listed_without_lines():
    assert draw_text(Sentence(["a", "bc"], upos=["X", "Y"])) == "    a   X\n    bc  Y"


def test_part_of_a_tree():
    lines = ["".join(character for character, _ in line) for line in arcs_grid([0, -1, 1, 1, -1, 0], ())]
    assert lines == ["  ┌──", "  ├─►", "  └─►", "     ", "────►"]


def test_control_characters_never_reach_the_terminal():
    sentence = Sentence(["\x1b[31mred", "\x9b2J"], heads=[0, 1], deprels=["root", "\x07"])
    assert not any(character < " " and character != "\n" for character in draw_text(sentence))
    assert "\x9b" not in draw_text(sentence)


def test_pieces_say_what_they_are():
    lines = draw_lines(Sentence(["a", "b", "c"], heads=[0, 0, 1], deprels=["root", "root", "x"]))
    assert ("┗━►", "non-projective") in lines[2]
    assert ("x", "non-projective label") in lines[2]
    assert ("a", "root") in lines[0]


def test_a_cycle_is_refused():
    with pytest.raises(ValueError, match="cycle"):
        arcs_grid([0, 2, 1], ())


def all_forests(n: int) -> list[list[int]]:
    """All heads over n words that form a tree, or a part of one."""

    def acyclic(heads: list[int]) -> bool:
        for word in range(1, n + 1):
            seen = set()
            while word > 0 and word not in seen:
                seen.add(word)
                word = heads[word]
            if word > 0:
                return False
        return True

    return [heads for rest in product(range(n + 1), repeat=n) if acyclic(heads := [0, *rest])]


def check(heads: list[int]) -> None:
    heavy = non_projective(heads)
    lines = ["".join(character for character, _ in line) for line in arcs_grid(heads, heavy)]
    traced, traced_heavy = trace(lines)
    assert traced == heads, "\n".join(lines)
    assert traced_heavy == heavy, "\n".join(lines)
    if not heavy:
        grid = [[cell for cell, _ in line] for line in arcs_grid(heads, heavy)]
        for row, word in zip(grid, range(1, len(heads)), strict=True):
            line = "".join(row)
            assert "│" not in line[len(line) - len(line.lstrip(" │")) :], f"word {word} is crossed in a projective tree"


def test_every_arc_of_every_small_tree_can_be_followed():
    for n in range(1, 6):
        for heads in all_forests(n):
            check(heads)


def test_every_arc_of_random_trees_can_be_followed():
    rng = random.Random(1)
    for _ in range(300):
        check(random_heads(rng.randint(6, 40), rng))


def test_a_long_chain_is_drawn():
    n = 300
    lines = arcs_grid([0, *range(n)], ())
    assert len(lines) == n
    assert trace(["".join(c for c, _ in line) for line in lines])[0] == [0, *range(n)]
