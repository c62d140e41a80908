import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.text.trigrams import normalise_name, similarity, trigrams

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


def test_names_are_compared_folded_with_single_spaces_and_nothing_hidden():
    assert normalise_name("  Jean\u00a0 Luc\t PICARD\u200b ") == "jean luc picard"
    assert normalise_name("\uff21nna") == "anna"
    assert normalise_name("Straße") == normalise_name("STRASSE")
    assert normalise_name("e\u0301va") == normalise_name("\u00c9VA")
    assert normalise_name("José") != normalise_name("Jose")


def test_trigrams_mark_where_a_word_begins_and_ends():
    assert trigrams("Ann") == {"  a", " an", "ann", "nn "}
    assert trigrams("") == frozenset()


@pytest.mark.parametrize(
    ("left", "right", "least", "most"),
    [
        ("Carolne", "Caroline", 0.65, 0.9),
        ("Caroline", "Carolina", 0.65, 0.9),
        ("Melanie", "Melany", 0.5, 0.9),
        ("Ann", "Anna", 0.5, 0.9),
        ("Schmidt", "Schmitt", 0.5, 0.9),
        ("José", "Jose", 1.0, 1.0),
        ("Caroline Smith", "Smith Caroline", 1.0, 1.0),
        ("Caroline", "Melanie", 0.0, 0.3),
        ("Bob", "Rob", 0.0, 0.5),
        ("王小明", "王小名", 0.3, 0.9),
    ],
)
def test_a_typo_stays_close_and_another_name_stays_apart(left, right, least, most):
    assert least <= similarity(left, right) <= most


@given(NAMES, NAMES)
def test_similarity_is_symmetric_and_between_0_and_1(left, right):
    assert 0.0 <= similarity(left, right) == similarity(right, left) <= 1.0


@given(NAMES)
def test_a_name_equals_itself_however_it_is_written(name):
    assert similarity(name, f" {name.upper()}  ") == 1.0 or name.upper().casefold() != name.casefold()
    assert similarity(name, name) == 1.0


@given(NAMES)
def test_normalising_twice_changes_nothing(name):
    assert normalise_name(normalise_name(name)) == normalise_name(name)
