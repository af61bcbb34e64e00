"""Faults that guards of this kind have had, and why each can't be written with this one."""

from __future__ import annotations

import logging
from dataclasses import FrozenInstanceError
from types import SimpleNamespace

import pytest

from budget import BudgetError
from budget.cache import CheckedSection, Layer
from budget.errors import CacheLadderError, ConfigurationError, HmsBudgetExceededError
from budget.hms import HmsGuard
from budget.watch import PrefixWatch
from tests.counters import Words, WordsAndLines
from tests.hms.stage import BUDGET, OVER, Hook, advisories, guard, words
from tests.making import Untyped


# Compared with one number, and another one in the message.
@pytest.mark.parametrize("budget", [1, 7, 3000])
def test_hook_log_and_error_name_the_budget_that_is_compared(
    budget: int, caplog: pytest.LogCaptureFixture
) -> None:
    hook = Hook()
    warning, strict = guard("warn", hook, budget), guard("strict", hook, budget)
    for guarded in (warning, strict):
        guarded.enforce("kernel", budget)
    assert hook.calls == []
    warning.enforce("kernel", budget + 1)
    with pytest.raises(HmsBudgetExceededError) as caught:
        strict.enforce("kernel", budget + 1)
    assert hook.calls == [("kernel", budget + 1, budget)] * 2
    assert caplog.records[0].args == (budget + 1, budget, "stratified")
    assert caught.value.budget == budget


# A warning on every turn, more than fifty in a session.
def test_an_advisory_comes_once_however_many_turns_there_are(
    caplog: pytest.LogCaptureFixture,
) -> None:
    guarded = guard()
    for turn in range(60):
        guarded.check(f"layer {turn % 3}", words(OVER))
    assert len(advisories(caplog.records)) == 1


# One path of two had no enforcement.
@pytest.mark.parametrize("strategy", ["jit", "stratified"])
def test_every_strategy_is_enforced(strategy: str) -> None:
    host = SimpleNamespace(hms_budget_mode="strict", context_strategy=strategy)
    guarded = HmsGuard(host, Words())
    with pytest.raises(HmsBudgetExceededError):
        guarded.check("kernel", words(guarded.budget + 1))


# Rendered in one shape, budgeted as the other.
def test_a_strategy_that_a_host_changes_later_changes_no_budget() -> None:
    host = SimpleNamespace(context_strategy="jit")
    guarded = HmsGuard(host)
    host.context_strategy = "stratified"
    assert (guarded.budget, guarded.snapshot()["strategy"]) == (1500, "jit")


# The strict error was swallowed, and what had been stamped until then was sent.
def test_who_swallows_the_strict_error_has_nothing_to_stamp() -> None:
    def render(guarded: HmsGuard) -> CheckedSection | None:
        try:
            return guarded.check("kernel", words(OVER), ttl="1h")
        except ConfigurationError:
            return None

    assert render(guard("strict")) is None
    assert render(guard("warn")) is not None


# A list of seven classes to raise again, one layer down.
def test_one_base_catches_all_that_a_guard_raises() -> None:
    with pytest.raises(BudgetError):
        guard("strict").enforce("kernel", OVER)
    with pytest.raises(BudgetError):
        guard().recommended_budget()
    with pytest.raises(BudgetError):
        guard().check("kernel", " ", ttl="5m").anthropic_blocks()


# Blocks were spliced into the cached part after it had been checked.
def test_nothing_can_be_added_to_a_checked_section() -> None:
    public = {name for name in dir(CheckedSection) if not name.startswith("_")}
    values = {"text", "layers", "tokens", "budget", "within", "markers", "last_ttl"}
    assert public == values | {"anthropic_blocks"}
    section = guard().check("kernel", "text")
    with pytest.raises(FrozenInstanceError):
        section.layers += (Layer("late", "more"),)
    with pytest.raises(FrozenInstanceError):
        section.text += "more"
    with pytest.raises(AttributeError):
        section.layers.append  # type: ignore[attr-defined]  # noqa: B018


def test_what_is_done_to_stamped_blocks_changes_no_section() -> None:
    section = guard().check("kernel", "text", ttl="1h")
    before = section.anthropic_blocks()
    section.anthropic_blocks()[0]["text"] = "more"
    section.anthropic_blocks()[0]["cache_control"] = {}
    assert section.anthropic_blocks() == before
    assert section.text == "text"


# Two halves of 4,058 and 1,617 tokens passed, and 5,675 were sent.
def test_one_ceiling_covers_what_is_sent_together() -> None:
    strict = guard("strict", budget=5500)
    halves = [Layer("kernel", words(4058), "1h"), Layer("blocks", words(1617), "5m")]
    for half in halves:
        strict.check(half.name, half.text)
    with pytest.raises(HmsBudgetExceededError) as caught:
        strict.check_layers("section", halves)
    assert caught.value.requested_tokens == 5675


