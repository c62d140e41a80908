"""A whole store into another database: every row of every tenant as it is, in pages, and where it stopped.

The source is read in one snapshot. Each page is a transaction of the target that moves a cursor in the target's `meta`,
so a copy that was killed goes on with the next page. The cursor stands beside a mark of what the source held: rows of a
source that was written meanwhile are never mixed with older ones. Until all is counted nobody can open the target.

Traces may grow while a copy waits to go on, and never change: they are read from the beginning, and kept ones stay.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from typing import Any

from bethink.errors import InvalidInput, StoreBusy, StoreError, StoreUnfinished
from bethink.operations.copying import CopyResult
from bethink.store.codec import canonical
from bethink.store.database import Connection, Database, Row
from bethink.store.migrate import LEDGER
from bethink.store.tables import TRACES, TRUTH, Table
from bethink.store.traces import TracePlace

_STATE = "copy"
_OWN = ("store_id", _STATE)
"""What of `meta` is the target's own, beside the ledger of its migrations."""

Progress = Callable[[int, int], None]
Counts = Mapping[tuple[str, str], int]
"""Rows by tenant and table."""


@dataclass(frozen=True, slots=True)
class Side:
    """A store without its repositories. `owning` is a write that may set what the store itself is."""

    truth: Database
    traces: TracePlace
    owning: Callable[[], AbstractContextManager[Connection]]


@dataclass(frozen=True, slots=True)
class State:
    """How far a copy is: from which store, marked how, behind which row.

    `at` is (tenant, table, key), empty at first.
    """

    source: str
    mark: str
    at: tuple[Any, ...] = ()
    done: bool = False

    @property
    def text(self) -> str:
        """As it stands in `meta`."""
        return canonical(asdict(self))


@dataclass(frozen=True, slots=True)
class Survey:
    """What the source holds in the snapshot that is copied."""

    state: State
    meta: Mapping[str, str]
    spaces: tuple[Row, ...]
    tenants: tuple[str, ...]
    counts: Counts


def refuse_unfinished(on: Connection) -> None:
    """Pass unless the store is the target of a copy that was not finished.

    Raises:
        StoreUnfinished: it is.
    """
    state = _state(on)
    if state is not None and not state.done:
        raise StoreUnfinished("A copy into this store was begun and not finished.")


def copy_store(source: Side, target: Side, progress: Progress) -> CopyResult:
    """Copy everything of `source` into the empty `target`, or go on where that was interrupted.

    Args:
        source: what is copied; it is only read.
        target: where to.
        progress: told how many rows are copied, and of how many.

    Raises:
        InvalidInput: both are one store, or the target holds something else.
        StoreUnfinished: the source is such a target itself, or was written since the copy began.
        StoreError: another program wrote to the target meanwhile.
    """
    with source.truth.reading() as on:
        survey = _survey(on)
        state = _begin(target, survey)
        resumed = state != survey.state
        if not state.done:
            state = _copy_truth(on, target.truth, (survey, state), progress)
    if not state.done:
        _copy_traces(source, target, survey.tenants)
        _finish(target.truth, survey, state)
    rows = _rows(target, survey.tenants) | {"space": len(survey.spaces)}
    return CopyResult(rows, len(survey.tenants), resumed, source.truth.engine, target.truth.engine)


def _survey(on: Connection) -> Survey:
    """What the source holds, and a mark that is another one after any write.

    Raises:
        StoreUnfinished: the source is a part itself.
    """
    refuse_unfinished(on)
    meta: dict[str, str] = dict(on.rows("list_meta", prefix=""))
    spaces = tuple(on.rows("list_spaces"))
    tenants = tuple(row[0] for row in on.rows("list_tenants"))
    counts = _count(on, tenants)
    held = [[*place, count] for place, count in counts.items()]
    stands = [[tenant, *(_entered(on, tenant).row("read_tenant", tenant=tenant) or ())] for tenant in tenants]
    mark = hashlib.sha256(canonical([held, stands, [row[0] for row in spaces]]).encode()).hexdigest()
    taken = {name: value for name, value in meta.items() if name not in _OWN and not name.startswith(LEDGER)}
    return Survey(State(meta["store_id"], mark), taken, spaces, tenants, counts)


def _begin(target: Side, survey: Survey) -> State:
    """Where the copy goes on; an empty target is made ready for it.

    Raises:
        InvalidInput, StoreUnfinished: this source is not copied into this target.
    """
    with target.owning() as on:
        kept, wanted = _state(on), survey.state
        if on.rows("read_meta", name="store_id") == [(wanted.source,)]:
            raise InvalidInput("Source and target are one store.", remedy="Name another target.")
        if (
            kept is not None
            and (kept.source, kept.mark) == (wanted.source, wanted.mark)
            and (not kept.done or _count(on, survey.tenants) == survey.counts)
        ):
            return kept
        if kept is not None and not kept.done and kept.source == wanted.source:
            raise StoreUnfinished(
                "The source was written since the copy into this target began.",
                remedy="Remove the target and copy again, while nobody writes to the source.",
            )
        if kept is not None or on.rows("list_tenants") or _holds_traces(target, survey.tenants):
            raise InvalidInput("The target holds a store already.", remedy="Name a target that holds nothing yet.")
        on.run("drop_spaces")
        names = ("id", "spec", "canary", "calibration", "state", "created_at")
        on.run_many("copy_space", [dict(zip(names, row, strict=True)) for row in survey.spaces])
        on.run_many("put_meta", [{"name": name, "value": value} for name, value in survey.meta.items()])
        on.run("put_meta", name=_STATE, value=wanted.text)
        return wanted


