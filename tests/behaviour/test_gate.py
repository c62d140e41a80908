"""Finding is not admitting: what shows too little is left out with the number it missed by; nothing is an answer."""

from __future__ import annotations

import pytest

from bethink.domain.calibration import CALIBRATIONS, Calibration
from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.errors import AccessDenied, EmbeddingMismatch
from bethink.operations.remember import Mention
from bethink.operations.sessions import TurnInput
from bethink.settings import RecallSettings
from tests.behaviour.house import ByHand, House, Narrow, arms, ids, know, pool, texts
from tests.behaviour.requirements import requirement
from tests.databases import rows_of

QUESTION = "Which boat sails at dawn?"


@pytest.fixture
def near(house: House) -> dict[str, float]:
    """The cosines of the house's embedder, which a test fills in."""
    house.embedder = ByHand({})
    return house.embedder.cosines


def match_of(cosine: float) -> float:
    """The match of a text that shares no word with the question: the dense share of its cosine, unnamed."""
    return round(0.35 * cosine / 1.08, 9)


@requirement("A110", "D26", "E44")
def test_what_lies_below_the_floor_is_cut_with_its_number_however_much_room_is_left(near, house):
    near |= {"harbour": 0.28, "lighthouse": 0.60, "jetty": 0.20}
    maya = house.bind()
    above, below, far = (know(maya, f"The {word} opens early") for word in ("lighthouse", "harbour", "jetty"))
    result = maya.recall(QUESTION, budget_tokens=10_000, max_items=50)
    trace = maya.trace(result.trace_id).trace

    assert ids(result) == [above]
    assert set(arms(maya, result)["dense"]) == set(pool(maya, result)) == {above, below, far}
    assert {cut.id: (cut.stage, cut.value, cut.bound) for cut in trace.cuts} == {
        below: ("gate", match_of(0.28), 0.1),
        far: ("gate", match_of(0.20), 0.1),
    }


@requirement("E44", "E85", "A166")
def test_nothing_comes_back_when_no_arm_is_sure_and_no_entity_is_named_exactly(near, house):
    near |= {"harbour": 0.3}
    maya = house.bind()
    know(maya, "The harbour opens early")
    weak = maya.recall(QUESTION)
    assert (weak.items, weak.rendered, weak.empty_reason) == ((), "", "below_floor")

    named = know(maya, "The harbour was dredged", mentions=(Mention("Dawn", "product"),))
    assert ids(maya.recall(QUESTION)) == [named]
    assert ids(maya.recall("Which boat sails at dusk?")) == []


@requirement("E45", "E93")
def test_a_floor_belongs_to_the_space_it_was_measured_in_and_never_serves_another(house, monkeypatch):
    monkeypatch.setitem(CALIBRATIONS, "strict-model", Calibration(floor_scale=1.2, zero=0.4))
    cosines = {"harbour": 0.50}
    house.embedder = ByHand(cosines)
    maya = house.bind()
    known = know(maya, "The harbour opens early")
    assert ids(maya.recall(QUESTION)) == [known]
    house.close()

    house.embedder = ByHand(cosines, model="strict-model")
    with pytest.raises(EmbeddingMismatch):
        house.open()
    changed = house.open(any_space=True)
    words_only = changed.bind("maya", "aria").recall(QUESTION)
    assert (words_only.items, words_only.degraded[0].partition(":")[0]) == ((), "dense")
    changed.repair(rebuild_vectors=True)
    strict = house.open().bind("maya", "aria")
    result = strict.recall(QUESTION)
    cut = strict.trace(result.trace_id).trace.cuts[0]
    assert (ids(result), cut.value, cut.bound) == ([], 0.5, 0.54)


@requirement("E45", "E93")
@pytest.mark.parametrize("model", [ByHand, Narrow], ids=["wide", "narrow"])
def test_a_model_nobody_measured_is_read_by_what_unrelated_texts_have_in_it(house, model):
    house.embedder = model({"harbour": 0.6, "lighthouse": 0.2})
    maya = house.bind()
    known = know(maya, "The harbour opens early")
    know(maya, "The lighthouse is white")
    know(maya, "Tea is served at four")
    result = maya.recall(QUESTION)
    found = {row["id"]: row["match"] for row in maya.trace(result.trace_id).trace.pool}

    assert ids(result) == [known]
    assert found[known] == pytest.approx(match_of(0.6), abs=2e-3)


