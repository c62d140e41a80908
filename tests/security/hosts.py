"""Two hosts over one store each, as the suites drive them: who may say what is decided by the credential, not the text.

`KeyedHost` takes what carries the user's key for the user's words and reads what can be taken for granted. In
`SavingHost` whatever carries the key came through an agent that saves what it saw, so nothing is vouched for.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bethink
from bethink.domain.source import SourceKind
from bethink.memory import BoundMemory, Memory
from bethink.operations.recall import RecalledItem


def say(*lines: str) -> None:
    """Put a figure where `pytest -s` shows it."""
    sys.stdout.write("".join(f"\n{line}" for line in lines))


@dataclass(frozen=True)
class Write:
    """One write of a suite: `keyed` is whether it carried the user's key."""

    text: str
    user: str
    keyed: bool
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass
class Host:
    """A fresh store at each `reset`. Writes wait until something is read, so that a common beginning is made once.

    Args:
        voice: whose words a keyed write is: the user's, or the agent's own.
        confirmed: whether only what can be taken for granted is read.
        common: how many of the first writes a run repeats in every store.
    """

    voice: str
    confirmed: bool
    common: int = 0
    embedder: str = "builtin"
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="bethink-host-")))
    _waiting: list[Write] = field(default_factory=list)
    _open: Memory | None = None
    _stores: int = 0

    def reset(self) -> None:
        """Begin with an empty store."""
        self._close()
        self._waiting = []

    def add(self, write: Write) -> None:
        """Take one write."""
        self._waiting.append(write)

    def read(self, query: str, user: str, count: int) -> list[RecalledItem]:
        """The best items for a question, those that are withheld left out: their text is not shown."""
        result = self._bound(user).recall(query, max_items=count, confirmed_only=self.confirmed, budget_tokens=4_000)
        return [item for item in result.items if not item.blocked]

    def metadata(self, item: RecalledItem, user: str) -> Mapping[str, Any]:
        """What was stored beside an item."""
        record = self._bound(user).get(item.id).record
        return {} if record is None else record.content.metadata

    def close(self) -> None:
        """Leave nothing behind."""
        self._close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _bound(self, user: str) -> BoundMemory:
        memory = self._written()
        return memory.bind(user, "assistant", voice="user")

    def _written(self) -> Memory:
        """The store with all that waited."""
        if self._open is None:
            self._stores += 1
            home = self.folder / str(self._stores)
            common = self._waiting[: self.common] if self.common else []
            if common:
                shutil.copytree(self._template(common), home)
                self._waiting = self._waiting[self.common :]
            self._open = self._opened(home)
        self._store(self._open, self._waiting)
        self._waiting = []
        return self._open

    def _template(self, common: Sequence[Write]) -> Path:
        """A closed store that holds the common beginning."""
        name = hashlib.sha256(repr(common).encode()).hexdigest()[:16]
        home = self.folder / f"common-{name}"
        if not home.exists():
            with self._opened(home) as memory:
                self._store(memory, common)
        return home

    def _store(self, memory: Memory, writes: Sequence[Write]) -> None:
        for write in writes:
            metadata = dict(write.metadata)
            if not write.keyed:
                own = memory.bind(write.user, "assistant", voice="user")
                ref = f"page:{hashlib.sha256(write.text.encode()).hexdigest()[:12]}"
                own.remember(write.text, source=SourceKind.DOCUMENT, source_ref=ref, metadata=metadata)
            else:
                memory.bind(write.user, "assistant", voice=self.voice).remember(write.text, metadata=metadata)

    def _opened(self, home: Path) -> Memory:
        return bethink.open(home=home, embedder=self.embedder)

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
            shutil.rmtree(self.folder / str(self._stores), ignore_errors=True)
            self._open = None


def keyed_host(common: int = 0, embedder: str = "builtin") -> Host:
    """A host that knows its user by a key, and reads what can be taken for granted."""
    return Host("user", confirmed=True, common=common, embedder=embedder)


def saving_host(common: int = 0, embedder: str = "builtin") -> Host:
    """A host whose agent saves what it saw under its own name, and reads everything."""
    return Host("agent", confirmed=False, common=common, embedder=embedder)
