"""The process that keeps the tests' server: it starts it, waits for the test run to end, and leaves nothing behind.

Usage: ``python -m tests.postgres.keeper FOLDER OWNER``. It says ``ready``, or why not, on one line, then stays until
the process OWNER is gone, however that ended, or until it is told to stop. While it lives it holds the lock of
``FOLDER/alive``.
"""

from __future__ import annotations

import fcntl
import os
import select
import shutil
import signal
import sys
from pathlib import Path
from types import FrameType

from tests.postgres.server import Server

_LOOK_SECONDS = 1.0


class Told(BaseException):
    """The test run says that it is over."""


def main() -> None:
    """Keep one server."""
    folder, owner = Path(sys.argv[1]), int(sys.argv[2])
    signal.signal(signal.SIGTERM, _told)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run that is interrupted still uses the server while it ends
    with (folder / "alive").open("w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        alive.write(str(os.getpid()))
        alive.flush()
        server = Server(folder / "server")
        try:
            server.make()
            server.start()
            _answer("ready")
            _wait_for_end(owner)
        except Told:
            pass
        except Exception as error:
            _answer(f"{type(error).__name__}: {error}".replace("\n", " "))
            raise
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            server.stop()
            shutil.rmtree(folder, ignore_errors=True)


def _told(_number: int, _frame: FrameType | None) -> None:
    raise Told


def _answer(words: str) -> None:
    """The one line that whoever started us waits for; then nobody listens any more."""
    sys.stdout.write(words + "\n")
    sys.stdout.close()


def _wait_for_end(pid: int) -> None:
    """Return when a process is gone."""
    if hasattr(os, "pidfd_open"):
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            return
        select.select([handle], [], [])
        return
    while True:
        select.select([], [], [], _LOOK_SECONDS)
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return


if __name__ == "__main__":
    main()
