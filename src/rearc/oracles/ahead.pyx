"""The least number of gold arcs that Attardi's system loses on its way from a configuration to the end, exactly.

What lies ahead depends on σ and β alone, and comes down to which gold arcs are given up. Given these, the way is clear: a word of
the top three whose dependents are there, and whose head is in place or does not matter, can go at once, and goes: that only brings
the others nearer to each other. Else the next word is shifted. So the search decides nothing but what to give up, and only where
it makes a difference: where a word of the top three could go. With L arcs to give up among the K words that have to wait it looks at no more
than some K over L ways, each of O(n) steps; along a gold derivation, at one. Gómez-Rodríguez, Sartorio & Satta (2014) tabulate in O(n⁸).
"""

from libc.string cimport memcpy

from rearc.oracles.base cimport Oracle
from rearc.oracles.room cimport free_room, make_room
from rearc.systems.config cimport GONE, NONE, Config

cdef enum:
    REACH = 3                       # arcs join words among so many at the top of the stack


cdef void lay_out(Rest *r, char *block, size_t size) noexcept nogil:
    r.stack = <int *>block
    r.pending = r.stack + size
    r.refused = r.pending + size
    r.open = <unsigned char *>(r.refused + size)


cdef size_t block_size(size_t size) noexcept nogil:
    return size * (3 * sizeof(int)) + (size + 3) // 4 * 4


cdef int ahead_prepare(Ahead *a, Oracle o) noexcept nogil:
    cdef size_t size = o.n + 2
    cdef int k
    cdef char *block
    a.n = o.n
    a.single_root = o.system.single_root
    a.gold, a.dependents, a.first = o.gold, o.dependents, o.first
    block = <char *>make_room(&a.room, o.n, (DEEPEST + 2) * (3 * sizeof(int) + 4))    # touched as far as it is needed
    if block == NULL:
        return -1
    lay_out(&a.base, block, size)
    for k in range(DEEPEST + 1):
        block += block_size(size)
        lay_out(&a.frames[k], block, size)
    return 0


cdef void ahead_free(Ahead *a) noexcept nogil:
    free_room(&a.room)


cdef void ahead_look(Ahead *a, const Config *c, long steps) noexcept nogil:
    cdef Rest *r = &a.base
    cdef int d, g
    a.steps = steps
    r.depth = c.depth
    r.j = c.buffer[c.front] if c.front < c.back else c.n + 1
    memcpy(r.stack, c.stack, c.depth * sizeof(int))
    for d in range(c.n + 1):
        r.pending[d] = r.refused[d] = 0
    r.open[0] = False
    for d in range(1, c.n + 1):
        g = a.gold[d]
        r.open[d] = c.place[d] != GONE and g != NONE and c.place[g] != GONE
        if r.open[d]:
            r.pending[g] += 1


cdef void copy(Rest *target, const Rest *source, int n) noexcept nogil:
    cdef size_t size = n + 1
    target.j, target.depth = source.j, source.depth
    memcpy(target.stack, source.stack, source.depth * sizeof(int))
    memcpy(target.pending, source.pending, size * sizeof(int))
    memcpy(target.refused, source.refused, size * sizeof(int))
    memcpy(target.open, source.open, size)


cdef inline int word(const Rest *r, int k) noexcept nogil:
    return r.stack[r.depth - 1 - k]


cdef inline void push(Rest *r) noexcept nogil:
    r.stack[r.depth] = r.j
    r.depth += 1
    r.j += 1


cdef inline bint removable(const Ahead *a, const Rest *r, int k) noexcept nogil:
    """sk can become a dependent: s0 of a word below, the others of s0. With one root, 0 gets the last word of all."""
    if k > 0:
        return r.depth > k + 1
    return r.depth > 2 or (r.depth == 2 and not (a.single_root and r.j <= a.n))


cdef inline bint in_place(const Ahead *a, const Rest *r, int k) noexcept nogil:
    """The gold head of sk, which is removable, is where it can get it."""
    cdef int g = a.gold[word(r, k)]
    if k > 0:
        return g == word(r, 0)
    if g == word(r, 1):
        return True
    return r.depth > 2 and g == word(r, 2) and not (a.single_root and g == 0)


