"""Events without a browser: who holds one, and who takes part, over the API."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import httpx
import pytest

from tests.web.site import Process


class Host:
    """Who holds an event, over the API."""

    def __init__(self, url: str, **wishes: Any) -> None:
        self.http = httpx.Client(base_url=url, trust_env=False, timeout=None)
        made = self.http.post("/api/v1/events", json={"games": [{"game": "duel"}], **wishes}).json()
        self.code = str(made["code"])
        self.page = f"/arena/{self.code}/host#{made['host']}"
        self.http.headers["Authorization"] = f"Bearer {made['host']}"

    def does(self, action: str, **body: Any) -> Any:
        """Do something as the host; the event then."""
        answer = self.http.post(f"/api/v1/events/{self.code}/host/{action}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()["event"]

    def delete(self) -> None:
        """Have nothing left of the event."""
        assert self.http.delete(f"/api/v1/events/{self.code}").status_code == 204


Hosting = Callable[..., Host]


@pytest.fixture
def host(server: Process) -> Iterator[Hosting]:
    """Have an event made."""
    with ExitStack() as hosts:

        def make(**wishes: Any) -> Host:
            made = Host(server.url, **wishes)
            hosts.callback(made.http.close)
            return made

        yield make


Ask = Callable[[str, Any], None]
"""Ask the server for something as somebody who takes part: the path, and what is wished."""
Crowd = Callable[..., list[Ask]]


@pytest.fixture
def crowd(server: Process) -> Iterator[Crowd]:
    """Have some join, and stay: who has no channel is away after a while."""
    with ExitStack() as stack:
        http = stack.enter_context(httpx.Client(base_url=server.url, timeout=None, trust_env=False))

        def ask(headers: dict[str, str], path: str, wish: Any) -> None:
            answer = http.post(path, json=wish, headers=headers)
            assert answer.is_success, answer.text

        def come(code: str, name: str) -> Ask:
            path = f"/api/v1/events/{code}"
            told = http.post(f"{path}/join", json={"nickname": name}).json()
            headers = {"Authorization": f"Bearer {told['token']}"}
            stack.enter_context(http.stream("GET", f"{path}/events", headers=headers))
            return partial(ask, headers)

        yield lambda code, *names: [come(code, name) for name in names]
