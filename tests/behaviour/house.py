"""A store of the test's own, through the public surface: a clock that moves when told, ids that count.

The embedder is ``hash`` unless a test needs a cosine it can name: then `ByHand` gives each text the cosine it was told.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bethink
from bethink.domain.record import Record
from bethink.domain.source import SourceKind
from bethink.errors import EmbedderError
from bethink.memory import BoundMemory, Memory
from bethink.operations.files import PassedOver
from bethink.operations.recall import RecallResult
from bethink.ports.embedder import Embedder, EmbedSpec
from bethink.ports.files import FileText, FolderRead
from bethink.testing.fakes import CountingIds, ManualClock
from tests.databases import Place, rows_of, tables_of

MARCH = datetime(2026, 3, 1, tzinfo=UTC)
USER, AGENT = "maya", "aria"


class TickingClock(ManualClock):
    """A manual clock on which each look at the stopwatch takes a millisecond."""

    def __init__(self, start: datetime = MARCH) -> None:
        super().__init__(start)
        self._ticks = 0

    def elapsed(self) -> float:
        self._ticks += 1
        return self._ticks / 1000


@dataclass
class ByHand:
    """An embedder whose cosines are chosen: a text has that of the first phrase it holds, a question always one.

    `cosines` may grow while a store is open. A text that holds no phrase stands at a right angle to every question.
    """

    cosines: Mapping[str, float] = field(default_factory=dict)
    model: str = "by-hand"

    @property
    def spec(self) -> EmbedSpec:
        return EmbedSpec("test", self.model, "1", None, "fp32", 4, 256, "none", True, "", "", "{text}")

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([self._at(text) for text in texts], dtype=np.float32).reshape(len(texts), 4)

    def embed_query(self, _text: str) -> NDArray[np.float32]:
        return np.array([1, 0, 0, 0], dtype=np.float32)

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def windows(self, _text: str) -> int:
        return 1

    def _at(self, text: str) -> list[float]:
        cosine = next((value for phrase, value in self.cosines.items() if phrase in text), 0.0)
        return [cosine, math.sqrt(1 - cosine * cosine), 0.0, 0.0]


BASE = 0.75
"""The cosine of any two texts in a narrow space that have nothing in common."""


@dataclass
class Narrow(ByHand):
    """`ByHand` in a space where the unrelated lies close together: a cosine `c` of it is ``BASE + (1 - BASE) c``."""

    seen: list[str] = field(default_factory=list)

    @property
    def spec(self) -> EmbedSpec:
        return replace(super().spec, dims=64)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([self._narrow(text, self._at(text)[0]) for text in texts], dtype=np.float32).reshape(-1, 64)

    def embed_query(self, _text: str) -> NDArray[np.float32]:
        return np.array(self._narrow("", 1.0), dtype=np.float32)

    def _narrow(self, text: str, cosine: float) -> list[float]:
        """All texts share the first direction, questions the second, and each text has one to itself."""
        if text not in self.seen:
            self.seen.append(text)
        row = [0.0] * 64
        row[0], row[1] = math.sqrt(BASE), math.sqrt(1 - BASE) * cosine
        row[2 + self.seen.index(text)] = math.sqrt((1 - BASE) * (1 - cosine * cosine))
        return row


@dataclass
class Fragile(ByHand):
    """An embedder that can be down."""

    down: bool = False

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.down:
            raise EmbedderError("The model does not answer.")
        return super().embed_documents(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        if self.down:
            raise EmbedderError("The model does not answer.")
        return super().embed_query(text)


@dataclass
class Provider:
    """Nominates what it is told to."""

    says: list[tuple[str, float]] = field(default_factory=list)
    fails: bool = False
    holds: Event | None = None
    asked: list[tuple[str, int]] = field(default_factory=list)

    def nominate(self, text: str, limit: int) -> Iterable[tuple[str, float]]:
        self.asked.append((text, limit))
        if self.holds is not None:
            self.holds.wait(30)
        if self.fails:
            raise OSError("no connection")
        return self.says


@dataclass
class Shelf:
    """Files as a test lays them out: path to text."""

    files: dict[str, str] = field(default_factory=dict)
    passed_over: tuple[PassedOver, ...] = ()
    present: bool = True

    def root(self, path):
        return f"/shelf/{path}"

    place = root

    def read(self, _root, _pattern):
        found = [FileText(path, text, sha256(text.encode()).hexdigest()) for path, text in sorted(self.files.items())]
        return FolderRead(tuple(found) if self.present else (), self.passed_over, self.present)


@dataclass
class House:
    """One store and what it is opened with. Each `open` is another process as far as the store can tell."""

    place: Place
    clock: ManualClock = field(default_factory=lambda: ManualClock(MARCH))
    ids: CountingIds = field(default_factory=CountingIds)
    embedder: Embedder | str | None = "hash"
    opened: list[Memory] = field(default_factory=list)

    def open(self, **settings: Any) -> Memory:
        """Open the store, closed again when the test ends."""
        given = {"clock": self.clock, "ids": self.ids, "embedder": self.embedder, **settings}
        self.opened.append(bethink.open(self.place, **given))
        return self.opened[-1]

    def bind(self, user: str = USER, agent: str = AGENT, **about: Any) -> BoundMemory:
        """The store as one caller sees it, Maya's own words unless told otherwise."""
        memory = self.opened[0] if self.opened else self.open()
        return memory.bind(user, agent, **{"voice": "user", **about})

    def close(self) -> None:
        """Close whatever was opened."""
        for memory in self.opened:
            memory.close()


