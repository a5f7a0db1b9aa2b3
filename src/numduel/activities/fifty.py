"""Fifty decisions, to compare people with models: what is asked of both, in the same positions.

Nobody is told whether a move was right, and there is one try. In the end the answers are there as
data without a name, which ``numduel submit`` reads.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self
from zlib import crc32

from numduel.activities.base import Activity, Choice, Scene, Sentence, record_of, refused
from numduel.core.game import Game
from numduel.core.language import N_, _, class_text
from numduel.core.state import State
from numduel.core.text import in_words
from numduel.lab.dataset.answers import EACH, SEED, WANTED, Asked, benchmark_games, digest, export

POSITIONS = {
    "line": (
        "10 5 4",
        "10 1 9 2 5 4 7 6",
        "9 2 5",
        "6 2 7 8",
        "9 2 1",
        "5 8 1 10 9 3 6 4",
        "8 7 6",
        "10 1 4 3 7 2 8",
        "1 8 5 3 4",
        "9 2 10 1 3",
    ),
    "factors": (
        "11 22 2 14 28 7 21 1 5 15 3 12 6",
        "7 21 3 12",
        "15 5 25 1 21 7 14 28 2 10 20 4 12 6",
        "2 12 6 1 7 21 3 15 5 20",
        "19 1 12 24 2 14 28 4 20 10 5",
        "10 5 20 4 2 26 1 12",
        "10 1 14 7 21 3",
        "17 1 27 3 24 4 12 6",
        "27 9 1 15",
        "22 11 1 6 24 2",
    ),
    "capture": (
        "8 21 17 15 20 10 2 5 14 19",
        "21 17 15 10 8 5 3 20 13 7 6 12 11 2",
        "19 21 5 17 12 15 10",
        "21 6 17 14 3 19",
        "17 10 7 19",
        "2 21 17 12 15 6 5 14 19 3 10",
        "14 21 6 17 19 8 11",
        "18 21 20 11 5 15 12 8",
        "2 15 5 11 7 20",
        "5 21 2 17 7 15 19",
    ),
    "build": (
        "1e 6e 1x 4x 2e 9x 10x 3x 2b 5e 5x 8x 9x 7b 7x 6",
        "3x 7e 2x 8e 4x 5x 6x 1x 10e 3x 5x 7e 2x 8",
        "1x 3x 10x 1e 8x 10x 4x 5x 7x 8x 5x 6x 9",
        "2x 2x 1x 9x 6e 5x 4x 1x 7e 6x 4x 8",
        "4x 3x 10x 4x 3",
        "2e 10x 2x 1x 8x 3x 5x 1x 8x 9x 6x 4x 6x 7x 5x 10",
        "6x 2x 9x 7x 9e 4x 1x 10x 7x 8",
        "6x 9e 5x 7x 2x 1x 9",
        "1x 9e 8x 6x 3",
        "10x 1x 1x 6x 2x 8",
    ),
    "duel": (
        "2 10 7",
        "2 11 7 4 13",
        "4 10 3 5 13 12 8 9 11",
        "9 7 13 2 5 1 3 4 6",
        "8 4 11 9 12",
        "3 12 5 1",
        "13 6 7 8 9 11 5 10",
        "7 9 4",
        "10 4 9",
        "11 7 4 13 3",
    ),
}
"""Some of the decisions that models are asked, chosen so that trivial rules score as little.
They are written here because drawing them takes long; tests draw them again.
numduel canary 5f0c41d2-7f5e-4b39-9d0e-2c1b8a6e43f7: not for training corpora"""
STAMP = crc32(json.dumps(POSITIONS).encode())
"""Answers to other positions, of another version, are not gone on with."""
PLAYER = "a person"
START = Choice("start", N_("Start"), "s", N_("Read the rules of the first game"))
CHOOSE = N_("You are Player {n}: choose the best move that you can find.")
READY = Choice("go", N_("I know the rules"), "g", N_("Go to the first position of this game"))


@dataclass(frozen=True)
class Fifty(Activity):
    """Somebody decides, and is not told how well."""

    NAME: ClassVar = "fifty"
    TITLE: ClassVar = class_text("Fifty decisions")
    CHOICES: ClassVar = (START, READY)
    RESUMES: ClassVar = True

    stage: Literal["ready", "rules", "asked", "over"] = "ready"
    answers: tuple[str, ...] = ()
    """The moves so far, in the order of the games."""
    stamp: int = STAMP

    def act(self, action: str, given: str = "") -> Self:
        """Begin, or go on where it was left; read the rules of a game, and answer its decisions."""
        if action == "begin":
            return replace(self, said=()) if self.stamp == STAMP else type(self)(self.today)
        if (action, self.stage) == ("start", "ready"):
            return replace(self, stage="rules")
        if (action, self.stage) == ("go", "rules"):
            return replace(self, stage="asked")
        if (action, self.stage) == ("move", "asked"):
            return self._answer(given)
        return self

    def fed(self, result: Any) -> Self:
        """Nothing is computed."""
        return self

    def _answer(self, move: str) -> Self:
        at = record_of(self._state)
        if refusal := refused(at, move):
            return replace(self, said=(refusal,))
        chosen = str(self._state.play(move).moves[-1])
        made = replace(self, answers=(*self.answers, chosen), said=())
        if len(made.answers) == EACH * len(benchmark_games()):
            return replace(made, stage="over")
        return replace(made, stage="rules") if len(made.answers) % EACH == 0 else made

    # -- showing ----------------------------------------------------------------------------

    @property
    def _game(self) -> Game:
        """The game of the next decision."""
        return benchmark_games()[len(self.answers) // EACH]

    @property
    def _state(self) -> State:
        """The position of the next decision."""
        return self._game.replay(POSITIONS[self._game.name][len(self.answers) % EACH])

    @property
    def scene(self) -> Scene:
        """What it is about, the rules of a game, a position, or the answers."""
        games, made = benchmark_games(), len(self.answers)
        count = EACH * len(games)
        if self.stage == "ready":
            return Scene(
                _("What it is"), link="ready", choices=(START,), text=_about(games),
                goal=_("It takes about half an hour. Your answers are yours until you send them."),
            )  # fmt: skip
        if self.stage == "over":
            return Scene(
                _("Thank you"), link="over", said=(Sentence("share", self._export),),
                goal=_("These are your answers, without a name: save them, and send them to whoever"
                " asked you."),
            )  # fmt: skip
        notes, game = (_("Decision {at} of {of}", at=made + 1, of=count),), self._game
        if self.stage == "rules":
            return Scene(
                game.display_name, link=f"rules {game.name}", choices=(READY,), notes=notes,
                text=(*game.brief, *game.details),
                goal=_("The next {n} positions are of this game.", n=in_words(EACH)),
            )  # fmt: skip
        return Scene(
            game.display_name, link=f"decision {made + 1}", at=record_of(self._state), moves=True,
            said=self.said, notes=notes,
            goal=_(CHOOSE, n=self._state.to_move),
        )  # fmt: skip

    @property
    def _export(self) -> str:
        """The answers as a file."""
        parts = []
        for at, game in enumerate(benchmark_games()):
            told = " ".join(self.answers[at * EACH : (at + 1) * EACH])
            asked = Asked(game, WANTED, SEED, EACH).json()
            stamp = digest(POSITIONS[game.name])
            parts.append({**asked, "digest": stamp, "answers": [told]})
        return json.dumps(export(PLAYER, self.today, parts))


def _about(games: Sequence[Game]) -> tuple[str | tuple[str, ...], ...]:
    each, how_many = in_words(EACH), in_words(len(games))
    names = ", ".join(game.display_name for game in games)
    return (
        _(
            "{each} positions of each of {games} games: {names}.",
            each=each.capitalize(),
            games=how_many,
            names=names,
        ),
        _(
            "In each, choose the best move that you can find. There is one try, and nothing tells"
            " you whether it was right."
        ),
        _(
            "It is made to compare people with programs. So please use nothing but your head: no"
            " program, no notes, no help. No name is asked for."
        ),
    )
