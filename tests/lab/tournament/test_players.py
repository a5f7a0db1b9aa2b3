"""Players of a tournament that somebody else has written: what they see, what becomes of them."""

import os
import select
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from signal import SIGKILL
from subprocess import Popen
from typing import Any

import pytest

import numduel
from numduel import BadVariant
from numduel.lab.tournament import hosts
from numduel.lab.tournament.entrants import Entrant, entrants, stamped
from numduel.lab.tournament.jobs import play
from numduel.lab.tournament.protocol import question, read_question
from numduel.lab.tournament.runner import make_ready
from numduel.lab.tournament.secret import Secret
from numduel.lab.tournament.standings import standings
from tests.games import NAMES
from tests.lab.tournament.bots import FORETOLD, WANTED
from tests.lab.tournament.small import BOARDS, BOTS, held, played
from tests.plugins.limit import remaining

# -- what a player is given ------------------------------------------------------------------------


@pytest.mark.usefixtures("interpreters")
def test_no_player_can_reach_the_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    (job,) = held(f"thief=python:{BOTS}:Thief", "random", games="build", rounds=1).jobs()
    monkeypatch.setenv(WANTED, " ".join(map(str, job.deck())))
    result = play(job)
    assert result.fault is None
    assert len(result.moves.split()) > 4


def test_whoever_knows_the_derivation_and_a_seed_does_not_find_the_deck() -> None:
    """A player tries every deck and every seed of its opponent that it can work out from its own
    seed, small numbers, what the file promises and the names of the players."""
    for small in held("easy", "hard", games="build", rounds=4, secret=7).jobs():
        job = replace(small, game=numduel.game("build"))
        known = {*range(7), *range(8, 1000), *job.seeds(), "", job.secret.commitment}
        assert replace(job, secret=Secret(f"{7:032x}")).deck() == job.deck()
        for one in known:
            digits = f"{one:032x}" if isinstance(one, int) else one
            tried = [replace(job, secret=Secret(text)) for text in (str(one), digits)]
            assert not any(other.deck() == job.deck() for other in tried)
            assert not any({*other.seeds()} & {*job.seeds()} for other in tried)


