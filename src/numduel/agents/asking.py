"""How a language model is asked for a move, and how its answer is read.

The prompt asks for an answer that ends with a line that says MOVE: and then the move. Models write
that line in many ways, so clear answers are read generously; after an unclear one the model is
asked once more. In this order:

1. Text between ``<think>`` and ``</think>`` is ignored.
2. The last marker counts: ``MOVE:`` anywhere in a line; at the beginning of a line also
   ``Final move:``, ``My answer:`` and the like, in any case; and ``"move":`` as in JSON. The move
   is on the same line or, if that is empty, on the next line that is not.
3. Without a marker, the last ``\\boxed{…}`` counts.
4. Without either, the last line counts if it names a move and nothing else.

A line names a move if it is one, or if a few words such as "I choose number" lead to one. It may
name other moves only to explain: in brackets, after "because", or in a second sentence. "21 or 19",
"not 21" and "any number from 1 to 21" name none. Markup and LaTeX around a move are dropped; a sign
is not.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from hashlib import blake2b

from numduel.core.errors import IllegalMove, NotAMove
from numduel.core.state import Move, State
from numduel.core.text import whole_number
from numduel.core.view import view

TRIES = 2
"""Answers that a model may give to one question: the second is a rethink."""
CONSEQUENCE = (
    "If your answer is not a legal move, you are asked once more; a second one loses the game,"
    " whatever else the rules say."
)
LISTED = 10
"""Up to this many actions are all explained; of more, only the first two and the last."""
EXAMINED = 20_000
"""Characters read at the end of an answer; what comes before is reasoning."""

# Each pattern takes linear time: a repetition can match a text in only one way, and from only one
# beginning.
THOUGHT = re.compile(r"</(?:think|thinking)>", re.IGNORECASE)
THINKING = re.compile(r"<(?:think|thinking)>", re.IGNORECASE)
MARKER = re.compile(
    r"""
    (?: ^[ \t>*_`\#-]*                                   # a line begins, with markup
        (?i:(?:my[ ]|the[ ])?(?:final[ ]|best[ ]|chosen[ ])?(?:move|answer))
      | \bMOVE                                           # in the middle of a line only like this
    ) [*_`]*[ \t]*:
    | (?i:"(?:move|answer)"[ \t]*:)
    """,
    re.MULTILINE | re.VERBOSE,
)
BOXED = re.compile(r"\\boxed[ ]?\{((?:[^{}\n]|\{[^{}\n]*\})*)\}")
JSON_END = re.compile(r"[,}]")
"""Ends a value in JSON."""
TAG = re.compile(r"</?[a-z]{1,12}>|\\[a-z]+[ ]?\{?", re.IGNORECASE)
"""An HTML tag, or a LaTeX command."""
EXPLANATION = re.compile(
    r"\(|\b(?:because|since|as)\b|(?:[.;]|[ ]-)[ \t]+(?=[^\W\d])", re.IGNORECASE
)
MARKUP = " \t\r*_`~\"'()[]{}<>$#\\|"
"""Characters dropped around a word."""
PUNCTUATION = ".,;:!"
"""Characters dropped after a word. Before one a point belongs to a number; a question mark stays,
because a question names no move."""
LEADING = {
    "i", "i'll", "i'd", "i'm", "will", "would", "am", "is", "it", "my", "the", "a", "to", "at",
    "on", "with", "go", "going", "choose", "choosing", "pick", "picking", "select", "take",
    "taking", "claim", "claiming", "play", "playing", "use", "put", "place", "add", "final", "best",
    "answer", "move", "number", "card", "value", "index",
}  # fmt: skip
"""Words that may lead to a move."""
FOLDED = {
    **{0xFF01 + at: 0x21 + at for at in range(94)},
    **dict.fromkeys((*range(0x2010, 0x2015), 0x2212), "-"),
    **dict.fromkeys((0xA0, 0x2007, 0x202F, 0x3000), " "),
    **dict.fromkeys((0x200B, 0xFEFF), None),
    0x2019: "'",
}
"""Other characters for ASCII: full-width ones, dashes, blanks, and invisible ones."""


class Asking:
    """Asks a model for a move, and reads its answer."""

    def __init__(
        self,
        *,
        legal: bool = True,
        indices: bool = False,
        rules: bool = True,
        order: int = 0,
    ) -> None:
        """`order` is a seed: another one lists the legal moves in other orders."""
        self._legal = legal
        self._indices = indices
        self._rules = rules
        self._order = order

    async def decided(
        self, board: State, say: Callable[[str], Awaitable[str]]
    ) -> tuple[State | None, list[str]]:
        """The board after the move of a model that answers through `say`, or None if it gave no
        legal move; and why answers were refused."""
        said, refusals = self.prompt(board), list[str]()
        for _ in range(TRIES):
            try:
                return self.played(board, await say(said)), refusals
            except IllegalMove as refusal:
                refusals.append(str(refusal))
                said = self.again(board, str(refusal))
        return None, refusals

    def prompt(self, board: State) -> str:
        """Everything the player to move needs to know, in one message."""
        game, seen = board.game, view(board)
        asked = [line.strip() for line in game.prompt(seen)]
        parts = [game.rulebook] if self._rules else []
        parts += [
            f"You are {seen.player} in a game of {game}, and it is your turn.",
            f"Player {board.first} moves first. Moves so far, in order:"
            f" {', '.join(map(game.label_played, game.worded_moves(board))) or 'none'}",
            "\n".join(game.board(seen)),
            "\n".join(line for line in asked if line not in ("", ">")),
        ]
        if self._legal:
            what = "The indices of the legal moves" if self._indices else "Legal moves"
            listed = ", ".join(self.written(board, move) for move in self.listed(board))
            parts.append(f"{what}: {listed}")
        return "\n\n".join([*parts, self._wanted(board), CONSEQUENCE])

    def listed(self, board: State) -> list[Move]:
        """The legal moves in an order that tells nothing: the same whenever this is asked again. In
        their own order a rule such as to take the first one would score."""

        def place(move: Move) -> bytes:
            told = f"{self._order} {board.game!r} {board.text}: {move}"
            return blake2b(told.encode(), digest_size=8).digest()

        return sorted(board.legal_moves, key=place)

    def again(self, board: State, refusal: str) -> str:
        """The reply to an answer that is not a legal move."""
        return (
            f"{refusal} It is still your turn, and this is the last try: another answer that is"
            f" not a legal move loses the game. {self._wanted(board)}"
        )

    def played(self, board: State, answer: str) -> State:
        """The board after the move that an answer names; `IllegalMove` says what is wrong."""
        text = self._extracted(board, answer)
        if not self._indices:
            return board.play(text)
        number, game = whole_number(text), board.game
        if number is None or not 0 <= number < game.bounds.actions:
            raise NotAMove(
                f"The index of a move is a whole number from 0 to {game.bounds.actions - 1}."
            )
        return board.play(str(game.moves(2 << number, board)[0]))

    def move(self, board: State, answer: str) -> Move | None:
        """The move that an answer names; None if it names no legal one."""
        try:
            return self.played(board, answer).moves[-1]
        except IllegalMove:
            return None

    def written(self, board: State, move: Move) -> str:
        """A legal move as an answer should name it."""
        if self._indices:
            return str(board.game.code(move) - 1)
        return board.game.label(move)

    def _wanted(self, board: State) -> str:
        """What an answer must end with."""
        what = f"your move: {board.game.input_hint()}"
        if self._indices:
            what = f"the index of your move: {self._indexed(board)}"
        return f"End your answer with a line that says MOVE: and then {what}."

    def _indexed(self, board: State) -> str:
        game = board.game
        places = [game.label(game.moves(2 << at, board)[0]) for at in range(game.bounds.actions)]
        told = [f"{at} means {place}" for at, place in enumerate(places)]
        return ", ".join(told if len(told) <= LISTED else [*told[:2], f"… {told[-1]}"])

    # -- reading an answer --------------------------------------------------------------------

    def _extracted(self, board: State, answer: str) -> str:
        """The move that an answer names, as text; empty if it names none, or several."""
        spoken = THINKING.split(THOUGHT.split(answer)[-1])[0]
        text = spoken[-EXAMINED:].translate(FOLDED)
        marker = _last(MARKER, text)
        if marker:
            rest = text[marker.end() :]
            if '"' in marker[0]:
                rest = JSON_END.split(rest, maxsplit=1)[0]
            return self._named(board, _first_said(rest.splitlines()))
        boxed = _last(BOXED, text)
        if boxed:
            return self._named(board, boxed[1])
        return self._named(board, _first_said(reversed(text.splitlines())), alone=True)

    def _named(self, board: State, said: str, *, alone: bool = False) -> str:
        """The one move that a line names, or an empty text. If `alone`, nothing may follow it."""
        whole, words = _bare(TAG.sub(" ", said)), _words(said)
        if self._read(board, whole) is not None:
            return whole
        at = next((at for at, word in enumerate(words) if self._read(board, word) is not None), -1)
        if at < 0 or not LEADING | {str(board.card)} >= {word.lower() for word in words[:at]}:
            return ""
        if alone:
            return words[at] if at == len(words) - 1 else ""
        if len(self._moves(board, words)) > 1:
            explained = _words(EXPLANATION.split(said, maxsplit=1)[0])
            if "or" in words or len(self._moves(board, explained)) != 1:
                return ""
        return words[at]

    def _moves(self, board: State, words: list[str]) -> set[Move]:
        found = (self._read(board, word) for word in words)
        return {move for move in found if move is not None}

    def _read(self, board: State, word: str) -> Move | None:
        """The move that a word stands for, legal or not; None if it is not a move."""
        if self._indices:
            return whole_number(word)
        try:
            return board.game.read(word, board)
        except NotAMove:
            return None


# -- words ------------------------------------------------------------------------------------


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return found[-1] if found else None


def _first_said(lines: Iterable[str]) -> str:
    """The first line that has more than markup."""
    return next((line for line in lines if _words(line)), "")


def _words(line: str) -> list[str]:
    """The words of a line, without markup."""
    return [bare for word in TAG.sub(" ", line).split() if (bare := _bare(word))]


def _bare(text: str) -> str:
    return text.lstrip(MARKUP).rstrip(MARKUP + PUNCTUATION)
