from __future__ import annotations

from pathlib import Path

import pytest

from bethink.errors import InvalidInput
from bethink.settings import Settings, load_settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("recall.depth", "0"),
        ("recall.depth", "-5"),
        ("recall.depth", 1.5),
        ("recall.depth", True),
        ("recall.timeout_ms", "0"),
        ("recall.timeout_ms", "-1"),
        ("recall.max_items", "-1"),
        ("recall.budget_tokens", "-9"),
        ("recall.dense_weight", "nan"),
        ("recall.dense_weight", "inf"),
        ("recall.dense_weight", "-0.1"),
        ("recall.dense_votes", "-0.1"),
        ("store.lock_timeout_ms", "-1"),
        ("store.content_limit", "0"),
        ("store.content_limit", float("inf")),
    ],
)
def test_a_number_nothing_could_work_with_is_refused_by_its_whole_name(name, value):
    with pytest.raises(InvalidInput, match=name):
        load_settings({name: value}, {})


def test_the_smallest_numbers_are_taken():
    least = {"recall.depth": "1", "recall.max_items": 0, "recall.dense_weight": "0", "store.lock_timeout_ms": 0}

    assert load_settings(least, {}).recall.depth == 1


def test_an_empty_data_folder_is_the_usual_one_and_not_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert load_settings({}, {"BETHINK_HOME": ""}).home == Settings().home
    assert load_settings({}, {"BETHINK_HOME": str(tmp_path)}).home == Path(tmp_path)


def test_a_slip_in_the_environment_is_named_as_it_stands_there():
    with pytest.raises(InvalidInput, match=r"There is no setting 'BETHINK_RECALL__DEPHT'\."):
        load_settings(environ={"BETHINK_RECALL__DEPHT": "5"})
    with pytest.raises(InvalidInput, match=r"Setting 'BETHINK_RECALL__DEPTH' must be int, not 'five'\."):
        load_settings(environ={"BETHINK_RECALL__DEPTH": "five"})
