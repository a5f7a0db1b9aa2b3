"""Every game over the network: everything that people, and the computer, do in it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from random import Random
from typing import Any
from unittest.mock import MagicMock

import pytest
from typer.testing import CliRunner

import numduel
from numduel import IllegalMove
from numduel.activities import Puzzles
from numduel.activities.play import FORCED_PAUSE
from numduel.activities.puzzle import SQUARES
from numduel.activities.storm import RULES
from numduel.learn import coach
from numduel.learn.puzzle import posed
from numduel.play.record import parse
from numduel.terminal.app import app
from numduel.web.games import computer
from numduel.web.http.errors import Busy
from numduel.web.people.keys import digest, page_key
from numduel.web.solving.solvers import Solvers
from tests.games import NAMES, RULEBOOKS
from tests.web.site import (
    Person,
    Site,
    accepted,
    answered,
    asked,
    browser,
    create,
    finish,
    friends,
    join,
    kept,
    play,
    refused,
    served,
    together,
    true,
    until,
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("web") / "games.db") as site:
        yield site


def new(site: Site, **wishes: Any) -> Any:
    return site.http.post("/api/v1/games", json={"opponent": "friend", **wishes})


# -- whole games ----------------------------------------------------------------------------


def unusual(name: str) -> dict[str, Any]:
    """A variant in which as many settings as possible are one more than usual."""
    rules = numduel.game(name)
    variant: dict[str, Any] = {}
    for setting, value in rules.settings.items():
        if isinstance(value, int):
            with suppress(numduel.BadVariant):
                numduel.game(name, **variant, **{setting: value + 1})
                variant[setting] = value + 1
    assert variant
    return variant


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("usual", [True, False])
def test_two_friends_play_a_game_to_its_end(site: Site, name: str, first: int, usual: bool) -> None:
    """Whatever is told on the way is what the library says of the same moves."""
    variant = {} if usual else unusual(name)
    people = friends(site.http, name, variant=variant, first=first, name="Ann", forgiving=not usual)
    game = people[0].game
    rules = numduel.game(name, **variant)
    assert (game["variant"], game["first"]) == (rules.settings, first)
    assert game["strict"] == (rules.strict and usual)
    assert game["to_move"] == first
    true(game)
    moved = 0
    for game in finish(people, Random(f"{name} {first} {usual}")):
        moved += 1
        assert true(game).game == rules
        assert game["names"] == ["Ann", "Player 2"]
        assert game["number"] == 1 + len(game["moves"])
    assert moved > 1
    assert game["outcome"]["winner"] in (1, 2)
    for person in people:
        assert person.look() == {"you": people.index(person) + 1, "game": game}
    refused(people[0].move(1), 409)
    refused(people[1].resign(), 409)
    refused(people[0].undo(), 403)
    record = parse(people[0].get("/record").text)
    assert record.state.text == game["text"]
    assert record.result == str(game["outcome"]["winner"])
    assert record.names == ("Ann", "Player 2")


def test_a_game_is_called_by_any_of_its_names(site: Site) -> None:
    rules = {told["id"]: told for told in site.http.get("/api/v1/rules").json()}
    assert [told["name"] for told in rules.values()] == list(NAMES)
    for told in rules.values():
        for name in (told["id"], told["name"]):
            assert create(site.http, name).game["title"] == told["title"]
    levels = rules["sequence-duel"]["levels"]
    assert list(levels) == ["random", "easy", "medium", "hard", "perfect"]
    assert levels["medium"].endswith("It does not see two threats at once.")
    for told in rules.values():
        game = numduel.game(told["id"])
        assert {p["name"]: p["value"] for p in told["parameters"]} == game.settings
        assert (told["strict"], told["deck"]) == (game.strict, game.has_deck)


BAD: list[dict[str, Any]] = [
    {"game": "chess"},
    {"game": ""},
    {"game": "duel", "variant": {"m": 9}},
    {"game": "duel", "variant": {"n": 0}},
    {"game": "duel", "variant": {"n": 10**8}},
    {"game": "duel", "variant": {"n": "many"}},
    {"game": "duel", "variant": {"n": 1.5}},
    {"game": "duel", "variant": {"n": None}},
    {"game": "duel", "variant": {"n": True}},
    {"game": "duel", "variant": {"n": 5, "k": 6}},
    {"game": "duel", "variant": [9]},
    {"game": "duel", "variant": {"__class__": 9}},
    {"game": "duel", "variant": {"self": 9}},
    {"game": "factors", "variant": {"n": 999}},  # more than a page shows, or a server keeps
    {"game": "duel", "first": 3},
    {"game": "duel", "seat": 0},
    {"game": "duel", "opponent": "human"},
    {"game": "duel", "opponent": "god"},
    {"game": "duel", "moves": "4 4"},
    {"game": "duel", "moves": "4 6 5 7 3"},
    {"game": "duel", "moves": "resign"},
    {"game": "factors", "moves": "999!"},
    {"game": "build", "moves": "7e 7e 7e"},
    {"game": "duel", "surprise": 1},
    {"game": ["duel"]},
    {},
]


@pytest.mark.parametrize("wishes", BAD, ids=str)
def test_a_game_that_cannot_be_played_is_not_created(site: Site, wishes: dict[str, Any]) -> None:
    before = asked(site.database, "SELECT count(*) FROM games")
    refused(new(site, **wishes), 422)
    assert asked(site.database, "SELECT count(*) FROM games") == before


# -- rules ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n in RULEBOOKS if not numduel.game(n).strict])
@pytest.mark.parametrize("move", ["99", "0", "-1", "4", "pass", "abc", "5!", "²", "4.5"])
def test_an_illegal_move_is_refused_with_the_sentence_of_the_library(
    site: Site, name: str, move: str
) -> None:
    people = friends(site.http, name)
    play(people, "4")
    before = people[1].game
    with pytest.raises(IllegalMove) as refusal:
        numduel.game(name).replay("4").play(move)
    assert refused(people[1].move(move), 422) == str(refusal.value)
    assert people[1].game == before
    assert [row.text for row in kept(site.database, people[0].id)][1:] == ["4"]


@pytest.mark.parametrize("name", ["factors", "build"])
def test_a_strict_game_is_lost_by_a_broken_rule(site: Site, name: str) -> None:
    one, two = friends(site.http, name, moves="7e 1x 2" if name == "build" else "")
    assert one.game["strict"]
    refused(one.move("abc"), 422)  # this is no move at all, and never punished
    broken = {"factors": "999", "build": "2e"}[name]
    game = accepted(one.move(broken))
    true(game)
    assert game["moves"][-1] == f"{broken}!"
    assert game["outcome"]["winner"] == 2
    assert "broken a rule" in game["outcome"]["reason"]
    assert kept(site.database, one.id)[-1].text == f"{broken}!"
    assert two.game == game


@pytest.mark.parametrize("name", ["factors", "build"])
def test_a_forgiving_game_lets_choose_again(site: Site, name: str) -> None:
    position = "7e 1x 2" if name == "build" else ""
    one, _ = friends(site.http, name, forgiving=True, moves=position)
    before = one.game
    assert not before["strict"]
    broken = {"factors": "999", "build": "2e"}[name]
    refused(one.move(broken), 422)
    assert one.game == before
    accepted(one.move(before["legal"][0]["move"]))


@pytest.mark.parametrize("kind", numduel.games(), ids=lambda kind: kind.name)
def test_only_a_strict_game_can_be_forgiving(site: Site, kind: type[numduel.Game]) -> None:
    """Where a broken rule never loses there is nothing to forgive, and the record says nothing."""
    one = create(site.http, kind.name, forgiving=True)
    assert parse(one.get("/record").text).forgiving == kind.strict
    question = "SELECT forgiving FROM games WHERE id = {}"
    assert asked(site.database, question, one.id) == [(kind.strict,)]


def test_a_forced_pass_is_made_by_the_server(site: Site) -> None:
    """Whose turn it is has a number: nobody is ever asked to pass."""
    state = numduel.game("capture", n=7).replay("2 4 5 7")
    assert state.forced_pass
    people = friends(site.http, "capture", variant={"n": 7})
    game = play(people, "2 4 5 7")
    assert game["moves"] == ["2", "4", "5", "7", "pass"]
    assert (game["to_move"], game["number"]) == (2, 6)
    true(game)
    rows = kept(site.database, people[0].id)[1:]
    assert [(row.seat, row.text) for row in rows] == [
        (1, "2"), (2, "4"), (1, "5"), (2, "7"), (1, "pass")
    ]  # fmt: skip
    one = create(site.http, "capture", variant={"n": 7}, moves="2 4 5 7")
    assert one.game["moves"] == ["2", "4", "5", "7", "pass"]


def test_a_move_may_be_written_as_people_write(site: Site) -> None:
    people = friends(site.http)
    assert play(people, "04 +5")["moves"] == ["4", "5"]
    assert accepted(people[0].move(" 6\n"))["moves"] == ["4", "5", "6"]


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("first", [1, 2])
def test_a_player_can_resign_on_either_turn(site: Site, seat: int, first: int) -> None:
    people = friends(site.http, first=first)
    game = accepted(people[seat - 1].resign())
    true(game)
    assert game["outcome"]["winner"] == 3 - seat
    assert game["outcome"]["reason"] == f"Player {seat} resigns."
    assert game["outcome"]["reasons"][seat] == "You resigned."
    assert game["outcome"]["reasons"][3 - seat] == f"Player {seat} resigned."
    assert game["said"] == f"Player {seat} resigns"
    assert {cell["state"] for cell in game["cells"]} == {"free"}
    refused(people[2 - seat].resign(), 409)
    record = parse(people[0].get("/record").text)
    assert record.result == str(3 - seat)
    assert record.state.text == game["text"] == ("resign" if seat == first else f"resign{seat}")
    told = people[0].get("/report").json()
    assert [ply["seat"] for ply in told["plies"]] == [seat]


def test_resigning_with_a_card_in_hand(site: Site) -> None:
    one, two = friends(site.http, "build")
    accepted(one.move("discard"))
    card = one.game["card"]
    game = accepted(two.resign())
    true(game)
    assert game["text"].split()[-2:] == [str(card), "resign"]


def test_resigning_while_the_other_has_a_card_in_hand(site: Site) -> None:
    one, _ = friends(site.http, "build")
    accepted(one.move("discard"))
    card = one.game["card"]
    game = accepted(one.resign())
    true(game)
    assert game["text"].split()[-2:] == [str(card), "resign1"]
    assert game["outcome"]["winner"] == 2


# -- beginning from a position --------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_game_can_be_tried_again_from_any_position(site: Site, name: str) -> None:
    people = friends(site.http, name, first=2)
    texts = [people[0].game["text"]]
    texts += [game["text"] for game in finish(people, Random(1)) if game["to_move"]]
    for text in texts[:6]:
        again = create(site.http, name, first=2, moves=text)
        game = again.game
        true(game)
        assert game["text"].startswith(text)
        if not (game["deck"] and not text.split()[-1:][0].isdigit()):
            assert game["text"] == text
        assert game["number"] == len(game["moves"])
        both = (again, join(again))
        for game in finish(both, Random(2)):
            true(game)


def cards_left(game: Any) -> Any:
    return next(fact["value"] for fact in game["facts"] if fact["label"] == "Cards left")


def test_a_waiting_card_is_dealt_again(site: Site) -> None:
    """And the deck below it has the other cards, in whatever order."""
    one = create(site.http, "build", moves="7e 5x 6")
    game = one.game
    assert (game["text"], game["card"], cards_left(game)) == ("7e 5x 6", 6, "17")
    two = join(one)
    *_, game = finish((one, two), Random(3))
    true(game)
    drawn = create(site.http, "build", moves="7e 5x").game
    assert drawn["card"] is not None
    assert cards_left(drawn) == "17"


def test_a_sentence_says_which_move_of_a_position_is_wrong(site: Site) -> None:
    assert refused(new(site, game="duel", moves="4 5 99"), 422).startswith("Move 3 (99): 99 is out")


# -- taking back ----------------------------------------------------------------------------


def test_a_friend_is_asked_before_a_move_is_taken_back(site: Site) -> None:
    one, two = people = friends(site.http)
    play(people, "4 6")
    game = accepted(one.undo())
    assert game["undo"] == 1
    assert game["moves"] == ["4", "6"]
    refused(one.undo(), 409)
    refused(two.undo(), 409)
    refused(one.undo("accept"), 409)
    refused(one.undo("refuse"), 409)
    game = accepted(two.undo("refuse"))
    assert (game["undo"], game["moves"]) == (None, ["4", "6"])
    refused(two.undo("accept"), 409)
    accepted(one.undo())
    game = accepted(two.undo("accept"))
    assert (game["undo"], game["moves"], game["to_move"]) == (None, [], 1)
    true(game)
    assert [row.kind for row in kept(site.database, one.id)] == [
        "join", "move", "move", "ask", "refuse", "ask", "undo"
    ]  # fmt: skip
    assert play(people, "5 7")["moves"] == ["5", "7"]


def test_the_last_mover_takes_back_one_move(site: Site) -> None:
    one, two = people = friends(site.http)
    play(people, "4 6 5")
    accepted(one.undo())
    game = accepted(two.undo("accept"))
    assert (game["moves"], game["to_move"]) == (["4", "6"], 1)


@pytest.mark.parametrize("mover", ["who asks", "who is asked"])
def test_a_move_ends_the_request_to_take_one_back(site: Site, mover: str) -> None:
    people = friends(site.http)
    play(people, "4 6")
    asking = 0 if mover == "who asks" else 1
    accepted(people[asking].undo())
    game = play(people, "5")
    assert (game["undo"], game["moves"]) == (None, ["4", "6", "5"])
    refused(people[1 - asking].undo("accept"), 409)
    assert people[0].game["moves"] == ["4", "6", "5"]


def test_a_player_without_a_move_has_none_to_take_back(site: Site) -> None:
    """And the game says whose wish would be refused."""
    one, two = people = friends(site.http)
    assert one.game["undoable"] == [False, False]
    refused(one.undo(), 403)
    assert play(people, "4")["undoable"] == [True, False]
    refused(two.undo(), 403)
    assert play(people, "6")["undoable"] == [True, True]
    assert accepted(one.resign())["undoable"] == [False, False]
    refused(Person(site.http, one.id).undo(), 403)


def drawn(people: Sequence[Person], moves: int) -> list[int]:
    """The cards that come when so many are discarded."""
    game = people[0].game
    cards = []
    for _ in range(moves):
        game = accepted(people[game["to_move"] - 1].move("discard", game["number"]))
        cards.append(game["card"])
    return cards


def take_back(people: Sequence[Person], moves: int) -> Any:
    """Have so many moves taken back, the last first; how the game stands then."""
    for _ in range(moves):
        mover = 2 - people[0].game["to_move"]
        accepted(people[mover].undo())
        game = accepted(people[1 - mover].undo("accept"))
        true(game)
    return game


def test_nobody_looks_at_the_next_cards_by_taking_moves_back(site: Site) -> None:
    """They return to the deck, which is shuffled again, and every process agrees how."""
    tables = [friends(site.http, "build", forgiving=True) for _ in range(6)]
    seen, again = [], []
    for people in tables:
        card = people[0].game["card"]
        seen.append(drawn(people, 4))
        game = take_back(people, 4)
        assert (game["moves"], game["card"]) == ([], card), "the card of the decision stays"
        again.append(drawn(people, 4))
    assert seen != again
    with served(site.database) as other:
        for people in tables:
            there = [person.over(other.http) for person in people]
            assert there[0].look() == people[0].look()
            assert drawn(there, 1) != []
    with served(site.database) as third:
        for people in tables:
            true(people[0].over(third.http).game)


def test_a_card_game_whose_moves_were_taken_back_before_decks_were_shuffled_again_goes_on(
    site: Site,
) -> None:
    """Its log has no secret: the cards come in the order in which they came then."""
    people = friends(site.http, "build", forgiving=True)
    deck = "7 5 6 2 9 1 2 3 4 5 6 7 8 9 10 1 3 4 8 10"
    question = "UPDATE games SET deck = {} WHERE id = {}"
    asked(site.database, question, deck, people[0].id)
    rows = [(1, "move", "7x"), (2, "move", "5x"), (2, "undo", ""), (1, "undo", ""),
            (1, "move", "7e"), (2, "move", "5e"), (1, "move", "6x")]  # fmt: skip
    for number, (seat, kind, text) in enumerate(rows, 2):
        asked(
            site.database,
            "INSERT INTO log (game, number, seat, kind, text, at) VALUES ({}, {}, {}, {}, {}, 0)",
            people[0].id, number, seat, kind, text,
        )  # fmt: skip
    with served(site.database) as other:
        people = (people[0].over(other.http), people[1].over(other.http))
        game = people[0].game
        true(game)
        assert game["text"] == "7e 5e 6x 2"
        assert drawn(people, 2) == [9, 1]


def test_the_secret_of_a_shuffled_deck_is_in_the_log_alone(site: Site) -> None:
    people = friends(site.http, "build", forgiving=True)
    spectator = Person(site.http, people[0].id)
    told: list[str] = []
    with spectator.live() as live:
        drawn(people, 3)
        take_back(people, 2)
        told += [person.get(what).text for person in (*people, spectator) for what in (
            "", "/record", "/values", "/hint", "/report",
        )]  # fmt: skip
        told.append(people[0].move("what?").text)
        accepted(people[people[0].game["to_move"] - 1].resign())
        told += [spectator.get(what).text for what in ("", "/record", "/report")]
        live.until(lambda game: game["outcome"] is not None, "the end")
        told.append(str(live.seen))
    secrets = [row.text for row in kept(site.database, people[0].id) if row.kind == "undo"]
    assert len(set(secrets)) == 2
    for secret in secrets:
        assert re.fullmatch("[0-9a-f]{32}", secret)
        assert secret not in "".join(told)
    duel = friends(site.http)
    play(duel, "4")
    take_back(duel, 1)
    assert kept(site.database, duel[0].id)[-1].text == "", "where no card is hidden, no secret"


def test_the_computer_always_agrees_to_take_back(site: Site) -> None:
    one = create(site.http, opponent="random")
    accepted(one.move(4))
    game = answered(one, 1)
    assert len(game["moves"]) == 2
    game = accepted(one.undo())
    assert (game["moves"], game["undo"], game["to_move"]) == ([], None, 1)
    accepted(one.move(5))
    assert answered(one, game["number"] + 1)["moves"][0] == "5"


# -- another game ---------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["one asks", "the other asks", "both at once"])
def test_when_both_want_another_game_they_have_it(site: Site, order: str) -> None:
    one, two = people = friends(site.http, name="Ann", variant={"n": 8})
    refused(one.rematch(), 403)
    accepted(one.resign())
    if order == "both at once":
        for answer in together(one.rematch, two.rematch):
            accepted(answer)
    else:
        asking, agreeing = people if order == "one asks" else people[::-1]
        seat = people.index(asking) + 1
        assert accepted(asking.rematch())["rematch"] == {"offered": seat, "game": None}
        assert accepted(asking.rematch())["rematch"] == {"offered": seat, "game": None}
        accepted(agreeing.rematch())
    told = [accepted(person.rematch())["rematch"]["game"] for person in people]
    assert told[0] is not None
    assert told[0] == told[1]
    number = one.game["number"]
    accepted(one.rematch())
    assert one.game["number"] == number, "asking once more changes nothing"
    again = [person.at(told[0]) for person in people]
    assert [person.look()["you"] for person in again] == [1, 2]
    game = again[0].game
    assert (game["first"], game["to_move"]) == (2, 2), "the other begins"
    assert game["names"] == ["Ann", "Player 2"]
    assert (game["variant"]["n"], game["moves"]) == (8, [])
    assert game["seats"] == [True, True]
    true(play(again, "4 5"))
    accepted(again[1].resign())
    accepted(again[0].rematch())
    third = accepted(again[1].rematch())["rematch"]["game"]
    assert again[0].at(third).game["first"] == 1


def test_rematches_keep_the_score(site: Site) -> None:
    people = friends(site.http)
    assert people[0].game["score"] == [0, 0]
    for loser, score in ((1, [0, 1]), (2, [1, 1]), (1, [1, 2])):
        before = people[0].game
        assert accepted(people[loser - 1].resign())["score"] == score
        accepted(people[0].rematch())
        again = accepted(people[1].rematch())["rematch"]["game"]
        people = people[0].at(again), people[1].at(again)
        assert people[0].game["score"] == score
        assert people[0].game["first"] == 3 - before["first"]


def test_the_catalogue_says_what_people_are_offered(site: Site) -> None:
    found = {game["name"]: game for game in site.http.get("/api/v1/rules").json()}
    assert found["factors"]["offered"] == {
        "variant": {"first": "even"},
        "changes": ["even first number"],
        "told": "The first number must be even.",
        "rulebook": "Begin with any number (the rulebook's start)",
    }
    assert found["factors"]["variant"]["first"] == "any", "a program plays the rulebook's game"
    assert found["line"]["offered"] is None


def test_the_key_of_a_browser_is_good_for_the_other_game(site: Site) -> None:
    body = {"game": "duel", "opponent": "friend", "cookie": True}
    with browser(site.url) as ann:
        told = ann.post("/api/v1/games", json=body).json()
        two = join(Person(site.http, told["id"], None, told["invite"]))
        game = f"/api/v1/games/{told['id']}"
        accepted(ann.post(f"{game}/resign", json={"after": 1}))
        accepted(ann.post(f"{game}/rematch", json={}))
        again = accepted(two.rematch())["rematch"]["game"]
        assert ann.get(f"/api/v1/games/{again}").json()["you"] == 1


def test_the_computer_always_wants_another_game(site: Site) -> None:
    one = create(site.http, opponent="random")
    accepted(one.resign())
    told = [accepted(one.rematch())["rematch"]["game"] for _ in range(2)]
    assert told[0] is not None
    assert told[0] == told[1]
    again = one.at(told[0])
    assert again.look()["you"] == 1
    game = answered(again, 0)
    assert (game["first"], game["players"]) == (2, ["human", "random"])
    assert len(game["moves"]) == 1, "the computer begins this time"


# -- two people on one screen ----------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_one_token_plays_both_seats_of_a_game_on_one_screen(site: Site, name: str) -> None:
    both = create(site.http, name, opponent="here", name="Ada", name2="Bo", first=2)
    told = both.look()
    assert (told["you"], told["game"]["names"]) == (1, ["Ada", "Bo"])
    assert told["game"]["one_screen"]
    assert told["game"]["seats"] == [True, True]
    refused(Person(site.http, both.id).move(1), 403)
    for game in finish((both, both), Random(name)):
        true(game)
    again = accepted(both.rematch())["rematch"]["game"]
    after = both.at(again).look()["game"]
    assert (after["one_screen"], after["first"], sum(after["score"])) == (True, 1, 1)


def test_on_one_screen_nobody_is_asked(site: Site) -> None:
    """Neither before a move is taken back, whoever made it, nor for hints; giving up is done by
    whoever is to move."""
    both = create(site.http, opponent="here", seat=2, name="Ada")
    assert both.game["names"] == ["Player 1", "Ada"]
    assert both.game["undoable"] == [False, False]
    refused(both.undo(), 403)
    play((both, both), "4 6 5")
    assert accepted(both.undo())["moves"] == ["4", "6"]
    game = accepted(both.undo())
    assert (game["moves"], game["to_move"], game["undo"]) == (["4"], 2, None)
    assert both.get("/hint").json()["lines"]
    assert both.get("/values").json()["options"]
    refused(Person(site.http, both.id).get("/values"), 403)
    assert accepted(both.resign())["outcome"]["reason"] == "Ada resigns."
    assert "your mistake" not in both.get("/report").text, "the reader is both of them"
    with both.live() as live:
        live.until(lambda game: game["present"] == [True, True], "both to be there")


def test_two_names_are_for_one_screen_and_not_the_same(site: Site) -> None:
    refused(new(site, game="duel", name2="Bo"), 422)
    refused(new(site, game="duel", opponent="easy", name2="Bo"), 422)
    refused(new(site, game="duel", opponent="here", name="Bo", name2="bo"), 422)


def test_a_game_lists_its_movers_and_the_names_of_its_moves(site: Site) -> None:
    people = friends(site.http, first=2)
    assert play(people, "5 6")["said"] == "Player 1 plays 6"
    assert play(people, "1")["movers"] == [2, 1, 2]
    over = accepted(people[1].resign())
    assert over["movers"] == [2, 1, 2, 2]
    assert over["spoken"] == ["5", "6", "1", "resigns"]


# -- the computer ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", ["random", "easy", "perfect"])
def test_the_computer_answers(site: Site, name: str, level: str) -> None:
    for seat, first in ((1, 2), (2, 1)) if level == "random" else ((1, 2),):
        one = create(site.http, name, opponent=level, seat=seat, first=first, forgiving=True)
        luck = Random(seat)
        game = answered(one, 0)
        assert game["names"][2 - seat] == f"Computer ({level})"
        assert game["present"][2 - seat]
        while game["to_move"]:
            true(game)
            assert game["to_move"] == seat
            game = accepted(one.move(luck.choice(game["legal"])["move"]))
            if game["to_move"] == 3 - seat:  # It may have had to pass.
                game = answered(one, game["number"])
        true(game)


def test_the_computer_plays_its_best(site: Site) -> None:
    """A perfect computer that begins Sequence Duel wins it."""
    for number in range(3):
        one = create(site.http, opponent="perfect", first=2)
        game, luck = answered(one, 0), Random(number)
        while game["to_move"]:
            game = accepted(one.move(luck.choice(game["legal"])["move"]))
            game = answered(one, game["number"]) if game["to_move"] else game
        assert game["outcome"]["winner"] == 2


def test_the_computer_answers_after_a_move_was_taken_back_while_it_was_thinking(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answer to the move that was taken back comes too late; the next one is answered."""
    solvers = site.app.state.solvers
    ask = solvers.ask
    held: list[asyncio.Event] = []
    loop: list[asyncio.AbstractEventLoop] = []

    async def slowly(task: str, *arguments: Any, **options: Any) -> Any:
        if task == "choose" and not loop:
            loop.append(asyncio.get_running_loop())
            held.append(asyncio.Event())
            await held[0].wait()
        return await ask(task, *arguments, **options)

    monkeypatch.setattr(solvers, "ask", slowly)
    one = create(site.http, opponent="random")
    accepted(one.move(4))
    until(lambda: held, "the computer to think")
    accepted(one.undo())
    game = accepted(one.move(5))
    loop[0].call_soon_threadsafe(held[0].set)
    game = answered(one, game["number"])
    assert game["moves"][0] == "5"
    assert len(game["moves"]) == 2


