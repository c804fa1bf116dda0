"""Memory of the C configuration: one block for all its arrays, kept and reused from sentence to sentence."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

# a Family a word; head, label, stack, buffer, links are ints; place, mark, note are bytes
cdef enum:
    INTS = 5
    BYTES = 3


cdef size_t block_size(int n) noexcept nogil:
    return <size_t>(n + 1) * (sizeof(Family) + INTS * sizeof(int) + BYTES)


cdef void lay_out(Config *c, int n) noexcept nogil:
    c.family = <Family *>c.memory
    cdef int *ints = <int *>(c.family + (n + 1))
    cdef unsigned char *bytes_
    c.head = ints
    c.label = ints + (n + 1)
    c.stack = ints + 2 * (n + 1)
    c.buffer = ints + 3 * (n + 1)
    c.links = ints + 4 * (n + 1)
    bytes_ = <unsigned char *>(ints + INTS * (n + 1))
    c.place = bytes_
    c.mark = bytes_ + (n + 1)
    c.note = bytes_ + 2 * (n + 1)


cdef int reserve(Config *c, int n) noexcept nogil:
    if c.memory == NULL or c.capacity < n:
        free(c.memory)
        c.capacity = 0
        c.memory = malloc(block_size(n))
        if c.memory == NULL:
            return -1
        c.capacity = n
    c.n = n
    lay_out(c, n)
    return 0


cdef int config_reset(Config *c, int n) noexcept nogil:
    if reserve(c, n) < 0:
        return -1
    c.i = c.j = c.depth = c.front = c.back = c.headless = 0
    c.exhausted = False
    memset(c.memory, 0, block_size(n))
    cdef int d
    for d in range(n + 1):
        c.head[d] = NONE
        c.label[d] = NONE
        c.links[d] = d
    return 0


cdef int config_copy(Config *target, const Config *source) noexcept nogil:
    if reserve(target, source.n) < 0:
        return -1
    target.i, target.j = source.i, source.j
    target.depth, target.front, target.back = source.depth, source.front, source.back
    target.headless, target.exhausted = source.headless, source.exhausted
    memcpy(target.memory, source.memory, block_size(source.n))
    return 0


cdef void config_free(Config *c) noexcept nogil:
    free(c.memory)
    c.memory = NULL
    c.capacity = 0
