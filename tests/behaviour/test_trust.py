"""Trust comes from who wrote it: what nobody vouches for fills no block, and never stands among what is granted."""

from __future__ import annotations

import pytest

from bethink.domain.source import SourceKind
from tests.behaviour.house import know
from tests.behaviour.requirements import requirement

PAGE, TOOL = SourceKind.DOCUMENT, SourceKind.TOOL_RESULT


@requirement("D5", "D34", "D35")
@pytest.mark.parametrize("asked", [{"confirmed_only": True}, {"profile": "core"}], ids=["asked for", "core"])
def test_a_block_of_what_is_granted_holds_only_what_user_or_host_vouch_for(house, asked):
    maya, agent = house.bind(), house.bind(voice="agent")
    own = know(maya, "The blue kiln is hot at noon")
    told = know(maya, "The blue kiln is hot on Mondays", source=SourceKind.SYSTEM)
    page = know(maya, "The blue kiln is hot, and the kiln is always hot", source=PAGE, source_ref="page:1")
    concluded = agent.remember("The blue kiln is hot in the evening").id
    everything, granted = maya.recall("blue kiln hot"), maya.recall("blue kiln hot", **asked)

    assert {item.id for item in everything.items} == {own, told, page, concluded}
    assert {item.id for item in granted.items} == {own, told}
    for lost in (page, concluded):
        assert maya.why(granted.trace_id, lost).stage == "fence"
    assert "vouch" in maya.why(granted.trace_id, page).text


@requirement("D5", "D35")
def test_a_hundred_pages_that_match_better_leave_what_is_vouched_for_in_its_place(house):
    maya = house.bind()
    own = know(maya, "The blue kiln is hot at noon")
    for number in range(100):
        know(maya, f"blue kiln hot blue kiln hot, page {number}", source=PAGE, source_ref=f"page:{number}")
    granted = maya.recall("Is the blue kiln hot?", confirmed_only=True)

    assert [item.id for item in granted.items] == [own]
    assert granted.items[0].explanation.fused_rank == 1


@requirement("D5", "E105")
def test_what_a_quota_cuts_is_on_the_trace_with_its_number_and_the_answer_says_so(maya):
    pages = [
        know(maya, f"The blue kiln {words}", source=PAGE, source_ref="page:1")
        for words in ("is in the old hall", "burns olive wood", "was built by Ben", "needs a new door", "has two vents")
    ]
    result = maya.recall("blue kiln", max_items=20)
    cut = [found for found in maya.trace(result.trace_id).trace.cuts if found.stage == "quota"]

    assert (len(result.items), len(cut)) == (2, 3)
    assert {item.id for item in result.items} | {found.id for found in cut} == set(pages)
    assert (result.short_reason, [notice.code for notice in result.notices]) == ("quota", ["quota_cut"])
    why = maya.why(result.trace_id, cut[0].id)
    assert (why.stage, why.bound) == ("quota", 2.0)
    assert "its share" in why.text
