"""Every text that a person can meet, gathered by door: what games and the coach say of sample
games, and the constants in the code of the doors, with ``{…}`` for what is filled in."""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

from jinja2.ext import babel_extract

import numduel
from numduel import Game, State, view
from numduel.core.view import View
from numduel.learn import coach
from numduel.learn.coach import report
from numduel.learn.ideas import vocabulary
from numduel.play.record import parse

SOURCE = Path(numduel.__file__).parent
SAMPLES = {
    "line": ("5 6 4 7 3 8 2", "1 3 4 6 5 8 9 10 2 7", "4 3 8 7"),
    "factors": ("6 3 9 18 2 4 8 16 1 5 10 20", "14 5!", "6 3 resign"),
    "capture": ("21 18 16 20 14 12", "3 18 7 16 resign"),
    "build": ("7e 5e 6b 6e 8e 4b 5x 7e 9e 3e!", "7e 5e 6x 6e 8e"),
    "duel": ("4 6 5 7 3", "1 5 9 3 2 4", "2 9 5 resign"),
}
"""Games in notation, by the name of the game: whole ones, a broken rule, and a resignation."""
DOORS = {
    "games": ("core", "games"),
    "coach": ("learn/coach", "learn/ideas.py", "learn/puzzle.py", "activities"),
    "prompt": ("terminal", "play", "files.py", "system.py"),
    "app": ("tui", "client.py"),
    "page": ("web/page", "web/pages/templates"),
    "server": ("web/games", "web/events", "web/people", "web/solving", "web/pages", "events"),
}
"""Where the constants of each door are; the models of the API are described for programs."""
NOT_FOR_PEOPLE = re.compile(
    r"^(SELECT|CREATE|[.#\[:][\w-]|[a-z]+(-[a-z]+)*$|[\w./-]*[/_=&][\w./{}…?&=-]*$|application/|https?:)"
    r"|^(button|sheet|plain|field|row|spot|slot|said|card|ask|width|light) [a-z{][\w{}… -]*$"
    r"|^\(prefers|^input, |charset=|^public, |^<(svg|rect|text)|^attachment|INSERT|px |^\(\?P"
    r"|::|\$\{|=>|\bdata-|\bbold\b|\$(text|primary|accent)|;\s*$"
)


def texts(door: str) -> str:
    """All texts of a door, each on a line, under the file that they come from."""
    parts = []
    if door == "games":
        parts += [(f"{name}, as it is played", [*_told(name)]) for name in SAMPLES]
    if door == "coach":
        parts += [(f"{name}, as it is judged", [*_judged(name)]) for name in SAMPLES]
    for place in DOORS[door]:
        root = SOURCE / place
        files = (
            sorted(path for path in root.rglob("*") if path.is_file()) if root.is_dir() else [root]
        )
        parts += [(str(path.relative_to(SOURCE)), [*_constants(path)]) for path in files]
    blocks = ["\n".join([f"== {head} ==", *_once(lines)]) for head, lines in parts if lines]
    return "\n\n".join(blocks) + "\n"


def _once(lines: list[str]) -> Iterator[str]:
    """Lines that differ by more than their numbers and names."""
    known = {""}
    for line in lines:
        told = line.strip().replace("\n", "⏎")
        kind = re.sub(r"(\[\w+\]|\d+)((,? | and | or |)(\[\w+\]|\d+))*", "#", told)
        kind = re.sub(r"Ada|Bo\b", "N", kind)
        if kind not in known:
            known.add(kind)
            yield told


def _states(name: str) -> Iterator[State]:
    """The states of the sample games, each once."""
    known = set()
    for moves in SAMPLES[name]:
        for state in parse(f"Game: {name}\n\n{moves}\n").states:
            if state not in known:
                known.add(state)
                yield state


def _told(name: str) -> Iterator[str]:
    """What a game says while it is played."""
    game = numduel.game(name)
    yield from (game.display_name, game.summary, *game.brief, *game.welcome())
    yield from (parameter.meaning for parameter in game.parameters.values())
    yield from (game.input_hint(), game.input_error())
    for state in _states(name):
        seen = view(state, ("Ada", "Bo"))
        yield from (seen.status, *game.board(seen))
        if not seen.winner:
            yield from (game.goal(seen), game.goal(seen, 1), game.goal(seen, 2))
        if seen.last is not None:
            yield from (f"{seen.name(seen.mover)} {game.does(seen.last)}.", *_announced(seen, game))
        if seen.winner:
            yield from game.closing(seen)
            yield from (
                line for seat in (1, 2) for line in game.end_reason(seen, seen.winner, seat)
            )
        elif state.mask:
            yield from (*game.prompt(seen), *map(game.advice, state.legal_moves))
            yield from _refused(state)


def _announced(seen: View, game: Game) -> list[str]:
    return [] if seen.fault or seen.resigned else game.move_lines(seen)


