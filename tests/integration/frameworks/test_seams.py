"""What every seam has to do, by what arrives at the other end of the wire."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import pytest

from budget.errors import BudgetOverflowError, HmsBudgetExceededError
from budget.hms import HmsConfig, HmsGuard
from tests.integration.frameworks import (
    langchain,
    openai_agents,
    pydantic_ai,
    raw_anthropic,
    raw_openai,
    wire,
)
from tests.integration.frameworks.measuring import (
    ANSWER,
    COUNTER,
    LIMIT,
    SYSTEM,
    holds,
    is_valid,
    received,
    size,
    strict,
)
from tests.integration.frameworks.wire import LONG, ROUNDS, Answer, Case, Wire, look
from tests.messages.plans import Message
from tests.messages.pricing import result_costs


@dataclass(frozen=True, slots=True)
class Seam:
    """A framework, and how it is run."""

    provider: str
    answer: Answer
    run: Callable[[Case], Sequence[object]]
    run_async: Callable[[Case], Awaitable[Sequence[object]]]


SEAMS: Final = {
    "OpenAI": Seam("openai", wire.chat, raw_openai.run, raw_openai.run_async),
    "Anthropic": Seam("anthropic", wire.anthropic, raw_anthropic.run, raw_anthropic.run_async),
    "LangChain": Seam("anthropic", wire.anthropic, langchain.run, langchain.run_async),
    "OpenAI Agents": Seam(
        "openai-responses", wire.responses, openai_agents.run, openai_agents.run_async
    ),
    "pydantic-ai": Seam("openai", wire.chat, pydantic_ai.run, pydantic_ai.run_async),
}


TINY: Final = HmsConfig(hms_budget_mode="warn", hms_system_prompt_token_budget=5)
CASES: Final = list(product(SEAMS, ("sync", "async")))
each_case = pytest.mark.parametrize(("name", "kind"), CASES)


def run(name: str, kind: str, case: Case) -> str:
    """Run an agent, and return what its caller holds at the end."""
    seam = SEAMS[name]
    with asyncio.Runner() as runner:
        if kind == "async":
            return str(runner.run(_run_async(seam, case)))
        # What a framework runs to be synchronous would leave its own loop open.
        asyncio.set_event_loop(runner.get_loop())
        return str(seam.run(case))


async def _run_async(seam: Seam, case: Case) -> Sequence[object]:
    return await seam.run_async(case)


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of a run."""

    provider: str
    bodies: list[Message]
    held: str


def ran(name: str, kind: str, limit: int = LIMIT, ceiling: int | None = None) -> Ran:
    wire = Wire(SEAMS[name].answer)
    held = run(name, kind, Case(wire, limit=limit, tool_result_limit=ceiling))
    return Ran(SEAMS[name].provider, wire.bodies, held)


@pytest.fixture(scope="module", params=CASES, ids=", ".join)
def found(request: pytest.FixtureRequest) -> Ran:
    return ran(*request.param)


def test_the_agent_ran_to_its_end(found: Ran) -> None:
    assert len(found.bodies) == ROUNDS + 1


def test_what_the_model_received_is_valid(found: Ran) -> None:
    assert all(is_valid(body, found.provider) for body in found.bodies)


def test_what_the_model_received_is_within_the_limit(found: Ran) -> None:
    assert max(size(body, found.provider) for body in found.bodies) <= LIMIT


def test_no_more_is_dropped_than_a_round_too_much(found: Ran) -> None:
    two_results = 2 * COUNTER.count(look("the drawer")) + 100
    assert size(found.bodies[-1], found.provider) + two_results > LIMIT


def test_the_oldest_calls_are_gone(found: Ran) -> None:
    assert not holds(found.bodies[-1], "call_1_0")


def test_the_newest_calls_are_there(found: Ran) -> None:
    assert holds(found.bodies[-1], f"call_{ROUNDS}_1")


def test_the_question_is_there(found: Ran) -> None:
    assert "Where is the letter?" in json.dumps(found.bodies[-1])


def test_the_caller_still_holds_everything(found: Ran) -> None:
    assert all(f"call_{number}_0" in found.held for number in range(1, ROUNDS + 1))


@each_case
def test_where_all_fits_all_is_sent(name: str, kind: str) -> None:
    found = ran(name, kind, limit=10 * LIMIT)
    assert holds(found.bodies[-1], "call_1_0")
    assert size(found.bodies[-1], found.provider) > 2 * LIMIT


@each_case
def test_a_long_result_is_cut_in_what_is_sent_and_whole_in_what_is_held(
    name: str, kind: str
) -> None:
    found = ran(name, kind, ceiling=60)
    assert max(result_costs(received(found.bodies[-1], found.provider), COUNTER)) <= 60
    assert LONG in found.held


@each_case
def test_a_strict_guard_aborts_with_nothing_sent(name: str, kind: str) -> None:
    wire = Wire(SEAMS[name].answer)
    with pytest.raises(HmsBudgetExceededError):
        run(name, kind, Case(wire, strict(5)))
    assert wire.bodies == []


@each_case
def test_what_cannot_fit_aborts_with_nothing_sent(name: str, kind: str) -> None:
    wire = Wire(SEAMS[name].answer)
    with pytest.raises(BudgetOverflowError):
        run(name, kind, Case(wire, limit=ANSWER))
    assert wire.bodies == []


@each_case
def test_the_least_limit_that_a_refusal_names_holds(name: str, kind: str) -> None:
    wire = Wire(SEAMS[name].answer, rounds=0)
    with pytest.raises(BudgetOverflowError) as refused:
        run(name, kind, Case(wire, limit=ANSWER))
    run(name, kind, Case(wire, limit=refused.value.needed))
    assert size(wire.bodies[0], SEAMS[name].provider) <= refused.value.needed


@each_case
def test_a_warning_guard_lets_the_text_pass_unaltered(name: str, kind: str) -> None:
    wire, guard = Wire(SEAMS[name].answer, rounds=0), HmsGuard(TINY, COUNTER)
    run(name, kind, Case(wire, guard))
    assert guard.latched
    assert SYSTEM in json.dumps(wire.bodies)
