"""Closure: everything that holds an erased text, found before anything is touched."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bethink.domain.fence import Fence
from bethink.domain.record import Record
from bethink.domain.scope import Sensitivity
from bethink.domain.session import Turn
from bethink.formation.typed import is_typed
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.upkeep.lookup import Found

TURN = "turn:"
"""How a support names the turn it stands in."""


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
    return tuple(turn for turn in source.turns.get(fence, (evidence.turn_id,)) if is_typed(turn.session))


def closure(source: Snapshot | UnitOfWork, fence: Fence, found: Found, *, with_sources: bool) -> Closure:
    """Everything an erase of `found` takes along.

    Records derived from an erased record go, and records that quote an erased turn. The turns a record's evidence
    stands in go with `with_sources`, and always when they exist only because the record was typed.

    Args:
        source: where to look.
        fence: what the caller may read; its ceiling is lifted for what derives from the named one.
        found: the record or turn named.
        with_sources: whether evidence turns go too.
    """
    wide = replace(fence, ceiling=Sensitivity.SECRET)
    records = {found.record.id: found.record} if found.record else {}
    turns = {found.turn.id: found.turn} if found.turn else {}
    sources: dict[str, None] = {}
    beyond = False
    waiting = [found.id]
    while waiting:
        made = (set(source.records.derived(waiting)) | set(source.records.quoting(waiting))) - set(records)
        fresh = {record.id: record for record in source.records.get(wide, sorted(made))}
        beyond = beyond or len(fresh) < len(made)
        grounds = _grounds(source, wide, [record for record in records.values() if record.id in waiting])
        taken = {turn.id: turn for turn in grounds if turn.id not in turns and (with_sources or is_typed(turn.session))}
        sources |= dict.fromkeys(turn.id for turn in grounds)
        records |= fresh
        turns |= taken
        waiting = [*fresh, *taken]
    kept = tuple(sorted(item for item in sources if item not in turns))
    return Closure(tuple(records.values()), tuple(turns.values()), kept, beyond)


def _grounds(source: Snapshot | UnitOfWork, fence: Fence, records: Iterable[Record]) -> tuple[Turn, ...]:
    """The turns that records' evidence stands in, and those of the sources that support them."""
    named: dict[str, None] = {}
    for record in records:
        evidence = record.content.source.evidence
        if evidence is not None and evidence.turn_id is not None:
            named[evidence.turn_id] = None
        refs = source.records.supports(record.id)
        named |= dict.fromkeys(ref.removeprefix(TURN) for ref in refs if ref.startswith(TURN))
    return source.turns.get(fence, tuple(named)) if named else ()
