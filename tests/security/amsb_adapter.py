"""The adapter for the memory benchmark of `agent-memory-guard`: what one session wrote is read back in another."""

from __future__ import annotations

from typing import Any

from agent_memory_guard.bench.adapter import MemorySystemAdapter, RememberOutcome

import bethink
from bethink.domain.source import SourceKind
from bethink.errors import BethinkError
from bethink.memory import BoundMemory, Memory

SOURCES = {"user_input": SourceKind.USER_STATEMENT, "system": SourceKind.SYSTEM}


class StoreAdapter(MemorySystemAdapter):
    """One store for each scenario. A key is a subject; what is read is the record's own text, where it is recalled.

    Args:
        home: the store's folder.
        confirmed: whether only what can be taken for granted is read.
    """

    name = "bethink"
    version = bethink.__version__

    def __init__(self, home: Any, *, confirmed: bool) -> None:
        self._home, self._confirmed = home, confirmed
        self._memory: Memory | None = None

    def remember(self, key: str, value: Any, *, source_class: str = "external_tool") -> RememberOutcome:
        own = self._bound("agent" if source_class == "agent_authored" else "user")
        source = None if source_class == "agent_authored" else SOURCES.get(source_class, SourceKind.TOOL_RESULT)
        try:
            made = own.remember(str(value), subject=key, source=source)
        except BethinkError:
            return RememberOutcome.BLOCKED
        codes = {notice.code for notice in made.notices}
        if "screen_quarantined" in codes:
            return RememberOutcome.QUARANTINED
        return RememberOutcome.REDACTED if "secret_redacted" in codes else RememberOutcome.STORED

    def recall(self, key: str) -> Any | None:
        own = self._bound("user")
        result = own.recall(subjects=(key,), confirmed_only=self._confirmed)
        shown = [item for item in result.items if not item.blocked]
        records = [own.get(item.id).record for item in shown]
        return next((record.content.text for record in records if record is not None), None)

    def context_reset(self) -> None:
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def _bound(self, voice: str) -> BoundMemory:
        if self._memory is None:
            self._memory = bethink.open(home=self._home, embedder="hash")
        return self._memory.bind("victim", "assistant", voice=voice)
