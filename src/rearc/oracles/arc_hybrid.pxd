from rearc.oracles.base cimport Oracle
from rearc.oracles.stack cimport is_complete
from rearc.systems.config cimport LEFT_ARC, RIGHT_ARC, SHIFT, Config, Transition, buffer_word, stack_word


cdef inline Transition hybrid_rule(Oracle o, const Config *c) noexcept nogil:
    """The gold arc to s0 when s0 is complete, else shift; off the gold path, with r alone in B, any arc."""
    cdef int s0 = stack_word(c, 0), b = buffer_word(c, 0)
    cdef bint can_left_arc = c.depth == 1 or (c.depth > 1 and not (b == 0 and o.system.single_root))
    if c.depth > 0 and (b == 0 or is_complete(o, c, s0)):
        if o.gold[s0] == b and can_left_arc:
            return LEFT_ARC
        if c.depth > 1 and o.gold[s0] == stack_word(c, 1):
            return RIGHT_ARC
    if b != 0:
        return SHIFT
    return LEFT_ARC if can_left_arc else RIGHT_ARC
