from rearc.neural.decoder import NetworkDecoder
from rearc.systems import System

class PairDecoder(NetworkDecoder):
    def __init__(self, system: System) -> None: ...
