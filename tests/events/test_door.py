"""The door of an event: who is let in at once, who waits for the host, and who stays outside."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from numduel.core.errors import BadEvent
from numduel.core.language import speaking
from numduel.events import actions, friendly, names
from numduel.events.event import fold
from numduel.events.manners import is_rude
from numduel.events.settings import MAX_PLAYERS
from tests.events.test_events import Played


def open_door(**settings: Any) -> Played:
    return Played(start=False, **settings)


def inside(one: Played) -> list[str]:
    return [member.nickname for member in one.event.members]


def waiting(one: Played) -> list[str]:
    return [asking.nickname for asking in one.event.asking.values()]


def refused(one: Played, why: str, action: Any, *given: Any, **named: Any) -> None:
    with pytest.raises(BadEvent, match=why):
        one.do(action, *given, **named)


# -- who waits ------------------------------------------------------------------------------


def test_the_first_of_a_browser_is_let_in_and_the_next_waits_for_the_host() -> None:
    one = open_door()
    one.do(actions.join, "Ada", token="a")
    one.do(actions.join, "Bo", token="b")
    one.do(actions.join, "Cy", token="a")
    assert (inside(one), waiting(one)) == (["Ada", "Bo"], ["Cy"])
    (asked,) = one.event.asking
    one.do(actions.admit, asked)
    assert (inside(one), waiting(one)) == (["Ada", "Bo", "Cy"], [])
    cy = one.event.with_token("a")
    assert cy is not None
    assert cy.nickname == "Cy", "the browser is Cy's now"
    one.do(actions.come_back, 1, "another")
    refused(one, "in the event already, as Cy", actions.come_back, 2, "a")
    assert vars(fold(one.log)) == vars(one.event)


def test_a_host_can_let_everybody_in_by_hand() -> None:
    one = open_door()
    one.do(actions.door, approval=True)
    for name in ("Ada", "Bo", "Cy"):
        one.do(actions.join, name, token=name)
    assert (inside(one), waiting(one)) == ([], ["Ada", "Bo", "Cy"])
    refused(one, "has that nickname", actions.join, "bo", token="other")
    one.do(actions.decline, next(iter(one.event.asking)))
    one.write(actions.admit_all(one.event, one.now))
    assert (inside(one), waiting(one)) == (["Bo", "Cy"], [])
    one.do(actions.door, approval=False)
    one.do(actions.join, "Di")
    assert inside(one) == ["Bo", "Cy", "Di"]


def test_a_change_at_the_door_that_changes_nothing_is_not_noted() -> None:
    refused(open_door(), "what is to change", actions.door, approval=None, own_names=None)


def test_where_very_many_come_at_once_more_wait_but_not_too_many() -> None:
    one = open_door()
    for number in range(actions.MAX_WAITING):
        one.do(actions.join, f"Fake {number}", token=str(number), crowded=True)
    refused(one, "waiting for the host", actions.join, "Late", token="late", crowded=True)
    one.do(actions.join, "Ada", token="ada")
    assert inside(one) == ["Ada"]
    one.write(actions.decline_all(one.event, one.now))
    assert not one.event.asking


def test_a_browser_that_was_not_let_in_asks_again_but_not_for_ever() -> None:
    one = open_door()
    one.do(actions.join, "Ada", token="a")
    for number in range(actions.MAX_DECLINED):
        one.do(actions.join, f"Bo {number}", token="a")
        one.do(actions.decline, next(iter(one.event.asking)))
    refused(one, "not let you in", actions.join, "Bo", token="a")


def test_who_waits_is_let_in_once_and_only_while_there_is_room() -> None:
    one = open_door()
    one.do(actions.join, "Ada", token="a")
    one.do(actions.join, "Bo", token="a")
    (asked,) = one.event.asking
    for number in range(MAX_PLAYERS - 1):
        one.do(actions.join, f"P{number}")
    refused(one, "full", actions.admit, asked)
    one.do(actions.remove, 2)
    one.do(actions.rename, 3, "Cy")
    one.do(actions.admit, asked)
    one.do(actions.remove, 4)
    for action in (actions.admit, actions.decline):
        refused(one, "not waiting", action, asked)


# -- who is removed -------------------------------------------------------------------------


def test_only_those_inside_count_so_an_event_is_never_dead() -> None:
    one = open_door()
    for number in range(5 * MAX_PLAYERS):
        one.do(actions.join, f"Fake {number}", token=str(number))
        one.do(actions.remove, one.event.members[-1].number)
    for number in range(MAX_PLAYERS):
        one.do(actions.join, f"Pupil {number}")
    refused(one, f"room for {MAX_PLAYERS}", actions.join, "Late")


def test_who_was_removed_does_not_come_back_from_that_browser_unless_the_host_wants_it() -> None:
    one = open_door()
    one.do(actions.join, "Ada", token="a")
    one.do(actions.join, "Bo", token="b")
    one.do(actions.join, "Cy", token="a")
    one.do(actions.remove, 1)
    assert not waiting(one), "nor does who waits there"
    for nickname in ("Ada", "Cy"):
        refused(one, "taken you out", actions.join, nickname, token="a")
    refused(one, "taken you out", actions.come_back, 2, "a")
    one.do(actions.join, "Ada", token="c")
    refused(one, "called Ada by now", actions.restore, 1)
    one.do(actions.rename, 3, "Eva")
    one.do(actions.restore, 1)
    assert inside(one) == ["Ada", "Bo", "Eva"]
    refused(one, "not been removed", actions.restore, 1)
    assert vars(fold(one.log)) == vars(one.event)


def test_everybody_who_is_not_here_is_removed_at_once() -> None:
    one = Played(6)
    for player in (2, 3, 5):
        one.do(actions.away, player)
    one.do(actions.join, "Robo", player="easy")
    one.write(actions.remove_absent(one.event, one.now))
    assert inside(one) == ["P1", "P4", "P6", "Robo"]
    assert actions.remove_absent(one.event, one.now) == []
    one.do(actions.end)
    refused(one, "over", actions.remove_absent)  # Who has left by then stays in the table.


# -- who asks for help ----------------------------------------------------------------------


TODAY = 1_763_200_000.0


def test_a_request_for_help_is_noted_once_a_minute_while_the_event_runs() -> None:
    one = Played(2, start=False)
    refused(one, "not running", actions.ask_for_help, 1, calendar=TODAY)
    one.do(actions.start)
    one.do(actions.ask_for_help, 1, calendar=TODAY)
    refused(one, "noted already", actions.ask_for_help, 1, calendar=TODAY)
    one.do(actions.ask_for_help, 2, calendar=TODAY)
    one.now += actions.HELP_SECONDS
    one.do(actions.pause)
    one.do(actions.ask_for_help, 1, calendar=TODAY)
    ada = one.event.participants[1]
    assert (ada.helped, ada.helped_at, ada.helped_on) == (2, one.now, TODAY)
    for _ in range(actions.MAX_HELP - 2):
        one.now += actions.HELP_SECONDS
        one.do(actions.ask_for_help, 1, calendar=TODAY)
    one.now += actions.HELP_SECONDS
    refused(one, "noted already", actions.ask_for_help, 1, calendar=TODAY)
    one.do(actions.end)
    refused(one, "not running", actions.ask_for_help, 2, calendar=TODAY)


def test_in_older_logs_a_request_for_help_is_dated_by_the_clock_of_the_event() -> None:
    one = Played(2)
    one.do(actions.ask_for_help, 1, calendar=TODAY)
    older = fold(entry._replace(data={}) if entry.kind == "help" else entry for entry in one.log)
    assert older.participants[1].helped_on == one.now


# -- nicknames ------------------------------------------------------------------------------


@pytest.mark.parametrize("code", friendly.WORDS)
def test_every_nickname_that_is_offered_can_be_chosen(code: str) -> None:
    every = friendly.WORDS[code].every_name()
    assert len({names.nickname_key(name) for name in every}) == len(every) > 10 * MAX_PLAYERS
    for name in every:
        assert names.chosen_nickname(name) == name
        assert friendly.is_friendly(name), "it was offered to somebody who speaks another language"
    with speaking(code):
        assert set(friendly.offer(bool)) <= set(every)


def test_every_nickname_that_is_offered_is_free() -> None:
    taken = set(friendly.WORDS["en"].every_name()) - {"Quick Otter", "Calm Owl"}
    assert sorted(friendly.offer(lambda name: name not in taken)) == ["Calm Owl", "Quick Otter"]
    offered = friendly.offer(bool, Random(1))
    assert len({name.split()[1] for name in offered}) == friendly.OFFERED
    assert all(map(friendly.is_friendly, offered))


def test_nobody_looks_further_than_the_nicknames_that_are_offered() -> None:
    """In a large event each look takes a while, and anybody can ask for nicknames."""
    looked: list[str] = []

    def is_free(name: str) -> bool:
        looked.append(name)
        return True

    assert friendly.offer(is_free) == looked


def test_where_own_nicknames_are_off_only_offered_ones_are_taken() -> None:
    one = open_door(own_names=False)
    refused(one, "that are offered", actions.join, "Ada")
    one.do(actions.join, "Quick Otter")
    refused(one, "has that nickname", actions.join, "Quick Otter")
    assert not one.event.is_free("quick-otter")
    one.do(actions.rename, 1, "Ada")
    one.do(actions.door, own_names=True)
    one.do(actions.join, "Bo")
    assert inside(one) == ["Ada", "Bo"], "the host may name people, and open the door to any name"


@pytest.mark.parametrize("mark", "'’‘ʼʻ′`´＇")
def test_an_apostrophe_is_typed_in_any_way(mark: str) -> None:
    assert names.chosen_nickname(f"O{mark}Neil") == "O'Neil"
    one = open_door()
    one.do(actions.join, "O'Neil")
    refused(one, "has that nickname", actions.join, f"O{mark}Neil")


@pytest.mark.parametrize("hyphen", "-‐‑–—−－")
def test_a_hyphen_is_typed_in_any_way(hyphen: str) -> None:
    assert names.chosen_nickname(f"Anne{hyphen}Marie") == "Anne-Marie"


RUDE = [
    "fuck", "FUCK", "Fuuuck", "f u c k", "f.u.c.k", "F_U_C_K", "fu ck", "fück", "fvck", "fuсk",
    "mrfuck99", "Fuck", "MotherFucker", "bitch", "b1tch", "biiitch", "asshole", "a55hole",
    "ass", "Ass", "a s s", "a.s.s", "a55", "BigAss", "big ass", "ass2", "shit", "sh1t", "5hit",
    "Shitty", "cunt", "C u n t", "dick head", "D1ck", "Big Dick", "BigDick", "penis", "p3n1s",
    "PENIS 1", "nigger", "n1gg3r", "niggga", "nazi", "Nazis", "n4z1", "Hitler", "h1tl3r",
    "slut", "whore", "sex", "s3x", "Sexy", "porn", "wanker", "tits", "arschloch", "Arschl0ch",
    "Scheiße", "scheisse", "Sche1sse", "Wichser", "Hurensohn", "Fick dich", "ficken",
    "Schlampe", "Fotze", "Missgeburt", "merde", "m3rde", "putain", "pute", "Connard", "enculé",
    "salope", "fils de pute", "con", "C0n", "gros con", "Connes", "bite", "B1te", "fdp", "pédé",
    "P.D.", "nique", "NTM", "ta gueule", "Couilles", "enfoiré", "salaud",
]  # fmt: skip


@pytest.mark.parametrize("name", RUDE)
def test_a_rude_word_is_found_in_any_spelling(name: str) -> None:
    with pytest.raises(BadEvent, match="hurts nobody"):
        names.chosen_nickname(name)
    assert names.nickname(name), "the host could give it"


FIRST_NAMES = """
    Aashita Ada Ahmed Aisha Amit Ana Analise Anna Anushka Arsenio Arsène Ashit Assia Bashir
    Bastian Bo Cassandra Cassius Chittaranjan Constance Cumali Dick Dikshit Dong Eva Fagan Fanny
    Fatima Felicitas Franziska Fuk Gaylord Giang Harshita Hassan Hitomi Homare Hung Ishita Jamal
    Jin Kacper Kunta Lakshita Laszlo Lipschitz Ludovic Mahesh Massimo Matthias Mercedes Mishita
    Moses Nadia Nazanin Nazia Nazim Nazir Nigel Nigella Ngozi Nikita Nutan Peneia Phuc Pornthip
    Prickett Rakshit Randy Raphael Rapha Sachiko Sasha Scholastica Sebastian Semen Sextus Shital
    Shitao Siriporn Sławomir Sussi Tatiana Titus Titania Tyler Ursula Wilhelmina Willy Xavier
    Yashita Yuki Zoë Conan Constantin Bérénice Corentin Dominique Monique Véronique Pedro
