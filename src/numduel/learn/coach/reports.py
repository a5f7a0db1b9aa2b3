"""A whole game judged: what every decision was worth, and where the game was won and lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from numduel.core.language import N_, _, pgettext, plural
from numduel.core.state import RESIGNATIONS, Move, State
from numduel.core.text import Clause, both, capital, name_told, percentage
from numduel.core.view import view
from numduel.learn.coach.cause import Cause, cause, instead
from numduel.learn.coach.chart import Chart, chart
from numduel.learn.coach.explain import Advice, best_line, lost
from numduel.learn.coach.words import LONGEST_LINE, percent
from numduel.learn.ideas import subject
from numduel.play.accuracy import Accuracy, risk, total
from numduel.play.record import Record
from numduel.solver import Option, TooLarge, Value, analyse, evaluate
from numduel.solver.mcts import MonteCarlo
from numduel.solver.values import TIE
from numduel.solver.values import options as ranked

ESTIMATE_SECONDS = 0.05
"""Time for one estimate; a report of a large board needs one for every move."""
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
        after, known = self.state.play(option.move), _flip(self.before, self.seat)
        tried = _judge(self.number, self.state, after, self.options, known)
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


@dataclass(frozen=True)
class Report:
    """What every decision of a game was worth."""

    record: Record
    plies: tuple[Ply, ...]
    values: tuple[Value, ...]
    """Player 1's value at the start and after every move."""
    reader: int | None = None
    """The seat of whoever reads it, if that is known."""
    waiting: float = 0.0
    """In an unfinished game, what the card that is not yet played gave the player who drew it."""

    @property
    def exact(self) -> bool:
        """Whether no value is an estimate."""
        return all(value.exact for value in self.values)

    @property
    def mistakes(self) -> tuple[Ply, ...]:
        """The moves that gave a game away, or with a deck much of it, in their order."""
        return tuple(ply for ply in self.plies if ply.mistake)

    @property
    def slips(self) -> tuple[Ply, ...]:
        """Mistakes and inaccuracies, in the order of the game."""
        return tuple(ply for ply in self.plies if ply.slip)

    @property
    def turning(self) -> Ply | None:
        """The last decision that turned the result; in a game with a deck, the costliest one."""
        if self.record.game.has_deck:
            wrong = [ply for ply in self.plies if ply.costly and ply.judged]
            return max(wrong, key=lambda ply: ply.loss, default=None)
        return next((ply for ply in reversed(self.plies) if ply.turn), None)

    def accuracy(self, seat: int) -> Accuracy:
        """How well a seat chose where something could go wrong."""
        made = [ply for ply in self.plies if ply.seat == seat and (ply.judged or ply.forced)]
        choices = [ply for ply in made if ply.mattered]
        kept = sum(not (ply.costly or ply.broken) for ply in choices)
        return Accuracy(kept, len(choices), len(made))

    def luck(self, seat: int) -> float:
        """The chance to win that a seat's own cards gave it."""
        waiting = self.waiting if self.record.state.to_move == seat else 0.0
        return sum(ply.luck for ply in self.plies if ply.seat == seat) + waiting

    def given(self, seat: int) -> float:
        """What a seat's decisions gave away: chance, or points in a counted game."""
        return sum(ply.loss for ply in self.plies if ply.seat == seat)

    @property
    def names(self) -> tuple[str, str]:
        """The names of the players, as they are shown."""
        one, two = self.record.names
        return name_told(one), name_told(two)

    @property
    def chart(self) -> Chart:
        """How the game went for its reader, or else for Player 1."""
        made, seat = [ply for ply in self.plies if not ply.resigned], self.reader or 1
        told = {ply.number: self._sentence(ply) for ply in made if ply.mistake}
        values = [_flip(value, seat) for value in self.values[: len(made) + 1]]
        return chart(values, self.names[seat - 1], seat, told)

    def svg(self) -> str:
        """The chart as an SVG file, with the report as its description."""
        return self.chart.svg(" ".join(self.lines()))

    def lines(self, *, slips: bool = True) -> list[str]:
        """All that is said of a game, at every door; without its slips where the player is asked
        for better moves first."""
        told = [*self.sentences(self.slips), *self._longer()] if slips else []
        return [*self.summary(), *told, *self.counts(), *self._next_time()]

    def summary(self) -> list[str]:
        """Who played, and where the game was won and lost, without naming a better move."""
        names, winner = self.names, self.record.state.winner
        head = plural(
            "{game}: {one} against {two}, {n:,} move.",
            "{game}: {one} against {two}, {n:,} moves.",
            self.record.made, game=self.record.game.display_name, one=names[0], two=names[1],
        )  # fmt: skip
        if winner:
            head = " ".join([head, _("{name} won.", name=names[winner - 1])])
        return [head, *self._estimated(), *self._story()] if self.plies else [head]

    def sentences(self, slips: Iterable[Ply]) -> list[str]:
        """A sentence for each of some slips."""
        return [self._sentence(ply) for ply in slips]

    def _sentence(self, ply: Ply) -> str:
        return ply.sentence(self.record.names, self.reader)

    def json(self) -> dict[str, object]:
        """The report as plain data, with the record."""
        turning = self.turning
        return {
            **self.record.json(),
            "exact": self.exact,
            "values": [value.win_probability for value in self.values],
            "accuracy": [self.accuracy(seat).share for seat in (1, 2)],
            "choices": [self.accuracy(seat)._asdict() for seat in (1, 2)],
            "luck": [self.luck(1), self.luck(2)] if self._lucky else None,
            "given_away": [self.given(1), self.given(2)],
            "turning": turning and turning.number,
            "plies": [ply.json() for ply in self.plies],
        }

    def spotless(self) -> str:
        """What is said to a reader who made no slips, and why they lost all the same; empty for
        others."""
        winner, you = self.record.state.winner, self.reader
        if not winner or not you or any(ply.seat == you for ply in self.slips):
            return ""
        if not self.exact:
            return _("None of your moves that could be judged was a mistake.")
        if winner == you:
            return _("You made no mistake.")
        if self.record.game.has_deck:
            return _("You made no mistake: the cards decided.")
        name = self.names[winner - 1]
        if self._counted:
            told = _(
                "Your choices gave no points away: {name} was winning from the start.", name=name
            )
            return f"{told} {self._resigned_from()}".rstrip()
        if self._lasting(you):
            return _("You gave no win away: {name} was winning from the start.", name=name)
        return _("You made no mistake: {name} was winning from the start.", name=name)

    @property
    def _counted(self) -> bool:
        """Whether points are counted."""
        return self.record.game.rules.margin is not None

    @property
    def _lucky(self) -> bool:
        """Whether there is luck, and it can be told apart from skill."""
        return self.record.game.has_deck and self.exact

    def _resigned_from(self) -> str:
        """How a game with points that somebody gave up would have ended."""
        last = self.plies[-1]
        margin = last.before.margin if last.resigned and last.before.exact else None
        if not margin:
            return ""
        return plural(
            "With best play it would have been by {n:,} point.",
            "With best play it would have been by {n:,} points.",
            -margin,
        )

    def _estimated(self) -> list[str]:
        guessed = [ply for ply in self.plies if not (ply.before.exact and ply.after.exact)]
        if not guessed:
            return []
        return [
            _(
                "The board is too large to be exact at first: the values up to move {number} are"
                " estimates, and those moves are not judged.",
                number=guessed[-1].number,
            )
        ]

    def _story(self) -> list[str]:
        """Where the game was won and lost."""
        names, turning, winner = self.names, self.turning, self.record.state.winner
        last = self.plies[-1]
        if last.resigned and last.mistake and not self.record.game.has_deck:
            name = names[last.seat - 1]
            return [_("{name} resigned a game that could still be won.", name=name)]
        if self.record.game.has_deck:
            return self._costliest(turning)
        if turning is not None:
            told = (
                N_("Move {number} decided it: {name} could have won, but {opponent} did.")
                if winner
                else N_("Move {number} turned the game: {name} could have won.")
            )
            name, opponent = names[turning.seat - 1], names[2 - turning.seat]
            return [_(told, number=turning.number, name=name, opponent=opponent)]
        final = self.values[-1]
        since = next((at for at, value in enumerate(self.values) if value.exact), len(self.plies))
        if since == len(self.plies):
            return []
        told = (
            N_("{name} was winning after move {number} and never gave the win away.")
            if since
            else N_("{name} was winning from the start and never gave the win away.")
        )
        ahead = names[0] if final.win_probability == 1 else names[1]
        return [_(told, name=ahead, number=since)]

    def _costliest(self, turning: Ply | None) -> list[str]:
        """The decision that cost the most, in a game with a deck."""
        if turning is None:
            return [_("Every decision was the best one.")] if self.exact else []
        return [
            _(
                "The costliest decision was move {number}: it cut {name}'s chance to win from {was}"
                " to {became}.",
                number=turning.number,
                name=self.names[turning.seat - 1],
                was=percent(turning.before.win_probability),
                became=percent(turning.after.win_probability),
            )
        ]

    def _lasting(self, seat: int) -> Ply | None:
        """The first move with which a seat did not hold out as long as it could in a lost game."""
        return next((ply for ply in self.plies if ply.seat == seat and ply.sooner), None)

    def counts(self) -> list[str]:
        """Accuracy, and luck apart from skill."""
        if not self.plies:
            return []
        found = [self.accuracy(seat) for seat in (1, 2)]
        chosen = list(zip(self.names, found, strict=True))
        shares = [f"{name} {one.text}" for name, one in chosen if one.choices]
        slower = any(ply.slower for ply in self.plies)
        counted = [
            _("Accuracy: {shares}.", shares=", ".join(shares)) if shares else "",
            *(
                _("{name} had no choice that mattered.", name=name)
                for name, one in chosen
                if not one.choices
            ),
            risk(total(found)),
            _("A slower win gives nothing away.") if slower else "",
        ]
        return [
            " ".join(filter(None, counted)), *self._points_given(), *self._hopeless(),
            *self._luck_told(),
        ]  # fmt: skip

    def _points_given(self) -> list[str]:
        """How many points the choices of each player gave away, where points are counted."""
        if not self._counted or not self.exact or self._next_time():
            return []
        given = [
            plural("{name} gave away {n:,} point", "{name} gave away {n:,} points", n, name=name)
            for name, n in zip(self.names, map(self._points, (1, 2)), strict=True)
            if n
        ]
        return [f"{both(given)}." if given else _("Nobody gave away a point.")]

    def _points(self, seat: int) -> int:
        return round(sum(ply.loss for ply in self.plies if ply.seat == seat and ply.judged))

    def _longer(self) -> list[str]:
        """That somebody could have held out longer, and with which move."""
        told = []
        for seat in (1, 2):
            found = self._lasting(seat)
            if found is None or self.record.state.winner == seat:
                continue
            longer = (
                N_("You were losing anyway, but {move} at move {number} would have lasted longer.")
                if seat == self.reader
                else N_(
                    "{name} was losing anyway, but {move} at move {number} would have lasted"
                    " longer."
                )
            )
            move = subject(found.state, found.advice.option.move)
            told.append(_(longer, name=self.names[seat - 1], move=move, number=found.number))
        return told

    def _luck_told(self) -> list[str]:
        """What the cards did to a chance to win, and what the choices of both players did: added
        to the chance at the start, they make the result. What cost more is said first."""
        if not self._lucky:
            return []
        you = self.reader or 1
        cards = round(100 * (self.luck(you) - self.luck(3 - you)))
        forms = LUCK["you" if self.reader else "name"]
        if cards > 0:
            told = forms.added
        elif not cards:
            told = forms.nothing
        else:
            told = forms.cost_less if 100 * self.given(you) > -cards else forms.cost
        one, two = self.names[you - 1], self.names[2 - you]
        values = {
            "name": one,
            "opponent": two,
            "cards": percentage(abs(cards) / 100),
            "cost": percentage(self.given(you)),
            "gift": percentage(self.given(3 - you)),
        }
        clause = capital(_(told, **values))
        if not round(100 * self.given(3 - you)):
            return [f"{clause}."]
        return [_("{told}; {more}.", told=clause, more=_(forms.gift, **values))]

    def afterwards(self) -> list[str]:
        """What is said to the reader as soon as the game has ended: how much was luck, and, to one
        who lost, what to try next."""
        return [*self._luck_told(), *self._next_time()]

    def _next_time(self) -> list[str]:
        """One thing for a reader who lost to try in the next game; it names no move."""
        if not self.plies or self.record.state.winner != 3 - (self.reader or 0):
            return []
        own = [ply for ply in self.mistakes if ply.seat == self.reader]
        costly = [
            ply for ply in self.plies if ply.seat == self.reader and ply.judged and ply.costly
        ]
        if self._counted and costly and not (own and own[-1].resigned):
            worst = max(costly, key=lambda ply: ply.loss)
            given = plural(
                "Your choices gave away {n:,} point.",
                "Your choices gave away {n:,} points.",
                self._points(worst.seat),
            )
            return [f"{given} {worst.next_time()}"]
        if not own:
            return [self._instead()]
        worst = max(own, key=lambda ply: ply.loss) if self.record.game.has_deck else own[-1]
        return [worst.next_time()]

    def _instead(self) -> str:
        """What a reader who lost without a mistake can try."""
        if not self.exact or self.record.state.pie:
            return _("Next time: try a smaller board or an easier opponent.")
        if self.record.game.has_deck:
            return _("Next time: play the same way; the cards decided this game.")
        if self.record.states[0].first == self.reader:
            return _("Next time: let the other player begin; whoever comes second can win.")
        return _("Next time: begin; whoever begins can win.")

    def _hopeless(self) -> list[str]:
        """That the loser never had a win to give away."""
        winner = self.record.state.winner
        if winner is None or not self.exact or self.record.game.has_deck or self.mistakes:
            return []
        loser = 3 - winner
        made = [ply for ply in self.plies if ply.seat == loser and ply.judged]
        if not made or any(ply.costly for ply in made) or self._lasting(loser):
            return []
        name = self.names[loser - 1]
        return [_("{name} was losing from the start, whatever they did.", name=name)]


