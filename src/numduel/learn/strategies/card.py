"""A strategy as a card for the classroom wall."""

from __future__ import annotations

from numduel.core.language import N_, Texts, _
from numduel.core.state import State
from numduel.core.text import Clause, both, capital
from numduel.core.view import view
from numduel.lab.figures import Card, Tile, TileKind
from numduel.learn.ideas import reason
from numduel.learn.strategies.base import Strategy

MOVES = 5
"""Moves of the game whose position the card shows."""
LEGEND = Texts({"mine": N_("full tiles are yours"), "theirs": N_("striped tiles are theirs")})
"""How tiles are told apart, without colours: a card is often printed in black and white."""


def card(strategy: Strategy) -> Card:
    """The card of a strategy."""
    game = strategy.game
    goal = (
        N_("How to win as Player {seat}")
        if strategy.proved
        else N_("How to play well as Player {seat}")
    )
    rows, caption = _pairs(strategy) if strategy.pairs else _example(strategy)
    changed = f" ({', '.join(game.changes)})" if game.changes else ""
    return Card(
        game.display_name,
        _(goal, seat=strategy.seat) + changed,
        rows,
        caption,
        strategy.instructions(),
        " ".join([*strategy.facts, strategy.proof()]),
    )


def _pairs(strategy: Strategy) -> tuple[list[list[Tile]], str]:
    """The pairs side by side, and what stays single."""
    pairs = strategy.pairs or ()
    paired = {number for pair in pairs for number in pair}
    row = [
        Tile(str(number), "mine" if at % 2 else "theirs")
        for at, pair in enumerate(pairs)
        for number in pair
    ]
    left = [n for n in range(1, strategy.game.bounds.actions + 1) if n not in paired]
    single = [
        Tile(str(number), "next" if number == strategy.opening else "free") for number in left
    ]
    rows = [row, single] if single else [row]
    if strategy.opening is None:
        return rows, _("Partners stand side by side and look alike.")
    return rows, _(
        "Partners stand side by side and look alike; open with the one in a thick frame."
    )


def _example(strategy: Strategy) -> tuple[list[list[Tile]], str]:
    """A position on the way, and what the strategy plays there."""
    state = _moment(strategy)
    move = strategy.choose(state)
    game, seen = state.game, view(state)
    kinds: dict[int | None, TileKind]
    kinds = {None: "gone", strategy.seat: "mine", 3 - strategy.seat: "theirs"}
    if seen.cells:
        tiles = [
            Tile(
                cell.label,
                "next"
                if cell.label == str(move)
                else "free"
                if cell.owner is None and cell.state == "free"
                else kinds[cell.owner],
            )
            for cell in seen.cells
        ]
        rows = list(map(list, game.layout.in_rows(tiles)))
    else:
        hands = [[Tile(str(card), kinds[seat]) for card in seen.hand(seat)] for seat in (1, 2)]
        waiting = [] if seen.card is None else [Tile(str(seen.card), "next")]
        rows = [row for row in [*hands, waiting] if row]
    said = [reason(idea, state, move) for idea in strategy.ideas]
    why = next((Clause(text) for text in reversed(said) if text), "")
    advice = Clause(game.advice(game.worded(move, state)))
    here = (
        _("Here, {advice}: {why}.", advice=advice, why=why)
        if why
        else _("Here, {advice}.", advice=advice)
    )
    return rows, f"{_legend(rows, drawn=state.card is not None)} {here}".lstrip()


def _legend(rows: list[list[Tile]], *, drawn: bool) -> str:
    """What the marks on the tiles mean."""
    kinds = {tile.kind for row in rows for tile in row}
    parts = [text for kind, text in LEGEND.items() if kind in kinds]
    if "next" in kinds:
        framed = (
            N_("the one with a thick frame is the card that you have drawn")
            if drawn
            else N_("the one with a thick frame is your next move")
        )
        parts.append(_(framed))
    return capital(f"{both(parts)}.") if parts else ""


def _moment(strategy: Strategy) -> State:
    """A position of the strategy's seat some moves into a game, always the same one: the opponent
    always plays the middle one of the legal moves."""
    state = last = strategy.game.start(seed=1) if strategy.game.has_deck else strategy.game.start()
    for _move in range(MOVES):
        if state.winner is not None:
            break
        if state.to_move == strategy.seat:
            last = state
            state = state.play(strategy.choose(state.public))
        else:
            state = state.play(state.legal_moves[len(state.legal_moves) // 2])
    return (state if state.winner is None and state.to_move == strategy.seat else last).public
