"""What a user typed shares the fate of its record, also where it was typed twice, elsewhere or at another revision."""

from __future__ import annotations

import pytest

from bethink.domain.types import Portability
from bethink.errors import NotFound
from bethink.operations.sessions import TurnInput
from tests.behaviour.house import MARCH, counted, record, texts
from tests.behaviour.requirements import requirement
from tests.databases import everything_held, rows_of

CAT = "Maya's cat is called Zazoo"
ASKED = "What is Maya's cat Zazoo called?"
ABOUT = {"subject": "Maya", "attribute": "cat"}
FIRST, SECOND = {"source_ref": "note", "source_revision": "1"}, {"source_ref": "note", "source_revision": "2"}


def typed_in_two_projects(house):
    """The same words from two projects: one record, which belongs to neither any more."""
    kept = house.bind(project="loom").remember(CAT, **ABOUT)
    house.bind(project="kiln").remember(CAT, **ABOUT)
    return kept.id


def typed_at_two_revisions(house):
    """The same words at two revisions of what the user copied them from."""
    kept = house.bind(project="loom").remember(CAT, **ABOUT, **FIRST)
    house.bind(project="loom").remember(CAT, **ABOUT, **SECOND)
    return kept.id


def typed_and_narrowed(house):
    """The same words, said again to hold in one project alone."""
    kept = house.bind(project="loom").remember(CAT, **ABOUT)
    house.bind(project="loom").remember(CAT, **ABOUT, portability=Portability.LOCAL)
    return kept.id


TWICE = [typed_in_two_projects, typed_at_two_revisions, typed_and_narrowed]


def said(house):
    """What each project recalls of it."""
    return [house.bind(project=project).recall(ASKED).rendered for project in ("loom", "kiln")]


def shown_anywhere(house):
    """Whether any project recalls its words, or the archive holds them."""
    minds = [house.bind(project=project) for project in ("loom", "kiln")]
    archived = [mind.recall_episodes(archived=True, since=MARCH).rendered for mind in minds]
    return "Zazoo" in "".join((*said(house), *archived))


@requirement("P44", "P46")
@pytest.mark.parametrize("mode", ["stop", "erase"])
@pytest.mark.parametrize("typed", TWICE)
def test_forgetting_what_was_typed_twice_forgets_each_of_its_utterances(house, typed, mode):
    kept = typed(house)
    before = shown_anywhere(house)
    house.bind(project="loom").forget(kept, mode=mode)

    assert before
    assert not shown_anywhere(house)


@requirement("P42")
@pytest.mark.parametrize("typed", TWICE)
def test_a_complete_receipt_leaves_no_byte_of_what_was_typed_twice(house, typed):
    kept = typed(house)
    receipt = house.bind(project="loom").forget(kept, mode="erase")
    left = [place for place, data in everything_held(house.opened[0]._parts.store) if b"zazoo" in data.lower()]

    assert receipt.complete
    assert left == []
    assert counted(house.opened[0], "turn") == 0


@pytest.mark.parametrize("typed", [typed_in_two_projects, typed_at_two_revisions])
def test_a_value_typed_twice_and_corrected_does_not_live_on_as_talk(house, typed):
    typed(house)
    house.clock.advance(days=1)
    house.bind(project="loom").remember("Maya's cat is called Tom", **ABOUT)

    assert not any("Zazoo" in block for block in said(house))
    assert all("Tom" in block for block in said(house))


@pytest.mark.parametrize("typed", [typed_in_two_projects, typed_at_two_revisions])
def test_what_never_was_so_is_said_by_no_utterance_either(house, typed):
    kept = typed(house)
    house.bind(project="loom").reject(kept, reason="untrue")

    assert not shown_anywhere(house)


def test_a_statement_that_its_source_says_again_goes_on_quoting_what_it_quoted(house):
    kept = typed_at_two_revisions(house)
    maya = house.bind(project="loom")
    source = record(maya, kept).content.source

    assert source.revision == "2"
    assert source.evidence is not None
    assert source.evidence.turn_id is not None
    assert maya.get(source.evidence.turn_id).turn.text == CAT


def test_restoring_a_record_does_not_bring_back_words_that_were_put_away_before(house):
    loom, kiln = house.bind(project="loom"), house.bind(project="kiln")
    kept = loom.remember(CAT, **ABOUT).id
    kiln.reject(kept, reason="elsewhere", where="loom")
    loom.forget(kept)
    loom.forget(kept, mode="restore")

    assert texts(loom.recall("What is the cat Zazoo called?")) == [CAT]
    assert texts(kiln.recall("What is the cat Zazoo called?")) == []


@requirement("P46", "P42")
def test_an_erase_finds_the_turn_that_stays_in_another_project(house):
    mail, kiln = house.bind(project="mail"), house.bind(project="kiln")
    with mail.session("talk") as talk:
        turn = talk.turns([TurnInput("My locker code is forty two.", role="user", local=True)]).ids[0]
        kept = talk.remember("Maya's locker code is forty two", evidence="My locker code is forty two").id
    named = kiln.forget(kept, mode="erase", dry_run=True)
    gone = kiln.forget(kept, mode="erase", with_sources=True)

    assert named.sources == (turn,)
    assert gone.ids == (kept, turn)
    with pytest.raises(NotFound):
        mail.get(turn)


def test_what_ends_a_record_from_elsewhere_ends_the_utterance_that_stays_in_its_project(house):
    kiln = house.bind(project="kiln")
    first = house.bind().remember("Maya's cat is called Tom", portability=Portability.LOCAL, **ABOUT).id
    house.clock.advance(days=1)
    old = kiln.revise(first, action="supersede", content=CAT).id
    house.clock.advance(days=1)
    gave_way = house.bind(project="loom").remember("Maya's cat is called Mog", **ABOUT).superseded
    standing = rows_of(
        house.opened[0]._parts.store,
        "select s.status from lineage l, status_event s where l.record_id = ? and s.record_id = l.source_id"
        " order by s.position",
        [old],
    )

    assert gave_way == (old,)
    assert standing == [("active",), ("superseded",)]
