"""Questions about positions that exact solutions decide: whether an agent reasons, and not only
whether it finds a move.

A question is made of a position alone, so it can be asked and graded anywhere. Every answer is
graded exactly: who wins, which moves are best, how long the game lasts, a line that refutes a
rule, and the idea that finds the move.

Some answers need no look at the position: always the same one, or the largest number. Positions are
taken so that none of these scores much, and what the best of them gets is told with a question.
"""

from __future__ import annotations

import random
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
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
LETTERS = "ABCD"
"""The names of the hints to choose from."""
BLIND = 1 / 3
"""The most that an answer without a look at the position may score."""


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
    blind: Callable[[State], Iterator[tuple[str, str]]]
    """Answers that need no look at the position, each with the name of what one would always do.
    To give always the same answer is one of them, too."""
    most: float = BLIND
    """How much the best of them may score, as far as possible."""


class Question(NamedTuple):
    """A question about a position."""

    kind: Kind
    state: State
    guess: float = 0.0
    """What the best answer without a look at the position gets, on average over all questions of
    this kind that are asked together."""

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
    def blind(self) -> dict[str, float]:
        """What answers get that need no look at the position, if anything."""
        found = {name: self.kind.grade(self.state, said) for name, said in self._unseen()}
        return {name: grade for name, grade in found.items() if grade}

    def _unseen(self) -> Iterator[tuple[str, str]]:
        yield f"always {self.right}", self.right
        yield from self.kind.blind(self.state)

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
    piles = {kind: _fair(kind, filter(kind.possible, states)) for kind in wanted}
    found: list[Question] = []
    while piles and len(found) < count:
        for kind in [*piles]:
            one = next(piles[kind], None)
            if one is None:
                del piles[kind]
            elif len(found) < count:
                found.append(one)
    if not found:
        raise BadVariant(f"There is no such question in {game}: choose another board or depth.")
    guesses = {kind: _guess([one for one in found if one.kind is kind]) for kind in wanted}
    return [one._replace(guess=guesses[one.kind]) for one in found]


def read_depth(text: str) -> tuple[int, int] | None:
    """The depth that somebody asks for in words; None if the text is empty."""
    if not text:
        return None
    least, _, most = text.partition("-")
    depth = whole_number(least), whole_number(most or least)
    if depth[0] is None or depth[1] is None:
        raise BadVariant("depth is one number of moves or two, such as 5 or 3-7.")
    return depth[0], depth[1]


def _fair(kind: Kind, states: Iterable[State]) -> Iterator[Question]:
    """Questions of a kind about these positions, in this order as far as possible, but so few that
    are alike that no answer without a look at the position scores more than it may."""
    waiting: dict[tuple[tuple[str, float], ...], deque[Question]] = {}
    scored, asked = Counter[str](), 0
    for state in states:
        one = Question(kind, state)
        waiting.setdefault(tuple(one.blind.items()), deque()).append(one)
        while True:
            # One more may be asked even if nothing has been yet.
            most = kind.most * asked + 1 + TIE
            fit = (
                alike
                for alike, some in waiting.items()
                if some and all(scored[name] + grade <= most for name, grade in alike)
            )
            alike = next(fit, None)
            if alike is None:
                break
            scored.update(dict(alike))
            asked += 1
            yield waiting[alike].popleft()


def _guess(some: list[Question]) -> float:
    """What the best answer without a look at the position gets."""
    scored = Counter[str]()
    for one in some:
        scored.update(one.blind)
    return max(scored.values(), default=0.0) / max(len(some), 1)


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


def _guess_winner(state: State) -> Iterator[tuple[str, str]]:
    mover, game = state.to_move, state.game
    yield "the player to move", str(mover)
    yield "the other player", str(3 - mover)
    if game.rules.margin is not None:
        ahead = game.rules.margin(*state.position, game.variant) > 0
        yield "whoever is ahead", str(mover if ahead else 3 - mover)


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


def _guess_best(state: State) -> Iterator[tuple[str, str]]:
    moves = sorted(state.legal_moves, key=state.game.code)
    some = {
        "the lowest": moves[:1],
        "the highest": moves[-1:],
        "the middle one": [moves[len(moves) // 2]],
        "all": moves,
        "all but the lowest": moves[1:],
        "all but the highest": moves[:-1],
    }
    for name, named in some.items():
        yield name, ", ".join(map(state.game.label, named))


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


def _guess_length(state: State) -> Iterator[tuple[str, str]]:
    game = state.game
    yield "the number of legal moves", str(len(state.legal_moves))
    if game.rules.margin is not None:
        yield "the points so far", str(game.rules.margin(*state.position, game.variant))


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


def _guess_refutation(state: State) -> Iterator[tuple[str, str]]:
    """Lines in which the opponent follows a rule, too."""
    mine, code = state.to_move, state.game.code
    rules: dict[str, Callable[[Sequence[Move]], Move]] = {
        "the lowest": lambda moves: moves[0],
        "the highest": lambda moves: moves[-1],
        "the middle one": lambda moves: moves[len(moves) // 2],
    }
    for name, rule in rules.items():
        at = state
        while at.winner is None:
            at = at.play(
                _rule(at) if at.to_move == mine else rule(sorted(at.legal_moves, key=code))
            )
        yield f"the opponent takes {name}", " ".join(map(str, at.moves[len(state.moves) :]))


# -- which idea -----------------------------------------------------------------------------


@lru_cache(maxsize=4_096)
def _hints(state: State) -> tuple[tuple[Idea, bool], ...]:
    """Hints to choose from, and whether each leads to best moves alone: one that does, and others
    that do not, some of which leave every move. Which they are and in what order depends on the
    position and says nothing."""
    best = _best(state)
    told = [(idea, set(preferred(state, idea)) <= best) for idea in explaining(state.game)]
    luck = random.Random(f"numduel hints {state.text}").random
    wrong = sorted((one for one in told if not one[1]), key=lambda _: luck())
    some = [*[one for one in told if one[1]][:1], *wrong[: len(LETTERS) - 1]]
    return tuple(sorted(some, key=lambda _: luck()))


def _can_be_hinted(state: State) -> bool:
    found = _hints(state)
    return at_stake(analyse(state)) and len(found) > 1 and any(right for _, right in found)


def _ask_hint(state: State) -> str:
    hints = zip(LETTERS, _hints(state), strict=False)
    lines = [f"{letter}. {idea.instruction}" for letter, (idea, _) in hints]
    return "\n".join(
        ["Only one of these hints leads to best moves here, and to no other move. Which?", *lines]
    )


def _write_hint(state: State) -> str:
    hints = zip(LETTERS, _hints(state), strict=False)
    return next(letter for letter, (_, right) in hints if right)


def _guess_hint(state: State) -> Iterator[tuple[str, str]]:
    told = {letter: idea for letter, (idea, _) in zip(LETTERS, _hints(state), strict=False)}
    for letter, idea in told.items():
        yield idea.name, letter
    yield "the easiest", min(told, key=lambda letter: told[letter].grade)
    yield "the hardest", max(told, key=lambda letter: told[letter].grade)


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
            _guess_winner,
            1 / 2,
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
            _guess_length,
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
            _guess_refutation,
        ),
        Kind(
            "idea",
            _can_be_hinted,
            _ask_hint,
            "its letter",
            _write_hint,
            lambda state, said: float(said.upper() == _write_hint(state)),
            _guess_hint,
        ),
    )
}
"""The kinds of questions, by name."""
