"""Features of a configuration, read off its lists and heads: what each attribute of each word is, as a tuple."""

import re

ABSENT = None


def bucket(distance):
    return distance if distance <= 4 else "5-6" if distance <= 6 else "7-10" if distance <= 10 else "more"


class View:
    """A configuration as lists: `left` is λ1 or σ with the focus or top last, `right` is B or β."""

    def __init__(self, state, sentence, labels):
        self.from_top = state.system.name == "attardi"
        lists = [
            [0 if x == "r" else int(x) for x in re.findall(r"\d+|r", part)]
            for part in re.findall(r"\[([^]]*)\]", str(state))
        ]
        self.left, self.right = lists[0], lists[-1]
        self.covington = len(lists) == 3
        self.heads = {d: state.heads[d] for d in state.headed}
        self.labels = labels
        self.sentence = sentence
        self.n = len(sentence)

    def word(self, name, k, head, dependent):
        skip = 0 if self.from_top else max(k, 1) - 1
        left = self.left[: len(self.left) - skip]
        if name == "H0":
            return head
        if name == "D0":
            return dependent
        if name in ("CL", "CR"):
            if not left or not self.right:
                return ABSENT
            low, high = left[-1], self.right[0]
            free = [w for w in range(low + 1, high) if not low <= self.heads.get(w, -1) <= high]
            return ABSENT if not free else free[0] if name == "CL" else free[-1]
        kind, place = name[0], int(name[1])
        if kind == "S" and self.from_top:  # the k-th word below the top comes right below it, before those between
            order = [k, *range(1, k), *range(k + 1, k + 10)]
            place = order[place - 1] if place else 0
        if kind in "LS":
            return left[-1 - place] if place < len(left) else ABSENT
        return self.right[place] if place < len(self.right) else ABSENT

    def dependents(self, w, left):
        return [d for d, h in sorted(self.heads.items()) if h == w and (d < w) == left]

    def step(self, w, relative):
        if w is ABSENT:
            return ABSENT
        if relative == "h":
            return self.heads.get(w, ABSENT)
        if relative == "h2":
            return self.step(self.step(w, "h"), "h")
        if relative == "<":
            return w - 1 if w > 1 else ABSENT
        if relative == ">":
            return w + 1 if 0 < w < self.n else ABSENT
        side = self.dependents(w, relative[0] == "l")
        if relative[0] == "r":
            side.reverse()  # from now on the farthest comes first
        index = {"": 0, "'": -1, "2": 1}[relative[1:]]
        return side[index] if index < len(side) and side else ABSENT

    def above(self, w):
        """All words above w, up to the one that has no head."""
        found = []
        while w in self.heads:
            w = self.heads[w]
            found.append(w)
        return found

    def kin(self, left, right):
        """Where the heads of the two are, and how one stands to the other."""
        if not left or not right:
            return ABSENT
        places = []
        for w in (left, right):
            h = self.heads.get(w)
            order = sorted({left, right, h}) if h is not None else []
            places.append((order.index(h), h in (left, right)) if order else ABSENT)
        heads = [self.heads.get(w) for w in (left, right)]
        if heads[0] is not None and heads[0] == heads[1]:
            kind = "siblings"
        elif left in self.above(right):
            kind = "above"
        else:
            kind = "below" if right in self.above(left) else "apart"
        return kind, *places

    def value(self, w, attribute, k):
        if attribute == "d":
            left = self.word("L0", k, None, None)
            right = self.word("R0", k, None, None)
            if left is ABSENT or right is ABSENT:
                return ABSENT
            distance = abs((right or self.n + 1) - left)
            return bucket(distance)
        if attribute == "k":
            return self.kin(self.word("L0", k, None, None), self.word("R0", k, None, None))
        if w is ABSENT:
            return ABSENT
        if attribute == "l":
            return (self.labels.get(w) or "no label") if w in self.heads else ABSENT
        if attribute in ("vl", "vr"):
            return min(6, len(self.dependents(w, attribute == "vl")))
        if attribute in ("sl", "sr"):
            return frozenset(self.labels[d] for d in self.dependents(w, attribute == "sl") if self.labels.get(d))
        if attribute == "e":
            h = self.heads.get(w)
            return "none" if h is None else "root" if h == 0 else (h > w, bucket(abs(h - w)))
        if w == 0:
            return "root"
        column = {
            "w": "forms",
            "u": "forms",
            "x2": "forms",
            "x3": "forms",
            "m": "lemmas",
            "p": "upos",
            "t": "xpos",
            "f": "feats",
        }
        text = getattr(self.sentence, column[attribute])[w - 1]
        if attribute in ("u", "x2", "x3"):
            text = text.lower()
        if attribute in ("x2", "x3"):
            text = text[-int(attribute[1]) :]
        return ABSENT if text == "_" and column[attribute] != "forms" else text

    def feature(self, template, k, head, dependent):
        """The values of a template's atoms, or None where a relative it looks at is absent."""
        values = []
        for address, attribute in template.atoms:
            w = self.word(address.word, k, head, dependent)
            for relative in address.relatives:
                w = self.step(w, relative)
            if address.relatives and w is ABSENT:
                return None
            values.append(self.value(w, attribute, k))
        return tuple(values)
