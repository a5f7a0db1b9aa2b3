"""The results of models and players as one page: what they lose, where, and what they miss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple, TypeVar, cast

from numduel.agents.results import Judged, Results, Sample
from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.core.state import State
from numduel.core.text import counted, percentage
from numduel.lab import figures
from numduel.lab.dataset import trivial
from numduel.lab.dataset.decisions import PHASES, random_regret, unit, worst_regret
from numduel.lab.figures import NONE, with_interval
from numduel.lab.tournament import ratings
from numduel.lab.tournament.ratings import LEAST, Estimate, Part, mean
from numduel.solver import Option
from numduel.solver.values import TIE

MARK = "Made by numduel report"
"""Stands in every report: only a file with it may be overwritten by another report."""
FEW = 10
"""Fewer decisions of a kind are too few for a sentence about them."""
MANY_FAULTS = 0.1
"""From this share of samples without a legal answer on, it is the first thing to say."""
NO_IDEA = "no idea"
MEANING = (
    "Only decisions with something at stake count: some legal moves lost what others kept. Regret"
    " is what a decision lost on average, exactly: chance to win, or points where the game is"
    " counted. Skill is 1 less regret divided by that of random moves in the same positions. Above"
    " trivial is 1 less regret divided by that of the trivial rule that is best there: only what is"
    " above 0 shows that a player understands anything. Missed"
    " is the share of the decisions answered by a legal move that lost something. An idea is what"
    " it takes to find the move: the hardest in the smallest list of ideas that does. Intervals are"
    " 95 %; all answers of a player to one position are one observation, and so are the moves of"
    f" one game, however often it was run. Fewer than {LEAST} observations are too few for an"
    " interval. Intervals of shares are Wilson's, others Gaffke's, which also allow for losses that"
    " are too rare to have been seen. A fault is a sample without a legal answer; in regret and"
    " skill it counts as the worst move."
)
T = TypeVar("T")


class Share(NamedTuple):
    """How many decisions of a kind lost something, with the 95 % interval of the rate."""

    missed: float
    """A position decided several times counts as the share of its answers."""
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
    """Two players in the positions of one game that both decided."""

    one: str
    two: str
    game: Game
    positions: int
    difference: Estimate
    """How much more the first lost than the second in a position."""
    only_one: float
    """Positions where only the first lost something; with several answers, the share of pairs."""
    only_two: float


def missed(judged: Sequence[Judged]) -> Share | None:
    """How many of the decisions answered by a legal move lost something; None if there are none."""
    answered = [one for one in judged if not one.fault]
    parts = [(lost, made) for lost, made in _sums(answered, _lost_something, _one)]
    found = ratings.share(parts)
    if found is None:
        return None
    return Share(sum(lost for lost, _ in parts), decisions(answered), found.low, found.high)


def decisions(judged: Sequence[Judged]) -> int:
    """How many different decisions these are: the same position asked again counts once."""
    return len({(one.player, one.subject, one.decision.state) for one in judged})


def regret(judged: Sequence[Judged]) -> Estimate | None:
    """What some decisions of one game lost on average."""
    sums = _sums(judged, _regret, _one, _worst)
    return mean(Part(lost, made, 0.0, worst) for lost, made, worst in sums)


def skill(judged: Sequence[Judged]) -> Estimate | None:
    """1 less regret divided by that of random moves."""
    sums = _sums(judged, _regret, _random, _worst)
    return mean(Part(random - lost, random, random - worst, random) for lost, random, worst in sums)


def above_trivial(judged: Sequence[Judged]) -> Estimate | None:
    """1 less regret divided by that of the best trivial rule; None if that rule loses nothing. Of
    several games it is the mean."""
    return ratings.above(*map(_losses, by_game(judged).values()))


def overall(judged: Sequence[Judged]) -> Estimate | None:
    """How far somebody is above trivial, as a mean over the games in which that can be measured."""
    measured = [some for some in by_game(judged).values() if above_trivial(some)]
    return above_trivial([one for some in measured for one in some])


def _losses(judged: Sequence[Judged]) -> list[ratings.Losses]:
    sums = _sums(judged, _regret, _worst)
    others = [[*lost.values()] for lost in _trivial_sums(judged)]
    return [(own, worst, lost) for (own, worst), lost in zip(sums, others, strict=True)]


def best_trivial(judged: Sequence[Judged]) -> trivial.Best:
    """The best trivial rule in the positions of some decisions of one game."""
    found = trivial.skills(_trivial_sums(judged))
    return max((trivial.Best(*one) for one in found.items()), key=lambda one: one.skill)


def pairings(results: Results) -> Iterator[Pairing]:
    """Every two players in the positions that both decided, game by game."""
    for game in results.games:
        for one, two in combinations(results.players, 2):
            lost, wrong = (
                [_by_position(_of(results.judged, who, game), value) for who in (one, two)]
                for value in (lambda made: made.regret, _lost_something)
            )
            both = [state for state in lost[0] if state in lost[1]]
            if not both:
                continue
            worst = _by_position(_of(results.judged, one, game), _worst)
            parts = (
                Part(lost[0][state] - lost[1][state], 1.0, -worst[state], worst[state])
                for state in both
            )
            found = cast("Estimate", mean(parts))
            only = (
                sum(a[state] * (1 - b[state]) for state in both) for a, b in (wrong, wrong[::-1])
            )
            yield Pairing(one, two, game, len(both), found, *only)


def headlines(results: Results) -> list[str]:
    """A sentence on how far each player is above trivial rules, over all games and in each."""
    told = []
    if len(results.games) > 1:
        told = [
            f"{player}, as a mean over its games: above trivial"
            f" {_average(overall(_of(results.judged, player)))}."
            for player in results.players
        ]
    for game in results.games:
        for player in results.players:
            if judged := _of(results.judged, player, game):
                best = best_trivial(judged)
                told.append(
                    f"{player} in {game}: above trivial {_average(above_trivial(judged))},"
                    f" skill {_average(skill(judged))}; best trivial rule: {best.rule}"
                    f" {best.skill:.2f}."
                )
    return told


def findings(results: Results) -> list[str]:
    """Sentences on what each player fails to answer, and what it misses most often."""
    return [
        sentence
        for player in results.players
        for sentence in (*_about_faults(results, player), *_about_misses(results, player))
    ]


def _about_faults(results: Results, player: str) -> Iterator[str]:
    own = [one for one in results.samples if one.player == player]
    for what, some in (
        ("to {} of positions", [one for one in own if one.won is None]),
        ("in {} of its games", [one for one in own if one.won is not None]),
    ):
        rates = _rates(some, lambda one: one.fault)
        if len(rates) >= LEAST and (rate := fmean(rates)) >= MANY_FAULTS:
            yield f"{player} gave no legal answer {what.format(percentage(rate))}."


def _about_misses(results: Results, player: str) -> Iterator[str]:
    """The idea that a player misses most often, if there are enough decisions to say so."""
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
    """Sentences on what was left out of the results."""
    left_out = (
        (results.repeated, "that these files repeat"),
        (results.unscored, "without a score, because the run broke off"),
    )
    return [f"Left out: {counted(count, 'sample')} {why}." for count, why in left_out if count]


def data(results: Results) -> dict[str, Any]:
    """The results as plain data."""
    return {
        "unscored": results.unscored,
        "repeated": results.repeated,
        "overall": [
            {"player": player, "above_trivial": found and found._asdict()}
            for player in results.players
            for found in (overall(_of(results.judged, player)),)
        ],
        "players": [
            _measured(results, judged, player, game)
            for game in results.games
            for player in results.players
            if (judged := _of(results.judged, player, game))
        ],
        "trivial": [
            {"game": game.id, "variant": game.settings, "rules": _trivial_rows(results, game)}
            for game in results.games
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


def _trivial_rows(results: Results, game: Game) -> list[dict[str, Any]]:
    """What each trivial rule would score in all the positions of a game, the best first."""
    positions = {one.decision.state: one for one in _of(results.judged, game=game)}
    found = trivial.skills(_trivial_sums([*positions.values()]))
    rows = [
        {"rule": rule.name, "told": rule.told, "skill": found[rule.name]}
        for rule in trivial.rules(game)
    ]
    return sorted(rows, key=lambda row: -row["skill"])


def _measured(
    results: Results, judged: Sequence[Judged], player: str, game: Game
) -> dict[str, object]:
    samples = [one for one in results.samples if (one.player, one.game) == (player, game)]
    return {
        "player": player,
        "game": game.id,
        "variant": game.settings,
        "unit": unit(game),
        "samples": len({one.subject for one in samples}),
        "answers": len(samples),
        "faults": sum(one.fault for one in samples),
        **measures(judged),
        "phases": _by_kind(judged, _phase),
        "seats": _by_kind(judged, _seat),
        "ideas": _by_kind(judged, _idea_name),
    }


def _by_kind(judged: Sequence[Judged], kind: Callable[[Judged], Any]) -> list[dict[str, object]]:
    return [{"kind": name, **measures(some)} for name, some in _grouped(judged, kind).items()]


def measures(judged: Sequence[Judged]) -> dict[str, object]:
    """The figures of some decisions of one game, as plain data."""
    share, lost, able, above = missed(judged), regret(judged), skill(judged), above_trivial(judged)
    return {
        "decisions": decisions(judged),
        "above_trivial": above and above._asdict(),
        "best_trivial": best_trivial(judged)._asdict(),
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
            f" {counted(len(results.players), 'player')}, reported by"
        ),
        figures.Code(command),
        *_summary(results),
        *map(figures.Text, findings(results)),
        figures.Text(MEANING),
        *map(figures.Text, notes(results)),
        *_ideas(results),
    ]
    for game in results.games:
        blocks += _game(results, game)
    blocks += _pairs(results)
    return figures.page("What was lost, and where", blocks, generator=MARK)


def _summary(results: Results) -> Iterator[figures.Block]:
    """How far each player is above trivial, over all games and in each."""
    if len(results.games) < 2:
        return
    rows: list[tuple[str, ...]] = [("all games",)]
    rows += [(one, _average(overall(_of(results.judged, one)))) for one in results.players]
    for game in results.games:
        rows.append((str(game),))
        for player, own in _by(_of(results.judged, game=game), _player).items():
            rows.append((player, _average(above_trivial(own))))
    yield figures.Table(
        "Above trivial, over all games and in each",
        rows,
        ("player", "above trivial"),
        "Over all games it is the mean of those in which it can be measured. Compare only players"
        " who were asked in the same games.",
    )


def _ideas(results: Results) -> Iterator[figures.Block]:
    """The share missed of each idea, over all games."""
    groups = _by_idea(results.judged)
    rows = [
        row
        for idea, some in groups.items()
        for row in (
            (f"{idea.name}: {idea.sees}" if idea else NO_IDEA,),
            *((player, _share(own)) for player, own in _by(some, _player).items()),
        )
    ]
    yield figures.Table("Missed, by idea", rows, ("player", "missed"))
    chart = [
        _interval(f"{idea.name if idea else 'none'}, {player}", share, hollow=number % 2 == 1)
        for idea, some in groups.items()
        for number, player in enumerate(results.players)
        if (share := missed(_of(some, player=player)))
    ]
    title = "Missed, by idea, with 95 % intervals"
    yield figures.IntervalChart(title, chart, (0.0, 1.0), ends=("0 %", "100 %"))


def _game(results: Results, game: Game) -> Iterator[figures.Block]:
    """The tables of one game: what each player lost, and by phase, seat and idea."""
    judged = [one for one in results.judged if one.decision.state.game == game]
    players = [player for player in results.players if _of(judged, player=player)]
    samples = [one for one in results.samples if one.game == game]
    what = "points" if unit(game) == "points" else "chance to win"
    head = (
        "above trivial", "skill", f"regret ({what})", "missed", "faults", "best trivial rule",
    )  # fmt: skip
    rows, won = list[tuple[str, ...]](), []
    for player in players:
        own, mine = _of(judged, player=player), [one for one in samples if one.player == player]
        best = best_trivial(own)
        rows.append((player,))
        rows.append((
            _average(above_trivial(own)), _average(skill(own)), _average(regret(own), game),
            _share(own), _rate(_rates(mine, lambda one: one.fault)),
            f"{best.rule} {best.skill:.2f}",
        ))  # fmt: skip
        if any(one.won is not None for one in mine):
            won.append((player, *(_wins(mine, seat) for seat in (1, 2))))
    yield figures.Table(str(game), rows, head)
    yield figures.Table(
        f"{game.display_name}: trivial rules",
        [
            (f"{row['rule']}: {row['told']}", f"{row['skill']:.2f}")
            for row in _trivial_rows(results, game)
        ],
        ("rule", "skill"),
        "What rules that take no understanding would score in these positions.",
    )
    if won:
        yield figures.Table(
            f"{game.display_name}: whole games", won, ("player", "wins in seat 1", "wins in seat 2")
        )
    lines = [
        row
        for kind in (_phase, _seat, _idea)
        for name, some in _grouped(judged, kind).items()
        for row in (
            (name,),
            *(
                (player, _average(regret(own), game), f"{decisions(own):,}")
                for player, own in _by(some, _player).items()
            ),
        )
    ]
    title = f"{game.display_name}: regret by phase, seat and idea"
    yield figures.Table(title, lines, ("player", f"regret ({what})", "decisions"))


def _pairs(results: Results) -> Iterator[figures.Block]:
    found = [pair for pair in pairings(results) if pair.positions >= FEW]
    rows = [
        row
        for (game, first), pairs in _by(found, lambda pair: (pair.game, pair.one)).items()
        for row in (
            (f"{game}: {first}",),
            *(
                (
                    pair.two, f"{pair.positions:,}", _average(pair.difference, game),
                    _number(pair.only_one), _number(pair.only_two),
                )
                for pair in pairs
            ),
        )
    ]  # fmt: skip
    if rows:
        yield figures.Table(
            "Paired by position",
            rows,
            ("first, and second below", "positions", "difference", "only first", "only second"),
            "In the positions that both decided: how much more the first lost than the second, and"
            " how often only one of them lost something. Pairs with fewer than"
            f" {FEW} positions are left out.",
        )


def _interval(name: str, share: Share, hollow: bool) -> figures.Interval:
    text = f"{percentage(share.rate)} of {share.made:,}"
    low, high = (share.rate if end is None else end for end in (share.low, share.high))
    return figures.Interval(name, low, share.rate, high, text, hollow)


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
    found = ratings.share([(rate, 1.0) for rate in rates])
    return NONE if found is None else with_interval(found.value, (found.low, found.high))


def _wins(samples: Sequence[Sample], seat: int) -> str:
    played = [one for one in samples if one.seat == seat and one.won is not None]
    return _rate(_rates(played, lambda one: one.won is True))


# -- picking and averaging ------------------------------------------------------------------


def _of(
    judged: Sequence[Judged], player: str | None = None, game: Game | None = None
) -> list[Judged]:
    """The decisions of a player, in a game, or both."""
    return [
        one
        for one in judged
        if player in (None, one.player) and game in (None, one.decision.state.game)
    ]


def _grouped(judged: Sequence[Judged], kind: Callable[[Judged], Any]) -> dict[Any, list[Judged]]:
    """Decisions by kind; phases and seats in their order, others the most frequent first."""
    groups = _by(judged, kind)

    def place(name: Any) -> tuple[int, str]:
        if name in PHASES:
            return PHASES.index(name), ""
        return (0, name) if str(name).startswith("seat") else (-len(groups[name]), str(name))

    return {name: groups[name] for name in sorted(groups, key=place)}


def _by_idea(judged: Sequence[Judged]) -> dict[Idea | None, list[Judged]]:
    """Decisions by the idea that finds the move; an idea has the same name in every game."""
    names = _grouped(judged, _idea_name)
    return {some[0].idea: some for some in names.values()}


def by_game(judged: Sequence[Judged]) -> dict[Game, list[Judged]]:
    """Decisions by their game."""
    return _by(judged, lambda one: one.decision.state.game)


def _player(one: Judged) -> str:
    return one.player


def _phase(one: Judged) -> str:
    return one.decision.phase


def _idea_name(one: Judged) -> str | None:
    return one.idea and one.idea.name


def _idea(one: Judged) -> str:
    return _idea_name(one) or NO_IDEA


def _seat(one: Judged) -> str:
    return f"seat {one.decision.state.to_move}"


def _random(one: Judged) -> float:
    return random_regret(one.decision.options)


def _rates(samples: Sequence[Sample], happened: Callable[[Sample], bool]) -> list[float]:
    """How often something happened with each subject of one player."""
    return [fmean(map(happened, same)) for same in _by(samples, lambda one: one.subject).values()]


def _sums(judged: Sequence[Judged], *values: Callable[[Judged], float]) -> list[tuple[float, ...]]:
    """Sums of some values over the decisions of each observation, with the average answer to each
    position."""
    observations = _by(judged, lambda one: (one.player, one.subject)).values()
    return [
        tuple(sum(_by_position(some, value).values()) for value in values) for some in observations
    ]


def _trivial_sums(judged: Sequence[Judged]) -> list[dict[str, float]]:
    """What each trivial rule loses in the positions of each observation."""
    if not judged:
        return []
    names = [rule.name for rule in trivial.rules(judged[0].decision.state.game)]
    sums = _sums(judged, *(partial(_trivial, name) for name in names))
    return [dict(zip(names, lost, strict=True)) for lost in sums]


def _trivial(rule: str, one: Judged) -> float:
    return _trivial_regrets(one.decision.state, one.decision.options)[rule]


@lru_cache(maxsize=1 << 14)
def _trivial_regrets(state: State, options: tuple[Option, ...]) -> dict[str, float]:
    return trivial.regrets(state, options)


def _one(_: Judged) -> float:
    return 1.0


def _regret(one: Judged) -> float:
    return one.regret


def _worst(one: Judged) -> float:
    return worst_regret(one.decision.options)


def _lost_something(one: Judged) -> float:
    return float(one.regret > TIE)


def _by_position(judged: Sequence[Judged], value: Callable[[Judged], float]) -> dict[State, float]:
    """The average of something over the answers to each position."""
    positions = _by(judged, lambda one: one.decision.state)
    return {state: fmean(map(value, same)) for state, same in positions.items()}


def _by(items: Iterable[T], key: Callable[[T], Any]) -> dict[Any, list[T]]:
    groups: dict[Any, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups
