"""Questions about positions that exact solutions decide: whether an agent reasons, and not only
whether it finds a move.

A question is made of a position alone, so it can be asked and graded anywhere. Every answer is
graded exactly: who wins, which moves are best, how long the game lasts, a line that refutes a
rule, and the idea that finds the move.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from numduel.core.errors import BadVariant, NumduelError
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import listed, whole_number
from numduel.lab.dataset.decisions import Decision, at_stake, pools
from numduel.lab.dataset.splits import TRANSFER, held_out, split_of
from numduel.learn.ideas import Idea, explaining, preferred
from numduel.solver import analyse, evaluate
from numduel.solver.values import TIE

MARKER = re.compile(r"\bANSWER[*_`]*[ \t]*:", re.IGNORECASE)
MARKUP = " \t*_`\"'()[]{}<>$.;"
"""Characters dropped around an answer."""
MAX_READ = 20_000
"""Characters read at the end of an answer; what comes before is reasoning."""
MAX_POSITIONS = 5_000
"""Positions in which a rule is followed, to find out whether it wins."""
LETTERS = "ABCDEF"
"""The names of the hints to choose from."""


class Kind(NamedTuple):
    """One kind of question."""

    name: str
    possible: Callable[[State], bool]
    """Whether it can be asked in a position; who asks has made sure that something is at stake, or
    that a best move was played from such a position."""
    text: Callable[[State], str]
    """What is asked."""
    form: str
    """What the answer looks like."""
    right: Callable[[State], str]
    """One right answer."""
    grade: Callable[[State, str], float]
    """How good an answer is: 1 if it is right, else 0, or less than 1 if a part of it is."""
    guess: Callable[[State], float]
    """What an answer at random gets."""
    chosen: Callable[[list[State]], list[State]] = list
    """The positions that it is asked in, in turn, if it can be."""


class Question(NamedTuple):
    """A question about a position."""

    kind: Kind
    state: State

    @property
    def text(self) -> str:
        """What is asked, and how to answer."""
        kind = self.kind
        return (
            f"You need not move. {kind.text(self.state)}\n\nEnd your answer with a line that says"
            f" ANSWER: and then {kind.form}."
        )

    @property
    def right(self) -> str:
        """One right answer."""
        return self.kind.right(self.state)

    @property
    def guess(self) -> float:
        """What an answer at random gets on average."""
        return self.kind.guess(self.state)

    def grade(self, answer: str) -> float:
        """How good an answer is, from 0 to 1."""
        said = _said(answer)
        return self.kind.grade(self.state, said) if said else 0.0


def questions(
    game: Game,
    count: int,
    seed: int,
    kinds: Sequence[str] = (),
    *,
    split: str = "test",
    depth: tuple[int, int] | None = None,
) -> list[Question]:
    """So many questions about positions of a split, or all that were found; the kinds take turns.
    With `depth`, only positions whose game lasts so many moves under best play: how long a proof
    has to be. `BadVariant` if there are none."""
    wanted = [_kind(name) for name in kinds or KINDS]
    split = TRANSFER if held_out(game) else split
    if depth is not None and evaluate(game.start()).plies is None:
        raise BadVariant(f"Nobody hurries in {game}: it has no depth to choose.")
    states = [
        state
        for state in _states(pools(game, {split: count}, seed)[split], split)
        if depth is None or depth[0] <= (evaluate(state).plies or 0) <= depth[1]
    ]
    piles = {kind: filter(kind.possible, kind.chosen(states)) for kind in wanted}
    found: list[Question] = []
    while piles and len(found) < count:
        for kind in [*piles]:
            state = next(piles[kind], None)
            if state is None:
                del piles[kind]
            elif len(found) < count:
                found.append(Question(kind, state))
    if not found:
        raise BadVariant(f"There is no such question in {game}: choose another board or depth.")
    return found


def question(name: str, state: State) -> Question:
    """The question of a kind about a position."""
    return Question(_kind(name), state)


def _kind(name: str) -> Kind:
    if name not in KINDS:
        raise BadVariant(f"A kind of question is one of {listed(KINDS)}, not {name[:40]!r}.")
    return KINDS[name]


def _states(decisions: Iterable[Decision], split: str) -> Iterator[State]:
    """Positions in which something is at stake, and those after the best moves there, in which
    often all is lost; each exercise once."""
    known: set[object] = set()
    for decision in decisions:
        best = (decision.state.play(move) for move in decision.best)
        for state in (decision.state, *best):
            exercise = state.game.exercise(state.position)
            if exercise not in known and _is_open(state) and split_of(state) == split:
                known.add(exercise)
                yield state


def _is_open(state: State) -> bool:
    """Whether a player is to move."""
    return state.winner is None and not state.draws


# -- reading an answer ----------------------------------------------------------------------


def _said(answer: str) -> str:
    """What stands after the last marker, on its line or, if that is empty, on the next."""
    parts = MARKER.split(answer[-MAX_READ:])
    if len(parts) < 2:
        return ""
    return next((bare for line in parts[-1].splitlines() if (bare := line.strip(MARKUP))), "")


def _words(said: str) -> list[str]:
    return [bare for word in re.split(r"[,;]|\band\b", said) if (bare := word.strip(MARKUP))]


def _moves(state: State, said: str) -> set[Move] | None:
    """The legal moves that an answer names; None if it names anything else."""
    found = set()
    for word in _words(said):
        try:
            move = state.game.read(word, state)
        except NumduelError:
            return None
        if move not in state.legal_moves:
            return None
        found.add(move)
    return found


# -- who wins -------------------------------------------------------------------------------


def _winner(state: State) -> int:
    return state.to_move if evaluate(state).win_probability == 1 else 3 - state.to_move


def _evenly(states: list[State]) -> list[State]:
    """As many that each seat wins, and that the player to move wins or loses, so that nobody gets
    far by always saying the same."""
    piles = [
        [one for one in states if (_winner(one), one.to_move) == (winner, mover)]
        for winner, mover in product((1, 2), repeat=2)
    ]
    return [state for row in zip(*piles, strict=False) for state in row]


def _grade_winner(state: State, said: str) -> float:
    seats = {number for number in (1, 2) if str(number) in re.findall(r"\d+", said)}
    return float(seats == {_winner(state)})


# -- which moves are best -------------------------------------------------------------------


def _best(state: State) -> set[Move]:
    return {option.move for option in analyse(state) if option.loss <= TIE}


def _grade_best(state: State, said: str) -> float:
    """1 for all of them and no other; else the harmonic mean of precision and recall, halved, so
    that a part of the answer is never worth as much as all of it."""
    best, named = _best(state), _moves(state, said)
    if not named:
        return 0.0
    if named == best:
        return 1.0
    return len(best & named) / (len(best) + len(named))


def _write_best(state: State) -> str:
    best = _best(state)
    return ", ".join(state.game.label(move) for move in state.legal_moves if move in best)


def _guess_best(state: State) -> float:
    """One move at random."""
    best = len(_best(state))
    return best / len(state.legal_moves) * (1.0 if best == 1 else 1 / (best + 1))


# -- how long, and by how much --------------------------------------------------------------


def _length(state: State) -> int:
    value = evaluate(state)
    return value.plies if value.margin is None else value.margin  # type: ignore[return-value]


def _ask_length(state: State) -> str:
    if evaluate(state).margin is not None:
        return (
            "Both players make the most of it from here. By how many points are you ahead when the"
            " game is over? Give a negative number if you are behind."
        )
    return (
        "Both players play as well as possible from here: whoever can win does so as soon as"
        " possible, and the other makes it last as long as possible. After how many more moves,"
        " counting those of both players, is the game over?"
    )


# -- is this rule right? --------------------------------------------------------------------


def _rule(state: State) -> Move:
    """The move of somebody who always plays the largest number."""
    return max(state.legal_moves, key=state.game.code)


@lru_cache(maxsize=4_096)
def _refuted(state: State) -> tuple[Move, ...] | None:
    """Moves with which the player to move, who follows the rule, does not win; none if the rule
    wins against every answer. None if that takes too long to find out."""
    mine, seen, waiting = state.to_move, {state.position}, [state]
    while waiting:
        for after in _followed(waiting.pop(), mine):
            if after.winner == 3 - mine:
                return after.moves[len(state.moves) :]
            if after.winner is None and after.position not in seen:
                seen.add(after.position)
                waiting.append(after)
        if len(seen) > MAX_POSITIONS:
            return None
    return ()


def _followed(state: State, mine: int) -> list[State]:
    """What can come next: one move of the player who follows the rule, or any answer to it."""
    moves = [_rule(state)] if state.to_move == mine else state.legal_moves
    return [state.play(move) for move in moves]


def _can_be_refuted(state: State) -> bool:
    usable = state.game.numeric and not state.game.has_deck and at_stake(analyse(state))
    return usable and _refuted(state) is not None


def _write_refutation(state: State) -> str:
    return " ".join(map(str, _refuted(state) or ())) or "yes"


def _grade_refutation(state: State, said: str) -> float:
    """Whether it says yes and is right, or whether its line is legal, follows the rule, and is not
    won."""
    if said.lower().startswith("yes"):
        return float(_refuted(state) == ())
    mine = state.to_move
    for word in re.split(r"[\s,;]+", said):
        if state.winner is not None or (
            state.to_move == mine and whole_number(word) != _rule(state) and word != "pass"
        ):
            return 0.0
        try:
            state = state.play(word)
        except NumduelError:
            return 0.0
    return float(state.winner == 3 - mine)


# -- which idea -----------------------------------------------------------------------------


@lru_cache(maxsize=4_096)
def _hints(state: State) -> tuple[tuple[Idea, bool], ...]:
    """Hints to choose from, and whether each leads to best moves alone, in an order that depends on
    the position and says nothing."""
    best, told = _best(state), list[tuple[Idea, bool]]()
    for idea in explaining(state.game):
        moves = preferred(state, idea)
        if set(moves) != set(state.legal_moves):
            told.append((idea, set(moves) <= best))
    right = [one for one in told if one[1]][:1]
    wrong = [one for one in told if not one[1]][: len(LETTERS) - 1]
    luck = random.Random(f"numduel hints {state.text}").random
    return tuple(sorted((*right, *wrong), key=lambda _: luck()))


def _can_be_hinted(state: State) -> bool:
    found = _hints(state)
    return at_stake(analyse(state)) and len(found) > 1 and any(right for _, right in found)


def _ask_hint(state: State) -> str:
    hints = zip(LETTERS, _hints(state), strict=False)
    lines = [f"{letter}. {idea.instruction}" for letter, (idea, _) in hints]
    return "\n".join(
        ["Only one of these hints leads to the best moves here, and to no other. Which?", *lines]
    )


def _write_hint(state: State) -> str:
    hints = zip(LETTERS, _hints(state), strict=False)
    return next(letter for letter, (_, right) in hints if right)


# -- all of them ----------------------------------------------------------------------------


def _lucky(state: State) -> bool:
    return state.game.has_deck


KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "winner",
            lambda state: not _lucky(state),
            lambda _: "Both players play as well as possible from here. Who wins?",
            "1 if Player 1 wins, or 2 if Player 2 does",
            lambda state: str(_winner(state)),
            _grade_winner,
            lambda _: 0.5,
            _evenly,
        ),
        Kind(
            "best",
            lambda state: at_stake(analyse(state)),
            lambda _: (
                "Which moves are best? Name every move with which you do as well as you can, if"
                " both players play as well as possible afterwards."
            ),
            "these moves, separated by commas",
            _write_best,
            _grade_best,
            _guess_best,
        ),
        Kind(
            "length",
            lambda state: not _lucky(state),
            _ask_length,
            "the number",
            lambda state: str(_length(state)),
            lambda state, said: float(whole_number(said) == _length(state)),
            lambda _: 0.0,
        ),
        Kind(
            "refute",
            _can_be_refuted,
            lambda _: (
                "Somebody sits in your place and always plays the largest number that is legal."
                " Does that win, whatever the opponent does? If not, give a line of moves from here"
                " to the end of the game, yours and the opponent's in turn, in which that player"
                " keeps to the rule and loses. (A forced pass is a move: pass.)"
            ),
            "yes, or the moves of that line, separated by blanks",
            _write_refutation,
            _grade_refutation,
            lambda state: float(_refuted(state) == ()) / 2,
        ),
        Kind(
            "idea",
            _can_be_hinted,
            _ask_hint,
            "its letter",
            _write_hint,
            lambda state, said: float(said.upper() == _write_hint(state)),
            lambda state: 1 / len(_hints(state)),
        ),
    )
}
"""The kinds of questions, by name."""
