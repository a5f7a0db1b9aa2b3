"""A whole game judged: what every decision was worth, and where the game was won and lost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from numduel.coach.chart import Chart, chart
from numduel.coach.hints import (
    LONGEST_LINE,
    best_line,
    best_moves,
    legend,
    percent,
    value_text,
)
from numduel.core.state import Move, State
from numduel.record import Record
from numduel.solver import Option, TooLarge, Value, analyse, evaluate
from numduel.solver.mcts import MonteCarlo
from numduel.solver.values import options as ranked

ROUNDING = 1e-12
"""A loss below this is none: chances are sums of many fractions."""
ESTIMATE_SECONDS = 0.05
"""Time for one estimate; a report of a large board needs one for every move."""


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
    def mistake(self) -> bool:
        """Whether it was a decision that lost value."""
        chance_lost = self.before.win_probability - self.after.win_probability
        return self.decision and max(self.loss, chance_lost) > ROUNDING

    @property
    def turn(self) -> bool:
        """Whether it turned a won game into a lost one."""
        return (
            self.mistake
            and self.before.win_probability == 1
            and self.after.win_probability == 0
            and not self.state.game.has_deck
        )

    def keeps(self, option: Option) -> bool:
        """Whether another move would have kept the value."""
        chance_lost = self.before.win_probability - option.win_probability
        return max(option.loss, chance_lost) <= ROUNDING

    @property
    def better(self) -> str:
        """The best moves and what they are worth."""
        moves = [str(option.move) for option in self.options if option.best]
        if not moves:
            return "to wait for the card"
        return best_moves(moves, value_text(self.state.game, self.options[0]))

    def sentence(self, names: tuple[str, str]) -> str:
        """A mistake in one line: the move, what punishes it, and what was better."""
        move, option = str(self.move), self.option
        if option is not None:
            made = f"{move} ({value_text(self.state.game, option)})"
        elif move == "resign":
            made = "resigned"
        else:
            made = f"{move.removesuffix('!')} broke a rule"
        punished = f", punished by {' '.join(map(str, self.line))}" if self.line else ""
        name = names[self.seat - 1]
        return f"Move {self.number}, {name}: {made}{punished}; better: {self.better}."

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
            "best": [str(option.move) for option in self.options if option.best],
            "line": [str(move) for move in self.line],
        }


@dataclass(frozen=True)
class Report:
    """What every decision of a game was worth."""

    record: Record
    plies: tuple[Ply, ...]
    values: tuple[Value, ...]
    """Player 1's value at the start and after every move."""
    waiting: float = 0.0
    """In an unfinished game, what the card that is not yet played gave the player who drew it."""

    @property
    def exact(self) -> bool:
        """Whether no value is an estimate."""
        return all(value.exact for value in self.values)

    @property
    def mistakes(self) -> tuple[Ply, ...]:
        """The decisions that lost value."""
        return tuple(ply for ply in self.plies if ply.mistake)

    @property
    def turning(self) -> Ply | None:
        """The last decision that turned the result; in a game with a deck, the costliest one."""
        if self.record.game.has_deck:
            return max(self.mistakes, key=lambda ply: ply.loss, default=None)
        return next((ply for ply in reversed(self.plies) if ply.turn), None)

    def accuracy(self, seat: int) -> float | None:
        """The share of a seat's decisions that kept the value; None if it had none."""
        kept, made = self.kept(seat)
        return kept / made if made else None

    def kept(self, seat: int) -> tuple[int, int]:
        """How many decisions of a seat kept the value, and how many it made."""
        made = [ply for ply in self.plies if ply.seat == seat and ply.decision]
        return sum(not ply.mistake for ply in made), len(made)

    def luck(self, seat: int) -> float:
        """The chance to win that a seat's own cards gave it."""
        waiting = self.waiting if self.record.state.to_move == seat else 0.0
        return sum(ply.luck for ply in self.plies if ply.seat == seat) + waiting

    def given(self, seat: int) -> float:
        """What a seat's decisions gave away: chance, or points in a counted game."""
        return sum(ply.loss for ply in self.plies if ply.seat == seat)

    @cached_property
    def chart(self) -> Chart:
        """How the game went for Player 1."""
        return chart(self.values, self.record.names[0], self._sentences())

    def svg(self) -> str:
        """The chart as an SVG file, with the report as its description."""
        return self.chart.svg(" ".join(self.lines()))

    def lines(self) -> list[str]:
        """The report in a few lines."""
        names, moves = self.record.names, len(self.plies)
        made = "1 move" if moves == 1 else f"{moves} moves"
        winner = self.record.state.winner
        end = f" {names[winner - 1]} won." if winner else ""
        head = f"{self.record.game.title}: {names[0]} against {names[1]}, {made}.{end}"
        if not self.plies:
            return [head]
        mistakes = list(self._sentences().values())
        meaning = [self._legend()] if mistakes else []
        return [head, *self._estimated(), *self._story(), *mistakes, *meaning, *self._counts()]

    def json(self) -> dict[str, object]:
        """The report as plain data, with the record."""
        turning = self.turning
        return {
            **self.record.json(),
            "exact": self.exact,
            "values": [value.win_probability for value in self.values],
            "accuracy": [self.accuracy(1), self.accuracy(2)],
            "luck": [self.luck(1), self.luck(2)] if self._lucky else None,
            "given_away": [self.given(1), self.given(2)],
            "turning": turning and turning.number,
            "plies": [ply.json() for ply in self.plies],
        }

    def page_data(self) -> dict[str, object]:
        """The report as the page in the browser draws it: the lines, the chart and every move."""
        game, turning, sentences = self.record.game, self.turning, self._sentences()
        return {
            "title": self.chart.title,
            "lines": self.lines(),
            "labels": list(self.chart.labels),
            "levels": list(self.chart.levels),
            "names": list(self.record.names),
            "exact": self.exact,
            "turning": turning and turning.number,
            "accuracy": [self.accuracy(1), self.accuracy(2)],
            "plies": [
                {
                    **ply.json(),
                    "label": game.spoken(ply.move),
                    "better": ply.better if ply.mistake else "",
                    "told": sentences.get(ply.number, ""),
                }
                for ply in self.plies
            ],
        }

    @property
    def _lucky(self) -> bool:
        """Whether luck can be told apart from skill."""
        return self.record.game.has_deck and self.exact

    def _sentences(self) -> dict[int, str]:
        """A sentence for every mistake, by the number of the move."""
        return {ply.number: ply.sentence(self.record.names) for ply in self.mistakes}

    def _legend(self) -> str:
        return legend(self.record.game, [option for ply in self.mistakes for option in ply.options])

    def _estimated(self) -> list[str]:
        """Which moves could not be judged."""
        guessed = [ply for ply in self.plies if not (ply.before.exact and ply.after.exact)]
        if not guessed:
            return []
        return [
            f"The board is too large to be exact at first: the values up to move"
            f" {guessed[-1].number} are estimates, and those moves are not judged."
        ]

    def _story(self) -> list[str]:
        """Where the game was won and lost."""
        names, turning, winner = self.record.names, self.turning, self.record.state.winner
        if self.record.game.has_deck:
            if turning is None:
                return ["No decision gave anything away."] if self.exact else []
            name, cost = names[turning.seat - 1], percent(turning.loss)
            return [f"The costliest decision was move {turning.number}: {name} gave away {cost}."]
        if turning is not None:
            name, rival = names[turning.seat - 1], names[2 - turning.seat]
            if winner:
                return [
                    f"Decided at move {turning.number}: {name} could have won, and {rival} did."
                ]
            return [f"Turned last at move {turning.number}: {name} could have won."]
        last = self.values[-1]
        since = next((at for at, value in enumerate(self.values) if value.exact), len(self.plies))
        if since == len(self.plies):
            return []
        ahead = names[0] if last.win_probability == 1 else names[1]
        when = f"after move {since}" if since else "at the start"
        return [f"{ahead} had a won game {when} and never let go of it."]

    def _counts(self) -> list[str]:
        """Accuracy, and luck apart from skill."""
        names = self.record.names
        shares = []
        for seat in (1, 2):
            kept, made = self.kept(seat)
            share = f"{100 * kept / made:.0f} % ({kept} of {made})" if made else "no decisions"
            shares.append(f"{names[seat - 1]} {share}")
        lines = [f"Decisions that kept the value: {', '.join(shares)}."]
        if self._lucky:
            gave, lost = ([f(1), f(2)] for f in (self.luck, self.given))
            lines += [
                f"The cards gave {names[0]} {100 * gave[0]:+.1f} %"
                f" and {names[1]} {100 * gave[1]:+.1f} %.",
                f"Decisions gave away {percent(lost[0])} ({names[0]})"
                f" and {percent(lost[1])} ({names[1]}).",
            ]
        return lines


