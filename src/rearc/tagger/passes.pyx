"""Greedy tagging from left to right with linear models over hashed features.

A sentence is a matrix: a row a word, and PAD rows of OUTSIDE before and behind. The columns are what the form says, the UPOS,
and the tag of the pass at work. A template is a list of places relative to the word's row, a feature the hash of what is there.

A class is a tag; it is scored as the sum of its units, such as the Name=Value pairs of FEATS, so that tags share what they have
in common and the weights stay few.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from operator import index

import numpy as np

from rearc.interrupt cimport Watch, raise_reason, stopped, watch_begin
from rearc.perceptron.growing cimport LabelLearner
from rearc.perceptron.weights cimport Scorer
from rearc.tagger.words cimport ATTRIBUTES, Words

from rearc.tagger.words import NAMES

cdef enum:
    UPOS = ATTRIBUTES
    OWN = ATTRIBUTES + 1
    WIDTH = ATTRIBUTES + 2
    PAD = 3
    MAX_TEMPLATES = 128
    MAX_ATOMS = 4
    OUTSIDE = 1                     # as in words.pyx; 0 is absent
    FIRST_TAG = 2                   # the number of tag 0


cdef struct Conjunction:
    uint64_t seed
    int count
    int place[MAX_ATOMS]            # relative to the word's row


cdef class Pass:
    """Chooses the tags of one column. UPOS comes first; a later pass has a group of classes for each UPOS."""
    cdef readonly Scorer scorer
    cdef readonly bint first
    cdef int size, own
    cdef int classes, group_count
    cdef Conjunction templates[MAX_TEMPLATES]
    cdef object arrays              # what the pointers below point into
    cdef const int32_t *unit_start
    cdef const int32_t *unit
    cdef const int32_t *group_start
    cdef const int32_t *group

    def __cinit__(self, Scorer scorer not None, templates, units, groups, bint first):
        cdef const int32_t[::1] unit_start, unit, group_start, group
        cdef Conjunction *conjunction
        templates = [tuple((str(name), index(offset)) for name, offset in atoms) for atoms in templates]
        units, groups = ([[index(k) for k in part] for part in parts] for parts in (units, groups))
        check(templates, units, groups, scorer.classes, first)
        self.scorer = scorer
        self.first = first
        self.classes, self.group_count = len(units), len(groups)
        self.own = UPOS if first else OWN
        self.arrays = (*ragged(units), *ragged(groups))
        unit_start, unit, group_start, group = self.arrays
        self.unit_start, self.unit = &unit_start[0], &unit[0]
        self.group_start, self.group = &group_start[0], &group[0]
        places = {name: k for k, name in enumerate(NAMES)} | {"u": UPOS, "t": self.own}
        for atoms in templates:
            conjunction = &self.templates[self.size]
            conjunction.seed = 0x9E3779B97F4A7C15ULL * <uint64_t>(self.size + 1)
            conjunction.count = 0
            for name, offset in atoms:
                conjunction.place[conjunction.count] = offset * WIDTH + places[name]
                conjunction.count += 1
            self.size += 1

    cdef int keys_into(self, const uint32_t *row, uint64_t *keys) noexcept nogil:
        cdef int t, a, count = 0
        cdef uint64_t h
        cdef uint32_t value
        cdef const Conjunction *conjunction
        for t in range(self.size):
            conjunction = &self.templates[t]
            h = conjunction.seed
            for a in range(conjunction.count):
                value = row[conjunction.place[a]]
                if value == 0:
                    break
                h = (h ^ value) * 0xFF51AFD7ED558CCDULL
                h ^= h >> 32
            else:
                h *= 0xD6E8FEB86659FD93ULL
                h ^= h >> 32
                keys[count] = h if h else 1
                count += 1
        return count

    cdef int choose(self, const uint32_t *row, uint64_t *keys, int *count, float *scores) noexcept nogil:
        """The best of the classes that there are for the word's UPOS, the first of equals."""
        cdef int g, k, cls, best = -1
        cdef int group = 0 if self.first else <int>row[UPOS] - FIRST_TAG
        cdef float score, highest = 0
        count[0] = self.keys_into(row, keys)
        self.scorer.score(keys, count[0], scores)
        for g in range(self.group_start[group], self.group_start[group + 1]):
            cls = self.group[g]
            score = 0
            for k in range(self.unit_start[cls], self.unit_start[cls + 1]):
                score += scores[self.unit[k]]
            if best < 0 or score > highest:
                best, highest = cls, score
        return best

    cdef bint has(self, int cls, int unit) noexcept nogil:
        cdef int k
        for k in range(self.unit_start[cls], self.unit_start[cls + 1]):
            if self.unit[k] == unit:
                return True
        return False


