"""What is public is what `docs/stable.md` and the committed lists say.

``pytest tests/project/test_public.py --rewrite`` writes the lists anew; read the diff: what is
taken away or changed there breaks somebody's program.
"""

import json
from pathlib import Path

import pytest
from fastapi import Request, Response
from fastapi.openapi.utils import get_openapi

from numduel.core.deprecation import deprecated
from numduel.terminal.commands import COMMANDS, command
from numduel.web.app import create
from numduel.web.http.routes import api
from numduel.web.settings import Settings
from tests.project.public import ROOT, SAMPLES, public

REWRITE = "pytest tests/project/test_public.py --rewrite, and read the diff"


def test_public_names_commands_and_formats_are_those_of_the_list(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    compare(ROOT / "tests" / "project" / "public.txt", public(tmp_path), request)


def test_the_http_api_is_the_one_that_is_described(request: pytest.FixtureRequest) -> None:
    """Without the version of numduel and the order of routes, which do not change the API."""
    description = create(Settings()).description
    info = {**description["info"], "version": "1"}
    described = {**description, "info": info, "paths": dict(sorted(description["paths"].items()))}
    text = json.dumps(described, indent=1, ensure_ascii=False) + "\n"
    compare(ROOT / "docs" / "openapi.json", text, request)


def compare(path: Path, found: str, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--rewrite"):
        path.write_text(found, "utf-8")
    assert found == path.read_text("utf-8"), REWRITE


def test_every_command_that_prints_json_is_asked_for_it() -> None:
    assert {*SAMPLES} == {
        name for name in COMMANDS if any("--json" in one.opts for one in command(name).params)
    }


def test_a_deprecated_route_is_marked_in_the_description_of_the_api() -> None:
    router = api("/api/v1")

    @router.get("/old", deprecated=True)
    async def old(request: Request) -> Response:
        raise NotImplementedError

    described = get_openapi(title="numduel", version="1.1", routes=router.routes)
    assert described["paths"]["/api/v1/old"]["get"]["deprecated"] is True


def test_a_deprecated_name_says_what_to_use_instead_and_until_when() -> None:
    def old_name() -> None:
        deprecated("numduel.old_name", "numduel.new_name", gone="2.0")

    told = r"^numduel\.old_name will be gone in numduel 2\.0; use numduel\.new_name\.$"
    with pytest.warns(DeprecationWarning, match=told) as caught:
        old_name()
    assert caught[0].filename == __file__, "the warning names the line of the caller"
