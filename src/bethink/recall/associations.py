"""Associations as they may be read: the registry, and a bounded walk in a written order. No arm of a recall reads them.

A relation that rests on a record or turn is read while that one is: what was forgotten, replaced or has ended takes its
relations out of every read with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE
from bethink.errors import InvalidInput, NotFound
from bethink.operations.associations import (
    AssociationsRequest,
    AssociationsResult,
    Relation,
    Step,
    Term,
    TraverseRequest,
    TraverseResult,
)
from bethink.ports.store import Snapshot
from bethink.recall.filter import lookup_fence, present
from bethink.recall.reader import Reader
from bethink.text.door import check_text

MAX_HOPS, MAX_LIMIT = 5, 500
PAGE = 1_000
"""Relations read at a hop at most."""

SECONDS = 5.0


def associations(request: AssociationsRequest, reader: Reader) -> AssociationsResult:
    """The registry as far as the caller may read it.

    Raises:
        InvalidInput: an unusable limit.
        NotFound: no such term; another's and an absent one answer alike.
    """
    limit = _bounded(request.limit, MAX_LIMIT, "limit")
    with reader.open(SECONDS) as snapshot:
        fence = _fence(reader, snapshot)
        if request.term is None:
            terms, of = snapshot.associations.terms(fence, limit + 1), None
        else:
            terms = _named(snapshot, fence, request.term)
            of = [term.id for term in terms]
        found = snapshot.associations.relations(fence, PAGE, of)
        relations = _standing(snapshot, fence, found)
    complete = len(terms) <= limit and len(relations) <= limit and len(found) < PAGE
    return AssociationsResult(terms[:limit], relations[:limit], complete)


def traverse(request: TraverseRequest, reader: Reader) -> TraverseResult:
    """Walk from a term, breadth first; the same registry gives the same walk.

    Raises:
        InvalidInput: bounds that cannot be used.
        NotFound: no such term; another's and an absent one answer alike.
    """
    hops, limit = _bounded(request.hops, MAX_HOPS, "hops"), _bounded(request.limit, MAX_LIMIT, "limit")
    steps: list[Step] = []
    complete = True
    with reader.open(SECONDS) as snapshot:
        fence = _fence(reader, snapshot)
        start = _named(snapshot, fence, request.term)
        known, walked = {term.id for term in start}, set[str]()
        frontier = sorted(known)
        for hop in range(1, hops + 1):
            found = snapshot.associations.relations(fence, PAGE, frontier)
            complete &= len(found) < PAGE
            fresh = [one for one in _standing(snapshot, fence, found) if one.id not in walked]
            steps += [Step(hop, one) for one in fresh]
            walked |= {one.id for one in fresh}
            frontier = sorted({end for one in fresh for end in (one.subject_id, one.object_id)} - known)
            known |= set(frontier)
            if not frontier or len(steps) > limit:
                break
    return TraverseResult(start, tuple(steps[:limit]), complete and len(steps) <= limit)


def _standing(snapshot: Snapshot, fence: Fence, relations: Sequence[Relation]) -> tuple[Relation, ...]:
    """The relations whose source may be read now, in their order."""
    wanted = sorted({one.source for one in relations if one.source is not None})
    held = {record.id for record in snapshot.records.get(fence, wanted)}
    held |= {turn.id for turn in snapshot.turns.get(fence, wanted)} if wanted else set()
    return tuple(one for one in relations if one.source is None or one.source in held)


def _named(snapshot: Snapshot, fence: Fence, given: str) -> tuple[Term, ...]:
    """The terms that answer to a name."""
    terms = snapshot.associations.named(fence, check_text(given, "term", 200))
    if not terms:
        raise NotFound(f"There is no term {given[:60]!r}.", remedy="List what is registered.")
    return terms


def _fence(reader: Reader, snapshot: Snapshot) -> Fence:
    """What the caller may read and what holds now."""
    now = present(reader.clock.now(), snapshot.latest)
    fence = lookup_fence(reader.caller, snapshot.grants.of(reader.caller), now)
    return replace(fence, statuses=LIVE, timeless=False)


def _bounded(given: int, most: int, what: str) -> int:
    """A bound that a walk can keep."""
    if not 1 <= given <= most:
        raise InvalidInput(f"{what} is from 1 to {most}, not {given}.")
    return given
