"""Tokens, words and sentences as spans of the text, and the alignment of two segmentations of one text.

The definitions are those of the CoNLL 2018 shared task (Zeman et al. 2018): spaces do not count,
a token is a span of the remaining characters, and tokens are the same if their spans are. Words are aligned
as their tokens are, except around multiword tokens, where the words have no spans of their own: there the
words are aligned by a longest common subsequence of their lower-cased forms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rearc.treebank import Sentence

# The characters of Unicode category Zs: inside a token on one side, they may be between tokens on the other.
ZS = "\u0020\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_WITHOUT_SPACES = str.maketrans("", "", ZS)

Span = tuple[int, int]  # first character, first character after it


@dataclass(slots=True)
class Segmentation:
    """One side: its characters without spaces, and what it says are the sentences, tokens and words in
    them."""

    pieces: list[str] = field(default_factory=list)  # the tokens, without spaces
    sentences: list[Span] = field(default_factory=list)
    tokens: list[Span] = field(default_factory=list)
    words: list[Span] = field(default_factory=list)  # of a word in a multiword token: the span of that
    in_multiword: list[bool] = field(default_factory=list)
    forms: list[str] = field(default_factory=list)  # lower-cased
    length: int = 0

    def add(self, sentence: Sentence) -> int:
        """Append a sentence. Returns the number of a word whose form is nothing but spaces, or 0 if all is
        well."""
        begin = self.length
        multiwords = {multiword.start: multiword for multiword in sentence.multiwords}
        forms = sentence.forms
        k = 1
        while k <= len(forms):
            multiword = multiwords.get(k)
            form = multiword.form if multiword else forms[k - 1]
            form = form.translate(_WITHOUT_SPACES)
            if not form:
                return k
            span = (self.length, self.length + len(form))
            self.length = span[1]
            self.pieces.append(form)
            self.tokens.append(span)
            if multiword:
                inside = forms[k - 1 : multiword.end]
                self.words += [span] * len(inside)
                self.in_multiword += [True] * len(inside)
                self.forms += map(str.lower, inside)
                k = multiword.end + 1
            else:
                self.words.append(span)
                self.in_multiword.append(False)
                self.forms.append(form.lower())
                k += 1
        self.sentences.append((begin, self.length))
        return 0


def align(gold: Segmentation, system: Segmentation) -> list[tuple[int, int]]:
    """The pairs (word of gold, word of system) that are the same word, from left to right."""
    aligned: list[tuple[int, int]] = []
    g = s = 0
    while g < len(gold.words) and s < len(system.words):
        if gold.in_multiword[g] or system.in_multiword[s]:
            first_g, first_s, g, s = _multiword_region(gold, system, g, s)
            common = _common_subsequence(gold.forms[first_g:g], system.forms[first_s:s])
            aligned += [(first_g + i, first_s + j) for i, j in common]
            continue
        here, there = gold.words[g], system.words[s]
        if here == there:
            aligned.append((g, s))
            g += 1
            s += 1
        elif here[0] <= there[0]:
            g += 1
        else:
            s += 1
    return aligned


def _multiword_region(gold: Segmentation, system: Segmentation, g: int, s: int) -> tuple[int, int, int, int]:
    """The words gold[i:k] and system[j:l] around the multiword token at g or s, as (i, j, k, l).

    The region is the smallest one out of which no multiword token of either side sticks. Words are taken in
    the order of their first characters, gold before system, until both sides have come to its end. Like the
    official script, and unlike the definition, it skips at most one word that begins before the region, and
    takes a word that sticks out of it if one inside follows on the other side: the scores would differ else.
    """
    if gold.in_multiword[g]:
        end = gold.words[g][1]
        s += not system.in_multiword[s] and system.words[s][0] < gold.words[g][0]
    else:
        end = system.words[s][1]
        g += gold.words[g][0] < system.words[s][0]
    first_g, first_s = g, s
    while _inside(gold, g, end) or _inside(system, s, end):
        gold_next = g < len(gold.words) and (s >= len(system.words) or gold.words[g][0] <= system.words[s][0])
        side, k = (gold, g) if gold_next else (system, s)
        if side.in_multiword[k]:
            end = max(end, side.words[k][1])
        g += gold_next
        s += not gold_next
    return first_g, first_s, g, s


def _inside(side: Segmentation, k: int, end: int) -> bool:
    """Does word k belong to a region up to `end`? A multiword token does if it begins there, as it widens
    it."""
    if k >= len(side.words):
        return False
    begin, after = side.words[k]
    return begin < end if side.in_multiword[k] else after <= end


def _common_subsequence(xs: Sequence[str], ys: Sequence[str]) -> list[tuple[int, int]]:
    """The positions of a longest common subsequence; of several, the one that matches greedily from the left
    and, where neither side must go first, skips in `xs`."""
    longest = [[0] * (len(ys) + 1) for _ in range(len(xs) + 1)]
    for i in range(len(xs) - 1, -1, -1):
        for j in range(len(ys) - 1, -1, -1):
            if xs[i] == ys[j]:
                longest[i][j] = longest[i + 1][j + 1] + 1
            else:
                longest[i][j] = max(longest[i + 1][j], longest[i][j + 1])
    matches = []
    i = j = 0
    while i < len(xs) and j < len(ys):
        if xs[i] == ys[j]:
            matches.append((i, j))
            i += 1
            j += 1
        elif longest[i][j] == longest[i + 1][j]:
            i += 1
        else:
            j += 1
    return matches
