"""A session goes whole: what was said, what was made of it, what its prompts kept, and what explains its answers."""

from __future__ import annotations

import pytest

from bethink.domain.trace import OPERATOR_DAYS
from bethink.errors import InvalidInput, NotFound, StoreBusy
from bethink.memory import BoundMemory
from bethink.operations.extraction import Suggestion
from bethink.store.traces import StoredTraces
from bethink.upkeep import erase_session as erasing
from tests.behaviour.house import House, know, live
from tests.behaviour.requirements import requirement
from tests.behaviour.scripted import LIVES, Script, played, read, talk
from tests.databases import everything_held, rows_of

MARK = "Zanzibar"
TABLES = ("session", "extraction", "session_snapshot", "snapshot_line", "turn")


def lived(house: House, session: str = "talk", user: str = "maya") -> tuple[BoundMemory, list[str]]:
    """A session that left something everywhere: a user and the ids of the traces of three recalls in it."""
    memory = house.bind(user)
    lasting = know(memory, "Maya tends the blue kiln", type="preference")
    with memory.session(session) as talk:
        talk.turn(f"I live in {MARK} now, by the blue kiln.")
        talk.turn("Noted: the blue kiln.", role="assistant")
        taken = talk.snapshot()
        house.clock.advance(minutes=1)
        asked = [talk.recall("Who tends the blue kiln?").trace_id, talk.recall("Where is my home?").trace_id]
    memory.extract(session)
    assert lasting
    return memory, [taken.trace_id, *asked]


def rows(house: House, table: str, session: str = "talk", user: str = "maya") -> int:
    """Rows of a table that are a session's."""
    column = "id" if table == "session" else "session_id"
    statement = f"select count(*) from {table} where {column} = ? and scope = ?"
    return rows_of(house.opened[0]._parts.store, statement, (session, f"user:{user}"))[0][0]


def held(house: House) -> list[str]:
    """The files or tables that hold the mark."""
    return sorted(
        place for place, data in everything_held(house.opened[0]._parts.store) if MARK.lower().encode() in data.lower()
    )


@requirement("A162")
def test_what_a_user_sees_of_a_trace_stays_while_its_session_does_and_the_operator_s_part_goes_on_its_day(house):
    memory, asked = lived(house)
    before = [memory.view(one) for one in asked]
    house.clock.advance(days=OPERATOR_DAYS - 1)
    house.opened[0].run_jobs()
    assert all(memory.trace(one).trace.stages_ms for one in asked)
    house.clock.advance(days=2)
    house.opened[0].run_jobs()
    stored = [memory.trace(one).trace for one in asked]

    assert all((one.arms, one.pool, one.cuts, one.stages_ms) == ((), (), (), {}) for one in stored)
    house.clock.advance(days=3_650)
    house.opened[0].run_jobs()
    assert [memory.view(one) for one in asked] == before
    assert any(view.beliefs for view in before)


@requirement("A162")
def test_an_erased_session_leaves_no_word_no_snapshot_and_no_explanation_and_every_other_stays(house):
    memory, asked = lived(house)
    other, kept = lived(house, "other")
    noor, theirs = lived(house, user="noor")
    outside = memory.recall("Who tends the blue kiln?").trace_id
    told = house.opened[0].erase_session("maya", session="talk", dry_run=True)
    assert (told.dry_run, told.removed["entries"] >= 3, memory.view(asked[0]).session) == (True, True, "talk")
    receipt = house.opened[0].erase_session("maya", session="talk")

    assert (receipt.operation, receipt.complete, receipt.ids) == ("erase_session", True, ("talk",))
    assert receipt.removed["traces"] >= len(asked)
    assert [rows(house, table) for table in TABLES] == [0] * len(TABLES)
    for one in asked:
        for call in (memory.trace, memory.view):
            with pytest.raises(NotFound):
                call(one)
    assert memory.view(session="talk").moments == ()
    assert rows_of(memory._parts.store, "select count(*) from trace_ref", traces=True) == rows_of(
        memory._parts.store, "select count(*) from trace where erased = 0", traces=True
    )
    assert all(rows(house, table, "other") for table in TABLES)
    assert all(rows(house, table, user="noor") for table in TABLES)
    assert len(other.view(session="other").moments) == len(kept)
    assert len(noor.view(session="talk").moments) == len(theirs)
    assert memory.view(outside).moments
    assert house.opened[0].check().findings == ()
    for user, session in (("maya", "other"), ("noor", "talk")):
        assert held(house)
        house.opened[0].erase_session(user, session=session)
    assert held(house) == []


