"""Every break of the read path can still be made, and every test that has to notice it is there."""

from __future__ import annotations

import ast

import pytest

from tests.mutants.breaks import BREAKS
from tests.mutants.run import broken
from tests.shape.source import PACKAGE, ROOT

LEAST = 25


def test_there_are_enough_breaks_and_none_twice():
    assert len(BREAKS) >= LEAST
    assert len({(one.file, one.find, one.put) for one in BREAKS}) == len(BREAKS)


@pytest.mark.parametrize("one", BREAKS, ids=lambda one: f"{one.file} {one.find[:40]}")
def test_a_break_stands_once_in_its_file_leaves_it_readable_and_names_tests(one):
    whole = (PACKAGE / one.file).read_text("utf-8")
    changed = broken(whole, one)

    assert changed != whole
    ast.parse(changed)
    assert one.tests
    for name in one.tests:
        path, _, test = name.partition("::")
        source = (ROOT / "tests" / path).read_text("utf-8")
        assert not test or f"def {test}(" in source


def test_a_break_whose_text_is_gone_is_no_break():
    with pytest.raises(ValueError, match="0 times"):
        broken("nothing", BREAKS[0])
