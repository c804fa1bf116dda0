"""Small wrong changes in the compiled code, each with the tests that should notice it.

`old` must stand exactly once in the file. Where the sources change, adapt it: a mutant is worth as much as the mistake
that it stands for.
"""

from collections.abc import Callable
from typing import NamedTuple


class Mutant(NamedTuple):
    file: str
    what: str  # is wrong
    old: str
    new: str
    tests: tuple[str, ...]


def room(name: str, *tests: str) -> Callable[..., Mutant]:
    """Mutants of the files of one room, with the tests they are for unless others are named."""

    def mutant(file: str, what: str, old: str, new: str, *others: str) -> Mutant:
        return Mutant(f"src/rearc/{name}/{file}", what, old, new, others or tests)

    return mutant


systems = room("systems", "tests/systems")
oracles = room("oracles", "tests/oracles")
policy = room(
    "oracles", "tests/training/test_against_naive.py", "tests/neural/test_walk.py", "tests/oracles/test_policy.py"
)
features = room("features", "tests/features")
perceptron = room("perceptron", "tests/perceptron", "tests/training/test_against_naive.py", "tests/parser")
training = room("training", "tests/training")
segment = room("segment", "tests/segment")
constraints = room("constraints", "tests/search/test_guarded.py", "tests/parser/test_constraints.py")
search = room("search", "tests/search")
tagger = room("tagger", "tests/tagger", "tests/perceptron/test_averaging.py")
treebank = room("treebank", "tests/treebank")
neural = room("neural", "tests/neural/test_walk.py", "tests/neural/test_agreement.py", "tests/neural/test_batches.py")
repair = room("neural", "tests/neural/test_repair.py")
lstm = room("neural", "tests/neural/test_product.py", "tests/neural/test_lstm.py", "tests/neural/test_bits.py")

