"""Whoever has no right to something reads it on no route, changes it by no id, and tops nobody's answer with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from bethink.domain.record import NewRecord, Record
from bethink.errors import AccessDenied, BethinkError, IdempotencyMismatch, InvalidInput, NotFound
from bethink.memory import BoundMemory
from bethink.operations.remember import Mention
from tests.behaviour.house import MARCH, House, Shelf, counted, ids, know, stored, texts
from tests.behaviour.requirements import requirement
from tests.databases import rows_of

MARK = "heliotrope"
HIDDEN = f"The vault opens with the word {MARK}"
ASKED = "Which word opens the vault?"
SKILL = {"description": f"How to use {MARK}.", "instructions": f"Say {MARK} at the vault.", "tool_names": ("shell",)}
DOCUMENT = f"# Vault\n\nThe vault opens with the word {MARK} and with no other word. " * 3


@dataclass(frozen=True)
class Held:
    """The ids of what an owner keeps."""

    record: str
    turn: str
    session: str
    trace: str
    entity: str
    document: str
    relation: str
    root: str


def furnish(owner: BoundMemory, target: str = "personal") -> Held:
    """Something of everything that a store keeps, each with the mark in it."""
    session = owner.session("talk", target=target)
    (turn,) = session.turn(HIDDEN, message_id="m1").ids
    about = {"subject": MARK.title(), "attribute": "vault word", "mentions": (Mention("Vault"),)}
    record = know(session, HIDDEN, target=target, **about)
    know(session, f"{HIDDEN}, always", type="preference", target=target)
    session.snapshot(ASKED)
    owner.register_skill(MARK, **SKILL, target=target)
    owner.documents.add(text=DOCUMENT, name=f"{MARK}.md", target=target)
    for term in (MARK, "vault"):
        owner.associations.register(term, target=target)
    relation = owner.associations.relate("vault", predicate="opens by", object=MARK, target=target).relation.id
    root = owner.add_files(MARK, target=target).id
    trace = owner.recall(ASKED).trace_id
    entity = next(card.id for card in owner.entities().entities if card.name == MARK.title())
    return Held(record, turn, session.id, trace, entity, owner.documents.list().documents[0].id, relation, root)


Reads = dict[str, Callable[[BoundMemory], Any]]
READS: Reads = {
    "recall": lambda memory: memory.recall(ASKED, max_items=50, on_weak="fallback_scope"),
    "recall by subject": lambda memory: memory.recall(subjects=("Heliotrope",), include_superseded=True),
    "passive recall": lambda memory: memory.recall(subjects=("Heliotrope",), profile="passive", session="talk"),
    "what changed": lambda memory: memory.recall(after_position=0),
    "mention": lambda memory: memory.mention(f'@memory:"{ASKED}"'),
    "gaps": lambda memory: memory.fill_gaps("Which word do I open the vault with?", draft="I do not know."),
    "recall of episodes": lambda memory: memory.recall_episodes(since=MARCH, text=ASKED),
    "episodes": lambda memory: memory.episodes(since=MARCH),
    "episodes of the session": lambda memory: memory.episodes(session="talk"),
    "snapshot": lambda memory: memory.session("another", target="private").snapshot(ASKED),
    "the session's snapshot": lambda memory: memory.snapshot(ASKED, session="talk"),
    "written": lambda memory: memory.written("talk"),
    "reads": lambda memory: memory.reads(),
    "entities": lambda memory: memory.entities(),
    "profile": lambda memory: memory.profile("Heliotrope", refresh=True),
    "skills": lambda memory: memory.skills(),
    "documents": lambda memory: memory.documents.list(),
    "search of documents": lambda memory: memory.documents.search(ASKED),
    "associations": lambda memory: memory.associations.list(),
    "files": lambda memory: memory.file_roots(),
}
"""Every route on which a caller reads without naming an id."""


def told(read: Callable[[BoundMemory], Any], memory: BoundMemory) -> str:
    """All that a caller is given; the words of a refusal repeat what was asked."""
    try:
        return repr(read(memory)).casefold()
    except BethinkError as error:
        return error.code


def shown(reads: Reads, memory: BoundMemory, kept: Held) -> set[str]:
    """The routes on which a caller learns the mark, or of something that bears it."""
    marks = {MARK, kept.record, kept.turn, kept.trace, kept.entity, kept.document, kept.relation, kept.root}
    said = {name: told(read, memory) for name, read in reads.items()}
    return {name for name, text in said.items() if any(mark in text for mark in marks)}


def of_a_project(house: House) -> BoundMemory:
    house.open(files=Shelf()).grant("maya", "weaver", "project:loom", write=True)
    return house.bind(agent="weaver", project="loom")


Binding = Callable[[House], BoundMemory]
STRANGERS: dict[str, tuple[Binding, str, Binding]] = {
    "another user": (lambda house: house.bind("noor"), "personal", lambda house: house.bind()),
    "the usual user": (lambda house: house.bind("noor"), "personal", lambda house: house.opened[0].bind(voice="user")),
    "another agent": (lambda house: house.bind(agent="scribe"), "private", lambda house: house.bind()),
    "a project": (of_a_project, "project", lambda house: house.bind(project="loom")),
    "another account": (lambda house: house.bind(tenant="elsewhere"), "personal", lambda house: house.bind()),
    "no scope": (lambda house: house.bind(), "personal", lambda house: house.bind(read_scopes=())),
    "an unusable scope": (lambda house: house.bind(), "personal", lambda house: house.bind(read_scopes=("all",))),
}
"""Who owns what, where it is kept, and who asks without any right to it."""


@pytest.fixture(params=STRANGERS)
def parted(request, house) -> tuple[BoundMemory, BoundMemory, Held]:
    """An owner, a stranger, and what the owner keeps."""
    own, target, strange = STRANGERS[request.param]
    house.open(files=Shelf())
    owner = own(house)
    house.opened[0].put_node("vault", tenant=owner.caller.principal.tenant)
    return owner, strange(house), furnish(owner, target)


@requirement("P53", "P57", "P58", "P61", "P62")
def test_no_route_shows_a_stranger_what_it_shows_the_owner(parted):
    owner, stranger, kept = parted

    assert shown(READS, owner, kept) == set(READS)
    same = stranger.caller.principal == owner.caller.principal
    assert shown(READS, stranger, kept) == ({"reads"} if same else set())  # what one asked oneself stays one's own
    assert MARK not in told(READS["reads"], stranger)


Change = Callable[[BoundMemory, Held], Any]
CHANGES: dict[str, Change] = {
    "say what was used": lambda memory, kept: memory.used(kept.trace, (kept.record,)),
    "confirm": lambda memory, kept: memory.revise(kept.record, action="confirm"),
    "file": lambda memory, kept: memory.file(kept.record, under=("vault",)),
    "confirm an entity": lambda memory, kept: memory.confirm_entity(kept.entity),
    "merge entities": lambda memory, kept: memory.merge_entities(kept.entity, into="Vault"),
    "retract a relation": lambda memory, kept: memory.associations.retract(kept.relation),
    "remove a term": lambda memory, _: memory.associations.remove(MARK),
    "forget a document": lambda memory, kept: memory.documents.forget(kept.document),
    "remove files": lambda memory, kept: memory.remove_files(kept.root),
    "read a session": lambda memory, kept: memory.extract(kept.session),
    "derive a session anew": lambda memory, kept: memory.rederive(kept.session),
    "supersede": lambda memory, kept: memory.revise(kept.record, action="supersede", content="The vault is open"),
    "expire": lambda memory, kept: memory.revise(kept.record, action="expire"),
    "reject": lambda memory, kept: memory.reject(kept.record, reason="untrue"),
    "stop": lambda memory, kept: memory.forget(kept.record),
    "restore": lambda memory, kept: memory.forget(kept.record, mode="restore"),
    "erase": lambda memory, kept: memory.forget(kept.record, mode="erase", with_sources=True),
    "erase a turn": lambda memory, kept: memory.forget(kept.turn, mode="erase"),
}
"""Every way to change something by its id, the gentle ones first."""


def refused(change: Change, memory: BoundMemory, kept: Held) -> bool:
    """Whether a caller is told that there is no such thing."""
    try:
        change(memory, kept)
    except NotFound:
        return True
    except InvalidInput:
        return False
    return False


def state(memory: BoundMemory) -> tuple[list[tuple[Any, ...]], ...]:
    """What a store holds of events, versions, statuses and use."""
    store = memory._parts.store
    return tuple(
        sorted(rows_of(store, f"select * from {table}"), key=repr)
        for table in ("event", "version", "status_event", "usage", "entity", "document", "relation", "file_root")
    )


@requirement("P52")
@pytest.mark.parametrize("parted", [name for name in STRANGERS if not name.endswith("scope")], indirect=True)
def test_an_id_alone_changes_nothing_and_its_owner_changes_it_by_the_same_id(parted):
    owner, stranger, kept = parted
    before = state(owner), owner.recall(ASKED).rendered

    assert {name for name, change in CHANGES.items() if not refused(change, stranger, kept)} == set()
    assert (state(owner), owner.recall(ASKED).rendered) == before
    assert {name for name, change in CHANGES.items() if refused(change, owner, kept)} == set()


OWN = {"target": "private"}
WRITES: dict[str, Callable[[BoundMemory, Held], Any]] = {
    "a turn in a session of that name": lambda memory, kept: memory.session(kept.session, **OWN).turn(HIDDEN),
    "a turn with that message id": lambda memory, _: memory.session("talk", **OWN).turn("tulip", message_id="m1"),
    "a record that quotes it": lambda memory, kept: memory.remember(
        "The vault opens with the word tulip", evidence=HIDDEN, session=kept.session, **OWN
    ),
    "a record of the same fact": lambda memory, _: memory.remember(
        "The vault opens with the word tulip", subject="Heliotrope", attribute="vault word", **OWN
    ),
    "a record that names it": lambda memory, kept: memory.remember(
        f"{ASKED} The vault opens with {kept.record}", source_ref=kept.turn, tags=(kept.record,), **OWN
    ),
    "an entity of that name": lambda memory, _: memory.remember("tulip", mentions=(Mention("Heliotrope"),), **OWN),
    "a skill": lambda memory, _: memory.register_skill(MARK, **SKILL, **OWN),
    "a document": lambda memory, _: memory.documents.add(text=DOCUMENT, name=f"{MARK}.md", **OWN),
    "a term": lambda memory, _: memory.associations.register(MARK, **OWN),
    "use of its own answer": lambda memory, kept: memory.used(memory.recall(ASKED).trace_id, (kept.record,)),
}
"""What a stranger may write into a scope of its own, under the names of another's things."""


