"""What a language model is told, and how its answer is read."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from time import process_time

import pytest

import numduel
from numduel import State
from numduel.agents.asking import EXAMINED, Asking
from numduel.lab.dataset.decisions import Decision, balanced, gathered, random_regret
from tests.games import NAMES, claims

ASK = Asking()
CAPTURE = numduel.game("capture").start()
BUILD = numduel.game("build").replay("8e 3e").draw(7)
"""Player 1 has the sequence [8] and draws 7."""


def answered(answer: str, state: State = CAPTURE, ask: Asking = ASK) -> object:
    """The move that an answer names, or None."""
    try:
        return ask.played(state, answer).moves[-1]
    except numduel.NotAMove:
        return None


# -- answers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        "MOVE: 21",
        "move: 21",
        "MOVE:21",
        "MOVE : 21",
        "MOVE: 21.",
        "MOVE: 21!",
        "MOVE: +21",
        "MOVE: #21",
        "MOVE: [21]",
        "MOVE: <21>",
        'MOVE: "21"',
        "MOVE: 21 (the highest)",
        "MOVE: 21 (19 is blocked)",
        "MOVE: 21 because 20 is blocked then",
        "MOVE: 21 - it blocks 20",
        "MOVE: 21. That blocks 20.",
        "MOVE: **21** (for 21 points)",
        "MOVE: I choose 21",
        "MOVE: I'll take 21",
        "MOVE: number 21",
        "MOVE: claim 21",
        "MOVE: the number 21, of course",
        "MOVE:\n21",
        "MOVE:\n\n**21**\n",
        "**MOVE:**\n```\n21\n```",
        "MOVE: 21\n\nGood luck!",
        "\r\nMOVE: 21\r\n",
        "**Move: 21**",
        "**MOVE:** 21",
        "**MOVE**: 21",
        "> `MOVE: pick 21`",
        "- Move: 21",
        "### Final move: 21",
        "My move: 21",
        "Final answer: 21",
        "**Final Answer:** 21",
        "**Final Answer**\n\n21\n",
        "```\nMOVE: 21\n```",
        "MOVE: $21$",
        "MOVE: $$21$$",
        r"MOVE: \(21\)",
        r"MOVE: $\boxed{21}$",
        r"MOVE: \textbf{21}",
        r"\boxed{21}",
        r"So it is $\boxed{\text{21}}$, and not 19.",
        r"Final Answer: The final answer is $\boxed{21}$. I hope it is correct.",
        "<answer>21</answer>",
        '{"move": 21}',
        '{"why": "19 loses", "move": "21"}',
        '{"move": 21, "why": "19 loses"}',
        '```json\n{\n  "why": "3, then 4",\n  "move": 21\n}\n```',
        "MOVE: 3\nNo, wait.\nMOVE: 21",
        "MOVE: 3. No, wait: MOVE: 21",
        "The best is the highest. MOVE: 21",
        "Take 3, or 5, or 7.\n" * 4000 + "MOVE: 21",
        "<think>If I say MOVE: 3, …</think> MOVE: 21",
        "<think>\n3\n</think>\n\n21",
        "<thinking>3</thinking>I choose 21.",
        "21",
        " 21.\n",
        "Let me see: 3, 4, 5.\n\n21",
        "I choose 21.",
        "The answer is 21",
        "Move 21",
        "My final move is **21**.",
        "MOVE\uff1a\uff12\uff11",
        "MOVE:\u00a021",
        "MOVE: 21\u200b",
    ],
)
def test_what_models_write_for_21_is_21(answer: str) -> None:
    assert answered(answer) == 21


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "\n \n",
        "I cannot choose a number from 1 to 21.",
        "I'm sorry, but I can't help with picking one of the numbers 1 to 21",
        "The numbers are 1 to 21",
        "MOVE: I cannot choose from 1 to 21",
        "MOVE: any number from 1 to 21",
        "MOVE: none",
        "MOVE: pass",
        "MOVE: not 21",
        "MOVE: anything but 21",
        "MOVE: 21 or 19",
        "MOVE: 21 (or 19)",
        "MOVE: 21, 19",
        "MOVE: 21 and 19",
        "MOVE: 21/19",
        "MOVE: 19-21",
        "MOVE: 19\u201321",
        "MOVE: 21?",
        "MOVE: <number>",
        "MOVE: twenty-one",
        "MOVE: 4.5",
        "MOVE: .5",
        "MOVE: 1e3",
        "MOVE: 0x5",
        "MOVE: 50%",
        "MOVE: 5²",
        "MOVE: \u0665",
        "MOVE: 1000000000000",
        "MOVE: 5\nMOVE: ",
        "five",
        "Is 21 best?",
        "Should I take 21",
        "I like 4.5, and hence 5",
        "3 is weak, so I take (5).",
        "Opponent's best move: 19. What now?",
        "moves: 5",
        "REMOVE: 5",
        "<think>MOVE: 21",
        r"\boxed{21, 19}",
        r"\boxed{}",
        '{"move": null}',
        "MOVE: 21" + " and so on" * EXAMINED,
    ],
)
def test_an_answer_without_one_clear_move_names_none(answer: str) -> None:
    assert answered(answer) is None


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("MOVE: 7e", "7e"),
        ("MOVE: end", "7e"),
        ("MOVE: END", "7e"),
        ("MOVE: **beginning**", "7b"),
        ("MOVE: b", "7b"),
        ("MOVE: discard", "7x"),
        ("MOVE: discard the 7", "7x"),
        ("MOVE: add 7 to the end", "7e"),
        ("MOVE: 7 at the beginning", "7b"),
        ('{"move": "discard"}', "7x"),
        (r"\boxed{\text{beginning}}", "7b"),
        ("Discard.", "7x"),
        ("MOVE: 7", None),
        ("MOVE: 8e", None),
        ("MOVE: end or discard", None),
        ("MOVE: beginning/end", None),
        ("In the end, I cannot decide", None),
        ("I would discard, or maybe not", None),
    ],
)
def test_what_models_write_for_a_card(answer: str, move: str | None) -> None:
    assert answered(answer, BUILD) == move


@pytest.mark.parametrize("minus", ["-", "\u2212", "\u2013", "\uff0d"])
def test_a_negative_number_is_not_made_positive(minus: str) -> None:
    with pytest.raises(numduel.IllegalMove, match="-5 is out of range"):
        ASK.played(CAPTURE, f"MOVE: {minus}5")


def test_an_illegal_move_is_not_taken_for_no_move() -> None:
    with pytest.raises(numduel.IllegalMove, match="99 is out of range: the numbers are 1 to 21"):
        ASK.played(CAPTURE, "MOVE: 99")
    with pytest.raises(numduel.IllegalMove, match="21 is already claimed"):
        ASK.played(CAPTURE.play(21), "I choose 21")


def test_indices_count_the_moves_from_0() -> None:
    ask = Asking(indices=True, rules=False)
    assert ask.played(CAPTURE, "MOVE: 20").moves == (21,)
    assert ask.played(CAPTURE, "MOVE: index 20 (which means 21)").moves == (21,)
    with pytest.raises(numduel.NotAMove, match="from 0 to 20"):
        ask.played(CAPTURE, "MOVE: 21")
    with pytest.raises(numduel.NotAMove, match="from 0 to 20"):
        ask.played(CAPTURE, "I cannot choose from 0 to 20")
    with pytest.raises(numduel.IllegalMove, match="21 is already claimed"):
        ask.played(CAPTURE.play(21), "MOVE: 20")
    listed = re.search("The indices of the legal moves: (.*)\n", ask.prompt(CAPTURE))
    assert listed
    assert sorted(map(int, listed[1].split(", "))) == [*range(21)] != listed[1].split(", ")
    assert ask.played(BUILD, "MOVE: 2").moves[-1] == "7x"
    assert "0 means beginning, 1 means end, 2 means discard" in ask.prompt(BUILD)


@pytest.mark.parametrize(
    "junk",
    ["\n", " ", "\t\n", "move", "MOVE", "MOVE:", "MOVE ", '"move" ', "*", "> ", "- ", "<think>",
     "</think>", "\\boxed{", "\\boxed{{a}", "1 ", "21, ", ". ", "(", "a"],
)  # fmt: skip
def test_reading_an_answer_takes_linear_time(junk: str) -> None:
    def seconds(size: int) -> float:
        answer, times = (junk * size)[:size], []
        for _ in range(5):
            begun = process_time()
            answered(answer)
            times.append(process_time() - begun)
        return min(times)

    assert EXAMINED > 16_000
    # Eight times the length would be 64 times the time if it were quadratic.
    for size in (2_000, 125_000):
        assert seconds(8 * size) < 32 * max(seconds(size), 1e-5)


# -- prompts --------------------------------------------------------------------------------


@cache
def found(name: str) -> list[Decision]:
    """Many different positions of a game with its usual settings, in both seats."""
    return balanced(gathered(numduel.game(name), 100, seed=1))[:60]


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_claims_nothing_about_who_wins_and_how(name: str) -> None:
    assert {decision.state.to_move for decision in found(name)} == {1, 2}
    for decision in found(name):
        assert claims(ASK.prompt(decision.state)) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_never_asks_the_solver(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    states = [decision.state for decision in found(name)]

    def asked(*_: object) -> None:
        raise AssertionError("the solver was asked")

    for function in ("numduel.solver._valued", "numduel.solver._solver"):
        monkeypatch.setattr(function, asked)
    for state in states:
        game = state.game
        listed = re.search("Legal moves: (.*)\n", ASK.prompt(state))
        assert listed
        assert sorted(listed[1].split(", ")) == sorted(map(game.label, state.legal_moves))


@pytest.mark.parametrize("indices", [False, True], ids=["numbers", "indices"])
@pytest.mark.parametrize("name", ["factors", "build", "capture"])
def test_the_order_of_legal_moves_tells_nothing(name: str, indices: bool) -> None:
    """In their natural order the first or the last of them would often be best."""
    lost, expected, seeds = {"first": 0.0, "last": 0.0}, 0.0, 25
    for decision in found(name):
        losses = {option.move: option.loss for option in decision.options}
        expected += seeds * random_regret(decision.options)
        for seed in range(seeds):
            ask = Asking(indices=indices, order=seed)
            prompt = ask.prompt(decision.state)
            assert prompt == Asking(indices=indices, order=seed).prompt(decision.state)
            listed = re.search("egal moves: (.*)\n", prompt)
            assert listed
            words = listed[1].split(", ")
            for place, word in (("first", words[0]), ("last", words[-1])):
                move = ask.move(decision.state, f"MOVE: {word}")
                assert move is not None
                lost[place] += losses[move]
    for place in lost:
        assert abs(1 - lost[place] / expected) < 0.1


Cheater = Callable[[str], list[int]]


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d{1,9}", text)]


def prose(text: str) -> str:
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


CHEATERS: dict[str, Cheater] = {
    "the first number in prose": lambda text: numbers(prose(text)),
    "the last number in prose": lambda text: numbers(prose(text))[::-1],
    "the first number": numbers,
    "the last number": lambda text: numbers(text)[::-1],
    "the most frequent": lambda text: [n for n, _ in Counter(numbers(text)).most_common()],
    "quoted": lambda text: numbers(" ".join(re.findall(r"`([^`\n]*)`", text))),
    "told to": lambda text: numbers(
        " ".join(re.findall(r"(?:open|pick|claim|take|play|choose|own)\w*(?: \w+){0,3} \d+", text))
    ),
}
"""Models that know a game only by the numbers in its rules, and play the first legal one."""
ORDERS = 200
NUMERIC = [name for name in NAMES if numduel.game(name).numeric]


def lost(name: str, preferred: Sequence[int]) -> float:
    """What a player loses by playing the first legal move of a list, or else at random."""
    total = 0.0
    for decision in found(name):
        losses = {option.move: option.loss for option in decision.options}
        move = next((number for number in preferred if number in losses), None)
        total += random_regret(decision.options) if move is None else losses[move]
    return total


@cache
def random_losses(name: str) -> list[float]:
    """What players lose who each prefer the moves in a random order: the baseline for a player with
    fixed preferences, because some orders suit a game."""
    luck = random.Random(1)
    moves = range(1, numduel.game(name).bounds.actions + 1)
    return [lost(name, sorted(moves, key=lambda _: luck.random())) for _ in range(ORDERS)]


def better_than_random(name: str, preferred: Sequence[int]) -> bool:
    """Whether a list of moves is better than 99 % of random orders."""
    own = lost(name, preferred)
    return sum(other <= own + 1e-9 for other in random_losses(name)) <= ORDERS / 100


@pytest.mark.parametrize("name", NUMERIC)
def test_a_cheater_who_plays_what_the_rules_mention_is_no_better_than_random(name: str) -> None:
    rules = numduel.game(name).rulebook
    assert [
        what for what, list_ in CHEATERS.items() if better_than_random(name, list_(rules))
    ] == []


def test_a_page_that_names_good_moves_would_be_noticed() -> None:
    good = ", ".join(map(str, range(21, 0, -1)))
    page = f"Good are {good}.\n{numduel.game('capture').rulebook}"
    assert better_than_random("capture", CHEATERS["the first number in prose"](page))
