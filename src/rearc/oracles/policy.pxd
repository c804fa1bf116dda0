"""What a walk through a sentence follows: the one exploration policy, of training and of random walks alike.

Goldberg & Nivre (2012): mostly an optimal transition, sometimes another, so that the configurations behind a mistake are seen too.
"""

from libc.stdint cimport uint64_t

from rearc.oracles.base cimport Oracle
from rearc.oracles.random cimport draw, uniform
from rearc.systems.config cimport NONE, Config, Transition


cdef enum:
    AT_FAULT = -3                       # an oracle's optimal transition is not legal


cdef inline int place_of(Transition t, const Transition *ts, int count) noexcept nogil:
    """The position of t in ts, or NONE."""
    cdef int k
    for k in range(count):
        if ts[k] == t:
            return k
    return NONE


cdef inline int best_optimal(const Transition *ts, int count, const float *scores, const Transition *optimal, int good,
                             unsigned char *right) noexcept nogil:
    """The position in ts of the best-scoring optimal transition; right, unless it is NULL, gets a 1 for every optimal one.

    NONE if there is no optimal transition, or one that is not in ts: then the oracle is at fault.
    """
    cdef int k, start, m = 0, best = NONE
    if count == 0:
        return NONE
    for k in range(good):
        start = m                       # both lists are nearly always in the same order
        while ts[m] != optimal[k]:
            m = m + 1 if m + 1 < count else 0
            if m == start:
                return NONE
        if right != NULL:
            right[m] = 1
        if best == NONE or scores[m] > scores[best]:
            best = m
    return best


cdef inline bint strays(double explore, uint64_t *random) noexcept nogil:
    """With probability `explore`."""
    return explore > 0 and uniform(random) < explore


cdef inline Transition followed(Oracle judge, const Config *c, Transition best, Transition predicted, double explore,
                                uint64_t *random, Transition *room) noexcept nogil:
    """Training: the best optimal transition, or to explore the predicted one, if the oracle allows it."""
    if strays(explore, random) and place_of(predicted, room, judge.allowed_into(c, room)) != NONE:
        return predicted
    return best


cdef inline int any_of(int count, uint64_t *random) noexcept nogil:
    return <int>((draw(random) >> 32) * <uint64_t>count >> 32)


cdef inline int wander(const int *costs, int count, double explore, uint64_t *random) noexcept nogil:
    """A random walk: the place of any transition of least cost, or to explore of any at all; without exploring, of the first."""
    cdef int k, least, first = 0, ties = 1
    if strays(explore, random):
        return any_of(count, random)
    least = costs[0]
    for k in range(1, count):
        if costs[k] < least:
            least = costs[k]
            first = k
            ties = 1
        elif costs[k] == least:
            ties += 1
    if ties == 1 or not explore > 0:
        return first
    ties = any_of(ties, random)
    while ties > 0:
        first += 1
        ties -= costs[first] == least
    return first
