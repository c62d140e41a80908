"""Every error says what happened under a stable code, how to mend it, and how a command ends."""

from __future__ import annotations

import inspect
from collections import Counter

import pytest

from bethink import errors
from tests.shape.source import ROOT

CLASSES = [item for item in vars(errors).values() if inspect.isclass(item) and issubclass(item, errors.BethinkError)]
PAGE = ROOT / "docs" / "errors.md"
EXIT_CODES = range(1, 126)
"""What a command may end with: 0 is success, and shells keep 126 and above."""


def rows() -> dict[str, list[str]]:
    """The table of the page: the cells of a row by its code."""
    cells = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in PAGE.read_text("utf-8").splitlines()
        if line.startswith("| `")
    ]
    return {row[0].strip("`"): row[1:] for row in cells}


def test_every_class_of_the_module_is_in_the_tree():
    assert [item.__name__ for item in vars(errors).values() if inspect.isclass(item) and item not in CLASSES] == []
    assert [item.__name__ for item in CLASSES if item.__name__ not in (errors.__doc__ or "")] == []


def test_codes_are_unique():
    assert {code: count for code, count in Counter(item.code for item in CLASSES).items() if count > 1} == {}


@pytest.mark.parametrize("item", CLASSES, ids=lambda item: item.code)
def test_an_error_promises_words_code_remedy_and_exit_code(item):
    assert (item.__doc__ or "").strip()
    assert item.code.replace("_", "").isalpha()
    assert item.code.islower()
    assert item.remedy.endswith((".", "?"))
    assert item.exit_code in EXIT_CODES
    assert str(item("It failed.")) == f"It failed. {item.remedy}"


@pytest.mark.parametrize("item", CLASSES, ids=lambda item: item.code)
def test_an_error_is_on_the_page(item):
    assert item.code in rows()
    assert rows()[item.code][:2] == [f"`{item.__name__}`", str(item.exit_code)]


def test_the_page_lists_no_error_that_is_gone():
    assert rows().keys() == {item.code for item in CLASSES}
