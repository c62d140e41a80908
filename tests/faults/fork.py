"""Fork with an open store, in every state it can be in; parent and child go on with the same object. Prints JSON.

Usage: ``python -m tests.faults.fork FOLDER``.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import warnings
from contextlib import ExitStack
from pathlib import Path

from bethink.errors import BethinkError
from bethink.store.index import SearchIndex
from bethink.store.sqlite_store import SqliteStore
from bethink.system import RandomIds, SystemClock
from tests.store.things import TENANT, Things, content, new_record


def add(store: SqliteStore, name: str) -> None:
    """One record."""
    with store.write(TENANT) as work:
        work.records.add(new_record(name, content(name), work.recorded_at), work.recorded_at)


def in_child(act) -> str:
    """What an action says in a forked child; the child leaves as it should, by exiting."""
    mine, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(mine)
        try:
            said = str(act())
        except BethinkError as error:
            said = error.code
        os.write(theirs, said.encode())
        os._exit(0)
    os.close(theirs)
    with os.fdopen(mine) as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    return said


def main() -> None:
    """Fork idle, beside a writing thread, and inside a write."""
    warnings.simplefilter("ignore")  # newer Pythons warn of forking beside threads, which is the point
    store = SqliteStore(Path(sys.argv[1]) / "m.db", SystemClock(), RandomIds(), SearchIndex("english"))
    things = Things(store, SystemClock())
    add(store, "parent-1")
    told = {"idle": in_child(lambda: (add(store, "child-1"), things.texts(["parent-1", "child-1"]))[1])}

    told["what it starts with"] = in_child(lambda: (store.file._idle, store.file._writer))
    with ExitStack() as reading:
        snapshot = reading.enter_context(store.snapshot(TENANT))
        told["out of a read"] = in_child(lambda: (reading.close(), store.file._idle))
        told["the read itself"] = len(snapshot.records.get(things.fence(), ["parent-1"]))

    inside, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with store.write(TENANT) as work:
            work.records.add(new_record("parent-2", content("parent-2"), work.recorded_at), work.recorded_at)
            inside.set()
            leave.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait(30)
    told["beside a writer"] = in_child(lambda: (things.texts(["parent-2"]), write_soon(store)))
    leave.set()
    thread.join()
    told["after the writer"] = in_child(lambda: (add(store, "child-3"), things.texts(["parent-2", "child-3"]))[1])

    with store.write(TENANT) as work:
        work.records.add(new_record("parent-3", content("parent-3"), work.recorded_at), work.recorded_at)
        told["inside a write"] = in_child(lambda: (things.texts(["parent-3"]), write_soon(store)))
    told["parent"] = things.texts(["parent-1", "child-1", "parent-2", "child-3", "parent-3"])
    told["findings"] = [finding.text for finding in store.check().findings]
    store.close()
    json.dump(told, sys.stdout)


def write_soon(store: SqliteStore) -> str:
    """Try to write while the parent holds the lock."""
    try:
        with store.write(TENANT, deadline=0.1):
            return "written"
    except BethinkError as error:
        return error.code


if __name__ == "__main__":
    main()
