"""The lobby, and what all pages share: previews of links, QR codes, colours, paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO

import pytest
import segno
from numduel_examples.pile import Pile
from numduel_examples.reach import Reach
from PIL import Image

import numduel
from numduel.web.picture import middle
from numduel.web.preview import OWNERS, SIZE, preview
from tests.games import NAMES
from tests.web import Site, create, friends, play, refused, served

ADA = "Ada <b>& Co</b>"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("lobby") / "games.db") as site:
        yield site


# -- what is shown where somebody sends a link ------------------------------------------------


def told(site: Site, path: str, **headers: str) -> dict[str, str]:
    """What a page says of itself."""
    page = site.http.get(path, headers=headers).text
    found = dict(re.findall(r'<meta (?:name|property)="([^"]*)" content="([^"]*)">', page))
    (title,) = re.findall("<title>(.*?)</title>", page)
    return {name: unescape(text) for name, text in {**found, "title": title}.items()}


def drawn(site: Site, path: str) -> Image.Image:
    """The picture that goes with the link of a page."""
    answer = site.http.get(told(site, path)["og:image"])
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    picture = Image.open(BytesIO(answer.content))
    assert picture.size == SIZE
    return picture


def tiles(picture: Image.Image, seat: int) -> int:
    """How much of a picture is in the colour of a player."""
    colours = picture.convert("RGB").getcolors(1 << 20)
    assert colours is not None
    rgb = tuple(bytes.fromhex(OWNERS[seat][1:]))
    return sum(count for count, colour in colours if colour == rgb)


@pytest.mark.parametrize(
    "path", ["/", "/analyse", "/learn", "/learn/line", "/api", "/rules/factors"]
)
def test_every_page_says_what_it_is_and_has_a_picture(site: Site, path: str) -> None:
    about = told(site, path)
    assert about["title"] == f"{about['og:title']} | numduel"
    assert 40 < len(about["description"]) < 400
    assert about["description"] == about["og:description"]
    assert about["twitter:card"] == "summary_large_image"
    assert tiles(drawn(site, path), 1)


def test_no_two_pages_have_the_same_title(site: Site) -> None:
    paths = ["/", "/analyse", "/puzzles", "/learn", "/api", "/nothing"]
    paths += [f"/{kind}/{name}" for kind in ("rules", "learn") for name in NAMES]
    assert len({told(site, path)["title"] for path in paths}) == len(paths)


def test_the_link_of_a_game_shows_who_plays_and_how_it_stands(site: Site) -> None:
    one = create(site.http, "duel", name=ADA)
    invited = told(site, f"/play/{one.id}")
    assert invited["og:title"] == f"{ADA} invites you to play Sequence Duel"
    empty = drawn(site, f"/play/{one.id}")
    people = friends(site.http, "duel", name=ADA)
    path = f"/play/{people[0].id}"
    assert told(site, path)["og:title"] == f"{ADA} and Player 2 play Sequence Duel"
    play(people, "4 6 5 7")
    before = drawn(site, path)
    assert tiles(empty, 2) < tiles(before, 2)
    assert told(site, path)["description"].startswith(f"{ADA} to move. Three evenly spaced")
    play(people, "3")
    assert told(site, path)["description"].startswith(f"{ADA} wins the game! ")
    assert tiles(drawn(site, path), 1) > tiles(before, 1)
    assert "<b>" not in site.http.get(path).text


def test_the_link_of_a_position_shows_the_position(site: Site) -> None:
    start, later = "/analyse?game=duel", "/analyse?game=duel&moves=5+3+9"
    assert told(site, later)["og:title"] == "Sequence Duel: analysis"
    assert tiles(drawn(site, start), 2) < tiles(drawn(site, later), 2)
    for nonsense in ("game=chess", "game=duel&moves=5+5", "game=duel&first=x&moves=", "moves=5"):
        assert site.http.get(f"/analyse?{nonsense}").status_code == 200
    for nonsense in ("", "game=chess", "game=duel&moves=5+5", "game=line&variant=n%3D999"):
        refused(site.http.get(f"/preview/position.png?{nonsense}"), 422)


def test_the_link_of_a_puzzle_shows_the_puzzle(site: Site) -> None:
    drawn(site, "/puzzles?seed=3&game=duel")
    image = told(site, '/puzzles?seed=3&x="><b>')["og:image"]
    assert image == f"{site.url}/preview/puzzle.png?seed=3&x=%22%3E%3Cb%3E"
    refused(site.http.get("/preview/puzzle.png?seed=x"), 422)


def test_the_picture_of_a_link_is_at_the_host_that_was_asked(site: Site) -> None:
    assert told(site, "/", Host="games.example.org")["og:image"].startswith(
        "http://games.example.org/preview/"
    )
    assert told(site, "/", Host="[::1]:8000")["og:image"].startswith("http://[::1]:8000/preview/")
    for strange in ('x"><script>', "a b", "user@host", "host/path", "x" * 300, ""):
        assert told(site, "/", Host=strange)["og:image"].startswith("/preview/"), strange


@pytest.mark.parametrize("game", [*map(numduel.game, NAMES), Pile(), Reach()], ids=str)
def test_any_game_is_drawn_whatever_it_is_made_of(game: numduel.Game) -> None:
    state = middle(game)
    assert preview(state).startswith(b"\x89PNG")
    assert preview(state) != preview(game.start())


def test_a_picture_shows_nothing_of_the_hidden_deck() -> None:
    game = numduel.game("build")
    one, other = (game.start(deck=[7, 5, *rest]).play("7e").public for rest in ([1, 2], [9, 8]))
    assert preview(one) == preview(other)


# -- an invitation on another screen ----------------------------------------------------------


def test_a_link_is_a_qr_code(site: Site) -> None:
    link = "https://games.example.org/play/V3b1tq0k9Zfx#q2yVh0C0aJv2v1mB3m1D3g"
    code = site.http.post("/api/qr", json={"link": link}).json()
    dark = {
        (int(x) + step, int(y))
        for x, y, long in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", code["path"])
        for step in range(int(long))
    }
    rows = list(segno.make_qr(link, error="m").matrix_iter(border=4))
    assert code["size"] == len(rows)
    assert dark == {(x, y) for y, row in enumerate(rows) for x, bit in enumerate(row) if bit}


@pytest.mark.parametrize(
    "link", ["", "javascript:alert(1)", "http://x y", "http://x\n", "https://" + 300 * "x", 5]
)
def test_only_a_link_becomes_a_qr_code(site: Site, link: object) -> None:
    refused(site.http.post("/api/qr", json={"link": link}), 422)
