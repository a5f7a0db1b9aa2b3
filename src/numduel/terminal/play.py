"""A game at the prompt."""

from __future__ import annotations

from pathlib import Path

from numduel.core.errors import IllegalMove
from numduel.core.state import Move, State
from numduel.core.text import file_name, printable
from numduel.files import export
from numduel.match import Match
from numduel.players import ESTIMATES, Player, estimates
from numduel.store import SaveFile, folder
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waiting

Seats = tuple[Player | None, Player | None]
"""The players in seats 1 and 2; None is a person at the keyboard."""


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
        self._save_error = ""
        self._said_estimates = False
        self._nudged: State | None = None
        """The position for which a hint has been given already."""
        names, markers = match.view.names, self.game.markers
        screen.tell_apart(
            *((name, f"[{marker}]") for name, marker in zip(names, markers, strict=True))
        )

    def play(self) -> None:
        """Play until the game ends or the players leave."""
        self.screen.say(*self.game.welcome(), *self.game.board(self.match.view))
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
        view = self.match.view
        *lines, question = self.game.prompt(view)
        if state.may_swap:
            lines.append(f"The first move can be taken over: {view.player} may type swap.")
        self.screen.say("", *lines)
        player = self.seats[state.to_move - 1]
        if player is None:
            self._answer(self.screen.ask(question))
        else:
            with waiting():
                move = player.choose(state)
            self._say_estimates(player)
            self.screen.say(question + self.game.spoken(move))
            self._move(move)

    def _say_estimates(self, player: Player) -> None:
        """Say once that the board is too large for the computer to play perfectly."""
        if not self._said_estimates and estimates(player):
            self._said_estimates = True
            self.screen.say(f"({ESTIMATES})")

    def _answer(self, line: str) -> None:
        """Carry out what the person typed: a command, or else a move."""
        word, _, rest = line.strip().partition(" ")
        word = word.lower()
        if word == "save":
            self._save(rest.strip())
        elif word in COMMANDS and not rest:
            COMMANDS[word](self)
        else:
            self._move(line)

    def _move(self, move: Move) -> None:
        try:
            self.match.play(move)
        except IllegalMove as refused:
            self.screen.fail(str(refused))
            return
        self._autosave()
        view = self.match.view
        if view.fault is None:
            self.screen.say(*self.game.told(view))

    def _conclude(self) -> None:
        """Say how the game ended."""
        self.screen.say("", *self.game.conclusion(self.match.view))

    # -- what can be typed besides a move ---------------------------------------------------

    def _help(self) -> None:
        self.screen.say(
            f"Type {self.game.usage()}; or one of these words:",
            "  rules   the rules of the game",
            "  hint    what to look at; and if you ask again, a move and why",
            "  values  what every move is worth",
            "  undo    take back the last move",
            "  save    say where the game is kept; save FILE writes a copy",
            "  resign  give up: the other player wins",
            "  quit    leave; numduel resume goes on from here",
        )

    def _rules(self) -> None:
        self.screen.page(self.game.page)
        self.screen.say("", *self.game.board(self.match.view))

    def _hint(self) -> None:
        from numduel.coach import hint

        state = self.match.state
        with waiting():
            found = hint(state, self.match.view.names)
        if self._nudged == state:
            self.screen.say(*found.lines)
        else:
            self.screen.say(f"{found.nudge} (Another hint names a move.)")
        self._nudged = state

    def _values(self) -> None:
        from numduel.coach import table
        from numduel.coach.words import WIDTH

        with waiting():
            lines = table(self.match.state, min(WIDTH, self.screen.width))
        self.screen.say_values(*lines)

    def _undo(self) -> None:
        undone = self.match.undo()
        if not undone:
            self.screen.fail("There is no move of yours to take back.")
            return
        self._autosave()
        self.screen.say(
            "The last move is taken back."
            if undone == 1
            else f"The last {undone} moves are taken back.",
            "",
            *self.game.board(self.match.view),
        )

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
        self.match.resign()
        self._autosave()

    def _quit(self) -> None:
        raise _Leave

    # -- on disk ----------------------------------------------------------------------------

    def _autosave(self) -> None:
        """Save the game, if a move was made or a card seen in it. An error is printed once."""
        if not self.match.state.text and not self.save_file.on_disk:
            return
        try:
            self.match.write(self.save_file.save)
        except OSError as error:
            why = error.strerror or str(error)
            if why != self._save_error:
                where = file_name(self.save_file.path.parent)
                self.screen.fail(f"The game cannot be kept in {where}: {why}. Play goes on.")
            self._save_error = why
        else:
            self._save_error = ""

    def _say_goodbye(self) -> None:
        self._autosave()
        if self._save_error:
            self.screen.say("The last moves could not be kept.")
        elif self.save_file.on_disk:
            path = self.save_file.path
            where = "" if path.parent == folder() else f" {file_name(path)}"
            self.screen.say(f"The game is kept: numduel resume{where} goes on with it.")
        else:
            self.screen.say("No move was made, so there is nothing to keep.")


COMMANDS = {
    "help": PromptGame._help,
    "?": PromptGame._help,
    "rules": PromptGame._rules,
    "hint": PromptGame._hint,
    "values": PromptGame._values,
    "undo": PromptGame._undo,
    "resign": PromptGame._resign,
    "quit": PromptGame._quit,
    "exit": PromptGame._quit,
    "q": PromptGame._quit,
}
