"""What players decided, read from the logs of Inspect, the files of tournaments, and answers.

What a decision lost is not taken from the file: the solver works it out again, from the position
and the move.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from numduel.agents.asking import Asking
from numduel.core.errors import BadRecord, NumduelError
from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.core.state import RESIGNATIONS, Move, State
from numduel.core.text import file_name, printable
from numduel.extras import install
from numduel.games import game as find
from numduel.lab.dataset import answers
from numduel.lab.dataset.answers import Answers
from numduel.lab.dataset.decisions import Decision, at_stake, regret
from numduel.lab.tournament.jobs import Result
from numduel.lab.tournament.journal import MARK, check_format
from numduel.lab.tournament.secret import is_about_secrets
from numduel.learn.puzzle import theme_of
from numduel.play.record import open_file, parse
from numduel.solver import Option, analyse
from numduel.solver.values import Report, unreported

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

MAX_NAME = 60
"""Characters of a player's name; longer ones keep their end, which tells checkpoints apart, after a
digest of all of it."""
USUAL = {"legal": True, "notation": "numbers", "rules": True, "skin": False}
"""How a model is usually asked; asked in another way, it counts as another player."""
UNSAID = {
    "max_retries", "timeout", "attempt_timeout", "stream_idle_timeout", "max_connections",
    "adaptive_connections", "extra_headers", "cache", "cache_prompt", "batch",
}  # fmt: skip
"""Settings of Inspect that change no answer; headers may hold a secret."""
VEILED = {"extra_body"}
"""Those that may change answers and may hold a secret: a digest stands for them."""
TASK = re.compile(r"numduel/\w+")
QUESTIONS = "_questions"
"""How the name of a task ends whose answers are no decisions."""


class Judged(NamedTuple):
    """A decision with something at stake, and what it lost."""

    player: str
    decision: Decision
    idea: Idea | None
    """The hardest idea of the smallest list that finds the move; None if no list does."""
    regret: float
    fault: bool
    """Whether the answer was not a legal move; its regret is then that of the worst."""
    subject: Hashable
    """See `Sample`; all decisions about one subject are one observation."""


class Sample(NamedTuple):
    """A single decision that a player was asked for, or a whole game."""

    player: str
    seat: int
    decided: Sequence[tuple[State, Move | None]]
    """Positions, and the move chosen in each (None for a fault)."""
    fault: bool
    won: bool | None
    """None for a single decision."""
    game: Game
    subject: Hashable
    """What was asked: a position, or a whole game. Asking it again says nothing about others."""
    key: Hashable
    """The same in every copy of the sample, and in no other sample."""


@dataclass
class Results:
    """Everything that was read."""

    judged: list[Judged] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    unscored: int = 0
    """Samples that a run broke off before judging."""
    repeated: int = 0
    """Samples left out because they were read before."""

    @property
    def players(self) -> list[str]:
        """The players, in the order of the files."""
        return [*dict.fromkeys(one.player for one in self.samples)]

    @property
    def games(self) -> list[Game]:
        """The games played, in the order of the files."""
        return [*dict.fromkeys(one.game for one in self.samples)]


def read(paths: Iterable[str], report: Report = unreported) -> Results:
    """The results in some files. Raises `BadRecord` if one is neither a log of a numduel task nor
    the file of a tournament nor one of answers, or if there is nothing in them."""
    results = Results()
    seen: set[Hashable] = set()
    unscored: set[Hashable] = set()
    for path in logs(paths):
        played, broken = _file(path)
        unscored |= broken
        new = {one.key: one for one in played if one.key not in seen}
        results.repeated += len(played) - len(new)
        seen |= new.keys()
        for done, one in enumerate(new.values(), 1):
            results.samples.append(one)
            results.judged += _judged(one)
            report(f"Judging {file_name(path)}", done, len(new))
    results.unscored = len(unscored - seen)
    if not results.judged:
        raise BadRecord("These files have no decision with something at stake.")
    return results


def judged(player: str, parts: Iterable[Answers]) -> Results:
    """The results of a player's answers."""
    samples = [*_answered(player, parts)]
    return Results([one for sample in samples for one in _judged(sample)], samples)


def _answered(player: str, parts: Iterable[Answers]) -> Iterator[Sample]:
    for part in parts:
        for number, (state, move) in enumerate(part.made):
            key = (player, part, number)
            fault = move is None
            yield Sample(
                player,
                state.to_move or 0,
                [(state, move)],
                fault,
                None,
                part.asked.game,
                state,
                key,
            )


def _judged(played: Sample) -> Iterator[Judged]:
    """The decisions of a sample with something at stake."""
    for state, move in played.decided:
        options, idea = _known(state)
        if at_stake(options):
            decision, lost = Decision(state, options), regret(options, move)
            yield Judged(played.player, decision, idea, lost, move is None, played.subject)


@cache
def _known(state: State) -> tuple[tuple[Option, ...], Idea | None]:
    """The values of the moves and, if something is at stake, the idea that finds the best."""
    options = analyse(state)
    if not at_stake(options):
        return options, None
    return options, theme_of(Decision(state, options).ideas())


def logs(paths: Iterable[str]) -> Iterator[str]:
    """The files; of a folder, the Inspect logs in it."""
    for path in paths:
        if not Path(path).is_dir():
            yield path
            continue
        found = sorted(one for one in Path(path).iterdir() if one.suffix in (".eval", ".json"))
        if not found:
            raise BadRecord(f"There is no Inspect log in {file_name(path)}.")
        yield from map(str, found)


