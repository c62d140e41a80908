# ruff: noqa: RUF001 - scripts other than Latin are the subject
"""How candidates are found: by subject, by words, by resembling names, by meaning, by entity, and all of it fused."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bethink.domain.hit import ARMS
from bethink.errors import InvalidInput
from bethink.operations.remember import Mention
from bethink.recall.fuse import K
from bethink.recall.profiles import PROFILES
from bethink.recall.rank import POLICY
from tests.behaviour.house import MARCH, arms, ids, know, pool, texts
from tests.behaviour.requirements import requirement

HOUR = timedelta(hours=1)


@requirement("A43")
def test_what_happened_is_told_in_order_by_session_or_time_with_every_repeat(maya, house):
    said = [(3, "the glaze ran"), (1, "we lit the kiln"), (2, "the glaze ran"), (1, "the door stuck")]
    for number, (hour, text) in enumerate(said):
        session = maya.session(("firing", "opening")[number // 3])
        session.turn(text, role="participant", speaker="Ann", said_at=MARCH + hour * HOUR)
    house.clock.advance(days=400)

    def told(**request):
        return [turn.text for turn in maya.episodes(**request).turns]

    assert told(session="firing") == ["the glaze ran", "we lit the kiln", "the glaze ran"]
    everything = ["we lit the kiln", "the door stuck", "the glaze ran", "the glaze ran"]
    assert told(since=MARCH) == everything
    assert told(since=MARCH + HOUR, until=MARCH + 3 * HOUR) == everything[:3]
    page = maya.episodes(since=MARCH, limit=3)
    assert (len(page.turns), page.more) == (3, True)


@requirement("A90")
def test_the_structured_arm_always_runs_and_looks_up_subjects_and_types_without_a_shared_word(maya):
    ada = know(maya, "plays the cello", subject="Ada", type="preference")
    rule = know(maya, "Never deploy on a Friday", type="constraint")
    know(maya, "The kiln is blue")

    named = maya.recall("weather", subjects=("ADA",))
    assert arms(maya, named)["structured"] == [ada]
    assert named.items[0].explanation.arms["structured"] == (1, 1.0)
    typed = maya.recall("weather", type_hints=("constraint",))
    assert (ids(typed), typed.items[0].explanation.arms["structured"]) == ([rule], (1, 0.25))
    assert typed.items[0].explanation.match == pytest.approx(0.25)
    plain = maya.recall("Which kiln is blue?")
    assert maya.trace(plain.trace_id).trace.arms[0] == {"arm": "structured", "hits": [], "matched": 0, "ms": 0.0}


@requirement("A92")
def test_function_words_are_dropped_before_anything_is_found_and_negation_stays(maya):
    allergic = know(maya, "Ada is allergic to almonds")
    safe = know(maya, "Ada is not allergic to walnuts")
    plain, negated = maya.recall("What is she allergic to?"), maya.recall("What is she not allergic to?")

    assert maya.trace(plain.trace_id).trace.query["dropped_terms"] == ["what", "is", "she", "to"]
    assert maya.trace(negated.trace_id).trace.query["terms"] == ["not", "allerg"]
    assert plain.items[0].explanation.coverage == 1.0
    coverage = {item.id: item.explanation.coverage for item in negated.items}
    assert (coverage[allergic], coverage[safe]) == (0.5, 1.0)
    assert ids(negated)[0] == safe


@requirement("A93", "A94")
def test_a_question_of_function_words_matches_no_words_while_subjects_ids_and_lists_are_read_as_they_are(house):
    house.embedder = None
    maya = house.bind()
    about_ada = know(maya, "what she is and what she was", subject="Ada")
    (turn,) = maya.session("talk").turn("What is the what?").ids

    nothing = maya.recall("what is the")
    assert (nothing.items, nothing.empty_reason) == ((), "only_function_words")
    assert pool(maya, nothing) == []
    assert ids(maya.recall("what is the", subjects=("Ada",))) == [about_ada]
    assert maya.get(about_ada).record.content.text == "what she is and what she was"
    assert [found.id for found in maya.episodes(text="what is the", session="talk").turns] == [turn]
    assert [found.id for found in maya.episodes(session="talk").turns] == [turn]


@requirement("A95", "A108")
def test_the_answer_and_its_trace_name_the_policy_that_found_and_ranked_it(maya):
    know(maya, "The kiln is blue")
    for profile in PROFILES:
        result = maya.recall("Which kiln is blue?", profile=profile)
        assert result.policy == maya.trace(result.trace_id).trace.policy == POLICY
        assert f'policy="{POLICY}"' in result.rendered


@requirement("E12", "E15", "E16")
def test_another_processes_write_is_found_by_meaning_at_once_and_what_derives_is_made_again(house):
    house.embedder = "hash"
    mine = house.bind()
    know(mine, "An ordinary sentence about pottery")
    assert mine.recall("glazing").position > 0
    other = house.open().bind("maya", "aria", voice="user")
    positions = [mine.recall("glazing").position]
    known = []
    for number in range(3):
        known.append(know(other, f"Unglazed tile number {number}"))
        result = mine.recall("glazed tiles", on_weak="fallback_scope")
        positions.append(result.position)
        assert arms(mine, result)["dense"][0] == known[0]
        assert known[-1] in arms(mine, result)["dense"]
    assert positions == sorted(set(positions))
    before = mine.recall("glazed tiles", on_weak="fallback_scope").rendered
    house.opened[0].repair()
    assert mine.recall("glazed tiles", on_weak="fallback_scope").rendered == before
    house.close()
    assert (
        house.open().bind("maya", "aria", voice="user").recall("glazed tiles", on_weak="fallback_scope").rendered
        == before
    )


@requirement("E14", "P73")
def test_a_write_is_searchable_by_every_arm_at_once(maya):
    known = maya.remember(
        "Carries the kiln licence", subject="Ada Lovelace", mentions=(Mention("Guild of Potters", "org"),)
    )
    result = maya.recall("kiln licence of the Guild of Poters today", subjects=("Ada Lovelace",))

    found = arms(maya, result)
    assert {arm for arm, hits in found.items() if known.id in hits} == set(ARMS)
    assert not known.embedding_pending


@requirement("E41")
def test_an_entity_is_found_by_its_exact_alias_folded_newest_first_and_never_by_a_near_miss(maya, house):
    first = know(maya, "opened the workshop", mentions=(Mention("Zoë  Keller", "person"),))
    house.clock.advance(days=1)
    second = know(maya, "closed the shop", mentions=(Mention("zoë keller", "person"),))
    know(house.bind("bob"), "moved away", mentions=(Mention("Zoë Keller", "person"),))

    assert arms(maya, maya.recall("What about ZOË KELLER?"))["entity"] == [second, first]
    near = maya.recall("What about Zoë Kellar?")
    assert arms(maya, near)["entity"] == []
    assert set(arms(maya, near)["fuzzy"]) == {first, second}


@requirement("E42", "A99")
def test_a_profile_that_asks_for_ranks_is_fused_by_reciprocal_rank(maya, monkeypatch):
    for number in range(9):
        know(maya, f"Kiln {'blue ' * (number % 3)}glaze {number}", subject="Kiln" if number % 2 else None)
    monkeypatch.setitem(PROFILES, "task", replace(PROFILES["task"], fusion="ranks"))
    result = maya.recall("blue kiln glaze", subjects=("kiln",), on_weak="fallback_scope")
    found = arms(maya, result)

    def fused(id_: str) -> float:
        ranks = [hits.index(id_) + 1 for hits in found.values() if id_ in hits]
        return sum(1 / (K + rank) for rank in ranks) / (len(found) / (K + 1))

    matches = {row["id"]: row["match"] for row in maya.trace(result.trace_id).trace.pool}
    assert matches == pytest.approx({id_: fused(id_) for id_ in matches}, abs=1e-8)
    assert len(set(matches.values())) > 5
    monkeypatch.undo()
    scores = maya.recall("blue kiln glaze", subjects=("kiln",))
    assert {row["id"]: row["match"] for row in maya.trace(scores.trace_id).trace.pool} != matches


@requirement("P69")
def test_a_question_of_ten_thousand_words_keeps_its_rarest_says_so_and_ends_in_time(maya):
    known = know(maya, "The kiln_controller.yml sets the blue glaze schedule")
    words = [f"w{chr(97 + number % 26)}{chr(97 + number // 26 % 26)}" for number in range(3_000)]
    question = f"{' '.join(words)} kiln_controller.yml"
    with pytest.raises(InvalidInput):
        maya.recall(question * 20)
    result = maya.recall(question, on_weak="lexical")
    query = maya.trace(result.trace_id).trace.query

    assert len(query["terms"]) == 32
    assert "kiln_controller.yml" in query["terms"]
    assert {notice.code for notice in result.notices} >= {"terms_cut"}
    assert len(query["cut_terms"]) > 500
    assert ids(result) == [known]
    assert result.degraded == ()


@requirement("P69", "B159")
def test_a_message_beside_a_long_objective_is_read_whole_and_what_is_cut_is_counted(maya):
    known = know(maya, "The kiln sets the blue glaze schedule")
    result = maya.recall("blue glaze", objective="o" * 15_995, on_weak="lexical")

    assert ids(result) == [known]
    told = result.notices[0]
    assert (told.code, told.text.split()[0]) == ("context_cut", "6")


SCRIPTS = {
    "我在东京吃拉面": "拉面",
    "カフェでコーヒーをのむ": "コーヒー",
    "서울에서 김치를 먹었다": "김치",
    "ฉันชอบกินผัดไทย": "ผัดไทย",
    "ខ្ញុំចូលចិត្តបាយ": "បាយ",
    "Я люблю самовар": "САМОВАР",
    "Μου αρέσει η θάλασσα": "ΘΑΛΑΣΣΑ",
    "أحب القهوة العربية": "القهوة",
    "אני אוהב שוקולד": "שוקולד",
    "मुझे आम पसंद है": "आम",
    "எனக்கு மழை பிடிக்கும்": "மழை",
    "მიყვარს ღვინო": "ღვინო",
    "Սիրում եմ խաղող": "խաղող",
    "Tôi thích phở bò": "pho\u031b\u0309 bò",
    "Le café est à Besançon": "cafe\u0301",
    "Zur Straße nach Köln 🎉": "STRASSE",
}


@requirement("P76")
def test_a_word_of_any_script_is_indexed_whole_and_found_again(house):
    house.embedder = None
    maya = house.bind()
    for text in SCRIPTS:
        know(maya, text)

    assert {text: texts(maya.recall(word)) for text, word in SCRIPTS.items()} == {text: [text] for text in SCRIPTS}
    for text, word in SCRIPTS.items():
        assert maya.recall(word).items[0].explanation.coverage == 1.0, text


EATEN = (
    "東京でラーメンを食べた",
    "大阪でラーメンを食べた",
    "東京で寿司を食べた",
    "부산에서 김치를 먹었다",
    "서울에서 김치를 먹었다",
)


@requirement("P76")
@pytest.mark.parametrize(
    ("question", "both"), [("東京 ラーメン", EATEN[0]), ("東京のラーメン", EATEN[0]), ("부산 김치", EATEN[3])]
)
def test_of_words_without_spaces_what_holds_all_of_them_comes_first_and_is_covered_most(house, question, both):
    house.embedder = None
    maya = house.bind()
    for text in EATEN:
        know(maya, text)
    result = maya.recall(question)
    covered = [item.explanation.coverage for item in result.items]

    assert texts(result)[0] == both
    assert covered[0] > max(covered[1:], default=0.0)


@requirement("P76")
def test_an_accent_ends_no_word(house):
    house.embedder = None
    maya = house.bind()
    known = know(maya, "Le café est à Besançon")

    assert [ids(maya.recall(word)) for word in ("cafe", "CAFÉ", "besancon")] == [[known]] * 3
    assert [pool(maya, maya.recall(word, on_weak="lexical")) for word in ("caf", "besan", "on")] == [[], [], []]
