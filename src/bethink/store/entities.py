"""Entities of a tenant: exact names in readable scopes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import cast

from bethink.domain.entity import Entity, EntityKind
from bethink.domain.record import fold
from bethink.domain.time import to_micros
from bethink.store import codec
from bethink.store.context import Reading, Writing
from bethink.store.database import Row
from bethink.store.predicate import array


class Entities:
    """The `EntityWrites` port."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def resolve(self, scope_keys: Sequence[str], key: str) -> tuple[Entity, ...]:
        """Entities answering exactly to the folded name in these scopes, by id."""
        rows = self._on.rows("resolve_entity", tenant=self._tenant, scopes=array(scope_keys), alias_key=key)
        names: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for entity_id, alias_key, alias in self._on.rows(
            "aliases_of", tenant=self._tenant, ids=array(row[0] for row in rows)
        ):
            names[entity_id].append((alias_key, alias))
        return tuple(
            _entity(row, [alias for alias_key, alias in names[row[0]] if alias_key != fold(row[2])]) for row in rows
        )

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


def _entity(row: Row, aliases: Sequence[str]) -> Entity:
    """An entity from a row of ``resolve_entity`` and its other names."""
    entity_id, kind, name, scope_key, provisional = row
    return Entity(entity_id, cast("EntityKind", kind), name, codec.scope(scope_key), tuple(aliases), bool(provisional))
