"""Records: written to be read by people, read with suspicion."""

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numduel
from numduel import BadRecord
from numduel.play.match import begin, resume
from numduel.play.record import MAX_BYTES, parse, read
from tests.games import NAMES

GOOD = """\
Format: 1
Game: sequence-duel
Variant: n=9 k=3
First: 1
Player 1: human
Player 2: random
Name 1: Ann
Date: 2026-01-31 12:00:00
Result: 1

4 6 5 7 3
"""


def test_a_record_says_who_played_what_when_and_how_it_ended() -> None:
    record = parse(GOOD)
    assert record.names == ("Ann", "Player 2")
    assert record.players == ("human", "random")
    assert record.result == "1"
    assert len(record.states) == 6
    assert record.text() == GOOD
    assert record.json() == {
        "game": "sequence-duel",
        "variant": {"n": 9, "k": 3},
        "first": 1,
        "players": ["human", "random"],
        "names": ["Ann", "Player 2"],
        "forgiving": False,
        "help": [],
        "date": "2026-01-31 12:00:00",
        "moves": ["4", "6", "5", "7", "3"],
        "card": None,
        "to_move": None,
        "outcome": {
            "winner": 1,
            "reason": "Ann has formed an arithmetic sequence with numbers 3, 4, 5.",
        },
    }


def test_a_record_without_a_format_is_one_of_0_1() -> None:
    assert parse(GOOD.replace("Format: 1\n", "")) == parse(GOOD)


def test_a_record_of_a_format_that_is_not_known_is_not_guessed_at() -> None:
    later = GOOD.replace("Format: 1\n", "Format: 2\nColour: red\n")
    with pytest.raises(BadRecord, match=r"^It is written in format 2; .* reads format 1\.$"):
        parse(later)


def test_a_record_names_the_help_that_a_player_had() -> None:
    text = GOOD.replace("Date:", "Help: hint undo\nDate:")
    record = parse(text)
    assert record.help == {"hint", "undo"}
    assert record.text() == text
    assert record.json()["help"] == ["hint", "undo"]
    assert parse(GOOD).help == frozenset(), "older records say nothing"
    with pytest.raises(BadRecord, match=r"Help can only be hint, values and undo\."):
        parse(GOOD.replace("Date:", "Help: magic\nDate:"))


def test_a_record_of_a_game_online_says_where_it_is_and_who_the_person_was() -> None:
    text = GOOD.replace("Date:", "Seat: 2\nOnline: http://localhost:8000/play/a\nDate:")
    record = parse(text)
    assert (record.person, record.online) == (2, "http://localhost:8000/play/a")
    assert record.text() == text
    with pytest.raises(BadRecord, match=r"Seat must be 1 or 2, not 3\."):
        parse(GOOD.replace("Date:", "Seat: 3\nDate:"))


def test_records_of_other_systems_end_their_lines_as_they_like(tmp_path: Path) -> None:
    path = tmp_path / "game.duel"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert read(path) == parse(GOOD)


def test_two_players_of_one_name_are_refused() -> None:
    with pytest.raises(BadRecord, match="different names"):
        parse(GOOD.replace("Name 1: Ann", "Name 1: player 2"))


def test_a_game_and_its_moves_are_enough() -> None:
    assert parse("Game: duel\n\n4 6\n5\n").state.moves == (4, 6, 5)
    assert parse("Game: duel\n\n").state.moves == ()


BROKEN = {
    "": "cut short",
    "\n": "does not say which game",
    "4 6 5 7 3\n": "no empty line",
    GOOD[:-1]: "cut short",
    GOOD.replace(" 7 3", ""): "do not end the game",
    GOOD.replace("Result: 1", "Result: 2"): "make it 1",
    GOOD.replace("4 6", "4 4"): r"Move 2 \(4\): 4 has already been picked",
    GOOD.replace("4 6", "4 x"): r"Move 2 \(x\): Please type",
    GOOD.replace("5 7 3", "5 7 3 1"): r"Move 6 \(1\): The game is over",
    GOOD.replace("sequence-duel", "chess"): "There is no game",
    GOOD.replace("n=9", "n=0"): "whole number from 1 to 999",
    GOOD.replace("n=9", "self=9"): "has no setting",
    GOOD.replace("First: 1", "First: 3"): "1 or 2",
    GOOD.replace("First: 1", "First: one"): "not a whole number",
    GOOD.replace("First: 1", "First"): "Line 4 is not a header",
    GOOD.replace("First: 1", "First: 1\nFirst: 1"): "Line 5 is not a header",
    GOOD.replace("First: 1", "Pickle: 1"): "Line 4 is not a header",
    GOOD.replace("First: 1", "Deck: 5"): "has no deck",
    GOOD.replace("First: 1", "Rules: none"): "can only be",
    GOOD.replace("2026-01-31", "yesterday"): "not a date",
    GOOD.replace("Ann", "A" * 41): "at most 40",
    GOOD.replace("Ann", "A\x1b[2J"): "printable",
    GOOD.replace("random", "a\x07b"): "not a kind of player",
    GOOD.replace("4 6", "9" * 5000): "Move 1 ",
    GOOD + "x" * MAX_BYTES + "\n": "too large",
    "Game: build\n\n7e 5\n6\n": "The drawn card is 5",
    "Game: build\n\n7q\n": "does not name a card",
    "Game: build\n\n11e\n": "cannot be drawn",
    "Game: build\n\n7e 7x 7x\n": "cannot be drawn",
    "Game: build\nDeck: 7 x\n\n7e\n": "not a list of cards",
    "Game: build\nSeed: " + "7" * 99 + "\n\n7e\n": "not a whole number",
    "Game: factors\n\n6 3!\n": "none was",
    "Game: duel\n\n4 4!\n": "none was",
    "Game: factors\nRules: forgiving\n\n6 5!\n": "none was",
    "Game: factors\n\n6 5! 3\n": "The game is over",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_record_gets_one_clear_line(text: str) -> None:
    with pytest.raises(BadRecord, match=BROKEN[text]) as refused:
        parse(text)
    assert len(str(refused.value)) < 250
    assert str(refused.value).isprintable()


@given(st.text(max_size=300) | st.binary(max_size=300).map(lambda data: data.decode("latin-1")))
def test_no_text_does_more_than_be_refused(text: str) -> None:
    for whole in (text, f"Game: duel\n{text}\n\n4\n", f"Game: build\n\n{text}\n"):
        with suppress(BadRecord):
            parse(whole)


@given(st.integers(0, len(GOOD) - 1))
def test_a_record_cut_anywhere_is_refused(length: int) -> None:
    with pytest.raises(BadRecord):
        parse(GOOD[:length])


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"Game: duel\n\n4\xff\n"])
def test_a_file_that_is_not_text_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "game.duel"
    path.write_bytes(data)
    with pytest.raises(BadRecord, match="is not a text file"):
        read(path)


