"""A second pass of a network: once there is a tree, all pairs of words are looked at again.

The network has a score for each word on each head. A pass of covington-nonmonotonic begins with the tree, and takes an arc
where the tree that it makes scores higher than the one there is: what the word gains that gets another head and, where the
arc would close a cycle, what its new head gains or loses by hanging on the root. So the tree that comes out scores at least as
high as the one to begin with.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t

import numpy as np

from rearc.interrupt cimport Watch, raise_reason, stopped, watch_begin
from rearc.systems.base cimport System, begin_with, may_begin_with_trees
from rearc.systems.config cimport MAX_WORDS, NO_ARC, NONE, SHIFT, Config, Transition, config_free, config_reset, kind_of
from rearc.systems.one_root cimport below
from rearc.treebank.structure cimport check_all

from rearc.systems.second_pass import SYSTEM


cdef inline float worth(const float *table, const Config *c, int w) noexcept nogil:
    """The score of a word on the head that it has."""
    cdef int head = c.head[w] if c.head[w] != NONE else 0
    return table[head * <int64_t>(c.n + 1) + w]


cdef float gain(System system, const float *table, const Config *c, Transition t) noexcept nogil:
    """By how much the tree scores higher behind the transition. Shift comes when all words to the left have been seen."""
    cdef int h, d
    cdef float result
    if kind_of(t) == SHIFT:
        return -INFINITY if c.i else 0
    if kind_of(t) == NO_ARC:
        return 0
    system.arc(c, t, &h, &d)
    result = table[h * <int64_t>(c.n + 1) + d] - worth(table, c, d)
    if below(c, h, d):
        if system.single_root and c.head[d] != NONE:
            return -INFINITY        # h would be a second root
        result += table[h] - worth(table, c, h)
    return result


cdef bint look_again(System system, const float *table, Config *c, Watch *watch) noexcept nogil:
    """To the end of the sentence. False where it is to stop before."""
    cdef Transition ts[4]
    cdef Transition best
    cdef float highest, found
    cdef int count, k
    while not system.finished(c):
        count = system.legal_into(c, ts)
        best = ts[0]
        highest = gain(system, table, c, best)
        for k in range(1, count):
            found = gain(system, table, c, ts[k])
            if found > highest:
                best = ts[k]
                highest = found
        system.act(c, best, NONE)
        if stopped(watch):
            return False
    return True


def repaired(System system not None, values, sizes, heads):
    """The heads of all words behind a second pass over trees of these sizes and heads, without root slots.

    values: the tables of the sentences, one behind the other: the score of h → d in row h and column d, both from 0.
    """
    cdef const float[::1] v = values
    sizes = np.array(sizes, dtype=np.intc)          # checked, and then used without the GIL: nobody else may change them
    heads = np.array(heads, dtype=np.intc)
    may_begin_with_trees(system)
    if system.name != SYSTEM:
        raise ValueError(f"found {system!r}, expected {SYSTEM}, which looks at one pair at a time")
    cdef const int[::1] size = sizes
    cdef int[::1] h = heads
    if sizes.min(initial=1) < 1 or sizes.max(initial=1) > MAX_WORDS:
        raise ValueError(f"found sentences of {sizes.min()} to {sizes.max()} words, expected 1 to {MAX_WORDS:,}")
    words = int(sizes.sum(dtype=np.int64))
    if len(h) != words or len(v) != int(((sizes.astype(np.int64) + 1) ** 2).sum()):
        raise ValueError(f"found {len(h)} heads and {len(v)} scores of sentences of {words} words, expected a head a word, "
                         "and (n+1)² scores of n words")
    rooted = np.zeros(words + len(sizes), dtype=np.intc)
    rooted[np.delete(np.arange(words + len(sizes)), np.cumsum(sizes + 1) - sizes - 1)] = heads
    check_all(rooted, sizes)
    cdef int64_t at = 0, first = 0
    cdef Py_ssize_t s
    cdef int d, failed = 0
    cdef Watch watch
    watch_begin(&watch)
    cdef Config c
    c.memory = NULL
    c.capacity = 0
    with nogil:
        for s in range(size.shape[0]):
            if config_reset(&c, size[s]) < 0:
                failed = -1
                break
            system.begin(&c)
            begin_with(&c, &h[first] - 1, NULL)
            if not look_again(system, &v[at], &c, &watch):
                failed = 1
                break
            for d in range(1, size[s] + 1):
                h[first + d - 1] = c.head[d] if c.head[d] != NONE else 0
            first += size[s]
            at += (size[s] + 1) * <int64_t>(size[s] + 1)
        config_free(&c)
    if failed > 0:
        raise_reason()
    if failed:
        raise MemoryError("no memory to go through this sentence once more")
    return heads
