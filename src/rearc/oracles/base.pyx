"""What all oracles share: the gold tree in C arrays, and the Python face."""

from libc.stdlib cimport free, malloc

from rearc.systems.base cimport State, System, transition_from, transition_name
from rearc.systems.config cimport NONE, Config, Transition, config_free, config_reset

from rearc.systems.base import IllegalTransition
from rearc.treebank.trees import is_tree


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

    def __init__(self, System system not None, str name, gold_heads, gold_labels=None):
        self.system = system
        self.name = name
        self.set_gold(gold_heads, gold_labels)

    def __dealloc__(self):
        free(self.gold)

    # ---- what an oracle defines

    cdef int prepare(self) noexcept nogil:
        return 0

    cdef int loss_of(self, const Config *c) noexcept nogil:
        return 0

    cdef int allowed_into(self, const Config *c, Transition *out) noexcept nogil:
        return self.system.legal_into(c, out)

    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        pass

    cdef int optimal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef int *costs = self.scratch
        cdef int k, least, kept = 0
        cdef int count = self.allowed_into(c, out)
        self.costs_into(c, out, count, costs)
        least = costs[0]
        for k in range(1, count):
            if costs[k] < least:
                least = costs[k]
        for k in range(count):
            if costs[k] == least:
                out[kept] = out[k]
                kept += 1
        return kept

    cdef void follow(self, Config *c, Transition t, int label) noexcept nogil:
        self.system.act(c, t, label)

    # ---- what all share

    cdef int bind(self, const int *heads, const int *labels, int n) noexcept nogil:
        cdef int d, h, total = 0
        cdef size_t size = n + 2
        if self.gold == NULL or self.capacity < n:
            free(self.gold)
            self.gold = <int *>malloc(6 * size * sizeof(int))
            if self.gold == NULL:
                self.capacity = 0
                return -1
            self.capacity = n
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
            self.first[heads[d] + 1] += 1
        for h in range(1, n + 2):
            self.first[h] += self.first[h - 1]
        # filling moves first[h] to the end of h's dependents, which is where h+1's begin: shift it back afterwards
        for d in range(1, n + 1):
            self.dependents[self.first[heads[d]]] = d
            self.first[heads[d]] += 1
        for h in range(n + 1, 0, -1):
            self.first[h] = self.first[h - 1]
        self.first[0] = 0
        return self.prepare()

    cdef int label_of(self, const Config *c, Transition t) noexcept nogil:
        cdef int h, d
        if self.system.arc(c, t, &h, &d) and self.gold[d] == h:
            return self.gold_label[d]
        return NONE

    cdef int adopt(self, State state) except -1:
        self.system.own(state)
        if state.c.n != self.n:
            raise ValueError(f"found a state of {state.c.n} words, expected {self.n} as in the gold tree")
        cdef int d
        if self.label_names is not None and self.known is not state.system.labels:
            self.known = state.system.labels
            for d in range(1, self.n + 1):
                self.gold_label[d] = self.known.id(self.label_names[d])
        return 0

    # ---- Python

    def set_gold(self, gold_heads, gold_labels=None):
        """Bind the judge to another gold tree: [0, g(1), …, g(n)] and, if labels count, [None, l(1), …, l(n)]."""
        heads = [int(h) for h in gold_heads]
        if len(heads) < 2 or not is_tree(heads):
            raise ValueError(f"found gold heads {heads}, expected a tree [0, g(1), …, g(n)] with 0 as the root")
        if gold_labels is not None and len(gold_labels) != len(heads):
            raise ValueError(f"found {len(gold_labels)} gold labels, expected {len(heads)}: one a word, the first is the root's")
        cdef int n = len(heads) - 1, d
        cdef int *c_heads = <int *>malloc((n + 1) * sizeof(int))
        if c_heads == NULL:
            raise MemoryError(f"no memory for a tree of {n} words")
        try:
            for d in range(n + 1):
                c_heads[d] = heads[d]
            if self.bind(c_heads, NULL, n) < 0:
                raise MemoryError(f"no memory for a tree of {n} words")
        finally:
            free(c_heads)
        self.label_names = None if gold_labels is None else list(gold_labels)
        self.known = None

    def loss(self, State state not None):
        """The loss of a configuration: how many heads will be wrong at least, as this oracle reckons it."""
        self.adopt(state)
        return self.loss_of(&state.c)

    cdef list ask(self, const Config *c, bint optimal, list costs):
        cdef Transition *ts = <Transition *>malloc((2 * c.n + 4) * sizeof(Transition))
        cdef int k, count
        if ts == NULL:
            raise MemoryError("no memory for the transitions")
        try:
            count = self.optimal_into(c, ts) if optimal else self.allowed_into(c, ts)
            if costs is not None:
                self.costs_into(c, ts, count, self.scratch)
                for k in range(count):
                    costs.append(self.scratch[k])
            return [ts[k] for k in range(count)]
        finally:
            free(ts)

    def costs(self, State state not None):
        """The cost of each transition that the oracle allows; an arc is taken to carry its gold label."""
        self.adopt(state)
        costs = []
        ts = self.ask(&state.c, False, costs)
        return {transition_name(t): cost for t, cost in zip(ts, costs, strict=True)}

    def optimal(self, State state not None):
        """The transitions to train on."""
        self.adopt(state)
        return [transition_name(t) for t in self.ask(&state.c, True, None)]

    def cost(self, State state not None, str transition, label=None):
        """The cost of one transition whose arc carries this label: 1 more if the head is right and the label is not."""
        costs = self.costs(state)
        cdef Transition t = transition_from(transition)
        if transition_name(t) not in costs:
            raise IllegalTransition(f"{transition} is not allowed in {state}; allowed are: {', '.join(costs) or 'none'}")
        cdef int gold = self.label_of(&state.c, t)
        return costs[transition_name(t)] + (gold != NONE and state.system.labels.id(label) != gold)

    def label(self, State state not None, str transition):
        """The gold label of the arc that a transition builds; None if it builds none, a wrong one, or labels do not count."""
        self.adopt(state)
        cdef int gold = self.label_of(&state.c, transition_from(transition))
        return None if gold == NONE else state.system.labels.names[gold]

    def apply(self, State state not None, str transition, label=None):
        """Apply a legal transition and keep the books of a path-dependent oracle."""
        self.adopt(state)
        legal = self.system.legal(state)
        cdef Transition t = transition_from(transition)
        if transition_name(t) not in legal:
            raise IllegalTransition(f"{transition} is not legal in {state}; legal are: {', '.join(legal) or 'none, it is terminal'}")
        self.follow(&state.c, t, state.system.labels.id(label))

    def start(self):
        """The initial configuration over the words of the gold tree."""
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

    def __repr__(self):
        return f"<oracle {self.name!r} of {self.system!r}>"
