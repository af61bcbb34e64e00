"""A whole request as it would be sent: what a provider would refuse about its cache markers."""

from __future__ import annotations

import copy
from itertools import product
from types import SimpleNamespace
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budget.cache import LadderViolation, validate_ladder
from tests.making import Untyped

untyped: Final[Untyped] = validate_ladder

Fields = dict[str, object]
BARE: Final[Fields] = {"type": "ephemeral"}
MINUTES: Final[Fields] = {"type": "ephemeral", "ttl": "5m"}
HOUR: Final[Fields] = {"type": "ephemeral", "ttl": "1h"}
ORDER: Final = "ttl 1h after ttl 5m; shorten this one or lengthen the other"


def tool(marker: Fields | None = None) -> Fields:
    fields: Fields = {"name": "search", "input_schema": {"type": "object"}}
    return fields if marker is None else fields | {"cache_control": marker}


def text(marker: object = None, words: str = "words") -> Fields:
    return {"type": "text", "text": words} | ({} if marker is None else {"cache_control": marker})


def user(*content: object) -> Fields:
    return {"role": "user", "content": list(content)}


def result(*content: object, marker: Fields | None = None) -> Fields:
    fields: Fields = {"type": "tool_result", "tool_use_id": "t1", "content": list(content)}
    return fields if marker is None else fields | {"cache_control": marker}


def found(
    *, tools: object = (), system: object = (), messages: object = ()
) -> list[tuple[str, str, str | None]]:
    violations = untyped(tools=tools, system=system, messages=messages)
    assert isinstance(violations, tuple)
    return [(one.rule, one.place, one.other) for one in violations]


def test_a_request_without_markers_is_valid() -> None:
    assert validate_ladder() == ()
    assert found(tools=[tool()], system="rules", messages=[{"role": "user", "content": "hi"}]) == []


@pytest.mark.parametrize(
    ("tools", "system", "messages", "valid"),
    [
        (HOUR, HOUR, MINUTES, True),
        (HOUR, MINUTES, MINUTES, True),
        (MINUTES, MINUTES, None, True),
        (None, BARE, MINUTES, True),
        (BARE, HOUR, None, False),
        (HOUR, MINUTES, HOUR, False),
        (MINUTES, None, HOUR, False),
        (None, BARE, HOUR, False),
    ],
)
def test_the_time_to_live_never_ascends_over_tools_system_and_messages(
    tools: Fields | None, system: Fields | None, messages: Fields | None, *, valid: bool
) -> None:
    violations = found(tools=[tool(tools)], system=[text(system)], messages=[user(text(messages))])
    assert [rule for rule, _, _ in violations] == ([] if valid else ["order"])


# CAC-01
def test_an_ascending_ladder_is_named_by_both_places() -> None:
    assert validate_ladder(tools=[tool(BARE)], system=[text(HOUR)]) == (
        LadderViolation("order", "system[0]", "tools[0]", ORDER),
    )


def test_the_other_place_is_the_nearest_that_lives_shorter() -> None:
    violations = found(
        tools=[tool(HOUR), tool(MINUTES)],
        system=[text(), text(BARE)],
        messages=[user(text(), text(HOUR))],
    )
    assert violations == [("order", "messages[0].content[1]", "system[1]")]


def test_every_marker_that_lives_longer_is_named() -> None:
    assert found(tools=[tool(BARE)], system=[text(HOUR), text(HOUR)]) == [
        ("order", "system[0]", "tools[0]"),
        ("order", "system[1]", "tools[0]"),
    ]


@pytest.mark.parametrize("ttl", [None, "5m"])
def test_a_bare_marker_lives_5_minutes(ttl: str | None) -> None:
    marker: Fields = {"type": "ephemeral", "ttl": ttl}
    assert found(tools=[tool(marker)], system=[text(HOUR)]) == [("order", "system[0]", "tools[0]")]


def test_a_marker_of_none_is_no_marker() -> None:
    assert found(system=[text() | {"cache_control": None}] * 5) == []


# CAC-04
def test_four_markers_are_allowed_and_a_fifth_is_named() -> None:
    tools, system = [tool(BARE)], [text(BARE), text(BARE)]
    assert found(tools=tools, system=system, messages=[user(text(BARE))]) == []
    assert found(tools=tools, system=system, messages=[user(text(BARE), text(BARE))]) == [
        ("count", "messages[0].content[1]", "messages[0].content[0]")
    ]


def test_too_many_markers_are_one_violation_with_their_number() -> None:
    (violation,) = validate_ladder(tools=[tool(BARE)] * 7)
    assert str(violation) == (
        "tools[4] against tools[3]: 7 cache markers, 3 over the limit of 4; remove some"
    )


