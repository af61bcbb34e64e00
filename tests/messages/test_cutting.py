"""Cutting the results of tools: to a ceiling of their own, or to a common cap."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType, SimpleNamespace

import pytest

from budget import BudgetOverflowError, BudgetPolicyError, TruncationPolicy
from budget.messages import FittedMessages, fit_messages
from budget.messages.cutting import common_cap
from tests.counters import Bounded, Characters, Framed, Recording
from tests.messages.making import (
    FREE,
    calls,
    contents,
    function_call,
    function_response,
    results,
    user,
    uses,
)
from tests.messages.making import tool as answer
from tests.messages.plans import Message

C = Characters()
TILDE = TruncationPolicy(marker="~")
BLANK = TruncationPolicy(marker="")
Messages = list[Message]


def capped(
    messages: Messages,
    ceiling: int,
    provider: str = "openai",
    truncation: TruncationPolicy = TILDE,
) -> FittedMessages[Message]:
    """Fit with room for everything, each result to its ceiling."""
    return fit_messages(
        messages,
        10**6,
        C,
        provider=provider,
        overhead=FREE,
        tool_result_limit=ceiling,
        truncation=truncation,
    )


def chat(content: object) -> Messages:
    """Return a call and its answer."""
    return [user("u"), calls("c"), answer("c", content)]


def responses(**fields: object) -> Messages:
    """Return a Responses call and its output."""
    call: Message = {"type": "function_call", "call_id": "c", "name": "add", "arguments": "{}"}
    return [user("u"), call, {"type": "function_call_output", "call_id": "c", **fields}]


def parts(*texts: str, kind: str = "text") -> list[object]:
    """Return blocks of text."""
    return [{"type": kind, "text": text} for text in texts]


def test_a_text_over_the_ceiling_is_cut() -> None:
    fitted = capped(chat("x" * 100), 10)
    assert fitted.messages[2] == answer("c", "xxxxxxxxx~")
    assert (fitted.cut, fitted.total_tokens) == ((2,), 1 + 5 + 10)


def test_a_text_of_the_ceiling_is_the_same_object() -> None:
    messages = chat("x" * 10)
    assert capped(messages, 10).messages[2] is messages[2]


def test_a_cut_keeps_the_shape_of_a_list() -> None:
    image = {"type": "image_url", "image_url": {"detail": "low"}}
    messages = chat([*parts("x" * 50), image, *parts("y" * 50)])
    assert capped(messages, 10).messages[2]["content"] == [*parts("xxxxxxxxx~"), image]


def test_the_texts_of_one_result_share_its_ceiling() -> None:
    messages = chat(parts("x" * 6, "y" * 6))
    assert capped(messages, 12).cut == ()
    assert capped(messages, 11).messages[2]["content"] == parts("xxxxxx\nyyy~")


def test_several_texts_that_fit_as_one_are_cut_all_the_same() -> None:
    fitted = fit_messages(
        chat(parts("x" * 3, "y" * 3)),
        10**6,
        Framed(),
        overhead=FREE,
        tool_result_limit=17,
        truncation=TILDE,
    )
    assert fitted.messages[2]["content"] == parts("xxx\nyy~")


def test_other_results_of_a_message_stay_the_same_objects() -> None:
    messages = [
        user("u"),
        uses("a", "b", "d"),
        results(("a", "x" * 50), ("b", parts("y", "z")), ("d", "w"), text="and"),
    ]
    (first, *others) = blocks(capped(messages, 10, "anthropic").messages[2])
    assert first == {"type": "tool_result", "tool_use_id": "a", "content": "xxxxxxxxx~"}
    assert [id(block) for block in others] == [id(b) for b in blocks(messages[2])[1:]]


def blocks(message: Message) -> list[object]:
    """Return the blocks of a message."""
    content = message["content"]
    assert isinstance(content, list)
    return content


def test_a_responses_output_is_cut_in_its_shape() -> None:
    text, listed = "x" * 100, parts("x" * 100, kind="input_text")
    assert capped(responses(output=text), 5, "openai-responses").messages[2]["output"] == "xxxx~"
    fitted = capped(responses(output=listed), 5, "openai-responses")
    assert fitted.messages[2]["output"] == parts("xxxx~", kind="input_text")


def test_a_shells_text_is_gathered_in_its_first_chunk() -> None:
    chunk = {"outcome": {"type": "exit", "exit_code": 0}}
    output = [
        chunk | {"stdout": "x" * 50, "stderr": "e" * 50},
        chunk | {"stdout": "y", "stderr": "z"},
    ]
    messages: Messages = [
        user("u"),
        {"type": "shell_call", "call_id": "s", "action": {"commands": ["ls"]}},
        {"type": "shell_call_output", "call_id": "s", "output": output},
    ]
    assert capped(messages, 5, "openai-responses").messages[2]["output"] == [
        chunk | {"stdout": "xxxx~", "stderr": ""},
        chunk | {"stdout": "", "stderr": ""},
    ]


def gemini(*answers: object) -> Messages:
    """Return Gemini calls and their answers."""
    return [
        contents("user", {"text": "u"}),
        contents("model", *(function_call("f") for _ in answers)),
        contents("user", {"text": "so"}, *(function_response("f", one) for one in answers)),
    ]


def response(message: Message, place: int) -> object:
    """Return a function response's response."""
    held = message["parts"]
    assert isinstance(held, list)
    return held[place]["functionResponse"]["response"]


