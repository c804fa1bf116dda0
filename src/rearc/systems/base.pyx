"""What all transition systems share: the Python face of states and systems over the C configuration."""

from array import array

from libc.stdlib cimport free, malloc

from rearc.systems.config cimport (
    MAX_WORDS, NONE, Transition, attach, config_copy, config_free, config_reset, k_of, kind_of, transition,
)

from rearc.treebank.structure cimport as_heads, check

from rearc.errors import RearcError
from rearc.systems.table import system_class, traits

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
    if t < 0 or kind_of(t) >= len(KINDS):
        return f"transition number {t}"                 # from a made-up past
    return KINDS[kind_of(t)] if k_of(t) == 0 else f"{KINDS[kind_of(t)]}:{k_of(t)}"


def transition_names(transitions):
    """The names of transitions that are given by their numbers.

    >>> transition_names([0, 2])
    ['shift', 'left-arc']
    """
    return [transition_name(t) for t in transitions]


cdef Transition transition_from(str name) except -1:
    kind, _, k = name.partition(":")
    if kind not in KINDS or (k and not (k.isascii() and k.isdigit() and 0 < int(k) < 1 << 27)):
        raise ValueError(f"found transition {name!r}, expected one of {', '.join(KINDS)} (left-arc:k and right-arc:k with k ≥ 1)")
    return transition(KINDS.index(kind), int(k) if k else 0)


cdef int check_length(Py_ssize_t n) except -1:
    if not 1 <= n <= MAX_WORDS:
        raise ValueError(f"found a sentence of {n} words, expected 1 to {MAX_WORDS:,}")
    return 0


cdef int may_begin_with_trees(System system) except -1:
    if not (system.traits.repairs and system.traits.family == "covington"):
        raise ValueError(f"found a tree to begin with, expected none: the arcs of {system!r} are there to stay, or its lists do not fit")
    return 0


cdef const int[::1] first_heads(System system, Py_ssize_t n, begun):
    """A tree to begin with, checked and copied."""
    may_begin_with_trees(system)
    cdef const int[::1] heads = as_heads(begun).copy()
    if heads.shape[0] != n + 1:
        raise ValueError(f"found {heads.shape[0]} heads, expected {n + 1}: one a word, the first is the root's")
    check(heads, begun)
    return heads


cdef void begin_with(Config *c, const int *heads, const int *labels) noexcept nogil:
    cdef int d
    for d in range(1, c.n + 1):
        if heads[d] > 0:
            attach(c, heads[d], d, NONE if labels == NULL else labels[d])


cdef class Labels:
    def __cinit__(self):
        self.table = []
        self.ids = {}

    @property
    def names(self):
        """The labels in the order of their numbers."""
        return list(self.table)

    cpdef int id(self, label) except -2:
        """The number of a label, given on first sight; None is no label."""
        cdef int number = self.find(label)
        if number == -2:
            number = len(self.table)
            self.table.append(label)
            self.ids[label] = number
        return number

    cdef int find(self, label) except -3:
        if label is None:
            return NONE
        if not isinstance(label, str):
            raise TypeError(f"found the label {label!r}, expected a string or None")
        return self.ids.get(label, -2)

    cdef str name(self, int number):
        return None if number == NONE else self.table[number]


cdef class State:
    """A configuration of one system, made by `system.start(n)`.

    >>> from rearc.systems import system
    >>> state = system("arc-standard").start(2)
    >>> print(state)
    ([0], [1, 2], {})
    """

    def __cinit__(self, System system not None, Py_ssize_t n, begun=None):   # a Py_ssize_t is never made of a float
        check_length(n)
        self.system = system
        self.begun = None if begun is None else first_heads(system, n, begun)
        self.past = array("i")
        if config_reset(&self.c, <int>n) < 0:
            raise MemoryError(f"no memory for a configuration of {n} words")
        system.begin(&self.c)
        if begun is not None:
            begin_with(&self.c, &self.begun[0], NULL)

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
        cdef Labels labels = self.system.labels
        return [None] + [labels.name(self.c.label[d]) if self.c.head[d] != NONE else None for d in range(1, self.c.n + 1)]

    @property
    def lists(self):
        """The lists of words as the papers have them: (σ, β), the top of the stack last, or Covington's (λ1, λ2, β).

        0 is the root; where it stands in β, the papers write r.
        """
        return self.system.lists(&self.c)

    @property
    def is_terminal(self):
        return self.system.finished(&self.c)

    def copy(self):
        """Another state in the same configuration, of the same system."""
        cdef State other = State.__new__(State, self.system, self.c.n)
        other.past = self.past[:]
        other.begun = self.begun
        if config_copy(&other.c, &self.c) < 0:
            raise MemoryError(f"no memory for a configuration of {self.c.n} words")
        return other

    def __copy__(self):
        return self.copy()

    def __reduce__(self):
        made = self.system, self.c.n, self.past.tolist()
        return _replayed, made if self.begun is None else (*made, list(self.begun))

    def __str__(self):
        arcs = ", ".join(f"{self.c.head[d]}→{d}" for d in range(1, self.c.n + 1) if self.c.head[d] != NONE)
        *others, last = self.lists
        shown = ", ".join(map(str, [*others, [w or "r" for w in last]])).replace("'", "")
        return f"({shown}, {{{arcs}}})"

    def __repr__(self):
        return f"<{self.system.name} {self}>"


