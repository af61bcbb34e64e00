"""The adapter around Hugging Face's tokenizers, with a stand-in for them."""

import json
import sys
from pathlib import Path
from typing import Final

import pytest

from budget import BudgetPolicyError
from budget.errors import MissingPackageError
from budget.tokenizers import HuggingFaceCounter
from tests.making import Untyped, revived
from tests.tokenizers.fakes import FakeFastTokenizer, FakeTokenizer

untyped: Untyped = HuggingFaceCounter
SETTINGS: Final[dict[str, object]] = {
    "truncation": {"max_length": 4},
    "padding": {"strategy": {"Fixed": 128}},
    "added_tokens": [],
    "normalizer": None,
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}},
}
LLAMA: Final = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
BYTES: Final = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}

pytestmark = pytest.mark.usefixtures("tokenizers")


def tokenizer(**changed: object) -> FakeTokenizer:
    return FakeTokenizer(json.dumps(SETTINGS | changed))


def split(expression: str, behavior: str = "Isolated") -> dict[str, object]:
    return {
        "type": "Split",
        "pattern": {"Regex": expression},
        "behavior": behavior,
        "invert": False,
    }


def sequence(*stages: object) -> dict[str, object]:
    return {"type": "Sequence", "pretokenizers": list(stages)}


def word(content: str, **changed: object) -> dict[str, object]:
    plain = {"lstrip": False, "rstrip": False, "single_word": False, "special": False}
    return {"content": content} | plain | changed


def has_count_within(**changed: object) -> bool:
    return hasattr(HuggingFaceCounter(tokenizer(**changed)), "count_within")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(SETTINGS), "utf-8")
    return path


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingPackageError, match=r"'budgetline\[tokenizers\]'"):
        HuggingFaceCounter("nowhere/tokenizer.json")


def test_a_path_counts(file: Path) -> None:
    assert HuggingFaceCounter(file).count("eleven chars") == 12
    assert HuggingFaceCounter(str(file)).count("eleven chars") == 12


def test_a_tokenizer_counts() -> None:
    assert HuggingFaceCounter(tokenizer()).count("eleven chars") == 12


def test_a_fast_tokenizer_counts() -> None:
    assert HuggingFaceCounter(FakeFastTokenizer(tokenizer())).count("eleven chars") == 12


def test_the_given_tokenizer_is_as_it_was() -> None:
    given = tokenizer()
    HuggingFaceCounter(given).count("[SEP]")
    assert given == tokenizer()


def test_a_spelled_control_token_is_text() -> None:
    assert HuggingFaceCounter(tokenizer()).count("[SEP]") == 5


def test_chance_is_switched_off() -> None:
    model = {"type": "BPE", "dropout": 0.5, "vocab": {}}
    assert HuggingFaceCounter(tokenizer(model=model)).count("four") == 4


def test_a_lone_surrogate_counts_as_one_replacement() -> None:
    assert HuggingFaceCounter(tokenizer()).count("a\ud800b") == 3


def test_an_error_of_the_tokenizer_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise TypeError("no")

    monkeypatch.setattr(FakeTokenizer, "encode", refuse)
    with pytest.raises(TypeError, match="no"):
        HuggingFaceCounter(tokenizer()).count("text")


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        HuggingFaceCounter(tmp_path / "tokenizer.json")


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"model": {}, "x": "\ud800"'])
def test_a_file_that_holds_no_tokenizer_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(BudgetPolicyError, match=r"tokenizer\.json holds no tokenizer"):
        HuggingFaceCounter(path)


def test_a_tokenizer_that_cannot_be_built_again_is_refused() -> None:
    with pytest.raises(BudgetPolicyError, match=r"^tokenizer holds no tokenizer"):
        HuggingFaceCounter(FakeTokenizer("{}"))


def test_what_is_no_tokenizer_is_refused() -> None:
    with pytest.raises(TypeError, match=r"tokenizer must be a path, .* got int"):
        untyped(4)


def test_its_name_says_what_kind_of_model_with_which_vocabulary() -> None:
    assert HuggingFaceCounter(tokenizer()).name == "hf:BPE-2@f2794a07"


