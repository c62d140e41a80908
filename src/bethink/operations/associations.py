"""Associations: what agents declare to be connected. Terms, their names, and relations between them; recall reads none.

`memory.associations` registers, relates, lists, walks and removes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.scope import Target


@dataclass(frozen=True, slots=True)
class RegisterTermRequest:
    """A term to be registered with its aliases, or given more of them.

    Args:
        name: what it is called; a term that answers to it already is that term.
        aliases: other names it answers to. A name is one term's within its owner.
        target: which of the caller's scopes owns it.
    """

    name: str
    aliases: tuple[str, ...] = ()
    target: Target = "personal"


@dataclass(frozen=True, slots=True)
class Term:
    """A registered term. `scope` is its owner, as ``kind:id``."""

    id: str
    name: str
    aliases: tuple[str, ...]
    scope: str


@dataclass(frozen=True, slots=True)
class RelateRequest:
    """A relation between two registered terms of one owner, asserted by the caller.

    Args:
        subject, predicate, object: terms by any of their names, and what connects them, such as ``depends on``.
        source: the record or turn it rests on, by id. The relation is read while that one is, and goes with it.
        evidence: the exact words of that source.
        target: which of the caller's scopes owns it.
    """

    subject: str
    predicate: str
    object: str
    source: str | None = None
    evidence: str | None = None
    target: Target = "personal"


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation as it was asserted. `subject` and `object` are the names of the terms with those ids."""

    id: str
    scope: str
    subject_id: str
    subject: str
    predicate: str
    object_id: str
    object: str
    source: str | None
    evidence: str | None
    creator: str
    asserted_at: datetime


@dataclass(frozen=True, slots=True)
class RelateResult:
    """What became of it: ``created``, or ``known`` where the same was asserted of the same source before."""

    outcome: Literal["created", "known"]
    relation: Relation


@dataclass(frozen=True, slots=True)
class AssociationsRequest:
    """Ask for the registry, at most `limit` terms and as many relations; of one `term` alone where it is named."""

    term: str | None = None
    limit: int = 100


@dataclass(frozen=True, slots=True)
class AssociationsResult:
    """Terms by name, and relations by subject, predicate and object. `complete` is False where there are more."""

    terms: tuple[Term, ...]
    relations: tuple[Relation, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class TraverseRequest:
    """Walk from a term along relations, in both directions: at most `hops` away, at most `limit` relations."""

    term: str
    hops: int = 2
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Step:
    """One relation of a walk, at `hop` steps from its start."""

    hop: int
    relation: Relation


@dataclass(frozen=True, slots=True)
class TraverseResult:
    """A walk: where it starts, and its relations in order.

    The order is total: by hop, then subject, predicate, object, owner and id. `complete` is False where the limit cut
    the walk off; the bound of hops is what was asked for, and no cut.
    """

    start: tuple[Term, ...]
    steps: tuple[Step, ...]
    complete: bool = True
