"""Get: one record or turn by its id, as far as the caller may read it, whatever its standing but forgotten."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bethink.domain.fence import Entry, Fence
from bethink.domain.ids import check_id
from bethink.domain.record import Record, Status
from bethink.domain.time import utc
from bethink.errors import InvalidInput, NotFound
from bethink.operations.records import GetRequest, GetResult
from bethink.ports.store import Snapshot
from bethink.recall.filter import lookup_fence
from bethink.recall.hops import resolved
from bethink.recall.reader import Reader

SHOWN = frozenset(Status) - {Status.PROPOSED, Status.DELETED}
"""What can be looked up by id: not what was never decided, and not what was forgotten."""

SHORTEST = 4
"""Characters of an id or short id that can be looked up."""


def get(request: GetRequest, reader: Reader) -> GetResult:
    """The record or turn named by a full id, a short id or the beginning of either.

    Raises:
        NotFound: nothing with that id in what the caller may read; a foreign id and an absent one answer alike.
        InvalidInput: the beginning given is too short or fits several, or an instant is naive.
        ChainTooLong: what holds in its place now is asked for, and lies more than ten steps on.
    """
    as_of = None if request.as_of is None else utc(request.as_of, "as_of")
    known_at = None if request.known_at is None else utc(request.known_at, "known_at")
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        fence, entries = looked_up(request.id, reader, snapshot, (as_of, known_at))
        found = _found(fence, entries, snapshot)
        if found is None:
            raise NotFound("There is no such record in what the caller may read.")
        if request.current and found.record is not None:
            found = GetResult(record=resolved(found.record, fence, snapshot.records))
            entries = snapshot.records.entries(fence, found.record.id) if found.record else ()
        versions = _versions(fence, found, entries, snapshot) if request.history and found.record else ()
    return replace(found, versions=versions)


def looked_up(
    given: str, reader: Reader, snapshot: Snapshot, times: tuple[datetime | None, datetime | None] = (None, None)
) -> tuple[Fence, tuple[Entry, ...]]:
    """What an id names, by the entries of its versions, and the fence it is read through.

    Args:
        given: a full id, a short id or the beginning of either.
        reader: who asks.
        snapshot: the state read.
        times: when it held and what the store knew then; None is now, whatever its validity.

    Raises:
        InvalidInput: no id, too short, or it fits several.
    """
    as_of, known_at = times
    given = check_id(given, "id")
    reach = lookup_fence(reader.caller, snapshot.grants.of(reader.caller), as_of or reader.clock.now())
    reach = replace(reach, statuses=SHOWN, known_at=known_at, timeless=as_of is None)
    entries = snapshot.records.entries(reach, resolve(given, reach, snapshot))
    return _at_home(reach, entries, isolate=reader.settings.project_policy == "isolate"), entries


def resolve(given: str, reach: Fence, snapshot: Snapshot) -> str:
    """The full id of what was named by a full id, a short id or a beginning; itself where nothing fits.

    Raises:
        InvalidInput: no id, too short, or it fits several.
    """
    given = check_id(given, "id") if given else given
    bare = given.removeprefix("m:")
    if len(bare) < SHORTEST:
        msg = f"The id {given[:40]!r} is too short to name a record."
        raise InvalidInput(msg, remedy=f"Give at least {SHORTEST} characters of an id or short id.")
    ids = snapshot.records.find(reach, given)
    if len(ids) > 1 and given not in ids:
        msg = f"The id {given[:40]!r} fits {len(ids)} records."
        raise InvalidInput(msg, remedy="Give more of the id.")
    return ids[0] if len(ids) == 1 else given


def _at_home(reach: Fence, entries: tuple[Entry, ...], *, isolate: bool) -> Fence:
    """The reach with the record's own project as the current one: who names a record by id has asked for it."""
    if isolate or not entries:
        return replace(reach, isolate=isolate)
    return replace(reach, project=entries[0].project)


def _found(fence: Fence, entries: tuple[Entry, ...], snapshot: Snapshot) -> GetResult | None:
    """The record or the turn inside the fence, None without one."""
    ids = tuple({entry.record for entry in entries})
    for record in snapshot.records.get(fence, ids):
        return GetResult(record=record)
    for turn in snapshot.turns.get(fence, ids):
        return GetResult(turn=turn)
    return None


def _versions(fence: Fence, found: GetResult, entries: tuple[Entry, ...], snapshot: Snapshot) -> tuple[Record, ...]:
    """Earlier versions of a record, newest first, each as the store knew it when it was recorded."""
    shown = found.record
    if shown is None:
        return ()
    earlier = (entry for entry in entries if entry.key < shown.key)
    known = (replace(fence, known_at=entry.recorded_at, timeless=True) for entry in earlier)
    return tuple(record for view in known for record in snapshot.records.get(view, (shown.id,)))
