"""The pages of documentation are true: examples run, links lead somewhere, commands exist."""

import doctest
import json
import re
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

import numduel
from numduel import testing
from numduel.core.language import speaking
from numduel.play.record import parse
from numduel.terminal.commands import COMMANDS, command
from numduel.web.http.middleware import language
from numduel.web.pages.guides import event_choices
from numduel.web.people import proof
from tests.cli import run
from tests.games import RULEBOOKS

ROOT = Path(__file__).parents[2]
MARKS = ("answers", "canary")
"""What stands after the name in files, and is no command."""
PAGES = [
    *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("examples/*.md"), *ROOT.glob("environments/*/*.md"),
]  # fmt: skip
PAGES.remove(ROOT / "CHANGELOG.md")  # It tells of what there was, too.
SHOWN = re.compile(r"`(?:\.venv/bin/)?numduel ([a-z]+)\b([^`]*)`")
TYPED = re.compile(r"^numduel ([a-z]+)\b(.*)", re.MULTILINE)
UV = Path(sys.executable).with_name("uv")
RUN = ("analyse", "games", "learn", "play", "puzzle", "rules", "solve", "strategy")
"""The commands that need nothing but a game, and end soon."""


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_of_a_page_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plainly = partial(testing.check_game, compiled=False)
    monkeypatch.setattr(testing, "check_game", plainly)
    check_examples(path)


@pytest.mark.proof
def test_the_rules_of_the_game_on_the_page_can_be_compiled() -> None:
    check_examples(ROOT / "CONTRIBUTING.md")


def check_examples(path: Path) -> None:
    text = re.sub(r"^```.*$", "", path.read_text("utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    report: list[str] = []
    doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)


def test_the_page_of_the_prompt_lists_every_command() -> None:
    table = (ROOT / "docs" / "commands.md").read_text("utf-8").partition("| command | |")[2]
    listed = set(re.findall(r"`numduel ([a-z]+)[^`]*`", table.partition("\n\n")[0]))
    assert listed == {*commands()}


def test_the_page_of_the_server_lists_every_option() -> None:
    page = (ROOT / "docs" / "server.md").read_text("utf-8")
    table = page.partition("| option | |")[2].partition("\n\n")[0]
    listed = re.findall(r"`(--[a-z-]+)`", "".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE)))
    known = [{*option.opts, *option.secondary_opts} for option in commands()["serve"].params]
    assert [names for names in known if not names & {*listed}] == []
    assert {*listed} <= set.union(*known)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_commands_and_options_of_a_page_exist(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-training-set.jsonl").touch()
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    page = path.read_text("utf-8")
    known = {
        name: {word for option in found.params for word in (*option.opts, *option.secondary_opts)}
        for name, found in commands().items()
    }
    for name, rest in SHOWN.findall(page):
        if name not in MARKS:
            words = re.sub(r"\".*?\"|'.*?'", "", rest).split()
            options = {word for word in words if word.startswith("--")}
            assert options <= known[name], f"numduel {name}{rest}"
    for name, rest in TYPED.findall(scripts(page)):
        with command(name).make_context(name, shlex.split(rest, comments=True)):
            pass  # It refuses what it cannot be told.
    goals = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert {*re.findall(r"(?:`|^)make ([a-z-]+)", page, re.MULTILINE)} <= {*goals}


def scripts(page: str) -> str:
    """What a page has people type."""
    return "\n".join(re.findall(r"```sh\n(.*?)```", page, re.DOTALL))


def told_to_run() -> list[str]:
    """The commands of all pages that can be run as they stand there, each once."""
    pages = {path: path.read_text("utf-8") for path in PAGES if path.is_relative_to(ROOT / "docs")}
    told = [
        f"{name}{rest}"
        for page in pages.values()
        for name, rest in [*SHOWN.findall(page), *TYPED.findall(scripts(page))]
        if name in RUN and not re.search(r"[A-Z…](?!.*\.html)", rest)
    ]
    return sorted({" ".join(one.split()) for one in told})


@pytest.mark.parametrize("told", told_to_run())
def test_a_command_of_a_page_does_what_it_is_told(told: str, tmp_path: Path) -> None:
    done = run(tmp_path, *shlex.split(told))
    assert (done.code, done.err) == (0, "")


def told_to_install() -> list[str]:
    """The lines of all pages that uv is to do, each once."""
    told = "\n".join(scripts(path.read_text("utf-8")) for path in PAGES)
    return sorted({" ".join(one.split()) for one in re.findall(r"^uv [^#\n]*", told, re.MULTILINE)})


@pytest.mark.skipif(not UV.exists(), reason="pip set this up")
@pytest.mark.parametrize("told", told_to_install())
def test_uv_knows_what_a_page_has_it_do(told: str) -> None:
    asked = [str(UV), *shlex.split(told)[1:], "--help"]
    assert subprocess.run(asked, capture_output=True, check=False).returncode == 0


def commands() -> dict[str, Any]:
    return {name: command(name) for name in COMMANDS}


def test_the_transcript_of_the_page_is_what_is_printed(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "commands.md").read_text("utf-8")
    shown = re.search(r"^\$ numduel (.*)\n((?:.*\n)*?)```", text, flags=re.MULTILINE)
    assert shown is not None
    assert run(tmp_path, *shown[1].split(), typed="5\n5\nquit\n").out == shown[2]


def test_the_record_of_the_page_can_be_read() -> None:
    text = (ROOT / "docs" / "commands.md").read_text("utf-8")
    (shown,) = re.findall(r"```text\n(Format: .*?)```", text, re.DOTALL)
    assert parse(shown).text() == shown


def test_the_learner_of_the_page_plays_in_the_tournament_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "agents.md").read_text("utf-8")
    blocks = re.findall(r"```py\n(.*?)```", page, flags=re.DOTALL)
    saving, learner = (text for text in blocks if "np.save" in text or "class Learner" in text)
    table = "import numpy as np\nq = np.zeros((1 << 18, 9), np.float32)\n"
    monkeypatch.chdir(tmp_path)
    exec(table + saving, {})
    (tmp_path / "learner.py").write_text(learner, "utf-8")
    command = re.search(r"^numduel (tournament me=.*)$", page, flags=re.MULTILINE)
    assert command is not None
    words = command[1].replace("--rounds 100", "--rounds 2").split()
    done = run(tmp_path, *words, "--jobs", "1", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert (found["played"], found["faults"]) == (12, [])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)#?([^):]*)\)", path.read_text("utf-8")):
        found = path.parent / target if target else path
        assert found.exists(), target
        assert not anchor or anchor in anchors(found), f"{target}#{anchor}"


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("kind", numduel.games(), ids=lambda kind: kind.name)
def test_every_game_has_a_rules_page(kind: type[numduel.Game]) -> None:
    page = (ROOT / "docs" / "rules" / f"{kind.name}.md").read_text("utf-8")
    assert kind().page == page
    for parameter in kind.parameters:
        assert f"--set {parameter}=" in page


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_game_of_the_rulebooks_has_a_lesson(name: str) -> None:
    page = ROOT / "docs" / "lessons" / f"{name}.md"
    assert numduel.game(name).lesson == page.read_text("utf-8")


