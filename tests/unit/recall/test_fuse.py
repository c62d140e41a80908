"""Fusion: the exact reciprocal ranks, and scores that mean the same whatever else is stored or asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import START, belief, turn

from bethink.domain.hit import ArmHit, ArmReport, Candidate, Fused
from bethink.domain.query import Query, TimeSpan
from bethink.ports.search import Matches
from bethink.recall.arms import Findings
from bethink.recall.fuse import K, rank_fusion, reciprocal_rank, score_fusion
from bethink.recall.lift import ELSEWHERE, NAMED, REPEATED, SESSION
from bethink.recall.pool import NEIGHBOUR, Beside
from bethink.recall.reader import Mix

ASK = Query("cello", terms=("cello", "lesson"))


def report(arm: str, *keys: int, raw: float = 1.0) -> ArmReport:
    return ArmReport(arm, tuple(ArmHit(key, rank, raw) for rank, key in enumerate(keys, 1)), len(keys))


def scores(arm: str, **by_key: float) -> tuple[ArmReport, Matches]:
    """An arm's report, best first, and its matches, by key."""
    rows = sorted((int(key[1:]), value) for key, value in by_key.items())
    matches = Matches(
        np.array([key for key, _ in rows], np.int64),
        np.array([value for _, value in rows], np.float64),
        np.array([0.5] * len(rows)),
        np.array([1] * len(rows)),
        np.array([1] * len(rows)),
        np.array([False] * len(rows)),
        len(rows),
    )
    ranked = enumerate(sorted(rows, key=lambda row: (-row[1], row[0])), 1)
    return ArmReport(arm, tuple(ArmHit(key, rank, value) for rank, (key, value) in ranked), len(rows)), matches


def beside(candidates: Sequence[Candidate], unfound: Mapping[int, tuple[str, int]]) -> Beside:
    """The turns around the candidates, those at other keys that no arm found among them."""
    places = {(one.session, one.seq): one.key for one in candidates if one.type == "turn"}
    places |= {place: key for key, place in unfound.items()}
    around = [[places.get((one.session, one.seq + step), -1) for one in candidates] for step in (-1, 1)]
    return Beside(np.array([one.key for one in candidates], np.int64), *(np.array(keys, np.int64) for keys in around))


def fuse(candidates: list[Candidate], lexical=None, dense=None, **more) -> dict[int, Fused]:
    """The fused candidates by key; `more` may hold other reports, turns that no arm found, the query and the mix."""
    reports = tuple(part[0] for part in (lexical, dense) if part) + tuple(more.get("others", ()))
    ordered = tuple(sorted(candidates, key=lambda candidate: candidate.key))
    around = beside(ordered, more.get("unfound", {}))
    findings = Findings(reports, ordered, around, lexical and lexical[1], dense and dense[1])
    found = score_fusion(findings, more.get("query", ASK), more.get("mix", Mix(0.35, 0.0)))
    return {item.candidate.key: item for item in found}


def beliefs(*keys: int) -> list[Candidate]:
    return [belief(key, f"fact {key}", subject=None).candidate for key in keys]


@requirement("A99", "E42")
def test_reciprocal_rank_is_the_formula_of_its_source():
    fused = reciprocal_rank([report("lexical", 7, 8), report("dense", 8, 9)])

    assert fused == pytest.approx({7: 1 / 61, 8: 1 / 62 + 1 / 61, 9: 1 / 62})


@requirement("B45")
@pytest.mark.parametrize("votes", [0.0, 0.2, 0.5, 1.0])
def test_ranks_are_fused_by_constant_weights_and_first_in_every_arm_is_a_perfect_match(votes):
    words, meaning, mix = scores("lexical", k1=0.9, k2=0.1), scores("dense", k1=0.3, k3=0.2), Mix(0.35, 0.0, votes)
    docs = tuple(beliefs(1, 2, 3))
    around = beside(docs, {})
    findings = Findings((words[0], meaning[0]), docs, around, words[1], meaning[1])
    first, second, third = (found.match for found in rank_fusion(findings, ASK, mix))

    assert first == pytest.approx(1.0)
    assert second == pytest.approx((1 - votes) * (K + 1) / (K + 2), abs=1e-8)
    assert third == pytest.approx(votes * (K + 1) / (K + 2), abs=1e-8)


def test_reciprocal_rank_takes_a_weight_per_arm():
    fused = reciprocal_rank([report("lexical", 7), report("dense", 7)], {"dense": 0.5})

    assert fused[7] == pytest.approx(1 / 61 + 0.5 / 61)


