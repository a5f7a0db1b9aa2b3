"""A whole game judged: what every decision was worth, and where the game was won and lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from numduel.core.language import N_, _, plural
from numduel.core.state import State
from numduel.core.text import both, capital, name_told, percentage
from numduel.learn.coach.chart import Chart, chart
from numduel.learn.coach.plies import Ply, answered, flip, judge, value_of
from numduel.learn.coach.words import percent
from numduel.learn.ideas import subject
from numduel.play.accuracy import Accuracy, risk, total
from numduel.play.record import Record
from numduel.solver import Option, Value, analyse
from numduel.solver.mcts import MonteCarlo
from numduel.solver.values import options as ranked

ESTIMATE_SECONDS = 0.05
"""Time for one estimate; a report of a large board needs one for every move."""


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
        mistakes = frozenset(ply.number for ply in made if ply.mistake)
        values = [flip(value, seat) for value in self.values[: len(made) + 1]]
        return chart(values, self.names[seat - 1], seat, mistakes)

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
        if not self.exact:
            return _("Next time: try a smaller board or an easier opponent.")
        if self.record.game.has_deck:
            return _("Next time: play the same way; the cards decided this game.")
        if self.record.states[0].first == self.reader:
            return _("Next time: let the other player begin; whoever comes second can win.")
        return _("Next time: make the first move; whoever begins can win.")

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
    start = record.game.start(first=states[0].first)
    values = [flip(value_of(start, found[0] if found else ()), start.to_move)]
    plies = []
    for number, (state, options) in enumerate(zip(states, found, strict=False), 1):
        ply = judge(number, state, states[number], options, values[-1])
        if number < len(found):
            ply = answered(ply, states[number + 1].moves[-1], found[number])
        plies.append(ply)
        values.append(flip(ply.after, ply.seat))
    last, waiting = states[-1], 0.0
    if last.card is not None and last.winner is None:
        before_draw = flip(values[-1], last.to_move)
        waiting = value_of(last, ()).win_probability - before_draw.win_probability
    return Report(record, tuple(plies), tuple(values), waiting=waiting)


def _estimates(state: State) -> tuple[Option, ...]:
    """The moves of a position with quick estimates."""
    if not state.mask:
        return ()
    game = state.game
    values = MonteCarlo(game, seconds=ESTIMATE_SECONDS).values(state.position)
    return ranked([(game.moves(1 << code, state)[0], value) for code, value in values.items()])
