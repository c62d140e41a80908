"""A store of values for tests of the read: documents in a list, naive arms, every answer through the fence."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray
from tests.unit.recall.filed import FakeTaxonomy

from bethink.domain.fence import Entry, Fence
from bethink.domain.hit import ArmHit, Body, Candidate
from bethink.domain.query import FieldWeights, Query, TimeSpan
from bethink.domain.record import Content, Record, Status, StatusSpan, Usage, content_digest, fold
from bethink.domain.scope import Caller, Grant, Principal, Scope, ScopeKind
from bethink.domain.session import Turn
from bethink.domain.source import CONFIDENCE, Source, SourceKind
from bethink.domain.taxonomy import Node
from bethink.domain.types import TYPES, Kind, Portability
from bethink.errors import DeadlineExceeded
from bethink.ports.embedder import EmbedSpec
from bethink.ports.search import Matches, NamedEntity
from bethink.recall.reader import Reader
from bethink.testing.fakes import CountingIds, ManualClock
from bethink.text.analyse import analyse

START = datetime(2026, 1, 1, tzinfo=UTC)
USER = Scope(ScopeKind.USER, "ann")
CALLER = Caller(Principal("acme", "ann", "helper"))
GRANT = Grant("ann", "helper", USER, read=True, write=True, granted_at=START)
SPACE = "space"
DIMS = 64


@dataclass(frozen=True, slots=True)
class Doc:
    """One entry: what the fence sees, what ranking sees, what rendering sees, and its words."""

    entry: Entry
    candidate: Candidate
    body: Body
    words: frozenset[str]
    entities: tuple[str, ...] = ()
    embedded: bool = True


def belief(key: int, text: str, **change: object) -> Doc:
    """A belief with sane values; keywords override fields of entry, candidate and body alike."""
    return _doc(key, text, {"type": "fact", "source": SourceKind.USER_STATEMENT, "subject": "Ann", **change})


def turn(key: int, text: str, speaker: str = "Ann", **change: object) -> Doc:
    """A turn of a session."""
    sane = {"type": "turn", "source": SourceKind.IMPORT, "session": "s1", "portability": Portability.PORTABLE}
    return _doc(key, text, {**sane, "subject": speaker, "speaker": speaker, **change})


def _doc(key: int, text: str, given: dict[str, object]) -> Doc:
    """The document; `given` names fields of any of its parts."""
    source = SourceKind(given.pop("source"))
    known = {
        "id": f"00000000-0000-7000-8000-{key:012d}",
        "kind": TYPES[str(given["type"])].kind,
        "scope": USER,
        "status": Status.ACTIVE,
        "recorded_at": START + timedelta(minutes=key),
        "subject_key": fold(str(given.get("subject") or "")),
        "attribute_key": fold(str(given.pop("attribute", ""))),
        "confidence": CONFIDENCE[source],
        "evidence_count": 1,
        "utility": 0.0,
        "digest": content_digest(text),
        **given,
    }
    known |= {"created_at": known["recorded_at"], "source": source}
    words = frozenset(analyse(f"{given.get('subject') or ''} {text}"))
    candidate = Candidate(key=key, **_fields(Candidate, known))
    body = _body(candidate, text, given)
    return Doc(_entry(candidate, known), candidate, body, words, given.get("entities", ()), given.get("embedded", True))


def _fields(kind: type, known: dict[str, object]) -> dict[str, object]:
    """Those of the values that a value has fields for."""
    return {name: known[name] for name in kind.__annotations__ if name in known}


def _entry(candidate: Candidate, known: dict[str, object]) -> Entry:
    """What the fence sees."""
    span = StatusSpan(candidate.status, candidate.recorded_at, ends_at=candidate.ends_at)
    return Entry(key=candidate.key, record=candidate.id, statuses=(span,), **_fields(Entry, known))


def _body(candidate: Candidate, text: str, given: dict[str, object]) -> Body:
    """What is rendered."""
    subject = None if candidate.kind is Kind.EPISODIC else given.get("subject")
    return Body(
        key=candidate.key,
        text=text,
        subject=subject,
        speaker=given.get("speaker"),
        role=None,
        quote=None,
        source_ref=f"ref-{candidate.key}",
        creator="helper",
        said_at=candidate.event_at,
    )


def hashed(text: str) -> NDArray[np.float32]:
    """A bag of words as a unit vector: texts that share words are near."""
    vector = np.zeros(DIMS, np.float32)
    for word in analyse(text):
        vector[sum(word.encode()) % DIMS] += 1.0
    norm = float(np.linalg.norm(vector))
    return vector / norm if norm else vector


class HashEmbedder:
    """Embeds by hashing words; enough to tell near from far."""

    spec = EmbedSpec("test", "hash", "1", None, "f32", DIMS, 256, "sum", True, "", "", "v1")

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([hashed(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return hashed(text)

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def windows(self, _text: str) -> int:
        return 1


@dataclass
class House:
    """The documents, and everything a test may break."""

    docs: list[Doc]
    grants: tuple[Grant, ...] = (GRANT,)
    clock: ManualClock = field(default_factory=lambda: ManualClock(START + timedelta(days=30)))
    caller: Caller = CALLER
    failing: frozenset[str] = frozenset()
    entities: tuple[NamedEntity, ...] = ()
    turns: tuple[Turn, ...] = ()
    spent: frozenset[str] = frozenset()
    depths: list[int] = field(default_factory=list)
    nominated: int | None = None
    limits: list[float] = field(default_factory=list)
    nodes: tuple[Node, ...] = ()
    filed: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def reader(self, **change: object) -> Reader:
        """A reader of this house."""
        given = {"embedder": HashEmbedder(), "space": SPACE, **change}
        return Reader(self._open, self.caller, self.clock, CountingIds(), **given)

    @contextmanager
    def _open(self, seconds: float) -> Iterator[FakeSnapshot]:
        self.limits.append(seconds)
        yield FakeSnapshot(self)


class FakeSnapshot:
    """One read."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.position = len(house.docs)
        self.latest = max((doc.candidate.recorded_at for doc in house.docs), default=None)
        self.search = FakeSearch(house)
        self.records = FakeRecords(house)
        self.grants = FakeGrants(house)
        self.turns = FakeTurns(house)
        self.taxonomy = FakeTaxonomy(house)

    def limit(self, seconds: float) -> None:
        self.house.limits.append(seconds)


