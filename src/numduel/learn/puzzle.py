"""Positions with exactly one right answer, found in seeded games and graded by the ideas it takes.

>>> import numduel
>>> from numduel.learn.puzzle import puzzle
>>> found = puzzle(numduel.game("duel"), 9, grade=3)
>>> found.task
'You are Player 1, and only one move wins.'
>>> found.solution, found.theme.name
(3, 'fork')

A puzzle depends on its game, seed and grade alone: of Python's random numbers only ``random()`` is
used, on a text as seed, because nothing else is promised to stay the same from version to version.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import NamedTuple
from urllib.parse import urlencode

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.language import ENGLISH, _, plural, speaking
from numduel.core.state import Move, State, played_at_random
from numduel.core.text import (
    DEFAULT_NAMES,
    Clause,
    capital,
    day_told,
    percentage,
)
from numduel.core.view import view
from numduel.games import offered, shipped
from numduel.learn.coach import why
from numduel.learn.coach.words import LOOK_AHEAD
from numduel.learn.ideas import USE, Idea, reason, smallest, subject
from numduel.solver import Option, analyse, line

GRADES = range(1, 6)
MIN_CHOICES = 3
"""Fewest legal moves of a puzzle, in a game where a move either wins or loses."""
MIN_LEAD = 0.05
"""In a game with a deck, how much likelier to win the right move is than any other."""
FEW_GAMES, MANY_GAMES, MOST_GAMES = 8, 60, 600
"""Games to search before a puzzle of another grade will do, where a grade was only drawn, and where
it was asked for; and before giving up."""
LONGEST_LINE = 7
"""Moves of the longest continuation that is told in full."""


class Puzzle(NamedTuple):
    """A position in which one move is the answer, and no other."""

    state: State
    options: tuple[Option, ...]
    """Every legal move with its value, the best first."""
    answer: Option
    """The only good move; or, in a game with points, the only one that gives some away."""
    ideas: tuple[Idea, ...] | None
    """The smallest list of ideas that finds the answer; None if none does."""
    seed: object = None
    day: date | None = None
    """The day whose puzzle it is, if it is a daily one."""

    @property
    def solution(self) -> Move:
        """The move that is the answer."""
        return self.answer.move

    @property
    def grade(self) -> int:
        """From 1, easy, to 5: how hard the ideas that find the answer are together."""
        return grade_of(self.ideas)

    @property
    def theme(self) -> Idea | None:
        """The idea that the puzzle is about: the hardest of its list."""
        return theme_of(self.ideas)

    # -- in words ---------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """Which puzzle it is: ``Puzzle 12``."""
        if self.day is not None:
            return _("Puzzle of {day}", day=day_told(self.day))
        return _("Puzzle {seed}", seed=self.seed)

    @property
    def task(self) -> str:
        """What is asked."""
        player, best = view(self.state).player, self.options[0]
        if self.state.game.has_deck:
            if len(self.options) == 2:
                return _(
                    "You are {player}, and one of the two moves is clearly better.", player=player
                )
            return _("You are {player}, and one move is clearly the best.", player=player)
        if not self.answer.best:
            return _all_but_one(player, best)
        return _only_one(player, best)

    @property
    def nudges(self) -> tuple[str, ...]:
        """What to look at, without the move: one sentence for each wrong try, the theme first."""
        theme = self.theme
        if self.ideas is None or theme is None:
            return (_(LOOK_AHEAD),)
        return theme.nudge, *(idea.nudge for idea in self.ideas if idea != theme)

    @property
    def link(self) -> str:
        """What names the puzzle in an address: ``game=duel&seed=12&grade=2``."""
        if self.day is not None:
            return urlencode({"date": self.day.isoformat()})
        return urlencode({"game": self.state.game.name, "seed": self.seed, "grade": self.grade})

    @property
    def label(self) -> str:
        """The beginning of a line to share, without the answer."""
        game = self.state.game.display_name
        if self.day is not None:
            return f"numduel {day_told(self.day, year=False)} · {game}"
        return _(
            "numduel puzzle {seed} · {game} · grade {grade}",
            seed=self.seed, game=game, grade=self.grade,
        )  # fmt: skip

    def explained(self) -> list[str]:
        """Why it is the answer: what its ideas say for it, and how the game goes on."""
        told = [*self._reasons()]
        if self.theme is not None:
            told.append(_("The idea: {rule:small}", rule=Clause(self.theme.instruction)))
        return [*told, *self._played_out()]

    @property
    def reason(self) -> str:
        """Why it is the answer, in one sentence; with cards, the chances follow."""
        if self.state.game.has_deck:
            return " ".join(filter(None, (next(self._reasons(), ""), self._chances())))
        return next(self._reasons(), capital(self._only_win()))

    def narrowed(self, candidates: Sequence[Move]) -> list[Move]:
        """Some moves without half of the wrong ones, but at least one of them; in the order of
        legal moves."""
        wrong = [move for move in candidates if move != self.solution]
        kept = {self.solution, *wrong[: max(1, len(wrong) // 2)]}
        return [move for move in self.state.legal_moves if move in kept]

    def line(self) -> list[State]:
        """The states from the answer on with best play, up to the end or to a draw."""
        states = [self.state.play(self.solution)]
        for move in line(states[0]):
            states.append(states[-1].play(move))
        return states

    def json(self) -> dict[str, object]:
        """The puzzle as plain data; ``moves`` is what ``numduel analyse --moves`` reads."""
        with speaking(ENGLISH):
            task = self.task
        return {
            "game": self.state.game.id,
            "variant": self.state.game.settings,
            "moves": self.state.text,
            "to_move": self.state.to_move,
            "task": task,
            "grade": self.grade,
            "theme": None if self.theme is None else self.theme.name,
            "ideas": None if self.ideas is None else [idea.name for idea in self.ideas],
            "solution": str(self.solution),
            **({"seed": self.seed} if self.day is None else {"date": self.day.isoformat()}),
        }

    def _only_win(self) -> str:
        name, plies = subject(self.state, self.solution), self.answer.plies
        if plies is None:
            return _("{move} wins, and every other move loses.", move=name)
        return plural(
            "{move} wins in {n} move, and every other move loses.",
            "{move} wins in {n} moves, and every other move loses.",
            plies, move=name,
        )  # fmt: skip

    def _chances(self) -> str:
        """How likely the best two moves win, in a game with a deck."""
        (one, its), (two, others) = (
            (subject(self.state, option.move), percentage(option.win_probability))
            for option in self.options[:2]
        )
        return capital(
            _(
                "{one} wins in {its} of cases, {two} in {others}.",
                one=one, its=its, two=two, others=others,
            )
        )  # fmt: skip

    def _reasons(self) -> Iterator[str]:
        if not self.answer.best:
            lost, name = int(self.answer.loss), subject(self.state, self.solution)
            yield capital(
                plural(
                    "{move} gives {n:,} point away.",
                    "{move} gives {n:,} points away.",
                    lost, move=name,
                )
                if lost
                else _("{move} loses the game.", move=name)
            )  # fmt: skip
            return
        for idea in self.ideas or ():
            if idea == USE:
                continue  # a puzzle is about whether to
            said = reason(idea, self.state, self.solution)
            if said is not None:
                yield capital(f"{said}.")

    def _played_out(self) -> list[str]:
        states = self.line()
        last = states[-1]
        if last.outcome is None:
            return [why(self.state, self.answer, DEFAULT_NAMES, ())]
        spoken = [self.state.game.label(state.moves[-1]) for state in states]
        moves = ", ".join(
            _("you {move}", move=move) if ply % 2 else _("they {move}", move=move)
            for ply, move in enumerate(spoken[:LONGEST_LINE], 1)
        )
        ending = last.game.end_reason(view(last), last.outcome.winner)
        if len(spoken) > LONGEST_LINE:
            return [_("Played out: {moves} and so on.", moves=moves), *ending]
        return [_("Played out: {moves}.", moves=moves), *ending] if len(spoken) > 1 else ending


def _only_one(player: str, best: Option) -> str:
    """What only one move does, in a game without a deck."""
    if best.margin and best.margin > 0:
        return plural(
            "You are {player}, and only one move keeps you {n:,} point ahead at the end.",
            "You are {player}, and only one move keeps you {n:,} points ahead at the end.",
            best.margin, player=player,
        )  # fmt: skip
    if best.margin:
        return plural(
            "You are {player}, and only one move keeps you no more than {n:,} point behind at the"
            " end.",
            "You are {player}, and only one move keeps you no more than {n:,} points behind at the"
            " end.",
            -best.margin, player=player,
        )  # fmt: skip
    if best.margin == 0 and not best.win_probability:
        return _("You are {player}, and only one move keeps the points equal.", player=player)
    return _("You are {player}, and only one move wins.", player=player)


def _all_but_one(player: str, best: Option) -> str:
    """What all moves do but one, in a game without a deck."""
    if best.margin and best.margin > 0:
        return plural(
            "You are {player}. Every move but one keeps you {n:,} point ahead at the end. Which one"
            " doesn't?",
            "You are {player}. Every move but one keeps you {n:,} points ahead at the end. Which"
            " one doesn't?",
            best.margin, player=player,
        )  # fmt: skip
    if best.margin:
        return plural(
            "You are {player}. Every move but one keeps you no more than {n:,} point behind at the"
            " end. Which one doesn't?",
            "You are {player}. Every move but one keeps you no more than {n:,} points behind at the"
            " end. Which one doesn't?",
            -best.margin, player=player,
        )  # fmt: skip
    if best.margin == 0 and not best.win_probability:
        return _(
            "You are {player}. Every move but one keeps the points equal. Which one doesn't?",
            player=player,
        )
    return _("You are {player}. Every move but one wins. Which one doesn't?", player=player)


def grade_of(ideas: tuple[Idea, ...] | None) -> int:
    """How hard ideas that find a move are together, from 1 to 5; 5 if no list of ideas finds it."""
    return GRADES[-1] if ideas is None else min(sum(idea.grade for idea in ideas), GRADES[-1])


def theme_of(ideas: tuple[Idea, ...] | None) -> Idea | None:
    """The idea that a list of ideas is about: the hardest one."""
    return max(reversed(ideas), key=lambda idea: idea.grade) if ideas else None


# -- which puzzle ---------------------------------------------------------------------------


def puzzle(game: Game | None, seed: object, grade: int | None = None) -> Puzzle:
    """The puzzle of a seed. A game that is not given is drawn from the seed, among those of this
    package; so is the grade. Where a grade is rare or missing, one near it will do."""
    chance = random.Random(f"numduel puzzle {seed}").random
    drawn = chance(), chance()
    games = [game] if game else _in_turn(drawn[0])
    if grade is None:
        wanted = _near(GRADES[int(drawn[1] * len(GRADES))])
        return _sure(games[0], seed, wanted, FEW_GAMES)
    for one in games:
        found = _find(one, seed, [grade], MANY_GAMES)
        if found is not None:
            return found
    return _sure(games[0], seed, _near(grade), MANY_GAMES)


def puzzle_near(game: Game | None, seed: object, grade: int, least: int = GRADES[0]) -> Puzzle:
    """The puzzle of a seed that is about as hard as a grade says: at most a grade harder, and no
    easier than the least grade, unless there is none. A game that is not given is drawn from the
    seed, among those that have such puzzles."""
    drawn = random.Random(f"numduel puzzle {seed}").random()
    games = [game] if game else _in_turn(drawn)
    wanted = [one for one in _near(grade) if least <= one <= grade + 1]
    for one in games:
        found = _find(one, seed, wanted, MANY_GAMES)
        if found is not None:
            return found
    return _sure(games[0], seed, _near(grade), FEW_GAMES)


def _in_turn(drawn: float) -> list[Game]:
    """The games of this package as people are offered them, the drawn one first."""
    every = [offered(kind.name) for kind in shipped()]
    first = int(drawn * len(every))
    return every[first:] + every[:first]


def _near(grade: int) -> list[int]:
    """All grades, those near one first."""
    return sorted(GRADES, key=lambda one: abs(one - grade))


def _sure(game: Game, seed: object, wanted: Sequence[int], games: int) -> Puzzle:
    """A puzzle of the grade that is wanted most in so many games; `BadVariant` if there is none in
    many more."""
    found = _find(game, seed, wanted, games) or _find(game, seed, wanted, MOST_GAMES)
    if found is None:
        raise BadVariant(_("No puzzle was found in {game}; try another game.", game=game))
    return found


def _find(game: Game, seed: object, wanted: Sequence[int], games: int) -> Puzzle | None:
    """The first puzzle of a seed with the grade that is wanted most, in so many games; None if none
    has a wanted grade."""
    found: dict[int, Puzzle] = {}
    for attempt in range(games):
        chance = random.Random(f"numduel puzzle {seed} {game.id} {attempt}").random
        *states, _last = played_at_random(game, chance)
        for one in _puzzles(states, chance):
            found.setdefault(one.grade, one._replace(seed=seed))
            if one.grade == wanted[0]:
                return found[one.grade]
    return next((found[grade] for grade in wanted if grade in found), None)


def posed(state: State, fewest: int = MIN_CHOICES) -> Puzzle | None:
    """A state as a puzzle; None if it does not have exactly one answer, if there are too few moves
    to choose from."""
    options = analyse(state)
    answer = only_answer(state.game, options, fewest)
    if answer is None:
        return None
    return Puzzle(state, options, answer, _point(state, answer))


def only_answer(game: Game, options: tuple[Option, ...], fewest: int) -> Option | None:
    """The only move that wins; in a game with a deck, one that is clearly likelier to win than all
    others; in a game with points, the only one that keeps the most, or the only one that does
    not."""
    if len(options) < 2 or not all(option.exact for option in options):
        return None
    best, second, worst = options[0], options[1], options[-1]
    if game.has_deck:
        return best if second.loss >= MIN_LEAD else None
    if best.margin is not None:
        kept = [option for option in options if option.value.rank[:2] == best.value.rank[:2]]
        return best if len(kept) == 1 else worst if len(kept) == len(options) - 1 else None
    wins = best.win_probability > second.win_probability and len(options) >= fewest
    return best if wins else None


def _puzzles(states: list[State], chance: Callable[[], float]) -> Iterator[Puzzle]:
    """The puzzles among the states of a game, in random order; never the start, which is always
    the same."""
    for _chance, place in sorted((chance(), place) for place in range(1, len(states))):
        one = posed(states[place])
        if one is not None and not obvious(one.answer, states[place - 1]):
            yield one


def obvious(answer: Option, before: State) -> bool:
    """Whether, in a game with points, the answer was already the opponent's best move: a number
    that everybody wants from the start."""
    return answer.margin is not None and answer.move == analyse(before)[0].move


def _point(state: State, answer: Option) -> tuple[Idea, ...] | None:
    """The smallest list of ideas that tells an answer from all other moves."""
    bit = 1 << state.game.code(answer.move)
    good = bit if answer.best else state.mask & ~bit
    return smallest(state, lambda left: left == good)
