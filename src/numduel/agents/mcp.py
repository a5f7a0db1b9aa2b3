"""The games as an MCP server: an assistant plays the computer and can read the rules.

``numduel mcp`` speaks the protocol over standard input and output. Every answer is a short text in
the words of the game, and the same as data; every error is one sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import version
from random import SystemRandom
from threading import Lock
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, Field, ValidationError

from numduel.agents.asking import Asking
from numduel.core.errors import BadVariant, IllegalMove, NumduelError
from numduel.core.game import Game
from numduel.core.state import Move
from numduel.core.text import DEFAULT_NAMES, HUMAN, counted, printable
from numduel.extras import needing
from numduel.games import game as find
from numduel.games import games
from numduel.learn.coach import table
from numduel.play.match import Match, begin
from numduel.play.players import COMPUTERS, ESTIMATES, Player, estimates, player, seat_names
from numduel.play.store import SaveFile, new_save
from numduel.solver import analyse

with needing("mcp"):
    from mcp.server import MCPServer
    from mcp.server.mcpserver import Context
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import CallToolResult, InputRequiredResult, TextContent, Tool, ToolAnnotations

ASK = Asking()
MOST = 100
"""Games held at once; the least recently used is evicted first."""
INSTRUCTIONS = (
    "Two-player number games against the computer. list_games lists them, rules explains one, start"
    " begins a game and returns its game_id, with which rules explains that very game; then answer"
    " each board with move until the game is over. The computer's answer comes with your move."
)
Number = Annotated[int, Field(ge=1, lt=10**9, description="The game_id that start returned.")]
Name = Annotated[str, Field(max_length=40, description="The name of a game from list_games.")]
Settings = Annotated[
    dict[str, int | str] | None,
    Field(max_length=10, description='Settings of the game, such as {"n": 12}.'),
]
MAX_TEXT = 200
"""Characters of an argument; no variant, move or name comes near it."""
_chance = SystemRandom()


class Board(BaseModel):
    """A game as it stands."""

    game_id: int
    game: str
    variant: dict[str, int | str]
    you: int = Field(description="Your seat, 1 or 2.")
    opponent: str
    opponent_estimates: bool = Field(
        description="Whether the opponent estimates, because the board is too large for it."
    )
    moves: list[str] = Field(description="Every move so far, in notation.")
    board: str
    facts: list[dict[str, Any]] = Field(description="Everything else: sums, piles, logs.")
    card: int | None = Field(description="The drawn card, to be played now.")
    your_turn: bool
    legal_moves: list[str] = Field(description="In an order that tells nothing.")
    winner: int | None = Field(description="The seat that won, once the game is over.")
    reason: str | None


class Listed(BaseModel):
    """The games that can be played."""

    games: list[dict[str, Any]]
    opponents: list[str]


class Page(BaseModel):
    """The rules of a game."""

    game: str
    rules: str


class Worth(BaseModel):
    """What every legal move is worth, best first."""

    game_id: int
    values: list[dict[str, Any]]


class Written(BaseModel):
    """A game in its notation."""

    game_id: int
    record: str


class Session:
    """One game between an assistant and the computer."""

    def __init__(self, number: int, match: Match, seat: int, rival: Player, kind: str) -> None:
        self.number = number
        self.match = match
        self.seat = seat
        self.kind = kind
        self._rival = rival
        self._save_file: SaveFile | None = new_save(match.record)

    def answer(self) -> list[str]:
        """Let the computer move until it is the assistant's turn; returns what the game says."""
        said: list[str] = []
        while self.match.state.outcome is None:
            state = self.match.state
            if state.forced_pass:
                self.match.play("pass")
            elif state.to_move != self.seat:
                self.match.play(self._rival.choose(state))
            else:
                break
            said += self.told()
        return said

    def told(self) -> list[str]:
        """What the game says about the last move, without the board."""
        view, game = self.match.view, self.match.state.game
        lines = [line for line in game.move_lines(view) if line and line not in game.board(view)]
        return lines or [f"{view.name(view.mover)} {game.does(cast('Move', view.last))}."]

    def keep(self) -> None:
        """Keep the game on disk beside all others; if that fails, only in memory."""
        if self._save_file is None:
            return
        try:
            self.match.write(self._save_file.save)
        except OSError:
            self.close()
            return
        if self.match.state.outcome is not None:
            self.close()

    def close(self) -> None:
        """Release the file."""
        if self._save_file is not None:
            self._save_file.close()
            self._save_file = None

    def result(self, *said: str) -> CallToolResult:
        """What was said and how the game stands, as text and as data."""
        view, state = self.match.view, self.match.state
        game, over = state.game, state.outcome is not None
        board = "\n".join(game.board(view))
        legal = [game.label(move) for move in ASK.listed(state)]
        if over:
            asked = "\n".join(game.closing(view))
        else:
            lines = [line.strip() for line in game.prompt(view)]
            asked = "\n".join(line for line in lines if line not in ("", ">"))
            asked += f"\nA move is {game.input_hint()}. Legal: {', '.join(legal)}."
        head = f"Game {self.number}: you are {view.name(self.seat)}."
        if estimates(self._rival):
            head += f" {ESTIMATES}"
        parts = [head, *(["\n".join(said)] if said else []), board, asked]
        data = Board(
            game_id=self.number,
            game=game.id,
            variant=game.settings,
            you=self.seat,
            opponent=self.kind,
            opponent_estimates=estimates(self._rival),
            moves=[str(move) for move in state.moves],
            board=board,
            facts=[fact._asdict() for fact in view.facts],
            card=None if over else view.card,
            your_turn=not over,
            legal_moves=legal,
            winner=state.winner,
            reason=" ".join(game.end_reason(view, state.winner)) if state.winner else None,
        )
        return _result("\n\n".join(parts), data)


