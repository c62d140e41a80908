"""What may be read is decided before anything is looked for, and how many are asked for decides nothing else."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.domain.scope import Sensitivity
from bethink.domain.source import SourceKind
from bethink.domain.types import TYPES as TYPE_RULES
from bethink.domain.types import Kind, Portability
from bethink.memory import BoundMemory
from bethink.operations.sessions import TurnInput
from bethink.recall import arms as arms_module
from bethink.recall.reader import Stopwatch
from tests.behaviour.house import MARCH, House, TickingClock, arms, ids, know, pool, texts
from tests.behaviour.requirements import requirement

DAY = timedelta(days=1)
NOW = MARCH + 3 * DAY
QUESTION = "Which kiln fires the blue glaze?"


def kiln(number: int) -> str:
    """One of many statements that answer the question more or less."""
    return f"Kiln {number} fires the {('blue', 'green', 'blue and white')[number % 3]} glaze on shelf {number % 7}"


@requirement("A47")
def test_working_state_shapes_the_question_and_is_never_itself_an_answer(maya, house):
    know(maya, "The blue glaze needs a cone six kiln")
    state = {"objective": "Choose the kiln for the blue glaze", "open_questions": ("Is cone six hot enough?",)}
    before = maya.recall(QUESTION).position
    result = maya.recall("Which one?", **state)

    assert texts(result) == ["The blue glaze needs a cone six kiln"]
    assert {"cone", "six", "hot"} <= set(maya.trace(result.trace_id).trace.query["terms"])
    assert (maya.recall(QUESTION).position, maya.episodes(since=MARCH - DAY).turns) == (before, ())
    assert maya.recall(QUESTION).considered == 1


@requirement("A48", "A88", "A10")
def test_a_project_ranks_and_attributes_and_hides_nothing_but_what_is_local(house):
    there = house.bind(project="pottery")
    known = {
        portability: know(
            there, f"The blue glaze kiln is {portability.name}", type="constraint", portability=portability
        )
        for portability in Portability
    }
    here, nowhere = house.bind(project="bakery"), house.bind()
    shared = know(nowhere, "The blue glaze kiln belongs to no project")
    carried = {known[Portability.PORTABLE], known[Portability.CONTEXTUAL]}

    for caller in (here, nowhere):
        result = caller.recall("blue glaze kiln")
        assert set(pool(caller, result)) == set(ids(result)) == {*carried, shared}
        affinity = {item.id: item.explanation.parts["scope"] for item in result.items}
        assert affinity[known[Portability.PORTABLE]] == pytest.approx(0.1 * 0.8)
        assert affinity[known[Portability.CONTEXTUAL]] == pytest.approx(0.1 * 0.55)
        assert affinity[shared] == pytest.approx(0.1)
        assert {item.id for item in result.items if item.carried} == carried
    home = there.recall("blue glaze kiln")
    assert set(ids(home)) == {*known.values(), shared}
    assert not any(item.carried for item in home.items)
    assert ids(here.recall("blue glaze kiln", project_policy="isolate")) == [shared]


@requirement("A84", "E37")
def test_history_is_read_only_when_it_is_asked_for(maya, house):
    fact = {"subject": "studio", "attribute": "kiln"}
    old = know(maya, "The studio kiln is electric", **fact)
    house.clock.advance(days=1)
    gone = know(maya, "The studio kiln is on loan", expires_at=house.clock.now() + DAY)
    new = know(maya, "The studio kiln is gas fired", **fact)
    house.clock.advance(days=3)
    live, past = maya.recall("studio kiln"), maya.recall("studio kiln", include_superseded=True)

    assert ids(live) == pool(maya, live) == [new]
    assert all(old not in found and gone not in found for found in arms(maya, live).values())
    assert old in pool(maya, past)
    assert gone in pool(maya, maya.recall("studio kiln", as_of=MARCH + DAY))


@requirement("E37")
def test_what_the_request_rules_out_is_in_no_arms_hits(maya):
    kept = know(maya, "The blue glaze kiln is hot", type="project_fact", event_at=MARCH + DAY)
    wrong_type = know(maya, "The blue glaze kiln decision", type="decision", event_at=MARCH + DAY)
    outside = know(maya, "The blue glaze kiln was cold", type="project_fact", event_at=MARCH + 9 * DAY)
    wrong_kind = know(maya, "The blue glaze kiln opened", type="event", event_at=MARCH + DAY)
    result = maya.recall(
        "blue glaze kiln since 1 March 2020",
        types=("project_fact", "event"),
        kinds=(Kind.SEMANTIC,),
        since=MARCH,
        until=MARCH + 5 * DAY,
    )

    found = arms(maya, result)
    assert set(found) == {"structured", "lexical", "fuzzy", "dense", "entity", "time"}
    assert found["time"] == [kept]
    assert {id_ for hits in found.values() for id_ in hits} == {kept}
    assert not {wrong_type, outside, wrong_kind} & set(pool(maya, result))


@requirement("A85", "P74")
def test_a_record_matches_from_the_instant_it_begins_to_hold_until_just_before_it_ends(maya, house):
    begins, ends = MARCH + 2 * DAY, MARCH + 4 * DAY
    known = know(maya, "The kiln is rented", valid_from=begins, valid_until=ends)
    tick = timedelta(microseconds=1)

    answers = {at: ids(maya.recall("rented kiln", as_of=at)) for at in (begins - tick, begins, ends - tick, ends)}
    assert answers == {begins - tick: [], begins: [known], ends - tick: [known], ends: []}
    assert ids(maya.recall("rented kiln")) == []
    house.clock.set(begins)
    assert ids(maya.recall("rented kiln")) == [known]


INSTANTS = st.integers(0, 6).map(lambda day: MARCH + day * DAY)
MAYBE = st.none() | INSTANTS
TYPES = ("fact", "preference", "event", "decision")


@dataclass(frozen=True)
class Told:
    """One record as a test tells it to a store."""

    type: str
    target: str
    voice: str
    project: str | None
    portability: Portability
    sensitivity: Sensitivity
    valid_from: datetime | None
    valid_until: datetime | None
    event_at: datetime | None
    expires_at: datetime | None

    def write(self, house: House, number: int) -> str:
        """Tell it; the record's id."""
        memory = house.bind(project=self.project, voice=self.voice, ceiling=Sensitivity.SECRET)
        fields = {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}
        del fields["voice"], fields["project"]
        source = {"source": SourceKind.SYSTEM} if self.voice == "user" else {}
        return memory.remember(f"kiln {chr(97 + number)}", **fields, **source).id


