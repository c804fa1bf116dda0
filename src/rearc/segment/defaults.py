"""The templates of new models; tokens.pyx and sentences.pyx say what the atoms are."""

TOKENS = """
c-3 c-2 c-1 c0 c1 c2
l-1+l0 l-2+l-1+l0 l-1+l0+l1 l-2+l-1+l0+l1 l-1+l0+l1+l2 l-3+l-2+l-1+l0 l-2+l-1 l0+l1 l0+l1+l2 l-3+l-2+l-1
k-2+k-1+k0+k1 k-3+k-2+k-1+k0+k1+k2 c-1+k0+k1 k-2+k-1+c0
left right left+right lrun+rrun lrun+c0 c-1+rrun chunk
known+k-1+k0 knownruns+c-1+k0 knownruns+k-1+c0 knownmore+k-1+c0 knownmore+c0+to+behind
from+to+c-1+c0 c-1+c0+to+behind left+c0+behind size+k-1+k0 first first+before+c0
ends+begins+over ends+size over begins+l0 ends+l-1 endword+beginword size+beginword
pair0+c0 pair0+c0+k-1 pair0+c0+c-1 pair0+c0+k-1+to pair-1+c-1+k0
address
"""

SENTENCES = """
depth
w-3 w-2 w-1 w0 w1 w2
h-3 h-2 h-1 h0 h1 h2
w-1+w0 w-2+w-1 w0+w1 h-1+w0 w-1+h0 h-1+h0+s0 h-2+h-1+h0+h1
h-1+k0+s0+gap w-1+k0+s0 k-1+k0+length h-1+k0+length+depth x-1+k0+s0 k-1+x0+k0
w-2+h-1+k0 h-2+w-1+k0 k0+w0+s0 k0+s0+k1+s1 k-2+k-1+k0+k1 w-1+gap+k0+length
gap+h-1+h0 h-2+h-1 first+h-1+k0 firstk+h-1+k0 k0+k1+w1+s0 w0+k-1+k0+length k0+s0+k1+k2
t-3+k-3 t-2+k-2 t-1+k-1 t0+k0 t1+k1 t2+k2
t-1+t0+k0 t-1+t0+t1+k0 t-2+t-1+t0+k0 t0+t1+t2+k0 t-1+w0+k0+s0 w-1+t0+k0+s0 t-2+t-1+k0+s0 t-1+t0+length+k0
verb+w-1+k0+s0 verb+t-1+t0 verb+length+k-1+k0 verb+w0+k0
until+k-1+k0 until+k-1+k0+s0 until+length+k0+k-1 coming+t-1+t0
coming+verb+h-1+k0 coming+verb+h-1+k0+s0 coming+verb+until+k0+k-1
quoted+w-1+k0 quoted+h-1+h0 quoted+w-1+w0
gap gap+k-1+k0 x-2+h-1+k0
line line+w-1+k0 line+k-1+k0+s0 line+t-1+t0 line+length+k0
row row+w-1+k0 row+k-1+k0+s0 row+h-1+h0 row+length+k-1+k0
"""
