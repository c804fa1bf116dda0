"""Slow, obvious definitions of the tree measures over heads [0, h(1), …, h(n)]; a dependent names its arc."""

from itertools import combinations, pairwise


def words(heads):
    return range(1, len(heads))


def is_tree(heads):
    n = len(heads) - 1
    if any(not 0 <= heads[d] <= n for d in words(heads)):
        return False
    for d in words(heads):
        for _ in range(n):
            d = heads[d]
        if d != 0:
            return False
    return True


def dominates(heads, a, b):
    """a is b or above it."""
    while b != a and b != 0:
        b = heads[b]
    return a == b


def subtree(heads, v):
    return [w for w in range(len(heads)) if dominates(heads, v, w)]


def between(a, b):
    return range(min(a, b) + 1, max(a, b))


def roots(heads):
    return [d for d in words(heads) if heads[d] == 0]


def arc_is_projective(heads, d):
    return all(dominates(heads, heads[d], w) for w in between(heads[d], d))


def non_projective_arcs(heads):
    return [d for d in words(heads) if not arc_is_projective(heads, d)]


def is_projective(heads):
    """By subtrees instead of arcs: each is a run of words."""
    subtrees = [subtree(heads, v) for v in words(heads)]
    return all(words_below == list(range(words_below[0], words_below[-1] + 1)) for words_below in subtrees)


def gaps(heads, v):
    return sum(b - a > 1 for a, b in pairwise(subtree(heads, v)))


def gap_degree(heads):
    return max((gaps(heads, v) for v in words(heads)), default=0)


def arc_degree(heads, d):
    """Build the connected pieces of the span one by one, then look who is above their tops."""
    span = set(between(heads[d], d))
    degree = 0
    while span:
        piece = {span.pop()}
        while grown := {w for w in span if any(heads[w] == p or heads[p] == w for p in piece)}:
            piece |= grown
            span -= grown
        (top,) = [w for w in piece if heads[w] not in piece]
        degree += not dominates(heads, heads[d], top)
    return degree


def edge_degree(heads):
    return max((arc_degree(heads, d) for d in words(heads)), default=0)


def cross(heads, d, e):
    (a, c), (b, f) = sorted([sorted((d, heads[d])), sorted((e, heads[e]))])
    return a < b < c < f


def crossing_arcs(heads, root_arcs=False):
    arcs = [d for d in words(heads) if root_arcs or heads[d] != 0]
    return [(d, e) for d, e in combinations(arcs, 2) if cross(heads, d, e)]


def is_planar(heads):
    return not crossing_arcs(heads)


def is_well_nested(heads):
    for u, v in combinations(words(heads), 2):
        if dominates(heads, u, v) or dominates(heads, v, u):
            continue
        owner = sorted([(w, "u") for w in subtree(heads, u)] + [(w, "v") for w in subtree(heads, v)])
        row = "".join(name for _, name in owner)
        while "uu" in row or "vv" in row:
            row = row.replace("uu", "u").replace("vv", "v")
        if len(row) > 3:
            return False
    return True


def projective_order(heads):
    def inorder(v):
        dependents = [d for d in words(heads) if heads[d] == v]
        left = [w for d in dependents if d < v for w in inorder(d)]
        right = [w for d in dependents if d > v for w in inorder(d)]
        return [*left, v, *right]

    order = inorder(0)
    return [order.index(w) for w in range(len(heads))]


def maximal_projective_components(heads):
    """Join neighbouring components as long as there is a pair that may be joined, whichever comes first."""
    components = [[w] for w in range(len(heads))]
    tops = list(range(len(heads)))

    def complete(k):
        return components[k] == subtree(heads, tops[k])

    def may_join():
        for k in range(len(components) - 1):
            if heads[tops[k + 1]] == tops[k] and complete(k + 1):
                return k, tops[k]
            if tops[k] != 0 and heads[tops[k]] == tops[k + 1] and complete(k):
                return k, tops[k + 1]
        return None

    while pair := may_join():
        k, top = pair
        components[k : k + 2] = [components[k] + components[k + 1]]
        tops[k : k + 2] = [top]
    top_of = {w: top for component, top in zip(components, tops, strict=True) for w in component}
    return [top_of[w] for w in range(len(heads))]


def root_distances(heads):
    return [0, *(sum(dominates(heads, v, w) for v in words(heads)) for w in words(heads))]


def arc_lengths(heads):
    return [0, *(len(between(heads[d], d)) + 1 if heads[d] else 0 for d in words(heads))]
