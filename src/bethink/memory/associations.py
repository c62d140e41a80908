"""`memory.associations`: terms and relations as one caller sees them. No recall reads any of it."""

from __future__ import annotations

from typing import Any

from bethink.formation.associate import register_term, relate
from bethink.formation.desk import Desk
from bethink.memory.requests import as_request, built
from bethink.operations.associations import (
    AssociationsRequest,
    AssociationsResult,
    RegisterTermRequest,
    RelateRequest,
    RelateResult,
    Term,
    TraverseRequest,
    TraverseResult,
)
from bethink.operations.records import Receipt
from bethink.recall.associations import associations, traverse
from bethink.recall.reader import Reader
from bethink.upkeep.remove import remove_relation, remove_term


class Associations:
    """What a caller's agents declare to be connected."""

    def __init__(self, desk: Desk, reader: Reader) -> None:
        self._desk = desk
        self._reader = reader

    def register(self, request: RegisterTermRequest | str, **fields: Any) -> Term:
        """Register a term with its aliases, or give it more of them."""
        return register_term(as_request(RegisterTermRequest, request, "name", fields), self._desk)

    def relate(self, request: RelateRequest | str, **fields: Any) -> RelateResult:
        """Assert a relation between two registered terms, resting on a record or turn where it names one."""
        return relate(as_request(RelateRequest, request, "subject", fields), self._desk)

    def list(self, request: AssociationsRequest | None = None, **fields: Any) -> AssociationsResult:
        """The registry as far as the caller may read it, or what it says of one `term`."""
        return associations(request or built(AssociationsRequest, fields), self._reader)

    def traverse(self, request: TraverseRequest | str, **fields: Any) -> TraverseResult:
        """Walk from a term along relations, breadth first and in a written order."""
        return traverse(as_request(TraverseRequest, request, "term", fields), self._reader)

    def retract(self, relation: str) -> Receipt:
        """Take a relation back by its id; nothing of it stays."""
        return remove_relation(relation, self._desk)

    def remove(self, term: str) -> Receipt:
        """Remove a term, by a name of it, with its names and relations."""
        return remove_term(term, self._desk)
