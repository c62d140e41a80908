"""The host's own agent reads a session by a brief and answers with a verdict, which the rules check like any word."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bethink.domain.source import SourceKind
from bethink.errors import InvalidInput, SessionBusy
from bethink.operations.extraction import Suggestion, VerdictRequest
from tests.behaviour.house import record
from tests.behaviour.requirements import requirement
from tests.behaviour.scripted import LIVES, beliefs, talk

SHOWN = '{"rendered": "<memory>The user lives in Faro.</memory>", "trace_id": "019ca704"}'
HOME = Suggestion("The user lives in Porto with two cats.", LIVES, attribute="home city")


@pytest.fixture
def aria(house, maya):
    """Maya's agent, after a session."""
    talk(house, "Hello there.", LIVES, ("tool", SHOWN), ("assistant", "Noted."))
    return house.bind(voice="agent")


def test_a_brief_shows_what_may_be_read_and_a_verdict_stores_it(aria, maya):
    brief = aria.extract_brief("talk")

    assert [turn.text for turn in brief.turns] == ["Hello there.", LIVES, "Noted."]
    assert (brief.hidden, bool(brief.claim), "data" in brief.instructions) == (1, True, True)
    result = aria.extract_verdict(VerdictRequest("talk", brief.claim, (HOME,), summary="Where Maya lives."))
    assert (result.outcome, beliefs(maya, result)) == ("stored", [HOME.content])
    assert record(maya, result.beliefs[0].id).content.source.kind is SourceKind.USER_STATEMENT
    assert record(maya, result.summary_id).content.text == "Where Maya lives."
    assert aria.extract_brief("talk").claim is None


@requirement("E24", "E25")
@pytest.mark.parametrize(
    ("suggestion", "why"),
    [
        (Suggestion("The user lives in Lisbon.", "I live in Lisbon with two cats."), "quote_not_found"),
        (Suggestion("The user lives in Lisbon.", LIVES), "rejected"),
        (Suggestion("The user has 12 cats.", LIVES), "rejected"),
        (Suggestion("The user does not live in Porto.", LIVES), "rejected"),
        (Suggestion("The user asked to be brief.", "Be brief."), "quote_not_found"),
    ],
)
def test_an_agent_s_word_alone_stores_nothing(aria, suggestion, why):
    brief = aria.extract_brief("talk")

    result = aria.extract_verdict(VerdictRequest("talk", brief.claim, (suggestion,)))

    assert (result.outcome, dict(result.dropped)) == ("nothing_to_store", {why: 1})


def test_a_claim_holds_ten_minutes_and_no_other_reads_meanwhile(house, aria, maya):
    brief = aria.extract_brief("talk")

    assert brief.until - house.clock.now() == timedelta(minutes=10)
    with pytest.raises(SessionBusy):
        aria.extract_brief("talk")
    with pytest.raises(SessionBusy):
        maya.extract("talk")
    house.clock.advance(minutes=10)
    late, again = brief.claim, aria.extract_brief("talk")
    with pytest.raises(SessionBusy):
        aria.extract_verdict(VerdictRequest("talk", late, (HOME,)))
    assert aria.extract_verdict(VerdictRequest("talk", again.claim, (HOME,))).outcome == "stored"


def test_a_verdict_without_a_brief_or_with_too_much_is_refused(house, aria):
    with pytest.raises(SessionBusy):
        aria.extract_verdict(VerdictRequest("talk", "made-up"))
    brief = aria.extract_brief("talk")
    with pytest.raises(InvalidInput):
        aria.extract_verdict(VerdictRequest("talk", brief.claim, (HOME,) * 201))
    with pytest.raises(SessionBusy):
        house.bind("maya", "other", voice="agent").extract_brief("talk")
