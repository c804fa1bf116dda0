"""What taggers look at, as text.

An atom is an attribute of a word (words.NAMES; u, x, f its UPOS, XPOS, FEATS; t its tag in the column at work) and,
behind a colon, how far the word is away; a template is some atoms joined by +. So s3:-1+s3 is the last three letters of
the word before and of this one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

Atoms = tuple[tuple[str, int], ...]

UPOS = """
w n p1 p2 p3 p4 p5 s1 s2 s3 s4 s5 s6 s7 s8 m r h k a b s3+h s3+k
t:-1 t:-2 t:-2+t:-1 t:-1+n t:-2+n t:-1+s2 t:-1+s3 t:-1+h t:-1+k t:-1+n:-1
t:-1+m t:-1+r t:-1+a t:-2+t:-1+a t:-1+a+a:1 t:-1+s3+b:1
n:-2 n:-1 n:1 n:2 n:-2+n:-1 n:-1+n n+n:1
s2:-1 s3:-1 s2:1 s3:1 s3:-1+s3 s3+s3:1 h:-1 h:1 h:-1+h+h:1
a:1 b:1 a:2 b:2 a+a:1 b+b:1 b:1+b:2 a+b:1+b:2
"""

MORPHOLOGY = """
w n p1 p2 p3 p4 p5 s1 s2 s3 s4 s5 s6 s7 s8 r
u u+w u+n u+p2 u+p3 u+p4 u+p5 u+s1 u+s2 u+s3 u+s4 u+s5 u+s6 u+s7 u+s8 u+m u+r u+h u+k
u:-1+u u+u:1 u:-1+u+u:1 u:-2+u:-1+u u+u:1+u:2 u:-1+u+s3 u+u:1+s3
t:-1 t:-1+u t:-2+u t:-2+t:-1+u t:-1+u:-1+u t:-1+u+s2 t:-1+u+s3
u+n:-1 u+n:1 u+s3:-1 u+s2:1 u+s3:1
"""

LEMMAS = """
u u+w u+n u+p1 u+p2 u+p3 u+p4 u+s1 u+s2 u+s3 u+s4 u+s5 u+s6 u+h u+k u+s1+k u+s2+k u+s3+k u+p1+s2
s1 s2 s3 s4 s5 s6 r u+m u+r u+m+r
u:-1+u u+u:1 u+n:-1 u+n:1
"""

FEATS_SEEN = """
f f+s1 f+s2 f+s3 f+s4 f+s5 f+k f+n
"""

XPOS_SEEN = """
x x+s1 x+s2 x+s3 x+s4 x+n
"""

CLUSTERS = """
c c6 c4 c:-1 c:1 c6:-1 c6:1 c6:-1+c6 c6+c6:1 c4:-1+c4+c4:1 t:-1+c t:-1+c6 t:-1+c6+c6:1
"""

# of scripts whose words have one or two characters: each says much, those of the neighbours too
SHORT = """
p1+s1 p1:1 s1:-1+p1 s1+p1:1
"""

_ATOM = re.compile(r"([a-z]\d?)(?::(-?\d))?")


def templates_for(name: str, earlier: Sequence[str], clusters: bool, short: bool = False) -> str:
    """The templates of a column that can look at the columns before it. short: whether words are.

    >>> templates_for("upos", [], False)[:14]
    'w n p1 p2 p3 p'
    """
    if name == "lemmas":
        text = LEMMAS + FEATS_SEEN * ("feats" in earlier) + XPOS_SEEN * ("xpos" in earlier)
    else:
        text = (MORPHOLOGY if earlier else UPOS + SHORT * short) + CLUSTERS * clusters
    return " ".join(text.split())


def parse_templates(text: str) -> list[Atoms]:
    """Templates as names and distances.

    >>> parse_templates("w s3:-1+s3")
    [(('w', 0),), (('s3', -1), ('s3', 0))]
    """
    templates = []
    for template in text.split():
        matches = [_ATOM.fullmatch(atom) for atom in template.split("+")]
        if not all(matches):
            raise ValueError(f"found the template {template[:40]!r}, expected atoms such as s3:-1 joined by +")
        templates.append(tuple((match[1], int(match[2] or 0)) for match in matches if match))
    return templates