def know(memory: BoundMemory, content: str, **fields: Any) -> str:
    """Remember a belief that a system vouches for, which leaves no turn behind; its id."""
    return memory.remember(content, **{"source": SourceKind.SYSTEM, **fields}).id


def texts(result: RecallResult) -> list[str]:
    """What the items say, best first."""
    return [item.text for item in result.items]


def ids(result: RecallResult) -> list[str]:
    """The items' ids, best first."""
    return [item.id for item in result.items]


def pool(memory: BoundMemory, result: RecallResult) -> list[str]:
    """Ids of every candidate of a recall, in order."""
    return [str(row["id"]) for row in memory.trace(result.trace_id).trace.pool]


def arms(memory: BoundMemory, result: RecallResult) -> dict[str, list[str]]:
    """By arm the ids it found, in its order."""
    return {str(arm["arm"]): [hit[0] for hit in arm["hits"]] for arm in memory.trace(result.trace_id).trace.arms}


def stored(memory: Memory | BoundMemory, tenant: str = "default") -> AbstractContextManager[Any]:
    """A unit of work below the public surface, to put there what the surface would refuse."""
    return memory._parts.store.write(tenant)


def counted(memory: Memory | BoundMemory, table: str) -> int:
    """Rows of a table of the store."""
    return rows_of(memory._parts.store, f"select count(*) from {table}")[0][0]


def every_row(memory: Memory | BoundMemory) -> dict[str, list[Any]]:
    """Every row of the truth."""
    store = memory._parts.store
    return {table: sorted(rows_of(store, f"select * from {table}"), key=repr) for table in tables_of(store)}


def record(memory: BoundMemory, item: str) -> Record:
    """A record by its id."""
    found = memory.get(item).record
    assert found is not None
    return found


def beliefs(memory: BoundMemory, question: str, **fields: Any) -> list[str]:
    """Ids of the items that are no turns, best first."""
    return [item.id for item in memory.recall(question, **fields).items if item.type != "turn"]


def events(memory: BoundMemory) -> list[tuple[str, str]]:
    """Kind and payload of every event of the tenant, as stored."""
    return rows_of(
        memory._parts.store, "select kind, payload from event where tenant = 'default' order by position, part"
    )


def live(memory: BoundMemory, kind: str = "fact") -> list[str]:
    """Ids of the beliefs of a kind that hold now, oldest first."""
    rows = rows_of(
        memory._parts.store,
        "select distinct s.record_id from status_event s, entry e where e.record_id = s.record_id"
        f" and e.type = '{kind}' and s.recorded_to > 1152921504606846970 and s.status in ('active', 'provisional')",
    )
    return sorted(row[0] for row in rows)
