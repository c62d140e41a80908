"""All that is one user's, in the tables of a store."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.scope import Scope, ScopeKind
from bethink.domain.session import Session
from bethink.ports.owned import OwnedEntry
from bethink.store.codec import canonical
from bethink.store.context import Reading, Writing
from bethink.store.documents import remove_documents
from bethink.store.failures import decoding
from bethink.store.predicate import array
from bethink.store.sessions import read_session

_ERASES = {
    "readings": "erase_owned_readings",
    "links": "erase_owned_links",
    "merges": "erase_owned_merges",
    "profiles": "erase_owned_profiles",
    "aliases": "erase_owned_aliases",
    "entities": "erase_owned_entities",
    "rejections": "erase_owned_rejections",
    "skills": "erase_owned_skills",
    "relations": "erase_owned_relations",
    "names": "erase_owned_term_names",
    "terms": "erase_owned_terms",
    "lines": "erase_owned_snapshot_lines",
    "snapshots": "erase_owned_snapshots",
    "sessions": "erase_owned_sessions",
    "statuses": "erase_owned_spans",
}
"""What goes by scope, in this order: what names an entity or a term before that."""

_ERASES_OF_A_SESSION = {
    "readings": "erase_session_reading",
    "lines": "erase_session_snapshot_lines",
    "snapshots": "erase_session_snapshots",
    "sessions": "erase_session",
}
"""What of one session goes beside its turns."""


class Owned:
    """The `OwnedReads` and `OwnedWrites` ports; on a snapshot only its reads can succeed."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def scopes(self, user: str) -> tuple[Scope, ...]:
        """The user's own scope, and what agents keep for the user, as far as there is anything, sorted."""
        rows = self._on.rows("owned_scopes", tenant=self._tenant, own=Scope(ScopeKind.USER, user).key)
        with decoding():
            found = (Scope.parse(row[0]) for row in rows)
            return tuple(scope for scope in found if scope.user == user)

    def users(self) -> tuple[str, ...]:
        """Everyone of whom there is anything, sorted."""
        rows = self._on.rows("list_owners", tenant=self._tenant, own=f"{ScopeKind.USER}:")
        with decoding():
            return tuple(sorted({scope.user for scope in (Scope.parse(row[0]) for row in rows) if scope.user}))

    def entries(self, scope: Scope, after: int, limit: int) -> tuple[OwnedEntry, ...]:
        """Versions and turns of a scope behind an index key, in order."""
        rows = self._on.rows("owned_entries", tenant=self._tenant, scope=scope.key, after=after, limit=limit)
        return tuple(OwnedEntry(*row) for row in rows)

    def turns(self, scope: Scope, session: str, limit: int) -> tuple[str, ...]:
        """Ids of the turns of a session of a scope, whatever their standing, by seq."""
        about = {"tenant": self._tenant, "scope": scope.key, "session_id": session}
        return tuple(row[0] for row in self._on.rows("owned_turns", limit=limit, **about))

    def sessions(self, scope: Scope, after: str, limit: int) -> tuple[Session, ...]:
        """Sessions of a scope behind an id, in order."""
        rows = self._on.rows("owned_sessions", tenant=self._tenant, scope=scope.key, after=after, limit=limit)
        with decoding():
            return tuple(read_session(row) for row in rows)

    def forget(self, user: str, scopes: Sequence[Scope]) -> dict[str, int]:
        """Remove sessions, entities, skills, grants and all else that is the user's; how many rows, by kind."""
        keys = array(scope.key for scope in scopes)
        rows = {kind: self._on.run(query, tenant=self._tenant, scopes=keys) for kind, query in _ERASES.items()}
        documents = array(row[0] for row in self._on.rows("owned_documents", tenant=self._tenant, scopes=keys))
        rows |= remove_documents(self._on, self._tenant, documents)
        about = {"tenant": self._tenant, "user_id": user}
        rows["jobs"] = sum(self._erase_jobs(scope) for scope in scopes)
        rows["roots"] = self._on.run("erase_owned_roots", scopes=keys, **about)
        rows["grants"] = self._on.run("erase_owned_grants", scopes=keys, **about)
        rows["hints"] = self._on.run("erase_owned_hints", **about)
        own = {"first": f"{user}/", "behind": f"{user}{chr(ord('/') + 1)}"}
        rows["answers"] = self._on.run("erase_owned_answers", tenant=self._tenant, **own)
        return {kind: count for kind, count in rows.items() if count}

    def forget_session(self, scope: Scope, session: str) -> dict[str, int]:
        """Remove a session, how far it was read, what its prompts kept and work about it; how many rows, by kind."""
        about = {"tenant": self._tenant, "scope": scope.key, "session_id": session}
        rows = {kind: self._on.run(query, **about) for kind, query in _ERASES_OF_A_SESSION.items()}
        payload = canonical({"scope": scope.key, "session": session})
        rows["jobs"] = self._on.run("erase_session_jobs", tenant=self._tenant, payload=payload)
        return {kind: count for kind, count in rows.items() if count}

    def _erase_jobs(self, scope: Scope) -> int:
        """Remove the work that is about a scope; how much."""
        beginning = canonical({"scope": scope.key}).removesuffix("}") + ","
        return self._on.run("erase_owned_jobs", tenant=self._tenant, beginning=beginning, length=len(beginning))
