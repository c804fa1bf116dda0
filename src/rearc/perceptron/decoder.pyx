"""Greedy decoding with linear models: first the transition, then the label of its arc."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

import numpy as np

from rearc.features.program cimport MAX_TEMPLATES, Program
from rearc.features.tokens cimport ATTRIBUTES, Tokens
from rearc.interrupt cimport Watch, raise_reason, stopped, watch_begin
from rearc.constraints.guard cimport Guard
from rearc.perceptron.weights cimport CLASSES, Scorer
from rearc.systems.base cimport State, System, begin_with, may_begin_with_trees
from rearc.systems.config cimport (
    MAX_WORDS, NONE, SHIFT, Config, Transition, attach, class_of, config_free, config_reset, k_of,
)
from rearc.treebank.structure cimport as_heads, check, check_all


cdef uint64_t TO_LEFT = 0x1D8E4E27C47D124FULL       # an arc's direction is part of each label feature
cdef uint64_t TO_RIGHT = 0xEB44ACCAB455D165ULL
cdef uint64_t FROM_ROOT = 0x9C6E6877736C46E3ULL
cdef uint64_t OF_REPAIR = 0xA24BAED4963EE407ULL     # repairs that are judged apart have weights of their own


cdef class LinearDecoder:
    def __cinit__(self, System system not None, Program program not None, Program label_program not None,
                  Scorer types not None, Scorer labels not None, of_root, of_word, bint repairs_apart=False):
        cdef const uint8_t[::1] root, word
        if types.classes != CLASSES:
            raise ValueError(f"found weights of {types.classes} kinds of transitions, expected {CLASSES}")
        if labels.classes < 1:
            raise ValueError(f"found {labels.classes} labels, expected at least 1")
        of_root, of_word = [bool(of) for of in of_root], [bool(of) for of in of_word]
        if not len(of_root) == len(of_word) == labels.classes:
            raise ValueError(f"found {len(of_root)} and {len(of_word)} labels, expected {labels.classes}, as there are weights for")
        self.system = system
        self.program = program
        self.label_program = label_program
        self.types = types
        self.labels = labels
        self.arrays = np.array(of_root, dtype=np.uint8), np.array(of_word, dtype=np.uint8)
        root, word = self.arrays
        self.of_root, self.of_word = &root[0], &word[0]
        if repairs_apart and not system.traits.repairs:
            raise ValueError(f"found repairs of {system!r}, expected a system in which an arc may take the place of another")
        self.repairs_apart = repairs_apart

    cdef int hold(self, bint to_write=False) except -1:
        """Both models, or none."""
        self.types.hold(to_write)
        try:
            self.labels.hold(to_write)
        except RuntimeError:
            self.types.let_go(to_write)
            raise
        return 0

    cdef void let_go(self, bint to_write=False) noexcept:
        self.types.let_go(to_write)
        self.labels.let_go(to_write)

    cdef int choose(self, const Config *c, const Tokens *t, const Transition *ts, int count, float *scores) noexcept nogil:
        """Score the transitions and return the place of the best, the first of equals."""
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef float classes[CLASSES]
        cdef int x, k, seen = -1, best = NONE, repairs = 0
        for x in range(count):
            if self.is_apart(c, ts[x]):
                repairs += 1
                continue
            k = k_of(ts[x])
            if k == 0:
                k = 1
            if k != seen:
                self.types.score(keys, self.program.keys_into(c, t, k, NONE, NONE, keys), classes)
                seen = k
            scores[x] = classes[class_of(ts[x])]
            if best == NONE or scores[x] > scores[best]:
                best = x
        return self.choose_repair(c, t, ts, count, scores, best) if repairs else best

    cdef bint is_apart(self, const Config *c, Transition t) noexcept nogil:
        return self.repairs_apart and self.system.repairs(c, t)

    cdef int repair_keys(self, const Config *c, const Tokens *t, Transition r, uint64_t *keys) noexcept nogil:
        cdef int x, count = self.program.keys_into(c, t, k_of(r) or 1, NONE, NONE, keys)
        for x in range(count):
            keys[x] = (keys[x] ^ OF_REPAIR) | 1
        return count

    cdef int choose_repair(self, const Config *c, const Tokens *t, const Transition *ts, int count, float *scores, int best) noexcept nogil:
        """`choose` when all but the repairs are scored and one of them is the best, if there are any.

        Whether to repair is asked by itself: a repair has the score of the best of the others and what its weights say on top of it,
        those for the repair less those for leaving things as they are, which have the place of shift.
        """
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef float classes[CLASSES]
        cdef float others = 0 if best == NONE else scores[best]
        cdef int x
        for x in range(count):
            if self.is_apart(c, ts[x]):
                self.types.score(keys, self.repair_keys(c, t, ts[x], keys), classes)
                scores[x] = others + (classes[class_of(ts[x])] - classes[class_of(SHIFT)])
                if best == NONE or scores[x] > scores[best]:
                    best = x
        return best

    cdef int choose_label(self, const Config *c, const Tokens *t, int h, int d, uint64_t *keys, int *key_count,
                          float *scores) noexcept nogil:
        cdef int x, best = -1
        cdef uint64_t salt = FROM_ROOT if h == 0 else TO_LEFT if d < h else TO_RIGHT
        cdef const uint8_t *allowed = self.of_word if h else self.of_root
        key_count[0] = self.label_program.keys_into(c, t, 1, h, d, keys)
        for x in range(key_count[0]):
            keys[x] = (keys[x] ^ salt) | 1
        self.labels.score(keys, key_count[0], scores)
        for x in range(self.labels.classes):
            if allowed[x] and (best < 0 or scores[x] > scores[best]):
                best = x
        return best if best >= 0 else 0

    cdef bint parse_into(self, Config *c, const Tokens *t, Transition *ts, float *scores, Watch *watch, Guard guard,
                         const int *begun, const int *begun_labels) noexcept nogil:
        """From the start to a terminal configuration; headless words then hang on the root. False where it is to stop before.

        begun: NULL, or the heads and labels of a tree to begin with.
        """
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef int count, h, d, label, key_count, best
        cdef Transition chosen
        self.system.begin(c)
        if begun != NULL:
            begin_with(c, begun, begun_labels)
        if guard is not None and not guard.begin(c, &guard.plan):
            return False
        while not self.system.finished(c):
            count = self.system.legal_into(c, ts)
            best = self.choose(c, t, ts, count, scores) if count > 1 else 0
            if guard is not None:
                best = guard.choose(c, ts, count, scores)
                if best == NONE:
                    return False
            chosen = ts[best]
            label = NONE
            if self.system.arc(c, chosen, &h, &d):
                label = self.choose_label(c, t, h, d, keys, &key_count, scores)
            self.system.act(c, chosen, label)
            if stopped(watch):
                return False
        for d in range(1, c.n + 1):
            if c.head[d] == NONE:
                c.label[d] = self.choose_label(c, t, 0, d, keys, &key_count, scores)
        return True

    def parse(self, values, offsets, int start=0, stop=None, Guard guard=None, known=None, begun=None):
        """Parse encoded sentences: (heads, labels), flat arrays without root slots.

        A guard is for one sentence, or else known are the heads that it is to keep in each, −1 where a head is free.
        begun: heads and labels of the trees to begin with, in flat arrays like those returned.
        """
        cdef const uint32_t[::1] v = values
        offsets = np.array(offsets)         # checked, and then used without the GIL: nobody else may change them
        cdef const int64_t[::1] at = offsets
        cdef int last = len(at) - 1 if stop is None else stop
        sizes = sizes_of(v, offsets, start, last)
        cdef const int[::1] fixed = None
        if guard is not None:
            fixed = guard.known_for(self.system, sizes - 1, known)
        cdef int64_t total = int(sizes.sum()) - (last - start)
        cdef const int[::1] first = None
        cdef const int[::1] first_labels = None
        if begun is not None:
            if guard is not None:
                raise ValueError("found a guard and trees to begin with, expected one of them: a guard plans from the beginning")
            first, first_labels = trees_to_begin(self.system, sizes, begun, self.labels.classes)
        cdef int longest = int(sizes.max(initial=1))
        heads = np.zeros(total, dtype=np.intc)
        labels = np.zeros(total, dtype=np.intc)
        cdef int[::1] out_heads = heads
        cdef int[::1] out_labels = labels
        cdef const int64_t[::1] size = sizes
        cdef int64_t filled = 0
        cdef int s, d, n, failed = 0
        cdef bint interrupted = False
        cdef Watch watch
        cdef Tokens tokens
        cdef Config c
        watch_begin(&watch)
        c.memory = NULL
        c.capacity = 0
        cdef Transition *ts = NULL
        cdef float *scores = NULL
        if guard is not None:
            guard.hold()
        try:
            self.hold()
            ts = <Transition *>malloc((2 * longest + 4) * sizeof(Transition))
            scores = <float *>malloc(max(2 * longest + 4, self.labels.classes) * sizeof(float))
            with nogil:
                for s in range(start, last):
                    n = <int>size[s - start] - 1
                    if n == 0:
                        continue
                    if ts == NULL or scores == NULL or config_reset(&c, n) < 0:
                        failed = 1
                        break
                    tokens.n = n
                    tokens.values = &v[at[s]]
                    if fixed is not None and guard is not None and not guard.know(&fixed[filled] - 1, n):
                        failed = 1
                        break
                    if not self.parse_into(&c, &tokens, ts, scores, &watch, guard, NULL if first is None else &first[filled] - 1,
                                           NULL if first is None else &first_labels[filled] - 1):
                        interrupted = True
                        break
                    for d in range(1, n + 1):
                        out_heads[filled] = c.head[d] if c.head[d] != NONE else 0
                        out_labels[filled] = c.label[d]
                        filled += 1
                config_free(&c)
                free(ts)
                free(scores)
            self.let_go()
        finally:
            if guard is not None:
                guard.let_go()
        if guard is not None and guard.failed:
            raise RuntimeError("found no way to parse this sentence within its limits")
        if interrupted:
            raise_reason()
        if failed:
            raise MemoryError("no memory to parse this sentence")
        return heads, labels

    cdef int open_words(self, const uint32_t[::1] values, State state, Tokens *tokens) except -1:
        """The words of an encoded sentence, which has to be the one that the state is about."""
        self.system.own(state)
        if values.shape[0] != ATTRIBUTES * (state.c.n + <Py_ssize_t>1):
            raise ValueError(f"found {values.shape[0]} values, expected {ATTRIBUTES} for the root and for each of {state.c.n} words")
        tokens.n, tokens.values = state.c.n, &values[0]
        return 0

    def scores(self, values, State state not None):
        """The score of each legal transition of a configuration of one encoded sentence, as `legal` lists them, and the place
        of the one to take; −1 in a terminal configuration.

        The numbers of the labels in the state are taken to be those of the model.
        """
        cdef Tokens tokens
        self.open_words(values, state, &tokens)
        cdef int count, best = NONE
        cdef Transition[::1] ts = np.zeros(2 * state.c.n + 4, dtype=np.intc)
        result = np.zeros(2 * state.c.n + 4, dtype=np.float32)
        cdef float[::1] found = result
        count = self.system.legal_into(&state.c, &ts[0])
        if count:
            self.hold()
            best = self.choose(&state.c, &tokens, &ts[0], count, &found[0])
            self.let_go()
        return result[:count], best

    def label(self, values, State state not None, int head, int dependent):
        """The number of the label that the arc head → dependent gets in a configuration of one encoded sentence."""
        cdef Tokens tokens
        self.open_words(values, state, &tokens)
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef int key_count, n = state.c.n
        cdef float[::1] found = np.zeros(self.labels.classes, dtype=np.float32)
        if not (0 <= head <= n and 1 <= dependent <= n and head != dependent):
            raise ValueError(f"found the arc {head} → {dependent}, expected one among {n} words")
        self.hold()
        cdef int label = self.choose_label(&state.c, &tokens, head, dependent, keys, &key_count, &found[0])
        self.let_go()
        return label

    def label_scores(self, values, tree):
        """Of each word of the sentence with this tree, the score of each label: a row a word."""
        cdef const uint32_t[::1] v = values
        cdef const int[::1] heads = as_heads(tree)
        cdef int n = <int>heads.shape[0] - 1, d
        check(heads, tree)
        if v.shape[0] != ATTRIBUTES * (n + 1):
            raise ValueError(f"found {v.shape[0]} values, expected {ATTRIBUTES} for the root and for each of {n} words")
        result = np.zeros((n, self.labels.classes), dtype=np.float32)
        cdef float[:, ::1] scores = result
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef int count
        cdef Tokens tokens
        cdef Config c
        c.memory = NULL
        c.capacity = 0
        if n and config_reset(&c, n) < 0:
            raise MemoryError("no memory for this sentence")
        tokens.n = n
        tokens.values = &v[0]
        self.hold()
        for d in range(1, n + 1):
            if heads[d]:
                attach(&c, heads[d], d, NONE)
        for d in range(1, n + 1):
            self.choose_label(&c, &tokens, heads[d], d, keys, &count, &scores[d - 1, 0])
        config_free(&c)
        self.let_go()
        return result


cdef object sizes_of(const uint32_t[::1] v, offsets, int start, int last):
    cdef const int64_t[::1] at = offsets
    if not 0 <= start <= last < len(at):
        raise ValueError(f"found the sentences {start} to {last}, expected some of {len(at) - 1}")
    steps = np.diff(offsets[start:last + 1])
    if at[start] < 0 or at[last] > len(v) or (steps < ATTRIBUTES).any() or (steps % ATTRIBUTES).any():
        raise ValueError(f"found offsets from {at[start]} to {at[last]} into {len(v)} values, "
                         f"expected {ATTRIBUTES} values for the root and for each word of a sentence")
    sizes = steps // ATTRIBUTES
    if sizes.max(initial=1) > MAX_WORDS:
        raise ValueError(f"found a sentence of {sizes.max() - 1} words, expected at most {MAX_WORDS}")
    return sizes


cdef tuple trees_to_begin(System system, sizes, begun, int classes):
    """Flat heads and labels without root slots, checked and copied."""
    may_begin_with_trees(system)
    heads, labels = (np.array(part, dtype=np.intc) for part in begun)
    words = int(sizes.sum()) - len(sizes)
    if heads.shape != (words,) or labels.shape != (words,):
        raise ValueError(f"found {heads.size} heads and {labels.size} labels to begin with, expected {words}")
    if labels.min(initial=NONE) < NONE or labels.max(initial=NONE) >= classes:
        raise ValueError(f"found labels from {labels.min()} to {labels.max()}, expected numbers below {classes}, or -1 for none")
    rooted = np.zeros(words + len(sizes), dtype=np.intc)
    rooted[np.delete(np.arange(words + len(sizes)), np.cumsum(sizes) - sizes)] = heads
    check_all(rooted, (sizes - 1).astype(np.intc))
    return heads, labels
