"""A small language to learn: tags follow from endings and from what stands around a word."""

import random

from rearc.treebank import Sentence

SYLLABLES = ["ba", "ko", "mi", "tu", "re", "la", "po", "si", "du", "ne"]
ENDINGS = {
    ("NOUN", "Number=Sing", "NN"): "en",
    ("NOUN", "Number=Plur", "NNS"): "ens",
    ("VERB", "Number=Sing|Tense=Past", "VBD"): "ad",
    ("VERB", "Number=Plur|Tense=Past", "VBD"): "adi",
    ("VERB", "Number=Sing|Tense=Pres", "VBZ"): "it",
    ("ADJ", "_", "JJ"): "ig",
    ("PROPN", "Number=Sing", "NNP"): "",
}


LEMMAS = {"NOUN": "en", "VERB": "at"}


def word(rng: random.Random, upos: str, number: str = "") -> tuple[str, str, str, str, str]:
    """Form, UPOS, XPOS, FEATS, lemma."""
    stem = "".join(rng.choices(SYLLABLES, k=rng.randint(1, 3)))
    kinds = [kind for kind in ENDINGS if kind[0] == upos and (not number or number in kind[1])]
    kind = rng.choice(kinds)
    form = stem.capitalize() if upos == "PROPN" else stem + ENDINGS[kind]
    return form, upos, kind[2], kind[1], stem + LEMMAS[upos] if upos in LEMMAS else form


def sentence(rng: random.Random) -> Sentence:
    """Such as: zo bakoig mituens resadi Lapo ! — "zo" is a determiner before a noun, and else an adverb."""
    words = []
    for subject in (True, False):
        number = rng.choice(["Number=Sing", "Number=Plur"])
        if rng.random() < 0.7:
            words.append(("zo", "DET", "DT", "_", "zo"))
            if rng.random() < 0.4:
                words.append(word(rng, "ADJ"))
            words.append(word(rng, "NOUN", number))
        else:
            words.append(word(rng, "PROPN"))
            number = "Number=Sing"
        if subject:
            words.append(word(rng, "VERB", number))
            if rng.random() < 0.3:
                words += [("zo", "ADV", "RB", "_", "zoz"), (",", "PUNCT", ",", "_", ",")]
    mark = rng.choice("!.")
    words.append((mark, "PUNCT", ".", "_", mark))
    forms, upos, xpos, feats, lemmas = zip(*words, strict=True)
    return Sentence(forms, lemmas=lemmas, upos=upos, xpos=xpos, feats=feats)


def treebank(count: int, seed: int) -> list[Sentence]:
    rng = random.Random(seed)
    return [sentence(rng) for _ in range(count)]
