"""Parsing within limits: a transition is taken only if a way to the end is known on which all limits are kept.

Where the limits are fixed heads alone and the system's costs over partial trees are exact, the transitions that cost nothing are those
that leave such a way. Else the guard has a plan: a tree within the limits that can be reached from here. Any transition that leaves it
within reach can be taken: where costs are exact, those that cost nothing against the tree, else the next one of a derivation of it.
For another one a new tree is looked for, by trial: one within the limits that has the arcs built so far. If it can be reached, or what
the system's oracle makes of it ends within the limits, it is the new plan, else the transition is refused. So the limits hold in the
end, whatever the scores; what the trial may miss is a transition that could have been taken. Each derivation of a beam has a plan of its
own, so they hold in all of its trees.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

import numpy as np

from rearc.oracles.base cimport Oracle
from rearc.constraints.limits cimport Limits
from rearc.oracles.partial cimport clash
from rearc.oracles.policy cimport place_of
from rearc.systems.base cimport State, System, transition_from
from rearc.systems.config cimport NONE, Config, Transition, config_copy, config_free, config_reset

from rearc.oracles.table import guiding_oracle, is_exact, oracle_class, straight_system
from rearc.systems.table import system_class

cdef enum:
    TRIED = 200                     # words: beyond, a projective tree is not looked for again
    LONGEST = 1200                  # words


def can_hold(const int[::1] heads, const int[::1] sizes, bint projective, bint one_root):
    """For each of sentences of these sizes whether its known heads, −1 for an unknown one, are part of a tree: a byte each."""
    cdef Py_ssize_t s, at = 0
    cdef int d, w, n, steps, roots, first = 0, second = 0
    result = np.zeros(sizes.shape[0], dtype=np.uint8)
    cdef unsigned char[::1] fits = result
    for s in range(sizes.shape[0]):
        n = sizes[s]
        if n < 0 or n > heads.shape[0] - at:
            raise ValueError(f"found {heads.shape[0]} heads, expected {n} more for sentence {s}, from {at} on")
        roots = 0
        fits[s] = True
        for d in range(1, n + 1):
            if not NONE <= heads[at + d - 1] <= n:
                fits[s] = False
        d = 1
        while fits[s] and d <= n:
            roots += heads[at + d - 1] == 0
            w, steps = d, 0
            while w > 0 and steps <= n:
                w = heads[at + w - 1]
                steps += 1
            fits[s] = w <= 0
            d += 1
        if fits[s] and ((one_root and roots > 1) or (n and projective and clash(&heads[at] - 1, n, &first, &second))):
            fits[s] = False
        at += n
    return result


cdef bint make_plan_room(Plan *plan, int n, int length) noexcept nogil:
    """Room for a tree of n words and so many steps; what is there may be lost. False if memory is out."""
    if plan.aim == NULL or plan.words < n:
        free(plan.aim)
        plan.aim = <int *>malloc((<size_t>n + 1) * sizeof(int))
        plan.words = n
    if plan.steps == NULL or plan.room < length:
        free(plan.steps)
        plan.steps = <Transition *>malloc((<size_t>length + 1) * sizeof(Transition))
        plan.room = length
    if plan.aim == NULL or plan.steps == NULL:
        plan.at = plan.length = 0
        return False
    return True


cdef int copy_plan(Plan *target, const Plan *source, int n) noexcept nogil:
    cdef int left = source.length - source.at
    if not make_plan_room(target, n, left):
        return -1
    memcpy(target.aim, source.aim, (<size_t>n + 1) * sizeof(int))
    memcpy(target.steps, source.steps + source.at, <size_t>left * sizeof(Transition))
    target.at, target.length, target.number = 0, left, source.number
    return 0


cdef void free_plan(Plan *plan) noexcept nogil:
    free(plan.aim)
    free(plan.steps)


cdef void link_components(Config *c) noexcept nogil:
    """Note which words are weakly connected, as the monotonic systems do: by the headless word above them."""
    cdef int d, w
    for d in range(1, c.n + 1):
        w = d
        while c.head[w] != NONE and c.head[w] != 0:
            w = c.head[w]
        c.links[d] = w


cdef class Guard:
    def __cinit__(self, System system not None, Limits limits not None, tree=None):
        """tree: [0, h(1), …, h(n)] within the limits that the system can derive; not needed for fixed heads and exact costs."""
        cdef int n = limits.n, d
        self.system, self.limits = system, limits
        one_root = bool(system.single_root or system.traits.one_root)
        if one_root and not limits.one_root:
            raise ValueError(f"found limits that allow several roots, expected one root as {system!r} has")
        name = straight_system(system.name)
        self.straight = system if name == system.name else system_class(name)(name, system.single_root)
        self.projective, self.monotonic = not system.traits.derives_all, self.straight.traits.monotonic
        self.trial_is_exact = is_exact(name)
        self.is_exact = is_exact(system.name)
        self.by_costs = self.is_exact and not limits.has_more and limits.one_root == one_root
        fixed = [0] + [None if limits.fixed[d] == NONE else limits.fixed[d] for d in range(1, n + 1)]
        if self.trial_is_exact:
            self.known = oracle_class(name, "dynamic")(self.straight, "dynamic", fixed)
        if not self.by_costs and n > LONGEST:
            raise ValueError(f"found a sentence of {n} words, expected at most {LONGEST} where there are limits to keep by trial")
        if self.by_costs:
            tree = [0] * (n + 1)
        elif tree is None or len(tree) != n + 1 or not limits.complies(tree):
            raise ValueError("found no tree within the limits, expected one to aim at")
        guide = guiding_oracle(name)
        self.guide = oracle_class(name, guide)(self.straight, guide, tree)
        # at most a transition for each pair of words, or a few for each word where there are swaps
        self.room = 0 if self.by_costs else n * (n + 1) + 4 * n + 4
        sizes = [n + 1] * 3 + [2 * n + 4] * 3 + [self.room]
        block = np.zeros(sum(sizes), dtype=np.intc)
        flags = np.zeros(2 * n + 4 + (0 if self.by_costs else (n + 1) * (n + 1)), dtype=np.uint8)
        self.arrays = block, flags
        cdef int[::1] b = block
        cdef unsigned char[::1] f = flags
        starts = np.concatenate([[0], np.cumsum(sizes)]).tolist()
        self.first_aim, self.must, self.fresh = &b[starts[0]], &b[starts[1]], &b[starts[2]]
        self.costs, self.ts, self.best = &b[starts[3]], &b[starts[4]], &b[starts[5]]
        if self.room:
            self.way = &b[starts[6]]
        self.refused = &f[0]
        self.within = &f[0] + 2 * n + 4
        for d in range(n + 1):
            self.first_aim[d] = tree[d]
        self.trial.memory = NULL
        self.trial.capacity = 0

    def __dealloc__(self):
        config_free(&self.trial)
        free_plan(&self.plan)

    cdef bint know(self, const int *heads, int n) noexcept nogil:
        return self.known.bind(heads, NULL, n) == 0

    cdef bint begin(self, const Config *c, Plan *plan) noexcept nogil:
        plan.length = plan.at = 0
        self.failed = False
        if self.by_costs:
            return True
        self.bound = 0
        if self.guide.bind(self.first_aim, NULL, self.limits.n) < 0:
            return False
        self.failed = not self.finds_way(c, NONE, plan)
        return not self.failed

    cdef int choose(self, const Config *c, const Transition *ts, int count, const float *scores) noexcept nogil:
        cdef int k, best
        self.sift(c, ts, count, self.refused)
        while True:
            best = NONE
            for k in range(count):
                if not self.refused[k] and (best == NONE or scores[k] > scores[best]):
                    best = k
            if best == NONE:
                self.failed = True
                return NONE
            if self.keeps(c, ts[best], &self.plan):
                return best
            self.refused[best] = True

    cdef void sift(self, const Config *c, const Transition *ts, int count, unsigned char *refused) noexcept nogil:
        cdef int k, h = 0, d = 0
        if self.is_exact and count > 1:
            self.known.costs_into(c, ts, count, self.costs)
        for k in range(count):
            refused[k] = self.is_exact and count > 1 and self.costs[k] != 0
            if self.monotonic and not self.by_costs and not refused[k]:     # else the way to a tree may be through other arcs
                refused[k] = self.system.arc(c, ts[k], &h, &d) and not self.limits.may_link(h, d)

    cdef bint keeps(self, const Config *c, Transition t, Plan *plan) noexcept nogil:
        cdef int h = 0, d = 0
        if self.by_costs or self.is_planned(c, t, plan):
            return True
        if self.system.arc(c, t, &h, &d) and not self.limits.may_add(c.head, h, d):
            return False
        return self.finds_way(c, t, plan)

    cdef bint is_planned(self, const Config *c, Transition t, Plan *plan) noexcept nogil:
        """Whether the tree aimed at can still be reached after t."""
        cdef const Config *here = c
        cdef int cost = 0
        if plan.at < plan.length:
            if t != plan.steps[plan.at]:
                return False
            plan.at += 1
            return True
        if not self.trial_is_exact:
            return False
        if self.straight is not self.system:
            if config_copy(&self.trial, c) < 0:
                return False
            link_components(&self.trial)
            here = &self.trial
            if place_of(t, self.ts, self.straight.legal_into(here, self.ts)) == NONE:
                return False
        if self.bound != plan.number:
            if self.guide.bind(plan.aim, NULL, self.limits.n) < 0:
                return False
            self.bound = plan.number
        self.guide.costs_into(here, &t, 1, &cost)
        return cost == 0

    # ---- trials

    cdef bint finds_way(self, const Config *c, Transition t, Plan *plan) noexcept nogil:
        """Whether the limits can be kept after t (NONE for none): if so there is a new plan."""
        cdef int d, length = 0
        cdef Transition chosen
        self.bound = 0
        if config_copy(&self.trial, c) < 0:
            return False
        if t != NONE:
            self.system.act(&self.trial, t, NONE)
        if self.straight is not self.system:
            link_components(&self.trial)
        if t != NONE:
            if not self.aim_anew(plan):
                return False
        if self.trial_is_exact and self.limits.holds(self.guide.gold) and self.guide.loss_of(&self.trial) == 0:
            return self.adopt(plan, self.guide.gold, 0)
        while not self.straight.finished(&self.trial):
            chosen = self.step()
            if chosen == NONE or length == self.room:
                return False
            self.way[length] = chosen
            length += 1
            self.straight.act(&self.trial, chosen, NONE)
        return self.limits.holds(self.trial.head) and self.adopt(plan, self.trial.head, length)

    cdef bint adopt(self, Plan *plan, const int *tree, int length) noexcept nogil:
        """Plan to reach the tree, by so many steps of the way if there are no exact costs; False if memory is out."""
        cdef int d
        if self.trial_is_exact:
            length = 0
        if not make_plan_room(plan, self.limits.n, length):
            return False
        memcpy(plan.steps, self.way, <size_t>length * sizeof(Transition))
        for d in range(self.limits.n + 1):
            plan.aim[d] = max(0, tree[d])
        self.aims += 1
        plan.at, plan.length, plan.number = 0, length, self.aims
        return True

    cdef Transition step(self) noexcept nogil:
        """The next transition of the trial: one that leads to the tree aimed at, else any; NONE if all are refused."""
        cdef int k, h = 0, d = 0, count = self.straight.legal_into(&self.trial, self.ts)
        cdef int wanted = self.guide.optimal_into(&self.trial, self.best)
        cdef Transition other = NONE
        if self.trial_is_exact:
            self.known.costs_into(&self.trial, self.ts, count, self.costs)
        for k in range(count):
            if self.trial_is_exact and self.costs[k] != 0:
                continue
            if self.straight.arc(&self.trial, self.ts[k], &h, &d) and not self.limits.may_add(self.trial.head, h, d):
                continue
            if place_of(self.ts[k], self.best, wanted) != NONE:
                return self.ts[k]
            if other == NONE:
                other = self.ts[k]
        return other

    cdef bint aim_anew(self, const Plan *plan) noexcept nogil:
        """Aim at a tree with arcs that the trial has or can get, one by one, and as much of the plan's as can be.

        Where the costs are exact, arcs of a projective tree that can be had one by one can be had together.
        """
        cdef int d, h, n = self.limits.n
        cdef bint found
        for d in range(1, n + 1):
            self.must[d] = self.limits.fixed[d]
            if self.trial.head[d] != NONE and self.monotonic:
                if self.must[d] != NONE and self.must[d] != self.trial.head[d]:
                    return False
                self.must[d] = self.trial.head[d]
            for h in range(n + 1):
                self.within[h * (n + 1) + d] = self.guide.can_get(&self.trial, h, d)
        self.limits.within = self.within
        if self.projective:
            found = n <= TRIED and self.limits.complete_projective(self.must, plan.aim, self.fresh)
        else:
            found = self.limits.complete(self.must, plan.aim, 0, NULL, self.fresh)
        self.limits.within = NULL
        return found and self.guide.bind(self.fresh, NULL, n) == 0

    # ---- Python

    cdef const int[::1] known_for(self, System system, sizes, known):
        cdef const int[::1] heads = None if known is None else np.array(known, dtype=np.intc)
        if not self.system.is_like(system) or (known is None and sizes.tolist() != [self.limits.n]):
            raise ValueError("found a guard of another sentence or system, expected one for each sentence")
        if known is None:
            return heads
        if not self.by_costs:
            raise ValueError("found a guard that cannot be told other heads, expected one of fixed heads alone")
        if heads.shape[0] != int(sizes.sum(dtype=np.int64)) or sizes.max(initial=1) > self.limits.n:
            raise ValueError(f"found {heads.shape[0]} known heads, expected one or −1 for each word")
        if not can_hold(heads, sizes.astype(np.intc), self.projective, self.limits.one_root).all():
            raise ValueError("found known heads that no tree has, expected some that can hold")
        return heads

    cdef int hold(self) except -1:
        if self.busy:
            raise RuntimeError("found a guard in use by another thread, expected to have it alone; make one for each thread")
        self.busy = True
        return 0

    cdef void let_go(self) noexcept:
        self.busy = False

    @property
    def knows_by_costs(self):
        """Whether the costs of known heads say all: then it can be told other ones, sentence by sentence."""
        return self.by_costs

    def start(self):
        """The initial configuration, from which `lead` leads to a tree within the limits."""
        cdef State state = self.system.start(self.limits.n)
        self.hold()
        cdef bint begun = self.begin(&state.c, &self.plan)
        self.let_go()
        if not begun:
            raise RuntimeError("found no way within the limits")
        return state

    def lead(self, State state not None, scores):
        """The best-scoring of the legal transitions that leave a way to the end within the limits; to be applied next.

        The state is the one that `start` made, and nothing else has been applied to it. scores: as `legal` lists the transitions.
        """
        self.system.own(state)
        if state.c.n != self.limits.n or state.begun is not None:
            with_tree = "" if state.begun is None else " that began with a tree"
            raise ValueError(f"found a state of {state.c.n} words{with_tree}, expected {self.limits.n}, and the one that start made")
        legal = self.system.legal(state)
        cdef float[::1] values = np.array(scores, dtype=np.float32)
        cdef Transition[::1] ts = np.array([transition_from(name) for name in legal], dtype=np.intc)
        if values.shape[0] != ts.shape[0] or not legal:
            raise ValueError(f"found {values.shape[0]} scores, expected {len(legal)}, one for each legal transition")
        self.hold()
        cdef int chosen = self.choose(&state.c, &ts[0], <int>ts.shape[0], &values[0])
        self.let_go()
        if chosen == NONE:
            raise ValueError("found a state that no limits can be kept in, expected the one that start made, led by lead alone")
        return legal[chosen]
