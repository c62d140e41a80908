"""The run: import every conversation, embed it, ask every question through `recall`, and read what became of it.

Nothing is measured beside the product: turns go in through sessions or an importer, questions through the bound
memory, and ranks come from the stored trace. A store that holds the turns already is asked as it is, and vectors are
kept between runs, so an interrupted run goes on where it stopped and a repeated one takes seconds. A tenant is named
by what it holds, so a kept store never answers with the words of another set or of an earlier version of this one.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Literal

from bethink.domain.session import Turn
from bethink.domain.trace import Trace
from bethink.errors import EmbedderError, NotFound, StoreError
from bethink.evaluation.cases import Case, Conversation, Dataset, Level
from bethink.evaluation.digests import tenant_of
from bethink.evaluation.failures import Lost, attribute
from bethink.evaluation.metrics import CUTOFFS, DEPTH, Shown, of_block, of_order, of_pool
from bethink.evaluation.order import Units, ranked, units
from bethink.evaluation.replay import ReplayClock
from bethink.evaluation.vectors import KeptVectors
from bethink.memory import BoundMemory, Memory, Steps
from bethink.opening import open_memory
from bethink.operations.importing import ImportRequest
from bethink.operations.recall import RecallResult
from bethink.operations.sessions import TurnInput
from bethink.ports.embedder import EmbedSpec
from bethink.settings import Settings

Layout = Literal["apart", "together"]
Progress = Callable[[str, int | None], AbstractContextManager[Callable[[int], None]]]
"""Opens a bar: what is done, how much there is; called with how much is done so far."""

AGENT = "evaluation"
_PAGE = 1_000
_WARM = 5
"""Recalls before the clock counts: the first ones load columns and code."""

_BEFORE = frozenset({"gate", "collapse"})
"""The stages before a reranker."""

_TRIES = 50
"""How often a recall is asked again whose trace was put off."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to run.

    Args:
        settings: the settings of the read and the store; their `embedder` is the one used.
        cache: the folder of kept vectors.
        level: what is ranked.
        layout: ``apart`` gives each conversation a tenant, so that the present of a question is the end of its own
            conversation; ``together`` puts all scopes into one tenant, whose present is the latest of them.
        store: the path or URL of a store to fill or to take up; a passing one where None.
        ranking: how many units of each order the result keeps: as many as any metric but MRR looks at.
        steps: what a host puts in the place of steps of a read; nothing unless given.
    """

    settings: Settings
    cache: Path
    level: Level = "turn"
    layout: Layout = "apart"
    store: Path | str | None = None
    ranking: int = max(CUTOFFS)
    steps: Steps | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What one question came to. `wanted` counts its units of evidence.

    `milliseconds` is the whole call without its embed stage. `mismatch` is the score by which what was found speaks of
    somebody or some time else, 0 where none could be judged, and `noted` whether the answer said so. `notices` are the
    codes of what it said besides. `survivors` is how many candidates gate and collapse left: what a reranker has before
    it.
    """

    case: Case
    values: Mapping[str, float | None]
    order: tuple[str, ...]
    wanted: int
    lost: tuple[Lost, ...]
    milliseconds: float
    stages: Mapping[str, float]
    candidates: int
    degraded: tuple[str, ...] = ()
    mismatch: float = 0.0
    noted: bool = False
    notices: tuple[str, ...] = ()
    survivors: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """The answers of one run, and what it ran on. `model` is provider, model and revision of what embeds."""

    answers: tuple[Answer, ...]
    turns: int
    left_out: int
    space: str | None
    policy: str
    computed: int
    seconds: float
    model: str | None = None


