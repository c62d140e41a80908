"""Grants: which agent may read and write which scope, for whom, and until when."""

from __future__ import annotations

import pytest

from bethink.domain.scope import Grant, Scope, ScopeKind
from bethink.errors import AccessDenied, InvalidInput
from tests.behaviour.house import MARCH, ids, know, stored
from tests.behaviour.requirements import requirement

HIDDEN = "The vault opens with the word heliotrope"


@requirement("E63")
def test_a_record_has_one_scope_and_the_same_words_in_two_scopes_are_two_records(house):
    house.open().grant("maya", "aria", "project:loom", write=True)
    maya = house.bind(project="loom")
    kept = [know(maya, "Tea at four", target=target) for target in ("personal", "project", "private")]

    assert len(set(kept)) == 3
    assert [maya.get(item).record.content.scope.key for item in kept] == [
        "user:maya",
        "project:loom",
        "agent:aria/maya",
    ]


@requirement("E64", "E71")
def test_a_grant_opens_a_scope_until_it_is_taken_back(house):
    memory, other = house.open(), house.open()
    owner = house.bind()
    know(owner, "The loft key hangs behind the stove")
    aide = memory.bind("maya", "aide", voice="user")
    asked = "Where does the loft key hang?"
    assert [(grant.agent, grant.scope.key, grant.write) for grant in memory.grants()] == [
        ("aide", "user:maya", True),
        ("aria", "user:maya", True),
    ]
    seen = [len(aide.recall(asked).items)]
    assert other.revoke("maya", "aide", "user:maya")
    seen.append(len(aide.recall(asked).items))
    with pytest.raises(AccessDenied):
        know(aide, "x is y")
    memory.grant("maya", "aide", "user:maya", read=True, write=False)
    seen.append(len(aide.recall(asked).items))
    with pytest.raises(AccessDenied):
        know(aide, "x is y")
    memory.grant("maya", "aide", "user:maya", read=False, write=True)
    seen.append(len(aide.recall(asked).items))
    written = know(aide, "The attic key is lost")

    assert seen == [1, 0, 1, 0]
    assert owner.get(written).record.content.source.creator == "aide"
    assert not memory.revoke("maya", "nobody", "user:maya")


@requirement("E64")
def test_what_an_agent_only_reads_it_cannot_forget_whatever_its_own_sessions_are_called(house):
    with house.bind().session("talk") as session:
        (theirs,) = session.turn("The loft key hangs behind the stove").ids
    memory = house.opened[0]
    memory.grant("maya", "aide", "user:maya", read=True, write=False)
    aide = memory.bind("maya", "aide")
    with aide.session("talk", target="private") as session:
        (own,) = session.turn("I saw the loft key").ids
    for mode in ("stop", "erase"):
        with pytest.raises(AccessDenied):
            aide.forget(theirs, mode=mode)
    aide.forget(own)

    assert [turn.id for turn in aide.episodes(session="talk").turns] == [theirs]


@requirement("E71")
def test_a_recall_says_for_whom_and_over_which_scopes_it_was_made(house):
    house.open().grant("maya", "aria", "project:loom")
    maya = house.bind(project="loom")
    whole, narrowed = (
        maya.recall("tea"),
        house.bind(project="loom", read_scopes=(Scope.parse("project:loom"),)).recall("tea"),
    )
    traces = [maya.trace(result.trace_id).trace for result in (whole, narrowed)]

    assert [(trace.tenant, trace.user, trace.agent) for trace in traces] == [("default", "maya", "aria")] * 2
    assert [trace.query["fence"]["scopes"] for trace in traces] == [
        ["agent:aria/maya", "project:loom", "user:maya"],
        ["project:loom"],
    ]


@requirement("E65", "E67")
@pytest.mark.parametrize("scope", ["user:maya", "project:loom", "task:weave", "org:guild", "agent:aria"])
def test_without_a_grant_only_the_agents_own_scope_for_its_user_is_open(house, scope):
    served = house.open(owner=False)
    with stored(served) as work:
        work.grants.put(Grant("maya", "host", Scope.parse(scope), read=True, write=True, granted_at=MARCH))
    maya = served.bind("maya", "aria", project="loom", task="weave")
    targets = {"user:maya": "personal", "project:loom": "project", "task:weave": "task"}
    if scope in targets:
        for write in (
            lambda: maya.remember("x is y", target=targets[scope]),
            lambda: maya.session("s", target=targets[scope]),
        ):
            with pytest.raises(AccessDenied):
                write()
    own = maya.remember("The kettle is blue", target="private").id
    served.grant("maya", "aria", scope, read=True, write=True)
    before = [grant.scope.key for grant in served.grants() if grant.agent == "aria"]
    found = ids(maya.recall("Which kettle is blue?"))

    assert (found, before) == ([own], [scope])
    assert served.bind("maya", "scribe").recall("Which kettle is blue?").items == ()
    assert served.bind("noor", "aria").recall("Which kettle is blue?").items == ()
    assert maya.trace(maya.recall("tea").trace_id).trace.query["fence"]["scopes"] == sorted(["agent:aria/maya", scope])


