"""A row of the leaderboard: what somebody answered, what it scores, and how it came about.

It is made of Inspect's logs, of a player or of files of answers, and every decision is replayed:
the positions are drawn anew, the model's words are read again, and the solver works out what each
answer lost. Nothing that a file says about its own score is believed.
"""

from __future__ import annotations

import asyncio
import json
import platform
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import date, timedelta
from hashlib import sha256
from math import isclose
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numduel
from numduel.agents import report as reports
from numduel.agents.asking import Asking
from numduel.agents.results import (
    QUESTIONS,
    asking,
    judged,
    logs,
    name_of,
    read_log,
    settings_of,
)
from numduel.core.errors import BadRecord, BadVariant, NumduelError
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import counted, file_name, printable
from numduel.lab.dataset import answers, trivial
from numduel.lab.dataset.answers import MOST_NAME, Answers, Asked, benchmark_games, is_name
from numduel.lab.dataset.decisions import regret
from numduel.lab.tournament.child import Fault
from numduel.lab.tournament.entrants import Entrant, entrant, seated, stamped
from numduel.play.players import Player
from numduel.solver.values import Report, unreported

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

DIGITS = 4
"""Digits of a score behind the point."""
CLOSE = 2e-3
"""How far the ends of an interval may be from those that its answers have now: another version of
NumPy draws other resamples."""
A_DAY = timedelta(days=1)
"""Somewhere it is tomorrow already."""
KINDS = ("model", "program", "people")
RULE = "rule:"
"""Before the name of a trivial rule that plays."""
OTHERS = ("python:", "exec:")
"""What players in processes of their own begin with."""
SCORED = ("decisions", "faults", "above_trivial", "best_trivial", "skill", "regret")
"""What a row says of each game."""
COSTS = ("dollars", "seconds", "input_tokens", "output_tokens")
"""What all the answers of a row took, as far as that is known."""
COST_LIMITS = 1e-6, 1e12
"""Between these is what is not 0."""
MOVE_TIMEOUT = 600.0
DECIDER = "numduel/decider"
"""The solver that asks models for decisions."""
Row = dict[str, Any]


@dataclass(frozen=True)
class Submission:
    """Answers, and what is known about them besides."""

    player: str
    kind: str
    """One of `KINDS`."""
    parts: Sequence[Answers]
    date: str
    made: Sequence[str] = ()
    """The commands that made them; of a trained player, those that trained it, too."""
    prompts: str | None = None
    """The digest of all that a model was asked, word for word."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """How a model was asked, and how it was set, as far as that is unusual."""
    versions: Mapping[str, str] = field(default_factory=dict)
    cost: Mapping[str, float] = field(default_factory=dict)

    def row(self) -> Row:
        """The row, with its scores; `BadRecord` if it would be none."""
        row = {
            **answers.export(self.player, self.date, [part.json() for part in self.parts]),
            "kind": self.kind,
            "made": [*self.made],
            "prompts": self.prompts,
            "settings": {**self.settings},
            "versions": {"numduel": numduel.__version__, **self.versions},
            "cost": {name: self.cost.get(name) for name in COSTS},
        }
        _check_said(row)
        _check_prompts(row, self.parts)
        return {**row, "scores": scores(self.parts)}


def scores(parts: Iterable[Answers]) -> dict[str, Any]:
    """What answers score, over all games and in each, with 95 % intervals."""
    results = judged("", parts)
    games = []
    for game, some in reports.by_game(results.judged).items():
        found = reports.measures(some) | {"faults": sum(one.fault for one in some)}
        games.append({
            "game": game.id, "variant": game.settings, **{name: found[name] for name in SCORED}
        })  # fmt: skip
    overall = reports.overall(results.judged)
    told: dict[str, Any] = _rounded({"overall": overall and overall._asdict(), "games": games})
    return told


def _rounded(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _rounded(value) for name, value in data.items()}
    if isinstance(data, list):
        return [*map(_rounded, data)]
    return round(data, DIGITS) if isinstance(data, float) else data


# -- checking -------------------------------------------------------------------------------


def check(row: Row) -> None:
    """Raise `BadRecord` if a row lacks something, or its scores are not those of its answers."""
    _check_said(row)
    parts = [*map(Answers.read, row["parts"])]
    if any(part.get("digest") is None for part in row["parts"]):
        raise BadRecord(f"The row of {row['player']} lacks the digest of what it answers.")
    _check_prompts(row, parts)
    if not _same(row.get("scores"), scores(parts)):
        raise BadRecord(f"The scores of {row['player']} are not those of its answers.")


def _check_said(row: Row) -> None:
    """Raise `BadRecord` if a row does not say what it must, but for its scores."""
    whose = printable(str(row.get("player")), MOST_NAME)
    for name, (fits, expected) in _SAID.items():
        if name not in row:
            raise BadRecord(f"The row of {whose} lacks {name}.")
        if not fits(row[name]):
            raise BadRecord(f"In the row of {whose}, {name} must be {expected}.")
    if row["kind"] == "model" and row["prompts"] is None:
        raise BadRecord(f"The row of {whose} lacks prompts: a model's row is made of its logs.")
    if date.fromisoformat(row["date"]) > date.today() + A_DAY:
        raise BadRecord(f"The date of {whose} is in the future: {row['date']}.")


def _check_prompts(row: Row, parts: Iterable[Answers]) -> None:
    """Raise `BadRecord` if the digest in a model's row is not that of what it was asked."""
    asked = (part.asked for part in parts)
    if row["kind"] == "model" and row["prompts"] != _digest(asked, row["settings"]):
        raise BadRecord(
            f"The prompts of {row['player']} are not those of this version: a model's row is made"
            " of its logs."
        )


