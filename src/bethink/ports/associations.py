"""What the core asks of the associations of a store. Whatever is read lies inside a `Fence`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bethink.domain.fence import Fence
from bethink.domain.scope import Scope, Sensitivity
from bethink.operations.associations import Relation, Term


@dataclass(frozen=True, slots=True)
class Place:
    """Whose a new term or relation is, and what fences it."""

    scope: Scope
    channel: str | None = None
    sensitivity: Sensitivity = Sensitivity.NORMAL


class AssociationReads(Protocol):
    """Reading terms and relations. Of a fence, scopes, channel and ceiling hold here."""

    def named(self, fence: Fence, name: str) -> tuple[Term, ...]:
        """The terms that answer exactly to a name, folded, by scope."""
        ...

    def terms(self, fence: Fence, limit: int) -> tuple[Term, ...]:
        """Terms by name."""
        ...

    def relations(self, fence: Fence, limit: int, of: Sequence[str] | None = None) -> tuple[Relation, ...]:
        """Relations, or those of the terms with these ids, by subject, predicate, object, scope and id."""
        ...

    def readable(self, fence: Fence, relation_id: str) -> str | None:
        """The scope of a relation inside the fence."""
        ...


class AssociationWrites(AssociationReads, Protocol):
    """Writing them."""

    def own(self, place: Place, name: str) -> Term | None:
        """The term of an owner, in exactly this channel, that answers to a name."""
        ...

    def add_term(self, place: Place, term: Term, at: datetime) -> None:
        """Store a new term with its name."""
        ...

    def add_name(self, term: Term, name: str) -> None:
        """Let a term answer to one more name, unless that name is taken in its scope."""
        ...

    def relate(self, place: Place, relation: Relation) -> str:
        """Store a relation; its id, or that of the one that says so already of the same source."""
        ...

    def remove_relations(self, ids: Sequence[str]) -> dict[str, int]:
        """Remove relations; how many rows."""
        ...

    def remove_terms(self, ids: Sequence[str]) -> dict[str, int]:
        """Remove terms with their names and relations; how many rows of each."""
        ...
