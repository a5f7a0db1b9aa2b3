"""The API is what its description says, whatever is sent to it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from numduel.web import app, solvers
from numduel.web.settings import Settings
from tests.plugins.limit import remaining
from tests.web.site import Person, Site, ask, create, friends, join, play, refused, served

DESCRIBED = app.create(Settings(rate=0)).openapi()
schema = schemathesis.openapi.from_dict(DESCRIBED).exclude(path_regex="}/events$")
SOLVING = "/(values|hint|report|puzzle|answer)$"
CHECKS = (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
"""Rules of games are no matter of types: what is well formed may be refused with 422."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server whose solver gives up soon: what is asked here can be a very large board."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solvers, "TASK_TIMEOUT", 20.0)
        with served(tmp_path_factory.mktemp("web") / "games.db") as site:
            yield site


@pytest.fixture(scope="module")
def ours(site: Site) -> Person:
    """A game that is being played, so that some requests meet one."""
    one = create(site.http)
    play((one, join(one)), "4 6")
    return one


@pytest.fixture(scope="module")
def waiting(site: Site) -> Person:
    """A game that waits for a second player, and somebody who asks to be that."""
    one = create(site.http)
    ask(one, "Bob")
    return one


@cache
def hosted(site: Site, path: str) -> tuple[str, str]:
    """An event for the requests of one kind: its code, and the secret of its host or a player."""
    new = site.http.post("/api/events", json={"games": [{"game": "duel"}]}).json()
    own, host = f"/api/events/{new['code']}", {"Authorization": f"Bearer {new['host']}"}
    one, _ = (
        site.http.post(f"{own}/join", json={"nickname": name}).json() for name in ("Ada", "Bob")
    )
    assert site.http.post(f"{own}/host/start", json={}, headers=host).status_code == 200
    return new["code"], one["token"] if path.endswith("/me") else new["host"]


def bounded(examples: int) -> settings:
    """So many examples, the same ones every time."""
    return settings(
        max_examples=examples,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        deadline=None,
    )


def described(case: Case[Any], site: Site, ours: Person) -> None:
    """The answer to a request is one that the description knows."""
    if "id" in case.path_parameters and case.meta and case.meta.generation.mode.is_positive:
        case.path_parameters["id"] = ours.id
        case.headers["Authorization"] = f"Bearer {ours.token}"
    if "code" in case.path_parameters and case.meta and case.meta.generation.mode.is_positive:
        code, secret = hosted(site, case.path)
        case.path_parameters["code"] = code
        case.headers["Authorization"] = f"Bearer {secret}"
    response = case.call(base_url=site.url, timeout=remaining())
    if response.content == b"Invalid HTTP request received.":
        return  # an address of 64 KiB does not even get to the application
    case.validate_response(response, checks=list(CHECKS))
    # "Too much to do" is an answer like any other; all else above 500 is not.
    assert response.status_code < 500 or response.status_code == 503
    if response.status_code >= 400:
        assert set(response.json()) == {"error"}


@schema.exclude(path_regex=SOLVING).parametrize()
@bounded(12)
def test_every_answer_is_described(case: Case[Any], site: Site, ours: Person) -> None:
    described(case, site, ours)


@schema.include(path_regex="/requests").parametrize()
@bounded(12)
def test_every_answer_to_who_asks_for_a_seat_is_described(
    case: Case[Any], site: Site, waiting: Person
) -> None:
    if "number" in case.path_parameters:
        described(case, site, waiting)
    else:  # the creator has a seat: somebody else asks
        described(case, site, Person(site.http, waiting.id, "A" * 43))


@schema.include(path_regex=SOLVING).parametrize()
@bounded(4)
def test_every_answer_of_the_solver_is_described(case: Case[Any], site: Site, ours: Person) -> None:
    described(case, site, ours)


def test_everything_is_described(site: Site) -> None:
    assert site.http.get("/api/openapi.json").json() == DESCRIBED
    for path, operations in DESCRIBED["paths"].items():
        assert path.startswith("/api/")
        for operation in operations.values():
            assert operation["description"]
            assert operation["tags"]
            assert {"413", "422", "429", "503"} <= set(operation["responses"])


def test_the_examples_of_the_description_work(site: Site) -> None:
    bodies = DESCRIBED["components"]["schemas"]
    for example in bodies["New"]["examples"]:
        assert site.http.post("/api/games", json=example).status_code == 201
    one, _ = friends(site.http, "capture")
    assert one.post("moves", **bodies["Move"]["examples"][0] | {"after": 1}).status_code == 200
    host = create(site.http)
    for example in bodies["SeatRequest"]["examples"]:
        assert Person(site.http, host.id).post("requests", **example).status_code == 200
    names = {"Move": "moves", "SeatRequest": "requests", "RequestAnswer": "requests/1"}
    two = join(create(site.http))
    assert two.post("say", **bodies["Say"]["examples"][0]).status_code == 200
    for name in ("Join", "SeatRequest", "RequestAnswer", "Move", "Resign", "Undo", "Rematch"):
        for example in bodies[name]["examples"]:
            what = names.get(name, name.lower())
            refused(one.post(what, **example), 403, 409)
