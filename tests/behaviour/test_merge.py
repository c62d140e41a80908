"""Two records that say the same become one, which keeps the support and the times of both."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bethink.domain.record import Status
from bethink.domain.scope import Sensitivity
from bethink.domain.source import SourceKind
from bethink.domain.types import Portability
from bethink.errors import InvalidInput, NotFound
from tests.behaviour.house import MARCH, beliefs, events, know, record, texts
from tests.behaviour.requirements import requirement

DAY = timedelta(days=1)
HOME = {"subject": "Maya", "attribute": "home city"}
ASKED = "Where does Maya live?"
TEA = "Does Maya like tea?"
SYSTEM, TOOL = SourceKind.SYSTEM, SourceKind.TOOL_RESULT


@requirement("C42")
def test_of_two_that_say_the_same_one_stays_with_the_support_of_both(house, maya, aria):
    kept = aria.remember("Maya likes tea").id
    house.clock.advance(days=1)
    gone = house.bind(agent="bard", voice="agent").remember("Maya enjoys tea").id
    house.bind(agent="cleo", voice="agent").remember("Maya enjoys tea")
    before = house.clock.advance(days=1)
    at = house.clock.advance(days=1)
    with pytest.raises(InvalidInput, match="active") as turned:
        maya.revise(kept, action="merge", other=gone)
    done = maya.revise(gone, action="merge", other=kept)
    survivor, other = record(maya, gone), record(maya, kept)

    assert f"Keep {gone} instead" in str(turned.value)
    assert (done.outcome, done.id, done.superseded, done.status) == ("merged", gone, (kept,), Status.ACTIVE)
    assert (other.status, other.superseded_by, other.history[-1].recorded_from) == (Status.SUPERSEDED, gone, at)
    assert (survivor.usage.evidence_count, survivor.usage.confidence) == (3, 0.8)
    assert survivor.content.text == "Maya enjoys tea"
    assert aria.revise(gone, action="confirm").outcome == "already_confirmed"
    assert beliefs(maya, TEA) == [gone]
    assert set(beliefs(maya, TEA, known_at=before, as_of=before)) == {kept, gone}
    assert house.opened[0].check().findings == ()


def test_two_guesses_of_two_agents_merged_are_no_guess_any_more(house, maya, aria):
    kept, gone = (
        aria.remember("Maya likes tea").id,
        house.bind(agent="bard", voice="agent").remember("Maya likes a tea").id,
    )
    own = aria.remember("Maya is fond of tea", source_ref="my notes").id
    done = maya.revise(kept, action="merge", other=own)
    both = maya.revise(kept, action="merge", other=gone)

    assert (done.status, both.status) == (Status.PROVISIONAL, Status.ACTIVE)
    assert (record(maya, kept).ends_at, record(maya, kept).usage.evidence_count) == (None, 2)


def test_a_merge_keeps_the_times_of_both_and_the_stricter_sensitivity(house, maya):
    early = know(maya, "Maya lives in Lisbon town", valid_from=MARCH - 900 * DAY)
    late = know(maya, "Maya lives in Lisbon", valid_from=MARCH - 300 * DAY, sensitivity=Sensitivity.RESTRICTED)
    open_eyed = house.bind(ceiling=Sensitivity.SECRET)
    open_eyed.revise(late, action="merge", other=early)
    times = [MARCH - days * DAY for days in (950, 600, 100, 0)]

    assert [beliefs(open_eyed, ASKED, as_of=at) for at in times] == [[], [early], [late], [late]]
    assert open_eyed.get(late).record.content.sensitivity is Sensitivity.RESTRICTED
    other = maya.remember("Maya lives in a Lisbon flat", source=SYSTEM).id
    open_eyed.revise(other, action="merge", other=late)
    with pytest.raises(NotFound):
        maya.get(other)
    assert texts(maya.recall(ASKED)) == []


@pytest.mark.parametrize(
    ("kept", "gone", "why"),
    [
        ({"subject": "Maya"}, {"subject": "Noor"}, "subjects"),
        (HOME, {"subject": "Maya", "attribute": "employer"}, "attributes"),
        ({}, HOME, "names what it is about"),
        ({"type": "preference"}, {"type": "preference", "temporary": True}, "passing"),
        ({}, {"type": "decision"}, "types"),
        ({"source": TOOL}, {"source": SYSTEM}, "better source"),
        ({"valid_until": MARCH + DAY}, {}, "longer"),
        ({"portability": Portability.LOCAL}, {}, "further"),
        ({"target": "project"}, {}, "owners"),
        ({"type": "event"}, {"type": "event"}, "event"),
    ],
)
def test_what_the_rules_keep_apart_is_not_merged(house, kept, gone, why):
    house.open().grant("maya", "aria", "project:loom", write=True)
    maya = house.bind(project="loom")
    pair = [know(maya, text, **fields) for text, fields in (("Maya has a cat", kept), ("Maya owns a cat", gone))]
    written = len(events(maya))

    with pytest.raises(InvalidInput, match=why):
        maya.revise(pair[0], action="merge", other=pair[1])
    assert len(events(maya)) == written
    assert {record(maya, item).status for item in pair} == {Status.ACTIVE}


def test_an_agent_merges_what_the_user_said_only_where_the_words_show_it(maya, aria):
    kept = maya.remember("Maya likes tea. Maya owns a boat.").id
    same, other = maya.remember("Maya likes tea").id, maya.remember("Maya sails a boat").id

    with pytest.raises(InvalidInput, match="Nothing shows"):
        aria.revise(kept, action="merge", other=other)
    with pytest.raises(InvalidInput, match="itself"):
        aria.revise(kept, action="merge", other=kept)
    assert aria.revise(kept, action="merge", other=same).outcome == "merged"
    assert record(maya, other).status is Status.ACTIVE
