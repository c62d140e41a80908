"""The arms: ways to find candidates, one after another on one snapshot, under one deadline.

An arm that fails or runs out of time is reported and the answer goes on without it; how deep an arm looks is a
setting and never the number of items asked for. What they found is cut to a pool (`pool`) before it is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bethink.domain.fence import Fence
from bethink.domain.hit import Arm, ArmHit, ArmReport, Candidate
from bethink.domain.query import Query
from bethink.domain.record import Status
from bethink.errors import DeadlineExceeded, EmbedderError
from bethink.operations.recall import RecallRequest
from bethink.ports.embedder import sound
from bethink.ports.search import Matches, leading
from bethink.ports.store import Snapshot
from bethink.recall.lean import leaning
from bethink.recall.lift import Bearings, Covered, lifted
from bethink.recall.outside import nominated_hits, related_hits
from bethink.recall.pool import Beside, Keys, distinct, mixed, pooled
from bethink.recall.profiles import fusion_of
from bethink.recall.reach import LEAST, Near, least_share, within_reach
from bethink.recall.reader import Asked, Mix, Reader, Stopwatch
from bethink.settings import RecallSettings

DEADLINE_SHARE = 0.7
"""The arms' share of the time given; the rest, and not less than `RESERVE`, is for what they found."""

RESERVE = 0.5
"""Seconds that what comes after the arms has at least, however short the time given: a late arm costs itself alone."""

FILED = 500
"""The newest of what is filed under the topics of a question that are looked at."""

MAX_PARTNERS = 32
"""Conflict partners fetched beside the candidates they disagree with."""

OVER = frozenset({Status.SUPERSEDED, Status.EXPIRED})
"""What a live recall does not read because it holds no longer."""

Vector = NDArray[np.float32]
Hidden = Literal["", "filtered", "outdated", "not_searched"]


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What the arms found.

    `reports` are in the order the arms ran. `candidates` are the pooled keys that the truth admits, in key order,
    conflict partners included, `beside` the turns around them; `match` is what each candidate matches, where that is
    known already. `passed_over` counts the keys that found no room in the pool, or were out of reach. `lexical` and
    `dense` keep every match with its score, so that a candidate of one arm, or a turn beside one, can be scored by the
    other, however many survive the fence; `mix` is how the two are mixed, `covered` how much of the question is said in
    each session. `hidden` says what hides all that would be found: ``filtered`` the request's kinds, types, sources,
    times, position or project wall, ``outdated`` that it holds no longer or not yet, ``not_searched`` that an arm was
    late or failed; empty where something was found, or nothing would be. `cut_partners` counts conflict partners past
    the bound.
    """

    reports: tuple[ArmReport, ...]
    candidates: tuple[Candidate, ...]
    beside: Beside
    lexical: Matches | None = None
    dense: Matches | None = None
    mix: Mix = field(default_factory=Mix)
    covered: Covered = field(default_factory=Covered)
    hidden: Hidden = ""
    cut_partners: int = 0
    passed_over: int = 0
    match: NDArray[np.float64] | None = None

    @property
    def degraded(self) -> tuple[str, ...]:
        """The arms that fell short, each with its reason."""
        return tuple(f"{report.arm}: {report.degraded}" for report in self.reports if report.degraded)


@dataclass(frozen=True, slots=True, eq=False)
class QueryVector:
    """The embedded query, or why there is none."""

    vector: Vector | None = None
    off: str = ""


def embed(query: Query, reader: Reader) -> QueryVector:
    """Embed the query, outside any snapshot. Without an embedder, a space or a text, the reason stands instead."""
    if not query.text or query.vague:
        return QueryVector()
    if reader.embedder is None or reader.space is None:
        return QueryVector(off=reader.dense_off)
    try:
        return QueryVector(sound(reader.embedder.embed_query(query.text)[None], reader.embedder.spec, 1)[0])
    except EmbedderError as error:
        return QueryVector(off=f"{error.code}: {error.message}")


def search(asked: Asked, embedded: QueryVector, reader: Reader, snapshot: Snapshot, watch: Stopwatch) -> Findings:
    """Run the profile's arms, cut what they nominate to the pool and check that against the truth."""
    run = _Run(asked, embedded, reader, snapshot)
    given = timeout(asked.request, reader.settings)
    deadline = reader.clock.elapsed() + given * DEADLINE_SHARE
    snapshot.limit(given * DEADLINE_SHARE)
    reports = []
    for arm in (*asked.profile.arms, *asked.extra):
        with watch(arm):
            report = _guarded(arm, run, reader, deadline)
        reports.append(replace(report, milliseconds=watch.milliseconds[arm]))
    snapshot.limit(reserve(given))
    with watch("dense"):
        found = distinct(hit.key for report in reports for hit in report.hits)
        beside = run.around(found)
    with watch("fuse"):
        fusion = fusion_of(asked.profile, reader.settings)
        mix = leaning(reports, reader.mix) if fusion == "adaptive" else reader.mix
        text = mixed(run.lexical, run.dense, beside, mix)
        pool = pooled(reports, found, text)
        covered = Covered(pool, run.covered(pool))
        near = run.near(covered, text[np.searchsorted(found, pool)], reports, least_share(asked, fusion))
    with watch("fence"):
        candidates, checked = _confirmed(pool, near.keys, asked.fence, snapshot)
        missing = _missing_partners(candidates)
        candidates = _with_partners(candidates, missing[:MAX_PARTNERS], asked, snapshot)
        hidden: Hidden = "" if candidates else _hidden(run, asked, reports, reader)
    if missing:
        with watch("dense"):
            beside = run.around(np.array([candidate.key for candidate in candidates], dtype=np.int64))
    return Findings(
        tuple(reports),
        candidates,
        beside,
        run.lexical,
        run.dense,
        mix,
        covered,
        hidden,
        cut_partners=len(missing[MAX_PARTNERS:]),
        passed_over=len(found) - checked,
        match=near.match if len(candidates) == checked == len(near.keys) else None,
    )