def _digest(asked: Iterable[Asked], settings: Mapping[str, Any]) -> str:
    """The digest of all that a model is asked with these settings, word for word."""
    prompts = []
    for one in sorted({*asked}, key=lambda one: json.dumps(one.json())):
        ask = asking({**settings, "seed": one.seed})
        prompts += [ask.prompt(decision.state) for decision in one.decisions]
    return sha256("\n".join(prompts).encode()).hexdigest()


def _is_date(said: object) -> bool:
    try:
        return isinstance(said, str) and date.fromisoformat(said).isoformat() == said
    except ValueError:
        return False


def _is_digest(said: object) -> bool:
    return said is None or (isinstance(said, str) and bool(re.fullmatch("[0-9a-f]{64}", said)))


def _is_cost(said: object) -> bool:
    """Whether these are amounts, each of which may be unknown."""
    low, high = COST_LIMITS
    return isinstance(said, dict) and {*said} == {*COSTS} and all(
        one is None or (type(one) in (int, float) and (one == 0 or low <= one <= high))
        for one in said.values()
    )  # fmt: skip


def _are_texts(said: object) -> bool:
    return isinstance(said, list | tuple) and all(isinstance(one, str) for one in said)


def _are_settings(said: object) -> bool:
    """Whether these are settings; not a number is none, nor is infinity."""
    try:
        return isinstance(said, dict) and bool(json.dumps(said, allow_nan=False))
    except ValueError:
        return False


_SAID: dict[str, tuple[Callable[[Any], bool], str]] = {
    "player": (is_name, f"a name of at most {MOST_NAME} printable characters"),
    "date": (_is_date, "a date such as 2026-11-18"),
    "kind": (lambda said: said in KINDS, f"one of {', '.join(KINDS)}"),
    "made": (_are_texts, "a list of texts"),
    "prompts": (_is_digest, "a digest of 64 hexadecimal digits, or null"),
    "settings": (_are_settings, "settings by their names, each plain data"),
    "versions": (
        lambda said: isinstance(said, dict) and _are_texts([*said.values()]),
        "versions by the names of packages",
    ),
    "cost": (_is_cost, f"{', '.join(COSTS)}, each an amount or null"),
}
"""What a row must say, what that must be, and this in words."""


def _same(one: Any, two: Any, close: float = 10**-DIGITS) -> bool:
    """Whether plain data is equal, but for the last digit of numbers, and for a little in the ends
    of intervals."""
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(
            _same(one[name], two[name], CLOSE if name in ("low", "high") else close) for name in one
        )
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(_same, one, two))
    if isinstance(one, float) or isinstance(two, float):
        numbers = isinstance(one, int | float) and isinstance(two, int | float)
        return numbers and isclose(one, two, abs_tol=1.01 * close)
    return bool(one == two)


# -- from files of answers ------------------------------------------------------------------


def from_answers(paths: Sequence[str], name: str = "") -> Submission:
    """The answers in some files: those of several people become one row, and a row stays one."""
    found = [answers.load(path) for path in paths]
    names = [*dict.fromkeys(one["player"] for one in found)]
    if len(names) > 1 and not name:
        raise BadVariant(f"These are answers of {' and of '.join(names[:2])}: give them a --name.")
    kinds = [one.get("kind", "people") for one in found]
    if any(kind != kinds[0] for kind in kinds):
        raise BadVariant("A row is of one kind: of a model, of a program, or of people.")
    parts = joined(Answers.read(part) for one in found for part in one["parts"])
    said: dict[str, Any] = {}
    if "scores" in found[0] and len(found) == 1:
        _check_said(found[0])
        kept = {one.name for one in fields(Submission)} - {"player", "kind", "parts", "date"}
        said = {key: value for key, value in found[0].items() if key in kept}
    else:
        said = {"made": [f"the answers in {counted(len(found), 'file')}"]}
    when = max(str(one.get("date")) for one in found)
    return Submission(name or names[0], kinds[0], parts, when, **said)


