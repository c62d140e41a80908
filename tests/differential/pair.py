"""One memory on each database, given the same calls, clock and ids; whatever they say must be the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, is_dataclass, replace
from datetime import timedelta
from typing import Any

import bethink
from bethink.domain.source import SourceKind
from bethink.errors import BethinkError
from bethink.memory import BoundMemory, Memory
from bethink.operations.records import Receipt
from bethink.testing.fakes import CountingIds, ManualClock
from tests.behaviour.house import AGENT, MARCH, USER
from tests.databases import Place

HOUR = timedelta(hours=1)


@dataclass
class Site:
    """A memory on one database."""

    place: Place
    clock: ManualClock = field(default_factory=lambda: ManualClock(MARCH))
    ids: CountingIds = field(default_factory=CountingIds)
    memory: Memory | None = None

    def open(self) -> None:
        """Open it, after closing what was open: another process, as far as the store can tell."""
        self.close()
        # The clock of a test stands still and the server's does not, so a loaded machine must not end a search.
        self.memory = bethink.open(
            self.place, clock=self.clock, ids=self.ids, embedder="hash", recall__timeout_ms=120_000
        )

    def close(self) -> None:
        if self.memory is not None:
            self.memory.close()
            self.memory = None

    def bind(self, **about: Any) -> BoundMemory:
        """Maya through her agent, in her own voice."""
        assert self.memory is not None
        return self.memory.bind(USER, **{"agent": AGENT, "voice": "user", **about})


@dataclass
class Pair:
    """The two, in step."""

    sites: tuple[Site, ...]

    def __post_init__(self) -> None:
        for site in self.sites:
            site.open()

    @property
    def now(self) -> Any:
        return self.sites[0].clock.now()

    def advance(self, step: timedelta = HOUR) -> None:
        for site in self.sites:
            site.clock.advance(seconds=step.total_seconds())

    def ask(self, call: Callable[[BoundMemory], Any], **about: Any) -> Any:
        """What both answer to a call; an error is an answer too."""
        first, *others = [said(call, site.bind(**about)) for site in self.sites]
        for other in others:
            assert shown(other) == shown(first)
        return first

    def manage(self, call: Callable[[Memory], Any]) -> Any:
        """What both answer to a call of their owner."""
        first, *others = [call(site.memory) for site in self.sites if site.memory]
        assert others == [first]
        return first

    def recall(self, text: str, about: dict[str, Any] | None = None, **fields: Any) -> tuple[Any, Any]:
        """A recall and its trace, both the same on both, byte for byte."""
        who = about or {}
        result = self.ask(lambda memory: memory.recall(text, **fields), **who)
        trace = self.ask(lambda memory: memory.trace(result.trace_id), **who)
        return result, trace.trace

    def know(self, text: str, **fields: Any) -> Any:
        """A belief that a system vouches for, which leaves no turn behind."""
        return self.ask(lambda memory: memory.remember(text, source=SourceKind.SYSTEM, **fields))

    def check(self) -> None:
        """Neither has broken a rule of its own."""
        for site in self.sites:
            assert site.memory is not None
            told = site.memory.check()
            assert told.findings == ()
        counts = [site.memory.check().counts for site in self.sites if site.memory]
        assert counts[0] == counts[-1]

    def close(self) -> None:
        for site in self.sites:
            site.close()


def said(call: Callable[[BoundMemory], Any], memory: BoundMemory) -> Any:
    """The answer, an error as its code and words."""
    try:
        return call(memory)
    except BethinkError as error:
        return error


def shown(answer: Any) -> str:
    """An answer as text, without what a store's own secret keys and what a database keeps out of reach."""
    if isinstance(answer, Receipt):
        return repr(replace(answer, remains=(), owner="", previous="", digest=""))
    assert is_dataclass(answer) or isinstance(answer, BethinkError), answer
    return repr(answer)
