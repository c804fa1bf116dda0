"""Templates as a small program: find the words, read their attributes, hash the conjunctions."""

from libc.stdint cimport uint32_t, uint64_t

from rearc.features.tokens cimport ATTRIBUTES, Tokens
from rearc.systems.base cimport State
from rearc.systems.config cimport NONE, Config, buffer_word, stack_word

from rearc.features.templates import Address, Template, TemplateError, is_word
from rearc.features.tokens import NAMES

cdef enum:
    LEFT_FOCUS, RIGHT_FOCUS, STACK, BUFFER, FIRST_BETWEEN, LAST_BETWEEN, HEAD_OF_ARC, DEPENDENT_OF_ARC
    HEAD, GRANDPARENT, FAR_LEFT, NEAR_LEFT, SECOND_LEFT, FAR_RIGHT, NEAR_RIGHT, SECOND_RIGHT, PREVIOUS, NEXT

cdef enum:                          # attributes of the configuration, numbered after those of the tokens
    LABEL = ATTRIBUTES
    DISTANCE, LEFT_VALENCY, RIGHT_VALENCY, LEFT_LABELS, RIGHT_LABELS, ARC, KIN

STARTS = {"L": LEFT_FOCUS, "R": RIGHT_FOCUS, "S": STACK, "N": BUFFER, "CL": FIRST_BETWEEN, "CR": LAST_BETWEEN,
          "H": HEAD_OF_ARC, "D": DEPENDENT_OF_ARC}
STEPS = {"h": HEAD, "h2": GRANDPARENT, "l": FAR_LEFT, "l'": NEAR_LEFT, "l2": SECOND_LEFT, "r": FAR_RIGHT, "r'": NEAR_RIGHT,
         "r2": SECOND_RIGHT, "<": PREVIOUS, ">": NEXT}
ATTRIBUTE = dict({name: number for number, name in enumerate(NAMES)}, l=LABEL, d=DISTANCE, vl=LEFT_VALENCY, vr=RIGHT_VALENCY,
                 sl=LEFT_LABELS, sr=RIGHT_LABELS, e=ARC, k=KIN)


cdef inline uint64_t mix(uint64_t h) noexcept nogil:
    h ^= h >> 32
    h *= 0xD6E8FEB86659FD93ULL
    return h ^ (h >> 32)


cdef int between(const Config *c, int left, int right, bint last) noexcept nogil:
    """CL or CR: the first or last word between the foci whose head is not in [left, right]."""
    cdef int w
    if left == NONE or right == NONE:
        return NONE
    w = right - 1 if last else left + 1
    while left < w < right:
        if not left <= c.head[w] <= right:
            return w
        w += -1 if last else 1
    return NONE


cdef inline uint32_t bucket(int distance) noexcept nogil:
    if distance < 0:
        distance = -distance
    if distance <= 4:
        return distance + 1
    if distance <= 6:
        return 6
    return 7 if distance <= 10 else 8


cdef inline uint32_t reach(const Config *c, int w) noexcept nogil:
    """On which side of w its head is, and how far."""
    cdef int h = c.head[w]
    if h == NONE:
        return 1
    return 2 + 2 * bucket(h - w) + (h > w) if h else 2


cdef inline uint32_t side(int h, int left, int right) noexcept nogil:
    """Where a head stands: none, before both, at the left, between, at the right, behind both."""
    if h == NONE:
        return 0
    return 1 + (h >= left) + (h > left) + (h >= right) + (h > right)


cdef uint32_t kin(const Config *c, int left, int right) noexcept nogil:
    """How two words stand to each other in the tree: where their heads are, and whether one is above the other or both have one head."""
    cdef int h = c.head[left], g = c.head[right], w
    cdef uint32_t above = 0
    if h != NONE and h == g:
        above = 3
    else:
        w = right
        while w > 0 and w != left:
            w = c.head[w]
        if w == left:
            above = 1
        else:
            w = left
            while w > 0 and w != right:
                w = c.head[w]
            above = 2 * (w == right)
    return 1 + above + 4 * (side(h, left, right) + 6 * side(g, left, right))


