"""How far a belief carries: fixed when it is formed, and widened only when two projects come to it each by itself."""

from __future__ import annotations

import pytest

from bethink.domain.scope import Sensitivity
from bethink.domain.source import SourceKind
from bethink.domain.types import Portability
from bethink.upkeep.promotion import run_promotion
from tests.behaviour.house import know, record, texts
from tests.behaviour.requirements import requirement

TOOL = SourceKind.TOOL_RESULT
DEPLOY = "Maya deploys with make ship"
ASKED = "How does Maya deploy?"


@requirement("A50")
@pytest.mark.parametrize(
    ("kind", "asked", "given"),
    [
        ("preference", None, Portability.PORTABLE),
        ("fact", None, Portability.CONTEXTUAL),
        ("fact", Portability.PORTABLE, Portability.CONTEXTUAL),
        ("preference", Portability.LOCAL, Portability.LOCAL),
        ("constraint", None, Portability.PORTABLE),
    ],
)
def test_how_far_a_record_carries_is_fixed_when_it_is_formed(house, kind, asked, given):
    loom, kiln = house.bind(project="loom"), house.bind(project="kiln")
    item = know(loom, DEPLOY, type=kind, portability=asked)

    assert record(loom, item).content.portability is given
    if given is Portability.PORTABLE:
        here, there = (memory.recall(ASKED).items[0] for memory in (loom, kiln))
        assert (here.band, there.carried) == ("high", True)


@requirement("A54", "A55")
def test_the_same_belief_in_two_projects_loses_its_origin(house):
    loom, kiln, barn = (house.bind(project=name) for name in ("loom", "kiln", "barn"))
    item = loom.remember(DEPLOY).id
    house.clock.advance(days=1)
    before = barn.recall(ASKED).items[0]
    assert "learned in loom" in barn.recall(ASKED).rendered
    assert kiln.remember(DEPLOY).id == item
    after = barn.recall(ASKED).items[0]

    assert record(barn, item).content.origin.project is None
    assert (before.carried, after.carried, after.id) == (True, False, item)
    assert "learned in" not in barn.recall(ASKED).rendered
    assert (before.band, after.band) == ("medium", "high")
    assert texts(loom.recall(ASKED)) == texts(barn.recall(ASKED))


@requirement("A54")
@pytest.mark.parametrize(
    ("first", "second", "promoted"),
    [
        ({}, {"project": None}, False),
        ({}, {"portability": Portability.LOCAL}, False),
        ({"portability": Portability.LOCAL}, {"portability": Portability.LOCAL}, False),
        ({"voice": "agent"}, {"voice": "agent"}, False),
        ({"voice": "agent"}, {"voice": "agent", "agent": "bard"}, True),
        ({"source": TOOL}, {"source": TOOL}, True),
    ],
)
def test_only_two_projects_that_each_came_to_it_promote_and_never_what_is_local(house, first, second, promoted):
    for agent in ("aria", "bard"):
        house.bind(agent=agent)

    def told(project, fields):
        given = {"project": project, "voice": "user", "agent": "aria"} | fields
        bound = house.bind(agent=given.pop("agent"), project=given.pop("project"), voice=given.pop("voice"))
        return bound.remember(DEPLOY, **given).id

    item = told("loom", dict(first))
    house.clock.advance(days=1)
    told("kiln", dict(second))

    assert (record(house.bind(project="loom"), item).content.origin.project is None) is promoted


@requirement("A54")
def test_what_two_projects_own_is_derived_for_the_user_who_reads_both(house):
    memory = house.open()
    for user, agent, projects in (("maya", "aria", ("loom", "kiln")), ("noor", "bard", ("loom",))):
        for project in projects:
            memory.grant(user, agent, f"project:{project}", write=True)
    loom, kiln = (house.bind(project=name, ceiling=Sensitivity.SECRET) for name in ("loom", "kiln"))
    one = know(loom, DEPLOY, target="project", subject="Maya")
    know(loom, "The loom is blue", target="project")
    know(loom, "The port is 80", target="project", portability=Portability.LOCAL)
    house.bind("noor", "bard")
    assert run_promotion(loom._desk, 50).changed == {"promoted": 0}
    house.clock.advance(days=1)
    two = know(kiln, DEPLOY, target="project", subject="Maya", source=TOOL, sensitivity=Sensitivity.RESTRICTED)
    know(kiln, "The port is 80", target="project", portability=Portability.LOCAL)
    assert run_promotion(loom._desk, 50).changed == {"promoted": 1}
    seen = house.bind(ceiling=Sensitivity.SECRET).recall(ASKED).items
    made = next(item for item in seen if item.id not in {one, two})
    found = record(house.bind(ceiling=Sensitivity.SECRET), made.id)

    assert (found.content.scope.key, found.content.origin.project) == ("user:maya", None)
    assert (found.content.parents, found.content.sensitivity) == (tuple(sorted((one, two))), Sensitivity.RESTRICTED)
    assert (found.content.source.kind, found.content.derivation) == (TOOL, "derived")
    assert [record(loom, item).content.scope.id for item in (one, two)] == ["loom", "kiln"]
    house.clock.advance(hours=1)
    know(loom, "The loom is big", target="project")
    assert run_promotion(loom._desk, 50).changed == {"promoted": 0}
    assert [item.id for item in house.bind("noor", "bard").recall(ASKED).items] == [one]
    assert memory.check().findings == ()
