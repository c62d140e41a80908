"""Where a run of the bench measures: a store, a tenant in it, and scopes that share the records out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from bethink.errors import InvalidInput
from bethink.evaluation.corpus import ClusteredVectors
from bethink.memory import BoundMemory, Memory
from bethink.opening import open_memory
from bethink.operations.sessions import TurnInput
from bethink.settings import load_settings

BELIEF_SHARE = 0.1
_BATCH = 512
_PATIENCE_MS = 60_000
"""How long anything may wait: an answer that fell short by its deadline would count as a fast one."""

Text = tuple[str, str]
"""Speaker and words."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A store by its URL, a data folder that holds no settings, and the tenant's scopes: one user's each."""

    url: str
    home: str
    tenant: str
    scopes: int

    def open(self) -> Memory:
        """The store."""
        patience = {"store.lock_timeout_ms": _PATIENCE_MS, "recall.timeout_ms": _PATIENCE_MS}
        settings = load_settings({"home": self.home, **patience}, {})
        return open_memory(self.url, settings=settings, embedder=ClusteredVectors())

    def bind(self, memory: Memory, scope: int) -> BoundMemory:
        """The store as the user of a scope sees it."""
        return memory.bind(f"user-{scope}", "bench", tenant=self.tenant, voice="agent")

    def share(self, texts: Sequence[Text], scope: int) -> Sequence[Text]:
        """The texts that lie in a scope."""
        return texts[scope :: self.scopes]


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
    """Ids of the first scope to look up, and how long it took to store that many turns, without their vectors."""

    ids: list[str]
    turns: int
    seconds: float


def fill(ground: Ground, texts: Sequence[Text]) -> Filled:
    """Fill the scopes: most of it turns in sessions, the rest beliefs.

    The scopes are written a session each in turn, so that their rows lie between each other's.
    """
    with ground.open() as memory:
        callers = [ground.bind(memory, scope) for scope in range(ground.scopes)]
        shares = [ground.share(texts, scope) for scope in range(ground.scopes)]
        ids: list[str] = []
        began, count = time.perf_counter(), 0
        for start in range(0, len(shares[0]), _BATCH):
            for scope, (caller, share) in enumerate(zip(callers, shares, strict=True)):
                batch = share[int(len(share) * BELIEF_SHARE) :][start : start + _BATCH]
                if not batch:
                    continue
                turns = [TurnInput(text=text, role="participant", speaker=speaker) for speaker, text in batch]
                stored = caller.session(f"bench-{scope}-{start}").turns(turns).ids
                ids += stored if scope == 0 else ()
                count += len(turns)
        spent = time.perf_counter() - began
        for scope, (caller, share) in enumerate(zip(callers, shares, strict=True)):
            beliefs = share[: int(len(share) * BELIEF_SHARE)]
            stored = tuple(caller.remember(text, subject=speaker).id for speaker, text in beliefs)
            ids += stored if scope == 0 else ()
        memory.embed_pending()
    return Filled(ids, count, spent)