class FakeGrants:
    def __init__(self, house: House) -> None:
        self._house = house

    def of(self, _caller: Caller) -> tuple[Grant, ...]:
        return self._house.grants


class FakeTurns:
    def __init__(self, house: House) -> None:
        self._house = house

    def get(self, fence: Fence, ids: Sequence[str]) -> tuple[Turn, ...]:
        inside = {doc.candidate.id for doc in _inside(self._house, fence)}
        known = {turn.id: turn for turn in self._house.turns if turn.id in inside}
        return tuple(known[id_] for id_ in ids if id_ in known)

    def of_session(self, _fence: Fence, session: str, *, limit: int, after: int = -1) -> tuple[Turn, ...]:
        own = sorted((t for t in self._house.turns if t.session == session and t.seq > after), key=lambda t: t.seq)
        return tuple(own[:limit])

    def between(self, fence: Fence, *, limit: int) -> tuple[Turn, ...]:
        since, until = fence.since, fence.until
        own = [t for t in self._house.turns if (not since or t.said_at >= since) and (not until or t.said_at < until)]
        return tuple(sorted(own, key=lambda t: (t.said_at, t.key))[:limit])


class FakeRecords:
    def __init__(self, house: House) -> None:
        self._house = house

    def candidates(self, fence: Fence, keys: Sequence[int]) -> tuple[Candidate, ...]:
        wanted = set(keys)
        return tuple(doc.candidate for doc in _inside(self._house, fence) if doc.candidate.key in wanted)

    def bodies(self, fence: Fence, keys: Sequence[int]) -> dict[int, Body]:
        wanted = set(keys)
        return {doc.body.key: doc.body for doc in _inside(self._house, fence) if doc.body.key in wanted}

    def spent(self, _fence: Fence, turn_ids: Sequence[str]) -> frozenset[str]:
        return self._house.spent & frozenset(turn_ids)

    def get(self, fence: Fence, ids: Sequence[str]) -> tuple[Record, ...]:
        found = {doc.candidate.id: doc for doc in _inside(self._house, fence) if doc.candidate.type != "turn"}
        return tuple(record_of(found[id_]) for id_ in ids if id_ in found)

    def profiles(self, _fence: Fence, _ids: Sequence[str]) -> tuple[tuple[str, int], ...]:
        return ()

    def entries(self, fence: Fence, record_id: str) -> tuple[Entry, ...]:
        entries = [doc.entry for doc in self._house.docs if doc.entry.record == record_id]
        reach = {"scope", "ceiling", "channel"}
        return tuple(entry for entry in entries[::-1] if fence.excluded_by(entry) not in reach)

    def find(self, fence: Fence, prefix: str) -> tuple[str, ...]:
        ids = {doc.candidate.id for doc in _inside(self._house, fence)}
        bare = prefix.removeprefix("m:")
        return tuple(sorted(id_ for id_ in ids if id_.startswith(bare) or _short(id_).startswith(bare)))


