"""Hypothesis strategies for stored memories and the fences that read them.

Values come from small pools, so that records and fences meet at their edges: few instants, few names, every status.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from bethink.domain.fence import Fence
from bethink.domain.record import TRANSITIONS, Origin, Status
from bethink.domain.scope import Scope, ScopeKind, Sensitivity
from bethink.domain.source import Source, SourceKind
from bethink.domain.types import TYPES, Kind, Portability, type_rule

TENANT = "acme"
START = datetime(2026, 3, 1, tzinfo=UTC)
SCOPES = (Scope(ScopeKind.USER, "ann"), Scope(ScopeKind.PROJECT, "atlas"), Scope(ScopeKind.AGENT, "cli/ann"))
PROJECTS = (None, "atlas", "borealis")
CHANNELS = (None, "mail", "chat")
SUBJECTS = (None, "Ann", "Bob Jones")
BELIEFS = tuple(sorted(name for name, rule in TYPES.items() if name != "turn"))

instants = st.integers(0, 6).map(lambda hours: START + timedelta(hours=hours))
"""Instants around those of the writes: `Step` number n is written at hour n."""
maybe_instants = st.sampled_from((True, True, False)).flatmap(lambda empty: st.none() if empty else instants)
statuses = st.sampled_from(sorted(Status))


@dataclass(frozen=True)
class Step:
    """One write: `kind` is add, version, status or turn; `target` chooses among what is there."""

    kind: str
    target: int = 0
    content: dict[str, Any] = field(default_factory=dict)
    status: Status = Status.ACTIVE
    ends_at: datetime | None = None


@st.composite
def contents(draw: st.DrawFn, kinds: tuple[str, ...] = BELIEFS) -> dict[str, Any]:
    """What a version says of itself, as keyword arguments of `Content`."""
    name = draw(st.sampled_from(kinds))
    return {
        "type": name,
        "scope": draw(st.sampled_from(SCOPES)),
        "source": Source(draw(st.sampled_from(sorted(SourceKind))), "said:it", "cli"),
        "subject": draw(st.sampled_from(SUBJECTS)),
        "channel": draw(st.sampled_from(CHANNELS)),
        "sensitivity": draw(st.sampled_from(sorted(Sensitivity))),
        "portability": draw(st.sampled_from(sorted(Portability))),
        "origin": Origin(draw(st.sampled_from(PROJECTS)), None),
        "valid_from": draw(maybe_instants),
        "valid_until": draw(maybe_instants),
        "event_at": draw(maybe_instants),
    }


@st.composite
def steps(draw: st.DrawFn) -> Step:
    """One write of any kind."""
    kind = draw(st.sampled_from(("add", "add", "version", "status", "status", "turn")))
    return Step(
        kind=kind,
        target=draw(st.integers(0, 5)),
        content=draw(contents()),
        status=draw(statuses),
        ends_at=draw(maybe_instants),
    )


histories = st.lists(steps(), min_size=1, max_size=8).map(lambda rest: [Step("add", content=_plain()), *rest])
"""Writes in order; the first is an ordinary record, so that fences have something to find."""


def _plain() -> dict[str, Any]:
    """An ordinary fact of Ann's."""
    return {"type": "fact", "scope": SCOPES[0], "subject": "Ann"}


def same_kind(old: str, new: str) -> bool:
    """Whether a record of one type may get a version of the other."""
    return type_rule(old).kind is type_rule(new).kind


def allowed(before: Status, after: Status) -> bool:
    """Whether the lifecycle lets one status follow the other."""
    return after in TRANSITIONS[before]


def _mostly(wide: Any, narrow: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """The wide value three times of four, so that a fence of many clauses still admits something."""
    return st.integers(0, 3).flatmap(lambda at: st.just(wide) if at else narrow)


@st.composite
def fences(draw: st.DrawFn) -> Fence:
    """A fence that is wide in most clauses and narrow in some."""
    by_key = tuple(sorted(SCOPES, key=lambda scope: scope.key))
    chosen = draw(_mostly(by_key, st.lists(st.sampled_from(by_key), unique=True, max_size=3)))
    return Fence(
        tenant=TENANT,
        scopes=tuple(sorted(chosen, key=lambda scope: scope.key)),
        ceiling=draw(_mostly(Sensitivity.SECRET, st.sampled_from(sorted(Sensitivity)))),
        statuses=draw(_mostly(frozenset(Status), st.frozensets(statuses, min_size=1))),
        instant=draw(instants),
        known_at=draw(_mostly(None, instants)),
        kinds=draw(_mostly(None, st.frozensets(st.sampled_from(sorted(Kind)), max_size=3))),
        types=draw(_mostly(None, st.frozensets(st.sampled_from(sorted(TYPES)), max_size=9))),
        sources=draw(_mostly(None, st.frozensets(st.sampled_from(sorted(SourceKind)), max_size=5))),
        channel=draw(_mostly(None, st.sampled_from(CHANNELS))),
        since=draw(_mostly(None, instants)),
        until=draw(_mostly(None, instants)),
        after=draw(_mostly(None, st.integers(0, 12))),
        project=draw(st.sampled_from(PROJECTS)),
        isolate=draw(st.booleans()),
        named_subjects=draw(st.frozensets(st.sampled_from(("ann", "bob jones")), max_size=2)),
        timeless=draw(st.booleans()),
    )
