"""Play scenarios: a fixed clock, ids that count, words alone. Two runs are equal to the byte.

The corpus is played through the public surface: sessions take turns, an agent remembers with its evidence, and probes
recall. What comes back is labelled, and nothing is judged by a model.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from bethink.domain.record import Record, Status
from bethink.domain.scope import Target, Voice
from bethink.domain.source import TURN_REF
from bethink.errors import NotFound
from bethink.evaluation.scenario import Corpus, Forgotten, Probe, Scenario, Talk, Written
from bethink.memory import BoundMemory, Memory
from bethink.opening import open_memory
from bethink.operations.recall import RecallResult
from bethink.operations.remember import RememberRequest
from bethink.settings import load_settings
from bethink.testing.fakes import CountingIds, ManualClock

AGENT = "aria"
TURN_SECONDS = 30
"""How long a turn takes."""

PROBE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a write, seen after the last session: the outcome, and the record as its user finds it."""

    scenario: str
    written: Written
    outcome: str
    record: Record | None
    superseded: tuple[str, ...]

    @property
    def formed(self) -> bool:
        """Whether it became a belief that holds, or held until it was replaced: of that subject, in those words.

        What is disputed, or taken away later on purpose, is judged by its outcome.
        """
        found = self.record
        if self.written.disputed:
            return self.outcome == "conflict"
        if self.written.transient:
            return self.outcome in {"created", "superseded"}
        return (
            found is not None
            and found.status in {Status.ACTIVE, Status.SUPERSEDED}
            and (found.content.text, found.content.subject) == (self.written.content, self.written.subject)
            and "quarantined" not in found.content.flags
        )