def test_a_marker_inside_a_tool_result_counts() -> None:
    nested = [user(result(text(BARE), text(BARE), marker=BARE))]
    assert found(tools=[tool(BARE)], messages=nested) == []
    assert found(tools=[tool(BARE)] * 2, messages=nested) == [
        ("count", "messages[0].content[0].content[1]", "messages[0].content[0].content[0]")
    ]


def test_a_tool_result_is_read_before_what_it_holds() -> None:
    assert found(messages=[user(result(text(HOUR), marker=BARE))]) == [
        ("order", "messages[0].content[0].content[0]", "messages[0].content[0]")
    ]


def test_a_tool_result_that_is_a_str_carries_no_marker_inside() -> None:
    block = {"type": "tool_result", "tool_use_id": "t1", "content": "words", "cache_control": BARE}
    assert found(messages=[user(block)]) == []


# CAC-05
@pytest.mark.parametrize("words", ["", " ", "\n\t ", "\u00a0\u3000"])
@pytest.mark.parametrize("marker", [None, BARE])
def test_a_blank_text_block_is_named_marked_or_not(words: str, marker: Fields | None) -> None:
    blank = text(marker, words)
    violations = found(
        system=[text(), blank], messages=[user({"type": "image"}, blank, result(blank))]
    )
    assert violations == [
        ("blank", "system[1]", None),
        ("blank", "messages[0].content[1]", None),
        ("blank", "messages[0].content[2].content[0]", None),
    ]


def test_a_str_is_no_block() -> None:
    assert found(system="", messages=[{"role": "user", "content": ""}]) == []


@pytest.mark.parametrize("words", [None, 5, ["x"]])
def test_a_text_that_is_no_str_is_not_called_blank(words: object) -> None:
    assert found(system=[{"type": "text", "text": words}, {"type": "text"}]) == []


@pytest.mark.parametrize("kind", ["thinking", "redacted_thinking"])
def test_a_marker_on_thinking_is_named(kind: str) -> None:
    block = {"type": kind, "thinking": "words", "cache_control": BARE}
    (violation,) = validate_ladder(messages=[{"role": "assistant", "content": [block]}])
    assert str(violation) == (
        "messages[0].content[0]: a thinking block takes no cache marker; mark another block"
    )


def test_a_marker_where_none_may_be_is_not_one_of_the_four() -> None:
    thinking = {"type": "thinking", "cache_control": HOUR}
    violations = found(tools=[tool(BARE)] * 4, messages=[user(thinking)])
    assert violations == [("place", "messages[0].content[0]", None)]


@pytest.mark.parametrize(
    ("block", "place"),
    [
        ({"type": "document", "source": {"cache_control": BARE}}, ".source"),
        ({"type": "document", "source": {"content": [text(BARE)]}}, ".source.content[0]"),
        ({"type": "search_result", "content": [text(BARE)]}, ".content[0]"),
        ({"type": "web_search_tool_result", "content": [{"cache_control": HOUR}]}, ".content[0]"),
        ({"type": "text", "text": "x", "citations": [{"cache_control": BARE}]}, ".citations[0]"),
        ({"type": "tool_result", "extra": {"cache_control": BARE}}, ".extra"),
        ({"type": "new", 5: ({"cache_control": BARE},)}, ".5[0]"),
    ],
)
def test_a_marker_at_an_unknown_place_is_named(block: Fields, place: str) -> None:
    assert found(messages=[user(block)]) == [("place", f"messages[0].content[0]{place}", None)]


def test_a_marker_on_a_message_itself_is_named() -> None:
    message = user(text()) | {"cache_control": BARE}
    assert found(messages=[user(text()), message]) == [("place", "messages[1]", None)]


@pytest.mark.parametrize("marker", [None, True, "ephemeral", {"type": "string"}, {}, 5])
def test_what_only_has_the_name_of_a_marker_inside_a_block_is_none(marker: object) -> None:
    assert found(messages=[user({"type": "new", "data": {"cache_control": marker}})]) == []


@pytest.mark.parametrize("key", ["input", "input_schema", "input_examples"])
def test_arguments_and_schemas_are_data(key: str) -> None:
    block = {"type": "tool_use", key: {"cache_control": BARE, "list": [{"cache_control": BARE}]}}
    assert found(tools=[block], messages=[user(block)]) == []


@pytest.mark.parametrize(
    "marker",
    [
        {"type": "ephemeral", "ttl": "10m"},
        {"type": "ephemeral", "ttl": 300},
        {"type": "ephemeral", "ttl": ["5m"]},
        {"type": "ephemeral", "ttl": ""},
        {"type": "persistent", "ttl": "5m"},
        {"ttl": "5m"},
        {},
        "5m",
        True,
        ["ephemeral"],
    ],
)
def test_a_marker_that_nobody_knows_is_named_without_quoting_it(marker: object) -> None:
    assert validate_ladder(system=[text(marker)]) == (
        LadderViolation(
            "ttl",
            "system[0]",
            None,
            "a marker is {'type': 'ephemeral'}, with a ttl of 5m or 1h or none; mend it",
        ),
    )


