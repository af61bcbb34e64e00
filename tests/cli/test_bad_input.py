"""What the command line says to what it can't do: one line, where and why, and no traceback."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from budget.cli import main
from tests.cli.conftest import SOURCES, TURN, Run, process

GOOD = b'{"item_id": "a", "kind": "memory", "text": "one two"}\n'
FIT = ("fit", "--limit", "5", "--action", "drop")

LINES = [
    (b'{"item_id": "b", "kind": "memory", "text": "cut off\n', "not JSON"),
    (b"nonsense\n", "not JSON: Expecting value (column 1)"),
    (b'["a list"]\n', "expected an object, got list"),
    (b'{"item_id": "b", "kind": "memory"}\n', "missing field 'text'"),
    (b'{"kind": "memory", "text": "t"}\n', "missing field 'item_id'"),
    (b'{"item_id": "b", "kind": "memory", "text": 5}\n', "text must be a str, got int"),
    (b'{"item_id": "b", "kind": "memory", "text": null}\n', "text must be a str, got NoneType"),
    (b'{"item_id": "b", "kind": "", "text": "t"}\n', "kind must be"),
    (b'{"item_id": "b", "kind": "x", "text": "t", "order": 1.5}\n', "order must be an int"),
    (
        b'{"item_id": "b", "kind": "x", "text": "t", "order": true}\n',
        "order must be an int, got bool",
    ),
    (b'{"item_id": "b", "kind": "x", "text": "t", "pinned": 1}\n', "pinned must be a bool"),
    (b'{"item_id": "b", "kind": "x", "txt": "t"}\n', "unknown field 'txt'; did you mean 'text'?"),
    (b'{"item_id": "b", "kind": "x", "zzz": "t"}\n', "unknown field 'zzz'; fields are item_id,"),
    (b'{"item_id": "b", "item_id": "c", "kind": "x", "text": "t"}\n', "a field is given twice"),
    (b'{"item_id": "a", "kind": "x", "text": "t"}\n', "the id a was given before, at -:1"),
    (b'{"item_id": "b", "text": "\xff"}\n', "not UTF-8 from byte 26 on"),
    (b"[" * 100_000 + b"\n", "nested too deeply"),
    (b'{"order": ' + b"9" * 5_000 + b"}\n", "a number has too many digits"),
]


@pytest.mark.parametrize(("line", "reason"), LINES, ids=[reason for _, reason in LINES])
def test_a_bad_line_is_named_with_its_place_and_reason(run: Run, line: bytes, reason: str) -> None:
    found = run(*FIT, stdin=GOOD + line)
    assert found.code == 2
    assert found.err.startswith("budget: -:2: ")
    assert reason in found.err
    assert found.err.count("\n") == 1
    assert found.out == b""


def test_no_error_quotes_the_text(run: Run) -> None:
    for line in (b'{"item_id": 1, "kind": "x", "text": "s3cret"}', b'{"text": "s3cret"', b"s3cret"):
        assert "s3cret" not in run(*FIT, stdin=GOOD + line).err


FILES = [
    ("missing.txt", None, "can't be read: No such file or directory"),
    ("binary.dat", b"\x89PNG\r\n\x1a\n\x00", "not UTF-8 from byte 0 on"),
    ("latin.txt", "Köln".encode("latin-1"), "not UTF-8 from byte 1 on"),
]


@pytest.mark.parametrize(("name", "data", "reason"), FILES, ids=[name for name, _, _ in FILES])
def test_a_file_that_is_no_text_is_named(
    run: Run, tmp_path: Path, name: str, data: bytes | None, reason: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    found = run("count", str(tmp_path / name))
    assert (found.code, found.err) == (2, f"budget: {tmp_path / name}: {reason}\n")


def test_a_folder_and_a_name_that_is_none_are_no_files(run: Run, tmp_path: Path) -> None:
    assert "can't be read" in run("count", str(tmp_path)).err
    assert run("count", "a\0b").err == "budget: a\\x00b: can't be read: not a path\n"


def test_a_file_that_breaks_while_it_is_read_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(io.BytesIO):
        def __next__(self) -> bytes:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "open", lambda *_: Broken(GOOD + GOOD))
    assert run("count", "a.txt").err == "budget: a.txt: can't be read: Input/output error\n"


def test_an_empty_file_is_an_empty_text_or_no_items(run: Run, tmp_path: Path) -> None:
    for name, expected in (("empty.txt", 1), ("empty.jsonl", 0)):
        (tmp_path / name).touch()
        found = run("count", "--json", str(tmp_path / name))
        assert len(json.loads(found.out)["items"]) == expected


def test_control_characters_of_the_input_are_escaped(run: Run) -> None:
    line = json.dumps({"item_id": "a\x1b[31m\u202e", "kind": "x", "text": "word " * 99}).encode()
    found = run(*FIT, stdin=line)
    assert "a\\x1b[31m\\u202e" in found.err
    assert "\x1b" not in found.err
    assert "\\x1b" in run("count", "missing\x1b").err


CALLS = [
    (("fit", "--limit", "5"), "the following arguments are required: --action"),
    (("fit", "--action", "drop"), "--action needs --limit or --policy"),
    (("fit",), "the following arguments are required: --limit or --policy"),
    (("truncate",), "the following arguments are required: --limit"),
    (("fit", "--limit", "many", "--action", "drop"), "expected a whole number"),
    (("fit", "--limit", "9" * 5_000, "--action", "drop"), "of at most 4,300 digits"),
    (("fit", "--limit", "5", "--action", "explode"), "invalid choice: 'explode'"),
    (("count", "--lim", "5"), "unrecognized arguments: --lim"),
    (("count", "--\x1b"), "unrecognized arguments: --\\x1b"),
    ((), "the following arguments are required: COMMAND"),
]


@pytest.mark.parametrize(("arguments", "reason"), CALLS, ids=[reason for _, reason in CALLS])
def test_a_call_that_cannot_be_is_one_line_and_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    told = capsys.readouterr().err
    assert stopped.value.code == 2
    assert reason in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--limit", "-5"), "limit must be >= 0, got -5"),
        (("--limit", "5", "--head-share", "2"), "head_share must be from 0 to 1, got 2.0"),
        (("--limit", "5", "--quantum", "0"), "quantum must be >= 1, got 0"),
        (("--limit", "5", "--min-tokens", "-1"), "min_tokens must be >= 0, got -1"),
    ],
)
def test_a_value_that_cannot_be_is_refused(run: Run, options: tuple[str, ...], reason: str) -> None:
    found = run("fit", "--action", "drop", *options, stdin=GOOD)
    assert (found.code, found.err) == (2, f"budget: {reason}\n")


def test_content_over_the_limit_is_a_finding(run: Run) -> None:
    found = run("fit", "--limit", "10000", "--action", "fail", str(TURN))
    assert (found.code, found.out) == (1, b"")
    assert found.err.startswith("budget: content needs 18800 tokens but the budget is 10000,")


def test_pinned_content_over_the_limit_is_a_finding(run: Run) -> None:
    found = run("fit", "--limit", "100", "--action", "drop", str(TURN))
    assert found.code == 1
    assert (
        "(system-rules, domain-order-service, contract-format-safety, user-question)" in found.err
    )


def test_a_text_without_an_acceptable_cut_is_a_finding(run: Run) -> None:
    found = run("truncate", "--limit", "0", stdin=b"some text")
    assert (found.code, found.out) == (1, b"")
    assert found.err.startswith("-: dropped, no acceptable cut fits\n")


def test_a_closed_pipe_is_no_failure() -> None:
    command = f"{sys.executable} -m budget fit --limit 99999 --action drop {TURN} | head -c 9"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],  # noqa: S607 - the shell that the runner has
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONPATH": SOURCES},
    )
    assert (done.returncode, done.stdout) == (0, b'{"item_id')
    assert b"Traceback" not in done.stderr


def test_a_full_disk_is_told() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "budget", "count", str(TURN)],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=os.environ | {"PYTHONPATH": SOURCES},
        )
    assert done.returncode == 2
    assert done.stderr.endswith(b"budget: can't write the output: No space left on device\n")


def test_an_interrupted_run_says_so_and_shows_no_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "budget", "count"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": SOURCES},
    ) as running:
        assert running.stdin is not None
        running.stdin.write(b"first line\n" * 100_000)  # more than a pipe holds: it is reading
        running.stdin.flush()
        running.send_signal(signal.SIGINT)
        _, told = running.communicate()
    assert (running.returncode, told) == (130, b"budget: interrupted\n")


def test_output_is_utf8_whatever_the_locale() -> None:
    found = process(
        "truncate",
        "--limit",
        "9",
        stdin="Grüße 世界 🧠".encode(),
        PYTHONIOENCODING="ascii",
        LC_ALL="C",
    )
    assert found.out == "Grüße 世界 🧠".encode()


def test_a_lone_surrogate_goes_out_as_an_escape(run: Run) -> None:
    line = b'{"item_id": "a", "kind": "x", "text": "half \\ud83d"}\n'
    assert b'"text": "half \\ud83d"' in run(*FIT, stdin=line).out


def test_the_version_and_the_help_go_to_standard_output() -> None:
    assert process("--version").out == b"budgetline 0.1.0\n"
    assert b"examples:" in process("fit", "--help").out


def test_a_name_behind_two_dashes_may_begin_with_a_dash(run: Run) -> None:
    assert run("count", "--", "-nothing").err.startswith("budget: -nothing: can't be read")
