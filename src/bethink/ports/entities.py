"""What the core asks of the entities of a store. Every read of memory takes a `Fence`.

An entity that was merged into another one answers as that one everywhere; its id still finds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bethink.domain.entity import Entity, EntityKind
from bethink.domain.fence import Fence
from bethink.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class ProfilePlace:
    """What a profile is for: an entity, the owner of the records it is made of, the project they were learned in."""

    entity: str
    scope: Scope
    project: str | None = None


class EntityReads(Protocol):
    """Reading entities of a tenant."""

    def resolve(self, scope_keys: Sequence[str], key: str) -> tuple[Entity, ...]:
        """Entities answering exactly to the folded name in these scopes, by id."""
        ...

    def get(self, scope_keys: Sequence[str], ids: Sequence[str]) -> dict[str, Entity]:
        """Entities in these scopes by the ids that were asked for; others are left out alike."""
        ...

    def one(self, entity: str) -> Entity | None:
        """The entity that stands for this id, whoever owns it: for upkeep."""
        ...

    def listed(self, scope: str, after: str, limit: int) -> tuple[Entity, ...]:
        """Entities of a scope behind an id, by id."""
        ...

    def members(self, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The ids that each of these entities stands for, its own among them."""
        ...

    def mentions(self, fence: Fence, ids: Sequence[str]) -> dict[str, int]:
        """How many records inside the fence speak of each of these entities."""
        ...

    def speaking_of(self, fence: Fence, entity: str, limit: int) -> tuple[str, ...]:
        """Ids of records inside the fence that speak of an entity, oldest first."""
        ...

    def owners(self, entity: str) -> tuple[Scope, ...]:
        """The owners of records that speak of an entity, by key, whoever may read them: for upkeep."""
        ...

    def links(self, record_ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """The distinct (entity, role) that these records are linked by."""
        ...

    def profiles(self, ids: Sequence[str]) -> tuple[tuple[ProfilePlace, str], ...]:
        """The records these entities point to, with their places, by entity, scope and project."""
        ...

    def profiles_alone(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Profiles of what these records speak of, where without these nothing but profiles would speak of it."""
        ...

    def mentioned(self, after: int, until: int, limit: int) -> tuple[tuple[str, int], ...]:
        """Entities that entries between two positions speak of, each with its last such position, by that."""
        ...

    def unprofiled(self, limit: int) -> tuple[str, ...]:
        """Entities that point to a profile which is read no more."""
        ...


class EntityWrites(EntityReads, Protocol):
    """Writing entities."""

    def add(self, entity: Entity, at: datetime) -> None:
        """Store a new entity with its aliases."""
        ...

    def confirm(self, entity: str, kind: EntityKind) -> None:
        """Somebody vouches for it; its kind is taken where it had none."""
        ...

    def merge(self, entity: str, into: str, at: datetime) -> None:
        """Let another entity stand for this one and for what this one stood for."""
        ...

    def subjects(self, ids: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
        """(record, scope key, subject key) of every record whose live version is about one of these entities."""
        ...

    def point(self, place: ProfilePlace, record_id: str) -> None:
        """Point an entity to its profile."""
        ...

    def end_profiles(self, record_ids: Sequence[str]) -> None:
        """These profiles are read no more, so that new ones are due."""
        ...

    def drop_ended(self, entity: str) -> None:
        """Let an entity, and what it stands for, point to no profile that is read no more."""
        ...

    def outdated(self, ids: Sequence[str]) -> tuple[tuple[str, bool], ...]:
        """(id, whether it is a profile) of live records that a change of these records or turns outdates.

        A profile is outdated by any change of a source. What else was derived is once a source no longer stands, unless
        it took that source's place; so is all that was derived from it in turn.
        """
        ...
