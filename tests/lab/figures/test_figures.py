"""Charts and report pages: whatever is written in them stays text, and every value is there."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from numduel.core.language import speaking
from numduel.lab.figures import (
    Bar,
    BarChart,
    Code,
    Interval,
    IntervalChart,
    LineChart,
    Table,
    Text,
    page,
    with_interval,
)
from numduel.lab.figures.card import Card
from numduel.lab.figures.charts import room
from numduel.lab.figures.page import Block

NASTY = "<script>\"&'</svg>{{ 1 }}"


def drawn(*blocks: Block) -> ElementTree.Element:
    text = page("Title", blocks, generator="a test")
    return ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))


def numbers(root: ElementTree.Element, shape: str, attribute: str) -> list[float]:
    return [float(node.attrib[attribute]) for node in root.iter(shape)]


@pytest.mark.parametrize(
    "block",
    [
        Text(NASTY),
        Code(NASTY),
        Table(NASTY, [(NASTY, NASTY)], (NASTY, NASTY), NASTY),
        BarChart(NASTY, [Bar(NASTY, 0.5)]),
        IntervalChart(NASTY, [Interval(NASTY, 0, 0.5, 1, NASTY)], (0, 1)),
    ],
    ids=lambda block: type(block).__name__,
)
def test_whatever_is_written_on_a_page_stays_text(block: Block) -> None:
    root = drawn(block)
    assert root.find(".//script") is None
    assert NASTY in "".join(root.itertext())


def test_control_characters_do_not_reach_a_page() -> None:
    assert "a?[31mb" in "".join(drawn(Text("a\x1b[31mb")).itertext())


def test_bars_are_as_high_as_their_shares() -> None:
    root = drawn(BarChart("Shares", [Bar("a", 0.1), Bar("b", 0.4), Bar("c", 0.0)]))
    low, high, none = numbers(root, "rect", "height")
    assert (high, none) == (4 * low, 0)
    texts = [node.text for node in root.iter("text")]
    assert texts == ["10.0 %", "a", "40.0 %", "b", "0.0 %", "c"]


@pytest.mark.parametrize("bars", [[], [Bar("a", 0.0)], [Bar(str(n), 0.01) for n in range(100)]])
def test_a_bar_chart_can_be_empty_or_crowded(bars: list[Bar]) -> None:
    root = drawn(BarChart("Shares", bars))
    assert len(list(root.iter("rect"))) == len(bars)
    assert all(0 <= x <= BarChart.width for x in numbers(root, "rect", "x"))


def test_intervals_are_in_the_order_of_their_values() -> None:
    rows = [Interval("a", -10, 0, 10, "0 ± 10"), Interval("b", 20, 40, 60, "40 ± 20", hollow=True)]
    root = drawn(IntervalChart("Ratings", rows, (-10, 60), dashed=0))
    zero, forty = numbers(root, "circle", "cx")
    dashed, first, second = zip(
        numbers(root, "line", "x1"), numbers(root, "line", "x2"), strict=True
    )
    assert dashed == (zero, zero)
    assert first[0] < zero < first[1] < second[0] < forty < second[1]
    assert [node.attrib["class"] for node in root.iter("circle")] == ["dot", "ring"]


def test_an_interval_chart_makes_room_for_long_names() -> None:
    short, long = (
        IntervalChart("", [Interval(name, 0, 0, 1, "")], (0, 1)) for name in ("a", "a" * 40)
    )
    assert short.extra == 0 < long.extra


def test_an_interval_chart_makes_room_for_long_numbers() -> None:
    chart = IntervalChart("", [Interval("a", 0, 0, 1, said := "55.6 % [30.8–78.0]")], (0, 1))
    assert chart.right + 12 + room(said) <= chart.width


def test_a_scale_without_width_is_drawn() -> None:
    root = drawn(IntervalChart("", [Interval("a", 0, 0, 0, "")], (0, 0)))
    assert numbers(root, "circle", "cx") == [IntervalChart.left]


def test_a_line_of_one_point_is_drawn() -> None:
    chart = LineChart("Title", "In words", ("1", "0"), (0.5,), {}, ("0", "0"))
    line = ElementTree.fromstring(chart.svg()).find("{*}polyline")
    assert line is not None
    assert line.attrib["points"].split() == ["52.0,91.0"]


def test_the_number_of_a_step_stands_beside_its_first_line() -> None:
    card = Card("How to win", "Duel", (), "", ("Take the middle. " * 9, "Win."), "")
    lines = ElementTree.fromstring(card.svg()).iter("{http://www.w3.org/2000/svg}text")
    placed = [("".join(line.itertext()).strip(), float(line.attrib["y"])) for line in lines]
    for number, words in (("1", "Take the middle."), ("2", "Win.")):
        height = next(y for text, y in placed if text == number)
        first = next(y for text, y in placed if text.startswith(words))
        assert abs(height - first) < 10


def test_a_card_says_in_which_language_it_is() -> None:
    for code in ("en", "de", "fr"):
        with speaking(code):
            assert f'<html lang="{code}">' in Card("Duel", "", (), "", (), "").html()


@pytest.mark.parametrize(
    "title", ["Duel", "A game whose name is longer than any card is wide, by far"]
)
def test_the_title_of_a_card_fits_on_it(title: str) -> None:
    card = Card(title, "", (), "", (), "")
    root = ElementTree.fromstring(card.svg())
    line = next(root.iter("{http://www.w3.org/2000/svg}text"))
    size, x = (float(line.attrib[name]) for name in ("font-size", "x"))
    assert 0.6 * size * len(title) <= float(root.attrib["viewBox"].split()[2]) - 2 * x
    assert size >= 12


def test_a_value_is_told_with_its_interval() -> None:
    assert with_interval(0.6, (0.41, 0.77)) == "60 % [41–77]"
    assert with_interval(0.6, (None, None)) == "60 % (too few)"
    assert with_interval(0.5, (-0.25, 1.25), 1, 2, "") == "0.50 [-0.25 to 1.25]"
    assert with_interval(-0.004, (-0.004, 0.43), 1, 2, "") == "0.00 [0.00–0.43]", "nothing is -0"
