"""What went wrong with a move, found out by trying everything on the plain rules of
`tests.games.naive`.

Nothing is shared with the coach that this is the witness for: games are lists of moves, values are
found by going through all that can follow, and what each idea says is read from its words alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import Any

from tests.games import naive

Moves = tuple[Any, ...]
"""The moves of a game so far."""
Ideas = dict[str, set[Any]]
"""By the names of ideas, the moves that each prefers; all of them if it has nothing to say."""


class Judge:
    """Knows what every move of a game is worth, and which idea it went against."""

    @abstractmethod
    def moves(self, game: Moves) -> set[Any]:
        """The legal moves."""

    @abstractmethod
    def ranks(self, game: Moves) -> dict[Any, tuple[float, float]]:
        """What each move is worth: its chance to win, and then points or speed."""

    @abstractmethod
    def urgent(self, game: Moves) -> Ideas:
        """The ideas that must be told if a move goes against them, the first of them first."""

    @abstractmethod
    def others(self, game: Moves) -> Ideas:
        """The ideas of which any may be told if a move goes against them."""

    def forced(self) -> Collection[str]:
        """The urgent ideas that are told even if not all that they prefer is right."""
        return ()

    def contrary(self, game: Moves, preferred: set[Any]) -> bool:
        """Whether moves are what the lesson of the game warns of."""
        return False

    def reasons(self, game: Moves, played: Any) -> set[str]:
        """The ideas that may be told for a slip; the empty name if there is none."""
        ranks = self.ranks(game)
        best = max(ranks.values())
        lost = ranks[played][0] < best[0] - 1e-9
        right = {m for m, r in ranks.items() if (r[0] > best[0] - 1e-9 if lost else r == best)}
        for name, some in self.urgent(game).items():
            if played not in some and self._explains(name, some, right, lost=lost):
                return {name}
        found = {
            name
            for name, some in self.others(game).items()
            if played not in some and some <= right and not self.contrary(game, some)
        }
        return found or {""}

    def _explains(self, name: str, some: set[Any], right: set[Any], *, lost: bool) -> bool:
        return some <= right or (lost and name in self.forced() and right <= some)


def top(moves: Iterable[Any], score: Callable[[Any], float]) -> set[Any]:
    """The moves with the highest score."""
    scores = {move: score(move) for move in moves}
    return {move for move, worth in scores.items() if worth == max(scores.values())}


class Plain(Judge):
    """Judges a game without luck."""

    def __init__(self) -> None:
        self.worth: Callable[[Any], tuple[int, int]] = cache(self._worth)
        self.known = cache(self._moves)
        self.won = cache(self._winner)

    @abstractmethod
    def key(self, game: Moves) -> Moves:
        """The same game with its moves in another order, one for all that are alike."""

    @abstractmethod
    def _moves(self, game: Moves) -> set[Any]: ...

    @abstractmethod
    def _winner(self, game: Moves) -> int:
        """Who has won; 0 while the game goes on."""

    def moves(self, game: Moves) -> set[Any]:
        return self.known(self.key(game))

    def winner(self, game: Moves) -> int:
        """Who has won; 0 while the game goes on."""
        return self.won(self.key(game))

    def end(self, game: Moves) -> int:
        """What counts at the end besides the result, for the player to move."""
        return 0

    def hurry(self, sign: int, later: int) -> int:
        """What counts besides the result, one move earlier."""
        return -later - sign

    def _worth(self, game: Moves) -> tuple[int, int]:
        """The result for the player to move, and how soon: more is better."""
        if not self.moves(game):
            return (1 if self.winner(game) == len(game) % 2 + 1 else -1), self.end(game)
        return max(self._values(game).values())

    def _values(self, game: Moves) -> dict[Any, tuple[int, int]]:
        found = {}
        for move in self.moves(game):
            sign, later = self.worth(self.key((*game, move)))
            found[move] = -sign, self.hurry(-sign, later)
        return found

    def ranks(self, game: Moves) -> dict[Any, tuple[float, float]]:
        return dict(self._values(game))

    def wins(self, game: Moves) -> set[Any]:
        """The moves that win at once."""
        mover = len(game) % 2 + 1
        return {move for move in self.moves(game) if self.winner((*game, move)) == mover}

    def dangerous(self, game: Moves) -> bool:
        """Whether the player to move has just won or can win at once."""
        return self.winner(game) == len(game) % 2 + 1 or bool(self.wins(game))

    def traps(self, game: Moves) -> set[Any]:
        """The moves that win at once, or next turn whatever the answer."""
        return self.wins(game) | {
            move
            for move in self.moves(game)
            if (answers := self.moves((*game, move)))
            and all(self.dangerous((*game, move, answer)) for answer in answers)
        }

    def urgent(self, game: Moves) -> Ideas:
        legal, wins = self.moves(game), self.wins(game)
        safe = {move for move in legal if not self.dangerous((*game, move))}
        quiet = {
            move
            for move in safe
            if not self.traps((*game, move)) and (self.moves((*game, move)) or move in wins)
        }
        return {
            "win": wins or legal,
            **self.special(game),
            "deny": safe or legal,
            "fork": wins or self.traps(game) or legal,
            "deny-fork": quiet or legal,
        }

    def special(self, game: Moves) -> Ideas:
        """What the lesson of a game warns of."""
        return {}

    def forced(self) -> Collection[str]:
        return "one", "deny", "deny-fork"


class Claims(Plain):
    """Judges a game in which both players take numbers."""

    def key(self, game: Moves) -> Moves:
        one, two = sorted(game[::2]), sorted(game[1::2])
        return tuple(
            number
            for turn in range(len(one))
            for number in (one[turn : turn + 1] + two[turn : turn + 1])
        )


class Line(Claims):
    """Four in a row on 1 to 10."""

    def _moves(self, game: Moves) -> set[Any]:
        return set() if self.winner(game) else set(range(1, 11)) - set(game)

    def _winner(self, game: Moves) -> int:
        return naive.line_winner(game, 10, 4)

    def others(self, game: Moves) -> Ideas:
        legal, mine = self.moves(game), set(game[len(game) % 2 :: 2])
        rows = [set(range(first, first + 4)) for first in range(1, 8)]

        def run(number: int) -> int:
            held = mine | {number}
            return max(
                high - low + 1
                for low in range(1, number + 1)
                for high in range(number, 11)
                if held.issuperset(range(low, high + 1))
            )

        return {
            "lengthen": top(legal, run),
            "cut": top(legal, lambda number: -sum(not row & (mine | {number}) for row in rows)),
        }


class Duel(Claims):
    """Three evenly spaced numbers of 1 to 9."""

    def _moves(self, game: Moves) -> set[Any]:
        return naive.duel_moves(game, 9, 3)

    def _winner(self, game: Moves) -> int:
        return naive.duel_winner(game, 9, 3)

    def others(self, game: Moves) -> Ideas:
        legal, turn = self.moves(game), len(game) % 2
        mine, theirs = set(game[turn::2]), set(game[1 - turn :: 2])
        rows = [{a, a + d, a + 2 * d} for a in range(1, 8) for d in range(1, 5) if a + 2 * d <= 9]
        return {
            "chances": top(legal, lambda n: sum(n in row and not row & theirs for row in rows)),
            "spoil": top(legal, lambda n: -sum(not row & (mine | {n}) for row in rows)),
        }


class Counting(Plain):
    """Judges a game in which answers can be counted."""

    def counted(self, game: Moves) -> Ideas:
        """What counting answers, and one's own moves after them, prefers."""
        legal = self.moves(game)

        def kept(move: Any) -> float:
            after = (*game, move)
            answers = self.moves(after)
            if not answers:
                return 1000 if self.winner(after) == len(game) % 2 + 1 else 0
            return min(len(self.moves((*after, answer)) - {"pass"}) for answer in answers)

        return {
            "starve": top(legal, lambda move: -len(self.moves((*game, move)))),
            "mobility": top(legal, kept),
        }


