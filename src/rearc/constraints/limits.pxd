from rearc.oracles.room cimport Room


cdef class Limits:
    """What the heads of one sentence have to comply with."""
    cdef readonly int n
    cdef readonly bint one_root
    cdef bint has_more              # than fixed heads
    cdef int *fixed                 # the head that a word must have; NONE where it is free
    cdef int *group                 # words of a group, other than 0, have different heads
    cdef unsigned char *leaf        # the word has no dependents
    cdef int *first                 # the heads that d must not have: forbidden[first[d]…first[d+1]−1]
    cdef int *forbidden
    cdef int *left                  # the spans that must be subtrees
    cdef int *right
    cdef int spans
    cdef const unsigned char *within    # arcs that may be, by h (n + 1) + d; NULL if all
    cdef object arrays              # what the pointers point into
    cdef Room room                  # of the tables of `complete`

    cdef bint may_link(self, int h, int d) noexcept nogil                           # h→d alone breaks nothing
    cdef bint may_add(self, const int *head, int h, int d) noexcept nogil           # … nor beside these heads
    cdef bint holds(self, const int *head) noexcept nogil                           # all of it; a headless word hangs on the root

    # A tree with the heads `must`, NONE where it is free, that complies with all but the groups, and has as many heads of `prefer` as it
    # can; False if there is none (or no memory). `out` is [0, h(1), …, h(n)].
    cdef bint complete_projective(self, const int *must, const int *prefer, int *out) noexcept nogil
    # Any tree, groups included; root and tops (one a span) say which words these are to be, 0 and NULL for any.
    # False does not mean that there is none, unless root and tops are given and there are no groups.
    cdef bint complete(self, const int *must, const int *prefer, int root, const int *tops, int *out) noexcept nogil

    cdef bint cuts(self, int head, int end) noexcept nogil
    cdef int arc(self, const int *must, const int *prefer, int h, int d) noexcept nogil
    cdef int fill(self, const int *table, const int *must, const int *prefer, int first, int root, int last, int *todo,
                  int *out) noexcept nogil
    cdef bint fits(self, const int *must, int root, const int *tops, int *out, int h, int d) noexcept nogil
