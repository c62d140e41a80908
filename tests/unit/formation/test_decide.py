from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.unit.formation.facts import AGENT, TOOL, USER, Ledger, day, says

from bethink.domain.record import Status
from bethink.domain.source import Source, SourceKind
from bethink.errors import InvalidInput

GRACE = timedelta(days=30)


def test_first_statement_is_created_and_active() -> None:
    ledger = Ledger()
    decision = ledger.tell(says("Ana lives in Lisbon."), day(0))
    assert (decision.outcome, decision.status) == ("created", Status.ACTIVE)
    assert ledger.live(day(1)) == ["Ana lives in Lisbon."]


def test_inference_is_provisional_and_ends_thirty_days_after_creation() -> None:
    ledger = Ledger()
    decision = ledger.tell(says("Ana lives in Lisbon.", AGENT), day(0))
    assert (decision.status, ledger.records["r1"].ends_at) == (Status.PROVISIONAL, day(0) + GRACE)
    assert ledger.live(day(29)) == ["Ana lives in Lisbon."]
    assert ledger.live(day(30)) == []


def test_later_statement_of_equal_rank_takes_over_and_history_is_reachable() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana works at A."), day(0))
    decision = ledger.tell(says("Ana works at B."), day(10))
    assert (decision.outcome, decision.superseded) == ("superseded", ("r1",))
    assert ledger.records["r1"].superseded_by == "r2"
    assert ledger.records["r2"].supersedes == ("r1",)
    assert ledger.live(day(11)) == ["Ana works at B."]
    assert [r.content.text for r in ledger.shown(day(5))] == ["Ana works at A."]
    assert [r.content.text for r in ledger.shown(day(11))] == ["Ana works at B."]


def test_returning_to_an_old_value_is_a_new_record() -> None:
    ledger = Ledger()
    outcomes = [ledger.tell(says(f"Ana lives in {city}."), day(n)).outcome for n, city in enumerate("ABA")]
    assert outcomes == ["created", "superseded", "superseded"]
    assert [r.id for r in ledger.shown(day(9))] == ["r3"]
    assert [r.content.text[-2] for n in (0.5, 1.5, 2.5) for r in ledger.shown(day(n))] == ["A", "B", "A"]


def test_lower_rank_never_replaces_but_is_kept_beside_as_a_conflict() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon."), day(0))
    decision = ledger.tell(says("Ana lives in Porto.", TOOL), day(5))
    assert (decision.outcome, decision.status, decision.conflicts) == ("conflict", Status.PROVISIONAL, ("r1",))
    assert decision.superseded == ()
    assert ledger.records["r1"].status is Status.ACTIVE
    assert ledger.records["r2"].ends_at == day(35)


def test_lower_rank_stays_a_conflict_when_its_event_is_earlier() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon."), day(5))
    assert ledger.tell(says("Ana lives in Porto.", AGENT, event_at=day(1)), day(6)).outcome == "conflict"


def test_second_conflict_of_one_rank_replaces_the_first() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon."), day(0))
    ledger.tell(says("Ana lives in Porto.", AGENT), day(1))
    decision = ledger.tell(says("Ana lives in Faro.", AGENT), day(2))
    assert (decision.outcome, decision.conflicts, decision.superseded) == ("conflict", ("r1",), ("r2",))


def test_higher_rank_takes_over_even_with_an_earlier_event() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Porto.", AGENT), day(5))
    decision = ledger.tell(says("Ana lives in Lisbon.", event_at=day(1)), day(6))
    assert (decision.outcome, decision.superseded) == ("superseded", ("r1",))
    assert [r.content.text for n in (2, 5.5, 7) for r in ledger.shown(day(n))] == ["Ana lives in Lisbon."] * 3


def test_stale_statement_arrives_superseded_and_ends_where_its_successor_begins() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Porto.", event_at=day(10)), day(20))
    decision = ledger.tell(says("Ana lives in Lisbon.", event_at=day(5)), day(21))
    assert (decision.outcome, decision.status) == ("superseded_on_arrival", Status.SUPERSEDED)
    assert (ledger.records["r2"].ends_at, ledger.records["r2"].superseded_by) == (day(10), "r1")
    assert ledger.live(day(22)) == ["Ana lives in Porto."]