class Factors(Counting):
    """Factors and multiples on 1 to 20."""

    def key(self, game: Moves) -> Moves:
        # Who moves is told by how many numbers are used; the last one decides what may follow.
        return (*sorted(game[:-1]), *game[-1:])

    def _moves(self, game: Moves) -> set[Any]:
        return naive.factors_moves(game, 20, 0)

    def _winner(self, game: Moves) -> int:
        return naive.factors_winner(game, 20, 0)

    def special(self, game: Moves) -> Ideas:
        legal = self.moves(game)
        handed = 1 in legal and self.dangerous((*game, 1))
        return {"one": legal - {1} if handed and len(legal) > 1 else legal}

    def others(self, game: Moves) -> Ideas:
        legal = self.moves(game)
        winning = {move for move in legal if self.worth(self.key((*game, move)))[0] < 0}
        return {**self.counted(game), "pair": winning or legal}

    def urgent(self, game: Moves) -> Ideas:
        first, usual = ("win", "one", "deny"), super().urgent(game)
        starve = {"starve": self.counted(game)["starve"]}
        return {name: usual[name] for name in first} | starve | usual


class Capture(Counting):
    """Number Capture on a shorter line, 1 to 9."""

    def key(self, game: Moves) -> Moves:
        one, two = ([number for number in game[turn::2] if number != "pass"] for turn in (0, 1))
        passes = [
            ["pass"] * (len(game[turn::2]) - len(held)) for turn, held in ((0, one), (1, two))
        ]
        both = sorted(one) + passes[0], sorted(two) + passes[1]
        return tuple(both[turn % 2][turn // 2] for turn in range(len(game)))

    def _moves(self, game: Moves) -> set[Any]:
        return naive.capture_moves(game, 9, 0)

    def _winner(self, game: Moves) -> int:
        return naive.capture_winner(game, 9, 0)

    def end(self, game: Moves) -> int:
        mine, theirs = (
            sum(int(number) for number in game[turn::2] if number != "pass")
            for turn in (len(game) % 2, 1 - len(game) % 2)
        )
        return mine - theirs

    def hurry(self, sign: int, later: int) -> int:
        return -later

    def others(self, game: Moves) -> Ideas:
        return self.counted(game)

    def urgent(self, game: Moves) -> Ideas:
        points = top(self.moves(game), lambda move: 0 if move == "pass" else move)
        first, usual = ("win", "deny"), super().urgent(game)
        return {name: usual[name] for name in first} | {"points": points} | usual


class Build(Judge):
    """Sequence Build with two each of 1 to 4, where three make a row."""

    N, COPIES, K = 4, 2, 3

    def moves(self, game: Moves) -> set[Any]:
        return naive.build_moves(game[:-1], game[-1])

    def ranks(self, game: Moves) -> dict[Any, tuple[float, float]]:
        *before, card = game
        return {
            move: (round(1 - self._chance((*before, move)), 9), 0.0)
            for move in naive.build_moves(before, card)
        }

    def _chance(self, game: Moves) -> float:
        rows = naive.build_sequences(game)
        turn = len(game) % 2
        gone = Counter(int(move[:-1]) for move in game)
        left = tuple(self.COPIES - gone[card] for card in range(1, self.N + 1))
        return self._expected(tuple(rows[turn]), tuple(rows[1 - turn]), left, turn)

    @cache  # noqa: B019
    def _expected(
        self, mine: tuple[int, ...], theirs: tuple[int, ...], left: tuple[int, ...], turn: int
    ) -> float:
        """The chance of the player who draws next."""
        if len(theirs) == self.K:
            return 0.0
        if not sum(left):
            one, two = (mine, theirs) if turn == 0 else (theirs, mine)
            first = (len(one), sum(one)) >= (len(two), sum(two))
            return float(first == (turn == 0))
        chance = 0.0
        for card, count in enumerate(left, 1):
            if count:
                rest = (*left[: card - 1], count - 1, *left[card:])
                after = [mine]
                if not mine or abs(mine[-1] - card) == 1:
                    after.append((*mine, card))
                if mine and abs(mine[0] - card) == 1:
                    after.append((card, *mine))
                best = max(1 - self._expected(theirs, row, rest, 1 - turn) for row in after)
                chance += count / sum(left) * best
        return chance

    def urgent(self, game: Moves) -> Ideas:
        *before, card = game
        legal, turn = self.moves(game), len(before) % 2
        won = {
            move
            for move in legal
            if naive.build_winner((*before, move), self.N, self.COPIES, self.K) == turn + 1
        }
        edge = not naive.build_sequences(before)[turn] and card in (1, self.N)
        return {
            "win": won or legal,
            "begin": {f"{card}x"} if edge else legal,
            "deny": top(legal, lambda move: -self._threat((*before, move))),
        }

    def _threat(self, game: Moves) -> float:
        """How likely the player who draws next has won or can win at once."""
        mover = len(game) % 2 + 1
        won = naive.build_winner(game, self.N, self.COPIES, self.K)
        if won:
            return float(won == mover)
        gone = Counter(int(move[:-1]) for move in game)
        left = {card: self.COPIES - gone[card] for card in range(1, self.N + 1)}
        with_win = [
            count
            for card, count in left.items()
            if any(
                naive.build_winner((*game, move), self.N, self.COPIES, self.K) == mover
                for move in naive.build_moves(game, card)
            )
        ]
        return sum(with_win) / sum(left.values())

    def contrary(self, game: Moves, preferred: set[Any]) -> bool:
        safe = self.urgent(game)["begin"]
        return not preferred & safe

    def others(self, game: Moves) -> Ideas:
        *before, card = game
        legal, turn = self.moves(game), len(before) % 2
        gone = Counter([card, *(int(move[:-1]) for move in before)])

        def fitting(move: str) -> int:
            after = (*before, move)
            if naive.build_winner(after, self.N, self.COPIES, self.K) == turn + 1:
                return 1000
            row = naive.build_sequences(after)[turn]
            return sum(
                self.COPIES - gone[other]
                for other in range(1, self.N + 1)
                if not row or abs(row[0] - other) == 1 or abs(row[-1] - other) == 1
            )

        used = {move for move in legal if not move.endswith("x")}
        most = max(map(fitting, legal))
        undrawn = self.N * self.COPIES - gone.total()
        return {"use": used or legal, "fits": legal if most == undrawn else top(legal, fitting)}
