"""An assistant at the table: a real client of the protocol and a real process behind it."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
import pytest
from anyio.from_thread import start_blocking_portal

import numduel
from numduel.extras import install
from numduel.play.players import ESTIMATES
from numduel.play.record import parse, read
from numduel.play.store import folder
from numduel.terminal.app import app
from numduel.terminal.mcp import mcp
from tests.cli import environment
from tests.games import NAMES, claims
from tests.plugins.limit import remaining

if TYPE_CHECKING:  # It takes long to be imported, which only those who run these tests should do.
    from mcp import Client
    from mcp.types import CallToolResult, Tool

    from numduel.agents.mcp import Server

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="MCP is not installed")
COMMAND = ["-m", "numduel", "mcp"]


class Told(NamedTuple):
    """What a tool answered."""

    text: str
    data: dict[str, Any]
    refused: bool


Call = Callable[..., Told]


def server(**allowed: bool) -> Server:
    """A server in this process."""
    from numduel.agents import mcp

    return mcp.server(**allowed)


def client_of(server: Any, **options: Any) -> Client:
    """A client of a server."""
    from mcp import Client

    return Client(server, **options)


@contextmanager
def connected(client: Client) -> Iterator[Call]:
    """The tools of a server, by its client."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):

        def call(tool: str, **arguments: Any) -> Told:
            return read_result(portal.call(client.call_tool, tool, arguments))

        yield call


def read_result(answer: CallToolResult) -> Told:
    """The text of a tool result, and its data."""
    [content] = answer.content
    assert content.type == "text"
    return Told(content.text, answer.structured_content or {}, bool(answer.is_error))


def offered(server: Server) -> list[Tool]:
    """The tools of a server."""

    async def session() -> list[Tool]:
        async with client_of(server) as client:
            return (await client.list_tools()).tools

    return anyio.run(session)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def call(home: Path) -> Iterator[Call]:
    """A server in a process of its own, which keeps its games in a folder of these tests."""
    from mcp import StdioServerParameters, stdio_client

    parameters = StdioServerParameters(command=sys.executable, args=COMMAND, env=environment(home))
    process = stdio_client(parameters)
    with connected(client_of(process, read_timeout_seconds=remaining())) as call:
        yield call