def test_statement_falling_between_two_shortens_the_earlier_one() -> None:
    ledger = Ledger()
    ledger.tell(says("A", event_at=day(1)), day(20))
    ledger.tell(says("C", event_at=day(9)), day(21))
    decision = ledger.tell(says("B", event_at=day(5)), day(22))
    assert (decision.outcome, decision.superseded) == ("superseded_on_arrival", ("r1",))
    assert [r.content.text for n in (2, 6, 10) for r in ledger.shown(day(n))] == ["A", "B", "C"]
    assert ledger.records["r1"].superseded_by == "r3"


def test_stale_statement_leaves_a_later_conflict_alone() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon.", event_at=day(5)), day(20))
    ledger.tell(says("Ana lives in Porto.", AGENT, event_at=day(4)), day(21))
    decision = ledger.tell(says("Ana lives in Faro.", event_at=day(1)), day(22))
    assert (decision.outcome, decision.superseded) == ("superseded_on_arrival", ())
    assert ledger.records["r2"].status is Status.PROVISIONAL


def test_statement_that_starts_in_the_future_leaves_the_present_alone_until_then() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon."), day(0))
    decision = ledger.tell(says("Ana lives in Porto.", valid_from=day(50)), day(1))
    assert decision.outcome == "superseded"
    assert (ledger.live(day(2)), ledger.live(day(51))) == (["Ana lives in Lisbon."], ["Ana lives in Porto."])


def test_statement_said_before_a_future_one_holds_until_that_begins() -> None:
    ledger = Ledger()
    ledger.tell(says("A"), day(0))
    ledger.tell(says("C", valid_from=day(50)), day(1))
    decision = ledger.tell(says("B"), day(2))
    assert (decision.status, ledger.records["r3"].ends_at) == (Status.ACTIVE, day(50))
    assert [ledger.live(day(n)) for n in (3, 49, 50)] == [["B"], ["B"], ["C"]]


def test_event_still_to_come_does_not_hide_what_was_said_about_it() -> None:
    ledger = Ledger()
    ledger.tell(says("The trip is on day 40.", attribute="trip", event_at=day(40)), day(0))
    decision = ledger.tell(says("The trip is on day 30.", attribute="trip", event_at=day(30)), day(1))
    assert decision.outcome == "superseded"
    assert ledger.live(day(2)) == ["The trip is on day 30."]


def test_what_is_over_already_ends_nothing_that_still_holds() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon.", valid_from=day(0)), day(20))
    ledger.tell(says("Ana stayed in Porto.", valid_from=day(5), valid_until=day(8)), day(21))
    assert ledger.live(day(22)) == ["Ana lives in Lisbon."]


def test_without_attribute_nothing_is_superseded() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon."), day(0))
    assert ledger.tell(says("Ana lives in Porto.", attribute=None), day(1)).outcome == "created"
    assert len(ledger.live(day(2))) == 2


def test_events_are_appended_and_never_superseded() -> None:
    ledger = Ledger()
    for number in range(3):
        outcome = ledger.tell(says(f"Ana ran {number} miles.", type="event", event_at=day(number)), day(5)).outcome
        assert outcome == "created"
    assert len(ledger.live(day(6))) == 3


def test_same_words_of_another_day_are_another_event() -> None:
    ledger = Ledger()
    outcomes = [ledger.tell(says("Ana ran.", type="event", event_at=day(n)), day(5)).outcome for n in (1, 2, 2)]
    assert outcomes == ["created", "created", "reinforced"]


def test_temporary_preference_stands_beside_the_standing_one_and_ends_by_itself() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana wants short answers."), day(0))
    passing = says("Ana wants long answers today.", flags=frozenset({"temporary"}), valid_until=day(2))
    decision = ledger.tell(passing, day(1), expires_at=day(2))
    assert (decision.outcome, ledger.records["r2"].ends_at) == ("created", day(2))
    assert len(ledger.live(day(1.5))) == 2
    assert ledger.live(day(3)) == ["Ana wants short answers."]


def test_standing_preference_leaves_a_temporary_one_alone() -> None:
    ledger = Ledger()
    ledger.tell(says("Long answers today.", flags=frozenset({"temporary"})), day(0))
    assert ledger.tell(says("Short answers."), day(1)).superseded == ()


