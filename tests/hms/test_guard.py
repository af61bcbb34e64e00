"""What a guard takes, refuses, remembers and says."""

from __future__ import annotations

import copy
import json
import logging
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, replace
from enum import StrEnum
from functools import partial
from types import SimpleNamespace
from typing import Final
from unittest.mock import AsyncMock

import pytest

from budget import BudgetOverflowError, CallableCounter, CounterError, EstimatingCounter
from budget.cache import Layer
from budget.errors import ConfigurationError, HmsBudgetExceededError
from budget.hms import HmsConfig, HmsGuard
from tests.counters import Framed, Recording, Words, Zeroes
from tests.hms.stage import (
    BUDGET,
    INTERRUPTS,
    MODES,
    OVER,
    Failed,
    Hook,
    Mode,
    advisories,
    fail,
    fires,
    guard,
    words,
)
from tests.making import Untyped, revived

untyped_config: Final[Untyped] = HmsConfig
untyped_guard: Final[Untyped] = HmsGuard
every_mode = pytest.mark.parametrize("mode", MODES)


async def _async_hook(layer_name: str, requested_tokens: int, budget: int, /) -> None:
    raise Failed(layer_name, requested_tokens, budget)


async def _async_generator(layer_name: str, requested_tokens: int, budget: int, /) -> object:
    yield layer_name, requested_tokens, budget


class _AsyncCall:
    async def __call__(self, layer_name: str, requested_tokens: int, budget: int, /) -> None:
        raise Failed(layer_name, requested_tokens, budget)

    async def method(self, layer_name: str, requested_tokens: int, budget: int, /) -> None:
        raise Failed(layer_name, requested_tokens, budget)


ASYNC: Final = {
    "function": _async_hook,
    "generator": _async_generator,
    "object": _AsyncCall(),
    "method": _AsyncCall().method,
    "partial": partial(_async_hook, "kernel"),
    "partial of an object": partial(_AsyncCall(), "kernel"),
    "mock": AsyncMock(),
}
WRONG: Final = (
    ("hms_budget_mode", "loud", "must be one of warn, strict, got 'loud'"),
    ("hms_budget_mode", "", "must be one of warn, strict, got ''"),
    ("hms_budget_mode", "Strict", "must be one of warn, strict, got 'Strict'"),
    ("hms_budget_mode", None, "must be one of warn, strict, got NoneType"),
    ("hms_budget_mode", ["warn"], "must be one of warn, strict, got list"),
    ("context_strategy", "eager", "must be one of stratified, jit, got 'eager'"),
    ("context_strategy", None, "must be one of stratified, jit, got NoneType"),
    ("hms_system_prompt_token_budget", 0, "must be None or an int >= 1, got 0"),
    ("hms_system_prompt_token_budget", -1, "must be None or an int >= 1, got -1"),
    ("hms_system_prompt_token_budget", 1.5, "must be None or an int >= 1, got 1.5"),
    ("hms_system_prompt_token_budget", True, "must be None or an int >= 1, got True"),
    ("hms_system_prompt_token_budget", "5500", "must be None or an int >= 1, got '5500'"),
    ("on_hms_budget_exceeded", "print", "must be None or a function, got 'print'"),
    ("on_hms_budget_exceeded", 0, "must be None or a function, got 0"),
)
wrong = pytest.mark.parametrize(
    ("name", "value", "message"), WRONG, ids=[f"{name}={value!r}" for name, value, _ in WRONG]
)
never = pytest.mark.parametrize("hook", ASYNC.values(), ids=ASYNC)


