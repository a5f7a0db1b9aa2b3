"""A game at the prompt, from the first board to ``Player N wins the game!``."""

from __future__ import annotations

from pathlib import Path

from numduel.core.errors import IllegalMove
from numduel.core.state import Move
from numduel.core.text import printable
from numduel.match import Match
from numduel.players import Player
from numduel.store import SaveFile, export, folder
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waiting

Seats = tuple[Player | None, Player | None]
"""Who sits in seat 1 and 2; None is a person at the keyboard."""


class _Leave(Exception):
    """The players leave the table."""


class PromptGame:
    """One match on one screen, kept on disk after every move."""

    def __init__(self, match: Match, seats: Seats, screen: Screen, kept: SaveFile) -> None:
        self.match = match
        self.game = match.state.game
        self.seats = seats
        self.screen = screen
        self.kept = kept
        self._unsaved = ""
        self._admitted = False
        names, markers = match.view.names, self.game.markers
        screen.tell_apart(
            *((name, f"[{marker}]") for name, marker in zip(names, markers, strict=True))
        )

    def play(self) -> None:
        """Play until the game ends or the players leave; either way the record is on disk."""
        self.screen.say(*self.game.welcome(), *self.game.board(self.match.view))
        self._keep()
        try:
            while self.match.state.outcome is None:
                self._turn()
            self._close()
        except (EOFError, KeyboardInterrupt, _Leave) as leave:
            if self.screen.interactive and not isinstance(leave, _Leave):
                self.screen.say("")
            self._part()
        finally:
            self.kept.close()

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
            self._admit(player)
            self.screen.say(question + self.game.spoken(move))
            self._move(move)

    def _admit(self, player: Player) -> None:
        """Say once that a board is too large for the computer to know what is best."""
        if not self._admitted and not getattr(player, "exact", True):
            self._admitted = True
            self.screen.say("(This board is too large to be solved: the computer plays by search.)")

    def _answer(self, line: str) -> None:
        """What the person typed: a command, or else a move."""
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
        self._keep()
        view = self.match.view
        if view.fault is None:
            self.screen.say(*self.game.told(view))

    def _close(self) -> None:
        """Say how the game ended."""
        self.screen.say("", *self.game.conclusion(self.match.view))
        if self.screen.interactive:
            self._offer_report()

    def _offer_report(self) -> None:
        """On a terminal, show what every move was worth to those who want to know."""
        try:
            answer = self.screen.ask("Enter: leave, r: report > ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            self.screen.say("")
            return
        if answer in ("r", "report"):
            from numduel.terminal.review import judged, show

            show(self.screen, judged(self.match.record))

    # -- what can be typed besides a move ---------------------------------------------------

    def _help(self) -> None:
        self.screen.say(
            f"Type {self.game.usage()}; or one of these words:",
            "  rules   the rules of the game",
            "  hint    the best move, and why",
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

        with waiting():
            lines = hint(self.match.state, self.match.view.names)
        self.screen.say(*lines)

    def _values(self) -> None:
        from numduel.coach import table

        with waiting():
            lines = table(self.match.state)
        self.screen.say(*lines)

    def _undo(self) -> None:
        undone = self.match.undo()
        if not undone:
            self.screen.fail("There is no move of yours to take back.")
            return
        self._keep()
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
            self.match.write(self.kept.save)
        except OSError as error:
            self.screen.fail(f"The game cannot be kept: {error.strerror}.")
        else:
            self.screen.say(f"The game is kept in {self.kept.path}.")

    def _resign(self) -> None:
        self.match.resign()
        self._keep()

    def _quit(self) -> None:
        raise _Leave

    # -- on disk ----------------------------------------------------------------------------

    def _keep(self) -> None:
        """Write the game down, if anything has happened in it; trouble is told once."""
        if not self.match.state.text and not self.kept.written:
            return
        try:
            self.match.write(self.kept.save)
        except OSError as error:
            why = error.strerror or str(error)
            if why != self._unsaved:
                self.screen.fail(
                    f"The game cannot be kept in {self.kept.path.parent}: {why}. Play goes on."
                )
            self._unsaved = why
        else:
            self._unsaved = ""

    def _part(self) -> None:
        self._keep()
        if self._unsaved:
            self.screen.say("The last moves could not be kept.")
        elif self.kept.written:
            where = "" if self.kept.path.parent == folder() else f" {self.kept.path}"
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
