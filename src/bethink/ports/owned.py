"""What the core asks of all that is one user's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bethink.domain.scope import Scope
from bethink.domain.session import Session


class OwnedEntry(NamedTuple):
    """One version of a record, or a turn: its index key, the record's or turn's id, the project it was learned in."""

    key: int
    id: str
    project: str | None


class OwnedReads(Protocol):
    """Reading what is a user's, whoever may read it."""

    def scopes(self, user: str) -> tuple[Scope, ...]:
        """The user's own scope, and what agents keep for the user, as far as there is anything, sorted."""
        ...

    def users(self) -> tuple[str, ...]:
        """Everyone of whom there is anything, sorted."""
        ...

    def entries(self, scope: Scope, after: int, limit: int) -> tuple[OwnedEntry, ...]:
        """Versions and turns of a scope behind an index key, in order."""
        ...

    def turns(self, scope: Scope, session: str, limit: int) -> tuple[str, ...]:
        """Ids of the turns of a session of a scope, whatever their standing, by seq."""
        ...

    def sessions(self, scope: Scope, after: str, limit: int) -> tuple[Session, ...]:
        """Sessions of a scope behind an id, in order."""
        ...


class OwnedWrites(OwnedReads, Protocol):
    """Erasing what is a user's beside records and turns."""

    def forget(self, user: str, scopes: Sequence[Scope]) -> dict[str, int]:
        """Remove sessions, entities, skills, grants and all else that is the user's; how many rows, by kind.

        Records and turns are erased before: what still names them here goes too.
        """
        ...

    def forget_session(self, scope: Scope, session: str) -> dict[str, int]:
        """Remove a session, how far it was read, what its prompts kept and the work about it; how many rows, by kind.

        Its turns are erased before.
        """
        ...
