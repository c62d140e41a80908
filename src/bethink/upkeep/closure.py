"""Closure: everything that holds an erased text, found before anything is touched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bethink.domain.fence import Fence
from bethink.domain.record import Record, Status
from bethink.domain.scope import Sensitivity
from bethink.domain.session import Turn, is_typed
from bethink.domain.source import TURN_REF
from bethink.domain.time import EPOCH
from bethink.formation.lookup import Found
from bethink.formation.typed import homes, turns_anywhere
from bethink.ports.store import Snapshot, UnitOfWork


@dataclass(frozen=True, slots=True)
class Closure:
    """What an erase takes: records and turns, the named one first, and what stays.

    `sources` are evidence turns that keep their words. `beyond` says that something derived lies where the caller may
    not look, so that no id of it can be told.
    """

    records: tuple[Record, ...]
    turns: tuple[Turn, ...]
    sources: tuple[str, ...] = ()
    beyond: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of all that goes."""
        return (*(record.id for record in self.records), *(turn.id for turn in self.turns))


def typed_turns(source: Snapshot | UnitOfWork, fence: Fence, record: Record) -> tuple[Turn, ...]:
    """The turns that exist only because this record was typed, once for each of its versions; they share its fate."""
    return tuple(
        turn for turn in turns_anywhere(source, fence, source.records.quoted((record.id,))) if is_typed(turn.session)
    )


def closure(source: Snapshot | UnitOfWork, fence: Fence, found: Found, *, with_sources: bool) -> Closure:
    """Everything an erase of `found` takes along.

    Records derived from an erased record go. Where a turn is what was named, the records whose evidence stands in it
    go too; of other records that quote an erased turn the store blanks the quote. The turns a record's evidence stands
    in go with `with_sources`, and always when they exist only because the record was typed; what retells a turn that
    goes, as a session's summary does, goes too. So do profiles of what nothing else would speak of any more: a merge
    puts its name into those that were made of other records.

    Args:
        source: where to look.
        fence: what the caller may read; its ceiling is lifted for what derives from the named one.
        found: the record or turn named.
        with_sources: whether evidence turns go too.
    """
    wide = replace(fence, ceiling=Sensitivity.SECRET)
    records = {found.record.id: found.record} if found.record else {}
    waiting = list(source.records.derived((found.id,)))
    if found.turn is not None:
        waiting += source.records.quoting((found.id,))
    beyond = _follow(source, wide, records, waiting)
    grounds = {turn.id: turn for turn in _grounds(source, wide, records.values())}
    turns = {found.turn.id: found.turn} if found.turn else {}
    turns |= {item: turn for item, turn in grounds.items() if with_sources or is_typed(turn.session)}
    kept = tuple(sorted(item for item in grounds if item not in turns))
    told = list(source.records.derived(tuple(turns))) if turns else []
    beyond = _follow(source, wide, records, told) or beyond
    while alone := [item for item in source.entities.profiles_alone(tuple(records)) if item not in records]:
        if _follow(source, wide, records, alone):
            beyond = True
            break
    return Closure(tuple(records.values()), tuple(turns.values()), kept, beyond)


def with_derived(source: Snapshot, ids: Sequence[str]) -> tuple[str, ...]:
    """The ids, and those of all that derives from them, in whatever scope, each once."""
    found = dict.fromkeys(ids)
    fresh = tuple(found)
    while fresh := tuple(item for item in source.records.derived(fresh) if item not in found):
        found |= dict.fromkeys(fresh)
    return tuple(found)


def with_grounds(
    source: Snapshot | UnitOfWork, tenant: str, ids: Sequence[str]
) -> tuple[tuple[Record, ...], tuple[Turn, ...]]:
    """Those of the ids that are records, whosever they are, and the turns beside the ids that they were made from."""
    fence = Fence(
        tenant=tenant,
        scopes=source.records.owners((*ids, *source.records.quoted(ids))),
        ceiling=Sensitivity.SECRET,
        statuses=frozenset(Status),
        instant=EPOCH,
        timeless=True,
    )
    records = _records(source, fence, ids)
    return records, tuple(turn for turn in _grounds(source, fence, records) if turn.id not in ids)


def _follow(source: Snapshot | UnitOfWork, fence: Fence, records: dict[str, Record], waiting: list[str]) -> bool:
    """Take along what waits and all that derives from it; whether some of it may not be looked at."""
    beyond = False
    while waiting:
        fresh = {record.id: record for record in _records(source, fence, waiting) if record.id not in records}
        beyond = beyond or any(item not in fresh and item not in records for item in waiting)
        records |= fresh
        waiting = list(source.records.derived(tuple(fresh))) if fresh else []
    return beyond


def _grounds(source: Snapshot | UnitOfWork, fence: Fence, records: Iterable[Record]) -> tuple[Turn, ...]:
    """The turns that evidence of records stands in, earlier versions included, and those that support them."""
    ids = [record.id for record in records]
    named = dict.fromkeys(source.records.quoted(ids)) if ids else {}
    for item in ids:
        refs = source.records.supports(item)
        named |= dict.fromkeys(ref.removeprefix(TURN_REF) for ref in refs if ref.startswith(TURN_REF))
    return turns_anywhere(source, fence, tuple(named))


def _records(source: Snapshot | UnitOfWork, fence: Fence, ids: Sequence[str]) -> tuple[Record, ...]:
    """The records, those that stay in projects of their own included."""
    found = source.records.get(fence, ids)
    return (*found, *(one for home in homes(source, fence, ids, found) for one in source.records.get(home, ids)))
