from libc.stdint cimport uint64_t

from rearc.features.program cimport MAX_TEMPLATES
from rearc.features.tokens cimport Tokens
from rearc.perceptron.decoder cimport LinearDecoder
from rearc.search.beam cimport Beam


cdef class LinearBeam(Beam):
    """A beam over the scores of linear models."""
    cdef readonly LinearDecoder decoder
    cdef const Tokens *tokens               # of the sentence
    cdef float *label_scores