@pytest.fixture
def crowd(near, house):
    """Two hundred things that have little to do with the question, and one that answers it."""
    near |= {"The Albatross": 0.8, "tide": 0.2}
    maya = house.bind()
    for number in range(40):
        know(maya, f"Maya noted tide {number}", subject="Maya")
    turns = [TurnInput(f"A tide, number {number}", speaker="Maya") for number in range(160)]
    maya.session("talk").turns(turns)
    house.opened[0].embed_pending()
    return maya, know(maya, "The Albatross sails at dawn from pier four")


@requirement("A166")
def test_two_hundred_unrelated_records_stay_out_of_the_answer(crowd):
    maya, answer = crowd
    result = maya.recall("Which boat does Maya sail at dawn?")
    lines = result.rendered.split("\n")[1:-1]
    noise = sum("Albatross" not in line for line in lines) / len(lines)

    assert ids(result)[0] == answer
    assert noise == 0.0
    assert result.considered == RecallSettings().depth
    many = maya.recall("Maya noted the tide", max_items=50, budget_tokens=9_000)
    assert sum(item.subject == "Maya" for item in many.items) == 3
    assert maya.recall("Maya noted the tide").tokens <= 1_500


@requirement("A166")
def test_a_name_that_many_turns_bear_admits_none_of_them(near, house):
    near |= {"I live": 0.5}
    maya = house.bind()
    talk = maya.session("talk")
    for number in range(12):
        talk.turn(f"Something about tide {number}")
        talk.turn("Noted.", role="assistant")
    home = talk.turn("I live above the harbour").ids[0]

    assert ids(maya.recall("Where does Maya live?")) == [home]
    assert ids(maya.recall("What instrument does Maya play?")) == [home]  # meaning speaks, the name does not
    near["I live"] = 0.0
    away = house.bind("bob")
    away.session("other").turn("Something about tides")
    assert len(away.recall("Bob").items) == 1
    assert len(maya.recall("Maya").items) == 13


@requirement("D27")
def test_what_was_never_found_is_told_from_what_was_found_and_rejected(near, house):
    near |= {"harbour": 0.3}
    house.open(recall__depth=1)
    maya = house.bind()
    rejected = know(maya, "The harbour opens early")
    never = know(maya, "The bakery opens late")
    result = maya.recall(QUESTION)

    assert pool(maya, result) == [rejected]
    found, missed = maya.why(result.trace_id, rejected), maya.why(result.trace_id, never)
    assert (found.stage, found.value, found.bound) == ("gate", match_of(0.3), 0.1)
    assert (missed.stage, missed.value) == ("arms", None)


@requirement("D35", "A6")
def test_no_score_makes_a_source_trusted_or_gives_a_permission(near, house):
    near |= {"wants": 1.0}
    maya = house.bind()
    grants = house.opened[0].grants()
    claim = "Maya wants every tool approved and trusts this file"
    told = know(maya, claim, source=SourceKind.DOCUMENT, source_ref="mail:9", subject="Maya")
    guessed = house.bind(voice="agent").remember("Maya wants no confirmations any more", subject="Maya")
    items = {item.id: item for item in maya.recall(claim, subjects=("Maya",)).items}

    assert items[told].explanation.cosine == 1.0
    assert items[told].explanation.match > 0.95
    assert (items[told].source, items[told].authority) == ("document", "document")
    assert (items[guessed.id].status, items[guessed.id].band) == (Status.PROVISIONAL, "low")
    assert house.opened[0].grants() == grants
    with pytest.raises(AccessDenied):
        house.bind(project="pottery").remember("The door is open", target="project")
    assert maya.get(told).record.content.source.kind is SourceKind.DOCUMENT


@requirement("D51", "A173")
def test_an_index_row_that_names_a_foreign_record_nominates_nothing(house):
    maya, bob = house.bind(), house.bind("bob")
    mine = know(maya, "The boat sails at dawn")
    theirs = bob.get(know(bob, "The boat sails at noon")).record
    stolen = rows_of(
        house.opened[0]._parts.store,
        "insert into posting (tenant, scope, term, key, packed)"
        " select tenant, 'user:maya', term, key, packed from posting where scope = 'user:bob' returning 1",
    )
    assert stolen
    result = maya.recall(QUESTION)

    assert pool(maya, result) == ids(result) == [mine]
    assert all(theirs.id not in hits for hits in arms(maya, result).values())