def _replayed(System system not None, Py_ssize_t n, past, begun=None):
    """The state that a past leads to. Nothing is taken on trust: every transition has to be legal where it stands."""
    cdef State state = State.__new__(State, system, n, begun)
    cdef int k, label
    if len(past) % 2:
        raise ValueError(f"found a past of {len(past)} numbers, expected a transition and a label in turn")
    for k in range(0, len(past), 2):
        label = past[k + 1]
        if not NONE <= label < len(system.labels.table):
            raise ValueError(f"found the label number {label}, expected one below {len(system.labels.table)}")
        system.move(state, past[k], label)
    return state


def _remade(name, single_root, labels):
    cdef System system = system_class(name)(name, single_root)
    for number, label in enumerate(labels):
        if system.labels.id(label) != number:
            raise ValueError(f"found the labels {labels!r}, expected different strings")
    return system


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

    def __cinit__(self, str name not None, bint single_root=False):
        # the class must be the one that the table has for the name: so no system is made of this abstract class, and its
        # traits are what its transitions do
        expected = system_class(name)
        if type(self) is not expected:
            raise TypeError(f"found the class {type(self).__name__} for {name}, expected {expected.__name__}: use rearc.systems.system")
        self.name = name
        self.single_root = single_root
        self.labels = Labels()
        self.traits = traits(name)

    # ---- what a system defines

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

    cdef bint repairs(self, const Config *c, Transition t) noexcept nogil:
        return False

    cdef tuple lists(self, const Config *c):
        return [c.stack[k] for k in range(c.depth)], [c.buffer[k] for k in range(c.front, c.back)]

    # ---- what all share

    cdef bint is_like(self, System other) noexcept:
        return other is self or (other.name == self.name and other.single_root == self.single_root)

    cdef int own(self, State state) except -1:
        if not self.is_like(state.system):
            raise ValueError(f"found a state of {state.system!r}, expected one of {self!r}")
        return 0

    cdef bint allows(self, const Config *c, Transition t) except -1:
        cdef Transition *legal = <Transition *>malloc((2 * c.n + 4) * sizeof(Transition))
        if legal == NULL:
            raise MemoryError("no memory for the legal transitions")
        cdef int k, count = self.legal_into(c, legal)
        cdef bint found = False
        for k in range(count):
            found |= legal[k] == t
        free(legal)
        return found

    cdef int check(self, State state, Transition t) except -1:
        if not self.allows(&state.c, t):
            legal = ", ".join(self.legal(state)) or "none, it is terminal"
            raise IllegalTransition(f"{transition_name(t)} is not legal in {state}; legal are: {legal}")
        return 0

    cdef int move(self, State state, Transition t, int label) except -1:
        self.check(state, t)
        state.past.extend((t, label))
        self.act(&state.c, t, label)
        return 0

    def start(self, Py_ssize_t n, heads=None):
        """The initial configuration over the words 1…n.

        heads: a tree [0, h(1), …, h(n)] whose arcs are there already, for a Covington system that can change its mind. So all
        pairs of words are looked at a second time.

        >>> from rearc.systems import system
        >>> print(system("covington-nonmonotonic").start(3, [0, 2, 0, 2]))
        ([], [], [1, 2, 3], {2→1, 2→3})
        """
        return State.__new__(State, self, n, heads)

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

    def builds(self, State state not None, str transition not None):
        """The arc (head, dependent) that a legal transition builds, None if it builds none.

        >>> from rearc.systems import system
        >>> covington = system("covington")
        >>> state = covington.start(2)
        >>> covington.apply(state, "shift")
        >>> covington.builds(state, "left-arc"), covington.builds(state, "no-arc")
        ((2, 1), None)
        """
        cdef Transition t = transition_from(transition)
        cdef int h = 0, d = 0
        self.own(state)
        self.check(state, t)
        return (h, d) if self.arc(&state.c, t, &h, &d) else None

    def apply(self, State state not None, str transition not None, label=None):
        """Apply a legal transition to the state, in place; an arc may carry a label."""
        self.own(state)
        self.move(state, transition_from(transition), state.system.labels.id(label))

    def __reduce__(self):
        return _remade, (self.name, self.single_root, self.labels.names)

    def __repr__(self):
        return f"system({self.name!r}{', single_root=True' if self.single_root else ''})"