MUTANTS = [
    # ---- systems: preconditions and effects
    systems(
        "arc_eager.pyx",
        "left-arc takes a headed word",
        "return c.depth > 0 and not is_headed(c, stack_word(c, 0))",
        "return c.depth > 0",
    ),
    systems(
        "arc_eager.pyx",
        "right-arc pops its head",
        "attach(c, stack_word(c, 0), buffer_word(c, 0), label)\n    push",
        "attach(c, pop(c), buffer_word(c, 0), label)\n    push",
    ),
    systems(
        "base.pyx",
        "a transition tells its arc the other way round",
        "return (h, d) if self.arc",
        "return (d, h) if self.arc",
    ),
    systems("arc_eager.pyx", "the headless words on the stack are miscounted", "    c.headless -= 1\n", "    pass\n"),
    systems(
        "arc_eager.pyx",
        "the arc of right-arc is reported the wrong way round",
        "h[0], d[0] = stack_word(c, 0), buffer_word(c, 0)",
        "d[0], h[0] = stack_word(c, 0), buffer_word(c, 0)",
        "tests/systems",
        "tests/training/test_against_naive.py",
    ),
    systems(
        "arc_hybrid.pyx",
        "with one root, several words may hang on the root",
        "not (single_root and buffer_size(c) == 1)",
        "True",
    ),
    systems(
        "arc_hybrid.pyx", "right-arc with a single word on the stack", "return c.depth > 1\n", "return c.depth > 0\n"
    ),
    systems(
        "arc_hybrid_swap.pyx",
        "two words change places again and again",
        " and stack_word(c, 0) < buffer_word(c, 0)",
        "",
    ),
    systems("arc_standard.pyx", "left-arc takes the root", "return c.depth > 2\n", "return c.depth > 1\n"),
    systems(
        "arc_standard_swap.pyx", "swap loses the order of the stack", "    push(c, s0)\n", "    give_back(c, s0)\n"
    ),
    systems("attardi.pyx", "left-arc:k takes the root", "return c.depth > k + 1\n", "return c.depth > k\n"),
    systems("attardi.pyx", "right-arc:2 from the root, with one root", "(k > 1 or buffer_size(c))", "buffer_size(c)"),
    systems("arc_swift.pyx", "left-arc:k leaves a word behind", "return k < c.depth", "return k <= c.depth"),
    systems(
        "arc_eager_tree.pyx",
        "unshift before the buffer is empty",
        "c.depth > 1 and not buffer_size(c) and",
        "c.depth > 1 and",
    ),
    systems(
        "arc_eager_unshift.pyx",
        "a word can be shifted for ever",
        "c.mark[buffer_word(c, 0)] = True",
        "c.mark[buffer_word(c, 0)] = False",
    ),
    systems(
        "arc_eager_nonmonotonic.pyx",
        "reduce supplies no head",
        "    if not is_headed(c, s0):\n        attach",
        "    if False:\n        attach",
    ),
    systems(
        "arc_eager_nonmonotonic.pyx",
        "the label noted by shift is forgotten",
        "c.label[s0] if label == NONE else label",
        "label",
        "tests/systems",
        "tests/oracles/test_labels.py",
    ),
    systems("covington.pyx", "left-arc closes a cycle", "if may_link(c, c.j, c.i) and", "if c.head[c.i] == -1 and"),
    systems("covington_nonmonotonic.pyx", "a cycle is not broken", "    if closes_cycle:\n", "    if False:\n"),
    systems(
        "one_root.pxd",
        "with one root, two late words are overlooked",
        "return w if late == 0 else NONE",
        "return w",
    ),
    systems(
        "config.pxd",
        "the labels of the left dependents keep one that is gone",
        "        f[h].left_labels = labels\n",
        "        f[h].left_labels |= labels\n",
        "tests/features",
        "tests/training/test_against_naive.py",
    ),
    systems(
        "config.pxd",
        "a dependent between two others is put in the wrong place",
        "while before > d:",
        "while before < d and before:",
        "tests/features",
        "tests/training/test_against_naive.py",
    ),
    # ---- oracles: costs and losses
    oracles(
        "arc_eager.pyx",
        "shift does not see a head on the stack",
        "costs[k] = head_is(self, c, b, ON_STACK) + to_left",
        "costs[k] = to_left",
    ),
    oracles(
        "arc_eager.pyx",
        "the static oracle reduces too early",
        "if is_headed(c, s0) and self.wants_reduce(c, b) else",
        "if is_headed(c, s0) else",
    ),
    oracles(
        "arc_hybrid.pyx",
        "left-arc forgets the dependents in the buffer",
        "(self.gold[s0] != b and self.reachable(c, s0)) + deps_in_buffer(self, c, s0)",
        "(self.gold[s0] != b and self.reachable(c, s0))",
    ),
    oracles(
        "arc_hybrid.pyx",
        "the word below may be any word of the stack",
        "(c.place[g] == ON_STACK and g == word_below(c, d))",
        "c.place[g] == ON_STACK",
    ),
    oracles("arc_hybrid_swap.pyx", "the books forget the shifts", "c.note[b] |= self.loses_head(c, b)", "pass"),
    oracles(
        "arc_hybrid_swap.pyx",
        "swap where the order is right",
        "self.order.proj[s0] > self.order.proj[b]",
        "self.order.proj[s0] >= self.order.proj[b] - 1",
    ),
    oracles(
        "ahead.pyx",
        "nothing is given up twice",
        "before >> 1 == r.pending[w] and (wrong or not before & 1)",
        "True",
    ),
    oracles(
        "ahead.pyx",
        "arcs from a word that goes are not given up",
        "    if r.pending[d]:\n        for k",
        "    if False:\n        for k",
    ),
    oracles("ahead.pyx", "the root gets a second word", "and not (a.single_root and g == 0)", ""),
    oracles("attardi.pyx", "an arc to a word that is not complete", " and is_complete(self, c, d)", ""),
    oracles(
        "free_swap.pyx",
        "a word that cannot get back to the buffer does",
        "lost += d > largest if is_below(c, g, k) else g > largest",
        "lost += d > largest",
    ),
    oracles(
        "free_swap.pyx",
        "the pivot passes a greater word",
        "while c.buffer[pivot] < largest:",
        "while False:",
    ),
    oracles(
        "arc_swift.pyx",
        "the loss forgets the stranded word",
        "return StackOracle.loss_of(self, c) + spine_of(self, c).stranded",
        "return StackOracle.loss_of(self, c)",
    ),
    oracles(
        "arc_standard.pyx",
        "an arc to a word that is not complete",
        "self.gold[s1] == s0 and is_complete(self, c, s1)",
        "self.gold[s1] == s0",
    ),
    oracles(
        "arc_standard.pyx",
        "the lazy oracle swaps eagerly",
        "component[stack_word(c, 0)] != component[buffer_word(c, 0)]",
        "True",
    ),
    oracles(
        "arc_eager_nonmonotonic.pyx",
        "left-arc replaces a right head for nothing",
        "is_right(self, c, s0) or self.reachable(c, s0)",
        "self.reachable(c, s0)",
    ),
    oracles(
        "arc_eager_unshift.pyx",
        "repairs are as good as the straight way",
        "return self.straightest(c, out, StackOracle.optimal_into(self, c, out))",
        "return StackOracle.optimal_into(self, c, out)",
    ),
    oracles(
        "arc_eager_unshift.pyx",
        "an unshift that brings nothing back is as good as any",
        "return not (head_is(self, c, s0, ON_STACK) or headless_deps_on_stack(self, c, s0))",
        "return 0",
    ),
    oracles(
        "arc_eager_nonmonotonic.pyx",
        "a reduce that attaches never finds the gold head",
        "has = g != NONE and g == stack_word(c, 1)",
        "has = False",
    ),
    oracles("straight.pyx", "a moved subtree keeps its name", "moved.root != NONE and", "False and"),
    oracles("straight.pyx", "new cycles are not seen", "        elif d != 0: ", "        elif False: "),
    oracles(
        "covington_nonmonotonic.pyx",
        "shift and no-arc are always as good as each other",
        "and self.lost_by_shift() == 0:",
        "and True:",
    ),
    oracles("covington.pyx", "cycles are not counted", "loss += w != 0 and self.seen[w] == ON_PATH", "pass"),
    oracles(
        "covington.pyx",
        "shift counts an arc that is passed already",
        "if self.dependents[k] > c.i:\n                break",
        "if self.dependents[k] > c.n:\n                break",
    ),
    oracles("covington.pyx", "a broken cycle is not given back", "return cost - self.breaks(c, 1)", "return cost"),
    oracles(
        "covington_nonmonotonic.pyx",
        "headed roots are free",
        "return self.counts_roots and self.g.head[d] != NONE",
        "return False",
    ),
    oracles(
        "covington_nonmonotonic.pyx",
        "the books are closed too early",
        "return self.g.n - j >= 2",
        "return self.g.n - j >= 1",
    ),
    oracles(
        "covington_nonmonotonic.pyx", "gold arcs do not come first", "out[k], out[ahead] = out[ahead], out[k]", "pass"
    ),
    oracles(
        "covington_nonmonotonic.pyx",
        "upper counts problematic cycles alone",
        "return self.cycles.count(&self.g, False)",
        "return self.cycles.count(&self.g, True)",
    ),
    oracles(
        "one_root.pyx",
        "with one root, the last word may hang anywhere",
        "            total += 1                                      # n must hang",
        "            total += 0                                      # n must hang",
    ),
    oracles(
        "stack.pxd",
        "a headed dependent is lost once more",
        "count += c.place[d] == ON_STACK and c.head[d] == NONE",
        "count += c.place[d] == ON_STACK",
    ),
    oracles(
        "base.pyx",
        "the worst transitions are optimal",
        "            if costs[k] < least:",
        "            if costs[k] > least:",
    ),
    oracles(
        "exact.pyx",
        "the search passes over a loss",
        "range(self.least(c), c.n + 1)",
        "range(self.least(c) + 1, c.n + 1)",
    ),
    policy("policy.pxd", "always explore", "uniform(random) < explore", "uniform(random) < 2"),
    policy("policy.pxd", "never explore", "        return predicted\n", "        return best\n"),
    policy(
        "policy.pxd",
        "explore what the oracle does not allow",
        "if strays(explore, random) and place_of(predicted, room, judge.allowed_into(c, room)) != NONE:",
        "if strays(explore, random):",
    ),
    policy(
        "policy.pxd",
        "the last of equals is the best",
        "if best == NONE or scores[m] > scores[best]:",
        "if best == NONE or scores[m] >= scores[best]:",
    ),
    policy(
        "policy.pxd",
        "the oracle's first, not the best-scoring",
        "if best == NONE or scores[m] > scores[best]:",
        "if best == NONE:",
    ),
    policy("policy.pxd", "one optimal transition is learnt from", "right[m] = 1\n", "right[m] = k == 0\n"),
    oracles(
        "random.pxd",
        "the random numbers are other ones",
        "(z ^ (z >> 27))",
        "(z ^ (z >> 28))",
        "tests/training/test_against_naive.py",
    ),
    # ---- features
    features(
        "program.pyx",
        "the distance of the root is another",
        "bucket((right or c.n + 1) - left)",
        "bucket(right - left)",
    ),
    features(
        "program.pyx",
        "the second dependent is the farthest",
        "w = c.family[c.family[x].far_left].after or NONE",
        "w = c.family[x].far_left or NONE",
    ),
    features(
        "program.pyx",
        "left-arc:k is seen from the first word",
        "cdef int skip = k - 1 if k > 1 else 0",
        "cdef int skip = 0",
    ),
    features(
        "program.pyx",
        "valency has no bound",
        "1 + (c.family[w].right_count if c.family[w].right_count < 6 else 6)",
        "1 + c.family[w].right_count",
    ),
    features(
        "program.pyx",
        "templates share their features",
        "conjunction.seed = mix(0x9E3779B97F4A7C15ULL * <uint64_t>(number + 1))",
        "conjunction.seed = mix(0x9E3779B97F4A7C15ULL)",
    ),
    features(
        "program.pyx",
        "a relative that is not there is seen",
        "if words[conjunction.needed[s]] == NONE:",
        "if words[conjunction.needed[s]] == NONE and s > 0:",
    ),
    features(
        "tokens.pyx", "suffixes are as they are written", "string_hash(form[-2:].lower())", "string_hash(form[-2:])"
    ),
    features(
        "tokens.pyx",
        "no lemma is a lemma",
        'self.seen = {"_": 0}\n        self.shapes',
        "self.seen = {}\n        self.shapes",
    ),
    # ---- the perceptron and its training
    perceptron("growing.pyx", "types are not averaged", ".w[x] - sums[x] / steps)", ".w[x])"),
    perceptron("growing.pyx", "labels are not averaged", "(weights - sums).astype(np.float32)", "weights"),
    perceptron(
        "growing.pyx",
        "features at the beginning are lost when a table grows",
        "        for k in range(first):\n            self.put",
        "        for k in range(1, first):\n            self.put",
    ),
    perceptron(
        "growing.pyx",
        "averages are lost when a row becomes dense",
        "sums[self.cells[k].label] = self.cells[k].sum",
        "sums[self.cells[k].label] = 0",
    ),
    perceptron(
        "growing.pyx",
        "a stretch of cells is given to a row that is longer",
        "self.spare[size - 1] = old",
        "self.spare[size] = old",
    ),
    perceptron(
        "learner.pyx",
        "what is optimal too is a mistake",
        " and place_of(ts[predicted], optimal, good) == NONE",
        "",
    ),
    perceptron(
        "learner.pyx", "the wrong class is rewarded", "count, class_of(right), 1)", "count, class_of(wrong), 1)"
    ),
    perceptron(
        "learner.pyx",
        "an arc to another word is punished by this one's features",
        "if (k_of(wrong) or 1) != k:",
        "if False:",
    ),
    perceptron(
        "learner.pyx",
        "the steps of labels are miscounted",
        "            self.labels.steps += 1\n            if",
        "            if",
    ),
    perceptron("learner.pyx", "the steps of types count mistakes alone", "            self.types.steps += 1\n", ""),
    perceptron("learner.pyx", "gold labels while exploring", "if explore == 0 and gold != NONE:", "if gold != NONE:"),
    perceptron(
        "learner.pyx",
        "labels of headless words are not learnt",
        "for d in range(1, c.n + 1):\n            if c.head[d] == NONE and",
        "for d in range(1, 1):\n            if c.head[d] == NONE and",
    ),
    perceptron(
        "decoder.pyx",
        "arcs of both directions share features",
        "FROM_ROOT if h == 0 else TO_LEFT if d < h else TO_RIGHT",
        "FROM_ROOT if h == 0 else TO_LEFT",
    ),
    perceptron("decoder.pyx", "any label for a root", "= self.of_word if h else self.of_root", "= self.of_word"),
    perceptron(
        "decoder.pyx",
        "the last of equals is predicted",
        "            if best == NONE or scores[x] > scores[best]:\n                best = x\n",
        "            if best == NONE or scores[x] >= scores[best]:\n                best = x\n",
    ),
    perceptron(
        "decoder.pyx",
        "a step by itself labels the arc the other way round",
        "self.choose_label(&state.c, &tokens, head, dependent,",
        "self.choose_label(&state.c, &tokens, dependent, head or dependent,",
        "tests/parser/test_stepping.py",
    ),
    perceptron("decoder.pyx", "arcs to other words have the first one's scores", "if k != seen:", "if seen < 0:"),
    perceptron(
        "weights.pyx",
        "a model looks at its first place alone",
        "out[x] += entries[at].w[x]\n                    break\n                at = (at + 1) & self.mask",
        "out[x] += entries[at].w[x]\n                break",
    ),
    perceptron(
        "weights.pyx",
        "weights are cut down to the level below",
        "(MAGNITUDES[1:] + MAGNITUDES[:-1]) / 2",
        "MAGNITUDES[1:]",
    ),
    training("trainer.py", "exploration begins an epoch late", "if self.epoch >= after", "if self.epoch > after"),
    training(
        "trainer.py",
        "the last of the best epochs is kept",
        'scores["las"] > self.best.scores["las"]',
        'scores["las"] >= self.best.scores["las"]',
    ),
    training(
        "perceptron.py", "every epoch has the same order", 'f"{self.header.seed} {self.epoch}"', 'f"{self.header.seed}"'
    ),
    # ---- the tagger
    tagger("passes.pyx", "the margin to any other tag", "elif g == 1 or score > next:", "elif g == 1:"),
    tagger("passes.pyx", "what both tags have is punished", "if not step.has(right, step.unit[k]) and", "if"),
    tagger(
        "passes.pyx",
        "learning sees gold tags",
        "matrix.row(k)[step.own] = chosen + FIRST_TAG",
        "matrix.row(k)[step.own] = answer + FIRST_TAG",
    ),
    tagger(
        "passes.pyx",
        "a pass looks at all tags",
        "cdef int group = 0 if self.first else <int>row[UPOS] - FIRST_TAG",
        "cdef int group = 0",
    ),
    tagger(
        "passes.pyx",
        "the end of the sentence before is seen",
        "self.cells[(self.size + PAD) * WIDTH + a] = OUTSIDE",
        "pass",
    ),
    tagger(
        "words.pyx",
        "a suffix is as long as the word",
        "out[S1 + k] = fold(h) if k + 1 < size or k == 0 else ABSENT",
        "out[S1 + k] = fold(h) if k < size else ABSENT",
    ),
    tagger(
        "passes.pyx",
        "a lexicon ends with the first attribute",
        "if value == 0:\n                continue",
        "if a > 0:\n                break",
    ),
    tagger("passes.pyx", "unknown tags are learnt", "if chosen != answer and answer >= 0:", "if chosen != answer:"),
    tagger("words.pyx", "capitals are small letters", "if c.isupper() or c.istitle():", "if False:"),
    # ---- treebanks
    treebank("reader.pyx", "an empty node may have any number", "and token.second == empty_index + 1 and", "and"),
    treebank("reader.pyx", "heads behind the last word", "if highest > self.words:", "if highest > self.words + 1:"),
    treebank(
        "reader.pyx",
        "a tree of which a part has heads and no root",
        "if roots == 0 and headless == 0:",
        "if roots == 0:",
    ),
    treebank(
        "reader.pyx", "eleven columns", 'if field == FIELDS and c == c"\\t":', 'if field == FIELDS + 1 and c == c"\\t":'
    ),
    treebank("sentence.pyx", "a tab can be written in a column", "if c == 9 or c == 10", "if c == 10"),
    treebank("blocks.pyx", "what was read is lost when the buffer moves", "self.searched -= self.start\n", "pass\n"),
    treebank(
        "blocks.pyx",
        "lines are miscounted behind a bad one",
        "        self.searched = self.scan\n        self.line += 1",
        "        self.searched = self.scan\n        self.line += not self.skip_sentence",
    ),
    treebank(
        "lifting.pyx", "a longer arc is lifted first", "if state.heap[above] <= key:", "if state.heap[above] >= key:"
    ),
    treebank(
        "lifting.pyx",
        "what a lift makes non-projective is overlooked",
        "            wait_if_non_projective(&state, d)\n            d = state.next[d]",
        "            d = state.next[d]",
    ),
    treebank(
        "trees.pyx",
        "an arc to the left is always projective",
        "flags[d] = left[view[d]] <= d and d <= right[view[d]]",
        "flags[d] = d <= right[view[d]]",
    ),
    treebank(
        "trees.pyx", "a gap is counted from one end", "for w in range(v - 1, v + 2, 2):", "for w in range(v - 1, v, 2):"
    ),
    treebank(
        "structure.pyx",
        "left dependents come after the word",
        "            if d > v:\n                break\n",
        "            if d < v:\n                break\n",
    ),
    treebank(
        "crossings.pyx",
        "arcs that end together cross",
        "count[d] = ends[b - 1] - ends[a]",
        "count[d] = ends[b] - ends[a]",
    ),
    # ---- the decoders of networks
    neural(
        "decoder.pyx",
        "the last of equals is predicted",
        "if scores[k] > scores[predicted]:",
        "if scores[k] >= scores[predicted]:",
    ),
    lstm("direction.pyx", "gates change places", "np.array([0, 1, 3, 2])", "np.array([0, 1, 2, 3])"),
    lstm(
        "direction.pyx",
        "a sequence begins where another one ended",
        "memset(cells + lane * units, 0, units * sizeof(float))",
        "pass",
    ),
    lstm(
        "direction.pyx",
        "words have the rows of other words",
        "table + place[steps.element[k + lane]] * columns",
        "table + place[k + lane] * columns",
    ),
    lstm("product.pyx", "the bias of other columns", "panel[c] = bias[first + c]", "panel[c] = bias[c]"),
    lstm("tile.h", "a product onto another begins anew", "k || onto ? NULL : panel", "k ? NULL : panel"),
    lstm("tile.h", "half a sum is rectified", "int cut = rectified && k + part == depth;", "int cut = rectified;"),
    lstm("tile.h", "the old cell is not forgotten", "FUSED(forget, LOAD(at), fresh)", "FUSED(in, LOAD(at), fresh)"),
    lstm(
        "softmax.h",
        "what fills up the last block counts",
        "            block[b] = 0;",
        "            block[b] = block[b];",
    ),
    neural(
        "pair.pyx",
        "a repair is an arc like any other",
        "start = sheet.start if c.head[d] == NONE else sheet.repairs",
        "start = sheet.start",
    ),
    neural(
        "pair.pyx",
        "long sentences lose a factor",
        "for k in range(size):\n        total += left[k]",
        "for k in range(size - 1):\n        total += left[k]",
    ),
    neural(
        "stack.pyx",
        "the rightmost dependent is the nearest",
        "return c.family[w].far_right or NONE",
        "return c.family[w].near_right or NONE",
    ),
    neural(
        "stack.pyx",
        "the hidden layer is linear",
        "hidden[k] = hidden[k] if hidden[k] > 0 else 0",
        "hidden[k] = hidden[k]",
    ),
    # ---- beams within constraints
    constraints(
        "guard.pyx",
        "what loses the tree aimed at is planned too",
        "        return cost == 0\n",
        "        return cost <= 1\n",
    ),
    constraints(
        "guard.pyx",
        "the guide keeps the tree of another derivation",
        "        if self.bound != plan.number:\n",
        "        if self.bound == 0:\n",
    ),
    search(
        "beam.pyx",
        "what the guard refuses goes on",
        "                    all[best].refused = True\n                    continue\n",
        "                    all[best].refused = True\n",
    ),
    search(
        "beam.pyx",
        "what is refused at sight goes on",
        "if self.guard is not None and self.refused[k]:\n                    continue\n",
        "if False:\n                    continue\n",
    ),
    # ---- the segmenter
    segment("tokens.pyx", "flags are cut in two", "return chunk.flags & 1", "return True"),
    segment(
        "tokens.pyx",
        "a bracket closes the nearest that opens",
        "            closed += 1\n",
        "            closed += 0\n",
    ),
    segment(
        "tokens.pyx",
        "what is in an earlier paragraph can be closed",
        "            if between(t, p, stop) == PARAGRAPH:\n                return -1",
        "            if between(t, p, stop) == PARAGRAPH:\n                pass",
    ),
    segment(
        "tokens.pyx", "apostrophes close double marks", "is_single(t.c[p]) == is_single(t.c[x])", "t.k[p] == QUOTE"
    ),
    segment(
        "tokens.pyx",
        "words of scripts without capitals are cut",
        "        if not (is_cased(before) and is_cased(behind)):\n            return False\n",
        "",
    ),
    segment(
        "tokens.pyx",
        "a run begins too late",
        "begin_of_run(t, max(a, g - PIECE), g)",
        "begin_of_run(t, max(a, g - PIECE + 1), g)",
    ),
    segment(
        "tokens.pyx",
        "words of eight characters are not known",
        "min(chunk.stop, s + LONGEST)",
        "min(chunk.stop, s + LONGEST - 1)",
    ),
    segment("tokens.pyx", "lengths are kept for too few characters", "AROUND = 2 * LONGEST ", "AROUND = LONGEST "),
    segment("lexicon.pyx", "a mark takes others away", "& self.marks_mask] |= mark_of", "& self.marks_mask] = mark_of"),
    segment(
        "sentences.pyx",
        "brackets are never closed",
        "elif k == CLOSE and sofar.depth > 0:",
        "elif k == CLOSE and False:",
    ),
    segment("sentences.pyx", "quotations are never closed", "sofar.quoted = not sofar.quoted", "sofar.quoted = True"),
    segment("sentences.pyx", "no line is full", "max(NARROW, before, length, behind)", "length + 1 + word"),
    segment(
        "sentences.pyx",
        "verbs behind a full stop count",
        "!= PARAGRAPH and tokens.text.k[tokens.start[m]] != STOP",
        "!= PARAGRAPH",
    ),
    segment(
        "sentences.pyx",
        "sentences go on in the next paragraph",
        "if (m + 1 == tokens.count or tokens.gap[m] == PARAGRAPH",
        "if (m + 1 == tokens.count",
    ),
    segment("text.pyx", "a paragraph separator is a line end", "2 if text.c[i] == 0x2029 else 1", "1"),
    segment("weights.pyx", "weights are not averaged", "- self.arrays[1] / max(self.steps, 1)", "- 0 * self.arrays[1]"),
    segment(
        "weights.pyx",
        "what is right counts as a mistake",
        "return (score > 0) != answer",
        "return (score > 0) == answer",
    ),
    # ---- the second pass, and the compiled steps of training
    oracles(
        "second_pass.pyx",
        "an arc that is there is built again",
        "return 0 if self.gold[d] == h and c.head[d] != h else 2",
        "return 0 if self.gold[d] == h else 2",
    ),
    oracles("second_pass.pyx", "shift loses arcs that are there", "costs[k] += c.head[w] != j", "costs[k] += 1"),
    oracles(
        "second_pass.pyx",
        "a head that is cut off is not lost",
        "NONE if below(c, h, d) else c.head[h], i - 1, j)",
        "c.head[h], i - 1, j)",
    ),
    features("program.pyx", "siblings are nothing to each other", "        above = 3", "        above = 0"),
    features("program.pyx", "a head on the right is as one on the left", "+ (h > w) if h else 2", "if h else 2"),
    perceptron(
        "learner.pyx",
        "what is optimal has to keep the margin, too",
        "            if place_of(ts[x], optimal, good) == NONE:\n                scores[x] += self.margin",
        "            if True:\n                scores[x] += self.margin",
        "tests/training/test_second_pass.py",
    ),
    perceptron(
        "decoder.pyx",
        "the second tree begins where the first does",
        "NULL if first is None else &first[filled] - 1,",
        "NULL if first is None else &first[0] - 1,",
        "tests/training/test_second_pass.py",
    ),
    room("neural", "tests/neural/test_learning.py")(
        "learning.pyx",
        "the first step is forgotten in the gradient",
        "&cells[way, t - 1, 0, 0] if t else NULL, &squashed[way, t, 0, 0], &gradients",
        "&cells[way, t - 1, 0, 0] if t > 1 else NULL, &squashed[way, t, 0, 0], &gradients",
    ),
    repair("repair.pyx", "a cycle is broken for nothing", "result += table[h] - worth(table, c, h)", "pass"),
    repair("repair.pyx", "a second root may come", "if system.single_root and c.head[d] != NONE:", "if False:"),
    repair("repair.pyx", "words are left out", "return -INFINITY if c.i else 0", "return 0"),
    repair("repair.pyx", "the second tree has the first table", "at += (size[s] + 1)", "at += 0 * (size[s] + 1)"),
]