@dataclass(frozen=True, slots=True)
class Tried:
    """What a probe came to. `returned` are labels, in the block's order; what has none is ``?``.

    `isolated` are the labels that came back with projects as walls, for a probe of transfer.
    """

    scenario: str
    probe: Probe
    result: RecallResult
    returned: tuple[str, ...]
    supported: tuple[str, ...]
    pool: tuple[str, ...]
    leaked: tuple[str, ...]
    isolated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A whole run. `ids` holds, by scenario and label, the id that a turn or a record got."""

    kept: tuple[Kept, ...]
    tried: tuple[Tried, ...]
    stored_leaks: tuple[str, ...]
    digest: str
    policy: str
    engine: str
    schema: int
    ids: Mapping[str, Mapping[str, str]]


@dataclass(slots=True)
class _Stage:
    """The store of one scenario, and the ids its labels got."""

    memory: Memory
    clock: ManualClock
    scenario: Scenario
    ids: dict[str, str] = field(default_factory=dict)
    outcomes: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)

    def bound(self, user: str | None, project: str | None, voice: str = "agent") -> BoundMemory:
        """The store as a user of the scenario sees it; a scenario is a tenant."""
        name = user or self.scenario.user
        return self.memory.bind(name, AGENT, project, tenant=self.scenario.name, voice=cast("Voice", voice))


def play(corpus: Corpus) -> Played:
    """Play every scenario on one new store."""
    kept: list[Kept] = []
    tried: list[Tried] = []
    leaks: list[str] = []
    ids: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory(prefix="bethink-scenarios-") as folder:
        settings = load_settings({"home": folder, "embedder": "none"}, {})
        clock = ManualClock(datetime(2025, 1, 1, tzinfo=UTC))
        parts: dict[str, Any] = {"clock": clock, "ids": CountingIds()}
        with open_memory(Path(folder) / "scenarios.db", settings=settings, **parts) as memory:
            for scenario in corpus.scenarios:
                stage = _Stage(memory, clock, scenario)
                tried += _told(stage)
                kept += _kept(stage)
                leaks += _stored_leaks(stage)
                ids[scenario.name] = stage.ids
            checked = memory.check()
    blocks = "\x1f".join(one.result.rendered for one in tried)
    return Played(
        kept=tuple(kept),
        tried=tuple(tried),
        stored_leaks=tuple(leaks),
        digest=hashlib.sha256(blocks.encode()).hexdigest()[:16],
        policy=tried[0].result.policy if tried else "",
        engine=checked.engine.split()[0],
        schema=checked.schema,
        ids=ids,
    )


def _told(stage: _Stage) -> Iterator[Tried]:
    """The sessions in order, each followed by the probes that come after it."""
    scenario = stage.scenario
    stage.clock.set(scenario.start)
    for scope in scenario.grants:
        stage.memory.grant(scenario.user, AGENT, scope, write=True, tenant=scenario.name)
    last = len(scenario.sessions)
    for number, talk in enumerate(scenario.sessions, 1):
        stage.clock.advance(seconds=talk.advance_seconds)
        _talk(stage, talk, f"{scenario.name}-{number}")
        for probe in scenario.probes:
            if (probe.after or last) == number:
                yield _tried(stage, probe)


def _talk(stage: _Stage, talk: Talk, name: str) -> None:
    """One session: its turns, its writes, then what is forgotten."""
    with stage.bound(talk.user, talk.project).session(name) as session:
        for said in talk.turns:
            stage.clock.advance(seconds=TURN_SECONDS)
            (turn,) = session.turn(said.text, role=said.role).ids
            if said.label:
                stage.ids[said.label] = turn
        for written in talk.writes:
            stage.clock.advance(seconds=TURN_SECONDS)
            _write(stage, talk, written, name)
    for forgotten in talk.forget:
        _forget(stage, talk, forgotten)


def _write(stage: _Stage, talk: Talk, written: Written, session: str) -> None:
    """Ask to remember a statement."""
    result = stage.bound(talk.user, talk.project, written.voice).remember(
        RememberRequest(
            content=written.content,
            type=written.type,
            subject=written.subject,
            attribute=written.attribute,
            target=cast("Target", written.target),
            evidence=written.evidence,
            session=session,
            source=written.source,
            source_ref=written.source_ref,
            source_revision=written.source_revision,
            portability=written.portability,
        )
    )
    stage.ids[written.label] = result.id
    names = {id_: label for label, id_ in stage.ids.items()}
    stage.outcomes[written.label] = result.outcome, tuple(names.get(id_, "?") for id_ in result.superseded)


def _forget(stage: _Stage, talk: Talk, forgotten: Forgotten) -> None:
    """Forget what a label names."""
    caller = stage.bound(talk.user, talk.project, "user")
    caller.forget(stage.ids[forgotten.label], mode=forgotten.mode, with_sources=forgotten.with_sources)


def _tried(stage: _Stage, probe: Probe) -> Tried:
    """One probe."""
    stage.clock.advance(seconds=PROBE_SECONDS)
    caller = stage.bound(probe.user, probe.project)
    asked: dict[str, Any] = {"moment": probe.moment, "as_of": probe.as_of}
    result = caller.recall(probe.question, **asked)
    names = {id_: label for label, id_ in stage.ids.items()}
    walled = caller.recall(probe.question, project_policy="isolate", **asked) if probe.category == "transfer" else None
    protected = () if probe.may_show_protected else stage.scenario.protected
    pool = caller.trace(result.trace_id).trace.pool
    return Tried(
        scenario=stage.scenario.name,
        probe=probe,
        result=result,
        returned=tuple(names.get(item.id, "?") for item in result.items),
        supported=tuple(names.get(item.id, "?") for item in result.items if item.source_ref.startswith(TURN_REF)),
        pool=tuple(names.get(str(row["id"]), "?") for row in pool),
        leaked=tuple(text for text in protected if text.casefold() in result.rendered.casefold()),
        isolated=tuple(names.get(item.id, "?") for item in walled.items) if walled else (),
    )


def _kept(stage: _Stage) -> Iterator[Kept]:
    """Every write of a scenario as its user finds it in the end."""
    for talk in stage.scenario.sessions:
        for written in talk.writes:
            outcome, superseded = stage.outcomes[written.label]
            record = _record(stage.bound(talk.user, talk.project), stage.ids[written.label])
            yield Kept(stage.scenario.name, written, outcome, record, superseded)


def _record(caller: BoundMemory, record_id: str) -> Record | None:
    """A record by id, None when it is not to be found."""
    try:
        return caller.get(record_id).record
    except NotFound:
        return None


def _stored_leaks(stage: _Stage) -> Iterator[str]:
    """The protected strings that some turn or record still holds."""
    scenario = stage.scenario
    if scenario.protected_may_be_stored:
        return
    caller = stage.bound(None, None)
    texts = [turn.text for turn in caller.episodes(limit=1_000).turns]
    texts += [kept.record.content.text for kept in _kept(stage) if kept.record is not None]
    yield from (text for text in scenario.protected if any(text.casefold() in held.casefold() for held in texts))
