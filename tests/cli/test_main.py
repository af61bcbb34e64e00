"""What `main` makes of what goes wrong, in this process."""

from __future__ import annotations

import errno
import importlib
import io
import os
import runpy
import sys
from pathlib import Path

import pytest

from budget.cli import main
from tests.cli.conftest import TURN, Run


class Stream:
    """A standard stream whose every write fails."""

    def __init__(self, error: BaseException, descriptor: int) -> None:
        self.error = error
        self.descriptor = descriptor
        self.buffer = self

    def write(self, _: bytes) -> int:
        raise self.error

    def flush(self) -> None:
        """Do nothing: what was written never got here."""

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return self.descriptor


def told(monkeypatch: pytest.MonkeyPatch, error: BaseException, descriptor: int = -1) -> object:
    """Return what main answers when standard output raises."""
    monkeypatch.setattr(sys, "stdout", Stream(error, descriptor))
    return main(["count", str(TURN)])


def test_a_closed_pipe_is_done_and_nothing_is_written_at_exit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with (tmp_path / "out").open("wb") as out:
        assert told(monkeypatch, BrokenPipeError(), out.fileno()) == 0
        os.write(out.fileno(), b"into nothing")
    assert (tmp_path / "out").read_bytes() == b""


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 2, "can't write the output: No space"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_what_stops_the_output_is_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    message: str,
) -> None:
    assert told(monkeypatch, error) == code
    line = capsys.readouterr().err
    assert line.startswith(f"budget: {message}")
    assert line.count("\n") == 1


def test_output_that_is_closed_is_told_and_not_needed_where_nothing_goes_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["count", str(TURN)]) == 2
    assert "can't write the output: Bad file descriptor" in capsys.readouterr().err
    assert main(["check", "--limit", "99999", str(TURN)]) == 0


def test_input_that_is_closed_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["count"]) == 2
    assert capsys.readouterr().err == "budget: -: can't be read: standard input is closed\n"


def test_nobody_has_to_listen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["check", "--limit", "9", str(TURN)]) == 1


def test_a_file_that_breaks_at_its_first_line_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(io.BytesIO):
        def readline(self, _: int | None = -1) -> bytes:
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Path, "open", lambda *_: Broken())
    assert run("count", "a.txt").err == "budget: a.txt: can't be read: Input/output error\n"


def test_the_package_runs_as_a_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["budget", "--version"])
    with pytest.raises(SystemExit) as stopped:
        runpy.run_module("budget", run_name="__main__")
    assert (stopped.value.code, capsys.readouterr().out) == (0, "budgetline 0.1.0\n")


def test_importing_the_module_that_runs_runs_nothing() -> None:
    assert importlib.import_module("budget.__main__").main is main
