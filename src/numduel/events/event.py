"""An event, as the fold of its log.

Everything that happens in an event is an entry of its log, as in a game. Only `Event.apply` changes
an event, whether the entry was just written here or by another process, or is read again. Entries
are numbered without gaps. So nothing is lost with a process, and of two that pair the same players
at the same time, only one can write its entry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from numduel.core.language import _, language
from numduel.core.text import HUMAN
from numduel.events.names import nickname_key
from numduel.events.settings import Settings
from numduel.play.accuracy import NONE_YET, Accuracy, total

COMPUTER = 0
"""The number of the computer, which plays an odd player. Members have 1, 2 and so on."""
TEAMS = (1, 2)
Phase = Literal["open", "running", "paused", "ended"]
End = Literal["played", "forfeit", "time", "cancelled"]
"""``forfeit`` means that a player went away or was taken out, ``time`` that their clock ran out."""
KINDS = (
    "create", "join", "return", "code", "rename", "remove", "lock", "start", "pair", "result",
    "judge", "forfeit", "cancel", "pause", "resume", "extend", "end", "broadcast", "away", "back",
    "door", "ask", "decline", "restore", "help", "nudge", "timeout",
    "show", "places",
)  # fmt: skip
"""The kinds of entries. The first is always ``create``; ``return`` is from another browser,
``code`` a new personal code, and ``judge`` says what the moves of a game were worth. ``ask`` is
from somebody who waits at the door, ``restore`` takes a removal back, and ``help`` is a player who
asked the server for help with a game of the event. ``nudge`` is the host's reminder to somebody who
does not move, ``timeout`` ends a game by the clock, ``show`` puts a position on the wall, and
``places`` says how many places of the table everybody sees."""
AT_THE_DOOR = frozenset({"join", "return", "rename", "remove", "ask", "decline", "restore", "help"})
"""The kinds after which the host's view of the door has changed."""
Why = Literal["browser", "many", "approval"]
"""Why somebody has to wait at the door: their browser plays already, very many have just come from
their address, or the host lets everybody in by hand."""


class Entry(NamedTuple):
    """One entry of an event's log."""

    number: int
    kind: str
    """One of `KINDS`."""
    player: int
    """The player it is about; 0 is the event itself."""
    data: Mapping[str, Any]
    """Everything else, as JSON."""
    at: float


@dataclass
class Participant:
    """Somebody who takes part: a person, a program, or a level of the computer."""

    number: int
    nickname: str
    player: str
    """``human`` for a person or a program, else the level of the computer."""
    token: str | None
    """The hash of the token that proves who they are; empty if somebody else has their browser."""
    code: str | None
    """The hash of the personal code."""
    free_since: float
    """When they joined, came back, or ended their last pairing."""
    away_since: float | None = None
    absences: int = 0
    """How often they have gone away."""
    nudged: float | None = None
    """When the host last reminded them that it is their turn."""
    removed: bool = False
    team: int | None = None
    """1 or 2, where teams play."""
    helped: int = 0
    """How often the server was asked for help, counted once a minute."""
    helped_at: float | None = None
    """When that was last, by the clock of the event."""
    helped_on: float | None = None
    """The same by the calendar, in seconds since 1970."""

    @property
    def present(self) -> bool:
        """Whether they can be paired."""
        return self.away_since is None and not self.removed


class Asking(NamedTuple):
    """Somebody who waits until the host lets them in."""

    number: int
    """The number of the entry."""
    nickname: str
    token: str | None
    code: str | None
    why: Why
    at: float


class Result(NamedTuple):
    """How a game ended, by seats."""

    winner: int
    """The seat that won."""
    milliseconds: tuple[int, int]
    """How long each seat took."""
    moves: tuple[int, int]
    """How many moves each seat made in that time."""


SlipKind = Literal["broken", "mistake", "inaccuracy"]
"""``broken`` means a broken rule. The worst is first."""


