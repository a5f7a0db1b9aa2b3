"""What ideas prefer, and that whatever they say is true."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import numduel
from numduel import Game, State
from numduel.core.game import numbers
from numduel.core.text import in_words
from numduel.learn.ideas import applied, preferred, reason, situation, vocabulary
from tests.games import NAMES, or_else

SMALL = {
    "line": {"n": 7, "k": 3},
    "duel": {"n": 7, "k": 3},
    "capture": {"n": 7},
    "factors": {"n": 10},
    "build": {"n": 4, "copies": 1, "k": 3},
}
SETTINGS = or_else(SMALL, {})
MOST = 4_000


def small(name: str) -> Game:
    return numduel.game(name, **SETTINGS[name])


def decisions(game: Game) -> list[State]:
    """Positions of a small board in which there is something to choose."""
    found = []
    for seen, state in enumerate(game.start().walk()):
        if seen == MOST:
            break
        if len(state.legal_moves) > 1:
            found.append(state)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_an_idea_prefers_some_of_the_moves_it_is_given(name: str) -> None:
    for state in decisions(small(name))[::7]:
        seen, some = situation(state), state.mask & ~(state.mask & -state.mask)
        for idea in vocabulary(state.game):
            for given in (state.mask, some):
                chosen = idea.prefers(seen, given)
                assert chosen
                assert chosen & ~given == 0, (idea.name, state)


@pytest.mark.parametrize("name", NAMES)
def test_ideas_are_asked_about_the_position_not_about_who_sits_where(name: str) -> None:
    for state in decisions(small(name))[:200]:
        other = state.game.start(first=2)
        for token in state.text.split():
            other = other.apply_token(token)
        for idea in vocabulary(state.game):
            assert preferred(state, idea) == preferred(other, idea)


def lines_to_a_win(state: State, depth: int) -> bool:
    """Whether the player to move can force a win within so many of their own moves; by play alone,
    without a bit of the ideas' code."""
    mover = state.to_move
    for move in state.legal_moves:
        after = state.play(move)
        if after.winner == mover:
            return True
        if depth > 1 and after.winner is None and after.legal_moves:
            replies = [after.play(reply) for reply in after.legal_moves]
            if all(
                reply.winner == mover
                or (
                    reply.winner is None
                    and reply.to_move == mover
                    and lines_to_a_win(reply, depth - 1)
                )
                for reply in replies
            ):
                return True
    return False


CLAIMS: dict[str, Callable[[State, Any], bool]] = {
    "wins at once": lambda state, move: state.play(move).winner == state.to_move,
    "they can't win at once": lambda state, move: (
        state.play(move).winner == state.to_move
        or (
            state.play(move).winner is None
            and all(
                after.winner != after.to_move % 2 + 1
                for after in state.play(move).successors
                if not state.game.has_deck
            )
        )
    ),
    "they can't force a win in their next two moves": lambda state, move: (
        state.play(move).winner == state.to_move
        or (state.play(move).winner is None and not lines_to_a_win(state.play(move), 2))
    ),
    "you win next turn, whatever they answer": lambda state, move: (
        state.play(move).winner == state.to_move
        or all(
            after.winner == state.to_move or (after.winner is None and lines_to_a_win(after, 1))
            for after in state.play(move).successors
        )
    ),
    "they have no answer": lambda state, move: not state.play(move).legal_moves,
    "they can only pass": lambda state, move: state.play(move).legal_moves == ("pass",),
    "their only answer is": lambda *_: True,
    "they have only": lambda *_: True,
    " answers": lambda state, move: len(state.play(move).legal_moves) > 3,
    "you have at least": lambda *_: True,
    "brings the most points now": lambda state, move: (
        not isinstance(move, int) or move == max(state.legal_moves, key=int)
    ),
    "is the largest": lambda state, move: move == max(state.legal_moves),
    "is the smallest": lambda state, move: move == min(state.legal_moves),
    "as near the middle as you can get": lambda state, move: (
        abs(2 * move - state.game.bounds.actions - 1)
        == min(abs(2 * int(other) - state.game.bounds.actions - 1) for other in state.legal_moves)
    ),
    "is the mirror image of their": lambda state, move: (
        move + int(state.moves[-1]) == state.game.bounds.actions + 1
    ),
    "is next to their": lambda state, move: abs(move - int(state.moves[-1])) == 1,
    "is next to your": lambda state, move: abs(move - int(state.moves[-2])) == 1,
    "a partner for every answer": lambda state, move: (
        numduel.evaluate(state.play(move)).win_probability == 0
    ),
    "can grow one way only": lambda state, move: (
        move.endswith("x") and state.card in (1, max(state.game.cards))
    ),
    "you can use the": lambda _, move: not move.endswith("x"),
    "would fit": lambda *_: True,
    "a run of": lambda *_: True,
    "in a row": lambda *_: True,
    "sequence": lambda *_: True,
}
"""What a sentence says, and a check that it is so; the longest sentence that is in a text counts.
Counts are checked in tests of their own."""


