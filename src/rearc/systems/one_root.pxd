"""single_root for Covington's family: what may still be done when the last word n is the right focus.

Before that nothing is restricted. At j = n only n→w and w→n with w ≤ i can still be built, so a headless
word v strictly between i and n is *late*: it stays a root. (i, n, A) leads to a tree with one root iff no
word is late; or one is, v, and either n is below v, or n can be put there: some x ≤ i is below v, and in a
monotonic system n is headless. The terminal configuration has one headless word. A transition is legal iff
what it leads to is so; thus no configuration is ever stuck.
"""

from rearc.systems.config cimport NONE, Config, Family


cdef inline bint below(const Config *c, int x, int v) noexcept nogil:
    """v →* x in A."""
    while x > 0 and x != v:
        x = c.head[x]
    return x == v


cdef inline bint some_below(const Config *c, int limit, int v, int avoiding) noexcept nogil:
    """v →* x in A for some x ≤ limit, on a path that does not meet the word to avoid: v's subtree is walked through."""
    cdef const Family *f = c.family
    cdef int x = v, next
    while True:
        if x != avoiding:
            if x <= limit:
                return True
            next = f[x].far_left or f[x].near_right
            if next:
                x = next
                continue
        while x != v:                                               # up, until there is a sibling to go on with
            next = f[x].after or (f[c.head[x]].near_right if x < c.head[x] else 0)
            if next:
                x = next
                break
            x = c.head[x]
        else:
            return False


cdef inline int with_late(const Config *c, int late, int w) noexcept nogil:
    """The late word when w is passed too: 0 for none, NONE for more than one."""
    if c.head[w] != NONE:
        return late
    return w if late == 0 else NONE


cdef inline int late_word(const Config *c) noexcept nogil:
    cdef int w, late = 0
    for w in range(c.i + 1, c.n):
        late = with_late(c, late, w)
    return late


cdef inline bint one_headless(const Config *c) noexcept nogil:
    cdef int w, headless = 0
    for w in range(1, c.n + 1):
        headless += c.head[w] == NONE
    return headless == 1


# Of a transition between w and j = n that leaves 1…w−1 in λ1, when the words after w have been passed and a
# word is late (0 for none, NONE for more than one).

cdef inline bint no_arc_keeps_one_root(const Config *c, int w, int late, bint monotonic) noexcept nogil:
    cdef int v = with_late(c, late, w)
    if v <= 0:
        return v == 0
    if below(c, c.n, v):
        return True
    return not (monotonic and c.head[c.n] != NONE) and some_below(c, w - 1, v, 0)


cdef inline bint left_arc_keeps_one_root(const Config *c, int w, int v, bint monotonic) noexcept nogil:
    if v <= 0:
        return v == 0
    if below(c, c.n, v) and not below(c, c.n, w):                   # w →* n: n→w would cut n off
        return True
    return not (monotonic and c.head[c.n] != NONE) and some_below(c, w - 1, v, w)


cdef inline bint right_arc_keeps_one_root(const Config *c, int w, int v, bint monotonic) noexcept nogil:
    if v <= 0:
        return v == 0                                               # if w is late then n is below it
    if c.head[w] == NONE or below(c, w, c.n):                       # w would be late beside v
        return False
    return below(c, w, v) or (not monotonic and some_below(c, w - 1, v, c.n))
