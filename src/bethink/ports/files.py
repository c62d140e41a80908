"""Files as the core sees them: a declared root, what is read below it, and what is passed over and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bethink.operations.files import FilePattern, PassedOver

MAX_BYTES = 1_000_000
"""Bytes of a file that is read."""

MAX_FILES = 2_000
"""Files read below one root."""


@dataclass(frozen=True, slots=True)
class FileText:
    """A file: its path below the root with ``/``, its text, and the SHA-256 of its bytes in hex."""

    path: str
    text: str
    sha256: str


@dataclass(frozen=True, slots=True)
class FolderRead:
    """What lies below a root, by path. `present` is False when the root itself, or its folder, cannot be seen."""

    files: tuple[FileText, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    present: bool = True


class FileReader(Protocol):
    """Reads below declared roots, and nothing else: no link is followed, and sizes are bounded."""

    def root(self, path: str) -> str:
        """The path a root is kept under: absolute, without links.

        Raises:
            InvalidInput: there is no such file or folder, or it is no place to read everything below.
        """
        ...

    def place(self, path: str) -> str:
        """The path it would be kept under, whether or not anything is there any more; as given where it is no path."""
        ...

    def read(self, root: str, pattern: FilePattern) -> FolderRead:
        """Every text below a root that the pattern takes, or the root itself where it is a file."""
        ...
