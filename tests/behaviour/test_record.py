"""A record as it is kept: every field of it, its evidence, its entities, and what is refused."""

from __future__ import annotations

import itertools
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.domain.scope import Sensitivity
from bethink.domain.source import RANK, SourceKind, derived_kind
from bethink.domain.types import TYPES, WRITABLE, Kind, Portability
from bethink.errors import InvalidInput
from bethink.operations.remember import Mention
from tests.behaviour.house import MARCH, House, counted, ids, know, stored
from tests.behaviour.requirements import requirement

DAY = timedelta(days=1)
JOB = {"subject": "Maya", "attribute": "employer"}
USER, AGENT = SourceKind.USER_STATEMENT, SourceKind.AGENT_INFERENCE


@requirement("E58")
@given(parents=st.lists(st.sampled_from(SourceKind), max_size=5))
def test_what_is_derived_is_worth_its_least_trusted_parent(parents):
    kind = derived_kind(parents)

    assert RANK[kind] == min((RANK[parent] for parent in parents), default=1)
    assert kind in parents or (kind is AGENT and not parents)


FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(WRITABLE),
        "subject": st.sampled_from(["Maya", "the old mill", "Ö-Werk 3"]),
        "source": st.sampled_from(SourceKind),
        "source_ref": st.sampled_from(["doc:1", "https://example.org/a?b=c"]),
        "source_revision": st.sampled_from(["7", "a1b2"]),
        "event_at": st.datetimes(datetime(1970, 1, 1), datetime(9998, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - the strategy wants its bounds naive
        "valid_from": st.datetimes(datetime(1970, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - naive on purpose here
        "valid_until": st.datetimes(datetime(2031, 1, 1), datetime(9999, 12, 31), timezones=st.just(UTC)),  # noqa: DTZ001 - naive on purpose here
        "review_at": st.datetimes(datetime(2031, 1, 1), datetime(9999, 12, 31), timezones=st.just(UTC)),  # noqa: DTZ001 - naive on purpose here
        "temporary": st.booleans(),
        "portability": st.sampled_from(Portability),
        "sensitivity": st.sampled_from(Sensitivity),
        "tags": st.lists(st.sampled_from(["rye", "mill", "ä b"]), unique=True, max_size=3).map(tuple),
        "metadata": st.dictionaries(
            st.sampled_from("abc"),
            st.none() | st.booleans() | st.integers(-9, 9) | st.lists(st.text("xyé"), max_size=2),
        ),
    },
)
WORDS = st.text(st.sampled_from("abé漢 .\n"), min_size=1, max_size=40).filter(lambda text: text.strip())


@pytest.fixture(scope="module")
def shared(database) -> Any:
    """One store for many examples, each in a tenant of its own."""
    with database.passing() as where:
        place = House(where, embedder=None)
        yield place, itertools.count()
        place.close()


@requirement("E55", "D10", "D19")
@settings(max_examples=100, deadline=None)
@given(content=WORDS, fields=FIELDS)
def test_every_field_of_a_record_comes_back_as_it_was_given(shared, content, fields):
    place, number = shared
    maya = place.bind(tenant=f"t{next(number)}", project="loom", channel="mail", ceiling=Sensitivity.SECRET)
    told = maya.remember(content, **fields)
    record = maya.get(told.id).record
    kept = record.content
    rule = TYPES[fields.get("type", "fact")]

    assert (record.id, record.version, record.kind, record.created_at) == (told.id, 1, rule.kind, record.recorded_at)
    assert MARCH <= record.created_at < MARCH + timedelta(seconds=1)
    assert (kept.text, kept.scope.key, kept.channel) == (unicodedata.normalize("NFC", content), "user:maya", "mail")
    assert (kept.origin.project, kept.source.creator) == ("loom", "aria")
    assert kept.source.kind is fields.get("source", USER)
    assert (kept.source.ref != "", kept.source.rank, record.status) == (True, RANK[kept.source.kind], told.status)
    assert kept.portability is min(fields.get("portability", rule.portability), rule.portability)
    assert ("temporary" in kept.flags) is fields.get("temporary", False)
    for name in (
        "type",
        "subject",
        "event_at",
        "valid_from",
        "valid_until",
        "review_at",
        "sensitivity",
        "tags",
        "metadata",
    ):
        if name in fields:
            assert getattr(kept, name) == fields[name], name
    for name, value in (("ref", "source_ref"), ("revision", "source_revision")):
        if value in fields:
            assert getattr(kept.source, name) == fields[value]


@requirement("D19", "A139")
def test_an_expiry_and_a_supersession_stand_on_the_record(house, maya):
    ends = MARCH + 9 * DAY
    old = maya.remember("Maya works at Alder", expires_at=ends, source_revision="3", **JOB).id
    before = maya.get(old).record
    house.clock.advance(days=1)
    new = maya.remember("Maya works at Birch", **JOB).id

    assert (before.ends_at, before.content.source.revision) == (ends, "3")
    assert (maya.get(new).record.supersedes, maya.get(old).record.superseded_by) == ((old,), new)
    house.clock.advance(days=20)
    gone = know(maya, "The fair is in town", expires_at=house.clock.now() + DAY)
    house.clock.advance(days=1)
    assert gone not in ids(maya.recall("Is the fair in town?"))


@requirement("E56")
def test_evidence_is_the_quote_as_it_was_said_and_where(house):
    with house.bind().session("talk") as session:
        (turn,) = session.turn("Well,  the café\nmoved to   Elm Street last spring. It rains.").ids
    agent = house.bind(voice="agent", session="talk")
    told = agent.remember("The café moved to Elm Street", evidence="the café moved to Elm Street last spring")
    evidence = agent.get(told.id).record.content.source.evidence
    said = agent.get(turn).turn.text

    assert evidence.turn_id == turn
    assert evidence.quote == said[evidence.start : evidence.end] == "the café\nmoved to   Elm Street last spring"


@requirement("D57")
@pytest.mark.parametrize(
    "fields",
    [
        {"type": "rumour"},
        {"type": "turn"},
        {"source_ref": ""},
        {"source_ref": "  "},
        {"source": "gossip"},
        {"target": "nowhere"},
        {"target": "project"},
        {"expires_at": MARCH},
        {"expires_at": MARCH - DAY},
        {"valid_from": MARCH, "valid_until": MARCH},
    ],
    ids=str,
)
def test_what_has_no_owner_no_source_or_no_way_to_end_is_refused(maya, fields):
    before = counted(maya, "event")
    with pytest.raises(InvalidInput):
        maya.remember("The mill grinds rye", **fields)
    assert (counted(maya, "record"), counted(maya, "event")) == (0, before)


@requirement("D57")
@pytest.mark.parametrize("type_name", WRITABLE)
def test_whatever_is_kept_has_an_owner_a_source_and_a_way_to_end(house, type_name):
    maya = house.bind(voice="agent")
    told = maya.remember(f"A {type_name} about the mill", type=type_name, subject="mill", attribute="state")
    record = maya.get(told.id).record

    assert (record.content.scope.key, record.content.source.ref) == ("user:maya", "agent:aria")
    assert record.ends_at == record.created_at + 30 * DAY
    assert TYPES[type_name].supersedes or record.kind is Kind.EPISODIC


@requirement("E89", "E90")
def test_a_name_is_its_entity_in_reach_or_a_new_one_of_the_writers(house, maya):
    met = maya.remember("Jon plays the lute", mentions=(Mention("Jon", "person", "about"),))
    again = maya.remember("Jon moved out", subject="\uff2a\uff2f\uff2e")
    other = maya.remember("John plays chess", subject="John")
    foreign = house.bind("noor").remember("Jon is a cook", subject="Jon")
    entity = maya.get(met.id).record.content.subject_entity

    assert maya.get(met.id).record.entities == (entity,)
    assert maya.get(again.id).record.content.subject_entity == entity
    assert maya.get(other.id).record.content.subject_entity != entity
    assert house.bind("noor").get(foreign.id).record.content.subject_entity != entity
    with stored(maya) as work:
        (named,) = work.entities.resolve(("user:maya",), "jon")
    assert (named.id, named.kind, named.name, named.scope.key, named.provisional) == (
        entity,
        "person",
        "Jon",
        "user:maya",
        True,
    )