def measure(dataset: Dataset, plan: Plan, progress: Progress) -> Run:
    """Run a data set.

    Raises:
        NotFound: no question has evidence at the level.
        EmbedderError: the embedder asked for cannot be used; what runs without it would be another measurement.
        StoreError: the store cannot be filled or read, or holds something else.
    """
    clock = ReplayClock()
    began = clock.elapsed()
    cases = [case for case in dataset.cases if case.wanted(plan.level)]
    if not cases:
        raise NotFound(f"No question of {dataset.name} has evidence at {plan.level} level.")
    with ExitStack() as open_parts:
        folder = Path(open_parts.enter_context(tempfile.TemporaryDirectory(prefix="bethink-eval-")))
        path = plan.store or folder / "eval.db"
        kept = kept_vectors(path, plan)
        memory = open_parts.enter_context(
            open_memory(path, settings=plan.settings, embedder=kept, clock=clock, steps=plan.steps)
        )
        place = _Place(memory, clock, dataset, plan)
        counted = _filled(place, folder, progress)
        answers = tuple(_asked(place, cases, counted, progress))
    return Run(
        answers=answers,
        turns=sum(len(stored) for stored in counted.values()),
        left_out=dataset.left_out + len(dataset.cases) - len(cases),
        space=kept.spec.space_id if kept else None,
        policy=place.policy,
        computed=kept.computed if kept else 0,
        seconds=clock.elapsed() - began,
        model=named(kept.spec) if kept else None,
    )


class _Place:
    """The open store and who asks in it."""

    def __init__(self, memory: Memory, clock: ReplayClock, dataset: Dataset, plan: Plan) -> None:
        self.memory, self.clock, self.plan, self.policy = memory, clock, plan, ""
        self.conversations = {one.scope: one for one in dataset.conversations}
        self._latest = max(one.end for one in dataset.conversations)
        self._together = tenant_of("together", dataset.conversations)
        self._apart = {scope: tenant_of(scope, [one]) for scope, one in self.conversations.items()}

    def bound(self, scope: str, asked_at: datetime | None = None) -> BoundMemory:
        """The store as the user of a scope sees it, at the end of the scope's last session."""
        apart = self.plan.layout == "apart"
        present = asked_at or (self.conversations[scope].end if apart else self._latest)
        self.clock.set(present)
        return self.memory.bind(scope, AGENT, tenant=self._apart[scope] if apart else self._together, voice="user")


def named(spec: EmbedSpec) -> str:
    """A model as a result names it."""
    return f"{spec.provider}/{spec.model} {spec.revision}"


def kept_vectors(path: Path | str, plan: Plan) -> KeptVectors | None:
    """The set embedder with its vectors kept, made for a store at the path; None where the settings want none.

    Raises:
        EmbedderError: it cannot be used here.
    """
    if plan.settings.embedder == "none":
        return None
    with open_memory(path, settings=plan.settings) as memory:
        encoder = memory.embedder
    if encoder is None:
        msg = f"The embedder {plan.settings.embedder!r} cannot be used here."
        raise EmbedderError(msg, remedy="Measure words alone with --embedder none.")
    return KeptVectors(encoder, plan.cache)


def _filled(place: _Place, folder: Path, progress: Progress) -> dict[str, Units]:
    """Import what the store does not hold yet, embed it all, and say what each stored turn counts as."""
    counted = {}
    with progress("import", sum(len(one.sessions) for one in place.conversations.values())) as report:
        done = 0
        for scope, one in place.conversations.items():
            bound = place.bound(scope)
            stored = tuple(_stored(bound, one))
            if not _complete(stored, one):
                _import(bound, one, folder)
                stored = tuple(_stored(bound, one))
            counted[scope] = units(stored, one.sessions, place.plan.level)
            done += len(one.sessions)
            report(done)
    with progress("embed", place.memory.pending or None) as report:
        place.memory.embed_pending(report)
    return counted


def _import(bound: BoundMemory, one: Conversation, folder: Path) -> None:
    """Store a conversation: through its importer where it is a transcript, else session by session."""
    if one.document is not None:
        path = folder / "conversation.json"
        path.write_text(json.dumps(one.document), "utf-8")
        bound.import_transcript(ImportRequest(path, format=one.format))
        return
    for name, turns in groupby(one.utterances, attrgetter("session")):
        spoken = [
            TurnInput(
                text=turn.text,
                role=turn.role,
                speaker=turn.speaker,
                said_at=turn.said_at,
                message_id=turn.id,
                zone_assumed=True,
                time_text=turn.time_text,
                imported=True,
            )
            for turn in turns
        ]
        with bound.session(name, opened_at=spoken[0].said_at) as session:
            session.turns(spoken)


