"""The command line as a process: exit codes, closed streams, memory, limits of the machine."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from budget import EstimatingCounter
from budget._cli import counters
from budget.errors import MissingPackageError
from tests.cli.conftest import SOURCES, TURN, Run, process

ENVIRONMENT = os.environ | {"PYTHONPATH": SOURCES}
MEGABYTE = 1_000_000
# The peak of this process alone: what getrusage says includes the one that started it.
MEASURED = """
import re, sys
from budget.cli import main
assert main() == 0
status = open("/proc/self/status").read()
print(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1], file=sys.stderr)
"""


def shell(command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of a shell, in which `budget` is the command line."""
    line = f"budget() {{ '{sys.executable}' -m budget \"$@\"; }}; {command}"
    return subprocess.run(
        ["bash", "-c", line],  # noqa: S607 - the shell that the runner has
        capture_output=True,
        check=False,
        env=ENVIRONMENT,
    )


CODES = [
    (("count", str(TURN)), 0),
    (("truncate", "--limit", "50", str(TURN)), 0),
    (("truncate", "--limit", "0", str(TURN)), 1),
    (("fit", "--limit", "8000", "--action", "drop", str(TURN)), 0),
    (("fit", "--limit", "8000", "--action", "fail", str(TURN)), 1),
    (("check", "--limit", "99999", str(TURN)), 0),
    (("check", "--limit", "8000", str(TURN)), 1),
    (("check", "--lock", "/dev/null"), 2),
    (("explain", str(TURN)), 0),
    (("explain", "--limit", "1", str(TURN)), 1),
    (("validate", "/dev/null"), 2),
    (("count", "missing"), 2),
    (("count", "--counter", "nothing"), 2),
    (("nothing",), 2),
    ((), 2),
    (("--help",), 0),
    (("--version",), 0),
]


@pytest.mark.parametrize(("arguments", "code"), CODES, ids=range(len(CODES)))
def test_every_exit_code(arguments: tuple[str, ...], code: int) -> None:
    found = process(*arguments)
    assert found.code == code
    assert "Traceback" not in found.err
    assert code != 2 or found.err.count("\n") == 1


@pytest.mark.parametrize("command", ["count", "truncate", "fit", "check", "explain", "validate"])
def test_every_command_has_examples_in_its_help_in_any_locale(command: str) -> None:
    found = process(command, "--help", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert found.code == 0
    assert f"examples:\n  python -m budget {command} ".encode() in found.out


@pytest.mark.parametrize("command", ["explain --limit 8000", "check --limit-each 1", "count"])
def test_output_is_utf8_whatever_the_locale(command: str) -> None:
    line = json.dumps({"item_id": "規則", "kind": "Köln", "text": "word " * 9}).encode()
    found = process(*command.split(), stdin=line, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert "規則" in found.out.decode("utf-8")


@pytest.mark.parametrize(
    "command", ["explain", "check --limit-each 1", "fit --limit 9000 --action drop"]
)
def test_a_closed_pipe_is_no_failure(command: str) -> None:
    done = shell(f"budget {command} {TURN} | true; echo ${{PIPESTATUS[0]}}")
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr
    assert done.stdout in {b"0\n", b"1\n"}


def test_streams_that_are_closed_from_the_beginning_are_told_or_missed() -> None:
    closed_input = shell("budget count <&-")
    assert closed_input.returncode == 2
    assert closed_input.stderr == b"budget: -: can't be read: standard input is closed\n"
    closed_output = shell(f"budget count {TURN} >&-")
    assert closed_output.returncode == 2
    assert closed_output.stderr.endswith(b"can't write the output: Bad file descriptor\n")
    closed_errors = shell(f"budget count {TURN} 2>&-")
    assert (closed_errors.returncode, closed_errors.stderr) == (0, b"")
    assert closed_errors.stdout.endswith(b"18,800  total\n")


def test_an_interrupted_update_leaves_the_lock_as_it_was(tmp_path: Path) -> None:
    lock, pipe = tmp_path / "budget.lock.json", tmp_path / "slow.md"
    lock.write_text('{"version": 1, "entries": []}')
    os.mkfifo(pipe)
    with (
        subprocess.Popen(
            [sys.executable, "-m", "budget", "check", "--lock", str(lock), "--update", str(pipe)],
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
        ) as running,
        pipe.open("wb") as writer,
    ):  # opens once the other side reads
        writer.write(b"first line\n")
        writer.flush()
        running.send_signal(signal.SIGINT)
        _, told = running.communicate()
    assert (running.returncode, told) == (130, b"budget: interrupted\n")
    assert lock.read_text() == '{"version": 1, "entries": []}'
    assert sorted(path.name for path in tmp_path.iterdir()) == [lock.name, pipe.name]


def test_a_disk_without_room_leaves_the_lock_as_it_was(tmp_path: Path) -> None:
    lock, file = tmp_path / "budget.lock.json", tmp_path / "a.md"
    file.write_text("one two")
    process("check", "--lock", str(lock), "--update", str(file))
    before = lock.read_bytes()
    file.write_text("one two three")
    done = subprocess.run(
        [sys.executable, "-m", "budget", "check", "--lock", str(lock), "--update", str(file)],
        capture_output=True,
        check=False,
        env=ENVIRONMENT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9, 9)),
    )
    assert (done.returncode, done.stderr) == (
        2,
        f"budget: {lock}: can't be written: File too large\n".encode(),
    )
    assert lock.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.md", lock.name]


