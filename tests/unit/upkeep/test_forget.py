"""`forget` on the real store: hidden, brought back, or gone for good, and a receipt that tells the truth."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.behaviour.requirements import requirement
from tests.databases import everything_held
from tests.unit.desks import World

from bethink.domain.record import LIVE, Content, NewRecord, Status, Usage
from bethink.domain.scope import Scope, ScopeKind, Sensitivity
from bethink.domain.source import Source, SourceKind
from bethink.errors import AccessDenied, InvalidInput, NotFound, StoreBusy
from bethink.formation.explicit import remember
from bethink.operations.receipts import receipt_digest
from bethink.operations.records import ForgetRequest
from bethink.operations.remember import RememberRequest
from bethink.operations.sessions import TurnInput
from bethink.upkeep.forget import forget

ANA = Scope(ScopeKind.USER, "ana")
HOME = {"subject": "Ana", "attribute": "city"}
MARK = "Zanzibar-7319"


def live(world: World, item: str) -> bool:
    """Whether a live recall may read a record or turn."""
    with world.store.snapshot(world.tenant) as snapshot:
        return bool(snapshot.records.get(world.fence(), (item,)) or snapshot.turns.get(world.fence(), (item,)))


def derive(world: World, parent: str, text: str, scope: Scope = ANA, **fields: object) -> str:
    """A record derived from another."""
    content = Content(text, "fact", scope, Source(SourceKind.SESSION_SUMMARY, "made", "bot"), **fields)
    item = world.ids.new(world.clock.now())
    with world.store.write(world.tenant) as work:
        made = replace(content, derivation="derived", parents=(parent,))
        work.records.add(NewRecord(item, made, Status.ACTIVE, Usage(0.8), work.recorded_at), work.recorded_at)
    return item


def test_stop_hides_at_once_and_restore_brings_back_the_same(world: World) -> None:
    item = world.told("Ana lives in Lisbon.", **HOME).id
    receipt = world.forget(item, reason="asked")
    assert not live(world, item)
    assert (receipt.operation, receipt.ids[0], receipt.complete) == ("stop", item, True)
    before = world.record(item)
    assert (before.status, before.history[-1].reason) == (Status.DELETED, "asked")
    world.forget(item, "restore")
    assert live(world, item)
    assert (world.record(item).status, world.record(item).content) == (Status.ACTIVE, before.content)


def test_a_typed_sentence_shares_the_fate_of_its_record(world: World) -> None:
    item = world.told("Ana lives in Lisbon.").id
    turn = world.record(item).content.source.evidence.turn_id
    assert turn is not None
    assert world.forget(item).ids == (item, turn)
    assert not live(world, turn)
    world.forget(item, "restore")
    assert live(world, turn)
    assert world.forget(item, "erase").sources == ()
    assert not live(world, turn)


def test_stopping_twice_changes_nothing(world: World) -> None:
    item = world.told("Ana lives in Lisbon.").id
    world.forget(item)
    history = world.record(item).history
    assert world.forget(item).removed == {"hidden": 0}
    assert world.record(item).history == history


def test_only_what_is_hidden_can_be_restored(world: World) -> None:
    item = world.told("Ana lives in Lisbon.").id
    with pytest.raises(InvalidInput, match="not hidden"):
        world.forget(item, "restore")


def test_restoring_into_a_fact_that_moved_on_leaves_one_head(world: World) -> None:
    old = world.told("Ana lives in Lisbon.", **HOME).id
    turn = world.forget(old).ids[1]
    new = world.told("Ana lives in Porto.", **HOME)
    assert new.outcome == "created"
    world.forget(old, "restore")
    assert not live(world, turn)
    assert world.fact("ana", "city") == ["Ana lives in Porto."]
    assert (world.record(old).status, world.record(old).superseded_by) == (Status.SUPERSEDED, new.id)


def test_typed_turns_follow_what_a_restoration_decides(world: World) -> None:
    old, turn = world.forget(world.told("Ana lives in Lisbon.", **HOME).id).ids
    other = world.told("Ana lives in Porto.", event_at=world.clock.now().replace(year=2020), **HOME).id
    with world.store.snapshot(world.tenant) as snapshot:
        before = [t.text for t in snapshot.turns.between(world.fence(), limit=9)]
    world.forget(old, "restore")
    with world.store.snapshot(world.tenant) as snapshot:
        after = [t.text for t in snapshot.turns.between(world.fence(), limit=9)]
    assert (before, after) == (["Ana lives in Porto."], ["Ana lives in Lisbon."])
    assert live(world, turn)
    assert not live(world, other)


def test_restoring_beside_a_better_source_is_a_conflict(world: World) -> None:
    old = world.noted("Ana lives in Lisbon.", **HOME).id
    world.forget(old)
    new = world.told("Ana lives in Porto.", **HOME).id
    world.forget(old, "restore")
    assert (world.record(old).status, world.record(old).conflicts) == (Status.PROVISIONAL, (new,))


def test_restoring_what_was_said_again_leaves_the_newer_record(world: World) -> None:
    old = world.told("Ana likes tea.").id
    world.forget(old)
    new = world.told("Ana likes tea.")
    assert (new.outcome, new.id != old) == ("created", True)
    world.forget(old, "restore")
    assert (live(world, old), live(world, new.id)) == (False, True)


def test_restoring_the_better_source_takes_over_again(world: World) -> None:
    old = world.told("Ana lives in Lisbon.", **HOME).id
    world.forget(old)
    guess = world.noted("Ana lives in Porto.", **HOME).id
    world.forget(old, "restore")
    assert world.fact("ana", "city") == ["Ana lives in Lisbon."]
    assert (world.record(guess).status, world.record(guess).superseded_by) == (Status.SUPERSEDED, old)


def test_a_superseded_record_comes_back_where_it_stood_also_when_its_words_came_true_again(world: World) -> None:
    old = world.told("Ana lives in Lisbon.", **HOME).id
    world.told("Ana lives in Porto.", **HOME)
    world.told("Ana lives in Lisbon.", **HOME)
    before = world.record(old)
    world.forget(old)
    world.forget(old, "restore")
    after = world.record(old)
    assert (after.status, after.ends_at, after.superseded_by) == (before.status, before.ends_at, before.superseded_by)


def test_a_superseded_record_comes_back_superseded(world: World) -> None:
    old = world.told("Ana lives in Lisbon.", **HOME).id
    world.told("Ana lives in Porto.", **HOME)
    before = world.record(old)
    world.forget(old)
    world.forget(old, "restore")
    after = world.record(old)
    assert (after.status, after.ends_at, after.superseded_by) == (before.status, before.ends_at, before.superseded_by)


@requirement("P46")
def test_erase_leaves_no_trace_of_the_words_in_any_file(world: World) -> None:
    (turn,) = world.said("s1", TurnInput(f"I hide in {MARK} today."), TurnInput("Nothing here."))[:1]
    item = world.noted(
        f"Ana hides in {MARK} today.",
        evidence=f"I hide in {MARK} today.",
        session="s1",
        subject=f"Ana of {MARK}",
        attribute="hideout",
        tags=(MARK,),
        metadata={"place": MARK},
        source_ref=MARK,
        idempotency_key="k",
    ).id
    child = derive(world, item, f"A summary of {MARK}.")
    receipt = world.forget(item, "erase", with_sources=True)
    assert (receipt.ids, receipt.derived, receipt.sources) == ((item, turn), (child,), ())
    assert (receipt.complete, receipt.remains) == (True, world.store.database.beyond)
    held = dict(everything_held(world.store))
    assert len(held) > 1
    assert [name for name, rows in held.items() if MARK.casefold().encode() in rows.lower()] == []
    assert [t.text for t in world.turns("s1")] == ["Nothing here."]


def test_erase_without_sources_names_the_turns_that_keep_the_words(world: World) -> None:
    (turn,) = world.said("s1", TurnInput("I live in Lisbon."))
    item = world.noted("Ana lives in Lisbon.", evidence="I live in Lisbon.", session="s1").id
    receipt = world.forget(item, "erase")
    assert (receipt.sources, receipt.complete) == ((turn,), True)
    assert live(world, turn)


def test_erasing_a_turn_takes_what_stands_on_it(world: World) -> None:
    (turn,) = world.said("s1", TurnInput("I live in Lisbon."))
    item = world.noted("Ana lives in Lisbon.", evidence="I live in Lisbon.", session="s1").id
    receipt = world.forget(turn, "erase")
    assert (receipt.ids, receipt.derived) == ((turn,), (item,))
    with pytest.raises(NotFound):
        world.forget(item)


def test_another_record_that_quoted_an_erased_turn_keeps_its_own_words(world: World) -> None:
    world.said("s1", TurnInput("I live in Lisbon. I work at Acme."))
    quoted = {"evidence": "I live in Lisbon. I work at Acme.", "session": "s1"}
    gone = world.noted("Ana lives in Lisbon.", **quoted).id
    kept = world.noted("Ana works at Acme.", **quoted).id
    world.forget(gone, "erase", with_sources=True)
    assert world.record(kept).content.text == "Ana works at Acme."
    assert "Lisbon" not in repr(world.record(kept).content.source)


def test_derivation_is_followed_to_its_end(world: World) -> None:
    root = world.told("Ana lives in Lisbon.").id
    child = derive(world, root, "A summary.")
    grandchild = derive(world, child, "A summary of a summary.", sensitivity=Sensitivity.SECRET)
    assert set(world.forget(root, "erase").derived) == {child, grandchild}


def test_what_derives_beyond_the_callers_reach_is_said_and_not_named(world: World) -> None:
    root = world.told("Ana lives in Lisbon.").id
    foreign = derive(world, root, "A summary.", Scope(ScopeKind.USER, "bo"))
    receipt = world.forget(root, "erase")
    assert not receipt.complete
    assert foreign not in repr(receipt)
    assert "scopes this caller may not erase" in receipt.remains[0]


def test_dry_run_lists_what_would_go_and_changes_nothing(world: World) -> None:
    world.said("s1", TurnInput("I live in Lisbon."))
    item = world.noted("Ana lives in Lisbon.", evidence="I live in Lisbon.", session="s1").id
    child = derive(world, item, "A summary.")
    before = world.events()
    for mode in ("stop", "erase"):
        receipt = world.forget(item, mode, dry_run=True)
        assert (receipt.ids, receipt.dry_run, receipt.removed) == ((item,), True, {})
    assert receipt.derived == (child,)
    assert world.events() == before
    assert live(world, item)


def test_erased_and_absent_and_foreign_ids_answer_alike(world: World) -> None:
    gone = world.told("Ana lives in Lisbon.").id
    foreign = remember(RememberRequest("Secret.", target="private"), world.desk(agent="spy", user="bo")).id
    world.forget(gone, "erase")
    answers = set()
    for item in (gone, foreign, world.ids.new(world.clock.now())):
        for mode in ("stop", "restore", "erase"):
            with pytest.raises(NotFound) as caught:
                world.forget(item, mode)
            answers.add(str(caught.value).replace(item, "ID"))
    assert len(answers) == 1


def test_reading_is_not_forgetting(world: World) -> None:
    item = world.told("Ana lives in Lisbon.").id
    world.grant(ANA, agent="reader", write=False)
    for mode in ("stop", "restore", "erase"):
        with pytest.raises(AccessDenied):
            forget(ForgetRequest(item, mode=mode), world.desk(agent="reader"), world.traces)
    assert live(world, item)


def test_short_ids_name_one_record_and_ambiguous_ones_none(world: World) -> None:
    first = world.told("Ana likes tea.")
    world.told("Ana likes coffee.")
    with pytest.raises(InvalidInput, match="too short"):
        world.forget("m:12")
    with pytest.raises(InvalidInput, match="names several"):
        world.forget(first.id[:8])
    assert world.forget(first.short_id).ids[0] == first.id


@requirement("P43")
@pytest.mark.parametrize("item", ["", " ", "a/b", "x" * 300, "%%%%%%%%", "Ana likes tea."])
def test_nothing_is_found_by_words_or_patterns(world: World, item: str) -> None:
    kept = world.told("Ana likes tea.").id
    with pytest.raises((InvalidInput, NotFound)):
        world.forget(item, "erase")
    assert live(world, kept)


@pytest.mark.parametrize("fields", [{"mode": "burn"}, {"timeout_ms": 0}, {"reason": "r" * 501}, {"reason": "a\0"}])
def test_unusable_requests_are_refused(world: World, fields: dict[str, object]) -> None:
    item = world.told("Ana likes tea.").id
    with pytest.raises(InvalidInput):
        world.forget(item, **{"mode": "stop"} | fields)
    assert live(world, item)


def test_the_receipt_vouches_for_itself(world: World) -> None:
    receipt = world.forget(world.told("Ana likes tea.").id)
    assert receipt.digest == receipt_digest(receipt)
    assert receipt_digest(replace(receipt, complete=False)) != receipt.digest


def test_events_of_forgetting_hold_ids_and_no_words(world: World) -> None:
    item = world.told(f"Ana likes {MARK}.").id
    world.forget(item, reason=f"no {MARK}")
    world.forget(item, "restore")
    world.forget(item, "erase")
    told = [kind for kind, _ in world.events() if kind not in {"memory.receipt", "standing.changed"}]
    assert told[1:] == ["memory.forgotten", "memory.restored", "memory.forgotten"]
    assert MARK not in str(world.events())


@requirement("P38")
def test_traces_that_cannot_be_cleared_leave_it_hidden_and_the_receipt_open(world: World) -> None:
    class Busy(type(world.traces)):
        def erase(self, *_: object, **__: object) -> int:
            raise StoreBusy("The traces are held.")

    item = world.told("Ana likes tea.").id
    busy = Busy.__new__(Busy)
    receipt = forget(ForgetRequest(item, mode="erase"), world.desk(), busy)
    assert not receipt.complete
    assert "traces that name it" in receipt.remains[0]
    assert not live(world, item)
    assert world.forget(item, "erase").complete


def test_words_remembered_again_after_an_erase_come_back_with_a_word_about_it(world: World) -> None:
    world.forget(world.told("Ana likes tea.").id, "erase")
    again = world.told("Ana likes tea.")
    assert (again.outcome, [notice.code for notice in again.notices]) == ("created", ["erased_before"])
    assert live(world, again.id)


def test_live_statuses_are_what_recall_reads() -> None:
    assert Status.DELETED not in LIVE
