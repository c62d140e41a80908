"""How a question becomes queries: what is in play, what it asks of its user, and what the user owns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from threading import Event

import pytest

from bethink.domain.query import Query
from bethink.domain.record import Status
from bethink.domain.scope import Sensitivity
from bethink.memory import Steps
from bethink.operations.recall import RecallRequest, RecallResult
from bethink.operations.remember import Mention
from bethink.recall.policy import OWNED_RESOURCES
from bethink.recall.query import TextFormer
from tests.behaviour.house import MARCH, House, arms, ids, know, pool, stored, texts
from tests.behaviour.requirements import requirement

FLOOD = 70
"""More than the structured arm hands on."""


def flood(memory, content: str, **fields: object) -> list[str]:
    """Many records of one kind, each with words of its own."""
    return [know(memory, f"{content} {number}", **fields) for number in range(FLOOD)]


def exact(result: RecallResult) -> dict[str, tuple[str, float]]:
    """By id what let an item pass and how well it matched."""
    return {item.id: (item.explanation.passed, item.explanation.match) for item in result.items}


@dataclass
class Former:
    """A host's own way to form queries."""

    asked: list[str] = field(default_factory=list)

    def form(self, request: RecallRequest) -> Query:
        self.asked.append(request.text)
        return TextFormer().form(replace(request, text="kiln"))


@dataclass
class Rewriter:
    """Says what it is told to, and counts how often it was asked."""

    says: str = "blue kiln"
    fails: bool = False
    holds: Event | None = None
    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def rewrite(self, text: str, context: tuple[str, ...]) -> str:
        self.asked.append((text, context))
        if self.holds is not None:
            self.holds.wait(30)
        if self.fails:
            raise OSError("no connection")
        return self.says


@requirement("A59", "A60")
def test_objective_open_questions_and_entities_in_play_find_what_the_message_does_not_name(house):
    house.embedder = None
    maya = house.bind()
    kiln = know(maya, "The blue kiln burns gas")
    ferry = know(maya, "The ferry leaves at nine")
    rex = know(maya, "He eats twice a day", subject="Rex")

    assert ids(maya.recall("And then?", objective="Move the kiln")) == [kiln]
    assert ids(maya.recall("And then?", open_questions=("When does the ferry leave?",))) == [ferry]
    assert ids(maya.recall("When does he eat?", entities=("Rex",)))[0] == rex


@requirement("A60")
def test_an_entity_is_in_play_under_every_name_it_has(house):
    house.embedder = None
    maya = house.bind()
    acme = know(maya, "pays in thirty days", subject="Acme Corp", mentions=(Mention("Acme Corp", "org"),))
    with stored(maya) as work:
        entity = work.entities.resolve(["user:maya"], "acme corp")[0]
        work.connection.post(
            "add_alias", tenant="default", scope="user:maya", alias_key="acme", id=entity.id, alias="Acme"
        )
    looked_up = maya.recall(subjects=("ACME",))
    asked = maya.recall("How does Acme pay?")

    assert exact(looked_up)[acme][0] == "exact subject"
    assert ids(asked) == [acme]
    assert maya.trace(looked_up.trace_id).trace.query["aliases"] == ["acme corp"]
    assert maya.trace(looked_up.trace_id).trace.query["subjects"] == ["acme", "acme corp"]


@requirement("A60")
def test_the_session_says_in_which_project_a_question_is_asked(house):
    house.embedder = None
    here, there = house.bind(project="bakery", session="talk"), house.bind(project="pottery")
    home, away = know(here, "The blue kiln is ours"), know(there, "The blue kiln is theirs")
    result = here.recall("blue kiln")

    assert ids(result) == [home, away]
    assert here.trace(result.trace_id).trace.session == "talk"
    assert here.trace(result.trace_id).trace.query["fence"]["project"] == "bakery"