def joined(parts: Iterable[Answers]) -> list[Answers]:
    """Answers to the same decisions as one."""
    found: dict[Asked, Answers] = {}
    for part in parts:
        rounds = found[part.asked].rounds if part.asked in found else ()
        found[part.asked] = part._replace(rounds=(*rounds, *part.rounds))
    return [*found.values()]


# -- from a player --------------------------------------------------------------------------


def from_player(
    spec: str, *, count: int, seed: int, name: str = "", report: Report = unreported
) -> Submission:
    """What a player answers to the decisions of all games. It is created anew for each, with
    another seed, and loses nothing but time if it fails: that is a fault."""
    parts, seconds = [], 0.0
    made = shlex.join(
        ["numduel", "submit", "--player", spec, "--decisions", str(count), "--seed", str(seed)]
    )
    who = None if spec.startswith(RULE) else entrant(spec)
    if who is not None:
        name, spec = name or who.name, who.spec
        if spec.startswith("model:"):
            raise BadVariant("A model is entered by its logs, which can be replayed: inspect eval.")
        who = stamped(who)
    # Of our own players the processor's time counts, whatever else the machine does.
    clock = perf_counter if spec.startswith(OTHERS) else process_time
    for game in benchmark_games():
        moves: list[Move | None] = []
        asked = Asked(game, count, seed)
        decisions = asked.decisions
        for number, decision in enumerate(decisions, 1):
            with _seated(who, spec, game, number) as player:
                begun = clock()
                moves.append(_chosen(player, decision.state))
                seconds += clock() - begun
            report(f"{game.display_name}: deciding", number, len(decisions))
        parts.append(Answers(asked, (tuple(moves),)))
    return Submission(
        name or spec, "program", parts, date.today().isoformat(), [made],
        versions={"python": platform.python_version()}, cost={"seconds": round(seconds, DIGITS)},
    )  # fmt: skip


@contextmanager
def _seated(who: Entrant | None, spec: str, game: Game, seed: int) -> Iterator[Player]:
    if who is None:
        yield trivial.Follower(trivial.rule(game, spec.removeprefix(RULE)), seed)
        return
    with seated(who, seed, MOVE_TIMEOUT) as player:
        yield player


def _chosen(player: Player, state: State) -> Move | None:
    try:
        return state.play(player.choose(state.public)).moves[-1]
    except (Fault, numduel.IllegalMove):
        return None


# -- from Inspect's logs --------------------------------------------------------------------


def from_logs(paths: Sequence[str], name: str = "", report: Report = unreported) -> Submission:
    """What a model answered, by its logs; `BadRecord` says in one sentence what in them cannot be
    right."""
    read = [(path, _log(path)) for path in logs(paths)]
    names = [*dict.fromkeys(name_of(log) for _, log in read)]
    if len(names) != 1:
        raise BadRecord(f"A row is of one model, asked in one way, not of {' and '.join(names)}.")
    settings = [settings_of(log) for _, log in read]
    seen = dict[str, str]()
    parts = []
    for done, (path, log) in enumerate(read, 1):
        if settings[done - 1] != settings[0]:
            raise BadRecord(
                f"A row is of one model, asked in one way: {file_name(path)} and"
                f" {file_name(read[0][0])} have different settings."
            )
        other = seen.setdefault(log.eval.eval_id, path)
        if other != path:
            raise BadRecord(f"{file_name(path)} and {file_name(other)} are logs of the same run.")
        parts.append(_replayed(path, log))
        report("Replaying decisions", done, len(read))
    return Submission(
        name or names[0],
        "model",
        joined(parts),
        max(log.eval.created for _, log in read)[:10],
        made=[*dict.fromkeys(_command(log) for _, log in read)],
        prompts=_digest((part.asked for part in parts), settings[0]),
        settings=settings[0],
        versions=read[0][1].eval.packages,
        cost=_used([log for _, log in read]),
    )


def _command(log: EvalLog) -> str:
    """The command that a log is of."""
    words = ["inspect", "eval", log.eval.task, "--model", log.eval.model]
    for name, value in log.eval.task_args_passed.items():
        words += ["-T", f"{name}={value}"]
    if (epochs := log.eval.config.epochs or 1) > 1:
        words += ["--epochs", str(epochs)]
    return shlex.join(words)


def _log(path: str) -> EvalLog:
    try:
        return read_log(path)
    except NumduelError:
        raise
    except Exception:  # anything may be in the file
        raise BadRecord(
            f"{file_name(path)} cannot be read: it must be an Inspect log, or one of answers."
        ) from None


