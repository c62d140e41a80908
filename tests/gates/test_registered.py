"""Each gate stands under a name of its own, so that one that fails is not read as the other."""

from __future__ import annotations

from collections import defaultdict

from tests.behaviour.requirements import requirement
from tests.behaviour.test_requirements import all_marks


@requirement("A184")
def test_faithful_traces_and_the_ceiling_of_views_are_two_gates():
    gates = defaultdict(set)
    for mark in all_marks():
        if mark.place.startswith("gates/") and mark.name != "A184":
            gates[mark.place.partition("::")[0]].add(mark.name)

    assert gates == {
        "gates/test_faithful_traces.py": {"A156", "A174"},
        "gates/test_view_ceiling.py": {"A161", "A175"},
    }
