"""Lemma rules, read character by character."""


def read_edit(text):
    """(number of characters to take away, what comes instead)."""
    digits = ""
    while text and text[0].isdecimal():
        digits, text = digits + text[0], text[1:]
    added = ""
    while text:
        if text[0] == "\\":
            text = text[1:]
        added, text = added + text[0], text[1:]
    return int(digits), added


def parts(rule):
    """The rule cut at every | that has no backslash before it."""
    found, escaped = [""], False
    for c in rule:
        if c == "|" and not escaped:
            found.append("")
        else:
            found[-1] += c
        escaped = c == "\\" and not escaped
    return found


def apply(rule, form):
    if rule.startswith("="):
        return rule[1:]
    case, front, back = parts(rule)
    letters = list(form)
    if case == "l":
        letters = list(form.lower())
    if case == "u":
        letters = list(form.upper())
    if case == "c":
        letters = list(form[0].upper() + form[1:].lower())
    taken, before = read_edit(front)
    dropped, behind = read_edit(back)
    if (taken, before, dropped, behind) != (0, "", 0, ""):
        if taken + dropped >= len(letters):
            return form
        letters = [*before, *letters[taken : len(letters) - dropped], *behind]
    return "".join(letters)
