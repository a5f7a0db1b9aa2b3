"""Friendly nicknames that are offered at the door: ``Quick Otter``."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random

QUALITIES = (
    "Brave", "Bright", "Bouncy", "Calm", "Cheerful", "Clever", "Cosy", "Curious", "Daring",
    "Eager", "Fair", "Fearless", "Friendly", "Gentle", "Golden", "Happy", "Helpful", "Jolly",
    "Keen", "Kind", "Lively", "Lucky", "Merry", "Mighty", "Nimble", "Patient", "Playful",
    "Polite", "Proud", "Quick", "Quiet", "Royal", "Shiny", "Silver", "Sunny", "Swift", "Tidy",
    "Warm", "Wise", "Witty",
)  # fmt: skip
ANIMALS = (
    "Alpaca", "Badger", "Beaver", "Bison", "Camel", "Crane", "Deer", "Dolphin", "Eagle",
    "Falcon", "Ferret", "Finch", "Fox", "Gecko", "Giraffe", "Hare", "Hedgehog", "Heron", "Kiwi",
    "Koala", "Lion", "Llama", "Lynx", "Marmot", "Newt", "Orca", "Otter", "Owl", "Panda",
    "Parrot", "Penguin", "Puffin", "Rabbit", "Raccoon", "Robin", "Salmon", "Seal", "Squirrel",
    "Swan", "Tiger", "Turtle", "Wombat", "Zebra",
)  # fmt: skip
OFFERED = 3
"""How many are offered at a time."""


def offer(free: Callable[[str], bool], luck: Random | None = None) -> list[str]:
    """Some nicknames that are free, no two about one animal."""
    random = luck or Random()
    animals = random.sample(ANIMALS, len(ANIMALS))
    found: list[str] = []
    for animal in animals:
        names = (f"{quality} {animal}" for quality in random.sample(QUALITIES, len(QUALITIES)))
        found += islice(filter(free, names), 1)  # To ask for each takes time in a large event.
        if len(found) == OFFERED:
            break
    return found


def is_friendly(name: str) -> bool:
    """Whether a nickname is one of those that can be offered."""
    quality, _, animal = name.partition(" ")
    return quality in QUALITIES and animal in ANIMALS
