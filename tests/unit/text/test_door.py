import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.errors import InvalidInput
from bethink.text.door import TEXT_LIMIT, blank, check_text, strip_controls


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "must be text, not NoneType"),
        (b"bytes", "must be text, not bytes"),
        (7, "must be text, not int"),
        ("", "is empty"),
        (" \n\t ", "is empty"),
        ("\u2003\u00a0", "is empty"),
        ("a\x00b", "U+0000 at position 1"),
        ("a\x1b[31mb", "U+001B at position 1"),
        ("a\x7f", "U+007F"),
        ("a\x9b", "U+009B"),
        ("half \ud800", "surrogate"),
        ("x" * (TEXT_LIMIT + 1), "has 16,001 characters; at most 16,000"),
    ],
)
def test_text_that_cannot_be_kept_is_refused_with_the_reason(value, told):
    with pytest.raises(InvalidInput) as refusal:
        check_text(value, "content")
    assert "content" in str(refusal.value)
    assert told in str(refusal.value)
    assert refusal.value.advice


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("a\r\nb\rc\x85d\x0ce", "a\nb\nc\nd\ne"),
        ("cafe\u0301", "caf\u00e9"),
        ("👨\u200d👩\u200d👧 می\u200cخواهم", "👨\u200d👩\u200d👧 می\u200cخواهم"),  # noqa: RUF001 - other scripts are the subject
        ("x" * TEXT_LIMIT, "x" * TEXT_LIMIT),
    ],
)
def test_text_comes_in_word_for_word_in_nfc_with_plain_line_ends(text, kept):
    assert check_text(text, "content") == kept


def test_a_text_that_grows_past_the_limit_in_nfc_is_refused():
    with pytest.raises(InvalidInput, match="at most 10"):
        check_text("\u0958" * 10, "content", 10)


@given(st.text(max_size=60))
def test_what_passes_the_door_passes_it_again_unchanged(text):
    try:
        kept = check_text(text, "content", 60)
    except InvalidInput:
        return
    assert check_text(kept, "content", 60) == kept == unicodedata.normalize("NFC", kept)
    kept.encode()


@given(st.text(st.characters(), max_size=60))
def test_a_text_stripped_of_controls_is_refused_for_blankness_only(text):
    stripped = strip_controls(text)
    if not blank(stripped):
        assert check_text(stripped, "content")


def test_twenty_megabytes_are_refused_at_once():
    huge = "x\x00/\ud800" * 5_000_000
    begin = time.process_time()
    with pytest.raises(InvalidInput, match="20,000,000 characters"):
        check_text(huge, "content")
    assert time.process_time() - begin < 0.1


@pytest.mark.parametrize(
    "text", ["\u200b", "\u200b\u200d \n", "\ufeff", "\u2800\u3164", "\U000e0041\U000e0042", "\ufe0f"]
)
def test_a_text_of_nothing_visible_is_empty(text):
    assert blank(text)
    with pytest.raises(InvalidInput, match="empty"):
        check_text(text, "content")


@pytest.mark.parametrize("text", ["a", "\u200bא", "👩\u200d👧", ".", "ㄱ", "\u0301"])
def test_a_text_with_something_visible_is_not(text):
    assert not blank(text)
    assert check_text(text, "content") == text
