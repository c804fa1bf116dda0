"""Calls as source text, put together by hypothesis: a first expression, and what is done with its value `x`."""

from hypothesis import strategies as st

from tests.api.material import GOOD, PATIENCE, REAL, made, reals
from tests.api.surface import Target

Call = tuple[str, ...]

PLAIN = [
    "None", "True", "0", "1", "-1", "2", "7", "10**8", "2**31 - 1", "2**31", "-(2**31)", "2**63", "-(2**63)",
    "10**30", "0.5", "-0.0",
    "float('nan')", "float('inf')", "1e308", "''", "'a'", "'\\0'", "'\\ud800'", "OtherString('a')", "b''", "b'abc'",
    "[]", "()", "{}", "set()",
    "object()", "[None]", "[[0]]", "['a']", "[0]", "[0, 2, 0]", "[0, 2, 1]", "[0, 0.5]", "['a', None]", "range(3)",
    "iter([0, 1])",
    "lambda *a, **k: None", "int", "...", "np.array(5)", "np.zeros(0)", "np.int64(3)", "np.float32(2)",
    "np.str_('a')", "Liar([0, 2])",
    "Index()", "[Index()] * 3", "Angry()", "[Angry()]", "memoryview(b'abcd')", "bytearray(9)", "{'a': 1}",
    "[[0, 1], [2]]", "x",
]  # fmt: skip
TYPES = [
    "int8",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "bool",
    "object",
    "U3",
    ">i4",
    "M8[s]",
]
FORMS = [
    "{}",
    "{}[::2]",
    "{}[::-1]",
    "{}.reshape(1, -1)",
    "np.repeat({}, 40)",
    "np.asfortranarray(np.stack([{0}, {0}]))",
    "frozen({})",
]

numbers = (
    st.integers() | st.integers(-3, 12) | st.integers(2**31 - 3, 2**31 + 3) | st.integers(-(2**63) - 2, -(2**63) + 2)
)
lists = (
    st.lists(st.integers(-2, 9), max_size=8)
    | st.lists(st.lists(st.integers(0, 4), max_size=4), max_size=4)
    | st.lists(numbers, max_size=4)
)
arrays = st.builds(
    lambda values, kind, form: form.format(f"np.array({values}, dtype={kind!r})"),
    st.lists(st.integers(0, 6) | st.sampled_from([100, 0, 0]), max_size=30),
    st.sampled_from(TYPES),
    st.sampled_from(FORMS),
)
small = st.one_of(
    st.sampled_from(PLAIN),
    numbers.map(repr),
    st.floats().map(lambda value: f"float('{value}')"),
    st.text(max_size=5).map(repr),
    st.binary(max_size=6).map(repr),
    lists.map(repr),
    arrays,
)
real = st.sampled_from(sorted({source for sources in [*GOOD.values(), *REAL.values()] for source in sources}))
anything = st.one_of(small, small, real, st.lists(small | real, max_size=3).map(lambda items: f"[{', '.join(items)}]"))
no_number = st.sampled_from(["None", "'a'", "[]", "0", "-1", "1", "0.5"])


def argument(draw: st.DrawFn, parameter: str, right: str | None) -> str:
    """What is passed: often what is right, or looks like it."""
    name = parameter.rstrip("=")
    luck = draw(st.integers(0, 9))
    if right is not None and luck < 7:
        value = right
    elif name in GOOD and luck < 7:
        value = draw(st.sampled_from(GOOD[name]))
    elif name in PATIENCE:
        value = draw(no_number)
    else:
        value = draw(anything)
    return f"{parameter}{value}" if parameter.endswith("=") else value


def arguments(draw: st.DrawFn, parameters: tuple[str, ...], right: list[str] | None) -> str:
    if right is not None:
        parts = [argument(draw, "", value) for value in right]
    else:
        count = len(parameters)
        if count and draw(st.integers(0, 9)) == 0:
            count = draw(st.integers(0, count))
        parts = [argument(draw, name, None) for name in parameters[:count]]
        if not any(parameters):
            parts = parts[: draw(st.integers(0, len(parts)))]
    if draw(st.integers(0, 29)) == 0:
        parts.insert(0, draw(anything))
    return ", ".join(sorted(parts, key=lambda part: part.split("=")[0].isidentifier() and "=" in part))


@st.composite
def calls_of(draw: st.DrawFn, target: Target) -> Call:
    """A call of a function, or an object and what is done with it."""
    source = target.source
    if not target.is_class:
        return (f"{source}({arguments(draw, target.parameters, None)})",)
    right = made(target.name)
    way = draw(st.integers(0, 9))
    if reals(target.name) and way < 5:
        first = draw(st.sampled_from(reals(target.name)))
    elif way == 5:
        first = f"half({source})"
    elif way == 6:
        inside = arguments(draw, target.parameters, right)
        first = f"subclass({', '.join(filter(None, [source, inside]))})"
    else:
        first = f"{source}({arguments(draw, target.parameters, right)})"
    steps = []
    for name, parameters in draw(st.lists(st.sampled_from(target.methods), max_size=3)) if target.methods else ():
        steps.append(f"x.{name}" if parameters is None else f"x.{name}({arguments(draw, parameters, None)})")
    return (first, *steps)


def calls(targets: list[Target]) -> st.SearchStrategy[Call]:
    """Compiled code is tried more often: what is written in Python does not end the process."""
    weighted = [target for target in targets for _ in range(6 if target.compiled else 1)]
    return st.sampled_from(weighted).flatmap(calls_of)
