"""Where sentences end: a binary linear model over tokens, asked behind each of them, from left to right."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

import numpy as np

from rearc.interrupt cimport Watch, raise_reason, stopped, watch_begin
from rearc.segment.hashing cimport PIECE, hash_of, push
from rearc.segment.lexicon cimport Entry, KnownWords
from rearc.segment.templates cimport MAX_TEMPLATES, Templates
from rearc.segment.text cimport CLOSE, IDEOGRAPH, LINE_END, LOWER, NOTHING, OPEN, OUTSIDE, PARAGRAPH, QUOTE, STOP, UPPER, Text, Tokens, is_cased
from rearc.segment.weights cimport Learner, Weights

# What templates can look at. Places are relative to the gap: -1 is the token before it, 0 the one behind it.
ATOMS = (
    "w-3", "w-2", "w-1", "w0", "w1", "w2",      # tokens in lower case; the shape of rare ones
    "h-3", "h-2", "h-1", "h0", "h1", "h2",      # shapes: the classes of the characters, each run of them once
    "k-3", "k-2", "k-1", "k0", "k1", "k2",      # the class of the first character
    "s-3", "s-2", "s-1", "s0", "s1", "s2",      # whether the word is written with a small letter within sentences
    "t-3", "t-2", "t-1", "t0", "t1", "t2",      # the usual UPOS; the shape of unknown words
    "x-3", "x-2", "x-1", "x0", "x1", "x2",      # the last three characters
    "gap",                                      # nothing, a space, or a line end between the tokens
    "length", "depth",                          # tokens of the sentence so far, in steps; open brackets
    "first", "firstk",                          # the first token of the sentence, and its k
    "verb", "quoted",                           # whether there is a verb in the sentence so far, and an open quotation
    "until", "coming",                          # tokens up to the next full stop, and whether there is a verb among them
    "line",                                     # of a line end alone: whether the line is full, or was ended on purpose
    "row",                                      # within a line that was ended on purpose: its length, in steps
)
cdef enum:
    W, H = 6, K = 12, S = 18, T = 24, X = 30, GAP = 36, LENGTH, DEPTH, FIRST, FIRSTK, VERB, QUOTED, UNTIL, COMING, LINE, ROW, COUNT

cdef enum:
    NEAR = 6                        # tokens that are looked at, half of them before the gap
    RARE = 2                        # words seen less often are known by their shapes
    LETTER = 99                     # in the shape of a word of one letter
    VERBS = 2                       # the first tags of the lexicon are those of verbs
    FAR = 12                        # tokens up to the next full stop that are counted
    NARROW = 40                     # characters; text is seldom wrapped to shorter lines

if len(ATOMS) != COUNT:
    raise ImportError("found other atoms in the list than in the code")


cdef struct Word:                   # what is looked at of a token
    uint64_t w
    uint64_t h
    uint64_t k
    uint64_t s
    uint64_t t
    uint64_t x
    bint verb
    uint8_t until                   # tokens from here to the next full stop, this one counted
    uint8_t coming                  # whether one of them is a verb
    uint8_t line                    # behind this token: 0 no line end, 1 the line is full, 2 the next word would have had room
    uint8_t row                     # of the line it is in: 0 a full one, or there are no lines; else 1 to 4 by its length


cdef struct Sofar:                  # of the sentence at work
    int64_t first
    int depth
    bint verb
    bint quoted


cdef class SentenceModel:
    """Finds the ends of sentences.

    >>> from rearc.segment.lexicon import KnownWords
    >>> from rearc.segment.text import Text, Tokens
    >>> from rearc.segment.weights import Weights
    >>> model = SentenceModel(Weights([0.0] * 256, -1.0), "w-1", KnownWords([], []))      # never ends one within a paragraph
    >>> model.cut(Tokens(Text("Go on! I go."), [0, 3, 5, 7, 9, 11], [2, 5, 6, 8, 11, 12])).tolist()
    [0, 0, 0, 0, 0, 1]
    """
    cdef readonly Weights weights
    cdef readonly Templates templates
    cdef readonly KnownWords words

    def __cinit__(self, Weights weights not None, str templates not None, KnownWords words not None):
        self.weights, self.words = weights, words
        self.templates = Templates(templates, ATOMS)

    # ---- features

    cdef void describe(self, Text t, int64_t start, int64_t end, bint learns, bint begins, Word *word) noexcept nogil:
        """What there is to see of a token. In learning, what the lexicon has from this very place is left out."""
        cdef int64_t i
        cdef uint8_t before = OUTSIDE
        cdef const Entry *entry
        cdef int count, large, small
        word.w = hash_of(t.l, start, min(end, start + PIECE))
        word.x = hash_of(t.l, max(start, end - 3), end)
        word.k = 1 + t.k[start]
        word.h = 1
        for i in range(start, min(end, start + PIECE)):
            if t.k[i] != before:
                before = t.k[i]
                word.h = push(word.h, before)
        if end == start + 1:
            word.h = push(word.h, LETTER if is_cased(t.k[start]) else t.c[start])
        entry = self.words.find(word.w)
        count, large, small = entry.count, entry.large, entry.small
        if learns:
            count -= 1
            large -= not begins and t.k[start] == UPPER
            small -= not begins and t.k[start] == LOWER
        word.s = 1 if large + small <= 0 else 4 if small > 4 * large else 3 if 2 * small >= large else 2
        word.verb = count >= RARE and 1 <= entry.tag <= VERBS
        word.t = 1 + entry.tag if entry.tag and count >= RARE else word.h
        if count < RARE:
            word.w = push(word.h, 0)

    cdef int features_into(self, Tokens tokens, const Word *words, int64_t m, const Sofar *sofar, uint32_t *out) noexcept nogil:
        """Of the gap behind token m."""
        cdef uint64_t v[COUNT]
        cdef int64_t at, size = m + 1 - sofar.first
        cdef int x
        cdef bint outside
        cdef const Word *word
        for x in range(NEAR):
            at = m + x - 2
            outside = at < 0 or at >= tokens.count
            if not outside:                             # nor is there anything beyond the paragraph
                outside = (x < 2 and (tokens.gap[at] == PARAGRAPH or (x == 0 and tokens.gap[at + 1] == PARAGRAPH)))
                outside = outside or (x > 2 and tokens.gap[m] == PARAGRAPH) or (x > 3 and tokens.gap[m + 1] == PARAGRAPH) or (x > 4 and tokens.gap[m + 2] == PARAGRAPH)
            if outside:
                v[W + x] = v[H + x] = v[K + x] = v[S + x] = v[T + x] = v[X + x] = 1
            else:
                word = &words[at]
                v[W + x], v[H + x], v[K + x], v[S + x], v[T + x], v[X + x] = word.w, word.h, word.k, word.s, word.t, word.x
        v[GAP] = 1 if tokens.gap[m] == NOTHING else 3 if tokens.gap[m] == LINE_END else 2
        v[LENGTH] = size if size < 5 else 5 if size < 8 else 6 if size < 13 else 7 if size < 21 else 8 if size < 41 else 9
        v[DEPTH] = 1 + min(sofar.depth, 2)
        v[FIRST], v[FIRSTK] = words[sofar.first].w, words[sofar.first].k
        v[VERB], v[QUOTED] = 1 + sofar.verb, 1 + sofar.quoted
        v[UNTIL] = v[COMING] = 1
        if m + 1 < tokens.count and tokens.gap[m] != PARAGRAPH:
            v[UNTIL], v[COMING] = 1 + words[m + 1].until, 1 + words[m + 1].coming
        v[LINE] = words[m].line
        v[ROW] = words[m].row if tokens.gap[m] < LINE_END else 0
        return self.templates.features_into(v, out)

    cdef inline void begin(self, int64_t m, Sofar *sofar) noexcept nogil:
        """A sentence begins with token m."""
        sofar.first, sofar.depth, sofar.verb, sofar.quoted = m, 0, False, False

    cdef inline void add(self, Tokens tokens, const Word *words, int64_t m, Sofar *sofar) noexcept nogil:
        """Token m belongs to the sentence at work."""
        cdef uint8_t k = tokens.text.k[tokens.start[m]]
        if k == OPEN:
            sofar.depth += 1
        elif k == CLOSE and sofar.depth > 0:
            sofar.depth -= 1
        elif k == QUOTE and tokens.end[m] == tokens.start[m] + 1:
            sofar.quoted = not sofar.quoted
        sofar.verb = sofar.verb or words[m].verb

    cdef Word *describe_all(self, Tokens tokens, const uint8_t *lasts) except NULL:
        """lasts: where sentences end, in learning; else NULL."""
        cdef int64_t m
        cdef Word *words = <Word *>malloc(max(tokens.count, 1) * sizeof(Word))
        if words == NULL:
            raise MemoryError(f"no memory for {tokens.count:,} tokens")
        with nogil:
            for m in range(tokens.count):
                self.describe(tokens.text, tokens.start[m], tokens.end[m], lasts != NULL, m == 0 or (lasts != NULL and lasts[m - 1]), &words[m])
            self.look_ahead(tokens, words)
            self.look_at_lines(tokens, words)
        return words

    cdef void look_ahead(self, Tokens tokens, Word *words) noexcept nogil:
        """What comes before the next full stop or the end of the paragraph."""
        cdef int64_t m
        for m in range(tokens.count - 1, -1, -1):
            words[m].until, words[m].coming = 1, words[m].verb
            if m + 1 < tokens.count and tokens.gap[m] != PARAGRAPH and tokens.text.k[tokens.start[m]] != STOP:
                words[m].until += min(words[m + 1].until, FAR - 1)
                words[m].coming = words[m].verb or words[m + 1].coming

    cdef void look_at_lines(self, Tokens tokens, Word *words) noexcept nogil:
        """Which lines are full: the next word would make them longer than the lines around, and no narrow ones."""
        cdef int64_t m, word, last = -1, length = 0, before = 0, behind, first = 0
        for m in range(tokens.count):
            words[m].line = 0
            if tokens.gap[m] < LINE_END and m + 1 < tokens.count:
                continue
            behind = tokens.end[m] - tokens.start[first]
            if last >= 0:                               # there is a line on each side of the line end behind it
                word = first
                while tokens.gap[word] == NOTHING and word < m:
                    word += 1
                word = 1 if tokens.text.k[tokens.start[first]] == IDEOGRAPH else tokens.end[word] - tokens.start[first]
                words[last].line = 1 if length + 1 + word > max(NARROW, before, length, behind) else 2
            before, length, last, first = length, behind, m, m + 1
            if tokens.gap[m] != LINE_END:
                length, last = 0, -1
        self.look_at_rows(tokens, words)

    cdef void look_at_rows(self, Tokens tokens, Word *words) noexcept nogil:
        """How long the lines are that were ended on purpose. The last line of a paragraph goes with the one before."""
        cdef int64_t m, k, length, first = 0
        cdef uint8_t row, before = 0
        for m in range(tokens.count):
            if tokens.gap[m] < LINE_END and m + 1 < tokens.count:
                continue
            length = tokens.end[m] - tokens.start[first]
            row = 1 if length <= NARROW // 2 else 2 if length <= NARROW else 3 if length <= 2 * NARROW else 4
            if before == 1 or (words[m].line or before) != 2:
                row = 0
            for k in range(first, m + 1):
                words[k].row = row
            before, first = words[m].line, m + 1

    # ---- finding and learning

    def cut(self, Tokens tokens not None):
        """1 for each token that a sentence ends with, else 0."""
        flags = np.zeros(max(tokens.count, 1), dtype=np.uint8)
        cdef uint8_t[::1] out = flags
        cdef int64_t m
        cdef Sofar sofar
        cdef uint32_t features[MAX_TEMPLATES]
        cdef Word *words = self.describe_all(tokens, NULL)
        cdef Watch watch
        cdef bint interrupted = False
        watch_begin(&watch)
        with nogil:
            self.begin(0, &sofar)
            for m in range(tokens.count):
                self.add(tokens, words, m, &sofar)
                if (m + 1 == tokens.count or tokens.gap[m] == PARAGRAPH
                        or self.weights.score(features, self.features_into(tokens, words, m, &sofar, features)) > 0):
                    out[m] = True
                    self.begin(m + 1, &sofar)
                if stopped(&watch):
                    interrupted = True
                    break
        free(words)
        if interrupted:
            raise_reason()
        return flags[:tokens.count]

    def learn(self, Tokens tokens not None, lasts, order, float rate):
        """One epoch over the sentences that begin with the tokens of `order`; the number of mistakes.

        lasts: 1 where a sentence ends. rate: of the steps.
        """
        cdef Learner learner = self.weights
        cdef const uint8_t[::1] right = np.array(lasts, dtype=np.uint8)
        cdef const int64_t[::1] place = np.array(order, dtype=np.int64)
        cdef int64_t m, x, mistakes = 0
        cdef int n
        cdef Sofar sofar
        cdef uint32_t features[MAX_TEMPLATES]
        cdef Word *words
        cdef Watch watch
        cdef bint interrupted = False
        watch_begin(&watch)
        if len(right) != tokens.count or not tokens.count:
            raise ValueError(f"found {len(right)} marks, expected {tokens.count}, as there are tokens, and some")
        for x in range(len(place)):
            if not 0 <= place[x] < tokens.count:
                raise ValueError(f"found a sentence at token {place[x]}, expected a number below {tokens.count}")
        words = self.describe_all(tokens, &right[0])
        with nogil:
            for x in range(len(place)):
                self.begin(place[x], &sofar)
                for m in range(place[x], tokens.count):
                    self.add(tokens, words, m, &sofar)
                    if tokens.gap[m] != PARAGRAPH:
                        n = self.features_into(tokens, words, m, &sofar, features)
                        mistakes += learner.step(features, n, right[m], rate)
                    if right[m] or tokens.gap[m] == PARAGRAPH:
                        break
                if stopped(&watch):
                    interrupted = True
                    break
        free(words)
        if interrupted:
            raise_reason()
        return mistakes
