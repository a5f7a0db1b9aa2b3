"""Ideas: what a person can see in a position without calculating everything.

>>> import numduel
>>> from numduel.learn.ideas import preferred, vocabulary
>>> state = numduel.game("factors").replay("19 1")
>>> [idea.name for idea in vocabulary(state.game)][:3]
['win', 'deny', 'fork']
>>> preferred(state, vocabulary(state.game)[0])         # what wins at once
(11, 13, 17)

An idea is a pure function from a situation and candidate moves to the moves that it prefers, with
words: see `Idea`. The ideas here follow from the rules of any game; a game file adds its own. They
look a few moves ahead at most, and never ask the solver: a person could follow them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import permutations
from typing import Any

from numduel.core.game import Game, numbers
from numduel.core.ideas import (
    Idea,
    Made,
    Narrow,
    Score,
    Situation,
    by,
    highest,
    remembered,
    size,
)
from numduel.core.language import N_, _, plural
from numduel.core.matching import graph_of, missed
from numduel.core.rules import Position
from numduel.core.state import Move, State
from numduel.core.text import in_words, percentage

__all__ = [
    "Idea", "Situation", "applied", "explaining", "idea_named", "lists", "preferred", "reason",
    "situation", "smallest", "vocabulary",
]  # fmt: skip

FEW = 4
"""The most answers that are called few."""
LONGEST_LIST = 2
"""The most ideas in a list that should find a move."""
SECOND_MOVES = 4096
"""About how many second moves are looked at to see whether counting answers means anything."""


def situation(state: State) -> Situation:
    """What the player to move sees in a state."""
    game = state.game
    last = [game.code(move) for move in state.moves[-2:]]
    theirs, mine = [*reversed(last), 0, 0][:2]
    return Situation(game, state.position, theirs, mine)


def applied(ideas: Iterable[Idea], seen: Situation) -> int:
    """The legal moves that are left when ideas are applied in turn, as a bit set."""
    moves = seen.legal
    for idea in ideas:
        if moves & moves - 1 == 0:
            break
        moves = idea.prefers(seen, moves)
    return moves


def preferred(state: State, *ideas: Idea) -> tuple[Move, ...]:
    """The moves of a state that are left when ideas are applied in turn."""
    return state.game.moves(applied(ideas, situation(state)), state)


def reason(idea: Idea, state: State, move: Move) -> str | None:
    """What an idea says for a move; None if it does not prefer the move to another legal one. It is
    true by the rules alone."""
    seen, code = situation(state), state.game.code(move)
    some = idea.prefers(seen, seen.legal)
    if some == seen.legal or not some >> code & 1:
        return None
    return idea.reason(state, code) or None


def lists(state: State) -> Iterator[tuple[tuple[Idea, ...], int]]:
    """The lists of ideas for a state, shortest first and then easiest, each with the moves it
    leaves, as a bit set. Lists with an idea that changes nothing are left out."""
    seen = situation(state)
    left: dict[tuple[Idea, ...], int] = {(): seen.legal}
    yield (), seen.legal
    for length in range(1, LONGEST_LIST + 1):
        for ideas in _orders(state.game, length):
            before = left.get(ideas[:-1], 0)
            moves = ideas[-1].prefers(seen, before) if before & before - 1 else before
            if moves != before:
                left[ideas] = moves
                yield ideas, moves


def smallest(state: State, finds: Callable[[int], bool]) -> tuple[Idea, ...] | None:
    """The smallest list of ideas that leaves the right moves, without those that only go by what a
    number looks like; None if there is none."""
    return next(
        (ideas for ideas, left in lists(state) if finds(left) and not set(ideas) & set(PATTERNS)),
        None,
    )


@lru_cache(maxsize=64)
def _orders(game: Game, length: int) -> tuple[tuple[Idea, ...], ...]:
    """Every list of so many ideas of a game, the easiest first."""
    found = permutations(vocabulary(game), length)
    return tuple(sorted(found, key=lambda ideas: sum(idea.grade for idea in ideas)))


@lru_cache(maxsize=64)
def explaining(game: Game) -> tuple[Idea, ...]:
    """The ideas that can be the reason for a move, the most specific first: what wins at once, what
    the game's players are warned of, what loses at once; then what can be counted, points or else
    answers; then two threats, and what else the game is about. What a number looks like is no
    reason."""
    usual = [idea for idea in vocabulary(game) if idea not in PATTERNS]
    counted = [idea for idea in (POINTS, STARVE) if idea in usual]
    return tuple(dict.fromkeys((WIN, *game.dangers, DENY, *counted[:1], *usual)))


def idea_named(game: Game, name: str) -> Idea | None:
    """The idea of a game that has a name, if there is one."""
    every = (*vocabulary(game), *game.dangers)
    return next((idea for idea in every if idea.name == name), None)


@lru_cache(maxsize=64)
def vocabulary(game: Game) -> tuple[Idea, ...]:
    """The ideas that make sense in a game, its own included; the easiest to see first."""
    found = [WIN, DENY, FORK, DENY_FORK] if not game.has_deck else [WIN, DENY]
    found += game.ideas
    if game.has_deck:
        found += [USE, FITS]
    elif _counts_differ(game):
        found += [STARVE, MOBILITY]
    if game.rules.margin is not None:
        found.append(POINTS)
    if game.numeric:
        found += PATTERNS
    if game.rules.edges is not None:
        found.append(PAIR)
    return tuple(found)


# -- what follows within a few moves --------------------------------------------------------


def _undealt(_a: int, _b: int, _v: Any) -> int:
    """Without a deck no card is due."""
    return 0


def _over(game: Game) -> Any:
    """Whether the game is over."""
    legal, due = game.rules.legal, game.chance.due if game.has_deck else _undealt

    def over(a: int, b: int, v: Any) -> bool:
        return legal(a, b, v) == 0 and due(a, b, v) == 0

    return over


def _wins(game: Game) -> Score:
    """1 for a move that wins at once."""
    play, result, over = game.rules.play, game.rules.result, _over(game)

    def score(a: int, b: int, move: int, v: Any) -> int:
        a, b = play(a, b, move, v)
        return 1 if over(a, b, v) and result(a, b, v) < 0 else 0

    return score


def _winning(game: Game) -> Any:
    """The moves that win at once."""
    legal, wins = game.rules.legal, _wins(game)

    def winning(a: int, b: int, v: Any) -> int:
        found = 0
        moves = legal(a, b, v)
        move = 0
        while moves:
            if moves & 1 and wins(a, b, move, v):
                found |= 1 << move
            moves >>= 1
            move += 1
        return found

    return remembered(winning)


def _threatened(game: Game) -> Any:
    """How likely the player to move can win at once: 0 or 1 where there is no luck. In a finished
    game, 1 if they have won."""
    legal, result, winning = game.rules.legal, game.rules.result, _winning(game)

    def threatened(a: int, b: int, v: Any) -> int:
        if legal(a, b, v) == 0:
            return 1 if result(a, b, v) > 0 else 0
        return 1 if winning(a, b, v) else 0

    if not game.has_deck:
        return remembered(threatened)
    due, left, draw, cards = *game.chance[:3], game.bounds.cards

    def expected(a: int, b: int, v: Any) -> float:
        if due(a, b, v) == 0:
            return 1.0 * threatened(a, b, v)
        total = 0
        wins = 0
        for card in range(1, cards + 1):
            count = left(a, b, card, v)
            if count:
                c, d = draw(a, b, card, v)
                wins += count if winning(c, d, v) else 0
                total += count
        return wins / total

    return remembered(expected)


def _forks(game: Game) -> Any:
    """The moves that win at once, or after which there is a winning move whatever the answer."""
    legal, play, winning = game.rules.legal, game.rules.play, _winning(game)
    threatened = _threatened(game)

    def safe(a: int, b: int, v: Any) -> bool:
        """Whether there are answers, and after each the other player can win at once."""
        answers = legal(a, b, v)
        found = answers != 0
        answer = 0
        while answers and found:
            if answers & 1:
                c, d = play(a, b, answer, v)
                found = threatened(c, d, v) > 0
            answers >>= 1
            answer += 1
        return found

    def forks(a: int, b: int, v: Any) -> int:
        found: int = winning(a, b, v)
        moves = legal(a, b, v) & ~found
        move = 0
        while moves:
            if moves & 1:
                c, d = play(a, b, move, v)
                if safe(c, d, v):
                    found |= 1 << move
            moves >>= 1
            move += 1
        return found

    return remembered(forks)


@lru_cache(maxsize=64)
def _remembering(make: Callable[[Game], Any], game: Game) -> Any:
    return make(game)


def winning(game: Game, position: Position) -> int:
    """The moves that win at once."""
    found: int = _remembering(_winning, game)(*position, game.variant)
    return found


def threatened(game: Game, position: Position) -> float:
    """How likely the player to move can win at once; in a finished game, 1 if they have won."""
    found: float = _remembering(_threatened, game)(*position, game.variant)
    return found


def lost(game: Game, position: Position) -> bool:
    """Whether the game is over and the player to move has lost."""
    return over(game, position) and game.rules.result(*position, game.variant) < 0


def over(game: Game, position: Position) -> bool:
    """Whether the game is over."""
    found: bool = _over(game)(*position, game.variant)
    return found


# -- winning and not losing -----------------------------------------------------------------


def _or_all(some: int, moves: int) -> int:
    """The moves that are among `some`, or all of them if none is."""
    return some & moves if some & moves else moves


def _win(game: Game) -> Narrow:
    winning = _winning(game)

    def narrow(a: int, b: int, moves: int, v: Any) -> int:
        return _or_all(winning(a, b, v), moves)

    return narrow


def _fork(game: Game) -> Narrow:
    winning, forks = _winning(game), _forks(game)

    def narrow(a: int, b: int, moves: int, v: Any) -> int:
        wins = winning(a, b, v) & moves
        return wins if wins else _or_all(forks(a, b, v), moves)

    return narrow


def _harmless(game: Game) -> Score:
    """Minus how likely a move lets the opponent win at once."""
    play, threatened = game.rules.play, _threatened(game)

    def score(a: int, b: int, move: int, v: Any) -> float:
        a, b = play(a, b, move, v)
        found: float = -threatened(a, b, v)
        return found

    return score


def _quiet(game: Game) -> Score:
    """1 for a move that wins at once, or after which the opponent has no fork."""
    play, result, over, forks = (
        game.rules.play, game.rules.result, _over(game), _forks(game)
    )  # fmt: skip

    def score(a: int, b: int, move: int, v: Any) -> int:
        a, b = play(a, b, move, v)
        if over(a, b, v):
            return 1 if result(a, b, v) < 0 else 0
        return 0 if forks(a, b, v) else 1

    return score


def spoken(state: State, move: int) -> str:
    """A move as the subject of a sentence, from its bit."""
    return subject(state, state.game.moves(1 << move, state)[0])


def subject(state: State, move: Move) -> str:
    """A move as the subject of a sentence about a position."""
    return state.game.subject(state.game.worded(move, state))


def _after(state: State, move: int) -> str:
    """A move as the beginning of a sentence, from its bit: ``after 5``."""
    (made,) = state.game.moves(1 << move, state)
    return state.game.after(state.game.worded(made, state))


def _answers(state: State, move: int) -> tuple[Move, ...]:
    """The answers that a move leaves."""
    return state.play(state.game.moves(1 << move, state)[0]).legal_moves


def _said(clause: str) -> Callable[[State, int], str]:
    """A reason that reads the same for every move, marked for translation."""
    return lambda state, move: _(clause, move=spoken(state, move), after=_after(state, move))


def _why_deny(state: State, move: int) -> str:
    seen = situation(state)
    threat = threatened(seen.game, seen.after(move).position)
    after = _after(state, move)
    if threat == 0:
        # Translators: {after} is "after 5" or "after discarding 4", as translated there.
        return _("{after} they can't win at once", after=after)
    return _(
        "{after} they draw a card that wins in only {share} of cases",
        after=after, share=percentage(threat),
    )  # fmt: skip


def _why_fork(state: State, move: int) -> str:
    seen = situation(state)
    if lost(seen.game, seen.after(move).position):
        return _("{move} wins at once", move=spoken(state, move))
    after = state.play(state.game.moves(1 << move, state)[0])
    if any(after.play(answer).is_over for answer in after.legal_moves):
        return ""  # an answer may end the game before that turn
    return _("{after} you win next turn, whatever they answer", after=_after(state, move))


_DENY, _DENY_FORK = highest(_harmless), highest(_quiet)
WIN = Idea(
    "win",
    N_("Win at once if you can."),
    N_("Look for a move that wins at once."),
    N_("a move that wins at once"),
    by(_win),
    _said(N_("{move} wins at once")),
    ahead=1,
)
DENY = Idea(
    "deny",
    N_("Don't let them win at once."),
    N_("After which of your moves could they win at once?"),
    N_("what the opponent threatens"),
    by(_DENY),
    _why_deny,
    2,
    ahead=2,
)
FORK = Idea(
    "fork",
    N_("Win if you can; if not, set up a win they can't stop."),
    N_("After which move would you win next turn, whatever they answer?"),
    N_("two threats at once"),
    by(_fork),
    _why_fork,
    3,
    ahead=3,
)
DENY_FORK = Idea(
    "deny-fork",
    N_("Stop them from winning, and from setting up a win that you can't stop."),
    N_("What could they play next that you couldn't stop?"),
    N_("two threats that the opponent could make"),
    by(_DENY_FORK),
    _said(N_("{after} they can't force a win in their next two moves")),
    4,
    ahead=4,
)


# -- counting answers -----------------------------------------------------------------------


def _fewest(game: Game) -> Score:
    """Minus the number of answers that a move leaves."""
    legal, play = game.rules.legal, game.rules.play

    def score(a: int, b: int, move: int, v: Any) -> int:
        a, b = play(a, b, move, v)
        return -size(legal(a, b, v))

    return score


MANY = 1 << 20
"""More moves than any game has."""


def _kept(game: Game) -> Score:
    """The fewest moves that a player has after a move and an answer, passes not counted; `MANY` if
    there is no answer and the move wins."""
    legal, play, result = game.rules.legal, game.rules.play, game.rules.result

    def score(a: int, b: int, move: int, v: Any) -> int:
        a, b = play(a, b, move, v)
        answers = legal(a, b, v)
        if answers == 0:
            return MANY if result(a, b, v) < 0 else 0
        least = MANY
        answer = 0
        while answers:
            if answers & 1:
                c, d = play(a, b, answer, v)
                least = min(least, size(legal(c, d, v) & ~1))
            answers >>= 1
            answer += 1
        return least

    return score


def _ahead(game: Game) -> Score:
    """How far ahead a move puts the player who makes it, in a game that is counted."""
    play, margin = game.rules.play, game.rules.margin or game.rules.result

    def score(a: int, b: int, move: int, v: Any) -> int:
        a, b = play(a, b, move, v)
        return -margin(a, b, v)

    return score


def _counts_differ(game: Game) -> bool:
    """Whether, within the first two moves, some move leaves more answers than another: in a game
    where everything that is free is legal, counting answers means nothing."""
    start = Situation(game, game.rules.start(game.variant))
    looked = 4 + SECOND_MOVES // game.bounds.actions
    early = [start, *(start.after(move) for move in numbers(start.legal)[:looked])]
    return any(
        len({seen.after(move).legal.bit_count() for move in numbers(seen.legal)} - {0}) > 1
        for seen in early
    )


def _why_starve(state: State, move: int) -> str:
    answers, after = _answers(state, move), _after(state, move)
    if not answers:
        return _("{after} they have no answer", after=after)
    if answers == ("pass",):
        return _("{after} they can only pass", after=after)
    if len(answers) == 1:
        answer = state.game.label(answers[0])
        return _("{after} their only answer is {answer}", after=after, answer=answer)
    count = in_words(len(answers))
    if len(answers) <= FEW:
        return plural(
            "{after} they have only one answer",
            "{after} they have only {count} answers",
            len(answers), after=after, count=count,
        )  # fmt: skip
    return plural(
        "{after} they have one answer",
        "{after} they have {count} answers",
        len(answers), after=after, count=count,
    )  # fmt: skip


def _why_mobility(state: State, move: int) -> str:
    seen, after = situation(state), _after(state, move)
    kept = _kept(seen.game)(*seen.position, move, seen.game.variant)
    if kept == MANY:
        return _("{after} they have no answer", after=after)
    return plural(
        "{after} you have at least one move next turn, whatever they answer",
        "{after} you have at least {count} moves next turn, whatever they answer",
        kept, after=after, count=in_words(kept),
    )  # fmt: skip


_STARVE, _MOBILITY, _POINTS = (highest(score) for score in (_fewest, _kept, _ahead))
STARVE = Idea(
    "starve",
    N_("Leave them as few answers as you can."),
    N_("Count the answers you leave them."),
    N_("how few answers a move leaves"),
    by(_STARVE),
    _why_starve,
    ahead=1,
)
MOBILITY = Idea(
    "mobility",
    N_("Keep as many moves for yourself as you can, whatever they answer."),
    N_("Count the moves you will have next turn, whatever they answer."),
    N_("how many moves it keeps for itself"),
    by(_MOBILITY),
    _why_mobility,
    2,
    ahead=2,
)


# -- numbers as numbers ---------------------------------------------------------------------


def _nearness(game: Game) -> Score:
    """How near the middle a number is."""
    ends = game.bounds.actions + 1

    def score(_a: int, _b: int, move: int, _v: Any) -> int:
        return -abs(2 * move - ends)

    return score


def _mirror(seen: Situation, moves: int) -> int:
    across = seen.game.bounds.actions + 1 - seen.theirs
    return _or_all(1 << across, moves) if seen.theirs else moves


def _beside(number: int, moves: int) -> int:
    return _or_all(1 << number + 1 | 1 << number >> 1, moves) if number else moves


def _why_mirror(state: State, move: int) -> str:
    return _(
        "{move} is the mirror image of their {number}",
        move=spoken(state, move), number=situation(state).theirs,
    )  # fmt: skip


def _why_beside_theirs(state: State, move: int) -> str:
    name, number = spoken(state, move), situation(state).theirs
    return _("{move} is next to their {number}", move=name, number=number)


def _why_beside_mine(state: State, move: int) -> str:
    name, number = spoken(state, move), situation(state).mine
    return _("{move} is next to your {number}", move=name, number=number)


POINTS = Idea(
    "points",
    N_("Take the most points you can get now."),
    N_("Which move brings the most points now?"),
    N_("how many points a move brings"),
    by(_POINTS),
    _said(N_("{move} brings the most points now")),
    ahead=1,
)
LARGEST = Idea(
    "largest",
    N_("Take the largest number you can."),
    N_("Look at the largest numbers."),
    N_("which number is the largest"),
    lambda _, moves: 1 << moves.bit_length() - 1,
    _said(N_("{move} is the largest number that you can take")),
)
SMALLEST = Idea(
    "smallest",
    N_("Take the smallest number you can."),
    N_("Look at the smallest numbers."),
    N_("which number is the smallest"),
    lambda _, moves: moves & -moves,
    _said(N_("{move} is the smallest number that you can take")),
)
_CENTRAL = highest(_nearness)
CENTRAL = Idea(
    "central",
    N_("Take the number nearest the middle."),
    N_("Look at the middle."),
    N_("which number is nearest the middle"),
    by(_CENTRAL),
    _said(N_("{move} is as near the middle as you can get")),
)
MIRROR = Idea(
    "mirror",
    N_("Take the mirror image of their last number."),
    N_("Where is the mirror image of their last number?"),
    N_("the mirror image of the opponent's last number"),
    _mirror,
    _why_mirror,
    2,
    history=True,
)
BESIDE_THEIRS = Idea(
    "beside-theirs",
    N_("Take a number next to their last one."),
    N_("Look at the neighbours of their last number."),
    N_("the neighbours of the opponent's last number"),
    lambda seen, moves: _beside(seen.theirs, moves),
    _why_beside_theirs,
    history=True,
)
BESIDE_MINE = Idea(
    "beside-mine",
    N_("Take a number next to your own last one."),
    N_("Look at the neighbours of your own last number."),
    N_("the neighbours of its own last number"),
    lambda seen, moves: _beside(seen.mine, moves),
    _why_beside_mine,
    history=True,
)
PATTERNS = (LARGEST, SMALLEST, CENTRAL, MIRROR, BESIDE_THEIRS, BESIDE_MINE)
"""Ideas that go by what a number looks like, not by what a move does."""


# -- habits of the computer's levels --------------------------------------------------------


def _ways_to_lose(game: Game) -> Score:
    """Minus how many moves that win at once a move leaves the opponent."""
    play, winning = game.rules.play, _winning(game)

    def score(a: int, b: int, move: int, v: Any) -> int:
        a, b = play(a, b, move, v)
        return -size(winning(a, b, v))

    return score


def _habit(name: str, sees: str, made: Made) -> Idea:
    """An idea that only a level of the computer has: nobody is taught it."""
    return Idea(name, "", "", sees, by(made), lambda *_given: "", ahead=2)


ROUGH_POINTS = _habit("rough-points", N_("about how many points a move brings"), highest(_ahead, 3))
NEAR_POINTS = _habit(
    "near-points", N_("almost exactly how many points a move brings"), highest(_ahead, 2)
)
RESIST = _habit("resist", "", highest(_ways_to_lose))
HABITS = (ROUGH_POINTS, NEAR_POINTS, RESIST)
"""What makes a level play like somebody who tries: it reaches for points, and when it cannot stop
the opponent from winning at once, leaves as few ways as it can. They are in no vocabulary, because
they are not worth learning."""


# -- a token on a graph ---------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def _single(game: Game, used: int) -> int:
    """The unused numbers that can stay single when as many as possible are paired off along
    edges."""
    return sum(1 << number for number in missed(graph_of(game, used)))


PAIR = Idea(
    "pair",
    N_(
        "Pair the numbers off in your head, and take one that leaves you a partner for every"
        " answer."
    ),
    N_("Pair off the numbers that are left. Which one stays single?"),
    N_("how the numbers can be paired off"),
    lambda seen, moves: _or_all(_single(seen.game, seen.position[0]), moves),
    _said(N_("{after} the numbers can be paired off so that you have a partner for every answer")),
    5,
)


# -- a deck ---------------------------------------------------------------------------------


def _uses(game: Game) -> Score:
    """1 for a move that changes one's own hand."""
    play, hand = game.rules.play, game.chance.hand

    def score(a: int, b: int, move: int, v: Any) -> int:
        c, _ = play(a, b, move, v)
        return 1 if hand(c, 1, v) != hand(a, 0, v) else 0

    return score


