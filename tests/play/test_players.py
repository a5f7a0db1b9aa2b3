"""Opponents of every strength."""

import random
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import numduel
from numduel import Game, State
from numduel.learn.ideas import HABITS, vocabulary
from numduel.play.players import (
    COMPUTERS,
    KINDS,
    LEVELS,
    MOST_PLAYED,
    Computer,
    Policy,
    Search,
    answered,
    describe,
    known,
    player,
    seat_names,
)  # fmt: skip
from numduel.solver import analyse
from tests.games import NAMES, WITHOUT_LUCK


def played(state: State, one: str, two: str, seed: int) -> State:
    seats = [player(kind, seed + seat) for seat, kind in ((1, one), (2, two))]
    while state.winner is None:
        chooser = seats[state.to_move - 1]
        assert chooser is not None
        state = state.play(chooser.choose(state.public))
    return state


@pytest.mark.parametrize("name", WITHOUT_LUCK)
@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.proof) for seed in range(2, 5))]
)
def test_two_perfect_players_realise_the_value(name: str, seed: int) -> None:
    start = numduel.game(name).start()
    value = numduel.evaluate(start)
    end = played(start, "perfect", "perfect", seed)
    assert end.winner == (1 if value.win_probability else 2)
    if value.plies is not None:
        assert len(end.moves) <= value.plies  # the loser sets traps, and may lose faster
    if value.margin is not None:
        one, two = numduel.view(end).hands
        assert sum(one) - sum(two) == value.margin


@pytest.mark.parametrize("name", WITHOUT_LUCK)
@pytest.mark.parametrize("rival", ["random", "easy", "medium", "hard"])
@pytest.mark.parametrize("games", [2, pytest.param(30, marks=pytest.mark.proof)])
def test_perfect_never_loses_a_won_game(name: str, rival: str, games: int) -> None:
    """From the start, and from wherever the rival lets it win."""
    for seed in range(games):
        perfect = seed % 2 + 1
        seats = ("perfect", rival) if perfect == 1 else (rival, "perfect")
        state = numduel.game(name).start()
        players = [player(kind, seed * 7 + seat) for seat, kind in enumerate(seats)]
        won = False
        while state.winner is None:
            if state.to_move == perfect:
                now = numduel.evaluate(state).win_probability == 1
                assert now or not won, state
                won = now
            chooser = players[state.to_move - 1]
            assert chooser is not None
            state = state.play(chooser.choose(state))
        assert state.winner == perfect or not won


@pytest.mark.parametrize("name", ["line", "duel"])
def test_no_line_of_play_at_all_beats_perfect_from_a_won_start(name: str) -> None:
    """An adversary that tries everything, against every best move: the whole tree."""
    waiting = [numduel.game(name).start()]
    seen = set()
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        if state.winner is not None:
            assert state.winner == 1, state
        elif state.to_move == 1:
            waiting += [state.play(option.move) for option in analyse(state) if option.best]
        else:
            waiting += [state.play(move) for move in state.legal_moves]


def test_perfect_does_better_than_random_with_cards() -> None:
    start = [numduel.game("build").start(seed=seed) for seed in range(200)]
    wins = sum(played(state, "perfect", "random", 3).winner == 1 for state in start)
    assert wins > 150


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", COMPUTERS)
def test_a_seeded_player_repeats_itself(name: str, level: str) -> None:
    game = numduel.game(name)
    one, two = (played(game.start(seed=5), level, level, 8) for _ in range(2))
    assert one.moves == two.moves


# -- what levels see, and how strong that makes them ------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("duel", {}),
        ("factors", {"n": 12}),
        *(
            pytest.param(name, settings, marks=pytest.mark.proof)
            for name, settings in (
                ("line", {}),
                ("factors", {"n": 15}),
                ("capture", {"n": 10}),
            )
        ),
    ],
)
def test_strength_rises_with_every_level(name: str, settings: dict[str, object]) -> None:
    """Exactly, by plain recursion over all games, from both seats."""
    game = numduel.game(name, **settings)
    before = float("inf")
    for weaker, kind in zip((None, *COMPUTERS), COMPUTERS, strict=False):
        loses = [met(game, kind, "random", seat) for seat in (1, 2)]
        lost = sum(lost for _, lost, _ in loses) / sum(stakes for _, _, stakes in loses)
        assert lost < before, kind
        before = lost
        if weaker:
            assert sum(met(game, kind, weaker, seat)[0] for seat in (1, 2)) >= 1, kind
    assert before == 0


