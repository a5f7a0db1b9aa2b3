"""Inspect's logs as rows of the leaderboard: replayed, and refused if anything was changed."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import numduel
from numduel.agents.results import read
from numduel.agents.submission import Submission, check, from_logs
from tests.agents.test_inspect import _libraries, blind, chosen, decided, judged  # noqa: F401

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

pytestmark = [
    pytest.mark.skipif(find_spec("inspect_ai") is None, reason="Inspect is not installed"),
    pytest.mark.filterwarnings("ignore:The 'initial' parameter:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
]
NAME = "sequence_duel"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """Ten decisions of a model that moves at random, and needs a rethink for the first."""
    answer, asked = chosen(NAME, blind), list[Any]()

    def hasty(talk: list[Any]) -> str:
        asked.append(talk)
        return "MOVE: 99" if len(talk) == 1 and len(asked) == 1 else _legal(talk)

    def _legal(talk: list[Any]) -> str:
        return answer([talk[0]])

    return decided(NAME, hasty, tmp_path_factory.mktemp("log"), decisions=10)


def submitted(log: EvalLog, folder: Path) -> Submission:
    """What becomes of a log that is written to a file."""
    from inspect_ai.log import write_eval_log

    path = folder / "log.json"
    write_eval_log(log, str(path))
    return from_logs([str(path)])


def copied(log: EvalLog) -> EvalLog:
    return log.model_copy(deep=True)


def first(log: EvalLog) -> EvalSample:
    """The sample of the second decision, which took one answer."""
    found = [one for one in log.samples or [] if len(one.messages) == 2]
    return found[1]


def test_a_log_becomes_a_row_that_checks(log: EvalLog, tmp_path: Path) -> None:
    row = submitted(copied(log), tmp_path).row()
    check(row)
    assert (row["player"], row["kind"]) == (log.eval.model, "model")
    assert len(row["prompts"]) == 64
    assert row["versions"]["inspect_ai"]
    assert row["cost"]["input_tokens"] is not None
    [part] = row["parts"]
    assert (part["seed"], part["decisions"], len(part["answers"][0].split())) == (0, 10, 10)
    [game] = row["scores"]["games"]
    metrics = log.results.scores[0].metrics if log.results else {}
    assert game["above_trivial"]["value"] == pytest.approx(metrics["above_trivial"].value, abs=1e-4)
    assert game["skill"]["value"] == pytest.approx(metrics["skill"].value, abs=1e-4)


def other_words(log: EvalLog) -> None:
    """The answer is another one than was scored."""
    sample = first(log)
    state = numduel.game(sample.metadata["game"], **sample.metadata["variant"]).replay(
        sample.metadata["moves"]
    )
    options = numduel.analyse(state)
    [score] = (sample.scores or {}).values()
    assert isinstance(score.value, dict)
    other = options[0 if score.value["regret"] else -1]
    sample.messages[-1].content = f"MOVE: {state.game.label(other.move)}"


def other_score(log: EvalLog) -> None:
    for sample in log.samples or []:
        [score] = (sample.scores or {}).values()
        assert isinstance(score.value, dict)
        score.value["regret"] = -1.0


def no_number(log: EvalLog) -> None:
    [score] = (first(log).scores or {}).values()
    assert isinstance(score.value, dict)
    score.value["regret"] = "none"


def a_system_message(log: EvalLog) -> None:
    """Inspect sends it with every question, and does not write it into the conversation."""
    log.eval.model_generate_config.system_message = "Here are the best moves."


def another_solver(log: EvalLog) -> None:
    log.plan.steps[0].solver = "oracle"


def asked_twice(log: EvalLog) -> None:
    """The model may have been asked until it was right."""
    log.samples = [*(log.samples or []), first(log)]


def a_better_epoch(log: EvalLog) -> None:
    """The first one did not suit."""
    for sample in log.samples or []:
        sample.epoch = 2


def an_epoch_less(log: EvalLog) -> None:
    log.eval.config.epochs = 2


def broken_off(log: EvalLog) -> None:
    log.status = "error"


def no_seed(log: EvalLog) -> None:
    log.eval.task_args["seed"] = [0]


def endless(log: EvalLog) -> None:
    log.eval.task_args["decisions"] = 10**9


def another_game(log: EvalLog) -> None:
    for sample in log.samples or []:
        sample.metadata["game"] = "chess"


def a_hint(log: EvalLog) -> None:
    first(log).messages[0].content = f"{first(log).messages[0].text} Take the best one."


def other_position(log: EvalLog) -> None:
    first(log).metadata["moves"] = ""


def a_second_try(log: EvalLog) -> None:
    sample = first(log)
    sample.messages += [*sample.messages]


def an_answer_less(log: EvalLog) -> None:
    first(log).messages.pop()


def fewer(log: EvalLog) -> None:
    log.samples = (log.samples or [])[:-1]


def another_seed(log: EvalLog) -> None:
    log.eval.task_args["seed"] = 1


def unscored(log: EvalLog) -> None:
    first(log).scores = None


def another_task(log: EvalLog) -> None:
    log.eval.task = "numduel/number_capture"


def another_board(log: EvalLog) -> None:
    log.eval.task_args["n"] = 99


def whole_games(log: EvalLog) -> None:
    log.eval.task = "numduel/sequence_duel_games"


@pytest.mark.parametrize("text", [None, "", "{}", "\0"])
def test_what_is_no_log_is_refused_in_one_sentence(text: str | None, tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(numduel.BadRecord, match="must be an Inspect log, or one of answers"):
        from_logs([str(path)])


@pytest.mark.parametrize(
    ("tamper", "told"),
    [
        (other_words, "its score is not what its answer is worth"),
        (other_score, "its score is not what its answer is worth"),
        (no_number, "its score is not what its answer is worth"),
        (a_system_message, "the model was given a system message besides what is asked"),
        (another_solver, "the model was asked by another solver than numduel/decider"),
        (asked_twice, "twice: each decision has one answer"),
        (a_better_epoch, "lacks an epoch: only a whole run counts"),
        (an_epoch_less, "lacks an epoch: only a whole run counts"),
        (broken_off, "is of a run that did not end"),
        (no_seed, "does not say which decisions of which game were asked"),
        (endless, "does not say which decisions of which game were asked"),
        (another_game, "does not say which decisions of which game were asked"),
        (a_hint, "the model was not asked in the words of this version"),
        (other_position, "the position is not the one that its seed has there"),
        (another_seed, "the position is not the one that its seed has there"),
        (a_second_try, "more was said than was asked"),
        (an_answer_less, "an answer of the model is missing"),
        (fewer, "has 9 samples where seed 0 has 10 decisions: only a whole run counts"),
        (unscored, "has no score: finish the run first"),
        (another_task, "is of another game than its samples"),
        (another_board, "is of another game than its samples"),
        (whole_games, "is no log of single decisions"),
    ],
)
def test_a_log_that_was_changed_is_refused_in_one_sentence(
    tamper: Callable[[EvalLog], None], told: str, log: EvalLog, tmp_path: Path
) -> None:
    other = copied(log)
    tamper(other)
    with pytest.raises(numduel.BadRecord) as refused:
        submitted(other, tmp_path)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def written(log: EvalLog, path: Path) -> str:
    from inspect_ai.log import write_eval_log

    write_eval_log(log, str(path))
    return str(path)


def again(log: EvalLog) -> EvalLog:
    """Another run that went the same way."""
    other = copied(log)
    other.eval.eval_id = "another"
    return other


def test_what_was_asked_has_one_digest_in_whichever_order_runs_are_named(
    log: EvalLog, tmp_path: Path
) -> None:
    paths = [written(log, tmp_path / "one.json"), written(again(log), tmp_path / "two.json")]
    rows = [from_logs(some).row() for some in (paths[:1], paths, paths[::-1])]
    assert len({row["prompts"] for row in rows}) == 1
    assert [len(row["parts"][0]["answers"]) for row in rows] == [1, 2, 2]


def test_a_row_says_which_runs_it_is_of_and_no_secret(log: EvalLog, tmp_path: Path) -> None:
    other = copied(log)
    other.eval.model_generate_config.temperature = 0.5
    other.eval.model_generate_config.extra_headers = {"Authorization": "secret"}
    other.eval.task_args_passed["notation"] = "two words"
    row = submitted(other, tmp_path).row()
    [made] = row["made"]
    assert made.startswith(f"inspect eval numduel/{NAME} --model {log.eval.model} -T ")
    assert made.endswith(" -T 'notation=two words'")
    assert row["settings"] == {"temperature": 0.5}
    assert "secret" not in str(row)


def test_cached_tokens_count_too(log: EvalLog, tmp_path: Path) -> None:
    row, other = submitted(copied(log), tmp_path).row(), copied(log)
    [usage] = other.stats.model_usage.values()
    usage.input_tokens_cache_read, usage.input_tokens_cache_write = 70, 7
    more = submitted(other, tmp_path).row()["cost"]["input_tokens"]
    assert more == row["cost"]["input_tokens"] + 77


def test_a_row_is_of_one_model_asked_in_one_way_and_of_each_run_once(
    log: EvalLog, tmp_path: Path
) -> None:
    one, copy = written(log, tmp_path / "one.json"), written(log, tmp_path / "copy.json")
    with pytest.raises(numduel.BadRecord, match="are logs of the same run"):
        from_logs([one, copy])
    cold = again(log)
    cold.eval.model_generate_config.temperature = 0.0
    with pytest.raises(numduel.BadRecord, match=r"in one way, not of .* \(temperature=0.0\)\."):
        from_logs([one, written(cold, tmp_path / "cold.json")])


def test_a_model_that_is_set_in_another_way_is_another_player_in_a_report(
    log: EvalLog, tmp_path: Path
) -> None:
    cold = again(log)
    cold.eval.model_generate_config.temperature = 0.0
    for sample in cold.samples or []:
        sample.uuid = f"cold {sample.uuid}"
    paths = [written(log, tmp_path / "one.json"), written(cold, tmp_path / "cold.json")]
    players = read(paths).players
    assert players == [log.eval.model, f"{log.eval.model} (temperature=0.0)"]


def test_settings_that_a_name_tells_alike_are_two(log: EvalLog, tmp_path: Path) -> None:
    paths = []
    for number, word in enumerate(("stop", "STOP")):
        other = again(log)
        other.eval.model_generate_config.stop_seqs = [word]
        other.eval.eval_id = f"run {number}"
        paths.append(written(other, tmp_path / f"{number}.json"))
    with pytest.raises(numduel.BadRecord, match="have different settings"):
        from_logs(paths)


def test_models_that_differ_before_a_long_setting_are_two_players(
    log: EvalLog, tmp_path: Path
) -> None:
    paths = []
    for temperature in (0.0, 1.0):
        other = again(log)
        other.eval.model_generate_config.temperature = temperature
        other.eval.model_generate_config.stop_seqs = ["x" * 70]
        for sample in other.samples or []:
            sample.uuid = f"{temperature} {sample.uuid}"
        paths.append(written(other, tmp_path / f"{temperature}.json"))
    assert len(read(paths).players) == 2
    with pytest.raises(numduel.BadRecord, match="A row is of one model, asked in one way, not of"):
        from_logs(paths)


def test_what_a_provider_is_sent_besides_tells_models_apart_but_is_not_shown(
    log: EvalLog, tmp_path: Path
) -> None:
    rows = []
    for key in ("secret one", "secret two", "secret one"):
        other = copied(log)
        other.eval.model_generate_config.extra_body = {"key": key}
        rows.append(submitted(other, tmp_path).row())
    assert rows[0] == rows[2]
    for part in ("player", "settings"):
        assert rows[0][part] != rows[1][part]
    assert "extra_body=…" in rows[0]["player"]
    assert "secret" not in str(rows)
