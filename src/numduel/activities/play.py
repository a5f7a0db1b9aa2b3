"""A sitting: one game after another between the same two players, who begin in turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, Self

from numduel.activities.base import Activity, Choice, Scene, Sentence, Work
from numduel.core.errors import IllegalMove, NotAMove
from numduel.core.language import N_, _, plural
from numduel.core.state import State
from numduel.core.text import HUMAN, MAX_DIGITS
from numduel.core.view import View, view
from numduel.play.match import Match
from numduel.play.players import ESTIMATES, estimates, player, seat_names
from numduel.play.record import NO_HELP, parse
from numduel.play.score import Score, between

NO_SCORE = Score()
HINT = Choice("hint", N_("Hint"), "h", N_("What to look at; ask again for a move"))
UNDO = Choice("undo", N_("Undo"), "u", N_("Take back the last move"))
RESIGN = Choice("resign", N_("Resign"), "g", N_("Give up: the other player wins"))
REMATCH = Choice("rematch", N_("Rematch"), "n", N_("Another game; the other player begins"))
AGAIN = Choice("again", N_("Again"), "", N_("Another game; the same player begins"))
FORCED_PAUSE = 1.5
"""Seconds in which a card that fits nowhere is shown before it is discarded by itself."""
GIVE_UP = N_("Do you want to give up this game?"), N_("Play on"), N_("Resign")
"""The question before `RESIGN`, which cannot be undone, and its two answers."""


@dataclass(frozen=True, kw_only=True)
class Sitting(Activity):
    """Two players play a game; with the score of their games before it."""

    CHOICES: ClassVar = (HINT, UNDO, RESIGN, REMATCH, AGAIN)

    match: Match
    """The game; it is copied before it changes."""
    seed: int | None = None
    """Makes the computer's moves reproducible."""
    score: Score = NO_SCORE
    """Of the games before this one."""
    number: int = 1
    """Which game of the sitting it is."""
    careful: bool = False
    """Whether a move that loses by breaking a rule must be made twice."""
    warned: str = ""
    """A move that would break a rule, made once in this position."""
    hinted: bool = False
    """Whether there was a hint in this position: the next one names a move."""
    flawless: bool = False
    """Whether the game is over and known to have no mistake to try again."""
    estimated: bool = False
    """Whether it was said that the computer plays by estimates."""
    by_itself: bool = False
    """Whether a card that fits nowhere is discarded after a moment, without asking."""

    # -- how it stands ----------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, str]:
        """What the players are called; a computer without a name of its own by its level."""
        return seat_names(self.match.record.players, self.match.record.names)

    @property
    def view(self) -> View:
        """The board as the players see it."""
        return view(self.match.state, self.names)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.match.state.outcome is not None

    @property
    def strict(self) -> bool:
        """Whether a broken rule loses the game."""
        return self.match.state.game.strict and not self.match.record.forgiving

    @property
    def thinking(self) -> bool:
        """Whether the computer is to move."""
        return not self.over and self._mover != HUMAN

    @property
    def total(self) -> Score:
        """The score with this game."""
        return self.score.add(self.match.state.winner)

    @property
    def standing(self) -> list[str]:
        """The score of several games, with this one."""
        return [self.total.told(self.names)] if self.score.games else []

    @property
    def _forced(self) -> str:
        """What is done with the card by itself, if that is wanted and there is no choice; not while
        a hint is read."""
        move = self.match.state.forced_card
        wanted = self.by_itself and self._mover == HUMAN and not self.over
        reading = self.hinted or self.work is not None
        return str(move) if wanted and not reading and move is not None else ""

    @property
    def _mover(self) -> str:
        return self.match.record.players[self.match.state.to_move - 1]

    @property
    def _at(self) -> str:
        return replace(self.match.record, names=self.names, help=NO_HELP).text()

    # -- acting -----------------------------------------------------------------------------

    def act(self, action: str, given: str = "") -> Self:
        """Begin or go on; make a move, have a hint, take moves back or give up; `values` says that
        the values of moves are shown. Then play another, which the other player begins (`rematch`)
        or the same one (`again`)."""
        if action == "begin":
            for kind in self.match.record.players:
                player(kind)  # raises an error for one that nobody knows
            return self._reach(self.match.copy())
        if action == "leave":
            return replace(self, work=None, said=())
        if action == "undo":
            return self._undo()
        if action in ("rematch", "again") and self.over:
            return self._rematch(exchanged=action == "rematch")
        if self.over:
            return self
        if action == "move":
            return self._move(given)
        if action == "forced":
            return self._move(self._forced) if self._forced else self
        if action == "resign":
            match = self.match.copy()
            match.resign(match.record.person)
            return self._reach(match)
        if action == "values":
            return self._with_help("values")
        if action == "hint" and self.work is None:
            return self._wait("give_hint", self._at, told=_("Thinking"))
        return self

    def fed(self, result: Any) -> Self:
        """A hint, the computer's move, or what the game that has ended teaches."""
        waited, done = self.work, replace(self, work=None, said=())
        if waited is None:
            return self
        if waited.task == "look_back":
            told = tuple(Sentence("why", line) for line in result["lines"])
            return replace(done, said=told, flawless=result["flawless"])
        if waited.task == "give_hint":
            lines = hint_told(result["nudge"], result["lines"], again=self.hinted)
            hints = tuple(Sentence("hint", line) for line in lines)
            return replace(done, hinted=True, said=hints)._with_help("hint")
        match, news = self.match.copy(), result["estimates"] and not self.estimated
        match.play(result["move"])
        said = [Sentence("note", f"({ESTIMATES})")] if news else []
        return replace(done, estimated=self.estimated or news)._reach(match, *said)

    def _reach(self, match: Match, *said: Sentence) -> Self:
        """Show another position: forced passes are made, and a computer begins to think. A game of
        one person that has ended is looked back at."""
        while match.state.forced_pass:
            match.play("pass")
        fresh = replace(self, warned="", hinted=False, flawless=False)
        reached = replace(fresh, match=match, said=said, work=None)
        if reached.over and match.record.person is not None:
            return replace(reached, work=Work("look_back", (reached._at,), ""))
        if not reached.thinking:
            return reached
        seat = match.state.to_move
        seed = None if self.seed is None else self.seed + seat
        task = (reached._at, reached._mover, seed)
        return replace(reached, work=Work("choose_move", task, reached.view.name(seat)))

    def _move(self, move: str) -> Self:
        if self.thinking:
            return self._fail(_("It is {name}'s turn.", name=self.view.player))
        if self.careful:
            state, warned = self.match.state, self.warned == move
            if why := objection(state, move, loses=self.strict, warned=warned):
                return replace(self, warned=move)._fail(why)
        match = self.match.copy()
        try:
            match.play(move)
        except IllegalMove as refused:
            return self._fail(str(refused))
        return self._reach(match)

    def _with_help(self, word: str) -> Self:
        """The game remembers that a player had help."""
        if word in self.match.help:
            return self
        match = self.match.copy()
        match.note_help(word)
        return replace(self, match=match)

    def _undo(self) -> Self:
        match = self.match.copy()
        undone = match.undo()
        if not undone:
            return self._fail(_("There is no move of yours to take back."))
        told = plural("The last move is taken back.", "The last {n} moves are taken back.", undone)
        said = [Sentence("move", told)]
        if match.reshuffles:
            said.append(Sentence("why", _("The undrawn cards are shuffled again.")))
        return self._reach(match, *said)

    def _rematch(self, *, exchanged: bool) -> Self:
        """Another game. The score goes on only if the players begin in turn."""
        seed = None if self.seed is None else Random(self.seed).randrange(10**MAX_DIGITS)
        score, number = self.total if exchanged else NO_SCORE, self.number + 1
        another = replace(self, seed=seed, score=score, number=number, estimated=False)
        return another._reach(self.match.rematch(seed, exchanged=exchanged))

    def _fail(self, why: str) -> Self:
        return replace(self, said=(Sentence("error", why),))

    # -- showing ----------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The game, what happened in it last, and what can be done."""
        game, seen, person = self.match.state.game, self.view, self.match.record.person
        return Scene(
            " · ".join([game.display_name, *game.changes, *self._kind]),
            goal=verdict(seen, person) if self.over else game.goal(seen, person),
            at=self._at,
            moves=not self.over,
            said=self._told(seen),
            choices=tuple(
                choice
                for choice in ((REMATCH, AGAIN, UNDO) if self.over else (HINT, UNDO, RESIGN))
                if choice is not UNDO or self.match.can_undo
            ),
            link=str(self.number),
            then="forced" if self._forced else "",
            pause=FORCED_PAUSE if self._forced else 0.0,
        )

    @property
    def _kind(self) -> Iterator[str]:
        """The score; of a game that is over, with it."""
        if self.score.games:
            one, two = won = self.total
            person = self.match.record.person
            mine, theirs = (two, one) if person == 2 else (one, two)
            both = between(self.names, won)
            yield _("you {mine} : {theirs}", mine=mine, theirs=theirs) if person else both

    def _told(self, seen: View) -> tuple[Sentence, ...]:
        """A hint alone; otherwise the last move, and whose turn it is or how the game ended."""
        if any(sentence.kind == "hint" for sentence in self.said):
            return self.said
        if self.over:
            reasons = self.match.state.game.closing(seen, self.match.record.person)[
                :-1
            ]  # who has won is the goal
            ending = [*reasons, *self.standing]
            return (Sentence("note", "\n".join(ending)), *self.said)
        mine = seen.to_move == self.match.record.person
        turn = _("{name} is thinking…", name=seen.player) if self.thinking else seen.status
        turn = _("Your turn.") if mine else turn
        undone = any(sentence.kind == "move" for sentence in self.said)
        moved = [] if undone else news(self.match.state, self.names)
        return (*self.said, *(Sentence("move", line) for line in moved), Sentence("note", turn))


