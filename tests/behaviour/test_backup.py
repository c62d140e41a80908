"""A backup that is given the receipts forgets what was erased since: records, documents, relations, sessions, users."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bethink.domain.source import SourceKind
from bethink.errors import NotFound, StoreBusy
from bethink.operations.extraction import Suggestion
from bethink.store.traces import StoredTraces
from tests.behaviour.house import House, know
from tests.behaviour.requirements import requirement
from tests.behaviour.scripted import LIVES, Script, played, read, talk
from tests.databases import everything_held, rows_of

MARK, NAMED = "heliotrope", "serpentine"


def lived(house: House) -> dict[str, str]:
    """The same life in each store that is given it, with the same ids."""
    maya = house.bind()
    with maya.session("talk") as talk:
        turn = talk.turn(f"I like {MARK} bowls, and {NAMED} ones.", role="user").ids[0]
    likes = maya.remember(f"I like {MARK} bowls.", type="preference", source=SourceKind.SYSTEM).id
    frozen = maya.snapshot(session="talk")
    assert likes in {item.id for item in frozen.items}
    document = maya.documents.add(text=f"# Kiln\nThe {MARK} kiln burns slowly.", name="kiln.md").added[0].id
    found = maya.documents.search(f"Which {MARK} kiln burns slowly?")
    assert found.passages
    for name in ("kiln", f"{MARK} cone", NAMED):
        maya.associations.register(name)
    plain = maya.associations.relate("kiln", predicate="melts", object=NAMED).relation.id
    resting = maya.associations.relate(
        "kiln", predicate="is", object=NAMED, source=turn, evidence=f"like {MARK} bowls"
    ).relation.id
    know(house.bind("noor"), "The wheel is blue")
    return {
        "turn": turn,
        "likes": likes,
        "document": document,
        "plain": plain,
        "resting": resting,
        "asked": found.trace_id,
    }


def held(house: House, mark: str) -> list[str]:
    """The files or tables that hold a mark."""
    found = everything_held(house.opened[0]._parts.store)
    return sorted(place for place, data in found if mark.encode() in data.lower())


def under(house: House, secret: str) -> None:
    """Let a store have this secret of its own."""
    rows_of(house.opened[0]._parts.store, "update meta set value = ? where name = 'secret'", [secret])


def secret(house: House) -> str:
    """A store's own secret."""
    return str(rows_of(house.opened[0]._parts.store, "select value from meta where name = 'secret'")[0][0])


@pytest.fixture
def backup(house, new_place) -> Iterator[House]:
    """What the store was before anything was erased, under the same key as a backup is."""
    house.open()
    made = House(new_place())
    made.open()
    under(made, secret(house))
    yield made
    made.close()


@requirement("P33", "B49")
def test_a_backup_forgets_the_documents_terms_and_relations_that_were_erased_since(house, backup):
    mine = lived(house)
    assert lived(backup) == mine
    maya, kept = house.bind(), backup.bind()
    maya.documents.forget("kiln.md")
    maya.associations.retract(mine["plain"])
    maya.associations.remove(f"{MARK} cone")
    maya.forget(mine["likes"], mode="erase")
    maya.forget(mine["turn"], mode="erase")
    receipts = house.opened[0].receipts().receipts
    assert (held(house, MARK), bool(held(backup, MARK))) == ([], True)

    done = backup.opened[0].honour(receipts)
    again = backup.opened[0].honour(receipts)

    assert (held(backup, MARK), done.complete, again.receipts) == ([], True, 0)
    assert done.removed["documents"] == 1
    assert done.removed["relations"] == 2
    assert kept.documents.list().documents == ()
    assert kept.associations.list() == maya.associations.list()
    assert kept.trace(mine["asked"]).verification == "erased"
    assert [one.ids for one in backup.opened[0].receipts().receipts] == [one.ids for one in receipts]
    assert backup.opened[0].check().findings == house.opened[0].check().findings == ()


@requirement("P33")
def test_a_backup_derives_no_record_that_was_erased_anew_from_the_turn_that_stays(house, backup):
    told = [Suggestion("Maya lives in Porto", "I live in Porto", subject="Maya", attribute="home")]
    for one in (house, backup):
        played(one, Script(told))
        talk(one, LIVES)
    first, kept = read(house), read(backup)
    house.bind().forget(first.beliefs[0].id, mode="erase")
    backup.opened[0].honour(house.opened[0].receipts().receipts)
    told[:] = [Suggestion("Maya has her home in Porto", "I live in Porto", subject="Maya", attribute="home")]
    again = [one.bind().rederive("talk") for one in (house, backup)]

    assert [belief.id for belief in kept.beliefs] == [belief.id for belief in first.beliefs]
    assert [(one.outcome, one.beliefs, one.dropped) for one in again] == [("nothing_new", (), {"erased": 1})] * 2