def _used(read: Sequence[EvalLog]) -> dict[str, float]:
    """The tokens of some runs and, where the provider tells, what they cost."""
    used = [one for log in read for one in log.stats.model_usage.values()]
    told = {
        "input_tokens": sum(
            one.input_tokens
            + (one.input_tokens_cache_read or 0)
            + (one.input_tokens_cache_write or 0)
            for one in used
        ),
        "output_tokens": sum(one.output_tokens for one in used),
    }
    costs = [one.total_cost for one in used]
    dollars = {} if None in costs or not costs else {"dollars": sum(map(float, costs))}  # type: ignore[arg-type]
    return {**told, **dollars}


def _replayed(path: str, log: EvalLog) -> Answers:
    """The answers of a log, each read again from the model's words."""
    where, options, samples = file_name(path), log.eval.task_args, log.samples or []
    if log.eval.task.endswith(("_games", QUESTIONS)) or not samples:
        raise BadRecord(f"{where} is no log of single decisions, which the leaderboard is made of.")
    _check_run(where, log)
    about = samples[0].metadata
    said = {"decisions": options.get("decisions", 100), "seed": options.get("seed", 0)}
    try:
        asked, ask = Asked.read({**about, **said, "few": 0}), asking(options)
    except BadRecord:
        raise BadRecord(f"{where} does not say which decisions of which game were asked.") from None
    task, settings = log.eval.task.rpartition("/")[2], asked.game.settings
    if task != asked.game.id.replace("-", "_") or any(
        str(options.get(name, value)) != str(value) for name, value in settings.items()
    ):
        raise BadRecord(f"{where} is of another game than its samples.")
    decisions = asked.decisions
    by_epoch: dict[int, dict[Any, EvalSample]] = {}
    for sample in samples:
        if sample.id in by_epoch.setdefault(sample.epoch, {}):
            which = printable(str(sample.id))
            raise BadRecord(f"{where} has sample {which} twice: each decision has one answer.")
        by_epoch[sample.epoch][sample.id] = sample
    if sorted(by_epoch) != [*range(1, (log.eval.config.epochs or 1) + 1)]:
        raise BadRecord(f"{where} lacks an epoch: only a whole run counts.")
    rounds = []
    for epoch, some in sorted(by_epoch.items()):
        missing = [number for number in range(1, len(decisions) + 1) if number not in some]
        if missing or len(some) > len(decisions):
            raise BadRecord(
                f"{where} has {counted(len(some), 'sample')} where seed {asked.seed} has"
                f" {counted(len(decisions), 'decision')}: only a whole run counts."
            )
        moves = []
        for number, decision in enumerate(decisions, 1):
            sample = some[number]
            which = f"{where}, sample {number}" + (f", epoch {epoch}" if len(by_epoch) > 1 else "")
            moves.append(_answer(which, sample, decision.state, ask))
            _check_score(which, sample, regret(decision.options, moves[-1]), moves[-1])
        rounds.append(tuple(moves))
    return Answers(asked, tuple(rounds))


def _check_run(where: str, log: EvalLog) -> None:
    """Raise `BadRecord` if a run did not end, or something besides our words was said in it."""
    if log.status != "success":
        raise BadRecord(f"{where} is of a run that did not end: finish it with inspect eval-retry.")
    if [step.solver for step in log.plan.steps] != [DECIDER]:
        raise BadRecord(f"{where}: the model was asked by another solver than {DECIDER}.")
    if log.eval.model_generate_config.system_message or log.plan.config.system_message:
        raise BadRecord(f"{where}: the model was given a system message besides what is asked.")


def _answer(which: str, sample: EvalSample, state: State, ask: Asking) -> Move | None:
    """The answer of a sample: the conversation is held again, with the words that the log has."""
    if sample.metadata.get("moves") != state.text:
        raise BadRecord(f"{which}: the position is not the one that its seed has there.")
    talk = [(message.role, message.text) for message in sample.messages]
    said = iter(talk)

    async def say(text: str) -> str:
        if next(said, None) != ("user", text):
            raise BadRecord(f"{which}: the model was not asked in the words of this version.")
        role, answer = next(said, ("", ""))
        if role != "assistant":
            raise BadRecord(f"{which}: an answer of the model is missing.")
        return answer

    after, _ = asyncio.run(ask.decided(state, say))
    if next(said, None) is not None:
        raise BadRecord(f"{which}: more was said than was asked.")
    return None if after is None else after.moves[-1]


def _check_score(which: str, sample: EvalSample, lost: float, move: Move | None) -> None:
    scores = [*(sample.scores or {}).values()]
    if len(scores) != 1 or not isinstance(scores[0].value, Mapping):
        raise BadRecord(f"{which} has no score: finish the run first.")
    told = scores[0].value
    claimed = told.get("regret")
    if (
        told.get("fault") != float(move is None)
        or not isinstance(claimed, int | float)
        or not isclose(claimed, lost, abs_tol=1e-6)
    ):
        raise BadRecord(f"{which}: its score is not what its answer is worth.")
