"""The results of models and players as one page: what they lose, where, and by which blind spot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from numduel import figures
from numduel.agents.results import Judged, Results, Sample
from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.core.text import counted
from numduel.dataset.decisions import PHASES, random_regret, unit
from numduel.players import SLIGHT
from numduel.tournament.ratings import Mean, mean, wilson

MARK = "Made by numduel report"
"""Stands in every report: a report may be written over another report, and over nothing else."""
NONE = "–"
FEW = 10
"""Fewer decisions of a kind say too little to be told in a sentence."""
NO_IDEA = "no idea"
MEANING = (
    "Only decisions count in which something was at stake: some legal moves lost what others kept."
    " Regret is what a decision lost on average, exactly: chance to win, or points where the game"
    " is counted. Skill is 1 less regret divided by that of random moves in the same positions."
    " Missed is the share of decisions that lost something. An idea is what it takes to find the"
    " move: the hardest of the smallest list of ideas that does. Intervals are of 95 %; the moves"
    " of one game are one observation, and ± 0 says that these were alike, not that others would"
    " be. A fault is a sample without a legal answer; as a decision it counts like the worst move."
)


class Share(NamedTuple):
    """How many decisions of a kind lost something."""

    missed: int
    made: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        """The share itself."""
        return self.missed / self.made

    @property
    def text(self) -> str:
        """``60 % [41–77] of 25``."""
        low, high = 100 * self.low, 100 * self.high
        return f"{100 * self.rate:.0f} % [{low:.0f}–{high:.0f}] of {self.made:,}"


class Pairing(NamedTuple):
    """Two players in the positions that both had to decide, in one game."""

    one: str
    two: str
    game: Game
    positions: int
    difference: Mean
    """How much more the first lost than the second, in a position."""
    only_one: int
    """Positions in which only the first lost something."""
    only_two: int


def missed(judged: Sequence[Judged]) -> Share | None:
    """How many of some decisions lost something; None if there are none. Where each is a sample of
    its own the interval is Wilson's; the moves of one game depend on each other."""
    if not judged:
        return None
    wrong = [one.regret > SLIGHT for one in judged]
    low, high = wilson(sum(wrong), len(wrong))
    if len({one.sample for one in judged}) < len(judged):
        found = _averaged(judged, lambda one: float(one.regret > SLIGHT), lambda _: 1.0)
        if found is not None and found.spread:
            low, high = max(0.0, found.value - found.spread), min(1.0, found.value + found.spread)
    return Share(sum(wrong), len(wrong), low, high)


def regret(judged: Sequence[Judged]) -> Mean | None:
    """What some decisions of one game lost on average."""
    return _averaged(judged, lambda one: one.regret, lambda _: 1.0)


def skill(judged: Sequence[Judged]) -> Mean | None:
    """1 less regret divided by that of random moves."""
    return _averaged(judged, lambda one: _random(one) - one.regret, _random)


def pairings(results: Results) -> Iterator[Pairing]:
    """Every two players in the positions that both had to decide, game by game."""
    for game in results.games:
        for one, two in combinations(results.players, 2):
            lost = [_by_position(results.judged, who, game) for who in (one, two)]
            both = [state for state in lost[0] if state in lost[1]]
            found = mean([(lost[0][state] - lost[1][state], 1.0) for state in both])
            if found is None:
                continue
            wrong = [[lost[at][state] > SLIGHT for state in both] for at in (0, 1)]
            only = [sum(a > b for a, b in zip(*pair, strict=True)) for pair in (wrong, wrong[::-1])]
            yield Pairing(one, two, game, len(both), found, *only)


def findings(results: Results) -> list[str]:
    """What each player misses most often, in a sentence."""
    told = []
    for player in results.players:
        kinds = _by_idea(_of(results.judged, player=player))
        shares = {idea: share for idea, some in kinds.items() if (share := missed(some))}
        sure = {idea: share for idea, share in shares.items() if idea and share.made >= FEW}
        if not sure:
            continue
        worst = max(sure, key=lambda idea: sure[idea].rate)
        if sure[worst].missed:
            told.append(
                f"{player} misses {worst.name} ({worst.sees}) {100 * sure[worst].rate:.0f} % of the"
                f" time: in {sure[worst].missed:,} of {sure[worst].made:,} decisions."
            )
    return told


def data(results: Results) -> dict[str, Any]:
    """The results as plain data."""
    return {
        "unscored": results.unscored,
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
        "samples": len(samples),
        "faults": sum(one.fault for one in samples),
        **_figures(judged),
    }


def _told(judged: Sequence[Judged], kind: Callable[[Judged], Any]) -> list[dict[str, object]]:
    return [{"kind": name, **_figures(some)} for name, some in _grouped(judged, kind).items()]


def _figures(judged: Sequence[Judged]) -> dict[str, object]:
    share, lost, able = missed(judged), regret(judged), skill(judged)
    return {
        "decisions": len(judged),
        "missed": share and share._asdict(),
        "regret": lost and lost._asdict(),
        "skill": able and able._asdict(),
    }


