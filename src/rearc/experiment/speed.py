"""`python -m rearc.experiment.speed MODEL FILE TAGS`: how fast a model parses on one core, and with how much memory.

A process of its own: the memory is what parsing takes, whatever training took.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

ROUNDS = 3  # of which the fastest counts: all else on the machine can only make it slower


def measure(model: str, file: str, tags: str) -> dict[str, Any]:
    """Seconds to load, sentences and words a second of CPU time, and the most memory at a time."""
    begin = time.process_time()
    from rearc.experiment.run import memory_mb
    from rearc.parser.parser import load
    from rearc.treebank import read

    parser = load(model)
    loaded = time.process_time() - begin
    sentences = list(read(file))
    best = min(_seconds(parser, sentences, tags) for _ in range(ROUNDS))
    words = sum(map(len, sentences))
    return {
        "load_seconds": loaded,
        "sentences_per_second": len(sentences) / best,
        "words_per_second": words / best,
        "parsememory_mb": memory_mb(),
    }


def _seconds(parser: Any, sentences: list[Any], tags: str) -> float:
    begin = time.process_time()
    for _ in parser.parse_many(sentences, tags=tags):
        pass
    return max(time.process_time() - begin, 1e-6)


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