@requirement("A61")
def test_the_structured_arm_is_asked_for_entities_and_types_and_the_others_for_the_meaning(house):
    maya = house.bind()
    rex = know(maya, "He eats twice a day", subject="Rex")
    likes = know(maya, "Porridge in the morning", type="preference")
    kiln = know(maya, "The blue kiln burns gas")
    result = maya.recall("What do I like about the blue kiln?", subjects=("Rex",))
    found = arms(maya, result)

    assert sorted(found["structured"]) == sorted([rex, likes])
    assert found["lexical"] == [kiln]
    assert kiln in found["dense"]


@requirement("A62")
def test_a_host_can_form_queries_its_own_way(house):
    former = Former()
    house.open(steps=Steps(former=former))
    maya = house.bind()
    kiln = know(maya, "The blue kiln burns gas")

    assert ids(maya.recall("ferry")) == [kiln]
    assert former.asked == ["ferry"]


@requirement("A62", "E38")
def test_no_model_is_asked_unless_the_settings_let_a_read_use_one(house):
    rewriter = Rewriter()
    house.open(steps=Steps(rewriter=rewriter))
    maya = house.bind()
    know(maya, "The blue kiln burns gas")
    result = maya.recall("Which oven?")

    assert rewriter.asked == []
    assert "rewritten" not in maya.trace(result.trace_id).trace.query


@requirement("A63", "E38", "E83")
def test_a_rewriter_that_is_let_sees_question_and_context_once_and_both_forms_are_searched_and_kept(house):
    house.embedder = None
    rewriter = Rewriter()
    house.open(steps=Steps(rewriter=rewriter), recall__read_models=True)
    maya = house.bind()
    kiln = know(maya, "The blue kiln burns gas")
    asked = {"objective": "Move", "entities": ("Rex",)}
    first, second = (maya.recall("Which oven?", **asked) for _ in range(2))
    query = maya.trace(first.trace_id).trace.query

    assert ids(first) == [kiln]
    assert ids(second) == ids(first)
    assert rewriter.asked == [("Which oven?", ("Move", "Rex"))]
    assert (query["text"], query["rewritten"]) == ("Which oven?", "blue kiln")
    maya.forget(kiln, mode="erase")
    assert "rewritten" not in maya.trace(first.trace_id).trace.query
    maya.recall("Which oven?", **asked)
    assert len(rewriter.asked) == 2


@requirement("A63")
@pytest.mark.parametrize("says", ["", "late", "broken"])
def test_a_rewriter_that_is_silent_late_or_broken_costs_nothing_but_a_notice(house, says):
    held = Event()
    rewriter = Rewriter(says="", fails=says == "broken", holds=held if says == "late" else None)
    house.open(steps=Steps(rewriter=rewriter), recall__read_models=True)
    maya = house.bind()
    kiln = know(maya, "The blue kiln burns gas")
    result = maya.recall("blue kiln", timeout_ms=500)
    held.set()

    assert ids(result) == [kiln]
    assert [notice.code for notice in result.notices] == ["not_rewritten"]
    wanted = {"": "nothing was said", "late": "out of time", "broken": "OSError"}
    assert wanted[says] in result.notices[0].text


@requirement("A64", "A65")
@pytest.mark.parametrize(
    ("question", "type_", "others"),
    [
        ("What do I like to drink?", "preference", ("user_attribute", "relationship", "resource")),
        ("Who is my sister?", "relationship", ("preference", "user_attribute", "resource")),
        ("Where do I live?", "user_attribute", ("preference", "relationship", "resource")),
    ],
)
def test_a_question_about_oneself_finds_its_type_among_any_number_of_others(house, question, type_, others):
    house.embedder = None
    maya = house.bind()
    flood(maya, "Unrelated note", type=others[0])
    for other in others:
        know(maya, "Unrelated", type=other)
    wanted = know(maya, "Zamora since the autumn", type=type_)
    result = maya.recall(question)

    assert ids(result) == [wanted]
    assert arms(maya, result)["structured"] == [wanted]


