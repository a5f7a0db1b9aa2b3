"""The results of players as a page, from the file of a tournament; and what is refused."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import numduel
from numduel.agents.report import data, findings, missed, page, pairings
from numduel.agents.results import MAX_NAME, Judged, Results, Sample, read
from numduel.lab.dataset.decisions import Decision, at_stake, regret
from numduel.lab.tournament.journal import Journal
from numduel.lab.tournament.runner import run
from numduel.learn.puzzle import theme_of
from numduel.solver import analyse
from numduel.terminal.app import app
from tests.lab.tournament.small import BOARDS, BOTS, held

TOURNAMENT = [
    "tournament", "easy", "hard", "--rounds", "6", "--jobs", "1", "--json", "--set", "n=7",
    "--secret", "7" * 32,
]  # fmt: skip


def played(folder: Path, game: str) -> str:
    """The file of a small tournament."""
    path = str(folder / f"{game}.jsonl")
    app([*TOURNAMENT, "--game", game, "--file", path], standalone_mode=False)
    return path


def lines(path: str) -> list[dict[str, Any]]:
    return [*map(json.loads, Path(path).read_text("utf-8").splitlines())]


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> str:
    return played(tmp_path_factory.mktemp("tournament"), "duel")


def test_players_of_a_tournament_lose_what_its_file_says(tournament: str) -> None:
    found = {row["player"]: row for row in data(read([tournament]))["players"]}
    for name, row in found.items():
        tallies = [
            game["seats"][game["players"].index(name)]["regret"] for game in lines(tournament)[1:-1]
        ]
        assert row["regret"]["value"] * row["decisions"] == pytest.approx(sum(tallies))
        assert row["samples"] == len(tallies) == 6
    assert found["easy"]["missed"]["missed"] > found["hard"]["missed"]["missed"]


@pytest.mark.parametrize("name", BOARDS)
def test_a_fault_costs_the_same_in_a_tournament_in_inspect_and_in_a_report(
    name: str, tmp_path: Path
) -> None:
    """What Inspect takes for a fault is `regret` without a move."""
    players = f"bad=python:{BOTS}:Failing", "random"
    refusing = held(*players, games=name, rounds=4, openings="random")
    path = tmp_path / "file"
    with Journal(path, refusing) as journal:
        run(refusing, journal, jobs=1)
    found = read([str(path)]).judged
    costs = [one.regret for one in found if one.player == "bad"]
    assert all(one.fault for one in found if one.player == "bad")
    judged = [
        (result.seats[result.players.index("bad")], analyse(refusing.games[0].replay(result.moves)))
        for result in journal.results.values()
    ]
    mattered = [(tally, options) for tally, options in judged if at_stake(options)]
    assert costs
    assert costs == [regret(options, None) for _, options in mattered]
    assert costs == [
        pytest.approx(tally.regret if tally.points is None else tally.points)
        for tally, _ in mattered
    ]


def test_lines_about_secrets_are_no_games(tmp_path: Path) -> None:
    path = played(tmp_path, "duel")
    before = len(read([path]).samples)
    app([*TOURNAMENT, "--rounds", "8", "--game", "duel", "--file", path], standalone_mode=False)
    assert sum("secret" in line or "from" in line for line in lines(path)) == 3
    assert (before, len(read([path]).samples)) == (12, 16)


def test_the_command_overwrites_nothing_but_reports(
    tournament: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "report.html"
    for _ in range(2):
        app(["report", tournament, "--html", str(target)], standalone_mode=False)
    assert f"The whole report is in {target}" in capsys.readouterr().out
    assert '>player</th><th scope="col">wins in seat 1</th><th scope="col">wins in seat 2<' in (
        target.read_text("utf-8")
    ), "a table of their own, which a page has room for"
    mine = tmp_path / "mine.html"
    mine.write_text("<p>mine</p>")
    with pytest.raises(numduel.BadVariant, match=r"exists already; --force replaces it\.$"):
        app(["report", tournament, "--html", str(mine)], standalone_mode=False)
    app(["report", tournament, "--html", str(mine), "--json"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out)["players"]
    assert mine.read_text() == "<p>mine</p>"


def test_an_unfinished_tournament_is_read_as_far_as_it_came(
    tournament: str, tmp_path: Path
) -> None:
    half = tmp_path / "half.jsonl"
    *results, _ = Path(tournament).read_text("utf-8").splitlines()
    half.write_text("\n".join(results)[:-20], "utf-8")
    assert len(read([str(half)]).samples) == len(read([tournament]).samples) - 2


def test_a_file_that_is_given_twice_counts_once(
    tournament: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = shutil.copy(tournament, str(tmp_path / "copy.jsonl"))
    once, twice = data(read([tournament])), data(read([tournament, copy]))
    assert (once.pop("repeated"), twice.pop("repeated")) == (0, 12)
    assert once == twice
    target = str(tmp_path / "report.html")
    app(["report", tournament, copy, "--html", target], standalone_mode=False)
    told = "Left out: 12 samples that these files repeat."
    assert told in capsys.readouterr().out
    assert told in Path(target).read_text("utf-8")


# -- single decisions -----------------------------------------------------------------------


def answers(player: str, positions: int, *moves: int | None) -> Results:
    """The results of a player who is asked in positions of one idea, once for each move: 0 is the
    best one, -1 the worst, and None no legal one."""
    game, results = numduel.game("duel"), Results()
    for state in forks(game)[:positions]:
        options = analyse(state)
        decision = Decision(state, options)
        for at in moves:
            move = None if at is None else options[at].move
            lost, idea = regret(options, move), theme_of(decision.ideas())
            results.judged.append(Judged(player, decision, idea, lost, at is None, state))
            results.samples.append(Sample(player, 1, (), at is None, None, game, state, None))
    return results


def forks(game: numduel.Game) -> list[numduel.State]:
    """Different positions of a game that take the same idea."""
    found: dict[Any, list[numduel.State]] = {}
    for one in range(1, 10):
        for two in range(1, 10):
            if one != two:
                state = game.start().play(one).play(two)
                if at_stake(options := analyse(state)):
                    idea = theme_of(Decision(state, options).ideas())
                    found.setdefault(idea and idea.name, []).append(state)
    found.pop(None, None)
    return max(found.values(), key=len)


def together(*some: Results) -> Results:
    return Results(
        [j for one in some for j in one.judged], [s for one in some for s in one.samples]
    )


def test_asking_again_is_no_new_evidence() -> None:
    wrong = together(answers("a", 12, 0), answers("b", 6, -1), answers("b", 12, 0))
    for results in (together(answers("a", 12, 0), answers("a", 12, 0)), answers("a", 12, 0, 0, 0)):
        once, again = (data(one)["players"][0] for one in (answers("a", 12, 0), results))
        assert again.pop("answers") > once.pop("answers") == once["samples"] == 12
        assert again == once
    share = missed(answers("a", 12, 0, -1).judged)
    once = missed(together(answers("a", 6, 0), answers("a", 12, -1)).judged)
    assert share
    assert once
    assert (share.missed, share.made) == (6, 12)
    assert (once.missed, once.made) == (9, 12), "half of the answers to each of the first six"
    [pair] = pairings(wrong)
    assert pair.positions == 12
    assert pair.difference.value == pytest.approx(-0.25)
    assert (pair.only_one, pair.only_two) == (0, 3), "each second answer to six of them"
    told = page(wrong, "").partition("Paired by position")[2]
    assert ">Sequence Duel (n=9, k=3): a</th></tr>" in told
    assert '<th scope="row">b</th><td>12</td>' in told


def test_a_summary_is_the_mean_over_games_and_names_every_player_once_in_each(
    tournament: str, tmp_path: Path
) -> None:
    results = read([tournament, played(tmp_path, "line")])
    found = data(results)
    for row in found["overall"]:
        told = [
            one["above_trivial"]["value"]
            for one in found["players"]
            if one["player"] == row["player"] and one["above_trivial"]
        ]
        assert told
        assert row["above_trivial"]["value"] == pytest.approx(sum(told) / len(told))
    table = page(results, "").partition("Above trivial, over all games")[2].partition("<h2>")[0]
    assert re.findall(r'"rowgroup" colspan="2">([^<]*)<', table) == [
        "all games", *map(str, results.games)
    ]  # fmt: skip
    assert re.findall(r'"row">([^<]*)<', table) == ["easy", "hard"] * 3


def test_no_name_of_a_player_heads_a_column() -> None:
    """A fourth column would be out of sight, and a long name broken."""
    names = [f"organisation-{number}/a-model-with-a-long-name" for number in range(4)]
    told = page(together(*(answers(name, 12, 0) for name in names)), "")
    heads = re.findall(r'<th scope="col">([^<]*)<', told)
    assert heads
    assert not {*heads} & {*names}
    assert told.count(f'<th scope="row">{names[3]}</th>') >= 4


def test_no_legal_answer_is_a_fault_and_misses_no_idea() -> None:
    never = answers("never", 12, None)
    assert findings(never) == ["never gave no legal answer to 100 % of positions."]
    [row] = data(never)["players"]
    assert (row["missed"], row["faults"], row["regret"]["value"]) == (None, 12, 1)
    first, second = findings(together(answers("some", 12, -1, -1), answers("some", 12, None)))
    assert first == "some gave no legal answer to 33 % of positions."
    assert "100 % of the time: in 12 of 12 decisions" in second
    mostly = together(answers("mostly", 12, None), answers("mostly", 4, -1))
    assert findings(mostly) == ["mostly gave no legal answer to 83 % of positions."]
    assert findings(together(answers("few", 4, None))) == []


def test_few_positions_have_no_interval_and_others_one_that_is_possible() -> None:
    few = together(answers("few", 4, -1), answers("few", 1, 0))
    [row] = data(few)["players"]
    for what in ("missed", "regret", "skill"):
        assert (row[what]["low"], row[what]["high"]) == (None, None)
    shown = page(few, "")
    assert "88 % (too few) of 4" in shown
    assert "±" not in shown
    [row] = data(together(answers("more", 5, -1), answers("more", 1, 0)))["players"]
    assert 0 < row["regret"]["low"] < row["regret"]["value"] < row["regret"]["high"] <= 1
    assert 0 < row["missed"]["low"] < 0.9 < row["missed"]["high"] <= 1


def test_a_report_begins_with_what_is_above_trivial_rules(
    tournament: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = read([tournament])
    target = tmp_path / "report.html"
    app(["report", tournament, "--html", str(target)], standalone_mode=False)
    told = capsys.readouterr().out
    rows = {row["player"]: row for row in data(results)["players"]}
    [table] = data(results)["trivial"]
    for player, row in rows.items():
        value, rule = row["above_trivial"]["value"], row["best_trivial"]
        assert f"{player} in Sequence Duel (n=7, k=3): above trivial {value:.2f} " in told
        assert f"{rule['rule']} {rule['skill']:.2f}" in target.read_text("utf-8")
        assert value == pytest.approx(1 - (1 - row["skill"]["value"]) / (1 - rule["skill"]))
        assert 0 <= rule["skill"] < 1
    names = [one["rule"] for one in table["rules"]]
    assert {"random", "lowest", "highest", "middle", "greedy"} <= set(names)
    assert [one["skill"] for one in table["rules"] if one["rule"] == "random"] == [0]
    assert '<th scope="col">above trivial</th><th scope="col">skill</th>' in (
        target.read_text("utf-8")
    )


def test_a_chart_has_room_for_long_names_and_says_where_its_scale_ends() -> None:
    long = "MMWW/" * 12
    shown = page(answers(long, 12, 0), "")
    found = re.search(r'<figure class="broad">.*?viewBox="(-\d+) 0 .*?</figure>', shown, re.DOTALL)
    assert found
    [right] = map(int, re.findall(rf'x="(\d+)" y="[\d.]+">[\w-]+, {long}<', found[0]))
    assert right - int(found[1]) > 13 * len(long), "letters as wide as high"
    assert re.search(r">0 %</text>\s*<text[^>]*>100 %</text>", found[0])
    short = page(answers("me", 12, 0), "")
    assert '<figure class="broad">' not in short


# -- names, and what is refused -------------------------------------------------------------


def test_long_names_that_differ_in_the_end_are_two_players(tournament: str, tmp_path: Path) -> None:
    text, long = Path(tournament).read_text("utf-8"), "vllm//models/" + "run/" * 20
    for number, name in enumerate(("easy", "hard")):
        text = text.replace(f'"{name}"', f'"{long}checkpoint-{number}"')
    (tmp_path / "long.jsonl").write_text(text)
    one, two = sorted(read([str(tmp_path / "long.jsonl")]).players)
    assert {one[-12:], two[-12:]} == {"checkpoint-0", "checkpoint-1"}
    assert len(one) == len(two) == MAX_NAME


def test_long_names_that_differ_in_the_beginning_are_two_players(
    tournament: str, tmp_path: Path
) -> None:
    text = Path(tournament).read_text("utf-8")
    for name in ("easy", "hard"):
        text = text.replace(f'"{name}"', f'"{name}/{"run/" * 20}"')
    (tmp_path / "long.jsonl").write_text(text)
    assert len(read([str(tmp_path / "long.jsonl")]).players) == 2


def test_names_cannot_put_anything_on_the_page(tournament: str, tmp_path: Path) -> None:
    text = Path(tournament).read_text("utf-8").replace('"easy"', '"<script>alert(1)</script>"')
    (tmp_path / "evil.jsonl").write_text(text)
    assert "<script" not in page(read([str(tmp_path / "evil.jsonl")]), "<script>")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "cannot be opened: No such file"),
        ("", "must be an Inspect log, the file of a tournament, or one"),
        ("{}", "must be an Inspect log, the file of a tournament, or one"),
        ("[" * 100_000, "must be an Inspect log, the file of a tournament, or one"),
        ('{"tournament": "numduel"}\n', "have no decision with something at stake"),
        ('{"tournament": "numduel", "format": 2}\n', "is written in format 2; "),
        ('{"tournament": "numduel"}\n{}\n', "must be an Inspect log"),
        ('{"tournament": "numduel"}\n\xff\n', "must be an Inspect log"),
    ],
)
def test_a_file_that_is_no_log_is_refused_in_one_sentence(
    text: str | None, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "some.json"
    if text is not None:
        path.write_bytes(text.encode("latin-1"))
    with pytest.raises(numduel.BadRecord, match=told) as refused:
        read([str(path)])
    assert "\n" not in str(refused.value)


def test_without_logs_the_command_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(numduel.BadVariant, match="Name the logs"):
        app(["report"], standalone_mode=False)
    with pytest.raises(numduel.BadRecord, match="There is no Inspect log in"):
        read([str(tmp_path)])
