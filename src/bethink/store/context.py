"""What the repositories share: the connection, the tenant, and in a write the counter and what follows a write."""

from __future__ import annotations

from dataclasses import dataclass

from bethink.store.card import IndexCard
from bethink.store.database import Connection
from bethink.store.index import SearchIndex

TOGETHER = 1_024
"""Entries whose words the index is told of at once: some 25,000 postings, 10 MB while they are put in order."""

LOOK = 1_024
"""Positions from one look for what may be sealed to the next."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One tenant on one connection."""

    connection: Connection
    tenant: str


class Writing:
    """One tenant inside one write transaction.

    The writer's lock is held, so the counter can be moved here and written once, at the end.
    """

    def __init__(self, connection: Connection, tenant: str, position: int, index: SearchIndex) -> None:
        self.connection = connection
        self.tenant = tenant
        self.position = position
        self._start = position
        self._index = index
        self._cards: list[IndexCard] = []
        self._noted: set[tuple[str, str]] = set()
        self._scopes: set[str] = set()
        self._indexing = False
        self._standings: dict[str, list[object]] = {}
        self._heads: dict[str, int] = {}

    def stands(self, item: str, status: str, ends_at: int | None, successor: str | None) -> None:
        """Note what a record or turn is from here on, for the log."""
        self._standings[item] = [status, ends_at, successor]

    def heads(self, record: str, number: int) -> None:
        """Note which version of a record is the live one from here on, for the log."""
        self._heads[record] = number

    def changes(self) -> dict[str, object]:
        """What was noted and not asked for yet: the log of a tenant tells by it how everything stands."""
        found = {"standings": self._standings, "heads": self._heads}
        self._standings, self._heads = {}, {}
        return {name: noted for name, noted in found.items() if noted}

    @property
    def moved(self) -> bool:
        """Whether anything took a position."""
        return self.position > self._start

    def take(self) -> int:
        """The next position, this write's own."""
        self.position += 1
        return self.position

    def index(self, card: IndexCard) -> None:
        """Tell the search index about a new version or turn, and queue its vector.

        The index is told of many at once: their words, put in order, touch each page of it once.
        """
        self.connection.post("add_pending", tenant=self.tenant, key=card.key)
        self._cards.append(card)
        self._scopes.add(card.scope)
        if len(self._cards) >= TOGETHER:
            self.flush()

    def flush(self) -> None:
        """Tell the search index what it was not told yet; before the end, and before anything is taken out of it."""
        if not self._cards:
            return
        if not self._indexing:
            self._index.begin(self.connection)
            self._indexing = True
        self._index.add(self.connection, self.tenant, self._cards, self._noted)
        self._cards.clear()

    def seal(self) -> None:
        """Let the index seal what fills up, of the scopes this write told it of; when every row is written.

        It is asked once in `LOOK` positions, for asking counts entries.
        """
        if self._start // LOOK != self.position // LOOK:
            for scope in sorted(self._scopes):
                self._index.seal(self.connection, (self.tenant, scope), self.position - self._start)

    def keep_vectors(self, old: int, new: int, scope: str) -> None:
        """Give an entry the vectors of another one with the same words."""
        self._index.copy_vectors(self.connection, (self.tenant, scope), old, new)