def test_polling_a_game_wakes_the_computer_after_a_failure(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    solvers = site.app.state.solvers
    ask = solvers.ask
    failed: list[str] = []

    async def failing(task: str, *arguments: Any, **options: Any) -> Any:
        if task == "choose" and not failed:
            failed.append(task)
            raise Busy("There is too much to do.")
        return await ask(task, *arguments, **options)

    monkeypatch.setattr(solvers, "ask", failing)
    monkeypatch.setattr(computer, "RETRY_SECONDS", 0.01)
    one = create(site.http, opponent="random")
    accepted(one.move(4))
    assert len(answered(one, 1)["moves"]) == 2
    assert failed


def test_a_game_says_that_it_is_estimated_from_the_first_estimate_on(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([("99", False), ("97", True), ("95", True)])

    async def choose(task: str, *_: Any, **__: Any) -> Any:
        assert task == "choose"
        return next(answers)

    monkeypatch.setattr(site.app.state.solvers, "ask", choose)
    one = create(site.http, "capture", opponent="perfect", variant={"n": 99})
    told = []
    for move in (1, 3, 5):
        number = accepted(one.move(move))["number"]
        told.append(answered(one, number)["estimated"])
    assert told == [False, True, True]
    assert [row.kind for row in kept(site.database, one.id)].count("estimate") == 1
    accepted(one.undo())
    assert one.game["estimated"]


# -- what moves are worth -------------------------------------------------------------------


def test_values_of_a_game_between_two_people_come_when_it_is_over(
    site: Site,
) -> None:
    people = friends(site.http)
    spectator = Person(site.http, people[0].id)
    play(people, "4 6 5 7")
    for person in (*people, spectator):
        for what in ("values", "hint", "report"):
            refused(person.get(f"/{what}"), 403)
    play(people, "3")
    for person in (*people, spectator):
        assert person.get("/values").json() == {"options": [], "legend": "", "evaluation": None}
        assert person.get("/hint").json() == {"nudge": "", "lines": [], "move": None}
        report = person.get("/report").json()
        assert len(report["plies"]) == 5
        assert len(report["levels"]) == 6
        assert [ply["move"] for ply in report["plies"]] == ["4", "6", "5", "7", "3"]
        assert report["lines"][0] == "Sequence Duel: Player 1 against Player 2, 5 moves." + (
            " Player 1 won."
        )
        whose = "your inaccuracy" if person is people[0] else "an inaccuracy by Player 1"
        assert report["plies"][2]["told"].startswith(f"Move 3, {whose}: 5. It was a slower win")


def test_values_and_hints_are_allowed_against_the_computer(site: Site) -> None:
    one = create(site.http, opponent="random")
    values = one.get("/values").json()
    state = numduel.game("duel").start()
    options = {str(option.move): option for option in numduel.analyse(state)}
    assert {told["move"] for told in values["options"]} == set(options)
    for told in values["options"]:
        option = options[told["move"]]
        assert told["win_probability"] == option.win_probability
        assert (told["plies"], told["best"]) == (option.plies, option.best)
        assert told["worth"] == coach.worth(state.game, option)
    hint = one.get("/hint").json()
    assert hint["nudge"] == "How many sequences is each number in?"
    assert hint["lines"][1] == "So choose 5; 3, 4, 6 and 7 are just as good."
    assert hint["move"] == "5"
    refused(one.get("/report"), 403)
    spectator = Person(site.http, one.id)
    refused(spectator.get("/values"), 403)
    refused(spectator.get("/hint"), 403)
    accepted(one.resign())
    assert spectator.get("/report").status_code == 200


def test_a_game_against_the_computer_from_a_position_counts_as_one_with_help(site: Site) -> None:
    one = create(site.http, opponent="easy", moves="4 6")
    assert (one.game["help"], one.game["text"]) == (["undo"], "4 6")
    assert create(site.http, opponent="here", moves="4 6").game["help"] == []


def test_a_game_remembers_the_help_that_was_used_in_it(site: Site) -> None:
    one = create(site.http, opponent="here", moves="5 1")
    seen = one.game["number"]
    assert one.game["help"] == []
    for _ in range(2):
        one.get("/hint")
    assert (one.game["help"], one.game["number"]) == (["hint"], seen + 1), "once is enough"
    accepted(one.move("2", after=seen))  # nobody has to look again because of a hint
    accepted(one.undo())
    one.get("/values")
    accepted(one.resign())
    for what in ("/hint", "/values", "/report"):
        one.get(what)
    assert one.game["help"] == ["hint", "undo", "values"]
    assert "Help: hint values undo\n" in one.get("/record").text
    without = create(site.http, opponent="random")
    accepted(without.resign())
    without.get("/values")
    assert without.game["help"] == []


def test_a_hint_never_knows_the_next_card(site: Site) -> None:
    """It is what the library says of the cards on the table, whatever lies in the deck."""
    one = create(site.http, "build", opponent="random", forgiving=True)
    game = one.game
    state = numduel.game("build").replay(game["text"])
    told = {
        option["move"]: option["win_probability"] for option in one.get("/values").json()["options"]
    }
    assert told == pytest.approx(
        {str(option.move): option.win_probability for option in numduel.analyse(state)}
    )


# -- without a game -------------------------------------------------------------------------


def asked_for(game: Any) -> dict[str, Any]:
    """A position as an address says it."""
    variant = " ".join(f"{name}={value}" for name, value in game["variant"].items())
    return {
        "game": game["game"], "variant": variant, "first": game["first"],
        "moves": game["text"],
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_any_position_can_be_looked_at(site: Site, name: str) -> None:
    people = friends(site.http, name, first=2)
    for game in finish(people, Random(4)):
        told = site.http.get("/api/v1/position", params=asked_for(game)).json()
        true(told)
        assert told == {key: game[key] for key in told}


def test_a_position_has_the_chances_of_the_next_card(site: Site) -> None:
    told = site.http.get("/api/v1/position", params={"game": "build", "moves": "7e"}).json()
    assert told["draws"]["7"] == pytest.approx(1 / 19)
    assert told["draws"]["1"] == pytest.approx(2 / 19)
    told = site.http.get("/api/v1/position", params={"game": "build", "moves": "7e 1"}).json()
    assert (told["draws"], told["card"]) == ({}, 1)


@pytest.mark.parametrize(
    ("game", "moves", "move", "why"),
    [
        ("capture", "21 9", "20", "20 is blocked: it is next to your 21."),
        ("factors", "4", "7", "7 is neither a factor nor a multiple of 4."),
        ("factors", "4", "8", None),
        ("duel", "4", "4", "4 has already been picked."),
        ("build", "7e 3e 5", "5e",
         "5 cannot go to the end of [7]: it is neither one higher nor one lower than 7."),
    ],
)  # fmt: skip
def test_the_rules_say_why_a_move_is_not_allowed(
    site: Site, game: str, moves: str, move: str, why: str | None
) -> None:
    asked = {"game": game, "moves": moves, "move": move}
    assert site.http.get("/api/v1/why", params=asked).json() == {"why": why}


def test_the_server_says_whether_a_variant_can_be_played(site: Site) -> None:
    def told(variant: str) -> Any:
        return site.http.get("/api/v1/variant", params={"game": "line", "variant": variant}).json()

    assert told("") == {"changes": [], "refusal": None}
    assert told("n=12")["changes"]
    for nonsense, why in (
        ("n=5 k=7", "7 in a row do not fit"),
        ("k=x", "k "),
        ("n=500", "On this server "),
    ):
        assert told(nonsense)["refusal"].startswith(why)
    assert site.http.get("/api/v1/variant", params={"game": "chess"}).status_code == 422


def test_a_position_has_values_and_a_report(site: Site) -> None:
    query: dict[str, Any] = {"game": "duel", "moves": "4 6 5"}
    values = site.http.get("/api/v1/values", params=query).json()
    assert {option["move"] for option in values["options"]} == {"1", "2", "3", "7", "8", "9"}
    report = site.http.get("/api/v1/report", params=query).json()
    assert len(report["plies"]) == 3
    for what in ("position", "values", "report"):
        for key, wrong in (
            ("moves", "4 4"), ("variant", "n=0"), ("variant", "x"), ("first", 3), ("game", "x"),
            ("game", "duel\nDeck: 1"), ("moves", "x" * 7000),
        ):  # fmt: skip
            refused(site.http.get(f"/api/v1/{what}", params=query | {key: wrong}), 422)


def performed(
    site: Site,
    state: dict[str, Any],
    action: str,
    given: str = "",
    name: str = "puzzle",
    passed: float = 0,
) -> dict[str, Any]:
    """What the server says of an activity after an action."""
    body = {"state": state, "action": action, "given": given, "passed": passed}
    answer = site.http.post(f"/api/v1/activities/{name}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def test_a_puzzle_is_done_through_the_server_which_keeps_nothing_of_it(site: Site) -> None:
    begun = performed(site, {}, "begin", "game=duel&seed=9&grade=3")
    assert begun["scene"]["title"] == "Puzzle 9: Sequence Duel"
    assert begun["scene"]["state"]["text"] == "2 6"
    assert begun["state"]["today"] == date.today().isoformat()
    wrong = performed(site, begun["state"], "move", "4")
    assert wrong["scene"]["said"][0] == {"kind": "wrong", "text": "4 is not it."}
    right = performed(site, wrong["state"], "move", "3")
    assert [after["text"] for after in right["scene"]["line"]] == ["2 6 3", "2 6 3 1", "2 6 3 1 4"]
    assert right["scene"]["said"][-1]["text"].endswith("grade 3 · solved on try 2")
    assert right["state"]["solved"] == 1
    assert performed(site, wrong["state"], "move", "3") == right  # the same again is the same again


def test_the_page_of_a_game_knows_how_long_a_card_is_seen(site: Site) -> None:
    assert f'data-seconds="{FORCED_PAUSE}"' in site.http.get(f"/play/{create(site.http).id}").text


def test_the_page_of_puzzles_knows_the_squares(site: Site) -> None:
    [told] = re.findall("data-squares='(.*?)'", site.http.get("/puzzles").text)
    assert json.loads(told) == SQUARES


def test_the_page_of_the_storm_says_its_rules(site: Site) -> None:
    assert RULES in site.http.get("/storm").text


def test_the_time_of_a_storm_is_told_with_what_is_done(site: Site) -> None:
    begun = performed(site, {"seed": 3}, "start", "duel", "storm")
    assert (begun["scene"]["clock"], begun["scene"]["then"]) == (180, "more")
    answer = begun["state"]["posed"]["answer"]
    right = performed(site, begun["state"], "move", answer, "storm", passed=5.5)
    assert right["scene"]["said"] == [{"kind": "right", "text": "Right."}]
    assert right["scene"]["clock"] == 174.5
    ticked = performed(site, right["state"], "tick", "", "storm", passed=4.5)
    assert ticked["scene"]["clock"] == 170
    late = performed(site, ticked["state"], "move", answer, "storm", passed=170)["scene"]
    assert (late["goal"], late["clock"]) == ("The storm is over: 1 solved, your best.", None)
    for wrong in (-1, 1e9, "x", None):
        body = {"state": right["state"], "action": "tick", "passed": wrong}
        refused(site.http.post("/api/v1/activities/storm", json=body), 422)
    endless = json.dumps({"state": right["state"], "action": "tick"}).replace("174.5", "1e999")
    refused(
        site.http.post(
            "/api/v1/activities/storm",
            content=endless,
            headers={"Content-Type": "application/json"},
        ),
        422,
    )
    states: list[dict[str, Any]] = [
        {"seconds": 1e308}, {"best": {"duel": "x"}}, {"game": "chess"}, {"stage": "won"},
        {"posed": right["state"]["posed"] | {"answer": "x"}}, {"ready": [{}]}, {"posed": None},
    ]  # fmt: skip
    for made_up in states:
        for action in ("move", "more", "stop", "game", "tick"):
            body = {"state": right["state"] | made_up, "action": action, "given": answer}
            answered = site.http.post("/api/v1/activities/storm", json=body)
            assert answered.status_code in (200, 422), answered.text


def test_a_player_tries_a_mistake_again_through_the_server(site: Site) -> None:
    record = "Game: duel\nName 1: Ada\nPlayer 2: perfect\n\n1 5 9 4 8 6\n"
    begun = performed(site, {"record": record, "seat": 1}, "begin", name="mistakes")
    assert begun["scene"]["state"]["names"] == ["Ada", "Player 2"]
    assert [wrong["number"] for wrong in begun["state"]["wrong"]] == [1]
    right = performed(site, begun["state"], "move", "5", "mistakes")
    assert right["scene"]["said"][0] == {"kind": "right", "text": "Right."}


def test_lines_are_tried_through_the_server_and_their_values_come_after_the_position(
    site: Site,
) -> None:
    begun = performed(site, {}, "begin", "game=duel&moves=1+5&name1=Ada", "analysis")
    scene = begun["scene"]
    assert (scene["state"]["text"], scene["then"]) == ("1 5", "value")
    valued = performed(site, begun["state"], scene["then"], name="analysis")["scene"]
    known = site.http.get("/api/v1/values", params={"game": "duel", "moves": "1 5"}).json()
    assert (valued["values"], valued["then"]) == (known, "")
    state = performed(site, begun["state"], "go", "1 5 4", "analysis")["state"]
    for game in ("1 5 7", "1 5 8", "1 6", "2"):
        state = performed(site, state | {"worth": None}, "go", game, "analysis")["state"]
    back = performed(site, state, "go", "1", "analysis")["scene"]
    assert [ply["move"] for ply in back["tree"]] == ["1", "5", "4", "7", "8", "6", "2"]
    for wrong in ("game=line&variant=n%3D130", "game=nothing", "game=duel&moves=1+1", "first=3"):
        body = {"action": "begin", "given": wrong}
        refused(site.http.post("/api/v1/activities/analysis", json=body), 422)
    states: list[dict[str, Any]] = [
        {"lines": []},
        {"place": -9},
        {"head": "x"},
        {"lines": state["lines"][:1]},
    ]
    for broken in states:
        body = {"state": state | broken, "action": "back"}
        assert site.http.post("/api/v1/activities/analysis", json=body).status_code in (200, 422)


@pytest.mark.parametrize("head", ["Game: line\n", "First: 2\nGame: line\n"])
def test_an_activity_takes_no_board_that_is_too_large(site: Site, head: str) -> None:
    state = {"record": f"{head}Variant: n=130\n\n1 2\n"}
    body = {"state": state, "action": "begin", "given": ""}
    assert "at most 120" in refused(site.http.post("/api/v1/activities/mistakes", json=body), 422)


def test_a_state_of_an_activity_is_not_believed(site: Site) -> None:
    begun = performed(site, {}, "begin", "game=duel&seed=9&grade=3")["state"]
    work = {"task": "warm", "arguments": ["duel"], "told": ""}
    assert performed(site, begun | {"work": work}, "nonsense")["state"]["work"] is None

    def refuse(state: dict[str, Any], action: str = "show") -> None:
        body = json.dumps({"state": state, "action": action, "given": ""})
        kind = {"Content-Type": "application/json"}
        refused(site.http.post("/api/v1/activities/puzzle", content=body, headers=kind), 422)

    posed = begun["posed"]
    refuse({"seed": "x"}, "begin")
    refuse({"seed": 10**400}, "begin")
    refuse(begun | {"posed": posed | {"at": "nonsense"}})
    refuse(begun | {"posed": posed | {"at": "Game: duel\n\n\n"}})  # it is no puzzle
    refuse(begun | {"posed": posed | {"at": "Game: factors\nVariant: n=500\n\n\n"}}, "nonsense")
    refuse(begun | {"candidates": ["99"], "nudges": 9}, "hint")
    refuse(begun | {"nudges": -9}, "hint")
    refuse(begun | {"tries": "9" * 4000}, "nonsense")
    refuse(begun | {"line": 151 * ["Game: duel\n\n\n"]}, "nonsense")
    refuse(begun | {"wish": "\ud800"}, "next")
    refuse(begun | {"wish": "x" * 5000}, "next")
    large = {"posed": posed | {"at": "Game: duel\nVariant: n=500 k=3\n\n\n"}}
    body = {"state": begun | large, "action": "show"}
    told = site.http.post("/api/v1/activities/puzzle", json=body).json()["error"]
    assert told.startswith("On this server a game has at most "), "refused before it is solved"
    deep: dict[str, Any] = {}
    for _ in range(9):
        deep = {"state": deep}
    refuse(deep, "begin")
    refused(site.http.post("/api/v1/activities/juggling", json={"action": "begin"}), 422)


def test_a_state_that_an_activity_cannot_work_with_is_refused(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one of another package may, which expects no data that is made up."""
    monkeypatch.setattr(Puzzles, "act", lambda *_: 1 / 0)
    answer = site.http.post("/api/v1/activities/puzzle", json={"state": {}, "action": "begin"})
    told = "This cannot be continued from here; start again."
    assert refused(answer, 422) == told


@pytest.mark.parametrize("game", NAMES)
def test_a_puzzle_is_solved_by_one_move_and_a_wrong_one_gives_nothing_away(
    site: Site, game: str
) -> None:
    told = site.http.get("/api/v1/puzzle", params={"game": game, "seed": 7}).json()
    assert told == site.http.get("/api/v1/puzzle", params={"game": game, "seed": 7}).json()
    state = told["state"]
    position = true(state)
    found = posed(position)
    assert found is not None
    query = asked_for(state)
    right = str(found.solution)
    for move in (legal["move"] for legal in state["legal"]):
        answer = site.http.get("/api/v1/puzzle/answer", params={**query, "move": move}).json()
        assert answer["right"] == (move == right)
        if move == right:
            solution = answer["solution"]
        else:
            why = answer.pop("why")
            assert right not in re.findall(r"\w+", why)
            assert answer == {"right": False, "nudges": list(found.nudges), "solution": None}
    assert (solution["move"], solution["words"]) == (right, found.explained())
    assert [after["text"] for after in solution["line"]] == [after.text for after in found.line()]
    refused(site.http.get("/api/v1/puzzle/answer", params={**query, "move": "999"}), 422)
    shown = site.http.get(
        "/api/v1/puzzle/answer", params={**query, "move": state["legal"][0]["move"], "reveal": True}
    ).json()
    assert shown["solution"] == solution


@pytest.mark.parametrize(
    ("words", "query"),
    [
        ("--seed 12", {"seed": 12}),
        ("duel --seed 3", {"seed": 3, "game": "duel"}),
        ("capture --seed 5 --grade 5", {"seed": 5, "game": "capture", "grade": 5}),
        ("--date 2020-02-02", {"date": "2020-02-02"}),
    ],
)
def test_the_prompt_and_the_page_ask_the_same_puzzle(
    site: Site, words: str, query: dict[str, Any]
) -> None:
    prompt = json.loads(CliRunner().invoke(app, ["puzzle", *words.split(), "--json"]).stdout)
    page = site.http.get("/api/v1/puzzle", params=query).json()
    assert (page["state"]["game"], page["state"]["text"]) == (prompt["game"], prompt["moves"])
    assert (page["task"], page["grade"]) == (prompt["task"], prompt["grade"])
    linked = site.http.get(f"/api/v1/puzzle?{page['link']}").json()
    assert linked == page
    assert not {"theme", "ideas", "solution"} & set(page)


def test_the_daily_puzzle_is_that_of_the_day_where_somebody_is_and_never_of_a_later_one(
    site: Site,
) -> None:
    def link(days: int, action: str = "begin") -> str:
        told = {"today": (date.today() + timedelta(days)).isoformat()}
        body = {"state": told, "action": action, "given": ""}
        return str(site.http.post("/api/v1/activities/puzzle", json=body).json()["scene"]["link"])

    here = date.today()
    assert link(1) == f"date={here + timedelta(1)}"
    assert link(-1) == f"date={here - timedelta(1)}"
    assert link(2) == link(-2) == f"date={here}"


def test_every_day_has_a_puzzle(site: Site) -> None:
    one = site.http.get("/api/v1/puzzle", params={"date": "2020-02-02"}).json()
    assert one["title"] == "Puzzle of 2 February 2020"
    assert one["moves"] >= 3
    true(one["state"])
    assert site.http.get("/api/v1/puzzle", params={"date": "2020-02-02"}).json() == one
    days = {date.today().isoformat()}
    today = site.http.get("/api/v1/puzzle").json()
    days.add(date.today().isoformat())  # It may be midnight.
    assert today["today"]
    assert today["date"] in days
    assert not site.http.get("/api/v1/puzzle", params={"date": "2020-02-02"}).json()["today"]
    for wrong in (
        "date=yesterday", "grade=9", "game=chess", "seed=x", "seed=-1", "date=2020-02-02&seed=3",
        f"date={date.today() + timedelta(3)}",
    ):  # fmt: skip
        refused(site.http.get(f"/api/v1/puzzle?{wrong}"), 422)


def test_an_unknown_game_or_path_is_not_found(site: Site) -> None:
    nobody = Person(site.http, "nosuchgame00")
    for what in ("", "/record", "/values", "/hint", "/report", "/events"):
        refused(nobody.get(what), 404)
    bodies: dict[str, dict[str, Any]] = {
        "moves": {"move": "1", "after": 0}, "resign": {"after": 0}, "rematch": {},
        "undo": {"say": "ask", "after": 0}, "join": {"invite": "A" * 22},
    }  # fmt: skip
    for what, body in bodies.items():
        refused(nobody.post(what, **body), 404)
    refused(site.http.get("/api/v1/nothing"), 404)


DIRECTLY = "application/json"
BY_FASTAPI = "application/json; charset=utf-8"
"""Both say the same; the layers in front of FastAPI know the first."""


@pytest.mark.parametrize(
    "content",
    [
        '{"move": "5", "after": 2}', '{"move": "5", "after": 1}', '{"move": "x", "after": 2}',
        '{"move": "77", "after": 2}', '{"move": "3", "after": 9}', '{"move": 5}', "[]", "{", "",
        '{"move": "5", "after": "zero"}', '{"after": NaN, "move": "5"}', "\x00", '"\ud800"',
    ],
)  # fmt: skip
def test_the_fast_route_and_fastapi_answer_a_move_alike(site: Site, content: str) -> None:
    answers = []
    for kind in (DIRECTLY, BY_FASTAPI):
        one, two = friends(site.http)
        play((one, two), "4")
        for who in (two, one, Person(site.http, one.id), Person(site.http, "nosuchgame00", "t")):
            response = site.http.post(
                f"/api/v1/games/{who.id}/moves",
                content=content.encode(errors="surrogatepass"),
                headers={**who.headers, "Content-Type": kind},
            )
            told = response.text.replace(one.id, "ID")
            answers.append((kind, response.status_code, told))
    half = len(answers) // 2
    assert [answer[1:] for answer in answers[:half]] == [answer[1:] for answer in answers[half:]]
    assert {status for _, status, _ in answers} <= {200, 403, 404, 409, 422}


def test_the_computer_goes_on_where_the_person_has_to_pass(site: Site) -> None:
    """Whoever only looks on over the live channel is not left waiting."""
    state = numduel.game("capture", n=13).replay("10 5 7 1 12 8 4 3 2")
    assert all(state.play(move).forced_pass for move in state.legal_moves)
    one = create(
        site.http, "capture", opponent="random", variant={"n": 13}, seat=1, moves=state.text
    )
    with one.live() as live:
        live.until(lambda game: game["outcome"] or game["to_move"] == 1, "the computer's moves")


def test_the_computer_thinks_for_the_key_of_the_player_who_waits(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flood without a key at the same address then keeps no move from being worked out, in the
    next game neither."""
    seats: list[str] = []
    think = Solvers.ask

    async def noted(solvers: Solvers, task: str, *arguments: Any, seat: str = "") -> Any:
        if task == "choose":
            seats.append(seat)
        return await think(solvers, task, *arguments, seat=seat)

    monkeypatch.setattr(Solvers, "ask", noted)
    known = site.app.state.service.registry.bus.known
    monkeypatch.setattr(known, "_newcomers", MagicMock(**{"spend.return_value": 0.0}))
    one = create(site.http, opponent="random", seat=2)
    until(lambda: one.game["to_move"] == 2, "the computer to begin")
    accepted(one.move(one.game["legal"][0]["move"]))
    until(lambda: one.game["to_move"] == 2 or one.game["outcome"], "the computer to answer")
    if not one.game["outcome"]:
        accepted(one.resign())
    again = one.at(accepted(one.rematch())["rematch"]["game"])
    until(lambda: again.game["to_move"] == again.look()["you"], "the next game")
    assert len(seats) >= 2
    assert set(seats) == {page_key(digest(str(one.token)))}
