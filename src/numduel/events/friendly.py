"""Friendly nicknames that are offered at the door: ``Quick Otter``, ``Flinker Otter``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from random import Random
from typing import NamedTuple

from numduel.core.language import ENGLISH, language


class Words(NamedTuple):
    """What nicknames of a language are made of."""

    form: str
    """A nickname: of an animal, a quality, and the ending that the quality has there."""
    qualities: tuple[str, ...]
    animals: Mapping[str, tuple[str, ...]]
    """By the endings of their qualities."""

    def names(self, ending: str, animal: str) -> list[str]:
        """All nicknames about an animal."""
        return [
            self.form.format(quality=quality, ending=ending, animal=animal)
            for quality in self.qualities
        ]

    def each_animal(self) -> Iterator[tuple[str, str]]:
        """Every animal with the ending of its qualities."""
        return ((ending, one) for ending, animals in self.animals.items() for one in animals)

    def every_name(self) -> list[str]:
        """All nicknames."""
        return [name for one in self.each_animal() for name in self.names(*one)]


WORDS = {
    ENGLISH: Words(
        "{quality} {animal}",
        (
            "Brave", "Bright", "Bouncy", "Calm", "Cheerful", "Clever", "Cosy", "Curious", "Daring",
            "Eager", "Fair", "Fearless", "Friendly", "Gentle", "Golden", "Happy", "Helpful",
            "Jolly", "Keen", "Kind", "Lively", "Lucky", "Merry", "Mighty", "Nimble", "Patient",
            "Playful", "Polite", "Proud", "Quick", "Quiet", "Royal", "Shiny", "Silver", "Sunny",
            "Swift", "Tidy", "Warm", "Wise", "Witty",
        ),
        {"": (
            "Alpaca", "Badger", "Beaver", "Bison", "Camel", "Crane", "Deer", "Dolphin", "Eagle",
            "Falcon", "Ferret", "Finch", "Fox", "Gecko", "Giraffe", "Hare", "Hedgehog", "Heron",
            "Kiwi", "Koala", "Lion", "Llama", "Lynx", "Marmot", "Newt", "Orca", "Otter", "Owl",
            "Panda", "Parrot", "Penguin", "Puffin", "Rabbit", "Raccoon", "Robin", "Salmon", "Seal",
            "Squirrel", "Swan", "Tiger", "Turtle", "Wombat", "Zebra",
        )},
    ),
    "de": Words(
        "{quality}{ending} {animal}",
        (
            "Eifrig", "Fair", "Fein", "Flink", "Flott", "Freundlich", "Froh", "Fröhlich",
            "Geduldig", "Gelassen", "Glücklich", "Golden", "Gutmütig", "Heiter", "Höflich", "Keck",
            "Klug", "Königlich", "Kühn", "Lebhaft", "Listig", "Lustig", "Munter", "Mutig", "Nett",
            "Neugierig", "Pfiffig", "Ruhig", "Sanft", "Schlau", "Schnell", "Sonnig", "Stark",
            "Tapfer", "Treu", "Vergnügt", "Wach", "Weis", "Witzig",
        ),
        {
            "er": (
                "Adler", "Biber", "Dachs", "Delfin", "Elch", "Falke", "Fink", "Fuchs", "Gecko",
                "Hase", "Hirsch", "Igel", "Kiwi", "Koala", "Kranich", "Lachs", "Luchs", "Löwe",
                "Otter", "Panda", "Papagei", "Pinguin", "Reiher", "Schwan", "Seehund", "Spatz",
                "Storch", "Tiger", "Wombat",
            ),
            "e": (
                "Ameise", "Amsel", "Eule", "Ente", "Giraffe", "Libelle", "Meise", "Möwe", "Robbe",
                "Schwalbe",
            ),
            "es": ("Alpaka", "Känguru", "Lama", "Pony", "Reh", "Zebra"),
        },
    ),
    "fr": Words(
        "{animal} {quality}",
        (
            "admirable", "adorable", "agile", "aimable", "alerte", "brave", "calme", "célèbre",
            "drôle", "dynamique", "énergique", "fidèle", "formidable", "habile", "honnête",
            "intrépide", "juste", "magique", "modeste", "noble", "optimiste", "paisible", "rapide",
            "sage", "sincère", "sociable", "solide", "splendide", "superbe", "svelte",
            "tendre", "tenace", "tranquille", "utile",
        ),
        {"": (
            "Abeille", "Aigle", "Alpaga", "Bison", "Canard", "Castor", "Cerf", "Chamois", "Cheval",
            "Cigogne", "Colibri", "Cygne", "Daim", "Dauphin", "Écureuil", "Élan", "Faucon",
            "Furet", "Gazelle", "Girafe", "Hérisson", "Héron", "Hibou", "Kiwi", "Koala", "Lama",
            "Lapin", "Lièvre", "Lion", "Loutre", "Lynx", "Marmotte", "Merle", "Mouette", "Panda",
            "Papillon", "Perroquet", "Pingouin", "Renard", "Saumon", "Tigre", "Tortue", "Zèbre",
        )},
    ),
}  # fmt: skip
"""The words of each language that has its own. French qualities are those that have one form."""
OFFERED = 3
"""How many are offered at a time."""


def offer(free: Callable[[str], bool], luck: Random | None = None) -> list[str]:
    """Some nicknames that are free, no two about one animal, in the language spoken."""
    random = luck or Random()
    words = WORDS.get(language(), WORDS[ENGLISH])
    animals = [*words.each_animal()]
    found: list[str] = []
    for ending, animal in random.sample(animals, len(animals)):
        names = words.names(ending, animal)
        names = random.sample(names, len(names))
        found += islice(filter(free, names), 1)  # To ask for each takes time in a large event.
        if len(found) == OFFERED:
            break
    return found


def is_friendly(name: str) -> bool:
    """Whether a nickname is one of those that can be offered, in any language."""
    return name in _all_names()


@cache
def _all_names() -> frozenset[str]:
    return frozenset(name for words in WORDS.values() for name in words.every_name())
