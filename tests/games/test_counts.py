"""Perft: how many positions and complete games there are, ply by ply. Any change to a rule shows
here; and exhaustion: over whole games, not samples, every game ends with exactly one winner."""

from collections.abc import Mapping

import pytest

import numduel
from numduel.games import build, capture, line
from tests.games import compiled
from tests.games.perft import levels, perft

COUNTS: list[tuple[str, Mapping[str, object], tuple[tuple[int, int], ...]]] = [
    ("line", {}, (
        (1, 0), (10, 0), (90, 0), (360, 0), (1260, 0), (2520, 0), (4200, 0), (4200, 20160),
        (3045, 53568), (1218, 359424), (216, 3041280),
    )),
    ("line", {"n": 7, "k": 3}, (
        (1, 0), (7, 0), (42, 0), (105, 0), (210, 0), (210, 360), (120, 504), (30, 3816),
    )),
    ("line", {"n": 6, "k": 4}, (
        (1, 0), (6, 0), (30, 0), (60, 0), (90, 0), (60, 0), (20, 720),
    )),
    ("duel", {}, (
        (1, 0), (9, 0), (72, 0), (252, 0), (756, 0), (1260, 2880), (1360, 9432), (1020, 61272),
        (255, 72000), (36, 42624),
    )),
    ("duel", {"n": 8}, (
        (1, 0), (8, 0), (56, 0), (168, 0), (420, 0), (560, 1440), (440, 3384), (220, 13968),
        (25, 10944),
    )),
    ("duel", {"n": 8, "k": 4}, (
        (1, 0), (8, 0), (56, 0), (168, 0), (420, 0), (560, 0), (560, 0), (280, 4032),
        (63, 36288),
    )),
    ("capture", {"n": 9}, (
        (1, 0), (9, 0), (72, 0), (196, 0), (462, 0), (425, 12), (340, 720), (133, 2160),
        (39, 9792), (6, 2880), (1, 2880),
    )),
    ("capture", {"n": 12}, (
        (1, 0), (12, 0), (132, 0), (550, 0), (2070, 0), (3648, 0), (5768, 0), (4330, 864),
        (2976, 40536), (1051, 161280), (308, 1163520), (76, 864000), (12, 1872000),
    )),
    ("factors", {}, (
        (1, 0), (20, 0), (92, 4), (520, 74), (1565, 246), (3921, 1022), (8099, 3900),
        (13899, 12944), (19649, 35871), (23039, 82481), (22738, 153934), (18582, 231199),
        (12204, 267924), (6363, 217142), (2536, 110794), (792, 32712), (208, 7212), (32, 224),
    )),
    ("factors", {"n": 12}, (
        (1, 0), (12, 0), (46, 2), (164, 24), (338, 83), (503, 283), (586, 779), (510, 1464),
        (316, 1542), (137, 840), (38, 254), (6, 8),
    )),
    ("factors", {"n": 12, "first": "even"}, (
        (1, 0), (6, 0), (25, 0), (107, 13), (216, 58), (311, 208), (337, 520), (274, 888),
        (163, 853), (64, 414), (13, 101),
    )),
    ("build", {"n": 4, "copies": 2, "k": 3}, (
        (4, 0), (32, 0), (216, 0), (664, 0), (1592, 0), (2062, 1520), (1560, 6144), (646, 32256),
        (205, 307656),
    )),
    ("build", {"n": 3, "copies": 3, "k": 3}, (
        (3, 0), (18, 0), (99, 0), (279, 0), (679, 0), (1017, 792), (1023, 3424), (719, 21408),
        (320, 54000), (112, 398880),
    )),
    ("build", {"n": 5, "copies": 1, "k": 3}, (
        (5, 0), (40, 0), (210, 0), (356, 0), (273, 0), (145, 3184),
    )),
]  # fmt: skip

