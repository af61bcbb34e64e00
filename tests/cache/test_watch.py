"""What changed in a cached prefix between two turns, where, and what it costs."""

from __future__ import annotations

from threading import Barrier, Thread
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budget import CallableCounter, CounterError
from budget.cache import Layer, Ttl
from budget.errors import ConfigurationError
from budget.hms import HmsGuard
from budget.watch import Drift, PrefixWatch
from tests.counters import Characters, Framed, Recording
from tests.making import Untyped, revived
from tests.strategies import texts

untyped: Final[Untyped] = PrefixWatch

KERNEL: Final = Layer("kernel", "rules", "1h")
TOOLS: Final = Layer("tools", "search\nread", "1h")
MEMORY: Final = Layer("memory", "likes tea", "5m")
CLOCK: Final = Layer("clock", "now: 1")
PREFIX: Final = (KERNEL, TOOLS, MEMORY, CLOCK)


def drift(old: tuple[Layer, ...], new: tuple[Layer, ...]) -> Drift | None:
    watch = PrefixWatch(Characters())
    assert watch.observe("key", old) is None
    found = watch.observe("key", new)
    assert watch.observe("key", new) is None
    return found


def test_a_first_sight_is_no_drift() -> None:
    assert PrefixWatch(Characters()).observe("key", PREFIX) is None


def test_the_same_layers_are_no_drift() -> None:
    assert drift(PREFIX, (KERNEL, TOOLS, Layer("memory", "likes tea", "5m"), CLOCK)) is None


def test_a_layer_behind_the_last_marker_is_not_compared() -> None:
    assert drift(PREFIX, (*PREFIX[:3], Layer("clock", "now: 2"))) is None
    assert drift(PREFIX, PREFIX[:3]) is None


def test_a_sequence_that_only_grew_is_no_drift() -> None:
    assert drift(PREFIX[:1], PREFIX) is None
    assert drift((), PREFIX) is None


def test_a_change_of_text_is_told_by_layer_byte_and_line() -> None:
    changed = Layer("tools", "search\nrood", "1h")
    assert drift(PREFIX, (KERNEL, changed, MEMORY)) == Drift("bytes", "tools", 8, 2, 20)


def test_what_is_rewritten_begins_behind_the_last_intact_marker() -> None:
    changed = Layer("memory", "likes cocoa", "5m")
    assert drift(PREFIX, (KERNEL, TOOLS, changed)) == Drift("bytes", "memory", 6, 1, 11)


def test_a_marker_between_is_counted_from_even_if_layers_without_one_follow() -> None:
    plain = Layer("plain", "plain")
    old = (KERNEL, plain, MEMORY)
    new = (KERNEL, plain, Layer("memory", "likes rum", "5m"))
    assert drift(old, new) == Drift("bytes", "memory", 6, 1, len("plainlikes rum"))


def test_without_a_marker_all_is_compared_and_all_is_rewritten() -> None:
    old = (Layer("a", "one"), Layer("b", "two"))
    new = (Layer("a", "one"), Layer("b", "too"))
    assert drift(old, new) == Drift("bytes", "b", 1, 1, 6)


@pytest.mark.parametrize(
    ("old", "new", "byte", "line"),
    [
        ("", "x", 0, 1),
        ("abc", "abx", 2, 1),
        ("abc", "ab", 2, 1),
        ("ab", "abc", 2, 1),
        ("a\nb", "a\nc", 2, 2),
        ("a\nb", "a\n\nb", 2, 2),
        ("a\nb", "a b", 1, 1),
        ("é", "è", 1, 1),
        ("né", "ne", 1, 1),
        ("日本", "日曜", 4, 1),
        ("\U0001f600", "\U0001f601", 3, 1),
        ("\ud800", "\ud801", 2, 1),
        ("a\r\nb", "a\r\nc", 3, 2),
        ("a\u2028b", "a\u2028c", 4, 1),
    ],
)
def test_bytes_are_those_of_utf_8_and_lines_end_in_newlines(
    old: str, new: str, byte: int, line: int
) -> None:
    found = drift((Layer("a", old, "5m"),), (Layer("a", new, "5m"),))
    assert found is not None
    assert (found.kind, found.byte, found.line) == ("bytes", byte, line)


