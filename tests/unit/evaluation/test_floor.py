"""The floor on meaning lies where F1 is near its best, on the pairs it was measured on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.behaviour.requirements import requirement

from bethink.domain.types import TYPES
from bethink.evaluation.floor import band, f1
from bethink.recall.reader import CALIBRATIONS

MEASURED = Path(__file__).parents[3] / "docs" / "benchmarks" / "floor.json"


def test_f1_is_that_of_what_is_taken_from_the_threshold_on():
    assert f1([0.6, 0.4], [0.5], 0.5) == pytest.approx(2 * 1 / (1 + 1 + 2))
    assert f1([0.6, 0.4], [0.5], 0.0) == pytest.approx(2 * 2 / (2 + 1 + 2))
    assert f1([0.6], [0.1], 0.7) == 0.0


def test_the_band_holds_every_threshold_near_the_best():
    found = band([0.8, 0.6, 0.5], [0.3, 0.2])

    assert (found.best, found.at) == (1.0, 0.31)
    assert (found.low, found.high) == (0.31, 0.5)


@requirement("E113")
def test_the_floor_of_a_turn_lies_inside_the_band_that_was_measured():
    told = json.loads(MEASURED.read_text("utf-8"))
    floor = TYPES[told["type"]].floor * CALIBRATIONS[told["model"]].floor_scale

    assert told["pairs"]["wanted"] > 1_000
    assert told["low"] <= round(floor, 6) <= told["high"]
