"""How much of a question a session says, by whichever of its turns, inside the fence."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.domain.fence import Fence
from bethink.domain.query import Query
from bethink.domain.record import LIVE
from bethink.domain.scope import Sensitivity
from bethink.text.analyse import analyse
from tests.store.search.places import TENANT
from tests.store.search.strategies import DAYS
from tests.store.search.world import ANN, BOB, World

ALL = Fence(TENANT, (ANN,), Sensitivity.NORMAL, LIVE, datetime(2026, 5, 1, tzinfo=UTC))
WORDS = ["boat", "sail", "rope", "storm"]


def covered(world: World, query: Query, keys: list[int], fence: Fence = ALL) -> list[float]:
    return world.search().covered(fence, query, np.array(keys, np.int64)).tolist()


def asked(*words: str) -> Query:
    return Query(" ".join(words), tuple(analyse(word)[0] for word in words))


def test_turns_of_a_session_cover_a_question_together(new_world):
    world = new_world()
    boat, sail = world.say("boat", DAYS[0], seq=0), world.say("sail", DAYS[0], seq=1)
    half = world.say("boat boat", DAYS[0], session="t")
    nothing = world.say("hello", DAYS[0], session="u")
    fact = world.say("boat", DAYS[0], session="t", type="fact")
    weight = math.log1p(4 / 3)  # four words found, three of them "boat"
    share = weight / (weight + math.log1p(4 / 1))

    assert covered(world, asked("boat", "sail"), [boat, sail, half, nothing, fact]) == pytest.approx(
        [1, 1, share, 0, 1]
    )


def test_what_the_fence_does_not_admit_covers_nothing(new_world):
    world = new_world()
    shown, other = world.say("boat", DAYS[0]), world.say("boat sail", DAYS[0], session="t")
    world.say("sail", DAYS[0], seq=1, sensitivity=Sensitivity.SECRET)
    world.say("boat sail storm", DAYS[0], scope=BOB)
    query = asked("boat", "sail")

    assert covered(world, query, [shown])[0] < 1
    assert covered(world, query, [shown], replace(ALL, ceiling=Sensitivity.SECRET)) == [1.0]
    assert covered(world, query, [shown, other], replace(ALL, tenant="other")) == [1.0, 1.0]


def test_where_no_session_says_anything_none_says_less_than_another(new_world):
    world = new_world()
    one, other = world.say("boat", DAYS[0]), world.say("sail", DAYS[0], session="t")

    assert covered(world, asked("storm"), [one, other]) == [1.0, 1.0]
    assert covered(world, Query(""), [one, other]) == [1.0, 1.0]
    assert covered(world, asked("boat"), []) == []


@given(
    st.lists(st.tuples(st.sampled_from("stu"), st.lists(st.sampled_from(WORDS), max_size=3)), max_size=12),
    st.lists(st.sampled_from([*WORDS, "harbour"]), min_size=1, unique=True),
)
@settings(deadline=None, max_examples=40)
def test_shares_are_those_of_the_formula(new_world, turns: list[tuple[str, list[str]]], words: list[str]):
    world = new_world()
    keys = [world.say(" ".join(said), DAYS[0], session=name, seq=seq) for seq, (name, said) in enumerate(turns)]
    count = {word: sum(word in said for _, said in turns) for word in words}
    weight = {word: math.log1p(sum(count.values()) / max(count[word], 0.5)) for word in words}
    union: dict[str, set[str]] = {}
    for name, said in turns:
        union.setdefault(name, set()).update(said)
    says = {name: sum(weight[word] for word in words if word in said) for name, said in union.items()}
    most = max(says.values(), default=0.0)

    assert covered(world, asked(*words), keys) == pytest.approx(
        [says[name] / most if most else 1.0 for name, _ in turns]
    )
