"""No move is ever lost: games on disk, whatever happens to the process that plays them."""

from __future__ import annotations

import fcntl
import io
import os
import random
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from filelock import BaseFileLock

from numduel import BadRecord, files, game, view
from numduel.play import store
from numduel.play.record import parse, read
from numduel.play.store import open_save
from numduel.terminal.app import app
from tests.cli import (
    FULL_DISK,
    INTERRUPTIBLE,
    MOVES,
    PROMPTS,
    Session,
    environment,
    free_port,
    keep,
    records,
    run,
    the_record,
)
from tests.games import NAMES, WITHOUT_LUCK
from tests.plugins.limit import remaining

KEPT = "The game is saved: numduel resume goes on with it."
NOT_KEPT = "The game cannot be saved in"
DRAWS = re.compile(r" draws (\d+)\.")


def killed(home: Path, name: str, *options: str) -> str:
    """Play three moves of a game and kill it at the next prompt; what it had said."""
    with Session(home, "play", name, *options) as playing:
        for move in MOVES[name]:
            playing.until(PROMPTS[name])
            playing.send(move)
        playing.until(PROMPTS[name])
        playing.kill()
        return playing.said


def cards(said: str) -> list[int]:
    """The cards that were drawn, as the players saw them."""
    return [int(card) for card in DRAWS.findall(said)]


def answers(said: str, typed: str) -> list[str]:
    """The lines between a typed line and the next empty one."""
    lines = said.splitlines()
    after = lines[next(at for at, line in enumerate(lines) if line.endswith(typed)) + 1 :]
    return after[: after.index("")] if "" in after else after


# -- killed at the prompt -------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_move_is_on_disk_before_the_next_is_asked_for(tmp_path: Path, name: str) -> None:
    with Session(tmp_path, "play", name) as playing:
        playing.until(PROMPTS[name])
        for count, move in enumerate(MOVES[name], 1):
            playing.send(move).until(PROMPTS[name])
            assert len(read(the_record(tmp_path)).state.moves) == count


@pytest.mark.parametrize("name", WITHOUT_LUCK)
def test_a_killed_process_loses_no_move(tmp_path: Path, name: str) -> None:
    killed(tmp_path, name)
    assert read(the_record(tmp_path)).state.text.split() == MOVES[name]


def test_a_killed_process_loses_no_card(tmp_path: Path) -> None:
    seen = cards(killed(tmp_path, "build"))
    assert read(the_record(tmp_path)).state.text == "{}e {}x {}x {}".format(*seen)


@pytest.mark.parametrize("name", NAMES)
def test_resume_shows_the_position_that_was_left(tmp_path: Path, name: str) -> None:
    killed(tmp_path, name)
    record = read(the_record(tmp_path))
    seen = view(record.state)
    *lines, question = record.game.prompt(seen)
    screen = "\n".join([*record.game.welcome(), *record.game.board(seen), "", *lines, question])
    assert run(tmp_path, "resume").out.split("\n\n", 1)[1].startswith(screen)


@pytest.mark.parametrize("name", NAMES)
def test_resume_asks_what_the_killed_process_asked(tmp_path: Path, name: str) -> None:
    asked = killed(tmp_path, name).rsplit("\n\n", 1)[1]
    with Session(tmp_path, "resume") as resumed:
        assert resumed.until(PROMPTS[name]).rsplit("\n\n", 1)[1] == asked


@pytest.mark.parametrize("name", WITHOUT_LUCK)
def test_resume_adds_to_the_same_record(tmp_path: Path, name: str) -> None:
    killed(tmp_path, name)
    move = str(read(the_record(tmp_path)).state.legal_moves[0])
    run(tmp_path, "resume", typed=f"{move}\n")
    assert read(the_record(tmp_path)).state.text.split() == [*MOVES[name], move]


def test_resume_plays_the_card_that_waited(tmp_path: Path) -> None:
    waiting = cards(killed(tmp_path, "build"))[-1]
    run(tmp_path, "resume", typed="discard\n")
    assert read(the_record(tmp_path)).state.moves[-1] == f"{waiting}x"


def test_resume_keeps_players_names_and_house_rules(tmp_path: Path) -> None:
    killed(tmp_path, "factors", "--name1", "Ada", "--name2", "Kurt", "--forgiving")
    before = read(the_record(tmp_path))
    run(tmp_path, "resume", typed="7\n8\n")
    after = read(the_record(tmp_path))
    assert (after.names, after.forgiving, after.date) == (before.names, True, before.date)


