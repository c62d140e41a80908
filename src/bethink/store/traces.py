"""Traces beside the truth: a recall never waits for them, and never fails by them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, Protocol

import numpy as np

from bethink.domain.scope import Principal
from bethink.domain.time import lower_micros, to_micros
from bethink.domain.trace import Trace, TraceState
from bethink.errors import BethinkError, DeadlineExceeded, StoreBusy, StoreCorrupt, StoreError, StoreFull
from bethink.operations.upkeep import RepairResult, TracesChecked
from bethink.ports.clock import Clock
from bethink.ports.traces import Lost, Unanswered
from bethink.store.database import Connection, Database
from bethink.store.failures import decoding
from bethink.store.predicate import array
from bethink.store.trace_check import SCRUB, check_traces, repair_refs, unfinished, unusable
from bethink.store.trace_codec import (
    begin_of,
    blanked,
    hashes,
    noted,
    read_query,
    read_trace,
    read_unanswered,
    trace_row,
)
from bethink.store.trace_rows import rows_by_id
from bethink.store.trace_words import Wording, bar_late, is_late

PATIENCE = 0.05
"""Seconds a recall waits for them."""
WAITING = 256
"""Traces one process keeps for another try; beyond it they are reported as failed."""
TAKEN_ALONG = 8
"""How many that wait a recall's own trace takes along: all of them would be late together, again and again."""
MIN_PREFIX = 8
_CLOSING = 1.0
_REPAIRING = 10.0
_PAGE = 500
_BESIDE = {"hashes", "position"}
"""What of a row stands in another table, or in its body."""


class TracePlace(Protocol):
    """Where traces lie. It is opened on first use, for a store that cannot be written has none to make."""

    def exists(self) -> bool:
        """Whether there is anything to read."""
        ...

    def opened(self) -> Database:
        """The database, opened or made on first use."""
        ...

    def close(self) -> None:
        """Release it; closing twice is harmless."""
        ...


