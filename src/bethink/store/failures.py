"""From what the database engine and the operating system say to what bethink raises."""

from __future__ import annotations

import errno
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from bethink.errors import (
    BethinkError,
    DeadlineExceeded,
    InvalidInput,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreForeign,
    StoreFull,
    StoreReadOnly,
)

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_DENIED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})

_KINDS: tuple[tuple[type[apsw.Error], type[BethinkError], str], ...] = (
    (apsw.InterruptError, DeadlineExceeded, "The time given ran out inside the database; nothing was committed."),
    (apsw.BusyError, StoreBusy, "Another program holds the database locked."),
    (apsw.LockedError, StoreBusy, "Another statement holds the database locked."),
    (apsw.FullError, StoreFull, "No space is left for the store."),
    (apsw.ReadOnlyError, StoreReadOnly, "The store cannot be written."),
    (apsw.PermissionsError, StoreReadOnly, "The store's file may not be written."),
    (apsw.CorruptError, StoreCorrupt, "The database is damaged."),
    (apsw.NotADBError, StoreForeign, "The file is not a database."),
    (apsw.TooBigError, InvalidInput, "A text is larger than the database can hold."),
)


def translate(error: apsw.Error, handle: apsw.Connection | None = None) -> BethinkError:
    """The typed error for what the engine raised; `handle` tells the system's own reason."""
    for kind, ours, words in _KINDS:
        if isinstance(error, kind):
            return ours(f"{words} ({error})")
    number = handle.system_errno if handle is not None else 0
    if number in _FULL:
        return StoreFull(f"No space is left for the store. ({error})")
    if isinstance(error, apsw.CantOpenError) and number in _DENIED:
        return StoreReadOnly(f"The store may not be opened. ({error})")
    if isinstance(error, apsw.IOError) and getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHORT_READ:
        return StoreCorrupt(f"The database file is cut short. ({error})")
    return StoreError(f"The database refused: {type(error).__name__}: {error}.")


def translate_os(error: OSError, path: Path) -> BethinkError:
    """The typed error for what the operating system said about a path."""
    if error.errno in _FULL:
        return StoreFull(f"No space is left to write {path}.")
    if error.errno in _DENIED:
        return StoreReadOnly(f"{path} may not be written.")
    return StoreError(f"{path} cannot be used: {error.strerror or error}.")


@contextmanager
def decoding() -> Iterator[None]:
    """Read stored values inside; one that no longer reads as what was written is damage, not a defect of the reader.

    Raises:
        StoreCorrupt: a value is damaged.
    """
    try:
        yield
    except (ValueError, KeyError, IndexError, TypeError, OverflowError, zlib.error, InvalidInput) as error:
        raise StoreCorrupt(f"A stored value is damaged. ({type(error).__name__})") from error


@contextmanager
def typed(path: Path, handle: apsw.Connection | None = None) -> Iterator[None]:
    """Run a block whose engine and system errors become ours."""
    try:
        yield
    except apsw.Error as error:
        raise translate(error, handle) from error
    except OSError as error:
        raise translate_os(error, path) from error
