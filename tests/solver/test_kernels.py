"""Compiled kernels are a cache: one folder a game, never in the way, and never out of date."""

import json
import os
import pickle
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Event
from types import FunctionType, ModuleType
from typing import Any, cast

import numpy as np
import pytest
from numba.core.errors import TypingError
from numduel_examples.pile import Pile

import numduel
from numduel import files, solver
from numduel.games import line
from numduel.solver import compiled, digests, strong, tables
from tests.cli import run
from tests.everywhere import Ran
from tests.plugins.limit import remaining

PILE = """
from functools import cached_property
from typing import NamedTuple

from numduel.core.game import Game
from numduel.core.rules import Bounds, Parameter, Rules
from numduel.core.view import Fact
from {helpers} import most


class Variant(NamedTuple):
    pile: int = 20


def start(v):
    return v.pile, 0


def legal(pile, unused, v):
    return 0b1110 & (2 << most(pile)) - 1


def play(pile, unused, move, v):
    return pile - move, 0


def result(pile, unused, v):
    return -1


class Pile(Game):
    id = name = "pile"
    title = "Pile"
    summary = "Take one, two or three; who takes the last wins."
    rules = Rules(start, legal, play, result)
    Variant = Variant
    parameters = {{"pile": Parameter("the pile", 1, 20_000)}}

    @cached_property
    def bounds(self):
        return Bounds(actions=3, plies={plies}, bits=15)

    def facts(self, state):
        return (Fact("Pile", str(state.position[0])),)

    def end_lines(self, view, winner):
        return [f"{{view.name(winner)}} took the last one."]
"""
HELPERS = "def most(pile):\n    return min(3, pile)\n"
LARGE = ("analyse", "duel", "--set", "n=14", "--json")
"""What takes a compiled search; smaller boards have none compiled."""
METADATA = "Metadata-Version: 2.1\nName: piles\nVersion: 1.0\n"


class Package:
    """A package with a game in it, installed for one test and removed again."""

    def __init__(self, folder: Path, plies: str = "self.variant.pile") -> None:
        self.folder = folder
        self.info = folder / "piles-1.0.dist-info"
        self.info.mkdir(parents=True)
        (folder / "piles_helpers.py").write_text(HELPERS)
        (folder / "piles.py").write_text(PILE.format(helpers="piles_helpers", plies=plies))
        (self.info / "METADATA").write_text(METADATA)
        (self.info / "entry_points.txt").write_text("[numduel.games]\npile = piles:Pile\n")

    def remove(self) -> None:
        shutil.rmtree(self.folder)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def numduel_with(home: Path, cache: Path, package: Path, *words: str) -> Ran:
    """Run the command where a package is installed, in a fork that is to look for games again."""
    installed = (
        f"import sys; sys.path.insert(0, {str(package)!r})",
        "from numduel.games import games; games.cache_clear()",
    )
    return run(home, *words, env={"XDG_CACHE_HOME": str(cache)}, before=installed)


def best(done: Ran) -> tuple[str, float]:
    """The first of the best moves that an analysis printed as JSON, and its chance to win."""
    assert done.code == 0, done
    assert done.err == ""
    option = json.loads(done.out)["moves"][0]
    return option["move"], option["win_probability"]


@pytest.mark.proof
@pytest.mark.parametrize(
    "another", [("analyse", "duel", "--json"), LARGE], ids=["plain", "compiled"]
)
def test_a_game_that_is_gone_takes_nothing_with_it(
    home: Path, cache: Path, another: tuple[str, ...]
) -> None:
    package = Package(home.parent / "package")
    pile = ("analyse", "pile", "--set", "pile=5", "--json")
    assert numduel_with(home, cache, package.folder, "solve", *pile[1:4]).code == 0
    assert best(numduel_with(home, cache, package.folder, *pile)) == ("1", 1.0)
    before = best(numduel_with(home, cache, package.folder, *another))
    folders = {path.name for path in (cache / "numduel" / "kernels").iterdir()}
    duel = {"numduel.games.duel.Duel"} if another == LARGE else set()
    assert folders == {"piles.Pile", "shared", *duel}
    package.remove()
    assert best(numduel_with(home, cache, package.folder, *another)) == before
    refused = numduel_with(home, cache, package.folder, *pile)
    assert refused.code == 2
    assert refused.err.startswith("numduel: There is no game 'pile'")


