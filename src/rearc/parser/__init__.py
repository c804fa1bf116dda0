"""Parser = system + scorer + labels; model files."""

from rearc.parser.errors import ModelError
from rearc.parser.header import Header
from rearc.parser.parser import Parser, load

__all__ = ["Header", "ModelError", "Parser", "load"]
