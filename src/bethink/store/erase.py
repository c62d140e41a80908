"""Physical erase: remove every row that holds the words of records and turns, or was derived from them.

Rows go in one transaction; of each record one deleted span stays, which holds no words. Then the file is written anew
and its log cut: a deleted row can leave copies of itself in the free middle of a page even with secure deletion on,
since the engine moves rows between pages without clearing where they stood. A job row remembers that the second step is
due, in the same transaction as the first, so an erase that was interrupted is finished later and never taken for
complete.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence

from bethink.domain.record import StatusSpan
from bethink.domain.time import FOREVER
from bethink.store import codec
from bethink.store.associations import erase_resting
from bethink.store.context import Writing
from bethink.store.failures import decoding
from bethink.store.index import SearchIndex
from bethink.store.predicate import array

_BY_ID = {
    "records": "erase_records",
    "usage": "erase_usage",
    "sources": "erase_support",
    "links": "erase_links",
    "lineage": "erase_lineage",
    "descent": "erase_descent",
    "conflicts": "erase_conflicts",
    "statuses": "erase_spans",
    "answers": "erase_answers",
    "filings": "erase_filings",
    "profiles": "erase_profile",
    "rejections": "erase_rejections",
    "pairs": "erase_pairs",
    "sections": "erase_sections",
    "lines": "erase_snapshot_lines",
}
_BY_KEY = {"versions": "erase_versions", "turns": "erase_turns", "entries": "erase_entries", "nodes": "erase_nodes"}


def erase_rows(writing: Writing, index: SearchIndex, ids: Sequence[str], tombstone: StatusSpan) -> dict[str, int]:
    """Remove the rows of these records and turns, in the caller's transaction.

    Args:
        writing: the transaction.
        index: the search index, told to forget them.
        ids: records and turns; unknown ones are passed over.
        tombstone: the deleted span that stays.

    Returns:
        how many rows went, per kind; kinds without any are left out.
    """
    on, tenant = writing.connection, writing.tenant
    found = on.rows("erasable", tenant=tenant, ids=array(ids))
    if not found:
        return {}
    known = array(dict.fromkeys(row[0] for row in found))
    keys = array(row[1] for row in found)
    about = {"tenant": tenant, "ids": known}
    places = on.rows("scope_of_span", forever=FOREVER, **about)
    entities = [row[0] for row in on.rows("linked_entities", **about)]
    counted = on.row("count_erased_vectors", tenant=tenant, keys=keys)
    positions = [row[0] for row in on.rows("erased_positions", **about)]
    _forget(writing, index, [(row[2], row[1]) for row in found])
    rows = {kind: on.run(query, tenant=tenant, keys=keys) for kind, query in _BY_KEY.items()}
    rows |= {"vectors": counted[0] if counted else 0, "quotes": _erase_quotes(writing, known)}
    rows |= {kind: on.run(query, **about) for kind, query in _BY_ID.items()}
    for scope in sorted({row[2] for row in found}):
        index.reseal(on, (tenant, scope), positions)
    rows["entities"] = _erase_entities(writing, entities)
    rows |= erase_resting(writing, known)
    for record_id, scope in places:
        values = codec.span_values(tombstone)
        writing.stands(record_id, tombstone.status, None, None)
        on.run("add_span", tenant=tenant, id=record_id, position=writing.take(), scope=scope, **values)
    return {kind: count for kind, count in rows.items() if count}


def digests(writing: Writing, ids: Sequence[str]) -> tuple[str, ...]:
    """The content hashes of every version of these records and turns."""
    rows = writing.connection.rows("erasable", tenant=writing.tenant, ids=array(ids))
    return tuple(dict.fromkeys(row[3] for row in rows))


def _forget(writing: Writing, index: SearchIndex, places: Sequence[tuple[str, int]]) -> None:
    """Take them out of the search index, a scope at a time."""
    by_scope: dict[str, list[int]] = defaultdict(list)
    for scope, key in places:
        by_scope[scope].append(key)
    for scope, keys in by_scope.items():
        index.remove(writing.connection, writing.tenant, scope, keys)
        index.remove_vectors(writing.connection, writing.tenant, scope, keys)


def _erase_quotes(writing: Writing, ids: str) -> int:
    """Blank the quotes other records took from erased turns; how many."""
    gone, count = set(json.loads(ids)), 0
    for key, text in writing.connection.rows("quotes_of", tenant=writing.tenant, ids=ids):
        if _quoted(text) in gone:
            count += writing.connection.run("erase_quote", tenant=writing.tenant, key=key)
    return count


def _quoted(text: str) -> str | None:
    """The turn that a stored quote stands in."""
    with decoding():
        found = codec.evidence(text)
    return None if found is None else found.turn_id


def _erase_entities(writing: Writing, linked: Sequence[str]) -> int:
    """Remove the entities that nothing speaks of any more, confirmed or not, with their names; how many.

    Where one stood for others that something speaks of, the first of these stands for them from now on.
    """
    about = {"tenant": writing.tenant}
    on = writing.connection
    orphans = on.rows("orphaned_entities", ids=array(linked), **about)
    gone = array(row[0] for row in orphans)
    on.run("erase_merges", ids=gone, **about)
    for entity, kind, heir in on.rows("orphaned_entities", ids=gone, **about):
        if heir is not None:
            _hand_on(writing, (entity, kind), heir)
    for query in ("erase_aliases", "erase_profiles", "erase_hints"):
        on.run(query, ids=gone, **about)
    return on.run("erase_entities", ids=gone, **about)


def _hand_on(writing: Writing, gone: tuple[str, str], heir: str) -> None:
    """Let another entity stand for what was merged into one (id, kind), itself among it, as vouched for as that was."""
    entity, kind = gone
    on, pair = writing.connection, {"tenant": writing.tenant, "id": entity, "into": heir}
    on.run("erase_merges", tenant=writing.tenant, ids=array([heir]))
    on.run("point_on", **pair)
    on.run("hand_on_profiles", **pair)
    on.run("confirm_entity", tenant=writing.tenant, id=heir, kind=kind)
