"""Cases that users of other tools have reported, as far as a guard answers them."""

from __future__ import annotations

import copy
import logging
from contextlib import suppress

import pytest

from budget import CallableCounter
from budget.errors import CacheLadderError, HmsBudgetExceededError
from budget.hms import HmsConfig, HmsGuard
from tests.hms.stage import (
    AT,
    BUDGET,
    MODES,
    OVER,
    UNDER,
    Hook,
    Mode,
    advisories,
    guard,
    words,
)

SECRET = "SECRET-123 "  # noqa: S105 - a word to look for in a log

every_mode = pytest.mark.parametrize("mode", MODES)


# OBS-04: once per guard, and never again after a turn within the budget.
def test_of_overflows_on_several_turns_one_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    hooks = Hook(), Hook()
    first, second = (guard("warn", hook) for hook in hooks)
    for tokens in (OVER, OVER, OVER, UNDER, OVER):
        first.enforce("a", tokens)
    second.enforce("b", OVER)
    assert len(advisories(caplog.records)) == 2
    assert [len(hook.calls) for hook in hooks] == [1, 1]
    assert (first.overflows, second.overflows) == ({"a": 4}, {"b": 1})


# OBS-05
@every_mode
def test_a_hook_that_divides_by_zero_stops_neither_the_section_nor_the_error(
    mode: Mode, caplog: pytest.LogCaptureFixture
) -> None:
    guarded = guard(mode, Hook(lambda: 1 // 0))
    try:
        assert guarded.check("kernel", words(OVER)).text == words(OVER)
    except HmsBudgetExceededError as error:
        assert (mode, error.__cause__, error.__context__) == ("strict", None, None)  # noqa: PT017
    assert caplog.records[0].exc_info is not None
    assert caplog.records[0].exc_info[0] is ZeroDivisionError


# OBS-06
@every_mode
@pytest.mark.parametrize(("tokens", "events"), [(UNDER, 0), (AT, 0), (OVER, 1)])
def test_there_is_one_event_for_the_first_overflow_and_none_below(
    mode: Mode, tokens: int, events: int
) -> None:
    hook = Hook()
    with suppress(HmsBudgetExceededError):
        guard(mode, hook).enforce("kernel", tokens)
    assert len(hook.calls) == events


# OBS-08
def test_a_section_over_its_budget_is_kept_whole_and_named(
    caplog: pytest.LogCaptureFixture,
) -> None:
    text = "m" * 600
    guarded = HmsGuard(HmsConfig(hms_system_prompt_token_budget=500), CallableCounter(len))
    assert guarded.check("MEMORY", text).text is text
    (record,) = caplog.records
    assert record.args == (600, 500, "stratified")
    assert vars(record)["budget_layer"] == "MEMORY"


# OBS-11
@every_mode
def test_no_log_no_error_and_no_repr_quotes_the_text(
    mode: Mode, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise RuntimeError

    guarded = guard(mode, Hook(fail))
    shown = [repr(guarded)]
    try:
        section = guarded.check("kernel", SECRET * OVER)
        shown.append(repr(section))
    except HmsBudgetExceededError as error:
        shown += [str(error), repr(error)]
    shown += [str(vars(record)) for record in caplog.records] + [caplog.text]
    assert not any("SECRET" in text for text in shown)


def test_an_error_of_the_ladder_does_not_quote_the_text() -> None:
    section = guard().check("kernel", SECRET, ttl="1h")
    with pytest.raises(CacheLadderError) as caught:
        section.anthropic_blocks(prior_ttl="5m", markers_used=4)
    assert "SECRET" not in f"{caught.value}{caught.value!r}"


# CAC-06
def test_a_guard_adds_nothing_to_a_section() -> None:
    stamped = [
        guard(budget=budget).check("kernel", words(OVER), ttl="5m").anthropic_blocks()
        for budget in (BUDGET, BUDGET, OVER, OVER)
    ]
    assert stamped == [stamped[0]] * 4
    assert stamped[0][0]["text"] == words(OVER)


# CAC-10: a section below the provider's minimum is stamped; an estimate takes no marker away.
def test_a_short_section_is_stamped() -> None:
    (block,) = guard().check("kernel", "short", ttl="5m").anthropic_blocks()
    assert block["cache_control"] == {"type": "ephemeral"}


# CAC-12
def test_in_strict_mode_the_request_is_untouched() -> None:
    hook = Hook()
    request = {"system": [{"type": "text", "text": words(12)}], "messages": []}
    before = copy.deepcopy(request)
    with pytest.raises(HmsBudgetExceededError) as caught:
        guard("strict", hook).check("kernel", words(12))
    assert hook.calls == [("kernel", 12, 10)]
    assert (caught.value.requested_tokens, caught.value.budget) == (12, 10)
    assert request == before


def test_the_advisory_is_seen_where_nobody_configured_logging(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    guard().enforce("kernel", OVER)
    assert "exceeds token budget: 12 tokens" in capsys.readouterr().err
