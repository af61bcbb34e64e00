"""The adapter around toktok-rs, with a stand-in for it."""

import sys

import pytest

from budget import BudgetPolicyError
from budget.errors import MissingPackageError
from budget.tokenizers import ToktokCounter
from tests.making import Untyped, revived
from tests.tokenizers.fakes import FakeToktok

untyped: Untyped = ToktokCounter


def test_a_missing_package_names_the_extra() -> None:
    with pytest.raises(MissingPackageError, match=r"toktok-rs .* 'budgetline\[toktok\]'"):
        ToktokCounter("o200k_base")


@pytest.mark.usefixtures("toktok")
def test_it_counts_all_of_a_text() -> None:
    assert ToktokCounter("o200k_base").count("four") == 4


@pytest.mark.usefixtures("toktok")
def test_its_name_says_which_encoding() -> None:
    assert ToktokCounter("o200k_base").name == "toktok:o200k_base"


@pytest.mark.usefixtures("toktok")
def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(BudgetPolicyError, match="got 'gpt2'"):
        ToktokCounter("gpt2")


@pytest.mark.usefixtures("toktok")
def test_an_estimate_is_refused() -> None:
    with pytest.raises(BudgetPolicyError, match="jev is no encoding but an estimate"):
        ToktokCounter("jev")


@pytest.mark.usefixtures("toktok")
def test_what_is_no_name_is_refused() -> None:
    with pytest.raises(TypeError, match="encoding must be a str"):
        untyped(4)


@pytest.mark.usefixtures("toktok")
def test_a_lone_surrogate_counts_as_one_replacement() -> None:
    assert ToktokCounter("o200k_base").count("a\ud800b") == 3


@pytest.mark.usefixtures("toktok")
def test_a_pickle_counts() -> None:
    assert revived(ToktokCounter("o200k_base")).count("four") == 4


@pytest.mark.usefixtures("toktok")
def test_tiktoken_s_encodings_have_count_within() -> None:
    assert ToktokCounter("o200k_base").count_within("four", 4) == 4
    assert ToktokCounter("o200k_base").count_within("four", 3) is None


@pytest.mark.usefixtures("toktok")
def test_others_have_no_count_within() -> None:
    assert not hasattr(ToktokCounter("qwen3.5"), "count_within")


def test_a_package_that_goes_away_is_named_again(
    toktok: FakeToktok, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = ToktokCounter("o200k_base")
    monkeypatch.setitem(sys.modules, toktok.__name__, None)
    with pytest.raises(MissingPackageError):
        counter.count("text")


@pytest.mark.usefixtures("toktok")
def test_a_second_count_asks_the_tokenizer_that_is_there() -> None:
    counter = ToktokCounter("o200k_base")
    assert (counter.count("four"), counter.count("fives")) == (4, 5)
