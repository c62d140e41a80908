"""What a statement is about: exact names, in scopes the caller may read, each thing once."""

from __future__ import annotations

import pytest
from tests.behaviour.requirements import requirement
from tests.unit.desks import World

from bethink.domain.entity import Entity
from bethink.domain.scope import Scope, ScopeKind
from bethink.formation.entities import clustered
from bethink.operations.remember import Mention

ANA = Scope(ScopeKind.USER, "ana")


def entities(world: World, name: str, scope: Scope = ANA) -> list[Entity]:
    """Entities answering to a folded name in one scope."""
    with world.store.write(world.tenant) as work:
        return list(work.entities.resolve((scope.key,), name))


def test_a_subject_becomes_one_provisional_entity_and_is_found_again(world: World) -> None:
    first = world.record(world.told("Bo plays chess.", subject="Bo").id)
    second = world.record(world.told("Bo has a cat.", subject="  BO ").id)
    (entity,) = entities(world, "bo")
    assert entity.provisional
    assert first.content.subject_entity == second.content.subject_entity == entity.id
    assert entity.id in first.entities


@requirement("E90")
def test_similar_names_are_not_the_same(world: World) -> None:
    world.told("Bo plays chess.", subject="Bo")
    world.told("Bob plays chess too.", subject="Bob")
    assert len(entities(world, "bo")) == len(entities(world, "bob")) == 1
    assert entities(world, "bo") != entities(world, "bob")


@requirement("E89")
def test_spellings_of_one_request_make_one_entity_that_answers_to_all(world: World) -> None:
    world.told("Bo met Bo.", subject="Bo", mentions=(Mention("BO", "person"), Mention("Bo \U0001f389")))
    (entity,) = entities(world, "bo")
    assert (entity.kind, entities(world, "bo \U0001f389")) == ("person", [entity])


@pytest.mark.parametrize(("one", "other"), [("C", "C++"), ("C", "C#"), ("Node", "Node.js"), ("A1", "A2")])
def test_signs_that_tell_names_apart_are_kept(one: str, other: str) -> None:
    assert len(clustered(None, (Mention(one), Mention(other)))) == 2


def test_a_name_of_nothing_but_decoration_is_a_name() -> None:
    assert [item.names for item in clustered(None, (Mention("\U0001f389"), Mention("\U0001f600")))] == [
        ("\U0001f389",),
        ("\U0001f600",),
    ]


def test_a_belief_about_nobody_in_the_users_scope_is_about_the_user(world: World) -> None:
    record = world.record(world.told("I like tea.", type="preference").id)
    (entity,) = entities(world, "ana")
    assert (entity.kind, record.content.subject_entity, record.content.subject) == ("person", entity.id, None)


def test_an_event_is_about_nobody_unless_said(world: World) -> None:
    event = world.record(world.told("It rained.", type="event").id)
    assert (event.content.subject_entity, event.entities) == (None, ())


def test_what_an_agent_keeps_for_its_user_is_about_the_user(world: World) -> None:
    world.noted("Likes tea.", target="private")
    (entity,) = entities(world, "ana", Scope(ScopeKind.AGENT, "bot/ana"))
    assert (entity.kind, entity.name) == ("person", "ana")


def test_a_mention_marked_about_is_the_subject(world: World) -> None:
    world.told("Bo lives in Rome.", mentions=(Mention("Bo", "person", "about"),), attribute="city")
    assert world.fact("bo", "city") == ["Bo lives in Rome."]


@requirement("E90")
def test_an_entity_of_a_readable_scope_is_used_and_one_of_a_closed_scope_is_not(world: World) -> None:
    org = Scope(ScopeKind.ORG, "acme")
    with world.store.write(world.tenant) as work:
        work.entities.add(Entity("e-org", "product", "Rocket", org, ("R1",), provisional=False), world.clock.now())
    assert world.record(world.told("Rocket is fast.", subject="R1").id).content.subject_entity != "e-org"
    world.grant(org, agent="aide", write=False)
    assert (
        world.record(
            world.noted("Rocket is red.", agent="aide", target="private", subject="R1").id,
            scopes=(Scope(ScopeKind.AGENT, "aide/ana"),),
        ).content.subject_entity
        == "e-org"
    )


def test_a_name_that_several_answer_to_links_none_and_says_so(world: World) -> None:
    for number in (1, 2):
        with world.store.write(world.tenant) as work:
            work.entities.add(Entity(f"e{number}", "person", "Bo", ANA), world.clock.now())
    result = world.told("Bo plays chess.", subject="Bo")
    assert [notice.code for notice in result.notices] == ["entity_ambiguous"]
    assert world.record(result.id).entities == ()


def test_nothing_is_made_for_a_statement_that_was_known(world: World) -> None:
    world.told("Bo plays chess.", subject="Bo")
    world.told("Bo plays chess.", subject="Bo", mentions=(Mention("Chess"),))
    assert entities(world, "chess") == []
