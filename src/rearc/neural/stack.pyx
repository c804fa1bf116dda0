"""The stack scorer's decoder (Kiperwasser & Goldberg 2016; de Lhoneux, Stymne & Nivre 2017).

A transition is scored from the words at the top of the stack and the front of the buffer, and on request their outermost
dependents, by a perceptron with one hidden layer. Its first layer is linear in each word: what each word gives in each slot
is computed beforehand, and a step adds up one row a slot.
"""

from libc.stdint cimport int64_t

import numpy as np

from rearc.neural.decoder cimport MAX_SLOTS, NetworkDecoder, Sheet
from rearc.systems.base cimport System
from rearc.systems.config cimport NONE, Config, Transition, buffer_word, class_of, k_of, stack_word

from rearc.neural.scorers import classes_of

cdef enum:
    CLASSES = 4                     # nearly always
    MOST_CLASSES = 5                # where arcs reach the second word below the top of the stack
    MAX_HIDDEN = 1024

PLACES = ("s0", "s1", "s2", "b0", "b1")
SIDES = ("", "l", "r")              # the word itself, its leftmost dependent, its rightmost


def parse_slots(text):
    """The numbers of slots such as "s2 s1 s0 b0 s0l s0r".

    >>> parse_slots("s0 b0l")
    [0, 10]
    """
    numbers = []
    for name in text.split():
        place, side = name[:2], name[2:]
        if place not in PLACES or side not in SIDES:
            raise ValueError(f"found the slot {name!r}, expected one of {', '.join(PLACES)}, with l or r for a dependent")
        numbers.append(PLACES.index(place) * 3 + SIDES.index(side))
    if not 0 < len(numbers) <= MAX_SLOTS or len(set(numbers)) < len(numbers):
        raise ValueError(f"found the slots {text!r}, expected 1 to {MAX_SLOTS} different ones")
    return numbers


cdef inline int word_in(const Config *c, int slot) noexcept nogil:
    cdef int place = slot // 3, side = slot % 3, w, dependent
    w = stack_word(c, place) if place < 3 else buffer_word(c, place - 3)
    if side == 0 or w == NONE:
        return w
    if side == 1:
        return c.family[w].far_left or NONE
    return c.family[w].far_right or NONE


cdef class StackDecoder(NetworkDecoder):
    """For the systems with a stack."""
    cdef int codes[MAX_SLOTS]
    cdef int hidden
    cdef int classes
    cdef const float[::1] bias              # of the hidden layer
    cdef const float[:, ::1] output         # a column a class
    cdef const float[::1] output_bias

    def __cinit__(self, System system not None, slots, bias, output, output_bias):
        numbers = parse_slots(slots)
        self.slots = len(numbers)
        for k, number in enumerate(numbers):
            self.codes[k] = number
        self.classes = classes_of(system.name)
        self.learn(bias, output, output_bias)

    def learn(self, bias, output, output_bias):
        """Take the weights behind the rows, as copies: the caller's may change."""
        cdef const float[::1] first = np.array(bias)
        cdef const float[:, ::1] second = np.array(output)
        cdef const float[::1] third = np.array(output_bias)
        if not 0 < len(first) <= MAX_HIDDEN or not len(second) == len(first) or second.shape[1] != self.classes or len(third) != self.classes:
            raise ValueError(f"found weights {bias.shape}, {output.shape}, {output_bias.shape}, expected at most {MAX_HIDDEN} hidden units")
        if self.users:
            raise RuntimeError("found a decoder in use by another thread, expected to have it alone; wait until it is done")
        self.hidden = len(first)
        self.bias, self.output, self.output_bias = first, second, third

    cdef bint covers(self, const Sheet *sheet, int n, int64_t count) noexcept nogil:
        """A row for the root, for each word, and for no word."""
        return 0 <= sheet.start <= count and (sheet.start + n + 2) * self.slots * self.hidden <= count < (<int64_t>1 << 31) * self.slots

    cdef void score(self, const Sheet *sheet, const Config *c, const Transition *ts, int count, float *scores,
                    int *cells, int *words) noexcept nogil:
        cdef float hidden[MAX_HIDDEN]
        cdef float classes[MOST_CLASSES]
        cdef const float *row
        cdef const float *weights
        cdef int k, s, w, x, size = self.hidden
        for k in range(size):
            hidden[k] = self.bias[k]
        for s in range(self.slots):
            w = word_in(c, self.codes[s])
            words[s] = <int>sheet.start + (w if w != NONE else c.n + 1)     # the last row stands for no word
            row = sheet.values + (<int64_t>words[s] * self.slots + s) * size
            for k in range(size):
                hidden[k] += row[k]
        for k in range(size):
            hidden[k] = hidden[k] if hidden[k] > 0 else 0
        for x in range(self.classes):
            classes[x] = self.output_bias[x]
        if self.classes == CLASSES:                     # a number known beforehand makes it faster
            for k in range(size):
                weights = &self.output[k, 0]
                for x in range(CLASSES):
                    classes[x] += weights[x] * hidden[k]
        else:
            for k in range(size):
                weights = &self.output[k, 0]
                for x in range(self.classes):
                    classes[x] += weights[x] * hidden[k]
        for x in range(count):
            cells[x] = class_of(ts[x])
            if self.classes > CLASSES and k_of(ts[x]) == 2:
                cells[x] += 2
            scores[x] = classes[cells[x]]
