"""Colours that can be read in every theme: a text is moved away from what is behind it."""

from __future__ import annotations

from rich.color import ColorSystem
from textual.color import BLACK, WHITE, Color

CONTRAST = 4.5
"""The least contrast of a text, as the guidelines for accessible pages demand it."""
STEPS = 20
BEHIND = {
    "foreground": ("background", "surface", "panel"),
    "text-primary": ("background", "surface", "panel", "primary-muted"),
    "text-warning": ("background", "surface", "warning-muted"),
    "text-accent": ("background", "surface", "panel"),
    "text-success": ("background", "surface"),
    "text-error": ("background", "surface"),
    "button-foreground": ("surface",),
    "block-cursor-blurred-foreground": ("block-cursor-blurred-background",),
}
"""The colours of texts, and what is behind them somewhere in the app."""
ON = {
    "on-primary": "primary",
    "on-warning": "warning",
    "on-accent": "accent",
    "button-color-foreground": "primary",
    "block-cursor-foreground": "block-cursor-background",
}
"""Colours of texts on full colours, which are black or white."""


def readable(variables: dict[str, str]) -> dict[str, str]:
    """The variables of a theme, with texts that can be read; a terminal's own colours stay."""
    found = dict(variables)
    ansi = "ansi" in variables["background"]
    for name, behind in BEHIND.items():
        if not ansi:
            found[name] = _moved(_colour(variables, name), [_colour(variables, b) for b in behind])
    for name, full in ON.items():
        found[name] = variables["background"] if ansi else _best(_colour(variables, full)).hex
    return found


def _colour(variables: dict[str, str], name: str) -> Color:
    """An opaque colour: a translucent one lies on the background."""
    colour = Color.parse(variables[name])
    return colour if colour.a == 1 else Color.parse(variables["background"]) + colour


def anywhere(one: Color, other: Color) -> float:
    """The contrast of two colours; the lower one, if a terminal with 256 colours has another."""
    return min(contrast(one, other), contrast(in_256(one), in_256(other)))


def in_256(colour: Color) -> Color:
    """The nearest colour that a terminal with 256 colours has."""
    return Color.from_rich_color(colour.rich_color.downgrade(ColorSystem.EIGHT_BIT))


def contrast(one: Color, other: Color) -> float:
    """How well one colour is read on another, from 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Color) -> float:
    parts = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
        for part in colour.normalized
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def _best(behind: Color) -> Color:
    return max((BLACK, WHITE), key=lambda text: anywhere(text, behind))


def _moved(text: Color, behind: list[Color]) -> str:
    """A text nearer to black or white, as little as is needed to read it on all of these."""
    end = _best(behind[0])
    ways = (text.blend(end, step / STEPS) for step in range(STEPS + 1))
    return next(
        (way for way in ways if all(anywhere(way, other) >= CONTRAST for other in behind)), end
    ).hex
