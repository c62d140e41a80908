"""A process that forks with an open store: both go on."""

from __future__ import annotations

from tests.faults.scripts import run


def test_parent_and_child_go_on_with_the_store_they_share(tmp_path):
    told = run("fork", str(tmp_path))

    assert told == {
        "idle": "['parent-1', 'child-1']",
        "what it starts with": "([], None)",
        "out of a read": "(None, [])",
        "the read itself": 1,
        "beside a writer": "([], 'store_busy')",
        "after the writer": "['parent-2', 'child-3']",
        "inside a write": "([], 'store_busy')",
        "parent": ["parent-1", "child-1", "parent-2", "child-3", "parent-3"],
        "findings": [],
    }
