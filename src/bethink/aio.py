"""`AsyncMemory`: a bound memory for asyncio. Each call is one hop to a thread of a small pool of its own.

One hop around a whole operation costs microseconds; a hop per statement would cost more than the operation. The
methods are those of `BoundMemory`, and a test holds their signatures together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

from bethink.memory import BoundMemory
from bethink.operations.entities import (
    EntitiesRequest,
    EntitiesResult,
    EntityCard,
    MergeEntitiesRequest,
    MergeEntitiesResult,
    ProfileRequest,
    ProfileResult,
)
from bethink.operations.episodes import (
    EpisodesRequest,
    EpisodesResult,
    RecallEpisodesRequest,
    RecallEpisodesResult,
)
from bethink.operations.explain import TraceResult, WhyResult
from bethink.operations.importing import ImportRequest, ImportResult
from bethink.operations.quarantine import QuarantineRequest, QuarantineResult, ReviewRequest, ReviewResult
from bethink.operations.recall import RecallRequest, RecallResult
from bethink.operations.records import ForgetRequest, GetRequest, GetResult, Receipt
from bethink.operations.remember import RememberRequest, RememberResult
from bethink.operations.revise import ReviseRequest, ReviseResult

T = TypeVar("T")
WORKERS = 4


class AsyncMemory:
    """A bound memory whose methods are awaited. As an async context manager it lets its threads go at the end."""

    def __init__(self, memory: BoundMemory, workers: int = WORKERS) -> None:
        self._memory = memory
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="bethink")

    async def remember(self, request: RememberRequest | str, **fields: Any) -> RememberResult:
        """As `BoundMemory.remember`."""
        return await self._hop(self._memory.remember, request, **fields)

    async def recall(self, request: RecallRequest | str = "", **fields: Any) -> RecallResult:
        """As `BoundMemory.recall`."""
        return await self._hop(self._memory.recall, request, **fields)

    async def episodes(self, request: EpisodesRequest | None = None, **fields: Any) -> EpisodesResult:
        """As `BoundMemory.episodes`."""
        return await self._hop(self._memory.episodes, request, **fields)

    async def recall_episodes(
        self, request: RecallEpisodesRequest | None = None, **fields: Any
    ) -> RecallEpisodesResult:
        """As `BoundMemory.recall_episodes`."""
        return await self._hop(self._memory.recall_episodes, request, **fields)

    async def get(self, request: GetRequest | str, **fields: Any) -> GetResult:
        """As `BoundMemory.get`."""
        return await self._hop(self._memory.get, request, **fields)

    async def revise(self, request: ReviseRequest | str, **fields: Any) -> ReviseResult:
        """As `BoundMemory.revise`."""
        return await self._hop(self._memory.revise, request, **fields)

    async def entities(self, request: EntitiesRequest | None = None, **fields: Any) -> EntitiesResult:
        """As `BoundMemory.entities`."""
        return await self._hop(self._memory.entities, request, **fields)

    async def merge_entities(self, request: MergeEntitiesRequest | str, **fields: Any) -> MergeEntitiesResult:
        """As `BoundMemory.merge_entities`."""
        return await self._hop(self._memory.merge_entities, request, **fields)

    async def confirm_entity(self, entity: str) -> EntityCard:
        """As `BoundMemory.confirm_entity`."""
        return await self._hop(self._memory.confirm_entity, entity)

    async def profile(self, request: ProfileRequest | str, **fields: Any) -> ProfileResult:
        """As `BoundMemory.profile`."""
        return await self._hop(self._memory.profile, request, **fields)

    async def forget(self, request: ForgetRequest | str, **fields: Any) -> Receipt:
        """As `BoundMemory.forget`."""
        return await self._hop(self._memory.forget, request, **fields)

    async def quarantined(self, request: QuarantineRequest | None = None, **fields: Any) -> QuarantineResult:
        """As `BoundMemory.quarantined`."""
        return await self._hop(self._memory.quarantined, request, **fields)

    async def review(self, request: ReviewRequest | str, **fields: Any) -> ReviewResult:
        """As `BoundMemory.review`."""
        return await self._hop(self._memory.review, request, **fields)

    async def trace(self, trace_id: str) -> TraceResult:
        """As `BoundMemory.trace`."""
        return await self._hop(self._memory.trace, trace_id)

    async def why(self, trace_id: str, record_id: str) -> WhyResult:
        """As `BoundMemory.why`."""
        return await self._hop(self._memory.why, trace_id, record_id)

    async def import_transcript(self, request: ImportRequest) -> ImportResult:
        """As `BoundMemory.import_transcript`."""
        return await self._hop(self._memory.import_transcript, request)

    async def close(self) -> None:
        """Let the threads go once their work is done; the memory itself stays open."""
        await asyncio.to_thread(self._pool.shutdown)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def _hop(self, call: Callable[..., T], *arguments: Any, **fields: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(call, *arguments, **fields))
