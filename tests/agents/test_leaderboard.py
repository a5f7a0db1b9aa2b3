"""The leaderboard: its page is what its rows say, and a row says what its answers are worth."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import numduel
from numduel.agents import leaderboard, overlap, report
from numduel.agents.results import read
from numduel.agents.submission import KINDS, Row, Submission, _digest, check, from_player
from numduel.lab.dataset import answers
from numduel.lab.dataset.answers import MARK, Answers, Asked, benchmark_games
from numduel.lab.dataset.decisions import PHASES, worst_regret
from numduel.lab.dataset.splits import CANARY, split_of
from numduel.lab.tournament.ratings import Part, mean
from numduel.terminal.app import app

FOLDER = Path(__file__).parents[2] / "docs" / "leaderboard"
SMALL = numduel.game("line", n=7, k=3)


def row_of(name: str) -> Row:
    return answers.load(str(FOLDER / "rows" / f"{name}.json"))


@pytest.fixture(scope="module", autouse=True)
def _drawn() -> None:
    """Nothing is drawn anew, which would take minutes."""
    answers.remember(json.loads((FOLDER / "positions.json").read_text("utf-8")))


class LongAfter(date):
    """The date of a day after all rows were made, whatever the clock says."""

    @classmethod
    def today(cls) -> LongAfter:
        return cls(2999, 1, 1)


@pytest.fixture(autouse=True)
def _long_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.agents.submission.date", LongAfter)


def test_the_page_and_the_plot_are_what_the_rows_say_and_every_row_checks() -> None:
    for path, text in leaderboard.files(FOLDER).items():
        assert path.read_text("utf-8") == text, f"write it anew: numduel submit --page {FOLDER}"


def test_the_evaluation_card_says_the_same_of_short_heuristics() -> None:
    card = (FOLDER.parent / "evaluation-card.md").read_text("utf-8")
    told = "\n\n".join(leaderboard.short_heuristics())
    assert told in card, f"take it from {FOLDER / 'README.md'}"


def test_every_row_says_how_it_came_about() -> None:
    paths = sorted((FOLDER / "rows").glob("*.json"))
    assert len(paths) > 10
    for path in paths:
        row = json.loads(path.read_text("utf-8"))
        assert {*row} == {
            "numduel", "canary", "player", "date", "parts", "kind", "made", "prompts", "settings",
            "versions", "cost", "scores",
        }, path.name  # fmt: skip
        assert (row["numduel"], row["canary"], row["kind"] in KINDS) == (MARK, CANARY, True)
        assert row["versions"]["numduel"]
        assert row["made"]


def test_no_position_of_the_leaderboard_is_one_to_train_on() -> None:
    asked = [Asked(game, 100, 0) for game in benchmark_games()]
    decisions = [one for some in asked for one in some.decisions]
    assert len(decisions) > 400
    assert {split_of(one.state) for one in decisions} == {"test"}


def test_the_evaluation_card_says_which_phases_the_decisions_are_of() -> None:
    card = " ".join((FOLDER.parent / "evaluation-card.md").read_text("utf-8").split())
    for game in benchmark_games():
        phases = Counter(one.phase for one in Asked(game, 100, 0).decisions)
        early, middle, late = (phases[phase] for phase in PHASES)
        assert f" {early}, {middle} and {late} in {game.display_name}" in card


def test_a_training_set_that_holds_the_leaderboard_is_told_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert app(["dataset", "--check", str(FOLDER)], standalone_mode=False) == 1
    said = capsys.readouterr().out
    assert "It holds the mark of rows that are not for training." in said
    count = sum(len(Asked(game, 100, 0).decisions) for game in benchmark_games())
    assert f"{count} positions to test with: do not train on this." in said
    for path in (*sorted((FOLDER / "rows").iterdir()), FOLDER / "positions.json"):
        assert overlap.read(path).canary, path.name


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=[] if game.name == "line" else pytest.mark.proof, id=game.name)
        for game in benchmark_games()
    ],
)
def test_the_positions_of_the_leaderboard_are_those_that_are_drawn(game: numduel.Game) -> None:
    told = json.loads((FOLDER / "positions.json").read_text("utf-8"))
    [kept] = [one["positions"] for one in told if one["game"] == game.id]
    assert [one.state.text for one in answers._drawn(game, 100, 0)] == kept


def test_a_player_of_ours_gets_its_row_again() -> None:
    again = from_player("hard", count=100, seed=0).row()
    row = row_of("hard")
    assert (again["parts"], again["scores"]) == (row["parts"], row["scores"])


def test_perfect_play_is_1_and_a_trivial_rule_is_not_above_trivial() -> None:
    assert row_of("perfect")["scores"]["overall"]["value"] == 1
    for rule in ("greedy", "lowest", "highest", "middle", "win", "deny"):
        assert row_of(f"rule-{rule}")["scores"]["overall"]["low"] < 0


def test_what_was_not_seen_may_lose_as_much_as_any_position_allows() -> None:
    for game, one in zip(benchmark_games(), row_of("perfect")["scores"]["games"], strict=True):
        worst = [worst_regret(one.options) for one in Asked(game, 100, 0).decisions]
        bound = mean([Part(0.0, 1.0, 0.0, max(worst))] * len(worst))
        assert bound
        assert one["regret"]["high"] == pytest.approx(bound.high, abs=1e-4)


def test_every_row_has_the_digest_of_the_positions_of_the_leaderboard() -> None:
    told = json.loads((FOLDER / "positions.json").read_text("utf-8"))
    digests = {one["game"]: answers.digest(one["positions"]) for one in told}
    assert len({*digests.values()}) == len(benchmark_games())
    for path in sorted((FOLDER / "rows").glob("*.json")):
        parts = json.loads(path.read_text("utf-8"))["parts"]
        assert {part["game"]: part["digest"] for part in parts} == digests, path.name


def test_answers_of_an_earlier_version_without_a_digest_are_judged_too(tmp_path: Path) -> None:
    path = Path(small_answers(tmp_path / "a.json", lambda state: state.legal_moves[0]))
    whole = path.read_text("utf-8")
    data = json.loads(whole)
    del data["parts"][0]["digest"]
    path.write_text(json.dumps(data), "utf-8")
    found = map(Answers.read, answers.load(str(path))["parts"])
    assert [part.json() for part in found] == json.loads(whole)["parts"]


def changed_answer(row: Row) -> None:
    """Its first mistake is put right."""
    part = row["parts"][0]
    words = part["answers"][0].split()
    for at, one in enumerate(Asked(benchmark_games()[0], 100, 0).decisions):
        best = [*map(str, one.best)]
        if words[at] not in best:
            words[at] = best[0]
            break
    part["answers"][0] = " ".join(words)


def other_positions(row: Row) -> None:
    row["parts"][0]["digest"] = 64 * "0"


def no_digest(row: Row) -> None:
    del row["parts"][0]["digest"]


def changed_score(row: Row) -> None:
    row["scores"]["overall"]["value"] = 1.0


def changed_interval(row: Row) -> None:
    row["scores"]["games"][2]["above_trivial"]["low"] += 0.1


def fewer_faults(row: Row) -> None:
    row["scores"]["games"][0]["faults"] -= 1


def changed_seed(row: Row) -> None:
    row["parts"][0]["seed"] = "0"


def left_out(row: Row) -> None:
    row["parts"][0]["answers"][0] = " ".join(row["parts"][0]["answers"][0].split()[:-1])


def illegal(row: Row) -> None:
    row["parts"][0]["answers"][0] = " ".join(["99"] * 100)


def without_a_game(row: Row) -> None:
    row["parts"].pop()


def without_cost(row: Row) -> None:
    del row["cost"]


def rounded_up(row: Row) -> None:
    row["scores"]["overall"]["value"] += 0.001


def one_text(row: Row) -> None:
    row["parts"][0]["answers"] = row["parts"][0]["answers"][0]


def endless(row: Row) -> None:
    row["parts"][0]["decisions"] = 10**9


def paid_to_play(row: Row) -> None:
    row["cost"]["dollars"] = -1.0


def beyond_numbers(row: Row) -> None:
    row["cost"]["seconds"] = float("nan")


def set_to_no_number(row: Row) -> None:
    row["settings"] = {"temperature": [float("nan")]}


def markup(row: Row) -> None:
    row["date"] = "<img src=x>"


def a_line_break(row: Row) -> None:
    row["player"] = "medium\n| best | of all |"


def another_kind(row: Row) -> None:
    row["kind"] = ["model"]


def no_model(row: Row) -> None:
    """Answers that somebody wrote, said to be those of a model."""
    row["kind"] = "model"


def invented_prompts(row: Row) -> None:
    row |= {"kind": "model", "prompts": 64 * "0"}


def other_prompts(row: Row) -> None:
    """Those of a model that was told less than the row says."""
    asked = [Answers.read(part).asked for part in row["parts"]]
    row |= {"kind": "model", "prompts": _digest(asked, {"rules": False})}


def not_yet(row: Row) -> None:
    row["date"] = "9999-12-31"


def wrong_versions(row: Row) -> None:
    row["versions"] = {"numduel": 2}


@pytest.mark.parametrize(
    ("tamper", "told"),
    [
        (changed_answer, "The scores of medium are not those of its answers."),
        (other_positions, "The answers to Four in a Row are to other positions than this version"),
        (no_digest, "The row of medium lacks the digest of what it answers."),
        (changed_score, "The scores of medium are not those of its answers."),
        (changed_interval, "The scores of medium are not those of its answers."),
        (fewer_faults, "The scores of medium are not those of its answers."),
        (without_a_game, "The scores of medium are not those of its answers."),
        (changed_seed, "Answers have a game, its variant"),
        (left_out, "Four in a Row has 99 answers to 100 decisions: each decision has one."),
        (illegal, "Answer 1 in Four in a Row is no legal move: "),
        (without_cost, "The row of medium lacks cost."),
        (rounded_up, "The scores of medium are not those of its answers."),
        (one_text, "The answers to Four in a Row are a list of texts"),
        (endless, "Answers have a game, its variant, a number of decisions from 1 to 2,000"),
        (paid_to_play, "In the row of medium, cost must be dollars, seconds, "),
        (beyond_numbers, "In the row of medium, cost must be dollars, seconds, "),
        (set_to_no_number, "In the row of medium, settings must be settings by their names, each"),
        (markup, "In the row of medium, date must be a date such as "),
        (a_line_break, "In the row of medium?| best | of all |, player must be a name"),
        (another_kind, "In the row of medium, kind must be one of model, program, people."),
        (no_model, "The row of medium lacks prompts: a model's row is made of its logs."),
        (invented_prompts, "The prompts of medium are not those of this version: a model's row is"),
        (other_prompts, "The prompts of medium are not those of this version: a model's row is"),
        (not_yet, "The date of medium is in the future: 9999-12-31."),
        (wrong_versions, "In the row of medium, versions must be versions by the names"),
    ],
)
def test_a_row_that_was_changed_is_refused_in_one_sentence(
    tamper: Callable[[Row], None], told: str
) -> None:
    row = deepcopy(row_of("medium"))
    check(row)
    tamper(row)
    with pytest.raises(numduel.BadRecord) as refused:
        check(row)
    assert str(refused.value).startswith(told)
    assert "\n" not in str(refused.value)


def test_a_row_without_all_games_has_no_place_among_the_others() -> None:
    row = {**row_of("perfect"), "file": "x.json"}
    scores = {**row["scores"], "games": row["scores"]["games"][:4]}
    lines = leaderboard.table([{**row, "parts": row["parts"][:4], "scores": scores}]).splitlines()
    assert lines[-1].startswith("| [perfect](rows/x.json) | program | – | 1.00 | 1.00 |")


def test_a_row_of_a_model_has_the_digest_of_what_it_was_asked() -> None:
    row = row_of("medium")
    asked = [Answers.read(part).asked for part in row["parts"]]
    for settings in ({}, {"rules": False, "temperature": 0.5, "seed": 7}):
        prompts = _digest(asked, settings)
        check({**row, "kind": "model", "prompts": prompts, "settings": settings})


def test_a_file_that_is_no_row_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "a.json").write_text("{}", "utf-8")
    with pytest.raises(numduel.BadRecord) as refused:
        leaderboard.read(tmp_path)
    assert str(refused.value).count("a.json") == 1


def a_seed_that_suits(row: Row) -> None:
    row["parts"][0] |= {"seed": 7, "decisions": 30}


def an_easy_board(row: Row) -> None:
    """One more game would count in the mean."""
    row["parts"].append({**row["parts"][0], "variant": {"n": 7, "k": 3}, "decisions": 10})


def a_few_that_suit(row: Row) -> None:
    row["parts"][0]["few"] = 3


def a_game_twice(row: Row) -> None:
    row["parts"].append(deepcopy(row["parts"][0]))


def no_part(row: Row) -> None:
    row["parts"][0] = "5 6 7"


@pytest.mark.parametrize(
    "tamper", [a_seed_that_suits, an_easy_board, a_few_that_suit, a_game_twice, no_part]
)
def test_nobody_chooses_the_decisions_of_the_leaderboard(
    tamper: Callable[[Row], None], tmp_path: Path
) -> None:
    (tmp_path / "rows").mkdir()
    path = tmp_path / "rows" / "a.json"
    row = row_of("perfect")
    path.write_text(json.dumps(row), "utf-8")
    assert [one["player"] for one in leaderboard.read(tmp_path)] == ["perfect"]
    tamper(row)
    path.write_text(json.dumps(row), "utf-8")
    with pytest.raises(numduel.BadRecord, match="does not answer 100 decisions of each game"):
        leaderboard.read(tmp_path)


def test_only_people_answer_a_few_decisions(tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    (tmp_path / "positions.json").write_bytes((FOLDER / "positions.json").read_bytes())
    path = tmp_path / "rows" / "a.json"
    asked = [Asked(game, 100, 0, 10) for game in benchmark_games()]
    parts = [Answers(one, (tuple(some.best[0] for some in one.decisions),)) for one in asked]
    row = Submission("somebody", "people", parts, "2026-11-18").row()
    path.write_text(json.dumps(row), "utf-8")
    [ranked] = leaderboard.read(tmp_path)
    assert leaderboard.whole(ranked)
    for kind in ("program", "model"):
        path.write_text(json.dumps({**row, "kind": kind, "prompts": 64 * "0"}), "utf-8")
        assert not leaderboard.whole({**row, "kind": kind})
        with pytest.raises(numduel.BadRecord, match="It answers 10 decisions of each game, as onl"):
            leaderboard.read(tmp_path)


def test_a_name_is_only_text_on_the_page() -> None:
    name = "x](http://a.example) [<b>*y*</b> | `z` \\ _é_ & gpt-5 (skin=true)"
    row = {**row_of("perfect"), "file": "a b)|.json", "player": name}
    assert (
        leaderboard.table([row])
        .splitlines()[-1]
        .startswith(
            r"| [x\](http://a.example) \[\<b\>\*y\*\</b\> \| \`z\` \\ \_é\_ \& gpt-5 (skin=true)]"
            "(rows/a%20b%29%7C.json) | program |"
        )
    )


def test_the_page_says_how_a_model_was_set() -> None:
    row = {**row_of("perfect"), "file": "a.json", "settings": {"temperature": 0.5}}
    for name in ("gpt-5", "gpt-5 (temperature=0.5)"):
        last = leaderboard.table([{**row, "player": name}]).splitlines()[-1]
        assert last.startswith("| [gpt-5 (temperature=0.5)](rows/a.json) |")


def test_the_page_says_of_whom_there_is_no_row() -> None:
    row = row_of("perfect")
    assert "no row of a language model or of people yet" in leaderboard._lacking([row])[0]
    assert "no row of people yet" in leaderboard._lacking([{**row, "kind": "model"}])[0]
    both = [{**row, "kind": "model"}, {**row, "kind": "people"}]
    assert leaderboard._lacking(both) == []


@pytest.mark.parametrize("text", ["", "[1]", '[{"game": "chess"}]'])
def test_broken_positions_are_one_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "positions.json").write_text(text, "utf-8")
    with pytest.raises(numduel.BadRecord, match="is broken: delete it, and it is made anew"):
        leaderboard.read(tmp_path)


def test_the_plot_shows_what_has_a_cost() -> None:
    row = row_of("hard")
    assert leaderboard.plot([row], "dollars") is None
    dear = {**row, "cost": {**row["cost"], "dollars": 4.83}, "kind": "model"}
    found = leaderboard.plot([dear, {**dear, "player": "another"}], "dollars")
    assert found
    assert [round(one.x, 4) for one in found.points] == [0.0097, 0.0097]
    places = [label.text_y for label in found.placed()]
    assert round(abs(places[0] - places[1])) >= found.line_height, "no name covers another"
    assert ">0.01</text>" in found.svg()


def test_no_name_is_cut_off_at_the_edge_of_the_plot() -> None:
    row = row_of("hard")
    rows = [
        {**row, "cost": {**row["cost"], "dollars": cost}, "player": f"{cost} <i>{'long ' * 23}"}
        for cost in (0.0483, 0.0484, 4.83, 4830)
    ]
    found = leaderboard.plot(rows, "dollars")
    assert found
    placed = found.placed()
    assert [label.is_before for label in placed] == [False, False, False, True]
    assert all(0 <= label.span[0] <= label.span[1] <= found.width for label in placed)
    assert len({label.text_y for label in placed}) == 4, "no name covers another"
    assert "<i>" not in found.svg()


def small_answers(path: Path, move: Callable[[numduel.State], Any]) -> str:
    """A file of answers on a small board."""
    asked = Asked(SMALL, 10, 1)
    part = Answers(asked, (tuple(move(one.state) for one in asked.decisions),))
    path.write_text(json.dumps(answers.export("somebody", "2026-11-18", [part.json()])), "utf-8")
    return str(path)


def test_a_file_of_answers_becomes_a_row_and_a_row_stays_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = small_answers(tmp_path / "a.json", lambda state: numduel.analyse(state)[0].move)
    out = str(tmp_path / "row.json")
    app(["submit", told, "--out", out, "--cost", "0.5"], standalone_mode=False)
    said = capsys.readouterr().out
    assert "Checked: 10 answers, replayed and judged by exact values." in said
    assert "Not checked, because nobody can: who answered" in said
    row = answers.load(out)
    check(row)
    assert (row["player"], row["cost"]["dollars"]) == ("somebody", 0.5)
    with pytest.raises(numduel.BadVariant, match="--force replaces it"):
        app(["submit", told, "--out", out], standalone_mode=False)
    assert "the leaderboard needs 100 decisions of each game" in said
    app(["submit", out, "--json", "--name", "another"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out) == {**row, "player": "another"}


def test_a_report_reads_answers_too(tmp_path: Path) -> None:
    told = small_answers(tmp_path / "a.json", lambda state: numduel.analyse(state)[-1].move)
    [found] = report.data(read([told]))["players"]
    assert (found["player"], found["decisions"], found["skill"]["value"] < 0) == (
        "somebody", 10, True
    )  # fmt: skip


def test_a_report_says_how_the_model_of_a_row_was_set(tmp_path: Path) -> None:
    told = Path(small_answers(tmp_path / "a.json", lambda state: state.legal_moves[0]))
    row = json.loads(told.read_text("utf-8")) | {"settings": {"temperature": 0.5}}
    told.write_text(json.dumps(row), "utf-8")
    assert read([str(told)]).players == ["somebody (temperature=0.5)"]


def test_a_fault_is_an_answer_too(tmp_path: Path) -> None:
    told = small_answers(tmp_path / "a.json", lambda _: None)
    [found] = report.data(read([told]))["players"]
    assert (found["faults"], found["decisions"]) == (10, 10)


def test_a_folder_of_answers_is_read_and_not_mixed_with_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        small_answers(tmp_path / f"{name}.json", lambda state: state.legal_moves[0])
    app(["submit", str(tmp_path), "--json"], standalone_mode=False)
    row = json.loads(capsys.readouterr().out)
    assert (row["made"], len(row["parts"][0]["answers"])) == (["the answers in 2 files"], 2)
    (tmp_path / "log.json").write_text("{}", "utf-8")
    with pytest.raises(numduel.BadVariant, match="Some of these files are answers and some are"):
        app(["submit", str(tmp_path), "--json"], standalone_mode=False)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"kind": "champion"}, "kind must be one of"),
        ({"kind": ["people"]}, "kind must be one of"),
        ({"kind": "model"}, "lacks prompts"),
        ({"date": None}, "date must be a date"),
        ({"date": "yesterday"}, "date must be a date"),
        ({"player": "\x1b[2J"}, "must be at most 120 printable characters"),
        ({"player": " "}, "must be at most 120 printable characters"),
        ({"player": "x" * 121}, "must be at most 120 printable characters"),
        ({"player": 7}, "does not say whose answers it has"),
        ({"parts": []}, "must have answers to 1 to 100 games"),
        ({"parts": [{}] * 101}, "must have answers to 1 to 100 games"),
        ({"parts": ["5 6 7"]}, "Answers have a game, its variant"),
        ({"scores": {}, "made": 5}, "lacks kind|made must be a list|lacks made"),
        ({"more": "x" * (1 << 24)}, "is too large for a file of answers"),
    ],
)
def test_a_file_of_answers_that_was_edited_is_refused_in_one_sentence(
    change: dict[str, Any], told: str, tmp_path: Path
) -> None:
    path = Path(small_answers(tmp_path / "a.json", lambda state: state.legal_moves[0]))
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | change), "utf-8")
    with pytest.raises(numduel.NumduelError, match=told) as refused:
        app(["submit", str(path), "--json"], standalone_mode=False)
    assert "\n" not in str(refused.value)


def test_answers_of_different_players_need_a_name(tmp_path: Path) -> None:
    paths = []
    for name in ("one", "two"):
        paths.append(small_answers(tmp_path / f"{name}.json", lambda state: state.legal_moves[0]))
        data = json.loads(Path(paths[-1]).read_text("utf-8")) | {"player": name}
        Path(paths[-1]).write_text(json.dumps(data), "utf-8")
    with pytest.raises(numduel.BadVariant, match="answers of one and of two: give them a --name"):
        app(["submit", *paths, "--json"], standalone_mode=False)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "Name the logs, or a player"),
        (["x.eval", "--player", "hard"], "Name the logs, or a player"),
        (["--player", "rule:clever"], "has no trivial rule 'clever'; it has random, lowest"),
        (["--player", "model:openai/gpt-5"], "A model is entered by its logs"),
        (["--player", "random", "--cost", "nan"], "cost must be dollars"),
        (["--player", "random", "--name", "a\tb"], "player must be a name"),
        (["--player", "nobody"], "There is no player 'nobody'"),
    ],
)
def test_a_wrong_command_is_one_sentence(words: list[str], told: str, tmp_path: Path) -> None:
    with pytest.raises(numduel.NumduelError, match=told):
        app(["submit", *words, "--out", str(tmp_path / "row.json")], standalone_mode=False)
