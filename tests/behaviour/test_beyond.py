"""The arms that are off at first: one relation away, and a provider of the host's; and entities that stay apart."""

from __future__ import annotations

from threading import Event

import pytest

from bethink.domain.hit import ARMS
from bethink.domain.scope import Sensitivity
from bethink.domain.types import Kind, Portability
from bethink.memory import BoundMemory, Steps
from bethink.operations.remember import Mention
from bethink.recall.profiles import PROFILES
from tests.behaviour.house import House, Provider, arms, ids, know, stored
from tests.behaviour.requirements import requirement


def family(maya: BoundMemory) -> dict[str, str]:
    """Ann, her sister Bea, Bea's boss Cid, and what is known of each."""
    bea = (Mention("Bea", "person"),)
    return {
        "sister": know(maya, "has a sister, Bea", type="relationship", subject="Ann", mentions=bea),
        "boss": know(maya, "reports to Cid", type="relationship", subject="Bea", mentions=(Mention("Cid", "person"),)),
        "bea": know(maya, "teaches the cello", subject="Bea"),
        "cid": know(maya, "collects stamps", subject="Cid"),
        "ann": know(maya, "bakes bread", subject="Ann"),
    }


@requirement("A3")
def test_no_profile_runs_the_arms_beyond_and_nothing_of_them_stands_in_a_trace(house):
    maya = house.bind()
    family(maya)

    assert all(profile.arms == ARMS for profile in PROFILES.values())
    assert {"graph", "external"}.isdisjoint(arms(maya, maya.recall("What does Ann do?")))


@requirement("A97", "A3")
def test_switched_on_an_arm_brings_what_is_one_relation_away_and_no_further(house):
    house.embedder = None
    house.open(recall__graph=True)
    maya = house.bind()
    known = family(maya)
    result = maya.recall("What does the sister of Ann play?")
    found = {item.id: item for item in result.items}

    assert set(arms(maya, result)["graph"]) == {known["bea"], known["boss"], known["sister"]}
    assert known["bea"] in found
    assert (found[known["bea"]].explanation.passed, found[known["bea"]].explanation.match) == ("exact relation", 0.2)
    assert known["cid"] not in found
    assert found[known["ann"]].explanation.match >= 0.4
    off = house.open(recall__graph=False).bind("maya", "aria").recall("What does the sister of Ann play?")
    assert known["bea"] not in ids(off)


@requirement("A97")
def test_a_relation_counts_inside_the_fence_whatever_types_are_asked_for_and_not_beyond_it(house):
    house.embedder = None
    house.open(recall__graph=True)
    maya = house.bind()
    known = family(maya)
    typed = maya.recall("Ann", types=("fact",))
    assert known["bea"] in ids(typed)
    assert known["sister"] not in ids(typed)
    maya.forget(known["sister"], mode="stop")
    assert arms(maya, maya.recall("Ann"))["graph"] == []
    hidden = know(
        maya, "is married to Dan", type="relationship", subject="Ann", mentions=(Mention("Dan", "person"),),
        sensitivity=Sensitivity.SECRET,
    )  # fmt: skip
    know(maya, "sings", subject="Dan")
    assert arms(maya, maya.recall("Ann"))["graph"] == []
    assert hidden not in ids(maya.recall("Ann"))


@requirement("A98", "A100")
def test_a_provider_of_the_hosts_is_one_more_arm_behind_the_same_fusion(house):
    house.embedder = None
    provider = Provider()
    house.open(steps=Steps(provider=provider))
    maya = house.bind()
    far, worded = know(maya, "Zamora since the autumn"), know(maya, "The blue kiln burns gas")
    with maya.session("talk") as talk:
        talk.turn("An old song")
    turn = maya.episodes(session="talk").turns[0].id
    provider.says = [(worded, 0.2), (far, 1.0), (far, 0.3), (turn, 0.6), ("nothing", 1.0)]
    result = maya.recall("blue kiln")
    found = {item.id: item.explanation for item in result.items}

    assert arms(maya, result)["external"] == [far, turn, worded]
    assert found[far].match == pytest.approx(0.25, abs=0.001)
    assert found[far].passed == "outside provider"
    assert found[far].arms["external"] == (1, 1.0)
    assert ids(result)[0] == worded
    assert found[worded].match == maya.recall("blue kiln").items[0].explanation.match
    assert provider.asked[0] == ("blue kiln", 60)
    provider.says = []
    alone = maya.recall("blue kiln")
    assert ids(alone) == [worded]
    assert alone.items[0].explanation.match == found[worded].match
    provider.says = [(far, float("nan")), (worded, -3.0)]
    assert ids(maya.recall("blue kiln")) == [worded]


@requirement("A98", "A49")
def test_a_provider_brings_up_nothing_the_caller_may_not_read_and_nothing_not_asked_for(house):
    provider = Provider()
    house.open(steps=Steps(provider=provider))
    maya, bob = house.bind(), house.bind("bob", "bert")
    theirs = know(bob, "The blue kiln is Bob's")
    secret = know(maya, "The blue kiln is hidden", sensitivity=Sensitivity.SECRET)
    stopped = know(maya, "The blue kiln is gone")
    maya.forget(stopped, mode="stop")
    local = know(house.bind(project="pottery"), "The port is 9090", portability=Portability.LOCAL)
    fact = know(maya, "Something else", type="fact")
    provider.says = [(item, 1.0) for item in (theirs, secret, stopped, local, fact)]

    assert ids(maya.recall("blue kiln", kinds=(Kind.SEMANTIC,))) == [fact]
    assert ids(maya.recall("blue kiln", types=("preference",))) == []


@requirement("A98")
@pytest.mark.parametrize("how", ["late", "broken"])
def test_a_provider_that_is_late_or_broken_is_reported_and_costs_the_answer_nothing(house: House, how):
    held = Event()
    house.open(steps=Steps(provider=Provider(fails=how == "broken", holds=held if how == "late" else None)))
    maya = house.bind()
    kiln = know(maya, "The blue kiln burns gas")
    result = maya.recall("blue kiln", timeout_ms=1_000)
    held.set()

    assert ids(result) == [kiln]
    assert result.degraded == (f"external: {'out of time' if how == 'late' else 'OSError'}",)


@requirement("E7")
def test_the_entities_of_two_users_stay_two_though_they_share_a_name_an_agent_and_a_project(house):
    maya, bob = house.bind("maya", "aria", project="bakery"), house.bind("bob", "aria", project="bakery")
    house.opened[0].grant("bob", "aria", "user:maya", read=True, write=False)
    know(maya, "bakes bread", subject="Ann")
    know(bob, "bakes cakes", subject="Ann")
    with stored(maya) as work:
        mine, theirs = (work.entities.resolve([scope], "ann") for scope in ("user:maya", "user:bob"))

    assert len(mine) == len(theirs) == 1
    assert mine[0].id != theirs[0].id
    assert {entity.scope.key for entity in (*mine, *theirs)} == {"user:maya", "user:bob"}
