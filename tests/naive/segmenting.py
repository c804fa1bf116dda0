"""Segmenting with strings and dictionaries: what a saved segmenter says of a text."""

import re
import unicodedata

MASK = 2**64 - 1
CLASSES = [
    "outside",
    "space",
    "line",
    "upper",
    "lower",
    "letter",
    "ideograph",
    "digit",
    "mark",
    "stop",
    "open",
    "close",
    "quote",
    "dash",
    "point",
    "symbol",
    "flag",
    "other",
]
SPACES, LINES = {"space", "line"}, "\n\r\x85\u2028\u2029"
CASED = {"upper", "lower", "mark"}
LETTERS = {*CASED, "letter"}


def kind(c):
    """The name of the class of a character."""
    code, category = ord(c), unicodedata.category(c)
    if c in LINES:
        return "line"
    if c in "….!?。！？।؟۔։܀｡":
        return "stop"
    if c in "\"'`´“”„‟‘’‚‛«»":
        return "quote"
    if c.isspace() or c == "\0":
        return "space"
    if c in "\u200c\u200d" or 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F or category[0] == "M":
        return "mark"
    if 0x1F1E6 <= code <= 0x1F1FF:
        return "flag"
    if category == "Lo" and re.match(
        "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff]",
        c,
    ):
        return "ideograph"
    names = {"Lu": "upper", "Lt": "upper", "Ll": "lower", "Lm": "letter", "Lo": "letter", "Nd": "digit", "Nl": "symbol",
             "No": "symbol", "Ps": "open", "Pe": "close", "Pi": "quote", "Pf": "quote", "Pd": "dash", "Pc": "point",
             "Po": "point"}  # fmt: skip
    return names.get(category, "symbol" if category[0] == "S" else "other")


def number(c):
    return CLASSES.index(kind(c))


def lower(text):
    """Character by character; white space of any kind is a space."""
    low = (" " if kind(c) in SPACES else c.lower() if len(c.lower()) == 1 else c for c in text)
    return "".join(low)


def push(h, value):
    h = (h ^ value) * 0xFF51AFD7ED558CCD & MASK
    return h ^ h >> 32


def hashed(text):
    h = 1
    for c in text:
        h = push(h, ord(c))
    return h