def _short(id_: str) -> str:
    return hashlib.sha256(id_.encode()).hexdigest()


def record_of(doc: Doc) -> Record:
    """A document as a whole record."""
    c = doc.candidate
    content = Content(doc.body.text, c.type, c.scope, Source(c.source, "ref", "helper"), subject=doc.body.subject)
    usage = Usage(c.confidence, c.evidence_count)
    return Record(c.id, c.key, c.kind, 1, content, usage, c.status, c.created_at, c.recorded_at)


class FakeSearch:
    """The arms over the documents."""

    outdated = ""

    def __init__(self, house: House) -> None:
        self._house = house
        self._looked: set[str] = set()

    def structured(self, fence: Fence, query: Query, depth: int) -> tuple[ArmHit, ...]:
        self._check("structured", depth)
        docs = _inside(self._house, fence)
        named = [d.candidate.key for d in docs if d.entry.subject_key in query.subjects]
        typed = [d.candidate.key for d in docs if d.entry.type in query.types and d.candidate.key not in named]
        scored = [(key, 1.0) for key in named] + [(key, 0.25) for key in typed]
        return tuple(ArmHit(key, rank, raw) for rank, (key, raw) in enumerate(scored[:depth], 1))

    def during(self, fence: Fence, spans: Sequence[TimeSpan]) -> NDArray[np.int64]:
        self._check("time", None)
        own = [(own_time(doc.entry), doc.candidate.key) for doc in _inside(self._house, fence)]
        return np.array([key for at, key in sorted(own) if any(a <= at < b for a, b in spans)], np.int64)

    def sessions(self, fence: Fence, besides: str | None = None) -> tuple[TimeSpan, ...]:
        said: dict[str, list[datetime]] = {}
        for doc in _inside(self._house, fence):
            if doc.candidate.session not in {None, besides}:
                said.setdefault(doc.candidate.session, []).append(own_time(doc.entry))
        return tuple(sorted(TimeSpan(min(times), max(times)) for times in said.values()))

    def lexical(self, fence: Fence, query: Query, _weights: FieldWeights) -> Matches:
        self._check("lexical", None)
        rows = []
        for doc in _inside(self._house, fence):
            held = [term for term in query.terms if term in doc.words]
            if held:
                distinctive = any(term in query.identifiers for term in held)
                rows.append((len(held) / len(query.terms), doc.candidate.key, len(held), distinctive))
        return _matches(rows)

    def fuzzy(self, _fence: Fence, _query: Query, depth: int) -> tuple[ArmHit, ...]:
        self._check("fuzzy", depth)
        return ()

    def dense(self, fence: Fence, _space: str, vector: NDArray[np.float32], depth: int) -> Matches:
        self._check("dense", depth)
        rows = [
            (round(float(hashed(f"{d.body.speaker or ''} {d.body.text}") @ vector), 6), d.candidate.key)
            for d in _inside(self._house, fence)
            if d.embedded
        ]
        rows.sort(key=lambda row: (-row[0], row[1]))
        found = _matches([(score, key, 0, False) for score, key in rows[: self._house.nominated]])
        return replace(found, nominated=len(found.keys) < len(rows))

    def beside(
        self, fence: Fence, keys: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        said = {
            (d.candidate.session, d.candidate.seq): d for d in _inside(self._house, fence) if d.entry.type == "turn"
        }
        by_key = {doc.candidate.key: place for place, doc in said.items()}

        def at(key: int, step: int) -> int:
            session, seq = by_key.get(key, (None, 0))
            other = said.get((session, seq + step))
            return -1 if other is None else other.candidate.key

        before, after = ([at(key, step) for key in keys.tolist()] for step in (-1, 1))
        return np.array(before, np.int64), np.array(after, np.int64), np.zeros(len(keys), dtype=np.bool_)

    def covered(self, fence: Fence, query: Query, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        turns = [doc for doc in _inside(self._house, fence) if doc.entry.type == "turn"]
        said: dict[str | None, set[str]] = {}
        for doc in turns:
            said.setdefault(doc.candidate.session, set()).update(term for term in query.terms if term in doc.words)
        most = max(map(len, said.values()), default=0)
        of = {doc.candidate.key: len(said[doc.candidate.session]) / most for doc in turns} if most else {}
        return np.array([of.get(key, 1.0) for key in keys.tolist()])

    def bearings(self, fence: Fence, keys: NDArray[np.int64]) -> tuple[list[str], list[str | None]]:
        rows = {doc.candidate.key: doc.candidate for doc in _inside(self._house, fence)}
        found = [rows.get(key) for key in keys.tolist()]
        sessions = [one.session if one and one.type == "turn" else None for one in found]
        return [one.subject_key if one else "" for one in found], sessions

    def cosines(
        self, fence: Fence, space: str, vector: NDArray[np.float32], keys: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        alone = FakeSearch(replace(self._house, nominated=None)).dense(fence, space, vector, len(keys))
        found = np.isin(alone.keys, keys)
        return alone.keys[found], alone.scores[found]

    def entity(self, fence: Fence, named: Sequence[NamedEntity], depth: int) -> tuple[ArmHit, ...]:
        self._check("entity", depth)
        docs = [d for d in _inside(self._house, fence) if {entity.id for entity in named} & set(d.entities)]
        docs.sort(key=lambda d: (d.candidate.recorded_at, d.candidate.key), reverse=True)
        return tuple(ArmHit(d.candidate.key, rank, 1.0) for rank, d in enumerate(docs[:depth], 1))

    def named_entities(self, _fence: Fence, names: Sequence[str]) -> tuple[NamedEntity, ...]:
        return tuple(entity for entity in self._house.entities if entity.alias in names)

    def aliases(self, _fence: Fence, entities: Sequence[str]) -> tuple[NamedEntity, ...]:
        return tuple(entity for entity in self._house.entities if entity.id in entities)

    def _check(self, arm: str, depth: int | None) -> None:
        """Note the depth, or fail as the test wants."""
        if depth is not None:
            self._house.depths.append(depth)
        again = f"{arm} again" if arm in self._looked else arm
        self._looked.add(arm)
        if {arm, again} & self._house.failing:
            raise DeadlineExceeded(f"The {arm} arm ran out of time.")


def own_time(entry: Entry) -> datetime:
    """When it was said, or what else is the entry's own time."""
    return entry.event_at or entry.valid_from or entry.recorded_at


def _inside(house: House, fence: Fence) -> list[Doc]:
    return sorted((doc for doc in house.docs if fence.admits(doc.entry)), key=lambda doc: doc.candidate.key)


def _matches(rows: list[tuple[float, int, int, bool]]) -> Matches:
    rows = sorted(rows, key=lambda row: row[1])
    return Matches(
        np.array([row[1] for row in rows], np.int64),
        np.array([row[0] for row in rows], np.float64),
        np.array([row[0] for row in rows], np.float64),
        np.array([row[2] for row in rows], np.int64),
        np.array([row[2] for row in rows], np.int64),
        np.array([row[3] for row in rows], np.bool_),
        total=len(rows),
    )