def _stored(bound: BoundMemory, one: Conversation) -> Iterator[Turn]:
    """The stored turns of a conversation, session by session."""
    for name in dict.fromkeys(one.sessions.values()):
        after, more = -1, True
        while more:
            page = bound.episodes(session=name, limit=_PAGE, after_seq=after)
            yield from page.turns
            more = page.more
            after = page.turns[-1].seq if page.turns else after


def _complete(stored: Iterable[Turn], one: Conversation) -> bool:
    """Whether every turn is stored already."""
    return set(units(stored, one.sessions, "turn").values()) >= one.sessions.keys()


def _asked(place: _Place, cases: Sequence[Case], counted: Mapping[str, Units], progress: Progress) -> Iterator[Answer]:
    """Every question asked once; the first few once more before, so that the times are those of a warm store."""
    for case in cases[:_WARM]:
        place.bound(case.scope, case.asked_at).recall(case.question)
    with progress("ask", len(cases)) as report:
        for done, case in enumerate(cases, 1):
            yield _answer(place, case, counted[case.scope])
            report(done)


def _answer(place: _Place, case: Case, counted: Units) -> Answer:
    """One question, and all that is known of what came back."""
    bound = place.bound(case.scope, case.asked_at)
    began = place.clock.elapsed()
    result = bound.recall(case.question)
    spent = (place.clock.elapsed() - began) * 1000 - result.stages_ms.get("embed", 0.0)
    result = _traced(bound, case.question, result)
    place.policy = result.policy
    trace = bound.trace(result.trace_id).trace
    order, wanted = ranked(trace, counted), case.wanted(place.plan.level)
    shown = Shown(tuple(counted.get(item.id) for item in result.items), result.tokens)
    without = () if place.memory.embedder else ("dense",)
    values = of_order(order, wanted) | of_pool(ranked(trace, counted, admitted=False), wanted) | of_block(shown, wanted)
    return Answer(
        case=case,
        values=values,
        order=tuple(order[: place.plan.ranking]),
        wanted=len(wanted),
        lost=tuple(_lost(wanted, order, trace, counted, without)) if values["capped_R@10"] != 1 else (),
        milliseconds=spent,
        stages=dict(result.stages_ms),
        candidates=len(trace.pool),
        survivors=len(trace.pool) - len({cut.id for cut in trace.cuts if cut.stage in _BEFORE}),
        mismatch=trace.mismatch.score if trace.mismatch else 0.0,
        noted=result.mismatch is not None,
        notices=tuple(notice.code for notice in result.notices),
        degraded=tuple(reason for reason in result.degraded if reason.partition(":")[0] not in without),
    )


def _traced(bound: BoundMemory, question: str, result: RecallResult) -> RecallResult:
    """The recall with its trace stored: asked again where a busy disk put the trace off, for ranks are read from it.

    Raises:
        StoreError: traces are off, or cannot be stored.
    """
    for _ in range(_TRIES):
        if result.trace != "deferred":
            break
        result = bound.recall(question)
    if result.trace != "stored":
        msg = f"A trace is {result.trace} ({result.trace_reason or 'no reason given'}), and ranks are read from it."
        raise StoreError(msg, remedy="Leave store.trace on, and give the store a disk that can be written.")
    return result


def _lost(
    wanted: Collection[str], order: Sequence[str], trace: Trace, counted: Units, without: Sequence[str]
) -> Iterator[Lost]:
    """Why each wanted unit is not among the first ten."""
    first = order[:DEPTH]
    for unit in sorted(wanted):
        if unit not in first:
            turns = [turn for turn, name in counted.items() if name == unit]
            yield attribute(unit, turns, order, trace, without)