@requirement("A100")
@given(st.lists(st.lists(st.integers(1, 20), unique=True, max_size=10), min_size=1, max_size=5))
def test_taking_an_arm_away_takes_away_its_share_and_nothing_else(lists):
    reports = [report("lexical", *keys) for keys in lists]
    whole, rest = reciprocal_rank(reports), reciprocal_rank(reports[1:])

    for key, value in whole.items():
        own = 1 / (60 + lists[0].index(key) + 1) if key in lists[0] else 0.0
        assert value == pytest.approx(rest.get(key, 0.0) + own)


def test_both_scores_count_by_their_weights():
    found = fuse(beliefs(1, 2), scores("lexical", k1=0.6, k2=0.2), scores("dense", k1=0.2, k2=0.5))

    assert found[1].match == pytest.approx((0.65 * 0.6 + 0.35 * 0.2) / (1 + NAMED))
    assert found[2].match == pytest.approx((0.65 * 0.2 + 0.35 * 0.5) / (1 + NAMED))


def test_a_match_does_not_move_when_an_unrelated_record_is_stored():
    few = fuse(beliefs(1), scores("lexical", k1=0.6), scores("dense", k1=0.4))
    many = fuse(beliefs(1, 2, 3), scores("lexical", k1=0.6, k3=0.1), scores("dense", k1=0.4, k2=0.3, k3=0.1))

    assert few[1] == many[1]


def test_an_arm_that_is_absent_leaves_the_words_to_speak_alone():
    found = fuse(beliefs(1, 2), scores("lexical", k1=0.6, k2=0.2))

    assert found[1].match == pytest.approx(0.6 / (1 + NAMED))
    assert found[1].cosine is None


@requirement("A100")
def test_a_lookup_arm_comes_and_goes_without_moving_what_it_does_not_list():
    words, meaning = scores("lexical", k1=0.6, k2=0.2), scores("dense", k1=0.4, k2=0.3)
    without = fuse(beliefs(1, 2), words, meaning)
    with_it = fuse(beliefs(1, 2), words, meaning, others=[report("entity", 2)])

    assert with_it[1] == without[1]
    assert with_it[2].match > without[2].match


def test_a_record_without_a_vector_is_judged_by_its_words():
    found = fuse(beliefs(1, 2), scores("lexical", k1=0.6, k2=0.6), scores("dense", k1=0.1))

    assert found[2].cosine is None
    assert found[2].match == pytest.approx(0.6 / (1 + NAMED))


def test_a_cosine_counts_from_the_zero_of_its_space():
    found = fuse(beliefs(1, 2), dense=scores("dense", k1=0.6, k2=0.1), mix=Mix(1.0, 0.2))

    assert found[1].match == pytest.approx(0.5 / (1 + NAMED))
    assert found[2].match == 0.0
    assert found[2].cosine == 0.1


def test_a_turn_gains_from_its_better_neighbour_and_a_belief_loses_nothing():
    talk = [turn(key, f"said {key}", session="s", seq=key).candidate for key in (1, 2, 3)]
    alone = belief(9, "fact", subject=None).candidate
    query = Query("x", terms=("x",))
    dense = scores("dense", k1=0.2, k2=0.4, k3=0.6, k9=0.4)
    found = fuse([*talk, alone], dense=dense, query=query, mix=Mix(1.0, 0.0))
    own = {1: (0.2, 0.4), 2: (0.4, 0.6), 3: (0.6, 0.4)}
    alone_value = {
        key: (mine + NEIGHBOUR * other) / (1 + NEIGHBOUR) / (1 + NAMED) for key, (mine, other) in own.items()
    }
    best = max(alone_value.values())

    for key, value in alone_value.items():
        place = sorted(alone_value.values(), reverse=True).index(value) + 1
        spread = 1 - ELSEWHERE * (1 - place**-REPEATED)
        assert found[key].match == pytest.approx((1 - SESSION) * value * spread + SESSION * best)
    assert found[9].match == pytest.approx(0.4 / (1 + NAMED))


def test_a_neighbour_counts_whether_an_arm_found_it_or_not():
    """Real neighbours: until `task@1` only turns that were candidates themselves lent their meaning."""
    talk = [turn(1, "a", session="s", seq=1).candidate]
    found = fuse(talk, dense=scores("dense", k1=0.2, k2=0.6), unfound={2: ("s", 2)}, mix=Mix(1.0, 0.0))

    assert found[1].match == pytest.approx((0.2 + NEIGHBOUR * 0.6) / (1 + NEIGHBOUR) / (1 + NAMED))


