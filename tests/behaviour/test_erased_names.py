"""The name of an entity stays as long as a record stays that speaks of its bearer, and goes with the last one."""

from __future__ import annotations

from itertools import permutations

import pytest

from bethink.memory import BoundMemory
from bethink.operations.remember import Mention
from tests.behaviour.house import know
from tests.behaviour.requirements import requirement
from tests.databases import everything_held

NAMES = ("Quillone", "Quilltwo", "Quillthree")


def by_subject(memory: BoundMemory, name: str) -> str:
    """A belief about somebody."""
    return know(memory, f"The letter {name[::-1]} is kept", subject=name)


def by_mention(memory: BoundMemory, name: str) -> str:
    """A belief that names somebody in its links alone."""
    return know(memory, f"The letter {name[::-1]} came", mentions=(Mention(name, "person"),))


def erased(memory: BoundMemory, item: str) -> None:
    """Erase it whole."""
    assert memory.forget(item, mode="erase", with_sources=True).complete


def held(memory: BoundMemory, names: tuple[str, ...] = NAMES) -> set[str]:
    """Which of the names stand in a file of the store, in whatever case."""
    everything = [data.lower() for _, data in everything_held(memory._parts.store)]
    return {name for name in names if any(name.lower().encode() in data for data in everything)}


def known(memory: BoundMemory) -> list[tuple[str, tuple[str, ...], int]]:
    """Name, other names and mentions of every entity but the user."""
    cards = memory.entities().entities
    return [(card.name, card.aliases, card.mentions) for card in cards if card.name != "maya"]


def sound(memory: BoundMemory) -> bool:
    """Whether the store agrees with its own rules."""
    return bool(memory._parts.store.check().findings == ())


@requirement("P33")
@pytest.mark.parametrize("said", [by_subject, by_mention])
def test_no_name_of_merged_entities_outlives_the_last_record_that_speaks_of_any_of_them(house, said):
    for number, order in enumerate(permutations(range(3))):
        maya = house.bind(f"user-{number}")
        names = tuple(f"{name}{'abcdef'[number]}" for name in NAMES)
        items = [said(maya, name) for name in names]
        maya.merge_entities(names[0], into=names[1])
        maya.merge_entities(names[1], into=names[2])
        assert held(maya, names) == set(names)
        for place in order:
            erased(maya, items[place])

        assert held(maya, names) == set()
        assert known(maya) == []
    assert sound(maya)


@requirement("P33")
def test_a_name_that_only_erased_records_bore_goes_though_what_was_merged_with_it_stays(maya):
    items = [by_mention(maya, name) for name in NAMES]
    maya.merge_entities(NAMES[0], into=NAMES[1])
    maya.merge_entities(NAMES[1], into=NAMES[2])
    erased(maya, items[2])

    assert held(maya) == {NAMES[0], NAMES[1]}
    assert known(maya) == [(NAMES[0], (NAMES[1],), 2)]
    assert [card.provisional for card in maya.entities(name=NAMES[1]).entities] == [False]
    again = know(maya, "A card came", mentions=(Mention(NAMES[1]),))
    assert known(maya) == [(NAMES[0], (NAMES[1],), 3)]
    erased(maya, items[0])
    erased(maya, again)
    assert (held(maya), sound(maya)) == ({NAMES[1]}, True)
    assert known(maya) == [(NAMES[1], (), 1)]


def test_a_record_that_a_merge_put_under_a_name_keeps_the_name(maya):
    items = [by_subject(maya, name) for name in NAMES[:2]]
    maya.merge_entities(NAMES[0], into=NAMES[1])
    erased(maya, items[1])

    assert known(maya) == [(NAMES[1], (NAMES[0],), 1)]
    assert maya.get(items[0]).record.content.subject == NAMES[1]
    assert sound(maya)


@requirement("P33")
def test_that_somebody_confirmed_an_entity_is_no_reason_to_keep_its_name(maya):
    items = [by_mention(maya, NAMES[0]), by_subject(maya, NAMES[0])]
    maya.confirm_entity(NAMES[0])
    erased(maya, items[0])
    assert known(maya) == [(NAMES[0], (), 1)]
    receipt = maya.forget(items[1], mode="erase", with_sources=True)

    assert (receipt.removed["entities"], receipt.complete) == (1, True)
    assert (held(maya), known(maya)) == (set(), [])


@requirement("P33")
@pytest.mark.parametrize("before", [True, False])
def test_profiles_of_merged_entities_keep_no_name_and_are_due_for_the_one_that_follows(maya, before):
    items = [know(maya, f"Deed {n} is told", mentions=(Mention(NAMES[0]),)) for n in range(5)]
    head = by_mention(maya, NAMES[1])
    assert not before or maya.profile(NAMES[0], refresh=True).outcome == "created"
    maya.merge_entities(NAMES[0], into=NAMES[1])
    assert maya.profile(NAMES[1], refresh=True).outcome == "created"
    assert maya.profile(NAMES[1]).record.content.subject == NAMES[1]
    erased(maya, head)

    assert held(maya) == {NAMES[0]}
    due = [entity.id for entity in maya.entities(name=NAMES[0]).entities]
    with maya._parts.store.snapshot("default") as snapshot:
        assert list(snapshot.entities.unprofiled(10)) == due
    assert maya.profile(NAMES[0], refresh=True).outcome != "none"
    for item in items:
        erased(maya, item)
    assert (held(maya), known(maya), sound(maya)) == (set(), [], True)


@requirement("P33")
def test_a_question_loses_a_name_that_goes_with_a_record_which_never_said_it(house, maya):
    unnamed = know(maya, "Sleeps badly")
    named = by_mention(maya, NAMES[0])
    maya.merge_entities("maya", into=NAMES[0])
    erased(maya, named)
    asked = maya.recall(f"Who is {NAMES[0]}?", types=("event",))
    assert held(maya) == {NAMES[0]}
    erased(maya, unnamed)

    assert maya.trace(asked.trace_id).trace.erased
    assert (held(maya), known(maya)) == (set(), [])