class Slip(NamedTuple):
    """A move that gave something away."""

    seat: int
    ply: int
    kind: SlipKind
    idea: str
    """The name of the idea that it went against; empty if no idea explains it."""
    at: str | None = None
    """The moves before it, and the card, to be looked at again; None where nobody noted them."""
    told: str = ""
    """What it gave away, and what would have been better, without names, in English."""
    translations: Mapping[str, str] = {}
    """The same by the codes of other languages. They are kept because the game is not solved again
    when somebody reads them; all who share an event do not share a language."""

    @property
    def sentence(self) -> str:
        """What is told of it, in the language spoken if it is known in that."""
        return self.translations.get(language()) or _(self.told)


class Shown(NamedTuple):
    """A slip whose position is on the wall."""

    id: str
    """The id of the game."""
    ply: int
    answer: bool
    """Whether the better move is shown, too."""


class Judgement(NamedTuple):
    """What the moves of a game were worth."""

    kept: tuple[Accuracy, Accuracy]
    """How well each seat chose."""
    slips: tuple[Slip, ...]

    def json(self) -> dict[str, Any]:
        """The judgement as plain data."""
        return {"kept": [*map(list, self.kept)], "slips": [*map(list, self.slips)]}

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Judgement:
        """The judgement that `json` gave."""
        one, two = (Accuracy(*map(int, counts)) for counts in data["kept"])
        return cls((one, two), tuple(Slip(*slip) for slip in data["slips"]))


@dataclass
class Pairing:
    """Two players and the game that they play against each other."""

    number: int
    """The number of its entry."""
    id: str
    """The id of the game on the server."""
    players: tuple[int, int]
    """Who sits in seat 1, which begins, and in seat 2."""
    round: int
    """1, 2 and so on in a Swiss; 0 where there are no rounds."""
    game: str
    """The game, as written in the settings."""
    since: float
    """When they were paired."""
    end: End | None = None
    winner: int | None = None
    """The number of the winner; None until it ends, and if it was cancelled."""
    result: Result | None = None
    """Of a game that was played to its end."""
    judgement: Judgement | None = None

    @property
    def with_computer(self) -> bool:
        """Whether one of the two is the computer."""
        return COMPUTER in self.players

    def opponent(self, player: int) -> int:
        """The other one."""
        one, two = self.players
        return two if player == one else one

    def seat_of(self, player: int) -> int:
        """Where somebody sits."""
        return self.players.index(player) + 1


@dataclass
class Tally:
    """The sum of somebody's games."""

    wins: int = 0
    games: int = 0
    """Games won or lost."""
    with_computer: int = 0
    """How many of them were against the computer, as there was no other opponent."""
    forfeits: int = 0
    """How many of the wins were because the opponent went away or ran out of time."""
    forfeited: int = 0
    """How many games were lost in one of these ways."""
    accuracy: Accuracy = NONE_YET
    """How well they chose in the games that were judged."""
    milliseconds: int = 0
    moves: int = 0