def test_a_model_without_a_kind_has_a_name(file: Path) -> None:
    file.write_text(json.dumps(SETTINGS | {"model": {"vocab": {}}}), "utf-8")
    assert HuggingFaceCounter(file).name.startswith("hf:model-0@")


def test_a_path_and_its_tokenizer_have_one_name(file: Path) -> None:
    assert HuggingFaceCounter(file).name == HuggingFaceCounter(tokenizer()).name


def test_another_vocabulary_has_another_name() -> None:
    other = tokenizer(model={"type": "BPE", "vocab": {"a": 0, "c": 1}})
    assert HuggingFaceCounter(other).name != HuggingFaceCounter(tokenizer()).name


def test_a_repr_is_short() -> None:
    counter = HuggingFaceCounter(tokenizer())
    assert repr(counter) == f"HuggingFaceCounter(name='{counter.name}')"


def test_a_pickle_of_a_path_reads_it_again(file: Path) -> None:
    counter = HuggingFaceCounter(file)
    copied = revived(counter)
    assert copied == counter
    assert copied.count("eleven chars") == 12


def test_a_pickle_of_a_path_reads_nothing_before_it_counts(file: Path) -> None:
    counter = HuggingFaceCounter(file)
    file.unlink()
    copied = revived(counter)
    with pytest.raises(FileNotFoundError):
        copied.count("text")


def test_a_path_holds_from_another_folder(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    counter = HuggingFaceCounter(file.name)
    monkeypatch.chdir(file.parent.parent)
    assert revived(counter).count("four") == 4


def test_a_pickle_of_a_tokenizer_holds_all_of_it() -> None:
    assert revived(HuggingFaceCounter(tokenizer())).count("eleven chars") == 12


def test_count_within_is_the_count_or_none() -> None:
    counter = HuggingFaceCounter(tokenizer())
    assert counter.count_within("four", 4) == 4
    assert counter.count_within("four", 3) is None


STAGES: Final = {
    "GPT-2": SETTINGS["pre_tokenizer"],
    "an older GPT-2": {"type": "ByteLevel", "add_prefix_space": False},
    "one expression": split(LLAMA),
    "Llama 3": sequence(split(LLAMA), BYTES),
    "digits first": sequence(split(r"\p{N}{1,3}"), split(LLAMA), BYTES),
}
UNKNOWN_STAGES: Final = {
    "none": None,
    "whitespace": {"type": "BertPreTokenizer"},
    "an unknown expression": split(r"\w+|\s+"),
    "another behaviour": split(LLAMA, behavior="Removed"),
    "a blank in front": {"type": "ByteLevel", "add_prefix_space": True, "use_regex": True},
    "bytes alone": BYTES,
    "nothing": sequence(),
    "two that cut": sequence(split(LLAMA), {"type": "ByteLevel", "add_prefix_space": False}),
    "digits alone": sequence(split(r"\p{N}")),
}


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
def test_known_ways_to_cut_have_count_within(stage: object) -> None:
    assert has_count_within(pre_tokenizer=stage)


@pytest.mark.parametrize("stage", UNKNOWN_STAGES.values(), ids=UNKNOWN_STAGES)
def test_unknown_ways_to_cut_have_none(stage: object) -> None:
    assert not has_count_within(pre_tokenizer=stage)


@pytest.mark.parametrize(
    "normalizer", [None, {"type": "NFC"}, {"type": "Sequence", "normalizers": []}]
)
def test_harmless_normalizers_keep_count_within(normalizer: object) -> None:
    assert has_count_within(normalizer=normalizer)


def test_another_normalizer_takes_it_away() -> None:
    assert not has_count_within(normalizer={"type": "NFKC"})


HARMLESS: Final = [word("<think>"), word("a b", special=True, lstrip=True)]
HARMFUL: Final = [
    word("two words"),
    word("a", lstrip=True),
    word("a", rstrip=True),
    word("a", single_word=True),
    "a",
]


@pytest.mark.parametrize("added", HARMLESS)
def test_words_apart_keep_count_within(added: object) -> None:
    assert has_count_within(added_tokens=[added])


@pytest.mark.parametrize("added", HARMFUL)
def test_words_that_look_around_take_it_away(added: object) -> None:
    assert not has_count_within(added_tokens=[word("fine"), added])
