"""The fence as numpy columns: what may be read of a scope, as one boolean array.

`Columns` is a published value and never changes. It may be newer than a snapshot, for another thread moved the scope's
`ColumnFeed` on; `mask` therefore takes the snapshot's position and leaves out what was written after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bethink.domain.fence import Fence
from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.domain.time import BEGINNING, FOREVER, lower_micros, to_micros, upper_micros
from bethink.domain.types import Kind, Portability

STATUS_BIT = {status.value: 1 << at for at, status in enumerate(Status)}
KIND_BIT = {kind.value: 1 << at for at, kind in enumerate(Kind)}
SOURCE_BIT = {source.value: 1 << at for at, source in enumerate(SourceKind)}


ERASED = 255
"""The sensitivity of a row whose entry is gone."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The extremes of a scope's rows: a test that no row can fail need not be made.

    `sensitivity` and `valid_from` are the highest, `valid_until`, `ends` and `retired_at` the lowest of all rows;
    `projects` says whether any row belongs to a project.
    """

    sensitivity: int
    valid_from: int
    valid_until: int
    ends: int
    retired_at: int
    projects: bool


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """One scope as of `position`: a row per entry in key order, and a row per status span in the order of writing.

    Instants and `key` are int64. Names are interned: 0 is none, and `spelled` has a number's name. `status`, `kind`,
    `source` hold one bit each; `status` and `ends` are those of the latest span. `own` is the entry's own time.
    `previous`, `following` are the rows of the turns before and after in the same session, -1 without one. An erased
    row stays, above any ceiling: erasing unmakes history too. 95 bytes a row and 29 a span.
    """

    position: int
    names: dict[str, int]
    spelled: Sequence[str]
    key: NDArray[np.int64]
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
    speaker: NDArray[np.int32]
    session: NDArray[np.int32]
    seq: NDArray[np.int32]
    previous: NDArray[np.int32]
    following: NDArray[np.int32]
    kind: NDArray[np.uint8]
    sensitivity: NDArray[np.uint8]
    portability: NDArray[np.uint8]
    status: NDArray[np.uint8]
    source: NDArray[np.uint8]
    span_row: NDArray[np.int32]
    span_status: NDArray[np.uint8]
    span_from: NDArray[np.int64]
    span_ends: NDArray[np.int64]
    span_position: NDArray[np.int64]
    bounds: Bounds = field(init=False)

    def __post_init__(self) -> None:
        bounds = Bounds(
            sensitivity=int(self.sensitivity.max(initial=0)),
            valid_from=int(self.valid_from.max(initial=BEGINNING)),
            valid_until=int(self.valid_until.min(initial=FOREVER)),
            ends=int(self.ends.min(initial=FOREVER)),
            retired_at=int(self.retired_at.min(initial=FOREVER)),
            projects=bool(self.project.any()),
        )
        object.__setattr__(self, "bounds", bounds)

    def rows_of(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """The row of each key, -1 for a key that is not here."""
        if not len(self.key):
            return np.full(len(keys), -1, dtype=np.int64)
        first, last = int(self.key[0]), len(self.key) - 1
        if int(self.key[last]) - first == last:  # without a gap, as in a store of one scope: nothing to search
            rows = keys - first
            return np.where((rows >= 0) & (rows <= last), rows, -1)
        rows = np.searchsorted(self.key, keys)
        np.minimum(rows, last, out=rows)
        return np.where(self.key[rows] == keys, rows, -1)

    def mask(self, fence: Fence, position: int) -> NDArray[np.bool_]:
        """Which rows the fence admits, as a snapshot at `position` knows them. Equal to `Fence.admits`."""
        if fence.known_at is None and position >= self.position:
            inside = self._stands(fence, self.status, self.ends, self.bounds.ends)
            if self.bounds.retired_at < FOREVER:
                inside &= self.retired_at == FOREVER
        else:
            inside = self._known(fence, position)
        if not fence.timeless:
            self._keep_valid(to_micros(fence.instant), inside)
        if self.bounds.sensitivity > fence.ceiling:
            inside &= self.sensitivity <= fence.ceiling
        if fence.channel is not None:
            inside &= self.channel == self.names.get(fence.channel, -1)
        if fence.kinds is not None:
            inside &= (self.kind & sum(KIND_BIT[kind] for kind in fence.kinds)) != 0
        if fence.types is not None:
            inside &= self._among(self.type, fence.types)
        if fence.sources is not None:
            inside &= (self.source & sum(SOURCE_BIT[source] for source in fence.sources)) != 0
        if fence.since is not None or fence.until is not None:
            inside &= (self.own >= lower_micros(fence.since)) & (self.own < upper_micros(fence.until))
        self._keep_reachable(fence, inside)
        return inside

    def _stands(
        self, fence: Fence, status: NDArray[np.uint8], ends: NDArray[np.int64], earliest: int = BEGINNING
    ) -> NDArray[np.bool_]:
        """Whether each status is allowed and speaks for the instant; no end lies before `earliest`."""
        allowed = sum(STATUS_BIT[item] for item in fence.statuses)
        stands: NDArray[np.bool_] = (status & allowed).astype(np.bool_)
        if not fence.timeless and earliest <= (instant := to_micros(fence.instant)):
            stands &= ends > instant
        return stands

    def _keep_valid(self, instant: int, inside: NDArray[np.bool_]) -> None:
        """Take out what does not hold at the instant."""
        if self.bounds.valid_from > instant:
            inside &= self.valid_from <= instant
        if self.bounds.valid_until <= instant:
            inside &= self.valid_until > instant

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
        if not self.bounds.projects:
            return
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
