"""Check a store against its own rules, and rebuild what can be derived. Neither ever drops a record."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from bethink.domain.record import content_digest
from bethink.errors import StoreCorrupt, StoreNewer
from bethink.operations.upkeep import CheckResult, Finding, RepairResult
from bethink.store.cards import stored_cards
from bethink.store.connection import SqliteConnection
from bethink.store.index import SearchIndex
from bethink.store.jobs import SCRUB, Jobs
from bethink.store.migrate import missing
from bethink.store.sqlite import SqliteFile

_PAGE = 1_000
_SHOWN = 3
_TRUTH = {
    "check_open_spans": ("status_event", "records or turns without exactly one open standing"),
    "check_span_order": ("status_event", "records or turns whose standings leave a gap or overlap"),
    "check_words": ("entry", "entries without their words"),
    "check_entries": ("entry", "words without their entry"),
    "check_heads": ("record", "records that do not point to their one live version"),
    "check_facts": ("record", "records that state one fact at the same time as another"),
    "check_positions": ("tenant", "counters that lie before what was written"),
}
_DERIVED = {
    "check_sessions": ("session", "sessions whose next place is taken"),
    "check_satellites": ("record", "counters, sources, links or names without their owner"),
    "check_vectors": ("vector", "vectors or waiting entries without their owner"),
    "check_embedding": ("vector", "entries that neither have a vector nor wait for one"),
}
_REPAIRS = (
    "repair_usage",
    "repair_support",
    "repair_links",
    "repair_lineage",
    "repair_conflicts",
    "repair_aliases",
    "repair_vectors",
    "repair_pending",
    "repair_embedding",
    "repair_sessions",
)


def check_store(file: SqliteFile, index: SearchIndex) -> CheckResult:
    """Compare a store with its own rules, every tenant, in one snapshot; changes nothing."""
    with file.reading() as on:
        damage = tuple(_damage(on))
        findings = damage or (*_ledger(file, on), *_rules(on), *_contents(on), *_index(on, index), *_unfinished(on))
        space = None if damage else on.row("active_space")
        counts: dict[str, int] = {} if damage else dict(on.rows("count_rows"))
        pending = on.row("count_pending", space=space[0]) if space else None
    return CheckResult(
        findings=findings,
        counts=counts,
        schema=file.steps[-1].number,
        engine=f"SQLite {apsw.sqlite_lib_version()}",
        space=space[0] if space else None,
        embedding_pending=pending[0] if pending else 0,
        traces_waiting=0,
    )


def repair_store(file: SqliteFile, index: SearchIndex) -> RepairResult:
    """Rebuild derived state from the records, one tenant a transaction; never drops a record.

    Raises:
        StoreCorrupt: the file itself is damaged; nothing was changed.
    """
    with file.reading() as on:
        damage = [finding.text for finding in _damage(on)]
        tenants = [row[0] for row in on.rows("list_tenants")] if not damage else []
    if damage:
        raise StoreCorrupt(f"The file is damaged and cannot be repaired from within: {damage[0]}.")
    rebuilt: dict[str, int] = {}
    with file.writing() as on:
        for query in _REPAIRS:
            rebuilt[query.removeprefix("repair_")] = on.run(query)
    for tenant in tenants:
        with file.writing() as on:
            for part, count in index.rebuild(on, tenant, stored_cards(on, tenant)).items():
                rebuilt[part] = rebuilt.get(part, 0) + count
    with file.writing() as on:
        index.finish_rebuild(on)
    index.forget_caches()
    return RepairResult({part: count for part, count in rebuilt.items() if count}, check_store(file, index).findings)


def _damage(on: SqliteConnection) -> Iterator[Finding]:
    """What the engine finds in its own pages."""
    try:
        told = on.handle.pragma("integrity_check")
    except apsw.Error as error:
        told = str(error)
    for line in [told] if isinstance(told, str) else [row[0] for row in told]:
        if line != "ok":
            yield Finding("database", f"the engine reports damage: {line}", repairable=False)


def _ledger(file: SqliteFile, on: SqliteConnection) -> Iterator[Finding]:
    """Migrations that are not the ones this version knows."""
    try:
        left = missing(on, file.steps)
    except (StoreCorrupt, StoreNewer) as error:
        yield Finding("meta", error.message, repairable=False)
        return
    for step in left:
        yield Finding("meta", f"migration {step.name} is missing", repairable=False)


def _rules(on: SqliteConnection) -> Iterator[Finding]:
    """What does not hold between the tables."""
    for rules, repairable in ((_TRUTH, False), (_DERIVED, True)):
        for query, (place, words) in rules.items():
            rows = on.rows(query)
            if rows:
                shown = ", ".join(f"{tenant}/{item}" for tenant, item in rows[:_SHOWN])
                count = f"{len(rows)} or more" if len(rows) >= 100 else str(len(rows))
                yield Finding(place, f"{count} {words}: {shown}", repairable=repairable)


def _contents(on: SqliteConnection) -> Iterator[Finding]:
    """Words that are no longer those whose hash was taken when they were written."""
    for (tenant,) in on.rows("list_tenants"):
        after = 0
        while rows := on.rows("read_words", tenant=tenant, after=after, limit=_PAGE):
            for _, record_id, digest, text in rows:
                if text is not None and content_digest(text) != digest:
                    yield Finding("content", f"the words of {tenant}/{record_id} have changed", repairable=False)
            after = rows[-1][0]


def _index(on: SqliteConnection, index: SearchIndex) -> Iterator[Finding]:
    """What the search index finds about itself, unless it knows already that all its words are another analyser's."""
    if reason := index.outdated(on):
        yield Finding("postings", reason, repairable=True)
        return
    for (tenant,) in on.rows("list_tenants"):
        for flaw in index.check(on, tenant, stored_cards(on, tenant)):
            yield Finding(flaw.place, f"{tenant}/{flaw.text}", repairable=True)


def _unfinished(on: SqliteConnection) -> Iterator[Finding]:
    """Erases whose bytes may still lie in free pages."""
    waiting = Jobs(on).waiting(SCRUB)
    if waiting:
        yield Finding("job", f"{waiting} erases have not reached the file's free pages yet", repairable=True)
