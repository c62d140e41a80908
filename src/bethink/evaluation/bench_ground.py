"""Where a run of the bench measures: a store, a tenant in it, and scopes that share the records out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from bethink.errors import InvalidInput
from bethink.evaluation.corpus import ClusteredVectors
from bethink.memory import BoundMemory, Memory
from bethink.opening import open_memory
from bethink.operations.sessions import TurnInput
from bethink.settings import Settings, load_settings

BELIEF_SHARE, BELIEFS = 0.1, 5_000
"""Of a scope's records so many are beliefs, and at most so many: each is a transaction of its own."""

SAID = datetime(2024, 5, 8, 1, tzinfo=UTC)
"""When the first turn was said; all are of that day, so that every text an encoder reads follows from the corpus."""

_APART = timedelta(milliseconds=80)
_TURNS_A_DAY = 1_000_000
_BATCH = 512
_PATIENCE_MS = 60_000
"""How long anything may wait: an answer that fell short by its deadline would count as a fast one."""

Text = tuple[str, str]
"""Speaker and words."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A store by its URL, a data folder that holds no settings, and the tenant's scopes: one user's each.

    `users` begins the names of the users, `depth` is how deep each arm looks, the default when 0.
    """

    url: str
    home: str
    tenant: str
    scopes: int
    users: str = "user"
    depth: int = 0

    def open(self) -> Memory:
        """The store."""
        return open_memory(self.url, settings=self.settings(), embedder=ClusteredVectors())

    def settings(self) -> Settings:
        """What it is opened with."""
        set_: dict[str, object] = {"home": self.home, "store.lock_timeout_ms": _PATIENCE_MS}
        set_["recall.timeout_ms"] = _PATIENCE_MS
        if self.depth:
            set_["recall.depth"] = self.depth
        return load_settings(set_, {})

    def bind(self, memory: Memory, scope: int) -> BoundMemory:
        """The store as the user of a scope sees it."""
        return memory.bind(f"{self.users}-{scope}", "bench", tenant=self.tenant, voice="agent")

    def share(self, texts: Sequence[Text], scope: int) -> Sequence[Text]:
        """The texts that lie in a scope."""
        return texts[scope :: self.scopes]

    def beliefs(self, texts: Sequence[Text], scope: int) -> Sequence[Text]:
        """Those of a scope's texts that are beliefs; the rest are turns."""
        share = self.share(texts, scope)
        return share[: min(int(len(share) * BELIEF_SHARE), BELIEFS)]


def refuse_filled(ground: Ground) -> None:
    """Pass unless a run filled the tenant before.

    Raises:
        InvalidInput: one did.
    """
    with ground.open() as memory:
        if any(grant.user == "user-0" for grant in memory.grants(tenant=ground.tenant)):
            raise InvalidInput(
                f"The store holds a run of that size already, as tenant {ground.tenant}.",
                remedy="Name a store that holds nothing.",
            )


@dataclass(frozen=True, slots=True)
class Filled:
    """How far a ground is filled: batches of turns and beliefs stored, and whether all have their vectors.

    `seconds` is how long the `turns` took to store, without their vectors; `all_seconds` how long everything took.
    """

    batches: int = 0
    beliefs: int = 0
    whole: bool = False
    turns: int = 0
    seconds: float = 0.0
    all_seconds: float = 0.0

    @staticmethod
    def read(path: Path | None) -> Filled:
        """What is written there; nothing filled without a file."""
        return Filled() if path is None or not path.exists() else Filled(**json.loads(path.read_text("utf-8")))

    def write(self, path: Path | None) -> Filled:
        """Write it there, and return it."""
        if path is not None:
            path.write_text(json.dumps(asdict(self)), "utf-8")
        return self


def fill(ground: Ground, texts: Sequence[Text], mark: Path | None = None) -> Filled:
    """Fill the scopes: most of it turns in sessions, the rest beliefs.

    The scopes are written a session each in turn, so that their rows lie between each other's. With a file for the
    mark, a fill that was cut short goes on where it stopped: what was stored and not marked is stored again, which
    changes nothing.
    """
    filled = Filled.read(mark)
    if filled.whole:
        return filled
    with ground.open() as memory:
        filled = _turns(memory, ground, texts, filled, lambda now: now.write(mark))
        began = time.perf_counter()
        for scope in range(ground.scopes):
            caller, beliefs = ground.bind(memory, scope), ground.beliefs(texts, scope)
            for done, (speaker, text) in enumerate(beliefs):
                if scope * BELIEFS + done >= filled.beliefs:
                    caller.remember(text, subject=speaker)
                if done % _BATCH == _BATCH - 1:
                    filled = replace(filled, beliefs=scope * BELIEFS + done + 1).write(mark)
        memory.embed_pending()
        spent = filled.all_seconds + time.perf_counter() - began
    return replace(filled, whole=True, all_seconds=spent).write(mark)


def _turns(
    memory: Memory, ground: Ground, texts: Sequence[Text], filled: Filled, noted: Callable[[Filled], Filled]
) -> Filled:
    """Store the turns that are not stored yet, a session of a scope at a time."""
    callers = [ground.bind(memory, scope) for scope in range(ground.scopes)]
    shares = [ground.share(texts, scope)[len(ground.beliefs(texts, scope)) :] for scope in range(ground.scopes)]
    starts = range(0, max(map(len, shares)), _BATCH)
    work = ((start, scope) for start in starts for scope in range(ground.scopes) if shares[scope][start:])
    for start, scope in islice(work, filled.batches, None):
        began = time.perf_counter()
        turns = [
            TurnInput(
                text=text,
                role="participant",
                speaker=speaker,
                said_at=SAID + _APART * ((start + place) % _TURNS_A_DAY),
            )
            for place, (speaker, text) in enumerate(shares[scope][start : start + _BATCH])
        ]
        callers[scope].session(f"bench-{scope}-{start}").turns(turns)
        spent = time.perf_counter() - began
        filled = noted(
            replace(
                filled,
                batches=filled.batches + 1,
                turns=filled.turns + len(turns),
                seconds=filled.seconds + spent,
                all_seconds=filled.all_seconds + spent,
            )
        )
    return filled