def check(templates, units, groups, int unit_count, bint first):
    """ValueError where a pass would look or choose outside of what there is."""
    if not 1 <= len(templates) <= MAX_TEMPLATES or not all([1 <= len(atoms) <= MAX_ATOMS for atoms in templates]):
        raise ValueError(f"found {len(templates)} templates, expected 1 to {MAX_TEMPLATES} of 1 to {MAX_ATOMS} atoms each")
    for name, offset in [atom for atoms in templates for atom in atoms]:
        seen = offset < 0 if name == "t" else not first if name == "u" else name in NAMES
        if not seen or abs(offset) > PAD:
            raise ValueError(f"found {name}:{offset} in a template, expected what can be seen there")
    if not all([0 <= unit < unit_count for part in units for unit in part]):
        raise ValueError(f"found a unit of a tag outside of the {unit_count} that have weights")
    if not groups or not all([len(part) and all([0 <= cls < len(units) for cls in part]) for part in groups]):
        raise ValueError("found a group of tags that is empty or has unknown ones")


def ragged(lists):
    """(where each list starts, all of them in a row)."""
    starts = np.zeros(len(lists) + 1, dtype=np.int32)
    np.cumsum([len(part) for part in lists], out=starts[1:])
    return starts, np.array([k for part in lists for k in part] or [0], dtype=np.int32)


cdef class Matrix:
    """Room for one sentence at a time."""
    cdef const uint32_t[:, ::1] rows
    cdef const int32_t[::1] tokens
    cdef const int64_t[::1] offsets
    cdef uint32_t *cells
    cdef float *scores
    cdef int64_t start, size        # of the sentence in it

    def __cinit__(self, Words words not None, int units):
        cdef int64_t longest = np.diff(words.offset).max(initial=0)
        self.rows, self.tokens, self.offsets = words.row, words.token, words.offset
        self.cells = <uint32_t *>malloc((longest + 2 * PAD) * WIDTH * sizeof(uint32_t))
        self.scores = <float *>malloc(max(units, 1) * sizeof(float))
        if self.cells == NULL or self.scores == NULL:
            raise MemoryError(f"no memory to tag a sentence of {longest:,} words")

    def __dealloc__(self):
        free(self.cells)
        free(self.scores)

    cdef void fill(self, int64_t sentence) noexcept nogil:
        cdef int64_t k
        cdef int a
        self.start = (&self.offsets[0])[sentence]
        self.size = (&self.offsets[0])[sentence + 1] - self.start
        for a in range(PAD * WIDTH):
            self.cells[a] = OUTSIDE
            self.cells[(self.size + PAD) * WIDTH + a] = OUTSIDE
        for k in range(self.size):
            memcpy(self.row(k), &self.rows[(&self.tokens[0])[self.start + k], 0], ATTRIBUTES * sizeof(uint32_t))

    cdef inline uint32_t *row(self, int64_t word) noexcept nogil:
        return self.cells + (word + PAD) * WIDTH


def tag(passes, Words words not None):
    """The class of each word in each pass (int32, a row a pass)."""
    cdef list steps = list(passes)
    cdef int count = len(steps)
    cdef int64_t s, sentences = words.sentences
    cdef bint interrupted = False
    cdef Watch watch
    watch_begin(&watch)
    if not 1 <= count <= 3 or not all([type(step) is Pass for step in steps]) or [(<Pass>step).first for step in steps] != [k == 0 for k in range(count)]:
        raise ValueError(f"found {count} passes, expected 1 to 3, of which the first is that of UPOS")
    cdef Pass a = steps[0], b = steps[1] if count > 1 else None, c = steps[2] if count > 2 else None
    for step in steps[1:]:
        if (<Pass>step).group_count < a.classes:
            raise ValueError(f"found a pass with tags for {(<Pass>step).group_count} UPOS, expected {a.classes}")
    cdef Matrix matrix = Matrix(words, max([(<Pass>step).scorer.classes for step in steps]))
    chosen = np.zeros((count, max(len(words.token), 1)), dtype=np.int32)
    cdef int32_t[:, ::1] out = chosen
    held = []
    try:
        for step in steps:
            (<Pass>step).scorer.hold()
            held.append(step)
        with nogil:
            for s in range(sentences):
                matrix.fill(s)
                interrupted = (not tag_sentence(a, matrix, &out[0, 0], &watch)
                               or (count > 1 and not tag_sentence(b, matrix, &out[1, 0], &watch))
                               or (count > 2 and not tag_sentence(c, matrix, &out[2, 0], &watch)))
                if interrupted:
                    break
        if interrupted:
            raise_reason()
    finally:
        for step in held:
            (<Pass>step).scorer.let_go()
    return chosen[:, :len(words.token)]


