"""The films of README and site are small, calm, and made of what is really shown."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageSequence
from tools import film
from tools.pictures import SCREENS

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
LARGEST = 400_000
"""Bytes of a film: it is on the first screen that anybody sees."""
SHORTEST = 0.6
"""Seconds that a picture of a film stands at least."""


def standing(svg: str) -> list[float]:
    """How many seconds each picture of a film of the terminal stands."""
    (whole,) = re.findall(r"animation:film ([\d.]+)s", svg)
    starts = [float(start) for start in re.findall(r"([\d.]+)%\{transform", svg)]
    return [float(whole) * (end - start) / 100 for start, end in pairwise([*starts, 100.0])]


def test_the_film_of_the_terminal_is_small_and_calm_and_can_stand_still() -> None:
    svg = (PICTURES / "film-terminal.svg").read_text("utf-8")
    assert len(svg.encode()) < LARGEST
    assert min(standing(svg)) > SHORTEST
    assert "prefers-reduced-motion:reduce" in svg
    assert re.findall(r"(?:href|url\()=?[\"']?(?!#)\w", svg) == []


def test_the_film_of_the_page_is_small_and_calm_and_can_stand_still() -> None:
    path = PICTURES / "film.webp"
    assert path.stat().st_size < LARGEST
    with Image.open(path) as moving:
        for picture in ImageSequence.Iterator(moving):
            picture.load()
            assert picture.info["duration"] > 1000 * SHORTEST
        size = moving.size
    with Image.open(PICTURES / "film-still.png") as still:
        assert still.size == size


def test_the_films_are_on_the_first_screen_of_the_readme() -> None:
    page = (ROOT / "README.md").read_text("utf-8")
    assert re.findall(r' src="docs/pictures/(.*?)"', page) == ["film.webp", "film-terminal.svg"]
    still = re.findall(r'\(prefers-reduced-motion: reduce\)" srcset="docs/pictures/(.*?)"', page)
    assert still == ["film-still.png", "terminal-play.svg"]


def test_a_game_at_the_prompt_becomes_a_film() -> None:
    shots = [*film.at_the_prompt()]
    svg = film.animated(shots)
    assert standing(svg) == pytest.approx([shot.seconds for shot in shots], abs=0.01)
    assert svg.count('<g transform="translate(') == len(shots)
    assert svg.count("play\N{NO-BREAK SPACE}line") == 1, "a line that stands is written once"
    assert "wins\N{NO-BREAK SPACE}the\N{NO-BREAK SPACE}game!" in svg


@pytest.mark.proof
@pytest.mark.parametrize("name", film.FILMS)
def test_a_film_can_be_made(name: str) -> None:
    for made, data in film.FILMS[name]().items():
        assert 0 < len(data) < LARGEST
        assert (PICTURES / made).exists()


def test_every_picture_is_one_that_is_taken() -> None:
    taken = {f"{name}{look.suffix}.png" for name, (_, looks) in SCREENS.items() for look in looks}
    made = {"film.webp", "film-still.png"}
    assert {path.name for path in PICTURES.iterdir() if path.suffix != ".svg"} == taken | made
