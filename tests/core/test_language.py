"""Texts in the language that is spoken."""

import json
import subprocess
import sys
from typing import NamedTuple

import pytest

import numduel
from numduel.core import catalogue
from numduel.core.language import (
    N_,
    PSEUDO,
    Texts,
    _,
    class_text,
    known,
    language,
    languages,
    named,
    negotiated,
    number,
    plural,
    speaking,
    translated,
)
from numduel.core.text import both, byte_size, listed, name_told, percentage, printable
from numduel.core.view import view

FRENCH = r"""
msgid ""
msgstr ""
"Plural-Forms: nplurals=2; plural=(n > 1);\n"
"X-Name: Français\n"

#: play/page.js
msgid "{n} move"
msgid_plural "{n} moves"
msgstr[0] "{n} coup"
msgstr[1] "{n} coups"

msgctxt "verb"
msgid "Open"
msgstr "Ouvrir"

#, fuzzy
msgid "Close"
msgstr "Ouvrir"

#, no-wrap, fuzzy
msgid "Leave"
msgstr "Ouvrir"

msgid ""
"A long text"
" in \"two\" lines"
msgstr "Un long texte"
"\n en deux lignes"
"""


@translated("told")
class Idea(NamedTuple):
    told: str


class Kind:
    title = class_text("{name} wins the game!")


def test_english_is_what_stands_in_the_code_and_reads_no_file() -> None:
    assert language() == "en"
    assert _("{name} has {{x}}.", name="Ada") == "Ada has {x}."
    assert _("Nothing to fill: {}") == "Nothing to fill: {}"
    assert [plural("{n} move", "{n:,} moves", n) for n in (0, 1, 1200)] == [
        "0 moves",
        "1 move",
        "1,200 moves",
    ]
    code = "import numduel, sys; numduel.game('line').brief; print('gettext' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_language_is_spoken_for_a_while() -> None:
    with speaking("de"):
        assert _("{name} wins the game!", name="Ada") == "Ada gewinnt!"
        assert Kind.title == Kind().title == "{name} gewinnt!"
        assert Idea(N_("None")).told == "None"  # without a translation it stays English
        with speaking("en"):
            assert language() == "en"
        assert language() == "de"
    assert Kind.title == "{name} wins the game!"


def test_a_field_is_translated_where_it_is_read_and_its_item_is_english() -> None:
    idea, words = Idea("You resigned."), Texts({"a": "You resigned."})
    assert ("a" in words, "You resigned." in words) == (True, False)
    with speaking("de"):
        assert (idea.told, idea[0], *words.values()) == (
            "Du hast aufgegeben.",
            "You resigned.",
            "Du hast aufgegeben.",
        )


def test_numbers_and_lists_are_written_as_the_language_does() -> None:
    told = {}
    for code in ("en", "de", "fr"):
        with speaking(code):
            told[code] = (
                number(1234.5, ",.2f"),
                percentage(0.125, 1),
                both([1, 2, 3]),
                listed([]),
                _("{number} %", number=1.5),
            )
    assert told["en"] == ("1,234.50", "12.5 %", "1, 2 and 3", "None", "1.5 %")
    assert told["de"] == ("1.234,50", "12,5\u00a0%", "1, 2 und 3", "keine", "1,5\u00a0%")
    assert told["fr"] == ("1\u202f234,50", "12,5\u00a0%", "1, 2 et 3", "aucun", "1,5\u00a0%")


def test_a_pile_of_cards_is_empty_in_other_words_than_a_list_of_numbers() -> None:
    state = numduel.game("build").start(seed=1)
    for code, told in {"en": "None", "de": "leer", "fr": "vide"}.items():
        with speaking(code):
            assert view(state).fact("Discard pile").text == told


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Ada", "d’Ada"),
        ("Élodie", "d’Élodie"),
        ("Yves", "d’Yves"),
        ("Zoé", "de Zoé"),
        ("Yanis", "de Yanis"),
        ("Hugo", "de Hugo"),
        ("Computer (hard)", "de l’ordinateur (difficile)"),
        ("", "de "),
    ],
)
def test_french_shortens_of_before_a_vowel(name: str, told: str) -> None:
    with speaking("fr"):
        assert (
            _("{name}'s Total Score: {score}", name=name_told(name), score=3)
            == f"Total {told}\u00a0: 3"
        )


