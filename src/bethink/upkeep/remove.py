"""Remove what is no record, whole and with a receipt: relations, terms, documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from bethink.domain.record import LIVE
from bethink.domain.scope import Scope, check_writable
from bethink.errors import DeadlineExceeded, NotFound, StoreError
from bethink.formation.access import reading_fence
from bethink.formation.desk import Desk
from bethink.operations.documents import Document
from bethink.operations.records import Receipt
from bethink.ports.store import Erased, UnitOfWork
from bethink.ports.traces import Lost, TraceStore
from bethink.text.door import check_text
from bethink.upkeep.forget import kept

SECONDS = 5.0


def remove_relation(relation_id: str, desk: Desk) -> Receipt:
    """Take a relation back: nothing of it stays.

    Raises:
        NotFound: no such relation, as far as the caller may know.
        AccessDenied: the caller may read it and not write it.
    """
    wanted = check_text(relation_id, "id", 200)

    def remove(work: UnitOfWork) -> Mapping[str, int]:
        grants = work.grants.of(desk.caller)
        scope = work.associations.readable(reading_fence(desk.caller, grants, LIVE), wanted)
        if scope is None:
            raise NotFound(f"There is no relation {wanted[:60]!r}.")
        check_writable(desk.caller, Scope.parse(scope), grants)
        work.event("relation.retracted", wanted, {"scope": scope})
        return work.associations.remove_relations([wanted])

    return purged(desk, [wanted], remove)


def remove_term(name: str, desk: Desk) -> Receipt:
    """Remove the terms of a name that the caller reads, with all their names and relations.

    Raises:
        NotFound: no such term, as far as the caller may know.
        AccessDenied: the caller may read one and not write it; nothing was removed.
    """
    wanted = check_text(name, "term", 200)
    ids: list[str] = []

    def remove(work: UnitOfWork) -> Mapping[str, int]:
        grants = work.grants.of(desk.caller)
        found = work.associations.named(reading_fence(desk.caller, grants, LIVE), wanted)
        if not found:
            raise NotFound(f"There is no term {wanted[:60]!r}.")
        for term in found:
            check_writable(desk.caller, Scope.parse(term.scope), grants)
            work.event("term.removed", term.id, {"scope": term.scope})
        ids.extend(term.id for term in found)
        return work.associations.remove_terms(ids)

    return purged(desk, ids, remove)


def remove_document(given: str, desk: Desk, traces: TraceStore) -> Receipt:
    """Remove a document, by its id or its source, with all that was made of it, and what traces hold of it.

    The traces of searches that showed or considered a passage of it lose their words, and so does every question that
    says a word which stood in nothing else.

    Raises:
        NotFound: no such document, as far as the caller may know, or several owners have one from that source.
        AccessDenied: the caller may read it and not write it; nothing was removed.
    """
    wanted = check_text(given, "document", 1_000)
    gone: list[Document] = []
    words: list[frozenset[str]] = []

    def remove(work: UnitOfWork) -> Mapping[str, int]:
        grants = work.grants.of(desk.caller)
        fence = reading_fence(desk.caller, grants, LIVE)
        found = [one for one in work.documents.documents(fence) if wanted in {one.id, one.source}]
        if len(found) != 1:
            raise NotFound(f"There is no one document {wanted[:100]!r}.", remedy="List them, and name one by its id.")
        check_writable(desk.caller, Scope.parse(found[0].scope), grants)
        gone.extend(found)
        words.append(work.documents.lost([found[0].id]))
        work.event("document.forgotten", found[0].id, {"scope": found[0].scope, "passages": found[0].passages})
        return work.documents.remove([found[0].id])

    erased = desk.store.purge(desk.tenant, remove, desk.clock.now(), deadline=SECONDS)
    named = [f"{one.id}#{number}" for one in gone for number in range(1, one.passages + 1)]
    cleared, problem = _clear_traces(desk, traces, named, replace(erased.lost, terms=frozenset().union(*words)))
    removed = {**erased.rows, "traces": cleared} if cleared else erased.rows
    erased = replace(
        erased, rows=removed, complete=erased.complete and not problem, remains=(*erased.remains, *problem)
    )
    return _receipt(desk, [one.id for one in gone], erased)


def remove_beside(ids: Sequence[str], desk: Desk, traces: TraceStore, seconds: float) -> Erased:
    """Remove whatever documents, terms and relations these ids name, whosever they are, and what traces hold of them.

    Raises:
        StoreError, DeadlineExceeded: nothing was removed.
    """
    named: list[str] = []
    words: list[frozenset[str]] = []

    def remove(work: UnitOfWork) -> Mapping[str, int]:
        named.extend(one.id for one in work.documents.cited(ids))
        words.append(work.documents.lost(ids) if named else frozenset())
        rows = Counter(work.documents.remove(ids))
        rows.update(work.associations.remove_relations(ids))
        rows.update(work.associations.remove_terms(ids))
        if +rows:
            work.event("memory.forgotten", ids[0], {"mode": "erase", "ids": list(ids)})
        return rows

    erased = desk.store.purge(desk.tenant, remove, desk.clock.now(), deadline=seconds)
    if not named:
        return erased
    cleared, problem = _clear_traces(desk, traces, named, replace(erased.lost, terms=frozenset().union(*words)))
    rows = {**erased.rows, "traces": cleared} if cleared else erased.rows
    return replace(erased, rows=rows, complete=erased.complete and not problem, remains=(*erased.remains, *problem))


def _clear_traces(desk: Desk, traces: TraceStore, named: Sequence[str], lost: Lost) -> tuple[int, tuple[str, ...]]:
    """Clear the traces that name passages or ask with lost words: how many, what could not be cleared and why."""
    try:
        return traces.erase(desk.tenant, named, lost=lost, deadline=SECONDS), ()
    except (StoreError, DeadlineExceeded) as error:
        return 0, (f"traces that show it or ask with its words ({error.code})",)


def purged(desk: Desk, ids: Sequence[str], remove: Callable[[UnitOfWork], Mapping[str, int]]) -> Receipt:
    """Remove rows and every copy of their bytes within reach; the receipt says what was removed and what remains."""
    return _receipt(desk, ids, desk.store.purge(desk.tenant, remove, desk.clock.now(), deadline=SECONDS))


def _receipt(desk: Desk, ids: Sequence[str], done: Erased) -> Receipt:
    """What was removed, and what remains, in its place in the chain."""
    receipt = Receipt(
        operation="erase",
        ids=tuple(ids),
        derived=(),
        sources=(),
        removed=dict(done.rows),
        complete=done.complete,
        remains=done.remains,
        at=desk.clock.now(),
        digest="",
    )
    return kept(receipt, desk)
