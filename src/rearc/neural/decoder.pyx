"""Greedy decoding with scores that a network computed once for each sentence, and the walks that training learns from."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

import numpy as np

from rearc.interrupt cimport Watch, raise_reason, stopped, watch_begin
from rearc.oracles.base cimport Oracle
from rearc.constraints.guard cimport Guard
from rearc.oracles.policy cimport AT_FAULT, best_optimal, followed
from rearc.systems.base cimport State, System
from rearc.systems.config cimport MAX_WORDS, NONE, Config, Transition, config_free, config_reset
from rearc.treebank.structure cimport check_all



cdef class NetworkDecoder:
    def __cinit__(self, System system not None, *weights):
        self.system = system

    cdef bint covers(self, const Sheet *sheet, int n, int64_t count) noexcept nogil:
        return False                # only a decoder that scores knows where it looks

    cdef void score(self, const Sheet *sheet, const Config *c, const Transition *ts, int count, float *scores,
                    int *cells, int *words) noexcept nogil:
        pass

    cdef bint parse_into(self, const Sheet *sheet, Config *c, Transition *ts, float *scores, int *cells, Watch *watch,
                         Guard guard) noexcept nogil:
        """From the start to a terminal configuration. False where it is to stop before."""
        cdef int words[MAX_SLOTS]
        cdef int count, k, best
        self.system.begin(c)
        if guard is not None and not guard.begin(c, &guard.plan):
            return False
        while not self.system.finished(c):
            count = self.system.legal_into(c, ts)
            best = 0
            if count > 1:
                self.score(sheet, c, ts, count, scores, cells, words)
                for k in range(1, count):
                    if scores[k] > scores[best]:
                        best = k
            if guard is not None:
                best = guard.choose(c, ts, count, scores)
                if best == NONE:
                    return False
            self.system.act(c, ts[best], NONE)
            if stopped(watch):
                return False
        return True

    def parse(self, values, sizes, sheets, strides, Guard guard=None, known=None):
        """The heads of all words of sentences of these sizes, whose scores begin where `sheets` says.

        A guard is for one sentence, or else known are the heads that it is to keep in each, −1 where a head is free.
        """
        cdef const float[::1] v = values
        sizes, sheets, strides = np.array(sizes), np.array(sheets), np.array(strides)   # checked, then used without the GIL
        cdef const int64_t[:, ::1] at = sheets
        cdef const int[::1] size = sizes
        cdef const int[::1] stride = strides
        self.check(v, at, size, stride, 0)
        cdef const int[::1] fixed = None
        if guard is not None:
            fixed = guard.known_for(self.system, sizes, known)
        cdef int longest = int(sizes.max(initial=1)), d, failed = 0
        heads = np.zeros(int(sizes.sum(dtype=np.int64)), dtype=np.intc)
        cdef int[::1] out = heads
        cdef int64_t filled = 0
        cdef Py_ssize_t s
        cdef bint interrupted = False
        cdef Watch watch
        watch_begin(&watch)
        cdef Sheet sheet
        cdef Config c
        c.memory = NULL
        c.capacity = 0
        cdef Transition *ts = <Transition *>malloc((2 * longest + 4) * sizeof(Transition))
        cdef float *scores = <float *>malloc((2 * longest + 4) * sizeof(float))
        cdef int *cells = <int *>malloc((2 * longest + 4) * sizeof(int))
        if guard is not None:
            guard.hold()
        self.users += 1
        with nogil:
            for s in range(size.shape[0]):
                if size[s] == 0:
                    continue
                if ts == NULL or scores == NULL or cells == NULL or config_reset(&c, size[s]) < 0:
                    failed = 1
                    break
                open_sheet(&sheet, &v[0], &at[s, 0], stride[s])
                if fixed is not None and guard is not None and not guard.know(&fixed[filled] - 1, size[s]):
                    failed = 1
                    break
                if not self.parse_into(&sheet, &c, ts, scores, cells, &watch, guard):
                    interrupted = True
                    break
                for d in range(1, size[s] + 1):
                    out[filled] = c.head[d] if c.head[d] != NONE else 0
                    filled += 1
            config_free(&c)
            free(ts)
            free(scores)
            free(cells)
        self.users -= 1
        if guard is not None:
            guard.let_go()
        if guard is not None and guard.failed:
            raise RuntimeError("found no way to parse this sentence within its limits")
        if interrupted:
            raise_reason()
        if failed:
            raise MemoryError("no memory to parse this sentence")
        return heads

    def scores(self, values, sizes, sheets, strides, State state not None):
        """The score of each legal transition of a configuration of one sentence, as `legal` lists them."""
        cdef const float[::1] v = values
        sizes, sheets, strides = np.array(sizes), np.array(sheets), np.array(strides)
        cdef const int64_t[:, ::1] at = sheets
        cdef const int[::1] size = sizes
        cdef const int[::1] stride = strides
        self.check(v, at, size, stride, 1)
        self.system.own(state)
        if sizes.tolist() != [state.c.n]:
            raise ValueError(f"found scores of sentences of {sizes.tolist()} words, expected one of {state.c.n} as in the state")
        cdef int room = 2 * state.c.n + 4, count
        cdef int words[MAX_SLOTS]
        cdef Transition[::1] ts = np.zeros(room, dtype=np.intc)
        cdef int[::1] cells = np.zeros(room, dtype=np.intc)
        result = np.zeros(room, dtype=np.float32)
        cdef float[::1] found = result
        cdef Sheet sheet
        count = self.system.legal_into(&state.c, &ts[0])
        if count:
            open_sheet(&sheet, &v[0], &at[0, 0], stride[0])
            self.score(&sheet, &state.c, &ts[0], count, &found[0], &cells[0], words)
        return result[:count]

    cdef int check(self, const float[::1] values, const int64_t[:, ::1] sheets, const int[::1] sizes, const int[::1] strides,
                   int least) except -1:
        """ValueError where a sheet would be read outside of the values."""
        cdef Py_ssize_t s
        cdef Sheet sheet
        if not sizes.shape[0] == sheets.shape[0] == strides.shape[0] or sheets.shape[1] != SHEET:
            raise ValueError(f"found {sizes.shape[0]} sizes, {sheets.shape[0]} × {sheets.shape[1]} starts of sheets and {strides.shape[0]} "
                             f"strides, expected as many of each, and {SHEET} starts a sentence")
        for s in range(sizes.shape[0]):
            if not least <= sizes[s] <= MAX_WORDS:
                raise ValueError(f"found a sentence of {sizes[s]} words, expected {least} to {MAX_WORDS}")
            if sizes[s]:
                open_sheet(&sheet, NULL, &sheets[s, 0], strides[s])
                if not self.covers(&sheet, sizes[s], values.shape[0]):
                    raise ValueError(f"found scores of sentence {s} that lie outside of the {values.shape[0]} values")
        return 0

    cdef int walk_into(self, const Sheet *sheet, Oracle judge, Config *c, double explore, uint64_t *random, Transition *ts,
                       Transition *optimal, float *scores, int *cells, Record *record, int64_t *mistakes,
                       Watch *watch) noexcept nogil:
        """Through one sentence by the oracle and, where the policy says so, by the scores; −1 if memory is out, AT_FAULT, 1 to stop."""
        cdef int count, good, k, best, predicted
        cdef int *words
        cdef unsigned char *right
        cdef Transition chosen
        judge.system.begin(c)
        while not judge.system.finished(c):
            count = judge.system.legal_into(c, ts)
            if stopped(watch):
                return 1
            if count == 1:
                judge.follow(c, ts[0], NONE)    # nothing to learn
                continue
            good = judge.optimal_into(c, optimal)
            if reserve(record, self.slots, count) < 0:
                return -1
            words = record.words + record.configurations * self.slots
            self.score(sheet, c, ts, count, scores, cells, words)
            right = record.optimal + record.transitions
            predicted = 0
            for k in range(count):
                right[k] = 0
                if scores[k] > scores[predicted]:
                    predicted = k
            best = best_optimal(ts, count, scores, optimal, good, right)
            if best == NONE:
                return AT_FAULT
            memcpy(record.cells + record.transitions, cells, count * sizeof(int))
            record.counts[record.configurations] = count
            record.configurations += 1
            record.transitions += count
            chosen = ts[best]
            if not right[predicted]:
                mistakes[0] += 1
                chosen = followed(judge, c, ts[best], ts[predicted], explore, random, optimal)
            judge.follow(c, chosen, NONE)
        return 0

    def walk(self, Oracle judge not None, values, sizes, sheets, strides, heads, double explore, uint64_t seed):
        """The configurations on the way through sentences with these gold heads, a root slot before each.

        Returns (transitions of each configuration, slots of each, cells of all transitions, whether each is optimal,
        configurations whose best-scoring transition is not).
        """
        cdef const float[::1] v = values
        sizes, sheets, strides, heads = np.array(sizes), np.array(sheets), np.array(strides), np.array(heads)
        cdef const int64_t[:, ::1] at = sheets
        cdef const int[::1] size = sizes
        cdef const int[::1] stride = strides
        cdef const int[::1] h = heads
        if judge.system.name != self.system.name:
            raise ValueError(f"found an oracle of {judge.system!r}, expected one of {self.system!r}")
        self.check(v, at, size, stride, 1)
        if heads.min(initial=0) < NONE:
            raise ValueError(f"found the head {heads.min()}, expected a number from 0 on, or -1 for an unknown one")
        check_all(np.maximum(heads, 0), size)   # an unknown head closes no cycle
        if not judge.takes_partial and heads.min(initial=0) < 0:
            raise ValueError(f"found unknown heads, expected whole trees for {judge!r}")
        cdef int longest = int(sizes.max(initial=1)), failed = 0
        cdef int64_t tree = 0, mistakes = 0
        cdef uint64_t random = seed
        cdef Watch watch
        watch_begin(&watch)
        cdef Py_ssize_t s
        cdef Sheet sheet
        cdef Config c
        c.memory = NULL
        c.capacity = 0
        cdef Record record
        record.counts = record.words = record.cells = NULL
        record.optimal = NULL
        record.configurations = record.transitions = record.room = record.transition_room = 0
        cdef Transition *ts = <Transition *>malloc((4 * longest + 8) * sizeof(Transition))
        cdef float *scores = <float *>malloc((2 * longest + 4) * sizeof(float))
        cdef int *cells = <int *>malloc((2 * longest + 4) * sizeof(int))
        judge = judge.twin()                # the caller's keeps its tree, and may be used by other threads meanwhile
        self.users += 1
        try:
            with nogil:
                for s in range(size.shape[0]):
                    if (ts == NULL or scores == NULL or cells == NULL or config_reset(&c, size[s]) < 0
                            or judge.bind(&h[tree], NULL, size[s]) < 0):
                        failed = -1
                        break
                    tree += size[s] + 1
                    open_sheet(&sheet, &v[0], &at[s, 0], stride[s])
                    failed = self.walk_into(&sheet, judge, &c, explore, &random, ts, ts + 2 * longest + 4, scores, cells,
                                            &record, &mistakes, &watch)
                    if failed:
                        break
            if failed > 0:
                raise_reason()
            if failed == AT_FAULT:
                raise ValueError(f"found an optimal transition that is not legal, expected legal ones from {judge!r}")
            if failed:
                raise MemoryError("no memory for the configurations of a batch: use smaller batches")
            return (
                copied(record.counts, record.configurations),
                copied(record.words, record.configurations * self.slots).reshape(-1, self.slots) if self.slots else None,
                copied(record.cells, record.transitions),
                flags(record.optimal, record.transitions),
                mistakes,
            )
        finally:
            self.users -= 1
            config_free(&c)
            free(ts)
            free(scores)
            free(cells)
            free(record.counts)
            free(record.words)
            free(record.cells)
            free(record.optimal)


cdef void open_sheet(Sheet *sheet, const float *values, const int64_t *at, int stride) noexcept nogil:
    sheet.values = values
    sheet.start, sheet.no_arcs, sheet.repairs, sheet.shifts, sheet.settled = at[0], at[1], at[2], at[3], at[4]
    sheet.stride = stride


cdef int grow(void **block, int64_t room, size_t size) noexcept nogil:
    cdef void *larger = realloc(block[0], room * size)
    if larger == NULL:
        return -1
    block[0] = larger
    return 0


cdef int reserve(Record *r, int slots, int count) noexcept nogil:
    """Room for one more configuration with so many transitions."""
    if r.configurations == r.room:
        r.room = 2 * r.room + 1024
        if (grow(<void **>&r.counts, r.room, sizeof(int)) < 0
                or grow(<void **>&r.words, r.room * (slots or 1), sizeof(int)) < 0):
            return -1
    if r.transitions + count > r.transition_room:
        r.transition_room = 2 * r.transition_room + count + 4096
        if (grow(<void **>&r.cells, r.transition_room, sizeof(int)) < 0
                or grow(<void **>&r.optimal, r.transition_room, 1) < 0):
            return -1
    return 0


cdef object copied(const int *source, int64_t count):
    target = np.empty(count, dtype=np.intc)
    cdef int[::1] view = target
    if count:
        memcpy(&view[0], source, count * sizeof(int))
    return target


cdef object flags(const unsigned char *source, int64_t count):
    target = np.empty(count, dtype=np.uint8)
    cdef unsigned char[::1] view = target
    if count:
        memcpy(&view[0], source, count)
    return target
