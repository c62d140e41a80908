"""What a request names by id: found where the caller may read, and owned where the caller may write."""

from __future__ import annotations

from dataclasses import dataclass

from bethink.domain.fence import Fence
from bethink.domain.record import HISTORICAL, Record, Status
from bethink.domain.scope import Grant, Scope, check_writable
from bethink.domain.session import Turn
from bethink.errors import InvalidInput, NotFound
from bethink.formation.access import reading_fence
from bethink.formation.desk import Desk
from bethink.formation.lookup import Found, find_one
from bethink.ports.store import Snapshot, UnitOfWork

EVERY = frozenset(Status) - {Status.PROPOSED}
"""Every status a record can be named in."""


@dataclass(frozen=True, slots=True)
class Named:
    """A record or turn with its owner, what its caller may see, and the caller's grants."""

    found: Found
    scope: Scope
    fence: Fence
    grants: tuple[Grant, ...]


def named(source: Snapshot | UnitOfWork, desk: Desk, given: str, statuses: frozenset[Status] = EVERY) -> Named:
    """The one record or turn with this id, in one of these statuses.

    Raises:
        InvalidInput: no id, or several answer to it.
        NotFound: none does, as far as the caller may know.
        AccessDenied: the caller may read it and not write it.
    """
    grants = source.grants.of(desk.caller)
    fence = reading_fence(desk.caller, grants, statuses)
    found = find_one(source, fence, given)
    scope = owner(source, fence, found.record or found.turn)
    check_writable(desk.caller, scope, grants)
    return Named(found, scope, fence, grants)


def named_record(
    source: Snapshot | UnitOfWork, desk: Desk, given: str, statuses: frozenset[Status] = HISTORICAL
) -> tuple[Named, Record]:
    """The record with this id, current or past unless other statuses are given.

    Raises:
        InvalidInput: no id, several answer to it, or it names a turn.
        NotFound: none does, as far as the caller may know; what is hidden is none.
        AccessDenied: the caller may read it and not write it.
    """
    what = named(source, desk, given, statuses)
    if what.found.record is None:
        msg = f"{what.found.id} is a turn: what was said stays said."
        raise InvalidInput(msg, remedy="Name the record that came of it, remember what is so, or forget the turn.")
    return what, what.found.record


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