def report(record: Record) -> Report:
    """Judge every move of a game.

    This goes backwards: once a position is too large for exact values, so are all before it, and
    they are estimated without trying.
    """
    states = [state.public for state in record.states]
    exact = True
    found: list[tuple[Option, ...]] = []
    for state in reversed(states[:-1]):
        options = analyse(state) if exact else _estimates(state)
        exact = exact and all(option.exact for option in options)
        found.append(options)
    found.reverse()
    return _assemble(record, states, found)


def _assemble(record: Record, states: list[State], found: list[tuple[Option, ...]]) -> Report:
    """The report, from the legal moves of every position but the last."""
    start = record.game.start(first=states[0].first, pie=states[0].pie)
    values = [_flip(_value(start, found[0] if found else ()), start.to_move)]
    plies = []
    for number, (state, options) in enumerate(zip(states, found, strict=False), 1):
        ply = _judge(number, state, states[number], options, values[-1])
        plies.append(ply)
        values.append(_flip(ply.after, ply.seat))
    last, waiting = states[-1], 0.0
    if last.card is not None and last.winner is None:
        before_draw = _flip(values[-1], last.to_move)
        waiting = _value(last, ()).win_probability - before_draw.win_probability
    return Report(record, tuple(plies), tuple(values), waiting)


def _judge(
    number: int, state: State, after: State, options: tuple[Option, ...], known: Value
) -> Ply:
    """One move. `known` is Player 1's value before it, and before the draw if there is one."""
    move, seat = after.moves[-1], state.to_move
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
    if ended or state.game.has_deck or not ply.mistake:
        return ply
    return replace(ply, line=best_line(after, LONGEST_LINE))


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
