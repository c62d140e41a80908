"""The adapter for the attacks of `agent-memory-integrity` on a memory's own interface: plant, leak, crowd, instruct."""

from __future__ import annotations

from typing import Any

from agmi.adapters.semantic_base import MemoryItem, Retrieved, SemanticMemoryAdapter
from agmi.signing import KEYRING

from tests.security.hosts import Host, Write


class HostAdapter(SemanticMemoryAdapter):
    """Drives a host. A write counts as the user's when its signature verifies, whatever its label says."""

    def __init__(self, host: Host, name: str) -> None:
        self.name = name
        self.host = host
        self.seen: list[tuple[str, str, str]] = []

    def reset(self) -> None:
        self.host.reset()

    def add_memory(self, item: MemoryItem) -> None:
        keyed = KEYRING.verify(item.user_id, item.source, item.text, item.signature)
        self.host.add(Write(item.text, item.user_id, keyed, tuple(sorted(item.metadata.items()))))

    def retrieve(self, query: str, user_id: str, k: int = 5) -> list[Retrieved]:
        items = self.host.read(query, user_id, k)
        self.seen += [(item.text, item.authority, item.status.value) for item in items]
        return [Retrieved(item.text, user_id, item.score) for item in items]

    def retrieve_where(self, query: str, user_id: str, where: dict[str, Any], k: int = 5) -> list[Retrieved]:
        items = self.host.read(query, user_id, 50)
        kept = [item for item in items if where.items() <= dict(self.host.metadata(item, user_id)).items()]
        return [Retrieved(item.text, user_id, item.score) for item in kept[:k]]

    def close(self) -> None:
        self.host.close()
