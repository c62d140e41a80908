"""Tombstones: that a content was erased, by a keyed hash of it and never by its words."""

from __future__ import annotations

import hashlib

from bethink.store.database import Connection


def was_erased(connection: Connection, tenant: str, digest: str) -> bool:
    """Whether the content with this digest was erased before."""
    return connection.row("has_tombstone", tenant=tenant, digest=keyed_hash(connection, digest)) is not None


def keyed_hash(connection: Connection, digest: str) -> str:
    """BLAKE2b of a content digest under the store's own secret: tells nothing to who does not hold the store."""
    return hashed(store_secret(connection), digest)


def store_secret(connection: Connection) -> bytes:
    """The store's own secret."""
    row = connection.row("read_meta", name="secret")
    return bytes.fromhex(row[0]) if row else b""


def hashed(secret: bytes, text: str) -> str:
    """BLAKE2b of a text under a secret."""
    return hashlib.blake2b(text.encode(), key=secret, digest_size=32).hexdigest()
