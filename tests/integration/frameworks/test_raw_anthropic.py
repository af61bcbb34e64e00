"""What is the raw Anthropic SDK's own: the blocks of the system prompt."""

from __future__ import annotations

from budget.cache import validate_ladder
from tests.integration.frameworks import wire
from tests.integration.frameworks.measuring import COUNTER, SYSTEM
from tests.integration.frameworks.raw_anthropic import run
from tests.integration.frameworks.wire import Case, Wire
from tests.messages.checker import listed


def sent() -> Case:
    case = Case(Wire(wire.anthropic, rounds=0))
    run(case)
    return case


def test_the_system_prompt_arrives_as_it_was_checked_and_stamped() -> None:
    assert sent().wire.bodies[0]["system"] == [
        {"type": "text", "text": SYSTEM, "cache_control": {"type": "ephemeral", "ttl": "1h"}},
        {"type": "text", "text": "\n\nIt is Tuesday."},
    ]


def test_the_ceiling_is_over_what_the_marker_covers() -> None:
    assert sent().guard.peaks == {"system": COUNTER.count(SYSTEM)}


def test_the_request_breaks_no_rule_of_markers() -> None:
    body = sent().wire.bodies[0]
    parts = {name: listed(body[name]) for name in ("tools", "system", "messages")}
    assert validate_ladder(**parts) == ()
