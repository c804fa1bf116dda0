"""Scratch memory that is kept from tree to tree and grows with the longest one."""

from libc.stdlib cimport free, malloc


cdef struct Room:
    void *block
    int words                       # there is room for so many


cdef inline void *make_room(Room *room, int n, size_t bytes_a_word) noexcept nogil:
    """A block for n + 2 words (the root, n words, and one to spare); NULL if memory is out. What was in it may be lost."""
    if room.block == NULL or room.words < n:
        free(room.block)
        room.words = 0
        room.block = malloc((<size_t>n + 2) * bytes_a_word)
        if room.block != NULL:
            room.words = n
    return room.block


cdef inline void free_room(Room *room) noexcept nogil:
    free(room.block)
    room.block = NULL
