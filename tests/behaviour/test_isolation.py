"""Nothing crosses tenant, user, agent, grant, channel or ceiling on any path, and nobody learns that it was there."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.domain.record import short_ids
from bethink.domain.scope import Sensitivity
from bethink.errors import BethinkError, InvalidInput
from bethink.memory import BoundMemory, Memory
from bethink.operations.remember import Mention
from tests.behaviour.house import MARCH, House, arms, ids, know, texts
from tests.behaviour.requirements import requirement
from tests.databases import rows_of

HIDDEN = "The vault opens with the word heliotrope"
QUOTE = "opens with the word heliotrope"


@dataclass(frozen=True)
class Known:
    """Everything by which something stored could be named."""

    id: str
    turn: str
    session: str
    trace: str

    @property
    def short(self) -> str:
        return short_ids([self.id])[self.id]

    def hidden(self, told: str) -> str:
        """What was told, without the names that were used to ask."""
        for name in (self.id, self.turn, self.session, self.trace, self.short, self.id[:-2]):
            told = told.replace(name, "NAME")
        return told


ABSENT = Known(
    "019caaaa-0000-7000-8000-00000000abcd",
    "019caaaa-0000-7000-8000-00000000abce",
    "nowhere",
    "019caaaa-0000-7000-8000-00000000abcf",
)


def keep(owner: BoundMemory, **fields: Any) -> Known:
    """Something its owner says, remembers and recalls."""
    target = fields.get("target", "personal")
    session = owner.session(target=target)
    (turn,) = session.turn(HIDDEN, message_id="m1", sensitivity=fields.get("sensitivity", Sensitivity.NORMAL)).ids
    about = {"subject": "Heliotrope", "attribute": "vault word", "mentions": (Mention("Heliotrope"),)}
    record = know(owner, HIDDEN, **about, **fields)
    return Known(record, turn, session.id, owner.recall(HIDDEN).trace_id)


def another_user(house: House) -> BoundMemory:
    return house.bind("noor")


def another_tenant(house: House) -> BoundMemory:
    return house.bind(tenant="elsewhere")


def another_agent(house: House) -> BoundMemory:
    return house.bind(agent="scribe")


def another_project(house: House) -> BoundMemory:
    house.open().grant("maya", "weaver", "project:loom", write=True)
    return house.bind(agent="weaver", project="loom")


def another_task(house: House) -> BoundMemory:
    house.open().grant("maya", "weaver", "task:loom", write=True)
    return house.bind(agent="weaver", task="loom")


def a_cleared_surface(house: House) -> BoundMemory:
    return house.bind(ceiling=Sensitivity.RESTRICTED)


def another_channel(house: House) -> BoundMemory:
    return house.bind(channel="chat")


STRANGERS: dict[str, tuple[Callable[[House], BoundMemory], dict[str, Any]]] = {
    "another user": (another_user, {}),
    "another tenant": (another_tenant, {}),
    "another agent's private scope": (another_agent, {"target": "private"}),
    "a project without a grant": (another_project, {"target": "project"}),
    "a task without a grant": (another_task, {"target": "task"}),
    "above the ceiling": (a_cleared_surface, {"sensitivity": Sensitivity.RESTRICTED}),
    "another channel": (another_channel, {}),
}


@pytest.fixture(params=STRANGERS)
def strange(request, house) -> tuple[BoundMemory, Known]:
    """Who owns a secret, and the secret."""
    bound, fields = STRANGERS[request.param]
    owner = bound(house)
    return owner, keep(owner, **fields)


@pytest.fixture
def asker(house, strange) -> BoundMemory:
    """Maya through Aria, as an agent that asks; on another channel where it is the channel that parts them."""
    owner, _ = strange
    return house.bind(channel="mail" if owner.caller.channel else None, voice="agent")


def quoting(memory: BoundMemory, known: Known) -> Any:
    """What an agent is told that quotes a session."""
    told = memory.remember("The word is heliotrope", target="private", evidence=QUOTE, session=known.session)
    return told.source, told.evidence_located, told.notices


def taking_up(memory: BoundMemory, known: Known) -> Any:
    """What somebody is told who opens a session by name and says what was said there."""
    with memory.session(known.session, target="private") as session:
        told = session.turn(HIDDEN, message_id="m1")
    return len(told.ids), told.repeated, len(memory.episodes(session=known.session).turns)


READS: dict[str, Callable[[BoundMemory, Known], Any]] = {
    "get a record": lambda memory, known: memory.get(known.id),
    "get a record's history": lambda memory, known: memory.get(known.id, history=True),
    "get a record at an instant": lambda memory, known: memory.get(known.id, as_of=MARCH, known_at=MARCH),
    "get a record by its short id": lambda memory, known: memory.get(known.short),
    "get a record by a beginning": lambda memory, known: memory.get(known.id[:-2]),
    "get a turn": lambda memory, known: memory.get(known.turn),
    "stop": lambda memory, known: memory.forget(known.id),
    "restore": lambda memory, known: memory.forget(known.id, mode="restore"),
    "erase": lambda memory, known: memory.forget(known.id, mode="erase"),
    "erase a turn": lambda memory, known: memory.forget(known.turn, mode="erase", with_sources=True),
    "list what an erase would take": lambda memory, known: memory.forget(known.id, mode="erase", dry_run=True),
    "forget by a short id": lambda memory, known: memory.forget(known.short),
    "read a session": lambda memory, known: memory.episodes(session=known.session),
    "take up a session": taking_up,
    "quote a session": quoting,
    "show a trace": lambda memory, known: memory.trace(known.trace),
    "explain another's trace": lambda memory, known: memory.why(known.trace, known.id),
    "ask why it was not recalled": lambda memory, known: memory.why(memory.recall(HIDDEN).trace_id, known.id),
    "ask why by a short id": lambda memory, known: memory.why(memory.recall(HIDDEN).trace_id, known.short),
}


def answer(read: Callable[[BoundMemory, Known], Any], memory: BoundMemory, known: Known) -> str:
    """All that a caller can learn from one read."""
    try:
        told = repr(read(memory, known))
    except BethinkError as error:
        told = f"{error.code}: {error}"
    return known.hidden(told)


@requirement("A173", "E108")
@pytest.mark.parametrize("read", READS)
def test_a_foreign_name_is_answered_like_one_that_never_was(strange, asker, read):
    owner, secret = strange

    assert answer(READS[read], asker, secret) == answer(READS[read], asker, ABSENT)
    assert owner.get(secret.id).record.content.text == HIDDEN


ONE_ARM = {
    "structured": {"subjects": ("Heliotrope",)},
    "lexical": {"text": "vault opens"},
    "fuzzy": {"text": "Heliotropp"},
    "dense": {"text": "heliotrope, the word with which the vault opens"},
    "entity": {"text": "Heliotrope"},
    "time": {"text": "What was said today?"},
}


@requirement("A9", "A49", "A83", "D50")
@pytest.mark.parametrize("arm", ONE_ARM)
def test_no_arm_finds_for_a_stranger_what_it_finds_for_its_owner(strange, asker, arm):
    owner, secret = strange
    own = owner.recall(**ONE_ARM[arm])
    foreign = asker.recall(**ONE_ARM[arm], max_items=50, min_score=-1.0, on_weak="lexical", budget_tokens=100_000)
    trace = asker.trace(foreign.trace_id).trace

    assert secret.id in arms(owner, own)[arm]
    assert (foreign.items, foreign.considered, foreign.rendered) == ((), 0, "")
    assert {name: found for name, found in arms(asker, foreign).items() if found} == {}
    assert not any(name in repr((foreign, trace)) for name in (secret.id, secret.turn, QUOTE))
    assert asker.episodes(since=MARCH).turns == ()


@requirement("A49")
def test_what_others_keep_moves_no_score_and_no_byte(house, new_place):
    alone = House(new_place())
    answers = []
    for place in (house, alone):
        mine = place.bind(channel="mail")
        for text in ("The vault is in the cellar", "The word for today is tin", "Heliotrope grows by the door"):
            know(mine, text)
        if place is house:
            for bound, fields in STRANGERS.values():
                keep(bound(house), **fields)
        result = mine.recall("Which word opens the vault?", max_items=50)
        answers.append((result.rendered, texts(result), [item.score for item in result.items], result.considered))
    alone.close()

    assert answers[0] == answers[1]
    assert answers[0][3] == 3


def test_a_trace_is_not_shown_on_a_surface_that_could_not_have_made_it(house):
    cleared = house.bind(ceiling=Sensitivity.RESTRICTED, channel="chat")
    know(cleared, HIDDEN, sensitivity=Sensitivity.RESTRICTED)
    made = cleared.recall(HIDDEN).trace_id

    assert cleared.trace(made).verification == "verified"
    for plain in (house.bind(channel="chat"), house.bind(ceiling=Sensitivity.RESTRICTED, channel="mail")):
        with pytest.raises(BethinkError, match="no such trace"):
            plain.trace(made)


@requirement("D32")
def test_only_a_binding_reads_and_writes_and_what_it_writes_names_it(house):
    memory = house.open()
    for word in ("remember", "recall", "episodes", "get", "forget", "session", "import_transcript", "trace", "why"):
        assert not hasattr(memory, word)
        assert hasattr(BoundMemory, word)
    kept = keep(house.bind("noor", "scribe", tenant="elsewhere"))
    rows = set(rows_of(memory._parts.store, "select tenant, scope, record_id from entry"))
    ((creator,),) = set(rows_of(memory._parts.store, "select creator from version"))

    assert {row[:2] for row in rows} == {("elsewhere", "user:noor")}
    assert (creator, {row[2] for row in rows}) == ("scribe", {kept.id, kept.turn})


@requirement("D33")
@pytest.mark.parametrize("path", ["user:noor", "../noor", "agent:scribe/noor", "project:loom", "%", "*", "user:maya"])
def test_what_a_model_writes_never_chooses_where_it_goes(house, path):
    noor, maya = house.bind("noor"), house.bind(voice="agent")
    told = maya.remember(
        f"Keep this under {path}",
        subject=path,
        attribute=path,
        evidence=path,
        source_ref=path,
        tags=(path,),
        mentions=(Mention(path),),
        metadata={"scope": path, "tenant": path, "user": path},
    )
    if "/" not in path:
        with maya.session(path) as session:
            session.turn(f"Keep this under {path}", speaker=path)

    assert maya.get(told.id).record.content.scope.key == "user:maya"
    assert noor.recall(f"Keep this under {path}", subjects=(path,)).items == ()
    assert noor.episodes(since=MARCH).turns == ()


@requirement("E2", "D50")
def test_each_agent_gets_what_applies_to_it_or_nothing_and_why(house):
    for agent in ("baker", "smith"):
        know(house.bind(agent=agent), f"The {agent}'s oven runs at nine", target="private")
    found = {agent: house.bind(agent=agent).recall("When does the oven run?") for agent in ("baker", "smith", "idler")}

    assert texts(found["baker"]) == ["The baker's oven runs at nine"]
    assert texts(found["smith"]) == ["The smith's oven runs at nine"]
    assert (found["idler"].items, found["idler"].empty_reason) == ((), "no_candidates")


NAMES = st.text(st.sampled_from("aA\u0430%_*?[:.-e\u0301\u00e9\u200b\U0001f600'\""), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def shared(database) -> Any:
    """One store for many examples, each in a tenant of its own."""
    with database.passing() as where:
        place = House(where, embedder=None)
        yield place.open(), itertools.count()
        place.close()


@requirement("E108")
@settings(max_examples=60, deadline=None)
@given(names=st.lists(NAMES, min_size=3, max_size=3))
def test_no_spelling_of_an_id_reaches_another_ones_memory(shared: tuple[Memory, Any], names: list[str]):
    memory, number = shared
    tenant = f"t{next(number)}"
    try:
        bound = {name: memory.bind(name, "aria", tenant=tenant, voice="user", project=names[2]) for name in names[:2]}
    except InvalidInput:
        return
    kept = {}
    for user, mine in bound.items():
        kept[user] = know(mine, f"The vault word of number {names.index(user)} is heliotrope", subject=f"the {user}")
    people = {mine.caller.principal.user for mine in bound.values()}
    for mine in bound.values():
        user = mine.caller.principal.user
        result = mine.recall("Which vault word?", subjects=tuple(f"the {name}" for name in names), max_items=50)
        assert {mine.get(item).record.content.scope.key for item in ids(result)} == {f"user:{user}"}
        assert result.considered == len({kept[name] for name in names[:2] if bound[name].caller == mine.caller})
        for other in people - {user}:
            foreign = next(item for name, item in kept.items() if bound[name].caller.principal.user == other)
            assert answer(READS["get a record"], mine, Known(foreign, *["?"] * 3)) == answer(
                READS["get a record"], mine, ABSENT
            )
