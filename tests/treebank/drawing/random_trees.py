"""Trees for the drawing tests, and which of their arcs are non-projective, by definition."""

import random


def random_heads(n: int, rng: random.Random) -> list[int]:
    """[0, h(1), …, h(n)]: each word hangs on the root or on a word that hangs already, near or far."""
    order = list(range(1, n + 1))
    rng.shuffle(order)
    heads = [0] * (n + 1)
    for place, word in enumerate(order):
        heads[word] = rng.choice([0, *order[:place]]) if rng.random() < 0.9 or not place else order[place - 1]
    return heads


def non_projective(heads: list[int]) -> set[int]:
    def below(word: int, head: int) -> bool:
        while word > 0 and word != head:
            word = heads[word]
        return word == head

    return {
        d
        for d in range(1, len(heads))
        if (h := heads[d]) > 0 and not all(below(word, h) for word in range(min(h, d) + 1, max(h, d)))
    }
