"""Arc-swift (Qi & Manning 2017, Figure 3): arc-eager whose reductions are part of the arc that needs them.

The root 0 lies at the bottom of the stack; it starts with ([0], [1, …, n], ∅) and ends when the buffer is
empty. The k-th word is counted from the top of the stack, and the words above it are headed.
"""

from rearc.systems.base cimport System
from rearc.systems.config cimport (
    LEFT_ARC, RIGHT_ARC, SHIFT, Config, Transition, attach, buffer_size, buffer_word, fill_buffer, is_headed,
    k_of, kind_of, pop, push, stack_word, take, transition,
)


cdef inline int first_headless(const Config *c) noexcept nogil:
    """k of the topmost headless word, of the root if all words are headed."""
    cdef int k = 1
    while is_headed(c, stack_word(c, k - 1)):
        k += 1
    return k


cdef inline bint can_shift(const Config *c) noexcept nogil:
    """The last word has to be attached, for nobody would come to attach it later."""
    return buffer_size(c) > 1


cdef inline void shift(Config *c) noexcept nogil:
    """(σ, b|β, A) ⇒ (σ|b, β, A)"""
    push(c, take(c))


cdef inline bint can_left_arc(const Config *c, int k) noexcept nogil:
    """For k the first headless word; the root is none."""
    return k < c.depth


cdef inline void left_arc(Config *c, int k, int label) noexcept nogil:
    """(σ|sk|…|s1, b|β, A) ⇒ (σ, b|β, A ∪ {b→sk})"""
    for _ in range(k - 1):
        pop(c)
    attach(c, buffer_word(c, 0), pop(c), label)


cdef inline int last_right_arc(const Config *c, int k, bint single_root) noexcept nogil:
    """Right-arc:1…K are legal: K is the first headless word k, but 0 when one word is left and a left-arc is
    legal, and with one root not the root when a word hangs on it, which then lies right above it."""
    if buffer_size(c) == 1 and can_left_arc(c, k):
        return 0
    return k - 1 if single_root and k == c.depth and c.depth > 1 else k


cdef inline void right_arc(Config *c, int k, int label) noexcept nogil:
    """(σ|sk|…|s1, b|β, A) ⇒ (σ|sk|b, β, A ∪ {sk→b})"""
    for _ in range(k - 1):
        pop(c)
    attach(c, stack_word(c, 0), buffer_word(c, 0), label)
    push(c, take(c))


cdef class ArcSwift(System):
    """Arc-swift: left-arc:k and right-arc:k join the front of the buffer with the k-th word of the stack."""

    cdef void begin(self, Config *c) noexcept nogil:
        fill_buffer(c)
        push(c, 0)

    cdef bint finished(self, const Config *c) noexcept nogil:
        return not buffer_size(c)

    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef int count = 0, k, first
        if not buffer_size(c):
            return 0
        first = first_headless(c)
        if can_shift(c):
            out[count] = SHIFT
            count += 1
        if can_left_arc(c, first):
            out[count] = transition(LEFT_ARC, first)
            count += 1
        for k in range(1, last_right_arc(c, first, self.single_root) + 1):
            out[count] = transition(RIGHT_ARC, k)
            count += 1
        return count

    cdef void act(self, Config *c, Transition t, int label) noexcept nogil:
        if t == SHIFT:
            shift(c)
        elif kind_of(t) == LEFT_ARC:
            left_arc(c, k_of(t), label)
        else:
            right_arc(c, k_of(t), label)

    cdef bint arc(self, const Config *c, Transition t, int *h, int *d) noexcept nogil:
        if kind_of(t) == LEFT_ARC:
            h[0], d[0] = buffer_word(c, 0), stack_word(c, k_of(t) - 1)
        elif kind_of(t) == RIGHT_ARC:
            h[0], d[0] = stack_word(c, k_of(t) - 1), buffer_word(c, 0)
        return t != SHIFT
