"""A game being played: its history, its hidden deck, and who sits where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from numduel.core.errors import BadRecord, IllegalMove
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import DEFAULT_NAMES, HUMAN
from numduel.core.view import View, view
from numduel.record import Record


class Match:
    """One game on a table. It alone holds the deck: everybody else sees public states."""

    def __init__(self, states: list[State], record: Record) -> None:
        self._states = states
        self._record = record
        self._seen = record.seen

    @property
    def state(self) -> State:
        """Where the game stands; the deck is not in it."""
        return self._states[-1].public

    @property
    def record(self) -> Record:
        """The game so far, as anybody may see it: without what tells the cards to come."""
        whole = self._whole()
        return replace(whole, seed=None, deck=None) if self.state.game.has_deck else whole

    def write(self, to: Callable[[Record], None]) -> None:
        """Have the game written down with everything that resuming it needs."""
        to(self._whole())

    def _whole(self) -> Record:
        states = tuple(state.public for state in self._states)
        return replace(self._record, states=states, seen=self._seen)

    @property
    def view(self) -> View:
        """The board as the players see it, with their names."""
        return view(self.state, self._record.names)

    def play(self, move: Move) -> None:
        """Make a move, or take the consequence that the rulebook names for a broken rule.

        Raises `IllegalMove` if the player must choose again; nothing has changed then.
        """
        state = self._states[-1]
        try:
            self._push(state.play(move))
        except IllegalMove:
            after = state.attempt(move, forgiving=self._record.forgiving)
            if after is state:
                raise
            self._push(after)

    def follow(self, token: str) -> None:
        """Do again what a token of the notation says was done."""
        if token == "resign":
            self.resign()
        else:
            self.play(token.removesuffix("!"))

    def resign(self) -> None:
        """The player to move gives up."""
        self._push(self._states[-1].resign())

    def undo(self, seat: int | None = None) -> int:
        """Go back to the last decision that a person, or the one in a seat, made, and say how
        many moves that undid.

        A drawn card stays drawn: the cards that were seen come again, in the same order.
        """
        target = self._decision(seat)
        if target is None:
            return 0
        undone = len(self._states) - 1 - target
        before, after = (self._drawn(self._states[index]) for index in (target, -1))
        self._seen = after[len(before) :] + self._seen
        del self._states[target + 1 :]
        return undone

    def decided(self, seat: int) -> bool:
        """Whether the person in a seat made a decision that could be taken back."""
        return self._decision(seat) is not None

    def _decision(self, seat: int | None) -> int | None:
        """Where the last decision was made by a person, or by the one in a seat."""
        for index in reversed(range(len(self._states) - 1)):
            state = self._states[index]
            if self._decided_by_person(state) and seat in (None, state.to_move):
                return index
        return None

    def _decided_by_person(self, state: State) -> bool:
        return self._record.players[state.to_move - 1] == HUMAN and not state.forced_pass

    def _push(self, state: State) -> None:
        fresh = len(self._drawn(state)) - len(self._drawn(self._states[-1]))
        self._seen = self._seen[fresh:]
        self._states.append(state)

    @staticmethod
    def _drawn(state: State) -> tuple[int, ...]:
        return state.game.drawn(state)


def begin(
    game: Game,
    *,
    first: int = 1,
    players: tuple[str, str] = (HUMAN, HUMAN),
    names: tuple[str, str] = DEFAULT_NAMES,
    forgiving: bool = False,
    pie: bool = False,
    seed: int | None = None,
    deck: tuple[int, ...] | None = None,
) -> Match:
    """A new game. A deck that nobody asked for in particular is shuffled for good."""
    top = () if game.has_deck and seed is None and deck is None else deck
    start = game.start(first=first, seed=seed, deck=top, pie=pie)
    record = Record((start.public,), players, names, forgiving, pie, seed, deck)
    return Match([start], record)


def resume(record: Record) -> Match:
    """The match that a record left off.

    What nobody has seen of a deck without a seed is shuffled again: no player can tell.
    """
    game, last = record.game, record.state
    deck = record.deck
    if game.has_deck and record.seed is None:
        known = game.drawn(last) + record.seen
        deck = max(deck or (), known, key=len)
    first = record.states[0].first
    state = game.start(first=first, seed=record.seed, deck=deck, pie=record.pie)
    states = [state]
    try:
        for token in last.moves:
            state = state.follow(str(token), forgiving=record.forgiving)
            states.append(state)
    except IllegalMove:
        raise BadRecord("Its cards are not those of its deck.") from None
    if state.card != last.card and last.card is not None:
        raise BadRecord("Its cards are not those of its deck.")
    return Match(states, record)
