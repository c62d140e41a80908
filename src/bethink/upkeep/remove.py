"""Remove what is no record, whole and with a receipt: relations, terms, documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from bethink.domain.record import LIVE
from bethink.domain.scope import Scope, check_writable
from bethink.errors import InvalidInput, NotFound
from bethink.formation.access import reading_fence
from bethink.formation.desk import Desk
from bethink.operations.documents import Document
from bethink.operations.records import Receipt
from bethink.ports.files import FileReader
from bethink.ports.store import Erased, Snapshot, UnitOfWork
from bethink.ports.traces import TraceStore
from bethink.text.door import check_text
from bethink.upkeep.clear_traces import clear_traces
from bethink.upkeep.forget import kept

SECONDS = 5.0
"""How long a removal may take."""

Remove = Callable[[UnitOfWork], Mapping[str, int]]
"""Removes rows in a transaction; how many of each kind."""

STAYS = "the document: repeat the call to finish"


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


def remove_document(given: str, desk: Desk, traces: TraceStore, files: FileReader | None = None) -> Receipt:
    """Remove a document, by its id, source or path, with all that was made of it, and what traces hold of it.

    The traces of searches that showed or considered a passage of it lose their words, and so does every question that
    says a word which stood in nothing else. While they cannot be cleared, the document stays, and a repeat finishes it.

    Raises:
        NotFound: no such document, as far as the caller may know, or several owners have one from that source.
        AccessDenied: the caller may read it and not write it; nothing was removed.
    """
    wanted = check_text(given, "document", 1_000)
    with desk.store.snapshot(desk.tenant) as snapshot:
        item = _writable(snapshot, desk, wanted, files).id

    def remove(work: UnitOfWork) -> Mapping[str, int]:
        found = _writable(work, desk, item)
        work.event("document.forgotten", item, {"scope": found.scope, "passages": found.passages})
        return work.documents.remove([item])

    return _receipt(desk, [item], _whole(*removed_with_traces([item], desk, traces, remove, SECONDS)))


def remove_beside(ids: Sequence[str], desk: Desk, traces: TraceStore, seconds: float) -> Erased:
    """Remove whatever documents, terms and relations these ids name, whosever they are, and what traces hold of them.

    Raises:
        StoreError, DeadlineExceeded: nothing was removed.
    """

    def remove(work: UnitOfWork) -> Mapping[str, int]:
        rows = Counter(work.documents.remove(ids))
        rows.update(work.associations.remove_relations(ids))
        rows.update(work.associations.remove_terms(ids))
        if +rows:
            work.event("memory.forgotten", ids[0], {"mode": "erase", "ids": list(ids)})
        return rows

    return _whole(*removed_with_traces(ids, desk, traces, remove, seconds))


def removed_with_traces(
    ids: Sequence[str], desk: Desk, traces: TraceStore, remove: Remove, seconds: float
) -> tuple[Erased, tuple[str, ...]]:
    """Clear the traces of documents, then remove these and whatever else `remove` does, then clear late traces.

    Nothing is removed while traces cannot be cleared: what they hold could not be told afterwards. With what was
    removed comes which traces could not be cleared.
    """
    with desk.store.snapshot(desk.tenant) as snapshot:
        named = [one.id for one in snapshot.documents.cited(ids)]
        words = snapshot.documents.lost(ids) if named else frozenset()
    if not named:
        return desk.store.purge(desk.tenant, remove, desk.clock.now(), deadline=seconds), ()
    lost = replace(desk.store.lost(desk.tenant, (), deadline=seconds), terms=words)
    cleared, why = clear_traces(traces, desk.tenant, named, lost, seconds)
    if why:
        return Erased({}, complete=False, lost=lost, remains=(STAYS,)), _left(why)

    def told(work: UnitOfWork) -> Mapping[str, int]:
        nonlocal words
        words |= work.documents.lost(ids)
        return remove(work)

    erased = desk.store.purge(desk.tenant, told, desk.clock.now(), deadline=seconds)
    late, why = clear_traces(traces, desk.tenant, named, replace(erased.lost, terms=words), seconds)
    rows = {**erased.rows, "traces": cleared + late} if cleared + late else erased.rows
    return replace(erased, rows=rows), _left(why)


def _whole(erased: Erased, problem: tuple[str, ...]) -> Erased:
    """What was removed, complete where no trace is left over."""
    return replace(erased, complete=erased.complete and not problem, remains=(*erased.remains, *problem))


def _writable(source: Snapshot | UnitOfWork, desk: Desk, wanted: str, files: FileReader | None = None) -> Document:
    """The one document of an id or source, or of a path as it is kept, when the caller may write it."""
    grants = source.grants.of(desk.caller)
    known = source.documents.documents(reading_fence(desk.caller, grants, LIVE))
    found = [one for one in known if wanted in {one.id, one.source}]
    path = _path(wanted, files) if files is not None and not found else None
    found = found or [one for one in known if one.source == path]
    if len(found) != 1:
        raise NotFound(f"There is no one document {wanted[:100]!r}.", remedy="List them, and name one by its id.")
    check_writable(desk.caller, Scope.parse(found[0].scope), grants)
    return found[0]


def _path(given: str, files: FileReader) -> str | None:
    """The path a file is kept under, None where there is none."""
    try:
        return files.root(given)
    except InvalidInput:
        return None


def _left(why: str) -> tuple[str, ...]:
    """The traces that could not be cleared, as a receipt says it; none without a reason."""
    return (f"traces that show it or ask with its words ({why})",) if why else ()


def purged(desk: Desk, ids: Sequence[str], remove: Remove) -> Receipt:
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
