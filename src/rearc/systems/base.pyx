"""What all transition systems share: the Python face of states and systems over the C configuration."""

from rearc.systems.config cimport NONE, Transition, config_copy, config_free, config_reset, k_of, kind_of, transition

from libc.stdlib cimport free, malloc

from rearc.errors import RearcError

KINDS = ("shift", "no-arc", "left-arc", "right-arc", "reduce", "unshift", "swap")


class IllegalTransition(RearcError):
    """A transition whose precondition does not hold in the configuration it was applied to.

    >>> from rearc.systems import system
    >>> hybrid = system("arc-hybrid")
    >>> hybrid.apply(hybrid.start(1), "left-arc")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rearc.systems.base.IllegalTransition: left-arc is not legal in ([], [1, r], {}); legal are: shift
    """


cdef str transition_name(Transition t):
    return KINDS[kind_of(t)] if k_of(t) == 0 else f"{KINDS[kind_of(t)]}:{k_of(t)}"


cdef Transition transition_from(str name) except -1:
    kind, _, k = name.partition(":")
    if kind not in KINDS or (k and not (k.isascii() and k.isdigit() and 0 < int(k) < 1 << 27)):
        raise ValueError(f"found transition {name!r}, expected one of {', '.join(KINDS)} (left-arc:k and right-arc:k with k ≥ 1)")
    return transition(KINDS.index(kind), int(k) if k else 0)


cdef str words(const int *items, int start, int stop):
    return ", ".join(str(items[k]) for k in range(start, stop))


cdef str lists_with_root_last(const Config *c):
    words_left = [*map(str, [c.buffer[k] for k in range(c.front, c.back - 1)]), "r"]
    return f"[{words(c.stack, 0, c.depth)}], [{', '.join(words_left)}]"


cdef class Labels:
    def __cinit__(self):
        self.names = []
        self.ids = {}

    cpdef int id(self, label) except -2:
        """The number of a label, given on first sight; None is no label."""
        if label is None:
            return NONE
        if label not in self.ids:
            self.ids[label] = len(self.names)
            self.names.append(label)
        return self.ids[label]


cdef class State:
    """A configuration of one system, made by `system.start(n)`.

    >>> from rearc.systems import system
    >>> state = system("arc-standard").start(2)
    >>> print(state)
    ([0], [1, 2], {})
    """

    def __dealloc__(self):
        config_free(&self.c)

    def __len__(self):
        """The number of words."""
        return self.c.n

    @property
    def heads(self):
        """[0, h(1), …, h(n)]; a headless word hangs on the root, 0."""
        return [0] + [max(0, self.c.head[d]) for d in range(1, self.c.n + 1)]

    @property
    def headed(self):
        """The words that a transition has given a head, in order; the others are headless."""
        return [d for d in range(1, self.c.n + 1) if self.c.head[d] != NONE]

    @property
    def deprels(self):
        """[None, l(1), …, l(n)]; None for a headless word and for one whose arc carries no label."""
        cdef int d
        names = self.system.labels.names
        return [None] + [names[self.c.label[d]] if self.c.head[d] != NONE and self.c.label[d] != NONE else None for d in range(1, self.c.n + 1)]

    @property
    def is_terminal(self):
        return self.system.finished(&self.c)

    def copy(self):
        cdef State other = State.__new__(State)
        other.system = self.system
        if config_copy(&other.c, &self.c) < 0:
            raise MemoryError(f"no memory for a configuration of {self.c.n} words")
        return other

    def __str__(self):
        arcs = ", ".join(f"{self.c.head[d]}→{d}" for d in range(1, self.c.n + 1) if self.c.head[d] != NONE)
        return f"({self.system.lists(&self.c)}, {{{arcs}}})"

    def __repr__(self):
        return f"<{self.system.name} {self}>"


cdef class System:
    """A transition system: when each transition is legal and what it does; `rearc.systems.system` makes one.

    >>> from rearc.systems import system
    >>> eager = system("arc-eager")
    >>> state = eager.start(2)
    >>> eager.apply(state, "shift")
    >>> eager.legal(state)
    ['shift', 'left-arc', 'right-arc']
    >>> eager.apply(state, "left-arc", label="nsubj")
    >>> state.heads, state.deprels
    ([0, 2, 0], [None, 'nsubj', None])
    """

    def __init__(self, str name, bint single_root=False):
        self.name = name
        self.single_root = single_root
        self.labels = Labels()

    cdef void begin(self, Config *c) noexcept nogil:
        pass

    cdef bint finished(self, const Config *c) noexcept nogil:
        return True

    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil:
        return 0

    cdef void act(self, Config *c, Transition t, int label) noexcept nogil:
        pass

    cdef bint arc(self, const Config *c, Transition t, int *h, int *d) noexcept nogil:
        return False

    cdef int own(self, State state) except -1:
        if state.system is not self and (state.system.name != self.name or state.system.single_root != self.single_root):
            raise ValueError(f"found a state of {state.system!r}, expected one of {self!r}")
        return 0

    cdef str lists(self, const Config *c):
        return f"[{words(c.stack, 0, c.depth)}], [{words(c.buffer, c.front, c.back)}]"

    def start(self, int n):
        """The initial configuration over the words 1…n."""
        if n < 1:
            raise ValueError(f"found a sentence of {n} words, expected at least 1")
        cdef State state = State.__new__(State)
        state.system = self
        if config_reset(&state.c, n) < 0:
            raise MemoryError(f"no memory for a configuration of {n} words")
        self.begin(&state.c)
        return state

    def legal(self, State state not None):
        """The legal transitions; [] only in a terminal configuration."""
        self.own(state)
        cdef Transition *out = <Transition *>malloc((2 * state.c.n + 4) * sizeof(Transition))
        if out == NULL:
            raise MemoryError("no memory for the legal transitions")
        cdef int k, count
        try:
            count = self.legal_into(&state.c, out)
            return [transition_name(out[k]) for k in range(count)]
        finally:
            free(out)

    def apply(self, State state not None, str transition, label=None):
        """Apply a legal transition to the state, in place; an arc may carry a label."""
        legal = self.legal(state)
        cdef Transition t = transition_from(transition)
        if transition_name(t) not in legal:
            raise IllegalTransition(f"{transition} is not legal in {state}; legal are: {', '.join(legal) or 'none, it is terminal'}")
        self.act(&state.c, t, state.system.labels.id(label))

    def __repr__(self):
        return f"system({self.name!r}{', single_root=True' if self.single_root else ''})"
