"""Pickles, processes, threads and a network that isn't there."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import socket
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

import budget
from budget import BudgetError, TokenCounter, truncate_text
from budget.tokenizers import HuggingFaceCounter, TiktokenCounter, ToktokCounter
from tests.integration.tokenizers.adapters import (
    MAKERS,
    MAXIMUM,
    TEXTS,
    VOCABULARIES,
    Adapter,
    adapter,
    byte_level,
    tiktoken,
    word_piece,
)
from tests.making import revived

SAMPLE = ("hello wörld 🧠", "<|endoftext|>", "a\ud800b", "", *TEXTS[::20])
SOURCE = str(Path(budget.__file__).parents[1])


def counts(counter: TokenCounter) -> list[int]:
    return [counter.count(text) for text in SAMPLE]


def cuts(counter: TokenCounter, limit: int) -> list[str]:
    return [truncate_text(text, limit, counter) for text in SAMPLE]


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every socket."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError("the network is unreachable")

    # A class in place of a class: what is imported later may inherit from it.
    monkeypatch.setattr(socket, "socket", type("Refused", (socket.socket,), {"__init__": refuse}))
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def test_a_pickle_counts_the_same(each: Adapter) -> None:
    assert counts(revived(each.counter)) == counts(each.counter)


def test_a_copy_counts_the_same(each: Adapter) -> None:
    assert counts(copy.deepcopy(each.counter)) == counts(each.counter)


def test_a_pickle_equals_what_was_pickled(each: Adapter) -> None:
    assert revived(each.counter) == each.counter


def test_a_count_changes_no_pickle(each: Adapter) -> None:
    before = pickle.dumps(fresh := revived(each.counter))
    fresh.count("text")
    assert pickle.dumps(fresh) == before


def test_a_pickle_of_a_name_or_a_path_is_small() -> None:
    path = VOCABULARIES / "deepseek_tokenizer.json"
    named = (TiktokenCounter("o200k_base"), ToktokCounter("o200k_base"), HuggingFaceCounter(path))
    assert all(len(pickle.dumps(counter)) < 400 for counter in named)


def test_an_encoding_object_pickles_by_its_name() -> None:
    counter = TiktokenCounter(tiktoken.get_encoding("o200k_base"))
    assert counter == TiktokenCounter("o200k_base")


def test_an_encoding_of_one_s_own_crosses_a_pickle() -> None:
    known = tiktoken.get_encoding("p50k_base")
    ranks = {token: known.encode_single_token(token) for token in known.token_byte_values()}
    own = tiktoken.Encoding("own", pat_str=r"\S+|\s+", mergeable_ranks=ranks, special_tokens={})
    counter = TiktokenCounter(own)
    assert counts(revived(counter)) == counts(counter)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_another_process_counts_the_same_and_says_nothing(
    method: str, capfd: pytest.CaptureFixture[str]
) -> None:
    counters = [adapter(name).counter for name in MAKERS]
    here, before = list(map(counts, counters)), dict(os.environ)
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        there = list(pool.map(counts, counters, timeout=120))
    assert there == here
    assert capfd.readouterr().err == ""
    assert dict(os.environ) == before


def test_threads_share_a_counter(each: Adapter) -> None:
    alone = {limit: cuts(each.counter, limit) for limit in (1, 10, 50, 100)}
    limits = [1, 10, 50, 100] * 8
    shared = revived(each.counter)
    with ThreadPoolExecutor(16) as pool:
        together = list(pool.map(partial(cuts, shared), limits))
    assert together == [alone[limit] for limit in limits]


@pytest.mark.parametrize("given", [word_piece, partial(byte_level, None)])
def test_the_given_tokenizer_keeps_its_settings(given: partial[object]) -> None:
    tokenizer = given()
    before = tokenizer.to_str(), tokenizer.encode_special_tokens  # type: ignore[attr-defined]
    counter = HuggingFaceCounter(tokenizer)  # type: ignore[arg-type]
    assert counter.count("word " * 1_000) > MAXIMUM
    after = tokenizer.to_str(), tokenizer.encode_special_tokens  # type: ignore[attr-defined]
    assert after == before


def test_a_fast_tokenizer_of_transformers_counts_as_its_inside() -> None:
    transformers = import_module("transformers")
    inside = word_piece()
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=inside, model_max_length=MAXIMUM)
    assert counts(HuggingFaceCounter(fast)) == counts(HuggingFaceCounter(inside))


@pytest.mark.usefixtures("refused")
def test_with_a_vocabulary_at_hand_no_network_is_needed(each: Adapter) -> None:
    assert counts(revived(each.counter)) == counts(each.counter)


@pytest.mark.usefixtures("refused")
def test_a_vocabulary_out_of_reach_is_said_clearly(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    counter = TiktokenCounter("r50k_base")
    with pytest.raises(BudgetError, match="TIKTOKEN_CACHE_DIR") as caught:
        counter.count("text")
    assert isinstance(caught.value.__cause__, OSError)


QUIET = """
import sys
events = []
sys.addaudithook(lambda event, _: event.startswith("socket.") and events.append(event))
import budget.tokenizers
foreign = {"tiktoken", "tokenizers", "toktok", "transformers", "requests"} & set(sys.modules)
from budget.tokenizers import counter_named
counters = [counter_named(name) for name in sys.argv[1:]]
print(sorted(foreign), events, [counter.count("hello wörld 🧠") > 3 for counter in counters])
"""


def test_imports_are_lazy_and_nothing_opens_a_socket() -> None:
    names = ["tiktoken:o200k_base", "toktok:o200k_base"]
    names.append(f"hf:{VOCABULARIES / 'anthropic_tokenizer.json'}")
    done = subprocess.run(
        [sys.executable, "-c", QUIET, *names],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": SOURCE, "PYTHONUTF8": "1"},
    )
    assert done.stdout == "[] [] [True, True, True]\n"