WHOLE: list[tuple[str, Mapping[str, object]]] = [
    *(("line", {"n": n, "k": k}) for n in range(1, 10) for k in range(1, n + 1)),
    ("line", {}),
    *(("duel", {"n": n, "k": k}) for n in range(1, 10) for k in range(1, n + 1)),
    *(("factors", {"n": n, "first": first}) for n in range(2, 15) for first in ("any", "even")),
    ("factors", {}),
    *(("capture", {"n": n}) for n in range(1, 13)),
    *(("capture", {"n": n, "gaps": "square"}) for n in range(2, 13)),
    *(("build", {"n": n, "copies": c, "k": k})
      for n, c in ((1, 4), (2, 3), (3, 2), (3, 3), (4, 2), (5, 1)) for k in range(1, 5)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "settings", "expected"), COUNTS)
def test_positions_and_games_per_ply(
    name: str, settings: Mapping[str, object], expected: tuple[tuple[int, int], ...]
) -> None:
    assert perft(numduel.game(name, **settings)) == expected


@pytest.mark.proof
def test_positions_and_games_per_ply_of_the_whole_number_capture() -> None:
    """The same rules, compiled: plain Python would take minutes."""
    counts = compiled.perft(numduel.game("capture"))
    assert counts == (
        (1, 0),
        (21, 0),
        (420, 0),
        (3610, 0),
        (29412, 0),
        (134385, 0),
        (579632, 0),
        (1536900, 0),
        (3838590, 0),
        (6093633, 0),
        (9129276, 0),
        (8718292, 86400),
        (7925720, 57024000),
        (4501110, 1796256000),
        (2476791, 88088083200),
        (824293, 610248038400),
        (267939, 10233390182400),
        (58910, 26629005312000),
        (10400, 203201420083200),
        (2038, 201473298432000),
        (213, 696333857587200),
        (12, 144850083840000),
        (1, 144850083840000),
    )


def test_the_first_plies_of_sequence_build() -> None:
    """All 311 million positions would take minutes."""
    plies = levels(numduel.game("build"))
    counts = [(len(going), over.total()) for (going, over), _ in zip(plies, range(4), strict=False)]
    assert counts == [(10, 0), (200, 0), (3510, 0), (25608, 0)]


@pytest.mark.parametrize(("name", "settings"), WHOLE)
def test_every_game_ends_with_exactly_one_winner(name: str, settings: Mapping[str, object]) -> None:
    game = numduel.game(name, **settings)
    finished = 0
    for ply, (going, over) in enumerate(levels(game)):
        assert ply <= game.bounds.plies
        for position in over:
            assert game.rules.result(*position, game.variant) in (1, -1)
            finished += 1
        assert not set(going) & set(over)
    assert finished


@pytest.mark.parametrize(("n", "k"), [(n, k) for n in range(2, 11) for k in (2, 3, n) if k <= n])
def test_a_full_line_has_the_same_winner_from_both_sides(n: int, k: int) -> None:
    """Were anything tied, both sides would see the same result."""
    game = numduel.game("line", n=n, k=k)
    v = game.variant
    for _, over in levels(game):
        for own, other in over:
            if not line.runs(other, k):
                assert line.result(own, other, v) == -line.result(other, own, v)


def test_a_dead_tie_in_build_is_exactly_equal_length_and_sum() -> None:
    game = numduel.game("build", n=3, copies=2, k=4)
    v = game.variant
    for _, over in levels(game):
        for hands, pile in over:
            own, other = (build.sequence(hands, who, v) for who in (0, 1))
            turned = build.join(other, own, v)
            same = game.rules.result(hands, pile, v) == game.rules.result(turned, pile, v)
            ranks = [(build.length(hand, v), build.total(hand, v)) for hand in (own, other)]
            assert same == (ranks[0] == ranks[1])


@pytest.mark.parametrize("n", range(1, 14))
def test_no_line_of_play_in_number_capture_leads_to_equal_sums(n: int) -> None:
    game = numduel.game("capture", n=n)
    for _, over in levels(game):
        assert all(capture.margin(own, other, game.variant) for own, other in over)


def test_on_1_to_9_the_duel_never_runs_out_of_numbers() -> None:
    game = numduel.game("duel")
    for _, over in levels(game):
        assert all(game.rules.result(*position, game.variant) == -1 for position in over)


def test_on_1_to_8_the_duel_can_run_out_of_numbers() -> None:
    game = numduel.game("duel", n=8)
    assert any(
        game.rules.result(*position, game.variant) == 1
        for _, over in levels(game)
        for position in over
    )