@requirement("P63")
@pytest.mark.parametrize("parted", ["another user", "the usual user", "another account"], indirect=True)
def test_what_strangers_write_under_ones_names_moves_no_byte_of_ones_answers(parted):
    owner, stranger, kept = parted

    def answers() -> list[Any]:
        found = [owner.recall(text) for text in (ASKED, "Heliotrope", f"Which vault word, {kept.record}?")]
        return [(one.rendered, one.considered, [item.score for item in one.items]) for one in found] + [
            owner.episodes(session="talk").turns,
            owner.documents.search(ASKED).rendered,
            owner.associations.list(),
            owner.skills(),
            owner.get(kept.record).record,
        ]

    before = answers()
    for name, write in WRITES.items():
        write(stranger, kept)
        assert answers() == before, name


@requirement("P54")
def test_a_scope_without_a_grant_is_refused_to_writers_and_empty_to_readers_and_no_other_stands_in(house):
    served = house.open(owner=False, files=Shelf())
    served.grant("maya", "aria", "user:maya", write=True)
    maya = served.bind("maya", "aria", project="loom", voice="user")
    for target in ("personal", "private"):
        know(maya, f"{HIDDEN}, {target}", target=target)
    tables = ("record", "turn", "document", "term", "skill", "file_root", "session")
    written = [counted(maya, table) for table in tables]
    named = {"target": "project"}
    for write in (
        lambda: maya.remember(HIDDEN, **named),
        lambda: maya.session("talk", **named),
        lambda: maya.documents.add(text=DOCUMENT, name="vault.md", **named),
        lambda: maya.associations.register(MARK, **named),
        lambda: maya.register_skill(MARK, **SKILL, **named),
        lambda: maya.add_files(MARK, **named),
    ):
        with pytest.raises(AccessDenied):
            write()
    asked = maya.recall(ASKED, target="project", on_weak="fallback_scope", max_items=50)

    assert (asked.items, asked.considered, asked.empty_reason) == ((), 0, "no_scope")
    assert served.revoke("maya", "aria", "user:maya")
    assert maya.recall(ASKED, target="personal", on_weak="fallback_scope").empty_reason == "no_scope"
    assert texts(maya.recall(ASKED)) == [f"{HIDDEN}, private"]
    with pytest.raises(AccessDenied):
        maya.remember(HIDDEN)
    assert [counted(maya, table) for table in tables] == written


