"""Box-drawing characters by their four arms."""

NONE, LIGHT, HEAVY = 0, 1, 2

# Index: the weights of the arms left, right, up, down as digits of a number in base 3.
_BY_ARMS = " ╷╻╵│╽╹╿┃╶┌┎└├┟┖┞┠╺┍┏┕┝┢┗┡┣╴┐┒┘┤┧┚┦┨─┬┰┴┼╁┸╀╂╼┮┲┶┾╆┺╄╊╸┑┓┙┥┪┛┩┫╾┭┱┵┽╅┹╃╉━┯┳┷┿╈┻╇╋"


def box(left: int, right: int, up: int, down: int) -> str:
    """The character with these arms, each NONE, LIGHT or HEAVY.

    >>> box(NONE, LIGHT, LIGHT, HEAVY)
    '┟'
    """
    return _BY_ARMS[27 * left + 9 * right + 3 * up + down]
