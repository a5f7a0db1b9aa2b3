"""The games that tests go through: all that there are, in the order of menus."""

import numduel

NAMES = tuple(kind.name for kind in numduel.games())
WITHOUT_LUCK = tuple(kind.name for kind in numduel.games() if not kind.has_deck)
