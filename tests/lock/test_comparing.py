"""What differs from a lock, what of it is a problem, and in which order it is told."""

from fractions import Fraction

import pytest

from budget.errors import LockError
from budget.lock import Entry, Lock, Problem, Tolerance, compare


def lock(**tokens: int) -> Lock:
    return Lock(tuple(Entry(path, size, "c") for path, size in tokens.items()))


def problems(
    before: Lock, after: Lock, tolerance: Tolerance | None = None
) -> dict[str, str | None]:
    return {
        each.name: each.problem and each.problem.value for each in compare(before, after, tolerance)
    }


def test_what_is_equal_is_not_in_it() -> None:
    assert compare(lock(a=5), lock(a=5)) == ()


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        (lock(a=5), lock(a=6), "growth"),
        (lock(a=5), lock(a=4), None),
        (lock(a=5), lock(), "missing"),
        (lock(), lock(a=5), "new"),
        (lock(a=0), lock(a=1), "growth"),
        (Lock((Entry("a", 5, "c", limit=5),)), lock(a=6), "over"),
        (Lock((Entry("a", 6, "c", limit=5),)), lock(a=6), "over"),
        (Lock((Entry("a", 5, "other"),)), lock(a=5), "counter"),
        (Lock((Entry("a", 5, "other"),)), lock(a=500), "counter"),
    ],
)
def test_each_problem_has_its_name(before: Lock, after: Lock, problem: str | None) -> None:
    assert problems(before, after) == {"a": problem}


def test_a_limit_is_not_tolerant() -> None:
    before = Lock((Entry("a", 5, "c", limit=5),))
    assert problems(before, lock(a=6), Tolerance(99)) == {"a": "over"}


@pytest.mark.parametrize(
    ("tolerance", "most"),
    [
        (Tolerance(), 0),
        (Tolerance(7), 7),
        (Tolerance(percent=5), 10),
        (Tolerance(percent=Fraction("2.6")), 5),
        (Tolerance(7, 5), 10),
        (Tolerance(12, 5), 12),
    ],
)
def test_growth_up_to_the_larger_tolerance_is_none(tolerance: Tolerance, most: int) -> None:
    assert tolerance.of(200) == most
    assert problems(lock(a=200), lock(a=200 + most), tolerance) == ({"a": None} if most else {})
    assert problems(lock(a=200), lock(a=201 + most), tolerance) == {"a": "growth"}


def test_the_largest_growth_comes_first_and_ties_go_by_path() -> None:
    before, after = lock(a=5, b=5, c=5, d=50, e=5), lock(a=6, b=9, c=9, d=1, f=4)
    assert [(each.name, each.growth) for each in compare(before, after)] == [
        ("b", 4),
        ("c", 4),
        ("f", 4),
        ("a", 1),
        ("e", -5),
        ("d", -49),
    ]


def test_a_difference_has_both_entries() -> None:
    (missing,) = compare(lock(a=5), lock())
    assert (missing.before, missing.after) == (Entry("a", 5, "c"), None)


def test_counts_of_two_counters_are_no_growth() -> None:
    (found,) = compare(Lock((Entry("a", 5, "other"),)), lock(a=500))
    assert found.growth == 0


def test_every_problem_has_a_remedy_of_its_own() -> None:
    assert len({problem.remedy for problem in Problem}) == len(Problem)


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ((1.5, 0), TypeError, "tokens must be an int"),
        ((0, 1.5), TypeError, "percent must be an int or a Fraction"),
        ((0, True), TypeError, "percent must be an int or a Fraction"),
        ((-1, 0), LockError, "tokens must be >= 0"),
        ((0, -1), LockError, "percent must be >= 0"),
    ],
)
def test_a_tolerance_that_is_none_is_refused(
    values: tuple[int, int], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Tolerance(*values)
