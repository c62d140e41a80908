"""Closure: everything that holds an erased text, found before anything is touched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bethink.domain.fence import Fence
from bethink.domain.record import Record
from bethink.domain.scope import Sensitivity
from bethink.domain.session import Turn, is_typed
from bethink.domain.source import TURN_REF
from bethink.formation.lookup import Found
from bethink.formation.typed import typed_among
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
    """The turn that exists only because this record was typed; it shares the record's fate."""
    evidence = record.content.source.evidence
    if evidence is None or evidence.turn_id is None:
        return ()
    return typed_among(source.turns, fence, (evidence.turn_id,))


def closure(source: Snapshot | UnitOfWork, fence: Fence, found: Found, *, with_sources: bool) -> Closure:
    """Everything an erase of `found` takes along.

    Records derived from an erased record go. Where a turn is what was named, the records whose evidence stands in it
    go too; of other records that quote an erased turn the store blanks the quote. The turns a record's evidence stands
    in go with `with_sources`, and always when they exist only because the record was typed; what retells a turn that
    goes, as a session's summary does, goes too.

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
    return Closure(tuple(records.values()), tuple(turns.values()), kept, beyond)


def with_derived(source: Snapshot, ids: Sequence[str]) -> tuple[str, ...]:
    """The ids, and those of all that derives from them, in whatever scope, each once."""
    found = dict.fromkeys(ids)
    fresh = tuple(found)
    while fresh := tuple(item for item in source.records.derived(fresh) if item not in found):
        found |= dict.fromkeys(fresh)
    return tuple(found)


def _follow(source: Snapshot | UnitOfWork, fence: Fence, records: dict[str, Record], waiting: list[str]) -> bool:
    """Take along what waits and all that derives from it; whether some of it may not be looked at."""
    beyond = False
    while waiting:
        fresh = {record.id: record for record in source.records.get(fence, waiting) if record.id not in records}
        beyond = beyond or any(item not in fresh and item not in records for item in waiting)
        records |= fresh
        waiting = list(source.records.derived(tuple(fresh))) if fresh else []
    return beyond


def _grounds(source: Snapshot | UnitOfWork, fence: Fence, records: Iterable[Record]) -> tuple[Turn, ...]:
    """The turns that records' evidence stands in, and those of the sources that support them."""
    named: dict[str, None] = {}
    for record in records:
        evidence = record.content.source.evidence
        if evidence is not None and evidence.turn_id is not None:
            named[evidence.turn_id] = None
        refs = source.records.supports(record.id)
        named |= dict.fromkeys(ref.removeprefix(TURN_REF) for ref in refs if ref.startswith(TURN_REF))
    return source.turns.get(fence, tuple(named)) if named else ()
