"""A whole game judged: what every decision was worth, and where the game was won and lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from numduel.core.state import RESIGNATIONS, Move, State
from numduel.core.text import both, counted, percentage
from numduel.core.view import view
from numduel.learn.coach.cause import Cause, cause, instead
from numduel.learn.coach.chart import Chart, chart
from numduel.learn.coach.explain import Advice, best_line, lost
from numduel.learn.coach.words import LONGEST_LINE, capital, in_moves, percent, uncapital
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
        article = "an" if self.inaccuracy else "a"
        other = f"{article} {self.slip} by {names[self.seat - 1]}"
        whose = f"your {self.slip}" if self.seat == reader else other
        if self.resigned:
            return f"{whose[0].upper()}{whose[1:]}: {self.made}."
        return f"Move {self.number}, {whose}: {self.made}."

    def sentence(self, names: tuple[str, str], reader: int | None = None) -> str:
        """A slip in words: whose it was, what it gave away, and which move would have been better.
        Why that move is better is told only to the player who made the slip, or if it is not known
        who reads: such a reason calls that player "you"."""
        rival = "you" if reader == 3 - self.seat else names[2 - self.seat]
        told = self.reason("It", rival, because=reader in (None, self.seat))
        return f"{self.headline(names, reader)} {told}"

    def reason(self, slip: str, rival: str, *, because: bool = True) -> str:
        """What a slip gave away to a rival, and what would have kept it: one sentence, which names
        two moves at most besides the slip."""
        gave = self._gave(rival)
        hopeless = self.broken and (self.before.win_probability == 0 or not self.before.exact)
        if hopeless or not self.options:
            return f"{slip} {gave}."
        best = self.instead
        why = self._because(best) if because and not self._at_once else ""
        named = self.state.game.has_deck and not self.broken
        if why and self.line and self.turn and self.after.margin is None:
            gave, named = "threw the win away", True  # the answer would be one move too many
        return f"{slip} {gave}; {self._kept(best, named=named)}{why}."

    def verdict(self, option: Option, rival: str) -> str:
        """What is said of a move that is tried in place of a mistake: what it would give away to a
        rival, or why it is better. No better move is named."""
        if self.better(option):
            return capital(f"{self._kept(option)}{self._because(option)}.")
        after, known = self.state.play(option.move), _flip(self.before, self.seat)
        tried = _judge(self.number, self.state, after, self.options, known)
        return capital(f"{tried.made} would {tried._gave(rival)}.")

    @property
    def made(self) -> str:
        """The move as the subject of a sentence."""
        if self.resigned:
            return "resigning"
        return subject(self.state, str(self.move).removesuffix("!"))

    def lesson(self) -> str:
        """What a mistake teaches, without naming a move: the idea that it goes against."""
        if self.resigned:
            return "play on; you could still win."
        if self.broken:
            return "look twice at the rules, or ask for forgiving ones."
        if self.cause is not None:
            return uncapital(self.cause.idea.instruction)
        return "before you move, look for their best answer."

    @property
    def _at_once(self) -> bool:
        """Whether the opponent could win with the next move."""
        return bool(self.line) and self.after.plies == 2

    def _gave(self, rival: str) -> str:
        """What was given away, after the name of the move; the words for a mistake also fit after
        "would"."""
        if self.broken:
            return "broke a rule and lost the game at once"
        if self.resigned and not self.state.game.has_deck:
            return "gave up a won game"
        if self.state.game.has_deck or not self.after.exact:
            was, became = (percent(value.win_probability) for value in (self.before, self.after))
            if self.resigned:
                return f"gave up a chance of {was} to win"
            return f"cut the chance to win from {was} to {became}"
        if self.mistake:
            return f"let {rival} win{self._how()}"
        if self.costly:
            return f"gave away {counted(int(self.loss), 'point')}"
        return f"was a slower win, {in_moves(self.after.plies)}"

    def _how(self) -> str:
        """How the opponent wins after a mistake."""
        if self._at_once:
            return f" at once with {self.line[0]}"
        if self.after.margin is not None:
            lost = abs(self.after.margin)
            return f" by {counted(lost, 'point')}" if lost else " the tie"
        return f", beginning with {self.line[0]}" if self.line else ""

    def _kept(self, option: Option, *, named: bool = False) -> str:
        """What another move would have done; whether what it would have kept was just named."""
        name, chance = subject(self.state, option.move), option.win_probability
        if self.broken and option.exact and not chance:
            return f"{name} would have kept the rules, in a game that was lost anyway"
        if option.margin is None and self.state.play(option.move).is_over:
            return f"{name} would have won at once"
        if self.state.game.has_deck or not option.exact:
            what = "it" if named else f"the chance to win at {percent(chance)}"
            return f"{name} would have kept {what}"
        if self.mistake and self.option is not None:
            return f"{name} would have kept {'it' if named else 'the win'}"
        if self.costly and self.option is not None:
            return f"{name} would have kept {'it' if self.loss == 1 else 'them'}"
        if option.margin is not None:
            by = f"by {counted(option.margin, 'point')}" if option.margin else "the tie"
            return f"{name} would have won {by}"
        long = "" if option.plies is None else f" {in_moves(option.plies)}"
        return f"{name} would have won{long}"

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

    @cached_property
    def chart(self) -> Chart:
        """How the game went for its reader, or else for Player 1."""
        made, seat = [ply for ply in self.plies if not ply.resigned], self.reader or 1
        told = {ply.number: self._sentences[ply.number] for ply in made if ply.mistake}
        values = [_flip(value, seat) for value in self.values[: len(made) + 1]]
        return chart(values, self.record.names[seat - 1], seat, told)

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
        names, made = self.record.names, counted(self.record.made, "move")
        winner = self.record.state.winner
        end = f" {names[winner - 1]} won." if winner else ""
        head = f"{self.record.game.display_name}: {names[0]} against {names[1]}, {made}.{end}"
        return [head, *self._estimated(), *self._story()] if self.plies else [head]

    def sentences(self, slips: Iterable[Ply]) -> list[str]:
        """A sentence for each of some slips."""
        return [self._sentences[ply.number] for ply in slips]

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
            return "None of your moves that could be judged was a mistake."
        if winner == you:
            return "You made no mistake."
        if self.record.game.has_deck:
            return "You made no mistake: the cards decided."
        won = f"{self.record.names[winner - 1]} was winning from the start."
        if self._counted:
            return f"Your choices gave no points away: {won}{self._resigned_from()}"
        return f"You {'gave no win away' if self._lasting(you) else 'made no mistake'}: {won}"

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
        return (
            f" With best play it would have been by {counted(-margin, 'point')}." if margin else ""
        )

    @cached_property
    def _sentences(self) -> dict[int, str]:
        """The sentence of every slip, by the number of the move."""
        return {ply.number: ply.sentence(self.record.names, self.reader) for ply in self.slips}

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
        last = self.plies[-1]
        if last.resigned and last.mistake and not self.record.game.has_deck:
            return [f"{names[last.seat - 1]} resigned a game that could still be won."]
        if self.record.game.has_deck:
            if turning is None:
                return ["Every decision was the best one."] if self.exact else []
            chances = turning.before.win_probability, turning.after.win_probability
            was, became = map(percent, chances)
            return [
                f"The costliest decision was move {turning.number}: it cut"
                f" {names[turning.seat - 1]}'s chance to win from {was} to {became}."
            ]
        if turning is not None:
            name, rival = names[turning.seat - 1], names[2 - turning.seat]
            if winner:
                return [
                    f"Move {turning.number} decided it: {name} could have won, but {rival} did."
                ]
            return [f"Move {turning.number} turned the game: {name} could have won."]
        final = self.values[-1]
        since = next((at for at, value in enumerate(self.values) if value.exact), len(self.plies))
        if since == len(self.plies):
            return []
        ahead = names[0] if final.win_probability == 1 else names[1]
        when = f"after move {since}" if since else "from the start"
        return [f"{ahead} was winning {when} and never gave the win away."]

    def _lasting(self, seat: int) -> str:
        """The first move with which a seat would have held out longer in a lost game, and when:
        ``2 at move 6``; empty if there is none."""
        found = next((ply for ply in self.plies if ply.seat == seat and ply.sooner), None)
        if found is None:
            return ""
        return f"{subject(found.state, found.advice.option.move)} at move {found.number}"

    def counts(self) -> list[str]:
        """Accuracy, and luck apart from skill."""
        if not self.plies:
            return []
        found = [self.accuracy(seat) for seat in (1, 2)]
        chosen = list(zip(self.record.names, found, strict=True))
        shares = [f"{name} {one.text}" for name, one in chosen if one.choices]
        slower = any(ply.slower for ply in self.plies)
        counted = [
            f"Accuracy: {', '.join(shares)}." if shares else "",
            *(f"{name} had {one.text}." for name, one in chosen if not one.choices),
            risk(total(found)),
            "A slower win gives nothing away." if slower else "",
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
            f"{name} gave away {counted(points, 'point')}"
            for name, points in zip(self.record.names, map(self._points, (1, 2)), strict=True)
            if points
        ]
        return [f"{both(given)}." if given else "Nobody gave away a point."]

    def _points(self, seat: int) -> int:
        return round(sum(ply.loss for ply in self.plies if ply.seat == seat and ply.judged))

    def _longer(self) -> list[str]:
        """That somebody could have held out longer, and with which move."""
        named = [f"{name} was" for name in self.record.names]
        whose = ["You were" if seat == self.reader else named[seat - 1] for seat in (1, 2)]
        return [
            f"{whose[seat - 1]} losing anyway, but {lasting} would have lasted longer."
            for seat in (1, 2)
            if self.record.state.winner != seat and (lasting := self._lasting(seat))
        ]

    def _luck_told(self) -> list[str]:
        """What the cards did to a chance to win, and what the choices of both players did: added
        to the chance at the start, they make the result. What cost more is said first."""
        if not self._lucky:
            return []
        you, names = self.reader or 1, self.record.names
        who, whose = ("you", "your") if self.reader else (names[0], f"{names[0]}'s")
        cards = round(100 * (self.luck(you) - self.luck(3 - you)))
        cost, gift = (percentage(self.given(seat)) for seat in (you, 3 - you))
        gave = f"; {names[2 - you]}'s choices gave {who} {gift}" if gift != "0 %" else ""
        own, chance = f"{whose} own choices", f"{whose} chance to win"
        if cards > 0:
            told = f"The cards were with {who}: they added {cards} % to {chance}; {own} cost {cost}"
        elif not cards:
            told = f"The cards favoured nobody; of {chance}, {own} cost {cost}"
        elif 100 * self.given(you) > -cards:
            told = f"{capital(own)} cost {cost} of {chance}, the cards {-cards} %"
        else:
            told = f"The cards were against {who}: they cost {-cards} % of {chance}, {own} {cost}"
        return [f"{told}{gave}."]

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
            given = counted(self._points(worst.seat), "point")
            return [f"Your choices gave away {given}. Next time: {worst.lesson()}"]
        if not own:
            return [f"Next time: {self._instead()}"]
        worst = max(own, key=lambda ply: ply.loss) if self.record.game.has_deck else own[-1]
        return [f"Next time: {worst.lesson()}"]

    def _instead(self) -> str:
        """What a reader who lost without a mistake can try."""
        if not self.exact or self.record.state.pie:
            return "try a smaller board or an easier opponent."
        if self.record.game.has_deck:
            return "play the same way; the cards decided this game."
        if self.record.states[0].first == self.reader:
            return "let the other player begin; whoever comes second can win."
        return "begin; whoever begins can win."

    def _hopeless(self) -> list[str]:
        """That the loser never had a win to give away."""
        winner = self.record.state.winner
        if winner is None or not self.exact or self.record.game.has_deck or self.mistakes:
            return []
        loser = 3 - winner
        made = [ply for ply in self.plies if ply.seat == loser and ply.judged]
        if not made or any(ply.costly for ply in made) or self._lasting(loser):
            return []
        name = self.record.names[loser - 1]
        return [f"{name} was losing from the start, whatever they did."]


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
