"""Whoever guesses the codes of events is slowed down, and told nothing."""

from __future__ import annotations

from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from numduel.events.names import CODE_LENGTH, CODE_LETTERS
from numduel.web.http.errors import TooSoon
from numduel.web.http.middleware.client import current_address
from numduel.web.people import guesses
from numduel.web.people.guesses import CodeGuesses
from numduel.web.people.known import KnownKeys
from tests.web.site import Site, asked, refused, served


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address may try a few wrong codes, and then none, however long the test takes."""
    monkeypatch.setattr(guesses, "WRONG_CODES", 5.0)
    monkeypatch.setattr(guesses, "WRONG_RATE", 1e-9)


def created(site: Site) -> tuple[str, dict[str, str]]:
    """The code of a new event, made at another address, and what proves its host."""
    headers, wish = {"X-Forwarded-For": "10.0.0.9"}, {"games": [{"game": "duel"}]}
    made = site.http.post("/api/v1/events", json=wish, headers=headers).json()
    return made["code"], {"Authorization": f"Bearer {made['host']}"}


def test_an_address_with_many_wrong_codes_is_not_told_which_exist(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", proxy=True) as site:
        seen, _ = created(site)
        hidden, host = created(site)
        missing = map("".join, product(CODE_LETTERS, repeat=CODE_LENGTH))

        def look(code: str, address: str = "10.0.0.1", **more: str) -> Any:
            headers = {"X-Forwarded-For": address, **more}
            return site.http.get(f"/api/v1/events/{code}", headers=headers)

        assert look(seen).status_code == 200
        assert [look(code).status_code for code in islice(missing, 7)] == [404] * 5 + [429] * 2
        assert refused(look(hidden), 429) == refused(look(next(missing)), 429)
        assert look("not a code").status_code == 404
        pages = {
            site.http.get(f"/arena/{code}", headers={"X-Forwarded-For": "10.0.0.1"}).status_code
            for code in (hidden, next(missing))
        }
        assert pages == {200}, "the page of one that exists and of one that does not"
        assert look(seen).status_code == 200, "it was right here before"
        assert look(hidden, "10.0.0.2").status_code == 200, "at another address"
        assert look(hidden, **host).status_code == 200, "for its host"


def test_who_asks_for_what_is_damaged_is_no_guesser(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", proxy=True) as site:
        (code, _), (other, _) = created(site), created(site)
        damage = "UPDATE event_log SET data = substr(data, 2) WHERE event = {}"
        asked(site.database, damage, code)
    with served(tmp_path / "games.db", proxy=True) as site:
        assert [site.http.get(f"/api/v1/events/{code}").status_code for _ in range(9)] == [410] * 9
        assert site.http.get(f"/api/v1/events/{other}").status_code == 200


def test_a_class_that_comes_by_a_link_is_no_guesser(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", proxy=True) as site:
        code, _ = created(site)
        answers = [
            site.http.post(
                f"/api/v1/events/{code}/join",
                json={"nickname": f"Pupil {number}"},
                headers={"X-Forwarded-For": "10.0.0.1"},
            )
            for number in range(30)
        ]
        assert {answer.status_code for answer in answers} == {200}


def test_a_code_that_was_right_once_is_no_guess_and_processes_count_together(
    tmp_path: Path,
) -> None:
    current_address.set("10.0.0.1")
    here, there = (CodeGuesses(KnownKeys(), str(tmp_path)) for _ in range(2))
    here.right("K7M4QX")
    for _ in range(10):
        there.wrong("K7M4QX")  # It has been deleted, and somebody's page still asks.
    for number in range(4):
        here.wrong(f"wrong {number}")
    there.check("CCCCCC", ())
    there.wrong("wrong")
    for process in (here, there):
        with pytest.raises(TooSoon):
            process.check("CCCCCC", ())
        process.check("K7M4QX", ())


def test_who_guesses_from_many_networks_of_one_ipv6_site_is_stopped() -> None:
    guesses = CodeGuesses(KnownKeys())

    def tries(network: str) -> int:
        """How many codes of nine somebody may try."""
        told = current_address.set(network)
        try:
            for number in range(9):
                guesses.check(f"{network} {number}", ())
                guesses.wrong(f"{network} {number}")
        except TooSoon:
            return number
        finally:
            current_address.reset(told)
        return 9

    found = [tries(f"2001:db8:1:{number}::/64") for number in range(8)]
    assert found == [5] * 4 + [0] * 4
    assert tries("2001:db8:2::/64") == tries("10.0.0.1") == 5
