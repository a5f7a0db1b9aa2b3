"""The API is what its description says, whatever is sent to it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from numduel.web.http.protocol import SENTENCES
from numduel.web.solving import solvers
from tests.plugins.limit import remaining
from tests.web.site import Person, Site, ask, create, friends, join, play, refused, served

if TYPE_CHECKING:
    from schemathesis import Case

EDGES = 0
MANY = pytest.param(100, marks=pytest.mark.proof)
"""Examples of every kind of request besides those at the edges of its description: none, and in the
long run many; there other methods are tried, too, and what the description does not allow. (That is
refused in one sentence: `test_limits` and `test_attack` say so here.)"""


@cache
def schema(site: Site) -> Any:
    """What can be asked. Schemathesis takes seconds to load: this is done when it is needed."""
    import schemathesis

    return schemathesis.openapi.from_dict(site.app.description).exclude(path_regex="}/events$")


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
    new = site.http.post("/api/v1/events", json={"games": [{"game": "duel"}]}).json()
    own, host = f"/api/v1/events/{new['code']}", {"Authorization": f"Bearer {new['host']}"}
    one, _ = (
        site.http.post(f"{own}/join", json={"nickname": name}).json() for name in ("Ada", "Bob")
    )
    assert site.http.post(f"{own}/host/start", json={}, headers=host).status_code == 200
    return new["code"], one["token"] if path.endswith("/me") else new["host"]


class Trial:
    """Tries requests of every kind, on a connection that is kept."""

    def __init__(self, site: Site) -> None:
        from requests import Session

        self.site = site
        self._session = Session()
        self._session.trust_env = False
        # Every request is from somebody else.
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))

    def of(self, requests: Any, who: Person, examples: int) -> None:
        """Try what the edges of a description say, and so many examples for each kind of request,
        the same ones every time."""
        from schemathesis import GenerationMode
        from schemathesis.generation.hypothesis.builder import (
            HypothesisTestConfig,
            HypothesisTestMode,
            create_test,
        )

        settled = settings(
            max_examples=max(1, examples),
            phases=[Phase.explicit, Phase.generate] if examples else [Phase.explicit],
            suppress_health_check=list(HealthCheck),
            deadline=None,
            derandomize=True,
        )

        asked = set()

        def answered(case: Case[Any]) -> None:
            asked.add(case.operation.label)
            self._one(case, who)

        coverage = requests.config.phases.coverage
        coverage.unexpected_methods = {"put"} if examples else set()
        modes = [*GenerationMode] if examples else [GenerationMode.POSITIVE]
        requests.config.generation.update(modes=modes)
        tried = [kind.ok() for kind in requests.get_all_operations()]
        assert tried
        for kind in tried:
            config = HypothesisTestConfig(
                project=requests.config, modes=[*HypothesisTestMode], explicit_settings=settled
            )

            create_test(operation=kind, test_func=answered, config=config)()
        assert asked == {kind.label for kind in tried}

    def _one(self, case: Case[Any], who: Person) -> None:
        """The answer to a request is one that the description knows."""
        from schemathesis.specs.openapi import checks

        if "id" in case.path_parameters and case.meta and case.meta.generation.mode.is_positive:
            case.path_parameters["id"] = who.id
            case.headers["Authorization"] = f"Bearer {who.token}"
        if "code" in case.path_parameters and case.meta and case.meta.generation.mode.is_positive:
            code, secret = hosted(self.site, case.path)
            case.path_parameters["code"] = code
            case.headers["Authorization"] = f"Bearer {secret}"
        response = case.call(base_url=self.site.url, session=self._session, timeout=remaining())
        if response.status_code in (414, 431):  # It did not even get to the application.
            assert response.json() == {"error": SENTENCES[response.status_code]}
            return
        # Rules of games are no matter of types: what is well formed may be refused with 422.
        case.validate_response(
            response,
            checks=[
                checks.content_type_conformance,
                checks.response_headers_conformance,
                checks.response_schema_conformance,
                checks.status_code_conformance,
            ],
        )
        # "Too much to do" is an answer like any other; all else above 500 is not.
        assert response.status_code < 500 or response.status_code == 503
        if response.status_code >= 400:
            assert set(response.json()) == {"error"}


@pytest.mark.parametrize("examples", [EDGES, MANY])
def test_every_answer_is_described(
    examples: int, site: Site, ours: Person, waiting: Person
) -> None:
    """In one test, so that what takes long to load is loaded once."""
    trial = Trial(site)
    trial.of(schema(site), ours, examples)
    # The creator has a seat: somebody else asks.
    other = Person(site.http, waiting.id, "A" * 43)
    trial.of(schema(site).include(path_regex="/requests$"), other, examples)
    trial.of(schema(site).include(path_regex="/requests/"), waiting, examples)


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
