"""At the prompt: on a real terminal, through a pipe, and with input that nobody should type."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import numduel
from numduel import BadRecord
from numduel.core.text import either
from numduel.play.record import parse, read
from numduel.terminal.screen import Screen
from tests.cli import (
    CODES,
    MOVES,
    NUMDUEL,
    PROMPTS,
    Session,
    Terminal,
    environment,
    keep,
    plain,
    records,
    run,
    the_record,
)
from tests.games import NAMES, RULEBOOKS

DUEL = "Game: sequence-duel\nDate: 2026-01-02 12:00:00\n\n4 6 5 1\n"


def played(
    home: Path,
    *arguments: str,
    env: dict[str, str] | None = None,
    typed: tuple[str, ...] = ("nonsense", "quit"),
) -> str:
    """All that a terminal shows of three moves of a game, and of what is typed then."""
    name = next(word for word in arguments if word in NAMES)
    with Terminal(home, *arguments, env=env) as terminal:
        for line in [*MOVES[name], *typed]:
            terminal.until(PROMPTS[name])
            terminal.send(line)
        assert terminal.code() == 0
    return terminal.said


def controls(text: str) -> set[str]:
    """The characters of a text that could do something to a terminal."""
    return {char for char in text if not char.isprintable()} - {"\n"}


# -- colour ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_terminal_shows_colours(tmp_path: Path, name: str) -> None:
    assert CODES.search(played(tmp_path, "play", name))


@pytest.mark.parametrize("name", NAMES)
def test_two_people_at_a_terminal_see_what_a_pipe_shows(tmp_path: Path, name: str) -> None:
    """Colours aside, and what can be typed and what a broken rule costs."""
    typed = "".join(f"{line}\n" for line in [*MOVES[name], "quit"])
    seeded = ["play", name, "--seed", "1"]
    seen = re.sub(r"\((Type|A move) .*\)\n", "", plain(played(tmp_path, *seeded, typed=("quit",))))
    assert seen == run(tmp_path, *seeded, typed=typed).out


def test_at_a_terminal_only_the_question_is_asked_again(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "build", "--seed", "3") as terminal:
        terminal.until("discard it: ")
        assert "(Type beginning, end or discard" in plain(terminal.said)
        for typed, answer in (("7", "Please type"), ("board", "Player 1's Sequence: []\n")):
            said = plain(terminal.send(typed).until("discard it: "))
            assert answer in said
            assert " draws " not in said
        assert "Player 2 draws" in plain(terminal.send("e").until("discard it: "))


@pytest.mark.parametrize(
    ("arguments", "env"),
    [
        (["play", "factors", "--plain"], {}),
        (["--plain", "play", "factors"], {}),
        (["play", "factors"], {"NO_COLOR": "1"}),
        (["play", "factors"], {"TERM": "dumb"}),
    ],
    ids=["--plain", "--plain before the command", "NO_COLOR", "dumb terminal"],
)
def test_colours_can_be_turned_off(
    tmp_path: Path, arguments: list[str], env: dict[str, str]
) -> None:
    assert "\x1b" not in played(tmp_path, *arguments, env=env)


@pytest.mark.parametrize(
    ("arguments", "env"),
    [(["--plain"], {}), ([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"})],
    ids=["--plain", "NO_COLOR", "dumb terminal"],
)
def test_rules_have_no_codes_where_colours_are_turned_off(
    tmp_path: Path, arguments: list[str], env: dict[str, str]
) -> None:
    with Terminal(tmp_path, "rules", "duel", *arguments, env={"PAGER": "cat"} | env) as terminal:
        said = terminal.rest()
    assert "\x1b" not in said
    assert "Sequence Duel" in said
    assert not re.search(r"^#|\*\*|`", said, flags=re.MULTILINE)


def test_a_page_that_does_not_fit_is_shown_in_the_pager_of_ones_choice(tmp_path: Path) -> None:
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\ncat\necho paged by $1\n")
    pager.chmod(0o755)
    env = {"PAGER": f"{pager} me", "LINES": "24", "COLUMNS": "80"}
    with Terminal(tmp_path, "rules", "duel", env=env) as terminal:
        assert plain(terminal.rest()).endswith("\npaged by me\n")
        assert terminal.code() == 0
    with Terminal(tmp_path, "rules", "duel", env=env | {"LINES": "200"}) as terminal:
        assert "paged" not in terminal.rest()
    with Terminal(tmp_path, "rules", "duel", env=env | {"PAGER": "no-such-pager"}) as terminal:
        assert "Sequence Duel" in terminal.rest()
    assert "paged" not in run(tmp_path, "rules", "duel", env=env).out


@pytest.mark.skipif(shutil.which("less") is None, reason="less is not installed")
def test_the_pager_says_how_to_leave_it_and_hears_nothing_that_was_typed_before(
    tmp_path: Path,
) -> None:
    env = {"LINES": "24", "COLUMNS": "80"}
    with Terminal(tmp_path, "play", "duel", env=env) as terminal:
        terminal.until("> ")
        terminal.press("rules all\nq4\n").until("Space turns the page, q leaves")
        assert "Number Pool:" in plain(terminal.press("q").until("\n> "))


def test_an_empty_no_color_turns_nothing_off(tmp_path: Path) -> None:
    assert CODES.search(played(tmp_path, "play", "duel", env={"NO_COLOR": ""}))


@pytest.mark.parametrize("arguments", [["play", "duel"], ["games"], ["rules", "duel"], ["--help"]])
def test_a_pipe_gets_no_codes(tmp_path: Path, arguments: list[str]) -> None:
    assert not controls(run(tmp_path, *arguments, typed="4\n6\nnonsense\n").out)


def test_each_player_has_a_colour_of_their_own(tmp_path: Path) -> None:
    said = played(tmp_path, "play", "line", "--name1", "Ada", "--name2", "Kurt")
    ada, kurt = (set(re.findall(rf"((?:\x1b\[\d+m)+){name}\b", said)) for name in ("Ada", "Kurt"))
    assert len(ada) == len(kurt) == len(ada | kurt) - 1 == 1


def test_blocked_numbers_are_dim_and_listed(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "capture") as terminal:
        for move in ("11", "5"):
            terminal.until("number: ")
            terminal.send(move)
        terminal.until("number: ")
        said = terminal.send("board").until("number: ")
    assert re.findall(r"\x1b\[2m(\S+?)\x1b\[0m", said) == ["10", "12"]
    assert "Blocked for Player 1: 10, 12\n" in plain(said)


# -- against the computer -------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_computer_has_a_name_and_its_moves_are_announced(tmp_path: Path, name: str) -> None:
    computer = "Computer (random)"
    with Terminal(tmp_path, "play", name, "--p2", "RANDOM", "--seed", "1") as terminal:
        terminal.until(PROMPTS[name])
        said = plain(terminal.send(MOVES[name][0]).until(PROMPTS[name]))
    told = " (plays|has claimed|picked|starts|discards|adds)" if name in RULEBOOKS else ": "
    assert re.search(rf"^{re.escape(computer)}{told}", said, flags=re.MULTILINE)
    assert said.count(PROMPTS[name]) == 1  # that of the person
    record = read(the_record(tmp_path))
    assert (record.names[1], record.players[1]) == (computer, "random")


def test_both_hands_are_seen_after_a_move_of_the_computer(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel", "--p2", "random", "--seed", "1") as terminal:
        terminal.until("> ")
        said = plain(terminal.send("5").until("Player 1's Turn.\n> "))
    assert re.search(r"Computer \(random\)'s Numbers: \d\nPlayer 1's Numbers: 5\n", said)


def test_in_a_game_the_rules_are_a_few_lines_and_the_page_on_request(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel", "--set", "n=12", env={"PAGER": "cat"}) as terminal:
        terminal.until("> ")
        brief = plain(terminal.send("rules").until("> "))
        assert len(brief.splitlines()) <= 9
        assert "It is Player 1's turn. Get three evenly spaced numbers" in brief
        assert "the size of the pool: 12" in brief
        assert "At the prompt" in plain(terminal.send("rules all").until("> "))


@pytest.mark.parametrize("name", NAMES)
def test_a_terminal_mentions_help_and_what_a_slip_costs(tmp_path: Path, name: str) -> None:
    costs = "A move that breaks a rule loses the game"
    with Terminal(tmp_path, "play", name, "--seed", "1") as terminal:
        opening = plain(terminal.until(PROMPTS[name]))
        rules = plain(terminal.send("rules").until(PROMPTS[name]))
    assert "help shows what else you can type.)" in opening
    assert (f"({costs}; --forgiving asks again instead.)" in opening) == numduel.game(name).strict
    assert (f"{costs}.\n" in rules) == numduel.game(name).strict
    with Terminal(tmp_path, "play", name, "--forgiving") as terminal:
        assert costs not in plain(terminal.until(PROMPTS[name]))


def test_after_a_slip_a_terminal_mentions_forgiving_games(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "factors") as terminal:
        terminal.until("selects: ")
        said = plain(terminal.send("99").until("q: leave > "))
    assert "Player 2 wins the game!\n(numduel play factors --forgiving would have" in said
    assert "--forgiving" not in run(tmp_path, "play", "factors", typed="99\n").out


@pytest.mark.parametrize("name", NAMES)
def test_a_misspelt_command_is_recognised_and_not_carried_out(tmp_path: Path, name: str) -> None:
    with Terminal(tmp_path, "play", name) as terminal:
        terminal.until(PROMPTS[name])
        for typed, meant in (("resgin", "resign"), ("Vlaues", "values"), ("boardd", "board")):
            said = plain(terminal.send(typed).until(PROMPTS[name]))
            assert f"{typed}\nDid you mean {meant}? Nothing was done.\n" in said
        assert "Did you mean" not in plain(terminal.send("banana").until(PROMPTS[name]))


def test_after_a_game_there_is_a_rematch_a_report_and_a_way_to_leave(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel", "--p2", "random") as terminal:
        terminal.until("> ")
        ended = plain(terminal.resign().until("q: leave > "))
        assert "wins the game!\nNext time: play on; you could still win.\n" in ended
        assert "Please press Enter" in plain(terminal.send("zz").until("q: leave > "))
        report = plain(terminal.send("r").until("q: leave > "))
        assert "Player 1 against Computer (random)" in report
        assert "Mistake 1 of 1\n" in plain(terminal.send("m").until("Turn.\n> "))
        terminal.send("quit").until("q: leave > ")
        again = plain(terminal.send("a").until("Player 1's Turn.\n> "))
        assert "Game 1: Player 1 begins." in again
        terminal.resign().until("q: leave > ")
        other = plain(terminal.send("").until("Player 1's Turn.\n> "))
        assert "Game 2: Computer (random) begins." in other
        terminal.resign().until("q: leave > ")
        assert terminal.send("q").code() == 0


def test_resigning_at_a_terminal_needs_a_yes(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel") as terminal:
        terminal.until("> ")
        terminal.send("4").until("> ")
        terminal.send("resign").until("(yes, Enter: no) ")
        terminal.send("").until("> ")
        assert read(the_record(tmp_path)).state.winner is None
        terminal.resign().until("q: leave > ")
    assert read(the_record(tmp_path)).state.winner == 1


def test_a_game_that_was_misspelt_or_not_said_is_asked_for(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "lin") as terminal:
        terminal.until("Did you mean line? (Enter: yes, n: no) ")
        assert "Number Line:" in terminal.send("").until("> ")
    with Terminal(tmp_path, "play") as terminal:
        terminal.until("or q: ")
        assert "Number Pool:" in terminal.send("duel").until("> ")
    with Terminal(tmp_path, "rules", "due", env={"PAGER": "cat"}) as terminal:
        terminal.until("(Enter: yes, n: no) ")
        assert terminal.send("n").code() == 0


# -- typing ---------------------------------------------------------------------------------


def test_a_typed_line_can_be_edited(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel") as terminal:
        terminal.until("> ")
        terminal.send("99\x7f\x7f4").until("> ")
    assert read(the_record(tmp_path)).state.text == "4"


def test_the_cursor_can_be_moved_within_a_coloured_prompt(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "factors") as terminal:
        terminal.until("selects: ")
        terminal.send("2\x1b[D1").until("selects: ")
    assert read(the_record(tmp_path)).state.text == "12"


def test_the_arrow_key_brings_back_the_last_line(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel") as terminal:
        terminal.until("> ")
        terminal.send("4").until("> ")
        assert "4 has already been picked." in terminal.send("\x1b[A").until("> ")


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["ctrl-c", "ctrl-d"])
def test_a_key_that_leaves_says_that_the_game_is_kept(tmp_path: Path, key: str) -> None:
    with Terminal(tmp_path, "play", "duel") as terminal:
        terminal.until("> ")
        terminal.send("4").until("> ")
        terminal.press(key)
        said = plain(terminal.rest()).replace("^C", "")
        assert terminal.code() == 0
    assert said == "\nThe game is saved: numduel resume goes on with it.\n"


def test_ctrl_c_within_a_line_does_not_play_it(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel") as terminal:
        terminal.until("> ")
        terminal.send("4").until("> ")
        terminal.send("6", end="").until("6")
        terminal.press("\x03").rest()
    assert read(the_record(tmp_path)).state.text == "4"


def test_resume_asks_which_game_on_a_terminal(tmp_path: Path) -> None:
    keep(tmp_path, "duel.duel", DUEL)
    keep(tmp_path, "line.duel", "Game: sequence-capture-line\n\n5\n")
    with Terminal(tmp_path, "resume") as terminal:
        terminal.until("Which game? ")
        assert "Player 2 (O), select" in plain(terminal.send("1").until("\n> "))


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["ctrl-c", "ctrl-d"])
def test_resume_can_be_left_without_choosing(tmp_path: Path, key: str) -> None:
    keep(tmp_path, "one.duel", DUEL)
    keep(tmp_path, "two.duel", DUEL)
    with Terminal(tmp_path, "resume") as terminal:
        terminal.until("Which game? ")
        terminal.press(key)
        assert terminal.code() == 0


# -- without a command ----------------------------------------------------------------------


def test_without_a_whole_screen_the_help_is_printed(tmp_path: Path) -> None:
    with Terminal(tmp_path, env={"TERM": "dumb"}) as terminal:
        assert plain(terminal.rest()) == run(tmp_path, "--help").out
    assert run(tmp_path) == run(tmp_path, "--help") == run(tmp_path, "help")


@pytest.mark.parametrize("typed", [*NAMES, "DUEL", "number-capture"])
def test_the_name_of_a_game_is_a_command_that_plays_it(tmp_path: Path, typed: str) -> None:
    told = run(tmp_path, typed, "--seed", "1", "--name1", "Ada", typed="quit\n")
    assert told == run(tmp_path, "play", typed, "--seed", "1", "--name1", "Ada", typed="quit\n")
    assert "Ada" in told.out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("dule", "duel"), ("paly", "play"), ("storm", "puzzle --storm"), ("mistakes", "review")],
)
def test_a_wrong_word_is_answered_with_what_may_have_been_meant(
    tmp_path: Path, typed: str, meant: str
) -> None:
    asked = f"Error: There is no command '{typed}'. Did you mean numduel {meant}?\n"
    assert run(tmp_path, typed).err.endswith(asked)


@pytest.mark.parametrize("typed", ["quit", "chess", "\x1b[31m"])
def test_a_word_that_resembles_nothing_is_no_command(tmp_path: Path, typed: str) -> None:
    assert "Did you mean" not in run(tmp_path, typed).err


# -- replay ---------------------------------------------------------------------------------

STEP = "Enter: next move, b: back, 0-4: jump, v: values, q: leave > "
LAST = "Enter: leave, b: back, 0-4: jump, v: values > "


def test_replay_steps_with_enter(tmp_path: Path) -> None:
    path = keep(tmp_path, "duel.duel", DUEL)
    with Terminal(tmp_path, "replay", str(path)) as terminal:
        terminal.until(STEP)
        shown = [plain(terminal.send("").until(STEP)) for _ in range(3)]
    assert [said.split("\n")[2] for said in shown] == [
        "Move 1: Player 1 plays 4.",
        "Move 2: Player 2 plays 6.",
        "Move 3: Player 1 plays 5.",
    ]


def test_replay_goes_back_with_b(tmp_path: Path) -> None:
    path = keep(tmp_path, "duel.duel", DUEL)
    with Terminal(tmp_path, "replay", str(path)) as terminal:
        terminal.until(STEP)
        forth = plain(terminal.send("").until(STEP))
        terminal.send("").until(STEP)
        back = plain(terminal.send("b").until(STEP))
    assert back == f"b{forth}"


def test_replay_goes_back_no_further_than_the_beginning(tmp_path: Path) -> None:
    path = keep(tmp_path, "duel.duel", DUEL)
    with Terminal(tmp_path, "replay", str(path)) as terminal:
        terminal.until(STEP)
        assert "\nNumber Pool: 1, 2, 3," in plain(terminal.send("b").until(STEP))


def test_replay_ends_after_the_last_move(tmp_path: Path) -> None:
    path = keep(tmp_path, "duel.duel", DUEL)
    with Terminal(tmp_path, "replay", str(path)) as terminal:
        for _ in range(4):
            terminal.until(STEP)
            terminal.send("")
        assert "Move 4: Player 2 plays 1." in plain(terminal.until(LAST))
        assert "Move 3: Player 1 plays 5." in plain(terminal.send("b").until(STEP))
        terminal.send("").until(LAST)
        terminal.send("")
        assert terminal.code() == 0


def test_replay_has_no_values_of_a_game_that_is_over(tmp_path: Path) -> None:
    path = keep(tmp_path, "over.duel", "Game: sequence-duel\n\n4 1 5 2 6\n")
    last = LAST.replace("0-4", "0-5")
    with Terminal(tmp_path, "replay", str(path), "--at", "5") as terminal:
        terminal.until(last)
        assert "There is no move to make here." in plain(terminal.send("v").until(last))


def test_replay_jumps_to_a_move_and_says_what_moves_were_worth(tmp_path: Path) -> None:
    path = keep(tmp_path, "duel.duel", DUEL)
    with Terminal(tmp_path, "replay", str(path), "--at", "2") as terminal:
        assert plain(terminal.until(STEP)).startswith("Move 2: Player 2 plays 6.\n")
        assert "wins in 3" in plain(terminal.send("v").until(STEP))
        assert "Please press Enter" in plain(terminal.send("99").until(STEP))
        assert "Move 4: Player 2 plays 1." in plain(terminal.send("4").until(LAST))
        assert "Number Pool" in plain(terminal.send("0").until(STEP))
    only = run(tmp_path, "replay", str(path), "--at", "3").out
    assert only.startswith("Move 3: Player 1 plays 5.\n")
    assert "Move 4" not in only


def test_replay_offers_the_kept_games(tmp_path: Path) -> None:
    assert run(tmp_path, "replay").out == "There are no saved games.\n"
    for number in (1, 2):
        finished = DUEL.replace("Result: *", "Result: 1").rstrip() + " 3\n"
        keep(tmp_path, f"{number}.duel", finished)
    assert "Choose one: numduel replay NUMBER\n" in run(tmp_path, "replay").out
    assert "Player 1 wins the game!" in run(tmp_path, "replay", "2").out


@pytest.mark.parametrize("answer", ["q\n", "quit\n", "\x03", "\x04"])
def test_replay_can_be_left(tmp_path: Path, answer: str) -> None:
    path = keep(tmp_path, "duel.duel", DUEL)
    with Terminal(tmp_path, "replay", str(path)) as terminal:
        terminal.until(STEP)
        terminal.press(answer)
        assert terminal.code() == 0


def test_without_a_terminal_replay_shows_the_whole_game(tmp_path: Path) -> None:
    path = keep(tmp_path, "duel.duel", DUEL)
    with Session(tmp_path, "replay", str(path)) as replaying:
        assert replaying.code() == 0
    assert re.findall(r"Move \d: .+", replaying.said) == [
        "Move 1: Player 1 plays 4.",
        "Move 2: Player 2 plays 6.",
        "Move 3: Player 1 plays 5.",
        "Move 4: Player 2 plays 1.",
    ]


# -- a pipe ---------------------------------------------------------------------------------


def test_input_through_a_pipe_is_echoed(tmp_path: Path) -> None:
    out = run(tmp_path, "play", "duel", typed="4\n").out
    assert "Player 1's Turn.\n> 4\nPlayer 1 picked 4.\n" in out


NASTY = "\x1b[2J\x1b]0;title\x07\x08\x7f\x9b31m\u202e\u200b\x00\x0b\x0c\x1c\x85\u2028"


@pytest.mark.parametrize("name", ["build", "duel"])
def test_control_characters_in_a_pipe_are_never_echoed_raw(tmp_path: Path, name: str) -> None:
    lines = ["{}", "4{}", "pick {}", "undo{}", "save {}", "save ~{}/x", "save {}/x"]
    typed = "".join(f"{line.format(NASTY)}\n" for line in lines)
    assert not controls(run(tmp_path, "play", name, typed=typed).out)


def test_bytes_that_are_no_text_are_no_move(tmp_path: Path) -> None:
    lines = [b"\0\0\0", b"\xff\xfe\x80", b"\xf0\x9f", b"4\0", "４".encode(), "²".encode(), b"4"]
    run(tmp_path, "play", "duel", typed=b"\n".join(lines))
    assert read(the_record(tmp_path)).state.text == "4"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_bytes_that_are_no_text_give_no_traceback(tmp_path: Path, encoding: str) -> None:
    strict = {"PYTHONIOENCODING": f"{encoding}:strict"}
    done = run(tmp_path, "play", "duel", typed=bytes(range(256)) * 2, env=strict)
    assert (done.code, done.err) == (0, "")


def test_a_minus_is_a_hyphen_where_there_is_no_letter_for_it(tmp_path: Path) -> None:
    done = run(tmp_path, "analyse", "capture", env={"PYTHONIOENCODING": "ascii"})
    assert "-11 points" in done.out
    assert "?" not in done.out


@pytest.mark.parametrize("end", [b"\n4\n", b""], ids=["ended", "cut off"])
def test_a_line_of_five_million_characters_is_no_move(tmp_path: Path, end: bytes) -> None:
    done = run(tmp_path, "play", "duel", typed=b"9" * 5_000_000 + end)
    assert (done.code, done.err) == (0, "")
    assert done.out.count("Please type a whole number from 1 to 9") == 1
    assert len(done.out) < 5_000, "it is not echoed whole"


def test_thousands_of_empty_lines_leave_the_game_as_it_was(tmp_path: Path) -> None:
    run(tmp_path, "play", "duel", typed="4\n" + "\n" * 2000 + "6\n")
    assert read(the_record(tmp_path)).state.text == "4 6"


@pytest.mark.parametrize("size", [999, 1000, 1001, 2000])
def test_what_follows_a_long_line_is_read_from_its_beginning(tmp_path: Path, size: int) -> None:
    run(tmp_path, "play", "duel", typed="x" * size + "\n4\n")
    assert read(the_record(tmp_path)).state.text == "4"


def test_lines_may_end_as_on_other_systems(tmp_path: Path) -> None:
    run(tmp_path, "play", "duel", typed="4\r\n6\r\n")
    assert read(the_record(tmp_path)).state.text == "4 6"


def test_a_last_line_without_an_end_is_played(tmp_path: Path) -> None:
    run(tmp_path, "play", "duel", typed="4")
    assert read(the_record(tmp_path)).state.text == "4"


# -- streams that are not there -------------------------------------------------------------

EVERYTHING = [
    ["play", "duel"],
    ["play", "duel", "--p1", "random", "--p2", "random"],
    ["resume"],
    ["replay", "numduel/games/duel.duel"],
    ["rules", "duel"],
    ["games"],
    ["--help"],
    [],
]


NO_INPUT = "import os, sys; os.close(0); sys.stdin = sys.__stdin__ = None"
NO_OUTPUT = "import os, sys; os.close(1); sys.stdout = sys.__stdout__ = None"
NO_READER = (
    "import os; reading, pipe = os.pipe(); os.dup2(pipe, 1); os.close(pipe); os.close(reading)"
)
"""What an interpreter finds when its streams are closed or nobody reads them."""


@pytest.mark.parametrize("arguments", EVERYTHING, ids=" ".join)
def test_a_closed_input_is_an_empty_one(tmp_path: Path, arguments: list[str]) -> None:
    keep(tmp_path, "duel.duel", DUEL)
    done = run(tmp_path, *arguments, before=(NO_INPUT,))
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize("stream", [NO_OUTPUT, NO_READER], ids=["closed", "not read"])
@pytest.mark.parametrize("arguments", EVERYTHING, ids=" ".join)
def test_an_output_that_goes_nowhere_gives_no_traceback(
    tmp_path: Path, arguments: list[str], stream: str
) -> None:
    keep(tmp_path, "duel.duel", DUEL)
    assert run(tmp_path, *arguments, before=(stream,)).err == ""


def shell(home: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run numduel as "$@" of a shell script, in an interpreter of its own."""
    return subprocess.run(
        ["sh", "-c", script, "sh", *NUMDUEL, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(home),
        cwd=home,
        check=False,
    )


@pytest.mark.parametrize("closing", ["<&-", ">&-"])
def test_a_shell_may_start_it_without_a_stream(tmp_path: Path, closing: str) -> None:
    done = shell(tmp_path, f'"$@" {closing}', "play", "duel")
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_pipe_of_which_one_line_is_read_gives_no_traceback(tmp_path: Path) -> None:
    long = ["play", "capture", "--set", "n=300", "--p1", "random", "--p2", "random"]
    done = shell(tmp_path, '"$@" | head -1', *long)
    assert (done.stdout, done.stderr) == (b"Number Line:\n", b"")


# -- wrong usage ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["play", "chess"], "chess"),
        (["play", ""], ", ".join(NAMES)),
        (["play", "x" * 10000], "There is no game"),
        (["play", "\x1b[31mduel"], "There is no game"),
        (["rules", "chess"], "chess"),
        (["play", "duel", "--set", "n"], "KEY=VALUE"),
        (["play", "duel", "--set", "n=0"], "from 1 to 999"),
        (["play", "duel", "--set", "n=nine"], "nine"),
        (["play", "duel", "--set", f"n={'9' * 5000}"], "from 1 to 999"),
        (["play", "duel", "--set", "k=10"], "choose a length from 1 to 9"),
        (["play", "duel", "--set", "size=9"], "size"),
        (["play", "duel", "--set", "\x1b[31m=9"], "no setting"),
        (["play", "factors", "--set", "first=odd"], "any or even"),
        (["play", "factors", "--set", "first=even", "--set", "n=1"], "choose a size"),
        (["play", "build", "--set", "n=2", "--set", "k=9"], "choose a length from 1 to 4"),
        (["play", "duel", "--p1", "oracle"], "oracle"),
        (["play", "duel", "--p2", "\x1b[31m"], "human, random"),
        (["play", "build", "--seed", "lucky"], "whole number"),
        (["play", "build", "--seed", "-1"], "from 0"),
        (["play", "build", "--seed", "9" * 5000], "from 0"),
        (["play", "build", "--deck", "7 five"], "whole numbers"),
        (["play", "build", "--deck", "7 7 7"], "card 7"),
        (["play", "build", "--deck", "11"], "card 11"),
        (["play", "duel", "--deck", "7"], "no deck"),
        (["play", "lin"], "Did you mean line?"),
        (["solve", "capure"], "Did you mean capture?"),
        (["play", "duel", "--p2", "harf"], "Did you mean hard?"),
        (["play"], either(NAMES)),
        (["rules"], either(NAMES)),
        (["analyse"], either(NAMES)),
        (["solve"], either(NAMES)),
        (["strategy"], either(NAMES)),
        (["tournament"], "numduel tournament easy medium hard"),
        (["replay", "numduel/games/duel.duel", "--at", "99"], "from 0 to 4"),
        (["play", "duel", "--first", "3"], "1, 2 or random"),
        (["play", "duel", "--name1", "x" * 41], "40"),
        (["play", "duel", "--name2", "\x1b[31mred"], "printable"),
        (["replay", "missing.duel"], "missing.duel"),
        (["replay", "."], "directory"),
        (["replay", "\x1b[31mmissing"], "missing"),
        (["resume", "missing.duel"], "missing.duel"),
        (["resume", "."], "directory"),
        (["resume", "\x1b[31mmissing"], "missing"),
        (["resume", "two\nlines"], "lines"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None,
)
def test_wrong_usage_is_refused_in_one_line(
    tmp_path: Path, arguments: list[str], word: str
) -> None:
    keep(tmp_path, "duel.duel", DUEL)
    done = run(tmp_path, *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("numduel: ")
    assert word in done.err
    assert done.err.count("\n") == 1
    assert len(done.err) < 200
    assert not controls(done.err)


@pytest.mark.parametrize(
    "arguments",
    [
        ["chess"],
        ["hint", "line"],
        ["play", "duel", "--size", "9"],
        ["play", "duel", "line"],
        ["play", "duel", "--seed"],
        ["games", "duel"],
        ["resume", "-1"],
    ],
    ids=" ".join,
)
def test_a_command_line_that_makes_no_sense_is_refused_in_three_lines(
    tmp_path: Path, arguments: list[str]
) -> None:
    done = run(tmp_path, *arguments)
    assert (done.code, done.out) == (2, "")
    assert 1 <= len([line for line in done.err.splitlines() if line]) <= 3


def test_wrong_usage_leaves_nothing_behind(tmp_path: Path) -> None:
    run(tmp_path, "play", "build", "--p2", "oracle")
    assert records(tmp_path) == []


@pytest.mark.parametrize(
    "text",
    [
        f"Game: sequence-duel\n\n{NASTY}\n",
        "Game: sequence-duel\n\n\x1b[31m5!\n",
        "Game: sequence-build\n\n7\x1b[31me\n",
        "Game: sequence-build\n\n7\x1b[31me!\n",
        "Game: \x1b[31m\n\n5\n",
        "\x1b[31m: 5\n\n5\n",
        "Game: sequence-duel\nVariant: \x1b[31m=5\n\n5\n",
        "Game: sequence-duel\nPlayer 1: \x1b[31m\n\n5\n",
        "Game: sequence-duel\nName 1: \x1b[31m\n\n5\n",
        "Game: sequence-duel\nFirst: \x1b[31m\n\n5\n",
        "Game: sequence-duel\nResult: \x1b[31m\n\n5\n",
        "Game: sequence-build\nNext: \x1b[31m\n\n5\n",
    ],
)
def test_what_is_wrong_with_a_record_is_said_without_its_control_characters(text: str) -> None:
    with pytest.raises(BadRecord) as refused:
        parse(text)
    assert not controls(str(refused.value))


# -- narrow terminals ----------------------------------------------------------------------


@pytest.mark.parametrize("columns", [40, 80])
def test_on_a_terminal_no_word_number_or_name_is_broken(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    screen = Screen(plain=True)
    screen.tell_apart(("Player 1",), ("Player 2",))
    line = " ".join(map(str, range(1, 61)))
    names = " against ".join(["Player 1", "Player 2"] * 5)
    screen.say(f"Number Line:\n{line}", "", names)
    screen.fail(f"Not {line}.")
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= columns
    assert " ".join(lines) == f"Number Line: {line}  {names} Not {line}."
    assert not any(told.endswith("Player") for told in lines)


def test_a_long_line_of_a_table_goes_on_in_its_column(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    Screen(plain=True).say("  hint    what to look at; ask again for a move and why")
    assert capsys.readouterr().out == (
        "  hint    what to look at; ask again for\n          a move and why\n"
    )


def test_a_long_word_is_broken_after_a_comma(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    pool = ",".join(map(str, range(1, 60, 2)))
    Screen(plain=True).say(f"Available Numbers: [{pool}]")
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 40
    assert "".join(lines[1:]) == f"[{pool}]"
    assert all(line.endswith(",") for line in lines[1:-1])


def test_an_error_fits_the_terminal(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel", "--p2", "oracle", env={"COLUMNS": "40"}) as terminal:
        lines = plain(terminal.rest()).splitlines()
    assert max(map(len, lines)) <= 40
    assert " ".join(lines).endswith("human, random, easy, medium, hard, perfect, search and"
                                    " search:N.")  # fmt: skip


def test_a_long_question_is_asked_on_several_lines(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel", "--plain", env={"COLUMNS": "40"}) as terminal:
        terminal.until("> ")
        said = plain(terminal.resign().until("leave > "))
    assert said.endswith(
        "Enter: rematch (Player 2 begins),\na: again (Player 1 begins), r: report,\n"
        "m: mistakes, q: leave > "
    )
