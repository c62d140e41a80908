from __future__ import annotations

from dataclasses import fields, replace

from bethink.embedding.minilm import SPEC


def test_the_space_id_of_the_builtin_model_never_moves_by_accident():
    assert SPEC.space_id == "3e24d701ffbd7c0e"


def test_a_change_of_any_field_is_another_space():
    for field in fields(SPEC):
        value = getattr(SPEC, field.name)
        other = (not value) if isinstance(value, bool) else value + 1 if isinstance(value, int) else f"{value}x"
        assert replace(SPEC, **{field.name: other}).space_id != SPEC.space_id, field.name


def test_an_equal_spec_is_the_same_space():
    assert replace(SPEC).space_id == SPEC.space_id
