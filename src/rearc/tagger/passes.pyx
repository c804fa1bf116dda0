"""Greedy tagging from left to right with linear models over hashed features.

A sentence is a matrix: a row a word, and PAD rows of OUTSIDE before and behind. The columns are what the form says and the tags
that the passes choose. A template is a list of places relative to the word's row, a feature the hash of what is there.

A class is a tag; it is scored as the sum of its units, such as the Name=Value pairs of FEATS, so that tags share what they have
in common and the weights stay few. Which classes a word may have depends on its UPOS and, where there is a lexicon, on its form; a
word with one such class gets it without further ado.
"""

from libc.math cimport INFINITY
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
    WIDTH = ATTRIBUTES + 4
    PAD = 3
    MAX_TEMPLATES = 128
    MAX_ATOMS = 4
    MAX_ATTRIBUTES = 8              # of a lexicon
    OUTSIDE = 1                     # as in words.pyx; 0 is absent
    FIRST_TAG = 2                   # the number of tag 0

COLUMNS = ("upos", "xpos", "feats", "lemmas")
PLACES = {name: UPOS + k for k, name in enumerate(COLUMNS)}
LETTERS = {"u": "upos", "x": "xpos", "f": "feats"}     # what later passes may look at


cdef struct Conjunction:
    uint64_t seed
    int count
    int place[MAX_ATOMS]            # relative to the word's row


cdef class Lexicon:
    """The classes of words that are known, by UPOS and one attribute of the form after the other: the first that is known counts."""
    cdef readonly tuple attributes
    cdef int places[MAX_ATTRIBUTES]
    cdef int size, shift
    cdef int highest                # of the classes
    cdef const uint32_t[::1] keys
    cdef const int64_t[::1] bucket  # where the keys with the same first bits start
    cdef const int64_t[::1] start
    cdef const int32_t[::1] classes

    def __cinit__(self, attributes, keys, counts, classes):
        self.attributes = tuple([str(name) for name in attributes])
        if not 1 <= len(self.attributes) <= MAX_ATTRIBUTES or not set(self.attributes) <= set(NAMES):
            raise ValueError(f"found {len(self.attributes)} attributes of a lexicon, expected 1 to {MAX_ATTRIBUTES} of words")
        for name in self.attributes:
            self.places[self.size] = NAMES.index(name)
            self.size += 1
        keys, counts, classes = np.array(keys), np.array(counts), np.array(classes)
        if keys.ndim != 1 or keys.dtype != np.uint32 or counts.shape != keys.shape or counts.dtype != np.uint8 or classes.dtype != np.uint16 \
                or classes.shape != (int(counts.sum(dtype=np.int64)),) or not counts.all() or not (keys[1:] > keys[:-1]).all():
            raise ValueError("found a lexicon that does not fit together")
        cdef int bits = max(len(keys).bit_length(), 1)
        self.shift = 32 - bits
        self.highest = int(classes.max(initial=0))
        starts = np.zeros(len(keys) + 1, dtype=np.int64)
        np.cumsum(counts, out=starts[1:])
        first = np.arange(1 << bits, dtype=np.uint64) << np.uint64(self.shift)
        self.bucket = np.append(np.searchsorted(keys, first.astype(np.uint32)), len(keys)).astype(np.int64)
        self.keys, self.start, self.classes = keys, starts, np.append(classes, 0).astype(np.int32)

    cdef const int32_t *find(self, const uint32_t *row, int group, const int32_t *otherwise, int *size) noexcept nogil:
        """The classes of a word with this row and group, and how many they are; what is given where the word is not known."""
        cdef int a
        cdef uint32_t value, key
        cdef int64_t k
        for a in range(self.size):
            value = row[self.places[a]]
            if value == 0:
                continue
            key = lexicon_key(value, a, group)
            for k in range((&self.bucket[0])[key >> self.shift], (&self.bucket[0])[(key >> self.shift) + 1]):
                if (&self.keys[0])[k] == key:
                    size[0] = <int>((&self.start[0])[k + 1] - (&self.start[0])[k])
                    return &self.classes[0] + (&self.start[0])[k]
        return otherwise


cdef inline uint32_t lexicon_key(uint32_t value, int level, int group) noexcept nogil:
    cdef uint64_t h = (<uint64_t>value << 32 | <uint32_t>(group * 64 + level)) * 0xFF51AFD7ED558CCDULL
    h = (h ^ h >> 32) * 0xD6E8FEB86659FD93ULL
    return <uint32_t>(h >> 32)


def lexicon_keys(int level, values, groups):
    """The keys of words in a lexicon, from what an attribute says of them and their groups; level: which attribute, from 0."""
    cdef const uint32_t[::1] value = np.array(values, dtype=np.uint32)
    cdef const int32_t[::1] group = np.array(groups, dtype=np.int32)
    if not 0 <= level < MAX_ATTRIBUTES or len(value) != len(group):
        raise ValueError(f"found {len(value)} words with attribute {level} and {len(group)} groups")
    keys = np.zeros(len(value), dtype=np.uint32)
    cdef uint32_t[::1] out = keys
    cdef int64_t k
    for k in range(len(value)):
        out[k] = lexicon_key(value[k], level, group[k])
    return keys


