"""Write until no file may grow, then go on when it may: prints what was acknowledged and what is there, as JSON.

Usage: ``python -m tests.faults.disk_full FOLDER BYTES``.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from pathlib import Path

from bethink.errors import BethinkError
from bethink.store.index import SearchIndex
from bethink.store.sqlite_store import SqliteStore, SqliteTraceStore
from bethink.system import RandomIds, SystemClock
from bethink.testing.fakes import ManualClock
from tests.store.things import TENANT, content, new_record
from tests.store.trace_things import trace

MOST = 3_000


def write(store: SqliteStore, ids: RandomIds) -> str:
    """One record of some size; its id."""
    with store.write(TENANT) as work:
        at = work.recorded_at
        return work.records.add(new_record(ids.new(at), content("words " * 200), at), at).id


def main() -> None:
    """Fill, fail, recover, judge."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    path, limit = Path(sys.argv[1]) / "m.db", int(sys.argv[2])
    ids = RandomIds()
    store = SqliteStore(path, SystemClock(), ids, SearchIndex("english"))
    traces = SqliteTraceStore(Path(f"{path}.traces"), SystemClock())
    traces.record(trace(ManualClock(), "first-trace"))
    acknowledged, code = [write(store, ids)], ""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    while len(acknowledged) < MOST and not code:
        try:
            acknowledged.append(write(store, ids))
        except BethinkError as error:
            code = error.code
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    traced = traces.record(trace(ManualClock(), "second-trace", rendered="x" * 50_000))[0]
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    later = write(store, ids)
    retried = traces.record(trace(ManualClock(), "third-trace"))[0]
    with store.file.reading() as on:
        held = {row[0] for row in on.handle.execute("select id from record")}
    findings = [finding.text for finding in store.check().findings]
    store.close()
    json.dump(
        {
            "acknowledged": len(acknowledged),
            "code": code,
            "lost": len({*acknowledged, later} - held),
            "unasked": len(held - {*acknowledged, later}),
            "findings": findings,
            "traced": [traced, retried, traces.waiting()],
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
