"""All that is one user's can be handed out whole and taken in again, and erased whole with a receipt."""

from __future__ import annotations

import hashlib
import json

import pytest

from bethink.domain.entity import Entity
from bethink.domain.scope import Sensitivity
from bethink.domain.session import Session, Turn
from bethink.domain.source import SourceKind
from bethink.domain.types import Portability
from bethink.errors import InvalidInput, ModelError
from bethink.importing.detect import READERS, detect
from bethink.importing.read import read_items
from bethink.importing.transcript import Skipped
from bethink.interfaces.exporting import lines
from bethink.operations.importing import ImportRequest
from bethink.operations.receipts import receipt_digest
from bethink.operations.users import ExportedDocument, ExportedRecord, ExportEnd, ExportManifest
from bethink.upkeep import erase_user as erasing
from bethink.upkeep import export as exporting
from tests.behaviour.house import AGENT, House, counted, know
from tests.behaviour.requirements import requirement
from tests.behaviour.scripted import Script, played, talk
from tests.databases import everything_held, rows_of

MARK = "Zanzibar"


def lived(house: House, user: str = "maya") -> dict[str, str]:
    """A user with something in every place, every word of it marked with the user's name."""
    memory = house.bind(user)
    house.opened[0].grant(user, AGENT, "project:kiln", write=True)
    mark = f"{MARK}{user}"
    with memory.session("talk") as talk:
        turn = talk.turn(f"I live in {mark} now. I like {mark} tea.").ids[0]
        talk.turn(f"Noted: {mark}.", role="assistant")
    said = memory.extract("talk").beliefs[0].id
    old = know(memory, f"The key is in {mark}", subject=f"key of {mark}", attribute="place")
    house.clock.advance(hours=1)
    new = know(memory, f"The key is on {mark}", subject=f"key of {mark}", attribute="place")
    private = know(memory, f"Seems fond of {mark}", target="private")
    narrow = know(house.bind(user, project="loom"), f"Port {mark}", portability=Portability.LOCAL)
    secret = know(memory, f"Code {mark}", sensitivity=Sensitivity.SECRET)
    hidden = know(memory, f"Hidden {mark}")
    memory.forget(hidden)
    wrong = know(memory, f"Wrong {mark}")
    memory.reject(wrong, reason="untrue")
    memory.confirm_entity(f"key of {mark}")
    memory.register_skill(f"skill-{user}", description=mark, instructions=mark)
    memory.remember(f"Keyed {mark}", source=SourceKind.SYSTEM, idempotency_key="k1")
    shared = know(house.bind(user, project="kiln"), "The kiln is hot", target="project")
    memory.associations.register(f"kiln of {mark}", aliases=(f"oven of {mark}",))
    memory.associations.register(f"cone of {mark}")
    memory.associations.relate(f"kiln of {mark}", predicate="melts", object=f"cone of {mark}")
    memory.documents.add(text=f"# {mark}\nFire the kiln of {mark} slowly.", name=f"{mark}.md")
    memory.documents.search(f"How is the kiln of {mark} fired?")
    memory.remember(f"Lives in {mark}", type="user_attribute", source=SourceKind.SYSTEM)
    memory.snapshot(session="talk")
    memory.recall(f"Where is {mark}?")
    return {
        "turn": turn,
        "said": said,
        "old": old,
        "new": new,
        "private": private,
        "narrow": narrow,
        "secret": secret,
        "hidden": hidden,
        "wrong": wrong,
        "shared": shared,
    }


def held(house: House, mark: str) -> list[str]:
    """The files or tables that hold a mark."""
    found = everything_held(house.opened[0]._parts.store)
    return sorted(place for place, data in found if mark.casefold().encode() in data.lower())


@pytest.fixture
def small(monkeypatch):
    """Pages of three."""
    monkeypatch.setattr(erasing, "PAGE", 3)
    monkeypatch.setattr(exporting, "PAGE", 3)