class Luck(NamedTuple):
    """What is said of the cards and of a player's own choices, by what the cards did."""

    added: str
    nothing: str
    cost: str
    cost_less: str
    """They cost less than the choices did."""
    gift: str
    """What the opponent's choices gave."""


LUCK = {
    "you": Luck(
        N_(
            "The cards were with you: they added {cards} to your chance to win; your own choices"
            " cost {cost}"
        ),
        N_("The cards favoured nobody; of your chance to win, your own choices cost {cost}"),
        N_(
            "The cards were against you: they cost {cards} of your chance to win, your own choices"
            " {cost}"
        ),
        N_("Your own choices cost {cost} of your chance to win, the cards {cards}"),
        N_("{opponent}'s choices gave you {gift}"),
    ),
    "name": Luck(
        N_(
            "The cards were with {name}: they added {cards} to {name}'s chance to win; {name}'s own"
            " choices cost {cost}"
        ),
        N_(
            "The cards favoured nobody; of {name}'s chance to win, {name}'s own choices cost {cost}"
        ),
        N_(
            "The cards were against {name}: they cost {cards} of {name}'s chance to win, {name}'s"
            " own choices {cost}"
        ),
        N_("{name}'s own choices cost {cost} of {name}'s chance to win, the cards {cards}"),
        N_("{opponent}'s choices gave {name} {gift}"),
    ),
}
"""To the reader, and about the first player."""