@dataclass(frozen=True)
class Question:
    """One recall with all that may narrow it."""

    agent: str
    project: str | None
    ceiling: Sensitivity
    types: tuple[str, ...]
    kinds: tuple[Kind, ...]
    as_of: datetime | None
    since: datetime | None
    until: datetime | None
    project_policy: str
    include_provisional: bool

    def found(self, house: House) -> set[str]:
        """Ids of the pool."""
        memory = house.bind(agent=self.agent, project=self.project, ceiling=self.ceiling)
        names = ("types", "kinds", "as_of", "since", "until", "project_policy", "include_provisional")
        result = memory.recall("kiln", **{name: getattr(self, name) for name in names})
        return set(pool(memory, result))

    def admits(self, told: Told, now: datetime) -> bool:
        """The rule in plain words."""
        instant, own = self.as_of or now, told.event_at or told.valid_from or now
        provisional = told.voice == "agent"
        ends = [end for end in (told.valid_until, told.expires_at) if end is not None]
        home = told.project in {None, self.project}
        far = home or (self.project_policy == "carry" and carried(told) > Portability.LOCAL)
        return all(
            (
                told.target == "personal" or self.agent == "aria",
                told.sensitivity <= self.ceiling,
                not provisional or self.include_provisional,
                not self.types or told.type in self.types,
                not self.kinds or TYPE_RULES[told.type].kind in self.kinds,
                told.valid_from is None or told.valid_from <= instant,
                all(instant < end for end in ends),
                self.since is None or self.since <= own,
                self.until is None or own < self.until,
                far,
            )
        )


def carried(told: Told) -> Portability:
    """How far a record carries: what was asked for, at most what its type may."""
    return min(told.portability, TYPE_RULES[told.type].portability)