# -- the page -------------------------------------------------------------------------------


def page(results: Results, command: str) -> str:
    """The results as one page that needs nothing else."""
    blocks: list[figures.Block] = [
        figures.Text(
            f"{counted(len(results.judged), 'decision')} of"
            f" {counted(len(results.players), 'player')}, read by"
        ),
        figures.Code(command),
        *map(figures.Text, findings(results)),
        figures.Text(MEANING),
    ]
    if results.unscored:
        told = f"{counted(results.unscored, 'sample')} had no score: the run broke off."
        blocks.append(figures.Text(told))
    blocks += _ideas(results)
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
    yield figures.IntervalChart("Missed, by idea, with 95 % intervals", chart, (0.0, 1.0))


def _game(results: Results, game: Game) -> Iterator[figures.Block]:
    """The tables of one game: who lost how much, and by phase, seat and idea."""
    judged = [one for one in results.judged if one.decision.state.game == game]
    players = [player for player in results.players if _of(judged, player=player)]
    samples = [one for one in results.samples if one.game == game]
    what = "points" if unit(game) == "points" else "chance to win"
    head = ("player", f"regret ({what})", "skill", "missed", "faults")
    whole = any(one.won is not None for one in samples)
    rows = []
    for player in players:
        own, mine = _of(judged, player=player), [one for one in samples if one.player == player]
        row = (
            player, _average(regret(own), game), _average(skill(own)),
            _share(own), _rate([one.fault for one in mine]),
        )  # fmt: skip
        rows.append((*row, *(_wins(mine, seat) for seat in (1, 2))) if whole else row)
    more = ("wins in seat 1", "wins in seat 2") if whole else ()
    yield figures.Table(str(game), rows, (*head, *more))
    lines = [
        (name, *(_lost(_of(some, player=player), game) for player in players))
        for kind in (_phase, _seat, _idea)
        for name, some in _grouped(judged, kind).items()
    ]
    title = f"{game.title}: regret by phase, seat and idea"
    yield figures.Table(title, lines, ("", *players), "In brackets, how many decisions.")


def _pairs(results: Results) -> Iterator[figures.Block]:
    rows = [
        (
            str(pair.game), pair.one, pair.two, f"{pair.positions:,}",
            _average(pair.difference, pair.game), f"{pair.only_one:,}", f"{pair.only_two:,}",
        )
        for pair in pairings(results)
        if pair.positions >= FEW
    ]  # fmt: skip
    if rows:
        yield figures.Table(
            "Paired by position",
            rows,
            ("game", "first", "second", "positions", "difference", "only first", "only second"),
            "The positions that both had to decide: how much more regret the first had than the"
            " second, and where only one of them lost something. Fewer than"
            f" {FEW} positions say too little.",
        )  # fmt: skip


def _interval(name: str, share: Share, hollow: bool) -> figures.Interval:
    text = f"{100 * share.rate:.0f} % of {share.made:,}"
    return figures.Interval(name, share.low, share.rate, share.high, text, hollow)


def _lost(judged: Sequence[Judged], game: Game) -> str:
    return f"{_average(regret(judged), game)} ({len(judged):,})" if judged else NONE


def _share(judged: Sequence[Judged]) -> str:
    share = missed(judged)
    return NONE if share is None else share.text


def _average(found: Mean | None, game: Game | None = None) -> str:
    """A mean with its interval: points as they are, a chance in percent, skill as a number."""
    if found is None:
        return NONE
    scale, digits, sign = (100, 1, " %") if game and unit(game) == "chance" else (1, 2, "")
    more = "" if found.spread is None else f" ± {scale * found.spread:.{digits}f}"
    return f"{scale * found.value:.{digits}f}{more}{sign}"


def _rate(happened: Sequence[bool]) -> str:
    low, high = wilson(sum(happened), len(happened))
    rate = sum(happened) / len(happened) if happened else 0.0
    return f"{100 * rate:.0f} % [{100 * low:.0f}–{100 * high:.0f}]" if happened else NONE


def _wins(samples: Sequence[Sample], seat: int) -> str:
    return _rate([one.won for one in samples if one.seat == seat and one.won is not None])


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


def _averaged(
    judged: Sequence[Judged],
    over: Callable[[Judged], float],
    under: Callable[[Judged], float],
) -> Mean | None:
    """The ratio of two sums over decisions, whose samples are independent of each other."""
    sums: dict[int, tuple[float, float]] = {}
    for one in judged:
        above, below = sums.get(one.sample, (0.0, 0.0))
        sums[one.sample] = above + over(one), below + under(one)
    return mean([*sums.values()])


def _by_position(judged: Sequence[Judged], player: str, game: Game) -> dict[Any, float]:
    """What a player lost on average in each position."""
    lost: dict[Any, list[float]] = {}
    for one in _of(judged, player, game):
        lost.setdefault(one.decision.state, []).append(one.regret)
    return {state: sum(some) / len(some) for state, some in lost.items()}