def met(game: Game, kind: str, rival: str, seat: int) -> tuple[float, float, float]:
    """How often a kind of player wins from a seat against a rival, what it loses in a game, and
    how many of its decisions are at stake."""
    mine, theirs = player(kind), player(rival)
    assert isinstance(mine, Computer)
    assert isinstance(theirs, Computer)

    @cache
    def going(state: State) -> tuple[float, float, float]:
        if state.winner is not None:
            return float(state.winner == seat), 0.0, 0.0
        if state.draws:
            return mixed((p, going(state.draw(card))) for card, p in state.draws.items())
        who = mine if state.to_move == seat else theirs
        odds = who.odds(state)
        assert sum(odds.values()) == pytest.approx(1)
        wins, lost, stakes = mixed((p, going(state.play(move))) for move, p in odds.items())
        if who is mine:
            losses = {option.move: option.loss for option in analyse(state)}
            if max(losses.values()) > 1e-9:
                lost, stakes = lost + sum(p * losses[m] for m, p in odds.items()), stakes + 1
        return wins, lost, stakes

    def mixed(
        parts: Iterator[tuple[float, tuple[float, float, float]]],
    ) -> tuple[float, float, float]:
        rows = [tuple(p * x for x in row) for p, row in parts]
        wins, lost, stakes = map(sum, zip(*rows, strict=True))
        return wins, lost, stakes

    return going(game.start())


def test_medium_wins_and_denies_but_does_not_see_forks() -> None:
    duel, medium = numduel.game("duel"), player("medium")
    assert isinstance(medium, Computer)
    assert medium.odds(duel.replay("1 5 2 9")) == {3: 1.0}
    assert medium.odds(duel.replay("1 8 2")) == {3: 1.0}
    hard = player("hard")
    assert isinstance(hard, Computer)
    fork = duel.replay("4 1")
    assert set(hard.odds(fork)) < set(medium.odds(fork))
    assert describe(duel, "medium").endswith("It does not see two threats at once.")


@pytest.mark.parametrize("name", NAMES)
def test_a_level_is_told_by_what_it_sees_and_what_it_does_not(name: str) -> None:
    game = numduel.game(name)
    for kind in LEVELS:
        told, ideas = describe(game, kind), known(game, kind)
        assert all(idea.sees in told for idea in ideas)
        _, _, blind = told.partition("It does not see ")
        assert blind
        assert not any(f"{idea.sees}." == blind for idea in ideas)
    for kind, names in game.levels.items():
        assert kind in LEVELS
        assert set(names) <= {idea.name for idea in (*vocabulary(game), *HABITS)}


@pytest.mark.parametrize(
    ("name", "blind"),
    [
        ("line", ["what the opponent threatens", "two threats at once",
                  "where the opponent still has room"]),
        ("duel", ["what the opponent threatens", "two threats at once",
                  "two threats that the opponent could make"]),
        ("factors", ["what the opponent threatens", "two threats at once",
                     "two threats that the opponent could make"]),
        ("capture", ["how few answers a move leaves", "how many moves it keeps for itself",
                     "two threats at once"]),
        ("build", ["whether a card can be added",
                   "that the lowest and the highest card are bad to start with",
                   "what the opponent threatens"]),
    ],
)  # fmt: skip
def test_a_level_does_not_see_what_the_next_does_and_hard_not_what_is_harder(
    name: str, blind: list[str]
) -> None:
    told = [describe(numduel.game(name), kind) for kind in LEVELS]
    assert [text.partition(" It does not see ")[2] for text in told] == [f"{b}." for b in blind]


@pytest.mark.parametrize("kind", [*LEVELS, "perfect"])
def test_where_points_count_every_level_reaches_for_them(kind: str) -> None:
    """Not even one that is lost anyway answers the largest number with the smallest."""
    capture, computer = numduel.game("capture"), player(kind)
    assert isinstance(computer, Computer)

    def reached(state: State) -> int:
        return min(map(int, computer.candidates(state)))

    assert reached(capture.start()) >= 19
    assert reached(capture.replay("21")) >= 18
    assert reached(capture.replay("21 20")) >= 17


@pytest.mark.parametrize("kind", ["medium", "hard"])
def test_a_level_that_cannot_stop_every_threat_stops_what_it_can(kind: str) -> None:
    computer = player(kind)
    assert isinstance(computer, Computer)
    # 1, 3, 5 and 1, 5, 9 are both threatened.
    assert set(computer.candidates(numduel.game("duel").replay("1 2 5"))) == {3, 9}


def test_where_points_count_they_are_seen_from_medium_on() -> None:
    """In a game that does not say what its levels know."""
    capture = type(numduel.game("capture"))
    counted = type("Counted", (capture,), {"levels": {}, "__module__": __name__})(n=8)
    assert [[idea.name for idea in known(counted, kind)] for kind in LEVELS] == [
        ["win"], ["win", "deny", "resist", "points"],
        ["win", "deny", "resist", "fork", "points"],
    ]  # fmt: skip


def test_a_level_does_without_what_takes_too_many_moves_ahead() -> None:
    largest = numduel.game("duel", n=999)
    assert [[idea.name for idea in known(largest, kind)] for kind in LEVELS] == 3 * [["win"]]
    fork = MOST_PLAYED ** (1 / 3)
    for n, sees in ((int(fork), True), (int(fork) + 1, False)):
        known_there = [idea.name for idea in known(numduel.game("duel", n=n), "hard")]
        assert ("fork" in known_there) == sees


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", LEVELS)
def test_a_level_plays_few_moves_ahead_on_the_largest_board(name: str, kind: str) -> None:
    plain, plays = type(numduel.game(name)), 0

    def counted(*position: Any) -> Any:
        nonlocal plays
        plays += 1
        return plain.rules.play(*position)

    rules = {"rules": plain.rules._replace(play=counted), "__module__": __name__}
    size = next(iter(plain.parameters))
    game = type("Counted", (plain,), rules)(**{size: plain.parameters[size].high})
    chooser = player(kind, 1)
    assert chooser is not None
    chooser.choose(game.start(seed=1).public)
    assert 0 < plays < MOST_PLAYED / 10