def test_a_game_can_be_killed_and_resumed_again_and_again(tmp_path: Path) -> None:
    moves = ["5", "6", "1", "10"]
    for at, move in enumerate(moves):
        with Session(tmp_path, *(["resume"] if at else ["play", "line"])) as playing:
            playing.until("> ")
            playing.send(move).until("> ")
            playing.kill()
    assert read(the_record(tmp_path)).state.text.split() == moves


# -- killed while writing -------------------------------------------------------------------

EVERY_LINE = """
import os, signal, sys
from pathlib import Path
import filelock
from numduel import BadRecord, files, game
from numduel.play import store
from numduel.play.match import begin
from numduel.play.record import read

write = os.write

def play(path, lines, told):
    def trace(frame, event, arg):
        nonlocal lines
        if frame.f_code.co_filename not in (store.__file__, files.__file__):
            return None
        lines -= event == "line"
        if lines < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace
    os.write = lambda file, data: write(file, data[:20])
    match, save_file = begin(game("duel")), store.SaveFile(path)
    sys.settrace(trace)
    for move in (4, 6, 5):
        match.play(move)
        save_file.save(match.record)
        write(told, b".")
    save_file.close()
    os._exit(0)

for lines in range(10000):
    path = Path(sys.argv[1]) / str(lines) / "game.duel"
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        play(path, lines, writing)
    os.close(writing)
    _, status = os.waitpid(child, 0)
    told = len(os.read(reading, 10))
    os.close(reading)
    try:
        if path.exists():
            store.open_save(path).close()
        found = len(read(path).state.moves) if path.exists() else 0
    except BadRecord as error:
        print(lines, told, error)
    else:
        print(lines, told, found)
    if status == 0:
        break
"""
"""Saves a game of three moves, killed before the first, second, … line of the code that writes;
writes are short, so that there are many lines between the first byte and the last. Afterwards it
must be possible to open the game again."""


def test_killed_at_any_line_of_the_store_the_record_is_whole(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVERY_LINE, str(tmp_path)],
        capture_output=True,
        text=True,
        env=environment(tmp_path),
        timeout=remaining(),
        check=True,
    )
    rows = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    assert len(rows) > 50
    wrong = [row for row in rows if row[2] not in (row[1], str(int(row[1]) + 1))]
    assert not wrong


@pytest.mark.parametrize("luck", range(8))
def test_killed_at_a_random_moment_the_record_holds_all_that_was_shown(
    tmp_path: Path, luck: int
) -> None:
    game = ["play", "build", "--set", "n=99", "--set", "copies=9", "--set", "k=99"]
    players = ["--p1", "random", "--p2", "random"]
    with Session(tmp_path, *game, *players, env={"PYTHONUNBUFFERED": "1"}) as playing:
        playing.read(random.Random(luck).randrange(500, 12000))
        playing.kill()
    state = read(the_record(tmp_path)).state
    shown = cards(playing.said)
    assert list(state.game.drawn(state))[: len(shown)] == shown


def test_what_a_kill_left_half_written_does_not_stay(tmp_path: Path) -> None:
    killed(tmp_path, "duel")
    path = the_record(tmp_path)
    path.with_name(f".{path.name}.part").write_text("Game: seq")
    run(tmp_path, "resume", typed="9\n")
    assert os.listdir(path.parent) == [path.name]


# -- several windows ------------------------------------------------------------------------


def test_what_killed_processes_left_of_other_games_does_not_stay_either(tmp_path: Path) -> None:
    left = keep(tmp_path, ".older.duel.part", "Game: seq")
    os.utime(left, (0, 0))
    fresh = keep(tmp_path, ".another.duel.part", "Game: seq")
    run(tmp_path, "play", "duel", typed="4\n")
    assert not left.exists()
    assert fresh.exists(), "somebody may be writing it"


def test_the_name_of_a_folder_is_told_without_its_escape_codes(tmp_path: Path) -> None:
    home = tmp_path / "\x1b[31mred"
    home.mkdir()
    env = {"XDG_DATA_HOME": str(home)}
    done = run(tmp_path, "play", "duel", typed="4\nsave\n", env=env)
    assert "/?[31mred/" in done.out
    assert "\x1b[31mred" not in done.out
    wrong = run(
        tmp_path, "serve", "--port", str(free_port()), "--database", f"sqlite:///{home}/no/such.db"
    )
    assert "/?[31mred/" in wrong.err


