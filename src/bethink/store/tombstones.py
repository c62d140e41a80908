"""Tombstones: that a content was erased, by a keyed hash of it and never by its words."""

from __future__ import annotations

import hashlib

from bethink.store.database import Connection


def was_erased(connection: Connection, tenant: str, digest: str) -> bool:
    """Whether the content with this digest was erased before."""
    return connection.row("has_tombstone", tenant=tenant, digest=keyed_hash(connection, digest)) is not None


def keyed_hash(connection: Connection, digest: str) -> str:
    """BLAKE2b of a content digest under the store's own secret: tells nothing to who does not hold the store."""
    row = connection.row("read_meta", name="secret")
    secret = bytes.fromhex(row[0]) if row else b""
    return hashlib.blake2b(digest.encode(), key=secret, digest_size=32).hexdigest()
