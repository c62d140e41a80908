"""The one server of a test run, started by the first test that asks, and a fresh database for each who asks.

The run owns a folder. Whoever needs the server first, in whatever worker, starts a keeper (`keeper.py`) under a lock
and makes the template: a database that went through the migrations. Stores are copies of it, cleaned and lent again.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from psycopg import sql

from tests.postgres.cleaning import clean
from tests.postgres.server import Server
from tests.postgres.template import OWNER, make_extensions, make_roles, make_template

ROOT = Path(__file__).parents[2]
TEMPLATE = "bethink_template"
_LONGEST_SOCKET = 60
"""Bytes of a folder's path below which its socket's path fits the 107 the system allows."""


def make_folder() -> Path:
    """A new folder for one run, which everybody may enter and nobody else may list."""
    usual = Path(tempfile.gettempdir())
    place = usual if len(os.fsencode(usual)) <= _LONGEST_SOCKET else Path("/tmp")  # noqa: S108 - a short path is needed
    folder = Path(tempfile.mkdtemp(prefix="bethink-pg-", dir=place))
    folder.chmod(0o711)
    return folder


def stop(folder: Path) -> None:
    """End the run's server, when it has one, and wait until it is gone."""
    alive = folder / "alive"
    if not alive.exists():
        return
    with alive.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.kill(int(file.read()), signal.SIGTERM)
            fcntl.flock(file, fcntl.LOCK_EX)


@dataclass
class Cluster:
    """The server of a run. `owner` is the process whose end is the run's end."""

    folder: Path
    owner: int
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _free: list[str] = field(default_factory=list)
    _server: Server | None = None

    @property
    def server(self) -> Server:
        """The server, running."""
        if self._server is None:
            with (self.folder / "lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._server = Server(self.folder / "server")
                if not (self.folder / "alive").exists():
                    self._start()
                    self._make_template(self._server)
                    (self.folder / "made").touch()
                assert (self.folder / "made").exists(), "another worker could not make the tests' PostgreSQL"
        return self._server

    @contextmanager
    def lend(self) -> Iterator[str]:
        """A clean store, emptied when it comes back; its database's name. Its schema is not to be changed."""
        name = self._free.pop() if self._free else self._fresh()
        yield name
        with psycopg.connect(self.server.url(name), autocommit=True) as on:
            clean(on)
        self._free.append(name)

    @contextmanager
    def database(self) -> Iterator[str]:
        """A database of one's own, dropped on leaving; its name. A copy takes 0.1 s or more, cleaning one 5 ms."""
        name = self._fresh()
        try:
            yield name
        finally:
            self._run(self.server, "drop database if exists {} with (force)", name)

    def _fresh(self) -> str:
        """A new copy of the template: of its files, which takes half of what writing each page to the log does."""
        name = f"t{os.getpid()}_{next(self._numbers)}"
        self._run(self.server, "create database {} template {} strategy file_copy", name, TEMPLATE)
        return name

    @staticmethod
    def _run(server: Server, statement: str, *names: str) -> None:
        with psycopg.connect(server.url("postgres"), autocommit=True) as on:
            on.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

    def _start(self) -> None:
        """Start the keeper and wait for its one line."""
        with subprocess.Popen(
            [sys.executable, "-m", "tests.postgres.keeper", str(self.folder), str(self.owner)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True, cwd=ROOT,
        ) as keeper:  # fmt: skip
            said = keeper.stdout.readline().decode()
            assert said == "ready\n", f"the tests' PostgreSQL did not start: {said}"
            keeper.returncode = 0  # it outlives us, so nobody here may wait for it

    def _make_template(self, server: Server) -> None:
        make_roles(server.url("postgres"))
        self._run(server, "create database {} owner {}", TEMPLATE, OWNER)
        make_extensions(server.url(TEMPLATE))
        make_template(server.url(TEMPLATE, OWNER))
