"""A game at the prompt."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from numduel.activities import Sitting, Work, run
from numduel.activities.keeping import KeptGame
from numduel.core.errors import NotAMove
from numduel.core.state import State
from numduel.core.text import HUMAN, file_name, listed, printable, similar
from numduel.core.view import View, view
from numduel.files import export, refused
from numduel.play.store import folder
from numduel.terminal.choice import confirmed
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited


class _Leave(Exception):
    """The players leave the game."""


class PromptGame:
    """One game of a sitting, saved after every move."""

    def __init__(self, kept: KeptGame, screen: Screen) -> None:
        self.kept = kept
        self.game = kept.activity.match.state.game
        self.screen = screen
        self._asked: State | None = None
        """The position in which a move was last asked for."""
        screen.tell_apart(kept.activity.names, self.game.markers)

    @property
    def _sitting(self) -> Sitting:
        return self.kept.activity

    def play(self) -> None:
        """Play until the game ends or the players leave."""
        self.kept.complain = self.screen.fail
        begun = self._sitting.act("begin")
        self._show(begun.view, *self.game.welcome(), *self.game.board(begun.view))
        try:
            self._tell(begun)
            while not self._sitting.over:
                if self._sitting.work is None:
                    self._ask()
                else:
                    self._let_play(self._sitting.work)
            self._conclude()
        except (EOFError, KeyboardInterrupt, _Leave) as leave:
            if self.screen.interactive and not isinstance(leave, _Leave):
                self.screen.say("")
            self._say_goodbye()
        finally:
            self.kept.close()

    def _ask(self) -> None:
        """Ask a person for a move; at a terminal, a second time with the question alone."""
        *lines, question = self._prompt()
        state = self._sitting.match.state
        again = self.screen.interactive and self._asked == state
        first = self.screen.interactive and self._asked is None
        self.screen.say("", *(self._introduction() if first else []), *([] if again else lines))
        self._asked = state
        self._answer(self.screen.ask(question))

    def _introduction(self) -> list[str]:
        """What to type, and what a broken rule costs."""
        hint = self.game.input_hint()
        typed = f"(Type {hint}; help shows what else you can type.)"
        costs = "(A move that breaks a rule loses the game; --forgiving asks again instead.)"
        return [typed, costs] if self._sitting.strict else [typed]

    def _prompt(self) -> list[str]:
        """The lines that ask for a move."""
        *lines, question = self.game.prompt(self._sitting.view)
        return [*lines, question]

    def _let_play(self, work: Work) -> None:
        """Let the computer move. Through a pipe, the transcript is that of two people."""
        *lines, question = self._prompt()
        self.screen.say("", *([] if self.screen.interactive else lines))
        found = waited(partial(run, work))
        typed = [] if self.screen.interactive else [question + self.game.label(found["move"])]
        self._tell(self._sitting.fed(found), *typed)

    def _answer(self, line: str) -> None:
        """Carry out a command, or else make a move."""
        typed = " ".join(line.lower().split())
        if typed.partition(" ")[0] == "save":
            self._save(line.strip().partition(" ")[2].strip())
        elif typed in COMMANDS:
            COMMANDS[typed](self)
        elif self.screen.interactive and (meant := self._misspelt(line, typed)):
            self.screen.fail(f"Did you mean {meant}? Nothing was done.")
        else:
            self._do("move", line)

    def _misspelt(self, line: str, typed: str) -> str | None:
        """The command that may have been meant, if a line is not a move."""
        try:
            self.game.read(line, self._sitting.match.state)
        except NotAMove:
            return similar(typed, WORDS)
        return None

    def _do(self, action: str, given: str = "") -> None:
        """Do something, and say what came of it."""
        after = self._sitting.act(action, given)
        if action == "hint" and after.work is not None:
            after = after.fed(waited(partial(run, after.work)))
        self._tell(after)

    def _tell(self, after: Sitting, *typed: str) -> None:
        """Keep the game, and say what is new: every move comes after what was typed for it."""
        made = len(self._sitting.match.record.states)
        self.kept.keep(after)
        for sentence in after.said:
            if sentence.kind == "error":
                self.screen.fail(sentence.text)
            elif sentence.kind != "why" or self.screen.interactive:
                self.screen.say(sentence.text)
        self.screen.say(*typed)
        for state in after.match.record.states[made:]:
            if state.fault is None and not state.resigned:
                seen = view(state, after.names)
                self._show(seen, *self._told(seen))

    def _told(self, seen: View) -> list[str]:
        """What is said after a move. At a terminal, the computer's move is named, and the whole
        board follows."""
        told, name = self.game.move_lines(seen), seen.name(seen.mover)
        person = self._sitting.match.record.players[seen.mover - 1] == HUMAN
        if person or seen.last == "pass" or not self.screen.interactive:
            return told
        if name not in told[0]:
            told = [f"{name} {self.game.does(seen.moves[-1])}.", *told]
        return [*told, *(line for line in self.game.board(seen) if line not in told)]

    def _show(self, seen: View, *lines: str) -> None:
        self.screen.say_board(lines, seen.cells)

    def _conclude(self) -> None:
        """Say how the game ended; at a terminal, also how to play without the risk of breaking a
        rule, and what the game teaches, unless Ctrl-C stops looking for that."""
        seen, work = self._sitting.view, self._sitting.work
        self.screen.say("", *self.game.closing(seen))
        if not self.screen.interactive:
            return
        if seen.fault is not None:
            command = f"numduel play {self.game.name} --forgiving"
            self.screen.say(f"({command} would have asked again.)")
        if work is not None:
            with suppress(KeyboardInterrupt):
                self._tell(self._sitting.fed(waited(partial(run, work))))

    # -- what can be typed besides a move ---------------------------------------------------

    def _help(self) -> None:
        board = [("board", "the board again")]
        rules = "the rules of the game, in brief; rules all: the whole page"
        if not self.screen.interactive:  # through a pipe, transcripts stay as they are
            board, rules = [], "the rules of the game"
        words = (
            *board,
            ("rules", rules),
            ("hint", "what to look at; ask again for a move and why"),
            ("values", "what every move is worth"),
            ("undo", "take back the last move"),
            ("save", "show where the game is saved; save FILE writes a copy"),
            ("resign", "give up: the other player wins"),
            ("quit", "leave; numduel resume goes on from here"),
        )
        typed = f"Type {self.game.input_hint()}; or one of these words:"
        self.screen.say(typed, *(f"  {word:6}  {does}" for word, does in words))

    def _board(self) -> None:
        seen = self._sitting.view
        self._show(seen, *self.game.board(seen))
        blocked = [cell.label for cell in seen.cells if cell.state == "blocked"]
        if blocked:
            told = f"Blocked for {seen.player}: {listed(blocked)}"
            self.screen.say(told)

    def _rules(self) -> None:
        game, seen = self.game, self._sitting.view
        self.screen.say(*game.brief)
        if game.changes:
            self.screen.say(f"Settings: {', '.join(game.changes)}.")
        if self._sitting.strict:
            self.screen.say("A move that breaks a rule loses the game.")
        turn = f"It is {seen.player}'s turn."
        goal = game.goal(seen, seen.to_move)
        self.screen.say(f"{turn} {goal}", "(rules all: the whole page)")

    def _page(self) -> None:
        self.screen.page(self.game.page)
        seen = self._sitting.view
        self._show(seen, "", *self.game.board(seen))

    def _values(self) -> None:
        from numduel.learn.coach import table
        from numduel.learn.coach.words import WIDTH

        lines = waited(lambda: table(self._sitting.match.state, min(WIDTH, self.screen.width)))
        self.screen.say_values(*lines)
        self.kept.keep(self._sitting.act("values"))

    def _undo(self) -> None:
        before = self._sitting.match
        self._do("undo")
        if self._sitting.match is not before:
            seen = self._sitting.view
            self._show(seen, "", *self.game.board(seen))

    def _save(self, name: str) -> None:
        if name:
            try:
                path = Path(name).expanduser()
                self._sitting.match.write(lambda record: export(record.text(), path))
            except (OSError, RuntimeError, ValueError) as error:
                self.screen.fail(refused(printable(name), error))
            else:
                self.screen.say(f"A copy is in {printable(name)}.")
            return
        try:
            self._sitting.match.write(self.kept.save_file.save)
        except OSError as error:
            where = file_name(self.kept.save_file.path.parent)
            self.screen.fail(
                f"The game cannot be saved in {where}: {error.strerror}. save FILE writes a copy"
                " elsewhere."
            )
        else:
            path = self.kept.save_file.path
            self.screen.say(f"The game is saved in {file_name(path)}.")

    def _resign(self) -> None:
        """Give up; at a terminal only after asking, because nothing takes it back."""
        question = "Do you want to give up this game? (yes, Enter: no) "
        if not self.screen.interactive or confirmed(self.screen, question, default=False):
            self._do("resign")

    def _quit(self) -> None:
        raise _Leave

    def _say_goodbye(self) -> None:
        self.kept.autosave(self._sitting)
        if self.kept.trouble:
            self.screen.say("The last moves could not be saved.")
        elif self.kept.save_file.on_disk:
            path = self.kept.save_file.path
            where = "" if path.parent == folder() else f" {file_name(path)}"
            self.screen.say(f"The game is saved: numduel resume{where} goes on with it.")
        else:
            self.screen.say("No move was made, so there is nothing to save.")


COMMANDS: dict[str, Callable[[PromptGame], None]] = {
    "help": PromptGame._help,
    "?": PromptGame._help,
    "board": PromptGame._board,
    "rules": PromptGame._rules,
    "rules all": PromptGame._page,
    "hint": lambda table: table._do("hint"),
    "values": PromptGame._values,
    "undo": PromptGame._undo,
    "resign": PromptGame._resign,
    "quit": PromptGame._quit,
    "exit": PromptGame._quit,
    "q": PromptGame._quit,
}
WORDS = (*(word for word in COMMANDS if word.isalpha()), "save")
"""The commands that may be misspelt."""