def _takes(game: Game) -> Any:
    """Whether a card could be added to a hand."""
    start, legal, uses = game.rules.start, game.rules.legal, _uses(game)
    draw, hand_of, join = game.chance.draw, game.chance.hand, game.chance.join

    def takes(hand: int, card: int, v: Any) -> bool:
        a, b = start(v)
        a, b = draw(join(hand, hand_of(a, 1, v), v), b, card, v)
        moves = legal(a, b, v)
        move = 0
        found = False
        while moves and not found:
            found = moves & 1 != 0 and uses(a, b, move, v) > 0
            moves >>= 1
            move += 1
        return found

    return remembered(takes)


def _fitting(game: Game) -> Score:
    """How many undrawn cards could be added to one's hand after a move; more than there are if the
    move wins."""
    play, takes, wins = game.rules.play, _takes(game), _wins(game)
    left, hand_of, cards = game.chance.left, game.chance.hand, game.bounds.cards

    def score(a: int, b: int, move: int, v: Any) -> int:
        won: int = wins(a, b, move, v)
        a, b = play(a, b, move, v)
        hand = hand_of(a, 1, v)
        found = 0
        for card in range(1, cards + 1):
            count = left(a, b, card, v)
            if count and (won or takes(hand, card, v)):
                found += count
        return found + won

    return score


def _why_fits(state: State, move: int) -> str:
    seen = situation(state)
    fitting = _remembering(_fitting, seen.game)
    count = fitting(*seen.position, move, seen.game.variant)
    if lost(seen.game, seen.after(move).position):
        return _("{move} wins at once", move=spoken(state, move))
    if count == sum(seen.game.undrawn(seen.after(move).position).values()):
        return ""  # every card fits, which says nothing
    return plural(
        "{after}, {n:,} undrawn card would fit",
        "{after}, {n:,} undrawn cards would fit",
        count, after=_after(state, move),
    )  # fmt: skip


_USE, _FITS = highest(_uses), highest(_fitting)
USE = Idea(
    "use",
    N_("Add every card that you can."),
    N_("Can you use the card?"),
    N_("whether a card can be added"),
    by(_USE),
    lambda state, _move: _("you can use the {card}", card=state.card),
)
FITS = Idea(
    "fits",
    N_("Play so that as many undrawn cards as possible would still fit."),
    N_("Count the undrawn cards that would still fit."),
    N_("how many undrawn cards still fit"),
    by(_FITS),
    _why_fits,
    2,
)
