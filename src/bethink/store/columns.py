"""The fence as numpy columns: what may be read of a scope, as one boolean array.

`Columns` is a published value and never changes: rows are added behind what it shows, and a column that must change is
copied first. `ColumnFeed` keeps one scope's latest `Columns` and moves it on by reading what was written since: entries
by key, status changes and retirements by position. So a write of another process is seen by the next search.

A feed may be ahead of a snapshot, for another thread moved it on. `mask` therefore takes the snapshot's position and
leaves out what was written after it. A row erased meanwhile is gone for everybody: erasing unmakes history too.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bethink.domain.fence import Fence
from bethink.domain.record import Status
from bethink.domain.time import BEGINNING, FOREVER, lower_micros, to_micros, upper_micros
from bethink.domain.types import Kind, Portability
from bethink.store.database import Connection, Row
from bethink.store.growing import Growing

_STATUS_BIT = {status.value: 1 << at for at, status in enumerate(Status)}
_KIND_BIT = {kind.value: 1 << at for at, kind in enumerate(Kind)}
_INT64 = ("key", "record", "valid_from", "valid_until", "own", "recorded_at", "retired_at", "retired_position", "ends")
_INT32 = ("type", "channel", "project", "subject", "session", "seq", "previous", "following")
_UINT8 = ("kind", "sensitivity", "portability", "status")
_SPANS = {
    "span_row": np.int32,
    "span_status": np.uint8,
    "span_from": np.int64,
    "span_ends": np.int64,
    "span_position": np.int64,
}
_SMALL = 64
"""Up to so many new rows, neighbours are looked up one by one; beyond, by sorting all."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """One scope as of `position`: a row per entry in key order, and a row per status span in the order of writing.

    Instants and `key` are int64. Names are interned: 0 is none. `status`, `kind` hold one bit each; `status` and `ends`
    are those of the latest span. `own` is the entry's own time. `previous`, `following` are the rows of the turns
    before and after in the same session, -1 without one. `record` is a hash of the record id.
    """

    position: int
    names: dict[str, int]
    key: NDArray[np.int64]
    record: NDArray[np.int64]
    valid_from: NDArray[np.int64]
    valid_until: NDArray[np.int64]
    own: NDArray[np.int64]
    recorded_at: NDArray[np.int64]
    retired_at: NDArray[np.int64]
    retired_position: NDArray[np.int64]
    ends: NDArray[np.int64]
    type: NDArray[np.int32]
    channel: NDArray[np.int32]
    project: NDArray[np.int32]
    subject: NDArray[np.int32]
    session: NDArray[np.int32]
    seq: NDArray[np.int32]
    previous: NDArray[np.int32]
    following: NDArray[np.int32]
    kind: NDArray[np.uint8]
    sensitivity: NDArray[np.uint8]
    portability: NDArray[np.uint8]
    status: NDArray[np.uint8]
    span_row: NDArray[np.int32]
    span_status: NDArray[np.uint8]
    span_from: NDArray[np.int64]
    span_ends: NDArray[np.int64]
    span_position: NDArray[np.int64]

    def rows_of(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """The row of each key, -1 for a key that is not here."""
        if not len(self.key):
            return np.full(len(keys), -1, dtype=np.int64)
        rows = np.searchsorted(self.key, keys)
        np.minimum(rows, len(self.key) - 1, out=rows)
        return np.where(self.key[rows] == keys, rows, -1)

    def mask(self, fence: Fence, position: int) -> NDArray[np.bool_]:
        """Which rows the fence admits, as a snapshot at `position` knows them. Equal to `Fence.admits`."""
        if fence.known_at is None and position >= self.position:
            inside = self._stands(fence, self.status, self.ends)
            inside &= self.retired_at == FOREVER
        else:
            inside = self._known(fence, position)
        instant = to_micros(fence.instant)
        inside &= self.valid_from <= instant
        inside &= self.valid_until > instant
        inside &= self.sensitivity <= fence.ceiling
        if fence.channel is not None:
            inside &= self.channel == self.names.get(fence.channel, -1)
        if fence.kinds is not None:
            inside &= (self.kind & sum(_KIND_BIT[kind] for kind in fence.kinds)) != 0
        if fence.types is not None:
            inside &= self._among(self.type, fence.types)
        if fence.since is not None or fence.until is not None:
            inside &= (self.own >= lower_micros(fence.since)) & (self.own < upper_micros(fence.until))
        self._keep_reachable(fence, inside)
        return inside

    def _stands(self, fence: Fence, status: NDArray[np.uint8], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether each status is allowed and speaks for the instant."""
        allowed = sum(_STATUS_BIT[item] for item in fence.statuses)
        stands: NDArray[np.bool_] = (status & allowed).astype(np.bool_)
        stands &= ends > to_micros(fence.instant)
        return stands

    def _known(self, fence: Fence, position: int) -> NDArray[np.bool_]:
        """Whether the version was the one known then, with a status known then that stands.

        A record's spans follow each other without a gap, so the known one is the last of those begun, and a row's
        spans are in the order of writing: assigning them in turn leaves the last.
        """
        known = FOREVER - 1 if fence.known_at is None else to_micros(fence.known_at)
        gone = (self.retired_position > 0) & (self.retired_position <= position)
        retired = np.where(gone, self.retired_at, FOREVER)
        seen = np.flatnonzero((self.span_position <= position) & (self.span_from <= known))
        last = np.full(len(self.key), -1, dtype=np.int64)
        last[self.span_row[seen]] = seen
        inside: NDArray[np.bool_] = (self.key <= position) & (self.recorded_at <= known)
        inside &= (known < retired) & (last >= 0)
        if len(self.span_row):
            inside &= self._stands(fence, self.span_status[last], self.span_ends[last])
        return inside

    def _keep_reachable(self, fence: Fence, inside: NDArray[np.bool_]) -> None:
        """Take out what does not carry here: behind a wall all of other projects, else what is local to them."""
        away = self.project != 0
        if fence.project is not None:
            away &= self.project != self.names.get(fence.project, -1)
        if not fence.isolate:
            away &= self.portability == Portability.LOCAL
            named = fence.named_subjects - {""}
            if named and away.any():
                away &= ~self._among(self.subject, named)
        np.logical_and(inside, ~away, out=inside)

    def _among(self, column: NDArray[np.int32], names: Iterable[str]) -> NDArray[np.bool_]:
        """Which rows hold one of the names."""
        wanted = np.zeros(len(column), dtype=np.bool_)
        for code in {self.names.get(name, -1) for name in names}:
            wanted |= column == code
        return wanted

    def bearing(self, names: Iterable[str]) -> NDArray[np.bool_]:
        """Which rows have one of the folded subjects."""
        return self._among(self.subject, set(names) - {""})

    def of_types(self, types: Iterable[str]) -> NDArray[np.bool_]:
        """Which rows are of one of the types."""
        return self._among(self.type, types)


