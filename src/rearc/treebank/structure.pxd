# What other compiled modules may cimport. heads is [0, h(1), …, h(n)]; every function takes n, the number of
# words, works without the GIL and without recursion, and raises MemoryError (return value -1) when there is
# no room.

cdef struct Tree:
    int n
    const int* heads
    int* first       # the dependents of h, left to right: dependents[first[h]] … dependents[first[h + 1] - 1]
    int* dependents
    int* down        # 0, then the words, each after its head
    int* room        # the arrays that the caller asked for, n + 2 integers each, all 0
    void* block

cdef int plant(Tree* tree, const int* heads, int n, int rooms) except -1 nogil
# Sorts the dependents under their heads. Returns 0, or else the leftmost word whose head is out of range, or
# else the leftmost word that does not reach the root: then there is no tree and only uproot may be called.

cdef void uproot(Tree* tree) noexcept nogil

cdef void number_subtrees(const Tree* tree, int* pre, int* last) noexcept nogil
# w is h or below h if and only if pre[h] <= pre[w] <= last[h].

cdef void reach(const Tree* tree, const int* pre, const int* last, int* left, int* right) noexcept nogil
# left[h] … right[h] is the longest run of words around h that are all h or below h: h → d is projective if
# and only if left[h] <= d <= right[h].

cdef int fill_projective_order(const int* heads, int n, int* order) except -1 nogil
# order[w] = PROJ(w) for w = 0 … n; the heads must form a tree (as plant tells).

cdef int fill_maximal_projective_components(const int* heads, int n, int* component) except -1 nogil
# component[w] = the highest word of the component of w, for w = 0 … n; the heads must form a tree.

cdef const int[::1] as_heads(object heads)
# Heads given from Python as C integers; raises TypeError or ValueError for what cannot be heads at all.

cdef int grow(Tree* tree, const int[::1] heads, int rooms, object given) except -1
# plant for a caller that holds the GIL: raises ValueError that says why when there is no tree.

cdef int check(const int[::1] heads, object given) except -1
# grow and uproot: only the question whether there is a tree.

cdef int check_all(const int[::1] heads, const int[::1] sizes) except -1
# Trees in a row, each with its root slot: raises ValueError unless they are trees of these sizes.
