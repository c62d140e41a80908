"""Where a store lies: whether the place can keep its promises, and whether the file there is a store at all."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

import apsw

from bethink.errors import StoreForeign, StoreUnsafe
from bethink.store.failures import translate_os

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100
_MOUNTS = Path("/proc/self/mounts")

NETWORK = frozenset(
    "afs beegfs ceph cifs coda fuse.ceph fuse.davfs fuse.glusterfs fuse.rclone fuse.s3fs fuse.sshfs gfs2 glusterfs gpfs"
    " lustre ncpfs nfs nfs4 ocfs2 orangefs pvfs2 smb2 smb3 smbfs".split()
)
"""File systems on which locks or shared memory cannot be relied upon between machines."""

SAFE_ENGINES = ((3, 44, 6), (3, 50, 7))
"""Releases before 3.51.3 that carry the fix of the WAL-reset bug, which can corrupt a file two connections write."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the first bytes of a database file say."""

    application_id: int
    pages: int
    page_size: int
    size: int


def check_engine(version: str) -> None:
    """Pass when this SQLite release cannot corrupt a shared file.

    Raises:
        StoreUnsafe: it is older than the fix.
    """
    numbers = tuple(int(part) for part in version.split(".")[:3])
    fixed = any(numbers[:2] == safe[:2] and numbers >= safe for safe in SAFE_ENGINES)
    if numbers < (3, 51, 3) and not fixed:
        raise StoreUnsafe(
            f"SQLite {version} can corrupt a store that two connections write.",
            remedy="Install a newer apsw: pip install --upgrade apsw.",
        )


def check_mount(path: Path, mounts: str) -> None:
    """Pass unless `path` lies on a network file system, by the text of ``/proc/self/mounts``.

    Raises:
        StoreUnsafe: it does.
    """
    best, kind, device = "", "", ""
    for line in mounts.splitlines():
        source, point, type_name = (*line.split(" "), "", "", "")[:3]
        point = point.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\")
        inside = path.is_relative_to(point) if point else False
        if inside and len(point) >= len(best):
            best, kind, device = point, type_name, source
    # A 9p root without a source is a sandbox's own disk; with one it is a share of the host.
    if kind in NETWORK or (kind == "9p" and device != "none"):
        raise StoreUnsafe(f"{path} lies on {best}, a network file system ({kind}).")


def check_place(path: Path) -> None:
    """Pass when engine and file system can keep the store's promises.

    Raises:
        StoreUnsafe: they cannot.
    """
    check_engine(apsw.sqlite_lib_version())
    try:
        mounts = _MOUNTS.read_text("utf-8", "surrogateescape")
    except OSError:
        return  # not Linux: there is nothing to ask
    check_mount(path.resolve(), mounts)


def read_header(path: Path, vfs: str) -> Header:
    """The first bytes of the file, read through the engine.

    Opening the file ourselves would drop, on closing, the locks this process holds on it (POSIX locks work so).

    Raises:
        StoreForeign: not a regular file, or no database.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise StoreForeign(f"{path} is not a file.")
    file = apsw.VFSFile(vfs, str(path), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    try:
        head = file.xRead(_HEADER, 0) if file.xFileSize() >= _HEADER else b""
        size = file.xFileSize()  # after the header, for a checkpoint of another process may be growing the file
    finally:
        file.xClose()
    if not head.startswith(_MAGIC):
        raise StoreForeign(f"{path} is not a database, or is cut short.")
    page_size = int.from_bytes(head[16:18], "big")
    return Header(
        application_id=int.from_bytes(head[68:72], "big"),
        pages=int.from_bytes(head[28:32], "big"),
        page_size=65536 if page_size == 1 else page_size,
        size=size,
    )


def check_header(path: Path, header: Header, application_id: int) -> None:
    """Pass when the file is a store of this kind and whole.

    A log beside it may hold the pages the file lacks, after a crash in the middle of a checkpoint; only without one is
    a short file certainly cut.

    Raises:
        StoreForeign: it is not.
    """
    if header.application_id != application_id:
        raise StoreForeign(f"{path} is a database of another program.")
    logged = log_size(path) > 0
    if header.size < header.pages * header.page_size and not logged:
        raise StoreForeign(f"{path} is cut short: {header.size} bytes of {header.pages * header.page_size}.")


def log_size(path: Path) -> int:
    """Bytes of the log beside a file, 0 without one: whoever leaves the file last removes it, at any moment."""
    try:
        return Path(f"{path}-wal").stat().st_size
    except FileNotFoundError:
        return 0


def writable(path: Path) -> bool:
    """Whether this process may write the file (or make it) and the folder its log needs."""
    folder = path.parent
    return os.access(folder, os.W_OK | os.X_OK) and (not path.exists() or os.access(path, os.W_OK))


def check_no_log(path: Path) -> None:
    """Pass unless a log lies where a file is to be made: the engine would play it into the new one.

    Raises:
        StoreForeign: there is one, with what a database that was taken away may not have held yet.
    """
    if log_size(path) > 0:
        raise StoreForeign(
            f"{path}-wal is the log of a database that is not there.",
            remedy="Put the database back beside it, or move the log away to begin anew.",
        )


def make_empty(path: Path) -> None:
    """An empty file that only its owner may read; what a crash left there goes."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def put_in_place(fresh: Path, path: Path) -> None:
    """Rename a finished file and make the name durable."""
    fresh.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def stamp(path: Path) -> object:
    """What changes when a file is made, written or removed."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise translate_os(error, path) from error
    return found.st_mtime_ns, found.st_size, found.st_ino
