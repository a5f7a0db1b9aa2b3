"""Scripts are sent joined with what they import, and do what they did apart."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from numduel.web.pages import static
from tests.plugins.limit import remaining

SCRIPTS = sorted(name for name in static.files() if name.endswith(".js"))
APART = {
    "page.js": """import { add as plus, Box } from "./common/sums.js";
import {
  double,
} from "./common/twice.js";

const kept = await Promise.resolve(20);
const hidden = 1; // every module has its own
console.log(plus(kept, hidden), double(4), new Box().text);
null.nothing;
""",
    "common/sums.js": """// Sums.
const hidden = 100;
export const add = (one, two) => one + two;
/* `export` in a comment
   import("nothing") too */
export class Box {
  /** @type {import("./x.js").X} */
  text = `a box ${hidden}`;
}
""",
    "common/twice.js": """import { add } from "./sums.js";

const hidden = 200;
export async function unused() {}
export function double(number) {
  return add(number, number) + hidden - hidden;
}
""",
}


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, bytes]]:
    """Static files of one's own."""
    files = {name: text.encode() for name, text in APART.items()}
    monkeypatch.setattr(static, "files", lambda: files)
    for kept in (static.content, static.joined):
        kept.cache_clear()
    yield files
    for kept in (static.content, static.joined):
        kept.cache_clear()


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_can_be_joined(name: str) -> None:
    text, lines = static.joined(name)
    assert len(lines) == text.count("\n") - 1, "the last line names the map"


@pytest.mark.usefixtures("written")
def test_joined_modules_work_and_errors_name_the_line_as_it_was_written(tmp_path: Path) -> None:
    for name in ("page.js", "page.js.map"):
        (tmp_path / name).write_bytes(static.content(name) or b"")
    (tmp_path / "package.json").write_text(json.dumps({"type": "module"}))
    node, _ = compute_driver_executable()
    told = subprocess.run(
        [node, "--enable-source-maps", tmp_path / "page.js"],
        capture_output=True,
        text=True,
        timeout=remaining(),
    )
    assert told.stdout == "21 8 a box 100\n"
    assert f"{tmp_path / 'page.js'}:9" in told.stderr
    assert "null.nothing" in told.stderr
    assert "Sums." not in (static.content("page.js") or b"").decode()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('import { add } from "./none.js";\n', "page.js imports ./none.js, which does not exist."),
        ('import add from "./common/sums.js";\n', "cannot be joined with others: import add"),
        ('import * as all from "./common/sums.js";\n', "cannot be joined with others: import *"),
        ('import "./common/sums.js";\n', "cannot be joined with others: import"),
        ('const { add } = await import("./common/sums.js");\n', "with others: import("),
        ("console.log(import.meta.url);\n", "with others: import.meta"),
        ("export let now = 1;\n", "cannot be joined with others: export let now"),
        ("export default 1;\n", "cannot be joined with others: export default"),
        ("const a = 1;\nexport { a };\n", "cannot be joined with others: export { a }"),
        ("export const { a } = {};\n", "cannot be joined with others: export const { a }"),
        ('import { a } from "./page.js";\n', "page.js imports page.js: this is a circle."),
    ],
)
def test_what_cannot_be_joined_is_refused(
    written: dict[str, bytes], text: str, reason: str
) -> None:
    written["page.js"] = text.encode()
    with pytest.raises(static.NotJoined) as refused:
        static.joined("page.js")
    assert reason in str(refused.value)


def test_style_sheets_are_joined_in_the_order_in_which_they_are_named_without_comments() -> None:
    sheets = [static.files()[f"css/{name}.css"].decode() for name in ("tokens", "board")]
    lines = re.sub(r"(?ms)^\s*/\*.*?\*/$", "", "".join(sheets)).split("\n")
    sent = (static.content("css/tokens.css+board.css") or b"").decode()
    assert [line for line in sent.split("\n") if line] == [line for line in lines if line.strip()]
    assert sent.count("\n") == "".join(sheets).count("\n"), "lines keep their numbers"


@pytest.mark.parametrize(
    "name", ["css/board.css+board.css", "css/board.css+none.css", "css/board.css+", "board.css"]
)
def test_only_style_sheets_that_exist_are_joined_and_each_once(name: str) -> None:
    assert static.content(name) is None