def test_a_message_keeps_the_spaces_before_french_punctuation() -> None:
    """They are no-break spaces, which Python does not call printable."""
    with speaking("fr"):
        told = _("There is no game {name!r}; there are {known}.", name="xyz", known="line")
    assert printable(told) == "Il n’y a pas de jeu 'xyz' ; il y a line."
    assert printable("1\u202f000\x1b") == "1 000?"


def test_french_has_a_space_before_the_colon_of_a_fact() -> None:
    state = numduel.game("build").start(seed=1)
    with speaking("fr"):
        assert "Défausse\u00a0: vide" in state.game.board(view(state))


def test_bytes_are_octets_in_french() -> None:
    with speaking("fr"):
        assert byte_size(3 << 29) == "1,5\u00a0Gio"


def test_a_po_file_has_plural_forms_contexts_and_messages_that_are_not_ready() -> None:
    found = catalogue.parse(FRENCH)
    assert found.name == "Français"
    assert [found.plural_text("{n} move", "{n} moves", n) for n in (0, 1, 2)] == [
        "{n} coup",
        "{n} coup",
        "{n} coups",
    ]
    assert (found.text("Open", "verb"), found.text("Open")) == ("Ouvrir", "Open")
    assert (found.text("Close"), found.text("Leave")) == ("Close", "Leave")
    assert found.text('A long text in "two" lines') == "Un long texte\n en deux lignes"
    page = found.for_page()
    assert page["messages"] == {"{n} move": ("{n} coup", "{n} coups")}
    assert page["forms"][:3] == [0, 0, 1]  # type: ignore[index]


def test_a_language_may_have_one_form_for_all_numbers_or_none_of_a_message_yet() -> None:
    japanese = """
msgid ""
msgstr "Plural-Forms: nplurals=1; plural=0;\\nX-Name: 日本語\\n"

msgid "{n} move"
msgid_plural "{n} moves"
msgstr[0] "{n}手"

msgid "one"
msgstr "一"
"""
    found = catalogue.parse(japanese)
    assert [found.plural_text("{n} move", "{n} moves", n) for n in (1, 2)] == ["{n}手"] * 2
    assert [found.plural_text("one", "{n} ones", n) for n in (1, 2)] == ["one", "{n} ones"]


def test_a_number_has_the_last_form_of_a_message_with_too_few_and_forms_have_any_order() -> None:
    found = catalogue.parse(
        FRENCH
        + """
msgid "{n} game"
msgid_plural "{n} games"
msgstr[1] "{n} parties"
msgstr[0] "{n} partie"

msgid "{n} word"
msgid_plural "{n} words"
msgstr[0] "{n} mots"
"""
    )
    assert found.plural_text("{n} game", "{n} games", 1) == "{n} partie"
    assert found.plural_text("{n} game", "{n} games", 2) == "{n} parties"
    assert found.plural_text("{n} word", "{n} words", 2) == "{n} mots"


def test_a_message_after_one_that_is_gone_is_ready() -> None:
    gone = '#, fuzzy\n#~ msgid "Old"\n#~ msgstr "Vieux"\nmsgid "New"\nmsgstr "Nouveau"\n'
    assert catalogue.parse(f"{FRENCH}\n{gone}").text("New") == "Nouveau"