def timeout(request: RecallRequest, settings: RecallSettings) -> float:
    """Seconds the recall may take."""
    return (settings.timeout_ms if request.timeout_ms is None else request.timeout_ms) / 1000


def reserve(given: float) -> float:
    """Seconds for what is no arm, of those a recall was given."""
    return max(given * (1 - DEADLINE_SHARE), RESERVE)


def _guarded(arm: Arm, run: _Run, reader: Reader, deadline: float) -> ArmReport:
    """One arm's report; its failure, lateness or absence is a reason, not an exception."""
    if reader.clock.elapsed() > deadline:
        return ArmReport(arm, degraded="out of time")
    try:
        return run.arms[arm]()
    except (DeadlineExceeded, EmbedderError) as error:
        return ArmReport(arm, degraded=f"{error.code}: {error.message}")


class _Run:
    """The arms of one recall, keeping what later steps need of them."""

    def __init__(self, asked: Asked, embedded: QueryVector, reader: Reader, snapshot: Snapshot) -> None:
        self.lexical: Matches | None = None
        self.dense: Matches | None = None
        self.arms: dict[Arm, Callable[[], ArmReport]] = {
            "structured": self._structured,
            "lexical": self._lexical,
            "fuzzy": self._fuzzy,
            "dense": self._dense,
            "entity": self._entity,
            "time": self._time,
            "taxonomy": self._taxonomy,
            "graph": self._graph,
            "external": self._external,
        }
        self._query, self._fence, self._embedded = asked.query, asked.fence, embedded
        self._named, self._topics = asked.entities, asked.topics
        self._asked, self._snapshot = asked, snapshot
        self._reader, self._search, self._depth = reader, snapshot.search, reader.settings.depth
        self._filed = snapshot.taxonomy.under

    def any_match(self, fence: Fence) -> bool:
        """Whether words or subjects match anything inside another fence."""
        query = self._query
        if query.terms and self._search.lexical(fence, query, self._reader.weights).total:
            return True
        return bool((query.subjects or query.types or query.owned) and self._search.structured(fence, query, 1))

    def around(self, keys: Keys) -> Beside:
        """The turns around the ascending keys; the dense matches are given the cosines of all of them."""
        if not len(keys):
            return Beside(keys, keys, keys)
        beside = Beside(keys, *self._search.beside(self._fence, keys))
        self._compare(beside.everyone())
        return beside

    def covered(self, pool: Keys) -> NDArray[np.float64]:
        """How much of the question the session of each of the pool says; all of it where words were not searched."""
        if self.lexical is None:
            return np.ones(len(pool))
        return self._search.covered(self._fence, self._query, pool)

    def near(self, pool: Covered, text: NDArray[np.float64], reports: Sequence[ArmReport], share: float) -> Near:
        """What of the pool the gate may let pass; all of it where there is little, or no share of the best to reach."""
        if len(pool.keys) <= LEAST or not share:
            return Near(pool.keys)
        bearings = Bearings(pool.keys, *self._search.bearings(self._fence, pool.keys), pool.shares)
        return within_reach(bearings, lifted(text, bearings, reports, self._query), reports, self.lexical, share)

    def _compare(self, keys: Keys) -> None:
        """Add to the dense matches the cosines of those of the ascending keys that its nomination passed over."""
        found, vector, space = self.dense, self._embedded.vector, self._reader.space
        if found is None or not found.nominated or vector is None or space is None:
            return
        more, scores = self._search.cosines(self._fence, space, vector, keys[found.places_of(keys) < 0])
        joined = np.concatenate([found.keys, more])
        order = np.argsort(joined)
        self.dense = replace(found, keys=joined[order], scores=np.concatenate([found.scores, scores])[order])

    def _structured(self) -> ArmReport:
        query = self._query
        if not (query.subjects or query.types or query.owned or query.sweep):
            return ArmReport("structured")
        hits = self._search.structured(self._fence, self._query, self._depth)
        return ArmReport("structured", hits, len(hits))

    def _lexical(self) -> ArmReport:
        if not self._query.terms:
            return ArmReport("lexical")
        self.lexical = self._search.lexical(self._fence, self._query, self._reader.weights)
        hits, outdated = _lexical_hits(self.lexical, self._depth), self._search.outdated
        return ArmReport("lexical", hits, self.lexical.total, degraded=outdated or None)

    def _fuzzy(self) -> ArmReport:
        if not self._query.names:
            return ArmReport("fuzzy")
        hits = self._search.fuzzy(self._fence, self._query, self._depth)
        return ArmReport("fuzzy", hits, len(hits))

    def _dense(self) -> ArmReport:
        vector, space = self._embedded.vector, self._reader.space
        if vector is None or space is None:
            return ArmReport("dense", degraded=self._embedded.off or None)
        self.dense = self._search.dense(self._fence, space, vector, self._depth)
        best = self.dense.best(self._depth)
        keys, scores = self.dense.keys[best].tolist(), self.dense.scores[best].tolist()
        return ArmReport("dense", tuple(map(ArmHit, keys, count(1), scores)), self.dense.total)

    def _entity(self) -> ArmReport:
        named = self._named
        if named is None:
            named = self._search.named_entities(self._fence, self._query.names) if self._query.names else ()
        if not named:
            return ArmReport("entity")
        hits = self._search.entity(self._fence, named, self._depth)
        return ArmReport("entity", hits, len(hits))

    def _graph(self) -> ArmReport:
        hits = related_hits(self._asked, self._snapshot, self._depth)
        return ArmReport("graph", hits, len(hits))

    def _external(self) -> ArmReport:
        hits, nominated = nominated_hits(self._asked, self._snapshot), self._asked.nominated
        return ArmReport("external", hits, len(hits), degraded=(nominated.problem or None) if nominated else None)

    def _time(self) -> ArmReport:
        if not self._query.spans:
            return ArmReport("time")
        return self._best("time", self._search.during(self._fence, self._query.spans))

    def _taxonomy(self) -> ArmReport:
        newest = self._filed(self._fence, self._topics.within, FILED)
        return self._best("taxonomy", np.array(newest, dtype=np.int64))

    def _best(self, arm: Arm, keys: Keys) -> ArmReport:
        """Of keys that no text decides about, those whose text answers best, in the given order."""
        alone = np.full(len(keys), -1)
        text = mixed(self.lexical, self.dense, Beside(keys, alone, alone), self._reader.mix)
        best = np.sort(leading(text, keys, self._depth))
        hits = tuple(map(ArmHit, keys[best].tolist(), count(1), [1.0] * len(best)))
        return ArmReport(arm, hits, len(keys))


