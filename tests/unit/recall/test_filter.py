"""The fence a request gets: who, when, which standing, and never more than the caller's grants."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import CALLER, START, USER, FakeSnapshot, House, belief

from bethink.domain.fence import Fence
from bethink.domain.record import HISTORICAL, LIVE, Status
from bethink.domain.scope import Scope, ScopeKind, Sensitivity
from bethink.domain.types import Kind
from bethink.errors import InvalidInput
from bethink.operations.recall import RecallRequest
from bethink.recall.check import checked
from bethink.recall.fenced import fence_data, fence_of
from bethink.recall.filter import frame, present
from bethink.recall.query import TextFormer
from bethink.recall.reader import Asked
from bethink.settings import RecallSettings

PAST = datetime(2025, 6, 1, tzinfo=UTC)


def asked(house: House | None = None, **change: object) -> Asked:
    house = house or House([belief(1, "Ann plays the cello")])
    request = checked(RecallRequest("cello", **change))
    return frame(request, TextFormer().form(request), house.reader(), FakeSnapshot(house))


@requirement("A83", "E37")
def test_only_the_private_scope_and_what_grants_open_is_read():
    assert [scope.key for scope in asked().fence.scopes] == ["agent:helper/ann", "user:ann"]
    assert [scope.key for scope in asked(House([], grants=())).fence.scopes] == ["agent:helper/ann"]


def test_a_binding_that_names_no_readable_scope_reads_nothing():
    nobody = replace(CALLER, read_scopes=(Scope(ScopeKind.USER, "bob"),))

    assert asked(House([], caller=nobody)).fence.scopes == ()


@requirement("A84", "A11")
def test_a_live_recall_reads_live_records_and_a_past_one_history():
    assert asked().fence.statuses == LIVE
    assert asked(as_of=PAST).fence.statuses == HISTORICAL
    assert asked(include_superseded=True).fence.statuses == HISTORICAL
    assert asked(include_provisional=False).fence.statuses == {Status.ACTIVE}


def test_a_clock_that_runs_behind_hides_no_acknowledged_write():
    house = House([belief(1, "Ann plays the cello", recorded_at=START + timedelta(days=90))])
    house.clock.set(START)

    assert asked(house).fence.instant == START + timedelta(days=90)
    assert present(START, None) == START


@requirement("A85", "A124")
def test_the_answer_speaks_for_the_last_write_and_not_for_the_clock():
    house = House([belief(1, "Ann plays the cello", recorded_at=START)])

    assert asked(house).instant == START
    assert asked(house).fence.instant == house.clock.now() > START
    assert asked(house, as_of=PAST).instant == PAST == asked(house, as_of=PAST).fence.instant


def test_kinds_are_narrowed_and_never_widened_by_the_request():
    assert asked().fence.kinds is None
    assert asked(kinds=(Kind.EPISODIC,)).fence.kinds == {Kind.EPISODIC}
    assert asked(profile="core").fence.kinds == {Kind.SEMANTIC, Kind.PROCEDURAL}
    assert asked(profile="core", kinds=(Kind.EPISODIC,)).fence.kinds == frozenset()


@requirement("A86")
def test_the_ceiling_and_the_channel_are_the_callers():
    caller = replace(CALLER, channel="mail", ceiling=Sensitivity.PUBLIC)
    fence = asked(House([], caller=caller)).fence

    assert (fence.channel, fence.ceiling) == ("mail", Sensitivity.PUBLIC)


@requirement("A88")
def test_a_project_is_a_wall_when_the_request_or_the_settings_say_so():
    assert not asked().fence.isolate
    assert asked(project_policy="isolate").fence.isolate
    house = House([])
    walled = house.reader(settings=RecallSettings(project_policy="isolate"))
    request = RecallRequest("cello")
    assert frame(request, TextFormer().form(request), walled, FakeSnapshot(house)).fence.isolate


@pytest.mark.parametrize(
    "change",
    [
        {"as_of": datetime(2026, 1, 1)},  # noqa: DTZ001 - naive on purpose
        {"known_at": datetime(2026, 1, 1)},  # noqa: DTZ001 - naive on purpose
        {"since": START, "until": START},
        {"since": START + timedelta(days=1), "until": START},
        {"max_items": -1},
        {"budget_tokens": -1},
        {"timeout_ms": -5},
        {"profile": "everything"},
        {"types": ("gossip",)},
        {"project_policy": "share"},
    ],
)
def test_what_cannot_be_used_is_refused(change):
    with pytest.raises(InvalidInput):
        asked(**change)


def test_instants_are_brought_to_utc():
    east = datetime(2026, 1, 1, 9, tzinfo=UTC).astimezone(tz=None)

    assert checked(RecallRequest("x", as_of=east)).as_of == datetime(2026, 1, 1, 9, tzinfo=UTC)


def test_a_fence_told_as_data_comes_back_the_same_with_its_knowledge_closed():
    fence = Fence(
        tenant="acme",
        scopes=(USER,),
        ceiling=Sensitivity.RESTRICTED,
        statuses=LIVE,
        instant=START,
        kinds=frozenset({Kind.SEMANTIC}),
        types=frozenset({"fact"}),
        channel="mail",
        since=PAST,
        until=START,
        project="here",
        isolate=True,
        named_subjects=frozenset({"ann"}),
    )

    assert fence_of(fence_data(fence, START), "acme") == replace(fence, known_at=START)
    known = replace(fence, known_at=PAST)
    assert fence_of(fence_data(known, START), "acme") == known
