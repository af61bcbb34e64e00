"""A guard with everything around it that can be observed: its hook, its log, what it raises."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal, get_args

from budget.errors import HmsBudgetExceededError
from budget.hms import HmsConfig, HmsGuard
from tests.counters import Words

Mode = Literal["warn", "strict"]
MODES: tuple[Mode, ...] = get_args(Mode)
BUDGET = 10
UNDER, AT, OVER = 9, 10, 12

INTERRUPTS = (KeyboardInterrupt, SystemExit, asyncio.CancelledError, GeneratorExit)


class Failed(Exception):  # noqa: N818 - it stands for anything that a hook may raise
    """What a hook raises."""


def words(number: int) -> str:
    return "word " * number


def nothing() -> None:
    """Do nothing."""


def fail() -> None:
    raise Failed


def interrupt() -> None:
    raise KeyboardInterrupt


@dataclass
class Hook:
    """Keeps its calls, and does what it is told to."""

    act: Callable[[], object] = nothing
    calls: list[tuple[str, int, int]] = field(default_factory=list)

    def __call__(self, layer_name: str, requested_tokens: int, budget: int, /) -> object:
        self.calls.append((layer_name, requested_tokens, budget))
        return self.act()


def guard(mode: Mode = "warn", hook: Hook | None = None, budget: int = BUDGET) -> HmsGuard:
    config = HmsConfig(
        hms_budget_mode=mode, hms_system_prompt_token_budget=budget, on_hms_budget_exceeded=hook
    )
    return HmsGuard(config, Words())


def advisories(records: list[logging.LogRecord]) -> list[logging.LogRecord]:
    return [record for record in records if "exceeds token budget" in record.getMessage()]


def fires(checked: HmsGuard) -> bool:
    """Say whether the gate was open: an overflow closes it then."""
    was_latched = checked.latched
    with suppress(HmsBudgetExceededError):
        checked.enforce("probe", OVER)
    return checked.latched and not was_latched
