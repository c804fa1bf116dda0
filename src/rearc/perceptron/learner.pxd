from libc.stdint cimport int64_t


# What an epoch needs of the sentences in `order`, checked and copied: where their values start, trees, labels, sizes.
cdef tuple chosen(int64_t count, offsets, heads, labels, tree_offsets, order, int classes)
