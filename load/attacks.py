"""What one hostile client can do, each in a small function; `ATTACKS` names all of them.

An attack goes on until it is cancelled. What it needs beforehand, such as an event of its own, is
prepared before anything is measured.
"""

import asyncio
import json
import re
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta
from itertools import count, cycle, islice, permutations, repeat
from typing import Any, Literal, NamedTuple

from load.flood import PAUSE, Target, answered, count_answers
from load.wire import CLOSE, HELPERS, HOST
from numduel.events.names import new_code
from numduel.web.pages.routes import MAX_PAGES

LINES = (b"X-Filler: " + b"a" * 90 + b"\r\n") * 640
"""64 KiB of headers."""
EVENT = {"games": [{"game": "line"}], "minutes": 60, "legs": 1}
"""What an event of the attacker is like."""
LARGE = f"game=line&variant=n%3D120&moves={'+'.join(map(str, range(1, 60)))}"
"""A long game on the largest board, as an address has it."""
HALF = b"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Le"
FLOODS = 4
"""Connections on which headers are sent."""
UNFINISHED = 1_100
"""Requests that are never finished."""
IDLE = 600
"""Connections that are held without a word: more than one address may have."""
HOLD_PAUSE = 1.0
"""Seconds before a connection that was to be held and was closed is opened again."""
OWN_GAMES = 2_080
"""Games of the player whose list is asked for."""
LISTS = 60
"""Connections that ask for the list."""
PUZZLES = 150
"""Connections that ask for puzzles: more than may wait for a solver."""
CLASS = 60
"""Players of the event whose host asks for its page."""
UNREAD = 64
"""Channels that are opened at once and not read."""
RECEIVED = 2_048
"""Bytes that the system takes for a client that does not read."""
REAL = 0.1
"""The share of an attack's answers that must be as expected."""
MINTED = 40
"""Players of the attacker's own event: as many as may join from one address at once."""


class Attack(NamedTuple):
    """One way to attack."""

    about: str
    go_on: Callable[[Target], Awaitable[None]]
    prepare: Callable[[Target], Awaitable[None]] | None = None
    hits: Literal["moves", "computer"] = "moves"
    """What the others wait for: the moves of an opponent, or those of the computer."""
    inside: bool = False
    """Whether those others are all at the address that it comes from, as in a class."""
    expects: tuple[int, ...] = (200,)
    """The statuses that show that it does what it says; none if it gets no answers. Being refused
    for asking too much (429) shows nothing."""

    def missed(self, done: Mapping[str, int]) -> str:
        """Why what an attacker did was not this attack; empty if it was."""
        if not self.expects:
            return ""
        unrefused = done.get("answers", 0) - done.get(answered(429), 0)
        real = sum(done.get(answered(status), 0) for status in self.expects)
        if real and real >= REAL * unrefused:
            return ""
        wanted = " or ".join(map(str, self.expects))
        return f"only {real} of {unrefused} answers that were not 429 were {wanted}"


# -- floods of requests ---------------------------------------------------------------------


async def openapi(target: Target) -> None:
    """Ask for the description of the API."""
    await target.flood(repeat(target.request("/api/v1/openapi.json")))


async def hosts(target: Target) -> None:
    """Ask for pages of a server that has another address each time."""
    await target.flood(
        target.request(path, host=f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}")
        for number, path in enumerate(cycle(("/", "/rules/line", "/learn", "/teach")))
    )


async def qr_codes(target: Target) -> None:
    """Ask for long links as QR codes."""
    await target.flood(
        target.request("/api/v1/qr", {"link": f"https://example.org/{number:0>250}"})
        for number in count()
    )


async def static_files(target: Target) -> None:
    """Fetch the scripts of the start page."""
    await target.flood(map(target.request, cycle(await _scripts(target))))


async def _scripts(target: Target) -> list[str]:
    """The paths of the scripts of the start page."""
    _, page = await target.asked("/")
    return re.findall(r'"(/static/[^"]+\.js)"', page.decode())


async def style_sheets(target: Target) -> None:
    """Ask for all style sheets joined, in another order each time."""
    _, page = await target.asked("/")
    named = re.findall(r'"/static/[^"]+?/css/([^"]+)"', page.decode())
    orders = permutations(sorted({name for names in named for name in names.split("+")}))
    await target.flood(target.request(f"/static/css/{'+'.join(order)}") for order in orders)


async def pictures(target: Target) -> None:
    """Ask for pictures of positions on the largest board."""
    path = "/preview/position.png?game=line&variant=n%3D120&moves="
    await target.flood(target.request(f"{path}{1 + number % 120}") for number in count())


