"""What a move is worth in words, and what became of a whole game: hints and reports.

Everything here follows from the solver's values. Nothing is printed and nothing is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import DEFAULT_NAMES, listed, printable
from numduel.core.view import view
from numduel.record import Record
from numduel.solver import Option, TooLarge, Value, analyse, evaluate
from numduel.solver.mcts import MonteCarlo
from numduel.solver.values import options as judged

SLIGHT = 1e-12
"""Less than this is no loss: chances are sums of many numbers."""
SHOWN = 6
"""The longest continuation that is shown to its end."""
BEGINNING = 3
"""How much of a longer one is shown."""
QUICK = 0.05
"""Seconds for each estimate in a report, where a game has many."""
WIDTH = 72
"""Columns of a table or chart."""


# -- one move -------------------------------------------------------------------------------


def signed(option: Option) -> str:
    """What a move is worth as one number: the sign is the result, and the size how long it takes
    or by how many points; where luck decides or nobody knows, a chance."""
    if not option.exact:
        return f"~{percent(option.win_probability)}"
    if option.win_probability not in (0, 1):
        return percent(option.win_probability)
    size = option.plies if option.margin is None else abs(option.margin)
    return ("+" if option.win_probability else "-") + ("" if size is None else str(size))


def legend(game: Game, options: Sequence[Option]) -> str:
    """What the numbers of `signed` mean, in one sentence."""
    if not all(option.exact for option in options):
        return "~ is an estimate of the chance to win: the board is too large to be exact."
    if game.has_deck:
        return "The chance to win if both play their best from here."
    if game.rules.margin is not None:
        return "Points ahead (+) or behind (-) at the end if both play their best."
    if any(option.plies is None for option in options):
        return "+ wins and - loses if both play their best."
    return "+5 wins and -4 loses, in so many moves, if both play their best."


def hint(state: State, names: tuple[str, str] = DEFAULT_NAMES) -> list[str]:
    """The best moves of a position, and why the first of them is one."""
    game, options = state.game, analyse(state)
    moves = [game.spoken(option.move) for option in options if option.best]
    return [f"Best: {_best(moves, _worth(game, options[0]))}.", why(state, options[0], names)]


def table(state: State) -> list[str]:
    """Every legal move and what it is worth, best first, and what the numbers mean."""
    game, options = state.game, analyse(state)
    cells = [(game.spoken(option.move), _worth(game, option)) for option in options]
    left, right = (max(len(cell[side]) for cell in cells) for side in (0, 1))
    texts = [f"{move:>{left}} {worth:>{right}}" for move, worth in cells]
    across = max(1, WIDTH // (left + right + 4))
    rows = [texts[at : at + across] for at in range(0, len(texts), across)]
    return [*("  " + "   ".join(row) for row in rows), legend(game, options)]


def why(state: State, option: Option, names: tuple[str, str] = DEFAULT_NAMES) -> str:
    """Why a move is worth what it is, from the way the game goes on: the player to move is "you",
    the opponent "they"."""
    state, game = state.public, state.game
    said, verdict = game.spoken(option.move), "wins" if option.win_probability else "loses"
    after = state.play(option.move)
    if after.winner is not None:
        return f"{said} {verdict} at once: {_ending(after, state.to_move, names)}."
    if not option.exact:
        return f"{said} won about {percent(option.win_probability)} of the games tried out."
    if game.has_deck:
        return _compared(state, option)
    if option.margin is not None:
        points = "1 point" if abs(option.margin) == 1 else f"{abs(option.margin)} points"
        margin = f"by {points}" if option.margin else "with equal points"
        return f"{said} {verdict} {margin}{_beginning(option.move, after)}."
    if option.plies is None:
        if option.win_probability:
            return f"{said} wins: whatever they answer, you have a winning reply."
        return f"{said} loses: they answer {analyse(after)[0].move}, which wins."
    if option.plies - 1 > SHOWN:
        return f"{said} {verdict} in {option.plies} moves{_beginning(option.move, after)}."
    follow = _ahead(after, SHOWN)
    for move in follow:
        after = after.play(move)
    ending = _ending(after, state.to_move, names)
    joined = f" and {ending}" if ending.startswith(("you ", "they ")) else f". {ending}"
    if len(follow) == 1:
        joined = joined.replace(" and they have ", " and have ", 1)
        return f"{said} {verdict}: they answer {follow[0]}{joined}."
    moves = ", ".join(map(str, follow))
    return f"{said} {verdict} in {option.plies} moves: with best play {moves} follow{joined}."


def percent(chance: float) -> str:
    """A chance as people read it; only certainty is 0 or 100."""
    if 0 < chance < 0.0005:
        return "<0.1 %"
    if 0.9995 <= chance < 1:
        return ">99.9 %"
    return f"{100 * chance:.1f} %"


def _worth(game: Game, option: Option) -> str:
    """The number of a move; where luck decides, always a chance."""
    return percent(option.win_probability) if game.has_deck and option.exact else signed(option)


def _best(moves: Sequence[str], worth: str) -> str:
    """``3, 4 or 5 (+5)``: the best moves and what they are worth."""
    some = [*moves[:BEGINNING]]
    if len(moves) > len(some):
        others = len(moves) - len(some)
        return f"{', '.join(some)} and {others} {'other' if others == 1 else 'others'} ({worth})"
    some[-2:] = [" or ".join(some[-2:])]
    return f"{', '.join(some)} ({worth})"


def _compared(state: State, option: Option) -> str:
    """What a move keeps where luck decides, beside what the best or the next best keeps."""
    game, options = state.game, analyse(state)
    said = f"{game.spoken(option.move)} keeps {percent(option.win_probability)}"
    if len(options) == 1:
        return f"{said}: it is the only move."
    others = [other for other in options if other.best != option.best]
    if not others:
        return f"{said}, and no move keeps more."
    other = others[0]
    return f"{said}; {game.spoken(other.move)} keeps {percent(other.win_probability)}."


def _beginning(move: Move, after: State) -> str:
    """How a long game goes on after a move."""
    moves = ", ".join(map(str, (move, *_ahead(after, BEGINNING))))
    return f" with best play, beginning {moves}"


def _ahead(state: State, most: int) -> tuple[Move, ...]:
    """How the game goes on if both play their first best move: so many moves, or to the end."""
    moves: list[Move] = []
    while state.mask and len(moves) < most:
        moves.append(analyse(state)[0].move)
        state = state.play(moves[-1])
    return tuple(moves)


def _ending(state: State, seat: int, names: tuple[str, str]) -> str:
    """How a finished game ended, said to the player in a seat; the full stop is left off."""
    game, winner = state.game, state.winner or 0
    row = game.winning(state)
    if row:
        return f"{_person(winner, seat)} have {listed(row)}"
    if game.rules.edges is not None:
        return f"{_person(3 - winner, seat)} have no number left"
    return " ".join(game.explain(view(state, names), winner)).removesuffix(".")


def _person(whose: int, seat: int) -> str:
    return "you" if whose == seat else "they"


# -- a whole game ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Ply:
    """One move of a game and what it did to its value. Values are those of who made it."""

    number: int
    seat: int
    move: Move
    """As it is noted: ``5``, ``7e``, a rule-breaking ``5!``, ``resign``."""
    state: State
    """The position before it, with the card drawn where there is one."""
    options: tuple[Option, ...]
    before: Value
    after: Value
    loss: float
    """What it gave away: points in a game that is counted, else chance; who resigns or breaks a
    rule gives away the whole chance."""
    luck: float = 0.0
    """What the card drawn before it gave, as chance."""
    line: tuple[Move, ...] = ()
    """How a loss of value is punished, where there is no luck."""

    @property
    def option(self) -> Option | None:
        """The move among the legal ones; None for a resignation or a broken rule."""
        return _chosen(self.options, self.move)

    @property
    def forced(self) -> bool:
        """Whether there was nothing to decide."""
        return len(self.options) == 1 and self.option is not None

    @property
    def decision(self) -> bool:
        """Whether it can be judged: it was not forced, and the values are exact."""
        return not self.forced and self.before.exact and self.after.exact

    @property
    def mistake(self) -> bool:
        """Whether it was a decision that lost value."""
        slip = self.before.win_probability - self.after.win_probability
        return self.decision and max(self.loss, slip) > SLIGHT

    @property
    def turn(self) -> bool:
        """Whether it made a lost game of a won one."""
        return (
            self.mistake
            and self.before.win_probability == 1
            and self.after.win_probability == 0
            and not self.state.game.has_deck
        )

    def keeps(self, option: Option) -> bool:
        """Whether another move would have kept the value."""
        slip = self.before.win_probability - option.win_probability
        return max(option.loss, slip) <= SLIGHT

    @property
    def better(self) -> str:
        """The best moves and what they are worth."""
        moves = [str(option.move) for option in self.options if option.best]
        if not moves:
            return "to wait for the card"
        return _best(moves, _worth(self.state.game, self.options[0]))

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
    """What became of a game: where it was won and lost, and what every decision was worth."""

    record: Record
    plies: tuple[Ply, ...]
    values: tuple[Value, ...]
    """Player 1's value at the start and after every move."""
    waiting: float = 0.0
    """In an unfinished game, what the card that waits to be played gave who drew it."""

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
        """The last decision that turned the result; where luck decides, the costliest one."""
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
        """What a seat's own cards gave it, as chance."""
        state = self.record.state
        waiting = self.waiting if state.to_move == seat else 0.0
        return sum(ply.luck for ply in self.plies if ply.seat == seat) + waiting

    def given(self, seat: int) -> float:
        """What a seat's decisions gave away: chance, or points in a game that is counted."""
        return sum(ply.loss for ply in self.plies if ply.seat == seat)

    def lines(self) -> list[str]:
        """The report in a few lines."""
        names, moves = self.record.names, len(self.plies)
        made = "1 move" if moves == 1 else f"{moves} moves"
        winner = self.record.state.winner
        end = f" {names[winner - 1]} won." if winner else ""
        head = f"{self.record.game.title}: {names[0]} against {names[1]}, {made}.{end}"
        if not self.plies:
            return [head]
        told = [_told(ply, names) for ply in self.mistakes]
        meaning = [self._legend()] if told else []
        return [head, *self._estimated(), *self._story(), *told, *meaning, *self._counts()]

    def chart(self) -> list[str]:
        """How the game went for Player 1, move by move, drawn with letters."""
        levels, labels = self._levels(), self._labels()
        step = max(1, -(-len(levels) // WIDTH))
        moves = list(range(0, len(levels), step))
        wide = max(map(len, labels))
        rows = 2 * len(labels) - 1
        lines = [self._title()]
        for row in range(rows):
            label = labels[row // 2] if row % 2 == 0 else ""
            marks = (
                "o" if round((1 - levels[move]) * (rows - 1)) == row else " " for move in moves
            )
            lines.append(f"{label:>{wide}} |{''.join(marks)}".rstrip())
        ticks = "".join(f"{move:<5}" for move in moves[::5])
        return [*lines, f"{'Move':>{wide}}  {ticks}".rstrip()]

    def svg(self) -> str:
        """The same chart as a picture that stands alone."""
        return _picture(self._title(), self.lines(), self._levels(), self._labels(), self._marks())

    def shown(self) -> dict[str, object]:
        """The report as plain data for those who draw it: words, the chart, and every move."""
        game, turning = self.record.game, self.turning
        told = {ply.number: _told(ply, self.record.names) for ply in self.mistakes}
        return {
            "title": self._title(),
            "lines": self.lines(),
            "labels": self._labels(),
            "levels": self._levels(),
            "names": list(self.record.names),
            "exact": self.exact,
            "turning": turning and turning.number,
            "accuracy": [self.accuracy(1), self.accuracy(2)],
            "plies": [
                {
                    **ply.json(),
                    "label": game.spoken(ply.move),
                    "better": ply.better if ply.mistake else "",
                    "told": told.get(ply.number, ""),
                }
                for ply in self.plies
            ],
        }

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

    # -- words ------------------------------------------------------------------------------

    @property
    def _lucky(self) -> bool:
        return self.record.game.has_deck and self.exact

    def _legend(self) -> str:
        return legend(self.record.game, [option for ply in self.mistakes for option in ply.options])

    def _estimated(self) -> list[str]:
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
            return [f"Decided at move {turning.number}: {name} could have won, and {rival} did."
                    if winner else
                    f"Turned last at move {turning.number}: {name} could have won."]  # fmt: skip
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
        said = []
        for seat in (1, 2):
            kept, made = self.kept(seat)
            share = f"{100 * kept / made:.0f} % ({kept} of {made})" if made else "no decisions"
            said.append(f"{names[seat - 1]} {share}")
        lines = [f"Decisions that kept the value: {', '.join(said)}."]
        if self._lucky:
            gave, lost = ([f(1), f(2)] for f in (self.luck, self.given))
            lines += [
                f"The cards gave {names[0]} {100 * gave[0]:+.1f} %"
                f" and {names[1]} {100 * gave[1]:+.1f} %.",
                f"Decisions gave away {percent(lost[0])} ({names[0]})"
                f" and {percent(lost[1])} ({names[1]}).",
            ]
        return lines

    def _title(self) -> str:
        what = "points ahead with best play" if self._counted else "chance to win"
        guessed = "" if self.exact else ", partly estimated"
        return f"{self.record.names[0]}: {what}{guessed}"

    # -- drawing ----------------------------------------------------------------------------

    @property
    def _counted(self) -> bool:
        return any(value.margin is not None for value in self.values)

    @property
    def _scale(self) -> int:
        return max(1, *(abs(value.margin or 0) for value in self.values))

    def _labels(self) -> list[str]:
        """What the top, the middle and the bottom of the chart stand for."""
        if self._counted:
            return [f"+{self._scale}", "0", f"-{self._scale}"]
        return ["100 %", "50 %", "0 %"]

    def _levels(self) -> list[float]:
        """How high each value stands, from 0 to 1."""
        return [
            value.win_probability if value.margin is None else (1 + value.margin / self._scale) / 2
            for value in self.values
        ]

    def _marks(self) -> dict[int, str]:
        """What is said about the points of the chart where value was lost."""
        return {ply.number: _told(ply, self.record.names) for ply in self.mistakes}


def report(record: Record) -> Report:
    """Judge every move of a game. From its end: where a board is too large for exact values, all
    earlier ones are, and need not be tried."""
    states = [state.public for state in record.states]
    exact = True
    found: list[tuple[Option, ...]] = []
    for state in reversed(states[:-1]):
        options = analyse(state) if exact else _estimated(state)
        exact = exact and all(option.exact for option in options)
        found.append(options)
    found.reverse()
    return _assembled(record, states, found)


def _assembled(record: Record, states: list[State], found: list[tuple[Option, ...]]) -> Report:
    """The report, from the legal moves of every position but the last."""
    start = record.game.start(first=states[0].first, pie=states[0].pie)
    values = [_of_first(_value(start, found[0] if found else ()), start.to_move)]
    plies = []
    for number, (state, options) in enumerate(zip(states, found, strict=False), 1):
        ply = _judged(number, state, states[number], options, values[-1])
        plies.append(ply)
        values.append(_of_first(ply.after, ply.seat))
    last, waiting = states[-1], 0.0
    if last.card is not None and last.winner is None:
        mine = _of_first(values[-1], last.to_move)
        waiting = _value(last, ()).win_probability - mine.win_probability
    return Report(record, tuple(plies), tuple(values), waiting)


def _judged(
    number: int, state: State, after: State, options: tuple[Option, ...], known: Value
) -> Ply:
    """One move: `known` is Player 1's value before it, and before the draw if there is one."""
    move, seat = after.moves[-1], state.to_move
    expected = _of_first(known, seat)
    before = options[0].value if options else expected
    option = _chosen(options, move)
    ended = after.resigned or after.fault is not None
    if option is not None:
        value, loss = option.value, option.loss
    elif ended:
        value, loss = Value(0.0, plies=0), before.win_probability
    else:
        value = _of_first(_of_first(_value(after, ()), after.to_move), seat)
        loss = max(0.0, before.win_probability - value.win_probability)
    luck = before.win_probability - expected.win_probability if state.game.has_deck else 0.0
    ply = Ply(number, seat, move, state, options, before, value, loss, luck)
    if ended or state.game.has_deck or not ply.mistake:
        return ply
    line = _ahead(after, SHOWN)
    return Ply(number, seat, move, state, options, before, value, loss, luck, line)


def _estimated(state: State) -> tuple[Option, ...]:
    """The moves of a position with quick guesses."""
    if not state.mask:
        return ()
    game = state.game
    values = MonteCarlo(game, seconds=QUICK).values(state.position)
    return judged([(game.moves(1 << code, state)[0], value) for code, value in values.items()])


def _value(state: State, options: tuple[Option, ...]) -> Value:
    """The value of a state for the player to move; of its moves, if they are known already."""
    if options and not state.draws:
        return options[0].value
    try:
        return evaluate(state)
    except TooLarge:
        return Value(options[0].win_probability if options else 0.5, exact=False)


def _of_first(value: Value, seat: int) -> Value:
    """A value of a seat as one of Player 1, and the other way round."""
    if seat == 1:
        return value
    margin = None if value.margin is None else -value.margin
    return Value(1 - value.win_probability, value.plies, margin, value.exact)


def _chosen(options: tuple[Option, ...], move: Move) -> Option | None:
    return next((option for option in options if option.move == move), None)


def _told(ply: Ply, names: tuple[str, str]) -> str:
    """A move that lost value, in one line."""
    move, option = str(ply.move), ply.option
    if option is not None:
        said = f"{move} ({_worth(ply.state.game, option)})"
    elif move == "resign":
        said = "resigned"
    else:
        said = f"{move.removesuffix('!')} broke a rule"
    punished = f", punished by {' '.join(map(str, ply.line))}" if ply.line else ""
    return f"Move {ply.number}, {names[ply.seat - 1]}: {said}{punished}; better: {ply.better}."


LEFT, RIGHT, TOP, BOTTOM = 52, 466, 34, 148
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1f2328}.ground{fill:#ffffff}"
    ".rule{stroke:#8c959f;stroke-width:1}"
    ".value{fill:none;stroke:#0b5fb0;stroke-width:2}.loss{fill:#b42318}"
    "@media (prefers-color-scheme:dark){text{fill:#e6edf3}.ground{fill:#0d1117}"
    ".rule{stroke:#6e7681}.value{stroke:#6cb6ff}.loss{fill:#ff8f85}}"
)


def _picture(
    title: str, lines: list[str], levels: list[float], labels: list[str], marks: dict[int, str]
) -> str:
    """A line chart as SVG: no script, nothing from elsewhere, readable by day and by night."""
    points = [
        (LEFT + (RIGHT - LEFT) * at / max(1, len(levels) - 1), BOTTOM - (BOTTOM - TOP) * level)
        for at, level in enumerate(levels)
    ]
    heights = [TOP + (BOTTOM - TOP) * place / 2 for place in range(3)]
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 180" role="img"'
        ' aria-labelledby="title desc">',
        f'<title id="title">{_safe(title)}</title>',
        f'<desc id="desc">{_safe(" ".join(lines))}</desc>',
        f"<style>{STYLE}</style>",
        '<rect class="ground" width="480" height="180"/>',
        f'<text x="12" y="20">{_safe(title)}</text>',
    ]
    for label, y in zip(labels, heights, strict=True):
        parts += [
            f'<line class="rule" x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}"/>',
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>',
        ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts.append(f'<polyline class="value" points="{path}"/>')
    for at, said in marks.items():
        x, y = points[at]
        parts.append(
            f'<circle class="loss" cx="{x:.1f}" cy="{y:.1f}" r="4">'
            f"<title>{_safe(said)}</title></circle>"
        )
    moves = len(levels) - 1
    parts += [
        f'<text x="{LEFT}" y="168" text-anchor="middle">0</text>',
        f'<text x="{RIGHT}" y="168" text-anchor="end">Move {moves}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _safe(text: str) -> str:
    return escape(printable(text, 2000))