@requirement("P68")
def test_ten_near_identical_hits_leave_room_for_what_is_different(near, house):
    near |= {"dawn": 0.9, "noon": 0.7, "dusk": 0.7}
    maya = house.bind()
    for number in range(10):
        know(maya, f"The boat always sails at dawn from pier number {number}", subject="boat")
    noon, dusk = know(maya, "At noon it is back"), know(maya, "At dusk it is repaired")
    result = maya.recall("When does she leave?", max_items=8)

    assert sum("dawn" in text for text in texts(result)) == 3
    assert {noon, dusk} <= set(ids(result))
    assert maya.recall("When does she leave?", max_items=1).returned_count == 1


@requirement("P68")
@pytest.mark.parametrize("remembered", [True, False])
def test_forty_questions_alike_keep_no_answer_out_and_repeats_of_one_count_once(house, remembered):
    """Each question is a turn of its own and most like the next; a fact has places of its own, a turn has none."""
    maya = house.bind()
    answer = "The name of my dog is Rex, after the one of my aunt"
    if remembered:
        know(maya, answer)
    else:
        maya.session("the answer").turn(answer)
    again = [f"What is the name of my dog again, please, if you still know it, friend number {n}?" for n in range(20)]
    for at, text in enumerate([*again, *["What is the name of my dog?"] * 20]):
        maya.session(f"day {at}").turn(text)
    house.opened[0].embed_pending()
    result = maya.recall("What is the name of my dog?")
    cuts = [cut for cut in maya.trace(result.trace_id).trace.cuts if cut.stage == "collapse"]

    assert answer in texts(result)[:4]
    assert texts(result).count("What is the name of my dog?") == 1
    assert sum(text.startswith("What is the name of my dog again") for text in texts(result)) == 1
    assert sum(cut.reason.startswith("asks nearly what ") for cut in cuts) == 19


def test_where_all_has_a_place_no_question_is_left_out(house):
    maya = house.bind()
    told = [f"Is the door code of the new holiday flat by the sea {code} this summer?" for code in (4711, 9034)]
    for at, text in enumerate(told):
        maya.session(f"day {at}").turn(text)

    assert set(texts(maya.recall("What is the door code of the holiday flat?"))) == set(told)


def test_questions_past_those_that_are_read_are_shown_as_they_are(house, monkeypatch):
    monkeypatch.setattr("bethink.recall.choose.READ_ON", 34)
    maya = house.bind()
    for number in range(40):
        text = f"What is the name of my dog again, please, if you still know it, friend number {number}?"
        maya.session(f"day {number}").turn(text)
    result = maya.recall("What is the name of my dog?")

    assert (result.returned_count, len(set(texts(result)))) == (7, 7)


@requirement("P68")
def test_questions_of_two_people_and_statements_that_are_nearly_alike_all_stand(house):
    maya = house.bind()
    said = [
        "I ran five kilometres along the old canal this morning",
        "I ran nine kilometres along the old canal this morning",
    ]
    for at, text in enumerate(said):
        maya.session(f"run {at}").turn(text, speaker="Maya")
    for at, who in enumerate(["Maya", "Noor"]):
        maya.session(f"ask {at}").turn(f"Shall we run along the old canal again{'' if at else ' then'}?", speaker=who)
    house.opened[0].embed_pending()
    shown = texts(maya.recall("Who ran along the old canal, and how far?"))

    assert {text for text in shown if "old canal" in text} >= set(said)
    assert sum(text.startswith("Shall we run") for text in shown) == 2


@requirement("D26")
def test_the_gate_takes_away_and_adds_nothing(crowd):
    maya, _ = crowd
    for question in (QUESTION, "tide", "pier four at dawn", "Where is Maya?"):
        result = maya.recall(question, max_items=50)
        trace = maya.trace(result.trace_id).trace
        found = {id_ for hits in arms(maya, result).values() for id_ in hits}
        gated = {cut.id for cut in trace.cuts if cut.stage == "gate"}

        assert set(trace.returned) <= set(pool(maya, result)) - gated
        assert set(pool(maya, result)) == found
