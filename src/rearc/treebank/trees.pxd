# What systems and oracles cimport.
from rearc.treebank.structure cimport fill_maximal_projective_components, fill_projective_order
