"""Entries, changes and fences that meet often: small pools, few instants."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from bethink.domain.fence import Entry, Fence
from bethink.domain.record import Status, StatusSpan
from bethink.domain.scope import Scope, ScopeKind, Sensitivity
from bethink.domain.source import SourceKind
from bethink.domain.types import Kind, Portability, type_rule
from tests.store.search.places import TENANT
from tests.store.search.world import ANN, BOB

DAYS = [datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=day) for day in range(8)]
SCOPES = [ANN, BOB, Scope(ScopeKind.PROJECT, "apollo")]
instants = st.sampled_from(DAYS)
maybe_instants = st.none() | instants


@st.composite
def entries(draw: st.DrawFn, at: datetime, record: str) -> Entry:
    kind_of = draw(st.sampled_from(["fact", "preference", "turn", "event", "procedure"]))
    begin, end = draw(maybe_instants), draw(maybe_instants)
    return Entry(
        key=0,
        record=record,
        kind=type_rule(kind_of).kind,
        type=kind_of,
        scope=draw(st.sampled_from(SCOPES)),
        recorded_at=at,
        statuses=(StatusSpan(draw(st.sampled_from(Status)), at, ends_at=draw(maybe_instants)),),
        source=draw(st.sampled_from(SourceKind)),
        channel=draw(st.sampled_from([None, "mail", "phone"])),
        sensitivity=draw(st.sampled_from(Sensitivity)),
        portability=draw(st.sampled_from(Portability)),
        project=draw(st.sampled_from([None, "apollo", "gemini"])),
        subject_key=draw(st.sampled_from(["", "rex", "the boat"])),
        valid_from=begin,
        valid_until=end,
        event_at=draw(maybe_instants),
    )


def subsets(pool: Any) -> st.SearchStrategy[frozenset[Any]]:
    return st.frozensets(st.sampled_from(pool))


@st.composite
def fences(draw: st.DrawFn) -> Fence:
    narrow = draw(st.booleans())
    return Fence(
        tenant=TENANT,
        scopes=tuple(sorted(draw(subsets(SCOPES)) if narrow else SCOPES, key=lambda scope: scope.key)),
        ceiling=draw(st.sampled_from(Sensitivity)) if narrow else Sensitivity.SECRET,
        statuses=draw(subsets(list(Status))) if narrow else frozenset(Status),
        instant=draw(instants),
        known_at=draw(maybe_instants),
        kinds=draw(st.none() | subsets(list(Kind))) if narrow else None,
        types=draw(st.none() | subsets(["fact", "turn", "event", "decision"])) if narrow else None,
        sources=draw(st.none() | subsets(list(SourceKind))) if narrow else None,
        channel=draw(st.sampled_from([None, None, "mail", "fax"])),
        since=draw(maybe_instants),
        until=draw(maybe_instants),
        project=draw(st.sampled_from([None, "apollo", "gemini", "mercury"])),
        isolate=draw(st.booleans()),
        named_subjects=draw(subsets(["", "rex", "nobody"])),
        timeless=draw(st.sampled_from([False, False, True])),
    )
