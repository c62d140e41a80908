"""A power cut, simulated: what a disk may hold when writes since the last sync are lost or torn at random.

`RecordingVfs` stands between the engine and the file system and notes every write, truncation and sync of the files of
one store. A state of the disk at some point of that log is then: all that was synced, and of the writes after it any
subset of their 512-byte sectors.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import apsw

SECTOR = 512


@dataclass(frozen=True)
class Noted:
    """One thing that happened: `kind` is write, truncate, sync or ack; `data` an ack's name."""

    kind: str
    file: str = ""
    offset: int = 0
    data: bytes = b""


class RecordingVfs(apsw.VFS):
    """The system's file layer, with a log. Acks are noted by the test, in the same order."""

    def __init__(self, name: str, path: Path) -> None:
        super().__init__(name, "")
        self.log: list[Noted] = []
        self._path = str(path)

    def xOpen(self, name, flags):  # noqa: N802 - the engine's name
        full = name.filename() if isinstance(name, apsw.URIFilename) else name
        known = full is not None and full.startswith(self._path)
        return _RecordingFile(self, name, flags) if known else super().xOpen(name, flags)

    def ack(self, name: str) -> None:
        """Something was promised."""
        self.log.append(Noted("ack", data=name.encode()))


class _RecordingFile(apsw.VFSFile):
    """One file of the store."""

    def __init__(self, vfs: RecordingVfs, name, flags) -> None:
        super().__init__("", name, flags)
        full = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._log, self._name = vfs.log, Path(full).name

    def xWrite(self, data, offset):  # noqa: N802 - the engine's name
        super().xWrite(data, offset)
        self._log.append(Noted("write", self._name, offset, bytes(data)))

    def xTruncate(self, size):  # noqa: N802 - the engine's name
        super().xTruncate(size)
        self._log.append(Noted("truncate", self._name, size))

    def xSync(self, flags):  # noqa: N802 - the engine's name
        super().xSync(flags)
        self._log.append(Noted("sync", self._name))


@dataclass
class Disk:
    """What is safe on the disk, and what was written since."""

    safe: dict[str, bytearray]
    loose: dict[str, list[Noted]] = field(default_factory=dict)
    acked: list[str] = field(default_factory=list)

    def take(self, noted: Noted) -> None:
        """Go one step on in the log."""
        if noted.kind == "ack":
            self.acked.append(noted.data.decode())
        elif noted.kind == "sync":
            for change in self.loose.pop(noted.file, ()):
                _apply(self.safe.setdefault(noted.file, bytearray()), change)
        else:
            self.loose.setdefault(noted.file, []).append(noted)

    def cut(self, chance: random.Random) -> dict[str, bytes]:
        """The files after a power cut now."""
        files = {name: bytearray(data) for name, data in self.safe.items()}
        share = chance.choice([0.0, 0.3, 0.5, 0.7, 1.0])
        for name, changes in self.loose.items():
            data = files.setdefault(name, bytearray())
            for change in changes:
                for part in _sectors(change):
                    if chance.random() < share:
                        _apply(data, part)
        return {name: bytes(data) for name, data in files.items()}


def _sectors(change: Noted) -> Iterator[Noted]:
    """A change in the parts a disk writes whole."""
    if change.kind != "write":
        yield change
        return
    at = 0
    while at < len(change.data):
        end = min(len(change.data), at + SECTOR - (change.offset + at) % SECTOR)
        yield Noted("write", change.file, change.offset + at, change.data[at:end])
        at = end


def _apply(data: bytearray, change: Noted) -> None:
    """Carry a change out; a write beyond the end leaves zeros between."""
    if change.kind == "truncate":
        del data[change.offset :]
        data.extend(bytes(change.offset - len(data)))
        return
    data.extend(bytes(max(0, change.offset - len(data))))
    data[change.offset : change.offset + len(change.data)] = change.data


def states(
    log: list[Noted], start: dict[str, bytes], seeds: range
) -> Iterator[tuple[int, list[str], dict[str, bytes]]]:
    """(seed, what was acknowledged, files) after a power cut at a point each seed chooses."""
    points = sorted((random.Random(seed).randrange(len(log) + 1), seed) for seed in seeds)
    disk, done = Disk({name: bytearray(data) for name, data in start.items()}), 0
    for point, seed in points:
        for noted in log[done:point]:
            disk.take(noted)
        done = point
        yield seed, list(disk.acked), disk.cut(random.Random(seed))
