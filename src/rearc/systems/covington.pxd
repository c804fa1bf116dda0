from rearc.systems.base cimport System
from rearc.systems.config cimport NONE, Config, Transition, attach, k_of


cdef class Covington(System):
    pass


cdef inline int left_focus(const Config *c, Transition t) noexcept nogil:
    """The word of λ1 that t is about: i, or the k-th from the right for left-arc:k and right-arc:k."""
    return c.i if k_of(t) == 0 else c.i - k_of(t) + 1


# Figure 1. `links` names the weakly connected component of each word. A headless word is the root of its
# component, so an arc to it closes a cycle iff the head is in the same one.

cdef inline bint connected(const Config *c, int x, int y) noexcept nogil:
    return c.links[x] == c.links[y]


cdef inline bint may_link(const Config *c, int h, int d) noexcept nogil:
    return c.head[d] == NONE and not connected(c, h, d)


cdef inline void link(Config *c, int h, int d, int label) noexcept nogil:
    """Add h→d. No word after j has an arc, so the components to rename lie within 1…j."""
    cdef int w, old = c.links[d], new = c.links[h]
    attach(c, h, d, label)
    for w in range(1, c.j + 1):
        c.links[w] = new if c.links[w] == old else c.links[w]


cdef inline void shift(Config *c) noexcept nogil:
    """⟨λ1, λ2, j|B⟩ ⇒ ⟨λ1·λ2|j, [], B⟩"""
    c.i = c.j
    c.j += 1


cdef inline void pass_words(Config *c, int w) noexcept nogil:
    """Move the words w…i from λ1 to λ2."""
    c.i = w - 1
