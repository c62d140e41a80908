"""A question leans on the arm whose best hit stands out, and on the set mix where neither does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import House

from bethink.domain.calibration import CALIBRATIONS, Calibration
from bethink.domain.hit import Arm, ArmHit, ArmReport
from bethink.errors import InvalidInput
from bethink.recall.lean import LOOKED_AT, MOST, PRIOR, leaning, margin
from bethink.recall.profiles import FUSIONS, PROFILES, fusion_of
from bethink.recall.reader import Mix
from bethink.settings import RecallSettings

MIX = Mix(0.35, 0.2)


def report(arm: Arm, *scores: float) -> ArmReport:
    return ArmReport(arm, tuple(ArmHit(key, key, score) for key, score in enumerate(scores, 1)), len(scores))


def share(words: list[float], cosines: list[float], mix: Mix = MIX) -> float:
    return leaning([report("lexical", *words), report("dense", *cosines)], mix).dense


def test_a_margin_is_how_far_the_best_stands_above_the_mean_of_those_behind_it():
    behind = LOOKED_AT - 1

    assert margin([0.8, *[0.4] * behind]) == pytest.approx(0.5)
    assert margin([0.8, 0.4]) == pytest.approx(1 - 0.5 / behind)
    assert (margin([0.8]), margin([0.5] * LOOKED_AT), margin([0.0, 0.0])) == (1.0, 0.0, 0.0)


def test_the_share_is_worked_out_from_both_margins_and_the_set_mix():
    behind = LOOKED_AT - 1
    expected = (0.25 + PRIOR * 0.35) / (0.5 + 0.25 + PRIOR)

    assert share([0.8, *[0.4] * behind], [1.0, *[0.8] * behind]) == pytest.approx(expected)


def test_the_arm_that_sees_one_answer_is_leaned_on():
    behind = LOOKED_AT - 1
    plain, clear = [0.5, *[0.4] * behind], [0.9, *[0.2] * behind]

    assert share(clear, plain) < 0.35 < share(plain, plain)
    assert share(clear, plain) < share(clear, clear) <= share(plain, clear) == MOST


def test_where_neither_tells_the_set_mix_decides_and_where_an_arm_is_silent_it_stays():
    alike = [0.5] * LOOKED_AT

    assert share(alike, alike) == pytest.approx(0.35)
    assert share([0.5, 0.1], []) == share([], [0.6, 0.2]) == 0.35
    assert leaning([], MIX) == MIX


def test_only_the_first_hits_tell():
    tail = [0.3] * (LOOKED_AT - 1)

    assert share([0.6, *tail], [0.8, *tail]) == share([0.6, *tail, 0.1, 0.1], [0.8, *tail, 0.25])


SCORES = st.lists(st.floats(0, 1), max_size=30).map(lambda found: sorted(found, reverse=True))


@given(words=SCORES, cosines=SCORES, dense=st.floats(0, 1))
def test_words_keep_at_least_half_unless_the_set_mix_gives_them_less(words, cosines, dense):
    found = share(words, cosines, Mix(dense, 0.2))

    assert 0 <= found <= max(MOST, dense)


@requirement("B48")
def test_no_share_of_an_arm_is_tied_to_a_model_a_profile_or_a_kind_of_question():
    settings = RecallSettings()

    assert {fusion_of(profile, settings) for profile in PROFILES.values()} == {"adaptive"}
    assert share([0.8, 0.4], [0.8, 0.6]) == pytest.approx(share([0.4, 0.2], [0.5, 0.4]))
    spaces = [Calibration(), *CALIBRATIONS.values(), Calibration(1.3, 0.4, 0.6, 0.3)]
    mixes = [House([]).reader(calibration=space).mix for space in spaces]
    assert {(mix.dense, mix.votes) for mix in mixes} == {(settings.dense_weight, settings.dense_votes)}
    assert {share([0.8, 0.4], [mix.one, mix.zero], mix) for mix in mixes} == {share([0.8, 0.4], [1.0, 0.0], Mix(0.35))}


def test_the_setting_goes_before_the_profile_and_a_wrong_one_is_refused():
    task = PROFILES["task"]

    assert [fusion_of(task, RecallSettings(fusion=name)) for name in FUSIONS] == list(FUSIONS)
    with pytest.raises(InvalidInput, match="'best' is none of adaptive, scores, ranks"):
        fusion_of(task, RecallSettings(fusion="best"))
