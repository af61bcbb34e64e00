"""`check`: what is over a limit, wouldn't fit a policy, or grew beyond a lock."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from budget.cli import main
from budget.lock import read_lock
from tests.cli.conftest import TURN, Outcome, Run

COUNTED = "counted by: estimate, not a tokenizer's count\n"


@pytest.fixture
def prompts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with two texts and a file of items, and stand in it."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "prompts"
    folder.mkdir()
    (folder / "system.md").write_text("one two three four five", "utf-8")
    (folder / "tools.md").write_text("five six seven", "utf-8")
    line = '{"item_id": "%s", "kind": "memory", "text": "seven eight nine"}\n'
    (folder / "turn.jsonl").write_text(line % "a" + line % "b", "utf-8")
    return folder


FILES = ("prompts/system.md", "prompts/tools.md", "prompts/turn.jsonl")


@pytest.fixture
def locked(run: Run, prompts: Path) -> Path:
    """Return the same, locked."""
    assert run("check", "--lock", "budget.lock.json", "--update", *FILES).code == 0
    return prompts


def grow(file: Path, words: str = " more words now") -> None:
    file.write_text(file.read_text("utf-8") + words, "utf-8")


def check(run: Run, *arguments: str) -> Outcome:
    return run("check", "--lock", "budget.lock.json", *arguments)


def test_what_is_within_its_limit_is_no_finding(run: Run) -> None:
    found = run("check", "--limit", "18800", str(TURN))
    assert (found.code, found.out) == (0, b"")
    assert found.err == f"texts 42, tokens 18,800, findings 0\n{COUNTED}"


def test_what_is_over_its_limit_is_one(run: Run) -> None:
    found = run("check", "--limit", "18799", str(TURN))
    assert (found.code, found.out.decode()) == (
        1,
        "over: total: 18,800 tokens, 1 over the limit of 18,799\n",
    )


def test_what_joins_the_texts_counts(run: Run) -> None:
    assert run("check", "--limit", "18800", "--separator", r"\n\n", str(TURN)).code == 1


def test_pinned_content_over_the_limit_names_its_ids(run: Run) -> None:
    found = run("check", "--limit", "9", str(TURN)).out.decode()
    assert "over: total: pinned content needs 1,345 tokens" in found
    assert "system-rules" in found


def test_each_item_over_its_own_limit_is_a_finding(run: Run) -> None:
    found = run("check", "--limit-each", "1769", str(TURN))
    assert found.code == 1
    assert found.out.decode().splitlines() == [
        "over: doc-log-run-0312: 1,770 tokens, 1 over the limit of 1,769",
        "over: doc-api-import-service: 4,121 tokens, 2,352 over the limit of 1,769",
    ]


POLICY = """
limit = 8000
[[lines]]
kind = "documents"
action = "%s"
[[lines]]
kind = "*"
action = "drop"
limit = 6000
"""


def test_what_a_policy_would_lose_is_a_finding_per_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(POLICY % "truncate")
    found = run("check", "--policy", str(tmp_path / "p.toml"), str(TURN))
    assert found.code == 1
    assert found.out.decode().startswith("lost: line documents: 6 would lose something, first doc-")


def test_what_fits_a_policy_is_no_finding(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text((POLICY % "fail").replace("8000", "20000"))
    found = run("check", "--policy", str(tmp_path / "p.toml"), str(TURN))
    assert (found.code, found.out) == (0, b"")


def test_a_line_that_may_lose_nothing_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(POLICY % "fail")
    found = run("check", "--policy", str(tmp_path / "p.toml"), str(TURN)).out.decode()
    assert found.startswith("over: total: line documents: content needs 13137 tokens")


def test_a_report_shows_what_would_be_lost(run: Run, tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    run("check", "--limit", "8000", "--report", str(report), str(TURN))
    assert report.read_text("utf-8").startswith("7,360 of 8,000 tokens; kept 32,")


def test_a_report_of_a_policy_shows_its_lines(run: Run, tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    (tmp_path / "p.toml").write_text(POLICY % "truncate")
    run("check", "--policy", str(tmp_path / "p.toml"), "--report", str(report), str(TURN))
    assert "\n*  " in report.read_text("utf-8")


def test_there_is_no_report_of_what_may_not_be_lost(run: Run, tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    found = run("check", "--limit", "9", "--report", str(report), str(TURN))
    assert found.err.startswith("no report: what may not be lost is over the limit\n")
    assert not report.exists()


def test_all_findings_are_there_for_machines(run: Run, locked: Path) -> None:
    grow(locked / "tools.md")
    found = check(run, "--limit-each", "5", "--json")
    values = json.loads(found.out)
    assert found.code == 1
    assert {key: values[key] for key in ("counter", "estimate", "passed", "texts")} == {
        "counter": "estimate",
        "estimate": True,
        "passed": False,
        "texts": 4,
    }
    assert [(each["problem"], each["name"]) for each in values["findings"]] == [
        ("over", "prompts/tools.md"),
        ("growth", "prompts/tools.md"),
    ]
    assert values["differences"] == [
        {"name": "prompts/tools.md", "before": 3, "after": 6, "growth": 3, "problem": "growth"}
    ]


@pytest.mark.usefixtures("locked")
def test_a_lock_has_a_line_per_file_and_item() -> None:
    assert [(each.path, each.item) for each in read_lock(Path("budget.lock.json")).entries] == [
        ("prompts/system.md", None),
        ("prompts/tools.md", None),
        ("prompts/turn.jsonl", "a"),
        ("prompts/turn.jsonl", "b"),
    ]


@pytest.mark.usefixtures("locked")
def test_what_is_as_it_was_locked_is_no_finding(run: Run) -> None:
    for files in ((), FILES):
        found = check(run, *files)
        assert (found.code, found.out) == (0, b"")


def test_growth_is_a_finding_the_largest_first(run: Run, locked: Path) -> None:
    grow(locked / "tools.md")
    grow(locked / "system.md", " and many more words than the other file has got")
    found = check(run)
    assert found.code == 1
    assert (
        found.out.decode()
        == """\
                   locked  now          growth
