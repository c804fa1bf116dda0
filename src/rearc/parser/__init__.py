"""Parser = system + scorer + labels; documents; model files."""

from rearc.parser.document import Document
from rearc.parser.errors import ModelError
from rearc.parser.header import Header
from rearc.parser.parser import Parser, load

__all__ = ["Document", "Header", "ModelError", "Parser", "load"]