RECORDS = st.builds(
    Told,
    type=st.sampled_from(TYPES),
    target=st.sampled_from(("personal", "personal", "private")),
    voice=st.sampled_from(("user", "user", "agent")),
    project=st.sampled_from((None, "pottery", "bakery")),
    portability=st.sampled_from(sorted(Portability)),
    sensitivity=st.sampled_from((*Sensitivity, Sensitivity.NORMAL)),
    valid_from=MAYBE,
    valid_until=MAYBE,
    event_at=MAYBE,
    expires_at=st.none() | st.integers(7, 9).map(lambda day: MARCH + day * DAY),
).filter(lambda told: told.valid_from is None or told.valid_until is None or told.valid_from < told.valid_until)
QUESTIONS = st.builds(
    Question,
    agent=st.sampled_from(("aria", "aria", "echo")),
    project=st.sampled_from((None, "pottery", "bakery")),
    ceiling=st.sampled_from((*Sensitivity, Sensitivity.SECRET)),
    types=st.lists(st.sampled_from(TYPES), unique=True, max_size=2).map(tuple),
    kinds=st.sampled_from(((), (), (Kind.SEMANTIC,), (Kind.EPISODIC, Kind.PROCEDURAL))),
    as_of=MAYBE | st.just(MARCH + 8 * DAY),
    since=st.none() | st.just(MARCH + DAY),
    until=st.none() | st.just(MARCH + 5 * DAY),
    project_policy=st.sampled_from(("carry", "carry", "isolate")),
    include_provisional=st.booleans(),
)


@requirement("A9", "A83", "A85", "A86", "E37", "P56")
@settings(max_examples=30, deadline=None)
@given(st.lists(RECORDS, min_size=1, max_size=6), st.lists(QUESTIONS, min_size=1, max_size=5))
def test_what_is_considered_is_what_the_rule_in_plain_words_admits(database, records, questions):
    with database.passing() as place:
        house = House(place)
        house.clock.set(NOW)
        known = {told.write(house, number): told for number, told in enumerate(records)}
        answers = [(question.found(house), question) for question in questions]
        house.close()

    for found, question in answers:
        assert found == {id_ for id_, told in known.items() if question.admits(told, NOW)}


LATER = st.lists(st.sampled_from(("new", "supersede", "retract", "reinforce", "say")), min_size=1, max_size=5)


@requirement("A171")
@settings(max_examples=15, deadline=None)
@given(st.integers(1, 4), LATER)
def test_a_recall_pinned_in_both_times_keeps_its_records_and_their_words_under_later_writes(database, count, later):
    with database.passing() as place:
        house = House(place)
        maya = house.bind()
        for number in range(count):
            know(maya, f"The kiln {number} is blue", subject=f"kiln {number}", attribute="colour")
        house.clock.advance(hours=1)
        pinned = {"as_of": house.clock.now(), "known_at": house.clock.now(), "max_items": 50}
        before = maya.recall("blue kiln", **pinned)
        for number, write in enumerate(later):
            house.clock.advance(hours=1)
            change(maya, write, number % count, number)
        after, live = maya.recall("blue kiln", **pinned), maya.recall("blue kiln", max_items=50)
        assert sorted(pool(maya, after)) == sorted(pool(maya, before))
        assert sorted(texts(after)) == sorted(texts(before))
        assert (sorted(pool(maya, live)) != sorted(pool(maya, before))) is bool({*later} - {"reinforce"})
        house.close()


def change(memory: BoundMemory, write: str, kiln_number: int, number: int) -> None:
    """One later write."""
    fact = {"subject": f"kiln {kiln_number}", "attribute": "colour"}
    if write == "say":
        memory.session("talk").turn(f"A blue kiln again, {number}")
    elif write == "new":
        know(memory, f"Another blue kiln {number + 100}")
    elif write == "supersede":
        know(memory, f"The kiln {kiln_number} is blue and {number}", **fact)
    elif write == "retract":
        know(memory, f"The kiln {kiln_number} has no colour, {number}", polarity="retract", **fact)
    else:
        know(memory, f"The kiln {kiln_number} is blue", source=SourceKind.TOOL_RESULT, **fact)


