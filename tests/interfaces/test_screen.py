"""Nothing a memory holds can move a cursor, colour, retitle or reorder a terminal."""

from __future__ import annotations

import contextlib
import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.interfaces.cli.screen import clean, columns, one_line, pairs

HOSTILE = [
    "\x1b[31m",
    "\x1b]0;owned\x07",
    "\x1b]8;;http://x\x1b\\",
    "\x9b2J",
    "\x1bP1$r\x1b\\",
    "\x1bc",
    "\r",
    "\b",
    "\u202e",
]
HOSTILE += ["\x1b[", "\x1b", "\x1b]52;c;AAAA", "\U000e0041", "\x07", "\x00", "\x85", "\u2066"]
MIXED = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=4)).map("".join)


@given(MIXED)
def test_no_control_character_is_left(text):
    shown = clean(text)

    assert all(c in "\n\t" or unicodedata.category(c) != "Cc" for c in shown)
    assert not any(mark in shown for mark in "\u202e\u2066\U000e0041")


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs", "M"]), max_size=40))
def test_ordinary_text_is_left_alone(text):
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mred\x1b[0m b", "ared b"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\", "click"),
        ("overwrite\rme", "overwriteme"),
        ("two\r\nlines\n\ttab", "two\nlines\n\ttab"),
        ("half \x1b[", "half "),
        ("family 👩‍👩‍👧 می‌خواهم", "family 👩‍👩‍👧 می‌خواهم"),
    ],
)
def test_known_attacks_lose_their_effect_and_text_stays(text, shown):
    assert clean(text) == shown


@given(MIXED, st.integers(2, 20))
def test_a_cell_is_one_line_of_its_width(text, width):
    line = one_line(text, width)

    assert len(line) <= width
    assert "\n" not in line
    assert "\t" not in line


def test_columns_line_up_also_for_wide_letters(capsys):
    columns(("name", "n"), [("日本", "1"), ("a", "2")])

    assert capsys.readouterr().out == "name  n\n日本  1\na     2\n"


def test_a_row_longer_than_the_line_goes_on_below_and_nothing_of_it_is_cut(capsys):
    rows = [("m:1", "a" * 12, "high", "b" * 40), ("m:2", "c", "low", "")]
    columns(("id", "what", "band", "from"), rows, room=30)
    folded = capsys.readouterr().out
    columns(("id", "what", "band", "from"), rows, room=80)

    assert folded.splitlines() == [
        "id   what          band",
        "    from",
        f"m:1  {'a' * 12}  high",
        f"    {'b' * 40}",
        "m:2  c             low",
    ]
    assert capsys.readouterr().out.splitlines()[1] == f"m:1  {'a' * 12}  high  {'b' * 40}"


@given(st.lists(st.text("ab", max_size=9), min_size=1, max_size=6), st.integers(1, 40))
def test_the_lines_of_a_row_fit_unless_a_cell_alone_does_not(cells, room):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        columns([""] * len(cells), [cells], room=room)

    assert all(len(line) <= room or "  " not in line.strip() for line in out.getvalue().splitlines())
    assert out.getvalue().split() == [cell for cell in cells if cell]


def test_names_without_a_value_are_left_out(capsys):
    pairs([("a", 0), ("long", "x\ny"), ("none", None), ("empty", "")])

    assert capsys.readouterr().out == "a     0\nlong  x y\n"
