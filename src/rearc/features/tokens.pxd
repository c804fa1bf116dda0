from libc.stdint cimport uint32_t


cdef enum:
    ATTRIBUTES = 11                 # w u m p t f x2 x3 c4 c6 c: what a token has before it is parsed


cdef struct Tokens:
    int n
    const uint32_t *values          # values[a·(n+1) + word]; word 0 is the root; 0 is the value of what is absent