def test_two_games_at_once_have_two_files(tmp_path: Path) -> None:
    with Session(tmp_path, "play", "duel") as one, Session(tmp_path, "play", "duel") as two:
        one.until("> ")
        two.until("> ")
        one.send("4").until("> ")
        two.send("6").until("> ")
        one.send("5").until("> ")
    assert sorted(read(path).state.text for path in records(tmp_path)) == ["4 5", "6"]


def test_a_game_cannot_be_resumed_while_it_is_played_and_is_left_alone(tmp_path: Path) -> None:
    with Session(tmp_path, "play", "duel") as playing:
        playing.until("> ")
        playing.send("4").until("> ")
        refused = run(tmp_path, "resume", typed="9\n")
        playing.send("6").until("> ")
    name = the_record(tmp_path).name
    assert refused == (2, "", f"numduel: {name} is being played in another window.\n")
    assert read(the_record(tmp_path)).state.text == "4 6"


def test_a_game_cannot_be_resumed_twice_at_once(tmp_path: Path) -> None:
    path = keep(tmp_path, "game.duel", "Game: sequence-duel\n\n4 6\n")
    with Session(tmp_path, "resume") as playing:
        playing.until("> ")
        refused = run(tmp_path, "resume", str(path))
    assert refused == (2, "", "numduel: game.duel is being played in another window.\n")


def test_while_a_game_is_played_its_lock_is_no_game(tmp_path: Path) -> None:
    with Session(tmp_path, "play", "duel") as playing:
        playing.until("> ")
        playing.send("4").until("> ")
        path = the_record(tmp_path)
        assert set(os.listdir(path.parent)) == {path.name, f".{path.name}.lock"}
        assert "Player 1 picked 4." in run(tmp_path, "replay").out, "the only one"


@pytest.mark.parametrize("typed", ["4\n", "4\nquit\n", "4\nresign\n"])
def test_no_lock_is_left_behind(tmp_path: Path, typed: str) -> None:
    run(tmp_path, "play", "duel", typed=typed)
    path = the_record(tmp_path)
    assert os.listdir(path.parent) == [path.name]


def test_who_is_refused_does_not_take_the_lock_away(tmp_path: Path) -> None:
    path = keep(tmp_path, "game.duel", DUEL)
    with closing(open_save(path)):
        for _ in range(3):
            assert refused(path)
    assert not refused(path)


def test_a_link_to_a_game_is_the_same_game(tmp_path: Path) -> None:
    path = keep(tmp_path, "game.duel", DUEL)
    link = tmp_path / "link.duel"
    link.symlink_to(path)
    with closing(open_save(path)):
        assert refused(link)
    with closing(open_save(link)):
        assert refused(path)


def test_a_link_in_the_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    path = keep(tmp_path, "game.duel", DUEL)
    (tmp_path / "precious").write_text("mine", "utf-8")
    path.with_name(".game.duel.lock").symlink_to(tmp_path / "precious")
    with closing(open_save(path)):
        pass
    assert (tmp_path / "precious").read_text("utf-8") == "mine"


def test_a_lock_that_is_given_up_while_it_is_opened_is_taken_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second process has opened the lock file when the first removes it and lets go: a lock on
    the removed file would let a third process in."""
    path = keep(tmp_path, "game.duel", DUEL)
    first = open_save(path)
    flock = fcntl.flock

    def give_up_first(file: int, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", flock)
        first.close()
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", give_up_first)
    with closing(open_save(path)):
        assert refused(path)


def test_giving_up_a_lock_does_not_take_the_next_one_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second process takes the lock in the moment in which the first lets go of it."""
    path = keep(tmp_path, "game.duel", DUEL)
    first = open_save(path)
    release, taken = BaseFileLock.release, []

    def take_next(lock: BaseFileLock, *arguments: bool) -> None:
        release(lock, *arguments)
        monkeypatch.setattr(BaseFileLock, "release", release)
        taken.append(open_save(path))

    monkeypatch.setattr(BaseFileLock, "release", take_next)
    first.close()
    with closing(taken[0]):
        assert refused(path)


