"""Passes over pairs: find those of what was written since, decide about near ones, and about those in tension."""

from __future__ import annotations

from bethink.domain.record import Record
from bethink.domain.scope import Scope
from bethink.formation.contradict import contradict
from bethink.formation.desk import Desk
from bethink.formation.pair_questions import BATCH
from bethink.formation.pair_review import review
from bethink.formation.pairs import Neighbourhood, pair_of, pairs_of
from bethink.operations.upkeep import PassReport
from bethink.ports.embedder import sound
from bethink.ports.pairs import FreshRecord, RecordPair
from bethink.text.template import belief_text

MARK = "pairs"


def run_pairs(desk: Desk, limit: int) -> PassReport:
    """Note which records written since the last pass may say the same as others, or contradict them.

    Without an embedder nothing is alike, and nothing is looked at. Repeating it notes nothing twice.

    Raises:
        EmbedderError: the model cannot answer; nothing was noted.
        StoreError, DeadlineExceeded: the store cannot be read or written.
    """
    if desk.embedder is None or desk.space is None:
        return PassReport(0)
    with desk.store.snapshot(desk.tenant) as snapshot:
        after, until = snapshot.marks.get(MARK), snapshot.position
        fresh = snapshot.pairs.fresh(after, until, limit)
        now = max(desk.clock.now(), snapshot.latest or desk.clock.now())
        around = Neighbourhood(snapshot, desk.tenant, desk.space, now, desk.calibration)
        records = _records(around, fresh)
        texts = [belief_text(record.content.subject, record.content.text) for record in records]
        vectors = sound(desk.embedder.embed_documents(texts), desk.embedder.spec, len(texts)) if texts else None
        found: dict[tuple[str, str], RecordPair] = {}
        for row, record in enumerate(records):
            if vectors is None:
                break
            alike = [desk.calibration.read(float(vectors[at] @ vectors[row])) for at in range(row)]
            near = [pair_of(record, other, cosine) for other, cosine in zip(records, alike, strict=False)]
            for pair in (*pairs_of(record, vectors[row], around), *near):
                if pair is not None:
                    found.setdefault((pair.first, pair.second), pair)
    more = len(fresh) == limit
    reached = fresh[-1].key if more else until
    noted = {"near": 0, "tension": 0}
    if reached > after:
        with desk.store.write(desk.tenant) as work:
            for _, pair in sorted(found.items()):
                noted[pair.kind] += work.pairs.note(pair, work.recorded_at)
            work.marks.put(MARK, reached)
    return PassReport(len(fresh), noted, more)


def run_review(desk: Desk, limit: int) -> PassReport:
    """Decide about pairs that say nearly the same, ten at a time; run it again while the report says `more`.

    Raises:
        AdviserError: the judge that was handed in cannot answer.
        StoreError, DeadlineExceeded: a write did not happen; decisions before stay.
    """
    looked, counts = review(desk, limit)
    return PassReport(looked, counts, looked == min(limit, BATCH))


def run_contradictions(desk: Desk, limit: int) -> PassReport:
    """Label pairs in tension, ten at a time, and settle what contradicts; run it again while it says `more`.

    Raises:
        AdviserError: the judge that was handed in cannot answer.
        StoreError, DeadlineExceeded: a write did not happen; decisions before stay.
    """
    looked, counts = contradict(desk, limit)
    return PassReport(looked, counts, looked == min(limit, BATCH))


def _records(around: Neighbourhood, fresh: tuple[FreshRecord, ...]) -> list[Record]:
    """The fresh records that still hold, in their order."""
    found: list[Record] = []
    for item in fresh:
        fence = around.fence(Scope.parse(item.scope), item.project)
        found += around.snapshot.records.get(fence, (item.id,))
    return found
