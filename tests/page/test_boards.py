"""The boards of the page: the shape of every game, its moves, and how things move."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pytest
from playwright.sync_api import expect

from tests.page.browser import SOME_BOARDS, Guest, Invite, opening

SIZES = [(1280, 800), (320, 640)]
"""The largest screen and the smallest; for those between, tests/page/node/board/shape.test.js."""
PHONE = {"width": 390, "height": 664, "has_touch": True, "is_mobile": True}
BOXES = """async () => {
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  return [...document.querySelectorAll("[data-cell]")].map((tile) => {
    const { x, y, width } = tile.getBoundingClientRect();
    return [Math.round(x), Math.round(y), Math.round(width)];
  });
}"""
"""Where the tiles are, and how large, when the page has settled."""
PLAYING = "#playing .actions"
MINE = '.player[data-seat="1"][data-turn], #end:visible'
"""Seen when somebody in seat 1 has something to do."""
MOVING = "() => document.getAnimations().length"


def boxes(guest: Guest) -> list[tuple[int, int, int]]:
    """The left edge, the top and the size of every tile."""
    guest.sees("[data-cell]")
    return [tuple(box) for box in guest.page.evaluate(BOXES)]


def label(guest: Guest, cell: str) -> str:
    """What is said of a tile to who does not see it."""
    return str(guest.find(f'[data-cell="{cell}"]').get_attribute("aria-label"))


# -- shapes ---------------------------------------------------------------------------------


def on_screen(guest: Guest, bar: str) -> None:
    """Goal or hint, players, status and board are on the screen of a phone, above the bar of
    buttons."""
    end = guest.find(bar).bounding_box()
    assert end
    assert end["y"] + end["height"] <= PHONE["height"]
    told, board = "#goal:visible, #hint-lines:visible", ".cells:visible, .cards:visible"
    for part in (".players", told, "#status", board):
        box = guest.find(part).bounding_box()
        assert box, part
        assert 0 <= box["y"] <= box["y"] + box["height"] <= end["y"] + 6, part


@pytest.mark.parametrize("game", SOME_BOARDS)
def test_a_game_is_played_on_a_phone_without_scrolling(game: str, guest: Invite) -> None:
    """From the first move to the last ones, and to the sentence that says why it ended so. A hint
    and the ways to go on are there, too, and cover nothing of the board."""
    one = guest(**PHONE)
    one.start(game, "random")
    on_screen(one, PLAYING)
    one.reads('.player[data-seat="2"] .player-name', "Computer")
    one.note(2, "random")
    cut = "all => all.some(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)"
    assert not one.find(".player-name").evaluate_all(cut)
    luck = Random(game)
    room = one.start(game, "random", moves=opening(game))
    one.sees(MINE)
    height = one.find("#hint").bounding_box()["height"]  # type: ignore[index]
    for button in ("Hint", "Show a move"):
        one.reads("#hint", button)
        one.find("#hint").tap()
        one.reads("#hint-lines", re.compile(r"[^…]$"))
    one.reads("#hint-lines", re.compile(r" \S+ .*\. "))
    one.sees("[data-advised]", times=1)
    assert one.find("#hint").bounding_box()["height"] == height  # type: ignore[index]
    hint, board = (
        one.find(part).bounding_box() for part in ("#hint-lines", ".cells:visible, .cards:visible")
    )
    assert hint
    assert board
    assert 0 <= hint["y"] <= hint["y"] + hint["height"] <= board["y"]
    while (now := one.game())["to_move"]:
        one.sees("#moves li", times=len(now["moves"]))
        on_screen(one, PLAYING)
        move = luck.choice(now["legal"])["move"]
        one.post(f"/api/v1/games/{room}/moves", move=move, after=now["number"])
        one.has_more_than(len(now["moves"]))
        one.sees(MINE)
    one.reads("#goal", now["outcome"]["reasons"][1])
    one.misses("#actions", ".legal")
    on_screen(one, "#end")


def side_by_side(one: Guest, tiles: list[tuple[int, int, int]]) -> None:
    """A path turns round like a snake where it is broken: the next number is always beside, and
    every tile but the last is linked to it."""
    for (x, y, size), (right, down, _) in pairwise(tiles):
        assert sorted([x == right, y == down]) == [False, True]
        assert abs(x - right) + abs(y - down) <= size + 10
    assert one.find(".link:visible").count() == len(tiles) - 1


def around(one: Guest, tiles: list[tuple[int, int, int]]) -> None:
    """Numbers that lead to others stand around the last one, or below it where their values have
    no room in a ring, and none lies upon it."""
    hub = one.find(".hub").bounding_box()
    assert hub
    x, y = hub["x"] + hub["width"] / 2, hub["y"] + hub["height"] / 2
    assert min(left for left, _, _ in tiles) < x < max(left for left, _, _ in tiles)
    headed = one.find(".cells[data-headed]").count()
    assert headed == (min(top for _, top, _ in tiles) > y)
    assert not headed or one.page.evaluate("innerWidth") < 360
    assert y < max(top for _, top, _ in tiles)
    assert not any(left < x < left + size and top < y < top + size for left, top, size in tiles)


def below(one: Guest, tiles: list[tuple[int, int, int]]) -> None:
    """Too many of them stand below it, and no lines lead there."""
    hub = one.find(".hub").bounding_box()
    assert hub
    assert len(tiles) == 120
    assert hub["y"] + hub["height"] <= tiles[0][1]
    one.misses(".edges")


def square(_: Guest, tiles: list[tuple[int, int, int]]) -> None:
    """A square of numbers is a square, and large."""
    assert len({x for x, _, _ in tiles}) == len({y for _, y, _ in tiles}) == 3
    assert tiles[0][2] >= 80


def test_numbers_lie_as_their_game_wants_it_on_every_screen(guest: Invite) -> None:
    one = guest()
    shapes = {
        "capture": side_by_side,
        "factors&moves=6": around,
        "factors&variant=n%3D120&moves=6+12": below,
        "duel": square,
    }
    for game, lies in shapes.items():
        one.go(f"/analyse?game={game}")
        one.sees("[data-cell]")
        for width, height in SIZES:
            one.page.set_viewport_size({"width": width, "height": height})
            tiles = boxes(one)
            lies(one, tiles)
            assert max(x + size for x, _, size in tiles) <= width


# -- what may be done -------------------------------------------------------------------------


def test_possible_moves_are_hidden_where_finding_them_is_the_game(guest: Invite) -> None:
    """Also from who does not see the page; and what was chosen is remembered. A wrong number is
    asked about once before it is sent."""
    one = guest()
    asked = one.listen()
    room = one.start("factors", "easy", moves="6 12")

    def alike() -> bool:
        looks = "tile => [...tile.attributes].map(({ name, value }) => `${name}=${value}`)"
        two, five = (
            {part for part in one.find(f'[data-cell="{cell}"]').evaluate(looks)
             if not re.match("style|tabindex|data-cell", part)}
            for cell in ("2", "5")
        )  # fmt: skip
        return {part.replace("=2", "=5") for part in two} == five

    one.on_turn()
    assert alike()
    assert label(one, "5") == "5"
    one.misses(".edges line", "#show-moves")
    one.find('[data-cell="5"]').dblclick()
    one.reads("#question", re.compile("^5 is neither a factor nor a multiple of 12. By the rule"))
    assert len([path for path in asked if path.startswith("/api/v1/why")]) == 1
    one.answer("Go back")
    assert f"/api/v1/games/{room}/moves" not in asked
    one.find('[data-cell="6"]').click(force=True)
    one.reads("#question", re.compile("^6 has already been"))
    one.answer("Go back")

    def choose(mode: str) -> None:
        one.find('.tools [popovertarget="settings"]').click()
        one.find(f"input[value={mode}]").check()
        one.find("#settings .close").click()
        one.misses("#settings")

    choose("asked")
    assert alike()
    one.find("#show-moves").click()
    assert not alike()
    choose("shown")
    assert not alike()
    assert label(one, "5") == "5, blocked"
    one.sees(".edges line", times=len(one.options()))
    one.page.reload()
    one.on_turn()
    assert not alike()
    expect(one.find("input[value=shown]")).to_be_checked()


# -- cards ----------------------------------------------------------------------------------


def test_a_card_is_put_down_at_an_end_or_on_the_pile(guest: Invite) -> None:
    one = guest()

    def draw(card: str) -> None:
        one.find(f'[data-draw="{card}"]').click()
        one.reads("#drawn .card", card)
        one.settled()

    one.go("/analyse?game=build&moves=4e+1x")
    draw("5")
    one.find('[data-hand="1"] .choice[data-label="end"]').click()
    expect(one.find('[data-hand="1"] .card')).to_have_text(["4", "5"])
    draw("1")
    expect(one.page.get_by_role("button", name="Keep 1")).to_be_visible()
    one.find('.pile .choice[data-label="discard"]').click()
    expect(one.find('[data-fact="Discard pile"] .card')).to_have_text(["1", "1"])
    draw("3")
    one.find('[data-hand="1"] .choice[data-label="beginning"]').click()
    expect(one.find('[data-hand="1"] .card')).to_have_text(["3", "4", "5"])
    assert one.page.evaluate(MOVING) == 0, "who asked for less motion gets none"
    one.sees('[data-hand="1"] .place', times=2)
    one.sees('[data-hand="2"] .place', times=5)
    one.reads(".stock .fact-value", "15")


# -- things move ----------------------------------------------------------------------------


def test_things_move_unless_less_of_it_is_wished_and_never_from_their_place(
    guest: Invite,
) -> None:
    one = guest()
    one.go("/analyse?game=line&moves=4+1+5+2+6+9")
    one.find("#values").uncheck()
    before = boxes(one)
    one.click("7")
    one.sees('[data-state="winning"]', times=4)
    assert one.page.evaluate(MOVING) == 0
    one.find('[data-step="back"]').click()
    one.misses('[data-state="winning"]')
    one.page.emulate_media(reduced_motion="no-preference")
    one.settled()
    one.page.evaluate("addEventListener('animationstart', () => { window.moving = true; })")
    one.click("7")
    one.sees('[data-state="winning"]', times=4)
    one.page.wait_for_function("() => window.moving")
    one.page.mouse.move(0, 0)
    assert boxes(one) == before


TOO_WIDE = "all => all.filter((one) => one.scrollWidth > one.clientWidth).length"


def test_a_card_that_does_not_fit_is_asked_about_and_by_the_rulebook_loses(guest: Invite) -> None:
    one = guest()
    room, _ = one.create("build", "here", moves="5e 5e 6e 6e")
    one.open(room)
    one.reads("#moves .ply", ["starts with 5"] * 2 + ["adds 6 at the end"] * 2)
    assert not one.find("#moves .ply").evaluate_all(TOO_WIDE), "a move is wider than its column"
    while (card := one.game()["card"]) in (4, 7):
        one.settled()
        expect(one.find("[data-wrong]")).to_have_count(1)
        made = len(one.moves())
        one.click(f"{card}x")
        one.has_more_than(made)
    one.settled()
    one.find(".front [data-wrong]").click()
    one.reads("#question", re.compile(f"^{card} cannot go to the beginning .* loses the game.$"))
    one.answer("Go back")
    one.find(".behind [data-wrong]").click()
    one.reads("#question", re.compile(f"^{card} cannot go to the end "))
    one.answer("Play anyway")
    one.sees("#end")
    assert one.game()["moves"][-1] == f"{card}e!"


def test_a_card_that_fits_nowhere_goes_by_itself_after_a_moment_if_that_is_wished(
    guest: Invite,
) -> None:
    one = guest()
    one.page.clock.install()
    room, _ = one.create("build", "here", moves="1e 1e 2e 2e")
    one.open(room)
    while (card := one.game()["card"]) == 3:  # the only one that would fit
        one.settled()
        made = len(one.moves())
        one.click("3x")
        one.has_more_than(made)
    made, box = len(one.moves()), one.find("#discard")
    moment = int(1000 * float(str(box.get_attribute("data-seconds"))))
    one.find("[popovertarget=settings]").first.click()
    with one.still():
        one.page.clock.run_for(5 * moment)
        box.check()
        one.page.clock.run_for(moment - 1)
        assert len(one.game()["moves"]) == made, "not yet, and not at all before it was wished"
        one.page.clock.run_for(1)
        one.has_more_than(made)
        box.uncheck()
    assert one.game()["moves"][made] == f"{card}x"