def test_moves_that_another_window_makes_before_the_lock_is_taken_are_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = keep(tmp_path, "game.duel", DUEL)

    def lock_late(path: Path) -> BaseFileLock:
        monkeypatch.setattr(store, "lock", lock)
        with closing(open_save(path)) as other:
            other.save(parse(DUEL.replace("4 6", "4 6 9")))
        return lock(path)

    lock = files.lock
    monkeypatch.setattr(store, "lock", lock_late)
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n"))
    app(["resume", str(path)], standalone_mode=False)
    assert read(path).state.text == "4 6 9 2", capsys.readouterr().out


def refused(path: Path) -> bool:
    """Whether a game cannot be opened because it is being played."""
    try:
        open_save(path).close()
    except BadRecord as error:
        return str(error) == f"{path.name} is being played in another window."
    return False


def test_a_game_can_be_resumed_when_its_player_has_died(tmp_path: Path) -> None:
    keep(tmp_path, "game.duel", "Game: sequence-duel\n\n4 6\n")
    with Session(tmp_path, "resume") as playing:
        playing.until("> ")
        playing.kill()
        assert run(tmp_path, "resume", typed="5\n").code == 0
    assert read(the_record(tmp_path)).state.text == "4 6 5"


# -- a folder that takes nothing ------------------------------------------------------------

NO_FOLDER: tuple[dict[str, str], tuple[str, ...]] = ({"XDG_DATA_HOME": f"{__file__}/data"}, ())
NO_ROOM: tuple[dict[str, str], tuple[str, ...]] = ({}, (FULL_DISK,))
TROUBLE = pytest.mark.parametrize(
    ("env", "before"), [NO_FOLDER, NO_ROOM], ids=["no folder", "no room"]
)
WHY = re.compile(r"Not a directory|File too large")


@TROUBLE
@pytest.mark.parametrize("name", ["build", "duel"])
def test_without_a_place_to_keep_it_a_game_is_played_to_its_end(
    tmp_path: Path, name: str, env: dict[str, str], before: tuple[str, ...]
) -> None:
    random_players = ["--p1", "random", "--p2", "random"]
    done = run(tmp_path, "play", name, *random_players, env=env, before=before)
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(" wins the game!\n")


@TROUBLE
def test_that_nothing_can_be_kept_is_said_once_in_one_line(
    tmp_path: Path, env: dict[str, str], before: tuple[str, ...]
) -> None:
    done = run(tmp_path, "play", "duel", typed="4\n6\n3\n5\n2\n", env=env, before=before)
    (line,) = (line for line in done.out.splitlines() if NOT_KEPT in line)
    assert WHY.search(line)


@TROUBLE
def test_leaving_a_game_that_is_not_kept_does_not_promise_to_resume_it(
    tmp_path: Path, env: dict[str, str], before: tuple[str, ...]
) -> None:
    done = run(tmp_path, "play", "duel", typed="4\nquit\n", env=env, before=before)
    assert done.out.endswith("\nThe last moves could not be saved.\n")


@TROUBLE
def test_save_is_answered_where_nothing_can_be_kept(
    tmp_path: Path, env: dict[str, str], before: tuple[str, ...]
) -> None:
    done = run(tmp_path, "play", "duel", typed="4\nsave\n", env=env, before=before)
    (line,) = answers(done.out, "> save")
    assert WHY.search(line)


def test_a_full_disk_leaves_no_half_written_file(tmp_path: Path) -> None:
    run(tmp_path, "play", "duel", typed="4\n6\n", before=(FULL_DISK,))
    assert os.listdir(tmp_path / "numduel" / "games") == []


def test_a_disk_that_fills_up_leaves_the_last_whole_record(tmp_path: Path) -> None:
    path = keep(tmp_path, "game.duel", "Game: sequence-duel\n\n4 6\n")
    run(tmp_path, "resume", typed="5\n", before=(FULL_DISK,))
    assert path.read_text() == "Game: sequence-duel\n\n4 6\n"


def test_resume_finds_no_game_where_there_is_no_folder(tmp_path: Path) -> None:
    env, _ = NO_FOLDER
    assert run(tmp_path, "resume", env=env) == (0, "There are no unfinished games.\n", "")


# -- leaving --------------------------------------------------------------------------------


def test_the_end_of_input_leaves_with_exit_code_0_and_keeps_the_game(tmp_path: Path) -> None:
    with Session(tmp_path, "play", "duel") as playing:
        playing.until("> ")
        playing.send("4").until("> ")
        playing.hang_up()
        assert playing.code() == 0
    assert playing.said.endswith(f"> \n{KEPT}\n")


