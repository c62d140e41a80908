from __future__ import annotations

from datetime import timedelta

import numpy as np

from bethink.domain.query import FieldWeights, Query
from bethink.domain.record import Status, fold
from bethink.domain.scope import Sensitivity
from bethink.domain.session import Session
from bethink.domain.source import SourceKind
from bethink.store import context
from tests.store.things import ANN, BOB, EVERY_STATUS


def test_a_turn_comes_back_as_it_was_said(things):
    at = things.clock.now()
    (said,) = things.say(
        "Ich wohne in Köln",
        role="participant",
        speaker="Bärbel",
        said_at=at - timedelta(days=400),
        source=SourceKind.IMPORT,
        sensitivity=Sensitivity.RESTRICTED,
        zone_assumed=True,
        time_text="gestern",
        message_id="D1:1",
    )

    with things.store.snapshot("acme") as snapshot:
        (read,) = snapshot.turns.get(things.fence(ceiling=Sensitivity.RESTRICTED), [said.id])
        assert snapshot.turns.get(things.fence(), [said.id]) == ()
    assert read == said
    assert (read.said_at, read.key > 0, read.recorded_at) == (at - timedelta(days=400), True, things.clock.now())


def test_appending_again_stores_nothing_twice(things):
    first = things.say("one", "two")
    again = things.say("one", "two", "three", "three")

    assert [turn.text for turn in (*first, *again)] == ["one", "two", "three"]
    assert [turn.seq for turn in (*first, *again)] == [0, 1, 2]
    with things.store.write("acme") as work:
        assert work.sessions.next_seq(ANN.key, "s1") == 3
        assert work.sessions.next_seq(ANN.key, "unknown") == 0
    assert things.say("one", session="s2")[0].seq == 0


def test_a_session_reads_in_order_from_a_place(things):
    things.say("one", "two")
    things.say("elsewhere", session="s2")
    things.say("three")

    with things.store.snapshot("acme") as snapshot:
        read = snapshot.turns.of_session
        assert [turn.text for turn in read(things.fence(), "s1", limit=9)] == ["one", "two", "three"]
        assert [turn.text for turn in read(things.fence(), "s1", limit=1, after=0)] == ["two"]
        assert read(things.fence(scopes=(BOB,)), "s1", limit=9) == ()


def test_turns_of_a_window_come_by_the_time_they_were_said(things):
    at = things.clock.now()
    for hours, text in ((3, "late"), (1, "early"), (2, "between")):
        things.say(text, said_at=at + timedelta(hours=hours))
    window = {"since": at + timedelta(hours=1), "until": at + timedelta(hours=3)}

    with things.store.snapshot("acme") as snapshot:
        found = snapshot.turns.between(things.fence(**window), limit=9)
        first = snapshot.turns.between(things.fence(), limit=1)
    assert [turn.text for turn in found] == ["early", "between"]
    assert [turn.text for turn in first] == ["early"]


def test_a_turn_can_be_hidden_and_shown_again(things):
    (said,) = things.say("one")
    things.set_status(said.id, Status.DELETED)

    with things.store.snapshot("acme") as snapshot:
        assert snapshot.turns.get(things.fence(), [said.id]) == ()
        assert len(snapshot.turns.get(things.fence(statuses=EVERY_STATUS), [said.id])) == 1
    things.set_status(said.id, Status.ACTIVE)
    with things.store.snapshot("acme") as snapshot:
        assert snapshot.turns.of_session(things.fence(), "s1", limit=9) == (said,)


def test_a_session_is_found_by_those_who_read_its_scope(things):
    at = things.clock.now()
    opened = Session("s1", ANN, "ann", "cli", "atlas", "mail", at)
    with things.work() as work:
        work.sessions.put(opened)
        assert work.sessions.get("s1", [ANN.key]) == opened
    closed = Session("s1", ANN, "ann", "cli", "atlas", "mail", at, at + timedelta(hours=1))
    things.say("one")
    with things.work() as work:
        work.sessions.put(closed)

    with things.store.snapshot("acme") as snapshot:
        assert snapshot.sessions.get("s1", [ANN.key, BOB.key]) == closed
        assert snapshot.sessions.get("s1", [BOB.key]) is snapshot.sessions.get("s1", []) is None
        assert snapshot.sessions.next_seq(ANN.key, "s1") == 1


def test_the_same_id_in_two_scopes_is_two_sessions(things):
    (mine,) = things.say("one", scope=ANN)
    (theirs,) = things.say("one", scope=BOB)

    assert (mine.seq, theirs.seq, mine.id != theirs.id) == (0, 0, True)
    with things.store.snapshot("acme") as snapshot:
        assert [turn.id for turn in snapshot.turns.of_session(things.fence(), "s1", limit=9)] == [mine.id]
        assert snapshot.sessions.get("s1", [BOB.key]).scope == BOB
        assert (snapshot.sessions.next_seq(ANN.key, "s1"), snapshot.sessions.next_seq(BOB.key, "s1")) == (1, 1)


def test_the_index_knows_who_said_a_turn_and_in_which_session_it_was_said(things):
    (turn,) = things.say("one", speaker="Bärbel Kühn")
    record = things.remember("The kiln is blue", subject="The Kiln")
    with things.store.snapshot("acme") as snapshot:
        keys = [turn.key, record.key, 999]
        found = snapshot.search.bearings(things.fence(), np.array(keys, np.int64))
        candidates = snapshot.records.candidates(things.fence(), keys)
        hidden = snapshot.search.bearings(things.fence(scopes=(BOB,)), np.array(keys, np.int64))

    assert found == ([*(one.subject_key for one in candidates), ""], [candidates[0].session, None, None])
    assert found[0][0] == fold("Bärbel Kühn")
    assert hidden == (["", "", ""], [None, None, None])


def test_however_many_turns_a_transaction_holds_each_is_found_by_its_words(things, monkeypatch):
    monkeypatch.setattr(context, "TOGETHER", 3)
    names = "amber birch cedar drift ember flint grove".split()
    said = things.say(*(f"the {name} stands by the mill" for name in names))
    with things.store.snapshot("acme") as snapshot:
        found = [
            snapshot.search.lexical(things.fence(), Query("", terms=(name, "mill")), FieldWeights(neighbours=0.0))
            for name in names
        ]

    assert [one.keys[np.argmax(one.scores)] for one in found] == [turn.key for turn in said]
    assert all(len(one.keys) == len(names) for one in found)
    assert things.store.check().findings == ()


def test_what_a_transaction_wrote_and_erased_is_in_no_list(things):
    with things.work() as work:
        at = work.recorded_at
        turns = [things.turn(text, "s1", at) for text in ("the amber kiln", "the birch kiln")]
        first, second = work.turns.append(Session("s1", ANN, "ann", "cli", None, None, at), turns, at)
        work.erase([first.id])
    with things.store.snapshot("acme") as snapshot:
        found = snapshot.search.lexical(things.fence(), Query("", terms=("amber", "kiln")), FieldWeights())

    assert found.keys.tolist() == [second.key]
    assert things.store.check().findings == ()
