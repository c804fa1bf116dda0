"""The page and the debugger in real Chromium, for every system."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="no uvicorn; pip install 'rearc[serve]'")
api = pytest.importorskip("playwright.sync_api", reason="no Playwright; pip install playwright")

import rearc
from rearc.oracles import oracle, oracles
from rearc.parser import Parser
from rearc.systems import State, systems, traits
from rearc.treebank import Sentence, read, sample
from rearc.treebank.pseudoprojective import projective_heads
from tests.serve.browsing import CHROMIUM, WATCH, Debugger, until
from tests.serve.serving import served
from tests.serve.ways import network_parser

pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}; apt install chromium")

EXAMPLE = 1  # a sentence with crossing arcs
HOSTILE = [
    "<script>window.hacked=1</script>",
    '"><img src=x onerror=window.hacked=1>',
    "</textarea><svg onload=window.hacked=1>",
    "&lt;b&gt;",
]
SLIDE = (
    "step => { const it = document.getElementById('slider'); it.value = step; it.dispatchEvent(new Event('input')); }"
)
NAMELESS = """() => {
  const all = [...document.querySelectorAll("button, select, textarea, input, a, [role=region], [role=img]")];
  const says = (each) => (["BUTTON", "A"].includes(each.tagName) && each.textContent.trim()) || each.labels?.length;
  return all.filter((each) => !says(each) && !each.getAttribute("aria-label")).map((each) => each.outerHTML);
}"""


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    return list(read(sample()))


def hostile_sentence() -> Sentence:
    """Wherever a file can say something, it says something that wants to be markup."""
    script, image, vector, entity = HOSTILE
    return Sentence(
        HOSTILE, upos=[image] * 4, xpos=[script] * 4, lemmas=[vector] * 4, feats=[f"A={script}"] * 4,
        heads=[0, 1, 1, 1], deprels=["root", script, image, entity],
        comments=[f"# sent_id = {image}", f"# text = {' '.join(HOSTILE)}", f"# {script}"],
    )  # fmt: skip


@pytest.fixture(scope="module")
def models(sentences: list[Sentence]) -> dict[str, Parser]:
    """A network of noise for each system, a real model, and one with labels that want to be markup."""
    noise = {name: network_parser(name, sentences) for name in systems()}
    return {"en": rearc.load("en"), **noise, "<b>bold</b>": network_parser("arc-eager", [hostile_sentence()] * 2)}


@pytest.fixture(scope="module")
def address(models: dict[str, Parser]) -> Iterator[str]:
    with served(models) as address:
        yield address


@pytest.fixture(scope="module")
def chromium() -> Iterator["api.Browser"]:
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium: "api.Browser") -> Iterator["api.Page"]:
    """A tab in which nothing may go wrong: no error, nothing that the policy had to stop."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    context.add_init_script(WATCH)
    tab = context.new_page()
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    yield tab
    assert tab.evaluate("window.stopped") == []
    assert tab.evaluate("window.hacked") is None
    assert [text for text in wrong if "status of 4" not in text] == []
    context.close()


def replayed(parser: Parser, sentence: Sentence, transitions: list[str]) -> State:
    stepper = parser.stepper(sentence)
    state = stepper.start()
    for transition in transitions:
        stepper.apply(state, transition)
    return state


def gold_of(sentence: Sentence, name: str) -> list[int]:
    return (projective_heads(sentence.tree) if traits(name).projective else sentence.tree).tolist()


