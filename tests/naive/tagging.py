"""Learning to tag, with strings for features and dictionaries for weights."""

from collections import Counter
from itertools import takewhile

from tests.naive.perceptron import Perceptron

OUTSIDE = "outside"


def normal(form: str) -> str:
    return "".join("0" if c.isdecimal() else c for c in form.lower())


def shape(form: str) -> str:
    kinds = ["d" if c.isdecimal() else "X" if c.isupper() or c.istitle() else "x" if c.isalpha() else c for c in form]
    return "".join(k for place, k in enumerate(kinds) if place == 0 or kinds[place - 1] != k)


def kinds(form: str) -> str:
    return repr([
        any(c.isupper() for c in form), any(c.islower() for c in form), any(c.isdecimal() for c in form),
        any(c.isalpha() for c in form), "-" in form, form[:1].isupper(),
    ])  # fmt: skip


class NaiveTask:
    """Learns one column; `units` gives the parts of a tag."""

    def __init__(self, sentences, column, templates, units):
        self.sentences, self.column, self.units = sentences, column, units
        self.templates = [[self.atom(a) for a in template.split("+")] for template in templates.split()]
        self.forms = Counter(form for s in sentences for form in s.forms)
        self.normal = Counter(normal(form) for s in sentences for form in s.forms)
        self.tags = {}
        for s in sentences:
            for form, upos in zip(s.forms, s.upos, strict=True):
                self.tags.setdefault(normal(form), Counter())[upos] += 1
        self.stems = {}
        for s in sentences:
            for form, lemma in zip(s.forms, s.lemmas, strict=True):
                both = zip(normal(form), normal(lemma), strict=False)
                stem = "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], both))
                self.stems.setdefault(stem, set()).add(normal(form))
        self.classes = sorted({tag for s in sentences for tag in getattr(s, column)})
        self.allowed = {}
        for s in sentences:
            for upos, tag in zip(s.upos, getattr(s, column), strict=True):
                self.allowed.setdefault(upos, set()).add(tag)
        self.numbers = {u: k for k, u in enumerate(sorted({u for c in self.classes for u in units(c)}))}
        self.perceptron = Perceptron()

    @staticmethod
    def atom(text):
        name, _, offset = text.partition(":")
        return name, int(offset or 0)

    def value(self, sentence, history, place, name):
        if not 0 <= place < len(sentence):
            return OUTSIDE
        if name == "t":
            return history[place]
        if name == "u":
            return sentence.upos[place]
        form = sentence.forms[place]
        text = normal(form)
        usual = self.tags[text] if self.normal[text] >= 3 else {}
        if name == "w":
            return form if self.forms[form] >= 2 else None
        if name == "n":
            return text if self.normal[text] >= 2 else None
        if name[0] in "ps":
            size = int(name[1])
            if size > 1 and size >= len(text):
                return None
            return text[:size] if name[0] == "p" else text[-size:]
        if name in ("m", "r"):
            stems = [
                stem for stem in self.stems if len(stem) > 1 and text.startswith(stem) and self.stems[stem] - {text}
            ]
            stem = max(stems, key=len, default=None)
            return stem if name == "m" or stem is None else text[len(stem) :]
        if name == "h":
            return shape(form)
        if name == "k":
            return kinds(form)
        if not usual:
            return None
        first = min(usual, key=lambda tag: (-usual[tag], tag))
        if name == "b":
            return first
        return tuple(tag for tag in sorted(usual) if tag == first or usual[tag] >= 0.05 * sum(usual.values()))

    def features(self, sentence, history, place):
        found = []
        for number, atoms in enumerate(self.templates):
            values = [self.value(sentence, history, place + offset, name) for name, offset in atoms]
            if None not in values:
                found.append((number, *values))
        return found

    def epoch(self, order):
        """The number of mistakes."""
        mistakes = 0
        for k in order:
            sentence = self.sentences[k]
            history = []
            for place in range(len(sentence)):
                features = self.features(sentence, history, place)
                candidates = self.classes
                if self.column != "upos":
                    candidates = [c for c in self.classes if c in self.allowed[sentence.upos[place]]]
                scores = {
                    c: sum(self.perceptron.score(features, self.numbers[u]) for u in set(self.units(c)))
                    for c in candidates
                }
                chosen = max(candidates, key=lambda c: scores[c])
                gold = getattr(sentence, self.column)[place]
                mistakes += chosen != gold
                right, wrong = set(self.units(gold)), set(self.units(chosen))
                self.perceptron.update(
                    features, [self.numbers[u] for u in right - wrong], [self.numbers[u] for u in wrong - right]
                )
                history.append(chosen)
        return mistakes
