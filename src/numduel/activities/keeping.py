"""What is saved of an activity between sessions, in this user's small files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from numduel.activities.base import Activity, Place
from numduel.activities.play import Sitting
from numduel.core.errors import BadVariant, NumduelError
from numduel.core.text import DEFAULT_NAMES, HUMAN, file_name, printable
from numduel.files import read_json, write_json
from numduel.games import game as find
from numduel.play.accuracy import Accuracy, read_accuracy
from numduel.play.match import Match, begin, resume
from numduel.play.players import seat_names
from numduel.play.record import read
from numduel.play.statistics import Played, statistics
from numduel.play.store import SaveFile, all_games, new_save, open_save, worth_listing
from numduel.play.turns import in_turn, remember_turn

if TYPE_CHECKING:
    from numduel.activities.lesson import Lessons
    from numduel.activities.profile import Profile
    from numduel.activities.puzzle import Puzzles
    from numduel.activities.storm import Storm

Some = TypeVar("Some", bound=Activity)
ACCURACY_FILE = "accuracy.json"
"""Where accuracies are kept by file name, as judging a game takes a moment."""
CANNOT_SAVE = "The game cannot be saved: {why}."


class Kept(Generic[Some]):
    """An activity that is saved whenever there is something new. If that fails, it says so once and
    goes on."""

    def __init__(
        self,
        activity: Some,
        carried: Callable[[Some], object],
        save: Callable[[Some], None],
        sentence: str,
    ) -> None:
        self.activity = activity
        self.complain: Callable[[str], object] = print
        self._carried, self._save, self._sentence = carried, save, sentence
        self._failed = False

    def keep(self, activity: Some) -> None:
        """Save what is new."""
        before, self.activity = self.activity, activity
        if self._carried(before) == self._carried(activity):
            return
        try:
            self._save(activity)
        except (OSError, RuntimeError) as error:
            why = getattr(error, "strerror", None) or "there is no place for it"
            if not self._failed:
                self.complain(self._sentence.format(why=why))
            self._failed = True


def unkept(activity: Some) -> Kept[Some]:
    """An activity of which nothing is saved."""
    return Kept(activity, lambda _: None, lambda _: None, "")


def opened(kind: type[Activity]) -> Kept[Any]:
    """An activity that doors list, with what it carries."""
    return storm() if kind.NAME == "storm" else unkept(kind(date.today().isoformat()))


def storm() -> Kept[Storm]:
    """A storm of puzzles, and the best results so far."""
    from numduel.activities.storm import Storm
    from numduel.learn import streaks

    begun = Storm(date.today().isoformat(), seed=_seed(), best=streaks.load_best())
    return Kept(
        begun,
        lambda storm: storm.best,
        lambda storm: streaks.save_best(storm.best),
        "The result cannot be saved: {why}.",
    )


def puzzles() -> Kept[Puzzles]:
    """Today's puzzles, with the days in a row so far."""
    from numduel.activities.puzzle import Puzzles
    from numduel.learn import streaks

    begun = Puzzles(date.today().isoformat(), seed=_seed(), streak=streaks.load())
    return Kept(
        begun,
        lambda puzzles: puzzles.streak,
        lambda puzzles: streaks.save(puzzles.streak),
        "Your days in a row cannot be saved: {why}.",
    )


def profile() -> Kept[Profile]:
    """What this user has done, and how well they played in the latest games, which is judged once;
    what a damaged file says is ignored."""
    from numduel.activities.profile import Profile
    from numduel.learn import streaks
    from numduel.learn.lesson import progress

    found = statistics(
        Played.of(path.name, record)
        for path, record in worth_listing(all_games(), lambda saved: saved[1])
    )
    known = accuracies()
    begun = Profile(
        date.today().isoformat(),
        statistics=found,
        accuracy={one.id: known[one.id] for one in found.latest if one.id in known},
        streak=streaks.load(),
        best=streaks.load_best(),
        done={name: tuple(sorted(steps)) for name, steps in progress.read().items()},
    )
    return Kept(
        begun,
        lambda profile: profile.accuracy,
        lambda profile: write_json(ACCURACY_FILE, known | profile.accuracy),
        "The accuracy of your games cannot be saved: {why}.",
    )


def accuracies() -> dict[str, Accuracy | None]:
    """How well this user chose in the games that were judged, by the names of their files. What
    was saved when every move counted is left out, so that those games are judged again."""
    known = read_json(ACCURACY_FILE)
    found = known.items() if isinstance(known, dict) else ()
    return {
        name: read_accuracy(value)
        for name, value in found
        if value is None or read_accuracy(value) is not None
    }


def _seed() -> int:
    from numduel.activities.puzzle import SEEDS

    return int(SystemRandom().random() * SEEDS)


def lessons(game: str) -> Kept[Lessons]:
    """The lesson of a game, with the steps that are done."""
    from numduel.activities.lesson import Lessons
    from numduel.learn.lesson import progress

    return Kept(
        Lessons(game=game, done=tuple(sorted(progress.read().get(game, ())))),
        lambda lesson: lesson.done,
        lambda lesson: progress.add(game, *lesson.done),
        "Your progress cannot be saved: {why}.",
    )


class KeptGame(Kept[Sitting]):
    """A sitting whose games are saved at every move, each in its own file."""

    def __init__(self, match: Match, seed: int | None, save_file: SaveFile) -> None:
        sitting = Sitting(match=match, seed=seed)
        super().__init__(sitting, lambda sitting: sitting.match, self.autosave, CANNOT_SAVE)
        self.save_file = save_file
        self.trouble = ""
        """Why the game could not be saved the last time; empty if it could."""
        self._number, self._begun = sitting.number, match.record.begun

    def close(self) -> None:
        """Unlock the file, so that the game can be resumed elsewhere."""
        self.save_file.close()

    def autosave(self, sitting: Sitting) -> None:
        """Save the game once a person has moved in it. An error is told once."""
        match, record = sitting.match, sitting.match.record
        if sitting.number != self._number:
            self.close()
            self.save_file, self._number = new_save(record), sitting.number
            self._begun = False
        if record.begun and not self._begun:
            self._begun = True
            remember_turn(record)
        before, self.trouble = self.trouble, ""
        try:
            if self.save_file.on_disk or not record.unplayed:
                match.write(self.save_file.save)
        except OSError as error:
            self.trouble = error.strerror or str(error)
        if self.trouble not in ("", before):
            where = file_name(self.save_file.path.parent)
            self.complain(f"The game cannot be saved in {where}: {self.trouble}. You can play on.")


def new_game(match: Match, seed: int | None = None) -> KeptGame:
    """A game that begins, in a new file."""
    return KeptGame(match, seed, new_save(match.record))


def against(place: Place) -> KeptGame:
    """A new game against a level of the computer; the players begin in turn."""
    game, players = find(place.game, **place.variant), (HUMAN, place.level)
    names = seat_names(players, DEFAULT_NAMES)
    first = in_turn(game, place.level)
    return new_game(begin(game, first=first, players=players, names=names))


def resumed(path: Path) -> KeptGame:
    """A saved game to go on with; its file is locked until it is closed."""
    save_file = open_save(path)
    try:
        record = read(path)
        if record.state.winner:
            raise BadVariant(f"{printable(path.name)} is finished: numduel replay shows it.")
        if record.online:
            raise BadVariant(f"This game is online; go on with: numduel join {record.online}")
        return KeptGame(resume(record), record.seed, save_file)
    except NumduelError:
        save_file.close()
        raise
