"""Faults that people reported about other tools, each as what is right here."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from budget import BudgetOverflowError, TruncationPolicy
from budget.errors import MessageError
from budget.messages import count_messages, fit_messages, validate_messages
from tests.counters import Characters, Recording
from tests.messages.making import FREE, W, calls, results, says, system, tool, user, uses
from tests.messages.plans import Message

SUNNY = [user("one two"), calls("c1"), tool("c1", "sunny"), user("b"), says("c"), user("d")]


@pytest.mark.parametrize("limit", range(1, 12))
def test_tool_01_a_result_is_never_kept_without_its_call(limit: int) -> None:
    kept = fit_messages(SUNNY, limit, W, overhead=FREE).kept
    assert (1 in kept) == (2 in kept)


def test_tool_01_what_has_to_go_first_is_the_turn_with_the_call() -> None:
    assert fit_messages(SUNNY, 6, W, overhead=FREE).messages == SUNNY[3:]


LONG = [system("s"), user("u"), calls("c1"), tool("c1", "word " * 500)]


def test_tool_02_the_newest_result_is_not_dropped() -> None:
    with pytest.raises(BudgetOverflowError) as caught:
        fit_messages(LONG, 50, W, overhead=FREE)
    assert caught.value.needed == 504


def test_tool_02_the_newest_result_can_be_cut() -> None:
    fitted = fit_messages(LONG, 50, W, overhead=FREE, on_pinned_overflow="cut_results")
    assert fitted.total_tokens == 50
    assert fitted.messages[:3] == LONG[:3]
    assert fitted.messages[3]["tool_call_id"] == "c1"
    assert fitted.cut == (3,)


PARALLEL = [
    user("u1"),
    calls("c1", "c2", "c3"),
    tool("c2", "two"),
    tool("c1", "one"),
    tool("c3", "three"),
    user("u2"),
]


@pytest.mark.parametrize("limit", range(1, 12))
def test_tool_03_parallel_results_stand_or_fall_together(limit: int) -> None:
    kept = set(fit_messages(PARALLEL, limit, W, overhead=FREE).kept)
    assert kept & {1, 2, 3, 4} in ({1, 2, 3, 4}, set())


def test_tool_03_when_it_fits_the_order_of_results_is_kept() -> None:
    assert fit_messages(PARALLEL, 100, W, overhead=FREE).messages == PARALLEL


MIXED = [
    user("hi"),
    uses("t1"),
    results(("t1", "a long answer of many words"), text="also do X"),
    says("ok"),
    user("go"),
]


def test_tool_05_free_text_beside_a_result_goes_with_it_and_is_reported() -> None:
    fitted = fit_messages(MIXED, 4, W, provider="anthropic", overhead=FREE)
    assert fitted.messages == [MIXED[0], MIXED[3], MIXED[4]]
    assert fitted.dropped == (1, 2)
    assert [entry.item_id for entry in fitted.diagnostics] == ["messages[1]"]


INTERRUPTED = [user("u1"), calls("c1"), user("u2")]
UNASKED = [tool("c9", "nine"), user("u2")]


@pytest.mark.parametrize(("messages", "name"), [(INTERRUPTED, "c1"), (UNASKED, "c9")])
def test_tool_07_an_orphan_is_an_error_that_names_it(messages: list[Message], name: str) -> None:
    with pytest.raises(MessageError, match=name):
        fit_messages(messages, 1_000, W)


def test_tool_07_an_orphan_can_be_dropped_and_is_reported() -> None:
    fitted = fit_messages(INTERRUPTED, 1_000, W, on_orphan="drop")
    assert fitted.messages == [INTERRUPTED[0], INTERRUPTED[2]]
    assert fitted.orphans == fitted.dropped == (1,)
    assert fit_messages(UNASKED, 1_000, W, on_orphan="drop").messages == UNASKED[1:]


def test_tool_07_an_orphan_can_be_kept() -> None:
    assert fit_messages(INTERRUPTED, 1_000, W, on_orphan="keep").messages == INTERRUPTED
    assert fit_messages(UNASKED, 1_000, W, on_orphan="keep").messages == UNASKED


THOUGHT = [
    user("u"),
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm " * 500, "signature": "abcd"},
            {"type": "text", "text": "let me look at that"},
            {"type": "tool_use", "id": "t1", "name": "look", "input": {}},
        ],
    },
    results(("t1", "word " * 500)),
]


def test_tool_09_thinking_is_never_cut() -> None:
    fitted = fit_messages(
        THOUGHT,
        540,
        W,
        provider="anthropic",
        overhead=FREE,
        on_pinned_overflow="cut_results",
    )
    assert fitted.messages[1] is THOUGHT[1]
    assert fitted.cut == (2,)
    assert fitted.total_tokens == 540


GREETING = [system("s"), says("Arr!"), user("one two three"), says("a"), user("d")]


def test_tool_10_a_greeting_stays_while_everything_fits() -> None:
    fitted = fit_messages(GREETING, 100, W, provider="anthropic", overhead=FREE)
    assert fitted.messages == GREETING


def test_tool_10_what_is_left_starts_with_a_user_message() -> None:
    fitted = fit_messages(GREETING, 5, W, provider="anthropic", overhead=FREE)
    assert fitted.messages == [GREETING[0], GREETING[4]]


def test_tool_12_an_output_is_never_kept_without_its_call() -> None:
    items: list[Message] = [
        user("u"),
        {"type": "function_call", "call_id": "k1", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "k1", "output": "ok"},
        says("done"),
    ]
    fitted = fit_messages(items, 3, W, provider="openai-responses", overhead=FREE)
    assert fitted.messages == [items[0], items[3]]


def test_tool_13_a_giant_result_is_cut_to_its_own_ceiling() -> None:
    giant = [*LONG[:3], tool("c1", "x " * 50_000)]
    fitted = fit_messages(giant, 500, W, overhead=FREE, tool_result_limit=100)
    assert W.count(str(fitted.messages[3]["content"])) == 100
    assert fitted.total_tokens == 104
    assert not fitted.overflowed


def test_tru_15_arguments_are_never_cut() -> None:
    arguments = '{"path":"a.md","body":"' + "x" * 500 + '"}'
    messages = [user("u"), calls("c1", arguments=arguments), tool("c1", "ok"), user("v")]
    fitted = fit_messages(messages, 100, Characters(), overhead=FREE, tool_result_limit=10)
    assert fitted.messages == [messages[3]]


@pytest.mark.parametrize(
    ("arguments", "characters"),
    [(None, 0), ({"b": 2, "a": 1}, len('{"a":1,"b":2}')), ('{"a":1}', 7), ('{"bro', 5)],
)
def test_cnt_03_null_content_and_any_arguments_are_counted(
    arguments: object, characters: int
) -> None:
    counted = count_messages([calls("c1", arguments=arguments)], Characters(), overhead=FREE)
    assert counted == len("add") + characters


def test_cnt_04_a_tool_use_costs_its_name_and_compact_input() -> None:
    given = {"q": "x" * 200}
    block = {"type": "tool_use", "id": "t1", "name": "find", "input": given}
    backwards = dict(reversed(block.items()))
    expected = len("find") + len(json.dumps(given, separators=(",", ":")))
    for one in (block, backwards):
        message = {"role": "assistant", "content": [one]}
        counted = count_messages([message], Characters(), provider="anthropic", overhead=FREE)
        assert counted == expected


VIDEO: list[Message] = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "hi"},
            {"type": "video_url", "video_url": {"url": "data:AAAA"}},
        ],
    }
]


def test_cnt_06_an_unknown_block_is_an_error_that_names_type_and_index() -> None:
    with pytest.raises(MessageError, match=r"messages\[0\] \(video_url\)") as caught:
        count_messages(VIDEO, W)
    assert (caught.value.index, caught.value.kind) == (0, "video_url")


def test_cnt_06_a_block_costs_what_the_caller_says() -> None:
    counted = count_messages(VIDEO, W, overhead=FREE, block_tokens={"video_url": 500})
    assert counted == 501


def test_cnt_13_the_system_message_is_charged_once() -> None:
    messages = [system("a b c d"), user("a b"), user("c d"), user("e f")]
    assert fit_messages(messages, 10, W, overhead=FREE).kept == (0, 1, 2, 3)
    assert fit_messages(messages, 9, W, overhead=FREE).dropped == (1,)


def test_ord_04_no_hole_is_made_in_the_middle() -> None:
    messages = [
        user("u1"),
        says("a1"),
        user("u2"),
        calls("c"),
        tool("c", "ok"),
        says("a3"),
        user("u3"),
    ]
    needed = count_messages(messages, W, overhead=FREE)
    assert fit_messages(messages, needed - 1, W, overhead=FREE).messages == messages[2:]


def test_ord_06_what_fits_comes_back_unaltered_and_is_counted_once() -> None:
    messages, counter = [system("s"), user("u"), calls("c1"), tool("c1", "ok")], Recording(W)
    fitted = fit_messages(messages, 1_000, counter)
    assert all(one is other for one, other in zip(fitted.messages, messages, strict=True))
    assert len(counter.texts) == len(set(counter.texts))


@pytest.mark.parametrize("limit", [0, 10])
def test_ord_08_empty_in_empty_out_without_a_count(limit: int) -> None:
    counter, nothing = Recording(W), list[Message]()
    fitted = fit_messages(nothing, limit, counter)
    assert (fitted.messages, fitted.total_tokens, counter.texts) == ([], 0, [])


def test_ord_08_a_history_of_system_messages_comes_back() -> None:
    assert fit_messages([system("s")], 10, W).messages == [system("s")]


def test_ord_10_a_user_message_over_the_limit_is_an_error_with_its_name() -> None:
    messages = [system("a b c"), user("word " * 50)]
    with pytest.raises(BudgetOverflowError, match=r"needs 53 .* limit of 20 \(messages\[1\]"):
        fit_messages(messages, 20, W, overhead=FREE)
    fitted = fit_messages(messages, 20, W, overhead=FREE, pin_last_user=False)
    assert fitted.messages == messages[:1]


def test_ord_11_a_turn_goes_with_its_user_message() -> None:
    messages = [
        system("s"),
        user("word " * 30),
        calls("c1"),
        tool("c1", "ok"),
        says("a1b"),
        user("u two"),
        says("a two"),
    ]
    fitted = fit_messages(messages, 20, W, overhead=FREE, unit="turn")
    assert fitted.messages == [messages[0], *messages[5:]]


def test_ord_12_an_object_is_measured_like_a_mapping() -> None:
    messages = [user("hi"), SimpleNamespace(role="assistant", content="x " * 9_999)]
    with pytest.raises(BudgetOverflowError) as caught:
        fit_messages(messages, 5, W, overhead=FREE)
    assert caught.value.needed == 10_000


def test_pin_01_the_system_message_is_never_dropped() -> None:
    messages = [system("you are kind"), *(user("one two") for _ in range(20))]
    fitted = fit_messages(messages, 3 + 4, W, overhead=FREE)
    assert fitted.messages == [messages[0], *messages[-2:]]


def test_cac_08_the_first_kept_message_stays_while_the_history_grows() -> None:
    words = [user("word") for _ in range(40)]
    firsts = [
        fit_messages(words[:size], 10, W, overhead=FREE, step=5).kept[0] for size in range(11, 41)
    ]
    assert firsts == sorted(firsts)
    assert len(set(firsts)) <= 7


def test_every_case_that_returns_is_valid() -> None:
    fitted = fit_messages(PARALLEL, 6, W, overhead=FREE, truncation=TruncationPolicy(marker=""))
    assert validate_messages(fitted.messages) == ()
