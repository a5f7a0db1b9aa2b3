"""What somebody does who reads a strategy and knows only the rules.

Sentences are read as they are printed, and nothing of the package is used. Where the words leave a
choice, all of it is left; a sentence that nobody has taught to this reader is an error.
"""

import re
from functools import cache

from tests.learn.strategies.checker import Board, Ideas, Left, Rules

WORDS = {
    "Win at once if you can.": "win",
    "Win if you can; if not, set up a win they can't stop.": "fork",
    "Leave them no answer that wins at once.": "deny",
    "Stop them from winning, and from setting up a win that you can't stop.": "deny-fork",
    "Leave them as few answers as you can.": "starve",
    "Keep as many moves for yourself as you can, whatever they answer.": "mobility",
    "Take the largest number you can.": "largest",
    "Take the number nearest the middle.": "central",
    "Take a number next to their last one.": "beside-theirs",
    "Take a number next to your own last one.": "beside-mine",
    "Take the mirror image of their last number.": "mirror",
    "Leave them as few sequences as you can.": "spoil",
    "Take the number that is in the most sequences you could still complete.": "chances",
    "If several numbers are left, take the smallest: it matters here.": "smallest",
}
NOTHING = (
    "If several numbers are left, choose any of them.",
    "If it has no partner, or the partner is gone, take any number you like.",
    "Then choose any number you like.",
    "Choose any number you like.",
)
"""Sentences that leave all that is left."""
OPENING = re.compile(r"Open with (\d+)\.")
PARTNERS = re.compile(
    r"(?:Answer each of their numbers with its partner|Always answer with the partner of their"
    r" number): (.*)\."
)


def steps(lines: list[str]) -> list[str]:
    """The numbered sentences of what is printed."""
    return [found[1] for line in lines if (found := re.fullmatch(r"\d\. (.*)", line))]


def reader(sentences: list[str], rules: Rules) -> Left:
    """What is left to a reader of sentences about numbers."""
    ideas, partner, opening, names = Ideas(rules), dict[int, int](), 0, list[str]()
    for sentence in sentences:
        if found := OPENING.fullmatch(sentence):
            opening = int(found[1])
        elif found := PARTNERS.fullmatch(sentence):
            for one, two in pairs(found[1].split(", ")):
                partner |= {one: two, two: one}
        elif sentence not in NOTHING:
            names.append(WORDS[sentence])
    excused = any(sentence in NOTHING for sentence in sentences)

    def left(board: Board, theirs: int, mine: int) -> list[int]:
        moves = rules.moves(board)
        if board == rules.start and opening:
            return [opening]
        if partner:
            answer = [move for move in moves if move == partner.get(theirs)]
            assert answer or excused, "the words say nothing"
            return answer or moves
        for name in names:
            if len(moves) > 1:
                moves = ideas.preferred(name, board, moves, theirs, mine)
        assert len(moves) == 1 or excused, "the words leave several moves"
        return moves

    return left


def pairs(told: list[str]) -> list[tuple[int, int]]:
    """The pairs that are told; dots stand for those that go on in the same way."""
    found: list[tuple[int, int]] = []
    for at, word in enumerate(told):
        if word != "…":
            one, two = map(int, word.split("–"))
            found.append((one, two))
            continue
        (a, b), (c, d) = found[-2:]
        last = int(told[at + 1].split("–")[0])
        while found[-1][0] + c - a != last:
            found.append((found[-1][0] + c - a, found[-1][1] + d - b))
    return found


# -- cards ----------------------------------------------------------------------------------

Row = tuple[int, ...]
Deck = tuple[int, ...]
KEEP = re.compile(r"While your row is empty, keep ([\d, or]+) and discard any other card\.")
ADD = "Add every card that you can."
ANYWHERE = "If it fits in more than one place, choose any."
ROOMIEST = (
    "If it fits in more than one place, choose the one after which more undrawn cards would fit;"
    " if equal, either."
)


def fits(row: Row, card: int) -> bool:
    return not row or 1 in (abs(card - row[0]), abs(card - row[-1]))


def added(row: Row, card: int) -> list[Row]:
    """The rows that a card makes, at each end where it fits."""
    if not row:
        return [(card,)]
    ends = [(card, *row)] if abs(card - row[0]) == 1 else []
    return ends + ([(*row, card)] if abs(card - row[-1]) == 1 else [])


def chance_of_reader(sentences: list[str], seat: int, n: int, copies: int, k: int) -> float:
    """How often a reader wins Sequence Build at least, whatever is chosen where the words leave a
    choice, against an opponent who knows how the reader plays."""
    rest, kept = list(sentences), set(range(1, n + 1))
    if found := KEEP.fullmatch(rest[0]):
        kept = set(map(int, re.findall(r"\d+", found[1])))
        rest = rest[1:]
    assert rest[0] == ADD
    assert rest[1:] in ([ANYWHERE], [ROOMIEST])

    def reads(row: Row, card: int, deck: Deck) -> list[Row]:
        if not row and card not in kept:
            return [row]
        rows = added(row, card) or [row]
        if rest[1] == ROOMIEST:
            room = [sum(deck[c - 1] for c in range(1, n + 1) if fits(one, c)) for one in rows]
            rows = [one for one, many in zip(rows, room, strict=True) if many == max(room)]
        return rows

    @cache
    def wins(mine: Row, theirs: Row, deck: Deck, turn: bool) -> float:
        """The reader's chance before a card is drawn; `turn` if it is the reader's."""
        left = sum(deck)
        if not left:
            one, two = (len(mine), sum(mine)), (len(theirs), sum(theirs))
            return float(one > two or (one == two and seat == 1))
        total = 0.0
        for card in range(1, n + 1):
            if not deck[card - 1]:
                continue
            rest = (*deck[: card - 1], deck[card - 1] - 1, *deck[card:])
            own = mine if turn else theirs
            ways = reads(own, card, rest) if turn else [own, *added(own, card)]
            worst = min(after(row, mine, theirs, rest, turn) for row in ways)
            total += deck[card - 1] / left * worst
        return total

    def after(row: Row, mine: Row, theirs: Row, deck: Deck, turn: bool) -> float:
        if len(row) == k:
            return float(turn)
        row = min(row, row[::-1])
        return wins(row, theirs, deck, False) if turn else wins(mine, row, deck, True)

    return wins((), (), (copies,) * n, seat == 1)
