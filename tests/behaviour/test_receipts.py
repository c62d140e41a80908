"""Receipts of what was forgotten form a chain without words: none can be altered, added or taken out unseen."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bethink.domain.source import SourceKind
from bethink.errors import InvalidInput, NotFound
from bethink.operations.receipts import receipt_body, receipt_digest
from bethink.operations.sessions import TurnInput
from tests.behaviour.house import House, events, know
from tests.behaviour.requirements import requirement
from tests.databases import rows_of

KEY = "The spare key is under the blue pot"


def forgotten(house: House) -> list[str]:
    """Four receipts: two erases, a stop and a restore; the ids erased."""
    maya = house.bind()
    items = [know(maya, f"{KEY} number {number}") for number in range(3)]
    maya.forget(items[0], mode="erase", reason="private")
    maya.forget(items[2], mode="stop")
    maya.forget(items[2], mode="restore")
    maya.forget(items[1], mode="erase")
    return items[:2]


def found(house: House) -> list[str]:
    """What a check says of receipts."""
    return [finding.text for finding in house.opened[0].check().findings if finding.place == "receipt"]


@requirement("P46")
def test_each_receipt_carries_the_digest_of_the_one_before_and_holds_no_words(house):
    erased = forgotten(house)
    chain = house.opened[0].receipts().receipts

    assert [(one.number, one.operation) for one in chain] == [(1, "erase"), (2, "stop"), (3, "restore"), (4, "erase")]
    assert [one.previous for one in chain] == ["", *(one.digest for one in chain[:-1])]
    assert [receipt_digest(one) for one in chain] == [one.digest for one in chain]
    assert [one.ids for one in chain if one.operation == "erase"] == [(item,) for item in erased]
    assert len({one.owner for one in chain}) == 1
    for one in chain:
        assert not any(word in receipt_body(one) for word in ("key", "pot", "private", "maya"))
    assert found(house) == []
    logged = [json.loads(payload) for kind, payload in events(house.bind()) if kind == "memory.receipt"]
    assert logged == [{"number": one.number, "digest": one.digest} for one in chain]


def test_what_a_call_gives_back_is_what_the_chain_holds(house, maya):
    item = know(maya, KEY)
    dry = maya.forget(item, mode="erase", dry_run=True)
    given = [maya.forget(item), maya.forget(item, mode="erase")]

    assert (dry.number, dry.previous, receipt_digest(dry)) == (0, "", dry.digest)
    assert list(house.opened[0].receipts().receipts) == given
    assert house.opened[0].receipts(after=1).receipts == (given[1],)
    assert (house.opened[0].receipts(limit=1).next, house.opened[0].receipts(after=1, limit=1).next) == (1, None)


def test_each_tenant_has_a_chain_and_each_user_another_mark(house):
    for tenant in ("default", "other"):
        for user in ("maya", "noor"):
            memory = house.bind(user, tenant=tenant)
            memory.forget(know(memory, KEY))
    here, there = (house.opened[0].receipts(tenant=tenant).receipts for tenant in ("default", "other"))

    assert [one.number for one in here] == [one.number for one in there] == [1, 2]
    assert len({one.owner for one in (*here, *there)}) == 4


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "update receipt set body = replace(body, '\"complete\":true', '\"complete\":false') where number = 2",
            "have changed",
        ),
        ("update receipt set digest = 'd' || digest where number = 4", "have changed"),
        ("delete from receipt where number = 2", "follow a gap"),
        ("delete from receipt where number = 4", "were logged and are gone"),
        ("delete from receipt", "were logged and are gone"),
        ("delete from receipt where number = 1", "follow a gap"),
        ("update receipt set number = 9 where number = 4", "follow a gap"),
        ("update receipt set previous = 'x' where number = 3", "do not carry the digest of the one before"),
        (
            "insert into receipt select tenant, 5, at, digest, digest, body from receipt where number = 4",
            "are not those that were logged",
        ),
    ],
)
def test_a_receipt_that_was_altered_added_or_taken_out_is_found(house, statement, said):
    forgotten(house)
    rows_of(house.opened[0]._parts.store, statement)

    assert said in " | ".join(found(house))
    assert not any(finding.repairable for finding in house.opened[0].check().findings)


def test_a_chain_that_was_written_anew_from_some_receipt_on_is_found(house):
    forgotten(house)
    chain = house.opened[0].receipts().receipts
    forged, previous = [], chain[0].digest
    for one in (replace(chain[2], number=2), replace(chain[3], number=3)):
        body = replace(one, previous=previous)
        forged.append(replace(body, digest=receipt_digest(body)))
        previous = forged[-1].digest
    store = house.opened[0]._parts.store
    rows_of(store, "delete from receipt where number > 1")
    for one in forged:
        values = [one.number, one.previous, one.digest, receipt_body(one)]
        rows_of(store, "insert into receipt values ('default', ?, 1, ?, ?, ?)", values)

    assert any("are not those that were logged" in text for text in found(house))


@requirement("P33")
def test_a_backup_forgets_what_was_erased_since_when_it_is_given_the_receipts(house, new_place):
    erased = forgotten(house)
    backup = House(new_place())
    try:
        maya = backup.bind()
        items = [know(maya, f"{KEY} number {number}") for number in range(3)]
        derived = maya.remember("Maya hides keys", source=SourceKind.SYSTEM).id
        asked = maya.recall("Where is the spare key number 0?")
        assert items[:2] == erased
        receipts = house.opened[0].receipts().receipts
        done = backup.opened[0].honour(receipts)
        again = backup.opened[0].honour(receipts)

        assert (done.receipts, done.removed["records"], again.receipts) == (2, 2, 0)
        for item in erased:
            with pytest.raises(NotFound):
                maya.get(item)
        assert maya.get(items[2]).record is not None
        assert maya.get(derived).record is not None
        assert maya.trace(asked.trace_id).verification == "erased"
        assert [one.ids for one in backup.opened[0].receipts().receipts] == [(item,) for item in erased]
        assert backup.opened[0].check().findings == ()
        with pytest.raises(InvalidInput, match="altered"):
            backup.opened[0].honour([replace(receipts[0], ids=(items[2],))])
        assert maya.get(items[2]).record is not None
    finally:
        backup.close()


@requirement("P33")
def test_what_was_erased_does_not_come_back_by_import_or_restore(house, maya):
    said = TurnInput("The spare key is under the blue pot.", message_id="m1", imported=True)
    with maya.session("talk") as talk:
        turn = talk.turns([said]).ids[0]
    maya.forget(turn, mode="erase")
    with maya.session("again") as again:
        stored = again.turns([said]).ids

    assert stored == ()
    with pytest.raises(NotFound):
        maya.forget(turn, mode="restore")
    assert house.opened[0].check().counts["receipts"] == 1


@pytest.mark.parametrize("limit", [0, 501])
def test_a_limit_that_lists_nothing_is_refused(house, maya, limit):
    with pytest.raises(InvalidInput):
        house.opened[0].receipts(limit=limit)