def test_a_player_who_remembers_earlier_decks_cannot_foretell_the_next_card(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It foretells one card in so many as chance does, up to four standard deviations."""
    monkeypatch.setenv(FORETOLD, str(tmp_path / "notes"))
    bot = f"bot=python:{BOTS}:Remembering"
    assert not any(
        result.fault for result in played(held(bot, "random", games="build", rounds=100))
    )
    notes = [line.split() for line in (tmp_path / "notes").read_text().splitlines()]
    right = sum(hit == "1" for hit, _ in notes)
    chances = [float(chance) for _, chance in notes]
    spread = sum(chance * (1 - chance) for chance in chances) ** 0.5
    assert len(notes) > 100
    assert abs(right - sum(chances)) < 4 * spread, (right, sum(chances), len(notes))


@pytest.mark.parametrize("name", NAMES)
def test_a_question_tells_the_whole_state(name: str) -> None:
    state = numduel.game(name, **BOARDS[name]).start(seed=3)
    while state.winner is None:
        asked = state.public
        assert read_question(question(asked)) == asked
        assert read_question(question(asked)).moves == asked.moves
        state = state.play(state.legal_moves[-1])


# -- players of somebody else's --------------------------------------------------------------------


@pytest.mark.parametrize(
    "place", ["First", "Seeded", "seeded", "unseeded", "ready", "ready.__class__"]
)
def test_a_class_a_factory_and_an_object_play_alike(place: str) -> None:
    moves = [result.moves for result in played(held("a=perfect", f"b=python:{BOTS}:{place}"))]
    assert moves == [result.moves for result in played(held("a=perfect", f"b=python:{BOTS}:First"))]
    assert not any(result.fault for result in played(held("random", f"python:{BOTS}:{place}")))


def test_a_player_is_created_with_a_seed_of_the_game() -> None:
    jobs = list(held(f"bot=python:{BOTS}:TellingItsSeed", "random").jobs())
    seeds = [seed for job in jobs for seed in job.seeds()]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 10**9 for seed in seeds)
    for job in jobs:
        fault = play(job).fault
        assert fault is not None
        seed = job.seeds()[fault.seat - 1]
        assert fault.why == f"It answered 'seed {seed}', which is not a move."


@pytest.mark.usefixtures("interpreters")
def test_a_player_that_uses_the_shared_generators_repeats_its_games_in_any_order() -> None:
    jobs = list(held(f"python:{BOTS}:Careless", "random", rounds=6).jobs())
    assert [play(job) for job in jobs] == [play(job) for job in jobs[::-1]][::-1]


def test_what_a_player_prints_is_no_answer() -> None:
    chatty, silent = (
        played(held(f"bot=python:{BOTS}:{name}", "random")) for name in ("Chatty", "First")
    )
    assert chatty == silent


def test_a_process_serves_many_games_with_a_new_player_each() -> None:
    results = played(held(f"bot=python:{BOTS}:Counting", "random", games="capture", rounds=6))
    faults = {result.fault.why for result in results if result.fault is not None}
    assert len(faults) == 1
    assert "process" in faults.pop()


@pytest.mark.parametrize("place", ["Thinking", "ThinkingSecond"])
def test_a_player_that_thinks_forever_loses_and_its_process_is_replaced(place: str) -> None:
    tournament = held(f"bot=python:{BOTS}:{place}", "random", rounds=2, move_timeout=0.2)
    for result in played(tournament):
        assert result.fault is not None
        assert result.fault.why == "It did not answer within 0.2 s."
        assert result.players[result.fault.seat - 1] == "bot"
    assert all(host.usable for _, host in hosts._idle)


def test_a_player_that_is_never_finished_being_created_loses(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "slow_bot.py").write_text("while True: pass")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(hosts, "START_TIMEOUT", 0.3)
    (job,) = held("bot=python:slow_bot:Bot", "random", rounds=1).jobs()
    assert play(job).fault == (1, "It did not answer within 0.3 s.")


def test_only_so_many_processes_wait_for_another_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "MAX_IDLE", 1)
    played(held(f"a=python:{BOTS}:First", f"b=python:{BOTS}:First", rounds=1))
    assert len(hosts._idle) == 1


def test_a_player_that_cannot_be_asked_has_not_lost() -> None:
    (job,) = held(f"bot=python:{BOTS}:Absent", "random", rounds=1).jobs()
    with pytest.raises(BadVariant, match=r"^The network is down\. Run the same command again"):
        play(job)


def test_integers_of_numpy_are_moves() -> None:
    assert not any(result.fault for result in played(held("random", f"python:{BOTS}:Learner")))


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("Failing", "It raised KeyError: '<lost>'."),
        ("Leaving", "It raised SystemExit: goodbye."),
        (
            "Forgetful",
            "It raised TypeError: 'NoneType' object cannot be interpreted as an integer.",
        ),
        ("Endless", "It answered with something that is not a move."),
        ("Sure", "It answered with something that is not a move."),
        ("Crashing", "Its program ended without an answer."),
        ("Interrupting", "It raised KeyboardInterrupt: ."),
        ("Unborn", "It raised ValueError: no weights."),
        ("Cheat", "has already been picked."),
        ("Feigning", "It answered 'The network is down.', which is not a move."),
    ],
)
def test_what_goes_wrong_in_python_loses_that_game(place: str, why: str) -> None:
    tournament = held("random", f"bad=python:{BOTS}:{place}")
    results = played(tournament)
    for result in results:
        assert result.fault is not None
        assert why in result.fault.why or "out of range" in result.fault.why
        assert result.players[result.fault.seat - 1] == "bad"
        assert result.winner == 3 - result.fault.seat
    found = standings(tournament, results)
    assert found.played == 4
    (bad,) = [one for one in found.tables[0].standings if one.name == "bad"]
    assert (bad.faults, bad.wins, bad.games) == (4, 0, 4)
    assert sum(games for _, _, games in found.faults) == 4


@pytest.mark.parametrize(
    "spec",
    ["", "deep-blue", "human", "search:0", "search:many", "python:", "python:one", "python::x",
     "exec:", "exec: ", 'exec:"', "perfect:3"],
)  # fmt: skip
def test_what_is_no_player_is_refused(spec: str) -> None:
    with pytest.raises(BadVariant):
        entrants(["random", spec])


@pytest.mark.parametrize(
    "spec",
    ["exec:no-such-program-anywhere", "python:no.such.module:x", f"python:{BOTS}:missing",
     f"python:{BOTS}:number", f"python:{BOTS}:Unborn"],
)  # fmt: skip
def test_what_cannot_be_found_is_refused_before_the_first_game(spec: str) -> None:
    with pytest.raises(BadVariant):
        make_ready(held("random", spec))


def test_players_need_names_that_differ() -> None:
    assert [one.name for one in entrants(["easy", "b=easy", "c=exec:x --y=z"])] == [
        "easy",
        "b",
        "c",
    ]
    assert entrants(["easy", "exec:x --y=z"])[1] == Entrant("exec:x --y=z", "exec:x --y=z")
    with pytest.raises(BadVariant, match="Two players are called"):
        entrants(["easy", "Easy=hard"])
    with pytest.raises(BadVariant, match="two players or more"):
        entrants(["easy"])


# -- programs --------------------------------------------------------------------------------------

TALKING = """
import sys, numduel
for line in sys.stdin:
    head, _, moves = line.partition(":")
    name, *pairs = head.split()
    settings = dict(pair.split("=") for pair in pairs)
    seat = int(settings.pop("seat"))
    state = numduel.game(name, **settings).replay(moves)
    assert state.to_move == seat
    print(state.legal_moves[0], flush=True)
"""


def program(folder: Path, text: str) -> str:
    path = folder / "a program.py"
    path.write_text(text)
    return f"bot=exec:{shlex.join([sys.executable, str(path)])}"


def test_a_program_is_asked_in_the_notation_and_answers_with_a_move(tmp_path: Path) -> None:
    bot = program(tmp_path, TALKING)
    names = " ".join(BOARDS)
    asked_in_lines = played(held(bot, "random", games=names, rounds=2))
    assert asked_in_lines == played(
        held(f"bot=python:{BOTS}:First", "random", games=names, rounds=2)
    )
    assert not any(result.fault for result in asked_in_lines)


def test_the_question_is_the_game_so_far() -> None:
    state = numduel.game("duel").replay("4 6")
    assert question(state) == "sequence-duel n=9 k=3 seat=1: 4 6"
    assert question(numduel.game("duel").start()) == "sequence-duel n=9 k=3 seat=1:"
    dealt = numduel.game("build").replay("7e 3")
    assert question(dealt) == "sequence-build n=10 copies=2 k=5 seat=2: 7e 3"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Its program ended without an answer."),
        ("input(); print('pony')", "It answered 'pony', which is not a move."),
        ("input(); print()", "It answered '', which is not a move."),
        ("input(); print('\\x1b[2J\\xff')", "It answered '?[2J\\xff', which is not a move."),
        ("input(); print(99)", "99 is out of range: the numbers are 1 to 6."),
        ("input(); print('1' * 1025)", "It answered with a line of more than 1024 bytes."),
        ("while True: print('1' * 99, end='')", "It answered with a line of more than 1024 bytes."),
        ("while True: print('1' * 99)", f"It answered {'1' * 40 + '…'!r}, which is not a move."),
        ("import os; os.kill(os.getpid(), 9)", "Its program ended without an answer."),
    ],
    ids=["gone", "garbage", "empty", "binary", "illegal", "long", "endless", "flood", "killed"],
)
def test_a_program_that_does_not_answer_with_a_move_loses(
    tmp_path: Path, text: str, why: str
) -> None:
    for result in played(held(program(tmp_path, text), "random", rounds=2)):
        assert result.fault is not None
        assert result.fault.why == why.replace("\\xff", "ÿ")
        assert result.players[2 - result.winner] == "bot"


def test_a_silent_program_loses_when_its_time_is_over_and_is_gone_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[Popen[bytes]] = []

    def noted(*words: Any, **options: Any) -> Popen[bytes]:
        started.append(Popen(*words, **options))
        return started[-1]

    monkeypatch.setattr("numduel.lab.tournament.child.subprocess.Popen", noted)
    bot = """bot=exec:sh -c "trap '' TERM; kill -STOP $$" """
    (job,) = held(bot, "random", rounds=1, move_timeout=0.2).jobs()
    assert play(job).fault == (1, "It did not answer within 0.2 s.")
    assert [process.returncode for process in started] == [-SIGKILL]


def test_what_a_program_has_started_is_gone_when_the_game_is_over(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    text = (
        "import subprocess\n"
        "engine = subprocess.Popen(['sleep', '1000'])\n"
        f"open({str(note)!r}, 'w').write(str(engine.pid))\n"
    )
    (job,) = held(program(tmp_path, text + TALKING), "random", rounds=1).jobs()
    assert play(job).fault is None
    assert ends(int(note.read_text()))


def ends(process: int) -> bool:
    """Whether a process has ended, or does in the time of this run."""
    try:
        file = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([file], [], [], remaining())[0])
    finally:
        os.close(file)


def test_a_program_knows_its_seed(tmp_path: Path) -> None:
    text = "import os; input(); print('seed', os.environ['NUMDUEL_SEED'])"
    (job,) = held(program(tmp_path, text), "random", rounds=1).jobs()
    fault = play(job).fault
    assert fault is not None
    assert fault.why == f"It answered 'seed {job.seeds()[0]}', which is not a move."


# -- what they are made of -------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


BOT = """
import bot_helper, json
from pathlib import Path
print(open("read_at_once.json").read())

class Bot:
    def __init__(self):
        self.weights = Path("weights.json").read_text()
        open("log.txt", "a").write("created")

    def choose(self, state):
        import bot_lazy
        return state.legal_moves[0]
"""


def files(spec: str) -> dict[str, str]:
    return dict(stamped(Entrant("bot", spec)).files)


@pytest.mark.usefixtures("interpreters")
def test_a_player_in_python_is_made_of_its_modules_and_of_what_it_reads(folder: Path) -> None:
    write(folder, {"bot.py": BOT, "weights.json": "1", "read_at_once.json": "2", "log.txt": ""})
    write(folder, dict.fromkeys(("bot_helper.py", "bot_other.py", "bot_lazy.py"), ""))
    before = files("python:bot:Bot")
    assert {*before} == {"bot.py", "bot_helper.py", "weights.json", "read_at_once.json"}
    assert files("python:bot:Bot") == before
    for name in before:
        path = Path(name)
        path.write_text(path.read_text() + "\n")
        after = files("python:bot:Bot")
        assert {*after.items() ^ before.items()} == {(name, before[name]), (name, after[name])}
        before = after


@pytest.mark.usefixtures("interpreters")
def test_a_player_in_a_package_is_made_of_the_package(folder: Path) -> None:
    write(
        folder,
        {"pack/bot.py": "from pack.net import Bot", "pack/net.py": "class Bot:\n    choose = min"},
    )
    write(folder, {"pack/__init__.py": "", "pack/unused.py": ""})
    assert {*files("python:pack.bot:Bot")} == {"pack/__init__.py", "pack/bot.py", "pack/net.py"}


def test_a_program_is_made_of_itself_and_of_its_arguments(folder: Path) -> None:
    write(folder, {"bot.sh": "", "weights.json": "1", "net.json": "1"})
    words = [sys.executable, "bot.sh", "weights.json", "--net=net.json", "--level=3", "none.json"]
    spec = f"exec:{shlex.join(words)}"
    before = files(spec)
    assert {*before} == {sys.executable, "bot.sh", "weights.json", "net.json"}
    Path("bot.sh").write_text("# another")
    assert files(spec) == {**before, "bot.sh": files(spec)["bot.sh"]} != before


def test_built_in_players_have_no_files() -> None:
    assert files("perfect") == files("search:20") == {}


def test_a_player_edited_during_the_tournament_ends_it(folder: Path) -> None:
    write(folder, {"bot.py": "class Bot:\n    choose = lambda self, state: state.legal_moves[0]"})
    ready = make_ready(held("bot=python:bot:Bot", "random"))
    first, second, *_ = ready.jobs()
    assert play(first).fault is None
    write(folder, {"bot.py": "class Bot:\n    choose = lambda self, state: state.legal_moves[-1]"})
    assert play(second).fault is None
    while hosts._idle:
        hosts._idle.pop()[1].close()
    with pytest.raises(BadVariant, match=r"bot\.py changed during the tournament"):
        play(second)
