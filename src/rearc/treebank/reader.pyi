from collections.abc import Callable, Iterable, Iterator

from rearc.files.names import File
from rearc.treebank.errors import TreebankError
from rearc.treebank.sentence import Sentence

def read(
    source: File,
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    single_root: bool = False,
    on_invalid: Callable[[TreebankError], object] | None = None,
    columns: Iterable[str] | None = None,
    strict: bool = False,
    need_trees: bool = True,
    on_note: Callable[[str], object] | None = None,
) -> Iterator[Sentence]: ...