def test_who_plays_a_level_does_not_wait_for_a_compiler() -> None:
    script = (
        "import sys, numduel\n"
        "from numduel.play.players import LEVELS, player\n"
        "for kind in numduel.games():\n"
        "    for level in LEVELS:\n"
        "        player(level, 1).choose(kind().start(seed=1).public)\n"
        "print({'numba', 'numpy'} & set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "set()\n"), done.stderr


# -- traps ------------------------------------------------------------------------------------


def wins_from_seat_2(name: str, rival: str, games: int) -> int:
    return sum(
        played(numduel.game(name).start(), rival, "perfect", seed).winner == 2
        for seed in range(games)
    )


@pytest.mark.parametrize(("name", "least"), [("factors", 24), ("line", 36)])
def test_perfect_wins_lost_games_by_setting_traps(name: str, least: int) -> None:
    """A medium player begins, and wins with best play; slow losses win far fewer."""
    assert wins_from_seat_2(name, "medium", 40) >= least


@pytest.mark.parametrize("name", WITHOUT_LUCK)
def test_a_trap_keeps_the_value(name: str) -> None:
    perfect = player("perfect")
    assert isinstance(perfect, Computer)
    for seed in range(6):
        state = played_on(numduel.game(name).start(), seed)
        losses = {option.move: option.loss for option in analyse(state)}
        assert all(losses[move] == 0 for move in perfect.candidates(state))


@pytest.mark.parametrize(
    ("name", "settings", "moves", "slowest"),
    [
        ("duel", {"n": 6}, "1 2 3", [5]),
        ("line", {"n": 6, "k": 3}, "1 4 2", [3]),
        ("factors", {"n": 9}, "3 6 2", [4, 8]),
    ],
)
def test_of_traps_that_catch_as_often_those_that_lose_most_slowly_are_set(
    name: str, settings: dict[str, object], moves: str, slowest: list[int]
) -> None:
    """A medium player avoids them all, and one or more of them would lose sooner."""
    perfect = player("perfect")
    assert isinstance(perfect, Computer)
    state = numduel.game(name, **settings).replay(moves)
    assert [*perfect.candidates(state)] == slowest
    plies = {option.move: option.plies or 0 for option in analyse(state)}
    sooner = max(plies[move] for move in state.legal_moves if move not in slowest)
    assert min(plies[move] for move in slowest) > sooner


def played_on(state: State, seed: int) -> State:
    """A state after some random moves, lost for the player to move if there is one."""
    luck, last = random.Random(seed), state
    while state.winner is None:
        if numduel.evaluate(state).win_probability == 0 and luck.random() < 0.5:
            return state
        last, state = state, state.play(luck.choice(state.legal_moves))
    return last


@pytest.mark.parametrize("level", [*LEVELS, "random"])
def test_a_player_chooses_by_the_odds_that_it_tells(level: str) -> None:
    state = numduel.game("duel").replay("1 2")
    policies = [player(level, seed) for seed in range(500)]
    chosen = [policy.choose(state) for policy in policies if isinstance(policy, Policy)]
    assert isinstance(policies[0], Policy)
    odds = policies[0].odds(state)
    assert sum(odds.values()) == pytest.approx(1)
    for move in state.legal_moves:
        likely = odds.get(move, 0.0)
        sigma = (likely * (1 - likely) / len(chosen)) ** 0.5
        assert abs(chosen.count(move) / len(chosen) - likely) <= 4 * sigma


@pytest.mark.parametrize("spec", ["search:0", "search:", "search:many", "search:1000001"])
def test_a_search_plays_out_a_number_of_games(spec: str) -> None:
    assert isinstance(player("search"), Search)
    assert isinstance(player("search:1000000"), Search)
    with pytest.raises(numduel.BadVariant, match="1 to 1,000,000"):
        player(spec)


def test_an_unknown_player_is_refused_with_the_known_ones() -> None:
    with pytest.raises(numduel.BadVariant, match=", ".join(KINDS)):
        player("deep-blue")


# -- a rival -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seat", [1, 2])
def test_the_rival_moves_until_it_is_ones_turn(name: str, seat: int) -> None:
    luck, rival = random.Random(name).random, player("random", 7)
    assert rival is not None
    state = numduel.game(name).start()
    while (state := answered(state, seat, rival, luck)).winner is None:
        assert state.to_move == seat
        assert not state.draws
        assert not state.forced_pass
        state = state.play(state.legal_moves[0])


def test_a_computer_is_not_called_like_the_person_it_plays() -> None:
    kinds = ("human", "easy")
    assert seat_names(kinds, ("Ada", "Player 2")) == ("Ada", "Computer (easy)")
    assert seat_names(kinds, ("Computer (easy)", "Player 2")) == ("Computer (easy)", "Player 2")
