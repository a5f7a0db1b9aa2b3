"""Games from another package: installed, taken through every door, and removed again."""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import httpx
import pytest
from hatchling.build import build_wheel
from numduel_examples.pawns import Pawns
from numduel_examples.pile import Pile
from numduel_examples.reach import Reach

import numduel
from numduel.testing import check_game
from tests.cli import environment, keep, run
from tests.everywhere import Ran
from tests.page.browser import Guest, play_out, server_in, sit
from tests.plugins.limit import remaining
from tests.solver.brute import expected_win
from tests.web.site import Process

pytest_plugins = ("tests.page.browser",)
ROOT = Path(__file__).parents[2]
GAMES = ("pawns", "pile", "reach")
RECORD = """\
Game: last-of-the-pile
Variant: pile=7 most=3
First: 1
Result: 1

1 1 1 1 3
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of the examples, built as pip builds it, in a folder of its own."""
    folder = tmp_path_factory.mktemp("installed")
    with chdir(ROOT / "examples"):
        wheel = folder / build_wheel(str(folder))
    with ZipFile(wheel) as packed:
        packed.extractall(folder)
    wheel.unlink()
    return folder


def run_with(package: Path, home: Path, *words: str, typed: str = "") -> Ran:
    """Run the command where a package is installed. It runs in a fork of a process that has looked
    for games before, so it looks again."""
    installed = (
        f"import sys; sys.path.insert(0, {str(package)!r})",
        f"import os; os.environ['PYTHONPATH'] = {str(package)!r}",
        "from numduel.games import games; games.cache_clear()",
    )
    return run(home, *words, typed=typed, before=installed)


@pytest.fixture
def numduel_here(package: Path, tmp_path: Path) -> Callable[..., Ran]:
    """The command, where the examples are installed."""
    return partial(run_with, package, tmp_path)


def told(done: Ran) -> str:
    assert done.code == 0, done
    assert "Traceback" not in done.err
    return done.out


def in_order(*others: type[numduel.Game]) -> list[str]:
    """The names of these and of all games that are here, in the order of menus."""
    kinds = sorted([*numduel.games(), *others], key=lambda kind: (kind.order, kind.name))
    return [kind.name for kind in kinds]


# -- the prompt -----------------------------------------------------------------------------


def test_foreign_games_are_listed_with_all_others(numduel_here: Callable[..., Ran]) -> None:
    listed = [game["name"] for game in json.loads(told(numduel_here("games", "--json")))]
    assert listed == in_order(Pawns, Pile, Reach)
    assert Pile.summary in told(numduel_here("games"))


def test_a_pile_is_played_at_the_prompt(numduel_here: Callable[..., Ran]) -> None:
    typed = "rules\n3\nvalues\nhint\nhint\n4\n1\nundo\n3\n3\n3\n3\n"
    said = told(numduel_here("pile", typed=typed))
    assert "Player 2, choose a number from 1 to 3: 4\n4 cannot be taken: the pile has 12." in said
    assert "The last move is taken back.\n\nPile: 12\n" in said
    assert said.endswith("\nPlayer 1 took the last one.\nPlayer 1 wins the game!\n")


def test_cards_are_played_in_four_ways_at_the_prompt(numduel_here: Callable[..., Ran]) -> None:
    typed = "add\nx\n2t\nleave\nvalues\nhint\nhint\nd\nundo\nx\n" + "x\n" * 9
    said = told(numduel_here("play", "reach", "--deck", "4 1 2 3 5", typed=typed))
    assert "Player 1's Total: 4\nPlayer 2's Total: 0\nIn the deck: 1, 2, 2, 3, 3, 4, 5\n" in said
    assert "Player 1: take away\n\nPlayer 1's Total: 2\n" in said
    assert said.endswith(" wins the game!\n")


def test_pawns_walk_from_square_to_square_at_the_prompt(numduel_here: Callable[..., Ran]) -> None:
    typed = "a1a2\nb3a2\nA1B2\nc9\nvalues\nhint\nhint\nundo\nb3a2\nb1a2\nc3c2\n"
    said = told(numduel_here("play", "pawns", typed=typed))
    board = "a3[P2] b3     c3[P2]\na2[P2] b2     c2\na1     b1[P1] c1[P1]\n"
    assert f"Player 2: b3a2\n\n{board}" in said
    assert "A1B2\na1b2 is not possible here.\n" in said
    assert "c9\nPlease type where a pawn stands and where it goes, such as a1a2.\n" in said
    assert said.endswith("\nPlayer 1 cannot move.\nPlayer 2 wins the game!\n")


@pytest.mark.parametrize("name", GAMES)
def test_the_computer_plays_itself_and_the_game_is_kept(
    name: str, numduel_here: Callable[..., Ran]
) -> None:
    options = ("--p1", "perfect", "--p2", "easy", "--seed", "3")
    assert "wins the game!" in told(numduel_here("play", name, *options))
    assert json.loads(told(numduel_here("replay", "--json")))["game"] == numduel_id(name)
    assert "Accuracy" in told(numduel_here("review"))


