"""`count_within` is None exactly when the count is over, wherever a text is split."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budget._asking import count_within_of
from budget._tokenizers import blanks, parts
from tests.integration.tokenizers.adapters import (
    TEXTS,
    WITH_COUNT_WITHIN,
    WITHOUT_COUNT_WITHIN,
    adapter,
    tiktoken,
)

regex = import_module("regex")

# What expressions tell apart, and what a normalizer or a surrogate could change.
ALPHABET = (
    *"abAZ09 \t\n\r/.'s{}\"_-=\x00\x1c\x85\xa0\u2028\u3000",
    *"\xe9\xdf\xbd\u01c5\u02b0\u017f\u212a\u0627\u5b57\u306e\U0001f642\u1100\u1161",
    *"\u0301\u0338\u200d\ud83d\ude00",
    *(" ", "\n", "\r\n", "\n\n", "//", "'ll", "e\u0301"),
    *("<think>", "<|endoftext|>", "<\uff5cUser\uff5c>"),
)
HOSTILE = st.lists(st.sampled_from(ALPHABET), min_size=2, max_size=30).map("".join)
JOINED = st.tuples(
    st.sampled_from(("", " ", "\n", "\n\n", "\t", "\r\n")),
    st.lists(st.sampled_from(TEXTS), min_size=5, max_size=25),
).map(lambda drawn: drawn[0].join(drawn[1]))
SPLITS = {
    "o200k_base": parts.AT_BLANKS_AND_LINES,
    "cl100k_base": parts.AT_BLANKS_AND_LINES,
    "p50k_base": parts.AT_BLANKS,
}
RUNS = {
    "o200k_base": blanks.BETWEEN_LINES,
    "cl100k_base": blanks.BETWEEN_LINES,
    "p50k_base": blanks.ACROSS_LINES,
}

every_within = pytest.mark.parametrize("name", WITH_COUNT_WITHIN)
every_encoding = pytest.mark.parametrize("name", SPLITS)


@pytest.fixture
def split_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Split at every place, not at one in 4,096 characters."""
    monkeypatch.setattr(parts, "_PART", 0)


def agrees(name: str, text: str) -> bool:
    """Tell whether both methods agree at the limits where something happens."""
    counter = adapter(name).counter
    within = count_within_of(counter)
    assert within is not None
    tokens = counter.count(text)
    limits = (-1, 0, 1, tokens // 2, tokens - 1, tokens, tokens + 1, 2 * tokens)
    return all(within(text, limit) == (tokens if tokens <= limit else None) for limit in limits)


@every_within
@pytest.mark.usefixtures("split_everywhere")
def test_it_agrees_on_the_corpus(name: str) -> None:
    assert [text for text in TEXTS if not agrees(name, text)] == []


@every_within
@given(JOINED)
@settings(max_examples=10)
def test_it_agrees_on_long_texts(name: str, text: str) -> None:
    assert agrees(name, text)


@every_within
def test_it_agrees_on_hostile_texts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_PART", 0)

    @given(HOSTILE)
    @settings(max_examples=500)
    def law(text: str) -> None:
        assert agrees(name, text)

    law()


@every_encoding
@given(HOSTILE)
@settings(max_examples=1_000)
def test_the_pieces_of_a_text_are_those_of_its_parts(name: str, text: str) -> None:
    readable = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    cut = regex.compile(tiktoken.get_encoding(name)._pat_str).findall  # noqa: SLF001
    places = [at for at in range(1, len(readable)) if SPLITS[name].match(readable, at - 1)]
    assert all(cut(readable) == cut(readable[:at]) + cut(readable[at:]) for at in places)


@every_encoding
def test_a_run_of_blanks_is_one_piece(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blanks, "_LONG", 0)
    encoding = tiktoken.get_encoding(name)
    short = re.compile(RUNS[name].pattern.replace("500000", "2"))
    count = blanks.counting_blanks(encoding, tiktoken.Encoding, short)
    alphabet = st.sampled_from((*"    \t\u3000\xa0\x0b\u2028\x85\n\ra1/!\x1c\x00字",))

    @given(st.lists(alphabet, min_size=1, max_size=16).map("".join))
    @settings(max_examples=1_000)
    def law(text: str) -> None:
        assert count(text) == len(encoding.encode_ordinary(text))

    law()


@every_encoding
def test_no_token_is_longer_than_is_assumed(name: str) -> None:
    tokens = tiktoken.get_encoding(name).token_byte_values()
    assert max(map(len, tokens)) == parts.LONGEST


@pytest.mark.parametrize("name", sorted(WITHOUT_COUNT_WITHIN))
def test_without_a_proof_there_is_no_promise(name: str) -> None:
    assert count_within_of(adapter(name).counter) is None


@pytest.mark.parametrize("limit", [100, 8_000, 100_000])
def test_a_document_of_20_mb_costs_what_fits(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    encode = tiktoken.Encoding.encode_ordinary

    def recording(encoding: object, text: str) -> object:
        read.append(len(text))
        return encode(encoding, text)

    monkeypatch.setattr(tiktoken.Encoding, "encode_ordinary", recording)
    monkeypatch.setattr(parts, "LONGEST", 10**9)
    text = ("\n\n".join(TEXTS) * 150)[:20_000_000]
    within = count_within_of(adapter("tiktoken o200k").counter)
    assert within is not None
    assert within(text, limit) is None
    assert sum(read) <= 5 * limit + 8_192