def _lexical_hits(matches: Matches, depth: int) -> tuple[ArmHit, ...]:
    """The best matches as hits."""
    columns = (matches.keys, matches.scores, matches.coverage, matches.matched, matches.distinctive)
    best = matches.best(depth)
    keys, *said = (column[best].tolist() for column in columns)
    return tuple(map(ArmHit, keys, count(1), *said))


def _confirmed(pool: Keys, near: Keys, fence: Fence, snapshot: Snapshot) -> tuple[tuple[Candidate, ...], int]:
    """What the truth admits of those in reach, and how many it was asked for.

    It is asked for the whole pool where it refuses one of them, or one conflicts with what is not among them.
    """
    candidates = snapshot.records.candidates(fence, near.tolist()) if len(near) else ()
    if len(near) < len(pool) and (len(candidates) < len(near) or _missing_partners(candidates)):
        return snapshot.records.candidates(fence, pool.tolist()), len(pool)
    return candidates, len(near)


def _missing_partners(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Ids of records that candidates conflict with and that no arm found, in order."""
    found = {candidate.id for candidate in candidates}
    partners = (other for candidate in candidates for other in candidate.conflicts)
    return tuple(dict.fromkeys(other for other in partners if other not in found))


def _with_partners(
    candidates: tuple[Candidate, ...], missing: Sequence[str], asked: Asked, snapshot: Snapshot
) -> tuple[Candidate, ...]:
    """The candidates and those they conflict with, as far as the fence admits them: a conflict is shown whole."""
    if not missing:
        return candidates
    records = snapshot.records.get(asked.fence, missing)
    partners = snapshot.records.candidates(asked.fence, sorted({record.key for record in records}))
    both = {candidate.key: candidate for candidate in (*candidates, *partners)}
    return tuple(both[key] for key in sorted(both))


def _hidden(run: _Run, asked: Asked, reports: Sequence[ArmReport], reader: Reader) -> Hidden:
    """What hides every match of an exact arm: the request's own narrowing, or that it is over; never the isolation."""
    if any(report.degraded not in (None, reader.dense_off) for report in reports):
        return "not_searched"
    fence, request = asked.fence, asked.request
    wider = replace(fence, kinds=None, types=None, sources=None, since=None, until=None, after=None, isolate=False)
    if request.as_of is not None or request.known_at is not None:
        wider = replace(wider, known_at=None, timeless=True)
    past = replace(fence, statuses=fence.statuses | OVER, timeless=True)
    try:
        if wider != fence and run.any_match(wider):
            return "filtered"
        return "outdated" if past not in (fence, wider) and run.any_match(past) else ""
    except DeadlineExceeded:
        return ""  # the arms that were late are named in the answer; why they found nothing is not worth its failure
