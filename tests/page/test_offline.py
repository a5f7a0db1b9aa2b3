"""Without a connection, and without JavaScript: what was read is still there, and every page says
what is missing."""

from __future__ import annotations

import re
from io import BytesIO

import httpx
from PIL import Image
from playwright.sync_api import expect

from numduel.web.pages import static
from tests.games import NAMES
from tests.page.browser import BROKEN, OFFLINE, Guest, Invite
from tests.web.site import Process

KEPT = "caches.keys().then((names) => names.join())"
OLDER = """caches.open('numduel-older')
  .then((cache) => cache.put('/rules/line', new Response('older')))"""
"""Leaves a page behind that was read in an older version."""
PAGES = (
    "/", "/analyse", "/puzzles", "/storm", "/learn", "/learn/line", "/strategy/line", "/rules/line",
    "/games", "/api", "/teach", "/arena", "/join",
)  # fmt: skip


def installed(guest: Guest) -> None:
    """Wait until the service worker has taken over."""
    guest.page.evaluate("navigator.serviceWorker.ready")
    guest.page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def test_the_page_can_be_installed(server: Process) -> None:
    page = httpx.get(server.url).text
    (path,) = re.findall(r'<link rel="manifest" href="([^"]*)">', page)
    answer = httpx.get(server.url + path)
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    kinds = {(icon["sizes"], icon.get("purpose", "any")) for icon in manifest["icons"]}
    assert kinds >= {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    for icon in manifest["icons"]:
        sent = httpx.get(f"{server.url}{path.rpartition('/')[0]}/{icon['src']}")
        assert sent.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            picture = Image.open(BytesIO(sent.content))
            assert f"{picture.width}x{picture.height}" == icon["sizes"]
    for shortcut in manifest["shortcuts"]:
        assert httpx.get(server.url + shortcut["url"]).status_code == 200


def test_the_worker_has_what_the_page_for_no_connection_needs(server: Process) -> None:
    worker = httpx.get(f"{server.url}/worker.js")
    assert worker.headers["cache-control"] == "no-cache", "a new version is noticed"
    assert f'const STATIC = "/static/{static.version()}/";' in worker.text
    (shell,) = re.findall(r"const SHELL = \[(.*)\];", worker.text)
    paths = re.findall('"([^"]*)"', shell)
    assert paths[0] == "/offline"
    assert len(paths) > 4
    assert {httpx.get(server.url + path).status_code for path in paths} == {200}


def test_what_was_read_is_there_without_a_connection_and_the_rest_waits_for_it(
    guest: Invite,
) -> None:
    one = guest(service_workers="allow")
    one.go("/api/v1/health/live")  # where no worker begins yet
    one.page.evaluate("caches.open('numduel-older')")
    one.go("/")
    installed(one)
    for path in ("/rules/line", "/learn/duel"):
        one.go(path)
    one.sees("[data-cell]")
    assert one.page.evaluate(KEPT) == f"/static/{static.version()}/", "and nothing older"
    one.allow(OFFLINE, BROKEN)
    one.context.set_offline(True)
    one.go("/rules/line")
    one.sees(".prose h2")
    one.go("/learn/duel")
    one.reads("#error", re.compile("^You are offline, and this needs the server. It goes on by it"))
    one.sees(".reading h2")
    one.misses("#board")
    one.context.set_offline(False)
    one.sees("[data-cell]")
    one.misses(".reading", "#error")
    # What is pressed without a connection is answered when it is back.
    one.context.set_offline(True)
    one.find("[data-action=hint]").click()
    one.reads("#error", re.compile("^You are offline"))
    one.context.set_offline(False)
    expect(one.find("#result")).not_to_be_empty()
    # A page that needs the server comes by itself.
    one.context.set_offline(True)
    one.go("/puzzles")
    one.reads("h1", "You are offline")
    one.sees("#readable a", times=3)
    assert not one.broken()
    one.context.set_offline(False)
    one.reads("h1", "Puzzles")


def test_a_puzzle_that_was_open_can_be_read_without_a_connection_and_solved_with_one(
    guest: Invite,
) -> None:
    one = guest(service_workers="allow")
    one.go("/puzzles?game=duel&seed=3")
    installed(one)
    one.page.reload()  # now the worker hears what is told
    one.sees("[data-action=hint]")
    title, task = (one.find(part).inner_text() for part in ("#puzzle-title", "#task"))
    one.allow(OFFLINE, BROKEN)
    one.context.set_offline(True)
    one.go("/puzzles?game=duel&seed=3")
    one.reads("#error", re.compile("^You are offline, and this needs the server"))
    one.reads("#puzzle-title", title)
    one.reads("#task", task)
    one.sees("[data-cell]")
    one.misses("[data-cell]:not([aria-disabled])", "[data-action=hint]")
    one.context.set_offline(False)
    one.sees("[data-action=hint]")
    one.misses("#error")


def test_a_new_version_takes_over_every_tab_and_reads_again_what_an_older_one_had(
    guest: Invite,
) -> None:
    one = guest(service_workers="allow")
    one.go("/api/v1/health/live")  # where no worker begins yet
    one.page.evaluate(OLDER)
    other = one.context.new_page()
    other.goto(one.page.url.replace("/api/v1/health/live", "/rules/duel"))
    other.wait_for_function("() => navigator.serviceWorker.controller !== null")
    one.go("/")
    one.page.wait_for_function(f"async () => (await {KEPT}) === '/static/{static.version()}/'")
    one.allow(OFFLINE, BROKEN)
    one.context.set_offline(True)
    one.go("/rules/line")
    one.sees(".prose h2")
    assert not one.broken()
    other.reload()  # it was open before there was a worker
    expect(other.locator(".prose h2").first).to_be_visible()


def test_without_javascript_every_page_says_so_and_nothing_is_loading_for_ever(
    guest: Invite,
) -> None:
    one = guest(java_script_enabled=False, width=320, height=568)
    for path in PAGES:
        one.go(path)
        said, mark = (one.find(part).bounding_box() for part in ("noscript .alert", ".brand"))
        assert said
        assert mark
        beside = said["x"] >= mark["x"] + mark["width"]
        assert beside or said["y"] >= mark["y"] + mark["height"], (path, "the mark covers it")
        expect(one.find("noscript .alert")).to_contain_text("needs JavaScript")
        text = one.find("main").inner_text()
        assert not re.search(r"(Loading|Looking|Working|moment)[^.]*…", text), (path, text)
        assert one.find("noscript a[href^='/rules/']").count() == len(NAMES)
    one.go("/learn/line")
    one.sees(".reading h2")
    one.misses(".table")