class StoredTraces:
    """The `TraceStore` port over a place."""

    def __init__(self, place: TracePlace, clock: Clock) -> None:
        self._place = place
        self._clock = clock
        self._mutex = threading.Lock()
        self._waiting: list[dict[str, Any]] = []

    def record(self, trace: Trace) -> tuple[TraceState, str]:
        """Keep a trace; never raises for a full, locked or read-only file: (deferred or failed, the reason)."""
        row = trace_row(trace)
        with self._mutex:
            late, self._waiting = self._waiting[:TAKEN_ALONG], self._waiting[TAKEN_ALONG:]
        try:
            self._write([*late, row], PATIENCE)
        except (StoreBusy, StoreFull, DeadlineExceeded) as error:
            if self._put_back(late, row):
                return "deferred", error.message
            return "failed", f"{error.message} {WAITING} traces wait already."
        except BethinkError as error:
            self._put_back(late)
            return "failed", error.message
        return "stored", ""

    def get(self, who: Principal, trace_id: str) -> Trace | None:
        """A principal's own trace; `trace_id` may be a unique prefix of at least 8 characters."""
        if len(trace_id) < MIN_PREFIX or not self._place.exists():
            return None
        with self._place.opened().reading(tenant=who.tenant) as on:
            rows = on.rows("find_traces", tenant=who.tenant, user_id=who.user, agent_id=who.agent, prefix=trace_id)
        with decoding():
            return read_trace(*rows[0]) if len(rows) == 1 else None

    def cite(self, who: Principal, trace_id: str, ids: Sequence[str]) -> tuple[TraceState, str]:
        """Note in a principal's own trace which items were used: (stored or failed, the reason)."""
        if not self._place.exists():
            return "failed", "There is no such trace."
        try:
            with self._place.opened().writing(PATIENCE, tenant=who.tenant) as on:
                whose = {"tenant": who.tenant, "user_id": who.user, "agent_id": who.agent}
                rows = on.rows("find_traces", prefix=trace_id, **whose)
                if len(rows) != 1:
                    return "failed", "There is no such trace."
                with decoding():
                    trace = noted(read_trace(rows[0][0], None), ids)
                    on.run("put_trace_body", tenant=who.tenant, id=trace.id, body=trace_row(trace)["body"])
        except BethinkError as error:
            return "failed", error.message
        return "stored", ""

    def for_turn(self, who: Principal, trace_id: str) -> tuple[Trace, ...]:
        """A principal's own trace behind those of the snapshots of its session that were taken before, oldest first."""
        if len(trace_id) < MIN_PREFIX or not self._place.exists():
            return ()
        whose = {"tenant": who.tenant, "user_id": who.user, "agent_id": who.agent}
        with self._place.opened().reading(tenant=who.tenant) as on:
            rows = on.rows("find_traces", prefix=trace_id, **whose)
            with decoding():
                own = read_trace(rows[0][0], None) if len(rows) == 1 else None
            if own is None or own.session is None or own.moment == "snapshot":
                return () if own is None else (own,)
            until = {"session_id": own.session, "until": to_micros(own.created_at), "id": own.id}
            before = on.rows("list_snapshots", **until, **whose)
        with decoding():
            return (*(read_trace(body, None) for (body,) in reversed(before)), own)

    def listed(self, who: Principal, after: str, limit: int, session: str | None = None) -> tuple[Trace, ...]:
        """A principal's own traces whose ids sort behind one, by id; those of a session where it is named."""
        if not self._place.exists():
            return ()
        whose = {"tenant": who.tenant, "user_id": who.user, "agent_id": who.agent, "session_id": session}
        with self._place.opened().reading(tenant=who.tenant) as on:
            rows = on.rows("list_own_traces", after=after, limit=limit, **whose)
        with decoding():
            return tuple(read_trace(body, None) for (body,) in rows)

    def unanswered(self, tenant: str, after: int, until: int, limit: int) -> tuple[Unanswered, ...]:
        """Recalls that gave nothing, of the milliseconds since 1970 in ``[after, until)``, oldest first."""
        if not self._place.exists():
            return ()
        with self._place.opened().reading(tenant=tenant) as on:
            about = {"tenant": tenant, "after": begin_of(after), "until": begin_of(until), "limit": limit}
            rows = on.rows("list_unanswered", **about)
        with decoding():
            return tuple(read_unanswered(*row) for row in rows)

    def expire_operator_fields(self, tenant: str, now: datetime) -> int:
        """Null a tenant's operator fields whose time has come; returns how many traces changed."""
        if not self._place.exists():
            return 0
        with self._place.opened().writing(_CLOSING, tenant=tenant) as on:
            return on.run("expire_operator", tenant=tenant, now=to_micros(now))

    def erase(self, tenant: str, ids: Sequence[str], *, lost: Lost | None = None, deadline: float) -> int:
        """Remove query, pool and block of every trace that names one of the ids, or whose question says what is lost.

        The row stays, marked erased; how many do. A trace of a recall that began before and is written after, by any
        process, is kept without them too. Questions are read page by page, beside the recalls that write theirs.

        Raises:
            StoreBusy, DeadlineExceeded: the words are gone for every reader, but a reader still holds log pages with
                them, or there was no time to rewrite the file. Erasing again finishes it, whatever the ids.
        """
        end = self._clock.elapsed() + deadline
        wording = None if lost is None else Wording(lost)
        self._erase_waiting(tenant, hashes(ids), wording)
        if not self._place.exists():
            return 0
        file = self._place.opened()
        with file.writing(deadline, tenant=tenant) as on:
            wanted = hashes(ids)
            on.run_many("add_erased", [{"tenant": tenant, "hash": item} for item in wanted.view(np.int64).tolist()])
            with decoding():
                naming = [
                    trace_id
                    for trace_id, packed in on.rows("list_trace_refs", tenant=tenant)
                    if np.isin(np.frombuffer(packed, dtype="<u8"), wanted).any()
                ]
            if lost is not None:
                bar_late(on, tenant, lost, self._clock.now())
            _blank(on, tenant, naming)
        asking = [] if lost is None else self._asking(file, tenant, lost, end)
        with file.writing(max(0.0, end - self._clock.elapsed()), tenant=tenant) as on:
            _blank(on, tenant, asking)
        self._scrub(file, tenant, max(0.0, end - self._clock.elapsed()))
        return len(naming) + len(asking)

    def forget_user(self, tenant: str, user: str, *, session: str | None = None, deadline: float) -> int:
        """Remove every trace of a user's recalls, or of those in one session, through whatever agent; how many.

        Raises:
            StoreBusy, DeadlineExceeded: as for `erase`.
        """
        end = self._clock.elapsed() + deadline
        with self._mutex:
            own = [row for row in self._waiting if row["tenant"] == tenant and row["user_id"] == user]
            own = [row for row in own if session in {None, row["session_id"]}]
            self._waiting = [row for row in self._waiting if row not in own]
        if not self._place.exists():
            return len(own)
        file = self._place.opened()
        with file.writing(deadline, tenant=tenant) as on:
            on.run("delete_refs_of_user", tenant=tenant, user_id=user, session_id=session)
            gone = on.run("delete_traces_of_user", tenant=tenant, user_id=user, session_id=session)
            if gone:
                on.run("put_meta", name=SCRUB, value="1")
        self._scrub(file, tenant, max(0.0, end - self._clock.elapsed()))
        return len(own) + gone

    def _scrub(self, file: Database, tenant: str | None, seconds: float) -> None:
        """Leave no stale bytes in file and log, when an erase made that due."""
        with file.reading(tenant=tenant) as on:
            if on.row("read_meta", name=SCRUB) is None:
                return
        if not file.rewrite(seconds):
            raise StoreBusy("A reader still holds pages of the traces' log; erasing again finishes it.")
        with file.writing(seconds, tenant=tenant) as on:
            on.run("delete_meta", name=SCRUB)

    def _asking(self, file: Database, tenant: str, lost: Lost, end: float) -> list[str]:
        """The traces whose question says what is lost; one that cannot be read may, and counts as one."""
        found, after = [], ""
        wording, since = Wording(lost), lower_micros(lost.since)
        while True:
            with file.reading(max(0.0, end - self._clock.elapsed()), tenant=tenant) as on:
                listed = on.rows("list_questions", tenant=tenant, since=since, after=after, limit=_PAGE)
                page = rows_by_id(on, "read_questions", tenant, [row[0] for row in listed])
            found += [trace_id for trace_id, row in page.items() if row is None or _says(wording, row[1])]
            if len(listed) < _PAGE:
                return found
            after = listed[-1][0]

    def check(self) -> TracesChecked:
        """Look at every trace: whether it can be read and its block is the one it was stored with. Changes nothing."""
        if not self._place.exists():
            return TracesChecked((), 0)
        try:
            return check_traces(self._place.opened())
        except StoreError as error:
            return TracesChecked((unusable(error),), 0)

    def repair(self) -> RepairResult:
        """Rebuild what derives from the traces, and finish what erasing left; leaves a damaged trace alone."""
        rebuilt: dict[str, int] = {}
        before = self.check()
        if not any(finding.repairable for finding in before.findings):
            return RepairResult({}, before.findings)
        try:
            rebuilt["trace_refs"] = repair_refs(self._place.opened(), _REPAIRING)
            self._scrub(self._place.opened(), None, _REPAIRING)
        except (StoreError, DeadlineExceeded) as error:
            return RepairResult(rebuilt, (*self.check().findings, unfinished(error)))
        return RepairResult(rebuilt, self.check().findings)

    def waiting(self) -> int:
        """How many deferred traces this process still holds."""
        return len(self._waiting)

    def close(self) -> None:
        """Write what waits, release the place."""
        with self._mutex:
            rows, self._waiting = self._waiting, []
        if rows:
            try:
                self._write(rows, _CLOSING)
            except BethinkError:
                self._put_back(rows)
        self._place.close()

    def _write(self, rows: Sequence[dict[str, Any]], seconds: float) -> None:
        """Store traces in one transaction."""
        ordered = sorted(rows, key=itemgetter("tenant"))
        with self._place.opened().writing(seconds, tenant=ordered[0]["tenant"], shared=True) as on:
            for given in ordered:
                on.enter(given["tenant"])
                row = _allowed(on, given)
                refs = {name: row[name] for name in ("tenant", "id", "hashes")}
                on.post("add_trace", **{name: value for name, value in row.items() if name not in _BESIDE})
                on.post("add_trace_refs", **refs)

    def _put_back(self, late: list[dict[str, Any]], own: dict[str, Any] | None = None) -> bool:
        """Keep traces for another try, oldest first, while there is room; whether there was for the own one."""
        with self._mutex:
            self._waiting = [*late, *self._waiting][:WAITING]
            kept = own is not None and len(self._waiting) < WAITING
            if own is not None and kept:
                self._waiting.append(own)
        return kept

    def _erase_waiting(self, tenant: str, wanted: Any, wording: Wording | None) -> None:
        """Blank what waits in memory too."""
        with self._mutex:
            for place, row in enumerate(self._waiting):
                if row["tenant"] != tenant:
                    continue
                said = wording is not None and wording.said_by(read_query(row["body"]))
                if said or np.isin(np.frombuffer(row["hashes"], dtype="<u8"), wanted).any():
                    self._waiting[place] = trace_row(blanked(read_trace(row["body"], row["operator"])))


