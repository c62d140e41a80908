"""What a memory is wired from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bethink.formation.readers import Readers
from bethink.ports.clock import Clock
from bethink.ports.embedder import Embedder
from bethink.ports.ids import Ids
from bethink.ports.store import Store
from bethink.ports.traces import TraceStore
from bethink.settings import Settings


@dataclass(frozen=True, slots=True)
class Parts:
    """What a memory is wired from.

    `space` is None when recall goes by words alone, `dense_off` says why. `canary` embeds the fixed sentences by which
    a model is told from another. `readers` read ended sessions; without them nobody does here.
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
    readers: Readers | None = None

    @property
    def pending(self) -> int:
        """How many entries wait for a vector."""
        active = self.store.vectors.active()
        return self.store.vectors.pending_count(active.space_id) if active else 0