def _copy_truth(on: Connection, target: Database, plan: tuple[Survey, State], progress: Progress) -> State:
    """Write what is left, a page a transaction; the state behind the last row."""
    survey, state = plan
    total = sum(survey.counts.values())
    done = 0
    passed = bool(state.at)
    for tenant in survey.tenants:
        for table in TRUTH:
            here = (tenant, table.name) == state.at[:2]
            if passed and not here:
                done += survey.counts[tenant, table.name]
                continue
            after, passed = (state.at[2] if here else None), False
            for rows in _pages(_entered(on, tenant), tenant, table, after):
                state = _put(target, state, table, rows)
                done += len(rows)
                progress(done, total)
    return state


def _put(target: Database, state: State, table: Table, rows: list[Row]) -> State:
    """Write a page with the cursor behind it.

    Raises:
        StoreBusy: another copy moved the cursor.
        StoreError: a row is there already.
    """
    tenant = rows[0][0]
    moved = replace(state, at=(tenant, table.name, _key(table, rows[-1])))
    with target.writing(tenant=tenant) as on:
        if on.rows("read_meta", name=_STATE) != [(state.text,)]:
            raise StoreBusy("Another copy writes into the target.", remedy="Let it finish, or end it and copy again.")
        on.run_many(f"copy_table/{table.name}", _bound(table, rows))
        on.run("put_meta", name=_STATE, value=moved.text)
    return moved


def _copy_traces(source: Side, target: Side, tenants: Sequence[str]) -> None:
    """Copy the traces, as far as they are not there.

    Raises:
        StoreError: the target holds others.
    """
    if not source.traces.exists():
        return
    place = target.traces.opened()
    with source.traces.opened().reading() as on:
        recalled = {row[0] for row in on.rows("list_trace_tenants")}
        everyone = sorted(recalled.union(tenants))
        counts = _count(on, everyone, TRACES)
        for tenant, table in ((tenant, table) for tenant in everyone for table in TRACES):
            for rows in _pages(_entered(on, tenant), tenant, table, None):
                with place.writing(target.truth.patience, tenant=tenant) as writer:
                    writer.run_many(f"keep_table/{table.name}", _bound(table, rows))
    with place.reading() as on:
        _compare(counts, _count(on, everyone, TRACES))


def _finish(target: Database, survey: Survey, state: State) -> None:
    """Count what was written, and let programs open the target.

    Raises:
        StoreError: it holds something else than the source.
    """
    with target.reading() as on:
        _compare(survey.counts, _count(on, survey.tenants))
    with target.writing() as on:
        on.run("put_meta", name=_STATE, value=replace(state, done=True).text)


def _rows(side: Side, tenants: Sequence[str]) -> dict[str, int]:
    """How many rows a store has in each table."""
    rows = Counter(dict.fromkeys((table.name for table in (*TRUTH, *TRACES)), 0))
    with side.truth.reading() as on:
        counts = _count(on, tenants)
    if side.traces.exists():
        with side.traces.opened().reading() as on:
            recalled = {row[0] for row in on.rows("list_trace_tenants")}
            counts |= _count(on, sorted(recalled.union(tenants)), TRACES)
    for (_, name), count in counts.items():
        rows[name] += count
    return dict(rows)


def _holds_traces(side: Side, tenants: Sequence[str]) -> bool:
    """Whether recalls are on record, as far as that can be seen."""
    if not side.traces.exists():
        return False
    with side.traces.opened().reading() as on:
        return bool(on.rows("list_trace_tenants")) or any(_count(on, tenants, TRACES).values())


def _pages(on: Connection, tenant: str, table: Table, after: list[Any] | None) -> Iterator[list[Row]]:
    """A tenant's rows of a table behind a key, in pages."""
    about = {"tenant": tenant, "limit": table.page}
    names = [f"after_{name}" for name in table.key.split()]
    rows = (
        on.rows(f"begin_table/{table.name}", **about)
        if after is None
        else on.rows(f"resume_table/{table.name}", **about, **dict(zip(names, after, strict=True)))
    )
    while rows:
        yield rows
        behind = dict(zip(names, _key(table, rows[-1]), strict=True))
        rows = on.rows(f"resume_table/{table.name}", **about, **behind) if len(rows) == table.page else []


def _key(table: Table, row: Row) -> list[Any]:
    """What tells a row from the tenant's others."""
    return [row[table.columns.index(name)] for name in table.key.split()]


def _bound(table: Table, rows: list[Row]) -> list[dict[str, Any]]:
    """Rows by the names of their columns."""
    return [dict(zip(table.columns, row, strict=True)) for row in rows]


def _count(on: Connection, tenants: Sequence[str], tables: tuple[Table, ...] = TRUTH) -> dict[tuple[str, str], int]:
    """How many rows each tenant has in each table."""
    return {
        (tenant, table.name): _entered(on, tenant).rows(f"count_table/{table.name}", tenant=tenant)[0][0]
        for tenant in tenants
        for table in tables
    }


def _compare(counts: Counts, found: Counts) -> None:
    """Pass when both sides count the same.

    Raises:
        StoreError: they do not.
    """
    wrong = [
        f"{found[place]} of {count} rows of {place[1]}" for place, count in counts.items() if found[place] != count
    ]
    if wrong:
        raise StoreError(
            f"The target holds {', '.join(wrong[:5])}: another program wrote to it.",
            remedy="Remove the target and copy again, while nobody uses it.",
        )


def _entered(on: Connection, tenant: str) -> Connection:
    """The connection, speaking of a tenant."""
    on.enter(tenant)
    return on


def _state(on: Connection) -> State | None:
    """What the store notes of a copy into it."""
    row = on.row("read_meta", name=_STATE)
    if row is None:
        return None
    kept = json.loads(row[0])
    return State(kept["source"], kept["mark"], tuple(kept["at"]), kept["done"])