def torn(memory: BoundMemory, like: Record) -> None:
    """A write that breaks off after its record went in."""
    with stored(memory) as work:
        work.records.add(NewRecord("torn", like.content, like.status, like.usage, work.recorded_at), work.recorded_at)
        raise ZeroDivisionError


@requirement("P56")
@pytest.mark.parametrize("user", [None, "maya"])
def test_a_write_that_fails_leaves_its_user_with_nobody_else_s_memory(house, user):
    noor = house.bind("noor")
    noor.session("talk").turn(HIDDEN)
    theirs = know(noor, HIDDEN, idempotency_key="k")
    mine = house.opened[0].bind(user, "aria", voice="user")
    mine.remember("Tea at four", idempotency_key="k")
    kept = mine.get(ids(mine.recall("When is tea?"))[0]).record
    for wrong, fields in (
        (IdempotencyMismatch, {"idempotency_key": "k"}),
        (InvalidInput, {"type": "rumour"}),
        (InvalidInput, {"target": "user:noor"}),
        (AccessDenied, {"target": "project"}),
    ):
        with pytest.raises(wrong) as failed:
            house.opened[0].bind(user, "aria", project="loom", voice="user").remember(HIDDEN, **fields)
        assert theirs not in str(failed.value)
    with pytest.raises(ZeroDivisionError):
        torn(mine, kept)
    found = mine.recall(max_items=50, after_position=0)

    assert ids(found) == [kept.id]
    assert [name for name, read in READS.items() if MARK in told(read, mine)] == []