@pytest.fixture
def allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Call]:
    """A server whose owner lets assistants see values, in this process."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with connected(client_of(server(with_values=True))) as call:
        yield call


def sentence(told: Told) -> str:
    """A refusal, which is one sentence and no traceback."""
    assert told.refused
    assert not told.data
    assert told.text.endswith(".")
    assert "\n" not in told.text
    assert len(told.text) < 300
    assert not re.search(r"Traceback|Error|pydantic|mcp\.", told.text)
    return told.text


# -- playing --------------------------------------------------------------------------------


def test_all_games_are_listed_with_their_settings(call: Call) -> None:
    told = call("list_games")
    assert tuple(game["name"] for game in told.data["games"]) == NAMES
    assert told.data["opponents"] == ["random", "easy", "medium", "hard", "perfect"]
    for kind in numduel.games():
        assert f"{kind.name}: {kind().display_name}. {kind.summary}" in told.text
    assert "capture: Number Capture." in told.text
    assert "Settings: n=21 (1 to 999), gaps=none (none or square)." in told.text


@pytest.mark.parametrize("name", NAMES)
def test_rules_are_those_of_the_variant(name: str, call: Call) -> None:
    assert call("rules", game=name).text == numduel.game(name).rulebook
    smaller = numduel.game(name, n=7)
    assert call("rules", game=name, variant={"n": 7}).text == smaller.rulebook


def test_rules_by_the_id_of_a_game_are_those_it_is_played_by(call: Call) -> None:
    told = call("start", game="factors", variant={"n": 12}, forgiving=True)
    read = call("rules", game_id=told.data["game_id"])
    game = numduel.game("factors", n=12)
    assert read.text == read.data["rules"] == game.rulebook_for(forgiving=True)
    assert "loses the game at once" not in read.text
    strict = call("start", game="factors")
    assert call("rules", game_id=strict.data["game_id"]).text == numduel.game("factors").rulebook


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_played_to_its_end(name: str, seat: int, call: Call, home: Path) -> None:
    told, in_order = call("start", game=name, opponent="random", seat=seat), 0
    number, luck = told.data["game_id"], random.Random(f"{name} {seat}")
    assert told.text.startswith(f"Game {number}: you are Player {seat}.")
    while told.data["your_turn"]:
        state = numduel.game(name).replay(told.data["moves"])
        if state.draws:
            state = state.draw(told.data["card"])
        assert state.to_move == seat
        labels = [state.game.label(m) for m in state.legal_moves]
        assert sorted(told.data["legal_moves"]) == sorted(labels)
        in_order += told.data["legal_moves"] == labels and len(labels) > 3
        assert told.data["board"] in told.text
        before = told.data["moves"]
        told = call("move", game_id=number, move=luck.choice(told.data["legal_moves"]))
        assert not told.refused
        assert told.data["moves"][: len(before)] == before
        assert len(told.data["moves"]) > len(before)
    assert in_order <= 1, "the order of moves tells nothing"
    record = parse(call("record", game_id=number).text)
    outcome = record.state.outcome
    assert outcome
    assert told.data["winner"] == outcome.winner
    assert told.data["legal_moves"] == []
    name = f"Player {seat}" if outcome.winner == seat else "Computer (random)"
    assert told.text.endswith(f"{name} wins the game!")
    assert told.data["reason"] in told.text.replace("\n", " ")
    assert sentence(call("move", game_id=number, move=1)) == "The game is over. Start another."
    kept = [read(path) for path in (home / "numduel" / "games").glob("*.duel")]
    assert record.state.moves in [found.state.moves for found in kept]


def test_the_computer_answers_within_the_call(call: Call) -> None:
    told = call("start", game="capture", opponent="perfect", seat=2)
    assert told.data["moves"] == ["21"]
    assert "Computer (perfect) has claimed number 21." in told.text
    told = call("move", game_id=told.data["game_id"], move="19")
    assert told.data["moves"][:2] == ["21", "19"]
    assert len(told.data["moves"]) == 3
    assert "Player 2 has claimed number 19." in told.text
    assert f"Computer (perfect) has claimed number {told.data['moves'][2]}." in told.text


def test_a_forced_pass_is_made_for_the_assistant(call: Call) -> None:
    luck = random.Random(1)
    for _ in range(100):
        told = call("start", game="capture", opponent="random", variant={"n": 9})
        while told.data["your_turn"]:
            assert "pass" not in told.data["legal_moves"]
            move = luck.choice(told.data["legal_moves"])
            told = call("move", game_id=told.data["game_id"], move=move)
        if "pass" in told.data["moves"][::2]:
            return
    pytest.fail("nobody ever had to pass")


def test_undo_takes_back_both_moves_and_leaves_the_card(call: Call) -> None:
    start = call("start", game="build", opponent="random")
    number = start.data["game_id"]
    assert sentence(call("undo", game_id=number)) == "You have no move to take back yet."
    call("move", game_id=number, move="discard")
    back = call("undo", game_id=number)
    assert "2 moves taken back." in back.text
    assert (back.data["moves"], back.data["card"]) == ([], start.data["card"])


def test_resigning_loses(call: Call) -> None:
    number = call("start", game="line", opponent="random").data["game_id"]
    told = call("resign", game_id=number)
    assert told.data["winner"] == 2
    assert told.text.endswith("Player 1 resigns.\nComputer (random) wins the game!")


# -- refusals -------------------------------------------------------------------------------


def test_an_illegal_move_is_refused_and_changes_nothing(call: Call) -> None:
    number = call("start", game="capture", opponent="random").data["game_id"]
    call("move", game_id=number, move=11)
    before = call("board", game_id=number)
    assert sentence(call("move", game_id=number, move=11)) == "11 is already claimed."
    assert sentence(call("move", game_id=number, move="x")) == (
        "Please type a whole number from 1 to 21."
    )
    assert call("board", game_id=number) == before


def test_a_broken_rule_loses_a_strict_game_unless_it_is_forgiving(call: Call) -> None:
    number = call("start", game="factors", opponent="random").data["game_id"]
    told = call("move", game_id=number, move=99)
    assert told.data["winner"] == 2
    assert "Player 1 has broken a rule and loses the game." in told.text
    number = call("start", game="factors", opponent="random", forgiving=True).data["game_id"]
    assert sentence(call("move", game_id=number, move=99)).startswith("99 is out of range")


HUGE = "7" * 100_000
ABSURD: list[tuple[str, dict[str, Any]]] = [
    ("start", {}),
    ("start", {"game": "chess"}),
    ("start", {"game": HUGE}),
    ("start", {"game": ["duel"]}),
    ("start", {"game": "duel", "opponent": "human"}),
    ("start", {"game": "duel", "opponent": HUGE}),
    ("start", {"game": "duel", "seat": 3}),
    ("start", {"game": "duel", "seat": HUGE}),
    ("start", {"game": "duel", "variant": {"n": 10**40}}),
    ("start", {"game": "duel", "variant": {HUGE: HUGE}}),
    ("start", {"game": "duel", "variant": {"self": 1}}),
    ("start", {"game": "duel", "variant": "n=12"}),
    ("start", {"game": "duel", "variant": {str(at): at for at in range(1000)}}),
    ("rules", {"game": "../../etc/passwd"}),
    ("rules", {"game": None}),
    ("rules", {"game": "line", "game_id": 1}),
    ("rules", {"game_id": 1, "variant": {"n": 7}}),
    ("rules", {}),
    ("move", {"game_id": 1}),
    ("move", {"game_id": 1, "move": HUGE}),
    ("move", {"game_id": 1, "move": int(HUGE[:400])}),
    ("move", {"game_id": 1, "move": True}),
    ("move", {"game_id": 1, "move": 1.5}),
    ("move", {"game_id": 1, "move": {"a": []}}),
    ("move", {"game_id": 1, "move": "\x00\x1b[31m\n"}),
    ("move", {"game_id": "one", "move": 1}),
    ("board", {"game_id": 0}),
    ("board", {"game_id": -1}),
    ("board", {"game_id": 999_999}),
    ("board", {"game_id": int(HUGE[:400])}),
    ("board", {"game_id": "[" * 1000}),
    ("board", {"game_id": HUGE}),
    ("record", {"game_id": None}),
    ("undo", {"game_id": [1]}),
    ("resign", {"game_id": 999_999}),
    ("values", {"game_id": 999_999}),
    ("no such tool\n" * 100, {}),
    ("start", {"game": "duel", "opponent": "random", "seed": 7}),
    ("start", {"game": "duel", "opponent": "random", "n": 12}),
    ("start", {"game": "duel", "opponent": "random", HUGE: 1}),
    ("move", {"game_id": 1, "move": 1, "card": 7}),
    ("list_games", {"game": "duel"}),
]


def test_whatever_is_asked_the_answer_is_one_sentence(call: Call) -> None:
    # Game 1 is there, so that it is the other argument that is wrong.
    if call("board", game_id=1).refused:
        call("start", game="duel", opponent="random")
    for tool, arguments in ABSURD:
        sentence(call(tool, **arguments))
        assert not call("list_games").refused


def test_an_argument_that_would_be_ignored_is_refused(call: Call) -> None:
    assert sentence(call("start", game="duel", n=12)) == (
        "start has no argument 'n'; it has game, opponent, seat, variant, forgiving."
    )
    assert sentence(call("list_games", n=12)) == "list_games has no argument 'n'; it has none."
    for tool in offered(server()):
        assert tool.input_schema["additionalProperties"] is False


def test_an_unknown_game_and_a_forgotten_one_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("numduel.agents.mcp.MOST", 3)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    async def session() -> list[str]:
        async with client_of(server()) as client:

            async def said(tool: str, **arguments: Any) -> str:
                [content] = (await client.call_tool(tool, arguments)).content
                return str(getattr(content, "text", ""))

            for _ in range(3):
                await said("start", game="duel", opponent="random")
            await said("board", game_id=1)
            await said("start", game="duel", opponent="random")
            return [await said("board", game_id=number) for number in (1, 2, 3, 4, 5)]

    one, two, three, four, five = anyio.run(session)
    assert two == "Game 2 is forgotten: only the last 3 games are held. Start another."
    assert five == "There is no game 5; start returns the game_id of a new one."
    assert all(text.startswith("Game ") and "Number Pool" in text for text in (one, three, four))
    assert len(list(folder().glob("*.duel"))) == 4, "what is forgotten here is still on disk"


# -- what may be seen -----------------------------------------------------------------------


def test_the_owner_of_the_server_allows_values(call: Call, allowed: Call) -> None:
    number = call("start", game="duel", opponent="random").data["game_id"]
    assert sentence(call("values", game_id=number)) == "There is no tool 'values'."
    number = allowed("start", game="duel", opponent="random").data["game_id"]
    told = allowed("values", game_id=number)
    options = numduel.analyse(numduel.game("duel").start())
    assert [value["move"] for value in told.data["values"]] == [str(o.move) for o in options]
    assert [value["win_probability"] for value in told.data["values"]] == [
        option.win_probability for option in options
    ]
    assert "if both play their best" in told.text


@pytest.mark.parametrize("values", [False, True])
@pytest.mark.parametrize("undo", [False, True])
def test_what_is_not_allowed_is_not_offered(values: bool, undo: bool) -> None:
    expected = {"list_games", "rules", "start", "move", "board", "resign", "record"}
    expected |= ({"values"} if values else set()) | ({"undo"} if undo else set())
    tools = offered(server(with_values=values, with_undo=undo))
    assert {tool.name for tool in tools} == expected


def test_the_owner_says_on_the_command_line_what_is_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    allowed: list[dict[str, bool]] = []
    monkeypatch.setattr("numduel.agents.mcp.serve", lambda **options: allowed.append(options))
    for words in ([], ["--values", "--no-undo"]):
        app(["mcp", *words], standalone_mode=False)
    assert allowed == [
        {"with_values": False, "with_undo": True},
        {"with_values": True, "with_undo": False},
    ]


def test_no_text_for_assistants_says_who_wins(call: Call) -> None:
    from numduel.agents.mcp import INSTRUCTIONS

    told = [INSTRUCTIONS, call("list_games").text]
    told += [call("rules", game=name).text for name in NAMES]
    told += [json.dumps(tool.model_dump(mode="json")) for tool in offered(server())]
    assert [claims(text) for text in told] == [[] for _ in told]


@pytest.mark.usefixtures("quick_estimates")
def test_an_opponent_that_estimates_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    async def session() -> list[Told]:
        async with client_of(server()) as client:
            wishes: dict[str, Any] = {"game": "capture", "seat": 2, "variant": {"n": 99}}
            return [
                read_result(await client.call_tool("start", {**wishes, "opponent": opponent}))
                for opponent in ("random", "perfect")
            ]

    by_chance, by_search = anyio.run(session)
    assert by_chance.text.startswith("Game 1: you are Player 2.\n")
    assert by_search.text.startswith(f"Game 2: you are Player 2. {ESTIMATES}\n")
    assert not by_chance.data["opponent_estimates"]
    assert by_search.data["opponent_estimates"]


def test_no_answer_knows_the_cards_to_come(call: Call) -> None:
    told = call("start", game="build", opponent="random")
    number = told.data["game_id"]
    for tool in ("board", "record", "move", "undo"):
        told = call(tool, game_id=number, **({"move": "discard"} if tool == "move" else {}))
        text = told.text + json.dumps(told.data)
        assert not re.search(r"\bDeck:|\bSeed:|\"deck\"|\"seed\"|\"next\"", text, re.IGNORECASE)
        runs = re.findall(r"\d+(?:[ ,]+\d+){5,}", text)
        assert not runs, "a row of cards longer than all that were drawn"


def test_without_the_package_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "numduel.agents.mcp", None)
    with pytest.raises(numduel.BadVariant, match=re.escape(install("mcp"))):
        mcp()


def test_the_server_ends_when_the_client_disconnects(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, *COMMAND], input="this is no message\n", capture_output=True, text=True,
        env=environment(tmp_path), timeout=remaining(), check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