class Sessions:
    """The games that this server holds."""

    def __init__(self) -> None:
        self._open: dict[int, Session] = {}
        self._last = 0

    def add(self, match: Match, seat: int, kind: str) -> Session:
        """A new game; beyond the limit the least recently used is evicted."""
        self._last += 1
        rival = cast("Player", player(kind))
        opened = self._open[self._last] = Session(self._last, match, seat, rival, kind)
        while len(self._open) > MOST:
            self._open.pop(next(iter(self._open))).close()
        return opened

    def get(self, number: int) -> Session:
        """A game by its number; it becomes the most recently used."""
        found = self._open.pop(number, None)
        if found is not None:
            self._open[number] = found
            return found
        if number <= self._last:
            raise BadVariant(
                f"Game {number} is forgotten: only the last {MOST} games are held. Start another."
            )
        raise BadVariant(f"There is no game {number}; start returns the game_id of a new one.")


class Server(MCPServer[Any]):
    """An MCP server that refuses unknown arguments, and whose errors are one sentence each."""

    async def list_tools(self) -> list[Tool]:
        """The tools; their schemas allow no other arguments."""
        return [
            tool.model_copy(
                update={"input_schema": {**tool.input_schema, "additionalProperties": False}}
            )
            for tool in await super().list_tools()
        ]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; errors are plain sentences."""
        tools = {tool.name: tool for tool in await self.list_tools()}
        if name not in tools:
            raise ToolError(f"There is no tool {printable(name, 40)!r}.")
        _check_arguments(arguments, tools[name])
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, NumduelError):
                raise ToolError(str(error.__cause__)) from None
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(_wrong(error.__cause__)) from None
            raise


def server(*, with_values: bool = False, with_undo: bool = True) -> Server:
    """The server with its tools, and no game yet. The tools for values and undo are there only if
    the owner allows them."""
    made = Server(
        "numduel",
        title="numduel",
        instructions=INSTRUCTIONS,
        version=version("numduel"),
        # The log goes to a terminal that nobody reads, and refused calls are not worth logging.
        log_level="ERROR",
    )
    sessions, lock = Sessions(), Lock()

    @contextmanager
    def playing(game_id: int) -> Iterator[Session]:
        """A game that is not over, locked while it is used."""
        with lock:
            opened = sessions.get(game_id)
            if opened.match.state.outcome is not None:
                raise IllegalMove("The game is over. Start another.")
            yield opened

    looks = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    plays = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

    @made.tool(annotations=looks)
    def list_games() -> Annotated[CallToolResult, Listed]:
        """List the games, their settings and the opponents."""
        kinds = [kind() for kind in games()]
        lines = [
            f"{game.name}: {game.display_name}. {game.summary} {_settings(game)}" for game in kinds
        ]
        opponents = f"Opponents: {', '.join(COMPUTERS)}."
        data = Listed(games=[game.to_dict() for game in kinds], opponents=list(COMPUTERS))
        return _result("\n".join([*lines, opponents]), data)

    @made.tool(annotations=looks)
    def rules(
        game: Name | None = None, variant: Settings = None, game_id: Number | None = None
    ) -> Annotated[CallToolResult, Page]:
        """Read the rules of a game by its name, or, by its game_id, of one that was started."""
        if (game is None) == (game_id is None) or (variant and game_id is not None):
            raise BadVariant("Give either a game, with or without a variant, or a game_id.")
        if game_id is None:
            kind = find(str(game), **(variant or {}))
            told = kind.rulebook
        else:
            with lock:
                record = sessions.get(game_id).match.record
            kind = record.game
            told = kind.rulebook_for(forgiving=record.forgiving)
        return _result(told, Page(game=kind.id, rules=told))

    @made.tool(annotations=plays)
    def start(
        game: Name,
        opponent: Annotated[
            str, Field(max_length=40, json_schema_extra={"enum": list(COMPUTERS)})
        ] = "medium",
        seat: Annotated[
            Literal[1, 2, "random"], Field(description="Your seat; seat 1 moves first.")
        ] = 1,
        variant: Settings = None,
        forgiving: Annotated[
            bool,
            Field(description="Ask again after a broken rule, instead of losing the game."),
        ] = False,
    ) -> Annotated[CallToolResult, Board]:
        """Start a game against the computer; it moves first if you take seat 2."""
        kind = find(game, **(variant or {}))
        if opponent not in COMPUTERS:
            raise BadVariant(
                f"There is no opponent {printable(opponent, 40)!r};"
                f" there are {', '.join(COMPUTERS)}."
            )
        sits = _chance.choice((1, 2)) if seat == "random" else seat
        players = (HUMAN, opponent) if sits == 1 else (opponent, HUMAN)
        with lock:
            match = begin(
                kind,
                players=players,
                names=seat_names(players, DEFAULT_NAMES),
                forgiving=forgiving and kind.strict,
            )
            opened = sessions.add(match, sits, opponent)
            said = opened.answer()
            opened.keep()
            return opened.result(*said)

    @made.tool(annotations=plays)
    def move(
        game_id: Number,
        move: Annotated[
            str | Annotated[int, Field(strict=True)],
            Field(description="Your move as the board asks for it: a number or a word."),
        ],
    ) -> Annotated[CallToolResult, Board]:
        """Make your move; the computer answers at once. A broken rule may lose the game."""
        with playing(game_id) as opened:
            opened.match.play(move)
            said = opened.told() if opened.match.state.outcome is None else []
            said += opened.answer()
            opened.keep()
            return opened.result(*said)

    @made.tool(annotations=looks)
    def board(game_id: Number) -> Annotated[CallToolResult, Board]:
        """See how a game stands."""
        with lock:
            return sessions.get(game_id).result()

    def values(game_id: Number) -> Annotated[CallToolResult, Worth]:
        """See what every legal move is worth."""
        with playing(game_id) as opened:
            state = opened.match.state
            found = [
                {
                    "move": state.game.label(option.move),
                    "win_probability": option.win_probability,
                    "moves_to_the_end": option.plies,
                    "points_ahead": option.margin,
                    "best": option.best,
                    "exact": option.exact,
                }
                for option in analyse(state)
            ]
            return _result("\n".join(table(state)), Worth(game_id=game_id, values=found))

    def undo(game_id: Number) -> Annotated[CallToolResult, Board]:
        """Take back your last move and the answer to it; cards drawn since are shuffled back."""
        with playing(game_id) as opened:
            undone = opened.match.undo(opened.seat)
            if not undone:
                raise IllegalMove("You have no move to take back yet.")
            opened.keep()
            return opened.result(f"{counted(undone, 'move')} taken back.")

    if with_values:
        made.add_tool(values, annotations=looks)
    if with_undo:
        made.add_tool(undo, annotations=plays)

    @made.tool(annotations=plays)
    def resign(game_id: Number) -> Annotated[CallToolResult, Board]:
        """Resign the game: the computer wins."""
        with playing(game_id) as opened:
            opened.match.resign()
            opened.keep()
            return opened.result()

    @made.tool(annotations=looks)
    def record(game_id: Number) -> Annotated[CallToolResult, Written]:
        """Get the record of a game in notation, finished or not."""
        with lock:
            text = sessions.get(game_id).match.record.text()
            return _result(text, Written(game_id=game_id, record=text))

    return made


def serve(*, with_values: bool = False, with_undo: bool = True) -> None:
    """Speak the protocol over standard input and output until the client disconnects."""
    with suppress(KeyboardInterrupt):
        server(with_values=with_values, with_undo=with_undo).run("stdio")


def _result(text: str, data: BaseModel) -> CallToolResult:
    """A tool result: the same content as text and as data."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=data.model_dump(mode="json"),
    )


def _settings(game: Game) -> str:
    """``Settings: n=21 (1 to 999).``"""
    told = (
        f"{name}={game.settings[name]} ({parameter.choices})"
        for name, parameter in game.parameters.items()
    )
    return f"Settings: {', '.join(told)}."


def _check_arguments(arguments: Mapping[str, Any], tool: Tool) -> None:
    """Refuse arguments that a tool does not have, which would be ignored silently, and overlong
    texts, which the library might read as numbers."""
    known = tool.input_schema["properties"]
    unknown = next((name for name in arguments if name not in known), None)
    if unknown is not None:
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise ToolError(f"{tool.name} has no argument {printable(unknown, 40)!r}; {has}.")
    for name, value in arguments.items():
        if isinstance(value, str) and len(value) > MAX_TEXT:
            raise ToolError(f"{name} can have at most {MAX_TEXT} characters.")


def _wrong(error: ValidationError) -> str:
    """What is wrong with the first wrong argument, in one sentence."""
    first: Mapping[str, Any] = cast("Mapping[str, Any]", error.errors(include_input=False)[0])
    where = printable(".".join(map(str, first["loc"][:1])), 40)
    return f"{where}: {printable(first['msg'], 120)}."
