"""A document is forgotten by whatever it can be named by."""

from __future__ import annotations

import pytest

from bethink.errors import NotFound
from tests.behaviour.house import Shelf

TEXT = "# Kiln\nHeat it slowly."


def test_a_document_is_forgotten_by_the_path_it_was_added_by(house):
    house.open(files=Shelf({"a.md": TEXT}))
    maya = house.bind()
    source = maya.documents.add("notes").added[0].source
    maya.documents.add(text=TEXT, name="notes/a.md")

    assert source == "/shelf/notes/a.md"
    assert maya.documents.forget("notes/a.md").complete
    assert [one.source for one in maya.documents.list().documents] == [source]
    assert maya.documents.forget("notes/a.md").complete
    assert maya.documents.list().documents == ()
    with pytest.raises(NotFound):
        maya.documents.forget("notes/a.md")
