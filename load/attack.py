"""An attacker in a process of its own: ``python -m load.attack PORT ADDRESS NAME…``.

It prepares, says so in a line, attacks as soon as it is sent a line, until it is stopped, and then
prints what it did.
"""

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress

import uvloop

from load.attacks import ATTACKS
from load.flood import Target

ADDRESS = "127.0.0.2"
"""Its usual address: on this machine, but not that of the players."""
READY = "ready"


def step_back() -> None:
    """Take only what the others leave of the processors: an attacker has a machine of its own."""
    os.nice(19)
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


async def main(port: str, address: str, *names: str) -> None:
    """Prepare, and attack until the signal to end comes."""
    target, attacks = Target(int(port), address), [ATTACKS[name] for name in names]
    for attack in attacks:
        if attack.prepare is not None:
            await attack.prepare(target)
    step_back()
    target.done.clear()
    print(READY, flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    attacking = asyncio.gather(*(attack.go_on(target) for attack in attacks))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, attacking.cancel)
    with suppress(asyncio.CancelledError):
        await attacking
    print(json.dumps(target.done))


if __name__ == "__main__":
    uvloop.run(main(*sys.argv[1:]))