cdef class Pass:
    """Chooses the tags of one column. UPOS comes first; a later pass has a group of classes for each UPOS."""
    cdef readonly Scorer scorer
    cdef readonly str column
    cdef readonly frozenset seen    # the earlier columns that its templates look at
    cdef readonly Lexicon lexicon   # or None
    cdef bint first
    cdef int size, own
    cdef int classes, group_count
    cdef Conjunction templates[MAX_TEMPLATES]
    cdef object arrays              # what the pointers below point into
    cdef const int32_t *unit_start
    cdef const int32_t *unit
    cdef const int32_t *group_start
    cdef const int32_t *group

    def __cinit__(self, Scorer scorer not None, templates, units, groups, str column not None, Lexicon lexicon=None):
        cdef const int32_t[::1] unit_start, unit, group_start, group
        cdef Conjunction *conjunction
        templates = [tuple((str(name), index(offset)) for name, offset in atoms) for atoms in templates]
        units, groups = ([[index(k) for k in part] for part in parts] for parts in (units, groups))
        check(templates, units, groups, scorer.classes, column)
        if lexicon is not None and lexicon.highest >= len(units):
            raise ValueError(f"found tag {lexicon.highest} in a lexicon, expected numbers below {len(units)}")
        self.scorer, self.column, self.lexicon = scorer, column, lexicon
        self.first = column == "upos"
        self.seen = frozenset([LETTERS[name] for atoms in templates for name, _ in atoms if name in LETTERS])
        self.classes, self.group_count = len(units), len(groups)
        self.own = PLACES[column]
        self.arrays = (*ragged(units), *ragged(groups))
        unit_start, unit, group_start, group = self.arrays
        self.unit_start, self.unit = &unit_start[0], &unit[0]
        self.group_start, self.group = &group_start[0], &group[0]
        places = {name: k for k, name in enumerate(NAMES)} | {name: PLACES[seen] for name, seen in LETTERS.items()} | {"t": self.own}
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

    cdef int choose(self, const uint32_t *row, uint64_t *keys, int *count, float *scores, float *margin) noexcept nogil:
        """The best of the classes that there are for the word, the first of equals; margin: by how much, infinite where there is no other."""
        cdef int g, k, cls, best = -1
        cdef int group = 0 if self.first else <int>row[UPOS] - FIRST_TAG
        cdef int size = self.group_start[group + 1] - self.group_start[group]
        cdef const int32_t *candidates = self.group + self.group_start[group]
        cdef float score, highest = 0, next = 0
        if self.lexicon is not None:
            candidates = self.lexicon.find(row, group, candidates, &size)
        if size == 1:
            count[0] = 0
            margin[0] = INFINITY
            return candidates[0]
        count[0] = self.keys_into(row, keys)
        self.scorer.score(keys, count[0], scores)
        for g in range(size):
            cls = candidates[g]
            score = 0
            for k in range(self.unit_start[cls], self.unit_start[cls + 1]):
                score += scores[self.unit[k]]
            if best < 0 or score > highest:
                next = highest
                best, highest = cls, score
            elif g == 1 or score > next:
                next = score
        margin[0] = highest - next
        return best

    cdef bint has(self, int cls, int unit) noexcept nogil:
        cdef int k
        for k in range(self.unit_start[cls], self.unit_start[cls + 1]):
            if self.unit[k] == unit:
                return True
        return False