def test_a_neighbour_that_has_no_vector_yet_lends_nothing():
    talk = [turn(1, "a", session="s", seq=1).candidate]
    found = fuse(talk, dense=scores("dense", k1=0.2), unfound={2: ("s", 2)}, mix=Mix(1.0, 0.0))

    assert found[1].match == pytest.approx(0.2 / (1 + NEIGHBOUR) / (1 + NAMED))


def test_turns_of_another_session_are_no_neighbours_and_a_turn_alone_is_its_own():
    talk = [turn(1, "a", session="s", seq=1).candidate, turn(2, "b", session="t", seq=2).candidate]
    found = fuse(talk, dense=scores("dense", k1=0.1, k2=0.9), mix=Mix(1.0, 0.0))

    assert found[1].match == pytest.approx(0.1 / (1 + NAMED))
    assert found[2].match == pytest.approx(0.9 / (1 + NAMED))


def test_naming_a_speaker_or_a_subject_counts_alike():
    named = [
        turn(1, "we met", speaker="Ann Smith").candidate,
        belief(2, "met", subject="Ann").candidate,
        belief(3, "met", subject="Bob").candidate,
    ]
    words = scores("lexical", k1=0.5, k2=0.5, k3=0.5)
    found = fuse(named, words, query=Query("Ann met", terms=("met",), names=("ann",)))

    assert found[1].match == found[2].match == pytest.approx((0.5 + NAMED) / (1 + NAMED))
    assert found[3].match == pytest.approx(0.5 / (1 + NAMED))


def test_an_exact_subject_is_a_full_match_ordered_by_its_text():
    words = scores("lexical", k1=0.8, k2=0.1)
    found = fuse(beliefs(1, 2), words, others=[report("structured", 1, 2)])

    assert 0.9 <= found[2].match < found[1].match <= 1.0
    assert found[1].exact == found[2].exact == "subject"


def test_a_type_alone_is_a_quarter_match_unless_the_text_says_more():
    words = scores("lexical", k1=0.8)
    found = fuse(beliefs(1, 2), words, others=[report("structured", 1, 2, raw=0.25)])

    assert found[2].match == 0.25
    assert found[1].match == pytest.approx(0.8 / (1 + NAMED))
    assert found[2].exact == "type"


def test_a_name_that_resembles_the_subject_counts_by_how_much():
    found = fuse(beliefs(1), others=[report("fuzzy", 1, raw=0.8)])

    assert found[1].match == pytest.approx(0.2)
    assert found[1].exact == ""


def test_words_of_neighbours_alone_are_told_from_own_words():
    (hits, matches) = scores("lexical", k1=0.3, k2=0.3)
    matches.matched[1] = 0
    found = fuse(beliefs(1, 2), (hits, matches))

    assert not found[1].lent
    assert found[2].lent


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(-1, 1), st.booleans()), min_size=1, max_size=12),
    st.floats(0, 1),
    st.floats(0, 0.5),
)
def test_every_match_lies_between_nothing_and_everything(rows, weight, zero):
    docs = [
        (turn(key, f"t {key}", session="s", seq=key) if is_turn else belief(key, f"b {key}")).candidate
        for key, (_, _, is_turn) in enumerate(rows, 1)
    ]
    words = scores("lexical", **{f"k{key}": row[0] for key, row in enumerate(rows, 1)})
    meaning = scores("dense", **{f"k{key}": row[1] for key, row in enumerate(rows, 1)})
    found: dict[int, Fused] = fuse(docs, words, meaning, mix=Mix(weight, zero))

    assert all(0.0 <= item.match <= 1.0 for item in found.values())


SPAN = (TimeSpan(START, START + timedelta(days=1)),)


def test_of_a_question_about_a_time_alone_what_was_said_then_comes_first_in_the_order_of_its_text():
    words = scores("lexical", k1=0.9, k2=0.1, k3=0.2)
    others = [report("time", 2, 3)]
    found = fuse(beliefs(1, 2, 3), words, others=others, query=replace(ASK, spans=SPAN, time_only=True))

    assert sorted(found, key=lambda key: -found[key].match) == [3, 2, 1]
    assert [found[key].exact for key in (1, 2, 3)] == ["", "time", "time"]


def test_a_question_that_only_mentions_a_time_keeps_its_best_text_and_prefers_that_time_among_equals():
    words = scores("lexical", k1=0.9, k2=0.5, k3=0.5)
    others = [report("time", 3)]
    found = fuse(beliefs(1, 2, 3), words, others=others, query=replace(ASK, spans=SPAN))

    assert sorted(found, key=lambda key: -found[key].match) == [1, 3, 2]
    assert {item.exact for item in found.values()} == {""}
    assert all(item.match <= 1 for item in found.values())
