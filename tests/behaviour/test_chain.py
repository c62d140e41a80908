"""A chain of replacements: followed ten steps, read whole for audit, and never recalled but for its end."""

from __future__ import annotations

import pytest

from bethink.errors import BethinkError, ChainTooLong, InvalidInput, NotFound
from bethink.memory import BoundMemory
from bethink.recall import chain as chains
from bethink.recall.hops import MAX_HOPS
from tests.behaviour.house import House, know, pool
from tests.behaviour.requirements import requirement

FACT = {"subject": "kiln", "attribute": "fuel"}


def replaced(house: House, times: int) -> tuple[BoundMemory, list[str]]:
    """A fact that was replaced so many times; the ids in order."""
    maya = house.bind()
    made = []
    for at in range(times + 1):
        house.clock.advance(hours=1)
        made.append(know(maya, f"The kiln burns fuel number {at}", **FACT))
    return maya, made


@requirement("C50", "C60")
def test_a_chain_resolves_within_ten_steps_and_errs_at_the_eleventh(house):
    maya, made = replaced(house, 11)
    resolved = {at: maya.get(item, current=True).record.id for at, item in enumerate(made) if at > 0}

    assert MAX_HOPS == 10
    assert resolved == dict.fromkeys(range(1, 12), made[-1])
    with pytest.raises(ChainTooLong, match="More than 10"):
        maya.get(made[0], current=True)
    assert maya.get(made[0]).record.superseded_by == made[1]


@requirement("C60")
def test_of_three_the_first_resolves_to_the_last_with_its_own_history(house):
    maya, (a, b, c) = replaced(house, 2)

    assert [maya.get(item, current=True).record.id for item in (a, b, c)] == [c, c, c]
    assert maya.get(a, current=True, history=True).versions == maya.get(c, history=True).versions


@requirement("C51")
def test_the_whole_chain_is_read_from_any_of_its_records_and_only_its_end_is_recalled(house):
    maya, made = replaced(house, 11)
    short = maya.remember("The yard is wide").short_id

    for item in (made[0], made[5], made[-1]):
        told = maya.chain(item)
        assert [record.id for record in told.chain] == made
        assert (told.current, told.complete) == (made[-1], True)
    alone = maya.chain(short)
    assert [record.id for record in alone.chain] == [alone.current]
    for profile in ("task", "deep", "passive", "mention", "agent_query"):
        for policy in ("task", "composite", "fusion"):
            result = maya.recall("Which fuel does the kiln burn?", profile=profile, policy=policy, subjects=("kiln",))
            assert not set(made[:-1]) & set(pool(maya, result))
            assert made[-1] in pool(maya, result)


@requirement("C51")
def test_a_chain_longer_than_is_read_says_so(house, monkeypatch):
    maya, made = replaced(house, 5)
    monkeypatch.setattr(chains, "WHOLE", 3)
    told = maya.chain(made[0])

    assert [record.id for record in told.chain] == made[:3]
    assert (told.current, told.complete) == (None, False)


def test_a_chain_shows_nothing_that_was_forgotten_nor_anothers(house):
    maya, made = replaced(house, 3)
    noor = house.bind("noor")
    for call in (lambda: noor.chain(made[0]), lambda: noor.get(made[0], current=True), lambda: noor.chain("absent-id")):
        with pytest.raises(NotFound):
            call()
    with pytest.raises(InvalidInput):
        maya.chain("m:")
    maya.forget(made[2], mode="erase")
    told = maya.chain(made[0])

    assert [record.id for record in told.chain] == made[:2]
    assert told.current is None
    with pytest.raises(NotFound, match="What replaced the record"):
        maya.get(made[0], current=True)
    turn = maya.session("talk").turn("The kiln is hot").ids[0]
    assert maya.get(turn, current=True).turn.id == turn
    with pytest.raises(BethinkError):
        maya.chain(turn)
