"""Which move to recommend, and why: the ideas that lead to it, and how the game goes on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from numduel.core.ideas import Idea
from numduel.core.language import N_, _, plural
from numduel.core.state import Move, State
from numduel.core.text import DEFAULT_NAMES, Clause, both, capital, listed, name_told
from numduel.core.view import view
from numduel.learn.coach.cause import MOST_MOVES, Cause, causes
from numduel.learn.coach.words import percent
from numduel.learn.ideas import FORK, explaining, lists, reason, subject
from numduel.solver import Option, analyse
from numduel.solver.values import TIE

BEGINNING = 3
"""Moves that are given of a continuation that is not given in full."""


class Ways(NamedTuple):
    """How easily the opponent goes wrong after a move; larger is better."""

    share: float
    """The share of the answers that lose value; with a deck, its expectation."""
    wrong: float
    """How many answers lose value, of all `answers`."""
    answers: float


class Advice:
    """The moves of a position that can be recommended, and the one that is."""

    def __init__(self, state: State, options: tuple[Option, ...]) -> None:
        self.state = state.public
        self.options = options
        self.exact = all(option.exact for option in options)

    @cached_property
    def equal(self) -> tuple[Option, ...]:
        """The moves that the values call best: those most likely to win, by the most points, the
        soonest; in a lost game, those that hold out longest."""
        return tuple(option for option in self.options if option.best)

    @cached_property
    def right(self) -> tuple[Option, ...]:
        """The moves that keep the result; where all do, the best."""
        best = self.options[0].win_probability
        kept = tuple(o for o in self.options if best - o.win_probability <= TIE)
        return kept if len(kept) < len(self.options) else self.equal

    @cached_property
    def ways(self) -> dict[Move, Ways]:
        """How easily the opponent goes wrong after each of the best moves; empty where there are
        too many to compare."""
        if not self.exact or len(self.equal) == 1 or len(self.options) > MOST_MOVES:
            return {}
        return {o.move: ways_to_go_wrong(self.state.play(o.move)) for o in self.equal}

    @cached_property
    def ideas(self) -> tuple[Idea, ...]:
        """The ideas that lead to the recommended move; none where no idea does."""
        return self._choice[0]

    @cached_property
    def option(self) -> Option:
        """The recommended move: of the best, the one that leaves the opponent the most ways to go
        wrong, and of several such moves the one that is easiest to find."""
        return self._choice[1]

    @cached_property
    def _choice(self) -> tuple[tuple[Idea, ...], Option]:
        most = max((way[:2] for way in self.ways.values()), default=None)
        tied = [o for o in self.equal if not self.ways or self.ways[o.move][:2] == most]
        moves = [option.move for option in tied]
        ideas, found = _leading(self.state, self, moves)
        return ideas, next((option for option in tied if option.move in found), tied[0])

    @property
    def cause(self) -> Cause | None:
        """The idea that leads to the recommended move by itself, if there is one."""
        return Cause(self.ideas[0], (self.option.move,)) if len(self.ideas) == 1 else None

    def ideas_for(self, move: Move) -> tuple[Idea, ...]:
        """The ideas that lead to a certain move; none where it is not right, or no idea does."""
        if all(option.move != move for option in self.right):
            return ()
        return _leading(self.state, self, [move])[0]


def advise(state: State) -> Advice:
    """The advice for a state in which a move is due."""
    return Advice(state, analyse(state))


def lost(best: Option, option: Option) -> bool:
    """Whether a move gives away chance or points, compared with the best one."""
    chance = best.win_probability - option.win_probability
    return max(option.loss - best.loss, chance) > TIE


def ways_to_go_wrong(after: State) -> Ways:
    """How easily the player to move goes wrong: by an answer that loses chance or points; in a
    game that is lost anyway, by one that loses it sooner."""
    if after.draws:
        found = [(p, ways_to_go_wrong(after.draw(card))) for card, p in after.draws.items()]
        share, wrong, answers = (sum(p * ways[at] for p, ways in found) for at in range(3))
        return Ways(share, wrong, answers)
    options = analyse(after)
    if not options:
        return Ways(0, 0, 0)
    best = options[0]
    doomed = best.win_probability == 0 and best.margin is None
    wrong = sum(not option.best if doomed else lost(best, option) for option in options)
    return Ways(wrong / len(options), wrong, len(options))


def _leading(
    state: State, advice: Advice, wanted: Collection[Move]
) -> tuple[tuple[Idea, ...], tuple[Move, ...]]:
    """The ideas that leave only right moves, a wanted one among them, and those of the moves that
    are wanted: the most specific idea that does so by itself, or else the easiest two in turn.
    Before a move, what it brings is told rather than what the opponent could do. Where all moves
    are equally good there is nothing to find."""
    alike = len(advice.right) == len(advice.options)
    if alike or not advice.exact or len(advice.options) > MOST_MOVES:
        return (), ()
    right, some = (
        sum(1 << state.game.code(move) for move in moves)
        for moves in ([option.move for option in advice.right], wanted)
    )
    alone = causes(state, advice.options, right, state.mask & ~right)
    for one in sorted(alone, key=lambda cause: cause.idea.ahead % 2 == 0):
        if found := tuple(move for move in one.right if move in wanted):
            return (one.idea,), found
    told = explaining(state.game)
    for ideas, left in lists(state):
        if len(ideas) > 1 and not left & ~right and left & some and set(ideas) <= set(told):
            return ideas, state.game.moves(left & some, state)
    return (), ()


def reasons(state: State, move: Move, ideas: Sequence[Idea]) -> list[str]:
    """What ideas say for a move, each as a clause; whatever is said is true by the rules alone."""
    said = (reason(idea, state, move) for idea in ideas)
    return [clause for clause in said if clause is not None]


def why(
    state: State,
    option: Option,
    names: tuple[str, str] = DEFAULT_NAMES,
    ideas: Sequence[Idea] | None = None,
) -> str:
    """Why a move is worth what it is: what ideas say for it, then the moves that follow. The player
    to move is "you", the opponent "they"."""
    state, name = state.public, subject(state, option.move)
    after = state.play(option.move)
    if after.winner is not None:
        return _at_once(state, option, after, names)
    if ideas is None:
        ideas = advise(state).ideas_for(option.move) if option.exact else ()
    said, named = _joined(reasons(state, option.move, ideas), name)
    course = _course(state, option, after, names)
    if not said:
        return capital(f"{course.told}.")
    if option.plies == 3 and FORK in ideas:
        return capital(_("{said}: {course}.", said=said, course=Clause(course.moves)))
    if option.plies == 3 and len(after.legal_moves) == 1:
        return capital(_("{said}, and {course}.", said=said, course=course.moves))
    wins, told = bool(option.win_probability), course.told
    if named and told.startswith(f"{name} "):
        # Translators: {goes_on} is without its subject, with which {said} begins: "wins at once".
        joint = N_("{said}, and {goes_on}.") if wins else N_("{said}, but {goes_on}.")
        return capital(_(joint, said=said, goes_on=told.removeprefix(f"{name} ")))
    joint = N_("{said}, and {course}.") if wins else N_("{said}, but {course}.")
    return capital(_(joint, said=said, course=told))


def idea_and_course(
    state: State, option: Option, names: tuple[str, str], ideas: Sequence[Idea]
) -> tuple[str, str]:
    """Why a move is worth what it is, in two steps: what ideas say for it, and how the game goes
    on. Either may be empty."""
    name, after = subject(state, option.move), state.play(option.move)
    if after.winner is not None:
        return _at_once(state, option, after, names), ""
    said = _joined(reasons(state, option.move, ideas), name)[0]
    course = _course(state, option, after, names).told
    return said and capital(f"{said}."), capital(f"{course}.")


def _at_once(state: State, option: Option, after: State, names: tuple[str, str]) -> str:
    """That a move ends the game, and how."""
    told = (
        N_("{move} wins at once: {ending}.")
        if option.win_probability
        else N_("{move} loses at once: {ending}.")
    )
    ending = Clause(_ending(after, state.to_move, names).told)
    return capital(_(told, move=subject(state, option.move), ending=ending))


def _joined(clauses: Sequence[str], name: str) -> tuple[str, bool]:
    """Clauses about a move as one, and whether the move is the subject at its end."""
    said, named = "", False
    for clause in clauses:
        follows = clause.startswith(f"{name} ")
        told = clause.removeprefix(f"{name} ") if named and follows else clause
        said, named = both([said, told]) if said else told, follows
    return said, named


# -- how the game goes on -------------------------------------------------------------------


class Course(NamedTuple):
    """What becomes of a move that does not end the game."""

    result: str
    """``5 wins in 3 moves``: a clause whose subject is the move."""
    moves: str = ""
    """``after 4 you answer 7 and have 5, 6, 7``; empty if no moves are told."""

    @property
    def told(self) -> str:
        """Both as one clause."""
        if not self.moves:
            return self.result
        return _("{result}: {moves}", result=self.result, moves=Clause(self.moves))


def _course(state: State, option: Option, after: State, names: tuple[str, str]) -> Course:
    """What becomes of a move that does not end the game."""
    name, chance = subject(state, option.move), option.win_probability
    if not option.exact:
        told = _(
            "{move} won about {share} of the games tried out", move=name, share=percent(chance)
        )
        return Course(told)
    if state.game.has_deck:
        return Course(_comparison(state, option, name))
    if option.margin is not None:
        return Course(_by_points(option.margin, name, bool(chance)), _beginning(option, after))
    if option.plies is None:
        if chance:
            return Course(
                _("{move} wins: whatever they answer, you have a winning move", move=name)
            )
        answer = analyse(after)[0].move
        return Course(_("{move} loses: they answer {answer}, which wins", move=name, answer=answer))
    if option.plies - 1 > BEGINNING:
        return Course(_long(option.plies, name, bool(chance)), _beginning(option, after))
    return _to_the_end(state, option, after, names)


def _by_points(margin: int, name: str, wins: bool) -> str:
    if not margin and wins:
        return _("{move} wins the tie with best play", move=name)
    if not margin:
        return _("{move} loses the tie with best play", move=name)
    if wins:
        return plural(
            "{move} wins by {n:,} point with best play",
            "{move} wins by {n:,} points with best play",
            abs(margin), move=name,
        )  # fmt: skip
    return plural(
        "{move} loses by {n:,} point with best play",
        "{move} loses by {n:,} points with best play",
        abs(margin), move=name,
    )  # fmt: skip


def _long(plies: int, name: str, wins: bool) -> str:
    if wins:
        return plural(
            "{move} wins in {n} move with best play",
            "{move} wins in {n} moves with best play",
            plies, move=name,
        )  # fmt: skip
    return plural(
        "{move} loses in {n} move with best play",
        "{move} loses in {n} moves with best play",
        plies, move=name,
    )  # fmt: skip


def _beginning(option: Option, after: State) -> str:
    """The first moves of a long continuation, if there is more to tell than the move itself."""
    follow = best_line(after, BEGINNING)
    moves = listed(after.game.label(move) for move in (option.move, *follow))
    return _("{moves} and so on", moves=moves) if follow else ""


def _to_the_end(state: State, option: Option, after: State, names: tuple[str, str]) -> Course:
    """The moves that follow with best play, up to the end of the game."""
    name, wins, plies = (
        subject(state, option.move), bool(option.win_probability), option.plies or 0
    )  # fmt: skip
    only = len(after.legal_moves) == 1
    follow = best_line(after, BEGINNING)
    for move in follow:
        after = after.play(move)
    ending, labels = _ending(after, state.to_move, names), [*map(state.game.label, follow)]
    if len(follow) == 1:
        told = N_("{move} wins") if wins else N_("{move} loses")
        return Course(_(told, move=name), _told(ANSWERED, ending, answer=labels[0]))
    result = (
        plural("{move} wins in {n} move", "{move} wins in {n} moves", plies, move=name)
        if wins
        else plural("{move} loses in {n} move", "{move} loses in {n} moves", plies, move=name)
    )
    if len(follow) == 2 and wins:
        forms = FORCED if only else FOR_EXAMPLE
        return Course(result, _told(forms, ending, one=labels[0], two=labels[1]))
    return Course(result, _told(PLAYED, ending, moves=", ".join(labels)))


def _told(forms: Mapping[str, str], ending: Ending, **moves: Move) -> str:
    """The moves that end a game, and how it ends, as a clause."""
    return _(forms.get(ending.kind, forms[""]), ending=ending.within, row=ending.row, **moves)


ANSWERED = {
    "they have": N_("they answer {answer} and have {row}"),
    "you are stuck": N_("they answer {answer} and you have no number left"),
    "": N_("they answer {answer}, and {ending}"),
}
"""The last moves of a game and its end as a clause, by the kind of the end; so are those below."""
FORCED = {
    "you have": N_("after {one} you answer {two} and have {row}"),
    "they are stuck": N_("after {one} you answer {two} and they have no number left"),
    "": N_("after {one} you answer {two}, and {ending}"),
}
FOR_EXAMPLE = {
    "you have": N_("after {one}, for example, you answer {two} and have {row}"),
    "they are stuck": N_("after {one}, for example, you answer {two} and they have no number left"),
    "": N_("after {one}, for example, you answer {two}, and {ending}"),
}
PLAYED = {
    "they have": N_("with best play {moves} follow and they have {row}"),
    "you are stuck": N_("with best play {moves} follow and you have no number left"),
    "": N_("with best play {moves} follow, and {ending}"),
}


def _comparison(state: State, option: Option, name: str) -> str:
    """A move in a game with a deck, compared with the best move, or with the next best."""
    options = analyse(state)
    told: dict[str, object] = {"move": name, "chance": percent(option.win_probability)}
    other = next((other for other in options if other.best != option.best), None)
    if other is None and len(options) > 1:
        return _("{move} keeps your chance to win at {chance}, as every move does", **told)
    if other is None:
        return _("{move} keeps your chance to win at {chance}", **told)
    told |= {"other": subject(state, other.move), "its": percent(other.win_probability)}
    if option.best:
        return _("{move} keeps your chance to win at {chance}; {other} lowers it to {its}", **told)
    return _("{move} lowers your chance to win to {chance}; {other} keeps it at {its}", **told)


def best_line(state: State, most: int) -> tuple[Move, ...]:
    """The moves that follow if both play their best: at most so many, or up to the end. Where
    points are counted, it stops before a choice between equally good moves: the smallest of them
    would look better than the others."""
    moves: list[Move] = []
    while state.mask and len(moves) < most:
        options = analyse(state)
        if options[0].margin is not None and sum(option.best for option in options) > 1:
            break
        moves.append(options[0].move)
        state = state.play(moves[-1])
    return tuple(moves)


class Ending(NamedTuple):
    """How a game ended, in words for one of its players."""

    kind: str
    """``you have`` or ``they have`` a row, ``you are stuck`` or ``they are stuck``; empty if it is
    something else."""
    told: str
    """As a clause: ``you have 5, 6, 7``."""
    row: str = ""
    """The numbers of the row."""
    names: tuple[str, str] = DEFAULT_NAMES

    @property
    def within(self) -> str:
        """As a clause within a sentence: unless it begins with a name, it has no capital letter."""
        named = self.told.startswith(tuple(map(name_told, self.names)))
        return self.told if named else f"{Clause(self.told):small}"


def _ending(state: State, seat: int, names: tuple[str, str]) -> Ending:
    """How a game ended, in words for the player in a seat."""
    game, winner = state.game, state.winner or 0
    if numbers := game.winning(state):
        row = listed(numbers)
        if winner == seat:
            return Ending("you have", _("you have {row}", row=row), row)
        return Ending("they have", _("they have {row}", row=row), row)
    if game.rules.edges is not None:
        if winner == seat:
            return Ending("they are stuck", _("they have no number left"))
        return Ending("you are stuck", _("you have no number left"))
    # Of several sentences the first only says that everything is taken.
    why = game.end_reason(view(state, names), winner)[:2][-1:]
    return Ending("", "".join(why).removesuffix("."), names=names)
