"""What is said of moves: in ideas first and then in numbers, and never what is not so."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection
from itertools import permutations
from typing import Any

import pytest
from numduel_examples.pile import Pile
from numduel_examples.reach import Reach

import numduel
from numduel import BadVariant, State, solver
from numduel.core.state import Move
from numduel.core.text import NUMERALS, counted, in_words
from numduel.core.view import view
from numduel.learn import coach
from numduel.learn.coach import Hint, Ply, report
from numduel.learn.ideas import PATTERNS, Idea, lists, preferred, reason, subject, vocabulary
from numduel.play.match import begin
from numduel.play.record import parse
from numduel.solver import Option
from tests.games import NAMES, RULEBOOKS, or_else

SMALL = or_else(
    {
        "line": {"n": 6, "k": 3},
        "factors": {"n": 8},
        "capture": {"n": 7},
        "duel": {"n": 6},
        "build": {"n": 3, "k": 3},
    },
    {},
)
BOARDS = {
    **{name: numduel.game(name, **SMALL[name]) for name in NAMES},
    "pile": Pile(pile=9),
    "reach": Reach(high=3, target=5),
}
"""A variant of each game that is small enough to go through every position of."""


def small(name: str) -> list[State]:
    """Every position of a small variant in which a move is due."""
    return [state for state in BOARDS[name].start().walk() if state.mask]


# -- the goal -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "moves", "to_ada", "to_watchers"),
    [
        ("line", "", "Get four in a row.", "Get four in a row."),
        ("line", "3 5 4", "Get four in a row. Yours: 3 and 4.", "Get four in a row. Bo has 5."),
        ("line", "3 5 4 8", "Get four in a row. Yours: 3 and 4.",
         "Get four in a row. Ada has 3 and 4."),
        ("line", "1 3 6 7 10 4",
         "You can't get four in a row any more: stop Bo, then the longest run wins.",
         "Get four in a row. If the line fills up first, the longest run wins. Ada has 1, 6"
         " and 10."),
        ("line", "4 3 8 7", "Nobody can get four in a row any more: the longest run wins.",
         "Nobody can get four in a row any more: the longest run wins."),
        ("factors", "", "Pick any number to begin.", "Ada picks any number to begin."),
        ("factors", "14 2", "Pick a factor or a multiple of 2.",
         "Ada picks a factor or a multiple of 2."),
        ("capture", "21 18",
         "Collect the most points, but never two neighbours. You have 21, Bo has 18.",
         "Collect the most points, but never two neighbours. Ada has 21, Bo has 18."),
        ("duel", "", "Get three evenly spaced numbers, such as 2, 4, 6.",
         "Get three evenly spaced numbers, such as 2, 4, 6."),
        ("duel", "2 9 5", "Get three evenly spaced numbers. Yours: 2 and 5.",
         "Get three evenly spaced numbers. Bo has 9."),
        ("build", "7e 3e 6", "Build a row of five. Add the 6 at the beginning or the end, or"
         " discard it.", "Build a row of five. Ada has drawn 6."),
        ("build", "7e 3e 6e 4e 5",
         "Build a row of five. Add the 5 at the end, or discard it.",
         "Build a row of five. Ada has drawn 5."),
        ("build", "6", "Build a row of five. Start it with the 6, or discard it.",
         "Build a row of five. Ada has drawn 6."),
        ("build", "7e 3e 5",
         "Build a row of five. The 5 fits at neither end and has to be discarded.",
         "Build a row of five. Ada has drawn 5."),
    ],
)  # fmt: skip
def test_the_goal_is_told_with_the_numbers_of_the_position(
    name: str, moves: str, to_ada: str, to_watchers: str
) -> None:
    state = numduel.game(name).replay(moves)
    seen = view(state, ("Ada", "Bo"))
    assert state.game.goal(seen, 1) == to_ada
    assert state.game.goal(seen) == to_watchers


@pytest.mark.parametrize(
    ("name", "size"), [("line", {"n": 6, "k": 3}), ("duel", {"n": 6, "k": 3})], ids=str
)
def test_whoever_is_told_that_a_row_is_out_of_reach_never_gets_one(
    name: str, size: dict[str, int]
) -> None:
    start = numduel.game(name, **size).start()
    for state in start.walk():
        if state.winner is not None:
            continue
        made = {s.winner for s in state.walk() if s.winner is not None and s.game.winning(s)}
        for you in (1, 2):
            goal = state.game.goal(view(state), you)
            assert you not in made or goal.startswith("Get"), state
            assert not made or not goal.startswith("Nobody"), state


def test_a_move_that_was_made_is_told_with_its_card() -> None:
    game = numduel.game("build")
    made = [game.label_played(move) for move in ("7b", "5e", "1x", "5e!", "resign")]
    assert made == [
        "adds 7 at the beginning", "adds 5 at the end", "discards 1",
        "breaks a rule by adding 5 at the end", "resigns",
    ]  # fmt: skip
    assert numduel.game("duel").label_played(5) == "5"


def test_a_move_that_was_made_is_told_in_words_and_never_in_notation() -> None:
    factors = numduel.game("factors")
    told = [factors.does(move) for move in (5, "5!", "resign2", "pass")]
    assert told == ["plays 5", "breaks a rule with 5", "resigns", "passes"]
    assert factors.does("5!", past=True) == "broke a rule with 5"
    assert numduel.game("build").does("4x", past=True) == "discarded 4"
    assert [factors.subject("pass"), factors.advice("pass")] == ["passing", "pass"]


def test_only_unusual_settings_are_told_and_in_words() -> None:
    assert numduel.game("line").changes == []
    assert numduel.game("line", n=10, k=5).changes == ["how many in a row: 5"]
    assert numduel.game("line", k=5).display_name == "Five in a Row"


# -- the smallest list of ideas -------------------------------------------------------------


def smallest_list(state: State, right: Collection[Move]) -> tuple[Idea, ...] | None:
    """The first list that leaves only right moves."""
    return next(
        (ideas for ideas, left in lists(state) if {*state.game.moves(left, state)} <= {*right}),
        None,
    )


@pytest.mark.parametrize("name", BOARDS)
def test_a_smallest_list_finds_right_moves_and_no_shorter_or_easier_one_does(name: str) -> None:
    for state in small(name)[::61]:
        right = [option.move for option in solver.analyse(state) if option.best]
        found = smallest_list(state, right)
        finds = [
            ideas
            for length in range(3)
            for ideas in permutations(vocabulary(state.game), length)
            if set(preferred(state, *ideas)) <= set(right)
        ]
        if found is None:
            assert finds == []
            continue
        assert found in finds
        assert (len(found), sum(idea.grade for idea in found)) == min(
            (len(ideas), sum(idea.grade for idea in ideas)) for ideas in finds
        )


def test_where_every_move_is_right_no_idea_is_needed() -> None:
    state = numduel.game("duel").start()
    assert smallest_list(state, state.legal_moves) == ()


def test_lists_are_told_with_what_they_leave() -> None:
    state = numduel.game("factors").replay("19 1")
    for ideas, left in lists(state):
        assert state.game.moves(left, state) == preferred(state, *ideas)


# -- what is true of a move, found out again ------------------------------------------------


def value(state: State, move: Move) -> Option:
    return next(option for option in solver.analyse(state) if option.move == move)


def answered(state: State, move: Move) -> list[State]:
    """What can follow a move: the states after each answer, with each card where one is due."""
    after = state.play(move)
    shown = [after.draw(card) for card in after.draws] or [after]
    return [state.play(answer) for state in shown for answer in state.legal_moves]


def won_at_once(state: State) -> bool:
    return any(state.play(move).winner == state.to_move for move in state.legal_moves)


def hand(state: State, seat: int) -> tuple[int, ...]:
    return numduel.view(state).hands[seat - 1]


def holding(state: State, seat: int) -> object:
    """What a seat holds, in cards or in facts."""
    return hand(state, seat), [fact for fact in numduel.view(state).facts if fact.seat == seat]


def wrong(after: State) -> float:
    """The share of the answers that lose value, or a lost game sooner."""
    if after.draws:
        return sum(p * wrong(after.draw(card)) for card, p in after.draws.items())
    options = solver.analyse(after)
    if not options:
        return 0.0
    best = options[0]
    if best.win_probability == 0 and best.margin is None:
        return sum(not option.best for option in options) / len(options)
    return sum(
        option.loss > 1e-12 or option.win_probability < best.win_probability - 1e-12
        for option in options
    ) / len(options)


def leads(state: State, moves: str, plies: int | None = None) -> State:
    """Where moves lead, each of them a best one."""
    for move in moves.split(", "):
        assert any(str(option.move) == move and option.best for option in solver.analyse(state))
        state = state.play(move)
    assert plies is None or len(moves.split(", ")) == plies
    return state


def progressions(game: numduel.Game, free: set[int]) -> list[set[int]]:
    n, k = game.variant
    rows = ({a + i * d for i in range(k)} for a in range(1, n + 1) for d in range(1, n + 1))
    return [row for row in rows if row <= free]


def rows(game: numduel.Game, free: set[int]) -> int:
    n, k = game.variant
    return sum(set(range(a, a + k)) <= free for a in range(1, n - k + 2))


def run(mine: set[int], number: int) -> int:
    low = high = number
    while low - 1 in mine:
        low -= 1
    while high + 1 in mine:
        high += 1
    return high - low + 1


def left(state: State, move: Move) -> list[str]:
    after = state.play(move)
    return [state.game.label(answer) for answer in after.legal_moves]


def numbers_of(state: State) -> list[Move]:
    """The legal moves that are no pass."""
    return [move for move in state.legal_moves if move != "pass"]


def number(text: str) -> int:
    return NUMERALS.index(text) if text in NUMERALS else int(text)


def without(state: State, seat: int) -> set[int]:
    """The numbers of the board that a seat does not hold."""
    return set(range(1, state.game.bounds.actions + 1)) - set(hand(state, seat))


def off_centre(state: State, move: Move) -> int:
    return abs(2 * int(move) - state.game.bounds.actions - 1)


def threat(state: State, move: Move) -> float:
    """How likely the opponent is to be able to win at once."""
    after = state.play(move)
    if not after.draws:
        return float(won_at_once(after))
    return sum(p for card, p in after.draws.items() if won_at_once(after.draw(card)))


def fitting(state: State, move: Move) -> int:
    """How many undrawn cards go to one of the ends of a sequence."""
    after = state.play(move)
    mine = hand(after, state.to_move)
    ends = {mine[0] - 1, mine[0] + 1, mine[-1] - 1, mine[-1] + 1} if mine else None
    undrawn = state.game.undrawn(after.position).items()
    return sum(count for card, count in undrawn if ends is None or card in ends)


MOVE = r"(\w+|adding \d+ at the \w+|starting with \d+|discarding \d+)"
"""A move as the subject of a sentence."""
Claim = Callable[[State, Any, re.Match[str]], object]
CLAIMS: dict[str, Claim] = {
    rf"after {MOVE} they can't win at once": lambda s, m, _: threat(s, m) == 0,
    rf"after {MOVE} they draw a card that wins in only (\d+) % of cases": lambda s, m, f: (
        round(100 * threat(s, m)) == int(f[2])
    ),
    rf"after {MOVE} you win next turn, whatever they answer": lambda s, m, f: (
        subject(s, m) == f[1] and all(won_at_once(after) for after in answered(s, m))
    ),
    rf"after {MOVE} they can't force a win in their next two moves": lambda s, m, _: all(
        not all(won_at_once(next_) for next_ in answered(s.play(m), answer))
        for answer in s.play(m).legal_moves
    ),
    r"1 would let them win at once": lambda s, _, __: won_at_once(s.play(1)),
    rf"after {MOVE} they have no answer": lambda s, m, _: not left(s, m),
    rf"after {MOVE} they have (\w+) answers": lambda s, m, f: len(left(s, m)) == number(f[2]),
    rf"after {MOVE} their only answer is (\w+)": lambda s, m, f: [f[2]] == left(s, m),
    rf"after {MOVE} they have only (\w+) answers": lambda s, m, f: len(left(s, m)) == number(f[2]),
    r"after (\w+) they can only pass": lambda s, m, _: left(s, m) == ["pass"],
    r"after (\w+) you have at least (\w+) moves? next turn, whatever they answer": lambda s, m, f: (
        min((len(numbers_of(after)) for after in answered(s, m)), default=-1) == number(f[2])
    ),
    r"brings the most points now": lambda s, m, _: m == max(s.legal_moves),
    r"\w+ is the (lowest|highest) number: a row that starts with it can grow one way only": (
        lambda s, _, f: s.card == (1 if f[1] == "lowest" else s.game.variant.n)
    ),
    r"is the (largest|smallest) number that you can take": lambda s, m, f: (
        m == (max if f[1] == "largest" else min)(s.legal_moves)
    ),
    r"is as near the middle as you can get": lambda s, m, _: (
        off_centre(s, m) == min(off_centre(s, other) for other in s.legal_moves)
    ),
    r"is the mirror image of their (\d+)": lambda s, m, f: (
        m + int(f[1]) == s.game.bounds.actions + 1 and s.moves[-1] == int(f[1])
    ),
    r"is next to (your|their) (\d+)": lambda s, m, f: (
        abs(m - int(f[2])) == 1 and s.moves[-1 if f[1] == "their" else -2] == int(f[2])
    ),
    rf"after {MOVE} the numbers can be paired off so that you have a partner for every"
    r" answer": lambda s, m, _: value(s, m).win_probability == 1,
    r"you can use the (\d+)": lambda s, m, f: (
        s.card == int(f[1]) and holding(s.play(m), s.to_move) != holding(s, s.to_move)
    ),
    rf"after {MOVE}, (\d+) undrawn cards? would fit": lambda s, m, f: (
        not s.game.has_hands or fitting(s, m) == int(f[2])
    ),
    r"is in (\w+) sequences? that you could still complete": lambda s, m, f: (
        sum(m in row for row in progressions(s.game, without(s, 3 - s.to_move))) == number(f[1])
    ),
    rf"after {MOVE} they could still complete (\w+) sequences?": lambda s, m, f: (
        len(progressions(s.game, without(s, s.to_move) - {m})) == number(f[2])
    ),
    r"makes a run of (\w+)": lambda s, m, f: run({*hand(s, s.to_move), m}, m) == number(f[1]) > 1,
    rf"after {MOVE} they have (?:only )?(\w+) places? left for (\w+) in a row": lambda s, m, f: (
        rows(s.game, without(s, s.to_move) - {m}) == number(f[2])
        and s.game.variant.k == number(f[3])
    ),
    r"(wins|loses) in (\d+)(?: moves)?": lambda s, m, f: (
        (value(s, m).win_probability, value(s, m).plies) == (float(f[1] == "wins"), int(f[2]))
    ),
    r"(wins|loses) by (\d+) points?": lambda s, m, f: (
        value(s, m).margin == int(f[2]) * (1 if f[1] == "wins" else -1)
    ),
    r"(wins|loses) the tie(?= with)": lambda s, m, f: (
        (value(s, m).win_probability, value(s, m).margin) == (float(f[1] == "wins"), 0)
    ),
    r"wins at once": lambda s, m, _: s.play(m).winner == s.to_move,
    r"loses at once": lambda s, m, _: s.play(m).winner == 3 - s.to_move,
    r"(wins|loses)(?=: they answer)": lambda s, m, f: (
        value(s, m).win_probability == (f[1] == "wins")
    ),
    r"they answer (\w+)(?= and|,|\.)": lambda s, m, f: (
        (leads(s.play(m), f[1]).winner == s.to_move) == value(s, m).win_probability
    ),
    r"after (\w+)(, for example,)? you answer (\w+)": lambda s, m, f: (
        leads(s.play(m), f"{f[1]}, {f[3]}").winner == s.to_move
        and (f[2] is None) == (len(left(s, m)) == 1)
    ),
    r"with best play ((?:\w+, )+\w+) follow": lambda s, m, f: (
        leads(s.play(m), f[1], (value(s, m).plies or 0) - 1).winner
    ),
    r"with best play: (\w+), ((?:\w+, )*\w+) and so on": lambda s, m, f: (
        f[1] == str(m) and leads(s.play(m), f[2])
    ),
    r"with best play(?=\.)": lambda s, m, _: (  # no answer is better than all others
        sum(option.best for option in numduel.analyse(s.play(m))) != 1
    ),
    r"(keeps|lowers) your chance to win (?:at|to) ([<>\d.]+ %)": lambda s, m, f: (
        coach.percent(value(s, m).win_probability) == f[2] and value(s, m).best == (f[1] == "keeps")
    ),
    r"; ([\w ]+) (keeps|lowers) it (?:at|to) ([<>\d.]+ %)": lambda s, _, f: (
        (f[1], f[2] == "keeps", f[3])
        in [
            (subject(s, o.move), o.best, coach.percent(o.win_probability))
            for o in solver.analyse(s)
        ]
    ),
    r"as every move does": lambda s, _, __: len({o.best for o in solver.analyse(s)}) == 1,
}
"""Every claim that can be made of a move, and whether it is true."""
ENDING = re.compile(r"(and (you|they) )?(and )?have (no number left|[\d, ]+)|: (you|they) have.*")


def check_claims(state: State, move: Move, said: str) -> None:
    """Every claim about a move is true, and there is nothing else in what is said."""
    rest = said[0].lower() + said[1:]
    for pattern, claim in CLAIMS.items():
        for found in re.finditer(pattern, rest):
            assert claim(state, move, found), (state, move, said, pattern)
        rest = re.sub(pattern, "", rest)
    rest = re.sub(r"(: |, and )(Player|Both).*", "", ENDING.sub("", rest))
    rest = re.sub(rf"^{subject(state, move)}\b|\b(?:and|but)\b|[,.:]", "", rest)
    rest = re.sub(rf"^{subject(state, move)}$", "", rest.strip())
    assert not rest or state.game.name not in RULEBOOKS, (state, move, said, rest)


# -- hints ----------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=BOARDS)
def hints(request: pytest.FixtureRequest) -> list[tuple[State, Hint]]:
    """Every position of a small variant, and its hint."""
    return [(state, coach.hint(state)) for state in small(request.param)]


def as_good(state: State) -> list[Option]:
    """The moves that are as good as the best; in a lost game, those that hold out longest."""
    options = solver.analyse(state)
    best = options[0]
    return [
        option
        for option in options
        if abs(best.win_probability - option.win_probability) < 1e-12
        and best.margin == option.margin
        and best.plies == option.plies
    ]


def test_a_hint_names_a_move_that_the_values_call_best(hints: list[tuple[State, Hint]]) -> None:
    for state, found in hints:
        best = [option.move for option in solver.analyse(state) if option.best]
        assert found.move in best
        assert best == [option.move for option in as_good(state)]


def test_in_a_lost_position_the_best_move_holds_out_longest() -> None:
    state = numduel.game("factors").replay("12 1 2 16")
    assert [o.move for o in solver.analyse(state) if o.best] == [8]
    found = coach.hint(state)
    assert found.move == 8
    assert found.lines[0] == "Every move loses against best play; 8 holds out longest."
    assert "Every move loses: the best holds out longest. A star" in coach.table(state, 200)[-1]


def test_a_hint_recommends_a_best_move_that_leaves_the_most_ways_to_go_wrong(
    hints: list[tuple[State, Hint]],
) -> None:
    for state, found in hints:
        good = [option.move for option in as_good(state)]
        assert found.move in good
        shares = {move: wrong(state.play(move)) for move in good}
        assert shares[found.move] == pytest.approx(max(shares.values()))


def test_the_ideas_of_a_hint_lead_to_its_move_and_to_nothing_worse(
    hints: list[tuple[State, Hint]],
) -> None:
    for state, found in hints:
        if not found.ideas:
            continue
        best = solver.analyse(state)[0]
        some = preferred(state, *found.ideas)
        assert found.move in some
        assert len(some) < len(state.legal_moves)
        chances = [value(state, move).win_probability for move in some]
        assert chances == pytest.approx([best.win_probability] * len(some))
        assert found.nudge.endswith(" ".join(idea.nudge for idea in found.ideas))
        assert len(found.ideas) == 1 or not set(found.ideas) & set(PATTERNS)


def chosen(state: State, found: Hint) -> str | None:
    """The sentence that names the move, where some moves are better than others."""
    advised = state.game.advice(state.game.worded(found.move, state))
    named = rf"(So {advised[0]}|{advised[0].upper()}){re.escape(advised[1:])}(?!\w)"
    return next((line for line in found.lines if re.match(named, line)), None)


def test_every_sentence_of_a_hint_is_true(hints: list[tuple[State, Hint]]) -> None:
    for state, found in hints:
        advice = chosen(state, found)
        for line in found.lines if advice else found.lines[1:]:
            if line != advice:
                check_claims(state, found.move, line)


def test_a_nudge_never_names_the_move(hints: list[tuple[State, Hint]]) -> None:
    for state, found in hints:
        words = re.findall(r"\w+", found.nudge)
        assert not set(words) & {state.game.label(move) for move in state.legal_moves}


def test_where_every_move_wins_or_loses_a_hint_says_so(hints: list[tuple[State, Hint]]) -> None:
    for state, found in hints:
        options = solver.analyse(state)
        chances = {option.win_probability for option in options}
        head, several = found.lines[0], len(options) > 1
        for text in (found.nudge, head):
            assert text.startswith("Every move wins here") == (several and chances == {1})
            assert text.startswith("Every move loses against best play") == (
                several and chances == {0}
            )
        assert (found.nudge == "There is only one move.") == (not several)
        more = re.search(
            r"; (\w+) (wins soonest|wins by the most points|loses by the fewest points"
            r"|loses only the tie|holds out longest)\.",
            head,
        )
        if more is not None:
            assert more[1] == subject(state, found.move)
            margin = next(option.margin for option in options if option.move == found.move)
            assert (margin == 0) == (more[2] == "loses only the tie")
            assert (margin is None) == ("points" not in more[2] and "tie" not in more[2])
        equal = len(as_good(state)) == len(options)
        assert (more is not None) == (several and not equal and chances in ({0}, {1}))
        if "the most ways to go wrong: " in head:
            check_ways(state, found)
        advice = chosen(state, found)
        assert bool(advice) == (several and not equal and chances not in ({0}, {1}))
        if advice:
            others = {subject(state, o.move) for o in as_good(state) if o.move != found.move}
            told = re.search(r"; (.*) (is|are) just as good\.$", advice)
            named = re.split(", | and ", told[1]) if told else []
            assert not told or (told[2] == "is") == (len(others) == 1)
            many = f"; {in_words(len(others))} other moves are just as good."
            assert set(named) == others or advice.endswith(many)


def check_ways(state: State, found: Hint) -> None:
    told = re.search(
        r"(\d+) of their (\d+) answers (lets? you win|gives? points away)", found.lines[0]
    )
    assert told is not None
    after = state.play(found.move)
    options = solver.analyse(after)
    if "win" in told[3]:
        count = sum(option.win_probability == 0 for option in options)
    else:
        count = sum(option.loss > 0 for option in options)
    assert (int(told[1]), int(told[2])) == (count, len(options))


def test_an_example_of_each_step_of_a_hint() -> None:
    found = coach.hint(numduel.game("factors").start())
    assert found.nudge == "Count the answers you leave them."
    assert found.lines == (
        "After 11 their only answer is 1.",
        "So choose 11; 13, 17 and 19 are just as good.",
        "11 wins in 3 moves: after 1 you answer 13 and they have no number left.",
    )


# -- values ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_values_name_every_move_once_beside_what_it_is_worth(name: str) -> None:
    for state in small(name)[::7]:
        for width in (80, 40):
            told: dict[str, str] = {}
            for row in coach.table(state, width):
                if found := re.match(r"([* ]) (\S.*?)  +(\S.*)$", row):
                    beside = f"{found[1].strip()}|{found[2].removesuffix(' moves')}"
                for move in row.split("  ")[-1].split(", "):
                    told.setdefault(move.strip(" ,"), beside)
            options = solver.analyse(state)
            starred = not all(option.best for option in options)
            for option in options:
                star = "*" if option.best and starred else ""
                expected = f"{star}|{coach.worth(state.game, option)}"
                assert told[state.game.label(option.move)] == expected


def test_no_row_of_values_is_wider_than_the_terminal() -> None:
    # Where there is a deck, moves are few, and a small one has the same.
    for game in [BOARDS[name] for name in NAMES if BOARDS[name].has_deck] + [
        numduel.game(name) for name in NAMES if not BOARDS[name].has_deck
    ]:
        assert max(map(len, coach.table(game.start(seed=1).public, 40))) <= 40


def test_a_certain_win_among_estimates_is_best_and_not_probably_best() -> None:
    # Three in a row at each end; nobody knows all of so long a line.
    state = numduel.game("line", n=200).replay("61 1 62 3 63 5")
    found = coach.hint(state)
    assert found.nudge == "Look for a move that wins at once."
    assert found.lines[1] == "So choose 60; 64 is just as good."


def test_where_no_idea_was_looked_for_the_nudge_is_to_look_ahead() -> None:
    state = numduel.game("factors", n=200).start()  # too many moves to look at each
    assert coach.hint(state).nudge == "What is their best answer to each of your moves?"


def test_a_pass_does_not_count_as_a_move() -> None:
    mobility = next(i for i in vocabulary(numduel.game("capture")) if i.name == "mobility")
    told = [
        (state, move, said)
        for state in small("capture")
        for move in state.legal_moves
        if (said := reason(mobility, state, move)) is not None
    ]
    assert told
    assert not any("at least no moves" in said for *_, said in told)
    for state, move, said in told:
        check_claims(state, move, f"{said}.")


# -- reports --------------------------------------------------------------------------------


def played(board: numduel.Game, seed: int) -> list[Ply]:
    chance = random.Random(seed)
    match = begin(board, seed=seed)
    while match.state.winner is None:
        match.play(chance.choice(match.state.legal_moves))
    return list(report(match.record).plies)


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("seed", range(12))
def test_a_mistake_gives_the_game_away_and_an_inaccuracy_something_less(
    name: str, seed: int
) -> None:
    usual = [numduel.game(name)] if name in NAMES and seed % 3 == 0 else []
    for ply in (ply for board in (BOARDS[name], *usual) for ply in played(board, seed)):
        best, made = ply.options[0], value(ply.state, ply.move)
        turned = best.win_probability - made.win_probability
        deck = ply.state.game.has_deck
        assert ply.mistake == (turned > 0.05 if deck else turned == 1)
        slower = (
            made.win_probability == 1 and made.margin is None and made.value.rank < best.value.rank
        )
        lesser = turned > 0.01 if deck else made.loss > 0 or slower
        assert ply.inaccuracy == (lesser and not ply.mistake)


def test_the_reader_is_called_you() -> None:
    record = parse("Game: sequence-capture-factors\n\n6 3 9 18 2 4 8 16 1 5 10 20\n")
    for seat in (1, 2):
        found = report(record, seat)
        for ply, told in zip(found.slips, found.sentences(found.slips), strict=True):
            assert (f", your {ply.slip}: " in told) == (ply.seat == seat)


def test_the_only_person_is_the_reader() -> None:
    text = "Game: sequence-capture-factors\nPlayer 1: random\n\n6 3 9 18 2 4 8 16 1 5 10 20\n"
    found = report(parse(text))
    assert found.reader == 2
    assert (
        "Move 10, your mistake: 5. It let Player 1 win at once with 15; 11 would have won at once."
    ) in found.lines()


@pytest.mark.parametrize(
    ("text", "seat", "told"),
    [
        ("sequence-duel\n\n5 1 4 3 6", 2, "Player 1 was winning from the start."),
        ("sequence-duel\n\n5 1 4 3 6", 1, ""),
        ("sequence-duel\n\n5 1 4 3", 2, None),
    ],
)
def test_a_player_without_mistakes_is_told_why_they_lost(
    text: str, seat: int, told: str | None
) -> None:
    found = report(parse(f"Game: {text}\n"), seat)
    sentence = f"You made no mistake: {told}" if told else "You made no mistake."
    assert found.spotless() == ("" if told is None else sentence)


def test_a_player_who_was_always_losing_is_not_praised() -> None:
    found = report(parse("Game: sequence-capture-line\n\n5 6 4 1 3 2\n"), 2)
    assert "losing from the start" not in found.lines()[-1]  # the game is not over
    found = report(parse("Game: sequence-capture-line\n\n5 6 4 2 resign\n"), 1)
    assert found.lines()[0].startswith("Four in a Row: Player 1 against Player 2")
    assert ", 4 moves. Player 2 won." in found.lines()[0]
    found = report(parse("Game: sequence-duel\n\n5 1 4 3 6\n"))
    assert found.lines()[-1] == "Player 2 was losing from the start, whatever they did."


def test_a_player_who_loses_too_soon_is_not_called_faultless() -> None:
    found = report(parse("Game: sequence-capture-line\n\n5 6 4 1 3 7 2\n"), 2)
    assert not found.slips
    longer = "You were losing anyway, but 2 at move 6 would have lasted longer."
    assert longer in found.lines()
    assert longer not in found.lines(slips=False)
    assert found.spotless() == "You gave no win away: Player 1 was winning from the start."


def test_the_answer_that_was_given_is_the_one_that_punishes() -> None:
    game = "Game: sequence-capture-factors\n\n6 3 9 18 2 4 8 16 1 5 "
    for rest, wins in (("10", 15), ("15", 15), ("", 15)):
        said = report(parse(f"{game}{rest}\n")).plies[9].sentence(("A", "B"))
        assert f"It let A win at once with {wins};" in said


def test_a_player_who_resigns_a_won_game_is_told_what_won() -> None:
    found = report(parse("Game: number-capture\n\n21 19 resign\n"), 1)
    assert found.lines()[2] == (
        "Your mistake: resigning. It gave up a won game; 1 would have won by 11 points."
    )


# -- one and many ---------------------------------------------------------------------------

MANY = re.compile(r"\b(?<![,.])1 (numbers|moves|cards|games|points|positions|answers)\b")


@pytest.mark.parametrize("name", BOARDS)
def test_one_is_not_many_in_the_end_of_a_game(name: str) -> None:
    ends = {state.outcome.reason for state in BOARDS[name].start().walk() if state.outcome}
    assert not [reason for reason in ends if MANY.search(reason)]


def test_one_is_not_many_in_the_smallest_games() -> None:
    assert [counted(count, "move") for count in (0, 1, 2, 1200)] == [
        "0 moves", "1 move", "2 moves", "1,200 moves",
    ]  # fmt: skip
    with pytest.raises(BadVariant, match="the 1 card of the deck"):
        numduel.game("build", n=1, copies=1)