def test_the_one_text_of_a_gemini_response_is_cut_under_its_key() -> None:
    messages = gemini({"rows": "x" * 100}, {"rows": "y"})
    fitted = capped(messages, 20, "gemini")
    assert response(fitted.messages[2], 1) == {"rows": "x" * 8 + "~"}
    assert response(fitted.messages[2], 2) == {"rows": "y"}
    assert fitted.total_tokens == 1 + 2 + (2 + 2 + 20 + 12)


def test_a_gemini_response_of_many_fields_is_cut_as_json() -> None:
    fitted = capped(gemini({"rows": ["x" * 50], "ok": True}), 40, "gemini")
    assert response(fitted.messages[2], 1) == {"output": '{"ok":true,"rows":["x~'}
    assert fitted.total_tokens <= 1 + 4 + 3 + 40


@pytest.mark.parametrize("only", [{"rows": 10**50}, {1: "x" * 50}, {"a": {"b": "x" * 50}}])
def test_a_gemini_response_without_one_text_is_cut_as_json(only: object) -> None:
    cut = response(capped(gemini(only), 25, "gemini").messages[2], 1)
    assert isinstance(cut, dict)
    assert list(cut) == ["output"]


def test_an_object_is_copied_with_its_result_cut() -> None:
    inner = SimpleNamespace(name="f", response={"rows": "x" * 100}, id=None)
    part = SimpleNamespace(function_response=inner, text=None)
    messages = [
        SimpleNamespace(role="user", parts=[SimpleNamespace(text="u")]),
        SimpleNamespace(
            role="model", parts=[SimpleNamespace(function_call=SimpleNamespace(name="f"))]
        ),
        SimpleNamespace(role="user", parts=[part]),
    ]
    fitted = fit_messages(
        messages, 100, C, provider="gemini", tool_result_limit=20, truncation=TILDE
    )
    cut = fitted.messages[2].parts[0].function_response
    assert cut.response == {"rows": "xxxxxxxx~"}
    assert inner.response == {"rows": "x" * 100}
    assert messages[2].parts == [part]


def test_a_mapping_that_cannot_be_written_to_is_copied() -> None:
    frozen: list[Mapping[str, object]] = [MappingProxyType(one) for one in chat("x" * 100)]
    fitted = fit_messages(frozen, 100, C, tool_result_limit=5, truncation=TILDE)
    assert fitted.messages[2]["content"] == "xxxx~"
    assert frozen[2]["content"] == "x" * 100


@pytest.mark.parametrize(
    "truncation",
    [
        TruncationPolicy(marker="~", min_tokens=5),
        TruncationPolicy(marker="~", quantum=5),
    ],
)
def test_a_text_without_an_acceptable_cut_becomes_the_marker(truncation: TruncationPolicy) -> None:
    fitted = capped(chat("x" * 100), 4, truncation=truncation)
    assert fitted.messages[2]["content"] == "~"


@pytest.mark.parametrize("content", [" " * 100, parts(" " * 100), parts("\n" * 50, " " * 50)])
def test_a_blank_cut_is_not_acceptable(content: object) -> None:
    fitted = capped(chat(content), 4, truncation=BLANK)
    assert fitted.messages[2]["content"] in ("", [])
    assert fitted.total_tokens == 1 + 5


def test_a_marker_that_stands_where_the_text_stood_is_not_taken_for_the_text() -> None:
    messages = chat(parts("x" * 5, "~"))
    fitted = fit_messages(
        messages, 10**6, Framed(), overhead=FREE, tool_result_limit=14, truncation=TILDE
    )
    assert fitted.messages[2]["content"] == parts("~")


def test_a_ceiling_below_the_marker_is_refused_before_all_else() -> None:
    counter = Recording(C)
    with pytest.raises(BudgetPolicyError, match="limit of 2 for a result is below the 3 tokens"):
        fit_messages(
            chat("x"), 100, counter, tool_result_limit=2, truncation=TruncationPolicy(marker="...")
        )
    assert counter.texts == ["..."]


def test_a_ceiling_below_a_marker_in_json_is_refused() -> None:
    with pytest.raises(BudgetPolicyError, match="limit of 5 for a result is below the 12 tokens"):
        capped(gemini({"rows": "x" * 100}), 5, "gemini")


def test_of_a_giant_result_only_a_part_is_counted_where_that_is_enough() -> None:
    counter = Bounded(C)
    messages = chat(parts("x" * 4, "y" * 10**6))
    fit_messages(messages, 100, counter, tool_result_limit=8, truncation=TILDE)
    assert counter.characters < 10_000


