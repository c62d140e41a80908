"""Whether a turn needs memory is decided by what its draft lacks, and what is found has to help the draft."""

from __future__ import annotations

import pytest

from bethink.domain.source import SourceKind
from bethink.errors import InvalidInput
from bethink.operations.gaps import Gap
from bethink.operations.remember import Mention
from tests.behaviour.house import ByHand, ids, know
from tests.behaviour.requirements import requirement

COFFEE = "Maya drinks her coffee black, without sugar"


@requirement("E116")
def test_no_similarity_makes_an_ordinary_turn_search_and_none_is_asked_of_one_that_needs_memory(house):
    house.embedder = ByHand({"kiln": 0.9, COFFEE: 0.3})
    maya, bob = house.bind(), house.bind("bob", "bert")
    kiln = know(maya, "A kiln works by burning gas under a vaulted roof")
    coffee = know(bob, COFFEE, type="preference")
    ordinary = "Explain how a kiln works by burning gas."
    before = maya.recall(ordinary, moment="in_turn")
    plain = maya.fill_gaps(ordinary, draft="A kiln is an oven.")
    needing = bob.fill_gaps("How do I take my morning brew?", draft="I do not know.")

    assert ids(before) == [kiln], "a floor on similarity would have put this into the prompt"
    assert (plain.needed, plain.disposition, plain.gaps, plain.filled, plain.rendered) == (False, "no_gaps", (), (), "")
    assert (needing.needed, needing.disposition) == (True, "admitted")
    assert [(one.id, one.verdict) for one in needing.weighed] == [(coffee, "helpful")]
    assert needing.gaps[0].kind == "preference"


@requirement("E116")
def test_without_a_gap_nothing_is_searched_and_no_trace_is_written(maya):
    know(maya, COFFEE, type="preference")
    maya.recall("coffee")
    before = counted_traces(maya)
    maya.fill_gaps("Thanks, that is all!")
    none = counted_traces(maya)
    maya.fill_gaps("How do I like my coffee?")

    assert (none - before, counted_traces(maya) - none) == (0, 1)


def counted_traces(maya) -> int:
    """Traces stored so far."""
    return maya._parts.traces.check().count


@requirement("E116")
def test_what_the_draft_says_already_is_not_admitted_and_the_trace_says_so(maya):
    coffee = know(maya, COFFEE, type="preference")
    result = maya.fill_gaps(
        "How do I like my coffee?", draft="You drink it black: Maya drinks coffee without her sugar."
    )
    trace = result.filled[0].answer.trace_id

    assert (result.needed, result.disposition, result.rendered) == (False, "nothing_admitted", "")
    assert [(one.id, one.verdict, one.reason) for one in result.weighed] == [(coffee, "redundant", "the draft says it")]
    assert maya.why(trace, coffee).stage == "admission"
    assert result.filled[0].answer.empty_reason == "unhelpful"


@requirement("E116")
def test_what_is_contradicted_unconfirmed_or_reads_like_an_order_does_not_help(house, maya):
    about = {"subject": "Maya", "attribute": "coffee", "type": "preference"}
    told = maya.remember("Maya likes coffee black", source=SourceKind.SYSTEM, **about).id
    claim = maya.remember("Maya likes coffee with milk", source=SourceKind.AGENT_INFERENCE, **about).id
    unsure = maya.remember("Maya likes coffee from Ethiopia", source=SourceKind.AGENT_INFERENCE, type="preference").id
    fine = know(maya, "Maya likes coffee in the morning", type="preference")
    result = maya.fill_gaps("How do I like my coffee?")
    verdicts = {one.id: one.verdict for one in result.weighed}

    assert verdicts[fine] == "helpful"
    assert verdicts[unsure] == "insufficient"
    assert {verdicts[told], verdicts[claim]} == {"stale_or_conflicting"}
    assert ids(result.filled[0].answer) == [fine]
    assert result.rendered == result.filled[0].answer.rendered


def test_a_host_brings_gaps_of_its_own_and_each_has_its_block_and_no_record_twice(house):
    house.embedder = None
    maya = house.bind()
    nuts = know(maya, "Maya is allergic to peanuts", type="constraint")
    quiet = know(maya, "Maya prefers quiet restaurants without music", type="preference")
    gaps = (
        Gap("constraint", "Allergic to peanuts?"),
        Gap("preference", "Quiet restaurants, or allergic to peanuts?"),
        Gap("preference", "Quiet restaurants?"),
        Gap("task_state", "Which table was booked?"),
    )
    result = maya.fill_gaps("Book a table.", gaps=gaps, draft="Booked.")

    assert result.gaps == gaps[:3]
    assert [ids(one.answer) for one in result.filled] == [[nuts], [quiet], []]
    assert sorted(one.id for one in result.weighed if one.verdict == "helpful") == sorted([nuts, quiet])
    assert maya.fill_gaps("Book a table.", gaps=()).disposition == "no_gaps"
    assert maya.fill_gaps("x", gaps=(Gap("task_state", "Xylophone?"),)).disposition == "no_candidates"


def test_a_known_name_is_a_gap_and_only_for_whom_may_read_it(house, maya):
    zoe = maya.remember(
        "Zoë Keller repairs pottery wheels", source=SourceKind.SYSTEM, mentions=(Mention("Zoë Keller", "person"),)
    ).id
    turn = "Draft an invitation for Zoë Keller."

    assert [one.id for one in maya.fill_gaps(turn).weighed] == [zoe]
    assert house.bind("bob", "bert").fill_gaps(turn).disposition == "no_gaps"


def test_gaps_that_cannot_be_asked_are_refused(maya):
    for gaps in ((Gap("nothing", "Why?"),), (Gap("personal", " "),)):
        with pytest.raises(InvalidInput):
            maya.fill_gaps("x", gaps=gaps)
    with pytest.raises(InvalidInput):
        maya.fill_gaps(" ")
