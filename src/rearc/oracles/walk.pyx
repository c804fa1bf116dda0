"""Derivations and random walks over whole treebanks, in C and without the GIL.

Each call works with a judge of its own, made after the one it is given: a judge stays bound to its tree, and may serve several
threads at once.
"""

from operator import index

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc, realloc

from rearc.interrupt cimport Watch, raise_reason, stopped, watch_begin
from rearc.oracles.base cimport Oracle, cost_vector
from rearc.oracles.policy cimport any_of, strays, wander
from rearc.systems.base cimport System, check_length
from rearc.systems.config cimport NONE, SWAP, Config, Transition, config_free, config_reset, kind_of
from rearc.treebank.structure cimport as_heads, check


cdef class Trees:
    """Gold trees [0, g(1), …, g(n)] one behind the other in one array of heads.

    >>> trees = Trees([[0, 2, 0], [0, 0]])
    >>> len(trees), trees.words
    (2, 3)
    """
    cdef readonly object heads              # read-only arrays
    cdef readonly object offsets            # tree t is heads[offsets[t]:offsets[t+1]]
    cdef const int[::1] h
    cdef const int64_t[::1] at
    cdef readonly int longest               # words of the longest one

    def __cinit__(self, trees):
        arrays = [np.asarray(checked(tree)) for tree in trees]
        lengths = [len(a) for a in arrays]
        self.offsets = sealed(np.cumsum([0, *lengths], dtype=np.int64))
        self.heads = sealed(np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.intc))
        self.h = self.heads
        self.at = self.offsets
        self.longest = max(lengths, default=1) - 1

    def __len__(self):
        return len(self.at) - 1

    @property
    def words(self):
        return len(self.h) - len(self)


cdef object sealed(array):
    """The same numbers where nobody can change them."""
    return np.frombuffer(array.tobytes(), dtype=array.dtype)


cdef const int[::1] checked(tree):
    cdef const int[::1] heads = as_heads(tree)
    check_length(heads.shape[0] - 1)
    check(heads, tree)
    return heads


cdef enum:
    NO_MEMORY = -1
    STOPPED = 1
    STRETCH = 1024                    # steps of a replay between two questions


cdef int fail(int error) except -1:
    if error == STOPPED:
        raise_reason()
    raise MemoryError("no memory for the configurations of this treebank")


cdef struct Walker:                         # one configuration, and room for its transitions
    Config c
    Transition *ts
    int *costs
    Watch watch


cdef int open_walker(Walker *w, int longest) except -1:
    cdef size_t size = 2 * longest + 4
    w.c.memory = NULL
    w.c.capacity = 0
    watch_begin(&w.watch)
    w.ts = <Transition *>malloc(2 * size * sizeof(int))
    if w.ts == NULL:
        fail(NO_MEMORY)
    w.costs = w.ts + size
    return 0


cdef void close_walker(Walker *w) noexcept nogil:
    config_free(&w.c)
    free(w.ts)


cdef int begin(Walker *w, Oracle judge, Trees trees, int t) noexcept nogil:
    """Bind the judge to tree t and go to the start; −1 if memory is out."""
    cdef int n = <int>(trees.at[t + 1] - trees.at[t]) - 1
    if judge.bind(&trees.h[trees.at[t]], NULL, n) < 0 or config_reset(&w.c, n) < 0:
        return -1
    judge.system.begin(&w.c)
    return 0


cdef int right_heads(const Config *c, Trees trees, int t) noexcept nogil:
    cdef int d, right = 0
    for d in range(1, c.n + 1):
        right += (0 if c.head[d] == NONE else c.head[d]) == trees.h[trees.at[t] + d]
    return right


cdef (int, int) part_of(Trees trees, start, stop):
    start, stop = index(start), len(trees) if stop is None else index(stop)
    if not 0 <= start <= stop <= len(trees):
        raise ValueError(f"found trees {start} to {stop}, expected a part of 0 to {len(trees)}")
    return start, stop


def derive(Oracle judge not None, Trees trees not None, Trees against=None, *, start=0, stop=None):
    """Follow the judge's first optimal transition through each tree from start to stop.

    Returns an int array with a row a tree: transitions, swaps, words that got their head in `against` (or in the tree itself).
    """
    if against is None:
        against = trees
    if not np.array_equal(against.offsets, trees.offsets):
        raise ValueError("found trees of other lengths, expected the same sentences")
    cdef int first, last, t, length, swaps, error = 0
    first, last = part_of(trees, start, stop)
    result = np.zeros((last - first, 3), dtype=np.intc)
    cdef int[:, ::1] out = result
    cdef Oracle own = judge.twin()
    cdef Walker w
    open_walker(&w, trees.longest)
    with nogil:
        for t in range(first, last):
            error = begin(&w, own, trees, t)
            if error:
                break
            length = swaps = 0
            while not error and not own.system.finished(&w.c):
                own.optimal_into(&w.c, w.ts)
                length += 1
                swaps += kind_of(w.ts[0]) == SWAP
                own.follow(&w.c, w.ts[0], NONE)
                if stopped(&w.watch):
                    error = STOPPED
            if error:
                break
            out[t - first, 0] = length
            out[t - first, 1] = swaps
            out[t - first, 2] = right_heads(&w.c, against, t)
        close_walker(&w)
    if error:
        fail(error)
    return result


