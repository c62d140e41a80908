"""The snapshot of a session: what the head of its prompt keeps of memory, taken once and frozen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

import pytest

from bethink.domain.record import Status, StatusSpan
from bethink.domain.scope import Sensitivity
from bethink.domain.source import SourceKind
from bethink.errors import AccessDenied, InvalidInput, NotFound
from bethink.memory import BoundMemory
from bethink.operations.moments import SnapshotRequest, SnapshotResult
from bethink.operations.recall import RecallRequest
from bethink.testing.fakes import CountingIds
from tests.behaviour.house import ByHand, ids, know, stored
from tests.behaviour.requirements import requirement
from tests.databases import everything_held, rows_of

TEA = "Maya drinks her tea without sugar"
GOAL = "Repair the blue kiln in the studio"
KILN = "The blue kiln needs a new thermocouple"


def shown(taken: SnapshotResult) -> list[str]:
    """The ids of what a snapshot shows."""
    return [item.id for item in taken.items]


def make_provisional(maya: BoundMemory, *items: str) -> None:
    """Put records where an unconfirmed one stands."""
    with stored(maya) as work:
        for item in items:
            for status in (Status.EXPIRED, Status.PROVISIONAL):
                work.records.set_status(item, StatusSpan(status, work.recorded_at, reason="a test"))


@requirement("A14", "A4")
def test_a_snapshot_holds_what_lasts_and_what_the_goal_brings_and_no_later_write_changes_a_byte(house, maya):
    lasting = {
        know(maya, TEA, type="preference"),
        know(maya, "Maya is left-handed", type="user_attribute"),
        know(maya, "Maya's sister is called Ines", type="relationship"),
        know(maya, "Never fire the kiln at night", type="constraint"),
    }
    brought = know(maya, KILN, type="fact")
    know(maya, "The harbour fair is in June", type="fact")
    passing = know(maya, "Maya wants no music today", type="preference", temporary=True)
    session = maya.session("monday")
    first = session.snapshot(GOAL)
    house.clock.advance(days=1)
    know(maya, "Maya likes rye bread", type="preference")
    maya.remember("Maya drinks her tea with honey", type="preference", source=SourceKind.SYSTEM)
    maya.recall("tea")
    again = session.snapshot("Something else entirely", size="child")
    elsewhere = house.open().bind("maya", "aria", voice="user").snapshot(session="monday")

    assert set(shown(first)) == {*lasting, brought}
    assert passing not in shown(first)
    assert (first.taken, again.taken, elsewhere.taken) == (True, False, False)
    assert again.rendered == elsewhere.rendered == first.rendered
    assert again.sha256 == first.sha256 == sha256(first.rendered.encode()).hexdigest()
    assert [line.split(" ", 1)[0] for line in first.rendered.split("\n")[1:-1]] == [i.short_id for i in first.items]
    assert "rye" not in again.rendered
    assert "rye" in maya.session("tuesday").snapshot().rendered


@requirement("A14")
def test_without_a_goal_only_what_lasts_stands_in_a_snapshot_and_without_anything_it_is_empty(maya):
    assert maya.session("empty").snapshot("Hello").rendered == ""
    know(maya, KILN)
    tea = know(maya, TEA, type="preference")

    assert shown(maya.session("monday").snapshot()) == [tea]
    assert maya.session("empty").snapshot("Hello") == maya.snapshot(session="empty")


@requirement("A15")
def test_many_recent_unconfirmed_records_never_push_an_older_active_one_out_of_a_snapshot(house, maya):
    old = know(maya, TEA, type="preference")
    house.clock.advance(days=1)
    recent = [know(maya, f"Maya might like dish number {number}", type="preference") for number in range(125)]
    make_provisional(maya, *recent)
    taken = maya.session("monday").snapshot(size="child")
    trace = maya.trace(taken.trace_id).trace

    assert shown(taken) == [old]
    assert [row["id"] for row in trace.pool] == [old]


@requirement("A15")
@pytest.mark.parametrize("profile", ["core", "task"])
def test_a_recall_of_that_moment_reads_nothing_unconfirmed_whatever_it_asks_for(maya, profile):
    sure, unsure = know(maya, TEA, type="preference"), know(maya, "Maya drinks her coffee black", type="preference")
    make_provisional(maya, unsure)
    asked = RecallRequest(type_hints=("preference",), profile=profile, include_provisional=True)
    at = {moment: ids(maya.recall(RecallRequest(**{**_fields(asked), "moment": moment}))) for moment in _MOMENTS}

    assert at["snapshot"] == [sure]
    assert set(at["in_turn"]) == {sure, unsure}


_MOMENTS = ("snapshot", "in_turn")


def _fields(asked: RecallRequest) -> dict[str, object]:
    return {name: getattr(asked, name) for name in RecallRequest.__dataclass_fields__}


@requirement("A16")
def test_the_trace_of_a_snapshot_holds_the_query_that_really_ran(maya):
    know(maya, TEA, type="preference")
    taken = maya.session("monday").snapshot(GOAL, window_tokens=20_000)
    trace = maya.trace(taken.trace_id)
    query = trace.trace.query

    assert (trace.verification, trace.trace.rendered, trace.trace.moment) == ("verified", taken.rendered, "snapshot")
    assert "text" not in query
    assert query["objective"] == GOAL
    assert query["anchors"] == ["preference", "relationship", "user_attribute", "constraint"]
    assert (query["profile"], query["max_items"], query["budget_tokens"]) == ("core", 40, 400)
    assert query["fence"]["statuses"] == ["active"]
    assert query["fence"]["sources"] == ["system", "user_statement"]
    assert query["fence"]["kinds"] == ["procedural", "semantic"]
    assert (trace.trace.session, trace.trace.position) == ("monday", taken.watermark)


@requirement("A21", "A22")
def test_the_watermark_is_the_head_of_the_store_and_not_the_newest_record_shown(house, maya):
    shown_last = know(maya, TEA, type="preference")
    know(maya, "The harbour fair is in June", type="fact")
    with maya.session("other") as other:
        other.turn("It rained all day.")
    session = maya.session("monday")
    taken = session.snapshot()
    head = rows_of(maya._parts.store, "select position from tenant where tenant = 'default'")[0][0]
    know(maya, "Maya likes rye bread", type="preference")

    assert taken.watermark == head > maya.get(shown_last).record.key
    assert session.snapshot().watermark == head
    assert house.open().bind("maya", "aria", voice="user").delta(session="monday").watermark == head


SIZES = [
    ("interactive", None, 40, 1_500),
    ("interactive", 1_000_000, 40, 1_500),
    ("interactive", 10_000, 40, 200),
    ("long_running", None, 80, 3_000),
    ("long_running", 2_000_000, 80, 3_000),
    ("child", None, 15, 500),
    ("child", 5_000, 15, 100),
]


@requirement("A29", "A30", "A31", "A32", "A33")
@pytest.mark.parametrize(("size", "window", "items", "tokens"), SIZES)
def test_a_snapshot_ends_at_its_items_its_tokens_or_two_percent_of_the_window(maya, size, window, items, tokens):
    for number in range(6):
        know(
            maya,
            f"Maya likes the {number} best of all the many patterns on her grandmother's plates",
            type="preference",
        )
    taken = maya.session("monday").snapshot(GOAL, size=size, window_tokens=window)
    query = maya.trace(taken.trace_id).trace.query

    assert (query["max_items"], query["budget_tokens"]) == (items, tokens)
    assert taken.tokens <= tokens
    assert len(taken.items) == 6 or tokens < 300


@requirement("A34", "A35")
def test_two_thirds_of_the_places_are_for_what_lasts_and_neither_side_takes_the_places_of_the_other(house):
    house.embedder = None
    maya = house.bind()
    for number in range(14):
        know(maya, f"Maya keeps habit {number}", type="preference", subject="Maya")
    for number in range(9):
        know(maya, f"The blue kiln has part {number}", type="fact")
    only_lasting = maya.session("a").snapshot(size="child")
    both = maya.session("b").snapshot("blue kiln part", size="child")
    types = [maya.get(item).record.content.type for item in shown(both)]
    cuts = [cut for cut in maya.trace(both.trace_id).trace.cuts if cut.stage == "count"]

    assert len(only_lasting.items) == 10
    assert (types.count("preference"), types.count("fact")) == (10, 5)
    assert sorted((cut.reason, cut.bound) for cut in cuts) == [
        *[("no place left for what lasts", 10.0)] * 4,
        *[("no place left for what the goal brings", 5.0)] * 4,
    ]


@requirement("A34")
def test_what_lasts_and_found_no_place_of_its_own_comes_in_when_the_goal_says_more_for_it_than_its_type(house):
    house.embedder = None
    maya = house.bind()
    for number in range(12):
        maya.remember(f"I keep habit {number}", type="preference", subject="Maya")
    weaker = know(maya, "Maya glazes bowls in cobalt", type="preference")

    assert weaker not in shown(maya.session("a").snapshot("sail to Porto", size="child"))
    assert weaker in shown(maya.session("b").snapshot("glaze bowls in cobalt", size="child"))


@requirement("A36")
def test_the_goal_brings_nothing_that_is_too_weak_however_many_places_are_free(house):
    house.embedder = None
    maya = house.bind()
    know(maya, KILN)
    weak = know(maya, "The market sells plums, figs, pears, quinces and walnuts", type="fact")
    taken = maya.session("monday").snapshot("Sail a boat to Porto and moor it near the market before it rains")

    assert shown(taken) == []
    assert maya.why(taken.trace_id, weak).stage == "gate"


@requirement("A39", "A40")
def test_what_the_host_s_own_text_says_of_its_user_stays_out_of_the_snapshot_and_nowhere_else(maya):
    said, other = know(maya, TEA, type="preference"), know(maya, "Maya is left-handed", type="user_attribute")
    session = maya.session("monday")
    taken = session.snapshot(persona=(said,))

    assert shown(taken) == [other]
    assert maya.why(taken.trace_id, said).stage == "held"
    assert said in ids(session.recall("How does Maya drink her tea?"))
    assert said in shown(maya.session("tuesday").snapshot())


def test_a_snapshot_is_about_its_user_whom_no_cap_on_a_subject_cuts_short(maya):
    for number in range(6):
        know(maya, f"Maya keeps habit {number}", type="preference", subject="Maya")

    assert len(maya.session("monday").snapshot().items) == 6
    assert len(maya.recall(type_hints=("preference",)).items) == 3


def test_what_nobody_vouches_for_stands_in_no_snapshot(maya):
    maya.remember("Maya loves coupons", type="preference", source=SourceKind.DOCUMENT)
    maya.remember("Maya loves adverts", type="preference", source=SourceKind.TOOL_RESULT)

    assert maya.session("monday").snapshot("coupons and adverts").items == ()


@pytest.mark.parametrize("mode", ["stop", "erase"])
def test_what_is_forgotten_leaves_the_snapshot_at_once_and_the_next_epoch_begins(house, maya, mode):
    gone, kept = know(maya, "Maya hides a Zanzibar-7319", type="preference"), know(maya, TEA, type="preference")
    session = maya.session("monday")
    first = session.snapshot()
    maya.forget(gone, mode=mode)
    second = session.snapshot()
    held = b"".join(data for _, data in everything_held(house.opened[0]._parts.store))

    assert {gone, kept} == set(shown(first))
    assert (shown(second), second.epoch, second.taken) == ([kept], 2, True)
    assert second.watermark > first.watermark
    assert session.snapshot().rendered == second.rendered
    assert (b"Zanzibar-7319" in held) == (mode == "stop")


def test_a_correction_rewrites_no_snapshot(maya):
    about = {"type": "preference", "subject": "Maya", "attribute": "tea", "source": SourceKind.SYSTEM}
    maya.remember("Maya drinks black tea", **about)
    session = maya.session("monday")
    first = session.snapshot()
    maya.remember("Maya drinks green tea", **about)

    assert session.snapshot().rendered == first.rendered
    assert (session.snapshot().epoch, "black" in first.rendered) == (1, True)


def test_each_reader_of_a_session_has_a_snapshot_of_its_own_and_none_above_its_ceiling(house):
    memory = house.open()
    memory.grant("maya", "bert", "user:maya", read=True, write=True)
    maya, bert = house.bind(), house.bind("maya", "bert")
    restricted = know(maya, "Maya takes a pill at noon", type="user_attribute", sensitivity=Sensitivity.RESTRICTED)
    tea = know(maya, TEA, type="preference")
    maya.session("monday")
    wide = memory.bind("maya", "aria", voice="user", ceiling=Sensitivity.RESTRICTED).snapshot(session="monday")
    narrow = maya.snapshot(session="monday")
    other = bert.snapshot(session="monday")
    memory.revoke("maya", "bert", "user:maya")

    assert (set(shown(wide)), shown(narrow), shown(other)) == ({restricted, tea}, [tea], [tea])
    assert [taken.taken for taken in (wide, narrow, other)] == [True, True, True]
    with pytest.raises(NotFound):
        bert.snapshot(session="monday")


@dataclass
class Meddling(ByHand):
    """An embedder in whose time somebody else does something, once."""

    meanwhile: Callable[[], object] | None = None

    def embed_query(self, text):
        done, self.meanwhile = self.meanwhile, None
        if done is not None:
            done()
        return super().embed_query(text)


@pytest.mark.parametrize("forgotten", [False, True])
def test_of_two_that_take_a_snapshot_at_once_both_get_the_first_unless_something_in_it_is_forgotten(house, forgotten):
    house.embedder = Meddling()
    maya = house.bind()
    gone, _ = know(maya, "Maya sings", type="preference"), know(maya, TEA, type="preference")
    session = maya.session("monday")
    first: list[SnapshotResult] = []

    def meanwhile() -> None:
        first.append(maya.snapshot(session="monday"))
        if forgotten:
            maya.forget(gone)

    house.embedder.meanwhile = meanwhile
    second = session.snapshot(GOAL)

    assert (first[0].taken, first[0].epoch) == (True, 1)
    assert (second.taken, second.epoch) == (forgotten, 1 + forgotten)
    assert (second.rendered == first[0].rendered) is not forgotten
    assert session.snapshot().rendered == second.rendered


@dataclass
class MeddlingIds(CountingIds):
    """Ids in whose making somebody else does something, once."""

    meanwhile: Callable[[], object] | None = None

    def __post_init__(self) -> None:
        super().__init__()

    def new(self, at):
        done, self.meanwhile = self.meanwhile, None
        if done is not None:
            done()
        return super().new(at)


def test_what_is_erased_between_recall_and_freezing_is_not_frozen(house):
    house.ids = MeddlingIds()
    maya = house.bind()
    gone, kept = know(maya, "Maya hides a Zanzibar-7319", type="preference"), know(maya, TEA, type="preference")
    session = maya.session("monday")
    house.ids.meanwhile = lambda: maya.forget(gone, mode="erase")
    taken = session.snapshot()

    assert (shown(taken), taken.epoch) == ([kept], 1)
    assert b"Zanzibar-7319" not in b"".join(data for _, data in everything_held(house.opened[0]._parts.store))


def test_a_snapshot_cannot_be_taken_by_whom_the_session_is_closed_to(house, maya):
    house.opened[0].grant("maya", "reader", "user:maya", read=True, write=False)
    maya.session("monday")
    with pytest.raises(AccessDenied):
        house.bind("maya", "reader").snapshot(session="monday")
    with pytest.raises(NotFound):
        maya.snapshot(session="never")
    with pytest.raises(InvalidInput, match="No session"):
        maya.snapshot("a goal")
    for wrong in ({"size": "huge"}, {"window_tokens": 0}, {"window_tokens": 1.5}):
        with pytest.raises(InvalidInput):
            maya.snapshot(SnapshotRequest(session="monday", **wrong))
