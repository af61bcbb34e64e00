"""The report as HTML: one file that needs nothing else, and escapes everything."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from budget import BudgetItem, OverflowAction, apply_overflow
from budget._report.curve import curve_svg, survivors
from budget._report.measuring import picture_of
from budget._report.picture import Curve
from budget.report import Report
from tests.report.results import COUNTER, ITEMS, lines, one_limit

HOSTILE = "<script>alert('x')</script>&\"\u202e\x00\ud800"
VOID = {"meta", "rect", "path"}


class Elements(HTMLParser):
    """The elements of a page, and what is not closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def report() -> Report:
    return Report(lines(separator=" und "), ITEMS, COUNTER)


@pytest.mark.parametrize("page", [report().html(include_text=True), report()._repr_html_()])
def test_every_element_is_closed(page: str) -> None:
    assert Elements(page).open == []


def test_the_page_allows_its_own_style_and_nothing_else() -> None:
    page = report().html()
    style = re.search("<style>(.*?)</style>", page, re.DOTALL)
    assert style is not None
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    assert f"content=\"default-src 'none'; style-src 'sha256-{digest}'\"" in page


def test_nothing_is_loaded_or_run() -> None:
    elements = Elements(report().html(include_text=True))
    assert {tag for tag, _ in elements.found} & {"script", "img", "link", "iframe", "a"} == set()
    names = {name for _, attributes in elements.found for name in attributes}
    assert not {name for name in names if name.startswith("on")} | names & {"src", "href", "style"}
    assert "url(" not in report().html()
    assert "@import" not in report().html()


def test_the_numbers_are_in_the_page() -> None:
    page = report().html()
    total = picture_of(lines(separator=" und "), ITEMS, COUNTER).total
    numbers = (
        f"kept {total.kept}, cut {total.cut}, dropped {total.dropped}, free {total.free} of 12"
    )
    assert f"<desc>{numbers}</desc>" in page


def test_every_picture_has_a_title_and_a_description() -> None:
    pictures = re.findall(r'<svg [^>]*role="img">(.*?)</svg>', report().html())
    assert len(pictures) == 4 + 3
    assert all(re.match("<title>[^<]+</title><desc>[^<]+</desc>", each) for each in pictures)


def test_all_that_comes_from_outside_is_escaped() -> None:
    items = [BudgetItem(HOSTILE, HOSTILE, HOSTILE + " two three", n) for n in range(1)]
    items.append(BudgetItem("b" + HOSTILE, "x", "four five", 1))
    result = apply_overflow(items, 1, OverflowAction.DROP, COUNTER)
    page = Report(result, items, COUNTER).html(include_text=True)
    assert "<script" not in page
    assert not re.search("[\u202e\x00\ud800]", page)
    assert r"&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;&amp;&quot;\u202e\x00\ud800" in page
    page.encode()


def test_no_text_of_an_item_is_shown_unless_asked_for() -> None:
    for page in (report().html(), report()._repr_html_()):
        assert not any(word in page for word in ("three", "fourth", "a b", "old"))


def test_texts_that_are_asked_for_are_those_that_were_kept_and_those_that_were_lost() -> None:
    page = report().html(include_text=True)
    assert "<summary>archive (dropped)</summary><pre>old old</pre>" in page
    note = next(kept for kept in lines(separator=" und ").kept if kept.item_id == "note")
    assert f"<summary>note</summary><pre>{note.text}</pre>" in page


def test_line_ends_and_tabs_of_a_text_stay_as_they_are() -> None:
    items = [BudgetItem("a", "x", "one\ttwo\r\nthree\rfour")]
    result = apply_overflow(items, 9, OverflowAction.DROP, COUNTER)
    page = Report(result, items, COUNTER).html(include_text=True)
    assert "<pre>one\ttwo\nthree\\rfour</pre>" in page


def test_of_many_losses_five_hundred_are_listed() -> None:
    items = [BudgetItem(f"m{n:03}", "x", "word", n) for n in range(600)]
    result = apply_overflow(items, 10, OverflowAction.DROP, COUNTER)
    page = Report(result, items, COUNTER).html()
    assert "<p>and 90 more</p>" in page
    assert page.count('<th scope="row"') == 500


def test_a_notebook_gets_a_part_of_a_page_with_its_style() -> None:
    part = report()._repr_html_()
    assert part.startswith('<div class="budget-report">\n<style>')
    assert "<html" not in part


def test_a_flag_that_is_none_is_refused() -> None:
    with pytest.raises(TypeError, match="include_text must be a bool"):
        report().html(include_text=1)  # type: ignore[arg-type]


def test_what_joins_saves_is_no_part_of_the_key() -> None:
    assert "between the texts" in report().html()
    assert "between the texts" not in Report(one_limit(), ITEMS, COUNTER).html()


@pytest.mark.parametrize(
    ("limit", "anchor"), [(0, "start"), (50, "middle"), (100, "end"), (1_000, "end")]
)
def test_the_mark_of_the_limit_stays_in_the_picture(limit: int, anchor: str) -> None:
    svg = curve_svg(Curve("x", limit, ((10, 1), (100, 2))))
    mark = re.search(r'<text class="mark" x="(\d+)" y="\d+" text-anchor="(\w+)">', svg)
    assert mark is not None
    assert mark[2] == anchor
    assert 34 <= int(mark[1]) <= 304


def test_a_description_says_what_survives() -> None:
    svg = curve_svg(Curve("x", 50, ((10, 1), (100, 2))))
    assert (
        "<desc>1 of 2 items survive whole at today&#x27;s limit of 50 tokens;"
        " below 10 tokens none does, from 100 on all do.</desc>"
    ) in svg
    assert survivors(Curve("x", 9, ((10, 1),))) == 0


def test_a_curve_of_many_steps_has_no_more_than_its_picture_has_units() -> None:
    svg = curve_svg(Curve("x", 50, tuple((n, n) for n in range(1, 100_000))))
    assert len(svg) < 20_000
