"""Where a record came from is a reference that may dangle, and what time ended is not renewed by reading it again."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bethink.domain.source import SourceKind
from tests.behaviour.house import beliefs, record
from tests.behaviour.requirements import requirement
from tests.databases import rows_of

DAY = timedelta(days=1)
TEA = "Does Maya like tea?"


@requirement("C66")
def test_the_session_of_a_record_may_be_gone_and_recall_asks_nothing_of_it(house, maya):
    lost = maya.remember("Maya likes green tea", session="never-opened").id
    with maya.session("talk") as talk:
        kept = talk.remember("Maya likes black tea").id
    before = set(beliefs(maya, TEA))
    rows_of(maya._parts.store, "delete from session")

    assert before == {lost, kept}
    assert record(maya, lost).content.origin.session == "never-opened"
    assert record(maya, kept).content.origin.session == "talk"
    assert set(beliefs(maya, TEA)) == before


@requirement("C67")
@pytest.mark.parametrize(
    ("kind", "ref"),
    [
        (SourceKind.TOOL_RESULT, "call:17"),
        (SourceKind.DOCUMENT, "file:gone/AGENTS.md#Rule"),
        (SourceKind.IMPORT, "import:2025-01"),
        (SourceKind.SYSTEM, "event:9"),
        (SourceKind.SESSION_SUMMARY, "turn:no-such-turn"),
        (SourceKind.USER_STATEMENT, None),
    ],
)
def test_a_source_s_reference_is_kept_as_it_is_and_binds_nothing(house, maya, kind, ref):
    item = maya.remember("Maya likes tea", source=kind, source_ref=ref).id
    source = record(maya, item).content.source

    assert (source.kind, source.ref) == (kind, ref or "user:maya")
    assert beliefs(maya, TEA) == [item]
    assert house.opened[0].check().findings == ()
    assert maya.forget(item, mode="erase").removed["records"] == 1


@requirement("A182")
@pytest.mark.parametrize("moment", [{}, {"profile": "deep"}])
def test_a_dated_fact_of_an_email_that_has_passed_stays_out_and_reading_it_again_renews_nothing(house, maya, moment):
    now = house.clock.now()
    dated = {
        "source": SourceKind.IMPORT,
        "source_ref": "mail:17",
        "event_at": now - DAY,
        "valid_until": now + 5 * DAY,
    }
    item = maya.remember("Maya has to pay the kiln invoice", **dated).id
    asked = "What does Maya have to pay?"
    assert item in beliefs(maya, asked, **moment)
    house.clock.advance(days=10)
    before = record(maya, item).usage
    again = maya.remember("Maya has to pay the kiln invoice", **dated)

    assert (again.outcome, again.id) == ("already_reinforced", item)
    assert record(maya, item).usage == before
    assert beliefs(maya, asked, **moment) == []
    assert beliefs(maya, asked, as_of=now + 2 * DAY) == [item]


@requirement("D36")
def test_forgetting_says_which_operation_ran_and_what_remains(house, maya):
    with maya.session("talk") as talk:
        turn = talk.turn("I like green tea.", role="user").ids[0]
    item = house.bind(voice="agent", session="talk").remember("Maya likes green tea", evidence="I like green tea.").id
    stopped = maya.forget(item)
    restored = maya.forget(item, mode="restore")
    erased = maya.forget(item, mode="erase")

    assert [one.operation for one in (stopped, restored, erased)] == ["stop", "restore", "erase"]
    assert [dict(one.removed) for one in (stopped, restored)] == [{"hidden": 1}, {"restored": 1}]
    assert erased.sources == (turn,)
    assert erased.removed["records"] == 1
    assert all(word in " ".join(erased.remains) for word in maya._parts.store.database.beyond)
