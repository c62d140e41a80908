"""Power cuts at 1,000 seeded moments, with the writes since the last sync torn: nothing acknowledged is lost."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

from bethink.ports.embedder import EmbedSpec
from bethink.store.index import SearchIndex
from bethink.store.sqlite import TRUTH, FileOptions, FileSpec
from bethink.store.sqlite_store import SqliteStore, SqliteTraceStore
from bethink.testing.fakes import CountingIds, ManualClock
from tests.behaviour.requirements import requirement
from tests.faults.power import Disk, Noted, RecordingVfs, states
from tests.store.things import ANN, BOB, TENANT, Things
from tests.store.trace_things import trace

SPEC = EmbedSpec("fake", "small", "1", None, "float32", 8, 64, "mean", True, "", "", "v1")
WRITES = 90
STATES = 1_000
SHARE = 4
"""The states are split between this many tests, so that cores share them."""


@pytest.fixture(scope="module")
def ground() -> Path:
    """A folder whose syncs cost nothing, where there is one."""
    shared = Path("/dev/shm")  # noqa: S108 - the point is that it is memory
    made = Path(mkdtemp(dir=shared if shared.is_dir() else None))
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def recorded(ground):
    """The log of a session of writing, and the files before it."""
    return record(ground / "recorded" / "m.db", TRUTH)


def record(path: Path, spec: FileSpec) -> tuple[list[Noted], dict[str, bytes]]:
    """Write through a recording file layer: records, turns, vectors, erases, checkpoints. What is promised is noted."""
    clock, name = ManualClock(), f"power-{spec.synchronous}"
    SqliteStore(path, clock, CountingIds(), SearchIndex("english")).close()
    start = {path.name: path.read_bytes()}
    vfs = RecordingVfs(name, path)
    store = SqliteStore(path, clock, CountingIds(), SearchIndex("english"), FileOptions(vfs=name))
    store.file.spec = spec
    things, chance = Things(store, clock), random.Random(5)
    store.vectors.register(SPEC, np.zeros((1, 8), np.float32), clock.now())
    store.file._writer.handle.wal_autocheckpoint(25)
    held: list[tuple[str, str]] = []
    for number in range(WRITES):
        mark = f"mark{number:04d}z"
        words = f"{mark} " + "word " * chance.choice([3, 30, 300])
        if number % 15 == 14:
            gone, mark = held.pop(chance.randrange(len(held)))
            vfs.ack(f"erasing {gone}")
            assert store.erase(TENANT, [gone], clock.now(), deadline=30).complete
            vfs.ack(f"erased {gone} {mark}")
            continue
        if number % 3:
            made = things.remember(words, scope=chance.choice([ANN, BOB]))
            store.vectors.put(SPEC.space_id, [(TENANT, made.key, np.ones(8, np.float32))])
        else:
            (made,) = things.say(words)
        vfs.ack(f"stored {made.id}")
        held.append((made.id, mark))
    store.close()
    vfs.unregister()
    return vfs.log, start


def broken(recorded: tuple[list[Noted], dict[str, bytes]], seeds: range, ground: Path) -> dict[int, list[str]]:
    """What went wrong, by seed."""
    log, start = recorded
    found = {}
    for seed, acked, files in states(log, start, seeds):
        folder = ground / f"state-{seed}"
        folder.mkdir()
        for name, data in files.items():
            if data:
                (folder / name).write_bytes(data)
        told = [tuple(item.split()) for item in acked]
        marks = [mark for kind, *rest in told if kind == "erased" for mark in rest[1:]]
        held = b"".join(files.values())
        problems = [f"{mark} is back" for mark in marks if mark.encode() in held]
        problems += judge(folder / "m.db", told)
        if problems:
            found[seed] = problems
        shutil.rmtree(folder)
    return found


def judge(path: Path, told: list[tuple[str, ...]]) -> list[str]:
    """Open what the disk holds; what is missing or damaged."""
    store = SqliteStore(path, ManualClock(), CountingIds(), SearchIndex("english"))
    try:
        problems = [finding.text for finding in store.check().findings if finding.place != "job"]
        with store.file.reading() as on:
            held = {row[0] for row in on.handle.execute("select record_id from entry")}
    finally:
        store.close()
    stored, erasing, erased = (
        {item[1] for item in told if item[0] == kind} for kind in ("stored", "erasing", "erased")
    )
    return [
        *problems,
        *(f"lost {item}" for item in stored - erasing - held),
        *(f"kept {item}" for item in erased & held),
    ]


@requirement("P83")
@pytest.mark.parametrize("part", range(SHARE))
def test_no_power_cut_loses_what_was_acknowledged(recorded, ground, part):
    seeds = range(part * STATES // SHARE, (part + 1) * STATES // SHARE)

    assert broken(recorded, seeds, ground) == {}


def test_the_simulation_loses_writes_where_they_are_not_synced(ground):
    recorded = record(ground / "normal" / "m.db", FileSpec(TRUTH.application_id, TRUTH.folder, "normal"))

    problems = broken(recorded, range(60), ground)
    assert any("lost" in text for found in problems.values() for text in found)


def test_no_power_cut_brings_an_erased_trace_back(ground):
    path, clock = ground / "traces" / "m.db.traces", ManualClock()
    SqliteTraceStore(path, clock).record(trace(clock, "first-trace"))
    start = {path.name: path.read_bytes()}
    vfs = RecordingVfs("power-traces", path)
    traces = SqliteTraceStore(path, clock, FileOptions(vfs="power-traces"))
    for number in range(20):
        traces.record(trace(clock, f"later-trace-{number}", rendered=f"mark{number:04d}z" * 100))
    assert traces.erase("acme", ["r1"], deadline=30) == 21
    disk = Disk({name: bytearray(data) for name, data in start.items()})
    for noted in vfs.log:
        disk.take(noted)
    traces.close()
    vfs.unregister()

    cuts = [disk.cut(random.Random(seed)) for seed in range(100)]
    assert [name for files in cuts for name, data in files.items() if b"mark0007z" in data] == []