@requirement("A68", "A79")
def test_a_type_alone_an_owned_thing_and_an_exact_subject_match_at_their_worth_and_words_as_usual(house):
    house.embedder = None
    maya = house.bind()
    typed = know(maya, "Zamora since the autumn", type="preference")
    owned = know(maya, "User has a 2026 Aster S8", type="resource")
    named = know(maya, "burns gas", subject="Kiln")
    result = maya.recall("What tea do I like, and what fits my car?", subjects=("kiln",))
    found = exact(result)

    assert found[typed] == ("exact type", 0.25)
    assert found[owned] == ("exact owned", 0.5)
    assert found[named] == ("exact subject", pytest.approx(1 - 0.1 * (1 - 0.08 / 1.08), abs=0.001))
    parts = {item.id: item.explanation.parts["match"] for item in result.items}
    assert parts == pytest.approx({typed: 0.10, owned: 0.20, named: 0.363}, abs=0.001)
    worded = know(maya, "Green tea with fits of fog in the car", type="preference")
    better = maya.recall("What tea do I like, and what fits my car?")
    assert exact(better)[worded][1] == pytest.approx(0.287, abs=0.001)


@requirement("A69", "A70", "A75")
@pytest.mark.parametrize("question", ["Which vehicle should I buy?", "How do I deploy this service?"])
def test_questions_for_advice_and_for_a_way_bring_no_personal_details(house, question):
    house.embedder = None
    maya = house.bind()
    for type_ in ("preference", "user_attribute", "relationship"):
        know(maya, "Zamora since the autumn", type=type_)
    know(maya, "User has a 2026 Aster S8", type="resource")
    result = maya.recall(question)

    assert ids(result) == []
    assert arms(maya, result)["structured"] == []


@requirement("A71")
def test_the_profile_lookup_keeps_to_caps_weights_and_fence_and_raises_nothing(house):
    house.embedder = None
    maya, other = house.bind(), house.bind("bob", "bert")
    know(other, "Theirs alone", type="preference")
    secret = know(maya, "Hidden from here", type="preference", sensitivity=Sensitivity.SECRET)
    for number in range(5):
        know(maya, f"Zamora {number}", type="preference", subject="Maya")
    doubtful = house.bind(voice="agent").remember("Perhaps Salamanca", type="preference").id
    result = maya.recall("What do I like?", max_items=30)
    provisional = next(item for item in result.items if item.id == doubtful)

    assert secret not in ids(result)
    assert "Theirs alone" not in texts(result)
    assert sum(item.subject == "Maya" for item in result.items) == 3
    assert provisional.status is Status.PROVISIONAL
    assert maya.get(doubtful).record.status is Status.PROVISIONAL
    assert len(ids(maya.recall("What do I like?", max_items=2))) == 2
    snapshot = maya.recall("What do I like?", moment="snapshot")
    assert "exact type" not in {item.explanation.passed for item in snapshot.items}


@requirement("A72", "A74", "A75")
def test_a_possessive_finds_what_the_user_says_to_own_and_not_every_attribute(house):
    house.embedder = None
    maya = house.bind()
    owned = {
        know(maya, "User has a 2026 Aster S8", type="user_attribute"),
        know(maya, "The user drives a Pinzgauer", type="resource"),
        know(maya, "uses the left pump", type="project_fact", subject="User"),
    }
    for content, type_ in (
        ("User has sold the Minerva", "user_attribute"),
        ("User has no trailer", "resource"),
        ("User once owned a boat", "resource"),
        ("User speaks Galician", "user_attribute"),
        ("User has a 2025 Orix", "fact"),
        ("User has a passing whim", "preference"),
        ("Bob has a 2024 Delta", "resource"),
    ):
        know(maya, content, type=type_)
    result = maya.recall("What fuel should I use for my car?")

    assert set(ids(result)) == owned
    assert {item.explanation.passed for item in result.items} == {"exact owned"}


@requirement("A73")
def test_an_agent_that_searches_on_purpose_names_the_user_in_keywords(house):
    house.embedder = None
    maya = house.bind()
    owned = know(maya, "The user drives an Aster S8", type="resource")
    flood(maya, "A user note", type="fact")

    assert ids(maya.recall("user vehicle"))[0] == owned
    assert not maya.trace(maya.recall("user vehicle", moment="in_turn").trace_id).trace.owned_resources


