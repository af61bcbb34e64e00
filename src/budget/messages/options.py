"""What a call of `fit_messages` asks for, checked before anything is counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from .._checks import check_choice, check_int, check_type, refuse_type
from ..errors import BudgetPolicyError
from .orphans import OnOrphan

UnitName = Literal["call", "turn"]
OnPinnedOverflow = Literal["error", "cut_results"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of one call, under the names that `fit_messages` gives them."""

    limit: int
    unit: UnitName
    pin_last_user: bool
    pinned: tuple[int, ...]
    step: int
    reserved: int
    tool_result_limit: int | None
    on_pinned_overflow: OnPinnedOverflow
    on_orphan: OnOrphan

    def __post_init__(self) -> None:
        """Refuse what can't hold."""
        check_int("limit", self.limit, 0)
        check_choice("unit", self.unit, get_args(UnitName))
        check_type("pin_last_user", self.pin_last_user, bool)
        check_int("step", self.step, 1)
        if self.step > max(self.limit, 1):
            raise BudgetPolicyError(
                f"step must be <= the limit of {self.limit:,}, got {self.step:,};"
                " a step is what may be dropped beyond need"
            )
        check_int("reserved", self.reserved, 0)
        if self.tool_result_limit is not None:
            check_int("tool_result_limit", self.tool_result_limit, 0)
        check_choice("on_pinned_overflow", self.on_pinned_overflow, get_args(OnPinnedOverflow))
        check_choice("on_orphan", self.on_orphan, get_args(OnOrphan))

    @property
    def allowed(self) -> int:
        """Tokens that the messages may cost."""
        return self.limit - self.reserved

    def check_pinned(self, messages: int) -> None:
        """Refuse indices of messages that aren't there."""
        for index in self.pinned:
            check_int("pinned", index, 0)
            if index >= messages:
                raise BudgetPolicyError(
                    f"pinned names messages[{index}], but the list has {messages:,}"
                )


def indices(pinned: Iterable[int]) -> tuple[int, ...]:
    """Return the pinned indices, or refuse what isn't a list of them."""
    if isinstance(pinned, str | bytes) or not isinstance(pinned, Iterable):
        raise refuse_type("pinned", "a list of indices", pinned)
    return tuple(pinned)
