"""The HTML report in a real browser: Debian's chromium, driven through its chromium-driver."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By

from budget import BudgetItem, BudgetPolicy, PolicyResult, apply_policy
from budget.report import Report
from tests.integration.draw_report import COUNTER, PICTURE, WINDOW, resize, started, turn

if TYPE_CHECKING:
    from selenium import webdriver

HOSTILE = "<script>alert(1)</script>"
LINE = {"kind": HOSTILE, "action": "drop", "limit": 100}
POLICY = BudgetPolicy.from_mapping(WINDOW | {"lines": [*WINDOW["lines"], LINE]})


def items() -> list[BudgetItem]:
    return [*turn(), BudgetItem(HOSTILE, HOSTILE, f"{HOSTILE} words " * 2_000, 500)]


@pytest.fixture(scope="module")
def result() -> PolicyResult:
    return apply_policy(items(), POLICY, COUNTER, separator="\n\n")


@pytest.fixture(scope="module")
def page(result: PolicyResult, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(Report(result, items(), COUNTER).html(include_text=True), "utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with started(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def opened(browser: webdriver.Chrome, page: str, width: int, scheme: str = "light") -> None:
    """Open a page in a window of a width and a colour scheme; forget what was logged before."""
    resize(browser, width, 900, scheme)
    logged(browser, "browser")
    logged(browser, "performance")
    browser.get(page)


def logged(browser: webdriver.Chrome, kind: str) -> list[str]:
    """Return the messages since the last call."""
    entries = browser.get_log(kind)  # type: ignore[no-untyped-call]  # selenium has no type for it
    return [entry["message"] for entry in entries]


def requests(browser: webdriver.Chrome) -> list[str]:
    messages = [json.loads(entry)["message"] for entry in logged(browser, "performance")]
    sent = [each for each in messages if each["method"] == "Network.requestWillBeSent"]
    return [each["params"]["request"]["url"] for each in sent]


def number(browser: webdriver.Chrome, script: str) -> float:
    return float(browser.execute_script(f"return {script}"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_renders_without_errors_and_asks_the_network_for_nothing(
    browser: webdriver.Chrome, page: str, scheme: str
) -> None:
    opened(browser, page, 1_000, scheme)
    assert browser.title == "Where the tokens went"
    assert logged(browser, "browser") == []
    assert requests(browser) == [page]


def test_its_style_is_in_force(browser: webdriver.Chrome, page: str) -> None:
    colours = []
    for scheme in ("light", "dark"):
        opened(browser, page, 1_000, scheme)
        body = browser.find_element(By.TAG_NAME, "body")
        colours.append(body.value_of_css_property("background-color"))
    assert colours == ["rgba(255, 255, 255, 1)", "rgba(13, 17, 23, 1)"]


def test_no_other_style_and_no_script_would_be(browser: webdriver.Chrome, page: str) -> None:
    opened(browser, page, 1_000)
    browser.execute_script(
        "document.body.insertAdjacentHTML('beforeend',"
        " '<style>body { display: none }</style><img src=\"http://127.0.0.1:9/x\">');"
    )
    refused = logged(browser, "browser")
    assert any("style-src" in message for message in refused)
    assert any("default-src 'none'" in message for message in refused)
    assert number(browser, "document.body.offsetHeight") > 0


def test_the_numbers_in_it_are_those_of_the_result(
    browser: webdriver.Chrome, page: str, result: PolicyResult
) -> None:
    opened(browser, page, 1_000)
    text = browser.find_element(By.TAG_NAME, "main").text
    whole = sum(not kept.truncated for kept in result.kept)
    assert (
        f"{result.total_tokens:,} of {result.limit:,} tokens; kept {whole:,},"
        f" cut {len(result.kept) - whole:,}, dropped {len(result.dropped):,};"
    ) in text
    shown = [each.text for each in browser.find_elements(By.CSS_SELECTOR, ".lines li")][1:]
    for line, (kind, held) in zip(shown, result.lines, strict=True):
        cut = sum(kept.tokens for kept in held.kept if kept.truncated)
        assert line.startswith(str(kind))
        assert f"kept {held.total_tokens - cut:,} · cut {cut:,} · " in line
        assert f"free {held.limit - held.total_tokens:,} of {held.limit:,}" in line


def test_bars_are_as_long_as_their_numbers(
    browser: webdriver.Chrome, page: str, result: PolicyResult
) -> None:
    opened(browser, page, 1_000)
    rows = browser.find_elements(By.CSS_SELECTOR, ".lines li")[1:]
    tokens, widths = [], []
    for row, (_, held) in zip(rows, result.lines, strict=True):
        for bar in row.find_elements(By.CSS_SELECTOR, "rect.kept"):
            tokens.append(sum(kept.tokens for kept in held.kept if not kept.truncated))
            widths.append(bar.rect["width"])
    for size, width in zip(tokens, widths, strict=True):
        assert width == pytest.approx(size * widths[0] / tokens[0], abs=4)


def test_what_was_lost_is_a_table_for_those_who_hear_it(
    browser: webdriver.Chrome, page: str, result: PolicyResult
) -> None:
    opened(browser, page, 1_000)
    heads = browser.find_elements(By.CSS_SELECTOR, "tbody th[scope=row]")
    cut = {kept.item_id for kept in result.kept if kept.truncated}
    assert {head.text for head in heads} == cut | set(result.dropped)
    pictures = browser.find_elements(By.CSS_SELECTOR, "svg[role=img]")
    assert pictures
    assert all(picture.accessible_name for picture in pictures)


def test_a_script_in_an_id_stays_text(browser: webdriver.Chrome, page: str) -> None:
    opened(browser, page, 1_000)
    assert browser.find_elements(By.TAG_NAME, "script") == []
    assert HOSTILE in browser.find_element(By.TAG_NAME, "table").text
    assert HOSTILE in browser.find_element(By.CLASS_NAME, "lines").text


@pytest.mark.parametrize("width", [320, 360, 640, 1_000, 1_600])
def test_nothing_is_wider_than_the_window(browser: webdriver.Chrome, page: str, width: int) -> None:
    opened(browser, page, width)
    assert number(browser, "document.documentElement.scrollWidth") == width
    overflow = (
        "[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right"
    )
    assert number(browser, f"{overflow} > {width} + 1).length") == 0


def test_text_is_large_enough_on_a_telephone(browser: webdriver.Chrome, page: str) -> None:
    opened(browser, page, 360)
    for words in browser.find_elements(
        By.CSS_SELECTOR, "p, h1, h2, h3, th[scope=row], td, svg text"
    ):
        assert words.rect["height"] >= 11


def test_it_prints(browser: webdriver.Chrome, page: str) -> None:
    opened(browser, page, 1_000, "dark")
    printed = base64.b64decode(browser.print_page())
    assert printed.startswith(b"%PDF")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    body = browser.find_element(By.TAG_NAME, "body")
    assert body.value_of_css_property("background-color") == "rgba(255, 255, 255, 1)"
    assert body.value_of_css_property("color") == "rgba(0, 0, 0, 1)"


def test_a_notebook_shows_the_same_inside_its_own_page(
    browser: webdriver.Chrome, result: PolicyResult, tmp_path: Path
) -> None:
    part = Report(result, items(), COUNTER)._repr_html_()
    path = tmp_path / "notebook.html"
    outside = "<!DOCTYPE html><meta charset=utf-8><h1 id=other>Other</h1>"
    path.write_text(f"{outside}<div>{part}</div><div>{part}</div>", "utf-8")
    opened(browser, path.as_uri(), 1_000)
    assert logged(browser, "browser") == []
    assert browser.find_element(By.ID, "other").value_of_css_property("font-size") == "32px"
    assert len(browser.find_elements(By.CSS_SELECTOR, ".budget-report h1")) == 2


def test_the_picture_in_the_docs_is_small_and_one_of_a_page() -> None:
    data = PICTURE.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert len(data) < 150_000