@requirement("P33", "P46")
def test_a_backup_forgets_a_user_who_was_erased_since_with_all_that_is_no_record(house, backup):
    lived(house)
    lived(backup)
    house.opened[0].erase_user("maya")
    receipts = house.opened[0].receipts().receipts

    done = backup.opened[0].honour(receipts)
    chain = backup.opened[0].receipts().receipts

    assert (held(backup, MARK), held(backup, NAMED), done.complete) == ([], [], True)
    assert (chain[-1].operation, chain[-1].owner) == ("erase_user", receipts[-1].owner)
    assert know(backup.bind("noor"), "The wheel is blue")
    assert backup.opened[0].check().findings == ()


def test_who_came_back_after_an_erasure_is_not_erased_by_its_receipt_again(house, backup):
    lived(house)
    lived(backup)
    house.opened[0].erase_user("maya")
    receipts = house.opened[0].receipts().receipts
    backup.opened[0].honour(receipts)
    for one in (house, backup):
        one.clock.advance(days=1)
        new = know(one.bind(), "The glaze is green")
        again = one.opened[0].honour(receipts)
        assert (again.receipts, again.complete, again.remains) == (0, True, ())
        assert one.bind().get(new).record is not None


@requirement("A162")
def test_a_backup_lets_an_erased_session_go_with_what_explains_it_and_leaves_a_later_one_of_its_name(house, backup):
    for one in (house, backup):
        lived(one)
    asked = [one.bind(session="talk").recall("Which wheel?").trace_id for one in (house, backup)]
    house.opened[0].erase_session("maya", session="talk")
    receipts = house.opened[0].receipts().receipts
    done = backup.opened[0].honour(receipts)

    for one, trace in zip((house, backup), asked, strict=True):
        maya = one.bind()
        with pytest.raises(NotFound):
            maya.view(trace)
        assert maya.episodes(session="talk").turns == ()
        one.clock.advance(days=1)
        with maya.session("talk") as talk:
            talk.turn("The glaze is green.")
        again = one.opened[0].honour(receipts)
        assert (again.receipts, again.complete, len(maya.episodes(session="talk").turns)) == (0, True, 1)
    assert (done.complete, backup.opened[0].check().findings) == (True, ())


def test_a_store_with_another_key_says_that_it_cannot_know_whom_a_receipt_means(house, backup):
    lived(house)
    lived(backup)
    under(backup, "00" * 32)
    house.opened[0].erase_user("maya")
    done = backup.opened[0].honour(house.opened[0].receipts().receipts)

    assert not done.complete
    assert [text for text in done.remains if "erase the user by name" in text]
    assert held(backup, NAMED) != []
    assert backup.opened[0].erase_user("maya").complete
    assert held(backup, NAMED) == []


def test_traces_that_could_not_be_cleared_leave_a_backup_incomplete_until_they_are(house, backup, monkeypatch):
    mine = lived(house)
    lived(backup)
    house.bind().forget(mine["likes"], mode="erase")
    receipts = house.opened[0].receipts().receipts

    def held_up(*_, **__):
        raise StoreBusy("Somebody writes.")

    with monkeypatch.context() as patch:
        patch.setattr(StoredTraces, "erase", held_up)
        first, second = (backup.opened[0].honour(receipts) for _ in range(2))
    third = backup.opened[0].honour(receipts)

    assert [one.complete for one in (first, second, third)] == [False, False, True]
    assert second.remains == ("traces that name it or ask with its words (store_busy): repeat the call to finish",)
    assert second.receipts == 0
    assert third.removed["traces"] > 0
    assert not backup.bind().recall(f"Which {MARK} bowls?", types=("preference",)).items


@pytest.mark.parametrize("way", ["document", "user"])
def test_what_a_trace_holds_is_not_out_of_reach_when_traces_could_not_be_cleared_at_first(house, monkeypatch, way):
    lived(house)
    house.opened[0].grant("noor", "aria", "user:maya")
    seen = house.bind("noor").documents.search("Which kiln burns slowly?")
    assert MARK in seen.rendered

    def erased():
        return house.bind().documents.forget("kiln.md") if way == "document" else house.opened[0].erase_user("maya")

    def held_up(*_, **__):
        raise StoreBusy("Somebody writes.")

    with monkeypatch.context() as patch:
        patch.setattr(StoredTraces, "erase", held_up)
        first = erased()
    kept = house.bind().documents.list().documents
    second = erased()

    assert (first.complete, len(kept), second.complete) == (False, 1, True)
    assert any("repeat the call" in text for text in first.remains)
    assert house.bind("noor").trace(seen.trace_id).verification == "erased"
    assert way == "document" or held(house, MARK) == []
