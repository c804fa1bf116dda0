from libc.stdint cimport int64_t


cdef enum:
    STRIDE = 256                    # the most steps between two looks at the clock; 1 where they are slow


cdef struct Watch:                  # of one call that may take long
    int left                        # steps until the next look at the clock
    int stride                      # between the last look and the next; it doubles as long as steps are quick
    int64_t time                    # of the last look at the clock, in milliseconds; 0 is not yet
    int64_t asked                   # when it was last asked whether to stop


cdef bint look(Watch *watch) noexcept nogil
cdef int raise_reason() except -1


cdef inline void watch_begin(Watch *watch) noexcept nogil:
    watch.left = watch.stride = 1
    watch.time = watch.asked = 0


cdef inline bint stopped(Watch *watch) noexcept nogil:
    """Whether to stop, for loops without the GIL: True leaves an exception for raise_reason. Cheap enough to ask at every step."""
    watch.left -= 1
    return watch.left <= 0 and look(watch)