cdef class Derivations:
    """The derivations of `derive` themselves, one a tree, for `replay`."""
    cdef readonly System system
    cdef readonly Trees trees
    cdef readonly object offsets            # of derivation t: offsets[t]…offsets[t+1]
    cdef Transition *taken
    cdef const int64_t[::1] at

    def __cinit__(self, Oracle judge not None, Trees trees not None):
        cdef int t, error = 0
        cdef int64_t filled = 0, room = 4 * (trees.words + 1)
        cdef Transition *more
        cdef Oracle own = judge.twin()
        cdef Walker w
        offsets = np.zeros(len(trees) + 1, dtype=np.int64)
        cdef int64_t[::1] at = offsets
        self.system = judge.system
        self.trees = trees
        self.taken = <Transition *>malloc(room * sizeof(Transition))
        if self.taken == NULL:
            fail(NO_MEMORY)
        open_walker(&w, trees.longest)
        with nogil:
            for t in range(<int>at.shape[0] - 1):
                error = begin(&w, own, trees, t)
                while not error and not own.system.finished(&w.c):
                    if filled == room:
                        more = <Transition *>realloc(self.taken, 2 * room * sizeof(Transition))
                        if more == NULL:
                            error = NO_MEMORY
                            break
                        self.taken = more
                        room *= 2
                    own.optimal_into(&w.c, w.ts)
                    self.taken[filled] = w.ts[0]
                    filled += 1
                    own.follow(&w.c, w.ts[0], NONE)
                    if stopped(&w.watch):
                        error = STOPPED
                if error:
                    break
                at[t + 1] = filled
            close_walker(&w)
        if error:
            fail(error)
        self.offsets = sealed(offsets)
        self.at = self.offsets

    def __dealloc__(self):
        free(self.taken)

    def __len__(self):
        """The number of transitions."""
        return self.at[len(self.at) - 1]


def replay(Derivations derivations not None):
    """Apply recorded derivations and nothing else; returns the words that got their gold head."""
    cdef System system = derivations.system
    cdef Trees trees = derivations.trees
    cdef const Transition *taken = derivations.taken
    cdef const int64_t[::1] at = derivations.at
    cdef int t, error = 0
    cdef int64_t k, end, right = 0
    cdef Watch watch
    watch_begin(&watch)
    cdef Config c
    c.memory = NULL
    c.capacity = 0
    with nogil:
        for t in range(<int>trees.at.shape[0] - 1):
            if config_reset(&c, <int>(trees.at[t + 1] - trees.at[t]) - 1) < 0:
                error = NO_MEMORY
                break
            system.begin(&c)
            # a step here is so quick that to ask after each would be felt: after so many is soon enough
            k = at[t]
            while k < at[t + 1]:
                end = min(k + STRETCH, at[t + 1])
                for k in range(k, end):
                    system.act(&c, taken[k], NONE)
                k = end
                if stopped(&watch):
                    error = STOPPED
                    break
            if error:
                break
            right += right_heads(&c, trees, t)
        config_free(&c)
    if error:
        fail(error)
    return right


def walk(Oracle judge not None, Trees trees not None, *, double follow=0.9, uint64_t seed=1, start=0, stop=None, bint optimal=False):
    """All costs at every configuration of a random walk through each tree.

    The walk takes a transition of least cost with probability `follow`, any allowed one otherwise.
    Returns (configurations visited, sum of the costs of the transitions taken).

    With `optimal` the judge is asked for its optimal transitions instead, as training asks it, and one of them taken; the sum is 0.
    """
    cdef int first, last, t, k, count, error = 0
    cdef int64_t visited = 0, paid = 0
    cdef uint64_t random = seed
    cdef double explore = 1 - follow
    cdef Oracle own = judge.twin()
    cdef Walker w
    first, last = part_of(trees, start, stop)
    open_walker(&w, trees.longest)
    cdef Transition *ts = w.ts
    cdef int *costs = w.costs
    with nogil:
        for t in range(first, last):
            error = begin(&w, own, trees, t)
            if error:
                break
            while not error and not own.system.finished(&w.c):
                visited += 1
                if optimal:
                    count = own.optimal_into(&w.c, ts)
                    if strays(explore, &random):
                        count = own.allowed_into(&w.c, ts)
                    k = any_of(count, &random)
                else:
                    count = own.allowed_into(&w.c, ts)
                    cost_vector(own, &w.c, ts, count, costs)
                    k = wander(costs, count, explore, &random)
                    paid += costs[k]
                own.follow(&w.c, ts[k], NONE)
                if stopped(&w.watch):
                    error = STOPPED
            if error:
                break
        close_walker(&w)
    if error:
        fail(error)
    return visited, paid