def test_an_enormous_file_is_refused_without_reading_it(tmp_path: Path) -> None:
    with open(tmp_path / "huge.duel", "wb") as file:
        file.truncate(1 << 40 if os.name == "posix" else 2 * MAX_BYTES)  # Windows writes each byte
    with pytest.raises(BadRecord, match="too large"):
        read(tmp_path / "huge.duel")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such device.")
def test_a_device_is_refused() -> None:
    with pytest.raises(BadRecord, match="is not a file"):
        read("/dev/zero")


@pytest.mark.parametrize("path", ["/", "/nowhere/game.duel", "a\0b", "x" * 5000])
def test_what_is_no_file_is_refused(path: str) -> None:
    with pytest.raises(BadRecord) as refused:
        read(path)
    assert str(refused.value).isprintable()


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such pipes.")
def test_a_named_pipe_does_not_hang_the_reader(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.duel")
    with pytest.raises(BadRecord, match="is not a file"):
        read(tmp_path / "pipe.duel")


@given(st.sampled_from(NAMES), st.integers(0, 9999),
       st.sampled_from((1, 2)), st.data())  # fmt: skip
def test_every_game_survives_being_written_read_and_resumed(
    name: str, seed: int, first: int, data: st.DataObject
) -> None:
    """The two in a game that is resumed never notice, at whatever move it was left."""
    game = numduel.game(name)
    match = begin(game, seed=seed, first=first,
                  names=("Ann", "Bob"), forgiving=data.draw(st.booleans()))  # fmt: skip
    plies = data.draw(st.integers(0, 30))
    while len(match.state.moves) < plies and not match.state.outcome:
        match.play(data.draw(st.sampled_from(match.state.legal_moves)))
    record = parse(match.record.text())
    assert record == match.record
    for kept in (record, replace(record, seed=None)):
        again = resume(kept)
        assert again.state == match.state
        assert again.record.text() == kept.text()
        if not match.state.outcome:
            again.play(again.state.legal_moves[0])


def test_a_record_whose_cards_are_not_those_of_its_seed_cannot_be_resumed() -> None:
    record = parse("Game: build\nSeed: 7\n\n1x 1x\n")
    with pytest.raises(BadRecord, match="do not match its deck"):
        resume(record)


SAVED = (Path(__file__).parent / "records-1.0.txt").read_text("utf-8").split("## ")[1:]


@pytest.mark.parametrize("saved", SAVED)
def test_a_game_saved_by_1_0_can_still_be_read(saved: str) -> None:
    told, _, text = saved.partition("\n")
    expected = dict(pair.split("=") for pair in told.split())
    state = parse(text).state
    assert state.ply == int(expected["plies"])
    if state.winner is None:
        legal = ",".join(map(str, state.legal_moves))
        assert (str(state.to_move), legal) == (expected["to-move"], expected["legal"])
    else:
        ended = "resigned" if state.resigned else "broken-rule" if state.fault else "board"
        assert (str(state.winner), ended) == (expected["winner"], expected["by"])


def test_fifty_games_of_1_0_are_kept() -> None:
    assert len(SAVED) == 50


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("Rules: forgiving pie", "It was played with the pie rule, which numduel no longer has."),
        ("Match: first game", "It is a game of a match of two, which numduel no longer has."),
        ("Match: after 5 resign", "It is a game of a match of two, which numduel no longer has."),
    ],
)
def test_what_1_0_had_besides_is_refused_in_one_sentence(header: str, why: str) -> None:
    with pytest.raises(BadRecord) as refused:
        parse(f"Format: 1\nGame: sequence-duel\n{header}\nResult: *\n\n5 swap 4\n")
    assert str(refused.value) == why
