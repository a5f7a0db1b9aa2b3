"""The yardstick: games without rules or storage, the smallest server that serves the same load.

A move is answered, and pushed to both players, with a state of the usual size.
"""

import json
from typing import Any

from starlette.types import Receive, Scope, Send

SIZE = 2_000
"""Bytes of a state without its moves, about as in a real game."""
REST = f'"to_move":%d,"legal":[{{"move":"1"}}],"cells":"{"." * SIZE}"}}}}'


class Game:
    """The moves of a game and the channels of its players."""

    def __init__(self) -> None:
        self.moves: list[str] = []
        self.channels: set[Send] = set()

    def serialise(self) -> str:
        """The state of the game."""
        made = ",".join(f'"{move}"' for move in self.moves)
        head = f'{{"game":{{"number":{len(self.moves)},"moves":[{made}],'
        return head + REST % (1 + len(self.moves) % 2)


games: dict[str, Game] = {}


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer the requests of the load as the server does."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
    elif scope["type"] == "websocket":
        await _tell(games[scope["path"].split("/")[4]], receive, send)
    else:
        await _answer(scope["path"].split("/")[4:], await _body(receive), send)


async def _live(receive: Receive, send: Send) -> None:
    for stage in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{stage}.complete"})


async def _tell(game: Game, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": game.serialise()})
    game.channels.add(send)
    while (await receive())["type"] != "websocket.disconnect":
        pass
    game.channels.discard(send)


async def _body(receive: Receive) -> dict[str, Any]:
    message = await receive()
    body: dict[str, Any] = json.loads(message["body"] or b"{}")
    return body


async def _answer(path: list[str], body: dict[str, Any], send: Send) -> None:
    status, answer = 200, '{"token":"second"}'
    if not path:
        id = str(len(games))  # noqa: A001
        games[id] = Game()
        status, answer = 201, json.dumps({"id": id, "token": "first", "invite": "please"})
    elif path[1] == "moves":
        game = games[path[0]]
        game.moves.append(body["move"])
        answer = game.serialise()
        for tell in game.channels:
            await tell({"type": "websocket.send", "text": answer})
    text = answer.encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(text))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
