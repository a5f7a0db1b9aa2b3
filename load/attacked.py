"""How long others wait while somebody attacks the server: one attack after the other, each beside
a control in the same minute."""

import asyncio
import json
import random
from collections import Counter
from itertools import cycle, islice
from time import perf_counter
from typing import NamedTuple

from rich.box import SIMPLE
from rich.table import Table

from load.attacks import ATTACKS, Attack
from load.crowd import OVER, Crowd, Failure, Game
from load.drive import lost, paced
from load.processes import busy
from load.report import ATTACKED, spread
from load.servers import Attacker, NotThere, Server, guarded, running, sqlite
from load.wire import moves_of
from numduel import games
from numduel.terminal.progress import ProgressBar

FILES = 1_024
"""File descriptors of the server: as many as systems give by default."""
GAMES = 24
"""Games of the others."""
RATE = 50.0
"""Moves a second in all of them: people think."""
SECONDS = 3.0
"""How long each attack is measured, and what is before and after it."""
RUN_IN = 1.0
"""Seconds from the beginning of an attack until it is measured."""
RESPITE = 2.0
"""Seconds after an attack in which the server may recover."""
RUNS = 3
"""How often an attack is measured that missed the aim the first time: something else on the machine
may have kept the others waiting."""
COMPUTER_GAMES = ("line", "factors")
"""Games that the computer plays."""


class Elsewhere(Exception):
    """An attack did not come from where it should."""


class Hit(NamedTuple):
    """What an attack did to others; times are 99th percentiles in milliseconds."""

    name: str
    about: str
    control: float
    hit: float
    recovered: float
    a_second: float
    """Answers that the attacker got in a second."""
    busy: float
    """The share of a processor that the server took meanwhile, beyond that before."""
    done: dict[str, int]
    """What the attacker did."""
    errors: dict[str, int]
    """What others were refused, what was lost, and whether this was no attack at all."""
    runs: int = 1
    """How often it was measured; this is the run in the middle."""

    @property
    def ratio(self) -> float:
        """How many times as long others waited."""
        return self.hit / self.control

    @property
    def met(self) -> bool:
        """Whether that is bearable."""
        return self.ratio <= ATTACKED

    def as_json(self) -> dict[str, object]:
        """Everything, for programs."""
        return self._asdict() | {"ratio": self.ratio, "met": self.met}


class Soloists(Crowd):
    """Players who each play the computer: they wait for its answers."""

    async def _begin(self, kind: str, key: str = "") -> None:
        """Begin a game, with the key of an earlier one as a browser does."""
        new = json.dumps({"game": kind, "opponent": "perfect", "key": key or None}).encode()
        created = json.loads(await self._post("/api/v1/games", new, key, status=201))
        self.kept[created["id"]] = b""
        path, key = f"/api/v1/games/{created['id']}/live", created["token"]
        channel = await self._channel(path, key)
        game = Game(created["id"], (key, key), (channel, channel))
        self._all[game.id] = game
        self.live += 1
        self.ready.put_nowait(game)

    async def _move(self, game: Game, due: float) -> bool:
        told, mine = json.loads(game.channels[0].told)["game"], game.channels[0]
        move = self._chance.choice(told["legal"])["move"]
        body = json.dumps({"move": move, "after": told["number"]}).encode()
        sent = perf_counter()
        self.unsure.add(game.id)  # The computer goes on by itself.
        answer = await self._post(f"/api/v1/games/{game.id}/moves", body, game.tokens[0])
        self._keep(game.id, answer, move)
        while mine.number <= told["number"] or not _awaits(mine.told):
            await mine.expect(mine.number + 1)
        now = perf_counter()
        self.tally.from_due.append(now - due)
        self.tally.from_sent.append(now - sent)
        self.kept[game.id] = moves_of(mine.told)
        return OVER in mine.told

    async def _replace(self, game: Game) -> None:
        self.live -= 1
        game.channels[0].leave()
        kind = json.loads(game.channels[0].told)["game"]["name"]
        del self._all[game.id]
        async with self.counted("begin"):
            await self._begin(kind, game.tokens[0])


def _awaits(told: bytes) -> bool:
    """Whether it is the player's turn, who has the first seat, or the game is over."""
    return b'"to_move":1' in told or OVER in told


async def measure_attacks(names: list[str], bar: ProgressBar) -> tuple[list[Hit], dict[str, int]]:
    """Try attacks one after the other, and those that missed the aim again; also returns the errors
    in the servers' logs."""
    hits = {name: list[Hit]() for name in names}
    complaints = Counter[str]()
    for _ in range(RUNS):
        due = [name for name in names if not (hits[name] and hits[name][0].met)]
        if due:
            complaints += await _measure_each(due, hits, bar)
    return [_middle(found) for found in hits.values()], dict(complaints)


async def _measure_each(
    names: list[str], hits: dict[str, list[Hit]], bar: ProgressBar
) -> Counter[str]:
    """Try attacks on a new server; returns the errors in its log."""
    bar.begin("starting", 1)
    with sqlite() as database, running(guarded(database.address, FILES)) as server:
        for number, name in enumerate(names):
            try:
                hit = await measure_attack(server, number, ATTACKS[name], name, bar)
            except (NotThere, Failure, OSError) as failure:
                hit = _unmeasured(name, str(failure))
            hits[name].append(hit)
    return server.complaints


