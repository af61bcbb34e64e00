"""The examples of the page on tokenizers run, and print what the page says."""

import doctest
import re
import shutil
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Final

import pytest

from tests.integration.tokenizers.adapters import VOCABULARIES

PAGE: Final = Path(__file__).parents[3] / "docs" / "how-to" / "use-your-tokenizer.md"
BLOCKS: Final = re.findall(
    r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
)
SHOWN: Final = "".join(block for block in BLOCKS if block.startswith(">>>"))
(RECIPE,) = (block for block in BLOCKS if not block.startswith(">>>"))


class _Anthropic(ModuleType):
    """Counts a token a word, and seven for the frame of a message."""

    asked: Final[list[str]] = []

    def Anthropic(self) -> object:  # noqa: N802 - the name that the page uses
        return SimpleNamespace(messages=self)

    def count_tokens(self, *, model: str, messages: list[dict[str, str]]) -> object:
        assert model
        (message,) = messages
        self.asked.append(message["content"])
        return SimpleNamespace(input_tokens=7 + len(message["content"].split()))


def test_the_page_prints_what_it_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shutil.copy(VOCABULARIES / "anthropic_tokenizer.json", tmp_path / "tokenizer.json")
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(SHOWN, {}, PAGE.name, str(PAGE), 0)
    failures: list[str] = []
    doctest.DocTestRunner().run(test, out=failures.append)
    assert not failures, "".join(failures)


def test_the_recipe_asks_an_endpoint_once_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint = _Anthropic("anthropic")
    monkeypatch.setitem(sys.modules, "anthropic", endpoint)
    names: dict[str, object] = {}
    exec(RECIPE, names)  # noqa: S102 - the page's own code
    counter = names["counter"]
    count = getattr(counter, "count")  # noqa: B009 - a name of the page
    assert [count("two words"), count("two words"), count("")] == [9, 9, 0]
    assert endpoint.asked == ["two words"]
    assert getattr(counter, "name") == "claude-opus-4-8"  # noqa: B009 - a name of the page
