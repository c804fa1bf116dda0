"""Derivations and random walks over whole treebanks, in C and without the GIL.

Each call works with the judge's own memory: give every thread a judge of its own, and let all share the Trees.
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc, realloc

from rearc.oracles.base cimport Oracle
from rearc.oracles.random cimport draw, uniform
from rearc.systems.base cimport System
from rearc.systems.config cimport NONE, SWAP, Config, Transition, config_free, config_reset, kind_of


cdef class Trees:
    """Gold trees [0, g(1), …, g(n)] one behind the other in one array of heads."""
    cdef readonly object heads
    cdef readonly object offsets            # tree t is heads[offsets[t]:offsets[t+1]]
    cdef const int[::1] h
    cdef const int64_t[::1] at
    cdef readonly int longest               # words of the longest one

    def __init__(self, trees):
        arrays = [np.asarray(tree, dtype=np.intc) for tree in trees]
        self.offsets = np.zeros(len(arrays) + 1, dtype=np.int64)
        np.cumsum([len(a) for a in arrays], out=self.offsets[1:])
        self.heads = np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.intc)
        self.h = self.heads
        self.at = self.offsets
        self.longest = max((len(a) for a in arrays), default=1) - 1

    def __len__(self):
        return len(self.at) - 1

    @property
    def words(self):
        return len(self.h) - len(self)


cdef int out_of_memory() except -1:
    raise MemoryError("no memory for the configurations of this treebank")


def derive(Oracle judge not None, Trees trees not None, Trees against=None, *, int start=0, stop=None):
    """Follow the judge's first optimal transition through each tree from start to stop.

    Returns an int array with a row a tree: transitions, swaps, words that got their head in `against` (or in the tree itself).
    """
    if against is None:
        against = trees
    if not np.array_equal(against.offsets, trees.offsets):
        raise ValueError("found trees of other lengths, expected the same sentences")
    cdef int last = len(trees) if stop is None else stop
    cdef int t, n, d, length, swaps, right
    cdef int failed = 0
    result = np.zeros((last - start, 3), dtype=np.intc)
    cdef int[:, ::1] out = result
    cdef Transition *ts = <Transition *>malloc((2 * trees.longest + 4) * sizeof(Transition))
    cdef Config c
    c.memory = NULL
    c.capacity = 0
    with nogil:
        for t in range(start, last):
            n = <int>(trees.at[t + 1] - trees.at[t]) - 1
            if ts == NULL or judge.bind(&trees.h[trees.at[t]], NULL, n) < 0 or config_reset(&c, n) < 0:
                failed = 1
                break
            judge.system.begin(&c)
            length = swaps = right = 0
            while not judge.system.finished(&c):
                judge.optimal_into(&c, ts)
                length += 1
                swaps += kind_of(ts[0]) == SWAP
                judge.follow(&c, ts[0], NONE)
            for d in range(1, n + 1):
                right += (0 if c.head[d] == NONE else c.head[d]) == against.h[trees.at[t] + d]
            out[t - start, 0] = length
            out[t - start, 1] = swaps
            out[t - start, 2] = right
        config_free(&c)
        free(ts)
    if failed:
        out_of_memory()
    return result


def record(Oracle judge not None, Trees trees not None):
    """The derivations of `derive` themselves: (transitions, offsets), both flat arrays, for `replay`."""
    cdef int t, n
    cdef int64_t filled = 0, room = 4 * (trees.words + 1)
    cdef int failed = 0
    offsets = np.zeros(len(trees) + 1, dtype=np.int64)
    cdef int64_t[::1] at = offsets
    cdef Transition *ts = <Transition *>malloc((2 * trees.longest + 4) * sizeof(Transition))
    cdef Transition *taken = <Transition *>malloc(room * sizeof(Transition))
    cdef Transition *more
    cdef Config c
    c.memory = NULL
    c.capacity = 0
    with nogil:
        failed = ts == NULL or taken == NULL
        for t in range(len(trees.at) - 1):
            n = <int>(trees.at[t + 1] - trees.at[t]) - 1
            if failed or judge.bind(&trees.h[trees.at[t]], NULL, n) < 0 or config_reset(&c, n) < 0:
                failed = 1
                break
            judge.system.begin(&c)
            while not judge.system.finished(&c):
                judge.optimal_into(&c, ts)
                if filled == room:
                    room *= 2
                    more = <Transition *>realloc(taken, room * sizeof(Transition))
                    if more == NULL:
                        failed = 1
                        break
                    taken = more
                taken[filled] = ts[0]
                filled += 1
                judge.follow(&c, ts[0], NONE)
            at[t + 1] = filled
        config_free(&c)
        free(ts)
    try:
        if failed:
            out_of_memory()
        return np.asarray(<Transition[:filled]>taken).copy() if filled else np.zeros(0, dtype=np.intc), offsets
    finally:
        free(taken)


def replay(System system not None, Trees trees not None, transitions, offsets):
    """Apply recorded derivations and nothing else; returns the words that got their gold head."""
    cdef const int[::1] taken = transitions
    cdef const int64_t[::1] at = offsets
    cdef int t, n, d
    cdef int64_t k, right = 0
    cdef int failed = 0
    cdef Config c
    c.memory = NULL
    c.capacity = 0
    with nogil:
        for t in range(len(trees.at) - 1):
            n = <int>(trees.at[t + 1] - trees.at[t]) - 1
            if config_reset(&c, n) < 0:
                failed = 1
                break
            system.begin(&c)
            for k in range(at[t], at[t + 1]):
                system.act(&c, taken[k], NONE)
            for d in range(1, n + 1):
                right += (0 if c.head[d] == NONE else c.head[d]) == trees.h[trees.at[t] + d]
        config_free(&c)
    if failed:
        out_of_memory()
    return right


def walk(Oracle judge not None, Trees trees not None, *, double follow=0.9, uint64_t seed=1, int start=0, stop=None):
    """All costs at every configuration of a random walk through each tree.

    The walk takes an optimal transition with probability `follow`, any allowed one otherwise.
    Returns (configurations visited, sum of the costs of the transitions taken).
    """
    cdef int last = len(trees) if stop is None else stop
    cdef int t, n, k, count, least, ties, choice
    cdef int failed = 0
    cdef int64_t visited = 0, paid = 0
    cdef uint64_t random = seed
    cdef int *costs = <int *>malloc((2 * trees.longest + 4) * sizeof(int))
    cdef Transition *ts = <Transition *>malloc((2 * trees.longest + 4) * sizeof(Transition))
    cdef Config c
    c.memory = NULL
    c.capacity = 0
    with nogil:
        for t in range(start, last):
            n = <int>(trees.at[t + 1] - trees.at[t]) - 1
            if ts == NULL or costs == NULL or judge.bind(&trees.h[trees.at[t]], NULL, n) < 0 or config_reset(&c, n) < 0:
                failed = 1
                break
            judge.system.begin(&c)
            while not judge.system.finished(&c):
                count = judge.allowed_into(&c, ts)
                judge.costs_into(&c, ts, count, costs)
                visited += 1
                if uniform(&random) < follow:
                    choice = ties = 0
                    least = costs[0] + 1
                    for k in range(count):
                        if costs[k] < least:
                            least = costs[k]
                            choice = k
                            ties = 1
                        elif costs[k] == least:
                            ties += 1
                            if draw(&random) % <uint64_t>ties == 0:
                                choice = k
                else:
                    choice = <int>(draw(&random) % <uint64_t>count)
                paid += costs[choice]
                judge.follow(&c, ts[choice], NONE)
        config_free(&c)
        free(ts)
        free(costs)
    if failed:
        out_of_memory()
    return visited, paid