@wrong
def test_a_wrong_setting_is_refused_by_the_config(name: str, value: object, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        untyped_config(**{name: value})
    assert str(caught.value) == f"{name} {message}"


@wrong
def test_a_wrong_setting_of_a_host_is_refused_by_the_guard(
    name: str, value: object, message: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        HmsGuard(SimpleNamespace(**{name: value}))
    assert str(caught.value) == f"{name} {message}"


@never
def test_an_async_hook_is_refused_by_the_config(hook: object) -> None:
    with pytest.raises(ConfigurationError, match="on_hms_budget_exceeded must not be async"):
        untyped_config(on_hms_budget_exceeded=hook)


@never
def test_an_async_hook_of_a_host_is_refused_by_the_guard(hook: object) -> None:
    with pytest.raises(ConfigurationError, match="on_hms_budget_exceeded must not be async"):
        HmsGuard(SimpleNamespace(on_hms_budget_exceeded=hook))


def test_a_wrong_setting_is_shown_short_and_escaped() -> None:
    with pytest.raises(ConfigurationError) as caught:
        untyped_config(hms_budget_mode="\x1b" + "x" * 1_000)
    assert str(caught.value).endswith(r"got '\x1b" + "x" * 19 + "'")


@pytest.mark.parametrize("config", [None, object(), {"hms_budget_mode": "strict"}, 5, "strict"])
def test_an_object_with_none_of_the_settings_is_refused(config: object) -> None:
    with pytest.raises(TypeError, match="config must be an HmsConfig or another object with any"):
        HmsGuard(config)


@pytest.mark.parametrize(("strategy", "budget"), [("stratified", 5500), ("jit", 1500)])
def test_a_strategy_has_a_default_budget(strategy: str, budget: int) -> None:
    assert HmsGuard(SimpleNamespace(context_strategy=strategy)).budget == budget


def test_the_defaults_are_warn_stratified_and_the_estimate() -> None:
    snapshot = HmsGuard().snapshot()
    assert (snapshot["mode"], snapshot["strategy"]) == ("warn", "stratified")
    assert (snapshot["budget"], snapshot["counter"]) == (5500, EstimatingCounter().name)


def test_a_budget_of_none_is_the_default_of_the_strategy() -> None:
    config = HmsConfig(hms_system_prompt_token_budget=None, context_strategy="jit")
    assert HmsGuard(config).budget == 1500


def test_a_budget_that_is_set_holds_under_every_strategy() -> None:
    assert HmsGuard(HmsConfig(hms_system_prompt_token_budget=1, context_strategy="jit")).budget == 1


def test_the_settings_are_keywords() -> None:
    with pytest.raises(TypeError):
        untyped_config("warn")


def test_a_config_is_frozen() -> None:
    config = HmsConfig()
    with pytest.raises(FrozenInstanceError):
        config.hms_budget_mode = "strict"  # type: ignore[misc]


def test_a_config_is_a_value_that_pickles() -> None:
    config = HmsConfig(hms_budget_mode="strict", hms_system_prompt_token_budget=7)
    assert revived(config) == config
    assert replace(config, hms_budget_mode="warn") != config


@dataclass
class _Host:
    """A host's settings, of which a guard needs four, and counts how often each is read."""

    hms_system_prompt_token_budget: int = BUDGET
    hms_budget_mode: str = "strict"
    temperature: float = 1.0


def test_a_hosts_own_config_is_accepted() -> None:
    with pytest.raises(HmsBudgetExceededError):
        HmsGuard(_Host(), Words()).enforce("kernel", OVER)


def test_a_setting_that_a_host_lacks_is_its_default() -> None:
    assert HmsGuard(_Host()).snapshot()["strategy"] == "stratified"


def test_a_config_is_read_at_construction_only() -> None:
    host = _Host()
    guarded = HmsGuard(host, Words())
    host.hms_budget_mode = "warn"
    host.hms_system_prompt_token_budget = 1_000
    with pytest.raises(HmsBudgetExceededError) as caught:
        guarded.enforce("kernel", OVER)
    assert caught.value.budget == BUDGET


def test_each_setting_is_read_once() -> None:
    reads: list[str] = []

    class Reading:
        def __getattr__(self, name: str) -> object:
            reads.append(name)
            return getattr(HmsConfig(), name)

    HmsGuard(Reading()).check("kernel", "text")
    assert sorted(reads) == sorted(HmsConfig.__dataclass_fields__)


def test_a_hosts_enum_that_equals_a_mode_is_that_mode() -> None:
    class HostMode(StrEnum):
        STRICT = "strict"

    guarded = HmsGuard(SimpleNamespace(hms_budget_mode=HostMode.STRICT))
    assert type(guarded.snapshot()["mode"]) is str


def test_a_hook_that_is_a_method_of_the_host_is_called() -> None:
    class Host:
        hms_system_prompt_token_budget = BUDGET

        def __init__(self) -> None:
            self.seen: list[int] = []

        def on_hms_budget_exceeded(self, _layer: str, requested: int, _budget: int, /) -> None:
            self.seen.append(requested)

    host = Host()
    HmsGuard(host).enforce("kernel", OVER)
    assert host.seen == [OVER]


def test_a_counter_that_cannot_count_is_refused() -> None:
    with pytest.raises(TypeError, match="counter must be a TokenCounter"):
        untyped_guard(HmsConfig(), len)


def test_a_logger_that_cannot_warn_is_refused() -> None:
    with pytest.raises(TypeError, match=r"logger must be None or a logging\.Logger, got str"):
        untyped_guard(logger="budget")


def test_the_budget_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        guard().budget = 20  # type: ignore[misc]


@pytest.mark.parametrize("tokens", [1.0, True, "12", None])
def test_a_size_that_is_no_int_is_refused(tokens: object) -> None:
    enforce: Untyped = guard().enforce
    with pytest.raises(TypeError, match="requested_tokens must be an int"):
        enforce("kernel", tokens)


def test_a_negative_size_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="requested_tokens must be >= 0, got -1"):
        guard().enforce("kernel", -1)


@pytest.mark.parametrize("call", ["enforce", "check", "check_layers"])
def test_a_name_that_is_no_str_is_refused(call: str) -> None:
    method: Untyped = getattr(guard(), call)
    with pytest.raises(TypeError, match=r"(layer|section)_name must be a str, got int"):
        method(5, 5)


def test_a_text_that_is_no_str_is_refused() -> None:
    check: Untyped = guard().check
    with pytest.raises(TypeError, match="text must be a str, got bytes"):
        check("kernel", b"text")


def test_a_separator_that_is_no_str_is_refused() -> None:
    check: Untyped = guard().check_layers
    with pytest.raises(TypeError, match="separator must be a str, got NoneType"):
        check("kernel", [], separator=None)


@pytest.mark.parametrize("layers", [None, 5, "kernel"])
def test_layers_that_are_no_iterable_of_layers_are_refused(layers: object) -> None:
    check: Untyped = guard().check_layers
    with pytest.raises(TypeError, match="layers must be an iterable of Layer"):
        check("kernel", layers)


def test_what_is_no_layer_is_refused_with_both_modules() -> None:
    check: Untyped = guard().check_layers
    with pytest.raises(TypeError, match=r"budget\.cache\.Layer, got builtins\.str"):
        check("kernel", ["text"])


def test_layers_that_share_a_name_are_refused_before_anything_is_counted() -> None:
    counter = Recording(Words())
    layers = [Layer("a", "one"), Layer("b", "two"), Layer("a", "three")]
    with pytest.raises(ConfigurationError, match=r"layer names must be unique, repeated: a$"):
        HmsGuard(counter=counter).check_layers("section", layers)
    assert counter.texts == []


def test_a_check_counts_once() -> None:
    counter = Recording(Words())
    HmsGuard(counter=counter).check("kernel", "some text")
    assert counter.texts == ["some text"]


def test_the_name_of_a_section_is_what_hook_peaks_and_error_call_it() -> None:
    hook = Hook()
    guarded = guard("strict", hook)
    with pytest.raises(HmsBudgetExceededError) as caught:
        guarded.check_layers("section", [Layer("kernel", words(OVER), "1h")])
    assert caught.value.layer_name == "section"
    assert hook.calls == [("section", OVER, BUDGET)]
    assert guarded.peaks == {"section": OVER}


@every_mode
def test_the_hook_comes_before_the_error_and_before_the_advisory(
    mode: Mode, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[int] = []
    hook = Hook(lambda: seen.append(len(caplog.records)))
    try:
        guard(mode, hook).enforce("kernel", OVER)
    except HmsBudgetExceededError:
        assert seen == [0]
    assert seen == [0]


def test_the_gate_is_latched_before_the_advisory_is_logged() -> None:
    latched: list[bool] = []

    class Watching(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            assert record.levelno == logging.WARNING
            latched.append(guarded.latched)

    logger = logging.Logger("own")  # noqa: LOG001 - no logger of the process's is touched
    logger.addHandler(Watching())
    config = HmsConfig(hms_system_prompt_token_budget=BUDGET, on_hms_budget_exceeded=Hook(fail))
    guarded = HmsGuard(config, logger=logger)
    guarded.enforce("kernel", OVER)
    assert latched == [True, True]


def test_a_logger_may_call_the_guard() -> None:
    class Calling(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            guarded.enforce("log", len(record.getMessage()))

    logger = logging.Logger("own")  # noqa: LOG001 - no logger of the process's is touched
    logger.addHandler(Calling())
    guarded = HmsGuard(HmsConfig(hms_system_prompt_token_budget=BUDGET), logger=logger)
    guarded.enforce("kernel", OVER)
    assert guarded.overflows == {"kernel": 1, "log": 1}


def test_the_given_logger_takes_the_advisory(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("host.prompts")
    HmsGuard(SimpleNamespace(context_strategy="jit"), logger=logger).enforce("kernel", 1501)
    assert [record.name for record in caplog.records] == ["host.prompts"]
    assert caplog.records[0].args == (1501, 1500, "jit")


def test_an_adapter_is_a_logger(caplog: pytest.LogCaptureFixture) -> None:
    adapter = logging.LoggerAdapter(logging.getLogger("host"), {"agent": "a"})
    HmsGuard(logger=adapter).enforce("kernel", 5501)
    assert len(advisories(caplog.records)) == 1


@pytest.mark.parametrize("interrupt", INTERRUPTS)
@every_mode
def test_what_is_no_exception_passes_as_it_is_and_the_next_overflow_delivers(
    interrupt: type[BaseException], mode: Mode
) -> None:
    mine = interrupt()

    def strike() -> None:
        raise mine

    hook = Hook(strike)
    guarded = guard(mode, hook)
    with pytest.raises(interrupt) as caught:
        guarded.enforce("kernel", OVER)
    assert caught.value is mine
    hook.act = list
    assert fires(guarded)
    assert hook.calls == [("kernel", OVER, BUDGET), ("probe", OVER, BUDGET)]


def test_a_hook_that_enters_the_guard_again_is_called_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    hook = Hook()
    guarded = guard("warn", hook)
    hook.act = lambda: guarded.enforce("inner", OVER + 1)
    guarded.enforce("outer", OVER)
    assert hook.calls == [("outer", OVER, BUDGET)]
    assert [record.args for record in caplog.records] == [(OVER, BUDGET, "stratified")]
    assert guarded.overflows == {"outer": 1, "inner": 1}


def test_a_strict_guard_that_its_hook_enters_again_raises_in_both(
    caplog: pytest.LogCaptureFixture,
) -> None:
    hook = Hook()
    guarded = guard("strict", hook)
    hook.act = lambda: guarded.enforce("inner", OVER + 1)
    with pytest.raises(HmsBudgetExceededError) as caught:
        guarded.enforce("outer", OVER)
    assert (caught.value.layer_name, caught.value.__context__) == ("outer", None)
    (record,) = caplog.records
    assert record.exc_info is not None
    assert str(record.exc_info[1]).startswith("HMS budget exceeded: layer='inner'")


def test_the_log_of_a_hook_that_raised_escapes_the_layer(caplog: pytest.LogCaptureFixture) -> None:
    guard("warn", Hook(fail)).enforce("a\nb", OVER)
    assert caplog.records[0].args == (r"a\nb",)
    assert vars(caplog.records[1])["budget_layer"] == r"a\nb"


def test_the_hook_takes_the_layer_as_it_is() -> None:
    hook = Hook()
    guard("warn", hook).enforce("a\nb", OVER)
    assert hook.calls[0][0] == "a\nb"


def test_peaks_are_the_largest_size_of_each_layer_within_and_over_budget() -> None:
    guarded = guard()
    for layer, tokens in (("a", 3), ("a", 7), ("a", 5), ("b", OVER), ("b", 1), ("c", 0)):
        guarded.enforce(layer, tokens)
    assert guarded.peaks == {"a": 7, "b": OVER, "c": 0}
    assert guarded.peak == OVER


def test_the_peak_of_nothing_is_0() -> None:
    assert guard().peak == 0


@every_mode
def test_peaks_and_overflows_grow_while_the_gate_is_latched(mode: Mode) -> None:
    guarded = guard(mode)
    for tokens in (OVER, OVER + 5, OVER + 1):
        assert fires(guarded) is (tokens == OVER)
        try:
            guarded.enforce("kernel", tokens)
        except HmsBudgetExceededError:
            assert mode == "strict"
    assert guarded.peaks["kernel"] == OVER + 5
    assert guarded.overflows["kernel"] == 3


def test_a_layer_that_was_never_over_has_no_overflows() -> None:
    guarded = guard()
    guarded.enforce("kernel", BUDGET)
    assert guarded.overflows == {}
    assert guarded.overflows["kernel"] == 0


def test_what_a_guard_returns_of_its_peaks_is_a_copy() -> None:
    guarded = guard()
    guarded.enforce("kernel", OVER)
    guarded.peaks.clear()
    guarded.overflows.clear()
    guarded.snapshot()["peaks"].clear()
    assert (guarded.peaks, guarded.overflows) == ({"kernel": OVER}, {"kernel": 1})


def test_names_beyond_256_are_summed_up_as_one() -> None:
    guarded = guard()
    for number in range(300):
        guarded.enforce(f"n{number}", OVER + number)
    assert len(guarded.peaks) == 257
    assert guarded.peaks["n255"] == OVER + 255
    assert (guarded.peaks["(others)"], guarded.overflows["(others)"]) == (OVER + 299, 44)


def test_a_name_among_the_first_256_stays_itself() -> None:
    guarded = guard()
    for number in [*range(300), 0]:
        guarded.enforce(f"n{number}", OVER)
    assert (guarded.overflows["n0"], guarded.overflows["(others)"]) == (2, 44)


def test_a_snapshot_is_plain_data() -> None:
    guarded = guard("strict", budget=BUDGET)
    with pytest.raises(HmsBudgetExceededError):
        guarded.enforce("kernel", OVER)
    guarded.enforce("memory", 3)
    assert json.loads(json.dumps(guarded.snapshot())) == {
        "mode": "strict",
        "strategy": "stratified",
        "budget": BUDGET,
        "counter": "Words",
        "peak": OVER,
        "peaks": {"kernel": OVER, "memory": 3},
        "overflows": {"kernel": 1},
        "latched": True,
    }


@pytest.mark.parametrize(
    ("peak", "headroom", "recommended"),
    [
        (100, 20, 120),
        (101, 20, 122),
        (1, 20, 2),
        (4_823, 0, 4_823),
        (10**20 + 1, 20, 12 * 10**19 + 2),
    ],
)
def test_the_recommendation_is_the_peak_and_a_headroom_rounded_up(
    peak: int, headroom: int, recommended: int
) -> None:
    guarded = guard()
    guarded.enforce("kernel", peak)
    guarded.enforce("memory", peak // 2)
    assert guarded.recommended_budget(headroom) == recommended


def test_the_headroom_is_20_percent_unless_said() -> None:
    guarded = guard()
    guarded.enforce("kernel", 5)
    assert guarded.recommended_budget() == guarded.recommended_budget(headroom_percent=20) == 6


def test_the_recommendation_of_nothing_is_the_smallest_budget() -> None:
    guarded = guard()
    guarded.check("kernel", "")
    assert guarded.recommended_budget() == 1


def test_a_recommendation_before_anything_was_measured_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="nothing was measured yet"):
        guard().recommended_budget()


def test_a_negative_headroom_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="headroom_percent must be >= 0, got -1"):
        guard().recommended_budget(-1)


def test_a_headroom_that_is_no_int_is_refused() -> None:
    recommended: Untyped = guard().recommended_budget
    with pytest.raises(TypeError, match="headroom_percent must be an int"):
        recommended(20.0)


def _raise(text: str) -> int:
    raise LookupError(len(text))


def _mute(text: str) -> object:
    return None if text else 0


@pytest.mark.parametrize("fn", [_raise, _mute])
def test_a_counter_that_fails_leaves_peaks_and_gate_as_they_were(
    fn: Callable[[str], object],
) -> None:
    hook = Hook()
    config = HmsConfig(hms_system_prompt_token_budget=1, on_hms_budget_exceeded=hook)
    guarded = HmsGuard(config, CallableCounter(fn))
    with pytest.raises((LookupError, CounterError)):
        guarded.check("kernel", "text")
    assert (guarded.peaks, guarded.overflows, hook.calls) == ({}, {}, [])
    assert fires(guarded)


def test_the_note_of_a_counter_that_raises_names_the_section() -> None:
    with pytest.raises(LookupError) as caught:
        HmsGuard(counter=CallableCounter(_raise)).check_layers("sec\x00tion", [Layer("a", "b")])
    assert caught.value.__notes__ == [r"while counting item sec\x00tion"]


def test_a_counter_that_answers_nonsense_is_refused_with_the_name_of_the_section() -> None:
    with pytest.raises(CounterError) as caught:
        HmsGuard(counter=CallableCounter(_mute)).check("kernel", "text")
    assert caught.value.item_id == "kernel"


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_guard_cannot_be_copied_or_pickled(copied: Callable[[HmsGuard], object]) -> None:
    with pytest.raises(TypeError, match="an HmsGuard holds a lock and can't be copied or pickled"):
        copied(guard())


def test_a_guard_shows_its_settings() -> None:
    assert (
        repr(guard("strict")) == "HmsGuard(strict, budget=10, strategy=stratified, counter=Words)"
    )


def test_a_text_of_lone_surrogates_is_checked_like_any_other() -> None:
    text = "\ud800 \udfff"
    assert HmsGuard().check("kernel", text).text is text


def test_a_section_of_5_megabytes_is_checked_whole() -> None:
    text = "word " * 1_000_000
    section = guard().check("kernel", text)
    assert (section.text is text, section.tokens) == (True, 1_000_000)


def test_an_empty_section_is_no_overflow(caplog: pytest.LogCaptureFixture) -> None:
    assert guard().check("kernel", "").within
    assert caplog.records == []


def test_a_counter_for_which_nothing_costs_something_is_believed() -> None:
    config = HmsConfig(hms_system_prompt_token_budget=6)
    assert not HmsGuard(config, Framed()).check("kernel", "").within


def test_a_counter_for_which_all_is_free_lets_all_pass() -> None:
    assert HmsGuard(HmsConfig(hms_budget_mode="strict"), Zeroes()).check("kernel", words(9)).within


def test_a_strict_overflow_is_caught_as_every_overflow() -> None:
    with pytest.raises(BudgetOverflowError):
        guard("strict").enforce("kernel", OVER)