cdef class Program:
    def __cinit__(self, templates, bint from_top=False):
        self.templates = tuple(templates)
        self.from_top = from_top
        self.size = len(self.templates)
        if self.size > MAX_TEMPLATES:
            raise TemplateError(f"found {self.size} templates, expected at most {MAX_TEMPLATES}")
        slots, atoms = {}, {}
        cdef Conjunction *conjunction
        for number, template in enumerate(self.templates):
            if type(template) is not Template:
                raise TypeError(f"found {type(template).__name__}, expected a Template; parse_templates makes them")
            conjunction = &self.conjunctions[number]
            atoms_here = tuple(template.atoms)
            if len(atoms_here) > MAX_CONJUNCTS:
                raise TemplateError(f"template {template.text!r}: found {len(atoms_here)} attributes, expected at most {MAX_CONJUNCTS}")
            conjunction.seed = mix(0x9E3779B97F4A7C15ULL * <uint64_t>(number + 1))
            conjunction.count = conjunction.needed_count = 0
            for address, attribute in atoms_here:
                if type(address) is not Address or attribute not in ATTRIBUTE:
                    raise TemplateError(f"template {template.text!r}: found {attribute!r} of {address!r}, expected an attribute of an Address")
                slot = self.slot_of(address, slots)
                atom = atoms.setdefault((slot, ATTRIBUTE[attribute]), len(atoms))
                if atom >= MAX_ATOMS:
                    raise TemplateError(f"template {template.text!r}: more than {MAX_ATOMS} different attributes of words")
                self.atoms[atom].slot = slot
                self.atoms[atom].attribute = ATTRIBUTE[attribute]
                conjunction.atoms[conjunction.count] = atom
                conjunction.count += 1
                if address.relatives:
                    conjunction.needed[conjunction.needed_count] = slot
                    conjunction.needed_count += 1
        self.slot_count = len(slots)
        self.atom_count = len(atoms)

    def keys(self, State state not None, values, int k=1, int head=NONE, int dependent=NONE):
        """The hashes of the features that fire in a state over one encoded sentence."""
        cdef const uint32_t[::1] v = values
        cdef uint64_t out[MAX_TEMPLATES]
        cdef Tokens tokens
        cdef int n = state.c.n
        if not (1 <= k <= n and NONE <= head <= n and NONE <= dependent <= n):
            raise ValueError(f"found k={k}, head={head} and dependent={dependent}, expected k from 1 to {n}, and words up to {n} or -1 for none")
        if len(v) != ATTRIBUTES * (state.c.n + 1):
            raise ValueError(f"found {len(v)} values, expected those of one sentence of {state.c.n} words")
        tokens.n = state.c.n
        tokens.values = &v[0]
        return [out[t] for t in range(self.keys_into(&state.c, &tokens, k, head, dependent, out))]

    cdef int slot_of(self, address, dict slots) except -1:
        word, relatives = str(address.word), tuple(address.relatives)
        key = (word, relatives)
        if key in slots:
            return slots[key]
        if len(relatives) >= MAX_SLOTS:     # before the steps are taken one inside the other
            raise TemplateError(f"found {len(relatives)} relatives of one word, expected fewer than {MAX_SLOTS}")
        if not is_word(word) or not STEPS.keys() >= set(relatives):
            raise TemplateError(f"found the word {str(address)[:40]!r}, expected one such as L0, R1, S0, N2, CL, and its relatives")
        source = 0
        if relatives:
            source = self.slot_of(Address(word, relatives[:-1]), slots)
        number = len(slots)
        if number >= MAX_SLOTS:
            raise TemplateError(f"more than {MAX_SLOTS} different words in the templates")
        slots[key] = number
        if relatives:
            self.slots[number].op = STEPS[relatives[-1]]
            self.slots[number].argument = source
        else:
            self.slots[number].op = STARTS[word if word in STARTS else word[0]]
            self.slots[number].argument = int(word[1:]) if word[1:].isdigit() else 0
        return number

    cdef int keys_into(self, const Config *c, const Tokens *tokens, int k, int h, int d, uint64_t *out) noexcept nogil:
        """Hash every feature of a configuration; k > 1 looks at it from the k-th word of λ1 or σ. Returns how many fire.

        Where k counts from the top of the stack (`from_top`), the k-th word below it stands right below it, those passed over follow,
        and the features are others than for k = 1.
        """
        cdef int words[MAX_SLOTS]
        cdef uint32_t values[MAX_ATOMS]
        cdef int s, a, t, w, x, count = 0
        cdef int skip = k - 1 if k > 1 else 0
        cdef int left, right, passed = 0
        cdef uint64_t salt = 0
        cdef uint64_t key
        cdef const Conjunction *conjunction
        if self.from_top:
            passed, skip = skip, 0
            salt = passed * 0xA0761D6478BD642FULL
        if c.j:                     # Covington's foci, or s0 and b0
            left = c.i - skip if c.i > skip else NONE
            right = c.j if c.j <= c.n else NONE
        else:
            left, right = stack_word(c, skip), buffer_word(c, 0)
        for s in range(self.slot_count):
            a = self.slots[s].argument
            w = NONE
            if self.slots[s].op == LEFT_FOCUS:
                w = c.i - skip - a
                if w < 1:
                    w = NONE
            elif self.slots[s].op == RIGHT_FOCUS:
                w = c.j + a
                if w > c.n:
                    w = NONE
            elif self.slots[s].op == STACK:
                if 0 < a <= passed + 1:
                    a = a - 1 if a > 1 else passed + 1
                w = stack_word(c, a + skip)
            elif self.slots[s].op == BUFFER:
                w = buffer_word(c, a)
            elif self.slots[s].op == FIRST_BETWEEN:
                w = between(c, left, right, False)
            elif self.slots[s].op == LAST_BETWEEN:
                w = between(c, left, right, True)
            elif self.slots[s].op == HEAD_OF_ARC:
                w = h
            elif self.slots[s].op == DEPENDENT_OF_ARC:
                w = d
            else:
                x = words[a]
                if x != NONE:
                    if self.slots[s].op == HEAD:
                        w = c.head[x]
                    elif self.slots[s].op == GRANDPARENT:
                        w = c.head[x]
                        if w != NONE:
                            w = c.head[w]
                    elif self.slots[s].op == FAR_LEFT:
                        w = c.family[x].far_left or NONE
                    elif self.slots[s].op == NEAR_LEFT:
                        w = c.family[x].near_left or NONE
                    elif self.slots[s].op == SECOND_LEFT:
                        w = c.family[c.family[x].far_left].after or NONE
                    elif self.slots[s].op == FAR_RIGHT:
                        w = c.family[x].far_right or NONE
                    elif self.slots[s].op == NEAR_RIGHT:
                        w = c.family[x].near_right or NONE
                    elif self.slots[s].op == SECOND_RIGHT:
                        w = c.family[c.family[x].far_right].before or NONE
                    elif self.slots[s].op == PREVIOUS:
                        w = x - 1 if x > 1 else NONE
                    else:
                        w = x + 1 if 0 < x < c.n else NONE
            words[s] = w
        for s in range(self.atom_count):
            w = words[self.atoms[s].slot]
            a = self.atoms[s].attribute
            if a == DISTANCE:
                values[s] = bucket((right or c.n + 1) - left) if left != NONE and right != NONE else 0
            elif a == KIN:
                values[s] = kin(c, left, right) if left > 0 and right > 0 else 0
            elif w == NONE:
                values[s] = 0
            elif a < ATTRIBUTES:
                values[s] = tokens.values[a * (c.n + 1) + w]
            elif a == LABEL:
                values[s] = c.label[w] + 2 if c.head[w] != NONE else 0
            elif a == LEFT_VALENCY:
                values[s] = 1 + (c.family[w].left_count if c.family[w].left_count < 6 else 6)
            elif a == RIGHT_VALENCY:
                values[s] = 1 + (c.family[w].right_count if c.family[w].right_count < 6 else 6)
            elif a == LEFT_LABELS:
                values[s] = <uint32_t>mix(c.family[w].left_labels + 1)
            elif a == ARC:
                values[s] = reach(c, w)
            else:
                values[s] = <uint32_t>mix(c.family[w].right_labels + 1)
        for t in range(self.size):
            conjunction = &self.conjunctions[t]
            for s in range(conjunction.needed_count):
                if words[conjunction.needed[s]] == NONE:
                    break
            else:
                key = conjunction.seed ^ salt
                for s in range(conjunction.count):
                    key = (key ^ values[conjunction.atoms[s]]) * 0x9E3779B97F4A7C15ULL
                    key ^= key >> 29
                out[count] = mix(key) | 1
                count += 1
        return count