def test_a_change_in_5_megabytes_is_found() -> None:
    text = "line of text\n" * 400_000
    changed = text[:-3] + "?" + text[-2:]
    found = drift((Layer("a", text, "5m"),), (Layer("a", changed, "5m"),))
    assert found == Drift("bytes", "a", len(text) - 3, 400_000, len(text))


def test_a_ttl_that_changed_is_told() -> None:
    changed = Layer("memory", "likes tea", "1h")
    assert drift(PREFIX, (KERNEL, TOOLS, changed)) == Drift("ttl", "memory", 0, 1, 9)


def test_a_marker_that_went_is_a_change_of_ttl() -> None:
    without = Layer("tools", "search\nread")
    assert drift(PREFIX, (KERNEL, without, MEMORY)) == Drift("ttl", "tools", 0, 1, 20)


def test_the_last_marker_that_went_leaves_a_shorter_prefix() -> None:
    without = Layer("memory", "likes tea")
    assert drift(PREFIX, (KERNEL, TOOLS, without)) == Drift("layers", "memory", 0, 1, 0)


def test_the_only_marker_that_went_is_a_change_of_ttl() -> None:
    assert drift((KERNEL,), (Layer("kernel", "rules"),)) == Drift("ttl", "kernel", 0, 1, 5)


@pytest.mark.parametrize(
    ("new", "layer", "tokens"),
    [
        ((KERNEL, Layer("new", "new", "1h"), TOOLS, MEMORY), "new", 23),
        ((KERNEL, MEMORY), "memory", 9),
        ((KERNEL, TOOLS), "memory", 0),
        ((TOOLS, KERNEL, MEMORY), "tools", 25),
        ((KERNEL, Layer("renamed", "other", "1h"), MEMORY), "renamed", 14),
        ((), "kernel", 0),
    ],
    ids=["added", "removed", "removed at the end", "reordered", "replaced", "all removed"],
)
def test_layers_that_came_went_or_moved_are_told(
    new: tuple[Layer, ...], layer: str, tokens: int
) -> None:
    assert drift(PREFIX[:3], new) == Drift("layers", layer, 0, 1, tokens)


def test_a_layer_that_was_only_renamed_costs_nothing() -> None:
    renamed = Layer("renamed", KERNEL.text, KERNEL.ttl)
    assert drift(PREFIX, (renamed, TOOLS, MEMORY)) == Drift("layers", "renamed", 0, 1, 0)


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (
            (("tools", "search", None), ("more", "\nread", "1h")),
            Drift("boundary", "tools", 6, 1, 11),
        ),
        ((("tools", "search\nre", "1h"), ("x", "ad", "1h")), Drift("boundary", "tools", 9, 2, 11)),
        ((("x", "search\n", "1h"), ("y", "read", "1h")), Drift("boundary", "x", 7, 2, 11)),
    ],
)
def test_the_same_bytes_in_other_blocks_are_told(
    new: tuple[tuple[str, str, Ttl | None], ...], expected: Drift
) -> None:
    assert drift((KERNEL, TOOLS), (KERNEL, *(Layer(*one) for one in new))) == expected


def test_two_blocks_that_became_one_are_told() -> None:
    new = (Layer("kernel", KERNEL.text + TOOLS.text, "1h"),)
    assert drift((KERNEL, TOOLS), new) == Drift("boundary", "kernel", 5, 1, 16)


def test_layers_without_text_make_no_block() -> None:
    empty = Layer("empty", "", "1h")
    assert drift((KERNEL, empty), (KERNEL,)) == Drift("layers", "empty", 0, 1, 0)
    found = drift((empty, KERNEL), (Layer("a", "ru", "1h"), Layer("b", "les", "1h")))
    assert found == Drift("boundary", "a", 2, 1, 5)


def test_the_new_sequence_is_what_the_next_turn_is_compared_with() -> None:
    watch = PrefixWatch(Characters())
    for text, changes in (("a", False), ("b", True), ("b", False), ("a", True)):
        found = watch.observe("key", [Layer("kernel", text, "1h")])
        assert (found is not None) == changes


def test_each_conversation_is_compared_with_itself() -> None:
    watch = PrefixWatch(Characters())
    assert watch.observe("a", [KERNEL]) is None
    assert watch.observe("b", [TOOLS]) is None
    assert watch.observe("a", [KERNEL]) is None
    assert watch.observe(("tenant", 1), [MEMORY]) is None