cdef bint tag_sentence(Pass step, Matrix matrix, int32_t *out, Watch *watch) noexcept nogil:
    """False where it is to stop before the end."""
    cdef uint64_t keys[MAX_TEMPLATES]
    cdef int count, cls
    cdef int64_t k
    for k in range(matrix.size):
        cls = step.choose(matrix.row(k), keys, &count, matrix.scores)
        matrix.row(k)[step.own] = cls + FIRST_TAG
        out[matrix.start + k] = cls
        if stopped(watch):
            return False
    return True


def learn(Pass step not None, Words words not None, upos, gold, order):
    """One epoch over the sentences in this order, averaged perceptron with its own predictions as history; the mistakes made.

    upos: the classes of UPOS that a later pass sees; gold: the classes to learn.
    """
    cdef LabelLearner learner = step.scorer
    cdef Matrix matrix = Matrix(words, learner.classes)
    upos, gold, order = np.array(upos), np.array(gold), np.array(order, dtype=np.int64)     # checked, then used without the GIL
    cdef const int32_t[::1] given = upos
    cdef const int32_t[::1] right = gold
    cdef const int64_t[::1] sequence = order
    cdef uint64_t keys[MAX_TEMPLATES]
    cdef int count, chosen, answer, failed = 0
    cdef int64_t s, k, mistakes = 0
    cdef bint interrupted = False
    cdef Watch watch
    watch_begin(&watch)
    if not len(given) == len(right) == len(words.token):
        raise ValueError(f"found {len(given)} and {len(right)} tags, expected {len(words.token)}, as there are words")
    check_numbers("sentence", order, words.sentences)
    check_numbers("tag", gold, step.classes)
    if not step.first:
        check_numbers("UPOS", upos, step.group_count)
    learner.hold(to_write=True)
    with nogil:
        for s in range(len(sequence)):
            matrix.fill(sequence[s])
            if not step.first:
                for k in range(matrix.size):
                    matrix.row(k)[UPOS] = given[matrix.start + k] + FIRST_TAG
            for k in range(matrix.size):
                answer = right[matrix.start + k]
                chosen = step.choose(matrix.row(k), keys, &count, matrix.scores)
                matrix.row(k)[step.own] = chosen + FIRST_TAG
                learner.steps += 1
                if chosen != answer:
                    mistakes += 1
                    failed |= update(step, learner, keys, count, answer, chosen)
                if stopped(&watch):
                    interrupted = True
                    break
            if failed or interrupted:
                break
    learner.let_go(to_write=True)
    if interrupted:
        raise_reason()
    if failed:
        raise MemoryError("no memory for the weights of the tagger")
    return mistakes


cdef int check_numbers(str name, numbers, int64_t count) except -1:
    if numbers.min(initial=0) < 0 or numbers.max(initial=-1) >= count:
        raise ValueError(f"found {name} {numbers.min() if numbers.min() < 0 else numbers.max()}, expected numbers below {count}")
    return 0


cdef int update(Pass step, LabelLearner learner, const uint64_t *keys, int count, int right, int wrong) noexcept nogil:
    """+1 for the units of the right class alone, −1 for those of the wrong one alone."""
    cdef int k
    for k in range(step.unit_start[right], step.unit_start[right + 1]):
        if not step.has(wrong, step.unit[k]) and learner.add(keys, count, step.unit[k], 1) < 0:
            return -1
    for k in range(step.unit_start[wrong], step.unit_start[wrong + 1]):
        if not step.has(right, step.unit[k]) and learner.add(keys, count, step.unit[k], -1) < 0:
            return -1
    return 0
