"""The page can be installed, and without JavaScript it says what is missing."""

from __future__ import annotations

import re
from io import BytesIO

import httpx
from PIL import Image
from playwright.sync_api import expect

from tests.games import NAMES
from tests.page.browser import Invite
from tests.web.site import Process

PAGES = (
    "/", "/analyse", "/puzzles", "/storm", "/learn", "/learn/line", "/strategy/line", "/rules/line",
    "/games", "/teach", "/arena", "/join",
)  # fmt: skip


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
