"""An entity that a request names: by its id, or by a name that one entity alone answers to."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.entity import Entity
from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, fold
from bethink.domain.scope import Grant
from bethink.errors import InvalidInput, NotFound
from bethink.formation.access import reading_fence
from bethink.formation.check import NAME_LIMIT
from bethink.formation.desk import Desk
from bethink.operations.entities import EntitiesRequest, EntitiesResult, EntityCard
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.text.door import check_text, check_whole

MOST = 200
"""Entities listed at a time."""


def named_entity(source: Snapshot | UnitOfWork, desk: Desk, given: str, grants: Sequence[Grant]) -> Entity:
    """The one entity the caller may know by this id or name.

    Raises:
        InvalidInput: several answer to the name.
        NotFound: none does. A foreign one and an absent one answer alike.
    """
    wanted = check_text(given, "entity", NAME_LIMIT)
    scopes = [scope.key for scope in reading_fence(desk.caller, grants, LIVE).scopes]
    found = source.entities.get(scopes, [wanted]).get(wanted)
    if found is not None:
        return found
    answering = source.entities.resolve(scopes, fold(wanted))
    if len(answering) > 1:
        shown = ", ".join(f"{entity.id} ({entity.kind} of {entity.scope.key})" for entity in answering[:5])
        raise InvalidInput(f"Several entities are called {wanted!r}: {shown}.", remedy="Give the id of one.")
    if not answering:
        raise NotFound(f"There is no entity {wanted[:60]!r}.")
    return answering[0]


def cards(source: Snapshot | UnitOfWork, fence: Fence, entities: Sequence[Entity]) -> tuple[EntityCard, ...]:
    """Entities as the fence's reader may see them."""
    counts = source.entities.mentions(fence, [entity.id for entity in entities]) if entities else {}
    return tuple(
        EntityCard(
            id=entity.id,
            name=entity.name,
            kind=entity.kind,
            scope=entity.scope.key,
            aliases=entity.aliases,
            provisional=entity.provisional,
            mentions=counts.get(entity.id, 0),
        )
        for entity in entities
    )


def list_entities(request: EntitiesRequest, desk: Desk) -> EntitiesResult:
    """The entities the caller may know, by owner and id.

    Raises:
        InvalidInput: a limit that lists nothing or too much, or an `after` that no list gave.
    """
    check_whole(request.limit, "limit", 1, MOST)
    with desk.store.snapshot(desk.tenant) as snapshot:
        fence = reading_fence(desk.caller, snapshot.grants.of(desk.caller), LIVE)
        scopes = [scope.key for scope in fence.scopes]
        if request.name is not None:
            name = fold(check_text(request.name, "name", NAME_LIMIT))
            return EntitiesResult(cards(snapshot, fence, snapshot.entities.resolve(scopes, name)[: request.limit]))
        found = _page(snapshot, scopes, request)
        page = found[: request.limit]
        last = f"{page[-1].scope.key} {page[-1].id}" if len(found) > len(page) else None
        return EntitiesResult(cards(snapshot, fence, page), last)


def _page(snapshot: Snapshot, scopes: Sequence[str], request: EntitiesRequest) -> list[Entity]:
    """One entity more than is asked for, from behind the place an earlier page ended at."""
    scope_after, _, id_after = (request.after or "").rpartition(" ")
    if request.after is not None and not scope_after:
        raise InvalidInput("after is none that a list of entities ended with.", remedy="Pass `next` of the last page.")
    found: list[Entity] = []
    for scope in scopes:
        if scope >= scope_after and len(found) <= request.limit:
            behind = id_after if scope == scope_after else ""
            found += snapshot.entities.listed(scope, behind, request.limit + 1 - len(found))
    return found
