"""What a terminal gets, and a pipe doesn't: colour, width, a line of progress."""

from __future__ import annotations

import fcntl
import io
import itertools
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest

from budget import BudgetError, EstimatingCounter
from budget._cli import progress as progress_module
from budget._cli.counters import Watched
from budget._cli.progress import Progress
from budget._cli.streams import Stream, is_terminal, wants_colour, width_of
from tests.cli.conftest import SOURCES, TURN, process
from tests.counters import Bounded, Characters

EXPLAIN = ("explain", "--limit", "8000", str(TURN))
CALL = (sys.executable, "-m", "budget", *EXPLAIN)
# A process in which a second passes between any two looks at the clock.
SLOW = """
import itertools, sys
from budget._cli import progress
progress.monotonic = itertools.count().__next__
from budget.cli import main
sys.exit(main())
"""


def on_terminal(*command: str, columns: int = 100, **environment: str) -> tuple[int, str, str]:
    """Run a command whose output and errors are terminals; return what each was shown."""
    terminals = [pty.openpty(), pty.openpty()]
    for _, side in terminals:
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    clean = {name: os.environ[name] for name in os.environ if name != "NO_COLOR"}
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=terminals[0][1],
        stderr=terminals[1][1],
        env=clean | {"PYTHONPATH": SOURCES, "TERM": "xterm"} | environment,
    ) as running:
        for _, theirs in terminals:
            os.close(theirs)
        out, told = (_all_of(ours) for ours, _ in terminals)
    return running.returncode, out, told


def _all_of(terminal: int) -> str:
    pieces: list[bytes] = []
    while True:
        try:
            piece = os.read(terminal, 65_536)
        except OSError:  # Linux says so when the other side is closed
            piece = b""
        if not piece:
            os.close(terminal)
            return b"".join(pieces).decode().replace("\r\n", "\n")
        pieces.append(piece)


def test_a_terminal_gets_colour_in_its_own_width() -> None:
    code, out, _ = on_terminal(*CALL, columns=100)
    plain = re.sub(r"\x1b\[\d+m", "", out)
    assert code == 0
    assert "\x1b[32m█" in out
    assert max(map(len, plain.splitlines())) in range(90, 101)


def test_a_pipe_gets_plain_text_in_80_columns() -> None:
    found = process(*EXPLAIN, TERM="xterm", COLUMNS="200")
    assert b"\x1b" not in found.out
    assert "\x1b" not in found.err
    report = found.out.decode().partition("\n\n limit")[0]
    assert max(map(len, report.splitlines())) == 80


def test_a_terminal_that_wants_no_colour_gets_none() -> None:
    for out in (on_terminal(*CALL, NO_COLOR="1")[1], on_terminal(*CALL, TERM="dumb")[1]):
        assert "\x1b" not in out
        assert "█" in out


def test_an_empty_no_color_is_none() -> None:
    assert "\x1b[32m" in on_terminal(*CALL, NO_COLOR="")[1]


def test_work_of_more_than_a_second_shows_progress_and_takes_it_away() -> None:
    call = (sys.executable, "-c", SLOW, "count", str(TURN))
    _, out, told = on_terminal(*call)
    assert "\r\x1b[Kread 2,055 bytes, counted 0 texts" in told
    assert "counted 42 texts\r\x1b[Kcounted by: estimate" in told
    assert "\x1b" not in out


def test_nothing_of_it_is_shown_in_a_pipe() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SLOW, "count", str(TURN)],
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONPATH": SOURCES},
    )
    assert done.stderr == b"counted by: estimate, not a tokenizer's count\n"


def test_quick_work_shows_none() -> None:
    _, _, told = on_terminal(
        sys.executable, "-c", SLOW.replace("count()", "repeat(0)"), "count", str(TURN)
    )
    assert told == "counted by: estimate, not a tokenizer's count\n"


class Terminal:
    """A terminal of which a test says what it answers."""

    def __init__(self, *, is_one: bool = True) -> None:
        self.is_one = is_one
        self.buffer = io.BytesIO()

    def isatty(self) -> bool:
        return self.is_one

    def fileno(self) -> int:
        raise OSError

    def flush(self) -> None:
        self.buffer.flush()


def test_progress_is_shown_after_a_second_and_then_five_times_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream, now = Terminal(), [0.0]
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress_module, "monotonic", lambda: now[0])
    shown = []
    with Progress() as progress:
        for moment in (0.0, 0.9, 1.0, 1.1, 1.3, 1.4, 1.6):
            now[0] = moment
            before = len(stream.buffer.getvalue())
            progress.count()
            if len(stream.buffer.getvalue()) > before:
                shown.append(moment)
    assert shown == [1.0, 1.3, 1.6]
    assert stream.buffer.getvalue().endswith(b"counted 7 texts\r\x1b[K")


@pytest.mark.parametrize(("stream", "expected"), [(None, False), (Terminal(is_one=False), False)])
def test_what_is_no_terminal_is_none(stream: Stream | None, expected: bool) -> None:  # noqa: FBT001
    assert (is_terminal(stream), wants_colour(stream)) == (expected, expected)
    assert width_of(stream) == 80


@pytest.mark.parametrize(("said", "width"), [(0, 80), (20, 60), (132, 132), (None, 80)])
def test_the_width_is_that_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, said: int | None, width: int
) -> None:
    if said is not None:
        monkeypatch.setattr(Terminal, "fileno", lambda _: 7)
        monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((said, 24)))
    assert width_of(Terminal()) == width


class Ticks:
    """Counts what it was told."""

    def __init__(self) -> None:
        self.told = 0

    def count(self) -> None:
        self.told += 1


def test_a_watched_counter_counts_the_same_and_tells_each_count() -> None:
    ticks = Ticks()
    watched = Watched(Bounded(Characters()), ticks)
    assert (watched.count("abc"), watched.count_within("abc", 2), ticks.told) == (3, None, 2)


def test_a_watched_counter_has_count_within_exactly_when_the_inner_has() -> None:
    assert hasattr(Watched(Bounded(Characters()), Ticks()), "count_within")
    assert not hasattr(Watched(EstimatingCounter(), Ticks()), "count_within")


def test_what_a_counter_raises_becomes_a_line_without_its_words() -> None:
    class Broken:
        name = "broken"

        def count(self, text: str, /) -> int:
            raise ValueError(text)

    with pytest.raises(BudgetError, match=r"^broken raised ValueError$"):
        Watched(Broken(), Ticks()).count("s3cret")


def test_an_error_of_the_package_passes_through_a_watched_counter() -> None:
    class Missing:
        def count(self, text: str, /) -> int:
            raise BudgetError(len(text))

    with pytest.raises(BudgetError, match=r"^3$"):
        Watched(Missing(), Ticks()).count("abc")


def test_no_progress_is_drawn_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal(is_one=False)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress_module, "monotonic", itertools.count().__next__)
    with Progress() as progress:
        for _ in range(9):
            progress.read(1)
    assert stream.buffer.getvalue() == b""


@pytest.mark.parametrize(("value", "wanted"), [("1", False), ("", True), (None, True)])
def test_no_color_is_honoured_unless_it_is_empty(
    monkeypatch: pytest.MonkeyPatch, value: str | None, *, wanted: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if value is not None:
        monkeypatch.setenv("NO_COLOR", value)
    assert wants_colour(Terminal()) is wanted
