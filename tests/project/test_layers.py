"""Imports point down only, and heavy ones happen where they are used."""

import ast
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "numduel"
LAYERS = (
    ("core", "extras", "files", "network", "system"),
    ("games",),
    ("solver", "learn.ideas"),
    ("play.record", "play.match", "play.score", "play.store", "learn.streaks"),
    ("play", "learn", "lab.batch", "testing", "client"),
    ("lab", "events"),
    ("activities",),
    ("web.http", "web.storage", "web.settings"),
    ("web.positions", "web.people.keys", "web.people.known", "web.people.proof"),
    ("web.live", "web.people.guesses", "web.solving"),
    ("web.games",),
    ("web.events",),
    ("web.people", "web.retention"),
    ("web.pages",),
    ("web",),
    ("agents",),
    ("terminal", "tui", "__main__"),
)
"""From the bottom up; within a layer a module may import its neighbours. A module that is not named
is where its package is."""
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}
FILES = sorted(SOURCE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Every module that a file imports while it runs."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def layer(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts)


def height(name: str) -> int:
    """Of a module, by its name below `numduel`."""
    while "." in name and name not in HEIGHT:
        name = name.rpartition(".")[0]
    return HEIGHT[name]


def test_imports_point_down() -> None:
    upwards = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in FILES
        for name in imports(path)
        if name.startswith("numduel.") and layer(path) != "__init__"
        if height(name.removeprefix("numduel.")) > height(dotted(path))
    ]
    assert upwards == []


def test_rules_need_the_standard_library_alone() -> None:
    rules = [path for path in FILES if layer(path) in ("core", "games")]
    assert len(rules) > 10
    for path in rules:
        outside = {name.split(".")[0] for name in imports(path)} - sys.stdlib_module_names
        assert outside <= {"numduel"}, path


def test_a_game_file_does_nothing_but_rules_and_words() -> None:
    games = [path for path in FILES if layer(path) == "games" and path.stem != "__init__"]
    assert len(games) >= 5
    for path in games:
        called = {node.func.id for node in ast.walk(ast.parse(path.read_text("utf-8")))
                  if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}  # fmt: skip
        assert not called & {"print", "open", "input", "exec", "eval"}, path


POSIX_ONLY = {
    "os": (
        *("O_NOFOLLOW", "O_NONBLOCK", "fchmod", "fork", "geteuid", "getuid", "killpg", "nice"),
        *("pread", "pwrite", "sched_setscheduler", "setsid", "statvfs", "sysconf", "uname"),
    ),
    "signal": (
        *("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGSTOP", "SIGTSTP", "SIGUSR1"),
        *("SIGWINCH", "alarm", "pthread_sigmask", "setitimer"),
    ),
    "select": ("poll", "epoll"),
    "socket": ("AF_UNIX", "SO_REUSEPORT"),
}
"""Some of what Windows does not have; and modules:"""
POSIX_MODULES = ("fcntl", "grp", "pwd", "resource", "termios", "tty")
SYSTEM = SOURCE / "system.py"


def test_only_one_module_asks_for_what_only_posix_has() -> None:
    """`mypy --platform win32 src/numduel` says the same, and takes a minute."""
    modules = {*POSIX_MODULES, "ctypes", "pty", "select"}
    asked = {(module, name) for module, names in POSIX_ONLY.items() for name in names}
    for path in FILES:
        tree = ast.parse(path.read_text("utf-8"))
        found = {name.partition(".")[0] for name in imports(path)} & modules
        found |= {
            f"{node.value.id}.{node.attr}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and (node.value.id, node.attr) in asked
        }
        found |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value.startswith(("/proc/", "/dev/"))
        }
        assert bool(found) == (path == SYSTEM), f"{path}: {found}; numduel.system is for this"


def test_a_game_is_played_and_resumed_without_what_only_posix_has(tmp_path: Path) -> None:
    script = (
        "import os, platformdirs, select, signal, socket, sys, warnings\n"
        "warnings.simplefilter('ignore')\n"  # filelock says that it has no flock here
        f"sys.modules.update(dict.fromkeys({POSIX_MODULES}))\n"
        f"for module, names in {POSIX_ONLY}.items():\n"
        "    for name in names:\n"
        "        delattr(sys.modules[module], name)\n"
        "import numduel.system\n"
        "numduel.system.POSIX = False\n"
        "from numduel.terminal.app import app\n"
        "app(sys.argv[1:], standalone_mode=False)\n"
    )
    for arguments, typed, ending in (
        (["play", "duel"], "4\n6\n", "The game is saved: numduel resume goes on with it.\n"),
        (["resume"], "5\n7\n3\n", "Player 1 wins the game!\n"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments], input=typed, capture_output=True,
            text=True, env={"XDG_DATA_HOME": str(tmp_path)}, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.endswith(ending)
    (record,) = (tmp_path / "numduel" / "games").iterdir()
    assert record.read_text("utf-8").endswith("\nResult: 1\n\n4 6 5 7 3\n")


def played(home: Path, typed: str, *modules: str) -> str:
    """What a game at the prompt prints, and then which of some modules it has loaded."""
    script = (
        "import sys\n"
        "from numduel.terminal.app import app\n"
        "app(['play', 'duel'], standalone_mode=False)\n"
        f"print(sorted({{*{modules}}} & set(sys.modules)))\n"
    )
    return subprocess.run(
        [sys.executable, "-c", script], input=typed, capture_output=True, text=True,
        env={"XDG_DATA_HOME": str(home)}, check=True,
    ).stdout  # fmt: skip


def test_two_people_never_wait_for_a_compiler_or_for_other_commands(tmp_path: Path) -> None:
    heavy = "numba", "numpy", "rich.console", "jinja2"
    others = "numduel.activities.puzzle", "numduel.learn.coach", "numduel.terminal.analyse"
    said = played(tmp_path, "4\n6\n5\n7\n3\n", *heavy, *others)
    assert said.endswith("Player 1 wins the game!\n[]\n")


def test_the_first_prompt_does_not_wait_for_file_locks(tmp_path: Path) -> None:
    assert played(tmp_path, "", "filelock").endswith("\n[]\n")


HOME = """
import sys
from numduel.tui.home import Home
Home()
print([name for name in sys.argv[1:] if name in sys.modules])
"""


def test_the_first_screen_of_the_app_does_not_wait_for_all_activities_or_for_numpy() -> None:
    slow = ["numduel.activities.profile", "numduel.learn.lesson", "numduel.learn.daily", "numpy"]
    found = subprocess.run([sys.executable, "-c", HOME, *slow], capture_output=True, text=True)
    assert found.stdout == "[]\n", found.stderr