def test_a_ceiling_holds_for_what_may_be_dropped_too() -> None:
    messages = [*chat("x" * 100), user("v")]
    fitted = fit_messages(messages, 12, C, overhead=FREE, tool_result_limit=5, truncation=TILDE)
    assert fitted.messages[2] == answer("c", "xxxx~")
    assert fitted.total_tokens == 12


GIANT = [user("u"), calls("a", "b", "d")] + [
    answer(call, text) for call, text in (("a", "x" * 10), ("b", "y" * 1_000), ("d", "z" * 20))
]
REST = 1 + 3 * 5


def together(limit: int, messages: Messages = GIANT, **options: int) -> FittedMessages[Message]:
    """Cut the results of what is pinned."""
    return fit_messages(
        messages,
        limit,
        C,
        overhead=FREE,
        on_pinned_overflow="cut_results",
        truncation=TILDE,
        tool_result_limit=options.get("ceiling"),
        reserved=options.get("reserved", 0),
    )


def test_of_parallel_results_only_the_giant_is_cut() -> None:
    fitted = together(REST + 100)
    assert fitted.cut == (3,)
    assert fitted.messages[3] == answer("b", "y" * 69 + "~")
    assert (fitted.total_tokens, fitted.overflowed, fitted.dropped) == (REST + 100, True, ())


def test_the_common_cap_is_the_largest() -> None:
    fitted = together(REST + 38)
    assert [len(str(message["content"])) for message in fitted.messages[2:]] == [10, 14, 14]


def test_what_is_reserved_is_room_that_is_not_there() -> None:
    assert together(REST + 100, reserved=10).total_tokens == REST + 90


def test_a_result_is_cut_from_the_original_text() -> None:
    fitted = together(REST + 60, ceiling=50)
    assert fitted.messages[3] == answer("b", "y" * 29 + "~")
    assert fitted.messages[4] is GIANT[4]


def test_a_result_that_was_cut_to_its_ceiling_stays_so_beside_another() -> None:
    messages = [
        user("u"),
        uses("a", "b"),
        results(("a", "x" * 100), ("b", "y" * 30)),
    ]
    fitted = fit_messages(
        messages,
        1 + 4 + 2 * 5 + 25,
        C,
        provider="anthropic",
        overhead=FREE,
        on_pinned_overflow="cut_results",
        truncation=TruncationPolicy(marker="~", keep="tail"),
        tool_result_limit=10,
    )
    first, second = blocks(fitted.messages[2])
    assert first == {"type": "tool_result", "tool_use_id": "a", "content": "~xxxxxxxxx"}
    assert second == {"type": "tool_result", "tool_use_id": "b", "content": "~yyyyyyyyy"}


def test_the_cap_is_rounded_down_to_the_quantum() -> None:
    fitted = fit_messages(
        GIANT,
        REST + 119,
        C,
        overhead=FREE,
        on_pinned_overflow="cut_results",
        truncation=TruncationPolicy(marker="~", quantum=20),
    )
    assert len(str(fitted.messages[3]["content"])) == 80


def test_older_messages_go_before_results_are_cut() -> None:
    fitted = together(REST + 100, [user("old"), *GIANT])
    assert fitted.dropped == (0,)


def test_no_older_message_is_kept_beside_cut_results_though_it_would_fit() -> None:
    # It would have to go again at a higher limit, where the cap is the next quantum.
    fitted = fit_messages(
        [user("old"), *GIANT],
        REST + 119,
        C,
        overhead=FREE,
        on_pinned_overflow="cut_results",
        truncation=TruncationPolicy(marker="~", quantum=20),
    )
    assert (fitted.total_tokens, fitted.dropped) == (REST + 110, (0,))


def test_results_that_cannot_be_cut_so_far_are_an_error_with_the_exact_need() -> None:
    with pytest.raises(BudgetOverflowError) as caught:
        together(REST + 2)
    assert caught.value.needed == REST + 3
    assert caught.value.item_ids == ("messages[3]", "messages[4]", "messages[1]")
    assert together(REST + 3).total_tokens == REST + 3


def test_a_pinned_part_without_results_is_an_error() -> None:
    with pytest.raises(BudgetOverflowError) as caught:
        together(3, [user("four")])
    assert caught.value.needed == 4


@pytest.mark.parametrize(
    ("sizes", "markers", "available", "expected"),
    [
        ([10, 100, 20], [1, 1, 1], 90, 60),
        ([10, 100, 20], [1, 1, 1], 30, 10),
        ([10, 100, 20], [1, 1, 1], 3, 1),
        ([10, 100], [5, 5], 10, 5),
        ([7], [1], 7, 7),
        ([], [], 0, 0),
    ],
)
def test_a_common_cap_fills_what_is_available(
    sizes: list[int], markers: list[int], available: int, expected: int
) -> None:
    assert common_cap(sizes, markers, available) == expected
