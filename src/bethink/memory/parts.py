"""What a memory is wired from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bethink.ports.advice import Advisers
from bethink.ports.clock import Clock
from bethink.ports.embedder import Embedder
from bethink.ports.ids import Ids
from bethink.ports.recall import QueryFormer, QueryRewriter, Ranker
from bethink.ports.store import Store
from bethink.ports.traces import TraceStore
from bethink.recall.forming.rewrite import Rewrites
from bethink.settings import Settings


@dataclass(frozen=True, slots=True)
class Steps:
    """What a host puts in the place of steps of a read, or adds to them; nothing unless given.

    `former` forms queries, `ranker` ranks where no policy is asked for. `rewriter` says questions in other words, where
    the settings let a read use a model.
    """

    former: QueryFormer | None = None
    ranker: Ranker | None = None
    rewriter: QueryRewriter | None = None


@dataclass(frozen=True, slots=True)
class Parts:
    """What a memory is wired from.

    `space` is None when recall goes by words alone, `dense_off` says why. `canary` embeds the fixed sentences by which
    a model is told from another.
    """

    store: Store
    traces: TraceStore
    clock: Clock
    ids: Ids
    settings: Settings
    embedder: Embedder | None
    space: str | None
    dense_off: str
    canary: Callable[[Embedder], NDArray[np.float32]]
    owner: bool = True
    steps: Steps = field(default_factory=Steps)
    rewrites: Rewrites | None = None
    advisers: Advisers = field(default_factory=Advisers)

    @property
    def pending(self) -> int:
        """How many entries wait for a vector."""
        active = self.store.vectors.active()
        return self.store.vectors.pending_count(active.space_id) if active else 0
