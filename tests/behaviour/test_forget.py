"""Forgetting reaches every place that held the words, takes nothing else along, and its receipt tells the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from bethink.domain.types import Kind
from bethink.errors import BethinkError, InvalidInput, NotFound
from bethink.memory import BoundMemory
from bethink.operations.importing import ImportRequest
from bethink.operations.remember import Mention
from bethink.ports.traces import Lost
from bethink.store.traces import StoredTraces
from tests.behaviour.house import MARCH, Fragile, House, counted, ids, texts
from tests.behaviour.requirements import requirement
from tests.databases import everything_held, rows_of, traces_held

MARK = "Zanzibar-7319"
SAID = f"I keep the spare key in {MARK} behind the stove."
CLAIM = f"Maya keeps the spare key in {MARK} behind the stove"
ASKED = "Where is the spare key?"
WRITTEN = {
    "sqlite": {"memory.db-wal", "memory.db.traces-wal"},
    "postgres": {"bethink.turn", "bethink.version", "bethink.posting", "bethink_traces.trace"},
}
"""Where the words stand, among other places, before they are erased."""


@dataclass(frozen=True)
class Marked:
    """A record with a mark in every field of it, the turn it quotes, and a recall that showed both."""

    id: str
    turn: str
    trace: str


def marked(house: House) -> Marked:
    """Write it, as an agent that quotes its user."""
    with house.bind().session("talk") as session:
        turn, _ = session.turn(SAID).ids[0], session.turn("It rained all day.")
    agent = house.bind(voice="agent", session="talk")
    told = agent.remember(
        CLAIM,
        evidence=SAID,
        subject=f"key of {MARK}",
        attribute="place",
        mentions=(Mention(MARK, "other"),),
        tags=(MARK,),
        metadata={"where": MARK},
        idempotency_key="k1",
    )
    assert told.evidence_located
    return Marked(told.id, turn, agent.recall(f"{ASKED} {MARK}").trace_id)


def held(house: House, mark: str = MARK) -> list[str]:
    """The files or tables of the store that hold the mark, in any case of letters."""
    found = everything_held(house.opened[0]._parts.store)
    return sorted(place for place, held in found if mark.casefold().encode() in held.lower())


def gone(memory: BoundMemory, known: Marked) -> list[str]:
    """The reads that still show something of a forgotten record: none."""
    shown = []
    reads = {
        "recall": lambda: [item for item in memory.recall(ASKED, include_superseded=True).items if item.id == known.id],
        "recall of the past": lambda: [
            i for i in memory.recall(ASKED, as_of=memory._parts.clock.now()).items if i.id == known.id
        ],
        "get": lambda: memory.get(known.id),
        "history": lambda: memory.get(known.id, history=True),
        "forget again": lambda: memory.forget(known.id, mode="erase", dry_run=True),
        "why of its recall": lambda: memory.why(known.trace, known.id),
        "why of a new recall": lambda: memory.why(memory.recall(ASKED).trace_id, known.id),
        "trace": lambda: memory.trace(known.trace).trace.rendered,
    }
    for name, read in reads.items():
        try:
            told = read()
        except BethinkError as error:
            told = MARK in str(error)
        shown += [name] if told else []
    return shown


@requirement("P46", "P44", "P39", "P42")
def test_an_erase_with_its_sources_leaves_the_words_in_no_file_and_no_answer(house, database):
    known, maya = marked(house), house.bind()
    before = held(house)
    receipt = maya.forget(known.id, mode="erase", with_sources=True)
    trace = maya.trace(known.trace)

    assert WRITTEN[database.name] <= set(before)
    assert (receipt.complete, set(receipt.ids)) == (True, {known.id, known.turn})
    assert receipt.remains == house.opened[0]._parts.store.database.beyond
    assert (held(house), gone(maya, known)) == ([], [])
    assert (trace.verification, trace.trace.erased, trace.trace.rendered, trace.trace.query) == ("erased", True, "", {})
    assert [turn.text for turn in maya.episodes(session="talk").turns] == ["It rained all day."]
    assert MARK not in repr(receipt)
    assert maya.remember(CLAIM, evidence=SAID, session="talk", idempotency_key="k1").outcome == "created"


@requirement("P46")
def test_without_its_sources_the_receipt_names_the_turns_that_keep_the_words(house):
    known, maya = marked(house), house.bind()
    receipt = maya.forget(known.id, mode="erase")

    assert (receipt.complete, receipt.sources, receipt.ids) == (True, (known.turn,), (known.id,))
    assert maya.get(known.turn).turn.text == SAID
    assert known.turn in ids(maya.recall(ASKED))


@requirement("P46", "P42")
def test_a_question_that_never_met_the_record_keeps_none_of_its_words(house, database):
    known, maya = marked(house), house.bind()
    noor = house.bind("noor", "nova")
    noor.remember("Noor fires her kiln at noon.")
    before = {
        "own": maya.recall("How is the weather?", objective=f"Travel to {MARK}", kinds=(Kind.PROCEDURAL,)),
        "other user": noor.recall(f"Is there a kiln in {MARK.lower()}?"),
        "only words that stay": noor.recall("Is there a stove beside the kiln?"),
    }
    named = [known.id in [row["id"] for row in maya.trace(before["own"].trace_id).trace.pool]]
    held_before = held(house)
    house.bind().remember("Noor's kiln has a stove.")
    receipt = maya.forget(known.id, mode="erase", with_sources=True)
    after = noor.recall(f"Where is {MARK}?")

    assert named == [False]
    assert WRITTEN[database.name] <= set(held_before)
    assert (receipt.complete, receipt.removed["traces"]) == (True, 3)
    assert maya.trace(before["own"].trace_id).verification == "erased"
    assert noor.trace(before["other user"].trace_id).verification == "erased"
    kept = noor.trace(before["only words that stay"].trace_id)
    assert (kept.verification, kept.trace.query["text"]) == ("verified", "Is there a stove beside the kiln?")
    assert noor.trace(after.trace_id).trace.query["text"] == f"Where is {MARK}?"
    assert [name for name in held(house) if "trace" not in name] == []


class Killed(StoredTraces):
    """Traces of a process that ends before it can clear them for the second time."""

    looks = 0

    def erase(self, tenant: str, ids: Sequence[str], *, lost: Lost | None = None, deadline: float) -> int:
        self.looks += 1
        if self.looks == 2:
            raise KeyboardInterrupt
        return super().erase(tenant, ids, lost=lost, deadline=deadline)


@requirement("P38", "P42")
def test_an_erase_that_dies_after_the_truth_has_cleared_the_questions_before(house):
    known, maya = marked(house), house.bind()
    asked = maya.recall(f"What is {MARK}?", kinds=(Kind.PROCEDURAL,))
    traces = Killed(maya._parts.traces._place, house.clock)
    with pytest.raises(KeyboardInterrupt):
        BoundMemory(replace(maya._parts, traces=traces), maya.caller).forget(known.id, mode="erase", with_sources=True)

    with pytest.raises(NotFound):
        maya.get(known.id)
    assert (traces.looks, maya.trace(asked.trace_id).verification) == (2, "erased")


@requirement("P46")
def test_words_that_something_else_still_says_stay_in_their_questions(house):
    known, maya = marked(house), house.bind()
    elsewhere = house.bind("noor").remember(f"{MARK} is an island.")
    asked = maya.recall(f"What is {MARK}?", kinds=(Kind.PROCEDURAL,))
    maya.forget(known.id, mode="erase", with_sources=True)
    while_it_stands = maya.trace(asked.trace_id).verification
    house.bind("noor").forget(elsewhere.id, mode="erase")

    assert (while_it_stands, maya.trace(asked.trace_id).verification) == ("verified", "erased")
    assert held(house) == []


@requirement("P39")
def test_what_still_waits_for_a_vector_or_a_free_trace_file_is_emptied_too(new_place):
    model = Fragile()
    house = House(new_place(), embedder=model)
    maya = house.bind()
    model.down = True
    turns = [maya.session("talk").turn(SAID).ids[0]]
    kept = maya.remember(CLAIM, idempotency_key="k1")
    with traces_held(house.opened[0]._parts.store):
        deferred = maya.recall(ASKED)
    waiting = house.opened[0].check().traces_waiting, house.opened[0].pending
    for item in (kept.id, *turns):
        receipt = maya.forget(item, mode="erase")
    house.opened[0].close()

    assert (kept.embedding_pending, deferred.trace, waiting) == (True, "deferred", (1, 3))
    assert (receipt.complete, held(house)) == (True, [])
    with House(house.place, embedder=model).open() as again:
        assert (again.pending, again.bind("maya", "aria").trace(deferred.trace_id).verification) == (0, "erased")


@requirement("P41", "P31")
@pytest.mark.parametrize("mode", ["stop", "erase"])
def test_no_open_store_serves_what_was_just_forgotten(house, mode):
    known = marked(house)
    mine, other = house.bind(), house.open().bind("maya", "aria", voice="user")
    before = [known.id in ids(memory.recall(ASKED)) for memory in (mine, other)]
    mine.forget(known.id, mode=mode)

    assert before == [True, True]
    for memory in (other, mine):
        result = memory.recall(f"{ASKED} {MARK}")
        assert known.id not in ids(result)
        assert known.id not in [row["id"] for row in memory.trace(result.trace_id).trace.pool]
        with pytest.raises(NotFound):
            memory.get(known.id)


@requirement("P44", "P43")
def test_a_stopped_record_is_gone_from_every_read_until_it_is_restored(house):
    known, maya = marked(house), house.bind()
    short = maya.get(known.id).record.id
    maya.forget(known.id)
    hidden = gone(maya, known)
    maya.forget(known.id, mode="restore")

    assert set(hidden) <= {"forget again", "why of its recall", "why of a new recall", "trace"}
    assert short in ids(maya.recall(ASKED))


@requirement("P43")
def test_whatever_name_an_answer_gave_is_a_name_to_forget_by(house):
    known, maya = marked(house), house.bind()
    item = next(item for item in maya.recall(ASKED).items if item.id == known.id)
    names = (item.id, item.short_id, f"[{item.short_id}]".strip("[]"), maya.episodes(session="talk").turns[0].id)
    for name in names:
        receipt = maya.forget(name, dry_run=True)
        assert receipt.ids[0] in {known.id, known.turn}
    assert maya.forget(item.short_id).ids == (known.id,)
    assert maya.forget(names[-1]).ids == (known.turn,)


@requirement("P43")
@pytest.mark.parametrize("name", ["spare key", CLAIM, MARK, "m:00000000", "%", "m:%%%%%%%%", "019c*", "*", "memory"])
def test_nothing_is_forgotten_by_resemblance(house, name):
    known, maya = marked(house), house.bind()
    before = counted(maya, "status_event")
    with pytest.raises((NotFound, InvalidInput)):
        maya.forget(name, mode="erase", with_sources=True)
    assert (counted(maya, "status_event"), maya.get(known.id).record.content.text) == (before, CLAIM)


@requirement("P48")
def test_rebuilding_one_scope_leaves_every_other_as_it_was(house):
    noor, maya = house.bind("noor"), house.bind()
    for memory in (noor, maya):
        for number in range(4):
            memory.remember(f"Kiln {number} fires at noon", subject=f"kiln {number}")
    rows = "select term, key, packed from posting where scope = ? order by term, key"
    store = house.opened[0]._parts.store
    rows_of(store, "delete from posting where scope = 'user:maya'")
    kept = rows_of(store, rows, ["user:noor"])
    before = noor.recall("Which kiln fires at noon?", as_of=MARCH)
    broken = house.opened[0].check().findings
    house.opened[0].repair()
    after = noor.recall("Which kiln fires at noon?", as_of=MARCH)
    left = rows_of(store, rows, ["user:noor"])

    assert {finding.place for finding in broken} == {"postings"}
    assert all("user:maya" in finding.text and "noor" not in finding.text for finding in broken)
    assert (left, after.rendered) == (kept, before.rendered)
    assert house.opened[0].check().findings == ()
    assert len(maya.recall("Which kiln fires at noon?").items) >= 4


@requirement("P33", "P6")
def test_what_was_erased_does_not_come_back_by_repair_or_by_reading_its_source_again(house, tmp_path):
    path = tmp_path / "chat.json"
    path.write_text(f'[{{"role": "user", "content": "{SAID}"}}, {{"role": "user", "content": "It rained."}}]', "utf-8")
    maya = house.bind()
    counts = [maya.import_transcript(ImportRequest(path)) for _ in range(3)]
    turn = maya.episodes(since=MARCH).turns[0]
    maya.forget(turn.id, mode="erase")
    house.opened[0].repair()
    again = maya.import_transcript(ImportRequest(path))

    assert [(result.turns, result.repeated) for result in counts] == [(2, 0), (0, 2), (0, 2)]
    assert (turn.text, again.turns) == (SAID, 0)
    assert [item.text for item in maya.episodes(since=MARCH).turns] == ["It rained."]
    assert MARK not in repr(texts(maya.recall(ASKED, on_weak="lexical")))