@pytest.mark.parametrize("name", systems())
def test_a_system(name: str, tab: "api.Page", address: str, models: dict[str, Parser], sentences: list[Sentence]):
    """Step, back, play, gold costs, another way, and a link to it."""
    parser, sentence = models[name], sentences[EXAMPLE]
    own = parser.derivation(sentence)
    debugger = Debugger(tab, address).open()
    debugger.example(EXAMPLE)
    debugger.parser(f"model|{name}")
    assert debugger.steps == len(own)
    # forwards and backwards
    for key, step in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("ArrowLeft", 1)]:
        debugger.press(key)
        debugger.at(step)
        assert debugger.configuration == str(replayed(parser, sentence, own[:step]))
    debugger.press("End")
    debugger.at(len(own))
    assert debugger.configuration == str(replayed(parser, sentence, own))
    assert debugger.table() == []
    debugger.press("Home")
    debugger.at(0)
    # play and pause
    tab.select_option("#speed", "120")
    debugger.press(" ")
    until(tab, "Number(document.getElementById('stage').dataset.step) >= 2")
    tab.click("#play")
    assert tab.get_attribute("#play", "aria-label") == "Play"
    # costs under every oracle
    step = len(own) // 2
    tab.evaluate(SLIDE, step)
    debugger.at(step)
    for judge in oracles(name):
        tab.select_option("#oracle", judge)
        debugger.settled()
        expected = oracle(name, judge, gold_of(sentence, name), single_root=parser.header.single_root)
        state = replayed(parser, sentence, own[:step])
        assert debugger.costs() == expected.costs(state), judge
        assert set(debugger.optimal()) == set(expected.optimal(state)), judge
    assert [row["name"] for row in debugger.table() if row["taken"]] == [own[step]]
    assert [row["name"] for row in debugger.table() if "parser’s choice" in row["badges"]] == [own[step]]
    # another way
    place, other = next((k, t) for k in range(2, len(own)) for t in others(parser, sentence, own, k))
    tab.evaluate(SLIDE, place)
    debugger.at(place)
    debugger.take(other)
    debugger.at(place + 1)
    assert debugger.configuration == str(replayed(parser, sentence, [*own[:place], other]))
    live = tab.text_content("#live") or ""
    assert f"{other}, chosen by you" in live
    # and the link to it, in another tab
    hash = debugger.link()
    second = Debugger(tab.context.new_page(), address).open(hash)
    second.at(place + 1)
    assert second.configuration == debugger.configuration
    assert second.table() == debugger.table()
    assert second.page.input_value("#parser") == f"model|{name}"
    second.page.close()


def others(parser: Parser, sentence: Sentence, own: list[str], step: int) -> list[str]:
    state = replayed(parser, sentence, own[:step])
    return [each for each in state.system.legal(state) if each != own[step]]


def test_arcs_added_and_taken_back(tab: "api.Page", address: str, models: dict[str, Parser], sentences: list[Sentence]):
    name = "covington-nonmonotonic"
    own = models[name].derivation(sentences[EXAMPLE])
    steps = [replayed(models[name], sentences[EXAMPLE], own[:k]) for k in range(len(own) + 1)]
    arcs = [{(state.heads[d], d) for d in state.headed} for state in steps]
    back = next(k for k in range(1, len(arcs)) if arcs[k - 1] - arcs[k])
    debugger = Debugger(tab, address).open()
    debugger.example(EXAMPLE)
    debugger.parser(f"model|{name}")
    for _ in range(back):
        debugger.press("ArrowRight")
    debugger.at(back)
    assert tab.locator("#tree .arc.removed").count() == len(arcs[back - 1] - arcs[back])
    assert tab.locator("#tree .arc.added").count() == len(arcs[back] - arcs[back - 1])
    assert tab.locator("#tree .arc.on").count() == len(arcs[back])
    assert "Taken back:" in (tab.text_content("#live") or "")
    assert tab.locator("#marks .back, #marks .wrong").count() > 0


def test_the_first_mistake(tab: "api.Page", address: str, models: dict[str, Parser], sentences: list[Sentence]):
    debugger = Debugger(tab, address).open()
    debugger.example(EXAMPLE)
    debugger.parser("model|arc-hybrid")
    tab.click("#mistake")
    told = re.search(r"first goes wrong at step (\d+): (\S+)", tab.text_content("#verdict") or "")
    assert told
    debugger.at(int(told[1]) - 1)
    (row,) = [row for row in debugger.table() if row["taken"]]
    assert row["name"] == told[2]
    assert int(row["cost"]) > min(debugger.costs().values())
    # from there by hand, and back
    debugger.take(debugger.optimal()[0])
    assert (tab.text_content("#verdict") or "") != told.string
    tab.click("#reset")
    debugger.settled()
    assert tab.text_content("#verdict") == told.string


@pytest.mark.parametrize("name", ["arc-eager-unshift", "nl-covington"])
def test_without_a_model(name: str, tab: "api.Page", address: str, sentences: list[Sentence]):
    """An oracle shows the way through a gold tree; without one all steps are taken by hand."""
    debugger = Debugger(tab, address).open()
    debugger.example(0)
    debugger.parser(f"system|{name}")
    debugger.press("End")
    debugger.at(debugger.steps)
    assert "no mistake" in (tab.text_content("#verdict") or "")
    tab.fill("#text", "I saw Jack")
    until(tab, "document.getElementById('slider').max === '0'")
    debugger.settled()
    for step in range(1, 12):
        rows = debugger.table()
        if not rows:
            break
        debugger.take(rows[0]["name"])
        debugger.at(step)
    assert "This is the end" in (tab.text_content("#live") or "")
    assert tab.is_hidden("#oracle-field")


