"""Running the command line, in this process and as one of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from budget.cli import main

SOURCES = str(Path(__file__).parents[2] / "src")
TURN = Path(__file__).parents[2] / "docs" / "examples" / "agent-turn.jsonl"


@dataclass(frozen=True, slots=True)
class Outcome:
    code: int
    out: bytes
    err: str


class Run(Protocol):
    def __call__(self, *arguments: str, stdin: bytes = b"") -> Outcome: ...


class _Stream:
    """A standard stream with bytes behind it."""

    def __init__(self, data: bytes = b"") -> None:
        self.buffer = io.BytesIO(data)

    def flush(self) -> None:
        self.buffer.flush()

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        raise OSError


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `main` in this process."""

    def run_here(*arguments: str, stdin: bytes = b"") -> Outcome:
        out, err = _Stream(), _Stream()
        monkeypatch.setattr(sys, "stdin", _Stream(stdin))
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        code = main(arguments)
        return Outcome(code, out.buffer.getvalue(), err.buffer.getvalue().decode())

    return run_here


def process(*arguments: str, stdin: bytes = b"", **environment: str) -> Outcome:
    """Run the command line as a process."""
    done = subprocess.run(
        [sys.executable, "-m", "budget", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONPATH": SOURCES} | environment,
    )
    return Outcome(done.returncode, done.stdout, done.stderr.decode())
