"""The lobby, and what all pages share: previews of links, QR codes, colours, paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest
import segno
from numduel_examples.pawns import Pawns
from PIL import Image
from playwright.sync_api import Route, expect

import numduel
from numduel.learn.daily import daily_game
from numduel.web.games.qr import MASK
from numduel.web.pages.picture import picture
from tests.games import NAMES
from tests.page.browser import SHIFTS, Guest, Invite, refusal
from tests.web.site import Process, Site, create, friends, play, refused, served, until

ADA = "Ada <b>& Co</b>"
PHONE = {"width": 390, "height": 664, "has_touch": True, "is_mobile": True}
MAX_WEIGHT = 65_000
"""Bytes of HTML, styles and scripts of a page."""
WIDTHS = (320, 350, 360, 390, 412, 430, 480, 600, 768, 1280)
MISSHAPEN = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const title = box(".welcome .hero"), row = box(".first-choice");
  const [line, ...lines] = [...document.querySelectorAll(".first-choice a")]
    .map((link) => link.getBoundingClientRect());
  return [
    [line, ...lines].some(({ width, height }) => width < height || height > 48) && "a column",
    row.top < title.bottom && lines.some(({ top }) => top !== line.top) && "a hole over the title",
  ].filter(Boolean);
}"""
"""What is wrong with the first choice: its buttons have one line each, and beside the title they
are one row."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("lobby") / "games.db") as site:
        yield site


# -- the lobby --------------------------------------------------------------------------------


def test_on_a_phone_one_tap_starts_a_game_against_the_computer(guest: Invite) -> None:
    one = guest(**PHONE)
    one.go("/")
    names = [numduel.game(name).display_name for name in NAMES]
    shown = one.find("[data-game] h3").all_inner_texts()
    assert [text.strip() for text in shown] == names
    one.misses("#recent")
    choice = one.find(".first-choice a")
    expect(choice).to_have_text(["Play", "Join with a code", "Teach"])
    for link in choice.all():
        expect(link).to_be_in_viewport(ratio=1)
    first = one.find(f'[data-game="{NAMES[0]}"]')
    for way in ("computer", "friend", "here"):
        expect(first.locator(f'[data-play="{way}"]')).to_be_in_viewport(ratio=1)
    first.locator('[data-play="computer"]').tap()
    one.on_turn()
    assert one.game()["players"] == ["human", "medium"]
    # Whoever comes back finds it on top, and the first game is still in view.
    left = one.room
    one.option(one.options()[0]).tap()
    one.has_more_than(1)
    one.go("/")
    one.reads("#recent-text", f"{names[0]} · your turn · with Computer (medium)")
    expect(first.locator('[data-play="computer"]')).to_be_in_viewport(ratio=1)
    assert one.page.evaluate(SHIFTS) == []
    expect(one.find("#recent-link")).to_have_attribute("href", re.compile(f"^/play/{left}"))
    one.page.set_viewport_size({"width": 664, "height": 390})  # on its side
    expect(first.locator('[data-play="computer"]')).to_be_in_viewport(ratio=1)
    assert one.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_first_choice_is_a_row_on_every_screen(guest: Invite, language: str) -> None:
    one = guest(locale=language)
    one.go("/")
    expect(one.find("html")).to_have_attribute("lang", language)
    for width in WIDTHS:
        one.page.set_viewport_size({"width": width, "height": 800})
        assert one.page.evaluate(MISSHAPEN) == [], width


def test_a_teacher_finds_the_way_to_an_event_from_the_start_page(guest: Invite) -> None:
    one = guest(width=320, height=568)
    one.go("/")
    expect(one.find('[data-play="computer"]').first).to_be_in_viewport(ratio=0.5)
    one.find(".first-choice").get_by_role("link", name="Play").click()
    expect(one.find("[data-game] h3").first).to_be_in_viewport(ratio=1)
    one.find(".first-choice").get_by_role("link", name="Teach").click()
    one.reads("h1", "Teach")
    assert one.page.evaluate(SHIFTS) == []
    one.page.get_by_role("link", name="Start an event").click()
    one.reads("h1", "Play with a class")


def test_the_lobby_tells_what_this_browser_has_done(guest: Invite) -> None:
    """Games that were left are listed, and those that ended are dropped; today's puzzle tells the
    days in a row and whether it is solved; what was chosen for a game is the wish."""
    one = guest()
    one.allow(refusal(422))
    games = ("build", "factors", "capture", "line", "duel")
    rooms = [one.create(game)[0] for game in games]
    one.create("build", "random")  # which nobody has touched
    one.go("/")
    one.reads("#recent-text", "Sequence Duel · waiting for a friend")
    one.reads("#more-recent > summary", "4 more")
    one.find("#more-recent > summary").click()
    expect(one.find("#newest a")).to_have_text([re.compile("^Four"), re.compile("^Number")])
    all_games = one.find("#more-recent").get_by_role("link", name="All my games")
    expect(all_games).to_have_attribute("href", "/games")
    today = date.today()
    game = daily_game(today).display_name
    one.reads("#daily", game)
    factors = one.find('[data-game="factors"]')
    forgiving = factors.get_by_role("switch", name="Forgiving")
    forgiving.check()
    keep = "kept => localStorage.setItem('numduel.puzzles', JSON.stringify(kept))"
    one.page.evaluate(keep, {"day": str(today - timedelta(1)), "days": 4})
    for room in rooms:
        one.post(f"/api/v1/games/{room}/resign", after=0)
    one.page.reload()
    one.reads("#recent-title", "Your last game")
    one.reads("#recent-text", "Sequence Duel · you lost")
    one.misses("#more-recent")
    one.reads("#daily", f"{game} · 4 days in a row")
    wishes: list[Any] = []

    def refuse(route: Route) -> None:
        wishes.append(route.request.post_data_json)
        route.fulfill(status=422, json={"error": "Not today."})

    one.page.route("**/api/v1/games", refuse)
    expect(forgiving).to_be_checked()
    factors.locator('[data-play="here"]').click()
    expect(factors.locator(".alert")).to_have_text("Not today.")
    assert (wishes[0]["opponent"], wishes[0]["forgiving"]) == ("here", True)
    assert one.find('[data-game="duel"]').get_by_role("switch").count() == 0
    factors.locator("summary").click()
    expect(factors.locator(".field").first).to_have_text("the size of the pool (1 to 120)")
    one.page.evaluate(keep, {"day": str(today), "days": 5})
    one.page.reload()
    one.reads("#daily", re.compile(r"^Next in \d+:\d\d:\d\d · 5 days in a row$"))
    one.misses("#recent")
    assert one.page.evaluate(SHIFTS) == []


def test_a_new_visitor_is_offered_a_fair_game(guest: Invite) -> None:
    one = guest(width=1280, height=800)
    one.go("/")
    for title in one.find("[data-game] h3").all():
        expect(title).to_be_in_viewport(ratio=1)
    card = one.find('[data-game="factors"]')
    card.locator("summary").scroll_into_view_if_needed()
    others = one.find(".game:not([data-game=factors])")
    places = [other.bounding_box() for other in others.all()]
    card.locator("summary").click()
    expect(card.locator("[data-parameter=first]")).to_have_value("even")
    assert [other.bounding_box() for other in others.all()] == places, "options change no other"
    told = card.get_by_text("The first number must be even.")
    expect(told).to_be_visible()
    for first, variant in ((1, "even"), (2, "even"), (1, "any")):
        if variant == "any":
            card.get_by_role("switch", name="Begin with any number").check()
            expect(told).to_be_hidden()
        card.locator('[data-play="here"]').click()
        one.page.wait_for_url("**/play/**")
        one.sees("[data-cell]", times=20)
        game = one.game()
        assert (game["first"], game["variant"]["first"]) == (first, variant)
        one.settled()
        one.click("2")  # only a game that was played counts
        one.has_more_than(0)
        one.go("/")


def test_the_catalogue_tells_what_the_server_allows(site: Site) -> None:
    for game in site.http.get("/api/v1/rules").json():
        for parameter in game["parameters"]:
            if parameter["words"]:
                continue
            size = game["parameters"][0]
            largest = {parameter["name"]: parameter["high"]}
            tried = [largest, {**largest, size["name"]: size["high"]}]
            answers = [
                site.http.post(
                    "/api/v1/games",
                    json={"game": game["name"], "variant": variant, "opponent": "friend"},
                )
                for variant in tried
            ]
            assert 201 in [answer.status_code for answer in answers], (game["name"], parameter)


# -- colours and paper ------------------------------------------------------------------------


def background(one: Guest) -> str:
    """The colour of the page."""
    return str(one.page.evaluate("getComputedStyle(document.body).backgroundColor"))


def test_colours_are_chosen_once_for_all_pages_and_before_the_first_paint(guest: Invite) -> None:
    """High contrast is high, by the stricter rule of WCAG, AAA: 7 to 1."""
    one = guest()
    one.go("/")
    other = one.context.new_page()
    other.goto(f"{one.url}/rules/duel")
    light = background(one)
    one.find("#theme").select_option("dark")
    dark = background(one)
    assert light != dark
    expect(other.locator("#theme")).to_have_value("dark")
    assert other.evaluate("getComputedStyle(document.body).backgroundColor") == dark
    other.close()
    one.find("#theme").select_option("")
    assert background(one) == light
    one.page.emulate_media(color_scheme="dark")
    assert background(one) == dark
    one.find("#theme").select_option("contrast")
    room, _ = one.create("capture", moves="21 18 5")
    enhanced = {"type": "rule", "values": ["color-contrast-enhanced"]}
    for path, ready in (("/", "[data-game]"), (f"/play/{room}", "[data-cell]")):
        if path != "/":
            one.go(path)
            expect(one.find("#theme")).to_have_value("contrast")
        one.sees(ready)
        for scheme in ("light", "dark"):
            one.page.emulate_media(color_scheme=scheme)
            assert not one.broken(runOnly=enhanced)
    head = one.page.content().partition("</head>")[0]
    assert head.index("first.js") < head.index("tokens.css") < head.index("play.js")
    one.page.evaluate("localStorage.setItem('numduel.theme', '\"pink\"')")
    one.page.reload()
    expect(one.find("#theme")).to_have_value("")


def test_on_paper_there_is_what_is_read_in_black_and_white(guest: Invite) -> None:
    one = guest()
    one.page.emulate_media(color_scheme="dark")
    seen = {
        "/": "[data-game] h3",
        "/rules/duel": ".brief",
        "/analyse?game=duel&moves=5+3": "[data-cell]",
        "/learn/duel": "#text p",
    }
    for path, selector in seen.items():
        one.page.emulate_media(media="screen")
        one.go(path)
        one.sees(selector)
        one.page.emulate_media(media="print")
        one.sees(selector)
        one.misses(".top", ".bottom", ".button", "select", "input", "summary")
        assert background(one) == "rgb(255, 255, 255)"


# -- pages for teachers -----------------------------------------------------------------------


def test_a_teacher_reads_every_plan_and_guide_on_the_server(site: Site) -> None:
    """As they stand in the documentation, without what only the tests read; and all links lead
    somewhere."""
    paths = set(re.findall(r'href="(/teach/\w+)"', site.http.get("/teach").text))
    assert paths >= {f"/teach/{name}" for name in (*NAMES, "classroom", "curriculum")}
    pages = {path: site.http.get(path).text for path in paths}
    for path, page in pages.items():
        assert "&gt;&gt;&gt;" not in page, path
        text = page.partition("<article")[2].partition("</article>")[0]
        for to, anchor in re.findall(r'(?:href|src)="(/[^"#]*|)(?:#([^"]*))?"', text):
            found = pages.get(to or path)
            assert found or site.http.get(to).status_code == 200, (path, to)
            assert not (found and anchor) or f'id="{anchor}"' in found, (path, to, anchor)
    assert site.http.get("/teach/nothing").status_code == 404


# -- how much a page is -----------------------------------------------------------------------


def with_something(site: Site, path: str) -> str:
    """The path of a page, with a new game or event in it if it is about one."""
    if "CODE" in path:
        made = site.http.post("/api/v1/events", json={"games": [{"game": "duel"}]}).json()
        return path.replace("CODE", made["code"])
    return path + create(site.http).id if path == "/play/" else path


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/play/", "/analyse", "/puzzles", "/learn", "/learn/line", "/rules/line"),
        *("/teach", "/teach/line", "/arena", "/arena/CODE", "/arena/CODE/host", "/arena/CODE/wall"),
    ],
)
def test_a_page_is_light(site: Site, path: str) -> None:
    """And asks for one style sheet, one script before anything is painted, and one after."""
    page = site.http.get(with_something(site, path))
    paths = re.findall(r'(?:src|href)="(/static/[^"]*\.(?:css|js))"', page.text)
    kinds = [name.rpartition(".")[2] for name in paths]
    assert kinds in (["js", "css", "js"], ["js", "css"])
    files = [site.http.get(path) for path in paths]
    assert all(file.headers["content-encoding"] == "gzip" for file in files)
    weight = sum(file.num_bytes_downloaded for file in (page, *files))
    assert weight < MAX_WEIGHT, (path, weight)


# -- what is shown where somebody sends a link ------------------------------------------------


def told(site: Site, path: str, **headers: str) -> dict[str, str]:
    """What a page says of itself."""
    page = site.http.get(path, headers=headers).text
    found = dict(re.findall(r'<meta (?:name|property)="([^"]*)" content="([^"]*)">', page))
    (title,) = re.findall("<title>(.*?)</title>", page)
    return {name: unescape(text) for name, text in {**found, "title": title}.items()}


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/analyse", "/learn", "/learn/line", "/teach", "/arena", "/join"),
        "/rules/factors",
    ],
)
def test_every_page_says_what_it_is(site: Site, path: str) -> None:
    about = told(site, path)
    assert about["title"] == f"{about['og:title']} | numduel"
    assert 40 < len(about["description"]) < 400
    assert about["description"] == about["og:description"]
    assert about["twitter:card"] == "summary_large_image"


def test_a_link_is_shown_with_a_picture_from_the_host_that_was_asked(site: Site) -> None:
    about = told(site, "/")
    picture = Image.open(BytesIO(site.http.get(about["og:image"]).content))
    assert picture.size == (int(about["og:image:width"]), int(about["og:image:height"]))
    for host in ("games.example.org", "[::1]:8000"):
        assert told(site, "/", Host=host)["og:image"].startswith(f"http://{host}/static/")
    for strange in ('x"><script>', "a b", "user@host", "host/path", "x" * 300, ""):
        assert told(site, "/", Host=strange)["og:image"].startswith("/static/"), strange


def test_no_two_pages_have_the_same_title(site: Site) -> None:
    paths = ["/", "/analyse", "/puzzles", "/learn", "/teach", "/arena", "/join"]
    paths.append("/nothing")
    paths += [f"/{kind}/{name}" for kind in ("rules", "learn") for name in NAMES]
    assert len({told(site, path)["title"] for path in paths}) == len(paths)


def test_the_link_of_a_game_shows_who_plays_and_how_it_stands(site: Site) -> None:
    one = create(site.http, "duel", name=ADA)
    invited = told(site, f"/play/{one.id}")
    assert invited["og:title"] == f"{ADA} invites you to play Sequence Duel"
    people = friends(site.http, "duel", name=ADA)
    path = f"/play/{people[0].id}"
    assert told(site, path)["og:title"] == f"{ADA} and Player 2 play Sequence Duel"
    play(people, "4 6 5 7")
    assert told(site, path)["description"].startswith(f"{ADA} to move. Get three evenly spaced")
    play(people, "3")
    assert told(site, path)["description"].startswith(f"{ADA} wins the game! ")
    assert "<b>" not in site.http.get(path).text


def test_who_sits_at_the_server_gives_others_an_address_that_they_can_use(tmp_path: Path) -> None:
    near = "http://192.0.2.7:8000"
    with served(tmp_path / "games.db", near=near) as site:
        for host, origin in (
            ("localhost:8000", near), ("127.0.0.1", near), ("[::1]:8000", near),
            ("games.example.org", "http://games.example.org"), ("a b", ""),
        ):  # fmt: skip
            page = site.http.get("/arena", headers={"Host": host}).text
            assert f'<body data-origin="{origin}">' in page


@pytest.mark.parametrize("wide", [2, 3, 5])
def test_a_picture_has_as_many_columns_as_the_board(wide: int) -> None:
    drawn = picture(Pawns(wide=wide))
    assert len(set(re.findall(r'<rect x="([0-9]+)"', drawn))) == wide


# -- an invitation on another screen ----------------------------------------------------------


def test_a_link_is_a_qr_code(site: Site) -> None:
    link = "https://games.example.org/play/V3b1tq0k9Zfx#q2yVh0C0aJv2v1mB3m1D3g"
    code = site.http.post("/api/v1/qr", json={"link": link}).json()
    dark = {
        (int(x) + step, int(y))
        for x, y, long in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", code["path"])
        for step in range(int(long))
    }
    rows = list(segno.make_qr(link, error="m", mask=MASK).matrix_iter(border=4))
    assert code["size"] == len(rows)
    assert dark == {(x, y) for y, row in enumerate(rows) for x, bit in enumerate(row) if bit}


@pytest.mark.parametrize(
    "link", ["", "javascript:alert(1)", "http://x y", "http://x\n", "https://" + 300 * "x", 5]
)
def test_only_a_link_becomes_a_qr_code(site: Site, link: object) -> None:
    refused(site.http.post("/api/v1/qr", json={"link": link}), 422)


def test_an_invitation_is_scanned_from_the_screen_and_no_log_has_it(
    guest: Invite, server: Process
) -> None:
    one = guest(**PHONE)
    asked = one.listen()
    room, invite = one.create("duel")
    one.go("/api/v1/health/live")  # where no script runs
    one.page.evaluate(f"localStorage.setItem('numduel.invite.{room}', '\"{invite}\"')")
    one.open(room)
    for _ in range(2):
        one.find("#show-qr").tap()
        code = one.find("dialog .qr")
        expect(code).to_be_in_viewport(ratio=1)
        box = code.bounding_box()
        assert box is not None
        assert box["width"] == box["height"] >= 240
        one.press("Escape")
        one.misses("dialog")
        one.focuses("#show-qr")
    one.find("#show-qr").tap()
    one.sees("dialog .qr")
    path = f"{server.url}/api/v1/games/{room}/join"
    httpx.post(path, json={"invite": invite}, trust_env=False, timeout=None).raise_for_status()
    one.misses("dialog", "#invitation")
    assert not any(invite in path for path in asked)
    until(lambda: f"/api/v1/games/{room}/join" in server.log.read_text(), "the log has the join")
    assert invite not in server.log.read_text()
