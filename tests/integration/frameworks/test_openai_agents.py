"""What is OpenAI Agents' own: the session beside the run."""

from __future__ import annotations

import asyncio
import json

from agents import Runner, SQLiteSession

from tests.integration.frameworks import wire
from tests.integration.frameworks.measuring import holds, received
from tests.integration.frameworks.openai_agents import ENOUGH, agent, config
from tests.integration.frameworks.wire import ROUNDS, Case, Wire


async def _two_runs(case: Case) -> list[object]:
    session = SQLiteSession("drawers")
    for question in ("Where is the letter?", "And the key?"):
        await Runner.run(
            agent(case), question, session=session, max_turns=ENOUGH, run_config=config(case)
        )
    items: list[object] = [*await session.get_items()]
    session.close()
    return items


def test_a_session_stores_everything_once() -> None:
    case = Case(Wire(wire.responses))
    stored = json.dumps(asyncio.run(_two_runs(case)))
    assert not holds(case.wire.bodies[-1], "call_1_0")
    assert stored.count('"function_call_output"') == ROUNDS * 4 // 3
    assert stored.count("Where is the letter?") == stored.count("And the key?") == 1


def test_thinking_goes_with_its_calls() -> None:
    case = Case(Wire(wire.responses))
    asyncio.run(_two_runs(case))
    items = received(case.wire.bodies[ROUNDS], "openai-responses")
    kinds = [str(item.get("type", item.get("role"))) for item in items]
    assert kinds[:3] == ["user", "reasoning", "function_call"]
