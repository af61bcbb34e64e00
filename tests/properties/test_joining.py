"""What holds when one string is measured instead of a sum."""

from dataclasses import replace

from hypothesis import given

from budget import BudgetOverflowError, FittedItem, OverflowResult
from tests.counters import Recording
from tests.joined import joined, losing, prefixes, render_of, size_of
from tests.strategies import Case


def outcome(case: Case) -> OverflowResult | tuple[object, ...]:
    """Return the result, or everything that the refusal says."""
    try:
        return case.apply()
    except BudgetOverflowError as error:
        return error.args


def kept_whole(case: Case) -> set[str]:
    return {fitted.item_id for fitted in case.apply().kept if not fitted.truncated}


@given(losing())
def test_the_limit_is_hard(case: Case) -> None:
    sent = render_of(case)(kept) if (kept := case.apply().kept) else ""
    assert not kept or case.counter.count(sent) <= case.limit


@given(losing())
def test_the_total_is_the_count_of_what_is_sent(case: Case) -> None:
    result = case.apply()
    assert result.rendered is not None
    assert result.total_tokens == (case.counter.count(result.rendered) if result.kept else 0)


@given(losing())
def test_what_is_sent_is_what_is_kept(case: Case) -> None:
    result = case.apply()
    assert result.rendered == (render_of(case)(result.kept) if result.kept else "")


@given(losing())
def test_what_is_sent_was_counted(case: Case) -> None:
    recording = Recording(case.counter)
    result = replace(case, counter=recording).apply()
    assert not result.kept or result.rendered in recording.texts


@given(losing())
def test_what_survives_fits_as_it_is_sent(case: Case) -> None:
    survivors = [item for item in case.items if item.item_id in kept_whole(case)]
    assert size_of(case, survivors) <= case.limit


@given(losing())
def test_one_survivor_more_would_not_have_fitted(case: Case) -> None:
    survivors = kept_whole(case)
    more = next(p for p in prefixes(case.items) if not {i.item_id for i in p} <= survivors)
    assert {item.item_id for item in more[:-1]} == survivors
    assert size_of(case, more) > case.limit


@given(joined())
def test_what_fits_comes_back_as_the_same_objects(case: Case) -> None:
    costs = sum(case.counter.count(item.text) for item in case.items)
    limit = max(size_of(case, case.items), -(-costs // 4))
    result = replace(case, limit=limit).apply()
    assert all(a.text is b.text for a, b in zip(result.kept, case.items, strict=True))


@given(losing())
def test_a_render_sees_kept_items_in_the_order_of_arrival(case: Case) -> None:
    seen: list[tuple[FittedItem, ...]] = []
    render, ids = render_of(case), [item.item_id for item in case.items]

    def watched(kept: tuple[FittedItem, ...]) -> str:
        seen.append(kept)
        return render(kept)

    replace(case, separator=None, render=watched).apply()
    positions = [[ids.index(fitted.item_id) for fitted in kept] for kept in seen]
    assert all(places and places == sorted(places) for places in positions)


@given(joined())
def test_a_separator_is_the_render_that_joins(case: Case) -> None:
    rendered = replace(case, separator=None, render=render_of(case))
    assert outcome(case) == outcome(rendered)
