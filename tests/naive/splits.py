"""Split rules, read character by character."""


def cut(text, mark):
    """The text cut at every mark that has no backslash before it; the backslashes stay."""
    found, escaped = [""], False
    for c in text:
        if c == mark and not escaped:
            found.append("")
        else:
            found[-1] += c
        escaped = c == "\\" and not escaped
    return found


def plain(text):
    out = ""
    while text:
        if text[0] == "\\":
            text = text[1:]
        out, text = out + text[0], text[1:]
    return out


def apply(rule, token):
    mode, *words = cut(rule, "|")

    def cased(text, first):
        if mode == "k" or token[0] == token[0].lower():
            return text
        if len(token) > 1 and token.isupper():
            return text.upper()
        return text[:1].upper() + text[1:] if first else text

    out = []
    for k, word in enumerate(words):
        ends = cut(word, "~")
        if len(ends) == 1:
            out.append(cased(plain(word), k == 0))
            continue
        (front, before), (back, behind) = (map(plain, cut(end, ">")) for end in ends)
        rest = token[len(front) : len(token) - len(back)]
        removed = token[: len(front)] + token[len(token) - len(back) :]
        if mode == "f":
            removed = token[: len(front)].lower() + token[len(token) - len(back) :].lower()
        if not rest or removed != front + back:
            return [token]
        out.append(cased(before, k == 0) + rest + cased(behind, False))
    return out