SEPARATORS = "&=:|,%<#' "


@requirement("P51")
@pytest.mark.parametrize("separator", SEPARATORS)
def test_no_separator_or_markup_in_an_id_makes_two_callers_one(house, separator):
    served = house.open(embedder=None)
    parts = [("a", "b", "c"), ("c", "b", "a"), ("user:a", "b", "user"), ("<b>a", "&amp;", "%26")]
    callers = {(separator.join(names[:at]), separator.join(names[at:])) for names in parts for at in (1, 2)} | {
        (f"a{separator}b", "c"),
        ("a", f"b{separator}c"),
        (f"b{separator}a", "c"),
        ("b", f"a{separator}c"),
    }
    bound = {who: served.bind(*who, voice="user") for who in sorted(callers)}
    people = sorted({user for user, _ in callers})
    kept = {}
    for number, (who, memory) in enumerate(bound.items()):
        session = memory.session(f"talk{separator}one", target="private")
        session.turn(f"The vault word is word{number}", message_id="m1")
        kept[who] = know(memory, f"The vault word is word{number}, surely", target="private", idempotency_key="k")
        know(memory, f"The vault word of person{people.index(who[0])} is known")

    assert len(set(kept.values())) == len(callers)
    for number, (who, memory) in enumerate(bound.items()):
        assert [turn.text for turn in memory.episodes(session=f"talk{separator}one").turns] == [
            f"The vault word is word{number}"
        ]
        said = {text.rpartition(": ")[2] for text in texts(memory.recall("Which vault word?", max_items=50))}
        own = {f"The vault word is word{number}, surely", f"The vault word of person{people.index(who[0])} is known"}
        assert own <= said <= {*own, f"The vault word is word{number}"}
