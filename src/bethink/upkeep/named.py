"""What a request to forget names: found by id where the caller may read, and owned where the caller may write."""

from __future__ import annotations

from dataclasses import dataclass

from bethink.domain.fence import Fence
from bethink.domain.record import Record, Status
from bethink.domain.scope import Grant, Scope, check_writable
from bethink.domain.session import Turn
from bethink.errors import NotFound
from bethink.formation.access import reading_fence
from bethink.formation.desk import Desk
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.upkeep.lookup import Found, find_one


@dataclass(frozen=True, slots=True)
class Named:
    """A record or turn with its owner, what its caller may see, and the caller's grants."""

    found: Found
    scope: Scope
    fence: Fence
    grants: tuple[Grant, ...]


def named(source: Snapshot | UnitOfWork, desk: Desk, given: str) -> Named:
    """The one record or turn with this id, in whatever status.

    Raises:
        InvalidInput: no id, or several answer to it.
        NotFound: none does, as far as the caller may know.
        AccessDenied: the caller may read it and not write it.
    """
    grants = source.grants.of(desk.caller)
    fence = reading_fence(desk.caller, grants, frozenset(Status) - {Status.PROPOSED})
    found = find_one(source, fence, given)
    scope = owner(source, fence, found.record or found.turn)
    check_writable(desk.caller, scope, grants)
    return Named(found, scope, fence, grants)


def owner(source: Snapshot | UnitOfWork, fence: Fence, item: Record | Turn | None) -> Scope:
    """The scope of a record or turn.

    Raises:
        NotFound: there is none that may be told.
    """
    if isinstance(item, Record):
        return item.content.scope
    entries = () if item is None else source.records.entries(fence, item.id)
    if not entries:
        raise NotFound("There is no such record or turn.")
    return entries[0].scope
