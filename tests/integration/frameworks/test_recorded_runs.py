"""Recorded runs of a real agent, continued in every seam that can be handed such a history."""

from __future__ import annotations

from itertools import product
from typing import Final

import pytest

from tests.integration.frameworks.measuring import is_valid, received, size, strict
from tests.integration.frameworks.recorded import RUNS, recorded
from tests.integration.frameworks.test_seams import SEAMS, run
from tests.integration.frameworks.wire import Case, Wire
from tests.messages.plans import Message

LIMIT: Final = 5_500
NAMES: Final = ("OpenAI", "LangChain", "OpenAI Agents")
CASES: Final = list(product(RUNS, NAMES, ("sync", "async")))


@pytest.fixture(scope="module", params=CASES, ids=", ".join)
def sent(request: pytest.FixtureRequest) -> tuple[str, list[Message], int]:
    """Return the provider, the requests, and how many messages the run has."""
    recording, name, kind = request.param
    system, begin = recorded(recording)
    wire = Wire(SEAMS[name].answer, rounds=3)
    run(name, kind, Case(wire, strict(2_000), LIMIT, system, begin))
    return SEAMS[name].provider, wire.bodies, len(begin)


def test_what_the_model_received_is_valid(sent: tuple[str, list[Message], int]) -> None:
    provider, bodies, _ = sent
    assert all(is_valid(body, provider) for body in bodies)


def test_what_the_model_received_is_within_the_limit(
    sent: tuple[str, list[Message], int],
) -> None:
    provider, bodies, _ = sent
    assert max(size(body, provider) for body in bodies) <= LIMIT


def test_something_had_to_go(sent: tuple[str, list[Message], int]) -> None:
    provider, bodies, messages = sent
    assert len(received(bodies[0], provider)) < messages
