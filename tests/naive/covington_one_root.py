"""What single_root adds to the exact loss of monotonic Covington, for gold trees with one root."""

from .covington import Configuration, above, headless
from .covington_oracles import Arc, Dynamic, elementary_cycles


class DynamicOneRoot(Dynamic):
    def loss(self, c: Configuration) -> int:
        ρ = self.gold.index(0, 1)
        within_reach = self.unbuilt(c) - self.unreachable(c)
        if c.j > c.n:
            extra = 0
        elif c.j == c.n:
            extra = at_last_word(c, ρ, self.gold[c.n], within_reach)
        else:
            extra = before_last_word(c, ρ, self.built(c) | within_reach)
        return super().loss(c) + extra


def top(c: Configuration, x: int) -> int:
    return [x, *above(c.head, x)][-1]


def at_last_word(c: Configuration, ρ: int, gold_head: int, within_reach: set[Arc]) -> int:
    """Only arcs between n and 1…i can come: a headless word between i and n stays a root."""
    late = [v for v in headless(c) if c.i < v < c.n]
    if not late and (c.head[ρ] or ρ == c.n):
        return 0
    if not late and c.head[c.n] and top(c, c.n) != ρ:
        return 1
    root = late[0] if late else ρ
    must_find_a_head = root != ρ and c.head[ρ] == 0
    n_must_hang_elsewhere = (
        (gold_head, c.n) in within_reach and top(c, gold_head) != root and (c.n, top(c, gold_head)) not in within_reach
    )
    return must_find_a_head + n_must_hang_elsewhere


def before_last_word(c: Configuration, ρ: int, arcs: set[Arc]) -> int:
    """1 where the component that n will be in has no way to hang, however indirectly, below ρ."""
    words = range(1, c.n + 1)
    if c.head[ρ]:
        return 0

    def component(x: int) -> frozenset[int]:
        members = {x}
        while more := {w for arc in arcs if set(arc) & members for w in arc} - members:
            members |= more
        return frozenset(members)

    def openings(members: frozenset[int]) -> set[int]:
        """The words of a component that can still get a head from outside."""
        tops = members - {y for _, y in arcs}
        on_cycles = {w for cycle in elementary_cycles(arcs) for w in cycle if c.head[w] == 0}
        return set(tops) or on_cycles & members

    def pair_is_to_come(u: int, h: int) -> bool:
        return u != h and (max(u, h) > c.j or (max(u, h) == c.j and min(u, h) <= c.i))

    reached = set(component(c.n))
    while (
        more := {
            w
            for u in words
            if u in reached and u in openings(component(u))
            for h in words
            if pair_is_to_come(u, h)
            for w in component(h)
        }
        - reached
    ):
        reached |= more
    return ρ not in reached
