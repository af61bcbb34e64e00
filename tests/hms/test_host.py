"""A host framework with settings of its own, and an agent of two hundred turns."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

import pytest

from budget.cache import Block, Layer, validate_ladder
from budget.errors import HmsBudgetExceededError
from budget.hms import HmsGuard
from tests.counters import Words
from tests.hms.stage import Hook, advisories, words

TURNS: Final = 200
BUDGET: Final = 100
LARGEST: Final = 80 + 39  # the kernel, and the memory of every fortieth turn

Request = dict[str, list[Block]]


@dataclass(frozen=True)
class FrameworkConfig:
    """What such frameworks have: four settings that a guard reads, among others."""

    model: str = "model"
    temperature: float = 0.2
    context_strategy: str = "stratified"
    hms_budget_mode: str = "warn"
    hms_system_prompt_token_budget: int | None = BUDGET
    on_hms_budget_exceeded: Callable[[str, int, int], object] | None = None


@dataclass
class Agent:
    """Builds a request a turn; what is in it was checked, or isn't in it."""

    config: FrameworkConfig
    requests: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.guard = HmsGuard(self.config, Words())

    def turn(self, number: int) -> None:
        request: Request = {}
        self.requests.append(request)
        layers = [
            Layer("kernel", words(80), "1h"),
            Layer("memory", f"turn {words(number % 40)}", "5m"),
            Layer("clock", f"now: {number}"),
        ]
        section = self.guard.check_layers("system", layers, separator="\n")
        request["system"] = section.anthropic_blocks()
        request["messages"] = []

    def run(self) -> int:
        """Return how many turns were refused."""
        refused = 0
        for number in range(TURNS):
            before = len(self.requests)
            try:
                self.turn(number)
            except HmsBudgetExceededError:
                refused += 1
                assert self.requests[before:] == [{}]
        return refused


def test_in_warn_mode_two_hundred_turns_give_one_advisory_and_one_hook_call(
    caplog: pytest.LogCaptureFixture,
) -> None:
    hook = Hook()
    agent = Agent(FrameworkConfig(on_hms_budget_exceeded=hook))
    assert agent.run() == 0
    assert len(advisories(caplog.records)) == 1
    assert hook.calls == [("system", BUDGET + 1, BUDGET)]


def test_in_warn_mode_every_request_is_whole() -> None:
    agent = Agent(FrameworkConfig())
    agent.run()
    assert [len(request["system"]) for request in agent.requests] == [3] * TURNS
    assert not any(validate_ladder(system=request["system"]) for request in agent.requests)


def test_in_strict_mode_a_turn_that_fails_leaves_nothing_half_stamped() -> None:
    hook = Hook()
    agent = Agent(FrameworkConfig(hms_budget_mode="strict", on_hms_budget_exceeded=hook))
    refused = agent.run()
    assert refused == sum(request == {} for request in agent.requests) > 0
    assert all("system" in request for request in agent.requests if request)
    assert hook.calls == [("system", BUDGET + 1, BUDGET)]


def test_in_strict_mode_every_overflow_is_counted() -> None:
    agent = Agent(FrameworkConfig(hms_budget_mode="strict"))
    assert agent.run() == agent.guard.overflows["system"]


def test_pinned_to_the_recommendation_strict_mode_passes() -> None:
    measured = Agent(FrameworkConfig())
    measured.run()
    pinned = measured.guard.recommended_budget()
    assert (measured.guard.peak, pinned) == (LARGEST + 1, 144)
    config = replace(
        measured.config, hms_budget_mode="strict", hms_system_prompt_token_budget=pinned
    )
    assert Agent(config).run() == 0


def test_pinned_to_less_than_the_peak_strict_mode_refuses() -> None:
    config = FrameworkConfig(hms_budget_mode="strict", hms_system_prompt_token_budget=LARGEST)
    assert Agent(config).run() == TURNS // 40


def test_each_agent_instance_has_a_gate_of_its_own() -> None:
    hook = Hook()
    for _ in range(3):
        agent = Agent(FrameworkConfig(on_hms_budget_exceeded=hook))
        with suppress(HmsBudgetExceededError):
            agent.run()
    assert len(hook.calls) == 3
