"""What a memory is wired from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bethink.domain.calibration import Calibration
from bethink.domain.trace import Trace, TraceState
from bethink.ports.advice import Advisers
from bethink.ports.clock import Clock
from bethink.ports.embedder import Embedder
from bethink.ports.files import FileReader
from bethink.ports.ids import Ids
from bethink.ports.models import Readers
from bethink.ports.recall import QueryFormer, QueryRewriter, Ranker, RecordProvider, Reranker
from bethink.ports.store import Store
from bethink.ports.taxonomy import Classifier
from bethink.ports.traces import TraceStore
from bethink.recall.asking import Asking
from bethink.recall.forming.rewrite import Rewrites
from bethink.recall.outside import Nominations
from bethink.session.cooldown import Cooldown
from bethink.settings import Settings


@dataclass(frozen=True, slots=True)
class Steps:
    """What a host puts in the place of steps of a read, or adds to them; nothing unless given.

    `former` forms queries, `ranker` ranks where no policy is asked for, `provider` nominates records of the store by
    id, as one more arm. Three are models, asked only where the settings let a read use one: `rewriter` says questions
    in other words, `classifier` names the topics of a mention or of an agent's query, `reranker` orders survivors anew.
    """

    former: QueryFormer | None = None
    ranker: Ranker | None = None
    classifier: Classifier | None = None
    reranker: Reranker | None = None
    rewriter: QueryRewriter | None = None
    provider: RecordProvider | None = None


@dataclass(frozen=True, slots=True)
class Parts:
    """What a memory is wired from.

    `space` is None when recall goes by words alone, `dense_off` says why. `canary` embeds the fixed sentences by which
    a model is told from another, `calibration` is how its cosines read. `cooldown` is what passive recalls have shown
    since the store was opened. `readers` read ended sessions; without them nobody does here.
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
    calibration: Calibration = field(default_factory=Calibration)
    readers: Readers | None = None
    steps: Steps = field(default_factory=Steps)
    cooldown: Cooldown = field(default_factory=Cooldown)
    rewrites: Rewrites | None = None
    asking: Asking = field(default_factory=Asking)
    nominations: Nominations | None = None
    advisers: Advisers = field(default_factory=Advisers)
    files: FileReader | None = None

    def kept(self, trace: Trace) -> tuple[TraceState, str]:
        """Store a trace, where traces are stored: what became of it, and why it is not kept."""
        return self.traces.record(trace) if self.settings.store.trace else ("off", "")

    @property
    def pending(self) -> int:
        """How many entries wait for a vector."""
        active = self.store.vectors.active()
        return self.store.vectors.pending_count(active.space_id) if active else 0
