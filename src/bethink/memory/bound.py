"""`BoundMemory`: the memory as one caller sees it; each method hands its request to the part that answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from bethink.domain.ids import check_id
from bethink.domain.scope import Caller, Scope, Target
from bethink.domain.session import Role, Session
from bethink.feedback.used import used
from bethink.formation.brief import brief, verdict
from bethink.formation.desk import Desk
from bethink.formation.entity_merge import confirm_entity, merge_entities
from bethink.formation.entity_named import list_entities
from bethink.formation.explicit import remember
from bethink.formation.extract import extract
from bethink.formation.filing import file
from bethink.formation.hints import hints
from bethink.formation.profile import profile
from bethink.formation.rederive import rederive
from bethink.formation.reject import reject
from bethink.formation.revise import revise
from bethink.importing.run import import_transcript
from bethink.memory.associations import Associations
from bethink.memory.documents import Documents
from bethink.memory.equipment import desk_of, files_of, reader_of, readers_of
from bethink.memory.parts import Parts
from bethink.memory.requests import as_request, built
from bethink.memory.sinks import Rehearsal, Sink
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
from bethink.operations.explain import TraceResult, WhyRequest, WhyResult
from bethink.operations.extraction import (
    Brief,
    BriefRequest,
    ExtractRequest,
    ExtractResult,
    RederiveRequest,
    RederiveResult,
    VerdictRequest,
)
from bethink.operations.feedback import UsedRequest, UsedResult
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
from bethink.operations.sessions import OpenSessionRequest, TurnInput, TurnsResult
from bethink.operations.skills import RegisterSkillRequest, Skill, SkillsResult
from bethink.operations.taxonomy import FileRequest, FileResult
from bethink.operations.views import TraceView, ViewRequest
from bethink.operations.written import WrittenRequest, WrittenResult
from bethink.recall.chain import chain
from bethink.recall.episodes import episodes
from bethink.recall.get import get
from bethink.recall.reader import Reader, RecallOutcome
from bethink.recall.recall_episodes import recall_episodes
from bethink.recall.written import written
from bethink.session.close import close_session
from bethink.session.delta import delta
from bethink.session.gaps import fill_gaps
from bethink.session.mention import answered
from bethink.session.open import open_session
from bethink.session.passive import recall_in
from bethink.session.skills import list_skills, load_skill, register_skill, remove_skill
from bethink.session.snapshot import take_snapshot
from bethink.session.turns import append_turns
from bethink.tracing.reads import reads
from bethink.tracing.verify import readable, verified
from bethink.tracing.view import view
from bethink.tracing.why import why
from bethink.tracing.withhold import withheld
from bethink.upkeep.files import scan_files
from bethink.upkeep.forget import forget
from bethink.upkeep.quarantine import quarantined, review
from bethink.upkeep.roots import add_files, list_roots, remove_files


class BoundMemory:
    """A memory as one caller sees it. Nothing here can name another caller."""

    def __init__(self, parts: Parts, caller: Caller) -> None:
        self._parts = parts
        self.caller = caller

    def remember(self, request: RememberRequest | str, **fields: Any) -> RememberResult:
        """Remember one statement; see `RememberRequest` for the fields, `RememberResult` for what became of it."""
        return remember(as_request(RememberRequest, request, "content", fields), self._desk)

    def recall(self, request: RecallRequest | str = "", **fields: Any) -> RecallResult:
        """Answer a question with a block, its items, their explanations and a trace."""
        return self._answered(as_request(RecallRequest, request, "text", fields), self._reader).result

    def fill_gaps(self, request: GapsRequest | str, **fields: Any) -> GapsResult:
        """Whether a turn needs memory, by what its draft lacks; and what memory has for that."""
        return fill_gaps(as_request(GapsRequest, request, "text", fields), self._reader, self._answered)

    def mention(self, request: MentionRequest | str, **fields: Any) -> MentionResult:
        """An agent's words with each `@memory:query` answered in place."""
        return answered(as_request(MentionRequest, request, "text", fields), self.recall)

    def recall_episodes(self, request: RecallEpisodesRequest | None = None, **fields: Any) -> RecallEpisodesResult:
        """What was said in a session or at a time, in order, as a block with a trace; the one read of the archive."""
        outcome = recall_episodes(request or built(RecallEpisodesRequest, fields), self._reader)
        state, reason = self._parts.kept(outcome.trace)
        return replace(outcome.result, trace=state, trace_reason=reason)

    def snapshot(self, request: SnapshotRequest | str = "", **fields: Any) -> SnapshotResult:
        """The block of memory for the head of a session's prompt: taken once, the same bytes ever after."""
        return self._snapshot(as_request(SnapshotRequest, request, "goal", fields))

    def delta(self, request: DeltaRequest | None = None, **fields: Any) -> DeltaResult:
        """What changed since a session's snapshot was taken, and what of it does not hold: to stand beside the turn."""
        return self._delta(request or built(DeltaRequest, fields))

    def episodes(self, request: EpisodesRequest | None = None, **fields: Any) -> EpisodesResult:
        """What happened, by session or time, in order."""
        return episodes(request or built(EpisodesRequest, fields), self._reader)

    def get(self, request: GetRequest | str, **fields: Any) -> GetResult:
        """One record or turn by id or short id."""
        return get(as_request(GetRequest, request, "id", fields), self._reader)

    def written(self, request: WrittenRequest | str = "", **fields: Any) -> WrittenResult:
        """What a session left in memory, for a host to show its user; never for a model."""
        return written(as_request(WrittenRequest, request, "session", fields), self._reader)

    def chain(self, request: ChainRequest | str) -> ChainResult:
        """The records that replaced one another, from the first to the one that holds now, for audit."""
        return chain(as_request(ChainRequest, request, "id", {}), self._reader)

    def revise(self, request: ReviseRequest | str, **fields: Any) -> ReviseResult:
        """Confirm, replace, end or merge one record by id; see `ReviseRequest` for what each `action` takes."""
        return revise(as_request(ReviseRequest, request, "id", fields), self._desk)

    def file(self, request: FileRequest | str, **fields: Any) -> FileResult:
        """File one record by id `under` nodes of the taxonomy, or take it `out_of` them."""
        return file(as_request(FileRequest, request, "id", fields), self._desk)

    def reject(self, request: RejectRequest | str, **fields: Any) -> RejectResult:
        """Say that a record is wrong, and how: it is retired, replaced, narrowed or doubted, and stays so."""
        return reject(as_request(RejectRequest, request, "id", fields), self._desk)

    def hints(self, limit: int = 50) -> HintsResult:
        """What this user asked for again and again in vain, counted when upkeep runs."""
        return hints(limit, self._desk)

    def entities(self, request: EntitiesRequest | None = None, **fields: Any) -> EntitiesResult:
        """What records are about, as far as the caller may know it; with `name` those that answer exactly to it."""
        return list_entities(request or built(EntitiesRequest, fields), self._desk)

    def merge_entities(self, request: MergeEntitiesRequest | str, **fields: Any) -> MergeEntitiesResult:
        """Let one entity stand for another too; every subject follows, and the log keeps who was meant before."""
        return merge_entities(as_request(MergeEntitiesRequest, request, "entity", fields), self._desk)

    def confirm_entity(self, entity: str) -> EntityCard:
        """Vouch for an entity that a mention made."""
        return confirm_entity(entity, self._desk)

    def profile(self, request: ProfileRequest | str, **fields: Any) -> ProfileResult:
        """The current profile of an entity, or none; with `refresh` it is made anew where its sources changed."""
        return profile(as_request(ProfileRequest, request, "entity", fields), self._desk)

    def add_files(self, request: AddFilesRequest | str, **fields: Any) -> FileRoot:
        """Declare a file or folder whose text becomes records; `scan_files` reads it."""
        return add_files(as_request(AddFilesRequest, request, "path", fields), self._desk, files_of(self._parts))

    def file_roots(self) -> FileRoots:
        """The declared files and folders whose records the caller may read."""
        return list_roots(self._desk)

    def scan_files(self, root: str | None = None) -> FilesScanned:
        """Bring the records of a declared root, or of all, up to their files."""
        return scan_files(self._desk, files_of(self._parts), root)

    def remove_files(self, root: str) -> FileRoot:
        """Follow a declared root no more; its records stay."""
        return remove_files(root, self._desk, files_of(self._parts))

    def register_skill(self, request: RegisterSkillRequest | str = "", **fields: Any) -> Skill:
        """Register a skill in the user's name; it is no memory, and the tools it declares grant nothing."""
        return register_skill(as_request(RegisterSkillRequest, request, "id", fields), self._desk)

    def skills(self) -> SkillsResult:
        """What each skill of the caller's is for; `load_skill` gives one whole."""
        return list_skills(self._desk)

    def load_skill(self, skill: str) -> Skill:
        """One skill, whole; the log notes that it was loaded."""
        return load_skill(skill, self._desk)

    def remove_skill(self, skill: str, target: Target = "personal") -> bool:
        """Remove a skill with its text; whether there was one."""
        return remove_skill(skill, self._desk, target)

    @property
    def associations(self) -> Associations:
        """What agents declare to be connected, apart from what is remembered."""
        return Associations(self._desk, self._reader)

    @property
    def documents(self) -> Documents:
        """Whole documents, apart from what is remembered."""
        return Documents(self._desk, self._reader, self._parts)

    def forget(self, request: ForgetRequest | str, **fields: Any) -> Receipt:
        """Hide, bring back or erase a record; the receipt says what was done and what remains."""
        receipt = forget(as_request(ForgetRequest, request, "id", fields), self._desk, self._parts.traces)
        if self._parts.rewrites is not None:
            self._parts.rewrites.clear()
        return receipt

    def quarantined(self, request: QuarantineRequest | None = None, **fields: Any) -> QuarantineResult:
        """What the screen held back, the newest first, for a person to look at; never for a model."""
        return quarantined(request or built(QuarantineRequest, fields), self._desk)

    def review(self, request: ReviewRequest | str, **fields: Any) -> ReviewResult:
        """Let go what is held back, or turn it down; see `ReviewRequest` for the verdicts."""
        return review(as_request(ReviewRequest, request, "id", fields), self._desk)

    def extract(self, request: ExtractRequest | str, **fields: Any) -> ExtractResult:
        """Read one session for beliefs now, what of it was not read before; a worker does so when it has ended."""
        return extract(as_request(ExtractRequest, request, "session", fields), self._desk, readers_of(self._parts))

    def rederive(self, request: RederiveRequest | str, **fields: Any) -> RederiveResult:
        """Derive a session anew with the reader set now; `dry_run` says what that would change."""
        return rederive(as_request(RederiveRequest, request, "session", fields), self._desk, readers_of(self._parts))

    def extract_brief(self, request: BriefRequest | str, **fields: Any) -> Brief:
        """Claim what is unread of a session, for the agent that asks to read it."""
        return brief(as_request(BriefRequest, request, "session", fields), self._desk)

    def extract_verdict(self, request: VerdictRequest) -> ExtractResult:
        """Store what an agent made of its brief, each statement with its quote and by the rules of every write."""
        return verdict(request, self._desk)

    def trace(self, trace_id: str) -> TraceResult:
        """A stored recall of this caller's as far as it may still be read, the hash of its block computed again."""
        found = self._parts.traces.get(self.caller.principal, check_id(trace_id, "trace id"))
        return withheld(verified(readable(found, self.caller)), self._reader)

    def view(self, request: ViewRequest | str = "", **fields: Any) -> TraceView:
        """What a turn, named by its recall, or a session was given of memory; for its user, never for a model."""
        return view(as_request(ViewRequest, request, "trace_id", fields), self._reader, self._parts.traces)

    def reads(self, request: ReadsRequest | None = None, **fields: Any) -> ReadsResult:
        """What this caller searched for, as events ``memory.read``; ask on from `next` to follow them."""
        return reads(request or built(ReadsRequest, fields), self._reader, self._parts.traces)

    def used(self, trace_id: str, ids: Sequence[str] = (), *, answer: str = "") -> UsedResult:
        """Note which items of a recall were used, by id or in the answer written with them; a repeat is harmless."""
        request = UsedRequest(check_id(trace_id, "trace id"), tuple(ids), answer)
        trace = readable(self._parts.traces.get(self.caller.principal, request.trace_id), self.caller)
        return used(request, trace, self._desk, self._parts.traces)

    def why(self, trace_id: str, record_id: str) -> WhyResult:
        """Which stage of a stored recall lost a record, or that it was returned."""
        request = WhyRequest(trace_id, check_id(record_id, "record id"))
        return why(request, self.trace(trace_id).trace, self._reader)

    def session(
        self,
        id: str | None = None,  # noqa: A002 - the word of the request
        *,
        target: Target = "personal",
        opened_at: datetime | None = None,
    ) -> SessionHandle:
        """Open a session, or take one up."""
        opened = open_session(OpenSessionRequest(id, target, opened_at), self._desk)
        return SessionHandle(self, opened)

    def import_transcript(self, request: ImportRequest) -> ImportResult:
        """Import a file of conversations as episodes, or say what that would do; what is known is not stored twice."""
        result = import_transcript(request, Rehearsal(self._desk, set()) if request.dry_run else Sink(self._desk))
        return replace(result, embedding_pending=self._parts.pending)

    def _answered(self, request: RecallRequest, reader: Reader) -> RecallOutcome:
        """A recall whose trace is kept."""
        outcome = recall_in(request, reader, self._parts.cooldown)
        began = self._parts.clock.elapsed()
        state, reason = self._parts.kept(outcome.trace)
        stages = dict(outcome.result.stages_ms)
        stages["trace"] = stages.get("trace", 0.0) + (self._parts.clock.elapsed() - began) * 1000
        result = replace(outcome.result, trace=state, trace_reason=reason, stages_ms=stages)
        return RecallOutcome(result, outcome.trace)

    def _snapshot(self, request: SnapshotRequest, scope: Scope | None = None) -> SnapshotResult:
        result, trace = take_snapshot(request, self._reader, self._desk, scope=scope)
        if trace is None:
            return result
        state, reason = self._parts.kept(trace)
        return replace(result, trace=state, trace_reason=reason)

    def _delta(self, request: DeltaRequest, scope: Scope | None = None) -> DeltaResult:
        result, trace = delta(request, self._reader, scope=scope)
        if trace is None or result.changes is None:
            return result
        state, reason = self._parts.kept(trace)
        return replace(result, changes=replace(result.changes, trace=state, trace_reason=reason))

    @property
    def _desk(self) -> Desk:
        return desk_of(self._parts, self.caller)

    @property
    def _reader(self) -> Reader:
        return reader_of(self._parts, self.caller)


