"""What an adapter counts is what its tokenizer counts, on all that a text can hold."""

from __future__ import annotations

import pytest

from budget import BudgetItem, OverflowAction, apply_overflow, truncate_text
from budget.tokenizers import TiktokenCounter, ToktokCounter
from tests.integration.tokenizers.adapters import TEXTS, Adapter

MILLION = 1_000_000
SPELLINGS = (
    "chapter 3 explains <|endoftext|> and <|im_start|> markers",
    "<|fim_prefix|><|endofprompt|><|start|>",
    "[CLS] a [SEP] b [PAD] [UNK]",
    "<EOT><META><s></s>",
    "<\uff5cbegin\u2581of\u2581sentence\uff5c><\uff5cend\u2581of\u2581sentence\uff5c>",
)
PLAIN = ("", "\0", "a\0b", "\ufeffa", "\x1b[31m\x07", "\r\n\r", "\u2028", "\U0010ffff")
SURROGATES = ("\ud800", "a\udfffb", "\ud83d\ude00", "\ude00\ud83d", "word \ud83d\ude00\ud83d word")


def test_the_corpus_counts_as_by_the_tokenizer_itself(each: Adapter) -> None:
    assert [each.counter.count(text) for text in TEXTS] == [each.itself(text) for text in TEXTS]


def test_the_whole_corpus_as_one_text_does(each: Adapter) -> None:
    text = "\n\n".join(TEXTS)
    assert each.counter.count(text) == each.itself(text)


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_spelled_control_token_is_plain_text(each: Adapter, text: str) -> None:
    assert each.counter.count(text) == each.itself(text) > 4


def test_an_item_that_spells_one_comes_back_unchanged(each: Adapter) -> None:
    item = BudgetItem("a", "documents", SPELLINGS[0])
    result = apply_overflow([item], 1_000, OverflowAction.DROP, each.counter)
    assert result.kept[0].text is item.text


@pytest.mark.parametrize("text", PLAIN, ids=ascii)
def test_control_characters_count_as_by_the_tokenizer_itself(each: Adapter, text: str) -> None:
    assert each.counter.count(text) == each.itself(text)


@pytest.mark.parametrize("text", SURROGATES, ids=ascii)
def test_lone_surrogates_count_as_their_replacement(each: Adapter, text: str) -> None:
    readable = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert each.counter.count(text) == each.itself(readable)


@pytest.mark.parametrize("character", " a^\n字")
def test_a_megabyte_of_one_character_can_be_counted_and_cut(each: Adapter, character: str) -> None:
    text = character * MILLION
    assert each.counter.count(text) >= 0
    cut = truncate_text(text, 100, each.counter)
    assert each.itself(cut) <= 100


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
@pytest.mark.parametrize("after", ["", "word", "1", "\nword"])
@pytest.mark.parametrize("blank", [" ", "\t", "\u3000"])
def test_a_megabyte_of_blanks_that_tiktoken_cannot_read_counts_as_in_toktok(
    blank: str, after: str, name: str
) -> None:
    text = "word" + blank * MILLION + after
    assert TiktokenCounter(name).count(text) == ToktokCounter(name).count(text)
