"""A name is one name however a keyboard, a typesetter or a script spells it."""

from __future__ import annotations

import pytest

from bethink.domain.record import fold
from tests.behaviour.house import House, ids, know
from tests.behaviour.requirements import requirement

SPELLINGS = {
    "a typographic apostrophe": ("O\u2019Neil", "O'Neil"),
    "an okina": ("Hawai\u2018i", "Hawai'i"),
    "a hyphen of its own": ("Jean\u2011Luc", "Jean-Luc"),
    "a soft hyphen": ("Katha\u00adrina", "Katharina"),
    "a direction mark": ("\u202eEve\u202c", "Eve"),
    "a joiner": ("An\u200dna", "Anna"),
    "a zero-width space": ("Ann\u200bLee", "Ann Lee"),
    "accents apart": ("Zoe\u0308", "Zo\u00eb"),
    "full width": ("\uff21\uff4e\uff4e", "Ann"),
    "a ligature": ("\ufb01ona", "Fiona"),
    "a dotted capital": ("\u0130brahim", "ibrahim"),
    "a joiner before an accent": ("Jose\u200d\u0301", "Jos\u00e9"),
    "a variation selector": ("Ann\ufe0fa", "Anna"),
    "a sharp s": ("Stra\u00dfer", "STRASSER"),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_name_has_one_form(spelling):
    one, other = SPELLINGS[spelling]

    assert fold(one) == fold(other)
    assert fold(fold(one)) == fold(one)


@pytest.mark.parametrize("spelling", ["a typographic apostrophe", "a direction mark", "a dotted capital"])
def test_what_is_known_of_somebody_is_found_under_either_spelling(house: House, spelling):
    house.embedder = None
    one, other = SPELLINGS[spelling]
    maya = house.bind()
    first, second = know(maya, "keeps bees", subject=one), know(maya, "plays chess", subject=other)

    for name in (one, other):
        assert set(ids(maya.recall(subjects=(name,)))) == {first, second}
        found = maya.recall(f"What is known of {name}'s ways?")
        assert {item.explanation.passed for item in found.items} == {"exact entity"}
        assert set(ids(found)) == {first, second}


@requirement("A111")
def test_a_value_is_replaced_though_its_subject_is_spelled_otherwise(maya):
    know(maya, "O\u2019Neil lives in Lisbon", subject="O\u2019Neil", attribute="home")
    new = know(maya, "O'Neil lives in Porto", subject="O'Neil", attribute="home")

    assert ids(maya.recall("Where does O\u2019Neil live?")) == [new]


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        (
            "\u092e\u0940\u0930\u093e",
            "\u092e\u0940\u0930\u093e \u0915\u0939\u093e\u0901 \u0930\u0939\u0924\u0940 \u0939\u0948?",
        ),
        ("\u0ba4\u0bae\u0bbf\u0bb4\u0bcd", "\u0ba4\u0bae\u0bbf\u0bb4\u0bcd \u0b8e\u0b99\u0bcd\u0b95\u0bc7?"),
        (
            "\u05e9\u05b8\u05c2\u05e8\u05b8\u05d4",
            "\u05d0\u05d9\u05e4\u05d4 \u05e9\u05b8\u05c2\u05e8\u05b8\u05d4 \u05d2\u05e8\u05d4?",
        ),
        (
            "\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f",
            "\u0623\u064a\u0646 \u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f\u061f",
        ),
    ],
    ids=["Hindi", "Tamil", "Hebrew with points", "Arabic with vowels"],
)
def test_a_name_whose_letters_bear_marks_is_read_whole(house: House, name, asked):
    house.embedder = None
    maya = house.bind()
    known = know(maya, "keeps bees", subject=name)
    found = maya.recall(asked)

    assert ids(found) == [known]
    assert found.items[0].explanation.passed == "exact entity"