@pytest.mark.usefixtures("small")
def test_an_export_holds_all_that_is_a_user_s_and_nothing_else(house):
    mine, _ = lived(house), lived(house, "noor")
    items = list(house.opened[0].export("maya"))

    assert isinstance(items[0], ExportManifest)
    assert (items[0].user, items[0].scopes) == ("maya", ("agent:aria/maya", "user:maya"))
    assert isinstance(items[-1], ExportEnd)
    records = {item.record.id: item for item in items if isinstance(item, ExportedRecord)}
    turns = [item for item in items if isinstance(item, Turn)]
    assert {mine[name] for name in ("said", "old", "new", "private", "narrow", "secret", "wrong")} <= set(records)
    assert not {mine["hidden"], mine["shared"]} & set(records)
    assert mine["turn"] in {turn.id for turn in turns}
    assert len(turns) == len({turn.id for turn in turns})
    names = {item.name for item in items if isinstance(item, Entity)}
    assert {f"key of {MARK}maya", "maya"} <= names
    assert {item.id for item in items if isinstance(item, Session)} >= {"talk"}
    assert dict(items[-1].counts) == {
        "sessions": sum(isinstance(item, Session) for item in items),
        "entities": sum(isinstance(item, Entity) for item in items),
        "turns": len(turns),
        "records": len(records),
        "terms": 2,
        "relations": 1,
        "documents": 1,
    }
    (document,) = [item for item in items if isinstance(item, ExportedDocument)]
    assert "".join(document.passages).count(f"{MARK}maya") == 2
    assert f"{MARK}noor" not in repr(items)
    assert records[mine["old"]].record.superseded_by == mine["new"]
    assert records[mine["old"]].record.history[0].status == "active"


def test_earlier_versions_go_along(house, maya):
    item = know(maya, "The kiln is hot")
    house.clock.advance(hours=1)
    maya.reject(item)
    (found,) = [one for one in house.opened[0].export("maya") if isinstance(one, ExportedRecord)]

    assert (found.record.version, [one.version for one in found.versions]) == (2, [1])
    assert ("review" in found.record.content.flags, "review" in found.versions[0].content.flags) == (True, False)


@requirement("P33")
def test_an_export_is_lines_that_prove_themselves_and_its_turns_come_in_again_once(house, tmp_path, new_place):
    lived(house)
    written = list(lines(house.opened[0].export("maya")))
    path = tmp_path / "maya.jsonl"
    path.write_text("".join(written), "utf-8")
    told = [json.loads(line) for line in written]
    turns = [item for item in house.opened[0].export("maya") if isinstance(item, Turn)]

    assert (told[0]["line"], told[0]["format"], told[0]["version"]) == ("manifest", "bethink-export", 1)
    assert told[-1]["line"] == "end"
    assert told[-1]["sha256"] == hashlib.sha256("".join(written[:-1]).encode()).hexdigest()
    other = House(new_place())
    try:
        first, again = (other.bind().import_transcript(ImportRequest(path)) for _ in range(2))
        assert (first.format, first.turns, first.bad_count) == ("bethink", len(turns), 0)
        assert (again.turns, again.repeated) == (0, len(turns))
        taken = [item for item in other.opened[0].export("maya") if isinstance(item, Turn)]

        def plain(found):
            return sorted((one.session, one.role, one.speaker, one.text, one.said_at, one.message_id) for one in found)

        assert plain(taken) == plain(turns)
    finally:
        other.close()


def test_what_a_user_typed_is_not_lost_on_the_way_into_another_store(house, tmp_path, new_place):
    typing = house.bind(voice="user")
    typing.remember("The spare key is under the pot")
    path = tmp_path / "maya.jsonl"
    path.write_text("".join(lines(house.opened[0].export("maya"))), "utf-8")
    other = House(new_place())
    try:
        taken = other.bind().import_transcript(ImportRequest(path))
        (found,) = other.bind().recall("Where is the spare key?").items

        assert (taken.turns, taken.bad, found.text) == (1, (), "The spare key is under the pot")
        assert (found.source, found.session.startswith("was-typed-")) == (SourceKind.IMPORT, True)
    finally:
        other.close()


