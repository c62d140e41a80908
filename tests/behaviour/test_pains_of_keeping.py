"""What users of memories ran into when beliefs pile up or change: copies, mergers, corrections that correct nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.formation.review import RulesReviewer
from bethink.memory import BoundMemory
from bethink.operations.extraction import Suggestion, VerdictRequest
from bethink.ports.advice import Advisers
from bethink.ports.models import Readers
from tests.behaviour.house import ByHand, House, beliefs, events, ids, know, live, record
from tests.behaviour.requirements import requirement
from tests.behaviour.scripted import LIVES, Glue, Script, played, read, talk

HOME = {"subject": "maya", "attribute": "home city"}
SAID = "The user lives in Porto with two cats."
ASKED = "Where does the user live?"
TOOL = SourceKind.TOOL_RESULT


def by_remember(house: House, memory: BoundMemory) -> None:
    memory.remember(SAID, **HOME)


def by_evidence(house: House, memory: BoundMemory) -> None:
    house.bind(voice="agent", session="talk").remember(SAID, evidence=LIVES, **HOME)


def by_reading(house: House, memory: BoundMemory) -> None:
    talk(house, LIVES, session="other")
    read(house, "other")


def by_verdict(house: House, memory: BoundMemory) -> None:
    talk(house, LIVES, session="briefed")
    brief = memory.extract_brief("briefed")
    memory.extract_verdict(VerdictRequest("briefed", brief.claim, (Suggestion(SAID, LIVES, **HOME),)))


def by_rederiving(house: House, memory: BoundMemory) -> None:
    talk(house, LIVES, session="anew")
    memory.rederive("anew")


def by_the_project(house: House, memory: BoundMemory) -> None:
    house.bind(project="loom").remember(SAID, **HOME)


WAYS: list[Callable[[House, BoundMemory], None]] = [
    by_remember,
    by_evidence,
    by_reading,
    by_verdict,
    by_rederiving,
    by_the_project,
]


@requirement("P7")
@pytest.mark.parametrize("second", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("first", WAYS[:3:2], ids=lambda way: way.__name__)
def test_whichever_way_a_statement_comes_in_it_meets_the_one_that_is_there(house, first, second):
    played(house, Script([Suggestion(SAID, LIVES, **HOME)]))
    memory = house.bind()
    talk(house, LIVES, session="talk")
    for way in (first, second):
        house.clock.advance(days=1)
        way(house, memory)

    (kept,) = live(memory)
    assert record(memory, kept).content.text == SAID


@requirement("P7")
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_replacement_by_words_that_are_there_gives_way_to_them(house, way):
    played(house, Script([Suggestion(SAID, LIVES)]))
    memory = house.bind()
    talk(house, LIVES, session="talk")
    way(house, memory)
    house.clock.advance(days=1)
    (kept,) = live(memory)
    old = know(memory, "The user lives in Faro.")
    memory.revise(old, action="supersede", content=SAID)

    assert live(memory) == [kept]
    assert record(memory, old).superseded_by == kept


@requirement("P8")
def test_a_compaction_that_finds_copies_acts_on_them_and_a_second_one_changes_nothing(house):
    house.embedder = ByHand({"tea": 1.0, "boat": 0.6, "flute": 0.2})
    maya = house.bind()
    for thing in ("likes tea", "owns a boat", "plays the flute"):
        for text in (f"Maya {thing}", f"maya {thing}.", f"Maya {thing}!"):
            know(maya, text, subject="Maya")
            house.clock.advance(hours=1)
    memory = house.opened[0]

    done = [memory.run_jobs().counts for _ in range(6) if house.clock.advance(hours=2)]
    kept, written = live(maya), len(events(maya))
    again = [memory.run_jobs().counts for _ in range(3) if house.clock.advance(hours=2)]

    assert sum(count.get("near", 0) for count in done) >= 6
    assert sum(count.get("supersede_a", 0) + count.get("supersede_b", 0) for count in done) == 6
    assert len(kept) == 3
    assert len({record(maya, item).content.text.casefold().rstrip(".!") for item in kept}) == 3
    assert (live(maya), len(events(maya))) == (kept, written)
    assert not any(count.get(name) for count in again for name in ("near", "supersede_a", "supersede_b", "merge"))


@requirement("P9")
def test_merging_never_grows_a_record_beyond_its_bound_and_loses_no_fact(house):
    house.embedder = ByHand({"Maya": 1.0})
    house.open(advisers=Advisers(pairs=Glue()))
    maya = house.bind()
    facts = [f"Maya keeps the thing that they call {f'{name * 9} ' * 7}{name}" for name in "abcdefghij"]
    for fact in facts:
        know(maya, fact, subject="Maya")
        house.clock.advance(minutes=1)
    for _ in range(14):
        house.opened[0].run_jobs()
        house.clock.advance(hours=2)

    kept = [record(maya, item).content.text for item in live(maya)]
    assert len(kept) < len(facts)
    assert max(map(len, kept)) <= 600
    assert [fact for fact in facts if not any(fact in text for text in kept)] == []


@requirement("P9")
def test_what_gives_different_attributes_is_never_merged(house):
    house.embedder = ByHand({"Maya": 1.0})
    house.open(advisers=Advisers(pairs=Glue()))
    maya = house.bind()
    kept = [know(maya, f"Maya {name} it", subject="Maya", attribute=name) for name in ("likes", "owns", "plays")]
    for _ in range(4):
        house.opened[0].run_jobs()
        house.clock.advance(hours=2)

    assert live(maya) == sorted(kept)


@requirement("P13")
@pytest.mark.parametrize(
    "spellings",
    [
        ("Rex", "REX", "rex"),
        ("Rex", "Rex \U0001f436", "\U0001f436Rex"),
        ("Rex \U0001f436", "Rex", "REX \u2764\ufe0f"),
        ("\uff32\uff45\uff58", "Rex", " Rex  "),
    ],
    ids=["case", "decorated later", "decorated first", "width"],
)
def test_the_spellings_of_a_name_in_one_session_become_one_entity(house, maya, spellings):
    said = [f"Today Rex ate bowl number {number}." for number in range(3)]
    script = Script(
        [Suggestion(text, text, subject=name, type="fact") for text, name in zip(said, spellings, strict=True)]
    )
    played(house, script)
    talk(house, *said)

    assert len(read(house).beliefs) == 3

    (card,) = [card for card in maya.entities().entities if card.name != "maya"]
    assert card.mentions == 3
    assert maya.entities(name="rex").entities == (card,)


STATEMENTS = st.tuples(
    st.sampled_from(["maya", "noor"]),
    st.sampled_from(["Rex", "Ada"]),
    st.sampled_from(["city", "job"]),
    st.integers(0, 3),
)


@requirement("P19")
@settings(max_examples=25, deadline=None)
@given(st.lists(STATEMENTS, min_size=2, max_size=8))
def test_a_statement_ends_only_what_gives_the_same_attribute_of_the_same_subject_and_owner(database, said):
    with database.passing() as place, closing(House(place, embedder=None)) as house:
        current: dict[tuple[str, str, str], str] = {}
        for user, subject, attribute, value in said:
            memory = house.bind(user)
            house.clock.advance(days=1)
            told = memory.remember(
                f"The {attribute} is number {value}", subject=subject, attribute=attribute, source=SourceKind.SYSTEM
            )
            key = (user, subject, attribute)
            assert set(told.superseded) <= {current.get(key)}
            current[key] = told.id
            for (owner, *_), item in current.items():
                assert record(house.bind(owner), item).status is Status.ACTIVE


@requirement("P21")
def test_a_claim_that_is_mentioned_asked_about_denied_or_recalled_gains_nothing_by_it(house, maya):
    talk(house, "I live in Lisbon.", session="first")
    claim = read(house, "first").beliefs[0].id
    before = record(maya, claim)
    mentions = [
        ("user", "Did I say that I live in Lisbon?"),
        ("user", "You said that I live in Lisbon."),
        ("user", 'Your notes say "I live in Lisbon." and I wonder why.'),
        ("user", "If I live in Lisbon, how long is the way to work?"),
        ("assistant", "You live in Lisbon."),
    ]
    script = Script()
    house.opened.insert(0, house.open(readers=Readers(script, RulesReviewer())))
    for number, said in enumerate(mentions):
        house.clock.advance(hours=1)
        talk(house, said, session=f"talk {number}")
        script.suggestions = [
            Suggestion("The user lives in Lisbon.", said[1], type="user_attribute", attribute="home city")
        ]
        assert read(house, f"talk {number}").beliefs == ()
        maya.recall("Where does the user live?")
        house.bind(voice="agent").remember("The user lives in Lisbon.", type="user_attribute", **HOME)

    after = record(maya, claim)
    assert (after.usage.confidence, after.usage.evidence_count) == (before.usage.confidence, 1)
    assert after.status is before.status


@requirement("P21")
def test_a_correction_links_to_what_it_corrects_and_telling_the_error_again_does_not_raise_it(house, maya):
    wrong = maya.remember("Maya lives in Lisbon", **HOME).id
    house.clock.advance(days=1)
    right = maya.revise(wrong, action="supersede", content="Maya lives in Porto").id
    before = record(maya, wrong).usage
    for number in range(3):
        talk(house, ("assistant", "Maya lives in Lisbon"), "You said Maya lives in Lisbon.", session=f"again {number}")
        read(house, f"again {number}")

    assert record(maya, right).supersedes == (wrong,)
    assert (record(maya, wrong).superseded_by, record(maya, wrong).usage) == (right, before)
    assert record(maya, wrong).status is Status.SUPERSEDED


@requirement("P22")
@pytest.mark.parametrize("history", [False, True])
def test_what_was_corrected_never_stands_before_its_correction_however_well_it_matches(house, maya, history):
    question = "Where does Maya live in Lisbon, Lisbon city, Portugal?"
    wrong = maya.remember("Maya lives in Lisbon city, Lisbon, Portugal. Where Maya lives is Lisbon.", **HOME).id
    for _ in range(6):
        answer = maya.recall(question)
        maya.used(answer.trace_id, [wrong])
    house.clock.advance(days=1)
    right = maya.revise(wrong, action="supersede", content="Maya moved to Porto").id
    for asked in (question, "Lisbon", "Maya Portugal"):
        result = maya.recall(asked, include_superseded=history, on_weak="lexical")
        found = [item for item in ids(result) if item in {wrong, right}]
        assert (found in ([right, wrong], [right], [wrong])) if history else (wrong not in found)
        assert asked != question or not history or found == [right, wrong]
        assert all(item.score == pytest.approx(sum(item.explanation.parts.values())) for item in result.items)


@requirement("P23", "P32")
@pytest.mark.parametrize("way", ["again", "revise", "reject"])
def test_a_correction_leaves_one_that_holds_and_the_other_kept_and_linked(house, maya, way):
    wrong = maya.remember("Maya lives in Lisbon", **HOME).id
    house.clock.advance(days=1)
    match way:
        case "again":
            right = maya.remember("Maya lives in Porto", **HOME).id
        case "revise":
            right = maya.revise(wrong, action="supersede", content="Maya lives in Porto").id
        case _:
            right = maya.reject(wrong, reason="changed", content="Maya lives in Porto").id
    house.clock.advance(days=1)

    assert live(maya) == [right]
    assert beliefs(maya, "Where does Maya live?") == [right]
    kept = maya.get(wrong, history=True).record
    assert (kept.content.text, kept.status, kept.superseded_by) == ("Maya lives in Lisbon", Status.SUPERSEDED, right)
    assert record(maya, right).supersedes == (wrong,)
