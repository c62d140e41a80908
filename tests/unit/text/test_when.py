"""Expressions of time in a statement name windows told from when it was said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.text.when import dated, expressions

WEDNESDAY = datetime(2026, 3, 4, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "ahead", "window", "lead"),
    [
        ("flying tomorrow", True, ("2026-03-05", "2026-03-06"), ""),
        ("an exam on Friday", True, ("2026-03-06", "2026-03-07"), ""),
        ("saw Ana on Friday", False, ("2026-02-27", "2026-02-28"), ""),
        ("on leave until 12 March", True, ("2026-03-12", "2026-03-13"), "until"),
        ("since 2019", False, ("2019-01-01", "2020-01-01"), "since"),
        ("by next Tuesday", True, ("2026-03-10", "2026-03-11"), "by"),
        ("moved last month", False, ("2026-02-01", "2026-03-01"), ""),
        ("in three weeks", True, ("2026-03-23", "2026-03-30"), ""),
        ("two years ago", False, ("2024-01-01", "2025-01-01"), ""),
        ("on March 15th, 2027", True, ("2027-03-15", "2027-03-16"), ""),
        ("on 2 January", True, ("2027-01-02", "2027-01-03"), ""),
        ("on 2 January", False, ("2026-01-02", "2026-01-03"), ""),
        ("in December", False, ("2025-12-01", "2026-01-01"), ""),
        ("this weekend", True, ("2026-03-07", "2026-03-09"), ""),
        ("before 2026-05-01", True, ("2026-05-01", "2026-05-02"), "before"),
    ],
)
def test_an_expression_names_its_window(text, ahead, window, lead):
    (found,) = expressions(text, WEDNESDAY, ahead=ahead)

    assert (found.window.start.date().isoformat(), found.window.end.date().isoformat(), found.lead) == (*window, lead)


@pytest.mark.parametrize(
    "text", ["it may rain", "we march on", "worked 3 years there", "30 February 2026", "at 3 pm", ""]
)
def test_what_names_no_day_gives_no_window(text):
    assert expressions(text, WEDNESDAY) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The user is flying to Lisbon tomorrow.", "The user is flying to Lisbon on 5 March 2026."),
        ("The user is away until Friday.", "The user is away until 6 March 2026."),
        ("The user starts next month.", "The user starts in April 2026."),
        ("The user moves next year.", "The user moves in 2027."),
        ("The exam is in two weeks.", "The exam is in the week of 16 March 2026."),
        ("The exam is on 2026-05-14.", "The exam is on 2026-05-14."),
    ],
)
def test_a_dated_text_reads_the_same_any_day(text, expected):
    made = dated(text, WEDNESDAY, ahead=True)

    assert made == expected
    assert dated(made, datetime(2026, 3, 5, tzinfo=UTC), ahead=True) == expected


@given(st.text(max_size=200), st.datetimes(timezones=st.just(UTC)), st.booleans())
def test_no_text_breaks_the_reading_and_windows_lie_in_their_order(text, said_at, ahead):
    for found in expressions(text, said_at, ahead=ahead):
        assert found.window.start < found.window.end
        assert 0 <= found.start < found.end <= len(text)