@requirement("A86", "A9")
def test_no_surface_finds_what_is_more_sensitive_than_its_ceiling(house):
    writer = house.bind(ceiling=Sensitivity.SECRET)
    known = {level: know(writer, f"The kiln code is {level.name}", sensitivity=level) for level in Sensitivity}

    for ceiling in Sensitivity:
        reader = house.bind(ceiling=ceiling, surface="screen")
        result = reader.recall("kiln code")
        assert set(pool(reader, result)) == {known[level] for level in Sensitivity if level <= ceiling}
        assert reader.trace(result.trace_id).trace.ceiling == ceiling.name.lower()


@requirement("A87")
def test_another_projects_local_record_needs_its_subject_named_and_takes_no_ones_place(house):
    house.open(recall__depth=1)
    there, here = house.bind(project="pottery"), house.bind(project="bakery")
    local = know(there, "The kiln host is blue", subject="Staging", portability=Portability.LOCAL)
    mine = know(here, "Some kiln host somewhere is perhaps green or grey or brown")

    hidden = here.recall("Which kiln host is blue?")
    assert ids(hidden) == pool(here, hidden) == [mine]
    named = here.recall("Which kiln host does Staging use?")
    assert local in ids(named)
    assert "(learned in pottery)" in named.rendered
    assert here.why(hidden.trace_id, local).stage == "fence"


@pytest.fixture
def kilns(house: House) -> BoundMemory:
    """Two hundred records and turns about kilns, twice as many as an arm looks at."""
    house.open(recall__depth=25)
    maya = house.bind()
    for number in range(60):
        know(maya, kiln(number), subject="Maya" if number % 2 else None)
    maya.session("talk").turns([TurnInput(kiln(number), speaker="Ann") for number in range(60, 120)])
    return maya


def considered(memory: BoundMemory, counts: tuple[int, ...]) -> list[tuple[list[str], dict[str, list[str]], int]]:
    """The pool, the arms' hits and the number considered, per count asked for."""
    results = [memory.recall(QUESTION, subjects=("Maya",), max_items=count) for count in counts]
    return [(pool(memory, result), arms(memory, result), result.considered) for result in results]


@requirement("B34", "B36")
def test_the_count_says_how_many_come_back_and_nothing_else(kilns):
    counts = (1, 2, 7, 20, 50)
    first, *others = considered(kilns, counts)
    answers = [ids(kilns.recall(QUESTION, max_items=count, budget_tokens=9_000)) for count in counts]

    assert all(other == first for other in others)
    assert len(first[0]) > 50
    assert [len(answer) for answer in answers[:-1]] == list(counts[:-1])
    assert kilns.recall(QUESTION, max_items=0).empty_reason == "count_zero"
    assert considered(kilns, (0,)) == [first]


@requirement("B37")
def test_a_search_as_deep_as_the_count_would_be_noticed(kilns, monkeypatch):
    counts = (1, 50)
    search = arms_module.search

    def shallow(asked, embedded, reader, *rest):
        few = replace(reader, settings=replace(reader.settings, depth=max(asked.limit, 1)))
        return search(asked, embedded, few, *rest)

    monkeypatch.setattr("bethink.recall.pipeline.search", shallow)
    one, many = considered(kilns, counts)

    assert one != many


@requirement("E35", "E98")
def test_a_recall_runs_its_stages_in_the_written_order_from_scopes_to_trace(new_place, monkeypatch):
    entered: list[str] = []

    class Watching(Stopwatch):
        def __call__(self, stage):
            entered.append(stage)
            return super().__call__(stage)

    monkeypatch.setattr("bethink.recall.pipeline.Stopwatch", Watching)
    house = House(new_place(), clock=TickingClock())
    maya = house.bind()
    know(maya, kiln(0))
    result = maya.recall(QUESTION)
    house.close()

    written = "form classify embed fence structured lexical fuzzy dense entity time fuse rank gate collapse rerank"
    assert list(dict.fromkeys(entered))[:-4] == written.split()
    assert set(entered[-5:-2]) == {"safety", "fit"}  # an item is made safe when it is its turn to be fitted
    assert entered[-2:] == ["render", "trace"]
    assert set(result.stages_ms) == set(entered)
    assert all(milliseconds > 0 for milliseconds in result.stages_ms.values())