def test_an_arc_is_dragged(tab: "api.Page", address: str, sentences: list[Sentence]):
    debugger = Debugger(tab, address).open()
    debugger.example(EXAMPLE)
    words = tab.locator("#tree .word")
    words.nth(3).scroll_into_view_if_needed()
    start, end = words.nth(3).bounding_box(), words.nth(0).bounding_box()
    assert start
    assert end
    tab.mouse.move(start["x"] + 9, start["y"] + 9)
    tab.mouse.down()
    tab.mouse.move(end["x"] + 20, end["y"] - 40, steps=3)
    tab.mouse.move(end["x"] + 9, end["y"] + 9, steps=3)
    tab.mouse.up()
    tab.wait_for_selector("#fixed li")
    debugger.settled()
    expected = rearc.load("en").parse(sentences[EXAMPLE], constraints=rearc.Constraints(heads={1: 4}))
    assert (
        debugger.configuration.split("{")[1] == f"{', '.join(f'{h}→{d}' for d, h in enumerate(expected.heads, 1))}}})"
    )
    assert tab.locator("#tree .arc.fixed").count() == 1
    # what cannot hold is refused, and nothing changes
    tab.select_option("#fix-head", "1")
    tab.select_option("#fix-dependent", "4")
    tab.click("#fix")
    tab.wait_for_selector("#message.error:not([hidden])")
    assert "cannot hold" in (tab.text_content("#message") or "")
    second = Debugger(tab.context.new_page(), address).open(debugger.link())
    assert second.page.locator("#fixed li").count() == 1
    second.page.click("#fixed button")
    second.page.wait_for_selector("#fixed li", state="detached")


@pytest.mark.parametrize("path", ["/", "/debug"])
def test_hostile_text_stays_text(path: str, tab: "api.Page", address: str):
    """The fixture sees that no script ran and that the policy had nothing to stop."""
    hostile = hostile_sentence()
    tab.goto(address + path)
    count = tab.locator("script").count()
    tab.wait_for_selector("svg.tree")
    tab.select_option("#model" if path == "/" else "#parser", label="<b>bold</b> (arc-eager, bilstm)")
    tab.fill("#text", hostile.to_conllu())
    until(tab, "text => document.querySelector('svg.tree .word').textContent.includes(text)", HOSTILE[0])
    if path == "/":
        tab.select_option("#other", "given")
        tab.wait_for_selector("p.whose")
        assert HOSTILE[1] in (tab.text_content(".sentence small") or "")
    else:
        tab.select_option("#parser", "system|covington")
        tab.click("#last")
        tab.click("#all-steps summary")
    tab.locator("svg.tree .word").first.hover()
    tab.wait_for_selector("#tip:not([hidden])")
    tab.locator("h1").hover()
    tab.wait_for_selector("#tip", state="hidden")
    tab.locator("svg.tree .word").first.dispatch_event("click")  # as a tap does
    tab.wait_for_selector("#tip:not([hidden])")
    for text in (HOSTILE[0], HOSTILE[1], HOSTILE[2]):
        assert text in (tab.text_content("#tip") or "")
    shown = tab.evaluate("[...document.querySelectorAll('svg.tree .label')].map((label) => label.textContent)")
    assert HOSTILE[0] in shown
    assert tab.locator("img").count() == 0
    assert tab.locator("script").count() == count
    assert tab.locator("b", has_text="bold").count() == 0


def test_a_damaged_link(tab: "api.Page", address: str):
    for hash in ("#nonsense", "#" + "A" * 500, "#%3Cscript%3E"):
        tab.goto("about:blank")
        tab.goto(f"{address}/debug{hash}")
        tab.wait_for_selector("#message.error:not([hidden])")
        assert "the whole link" in (tab.text_content("#message") or "")


