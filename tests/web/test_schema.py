"""The API has a description, whose examples work."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.site import Person, Site, create, friends, join, refused, served


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("web") / "games.db") as site:
        yield site


def test_everything_is_described(site: Site) -> None:
    description = site.http.get("/api/v1/openapi.json").json()
    for path, operations in description["paths"].items():
        assert path.startswith("/api/v1/")
        for operation in operations.values():
            assert operation["description"]
            assert operation["tags"]
            assert {"413", "422", "429", "503"} <= set(operation["responses"])


def test_the_examples_of_the_description_work(site: Site) -> None:
    bodies = site.app.description["components"]["schemas"]
    for example in bodies["New"]["examples"]:
        assert site.http.post("/api/v1/games", json=example).status_code == 201
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
