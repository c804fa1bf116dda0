"""Segmenters and texts to try them with."""

from functools import cache

from hypothesis import strategies as st

from rearc.segment import Segmenter
from rearc.treebank import Multiword, Sentence, read, sample

ODD = (
    "ab A.B,1 2!?\n\r\t\0\x85\u2028\u2029\u00a0\u3000\u200b\ufeff😀👍🏽👩\u200d👧🇩🇪é\u0301中文字的，。،۔"
    "שלום\ud800\udc00()[]\"'«»-–_|\\/@#:;…%"
)
SAMPLES = [
    "Dr. Smith can't come.",
    "http://a.b/c?d=e",
    "me@home.org",
    "don't",
    "1 000",
    "…",
    "A.B.",
    "\r\n",
    "\n\n",
    " ",
]

texts = st.lists(st.sampled_from([*ODD, *SAMPLES]) | st.characters(), max_size=40).map("".join)


@cache
def segmenter() -> Segmenter:
    return Segmenter.train(read(sample()))


@cache
def chinese() -> Segmenter:
    """Of a treebank that tells nothing of spaces."""
    words = [["我", "的", "中文", "书", "。"], ["他", "的", "书", "是", "中文", "的", "。"], ["中文", "书", "？"]]
    return Segmenter.train([Sentence(forms) for forms in words * 5])


@cache
def french() -> Segmenter:
    """With spaces within tokens, and a multiword token."""
    sentences = [
        Sentence(["Il", "y", "a", "1 000", "chats", "."], misc=["_", "_", "_", "_", "SpaceAfter=No", "_"]),
        Sentence(["En", "1998", ",", "200", "chats", "."], misc=["_", "SpaceAfter=No", "_", "_", "SpaceAfter=No", "_"]),
        Sentence(
            ["Le", "chat", "de", "le", "roi", "."],
            misc=["_", "_", "_", "_", "SpaceAfter=No", "_"],
            multiwords=[Multiword(3, 4, "du")],
        ),
    ]
    return Segmenter.train(sentences * 8)
