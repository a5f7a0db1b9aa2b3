"""Cables between machines, which take their time and can be cut: ``python -m load.cable``.

A cable has two ends, network interfaces whose packets come to this process (TUN devices). What goes
in at one end comes out at the other after a delay. While a cable is cut, packets vanish: nobody is
told, as when a switch fails. The interfaces go when this process ends.
"""

import asyncio
import fcntl
import os
import struct
import sys
from functools import partial

TUN = "/dev/net/tun"
TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
MAX_PACKET = 65_536
READY = "ready"


class Cable:
    """Two interfaces that are connected, named by which end of which cable they are."""

    def __init__(self, number: int, delay: float) -> None:
        self.cut = False
        self._delay = delay
        self._ends = [_interface(name) for name in ends(number)]

    def plug_in(self) -> None:
        """Begin to carry packets."""
        loop = asyncio.get_running_loop()
        for here, there in (self._ends, reversed(self._ends)):
            loop.add_reader(here, self._carry, here, there)

    def _carry(self, here: int, there: int) -> None:
        packet = os.read(here, MAX_PACKET)
        asyncio.get_running_loop().call_later(self._delay, self._deliver, there, packet)

    def _deliver(self, there: int, packet: bytes) -> None:
        if not self.cut:
            try:
                os.write(there, packet)
            except OSError:  # The interface is not up yet, or gone.
                return


def ends(number: int) -> tuple[str, str]:
    """The names of the two ends of a cable: the near one, and the one at the machine."""
    return f"near{number}", f"far{number}"


def _interface(name: str) -> int:
    file = os.open(TUN, os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    return file


async def carry(count: int, delay: float) -> None:
    """Carry packets until standard input ends; a line there is the number of the cable to cut, or
    to mend if it is cut."""
    cables = [Cable(number, delay) for number in range(count)]
    for cable in cables:
        cable.plug_in()
    loop = asyncio.get_running_loop()
    told = asyncio.StreamReader()
    await loop.connect_read_pipe(partial(asyncio.StreamReaderProtocol, told), sys.stdin)
    print(READY, flush=True)
    while line := await told.readline():
        cable = cables[int(line)]
        cable.cut = not cable.cut


if __name__ == "__main__":
    asyncio.run(carry(int(sys.argv[1]), float(sys.argv[2])))
