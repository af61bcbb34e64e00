"""`validate`: a request's cache markers against the ladder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

LONG = {"type": "ephemeral", "ttl": "1h"}
SHORT = {"type": "ephemeral"}


def block(marker: object = None, text: str = "words") -> dict[str, object]:
    return {"type": "text", "text": text} | ({} if marker is None else {"cache_control": marker})


def message(*blocks: object) -> dict[str, object]:
    return {"role": "user", "content": list(blocks)}


GOOD: dict[str, object] = {
    "model": "m",
    "system": [block(LONG), block(SHORT)],
    "messages": [message(block(SHORT))],
}
BAD: dict[str, object] = GOOD | {"messages": [message(block(LONG), block(text=" "))]}


def test_a_request_without_a_fault_is_no_finding(run: Run) -> None:
    found = run("validate", stdin=json.dumps(GOOD).encode())
    assert (found.code, found.out, found.err) == (0, b"", "requests 1, violations 0\n")


def test_each_violation_is_a_line_with_its_places(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_text(json.dumps(BAD))
    found = run("validate", str(path))
    assert found.code == 1
    assert found.out.decode().splitlines() == [
        f"{path}: messages[0].content[1]: empty or blank text; leave the block out",
        (
            f"{path}: messages[0].content[0] against system[1]: ttl 1h after ttl 5m;"
            " shorten this one or lengthen the other"
        ),
    ]
    assert found.err == "requests 1, violations 2\n"


def test_violations_for_machines(run: Run) -> None:
    values = json.loads(run("validate", "--json", stdin=json.dumps(BAD).encode()).out)
    assert values["requests"] == 1
    assert values["violations"][1]["rule"] == "order"
    assert values["violations"][1]["place"] == "messages[0].content[0]"
    assert "counter" not in values


def test_of_json_lines_each_line_is_a_request(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "requests.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n\n{json.dumps(BAD)}\n")
    found = run("validate", str(path))
    assert found.err == "requests 2, violations 2\n"
    assert all(line.startswith(f"{path}:3: ") for line in found.out.decode().splitlines())


def test_a_list_is_a_list_of_messages(run: Run) -> None:
    messages = [message(*[block(SHORT)] * 5)]
    found = run("validate", stdin=json.dumps(messages).encode())
    assert b"5 cache markers, 1 over the limit of 4" in found.out


def test_what_is_absent_or_null_or_a_plain_text_carries_no_marker(run: Run) -> None:
    for request in ({}, {"system": "words", "tools": None}):
        assert run("validate", stdin=json.dumps(request).encode()).code == 0


def test_a_byte_order_mark_is_passed_over(run: Run) -> None:
    assert run("validate", stdin=b"\xef\xbb\xbf{}").code == 0


UNUSABLE = [
    (b"", "-: not JSON: Expecting value (column 1)"),
    (b'{\n "a": x}', "-: not JSON: Expecting value (line 2, column 7)"),
    (b'"text"', "-: expected a request or a list of messages, got str"),
    (b'{"tools": {}}', "-: tools must be a list, got dict"),
    (b'{"messages": "text"}', "-: messages must be a list, got str"),
    (b'{"system": 5}', "-: system must be a list, got int"),
    (b'{"system": [], "system": []}', "-: a field is given twice"),
    (b"[" * 100_000, "-: can't be read: nested too deeply"),
    (b"9" * 5_000, "-: can't be read: a number has too many digits"),
    (b"\xff", "-: not UTF-8 from byte 0 on"),
]


@pytest.mark.parametrize(("data", "message"), UNUSABLE, ids=[said for _, said in UNUSABLE])
def test_what_is_no_request_is_one_line(run: Run, data: bytes, message: str) -> None:
    found = run("validate", stdin=data)
    assert (found.code, found.out, found.err) == (2, b"", f"budget: {message}\n")


def test_a_request_that_cannot_be_read_is_told(run: Run, tmp_path: Path) -> None:
    assert run("validate", str(tmp_path)).err.endswith("can't be read: Is a directory\n")
