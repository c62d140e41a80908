"""Entities of a tenant: exact names in readable scopes, merges, profiles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import cast

from bethink.domain.entity import Entity, EntityKind
from bethink.domain.fence import Fence
from bethink.domain.record import fold
from bethink.domain.scope import Scope
from bethink.domain.time import FOREVER, to_micros
from bethink.ports.entities import ProfilePlace
from bethink.store import codec
from bethink.store.context import Reading, Writing
from bethink.store.database import Row
from bethink.store.predicate import array, fence_values


class Entities:
    """The `EntityWrites` port."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def resolve(self, scope_keys: Sequence[str], key: str) -> tuple[Entity, ...]:
        """Entities answering exactly to the folded name in these scopes, by id."""
        rows = self._on.rows("resolve_entity", tenant=self._tenant, scopes=array(scope_keys), alias_key=key)
        return self._named(rows)

    def get(self, scope_keys: Sequence[str], ids: Sequence[str]) -> dict[str, Entity]:
        """Entities in these scopes by the ids that were asked for; others are left out alike."""
        rows = self._on.rows("get_entities", tenant=self._tenant, scopes=array(scope_keys), ids=array(ids))
        found = {entity.id: entity for entity in self._named([row[1:] for row in rows])}
        return {row[0]: found[row[1]] for row in rows}

    def one(self, entity: str) -> Entity | None:
        """The entity that stands for this id, whoever owns it: for upkeep."""
        found = self._named(self._on.rows("read_entity", tenant=self._tenant, id=entity))
        return found[0] if found else None

    def listed(self, scope: str, after: str, limit: int) -> tuple[Entity, ...]:
        """Entities of a scope behind an id, by id."""
        return self._named(self._on.rows("list_entities", tenant=self._tenant, scope=scope, after=after, limit=limit))

    def members(self, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The ids that each of these entities stands for, its own among them."""
        found: dict[str, list[str]] = defaultdict(list)
        for entity, member in self._on.rows("members_of", tenant=self._tenant, ids=array(ids)):
            found[entity].append(member)
        return {entity: tuple(members) for entity, members in found.items()}

    def mentions(self, fence: Fence, ids: Sequence[str]) -> dict[str, int]:
        """How many records inside the fence speak of each of these entities."""
        members = self.members(ids)
        every = [member for group in members.values() for member in group]
        counts: dict[str, int] = dict(self._on.rows("count_mentions", ids=array(every), **self._values(fence)))
        return {entity: sum(counts.get(member, 0) for member in group) for entity, group in members.items()}

    def speaking_of(self, fence: Fence, entity: str, limit: int) -> tuple[str, ...]:
        """Ids of records inside the fence that speak of an entity, oldest first."""
        members = self.members([entity]).get(entity, ())
        rows = self._on.rows("records_linked", ids=array(members), limit=limit, **self._values(fence))
        return tuple(row[0] for row in rows)

    def owners(self, entity: str) -> tuple[Scope, ...]:
        """The owners of records that speak of an entity, by key, whoever may read them: for upkeep."""
        members = self.members([entity]).get(entity, ())
        rows = self._on.rows("scopes_speaking", tenant=self._tenant, ids=array(members))
        return tuple(codec.scope(row[0]) for row in rows)

    def links(self, record_ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """The distinct (entity, role) that these records are linked by."""
        rows = self._on.rows("links_with_roles", tenant=self._tenant, ids=array(record_ids))
        return tuple(sorted({(entity, role) for _, entity, role in rows}))

    def profiles(self, ids: Sequence[str]) -> tuple[tuple[ProfilePlace, str], ...]:
        """The records these entities point to, with their places, by entity, scope and project."""
        rows = self._on.rows("profiles_of", tenant=self._tenant, ids=array(ids))
        return tuple((ProfilePlace(row[0], codec.scope(row[1]), row[2] or None), row[3]) for row in rows)

    def mentioned(self, after: int, until: int, limit: int) -> tuple[tuple[str, int], ...]:
        """Entities that entries between two positions speak of, each with its last such position, by that."""
        about = {"tenant": self._tenant, "after": after, "until": until, "limit": limit}
        return tuple((entity, position) for entity, position in self._on.rows("mentioned_between", **about))

    def unprofiled(self, limit: int) -> tuple[str, ...]:
        """Entities that point to a profile which is read no more."""
        rows = self._on.rows("profiles_ended", tenant=self._tenant, forever=FOREVER, limit=limit)
        return tuple(row[0] for row in rows)

    def add(self, entity: Entity, at: datetime) -> None:
        """Store a new entity with its aliases."""
        self._on.post(
            "add_entity",
            tenant=self._tenant,
            id=entity.id,
            kind=entity.kind,
            name=entity.name,
            scope=entity.scope.key,
            provisional=int(entity.provisional),
            at=to_micros(at),
        )
        for name in (entity.name, *entity.aliases):
            self._on.post(
                "add_alias",
                tenant=self._tenant,
                scope=entity.scope.key,
                alias_key=fold(name),
                id=entity.id,
                alias=name,
            )

    def confirm(self, entity: str, kind: EntityKind) -> None:
        """Somebody vouches for it; its kind is taken where it had none."""
        self._on.post("confirm_entity", tenant=self._tenant, id=entity, kind=kind)

    def merge(self, entity: str, into: str, at: datetime) -> None:
        """Let another entity stand for this one and for what this one stood for."""
        about = {"tenant": self._tenant, "id": entity, "into": into}
        self._on.post("point_on", **about)
        self._on.post("merge_entity", at=to_micros(at), **about)

    def subjects(self, ids: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
        """(record, scope key, subject key) of every record whose live version is about one of these entities."""
        rows = self._on.rows("subjects_of", tenant=self._tenant, ids=array(ids), forever=FOREVER)
        return tuple((record, scope, key) for record, scope, key in rows)

    def point(self, place: ProfilePlace, record_id: str) -> None:
        """Point an entity to its profile."""
        self._on.post(
            "set_profile",
            tenant=self._tenant,
            id=place.entity,
            scope=place.scope.key,
            project=place.project or "",
            record_id=record_id,
        )

    def end_profiles(self, record_ids: Sequence[str]) -> None:
        """These profiles are read no more, so that new ones are due."""
        self._on.post("end_profiles", tenant=self._tenant, ids=array(record_ids))

    def drop_ended(self, entity: str) -> None:
        """Let an entity, and what it stands for, point to no profile that is read no more."""
        members = self.members([entity]).get(entity, ())
        self._on.post("drop_ended_profiles", tenant=self._tenant, ids=array(members))

    def outdated(self, ids: Sequence[str]) -> tuple[tuple[str, bool], ...]:
        """(id, whether it is a profile) of live records that a change of these records or turns outdates."""
        rows = self._on.rows("outdated_by", tenant=self._tenant, ids=array(ids), forever=FOREVER)
        return tuple((row[0], bool(row[1])) for row in rows)

    def profiles_alone(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Profiles of what these records speak of, where without these nothing but profiles would speak of it."""
        return tuple(row[0] for row in self._on.rows("profiles_alone", tenant=self._tenant, ids=array(ids)))

    def _named(self, rows: Sequence[Row]) -> tuple[Entity, ...]:
        """Entities from rows of (id, kind, name, scope, provisional), with their other names."""
        names: dict[str, dict[str, str]] = defaultdict(dict)
        for entity_id, alias_key, alias in self._on.rows(
            "aliases_of", tenant=self._tenant, ids=array(row[0] for row in rows)
        ):
            names[entity_id].setdefault(alias_key, alias)
        return tuple(
            _entity(row, [alias for key, alias in names[row[0]].items() if key != fold(row[2])]) for row in rows
        )

    def _values(self, fence: Fence) -> dict[str, object]:
        """The fence's values, its tenant being the connection's own."""
        return fence_values(fence) | {"tenant": self._tenant}


def _entity(row: Row, aliases: Sequence[str]) -> Entity:
    """An entity from its row and its other names."""
    entity_id, kind, name, scope_key, provisional = row
    return Entity(entity_id, cast("EntityKind", kind), name, codec.scope(scope_key), tuple(aliases), bool(provisional))
