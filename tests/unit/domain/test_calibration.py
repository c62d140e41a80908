"""Every number a cosine is compared with is set on one scale, and a space says where its own cosines lie on it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement

from bethink.domain.calibration import CALIBRATIONS, Calibration, calibrated

share = st.floats(0.05, 1.0)


@requirement("E113")
def test_the_built_in_space_reads_as_it_is_and_another_by_its_line():
    assert CALIBRATIONS["all-MiniLM-L6-v2"].floor(0.35) == 0.385
    narrow = Calibration(floor_scale=1.1, zero=0.15, shift=0.7, stretch=0.25)
    assert (narrow.floor(0.4), narrow.own(0.15), narrow.own(1.0)) == (0.81, 0.7375, 0.95)
    assert narrow.read(0.81) == pytest.approx(0.44)


@given(st.floats(-1, 1), share, st.floats(-0.5, 0.9))
def test_reading_undoes_writing(cosine, stretch, shift):
    line = Calibration(shift=shift, stretch=stretch)
    assert line.read(line.own(cosine)) == pytest.approx(cosine, abs=1e-6 / stretch)


@requirement("E113")
def test_a_model_nobody_measured_is_read_by_what_its_unrelated_sentences_have():
    assert calibrated("new", [0.7, 0.8]) == Calibration(shift=0.75, stretch=0.25)
    assert calibrated("new", [0.7, 0.8]).floor(0.4) == 0.85


@pytest.mark.parametrize("unrelated", [[], [0.1, 0.2], [-0.3], [1.0, 0.99]])
def test_cosines_that_tell_no_zero_are_read_as_they_are(unrelated):
    assert calibrated("new", unrelated) == Calibration()


def test_a_measured_model_is_read_as_it_was_measured():
    assert calibrated("all-MiniLM-L6-v2", [0.9]) == CALIBRATIONS["all-MiniLM-L6-v2"]
