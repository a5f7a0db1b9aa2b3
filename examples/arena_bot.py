"""A program that takes part in an event: python arena_bot.py http://localhost:8000 K7M4QX Robo

It makes any legal move; write a better `choose`. It needs httpx (pip install httpx).
"""

import random
import sys
import time

import httpx


def choose(game: dict) -> str:
    """One of the moves that the game allows now."""
    return random.choice(game["legal"])["move"]


def ask(server: httpx.Client, path: str, **said: str) -> dict:
    """What the server answers; if it has too much to do, it is asked again when it says so."""
    method = "POST" if said else "GET"
    while (answer := server.request(method, path, json=said or None)).status_code in (429, 503):
        time.sleep(int(answer.headers.get("Retry-After", 2)))
    return answer.json() if answer.is_success else sys.exit(answer.json()["error"])


def main(url: str, code: str, nickname: str) -> None:
    """Play until the event is over. Whoever asks how it stands, every few seconds, is there."""
    with httpx.Client(base_url=f"{url}/api", timeout=30) as server:
        token = ask(server, f"/events/{code}/join", nickname=nickname)["token"]
        server.headers["Authorization"] = f"Bearer {token}"
        while (told := ask(server, f"/events/{code}"))["you"] is not None:
            me = next(one for one in told["event"]["players"] if one["number"] == told["you"])
            if told["event"]["phase"] == "ended":
                print(f"{nickname}: place {me['place']}, {me['wins']} of {me['games']} games won.")
                return
            game = ask(server, f"/games/{me['game']}")["game"] if me["game"] else None
            if game is None or game["to_move"] != me["seat"]:
                time.sleep(0.5)
                continue
            move = {"move": choose(game), "after": game["number"]}
            server.post(f"/games/{me['game']}/moves", json=move)  # If refused, it looks again.
        print(f"{nickname}: the host has removed me.")


if __name__ == "__main__":
    main(*sys.argv[1:])