def test_an_interrupt_leaves_with_exit_code_0_and_the_game_can_be_resumed(tmp_path: Path) -> None:
    with Session(tmp_path, "play", "duel", before=(INTERRUPTIBLE,)) as playing:
        playing.until("> ")
        playing.send("4").until("> ")
        playing.interrupt()
        assert playing.rest() == f"\n{KEPT}\n"
        assert playing.code() == 0
    run(tmp_path, "resume", typed="6\n")
    assert read(the_record(tmp_path)).state.text == "4 6"


@pytest.mark.parametrize("word", ["quit", "exit"])
def test_quit_leaves_with_exit_code_0_and_keeps_the_game(tmp_path: Path, word: str) -> None:
    done = run(tmp_path, "play", "duel", typed=f"4\n{word}\n")
    assert (done.code, done.out.splitlines()[-1]) == (0, KEPT)


@pytest.mark.parametrize("name", NAMES)
def test_quit_before_the_first_move_leaves_no_file(tmp_path: Path, name: str) -> None:
    done = run(tmp_path, "play", name, typed="quit\n")
    assert done.out.endswith("\nNo move was made, so there is nothing to save.\n")
    assert records(tmp_path) == []


@pytest.mark.parametrize("typed", ["4\nresign\n", "4\n6\n5\n1\n3\n"], ids=["resigned", "won"])
def test_a_finished_game_stays_on_disk_with_its_result(tmp_path: Path, typed: str) -> None:
    winner = re.findall(r"Player (\d) wins", run(tmp_path, "play", "duel", typed=typed).out)
    assert f"\nResult: {winner[0]}\n" in the_record(tmp_path).read_text()


# -- copies ---------------------------------------------------------------------------------


def test_save_says_where_the_game_is_kept(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "duel", typed="4\nsave\n")
    assert answers(done.out, "> save") == [f"The game is saved in {the_record(tmp_path)}."]


def test_save_before_the_first_move_does_not_name_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "duel", typed="save\n")
    named = re.findall(r"is saved in (.+)\.", done.out)
    assert [Path(name).exists() for name in named] in ([], [True])


@pytest.mark.parametrize("name", ["build", "duel"])
def test_save_writes_a_copy_that_can_be_read(tmp_path: Path, name: str) -> None:
    typed = "\n".join([*MOVES[name], "save copy.duel", ""])
    done = run(tmp_path, "play", name, typed=typed)
    assert answers(done.out, "save copy.duel") == ["A copy is in copy.duel."]
    assert read(tmp_path / "copy.duel") == read(the_record(tmp_path))


def test_a_copy_can_be_resumed_on_its_own(tmp_path: Path) -> None:
    run(tmp_path, "play", "duel", typed="4\nsave copy.duel\n6\n")
    run(tmp_path, "resume", "copy.duel", typed="9\n")
    assert read(tmp_path / "copy.duel").state.text == "4 9"


