"""Where tokens end: a binary linear model over the gaps between characters.

A chunk is a run of characters without white space. Its tokens are found from left to right: at each gap that is open the model is
asked whether a token ends there. Gaps that no token ends at, such as those before combining marks, are closed.

A single space may be within a token (1 000) if the treebank has such tokens: between characters of the classes that it has
them between, a space does not end the chunk, and the gap before it is open.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

import numpy as np

from rearc.interrupt cimport Watch, raise_reason, stopped, watch_begin
from rearc.segment.hashing cimport PIECE, hash_of, hash_on, push
from rearc.segment.lexicon cimport KnownWords, count_of
from rearc.segment.templates cimport MAX_TEMPLATES, Templates
from rearc.segment.text cimport (
    CLOSE, DASH, DIGIT, FLAG, IDEOGRAPH, KINDS, LETTER, LINE, LOWER, MARK, OPEN, OUTSIDE, PARAGRAPH, QUOTE, SPACE, UPPER, Text, Tokens, between,
    is_cased, is_letter, is_space,
)
from rearc.segment.weights cimport Learner, Weights

# What templates can look at. Places are relative to the gap: -1 is the character before it, 0 the one behind it.
ATOMS = (
    "c-3", "c-2", "c-1", "c0", "c1", "c2",      # characters
    "l-3", "l-2", "l-1", "l0", "l1", "l2",      # in lower case
    "k-3", "k-2", "k-1", "k0", "k1", "k2",      # their classes
    "left", "right",                            # the token so far; the rest of the chunk
    "lrun", "rrun",                             # characters of one class on both sides
    "known", "knownruns", "knownmore",          # how often left and right, lrun and rrun, left and one more character were seen
    "chunk",                                    # the whole chunk, and the place in it
    "from", "to", "size",                       # characters from the start of the chunk, to its end, of the token so far
    "first", "before", "behind",                # classes: the chunk's first character, what is before and behind the chunk
    "ends", "begins", "over",                   # lengths of the longest known words: that end here, begin here, go over the gap
    "endword", "beginword",                     # these words
    "pair-1", "pair0",                          # of a closing bracket or a quotation mark: where what it closes is
    "address",                                  # of a chunk with an address in it: of which kind, and where
)
cdef enum:
    C, L = 6, K = 12
    LEFT = 18, RIGHT, LRUN, RRUN, KNOWN, KNOWNRUNS, KNOWNMORE, CHUNK, FROM, TO, SIZE, FIRST, BEFORE, BEHIND
    ENDS, BEGINS, OVER, ENDWORD, BEGINWORD, PAIR, ADDRESS = PAIR + 2, COUNT

cdef enum:
    ZWJ = 0x200D                    # joins emoji
    NEAR = 4                        # a gap between letters that have capitals, so near to something else, is open
    WHOLE = 64                      # characters of a chunk by which it is known
    MUCH = 8                        # white space between neighbours
    LONGEST = 8                     # characters of a word that is looked for in scripts without spaces
    AROUND = 2 * LONGEST            # characters around a gap that such a word can be in
    FAR = 256                       # characters that a bracket or a quotation mark is looked for in

if len(ATOMS) != COUNT:
    raise ImportError("found other atoms in the list than in the code")


cdef struct Chunk:
    int64_t start
    int64_t stop
    int64_t token                   # where the token at work begins
    int64_t flags                   # regional indicators in a row before the gap at work; two of them are one flag
    uint64_t whole                  # its hash
    int64_t sign                    # where it shows that there is an address: `www.`, `://` or `@`; -1 nowhere
    bint split                      # letters alone, known to be more than one token
    bint letters                    # letters alone
    uint8_t before
    uint8_t behind
    int64_t run, end                # of the run of one class that was looked at last
    int64_t looked                  # up to here known words were looked for
    uint8_t found[AROUND]           # the lengths of those that begin at a character, a bit each, by the last bits of its place


cdef uint8_t neighbour(Text t, int64_t i, int step) noexcept nogil:
    """The class of the nearest character beyond the white space that begins here; OUTSIDE beyond the paragraph or much white space."""
    cdef int64_t at = i
    while 0 <= at < t.size and at != i + step * MUCH and is_space(t.k[at]):
        at += step
    if not 0 <= at < t.size or is_space(t.k[at]) or between(t, min(i, at + 1), max(i + 1, at)) == PARAGRAPH:
        return OUTSIDE
    return t.k[at]


cdef inline bint is_single(uint32_t c) noexcept nogil:
    """An apostrophe or what is written for one; other quotation marks are double ones."""
    return c in (0x27, 0x60, 0xB4, 0x2018, 0x2019, 0x201A, 0x201B)


cdef int64_t opened(Text t, int64_t x) noexcept nogil:
    """Where the bracket or quotation mark is that the one at x closes, in the same paragraph; -1 if there is none near it.

    Brackets are counted. A quotation mark closes the one before it of its kind that is within no word, if that one opens:
    if something is behind it, and before it white space, a bracket, a dash or another quotation mark.
    """
    cdef int64_t p = x, stop
    cdef int closed = 0
    cdef uint8_t before
    while p > 0 and p > x - FAR:
        p -= 1
        if t.k[p] == LINE:
            stop = p + 1
            while p > 0 and p > x - FAR and is_space(t.k[p - 1]):
                p -= 1
            if between(t, p, stop) == PARAGRAPH:
                return -1
        elif t.k[x] == CLOSE and t.k[p] == CLOSE:
            closed += 1
        elif t.k[x] == CLOSE and t.k[p] == OPEN:
            if not closed:
                return p
            closed -= 1
        elif t.k[x] == QUOTE and t.k[p] == QUOTE and is_single(t.c[p]) == is_single(t.c[x]):
            before = t.k[p - 1] if p > 0 else SPACE
            if is_space(before) or before in (OPEN, DASH, QUOTE):
                return -1 if is_space(t.k[p + 1]) else p
            if not (is_letter(before) and is_letter(t.k[p + 1])):
                return -1
    return -1


cdef uint64_t pair(Text t, const Chunk *chunk, int64_t x) noexcept nogil:
    """0: no bracket or quotation mark that could close anything; 1: it closes nothing; else what it closes is 2: before
    the chunk, 3: in it, 4: in the token at work."""
    if t.k[x] != CLOSE and t.k[x] != QUOTE:
        return 0
    cdef int64_t p = opened(t, x)
    return 1 if p < 0 else 2 if p < chunk.start else 3 if p < chunk.token else 4


cdef inline bint shows_address(Text t, int64_t start, int64_t i) noexcept nogil:
    """Whether `://` or an `@` behind a letter or a digit stands here, or `www.` before which there is none."""
    cdef uint32_t c = t.l[i]
    if c == c"@":
        return i > start and t.k[i - 1] in (LOWER, UPPER, LETTER, DIGIT)
    if c == c":":
        return i + 2 < t.size and t.l[i + 1] == c"/" and t.l[i + 2] == c"/"
    if c != c"w" or i + 3 >= t.size or t.l[i + 1] != c"w" or t.l[i + 2] != c"w" or t.l[i + 3] != c".":
        return False
    return i == start or t.k[i - 1] not in (LOWER, UPPER, LETTER, DIGIT)


cdef inline uint64_t address(Text t, const Chunk *chunk, int64_t g) noexcept nogil:
    """0: none in the chunk; else its sign is 1: behind the gap, 2: in the token at work, 3: before that; 3 more for an `@`."""
    if chunk.sign < 0:
        return 0
    return (1 if chunk.sign >= g else 2 if chunk.sign >= chunk.token else 3) + 3 * (t.l[chunk.sign] == c"@")


cdef inline int64_t begin_of_run(Text t, int64_t least, int64_t i) noexcept nogil:
    """Where the run of one class begins that character i is in; not before the least place."""
    while i > least and t.k[i - 1] == t.k[i]:
        i -= 1
    return i


cdef uint8_t LENGTHS[256]           # of lengths that are a bit each, the longest
LENGTHS[:] = [lengths.bit_length() for lengths in range(256)]


cdef class TokenModel:
    """Finds tokens. joins: pairs of classes (their places in CLASSES) between which a space may be within a token.

    >>> from rearc.segment.lexicon import KnownWords
    >>> from rearc.segment.text import Text
    >>> from rearc.segment.weights import Weights
    >>> model = TokenModel(Weights([0.0] * 256, 1.0), "c-1", KnownWords([], []), KnownWords([], []), [])     # cuts wherever it may
    >>> model.cut(Text("Go 1+1")).ends.tolist()
    [2, 4, 5, 6]
    """
    cdef readonly Weights weights
    cdef readonly Templates templates
    cdef readonly KnownWords words, splits
    cdef bint apart                     # whether what is seen around an address has nothing to do with what is seen elsewhere
    cdef uint8_t joins[KINDS * KINDS]

    def __cinit__(self, Weights weights not None, str templates not None, KnownWords words not None, KnownWords splits not None, joins):
        self.weights, self.words, self.splits = weights, words, splits
        self.templates = Templates(templates, ATOMS)
        self.apart = "address" in templates
        for a, b in [(int(a), int(b)) for a, b in joins]:
            if not 0 <= a < KINDS or not 0 <= b < KINDS:
                raise ValueError(f"found the classes {a} and {b}, expected numbers below {KINDS}")
            self.joins[<int>a * KINDS + <int>b] = 1

    @property
    def joined(self):
        """The pairs of classes between which a space may be within a token."""
        return [(k // KINDS, k % KINDS) for k in range(KINDS * KINDS) if self.joins[k]]

    # ---- chunks and gaps

    cdef void enter(self, Text t, int64_t start, Chunk *chunk) noexcept nogil:
        """The chunk that begins at this character."""
        cdef int64_t i = start
        chunk.letters = True
        chunk.sign = -1
        while i < t.size:
            if is_space(t.k[i]):
                if t.k[i] == LINE or i + 1 >= t.size or is_space(t.k[i + 1]) or not self.joins[t.k[i - 1] * KINDS + t.k[i + 1]]:
                    break
            chunk.letters = chunk.letters and is_letter(t.k[i])
            if chunk.sign < 0 and shows_address(t, start, i):
                chunk.sign = i
            i += 1
        chunk.start = chunk.token = chunk.end = chunk.looked = start
        chunk.flags = t.k[start] == FLAG
        chunk.stop = i
        chunk.whole = hash_of(t.l, start, min(i, start + WHOLE))
        chunk.split = chunk.letters and count_of(self.splits, chunk.whole) > 0
        chunk.before, chunk.behind = neighbour(t, start - 1, -1), neighbour(t, i, 1)

    cdef bint is_open(self, Text t, Chunk *chunk, int64_t g) noexcept nogil:
        """Whether a token may end before character g. Called for each gap of the chunk in turn."""
        cdef uint8_t before = t.k[g - 1], behind = t.k[g]
        cdef int64_t i
        if before == FLAG and behind == FLAG:
            chunk.flags += 1
            return chunk.flags & 1
        chunk.flags = behind == FLAG
        if behind == MARK or is_space(before) or t.c[g - 1] == ZWJ:
            return False
        if not (is_letter(before) and is_letter(behind)):
            return True
        if chunk.letters:
            return chunk.split
        if not (is_cased(before) and is_cased(behind)):
            return False
        for i in range(max(chunk.start, g - NEAR), min(chunk.stop, g + NEAR)):
            if not is_letter(t.k[i]):
                return True
        return False

    # ---- features

    cdef int features_into(self, Text t, Chunk *chunk, int64_t g, int seen, uint32_t *out) noexcept nogil:
        """Of the gap before character g. seen: how often its own words are in the lexicon because of this place: 1 in training."""
        cdef uint64_t v[COUNT]
        cdef int64_t a = chunk.start, b = chunk.stop, s, e, i, x
        for x in range(6):
            i = g + x - 3
            if a <= i < b and not is_space(t.k[i]):
                v[C + x], v[L + x], v[K + x] = 1 + <uint64_t>t.c[i], 1 + <uint64_t>t.l[i], 1 + t.k[i]
            else:                                       # beyond the chunk there are spaces
                v[C + x] = v[L + x] = 1 + c" "
                v[K + x] = 1 + SPACE
        if chunk.end <= g:                              # another run than that of the gap before
            chunk.run, chunk.end = begin_of_run(t, max(a, g - PIECE), g), g + 1
            while chunk.end < b and t.k[chunk.end] == t.k[g]:
                chunk.end += 1
        s = begin_of_run(t, max(a, g - PIECE), g - 1) if chunk.run == g else max(chunk.run, g - PIECE)
        e = min(chunk.end, g + PIECE)
        v[LEFT], v[LRUN] = hash_of(t.l, max(chunk.token, g - PIECE), g), hash_of(t.l, s, g)
        v[RRUN] = hash_of(t.l, g, e)
        v[RIGHT] = hash_on(v[RRUN], t.l, e, min(b, g + PIECE))       # which begins with that
        v[KNOWN] = 1 + self.seen(v[LEFT], seen) * 4 + self.seen(v[RIGHT], seen)
        v[KNOWNRUNS] = 1 + self.seen(v[LRUN], seen) * 4 + self.seen(v[RRUN], seen)
        v[KNOWNMORE] = 1 + self.seen(push(v[LEFT], t.l[g]), seen)
        v[CHUNK] = push(chunk.whole, g - a)
        v[FROM], v[TO], v[SIZE] = min(g - a, 5), min(b - g, 5), min(g - chunk.token, 10)
        v[FIRST] = 1 + t.k[a]
        v[BEFORE] = 1 + chunk.before if g == a + 1 else 0
        v[BEHIND] = 1 + chunk.behind
        v[PAIR], v[PAIR + 1] = pair(t, chunk, g - 1), pair(t, chunk, g)
        v[ADDRESS] = address(t, chunk, g)
        self.look_for_words(t, chunk, g, seen, v)
        if self.apart and v[ADDRESS]:                   # dots and slashes in it say nothing of those in other text
            for x in range(COUNT):
                v[x] = push(v[x], v[ADDRESS]) if v[x] else 0
        return self.templates.features_into(v, out)

    cdef inline int seen(self, uint64_t word, int but) noexcept nogil:
        """0: never; 1: once; 2: up to four times; 3: more often."""
        cdef int count = count_of(self.words, word) - but
        return 0 if count <= 0 else 1 if count == 1 else 2 if count < 5 else 3

    cdef void look_for_words(self, Text t, Chunk *chunk, int64_t g, int seen, uint64_t *v) noexcept nogil:
        """Known words around the gap, in scripts without spaces."""
        cdef int64_t s
        cdef int ends = 0, begins, left = 0, right = 0, length
        v[ENDS] = v[BEGINS] = v[OVER] = v[ENDWORD] = v[BEGINWORD] = 0
        if t.k[g - 1] != IDEOGRAPH and t.k[g] != IDEOGRAPH and t.k[g - 1] != LETTER:
            return
        chunk.looked = max(chunk.looked, g - LONGEST)
        while chunk.looked <= g:
            chunk.found[chunk.looked % AROUND] = self.lengths_at(t, chunk, chunk.looked, seen)
            chunk.looked += 1
        for s in range(max(chunk.start, g - LONGEST), g):
            if not ends and chunk.found[s % AROUND] >> (g - s - 1) & 1:
                ends = <int>(g - s)
            length = LENGTHS[chunk.found[s % AROUND]]
            if length > g - s and length > left + right:
                left, right = <int>(g - s), length - <int>(g - s)
        begins = LENGTHS[chunk.found[g % AROUND]]
        v[ENDS], v[BEGINS], v[OVER] = 1 + ends, 1 + begins, 1 + left * 16 + right
        v[ENDWORD], v[BEGINWORD] = hash_of(t.l, g - ends, g), hash_of(t.l, g, g + begins)

    cdef uint8_t lengths_at(self, Text t, const Chunk *chunk, int64_t s, int seen) noexcept nogil:
        """The lengths of the known words that begin at a character: bit k is set for one of k + 1 characters."""
        cdef int64_t e
        cdef uint64_t h = hash_of(t.l, s, s)
        cdef uint8_t lengths = 0
        for e in range(s, min(chunk.stop, s + LONGEST)):
            h = push(h, t.l[e])
            lengths |= (count_of(self.words, h) > seen) << (e - s)
        return lengths

    # ---- finding and learning

    def cut(self, Text t not None):
        """The Tokens of a text."""
        starts, ends = np.empty(t.size, dtype=np.int64), np.empty(t.size, dtype=np.int64)
        cdef int64_t[::1] start = starts
        cdef int64_t[::1] end = ends
        cdef int64_t i = 0, g, count = 0
        cdef uint32_t features[MAX_TEMPLATES]
        cdef Chunk chunk
        cdef Watch watch
        cdef bint interrupted = False
        watch_begin(&watch)
        with nogil:
            while i < t.size and not interrupted:
                if is_space(t.k[i]):
                    i += 1
                    continue
                self.enter(t, i, &chunk)
                for g in range(chunk.start + 1, chunk.stop):
                    if self.is_open(t, &chunk, g) and self.weights.score(features, self.features_into(t, &chunk, g, 0, features)) > 0:
                        start[count], end[count] = chunk.token, g
                        count += 1
                        chunk.token = g + is_space(t.k[g])
                    if stopped(&watch):
                        interrupted = True
                        break
                start[count], end[count] = chunk.token, chunk.stop
                count += 1
                i = chunk.stop
        if interrupted:
            raise_reason()
        return Tokens(t, starts[:count], ends[:count])

    def starts_of_chunks(self, Text t not None):
        """Where the chunks of a text begin."""
        cdef Chunk chunk
        cdef int64_t i = 0
        starts = []
        while i < t.size:
            if is_space(t.k[i]):
                i += 1
            else:
                starts.append(i)
                self.enter(t, i, &chunk)
                i = chunk.stop
        return np.array(starts, dtype=np.int64)

    def learn(self, Tokens gold not None, order, float rate):
        """One epoch over the chunks that begin at the places of `order`; the number of mistakes. rate: of the steps."""
        cdef Learner learner = self.weights
        cdef Text t = gold.text
        cdef const int64_t[::1] place = np.array(order, dtype=np.int64)
        cdef uint8_t[::1] right = np.zeros(t.size + 1, dtype=np.uint8)
        cdef uint32_t features[MAX_TEMPLATES]
        cdef Chunk chunk
        cdef int64_t x, g, mistakes = 0
        cdef int n
        cdef bint answer, interrupted = False
        cdef Watch watch
        watch_begin(&watch)
        for x in range(gold.count):
            right[gold.end[x]] = True
        for x in range(len(place)):
            if not 0 <= place[x] < t.size or is_space(t.k[place[x]]):
                raise ValueError(f"found a chunk at {place[x]}, expected it at a character of the text")
        with nogil:
            for x in range(len(place)):
                self.enter(t, place[x], &chunk)
                for g in range(chunk.start + 1, chunk.stop):
                    answer = right[g]
                    if self.is_open(t, &chunk, g):
                        n = self.features_into(t, &chunk, g, 1, features)
                        mistakes += learner.step(features, n, answer, rate)
                    if answer:
                        chunk.token = g + is_space(t.k[g])
                if stopped(&watch):
                    interrupted = True
                    break
        if interrupted:
            raise_reason()
        return mistakes
