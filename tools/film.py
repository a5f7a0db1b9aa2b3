"""Make the two films on the first screen of README and site: ``python -m tools.film [NAME…]``.

``terminal`` is a game at the prompt, recorded on a pseudo-terminal, and one in the app, as one SVG
file that moves by itself: ``docs/pictures/film-terminal.svg``. ``page`` is a game on the page, in a
real Chromium: ``film.webp``, and ``film-still.png`` for those who want nothing to move. The moves
are always the same, and nothing of this user is read or written.
"""

from __future__ import annotations

import asyncio
import io
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tests.page.browser import Guest

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
COLUMNS, ROWS = 80, 24
CELL, LINE, BASE = 12.2, 24.4, 20.0
"""The width of a character, the height of a line, and where its letters stand, as Rich has them."""
MARGIN, TOP = 12, 44
PAUSE = 0.9
"""Seconds between a press or something typed, and what it does."""


class Shot(NamedTuple):
    """A screen of the terminal, drawn by Rich, and how long it stands."""

    seconds: float
    picture: str


class Photo(NamedTuple):
    """A screen of the page, as a PNG file, and how long it stands."""

    seconds: float
    picture: bytes


# -- the terminal ------------------------------------------------------------------------------


def at_the_prompt() -> Iterator[Shot]:
    """A short game against the computer, as it is typed and answered."""
    from tests.cli import Terminal

    command = ("play", "line", "--p2", "easy", "--seed", "4")
    said = "$ "
    yield Shot(PAUSE, drawn(said))
    said += "numduel play line --p2 easy"
    yield Shot(1.4, drawn(said))
    said += "\n"
    with tempfile.TemporaryDirectory() as home:
        env = {"TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
        with Terminal(Path(home), *command, env=env) as terminal:
            said += terminal.until("claim:\n> ")
            yield Shot(2.6, drawn(said))
            for move, ending in (("5", "> "), ("6", "> "), ("7", "> "), ("4", "wins the game!\n")):
                yield Shot(PAUSE, drawn(said + move))
                terminal.send(move)
                answer = terminal.until("> ")
                end = len(answer) if ending == "> " else answer.index("Enter: rematch")
                said += answer[:end]
                yield Shot(1.6 if ending == "> " else 3, drawn(said))


def drawn(said: str) -> str:
    """What was said in a terminal, as Rich draws it: the last lines, if there are many."""
    from rich.console import Console
    from rich.text import Text

    lines = said.replace("\r\n", "\n").split("\n")[-ROWS:]
    console = Console(
        width=COLUMNS, file=io.StringIO(), record=True, force_terminal=True,
        color_system="truecolor",
    )  # fmt: skip
    console.print(Text.from_ansi("\n".join(lines)), soft_wrap=True)
    return console.export_svg(title="numduel")


async def in_the_app() -> AsyncIterator[Shot]:
    """A game in the app, with the value of every move."""
    from numduel import game
    from numduel.activities.keeping import new_game
    from numduel.play.match import begin
    from numduel.tui.app import NumduelApp
    from numduel.tui.play import Play

    match = begin(game("duel"), players=("human", "easy"), names=("Ada", "Computer"), seed=1)
    app = NumduelApp()
    async with app.run_test(size=(COLUMNS, ROWS)) as pilot:

        async def shot(seconds: float, *keys: str) -> Shot:
            await pilot.press(*keys)
            await app.workers.wait_for_complete()
            await pilot.pause(0.3)
            return Shot(seconds, app.export_screenshot(title="numduel", simplify=True))

        yield await shot(3)
        await app.push_screen(Play(new_game(match, 1)))
        yield await shot(2.6)
        for number in "53":
            yield await shot(PAUSE, number)
            yield await shot(2, "enter")
        yield await shot(3.6, "v")
        yield await shot(PAUSE, "4")
        yield await shot(4, "enter")


def terminal() -> dict[str, bytes]:
    """The film of the terminal."""

    async def app() -> list[Shot]:
        return [shot async for shot in in_the_app()]

    shots = [*at_the_prompt(), Shot(1.4, drawn("$ numduel")), *asyncio.run(app())]
    return {"film-terminal.svg": animated(shots).encode()}


def animated(shots: list[Shot]) -> str:
    """One SVG of many: a strip of pictures that moves on by one at a time. A line that is the same
    in several is written once."""
    styles: dict[str, str] = {}
    lines: dict[str, str] = {}
    width, height = COLUMNS * CELL, ROWS * LINE
    strip = []
    for number, shot in enumerate(shots):
        used = [
            f'<use href="#{lines.setdefault(text, f"l{len(lines)}")}" y="{row * LINE:g}"/>'
            for row, text in sorted(rows(shot.picture, styles).items())
        ]
        strip.append(f'<g transform="translate({number * width:g})">{"".join(used)}</g>')
    whole = sum(shot.seconds for shot in shots)
    starts = [sum(shot.seconds for shot in shots[:number]) for number in range(len(shots))]
    begin = starts[min(4, len(shots) - 1)]  # so that nobody looks at an empty terminal first
    moves = "".join(
        f"{100 * start / whole:.3f}%{{transform:translate({-number * width:g}px)}}"
        for number, start in enumerate(starts)
    )
    pictures = "\n".join(strip)
    poster = (3 - len(shots)) * width
    full = f"{width + 2 * MARGIN:g} {height + TOP + MARGIN:g}"
    rules = "".join(f".{name}{{{rule}}}" for rule, name in styles.items())
    defined = "".join(f'<g id="{name}">{text}</g>' for text, name in lines.items())
    dots = "".join(
        f'<circle cx="{24 + 22 * at}" cy="22" r="7" fill="{colour}"/>'
        for at, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    return f"""<svg viewBox="0 0 {full}" xmlns="http://www.w3.org/2000/svg">
<style>
text{{font:20px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}}
{rules}
.film{{transform:translate({poster:g}px);animation:film {whole:g}s -{begin:g}s step-end infinite}}
@keyframes film{{{moves}}}
@media (prefers-reduced-motion:reduce){{.film{{animation:none}}}}
</style>
<defs>{defined}</defs>
<rect width="100%" height="100%" rx="8" fill="#121212"/>{dots}
<svg x="{MARGIN}" y="{TOP}" width="{width:g}" height="{height:g}"><g class="film">
{pictures}
</g></svg>
</svg>
"""


RULE = re.compile(r"\.terminal-\d+-(r\d+) \{ (.*?);? \}")
RECT = re.compile(
    r'<rect (fill="[^"]*" x="[^"]*") y="([^"]*)" (width="[^"]*") height="[^"]*" shape'
)
TEXT = re.compile(
    r'<text class="terminal-\d+-(r\d+)" (x="[^"]*") y="[^"]*" (textLength="[^"]*") '
    r'clip-path="url\(#terminal-\d+-line-(\d+)\)">(.*?)</text>'
)


def rows(picture: str, styles: dict[str, str]) -> dict[int, str]:
    """The lines of a terminal that Rich has drawn, each as if it were the first; `styles` names the
    styles of all pictures."""
    rules = dict(RULE.findall(picture))
    found: dict[int, str] = {}

    def put(row: int, text: str) -> None:
        if row < ROWS:
            found[row] = found.get(row, "") + text

    for place, y, width in RECT.findall(picture):
        put(round((float(y) - 1.5) / LINE), f'<rect {place} y="1.5" {width} height="24.65"/>')
    for name, x, length, row, text in TEXT.findall(picture):
        style = styles.setdefault(rules[name], f"s{len(styles)}")
        shown = text.replace("&#160;", "\u00a0")
        if shown.strip("\u00a0") or "underline" in rules[name]:
            put(int(row), f'<text class="{style}" {x} y="{BASE:g}" {length}>{shown}</text>')
    return found


# -- the page ----------------------------------------------------------------------------------

WIDTH, HEIGHT = 1000, 642
COMPUTER = 2
VALUES = 4
"""The moves after which the values are shown."""
COLOURS = 160
DOT = """([x, y]) => {
    const dot = document.createElement("div");
    dot.id = "pressed";
    dot.style = `position: fixed; z-index: 99; left: ${x - 18}px; top: ${y - 18}px; width: 36px;
        height: 36px; box-sizing: border-box; border: 4px solid #b3246b; border-radius: 50%;
        background: rgb(179 36 107 / 30%);`;
    document.body.append(dot);
}"""
"""Shows where somebody presses."""


def page() -> dict[str, bytes]:
    """The film of the page, and its picture with the values."""
    from playwright.sync_api import sync_playwright
    from tests.page.browser import ARGUMENTS, Guest
    from tools.pictures import always_the_same

    with always_the_same() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM"), args=ARGUMENTS
        )
        context = browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce"
        )
        photos = [*on_the_page(Guest(context, url))]
        browser.close()
    return {"film.webp": moving(photos), "film-still.png": moving([max(photos[:-1])], "PNG")}


