"""A game being played: its history, its hidden deck, and its players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random, SystemRandom

from numduel.core.errors import BadRecord, BadVariant, IllegalMove
from numduel.core.game import Game
from numduel.core.language import _
from numduel.core.state import RESIGNATIONS, Move, State
from numduel.core.text import DEFAULT_NAMES, HUMAN
from numduel.core.view import View, view
from numduel.play.record import Record

_SECRET_LUCK = SystemRandom()


class Match:
    """A game and its history. Only this holds the deck: everyone else sees public states."""

    def __init__(self, states: list[State], record: Record) -> None:
        self._states = states
        self._record = record
        self._last = states[-1]
        self._public = states[-1].public
        """The last state without the deck, which is asked for again and again."""

    def copy(self) -> Match:
        """The same game, to be played on without changing this one."""
        return Match(self._states.copy(), self._record)

    @property
    def state(self) -> State:
        """The current state, without the deck."""
        if self._last is not self._states[-1]:
            self._last = self._states[-1]
            self._public = self._last.public
        return self._public

    @property
    def record(self) -> Record:
        """The game so far, as anyone may see it: without the cards to come."""
        whole = self._whole()
        return replace(whole, seed=None, deck=None) if self.state.game.has_deck else whole

    def write(self, to: Callable[[Record], None]) -> None:
        """Pass on the full record, which is enough to resume the game."""
        to(self._whole())

    def _whole(self) -> Record:
        states = tuple(state.public for state in self._states)
        return replace(self._record, states=states)

    @property
    def view(self) -> View:
        """The board as the players see it, with their names."""
        return view(self.state, self._record.names)

    def play(self, move: Move) -> None:
        """Make a move, or apply the rulebook's penalty for a broken rule.

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
        """Replay one token of the notation."""
        if token in RESIGNATIONS:
            self.resign(RESIGNATIONS[token])
        else:
            self.play(token.removesuffix("!"))

    def resign(self, seat: int | None = None) -> None:
        """The player to move resigns, or the one in a seat."""
        self._push(self._states[-1].resign(seat))

    @property
    def help(self) -> frozenset[str]:
        """The help that the players had."""
        return self._record.help

    def note_help(self, word: str) -> None:
        """Remember that a player had help: one of `numduel.play.record.HELP`."""
        self._record = replace(self._record, help=self._record.help | {word})

    def undo(self, seat: int | None = None, luck: Random | None = _SECRET_LUCK) -> int:
        """Go back to the last decision of a person, or of the one in a seat; returns how many moves
        were undone.

        The card of that decision stays drawn. Cards seen after it go back into the deck, which is
        shuffled again, so that nobody knows the order; a deck that the players named, or chose by a
        seed, stays as it is. Without `luck` no deck is shuffled.
        """
        target = self._decision(seat)
        if target is None:
            return 0
        undone = len(self._states) - 1 - target
        del self._states[target + 1 :]
        self.note_help("undo")
        if self.reshuffles and luck is not None:
            named = len(self._record.deck or ())
            self._states[-1] = self._states[-1].reshuffled(named, luck)
        return undone

    @property
    def can_undo(self) -> bool:
        """Whether a person has made a decision that can be taken back."""
        return self._decision(None) is not None

    @property
    def reshuffles(self) -> bool:
        """Whether taking back a move shuffles cards: those not named or chosen by a seed."""
        state = self.state
        if not state.game.has_deck or self._record.seed is not None:
            return False
        return len(self._record.deck or ()) < len(state.game.drawn(state)) + state.cards_left

    def rematch(self, seed: int | None = None, *, exchanged: bool = True) -> Match:
        """Another game between the same players by the same rules. The other one begins; if not
        `exchanged`, the same one. Names and markers stay with the players, and so does a deck that
        they named."""
        record = self._record
        return begin(
            record.game,
            first=3 - record.states[0].first if exchanged else record.states[0].first,
            players=record.players,
            names=record.names,
            forgiving=record.forgiving,
            seed=seed,
            deck=record.deck,
        )

    def decided(self, seat: int | None) -> bool:
        """Whether a person, or the one in a seat, has a decision to take back."""
        return self._decision(seat) is not None

    def _decision(self, seat: int | None) -> int | None:
        for index in reversed(range(len(self._states) - 1)):
            state = self._states[index]
            if self._decided_by_person(state) and seat in (None, state.to_move):
                return index
        return None

    def _decided_by_person(self, state: State) -> bool:
        return self._record.players[state.to_move - 1] == HUMAN and not state.forced_pass

    def _push(self, state: State) -> None:
        self._states.append(state)


def begin(
    game: Game,
    *,
    first: int = 1,
    players: tuple[str, str] = (HUMAN, HUMAN),
    names: tuple[str, str] = DEFAULT_NAMES,
    forgiving: bool = False,
    seed: int | None = None,
    deck: tuple[int, ...] | None = None,
    order: tuple[int, ...] | None = None,
) -> Match:
    """A new game. Players may choose a deck by a seed, or name its top cards (`deck`); otherwise it
    is shuffled here, or the caller has done so in secret (`order`)."""
    top = () if game.has_deck and seed is None and deck is None else deck
    start = game.start(first=first, seed=seed, deck=order or top)
    record = Record((start.public,), players, names, forgiving, seed, deck)
    return Match([start], record)


def beginner(text: str, seed: int | None = None) -> int:
    """The seat that begins: 1, 2, or a random one, which a seed makes repeatable."""
    if text not in ("1", "2", "random"):
        raise BadVariant(_("--first must be 1, 2 or random, not {given!r}.", given=text[:40]))
    return Random(seed).choice((1, 2)) if text == "random" else int(text)


def resume(record: Record) -> Match:
    """The match that continues a record. Cards that nobody has seen, of a deck without a seed, are
    shuffled again: no player can tell."""
    game, last = record.game, record.state
    deck = record.deck
    if game.has_deck and record.seed is None:
        deck = max(deck or (), game.drawn(last), key=len)
    first = record.states[0].first
    state = game.start(first=first, seed=record.seed, deck=deck)
    states = [state]
    try:
        for token in last.moves:
            state = state.apply_token(str(token), forgiving=record.forgiving)
            states.append(state)
    except IllegalMove:
        raise BadRecord(_("Its cards do not match its deck.")) from None
    if state.card != last.card and last.card is not None:
        raise BadRecord(_("Its cards do not match its deck."))
    return Match(states, record)
