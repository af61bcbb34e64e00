"""Shares, as numbers: exact, fair, and to the last token."""

from hypothesis import given
from hypothesis import strategies as st

from budget._allocation import Claim, shares

HUGE = 10**20


@st.composite
def claims(draw: st.DrawFn, top: int = HUGE) -> tuple[list[Claim], int]:
    """Draw claims and a room that holds what they get at least; most of them want more."""
    drawn = []
    for _ in range(draw(st.integers(1, 5))):
        low = draw(st.integers(0, top))
        drawn.append(Claim(low, low + draw(st.integers(0, top)), draw(st.integers(1, top))))
    lows, highs = (sum(claim.low for claim in drawn), sum(claim.high for claim in drawn))
    return drawn, draw(st.integers(lows, highs + 1))


small_or_huge = claims(9) | claims()


@given(small_or_huge)
def test_shares_add_up_to_the_room_or_to_all_that_can_be_used(
    case: tuple[list[Claim], int],
) -> None:
    drawn, room = case
    assert sum(shares(drawn, room)) == min(room, sum(claim.high for claim in drawn))


@given(small_or_huge)
def test_a_share_is_between_its_ends(case: tuple[list[Claim], int]) -> None:
    drawn, room = case
    given = zip(drawn, shares(drawn, room), strict=True)
    assert all(claim.low <= share <= claim.high for claim, share in given)


@given(small_or_huge)
def test_nobody_has_more_for_its_weight_than_one_who_could_use_it(
    case: tuple[list[Claim], int],
) -> None:
    """To the token that rounding moves: one less here and one more there would be no better."""
    drawn, room = case
    given = list(zip(drawn, shares(drawn, room), strict=True))
    wanting = [(claim, share) for claim, share in given if share < claim.high]
    giving = [(claim, share) for claim, share in given if share > claim.low]
    for poor, little in wanting:
        for rich, much in giving:
            assert (much - 1) * poor.weight < (little + 1) * rich.weight or poor is rich


def test_equal_weights_split_evenly_and_the_first_gets_the_odd_token() -> None:
    assert shares([Claim(0, 9, 1)] * 3, 10) == [4, 3, 3]


def test_the_odd_token_goes_to_one_that_was_rounded_down() -> None:
    # The level is 7/3: the first share is its floor, 5, and nothing of it was lost.
    assert shares([Claim(5, 9, 1), Claim(0, 9, 1), Claim(0, 9, 2)], 12) == [5, 3, 4]


def test_a_room_that_holds_only_the_least_is_shared_so() -> None:
    assert shares([Claim(2, 9, 1), Claim(1, 9, 5)], 3) == [2, 1]


def test_more_room_than_can_be_used_gives_everybody_the_most() -> None:
    assert shares([Claim(0, 2, 1), Claim(0, 0, 1)], 9) == [2, 0]


def test_shares_are_exact_where_a_float_is_not() -> None:
    assert shares([Claim(0, HUGE, 1), Claim(0, HUGE, 1)], HUGE + 1) == [
        HUGE // 2 + 1,
        HUGE // 2,
    ]
