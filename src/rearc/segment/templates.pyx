"""Feature templates: `l-1+l0` is the characters before and behind a gap together."""

from libc.stdint cimport uint32_t, uint64_t

from rearc.segment.hashing cimport push


cdef class Templates:
    """Templates over atoms of these names, separated by spaces; the atoms of one are joined by +.

    >>> Templates("a a+b", ["a", "b"]).text
    'a a+b'
    """

    def __cinit__(self, str text not None, names):
        places = {str(name): k for k, name in enumerate(names)}
        templates = text.split()
        if not 1 <= len(templates) <= MAX_TEMPLATES:
            raise ValueError(f"found {len(templates)} templates, expected 1 to {MAX_TEMPLATES}")
        self.text = " ".join(templates)
        for template in templates:
            atoms = template.split("+")
            for name in atoms:
                if name not in places:
                    raise ValueError(f"found {name[:40]!r} in a template, expected one of {' '.join(places)}")
            if len(atoms) > MAX_ATOMS:
                raise ValueError(f"found {len(atoms)} atoms in a template, expected no more than {MAX_ATOMS}")
            self.templates[self.count].seed = push(0x9E3779B97F4A7C15ULL, self.count + 1)
            for name in atoms:
                self.templates[self.count].atom[self.templates[self.count].count] = places[name]
                self.templates[self.count].count += 1
            self.count += 1

    cdef int features_into(self, const uint64_t *values, uint32_t *out) noexcept nogil:
        """The features of these values of the atoms; their number. A template with an atom that is 0, absent, makes none."""
        cdef int t, a, count = 0
        cdef uint64_t h
        cdef const Template *template
        for t in range(self.count):
            template = &self.templates[t]
            h = template.seed
            for a in range(template.count):
                if values[template.atom[a]] == 0:
                    break
                h = push(h, values[template.atom[a]])
            else:
                out[count] = <uint32_t>(h >> 32)
                count += 1
        return count