cdef inline bint is_wrong(const Ahead *a, const Rest *r, int k) noexcept nogil:
    """Removing sk now gives its gold arc up."""
    return r.open[word(r, k)] and not in_place(a, r, k)


cdef void remove(const Ahead *a, Rest *r, int d) noexcept nogil:
    """d gets a head and leaves the stack; gold arcs from it are given up."""
    cdef int k, place = r.depth - 1
    if r.pending[d]:
        for k in range(a.first[d], a.first[d + 1]):
            r.open[a.dependents[k]] = False
    if r.open[d]:
        r.open[d] = False
        r.pending[a.gold[d]] -= 1
    while r.stack[place] != d:
        place -= 1
    r.depth -= 1
    while place < r.depth:
        r.stack[place] = r.stack[place + 1]
        place += 1


cdef void settle(Ahead *a, Rest *r) noexcept nogil:
    """All that can go without a loss goes."""
    cdef int k = 0
    while k < REACH and k < r.depth - 1:
        a.steps -= 1
        if removable(a, r, k) and r.pending[word(r, k)] == 0 and not is_wrong(a, r, k):
            remove(a, r, word(r, k))
            k = 0
        else:
            k += 1


cdef bint is_refused(const Rest *r, int w, bint wrong) noexcept nogil:
    """It was decided not to give up these arcs, or some of them: the same dependents, and w's own only if it was among them."""
    cdef int before = r.refused[w] - 1
    return before >= 0 and before >> 1 == r.pending[w] and (wrong or not before & 1)


cdef bint search(Ahead *a, int frame, int limit) noexcept nogil:
    """The end can be reached from here with `limit` arcs given up."""
    cdef Rest *r = &a.frames[frame]
    cdef int k, w, cost
    cdef bint wrong
    while True:
        settle(a, r)
        if r.depth == 1 and r.j > a.n:
            return True
        if a.steps <= 0:
            return False
        if limit > 0 and frame < DEEPEST:
            for k in range(min(REACH, r.depth - 1)):
                w = word(r, k)
                if not removable(a, r, k):
                    continue
                wrong = is_wrong(a, r, k)
                cost = r.pending[w] + wrong
                if cost > limit or is_refused(r, w, wrong):
                    continue
                copy(&a.frames[frame + 1], r, a.n)
                a.steps -= a.n >> 3
                remove(a, &a.frames[frame + 1], w)
                if search(a, frame + 1, limit - cost):
                    return True
                r.refused[w] = 1 + (r.pending[w] << 1 | wrong)
        if r.j > a.n:
            return False
        push(r)


cdef bint ahead_reaches(Ahead *a, int limit) noexcept nogil:
    copy(&a.frames[0], &a.base, a.n)
    a.steps -= a.n >> 3
    return search(a, 0, limit)


cdef int complete(Ahead *a, Rest *r) noexcept nogil:
    """Go to the end; where nothing can go without a loss and nothing is left to shift, what costs least goes."""
    cdef int k, cost, best, least, lost = 0
    while True:
        settle(a, r)
        if r.j <= a.n:
            push(r)
            continue
        if r.depth == 1:
            return lost
        best = least = NONE
        for k in range(min(REACH, r.depth - 1)):
            if removable(a, r, k):
                cost = r.pending[word(r, k)] + is_wrong(a, r, k)
                if best == NONE or cost < least:
                    best, least = k, cost
        lost += least
        remove(a, r, word(r, best))


cdef int ahead_greedy(Ahead *a) noexcept nogil:
    copy(&a.frames[0], &a.base, a.n)
    return complete(a, &a.frames[0])


cdef int ahead_price(Ahead *a, int h, int d) noexcept nogil:
    cdef bint wrong = a.base.open[d] and a.gold[d] != h
    return a.base.pending[d] + wrong


cdef void go_on(Ahead *a, int d) noexcept nogil:
    copy(&a.frames[0], &a.base, a.n)
    a.steps -= a.n >> 3
    if d == NONE:
        push(&a.frames[0])
    else:
        remove(a, &a.frames[0], d)


cdef bint ahead_reaches_after(Ahead *a, int d, int limit) noexcept nogil:
    go_on(a, d)
    return search(a, 0, limit)


cdef int ahead_greedy_after(Ahead *a, int d) noexcept nogil:
    go_on(a, d)
    return complete(a, &a.frames[0])
