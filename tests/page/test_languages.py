"""The page in the language for tests: every text has brackets, and words are 40 % longer.

What has no brackets is not translated, and what is cut off would be in another language.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from numduel.core.language import PSEUDO
from tests.page.browser import PLAYABLE, Guest, Invite
from tests.page.event_people import Crowd, Hosting

COOKIE = "numduel-lang"
"""Remembers the language that was chosen on the page."""
SAID = r"""(files) => {
  const own = (node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
  const seen = [...document.querySelectorAll("body *")].filter((node) => node.checkVisibility()
    && !node.closest(`code, pre, [lang]:not(html), .languages, #offered, ${files}`));
  const read = seen.filter((node) => own(node) && !own(node.parentElement));
  const names = ["aria-label", "title", "placeholder", "alt"];
  return [...read.map((node) => node.innerText || node.textContent), document.title,
    ...seen.flatMap((node) => names.map((name) => node.getAttribute(name) ?? ""))];
}"""
"""Everything that a page says now, to be seen or heard; names and languages are as they are."""
LESSON = "#steps, #step-title, #about, #text, #task"
"""What is in a file of its own, which this language does not have."""
CUT = r"""() => [...document.querySelectorAll("body *")].filter((node) => {
  const { overflowX } = getComputedStyle(node);
  const { width, right } = node.getBoundingClientRect();
  return node.checkVisibility() && width > 2 && !node.closest("svg, .unseen, .player-name, .notes")
    && (overflowX === "visible" ? right > innerWidth + 1 && !node.closest("%s")
      : overflowX === "hidden" && node.scrollWidth > node.clientWidth + 1)
    || (node.matches(".lines") && node.scrollHeight > node.clientHeight + 4);
}).map((node) => node.outerHTML.slice(0, 120))"""
"""What does not fit on the screen, or in its box; long names are cut short."""
SCROLLED = "#steps, #tabs, .moves, .step-list, .standings"
"""What may be wider than a phone: it scrolls by itself."""
NOT_WORDS = re.compile(
    r"\b(Ada|Bo|Juniper Green|numduel|localhost|join|QR|P[12]|[A-Z0-9]{3} ?[A-Z0-9]{3})\b"
)
"""Names, addresses and codes."""
PLAIN = re.compile(r"(?<![^\W\d_])(?=[A-Za-z]*[aeiouyAEIOUY])[A-Za-z]{2,}(?![^\W\d_])")
"""A word without accents, also within brackets: a text was filled with something in English."""
TWICE = re.compile(r"⟦⟦[^⟦⟧]*⟧⟧")
"""A translation that was translated."""


def untold(one: Guest, files: str) -> list[str]:
    """What the page says in plain English, or in a translation of a translation."""
    said = [str(text) for text in one.page.evaluate(SAID, files)]
    return [text for text in said if PLAIN.search(NOT_WORDS.sub("", text)) or TWICE.search(text)]


def told(one: Guest, files: str = "script") -> None:
    """All that the page says is translated, and fits."""
    assert not untold(one, files), one.page.url
    assert not one.page.evaluate(CUT % SCROLLED), one.page.url


@pytest.fixture
def speaker(guest: Invite) -> Callable[..., Guest]:
    """Somebody with a phone in whose language everything is long."""

    def come(**options: Any) -> Guest:
        one = guest(width=390, height=664, **options)
        one.context.add_cookies([{"name": COOKIE, "value": PSEUDO, "url": one.url}])
        return one

    return come


def test_a_game_and_its_end_are_told_in_the_language_of_the_reader(
    speaker: Callable[..., Guest],
) -> None:
    one, luck = speaker(), Random(1)
    one.start("build", "easy", seat=1, first=1)
    told(one)
    one.find("#hint").click()
    one.reads("#hint", re.compile("⟦"))
    luck.choice(one.find(PLAYABLE).all()).click()
    one.has_more_than(1)
    told(one)
    one.find("#resign").click()
    one.sees("dialog[open]")
    told(one)
    one.find("#yes").click()
    one.sees("#report h3")
    told(one)


def test_a_puzzle_a_storm_and_a_lesson_are_told_in_the_language_of_the_reader(
    speaker: Callable[..., Guest],
) -> None:
    one = speaker()
    one.go("/puzzles?game=duel&grade=1&seed=1")
    one.sees(".player[data-turn]")
    told(one)
    one.find("[data-action=show]").click()
    one.sees("#why p")
    told(one)
    one.go("/learn/line")
    one.sees("#choices button")
    told(one, LESSON)
    one.go("/storm")
    one.find("#start").click()
    one.sees("#board")
    told(one)


@pytest.mark.parametrize("minutes", ["0", "1.5", "9999", ""])
def test_a_number_that_cannot_be_is_refused_in_the_language_of_the_reader(
    speaker: Callable[..., Guest], minutes: str
) -> None:
    one = speaker()
    one.go("/arena")
    one.find("#minutes").fill(minutes)
    one.find("#open").click()
    one.sees("#wrong-minutes:not(:empty)")
    told(one)


def test_an_event_is_told_in_the_language_of_everybody(
    speaker: Callable[..., Guest], host: Hosting, crowd: Crowd
) -> None:
    event = host(own_names=True)
    one = speaker()
    one.go(f"/join/{event.code}")
    one.sees("#naming")
    told(one)
    one.find("#nickname").fill("Ada")
    one.find("#enter").click()
    one.sees("#personal")
    told(one)
    crowd(event.code, "Bo")
    event.does("start")
    one.find("#written").click()
    one.sees("#table")
    told(one)
    one.go(event.page)
    one.sees("#boards li")
    told(one)
    one.go(f"/arena/{event.code}/wall")
    one.sees("#rows tr")
    told(one)
    event.does("end")
    one.sees("#podium-part, #playing")
    one.go(f"/arena/{event.code}")
    one.sees("#own-place")
    told(one)


IN_THEIR_BOX = r"""(selector) => [...document.querySelectorAll(selector)].filter((node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  const [text, box] = [range, node].map((one) => one.getBoundingClientRect());
  return node.checkVisibility() && (text.left < box.left || text.right > box.right);
}).map((node) => node.innerText)"""
"""Buttons and tiles whose text is wider than they are."""


def test_french_words_fit_their_buttons_and_tiles_on_the_smallest_phone(guest: Invite) -> None:
    one = guest(width=320, height=568)
    one.context.add_cookies([{"name": COOKIE, "value": "fr", "url": one.url}])
    one.start("factors", "easy", seat=1, first=1)
    one.find("#values").check()
    one.sees("[data-best]")
    assert not one.page.evaluate(IN_THEIR_BOX, "#playing .button, .cell")
    one.start("build", "easy", seat=1, first=1)
    one.sees(".pile .choice")
    assert not one.page.evaluate(IN_THEIR_BOX, "#playing .button, .choice")
    one.go("/learn/duel#9")
    one.sees("#choices button")
    assert not one.page.evaluate(IN_THEIR_BOX, "#choices button")


@pytest.mark.parametrize("width", [320, 390])
def test_long_german_words_fit_on_a_phone(guest: Invite, width: int) -> None:
    one = guest(width=width, height=664)
    one.context.add_cookies([{"name": COOKIE, "value": "de", "url": one.url}])
    one.go("/analyse?game=capture&moves=21 18 3")
    one.sees("#strategy")
    ends = one.find(".heading h1").evaluate("title => title.getBoundingClientRect().right")
    assert ends <= one.place("#rules")[0]


@pytest.mark.parametrize(
    ("code", "pile", "log"),
    [("en", "None", "None"), ("de", "leer", "keine"), ("fr", "vide", "aucun")],
)
def test_an_empty_pile_is_called_as_at_the_prompt_and_a_log_without_numbers_too(
    guest: Invite, code: str, pile: str, log: str
) -> None:
    one = guest()
    one.context.add_cookies([{"name": COOKIE, "value": code, "url": one.url}])
    for game, told in (("build", pile), ("factors", log)):
        one.go(f"/analyse?game={game}")
        one.reads("#facts .no-card", told)


def test_on_a_phone_the_names_of_a_pair_stand_above_the_buttons(
    speaker: Callable[..., Guest], host: Hosting, crowd: Crowd
) -> None:
    event, one = host(), speaker()
    crowd(event.code, "Schlauer Reiher", "Tapfere Meise")
    event.does("start")
    one.go(event.page)
    one.sees("#boards li")
    assert one.find("#boards li").evaluate("row => row.firstElementChild.offsetWidth") > 250
