from rearc.neural.decoder import Decoder
from rearc.systems import System

class PairDecoder(Decoder):
    def __init__(self, system: System) -> None: ...
