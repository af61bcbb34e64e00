"""Threads, tasks and forks: of all overflows one delivers, and nobody waits for it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Barrier, Event, Lock, Thread

import pytest

from budget._gate import Gate, ProcessLock
from budget.errors import HmsBudgetExceededError
from budget.hms import HmsGuard
from tests.hms.stage import (
    BUDGET,
    MODES,
    OVER,
    Hook,
    Mode,
    advisories,
    fires,
    guard,
    nothing,
    words,
)

THREADS = 16
ROUNDS = 40
LATEST = 20  # seconds after which a test that hangs has failed

every_mode = pytest.mark.parametrize("mode", MODES)
forking = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def at_once(act: Callable[[], None], threads: int = THREADS) -> int:
    """Run `act` in many threads that start together; return how often it was refused."""
    barrier = Barrier(threads)
    refusals: list[HmsBudgetExceededError] = []

    def run() -> None:
        barrier.wait(LATEST)
        try:
            act()
        except HmsBudgetExceededError as error:
            refusals.append(error)

    crew = [Thread(target=run) for _ in range(threads)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join(LATEST)
    assert not any(thread.is_alive() for thread in crew)
    return len(refusals)


@every_mode
def test_of_sixteen_threads_at_once_one_delivers(
    mode: Mode, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(ROUNDS):
        caplog.clear()
        hook = Hook()
        guarded = guard(mode, hook)
        refused = at_once(lambda: guarded.enforce("kernel", OVER))  # noqa: B023 - used here only
        assert hook.calls == [("kernel", OVER, BUDGET)]
        assert len(caplog.records) == (1 if mode == "warn" else 0)
        assert refused == (0 if mode == "warn" else THREADS)


def test_no_overflow_of_sixteen_threads_is_lost() -> None:
    guarded = guard()

    def measure() -> None:
        for tokens in range(500):
            guarded.enforce("kernel", tokens)

    at_once(measure)
    assert guarded.overflows == {"kernel": THREADS * (500 - BUDGET - 1)}
    assert guarded.peaks == {"kernel": 499}


@every_mode
def test_nobody_waits_for_a_hook(mode: Mode) -> None:
    inside, done = Event(), Event()

    def wait() -> None:
        inside.set()
        assert done.wait(LATEST)

    hook = Hook(wait)
    guarded = guard(mode, hook)

    def overflow() -> None:
        with suppress(HmsBudgetExceededError):
            guarded.enforce("slow", OVER)

    thread = Thread(target=overflow)
    thread.start()
    assert inside.wait(LATEST)
    refused = at_once(lambda: guarded.enforce("kernel", OVER))
    assert (guarded.latched, guarded.peak) == (False, OVER)
    done.set()
    thread.join(LATEST)
    assert hook.calls == [("slow", OVER, BUDGET)]
    assert refused == (0 if mode == "warn" else THREADS)
    assert guarded.latched


def test_a_section_checked_by_sixteen_threads_is_the_same_in_all() -> None:
    guarded = guard()
    text = words(OVER)
    texts: list[str] = []
    at_once(lambda: texts.append(guarded.check("kernel", text).text))
    assert [found is text for found in texts] == [True] * THREADS


def test_two_guards_deliver_one_each(caplog: pytest.LogCaptureFixture) -> None:
    hooks = Hook(), Hook()
    first, second = (guard("warn", hook) for hook in hooks)

    def overflow() -> None:
        first.enforce("a", OVER)
        second.enforce("b", OVER)

    at_once(overflow, 64)
    assert [hook.calls for hook in hooks] == [[("a", OVER, BUDGET)], [("b", OVER, BUDGET)]]
    assert sorted(vars(record)["budget_layer"] for record in caplog.records) == ["a", "b"]


async def _turns(guarded: HmsGuard, layer: str) -> None:
    for _ in range(5):
        await asyncio.sleep(0)
        with suppress(HmsBudgetExceededError):
            guarded.enforce(layer, OVER)


@every_mode
def test_of_tasks_that_interleave_one_delivers(
    mode: Mode, caplog: pytest.LogCaptureFixture
) -> None:
    hook = Hook()
    guarded = guard(mode, hook)

    async def main() -> None:
        await asyncio.gather(*(_turns(guarded, f"layer {number}") for number in range(10)))

    asyncio.run(main())
    assert hook.calls == [("layer 0", OVER, BUDGET)]
    assert len(advisories(caplog.records)) == (1 if mode == "warn" else 0)
    assert guarded.overflows == {f"layer {number}": 5 for number in range(10)}


def test_a_task_that_is_cancelled_in_its_hook_is_cancelled_and_the_next_delivers() -> None:
    hook = Hook()
    guarded = guard("warn", hook)

    def cancel() -> None:
        raise asyncio.CancelledError

    async def overflow() -> None:
        guarded.enforce("kernel", OVER)

    async def main() -> tuple[bool, bool]:
        hook.act = cancel
        first = asyncio.create_task(overflow())
        await asyncio.wait([first])
        hook.act = nothing
        second = asyncio.create_task(overflow())
        await asyncio.wait([second])
        return first.cancelled(), second.cancelled()

    assert asyncio.run(main()) == (True, False)
    assert hook.calls == [("kernel", OVER, BUDGET)] * 2
    assert guarded.latched


@contextmanager
def another_thread(enter: Callable[[Event, Event], None]) -> Iterator[None]:
    """Keep another thread inside `enter`, which says that it is in and waits until it may go."""
    inside, done = Event(), Event()
    thread = Thread(target=enter, args=(inside, done))
    thread.start()
    assert inside.wait(LATEST)
    yield
    done.set()
    thread.join(LATEST)


def in_a_fork(act: Callable[[], bool]) -> bool:
    """Return what `act` answers in a forked process; one that hangs is killed, and False."""
    child = os.fork()
    if child == 0:
        signal.alarm(LATEST)
        answer = False
        try:
            answer = act()
        finally:
            os._exit(0 if answer else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@forking
def test_a_fork_while_a_hook_runs_elsewhere_delivers_in_both() -> None:
    hook = Hook()
    guarded = guard("warn", hook)

    def overflow(inside: Event, done: Event) -> None:
        def wait() -> None:
            inside.set()
            done.wait(LATEST)

        hook.act = wait
        guarded.enforce("parent", OVER)

    def deliver() -> bool:
        hook.act = nothing
        guarded.enforce("child", OVER)
        return guarded.latched and hook.calls[-1] == ("child", OVER, BUDGET)

    with another_thread(overflow):
        assert in_a_fork(deliver)
        assert not guarded.latched
    assert guarded.latched
    assert hook.calls == [("parent", OVER, BUDGET)]


@forking
def test_a_fork_while_another_thread_holds_the_lock_finds_a_free_one() -> None:
    process_lock = ProcessLock()

    def hold(inside: Event, done: Event) -> None:
        with process_lock():
            inside.set()
            done.wait(LATEST)

    with another_thread(hold):
        assert not process_lock().acquire(blocking=False)
        assert in_a_fork(lambda: process_lock().acquire(blocking=False))


@forking
def test_a_latched_guard_stays_latched_in_a_fork() -> None:
    guarded = guard()
    assert fires(guarded)
    assert in_a_fork(lambda: guarded.latched and not fires(guarded))


@forking
def test_what_was_measured_is_known_in_a_fork() -> None:
    guarded = guard()
    guarded.enforce("kernel", 7)
    assert in_a_fork(lambda: guarded.recommended_budget() == 9)


def test_the_lock_of_a_process_is_always_the_same() -> None:
    process_lock = ProcessLock()
    locks: list[Lock] = []
    at_once(lambda: locks.append(process_lock()))
    assert len(set(map(id, locks))) == 1


def test_only_the_call_that_fires_opens_the_gate_again() -> None:
    gate, mine, other = Gate(), object(), object()
    assert gate.enter(mine)
    gate.reopen(other)
    assert not gate.enter(other)
    gate.reopen(mine)
    assert gate.enter(other)


def test_a_call_that_never_fired_opens_nothing() -> None:
    gate = Gate()
    gate.reopen(object())
    assert gate.enter(object())
