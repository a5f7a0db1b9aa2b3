"""Everybody is answered in their own language."""

import pickle
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from numduel.core.language import PSEUDO, language, languages, speaking
from numduel.games import games
from numduel.web.games import serialise
from numduel.web.games.room import Room
from numduel.web.http.errors import Unavailable
from numduel.web.http.middleware.language import COOKIE, VARIABLE, language_of
from numduel.web.pages import static
from tests.web.site import Person, Site, browser, create, friends, refused, served

NAMES = re.compile(rf"(\| )?numduel|{'|'.join(languages().values())}|[\W\d_]*|openapi\.json|P[12]")
"""What is the same in every language."""
PLANS = re.compile(r'<article class="reading.*?</article>|<a href="/teach/.*?</a>', re.DOTALL)
"""What files of their own say, which a language may have or not."""
SEPARATOR = "\x1f"
GERMAN_BROWSER = {"Accept-Language": "de"}
TWICE = re.compile("⟦⟦[^⟦⟧]*⟧⟧")
"""A translation that was translated."""


@pytest.fixture(scope="module", autouse=True)
def tested() -> Iterator[None]:
    """The server tells the language for tests, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, PSEUDO)
        yield


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("languages") / "games.db") as site:
        yield site


def get(site: Site, path: str, **headers: str) -> httpx.Response:
    """What somebody is answered who has never been here."""
    with browser(site.url) as stranger:
        return stranger.get(path, headers=headers)


def title(answer: httpx.Response) -> str:
    assert answer.status_code == 200
    found = re.search('<html lang="(..)">.*<title>(.*?) \\| ', answer.text, re.DOTALL)
    assert found
    return f"{found[1]}: {found[2]}"


ENGLISH, GERMAN, FRENCH = "en: Puzzles", "de: Rätsel", "fr: Problèmes"


@pytest.mark.parametrize(
    ("path", "headers", "seen"),
    [
        ("/puzzles", {}, ENGLISH),
        ("/puzzles", {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}, GERMAN),
        ("/puzzles", {"Accept-Language": "tlh, fr;q=0.3, en;q=0.2"}, FRENCH),
        ("/puzzles", {"Accept-Language": "tlh"}, ENGLISH),
        ("/puzzles", {"Accept-Language": "de", "Cookie": f"a=b; {COOKIE}=fr"}, FRENCH),
        ("/puzzles", {"Accept-Language": "de", "Cookie": f"{COOKIE}=tlh"}, GERMAN),
        ("/puzzles", {"Accept-Language": "de", "Cookie": f"not-{COOKIE}=fr"}, GERMAN),
        ("/puzzles?seed=1&lang=fr", {"Accept-Language": "de", "Cookie": f"{COOKIE}=en"}, FRENCH),
        ("/puzzles?lang=../x", {"Accept-Language": "de"}, GERMAN),
        ("/puzzles?lang=tlh-KL", {"Accept-Language": "de"}, GERMAN),
        ("/puzzles?lang=de-AT", {"Accept-Language": "fr"}, GERMAN),
        ("/puzzles?lang=fr_CA", {}, FRENCH),
    ],
)
def test_a_page_is_in_the_language_that_was_chosen_or_else_asked_for(
    site: Site, path: str, headers: dict[str, str], seen: str
) -> None:
    answer = get(site, path, **{"Accept-Language": "", **headers})
    assert title(answer) == seen
    assert {"Accept-Language", "Cookie"} <= {*answer.headers["Vary"].split(", ")}


def test_a_language_in_an_address_is_remembered(site: Site) -> None:
    with browser(site.url) as french:
        french.headers["Accept-Language"] = "fr"
        assert title(french.get("/puzzles?lang=de")) == GERMAN
        assert title(french.get("/puzzles")) == GERMAN
        assert "set-cookie" not in french.get("/puzzles").headers
        assert "⟦" in title(french.get("/puzzles?lang=xx"))
        assert title(french.get("/puzzles")) == GERMAN  # the language for tests is not


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/puzzles?lang=xx", {}),
        ("/puzzles", {"Cookie": f"{COOKIE}=xx"}),
        ("/puzzles", {"Accept-Language": "xx, de"}),
    ],
)
def test_only_a_server_that_was_started_in_the_language_for_tests_tells_it(
    site: Site, monkeypatch: pytest.MonkeyPatch, path: str, headers: dict[str, str]
) -> None:
    assert get(site, path, **headers).text.count('<html lang="xx">') == 1
    for elsewhere in ("de", ""):
        monkeypatch.setenv(VARIABLE, elsewhere)
        assert title(get(site, path, **headers)) == ENGLISH


def test_browsers_keep_the_page_of_each_language(site: Site) -> None:
    again = {"If-None-Match": get(site, "/learn").headers["ETag"]}
    assert get(site, "/learn", **again).status_code == 304
    german = get(site, "/learn", **again, **GERMAN_BROWSER)
    assert title(german) == "de: Lernen"


def test_the_texts_of_scripts_are_a_file_that_never_changes(site: Site) -> None:
    page = get(site, "/", **GERMAN_BROWSER).text
    path = f"/static/{static.version()}/languages/de.js"
    assert f'src="{path}"' in page
    answer = get(site, path)
    assert "immutable" in answer.headers["Cache-Control"]
    assert "Du bist" in answer.text


def test_the_page_is_installed_in_the_language_that_it_is_in(site: Site) -> None:
    told = {}
    for code in ("en", "de", "fr"):
        page = get(site, "/", **{"Accept-Language": code}).text
        (path,) = re.findall('<link rel="manifest" href="(.*?)">', page)
        told[code] = get(site, path).json()
        assert (told[code]["lang"], told[code]["id"]) == (code, "/")
    for some in zip(*map(_shown, told.values()), strict=True):
        assert len({*some}) == 3, some
    assert told["de"]["shortcuts"][0]["name"] == "Tagesrätsel"
    assert site.http.get(f"/static/{static.version()}/tlh.manifest.webmanifest").is_error


def _shown(manifest: Any) -> list[str]:
    return [
        manifest["name"],
        manifest["description"],
        *(one["name"] for one in manifest["shortcuts"]),
    ]


def test_a_refusal_is_told_in_the_language_of_whoever_asks(site: Site) -> None:
    def error(accepted: str) -> str:
        there = "/api/v1/games/XXXXXXXXXXXX"  # looked for in another thread
        told: str = get(site, there, **{"Accept-Language": accepted}).json()["error"]
        return told

    assert error("") == "There is no such game."
    assert error("de") == "Diese Partie gibt es nicht."
    assert error("fr") == "Cette partie n’existe pas."


def test_a_refusal_of_another_thread_or_process_is_filled_in_the_language_of_its_reader() -> None:
    refusal = Unavailable("The database cannot be opened: {why}.", why="page 3")
    for one in (refusal, pickle.loads(pickle.dumps(refusal))):
        with speaking("de"):
            assert str(one) == "Die Datenbank kann nicht geöffnet werden: page 3."
        assert str(one) == "The database cannot be opened: page 3."


NEW = {"games": [{"game": "duel"}]}


@pytest.mark.parametrize(
    ("body", "german"),
    [
        ({}, "games fehlt."),
        ({**NEW, "rounds": 0}, "rounds muss mindestens 1 sein."),
        ({**NEW, "game_minutes": 61}, "game_minutes darf höchstens 60 sein."),
        ({**NEW, "rounds": 1.5}, "rounds muss eine ganze Zahl sein."),
        ({**NEW, "key": "Friday"}, "Was in key steht, ist nicht verständlich."),
        ({**NEW, "name": "7b"}, "In dieser Anfrage gibt es kein Feld name."),
        ([], "Diese Anfrage ist hier nicht verständlich."),
        ({"games": [{"game": "x" * 81}]}, "games.0.game hat höchstens 80 Zeichen."),
        ({**NEW, "format": "race"}, "format muss 'arena', 'swiss' oder 'round-robin' sein."),
    ],
)
def test_what_is_wrong_with_a_field_is_a_sentence_in_the_language_of_whoever_asks(
    body: object, german: str, site: Site
) -> None:
    def error(code: str) -> str:
        headers = {"Accept-Language": code}
        answer = site.http.post("/api/v1/events", json=body, headers=headers)
        return refused(answer, 422)

    assert error("de") == german
    assert len({german, error("en"), error("fr")}) == 3
    assert "nput should" not in error("en"), "as Pydantic would say"


def test_everybody_watches_a_game_in_their_own_language(site: Site) -> None:
    one, two = friends(site.http)
    german = speaking_to(two, "de")
    with one.live() as english, german.live() as other:
        assert english.next()["game"]["called"] == "Sequence Duel"
        assert other.next()["game"]["called"] == "Folgenduell"
        for mover, move in ((one, 5), (german, 6)):  # whoever moves has a language, too
            mover.move(move)

            def moved(game: Any, move: int = move) -> bool:
                return bool(game["moves"][-1:] == [str(move)])

            seat = 1 if mover is one else 2
            told = english.until(moved, "the move")
            assert told["said"] == f"Player {seat} plays {move}"
            assert told["names"] == ["Player 1", "Player 2"]
            told = other.until(moved, "the move")
            assert told["said"] == f"Spieler {seat} spielt {move}"
            assert told["names"] == ["Spieler 1", "Spieler 2"]


def test_what_no_move_changes_is_written_once_for_each_language(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = friends(site.http)
    written: list[str] = []
    constant = serialise._constant

    def counted(room: Room) -> serialise.Constant:
        written.append(language())
        return constant(room)

    monkeypatch.setattr(serialise, "_constant", counted)
    with one.live() as english, speaking_to(two, "de").live() as german:
        for mover, move in ((one, 5), (two, 6), (one, 4)):
            mover.move(move)

            def moved(game: Any, move: int = move) -> bool:
                return bool(game["moves"][-1:] == [str(move)])

            for channel in (english, german):
                channel.until(moved, "the move")
    assert written.count("de") == 1
    assert written.count("en") <= 1, "it may have been there before"


class Browser(Person):
    """Somebody whose browser asks for a language."""

    language = ""

    @property
    def headers(self) -> dict[str, str]:
        return {**super().headers, "Accept-Language": self.language}


def speaking_to(person: Person, code: str) -> Browser:
    """The same person, in another language."""
    found = Browser(person.http, person.id, person.token, person.invite)
    found.language = code
    return found


def test_what_is_worked_out_is_told_in_the_language_of_whoever_asks(site: Site) -> None:
    def task(code: str) -> str:
        there = "/api/v1/puzzle?game=duel&seed=3&grade=2"
        answer = get(site, there, **{"Accept-Language": code})
        told: str = answer.json()["state"]["called"]
        return told

    assert [task(code) for code in ("de", "en", "de", "fr")] == [
        "Folgenduell",
        "Sequence Duel",
        "Folgenduell",
        "Duel de suites",
    ]


def test_an_activity_is_told_in_the_language_of_whoever_asks(site: Site) -> None:
    def called(code: str) -> str:
        answer = site.http.post(
            "/api/v1/activities/puzzle",
            json={"action": "begin", "given": "game=duel&seed=3&grade=2"},
            headers={"Accept-Language": code},
            timeout=None,
        )
        told: str = answer.json()["scene"]["state"]["called"]
        return told

    assert [called(code) for code in ("fr", "en")] == ["Duel de suites", "Sequence Duel"]


def test_a_list_of_games_is_told_in_the_language_of_whoever_asks(site: Site) -> None:
    person = create(site.http, "duel", opponent="here", name="Ada", name2="Bo")
    person.move(5)

    def listed(code: str) -> tuple[str, str]:
        headers = {**person.headers, "Accept-Language": code}
        game = get(site, "/api/v1/games", **headers).json()["games"][0]
        return game["called"], game["status"]

    assert listed("de") == ("Folgenduell", "Bo ist am Zug.")
    assert listed("en") == ("Sequence Duel", "Bo to move.")


def test_the_table_of_an_event_has_its_heads_in_the_language_of_whoever_asks(site: Site) -> None:
    made = site.http.post("/api/v1/events", json={"games": [{"game": "duel"}]}).json()
    path, host = f"/api/v1/events/{made['code']}/table.csv", f"Bearer {made['host']}"

    def heads(code: str) -> str:
        told = get(site, path, **{"Authorization": host, "Accept-Language": code}).text
        return told.split(",")[1]

    assert [heads(code) for code in ("de", "en", "fr")] == ["Spitzname", "Nickname", "Surnom"]


def test_an_invitation_of_somebody_without_a_name_names_nobody_in_any_language(site: Site) -> None:
    unnamed, ada = (create(site.http, "duel", opponent="friend", name=name) for name in ("", "Ada"))
    for code in ("en", "de", "fr"):
        headers = {"Accept-Language": code}
        nobody, named = (title(get(site, f"/play/{one.id}", **headers)) for one in (unnamed, ada))
        assert "Ada" in named
        assert "1" not in nobody, "as in Player 1"


def test_a_computer_that_joins_an_event_is_called_as_its_host_would(site: Site) -> None:
    made = site.http.post("/api/v1/events", json={"games": [{"game": "duel"}]}).json()
    path, host = f"/api/v1/events/{made['code']}/host/add", f"Bearer {made['host']}"
    for level, code in (("easy", "en"), ("medium", "de"), ("random", "fr")):
        headers = {"Authorization": host, "Accept-Language": code}
        told = site.http.post(path, json={"level": level}, headers=headers).json()
    called = [one["nickname"] for one in told["event"]["players"]]
    assert called == ["Easy", "Mittel", "Au hasard"]


def test_records_and_descriptions_stay_english(site: Site) -> None:
    person = create(site.http, "capture", opponent="here", name="Ada", name2="Bo")
    person.move(21)
    for path in (f"/api/v1/games/{person.id}/record", "/api/v1/openapi.json"):
        assert get(site, path, **GERMAN_BROWSER).text == get(site, path).text, path


def test_no_header_of_a_client_makes_a_language() -> None:
    for said in (b"", b"../../etc", b"xx" * 500, b"DE;q=x", b"*", b"en-", b"\xff\xfe"):
        scope = {"headers": [(b"accept-language", said)], "query_string": b""}
        assert language_of(scope) == "en"


# -- everything is translated ---------------------------------------------------------------


class _Texts(HTMLParser):
    """The texts of a page, and of its attributes that are read out."""

    READ = ("aria-label", "title", "placeholder", "alt", "data-text")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.attributes: list[str] = []
        self._quiet = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self._quiet += tag in ("script", "style", "code")
        self.found += [value for name, value in attrs if name in self.READ and value]
        if tag == "meta" and told.get("property", told.get("name", "")) in (
            "description",
            "og:title",
        ):
            self.found.append(str(told["content"]))

    def handle_endtag(self, tag: str) -> None:
        self._quiet -= tag in ("script", "style", "code")

    def handle_data(self, data: str) -> None:
        if not self._quiet:
            self.found.append(data.strip())


def left(page: str) -> list[str]:
    """The texts of a page that are not in the language for tests."""
    reader = _Texts()
    reader.feed(page)
    return untold(reader.found + reader.attributes)


def untold(texts: Iterable[str]) -> list[str]:
    """Those that are not in the language for tests, at least in part, or were translated twice."""
    whole = SEPARATOR.join(texts).replace("Juniper Green", "")
    twice, text, before = TWICE.findall(whole), whole, ""
    while text != before:
        text, before = re.sub("⟦[^⟦⟧]*⟧", "", text), text
    rest = [text for text in text.split(SEPARATOR) if not NAMES.fullmatch(text.strip())]
    return twice + rest


PATHS = (
    "/", "/analyse", "/puzzles", "/storm", "/learn", "/teach", "/arena", "/games",
    "/profile", "/join", "/nowhere", "/do/storm",
    *(f"/{kind}/{game.name}" for kind in ("learn", "strategy") for game in games()),
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_nothing_on_a_page_is_left_in_english(site: Site, path: str) -> None:
    answer = get(site, path, **{"Accept-Language": "xx"})
    page = PLANS.sub("", answer.text)
    assert '<html lang="xx">' in page
    assert not left(page)


def test_nothing_on_the_page_of_a_game_or_an_event_is_left_in_english(site: Site) -> None:
    game = create(site.http, "duel", name="")
    made = site.http.post("/api/v1/events", json={"games": [{"game": "duel"}]}).json()
    paths = [
        f"/play/{game.id}",
        *(f"/arena/{made['code']}{part}" for part in ("", "/host", "/wall")),
    ]
    for path in paths:
        answer = get(site, path, **{"Accept-Language": "xx"})
        assert answer.status_code == 200, path
        assert not left(answer.text), path


def test_nothing_that_a_game_says_is_left_in_english() -> None:
    from numduel.web.positions import catalogue, position

    for kind in games():
        with speaking("xx"):
            state = kind().start()
            told: dict[str, Any] = {**position(state), **catalogue(kind())}
        for name in ("status", "called", "summary", "brief", "goals"):
            texts = [told[name]] if isinstance(told[name], str) else [*told[name]]
            assert not [text for text in texts if text.strip("⟦") == text != "Juniper Green"], name


@pytest.mark.parametrize(
    ("name", "given"),
    [("puzzle", "game=duel&seed=3&grade=2"), ("storm", "duel"), ("profile", "")],
)
def test_nothing_that_an_activity_says_is_left_in_english(
    site: Site, name: str, given: str
) -> None:
    """At its beginning, and after the first of the choices that it has then."""
    pseudo, action = {"Accept-Language": "xx"}, "begin"
    state: dict[str, Any] = {}
    for _ in range(2):
        body = {"action": action, "given": given, "state": state}
        with browser(site.url) as stranger:
            answer = stranger.post(f"/api/v1/activities/{name}", json=body, headers=pseudo)
        assert answer.status_code == 200, answer.text
        scene, state = answer.json()["scene"], answer.json()["state"]
        assert not untold([*said(scene)])
        action, given = next((one["action"] for one in scene["choices"]), "begin"), ""


def said(scene: dict[str, Any]) -> Iterator[str]:
    """What a scene says in words."""
    yield from (scene["title"], scene["grade"], scene["goal"], *scene["notes"])
    for choice in scene["choices"]:
        yield from (choice["label"], choice["told"])
    for part in (*scene["text"], *(sentence["text"] for sentence in scene["said"])):
        yield from ([part] if isinstance(part, str) else part)
    for table in scene["tables"]:
        yield from (table["title"], *table["columns"], *(row[0] for row in table["rows"]))


def test_what_is_left_in_english_is_found() -> None:
    assert left('<p title="⟦⟦ýóú⟧⟧">⟦⟦ýóú⟧ ýóú⟧</p>') == ["⟦⟦ýóú⟧⟧"]
    assert not left("<p>⟦ýóú⟧ 5 <b>P1</b></p>")
    assert left("<p>You</p>") == ["You"]
    assert left('<p title="You">⟦ýóú⟧</p>') == ["You"]