BAD_IDS = ["", " ", " maya", "maya ", "a/b", "a\nb", "a\0b", "\ud800", "x" * 201]


@requirement("E66")
@pytest.mark.parametrize("bad", BAD_IDS)
def test_an_id_that_could_be_a_path_or_cannot_be_seen_is_refused(house, bad):
    memory = house.open()
    for refused in (
        lambda: memory.bind(bad, "aria") if bad else memory.bind("maya", project=bad),
        lambda: memory.bind("maya", bad) if bad else memory.bind("maya", channel=bad),
        lambda: memory.bind("maya", "aria", tenant=bad) if bad else memory.bind("maya", task=bad),
        lambda: memory.bind("maya", "aria", project=bad),
        lambda: memory.grant(bad, "aria", "project:loom"),
        lambda: memory.grant("maya", bad, "project:loom"),
        lambda: memory.grant("maya", "aria", f"project:{bad}"),
        lambda: memory.bind("maya", "aria").session(bad),
    ):
        with pytest.raises(InvalidInput):
            refused()
    assert [grant.scope.key for grant in memory.grants()] == ["user:maya"]


@requirement("E68")
def test_no_grant_opens_an_agents_private_scope_however_it_came_into_the_store(house):
    know(house.bind(agent="scribe"), HIDDEN, target="private")
    memory, private = house.opened[0], Scope(ScopeKind.AGENT, "scribe/maya")
    with pytest.raises(InvalidInput, match="no grant opens it"):
        memory.grant("maya", "aria", private.key)
    maya = house.bind()
    with stored(memory) as work:
        work.grants.put(Grant("maya", "aria", private, read=True, write=True, granted_at=MARCH))

    assert private.key in [grant.scope.key for grant in memory.grants()]
    assert maya.recall(HIDDEN).items == ()
    assert private.key not in maya.trace(maya.recall(HIDDEN).trace_id).trace.query["fence"]["scopes"]


@requirement("E69", "E70")
def test_a_target_is_a_word_that_the_host_resolves_and_never_a_scope(house):
    served = house.open(owner=False)
    maya = served.bind("maya", "aria", project="loom")
    for path in ("user:noor", "user:maya", "agent:aria/maya", "everyone", ""):
        for write in (
            lambda path=path: maya.remember("x is y", target=path),
            lambda path=path: maya.session(target=path),
        ):
            with pytest.raises(InvalidInput, match="personal, project, task, private"):
                write()
    with pytest.raises(AccessDenied):
        maya.remember("The kettle is blue")
    served.grant("maya", "aria", "user:maya", write=True)
    kept = maya.remember("The kettle is blue").id

    assert maya.get(kept).record.content.scope.key == "user:maya"


@requirement("E72")
def test_a_grant_on_one_scope_says_nothing_of_another(house):
    served = house.open(owner=False)
    for agent, scope in (("user-only", "user:maya"), ("project-only", "project:loom"), ("host", "user:maya")):
        served.grant("maya", agent, scope, write=True)
    served.grant("maya", "host", "project:loom", write=True)
    host = served.bind("maya", "host", project="loom", voice="user")
    kept = {target: know(host, f"The {target} kettle", target=target) for target in ("personal", "project")}
    for agent, own, other in (("user-only", "personal", "project"), ("project-only", "project", "personal")):
        bound = served.bind("maya", agent, project="loom")
        assert ids(bound.recall("Which kettle?")) == [kept[own]]
        with pytest.raises(AccessDenied):
            bound.remember("x is y", target=other)


def test_a_grant_is_taken_back_by_the_names_it_was_given_by_however_they_are_composed(house):
    memory = house.open(owner=False)
    memory.grant("zo\u00eb", "aria", "project:bakery", write=True)

    with pytest.raises(InvalidInput, match="user"):
        memory.revoke("", "aria", "project:bakery")
    assert memory.revoke("zoe\u0308", "aria", "project:bakery")
    assert memory.grants() == ()