def test_separators_are_under_the_ceiling() -> None:
    host = SimpleNamespace(hms_budget_mode="strict", hms_system_prompt_token_budget=3)
    layers = [Layer(name, name) for name in "abc"]
    strict = HmsGuard(host, WordsAndLines())
    assert strict.check_layers("section", layers, separator=" ").tokens == 3
    with pytest.raises(HmsBudgetExceededError) as caught:
        strict.check_layers("section", layers, separator="\n\n")
    assert caught.value.requested_tokens == 7


# One text was measured, and another one stamped.
def test_stamping_takes_no_text() -> None:
    blocks: Untyped = guard().check("kernel", "text").anthropic_blocks
    with pytest.raises(TypeError):
        blocks("another text")


def test_what_is_stamped_is_the_very_text_that_was_measured() -> None:
    text = words(3)
    section = guard().check("kernel", text, ttl="5m")
    assert section.text is section.anthropic_blocks()[0]["text"] is text


# A failed render fell back to another body, with the time of day inside the cached prefix.
def test_an_error_of_the_ladder_is_raised_and_no_block_comes_back_unmarked() -> None:
    layers = [Layer("kernel", "one", "5m"), Layer("memory", "two", "1h")]
    with pytest.raises(CacheLadderError):
        guard().check_layers("section", layers).anthropic_blocks()


def test_a_body_with_the_time_of_day_is_told_by_the_watch() -> None:
    watch = PrefixWatch(Words())
    watch.observe("conversation", [Layer("kernel", "rules\nnow: 12:00", "1h")])
    drift = watch.observe("conversation", [Layer("kernel", "rules\nnow: 12:01", "1h")])
    assert drift is not None
    assert (drift.kind, drift.layer, drift.byte, drift.line) == ("bytes", "kernel", 15, 2)


# The first block was marked by itself, so that one asked for made two.
def test_a_marker_stands_only_where_a_layer_asks_for_it() -> None:
    layers = [Layer("kernel", "a"), Layer("memory", "b", "5m"), Layer("turn", "c")]
    blocks = guard().check_layers("section", layers).anthropic_blocks()
    assert ["cache_control" in block for block in blocks] == [False, True, False]


# The tail of the turn was marked, and written to the cache on every request.
def test_the_last_block_is_not_marked_by_itself() -> None:
    layers = [Layer("kernel", "a", "1h"), Layer("turn", "b")]
    blocks = guard().check_layers("section", layers).anthropic_blocks()
    assert "cache_control" not in blocks[-1]


# A marker of 1h after one of 5m: refused by the provider on every turn.
def test_a_longer_time_to_live_is_refused_before_anything_is_sent() -> None:
    layers = [Layer("kernel", "one", "5m"), Layer("memory", "two", "1h")]
    section = guard().check_layers("section", layers)
    with pytest.raises(CacheLadderError, match="memory against kernel: ttl 1h after ttl 5m"):
        section.anthropic_blocks()


# The same, over tools and system.
def test_a_longer_time_to_live_than_the_tools_have_is_refused() -> None:
    section = guard().check("kernel", "text", ttl="1h")
    with pytest.raises(CacheLadderError, match="kernel against prior_ttl: ttl 1h after ttl 5m"):
        section.anthropic_blocks(prior_ttl="5m", markers_used=1)


# Seven markers went out without a complaint, and an empty block with one.
def test_seven_markers_are_refused() -> None:
    section = guard().check_layers("section", [Layer(name, name, "5m") for name in "abcdefg"])
    with pytest.raises(CacheLadderError, match="e against d: 7 cache markers, 3 over the limit"):
        section.anthropic_blocks()


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000"])
def test_a_blank_block_is_refused(text: str) -> None:
    section = guard().check("kernel", text, ttl="5m")
    with pytest.raises(CacheLadderError, match="kernel: empty or blank text"):
        section.anthropic_blocks()


# State that concurrent conversations shared, and overwrote for each other.
def test_conversations_do_not_share_what_is_watched() -> None:
    watch = PrefixWatch(Words())
    for turn in range(3):
        for key in ("a", "b"):
            assert watch.observe(key, [Layer("kernel", f"rules of {key}", "1h")]) is None, turn


def test_a_guard_leaves_the_logger_as_it_is() -> None:
    logger = logging.getLogger("budget.hms")
    before = logger.level, list(logger.handlers), logger.propagate, logger.disabled
    guard().enforce("kernel", OVER)
    assert (logger.level, list(logger.handlers), logger.propagate, logger.disabled) == before


def test_a_budget_is_exceeded_by_one_token_more() -> None:
    strict = guard("strict")
    assert strict.check("kernel", words(BUDGET)).within
    with pytest.raises(HmsBudgetExceededError):
        strict.check("kernel", words(BUDGET + 1))