@requirement("A76")
def test_a_sister_a_taste_and_a_car_are_each_looked_up_by_what_they_are(house):
    house.embedder = None
    maya = house.bind()
    sister = know(maya, "Inés in Vigo", type="relationship")
    taste = know(maya, "Black with sugar", type="preference")
    car = know(maya, "User has a 2026 Aster S8", type="resource")
    know(maya, "Born in Zamora", type="user_attribute")
    result = maya.recall("Who is my sister, what coffee do I like, and what tyres fit my car?")

    assert ids(result)[0] == car
    assert sorted(ids(result)) == sorted([sister, taste, car])


@requirement("A77")
def test_a_query_says_whether_owned_things_were_looked_up_and_one_from_before_did_not(house):
    maya = house.bind()
    know(maya, "User has a 2026 Aster S8", type="resource")
    asked, plain, forbidden, forced = (
        maya.trace(maya.recall(text, include_owned_resources=given).trace_id).trace
        for text, given in (("my car", None), ("a car", None), ("my car", False), ("a car", True))
    )

    assert [trace.owned_resources for trace in (asked, plain, forbidden, forced)] == [True, False, False, True]
    assert asked.query["include_owned_resources"] is True
    old = replace(asked, query={name: asked.query[name] for name in asked.query if name != "include_owned_resources"})
    assert not old.owned_resources


@requirement("A78")
@pytest.mark.parametrize("first", [True, False])
def test_what_is_owned_comes_before_any_limit_whatever_else_bears_the_name_or_type(house, first):
    house.embedder = None
    maya = house.bind()

    def own() -> str:
        return know(maya, "drives an Aster S8", type="resource", subject="User")

    early = own() if first else ""
    flood(maya, "A note about the user", type="user_attribute", subject="User")
    owned = early or own()
    result = maya.recall(
        "What tyres fit my vehicle?", subjects=("user",), type_hints=("resource", "user_attribute"), max_items=5
    )

    found = arms(maya, result)["structured"]

    assert len(found) == 60
    assert owned in found
    assert owned in pool(maya, result)


@requirement("A78")
def test_what_was_owned_is_found_by_history_and_by_what_held_then(house):
    house.embedder = None
    maya = house.bind()
    about = {"type": "resource", "subject": "User", "attribute": "vehicle"}
    old = know(maya, "drives an Aster S8", valid_from=MARCH - timedelta(days=90), **about)
    know(maya, "Another note", type="resource", valid_from=MARCH - timedelta(days=90))
    house.clock.advance(days=30)
    new = know(maya, "drives a Pinzgauer", valid_from=MARCH + timedelta(days=20), **about)
    asked = "What tyres fit my vehicle?"

    assert ids(maya.recall(asked)) == [new]
    assert ids(maya.recall(asked, as_of=MARCH - timedelta(days=1))) == [old]
    assert set(ids(maya.recall(asked, include_superseded=True))) == {old, new}


@requirement("A81")
def test_a_query_that_looked_up_owned_things_says_so_in_policy_and_header_and_no_other_does(house):
    maya = house.bind()
    know(maya, "User has a 2026 Aster S8 car", type="resource")
    owned, plain = maya.recall("What tyres fit my car?"), maya.recall("Aster S8 car")

    assert OWNED_RESOURCES == "owned-resources@1"
    assert owned.policy == f"{plain.policy}+owned-resources@1"
    for result in (owned, plain):
        assert result.rendered.splitlines()[0].endswith(f'policy="{result.policy}">')
        assert maya.trace(result.trace_id).trace.policy == result.policy
        assert maya.trace(result.trace_id).verification == "verified"
        assert maya.trace(result.trace_id).reproduced


def test_owned_things_written_by_another_process_and_erased_ones_are_kept_up_with(house: House):
    house.embedder = None
    maya = house.bind()
    first = know(maya, "User has a 2026 Aster S8", type="resource")
    assert ids(maya.recall("my car")) == [first]
    second = know(house.open().bind("maya", "aria", voice="user"), "User owns a Pinzgauer", type="resource")
    assert set(ids(maya.recall("my car"))) == {first, second}
    maya.forget(first, mode="erase")
    assert ids(maya.recall("my car")) == [second]
