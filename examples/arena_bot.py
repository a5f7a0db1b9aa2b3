"""A program that plays in an event: python arena_bot.py http://localhost:8000 K7M4QX Robo

It makes any legal move; write a better `choose`.
"""

import random
import sys
import time

from numduel.client import Failure, ask


def choose(game: dict) -> str:
    """One of the moves that the game allows now."""
    return random.choice(game["legal"])["move"]


def patient(server: str, path: str, body: object = None, token: str = "") -> dict:
    """What the server answers; a busy one is asked again when it says so."""
    while True:
        try:
            return ask(server, f"/api/v1{path}", body, token)
        except Failure as failure:
            if failure.status not in (429, 503):
                raise
            time.sleep(failure.wait or 2)


def main(server: str, code: str, nickname: str) -> None:
    """Play until the event is over. Asking every few seconds counts as being there."""
    joined = patient(server, f"/events/{code}/join", {"nickname": nickname})
    token = joined["token"]
    while joined["asked"] in patient(server, f"/events/{code}")["event"]["waiting"]:
        time.sleep(2)  # The host has to let it in.
    while (told := patient(server, f"/events/{code}", token=token))["you"] is not None:
        me = next(one for one in told["event"]["players"] if one["number"] == told["you"])
        me |= told["own"] or {}  # where places are hidden, the own one is sent apart
        if told["event"]["phase"] == "ended":
            print(f"{nickname}: place {me['place']}, {me['wins']} of {me['games']} games won.")
            return
        game = patient(server, f"/games/{me['game']}")["game"] if me["game"] else None
        if game is None or game["to_move"] != me["seat"]:
            time.sleep(0.5)
            continue
        try:
            move = {"move": choose(game), "after": game["number"]}
            ask(server, f"/api/v1/games/{me['game']}/moves", move, token)
        except Failure:
            pass  # It was too late, or refused: look again.
    print(f"{nickname}: the host has removed me.")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except Failure as failure:
        sys.exit(str(failure))
