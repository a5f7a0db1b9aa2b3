"""The recipes in `deploy` name what exists: files, extras, options, ports and paths."""

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from fastapi.testclient import TestClient

from numduel.terminal.commands import command
from numduel.web.app import create
from numduel.web.settings import Settings

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy"
CONTAINER = (FOLDER / "Containerfile").read_text("utf-8").replace("\\\n", " ")
COMPOSE: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]


def served(words: list[str]) -> dict[str, Any]:
    """What `numduel serve` would be told; it refuses what it does not know."""
    assert words[0].rpartition("/")[2] == "numduel"
    assert words[1] == "serve"
    with command("serve").make_context("serve", words[2:]) as context:
        return dict(context.params)


def step(name: str) -> list[str]:
    """What follows a word of the Containerfile, wherever it stands first in a line."""
    return re.findall(rf"^{name} (.*)$", CONTAINER, re.MULTILINE)


def entrypoint() -> list[str]:
    return shlex.split(step("ENTRYPOINT")[0].strip("[]").replace(",", " "))


def test_systemd_starts_a_server_for_the_network() -> None:
    unit = (FOLDER / "numduel.service").read_text("utf-8")
    (run,) = (served(shlex.split(found)) for found in re.findall(r"^ExecStart=(.*)$", unit, re.M))
    assert (run["host"], run["browser"]) == ("0.0.0.0", False)


def test_the_image_is_built_of_what_is_there() -> None:
    for line in step("COPY"):
        *sources, _ = line.split()
        if not sources[0].startswith("--from"):
            assert [name for name in sources if not (ROOT / name).exists()] == []
            allowed = (ROOT / ".dockerignore").read_text("utf-8").split("\n")
            assert [name for name in sources if f"!{name}" not in allowed] == []
    assert "python tools/locked >" in CONTAINER, "no extra is needed"
    links = [path for path in (ROOT / "src").rglob("*") if path.is_symlink()]
    assert {path.resolve().relative_to(ROOT).parts[0] for path in links} == {"docs"}


def test_the_image_serves_its_port_as_nobody_in_particular(tmp_path: Path) -> None:
    run = served(entrypoint())
    assert step("EXPOSE") == [str(run["port"])]
    assert step("USER") == ["10001"]
    (health,) = re.findall(r"'http://127.0.0.1:(\d+)(/.*?)'", CONTAINER)
    assert health[0] == str(run["port"])
    with TestClient(create(Settings(database=f"sqlite:///{tmp_path}/games.db"))) as server:
        assert server.get(health[1]).status_code == 200


def test_the_composed_server_believes_caddy_and_uses_postgresql() -> None:
    run = served([*entrypoint(), *SERVICES["numduel"]["command"]])
    assert run["proxy"] == SERVICES["caddy"]["networks"]["inside"]["ipv4_address"]
    assert run["database"] == "postgresql://numduel@database/numduel"
    database = SERVICES["database"]["environment"]
    assert (database["POSTGRES_USER"], database["POSTGRES_DB"]) == ("numduel", "numduel")
    assert (FOLDER / SERVICES["numduel"]["build"]["context"]).resolve() == ROOT
    assert (ROOT / SERVICES["numduel"]["build"]["dockerfile"]).exists()
    caddy = (FOLDER / "Caddyfile").read_text("utf-8")
    assert f"{{$NUMDUEL_SERVER:numduel:{run['port']}}}" in caddy
    assert {*re.findall(r"\{\$(\w+)", caddy)} - {*SERVICES["caddy"]["environment"]} == {
        "NUMDUEL_SERVER"
    }


def test_every_setting_of_the_composition_is_in_the_example() -> None:
    used = {*re.findall(r"\$\{(\w+)", (FOLDER / "compose.yaml").read_text("utf-8"))}
    told = {*re.findall(r"^(\w+)=", (FOLDER / "example.env").read_text("utf-8"), re.MULTILINE)}
    assert used == told


@pytest.mark.parametrize("kind", ["volumes", "networks"])
def test_everything_that_is_mounted_or_joined_is_declared(kind: str) -> None:
    named = [name for service in SERVICES.values() for name in service.get(kind, ())]
    used = {name.partition(":")[0] for name in named if not name.startswith(".")}
    assert used == {*COMPOSE[kind]}


def test_other_systems_run_tests_that_there_are_with_the_wheel() -> None:
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    steps = " ".join(step.get("run", "") for step in jobs["elsewhere"]["steps"])
    tests = re.findall(r"tests/[\w/.]*", steps)
    assert len(tests) > 3
    assert [path for path in tests if not (ROOT / path).exists()] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    first, *_ = jobs["linux"]["strategy"]["matrix"]["python"]
    assert project["requires-python"] == f">={first}"
    assert (
        jobs["linux"]["strategy"]["matrix"]["python"]
        == (jobs["elsewhere"]["strategy"]["matrix"]["python"])
    )


@pytest.mark.parametrize(
    "path", [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")], ids=lambda p: p.stem
)
def test_the_pages_install_extras_and_start_servers_that_there_are(path: Path) -> None:
    page = path.read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {*re.findall(r"(?<=\.\[)\w+(?=\])", page)} <= {*project["optional-dependencies"]}
    for words in re.findall(r"numduel serve( --[^`\n#…]*)?`", page):
        served(["numduel", "serve", *shlex.split(words)])
