"""The desk: what a write works with. A value handed to every step, so that none reads the world on its own."""

from __future__ import annotations

from dataclasses import dataclass, field

from bethink.domain.calibration import Calibration
from bethink.domain.scope import Caller
from bethink.ports.advice import Advisers
from bethink.ports.clock import Clock
from bethink.ports.embedder import Embedder
from bethink.ports.ids import Ids
from bethink.ports.store import Store
from bethink.settings import Settings


@dataclass(frozen=True, slots=True)
class Desk:
    """One caller at one store.

    `embedder` and `space` go together: the model, and the space its vectors belong to; without them every new text
    waits for a vector. `calibration` is how that space's cosines read. `advisers` are the models a host handed in; none
    is asked while a transaction is open.
    """

    store: Store
    caller: Caller
    clock: Clock
    ids: Ids
    embedder: Embedder | None = None
    space: str | None = None
    settings: Settings = field(default_factory=Settings)
    advisers: Advisers = field(default_factory=Advisers)
    calibration: Calibration = field(default_factory=Calibration)

    @property
    def tenant(self) -> str:
        """The caller's tenant."""
        return self.caller.principal.tenant

    @property
    def content_limit(self) -> int:
        """The most characters of one text."""
        return self.settings.store.content_limit
