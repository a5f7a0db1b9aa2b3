"""One move of a game judged: what it was worth, in figures and in sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from numduel.core.language import N_, _, pgettext, plural
from numduel.core.state import RESIGNATIONS, Move, State
from numduel.core.text import Clause, capital, name_told
from numduel.core.view import view
from numduel.learn.coach.cause import Cause, cause, instead
from numduel.learn.coach.explain import Advice, best_line, lost
from numduel.learn.coach.words import LONGEST_LINE, percent
from numduel.learn.ideas import subject
from numduel.solver import Option, TooLarge, Value, evaluate
from numduel.solver.values import TIE

INACCURACY, MISTAKE = 0.01, 0.05
"""In a game with a deck, the chance to win that an inaccuracy and a mistake give away at least."""


@dataclass(frozen=True)
class Ply:
    """One move of a game. Its values are those of the player who made it."""

    number: int
    seat: int
    move: Move
    """As the notation writes it: ``5``, ``7e``, a rule-breaking ``5!``, ``resign``."""
    state: State
    """The position before it, with the card drawn where there is one."""
    options: tuple[Option, ...]
    before: Value
    after: Value
    loss: float
    """What it gave away: points in a counted game, otherwise chance to win. A resignation or a
    broken rule gives away the whole chance."""
    luck: float = 0.0
    """The chance to win that the card drawn before it gave."""
    line: tuple[Move, ...] = ()
    """The moves that punish a mistake, in a game without luck."""
    answer: Move | None = None
    """The next move of the game, if there was one."""

    @property
    def option(self) -> Option | None:
        """The move among the legal ones; None for a resignation or a broken rule."""
        return _option(self.options, self.move)

    @property
    def forced(self) -> bool:
        """Whether there was only one legal move, and it was made."""
        return len(self.options) == 1 and self.option is not None

    @property
    def decision(self) -> bool:
        """Whether it can be judged: it was not forced, and the values are exact."""
        return not self.forced and self.before.exact and self.after.exact

    @property
    def judged(self) -> bool:
        """Whether it is a decision on the board: to resign is none."""
        return self.decision and not self.resigned

    @property
    def mattered(self) -> bool:
        """Whether something could go wrong: some move would have lost chance or points, or a rule
        was broken."""
        if not self.judged:
            return False
        return self.broken or any(lost(self.options[0], option) for option in self.options)

    @property
    def costly(self) -> bool:
        """Whether it was a decision that lost chance or points."""
        return self.decision and max(self.loss, self.chance_lost) > TIE

    @property
    def chance_lost(self) -> float:
        """The chance to win that it gave away."""
        return self.before.win_probability - self.after.win_probability

    @property
    def broken(self) -> bool:
        """Whether it broke a rule and so lost the game."""
        return str(self.move).endswith("!")

    @property
    def resigned(self) -> bool:
        """Whether it gave the game up."""
        return self.move in RESIGNATIONS

    @property
    def mistake(self) -> bool:
        """Whether it gave a won game away, or broke a rule; in a game with a deck, whether it gave
        away a chance of at least `MISTAKE`."""
        least = MISTAKE if self.state.game.has_deck else TIE
        return self.broken or (self.decision and self.chance_lost > least)

    @property
    def inaccuracy(self) -> bool:
        """Whether it was a lesser slip: it lost points, won less quickly or, in a game with a
        deck, gave away a chance of at least `INACCURACY`."""
        if self.mistake or not self.decision:
            return False
        if self.state.game.has_deck:
            return self.chance_lost > INACCURACY
        return self.costly or self.slower

    @property
    def slower(self) -> bool:
        """Whether it won, but a better move would have won sooner."""
        won = self.decision and self.after.win_probability == 1 and self.option is not None
        return won and self.after.margin is None and self.after.rank < self.before.rank

    @property
    def sooner(self) -> bool:
        """Whether it lost, as every move did, but another would have lasted longer."""
        lost = self.decision and self.before.win_probability == 0 and self.option is not None
        return lost and self.after.margin is None and self.after.rank < self.before.rank

    @property
    def slip(self) -> str:
        """``mistake`` or ``inaccuracy``; empty if it was neither."""
        return "mistake" if self.mistake else "inaccuracy" if self.inaccuracy else ""

    @property
    def turn(self) -> bool:
        """Whether it turned a won game into a lost one."""
        lost = self.judged and self.mistake and self.chance_lost == 1
        return lost and not self.state.game.has_deck

    def better(self, option: Option) -> bool:
        """Whether another move would have been no mistake."""
        least = MISTAKE if self.state.game.has_deck else TIE
        return self.before.win_probability - option.win_probability <= least

    @cached_property
    def advice(self) -> Advice:
        """What could have been recommended instead."""
        return Advice(self.state, self.options)

    @cached_property
    def cause(self) -> Cause | None:
        """The idea that a slip on the board went against; None if no idea explains it."""
        if not self.slip or self.option is None:
            return None
        return cause(self.state, self.options, self.move)

    @cached_property
    def instead(self) -> Option:
        """The move that is named in place of a slip: the recommended one, unless the reason is
        about another."""
        best = self.advice.option
        if self.cause is None or best.move in self.cause.right:
            return best
        kept = instead(self.options, self.move)
        return next(option for option in kept if option.move in self.cause.right)

    # -- in words ---------------------------------------------------------------------------

    def headline(self, names: tuple[str, str], reader: int | None = None) -> str:
        """Whose slip it was, without a better move: ``Move 7, your mistake: 8.``"""
        told = {
            (False, True, True): N_("Move {number}, your mistake: {made}."),
            (False, True, False): N_("Move {number}, your inaccuracy: {made}."),
            (False, False, True): N_("Move {number}, a mistake by {name}: {made}."),
            (False, False, False): N_("Move {number}, an inaccuracy by {name}: {made}."),
            (True, True, True): N_("Your mistake: {made}."),
            (True, True, False): N_("Your inaccuracy: {made}."),
            (True, False, True): N_("A mistake by {name}: {made}."),
            (True, False, False): N_("An inaccuracy by {name}: {made}."),
        }[self.resigned, self.seat == reader, not self.inaccuracy]
        return _(told, number=self.number, made=self.made, name=name_told(names[self.seat - 1]))

    def sentence(self, names: tuple[str, str], reader: int | None = None) -> str:
        """A slip in words: whose it was, what it gave away, and which move would have been better.
        Why that move is better is told only to the player who made the slip, or if it is not known
        who reads: such a reason calls that player "you"."""
        opponent = "" if reader == 3 - self.seat else names[2 - self.seat]
        told = self.reason(opponent, because=reader in (None, self.seat))
        return f"{self.headline(names, reader)} {told}"

    def reason(self, opponent: str, *, named: bool = False, because: bool = True) -> str:
        """What a slip gave away to the opponent, who reads it if they have no name here, and what
        would have kept it: one sentence, which names two moves at most besides the slip. The slip
        is "it", or named."""
        move = self.made if named else ""
        gave = self._gave(opponent, move)
        hopeless = self.broken and (self.before.win_probability == 0 or not self.before.exact)
        if hopeless or not self.options:
            return capital(f"{gave}.")
        best = self.instead
        why = self._because(best) if because and not self._at_once else ""
        known = self.state.game.has_deck and not self.broken
        if why and self.line and self.turn and self.after.margin is None:
            # The answer would be one move too many.
            gave, known = _threw_away(move), True
        kept = self._kept(best, known=known)
        if why:
            return capital(_("{gave}; {kept}, because {why}.", gave=gave, kept=kept, why=why))
        return capital(_("{told}; {more}.", told=gave, more=kept))

    def verdict(self, option: Option, opponent: str) -> str:
        """What is said of a move that is tried in place of a mistake: what it would give away, or
        why it is better. No better move is named."""
        if self.better(option):
            kept, why = self._kept(option), self._because(option)
            if why:
                return capital(_("{kept}, because {why}.", kept=kept, why=why))
            return capital(f"{kept}.")
        after, known = self.state.play(option.move), flip(self.before, self.seat)
        tried = judge(self.number, self.state, after, self.options, known)
        return capital(f"{tried._would_give(opponent)}.")

    @property
    def made(self) -> str:
        """The move as the subject of a sentence."""
        if self.resigned:
            return _("resigning")
        return subject(self.state, str(self.move).removesuffix("!"))

    def next_time(self) -> str:
        """What a mistake teaches, without naming a move: the idea that it goes against."""
        if self.resigned:
            return _("Next time: play on; you could still win.")
        if self.broken:
            return _("Next time: look twice at the rules, or ask for forgiving ones.")
        if self.cause is not None:
            return _("Next time: {rule:small}", rule=Clause(self.cause.idea.instruction))
        return _("Next time: before you move, look for their best answer.")

    @property
    def _at_once(self) -> bool:
        """Whether the opponent could win with the next move."""
        return bool(self.line) and self.after.plies == 2

    def _gave(self, opponent: str, move: str) -> str:
        """What was given away, as a clause whose subject is the move, or "it" if it is empty."""
        if self.broken:
            return (
                _("{move} broke a rule and lost the game at once", move=move)
                if move
                else _("It broke a rule and lost the game at once")
            )
        if self.resigned and not self.state.game.has_deck:
            return _("{move} gave up a won game", move=move) if move else _("It gave up a won game")
        if self.state.game.has_deck or not self.after.exact:
            return self._cut(move)
        if self.mistake:
            who = "you" if not opponent else "named" if move else "it"
            return self._let_win(LET_WIN[who], opponent, move)
        if self.costly:
            points = int(self.loss)
            if move:
                return plural(
                    "{move} gave away {n:,} point",
                    "{move} gave away {n:,} points",
                    points, move=move,
                )  # fmt: skip
            return plural("It gave away {n:,} point", "It gave away {n:,} points", points)
        plies = self.after.plies or 0
        if move:
            return plural(
                "{move} was a slower win, in {n} move",
                "{move} was a slower win, in {n} moves",
                plies, move=move,
            )  # fmt: skip
        return plural(
            "It was a slower win, in {n} move", "It was a slower win, in {n} moves", plies
        )

    def _cut(self, move: str) -> str:
        """That some of the chance to win was given away."""
        was, became = (percent(value.win_probability) for value in (self.before, self.after))
        if self.resigned and move:
            return _("{move} gave up a chance of {share} to win", move=move, share=was)
        if self.resigned:
            return _("It gave up a chance of {share} to win", share=was)
        told = (
            N_("{move} cut the chance to win from {was} to {became}")
            if move
            else N_("It cut the chance to win from {was} to {became}")
        )
        return _(told, move=move, was=was, became=became)

    def _would_give(self, opponent: str) -> str:
        """What a move that is only tried would give away."""
        if self.state.game.has_deck or not self.after.exact:
            was, became = (percent(value.win_probability) for value in (self.before, self.after))
            return _(
                "{move} would cut the chance to win from {was} to {became}",
                move=self.made, was=was, became=became,
            )  # fmt: skip
        return self._let_win(LET_WIN["would"], opponent, self.made)

    def _let_win(self, forms: LetWin, opponent: str, move: str) -> str:
        """That the opponent wins after a mistake, and how."""
        told: dict[str, object] = {"opponent": name_told(opponent), "move": move}
        answer = self.state.game.label(self.line[0]) if self.line else ""
        if self._at_once:
            return _(forms.at_once, answer=answer, **told)
        if self.after.margin:
            return forms.by_points(abs(self.after.margin), **told)
        if self.after.margin is not None:
            return _(forms.tie, **told)
        return _(forms.beginning, answer=answer, **told) if answer else _(forms.plain, **told)

    def _kept(self, option: Option, *, known: bool = False) -> str:
        """What another move would have done, as a clause; whether what it would have kept was just
        named."""
        name, chance = subject(self.state, option.move), option.win_probability
        if self.broken and option.exact and not chance:
            return _("{move} would have kept the rules, in a game that was lost anyway", move=name)
        if option.margin is None and self.state.play(option.move).is_over:
            return _("{move} would have won at once", move=name)
        if self.state.game.has_deck or not option.exact:
            if known:
                return pgettext("the chance to win", "{move} would have kept it", move=name)
            return _(
                "{move} would have kept the chance to win at {share}",
                move=name, share=percent(chance),
            )  # fmt: skip
        if self.mistake and self.option is not None:
            if known:
                return pgettext("the win", "{move} would have kept it", move=name)
            return _("{move} would have kept the win", move=name)
        if self.costly and self.option is not None:
            if self.loss == 1:
                return pgettext("the point", "{move} would have kept it", move=name)
            return pgettext("the points", "{move} would have kept them", move=name)
        return self._would_have_won(option, name)

    def _would_have_won(self, option: Option, name: str) -> str:
        if option.margin:
            return plural(
                "{move} would have won by {n:,} point",
                "{move} would have won by {n:,} points",
                option.margin, move=name,
            )  # fmt: skip
        if option.margin is not None:
            return _("{move} would have won the tie", move=name)
        if option.plies is None:
            return _("{move} would have won", move=name)
        if option.plies == 1:
            return _("{move} would have won at once", move=name)
        return plural(
            "{move} would have won in {n} move",
            "{move} would have won in {n} moves",
            option.plies, move=name,
        )  # fmt: skip

    def _because(self, option: Option) -> str:
        """What the reason for a slip says for another move, unless that wins at once; after a
        broken rule or a resignation, what can be said for any good move."""
        if self.state.play(option.move).is_over:
            return ""
        told = self.cause if self.option is not None else self.advice.cause
        return told.clause(self.state, option.move) if told else ""

    def json(self) -> dict[str, object]:
        """The move as plain data."""
        return {
            "number": self.number,
            "seat": self.seat,
            "move": str(self.move),
            "forced": self.forced,
            "exact": self.before.exact and self.after.exact,
            "before": self.before.win_probability,
            "after": self.after.win_probability,
            "margin": self.after.margin,
            "loss": self.loss,
            "mistake": self.mistake,
            "slip": self.slip,
            "best": [str(option.move) for option in self.options if option.best],
            "line": [str(move) for move in self.line],
        }


def _threw_away(move: str) -> str:
    return _("{move} threw the win away", move=move) if move else _("It threw the win away")


class LetWin(NamedTuple):
    """The ways to say that a mistake let the opponent win, by how they win."""

    plain: str
    at_once: str
    beginning: str
    by_points: Callable[..., str]
    """Says it for a number of points."""
    tie: str


LET_WIN = {
    "it": LetWin(
        N_("It let {opponent} win"),
        N_("It let {opponent} win at once with {answer}"),
        N_("It let {opponent} win, beginning with {answer}"),
        lambda n, **told: plural(
            "It let {opponent} win by {n:,} point",
            "It let {opponent} win by {n:,} points",
            n,
            **told,
        ),
        N_("It let {opponent} win the tie"),
    ),
    "you": LetWin(
        N_("It let you win"),
        N_("It let you win at once with {answer}"),
        N_("It let you win, beginning with {answer}"),
        lambda n, **told: plural(
            "It let you win by {n:,} point", "It let you win by {n:,} points", n, **told
        ),
        N_("It let you win the tie"),
    ),
    "named": LetWin(
        N_("{move} let {opponent} win"),
        N_("{move} let {opponent} win at once with {answer}"),
        N_("{move} let {opponent} win, beginning with {answer}"),
        lambda n, **told: plural(
            "{move} let {opponent} win by {n:,} point",
            "{move} let {opponent} win by {n:,} points",
            n,
            **told,
        ),
        N_("{move} let {opponent} win the tie"),
    ),
    "would": LetWin(
        N_("{move} would let {opponent} win"),
        N_("{move} would let {opponent} win at once with {answer}"),
        N_("{move} would let {opponent} win, beginning with {answer}"),
        lambda n, **told: plural(
            "{move} would let {opponent} win by {n:,} point",
            "{move} would let {opponent} win by {n:,} points",
            n,
            **told,
        ),
        N_("{move} would let {opponent} win the tie"),
    ),
}
"""What a mistake did; what it did for whoever reads it; what a move did that is named; and what one
would do that is tried."""


def judge(
    number: int, state: State, after: State, options: tuple[Option, ...], known: Value
) -> Ply:
    """One move. `known` is Player 1's value before it, and before the draw if there is one."""
    move, seat = after.moves[-1], view(after).mover
    if seat != state.to_move:
        options = ()  # The other player gave up: these were not theirs to choose from.
    expected = flip(known, seat)
    before = options[0].value if options else expected
    option = _option(options, move)
    ended = after.resigned or after.fault is not None
    if option is not None:
        value, loss = option.value, option.loss
    elif ended:
        value, loss = Value(0.0, plies=0), before.win_probability
    else:
        value = flip(flip(value_of(after, ()), after.to_move), seat)
        loss = max(0.0, before.win_probability - value.win_probability)
    luck = before.win_probability - expected.win_probability if state.game.has_deck else 0.0
    ply = Ply(number, seat, move, state, options, before, value, loss, luck)
    if ended or state.game.has_deck or not ply.costly:
        return ply
    return replace(ply, line=best_line(after, LONGEST_LINE))


def answered(ply: Ply, answer: Move, options: tuple[Option, ...]) -> Ply:
    """A move with the answer it got, which is the one to name if no other punishes it better."""
    option = _option(options, answer)
    line = (answer,) if len(ply.line) == 1 and option is not None and option.best else ply.line
    return replace(ply, answer=answer, line=line)


def value_of(state: State, options: tuple[Option, ...]) -> Value:
    """The value of a state for the player to move; of its best move, if its moves are known."""
    if options and not state.draws:
        return options[0].value
    try:
        return evaluate(state)
    except TooLarge:
        return Value(options[0].win_probability if options else 0.5, exact=False)


def flip(value: Value, seat: int) -> Value:
    """A seat's value as one of Player 1, or Player 1's as one of the seat."""
    if seat == 1:
        return value
    margin = None if value.margin is None else -value.margin
    return Value(1 - value.win_probability, value.plies, margin, value.exact)


def _option(options: tuple[Option, ...], move: Move) -> Option | None:
    return next((option for option in options if option.move == move), None)
