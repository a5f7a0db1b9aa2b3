"""A game on the whole screen, kept after every move."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual.binding import Binding

from numduel.core.errors import BadVariant
from numduel.core.state import Move, State
from numduel.core.text import printable
from numduel.core.view import View, view
from numduel.play.match import Match, resume
from numduel.play.players import ESTIMATES, estimates, seats
from numduel.play.record import read
from numduel.play.score import Score
from numduel.play.store import SaveFile, new_save, open_save
from numduel.tui.board import Board
from numduel.tui.page import Choice
from numduel.tui.table import Table
from numduel.tui.words import only_person, said, shown_names


class Play(Table):
    """A match between people at this keyboard and computers."""

    BINDINGS = [
        Binding("u", "undo", "Undo", tooltip="Take back the last move"),
        Binding("g", "resign", "Give up", tooltip="Resign: the other player wins"),
        Binding("n", "rematch", "Rematch", tooltip="Another game; the other one begins"),
        Binding("a", "report", "Report", tooltip="Why, the chart, and mistakes to try again"),
    ]

    def __init__(
        self,
        match: Match,
        save_file: SaveFile,
        seed: int | None = None,
        score: Score | None = None,
        ended: Callable[[State], None] | None = None,
    ) -> None:
        super().__init__()
        self._ended = ended
        self.match = match
        self.names = shown_names(match.record)
        self.you = only_person(match.record)
        self.seed = seed
        self.score = score or Score()
        self._seats = seats(match.record.players, seed)
        self._save_file = save_file

    def on_mount(self) -> None:
        """Show the board and begin."""
        self._autosave()
        self._go_on()

    def on_unmount(self) -> None:
        """Others may play the game now; one without a move is not kept."""
        if self._save_file.on_disk and not self.match.state.moves:
            self._save_file.path.unlink(missing_ok=True)
        self._save_file.close()

    # -- the game ---------------------------------------------------------------------------

    def _go_on(self, *before: str) -> None:
        """Show the position, and let whose turn it is move; other news comes first."""
        while self.match.state.forced_pass:
            self.match.play("pass")
            self._autosave()
        state = self.match.state
        self.show(state)
        self.refresh_bindings()
        if state.outcome is not None:
            self._conclude()
            return
        player = self._seats[state.to_move - 1]
        if player is None:
            self.tell(*before, *self._news(), *self._asked(state))
            self.refresh_values()
            return
        name = self.names[state.to_move - 1]
        self.tell(*self._news(), f"{name} is thinking…")
        self.think(
            lambda: player.choose(state), lambda move: self._answer(state, move), name, "computer"
        )

    def _answer(self, state: State, move: Move) -> None:
        """The computer has chosen; unless the game has gone elsewhere meanwhile."""
        if self.match.state == state:
            self.match.play(move)
            self._autosave()
            self._go_on()

    def _news(self) -> list[str]:
        """What happened last, if the person should be told."""
        state = self.match.state
        seen = view(state, self.names)
        if seen.last is None:
            return []
        told = [f"{seen.name(seen.mover)}: {said(state.game, seen.last)}."]
        player = self._seats[seen.mover - 1]
        return [*told, f"({ESTIMATES})"] if player and estimates(player) else told

    def _asked(self, state: State) -> list[str]:
        swap = ["The first move can be taken over: type swap."] if state.may_swap else []
        return [f"{self.names[state.to_move - 1]} to move.", *swap]

    def _conclude(self) -> None:
        seen = view(self.match.state, self.names)
        self.tell("\n".join(self.match.state.game.conclusion(seen)))
        if self._ended is not None:
            self._ended(self.match.state)

    def chosen(self, move: str) -> None:
        """Make the move of a person."""
        state = self.match.state
        if state.outcome is not None:
            self.action_report()
            return
        if self._seats[state.to_move - 1] is not None:
            self.query_one(Board).type(move)
            self.fail(f"It is the turn of {self.names[state.to_move - 1]}.")
            return
        if not self.may(state, move, loses=state.game.strict and not self.match.record.forgiving):
            return
        self.match.play(move)
        self._autosave()
        self._go_on()

    # -- keys -------------------------------------------------------------------------------

    @property
    def offer(self) -> str:
        """After the game, the report or another one."""
        if self.match.state.outcome is None:
            return ""
        beginner = self.names[2 - self.match.record.states[0].first]
        return f"Enter: report · n: rematch, {beginner} begins · Esc: home"

    @property
    def enter(self) -> str:
        """After the game, the report."""
        return super().enter if self.match.state.outcome is None else "The report of the game"

    def means(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys mean something now."""
        over = self.match.state.outcome is not None
        if action in ("rematch", "report"):
            return over
        if action == "hint" and not over:  # where the computer thinks, it is there but dimmed
            return True if self._seats[self.match.state.to_move - 1] is None else None
        return not over if action in ("hint", "values", "resign") else True

    def action_undo(self) -> None:
        """Go back to the last decision of a person."""
        self.workers.cancel_group(self, "computer")
        if not self.match.undo():
            self._go_on()
            self.fail("There is no move of yours to take back.")
            return
        self._autosave()
        shuffled = "the undrawn cards were shuffled again."
        self._go_on(f"Taken back; {shuffled}" if self.match.reshuffles else "Taken back.")

    def action_resign(self) -> None:
        """Ask whether to give up, and do it."""

        def answered(answer: str | None) -> None:
            if answer == "yes" and self.match.state.outcome is None:
                self.workers.cancel_group(self, "computer")
                self.match.resign(self.you)
                self._autosave()
                self._go_on()

        question = "Do you want to give up this game?"
        self.app.push_screen(Choice(question, {"no": "Play on", "yes": "Give up"}), answered)

    def action_rematch(self) -> None:
        """Another game between the same players; the other one begins."""
        score = self.score.add(self.match.state)
        match = self.match.rematch()
        self.app.switch_screen(Play(match, new_save(match.record), None, score, self._ended))

    def action_report(self) -> None:
        """Why the game ended so, how it went, and what to try again."""
        from numduel.tui.after import After

        score = self.score.add(self.match.state)
        self.app.push_screen(After(self.match.record, score, self.action_rematch))

    @property
    def kept(self) -> bool:
        """Whether there is a game to go on with."""
        state = self.match.state
        return self._save_file.on_disk and bool(state.moves) and state.outcome is None

    # -- on disk ----------------------------------------------------------------------------

    def _autosave(self) -> None:
        """Keep the game, if a move was made or a card seen in it; an error is told once."""
        trouble = self._save_file.autosave(self.match.write, begun=bool(self.match.state.text))
        if trouble:
            self.notify(f"The game cannot be kept: {trouble}. Play goes on.", severity="error")

    def heading(self, state: State, seen: View) -> str:
        """The game, and the score if this is not the first one."""
        score = self.score.won
        games = f" · {score[0]} : {score[1]}" if self.score.games else ""
        return f"{super().heading(state, seen)}{games}"


def resumed(path: Path) -> Play:
    """The screen that goes on with a kept game."""
    save_file = open_save(path)
    record = read(path)
    if record.state.winner:
        save_file.close()
        raise BadVariant(f"{printable(path.name)} is finished.")
    return Play(resume(record), save_file, record.seed)
