"""The plan of a window: who is granted how much, and once more within less while it is over."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from ._measure import Measure, Measured
from ._section import Section, cap
from .errors import BudgetOverflowError
from .items import FittedItem, OverflowResult

# Rounds that shrink by what the whole measured in proportion, then by its excess.
_IN_PROPORTION = 8
_BY_EXCESS = 16

_tokens_of = attrgetter("tokens")
_total_order = attrgetter("item.order", "item_id")


def plan(sections: Sequence[Section], available: int) -> list[OverflowResult]:
    """Return the result of each section, as planned in sums; `available` holds all pinned.

    Lines without a weight are served first, in the order declared.
    """
    rights = _rights(sections, available)
    left, served = available, dict[Section, OverflowResult]()
    for section in sorted(sections, key=lambda section: section.line.weight is not None):
        if section.line.weight is None:
            grant = _most(section, rights, left, available)
        else:
            grant = _share_of_the_first(rights, left, available)
        served[section] = section.fitted(grant)
        del rights[section]
        left -= served[section].total_tokens
    return [served[section] for section in sections]


def _rights(sections: Sequence[Section], available: int) -> dict[Section, int]:
    """Return what each is granted whatever the others want: pinned items, then the floor."""
    rights = {}
    spare = available - sum(section.pinned for section in sections)
    for section in sections:
        floor = min(section.line.floor, cap(section.line, available))
        room = min(floor, section.pinned + spare)
        rights[section] = max(section.pinned, section.content(room))
        spare -= rights[section] - section.pinned
    return rights


def _most(section: Section, rights: dict[Section, int], left: int, available: int) -> int:
    """Return what the rights of the others leave to one that isn't served yet."""
    others = sum(rights.values()) - rights[section]
    return min(cap(section.line, available), left - others)


def _share_of_the_first(rights: dict[Section, int], left: int, available: int) -> int:
    # Imported where lines have weights: it takes fractions, which cost as much as all the rest.
    from ._allocation import Claim, shares  # noqa: PLC0415

    claims = [
        Claim(right, section.content(_most(section, rights, left, available)), weight)
        for section, right in rights.items()
        if (weight := section.line.weight) is not None
    ]
    return shares(claims, left)[0]


class Window(NamedTuple):
    """All sections, what is available to them, and how the whole is measured."""

    sections: Sequence[Section]
    available: int
    measure: Measure

    def settled(self) -> tuple[list[OverflowResult], Measured]:
        """Return the result of each section, and the whole, measured to fit."""
        pinned = self._pinned()
        within, rounds = self.available, 0
        results, whole = self._planned(within)
        while whole.tokens > self.available:
            if within == pinned:
                return self._bare(whole)
            rounds += 1
            used = sum(result.total_tokens for result in results)
            within = max(self._less(rounds, used, whole.tokens), pinned)
            results, whole = self._planned(within)
        return results, whole

    def _pinned(self) -> int:
        """Return what is pinned, in sums, and refuse it where it is over its line or the whole."""
        for section in self.sections:
            limit = section.line.limit
            if limit is not None and section.pinned > limit:
                raise _pinned_error([section], section.pinned, min(limit, self.available))
        pinned = sum(section.pinned for section in self.sections)
        self._refuse_pinned(pinned)
        return pinned

    def _refuse_pinned(self, needed: int) -> None:
        if needed > self.available:
            holders = [section for section in self.sections if section.kept]
            raise _pinned_error(holders, needed, self.available) from None

    def _planned(self, within: int) -> tuple[list[OverflowResult], Measured]:
        try:
            results = plan(self.sections, within)
        except BudgetOverflowError as error:
            self._alone()
            if within < self.available:
                error.add_note(
                    f"the whole was measured to be over {self.available:,} tokens,"
                    f" so the lines were planned again within {within:,}"
                )
            raise
        kept = [fitted for result in results for fitted in result.kept]
        return results, self.measure(kept, sum(result.total_tokens for result in results))

    def _less(self, rounds: int, used: int, measured: int) -> int:
        if rounds <= _IN_PROPORTION:
            return used * self.available // measured
        return used - (measured - self.available) if rounds <= _BY_EXCESS else 0

    def _alone(self) -> Measured:
        """Measure the pinned items, and refuse them if they are over."""
        pinned = [fitted for section in self.sections for fitted in section.kept]
        alone = self.measure(pinned, sum(section.pinned for section in self.sections))
        self._refuse_pinned(alone.tokens)
        return alone

    def _bare(self, whole: Measured) -> tuple[list[OverflowResult], Measured]:
        """Keep nothing unpinned: also what costs nothing by itself is too much in the whole."""
        alone = self._alone()
        return [section.bare(whole.tokens, self.available) for section in self.sections], alone


def _pinned_error(sections: Sequence[Section], needed: int, limit: int) -> BudgetOverflowError:
    """Return the error for pinned items of these sections that need more than `limit`."""
    pinned: list[FittedItem] = [fitted for section in sections for fitted in section.kept]
    largest_first = sorted(sorted(pinned, key=_total_order), key=_tokens_of, reverse=True)
    ids = tuple(fitted.item_id for fitted in largest_first)
    actions = {section.line.action for section in sections}
    error = BudgetOverflowError(needed, limit, actions.pop() if len(actions) == 1 else None, ids)
    error.lines = tuple(section.line.kind for section in sections)
    return error