async def refused_posts(target: Target) -> None:
    """Send small requests that are refused."""
    await target.flood(repeat(target.request("/api/v1/games", {})))


async def unknown_events(target: Target) -> None:
    """Ask for the pages of events that do not exist."""
    await target.flood(target.request(f"/arena/{new_code()}") for _ in count())


async def event_codes(target: Target) -> None:
    """Guess the codes of events."""
    await target.flood(target.request(f"/api/v1/events/{new_code()}") for _ in count())


async def health(target: Target) -> None:
    """Ask how the server is."""
    await target.flood(repeat(target.request("/api/v1/health")))


async def daily_puzzles(target: Target) -> None:
    """Ask for the puzzles of earlier days."""
    days = (
        f"20{y}-{m:02}-{d:02}"
        for y in range(24, 10, -1)
        for m in range(1, 13)
        for d in range(1, 29)
    )
    await target.flood(target.request(f"/api/v1/puzzle?date={day}") for day in cycle(days))


async def hard_puzzles(target: Target) -> None:
    """Ask for puzzles that take long to make."""
    await target.flood(_hard_puzzles(target))


def _hard_puzzles(target: Target) -> Iterator[bytes]:
    return (target.request(f"/api/v1/puzzle?game=build&grade=5&seed={seed}") for seed in count())


async def many_puzzles(target: Target) -> None:
    """Ask for so many puzzles at once that not all may wait."""
    await target.flood(_hard_puzzles(target), PUZZLES, 1)


async def inside_flood(target: Target) -> None:
    """Ask for anything, without a key."""
    await target.flood(repeat(target.request("/api/v1/rules")))


async def new_events(target: Target) -> None:
    """Create events."""
    await target.flood(repeat(target.request("/api/v1/events", EVENT)))


async def invented_players(target: Target) -> None:
    """Ask for one's own event, with the key of one player after the other."""
    path = f"/api/v1/events/{target.prepared['code']}"
    await target.flood(target.request(path, key=key) for key in cycle(target.keys))


async def invent_players(target: Target) -> None:
    """Create an event, and join it as many players."""
    await begin_own_event(target)
    path = f"/api/v1/events/{target.prepared['code']}/join"
    for number in range(MINTED):
        _, told = await target.asked(path, {"nickname": f"Pupil {number}"})
        token = json.loads(told).get("token")
        if token:
            target.keys.append(token)


async def begin_own_event(target: Target) -> None:
    """Create an event."""
    new = json.loads((await target.asked("/api/v1/events", EVENT))[1])
    target.prepared.update(code=new["code"], host=new["host"])


async def reloads(target: Target) -> None:
    """Reload the pages of a game and of an event, with their scripts."""
    pages = f"/play/{target.prepared['game']}", f"/arena/{target.prepared['code']}"
    paths = cycle((*pages, *await _scripts(target)))
    await target.flood(map(target.request, paths))


async def begin_game_and_event(target: Target) -> None:
    """Begin a game and an event that can be looked at."""
    await begin_game(target)
    await begin_own_event(target)


async def game_pages(target: Target) -> None:
    """Ask for the page of a game."""
    await target.flood(repeat(target.request(f"/play/{target.prepared['game']}")))


async def pages_of_games(target: Target) -> None:
    """Ask for the pages of more games than are kept as pages."""
    await target.flood(target.request(f"/play/{game}") for game in cycle(target.games))


async def begin_many_games(target: Target) -> None:
    """Begin more games than are kept as pages."""
    new = {"game": "line", "opponent": "friend"}
    begun = await _each(target, "/api/v1/games", repeat(new, MAX_PAGES + 20))
    target.games.extend(game["id"] for game in begun)


async def invented_queries(target: Target) -> None:
    """Ask for the page of puzzles with something else behind its address each time."""
    await target.flood(target.request(f"/puzzles?x={number}") for number in count())


async def puzzle_links(target: Target) -> None:
    """Ask for the page of one puzzle after the other."""
    await target.flood(target.request(f"/puzzles?seed={number}") for number in count())


async def analysis_links(target: Target) -> None:
    """Ask for the analysis board with a large game between others each time."""
    path = f"/analyse?{LARGE}&name1="
    await target.flood(target.request(f"{path}{number}") for number in count())


async def illegal_moves(target: Target) -> None:
    """Ask why a move of a large game is not allowed."""
    await target.flood(repeat(target.request(f"/api/v1/why?{LARGE}&move=1")))


async def puzzle_pages(target: Target) -> None:
    """Ask for the page of puzzles."""
    await target.flood(repeat(target.request("/puzzles")))


# -- asking for what is large ---------------------------------------------------------------


