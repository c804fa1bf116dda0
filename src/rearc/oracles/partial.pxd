from rearc.systems.base cimport System


# A partial tree from Python: `heads` has 0 where `given` has None. The same heads with NONE there; ValueError that names the arcs if
# the known ones fit into no tree that the system can derive.
cdef const int[::1] known_heads(const int[::1] heads, list given, System system)


# For heads [0, g(1), …, g(n)] with NONE for an unknown one, acyclic: the dependents of two known arcs that no projective tree has
# both, through first and second (second is 0 where an arc alone is at fault); False if there are none. O(n²).
cdef bint clash(const int *heads, int n, int *first, int *second) noexcept nogil
