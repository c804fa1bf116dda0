from rearc.systems.config cimport Config


# A configuration of monotonic Covington, or what a transition makes of it: other positions, and h→d added
# unless h is 0.
cdef struct After:
    const Config *c
    const int *gold
    int root                        # the gold root, of which there is one; NONE if it is not known
    int i
    int j
    int h
    int d
    int late                        # at j = n: the headless word between i and n, or 0


cdef int climb(const After *a, int w, unsigned char *on_path) noexcept nogil
cdef int extra(After *a) noexcept nogil
