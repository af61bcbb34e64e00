"""Layers, and the section that was checked: what it holds, covers and becomes."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Final, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budget.cache import CheckedSection, LadderViolation, Layer, Ttl, validate_ladder
from budget.errors import CacheLadderError, ConfigurationError
from budget.hms import HmsConfig, HmsGuard
from tests.counters import Characters, Recording
from tests.making import Untyped, revived
from tests.strategies import texts

untyped_layer: Final[Untyped] = Layer
untyped_section: Final[Untyped] = CheckedSection
GUARD: Final = HmsGuard(HmsConfig(hms_system_prompt_token_budget=10_000), Characters())
A: Final = Layer("a", "alpha", "1h")
B: Final = Layer("b", "beta")
C: Final = Layer("c", "gamma", "5m")
D: Final = Layer("d", "delta")


def sealed(*layers: Layer, separator: str = "\n\n") -> CheckedSection:
    return GUARD.check_layers("section", layers, separator=separator)


def block_texts(section: CheckedSection) -> list[str]:
    return [str(block["text"]) for block in section.anthropic_blocks()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, "text"), "name must be a str, got int"),
        (("a", b"text"), "text must be a str, got bytes"),
        (("a", "text", 5), "ttl must be None or a str, got int"),
        (("a", "text", ["5m"]), "ttl must be None or a str, got list"),
    ],
)
def test_a_layer_of_wrong_types_is_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        untyped_layer(*arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize("ttl", ["", "10m", "1H", "5m ", "1d", "x" * 12])
def test_a_layer_of_an_unknown_ttl_is_refused(ttl: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        untyped_layer("a", "text", ttl)
    assert str(caught.value) == f"ttl must be None, 5m or 1h, got '{ttl}'"


def test_an_unknown_ttl_is_shown_short_and_escaped() -> None:
    with pytest.raises(ConfigurationError) as caught:
        untyped_layer("a", "text", "\n" + "x" * 1_000)
    assert str(caught.value).endswith(r"got '\n" + "x" * 11 + "'")


def test_a_layer_is_a_frozen_value_that_pickles() -> None:
    assert revived(A) == A == Layer("a", "alpha", "1h")
    with pytest.raises(FrozenInstanceError):
        A.text = "other"  # type: ignore[misc]


def test_a_layer_shows_no_text() -> None:
    assert repr(A) == "Layer('a', <5 characters>, ttl='1h')"


def test_a_section_shows_no_text() -> None:
    assert repr(sealed(A)) == (
        "CheckedSection(<5 characters>, (Layer('a', <5 characters>, ttl='1h'),),"
        " tokens=5, budget=10000)"
    )


@pytest.mark.parametrize("arguments", [(), ("text",), ("text", (A,), 5, 10)])
def test_a_section_is_only_made_by_a_guard(arguments: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match="a CheckedSection is only made by a guard"):
        untyped_section(*arguments)


def test_a_section_made_past_its_constructor_has_nothing_to_stamp() -> None:
    empty = object.__new__(CheckedSection)
    with pytest.raises(AttributeError):
        empty.anthropic_blocks()


def test_a_section_has_no_replace() -> None:
    replace: Untyped = __import__("dataclasses").replace
    with pytest.raises(TypeError):
        replace(sealed(A), text="other")
    assert not hasattr(CheckedSection, "__replace__")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_section_cannot_be_copied_or_pickled(copied: Callable[[CheckedSection], object]) -> None:
    with pytest.raises(TypeError, match="a CheckedSection can't be copied or pickled"):
        copied(sealed(A))


@pytest.mark.parametrize("name", ["text", "layers", "tokens", "budget", "_separator", "more"])
def test_a_section_is_frozen(name: str) -> None:
    section = sealed(A, B)
    with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
        setattr(section, name, "other")
    with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{name}'"):
        delattr(section, name)
    assert section.text == "alpha\n\nbeta"


def test_the_text_of_one_layer_is_the_very_object() -> None:
    text = f"{A.text} and more"
    assert sealed(Layer("a", text)).text is text
    assert GUARD.check("a", text).text is text


def test_what_is_measured_is_the_very_text_of_the_section() -> None:
    counter = Recording(Characters())
    section = HmsGuard(counter=counter).check_layers("section", [A, B, C], separator="|")
    assert counter.texts[0] is section.text


def test_the_layers_of_a_section_are_those_given() -> None:
    layers = [A, B]
    section = GUARD.check_layers("section", iter(layers))
    layers.append(C)
    assert section.layers == (A, B)
    assert [kept is given for kept, given in zip(section.layers, layers, strict=False)] == [
        True
    ] * 2


@pytest.mark.parametrize(
    ("layers", "covered"),
    [
        ((A,), "alpha"),
        ((A, B), "alpha"),
        ((B, A), "beta|alpha"),
        ((A, B, C), "alpha|beta|gamma"),
        ((A, B, C, D), "alpha|beta|gamma"),
        ((B, D), "beta|delta"),
        ((), ""),
    ],
)
def test_the_ceiling_covers_the_bytes_that_the_last_marker_covers(
    layers: tuple[Layer, ...], covered: str
) -> None:
    counter = Recording(Characters())
    section = HmsGuard(counter=counter).check_layers("section", layers, separator="|")
    assert counter.texts == [covered]
    assert section.tokens == len(covered)
    assert section.text == "|".join(layer.text for layer in layers)


def test_a_tail_behind_the_last_marker_is_never_over_the_budget() -> None:
    strict = HmsGuard(
        HmsConfig(hms_budget_mode="strict", hms_system_prompt_token_budget=5), Characters()
    )
    assert strict.check_layers("section", [A, Layer("tail", "x" * 99)]).within


@pytest.mark.parametrize(
    ("layers", "markers", "last"),
    [((), 0, None), ((B,), 0, None), ((A, B), 1, "1h"), ((A, B, C, D), 2, "5m"), ((C,), 1, "5m")],
)
def test_a_section_says_what_the_messages_have_to_respect(
    layers: tuple[Layer, ...], markers: int, last: str | None
) -> None:
    section = sealed(*layers)
    assert (section.markers, section.last_ttl) == (markers, last)


@pytest.mark.parametrize(("size", "within"), [(4, True), (5, True), (6, False)])
def test_a_section_says_whether_it_is_within_its_budget(size: int, *, within: bool) -> None:
    warning = HmsGuard(HmsConfig(hms_system_prompt_token_budget=5), Characters())
    section = warning.check("a", "x" * size)
    assert (section.within, section.tokens, section.budget) == (within, size, 5)


def test_a_marker_of_5m_is_bare_and_one_of_1h_says_so() -> None:
    assert json.dumps(sealed(A, B, C, D).anthropic_blocks()) == (
        '[{"type": "text", "text": "alpha",'
        ' "cache_control": {"type": "ephemeral", "ttl": "1h"}},'
        ' {"type": "text", "text": "\\n\\nbeta"},'
        ' {"type": "text", "text": "\\n\\ngamma", "cache_control": {"type": "ephemeral"}},'
        ' {"type": "text", "text": "\\n\\ndelta"}]'
    )


def test_a_section_without_layers_has_no_blocks() -> None:
    assert sealed().anthropic_blocks() == []


@pytest.mark.parametrize("ttl", [None, "5m", "1h"])
def test_a_check_is_the_case_of_one_layer(ttl: Ttl | None) -> None:
    one, several = GUARD.check("a", "text", ttl=ttl), sealed(Layer("a", "text", ttl))
    assert one.anthropic_blocks() == several.anthropic_blocks()
    assert (one.text, one.layers, one.tokens) == (several.text, several.layers, several.tokens)


def test_a_check_of_an_unknown_ttl_is_refused() -> None:
    check: Untyped = GUARD.check
    with pytest.raises(ConfigurationError, match="ttl must be None, 5m or 1h, got '10m'"):
        check("a", "text", ttl="10m")


def test_a_missing_tail_changes_no_cached_byte() -> None:
    assert sealed(A, B, C).anthropic_blocks() == sealed(A, B, C, D).anthropic_blocks()[:3]


def test_an_unmarked_layer_before_a_marked_one_is_inside_the_cached_prefix() -> None:
    assert sealed(B, C).tokens == len("beta\n\ngamma")


TTLS: Final[list[Ttl | None]] = [None, "5m"]


@st.composite
def sections(draw: st.DrawFn) -> CheckedSection:
    ttls = draw(st.lists(st.sampled_from(TTLS), min_size=1, max_size=4))
    found = [draw(texts(6)) for _ in ttls]
    layers = [
        Layer(f"layer {place}", text + "x", ttl)
        for place, (text, ttl) in enumerate(zip(found, ttls, strict=True))
    ]
    return sealed(*layers, separator=draw(texts(3)))


@given(sections())
def test_the_texts_of_the_blocks_are_the_joined_text(section: CheckedSection) -> None:
    assert "".join(block_texts(section)) == section.text


@given(sections())
def test_the_tokens_are_those_of_the_blocks_up_to_the_last_marker(section: CheckedSection) -> None:
    blocks = section.anthropic_blocks()
    marked = [place for place, block in enumerate(blocks, 1) if "cache_control" in block]
    covered = "".join(block_texts(section)[: marked[-1] if marked else None])
    assert section.tokens == Characters().count(covered)


@given(sections())
def test_every_stamped_section_is_valid_as_a_request(section: CheckedSection) -> None:
    assert validate_ladder(system=section.anthropic_blocks()) == ()


@pytest.mark.parametrize(
    ("prior", "ttl", "accepted"),
    [
        ("5m", "5m", True),
        ("1h", "5m", True),
        ("1h", "1h", True),
        (None, "1h", True),
        ("5m", None, True),
        ("5m", "1h", False),
    ],
)
def test_the_ttl_never_ascends_from_what_the_tools_carry(
    prior: Ttl | None, ttl: Ttl | None, *, accepted: bool
) -> None:
    section = sealed(Layer("a", "text", ttl))
    if accepted:
        assert section.anthropic_blocks(prior_ttl=prior)
        return
    with pytest.raises(CacheLadderError) as caught:
        section.anthropic_blocks(prior_ttl=prior)
    detail = "ttl 1h after ttl 5m; shorten this one or lengthen the other"
    assert caught.value.violations == (LadderViolation("order", "a", "prior_ttl", detail),)


@pytest.mark.parametrize(
    ("used", "prior", "total"),
    [(2, None, 4), (3, None, 5), (3, "1h", 5), (0, "1h", 3), (2, "1h", 4)],
)
def test_a_fifth_marker_is_refused_wherever_the_others_are(
    used: int, prior: Ttl | None, total: int
) -> None:
    section = sealed(A, C)
    if total <= 4:
        assert section.anthropic_blocks(prior_ttl=prior, markers_used=used)
        return
    with pytest.raises(CacheLadderError) as caught:
        section.anthropic_blocks(prior_ttl=prior, markers_used=used)
    detail = "5 cache markers, 1 over the limit of 4; remove some"
    assert caught.value.violations == (LadderViolation("count", "c", "a", detail),)


def test_markers_elsewhere_alone_can_be_too_many() -> None:
    with pytest.raises(CacheLadderError) as caught:
        sealed(B).anthropic_blocks(markers_used=10**12)
    detail = "1,000,000,000,000 cache markers, 999,999,999,996 over the limit of 4; remove some"
    violation = LadderViolation("count", "markers_used", "markers_used", detail)
    assert caught.value.violations == (violation,)


def test_all_that_is_wrong_is_named_at_once() -> None:
    section = sealed(C, A, Layer("blank", "\n"), Layer("e", "e", "1h"))
    with pytest.raises(CacheLadderError) as caught:
        section.anthropic_blocks(markers_used=2)
    assert [str(one).partition(":")[0] for one in caught.value.violations] == [
        "blank",
        "a against c",
        "e against c",
        "e against a",
    ]


@pytest.mark.parametrize("ttl", [None, "5m"])
def test_a_blank_layer_is_refused_marked_or_not(ttl: Ttl | None) -> None:
    section = sealed(A, Layer("blank", " \n", ttl))
    with pytest.raises(CacheLadderError, match=r"^blank: empty or blank text; leave"):
        section.anthropic_blocks()


def test_a_violation_escapes_the_names_of_layers() -> None:
    section = sealed(Layer("a\n", "a", "5m"), Layer("b\u202e", "b", "1h"))
    with pytest.raises(CacheLadderError) as caught:
        section.anthropic_blocks()
    assert str(caught.value).startswith(r"b\u202e against a\n: ")


def test_an_error_of_the_ladder_pickles_with_its_violations() -> None:
    with pytest.raises(CacheLadderError) as caught:
        sealed(C, A).anthropic_blocks()
    assert revived(caught.value).violations == caught.value.violations


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"prior_ttl": "10m"}, ConfigurationError, "prior_ttl must be None, 5m or 1h, got '10m'"),
        ({"prior_ttl": 5}, TypeError, "prior_ttl must be None or a str, got int"),
        ({"markers_used": -1}, ConfigurationError, "markers_used must be >= 0, got -1"),
        ({"markers_used": True}, TypeError, "markers_used must be an int, got bool"),
    ],
)
def test_wrong_facts_about_the_request_are_refused(
    arguments: dict[str, object], error: type[Exception], message: str
) -> None:
    blocks: Untyped = sealed(A).anthropic_blocks
    with pytest.raises(error) as caught:
        blocks(**arguments)
    assert str(caught.value) == message


def test_seven_repeated_names_are_five_and_how_many_more() -> None:
    layers = [Layer(f"n{place % 7}", "text") for place in range(14)]
    with pytest.raises(ConfigurationError) as caught:
        sealed(*layers)
    assert str(caught.value).endswith("repeated: n0, n1, n2, n3, n4 and 2 more")


def test_a_text_of_lone_surrogates_is_stamped_as_it_is() -> None:
    assert block_texts(sealed(Layer("a", "\ud800"), separator="")) == ["\ud800"]


@pytest.mark.parametrize("rule", ["order", "count", "blank", "place", "ttl"])
def test_a_violation_is_a_value(rule: Literal["order", "count", "blank", "place", "ttl"]) -> None:
    violation = LadderViolation(rule, "tools[0]", None, "detail")
    assert revived(violation) == violation
    assert str(violation) == "tools[0]: detail"
