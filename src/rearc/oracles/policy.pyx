"""The exploration policy for Python."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from rearc.oracles.base cimport Oracle
from rearc.systems.base cimport State, transition_from, transition_name
from rearc.systems.config cimport NONE, Config, Transition

import numpy as np


cdef class RandomWalk:
    """A random walk: an optimal transition with probability `follow`, any allowed one otherwise.

    >>> from rearc.oracles import oracle
    >>> judge = oracle("arc-hybrid", "dynamic", [0, 2, 0])
    >>> RandomWalk(0.9).choose(judge, judge.start())
    'shift'
    """
    cdef double explore
    cdef uint64_t random

    def __cinit__(self, double follow, uint64_t seed=1):
        self.explore = 1 - follow
        self.random = seed

    def choose(self, Oracle judge not None, State state not None):
        """The next transition; with follow = 1 the first optimal one."""
        cdef const Config *c = judge.view(state)
        cdef size_t size = 2 * c.n + 4
        cdef Transition *ts = <Transition *>malloc(2 * size * sizeof(Transition))
        if ts == NULL:
            raise MemoryError("no memory for the transitions")
        cdef int *costs = ts + size         # first the optimal transitions, then 0 for what is one of them
        cdef int k, count, good
        try:
            good = judge.optimal_into(c, costs)
            if not good:
                raise ValueError(f"found the terminal configuration {state}, expected one with a transition to choose")
            count = judge.allowed_into(c, ts)
            if self.explore <= 0:
                return transition_name(costs[0])
            wanted = [costs[k] for k in range(good)]
            for k in range(count):
                costs[k] = ts[k] not in wanted
            return transition_name(ts[wander(costs, count, self.explore, &self.random)])
        finally:
            free(ts)


def best_of(legal, scores, optimal):
    """The best-scoring optimal transition, as training finds it among the legal ones; None if one of them is not legal.

    >>> best_of(["shift", "left-arc", "right-arc"], [1, 3, 2], ["shift", "right-arc"])
    'right-arc'
    """
    cdef int[::1] ts = np.array([transition_from(name) for name in legal], dtype=np.intc)
    cdef int[::1] wanted = np.array([transition_from(name) for name in optimal], dtype=np.intc)
    cdef float[::1] values = np.array(scores, dtype=np.float32)
    if ts.shape[0] != values.shape[0]:
        raise ValueError(f"found {values.shape[0]} scores, expected {ts.shape[0]}, one for each legal transition")
    if not ts.shape[0] or not wanted.shape[0]:
        return None
    cdef int best = best_optimal(&ts[0], <int>ts.shape[0], &values[0], &wanted[0], <int>wanted.shape[0], NULL)
    return None if best == NONE else transition_name(ts[best])
