"""Long-term memory for AI agents: evidence in, a small citable block out, every recall on record.

    >>> import bethink
    >>> with bethink.open("memory.db") as memory:        # doctest: +SKIP
    ...     ada = memory.bind(user="ada", agent="assistant")
    ...     print(ada.recall("Where does Ada live?").rendered)

`open` gives a `Memory`, one store; `Memory.bind` gives a `BoundMemory`, the store as one caller sees it, with
`remember`, `recall`, `forget` and the rest; `BoundMemory.session` a `SessionHandle`, one conversation. A call takes the
fields of its request by name: those of `recall` stand in `RecallRequest`. Errors are in `bethink.errors`.

Names load when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

import importlib
import pathlib
import typing

if typing.TYPE_CHECKING:
    from bethink.aio import AsyncMemory
    from bethink.directory import Directory, ServedMemory
    from bethink.domain.record import Record, Status
    from bethink.domain.scope import Grant, Sensitivity
    from bethink.domain.session import Turn
    from bethink.domain.taxonomy import Node
    from bethink.domain.trace import Trace
    from bethink.domain.types import Kind, Portability
    from bethink.errors import BethinkError
    from bethink.memory import BoundMemory, Memory, SessionHandle, Steps, assemble, room_for, turn_parts
    from bethink.operations.associations import (
        AssociationsRequest,
        AssociationsResult,
        RegisterTermRequest,
        RelateRequest,
        RelateResult,
        Relation,
        Step,
        Term,
        TraverseRequest,
        TraverseResult,
    )
    from bethink.operations.context import MEMORY_POLICY, Context, ContextRequest, Part
    from bethink.operations.documents import (
        AddDocumentRequest,
        AddDocumentResult,
        Document,
        DocumentsResult,
        FoundPassage,
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
        Episode,
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
        Replayed,
        Suggestion,
        VerdictRequest,
    )
    from bethink.operations.feedback import UsedResult
    from bethink.operations.files import AddFilesRequest, FileRoot, FileRoots, FilesScanned, ScanResult
    from bethink.operations.gaps import Gap, GapsRequest, GapsResult
    from bethink.operations.importing import ImportRequest, ImportResult
    from bethink.operations.jobs import JobsListed, JobsResult
    from bethink.operations.mention import MentionRequest, MentionResult
    from bethink.operations.moments import (
        Correction,
        DeltaRequest,
        DeltaResult,
        SnapshotRequest,
        SnapshotResult,
    )
    from bethink.operations.quarantine import QuarantineRequest, QuarantineResult, ReviewRequest, ReviewResult
    from bethink.operations.reads import MatchSource, MemoryRead, ReadsRequest, ReadsResult
    from bethink.operations.recall import RecalledItem, RecallRequest, RecallResult
    from bethink.operations.receipts import HonouredResult, ReceiptsResult
    from bethink.operations.records import ChainRequest, ChainResult, ForgetRequest, GetRequest, GetResult, Receipt
    from bethink.operations.reject import HintCard, HintsResult, RejectRequest, RejectResult
    from bethink.operations.remember import Mention, RememberRequest, RememberResult
    from bethink.operations.revise import ReviseRequest, ReviseResult
    from bethink.operations.sessions import TurnInput, TurnsResult
    from bethink.operations.skills import RegisterSkillRequest, Skill, SkillDescriptor, SkillsResult
    from bethink.operations.taxonomy import FileRequest, FileResult, RemovedNodes
    from bethink.operations.upkeep import CheckResult, EmbedResult, RepairResult
    from bethink.operations.users import (
        EraseSessionRequest,
        EraseUserRequest,
        ExportedRecord,
        ExportEnd,
        ExportManifest,
    )
    from bethink.operations.views import TraceView, ViewedBelief, ViewedMoment, ViewRequest
    from bethink.operations.written import WrittenCard, WrittenRequest, WrittenResult
    from bethink.ports.advice import Advisers
    from bethink.ports.models import Readers
    from bethink.settings import Settings

__all__ = [
    "MEMORY_POLICY",
    "AddDocumentRequest",
    "AddDocumentResult",
    "AddFilesRequest",
    "Advisers",
    "AssociationsRequest",
    "AssociationsResult",
    "AsyncMemory",
    "BethinkError",
    "BoundMemory",
    "Brief",
    "BriefRequest",
    "ChainRequest",
    "ChainResult",
    "CheckResult",
    "Context",
    "ContextRequest",
    "Correction",
    "DeltaRequest",
    "DeltaResult",
    "Directory",
    "Document",
    "DocumentsResult",
    "EmbedResult",
    "EntitiesRequest",
    "EntitiesResult",
    "EntityCard",
    "Episode",
    "EpisodesRequest",
    "EpisodesResult",
    "EraseSessionRequest",
    "EraseUserRequest",
    "ExportEnd",
    "ExportManifest",
    "ExportedRecord",
    "ExtractRequest",
    "ExtractResult",
    "FileRequest",
    "FileResult",
    "FileRoot",
    "FileRoots",
    "FilesScanned",
    "ForgetRequest",
    "FoundPassage",
    "Gap",
    "GapsRequest",
    "GapsResult",
    "GetRequest",
    "GetResult",
    "Grant",
    "HintCard",
    "HintsResult",
    "HonouredResult",
    "ImportRequest",
    "ImportResult",
    "JobsListed",
    "JobsResult",
    "Kind",
    "MatchSource",
    "Memory",
    "MemoryRead",
    "Mention",
    "MentionRequest",
    "MentionResult",
    "MergeEntitiesRequest",
    "MergeEntitiesResult",
    "Node",
    "Part",
    "Portability",
    "ProfileRequest",
    "ProfileResult",
    "QuarantineRequest",
    "QuarantineResult",
    "Readers",
    "ReadsRequest",
    "ReadsResult",
    "RecallEpisodesRequest",
    "RecallEpisodesResult",
    "RecallRequest",
    "RecallResult",
    "RecalledItem",
    "Receipt",
    "ReceiptsResult",
    "Record",
    "RederiveRequest",
    "RederiveResult",
    "RegisterSkillRequest",
    "RegisterTermRequest",
    "RejectRequest",
    "RejectResult",
    "RelateRequest",
    "RelateResult",
    "Relation",
    "RememberRequest",
    "RememberResult",
    "RemovedNodes",
    "RepairResult",
    "Replayed",
    "ReviewRequest",
    "ReviewResult",
    "ReviseRequest",
    "ReviseResult",
    "ScanResult",
    "SearchDocumentsRequest",
    "SearchDocumentsResult",
    "Sensitivity",
    "ServedMemory",
    "SessionHandle",
    "Settings",
    "Skill",
    "SkillDescriptor",
    "SkillsResult",
    "SnapshotRequest",
    "SnapshotResult",
    "Status",
    "Step",
    "Steps",
    "Suggestion",
    "Term",
    "Trace",
    "TraceResult",
    "TraceView",
    "TraverseRequest",
    "TraverseResult",
    "Turn",
    "TurnInput",
    "TurnsResult",
    "UsedResult",
    "VerdictRequest",
    "ViewRequest",
    "ViewedBelief",
    "ViewedMoment",
    "WhyResult",
    "WrittenCard",
    "WrittenRequest",
    "WrittenResult",
    "assemble",
    "open",
    "open_directory",
    "room_for",
    "turn_parts",
]

__version__ = "0.1.0"

_HOMES = {
    name: module
    for module, names in {
        "aio": "AsyncMemory",
        "directory": "Directory ServedMemory",
        "domain.record": "Record Status",
        "domain.scope": "Grant Sensitivity",
        "domain.session": "Turn",
        "domain.trace": "Trace",
        "domain.types": "Kind Portability",
        "errors": "BethinkError",
        "memory": "BoundMemory Memory SessionHandle Steps assemble room_for turn_parts",
        "operations.associations": (
            "AssociationsRequest AssociationsResult RegisterTermRequest RelateRequest RelateResult Relation"
            " Step Term TraverseRequest TraverseResult"
        ),
        "operations.documents": (
            "AddDocumentRequest AddDocumentResult Document DocumentsResult FoundPassage"
            " SearchDocumentsRequest SearchDocumentsResult"
        ),
        "operations.episodes": "Episode EpisodesRequest EpisodesResult RecallEpisodesRequest RecallEpisodesResult",
        "operations.entities": (
            "EntitiesRequest EntitiesResult EntityCard MergeEntitiesRequest MergeEntitiesResult ProfileRequest"
            " ProfileResult"
        ),
        "operations.files": "AddFilesRequest FileRoot FileRoots FilesScanned ScanResult",
        "operations.extraction": (
            "Brief BriefRequest ExtractRequest ExtractResult RederiveRequest RederiveResult Replayed Suggestion"
            " VerdictRequest"
        ),
        "operations.context": "MEMORY_POLICY Context ContextRequest Part",
        "operations.gaps": "Gap GapsRequest GapsResult",
        "operations.importing": "ImportRequest ImportResult",
        "operations.moments": "Correction DeltaRequest DeltaResult SnapshotRequest SnapshotResult",
        "operations.quarantine": "QuarantineRequest QuarantineResult ReviewRequest ReviewResult",
        "operations.reads": "MatchSource MemoryRead ReadsRequest ReadsResult",
        "operations.recall": "RecallRequest RecallResult RecalledItem",
        "operations.receipts": "HonouredResult ReceiptsResult",
        "operations.records": "ChainRequest ChainResult ForgetRequest GetRequest GetResult Receipt",
        "operations.reject": "HintCard HintsResult RejectRequest RejectResult",
        "operations.remember": "Mention RememberRequest RememberResult",
        "operations.revise": "ReviseRequest ReviseResult",
        "operations.sessions": "TurnInput TurnsResult",
        "operations.skills": "RegisterSkillRequest Skill SkillDescriptor SkillsResult",
        "operations.users": "EraseSessionRequest EraseUserRequest ExportEnd ExportManifest ExportedRecord",
        "operations.views": "TraceView ViewRequest ViewedBelief ViewedMoment",
        "operations.written": "WrittenCard WrittenRequest WrittenResult",
        "domain.taxonomy": "Node",
        "operations.explain": "TraceResult WhyResult",
        "operations.feedback": "UsedResult",
        "operations.jobs": "JobsListed JobsResult",
        "operations.mention": "MentionRequest MentionResult",
        "operations.taxonomy": "FileRequest FileResult RemovedNodes",
        "operations.upkeep": "CheckResult EmbedResult RepairResult",
        "ports.advice": "Advisers",
        "ports.models": "Readers",
        "settings": "Settings",
    }.items()
    for name in names.split()
}


def open(url: str | pathlib.Path | None = None, **settings: typing.Any) -> Memory:  # noqa: A001 - the word users say
    """Open a store, making it when there is none.

    Args:
        url: a path, ``sqlite:///path``, ``postgresql://user@host/database``, or None for the setting ``store.url``,
            which is ``bethink.db`` in the data folder unless it is set.
        settings: settings by dotted name with ``__`` for the dot (``recall__depth=50``), ``settings=`` a whole
            `Settings`, or ``embedder=``, ``readers=``, ``clock=``, ``ids=`` objects in place of the configured ones.
            ``owner=False`` opens a store whose grants are all given elsewhere, ``steps=`` the `Steps` that a host puts
            in the place of those of a read, ``advisers=`` models that upkeep may ask.

    Raises:
        StoreError: the file cannot be opened; each kind says why and what to do.
        InvalidInput: an unknown setting or URL.
    """
    # The database driver and numpy load here and not at import, so that `bethink --help` stays fast.
    from bethink.opening import open_memory  # noqa: PLC0415 - the comment above says why

    return open_memory(url, **settings)


def open_directory(servers: Directory | str | pathlib.Path, **settings: typing.Any) -> ServedMemory:
    """Open a memory whose tenants live on several servers; each store is opened when a tenant of it is first asked for.

    Args:
        servers: a `Directory`, or the path of its TOML file.
        settings: as for `open`, the same for every store.

    Raises:
        InvalidInput: the file is no directory.
    """
    from bethink.opening import open_servers  # noqa: PLC0415 - the comment in `open` says why

    return open_servers(servers, **settings)


def __dir__() -> list[str]:
    """What `__all__` names, loaded or not, beside what a module has: for `dir`, `help` and completion."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> typing.Any:
    """Load a public name from where it lives."""
    if name not in _HOMES:
        msg = f"module 'bethink' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(importlib.import_module(f"bethink.{_HOMES[name]}"), name)
