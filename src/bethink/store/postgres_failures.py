"""From what PostgreSQL and its driver say to what bethink raises."""

from __future__ import annotations

from typing import Final

import psycopg
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from bethink.errors import (
    BethinkError,
    DeadlineExceeded,
    InvalidInput,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreReadOnly,
)

REACHING: Final = "See that the server runs and can be reached, then repeat the call."
MORE: Final = "Repeat the call, or raise the setting store.pool_max."
RIGHTS: Final = "Grant the role what docs/postgres.md lists, or open the store as its owner."

_KINDS: tuple[tuple[type[psycopg.Error], type[BethinkError], str, str | None], ...] = (
    (errors.QueryCanceled, DeadlineExceeded, "Time ran out inside the database; nothing was committed.", None),
    (errors.LockNotAvailable, StoreBusy, "Other writers held the tenant for too long.", None),
    (errors.DeadlockDetected, StoreBusy, "Two writers waited for each other.", None),
    (errors.SerializationFailure, StoreBusy, "Another writer changed the same rows.", None),
    (errors.TooManyConnections, StoreBusy, "The server takes no more connections.", None),
    (errors.CannotConnectNow, StoreBusy, "The server is starting or stopping.", None),
    (errors.DiskFull, StoreFull, "No space is left for the store.", "Free space on the server and repeat the call."),
    (errors.ReadOnlySqlTransaction, StoreReadOnly, "A snapshot or a replica only reads.", "Write to the primary."),
    (errors.InsufficientPrivilege, StoreReadOnly, "The role may not do this.", RIGHTS),
    (errors.DataCorrupted, StoreCorrupt, "The database is damaged.", None),
    (errors.IndexCorrupted, StoreCorrupt, "An index of the database is damaged.", None),
    (errors.ProgramLimitExceeded, InvalidInput, "A text is larger than the database can hold in a key.", None),
    (errors.UntranslatableCharacter, InvalidInput, "A text holds a character the database cannot store.", None),
    (errors.CharacterNotInRepertoire, InvalidInput, "A text holds a character the database cannot store.", None),
    (PoolTimeout, StoreBusy, "Every connection of the pool is in use.", MORE),
    (TooManyRequests, StoreBusy, "Every connection of the pool is in use.", MORE),
    (PoolClosed, StoreError, "The store is closed.", "Open the store again."),
)


def translate(error: psycopg.Error) -> BethinkError:
    """The typed error for what the server or the driver raised. Never repeats a value: only the server's own words."""
    told = error.diag.message_primary or str(error).partition("\n")[0]
    for kind, ours, words, remedy in _KINDS:
        if isinstance(error, kind):
            return ours(f"{words} ({told})", remedy=remedy)
    if isinstance(error, psycopg.OperationalError) and (error.sqlstate or "08")[:2] in {"08", "57"}:
        return StoreError(f"The connection to the database failed. ({told})", remedy=REACHING)
    if isinstance(error, psycopg.DataError) and "NUL" in told:
        return InvalidInput("A text holds NUL, which no database can store.")
    return StoreError(f"The database refused: {type(error).__name__}: {told}")


def unknown_outcome(error: psycopg.Error) -> StoreError:
    """The typed error for a connection that broke while a write was being committed."""
    told = error.diag.message_primary or str(error).partition("\n")[0]
    return StoreError(
        f"The connection broke while the write was committed: it may have been kept or not. ({told})",
        remedy="Repeat the call with the same idempotency key: it answers what was kept, or does it now.",
    )
