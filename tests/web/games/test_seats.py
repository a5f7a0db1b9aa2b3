"""Who may do what: seats, tokens, invitations, and the deck that nobody sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from numduel.web.games.service import MAX_REQUESTS, MAX_WAITING
from tests.web.site import (
    Person,
    Site,
    accepted,
    ask,
    asked,
    browser,
    create,
    friends,
    join,
    kept,
    play,
    refused,
    served,
    set_cookies,
    together,
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("web") / "games.db") as site:
        yield site


# -- tokens ---------------------------------------------------------------------------------


def test_the_database_cannot_give_away_a_seat(tmp_path: Path) -> None:
    """Neither tokens nor invitations are in it, used or not."""
    path = tmp_path / "games.db"
    with served(path) as site:
        one = create(site.http)
        asker, _ = ask(one, "Eve")
        secrets = [one.token, one.invite, join(one).token, create(site.http).invite, asker.token]
        finished, friend = friends(site.http, moves="4 6 5 7")
        secrets += [finished.token, friend.token]
        accepted(finished.move(3))
        accepted(finished.rematch())
        accepted(friend.rematch())
        rows = [row for table in ("games", "seats", "log") for row in asked(
            site.database, f"SELECT * FROM {table}"
        )]  # fmt: skip
        files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert rows
    assert files
    for secret in secrets:
        assert secret is not None
        assert secret not in str(rows)
        assert secret.encode() not in files


def test_every_seat_has_its_own_token_and_every_game_its_own_id(site: Site) -> None:
    people = [person for _ in range(5) for person in friends(site.http)]
    assert len({person.token for person in people}) == 10
    assert len({person.id for person in people}) == 5
    assert all(len(str(person.token)) >= 40 for person in people)


def test_a_browser_holds_its_seat_in_a_cookie_that_scripts_cannot_read(site: Site) -> None:
    body = {"game": "duel", "opponent": "friend", "cookie": True}
    with browser(site.url) as ann, browser(site.url) as bob:
        response = ann.post("/api/v1/games", json=body)
        told = response.json()
        assert told["token"] is None
        cookies = set_cookies(response)
        assert [cookie["path"] for cookie in cookies] == ["/api", "/"]
        for cookie in cookies:
            assert cookie["httponly"]
            assert cookie["samesite"] == "strict"
            assert not cookie["secure"]
            assert len(cookie.value) >= 40
            assert cookie.value not in response.text
        game = f"/api/v1/games/{told['id']}"
        joined = bob.post(f"{game}/join", json={"invite": told["invite"], "cookie": True})
        assert joined.json()["token"] is None
        assert joined.json()["you"] == joined.json()["seat"] == 2
        assert "httponly" in joined.headers["set-cookie"].lower()
        refused(bob.post(f"{game}/moves", json={"move": "4", "after": 1}), 403)
        assert ann.get(game).json()["you"] == 1
        accepted(ann.post(f"{game}/moves", json={"move": "4", "after": 1}))
        accepted(bob.post(f"{game}/moves", json={"move": "5", "after": 2}))
        assert site.http.get(game).json()["you"] is None


def test_over_https_the_cookie_never_goes_over_anything_else(tmp_path: Path) -> None:
    body = {"game": "duel", "opponent": "friend", "cookie": True}
    with served(tmp_path / "games.db", proxy=True) as site:
        headers = {"X-Forwarded-Proto": "https"}
        response = site.http.post("/api/v1/games", json=body, headers=headers)
    assert [bool(cookie["secure"]) for cookie in set_cookies(response)] == [True, True]


def test_a_program_says_its_token_in_a_header(site: Site) -> None:
    one, two = friends(site.http)
    for word in ("Bearer", "bearer", "BEARER"):
        told = site.http.get(
            f"/api/v1/games/{one.id}", headers={"Authorization": f"{word} {two.token}"}
        )
        assert told.json()["you"] == 2
    for header in (f"Basic {two.token}", f"Bearer{two.token}", "Bearer", str(two.token)):
        told = site.http.get(f"/api/v1/games/{one.id}", headers={"Authorization": header})
        assert told.json()["you"] is None, header


DOINGS: dict[str, dict[str, Any]] = {
    "moves": {"move": "1", "after": 3},
    "resign": {"after": 3},
    "undo": {"say": "ask", "after": 3},
    "rematch": {},
}


@pytest.mark.parametrize("doing", DOINGS)
@pytest.mark.parametrize("who", ["nobody", "a stranger", "another game", "the invited", "too long"])
def test_without_a_seat_nothing_can_be_done(site: Site, doing: str, who: str) -> None:
    one, two = friends(site.http)
    play((one, two), "4 6")
    if doing == "rematch":
        play((one, two), "5 7 3")
    before = one.game
    token = {
        "nobody": None,
        "a stranger": "A" * 43,
        "another game": create(site.http).token,
        "the invited": one.invite,
        "too long": f"{one.token}{'A' * 5000}",
    }[who]
    response = Person(site.http, one.id, token).post(doing, **DOINGS[doing])
    assert "seat" in refused(response, 403)
    assert one.game == before


def test_a_player_can_do_nothing_for_the_other(site: Site) -> None:
    one, two = friends(site.http)
    assert "turn" in refused(two.move(4), 403)
    play((one, two), "4")
    assert "turn" in refused(one.move(5), 403)
    refused(one.undo("accept"), 409)
    assert one.game["moves"] == ["4"]
    assert accepted(one.resign())["outcome"]["winner"] == 2, "who resigns, resigns for themselves"


# -- the friend's link ----------------------------------------------------------------------


def test_a_link_seats_one_friend_and_only_one(site: Site) -> None:
    one = create(site.http, name="Ann")
    assert one.look()["game"]["seats"] == [True, False]
    friend = Person(site.http, one.id)
    told = friend.post("join", invite=one.invite, name="Bob").json()
    assert (told["seat"], told["you"], told["invite"]) == (2, 2, None)
    assert told["game"]["names"] == ["Ann", "Bob"]
    assert told["game"]["seats"] == [True, True]
    before = one.game
    assert "taken" in refused(friend.post("join", invite=one.invite, name="Eve"), 409)
    assert one.game == before
    assert Person(site.http, one.id, told["token"]).look()["you"] == 2


def test_a_wrong_link_seats_nobody(site: Site) -> None:
    one = create(site.http)
    stranger = Person(site.http, one.id)
    for invite in ("A" * 22, create(site.http).invite, one.token):
        assert "invitation" in refused(stranger.post("join", invite=invite), 403)
    assert one.game["seats"] == [True, False]
    assert join(one).look()["you"] == 2


def test_of_many_guests_with_one_link_one_gets_the_seat(site: Site) -> None:
    for _ in range(5):
        one = create(site.http)
        friend = Person(site.http, one.id)
        answers = together(*[partial(friend.post, "join", invite=one.invite)] * 6)
        assert sorted(answer.status_code for answer in answers) == [200, *[409] * 5]
        (winner,) = (answer.json() for answer in answers if answer.status_code == 200)
        assert Person(site.http, one.id, winner["token"]).look()["you"] == 2
        assert one.game["number"] == 1


def test_the_creator_may_sit_on_either_side(site: Site) -> None:
    two = create(site.http, seat=2, name="Ann")
    assert two.look()["you"] == 2
    assert two.game["names"] == ["Player 1", "Ann"]
    assert two.game["seats"] == [False, True]
    one = join(two, "Bob")
    assert one.look()["you"] == 1
    assert one.game["names"] == ["Bob", "Ann"]
    accepted(one.move(4))
    accepted(two.move(5))


def test_the_first_player_can_move_before_the_friend_joins(site: Site) -> None:
    one = create(site.http)
    accepted(one.move(4))
    assert "turn" in refused(one.move(5), 403)
    two = join(one)
    assert two.game["moves"] == ["4"]
    accepted(two.move(5))


def test_two_players_of_one_name_are_refused_and_the_link_stays_good(site: Site) -> None:
    one = create(site.http, name="Ann")
    refused(Person(site.http, one.id).post("join", invite=one.invite, name=" aNN "), 422)
    assert join(one, "Bob").look()["you"] == 2
    response = site.http.post(
        "/api/v1/games", json={"game": "duel", "opponent": "friend", "name": "player 2"}
    )
    refused(response, 422)


def test_a_game_against_the_computer_has_no_link(site: Site) -> None:
    one = create(site.http, opponent="random", first=1)
    assert one.invite is None
    assert one.game["seats"] == [*one.game["present"][1:], True] == [True, True]
    assert one.game["two_people"] is False
    refused(Person(site.http, one.id).post("join", invite="A" * 22), 403)


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "مرحبا", "日本語", '"; DROP TABLE games; --', "{{7*7}}"]
)
def test_a_name_is_text_and_nothing_else(site: Site, name: str) -> None:
    one = create(site.http, name=name)
    response = one.get()
    assert response.headers["content-type"] == "application/json"
    assert response.json()["game"]["names"][0] == name
    assert one.get("/record").headers["content-type"].startswith("text/plain")
    assert f"Name 1: {name}\n" in one.get("/record").text


@pytest.mark.parametrize("name", ["x" * 41, "a\u202eb", "a\0b", "a\x1b[31mb", "\ud800", "a\u2028b‎"])
def test_a_name_unfit_for_a_board_is_refused(site: Site, name: str) -> None:
    body = '{"game":"duel","opponent":"friend","name":"%s"}'
    escaped = "".join(f"\\u{ord(char):04x}" for char in name)
    headers = {"Content-Type": "application/json"}
    response = site.http.post("/api/v1/games", content=body % escaped, headers=headers)
    refused(response, 422)


def test_a_name_is_one_line(site: Site) -> None:
    assert create(site.http, name=" Ann \n of \t Rye ").game["names"][0] == "Ann of Rye"


def test_nobody_joins_a_game_that_is_over(site: Site) -> None:
    one = create(site.http)
    before = accepted(one.resign())
    late = Person(site.http, one.id)
    assert "over" in refused(late.post("join", invite=one.invite), 409)
    assert late.game == before
    assert before["seats"] == [True, False]
    assert [row.kind for row in kept(site.database, one.id)] == ["move"]


# -- asking without a link ------------------------------------------------------------------


def test_a_guest_without_a_link_asks_and_the_creator_accepts(site: Site) -> None:
    one = create(site.http, name="Ann")
    bob, request = ask(one, " Bob \n ")
    assert one.game["requests"] == [{"number": request, "name": "Bob"}]
    assert one.game["seats"] == [True, False], "to ask is not to sit"
    assert bob.look()["you"] is None
    refused(bob.move(4), 403)
    with Person(site.http, one.id).live() as watching:
        game = accepted(one.answer(request))
        told = watching.until(lambda game: game["seats"] == [True, True], "Bob to sit down")
    assert told["names"] == game["names"] == ["Ann", "Bob"]
    assert told["requests"] == game["requests"] == []
    assert bob.look()["you"] == 2
    accepted(one.move(4))
    accepted(bob.move(5))


def test_a_refused_guest_can_watch_and_only_the_creator_decides(site: Site) -> None:
    one = create(site.http)
    eve, request = ask(one, "Eve")
    other, _ = ask(one, "Oda")
    for stranger in (Person(site.http, one.id), eve, other, create(site.http)):
        there = stranger.at(one.id)
        assert "seat" in refused(there.answer(request), 403)
        assert "seat" in refused(there.answer(request, "refuse"), 403)
    assert [asking["name"] for asking in accepted(one.answer(request, "refuse"))["requests"]] == [
        "Oda"
    ]
    assert eve.look()["you"] is None
    for say in ("accept", "refuse"):
        assert "no longer" in refused(one.answer(request, say), 409)
    assert one.game["seats"] == [True, False]


def test_nobody_asks_any_more_when_the_seat_is_taken(site: Site) -> None:
    """Of two who ask one gets the seat; and the link is as good as before."""
    one = create(site.http)
    (eve, first), (bob, second) = ask(one, "Eve"), ask(one, "Bob")
    accepted(one.answer(second))
    assert [person.look()["you"] for person in (eve, bob)] == [None, 2]
    refused(one.answer(first), 409)
    late = Person(site.http, one.id)
    assert "taken" in refused(late.post("join", invite=one.invite), 409)
    assert "taken" in refused(late.post("requests", name="Max"), 409)
    one = create(site.http)
    eve, request = ask(one, "Eve")
    friend = join(one, "Eve")
    assert one.game["requests"] == []
    refused(one.answer(request), 409)
    assert (eve.look()["you"], friend.look()["you"]) == (None, 2)


def test_asking_again_changes_nothing(site: Site) -> None:
    one = create(site.http)
    bob, request = ask(one, "Bob")
    again = bob.post("requests", name="Bobby").json()
    assert (again["request"], again["token"]) == (request, bob.token)
    assert one.game["requests"] == [{"number": request, "name": "Bob"}]
    assert "seat" in refused(one.post("requests", name="Me"), 409)
    accepted(one.answer(request))
    assert "seat" in refused(bob.post("requests", name="Bob"), 409)


def test_a_few_may_ask_each_by_a_name_of_their_own(site: Site) -> None:
    one = create(site.http, name="Ann")
    stranger = Person(site.http, one.id)
    ask(one, "Bob")
    for name in ("", "  ", "ann", "BOB", "x" * 41, "a\0b"):
        refused(stranger.post("requests", name=name), 422)
    for number in range(1, MAX_WAITING):
        ask(one, f"Guest {number}")
    assert "later" in refused(stranger.post("requests", name="Max"), 403)
    assert len(one.game["requests"]) == MAX_WAITING
    for number in range(MAX_WAITING, MAX_REQUESTS):
        accepted(one.answer(one.game["requests"][0]["number"], "refuse"))
        ask(one, f"Guest {number}")
    accepted(one.answer(one.game["requests"][0]["number"], "refuse"))
    assert "Too many" in refused(stranger.post("requests", name="Max"), 403)
    assert join(one, "Max").look()["you"] == 2


def test_nobody_asks_for_a_seat_in_a_game_that_is_over_or_against_the_computer(site: Site) -> None:
    one = create(site.http)
    _, request = ask(one, "Bob")
    assert accepted(one.resign())["requests"] == []
    refused(one.answer(request), 409)
    for game in (one, create(site.http, opponent="random")):
        refused(Person(site.http, game.id).post("requests", name="Max"), 409)


def test_a_browser_that_asks_for_a_seat_gets_a_cookie(site: Site) -> None:
    one = create(site.http)
    with browser(site.url) as bob:
        game = f"/api/v1/games/{one.id}"
        response = bob.post(f"{game}/requests", json={"name": "Bob", "cookie": True})
        told = response.json()
        assert told["token"] is None
        cookie, _ = set_cookies(response)
        assert cookie["httponly"]
        assert cookie["path"] == "/api"
        accepted(one.answer(told["request"]))
        assert bob.get(game).json()["you"] == 2
        accepted(one.move(4))
        accepted(bob.post(f"{game}/moves", json={"move": "5", "after": 3}))


# -- the deck -------------------------------------------------------------------------------


def keys(told: Any) -> Iterator[tuple[str, Any]]:
    """Every key and its value, however deep."""
    if isinstance(told, dict):
        for key, value in told.items():
            yield key, value
            yield from keys(value)
    elif isinstance(told, list):
        for value in told:
            yield from keys(value)


def everything(one: Person, two: Person) -> list[Any]:
    """All that two people and a spectator can learn of a game of cards, from its first card to
    its end, with every move tried and one taken back."""
    told: list[Any] = []
    spectator = Person(one.http, one.id)
    with one.live() as playing, spectator.live() as watching:

        def learn() -> None:
            told.extend(person.look()["game"] for person in (one, two, spectator))
            told.append(one.get("/record").text)

        for live in (playing, watching):
            live.until(lambda game: game["present"] == [True, False], "Player 1 to be there")
        learn()
        for _ in range(4):
            game = one.game
            mover = (one, two)[game["to_move"] - 1]
            told.append(mover.move("what?").json())
            told.append(mover.post("moves", move="1", after=99).json())
            told.append(accepted(mover.move("discard")))
            learn()
        accepted(two.undo("ask"))
        accepted(one.undo("accept"))
        learn()
        accepted(two.resign())
        learn()
        for what in ("values", "hint", "report"):
            told.append(one.get(f"/{what}").json())
        told.append(accepted(one.rematch()))
        for live in (playing, watching):
            last = one.game["number"]
            live.until(lambda game: game["number"] == last, "the end")  # noqa: B023
            numbers = {message["game"]["number"]: message["game"] for message in live.seen}
            told.append(numbers[max(numbers)])
    return told


def test_no_client_ever_learns_the_undrawn_cards(tmp_path: Path) -> None:
    """Two games with the same first cards and other cards below: whatever can be asked of them
    is the same."""
    path = tmp_path / "games.db"
    top = "7 5 6 2 9"
    below = [
        "1 2 3 4 5 6 7 8 9 10 1 3 4 8 10",
        "10 10 9 8 8 7 6 5 4 4 3 3 2 1 1",
    ]
    with served(path) as site:
        tables = [friends(site.http, "build", forgiving=True) for _ in below]
    for (one, _), rest in zip(tables, below, strict=True):
        asked(
            f"sqlite:///{path}", "UPDATE games SET deck = {} WHERE id = {}", f"{top} {rest}", one.id
        )
    learned = []
    with served(path) as site:
        for table in tables:
            told = everything(*(person.over(site.http) for person in table))
            text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "", repr(told))
            learned.append(text.replace(table[0].id, "ID"))
            for key, value in keys(told):
                assert key not in ("seed", "order", "cards", "pile"), key
                assert key != "deck" or value is True
            assert all("Deck:" not in text and "Seed:" not in text for text in map(str, told))
    assert learned[0] == learned[1]
    assert "'card': 6" in learned[0]


def test_the_cards_come_in_the_order_of_the_deck_that_was_shuffled_once(site: Site) -> None:
    one, two = friends(site.http, "build", forgiving=True)
    ((deck,),) = asked(site.database, "SELECT deck FROM games WHERE id = {}", one.id)
    cards = [int(card) for card in deck.split()]
    assert sorted(cards) == sorted([*range(1, 11)] * 2)
    game = one.game
    for drawn in cards[:-1]:
        assert game["card"] == drawn
        game = accepted((one, two)[game["to_move"] - 1].move("discard"))
    ((other,),) = asked(
        site.database, "SELECT deck FROM games WHERE id = {}", create(site.http, "build").id
    )
    assert other != deck
