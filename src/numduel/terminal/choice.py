"""Choices from a list: by number, by letter, or by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from numduel.core.errors import BadVariant, UnknownGame
from numduel.core.language import N_, Texts, _, pgettext
from numduel.core.text import either, similar
from numduel.games import game, games
from numduel.terminal.screen import Screen

LEAVE = Texts({"q": N_("Leave")})
BACK = Texts({"b": N_("Back"), "q": N_("Leave")})


class Leave(Exception):
    """The person leaves."""


class Back(Exception):
    """The person goes back to the question before."""


def choose(
    screen: Screen,
    question: str,
    texts: Sequence[str],
    letters: Mapping[str, str] = BACK,
    names: Sequence[str] = (),
) -> str:
    """Ask for one of the texts, by number or name, or for one of the letters, until the answer is
    on the list. Returns the number as text, or the letter; raises `Back` for b, `Leave` for q."""
    rows = [*enumerate(texts, 1), *letters.items()]
    screen.say("", question, "", *(f"  {key}  {text}" for key, text in rows), "")
    known = {str(number): str(number) for number in range(1, len(texts) + 1)}
    known |= {name: str(number) for number, name in enumerate(names, 1)}
    known |= {letter: letter for letter in letters} | {"quit": "q", "exit": "q"}
    if "b" in letters:
        known["back"] = "b"
    numbers = [_("a number from 1 to {highest}", highest=len(texts))] if texts else []
    expected = either([*numbers, *letters])
    while True:
        answer = screen.ask(_("Type {words}: ", words=expected)).strip().lower()
        if known.get(answer) == "q":
            raise Leave
        if known.get(answer) == "b":
            raise Back
        if answer in known:
            return known[answer]
        screen.fail(_("That is not on the list. Please type {words}.", words=expected))


def choose_game(screen: Screen, name: str | None) -> str | None:
    """The name of a game: as given, or as the person means or chooses it; None if they leave.
    Without a terminal nobody is asked."""
    if name is None:
        if not screen.interactive:
            names = either(kind.name for kind in games())
            raise BadVariant(_("Name a game: {names}.", names=names))
        try:
            return ask_for_game(screen, _("Which game?"), LEAVE)
        except Leave:
            return None
        except (EOFError, KeyboardInterrupt):
            screen.say("")
            return None
    try:
        game(name)
    except UnknownGame:
        meant = similar(name.strip().lower(), (kind.name for kind in games()))
        if not (screen.interactive and meant):
            raise
        question = _("Did you mean {meant}? (Enter: yes, n: no) ", meant=meant)
        return meant if confirmed(screen, question, default=True) else None
    return name


def ask_for_game(screen: Screen, question: str, letters: Mapping[str, str]) -> str:
    """The name of a game from the list, or one of the letters."""
    names = [kind.name for kind in games()]
    texts = [f"{kind.name:9}{kind().display_name}\n     {'':9}{kind.summary}" for kind in games()]
    answer = choose(screen, question, texts, letters, names)
    return answer if answer in letters else names[int(answer) - 1]


def confirmed(screen: Screen, question: str, *, default: bool) -> bool:
    """Whether the person says yes; Enter means the default, and leaving means no."""
    yes, no = pgettext("an answer", "yes"), pgettext("an answer", "no")
    answers = {"": default, yes[0]: True, yes: True, no[0]: False, no: False}
    answers |= {"y": True, "yes": True, "n": False, "no": False, "q": False}
    try:
        while True:
            answer = screen.ask(question).strip().lower()
            if answer in answers:
                return answers[answer]
            screen.fail(_("Please type yes or no."))
    except (EOFError, KeyboardInterrupt):
        screen.say("")
        return False
