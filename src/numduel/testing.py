"""Checks that a game file keeps its contract, for authors of games.

>>> from numduel.testing import check_game
>>> import numduel
>>> check_game(type(numduel.game("duel")))          # says nothing, or what is wrong in one sentence

All positions of small variants are visited, up to a few thousand, and random games of the default
one are played. The rules are asked twice, from both seats, and compiled; every move goes through
the notation and back; every view is read as a player would.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any

import numpy as np

from numduel.core.errors import BadGame, BadVariant, IllegalMove, NumduelError
from numduel.core.game import Game, Offer, numbers
from numduel.core.observation import Observation
from numduel.core.rules import POINT
from numduel.core.state import RESIGNATIONS, Move, Position, State
from numduel.core.text import is_slug
from numduel.core.view import CELL_STATES, LAYOUTS, View, view
from numduel.games import shipped
from numduel.solver.search import nothing

POSITIONS = 4_000
"""Positions that are visited over all small variants."""
SMALLEST_SIZES = 6
"""How many of the smallest sizes are tried, each with a few values of the other settings."""
OTHER_VALUES = 3
RANDOM_GAMES = 10
WRITTEN_OTHERWISE = {
    "moves": "which texts bits stand for",
    "read": "how one is read",
    "code": "which bit one stands for",
    "input_hint": "what to type",
    "input_error": "what to type",
}
"""What a game must define if its moves are not numbers, and what each says."""
PROMPT_WORDS = (
    *("?", "board", "exit", "help", "hint", "q"),
    *("quit", "resign", "rules", "save", "undo", "values"),
)
"""What can be typed at the prompt besides moves."""
COMPARED = 300
"""Positions on which compiled and plain rules are compared."""


def check_game(kind: type[Game], *variants: Game, compiled: bool = True) -> None:
    """Raise `BadGame` with one sentence if a game class breaks its contract.

    Small variants are chosen by the ranges of the parameters, unless some are given. Without
    `compiled` the rules are not compiled, which takes most of the time.
    """
    try:
        _check(kind, variants, compiled=compiled)
    except NumduelError:
        raise
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        raise BadGame(f"{kind.__name__}: its rules or its words raise {said}.") from error


def _check(kind: type[Game], variants: tuple[Game, ...], *, compiled: bool) -> None:
    _check_declarations(kind)
    chosen = list(variants) or small_variants(kind)
    if not chosen:
        raise BadGame(f"{kind.__name__}: no small variant can be made of its parameters.")
    visited: list[State] = []
    for game in chosen:
        found: list[State] = []
        seen: dict[object, State] = {}
        for state in islice(game.start().walk(), max(POSITIONS - len(visited), 0)):
            _check_state(state)
            _check_view(state, seen)
            found.append(state)
        _check_rest(game, found)
        if game.has_deck:
            _check_deck(game, found)
        if len(visited) + len(found) < POSITIONS:
            _check_length(game)
        visited += found
    default, played = kind(), []
    for seed in range(RANDOM_GAMES):
        for state in _random_game(default, seed):
            _check_state(state)
            _check_words(state, view(state))
            _check_without_a_move(state)
            played.append(state)
    if compiled:
        _check_compiled(kind, played + visited[:: max(1, len(visited) // COMPARED)])


def small_variants(kind: type[Game]) -> list[Game]:
    """Variants of a game with few positions, the smallest first."""
    ranges: list[list[object]] = []
    for place, parameter in enumerate(kind.parameters.values()):
        count = OTHER_VALUES if place else SMALLEST_SIZES
        last = min(parameter.high, parameter.low + count - 1)
        ranges.append(list(parameter.words) or list(range(parameter.low, last + 1)))
    found = []
    for values in product(*ranges):
        try:
            found.append(kind(**dict(zip(kind.parameters, values, strict=True))))
        except BadVariant:
            continue
    return found


# -- what a class declares ------------------------------------------------------------------


def _check_declarations(kind: type[Game]) -> None:
    who = kind.__name__
    for field in ("id", "name", "title", "summary", "rules", "Variant", "parameters"):
        _require(hasattr(kind, field), f"{who} declares no {field}.")
    for field in ("id", "name"):
        text = getattr(kind, field)
        _require(is_slug(text), f"{who}.{field} is {text!r}: use a-z, 0-9 and hyphens.")
    for field in ("title", "summary"):
        text = getattr(kind, field)
        one_line = isinstance(text, str) and text.strip() and text.isprintable()
        _require(bool(one_line), f"{who}.{field} is not one line of text.")
    _require(kind.summary.endswith("."), f"{who}.summary is not a sentence: it has no full stop.")
    for field, what in WRITTEN_OTHERWISE.items():
        own = kind.numeric or getattr(kind, field) is not getattr(Game, field)
        _require(own, f"{who}: moves are not numbers, so {field} must say {what}.")
    fields = kind.Variant._fields
    _require(
        fields == tuple(kind.parameters),
        f"{who}.parameters are {', '.join(kind.parameters)}, but its Variant has"
        f" {', '.join(fields)}.",
    )
    _require(len(kind.Variant._field_defaults) == len(fields), f"{who}.Variant lacks a default.")
    usual = kind()
    _check_file(kind, usual)
    _require(
        bool(usual.details),
        f"{who} has no details: they tell agents, in sentences, what its brief leaves open.",
    )
    for field in ("brief", "details"):
        for sentence in getattr(usual, field):
            _require(_is_sentence(sentence), f"{who}: {sentence!r} in {field} is not a sentence.")
    _require(usual.layout.kind in LAYOUTS, f"{who}: there is no layout {usual.layout.kind!r}.")
    for name, value in usual.settings.items():
        try:
            kind.parameters[name].read(name, value)
        except BadVariant as error:
            raise BadGame(f"{who}: the default of {name} is not allowed: {error}") from None
    if kind.offer is not None:
        _check_offer(kind, kind.offer)


def _check_offer(kind: type[Game], offer: Offer) -> None:
    """What people are offered is another variant, and a door can say which."""
    who = kind.__name__
    try:
        changed = kind(**offer.settings).changed
    except BadVariant as error:
        raise BadGame(f"{who}: what is offered cannot be played: {error}") from None
    same = changed == offer.settings
    _require(same, f"{who}.offer.settings must be those that are not the default: {changed}.")
    _require(_is_sentence(offer.told), f"{who}.offer: {offer.told!r} is not a sentence.")
    label = offer.rulebook
    one_line = isinstance(label, str) and label.strip() and label.isprintable()
    _require(bool(one_line), f"{who}.offer.rulebook is not one line of text.")


def _check_file(kind: type[Game], usual: Game) -> None:
    """A file in the folder of the games has the name of its game, and a rules page."""
    folder, _, file = kind.__module__.rpartition(".")
    if folder != shipped.__module__:
        return
    who = kind.__name__
    _require(kind.name == file, f"{who}.name is {kind.name!r}, but its file is {file}.py.")
    others = [other.id for other in shipped() if other is not kind]
    _require(kind.id not in others, f"{who}.id is {kind.id!r}, which another game has as well.")
    none = f"# {kind.title}\n\n{kind.summary}\n"
    _require(usual.page != none, f"{who}: its rules page is missing, docs/rules/{file}.md.")


# -- traversal ------------------------------------------------------------------------------


def _check_length(game: Game) -> None:
    """No game is endless, or longer than declared: find the longest path through all positions,
    depth first on an explicit stack."""
    longest: dict[Position, int] = {}
    path: dict[Position, list[tuple[Position, int]]] = {}
    start = game.rules.start(game.variant)
    waiting = [start]
    while waiting:
        position = waiting[-1]
        if position not in path:
            path[position] = _successors(game, position)
            for after, _ in path[position]:
                _require(
                    after not in path or after in longest,
                    f"{game}: a game can be endless; a position comes again.",
                )
            waiting += [after for after, _ in path[position] if after not in longest]
        else:
            waiting.pop()
            if position not in longest:
                lengths = [longest[after] + step for after, step in path[position]]
                longest[position] = max(lengths, default=0)
    _require(
        longest[start] <= game.bounds.plies,
        f"{game}: a game can have {longest[start]} moves, more than the {game.bounds.plies}"
        " declared.",
    )


def _successors(game: Game, position: Position) -> list[tuple[Position, int]]:
    """The positions after every draw or move, and how many moves that is."""
    v = game.variant
    if game.has_deck and game.chance.due(*position, v):
        cards = game.undrawn(position)
        return [(game.chance.draw(*position, card, v), 0) for card in cards]
    codes = numbers(game.rules.legal(*position, v))
    return [(game.rules.play(*position, code, v), 1) for code in codes]


def _random_game(game: Game, seed: int) -> Iterator[State]:
    luck, state = random.Random(seed), game.start()
    yield state
    while state.winner is None:  # `_check_state` stops a game that never ends
        state = luck.choice(state.successors)
        yield state


# -- one position ---------------------------------------------------------------------------


def _check_state(state: State) -> None:
    game, v, bounds = state.game, state.game.variant, state.game.bounds
    where = f"{game}, after {_after(state)}"
    for number in state.position:
        _require(
            type(number) is int and 0 <= number < 1 << bounds.bits,
            f"{where}: the position {state.position} is not two integers of {bounds.bits} bits.",
        )
    mask = game.rules.legal(*state.position, v)
    _require(mask == state.mask, f"{where}: legal gives another answer when asked again.")
    _require(
        type(mask) is int and 0 <= mask < 2 << bounds.actions,
        f"{where}: legal allows moves beyond the {bounds.actions} actions that are declared.",
    )
    _require(mask == 1 or not mask & 1, f"{where}: a pass (bit 0) is offered beside other moves.")
    made = sum(move not in RESIGNATIONS for move in state.moves)
    _require(made <= bounds.plies, f"{where}: that is more than the {bounds.plies} moves declared.")
    if state.winner is not None:
        sign = game.rules.result(*state.position, v)
        _require(sign in (1, -1), f"{where}: result is {sign!r}; it must be 1 or -1.")
        if game.rules.margin is not None:
            margin = game.rules.margin(*state.position, v)
            _require(
                margin == 0 or (margin > 0) == (sign > 0),
                f"{where}: the margin is {margin}, but the result is {sign}.",
            )
            _require(
                abs(margin) <= bounds.points,
                f"{where}: the margin is {margin}, more than the {bounds.points} points declared.",
            )
    _check_facts_for_solvers(state, where)
    _check_observation(state, where)
    _check_moves(state, where)
    _check_other_seat(state, where)


def _check_facts_for_solvers(state: State, where: str) -> None:
    game, (a, b) = state.game, state.position
    if game.rules.edges is not None and state.winner is not None:
        lost = game.rules.result(a, b, game.variant) == -1
        _require(lost, f"{where}: edges are declared, but a player who cannot move does not lose.")
    if game.rules.edges is not None and b:
        near = game.rules.edges(b, game.variant) & ~a & ~(1 << b)
        _require(near == state.mask, f"{where}: legal is not what edges say.")
    if game.apart:
        _require(game.rules.margin is not None, f"{where}: apart is declared without a margin.")
        _require(not (a & a << 1 or b & b << 1), f"{where}: somebody holds two neighbours.")
        free = (2 << game.bounds.actions) - 2 & ~(a | b)
        mine, theirs = (free & ~(own << 1 | own >> 1) for own in (a, b))
        _require(state.mask == (mine or bool(theirs)), f"{where}: legal is not what apart says.")
    if game.rules.ahead is not None and game.rules.margin is not None and state.winner is not None:
        ahead, points = (rule(a, b, game.variant) for rule in (game.rules.ahead, game.rules.margin))
        won = game.rules.result(a, b, game.variant)
        _require(
            abs(ahead - POINT * points) <= 1 and ahead * won > 0,
            f"{where}: ahead is {ahead}, but the margin is {points} and the result {won}.",
        )


def _check_rest(game: Game, found: list[State]) -> None:
    """Positions with the same rest go on in the same way, and a move always adds the same to
    `ahead`."""
    rest, ahead, v = game.rules.rest, game.rules.ahead or nothing, game.variant
    counted = game.rules.margin is not None
    _require(
        (game.rules.ahead is not None) == (counted and rest is not None),
        f"{game}: ahead belongs to a game that is counted and has a rest.",
    )
    if rest is None:
        return
    known: dict[Position, tuple[object, State]] = {}
    gains: dict[int, int] = {}
    for state in found:
        after = {move: game.rules.play(*state.position, move, v) for move in numbers(state.mask)}
        follows = {move: rest(*position, v) for move, position in after.items()}
        ended = None if counted or after else game.rules.result(*state.position, v)
        same, other = known.setdefault(rest(*state.position, v), ((follows, ended), state))
        _require(
            same == (follows, ended),
            f"{game}: the rest is the same after {_after(state)} and after {_after(other)},"
            " but it does not go on in the same way.",
        )
        for move, position in after.items():
            gain = -ahead(*position, v) - ahead(*state.position, v)
            _require(
                gains.setdefault(move, gain) == gain,
                f"{game}, after {_after(state)}: move {move} adds {gain} to what ahead says, but"
                f" elsewhere {gains[move]}.",
            )


def _check_observation(state: State, where: str) -> None:
    seen, v = state.game.observation, state.game.variant
    said = seen.observe is not None or seen.write is not None
    _require(said, f"{where}: the observation has neither observe nor write.")
    for mine in (True, False):
        for at, number in enumerate(seen.row(*state.position, mine, v)[:-1]):
            _require(
                seen.low <= number <= seen.high(v),
                f"{where}: number {at} of the observation is {number}, outside"
                f" {seen.low} to {seen.high(v)}.",
            )
    flipped = seen.flip(*state.position, v)
    _require(
        seen.flip(*flipped, v) == state.position,
        f"{where}: flipping the position twice does not give it back.",
    )


def _check_moves(state: State, where: str) -> None:
    game = state.game
    legal = game.moves(state.mask, state) if state.mask else ()
    for move in legal:
        plain = move == "pass" or isinstance(move, int) == game.numeric
        _require(plain, f"{where}: {move!r} is a move, but numeric is {game.numeric}.")
    _require(len(set(legal)) == len(legal), f"{where}: two moves have the same name.")
    _require(len(legal) == state.mask.bit_count(), f"{where}: moves does not name every legal bit.")
    for code, move in zip(numbers(state.mask), legal, strict=True):
        _require(game.code(move) == code, f"{where}: the code of {move} is not its bit, {code}.")
        once, again = (game.rules.play(*state.position, code, game.variant) for _ in range(2))
        _require(once == again, f"{where}: play gives another answer for {move} when asked again.")
        after = state.play(move)
        _require(after.position == once, f"{where}: {move} does not lead where play says.")
        for text in (str(move), game.label(move)):
            word = f"{where}: the move {text!r} is a word that does something else at the prompt."
            _require(text.lower() not in PROMPT_WORDS, word)
            read = _reads(game, text, state)
            _require(read == move, f"{where}: typing {text!r} is not read as {move}.")
        replayed = game.replay(after.text, first=state.first)
        _require(replayed == after, f"{where}: the notation {after.text!r} is read differently.")
    _check_aliases(state, where)
    if state.winner is not None or state.draws:
        return
    for code in range(1, game.bounds.actions + 1):
        if not state.mask >> code & 1:
            _check_refused(state, game.moves(1 << code, state)[0], where)


def _check_aliases(state: State, where: str) -> None:
    """Another name of a legal move is not legal itself, and leads where the legal one leads."""
    game, v = state.game, state.game.variant
    if game.rules.aliases is None:
        return
    others = game.rules.aliases(*state.position, v)
    _require(not others & state.mask, f"{where}: a legal move is among the aliases.")
    known = {game.rules.play(*state.position, code, v) for code in numbers(state.mask)}
    for code in numbers(others):
        (move,) = game.moves(1 << code, state)
        after = game.rules.play(*state.position, code, v)
        _require(after in known, f"{where}: the alias {move} leads where no legal move leads.")
        read = _reads(game, str(move), state)
        _require(
            read in state.legal_moves and state.play(str(read)).position == after,
            f"{where}: typing {str(move)!r} is not read as the legal move that it is a name of.",
        )


def _check_refused(state: State, move: Move, where: str) -> None:
    """An illegal move is refused with a sentence, unless it is another name of a legal one."""
    try:
        after = state.play(str(move))
    except IllegalMove as refused:
        _require(_is_sentence(str(refused)), f"{where}: {move} is refused without a sentence.")
        return
    known = {state.play(legal) for legal in state.legal_moves}
    _require(after in known, f"{where}: {move} is accepted, although legal does not allow it.")


def _reads(game: Game, text: str, state: State) -> object:
    try:
        return game.read(text, state)
    except IllegalMove:
        return None


def _check_other_seat(state: State, where: str) -> None:
    """Positions are seen from the player to move, so who begins makes no difference."""
    other = state.game.replay(state.text, first=3 - state.first)
    _require(
        other.position == state.position and other.to_move == 3 - state.to_move,
        f"{where}: the position is another one when Player 2 begins.",
    )
    if state.winner is not None:
        _require(other.winner == 3 - state.winner, f"{where}: the same seat wins, whoever begins.")


# -- what people see ------------------------------------------------------------------------


def _check_view(state: State, seen: dict[object, State]) -> None:
    """Different positions have different views, and each has its texts."""
    where, found = f"{state.game}, after {_after(state)}", view(state)
    for cell in found.cells:
        _require(cell.state in CELL_STATES, f"{where}: {cell.state!r} is not a state of a cell.")
        _require(cell.owner in (None, 1, 2), f"{where}: {cell.owner!r} is not an owner of a cell.")
        _require(isinstance(cell.label, str), f"{where}: the label {cell.label!r} is not a text.")
    for fact in found.facts:
        texts = (fact.value,) if isinstance(fact.value, str) else fact.value
        right = isinstance(texts, tuple) and all(isinstance(text, str) for text in texts)
        _require(right, f"{where}: the fact {fact.label} is {fact.value!r}, not a text or a tuple.")
    labels = [cell.label for cell in found.cells]
    _require(len(set(labels)) == len(labels), f"{where}: two cells have the same label.")
    facts = [(fact.label, fact.seat) for fact in found.facts]
    _require(len(set(facts)) == len(facts), f"{where}: two facts have the same label.")
    cells = tuple((cell.label, cell.owner) for cell in found.cells)
    key = found.to_move, cells, found.hands, found.card, found.facts
    twin = seen.setdefault(key, state)
    _require(
        twin.position == state.position,
        f"{where}: a player sees the same as after {_after(twin)}, but it is another position;"
        " say in the facts what differs.",
    )
    _check_words(state, found)


def _check_words(state: State, found: View) -> None:
    game, where = state.game, f"{state.game}, after {_after(state)}"
    lines = {
        "board": game.board(found),
        "input_hint": [game.input_hint()],
        "input_error": [game.input_error()],
    }
    if state.moves:
        lines["move_lines"] = game.move_lines(found)
    if state.winner is not None:
        lines["end_lines"] = game.end_lines(found, state.winner)
        _require(bool(lines["end_lines"]), f"{where}: end_lines does not say why.")
        lines["score_lines"] = ["The end.", *game.score_lines(found)]
    elif not state.draws:
        lines["prompt"] = game.prompt(found)
    for what, said in lines.items():
        _require(bool(said), f"{where}: {what} says nothing.")
        _require(
            isinstance(said, list)
            and all(isinstance(line, str) and "\n" not in line for line in said),
            f"{where}: {what} is not a list of lines.",
        )
    for you in (None, 1, 2):
        goal = game.goal(found, you)
        _require(_is_sentence(goal), f"{where}: the goal {goal!r} is not a sentence.")
    shown = "\n".join(line for said in lines.values() for line in said)
    for fact in found.facts:
        _require(
            not fact.value or fact.text in shown,
            f"{where}: the fact {fact.label} ({fact.text}) is not in what the board says.",
        )


def _check_without_a_move(state: State) -> None:
    """What is shown after a word that is not a move: the player to move resigns."""
    if state.winner is not None:
        return
    game, where = state.game, f"{state.game}, after {_after(state)} and 'resign'"
    try:
        found = view(state.resign())
        shown = [*game.board(found), *game.move_lines(found), *game.closing(found)]
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        which = "the last of state.moves is 'resign', which is not a move"
        raise BadGame(f"{where}: {which}, and what is shown raises {said}.") from error
    _require(bool(shown), f"{where}: nothing is shown.")


def _is_sentence(text: str) -> bool:
    return bool(text.strip()) and text[-1] in ".!?" and "\n" not in text


# -- decks ----------------------------------------------------------------------------------


def _check_deck(game: Game, states: list[State]) -> None:
    """The contract of `Chance`, over all positions of a variant."""
    chance, v = game.chance, game.variant
    made: dict[object, int] = {}
    for state in states:
        where, (a, b) = f"{game}, after {_after(state)}", state.position
        own, other = (chance.hand(a, whose, v) for whose in (0, 1))
        _require(chance.join(own, other, v) == a, f"{where}: join does not undo hand.")
        left = game.undrawn(state.position)
        _require(bool(left) or state.card is not None or b == 0,
                 f"{where}: no card is left, but the second integer is {b}, not 0.")  # fmt: skip
        for card in state.draws:
            drawn = chance.draw(a, b, card, v)
            fewer = {**left, card: left[card] - 1}
            _require(
                game.undrawn(drawn) == {c: n for c, n in fewer.items() if n} and drawn[0] == a,
                f"{where}: drawing {card} does more than take one {card} from the deck.",
            )
        for code in numbers(state.mask):
            after = game.rules.play(a, b, code, v)
            hand, kept = (chance.hand(after[0], whose, v) for whose in (1, 0))
            _require(kept == other, f"{where}: playing a card changes the opponent's hand.")
            key = own, state.card, code
            _require(
                made.setdefault(key, hand) == hand,
                f"{where}: what a card makes of a hand depends on more than the two.",
            )
            if game.undrawn(after) and not chance.due(*after, v):
                _require(
                    game.rules.result(*after, v) == -1,
                    f"{where}: a card ends the game at once, but does not win it.",
                )


# -- compiled -------------------------------------------------------------------------------


def _check_compiled(kind: type[Game], states: list[State]) -> None:
    """Numba can compile the rules, and they agree with the plain ones."""
    from numba.core.errors import NumbaError

    from numduel.solver.compiled import compiled, register

    for name, function, arguments in _functions(kind):
        register(kind, function)
        fast = compiled(_calling(function), kind, key=name)
        for state in states:
            if state.game.bounds.bits > 62:
                continue
            for given in arguments(state):
                expected = function(*given, state.game.variant)
                try:
                    found = fast(given, state.game.variant)
                except NumbaError as error:
                    why = str(error).strip().splitlines()[0]
                    raise BadGame(f"{kind.__name__}: Numba cannot compile {name}: {why}") from None
                _require(
                    found == expected,
                    f"{state.game}, after {_after(state)}: {name} gives {expected}, but {found}"
                    " when it is compiled.",
                )


def _calling(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(given, v):  # type: ignore[no-untyped-def]
        return function(*given, v)

    return call


Arguments = Callable[[State], list[tuple[int, ...]]]


def _functions(kind: type[Game]) -> Iterator[tuple[str, Callable[..., Any], Arguments]]:
    """The functions of a game on positions, and what each is called with in a state."""

    def here(state: State) -> list[tuple[int, ...]]:
        return [state.position]

    def at_the_end(state: State) -> list[tuple[int, ...]]:
        return [state.position] if state.winner is not None else []

    def each(what: Callable[[State], Iterator[int] | tuple[int, ...] | range]) -> Arguments:
        return lambda state: [(*state.position, one) for one in what(state)]

    rules, chance = kind.rules, getattr(kind, "chance", None)
    yield "start", rules.start, lambda state: [()] if not state.moves else []
    yield "legal", rules.legal, here
    yield "play", rules.play, each(lambda state: numbers(state.mask))
    yield "result", rules.result, at_the_end
    if rules.margin is not None:
        yield "margin", rules.margin, at_the_end
    size, observe = kind.observation.size, kind.observation.observe
    if observe is not None:
        yield "observe", observe, each(lambda state: range(size(state.game.variant)))
    if kind.observation.write is not None:
        written = _written(kind.observation)
        yield "write", written, each(lambda state: range(size(state.game.variant)))
    yield "flip", kind.observation.flip, here
    if rules.aliases is not None:
        yield "aliases", rules.aliases, here
    if chance is not None:
        yield "due", chance.due, here
        yield "left", chance.left, each(lambda state: range(1, state.game.bounds.cards + 1))
        yield "draw", chance.draw, each(lambda state: tuple(state.draws))
        yield "hand", chance.hand, lambda state: [(state.position[0], whose) for whose in (0, 1)]
        yield "join", chance.join, _hands


def _written(seen: Observation) -> Callable[[int, int, int, Any], int]:
    """The number at an index of what a game writes at once."""
    size = seen.size
    write: Any = seen.write

    def number(a, b, at, v):  # type: ignore[no-untyped-def]
        row = np.zeros(size(v), np.int64)
        write(row, a, b, v)
        return row[at]

    return number


def _hands(state: State) -> list[tuple[int, ...]]:
    chance, v = state.game.chance, state.game.variant
    return [tuple(chance.hand(state.position[0], whose, v) for whose in (0, 1))]


# -- helpers --------------------------------------------------------------------------------


def _require(kept: bool, sentence: str) -> None:
    if not kept:
        raise BadGame(sentence)


def _after(state: State) -> str:
    return repr(state.text) if state.text else "no move"
