"""Entries: what they hold, how they are named, and that none leads outside."""

from pathlib import Path

import pytest

from budget.errors import LockError
from budget.lock import Entry, Lock, entry_path, located


def entry(path: str = "a.md", tokens: int = 5, item: str | None = None) -> Entry:
    return Entry(path, tokens, "estimate", item=item)


@pytest.mark.parametrize(
    "path",
    [
        "/a.md",
        "../a.md",
        "a/../b",
        "a\\b.md",
        "C:/a.md",
        "C:a.md",
        "a//b",
        "./a",
        "a/",
        ".",
        "",
        "\0",
    ],
)
def test_a_path_that_may_lead_outside_or_is_written_otherwise_is_refused(path: str) -> None:
    with pytest.raises(LockError, match="path must be relative to the lock's folder"):
        entry(path)


@pytest.mark.parametrize("path", ["a.md", "a/b c/d.md", "..a", "12:30.md", "規則.md", "a#b"])
def test_a_path_inside_is_taken(path: str) -> None:
    assert entry(path).path == path


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"path": 5}, "path must be a str"),
        ({"counter": None}, "counter must be a str"),
        ({"item": 5}, "item must be a str"),
        ({"tokens": 1.5}, "tokens must be an int"),
        ({"tokens": True}, "tokens must be an int"),
        ({"limit": "5"}, "limit must be an int"),
    ],
)
def test_a_field_of_a_wrong_type_is_named(fields: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Entry(**{"path": "a", "tokens": 1, "counter": "c"} | fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["tokens", "limit"])
def test_a_negative_number_is_refused(name: str) -> None:
    with pytest.raises(LockError, match=f"{name} must be >= 0, got -1"):
        Entry(**{"path": "a", "tokens": 1, "counter": "c"} | {name: -1})  # type: ignore[arg-type]


def test_a_lock_is_sorted_by_path_and_item() -> None:
    given = (entry("b"), entry("a", item="2"), entry("a", item="10"), entry("a"))
    assert [(each.path, each.item) for each in Lock(given).entries] == [
        ("a", None),
        ("a", "10"),
        ("a", "2"),
        ("b", None),
    ]


def test_a_file_and_an_item_with_an_empty_id_are_two_things() -> None:
    assert len(Lock((entry("a"), entry("a", item=""))).entries) == 2


def test_a_second_entry_of_one_thing_is_refused() -> None:
    with pytest.raises(LockError, match="two entries for a x; remove one"):
        Lock((entry("a", item="x"), entry("a", 9, item="x")))


def test_only_entries_are_entries() -> None:
    with pytest.raises(TypeError, match="entries must be of"):
        Lock(("a.md",))  # type: ignore[arg-type]


def test_a_name_for_a_reader_is_escaped() -> None:
    assert entry("a\x1b", item="b\u202e").name == r"a\x1b b\u202e"


def test_limits_are_taken_over_where_there_is_none() -> None:
    locked = Lock((Entry("a", 1, "c", limit=5), Entry("b", 1, "c", limit=5)))
    measured = Lock((Entry("a", 2, "c"), Entry("b", 2, "c", limit=9), Entry("d", 2, "c")))
    assert [each.limit for each in measured.with_limits_of(locked).entries] == [5, 9, None]


def test_a_path_is_seen_from_the_folder_of_the_lock(tmp_path: Path) -> None:
    lock = tmp_path / "prompts" / "budget.lock.json"
    file = tmp_path / "prompts" / "de" / "system.md"
    assert entry_path(file, lock) == "de/system.md"


def test_a_path_is_the_same_from_wherever_it_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert entry_path(Path("../a.md"), Path("../budget.lock.json")) == "a.md"
    assert located(entry("a.md"), Path("../budget.lock.json")) == Path("../a.md")


def test_a_file_outside_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LockError, match="is outside the folder of the lock"):
        entry_path(tmp_path / "a.md", tmp_path / "sub" / "budget.lock.json")


def test_a_link_that_leads_outside_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "sub"
    folder.mkdir()
    (tmp_path / "secret").write_text("secret")
    (folder / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(LockError, match="is outside the folder of the lock"):
        located(entry("link"), folder / "budget.lock.json")