def test_files_to_keep(tab: "api.Page", address: str):
    tab.goto(address)
    tab.wait_for_selector("svg.tree")
    label = tab.get_attribute("svg.tree", "aria-label") or ""
    assert "arrived → letter nsubj" in label  # for those who do not see it
    saved = {}
    for kind in ("svg", "png", "conllu", "json"):
        with tab.expect_download() as waiting:
            tab.click(f"#as-{kind}")
        assert waiting.value.suggested_filename == f"trees.{kind}"
        saved[kind] = Path(waiting.value.path()).read_bytes()
    expected = list(rearc.load("en")(tab.input_value("#text")))
    assert saved["conllu"].decode() == "".join(each.to_conllu() for each in expected)
    assert saved["svg"].startswith(b"<svg ")
    assert saved["png"].startswith(b"\x89PNG")
    assert [len(json.loads(line)["words"]) for line in saved["json"].splitlines()] == [len(each) for each in expected]


def test_two_models_side_by_side(tab: "api.Page", address: str, models: dict[str, Parser]):
    tab.goto(address)
    tab.wait_for_selector("svg.tree")
    tab.fill("#text", "Nobody knew where the ferry had gone.")
    tab.select_option("#other", "arc-eager")
    tab.wait_for_selector("p.whose")
    one = next(iter(rearc.load("en")("Nobody knew where the ferry had gone.")))
    two = models["arc-eager"].parse(
        one.replace(heads=None, deprels=None, upos=None, xpos=None, feats=None, lemmas=None)
    )
    heads = sum(a != b for a, b in zip(one.heads, two.heads, strict=True))
    both = sum(a.head != b.head or a.deprel != b.deprel for a, b in zip(one, two, strict=True))
    assert f"{both} words differ" in (tab.text_content("#summary") or "")
    assert tab.locator("svg.tree .arc.differs").count() == 2 * heads
    assert tab.locator("svg.tree .word.differs").count() == 2 * both
    # from a tree to its derivation
    tab.click("a.step")
    tab.wait_for_selector("#stage[data-step]")
    assert tab.input_value("#parser") == "model|en"


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_sentence_scrolls_by_itself(width: int, tab: "api.Page", address: str, models: dict[str, Parser]):
    """Sixty words: the pictures scroll, the page does not."""
    tab.set_viewport_size({"width": width, "height": 800})
    debugger = Debugger(tab, address).open()
    debugger.parser("model|covington-nonmonotonic")
    words = [f"word{k}" for k in range(60)]
    tab.fill("#text", " ".join(words))
    until(tab, "document.querySelectorAll('#tree .word').length === 60")
    debugger.settled()
    assert debugger.steps == len(models["covington-nonmonotonic"].derivation(words))
    debugger.press("End")
    debugger.at(debugger.steps)
    assert tab.evaluate("document.getElementById('tree').scrollWidth > document.getElementById('tree').clientWidth")
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    last = tab.locator("#tree .word").last.bounding_box()
    assert last
    assert last["x"] < width
    tab.goto(address)
    tab.wait_for_selector("svg.tree")
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("path", ["/", "/debug"])
def test_everything_has_a_name(path: str, tab: "api.Page", address: str):
    """For those who do not see it: each control says what it is, each picture what it shows."""
    tab.goto(address + path)
    tab.wait_for_selector("svg.tree")
    assert tab.evaluate(NAMELESS) == []
    assert tab.evaluate("document.documentElement.lang") == "en"
    assert tab.locator("[aria-live=polite]").count() == 1


def test_colours_can_be_told_apart():
    """Text stands out from what is behind it at least 4.5 to 1, lines 3 to 1, in light and in dark."""
    css = (Path(rearc.__file__).parent / "serve" / "static" / "app.css").read_text("utf-8")
    schemes = [
        dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    ]
    assert len(schemes) == 2
    texts = [
        (ink, behind) for ink in ("ink", "quiet", "accent", "bad", "violet") for behind in ("card", "page", "wash")
    ]
    texts += [(ink, "card") for ink in ("good", "warm", "gold", "label")]
    texts += [
        ("good", "good-wash"),
        ("bad", "bad-wash"),
        ("accent-ink", "accent"),
        ("ink", "bad-wash"),
        ("card", "ink"),
    ]
    for scheme in schemes:
        for ink, behind in texts:
            assert contrast(scheme[ink], scheme[behind]) >= 4.5, (ink, behind)
        assert contrast(scheme["arc"], scheme["card"]) >= 3


def contrast(one: str, two: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, bright = sorted([light(one), light(two)])
    return (bright + 0.05) / (dark + 0.05)
