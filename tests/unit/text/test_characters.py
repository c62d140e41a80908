import re
import sys
import unicodedata

import pytest

from bethink.domain.invisible import INVISIBLE
from bethink.text.characters import HANGUL, MARKS, UNSPACED, clusters

EVERY = [chr(point) for point in range(sys.maxunicode + 1) if not 0xD800 <= point <= 0xDFFF]
VISIBLE_FORMATS = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]")


def test_the_class_of_marks_is_unicodes():
    found = set(re.findall(f"[{MARKS}]", "".join(EVERY)))
    assert found == {character for character in EVERY if unicodedata.category(character)[0] == "M"}


def test_every_format_character_without_a_sign_of_its_own_is_invisible():
    formats = {character for character in EVERY if unicodedata.category(character) == "Cf"}
    shown = {character for character in formats if not re.match(f"[{INVISIBLE}]", character)}
    assert shown == set(VISIBLE_FORMATS.findall("".join(formats)))


def test_invisible_characters_hold_no_letter_digit_or_punctuation_that_shows():
    hidden = re.findall(f"[{INVISIBLE}]", "".join(EVERY))
    allowed = {"Cf", "Mn", "Cn", "Co"}
    others = {character for character in hidden if unicodedata.category(character) not in allowed}
    assert others == {"\u115f", "\u1160", "\u3164", "\uffa0", "\u2800"}  # fillers and the blank of Braille


@pytest.mark.parametrize("text", ["我", "あ", "ア", "ก", "ກ", "ក", "က", "abc 漢"])
def test_scripts_without_spaces_are_known(text):
    assert re.search(f"[{UNSPACED}]", text)


@pytest.mark.parametrize("text", ["", "word", "слово", "한국어", "कब", "٣", "๓", "。", "・", "฿"])
def test_spaced_scripts_digits_and_punctuation_are_not_taken_for_them(text):
    assert not re.search(f"[{UNSPACED}]", text)


def test_no_character_is_both_hangul_and_unspaced():
    assert not re.findall(f"[{UNSPACED}]", "".join(re.findall(f"[{HANGUL}]", "".join(EVERY))))


@pytest.mark.parametrize(
    "whole",
    [
        "e\u0301",
        "👨\u200d👩\u200d👧",
        "🇩🇪",
        "👍🏽",
        "❤\ufe0f\u200d🔥",
        "क्ष",
        "ก้",
        "1\ufe0f\u20e3",
        "\u1112\u1161\u11ab",
        "g\u200b",
    ],
)
def test_what_reads_as_one_character_stays_one(whole):
    assert clusters(f"a{whole}b{whole}") == ["a", whole, "b", whole]


def test_clusters_lose_nothing():
    text = "".join(EVERY[0x20:0x3500:7])
    assert "".join(clusters(text)) == text
