"""The debugger in a browser, as somebody at the keyboard would use it."""

import re
from time import monotonic
from typing import Any

from playwright.sync_api import Page

CHROMIUM = "/usr/bin/chromium"  # Debian's
# what the Content-Security-Policy had to stop, which should be nothing
WATCH = """
window.stopped = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.stopped.push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""
ROWS = """() => [...document.querySelectorAll("#transitions tbody tr:has(button)")].map((row) => {
  const [name, builds, score, cost] = [...row.cells].map((cell) => cell.textContent);
  const badges = [...row.cells[4].querySelectorAll(".badge")].map((badge) => badge.textContent);
  return { name, builds, score, cost, badges, taken: row.classList.contains("taken") };
})"""
PATIENCE = 10.0  # seconds


def until(page: Page, expression: str, argument: Any = None) -> None:
    """Waits for an expression to be true. Playwright's own way needs eval in the page, which its policy forbids."""
    end = monotonic() + PATIENCE
    while not page.evaluate(expression, argument):
        assert monotonic() < end, f"waited in vain for {expression}"
        page.wait_for_timeout(20)


class Debugger:
    """One tab with the debugger in it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address

    def open(self, hash: str = "") -> "Debugger":
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}/debug{hash}")
        self.settled()
        return self

    def settled(self) -> None:
        """Waits until a step is on the screen."""
        self.page.wait_for_selector("#stage[data-step]")

    def at(self, step: int) -> None:
        self.page.wait_for_selector(f'#stage[data-step="{step}"]')

    def example(self, number: int) -> None:
        self.page.select_option("#example", str(number))
        self.settled()

    def parser(self, value: str) -> None:
        self.page.select_option("#parser", value)
        self.settled()

    def press(self, key: str) -> None:
        self.page.evaluate("document.activeElement.blur()")
        self.page.keyboard.press(key)

    @property
    def configuration(self) -> str:
        return self.page.text_content("#configuration") or ""

    @property
    def steps(self) -> int:
        return int(self.page.get_attribute("#slider", "max") or 0)

    def table(self) -> list[dict[str, Any]]:
        """The legal transitions as the page tells them."""
        rows: list[dict[str, Any]] = self.page.evaluate(ROWS)
        return rows

    def costs(self) -> dict[str, int]:
        return {row["name"]: int(row["cost"]) for row in self.table() if re.fullmatch(r"-?\d+", row["cost"])}

    def optimal(self) -> list[str]:
        return [row["name"] for row in self.table() if "optimal" in row["badges"]]

    def take(self, transition: str) -> None:
        self.page.click(f'button[data-transition="{transition}"]')
        self.settled()

    def link(self) -> str:
        """The address once it says where we are: it does so a moment after the step."""
        self.page.click("#copy")
        until(self.page, "document.getElementById('live').textContent.includes('link')")
        return self.page.evaluate("location.hash")
