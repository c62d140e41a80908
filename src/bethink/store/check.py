"""Check a store against its own rules, and rebuild what can be derived. Neither ever drops a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bethink.domain.record import content_digest
from bethink.errors import StoreCorrupt, StoreNewer
from bethink.operations.upkeep import CheckResult, Finding, RepairResult
from bethink.store.cards import stored_cards
from bethink.store.database import Connection, Database, Row
from bethink.store.index import SearchIndex
from bethink.store.jobs import Scrubs
from bethink.store.passages import rebuild_passage_words
from bethink.store.receipts import check_receipts
from bethink.store.screens import screen_anew

_PAGE = 1_000
_SHOWN = 3
_TRUTH = {
    "check_open_spans": ("status_event", "records or turns without exactly one open standing"),
    "check_span_order": ("status_event", "records or turns whose standings leave a gap or overlap"),
    "check_words": ("entry", "entries without their words"),
    "check_entries": ("entry", "words without their entry"),
    "check_heads": ("record", "records that do not point to their one live version"),
    "check_facts": ("record", "records that state one fact at the same time as another"),
    "check_documents": ("document", "documents that their passages do not cover"),
    "check_positions": ("tenant", "counters that lie before what was written"),
}
_DERIVED = {
    "check_sessions": ("session", "sessions whose next place is taken"),
    "check_satellites": ("record", "counters, sources, links or names without their owner"),
    "check_filings": ("taxonomy_filing", "filings without their record, turn or node"),
    "check_associations": ("relation", "relations or names without their term"),
    "check_passages": ("passage", "documents with passages, words or vectors of nobody's"),
    "check_vectors": ("vector", "vectors or waiting entries without their owner"),
    "check_nodes": ("text_node", "entries whose nodes are torn"),
    "check_embedding": ("vector", "entries that neither have a vector nor wait for one"),
}
_REPAIRS = (
    "repair_usage",
    "repair_support",
    "repair_links",
    "repair_lineage",
    "repair_conflicts",
    "repair_aliases",
    "repair_filings",
    "repair_pairs",
    "repair_sections",
    "repair_snapshots",
    "repair_relations",
    "repair_terms",
    "repair_passages",
    "repair_passage_vectors",
    "repair_passage_waiting",
    "repair_passage_pending",
    "repair_merges",
    "repair_profiles",
    "repair_vectors",
    "repair_pending",
    "repair_embedding",
    "repair_torn",
    "repair_nodes",
    "repair_sessions",
)


def check_store(database: Database, index: SearchIndex) -> CheckResult:
    """Compare a store with its own rules, every tenant, in one snapshot; changes nothing."""
    counts: Counter[str] = Counter()
    space: Row | None = None
    pending = 0
    with database.reading() as on:
        findings = list(_damage(database, on))
        if not findings:
            findings += _ledger(database, on)
            space = on.row("active_space")
            pending = on.rows("count_pending", space=space[0])[0][0] if space else 0
            tenants = [row[0] for row in on.rows("list_tenants")]
            counts.update(dict(on.rows("count_rows", tenant="")))  # a store without tenants holds none of each
            unfinished = list(_unfinished(on))
            broken: dict[str, list[str]] = {}
            contents: list[Finding] = []
            words: list[Finding] = []
            for tenant in tenants:
                on.enter(tenant)
                counts.update(dict(on.rows("count_rows", tenant=tenant)))
                _rules(on, tenant, broken)
                contents += [*_contents(on, tenant), *check_receipts(on, tenant)]
                words += _index(on, index, tenant)
            findings += [*_broken(broken), *contents, *_outdated(on, index), *words, *unfinished]
    return CheckResult(
        findings=tuple(findings),
        counts=dict(counts),
        schema=database.schema,
        engine=database.engine,
        space=space[0] if space else None,
        embedding_pending=pending,
        traces_waiting=0,
    )


def repair_store(database: Database, index: SearchIndex) -> RepairResult:
    """Rebuild derived state from the records, one tenant a transaction; never drops a record.

    Raises:
        StoreCorrupt: the database itself is damaged; nothing was changed.
    """
    with database.reading() as on:
        damage = [finding.text for finding in _damage(database, on)]
        tenants = [row[0] for row in on.rows("list_tenants")] if not damage else []
    if damage:
        raise StoreCorrupt(f"The file is damaged and cannot be repaired from within: {damage[0]}.")
    rebuilt: Counter[str] = Counter()
    for tenant in tenants:
        with database.writing(tenant=tenant) as on:
            rebuilt.update({query.removeprefix("repair_"): on.run(query, tenant=tenant) for query in _REPAIRS})
            rebuilt.update(index.rebuild(on, tenant, stored_cards(on, tenant)))
            rebuilt["passage words"] += rebuild_passage_words(on, tenant, index.language)
        rebuilt["screens"] += screen_anew(database, tenant)
    with database.writing() as on:
        index.finish_rebuild(on)
    index.forget_caches()
    return RepairResult({part: n for part, n in rebuilt.items() if n}, check_store(database, index).findings)


def _damage(database: Database, on: Connection) -> Iterator[Finding]:
    """What the engine finds in its own pages."""
    for line in database.damage(on):
        yield Finding("database", f"the engine reports damage: {line}", repairable=False)


def _ledger(database: Database, on: Connection) -> Iterator[Finding]:
    """Migrations that are not the ones this version knows."""
    try:
        left = database.missing(on)
    except (StoreCorrupt, StoreNewer) as error:
        yield Finding("meta", error.message, repairable=False)
        return
    for name in left:
        yield Finding("meta", f"migration {name} is missing", repairable=False)


def _rules(on: Connection, tenant: str, broken: dict[str, list[str]]) -> None:
    """Note under each rule what of a tenant breaks it."""
    for query in (*_TRUTH, *_DERIVED):
        for _, item in on.rows(query, tenant=tenant):
            broken.setdefault(query, []).append(f"{tenant}/{item}")


def _broken(broken: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """What does not hold between the tables, a finding a rule."""
    for rules, repairable in ((_TRUTH, False), (_DERIVED, True)):
        for query, (place, words) in rules.items():
            items = broken.get(query, ())
            if items:
                count = f"{len(items)} or more" if len(items) >= 100 else str(len(items))
                yield Finding(place, f"{count} {words}: {', '.join(items[:_SHOWN])}", repairable=repairable)


def _contents(on: Connection, tenant: str) -> Iterator[Finding]:
    """Words that are no longer those whose hash was taken when they were written."""
    after = 0
    while rows := on.rows("read_words", tenant=tenant, after=after, limit=_PAGE):
        for _, record_id, digest, text in rows:
            if text is not None and content_digest(text) != digest:
                yield Finding("content", f"the words of {tenant}/{record_id} have changed", repairable=False)
        after = rows[-1][0]


def _outdated(on: Connection, index: SearchIndex) -> Iterator[Finding]:
    """Whether all words of the index are another analyser's."""
    if reason := index.outdated(on):
        yield Finding("postings", reason, repairable=True)


def _index(on: Connection, index: SearchIndex, tenant: str) -> Iterator[Finding]:
    """What the search index finds about itself, unless all its words are another analyser's."""
    if not index.outdated(on):
        for flaw in index.check(on, tenant, stored_cards(on, tenant)):
            yield Finding(flaw.place, f"{tenant}/{flaw.text}", repairable=True)


def _unfinished(on: Connection) -> Iterator[Finding]:
    """Erases whose bytes may still lie in free pages."""
    waiting = Scrubs(on).waiting()
    if waiting:
        yield Finding("job", f"{waiting} erases have not reached the file's free pages yet", repairable=True)
