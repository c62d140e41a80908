"""`AsyncMemory`: a bound memory for asyncio. Each call is one hop to a thread of a small pool of its own.

One hop around a whole operation costs microseconds; a hop per statement would cost more than the operation. The
methods are those of `BoundMemory`, and a test holds their signatures together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from bethink.domain.scope import Target
from bethink.memory import BoundMemory
from bethink.memory.associations import Associations
from bethink.memory.documents import Documents
from bethink.operations.associations import (
    AssociationsRequest,
    AssociationsResult,
    RegisterTermRequest,
    RelateRequest,
    RelateResult,
    Term,
    TraverseRequest,
    TraverseResult,
)
from bethink.operations.documents import (
    AddDocumentRequest,
    AddDocumentResult,
    DocumentsResult,
    SearchDocumentsRequest,
    SearchDocumentsResult,
)
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
from bethink.operations.extraction import (
    Brief,
    BriefRequest,
    ExtractRequest,
    ExtractResult,
    RederiveRequest,
    RederiveResult,
    VerdictRequest,
)
from bethink.operations.feedback import UsedResult
from bethink.operations.files import AddFilesRequest, FileRoot, FileRoots, FilesScanned
from bethink.operations.gaps import GapsRequest, GapsResult
from bethink.operations.importing import ImportRequest, ImportResult
from bethink.operations.mention import MentionRequest, MentionResult
from bethink.operations.moments import DeltaRequest, DeltaResult, SnapshotRequest, SnapshotResult
from bethink.operations.quarantine import QuarantineRequest, QuarantineResult, ReviewRequest, ReviewResult
from bethink.operations.reads import ReadsRequest, ReadsResult
from bethink.operations.recall import RecallRequest, RecallResult
from bethink.operations.records import ChainRequest, ChainResult, ForgetRequest, GetRequest, GetResult, Receipt
from bethink.operations.reject import HintsResult, RejectRequest, RejectResult
from bethink.operations.remember import RememberRequest, RememberResult
from bethink.operations.revise import ReviseRequest, ReviseResult
from bethink.operations.skills import RegisterSkillRequest, Skill, SkillsResult
from bethink.operations.taxonomy import FileRequest, FileResult
from bethink.operations.views import TraceView, ViewRequest
from bethink.operations.written import WrittenRequest, WrittenResult

T = TypeVar("T")
WORKERS = 4


class Hop(Protocol):
    """One call on a thread."""

    async def __call__(self, call: Callable[..., T], *arguments: Any, **fields: Any) -> T:
        """What the call gives."""
        ...


class AsyncAssociations:
    """`Associations` whose methods are awaited."""

    def __init__(self, associations: Associations, hop: Hop) -> None:
        self._associations = associations
        self._hop = hop

    async def register(self, request: RegisterTermRequest | str, **fields: Any) -> Term:
        """As `Associations.register`."""
        return await self._hop(self._associations.register, request, **fields)

    async def relate(self, request: RelateRequest | str, **fields: Any) -> RelateResult:
        """As `Associations.relate`."""
        return await self._hop(self._associations.relate, request, **fields)

    async def list(self, request: AssociationsRequest | None = None, **fields: Any) -> AssociationsResult:
        """As `Associations.list`."""
        return await self._hop(self._associations.list, request, **fields)

    async def traverse(self, request: TraverseRequest | str, **fields: Any) -> TraverseResult:
        """As `Associations.traverse`."""
        return await self._hop(self._associations.traverse, request, **fields)

    async def retract(self, relation: str) -> Receipt:
        """As `Associations.retract`."""
        return await self._hop(self._associations.retract, relation)

    async def remove(self, term: str) -> Receipt:
        """As `Associations.remove`."""
        return await self._hop(self._associations.remove, term)


class AsyncDocuments:
    """`Documents` whose methods are awaited."""

    def __init__(self, documents: Documents, hop: Hop) -> None:
        self._documents = documents
        self._hop = hop

    async def add(self, request: AddDocumentRequest | str = "", **fields: Any) -> AddDocumentResult:
        """As `Documents.add`."""
        return await self._hop(self._documents.add, request, **fields)

    async def list(self) -> DocumentsResult:
        """As `Documents.list`."""
        return await self._hop(self._documents.list)

    async def search(self, request: SearchDocumentsRequest | str, **fields: Any) -> SearchDocumentsResult:
        """As `Documents.search`."""
        return await self._hop(self._documents.search, request, **fields)

    async def forget(self, document: str) -> Receipt:
        """As `Documents.forget`."""
        return await self._hop(self._documents.forget, document)


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

    async def fill_gaps(self, request: GapsRequest | str, **fields: Any) -> GapsResult:
        """As `BoundMemory.fill_gaps`."""
        return await self._hop(self._memory.fill_gaps, request, **fields)

    async def mention(self, request: MentionRequest | str, **fields: Any) -> MentionResult:
        """As `BoundMemory.mention`."""
        return await self._hop(self._memory.mention, request, **fields)

    async def snapshot(self, request: SnapshotRequest | str = "", **fields: Any) -> SnapshotResult:
        """As `BoundMemory.snapshot`."""
        return await self._hop(self._memory.snapshot, request, **fields)

    async def delta(self, request: DeltaRequest | None = None, **fields: Any) -> DeltaResult:
        """As `BoundMemory.delta`."""
        return await self._hop(self._memory.delta, request, **fields)

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

    async def written(self, request: WrittenRequest | str = "", **fields: Any) -> WrittenResult:
        """As `BoundMemory.written`."""
        return await self._hop(self._memory.written, request, **fields)

    async def chain(self, request: ChainRequest | str) -> ChainResult:
        """As `BoundMemory.chain`."""
        return await self._hop(self._memory.chain, request)

    async def revise(self, request: ReviseRequest | str, **fields: Any) -> ReviseResult:
        """As `BoundMemory.revise`."""
        return await self._hop(self._memory.revise, request, **fields)

    async def file(self, request: FileRequest | str, **fields: Any) -> FileResult:
        """As `BoundMemory.file`."""
        return await self._hop(self._memory.file, request, **fields)

    async def reject(self, request: RejectRequest | str, **fields: Any) -> RejectResult:
        """As `BoundMemory.reject`."""
        return await self._hop(self._memory.reject, request, **fields)

    async def hints(self, limit: int = 50) -> HintsResult:
        """As `BoundMemory.hints`."""
        return await self._hop(self._memory.hints, limit)

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

    async def add_files(self, request: AddFilesRequest | str, **fields: Any) -> FileRoot:
        """As `BoundMemory.add_files`."""
        return await self._hop(self._memory.add_files, request, **fields)

    async def file_roots(self) -> FileRoots:
        """As `BoundMemory.file_roots`."""
        return await self._hop(self._memory.file_roots)

    async def scan_files(self, root: str | None = None) -> FilesScanned:
        """As `BoundMemory.scan_files`."""
        return await self._hop(self._memory.scan_files, root)

    async def remove_files(self, root: str) -> FileRoot:
        """As `BoundMemory.remove_files`."""
        return await self._hop(self._memory.remove_files, root)

    async def register_skill(self, request: RegisterSkillRequest | str = "", **fields: Any) -> Skill:
        """As `BoundMemory.register_skill`."""
        return await self._hop(self._memory.register_skill, request, **fields)

    async def skills(self) -> SkillsResult:
        """As `BoundMemory.skills`."""
        return await self._hop(self._memory.skills)

    async def load_skill(self, skill: str) -> Skill:
        """As `BoundMemory.load_skill`."""
        return await self._hop(self._memory.load_skill, skill)

    async def remove_skill(self, skill: str, target: Target = "personal") -> bool:
        """As `BoundMemory.remove_skill`."""
        return await self._hop(self._memory.remove_skill, skill, target)

    @property
    def associations(self) -> AsyncAssociations:
        """As `BoundMemory.associations`."""
        return AsyncAssociations(self._memory.associations, self._hop)

    @property
    def documents(self) -> AsyncDocuments:
        """As `BoundMemory.documents`."""
        return AsyncDocuments(self._memory.documents, self._hop)

    async def forget(self, request: ForgetRequest | str, **fields: Any) -> Receipt:
        """As `BoundMemory.forget`."""
        return await self._hop(self._memory.forget, request, **fields)

    async def quarantined(self, request: QuarantineRequest | None = None, **fields: Any) -> QuarantineResult:
        """As `BoundMemory.quarantined`."""
        return await self._hop(self._memory.quarantined, request, **fields)

    async def review(self, request: ReviewRequest | str, **fields: Any) -> ReviewResult:
        """As `BoundMemory.review`."""
        return await self._hop(self._memory.review, request, **fields)

    async def extract(self, request: ExtractRequest | str, **fields: Any) -> ExtractResult:
        """As `BoundMemory.extract`."""
        return await self._hop(self._memory.extract, request, **fields)

    async def rederive(self, request: RederiveRequest | str, **fields: Any) -> RederiveResult:
        """As `BoundMemory.rederive`."""
        return await self._hop(self._memory.rederive, request, **fields)

    async def extract_brief(self, request: BriefRequest | str, **fields: Any) -> Brief:
        """As `BoundMemory.extract_brief`."""
        return await self._hop(self._memory.extract_brief, request, **fields)

    async def extract_verdict(self, request: VerdictRequest) -> ExtractResult:
        """As `BoundMemory.extract_verdict`."""
        return await self._hop(self._memory.extract_verdict, request)

    async def trace(self, trace_id: str) -> TraceResult:
        """As `BoundMemory.trace`."""
        return await self._hop(self._memory.trace, trace_id)

    async def view(self, request: ViewRequest | str = "", **fields: Any) -> TraceView:
        """As `BoundMemory.view`."""
        return await self._hop(self._memory.view, request, **fields)

    async def reads(self, request: ReadsRequest | None = None, **fields: Any) -> ReadsResult:
        """As `BoundMemory.reads`."""
        return await self._hop(self._memory.reads, request, **fields)

    async def used(self, trace_id: str, ids: Sequence[str] = (), *, answer: str = "") -> UsedResult:
        """As `BoundMemory.used`."""
        return await self._hop(self._memory.used, trace_id, ids, answer=answer)

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