class Event:
    """The state of an event."""

    def __init__(self, created: Entry) -> None:
        if (created.number, created.kind) != (1, "create"):
            raise ValueError("the first entry of an event creates it")
        self.number = 1
        """The number of the last entry."""
        self.created = self.changed = created.at
        """When the first and the last entry were written."""
        self.settings = Settings.parse(created.data["settings"])
        self.host: str = created.data["host"]
        """The hash of the secret of the host's link."""
        self.phase: Phase = "open"
        self.locked = False
        self.approval = False
        """Whether everybody has to wait for the host at the door."""
        self.own_names = self.settings.own_names
        self.asking: dict[int, Asking] = {}
        """Who waits at the door, by the numbers of their entries."""
        self.declined: Counter[str] = Counter()
        """How often each token was not let in."""
        self.door = 1
        """The number of the last entry that changed the host's view of the door."""
        self.message = ""
        """The host's last message to everyone."""
        self.message_at = 0.0
        """When it was sent."""
        self.top_only = False
        """Whether only the host is told the whole table, and everybody else its first places and
        their own."""
        self.shown: Shown | None = None
        """What is to be discussed on the wall."""
        self.participants: dict[int, Participant] = {}
        self.pairings: dict[int, Pairing] = {}
        """By the numbers of their entries, and so in order."""
        self.by_game: dict[str, Pairing] = {}
        """The same by the ids of their games."""
        self._pairings_of: dict[int, list[Pairing]] = {}
        """The pairings of each player."""
        self._open: dict[int, Pairing] = {}
        """The pairings that are being played."""
        self._playing: dict[int, Pairing] = {}
        """The same by their players."""
        self.tallies = {COMPUTER: Tally()}
        self.minutes = self.settings.minutes
        """How long an arena lasts, with the minutes that were added."""
        self._seconds = 60.0 * self.settings.minutes
        """How many were left when the clock was last started or stopped."""
        self._since: float | None = None
        """When the clock was started, while it runs."""
        self._paused_at = 0.0
        self._pauses: list[tuple[float, float]] = []
        """When each pause began and ended."""

    def apply(self, entry: Entry) -> None:
        """Apply the next entry of the log."""
        if entry.number != self.number + 1:
            raise ValueError(f"entry {entry.number} does not follow {self.number}")
        _APPLY[entry.kind](self, entry)
        if entry.kind in AT_THE_DOOR:
            self.door = entry.number
        self.number, self.changed = entry.number, entry.at

    # -- members ----------------------------------------------------------------------------

    @property
    def members(self) -> list[Participant]:
        """Everyone who takes part, away or not, in the order of joining."""
        return [one for one in self.participants.values() if not one.removed]

    @property
    def people(self) -> list[Participant]:
        """All members but the levels of the computer."""
        return [one for one in self.members if one.player == HUMAN]

    @property
    def free(self) -> list[Participant]:
        """Everyone who is present and not playing."""
        busy = {player for pairing in self.open_pairings for player in pairing.players}
        return [one for one in self.members if one.present and one.number not in busy]

    def named(self, nickname: str) -> Participant | None:
        """The member with a nickname, or with one that could be mistaken for it."""
        key = nickname_key(nickname)
        return next((one for one in self.members if nickname_key(one.nickname) == key), None)

    def is_free(self, nickname: str) -> bool:
        """Whether nobody has a nickname or waits with it, or with one that could be mistaken for
        it."""
        key = nickname_key(nickname)
        waits = any(nickname_key(one.nickname) == key for one in self.asking.values())
        return not waits and self.named(nickname) is None

    def asked_with(self, token: str) -> Asking | None:
        """Who waits at the door with a token."""
        return next((one for one in self.asking.values() if one.token == token), None)

    def with_token(self, token: str | None) -> Participant | None:
        """The member whose browser has a token."""
        return next((one for one in self.members if token and one.token == token), None)

    # -- pairings ---------------------------------------------------------------------------

    @property
    def open_pairings(self) -> list[Pairing]:
        """The pairings that are being played."""
        return list(self._open.values())

    def pairing_of(self, player: int) -> Pairing | None:
        """The pairing that somebody is playing."""
        return self._playing.get(player)

    def pairings_of(self, player: int) -> list[Pairing]:
        """All pairings of somebody, in order."""
        return list(self._pairings_of.get(player, ()))

    def slip(self, game_id: str, ply: int) -> Slip | None:
        """A slip in a game that can be looked at: its position is known."""
        pairing = self.by_game.get(game_id)
        if pairing is None or pairing.judgement is None:
            return None
        slips = pairing.judgement.slips
        return next((slip for slip in slips if slip.ply == ply and slip.at is not None), None)

    def wins(self, player: int) -> int:
        """How many games somebody has won."""
        return self.tallies[player].wins

    def balance(self, player: int) -> int:
        """How many more games somebody has begun than their opponents, of those played to the
        end."""
        played = [one for one in self.pairings_of(player) if one.end == "played"]
        return sum(1 if one.seat_of(player) == 1 else -1 for one in played)

    @property
    def round(self) -> int:
        """The current round of a Swiss; 0 before the first, and in other formats."""
        return max((one.round for one in self.pairings.values()), default=0)

    # -- the clock --------------------------------------------------------------------------

    def remaining(self, now: float) -> float:
        """How many seconds of an arena are left."""
        gone = 0.0 if self._since is None else max(0.0, now - self._since)
        return max(0.0, self._seconds - gone)

    def playing_time(self, start: float, end: float) -> float:
        """The seconds between two moments, without those of pauses."""
        lasting = [(self._paused_at, end)] if self.phase == "paused" else []
        pauses = [*self._pauses, *lasting]
        paused = sum(max(0.0, min(end, to) - max(start, since)) for since, to in pauses)
        return max(0.0, end - start - paused)

    def time_is_up(self, now: float) -> bool:
        """Whether the time of an arena is up, so that nobody is paired any more."""
        return self.settings.format == "arena" and self.remaining(now) == 0

    # -- entries, kind by kind --------------------------------------------------------------

    def _join(self, entry: Entry) -> None:
        data, self.tallies[entry.player] = entry.data, Tally()
        self.asking.pop(data.get("asked", 0), None)
        self._hand_over(data.get("token"))
        self.participants[entry.player] = Participant(
            entry.player, data["nickname"], data.get("player", HUMAN), data.get("token"),
            data.get("code"), entry.at, team=self._smaller_team,
        )  # fmt: skip

    @property
    def _smaller_team(self) -> int | None:
        """The team that somebody comes into who joins now."""
        teams = [one.team for one in self.members]
        return min(TEAMS, key=teams.count) if self.settings.teams else None

    def _return(self, entry: Entry) -> None:
        self._hand_over(entry.data["token"])
        self.participants[entry.player].token = entry.data["token"]
        self._back(entry)

    def _hand_over(self, token: str | None) -> None:
        """A browser is somebody else's from now on."""
        if before := self.with_token(token):
            before.token = ""

    def _code(self, entry: Entry) -> None:
        self.participants[entry.player].code = entry.data["code"]

    def _rename(self, entry: Entry) -> None:
        self.participants[entry.player].nickname = entry.data["nickname"]

    def _remove(self, entry: Entry) -> None:
        one = self.participants[entry.player]
        one.removed = True
        if one.token and (waiting := self.asked_with(one.token)):
            del self.asking[waiting.number]
        self._forfeit(entry)

    def _restore(self, entry: Entry) -> None:
        one = self.participants[entry.player]
        one.removed, one.free_since = False, entry.at

    def _ask(self, entry: Entry) -> None:
        data = entry.data
        self.asking[entry.number] = Asking(
            entry.number, data["nickname"], data.get("token"), data.get("code"), data["why"],
            entry.at,
        )  # fmt: skip

    def _decline(self, entry: Entry) -> None:
        one = self.asking.pop(entry.data["asked"])
        if one.token is not None:
            self.declined[one.token] += 1

    def _help(self, entry: Entry) -> None:
        one = self.participants[entry.player]
        one.helped, one.helped_at = one.helped + 1, entry.at
        # Older logs have no calendar; their clock began with it.
        one.helped_on = entry.data.get("calendar", entry.at)

    def _door(self, entry: Entry) -> None:
        self.approval = entry.data.get("approval", self.approval)
        self.own_names = entry.data.get("own_names", self.own_names)

    def _lock(self, entry: Entry) -> None:
        self.locked = entry.data["locked"]

    def _start(self, entry: Entry) -> None:
        self.phase, self._since = "running", entry.at
        for one in self.participants.values():
            one.free_since = entry.at

    def _pause(self, entry: Entry) -> None:
        self._seconds, self._since = self.remaining(entry.at), None
        self.phase, self._paused_at = "paused", entry.at

    def _resume(self, entry: Entry) -> None:
        """Go on; being away and waiting count from now on."""
        self._pauses.append((self._paused_at, entry.at))
        self._start(entry)
        for one in self.participants.values():
            if one.away_since is not None:
                one.away_since = entry.at

    def _extend(self, entry: Entry) -> None:
        """Give an arena more time, counted from now if it had none left."""
        self.minutes += entry.data["minutes"]
        self._seconds = self.remaining(entry.at) + 60.0 * entry.data["minutes"]
        if self._since is not None:
            self._since = entry.at

    def _end(self, entry: Entry) -> None:
        self._pause(entry)
        self.phase = "ended"
        for pairing in self.open_pairings:
            self._close(pairing, "cancelled", None, entry.at)

    def _broadcast(self, entry: Entry) -> None:
        self.message, self.message_at = entry.data["text"], entry.at

    def _show(self, entry: Entry) -> None:
        self.shown = Shown(**entry.data) if entry.data else None

    def _places(self, entry: Entry) -> None:
        self.top_only = entry.data["top_only"]

    def _away(self, entry: Entry) -> None:
        one = self.participants[entry.player]
        one.away_since, one.absences = entry.at, one.absences + 1

    def _back(self, entry: Entry) -> None:
        one = self.participants[entry.player]
        if one.away_since is not None:
            one.away_since, one.free_since = None, entry.at

    def _nudge(self, entry: Entry) -> None:
        self.participants[entry.player].nudged = entry.at

    def _pair(self, entry: Entry) -> None:
        one, two = entry.data["players"]
        if not {one, two} <= self.tallies.keys():
            raise ValueError("only members and the computer are paired")
        data = entry.data
        pairing = Pairing(
            entry.number, data["id"], (one, two), data["round"], data["game"], entry.at
        )
        self.pairings[entry.number] = self._open[entry.number] = pairing
        self.by_game[pairing.id] = pairing
        for player in (one, two):
            self._pairings_of.setdefault(player, []).append(pairing)
            if player != COMPUTER:
                self._playing[player] = pairing

    def _result(self, entry: Entry) -> None:
        pairing = self.by_game[entry.data["id"]]
        one, two = entry.data["milliseconds"]
        first, second = entry.data["moves"]
        pairing.result = Result(entry.data["winner"], (one, two), (first, second))
        for player, time, moves in zip(
            pairing.players, pairing.result.milliseconds, pairing.result.moves, strict=True
        ):
            self.tallies[player].milliseconds += time
            self.tallies[player].moves += moves
        self._close(pairing, "played", pairing.players[pairing.result.winner - 1], entry.at)

    def _timeout(self, entry: Entry) -> None:
        pairing = self.by_game[entry.data["id"]]
        self._close(pairing, "time", pairing.opponent(entry.player), entry.at)

    def _judge(self, entry: Entry) -> None:
        pairing = self.by_game[entry.data["id"]]
        pairing.judgement = Judgement.parse(entry.data)
        if any(slip.seat not in (1, 2) for slip in pairing.judgement.slips):
            raise ValueError("a slip is of one of the two seats")
        for player, found in zip(pairing.players, pairing.judgement.kept, strict=True):
            tally = self.tallies[player]
            tally.accuracy = total((tally.accuracy, found))

    def _forfeit(self, entry: Entry) -> None:
        pairing = self.pairing_of(entry.player)
        if pairing is not None:
            self._close(pairing, "forfeit", pairing.opponent(entry.player), entry.at)

    def _cancel(self, entry: Entry) -> None:
        self._close(self.pairings[entry.data["pairing"]], "cancelled", None, entry.at)

    def _close(self, pairing: Pairing, end: End, winner: int | None, at: float) -> None:
        """End a pairing, and let its players wait for another one."""
        pairing.end, pairing.winner = end, winner
        if winner is not None:
            for player in pairing.players:
                self.tallies[player].games += 1
                self.tallies[player].with_computer += pairing.with_computer
            self.tallies[winner].wins += 1
            if end != "played":
                self.tallies[winner].forfeits += 1
                self.tallies[pairing.opponent(winner)].forfeited += 1
        self._open.pop(pairing.number, None)
        for player in pairing.players:
            if player != COMPUTER:
                self._playing.pop(player, None)
                self.participants[player].free_since = at


_APPLY: dict[str, Callable[[Event, Entry], None]] = {
    kind: getattr(Event, f"_{kind}") for kind in KINDS if kind != "create"
}


def fold(log: Iterable[Entry]) -> Event:
    """The event described by a log."""
    created, *following = log
    event = Event(created)
    for entry in following:
        event.apply(entry)
    return event
