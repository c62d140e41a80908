"""`profile`: the current profile of an entity as its caller may read it, made anew when asked for."""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.entity import Entity
from bethink.domain.record import LIVE, Record
from bethink.domain.scope import SPECIFIC, Grant, Scope, check_writable, may_write
from bethink.formation.access import reading_fence
from bethink.formation.desk import Desk
from bethink.formation.entity_named import cards, named_entity
from bethink.formation.synthesize import Made, synthesize
from bethink.operations.common import Notice
from bethink.operations.entities import ProfileRequest, ProfileResult
from bethink.ports.entities import ProfilePlace
from bethink.ports.store import Snapshot


def profile(request: ProfileRequest, desk: Desk) -> ProfileResult:
    """The profile of an entity: of several that the caller may read, the most specific owner's.

    Raises:
        InvalidInput, NotFound: the name is no entity of the caller's.
        AccessDenied: a profile is to be made, and the caller may write for no owner who speaks of the entity.
    """
    made: Made = "current"
    notices: tuple[Notice, ...] = ()
    if request.refresh:
        with desk.store.snapshot(desk.tenant) as snapshot:
            grants = snapshot.grants.of(desk.caller)
            entity = named_entity(snapshot, desk, request.entity, grants)
            owners = _writable(snapshot, desk, entity, grants)
        made, notices = synthesize(desk, entity.id, least=1, owners=owners)
    with desk.store.snapshot(desk.tenant) as snapshot:
        grants = snapshot.grants.of(desk.caller)
        entity = named_entity(snapshot, desk, request.entity, grants)
        fence = reading_fence(desk.caller, grants, LIVE)
        card = cards(snapshot, fence, [entity])[0]
        now = max(desk.clock.now(), snapshot.latest or desk.clock.now())
        places = {record: place for place, record in snapshot.entities.profiles([entity.id])}
        found = snapshot.records.get(replace(fence, timeless=False, instant=now), tuple(places))
    if not found:
        return ProfileResult("none", card, notices=notices)
    best = min(found, key=lambda record: _order(record, places[record.id], desk.caller.project))
    return ProfileResult("current" if made == "none" else made, card, best, notices)


def _writable(snapshot: Snapshot, desk: Desk, entity: Entity, grants: tuple[Grant, ...]) -> tuple[Scope, ...]:
    """The owners for whom the caller may make a profile.

    Raises:
        AccessDenied: it may write for none of those it may read.
    """
    readable = reading_fence(desk.caller, grants, LIVE).scopes
    speaking = [scope for scope in snapshot.entities.owners(entity.id) if scope in readable]
    may = tuple(scope for scope in speaking if may_write(desk.caller, scope, grants))
    if speaking and not may:
        check_writable(desk.caller, speaking[-1], grants)
    return may


def _order(record: Record, place: ProfilePlace, project: str | None) -> tuple[int, bool, bool, str]:
    """The most specific owner first; of one owner's, that of the current project, then the one for none."""
    return SPECIFIC.index(place.scope.kind), place.project != project, place.project is not None, record.id