def news(state: State, names: tuple[str, str]) -> list[str]:
    """The last move and who made it, if there is one."""
    seen = view(state, names)
    made = state.game.worded_moves(state)[-1:]
    return [f"{seen.name(seen.mover)} {state.game.does(move)}." for move in made]


def verdict(seen: View, person: int | None) -> str:
    """Who has won a finished game, told to the only person who played it, or else to both."""
    if person is None:
        return seen.status
    return _("You won!") if seen.winner == person else _("You lost this one.")


def hint_told(nudge: str, lines: list[str], *, again: bool) -> list[str]:
    """What is said to a player who asks for a hint, or asks again."""
    return lines if again else [" ".join([nudge, _("(Another hint names a move.)")])]


def objection(state: State, move: str, *, loses: bool, warned: bool) -> str:
    """Why a move is not made; empty if it is. A move that `loses` by breaking a rule is made once
    the player was `warned`."""
    try:
        state.play(move)
    except IllegalMove as refused:
        if isinstance(refused, NotAMove) or not loses:
            return not_made(move, refused)
        if not warned:
            careful = _("Breaking a rule loses the game: play it again if you mean it.")
            return f"{refused} {careful}"
    return ""


def not_made(move: str, why: IllegalMove) -> str:
    """Why a move cannot be made, with what was typed, which is no longer to be seen."""
    if move and isinstance(why, NotAMove):
        return " ".join([_("{move} is not a move.", move=move), str(why)])
    return str(why)


# -- what is computed -----------------------------------------------------------------------


def choose_move(at: str, kind: str, seed: int | None) -> dict[str, Any]:
    """The move of a computer, and whether it was found by estimates."""
    chooser = player(kind, seed)
    assert chooser is not None  # noqa: S101
    move = chooser.choose(parse(at).state)
    return {"move": str(move), "estimates": estimates(chooser)}


def give_hint(at: str) -> dict[str, Any]:
    """What to look at, and a move and why."""
    from numduel.learn.coach import hint

    record = parse(at)
    found = hint(record.state, record.names)
    return {"nudge": found.nudge, "lines": list(found.lines)}


def look_back(at: str) -> dict[str, Any]:
    """How much of a game was luck, what to try next after a loss, and whether there is no mistake
    to try again."""
    from numduel.activities.mistakes import to_try
    from numduel.learn.coach import report

    found = report(parse(at))
    return {"lines": found.afterwards(), "flawless": not to_try(found)}


TASKS = (choose_move, give_hint, look_back)