def on_the_page(one: Guest) -> Iterator[Photo]:
    """From the start page to the end of a game, in which the values are shown before a move."""
    from tools.pictures import LUCK, SEED

    import numduel
    from numduel.play.players import player

    def photo(seconds: float) -> Photo:
        one.page.wait_for_load_state("networkidle")
        return Photo(seconds, one.page.screenshot())

    def press(selector: str) -> Photo:
        box = one.find(selector).bounding_box()
        assert box is not None
        place = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        one.page.evaluate(DOT, place)
        taken = photo(PAUSE)
        one.page.evaluate("document.getElementById('pressed').remove()")
        LUCK.seed(SEED)
        one.find(selector).click()
        return taken

    one.go("/")
    one.find("#name").fill("Ada")
    one.find("#name").blur()
    yield photo(2.8)
    yield press('#game-factors [data-play="computer"]')
    who = player("perfect", seed=SEED)
    assert who is not None
    one.sees("#board [data-cell]")
    while (told := one.game())["to_move"]:
        one.on_turn()
        state = numduel.game(told["name"], **told["variant"]).replay(told["text"])
        if len(state.moves) > VALUES:
            one.sees("[data-best]")
        yield photo(1.8)
        if len(state.moves) == VALUES:
            yield press("#values")
            one.sees("[data-best]")
            yield photo(3.5)
        yield press(f'[data-cell="{who.choose(state.public)}"]')
        one.has_more_than(len(state.moves))
        while one.game()["to_move"] == COMPUTER:
            pass
    one.sees("#chart svg")
    yield photo(4)