def check(templates, units, groups, int unit_count, column):
    """ValueError where a pass would look or choose outside of what there is."""
    if column not in COLUMNS:
        raise ValueError(f"found a pass for {column[:40]!r}, expected one of {', '.join(COLUMNS)}")
    if not 1 <= len(templates) <= MAX_TEMPLATES or not all([1 <= len(atoms) <= MAX_ATOMS for atoms in templates]):
        raise ValueError(f"found {len(templates)} templates, expected 1 to {MAX_TEMPLATES} of 1 to {MAX_ATOMS} atoms each")
    for name, offset in [atom for atoms in templates for atom in atoms]:
        if name in LETTERS:
            seen = COLUMNS.index(LETTERS[name]) < COLUMNS.index(column)
        else:
            seen = offset < 0 if name == "t" else name in NAMES
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
    """The class of each word in each pass (int32, a row a pass), and by how much it scored above all others (float32); infinite
    where the word could have no other."""
    cdef list steps = list(passes)
    cdef int count = len(steps)
    cdef int64_t s, sentences = words.sentences
    cdef bint interrupted = False
    cdef Watch watch
    watch_begin(&watch)
    names = [step.column if type(step) is Pass else "" for step in steps]
    if names[:1] != ["upos"] or names != [name for name in COLUMNS if name in names]:
        raise ValueError(f"found {count} passes, expected that of UPOS and then others, in their order")
    cdef Pass a = steps[0], b = steps[1] if count > 1 else None, c = steps[2] if count > 2 else None, d = steps[3] if count > 3 else None
    for step in steps[1:]:
        if (<Pass>step).group_count < a.classes:
            raise ValueError(f"found a pass with tags for {(<Pass>step).group_count} UPOS, expected {a.classes}")
        if not (<Pass>step).seen <= set(names):
            raise ValueError(f"found a pass that looks at {', '.join(sorted((<Pass>step).seen))}, and no passes for all of them")
    cdef Matrix matrix = Matrix(words, max([(<Pass>step).scorer.classes for step in steps]))
    chosen = np.zeros((count, max(len(words.token), 1)), dtype=np.int32)
    margins = np.zeros(chosen.shape, dtype=np.float32)
    cdef int32_t[:, ::1] out = chosen
    cdef float[:, ::1] by = margins
    held = []
    try:
        for step in steps:
            (<Pass>step).scorer.hold()
            held.append(step)
        with nogil:
            for s in range(sentences):
                matrix.fill(s)
                interrupted = (not tag_sentence(a, matrix, &out[0, 0], &by[0, 0], &watch)
                               or (count > 1 and not tag_sentence(b, matrix, &out[1, 0], &by[1, 0], &watch))
                               or (count > 2 and not tag_sentence(c, matrix, &out[2, 0], &by[2, 0], &watch))
                               or (count > 3 and not tag_sentence(d, matrix, &out[3, 0], &by[3, 0], &watch)))
                if interrupted:
                    break
        if interrupted:
            raise_reason()
    finally:
        for step in held:
            (<Pass>step).scorer.let_go()
    return chosen[:, :len(words.token)], margins[:, :len(words.token)]


cdef bint tag_sentence(Pass step, Matrix matrix, int32_t *out, float *margins, Watch *watch) noexcept nogil:
    """False where it is to stop before the end."""
    cdef uint64_t keys[MAX_TEMPLATES]
    cdef int count, cls
    cdef int64_t k
    for k in range(matrix.size):
        cls = step.choose(matrix.row(k), keys, &count, matrix.scores, &margins[matrix.start + k])
        matrix.row(k)[step.own] = cls + FIRST_TAG
        out[matrix.start + k] = cls
        if stopped(watch):
            return False
    return True


def learn(Pass step not None, Words words not None, given, gold, order):
    """One epoch over the sentences in this order, averaged perceptron with its own predictions as history; the mistakes made.

    given: from the names of the earlier columns that the pass sees to their classes; a later pass sees UPOS at least.
    gold: the classes to learn; −1 where nothing is to be learnt.
    """
    cdef LabelLearner learner = step.scorer
    cdef Matrix matrix = Matrix(words, learner.classes)
    names = sorted(step.seen if step.first else step.seen | {"upos"})
    columns = [np.array(given[name]) for name in names if name in given]    # checked, then used without the GIL
    gold, order = np.array(gold), np.array(order, dtype=np.int64)
    places = np.array([PLACES[name] for name in names], dtype=np.int32)
    cdef const int32_t[::1] place = places
    cdef const int32_t[:, ::1] tags = np.zeros((len(names), max(len(words.token), 1)), dtype=np.int32)
    cdef const int32_t[::1] right = gold
    cdef const int64_t[::1] sequence = order
    cdef uint64_t keys[MAX_TEMPLATES]
    cdef int count, chosen, answer, c, failed = 0
    cdef float margin
    cdef int64_t s, k, mistakes = 0
    cdef bint interrupted = False
    cdef Watch watch
    watch_begin(&watch)
    if len(columns) < len(names):
        raise ValueError(f"found tags of {', '.join(given)}, expected those of {', '.join(names)}")
    for column in [gold, *columns]:
        if column.dtype != np.int32 or column.shape != (len(words.token),):
            raise ValueError(f"found {column.size} tags, expected {len(words.token)}, as there are words")
    check_numbers("sentence", order, words.sentences)
    check_numbers("tag", np.maximum(gold, -1) + 1 if len(gold) and gold.min() >= -1 else gold, step.classes + 1)
    for name, column in zip(names, columns, strict=True):
        check_numbers(name, column, step.group_count if name == "upos" else 1 << 16)
    if columns and len(words.token):
        tags = np.stack(columns)
    learner.hold(to_write=True)
    with nogil:
        for s in range(len(sequence)):
            matrix.fill(sequence[s])
            for c in range(len(place)):
                for k in range(matrix.size):
                    matrix.row(k)[place[c]] = tags[c, matrix.start + k] + FIRST_TAG
            for k in range(matrix.size):
                answer = right[matrix.start + k]
                chosen = step.choose(matrix.row(k), keys, &count, matrix.scores, &margin)
                matrix.row(k)[step.own] = chosen + FIRST_TAG
                learner.steps += 1
                if chosen != answer and answer >= 0:
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