def lines(megabytes: int) -> Iterator[bytes]:
    """Yield items of 10,000 characters each."""
    for number in range(megabytes * 100):
        words = f"word{number} " * 999
        text = json.dumps({"item_id": f"m{number}", "kind": "x", "text": words[:10_000]})
        yield text.encode() + b"\n"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a file of 200 MB."""
    path = tmp_path_factory.mktemp("large") / "large.jsonl"
    with path.open("wb") as file:
        file.writelines(lines(200))
    yield path
    path.unlink()


@pytest.mark.parametrize(
    ("command", "most"),
    [
        (("count",), 60),
        (("fit", "--limit", "8000", "--action", "drop"), 260),
        (("check", "--limit", "9999999999"), 280),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else f"{value} MB",
)
def test_200_megabytes_take_no_more_memory_than_their_items_need(
    large: Path, command: tuple[str, ...], most: int
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *command, str(large)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=True,
        env=ENVIRONMENT,
    )
    assert int(done.stderr.split()[-1]) * 1_024 <= most * MEGABYTE


def test_not_enough_memory_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def count(*_: object) -> int:
        raise MemoryError

    monkeypatch.setattr(EstimatingCounter, "count", count)
    found = run("count", str(TURN))
    assert (found.code, found.err) == (2, "budget: not enough memory for these items\n")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing", "got 'nothing'"),
        ("o200k\x1b", "got 'o200k\\x1b'"),
    ],
)
def test_a_counter_that_is_none_is_told(run: Run, name: str, message: str) -> None:
    found = run("count", "--counter", name, str(TURN))
    assert (found.code, found.out) == (2, b"")
    assert message in found.err
    assert found.err.count("\n") == 1


def test_a_package_that_is_missing_is_told_with_its_extra(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def named(name: str) -> None:
        raise MissingPackageError(name, "an-extra")

    monkeypatch.setattr("budget.tokenizers.counter_named", named)
    found = run("count", "--counter", "tiktoken:o200k_base", str(TURN))
    assert found.code == 2
    assert "pip install 'budgetline[an-extra]'" in found.err


def test_a_file_of_a_counter_that_cannot_be_read_is_told(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def named(_: str) -> None:
        raise OSError(2, "No such file or directory")

    monkeypatch.setattr("budget.tokenizers.counter_named", named)
    assert run("count", "--counter", "hf:x", str(TURN)).err == (
        "budget: --counter hf:x: can't be read: No such file or directory\n"
    )


def test_another_counter_counts_and_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Lengths:
        name = "lengths"

        def count(self, text: str, /) -> int:
            return len(text)

    monkeypatch.setitem(counters.COUNTERS, "lengths", Lengths())
    found = run("count", "--counter", "lengths", stdin=b"12345")
    assert found.out.endswith(b"5  total\n")
    assert found.err == "counted by: lengths\n"
    values = json.loads(run("count", "--counter", "lengths", "--json", stdin=b"12345").out)
    assert (values["counter"], values["estimate"]) == ("lengths", False)