def test_a_marker_that_nobody_knows_is_one_of_the_four_but_no_step_of_the_ladder() -> None:
    unknown: Fields = {"type": "ephemeral", "ttl": "10m"}
    assert found(tools=[tool(unknown)], system=[text(HOUR)]) == [("ttl", "tools[0]", None)]
    assert found(tools=[tool(unknown)], system=[text(BARE)] * 4)[-1] == (
        "count",
        "system[3]",
        "system[2]",
    )


@pytest.mark.parametrize(
    "block",
    [
        {"type": "container_upload", "file_id": "f1"},
        {"type": "brand_new", "payload": {"deep": [[{"deeper": None}]]}},
        {"type": ["a", "list"]},
        {"type": None},
        {},
        {5: 6},
        SimpleNamespace(type="text", cache_control=BARE),
        "a bare str",
        None,
        5,
        [[]],
        b"bytes",
    ],
)
def test_blocks_of_types_never_seen_are_passed_over(block: object) -> None:
    message = {"role": "user", "content": block}
    assert found(tools=[block], system=[block], messages=[block, user(block), message]) == []


@pytest.mark.parametrize("kind", ["brand_new", ["a", "list"], {"a": "mapping"}, None])
def test_a_marker_on_a_block_of_a_type_never_seen_is_read(kind: object) -> None:
    new: Fields = {"type": kind, "cache_control": HOUR}
    assert found(system=[text(BARE)], messages=[user(new)]) == [
        ("order", "messages[0].content[0]", "system[0]")
    ]


def test_a_request_nested_very_deeply_is_read() -> None:
    nested: object = {"cache_control": BARE}
    for _ in range(5_000):
        nested = [{"inner": nested}]
    ((rule, place, _),) = found(messages=[user({"type": "new", "data": nested})])
    assert (rule, place.count("inner")) == ("place", 5_000)


def test_any_iterable_is_read() -> None:
    assert validate_ladder(
        tools=iter([tool(BARE)]), system=(text(HOUR),), messages=(user(text()) for _ in range(2))
    ) == (LadderViolation("order", "system[0]", "tools[0]", ORDER),)


@pytest.mark.parametrize("name", ["tools", "system", "messages"])
@pytest.mark.parametrize("value", [None, 5, {"type": "text"}])
def test_what_is_no_list_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(TypeError, match=f"{name} must be a list, got {type(value).__name__}"):
        untyped(**{name: value})


@pytest.mark.parametrize("name", ["tools", "messages"])
def test_a_str_is_no_list(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name} must be a list, got str"):
        untyped(**{name: "text"})


def test_a_request_is_not_changed() -> None:
    request = {"tools": [tool(BARE)], "system": [text(HOUR)], "messages": [user(result(text()))]}
    before = copy.deepcopy(request)
    found(**request)
    assert request == before


def test_violations_of_one_block_come_before_those_of_the_ladder() -> None:
    violations = found(
        tools=[tool(BARE)],
        system=[text(HOUR), text(BARE, " "), text(BARE), text(HOUR)],
        messages=[user({"type": "thinking", "cache_control": BARE})],
    )
    assert violations == [
        ("blank", "system[1]", None),
        ("place", "messages[0].content[0]", None),
        ("order", "system[0]", "tools[0]"),
        ("order", "system[3]", "system[2]"),
        ("count", "system[3]", "system[2]"),
    ]


@pytest.mark.parametrize("ladder", list(product([None, BARE, HOUR], repeat=3)))
def test_a_ladder_is_valid_exactly_where_no_hour_follows_five_minutes(
    ladder: tuple[Fields | None, ...],
) -> None:
    blocks = [text(marker) for marker in ladder]
    split: list[list[tuple[str, str, str | None]]] = [
        found(system=blocks),
        found(messages=[user(block) for block in blocks]),
        found(tools=[tool(ladder[0])], system=blocks[1:2], messages=[user(*blocks[2:])]),
    ]
    hours = [place for place, marker in enumerate(ladder) if marker is HOUR]
    ascends = any(BARE in ladder[:place] for place in hours)
    assert [bool(violations) for violations in split] == [ascends] * 3


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "content", "cache_control", "ttl", "source"]), inner
        )
        | st.sampled_from([text(BARE), text(HOUR, ""), result(text(BARE)), tool(HOUR)])
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=3), st.text(max_size=2) | st.lists(JSON, max_size=3), st.lists(JSON))
def test_no_request_of_plain_json_raises(
    tools: list[object], system: object, messages: list[object]
) -> None:
    for violation in validate_ladder(
        tools=tools, system=system if isinstance(system, str) else [system], messages=messages
    ):
        assert violation.place.startswith(("tools", "system", "messages"))