def report(record: Record, seat: int | None = None) -> Report:
    """Judge every move of a game, for the reader in a seat, or else for the only person who played.

    This goes backwards: once a position is too large for exact values, so are all before it, and
    they are estimated straight away.
    """
    states = [state.public for state in record.states]
    exact = True
    found: list[tuple[Option, ...]] = []
    for state in reversed(states[:-1]):
        options = analyse(state) if exact else _estimates(state)
        exact = exact and all(option.exact for option in options)
        found.append(options)
    found.reverse()
    return replace(_assemble(record, states, found), reader=seat or record.person)


def _assemble(record: Record, states: list[State], found: list[tuple[Option, ...]]) -> Report:
    """The report, from the legal moves of every position but the last."""
    start = record.game.start(first=states[0].first, pie=states[0].pie)
    values = [_flip(_value(start, found[0] if found else ()), start.to_move)]
    plies = []
    for number, (state, options) in enumerate(zip(states, found, strict=False), 1):
        ply = _judge(number, state, states[number], options, values[-1])
        if number < len(found):
            ply = _answered(ply, states[number + 1].moves[-1], found[number])
        plies.append(ply)
        values.append(_flip(ply.after, ply.seat))
    last, waiting = states[-1], 0.0
    if last.card is not None and last.winner is None:
        before_draw = _flip(values[-1], last.to_move)
        waiting = _value(last, ()).win_probability - before_draw.win_probability
    return Report(record, tuple(plies), tuple(values), waiting=waiting)


