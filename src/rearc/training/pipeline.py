"""What is trained beside the parser: which parts, and those that come before it."""

from __future__ import annotations

from dataclasses import replace

from rearc.evaluation.ratio import percent
from rearc.features.clusters import read_clusters
from rearc.segment import SegmentEpoch, Segmenter
from rearc.segment.gold import tells_spaces
from rearc.tagger.learning import TagEpoch, train_beside_parser
from rearc.tagger.tagger import Tagger
from rearc.training.corpus import Corpus
from rearc.training.defaults import choose_epochs, choose_size, choose_two_taggers
from rearc.training.errors import OptionError, Stopped, TrainingError
from rearc.training.options import COLUMNS, Options
from rearc.training.watcher import Watcher


def choose_parts(corpus: Corpus, options: Options) -> Options:
    """The options with every part decided: what the treebank teaches, but for what is not wanted, and for how long."""
    there = [name for name in COLUMNS if any(s._column(name) is not None for s in corpus.sentences)]
    columns = options.columns.split(",") if options.columns else there
    missing = [name for name in columns if name not in there]
    if missing:
        raise OptionError("columns", options.columns, f"no {missing[0]}, as the treebank has none")
    everything = options.only is None
    tagger = options.tagger if options.tagger is not None else everything and "upos" in there and _can_tag(options)
    if tagger and "upos" not in there:
        raise TrainingError(
            f"{corpus.about.name}: found no UPOS, expected some for a tagger to learn from; train without one "
            "(--no-tagger)"
        )
    words = corpus.about.words
    size = options.size or (choose_size(words) if options.model == "bilstm" else None)
    return replace(
        options,
        epochs=options.epochs or choose_epochs(options.model, words),
        size=size,
        segmenter=everything if options.segmenter is None else options.segmenter,
        tagger=tagger,
        columns=",".join(name for name in COLUMNS if name in columns) if tagger else None,
        two_taggers=_two_taggers(options, tagger, size),
        jackknife=options.jackknife if tagger else 0,
        second_pass=False if options.second_pass is None and _is_named(options) else options.second_pass,
    )


def _two_taggers(options: Options, tagger: bool, size: str | None) -> bool | None:
    if options.model != "bilstm" or options.two_taggers is not None:
        return options.two_taggers
    return tagger and choose_two_taggers(size, options.encoder)


def _is_named(options: Options) -> bool:
    """Whether somebody asked for a system by itself, or for a paper's network."""
    return options.system is not None or (options.size or "").startswith("paper")


def _can_tag(options: Options) -> bool:
    """Whether a model of this kind and size learns tags."""
    if options.model != "bilstm":
        return True
    from rearc.neural.shape import preset

    return options.size is None or bool(preset(options.size, True).columns)


def train_segmenter(corpus: Corpus, dev: Corpus | None, options: Options, watcher: Watcher) -> Segmenter:
    """A segmenter of what the treebank tells of its texts."""
    watcher.note("a segmenter is trained first")
    if not tells_spaces(corpus.sentences):
        watcher.note("the treebank does not tell where spaces are: it is taken to be written as its script usually is")

    def look(epoch: SegmentEpoch) -> None:
        watcher.segmenter(epoch)
        if watcher.stop():
            raise Stopped

    try:
        return Segmenter.train(corpus.sentences, dev.sentences if dev else None, seed=options.seed, report=look)
    except ValueError as error:
        raise TrainingError(f"{corpus.about.name}: {error}") from None


def train_tagger(
    corpus: Corpus, dev: Corpus | None, options: Options, watcher: Watcher
) -> tuple[Tagger, Corpus, Corpus | None]:
    """A tagger, and the treebanks as its parser should see them."""
    assert options.columns is not None
    columns = options.columns.split(",")
    watcher.note(
        f"a {'second ' * bool(options.two_taggers)}tagger for {', '.join(columns)} is trained before the parser"
    )
    clusters = read_clusters(str(options.clusters)) if options.clusters else None

    def look(epoch: TagEpoch) -> None:
        watcher.tagger(epoch)
        if watcher.stop():
            raise Stopped

    try:
        tagger, seen, dev_seen = train_beside_parser(
            corpus.sentences,
            dev.sentences if dev else None,
            columns,
            folds=options.jackknife,
            seed=options.seed,
            clusters=clusters,
            report=look,
        )
    except ValueError as error:
        raise TrainingError(f"{corpus.about.name}: {error}") from None
    if dev is None or dev_seen is None:
        return tagger, replace(corpus, sentences=seen), None
    for name in columns:
        pairs = zip(dev.sentences, dev_seen, strict=True)
        right = [a == b for pair in pairs for a, b in zip(*(getattr(s, name) for s in pair), strict=True)]
        watcher.note(f"{name} of dev: {percent(sum(right), len(right)):.2f} % right")
    return tagger, replace(corpus, sentences=seen), replace(dev, sentences=dev_seen)
