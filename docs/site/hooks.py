"""What the site has beside the pages in docs/: pages that are made when it is built.

The reference of the command is made from the command, and what is kept at the top of the repository (how to work on
rearc, what has changed) becomes pages too. Marks for the test of the snippets are taken off.
"""

import re
from pathlib import Path
from runpy import run_path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

HERE = Path(__file__).parent
TOP = HERE.parents[1]
MARK = re.compile(r"^( *```\w+) (?:not run|needs|with).*$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    page = run_path(str(HERE / "commands.py"))["page"]  # it is no package that could be imported
    files.append(File.generated(config, "commands.md", content=page()))
    for name, new in (("CONTRIBUTING.md", "contributing.md"), ("CHANGELOG.md", "changes.md")):
        text = (TOP / name).read_text(encoding="utf-8")
        files.append(File.generated(config, new, content=text.replace("](docs/", "](")))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fences without the marks that tell tests/test_docs.py how a block is run."""
    return MARK.sub(r"\1", markdown)
