"""The adapter around tiktoken, with a stand-in for it."""

import copy
from dataclasses import FrozenInstanceError

import pytest

from budget import BudgetError, BudgetPolicyError, CounterError
from budget.errors import MissingPackageError
from budget.tokenizers import TiktokenCounter
from tests.making import Untyped, revived
from tests.tokenizers.fakes import AT_BLANKS, AT_LINES, FakeEncoding, FakeTiktoken, PanicException

BLANKS = 500_000
untyped: Untyped = TiktokenCounter


class _Panicking(FakeEncoding):
    error: type[BaseException] = PanicException

    def encode_ordinary(self, text: str) -> list[int]:
        raise self.error(f"can't read {text}")


class _Interrupted(_Panicking):
    error = KeyboardInterrupt


class _Failing(_Panicking):
    error = ZeroDivisionError


def test_a_missing_package_names_the_extra() -> None:
    with pytest.raises(MissingPackageError, match=r"pip install 'budgetline\[tiktoken\]'"):
        TiktokenCounter("o200k_base")


def test_an_encoding_needs_no_package() -> None:
    assert TiktokenCounter(FakeEncoding("mine")).count("four") == 4


@pytest.mark.usefixtures("tiktoken")
def test_a_name_counts() -> None:
    assert TiktokenCounter("o200k_base").count("four") == 4


@pytest.mark.usefixtures("tiktoken")
def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        BudgetPolicyError, match=r"one of cl100k_base, gpt2, .*, plugin, r50k_base, got"
    ):
        TiktokenCounter("gpt-4o")


def test_what_cannot_encode_is_refused() -> None:
    with pytest.raises(TypeError, match=r"encoding must be a name or a tiktoken.Encoding, got int"):
        untyped(4)


def test_nothing_is_loaded_before_the_first_count(tiktoken: FakeTiktoken) -> None:
    counter = TiktokenCounter("o200k_base")
    before = dict(tiktoken.loaded)
    counter.count("")
    assert not before
    assert list(tiktoken.loaded) == ["o200k_base"]


def test_a_vocabulary_that_cannot_be_loaded_says_what_to_do(tiktoken: FakeTiktoken) -> None:
    tiktoken.offline = True
    with pytest.raises(BudgetError, match="set TIKTOKEN_CACHE_DIR to a folder") as caught:
        TiktokenCounter("o200k_base").count("text")
    assert isinstance(caught.value.__cause__, ConnectionError)


def test_a_counter_works_once_the_vocabulary_is_there(tiktoken: FakeTiktoken) -> None:
    counter = TiktokenCounter("o200k_base")
    tiktoken.offline = True
    with pytest.raises(BudgetError):
        counter.count("four")
    tiktoken.offline = False
    assert counter.count("four") == 4


def test_its_name_says_which_encoding(tiktoken: FakeTiktoken) -> None:
    assert TiktokenCounter("gpt2").name == "tiktoken:gpt2"
    assert TiktokenCounter(tiktoken.Encoding("mine")).name == "tiktoken:mine"


def test_an_encoding_that_tiktoken_knows_goes_by_its_name(tiktoken: FakeTiktoken) -> None:
    assert TiktokenCounter(tiktoken.get_encoding("gpt2")) == TiktokenCounter("gpt2")


def test_an_encoding_under_a_name_that_is_another_s_stays_itself(tiktoken: FakeTiktoken) -> None:
    own = tiktoken.Encoding("gpt2")
    assert TiktokenCounter(own).encoding is own


def test_a_pickle_is_a_name_and_loads_nothing(tiktoken: FakeTiktoken) -> None:
    counter = TiktokenCounter("gpt2")
    counter.count("text")
    tiktoken.loaded.clear()
    copied = revived(counter)
    assert copied == counter
    assert not tiktoken.loaded
    assert copied.count("four") == 4


@pytest.mark.usefixtures("tiktoken")
def test_an_encoding_of_one_s_own_survives_a_pickle() -> None:
    assert revived(TiktokenCounter(FakeEncoding("mine"))).count("four") == 4


@pytest.mark.usefixtures("tiktoken")
def test_a_copy_counts() -> None:
    assert copy.deepcopy(TiktokenCounter("gpt2")).count("four") == 4


@pytest.mark.usefixtures("tiktoken")
def test_a_counter_is_frozen() -> None:
    counter = TiktokenCounter("gpt2")
    with pytest.raises(FrozenInstanceError):
        counter.encoding = "o200k_base"  # type: ignore[misc]


@pytest.mark.usefixtures("tiktoken")
def test_a_lone_surrogate_counts_as_one_replacement() -> None:
    assert TiktokenCounter("gpt2").count("a\ud800b") == 3


@pytest.mark.usefixtures("tiktoken")
def test_two_surrogates_side_by_side_are_one_character() -> None:
    assert TiktokenCounter("gpt2").count("\ud83d\ude00") == 1


