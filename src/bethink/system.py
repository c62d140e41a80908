"""The machine's clock, randomness and files: the only place the present, chance and the disk come from."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import threading
import time
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from uuid import UUID

from bethink.domain.time import to_micros
from bethink.errors import InvalidInput
from bethink.operations.files import FilePattern, PassedOver
from bethink.ports.files import MAX_BYTES, MAX_FILES, FileText, FolderRead

_FOR_AGENTS = frozenset({"CLAUDE.md", "AGENTS.md", "MEMORY.md"})
_PASSED_BY = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The present in UTC, to the microsecond."""
        return datetime.now(UTC)

    def elapsed(self) -> float:
        """Seconds since an arbitrary start, never going back."""
        return time.perf_counter()


class RandomIds:
    """UUIDv7 ids (RFC 9562): 48 bits of milliseconds, 12 of the microseconds within, 62 random.

    Ids made by one instance sort in the order they were made, even within a microsecond.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def new(self, at: datetime) -> str:
        """A new id whose time part is `at`, or one step past the last id when `at` is not later."""
        stamp = _stamp(at)
        with self._lock:
            stamp = max(stamp, self._last + 1)
            self._last = stamp
        return uuid7(stamp, int.from_bytes(os.urandom(8), "big"))


def _stamp(at: datetime) -> int:
    """60 bits: milliseconds and a 12-bit fraction of one."""
    micros = max(0, to_micros(at))
    return (micros // 1000 << 12) | (micros % 1000 * 4096 // 1000)


def uuid7(stamp: int, chance: int) -> str:
    """Lay 60 bits of time and 62 of chance out as a version 7 UUID."""
    high = (stamp >> 12 & (1 << 48) - 1) << 16 | 0x7 << 12 | stamp & 0xFFF
    low = 0b10 << 62 | chance & (1 << 62) - 1
    return str(UUID(int=high << 64 | low))


class DiskFiles:
    """The machine's files. Folders are walked by descriptor and no link is followed, so nothing leads out of a root."""

    def root(self, path: str) -> str:
        """The path a root is kept under: absolute, without links.

        Raises:
            InvalidInput: there is no such file or folder, or it is the top of the file system.
        """
        if not path or "\0" in path:
            raise InvalidInput("A root needs a path.")
        try:
            found = Path(path).expanduser().resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise InvalidInput(f"There is no file or folder {path[:200]!r}.") from error
        if found == Path(found.anchor):
            raise InvalidInput("The top of the file system is no root.", remedy="Name a folder of notes, or a file.")
        if not (found.is_dir() or found.is_file()):
            raise InvalidInput(f"{path[:200]!r} is neither a file nor a folder.")
        return str(found)

    def place(self, path: str) -> str:
        """The path it would be kept under, whether or not anything is there any more; as given where it is no path."""
        try:
            return str(Path(path).expanduser().resolve())
        except (OSError, RuntimeError, ValueError):
            return path

    def read(self, root: str, pattern: FilePattern) -> FolderRead:
        """Every text below a root that the pattern takes, or the root itself where it is a file."""
        at = Path(root)
        if not at.is_dir():
            return self._alone(at)
        files: list[FileText] = []
        passed: list[PassedOver] = []
        for folder, folders, names, descriptor in os.fwalk(at, follow_symlinks=False):
            folders[:] = sorted(name for name in folders if _entered(name))
            for name in sorted(names):
                path = (Path(folder) / name).relative_to(at).as_posix()
                if not _taken(PurePosixPath(path), pattern):
                    continue
                if len(files) == MAX_FILES:
                    return FolderRead(tuple(files), (*passed, PassedOver(path, "too_many")))
                found = _text(name, path, descriptor)
                if isinstance(found, PassedOver):
                    passed.append(found)
                else:
                    files.append(found)
        return FolderRead(tuple(sorted(files, key=lambda file: file.path)), tuple(passed))

    def _alone(self, at: Path) -> FolderRead:
        """A root that is one file; its folder tells whether it is gone or cannot be seen."""
        try:
            descriptor = os.open(at.parent, os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            return FolderRead(present=False)
        try:
            names = os.listdir(descriptor)  # noqa: PTH208 - of the folder that is open, whatever its path names by now
            if at.name not in names:
                return FolderRead(present=bool(names))
            found = _text(at.name, at.name, descriptor)
        finally:
            os.close(descriptor)
        return FolderRead(passed_over=(found,)) if isinstance(found, PassedOver) else FolderRead((found,))


def _entered(name: str) -> bool:
    """Whether a folder is looked into."""
    return name == ".claude" or not (name.startswith(".") or name in _PASSED_BY)


def _taken(path: PurePosixPath, pattern: FilePattern) -> bool:
    """Whether a file is one of those a pattern takes."""
    if path.suffix.lower() not in {".md", ".markdown"}:
        return False
    kept = {part.lower() for part in path.parts[:-1]} & {"memory", "memories"}
    return pattern == "markdown" or path.name in _FOR_AGENTS or bool(kept)


def _text(name: str, path: str, folder: int) -> FileText | PassedOver:
    """A file of an open folder, or why it is passed over."""
    try:
        opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError as error:
        return PassedOver(path, "link" if error.errno in {errno.ELOOP, errno.EMLINK} else "unreadable")
    with os.fdopen(opened, "rb") as file:
        about = os.fstat(opened)
        if not stat.S_ISREG(about.st_mode):
            return PassedOver(path, "not_a_file")
        data = b"" if about.st_size > MAX_BYTES else file.read(MAX_BYTES + 1)
    if about.st_size > MAX_BYTES or len(data) > MAX_BYTES:
        return PassedOver(path, "too_large")
    try:
        return FileText(path, data.decode("utf-8-sig"), hashlib.sha256(data).hexdigest())
    except UnicodeDecodeError:
        return PassedOver(path, "not_text")