class SessionHandle:
    """One open session of a caller. As a context manager it closes at the end."""

    def __init__(self, memory: BoundMemory, session: Session) -> None:
        self._memory = BoundMemory(memory._parts, replace(memory.caller, session=session.id))  # noqa: SLF001 - one module, one facade
        self._scope = session.scope
        self.id = session.id

    def turn(self, text: str, *, role: Role = "user", **fields: Any) -> TurnsResult:
        """Append one utterance."""
        return self.turns([built(TurnInput, fields, text=text, role=role)])

    def turns(self, turns: Sequence[TurnInput]) -> TurnsResult:
        """Append several at once; those the session holds already are left alone."""
        return append_turns(self.id, turns, self._memory._desk, scope=self._scope)  # noqa: SLF001 - one module, one facade

    def remember(self, request: RememberRequest | str, **fields: Any) -> RememberResult:
        """Remember with this session as where the evidence stands."""
        return self._memory.remember(request, **fields)

    def revise(self, request: ReviseRequest | str, **fields: Any) -> ReviseResult:
        """Revise with this session as where the evidence stands."""
        return self._memory.revise(request, **fields)

    def recall(self, request: RecallRequest | str = "", **fields: Any) -> RecallResult:
        """Recall inside this session."""
        return self._memory.recall(request, **fields)

    def snapshot(self, request: SnapshotRequest | str = "", **fields: Any) -> SnapshotResult:
        """The block of memory for the head of this session's prompt."""
        return self._memory._snapshot(as_request(SnapshotRequest, request, "goal", fields), self._scope)  # noqa: SLF001 - one module, one facade

    def delta(self, request: DeltaRequest | None = None, **fields: Any) -> DeltaResult:
        """What changed since this session's snapshot was taken."""
        return self._memory._delta(request or built(DeltaRequest, fields), self._scope)  # noqa: SLF001 - one module, one facade

    def fill_gaps(self, request: GapsRequest | str, **fields: Any) -> GapsResult:
        """Whether a turn of this session needs memory; and what memory has for what its draft lacks."""
        return self._memory.fill_gaps(request, **fields)

    def mention(self, request: MentionRequest | str, **fields: Any) -> MentionResult:
        """An agent's words with each `@memory:query` answered in place, inside this session."""
        return self._memory.mention(request, **fields)

    def close(self) -> None:
        """Close the session; closing twice is harmless."""
        close_session(self.id, self._memory._desk, scope=self._scope)  # noqa: SLF001 - one module, one facade

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