@pytest.mark.proof
def test_an_emptied_cache_is_no_trouble(home: Path, cache: Path) -> None:
    numduel_with(home, cache, home, *LARGE)
    assert list(cache.rglob("*.kernel"))
    for path in cache.rglob("*.kernel"):
        path.write_bytes(b"")
    assert best(numduel_with(home, cache, home, *LARGE)) == ("1", 1.0)


@pytest.mark.proof
def test_a_cache_that_nobody_can_write_to_is_no_trouble(home: Path, cache: Path) -> None:
    cache.mkdir()
    (cache / "numduel").symlink_to("/proc/1/nowhere")  # not even root can write there
    assert best(numduel_with(home, cache, home, *LARGE)) == ("1", 1.0)


# -- one small kernel -----------------------------------------------------------------------

KIND = type(numduel.game("duel"))


def one_more(number: int) -> int:
    return number + 1


def called(*, key: str = "", kind: type[numduel.Game] | None = KIND) -> bool:
    """Call the kernel as a new process would; whether it was compiled for that."""
    kernel = compiled.compiled(one_more, kind, key=key)
    assert kernel(41) == 42
    return not kernel.stats.cache_hits


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder in which the kernel is."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert called()
    (path,) = tmp_path.rglob("*.kernel")
    return path


@pytest.mark.usefixtures("kept")
def test_what_was_compiled_once_is_found_again() -> None:
    assert not called()


@pytest.mark.usefixtures("kept")
def test_what_closes_over_something_else_is_another_kernel() -> None:
    assert called(key="n=12")
    assert not called()
    assert not called(key="n=12")


def test_what_was_compiled_belongs_to_one_game(kept: Path) -> None:
    assert called(kind=type(numduel.game("line")))
    assert called(kind=None)
    assert {path.name for path in kept.parent.parent.iterdir()} == {
        "numduel.games.duel.Duel", "numduel.games.line.Line", "shared",
    }  # fmt: skip


