"""Real phones in a class: Chromium with the screen and the touch of a phone, driven as a pupil uses
one."""

import asyncio
import os
import random
import shutil
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import perf_counter

from playwright.async_api import Browser, Error, Page, ViewportSize, async_playwright

SCREEN: ViewportSize = {"width": 390, "height": 664}
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
ONWARD = ("#veil-close", "#written", "#onward", "#go")
"""What leads on, to be pressed as soon as it is there."""
LEGAL = """async () => {
  const id = location.pathname.match(/^\\/play\\/(.+)/)?.[1];
  if (!id || !document.querySelector("#status")?.textContent.startsWith("Your turn")) return [];
  const { game } = await (await fetch(`/api/v1/games/${id}`)).json();
  return game.legal.map(({ move }) => move);
}"""
"""What the reader can play now."""
DONE = """() => !document.querySelector("#status")?.textContent.startsWith("Your turn")"""
TAP_TIMEOUT = 2_000.0
"""Milliseconds after which a tap had no effect: the event was paused, or the game given away."""


class Phones:
    """Some phones in an event."""

    def __init__(self, chance: random.Random, thinking: tuple[float, float]) -> None:
        self.taps: list[float] = []
        """Seconds from each tap on a number until the screen showed that it was played."""
        self.errors: Counter[str] = Counter()
        """What went wrong on their pages."""
        self._chance = chance
        self._thinking = thinking
        self._pages: list[Page] = []
        self._over = asyncio.Event()

    def __len__(self) -> int:
        return len(self._pages)

    async def join(self, browser: Browser, address: str, count: int) -> None:
        """Come in with a friendly nickname each."""
        for _ in range(count):
            context = await browser.new_context(viewport=SCREEN, has_touch=True, is_mobile=True)
            page = await context.new_page()
            page.on("pageerror", lambda error: self.errors.update([f"on a phone: {error}"]))
            await page.goto(address)
            await page.locator("#offered button").first.tap()
            await page.locator("#enter").tap()
            await page.locator("#written").tap()
            self._pages.append(page)

    async def play(self) -> None:
        """Play on all of them until the event is over."""
        await asyncio.gather(*(self._play(page) for page in self._pages))

    def stop(self) -> None:
        """Say that the event is over."""
        self._over.set()

    async def _play(self, page: Page) -> None:
        while not self._over.is_set():
            with suppress(Error):  # Pages of an event go to another one by themselves.
                await self._look(page)
            await asyncio.sleep(self._thinking[0] / 4)

    async def _look(self, page: Page) -> None:
        """Go on if there is somewhere to go, or make a move if it is one's turn."""
        for selector in ONWARD:
            if await page.locator(selector).is_visible():
                await page.locator(selector).tap(timeout=TAP_TIMEOUT)
                return
        legal = await page.evaluate(LEGAL)
        if not legal:
            return
        await asyncio.sleep(self._chance.uniform(*self._thinking))
        began = perf_counter()
        cell = page.locator(f'[data-cell="{self._chance.choice(legal)}"]')
        await cell.tap(timeout=TAP_TIMEOUT)
        await page.wait_for_function(DONE, timeout=TAP_TIMEOUT)
        self.taps.append(perf_counter() - began)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser | None]:
    """A browser, if there is one on this machine."""
    names = filter(None, (os.environ.get("CHROMIUM"), *BROWSERS))
    executable = next(filter(None, map(shutil.which, names)), None)
    if executable is None:
        yield None
        return
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        try:
            yield browser
        finally:
            await browser.close()
