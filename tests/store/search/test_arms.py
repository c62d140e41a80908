"""The lookups by subject, type, resembling name and entity stay inside the fence and within their depth."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from bethink.domain.fence import Fence
from bethink.domain.hit import ArmHit
from bethink.domain.query import Query, TimeSpan
from bethink.domain.record import LIVE, Status, StatusSpan
from bethink.domain.scope import Sensitivity
from bethink.ports.search import NamedEntity
from bethink.store import index as index_module
from bethink.store.names import THRESHOLD, least_shared
from bethink.text.trigrams import similarity, trigrams
from tests.store.search.places import TENANT
from tests.store.search.strategies import DAYS
from tests.store.search.world import ANN, BOB

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ALL = Fence(TENANT, (ANN,), Sensitivity.NORMAL, LIVE, NOW)
BOTH = replace(ALL, scopes=(ANN, BOB))


def listed(hits: tuple[ArmHit, ...]) -> list[tuple[int, int, float]]:
    return [(hit.key, hit.rank, hit.raw) for hit in hits]


def test_a_named_subject_comes_before_a_type_alone_and_each_in_key_order(new_world):
    world = new_world()
    typed = world.say("a", DAYS[0], type="preference", subject_key="mia")
    named = world.say("b", DAYS[0], type="fact", subject_key="rex")
    both = world.say("c", DAYS[0], type="preference", subject_key="rex")
    world.say("d", DAYS[0], type="fact", subject_key="mia")
    query = Query("", subjects=("rex",), types=("preference",))

    hits = world.search().structured(ALL, query, 100)
    assert listed(hits) == [(named, 1, 1.0), (both, 2, 1.0), (typed, 3, 0.25)]
    assert listed(world.search().structured(ALL, query, 2)) == listed(hits)[:2]


def test_structured_merges_scopes_by_key_and_keeps_to_the_fence(new_world):
    world = new_world()
    one = world.say("a", DAYS[0], scope=BOB, subject_key="rex", type="fact")
    two = world.say("b", DAYS[0], subject_key="rex", type="fact")
    world.say("c", DAYS[0], subject_key="rex", type="fact", sensitivity=Sensitivity.SECRET)
    query = Query("", subjects=("rex",))

    assert [hit.key for hit in world.search().structured(BOTH, query, 100)] == [one, two]
    assert [hit.key for hit in world.search().structured(ALL, query, 100)] == [two]


def test_no_subject_is_no_name_of_everything(new_world):
    world = new_world()
    world.say("a", DAYS[0])

    assert world.search().structured(ALL, Query("", subjects=("",), types=()), 100) == ()


def test_a_misspelt_name_finds_its_bearers_most_alike_first(new_world):
    world = new_world()
    spoken = world.say("hello", DAYS[0], speaker="Caroline")
    alias = world.say("she moved", DAYS[0], aliases=("Carolina",), type="fact")
    world.say("other", DAYS[0], speaker="Melanie")

    hits = world.search().fuzzy(ALL, Query("", names=("carolinne",)), 100)
    assert [hit.key for hit in hits] == [spoken, alias]
    assert [hit.raw for hit in hits] == [similarity("carolinne", "caroline"), similarity("carolinne", "carolina")]
    assert [hit.rank for hit in hits] == [1, 2]


def test_an_exact_name_is_no_resemblance(new_world):
    world = new_world()
    world.say("hello", DAYS[0], speaker="Caroline")

    assert world.search().fuzzy(ALL, Query("", names=("caroline",)), 100) == ()
    assert world.search().fuzzy(ALL, Query("", names=()), 100) == ()


def test_resembling_names_stay_inside_the_fence(new_world):
    world = new_world()
    mine = world.say("hello", DAYS[0], speaker="Caroline")
    theirs = world.say("hello", DAYS[0], speaker="Caroline", scope=BOB)
    world.say("hello", DAYS[0], speaker="Caroline", sensitivity=Sensitivity.SECRET)
    gone = world.say("hello", DAYS[0], speaker="Caroline")
    world.set_status(gone, StatusSpan(Status.ARCHIVED, DAYS[1]))
    query = Query("", names=("carolime",))

    assert [hit.key for hit in world.search().fuzzy(ALL, query, 100)] == [mine]
    assert [hit.key for hit in world.search().fuzzy(BOTH, query, 100)] == [mine, theirs]


def test_a_name_with_many_bearers_gives_the_depth_asked_for_even_when_the_first_are_outside(new_world):
    world = new_world()
    for number in range(700):
        world.say("x", DAYS[0], speaker="Caroline", seq=number, channel=None if number < 600 else "mail")
    hits = world.search().fuzzy(replace(ALL, channel="mail"), Query("", names=("carolime",)), 30)

    assert [hit.key for hit in hits] == [key for key, e in world.entries.items() if e.channel == "mail"][:30]


def test_a_name_is_forgotten_with_its_last_bearer_only(new_world):
    world = new_world()
    first, second = (world.say("x", DAYS[0], speaker="Caroline", seq=seq) for seq in range(2))
    world.erase(first, DAYS[1])
    assert [hit.key for hit in world.search().fuzzy(ALL, Query("", names=("carolime",)), 9)] == [second]
    world.erase(second, DAYS[1])

    assert world.search().fuzzy(ALL, Query("", names=("carolime",)), 9) == ()
    assert world.connection.do("select count(*) from name_gram") == [(0,)]


@given(st.text("abcdef ", min_size=3, max_size=14), st.text("abcdef ", min_size=3, max_size=14))
def test_a_name_alike_enough_always_shares_enough_trigrams_to_be_compared(wanted: str, stored: str):
    shared = len(trigrams(wanted) & trigrams(stored))

    assert similarity(wanted, stored) < THRESHOLD or shared >= least_shared(len(trigrams(wanted))) or shared == 0


def test_linked_entries_come_latest_first_and_inside_the_fence(new_world):
    world = new_world()
    early, late = world.say("a", DAYS[1], type="fact"), world.say("b", DAYS[3], type="fact")
    same = world.say("c", DAYS[3], type="fact")
    hidden = world.say("d", DAYS[4], type="fact", sensitivity=Sensitivity.SECRET)
    theirs = world.say("e", DAYS[4], type="fact", scope=BOB)
    for key in (early, late, same, hidden, theirs):
        world.link("E1", key)
    named = [NamedEntity("E1", "rex", ANN.key), NamedEntity("E2", "mia", ANN.key)]

    hits = world.search().entity(ALL, named, 100)
    assert listed(hits) == [(late, 1, 1.0), (same, 2, 1.0), (early, 3, 1.0)]
    assert [hit.key for hit in world.search().entity(ALL, named, 2)] == [late, same]
    assert world.search().entity(ALL, (), 100) == ()


def test_entities_are_named_exactly_and_in_readable_scopes_only(new_world):
    world = new_world()
    world.alias("E1", "rex")
    world.alias("E1", "the dog")
    world.alias("E2", "rex", BOB)

    assert world.search().named_entities(ALL, ("rex", "the dog", "dog")) == (
        NamedEntity("E1", "rex", ANN.key),
        NamedEntity("E1", "the dog", ANN.key),
    )
    assert [entity.id for entity in world.search().named_entities(BOTH, ("rex",))] == ["E1", "E2"]
    assert world.search().named_entities(ALL, ()) == ()


def test_another_tenant_reads_nothing_here(new_world):
    world = new_world()
    key = world.say("boat", DAYS[0], speaker="Caroline", subject_key="rex", type="fact")
    world.link("E1", key)
    world.alias("E1", "rex")
    foreign = replace(ALL, tenant="other")
    search = world.search()
    query = Query("", names=("carolime",), subjects=("rex",), types=("fact",))

    assert search.structured(foreign, query, 9) == search.fuzzy(foreign, query, 9) == ()
    assert search.entity(foreign, [NamedEntity("E1", "rex", ANN.key)], 9) == ()
    assert search.named_entities(foreign, ("rex",)) == ()


def test_memory_is_bounded_and_what_was_dropped_is_read_again(new_world, monkeypatch):
    world = new_world()
    for scope in (ANN, BOB):
        for seq in range(5):
            world.say("boat", DAYS[0], scope=scope, seq=seq, subject_key="rex", type="fact")
    monkeypatch.setattr(index_module, "MAX_ROWS", 7)
    query = Query("", subjects=("rex",))
    for fence in (ALL, replace(ALL, scopes=(BOB,)), ALL, BOTH):
        assert len(world.search().structured(fence, query, 100)) == 5 * len(fence.scopes)
        assert len(world.index._scopes) == 1


def test_what_was_said_in_a_window_comes_in_the_order_of_time_and_keeps_to_the_fence(new_world):
    world = new_world()
    late = world.say("a", DAYS[0], event_at=DAYS[2])
    early = world.say("b", DAYS[0], event_at=DAYS[1])
    begins = world.say("c", DAYS[0], scope=BOB, valid_from=DAYS[0], event_at=DAYS[0])
    world.say("d", DAYS[0], event_at=DAYS[3])
    world.say("e", DAYS[0], event_at=DAYS[1], sensitivity=Sensitivity.SECRET)
    span = TimeSpan(DAYS[0], DAYS[3])

    assert world.search().during(BOTH, (span,)).tolist() == [begins, early, late]
    assert world.search().during(ALL, (span, TimeSpan(DAYS[1], DAYS[2]))).tolist() == [early, late]
    assert world.search().during(ALL, (TimeSpan(DAYS[1], DAYS[2]),)).tolist() == [early]
    assert world.search().during(ALL, ()).tolist() == []


def test_sessions_run_from_their_first_to_their_last_turn_in_the_order_they_began(new_world):
    world = new_world()
    for session, day in (("two", 2), ("one", 1), ("two", 4), ("one", 1), ("three", 3)):
        world.say("a", DAYS[0], session=session, seq=day, type="turn", event_at=DAYS[day])
    world.say("b", DAYS[0], session="hidden", seq=0, type="turn", sensitivity=Sensitivity.SECRET)
    world.say("c", DAYS[0], type="fact")
    one, two, three = (TimeSpan(DAYS[first], DAYS[last]) for first, last in ((1, 1), (2, 4), (3, 3)))

    assert world.search().sessions(ALL) == (one, two, three)
    assert world.search().sessions(ALL, "two") == (one, three)
    assert world.search().sessions(ALL, "unheard of") == (one, two, three)
