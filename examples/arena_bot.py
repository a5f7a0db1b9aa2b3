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


def ask(server: httpx.Client, path: str) -> dict:
    """What the server tells; if it has too much to do, it is asked again a little later."""
    while (answer := server.get(path)).status_code in (429, 503):
        time.sleep(2)
    return answer.raise_for_status().json()


def main(url: str, code: str, nickname: str) -> None:
    """Play until the event is over. Whoever asks how it stands, every few seconds, is there."""
    with httpx.Client(base_url=f"{url}/api", timeout=30) as server:
        answer = server.post(f"/events/{code}/join", json={"nickname": nickname})
        server.headers["Authorization"] = f"Bearer {answer.raise_for_status().json()['token']}"
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