PLANS = [
    pytest.param(path, id=path.relative_to(ROOT / "docs").as_posix())
    for path in sorted((ROOT / "docs" / "plans").rglob("*.md"))
]


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_game_of_the_rulebooks_has_a_plan(name: str) -> None:
    page = (ROOT / "docs" / "plans" / f"{name}.md").read_text("utf-8")
    assert numduel.game(name).plan == page
    for wanted in ("The events", "The rules", "Exit ticket", "Easier, harder", "Checked"):
        assert f"\n## {wanted}" in page, wanted


@pytest.mark.parametrize("path", PLANS)
def test_a_plan_is_for_a_lesson_of_45_minutes_with_two_events(path: Path) -> None:
    page, name = path.read_text("utf-8"), path.stem
    with speaking("en" if path.parent.name == "plans" else path.parent.name):
        assert numduel.game(name).plan == page
    told = page.partition("\n| --- ")[2].partition("\n\n")[0]
    times = [(int(a), int(b)) for a, b in re.findall(r"^\| (\d+)–(\d+) ", told, re.MULTILINE)]
    ends = [0, *(end for _, end in times)]
    assert [start for start, _ in times] == ends[:-1]
    assert ends[-1] == 45
    events = [event_choices(text) for text in re.findall(r"```event\n(.*?)```", page, re.DOTALL)]
    assert [event.pop("make") for event in events] == ["the first event", "the second event"]
    slots = re.findall(r"\| (\d+)–(\d+) \| \*\*", told)  # arenas are bold
    for event, (start, end) in zip(events, slots, strict=True):
        assert (event.pop("game"), int(event.pop("minutes"))) == (name, int(end) - int(start))
        assert {event.pop(switch, "true") for switch in ("forgiving", "rulebook")} == {"true"}
        numduel.game(name, **event)


def test_every_picture_is_on_a_page() -> None:
    told = "".join(path.read_text("utf-8") for path in PAGES)
    shown = set(re.findall(r"pictures/([\w-]+\.\w+)", told))
    assert {path.name for path in ROOT.glob("docs/pictures/*")} == shown


def test_every_lesson_belongs_to_a_game() -> None:
    pages = {path.stem for path in (ROOT / "docs" / "lessons").glob("*.md")}
    assert pages == {kind.name for kind in numduel.games() if kind().lesson is not None}


@pytest.mark.parametrize("kind", numduel.games(), ids=lambda kind: kind.name)
def test_the_commands_of_a_rules_page_work(kind: type[numduel.Game], tmp_path: Path) -> None:
    for line in set(re.findall(r"numduel (play [^`\n]+)", kind().page)):
        done = run(tmp_path, *shlex.split(line))
        assert (done.code, done.err) == (0, ""), line


def test_the_docs_name_every_cookie() -> None:
    server = (ROOT / "docs/server.md").read_text("utf-8")
    for cookie in (language.COOKIE, proof.COOKIE, proof.PAGE_COOKIE):
        assert f"`{cookie}`" in server


def test_who_cites_cites_this_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert cited["version"] == numduel.__version__
    assert cited["license"] == "MIT"
    told = (ROOT / "docs" / "agents.md").read_text("utf-8")
    assert f"title  = {{{cited['title']}}}" in told
    assert f"Version {cited['version']}" in told
    newest = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest[1] == f"{cited['version']} ({cited['date-released']})"