async def own_games(target: Target) -> None:
    """Ask for the list of many games."""
    request = target.request("/api/v1/games", key=target.prepared["key"])
    await target.flood(repeat(request), LISTS, 1)


async def begin_games(target: Target) -> None:
    """Begin many games, all with one key."""
    key = target.prepared["key"] = "k" * 43
    new = {"game": "line", "opponent": "friend", "key": key}
    await _each(target, "/api/v1/games", repeat(new, OWN_GAMES))


async def class_page(target: Target) -> None:
    """Ask for the page of a class, as its host."""
    path = f"/api/v1/events/{target.prepared['code']}/class"
    await target.flood(repeat(target.request(path, key=target.prepared["host"])))


async def nicknames(target: Target) -> None:
    """Ask for nicknames that nobody has in a large event."""
    await target.flood(repeat(target.request(f"/api/v1/events/{target.prepared['code']}/names")))


async def slips(target: Target) -> None:
    """Ask for the codes of a class to print, as its teacher."""
    path = f"/api/v1/classes/{target.prepared['class']}/host/slips"
    link = {"link": f"http://{HOST}:{target.port}/c/{target.prepared['class']}"}
    await target.flood(repeat(target.request(path, link, key=target.prepared["teacher"])))


async def begin_class(target: Target) -> None:
    """Create a class of many pupils."""
    ends = date.today() + timedelta(30)
    _, told = await target.asked("/api/v1/classes", {"pupils": CLASS, "ends": ends.isoformat()})
    new = json.loads(told)
    target.prepared.update({"class": new["classroom"]["code"], "teacher": new["host"]})


async def begin_event(target: Target) -> None:
    """Begin an event of many players, of whom half have lost a game."""
    await begin_own_event(target)
    code, host = target.prepared["code"], target.prepared["host"]
    names = ({"nickname": f"Pupil {number}"} for number in range(CLASS))
    joined = await _each(target, f"/api/v1/events/{code}/join", names)
    await target.asked(f"/api/v1/events/{code}/host/start", {}, key=host)
    for player in joined:
        _, told = await target.asked(f"/api/v1/events/{code}", key=player["token"])
        everybody = {one["number"]: one for one in json.loads(told)["event"]["players"]}
        mine = everybody[player["player"]]
        if mine["seat"] == 1 and mine["game"]:
            path = f"/api/v1/games/{mine['game']}/resign"
            await target.asked(path, {"after": 0}, key=player["token"])


async def _each(target: Target, path: str, bodies: Iterator[object]) -> list[Any]:
    """The answers to some requests, which come from one address after the other."""
    answers = []
    helpers = cycle([Target(target.port, address) for address in HELPERS])

    async def ask(helper: Target) -> None:
        for body in bodies:
            for _ in HELPERS:
                status, content = await helper.asked(path, body)
                if status in (200, 201):
                    answers.append(json.loads(content))
                    break
                helper = next(helpers)

    await asyncio.gather(*map(ask, islice(helpers, 8)))
    return answers


# -- holding connections --------------------------------------------------------------------


async def unread_channels(target: Target) -> None:
    """Open live channels of a game, do not read them, say goodbye, and keep the sockets."""
    await asyncio.gather(*(_leave_open(target) for _ in range(UNREAD)))


async def begin_game(target: Target) -> None:
    """Begin a game that can be watched."""
    new = {"game": "line", "opponent": "friend"}
    target.prepared["game"] = json.loads((await target.asked("/api/v1/games", new))[1])["id"]


async def _leave_open(target: Target) -> None:
    upgrade = "\r\n".join(
        ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
         "Sec-WebSocket-Key: bnVtZHVlbCBudW1kdWVsIQ==")
    )  # fmt: skip
    path = f"/api/v1/games/{target.prepared['game']}/live"
    hello = target.request(path, more=upgrade)
    goodbye = bytes((0x80 | CLOSE, 0x82, 0, 0, 0, 0, 3, 232))
    loop, held = asyncio.get_running_loop(), list[socket.socket]()
    while True:
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED)
        one.setblocking(False)
        try:
            one.bind((target.address, 0))
            await loop.sock_connect(one, (HOST, target.port))
            await loop.sock_sendall(one, hello)
            hello_back = await loop.sock_recv(one, 16)
            if b" 101 " in hello_back:
                await loop.sock_sendall(one, goodbye)
                held.append(one)
                count_answers(target.done, hello_back)
                continue
        except OSError:
            pass
        one.close()
        await asyncio.sleep(PAUSE)


async def endless_headers(target: Target) -> None:
    """Send headers for as long as the server takes them."""
    await asyncio.gather(*(_send_headers(target) for _ in range(FLOODS)))