def _file(path: str) -> tuple[list[Sample], set[Hashable]]:
    """The judged samples in a file, and the keys of the others."""
    name = file_name(path)
    try:
        with open_file(path) as file:
            begun = file.read(1 << 10)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "that is not the name of a file"
        raise BadRecord(f"{name} cannot be opened: {why}.") from None
    try:
        if begun.startswith(MARK):
            return [*_tournament(path)], set()
        if answers.MARK.encode() in begun:
            data = answers.load(path)
            player = named(_shown(data["player"]), data.get("settings") or {})
            return [*_answered(player, map(Answers.read, data["parts"]))], set()
        return _inspect(path)
    except NumduelError:
        raise
    except Exception:  # anything may be in the file
        raise BadRecord(
            f"{name} cannot be read: it must be an Inspect log, the file of a tournament, or one"
            " of answers."
        ) from None


# -- tournaments ----------------------------------------------------------------------------


def _tournament(path: str) -> Iterator[Sample]:
    with open_file(path) as file:
        check_format(json.loads(file.readline()), file_name(path))
        for line in file:
            if not line.endswith(b"\n"):
                break  # the tournament goes on, or was killed
            if is_about_secrets(read := json.loads(line)):
                continue
            read.pop("seed", None)  # of the tournament, in files of an earlier version
            result = Result.read(read)
            game = find(result.game, **result.variant)
            state = game.replay(result.moves)
            if result.fault is not None:
                state = state.resign()
            for seat, player in enumerate(result.players, 1):
                moves = _made(state, seat, skip=result.opening)
                fault = result.fault is not None and result.fault.seat == seat
                won = result.winner == seat
                yield Sample(_shown(player), seat, moves, fault, won, game, line, (line, seat))


def _made(end: State, seat: int, skip: int = 0) -> list[tuple[State, Move | None]]:
    """The decisions of a seat in a game; resigning stands for a fault."""
    path: list[tuple[State, Move | None]] = []
    state = end.game.start(first=end.first)
    for token in end.text.split():
        before = state.revealed(token)
        state = state.apply_token(token)
        if token != "pass" and state.moves != before.moves:  # a card may wait for a move
            path.append((before, None if token in RESIGNATIONS else state.moves[-1]))
    return [(before, move) for before, move in path[skip:] if before.to_move == seat]


# -- Inspect --------------------------------------------------------------------------------


def _inspect(path: str) -> tuple[list[Sample], set[Hashable]]:
    log = read_log(path)
    if log.eval.task.endswith(QUESTIONS):
        return [], set()  # they stand in the same folder, and their metrics in the log
    options = log.eval.task_args
    player, ask = name_of(log), asking(options)
    # A resumed run has the samples of the one that broke off, with their own ids.
    keys = {(one.uuid or log.eval.eval_id, one.id, one.epoch): one for one in log.samples or []}
    played = [
        _sample(player, sample, ask, str(options.get("seed")), key)
        for key, sample in keys.items()
        if sample.scores
    ]
    return played, {key for key, sample in keys.items() if not sample.scores}


def read_log(path: str) -> EvalLog:
    """The log of a task of numduel."""
    try:
        from inspect_ai.log import read_eval_log
    except ImportError:
        raise BadRecord(f"To read logs of Inspect, install it: {install('inspect')}") from None
    log = read_eval_log(str(Path(path)))
    if not TASK.fullmatch(log.eval.task):
        told = printable(log.eval.task, MAX_NAME)
        raise BadRecord(f"{file_name(path)} is the log of another task, {told!r}.")
    return log


def asking(options: Mapping[str, Any]) -> Asking:
    """How a model was asked, by the options of its task."""
    return Asking(
        legal=options.get("legal", True),
        indices=options.get("notation") == "indices",
        rules=options.get("rules", True),
        order=options.get("seed", 0),
        disguised=options.get("skin", False),
    )


def settings_of(log: EvalLog) -> dict[str, Any]:
    """How a model was asked, and how it was set, as far as that is unusual."""
    options, found = log.eval.task_args, log.eval.model_generate_config
    asked = {key: options[key] for key, usual in USUAL.items() if options.get(key, usual) != usual}
    set_to = found.model_dump(exclude_none=True)
    told = {
        key: f"…{_digest(json.dumps(value, sort_keys=True))}" if key in VEILED else value
        for key, value in set_to.items()
        if key not in UNSAID
    }
    return {**asked, **told}


def name_of(log: EvalLog) -> str:
    """A model with its settings: set or asked in another way, it counts as another player."""
    return named(_shown(log.eval.model), settings_of(log))


def named(player: str, settings: Mapping[str, Any]) -> str:
    """A player with its settings, unless its name has them."""
    told = _shown(", ".join(f"{name}={str(value).lower()}" for name, value in settings.items()))
    return f"{player} ({told})" if told and told not in player else player


def _shown(name: str) -> str:
    """A name that is safe to show, and another one for every other name."""
    if printable(name, MAX_NAME) != name:
        begun = f"{_digest(name)}…"
        name = begun + name[len(begun) - MAX_NAME :]
    return printable(name, MAX_NAME)


def _digest(text: str) -> str:
    """The beginning of the SHA-256 of a text, which tells it from others."""
    return sha256(text.encode()).hexdigest()[:12]


def _sample(player: str, sample: Any, ask: Asking, seed: str, key: Hashable) -> Sample:
    about = sample.metadata
    [score] = sample.scores.values()
    seat, game = about["seat"], find(about["game"], **about["variant"])
    fault = bool(score.value["fault"])
    if "opponent" in about:
        end = parse(score.metadata["record"]).state
        won, subject = bool(score.value["win"]), (game, str(about["opponent"]), seed, sample.id)
        return Sample(player, seat, _made(end, seat), fault, won, game, subject, key)
    state = game.replay(about["moves"])
    move = None if score.answer is None else ask.move(state, f"MOVE: {score.answer}")
    return Sample(player, seat, [(state, move)], fault, None, game, state, key)
