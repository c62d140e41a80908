"""Tenants on several servers: which store a tenant lives in, and one memory that hands each call to the right one.

The program knows where a tenant lives; no server does. So any number of independent servers serve as one, and no
question ever spans two of them, for none spans two tenants.
"""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from bethink.domain.scope import Grant
from bethink.errors import BethinkError, InvalidInput
from bethink.memory import BoundMemory, Memory
from bethink.operations.upkeep import CheckResult, EmbedResult, RepairResult

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Directory:
    """Where tenants live. `servers` are URLs by name, `tenants` names of servers; the others live on `default`.

    Raises:
        InvalidInput: a tenant, or the default, names no server.
    """

    servers: Mapping[str, str] = field(repr=False)
    """Out of its representation, since a URL may hold a password."""
    default: str
    tenants: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        unknown = {self.default, *self.tenants.values()} - set(self.servers)
        if unknown:
            raise InvalidInput(f"The directory has no server {min(unknown)[:40]!r}.", remedy="Add it to its servers.")
        if len(set(self.servers.values())) < len(self.servers):
            raise InvalidInput("The directory names one URL twice.", remedy="Give each server one name.")

    def server_of(self, tenant: str) -> str:
        """The name of the server a tenant lives on."""
        return self.tenants.get(tenant, self.default)


def read_directory(path: Path) -> Directory:
    """The directory of a TOML file: ``default``, and the tables ``servers`` and ``tenants``.

    Raises:
        InvalidInput: the file cannot be read, or is no directory.
    """
    try:
        told = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise InvalidInput(f"{path} cannot be read as TOML: {error}.") from error
    servers, tenants, default = told.pop("servers", None), told.pop("tenants", {}), told.pop("default", None)
    tables = (servers, tenants)
    sound = isinstance(default, str) and all(
        isinstance(table, dict) and all(isinstance(value, str) for value in table.values()) for table in tables
    )
    if told or not sound:
        raise InvalidInput(
            f"{path} is no directory of servers.",
            remedy="Give `default`, a table [servers] of URLs by name, and a table [tenants] of names of servers.",
        )
    return Directory(servers, default, tenants)


class ServedMemory:
    """One memory over several stores. Use it as a context manager, or call `close`. May be used by many threads."""

    def __init__(self, directory: Directory, opener: Callable[[str], Memory]) -> None:
        """Open nothing yet: `opener` opens the store of a URL when a tenant of it is first asked for."""
        self.directory = directory
        self._opener = opener
        self._lock = threading.Lock()
        self._locks = {name: threading.Lock() for name in directory.servers}
        self._opened: dict[str, Memory] = {}
        self._closed = False

    def of(self, tenant: str) -> Memory:
        """The memory a tenant lives in, for what is not routed here. It refuses no other tenant: name this one only.

        Raises:
            StoreError: its server cannot be used; the tenants of the others are not touched by that.
        """
        return self._memory(self.directory.server_of(tenant))

    def bind(
        self, user: str | None = None, agent: str | None = None, project: str | None = None, *, tenant: str, **more: Any
    ) -> BoundMemory:
        """The memory of a tenant's server as one caller sees it; see `Memory.bind`."""
        return self.of(tenant).bind(user, agent, project, tenant=tenant, **more)

    def grant(self, user: str, agent: str, scope: str, *, tenant: str, **rights: bool) -> Grant:
        """Let an agent read or write a scope; see `Memory.grant`."""
        return self.of(tenant).grant(user, agent, scope, tenant=tenant, **rights)

    def revoke(self, user: str, agent: str, scope: str, *, tenant: str) -> bool:
        """Take a grant back; whether there was one."""
        return self.of(tenant).revoke(user, agent, scope, tenant=tenant)

    def grants(self, *, tenant: str) -> tuple[Grant, ...]:
        """Every grant of a tenant."""
        return self.of(tenant).grants(tenant=tenant)

    def check(self) -> dict[str, CheckResult | BethinkError]:
        """What `Memory.check` says of every server, by name; the error of one that cannot be used."""
        return self._all(Memory.check)

    def repair(self) -> dict[str, RepairResult | BethinkError]:
        """What `Memory.repair` says of every server, by name; the error of one that cannot be used."""
        return self._all(Memory.repair)

    def embed_pending(self) -> dict[str, EmbedResult | BethinkError]:
        """What was embedded on every server, by name; the error of one that cannot be used."""
        return self._all(Memory.embed_pending)

    def close(self) -> None:
        """Close every store that was opened; closing twice is harmless."""
        with self._lock:
            self._closed = True
            opened = list(self._opened.values())
        with ExitStack() as all_of_them:
            for memory in opened:
                all_of_them.callback(memory.close)

    def _all(self, call: Callable[[Memory], T]) -> dict[str, T | BethinkError]:
        """What a call says of every server, one after the other."""
        told: dict[str, T | BethinkError] = {}
        for name in self.directory.servers:
            try:
                told[name] = call(self._memory(name))
            except BethinkError as error:
                told[name] = error
        return told

    def _memory(self, name: str) -> Memory:
        """The store of a server, opened once; those who wait for one hold nobody up who wants another."""
        with self._locks[name]:
            if name not in self._opened:
                opened = self._opener(self.directory.servers[name])
                with self._lock:
                    if not self._closed:
                        self._opened[name] = opened
                        return opened
                opened.close()
                raise InvalidInput("The memory is closed.", remedy="Open it again.")
            return self._opened[name]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
