"""One rule for ids, wherever one comes in."""

from __future__ import annotations

import re
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.domain.ids import MAX_ID, check_id
from bethink.domain.invisible import INVISIBLE
from bethink.domain.scope import Caller, Principal, Scope
from bethink.errors import InvalidInput


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "must be text"),
        (3, "must be text"),
        ("", "is empty"),
        ("  ", "is empty"),
        ("a/b", 'holds a "/"'),
        (" a", "blank"),
        ("a\u00a0", "blank"),
        ("a\x00", "U+0000"),
        ("a\nb", "U+000A"),
        ("a\tb", "U+0009"),
        ("a\u2028b", "U+2028"),
        ("\udfff", "U+DFFF"),
        ("x" * (MAX_ID + 1), "has 201 characters; at most 200"),
        ("\u0958" * MAX_ID, "200 characters in NFC"),
    ],
)
def test_an_id_that_cannot_be_kept_is_refused_with_the_reason(value, told):
    with pytest.raises(InvalidInput) as refusal:
        check_id(value, "user")
    assert "user" in str(refusal.value)
    assert told in str(refusal.value)


@pytest.mark.parametrize(
    "value", ["anna", "anna@example.com", "Иван", "a b", "用户:1", "x" * MAX_ID, "agent\\1", "%2F"]
)
def test_an_id_is_otherwise_opaque(value):
    assert check_id(value, "user") == value


def test_an_id_is_kept_in_nfc():
    assert check_id("e\u0301", "user") == "\u00e9"


def test_a_refusal_never_repeats_what_was_passed():
    for value in ["secret-token/" + "x" * 50, "secret-token\x00", "secret-token" * 30]:
        with pytest.raises(InvalidInput) as refusal:
            check_id(value, "user")
        assert "secret-token" not in str(refusal.value)


def test_twenty_megabytes_are_refused_at_once():
    huge = "x\x00/\ud800" * 5_000_000
    begin = time.process_time()
    with pytest.raises(InvalidInput, match="20,000,000 characters"):
        check_id(huge, "user")
    assert time.process_time() - begin < 0.1


def test_whatever_shows_nothing_is_no_id():
    unseen = [chr(code) for code in range(0x110000) if re.match(f"[{INVISIBLE}]", chr(code))]
    assert len(unseen) > 4_000
    for char in (*unseen, "\u0301", "".join(unseen[:150])):
        with pytest.raises(InvalidInput, match=r"empty|holds U"):
            check_id(char, "user")


def accepted(check, value):
    """What a door makes of a value; None when it is refused."""
    try:
        return check(value)
    except InvalidInput:
        return None


@given(st.text(max_size=8) | st.text("ab /\u00a0\u200b\ne\u0301", max_size=5))
def test_every_door_takes_the_same_ids_and_keeps_them_alike(value):
    kept = accepted(lambda text: check_id(text, "id"), value)
    doors = {
        "user": lambda text: Principal("acme", text, "aide").user,
        "project": lambda text: Caller(Principal("acme", "ann", "aide"), project=text).project,
        "scope": lambda text: Scope.parse(f"user:{text}").id,
    }

    assert {name: accepted(door, value) for name, door in doors.items()} == dict.fromkeys(doors, kept)
    if kept is not None:
        assert kept == unicodedata.normalize("NFC", value) == check_id(kept, "id")
        assert not re.search(r"[/\x00-\x1f]", kept)
