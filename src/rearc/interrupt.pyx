"""Stopping compiled loops: Ctrl-C and other signals are seen, and threads of which nobody wants the result any more end.

Python looks at signals between two of its own instructions, which is never as long as a loop runs in C.
"""

from cpython.ref cimport PyObject
from libc.stdint cimport int64_t

from _thread import _local

cdef extern from "Python.h":
    int PyErr_CheckSignals() noexcept       # runs what is to be run for a signal, in the main thread alone; −1: an exception is set
    PyObject *PyErr_Occurred() noexcept
    void PyErr_SetNone(object kind) noexcept

cdef extern from "<time.h>":
    struct timespec:
        int64_t tv_sec
        long tv_nsec
    int TIME_UTC
    int timespec_get(timespec *time, int base) noexcept nogil

cdef enum:
    SLOW = 10                               # milliseconds
    PAUSE = 50                              # to ask takes the GIL, for which one may have to wait

_of_thread = _local()


class Abandoned(Exception):
    """The reason to stop in a thread of an abandoned Job."""


class Job:
    """Work that several threads do; each of them does it within `with job:`."""

    def __init__(self):
        self.abandoned = False

    def abandon(self):
        """Let all of them stop soon."""
        self.abandoned = True

    def __enter__(self):
        _of_thread.job = self
        return self

    def __exit__(self, *exception):
        _of_thread.job = None


cdef bint look(Watch *watch) noexcept nogil:
    cdef timespec time
    timespec_get(&time, TIME_UTC)
    cdef int64_t now = time.tv_sec * 1000 + time.tv_nsec // 1000000
    if watch.time != 0 and not 0 <= now - watch.time < SLOW:
        watch.stride = 1
    elif watch.stride < STRIDE:
        watch.stride *= 2
    watch.left = watch.stride
    watch.time = now
    if watch.asked == 0:
        watch.asked = now
    if 0 <= now - watch.asked < PAUSE:
        return False
    watch.asked = now
    with gil:
        if PyErr_CheckSignals() < 0:
            return True
        job = getattr(_of_thread, "job", None)
        if job is not None and job.abandoned:
            PyErr_SetNone(Abandoned)
            return True
    return False


cdef int raise_reason() except -1:
    """Raise what `stopped` left, when all memory is free again."""
    if PyErr_Occurred() == NULL:
        raise RuntimeError("nothing was interrupted")
    return -1
