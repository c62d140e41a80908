"""A baseline is compared only where it is one."""

from __future__ import annotations

import json

import pytest

from bethink.errors import InvalidInput
from bethink.evaluation.baseline import read_baseline, shipped_baseline


@pytest.mark.parametrize(
    "spoilt",
    [
        {"metrics": {"noise": "none"}},
        {"metrics": []},
        {"writes": None},
        {"probes": {"a/b": 1}},
        {"probes": {"a/b": {"noise": [1]}}},
        {"corpus": None},
    ],
)
def test_a_baseline_whose_counts_are_no_counts_is_refused(tmp_path, spoilt):
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps(shipped_baseline() | spoilt), "utf-8")

    with pytest.raises(InvalidInput, match="no baseline"):
        read_baseline(path)


def test_a_baseline_beside_which_nothing_is_spoilt_is_read(tmp_path):
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps(shipped_baseline()), "utf-8")

    assert read_baseline(path) == shipped_baseline()
