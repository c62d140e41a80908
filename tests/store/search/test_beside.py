"""The turns beside a turn are those of its session, and only as far as the fence admits them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, Status, StatusSpan
from bethink.domain.scope import Sensitivity
from tests.store.search.places import TENANT
from tests.store.search.strategies import DAYS
from tests.store.search.world import ANN, BOB, World

ALL = Fence(TENANT, (ANN,), Sensitivity.NORMAL, LIVE, datetime(2026, 5, 1, tzinfo=UTC))
TURNS = st.tuples(
    st.sampled_from("st"),
    st.integers(0, 6),
    st.sampled_from([ANN, ANN, BOB]),
    st.sampled_from(["turn", "turn", "fact"]),
)


def beside(world: World, keys: list[int], fence: Fence = ALL, position: int | None = None) -> list[tuple[int, int]]:
    """Per key the turns before and after."""
    before, after, *_ = world.search(position=position).beside(fence, np.array(keys, dtype=np.int64))
    return list(zip(before.tolist(), after.tolist(), strict=True))


def replies(world: World, keys: list[int], fence: Fence = ALL) -> list[bool]:
    """Per key whether it answers the turn before."""
    answers: list[bool] = world.search().beside(fence, np.array(keys, dtype=np.int64)).replies.tolist()
    return answers


def test_a_turn_stands_between_the_ones_before_and_after_it(new_world):
    world = new_world()
    first, third, second = (world.say("x", DAYS[0], seq=seq) for seq in (0, 2, 1))
    alone, far = world.say("x", DAYS[0], session="t", seq=1), world.say("x", DAYS[0], session="t", seq=3)

    assert beside(world, [first, third, second, alone, far]) == [
        *((-1, second), (second, -1), (first, third)),
        *((-1, -1), (-1, -1)),
    ]
    assert beside(world, [99, 100]) == [(-1, -1), (-1, -1)]
    assert beside(world, []) == []


def test_what_the_fence_does_not_admit_stands_beside_nobody(new_world):
    world = new_world()
    first, middle, last = (world.say("x", DAYS[0], seq=seq) for seq in range(3))
    hidden = world.say("x", DAYS[0], session="t", seq=1, sensitivity=Sensitivity.SECRET)
    shown = world.say("x", DAYS[0], session="t", seq=0)
    assert beside(world, [shown]) == [(-1, -1)]
    assert beside(world, [shown], replace(ALL, ceiling=Sensitivity.SECRET)) == [(-1, hidden)]

    world.set_status(first, StatusSpan(Status.ARCHIVED, DAYS[1]))
    world.erase(last, DAYS[1])
    assert beside(world, [middle]) == [(-1, -1)]
    assert beside(world, [middle], replace(ALL, tenant="other")) == [(-1, -1)]


def test_an_older_snapshot_does_not_see_who_came_beside_later(new_world):
    world = new_world()
    first, before = world.say("x", DAYS[0], seq=0), world.position
    second = world.say("x", DAYS[0], seq=1)

    assert beside(world, [first]) == [(-1, second)]
    assert beside(world, [first], position=before) == [(-1, -1)]


def test_a_reply_is_what_somebody_else_says_right_behind_a_question_inside_the_fence(new_world):
    world = new_world()
    asks, answer, more = (
        world.say("x", DAYS[0], seq=seq, speaker=speaker, asks=seq == 0)
        for seq, speaker in enumerate(("ann", "bob", "ann"))
    )
    says, goes_on = (world.say("x", DAYS[0], session="t", seq=seq, speaker="ann", asks=seq == 0) for seq in range(2))
    secret = world.say("x", DAYS[0], session="u", seq=0, speaker="ann", asks=True, sensitivity=Sensitivity.SECRET)
    answers_it = world.say("x", DAYS[0], session="u", seq=1, speaker="bob")

    every = [asks, answer, more, says, goes_on, secret, answers_it, 99]
    assert replies(world, every) == [False, True, False, False, False, False, False, False]
    assert replies(world, [answers_it], replace(ALL, ceiling=Sensitivity.SECRET)) == [True]


def test_what_instructs_is_known_whatever_stands_beside_it(new_world):
    world = new_world()
    first, second = (world.say("x", DAYS[0], seq=seq, instructs=seq == 1) for seq in range(2))
    other = world.say("x", DAYS[0], scope=BOB, instructs=True)

    found = world.search().beside(ALL, np.array([first, second, other], dtype=np.int64))
    assert found.instructs.tolist() == [False, True, False]
    assert world.search().beside(replace(ALL, scopes=(ANN, BOB)), np.array([other])).instructs.tolist() == [True]


@given(st.lists(TURNS, max_size=14, unique_by=lambda turn: turn[:3]), st.data())
@settings(deadline=None)
def test_any_talk_has_the_neighbours_that_its_places_say(new_world, talk, data):
    world = new_world()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bethink.store.column_feed._FEW", data.draw(st.sampled_from([0, 64])))
        for session, seq, scope, type_name in talk:
            ceiling = data.draw(st.sampled_from([Sensitivity.NORMAL, Sensitivity.NORMAL, Sensitivity.SECRET]))
            world.say("x", DAYS[0], session=session, seq=seq, scope=scope, type=type_name, sensitivity=ceiling)
            if data.draw(st.booleans()):
                beside(world, [1])
        beside(world, [1], replace(ALL, scopes=(ANN, BOB)))
    fence = replace(ALL, scopes=data.draw(st.sampled_from([(ANN,), (ANN, BOB)])))
    turns = {key: entry for key, entry in world.entries.items() if entry.type == "turn"}

    def at(key: int, step: int) -> int:
        own, entry = world.said[key], world.entries[key]
        for other, found in turns.items():
            said = world.said[other]
            here = (found.scope, said.session, said.seq) == (entry.scope, own.session, own.seq + step)
            if key in turns and here and fence.admits(found):
                return other
        return -1

    keys = [key for key, entry in world.entries.items() if fence.admits(entry)]
    assert beside(world, keys, fence) == [(at(key, -1), at(key, 1)) for key in keys]
