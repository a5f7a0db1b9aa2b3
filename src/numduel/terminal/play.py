"""A game at the prompt."""

from __future__ import annotations

from pathlib import Path

from numduel.core.errors import IllegalMove, NotAMove
from numduel.core.state import Move, State
from numduel.core.text import file_name, listed, printable, similar
from numduel.core.view import View
from numduel.files import export
from numduel.play.match import Match
from numduel.play.players import ESTIMATES, Player, estimates
from numduel.play.store import SaveFile, folder
from numduel.terminal.choice import confirmed
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited

Seats = tuple[Player | None, Player | None]
"""The players in seats 1 and 2; None is a person at the keyboard."""
BROKEN_RULE = "A move that breaks a rule loses the game"


class _Leave(Exception):
    """The players leave the game."""


class PromptGame:
    """One match on one screen, saved after every move."""

    def __init__(self, match: Match, seats: Seats, screen: Screen, save_file: SaveFile) -> None:
        self.match = match
        self.game = match.state.game
        self.seats = seats
        self.screen = screen
        self.save_file = save_file
        self._said_estimates = False
        self._nudged: State | None = None
        """The position for which a hint has been given already."""
        self._asked: State | None = None
        """The position in which a person was last asked for a move."""
        names, markers = match.view.names, self.game.markers
        screen.tell_apart(
            *((name, f"[{marker}]") for name, marker in zip(names, markers, strict=True))
        )

    def play(self) -> None:
        """Play until the game ends or the players leave."""
        self._show(*self.game.welcome(), *self.game.board(self.match.view))
        self._autosave()
        try:
            while self.match.state.outcome is None:
                self._turn()
            self._conclude()
        except (EOFError, KeyboardInterrupt, _Leave) as leave:
            if self.screen.interactive and not isinstance(leave, _Leave):
                self.screen.say("")
            self._say_goodbye()
        finally:
            self.save_file.close()

    def _turn(self) -> None:
        state = self.match.state
        if state.forced_pass:
            self._move("pass")
            return
        player = self.seats[state.to_move - 1]
        if player is None:
            self._ask(state)
        else:
            self._let_play(player, state)

    def _ask(self, state: State) -> None:
        """Ask a person for a move. A person at a terminal who is asked again in the same position
        sees the question alone."""
        *lines, question = self._prompt(state)
        again = self.screen.interactive and self._asked == state
        first = self.screen.interactive and self._asked is None
        self.screen.say("", *(self._introduction() if first else []), *([] if again else lines))
        self._asked = state
        self._answer(self.screen.ask(question))

    def _introduction(self) -> list[str]:
        """What can be typed, and what a broken rule costs, for who is asked for the first time."""
        typed = f"(Type {self.game.usage()}; help lists what else can be typed.)"
        costs = f"({BROKEN_RULE}; --forgiving asks again instead.)"
        return [typed, costs] if self._strict else [typed]

    @property
    def _strict(self) -> bool:
        """Whether a broken rule loses this game."""
        return self.game.strict and not self.match.record.forgiving

    def _prompt(self, state: State) -> list[str]:
        """The lines that ask for a move."""
        view = self.match.view
        *lines, question = self.game.prompt(view)
        if state.may_swap:
            lines.append(f"The first move can be taken over: {view.player} may type swap.")
        return [*lines, question]

    def _let_play(self, player: Player, state: State) -> None:
        """Let the computer move. At a terminal its move is announced; through a pipe the transcript
        is that of two players."""
        *lines, question = self._prompt(state)
        self.screen.say("", *([] if self.screen.interactive else lines))
        move = waited(lambda: player.choose(state))
        self._say_estimates(player)
        if self.screen.interactive:
            self._move(move, announce=True)
        else:
            self.screen.say(question + self.game.spoken(move))
            self._move(move)

    def _say_estimates(self, player: Player) -> None:
        """Say once that the board is too large for the computer to play perfectly."""
        if not self._said_estimates and estimates(player):
            self._said_estimates = True
            self.screen.say(f"({ESTIMATES})")

    def _answer(self, line: str) -> None:
        """Carry out what the person typed: a command, or else a move."""
        typed = " ".join(line.lower().split())
        if typed.partition(" ")[0] == "save":
            self._save(line.strip().partition(" ")[2].strip())
        elif typed in COMMANDS:
            COMMANDS[typed](self)
        elif self.screen.interactive and (meant := self._misspelt(line, typed)):
            self.screen.fail(f"Did you mean {meant}? Nothing is done.")
        else:
            self._move(line)

    def _misspelt(self, line: str, typed: str) -> str | None:
        """The command that somebody may have meant who typed what is no move."""
        try:
            self.game.read(line, self.match.state)
        except NotAMove:
            return similar(typed, WORDS)
        return None

    def _move(self, move: Move, *, announce: bool = False) -> None:
        try:
            self.match.play(move)
        except IllegalMove as refused:
            self.screen.fail(str(refused))
            return
        self._autosave()
        view = self.match.view
        if view.fault is None:
            self._show(*(self._announced(view) if announce else self.game.told(view)))

    def _announced(self, view: View) -> list[str]:
        """What is said after a move of the computer: which move it was, if the game's own words do
        not begin with that, and the whole board."""
        told, name = self.game.told(view), view.name(view.mover)
        if name not in told[0]:
            told = [f"{name} plays {self.game.spoken(view.moves[-1])}.", *told]
        return [*told, *(line for line in self.game.board(view) if line not in told)]

    def _show(self, *lines: str) -> None:
        """Print lines with a board in them."""
        self.screen.say_board(lines, self.match.view.cells)

    def _conclude(self) -> None:
        """Say how the game ended; at a terminal also how not to lose by a slip again."""
        view = self.match.view
        self.screen.say("", *self.game.conclusion(view))
        if self.screen.interactive and view.fault is not None:
            again = f"numduel play {self.game.name} --forgiving"
            self.screen.say(f"({again} asks again after such a move.)")

    # -- what can be typed besides a move ---------------------------------------------------

    def _help(self) -> None:
        rules = "  rules   the rules of the game"
        if self.screen.interactive:  # through a pipe, transcripts stay as they are
            rules = f"{rules}, in brief; rules all: the whole page"
            rules = f"  board   the board again\n{rules}"
        self.screen.say(
            f"Type {self.game.usage()}; or one of these words:",
            rules,
            "  hint    what to look at; and if you ask again, a move and why",
            "  values  what every move is worth",
            "  undo    take back the last move",
            "  save    say where the game is kept; save FILE writes a copy",
            "  resign  give up: the other player wins",
            "  quit    leave; numduel resume goes on from here",
        )

    def _board(self) -> None:
        view = self.match.view
        self._show(*self.game.board(view))
        blocked = [cell.label for cell in view.cells if cell.state == "blocked"]
        if blocked:
            self.screen.say(f"Blocked for {view.player}: {listed(blocked)}")

    def _rules(self) -> None:
        game, view = self.game, self.match.view
        self.screen.say(*game.brief, *(f"Here, {change}." for change in game.changes))
        if self._strict:
            self.screen.say(f"{BROKEN_RULE}.")
        turn = f"It is {view.player}'s turn."
        self.screen.say(f"{turn} {game.goal(view, view.to_move)}", "(rules all: the whole page)")

    def _page(self) -> None:
        self.screen.page(self.game.page)
        self.screen.say("")
        self._show(*self.game.board(self.match.view))

    def _hint(self) -> None:
        from numduel.learn.coach import hint

        state = self.match.state
        found = waited(lambda: hint(state, self.match.view.names))
        if self._nudged == state:
            self.screen.say(*found.lines)
        else:
            self.screen.say(f"{found.nudge} (Another hint names a move.)")
        self._nudged = state

    def _values(self) -> None:
        from numduel.learn.coach import table
        from numduel.learn.coach.words import WIDTH

        lines = waited(lambda: table(self.match.state, min(WIDTH, self.screen.width)))
        self.screen.say_values(*lines)

    def _undo(self) -> None:
        undone = self.match.undo()
        if not undone:
            self.screen.fail("There is no move of yours to take back.")
            return
        self._autosave()
        taken = "The last move is" if undone == 1 else f"The last {undone} moves are"
        self._show(f"{taken} taken back.", "", *self.game.board(self.match.view))

    def _save(self, name: str) -> None:
        if name:
            try:
                path = Path(name).expanduser()
                self.match.write(lambda record: export(record.text(), path))
            except (OSError, RuntimeError, ValueError) as error:
                why = getattr(error, "strerror", None) or str(error)
                self.screen.fail(f"Nothing is written to {printable(name)}: {why}.")
            else:
                self.screen.say(f"A copy is in {printable(name)}.")
            return
        try:
            self.match.write(self.save_file.save)
        except OSError as error:
            self.screen.fail(f"The game cannot be kept: {error.strerror}.")
        else:
            self.screen.say(f"The game is kept in {file_name(self.save_file.path)}.")

    def _resign(self) -> None:
        """Give up; at a terminal only after asking, because nothing takes it back."""
        question = "Give up this game? (yes, Enter: no) "
        if self.screen.interactive and not confirmed(self.screen, question, default=False):
            return
        self.match.resign()
        self._autosave()

    def _quit(self) -> None:
        raise _Leave

    # -- on disk ----------------------------------------------------------------------------

    def _autosave(self) -> None:
        """Save the game, if a move was made in it or in its match. An error is printed once."""
        begun = bool(self.match.state.moves or self.match.record.earlier)
        trouble = self.save_file.autosave(self.match.write, begun=begun)
        if trouble:
            where = file_name(self.save_file.path.parent)
            self.screen.fail(f"The game cannot be kept in {where}: {trouble}. Play goes on.")

    def _say_goodbye(self) -> None:
        self._autosave()
        if self.save_file.trouble:
            self.screen.say("The last moves could not be kept.")
        elif self.save_file.on_disk:
            path = self.save_file.path
            where = "" if path.parent == folder() else f" {file_name(path)}"
            what = "game is" if self.match.record.earlier is None else "game and its match are"
            it = "it" if self.match.record.earlier is None else "them"
            self.screen.say(f"The {what} kept: numduel resume{where} goes on with {it}.")
        else:
            self.screen.say("No move was made, so there is nothing to keep.")


COMMANDS = {
    "help": PromptGame._help,
    "?": PromptGame._help,
    "board": PromptGame._board,
    "rules": PromptGame._rules,
    "rules all": PromptGame._page,
    "hint": PromptGame._hint,
    "values": PromptGame._values,
    "undo": PromptGame._undo,
    "resign": PromptGame._resign,
    "quit": PromptGame._quit,
    "exit": PromptGame._quit,
    "q": PromptGame._quit,
}
WORDS = (*(word for word in COMMANDS if word.isalpha()), "save")
"""The commands that are words, which can be misspelt."""
