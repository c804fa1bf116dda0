"""The one C configuration that every transition system works on.

Words are 1…n and the artificial root is 0 wherever it stands: at the bottom of the stack (arc-standard, arc-swift), at the
end of the buffer (arc-hybrid, arc-eager), or nowhere (Covington, arc-eager-tree). `place` tells where a word is.
"""

cdef enum:
    NONE = -1                       # no head, no label, no such word

cdef enum Kind:
    SHIFT
    NO_ARC
    LEFT_ARC
    RIGHT_ARC
    REDUCE
    UNSHIFT
    SWAP

cdef enum Place:
    IN_BUFFER
    ON_STACK
    GONE

ctypedef int Transition             # a kind and, for left-arc:k and right-arc:k, a k ≥ 1


cdef inline Transition transition(int kind, int k) noexcept nogil:
    return kind | (k << 3)


cdef inline int kind_of(Transition t) noexcept nogil:
    return t & 7


cdef inline int k_of(Transition t) noexcept nogil:
    return t >> 3


cdef struct Config:                 # first all numbers, then the arrays
    int n
    int i                           # Covington: λ1 = 1…i, λ2 = i+1…j−1, B = j…n
    int j
    int depth                       # σ = stack[0…depth−1], the top last
    int front                       # β = buffer[front…back−1]
    int back
    int headless                    # headless words on σ; kept by arc-eager alone
    bint exhausted                  # β has been empty; kept by arc-eager-tree alone
    int *head                       # head[d], NONE for a headless word, 0 for one attached to the root by a transition
    int *label                      # label[d], NONE where the arc carries none
    int *stack
    int *buffer
    int *links                      # disjoint sets of weakly connected words; used by monotonic Covington alone
    unsigned char *place            # Place of each word, and of the root at index 0
    unsigned char *mark             # S(i) of arc-eager-unshift: the word has been shifted once
    unsigned char *note             # books of a path-dependent oracle; no system reads them
    void *memory                    # all the arrays are one block
    int capacity                    # words the block has room for


cdef int config_reset(Config *c, int n) noexcept nogil          # room for n words, all fields cleared; −1 if memory is out
cdef int config_copy(Config *target, const Config *source) noexcept nogil
cdef void config_free(Config *c) noexcept nogil


# The accessors are total: what is not there is NONE.

cdef inline int stack_word(const Config *c, int k) noexcept nogil:
    """s0, s1, …"""
    return c.stack[c.depth - 1 - k] if k < c.depth else NONE


cdef inline int buffer_word(const Config *c, int k) noexcept nogil:
    """b0, b1, …"""
    return c.buffer[c.front + k] if c.front + k < c.back else NONE


cdef inline int buffer_size(const Config *c) noexcept nogil:
    return c.back - c.front


cdef inline bint is_headed(const Config *c, int d) noexcept nogil:
    return c.head[d] != NONE


# The only ways to change σ, β and A.

cdef inline void fill_buffer(Config *c) noexcept nogil:
    """β = [1, …, n]; the root is nowhere."""
    cdef int w
    for w in range(1, c.n + 1):
        c.buffer[w - 1] = w
    c.back = c.n
    c.place[0] = GONE


cdef inline void append_root(Config *c) noexcept nogil:
    """β = [1, …, n, r]."""
    c.buffer[c.back] = 0
    c.back += 1
    c.place[0] = IN_BUFFER


cdef inline void push(Config *c, int w) noexcept nogil:
    c.stack[c.depth] = w
    c.depth += 1
    c.place[w] = ON_STACK


cdef inline int pop(Config *c) noexcept nogil:
    c.depth -= 1
    cdef int w = c.stack[c.depth]
    c.place[w] = GONE
    return w


cdef inline int take(Config *c) noexcept nogil:
    """Take b0 off the buffer."""
    cdef int w = c.buffer[c.front]
    c.front += 1
    c.place[w] = GONE
    return w


cdef inline void give_back(Config *c, int w) noexcept nogil:
    """Put w at the front of the buffer; there is room, for w was taken from it."""
    c.front -= 1
    c.buffer[c.front] = w
    c.place[w] = IN_BUFFER


cdef inline void attach(Config *c, int h, int d, int label) noexcept nogil:
    c.head[d] = h
    c.label[d] = label


cdef inline void detach(Config *c, int d) noexcept nogil:
    c.head[d] = NONE
    c.label[d] = NONE