def test_what_is_no_turn_of_an_export_is_said_to_be_none(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(
        '{"line":"manifest","format":"bethink-export"}\n{"line":"turn","role":"king","session":"s","text":"x"}\n'
        '{"line":"turn","role":"system","session":"s","text":"x"}\n[]\n',
        "utf-8",
    )
    name, items = detect(read_items(path), "x")
    found = list(READERS[name](items))

    assert name == "bethink"
    assert [type(item).__name__ for item in found] == ["Skipped", "BadItem", "Skipped", "BadItem"]
    assert isinstance(found[2], Skipped)


@requirement("P46", "P42", "A162")
@pytest.mark.usefixtures("small")
def test_erasing_a_user_leaves_nothing_of_it_in_any_table_or_file(house, database):
    mine, theirs = lived(house), lived(house, "noor")
    house.opened[0].grant("noor", AGENT, "user:maya")
    seen = house.bind("noor").documents.search("How is a kiln fired slowly?")
    assert f"{MARK}maya" in seen.rendered
    copied = house.bind("noor").recall(f"Is there {MARK}maya anywhere?")
    kept = {name: counted(house.bind("noor"), name) for name in ("scope_grant",)}
    before = held(house, f"{MARK}maya")
    told = house.opened[0].erase_user("maya", dry_run=True)
    unchanged = held(house, f"{MARK}maya") == before
    receipt = house.opened[0].erase_user("maya")
    after = held(house, f"{MARK}maya")

    assert before
    assert unchanged
    assert (told.dry_run, told.number, told.removed["entries"] > 5) == (True, 0, True)
    assert (after, receipt.complete, receipt.operation) == ([], True, "erase_user")
    assert receipt_digest(receipt) == receipt.digest
    assert not [
        line for line in lines(house.opened[0].export("maya")) if '"line":"record"' in line or '"line":"turn"' in line
    ]
    pages = [one for one in house.opened[0].receipts().receipts if one.operation == "erase"]
    erased = {item for one in pages for item in one.ids}
    assert {item for name, item in mine.items() if name != "shared"} <= erased
    assert not erased & set(theirs.values())
    assert house.opened[0].check().findings == ()
    store = house.opened[0]._parts.store
    assert rows_of(store, "select count(*) from trace where user_id = 'maya'", traces=True) == [(0,)]
    assert rows_of(store, "select count(*) from trace where user_id = 'noor'", traces=True)[0][0] > 0
    for table in ("session", "scope_grant", "hint"):
        assert rows_of(store, f"select * from {table} where user_id = 'maya'") == [], table
    scoped = (
        "status_event entity entity_alias skill rejection session extraction entry posting name_entry vector"
        " term term_name relation document session_snapshot snapshot_line"
    )
    for table in scoped.split():
        where = "scope in ('user:maya', 'agent:aria/maya')"
        assert rows_of(store, f"select count(*) from {table} where {where}")[0][0] == 0, table
    left = rows_of(store, "select count(*) from passage union all select count(*) from document")
    assert len(left) == 2
    assert {count for (count,) in left} == {1}
    noor = house.bind("noor")
    assert noor.get(theirs["new"]).record is not None
    assert noor.trace(copied.trace_id).verification == "erased"
    assert house.bind("noor", project="kiln").get(theirs["shared"]).record is not None
    assert kept["scope_grant"] > 0


@pytest.mark.usefixtures("small")
def test_an_erasure_that_was_interrupted_is_finished_by_the_same_call(house, monkeypatch):
    lived(house)
    store = house.opened[0]._parts.store
    real, calls = type(store).erase, []

    def dying(self, *args, **fields):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(self, *args, **fields)

    monkeypatch.setattr(type(store), "erase", dying)
    with pytest.raises(KeyboardInterrupt):
        house.opened[0].erase_user("maya")
    receipt = house.opened[0].erase_user("maya")

    assert (receipt.complete, held(house, f"{MARK}maya")) == (True, [])
    assert house.opened[0].check().findings == ()


def test_work_that_waits_for_a_user_or_was_given_up_goes_with_the_user(house):
    memory = played(house, Script(failing=ModelError("no model")))
    for user in ("maya", "noor"):
        for session in ("talk", f"about {user}"):
            talk(house, "I live in Porto now.", session=session, user=user)
    for _ in range(12):
        house.clock.advance(days=1)
        memory.run_jobs()
    talk(house, "I live in Lisbon now.", session="later", user="maya")
    dead = len(memory.jobs("dead").jobs)
    receipt = memory.erase_user("maya")
    left = [job.payload["scope"] for job in memory.jobs().jobs if job.kind == "extract"]

    assert dead == 4
    assert left == ["user:noor", "user:noor"]
    assert receipt.removed["jobs"] == 3


def test_a_user_nobody_knows_is_erased_at_once_and_an_unusable_one_is_refused(house, maya):
    assert house.opened[0].erase_user("nobody").complete
    assert [type(item) for item in house.opened[0].export("nobody")] == [ExportManifest, ExportEnd]
    with pytest.raises(InvalidInput):
        house.opened[0].erase_user("a/b")
    with pytest.raises(InvalidInput):
        list(house.opened[0].export(""))


def test_a_user_whose_name_ends_another_s_is_left_alone(house):
    for user in ("may", "maya", "a_maya", "%"):
        know(house.bind(user), f"{user} likes tea", target="private")
        house.bind(user).remember("tea", source=SourceKind.SYSTEM, idempotency_key="k")
    house.opened[0].erase_user("maya")
    house.opened[0].erase_user("%")

    left = {
        user: sum(isinstance(item, ExportedRecord) for item in house.opened[0].export(user))
        for user in ("may", "a_maya")
    }
    assert left == {"may": 2, "a_maya": 2}
    assert counted(house.bind("may"), "idempotency") == 2
