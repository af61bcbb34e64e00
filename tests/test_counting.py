"""The embedded estimate, and counters from functions."""

import functools

import pytest

from budget import CallableCounter, CounterError, EstimatingCounter, TokenCounter
from budget.counting import counter_name
from tests.counters import Words
from tests.making import drop, fail, item, revived, row, texts

# Hundredths of a token a character, as "Output changed" protects them: median and safe.
CLASSES = {
    "letter": ("a", 24, 39),
    "capital": ("Z", 24, 39),
    "digit": ("7", 63, 100),
    "punctuation": ("{", 49, 80),
    "space": (" ", 3, 4),
    "newline": ("\n", 100, 100),
    "tab": ("\t", 57, 100),
    "carriage return": ("\r", 57, 100),
    "control": ("\x00", 100, 200),
    "delete": ("\x7f", 100, 200),
    "Latin with marks": ("é", 65, 200),
    "Greek": ("λ", 45, 157),
    "Cyrillic": ("я", 28, 75),
    "Hebrew": ("א", 45, 200),
    "Arabic": ("م", 38, 117),
    "Thaana": ("\u0784", 49, 284),
    "Devanagari": ("क", 42, 272),
    "Thai": ("ก", 42, 272),
    "Georgian": ("ა", 49, 284),
    "arrow": ("→", 139, 295),
    "kana": ("こ", 70, 134),
    "Han": ("好", 75, 185),
    "Hangul": ("한", 77, 192),
    "full width": ("\uff21", 74, 300),
    "emoji": ("\U0001f600", 184, 356),
    "lone surrogate": ("\ud83d", 77, 192),
}
every_class = pytest.mark.parametrize("name", CLASSES)


def _rounded_up(hundredths: int) -> int:
    return -(-hundredths // 100)


@every_class
@pytest.mark.parametrize("length", [1, 7, 100])
def test_an_estimate_is_the_weight_of_the_class_rounded_up(name: str, length: int) -> None:
    character, weight, _ = CLASSES[name]
    assert EstimatingCounter().count(character * length) == _rounded_up(weight * length)


@every_class
@pytest.mark.parametrize("length", [1, 7, 100])
def test_a_safe_estimate_is_no_more_than_the_bytes(name: str, length: int) -> None:
    character, _, weight = CLASSES[name]
    size = len(character.encode("utf-8", "surrogatepass")) * length
    found = EstimatingCounter(safe=True).count(character * length)
    assert found == min(_rounded_up(weight * length), size)


def test_a_step_between_letter_and_digit_costs_extra() -> None:
    # Three letters, three digits, five steps of 39.
    assert EstimatingCounter().count("a1b2c3") == _rounded_up(3 * 24 + 3 * 63 + 5 * 39)


def test_a_step_costs_extra_in_a_safe_estimate_too() -> None:
    # Two letters, eight other characters, and one step of 200 in between.
    text = "a1" + " " * 100
    assert EstimatingCounter(safe=True).count(text) == _rounded_up(39 + 100 + 400 + 200)


@pytest.mark.parametrize("safe", [False, True])
def test_nothing_costs_nothing(safe: bool) -> None:  # noqa: FBT001
    assert EstimatingCounter(safe=safe).count("") == 0


@pytest.mark.parametrize("text", ["你好世界", "こんにちは世界", "안녕하세요 세계"])
def test_wide_scripts_are_not_four_characters_a_token(text: str) -> None:
    characters = len(text.replace(" ", ""))
    assert EstimatingCounter().count(text) >= -(-6 * characters // 10)


def test_one_character_lines_are_not_three_characters_a_token() -> None:
    assert EstimatingCounter().count("1\n" * 30_000) >= 30_000


def test_an_estimate_says_that_it_is_one() -> None:
    assert EstimatingCounter().name == "estimate"
    assert EstimatingCounter(safe=True).name == "safe estimate"


def test_an_estimating_counter_is_a_value() -> None:
    assert EstimatingCounter(safe=True) == revived(EstimatingCounter(safe=True))
    assert EstimatingCounter() != EstimatingCounter(safe=True)
    assert repr(EstimatingCounter()) == "EstimatingCounter(safe=False)"


def test_control_token_spellings_are_plain_text() -> None:
    plain = item("a", "chapter 3 explains <|endoftext|> and <|im_start|> markers")
    assert texts(drop([plain], 1_000, counter=EstimatingCounter())) == [plain.text]
    assert EstimatingCounter().count(plain.text) > 8


class _Caller:
    """Callable, and without a name of its own."""

    def __call__(self, text: str) -> int:
        return len(text)


def _codes(text: str) -> list[int]:
    return [*map(ord, text)]


def test_a_function_counts() -> None:
    assert CallableCounter(len).count("four") == 4


def test_an_encode_counts_by_the_length_of_what_it_returns() -> None:
    assert CallableCounter(_codes, length=True).count("four") == 4


def test_an_annotation_is_not_looked_at() -> None:
    def lying(text: str) -> int:
        return len(text)

    lying.__annotations__ = {"text": "NoSuchName", "return": "list[int]"}
    assert CallableCounter(lying).count("four") == 4


def test_an_object_that_can_be_called_counts() -> None:
    assert CallableCounter(_Caller()).count("four") == 4


def test_a_counter_from_a_function_goes_by_its_name() -> None:
    assert CallableCounter(_codes, length=True).name == "_codes"
    assert CallableCounter(_Caller()).name == "_Caller"
    assert CallableCounter(functools.partial(int, base=10)).name == "partial"


def test_a_counter_from_a_function_can_be_given_a_name() -> None:
    assert CallableCounter(len, "characters").name == "characters"


def test_a_counter_from_a_function_pickles_as_the_function_does() -> None:
    assert revived(CallableCounter(_codes, "codes", length=True)) == CallableCounter(
        _codes, "codes", length=True
    )


def test_a_list_where_a_number_is_wanted_is_refused_with_the_remedy() -> None:
    with pytest.raises(CounterError, match=r"list for item a.*length=True"):
        drop([item("a")], 9, counter=CallableCounter(_codes))


def test_a_number_where_an_encoding_is_wanted_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"fn's answer with length=True must be a sequence, got int"
    ):
        drop([item("a")], 9, counter=CallableCounter(len, length=True))


async def _later(text: str) -> int:
    return len(text)


class _Later:
    async def __call__(self, text: str) -> int:
        return len(text)


@pytest.mark.parametrize("fn", [_later, _Later(), functools.partial(_later)])
def test_an_async_function_is_refused(fn: _Later) -> None:
    with pytest.raises(TypeError, match="fn must be a function that isn't async"):
        CallableCounter(fn)


def test_a_counter_without_a_name_goes_by_its_class() -> None:
    assert counter_name(Words()) == "Words"


def test_a_name_that_is_no_string_is_no_name() -> None:
    class Odd(Words):
        __slots__ = ()

        @property
        def name(self) -> int:
            return 3

    assert counter_name(Odd()) == "Odd"


def test_any_object_with_a_count_is_a_counter() -> None:
    class Codes:
        def count(self, text: str, /) -> int:
            return len(text)

    counter: TokenCounter = Codes()
    assert fail(row("four"), 4, counter=counter).total_tokens == 4
