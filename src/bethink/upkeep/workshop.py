"""The workshop: what jobs are done with. A value handed to every handler, so that none reads the world on its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from bethink.domain.calibration import Calibration
from bethink.domain.job import Job
from bethink.domain.scope import Caller, Principal
from bethink.formation.desk import Desk
from bethink.ports.advice import Advisers
from bethink.ports.clock import Clock
from bethink.ports.embedder import Embedder
from bethink.ports.files import FileReader
from bethink.ports.ids import Ids
from bethink.ports.models import Readers
from bethink.ports.store import Store
from bethink.ports.traces import TraceStore
from bethink.settings import Settings


@dataclass(frozen=True, slots=True)
class Workshop:
    """One store and what works on it; `embedder` and `space` go together, as at a desk. `readers` read sessions."""

    store: Store
    clock: Clock
    ids: Ids
    embedder: Embedder | None = None
    space: str | None = None
    settings: Settings = field(default_factory=Settings)
    readers: Readers | None = None
    advisers: Advisers = field(default_factory=Advisers)
    traces: TraceStore | None = None
    files: FileReader | None = None
    calibration: Calibration = field(default_factory=Calibration)

    def desk(self, caller: Caller) -> Desk:
        """The store as a caller works at it."""
        made = Desk(self.store, caller, self.clock, self.ids, self.embedder, self.space, self.settings)
        return replace(made, advisers=self.advisers, calibration=self.calibration)

    def own_desk(self, tenant: str) -> Desk:
        """A tenant's store for work that acts for nobody: this caller holds no grant and reads nobody's memory."""
        return self.desk(Caller(Principal(tenant, "bethink", "worker"), surface="worker"))


Handler = Callable[[Job, Workshop], Mapping[str, int]]
"""Does one job and says what it did, in counts.

It may be asked to do a job again that it did before, wholly or in part: doing it twice changes nothing twice. A typed
error lets the job wait and be tried again, but for one that says the job itself cannot be meant.
"""


@dataclass(frozen=True, slots=True)
class Routine:
    """How a kind of job is done. With `every` it comes round in each tenant by itself, so long after the last time."""

    work: Handler
    every: timedelta | None = None
