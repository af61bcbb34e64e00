"""What is declared: the lines of a window, and the window."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Self

from ._checks import check_choice, check_int, check_type, refuse_class, refuse_type
from ._mapping import declared
from .errors import BudgetPolicyError, escaped
from .items import BudgetKind
from .overflow import OverflowAction, check_action
from .truncation import TruncationPolicy, check_truncation

OTHERS = "*"  # the kind of the line for all kinds that have none


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """What may happen to the content of one kind.

    Args:
        kind: A `BudgetKind`, its spelling, any other non-empty string, or "*": all kinds
            without a line of their own, as one pool.
        action: What happens to what doesn't fit.
        limit: Tokens that the line never exceeds; None leaves that to the whole.
        floor: Tokens that no other line can take, as far as there is content for them; pinned
            items count towards it.
        weight: An int >= 1: the line shares, by weight, what the lines without a weight leave.
            None: the line takes what it needs, in the order declared.
        truncation: How to cut; None means the default policy.

    Raises:
        TypeError: For an argument of a wrong type.
        BudgetPolicyError: For an empty kind, a number that is too small, or a floor over the
            limit.
    """

    kind: BudgetKind | str
    action: OverflowAction
    _: KW_ONLY
    limit: int | None = None
    floor: int = 0
    weight: int | None = None
    truncation: TruncationPolicy | None = None

    def __post_init__(self) -> None:
        """Refuse what isn't a line, and turn a usual kind's spelling into the member."""
        check_type("kind", self.kind, str)
        if not self.kind:
            raise BudgetPolicyError("kind must be a BudgetKind or another non-empty string, got ''")
        usual = (kind for kind in BudgetKind if kind == self.kind)
        object.__setattr__(self, "kind", next(usual, self.kind))
        check_action(self.action)
        if self.limit is not None:
            check_int("limit", self.limit, 0)
        check_int("floor", self.floor, 0)
        if self.weight is not None:
            check_int("weight", self.weight, 1)
        check_truncation(self.truncation)
        if self.limit is not None and self.floor > self.limit:
            raise BudgetPolicyError(
                f"floor must be within the limit of {self.limit:,}, got {self.floor:,}"
                f" (line {escaped(self.kind)})"
            )


@dataclass(frozen=True, slots=True)
class BudgetPolicy:
    """A window: its lines under one limit.

    Args:
        limit: Tokens of the whole window, >= 0.
        lines: One per kind, in the order in which they are served; at least one.
        reserved: Tokens of the limit that are for something else: the answer, framing.

    Raises:
        TypeError: For an argument of a wrong type.
        BudgetPolicyError: For a negative number, a reserve that leaves nothing, no line at all,
            two lines for one kind, or floors that add up to more than is available.
    """

    limit: int
    lines: tuple[BudgetLine, ...]
    reserved: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        """Refuse what can't hold, before any content is there."""
        check_int("limit", self.limit, 0)
        check_int("reserved", self.reserved, 0)
        if self.reserved and self.reserved >= self.limit:
            raise BudgetPolicyError(
                f"reserved must be under the limit of {self.limit:,}, got {self.reserved:,}"
            )
        object.__setattr__(self, "lines", _checked_lines(self.lines))
        floors = sum(line.floor for line in self.lines)
        if floors > self.available:
            raise BudgetPolicyError(
                f"lines have floors of {floors:,} tokens together, {floors - self.available:,} over"
                f" the {self.available:,} available; lower a floor or raise the limit"
            )

    @property
    def available(self) -> int:
        """Tokens for content: the limit without the reserve."""
        return self.limit - self.reserved

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object]) -> Self:
        """Return the policy that TOML or JSON declare.

        The keys are the names of the arguments: `limit`, `reserved` and `lines`, a list of
        mappings with `kind`, `action` ("fail", "drop" or "truncate"), `limit`, `floor`,
        `weight` and `truncation`, a mapping with the arguments of `TruncationPolicy`.

        Args:
            mapping: Such as `tomllib.loads(text)["tool"]["budget"]`.

        Raises:
            TypeError: For an entry of a wrong type; like the next it says where: "lines[2].floor".
            BudgetPolicyError: For an unknown key, with the nearest valid one, for a missing key,
                and for everything that the constructors refuse.
        """
        return declared(cls, mapping, "", lines=_read_lines)


def _checked_lines(lines: Iterable[BudgetLine]) -> tuple[BudgetLine, ...]:
    if not isinstance(lines, Iterable):
        raise refuse_type("lines", "a tuple of BudgetLine", lines)
    checked = tuple(lines)
    if not checked:
        raise BudgetPolicyError("lines must hold at least one BudgetLine, got none")
    places: dict[str, int] = {}
    for place, line in enumerate(checked):
        if not isinstance(line, BudgetLine):
            raise refuse_class(f"lines[{place}]", BudgetLine, line)
        first = places.setdefault(line.kind, place)
        if first != place:
            raise BudgetPolicyError(
                f"lines[{first}] and lines[{place}] are both for {escaped(line.kind)};"
                " declare one line for a kind"
            )
    return checked


def _read_lines(value: object, where: str) -> object:
    if not isinstance(value, list | tuple):
        raise refuse_type(where, "a list of mappings", value)
    return tuple(
        declared(
            BudgetLine,
            entry,
            f"{where}[{place}]",
            action=_read_action,
            truncation=_read_truncation,
        )
        for place, entry in enumerate(value)
    )


def _read_action(value: object, where: str) -> object:
    check_choice(where, value, [action.value for action in OverflowAction])
    return OverflowAction(value)


def _read_truncation(value: object, where: str) -> object:
    return None if value is None else declared(TruncationPolicy, value, where)
