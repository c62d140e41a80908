"""Lookup: one record or turn by its id or short id, never by anything fuzzy."""

from __future__ import annotations

from dataclasses import dataclass

from bethink.domain.fence import Fence
from bethink.domain.ids import check_id
from bethink.domain.record import Record
from bethink.domain.session import Turn
from bethink.errors import InvalidInput, NotFound
from bethink.ports.records import RecordReads
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.ports.turns import TurnReads

MIN_SHORT = 6
"""Characters of a prefix that may stand for an id: enough to be meant."""


@dataclass(frozen=True, slots=True)
class Found:
    """What an id names: a record or a turn."""

    id: str
    record: Record | None = None
    turn: Turn | None = None


def find_one(source: Snapshot | UnitOfWork, fence: Fence, given: str) -> Found:
    """What `given` names inside the fence: a full id, ``m:`` with hex digits, or an unambiguous beginning of either.

    Raises:
        InvalidInput: no id, too short to be meant, or several answer to it.
        NotFound: none does. A foreign id and an absent one answer alike.
    """
    wanted = check_id(given, "id")
    exact = _whole(source.records, source.turns, fence, wanted)
    if exact is not None:
        return exact
    if len(wanted.removeprefix("m:")) < MIN_SHORT:
        raise InvalidInput(f"{wanted!r} is too short to name one record.", remedy="Give the id or the whole short id.")
    ids = source.records.find(fence, wanted)
    if len(ids) > 1:
        shown = ", ".join(ids[:3])
        msg = f"{wanted!r} names several: {shown}{' and more' if len(ids) > 3 else ''}."
        raise InvalidInput(msg, remedy="Give more of the id.")
    found = _whole(source.records, source.turns, fence, ids[0]) if ids else None
    if found is None:
        raise NotFound(f"There is no record or turn {wanted[:60]!r}.")
    return found


def _whole(records: RecordReads, turns: TurnReads, fence: Fence, item: str) -> Found | None:
    """The record or turn with exactly this id."""
    record = next(iter(records.get(fence, (item,))), None)
    if record is not None:
        return Found(item, record=record)
    turn = next(iter(turns.get(fence, (item,))), None)
    return None if turn is None else Found(item, turn=turn)
