"""One consistent read of one tenant."""

from __future__ import annotations

from datetime import datetime

from bethink.domain.time import from_micros
from bethink.ports.search import Search
from bethink.store.associations import Associations
from bethink.store.context import Reading
from bethink.store.database import Connection
from bethink.store.documents import Documents
from bethink.store.entities import Entities
from bethink.store.grants import Grants
from bethink.store.index import SearchIndex
from bethink.store.marks import Marks
from bethink.store.moments import Moments
from bethink.store.nodes import Nodes
from bethink.store.owned import Owned
from bethink.store.pairs import Pairs
from bethink.store.readings import Readings
from bethink.store.receipts import Receipts
from bethink.store.records import Records
from bethink.store.rejections import Rejections
from bethink.store.roots import Roots
from bethink.store.sessions import Sessions
from bethink.store.skills import Skills
from bethink.store.taxonomy import Taxonomy
from bethink.store.tombstones import was_erased
from bethink.store.turns import Turns


class StoreSnapshot:
    """The `Snapshot` port. Reading where the tenant stands fixes the snapshot of the transaction."""

    def __init__(self, connection: Connection, tenant: str, index: SearchIndex) -> None:
        row = connection.row("read_tenant", tenant=tenant)
        self._context = Reading(connection, tenant)
        self._index = index
        self._search: Search | None = None
        self.position: int = row[0] if row else 0
        self.latest: datetime | None = from_micros(row[1]) if row else None

    @property
    def search(self) -> Search:
        """The arms over this snapshot."""
        if self._search is None:
            self._search = self._index.search(self._context.connection, self._context.tenant, self.position)
        return self._search

    @property
    def records(self) -> Records:
        """Records inside a fence."""
        return Records(self._context)

    @property
    def turns(self) -> Turns:
        """Turns inside a fence."""
        return Turns(self._context)

    @property
    def grants(self) -> Grants:
        """The tenant's grants."""
        return Grants(self._context)

    @property
    def sessions(self) -> Sessions:
        """The tenant's sessions."""
        return Sessions(self._context)

    @property
    def taxonomy(self) -> Taxonomy:
        """The tenant's taxonomy."""
        return Taxonomy(self._context)

    @property
    def entities(self) -> Entities:
        """The tenant's entities."""
        return Entities(self._context)

    @property
    def pairs(self) -> Pairs:
        """Which records may say the same or contradict each other."""
        return Pairs(self._context)

    @property
    def marks(self) -> Marks:
        """How far the passes of upkeep have looked."""
        return Marks(self._context)

    @property
    def roots(self) -> Roots:
        """Which files become records."""
        return Roots(self._context)

    @property
    def skills(self) -> Skills:
        """The tenant's skills."""
        return Skills(self._context)

    @property
    def associations(self) -> Associations:
        """The tenant's terms and relations."""
        return Associations(self._context)

    @property
    def documents(self) -> Documents:
        """The tenant's documents."""
        return Documents(self._context, self._index.language)

    @property
    def nodes(self) -> Nodes:
        """The parts of texts longer than a model's window."""
        return Nodes(self._context)

    @property
    def rejections(self) -> Rejections:
        """What was said not to be so."""
        return Rejections(self._context)

    @property
    def owned(self) -> Owned:
        """All that is one user's."""
        return Owned(self._context)

    @property
    def receipts(self) -> Receipts:
        """What was forgotten and erased."""
        return Receipts(self._context)

    @property
    def readings(self) -> Readings:
        """How far the tenant's sessions were read for beliefs."""
        return Readings(self._context)

    @property
    def moments(self) -> Moments:
        """What the prompts of the tenant's sessions keep."""
        return Moments(self._context)

    def limit(self, seconds: float) -> None:
        """Give its statements so many seconds from now, in place of what they had left."""
        self._context.connection.allow(seconds)

    def is_erased(self, digest: str) -> bool:
        """Whether that content was erased before."""
        return was_erased(self._context.connection, self._context.tenant, digest)
