"""A row of the leaderboard: what somebody answered, what it scores, and how it came about.

It is made of Inspect's logs, of a player or of files of answers, and every decision is replayed:
the positions are drawn anew, the model's words are read again, and the solver works out what each
answer lost. Nothing that a file says about its own score is believed.
"""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from math import isclose
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numduel
from numduel.agents import report as reports
from numduel.agents.asking import Asking
from numduel.agents.results import QUESTIONS, USUAL, asking, judged, logs, name_of, read_log
from numduel.core.errors import BadRecord, BadVariant, NumduelError
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import counted, file_name, printable
from numduel.games import game as find
from numduel.lab.dataset import answers, trivial
from numduel.lab.dataset.answers import Answers, Asked, benchmark_games
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
"""How far the scores of a row may be from those that its answers have now: another version of
NumPy draws other resamples for the intervals."""
KINDS = ("model", "program", "people")
RULE = "rule:"
"""Before the name of a trivial rule that plays."""
OTHERS = ("python:", "exec:", "model:")
"""What players in processes of their own begin with."""
SCORED = ("decisions", "faults", "above_trivial", "best_trivial", "skill", "regret")
"""What a row says of each game."""
COSTS = ("dollars", "seconds", "input_tokens", "output_tokens")
"""What all the answers of a row took, as far as that is known."""
MOVE_TIMEOUT = 600.0
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
        """The row, with its scores."""
        if not self.parts:
            raise BadRecord("There are no answers.")
        return {
            **answers.export(self.player, self.date, [part.json() for part in self.parts]),
            "kind": self.kind,
            "made": [*self.made],
            "prompts": self.prompts,
            "settings": {**self.settings},
            "versions": {"numduel": numduel.__version__, **self.versions},
            "cost": {name: self.cost.get(name) for name in COSTS},
            "scores": scores(self.parts),
        }


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
    whose = printable(str(row.get("player")), 60)
    lacking = [
        name for name in ("date", "kind", "made", "versions", "cost", "scores") if name not in row
    ]
    if lacking or row["kind"] not in KINDS:
        raise BadRecord(f"The row of {whose} lacks {lacking[0] if lacking else 'its kind'}.")
    if not _same(row["scores"], scores(map(Answers.read, row["parts"]))):
        raise BadRecord(f"The scores of {whose} are not those of its answers.")


def _same(one: Any, two: Any) -> bool:
    """Whether plain data is equal, but for the last digits of numbers."""
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(_same(one[name], two[name]) for name in one)
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(_same, one, two))
    if isinstance(one, float) or isinstance(two, float):
        numbers = isinstance(one, int | float) and isinstance(two, int | float)
        return numbers and isclose(one, two, abs_tol=CLOSE)
    return bool(one == two)


# -- from files of answers ------------------------------------------------------------------


def from_answers(paths: Sequence[str], name: str = "") -> Submission:
    """The answers in some files: those of several people become one row."""
    found = [answers.load(path) for path in paths]
    names = [*dict.fromkeys(one["player"] for one in found)]
    if len(names) > 1 and not name:
        raise BadVariant(f"These are answers of {' and of '.join(names[:2])}: give them a --name.")
    kinds = {one.get("kind", "people") for one in found}
    parts = [Answers.read(part) for one in found for part in one["parts"]]
    return Submission(
        name or names[0],
        kinds.pop() if len(kinds) == 1 else "people",
        joined(parts),
        max(str(one.get("date", "")) for one in found),
    )


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
    # Of our own players the processor's time counts, whatever else the machine does.
    clock = perf_counter if spec.startswith(OTHERS) else process_time
    who = None if spec.startswith(RULE) else stamped(entrant(spec))
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
    made = f"numduel submit --player {spec} --decisions {count} --seed {seed}"
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
    names = [*dict.fromkeys(name_of(log.eval.model, log.eval.task_args) for _, log in read)]
    if len(names) != 1:
        raise BadRecord(f"A row is of one model, asked in one way, not of {' and '.join(names)}.")
    parts, prompts = [], sha256()
    for done, (path, log) in enumerate(read, 1):
        parts.append(_replayed(path, log, prompts.update))
        report("Replaying decisions", done, len(read))
    first = read[0][1].eval
    settings = first.model_generate_config.model_dump(exclude_none=True) | {
        key: first.task_args[key]
        for key, usual in USUAL.items()
        if first.task_args.get(key, usual) != usual
    }
    return Submission(
        name or names[0],
        "model",
        joined(parts),
        max(log.eval.created for _, log in read)[:10],
        prompts=prompts.hexdigest(),
        settings=settings,
        versions=first.packages,
        cost=_used([log for _, log in read]),
    )


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
        "input_tokens": sum(one.input_tokens for one in used),
        "output_tokens": sum(one.output_tokens for one in used),
    }
    costs = [one.total_cost for one in used]
    dollars = {} if None in costs or not costs else {"dollars": sum(map(float, costs))}  # type: ignore[arg-type]
    return {**told, **dollars}


def _replayed(path: str, log: EvalLog, told: Any) -> Answers:
    """The answers of a log, each read again from the model's words; what was asked is told."""
    where, options, samples = file_name(path), log.eval.task_args, log.samples or []
    if log.eval.task.endswith(("_games", QUESTIONS)) or not samples:
        raise BadRecord(f"{where} is no log of single decisions, which the leaderboard is made of.")
    about = samples[0].metadata
    try:
        game = find(about["game"], **about["variant"])
    except (KeyError, TypeError, NumduelError):
        raise BadRecord(f"{where} does not say which game was asked.") from None
    seed = options.get("seed", 0)
    asked, ask = Asked(game, options.get("decisions", 100), seed), asking(options)
    decisions = asked.decisions
    by_epoch: dict[int, dict[Any, EvalSample]] = {}
    for sample in samples:
        by_epoch.setdefault(sample.epoch, {})[sample.id] = sample
    rounds = []
    for epoch, some in sorted(by_epoch.items()):
        missing = [number for number in range(1, len(decisions) + 1) if number not in some]
        if missing or len(some) > len(decisions):
            raise BadRecord(
                f"{where} has {counted(len(some), 'sample')} where seed {seed} has"
                f" {counted(len(decisions), 'decision')}: only a whole run counts."
            )
        moves = []
        for number, decision in enumerate(decisions, 1):
            sample = some[number]
            which = f"{where}, sample {number}" + (f", epoch {epoch}" if len(by_epoch) > 1 else "")
            moves.append(_answer(which, sample, decision.state, ask))
            told(sample.messages[0].text.encode())
            _check_score(which, sample, regret(decision.options, moves[-1]), moves[-1])
        rounds.append(tuple(moves))
    return Answers(asked, tuple(rounds))


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
    if told.get("fault") != float(move is None) or not isclose(
        float(str(told.get("regret"))), lost, abs_tol=1e-6
    ):
        raise BadRecord(f"{which}: its score is not what its answer is worth.")
