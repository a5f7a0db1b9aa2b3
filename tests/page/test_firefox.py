"""The page in another engine than the one that the other tests look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.page.browser import server_in
from tests.page.firefox import Firefox, firefox, firefox_path

CREATE = """async (game) => {
  const body = JSON.stringify({ game, opponent: "random", cookie: true });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch("/api/v1/games", { method: "POST", headers, body });
  return (await answer.json()).id;
}"""
LEGAL = """async () => {
  const answer = await fetch(`/api/v1/games/${location.pathname.split("/")[2]}`);
  return (await answer.json()).game.legal[0].move;
}"""
TURN = '#table:not([data-settling]) .player[data-seat="1"][data-turn]'
OVER = ".player[data-winner]"


def play(browser: Firefox, url: str, game: str) -> None:
    """Play a game against random moves with the mouse, to its end."""
    browser.go(f"{url}/play/{browser.run(CREATE, game)['value']}")
    while browser.find(OVER, TURN)[0] == 1:
        move = browser.run(LEGAL)["value"]
        made = len(browser.texts("#moves .ply"))
        _, option = browser.find(f'[data-cell="{move}"], [data-move="{move}"]')
        browser.press(option)
        browser.find(OVER, f"#moves li:nth-child({made + 1})")


@pytest.mark.proof
@pytest.mark.skipif(firefox_path() is None, reason="There is no Firefox here.")
def test_firefox_plays_games_to_their_ends(tmp_path: Path) -> None:
    with server_in(tmp_path) as server, firefox(tmp_path) as browser:
        browser.go(server.ready().url)
        for name in ("duel", "build"):  # tiles, and cards
            play(browser, server.url, name)
        assert not browser.troubles
