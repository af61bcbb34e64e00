"""`validate --provider`: a request's history against its provider's rules."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Run

CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
USER = {"role": "user", "content": "Where is it?"}
ORPHAN = {"role": "tool", "tool_call_id": "c9", "content": "In Lille."}
ASKS = {"role": "assistant", "content": None, "tool_calls": [CALL]}
ANSWER = {"role": "tool", "tool_call_id": "c1", "content": "In Lille."}


def lines(data: bytes) -> list[str]:
    return data.decode().splitlines()


def test_a_valid_history_is_no_finding(run: Run) -> None:
    found = run("validate", "--provider", "openai", stdin=json.dumps([USER, ASKS, ANSWER]).encode())
    assert (found.code, found.out, found.err) == (0, b"", "requests 1, violations 0\n")


def test_a_call_without_answer_is_told_with_rule_place_and_remedy(run: Run) -> None:
    found = run("validate", "--provider", "openai", stdin=json.dumps([USER, ASKS]).encode())
    assert found.code == 1
    assert [line.partition(": OC")[0] for line in lines(found.out)] == ["-"]
    assert "messages[1]" in lines(found.out)[0]


def test_a_history_is_only_held_against_rules_that_were_asked_for(run: Run) -> None:
    assert run("validate", stdin=json.dumps([USER, ORPHAN]).encode()).code == 0


@pytest.mark.parametrize(
    ("provider", "key", "message"),
    [
        ("openai", "messages", ORPHAN),
        (
            "openai-responses",
            "input",
            {"type": "function_call_output", "call_id": "k", "output": ""},
        ),
        (
            "anthropic",
            "messages",
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "t", "content": ""}],
            },
        ),
        (
            "gemini",
            "contents",
            {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]},
        ),
    ],
)
def test_each_provider_has_its_history_in_its_own_place(
    run: Run, provider: str, key: str, message: dict[str, object]
) -> None:
    request = json.dumps({key: [message]}).encode()
    assert run("validate", "--provider", provider, stdin=request).code == 1


def test_violations_of_a_history_for_machines(run: Run) -> None:
    call = ("validate", "--provider", "openai", "--json")
    values = json.loads(run(*call, stdin=json.dumps([USER, ORPHAN]).encode()).out)
    assert [found["place"] for found in values["violations"]] == ["messages[1]"]


def test_an_empty_history_is_a_finding_about_all_of_it(run: Run) -> None:
    call = ("validate", "--provider", "openai", "--json")
    values = json.loads(run(*call, stdin=b"[]").out)
    assert [found["place"] for found in values["violations"]] == ["messages"]


def test_a_message_that_cannot_be_read_is_named_with_its_file(run: Run) -> None:
    found = run("validate", "--provider", "openai", stdin=b'[{"role": "nobody"}]')
    assert (found.code, found.out) == (2, b"")
    assert found.err.startswith("budget: -: messages[0]")
    assert found.err.count("\n") == 1