def moving(photos: list[Photo], kind: str = "WEBP") -> bytes:
    """Photos as one picture with few colours, which makes a small file."""
    from PIL import Image

    full = [Image.open(io.BytesIO(photo.picture)).convert("RGB") for photo in photos]
    pictures = [picture.quantize(COLOURS, dither=Image.Dither.NONE) for picture in full]
    file = io.BytesIO()
    pictures[0].save(
        file, kind, optimize=True, save_all=len(pictures) > 1, append_images=pictures[1:], loop=0,
        duration=[round(1000 * photo.seconds) for photo in photos], lossless=True, method=6,
    )  # fmt: skip
    return file.getvalue()


FILMS = {"terminal": terminal, "page": page}


def main() -> None:
    """Make the films that were asked for."""
    wanted = sys.argv[1:] or list(FILMS)
    if unknown := [name for name in wanted if name not in FILMS]:
        sys.exit(f"There is no film {unknown[0]!r}; there are {' and '.join(FILMS)}.")
    with tempfile.TemporaryDirectory() as home:
        os.environ["XDG_DATA_HOME"] = home
        os.environ.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
        for wish in wanted:
            for name, data in FILMS[wish]().items():
                (FOLDER / name).write_bytes(data)
                print(f"{name}: {len(data) // 1000} KB", flush=True)


if __name__ == "__main__":
    main()