def _middle(hits: list[Hit]) -> Hit:
    """The run in the middle, with the errors of all."""
    middle = sorted(hits, key=lambda hit: hit.ratio)[len(hits) // 2]
    errors = sum((Counter(hit.errors) for hit in hits), Counter[str]())
    return middle._replace(runs=len(hits), errors=dict(errors))


async def measure_attack(
    server: Server, number: int, attack: Attack, name: str, bar: ProgressBar
) -> Hit:
    """Measure how long others wait before, during and after an attack."""
    first = attack.hits == "computer"
    bar.begin(name, round((3 + first) * RATE * SECONDS))
    address = f"127.0.0.{number + 2}"
    where = address if attack.inside else ""
    crowd: Crowd = CROWDS[attack.hits](server.port, random.Random(0), where)
    kinds = COMPUTER_GAMES if attack.hits == "computer" else [kind.name for kind in games()]
    await crowd.sit_down(list(islice(cycle(kinds), GAMES)), lambda: None)
    attacker = Attacker(server.port, address, name)
    try:
        await asyncio.to_thread(attacker.wait_until_prepared)
        if first:  # What the computer has solved once it remembers: the first answers take longer.
            await _waited(server, crowd, bar)
        control, usual = await _waited(server, crowd, bar)
        attacker.begin()
        began = perf_counter()
        await asyncio.sleep(RUN_IN)
        check_addresses(name, crowd.addresses, attacker.addresses)
        hit, much = await _waited(server, crowd, bar)
        taken = perf_counter() - began
    finally:
        await asyncio.to_thread(attacker.stop)
    await asyncio.sleep(RESPITE)
    recovered, _ = await _waited(server, crowd, bar)
    errors = crowd.tally.errors + Counter({"acknowledged moves lost": await lost(crowd, _nothing)})
    for channel in crowd.expect_the_end():
        channel.leave()
    crowd.http.close()
    if missed := attack.missed(attacker.done):
        errors[f"not the attack that it should be: {missed}"] += 1
    answers = attacker.done.get("answers", 0) / taken
    return Hit(
        name=name,
        about=attack.about,
        control=control,
        hit=hit,
        recovered=recovered,
        a_second=answers,
        busy=much - usual,
        done=attacker.done,
        errors=dict(errors),
    )


def check_addresses(name: str, others: set[str], attackers: set[str]) -> None:
    """Refuse to measure an attack from inside that comes from anywhere but the one address of all
    others, or another attack that comes from where one of them is."""
    inside = ATTACKS[name].inside
    if others != attackers or len(others) != 1 if inside else others & attackers:
        where = "the address of the others" if inside else "elsewhere"
        raise Elsewhere(
            f"{name} should come from {where}: they are at {', '.join(sorted(others))},"
            f" and it came from {', '.join(sorted(attackers)) or 'nowhere'}."
        )


def _unmeasured(name: str, why: str) -> Hit:
    nothing = float("nan")
    return Hit(name, ATTACKS[name].about, nothing, nothing, nothing, 0.0, 0.0, {}, {why: 1})


async def _waited(server: Server, crowd: Crowd, bar: ProgressBar) -> tuple[float, float]:
    """The 99th percentile of what moves take now, and the share of a processor that is taken."""
    serving, began = server.serving(), perf_counter()
    before = busy(serving)
    found = await paced(crowd, RATE, SECONDS, random.Random(1), bar.advance)
    return spread(found)[1], (busy(serving) - before) / (perf_counter() - began)


def _nothing() -> None:
    """Nobody waits for the games to be looked at."""


CROWDS = {"moves": Crowd, "computer": Soloists}
"""Who waits, by what for."""


def attacks_table(hits: list[Hit]) -> Table:
    """The attacks as people read them."""
    shown = Table(box=SIMPLE, padding=(0, 1, 0, 0))
    shown.caption = (
        "Milliseconds that 99 moves in 100 of somebody else take, at most: before, during, and"
        f" {RESPITE:g} seconds after the attack. Busy: the share of a processor that the server"
        " takes for it. The attacker takes only the processor time that the others leave: when the"
        " server is busy, it attacks less than one with a machine of its own would. What missed the"
        f" aim is measured {RUNS} times, and the run in the middle counts."
    )
    shown.add_column("attack", no_wrap=True)
    for heading in ("answers/s", "busy", "control p99", "hit p99", "ratio", "recovered"):
        shown.add_column(heading, justify="right")
    shown.add_column(f"aim ≤ {ATTACKED:g}")
    shown.add_column("runs", justify="right")
    shown.add_column("errors", justify="right")
    for hit in hits:
        shown.add_row(
            f"{hit.name}: {hit.about}",
            f"{hit.a_second:.0f}" if hit.a_second else "",
            f"{100 * hit.busy:.0f} %",
            f"{hit.control:.0f}",
            f"{hit.hit:.0f}",
            f"{hit.ratio:.2f}",
            f"{hit.recovered / hit.control:.2f}",
            "ok" if hit.met else "MISSED",
            str(hit.runs),
            str(sum(hit.errors.values()) or ""),
        )
    return shown