"""
SURNAMES = """
    Adcock Alcock Assmann Assad Babcock Bass Bassett Bitar Butts Cockburn Cockerill Cocker Cox
    Cummings Cumberbatch Dickens Dickinson Dickson Essex Fagerberg Fickers Fuchs Fukuda Fukuyama
    Glasscock Hancock Hardy Hitchcock Hoare Hostetler Hurley Johnson Kackert Kuntz Lipschitz
    Longbottom Matsushita Middlesex Negerman Niger Nutter Nuttall Pennistone Piston Porncharoen
    Putin Putman Rapport Raper Scunthorpe Seymour Sexton Shittu Slutsky Spasov Sussex Titmus
    Wang Weinberger Whorton Conti Bitton Culot Tapie Couillard Lepetit
"""


def test_no_ordinary_name_is_taken_for_a_rude_one() -> None:
    """Dick is a name at the beginning of one."""
    first, last = FIRST_NAMES.split(), SURNAMES.split()
    both = [f"{one} {two}" for one in first for two in last]
    assert [name for name in (*first, *last, *both) if is_rude(name)] == []
    for name in (*first, *last):
        assert names.chosen_nickname(name) == name, "nor for the host's"


@pytest.mark.parametrize(
    "name",
    ["Teacher", "teacher 2", "Mr. Teacher", "Téacher", "Host", "THE HOST", "Admin", "admin1",
     "Lehrerin", "Professeur", "Moderator", "Computer", "Easy", "easy 2", "Random", "Perfect",
     "m e d i u m", "H0st", "T3acher 7", "4dmin", "Mr Teeacher", "2host", "P3rfect",
     "H o s t", "T.e.a.c.h.e.r", "TheHost", "Mittel", "Zufällig 2", "au hasard", "DIFFICILE"],
)  # fmt: skip
def test_nobody_is_called_like_the_host_or_a_level(name: str) -> None:
    with pytest.raises(BadEvent, match="can be called"):
        names.chosen_nickname(name)


def test_a_level_has_its_own_name_and_the_host_calls_people_as_they_are_called() -> None:
    one = open_door()
    one.do(actions.join, "Easy", player="easy")
    one.do(actions.join, "Ada")
    one.do(actions.rename, 2, "De Cock")
    assert inside(one) == ["Easy", "De Cock"]
