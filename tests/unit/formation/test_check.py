from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.unit.desks import World

from bethink.domain.types import WRITABLE, Portability
from bethink.errors import AccessDenied, InvalidInput
from bethink.operations.remember import Mention

NAIVE = datetime(2026, 1, 1)  # noqa: DTZ001 - a time without a zone is the point

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("", {}, "content is empty"),
    (" \n ", {}, "content is empty"),
    ("a\0b", {}, "U\\+0000"),
    ("\ud800 x", {}, "surrogate"),
    ("x" * 16_001, {}, "at most 16,000"),
    ("x" * 20_000_000, {}, "at most 16,000"),
    ("x", {"type": "turn"}, "cannot be remembered"),
    ("x", {"type": "entity_profile"}, "cannot be remembered"),
    ("x", {"type": "nonsense"}, "cannot be remembered"),
    ("x", {"polarity": "deny"}, "neither assert nor retract"),
    ("x", {"source": "gospel"}, "source"),
    ("x", {"sensitivity": 9}, "sensitivity"),
    ("x", {"portability": 9}, "portability"),
    ("x", {"subject": " "}, "subject is empty"),
    ("x", {"attribute": "a" * 201}, "attribute has 201"),
    ("x", {"session": "a/b"}, "session"),
    ("x", {"idempotency_key": "k" * 201}, "idempotency_key"),
    ("x", {"target": "everything"}, "none of personal"),
    ("x", {"target": "project"}, "bound to a project"),
    ("x", {"valid_from": NAIVE}, "valid_from .* no time zone"),
    ("x", {"event_at": "yesterday"}, "event_at must be a datetime"),
    ("x", {"valid_from": datetime(2026, 2, 1, tzinfo=UTC), "valid_until": datetime(2026, 2, 1, tzinfo=UTC)}, "before"),
    ("x", {"expires_at": datetime(2025, 1, 1, tzinfo=UTC)}, "expires_at has passed"),
    ("x", {"tags": ("t",) * 51}, "at most 50"),
    ("x", {"tags": "tag"}, "list of at most 50"),
    ("x", {"tags": ("",)}, "tag is empty"),
    ("x", {"mentions": (Mention("Ana"),) * 51}, "51 mentions"),
    ("x", {"mentions": (Mention("Ana", role="about"), Mention("Bo", role="about"))}, "about two things"),
    ("x", {"mentions": (Mention("Ana", kind="deity"),)}, "unknown kind"),
    ("x", {"metadata": {"n": math.nan}}, "metadata is not plain JSON"),
    ("x", {"metadata": {"n": math.inf}}, "metadata is not plain JSON"),
    ("x", {"metadata": {"n": {1, 2}}}, "metadata is not plain JSON"),
    ("x", {"metadata": {1: "x"}}, "keys that are no texts"),
    ("x", {"metadata": {"n": "\ud800"}}, "surrogate"),
    ("x", {"metadata": {"n": "\0"}}, "NUL"),
    ("x", {"metadata": {"n": "x" * 16_400}}, "bytes as JSON"),
    ("x", {"metadata": ["x"]}, "metadata must be an object"),
]


@pytest.mark.parametrize(
    ("content", "fields", "words"), REFUSED, ids=[case[2] + str(n) for n, case in enumerate(REFUSED)]
)
def test_what_cannot_be_used_is_refused_with_its_name_and_nothing_is_stored(
    world: World, content: str, fields: dict[str, Any], words: str
) -> None:
    before = world.events()
    with pytest.raises(InvalidInput, match=words):
        world.noted(content, **fields)
    assert world.events() == before


def test_deeply_nested_metadata_is_refused(world: World) -> None:
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"d": deep}
    with pytest.raises(InvalidInput, match="metadata is not plain JSON"):
        world.noted("x", metadata=deep)


@pytest.mark.parametrize("type_name", WRITABLE)
def test_every_writable_type_can_be_remembered(world: World, type_name: str) -> None:
    assert world.told(f"A {type_name}.", type=type_name).outcome == "created"


def test_year_9999_and_any_zone_are_instants(world: World) -> None:
    end = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
    result = world.told("Ana lives in Lisbon.", valid_until=end)
    assert world.record(result.id).content.valid_until == end


def test_metadata_and_tags_read_back_as_they_were_checked(world: World) -> None:
    metadata = {"b": [1, 2.5, None, True], "a": {"ü": "é"}}
    content = world.record(world.told("x y z", tags=("two", "one", "two"), metadata=metadata).id).content
    assert (content.metadata, content.tags) == (metadata, ("two", "one"))


def test_scope_without_a_grant_cannot_be_written(world: World) -> None:
    before = world.events()
    with pytest.raises(AccessDenied):
        world.noted("x", agent="stranger")
    assert world.events() == before


def test_private_target_needs_no_grant(world: World) -> None:
    result = world.noted("x y z", agent="stranger", target="private")
    with world.store.snapshot(world.tenant) as snapshot:
        assert snapshot.records.get(world.fence(timeless=True), (result.id,)) == ()


def test_writer_may_lower_portability_and_never_raise_it(world: World) -> None:
    low = world.record(world.told("Ana likes tea.", type="preference", portability=Portability.LOCAL).id)
    high = world.record(world.told("The port is 80.", type="fact", portability=Portability.PORTABLE).id)
    assert (low.content.portability, high.content.portability) == (
        Portability.LOCAL,
        Portability.CONTEXTUAL,
    )