def test_same_words_from_another_source_reinforce_once() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon.", TOOL), day(0), support="turn:1")
    again = [ledger.tell(says("Ana lives in Lisbon.", TOOL), day(n), support="turn:2") for n in (1, 2)]
    assert [d.outcome for d in again] == ["reinforced", "already_reinforced"]
    usage = ledger.records["r1"].usage
    assert (usage.confidence, usage.evidence_count, usage.last_evidence_at) == (0.95, 2, day(1))
    assert list(ledger.records) == ["r1"]


def test_confidence_never_passes_its_ceiling() -> None:
    ledger = Ledger()
    for number in range(6):
        ledger.tell(says("Ana lives in Lisbon."), day(number), support=f"turn:{number}")
    assert ledger.records["r1"].usage.confidence == 0.99


def test_two_independent_sources_make_an_inference_active() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon.", AGENT, creator="one"), day(0), support="agent:one")
    decision = ledger.tell(says("Ana lives in Lisbon.", AGENT, creator="two"), day(1), support="agent:two")
    assert (decision.outcome, decision.status) == ("reinforced", Status.ACTIVE)
    assert ledger.live(day(365)) == ["Ana lives in Lisbon."]


def test_an_agent_repeating_itself_is_no_evidence() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon.", AGENT), day(0), support="agent:bot")
    decision = ledger.tell(says("Ana lives in Lisbon.", AGENT), day(20), support="agent:bot/elsewhere")
    assert (decision.outcome, ledger.records["r1"].ends_at) == ("already_reinforced", day(30))


def test_an_agent_retelling_what_the_user_said_raises_nothing() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon.", TOOL), day(0))
    assert ledger.tell(says("Ana lives in Lisbon.", AGENT, creator="two"), day(1)).outcome == "already_reinforced"
    assert ledger.records["r1"].usage.confidence == 0.85


def test_better_source_of_the_same_words_lifts_the_record_to_its_standing() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon.", AGENT), day(0))
    decision = ledger.tell(says("Ana lives in Lisbon."), day(1))
    assert (decision.outcome, decision.id, decision.status) == ("reinforced", "r1", Status.ACTIVE)
    known = ledger.records["r1"]
    assert (known.content.source.kind, known.usage.confidence) == (USER, 0.95)
    assert ledger.tell(says("Ana lives in Porto.", AGENT), day(2)).outcome == "conflict"


def test_user_agreeing_with_a_conflict_makes_it_the_one_head() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon."), day(0))
    ledger.tell(says("Ana lives in Porto.", AGENT), day(1))
    decision = ledger.tell(says("Ana lives in Porto."), day(2))
    assert (decision.outcome, decision.superseded) == ("superseded", ("r1", "r2"))
    assert ledger.live(day(3)) == ["Ana lives in Porto."]


def test_conflict_reinforced_by_its_equals_stays_provisional() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon."), day(0))
    ledger.tell(says("Ana lives in Porto.", AGENT, creator="one"), day(1))
    decision = ledger.tell(says("Ana lives in Porto.", AGENT, creator="two"), day(9))
    assert (decision.outcome, decision.status) == ("reinforced", Status.PROVISIONAL)
    assert ledger.records["r2"].ends_at == day(39)


def test_same_words_about_another_subject_are_another_statement() -> None:
    ledger = Ledger()
    ledger.tell(says("likes tea", subject="Ana", attribute="drink"), day(0))
    assert ledger.tell(says("likes tea", subject="Bo", attribute="drink"), day(1)).outcome == "created"
    assert len(ledger.live(day(2))) == 2


def test_naming_the_fact_replaces_the_plain_record_of_the_same_words() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon.", subject=None, attribute=None), day(0))
    decision = ledger.tell(says("Ana lives in Lisbon."), day(1))
    assert (decision.outcome, decision.superseded) == ("superseded", ("r1",))
    ledger.tell(says("Ana lives in Porto."), day(2))
    assert ledger.live(day(3)) == ["Ana lives in Porto."]


def test_same_words_for_a_later_stay_are_a_new_record() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon.", valid_from=day(0), valid_until=day(5)), day(1))
    assert ledger.tell(says("Ana lives in Lisbon.", valid_from=day(9)), day(10)).outcome != "reinforced"
    assert [len(ledger.shown(day(n))) for n in (2, 7, 11)] == [1, 0, 1]


def test_lapsed_record_is_not_reinforced() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives in Lisbon.", AGENT), day(0))
    assert ledger.tell(says("Ana lives in Lisbon.", AGENT), day(40)).outcome == "created"


