"""The three packages, faked or missing: the tests mean the same whatever is installed."""

import sys

import pytest

from tests.tokenizers.fakes import FakeTiktoken, FakeTokenizers, FakeToktok


@pytest.fixture(autouse=True)
def missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of them can be imported unless a test asks for a fake."""
    for name in ("tiktoken", "tokenizers", "toktok"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture
def tiktoken(monkeypatch: pytest.MonkeyPatch) -> FakeTiktoken:
    fake = FakeTiktoken()
    monkeypatch.setitem(sys.modules, "tiktoken", fake)
    return fake


@pytest.fixture
def tokenizers(monkeypatch: pytest.MonkeyPatch) -> FakeTokenizers:
    fake = FakeTokenizers()
    monkeypatch.setitem(sys.modules, "tokenizers", fake)
    return fake


@pytest.fixture
def toktok(monkeypatch: pytest.MonkeyPatch) -> FakeToktok:
    fake = FakeToktok()
    monkeypatch.setitem(sys.modules, "toktok", fake)
    return fake