@pytest.mark.parametrize(
    "entry",
    [
        'msgid "New"\n# a comment\nmsgstr "Nouveau"',
        'msgctxt "verb"\n# a comment\nmsgid "New"\nmsgstr "Nouveau"',
        'msgid "New"\nmsgstr "Nou"\n# a comment\n"veau"',
        '  msgid "New"\n  msgstr "Nouveau"',
        'msgid "New"\nmsgstr ""\n  "Nouveau"',
        'msgid "New"\nmsgstr "Nouveau',
    ],
)
def test_no_line_of_a_po_file_is_passed_over_in_silence(entry: str) -> None:
    with pytest.raises(ValueError, match="This line belongs to no message"):
        catalogue.parse(f"{FRENCH}\n{entry}\n")


def test_the_page_has_the_texts_of_its_modules_in_each_language() -> None:
    from numduel.web.pages.static import content

    assert content("languages/en.js") is content("languages/../de.js") is None
    for code in ("de", "fr", PSEUDO):
        made = (content(f"languages/{code}.js") or b"").decode()
        head, _equals, found = made.rstrip(";\n").partition("=")
        texts = json.loads(found)
        assert (head, len(texts["forms"])) == ("globalThis.texts", 200)
        assert "In this game: {changes}." in texts["messages"]
        assert "{name} wins the game!" not in texts["messages"]


def test_a_person_or_a_browser_names_the_language() -> None:
    assert named("de-AT") == named(" DE ") == named("de_AT") == "de"
    assert named("tlh_KL") == named("../de") == named("") == ""
    assert negotiated("tlh, fr-CH;q=0.8, de;q=0.9, *;q=0.1") == "de"
    assert (negotiated("fr;q=0.9, de"), negotiated("en;q=0.9, fr")) == ("de", "fr")
    assert negotiated("de;q=0, fr;q=x, fr;q=nan") == negotiated("") == "en"
    told = languages()
    assert {"de": "Deutsch", "en": "English", "fr": "Français"}.items() <= told.items()
    assert [*told] == sorted(told)
    assert all(map(known, told)), "each can be chosen"


def test_the_pseudo_locale_keeps_what_is_filled_in_and_makes_words_longer() -> None:
    with speaking(PSEUDO):
        told = _("{name} wins <b>the</b> game!", name="Ada")
        assert Idea("").told == ""
    assert told == "⟦Ada wíñššš <b>théé</b> gámééé!⟧"


@pytest.mark.parametrize("code", ["de", "fr", PSEUDO])
@pytest.mark.parametrize("name", ["line", "factors", "capture", "build", "duel"])
def test_a_game_is_the_same_game_in_every_language(code: str, name: str) -> None:
    """It can be played in its own words, and what is kept of it is English."""
    game = numduel.game(name)
    state = game.start(seed=3) if game.has_deck else game.start()
    english, brief = (game.to_dict(), game.rulebook), game.brief
    with speaking(code):
        assert (game.to_dict(), game.rulebook) == english
        assert not {*game.brief} & {*brief}
        while state.winner is None:
            move = state.legal_moves[0]
            typed = game.label(game.worded(move, state))
            state = state.play(typed)
            assert state.moves[-1] == move
        assert state.outcome is not None
        told = state.outcome.reason
    assert state.outcome is not None
    assert state.outcome.reason != told


def test_a_broken_rule_is_told_in_the_language_of_whoever_reads_it() -> None:
    state = numduel.game("factors").start().play(6).attempt(5)
    english = state.fault
    assert english == "5 is neither a factor nor a multiple of 6."
    with speaking("de"):
        assert state.fault == "5 ist weder Teiler noch Vielfaches von 6."
        assert state.outcome is not None
        assert state.outcome.reason.startswith("5 ist weder")
    assert state.fault == english


def test_an_outcome_is_told_in_one_language_while_another_thread_speaks_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    english = numduel.game("duel").replay("4 6 5 7 3")
    reason = english.outcome and english.outcome.reason
    with speaking("de"):
        german = numduel.game("duel").replay("4 6 5 7 3")
        assert german.outcome
        assert german.outcome.reason != reason

    def meanwhile() -> str:
        english._outcome = german._outcome
        return "en"

    monkeypatch.setattr("numduel.core.state.language", meanwhile)
    told = english.outcome
    assert told
    assert told.reason == reason
