"""What all oracles share: the gold tree in C arrays, and the Python face."""

from libc.stdlib cimport free, malloc

from rearc.oracles.partial cimport known_heads
from rearc.oracles.room cimport free_room, make_room
from rearc.systems.base cimport State, System, check_length, transition_from, transition_name
from rearc.systems.config cimport GONE, NONE, Config, Transition
from rearc.treebank.structure cimport as_heads, check

from rearc.oracles.table import oracle_class, oracles, takes_partial
from rearc.systems.base import IllegalTransition


cdef str remedy(str system):
    """Where to turn with a partial tree."""
    others = [name for name in oracles(system) if takes_partial(system, name)]
    return f"partial trees are for the oracle {' or '.join(others)}" if others else f"{system} has no oracle for partial trees"


def _remade(System system not None, name, heads, labels):
    return oracle_class(system.name, name)(system, name, heads, labels)


cdef class Oracle:
    """A judge bound to one gold tree; `rearc.oracles.oracle` makes one.

    >>> from rearc.oracles import oracle
    >>> from rearc.systems import system
    >>> judge, hybrid = oracle("arc-hybrid", "dynamic", [0, 2, 0]), system("arc-hybrid")
    >>> state = hybrid.start(2)
    >>> hybrid.apply(state, "shift")
    >>> judge.costs(state), judge.optimal(state)
    ({'shift': 1, 'left-arc': 0}, ['left-arc'])
    >>> hybrid.apply(state, "shift")
    >>> judge.loss(state)
    1
    """

    def __cinit__(self, System system not None, str name not None, gold_heads, gold_labels=None):
        # the class must be the one that the table has for system and name: so there is no judge of an abstract class, and
        # none for configurations of another family
        expected = oracle_class(system.name, name)
        if type(self) is not expected:
            raise TypeError(
                f"found the class {type(self).__name__} for the oracle {name} of {system.name}, expected {expected.__name__}: "
                "use rearc.oracles.oracle"
            )
        self.system = system
        self.name = name
        self.takes_partial = takes_partial(system.name, name)
        self.is_monotonic = system.traits.monotonic

    def __init__(self, System system not None, str name not None, gold_heads, gold_labels=None):
        if system is not self.system or name != self.name:
            raise ValueError(f"found {system!r} and {name!r}, expected {self.system!r} and {self.name!r}: a judge keeps them")
        self.set_gold(gold_heads, gold_labels)

    def __dealloc__(self):
        free_room(&self.room)

    # ---- what an oracle defines

    cdef int prepare(self) noexcept nogil:
        return 0

    cdef int loss_of(self, const Config *c) except -1 nogil:
        return 0

    cdef int allowed_into(self, const Config *c, Transition *out) noexcept nogil:
        return self.system.legal_into(c, out)

    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        pass

    cdef Transition rule(self, const Config *c, const Transition *ts, int count) noexcept nogil:
        return ts[0]

    cdef int optimal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef int count = self.allowed_into(c, out)
        if count == 0:
            return 0
        if self.is_static:
            out[0] = self.rule(c, out, count)
            return 1
        return self.best_among(c, out, count)

    cdef int best_among(self, const Config *c, Transition *ts, int count) noexcept nogil:
        cdef int *costs = self.scratch
        cdef int k, least, kept = 0
        self.costs_into(c, ts, count, costs)
        least = costs[0]
        for k in range(1, count):
            if costs[k] < least:
                least = costs[k]
        for k in range(count):
            if costs[k] == least:
                ts[kept] = ts[k]
                kept += 1
        return kept

    cdef int detour(self, const Config *c, Transition t) noexcept nogil:
        return 0

    cdef bint can_get(self, const Config *c, int h, int d) noexcept nogil:
        return c.head[d] == h or ((c.head[d] == NONE or not self.is_monotonic) and (h == 0 or c.place[h] != GONE))

    cdef void follow(self, Config *c, Transition t, int label) noexcept nogil:
        self.system.act(c, t, label)

    cdef const Config *view(self, State state) except NULL:
        self.adopt(state)
        return &state.c

    # ---- what all share

    cdef int bind(self, const int *heads, const int *labels, int n) noexcept nogil:
        cdef int d, h
        cdef size_t size = n + 2
        self.is_bound = False
        self.gold = <int *>make_room(&self.room, n, 6 * sizeof(int))
        if self.gold == NULL:
            return -1
        self.n = n
        self.gold_label = self.gold + size
        self.dependents = self.gold + 2 * size
        self.first = self.gold + 3 * size
        self.scratch = self.gold + 4 * size
        self.gold[0] = self.gold_label[0] = NONE
        for h in range(n + 2):
            self.first[h] = 0
        for d in range(1, n + 1):
            self.gold[d] = heads[d]
            self.gold_label[d] = NONE if labels == NULL else labels[d]
            if heads[d] != NONE:
                self.first[heads[d] + 1] += 1
        for h in range(1, n + 2):
            self.first[h] += self.first[h - 1]
        # filling moves first[h] to the end of h's dependents, which is where h+1's begin: shift it back afterwards
        for d in range(1, n + 1):
            if heads[d] != NONE:
                self.dependents[self.first[heads[d]]] = d
                self.first[heads[d]] += 1
        for h in range(n + 1, 0, -1):
            self.first[h] = self.first[h - 1]
        self.first[0] = 0
        self.is_bound = self.prepare() == 0
        return self.is_bound - 1

    cdef int straightest(self, const Config *c, Transition *ts, int count) noexcept nogil:
        cdef int k, lost, least = 0, kept = 0
        if count < 2:
            return count
        for k in range(count):
            lost = self.detour(c, ts[k])
            if k == 0 or lost < least:
                least = lost
                kept = 0
            if lost == least:
                ts[kept] = ts[k]
                kept += 1
        return kept

    cdef int label_of(self, const Config *c, Transition t) noexcept nogil:
        cdef int h, d
        if self.system.arc(c, t, &h, &d) and self.gold[d] == h:
            return self.gold_label[d]
        return NONE

    cdef int need_gold(self) except -1:
        if not self.is_bound:
            raise ValueError(f"found {self!r} without a gold tree, expected one: make it with rearc.oracles.oracle, or set_gold")
        return 0

    cdef int adopt(self, State state) except -1:
        cdef int d
        self.need_gold()
        self.system.own(state)
        if state.begun is not None and not self.takes_trees:
            raise ValueError(f"found a state that began with a tree, expected one that began without: {self!r} takes it that no arc "
                             "stands between words whose pair is still to come; see the oracle second-pass")
        if state.c.n != self.n:
            raise ValueError(f"found a state of {state.c.n} words, expected {self.n} as in the gold tree")
        if self.label_names is not None and self.known is not state.system.labels:
            for d in range(1, self.n + 1):
                self.gold_label[d] = state.system.labels.id(self.label_names[d])
            self.known = state.system.labels
        return 0

    cdef Oracle twin(self):
        return type(self)(self.system, self.name, [0, 0])

    cdef const int[::1] checked(self, gold_heads):
        """The heads as C integers, NONE for an unknown one; ValueError for what is no tree, and no part of one."""
        given = gold_heads
        if not hasattr(gold_heads, "dtype"):
            given = list(gold_heads)
        cdef bint partial = isinstance(given, list) and None in given[1:]
        cdef const int[::1] heads = as_heads([given[0]] + [0 if head is None else head for head in given[1:]] if partial else given)
        check_length(heads.shape[0] - 1)
        if not partial:
            check(heads, given)
            return heads
        if self.is_static or not self.takes_partial:
            raise ValueError(f"found unknown heads, expected a whole tree: the oracle {self.name} of {self.system.name} follows "
                             f"one derivation, which a partial tree does not give; {remedy(self.system.name)}")
        return known_heads(heads, given, self.system)

    # ---- Python

    def set_gold(self, gold_heads, gold_labels=None):
        """Bind the judge to another gold tree: [0, g(1), …, g(n)] and, if labels count, [None, l(1), …, l(n)].

        In a partial tree the unknown heads are None.
        """
        cdef const int[::1] heads = self.checked(gold_heads)
        cdef int n = <int>heads.shape[0] - 1
        names = None
        if gold_labels is not None:
            if isinstance(gold_labels, str):
                raise TypeError(f"found the gold labels {gold_labels!r}, expected a list [None, l(1), …, l(n)]")
            names = list(gold_labels)
            if len(names) != n + 1:
                raise ValueError(f"found {len(names)} gold labels, expected {n + 1}: one a word, the first is the root's")
            for label in names:
                if label is not None and not isinstance(label, str):
                    raise TypeError(f"found the gold label {label!r}, expected a string or None")
        if self.bind(&heads[0], NULL, n) < 0:
            raise MemoryError(f"no memory for a tree of {n} words")
        self.label_names = names
        self.known = None

    def loss(self, State state not None):
        """The loss of a configuration: how many heads will be wrong at least, as this oracle reckons it."""
        return self.loss_of(self.view(state))

    cdef list ask(self, const Config *c, bint optimal, list costs):
        cdef Transition *ts = <Transition *>malloc((2 * c.n + 4) * sizeof(Transition))
        cdef int k, count
        if ts == NULL:
            raise MemoryError("no memory for the transitions")
        try:
            count = self.optimal_into(c, ts) if optimal else self.allowed_into(c, ts)
            if costs is not None:
                cost_vector(self, c, ts, count, self.scratch)
                for k in range(count):
                    costs.append(self.scratch[k])
            return [ts[k] for k in range(count)]
        finally:
            free(ts)

    def costs(self, State state not None):
        """The cost of each transition that the oracle allows; an arc is taken to carry its gold label."""
        costs = []
        ts = self.ask(self.view(state), False, costs)
        return {transition_name(t): cost for t, cost in zip(ts, costs, strict=True)}

    def optimal(self, State state not None, among=None):
        """The transitions to train on; with `among`, the best of these, which the oracle must allow."""
        cdef const Config *c = self.view(state)
        cdef Transition *ts
        cdef int k, count
        if among is None:
            return [transition_name(t) for t in self.ask(c, True, None)]
        if self.is_static:
            raise ValueError(f"found some transitions for {self!r}, expected none: it knows one alone, whatever there is")
        names = set(among)
        some = [t for t in self.ask(c, False, None) if transition_name(t) in names]
        if len(some) < len(names) or not names:
            raise IllegalTransition(f"found {', '.join(map(str, names)) or 'no transitions'}, expected some that are allowed in {state}")
        ts = <Transition *>malloc(len(some) * sizeof(Transition))
        if ts == NULL:
            raise MemoryError("no memory for the transitions")
        try:
            for k in range(len(some)):
                ts[k] = some[k]
            count = self.best_among(c, ts, <int>len(some))
            return [transition_name(ts[k]) for k in range(count)]
        finally:
            free(ts)

    def cost(self, State state not None, str transition not None, label=None):
        """The cost of one transition whose arc carries this label: 1 more if the head is right and the label is not."""
        costs = self.costs(state)
        cdef Transition t = transition_from(transition)
        if transition_name(t) not in costs:
            raise IllegalTransition(f"{transition} is not allowed in {state}; allowed are: {', '.join(costs) or 'none'}")
        cdef int gold = self.label_of(&state.c, t)
        return costs[transition_name(t)] + (gold != NONE and state.system.labels.find(label) != gold)

    def label(self, State state not None, str transition not None):
        """The gold label of the arc that a legal transition builds; None if it builds none, a wrong one, or labels do not count."""
        self.adopt(state)
        cdef Transition t = transition_from(transition)
        self.system.check(state, t)
        return state.system.labels.name(self.label_of(&state.c, t))

    def apply(self, State state not None, str transition not None, label=None):
        """Apply a legal transition, as the system would; the state must be one over the words of the gold tree."""
        self.adopt(state)
        self.system.apply(state, transition, label)

    def start(self):
        """The initial configuration over the words of the gold tree."""
        self.need_gold()
        return self.system.start(self.n)

    def derivation(self):
        """One derivation along the oracle's optimal transitions, from the start to a terminal configuration."""
        cdef State state = self.start()
        self.adopt(state)
        names = []
        while not self.system.finished(&state.c):
            t = self.ask(&state.c, True, None)[0]
            names.append(transition_name(t))
            self.follow(&state.c, t, self.label_of(&state.c, t))
        return names

    def __reduce__(self):
        self.need_gold()
        heads = [0] + [self.gold[d] if self.gold[d] != NONE else None for d in range(1, self.n + 1)]
        return _remade, (self.system, self.name, heads, self.label_names)

    def __repr__(self):
        return f"<oracle {self.name!r} of {self.system!r}>"
