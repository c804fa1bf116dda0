"""The one C configuration that every transition system works on.

Words are 1…n and the artificial root is 0 wherever it stands: at the bottom of the stack (arc-standard, arc-swift), at the
end of the buffer (arc-hybrid, arc-eager), or nowhere (Covington, arc-eager-tree). `place` tells where a word is.
"""

from libc.stdint cimport uint64_t

cdef enum:
    NONE = -1                       # no head, no label, no such word
    MAX_WORDS = 1 << 26             # of a sentence: sizes of arrays then fit in an int

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


cdef inline int class_of(Transition t) noexcept nogil:
    """What a scorer sees of a kind: shift, left-arc, right-arc, or the fourth, of which no system offers two at a time."""
    cdef int kind = kind_of(t)
    if kind == SHIFT:
        return 0
    if kind == LEFT_ARC:
        return 1
    return 2 if kind == RIGHT_ARC else 3


cdef struct Family:                 # a word's dependents; 0, which is nobody's dependent, stands for none
    int far_left
    int near_left
    int near_right
    int far_right
    int before                      # the neighbouring dependents on the same side of the same head, in sentence order
    int after
    int left_count
    int right_count
    uint64_t left_labels            # the set of their labels: one bit a label, taken modulo 64
    uint64_t right_labels


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
    Family *family
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


cdef inline uint64_t label_bit(int label) noexcept nogil:
    return <uint64_t>1 << (label & 63) if label != NONE else 0


cdef inline void link(Config *c, int h, int d) noexcept nogil:
    """Put d among h's dependents; new ones nearly always come at one of the two ends."""
    cdef Family *f = c.family
    cdef bint left = d < h
    cdef int first = f[h].far_left if left else f[h].near_right
    cdef int last = f[h].near_left if left else f[h].far_right
    cdef int before
    if last < d:
        before = last
    elif d < first:
        before = 0
    else:
        before = last
        while before > d:
            before = f[before].before
    cdef int after = f[before].after if before else first
    f[d].before, f[d].after = before, after
    if before:
        f[before].after = d
    else:
        first = d
    if after:
        f[after].before = d
    else:
        last = d
    if left:
        f[h].far_left, f[h].near_left = first, last
        f[h].left_count += 1
        f[h].left_labels |= label_bit(c.label[d])
    else:
        f[h].near_right, f[h].far_right = first, last
        f[h].right_count += 1
        f[h].right_labels |= label_bit(c.label[d])


cdef inline void unlink(Config *c, int h, int d) noexcept nogil:
    cdef Family *f = c.family
    cdef int before = f[d].before, after = f[d].after, sibling
    cdef uint64_t labels = 0
    if before:
        f[before].after = after
    if after:
        f[after].before = before
    sibling = before
    while sibling:
        labels |= label_bit(c.label[sibling])
        sibling = f[sibling].before
    sibling = after
    while sibling:
        labels |= label_bit(c.label[sibling])
        sibling = f[sibling].after
    if d < h:
        if not before:
            f[h].far_left = after
        if not after:
            f[h].near_left = before
        f[h].left_count -= 1
        f[h].left_labels = labels
    else:
        if not before:
            f[h].near_right = after
        if not after:
            f[h].far_right = before
        f[h].right_count -= 1
        f[h].right_labels = labels
    f[d].before = f[d].after = 0


cdef inline void attach(Config *c, int h, int d, int label) noexcept nogil:
    """Add h→d, in place of the head that d may have."""
    if c.head[d] != NONE:
        unlink(c, c.head[d], d)
    c.head[d] = h
    c.label[d] = label
    link(c, h, d)


cdef inline void detach(Config *c, int d) noexcept nogil:
    """Remove the arc to d, if there is one."""
    if c.head[d] != NONE:
        unlink(c, c.head[d], d)
    c.head[d] = NONE
    c.label[d] = NONE
