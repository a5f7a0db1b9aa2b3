"""The same games in disguise: other names and other symbols, to tell skill from memory.

A model that has read about a game may remember how it is won. In a skin the game has a made-up
name, its players are A and B, and every number from 1 to the largest of the board is written as a
made-up word; the prompt says which word stands for which number. The rules, the positions and the
values stay the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from numduel.core.game import Game

CONSONANTS, VOWELS = "bdgkvz", "aiou"
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.]?\d)")
"""A number that stands alone."""
DIGITS = re.compile(r"\d+")
PLAYER = re.compile(r"\b(P|Player )([12])\b")
DISGUISED = re.compile(r"\b(P|Player )([AB])\b")
"""The same in disguise."""
LEGEND = "In all that follows, and in your answer, these numbers are written as words, and only so:"
"""What a text in disguise begins with."""
MEANT = re.compile(r"\b([a-z]{4,6}) = (\d+)\b")
"""A word of the legend, and its number."""


class Skin:
    """The words of one game in disguise."""

    def __init__(self, game: Game, seed: int) -> None:
        largest = max(game.bounds.actions, game.bounds.cards, 2)
        syllables = [a + b for a, b in product(CONSONANTS, VOWELS)]
        length = 2 if largest < len(syllables) ** 2 else 3
        words = ["".join(parts) for parts in product(syllables, repeat=length)]
        luck = random.Random(f"numduel skin {seed} {game.id}").random
        name, *words = sorted(words, key=lambda _: luck())
        self._game = game.display_name
        self._name = name.title()
        self._words = {str(number): words[number] for number in range(1, largest + 1)}
        self._numbers = {word: number for number, word in self._words.items()}
        self._word = re.compile(rf"\b(?:{'|'.join(self._numbers)})\b", re.IGNORECASE)

    @property
    def legend(self) -> str:
        """Which word stands for which number."""
        told = ", ".join(f"{word} = {number}" for number, word in self._words.items())
        return f"{LEGEND} {told}."

    def worn(self, text: str) -> str:
        """A text in disguise."""
        renamed = PLAYER.sub(lambda found: found[1] + " AB"[int(found[2])], text)
        renamed = renamed.replace(self._game, self._name)
        return NUMBER.sub(lambda found: self._words.get(found[0], found[0]), renamed)

    def undone(self, answer: str) -> str:
        """An answer with numbers in the place of words; its own numbers stand for nothing."""
        hidden = DIGITS.sub("?", answer)
        return self._word.sub(lambda found: self._numbers[found[0].lower()], hidden)


def unmasked(text: str) -> Iterator[str]:
    """What in a text is in disguise, with its numbers and players as they are. Only the games keep
    their other names."""
    for part in text.split(LEGEND)[1:]:
        legend, _, told = part.partition(".")
        numbers = dict(MEANT.findall(legend))
        for word, number in numbers.items():
            told = re.sub(rf"\b{word}\b", number, told)
        if numbers:
            yield DISGUISED.sub(lambda found: found[1] + str(" AB".index(found[2])), told)


@lru_cache(maxsize=64)
def skin(game: Game, seed: int) -> Skin:
    """The skin of a game for a seed."""
    return Skin(game, seed)