def test_a_panic_becomes_a_counter_error_with_its_cause() -> None:
    with pytest.raises(CounterError, match="PanicException") as caught:
        TiktokenCounter(_Panicking("mine")).count("secret")
    assert isinstance(caught.value.__cause__, PanicException)
    assert caught.value.__notes__ == ["tiktoken:mine panicked on a text of 6 characters"]
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("encoding", [_Interrupted("mine"), _Failing("mine")])
def test_an_interrupt_or_an_error_is_not_a_panic(encoding: _Panicking) -> None:
    with pytest.raises(encoding.error):
        TiktokenCounter(encoding).count("text")


@pytest.mark.usefixtures("tiktoken")
def test_a_text_of_another_type_is_refused_by_the_tokenizer() -> None:
    counter: Untyped = TiktokenCounter("gpt2").count
    with pytest.raises(AttributeError):
        counter(4)


@pytest.mark.usefixtures("tiktoken")
@pytest.mark.parametrize("name", ["gpt2", "o200k_base"])
@pytest.mark.parametrize("after", ["", "word"])
@pytest.mark.parametrize("before", ["", "word"])
def test_a_run_of_blanks_that_the_expression_cannot_read_is_counted(
    before: str, after: str, name: str
) -> None:
    text = before + " " * BLANKS + after
    assert TiktokenCounter(name).count(text) == len(text)


def test_the_last_blank_before_a_word_goes_with_the_word(tiktoken: FakeTiktoken) -> None:
    TiktokenCounter("o200k_base").count("one" + " " * (BLANKS + 1) + "two")
    assert tiktoken.loaded["o200k_base"].asked == [3, 4]


@pytest.mark.usefixtures("tiktoken")
@pytest.mark.parametrize("name", ["gpt2", "o200k_base"])
def test_runs_just_too_short_are_read_once(name: str) -> None:
    text = (" " * (BLANKS - 1) + "x") * 4
    assert TiktokenCounter(name).count(text) == 4 * BLANKS


def test_a_run_before_a_newline_needs_no_help(tiktoken: FakeTiktoken) -> None:
    tiktoken.loaded["o200k_base"] = FakeEncoding("o200k_base", stack=10**6)
    counter = TiktokenCounter("o200k_base")
    assert counter.count(" " * BLANKS + "\n") == BLANKS + 1
    assert tiktoken.loaded["o200k_base"].asked == [BLANKS + 1]


@pytest.mark.usefixtures("tiktoken")
def test_an_encoding_that_tiktoken_does_not_bring_gets_no_help() -> None:
    with pytest.raises(CounterError):
        TiktokenCounter("plugin").count(" " * BLANKS)


@pytest.mark.usefixtures("tiktoken")
@pytest.mark.parametrize("name", [*AT_LINES, *AT_BLANKS])
def test_the_encodings_that_tiktoken_brings_have_count_within(name: str) -> None:
    assert TiktokenCounter(name).count_within("four", 4) == 4
    assert TiktokenCounter(name).count_within("four", 3) is None


@pytest.mark.parametrize(
    ("name", "parts"), [*((name, 3) for name in AT_LINES), *((name, 1) for name in AT_BLANKS)]
)
def test_lines_are_parts_where_the_expression_takes_a_newline_by_itself(
    tiktoken: FakeTiktoken, name: str, parts: int
) -> None:
    text = "a_line\n" * 1_500
    assert TiktokenCounter(name).count_within(text, len(text)) == len(text)
    assert len(tiktoken.loaded[name].asked) == parts


@pytest.mark.parametrize(
    ("name", "parts"), [*((name, 1) for name in AT_LINES), *((name, 2) for name in AT_BLANKS)]
)
def test_a_newline_is_a_blank_of_a_run_where_the_expression_takes_it_so(
    tiktoken: FakeTiktoken, name: str, parts: int
) -> None:
    tiktoken.loaded[name] = FakeEncoding(name, stack=10**6)
    TiktokenCounter(name).count("word" + " " * BLANKS + "\nword")
    assert len(tiktoken.loaded[name].asked) == parts


def test_others_have_no_count_within(tiktoken: FakeTiktoken) -> None:
    assert not hasattr(TiktokenCounter("plugin"), "count_within")
    assert not hasattr(TiktokenCounter(tiktoken.Encoding("gpt2")), "count_within")


def test_a_text_of_more_bytes_than_tokens_can_hold_is_not_read(tiktoken: FakeTiktoken) -> None:
    counter = TiktokenCounter("o200k_base")
    counter.count("")
    tiktoken.loaded["o200k_base"].asked.clear()
    assert counter.count_within("x" * 1_281, 10) is None
    assert tiktoken.loaded["o200k_base"].asked == []
