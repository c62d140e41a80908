"""Four processes write and read one store while random ones are killed; then everything acknowledged must be there.

Usage: ``python -m tests.faults.kill FOLDER [--writes N] [--kills N] [--seed N]``; prints one JSON object. The processes
are forked from this one, which has everything imported and no store open.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import selectors
import signal
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

from bethink.store.index import SearchIndex
from bethink.store.sqlite_store import SqliteStore
from bethink.system import RandomIds, SystemClock
from tests.faults.worker import SPEC, Worker

PROCESSES = 4
ALARM = 600


class Herd:
    """The running workers and what they have told."""

    def __init__(self, path: Path, seed: int) -> None:
        self._path, self._chance, self._started = path, random.Random(seed), 0
        self._watch = selectors.DefaultSelector()
        self._pids: dict[int, int] = {}
        self._rest: dict[int, bytes] = {}
        self.lines: list[str] = []
        self.counts: Counter[str] = Counter()

    def start(self) -> None:
        """Fork one worker."""
        self._started += 1
        mine, theirs = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(mine)
            try:
                Worker(self._path, theirs, self._started).run()
            finally:
                os._exit(1)
        os.close(theirs)
        os.set_blocking(mine, False)
        self._watch.register(mine, selectors.EVENT_READ)
        self._pids[mine], self._rest[mine] = pid, b""

    def listen(self) -> None:
        """Take what is told until something came; a worker that ended is replaced."""
        for key, _ in self._watch.select():
            data = os.read(key.fd, 65536)
            if not data:
                self._bury(key.fd)
                self.start()
                continue
            *lines, self._rest[key.fd] = (self._rest[key.fd] + data).split(b"\n")
            for line in lines:
                self.lines.append(line.decode())
                self.counts[line.split(b" ")[0].decode()] += 1

    def kill(self) -> None:
        """End a random worker where it stands."""
        os.kill(self._pids[self._chance.choice(sorted(self._pids))], signal.SIGKILL)

    def end(self) -> None:
        """End all of them the same way, and take what they told before."""
        for pid in self._pids.values():
            os.kill(pid, signal.SIGKILL)
        for fd in list(self._pids):
            while data := _wait_read(fd):
                *lines, self._rest[fd] = (self._rest[fd] + data).split(b"\n")
                self.lines += [line.decode() for line in lines]
            self._bury(fd)

    def _bury(self, fd: int) -> None:
        self._watch.unregister(fd)
        os.waitpid(self._pids.pop(fd), 0)
        os.close(fd)


def _wait_read(fd: int) -> bytes:
    """What is in the pipe; empty at its end."""
    os.set_blocking(fd, True)
    return os.read(fd, 65536)


def run(path: Path, writes: int, kills: int, seed: int) -> dict[str, object]:
    """The whole trial."""
    store = SqliteStore(path, SystemClock(), RandomIds(), SearchIndex("english"))
    store.vectors.register(SPEC, np.zeros((1, 8), np.float32), SystemClock().now())
    store.close()
    began, herd, done = time.perf_counter(), Herd(path, seed), 0
    for _ in range(PROCESSES):
        herd.start()
    while herd.counts["stored"] < writes or done < kills:
        herd.listen()
        if herd.counts["wrong"]:
            break
        if done < kills and herd.counts["stored"] * kills >= writes * (done + 1):
            herd.kill()
            done += 1
    herd.end()
    return judge(path, herd.lines) | {"kills": done, "seconds": round(time.perf_counter() - began, 1)}


def judge(path: Path, lines: list[str]) -> dict[str, object]:
    """What is in the store against what was told."""
    told: dict[str, list[str]] = {}
    for line in lines:
        kind, _, rest = line.partition(" ")
        told.setdefault(kind, []).append(rest)
    store = SqliteStore(path, SystemClock(), RandomIds(), SearchIndex("english"))
    with store.file.reading() as on:
        held = {row[0] for row in on.handle.execute("select record_id from entry")}
        archived = {row[0] for row in on.handle.execute("select record_id from status_event where status = 'archived'")}
    checked = store.check()
    store.close()
    return {
        "acknowledged": len(told.get("stored", ())) + len(told.get("closed", ())),
        "lost": len(set(told.get("stored", ())) - held) + len(set(told.get("closed", ())) - archived),
        "wrong": told.get("wrong", []),
        "findings": [finding.text for finding in checked.findings],
        "worst_wait_ms": max((float(item) for item in told.get("wait", ())), default=0.0),
    }


def main() -> None:
    """Read the arguments, run, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    for name, default in (("writes", 10_000), ("kills", 50), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    signal.alarm(ALARM)
    json.dump(run(given.folder / "m.db", given.writes, given.kills, given.seed), sys.stdout)


if __name__ == "__main__":
    main()