@pytest.mark.parametrize("name", sorted(SMALL))
def test_whatever_an_idea_says_is_true(name: str) -> None:
    said = 0
    for state in decisions(small(name))[::3]:
        for idea in vocabulary(state.game):
            for move in state.legal_moves:
                text = reason(idea, state, move)
                if text is None:
                    continue
                claim = max((one for one in CLAIMS if one in text), key=len)
                assert CLAIMS[claim](state, move), (state, move, text)
                said += 1
    assert said > 100


@pytest.mark.parametrize("name", [name for name in NAMES if not small(name).has_deck])
def test_the_answers_that_a_sentence_counts_are_those_there_are(name: str) -> None:
    for state in decisions(small(name))[::5]:
        for idea in vocabulary(state.game):
            for move in state.legal_moves:
                text = reason(idea, state, move) or ""
                answers = state.play(move).legal_moves
                if found := re.search(r"they have (\w+) answers$", text):
                    assert found[1] == in_words(len(answers))
                elif found := re.search(r"(?:only answer is|only (\w+) answers,) (.*)", text):
                    told = re.split(r", | and ", found[2])
                    assert told == [str(answer) for answer in answers]
                    assert found[1] in (None, in_words(len(answers)))
                elif found := re.search(r"you have at least (\w+) move", text):
                    after = [
                        {*reply.legal_moves} - {"pass"} for reply in state.play(move).successors
                    ]
                    assert in_words(min(map(len, after))) == found[1]


def test_the_cards_that_fit_are_counted() -> None:
    state = numduel.game("build").replay("10")
    idea = next(idea for idea in vocabulary(state.game) if idea.name == "fits")
    # Next to a 10 only two 9s fit, and to an empty hand all 19 cards, which goes without saying.
    assert preferred(state, idea) == ("10x",)
    assert reason(idea, state, "10x") is None
    state = numduel.game("build").replay("3e 2e 7x 3b 6x 1e 5x 10x 4b 2")
    # 3 2 1 2 can grow by 4, 2 and 1, or 3: three are undrawn; 2 3 2 1 by 1, 3, or 2: two.
    assert reason(idea, state, "2e") is not None


def test_counting_answers_means_nothing_where_everything_free_is_legal() -> None:
    for name, counts in {"line": False, "duel": False, "capture": True, "factors": True}.items():
        known = {idea.name for idea in vocabulary(numduel.game(name))}
        assert ("starve" in known) == counts


def test_a_fork_in_duel_makes_two_threats() -> None:
    state = numduel.game("duel").replay("3 9")
    fork = next(idea for idea in vocabulary(state.game) if idea.name == "fork")
    for move in preferred(state, fork):
        after = state.play(move)
        assert all(
            any(reply.play(last).winner == 1 for last in reply.legal_moves)
            for reply in after.successors
        )


def test_ideas_of_large_boards_are_those_of_small_ones() -> None:
    names = [idea.name for idea in vocabulary(numduel.game("line", n=500))]
    assert names == [idea.name for idea in vocabulary(numduel.game("line"))]
    assert numbers(
        applied(vocabulary(numduel.game("line"))[:2], situation(numduel.game("line").start()))
    )
