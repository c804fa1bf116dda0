from libc.stdint cimport uint32_t, uint64_t

from rearc.features.tokens cimport Tokens
from rearc.systems.config cimport Config

cdef enum:
    MAX_SLOTS = 96
    MAX_ATOMS = 192
    MAX_TEMPLATES = 256
    MAX_CONJUNCTS = 8


cdef struct Slot:
    int op
    int argument                    # an index (L1 is 1) or the slot to step from


cdef struct Atom:
    int slot
    int attribute


cdef struct Conjunction:
    uint64_t seed
    int count
    int atoms[MAX_CONJUNCTS]
    int needed[MAX_CONJUNCTS]       # slots of relatives: without them the feature does not fire
    int needed_count


cdef class Program:
    """Templates compiled for one family of systems."""
    cdef readonly tuple templates
    cdef readonly int size          # number of templates
    cdef readonly bint from_top     # k counts from the top of the stack: Traits.from_top
    cdef int slot_count
    cdef int atom_count
    cdef Slot slots[MAX_SLOTS]
    cdef Atom atoms[MAX_ATOMS]
    cdef Conjunction conjunctions[MAX_TEMPLATES]

    cdef int slot_of(self, address, dict slots) except -1
    cdef int keys_into(self, const Config *c, const Tokens *tokens, int k, int h, int d, uint64_t *out) noexcept nogil
