"""Counters by their names on the command line."""

import json
from pathlib import Path

import pytest

from budget import BudgetPolicyError
from budget.errors import MissingPackageError
from budget.tokenizers import HuggingFaceCounter, TiktokenCounter, ToktokCounter, counter_named
from tests.making import Untyped
from tests.tokenizers.test_huggingface import SETTINGS


@pytest.mark.usefixtures("tiktoken")
def test_tiktoken_goes_by_the_encoding() -> None:
    assert counter_named("tiktoken:gpt2") == TiktokenCounter("gpt2")


@pytest.mark.usefixtures("toktok")
def test_toktok_goes_by_the_encoding() -> None:
    assert counter_named("toktok:o200k_base") == ToktokCounter("o200k_base")


@pytest.mark.usefixtures("tokenizers")
def test_hugging_face_goes_by_a_path(tmp_path: Path) -> None:
    path = tmp_path / "a:b.json"
    path.write_text(json.dumps(SETTINGS), "utf-8")
    assert counter_named(f"hf:{path}") == HuggingFaceCounter(path)


@pytest.mark.parametrize("name", ["", "o200k_base", "tiktoken", "tiktoken:", ":gpt2", "x:gpt2"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(BudgetPolicyError, match="must be tiktoken:NAME, hf:PATH or toktok:NAME"):
        counter_named(name)


def test_what_is_no_name_is_refused() -> None:
    untyped: Untyped = counter_named
    with pytest.raises(TypeError, match="name must be a str"):
        untyped(None)


def test_a_name_is_escaped() -> None:
    with pytest.raises(BudgetPolicyError, match=r"got '\\x1b\[2J'"):
        counter_named("\x1b[2J")


@pytest.mark.parametrize("name", ["tiktoken:gpt2", "hf:tokenizer.json", "toktok:o200k_base"])
def test_a_missing_package_is_named(name: str) -> None:
    with pytest.raises(MissingPackageError, match=r"budgetline\[(tiktoken|tokenizers|toktok)\]"):
        counter_named(name)
