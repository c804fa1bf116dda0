"""Makes the pictures of the page and the debugger in docs/images, in real Chromium.

Needs: pip install 'rearc[serve]' playwright pillow, and Debian's chromium. Usage: python docs/screenshots.py [FOLDER]
"""

import io
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import uvicorn
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import rearc
from rearc.serve.app import make_app
from rearc.treebank import sample

CHROMIUM = "/usr/bin/chromium"
WIDE, NARROW = (1280, 1000), (390, 840)


def go(page: Page, step: int) -> None:
    """To a step of the derivation, with the picture in sight."""
    page.evaluate(
        "k => { const it = document.getElementById('slider'); it.value = k; it.dispatchEvent(new Event('input')); }",
        step,
    )
    page.wait_for_selector(f'#stage[data-step="{step}"]')
    page.evaluate("document.getElementById('stage').scrollIntoView()")


def debug(page: Page, address: str, example: int, parser: str) -> None:
    page.goto(f"{address}/debug")
    page.wait_for_selector("#stage[data-step]")
    page.select_option("#example", str(example))
    page.wait_for_selector("#stage[data-step]")
    page.select_option("#parser", parser)
    page.wait_for_selector("#stage[data-step]")


def trees(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("svg.tree")


def two_models(page: Page, address: str) -> None:
    trees(page, address)
    page.fill("#text", "A letter arrived yesterday that nobody could read.")
    page.select_option("#other", "sample")
    page.wait_for_selector("p.whose")


def gold_costs(page: Page, address: str) -> None:
    """The bundled model at its first mistake."""
    debug(page, address, 8, "model|en")
    page.click("#mistake")
    page.wait_for_timeout(300)
    page.evaluate("document.getElementById('stage').scrollIntoView()")


def taken_back(page: Page, address: str) -> None:
    """The first step at which a non-monotonic parser changes its mind."""
    debug(page, address, 8, "model|sample")
    for step in range(1, 200):
        go(page, step)
        if page.locator("#tree .arc.removed").count():
            return


def by_hand(page: Page, address: str) -> None:
    debug(page, address, 12, "system|arc-eager")
    go(page, 5)


SHOTS: dict[str, tuple[Callable[[Page, str], None], tuple[int, int], str]] = {
    "page": (trees, WIDE, "light"),
    "page-compare-dark": (two_models, WIDE, "dark"),
    "debugger": (gold_costs, WIDE, "light"),
    "debugger-taken-back-dark": (taken_back, WIDE, "dark"),
    "debugger-narrow": (by_hand, NARROW, "light"),
    "page-narrow-dark": (trees, NARROW, "dark"),
}


def shoot(browser: Browser, address: str, folder: Path) -> None:
    for name, (arrange, (width, height), scheme) in SHOTS.items():
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if scheme == "dark" else "light"
        )
        page = context.new_page()
        arrange(page, address)
        page.wait_for_timeout(200)
        Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(folder / f"{name}.png", optimize=True)
        print(f"{folder / name}.png: {(folder / f'{name}.png').stat().st_size:,} bytes")
        context.close()


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "images"
    folder.mkdir(parents=True, exist_ok=True)
    small = rearc.train(sample(), system="covington-nonmonotonic", oracle="upper", epochs=8, seed=1, quick=True)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        server = uvicorn.Server(
            uvicorn.Config(make_app({"en": rearc.load("en"), "sample": small}), log_level="warning")
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                shoot(browser, f"http://127.0.0.1:{listening.getsockname()[1]}", folder)
                browser.close()
        finally:
            server.should_exit = True
            thread.join()


if __name__ == "__main__":
    main()
