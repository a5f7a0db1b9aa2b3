"""`check_game` has nothing to say of any game, and one sentence to say of a broken one."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from math import prod
from typing import Any, NamedTuple

import pytest
from numduel_examples.pawns import Pawns
from numduel_examples.pile import Pile, legal, play, result, start
from numduel_examples.reach import Reach

import numduel
from numduel.core.errors import BadGame
from numduel.core.game import Offer
from numduel.core.observation import BYTES
from numduel.core.rules import Bounds, Rules
from numduel.core.state import Move, State
from numduel.core.view import Cell, Fact, Layout, View
from numduel.solver.search import whole
from numduel.terminal.play import COMMANDS
from numduel.testing import PROMPT_WORDS, check_game, small_variants

EVERY_GAME = [*numduel.games(), Pawns, Pile, Reach]


@pytest.mark.parametrize(
    "kind",
    [
        *numduel.games(),
        Pile,
        pytest.param(Pawns, marks=pytest.mark.proof),
        pytest.param(Reach, marks=pytest.mark.proof),
    ],
    ids=lambda kind: kind.name,
)
def test_every_game_keeps_its_promises(kind: type[numduel.Game]) -> None:
    """Without being compiled, the last ones do so wherever they are installed
    (tests/project/doors.py)."""
    check_game(kind)


@pytest.mark.parametrize("kind", EVERY_GAME, ids=lambda kind: kind.name)
def test_the_small_variants_are_small_and_many(kind: type[numduel.Game]) -> None:
    found = small_variants(kind)
    sizes = [len(one.words) or one.high - one.low + 1 for one in kind.parameters.values()]
    assert len(found) > 5 or len(found) == prod(sizes)
    assert len(set(found)) == len(found)
    assert sum(1 for _ in islice(found[0].start().walk(), 100)) < 100


# -- broken games ---------------------------------------------------------------------------


def broken(name: str, **changed: Any) -> type[numduel.Game]:
    """The pile game with something else in the place of what it should have."""
    return type(name, (Pile,), {"__module__": __name__, **changed})


def with_rules(**changed: Any) -> type[numduel.Game]:
    return broken("Broken", rules=Rules(start, legal, play, result)._replace(**changed))


calls = iter(range(10**9))


def moody(pile: int, unused: int, v: Any) -> int:
    return legal(pile, unused, v) if next(calls) % 2 else 2 if pile else 0


def forgetful(pile: int, unused: int, move: int, v: Any) -> tuple[int, int]:
    return pile - move, next(calls) % 2


def same_after_all(_pile: int, _unused: int, _v: Any) -> tuple[int, int]:
    return 0, 0


def lead(_pile: int, _unused: int, _v: Any) -> int:
    return 7


def even(_pile: int, _unused: int, _v: Any) -> int:
    return 0


def always(_v: Any) -> bool:
    return True


def uneven(pile: int, _unused: int, _v: Any) -> int:
    return -1 if pile == 0 else pile % 2


def with_a_pass(pile: int, unused: int, v: Any) -> int:
    return legal(pile, unused, v) | 1 if pile else 0


def too_many(pile: int, unused: int, v: Any) -> int:
    return legal(pile, unused, v) | 1 << v.most + 1 if pile else 0


def below_nothing(pile: int, unused: int, move: int, v: Any) -> tuple[int, int]:
    return (pile - move or -1), 0


def nobody_wins(pile: int, unused: int, v: Any) -> int:
    return 0


def ahead(pile: int, unused: int, v: Any) -> int:
    return 7


def behind(pile: int, unused: int, v: Any) -> int:
    return -7


def endless(pile: int, unused: int, move: int, v: Any) -> tuple[int, int]:
    return (pile - move) or v.pile, 1 - unused


def standing_still(pile: int, unused: int, move: int, v: Any) -> tuple[int, int]:
    return pile, 0


class ALittleTooShort(Pile):
    """Enough for every shortest way to a position, but not for taking one at a time."""

    @cached_property
    def bounds(self) -> Bounds:
        slack = 1 if self.variant.most > 2 else 0
        return super().bounds._replace(plies=self.variant.pile - slack)


def misere(pile: int, unused: int, v: Any) -> int:
    return 1


def token(number: int, v: Any) -> int:
    return 2


def taking_one(pile: int, unused: int, v: Any) -> int:
    return 2 if pile else 0


def two_is_one(pile: int, unused: int, v: Any) -> int:
    return 4 if pile and v.most > 1 else 0


def shift(pile: int, unused: int, v: Any) -> tuple[int, int]:
    return pile + 1, unused


def not_compiled(v: Any) -> tuple[int, int]:
    return int(str(v.pile)), 0


class Lettered(Pile):
    """Moves are texts, but it does not say so."""

    def moves(self, mask: int, state: State) -> tuple[Move, ...]:
        return tuple(f"t{move}" for move in super().moves(mask, state))


class Chatty(Pile):
    def end_lines(self, view: View, winner: int) -> Any:
        return "The end."


class TooShort(Pile):
    @cached_property
    def bounds(self) -> Bounds:
        return super().bounds._replace(plies=1)


class TooNarrow(Pile):
    @cached_property
    def bounds(self) -> Bounds:
        return super().bounds._replace(bits=1)


class Secretive(Pile):
    def facts(self, state: State) -> tuple[Fact, ...]:
        return (Fact("Pile", "some"),)

    def refusal(self, move: Move, view: View) -> str:
        return "No."


class Silent(Secretive):
    def facts(self, state: State) -> tuple[Fact, ...]:
        return ()


class Unshown(Pile):
    def board(self, view: View) -> list[str]:
        return ["A pile."]


class Wordless(Pile):
    def end_lines(self, view: View, winner: int) -> list[str]:
        return []


class Rude(Pile):
    def refusal(self, move: Move, view: View) -> str:
        return "no"


class Mumbling(Pile):
    def label(self, move: Move) -> str:
        return "one"


class Twins(Pile):
    def cells(self, state: State) -> tuple[Cell, ...]:
        return Cell("1", None, "free"), Cell("1", None, "free")


class Numbered(Pile):
    def facts(self, state: State) -> tuple[Fact, ...]:
        return (Fact("Pile", state.position[0]),)  # type: ignore[arg-type]


class Ownerless(Pile):
    def cells(self, state: State) -> tuple[Cell, ...]:
        return (Cell("x", 0, "free"),)


class Trusting(Pile):
    """It takes everything in the list of moves for a move."""

    def facts(self, state: State) -> tuple[Fact, ...]:
        return (*super().facts(state), Fact("Taken", str(sum(map(int, state.moves)))))


class Wordy(Pile):
    """One of its moves is called as what takes a move back."""

    def label(self, move: Move) -> str:
        return "undo" if move == 1 else str(move)


class OtherVariant(NamedTuple):
    heap: int = 15
    most: int = 3


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (broken("Odd", id="Odd One"), "Odd.id is 'Odd One': use a-z, 0-9 and hyphens."),
        (broken("Mute", summary=""), "Mute.summary is not one line of text."),
        (broken("Curt", summary="Take some"), "Curt.summary is not a sentence"),
        (broken("Long", brief=("Take some.", "Win")), "Long: 'Win' in brief is not a sentence."),
        (broken("Vague", details=()), "Vague has no details: they tell agents, in sentences, what"),
        (broken("Loud", details=("No",)), "Loud: 'No' in details is not a sentence."),
        (broken("Round", layout=Layout("ring")),  # type: ignore[arg-type]
         "Round: there is no layout 'ring'."),
        (broken("Dear", offer=Offer({"pile": 10**9}, "A tall pile.", "The usual pile")),
         "Dear: what is offered cannot be played: "),
        (broken("Same", offer=Offer({"pile": 15}, "A pile of 15.", "The usual pile")),
         "Same.offer.settings must be those that are not the default: {}."),
        (broken("Shy", offer=Offer({"pile": 20}, "20", "The usual pile")),
         "Shy.offer: '20' is not a sentence."),
        (broken("Shut", offer=Offer({"pile": 20}, "A pile of 20.", "")),
         "Shut.offer.rulebook is not one line of text."),
        (broken("Vague", goal=lambda *_: "win"),
         "the goal 'win' is not a sentence."),
        (broken("Other", Variant=OtherVariant),
         "Other.parameters are pile, most, but its Variant has heap, most."),
        (with_rules(legal=moody), "legal gives another answer when asked again."),
        (with_rules(play=forgetful), "gives another answer for 1 when asked again."),
        (with_rules(legal=with_a_pass), "a pass (bit 0) is offered beside other moves."),
        (with_rules(legal=too_many), "legal allows moves beyond the 1 actions that are declared."),
        (with_rules(play=below_nothing), "its rules or its words raise ValueError: negative shift"),
        (with_rules(result=nobody_wins), "result is 0; it must be 1 or -1."),
        (with_rules(margin=ahead), "the margin is 7, but the result is -1."),
        (with_rules(margin=behind), "the margin is -7, more than the 0 points declared."),
        (with_rules(play=endless), "a game can be endless; a position comes again."),
        (with_rules(play=standing_still), "a game can be endless; a position comes again."),
        (ALittleTooShort, "a game can have 3 moves, more than the 2 declared."),
        (with_rules(result=misere, edges=token), "a player who cannot move does not lose."),
        (with_rules(apart=always), "apart is declared without a margin."),
        (with_rules(margin=even, apart=always), "legal is not what apart says."),
        (with_rules(rest=same_after_all), "but it does not go on in the same way."),
        (with_rules(ahead=lead), "ahead belongs to a game that is counted and has a rest."),
        (with_rules(margin=even, rest=whole, ahead=lead), "ahead is 7, but the margin is"),
        (with_rules(margin=even, rest=whole, ahead=uneven), "to what ahead says, but elsewhere"),
        (with_rules(aliases=taking_one), "a legal move is among the aliases."),
        (with_rules(legal=taking_one, aliases=two_is_one), "the alias 2 leads where no legal move"),
        (broken("Shifty", observation=BYTES._replace(flip=shift)), "does not give it back."),
        (TooShort, "that is more than the 1 moves declared."),
        (TooNarrow, "is not two integers of 1 bits."),
        (Silent, "board says nothing."),
        (Secretive, "but it is another position; say in the facts what differs."),
        (Unshown, "the fact Pile (0) is not in what the board says."),
        (Wordless, "end_lines does not say why."),
        (Chatty, "end_lines is not a list of lines."),
        (Lettered, "'t1' is a move, but numeric is True."),
        (broken("Lettered", numeric=False), "so moves must say which texts bits stand for."),
        (Rude, "is refused without a sentence."),
        (Mumbling, "typing 'one' is not read as 1."),
        (Twins, "two cells have the same label."),
        (Numbered, "the fact Pile is 1, not a text or a tuple."),
        (Ownerless, "0 is not an owner of a cell."),
        (Trusting, "the last of state.moves is 'resign', which is not a move, and what is shown"),
        (Wordy, "the move 'undo' is a word that does something else at the prompt."),
        (broken("Moved", __module__="numduel.games.heap"), "'pile', but its file is heap.py."),
        (broken("Second", __module__="numduel.games.pile", id="sequence-duel"),
         "Second.id is 'sequence-duel', which another game has as well."),
        (broken("Bare", __module__="numduel.games.pile"),
         "Bare: its rules page is missing, docs/rules/pile.md."),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else None,
)  # fmt: skip
def test_a_broken_promise_is_named_in_one_sentence(kind: type[numduel.Game], sentence: str) -> None:
    with pytest.raises(BadGame) as wrong:
        check_game(kind, compiled=False)
    said = str(wrong.value)
    assert sentence in said
    assert "\n" not in said


def test_no_move_is_called_as_what_can_be_typed_besides() -> None:
    assert {*PROMPT_WORDS, "rules all"} == {*COMMANDS, "save"}


# -- broken decks ---------------------------------------------------------------------------


def with_chance(**changed: Any) -> type[numduel.Game]:
    return type("Broken", (Reach,), {"chance": Reach.chance._replace(**changed)})


def takes_two(totals: int, deck: int, card: int, v: Any) -> tuple[int, int]:
    after = Reach.chance.draw(totals, deck, card, v)
    place = (v.suits + 1) ** (card - 1) * (v.high + 1)
    return (after[0], after[1] - place) if Reach.chance.left(*after, card, v) else after


def join_upside_down(own: int, other: int, v: Any) -> int:
    upside_down: int = other * (v.target + 1) + own
    return upside_down


def play_for_both(totals: int, deck: int, move: int, v: Any) -> tuple[int, int]:
    after, deck = Reach.rules.play(totals, deck, move, v)
    return 0 if Reach.chance.hand(after, 0, v) else after, deck


def lost_at_once(totals: int, deck: int, v: Any) -> int:
    return 1 if deck else Reach.rules.result(totals, deck, v)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (with_chance(draw=takes_two), "does more than take one"),
        (with_chance(join=join_upside_down), "join does not undo hand."),
        (type("Broken", (Reach,), {"rules": Reach.rules._replace(play=play_for_both)}),
         "playing a card changes the opponent's hand."),
        (type("Broken", (Reach,), {"rules": Reach.rules._replace(result=lost_at_once)}),
         "a card ends the game at once, but does not win it."),
    ],
)  # fmt: skip
def test_a_deck_that_breaks_a_promise_is_found_out(kind: type[numduel.Game], sentence: str) -> None:
    with pytest.raises(BadGame) as wrong:
        check_game(kind, compiled=False)
    assert sentence in str(wrong.value)


# -- compiled -------------------------------------------------------------------------------

OFFSET = {"value": 0}


def not_for_numba(pile: int, unused: int, v: Any) -> int:
    return legal(pile, unused, v) + OFFSET["value"]


def test_what_numba_cannot_compile_is_named() -> None:
    with pytest.raises(BadGame, match="Numba cannot compile legal"):
        check_game(with_rules(legal=not_for_numba))
    with pytest.raises(BadGame, match="Numba cannot compile start"):
        check_game(with_rules(start=not_compiled))


def overflowing(pile: int, unused: int, v: Any) -> int:
    return -1 if (pile + 1 << 62) * 4 > 0 else 1


def test_what_a_compiler_makes_something_else_of_is_found() -> None:
    with pytest.raises(BadGame, match="when it is compiled"):
        check_game(with_rules(result=overflowing))


def one_number(v: Any) -> int:
    return 1


def written_as_text(row: Any, pile: int, unused: int, v: Any) -> None:
    row[0] = int(str(pile))


def test_an_observation_that_is_written_at_once_is_compiled_and_none_is_forgotten() -> None:
    nothing = BYTES._replace(observe=None)
    with pytest.raises(BadGame, match="has neither observe nor write"):
        check_game(broken("Unseen", observation=nothing), compiled=False)
    written = nothing._replace(size=one_number, write=written_as_text)
    with pytest.raises(BadGame, match="Numba cannot compile write"):
        check_game(broken("Written", observation=written))
