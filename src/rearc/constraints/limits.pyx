"""What the heads of one sentence have to comply with, and trees that do.

Fixed heads, forbidden arcs, words without dependents, spans that are the words of one subtree, words that do not share a head, one
root. All but the last three are matters of one arc.

Is there such a tree? Among the projective ones that is found by the chart of Eisner (1996) over the arcs that are allowed. A span
[a, b] is a subtree if no arc leaves it and no complete item with its head outside ends within it: so a second word with a head
outside finds nothing to be added to. Among all trees it is a matter of what can be reached from the root.
"""

import numpy as np

from libc.stdlib cimport free, malloc

from rearc.oracles.room cimport free_room, make_room
from rearc.systems.config cimport NONE

cdef enum:
    NEVER = -(1 << 28)              # the score of what is not allowed
    LONGEST = 1200                  # words: the tables take 16 n² bytes


cdef class Limits:
    def __cinit__(self, int n, fixed, forbidden=(), leaves=(), spans=(), groups=(), bint one_root=False):
        """fixed: (word, head) pairs; forbidden: (head, word) pairs; spans: (first, last); groups: lists of words."""
        if n < 1:
            raise ValueError(f"found {n} words, expected at least 1")
        heads, group = np.full(n + 1, NONE, dtype=np.intc), np.zeros(n + 1, dtype=np.intc)
        leaf = np.zeros(n + 1, dtype=np.uint8)
        for d, h in fixed:
            heads[self.word(d, 1, n)] = self.word(h, 0, n)
        pairs = sorted({(self.word(d, 1, n), self.word(h, 0, n)) for h, d in forbidden})
        for w in leaves:
            leaf[self.word(w, 1, n)] = True
        for k, words in enumerate(groups, 1):
            for w in words:
                group[self.word(w, 1, n)] = k
        edges = [(self.word(a, 1, n), self.word(b, a, n)) for a, b in spans]
        counts = np.bincount(np.array([d for d, _ in pairs], dtype=np.intp), minlength=n + 2)
        first = np.concatenate([np.zeros(1, dtype=np.intc), np.cumsum(counts, dtype=np.intc)])
        self.arrays = (
            heads, group, leaf, first, np.array([h for _, h in pairs] + [0], dtype=np.intc),
            np.array([a for a, _ in edges] + [0], dtype=np.intc), np.array([b for _, b in edges] + [0], dtype=np.intc),
        )
        cdef int[::1] f = heads, g = group, s = first, p = self.arrays[4], l = self.arrays[5], r = self.arrays[6]
        cdef unsigned char[::1] leafs = leaf
        self.fixed, self.group, self.first, self.forbidden, self.left, self.right = &f[0], &g[0], &s[0], &p[0], &l[0], &r[0]
        self.leaf = &leafs[0]
        self.n, self.spans, self.one_root = n, len(edges), one_root
        self.has_more = bool(pairs or edges or leaf.any() or group.any())

    def __dealloc__(self):
        free_room(&self.room)

    @staticmethod
    def word(w, int least, int most):
        if not least <= w <= most:
            raise ValueError(f"found the word {w}, expected one from {least} to {most}")
        return int(w)

    cdef bint may_link(self, int h, int d) noexcept nogil:
        cdef int k
        if self.fixed[d] != NONE:
            if self.fixed[d] != h:
                return False
        if h == d or self.leaf[h]:
            return False
        for k in range(self.first[d], self.first[d + 1]):
            if self.forbidden[k] == h:
                return False
        for k in range(self.spans):
            if self.left[k] <= h <= self.right[k] and not self.left[k] <= d <= self.right[k]:
                return False
        return True

    cdef bint may_add(self, const int *head, int h, int d) noexcept nogil:
        cdef int k, w
        if not self.may_link(h, d):
            return False
        for k in range(self.spans):
            if self.left[k] <= d <= self.right[k] and not self.left[k] <= h <= self.right[k]:
                for w in range(self.left[k], self.right[k] + 1):
                    if w != d and head[w] != NONE and not self.left[k] <= head[w] <= self.right[k]:
                        return False
        if self.group[d]:
            for w in range(1, self.n + 1):
                if w != d and self.group[w] == self.group[d] and head[w] == h:
                    return False
        return True

    cdef bint holds(self, const int *head) noexcept nogil:
        cdef int d, w, roots = 0, k, tops
        for d in range(1, self.n + 1):
            if not self.may_link(max(0, head[d]), d):
                return False
            roots += head[d] <= 0
            if self.group[d]:
                for w in range(1, d):
                    if self.group[w] == self.group[d] and max(0, head[w]) == max(0, head[d]):
                        return False
        for k in range(self.spans):
            tops = 0
            for d in range(self.left[k], self.right[k] + 1):
                tops += not self.left[k] <= max(0, head[d]) <= self.right[k]
            if tops != 1:
                return False
        return roots == 1 or not self.one_root

    # ---- projective trees

    cdef bint cuts(self, int head, int end) noexcept nogil:
        """A complete item from a head to `end` ends within a span that the head is not in."""
        cdef int k
        for k in range(self.spans):
            if end > head:
                if head < self.left[k] <= end < self.right[k]:
                    return True
            elif self.left[k] < end <= self.right[k] < head:
                return True
        return False

    cdef int arc(self, const int *must, const int *prefer, int h, int d) noexcept nogil:
        if (must[d] != NONE and must[d] != h) or not self.may_link(h, d):
            return NEVER
        if self.within != NULL and not self.within[h * (self.n + 1) + d]:
            return NEVER
        return prefer != NULL and prefer[d] == h

    cdef bint complete_projective(self, const int *must, const int *prefer, int *out) noexcept nogil:
        """Items [i, j] over words: open[i, j] with an arc j→i or i→j, closed[i, j] whose head, j or i, has all that it will have there."""
        cdef int n = self.n, i, j, k, r, width, score, best, size = n + 2, filled = 0
        if n > LONGEST:
            return False
        cdef int *table = <int *>malloc(<size_t>4 * size * size * sizeof(int))
        cdef int *todo = <int *>malloc(<size_t>16 * size * sizeof(int))
        cdef int *upto = <int *>malloc(<size_t>2 * size * sizeof(int))     # the best forest over 1…j, and where its last tree begins
        if table == NULL or todo == NULL or upto == NULL:
            free(table)
            free(todo)
            free(upto)
            return False
        cdef int *open_left = table                         # head j
        cdef int *open_right = table + size * size          # head i
        cdef int *left = table + 2 * size * size
        cdef int *right = table + 3 * size * size
        for i in range(1, n + 1):
            left[i * size + i] = right[i * size + i] = 0
        for width in range(1, n):
            for i in range(1, n - width + 1):
                j = i + width
                best = NEVER
                for k in range(i, j):
                    best = max(best, right[i * size + k] + left[(k + 1) * size + j])
                score = self.arc(must, prefer, j, i) if best >= 0 else NEVER
                open_left[i * size + j] = best + score if best >= 0 and score >= 0 else NEVER
                score = self.arc(must, prefer, i, j) if best >= 0 else NEVER
                open_right[i * size + j] = best + score if best >= 0 and score >= 0 else NEVER
                best = NEVER
                if not self.cuts(j, i):
                    for k in range(i, j):
                        best = max(best, left[i * size + k] + open_left[k * size + j])
                left[i * size + j] = best if best >= 0 else NEVER
                best = NEVER
                if not self.cuts(i, j):
                    for k in range(i + 1, j + 1):
                        best = max(best, open_right[i * size + k] + right[k * size + j])
                right[i * size + j] = best if best >= 0 else NEVER
        # the root's dependents: trees one behind the other
        upto[0] = 0
        for j in range(1, n + 1):
            upto[j] = NEVER
            for i in range(1, j + 1):
                if upto[i - 1] < 0 or (self.one_root and i > 1) or self.cuts(0, j) or self.cuts(0, i - 1):
                    continue
                for r in range(i, j + 1):
                    score = self.arc(must, prefer, 0, r)
                    if score < 0 or left[i * size + r] < 0 or right[r * size + j] < 0:
                        continue
                    score += upto[i - 1] + left[i * size + r] + right[r * size + j]
                    if score > upto[j]:
                        upto[j] = score
                        upto[size + j] = i * size + r
        if upto[n] >= 0:
            j = n
            while j > 0:
                i, r = upto[size + j] // size, upto[size + j] % size
                out[r] = 0
                filled = self.fill(table, must, prefer, i, r, j, todo, out)
                j = i - 1
            out[0] = 0
        filled = upto[n] >= 0
        free(table)
        free(todo)
        free(upto)
        return filled

    cdef int fill(self, const int *table, const int *must, const int *prefer, int first, int root, int last, int *todo,
                  int *out) noexcept nogil:
        """The heads of the best items [first, root] and [root, last]; the scores say again how they came about."""
        cdef int size = self.n + 2, top = 0, i, j, k, kind, want
        cdef const int *open_left = table
        cdef const int *open_right = table + size * size
        cdef const int *left = table + 2 * size * size
        cdef const int *right = table + 3 * size * size
        todo[0], todo[1], todo[2] = 2, first, root
        todo[3], todo[4], todo[5] = 3, root, last
        top = 2
        while top:
            top -= 1
            kind, i, j = todo[3 * top], todo[3 * top + 1], todo[3 * top + 2]
            if i == j:
                continue
            want = table[kind * size * size + i * size + j]
            if kind < 2:
                if kind == 0:
                    out[i] = j
                    want -= self.arc(must, prefer, j, i)
                else:
                    out[j] = i
                    want -= self.arc(must, prefer, i, j)
                k = i
                while right[i * size + k] + left[(k + 1) * size + j] != want:
                    k += 1
                todo[3 * top], todo[3 * top + 1], todo[3 * top + 2] = 3, i, k
                todo[3 * top + 3], todo[3 * top + 4], todo[3 * top + 5] = 2, k + 1, j
            elif kind == 2:
                k = i
                while left[i * size + k] + open_left[k * size + j] != want:
                    k += 1
                todo[3 * top], todo[3 * top + 1], todo[3 * top + 2] = 2, i, k
                todo[3 * top + 3], todo[3 * top + 4], todo[3 * top + 5] = 0, k, j
            else:
                k = i + 1
                while open_right[i * size + k] + right[k * size + j] != want:
                    k += 1
                todo[3 * top], todo[3 * top + 1], todo[3 * top + 2] = 1, i, k
                todo[3 * top + 3], todo[3 * top + 4], todo[3 * top + 5] = 3, k, j
            top += 2
        return 0

    # ---- all trees

    cdef bint fits(self, const int *must, int root, const int *tops, int *out, int h, int d) noexcept nogil:
        cdef int k
        if must[d] != NONE and must[d] != h:
            return False
        if self.within != NULL and not self.within[h * (self.n + 1) + d]:
            return False
        if h == 0 and root != 0 and d != root:
            return False
        if tops != NULL:
            for k in range(self.spans):
                if self.left[k] <= d <= self.right[k] and not self.left[k] <= h <= self.right[k] and d != tops[k]:
                    return False
        return self.may_add(out, h, d)

    cdef bint complete(self, const int *must, const int *prefer, int root, const int *tops, int *out) noexcept nogil:
        """Grow a tree from the root: first by what must be or is preferred, else by the nearest head that fits."""
        cdef int d, h, k, step, left = self.n
        cdef bint grown = True, chosen = False
        cdef unsigned char *hangs = <unsigned char *>make_room(&self.room, self.n, 1)
        if hangs == NULL:
            return False
        for d in range(self.n + 1):
            out[d] = NONE
            hangs[d] = d == 0
        out[0] = 0
        while left and grown:
            grown = False
            for d in range(1, self.n + 1):
                if hangs[d]:
                    continue
                h = must[d] if must[d] != NONE else prefer[d] if prefer != NULL else NONE
                if h != NONE and hangs[h] and not (h == 0 and self.one_root and chosen) and self.fits(must, root, tops, out, h, d):
                    out[d] = h
                    hangs[d] = grown = True
                    chosen |= h == 0
                    left -= 1
            if grown:
                continue
            for d in range(1, self.n + 1):
                if hangs[d] or must[d] != NONE:
                    continue
                for step in range(1, self.n + 1):
                    for k in range(2):
                        h = d - step if k == 0 else d + step
                        if h < 0 or h > self.n or not hangs[h] or (h == 0 and self.one_root and chosen):
                            continue
                        if self.fits(must, root, tops, out, h, d):
                            out[d] = h
                            hangs[d] = grown = True
                            chosen |= h == 0
                            left -= 1
                            break
                    if grown:
                        break
                if grown:
                    break
        return left == 0

    # ---- for Python, and for tests

    def tree(self, bint projective, int root=0, tops=None):
        """A tree that complies, or None; root and tops as above."""
        out = np.zeros(self.n + 1, dtype=np.intc)
        cdef int[::1] heads = out
        cdef int[::1] chosen
        cdef const int *which = NULL
        cdef bint found
        if tops is not None:
            chosen = np.array(tops, dtype=np.intc)
            if chosen.shape[0] < self.spans:
                raise ValueError(f"found {chosen.shape[0]} tops, expected {self.spans}")
            which = &chosen[0] if self.spans else NULL
        if projective:
            found = self.complete_projective(self.fixed, NULL, &heads[0])
        else:
            found = self.complete(self.fixed, NULL, root, which, &heads[0])
        return out.tolist() if found else None

    def complies(self, heads):
        """Whether [0, h(1), …, h(n)] does."""
        cdef const int[::1] given = np.array(heads, dtype=np.intc)
        if given.shape[0] != self.n + 1:
            raise ValueError(f"found {given.shape[0]} heads, expected {self.n + 1}")
        for head in given:
            self.word(head, 0, self.n)
        return self.holds(&given[0])