def test_old_versions_of_a_kernel_are_removed(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.with_name(f".{kept.name}.lock").touch()  # of a process that was killed
    monkeypatch.setattr(compiled, "digest", lambda _: "another")
    assert called()
    assert not kept.exists()
    assert len(list(kept.parent.iterdir())) == 1


def test_a_kernel_that_another_process_compiles_is_waited_for(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, waiting = kept.read_bytes(), Event()
    kept.unlink()
    other = files.lock(kept)

    def wait(file: Path, timeout: float) -> Any:
        with pytest.raises(BlockingIOError):
            files.lock(file, 0)
        waiting.set()
        return files.lock(file, timeout)

    monkeypatch.setattr(compiled, "lock", wait)
    with ThreadPoolExecutor(1) as pool:
        here = pool.submit(called)
        here.add_done_callback(lambda _: waiting.set())
        assert waiting.wait(remaining())
        kept.write_bytes(code)
        files.unlock(other)
        assert not here.result()
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_a_process_that_was_stopped_while_it_compiled_is_waited_for_once(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[Path] = []

    def give_up(file: Path, _: float) -> Any:
        waits.append(file)
        raise BlockingIOError

    monkeypatch.setattr(compiled, "lock", give_up)
    kept.unlink()
    for _ in range(2):
        with pytest.raises(TypingError):
            compiled.compiled(no_number, KIND)(41)
    assert len(waits) == 1
    assert called()
    assert kept.exists()


def test_a_kernel_that_does_not_compile_says_so_each_time_and_at_once(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked: list[Path] = []

    def lock(file: Path, timeout: float) -> Any:
        locked.append(file)
        return files.lock(file, timeout)

    monkeypatch.setattr(compiled, "lock", lock)
    for _ in range(2):
        with pytest.raises(TypingError):
            compiled.compiled(no_number, KIND)(41)
    assert len(locked) == 1, "it does not wait for itself"
    assert kept.exists()


def no_number(number: Any) -> object:
    return number.nothing


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:1000])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def garble(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def make_a_folder_of(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [cut, empty, garble, make_a_folder_of, Path.unlink])
def test_a_damaged_kernel_is_compiled_anew(damage: Callable[[Path], None], kept: Path) -> None:
    damage(kept)
    assert called()


def two_more(number: int) -> int:
    return number + 2


def test_a_kernel_with_the_code_of_another_is_compiled_anew(kept: Path) -> None:
    compiled.compiled(two_more, None)(40)
    (other,) = kept.parent.parent.glob("shared/*.kernel")
    kept.write_bytes(kept.read_bytes()[:32] + other.read_bytes()[32:])
    assert called()


def test_a_kernel_that_is_whole_but_not_understood_is_compiled_anew(kept: Path) -> None:
    payload = pickle.dumps(("no", "kernel"))
    kept.write_bytes(sha256(payload).digest() + payload)
    assert called()


def test_what_killed_processes_left_is_swept(kept: Path) -> None:
    left = kept.with_name(".other.kernel.0123456789ab.part")
    left.write_bytes(b"half")
    os.utime(left, (0, 0))
    kept.unlink()
    assert called()
    assert not left.exists()


class Planted:
    """Compiled code that somebody else left: whoever loads it runs their program."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.mark),)


@pytest.mark.parametrize("folder", [0, 1, 2])
@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_compiled_code_is_not_loaded_from_where_others_can_write(
    kept: Path, folder: int, mode: int, caplog: pytest.LogCaptureFixture
) -> None:
    payload = pickle.dumps(Planted(kept.parent / "hacked"))
    kept.write_bytes(sha256(payload).digest() + payload)
    kept.parents[folder].chmod(mode)
    files._say_unsafe.cache_clear()
    assert called()
    assert called()
    assert kept.read_bytes().endswith(payload)
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]
    (said,) = caplog.messages
    assert said.startswith(f"Nothing is read from or saved in {kept.parents[folder]}, because")


def test_compiled_code_is_not_loaded_from_the_folder_of_another_user(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: kept.stat().st_uid + 1)
    assert called()


def test_a_folder_that_cannot_be_looked_at_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = files.cache_folder() / "kernels"
    assert not files.is_private(folder)
    folder.mkdir(parents=True)
    assert files.is_private(folder)


def test_a_table_is_neither_loaded_nor_saved_where_others_can_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    game, values = numduel.game("duel"), np.zeros(3, np.int8)
    tables.save(game, values)
    assert tables.load(game, np.int8) is not None
    tables.folder().chmod(0o770)
    assert tables.load(game, np.int8) is None
    with pytest.raises(PermissionError, match="others can write to its folder"):
        tables.save(game, values)


def test_what_is_kept_is_for_its_user_alone_whatever_the_umask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    before = os.umask(0)
    try:
        assert called()
    finally:
        os.umask(before)
    assert not called()
    folders = [path for path in (tmp_path / "cache" / "numduel").rglob("*") if path.is_dir()]
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o700}


def put_a_file_there(path: Path) -> None:
    path.write_text("in the way")


def lead_nowhere(path: Path) -> None:
    path.symlink_to("/proc/1/nowhere")  # not even root can write there


@pytest.mark.parametrize("spoil", [put_a_file_there, lead_nowhere])
def test_where_no_cache_can_be_a_kernel_is_compiled_each_time(
    spoil: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    spoil(tmp_path / "numduel")
    assert called()
    assert called()


# -- what values depend on ------------------------------------------------------------------


def test_the_helpers_of_rules_are_found_wherever_they_are() -> None:
    names = {function.__qualname__ for function in digests.functions(Borrowing)}
    assert names >= {"borrowing", "most", "runs"}


def most(pile: int, v: Any) -> int:
    found: int = min(v.most, pile)
    return found


def borrowing(pile: int, _: int, v: Any) -> int:
    return (2 << most(pile, v)) - 2 if line.runs(0, 2) == 0 else 0


class Borrowing(Pile):
    """Its rules call a function of this module, and one of another through the module."""

    rules = Pile.rules._replace(legal=borrowing)


def asked(pile: int, v: Any) -> int:
    return borrowing(pile, 0, v)


def test_a_rule_may_use_helpers_from_other_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compiled.register(Borrowing)
    fast, v = compiled.compiled(asked, Borrowing), Borrowing().variant
    assert [fast(pile, v) for pile in range(9)] == [asked(pile, v) for pile in range(9)]


def test_a_changed_constant_of_another_module_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digests.digest(counting)
    monkeypatch.setattr(constants, "MOST", 4)
    assert digests.digest(counting) != before
    monkeypatch.setattr(constants, "MOST", 3)
    assert digests.digest(counting) == before


constants = ModuleType("constants")
constants.MOST = 3  # type: ignore[attr-defined]


def count_down(pile: int) -> int:
    return min(pile, constants.MOST)  # type: ignore[no-any-return]


counting = cast("FunctionType", count_down)


def limited(most: int) -> FunctionType:
    def legal(pile: int, _: int, v: Any) -> int:
        return (2 << min(pile, most)) - 2 if v.pile else 0

    return cast("FunctionType", legal)


def test_what_a_rule_closes_over_is_part_of_it() -> None:
    assert digests.digest(limited(3)) == digests.digest(limited(3))
    assert digests.digest(limited(3)) != digests.digest(limited(4))


def test_kernels_made_by_one_function_are_kept_side_by_side(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        monkeypatch.setattr(compiled, "_KERNELS", {})
        found = [compiled.kernel(f"most {n}", KIND, partial(up_to, n)) for n in (3, 4)]
        assert [kernel(9) for kernel in found] == [3, 4]
    assert all(kernel.stats.cache_hits for kernel in found)
    assert kept.exists()


def up_to(most: int, _: type[numduel.Game]) -> Callable[[int], int]:
    def least(number: int) -> int:
        return min(number, most)

    return least


def test_games_made_by_one_function_have_kernels_of_their_own() -> None:
    best = {}
    for most in (3, 4):
        kind = type("Limited", (Pile,), {"rules": Pile.rules._replace(legal=limited(most))})
        best[most] = numduel.analyse(kind(pile=8, most=8).start())[0].win_probability
    assert best == {3: 0.0, 4: 1.0}


def test_a_table_of_another_solver_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = numduel.game("build", n=3, copies=1, k=2)
    numduel.evaluate(game.start())  # compiled before there is an empty cache
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    how = solver.plan(game)
    solver.solve(game)
    assert tables.load(game, how.kind, how.shape) is not None
    monkeypatch.setattr(digests, "_SOLVER", "another")
    assert tables.load(game, how.kind, how.shape) is None


def test_the_sources_of_the_solver_are_what_they_were_when_it_was_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Halving one term of the sweep over decks makes another solver."""
    copied = tmp_path / "solver"
    shutil.copytree(Path(digests.__file__).parent, copied)
    monkeypatch.setattr(digests, "__file__", str(copied / "digests.py"))
    assert digests._sources() == digests._SOLVER
    sweep = (copied / "decks.py").read_text()
    assert sweep.count("leaves[row] / left") == 1
    (copied / "decks.py").write_text(sweep.replace("leaves[row] / left", "leaves[row] / left / 2"))
    assert digests._sources() != digests._SOLVER


def test_a_table_that_may_not_be_read_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "stat", refused)
    assert not tables.exists(numduel.game("duel"))


# -- long games -----------------------------------------------------------------------------


@pytest.mark.parametrize("pile", [996, 997, 998, 999])
def test_a_long_game_is_solved(pile: int) -> None:
    """Much longer than any of the rulebooks': who leaves a multiple of four wins."""
    found = numduel.evaluate(Pile(pile=pile).start())
    assert found.exact
    assert found.win_probability == float(pile % 4 != 0)


def one_way(pile: int, _: int, v: Any) -> int:
    return 2 if 0 < pile <= v.pile else 0


class Countdown(Pile):
    """One move at a time, so that no position has a sister: as deep and narrow as can be."""

    rules = Pile.rules._replace(legal=one_way)


@pytest.mark.parametrize("pile", [900, 998])
def test_a_deep_and_narrow_game_is_solved_as_a_whole(
    pile: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strong, "SMALLEST", 1 << 10)
    found = strong.solve(Countdown(pile=pile, most=1), 1 << 24)
    assert len(found.values) == pile + 1


def test_a_game_too_long_for_the_solver_is_estimated(home: Path, cache: Path) -> None:
    package = Package(home.parent / "package")
    words = ("analyse", "pile", "--set", "pile=20000", "--json")
    assert '"exact": false' in numduel_with(home, cache, package.folder, *words).out


def test_a_game_that_is_longer_than_it_says_is_refused_in_one_sentence(
    home: Path, cache: Path
) -> None:
    package = Package(home.parent / "package", plies="4")
    refused = numduel_with(home, cache, package.folder, "analyse", "pile")
    assert refused.code == 2
    assert refused.err.endswith(
        "numduel: Pile (pile=20) declares that no game has more than 4 moves, but one has.\n"
    )
    assert "Traceback" not in refused.err