class NaiveSegmenter:
    def __init__(self, header, tensors):
        self.header = header
        self.weights = {name: tensors[f"{name}/weights"].tolist() for name in ("tokens", "sentences")}
        keys, facts = tensors["words/keys"].tolist(), tensors["words/facts"].tolist()
        self.words = dict(zip(keys, facts, strict=True))
        self.splits = set(tensors["splits/keys"].tolist())

    def known(self, h):
        """Count, large, small, tag."""
        return self.words.get(h >> 32 or 1, (0, 0, 0, 0))

    def places(self, name, atoms):
        """Where the weights of the features are."""
        for t, template in enumerate(self.header[name]["templates"].split(), 1):
            h = push(0x9E3779B97F4A7C15, t)
            values = [atoms[atom] for atom in template.split("+")]
            if all(values):
                for value in values:
                    h = push(h, value)
                yield (h >> 32) % len(self.weights[name])

    def score(self, name, atoms):
        return sum(self.weights[name][place] for place in self.places(name, atoms)) - self.header[name]["threshold"]

    # ---- tokens

    def tokens(self, text):
        """The tokens of one paragraph: (start, end)."""
        found = []
        at = 0
        while at < len(text):
            if kind(text[at]) in SPACES:
                at += 1
                continue
            stop = self.chunk_end(text, at)
            begin = at
            for g in range(at + 1, stop):
                if self.is_open(text, at, stop, g) and self.score("tokens", self.gap(text, at, stop, begin, g)) > 0:
                    found.append((begin, g))
                    begin = g + (kind(text[g]) in SPACES)
            found.append((begin, stop))
            at = stop
        return found

    def chunk_end(self, text, at):
        joins = [tuple(pair) for pair in self.header["joins"]]
        while at < len(text):
            if kind(text[at]) in SPACES:
                around = (kind(text[at - 1]), kind(text[at + 1])) if at + 1 < len(text) else None
                if kind(text[at]) == "line" or around not in joins:
                    break
            at += 1
        return at

    def is_open(self, text, start, stop, g):
        before, behind = kind(text[g - 1]), kind(text[g])
        if before == behind == "flag":
            run = re.search("[\U0001f1e6-\U0001f1ff]+$", text[start : g + 1])[0]
            return len(run) % 2 == 1
        if behind == "mark" or before in SPACES or text[g - 1] == "\u200d":
            return False
        if before not in LETTERS or behind not in LETTERS:
            return True
        if all(kind(c) in LETTERS for c in text[start:stop]):
            return (hashed(lower(text[start:stop])[:64]) >> 32 or 1) in self.splits
        if before not in CASED or behind not in CASED:
            return False
        return any(kind(c) not in LETTERS for c in text[max(start, g - 4) : min(stop, g + 4)])

    def gap(self, text, start, stop, begin, g):
        """The atoms of the gap before character g."""
        low = lower(text)
        kinds = [number(c) for c in text]
        atoms = {}
        for place in range(-3, 3):
            i = g + place
            inside = start <= i < stop and kind(text[i]) not in SPACES
            atoms[f"c{place}"] = 1 + ord(text[i] if inside else " ")
            atoms[f"l{place}"] = 1 + ord(low[i] if inside else " ")
            atoms[f"k{place}"] = 1 + (kinds[i] if inside else 1)
        s, e = g - 1, g + 1
        while s > start and s > g - 24 and kinds[s - 1] == kinds[g - 1]:
            s -= 1
        while e < stop and e < g + 24 and kinds[e] == kinds[g]:
            e += 1
        left, right = low[max(begin, g - 24) : g], low[g : min(stop, g + 24)]

        def seen(word):
            count = self.known(hashed(word))[0]
            return count if count < 2 else 2 if count < 5 else 3

        atoms["left"], atoms["right"] = hashed(left), hashed(right)
        atoms["lrun"], atoms["rrun"] = hashed(low[s:g]), hashed(low[g:e])
        atoms["known"] = 1 + 4 * seen(left) + seen(right)
        atoms["knownruns"] = 1 + 4 * seen(low[s:g]) + seen(low[g:e])
        atoms["knownmore"] = 1 + seen(left + low[g])
        atoms["chunk"] = push(hashed(low[start:stop][:64]), g - start)
        atoms["from"], atoms["to"], atoms["size"] = min(g - start, 5), min(stop - g, 5), min(g - begin, 10)
        atoms["first"] = 1 + kinds[start]
        atoms["before"] = 1 + self.neighbour(text[:start][::-1], True) if g == start + 1 else 0
        atoms["behind"] = 1 + self.neighbour(text[stop:], False)
        atoms |= dict.fromkeys(("ends", "begins", "over", "endword", "beginword"), 0)
        if "ideograph" in (kind(text[g - 1]), kind(text[g])) or kind(text[g - 1]) == "letter":
            ends = max((n for n in range(1, 9) if g - n >= start and self.known(hashed(low[g - n : g]))[0]), default=0)
            begins = max((n for n in range(1, 9) if g + n <= stop and self.known(hashed(low[g : g + n]))[0]), default=0)
            over = [
                (a + b, a, b)
                for a in range(1, 9)
                for b in range(1, 9)
                if a + b <= 8 and g - a >= start and g + b <= stop and self.known(hashed(low[g - a : g + b]))[0]
            ]
            _, a, b = max(over, default=(0, 0, 0))
            atoms |= {"ends": 1 + ends, "begins": 1 + begins, "over": 1 + 16 * a + b}
            atoms |= {"endword": hashed(low[g - ends : g]), "beginword": hashed(low[g : g + begins])}
        for place in (-1, 0):
            opened = self.opened(text, g + place)
            where = 1 if opened is None else 2 if opened < start else 3 if opened < begin else 4
            atoms[f"pair{place}"] = where if kind(text[g + place]) in ("close", "quote") else 0
        word = [kind(c) in ("lower", "upper", "letter", "digit") for c in text[start:stop]]
        signs = [m.start() for m in re.finditer("www[.]", low[start:stop]) if not m.start() or not word[m.start() - 1]]
        signs += [m.start() for m in re.finditer("://", low[start:stop])]
        signs += [m.start() for m in re.finditer("@", low[start:stop]) if m.start() and word[m.start() - 1]]
        atoms["address"] = 0
        if signs:
            sign = start + min(signs)
            where = (3 if sign < begin else 2 if sign < g else 1) + (3 if text[sign] == "@" else 0)
            atoms["address"] = where
            if "address" in self.header["tokens"]["templates"]:
                atoms = {name: push(value, where) if value else 0 for name, value in atoms.items()}
        return atoms

    @staticmethod
    def opened(text, x):
        """What the bracket or quotation mark at x closes, in its paragraph and at most 256 characters before it."""
        first = max(0, x - 256)
        limit = max([first, *(m.end() for m in re.finditer(r"[\s\0]+", text[:x]) if line_ends(m[0]) > 1)])
        if kind(text[x]) == "close":
            depth = 0
            for p in range(x - 1, limit - 1, -1):
                depth += {"close": 1, "open": -1}.get(kind(text[p]), 0)
                if depth < 0:
                    return p
            return None
        single = "'`´‘’‚‛"
        for p in range(x - 1, limit - 1, -1):
            if kind(text[p]) == "quote" and (text[p] in single) == (text[x] in single):
                before = kind(text[p - 1]) if p else "space"
                if before in {*SPACES, "open", "dash", "quote"}:
                    return None if kind(text[p + 1]) in SPACES else p
                if not {before, kind(text[p + 1])} <= LETTERS:
                    return None
        return None

    @staticmethod
    def neighbour(text, backwards):
        """The class of the first character behind the white space; 0 beyond a paragraph."""
        spaces = 0
        while spaces < len(text) and kind(text[spaces]) in SPACES:
            spaces += 1
        between = text[:spaces][::-1] if backwards else text[:spaces]
        if spaces == len(text) or spaces > 8 or line_ends(between) > 1:
            return 0
        return number(text[spaces])

    # ---- sentences

    def sentences(self, text):
        """The sentences of a text: lists of tokens."""
        tokens = self.tokens(text)
        gaps = [text[a:b] for (_, a), (b, _) in zip(tokens, [*tokens[1:], (len(text), 0)], strict=False)]
        sentences, current = [], []
        for m, token in enumerate(tokens):
            current.append(token)
            if (
                m + 1 == len(tokens)
                or line_ends(gaps[m]) > 1
                or self.score("sentences", self.end(text, tokens, gaps, m, len(current))) > 0
            ):
                sentences.append(current)
                current = []
        return sentences

    def end(self, text, tokens, gaps, m, size):
        """The atoms of the gap behind token m, the last of `size` tokens of its sentence."""
        atoms = {}
        for place in range(-3, 3):
            at = m + 1 + place
            within = range(min(at, m), max(at, m))  # gaps between the two tokens
            outside = not 0 <= at < len(tokens) or any(line_ends(gaps[k]) > 1 for k in within)
            word = dict.fromkeys("whkstx", 1) if outside else self.word(text[slice(*tokens[at])])
            atoms |= {f"{name}{place}": value for name, value in word.items()}
        atoms["gap"] = 1 if not gaps[m] else 3 if line_ends(gaps[m]) else 2
        atoms["length"] = size if size < 5 else next(
            (k for k, most in ((5, 8), (6, 13), (7, 21), (8, 41)) if size < most), 9
        )  # fmt: skip
        words = [text[slice(*token)] for token in tokens]
        sofar = words[m + 1 - size : m + 1]
        depth = 0
        for word in sofar:
            depth = {"open": depth + 1, "close": max(depth - 1, 0)}.get(kind(word[0]), depth)
        atoms["depth"] = 1 + min(depth, 2)
        atoms["verb"] = 1 + any(map(self.is_verb, sofar))
        atoms["quoted"] = 1 + sum(len(word) == 1 and kind(word) == "quote" for word in sofar) % 2
        coming = []
        for k in range(m, len(tokens) - 1):
            if line_ends(gaps[k]) > 1 or (k > m and kind(words[k][0]) == "stop"):
                break
            coming.append(words[k + 1])
        atoms["until"] = 1 + min(len(coming), 12)
        atoms["coming"] = 1 + any(map(self.is_verb, coming))
        atoms["line"] = self.line(text, tokens, gaps, m) if m + 1 < len(tokens) and line_ends(gaps[m]) == 1 else 0
        atoms["row"] = self.row(text, tokens, gaps, m) if not line_ends(gaps[m]) and m + 1 < len(tokens) else 0
        first = self.word(sofar[0])
        return atoms | {"first": first["w"], "firstk": first["k"]}

    @staticmethod
    def line(text, tokens, gaps, m):
        """Of a line end behind token m: 1 if the next word would not have had room before it, 2 if it would."""
        lines = [[]]  # of the text, as places of tokens; None where a paragraph ends
        for k, gap in enumerate(gaps):
            lines[-1].append(k)
            if line_ends(gap) == 1:
                lines.append([])
            elif line_ends(gap) > 1:
                lines += [None, []]
        lengths = [tokens[x[-1]][1] - tokens[x[0]][0] if x else 0 for x in lines]
        at = next(k for k, x in enumerate(lines) if x and x[-1] == m)
        begin, behind = tokens[m + 1][0], m + 1
        while behind + 1 < len(tokens) and not gaps[behind]:
            behind += 1
        room = 1 if kind(text[begin]) == "ideograph" else tokens[behind][1] - begin
        before = lengths[at - 1] if at else 0
        return 1 if lengths[at] + 1 + room > max(40, before, lengths[at], lengths[at + 1]) else 2

    def row(self, text, tokens, gaps, m):
        """Of a gap within a line: 0 if the line is alone, full, or behind a full one; else 1 to 4 by its length."""
        first, last = m, m
        while first and not line_ends(gaps[first - 1]):
            first -= 1
        while last + 1 < len(tokens) and not line_ends(gaps[last]):
            last += 1
        single = [k for k in (first - 1, last) if 0 <= k < len(tokens) - 1 and line_ends(gaps[k]) == 1]
        if not single or any(self.line(text, tokens, gaps, k) == 1 for k in single):
            return 0
        length = tokens[last][1] - tokens[first][0]
        return 1 + sum(length > most for most in (20, 40, 80))

    def is_verb(self, token):
        """By the tags: 1 and 2 are those of verbs."""
        count, _, _, tag = self.known(hashed(lower(token)[:24]))
        return count >= 2 and tag in (1, 2)

    def word(self, token):
        low = lower(token)
        shape, before = 1, None
        for c in token[:24]:
            if number(c) != before:
                before = number(c)
                shape = push(shape, before)
        if len(token) == 1:
            shape = push(shape, 99 if kind(token) in CASED else ord(token))
        count, large, small, tag = self.known(hashed(low[:24]))
        return {
            "w": hashed(low[:24]) if count >= 2 else push(shape, 0),
            "h": shape,
            "k": 1 + number(token[0]),
            "s": 1 if large + small == 0 else 4 if small > 4 * large else 3 if 2 * small >= large else 2,
            "t": 1 + tag if tag and count >= 2 else shape,
            "x": hashed(low[-3:]),
        }


def line_ends(spaces):
    return len(re.findall("\r\n|[\n\r\x85\u2028]", spaces)) + 2 * spaces.count("\u2029")