def _refused(state: State) -> Iterator[str]:
    """Why moves that break a rule are refused."""
    game = state.game
    wrong = ["b", "e"] if game.has_deck else range(game.bounds.actions + 2)
    for move in wrong:
        try:
            state.play(move)
        except numduel.IllegalMove as error:
            yield str(error)


def _judged(name: str) -> Iterator[str]:
    """What is said of the moves of a game: ideas, hints, values and reports."""
    game = numduel.game(name)
    for idea in vocabulary(game):
        yield from (idea.instruction, idea.nudge, f"It sees {idea.sees}.")
    for state in _states(name):
        if state.mask and state.winner is None:
            found = coach.hint(state, ("Ada", "Bo"))
            yield from (found.nudge, *found.lines, *coach.table(state))
    for moves in SAMPLES[name]:
        record = parse(f"Game: {name}\nName 1: Ada\nName 2: Bo\n\n{moves}\n")
        for seat in (None, 1, 2):
            found_report = report(record, seat)
            yield from (*found_report.lines(), found_report.spotless(), found_report.chart.title)


def _constants(path: Path) -> Iterator[str]:
    """The texts in a file of the code."""
    if path.name == "models.py":
        return
    if path.suffix == ".py":
        found = _in_python(path.read_text("utf-8"))
    elif path.suffix == ".js":
        found = _in_script(path.read_text("utf-8"))
    elif path.suffix == ".html":
        found = _in_template(path.read_text("utf-8"))
    else:
        return
    for text in found:
        plain = text.strip()
        if is_text(plain):
            yield plain


def is_text(text: str) -> bool:
    """Whether a constant looks like something to read: words, or one with a capital."""
    words = re.search(r"[A-Za-z]{2,}[,.:;…?!]* +[A-Za-z{(]", text)
    return bool(words or re.fullmatch(r"[A-Z][a-z]+[.…?!]?", text)) and not NOT_FOR_PEOPLE.search(
        text
    )


def _in_python(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    inside: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inside.add(node.value)  # a docstring
        if isinstance(node, ast.JoinedStr):
            inside.update(node.values)
    order = (node for node in ast.walk(tree) if isinstance(node, (ast.Constant, ast.JoinedStr)))
    for node in sorted(order, key=lambda node: (node.lineno, node.col_offset)):
        if node in inside:
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(p.value) if isinstance(p, ast.Constant) else "{…}" for p in node.values
            )
        elif isinstance(node.value, str):
            yield node.value


STRINGS = re.compile(r'//[^\n]*|/\*.*?\*/|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', re.DOTALL)
"""The comments and the strings of a script."""
FILLED = re.compile(r"\$\{((?:[^{}]|\{[^{}]*\})*)\}")
"""What a string of a script is filled with."""
CONTEXT = re.compile(r'(?<=pgettext\()"[^"]*", ')
"""What is told to translators only."""


def _in_script(source: str) -> Iterator[str]:
    for found in STRINGS.finditer(CONTEXT.sub("", source)):
        if found[1] is not None:
            yield found[1]
        elif found[2] is not None:
            yield FILLED.sub("{…}", found[2])
            yield from (text for inside in FILLED.findall(found[2]) for text in _in_script(inside))


WRAPPED = re.compile(r'\b(?:t|N_|plural|pgettext)\((?:\s*"(?:[^"\\\n]|\\.)*"\s*[,+]?)+')
"""What a script says in the language of the page."""


def untranslated(path: Path) -> list[str]:
    """The texts of a script or a template that stay English."""
    if path.suffix == ".html":
        return _unsaid(path.read_text("utf-8"))
    found = _in_script(WRAPPED.sub("(", path.read_text("utf-8")))
    return [text for text in map(str.strip, found) if is_text(text)]


class _Template(HTMLParser):
    """The texts of a page, and those of its attributes."""

    READ = ("aria-label", "title", "placeholder", "alt", "content", "data-text")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in self.READ and value]

    def handle_data(self, data: str) -> None:
        self.found.append(" ".join(data.split()))


def _in_template(source: str) -> Iterator[str]:
    """The texts of a template: those that it says in the language of the page, and others."""
    for _, _, said, _ in babel_extract(BytesIO(source.encode()), ["_", "plural"], [], {}):
        yield from [said] if isinstance(said, str) else filter(None, said or ())
    yield from _unsaid(source)


def _unsaid(source: str) -> list[str]:
    """The texts of a template that stay English."""
    plain = re.sub(r"\{\{.*?\}\}", "{…}", source, flags=re.DOTALL)
    reader = _Template()
    reader.feed(re.sub(r"\{%.*?%\}|\{#.*?#\}", "", plain, flags=re.DOTALL))
    return [text for text in reader.found if is_text(text)]
