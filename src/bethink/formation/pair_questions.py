"""A batch of pairs: claimed by one worker, and loaded, so that a judge can be asked outside any transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, Record
from bethink.domain.scope import Scope, Sensitivity
from bethink.formation.desk import Desk
from bethink.formation.timeline import moment
from bethink.ports.advice import PairQuestion, Side
from bethink.ports.pairs import PairKind, RecordPair
from bethink.ports.store import Snapshot, UnitOfWork

BATCH = 10
"""Pairs a judge is asked about at once (C39)."""

LEASE = timedelta(minutes=10)
"""How long a claim holds; a worker that died loses its pairs then."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A pair with its records, the older statement first."""

    pair: RecordPair
    a: Record
    b: Record

    @property
    def question(self) -> PairQuestion:
        """What a judge is asked."""
        return PairQuestion(_side(self.a), _side(self.b), self.pair.cosine)


def claimed(desk: Desk, kind: PairKind, limit: int) -> tuple[Loaded, ...]:
    """Up to ten pairs that nobody else decides about meanwhile; those of which one is gone are settled as void."""
    with desk.store.write(desk.tenant) as work:
        at = work.recorded_at
        pairs = work.pairs.claim(kind, at, at + LEASE, min(limit, BATCH))
        found = loaded(work, desk, pairs)
        kept = {(one.pair.first, one.pair.second) for one in found}
        for pair in pairs:
            if (pair.first, pair.second) not in kept:
                work.pairs.decide(pair, "void", "rules", at)
    return found


def loaded(source: Snapshot | UnitOfWork, desk: Desk, pairs: Sequence[RecordPair]) -> tuple[Loaded, ...]:
    """The pairs whose records are both live."""
    ids = list(dict.fromkeys(item for pair in pairs for item in (pair.first, pair.second)))
    records = _live(source, desk, ids)
    made = []
    for pair in pairs:
        if pair.first in records and pair.second in records:
            a, b = sorted((records[pair.first], records[pair.second]), key=_age)
            made.append(Loaded(pair, a, b))
    return tuple(made)


def unchanged(work: UnitOfWork, desk: Desk, one: Loaded) -> bool:
    """Whether both records are still what the judge saw."""
    now = _live(work, desk, [one.a.id, one.b.id])
    return {item: record.key for item, record in now.items()} == {one.a.id: one.a.key, one.b.id: one.b.key}


def reach(desk: Desk, record: Record, work: UnitOfWork) -> Fence:
    """What a decision about a record is made against: all of its owner's."""
    return Fence(
        desk.tenant,
        (record.content.scope,),
        Sensitivity.SECRET,
        frozenset({*LIVE}),
        work.recorded_at,
        channel=record.content.channel,
        project=record.content.origin.project,
        timeless=True,
    )


def _live(source: Snapshot | UnitOfWork, desk: Desk, ids: Sequence[str]) -> dict[str, Record]:
    """Live records by id, whoever owns them and wherever they were learned."""
    found: dict[str, Record] = {}
    for item in ids:
        where = source.pairs.place(item)
        if where is not None:
            scope, project = where
            fence = Fence(
                desk.tenant,
                (Scope.parse(scope),),
                Sensitivity.SECRET,
                LIVE,
                desk.clock.now(),
                project=project,
                timeless=True,
            )
            found |= {record.id: record for record in source.records.get(fence, (item,))}
    return found


def _age(record: Record) -> tuple[object, object, str]:
    """The older statement first."""
    return moment(record.content, record.created_at), record.created_at, record.id


def _side(record: Record) -> Side:
    """A record as a judge sees it."""
    content = record.content
    said = moment(content, record.created_at)
    return Side(content.text, content.type, content.subject, content.attribute, content.source.kind.value, said)