def numduel_id(name: str) -> str:
    return {"pawns": Pawns.id, "pile": Pile.id, "reach": Reach.id}[name]


# -- other commands -------------------------------------------------------------------------


def test_every_move_is_analysed(numduel_here: Callable[..., Ran]) -> None:
    found = json.loads(told(numduel_here("analyse", "pile", "--json")))
    assert {option["move"]: option["win_probability"] for option in found["moves"]} == {
        "3": 1.0, "1": 0.0, "2": 0.0,
    }  # fmt: skip
    assert "best  double  56.1 %" in told(numduel_here("analyse", "reach", "--moves", "3"))


@pytest.mark.parametrize("name", [pytest.param("pile", marks=pytest.mark.proof), "reach"])
def test_it_is_solved_and_made_into_puzzles(name: str, numduel_here: Callable[..., Ran]) -> None:
    small = ("--set", "high=3") if name == "reach" else ()
    told(numduel_here("solve", name, *small))
    puzzle = json.loads(told(numduel_here("puzzle", name, "--json", "--seed", "5")))
    assert puzzle["game"] == numduel_id(name)


def test_a_tournament_is_played(numduel_here: Callable[..., Ran]) -> None:
    words = ("tournament", "perfect", "random", "--game", "pile", "--game", "reach")
    found = json.loads(told(numduel_here(*words, "--rounds", "2", "--jobs", "1", "--json")))
    assert {table["game"] for table in found["games"]} == {Pile.id, Reach.id}


@pytest.mark.parametrize(
    "plainly", ["1", pytest.param("0", marks=pytest.mark.proof)], ids=["plain", "compiled"]
)
def test_foreign_games_go_through_every_door(package: Path, tmp_path: Path, plainly: str) -> None:
    settings = {"PYTHONPATH": f"{package}:{ROOT}", "NUMBA_DISABLE_JIT": plainly}
    inspect = "without" if plainly == "1" else "inspect"
    done = subprocess.run(
        [sys.executable, "-m", "tests.project.doors", tmp_path, inspect, *GAMES], cwd=ROOT,
        text=True, capture_output=True, env=environment(tmp_path, **settings),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert all(f"{name} is fine" in done.stdout for name in GAMES)


# -- values ---------------------------------------------------------------------------------


@pytest.mark.parametrize("suits", [1, 2])
@pytest.mark.parametrize("high", [2, 3])
@pytest.mark.parametrize("target", [3, 4, 7])
def test_chances_in_reach_are_those_of_trying_everything(
    high: int, suits: int, target: int
) -> None:
    start = Reach(high=high, suits=suits, target=target).start()
    value = numduel.evaluate(start)
    assert value.exact
    assert value.win_probability == pytest.approx(expected_win(start), abs=1e-12)


def left_but_no_one(totals: int, deck: int, card: int, v: Any) -> int:
    return 0 if card == 1 else Reach.chance.left(totals, deck, card, v)


def start_without_ones(v: Any) -> tuple[int, int]:
    totals, deck = Reach.rules.start(v)
    return totals, deck - v.suits * (v.high + 1)


class Gappy(Reach):
    """A deck without the card 1."""

    rules = Reach.rules._replace(start=start_without_ones)
    chance = Reach.chance._replace(left=left_but_no_one)


def test_a_deck_may_lack_a_card() -> None:
    start = Gappy(high=3, suits=2, target=7).start()
    check_game(Gappy, Gappy(high=3, suits=1, target=5), compiled=False)
    assert numduel.evaluate(start).win_probability == pytest.approx(expected_win(start), abs=1e-12)


# -- the browser ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(
    package: Path, executable: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Process]:
    """A server where the examples are installed."""
    assert executable
    folder = tmp_path_factory.mktemp("examples")
    with server_in(folder, PYTHONPATH=str(package)) as server:
        yield server.ready()


@pytest.mark.proof
def test_two_friends_play_in_the_browser(server: Process, new_guest: Callable[..., Guest]) -> None:
    one, two = new_guest(server.url), new_guest(server.url)
    one.go("/")
    for name in GAMES:
        card = f'[data-game="{name}"]'
        one.sees(card)
        picture = one.find(f"{card} img")
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    one.go("/rules/reach")
    one.sees("h1")
    sit(one, two, "reach")
    play_out({1: one, 2: two}, Guest.click, Random(7))
    one.sees("#after")
    one.sees("#chart svg")
    for fact in one.game()["facts"]:
        whose = f'[data-seat="{fact["seat"]}"] ' if fact["seat"] else ""
        shown = one.texts(f'{whose}[data-fact="{fact["label"]}"]')
        if isinstance(fact["value"], str):
            assert fact["value"] in shown[0]
        else:
            assert shown[0].split()[-1] == (fact["value"] or ["None"])[-1]


