"""Getting one record: by id, short id or beginning, as far as the caller may read, with its earlier versions."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.unit.recall.house import CALLER, START, Doc, House, belief, turn

from bethink.domain.record import Status, short_ids
from bethink.domain.scope import Scope, ScopeKind, Sensitivity
from bethink.domain.session import Turn
from bethink.domain.types import Portability
from bethink.errors import InvalidInput, NotFound
from bethink.operations.records import GetRequest, GetResult
from bethink.recall.get import get
from bethink.settings import RecallSettings

LATER = START + timedelta(days=3)


def look_up(id_: str, *docs: Doc, house: House | None = None, **change: object) -> GetResult:
    return get(GetRequest(id_, **change), (house or House(list(docs))).reader())


def test_a_record_is_found_by_its_id_its_short_id_and_a_beginning_of_either():
    doc = belief(1, "plays the cello")
    id_ = doc.candidate.id
    short = short_ids([id_])[id_]

    for name in (id_, id_[:30], short, short[:8], short.removeprefix("m:")):
        assert look_up(name, doc).record.id == id_


def test_a_beginning_that_fits_several_or_is_too_short_is_refused():
    docs = (belief(1, "a"), belief(2, "b"))

    with pytest.raises(InvalidInput, match="fits 2 records"):
        look_up("0000000", *docs)
    for name in ("", "m:", "m:12", "000"):
        with pytest.raises(InvalidInput, match="too short" if name else "empty"):
            look_up(name, *docs)


def test_a_full_id_is_found_beside_another_that_begins_with_it():
    docs = (belief(1, "a", id="record-1"), belief(2, "b", id="record-12"))

    assert look_up("record-1", *docs).record.content.text == "a"


@pytest.mark.parametrize("status", [Status.SUPERSEDED, Status.EXPIRED, Status.ARCHIVED, Status.PROVISIONAL])
def test_a_record_named_by_id_is_shown_whatever_its_standing(status):
    doc = belief(1, "old", status=status, ends_at=START, valid_from=START + timedelta(days=300))

    assert look_up(doc.candidate.id, doc).record.status is status


def test_hidden_proposed_foreign_secret_and_absent_records_answer_alike():
    hidden = (
        belief(1, "x", status=Status.DELETED),
        belief(2, "x", status=Status.PROPOSED),
        belief(3, "x", scope=Scope(ScopeKind.USER, "bob")),
        belief(4, "x", sensitivity=Sensitivity.SECRET),
        belief(5, "x", channel="mail"),
    )
    house = House(list(hidden), caller=replace(CALLER, channel="chat"))
    said = set()
    for doc in (*hidden, belief(6, "never stored")):
        with pytest.raises(NotFound) as refused:
            look_up(doc.candidate.id, house=house)
        said.add(str(refused.value))

    assert len(said) == 1


def test_a_local_record_of_another_project_is_found_by_id_unless_projects_are_walls():
    doc = belief(1, "blue host", project="there", portability=Portability.LOCAL, subject=None)
    house = House([doc], caller=replace(CALLER, project="here"))

    assert look_up(doc.candidate.id, house=house).record.id == doc.candidate.id
    walled = house.reader(settings=RecallSettings(project_policy="isolate"))
    with pytest.raises(NotFound):
        get(GetRequest(doc.candidate.id), walled)


def test_an_instant_chooses_what_held_and_what_was_known_then():
    doc = belief(1, "x", valid_from=LATER, recorded_at=START)

    assert look_up(doc.candidate.id, doc, as_of=LATER).record.id == doc.candidate.id
    for past in ({"as_of": LATER - timedelta(seconds=1)}, {"known_at": START - timedelta(seconds=1)}):
        with pytest.raises(NotFound):
            look_up(doc.candidate.id, doc, **past)


def test_earlier_versions_come_newest_first_when_asked():
    times = [START, START + timedelta(days=1), START + timedelta(days=2)]
    docs = [
        belief(key, f"version {key}", id="the-record", recorded_at=at, retired_at=until)
        for key, (at, until) in enumerate(zip(times, [*times[1:], None], strict=True), 1)
    ]

    plain, whole = look_up("the-record", *docs), look_up("the-record", *docs, history=True)
    assert (plain.record.content.text, plain.versions) == ("version 3", ())
    assert [version.content.text for version in whole.versions] == ["version 2", "version 1"]


def test_a_turn_is_found_as_a_turn():
    doc = turn(1, "we met", id="turn-0001")
    said = Turn("turn-0001", "s1", 0, "user", "Ann", "we met", START, "m1", key=1)
    found = look_up("turn-0001", house=House([doc], turns=(said,)))

    assert (found.record, found.turn) == (None, said)
