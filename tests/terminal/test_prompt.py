"""Whatever is typed at whatever prompt: no crash, no harm, nothing lost."""

import io
from contextlib import redirect_stdout
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numduel
from numduel import State
from numduel.activities.keeping import new_game
from numduel.play.match import begin, resume
from numduel.play.record import read
from numduel.terminal.play import COMMANDS, PromptGame
from numduel.terminal.screen import Screen
from tests.games import NAMES

typed = st.one_of(
    st.integers(-2, 24).map(str),
    st.sampled_from(["b", "e", "d", "beginning", "end", "discard", "pick 4", "pick", "5!", "7e"]),
    st.sampled_from(["help", "rules", "undo", "save", "?", "pass", "HELP", " undo ", "help me"]),
    st.sampled_from(["", " ", "abc", "4.5", "1e3", "٣", "9" * 400, "\x00", "\x1b[2J", "quit 5"]),
    st.text(max_size=20).filter(lambda text: not text.strip().lower().startswith("save ")),
)
endings = st.sampled_from(["", "quit", "exit", "resign"])


def session(table: PromptGame, lines: list[str]) -> str:
    out = io.StringIO()
    text = "".join(f"{line}\n" for line in lines)
    with mock.patch("sys.stdin", io.StringIO(text, newline="\n")), redirect_stdout(out):
        table.screen = Screen()
        table.play()
    return out.getvalue()


def reached(table: PromptGame) -> State:
    """The current state of a game."""
    return table.kept.activity.match.state


def expected(start: State, lines: list[str], forgiving: bool) -> State:
    """What the library alone makes of the same lines."""
    states = [start]
    for line in "\n".join(lines).split("\n"):
        word = line.strip().lower()
        if states[-1].outcome or word in ("quit", "exit"):
            break
        if word == "resign":
            states.append(states[-1].resign())
        elif word == "undo":
            del states[max(1, len(states) - 1) :]
            while len(states) > 1 and states[-1].forced_pass:
                states.pop()
        elif word not in COMMANDS and word.partition(" ")[0] != "save":
            after = states[-1].attempt(line, forgiving=forgiving)
            if after is not states[-1]:
                states.append(after)
        while states[-1].forced_pass:
            states.append(states[-1].play("pass"))
    return states[-1]


@given(st.sampled_from(NAMES), st.lists(typed, max_size=40), endings, st.booleans(),
       st.integers(0, 999))  # fmt: skip
def test_any_lines_at_any_prompt(
    name: str, lines: list[str], ending: str, forgiving: bool, seed: int
) -> None:
    lines = [*lines, ending] if ending else lines
    game = numduel.game(name)
    match = begin(game, seed=seed, forgiving=forgiving)
    table = PromptGame(new_game(match), Screen())
    said = session(table, lines)

    final = expected(game.start(seed=seed), lines, forgiving)
    assert reached(table) == final.public
    assert reached(table).text == final.text
    assert "\x1b" not in said
    assert "\x00" not in said
    if final.outcome:
        assert said.endswith(f"Player {final.outcome.winner} wins the game!\n")
    if table.kept.save_file.on_disk:
        record = read(table.kept.save_file.path)
        assert record.state == final.public
        if not final.outcome:
            assert resume(record).state == final.public
    else:
        assert not final.ply


@pytest.mark.parametrize("name", NAMES)
def test_a_computer_opponent_plays_to_the_end(name: str) -> None:
    match = begin(numduel.game(name), players=("random", "random"), seed=5)
    assert session(PromptGame(new_game(match, 0), Screen()), []).endswith("wins the game!\n")


def test_a_seeded_opponent_goes_on_after_a_break_as_it_would_have() -> None:
    match = begin(numduel.game("line"), players=("human", "random"), seed=4)
    whole, first = (PromptGame(new_game(match, 2), Screen()) for _ in range(2))
    session(whole, ["5", "1"])
    session(first, ["5"])
    again = PromptGame(new_game(resume(first.kept.activity.match.record), 2), Screen())
    session(again, ["1"])
    assert len(reached(again).moves) == 4
    assert reached(again).text == reached(whole).text


@pytest.mark.usefixtures("quick_estimates")
def test_a_computer_that_estimates_says_so_once() -> None:
    from numduel.play.players import ESTIMATES

    match = begin(numduel.game("capture", n=99), players=("human", "perfect"))
    table = PromptGame(new_game(match), Screen())
    free = iter(range(1, 99))
    lines = [str(next(free)) for _ in range(9)]
    said = session(table, lines)
    assert len(reached(table).moves) > 4
    assert said.count(f"({ESTIMATES})\n") == 1


def test_undo_takes_a_forced_pass_back_with_the_move_before_it() -> None:
    match = begin(numduel.game("capture", n=3))
    table = PromptGame(new_game(match), Screen())
    session(table, ["2", "1", "undo"])
    assert reached(table).text == "2"


def test_undo_against_the_computer_takes_back_your_own_move_too() -> None:
    match = begin(numduel.game("duel"), players=("human", "random"))
    table = PromptGame(new_game(match), Screen())
    said = session(table, ["5", "undo"])
    assert "The last 2 moves are taken back." in said
    assert reached(table).text == ""


def test_undo_when_only_the_computer_has_moved_takes_nothing_back() -> None:
    match = begin(numduel.game("duel"), players=("human", "random"), first=2)
    table = PromptGame(new_game(match), Screen())
    assert "There is no move of yours to take back." in session(table, ["undo"])
    assert len(reached(table).moves) == 1