def test_save_never_overwrites_a_file(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    done = run(tmp_path, "play", "duel", typed="4\nsave precious\n")
    assert answers(done.out, "> save precious") == ["precious exists already; choose another name."]
    assert (tmp_path / "precious").read_text() == "precious"


def test_a_copy_that_cannot_be_written_is_refused_in_one_line(tmp_path: Path) -> None:
    names = ["nowhere/copy", "/dev/null/copy", ".", "x" * 300, "a\0b", "~nobody-at-all/copy"]
    typed = "".join(f"save {name}\n" for name in names)
    done = run(tmp_path, "play", "duel", typed=f"4\n{typed}")
    for name in names:
        (line,) = answers(done.out, f"save {name}".replace("\0", "?"))
        assert re.fullmatch(r".*(; c|cannot be ).+\.", line)


def test_a_copy_that_finds_no_room_leaves_nothing_behind(tmp_path: Path) -> None:
    run(tmp_path, "play", "duel", typed="4\nsave copy\n", before=(FULL_DISK,))
    assert not (tmp_path / "copy").exists()


def test_play_goes_on_after_a_save(tmp_path: Path) -> None:
    run(tmp_path, "play", "duel", typed="4\nsave nowhere/copy\nsave copy\nsave\n6\n")
    assert read(the_record(tmp_path)).state.text == "4 6"


# -- the deck -------------------------------------------------------------------------------


UNDONE = "d\n" * 7 + "undo\n" * 7
"""Eight cards are seen, and all decisions about them taken back."""


def test_the_card_of_a_decision_stays_when_the_decision_is_taken_back(tmp_path: Path) -> None:
    seen = cards(run(tmp_path, "play", "build", typed=UNDONE).out)
    assert seen == [*seen[:8], *seen[6::-1]]


def test_who_takes_back_does_not_know_the_next_cards(tmp_path: Path) -> None:
    """Twenty cards in one order: that seven come twice in the same order happens by chance once in
    some millions of games."""
    seen = cards(run(tmp_path, "play", "build", typed=UNDONE + "d\n" * 7).out)
    assert len(seen) == 22
    assert seen[-7:] != seen[1:8]


def test_cards_that_are_taken_back_are_in_the_deck_again(tmp_path: Path) -> None:
    typed = UNDONE + "d\n" * 20
    dealt = cards(run(tmp_path, "play", "build", typed=typed).out)[-20:]
    assert sorted(dealt) == list(game("build").cards)


@pytest.mark.parametrize("options", [["--seed", "7"], ["--deck", "7 5 6 2 1 1 9 4"]])
def test_a_deck_that_was_asked_for_stays_what_it_is(tmp_path: Path, options: list[str]) -> None:
    seen = cards(run(tmp_path, "play", "build", *options, typed=UNDONE + "d\n" * 7).out)
    assert seen[-7:] == seen[1:8]
    assert cards(run(tmp_path, "resume", typed="undo\n" * 7).out)[-1] == seen[0]


def test_only_the_named_cards_of_a_deck_stay_on_top(tmp_path: Path) -> None:
    typed = "d\n" * 12 + "undo\n" * 12 + "d\n" * 12
    seen = cards(run(tmp_path, "play", "build", "--deck", "7 5 6 2", typed=typed).out)
    assert seen[-12:-9] == [5, 6, 2]
    assert seen[-9:] != seen[4:13]


def test_a_record_does_not_say_what_was_taken_back(tmp_path: Path) -> None:
    run(tmp_path, "play", "build", typed="d\nd\nd\nundo\nundo\n")
    assert "Next:" not in the_record(tmp_path).read_text()


def test_a_record_of_version_0_1_with_known_cards_is_read(tmp_path: Path) -> None:
    keep(tmp_path, "old.duel", "Game: sequence-build\nNext: 3 9\n\n7x 5\n")
    assert cards(run(tmp_path, "resume", typed="").out) == [5]


def test_a_seeded_game_deals_the_deck_of_its_seed_after_resume(tmp_path: Path) -> None:
    state, deck = game("build").start(seed=2026), []
    while state.card is not None:
        deck.append(state.card)
        state = state.play("x")
    before = cards(run(tmp_path, "play", "build", "--seed", "2026", typed="d\n" * 6).out)
    after = cards(run(tmp_path, "resume", typed="d\n" * 20).out)
    assert [*before[:-1], *after] == deck


def test_a_deck_written_by_hand_is_dealt_on_after_resume(tmp_path: Path) -> None:
    run(tmp_path, "play", "build", "--deck", "7 5 6 2 9 9 1", typed="d\nd\n")
    assert cards(run(tmp_path, "resume", typed="d\n" * 4).out) == [6, 2, 9, 9, 1]


def test_a_resumed_game_deals_every_card_of_the_deck_once(tmp_path: Path) -> None:
    before = cards(run(tmp_path, "play", "build", typed="d\n" * 6).out)
    after = cards(run(tmp_path, "resume", typed="d\n" * 20).out)
    assert sorted([*before[:-1], *after]) == sorted([*range(1, 11), *range(1, 11)])


# -- which game to resume -------------------------------------------------------------------

DUEL = "Game: sequence-duel\nDate: 2026-01-02 12:00:00\n\n4 6\n"
CAPTURE = "Game: number-capture\nDate: 2026-01-03 12:00:00\n\n5\n"
BROKEN = [
    b"",
    b"nonsense",
    b"\xff\xfe\0",
    DUEL.encode()[:-1],
    b"Game: chess\n\n4\n",
    b"Game: sequence-duel\n\n4 4\n",
    b"\n" * 70000,
]
FINISHED = "Game: sequence-duel\nDate: 2026-01-04 12:00:00\n\n4 6 5 1 3\n"


def test_resume_goes_on_with_the_only_unfinished_game(tmp_path: Path) -> None:
    keep(tmp_path, "duel.duel", DUEL)
    run(tmp_path, "resume", typed="9\n")
    assert read(the_record(tmp_path)).state.text == "4 6 9"


def test_resume_lists_several_games_the_latest_first(tmp_path: Path) -> None:
    keep(tmp_path, "duel.duel", DUEL)
    keep(tmp_path, "capture.duel", CAPTURE)
    assert run(tmp_path, "resume").out.splitlines() == [
        "  2  Number Capture  Player 1 – Player 2   1 move  2026-01-03",
        "  1  Sequence Duel   Player 1 – Player 2  2 moves  2026-01-02",
        "Choose one: numduel resume NUMBER",
    ]


def test_resume_takes_the_number_of_a_game(tmp_path: Path) -> None:
    path = keep(tmp_path, "duel.duel", DUEL)
    keep(tmp_path, "capture.duel", CAPTURE)
    run(tmp_path, "resume", "1", typed="9\n")
    assert read(path).state.text == "4 6 9"


@pytest.mark.parametrize("number", ["0", "3"])
def test_resume_refuses_a_number_that_is_not_on_the_list(tmp_path: Path, number: str) -> None:
    keep(tmp_path, "duel.duel", DUEL)
    keep(tmp_path, "capture.duel", CAPTURE)
    refused = run(tmp_path, "resume", number)
    expected = (
        f"There is no game {number}: the numbers go from 1 to 2, and numduel resume lists them."
    )
    assert refused == (2, "", f"numduel: {expected}\n")


def test_resume_does_not_offer_a_finished_game(tmp_path: Path) -> None:
    keep(tmp_path, "finished.duel", FINISHED)
    assert run(tmp_path, "resume") == (0, "There are no unfinished games.\n", "")


def test_resume_refuses_the_file_of_a_finished_game(tmp_path: Path) -> None:
    path = keep(tmp_path, "finished.duel", FINISHED)
    refused = run(tmp_path, "resume", str(path))
    assert refused == (2, "", "numduel: finished.duel is finished: numduel replay shows it.\n")


def test_resume_passes_over_broken_files(tmp_path: Path) -> None:
    path = keep(tmp_path, "duel.duel", DUEL)
    path.with_name("folder.duel").mkdir()
    for number, broken in enumerate(BROKEN):
        path.with_name(f"{number}.duel").write_bytes(broken)
    run(tmp_path, "resume", typed="9\n")
    assert read(path).state.text == "4 6 9"


def test_a_broken_file_is_left_as_it_is(tmp_path: Path) -> None:
    path = keep(tmp_path, "broken.duel", "nonsense")
    run(tmp_path, "resume")
    run(tmp_path, "resume", str(path))
    assert path.read_text() == "nonsense"


def test_a_link_beside_a_record_is_never_written_through(tmp_path: Path) -> None:
    precious, record = tmp_path / "precious", tmp_path / "g.duel"
    precious.write_text("mine", "utf-8")
    record.write_text("Game: duel\n\n4\n", "utf-8")
    (tmp_path / ".g.duel.part").symlink_to(precious)
    assert run(tmp_path, "resume", str(record), typed="6\nquit\n").code == 0
    assert precious.read_text("utf-8") == "mine"
    assert read(record).state.text == "4 6"


def test_every_kept_game_can_be_resumed_however_many_there_are(tmp_path: Path) -> None:
    for day in range(1, 26):
        keep(tmp_path, f"{day}.duel", f"Game: duel\nDate: 2026-01-{day:02}\n\n{day % 9 + 1}\n")
    assert "and 5 older games, down to number 1" in run(tmp_path, "resume").out
    assert "2026-01-01" in run(tmp_path, "resume", "1").out


def test_a_folder_that_cannot_be_read_is_reported_in_one_line(tmp_path: Path) -> None:
    done = run(tmp_path, "resume", env={"XDG_DATA_HOME": f"{tmp_path}/{'x' * 500}"})
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("numduel: The folder of saved games cannot be read: ")


def test_a_line_that_is_appended_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bytes] = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.pread(file, 99, 0)))
    file = os.open(tmp_path / "save", os.O_RDWR | os.O_CREAT)
    files.append(file, "7\n")
    os.close(file)
    assert synced == [b"7\n"]
