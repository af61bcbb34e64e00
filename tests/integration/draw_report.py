"""Draws the picture of a report for the docs, in a real browser.

`python -m tests.integration.draw_report` rewrites `docs/images/report.png`.
"""

from __future__ import annotations

import base64
import json
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from budget import BudgetItem, BudgetPolicy, EstimatingCounter, apply_policy
from budget.report import Report

DOCS: Final = Path(__file__).parents[2] / "docs"
PICTURE: Final = DOCS / "images" / "report.png"
WINDOW: Final = tomllib.loads((DOCS / "examples" / "window.toml").read_text("utf-8"))
COUNTER: Final = EstimatingCounter()
_TURN: Final = DOCS / "examples" / "agent-turn.jsonl"
_FLAGS: Final = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


def turn() -> list[BudgetItem]:
    """Return the items of the example."""
    return [BudgetItem(**json.loads(line)) for line in _TURN.read_text("utf-8").splitlines()]


@contextmanager
def started(profile: Path) -> Iterator[webdriver.Chrome]:
    """Yield Debian's browser with a profile of its own; what it logs is kept."""
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    try:
        yield driver
    finally:
        driver.quit()


def resize(browser: webdriver.Chrome, width: int, height: int, scheme: str) -> None:
    """Give the window a size and the reader a colour scheme."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def main() -> None:
    """Draw the upper part of the page: the bars and the curves."""
    items = turn()
    result = apply_policy(items, BudgetPolicy.from_mapping(WINDOW), COUNTER, separator="\n\n")
    with TemporaryDirectory() as folder, started(Path(folder) / "profile") as browser:
        page = Path(folder) / "report.html"
        page.write_text(Report(result, items, COUNTER).html(), "utf-8")
        resize(browser, 920, 1_160, "light")
        browser.get(page.as_uri())
        taken = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    PICTURE.write_bytes(base64.b64decode(taken["data"]))


if __name__ == "__main__":
    main()
