from typing import Final

import pytest

from budget import EstimatingCounter, OverflowAction, apply_overflow
from tests.cases import ACTIONS, item, words

ESTIMATES: Final = (EstimatingCounter(), EstimatingCounter(safe=True))


# CNT-01
@pytest.mark.parametrize("counter", ESTIMATES)
@pytest.mark.parametrize("spelling", ["<|endoftext|>", "<|im_start|>", "[INST]", "</s>", "<bos>"])
def test_a_spelled_control_token_costs_what_any_such_word_costs(
    counter: EstimatingCounter, spelling: str
) -> None:
    plain = "".join("x" if character.isalpha() else character for character in spelling)
    assert counter.count(f"chapter 3 {spelling}") == counter.count(f"chapter 3 {plain}")


# CNT-01
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("counter", ESTIMATES)
def test_a_text_about_control_tokens_is_kept_like_any_other(
    counter: EstimatingCounter, action: OverflowAction
) -> None:
    text = "page 12 says <|endoftext|> ends it and <|fim_prefix|> opens it"
    result = apply_overflow([item("page", text)], 1_000, action, counter)
    assert result.kept[0].text is text
    assert result.total_tokens > 8


# CNT-08
@pytest.mark.parametrize("counter", ESTIMATES)
@pytest.mark.parametrize(
    "text",
    [
        "你好世界",
        "こんにちは世界",
        "안녕하세요 세계",
        "ガギグゲゴ",
        "漢字。かな。",
        "請問廁所在哪裡",
    ],
)
def test_an_estimate_of_a_wide_script_is_no_quarter_of_its_characters(
    counter: EstimatingCounter, text: str
) -> None:
    assert 10 * counter.count(text) >= 6 * len(text.replace(" ", ""))


# CNT-08
@pytest.mark.parametrize("counter", ESTIMATES)
def test_wide_characters_within_english_are_counted_as_wide(counter: EstimatingCounter) -> None:
    gained = counter.count("please read this " + "漢字" * 50) - counter.count("please read this ")
    assert gained >= 60


# CNT-08
def test_an_estimate_of_english_stays_near_a_quarter_of_its_characters() -> None:
    text = "hello world again, and so on for a while"
    assert EstimatingCounter().count(text) == pytest.approx(len(text) / 4, abs=2)


# CNT-08
@pytest.mark.parametrize("counter", ESTIMATES)
def test_an_estimate_of_nothing_is_zero(counter: EstimatingCounter) -> None:
    assert counter.count("") == 0


# CNT-09
@pytest.mark.parametrize("counter", ESTIMATES)
@pytest.mark.parametrize("line", ["1\n", "a\n", ";\n", "é\n", "7\r\n", "漢\n"])
def test_every_line_of_one_character_costs_a_token_at_least(
    counter: EstimatingCounter, line: str
) -> None:
    assert counter.count(line * 30_000) >= 30_000


# CNT-09
@pytest.mark.parametrize("counter", ESTIMATES)
@pytest.mark.parametrize("digits", ["1234567890", "0", "314159265\n", "12,7;", "99 "])
def test_every_three_digits_of_a_table_cost_a_token_at_least(
    counter: EstimatingCounter, digits: str
) -> None:
    text = digits * 3_000
    assert 3 * counter.count(text) >= sum(map(str.isdigit, text))


# CNT-09
@pytest.mark.parametrize("counter", ESTIMATES)
def test_an_estimate_calls_itself_one(counter: EstimatingCounter) -> None:
    assert "estimate" in counter.name


# ERG-01
def test_a_rough_counter_is_ready_without_arguments() -> None:
    result = apply_overflow(
        [item(name, words(4)) for name in "abcd"], 10, OverflowAction.DROP, EstimatingCounter()
    )
    assert 0 < result.total_tokens <= 10
