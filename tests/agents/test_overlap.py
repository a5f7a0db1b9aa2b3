"""What a training set holds of the positions that are tested with, whatever form it has."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import numduel
from numduel.agents.asking import Asking, asked_in
from numduel.agents.overlap import read
from numduel.lab.dataset import draw
from numduel.lab.dataset.decisions import Decision, decisions
from numduel.lab.dataset.splits import CANARY, name
from numduel.terminal.app import app

SAMPLE = Path(__file__).parents[2] / "docs" / "dataset"
ASKED: list[Decision] = [
    decision for game in ("duel", "build") for decision in decisions(numduel.game(game), 5, seed=0)
]
PROMPTS = [Asking().prompt(one.state) for one in ASKED]


def chat(prompt: str, answer: str) -> str:
    said = {"user": prompt, "assistant": answer}
    return json.dumps({"messages": [{"role": who, "content": text} for who, text in said.items()]})


def table(*, separator: str) -> str:
    lines = (
        ["id", "game", "variant", "history"],
        *(
            [str(number), one.state.game.id, one.state.game.variant_text, one.state.text]
            for number, one in enumerate(ASKED)
        ),
    )
    return "\n".join(separator.join(line) for line in lines)


def data(one: Decision, moves: object) -> dict[str, Any]:
    return {"game": one.state.game.id, "variant": one.state.game.settings, "moves": moves}


def masked(one: Decision, seed: int) -> str:
    return Asking(disguised=True, order=seed).prompt(one.state)


FORMS = {
    "masked.txt": "\n\n".join(masked(one, seed) for seed, one in enumerate(ASKED)),
    "masked.jsonl": "\n".join(chat(masked(one, 0), "MOVE: 1") for one in ASKED),
    "positions.json": json.dumps(
        [{**data(one, None), "positions": [one.state.text]} for one in ASKED]
    ),
    "named.txt": "\n".join(f"Look at {name(one.state)}; what now?" for one in ASKED),
    "prompts.txt": "\n\n".join(PROMPTS),
    "quoted.yaml": "\n".join(f"- prompt: {json.dumps(prompt)}" for prompt in PROMPTS),
    "program.py": "\n".join(f"ASKED = {prompt!r}" for prompt in PROMPTS),
    "requests.log": "\n".join(
        f"INFO sent {json.dumps(chat(prompt, 'MOVE: 1'))}" for prompt in PROMPTS
    ),
    "logged.log": json.dumps("\n".join(f"INFO {chat(masked(one, 0), '')!r}" for one in ASKED)),
    "names.py": repr("\n".join(name(one.state) for one in ASKED)),
    "chat.jsonl": "\n".join(chat(prompt, "MOVE: 1") for prompt in PROMPTS),
    "pretty.json": json.dumps([{"metadata": data(one, one.state.text)} for one in ASKED], indent=1),
    "lists.jsonl": "\n".join(json.dumps(data(one, one.state.text.split())) for one in ASKED),
    "nested.jsonl": "\n".join(
        json.dumps({"info": json.dumps(data(one, one.state.text))}) for one in ASKED
    ),
    "rows.csv": table(separator=","),
    "rows.tsv": table(separator="\t"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_what_is_tested_with_is_found_in_every_form(
    form: str, packed: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / (f"{form}.gz" if packed else form)
    path.write_bytes(gzip.compress(FORMS[form].encode()) if packed else FORMS[form].encode())
    assert read(path).positions == {"train": 0, "validation": 0, "test": 10, "transfer": 0}
    assert app(["dataset", "--check", str(path)], standalone_mode=False) == 1
    assert "10 positions to test with: do not train on this." in capsys.readouterr().out


def test_what_is_not_tested_with_may_be_trained_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = draw(numduel.game("duel"), 5, 1, {"train": 1})["train"]
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    assert read(path).positions == {"train": 5, "validation": 0, "test": 0, "transfer": 0}
    assert app(["dataset", "--check", str(path)], standalone_mode=False) in (0, None)
    assert "None of them is tested with." in capsys.readouterr().out


@pytest.mark.parametrize("game", numduel.games())
def test_a_prompt_in_disguise_is_of_one_game(game: type[numduel.Game]) -> None:
    """Four in a Row and Sequence Duel have the same settings and moves."""
    state = game().start()
    while state.draws:
        state = state.successors[0]
    for _ in range(3):
        state = state.play(state.legal_moves[0])
        while state.draws:
            state = state.successors[0]
    said = Asking(disguised=True, order=7).prompt(state)
    assert [*asked_in(said)] == [state]
    unruled = Asking(disguised=True, rules=False).prompt(state)
    assert state in [*asked_in(unruled)], "among others, if nothing tells"


UNKNOWN = {
    "words.txt": b"Nothing but words.",
    "empty.jsonl": b"",
    "binary.bin": b"\x00\x01 sequence-duel n=9 k=3: 5 9",
    "broken.gz": gzip.compress(b"sequence-duel n=9 k=3: 5 9")[:-9],
    "broken.parquet": b"PAR1",
    "nonsense.txt": b"\xff sequence-duel n=9 k=3: 5 5 sequence-duel n=-1: 3 no-game n=1: 2",
    "over.json": b'{"game": "sequence-duel", "moves": "1 4 2 5 3"}',
    "deep.jsonl": b"[" * 100_000,
    "odd.jsonl": b'{"game": [], "moves": {}}\n{"game": "duel", "variant": 3, "history": [[]]}',
}


@pytest.mark.parametrize("form", UNKNOWN)
def test_a_file_in_which_nothing_is_recognised_is_not_called_clean(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / form
    path.write_bytes(UNKNOWN[form])
    assert app(["dataset", "--check", str(path)], standalone_mode=False) == 2
    told = capsys.readouterr().out
    assert "No position was recognised in" in told
    assert "None of them" not in told
    assert ("could not be read" in told) == (form.startswith(("binary", "broken", "deep")))
    assert app(["dataset", "--check", str(path), "--json"], standalone_mode=False) == 2
    assert json.loads(capsys.readouterr().out)["clean"] is False


def test_one_file_that_cannot_be_read_leaves_the_folder_in_doubt(tmp_path: Path) -> None:
    row = draw(numduel.game("duel"), 1, 1, {"train": 1})["train"][0]
    (tmp_path / "rows.txt").write_text(row["position"])
    assert read(tmp_path).clean
    (tmp_path / "x.zip").write_bytes(b"PK\x00")
    found = read(tmp_path)
    assert found.unread == (tmp_path / "x.zip",)
    assert not found.clean


def test_the_sample_is_recognised_as_parquet_and_by_its_mark() -> None:
    found = read(SAMPLE)
    assert found.canary
    assert not found.unread
    lines = [line for path in SAMPLE.rglob("*.jsonl") for line in path.read_text().splitlines()]
    assert found.recognised == len({json.loads(line)["position"] for line in lines})
    path = next(SAMPLE.rglob("test.parquet"))
    assert [split for split, count in read(path).positions.items() if count] == ["test"]
    train = next(SAMPLE.rglob("train.jsonl"))
    assert not read(train).canary
    assert CANARY in (SAMPLE / "README.md").read_text()
