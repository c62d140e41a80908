"""The store over a database: the repositories composed, the same for every engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from bethink.domain.job import NewJob
from bethink.errors import DeadlineExceeded, StoreBusy, StoreFull
from bethink.operations.upkeep import CheckResult, RepairResult
from bethink.ports.clock import Clock
from bethink.ports.ids import Ids
from bethink.ports.store import Erased
from bethink.ports.traces import Lost
from bethink.store.analyser import made_by
from bethink.store.cards import stored_cards
from bethink.store.check import check_store, repair_store
from bethink.store.copying import refuse_unfinished
from bethink.store.database import Database
from bethink.store.index import SearchIndex
from bethink.store.jobs import SCRUB, Scrubs, StoredJobs
from bethink.store.lost import lost_with
from bethink.store.passages import rebuild_passage_words
from bethink.store.screens import screen_anew
from bethink.store.snapshot import StoreSnapshot
from bethink.store.spaces import Spaces
from bethink.store.unit_of_work import StoreUnitOfWork


class DatabaseStore:
    """The `Store` port on one open database, shared by threads and processes."""

    def __init__(self, database: Database, clock: Clock, ids: Ids, index: SearchIndex) -> None:
        """Take the database over; where another analyser made its index of words, build that anew.

        Raises:
            StoreUnfinished: it is the target of a copy that was not finished.
        """
        self.database = database
        self.index = index
        self._clock = clock
        self._ids = ids
        self._vectors: Spaces = Spaces(database, index)
        self._jobs = StoredJobs(database)
        with database.reading() as on:
            refuse_unfinished(on)
            outdated = bool(index.outdated(on))
        if outdated and not self.read_only:
            self._renew_words()

    def _renew_words(self) -> None:
        """Rebuild every tenant's words under this analyser, once and whole, and log it; its own are left alone."""
        with self.database.writing() as on:
            before = made_by(on)
            if before == self.index.analyser:
                return
            for (tenant,) in on.rows("list_tenants"):
                on.enter(tenant)
                work = StoreUnitOfWork(on, tenant, self._clock.now(), self.index)
                rows = self.index.rebuild_words(on, tenant, stored_cards(on, tenant))
                rows["passage words"] = rebuild_passage_words(on, tenant, self.index.language)
                work.event("index.rebuilt", "words", {"before": before, "after": self.index.analyser, **rows})
                work.finish()
            self.index.finish_rebuild(on)

    @property
    def read_only(self) -> bool:
        """Whether the store can be read here and not written."""
        return not self.database.may_write()

    @property
    def vectors(self) -> Spaces:
        """Vectors and their spaces."""
        return self._vectors

    @property
    def jobs(self) -> StoredJobs:
        """Work to do later."""
        return self._jobs

    @contextmanager
    def snapshot(
        self,
        tenant: str,
        *,
        deadline: float | None = None,
        may_lag: bool = False,  # noqa: ARG002 - without a replica nothing lags
    ) -> Iterator[StoreSnapshot]:
        """Open one consistent read; past `deadline` seconds its statements end with `DeadlineExceeded`."""
        with self.database.reading(deadline, tenant=tenant) as connection:
            yield StoreSnapshot(connection, tenant, self.index)

    @contextmanager
    def write(self, tenant: str, *, deadline: float | None = None) -> Iterator[StoreUnitOfWork]:
        """Open one write transaction, waiting fairly for the lock.

        Raises:
            StoreBusy, StoreReadOnly, StoreFull: the write did not happen.
            DeadlineExceeded: the time ran out; nothing was committed.
        """
        with self.database.writing(deadline, tenant=tenant) as connection:
            work = StoreUnitOfWork(connection, tenant, self._clock.now(), self.index)
            yield work
            work.finish()

    def lost(self, tenant: str, ids: Sequence[str], *, deadline: float) -> Lost:
        """What would be lost with these records and turns now; whoever reads the store as it is may be under way."""
        with self.database.reading(deadline, tenant=tenant) as on:
            row = on.row("read_tenant", tenant=tenant)
            lost = lost_with(on, tenant, ids, self.index.language)
            return replace(lost, before=(row[0] if row else 0) + 1)

    def erase(self, tenant: str, ids: Sequence[str], at: datetime, *, deadline: float, more: bool = False) -> Erased:
        """Remove every copy of these records and turns from the truth: rows, index, vectors, answers, log pages.

        Where `more` follows, writing the file anew is left to the last. Incomplete means that the rows are gone for
        every reader and old pages are not: work due since `at`, which the next erase, or `run_due_jobs`, finishes. What
        the database keeps out of reach remains in any case and is named.

        Raises:
            StoreBusy, StoreReadOnly, StoreFull, DeadlineExceeded: nothing was removed.
        """
        lost: list[Lost] = []

        def remove(work: StoreUnitOfWork) -> Mapping[str, int]:
            words = lost_with(work.connection, tenant, ids, self.index.language)
            rows = work.erase(ids)
            lost.append(replace(words, before=work.position))
            return rows

        erased = self.purge(tenant, remove, at, deadline=deadline, more=more)
        return replace(erased, lost=lost[0])

    def purge(
        self,
        tenant: str,
        remove: Callable[[StoreUnitOfWork], Mapping[str, int]],
        at: datetime,
        *,
        deadline: float,
        more: bool = False,
    ) -> Erased:
        """Remove rows as `remove` does and counts them, and every copy of their bytes within reach; as `erase`.

        Raises:
            StoreBusy, StoreReadOnly, StoreFull, DeadlineExceeded: nothing was removed.
        """
        end = self._clock.elapsed() + deadline
        with self.write(tenant, deadline=deadline) as work:
            rows = {kind: count for kind, count in remove(work).items() if count}
            if rows:
                work.jobs.put(NewJob(self._ids.new(work.recorded_at), SCRUB, at))
            position = work.position
        self.index.forget_caches()
        problem = "old pages of the file" if more else self._scrub(max(0.0, end - self._clock.elapsed()))
        none = Lost(frozenset(), (), self.index.language, before=position)
        remains = (f"{problem.rstrip('.')}: `bethink repair` finishes it",) if problem else ()
        return Erased(rows, complete=not problem, lost=none, remains=(*remains, *self.database.beyond))

    def screen_anew(self, tenant: str) -> int:
        """Screen a tenant's texts that the rules of another version found clean; how many."""
        return screen_anew(self.database, tenant)

    def run_due_jobs(self, *, deadline: float) -> bool:
        """Finish what erasing left to do; whether nothing is left."""
        return not self._scrub(deadline)

    def _scrub(self, seconds: float) -> str:
        """Leave no stale bytes behind, when an erase made that due; why it is not done, empty when it is."""
        with self.database.reading() as connection:
            due = Scrubs(connection).ids()
        if not due:
            return ""
        try:
            problem = "" if self.database.rewrite(seconds) else "old pages of the log, which a reader still holds"
        except (StoreBusy, StoreFull, DeadlineExceeded) as error:
            problem = f"old pages of the file: {error.message}"
        with self.database.writing() as connection:
            if problem:
                Scrubs(connection).delay(due, problem)
            else:
                Scrubs(connection).finish(due)
        return problem

    def check(self) -> CheckResult:
        """Compare the store with its own rules, every tenant; changes nothing."""
        return check_store(self.database, self.index)

    def repair(self) -> RepairResult:
        """Rebuild derived state from the records, and finish what erasing left; never drops a record.

        Raises:
            StoreCorrupt: the database itself is damaged; nothing was changed.
        """
        self._scrub(self.database.patience)
        return repair_store(self.database, self.index)

    def backup(self, target: Path) -> None:
        """Copy the store as it is now into a new file; writers and readers go on meanwhile.

        Raises:
            InvalidInput: there is a file at `target`, or the database is copied by its own tools.
        """
        self.database.backup(target)

    def close(self) -> None:
        """Release connections, files and locks; closing twice is harmless."""
        self.database.close()
        self.index.forget_caches()