def test_the_key_is_required() -> None:
    observe: Untyped = PrefixWatch(Characters()).observe
    with pytest.raises(TypeError):
        observe(layers=[KERNEL])


def test_a_key_that_is_not_hashable_is_refused() -> None:
    observe: Untyped = PrefixWatch(Characters()).observe
    with pytest.raises(TypeError, match="unhashable"):
        observe([], [KERNEL])


def test_the_conversation_observed_longest_ago_is_forgotten_first() -> None:
    watch = PrefixWatch(Characters(), max_keys=2)
    other = [Layer("kernel", "other", "1h")]
    for key in ("a", "b", "a", "c"):
        assert watch.observe(key, [KERNEL]) is None
    assert watch.observe("b", other) is None
    assert watch.observe("c", other) is not None
    assert watch.observe("a", other) is None


def test_the_characters_of_all_conversations_are_bounded() -> None:
    watch = PrefixWatch(Characters(), max_characters=10)
    other = [Layer("kernel", "other", "1h")]
    for key in ("a", "b", "c"):
        assert watch.observe(key, [KERNEL]) is None
    assert watch.observe("c", other) is not None
    assert watch.observe("b", other) is not None
    assert watch.observe("a", other) is None


def test_a_prefix_longer_than_the_bound_is_not_remembered_and_drives_nobody_out() -> None:
    watch = PrefixWatch(Characters(), max_characters=10)
    assert watch.observe("a", [KERNEL]) is None
    assert watch.observe("b", [TOOLS]) is None
    assert watch.observe("b", [Layer("kernel", "short", "1h")]) is None
    assert watch.observe("a", [Layer("kernel", "other", "1h")]) is not None


def test_a_conversation_that_outgrew_the_bound_is_forgotten() -> None:
    watch = PrefixWatch(Characters(), max_characters=10)
    assert watch.observe("a", [KERNEL]) is None
    assert watch.observe("a", [KERNEL, TOOLS]) is None
    assert watch.observe("a", [MEMORY]) is None


def test_what_a_conversation_no_longer_holds_is_room_for_others() -> None:
    watch = PrefixWatch(Characters(), max_characters=10)
    for text in ("x" * 9, "x", "y" * 9, "y"):
        watch.observe("a", [Layer("kernel", text, "1h")])
    assert watch.observe("b", [Layer("kernel", "z" * 9, "1h")]) is None
    assert watch.observe("a", [Layer("kernel", "x", "1h")]) is not None


def test_nothing_is_counted_without_a_drift() -> None:
    counter = Recording(Characters())
    watch = PrefixWatch(counter)
    for _ in range(3):
        watch.observe("key", PREFIX)
    assert counter.texts == []


def test_a_drift_is_counted_once() -> None:
    counter = Recording(Characters())
    watch = PrefixWatch(counter)
    watch.observe("key", PREFIX)
    watch.observe("key", [KERNEL, TOOLS, Layer("memory", "likes rum", "5m")])
    assert counter.texts == ["likes rum"]


def test_nothing_rewritten_is_not_counted() -> None:
    watch = PrefixWatch(Framed())
    watch.observe("key", [KERNEL, MEMORY])
    assert watch.observe("key", [KERNEL]) == Drift("layers", "memory", 0, 1, 0)


def _raise(text: str) -> int:
    raise LookupError(len(text))


def test_the_note_of_a_counter_that_raises_names_the_layer_and_the_baseline_is_new() -> None:
    watch = PrefixWatch(CallableCounter(_raise))
    watch.observe("key", PREFIX)
    changed = [KERNEL, TOOLS, Layer("memory", "likes rum", "5m")]
    with pytest.raises(LookupError) as caught:
        watch.observe("key", changed)
    assert caught.value.__notes__ == ["while counting item memory"]
    assert watch.observe("key", changed) is None


def test_a_counter_that_answers_nonsense_is_refused() -> None:
    watch = PrefixWatch(CallableCounter(str))
    watch.observe("key", [KERNEL])
    with pytest.raises(CounterError):
        watch.observe("key", [MEMORY])


def test_a_counter_that_cannot_count_is_refused() -> None:
    with pytest.raises(TypeError, match="counter must be a TokenCounter"):
        untyped(len)


