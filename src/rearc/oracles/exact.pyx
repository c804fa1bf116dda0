"""The exact loss of a configuration by exhaustive search (Fernández-González & Gómez-Rodríguez 2017, §5).

For each L, from the least possible upwards: is there a path to a terminal configuration with at most L wrong heads? A branch is
dropped when its lower bound exceeds L, and the search ends as soon as an upper bound does not. Where a system has
no bounds of its own, the words whose wrong head is final are the lower one. No configuration is visited twice for one L.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals

from rearc.oracles.base cimport Oracle, is_known, is_right
from rearc.systems.base cimport State, System
from rearc.systems.config cimport GONE, NONE, Config, Transition, config_copy

from libc.stdlib cimport free, malloc


class SearchLimit(RuntimeError):
    """The search visited more configurations than it was allowed."""


cdef bytes key(const Config *c):
    """All that the future of a configuration depends on."""
    cdef int word = sizeof(int)
    return b"".join((
        PyBytes_FromStringAndSize(<const char *>c, <const char *>&c.head - <const char *>c),   # the numbers before the arrays
        PyBytes_FromStringAndSize(<const char *>c.head, (c.n + 1) * word),
        PyBytes_FromStringAndSize(<const char *>c.label, (c.n + 1) * word),
        PyBytes_FromStringAndSize(<const char *>c.stack, c.depth * word),
        PyBytes_FromStringAndSize(<const char *>(c.buffer + c.front), (c.back - c.front) * word),
        PyBytes_FromStringAndSize(<const char *>c.mark, c.n + 1),
    ))


cdef int wrong_heads(Oracle o, const Config *c) noexcept nogil:
    """Wrong heads of a terminal configuration; a headless word hangs on the root."""
    cdef int d, wrong = 0
    for d in range(1, c.n + 1):
        if c.head[d] == NONE:
            wrong += o.gold[d] > 0
        else:
            wrong += is_known(o, d) and not is_right(o, c, d)
    return wrong


cdef int final_errors(Oracle o, const Config *c, bint monotonic) noexcept nogil:
    """Words whose head is wrong and can no longer change."""
    cdef int d, wrong = 0
    for d in range(1, c.n + 1):
        if c.head[d] != NONE and (monotonic or c.place[d] == GONE):
            wrong += is_known(o, d) and not is_right(o, c, d)
    return wrong


cdef State state_in(System system, const Config *c):
    cdef State state = State.__new__(State, system, c.n)
    if config_copy(&state.c, c) < 0:
        raise MemoryError("no memory for the search")
    return state


cdef class Search:
    """Search from configurations of one system against one gold tree."""

    def __cinit__(self, System system not None, Oracle gold not None, Oracle lower=None, Oracle upper=None):
        for judge in (gold, lower, upper):
            if judge is not None and not system.is_like((<Oracle>judge).system):
                raise ValueError(f"found {judge!r}, expected an oracle of {system!r}")
        self.system = system
        self.gold = gold
        self.lower = lower
        self.upper = upper
        self.monotonic = system.traits.monotonic

    cdef int least(self, const Config *c) except -1:
        return self.lower.loss_of(c) if self.lower is not None else final_errors(self.gold, c, self.monotonic)

    cdef bint within(self, const Config *c, int limit) except -1:
        if self.system.finished(c):
            return wrong_heads(self.gold, c) <= limit
        return self.upper is not None and self.upper.loss_of(c) <= limit

    def loss(self, State state not None, long max_configurations=SEARCHED):
        """The least number of wrong heads among the trees that the state can still reach."""
        for judge in (self.gold, self.lower, self.upper):
            if judge is not None:
                (<Oracle>judge).adopt(state)
        return self.loss_from(&state.c, max_configurations)

    cdef int loss_from(self, const Config *c, long max_configurations) except -1:
        cdef int limit
        for limit in range(self.least(c), c.n + 1):
            if self.reaches(c, limit, max_configurations):
                return limit
        raise AssertionError("no terminal configuration is reachable")

    cdef bint reaches(self, const Config *start, int limit, long max_configurations) except -1:
        if self.within(start, limit):
            return True
        cdef State state = state_in(self.system, start), after
        cdef int k, count, n = start.n
        cdef long steps = 0
        cdef Transition *ts = <Transition *>malloc((2 * n + 4) * sizeof(Transition))
        if ts == NULL:
            raise MemoryError("no memory for the search")
        seen = {key(start)}
        waiting = [state]
        try:
            while waiting:
                steps += 1
                if steps % 1024 == 0:
                    PyErr_CheckSignals()                # so that Ctrl-C ends a long search
                state = waiting.pop()
                count = self.system.legal_into(&state.c, ts)
                for k in range(count):
                    after = state_in(self.system, &state.c)
                    self.system.act(&after.c, ts[k], self.gold.label_of(&state.c, ts[k]))
                    if self.least(&after.c) > limit:
                        continue
                    if self.within(&after.c, limit):
                        return True
                    mark = key(&after.c)
                    if mark not in seen:
                        if len(seen) >= max_configurations:
                            raise SearchLimit(
                                f"the search for the loss of a sentence of {n} words visited {max_configurations:,} "
                                "configurations; give it more (max_configurations) or a shorter sentence"
                            )
                        seen.add(mark)
                        waiting.append(after)
            return False
        finally:
            free(ts)

    def __reduce__(self):
        return type(self), (self.system, self.gold, self.lower, self.upper)
