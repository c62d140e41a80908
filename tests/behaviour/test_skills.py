"""Skills are no memories: the user registers them, a line shows them, and what one declares grants nothing."""

from __future__ import annotations

import json

import pytest

from bethink.errors import AccessDenied, InvalidInput, NotFound
from tests.behaviour.house import counted, events, know
from tests.behaviour.requirements import requirement

SHIP = {"description": "How to ship.", "instructions": "Run the zanzibar tests, then ship.", "tool_names": ("shell",)}


@requirement("D2", "D11", "D12")
def test_a_skill_is_seen_by_its_descriptor_and_is_no_memory(house, maya):
    know(maya, "Maya ships on Fridays")
    made = maya.register_skill("ship", **SHIP)
    seen = maya.skills().skills

    assert (made.version, made.tool_names, made.scope) == (1, ("shell",), "user:maya")
    assert [(skill.id, skill.description) for skill in seen] == [("ship", "How to ship.")]
    assert not hasattr(seen[0], "instructions")
    assert counted(maya, "record") == 1
    assert "zanzibar" not in maya.recall("How to ship with zanzibar tests?").rendered
    assert house.opened[0].check().findings == ()


@requirement("D14")
def test_loading_a_skill_emits_an_event_with_its_id_and_declared_tools(house, maya):
    maya.register_skill("ship", **SHIP)
    before = len(events(maya))
    agent = house.bind(voice="agent")
    loaded = agent.load_skill("ship")
    kind, payload = events(maya)[-1]

    assert (loaded.instructions, loaded.tool_names) == (SHIP["instructions"], ("shell",))
    assert (len(events(maya)) - before, kind) == (1, "skill.load")
    told = json.loads(payload)
    assert (told["tools"], told["agent"], "instructions" in payload) == (["shell"], "aria", False)


@requirement("D54")
def test_the_tools_of_a_loaded_skill_grant_nothing(house, maya):
    maya.register_skill("rule", **{**SHIP, "tool_names": ("memory_forget", "grant", "project:loom")})
    agent = house.bind(agent="bard", voice="agent", project="loom")
    grants = house.opened[0].grants()
    agent.load_skill("rule")

    assert house.opened[0].grants() == grants
    with pytest.raises(AccessDenied):
        agent.remember("The loom is blue", target="project")


def test_registering_again_counts_a_version_only_where_it_says_something_else(maya):
    first = maya.register_skill("ship", **SHIP)
    assert maya.register_skill("ship", **SHIP) == first
    again = maya.register_skill("ship", **{**SHIP, "instructions": "Just ship."})

    assert (again.version, again.sha256 == first.sha256) == (2, False)
    assert maya.load_skill("ship").instructions == "Just ship."


def test_the_most_specific_owner_s_skill_is_loaded_and_nobody_else_s(house, maya):
    house.opened[0].grant("maya", "aria", "project:loom", write=True)
    loom = house.bind(project="loom")
    maya.register_skill("ship", **SHIP)
    loom.register_skill("ship", **{**SHIP, "instructions": "Ship the loom.", "target": "project"})
    noor = house.bind("noor", "bard")

    assert loom.load_skill("ship").scope == "project:loom"
    assert noor.skills().skills == ()
    told = []
    for wanted in ("ship", "none"):
        with pytest.raises(NotFound) as refused:
            noor.load_skill(wanted)
        told.append(str(refused.value).replace(wanted, "_"))
    assert told[0] == told[1]


def test_an_agent_registers_and_removes_no_skill(house, maya):
    agent = house.bind(voice="agent")
    with pytest.raises(AccessDenied):
        agent.register_skill("ship", **SHIP)
    maya.register_skill("ship", **SHIP)
    with pytest.raises(AccessDenied):
        agent.remove_skill("ship")
    assert maya.remove_skill("ship") is True
    assert maya.remove_skill("ship") is False
    assert counted(maya, "skill") == 0


@pytest.mark.parametrize(
    "wrong",
    [{"description": ""}, {"description": "x" * 501}, {"instructions": " "}, {"tool_names": ("",)}, {"id": "a/b"}],
)
def test_a_skill_that_cannot_be_meant_is_refused(maya, wrong):
    with pytest.raises(InvalidInput):
        maya.register_skill(**{"id": "ship", **SHIP, **wrong})
    assert counted(maya, "skill") == 0
