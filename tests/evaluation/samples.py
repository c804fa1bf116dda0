"""Sentences to score: random ones, and ways to spoil given ones.

A sentence is a list of tokens here, a token its form and its words, a word its fields and its head, which is
a word or None for the root: so that words can be taken apart and put together without counting.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from rearc.treebank import Sentence

LABELS = [
    "nsubj",
    "nsubj:pass",
    "obj",
    "obl",
    "det",
    "case",
    "aux",
    "aux:pass",
    "cc",
    "mark",
    "cop",
    "punct",
    "conj",
]
TAGS = ["NOUN", "VERB", "PUNCT", "DET", "AUX"]
FEATURES = [
    "_",
    "Number=Sing",
    "Number=Plur",
    "Case=Nom|Number=Sing",
    "Number=Sing|Case=Nom",
    "Typo=Yes",
    "Foo=Bar",
]
LEMMAS = ["_", "a", "b", "A"]


@dataclass(eq=False)
class Word:
    form: str
    head: Word | None = None
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(eq=False)
class Token:
    form: str
    words: list[Word]


Tokens = list[Token]


def tokens(sentence: Sentence) -> Tokens:
    words = [
        Word(
            word.form,
            fields={
                "lemmas": word.lemma,
                "upos": word.upos,
                "xpos": word.xpos,
                "feats": word.feats,
                "deprels": word.deprel,
            },
        )
        for word in sentence
    ]
    for word, head in zip(words, sentence.heads, strict=True):
        word.head = words[head - 1] if head else None
    made: Tokens = []
    ends = {m.start: m for m in sentence.multiwords}
    k = 1
    while k <= len(words):
        if k in ends:
            made.append(Token(ends[k].form, words[k - 1 : ends[k].end]))
            k = ends[k].end + 1
        else:
            made.append(Token(words[k - 1].form, [words[k - 1]]))
            k += 1
    return made


def is_multiword(token: Token) -> bool:
    return len(token.words) > 1 or token.words[0].form != token.form


def sentence(made: Tokens) -> Sentence:
    words = [word for token in made for word in token.words]
    numbers = {id(word): k for k, word in enumerate(words, start=1)}
    multiwords = [
        (numbers[id(token.words[0])], numbers[id(token.words[-1])], token.form) for token in made if is_multiword(token)
    ]
    return Sentence(
        [word.form for word in words],
        heads=[numbers[id(word.head)] if word.head else 0 for word in words],
        multiwords=multiwords,
        **{
            name: [word.fields.get(name, "_") for word in words]
            for name in ("lemmas", "upos", "xpos", "feats", "deprels")
        },
    )


def conllu(sentences: list[Sentence]) -> str:
    """The sentences as CoNLL-U, written by other code than the package's own."""
    lines = []
    for one in sentences:
        forms = {m.start: m for m in one.multiwords}
        for k in range(1, len(one) + 1):
            if k in forms:
                lines.append(f"{k}-{forms[k].end}\t{forms[k].form}" + "\t_" * 8)
            columns = (
                one.forms,
                one.lemmas,
                one.upos,
                one.xpos,
                one.feats,
                list(map(str, one.heads)),
                one.deprels,
            )
            lines.append("\t".join([str(k)] + [column[k - 1] for column in columns] + ["_", "_"]))
        lines.append("")
    return "".join(line + "\n" for line in lines)


def below(word: Word, top: Word) -> bool:
    """Is `word` in the subtree of `top`?"""
    while word is not top and word.head is not None:
        word = word.head
    return word is top


def spoil_heads(made: Tokens, rng: random.Random, share: float) -> None:
    words = [word for token in made for word in token.words]
    for word in words:
        if word.head is not None and rng.random() < share:
            candidates = [other for other in words if not below(other, word)]
            word.head = rng.choice(candidates)


def spoil_fields(made: Tokens, rng: random.Random, share: float) -> None:
    choices = {"deprels": LABELS, "upos": TAGS, "xpos": TAGS, "feats": FEATURES, "lemmas": LEMMAS}
    for token in made:
        for word in token.words:
            for name, values in choices.items():
                if rng.random() < share:
                    word.fields[name] = rng.choice(values)


