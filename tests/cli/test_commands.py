"""What count, truncate and fit do with good input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from budget import BudgetItem, EstimatingCounter, OverflowAction, TruncationPolicy, apply_overflow
from tests.cli.conftest import TURN, Run

ITEMS = [BudgetItem(**json.loads(line)) for line in TURN.read_text("utf-8").splitlines()]
COUNTER = EstimatingCounter()
CUT = ["cut", "to", "what", "was", "left,", "65", "tokens", "whole"]
THREE = b"".join(
    json.dumps({"item_id": name, "kind": "memory", "text": text}).encode() + b"\n"
    for name, text in (("a", "one two"), ("b", "three four five " * 20), ("c", "six"))
)


def lines(data: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in data.splitlines()]


def test_fit_writes_what_the_library_keeps(run: Run) -> None:
    expected = apply_overflow(ITEMS, 8_000, OverflowAction.TRUNCATE, COUNTER)
    found = run("fit", "--limit", "8000", "--action", "truncate", str(TURN))
    assert [line["text"] for line in lines(found.out)] == [kept.text for kept in expected.kept]


def test_what_fit_writes_can_be_fitted_again(run: Run) -> None:
    first = run("fit", "--limit", "8000", "--action", "drop", str(TURN))
    again = run("fit", "--limit", "8000", "--action", "drop", stdin=first.out)
    assert again.out == first.out


def test_fit_tells_who_was_kept_cut_and_dropped_and_why(run: Run) -> None:
    table = run("fit", "--limit", "20", "--action", "truncate", stdin=THREE).err.splitlines()
    assert [line.split() for line in table[1:4]] == [
        ["a", "memory", "2", "kept"],
        ["b", "memory", "18", "cut", *CUT],
        ["c", "memory", "-", "dropped", "comes", "after", "b"],
    ]


def test_fit_tells_the_sums_and_that_an_estimate_is_one(run: Run) -> None:
    told = run("fit", "--limit", "20", "--action", "truncate", stdin=THREE).err
    assert told.endswith(
        "kept 1, cut 1, dropped 1; 20 of 20 tokens\ncounted by: estimate, not a tokenizer's count\n"
    )


@pytest.mark.parametrize(
    ("action", "options", "reason"),
    [
        ("drop", (), "the first that didn't fit, 65 tokens whole"),
        ("truncate", ("--quantum", "50"), "no acceptable cut fits, 65 tokens whole"),
        (
            "truncate",
            ("--min-tokens", "30"),
            "its cut would be under --min-tokens, 65 tokens whole",
        ),
    ],
)
def test_the_reason_of_a_loss_is_told(
    run: Run, action: str, options: tuple[str, ...], reason: str
) -> None:
    assert reason in run("fit", "--limit", "20", "--action", action, *options, stdin=THREE).err


def test_fit_measures_the_separator_with_its_escapes(run: Run) -> None:
    call = ("fit", "--limit", "4", "--action", "drop", "--json")
    joined = json.loads(run(*call, "--separator", r"\n\n", stdin=THREE).out)
    assert joined["rendered"] == "one two"
    assert json.loads(run(*call, stdin=THREE).out)["rendered"] is None


def test_fit_as_json_is_the_result_with_texts(run: Run) -> None:
    expected = apply_overflow(ITEMS, 8_000, OverflowAction.DROP, COUNTER)
    found = run("fit", "--limit", "8000", "--action", "drop", "--json", str(TURN))
    assert json.loads(found.out) == {
        "counter": "estimate",
        "estimate": True,
        **expected.to_dict(include_text=True),
    }
    assert found.err == ""


def test_a_long_table_shows_only_losses_and_how_many_more(run: Run) -> None:
    many = b"".join(
        b'{"item_id": "m%03d", "kind": "x", "text": "word"}\n' % number for number in range(200)
    )
    table = run("fit", "--limit", "100", "--action", "drop", stdin=many).err.splitlines()
    assert not any(" kept" in line for line in table[1:-2])
    assert table[-3] == "and 40 more"


def test_wide_characters_are_aligned(run: Run) -> None:
    wide = "".join(f'{{"item_id": "{name}", "kind": "x", "text": ""}}\n' for name in ("规则", "bb"))
    table = run("fit", "--limit", "9", "--action", "drop", stdin=wide.encode()).err.splitlines()
    assert table[1].index(" x ") + 2 == table[2].index(" x ")


def test_a_long_id_is_shortened_in_the_table(run: Run) -> None:
    line = json.dumps({"item_id": "i" * 100, "kind": "x", "text": "a"}).encode()
    assert "i" * 31 + "…" in run("fit", "--limit", "9", "--action", "drop", stdin=line).err


def test_count_tells_each_file_and_the_total(run: Run, tmp_path: Path) -> None:
    for name, text in (("a.txt", "one two"), ("b.md", "three")):
        (tmp_path / name).write_text(text, "utf-8")
    found = run("count", str(tmp_path / "a.txt"), str(tmp_path / "b.md"))
    assert found.out.decode() == f"2  {tmp_path}/a.txt\n2  {tmp_path}/b.md\n4  total\n"
    assert found.err == "counted by: estimate, not a tokenizer's count\n"


def test_count_as_json_has_every_item(run: Run) -> None:
    found = json.loads(run("count", "--json", "--counter", "safe", stdin=THREE).out)
    assert found["counter"] == "safe estimate"
    assert [row["item_id"] for row in found["items"]] == ["a", "b", "c"]
    assert found["total_tokens"] == sum(row["tokens"] for row in found["items"])


def test_truncate_writes_plain_text_for_a_plain_file(run: Run) -> None:
    found = run("truncate", "--limit", "5", "--marker", r"\n[cut]", stdin=b"one two three " * 9)
    assert found.out.endswith(b"\n[cut]")
    assert COUNTER.count(found.out.decode()) <= 5


def test_truncate_takes_every_option_of_a_policy(run: Run) -> None:
    text = "First. Second one.\nThird line here. Fourth.\n" * 9
    policy = TruncationPolicy(
        keep="both", boundary="word", marker="~", min_tokens=2, head_share=0.25, quantum=5
    )
    kept = apply_overflow(
        [BudgetItem("a", "x", text)], 24, OverflowAction.TRUNCATE, COUNTER, policy
    ).kept
    options = "--keep both --boundary word --marker ~ --min-tokens 2 --head-share 0.25 --quantum 5"
    found = run("truncate", "--limit", "24", *options.split(), stdin=text.encode())
    assert found.out.decode() == kept[0].text


def test_truncate_writes_lines_for_items_each_cut_to_the_limit(run: Run) -> None:
    found = run("truncate", "--limit", "5", stdin=THREE)
    assert [COUNTER.count(str(line["text"])) for line in lines(found.out)] == [2, 5, 1]
    assert found.err.startswith("whole 2, cut 1, dropped 0; at most 5 tokens each\n")


def test_truncate_as_json_names_who_was_lost(run: Run) -> None:
    found = run("truncate", "--limit", "5", "--min-tokens", "9", "--json", stdin=THREE)
    assert json.loads(found.out)["lost"] == ["b"]
    assert found.code == 1


def test_order_is_the_position_unless_given(run: Run) -> None:
    data = (
        b'{"item_id": "a", "kind": "x", "text": "a"}\n\n'
        b'{"item_id": "b", "kind": "x", "text": "b", "order": -1}\n'
        b'{"item_id": "c", "kind": "x", "text": "c"}\n'
    )
    found = run("fit", "--limit", "9", "--action", "drop", stdin=data)
    assert [line["order"] for line in lines(found.out)] == [0, -1, 2]


def test_a_byte_order_mark_is_passed_over(run: Run) -> None:
    found = run("count", "--input", "items", stdin=b"\xef\xbb\xbf" + THREE)
    assert found.code == 0


def test_standard_input_is_text_unless_its_first_line_is_an_item(run: Run) -> None:
    assert run("count", stdin=b'{"no": "item"}\n').out.endswith(b"total\n")
    assert b"  -\n" in run("count", stdin=b'{"no": "item"}\n').out
    assert b"  a\n" in run("count", stdin=THREE).out


def test_the_form_of_the_input_can_be_said(run: Run) -> None:
    assert b"  -\n" in run("count", "--input", "text", stdin=THREE).out
