"""Terms and relations of a tenant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bethink.domain.fence import Fence
from bethink.domain.record import fold
from bethink.domain.time import from_micros, to_micros
from bethink.operations.associations import Relation, Term
from bethink.ports.associations import Place
from bethink.store.context import Reading, Writing
from bethink.store.database import Row
from bethink.store.predicate import array


class Associations:
    """The `AssociationWrites` port."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def named(self, fence: Fence, name: str) -> tuple[Term, ...]:
        """The terms that answer exactly to a name, folded, by scope."""
        return self._terms(self._on.rows("terms_named", name_key=fold(name), **self._where(fence)))

    def own(self, place: Place, name: str) -> Term | None:
        """The term of an owner, in exactly this channel, that answers to a name."""
        where = {"tenant": self._tenant, "scope": place.scope.key, "channel_key": place.channel or ""}
        return next(iter(self._terms(self._on.rows("own_term", name_key=fold(name), **where))), None)

    def terms(self, fence: Fence, limit: int) -> tuple[Term, ...]:
        """Terms by name."""
        return self._terms(self._on.rows("list_terms", limit=limit, **self._where(fence)))

    def relations(self, fence: Fence, limit: int, of: Sequence[str] | None = None) -> tuple[Relation, ...]:
        """Relations, or those of the terms with these ids, by subject, predicate, object, scope and id."""
        where = self._where(fence)
        if of is None:
            rows = self._on.rows("list_relations", limit=limit, **where)
        else:
            rows = self._on.rows("relations_of", limit=limit, ids=array(of), **where)
        return tuple(_relation(row) for row in rows)

    def readable(self, fence: Fence, relation_id: str) -> str | None:
        """The scope of a relation inside the fence."""
        row = self._on.row("find_relation", id=relation_id, **self._where(fence))
        return None if row is None else str(row[1])

    def add_term(self, place: Place, term: Term, at: datetime) -> None:
        """Store a new term with its name."""
        self._on.run(
            "put_term",
            tenant=self._tenant,
            id=term.id,
            scope=place.scope.key,
            channel=place.channel,
            sensitivity=int(place.sensitivity),
            name=term.name,
            at=to_micros(at),
        )
        self.add_name(term, term.name)

    def add_name(self, term: Term, name: str) -> None:
        """Let a term answer to one more name, unless that name is taken in its scope."""
        self._on.run("put_term_name", tenant=self._tenant, term_id=term.id, name_key=fold(name), name=name)

    def relate(self, place: Place, relation: Relation) -> str:
        """Store a relation; its id, or that of the one that says so already of the same source."""
        what = {
            "tenant": self._tenant,
            "scope": place.scope.key,
            "subject_id": relation.subject_id,
            "predicate": relation.predicate,
            "object_id": relation.object_id,
        }
        known = self._on.row("same_relation", source_key=relation.source or "", **what)
        if known is not None:
            return str(known[0])
        self._on.run(
            "put_relation",
            id=relation.id,
            channel=place.channel,
            sensitivity=int(place.sensitivity),
            source_id=relation.source,
            evidence=relation.evidence,
            creator=relation.creator,
            at=to_micros(relation.asserted_at),
            **what,
        )
        return relation.id

    def remove_relations(self, ids: Sequence[str]) -> dict[str, int]:
        """Remove relations; how many rows."""
        return {"relations": self._on.run("drop_relations", tenant=self._tenant, ids=array(ids))}

    def remove_terms(self, ids: Sequence[str]) -> dict[str, int]:
        """Remove terms with their names and relations; how many rows of each."""
        about = {"tenant": self._tenant, "ids": array(ids)}
        steps = {"relations": "drop_term_relations", "names": "drop_term_names", "terms": "drop_terms"}
        return {kind: self._on.run(query, **about) for kind, query in steps.items()}

    def _where(self, fence: Fence) -> dict[str, Any]:
        """What fences them."""
        return {
            "tenant": self._tenant,
            "scopes": array(scope.key for scope in fence.scopes),
            "ceiling": int(fence.ceiling),
            "channel": fence.channel,
        }

    def _terms(self, rows: Sequence[Row]) -> tuple[Term, ...]:
        """Terms with their aliases."""
        aliases: dict[str, list[str]] = defaultdict(list)
        ids = array(row[0] for row in rows)
        for term, name in self._on.rows("names_of_terms", tenant=self._tenant, ids=ids) if rows else ():
            aliases[term].append(name)
        return tuple(Term(row[0], row[2], tuple(aliases[row[0]]), row[1]) for row in rows)


def _relation(row: Row) -> Relation:
    """A stored relation."""
    item, scope, subject_id, subject, predicate, object_id, object_, source, evidence, creator, at = row
    return Relation(
        id=item,
        scope=scope,
        subject_id=subject_id,
        subject=subject,
        predicate=predicate,
        object_id=object_id,
        object=object_,
        source=source,
        evidence=evidence,
        creator=creator,
        asserted_at=from_micros(at),
    )


def erase_resting(writing: Writing, ids: str) -> dict[str, int]:
    """Remove the relations that rest on erased records and turns, and terms that nothing else is said of.

    Args:
        writing: the transaction.
        ids: the erased ones, as a JSON array.
    """
    about = {"tenant": writing.tenant, "ids": ids}
    terms = [row[0] for row in writing.connection.rows("terms_resting_on", **about)]
    rows = {"relations": writing.connection.run("erase_relations", **about)}
    left = writing.connection.rows("lonely_terms", tenant=writing.tenant, ids=array(terms)) if terms else []
    gone = Associations(writing).remove_terms([row[0] for row in left]) if left else {"terms": 0}
    return rows | {"terms": gone["terms"]}
