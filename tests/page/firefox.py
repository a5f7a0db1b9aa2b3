"""A real Firefox, driven through WebDriver BiDi, which it speaks without a driver beside it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.plugins.limit import remaining

PREFERENCES = {
    "app.normandy.enabled": False,
    "browser.safebrowsing.downloads.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "captivedetect.canonicalURL": "",
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.systemAddon.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,none",
    "toolkit.telemetry.unified": False,
}
"""Nothing is asked of anybody but the server under test."""


def firefox_path() -> str | None:
    """The Firefox of this system, if there is one."""
    return os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """A browser with one page."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.numbers = count(1)
        self.troubles: list[str] = []
        """What the page wrote to the console as an error or a warning."""
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        (tree,) = self.ask("browsingContext.getTree")["contexts"]
        self.page = {"context": tree["context"]}

    def ask(self, method: str, **parameters: Any) -> Any:
        """Send a command and wait for its answer; events come in between."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv(remaining()))
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]
            entry = answer.get("params", {})
            if answer.get("method") == "log.entryAdded" and entry["level"] in ("error", "warn"):
                self.troubles.append(str(entry["text"]))

    def go(self, url: str) -> None:
        """Open an address, and wait until it is loaded."""
        self.ask("browsingContext.navigate", **self.page, url=url, wait="complete")

    def run(self, script: str, *arguments: str) -> Any:
        """The result of an asynchronous function in the page, as BiDi tells it."""
        answer = self.ask(
            "script.callFunction",
            functionDeclaration=script,
            target=self.page,
            awaitPromise=True,
            arguments=[{"type": "string", "value": text} for text in arguments],
        )
        assert answer["type"] == "success", answer
        return answer["result"]

    def find(self, *selectors: str) -> tuple[int, Any]:
        """Wait until an element of one of these kinds is seen: which kind, and the element."""
        found = self.run(FIND, *selectors)["value"]
        return int(found[0]["value"]), {"sharedId": found[1]["sharedId"]}

    def texts(self, selector: str) -> list[str]:
        """What stands in the elements of a kind."""
        script = "async (kind) => [...document.querySelectorAll(kind)].map((n) => n.innerText)"
        return [str(text["value"]) for text in self.run(script, selector)["value"]]

    def press(self, element: Any) -> None:
        """Click where a person would: in the middle of an element, with the mouse."""
        origin = {"type": "element", "element": element}
        steps: list[dict[str, Any]] = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": steps}
        self.ask("input.performActions", **self.page, actions=[mouse])


FIND = """async (...selectors) => {
  for (;;) {
    for (const [kind, selector] of selectors.entries()) {
      for (const element of document.querySelectorAll(selector)) {
        if (element.checkVisibility()) {
          element.scrollIntoView({ block: "center", behavior: "instant" });
          return [kind, element];
        }
      }
    }
    await new Promise(requestAnimationFrame);
  }
}"""


@contextmanager
def firefox(home: Path) -> Iterator[Firefox]:
    """A browser that has nothing but an empty page, in a process of its own."""
    profile = home / "firefox"
    profile.mkdir()
    lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items())
    (profile / "user.js").write_text("\n".join(lines))
    words = ["--headless", "--no-remote", "--profile", str(profile)]
    with subprocess.Popen(
        [firefox_path() or "firefox", *words, "--remote-debugging-port", "0", "about:blank"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "HOME": str(home)},
    ) as process:
        try:
            with connect(f"{_address(process)}/session", max_size=1 << 24, proxy=None) as socket:
                yield Firefox(socket)
        finally:
            process.kill()


def _address(process: subprocess.Popen[str]) -> str:
    """Where a browser that has just been started listens."""
    assert process.stderr is not None
    for line in process.stderr:
        if "WebDriver BiDi listening on " in line:
            return line.split(" on ")[1].strip()
    raise AssertionError("Firefox has ended without listening.")