def spoil_tokens(made: Tokens, rng: random.Random, share: float) -> Tokens:
    """Split tokens, join tokens, make and unmake multiword tokens, change the words inside them."""
    after: Tokens = []
    for token in made:
        first = token.words[0]
        if rng.random() >= share:
            after.append(token)
        elif is_multiword(token) and rng.random() < 0.5:
            # other words in the same token
            for word in token.words:
                word.form = rng.choice([word.form.upper(), word.form + "x", token.form])
            after.append(token)
        elif is_multiword(token):
            keep_only(made, token, token.form)
            after.append(token)
        elif len(token.form) > 1 and rng.random() < 0.6:
            cut = rng.randrange(1, len(token.form))
            pieces = token.form[:cut], token.form[cut:]
            other = Word(pieces[1], first, {**first.fields, "deprels": rng.choice(LABELS)})
            first.form = pieces[0]
            if rng.random() < 0.5:
                after += [Token(pieces[0], [first]), Token(pieces[1], [other])]
            else:
                if rng.random() < 0.3:
                    other.form += "x"
                after.append(Token(token.form, [first, other]))
        elif after and not is_multiword(after[-1]) and rng.random() < 0.6:
            # join with the token before, with or without a space in between
            before = after.pop()
            joined = Token(before.form + rng.choice(["", " ", "\u00a0"]) + token.form, before.words + token.words)
            if rng.random() < 0.5:
                keep_only(made, joined, joined.form)
            after.append(joined)
        else:
            token.form = " " + token.form
            first.form = token.form
            after.append(token)
    return after


def keep_only(made: Tokens, token: Token, form: str) -> None:
    """Make one word of the words of a token: one that hangs on none of them. Their dependents hang on it."""
    words = token.words
    kept = next((word for word in words if word.head is None), None)
    if kept is None:
        kept = next(word for word in words if not any(below(word, other) for other in words if other is not word))
    for other in made:
        for word in other.words:
            if word.head in words and word not in words:
                word.head = kept
    if kept.head in words:
        raise AssertionError("the word nearest to the root hangs on another")
    kept.form = form
    token.words = [kept]


def spoil_sentences(parts: list[Tokens], rng: random.Random, share: float) -> list[Tokens]:
    """Join neighbours and cut sentences in two."""
    after: list[Tokens] = []
    for made in parts:
        if after and rng.random() < share:
            roots = [next(w for t in part for w in t.words if w.head is None) for part in (after[-1], made)]
            roots[1].head = roots[0]
            after[-1] = after[-1] + made
        elif len(made) > 1 and rng.random() < share:
            cut = rng.randrange(1, len(made))
            for part in (made[:cut], made[cut:]):
                words = [word for token in part for word in token.words]
                outside = [word for word in words if word.head not in words]
                outside[0].head = None
                for word in outside[1:]:
                    word.head = outside[0]
                after.append(part)
        else:
            after.append(made)
    return after


def spoil(sentences: list[Sentence], kind: str, seed: int, share: float = 0.15) -> list[Sentence]:
    """The same text with other heads, other labels (and tags, features, lemmas), or other segmentation."""
    rng = random.Random(seed)
    parts = [tokens(one) for one in sentences]
    if kind == "heads":
        for made in parts:
            spoil_heads(made, rng, share)
    elif kind == "labels":
        for made in parts:
            spoil_fields(made, rng, share)
    else:
        parts = spoil_sentences([spoil_tokens(made, rng, share) for made in parts], rng, share)
    return [sentence(made) for made in parts]


def random_sentence(rng: random.Random, longest: int = 12) -> Sentence:
    """A tree with a single root over words of few letters, so that forms recur."""
    made = [Word("".join(rng.choices("abAB.", k=rng.randint(1, 3)))) for _ in range(rng.randint(1, longest))]
    order = rng.sample(made, len(made))
    for k, word in enumerate(order):
        word.head = rng.choice(order[:k]) if k else None
        word.fields = {
            "deprels": rng.choice(LABELS) if k else "root",
            "upos": rng.choice(TAGS),
            "xpos": rng.choice(TAGS),
            "feats": rng.choice(FEATURES),
            "lemmas": rng.choice(LEMMAS),
        }
    return sentence([Token(word.form, [word]) for word in made])
