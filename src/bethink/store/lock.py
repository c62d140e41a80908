"""The writers' queue: first come, first served, over threads and processes, and it survives any of them dying.

A busy timeout alone lets one writer starve for seconds while others take turns. Here every writer draws a ticket and
waits until all earlier tickets are gone. A ticket is a byte of the lock file, held by a lock of an open file
description: the kernel drops it with the process, so a killed writer never stands in the way, and two stores opened in
one process exclude each other like two processes. The queue orders writers; the database's own lock still guards the
file, so a damaged or deleted lock file costs fairness, never data.
"""

from __future__ import annotations

import fcntl
import os
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bethink.errors import StoreBusy

_COUNTER = struct.Struct("=q")
_FLOCK = struct.Struct("hhqqi0q")
_FIRST_TICKET = 16
_LAST_TICKET = 2**60
_TICKETS = hasattr(fcntl, "F_OFD_SETLK")


class FairLock:
    """The right to write one store. Each holder has its own description of it, so threads queue like processes."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def hold(self, timeout: float) -> Iterator[None]:
        """Hold the lock, waiting at most `timeout` seconds for those who came before.

        Raises:
            StoreBusy: the time ran out.
            OSError: the lock file cannot be made.
        """
        place = _Place(self._path)
        try:
            if not place.take() and not place.wait(timeout):
                raise StoreBusy(f"Other writers held {self._path} for longer than {timeout:.1f} s.")
            yield
        finally:
            place.leave()


class _Place:
    """One place in the queue."""

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        _OPEN.add(self._fd)
        self._process = os.getpid()
        self._ticket: int | None = None
        self._state = threading.Lock()
        self._reached = threading.Event()
        self._waiting = False
        self._left = False

    def take(self) -> bool:
        """Draw a ticket and try the lock without waiting; whether it is ours."""
        try:
            self._advance(wait=False)
        except BlockingIOError:
            return False
        return True

    def wait(self, timeout: float) -> bool:
        """Wait for the turn; whether it came in time. The kernel call cannot be bounded, so a thread makes it."""
        self._waiting = True
        threading.Thread(target=self._wait_in_kernel, name="bethink-lock", daemon=True).start()
        return self._reached.wait(max(0.0, timeout))

    def leave(self) -> None:
        """Give the place up, held or not. A child forked inside holds nothing: its parent does."""
        if self._process != os.getpid():
            return
        with self._state:
            self._left = True
            if not self._waiting or self._reached.is_set():
                self._close()
            elif self._ticket is not None and _TICKETS:
                _lock(self._fd, fcntl.F_UNLCK, self._ticket, 1, wait=False)

    def _wait_in_kernel(self) -> None:
        """Block until the turn comes; when nobody wants it any more, hand it on."""
        try:
            self._advance(wait=True)
        finally:
            with self._state:
                self._reached.set()
                if self._left:
                    self._close()

    def _advance(self, *, wait: bool) -> None:
        """Draw a ticket unless drawn, then lock every earlier one.

        Raises:
            BlockingIOError: somebody is in the way and `wait` is false.
        """
        if not _TICKETS:
            fcntl.flock(self._fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            return
        if self._ticket is None:
            _lock(self._fd, fcntl.F_WRLCK, 0, 1, wait=wait)
            raw = os.pread(self._fd, _COUNTER.size, 0)
            drawn = _COUNTER.unpack(raw)[0] if len(raw) == _COUNTER.size else 0
            drawn = drawn if 0 <= drawn < _LAST_TICKET else 0
            ticket = _FIRST_TICKET + drawn
            _lock(self._fd, fcntl.F_WRLCK, ticket, 1, wait=wait)
            os.pwrite(self._fd, _COUNTER.pack(drawn + 1), 0)
            _lock(self._fd, fcntl.F_UNLCK, 0, 1, wait=wait)
            self._ticket = ticket
        if self._ticket > _FIRST_TICKET:
            _lock(self._fd, fcntl.F_RDLCK, _FIRST_TICKET, self._ticket - _FIRST_TICKET, wait=wait)

    def _close(self) -> None:
        """Unlock before closing: a child forked meanwhile shares the description and could keep it locked."""
        _OPEN.discard(self._fd)
        if _TICKETS:
            _lock(self._fd, fcntl.F_UNLCK, 0, 0, wait=False)
        else:
            fcntl.flock(self._fd, fcntl.LOCK_UN)
        os.close(self._fd)


def _lock(fd: int, kind: int, start: int, length: int, *, wait: bool) -> None:
    """Set a lock of the open file description on a range of bytes; `length` 0 reaches to the end."""
    command = fcntl.F_OFD_SETLKW if wait else fcntl.F_OFD_SETLK
    fcntl.fcntl(fd, command, _FLOCK.pack(kind, os.SEEK_SET, start, length, 0))


_OPEN: set[int] = set()


def _forked() -> None:
    """In the child: let go of the parent's descriptions, lest its death leave them locked."""
    while _OPEN:
        os.close(_OPEN.pop())


os.register_at_fork(after_in_child=_forked)
