"""What single_root adds to the exact loss of monotonic Covington and NL-Covington.

For gold trees with one root ρ, which may be unknown; in no paper. A root to be may have to hang on a wrong head, or the last word may. Found and checked by
exhaustive search, all trees and configurations up to five words. Before the last word is the right focus it
is 0 or 1, and 0 at once if ρ is headed or above n in A ∪ I, as nearly always.
"""

from rearc.oracles.graph cimport is_passed
from rearc.systems.config cimport NONE


cdef inline int head_after(const After *a, int y) noexcept nogil:
    return a.h if y == a.d else a.c.head[y]


cdef inline bint joined(const After *a, int x, int y) noexcept nogil:
    """x and y are weakly connected: they were, or the new arc joins their components."""
    cdef int p = a.c.links[x], q = a.c.links[y], h, d
    if p == q or a.h == 0:
        return p == q
    h, d = a.c.links[a.h], a.c.links[a.d]
    return (p == h and q == d) or (p == d and q == h)


cdef inline bint within_reach(const After *a, int y) noexcept nogil:
    """y's gold arc is in I and not built; root arcs aside."""
    cdef int g = a.gold[y]
    return g > 0 and y != a.root and head_after(a, y) == NONE and not is_passed(a.i, a.j, g, y) and not joined(a, g, y)


cdef inline int up(const After *a, int y) noexcept nogil:
    """y's head in A ∪ I, or 0."""
    cdef int h = head_after(a, y)
    if h != NONE:
        return h
    return a.gold[y] if within_reach(a, y) else 0


cdef int climb(const After *a, int w, unsigned char *on_path) noexcept nogil:
    """The top of w's part of A ∪ I; if a cycle is there, minus a word of it. Marks the words on the way."""
    cdef int h, steps = 0
    while True:
        if on_path != NULL:
            on_path[w] = True
        h = up(a, w)
        if h == 0:
            return w
        w = h
        steps += 1
        if steps > a.c.n:
            return -w


cdef int top(const After *a, int w) noexcept nogil:
    """The headless word above w in A, or w."""
    while head_after(a, w) != NONE:
        w = head_after(a, w)
    return w


cdef int at_last_word(const After *a) noexcept nogil:
    """At j = n: only arcs between n and 1…i can come, so a late word is the root of the tree."""
    cdef int n = a.c.n, root = a.late if a.late != 0 else a.root, x = a.gold[n], t, total = 0
    cdef bint open_root = head_after(a, a.root) == NONE
    if a.late == 0:
        if not open_root or a.root == n:
            return 0
        if head_after(a, n) != NONE and top(a, n) != a.root:
            return 1
    total = root != a.root and open_root                    # ρ must get a head
    if within_reach(a, n):
        t = top(a, x)
        if t != root and not (a.gold[t] == n and within_reach(a, t)):
            total += 1                                      # n must hang below the root, unlike its gold head
    return total


# Where a part of A ∪ I can still be hung up: at its top, or at a headless word of its cycle.
cdef enum Opening:
    NOWHERE = 0
    IN_LEFT = 1                     # a word of λ1
    AT_J = 2
    ANYWHERE = 4                    # ρ's own part, or one with an opening after j: any word can be its head


cdef int openings(const After *a, int w) noexcept nogil:
    cdef int u = climb(a, w, NULL), first, found = NOWHERE
    if u > 0:
        return ANYWHERE if u == a.root else opening(a, u)
    u = first = -u
    while True:
        if head_after(a, u) == NONE:
            found |= opening(a, u)
        u = up(a, u)
        if u == first:
            return found


cdef int opening(const After *a, int u) noexcept nogil:
    if u > a.j:
        return ANYWHERE
    return AT_J if u == a.j else IN_LEFT if u <= a.i else NOWHERE


cdef int before_last_word(const After *a) noexcept nogil:
    """1 where the part of A ∪ I that n is in has no way to hang, however indirectly, below ρ.

    Each opening can get a head after j; one in λ1 also j; j a word of λ1.
    """
    cdef int w, found = NOWHERE
    if a.root > a.j:
        return 0
    for w in range(a.c.n, a.j, -1):
        found |= openings(a, w)
        if found & ANYWHERE:
            return 0
    if found & IN_LEFT:
        found |= openings(a, a.j)
    if found & AT_J:
        for w in range(1, a.i + 1):
            found |= openings(a, w)
    return not found & ANYWHERE


cdef bint on_cycle(const After *a, int w) noexcept nogil:
    """w's head in A ∪ I leads back to w."""
    cdef int u = w, steps = 0
    while steps <= a.c.n:
        u = up(a, u)
        if u == 0 or u == w:
            return u == w
        steps += 1
    return False


cdef int extra_of_any(After *a) noexcept nogil:
    """What it comes to if the root is not known: the least of all words that can be it. One whose gold arc is in I costs that arc,
    which is no loss where it would be lost to a cycle."""
    cdef int w, lost, least = a.c.n
    if a.j > a.c.n or (a.j < a.c.n and climb(a, a.c.n, NULL) > 0):
        return 0
    for w in range(1, a.c.n + 1):
        if head_after(a, w) != NONE:
            continue
        lost = within_reach(a, w) and not on_cycle(a, w)
        a.root = w
        lost += extra(a)
        a.root = NONE
        least = min(least, lost)
        if least == 0:
            break
    return least


cdef int extra(After *a) noexcept nogil:
    if a.root == NONE:
        return extra_of_any(a)
    if a.j > a.c.n:
        return 0
    if a.j == a.c.n:
        return at_last_word(a)
    if head_after(a, a.root) != NONE or climb(a, a.c.n, NULL) == a.root:
        return 0
    return before_last_word(a)