prompts/system.md       5   15  +10 (+200.0 %)  growth
prompts/tools.md        3    6   +3 (+100.0 %)  growth
growth (2): grew by more than is tolerated; shorten it, or update the lock to accept it
"""
    )


def test_what_shrank_is_told_and_no_finding(run: Run, locked: Path) -> None:
    (locked / "system.md").write_text("one two", "utf-8")
    found = check(run)
    assert found.code == 0
    assert "prompts/system.md       5    2  -3 (-60.0 %)\n" in found.out.decode()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--tolerance", "2"), 1),
        (("--tolerance", "3"), 0),
        (("--tolerance", "99.9%"), 1),
        (("--tolerance", "100%"), 0),
        (("--tolerance", "1", "--tolerance", "100%"), 0),
        (("--tolerance", "3", "--tolerance", "1%"), 0),
    ],
)
def test_growth_within_the_tolerance_is_no_finding(
    run: Run, locked: Path, options: tuple[str, ...], code: int
) -> None:
    grow(locked / "tools.md")
    assert check(run, *options).code == code


def test_a_file_that_is_gone_is_a_finding(run: Run, locked: Path) -> None:
    (locked / "tools.md").unlink()
    found = check(run)
    assert found.code == 1
    assert "prompts/tools.md       3    -  -3 (-100.0 %)  missing\n" in found.out.decode()
    assert "missing (1): in the lock, but not measured; give its file" in found.out.decode()


def test_a_file_that_is_not_locked_is_a_finding(run: Run, locked: Path) -> None:
    shutil.copy(locked / "tools.md", locked / "new.md")
    found = check(run, *FILES, "prompts/new.md")
    assert found.code == 1
    assert "prompts/new.md       -    3      +3  new\n" in found.out.decode()
    assert "new (1): measured, but not in the lock; update the lock" in found.out.decode()


@pytest.mark.usefixtures("locked")
def test_another_counter_is_a_finding_and_no_growth(run: Run) -> None:
    found = check(run, "--counter", "safe")
    assert found.code == 1
    assert found.out.decode().startswith("counter (4): counts of two counters can't be compared;")
    values = json.loads(check(run, "--counter", "safe", "--json").out)
    assert values["findings"][0]["says"].startswith("counted by safe estimate, locked by estimate;")


def test_an_update_accepts_all_but_what_is_over_its_own_limit(run: Run, locked: Path) -> None:
    grow(locked / "tools.md")
    found = check(run, "--update", "--limit-each", "5")
    assert found.code == 1
    assert "over (1): over its own limit" in found.out.decode()
    assert found.err.startswith("wrote budget.lock.json\n")
    assert [each.limit for each in read_lock(Path("budget.lock.json")).entries] == [5] * 4
    assert "6 tokens, 1 over the limit of 5" in check(run, "--json").out.decode()


def test_a_limit_of_the_lock_stays_through_an_update(run: Run, locked: Path) -> None:
    check(run, "--update", "--limit-each", "50")
    grow(locked / "tools.md")
    assert check(run, "--update").code == 0
    assert [each.limit for each in read_lock(Path("budget.lock.json")).entries] == [50] * 4


@pytest.mark.usefixtures("locked")
def test_an_update_without_a_change_changes_no_byte(run: Run) -> None:
    before = Path("budget.lock.json").read_bytes()
    assert check(run, "--update", *reversed(FILES)).out == b""
    assert Path("budget.lock.json").read_bytes() == before


def test_one_id_may_be_in_several_files_unless_they_are_one_window(run: Run, locked: Path) -> None:
    shutil.copy(locked / "turn.jsonl", locked / "other.jsonl")
    files = (*FILES, "prompts/other.jsonl")
    assert check(run, "--update", *files).code == 0
    assert "the id a was given before" in check(run, "--limit", "99", *files).err


def test_a_long_table_is_cut_short(run: Run, prompts: Path) -> None:
    lines = [f'{{"item_id": "i{n}", "kind": "x", "text": ""}}\n' for n in range(70)]
    (prompts / "turn.jsonl").write_text("".join(lines), "utf-8")
    found = check(run, "--update", *FILES)
    assert "and 12 more\n" in found.out.decode()


def test_a_file_outside_the_folder_of_the_lock_is_refused(run: Run, prompts: Path) -> None:
    found = run("check", "--lock", "prompts/budget.lock.json", "--update", str(TURN))
    assert found.code == 2
    assert "is outside the folder of the lock" in found.err
    assert not (prompts / "budget.lock.json").exists()


@pytest.mark.usefixtures("prompts")
def test_standard_input_cannot_be_locked(run: Run) -> None:
    found = run("check", "--lock", "budget.lock.json", "--update", "-", stdin=b"text")
    assert (found.code, found.err) == (
        2,
        "budget: standard input has no path to lock; give files\n",
    )


@pytest.mark.usefixtures("prompts")
def test_a_lock_that_is_not_there_or_newer_is_told_and_left(run: Run) -> None:
    for options in ((), ("--update",)):
        found = check(run, *options)
        assert (found.code, found.err.count("\n")) == (2, 1)
        assert "No such file or directory; --update makes it" in found.err
    newer = '{"version": 2}'
    Path("budget.lock.json").write_text(newer)
    for files in ((), FILES):
        found = check(run, *(["--update"] if files else []), *files)
        assert (found.code, found.err.count("\n")) == (2, 1)
        assert "version 2 of the format is newer than 1" in found.err
    assert Path("budget.lock.json").read_text() == newer


def test_a_lock_that_cannot_be_written_is_told_and_left(
    run: Run, locked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = Path("budget.lock.json").read_bytes()
    grow(locked / "tools.md")
    monkeypatch.setattr("budget._lock.replacing.os.fsync", full)
    found = check(run, "--update")
    assert (found.code, found.err) == (
        2,
        "budget: budget.lock.json: can't be written: No space left on device\n",
    )
    assert Path("budget.lock.json").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "required: --limit, --limit-each, --policy or --lock"),
        (("--update",), "--update needs --lock"),
        (("--tolerance", "5"), "--tolerance needs --lock"),
        (("--lock", "l", "--tolerance", "5 %"), "expected tokens, such as 50, or a share"),
        (("--lock", "l", "--tolerance", "-5"), "expected"),
        (("--lock", "l", "--separator", "x"), "--separator needs --limit or --policy"),
        (("--lock", "l", "--report", "x.html"), "--report needs --limit or --policy"),
    ],
)
def test_a_call_that_cannot_be_is_one_line_and_2(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(("check", *options))
    told = capsys.readouterr().err
    assert stopped.value.code == 2
    assert message in told
    assert told.count("\n") == 1