@pytest.mark.parametrize("name", ["max_keys", "max_characters"])
def test_a_bound_under_1_is_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"{name} must be >= 1, got 0"):
        untyped(Characters(), **{name: 0})
    with pytest.raises(TypeError, match=f"{name} must be an int"):
        untyped(Characters(), **{name: 1.5})


def test_layers_that_share_a_name_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="layer names must be unique, repeated: kernel"):
        PrefixWatch(Characters()).observe("key", [KERNEL, KERNEL])


def test_what_is_no_layer_is_refused() -> None:
    observe: Untyped = PrefixWatch(Characters()).observe
    with pytest.raises(TypeError, match="layers must be an iterable of Layer"):
        observe("key", "text")


def test_the_layers_of_a_checked_section_are_watched() -> None:
    watch = PrefixWatch(Characters())
    section = HmsGuard().check("kernel", "rules", ttl="1h")
    assert watch.observe("key", section.layers) is None
    assert watch.observe("key", [KERNEL]) is None


def test_a_drift_is_a_value_that_pickles() -> None:
    assert revived(Drift("bytes", "kernel", 1, 1, 5)) == Drift("bytes", "kernel", 1, 1, 5)


def test_threads_that_share_a_watch_see_their_own_conversations() -> None:
    watch = PrefixWatch(Characters(), max_keys=16)
    barrier = Barrier(8)
    found: list[Drift | None] = []

    def converse(key: int) -> None:
        barrier.wait(60)
        for turn in range(200):
            drifted = watch.observe(key, [Layer("kernel", f"{key} {turn // 2}", "1h")])
            if (drifted is None) == (turn % 2 == 0 and turn > 0):
                found.append(drifted)

    crew = [Thread(target=converse, args=(key,)) for key in range(8)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join()
    assert found == []


def test_of_threads_in_one_conversation_one_sees_the_change() -> None:
    for _ in range(20):
        watch = PrefixWatch(Characters())
        watch.observe("key", [KERNEL])
        barrier = Barrier(8)
        found: list[Drift | None] = []

        def observe(barrier: Barrier, watch: PrefixWatch, found: list[Drift | None]) -> None:
            barrier.wait(60)
            found.append(watch.observe("key", [MEMORY]))

        crew = [Thread(target=observe, args=(barrier, watch, found)) for _ in range(8)]
        for thread in crew:
            thread.start()
        for thread in crew:
            thread.join()
        assert sum(one is not None for one in found) == 1


NAMES = st.sampled_from(["a", "b", "c"])
TTLS: Final[list[Ttl | None]] = [None, "5m", "1h"]
LAYERS = st.builds(Layer, NAMES, texts(4), st.sampled_from(TTLS))
PREFIXES = st.lists(LAYERS, max_size=3, unique_by=lambda layer: layer.name).map(tuple)


def _cached(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    marked = [place for place, layer in enumerate(layers, 1) if layer.ttl is not None]
    return layers[: marked[-1]] if marked else layers


@given(PREFIXES, PREFIXES)
def test_there_is_a_drift_exactly_where_the_old_sequence_is_no_prefix_of_the_new(
    old: tuple[Layer, ...], new: tuple[Layer, ...]
) -> None:
    shared = _cached(new)[: len(_cached(old))]
    assert (drift(old, new) is None) == (shared == _cached(old))


@given(PREFIXES, PREFIXES)
def test_what_is_before_the_byte_of_a_changed_text_is_the_same(
    old: tuple[Layer, ...], new: tuple[Layer, ...]
) -> None:
    found = drift(old, new)
    if found is None or found.kind != "bytes":
        return
    (was,), (now,) = (
        [one.text.encode("utf-8", "surrogatepass") for one in layers if one.name == found.layer]
        for layers in (old, new)
    )
    assert was[: found.byte] == now[: found.byte]
    assert was[found.byte : found.byte + 1] != now[found.byte : found.byte + 1]


@given(PREFIXES, PREFIXES)
def test_no_more_is_rewritten_than_the_cached_prefix(
    old: tuple[Layer, ...], new: tuple[Layer, ...]
) -> None:
    found = drift(old, new)
    whole = sum(len(layer.text) for layer in _cached(new))
    assert found is None or 0 <= found.tokens <= whole
