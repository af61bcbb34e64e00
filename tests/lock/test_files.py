"""The lock file: stable bytes, one line for everything that is wrong, replaced as a whole."""

import os
import stat
from pathlib import Path
from threading import Thread

import pytest

from budget._lock.replacing import replace_file
from budget.errors import LockError
from budget.lock import Entry, Lock, read_lock, write_lock

ENTRIES = (
    Entry("prompts/system.md", 812, "estimate", limit=900),
    Entry("turn.jsonl", 5, "estimate", item="rules"),
    Entry("規則.md", 7, "tiktoken o200k_base"),
)
WRITTEN = """\
{
  "version": 1,
  "entries": [
    {"path": "prompts/system.md", "tokens": 812, "limit": 900, "counter": "estimate"},
    {"path": "turn.jsonl", "item": "rules", "tokens": 5, "counter": "estimate"},
    {"path": "規則.md", "tokens": 7, "counter": "tiktoken o200k_base"}
  ]
}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "budget.lock.json"


def test_an_entry_is_a_line_and_all_is_sorted(path: Path) -> None:
    write_lock(path, Lock(ENTRIES[::-1]))
    assert path.read_text("utf-8") == WRITTEN


def test_what_was_written_is_read(path: Path) -> None:
    for entries in (ENTRIES, (), (Entry("a\ud800", 1, "c", item="b\udfff"),)):
        write_lock(path, Lock(entries))
        assert read_lock(path) == Lock(entries)


ONE = '{"path": "a", "tokens": 1, "counter": "c"}'
BAD = [
    ("nonsense", "not JSON: Expecting value (line 1, column 1)"),
    ('{"version": 1,\n  "entries": [}', "not JSON: Expecting value (line 2, column 15)"),
    ("[" * 100_000, "nested too deeply"),
    ("9" * 5_000, "a number has too many digits"),
    ("[]", "not a lock: it has no version"),
    ('{"entries": []}', "not a lock: it has no version"),
    ('{"version": "1", "entries": []}', "its version is no number from 1 on"),
    ('{"version": true, "entries": []}', "its version is no number from 1 on"),
    ('{"version": 0, "entries": []}', "its version is no number from 1 on"),
    ('{"version": 2, "sections": {}}', "version 2 of the format is newer than 1"),
    ('{"version": 1}', "it has version and entries, a list, and nothing else"),
    ('{"version": 1, "entries": {}}', "it has version and entries, a list, and nothing else"),
    ('{"version": 1, "entries": [], "x": 1}', "and nothing else"),
    ('{"version": 1, "entries": [5]}', "entries[0]: expected an object, got int"),
    ('{"version": 1, "entries": [{}]}', "entries[0]: path is missing"),
    ('{"version": 1, "entries": [{"path": "a", "tokens": 1}]}', "entries[0]: counter is missing"),
    (
        '{"version": 1, "entries": [{"path": "a", "tokens": 1, "counter": "c", "x\\u001b": 1}]}',
        "entries[0]: unknown x\\x1b",
    ),
    (
        '{"version": 1, "entries": [{"path": "a", "tokens": "1", "counter": "c"}]}',
        "entries[0]: tokens must be an int, got str",
    ),
    (
        '{"version": 1, "entries": [{"path": "../a", "tokens": 1, "counter": "c"}]}',
        "entries[0]: path must be relative",
    ),
    (
        f'{{"version": 1, "entries": [{ONE}, {ONE}]}}',
        "two entries for a; remove one",
    ),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=range(len(BAD)))
def test_what_is_no_lock_is_told_with_the_path(path: Path, text: str, message: str) -> None:
    path.write_text(text, "utf-8")
    with pytest.raises(LockError) as refused:
        read_lock(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_lock_that_is_not_there_tells_how_to_make_one(path: Path) -> None:
    with pytest.raises(LockError, match="No such file or directory; --update makes it"):
        read_lock(path)


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(LockError, match=r"can't be read: Is a directory$"):
        read_lock(tmp_path)
    with pytest.raises(LockError, match="not UTF-8, or not a path"):
        read_lock(Path("a\0b"))
    (tmp_path / "latin").write_bytes(b"\xff")
    with pytest.raises(LockError, match="not UTF-8, or not a path"):
        read_lock(tmp_path / "latin")


@pytest.mark.parametrize("reason", ["Read-only file system", "No space left on device"])
def test_a_lock_that_cannot_be_written_is_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    path.write_text("old")

    def fails(*_: object) -> None:
        raise OSError(5, reason)

    where = "budget._lock.replacing.os.fsync" if "space" in reason else "pathlib.Path.open"
    monkeypatch.setattr(where, fails)
    with pytest.raises(LockError, match=f"can't be written: {reason}"):
        write_lock(path, Lock())
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert os.listdir(path.parent) == [path.name]  # noqa: PTH208 - the names are what is asked


def test_a_place_that_takes_no_file_is_told(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "none" / "lock", Path("a\0b"), Path("/")):
        with pytest.raises(LockError, match="can't be written: "):
            write_lock(place, Lock())
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_write_leaves_nothing_behind(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        replace_file(path, b"new")
    assert list(path.parent.iterdir()) == []


def test_permissions_stay_and_new_files_get_the_usual_ones(path: Path) -> None:
    plain = path.with_name("plain")
    plain.touch()
    replace_file(path, b"new")
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o640)
    replace_file(path, b"newer")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_stays_a_link(path: Path) -> None:
    link = path.with_name("link")
    link.symlink_to(path)
    replace_file(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_a_reader_sees_the_old_or_the_new_and_nothing_else(path: Path) -> None:
    locks = [Lock((Entry("a", tokens, "c" * tokens),)) for tokens in (1, 9_999)]
    write_lock(path, locks[0])

    def write() -> None:
        for turn in range(200):
            write_lock(path, locks[turn % 2])

    writer = Thread(target=write)
    writer.start()
    seen = set()
    while writer.is_alive():
        seen.add(read_lock(path))
    writer.join()
    assert seen <= set(locks)