async def _send_headers(target: Target) -> None:
    while True:
        with suppress(OSError):
            reader, writer = await target.connected()
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
            with suppress(OSError):
                while not reader.at_eof() and not writer.is_closing():
                    writer.write(LINES)
                    await writer.drain()
                    target.done["KiB of headers"] += len(LINES) >> 10
                    await asyncio.sleep(0)
            writer.close()
        await asyncio.sleep(PAUSE)


async def unfinished(target: Target) -> None:
    """Keep as many unfinished requests open as possible."""
    await target.flood(repeat(HALF), UNFINISHED, 1, HOLD_PAUSE)


async def idle(target: Target) -> None:
    """Keep as many connections open as possible, and send nothing."""
    await target.flood(repeat(b""), IDLE, 1, HOLD_PAUSE)


# -- like people, but too much --------------------------------------------------------------


async def large_boards(target: Target) -> None:
    """Begin games on the largest boards against a computer that works everything out."""
    kinds = json.loads((await target.asked("/api/v1/rules"))[1])
    for kind in cycle(kinds):
        size = kind["parameters"][0]
        new = {
            "game": kind["name"], "opponent": "perfect", "seat": 2, "cookie": False,
            "variant": {size["name"]: min(size["high"], 2 * size["value"])},
        }  # fmt: skip
        await target.asked("/api/v1/games", new)
        await asyncio.sleep(PAUSE)


async def visits(target: Target) -> None:
    """Load the lobby ten times a second, like a class that comes in."""
    while True:
        await target.asked("/")
        await asyncio.sleep(2 * PAUSE)


BUSY = 200, 503
"""What answers to puzzles and games are, also if the solver has too much to do."""
HARD = 200, 422, 503
"""The same for puzzles that are often looked for in vain, which takes a second."""
ATTACKS = {
    "openapi": Attack("the description of the API", openapi),
    "hosts": Attack("pages under random Host headers", hosts, expects=(421,)),
    "qr": Attack("QR codes", qr_codes),
    "static": Attack("static files", static_files),
    "sheets": Attack("style sheets in any order", style_sheets, expects=(404,)),
    "pictures": Attack("pictures of positions", pictures),
    "posts": Attack("small POSTs that are refused", refused_posts, expects=(422,)),
    "unknown": Attack("pages of unknown events", unknown_events, expects=(200, 404)),
    "codes": Attack("guessed codes of events", event_codes, expects=(404,)),
    "health": Attack("health", health),
    "play": Attack("the page of a game", game_pages, begin_game),
    "plays": Attack("the pages of many games", pages_of_games, begin_many_games),
    "puzzles": Attack("the page of puzzles", puzzle_pages),
    "queries": Attack("the page of puzzles with invented parameters", invented_queries),
    "links": Attack("the pages of many puzzles", puzzle_links),
    "analyse": Attack("the analysis board with many games", analysis_links),
    "why": Attack("why a move is not allowed", illegal_moves),
    "daily": Attack("daily puzzles", daily_puzzles, hits="computer", expects=BUSY),
    "build": Attack("puzzles of grade 5 in Build", hard_puzzles, hits="computer", expects=HARD),
    "lists": Attack(f"lists of {OWN_GAMES:,} own games", own_games, begin_games),
    "class": Attack(f"a host's page of {CLASS} players", class_page, begin_event),
    "names": Attack(f"nicknames for an event of {CLASS}", nicknames, begin_event),
    "slips": Attack(f"codes to print for {CLASS} pupils", slips, begin_class),
    "headers": Attack("endless headers", endless_headers, expects=()),
    "unfinished": Attack("requests that never end", unfinished, expects=()),
    "boards": Attack("the largest boards", large_boards, hits="computer", expects=(201, 503)),
    "visits": Attack("a class that reloads", visits),
    "channels": Attack("channels left unread", unread_channels, begin_game, expects=(101,)),
    "inside": Attack("inside: anything, without a key", inside_flood, inside=True),
    "inside-puzzles": Attack(
        "inside: puzzles, without a key", many_puzzles, None, "computer", inside=True, expects=HARD
    ),
    "inside-reloads": Attack(
        "inside: pages and static files", reloads, begin_game_and_event, inside=True
    ),
    "inside-keys": Attack(
        f"inside: {MINTED} invented players", invented_players, invent_players, inside=True
    ),
    "inside-events": Attack("inside: new events", new_events, inside=True, expects=(201,)),
    "inside-idle": Attack("inside: idle connections", idle, inside=True, expects=()),
}
"""All attacks, in the order in which they are tried. The last ones leave the most behind."""
TOGETHER = ("headers", "unfinished", "boards", "visits")
"""What one attacker does at once beside thousands of games."""