def _judge(
    number: int, state: State, after: State, options: tuple[Option, ...], known: Value
) -> Ply:
    """One move. `known` is Player 1's value before it, and before the draw if there is one."""
    move, seat = after.moves[-1], view(after).mover
    if seat != state.to_move:
        options = ()  # The other player gave up: these were not theirs to choose from.
    expected = _flip(known, seat)
    before = options[0].value if options else expected
    option = _option(options, move)
    ended = after.resigned or after.fault is not None
    if option is not None:
        value, loss = option.value, option.loss
    elif ended:
        value, loss = Value(0.0, plies=0), before.win_probability
    else:
        value = _flip(_flip(_value(after, ()), after.to_move), seat)
        loss = max(0.0, before.win_probability - value.win_probability)
    luck = before.win_probability - expected.win_probability if state.game.has_deck else 0.0
    ply = Ply(number, seat, move, state, options, before, value, loss, luck)
    if ended or state.game.has_deck or not ply.costly:
        return ply
    return replace(ply, line=best_line(after, LONGEST_LINE))


def _answered(ply: Ply, answer: Move, options: tuple[Option, ...]) -> Ply:
    """A move with the answer it got, which is the one to name if no other punishes it better."""
    option = _option(options, answer)
    line = (answer,) if len(ply.line) == 1 and option is not None and option.best else ply.line
    return replace(ply, answer=answer, line=line)


def _estimates(state: State) -> tuple[Option, ...]:
    """The moves of a position with quick estimates."""
    if not state.mask:
        return ()
    game = state.game
    values = MonteCarlo(game, seconds=ESTIMATE_SECONDS).values(state.position)
    return ranked([(game.moves(1 << code, state)[0], value) for code, value in values.items()])


def _value(state: State, options: tuple[Option, ...]) -> Value:
    """The value of a state for the player to move; of its best move, if its moves are known."""
    if options and not state.draws:
        return options[0].value
    try:
        return evaluate(state)
    except TooLarge:
        return Value(options[0].win_probability if options else 0.5, exact=False)


def _flip(value: Value, seat: int) -> Value:
    """A seat's value as one of Player 1, or Player 1's as one of the seat."""
    if seat == 1:
        return value
    margin = None if value.margin is None else -value.margin
    return Value(1 - value.win_probability, value.plies, margin, value.exact)


def _option(options: tuple[Option, ...], move: Move) -> Option | None:
    return next((option for option in options if option.move == move), None)