def test_retraction_ends_the_incumbent_and_is_never_shown() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana works at Acme."), day(0))
    decision = ledger.tell(says("Ana left Acme.", polarity="retract", valid_from=day(5)), day(6))
    assert (decision.outcome, decision.superseded) == ("superseded", ("r1",))
    assert ledger.live(day(7)) == []
    assert [[r.id for r in ledger.shown(day(n))] for n in (4, 5, 8)] == [["r1"], [], []]


def test_retraction_repeated_writes_nothing_new() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana works at Acme."), day(0))
    outcomes = [ledger.tell(says("Ana left Acme.", polarity="retract"), day(n)).outcome for n in (1, 2)]
    assert (outcomes, len(ledger.records)) == (["superseded", "already_reinforced"], 2)


def test_retraction_of_lower_rank_is_a_conflict_and_ends_nothing() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana works at Acme."), day(0))
    decision = ledger.tell(says("Ana left Acme.", AGENT, polarity="retract"), day(1))
    assert (decision.outcome, decision.conflicts) == ("conflict", ("r1",))
    assert ledger.live(day(2)) == ["Ana works at Acme."]


def test_statement_after_a_retraction_holds_and_one_before_it_ended_there() -> None:
    ledger = Ledger()
    ledger.tell(says("Nothing is known.", polarity="retract", valid_from=day(5)), day(6))
    ledger.tell(says("Ana works at Acme.", event_at=day(1)), day(7))
    ledger.tell(says("Ana works at Globex.", event_at=day(9)), day(10))
    assert [[r.content.text[-5:-1] for r in ledger.shown(day(n))] for n in (2, 6, 11)] == [["Acme"], [], ["obex"]]


def test_retraction_by_its_exact_words_needs_no_subject() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana likes tea.", subject=None, attribute=None), day(0))
    ledger.tell(says("Ana likes tea.", subject=None, attribute=None, polarity="retract"), day(1))
    assert ledger.live(day(2)) == []


@pytest.mark.parametrize("fields", [{"subject": None, "attribute": None}, {"type": "event"}])
def test_retraction_that_names_nothing_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match="Nothing to retract"):
        Ledger().tell(says("Ana likes tea.", polarity="retract", **fields), day(0))


def test_quarantined_text_ends_nothing_and_cannot_be_confirmed() -> None:
    ledger, held = Ledger(), frozenset({"quarantined"})
    ledger.tell(says("Ana lives in Lisbon.", AGENT), day(0))
    decision = ledger.tell(says("Ana lives at evil.example.", TOOL, flags=held), day(1))
    assert (decision.status, decision.superseded, decision.conflicts) == (Status.PROVISIONAL, (), ("r1",))
    again = ledger.tell(says("Ana lives at evil.example.", TOOL, flags=held), day(2), support="turn:9")
    assert (again.outcome, again.id, again.status) == ("already_reinforced", decision.id, Status.PROVISIONAL)


def test_quarantined_text_is_no_incumbent() -> None:
    ledger = Ledger()
    ledger.tell(says("Ana lives at evil.example.", TOOL, flags=frozenset({"quarantined"})), day(0))
    decision = ledger.tell(says("Ana lives in Lisbon.", AGENT), day(1))
    assert (decision.outcome, decision.conflicts) == ("created", ())


def test_the_users_own_words_free_a_quarantined_record() -> None:
    ledger = Ledger()
    ledger.tell(says("Send mail to Bo.", TOOL, flags=frozenset({"quarantined", "review"})), day(0))
    decision = ledger.tell(says("Send mail to Bo."), day(1))
    assert (decision.outcome, decision.status) == ("reinforced", Status.ACTIVE)
    assert ledger.records["r1"].content.flags == {"review"}


def test_expiry_asked_for_survives_confirmation() -> None:
    ledger = Ledger()
    content = says("Ana is in Faro.", AGENT, creator="one", valid_until=day(60))
    ledger.tell(content, day(0), expires_at=day(60))
    again = replace(content, source=Source(SourceKind.AGENT_INFERENCE, "agent:two", "two"))
    assert ledger.tell(again, day(1), support="agent:two").status is Status.ACTIVE
    assert (ledger.live(day(59)), ledger.live(day(60))) == (["Ana is in Faro."], [])
