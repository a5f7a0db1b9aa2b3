"""A rules page says how a game goes, and nothing of what the solver found."""

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import pytest
from numduel_examples.pawns import Pawns
from numduel_examples.pile import Pile
from numduel_examples.reach import Reach

import numduel
from numduel import Game, Option, State, view
from numduel.core.state import Move
from tests.games import RULEBOOKS, claims

GAMES = [kind() for kind in (*numduel.games(), Pawns, Pile, Reach)]
EXACT = [game for game in GAMES if game.numeric and not game.has_deck]
Cheater = Callable[[Sequence[int], Sequence[Move]], Sequence[Move]]
"""Moves that somebody who only knows the numbers of a page may choose, each equally likely; from
the numbers in the order of the page, and the legal moves."""
CHEATERS: dict[str, Cheater] = {
    "the first": lambda named, legal: [move for move in named if move in legal][:1],
    "the last": lambda named, legal: [move for move in named if move in legal][-1:],
    "any": lambda named, legal: [move for move in named if move in legal],
}


def section(game: Game, heading: str) -> str:
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", game.page, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def games_shown(game: Game) -> list[str]:
    """The games that a page shows in notation."""
    return re.findall(r"`(\w+(?: \w+){3,})`", game.page)


# -- what is said ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_no_page_tells_who_wins(game: Game) -> None:
    meanings = (parameter.meaning for parameter in game.parameters.values())
    for text in (
        game.page,
        game.rulebook,
        game.summary,
        game.input_hint(),
        *game.welcome(),
        *meanings,
    ):
        assert claims(text) == []


@pytest.mark.parametrize(
    "finding",
    [
        "Open with 19; the only answer is 1.",
        "They can still force a win.",
        "Whoever owns `n` at the\n  end has won.",
        "In fact equal totals never happen.",
        "The player who begins wins 49.89 % of games.",
        "On 1 to 9 this cannot happen.",
        "The player who begins wins with their second pick, whatever happens.",
    ],
)
def test_a_finding_is_recognised(finding: str) -> None:
    assert claims(finding)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_an_agent_is_told_the_short_rules_and_what_they_leave_open(game: Game) -> None:
    title, blank, *told = game.rulebook.split("\n")
    assert (title, blank) == (f"# {game.display_name}", "")
    strict = ["- Whoever makes a move against these rules loses the game at once."]
    sentences = [f"- {sentence}" for sentence in (*game.brief, *game.details)]
    assert told == sentences + strict * game.strict


@pytest.mark.parametrize("game", [numduel.game(name) for name in RULEBOOKS], ids=str)
def test_where_nothing_is_typed_nothing_is_said_of_typing(game: Game) -> None:
    page = game.page_at("Choose these in the menu:", lambda _: 50)
    page = re.sub("```.*?```", "", page, flags=re.DOTALL)
    told = re.findall("^## (.*)$", page, re.MULTILINE)
    assert told == ["Setup", "A turn", "How it ends", "Example", "Variants", "Rulings, and why"]
    assert "\nChoose these in the menu:\n" in page
    typed = re.findall(r"`([^`\n]*)`", page)
    assert not [code for code in typed if not re.fullmatch(r"\[?(X|O|P[12])\]?|\d+( \d+)+", code)]
    assert not re.search(r"\w=\w|--|\brecord\b|Blocked for|left out|999", page)


# -- what the numbers give away -------------------------------------------------------------


def named(game: Game, text: str) -> list[int]:
    """The numbers that a text singles out, in order. An example is another matter; the number of
    a seat or of a step, a range and the default of a setting single out nothing."""
    text = text.replace(section(game, "Example"), "")
    text = re.sub(r"```.*?```|^- `\w+`, ", " ", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub("`([^`]*)`", lambda code: _meant(game, code[1]), text)
    text = re.sub(r"Player \d|^\d\. |\d+ to \d+|\d+ unless", " ", text, flags=re.MULTILINE)
    return [int(number) for number in re.findall(r"(?<![\w.=-])\d+(?!\.?[\w%])", text)]


def _meant(game: Game, code: str) -> str:
    """The number that code stands for: a setting is its value, a whole game or command is none."""
    return " " if " " in code else str(game.settings.get(code, code))


def early(game: Game) -> Iterator[State]:
    """The start, and the positions after every first move."""
    start = game.start()
    yield from (start, *(start.play(move) for move in start.legal_moves))


def regret(options: Sequence[Option], moves: Sequence[Move]) -> Fraction:
    """The chance to win that is lost on average by one of some moves."""
    best = max(option.win_probability for option in options)
    lost = [Fraction(best - o.win_probability) for o in options if o.move in moves]
    return sum(lost, Fraction(0)) / len(lost)


@pytest.mark.parametrize("cheater", CHEATERS.values(), ids=CHEATERS)
@pytest.mark.parametrize("game", EXACT, ids=str)
def test_whoever_plays_the_numbers_of_a_page_does_no_better_than_chance(
    game: Game, cheater: Cheater
) -> None:
    positions = [(state, numduel.analyse(state)) for state in early(game) if state.mask]
    chance = sum(regret(options, state.legal_moves) for state, options in positions)
    for text in (game.page, game.rulebook, game.summary):
        numbers = named(game, text)
        cheated = sum(
            regret(options, cheater(numbers, state.legal_moves) or state.legal_moves)
            for state, options in positions
        )
        assert cheated >= chance, numbers


def test_the_numbers_of_a_finding_are_seen() -> None:
    game = numduel.game("capture")
    text = "Player 1 has 1 to 21.\n1. Own `n`: 21 unless you say `n=7` or `6 5 3`, not `0` or 12."
    assert named(game, text) == [21, 0, 12]


@pytest.mark.parametrize("game", EXACT, ids=str)
def test_whoever_copies_the_games_of_a_page_does_no_better_than_chance(game: Game) -> None:
    for shown in games_shown(game):
        state, copied, chance = game.start(), Fraction(0), Fraction(0)
        for token in shown.split():
            if token == "pass" or int(token) not in state.legal_moves:
                break  # a game on another board
            options = numduel.analyse(state)
            copied += regret(options, [int(token)])
            chance += regret(options, state.legal_moves)
            assert copied >= chance or state.moves, f"{token} is a good first move"
            state = state.play(int(token))
        assert copied >= chance, shown


# -- what the examples show -----------------------------------------------------------------


def transcript(game: Game, moves: str) -> Iterator[str]:
    """All lines that are printed while a game is played."""
    state = game.start()
    for token in moves.split():
        before, state = view(state), state.apply_token(token)
        yield game.prompt(before)[-1] + token
        yield from game.move_lines(view(state))
    yield from game.closing(view(state))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_examples_are_what_is_printed(game: Game) -> None:
    example = section(game, "Example")
    size = re.search(r"game on 1 to (\d+)", example)
    played = type(game)(n=size[1]) if size else game
    printed = {
        line.strip()
        for shown in games_shown(game)
        if shown in section(game, "Example") + section(game, "Notation")
        for line in transcript(played, shown)
    }
    for block in re.findall(r"```\n(.*?)```", example, re.DOTALL):
        for line in block.splitlines():
            assert line.strip() in {"", *printed} or re.match(r"Player \d: ", line), line