def test_what_rests_on_a_turn_goes_and_what_was_remembered_beside_it_stays(house):
    maya = house.bind()
    with maya.session("talk") as talk:
        talk.turn("I fire the blue kiln at night.")
        typed = talk.remember("Bo tends the red kiln").id
    agent = house.bind(voice="agent", session="talk")
    quoted = agent.remember("Maya fires the blue kiln at night", evidence="I fire the blue kiln at night.").id
    noted = agent.remember("Maya seems fond of kilns").id
    house.opened[0].erase_session("maya", session="talk")

    assert {typed, noted} <= set(live(maya))
    for gone in (quoted, "I fire"):
        with pytest.raises(NotFound):
            maya.get(gone)
    assert maya.recall("Who fires a kiln at night?").items == ()
    assert maya.written("talk").records


def test_what_goes_with_a_session_is_not_read_out_of_another_one_again(house):
    """As with any erase of a turn: what rested on it does not come back out of a turn that says it too."""
    told = [Suggestion("Maya lives in Porto", "I live in Porto", subject="Maya", attribute="home")]
    played(house, Script(told))
    formed = set()
    for session in ("talk", "other"):
        talk(house, LIVES, session=session)
        formed |= {belief.id for belief in read(house, session).beliefs}
    maya = house.bind()
    receipt = house.opened[0].erase_session("maya", session="talk")
    told[:] = [Suggestion("Maya has her home in Porto", "I live in Porto", subject="Maya", attribute="home")]
    again = maya.rederive("other")

    assert (len(formed), receipt.complete) == (1, True)
    with pytest.raises(NotFound):
        maya.get(*formed)
    assert (again.beliefs, again.dropped) == ((), {"erased": 1})
    assert len(maya.episodes(session="other").turns) == 1


def test_an_erase_that_could_not_reach_the_traces_keeps_the_session_and_is_finished_by_a_repeat(house, monkeypatch):
    monkeypatch.setattr(erasing, "PAGE", 1)
    memory, asked = lived(house)
    real = StoredTraces.forget_user

    def busy(*_, **__):
        raise StoreBusy("held up")

    monkeypatch.setattr(StoredTraces, "forget_user", busy)
    first = house.opened[0].erase_session("maya", session="talk")
    assert (first.complete, rows(house, "session"), rows(house, "turn")) == (False, 1, 0)
    assert any("store_busy" in one for one in first.remains)
    monkeypatch.setattr(StoredTraces, "forget_user", real)
    again = house.opened[0].erase_session("maya", session="talk")

    assert (again.complete, rows(house, "session")) == (True, 0)
    for one in asked:
        with pytest.raises(NotFound):
            memory.view(one)


def test_a_session_nobody_has_is_none_and_another_user_s_is_none_of_the_user_s(house):
    lived(house, user="noor")
    for user, session in (("maya", "talk"), ("noor", "absent"), ("nobody", "talk")):
        with pytest.raises(NotFound):
            house.opened[0].erase_session(user, session=session)
    for bad in ({"session": "a/b"}, {"session": "talk", "timeout_ms": 0}, {"session": "talk", "dry_run": "yes"}):
        with pytest.raises(InvalidInput):
            house.opened[0].erase_session("noor", **bad)
    assert rows(house, "turn", user="noor") == 2