def _blank(on: Connection, tenant: str, trace_ids: Sequence[str]) -> None:
    """Take the words out of stored traces, and remember that the file has to be written anew."""
    for trace_id in trace_ids:
        _blank_one(on, tenant, trace_id)
    if trace_ids:
        on.run("put_meta", name=SCRUB, value="1")


def _blank_one(on: Connection, tenant: str, trace_id: str) -> None:
    """Take the words out of a stored trace; one that is damaged goes as a whole."""
    try:
        with decoding():
            ((_, body, _),) = on.rows("read_traces", tenant=tenant, ids=array([trace_id]))
            blank = trace_row(blanked(read_trace(body, None)))
        on.run("blank_trace", tenant=tenant, id=trace_id, body=blank["body"])
    except StoreCorrupt:
        on.run("delete_trace", tenant=tenant, id=trace_id)
    on.run("delete_trace_refs", tenant=tenant, id=trace_id)


def _says(wording: Wording, body: str) -> bool:
    """Whether a stored trace's question says what is lost, or cannot be read."""
    try:
        with decoding():
            return wording.said_by(read_query(body))
    except StoreCorrupt:
        return True


def _allowed(on: Connection, row: dict[str, Any]) -> dict[str, Any]:
    """The row as it may be kept: without words when it names what was erased, or may ask with words of it."""
    if on.row("any_erased", tenant=row["tenant"]) is None:
        return row
    named = np.frombuffer(row["hashes"], dtype="<i8").tolist()
    late = is_late(on, row["tenant"], row["position"], row["created_at"])
    if not late and on.row("find_erased", tenant=row["tenant"], hashes=array(named)) is None:
        return row
    return trace_row(blanked(read_trace(row["body"], row["operator"])))
