"""Resources of processes, from /proc: memory, processor time, sockets."""

import os
import socket
from collections import defaultdict
from pathlib import Path

PROC = Path("/proc")
LISTENING = "0A"
TICKS = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and all its descendants."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    for entry in PROC.iterdir():
        if entry.name.isdigit() and (fields := _stat(int(entry.name))):
            children[int(fields[1])].append(int(entry.name))
    found = [pid]
    for member in found:
        found += children[member]
    return found


def listeners(pid: int, port: int) -> list[int]:
    """The processes of a family that hold the listening socket of a port."""
    inodes = set()
    for line in (PROC / str(pid) / "net" / "tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
            inodes.add(f"socket:[{fields[9]}]")
    return [member for member in family(pid) if inodes & set(_files(member))]


def clients(pid: int, port: int) -> set[str]:
    """The addresses from which a process is connected to a port of this machine."""
    own, found = set(_files(pid)), set[str]()
    for line in (PROC / str(pid) / "net" / "tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if int(fields[2].rpartition(":")[2], 16) == port and f"socket:[{fields[9]}]" in own:
            found.add(socket.inet_ntoa(bytes.fromhex(fields[1].partition(":")[0])[::-1]))
    return found


def sockets(pid: int) -> int:
    """How many sockets a process holds."""
    return sum(name.startswith("socket:") for name in _files(pid))


def memory(pids: list[int]) -> int:
    """Bytes that processes hold; shared memory counts once."""
    held = 0
    for pid in pids:
        for line in (PROC / str(pid) / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                held += int(line.split()[1]) * 1024
    return held


def busy(pids: list[int]) -> float:
    """Seconds of processor time that processes have taken; ended ones count 0."""
    ticks = sum(int(fields[11]) + int(fields[12]) for pid in pids if (fields := _stat(pid)))
    return ticks / TICKS


def all_busy() -> float:
    """Seconds of processor time that everything on this machine has taken."""
    first, _, _ = (PROC / "stat").read_text().partition("\n")
    user, nice, system, _, _, hard, soft, stolen = map(int, first.split()[1:9])
    return (user + nice + system + hard + soft + stolen) / TICKS


def _stat(pid: int) -> list[str]:
    """What follows the name of a process in its status; nothing if it has ended."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _files(pid: int) -> list[str]:
    names = []
    try:
        for entry in (PROC / str(pid) / "fd").iterdir():
            try:
                names.append(str(entry.readlink()))
            except OSError:
                continue
    except OSError:
        return []
    return names