def test_an_activity_has_a_page(server: Process, new_guest: Callable[..., Guest]) -> None:
    one = new_guest(server.url)
    one.go("/")
    one.find('a[href="/do/guess"]').click()
    one.reads("#scene-title", "Position 1")
    one.sees("#board [data-cell]")
    one.find('[data-action="two"]').click()
    one.reads("#result", re.compile(r"^(Right|No)\. Player [12] wins\.$"))
    one.find('[data-action="next"]').click()
    one.reads("#scene-title", "Position 2")
    assert one.ask("/do/puzzle").status == 404


@pytest.mark.parametrize(
    "made",
    [Guest.click, pytest.param(partial(Guest.key, arrows=False), marks=pytest.mark.proof)],
    ids=["mouse", "keyboard"],
)
def test_pawns_are_moved_by_pressing_two_squares(
    made: Callable[[Guest, str], None], server: Process, new_guest: Callable[..., Guest]
) -> None:
    one, two = new_guest(server.url), new_guest(server.url)
    sit(one, two, "pawns")
    play_out({1: one, 2: two}, made, Random(7))
    one.sees("#after")
    one.misses(".choice", "[data-cell][aria-pressed]")


@pytest.mark.proof
def test_the_computer_answers_in_the_browser(
    server: Process, new_guest: Callable[..., Guest]
) -> None:
    one = new_guest(server.url)
    one.start("pile", "perfect")
    one.click("3")
    one.has_more_than(1)
    one.on_turn()
    one.reads('[data-fact="Pile"]', re.compile("^Pile: (9|10|11)$"))
    one.find("#values").click()
    one.sees(".choice .worth")


# -- without it -----------------------------------------------------------------------------


@pytest.fixture
def removed(package: Path, tmp_path: Path) -> Callable[..., Ran]:
    """The command after the examples were used, and then removed."""
    copy = tmp_path / "installed"
    shutil.copytree(package, copy)
    home = tmp_path / "home"
    home.mkdir()
    told(run_with(copy, home, "play", "pile", typed="3\n"))
    told(run_with(copy, home, "analyse", "pile"))
    told(run_with(copy, home, "analyse", "reach", "--moves", "3"))
    shutil.rmtree(copy)
    return partial(run_with, copy, home)


def test_nothing_breaks_when_they_are_removed(removed: Callable[..., Ran], tmp_path: Path) -> None:
    assert "wins in 5" in told(removed("analyse", "duel"))
    assert "Every move loses" in told(removed("play", "duel", typed="4\nhint\nhint\n"))
    assert "pile" not in told(removed("games"))
    told(removed("resume", typed="quit\n"))
    keep(tmp_path / "home", "game.duel", RECORD)
    assert "Player 1 picked 4." in told(removed("replay")), "the game that is left"
    for words in (("play", "pile"), ("analyse", "reach")):
        refused = removed(*words)
        assert refused.code == 2
        assert refused.err.startswith(f"numduel: There is no game '{words[1]}'; there are line,")


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("Reach = 7", "TypeError: it is not a subclass of Game"),
        ("from numduel.games.duel import Duel as Reach",
         "ValueError: another game has that name already"),
        ("from numduel.games.duel import Duel\n"
         "class Reach(Duel):\n    id = name = 'a/../b'",
         "ValueError: its id and name must be made of a-z, 0-9 and hyphens"),
        ("from numduel.games.duel import Duel\n"
         "class Reach(Duel):\n    id, name, order = 'number-capture', 'mine', 0",
         "ValueError: another game has that name already"),
    ],
)  # fmt: skip
def test_a_broken_game_is_left_out(source: str, why: str, package: Path, tmp_path: Path) -> None:
    copy = tmp_path / "broken"
    shutil.copytree(package, copy)
    (copy / "numduel_examples" / "reach.py").write_text(f"{source}\n")
    done = run_with(copy, tmp_path, "games", "--json")
    names = [game["name"] for game in json.loads(done.out)]
    assert names == in_order(Pawns, Pile)
    assert done.err == (
        f"numduel: the game reach (numduel_examples.reach:Reach) is left out: {why}\n"
    )


def test_a_server_says_when_the_kind_of_an_old_game_is_gone(
    server: Process, tmp_path: Path
) -> None:
    made = httpx.post(
        f"{server.url}/api/v1/games", json={"game": "pile", "opponent": "friend"},
        trust_env=False, timeout=remaining(),
    ).json()  # fmt: skip
    with (
        closing(sqlite3.connect(server.log.parent / "games.db")) as there,
        closing(sqlite3.connect(tmp_path / "games.db")) as here,
    ):
        there.backup(here)
    with server_in(tmp_path) as without:
        without.ready()
        ask = partial(httpx.get, trust_env=False, timeout=remaining())
        answer = ask(f"{without.url}/api/v1/games/{made['id']}")
        assert answer.status_code == 404
        assert answer.json()["error"] == "This kind of game is no longer installed here."
        assert ask(f"{without.url}/api/v1/rules").status_code == 200
