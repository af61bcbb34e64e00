"""Prompt-cache layers: the section that was checked, its blocks, and the ladder of markers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import FrozenInstanceError, dataclass
from typing import NoReturn, final

from ._checks import check_int, check_type, refuse_class, refuse_type
from ._ladder import LadderViolation, Mark, Ttl, blank_text, broken_rules, check_ttl
from ._request import validate_ladder
from .errors import CacheLadderError, ConfigurationError, listed

__all__ = ["Block", "CheckedSection", "LadderViolation", "Layer", "Ttl", "validate_ladder"]

Block = dict[str, str | dict[str, str]]


@dataclass(frozen=True, slots=True)
class Layer:
    """One part of a rendered section, and whether a cache marker stands at its end.

    Args:
        name: Unique within a section; it appears in errors and in what a `PrefixWatch` says.
        text: What is sent, byte for byte.
        ttl: "5m" or "1h" for a marker at the end of this layer; None for no marker of its own:
            before a marked layer the text is cached all the same, after the last it isn't.

    Raises:
        TypeError: For an argument of a wrong type.
        ConfigurationError: For an unknown ttl.
    """

    name: str
    text: str
    ttl: Ttl | None = None

    def __post_init__(self) -> None:
        """Refuse wrong types and unknown times to live."""
        check_type("name", self.name, str)
        check_type("text", self.text, str)
        check_ttl("ttl", self.ttl)

    def __repr__(self) -> str:
        """Show everything but the text."""
        return f"Layer({self.name!r}, <{len(self.text):,} characters>, ttl={self.ttl!r})"


@final
class CheckedSection:
    """A section that a guard measured, and the only thing that can be stamped.

    It is frozen, can't be copied, pickled or extended, and is only made by `HmsGuard.check` and
    `HmsGuard.check_layers`: what is sent is what was measured.

    Attributes:
        text: All layers, joined; from `HmsGuard.check` the very object that was given.
        layers: The layers, as they were given.
        tokens: The count of the text up to and including the last marked layer, or of all of it
            where none is marked.
        budget: Tokens that were allowed.
    """

    __slots__ = ("_separator", "budget", "layers", "text", "tokens")
    text: str
    layers: tuple[Layer, ...]
    tokens: int
    budget: int
    _separator: str

    def __init__(self, *_: object, **__: object) -> None:
        """Refuse: a section that no guard measured has no way to the wire."""
        raise TypeError(
            "a CheckedSection is only made by a guard; call HmsGuard.check or HmsGuard.check_layers"
        )

    @property
    def within(self) -> bool:
        """Whether `tokens` is at most `budget`; False is possible in warn mode only."""
        return self.tokens <= self.budget

    @property
    def markers(self) -> int:
        """How many of the request's four markers this section takes."""
        return sum(layer.ttl is not None for layer in self.layers)

    @property
    def last_ttl(self) -> Ttl | None:
        """The ttl of the last marker, which what follows may not exceed; None without one."""
        return next((layer.ttl for layer in reversed(self.layers) if layer.ttl is not None), None)

    def anthropic_blocks(
        self, *, prior_ttl: Ttl | None = None, markers_used: int = 0
    ) -> list[Block]:
        """Return the section as text blocks, with `cache_control` where a layer asks for it.

        Each block but the first begins with the separator, so the texts of the blocks joined by
        nothing are `text`, and a tail that is missing changes no cached byte. 5m is written as
        the bare marker. The blocks are new dicts on every call; nothing is counted.

        Args:
            prior_ttl: The ttl of the last marker before the system prompt (on the tools).
            markers_used: Markers elsewhere in the request, that one included.

        Raises:
            CacheLadderError: If a marker would live longer than one before it, there would be
                more than four, or a layer is blank; every violation is named.
            ConfigurationError: If `prior_ttl` is unknown or `markers_used` is negative.
            TypeError: For an argument of a wrong type.
        """
        check_ttl("prior_ttl", prior_ttl)
        check_int("markers_used", markers_used, 0, ConfigurationError)
        self._check_ladder(prior_ttl, markers_used)
        return [
            _block(self._separator + layer.text if place else layer.text, layer.ttl)
            for place, layer in enumerate(self.layers)
        ]

    def _check_ladder(self, prior_ttl: Ttl | None, markers_used: int) -> None:
        prior = [] if prior_ttl is None else [Mark("prior_ttl", prior_ttl)]
        own = [Mark(layer.name, layer.ttl) for layer in self.layers if layer.ttl is not None]
        elsewhere = max(markers_used - len(prior), 0)
        blank = [blank_text(layer.name) for layer in self.layers if not layer.text.strip()]
        violations = (*blank, *broken_rules(prior + own, elsewhere))
        if violations:
            raise CacheLadderError(violations)

    def __repr__(self) -> str:
        """Show everything but the text."""
        return (
            f"CheckedSection(<{len(self.text):,} characters>, {self.layers!r},"
            f" tokens={self.tokens}, budget={self.budget})"
        )

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse: what was measured is what is sent."""
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        """Refuse: what was measured is what is sent."""
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __reduce__(self) -> NoReturn:
        """Refuse pickles and copies: they would be sections that no guard measured."""
        raise TypeError("a CheckedSection can't be copied or pickled; check the text where it goes")


def check_layers(layers: Iterable[object]) -> tuple[Layer, ...]:
    """Return the layers, or refuse what isn't one and names that repeat."""
    if isinstance(layers, str) or not isinstance(layers, Iterable):
        raise refuse_type("layers", "an iterable of Layer", layers)
    kept: dict[str, Layer] = {}
    repeated: dict[str, None] = {}
    for layer in layers:
        if not isinstance(layer, Layer):
            raise refuse_class("layers", Layer, layer)
        if layer.name in kept:
            repeated[layer.name] = None
        kept[layer.name] = layer
    if repeated:
        raise ConfigurationError(f"layer names must be unique, repeated: {listed([*repeated])}")
    return tuple(kept.values())


def cached_part(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """Return the layers up to and including the last marked one; all where none is marked."""
    unmarked = next((n for n, layer in enumerate(reversed(layers)) if layer.ttl is not None), 0)
    return layers[: len(layers) - unmarked]


def joined(layers: tuple[Layer, ...], separator: str) -> str:
    """Return the joined text; of one layer, its very text."""
    return layers[0].text if len(layers) == 1 else separator.join(layer.text for layer in layers)


def _seal(
    layers: tuple[Layer, ...], separator: str, measured: str, tokens: int, budget: int
) -> CheckedSection:
    """Make a section; only a guard may, once `measured` was allowed."""
    tail = [layer.text for layer in layers[len(cached_part(layers)) :]]
    section = object.__new__(CheckedSection)
    for name, value in (
        ("text", separator.join((measured, *tail)) if tail else measured),
        ("layers", layers),
        ("tokens", tokens),
        ("budget", budget),
        ("_separator", separator),
    ):
        object.__setattr__(section, name, value)
    return section


def _block(text: str, ttl: Ttl | None) -> Block:
    block: Block = {"type": "text", "text": text}
    if ttl is not None:
        block["cache_control"] = {"type": "ephemeral"} | ({} if ttl == "5m" else {"ttl": ttl})
    return block
