"""The results of models and players as one page: what they lose, where, and by which blind spot."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations
from math import inf
from statistics import fmean
from typing import Any, NamedTuple

from numduel.agents.results import Judged, Results, Sample
from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.core.state import State
from numduel.core.text import counted, percentage
from numduel.lab import figures
from numduel.lab.dataset.decisions import PHASES, random_regret, unit
from numduel.lab.figures import NONE, with_interval
from numduel.lab.tournament.ratings import mean, wilson
from numduel.solver.values import TIE

MARK = "Made by numduel report"
"""Stands in every report: a report may be written over another report, and over nothing else."""
FEW = 10
"""Fewer decisions of a kind say too little to be told in a sentence."""
LEAST = 5
"""Fewer observations have no interval."""
MANY_FAULTS = 0.1
"""A share of samples without a legal answer that is told before anything else."""
NO_IDEA = "no idea"
MEANING = (
    "Only decisions count in which something was at stake: some legal moves lost what others kept."
    " Regret is what a decision lost on average, exactly: chance to win, or points where the game"
    " is counted. Skill is 1 less regret divided by that of random moves in the same positions."
    " Missed is the share of the decisions answered by a legal move that lost something. An idea is"
    " what it takes to find the move: the hardest of the smallest list of ideas that does."
    " Intervals are of 95 %; all answers of a player to one position are one observation, and so"
    " are the moves of one game, however often it was run."
    f" Fewer than {LEAST} observations are too few for an interval; one without width says that"
    " these were alike, not that others would be. A fault is a sample without a legal answer; in"
    " regret and skill it counts like the worst move."
)


class Estimate(NamedTuple):
    """A mean with its 95 % interval, within what is possible; too few observations have none."""

    value: float
    low: float | None
    high: float | None


class Share(NamedTuple):
    """How many decisions of a kind lost something, with the 95 % interval of the rate."""

    missed: float
    """Of a position that was decided several times, the share of the answers."""
    made: int
    low: float | None
    high: float | None

    @property
    def rate(self) -> float:
        """The share itself."""
        return self.missed / self.made

    @property
    def text(self) -> str:
        """``60 % [41–77] of 25``."""
        return f"{with_interval(self.rate, (self.low, self.high))} of {self.made:,}"


class Pairing(NamedTuple):
    """Two players in the positions that both had to decide, in one game."""

    one: str
    two: str
    game: Game
    positions: int
    difference: Estimate
    """How much more the first lost than the second, in a position."""
    only_one: float
    """Positions in which only the first lost something; of several answers, the share of pairs."""
    only_two: float


def missed(judged: Sequence[Judged]) -> Share | None:
    """How many of the decisions that were answered by a legal move lost something; None if there
    are none."""
    answered = [one for one in judged if not one.fault]
    parts = _parts(answered, _lost_something, lambda _: 1.0)
    wrong = sum(part for part, _ in parts)
    made = decisions(answered)
    return Share(wrong, made, *_rate_interval(parts)) if made else None


def decisions(judged: Sequence[Judged]) -> int:
    """How many decisions these are: the same position asked again is not another one."""
    return len({(one.player, one.subject, one.decision.state) for one in judged})


def regret(judged: Sequence[Judged]) -> Estimate | None:
    """What some decisions of one game lost on average."""
    most = 1.0 if judged and unit(judged[0].decision.state.game) == "chance" else inf
    return _estimate(_parts(judged, lambda one: one.regret, lambda _: 1.0), (0.0, most))


def skill(judged: Sequence[Judged]) -> Estimate | None:
    """1 less regret divided by that of random moves."""
    return _estimate(_parts(judged, lambda one: _random(one) - one.regret, _random), (-inf, 1.0))


def pairings(results: Results) -> Iterator[Pairing]:
    """Every two players in the positions that both had to decide, game by game."""
    for game in results.games:
        for one, two in combinations(results.players, 2):
            lost, wrong = (
                [_by_position(_of(results.judged, who, game), value) for who in (one, two)]
                for value in (lambda made: made.regret, _lost_something)
            )
            both = [state for state in lost[0] if state in lost[1]]
            most = 1.0 if unit(game) == "chance" else inf
            parts = [(lost[0][state] - lost[1][state], 1.0) for state in both]
            found = _estimate(parts, (-most, most))
            if found is None:
                continue
            only = (
                sum(a[state] * (1 - b[state]) for state in both) for a, b in (wrong, wrong[::-1])
            )
            yield Pairing(one, two, game, len(both), found, *only)


def findings(results: Results) -> list[str]:
    """What each player fails to answer, and what it misses most often, in sentences."""
    return [
        sentence
        for player in results.players
        for sentence in (*_faults_told(results, player), *_misses_told(results, player))
    ]


def _faults_told(results: Results, player: str) -> Iterator[str]:
    """How often a player had no legal answer, if that was often."""
    own = [one for one in results.samples if one.player == player]
    for what, some in (
        ("to {} of positions", [one for one in own if one.won is None]),
        ("in {} of its games", [one for one in own if one.won is not None]),
    ):
        rates = _rates(some, lambda one: one.fault)
        if len(rates) >= LEAST and (rate := fmean(rates)) >= MANY_FAULTS:
            yield f"{player} gave no legal answer {what.format(percentage(rate))}."


def _misses_told(results: Results, player: str) -> Iterator[str]:
    """Which idea a player misses most often in what it answered, if enough is known."""
    kinds = _by_idea(_of(results.judged, player=player))
    shares = {idea: share for idea, some in kinds.items() if idea and (share := missed(some))}
    sure = {
        idea: share
        for idea, share in shares.items()
        if share.made >= FEW and share.low is not None and share.missed
    }
    if sure:
        worst = max(sure, key=lambda idea: sure[idea].rate)
        share = sure[worst]
        yield (
            f"{player} misses {worst.name} ({worst.sees}) {percentage(share.rate)} of the time:"
            f" in {_number(share.missed)} of {share.made:,} decisions."
        )


def notes(results: Results) -> list[str]:
    """What was left out of the results, in sentences."""
    told = []
    if results.repeated:
        verb, are = ("stand", "are") if results.repeated > 1 else ("stands", "is")
        told.append(
            f"{counted(results.repeated, 'sample')} {verb} in these files again and {are} counted"
            " once."
        )
    if results.unscored:
        told.append(f"{counted(results.unscored, 'sample')} had no score: the run broke off.")
    return told


def data(results: Results) -> dict[str, Any]:
    """The results as plain data."""
    return {
        "unscored": results.unscored,
        "repeated": results.repeated,
        "players": [
            {
                "player": player,
                "game": game.id,
                "variant": game.settings,
                "unit": unit(game),
                **_measured(results, player, game),
                "phases": _told(_of(results.judged, player, game), _phase),
                "seats": _told(_of(results.judged, player, game), _seat),
                "ideas": _told(
                    _of(results.judged, player, game), lambda one: one.idea and one.idea.name
                ),
            }
            for game in results.games
            for player in results.players
            if _of(results.judged, player, game)
        ],
        "pairs": [
            {
                **pair._asdict(),
                "game": pair.game.id,
                "variant": pair.game.settings,
                "difference": pair.difference._asdict(),
            }
            for pair in pairings(results)
        ],
    }


def _measured(results: Results, player: str, game: Game) -> dict[str, object]:
    judged = _of(results.judged, player, game)
    samples = [one for one in results.samples if (one.player, one.game) == (player, game)]
    return {
        "samples": len({one.subject for one in samples}),
        "answers": len(samples),
        "faults": sum(one.fault for one in samples),
        **_figures(judged),
    }


def _told(judged: Sequence[Judged], kind: Callable[[Judged], Any]) -> list[dict[str, object]]:
    return [{"kind": name, **_figures(some)} for name, some in _grouped(judged, kind).items()]


def _figures(judged: Sequence[Judged]) -> dict[str, object]:
    share, lost, able = missed(judged), regret(judged), skill(judged)
    return {
        "decisions": decisions(judged),
        "missed": share and share._asdict(),
        "regret": lost and lost._asdict(),
        "skill": able and able._asdict(),
    }


# -- the page -------------------------------------------------------------------------------


def page(results: Results, command: str) -> str:
    """The results as one page that needs nothing else."""
    blocks: list[figures.Block] = [
        figures.Text(
            f"{counted(decisions(results.judged), 'decision')} of"
            f" {counted(len(results.players), 'player')}, read by"
        ),
        figures.Code(command),
        *map(figures.Text, findings(results)),
        figures.Text(MEANING),
        *map(figures.Text, notes(results)),
        *_ideas(results),
    ]
    for game in results.games:
        blocks += _game(results, game)
    blocks += _pairs(results)
    return figures.page("What was lost, and where", blocks, generator=MARK)


def _ideas(results: Results) -> Iterator[figures.Block]:
    """What is missed by idea, over all games: shares have no unit."""
    groups = _by_idea(results.judged)
    rows = [
        (
            f"{idea.name}: {idea.sees}" if idea else NO_IDEA,
            *(_share(_of(some, player=player)) for player in results.players),
        )
        for idea, some in groups.items()
    ]
    yield figures.Table("Missed, by idea", rows, ("idea", *results.players))
    chart = [
        _interval(f"{idea.name if idea else 'none'}, {player}", share, hollow=number % 2 == 1)
        for idea, some in groups.items()
        for number, player in enumerate(results.players)
        if (share := missed(_of(some, player=player)))
    ]
    title = "Missed, by idea, with 95 % intervals"
    yield figures.IntervalChart(title, chart, (0.0, 1.0), ends=("0 %", "100 %"))


def _game(results: Results, game: Game) -> Iterator[figures.Block]:
    """The tables of one game: who lost how much, and by phase, seat and idea."""
    judged = [one for one in results.judged if one.decision.state.game == game]
    players = [player for player in results.players if _of(judged, player=player)]
    samples = [one for one in results.samples if one.game == game]
    what = "points" if unit(game) == "points" else "chance to win"
    head = ("player", f"regret ({what})", "skill", "missed", "faults")
    rows, won = [], []
    for player in players:
        own, mine = _of(judged, player=player), [one for one in samples if one.player == player]
        rows.append((
            player, _average(regret(own), game), _average(skill(own)),
            _share(own), _rate(_rates(mine, lambda one: one.fault)),
        ))  # fmt: skip
        if any(one.won is not None for one in mine):
            won.append((player, *(_wins(mine, seat) for seat in (1, 2))))
    yield figures.Table(str(game), rows, head)
    if won:
        yield figures.Table(
            f"{game.display_name}: whole games", won, ("player", "wins in seat 1", "wins in seat 2")
        )
    lines = [
        (name, *(_lost(_of(some, player=player), game) for player in players))
        for kind in (_phase, _seat, _idea)
        for name, some in _grouped(judged, kind).items()
    ]
    title = f"{game.display_name}: regret by phase, seat and idea"
    yield figures.Table(title, lines, ("", *players), "In brackets, how many decisions.")


def _pairs(results: Results) -> Iterator[figures.Block]:
    rows = [
        (
            f"{pair.game}: {pair.one}, {pair.two}", f"{pair.positions:,}",
            _average(pair.difference, pair.game), _number(pair.only_one), _number(pair.only_two),
        )
        for pair in pairings(results)
        if pair.positions >= FEW
    ]  # fmt: skip
    if rows:
        yield figures.Table(
            "Paired by position",
            rows,
            ("game: first, second", "positions", "difference", "only first", "only second"),
            "The positions that both had to decide: how much more regret the first had than the"
            " second, and where only one of them lost something. Fewer than"
            f" {FEW} positions say too little.",
        )  # fmt: skip


def _interval(name: str, share: Share, hollow: bool) -> figures.Interval:
    text = f"{percentage(share.rate)} of {share.made:,}"
    low, high = (share.rate if end is None else end for end in (share.low, share.high))
    return figures.Interval(name, low, share.rate, high, text, hollow)


def _lost(judged: Sequence[Judged], game: Game) -> str:
    return f"{_average(regret(judged), game)} ({decisions(judged):,})" if judged else NONE


def _share(judged: Sequence[Judged]) -> str:
    share = missed(judged)
    return NONE if share is None else share.text


def _average(found: Estimate | None, game: Game | None = None) -> str:
    """A mean with its interval: points as they are, a chance in percent, skill as a number."""
    if found is None:
        return NONE
    scale, digits, sign = (100, 1, " %") if game and unit(game) == "chance" else (1, 2, "")
    return with_interval(found.value, (found.low, found.high), scale, digits, sign)


def _number(count: float) -> str:
    """``7``, or ``7.5`` where answers to one position differ."""
    return f"{round(count, 1):,g}"


def _rate(rates: Sequence[float]) -> str:
    if not rates:
        return NONE
    return with_interval(fmean(rates), _rate_interval([(rate, 1.0) for rate in rates]))


def _wins(samples: Sequence[Sample], seat: int) -> str:
    played = [one for one in samples if one.seat == seat and one.won is not None]
    return _rate(_rates(played, lambda one: one.won is True))


# -- picking and averaging ------------------------------------------------------------------


def _of(
    judged: Sequence[Judged], player: str | None = None, game: Game | None = None
) -> list[Judged]:
    """The decisions of a player, or in a game."""
    return [
        one
        for one in judged
        if player in (None, one.player) and game in (None, one.decision.state.game)
    ]


def _grouped(judged: Sequence[Judged], kind: Callable[[Judged], Any]) -> dict[Any, list[Judged]]:
    """Decisions by their kind; phases and seats in their order, other kinds the most frequent
    first."""
    groups: dict[Any, list[Judged]] = {}
    for one in judged:
        groups.setdefault(kind(one), []).append(one)

    def place(name: Any) -> tuple[int, str]:
        if name in PHASES:
            return PHASES.index(name), ""
        return (0, name) if str(name).startswith("seat") else (-len(groups[name]), str(name))

    return {name: groups[name] for name in sorted(groups, key=place)}


def _by_idea(judged: Sequence[Judged]) -> dict[Idea | None, list[Judged]]:
    """Decisions by the idea that finds the move; an idea has the same name in every game."""
    names = _grouped(judged, lambda one: one.idea and one.idea.name)
    return {some[0].idea: some for some in names.values()}


def _phase(one: Judged) -> str:
    return one.decision.phase


def _idea(one: Judged) -> str:
    return one.idea.name if one.idea else NO_IDEA


def _seat(one: Judged) -> str:
    return f"seat {one.decision.state.to_move}"


def _random(one: Judged) -> float:
    return random_regret(one.decision.options)


def _rates(samples: Sequence[Sample], happened: Callable[[Sample], bool]) -> list[float]:
    """How often something happened with each subject of one player."""
    found: dict[Hashable, list[bool]] = {}
    for one in samples:
        found.setdefault(one.subject, []).append(happened(one))
    return [*map(fmean, found.values())]


def _parts(
    judged: Sequence[Judged],
    over: Callable[[Judged], float],
    under: Callable[[Judged], float],
) -> list[tuple[float, float]]:
    """Two sums over the decisions of each observation; answers to the same position are averaged
    before."""
    found: dict[Hashable, dict[State, list[Judged]]] = {}
    for one in judged:
        states = found.setdefault((one.player, one.subject), {})
        states.setdefault(one.decision.state, []).append(one)
    return [
        (
            sum(fmean(map(over, same)) for same in states.values()),
            sum(fmean(map(under, same)) for same in states.values()),
        )
        for states in found.values()
    ]


def _estimate(
    parts: Sequence[tuple[float, float]], possible: tuple[float, float]
) -> Estimate | None:
    """The ratio of two sums over observations, which are independent of each other."""
    found = mean(parts)
    if found is None:
        return None
    few = len(parts) < LEAST
    return Estimate(found.value, *(None, None) if few else found.within(*possible))


def _rate_interval(
    parts: Sequence[tuple[float, float]],
) -> tuple[float, float] | tuple[None, None]:
    """The interval of a share: Wilson's, where each observation is one decision or all are alike;
    the moves of one game depend on each other."""
    found = _estimate(parts, (0.0, 1.0))
    if found is None or found.low is None or found.high is None:
        return None, None
    if all(size == 1 for _, size in parts) or found.low == found.high:
        return wilson(found.value * len(parts), len(parts))
    return found.low, found.high


def _lost_something(one: Judged) -> float:
    return float(one.regret > TIE)


def _by_position(judged: Sequence[Judged], value: Callable[[Judged], float]) -> dict[State, float]:
    """The average of something over the answers to each position."""
    found: dict[State, list[float]] = {}
    for one in judged:
        found.setdefault(one.decision.state, []).append(value(one))
    return {state: fmean(some) for state, some in found.items()}