class ColumnFeed:
    """One scope's columns, moved on under a lock and read without one."""

    def __init__(self, tenant: str, scope: str) -> None:
        self._where = {"tenant": tenant, "scope": scope}
        self._lock = threading.Lock()
        self._names: dict[str, int] = {"": 0}
        self._cells = {name: Growing(np.int64) for name in _INT64}
        self._cells |= {name: Growing(np.int32) for name in _INT32}
        self._cells |= {name: Growing(np.uint8) for name in _UINT8}
        self._cells |= {name: Growing(dtype) for name, dtype in _SPANS.items()}
        self._published: Columns | None = None

    def at(self, connection: Connection, position: int) -> Columns:
        """The columns holding at least all that a snapshot at `position` sees."""
        current = self._published
        if current is not None and current.position >= position:
            return current
        with self._lock:
            current = self._published
            if current is None or current.position < position:
                current = self._advanced(connection, position, -1 if current is None else current.position)
                self._published = current
        return current

    def _advanced(self, connection: Connection, position: int, last: int) -> Columns:
        """Read everything first, so that a read cut short changes nothing."""
        entries = connection.rows("read_entry_cells", last=last, **self._where)
        spans = connection.rows("read_new_spans", last=last, **self._where) if entries else []
        changes: Sequence[Row] = ()
        retired: Sequence[Row] = ()
        if last >= 0:
            changes = connection.rows("read_status_changes", last=last, **self._where)
            retired = connection.rows("read_retirements", last=last, **self._where)
        if entries:
            self._add_entries(entries)
        if spans:
            self._add_spans(spans)
        if changes:
            self._erase({row[0] for row in changes if row[1] is None})
            self._add_spans([row[1:] for row in changes if row[1] is not None])
        if retired:
            self._retire(retired)
        return Columns(position, self._names, **{name: cell.view for name, cell in self._cells.items()})

    def _add_entries(self, entries: Sequence[Row]) -> None:
        """Append rows; their status follows from their spans."""
        cells = self._cells
        first = len(cells["key"].view)
        (keys, records, kinds, types, channels, sensitivities, portabilities, projects, subjects, sessions, seqs,
         *instants) = zip(*entries, strict=True)  # fmt: skip
        cells["key"].add(keys)
        cells["record"].add([hash(record) for record in records])
        cells["kind"].add([_KIND_BIT[kind] for kind in kinds])
        cells["sensitivity"].add(sensitivities)
        cells["portability"].add(portabilities)
        named = {"type": types, "channel": channels, "project": projects, "subject": subjects, "session": sessions}
        for name, values in named.items():
            cells[name].add(self._coded(values))
        cells["seq"].add(seqs)
        for name, values in zip(_INT64[2:8], instants, strict=True):
            cells[name].add(values)
        cells["ends"].add([BEGINNING] * len(entries))
        cells["status"].add([0] * len(entries))
        cells["previous"].add([-1] * len(entries))
        cells["following"].add([-1] * len(entries))
        self._join_neighbours(first)

    def _coded(self, values: Iterable[str | None]) -> list[int]:
        """The numbers of names, new ones numbered in the order of arrival."""
        names = self._names
        return [0 if value is None else names.setdefault(value, len(names)) for value in values]

    def _join_neighbours(self, first: int) -> None:
        """Link the turns from row `first` on to the turns beside them in their sessions."""
        session, seq = self._cells["session"].view, self._cells["seq"].view
        fresh = np.flatnonzero(session[first:]) + first
        if not len(fresh):
            return
        if len(fresh) <= _SMALL:
            pairs = [self._beside(row, step) for row in fresh.tolist() for step in (-1, 1)]
            before, after = np.concatenate([left for left, _ in pairs]), np.concatenate([right for _, right in pairs])
        else:
            placed = np.flatnonzero(session)
            placed = placed[np.lexsort((seq[placed], session[placed]))]
            left, right = placed[:-1], placed[1:]
            linked = (session[left] == session[right]) & (seq[left] + 1 == seq[right])
            before, after = left[linked], right[linked]
        self._cells["following"].put(before, after)
        self._cells["previous"].put(after, before)

    def _beside(self, row: int, step: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The pair (earlier row, later row) of a turn and the one `step` away, both empty when there is none."""
        session, seq = self._cells["session"].view, self._cells["seq"].view
        other = np.flatnonzero((session == session[row]) & (seq == seq[row] + step))[-1:]
        mine = np.full(len(other), row, dtype=np.int64)
        return (other, mine) if step < 0 else (mine, other)

    def _add_spans(self, spans: Sequence[Row]) -> None:
        """Append status spans (key, status, recorded from, ends at, position) and show the latest of each row."""
        if not spans:
            return
        cells = self._cells
        keys, statuses, begins, ends, positions = zip(*spans, strict=True)
        rows = np.searchsorted(cells["key"].view, np.array(keys, dtype=np.int64))
        bits = [_STATUS_BIT[status] for status in statuses]
        cells["span_row"].add(rows)
        cells["span_status"].add(bits)
        cells["span_from"].add(begins)
        cells["span_ends"].add(ends)
        cells["span_position"].add(positions)
        cells["status"].put(rows, bits)
        cells["ends"].put(rows, ends)

    def _retire(self, retired: Sequence[Row]) -> None:
        """Close the versions that others replaced."""
        keys, instants, positions = zip(*retired, strict=True)
        rows = np.searchsorted(self._cells["key"].view, np.array(keys, dtype=np.int64))
        self._cells["retired_at"].put(rows, instants)
        self._cells["retired_position"].put(rows, positions)

    def _erase(self, records: set[str]) -> None:
        """Shut out the rows of erased records for every reader: they hold at no instant any more."""
        if records:
            hashes = np.array([hash(record) for record in records], dtype=np.int64)
            rows = np.flatnonzero(np.isin(self._cells["record"].view, hashes))
            self._cells["valid_until"].put(rows, [BEGINNING] * len(rows))
